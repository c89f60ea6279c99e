//===- AttentionExpr.h - Attention seen as an expression --------*- C++ -*-===//
//
// Recognises softmax(softcap(scale * query key^T) + mask) value among tensor
// expressions, whatever the layouts of the tensors on the way.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_ATTENTIONEXPR_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_ATTENTIONEXPR_H

#include "mlir/IR/BuiltinTypes.h"
#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"

namespace mlir::norm {

/// A factor m / d. Kept as two numbers, so that what a program divides by and
/// multiplies with cancels exactly.
struct LogitFactor {
  double multiplier = 1.0, divisor = 1.0;

  LogitFactor operator*(const LogitFactor &other) const {
    return {multiplier * other.multiplier, divisor * other.divisor};
  }
};

/// One element of the result of an attention. All expressions are functions of
/// a position in the space of the result's dimensions, then `keyDim`, the
/// position in the sequence of keys, and `headDim`, that in a head.
struct AttentionExpr {
  unsigned keyDim, headDim;
  TensorExpr query, key, value;

  /// What the logits are multiplied with, before the soft cap if there is one.
  LogitFactor factor;
  TensorExpr learnedScale;
  std::optional<double> softcap;

  /// Added to the logits; or, if it is a condition, says which of them count
  /// (those that do not, if inverted).
  TensorExpr mask;
  bool isInvertedMask = false;
  /// Rows of which no key counts are zero.
  bool zeroMaskedRows = false;

  /// Tensors of the logits or of what is computed of them, one element for each
  /// row and key.
  SmallVector<TensorExpr> logits;
  /// The widest type in which logits and softmax are computed.
  FloatType widestType;

  bool hasConditionMask() const {
    return mask && mask.getElementType().isInteger(1);
  }
};

/// Matches `result`, a contraction of probabilities and values. The factors of
/// query and key are not looked for (see `getSources`). On failure `reason`
/// says what is missing, if the probabilities are a softmax; else it is empty.
std::optional<AttentionExpr> matchAttention(const TensorExpr &result,
                                            StringRef &reason);

/// A tensor that an operand of an attention can be read from.
struct AttentionSource {
  TensorExpr expr;
  /// The operand is this factor times what is read here.
  LogitFactor factor;
};

/// The tensors that `operand` is read from by moves and exact casts and, with
/// `allowFactor`, by multiplication with constants; nearest first.
SmallVector<AttentionSource> getSources(const TensorExpr &operand,
                                        bool allowFactor);

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_ATTENTIONEXPR_H
