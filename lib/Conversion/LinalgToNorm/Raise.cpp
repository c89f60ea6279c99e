//===- Raise.cpp - From tensor IR to the norm dialect ---------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Conversion/LinalgToNorm/LinalgToNorm.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMRAISEPASS
#include "renorm/Conversion/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {

struct NormRaisePass : norm::impl::NormRaisePassBase<NormRaisePass> {
  using NormRaisePassBase::NormRaisePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    populateRaiseNormPatterns(owned);
    populateRaiseAttentionPatterns(owned);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    // What isn't raised stays as it is.
    GreedyRewriteConfig config;
    config.enableFolding(false)
        .enableConstantCSE(false)
        .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .setUseTopDownTraversal(false);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    raiseResidualAdds(rewriter, getOperation());
    if (remarks)
      explain();
  }

private:
  /// One remark for each operation that divides by a statistic without being
  /// part of a norm, or multiplies a softmax without being an attention.
  void explain() {
    llvm::SmallPtrSet<Operation *, 8> explained;
    getOperation()->walk([&](Operation *op) {
      explainUnraisedAttention(op, [&](const Twine &why) {
        op->emitRemark() << "not raised to attention: " << why;
      });
      for (Value result : op->getResults())
        explainUnraisedNorm(
            result, [&](Operation *normalizer, const Twine &why) {
              if (explained.insert(normalizer).second)
                normalizer->emitRemark() << "not raised to a norm: " << why;
            });
    });
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
