//===- Kernels.cpp - How the host calls a kernel --------------------------===//

#include "Instrument.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mlir::norm::emulator;

static std::optional<uint64_t> readProduct(const Function &function,
                                           StringRef attribute) {
  if (!function.hasFnAttribute(attribute))
    return std::nullopt;
  uint64_t product = 1;
  SmallVector<StringRef> parts;
  function.getFnAttribute(attribute).getValueAsString().split(parts, ',');
  for (StringRef part : parts) {
    uint64_t extent;
    if (part.trim().getAsInteger(10, extent))
      return std::nullopt;
    product *= extent;
  }
  return product;
}

void mlir::norm::emulator::wrapKernel(Function &function,
                                      const DataLayout &layout,
                                      InstrumentedModule &result) {
  LLVMContext &context = function.getContext();
  Type *nothing = Type::getVoidTy(context);
  PointerType *pointer = PointerType::get(context, 0);
  KernelSignature signature = {function.getName().str(), {}};
  result.limits[signature.name] = {readProduct(function, "nvvm.maxntid"),
                                   readProduct(function, "nvvm.reqntid")};
  auto *wrapper =
      Function::Create(FunctionType::get(nothing, {pointer}, false),
                       GlobalValue::ExternalLinkage,
                       "renorm_kernel." + signature.name, function.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "", wrapper));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args()) {
    Value *place = builder.CreateLoad(
        pointer, builder.CreateConstInBoundsGEP1_32(pointer, wrapper->getArg(0),
                                                    argument.getArgNo()));
    bool isInMemory = argument.hasByValAttr();
    Type *type = isInMemory ? argument.getParamByValType() : argument.getType();
    arguments.push_back(
        isInMemory ? builder.CreateAddrSpaceCast(place, argument.getType())
                   : builder.CreateLoad(type, place));
    std::string text;
    raw_string_ostream(text) << *type;
    signature.parameters.push_back(
        {text, layout.getTypeAllocSize(type), type->isPointerTy()});
  }
  function.setAttributes({});
  function.setCallingConv(CallingConv::C);
  builder.CreateCall(&function, arguments);
  builder.CreateRetVoid();
  result.kernels.push_back(std::move(signature));
}

Error mlir::norm::emulator::checkRecursion(Module &module) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      if (Function *function = component->front()->getFunction())
        return createStringError("the emulator has no recursion, as of '" +
                                 function->getName() + "'");
  return Error::success();
}

// Every value may be kept in memory, by every function of a chain of calls.
uint64_t mlir::norm::emulator::estimateStack(const Module &module,
                                             const DataLayout &layout) {
  uint64_t bytes = 0;
  for (const Function &function : module)
    for (const llvm::Instruction &instruction : instructions(function)) {
      Type *type = instruction.getType();
      if (type->isSized())
        bytes += layout.getTypeAllocSize(type) + 8;
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        if (auto size = local->getAllocationSize(layout))
          bytes += size->getFixedValue();
    }
  return bytes;
}
