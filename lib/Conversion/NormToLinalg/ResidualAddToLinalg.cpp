//===- ResidualAddToLinalg.cpp - The residual add as linalg ---------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
struct ResidualAddToLinalg : public OpRewritePattern<ResidualAddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ResidualAddOp op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<FloatType>(op.getType().getElementType());
    AffineMap map = b.getMultiDimIdentityMap(op.getType().getRank());
    auto scaled = [&](ImplicitLocOpBuilder &b, Value value, APFloat scale) {
      if (scale.isExactlyValue(1.0))
        return value;
      Value factor = createConstant(b, type, scale.convertToDouble());
      return arith::MulFOp::create(b, value, factor).getResult();
    };
    rewriter.replaceOp(
        op, createElementwise(
                b, tensor::getMixedSizes(b, b.getLoc(), op.getSkip()), type,
                {{op.getSkip(), map}, {op.getBranch(), map}},
                [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                  Value skip = scaled(b, args[0], op.getResidualScale());
                  Value branch = scaled(b, args[1], op.getBranchScale());
                  return arith::AddFOp::create(b, skip, branch);
                }));
    return success();
  }
};
} // namespace

void norm::populateResidualAddToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<ResidualAddToLinalg>(patterns.getContext());
}
