//===- PrepareWeights.cpp - Compute what depends on the weights alone once ===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMPREPAREWEIGHTSPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// The values of a function that are computed from parameters and constants.
class WeightValues {
public:
  explicit WeightValues(FunctionOpInterface function);

  /// Those that something else reads, and that are worth computing once.
  SmallVector<Value> findWorthPreparing();

private:
  bool isWeight(Value value) const { return weights.contains(value); }
  void add(Operation *op);

  /// In order. Each is no larger than what it is computed from.
  SetVector<Value> weights;
  /// The results of operations that read nothing but constants.
  llvm::DenseSet<Value> constants;
};
} // namespace

static int64_t getSizeInBits(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth();
}

static bool hasSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getElementType().isIntOrFloat();
}

/// Whether `op` gives its operand another shape, and computes nothing.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

void WeightValues::add(Operation *op) {
  bool isKnown = isMemoryEffectFree(op) && op->getNumResults() > 0;
  int64_t size = 0;
  auto visit = [&](Value operand) {
    if (isWeight(operand))
      size += getSizeInBits(operand.getType());
    else
      isKnown &= constants.contains(operand);
  };
  llvm::for_each(op->getOperands(), visit);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::for_each(captured, visit);
  if (!isKnown)
    return;
  if (size == 0)
    return constants.insert_range(op->getResults());
  for (Value result : op->getResults()) {
    if (!hasSize(result.getType()))
      return;
    size -= getSizeInBits(result.getType());
  }
  if (size >= 0)
    weights.insert_range(op->getResults());
}

WeightValues::WeightValues(FunctionOpInterface function) {
  for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
    if (hasSize(argument.getType()) &&
        (function.getArgAttr(index, kParamAttrName) ||
         function.getArgAttr(index, kPreparedAttrName)))
      weights.insert(argument);
  }
  for (Operation &op : function.getFunctionBody().front())
    add(&op);
}

SmallVector<Value> WeightValues::findWorthPreparing() {
  SetVector<Value> found;
  for (Value value : weights) {
    if (llvm::all_of(value.getUsers(), [&](Operation *user) {
          return user->getNumResults() > 0 && isWeight(user->getResult(0));
        }))
      continue;
    Operation *op = value.getDefiningOp();
    while (op && isView(op))
      op = (value = op->getOperand(0)).getDefiningOp();
    if (op && !constants.contains(value))
      found.insert(value);
  }
  return found.takeVector();
}

namespace {
struct NormPrepareWeightsPass
    : public norm::impl::NormPrepareWeightsPassBase<NormPrepareWeightsPass> {
  using NormPrepareWeightsPassBase::NormPrepareWeightsPassBase;

  void runOnOperation() final {
    for (FunctionOpInterface function : collectFunctions(getOperation())) {
      SmallVector<Value> weights = WeightValues(function).findWorthPreparing();
      std::string why;
      if (!weights.empty() &&
          failed(outlineWeightPreparation(function, weights, why)))
        emitRemark(function.getLoc()) << "weights not prepared: " << why;
    }
  }
};
} // namespace
