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

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !producer->hasOneUse())
    return false;
  return consumer.getMatchingIndexingMap(operand).isPermutation() ||
         isCheap(producer);
}

namespace {
struct NormFuseElementwisePass
    : public norm::impl::NormFuseElementwisePassBase<NormFuseElementwisePass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
