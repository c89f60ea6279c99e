//===- Statistics.cpp - Means, variances and what divides by them ---------===//

#include "Statistics.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

TensorExpr norm::getLeaf(const TensorExpr &expr) {
  return skipExtends(expr).skipMoves();
}

TensorExpr norm::skipCasts(const TensorExpr &expr,
                           SmallVectorImpl<Type> &types) {
  TensorExpr result = expr;
  constexpr unsigned maxCasts = 4;
  for (unsigned i = 0; i < maxCasts; ++i) {
    ExprNode node = result.getDefinition();
    if (node.kind != ExprKind::Extend && node.kind != ExprKind::Truncate)
      break;
    result = node.operands[0];
    types.push_back(result.getElementType());
  }
  return result;
}

/// Whether `reduced` becomes `expr` when each dimension of `binding` that isn't
/// bound yet is set to some dimension.
static bool unify(AffineExpr reduced, AffineExpr expr,
                  llvm::SmallDenseMap<unsigned, int64_t> &binding) {
  if (auto dim = dyn_cast<AffineDimExpr>(reduced)) {
    auto bound = binding.find(dim.getPosition());
    if (bound != binding.end()) {
      auto other = dyn_cast<AffineDimExpr>(expr);
      if (!other)
        return false;
      if (bound->second < 0)
        bound->second = other.getPosition();
      return bound->second == other.getPosition();
    }
  }
  auto reducedBinary = dyn_cast<AffineBinaryOpExpr>(reduced);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!reducedBinary || !binary)
    return reduced == expr;
  return reducedBinary.getKind() == binary.getKind() &&
         unify(reducedBinary.getLHS(), binary.getLHS(), binding) &&
         unify(reducedBinary.getRHS(), binary.getRHS(), binding);
}

bool norm::runsAlong(const TensorExpr &reduced, ArrayRef<unsigned> dims,
                     const TensorExpr &expr, SmallVectorImpl<int64_t> &axes) {
  TensorExpr left = getLeaf(reduced), right = getLeaf(expr);
  if (left.getValue() != right.getValue())
    return false;
  llvm::SmallDenseMap<unsigned, int64_t> binding;
  for (unsigned dim : dims)
    binding[dim] = -1;
  for (auto [leftIndex, rightIndex] :
       llvm::zip_equal(left.getIndices(), right.getIndices()))
    if (!unify(leftIndex, rightIndex, binding))
      return false;
  axes.clear();
  for (unsigned dim : dims) {
    int64_t axis = binding[dim];
    int64_t extent = left.getSpace()[dim];
    if (extent == 1)
      continue;
    // The sum runs over the whole of a distinct dimension, and a fixed position
    // in it is not read.
    if (axis < 0 || llvm::is_contained(axes, axis) ||
        right.getSpace()[axis] != extent ||
        llvm::any_of(
            left.getIndices(),
            [&](AffineExpr index) { return index.isFunctionOfDim(axis); }))
      return false;
    axes.push_back(axis);
  }
  return !axes.empty();
}

//===----------------------------------------------------------------------===//
// The number of elements of a mean
//===----------------------------------------------------------------------===//

/// The value and dimension that dimension `dim` of `value` is known to have the
/// extent of, as far up as it can be followed.
static std::pair<Value, int64_t> getExtentSource(Value value, int64_t dim) {
  while (true) {
    if (auto normOp = value.getDefiningOp<NormalizationOpInterface>()) {
      value = normOp.getInput();
      continue;
    }
    if (auto cast = value.getDefiningOp<tensor::CastOp>()) {
      value = cast.getSource();
      continue;
    }
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (!op || !op.hasPureTensorSemantics())
      return {value, dim};
    auto loop = dyn_cast<AffineDimExpr>(
        op.getIndexingMapMatchingResult(cast<OpResult>(value)).getResult(dim));
    if (!loop)
      return {value, dim};
    bool found = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (auto position = map.getResultPosition(loop)) {
        value = operand->get();
        dim = *position;
        found = true;
        break;
      }
    }
    if (!found)
      return {value, dim};
  }
}

/// Whether `expr` is the product of the extents of `dims` of `reduced`'s space,
/// computed at run time from shapes.
static bool isExtentProduct(const TensorExpr &expr, const TensorExpr &reduced,
                            ArrayRef<unsigned> dims) {
  int64_t staticProduct = 1;
  SmallVector<std::pair<Value, int64_t>> expected;
  TensorExpr leaf = getLeaf(reduced);
  if (!leaf.isTensor())
    return false;
  for (unsigned dim : dims) {
    int64_t extent = leaf.getSpace()[dim];
    if (!ShapedType::isDynamic(extent)) {
      staticProduct *= extent;
      continue;
    }
    auto *index = llvm::find(
        leaf.getIndices(), getAffineDimExpr(dim, leaf.getValue().getContext()));
    if (index == leaf.getIndices().end())
      return false;
    expected.push_back(
        getExtentSource(leaf.getValue(), index - leaf.getIndices().begin()));
  }

  SmallVector<TensorExpr> worklist{expr};
  constexpr unsigned maxSteps = 32;
  for (unsigned step = 0; !worklist.empty(); ++step) {
    if (step == maxSteps)
      return false;
    TensorExpr factor = worklist.pop_back_val().skipMoves();
    if (auto constant = factor.getConstantLiteral()) {
      if (*constant < 1.0 || std::trunc(*constant) != *constant ||
          std::fmod(staticProduct, *constant) != 0.0)
        return false;
      staticProduct /= static_cast<int64_t>(*constant);
      continue;
    }
    ExprNode node = factor.getDefinition();
    switch (node.kind) {
    case ExprKind::IntToFloat:
    case ExprKind::IntCast:
    case ExprKind::Extend:
    case ExprKind::Truncate:
    case ExprKind::Mul:
      llvm::append_range(worklist, node.operands);
      continue;
    default:
      break;
    }
    auto dimOp = factor.getValue().getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> dim =
        dimOp ? dimOp.getConstantIndex() : std::nullopt;
    if (!dim)
      return false;
    auto *extent =
        llvm::find(expected, getExtentSource(dimOp.getSource(), *dim));
    if (extent == expected.end())
      return false;
    expected.erase(extent);
  }
  return expected.empty() && staticProduct == 1;
}

/// Whether `expr` is `value`, rounded to the type that it is held in: a
/// constant behind exact casts is as good as its own type allows.
static bool isRounded(const TensorExpr &expr, double value) {
  std::optional<APFloat> held = skipExtends(expr).getConstant();
  if (!held || !held->isFiniteNonZero())
    return false;
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(held->getSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.bitwiseIsEqual(*held);
}

std::optional<Reduction> norm::matchMean(const TensorExpr &expr,
                                         SmallVectorImpl<Type> &types) {
  Reduction mean;
  mean.isMean = true;
  TensorExpr sum, divisor, factor;
  auto matchSum = [&] {
    mean.dims.clear();
    // Over several dimensions one by one is over all of them.
    TensorExpr operand = sum;
    SmallVector<unsigned> dims;
    while (matchExpr(operand, m_ReduceAdd(m_Any(&operand), &dims)))
      mean.dims.append(dims);
    mean.operand = operand;
    return !mean.dims.empty();
  };
  auto numElements = [&]() -> std::optional<double> {
    double result = 1.0;
    for (unsigned dim : mean.dims) {
      int64_t extent = mean.operand.getSpace()[dim];
      if (ShapedType::isDynamic(extent))
        return std::nullopt;
      result *= extent;
    }
    return result;
  };

  ExprNode node = expr.getDefinition();
  bool found = false;
  if (node.kind == ExprKind::Div) {
    sum = node.operands[0];
    divisor = node.operands[1];
    if (matchSum()) {
      std::optional<double> number = numElements();
      found = number ? isRounded(divisor, *number)
                     : isExtentProduct(divisor, mean.operand, mean.dims);
    }
  } else if (node.kind == ExprKind::Mul) {
    for (unsigned i : {0, 1}) {
      sum = node.operands[i];
      factor = node.operands[1 - i];
      if (!matchSum())
        continue;
      std::optional<double> number = numElements();
      found = number ? isRounded(factor, 1.0 / *number)
                     : matchExpr(factor, m_Reciprocal(m_Any(&divisor))) &&
                           isExtentProduct(divisor, mean.operand, mean.dims);
      break;
    }
  }
  if (!found)
    return std::nullopt;
  types.push_back(expr.getElementType());
  types.push_back(sum.getElementType());
  types.push_back(mean.operand.getElementType());
  return mean;
}

std::optional<TensorExpr> norm::matchCentered(const TensorExpr &expr,
                                              SmallVectorImpl<int64_t> &axes,
                                              SmallVectorImpl<Type> &types) {
  ExprNode node = expr.getDefinition();
  if (node.kind != ExprKind::Sub)
    return std::nullopt;
  std::optional<Reduction> mean =
      matchMean(skipCasts(node.operands[1], types), types);
  if (!mean || !runsAlong(mean->operand, mean->dims, node.operands[0], axes))
    return std::nullopt;
  types.push_back(expr.getElementType());
  return node.operands[0];
}

//===----------------------------------------------------------------------===//
// Normalizers
//===----------------------------------------------------------------------===//

/// Whether `axes` are the dimensions in `dims` of `space`, but for those of
/// extent 1.
static bool isSameSet(ArrayRef<int64_t> axes, ArrayRef<unsigned> dims,
                      ArrayRef<int64_t> space) {
  unsigned number =
      llvm::count_if(dims, [&](unsigned d) { return space[d] != 1; });
  return axes.size() == number && llvm::all_of(axes, [&](int64_t axis) {
           return llvm::is_contained(dims, static_cast<unsigned>(axis));
         });
}

/// Reads `expr` as E[x^2] - E[x]^2.
static bool matchVarianceOfMoments(const TensorExpr &expr, Normalizer &result) {
  TensorExpr second, first, squared;
  if (!matchExpr(expr, m_Sub(m_Any(&second), m_Square(m_Any(&first)))))
    return false;
  std::optional<Reduction> meanOfSquares =
      matchMean(skipCasts(second, result.types), result.types);
  if (!meanOfSquares ||
      !matchExpr(meanOfSquares->operand, m_Square(m_Any(&squared))))
    return false;
  std::optional<Reduction> mean =
      matchMean(skipCasts(first, result.types), result.types);
  if (!mean || mean->dims != meanOfSquares->dims ||
      getLeaf(mean->operand) != getLeaf(squared) ||
      mean->operand.getSpace() != squared.getSpace())
    return false;
  result.types.push_back(expr.getElementType());
  result.kind = NormKind::Layer;
  result.input = squared;
  result.dims = mean->dims;
  return true;
}

/// Reads `expr` as what stands under the root of a norm, but for epsilon.
static bool matchStatistic(const TensorExpr &expr, Normalizer &result) {
  if (matchVarianceOfMoments(expr, result))
    return true;
  std::optional<Reduction> sum = matchMean(expr, result.types);
  if (!sum) {
    // Not a mean, perhaps a sum.
    sum.emplace();
    TensorExpr operand = expr;
    SmallVector<unsigned> dims;
    while (matchExpr(operand, m_ReduceAdd(m_Any(&operand), &dims)))
      sum->dims.append(dims);
    if (sum->dims.empty())
      return false;
    sum->operand = operand;
    result.types.push_back(expr.getElementType());
  }
  TensorExpr square = skipCasts(sum->operand, result.types), input;
  if (!matchExpr(square,
                 m_Square(m_OneOf(m_Abs(m_Any(&input)), m_Any(&input)))))
    return false;
  result.types.push_back(square.getElementType());
  result.kind = sum->isMean ? NormKind::RMS : NormKind::L2;
  result.input = input;
  result.dims = sum->dims;
  SmallVector<int64_t> axes;
  SmallVector<Type> types;
  if (sum->isMean)
    if (auto centered = matchCentered(skipCasts(input, types), axes, types);
        centered && isSameSet(axes, sum->dims, input.getSpace())) {
      result.kind = NormKind::Layer;
      result.input = *centered;
      result.types.append(types);
    }
  return true;
}

/// Reads `expr` as the radicand of a norm with epsilon inside the root.
static bool matchRadicand(const TensorExpr &expr, Normalizer &result,
                          std::string *reason) {
  // A variance that rounding made negative is clamped to 0: no epsilon.
  auto matchClamped = [&](const TensorExpr &statistic) {
    TensorExpr inner;
    return matchExpr(statistic, m_Max(m_Any(&inner), m_Const(0.0))) &&
           matchVarianceOfMoments(skipCasts(inner, result.types), result);
  };
  auto match = [&](const TensorExpr &statistic) {
    TensorExpr inner = skipCasts(statistic, result.types);
    result.types.push_back(inner.getElementType());
    return matchClamped(inner) || matchStatistic(inner, result);
  };
  size_t numTypes = result.types.size();
  if (match(expr))
    return true;
  result.types.resize(numTypes);

  ExprNode node = expr.getDefinition();
  if (node.kind != ExprKind::Add && node.kind != ExprKind::Max)
    return false;
  for (unsigned i : {0, 1}) {
    result.types.resize(numTypes);
    if (!match(node.operands[i]))
      continue;
    std::optional<double> epsilon = node.operands[1 - i].getConstantLiteral();
    if (!epsilon) {
      if (reason)
        *reason = "epsilon is not a constant";
      return false;
    }
    result.epsilon = *epsilon;
    result.epsilonMode = node.kind == ExprKind::Add ? EpsilonMode::Inside
                                                    : EpsilonMode::ClampInside;
    return true;
  }
  return false;
}

/// Whether a sum is close below `expr`.
static bool hasReduction(const TensorExpr &expr, unsigned depth = 4) {
  ExprNode node = expr.getDefinition();
  return node.kind == ExprKind::ReduceAdd ||
         (depth != 0 && llvm::any_of(node.operands, [&](const TensorExpr &e) {
            return hasReduction(e, depth - 1);
          }));
}

std::optional<Normalizer> norm::matchNormalizer(const TensorExpr &expr,
                                                bool isInverse,
                                                std::string *reason) {
  Normalizer result;
  result.expr = expr;
  result.isInverse = isInverse;
  result.types.push_back(expr.getElementType());
  TensorExpr root = skipCasts(expr, result.types), radicand;
  auto matchRoot = [&](const TensorExpr &candidate) {
    return isInverse ? matchExpr(candidate, m_Rsqrt(m_Any(&radicand)))
                     : matchExpr(candidate, m_Sqrt(m_Any(&radicand)));
  };

  bool isRoot = matchRoot(root), isMatch = false;
  if (isRoot) {
    radicand = skipCasts(radicand, result.types);
    isMatch = matchRadicand(radicand, result, reason);
  } else if (ExprNode node = root.getDefinition();
             !isInverse &&
             (node.kind == ExprKind::Add || node.kind == ExprKind::Max)) {
    for (unsigned i : {0, 1}) {
      std::optional<double> epsilon = node.operands[1 - i].getConstantLiteral();
      SmallVector<Type> types;
      if (!epsilon || !matchRoot(skipCasts(node.operands[i], types)))
        continue;
      isRoot = true;
      result.types.append(types);
      radicand = skipCasts(radicand, result.types);
      result.types.push_back(radicand.getElementType());
      isMatch = matchStatistic(radicand, result);
      result.epsilon = *epsilon;
      result.epsilonMode = node.kind == ExprKind::Add ? EpsilonMode::Outside
                                                      : EpsilonMode::Clamp;
      break;
    }
  }
  if (!isMatch) {
    if (reason && reason->empty() && isRoot && hasReduction(radicand))
      *reason = "what is under the root is neither a sum nor a mean of squares "
                "nor a biased variance";
    return std::nullopt;
  }
  if (result.epsilon < 0.0) {
    if (reason)
      *reason = "epsilon is negative";
    return std::nullopt;
  }
  return result;
}
