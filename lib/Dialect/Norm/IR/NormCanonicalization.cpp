//===- NormCanonicalization.cpp - Canonicalizations of norms --------------===//
//
// Patterns that hold for every norm, written on the interface. All are bitwise,
// but for the sign of a zero to which a bias of +0 was added.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

/// Whether every element of `value` is the constant `number`.
static bool isSplat(Value value, double number) {
  DenseFPElementsAttr elements;
  return value && matchPattern(value, m_Constant(&elements)) &&
         elements.isSplat() &&
         elements.getSplatValue<APFloat>().isExactlyValue(number);
}

namespace {

/// Drops a scale of ones (with `unit_offset`: of zeros) and a bias of zeros.
struct DropNeutralParameters
    : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface op,
                                PatternRewriter &rewriter) const override {
    NormSpec spec(op);
    bool neutralScale = isSplat(spec.scale, spec.unitOffset ? 0.0 : 1.0);
    bool neutralBias = isSplat(spec.bias, 0.0);
    if (neutralScale) {
      // Rounding twice is rounding once where nothing happens in between; a
      // bias that stays would be added in between.
      if (spec.castBeforeScale && spec.bias && !neutralBias)
        neutralScale = false;
      else
        spec.unitOffset = spec.castBeforeScale = false;
    }
    if (!neutralScale && !neutralBias)
      return rewriter.notifyMatchFailure(op, "no neutral scale or bias");
    if (neutralScale)
      spec.scale = {};
    if (neutralBias)
      spec.bias = {};
    rewriter.replaceOp(op, spec.createLike(rewriter, op, op.getInput()));
    return success();
  }
};

/// Leaves out attributes that say what is so by default.
struct DropDefaultAttributes
    : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface op,
                                PatternRewriter &rewriter) const override {
    int64_t rank = op.getInput().getType().getRank();
    NormSpec spec(op);
    bool defaultAxes = op.getAxes() == ArrayRef<int64_t>{rank - 1};
    bool defaultDims =
        op.getScaleDims() &&
        *op.getScaleDims() == ArrayRef<int64_t>(op.getNormalizedAxes());
    Type inputType = op.getInput().getType().getElementType();
    bool defaultType =
        spec.computeType && (inputType.isF64() ? spec.computeType == inputType
                                               : spec.computeType.isF32());
    if (!defaultAxes && !defaultDims && !defaultType)
      return rewriter.notifyMatchFailure(op, "no attribute holds its default");
    rewriter.replaceOp(op, spec.createLike(rewriter, op, op.getInput()));
    return success();
  }
};

/// truncf(norm(extf(x))) is a norm of x computed in the wider type: the norm
/// converts its input to `compute_type` and rounds once at the end by itself.
struct FoldCastsIntoComputeType : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp truncOp,
                                PatternRewriter &rewriter) const override {
    auto op = truncOp.getIn().getDefiningOp<NormalizationOpInterface>();
    if (!op)
      return rewriter.notifyMatchFailure(truncOp, "not a cast of a norm");
    auto extOp = op.getInput().getDefiningOp<arith::ExtFOp>();
    if (!extOp || extOp.getIn().getType() != truncOp.getType())
      return rewriter.notifyMatchFailure(truncOp,
                                         "the norm's input is no cast from "
                                         "the type of the result");
    NormSpec spec(op);
    // The wide result must be the unrounded one, and only the cast may read it.
    if (!op->hasOneUse() || spec.castBeforeScale ||
        op.getStatisticsType() != op.getInput().getType().getElementType() ||
        truncOp.getRoundingmode())
      return rewriter.notifyMatchFailure(truncOp, "the norm rounds elsewhere");
    spec.computeType = op.getStatisticsType();
    rewriter.replaceOp(truncOp, spec.createLike(rewriter, op, extOp.getIn()));
    return success();
  }
};

} // namespace

/// Drops a scale of ones (with `unit_offset`: of zeros), column sums of ones
/// and a bias of zeros.
LogicalResult ApplyStatsOp::canonicalize(ApplyStatsOp op,
                                         PatternRewriter &rewriter) {
  bool neutralBias = isSplat(op.getBias(), 0.0);
  bool neutralSums = isSplat(op.getColumnSums(), 1.0);
  // As in DropNeutralParameters.
  bool neutralScale =
      isSplat(op.getScale(), op.getUnitOffset() ? 0.0 : 1.0) &&
      !(op.getCastBeforeScale() && op.getBias() && !neutralBias);
  if (!neutralScale && !neutralSums && !neutralBias)
    return rewriter.notifyMatchFailure(op, "no neutral parameter");
  rewriter.modifyOpInPlace(op, [&] {
    if (neutralScale) {
      op.getScaleMutable().clear();
      op.setUnitOffset(false);
      op.setCastBeforeScale(false);
    }
    if (neutralSums)
      op.getColumnSumsMutable().clear();
    if (neutralBias)
      op.getBiasMutable().clear();
  });
  return success();
}

void NormDialect::getCanonicalizationPatterns(
    RewritePatternSet &results) const {
  results.add<DropNeutralParameters, DropDefaultAttributes,
              FoldCastsIntoComputeType>(getContext());
}
