//===- ExtractedElement.cpp - Elements read by tensor.extract -------------===//

#include "ExtractedElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::norm;

/// The number of elements of the dynamic dimension `dim` of `tensor`, if the
/// operation that makes the tensor was given it.
static Value getSize(Value tensor, int64_t dim) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(result.getOwner()))
      return empty.getDynamicSize(dim);
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op)
      return {};
    tensor = op.getTiedOpOperand(result)->get();
  }
  return {};
}

/// Whether `lhs` and `rhs` are one value, or a cf.assert before `user` says
/// that they are equal.
static bool areEqual(Value lhs, Value rhs, Operation *user) {
  if (!lhs || !rhs)
    return false;
  if (lhs == rhs)
    return true;
  return llvm::any_of(lhs.getUsers(), [&](Operation *op) {
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
        !llvm::is_contained(compare.getOperands(), rhs))
      return false;
    return llvm::any_of(compare->getUsers(), [&](Operation *op) {
      return isa<cf::AssertOp>(op) && op->getBlock() == user->getBlock() &&
             op->isBeforeInBlock(user);
    });
  });
}

/// The number of iterations of the dynamic loop `loop`.
static Value getLoopSize(linalg::LinalgOp op, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> dim =
      map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  return dim ? getSize(op.getDpsInitOperand(0)->get(), *dim) : Value();
}

/// `index` of the body of `op` as an affine function of the loops.
static FailureOr<AffineExpr> getAffineIndex(Value index, linalg::LinalgOp op) {
  MLIRContext *context = op.getContext();
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant)))
    return getAffineConstantExpr(constant.getInt(), context);
  if (index.getParentBlock() != op.getBlock())
    return failure();
  if (auto indexOp = index.getDefiningOp<linalg::IndexOp>())
    return getAffineDimExpr(indexOp.getDim(), context);
  if (auto addOp = index.getDefiningOp<arith::AddIOp>()) {
    FailureOr<AffineExpr> lhs = getAffineIndex(addOp.getLhs(), op);
    FailureOr<AffineExpr> rhs = getAffineIndex(addOp.getRhs(), op);
    if (failed(lhs) || failed(rhs))
      return failure();
    return *lhs + *rhs;
  }
  // extent == 1 ? 0 : loop
  if (auto select = index.getDefiningOp<arith::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
        !matchPattern(compare.getRhs(), m_One()) ||
        !matchPattern(select.getTrueValue(), m_Zero()))
      return failure();
    FailureOr<AffineExpr> loop = getAffineIndex(select.getFalseValue(), op);
    if (failed(loop) || !isa<AffineDimExpr>(*loop) ||
        !areEqual(compare.getLhs(),
                  getLoopSize(op, cast<AffineDimExpr>(*loop).getPosition()),
                  op))
      return failure();
    return loop;
  }
  return failure();
}

FailureOr<SmallVector<AffineExpr, 4>>
norm::getExtractedIndices(tensor::ExtractOp extract, linalg::LinalgOp op,
                          ArrayRef<AffineExpr> loops) {
  Value tensor = extract.getTensor();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || tensor.getParentBlock() == op.getBlock())
    return failure();
  SmallVector<AffineExpr, 4> indices;
  for (auto [dim, value] : llvm::enumerate(extract.getIndices())) {
    FailureOr<AffineExpr> index = getAffineIndex(value, op);
    if (failed(index))
      return failure();
    auto loop = dyn_cast<AffineDimExpr>(*index);
    if (type.isDynamicDim(dim) &&
        (!loop || !areEqual(getSize(tensor, dim),
                            getLoopSize(op, loop.getPosition()), op)))
      return failure();
    indices.push_back(index->replaceDims(loops));
  }
  return indices;
}
