//===- OrderLoops.cpp - Innermost loops that walk through memory ----------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMORDERLOOPSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// The number of operands that do not lie at consecutive addresses along
/// `loop`, as far as the order of dimensions tells.
static int64_t countStrided(linalg::GenericOp op, unsigned loop) {
  return llvm::count_if(op.getIndexingMapsArray(), [&](AffineMap map) {
    if (!map.isFunctionOfDim(loop))
      return false;
    AffineExpr last = map.getResults().back();
    return last != getAffineDimExpr(loop, map.getContext()) ||
           llvm::any_of(map.getResults().drop_back(), [&](AffineExpr expr) {
             return expr.isFunctionOfDim(loop);
           });
  });
}

namespace {
struct NormOrderLoopsPass
    : public norm::impl::NormOrderLoopsPassBase<NormOrderLoopsPass> {
  void runOnOperation() final {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops) {
      unsigned loops = op.getNumLoops();
      if (loops < 2 || op.getNumReductionLoops() > 1)
        continue;
      unsigned innermost = loops - 1;
      for (unsigned loop = loops - 1; loop-- > 0;)
        if (countStrided(op, loop) < countStrided(op, innermost))
          innermost = loop;
      if (innermost == loops - 1)
        continue;
      SmallVector<unsigned> order;
      for (unsigned loop = 0; loop < loops; ++loop)
        if (loop != innermost)
          order.push_back(loop);
      order.push_back(innermost);
      rewriter.setInsertionPoint(op);
      if (failed(linalg::interchangeGenericOp(rewriter, op, order)))
        return signalPassFailure();
    }
  }
};
} // namespace
