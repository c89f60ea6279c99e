//===- LinalgToNorm.h - Raising tensor IR to the norm dialect ---*- C++ -*-===//
//
// Finds norms, attention and residual additions in IR on tensors that other
// tools wrote (linalg, arith, math, tensor, tosa).
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_CONVERSION_LINALGTONORM_LINALGTONORM_H
#define RENORM_CONVERSION_LINALGTONORM_LINALGTONORM_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class RewriterBase;

namespace norm {

#define GEN_PASS_DECL_NORMRAISEPASS
#include "renorm/Conversion/Passes.h.inc"

/// Patterns that replace the last value of a layer, RMS or L2 norm by the norm.
/// Of a norm with and without its scale or bias, the one that is tried first
/// matches: apply them bottom up (the default of the greedy driver) to get the
/// largest.
void populateRaiseNormPatterns(RewritePatternSet &patterns);

/// If `value` is almost a norm (it divides by a root of a statistic of
/// something), calls `report` with the operation that computes the divisor and
/// why this is none.
void explainUnraisedNorm(
    Value value,
    llvm::function_ref<void(Operation *normalizer, const Twine &why)> report);

/// Patterns that replace the last value of an attention by `norm.attention`.
void populateRaiseAttentionPatterns(RewritePatternSet &patterns);

/// If `op` is almost the last operation of an attention (it multiplies a
/// softmax with something), calls `report` with why it is not.
void explainUnraisedAttention(
    Operation *op, llvm::function_ref<void(const Twine &why)> report);

/// Replaces the residual additions in the blocks of `root` by
/// `norm.residual_add`, in order. Norms and attention should have been raised.
void raiseResidualAdds(RewriterBase &rewriter, Operation *root);

} // namespace norm
} // namespace mlir

#endif // RENORM_CONVERSION_LINALGTONORM_LINALGTONORM_H
