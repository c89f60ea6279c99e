//===- ElementwiseOp.cpp - Additions and multiplications of tensors -------===//

#include "ElementwiseOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "renorm/Analysis/BranchSlice.h"

using namespace mlir;
using namespace mlir::norm;

ArrayRef<int64_t> norm::getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

int64_t norm::getLoopOf(AffineMap map, int64_t result) {
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(result));
  return dim ? static_cast<int64_t>(dim.getPosition()) : -1;
}

/// The two arguments of a body that does nothing but combine them by `OpTy`.
template <typename OpTy>
static bool combinesArguments(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  auto combined = body.getTerminator()->getOperand(0).getDefiningOp<OpTy>();
  if (!combined || combined->getBlock() != &body ||
      !llvm::hasNItems(body.without_terminator(), 1))
    return false;
  Value lhs = combined->getOperand(0), rhs = combined->getOperand(1);
  Value first = op.getMatchingBlockArgument(op.getDpsInputOperand(0));
  Value second = op.getMatchingBlockArgument(op.getDpsInputOperand(1));
  return (lhs == first && rhs == second) || (lhs == second && rhs == first);
}

template <typename OpTy>
static std::optional<ElementwiseOp> matchElementwise(Operation *op) {
  ElementwiseOp result;
  if (auto onTensors = dyn_cast<OpTy>(op)) {
    if (!isa<RankedTensorType>(op->getResult(0).getType()))
      return std::nullopt;
    for (unsigned index : {0, 1}) {
      result.operands[index] = &op->getOpOperand(index);
      llvm::append_range(
          result.dims[index],
          llvm::seq<int64_t>(0, getShape(op->getResult(0)).size()));
    }
    return result;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      linalgOp.getNumLoops() != linalgOp.getNumParallelLoops() ||
      !combinesArguments<OpTy>(linalgOp))
    return std::nullopt;
  AffineMap resultMap =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  if (!resultMap.isPermutation())
    return std::nullopt;
  for (unsigned index : {0, 1}) {
    OpOperand *operand = linalgOp.getDpsInputOperand(index);
    AffineMap map = linalgOp.getMatchingIndexingMap(operand);
    if (!isa<RankedTensorType>(operand->get().getType()) ||
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
    result.operands[index] = operand;
    for (AffineExpr loop : resultMap.getResults()) {
      std::optional<unsigned> position = map.getResultPosition(loop);
      result.dims[index].push_back(position ? static_cast<int64_t>(*position)
                                            : -1);
    }
  }
  return result;
}

std::optional<ElementwiseOp> norm::matchAdd(Operation *op) {
  return matchElementwise<arith::AddFOp>(op);
}

std::optional<ElementwiseOp> norm::matchMul(Operation *op) {
  return matchElementwise<arith::MulFOp>(op);
}

bool norm::isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs().front(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

OpOperand *norm::getOnlyUse(Value value) {
  OpOperand *only = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (readsShapeOnly(use))
      continue;
    if (only)
      return nullptr;
    only = &use;
  }
  return only;
}
