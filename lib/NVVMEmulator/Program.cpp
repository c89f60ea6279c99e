//===- Program.cpp - The kernels of a module, compiled for the host -------===//

#include "Block.h"
#include "Instrument.h"
#include "Runtime.h"
#include "renorm/NVVMEmulator/Emulator.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include <numeric>

using namespace mlir::norm::emulator;

struct Program::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  InstrumentedModule module;
  /// The module's variables in global and constant memory.
  std::vector<std::pair<const void *, ProgramVariable>> variables;
  SharedMemory shared;
};

Program::Program(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Program::~Program() = default;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> createJIT() {
  static const bool isInitialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isInitialized;
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine)
    return machine.takeError();
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*machine))
                 .create();
  if (!jit)
    return jit.takeError();
  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, void *address) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  forEachRuntimeFunction(define);
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  // What the code generator calls for LLVM's own intrinsics.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return jit;
}

/// Lets the JIT find the functions of libdevice that a module declares.
static llvm::Error defineLibdevice(llvm::Module &module,
                                   llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  for (llvm::Function &function : module)
    if (void *address = findLibdeviceFunction(function.getName()))
      symbols[jit.mangleAndIntern(function.getName())] = {
          llvm::orc::ExecutorAddr::fromPtr(address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

llvm::Expected<std::unique_ptr<Program>>
Program::create(llvm::orc::ThreadSafeModule module) {
  if (!hasFibers)
    return llvm::createStringError(
        "the emulator runs on x86-64 and AArch64 only");
  auto impl = std::make_unique<Impl>();
  if (!impl->shared)
    return llvm::createStringError(
        "expected 256 KiB of addresses below 4 GiB for shared memory");
  auto jit = createJIT();
  if (!jit)
    return jit.takeError();
  impl->jit = std::move(*jit);

  llvm::Error error = module.withModuleDo([&](llvm::Module &m) -> llvm::Error {
    std::string message;
    llvm::raw_string_ostream os(message);
    if (llvm::verifyModule(m, &os))
      return llvm::createStringError("the module is not valid: " + message);
    auto instrumented = instrumentModule(m, impl->jit->getDataLayout(),
                                         impl->jit->getTargetTriple());
    if (!instrumented)
      return instrumented.takeError();
    impl->module = std::move(*instrumented);
    if (llvm::verifyModule(m, &os))
      return llvm::createStringError("instrumentation failed: " + message);
    return defineLibdevice(m, *impl->jit);
  });
  if (error)
    return std::move(error);
  if ((error = impl->jit->addIRModule(std::move(module))))
    return std::move(error);
  for (const ProgramVariable &variable : impl->module.variables) {
    auto address = impl->jit->lookup(variable.name);
    if (!address)
      return address.takeError();
    impl->variables.push_back({address->toPtr<const void *>(), variable});
  }
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

llvm::Expected<std::unique_ptr<Program>>
Program::parse(llvm::MemoryBufferRef buffer) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(buffer, diagnostic, *context);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream os(message);
    diagnostic.print(/*ProgName=*/nullptr, os, /*ShowColors=*/false);
    return llvm::createStringError(llvm::StringRef(message).rtrim());
  }
  return create(
      llvm::orc::ThreadSafeModule(std::move(module), std::move(context)));
}

llvm::ArrayRef<KernelSignature> Program::getKernels() const {
  return impl->module.kernels;
}

const KernelSignature *Program::findKernel(llvm::StringRef name) const {
  for (const KernelSignature &kernel : getKernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What is wrong with a launch; empty if nothing is.
static std::string checkLaunch(const LaunchConfig &config,
                               const InstrumentedModule::BlockLimits &limits,
                               uint64_t sharedBytes) {
  const Dim3 &block = config.block, &grid = config.grid;
  uint64_t threads = block.count();
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads > 1024 ||
      threads == 0)
    return "expected 1 to 1024 threads in a block, but got " + format(block);
  if (grid.count() == 0 || grid.x > 0x7FFFFFFF || grid.y > 65535 ||
      grid.z > 65535)
    return "expected a grid from (1, 1, 1) to (2147483647, 65535, 65535), but "
           "got " +
           format(grid);
  if (limits.max && threads > *limits.max)
    return "expected at most " + std::to_string(*limits.max) +
           " threads in a block, as the kernel declares, but got " +
           std::to_string(threads);
  if (limits.required && threads != *limits.required)
    return "expected " + std::to_string(*limits.required) +
           " threads in a block, as the kernel declares, but got " +
           std::to_string(threads);
  if (sharedBytes > config.maxSharedBytes)
    return "expected at most " + std::to_string(config.maxSharedBytes) +
           " bytes of shared memory, but got " + std::to_string(sharedBytes);
  return "";
}

llvm::Expected<LaunchStatistics>
Program::launch(llvm::StringRef name, const LaunchConfig &config,
                llvm::ArrayRef<const void *> arguments,
                const GlobalMemory &memory) {
  const KernelSignature *kernel = findKernel(name);
  if (!kernel)
    return llvm::createStringError(
        "expected a kernel of the module, but got '" + name + "'");
  if (arguments.size() != kernel->parameters.size())
    return llvm::createStringError("expected " +
                                   llvm::Twine(kernel->parameters.size()) +
                                   " arguments of '" + name + "', but got " +
                                   llvm::Twine(arguments.size()));
  std::vector<SharedVariable> shared = impl->module.sharedVariables;
  if (impl->module.hasDynamicShared)
    shared.back().bytes = config.dynamicSharedBytes;
  uint64_t sharedBytes = 0;
  for (const SharedVariable &variable : shared)
    sharedBytes += variable.bytes;
  std::string problem =
      checkLaunch(config, impl->module.limits.at(kernel->name), sharedBytes);
  if (problem.empty() && !shared.empty() &&
      shared.back().offset + shared.back().bytes > SharedMemory::capacity)
    problem = "the emulator has no room for the alignment of shared memory";
  if (!problem.empty())
    return llvm::make_error<FaultError>(
        Fault{FaultKind::Launch, problem, kernel->name, {}, {}, {}, {}, {}});
  auto entry = impl->jit->lookup("renorm_kernel." + kernel->name);
  if (!entry)
    return entry.takeError();

  FiberStacks stacks(config.block.count(),
                     (64 << 10) + impl->module.stackBytes);
  if (!stacks)
    return llvm::createStringError("cannot allocate the stacks of " +
                                   llvm::Twine(config.block.count()) +
                                   " threads");
  GlobalMemory own;
  for (const auto &[address, variable] : impl->variables)
    own.registerHost(address, variable.bytes, variable.name);
  for (auto [parameter, argument] : llvm::zip(kernel->parameters, arguments))
    own.registerHost(argument, parameter.bytes, "argument");

  LaunchState state = {config,
                       kernel->name,
                       entry->toPtr<void (*)(const void *const *)>(),
                       arguments.data(),
                       memory,
                       own,
                       impl->shared,
                       shared,
                       impl->module.sites,
                       stacks,
                       std::mt19937_64(config.seed)};
  std::vector<uint64_t> order(config.grid.count());
  std::iota(order.begin(), order.end(), 0);
  if (config.seed)
    std::shuffle(order.begin(), order.end(), state.random);
  for (uint64_t index : order) {
    Dim3 id;
    id.x = index % config.grid.x;
    id.y = index / config.grid.x % config.grid.y;
    id.z = index / config.grid.x / config.grid.y;
    if (!Block(state, id).run())
      return llvm::make_error<FaultError>(std::move(*state.fault));
  }
  return state.statistics;
}
