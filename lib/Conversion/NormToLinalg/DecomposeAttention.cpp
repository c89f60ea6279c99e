//===- DecomposeAttention.cpp - Attention for kernels ---------------------===//

#include "Attention.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMDECOMPOSEATTENTIONPASS
#include "renorm/Conversion/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// Why no kernels would be made of `op`; empty if they are.
static std::string findRefusal(AttentionOp op) {
  if (op.getSoftmaxType().isF64() ||
      op.getQuery().getType().getElementType().isF64())
    return "it is computed in f64";
  ArrayRef<int64_t> key = op.getKey().getType().getShape().take_back(3);
  if (ShapedType::isDynamic(op.getHeads()) || ShapedType::isDynamic(key[0]))
    return "the number of heads is dynamic";
  if (ShapedType::isDynamic(key[1]))
    return "the number of keys is dynamic";
  if (ShapedType::isDynamic(op.getHeadDim()) || ShapedType::isDynamic(key[2]) ||
      ShapedType::isDynamic(op.getValue().getType().getShape().back()))
    return "the width of a head is dynamic";
  return "";
}

namespace {
struct NormDecomposeAttentionPass
    : public norm::impl::NormDecomposeAttentionPassBase<
          NormDecomposeAttentionPass> {
  void runOnOperation() final {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      std::string why = findRefusal(op);
      if (!why.empty()) {
        emitRemark(op.getLoc()) << "the attention is not decomposed: " << why;
        continue;
      }
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      Attention attention(b, op);
      Attention::Weights weights = attention.weights(attention.logits());
      rewriter.replaceOp(
          op, attention.weightedValues(weights.exponentials, weights.factors));
    }
  }
};
} // namespace
