//===- Statistics.h - Means, variances and what divides by them -*- C++ -*-===//
//
// The part of a norm that doesn't depend on how its result is put together.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_STATISTICS_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_STATISTICS_H

#include "renorm/Conversion/LinalgToNorm/ExprMatchers.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

namespace mlir::norm {

/// `expr` without moves and exact casts: where its element comes from.
TensorExpr getLeaf(const TensorExpr &expr);

/// `expr` without the (few) casts around it; appends the type before each.
TensorExpr skipCasts(const TensorExpr &expr, SmallVectorImpl<Type> &types);

/// Whether `reduced`, an expression in the space of a reduction over `dims`,
/// runs over the same elements as `expr` (in the space that the reduction's was
/// made from) along some of its dimensions. Sets `axes` to the dimension that
/// each of `dims` stands for, but for those of extent 1.
bool runsAlong(const TensorExpr &reduced, ArrayRef<unsigned> dims,
               const TensorExpr &expr, SmallVectorImpl<int64_t> &axes);

/// A sum or mean: `operand` reduced over `dims` of its space.
struct Reduction {
  TensorExpr operand;
  SmallVector<unsigned> dims;
  bool isMean = false;
};

/// Reads `expr` as a mean: a sum over N, times 1/N, ... with N the product of
/// the reduced extents. Appends the types that it is computed in.
std::optional<Reduction> matchMean(const TensorExpr &expr,
                                   SmallVectorImpl<Type> &types);

/// `expr` as x - mean(x): sets `axes` to the dimensions of its space that the
/// mean runs over and gives x.
std::optional<TensorExpr> matchCentered(const TensorExpr &expr,
                                        SmallVectorImpl<int64_t> &axes,
                                        SmallVectorImpl<Type> &types);

/// What a norm divides by.
struct Normalizer {
  /// The expression that was matched: what is divided by, or (if `isInverse`)
  /// multiplied with.
  TensorExpr expr;
  bool isInverse = false;

  NormKind kind;
  double epsilon = 0.0;
  EpsilonMode epsilonMode = EpsilonMode::Inside;
  /// What is normalized, in the space of the statistic, and the dimensions of
  /// that space that the statistic runs over.
  TensorExpr input;
  SmallVector<unsigned> dims;
  /// The types that statistic and root are computed in.
  SmallVector<Type> types;
};

/// Reads `expr` as a normalizer (or, with `isInverse`, as one over it). If it
/// is the root of something that isn't a norm's statistic, says why in
/// `reason`.
std::optional<Normalizer> matchNormalizer(const TensorExpr &expr,
                                          bool isInverse, std::string *reason);

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_STATISTICS_H
