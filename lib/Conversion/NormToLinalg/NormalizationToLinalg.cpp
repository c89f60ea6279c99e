//===- NormalizationToLinalg.cpp - Norms as linalg ------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
/// What the steps of one lowering share. The iteration space is that of the
/// input; statistics have its dimensions that are not normalized.
struct Normalization {
  Normalization(ImplicitLocOpBuilder &b, NormalizationOpInterface op)
      : b(b), op(op), type(op.getStatisticsType()),
        sizes(tensor::getMixedSizes(b, b.getLoc(), op.getInput())) {
    int64_t rank = sizes.size();
    SmallVector<int64_t> axes = op.getNormalizedAxes(), kept;
    SmallVector<OpFoldResult> axisSizes;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (llvm::is_contained(axes, dim)) {
        axisSizes.push_back(sizes[dim]);
        continue;
      }
      kept.push_back(dim);
      statisticSizes.push_back(sizes[dim]);
    }
    input = {op.getInput(), b.getMultiDimIdentityMap(rank)};
    statisticMap = selectDims(b, rank, kept);
    // Where the statistics are in f16 or bf16, their division by the count is
    // in f32, which holds every count exactly.
    countType = type.isF64() ? type : cast<FloatType>(b.getF32Type());
    if (op.getNormKind() != NormKind::L2)
      count = createCount(b, axisSizes, countType);
  }

  Operand statistic(Value tensor) const { return {tensor, statisticMap}; }

  /// The sum along the axes of `term`, a function of the input, converted to
  /// the type of the statistics, and of the elements of `statistics`.
  Value sum(ArrayRef<Value> statistics, Body term) {
    SmallVector<Operand> inputs = {input};
    for (Value tensor : statistics)
      inputs.push_back(statistic(tensor));
    Value zero = createFilled(b, statisticSizes, type, 0.0);
    return createGeneric(
        b, inputs, statistic(zero),
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          SmallVector<Value> values(args.drop_back());
          values.front() = convertFloat(b, values.front(), type);
          return arith::AddFOp::create(b, args.back(), term(b, values),
                                       kReductionFlags);
        });
  }

  /// A function of the elements of `statistics`, as a new statistic.
  Value mapStatistic(Value tensor, Body body) {
    AffineMap map = b.getMultiDimIdentityMap(statisticSizes.size());
    return createElementwise(b, statisticSizes, type, {{tensor, map}}, body);
  }

  /// The element `sum` divided by the number of elements that were added.
  Value divideByCount(ImplicitLocOpBuilder &b, Value sum) {
    Value wide = convertFloat(b, sum, countType);
    return convertFloat(b, arith::DivFOp::create(b, wide, count), type);
  }

  Value mean(Value sum) {
    return mapStatistic(sum, [&](ImplicitLocOpBuilder &b, ValueRange args) {
      return divideByCount(b, args[0]);
    });
  }

  /// The mean of the input, as a list of statistics whose sum it is; empty for
  /// a kind that does not center.
  ///
  /// The mean of values far from zero, rounded to its last place, can be off by
  /// more than their deviation. The mean of what is left after subtracting it
  /// holds the digits that were lost.
  SmallVector<Value, 2> center() {
    if (op.getNormKind() != NormKind::Layer)
      return {};
    Value high = mean(sum(
        {}, [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; }));
    Value low =
        mean(sum({high}, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::SubFOp::create(b, args[0], args[1]);
        }));
    return {high, low};
  }

  /// What the centered input is divided by.
  Value normalizer(ArrayRef<Value> center) {
    Value power =
        sum(center, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value deviation = subtract(b, args[0], args.drop_front());
          return arith::MulFOp::create(b, deviation, deviation,
                                       kReductionFlags);
        });
    return mapStatistic(
        power, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value power = count ? divideByCount(b, args[0]) : args[0];
          return root(b, power);
        });
  }

  /// The square root of `power`, with epsilon where the mode says.
  Value root(ImplicitLocOpBuilder &b, Value power) {
    Value epsilon = createConstant(b, type, op.getEpsilon().convertToDouble());
    switch (op.getEpsilonMode()) {
    case EpsilonMode::Inside:
      return math::SqrtOp::create(b, arith::AddFOp::create(b, power, epsilon));
    case EpsilonMode::Outside:
      return arith::AddFOp::create(b, math::SqrtOp::create(b, power), epsilon);
    case EpsilonMode::Clamp:
      return arith::MaximumFOp::create(b, math::SqrtOp::create(b, power),
                                       epsilon);
    case EpsilonMode::ClampInside:
      return math::SqrtOp::create(b,
                                  arith::MaximumFOp::create(b, power, epsilon));
    }
    llvm_unreachable("unknown epsilon mode");
  }

  /// (input - center) / normalizer * scale + bias, rounded to the input's type.
  Value result(ArrayRef<Value> center, Value normalizer) {
    auto inputType = cast<FloatType>(op.getInput().getType().getElementType());
    Value scale = op.getScale(), bias = op.getBias();
    SmallVector<Operand> inputs = {input};
    for (Value tensor : center)
      inputs.push_back(statistic(tensor));
    inputs.push_back(statistic(normalizer));
    for (Value parameter : {scale, bias})
      if (parameter)
        inputs.push_back(this->parameter(parameter));

    return createElementwise(
        b, sizes, inputType, inputs,
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value value = convertFloat(b, args[0], type);
          value = subtract(b, value, args.slice(1, center.size()));
          args = args.drop_front(1 + center.size());
          value = arith::DivFOp::create(b, value, args[0]);
          args = args.drop_front();
          if (op.getCastBeforeScale())
            value = convertFloat(b, convertFloat(b, value, inputType), type);
          if (scale) {
            Value factor = convertFloat(b, args[0], type);
            if (op.getUnitOffset())
              factor = arith::AddFOp::create(b, createConstant(b, type, 1.0),
                                             factor);
            value = arith::MulFOp::create(b, value, factor);
            args = args.drop_front();
          }
          if (bias)
            value =
                arith::AddFOp::create(b, value, convertFloat(b, args[0], type));
          return convertFloat(b, value, inputType);
        });
  }

private:
  static Value subtract(ImplicitLocOpBuilder &b, Value value,
                        ValueRange center) {
    for (Value part : center)
      value = arith::SubFOp::create(b, value, part);
    return value;
  }

  Operand parameter(Value tensor) {
    bool isScalar = cast<RankedTensorType>(tensor.getType()).getRank() == 0;
    return {tensor, selectDims(b, sizes.size(),
                               isScalar ? SmallVector<int64_t>()
                                        : op.getScaleDimensions())};
  }

  ImplicitLocOpBuilder &b;
  NormalizationOpInterface op;
  FloatType type, countType;
  SmallVector<OpFoldResult> sizes, statisticSizes;
  Operand input;
  AffineMap statisticMap;
  /// The number of elements along the axes; null for a kind that needs none.
  Value count;
};

struct NormalizationToLinalg
    : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Normalization norm(b, op);
    SmallVector<Value, 2> center = norm.center();
    rewriter.replaceOp(op, norm.result(center, norm.normalizer(center)));
    return success();
  }
};
} // namespace

void norm::populateNormalizationToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<NormalizationToLinalg>(patterns.getContext());
}
