//===- Normalization.h - The steps of a norm as linalg ----------*- C++ -*-===//
//
// What the lowerings of norms and of their halves share.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOLINALG_NORMALIZATION_H
#define RENORM_LIB_CONVERSION_NORMTOLINALG_NORMALIZATION_H

#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Support/Structured.h"

namespace mlir::norm {

/// The root of the scalar `power`, with epsilon where `mode` says.
Value createRoot(ImplicitLocOpBuilder &b, Value power, Value epsilon,
                 EpsilonMode mode);

/// One value that is normalized. Its dimensions are the iteration space;
/// statistics are tensors of those that are not in `axes`.
class Normalization {
public:
  /// `type` is that of the statistics.
  Normalization(ImplicitLocOpBuilder &b, TypedValue<RankedTensorType> input,
                NormKind kind, ArrayRef<int64_t> axes, FloatType type);

  /// What a norm takes of its input.
  struct Moments {
    /// The mean, as a list of statistics whose sum it is; empty for a kind that
    /// does not center.
    SmallVector<Value, 2> center;
    /// The sum of squares of the centered input.
    Value squares;
  };

  /// The mean of values far from zero, rounded to its last place, can be off by
  /// more than their deviation. The mean of what is left after subtracting it
  /// holds the digits that were lost. The squares are summed in the same pass,
  /// of what is left: that they are of deviations from a mean not quite right
  /// is corrected (Chan, Golub and LeVeque, "Algorithms for Computing the
  /// Sample Variance" (1983): the corrected two-pass algorithm). In 16 bits
  /// the correction would cost digits, and the squares take a pass of their
  /// own.
  Moments moments();

  /// What a norm takes the root of, from `squares`: their mean, or for the kind
  /// l2 themselves.
  Value power(Value squares);

  /// A function of the elements of `statistics`, as a new statistic.
  Value mapStatistics(ArrayRef<Value> statistics, Body body);

  /// The root of `power`, with epsilon where the mode says.
  Value root(Value power, double epsilon, EpsilonMode mode);
  /// The same of `power(squares)`, in one operation.
  Value rootOfSquares(Value squares, double epsilon, EpsilonMode mode);

  /// What a norm does after it has its statistics.
  struct Affine {
    Value columnSums, scale, bias;
    ArrayRef<int64_t> scaleDims;
    bool unitOffset, castBeforeScale;
  };

  /// (input - center * column sums) / normalizer * scale + bias, rounded once
  /// to `resultType`.
  Value result(ArrayRef<Value> center, Value normalizer, const Affine &affine,
               FloatType resultType);

private:
  Operand statistic(Value tensor) const { return {tensor, statisticMap}; }

  /// The sums along the axes of `count` terms, functions of the input,
  /// converted to the type of the statistics, and of the elements of
  /// `statistics`.
  SmallVector<Value> sums(ArrayRef<Value> statistics, unsigned count,
                          BodyOfSeveral terms);

  /// The element `sum` divided by the number of elements that were added.
  Value divideByCount(ImplicitLocOpBuilder &b, Value sum);
  /// The same for all elements of a statistic.
  Value mean(Value sum);

  ImplicitLocOpBuilder &b;
  NormKind kind;
  FloatType type, countType;
  SmallVector<OpFoldResult> sizes, statisticSizes;
  Operand input;
  AffineMap statisticMap;
  /// The number of elements along the axes; null for the kind l2.
  Value count;
};

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_NORMTOLINALG_NORMALIZATION_H
