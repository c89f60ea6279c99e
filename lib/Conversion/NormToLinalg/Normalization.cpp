//===- Normalization.cpp - The steps of a norm as linalg ------------------===//

#include "Normalization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::norm;

static Value subtract(ImplicitLocOpBuilder &b, Value value, ValueRange center) {
  for (Value part : center)
    value = arith::SubFOp::create(b, value, part);
  return value;
}

Normalization::Normalization(ImplicitLocOpBuilder &b,
                             TypedValue<RankedTensorType> input, NormKind kind,
                             ArrayRef<int64_t> axes, FloatType type)
    : b(b), kind(kind), type(type),
      sizes(tensor::getMixedSizes(b, b.getLoc(), input)) {
  int64_t rank = sizes.size();
  SmallVector<int64_t> kept;
  SmallVector<OpFoldResult> axisSizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(axes, dim)) {
      axisSizes.push_back(sizes[dim]);
      continue;
    }
    kept.push_back(dim);
    statisticSizes.push_back(sizes[dim]);
  }
  this->input = {input, b.getMultiDimIdentityMap(rank)};
  statisticMap = selectDims(b, rank, kept);
  // Where the statistics are in f16 or bf16, their division by the count is in
  // f32, which holds every count exactly.
  countType = type.isF64() ? type : cast<FloatType>(b.getF32Type());
  if (kind != NormKind::L2)
    count = createCount(b, axisSizes, countType);
}

SmallVector<Value> Normalization::sums(ArrayRef<Value> statistics,
                                       unsigned count, BodyOfSeveral terms) {
  SmallVector<Operand> inputs = {input}, outputs;
  for (Value tensor : statistics)
    inputs.push_back(statistic(tensor));
  for (unsigned i = 0; i < count; ++i)
    outputs.push_back(statistic(createFilled(b, statisticSizes, type, 0.0)));
  return createGeneric(
      b, inputs, outputs,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
        SmallVector<Value> values(args.drop_back(count));
        values.front() = convertFloat(b, values.front(), type);
        SmallVector<Value> totals;
        for (auto [total, term] :
             llvm::zip_equal(args.take_back(count), terms(b, values)))
          totals.push_back(
              arith::AddFOp::create(b, total, term, kReductionFlags));
        return totals;
      });
}

Value Normalization::mapStatistics(ArrayRef<Value> statistics, Body body) {
  AffineMap map = b.getMultiDimIdentityMap(statisticSizes.size());
  SmallVector<Operand> inputs;
  for (Value tensor : statistics)
    inputs.push_back({tensor, map});
  return createElementwise(b, statisticSizes, type, inputs, body);
}

Value Normalization::divideByCount(ImplicitLocOpBuilder &b, Value sum) {
  Value wide = convertFloat(b, sum, countType);
  return convertFloat(b, arith::DivFOp::create(b, wide, count), type);
}

Value Normalization::mean(Value sum) {
  return mapStatistics(sum, [&](ImplicitLocOpBuilder &b, ValueRange args) {
    return divideByCount(b, args[0]);
  });
}

Normalization::Moments Normalization::moments() {
  using Values = SmallVector<Value>;
  auto square = [](ImplicitLocOpBuilder &b, Value value) -> Value {
    return arith::MulFOp::create(b, value, value, kReductionFlags);
  };
  if (kind != NormKind::Layer)
    return {
        {},
        sums({}, 1, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Values {
          return {square(b, args[0])};
        }).front()};

  Value high =
      mean(sums({}, 1, [](ImplicitLocOpBuilder &, ValueRange args) -> Values {
             return {args[0]};
           }).front());
  if (type.getWidth() < 32) {
    Value low = mean(
        sums(high, 1, [](ImplicitLocOpBuilder &b, ValueRange args) -> Values {
          return {subtract(b, args[0], args[1])};
        }).front());
    Values center = {high, low};
    return {{high, low},
            sums(center, 1,
                 [&](ImplicitLocOpBuilder &b, ValueRange args) -> Values {
                   return {square(b, subtract(b, args[0], args.drop_front()))};
                 })
                .front()};
  }
  Values rest =
      sums(high, 2, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Values {
        Value deviation = subtract(b, args[0], args[1]);
        return {deviation, square(b, deviation)};
      });
  Value low = mean(rest[0]);
  Value squares = mapStatistics(
      {rest[1], rest[0], low},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value correction = arith::MulFOp::create(b, args[1], args[2]);
        Value corrected = arith::SubFOp::create(b, args[0], correction);
        // Rounding must not make it negative.
        return arith::MaximumFOp::create(b, corrected,
                                         createConstant(b, type, 0.0));
      });
  return {{high, low}, squares};
}

Value Normalization::power(Value squares) {
  return kind == NormKind::L2 ? squares : mean(squares);
}

Value norm::createRoot(ImplicitLocOpBuilder &b, Value power, Value epsilon,
                       EpsilonMode mode) {
  switch (mode) {
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

Value Normalization::root(Value power, double epsilon, EpsilonMode mode) {
  return mapStatistics(power, [&](ImplicitLocOpBuilder &b, ValueRange args) {
    return createRoot(b, args[0], createConstant(b, type, epsilon), mode);
  });
}

Value Normalization::rootOfSquares(Value squares, double epsilon,
                                   EpsilonMode mode) {
  return mapStatistics(squares, [&](ImplicitLocOpBuilder &b, ValueRange args) {
    Value power = kind == NormKind::L2 ? args[0] : divideByCount(b, args[0]);
    return createRoot(b, power, createConstant(b, type, epsilon), mode);
  });
}

Value Normalization::result(ArrayRef<Value> center, Value normalizer,
                            const Affine &affine, FloatType resultType) {
  SmallVector<Operand> inputs = {input};
  for (Value tensor : center)
    inputs.push_back(statistic(tensor));
  inputs.push_back(statistic(normalizer));
  for (Value parameter : {affine.columnSums, affine.scale, affine.bias}) {
    if (!parameter)
      continue;
    bool isScalar = cast<RankedTensorType>(parameter.getType()).getRank() == 0;
    inputs.push_back({parameter, selectDims(b, sizes.size(),
                                            isScalar ? ArrayRef<int64_t>()
                                                     : affine.scaleDims)});
  }

  return createElementwise(
      b, sizes, resultType, inputs,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value value = convertFloat(b, args[0], type);
        SmallVector<Value> mean(args.slice(1, center.size()));
        args = args.drop_front(1 + center.size());
        Value normalizer = args[0];
        args = args.drop_front();
        auto next = [&]() {
          Value parameter = convertFloat(b, args[0], type);
          args = args.drop_front();
          return parameter;
        };

        if (affine.columnSums) {
          Value sums = next();
          for (Value &part : mean)
            part = arith::MulFOp::create(b, part, sums);
        }
        value = subtract(b, value, mean);
        // One division for a row in place of one for each element; in 16 bits
        // the reciprocal would cost digits.
        auto flags = type.getWidth() < 32 ? arith::FastMathFlags::none
                                          : arith::FastMathFlags::arcp;
        value = arith::DivFOp::create(b, value, normalizer, flags);
        if (affine.castBeforeScale)
          value = convertFloat(b, convertFloat(b, value, resultType), type);
        if (affine.scale) {
          Value factor = next();
          if (affine.unitOffset)
            factor =
                arith::AddFOp::create(b, createConstant(b, type, 1.0), factor);
          value = arith::MulFOp::create(b, value, factor);
        }
        if (affine.bias)
          value = arith::AddFOp::create(b, value, next());
        return convertFloat(b, value, resultType);
      });
}
