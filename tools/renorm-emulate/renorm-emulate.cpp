//===- renorm-emulate.cpp - Runs a GPU kernel on the host -----------------===//

#include "Arguments.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "renorm/NVVMEmulator/Emulator.h"
#include "renorm/Support/PassPipeline.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::norm::emulator;

static llvm::cl::OptionCategory category("Options of renorm-emulate");

static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional,
                                            llvm::cl::desc("FILE"),
                                            llvm::cl::init("-"),
                                            llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    kernelName("kernel",
               llvm::cl::desc("the kernel; the only one if not given"),
               llvm::cl::cat(category));
static llvm::cl::list<unsigned> grid("grid",
                                     llvm::cl::desc("blocks in x, y and z"),
                                     llvm::cl::CommaSeparated,
                                     llvm::cl::cat(category));
static llvm::cl::list<unsigned>
    blockShape("block", llvm::cl::desc("threads of a block in x, y and z"),
               llvm::cl::CommaSeparated, llvm::cl::cat(category));
static llvm::cl::opt<unsigned>
    sharedBytes("shared", llvm::cl::desc("bytes of dynamic shared memory"),
                llvm::cl::init(0), llvm::cl::cat(category));
static llvm::cl::opt<unsigned>
    seeds("seeds",
          llvm::cl::desc(
              "run with the schedules of the seeds 0 to N-1, whose results "
              "must be the same to the bit"),
          llvm::cl::value_desc("N"), llvm::cl::init(1),
          llvm::cl::cat(category));
static llvm::cl::opt<uint64_t> maxIterations(
    "max-iterations",
    llvm::cl::desc("how often a thread may go round its loops; more is a hang"),
    llvm::cl::init(LaunchConfig().maxIterations), llvm::cl::cat(category));
static llvm::cl::list<std::string> argumentTexts(
    "arg",
    llvm::cl::desc(
        "the next argument: a number, TYPE:NUMBER, or the address of "
        "an array, TYPE[EXTENTS] (of NaNs or -1), "
        "TYPE[EXTENTS]:NUMBER, TYPE[EXTENTS]:iota or "
        "TYPE[EXTENTS]@FILE (its bytes), or a tensor map of an array, "
        "map:BOX:SWIZZLE:ARRAY"),
    llvm::cl::value_desc("ARGUMENT"), llvm::cl::cat(category));
static llvm::cl::list<unsigned>
    printed("print", llvm::cl::desc("print this array argument after the run"),
            llvm::cl::value_desc("INDEX"), llvm::cl::cat(category));
static llvm::cl::list<std::string>
    written("write",
            llvm::cl::desc("write the bytes of this array argument to a file"),
            llvm::cl::value_desc("INDEX:FILE"), llvm::cl::cat(category));
static llvm::cl::opt<std::string> pipeline(
    "pipeline",
    llvm::cl::desc(
        "passes from an .mlir file to the LLVM dialect; memrefs that "
        "are arguments become pointers"),
    llvm::cl::init("convert-nvgpu-to-nvvm,"
                   "gpu.module(convert-vector-to-scf,convert-scf-to-cf),"
                   "convert-nvvm-to-llvm,"
                   "gpu.module(expand-strided-metadata,lower-affine,"
                   "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},"
                   "canonicalize,cse,reconcile-unrealized-casts)"),
    llvm::cl::cat(category));
static llvm::cl::opt<bool>
    statistics("statistics",
               llvm::cl::desc("print counts of what was executed"),
               llvm::cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "renorm-emulate: error: " << message << "\n";
  return 1;
}
static int fail(llvm::Error error) {
  // A fault says where it is.
  if (error.isA<FaultError>())
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
  else
    fail(llvm::Twine(llvm::toString(std::move(error))));
  return 1;
}

static llvm::Expected<Dim3> makeDim(llvm::ArrayRef<unsigned> extents,
                                    llvm::StringRef option) {
  if (extents.size() > 3)
    return llvm::createStringError("expected at most 3 extents in --" + option);
  Dim3 dim;
  unsigned *members[] = {&dim.x, &dim.y, &dim.z};
  for (auto [member, extent] : llvm::zip(members, extents))
    *member = extent;
  return dim;
}

/// Reads, lowers and compiles the module with the kernel.
static llvm::Expected<std::unique_ptr<Program>>
loadMLIR(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(norm::runPassPipeline(*module, pipeline)))
    return llvm::createStringError("cannot lower the module");
  gpu::GPUModuleOp chosen;
  for (auto device : module->getOps<gpu::GPUModuleOp>()) {
    if (!kernelName.empty() && !device.lookupSymbol(kernelName))
      continue;
    if (chosen)
      return llvm::createStringError(
          "expected the name of a kernel in --kernel: there are several "
          "modules");
    chosen = device;
  }
  if (!chosen)
    return llvm::createStringError(
        kernelName.empty()
            ? "expected a gpu.module, but there is none"
            : "expected a gpu.module with the kernel '" + kernelName + "'");
  return Program::translate(chosen);
}

static llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::string message;
  auto file = openOutputFile(path, &message);
  if (!file)
    return llvm::createStringError(message);
  file->os() << bytes;
  file->keep();
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions(category);
  registerAllPasses();
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Runs a kernel for NVIDIA's GPUs, MLIR or "
                                    "LLVM IR, on the host, and finds "
                                    "its faults\n");

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  MLIRContext context(registry);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(inputFile, &message);
  if (!buffer)
    return fail(message);
  llvm::StringRef path(inputFile);
  auto program = path.ends_with(".ll") || path.ends_with(".bc")
                     ? Program::parse(*buffer)
                     : loadMLIR(std::move(buffer), context);
  if (!program)
    return fail(program.takeError());
  if (kernelName.empty()) {
    if ((*program)->getKernels().size() != 1)
      return fail("expected the name of a kernel in --kernel: there are " +
                  llvm::Twine((*program)->getKernels().size()));
    kernelName = (*program)->getKernels().front().name;
  }

  LaunchConfig config;
  for (auto [dim, extents, option] :
       {std::tuple(&config.grid, &grid, "grid"),
        std::tuple(&config.block, &blockShape, "block")}) {
    auto made = makeDim(*extents, option);
    if (!made)
      return fail(made.takeError());
    *dim = *made;
  }
  config.dynamicSharedBytes = sharedBytes;
  config.maxIterations = maxIterations;

  std::vector<Argument> arguments;
  for (const std::string &text : argumentTexts) {
    auto argument = Argument::parse(text);
    if (!argument)
      return fail(argument.takeError());
    arguments.push_back(std::move(*argument));
  }

  std::vector<std::string> first;
  LaunchStatistics counts;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    GlobalMemory memory;
    std::vector<const void *> values;
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      if (auto error = argument.allocate(memory, "arg" + std::to_string(index)))
        return fail(std::move(error));
      values.push_back(argument.getValue());
    }
    config.seed = seed;
    auto launched = (*program)->launch(kernelName, config, values, memory);
    if (!launched)
      return fail(launched.takeError());
    counts = *launched;
    std::vector<std::string> results;
    for (const Argument &argument : arguments)
      results.push_back(argument.isArray() ? argument.getBytes().str() : "");
    if (seed == 0)
      first = results;
    if (results != first)
      return fail("the results of seed " + llvm::Twine(seed) +
                  " are not those of seed 0");
    if (seed + 1 != seeds)
      continue;
    for (unsigned index : printed) {
      if (index >= arguments.size() || !arguments[index].isArray())
        return fail("expected the index of an array in --print");
      llvm::outs() << "arg" << index << ": ";
      arguments[index].print(llvm::outs());
    }
    for (llvm::StringRef text : written) {
      auto [number, file] = text.split(':');
      unsigned index;
      if (number.getAsInteger(10, index) || index >= arguments.size() ||
          !arguments[index].isArray())
        return fail("expected INDEX:FILE of an array in --write");
      if (auto error = writeFile(file, arguments[index].getBytes()))
        return fail(std::move(error));
    }
  }
  if (statistics)
    llvm::outs() << counts.warpInstructions << " warp instructions, "
                 << counts.switches << " switches\n";
  return 0;
}
