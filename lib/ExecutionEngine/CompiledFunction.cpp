//===- CompiledFunction.cpp - Running a function --------------------------===//

#include "renorm/ExecutionEngine/CompiledFunction.h"
#include "EmulatorTarget.h"
#include "Optimize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "renorm/Support/PassPipeline.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <csetjmp>
#include <cstring>

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// What compiled code calls
//===----------------------------------------------------------------------===//

namespace {
/// The call that runs on a thread.
struct ActiveCall {
  ActiveCall(ArrayRef<std::string> probeNames, std::vector<ProbeRecord> &probes)
      : probeNames(probeNames), probes(probes) {}

  ArrayRef<std::string> probeNames;
  std::vector<ProbeRecord> &probes;
  /// Where to go on if the code gives up.
  std::jmp_buf stop = {};
  /// Why it gives up.
  std::string message;
};
} // namespace

static thread_local ActiveCall *activeCall = nullptr;

/// What the code of a `norm.probe` calls. `id` counts in `norm.probe_names`.
static void recordProbe(int64_t id, double mean, double variance, double maxAbs,
                        double kurtosis) {
  ArrayRef<std::string> names = activeCall->probeNames;
  std::string name = id >= 0 && static_cast<size_t>(id) < names.size()
                         ? names[id]
                         : "probe " + std::to_string(id);
  activeCall->probes.push_back(
      {std::move(name), mean, variance, maxAbs, kurtosis});
}

/// The code of a `cf.assert` that fails calls `puts` and `abort`. These keep
/// the process alive: a token that is not in the vocabulary is no reason to end
/// it.
static int keepMessage(const char *message) {
  activeCall->message = message;
  return 0;
}

[[noreturn]] static void stopCall() { std::longjmp(activeCall->stop, 1); }

/// Calls `entry`, and returns whether it came back. Nothing between this frame
/// and that of `stopCall` has a destructor: it is all compiled code.
static bool runToEnd(void (*entry)(void **), void **arguments,
                     ActiveCall &call) {
  if (setjmp(call.stop) != 0)
    return false;
  entry(arguments);
  return true;
}

/// What the JIT finds before what the process offers by the same name.
static SmallVector<std::pair<StringRef, void *>>
getRuntimeSymbols(ExecutionTarget target) {
  SmallVector<std::pair<StringRef, void *>> symbols;
  if (target == ExecutionTarget::Emulator)
    symbols = getEmulatorSymbols();
  symbols.push_back(
      {"renorm_record_probe", reinterpret_cast<void *>(&recordProbe)});
  symbols.push_back({"puts", reinterpret_cast<void *>(&keepMessage)});
  symbols.push_back({"abort", reinterpret_cast<void *>(&stopCall)});
  return symbols;
}

static std::vector<std::string> readProbeNames(ModuleOp module) {
  std::vector<std::string> names;
  if (auto attribute = module->getAttrOfType<ArrayAttr>("norm.probe_names"))
    for (auto name : attribute.getAsRange<StringAttr>())
      names.push_back(name.str());
  return names;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static FailureOr<TensorSignature> describeTensor(Type type, const Twine &what,
                                                 func::FuncOp function) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return function.emitError() << "expected a ranked tensor as " << what
                                << " of a function to run, but got " << type;
  Type element = tensor.getElementType();
  bool isSupported =
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
      element.isSignlessInteger(1) || element.isSignlessInteger(8) ||
      element.isSignlessInteger(16) || element.isSignlessInteger(32) ||
      element.isSignlessInteger(64);
  if (!isSupported)
    return function.emitError()
           << "expected f16, bf16, f32, f64, i1, i8, i16, i32 or i64 elements "
              "in "
           << what << " of a function to run, but got " << type;
  TensorSignature signature;
  llvm::raw_string_ostream(signature.type) << type;
  llvm::raw_string_ostream(signature.elementType) << element;
  signature.elementBytes = (element.getIntOrFloatBitWidth() + 7) / 8;
  signature.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return signature;
}

static FailureOr<ArgumentSignature> describeArgument(func::FuncOp function,
                                                     unsigned index) {
  FailureOr<TensorSignature> tensor = describeTensor(
      function.getArgumentTypes()[index], "argument " + Twine(index), function);
  if (failed(tensor))
    return failure();
  auto parameter = function.getArgAttrOfType<StringAttr>(index, "norm.param");
  ArgumentSignature argument{
      *tensor, parameter ? parameter.str() : "arg" + std::to_string(index),
      parameter != nullptr, std::nullopt, /*initGain=*/1.0};
  if (auto init = function.getArgAttrOfType<FloatAttr>(index, "norm.init"))
    argument.init = init.getValueAsDouble();
  if (auto gain = function.getArgAttrOfType<FloatAttr>(index, "norm.init_gain"))
    argument.initGain = gain.getValueAsDouble();
  return argument;
}

static FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      return module.emitError()
             << "expected a function @" << name << ", but the module has none";
    if (function.isExternal())
      return function.emitError() << "expected a function with a body, but @"
                                  << name << " is a declaration";
    return function;
  }
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (entry)
      return module.emitError()
             << "expected one public function or the name of one, but got @"
             << entry.getName() << " and @" << function.getName();
    entry = function;
  }
  if (!entry)
    return module.emitError()
           << "expected a public function with a body, but the module has none";
  return entry;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Returns the value of `expected`, or emits its error at `location`.
template <typename T>
static FailureOr<T> orEmit(llvm::Expected<T> expected, Location location,
                           StringRef what) {
  if (expected)
    return std::move(*expected);
  return emitError(location)
         << "cannot " << what << ": " << llvm::toString(expected.takeError());
}

/// Fails, naming it, if a function is called that nothing defines. The JIT's
/// own message goes to stderr and not to the caller.
static LogicalResult checkDeclarations(ModuleOp lowered,
                                       ExecutionTarget target) {
  // The process itself is the library of the JIT.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  for (auto function : lowered.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (!function.isExternal() ||
        SymbolTable::symbolKnownUseEmpty(function, lowered) ||
        llvm::is_contained(llvm::make_first_range(getRuntimeSymbols(target)),
                           name) ||
        llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()))
      continue;
    return function.emitError()
           << "expected a definition of @" << name
           << ", which is called, but got only a declaration";
  }
  return success();
}

static FailureOr<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp lowered, ExecutionTarget target) {
  static const bool isInitialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isInitialized;
  MLIRContext *context = lowered.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerGPUDialectTranslation(*context);

  Location location = lowered.getLoc();
  auto builder = orEmit(llvm::orc::JITTargetMachineBuilder::detectHost(),
                        location, "find out which processor this is");
  if (failed(builder))
    return failure();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  auto machine = orEmit(builder->createTargetMachine(), location,
                        "generate code for this processor");
  if (failed(machine))
    return failure();

  ExecutionEngineOptions options;
  // Called while the engine, which then owns the machine, is created.
  auto transformer = [machine = machine->get()](llvm::Module *module) {
    optimizeModel(*module, machine);
    return llvm::Error::success();
  };
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableObjectDump = false;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine =
      orEmit(ExecutionEngine::create(lowered, options, std::move(*machine)),
             location, "translate to LLVM IR");
  if (failed(engine))
    return failure();
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : getRuntimeSymbols(target))
      symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  // Loads the kernels, if there are any.
  EmulatorFaults faults;
  (*engine)->initialize();
  if (!faults.getMessage().empty())
    return emitError(location) << faults.getMessage();
  return engine;
}

/// `renorm-to-llvm` for the processor that this is.
static std::string getHostPipeline() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  int vectorBits = features.lookup("avx512f") ? 512
                   : features.lookup("avx")   ? 256
                                              : 128;
  return ("renorm-to-llvm{check-shapes=true vector-bits=" + Twine(vectorBits) +
          "}")
      .str();
}

CompiledFunction::CompiledFunction() = default;
CompiledFunction::~CompiledFunction() = default;

FailureOr<std::unique_ptr<CompiledFunction>>
CompiledFunction::compile(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> lowered = module.clone();
  FailureOr<func::FuncOp> entry = findEntry(*lowered, options.entry);
  if (failed(entry))
    return failure();

  std::unique_ptr<CompiledFunction> compiled(new CompiledFunction());
  compiled->target = options.target;
  compiled->name = entry->getName().str();
  for (unsigned index = 0; index < entry->getNumArguments(); ++index) {
    FailureOr<ArgumentSignature> argument = describeArgument(*entry, index);
    if (failed(argument))
      return failure();
    compiled->arguments.push_back(*argument);
  }
  for (auto [index, type] : llvm::enumerate(entry->getResultTypes())) {
    FailureOr<TensorSignature> result =
        describeTensor(type, "result " + Twine(index), *entry);
    if (failed(result))
      return failure();
    compiled->results.push_back(*result);
  }

  entry->setVisibility(SymbolTable::Visibility::Public);
  // Read above; the translation to LLVM IR would warn about each.
  for (auto function : lowered->getOps<func::FuncOp>())
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      for (StringRef attribute : {"norm.param", "norm.init", "norm.init_gain"})
        function.removeArgAttr(index, attribute);

  std::string pipeline = options.target == ExecutionTarget::CPU
                             ? getHostPipeline()
                             : "renorm-to-nvvm{format=llvm}";
  if (failed(runPassPipeline(*lowered, options.pipeline.value_or(pipeline))))
    return failure();
  if (failed(checkDeclarations(*lowered, options.target)))
    return failure();
  compiled->probeNames = readProbeNames(*lowered);
  FailureOr<std::unique_ptr<ExecutionEngine>> engine =
      createEngine(*lowered, options.target);
  if (failed(engine))
    return failure();
  auto packed =
      orEmit((*engine)->lookupPacked("_mlir_ciface_" + compiled->name),
             module.getLoc(), "generate code for the function");
  if (failed(packed))
    return failure();
  compiled->engine = std::move(*engine);
  compiled->packedEntry = *packed;
  return compiled;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A memref descriptor is words of 64 bits: allocated pointer, aligned pointer,
/// offset, sizes, strides.
static size_t getDescriptorWords(size_t rank) { return 3 + 2 * rank; }

namespace {
/// View of a memref descriptor that compiled code has written.
struct MemRefDescriptor {
  MemRefDescriptor(const int64_t *words, size_t rank)
      : allocated(toPointer(words[0])), elements(toPointer(words[1])),
        offset(words[2]), sizes(words + 3, rank),
        strides(words + 3 + rank, rank) {}

  static char *toPointer(int64_t word) { return llvm::bit_cast<char *>(word); }

  bool isContiguous() const {
    int64_t expected = 1;
    for (size_t i = sizes.size(); i-- > 0; expected *= sizes[i])
      if (sizes[i] != 1 && strides[i] != expected)
        return false;
    return true;
  }

  /// Copies the elements, of `elementBytes` each, in row-major order.
  void copyTo(char *target, unsigned elementBytes) const {
    copyTo(target, elements + offset * elementBytes, elementBytes, 0);
  }

  char *allocated, *elements;
  int64_t offset;
  ArrayRef<int64_t> sizes, strides;

private:
  char *copyTo(char *target, const char *source, unsigned elementBytes,
               size_t dimension) const {
    if (dimension == sizes.size()) {
      std::memcpy(target, source, elementBytes);
      return target + elementBytes;
    }
    for (int64_t i = 0; i < sizes[dimension]; ++i)
      target = copyTo(target, source + i * strides[dimension] * elementBytes,
                      elementBytes, dimension + 1);
    return target;
  }
};
} // namespace

static size_t countBytes(ArrayRef<int64_t> shape, unsigned elementBytes) {
  return ShapedType::getNumElements(shape) * elementBytes;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "[";
  llvm::interleaveComma(shape, stream, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      stream << "?";
    else
      stream << extent;
  });
  stream << "]";
  return text;
}

static llvm::Error checkInputs(ArrayRef<ArgumentSignature> arguments,
                               ArrayRef<TensorView> inputs) {
  if (inputs.size() != arguments.size())
    return llvm::createStringError("expected %zu arguments, but got %zu",
                                   arguments.size(), inputs.size());
  for (auto [index, argument, input] : llvm::enumerate(arguments, inputs)) {
    bool fits = argument.shape.size() == input.shape.size();
    for (size_t i = 0; fits && i < input.shape.size(); ++i)
      fits = ShapedType::isDynamic(argument.shape[i]) ||
             argument.shape[i] == input.shape[i];
    if (!fits)
      return llvm::createStringError(
          "expected shape " + printShape(argument.shape) + " for argument " +
          Twine(index) +
          (argument.isParameter ? " ('" + argument.name + "')" : "") +
          ", but got " + printShape(input.shape));
  }
  return llvm::Error::success();
}

llvm::Error CompiledFunction::run(ArrayRef<TensorView> inputs,
                                  SmallVectorImpl<OwnedTensor> &outputs,
                                  std::vector<ProbeRecord> &probes) const {
  if (llvm::Error error = checkInputs(arguments, inputs))
    return error;

  EmulatorFaults faults;
  SharedCopies copies;
  SmallVector<TensorView> shared;
  if (target == ExecutionTarget::Emulator) {
    for (auto [input, argument] : llvm::zip(inputs, arguments))
      shared.push_back(
          copies.add(input, countBytes(input.shape, argument.elementBytes)));
    inputs = shared;
  }

  size_t resultWords = 0;
  for (const TensorSignature &result : results)
    resultWords += getDescriptorWords(result.shape.size());
  SmallVector<int64_t> resultStorage(resultWords);

  SmallVector<SmallVector<int64_t>> descriptors;
  for (const TensorView &input : inputs) {
    int64_t address = reinterpret_cast<intptr_t>(input.data);
    SmallVector<int64_t> &words =
        descriptors.emplace_back(SmallVector<int64_t>{address, address, 0});
    llvm::append_range(words, input.shape);
    words.resize(getDescriptorWords(input.shape.size()));
    int64_t stride = 1;
    for (size_t i = input.shape.size(); i-- > 0; stride *= input.shape[i])
      words[3 + input.shape.size() + i] = stride;
  }

  // The C interface takes a pointer to each descriptor, first to those of the
  // results; the packed one a pointer to each such pointer.
  SmallVector<void *> pointers;
  if (!results.empty())
    pointers.push_back(resultStorage.data());
  for (SmallVector<int64_t> &words : descriptors)
    pointers.push_back(words.data());
  SmallVector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(static_cast<void *>(&pointer));

  ActiveCall call(probeNames, probes);
  ActiveCall *outer = std::exchange(activeCall, &call);
  bool isDone = runToEnd(packedEntry, packed.data(), call);
  activeCall = outer;
  if (!isDone)
    return llvm::createStringError("the program stopped: " + call.message);
  if (!faults.getMessage().empty())
    return llvm::createStringError(faults.getMessage());

  // Compiled code hands its results over, unless they lie in an input or in a
  // constant: those, and what is no plain array, are copied. The blocks that no
  // result keeps are freed at the end, since results may share one.
  auto isOwned = [&](const MemRefDescriptor &result) {
    // MLIR's mark for memory that is not from the heap.
    if (reinterpret_cast<uintptr_t>(result.allocated) == 0xdeadbeef)
      return false;
    return llvm::none_of(llvm::zip(inputs, arguments), [&](auto pair) {
      auto [input, argument] = pair;
      const auto *begin = static_cast<const char *>(input.data);
      size_t bytes = countBytes(input.shape, argument.elementBytes);
      return result.allocated >= begin &&
             result.allocated < begin + std::max<size_t>(bytes, 1);
    });
  };
  llvm::SmallDenseSet<char *> kept;
  SmallVector<char *> unused;
  const int64_t *words = resultStorage.data();
  for (const TensorSignature &signature : results) {
    MemRefDescriptor result(words, signature.shape.size());
    words += getDescriptorWords(signature.shape.size());
    OwnedTensor &output = outputs.emplace_back();
    output.shape.assign(result.sizes.begin(), result.sizes.end());
    bool isFirst = isOwned(result) && kept.insert(result.allocated).second;
    if (isFirst && result.isContiguous() && target == ExecutionTarget::CPU) {
      output.block.reset(result.allocated);
      output.data = result.elements + result.offset * signature.elementBytes;
      continue;
    }
    if (isFirst)
      unused.push_back(result.allocated);
    size_t bytes = countBytes(result.sizes, signature.elementBytes);
    output.data = std::malloc(std::max<size_t>(bytes, 1));
    output.block.reset(output.data);
    result.copyTo(static_cast<char *>(output.data), signature.elementBytes);
  }
  for (char *block : unused)
    target == ExecutionTarget::CPU ? std::free(block) : freeShared(block);
  return llvm::Error::success();
}
