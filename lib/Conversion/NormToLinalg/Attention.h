//===- Attention.h - The steps of an attention ------------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOLINALG_ATTENTION_H
#define RENORM_LIB_CONVERSION_NORMTOLINALG_ATTENTION_H

#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Support/Structured.h"

namespace mlir::norm {

/// What the steps of one lowering share.
///
/// Where the heads of the query are not known to be those of the key, the
/// dimension of the heads is split into [kv_heads, group] in every operand that
/// has the query's heads. Then query and logits have the leading dimensions
/// [batch..., kv_heads, group] and key and value [batch..., kv_heads], the
/// operands stay where they are in memory, and no key is repeated.
struct Attention {
  Attention(ImplicitLocOpBuilder &b, AttentionOp op);

  /// scale * query key^T with softcap and masks.
  Value logits();
  /// The softmax of `logits` along the keys.
  Value softmax(Value logits);

  /// The same before it is normalized: exponentials, rounded to the type of the
  /// value, and for each row what normalizes them, one by their sum.
  struct Weights {
    Value exponentials, factors;
  };
  Weights weights(Value logits);

  /// weights value, each row multiplied by its factor, if there are `factors`;
  /// rounded to the type of the result.
  Value weightedValues(Value weights, Value factors = {});

private:
  SmallVector<int64_t> upTo(int64_t count) const {
    return llvm::to_vector(llvm::seq<int64_t>(count));
  }
  /// Dimensions of the key or value in an iteration space that begins with the
  /// leading dimensions: batch, kv_heads, then `first` and `second`.
  AffineMap keyMap(int64_t rank, int64_t first, int64_t second) {
    SmallVector<int64_t> dims = upTo(batchRank + 1);
    dims.append({first, second});
    return selectDims(b, rank, dims);
  }

  Value splitHeads(Value tensor, int64_t dim);
  void addLogitScale(SmallVectorImpl<Operand> &inputs, Value &scalar);
  void addMask(SmallVectorImpl<Operand> &inputs);
  Value loadMask(ImplicitLocOpBuilder &b);
  Value isVisible(ImplicitLocOpBuilder &b);
  /// Of each row, the largest logit.
  Value maxima(Value logits);
  /// Whether the row of this maximum is one without keys, which gives zeros.
  Value isEmpty(ImplicitLocOpBuilder &b, Value maximum);
  /// exp(logits - maximum), rounded to `rounded`.
  Value exponentials(Value logits, Value maxima, FloatType rounded);
  Value sums(Value exponentials);
  SmallVector<OpFoldResult> logitSizes() {
    SmallVector<OpFoldResult> sizes = rowSizes;
    sizes.push_back(keys);
    return sizes;
  }
  AffineMap logitMap() { return b.getMultiDimIdentityMap(keyDim + 1); }
  AffineMap rowMap() { return selectDims(b, keyDim + 1, upTo(rowDim + 1)); }

  ImplicitLocOpBuilder &b;
  AttentionOp op;
  FloatType type;
  int64_t batchRank;
  /// Whether heads are split, and by what.
  bool isGrouped;
  int64_t staticGroup = ShapedType::kDynamic;
  OpFoldResult keyValueHeads, group;
  Value query;
  /// Leading dimensions of the query, then its rows; the keys.
  SmallVector<OpFoldResult> rowSizes;
  OpFoldResult keys;
  /// Dimensions of the logits' iteration space.
  int64_t rowDim, keyDim;
  /// Extents of the mask, where it has to be read element by element.
  SmallVector<OpFoldResult> maskSizes;
};

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_NORMTOLINALG_ATTENTION_H
