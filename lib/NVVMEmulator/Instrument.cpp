//===- Instrument.cpp - Calls of the emulator in a kernel's IR ------------===//

#include "Instrument.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"

using namespace llvm;
using namespace mlir::norm::emulator;

namespace {
class Instrumenter {
public:
  Instrumenter(Module &module, const DataLayout &layout, const Triple &triple)
      : module(module), context(module.getContext()), layout(layout),
        triple(triple), i32(Type::getInt32Ty(context)),
        i64(Type::getInt64Ty(context)), pointer(PointerType::get(context, 0)),
        nothing(Type::getVoidTy(context)) {}

  Error run();
  InstrumentedModule result;

private:
  void retarget();
  void dropLibdevice();
  void noteVariables();
  Error instrumentFunction(Function &function);
  Error instrumentCall(CallInst &call);
  Error replaceCall(
      CallInst &call, StringRef key,
      std::optional<mlir::norm::emulator::Instruction> (*find)(StringRef));
  Error checkDeclaration(CallInst &call, Function &callee);
  void instrumentAccess(llvm::Instruction &instruction, Value *address,
                        Type *type, Align alignment, AccessKind kind);
  void instrumentRange(llvm::Instruction &instruction, Value *address,
                       Value *bytes, AccessKind kind);
  void instrumentDivision(BinaryOperator &division);

  unsigned addSite(const llvm::Instruction &instruction);
  Error unsupported(const llvm::Instruction &instruction, const Twine &what);
  FunctionCallee getRuntime(StringRef name, ArrayRef<Type *> arguments) {
    return module.getOrInsertFunction(
        name, FunctionType::get(nothing, arguments, false));
  }

  Module &module;
  LLVMContext &context;
  const DataLayout &layout;
  const Triple &triple;
  Type *i32, *i64;
  PointerType *pointer;
  Type *nothing;
  /// Of the function at hand, for what calls of the emulator take and give.
  Value *argumentBuffer = nullptr, *resultBuffer = nullptr;
  DenseMap<CallInst *, unsigned> callSites;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

static SourceLocation getLocation(const llvm::Instruction &instruction) {
  const DebugLoc &location = instruction.getDebugLoc();
  if (!location)
    return {};
  SmallString<128> file(location->getFilename());
  if (!sys::path::is_absolute(file) && !location->getDirectory().empty() &&
      location->getDirectory() != ".") {
    file = location->getDirectory();
    sys::path::append(file, location->getFilename());
  }
  return {file.str().str(), location->getLine(), location->getColumn()};
}

static std::string print(const llvm::Instruction &instruction) {
  std::string text;
  raw_string_ostream stream(text);
  instruction.print(stream);
  // Without metadata.
  return StringRef(text).split(", !").first.trim().str();
}

unsigned Instrumenter::addSite(const llvm::Instruction &instruction) {
  result.sites.emplace_back();
  Site &site = result.sites.back();
  site.location = getLocation(instruction);
  site.text = print(instruction);
  return result.sites.size() - 1;
}

Error Instrumenter::unsupported(const llvm::Instruction &instruction,
                                const Twine &what) {
  SourceLocation location = getLocation(instruction);
  std::string place = location.line ? location.file + ":" +
                                          std::to_string(location.line) + ":" +
                                          std::to_string(location.column) + ": "
                                    : "";
  return createStringError(Twine(place) + "the emulator has no " + what +
                           ", in '" + print(instruction) + "'");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Attributes that say nothing but which arguments are copied into memory.
static AttributeList keepByVal(LLVMContext &context, unsigned arguments,
                               function_ref<Type *(unsigned)> getType) {
  AttributeList kept;
  for (unsigned i = 0; i < arguments; ++i)
    if (Type *type = getType(i))
      kept = kept.addParamAttribute(context, i,
                                    Attribute::getWithByValType(context, type));
  return kept;
}

void Instrumenter::retarget() {
  module.setDataLayout(layout);
  module.setTargetTriple(triple);
  for (Function &function : module) {
    // What holds for the GPU's code needn't hold for ours: checks stand before
    // accesses, and reads see what other threads write.
    if (function.isIntrinsic())
      continue;
    AttributeList kept =
        keepByVal(context, function.arg_size(),
                  [&](unsigned i) { return function.getParamByValType(i); });
    for (StringRef name : {"nvvm.maxntid", "nvvm.reqntid"})
      if (function.hasFnAttribute(name))
        kept = kept.addFnAttribute(
            context, name, function.getFnAttribute(name).getValueAsString());
    function.setAttributes(kept.addFnAttribute(context, Attribute::NoUnwind));
    function.setComdat(nullptr);
    for (llvm::Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && !isa<IntrinsicInst>(call))
        call->setAttributes(
            keepByVal(context, call->arg_size(),
                      [&](unsigned i) { return call->getParamByValType(i); }));
      instruction.setMetadata(LLVMContext::MD_invariant_load, nullptr);
      instruction.setMetadata(LLVMContext::MD_nontemporal, nullptr);
    }
  }
}

/// Mathematical functions are the host's, whether or not libdevice is linked.
void Instrumenter::dropLibdevice() {
  for (Function &function : module)
    if (findLibdeviceFunction(function.getName())) {
      function.deleteBody();
      function.setLinkage(GlobalValue::ExternalLinkage);
    }
}

void Instrumenter::noteVariables() {
  unsigned anonymous = 0;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.getName().starts_with("llvm."))
      continue;
    if (!variable.hasName())
      variable.setName("anonymous." + Twine(anonymous++));
    // So that its address can be asked for.
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setComdat(nullptr);
    result.variables.push_back(
        {variable.getName().str(),
         layout.getTypeAllocSize(variable.getValueType())});
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Replaces a call by one of the emulator, with the arguments in memory.
Error Instrumenter::replaceCall(
    CallInst &call, StringRef key,
    std::optional<mlir::norm::emulator::Instruction> (*find)(StringRef)) {
  auto [entry, isNew] = result.instructions.try_emplace(key.str());
  if (isNew) {
    StringRef name = key;
    name.consume_front("llvm.nvvm.");
    auto found = find(name);
    if (!found) {
      result.instructions.erase(entry);
      return unsupported(call, call.isInlineAsm() ? "inline assembly like this"
                                                  : "intrinsic '" + key + "'");
    }
    entry->second = std::move(*found);
  }
  unsigned site = addSite(call);
  result.sites[site].instruction = &entry->second;
  callSites[&call] = site;

  IRBuilder<> builder(&call);
  auto slot = [&](Value *buffer, unsigned index) {
    return builder.CreateConstInBoundsGEP1_32(i64, buffer, index);
  };
  for (auto [index, argument] : enumerate(call.args())) {
    Value *value = argument.get();
    Type *type = value->getType();
    if (type->isPointerTy()) {
      value = builder.CreatePtrToInt(value, i64);
    } else {
      unsigned bits = type->getPrimitiveSizeInBits();
      if (bits == 0 || bits > 64)
        return unsupported(call, "instruction with such an operand");
      value = builder.CreateZExt(
          builder.CreateBitCast(value, builder.getIntNTy(bits)), i64);
    }
    builder.CreateStore(value, slot(argumentBuffer, index));
  }
  CallInst *replacement = builder.CreateCall(
      getRuntime(runtime::call, {i32, pointer, pointer}),
      {builder.getInt32(site), argumentBuffer, resultBuffer});
  replacement->setConvergent();

  auto read = [&](Type *type, unsigned index) -> Value * {
    Value *value = builder.CreateLoad(i64, slot(resultBuffer, index));
    if (type->isPointerTy())
      return builder.CreateIntToPtr(value, type);
    unsigned bits = type->getPrimitiveSizeInBits();
    return builder.CreateBitCast(
        builder.CreateTrunc(value, builder.getIntNTy(bits)), type);
  };
  if (auto *structure = dyn_cast<StructType>(call.getType())) {
    Value *aggregate = PoisonValue::get(structure);
    for (auto [index, type] : enumerate(structure->elements()))
      aggregate =
          builder.CreateInsertValue(aggregate, read(type, index), index);
    call.replaceAllUsesWith(aggregate);
  } else if (!call.getType()->isVoidTy()) {
    call.replaceAllUsesWith(read(call.getType(), 0));
  }
  call.eraseFromParent();
  return Error::success();
}

Error Instrumenter::checkDeclaration(CallInst &call, Function &callee) {
  StringRef name = callee.getName();
  if (!callee.isDeclaration() || findLibdeviceFunction(name) ||
      name == runtime::sharedBase)
    return Error::success();
  if (name == "__assertfail") {
    // (message, file, line, function, size of a character)
    IRBuilder<> builder(&call);
    builder.CreateCall(
        getRuntime(runtime::assertFail, {i32, pointer}),
        {builder.getInt32(addSite(call)),
         builder.CreateAddrSpaceCast(call.getArgOperand(0), pointer)});
    call.eraseFromParent();
    return Error::success();
  }
  return unsupported(call, "function '" + name + "'");
}

Error Instrumenter::instrumentCall(CallInst &call) {
  if (call.isInlineAsm()) {
    StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
    return replaceCall(call, text, parseAssembly);
  }
  Function *callee = call.getCalledFunction();
  if (!callee)
    return unsupported(call, "call of a function that is not known");
  if (auto *memory = dyn_cast<MemIntrinsic>(&call)) {
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      instrumentRange(call, transfer->getSource(), transfer->getLength(),
                      AccessKind::Read);
    instrumentRange(call, memory->getDest(), memory->getLength(),
                    AccessKind::Write);
    return Error::success();
  }
  if (callee->getName().starts_with("llvm.nvvm."))
    return replaceCall(call, callee->getName(), findInstruction);
  if (!callee->isIntrinsic())
    return checkDeclaration(call, *callee);
  switch (callee->getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap: {
    IRBuilder<> builder(&call);
    builder.CreateCall(getRuntime(runtime::trap, {i32}),
                       {builder.getInt32(addSite(call))});
    call.eraseFromParent();
    return Error::success();
  }
  default:
    if (isPortable(callee->getIntrinsicID()))
      return Error::success();
    return unsupported(call, "intrinsic '" + callee->getName() + "'");
  }
}

//===----------------------------------------------------------------------===//
// Accesses, loops and divisions
//===----------------------------------------------------------------------===//

static AddressSpace getSpace(const Value *address) {
  return static_cast<AddressSpace>(
      address->getType()->getPointerAddressSpace());
}

void Instrumenter::instrumentAccess(llvm::Instruction &instruction,
                                    Value *address, Type *type, Align alignment,
                                    AccessKind kind) {
  uint64_t bytes = layout.getTypeStoreSize(type);
  IRBuilder<> builder(&instruction);
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const Value *base = address->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (auto *local = dyn_cast<AllocaInst>(getUnderlyingObject(address))) {
    std::optional<TypeSize> size = local->getAllocationSize(layout);
    if (base == local && size && offset.isNonNegative() &&
        offset.getZExtValue() + bytes <= size->getFixedValue())
      return;
    unsigned site = addSite(instruction);
    result.sites[site].bytes = bytes;
    Value *available =
        size ? builder.getInt64(size->getFixedValue())
             : builder.CreateMul(builder.CreateZExt(local->getArraySize(), i64),
                                 builder.getInt64(layout.getTypeAllocSize(
                                     local->getAllocatedType())));
    builder.CreateCall(getRuntime(runtime::accessLocal, {i32, i64, i64, i64}),
                       {builder.getInt32(site),
                        builder.CreatePtrToInt(address, i64),
                        builder.CreatePtrToInt(local, i64), available});
    return;
  }
  unsigned number = addSite(instruction);
  Site &site = result.sites[number];
  site.access = kind;
  site.bytes = bytes;
  site.alignment = alignment.value();
  site.space = getSpace(address);
  builder.CreateCall(
      getRuntime(runtime::access, {i32, i64}),
      {builder.getInt32(number), builder.CreatePtrToInt(address, i64)});
}

void Instrumenter::instrumentRange(llvm::Instruction &instruction,
                                   Value *address, Value *bytes,
                                   AccessKind kind) {
  IRBuilder<> builder(&instruction);
  unsigned number = addSite(instruction);
  result.sites[number].access = kind;
  result.sites[number].space = getSpace(address);
  builder.CreateCall(getRuntime(runtime::accessRange, {i32, i64, i64}),
                     {builder.getInt32(number),
                      builder.CreatePtrToInt(address, i64),
                      builder.CreateZExtOrTrunc(bytes, i64)});
}

/// A division by zero ends a process of the host.
void Instrumenter::instrumentDivision(BinaryOperator &division) {
  bool isSigned = division.getOpcode() == llvm::Instruction::SDiv ||
                  division.getOpcode() == llvm::Instruction::SRem;
  Value *divisor = division.getOperand(1);
  auto *constant = dyn_cast<ConstantInt>(divisor);
  if (constant && !constant->isZero() && !constant->isMinusOne())
    return;
  auto *type = dyn_cast<IntegerType>(division.getType());
  if (!type || type->getBitWidth() > 64)
    return;
  IRBuilder<> builder(&division);
  // The one quotient that overflows.
  Value *overflows = builder.getFalse();
  if (isSigned)
    overflows = builder.CreateAnd(
        builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)),
        builder.CreateICmpEQ(division.getOperand(0),
                             ConstantInt::get(type, APInt::getSignedMinValue(
                                                        type->getBitWidth()))));
  builder.CreateCall(getRuntime(runtime::divide, {i32, i64, i64}),
                     {builder.getInt32(addSite(division)),
                      builder.CreateZExt(divisor, i64),
                      builder.CreateZExt(overflows, i64)});
}

/// Branches on masks, in place of accesses under masks.
static void scalarizeMaskedAccesses(Function &function) {
  bool hasMasked = any_of(instructions(function), [](llvm::Instruction &each) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&each);
    return intrinsic &&
           is_contained({Intrinsic::masked_load, Intrinsic::masked_store,
                         Intrinsic::masked_gather, Intrinsic::masked_scatter},
                        intrinsic->getIntrinsicID());
  });
  if (!hasMasked)
    return;
  PassBuilder builder;
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  ScalarizeMaskedMemIntrinPass().run(function, analyses);
}

Error Instrumenter::instrumentFunction(Function &function) {
  scalarizeMaskedAccesses(function);
  SmallVector<llvm::Instruction *> work;
  unsigned slots = 1;
  for (llvm::Instruction &instruction : instructions(function)) {
    work.push_back(&instruction);
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      slots = std::max(slots, call->arg_size());
      if (auto *structure = dyn_cast<StructType>(call->getType()))
        slots = std::max(slots, structure->getNumElements());
    }
  }
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  SmallPtrSet<const BasicBlock *, 8> latches;
  for (auto [from, to] : backEdges)
    latches.insert(from);

  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Type *buffer = ArrayType::get(i64, slots);
  argumentBuffer = entry.CreateAlloca(buffer, nullptr, "emulator.arguments");
  resultBuffer = entry.CreateAlloca(buffer, nullptr, "emulator.results");

  callSites.clear();
  auto uses = findAccumulatorUses(function);
  SmallVector<unsigned> useSites;
  for (auto &[user, multiplies] : uses) {
    useSites.push_back(addSite(*user));
    IRBuilder<> builder(user);
    builder.CreateCall(getRuntime(runtime::useAccumulators, {i32}),
                       {builder.getInt32(useSites.back())});
  }

  for (llvm::Instruction *instruction : work) {
    IRBuilder<> builder(instruction);
    if (auto *load = dyn_cast<LoadInst>(instruction)) {
      instrumentAccess(*load, load->getPointerOperand(), load->getType(),
                       load->getAlign(), AccessKind::Read);
    } else if (auto *store = dyn_cast<StoreInst>(instruction)) {
      instrumentAccess(*store, store->getPointerOperand(),
                       store->getValueOperand()->getType(), store->getAlign(),
                       AccessKind::Write);
    } else if (auto *atomic = dyn_cast<AtomicRMWInst>(instruction)) {
      instrumentAccess(*atomic, atomic->getPointerOperand(), atomic->getType(),
                       atomic->getAlign(), AccessKind::Atomic);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(instruction)) {
      instrumentAccess(*exchange, exchange->getPointerOperand(),
                       exchange->getNewValOperand()->getType(),
                       exchange->getAlign(), AccessKind::Atomic);
    } else if (auto *call = dyn_cast<CallInst>(instruction)) {
      if (Error error = instrumentCall(*call))
        return error;
    } else if (auto *operation = dyn_cast<BinaryOperator>(instruction)) {
      if (operation->isIntDivRem())
        instrumentDivision(*operation);
    } else if (isa<UnreachableInst>(instruction)) {
      builder.CreateCall(getRuntime(runtime::trap, {i32}),
                         {builder.getInt32(addSite(*instruction))});
    } else if (instruction->isTerminator() &&
               latches.contains(instruction->getParent())) {
      builder.CreateCall(getRuntime(runtime::iterate, {i32}),
                         {builder.getInt32(addSite(*instruction))});
    }
  }
  // By now the multiplications have numbers.
  for (auto [use, site] : zip_equal(uses, useSites))
    for (CallInst *multiply : use.second)
      result.sites[site].multiplies.push_back(callSites.at(multiply));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Error Instrumenter::run() {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !function.isDeclaration())
      kernels.push_back(&function);
  if (kernels.empty())
    return createStringError(
        "expected a kernel (a function with the calling convention "
        "'ptx_kernel'), but the module has none");
  if (!module.getModuleInlineAsm().empty())
    return createStringError(
        "the emulator has no assembly outside of functions");
  if (Error error = checkRecursion(module))
    return error;
  dropLibdevice();
  retarget();
  if (Error error = placeSharedVariables(module, layout, result))
    return error;
  noteVariables();
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    if (Error error = instrumentFunction(*function))
      return error;
  for (Function *kernel : kernels)
    wrapKernel(*kernel, layout, result);
  result.stackBytes = estimateStack(module, layout);
  StripDebugInfo(module);
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return Error::success();
}

Expected<InstrumentedModule>
mlir::norm::emulator::instrumentModule(Module &module, const DataLayout &layout,
                                       const Triple &triple) {
  Instrumenter instrumenter(module, layout, triple);
  if (Error error = instrumenter.run())
    return std::move(error);
  return std::move(instrumenter.result);
}
