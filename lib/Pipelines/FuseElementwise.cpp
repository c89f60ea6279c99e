//===- FuseElementwise.cpp - Fusion that computes nothing twice -----------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMFUSEELEMENTWISEPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// Whether computing an element of `producer` again costs no more than loading
/// it.
static bool isCheap(linalg::GenericOp producer) {
  int64_t count = 0;
  for (Operation &op : producer.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (!isa<arith::ArithDialect>(op.getDialect()) ||
        isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
            arith::RemSIOp, arith::RemUIOp>(op) ||
        ++count > 1)
      return false;
  }
  return true;
}

/// Whether the elements of `producer` are those of its input, or these in a
/// wider type.
static bool onlyMoves(linalg::GenericOp producer) {
  Value result = producer.getBody()->getTerminator()->getOperand(0);
  if (auto extension = result.getDefiningOp<arith::ExtFOp>())
    result = extension.getIn();
  return producer.getNumDpsInputs() == 1 &&
         result == producer.getBody()->getArgument(0);
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !producer->hasOneUse())
    return false;
  // A contraction stays one.
  if (linalg::isaContractionOpInterface(consumer))
    return onlyMoves(producer);
  return consumer.getMatchingIndexingMap(operand).isPermutation() ||
         isCheap(producer);
}

/// Whether `op` is a named transpose that only contractions read, or such a
/// contraction.
static bool isReadAsItLies(linalg::LinalgOp op) {
  auto isContraction = [](Operation *user) {
    return isa<linalg::ContractionOpInterface>(user);
  };
  if (isa<linalg::TransposeOp>(op))
    return op->hasOneUse() && llvm::all_of(op->getUsers(), isContraction);
  return isContraction(op) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           auto transpose = operand.getDefiningOp<linalg::TransposeOp>();
           return transpose && transpose->hasOneUse();
         });
}

namespace {
struct NormFuseElementwisePass
    : public norm::impl::NormFuseElementwisePassBase<NormFuseElementwisePass> {
  void runOnOperation() final {
    // Of these, what moves its elements is part of the map of an operand.
    SmallVector<linalg::LinalgOp> named;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isReadAsItLies(op))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::generalizeNamedOp(rewriter, op)))
        return signalPassFailure();
    }

    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
