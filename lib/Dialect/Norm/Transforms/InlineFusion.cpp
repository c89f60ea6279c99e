//===- InlineFusion.cpp - Give back what a fusion was made of -------------===//

#include "mlir/IR/PatternMatch.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMINLINEFUSIONPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct NormInlineFusionPass
    : public norm::impl::NormInlineFusionPassBase<NormInlineFusionPass> {
  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](FusionOp fusion) { fusion.inlineBody(rewriter); });
  }
};
} // namespace
