//===- NormToLinalg.cpp - The norm dialect as linalg ----------------------===//

#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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

void norm::populateNormToLinalgPatterns(RewritePatternSet &patterns) {
  populateNormalizationToLinalgPatterns(patterns);
  populateStatsToLinalgPatterns(patterns);
  populateResidualAddToLinalgPatterns(patterns);
  populateAttentionToLinalgPatterns(patterns);
  populateProbeToLinalgPatterns(patterns);
}

namespace {
struct ConvertNormToLinalgPass
    : public norm::impl::ConvertNormToLinalgPassBase<ConvertNormToLinalgPass> {
  void runOnOperation() final {
    WalkResult declared = getOperation()->walk(
        [](ModuleOp module) { return WalkResult(declareProbes(module)); });
    if (declared.wasInterrupted())
      return signalPassFailure();

    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](FusionOp fusion) { fusion.inlineBody(rewriter); });

    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, func::FuncDialect,
                           linalg::LinalgDialect, math::MathDialect,
                           tensor::TensorDialect>();
    target.addIllegalDialect<NormDialect>();
    RewritePatternSet patterns(&getContext());
    populateNormToLinalgPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
