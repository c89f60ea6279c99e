//===- NormalizationToLinalg.cpp - Norms as linalg ------------------------===//

#include "Normalization.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
struct NormalizationToLinalg
    : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Normalization norm(b, op.getInput(), op.getNormKind(),
                       op.getNormalizedAxes(), op.getStatisticsType());
    auto [center, squares] = norm.moments();
    Value normalizer = norm.rootOfSquares(
        squares, op.getEpsilon().convertToDouble(), op.getEpsilonMode());
    SmallVector<int64_t> scaleDims = op.getScaleDimensions();
    rewriter.replaceOp(
        op, norm.result(
                center, normalizer,
                {/*columnSums=*/{}, op.getScale(), op.getBias(), scaleDims,
                 op.getUnitOffset(), op.getCastBeforeScale()},
                cast<FloatType>(op.getResult().getType().getElementType())));
    return success();
  }
};
} // namespace

void norm::populateNormalizationToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<NormalizationToLinalg>(patterns.getContext());
}
