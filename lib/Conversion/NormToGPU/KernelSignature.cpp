//===- KernelSignature.cpp - The arguments of a kernel --------------------===//

#include "KernelSignature.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

static Type argumentType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  return MemRefType::get({}, tensor.getElementType());
}

SmallVector<Type> kernel::argumentTypes(GroupPlan &plan) {
  norm::FusionOp fusion = plan.fusion;
  SmallVector<Type> types;
  for (Type type : fusion.getInputs().getTypes())
    types.push_back(argumentType(type));
  for (Type type : fusion.getResultTypes())
    types.push_back(argumentType(type));
  types.append(plan.extents.getSymbols().size(),
               IndexType::get(fusion.getContext()));
  return types;
}

KernelInputs kernel::inputsOf(KernelBuilder &b, GroupPlan &plan) {
  norm::FusionOp fusion = plan.fusion;
  KernelInputs inputs;
  unsigned inputCount = fusion.getInputs().size(),
           first = inputCount + fusion.getNumResults();
  for (unsigned i = 0; i < inputCount; ++i)
    inputs.values.push_back(b.argument(i));
  for (unsigned i = 0, e = plan.extents.getSymbols().size(); i < e; ++i)
    inputs.symbols.push_back(b.argument(first + i));
  inputs.symbols.push_back(b.index(0));
  return inputs;
}

SmallVector<Evaluator::Output> kernel::outputsOf(KernelBuilder &b,
                                                 GroupPlan &plan) {
  norm::FusionOp fusion = plan.fusion;
  SmallVector<Evaluator::Output> outputs;
  unsigned first = fusion.getInputs().size();
  for (auto [number, value] : llvm::enumerate(fusion.getYieldedValues()))
    outputs.push_back(
        {value, plan.results[number], b.argument(first + number)});
  return outputs;
}
