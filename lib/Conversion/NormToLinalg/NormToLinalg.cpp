//===- NormToLinalg.cpp - The norm dialect as linalg ----------------------===//

#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

namespace mlir::norm {
#define GEN_PASS_DEF_CONVERTNORMTOLINALGPASS
#include "renorm/Conversion/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct ResidualAddLowering : public OpConversionPattern<ResidualAddOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ResidualAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    RankedTensorType type = op.getType();
    auto elementType = cast<FloatType>(type.getElementType());
    Location loc = op.getLoc();
    Value init = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, adaptor.getSkip()),
        elementType);
    SmallVector<AffineMap> maps(
        3, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto scaled = [&](OpBuilder &b, Value value, const APFloat &scale) {
      if (scale.isExactlyValue(1.0))
        return value;
      Value factor = arith::ConstantOp::create(
          b, loc, b.getFloatAttr(elementType, scale.convertToDouble()));
      return arith::MulFOp::create(b, loc, value, factor).getResult();
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, ValueRange{adaptor.getSkip(), adaptor.getBranch()}, init,
        maps, iterators, [&](OpBuilder &b, Location, ValueRange args) {
          Value sum = arith::AddFOp::create(
              b, loc, scaled(b, args[0], op.getResidualScale()),
              scaled(b, args[1], op.getBranchScale()));
          linalg::YieldOp::create(b, loc, sum);
        });
    return success();
  }
};

struct ConvertNormToLinalgPass
    : public norm::impl::ConvertNormToLinalgPassBase<ConvertNormToLinalgPass> {
  void runOnOperation() final {
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect,
                           math::MathDialect, tensor::TensorDialect>();
    target.addIllegalOp<ResidualAddOp>();
    RewritePatternSet patterns(&getContext());
    populateNormToLinalgPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void norm::populateNormToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<ResidualAddLowering>(patterns.getContext());
}
