//===- CompiledFunction.cpp - Running a function --------------------------===//

#include "renorm/ExecutionEngine/CompiledFunction.h"
#include "Call.h"
#include "DeviceTarget.h"
#include "Optimize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "renorm/Support/PassPipeline.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::norm;

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
                                       const DeviceTarget *device) {
  // The process itself is the library of the JIT.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  for (auto function : lowered.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (!function.isExternal() ||
        SymbolTable::symbolKnownUseEmpty(function, lowered) ||
        llvm::is_contained(llvm::make_first_range(getRuntimeSymbols(device)),
                           name) ||
        llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()))
      continue;
    return function.emitError()
           << "expected a definition of @" << name
           << ", which is called, but got only a declaration";
  }
  return success();
}

/// Fails if a kernel in PTX calls a function of libdevice that was not there
/// when it was compiled: the driver's message would name the function only.
static LogicalResult checkLibdevice(ModuleOp lowered) {
  for (auto binary : lowered.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      if (object.getFormat() != gpu::CompilationTarget::Assembly)
        continue;
      StringRef text = object.getObject().getValue();
      size_t start = text.find("__nv_");
      if (start != StringRef::npos)
        return binary.emitError()
               << "kernel " << binary.getName() << " calls "
               << text.substr(start).take_while(
                      [](char c) { return llvm::isAlnum(c) || c == '_'; })
               << " of the CUDA toolkit's libdevice; expected the toolkit in "
                  "CUDA_HOME";
    }
  return success();
}

static FailureOr<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp lowered, const DeviceTarget *device) {
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
    for (auto [name, address] : getRuntimeSymbols(device))
      symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  // Loads the kernels, if there are any.
  DeviceFaults faults(device);
  (*engine)->initialize();
  if (llvm::Error error = faults.getError())
    return emitError(location) << llvm::toString(std::move(error));
  return engine;
}

/// `renorm-to-nvvm` for the device that this is, or `renorm-to-llvm` for the
/// processor.
static llvm::Expected<std::string> getPipeline(const CompileOptions &options,
                                               const DeviceTarget *device) {
  if (options.pipeline)
    return *options.pipeline;
  if (device)
    return device->getPipeline(options.kernelOptions);
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

  for (auto function : lowered->getOps<func::FuncOp>()) {
    // What the entry doesn't call is not compiled.
    function.setVisibility(function == *entry
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
    // Read above; the translation to LLVM IR would warn about each.
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      for (StringRef attribute : {"norm.param", "norm.init", "norm.init_gain"})
        function.removeArgAttr(index, attribute);
  }
  PassManager prune(module.getContext());
  prune.addPass(createSymbolDCEPass());
  if (failed(prune.run(*lowered)))
    return failure();

  const DeviceTarget *device = DeviceTarget::get(options.target);
  if (llvm::Error error = checkTarget(options.target))
    return emitError(module.getLoc()) << llvm::toString(std::move(error));
  auto pipeline = orEmit(getPipeline(options, device), module.getLoc(),
                         "tell how to compile for the target");
  if (failed(pipeline) || failed(runPassPipeline(*lowered, *pipeline)) ||
      failed(checkDeclarations(*lowered, device)) ||
      failed(checkLibdevice(*lowered)))
    return failure();
  compiled->probeNames = readProbeNames(*lowered);
  FailureOr<std::unique_ptr<ExecutionEngine>> engine =
      createEngine(*lowered, device);
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
