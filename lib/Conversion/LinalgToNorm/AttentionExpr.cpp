//===- AttentionExpr.cpp - Attention seen as an expression ----------------===//

#include "AttentionExpr.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "renorm/Conversion/LinalgToNorm/ExprMatchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

/// How deep expressions are compared and searched. A softmax that was computed
/// twice is less than half of it.
static constexpr unsigned kMaxDepth = 12;

/// Whether both are the same function of the same elements.
static bool areSame(const TensorExpr &lhs, const TensorExpr &rhs,
                    unsigned depth = kMaxDepth) {
  if (isSameElement(lhs, rhs))
    return true;
  ExprNode left = lhs.getDefinition(), right = rhs.getDefinition();
  if (depth == 0 || !computeAlike(left, right) ||
      lhs.getElementType() != rhs.getElementType())
    return false;
  return llvm::equal(left.operands, right.operands,
                     [&](const TensorExpr &a, const TensorExpr &b) {
                       return areSame(a, b, depth - 1);
                     });
}

/// Whether `expr` may differ between two positions that differ in `dim` only.
static bool dependsOn(const TensorExpr &expr, unsigned dim,
                      unsigned depth = kMaxDepth) {
  TensorExpr source = expr.skipMoves();
  if (llvm::none_of(source.getIndices(), [&](AffineExpr index) {
        return index.isFunctionOfDim(dim);
      }))
    return false;
  ExprNode node = source.getDefinition();
  if (node.kind == ExprKind::Constant)
    return false;
  if (node.kind == ExprKind::Index)
    return node.index.isFunctionOfDim(dim);
  if (depth == 0 || node.kind == ExprKind::Opaque)
    return true;
  return llvm::any_of(node.operands, [&](const TensorExpr &operand) {
    return dependsOn(operand, dim, depth - 1);
  });
}

/// `expr` at another position: `from` becomes `to`.
static TensorExpr substitute(const TensorExpr &expr, unsigned from,
                             unsigned to) {
  MLIRContext *context = expr.getValue().getContext();
  AffineExpr target =
      simplifyIndex(getAffineDimExpr(to, context), expr.getSpace());
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : expr.getIndices())
    indices.push_back(
        simplifyIndex(index.replace(getAffineDimExpr(from, context), target),
                      expr.getSpace()));
  return TensorExpr(expr.getValue(), indices, expr.getSpace());
}

static bool isInfinity(const TensorExpr &expr) {
  std::optional<APFloat> constant = expr.getConstant();
  return constant && constant->isInfinity();
}

static bool isNegativeInfinity(const TensorExpr &expr) {
  return isInfinity(expr) && expr.getConstant()->isNegative();
}

static bool isZero(const TensorExpr &expr) {
  std::optional<APFloat> constant = expr.getConstant();
  return constant && constant->isZero();
}

/// Multiplies `factor` with what the multiplication, division or negation
/// `node` by a constant does to an operand, which is returned; null if it is
/// none.
static TensorExpr takeConstantFactor(const ExprNode &node,
                                     LogitFactor &factor) {
  switch (node.kind) {
  case ExprKind::Neg:
    factor.multiplier = -factor.multiplier;
    return node.operands[0];
  case ExprKind::Div:
    if (std::optional<APFloat> constant = node.operands[1].getConstant()) {
      factor.divisor *= constant->convertToDouble();
      return node.operands[0];
    }
    return {};
  case ExprKind::Mul:
    for (unsigned i : {0, 1}) {
      if (std::optional<APFloat> constant = node.operands[i].getConstant()) {
        factor.multiplier *= constant->convertToDouble();
        return node.operands[1 - i];
      }
    }
    return {};
  default:
    return {};
  }
}

namespace {

class AttentionMatcher {
public:
  std::optional<AttentionExpr> match(const TensorExpr &result);

  /// Whether a softmax over the keys was found, if nothing else.
  bool foundSoftmax = false;

private:
  bool matchProbabilities(TensorExpr expr);
  bool matchSoftmaxOp(linalg::SoftmaxOp op, const TensorExpr &expr);
  bool matchNormalized(const TensorExpr &numerator,
                       const TensorExpr &denominator);
  bool matchGuarded(const ExprNode &select);
  bool isTestOfNoKey(const ExprNode &condition);
  TensorExpr getAlongKeys(const ExprNode &reduction);
  bool matchMasked(TensorExpr expr);
  bool matchScaled(TensorExpr expr);
  bool matchProduct(const TensorExpr &expr);

  /// Tries `match`; a failure leaves the attention as it was.
  bool attempt(function_ref<bool()> match);

  /// `expr` without casts: attention computes in a type that is as wide as any
  /// between them. Takes note of that type, and of the tensors.
  TensorExpr skipCasts(TensorExpr expr);

  AttentionExpr attention;
  /// The quotient of the softmax, and its logits after masking.
  TensorExpr probability, maskedLogits;
};

} // namespace

bool AttentionMatcher::attempt(function_ref<bool()> match) {
  AttentionExpr saved = attention;
  if (match())
    return true;
  attention = saved;
  return false;
}

TensorExpr AttentionMatcher::skipCasts(TensorExpr expr) {
  while (true) {
    auto type = dyn_cast<FloatType>(expr.getElementType());
    if (type && (!attention.widestType ||
                 attention.widestType.getWidth() < type.getWidth()))
      attention.widestType = type;
    if (expr.isTensor())
      attention.logits.push_back(expr);
    if (TensorExpr source = expr.getMoveSource()) {
      expr = source;
      continue;
    }
    ExprNode node = expr.getDefinition();
    if (node.kind != ExprKind::Extend && node.kind != ExprKind::Truncate)
      return expr;
    // A cast to a few bits is there for its rounding.
    if (type.getWidth() < 16)
      return expr;
    expr = node.operands[0];
  }
}

std::optional<AttentionExpr> AttentionMatcher::match(const TensorExpr &result) {
  // What rounds the result is the rounding of the attention.
  TensorExpr contraction = result;
  while (true) {
    ExprNode node = contraction.getDefinition();
    if (node.kind != ExprKind::Truncate)
      break;
    contraction = node.operands[0];
  }
  TensorExpr operands[2];
  SmallVector<unsigned, 2> dims;
  if (!matchContraction(contraction, operands[0], operands[1], dims) ||
      dims.size() != 1)
    return std::nullopt;
  attention.keyDim = dims.front();
  for (unsigned i : {0, 1}) {
    attention.value = operands[1 - i];
    if (attempt([&] { return matchProbabilities(operands[i]); }))
      return attention;
  }
  return std::nullopt;
}

bool AttentionMatcher::matchProbabilities(TensorExpr expr) {
  expr = skipCasts(expr);
  probability = expr;
  if (auto op = expr.getValue().getDefiningOp<linalg::SoftmaxOp>())
    return matchSoftmaxOp(op, expr);
  ExprNode node = expr.getDefinition();
  TensorExpr sum;
  switch (node.kind) {
  case ExprKind::Select:
    return matchGuarded(node);
  case ExprKind::Div:
    return matchNormalized(node.operands[0], node.operands[1]);
  case ExprKind::Mul:
    for (unsigned i : {0, 1})
      if (matchExpr(node.operands[1 - i], m_Reciprocal(m_Any(&sum))))
        return matchNormalized(node.operands[i], sum);
    return false;
  default:
    return false;
  }
}

bool AttentionMatcher::matchSoftmaxOp(linalg::SoftmaxOp op,
                                      const TensorExpr &expr) {
  // It runs over all keys, and over nothing else.
  if (op->getNumResults() != 1)
    return false;
  for (auto [dim, index] : llvm::enumerate(expr.getIndices())) {
    bool isNormalized = dim == op.getDimension();
    AffineExpr key = simplifyIndex(
        getAffineDimExpr(attention.keyDim, op.getContext()), expr.getSpace());
    if (isNormalized
            ? index != key || op.getInputOperandType().getDimSize(dim) !=
                                  expr.getSpace()[attention.keyDim]
            : index.isFunctionOfDim(attention.keyDim))
      return false;
  }
  return matchMasked(
      TensorExpr(op.getInput(), expr.getIndices(), expr.getSpace()));
}

/// What `reduction` reduces, at the position of the keys; null if it is not
/// over as many elements as there are keys.
TensorExpr AttentionMatcher::getAlongKeys(const ExprNode &reduction) {
  if (reduction.operands.size() != 1 || reduction.reductionDims.size() != 1)
    return {};
  const TensorExpr &operand = reduction.operands[0];
  unsigned dim = reduction.reductionDims.front();
  if (operand.getSpace()[dim] != operand.getSpace()[attention.keyDim])
    return {};
  return substitute(operand, dim, attention.keyDim);
}

/// exp(x) / sum(exp(x)).
bool AttentionMatcher::matchNormalized(const TensorExpr &numerator,
                                       const TensorExpr &denominator) {
  TensorExpr exponential = skipCasts(numerator);
  ExprNode node = exponential.getDefinition();
  if (node.kind != ExprKind::Exp)
    return false;

  AttentionMatcher onDenominator;
  TensorExpr sum = onDenominator.skipCasts(denominator);
  ExprNode sumNode = sum.getDefinition();
  TensorExpr summand = getAlongKeys(sumNode);
  if (sumNode.kind != ExprKind::ReduceAdd || !summand ||
      !areSame(onDenominator.skipCasts(summand), exponential))
    return false;
  if (onDenominator.attention.widestType.getWidth() >
      attention.widestType.getWidth())
    attention.widestType = onDenominator.attention.widestType;

  // A number that is the same for the whole row does not change a softmax; it
  // is the maximum, or what stands for it where that is infinite.
  TensorExpr logits = skipCasts(node.operands[0]);
  ExprNode difference = logits.getDefinition();
  if (difference.kind == ExprKind::Sub &&
      !dependsOn(difference.operands[1], attention.keyDim))
    logits = difference.operands[0];
  return matchMasked(logits);
}

/// Zero where a probability is NaN, or where no key counts: what a row without
/// keys, 0/0, is replaced by.
bool AttentionMatcher::matchGuarded(const ExprNode &select) {
  ExprNode condition = select.operands[0].getDefinition();
  auto isOfProbability = [&](const TensorExpr &expr) {
    return areSame(skipExtends(expr), probability);
  };
  bool isInfinityTest = condition.kind == ExprKind::Compare &&
                        condition.predicate == ExprPredicate::EQ &&
                        isInfinity(condition.operands[1]);
  bool isZeroIfTrue = isZero(select.operands[1]);
  if (!matchProbabilities(
          select.operands[isZeroIfTrue || isInfinityTest ? 2 : 1]))
    return false;
  // Replacing infinities, which torch.nan_to_num does too, changes nothing.
  if (isInfinityTest && isOfProbability(condition.operands[0]))
    return true;

  attention.zeroMaskedRows = true;
  bool isNaNTest = condition.kind == ExprKind::Compare &&
                   condition.predicate ==
                       (isZeroIfTrue ? ExprPredicate::NE : ExprPredicate::EQ) &&
                   isOfProbability(condition.operands[0]) &&
                   isOfProbability(condition.operands[1]);
  if (isZeroIfTrue)
    return isNaNTest || isTestOfNoKey(condition);
  return isNaNTest && isZero(select.operands[2]);
}

/// Whether all logits of the row, or the greatest, are minus infinity.
bool AttentionMatcher::isTestOfNoKey(const ExprNode &condition) {
  bool isMaximum = condition.kind == ExprKind::Compare;
  ExprNode compare = condition, reduction;
  if (isMaximum) {
    reduction = skipExtends(condition.operands[0]).getDefinition();
  } else {
    reduction = condition;
    if (TensorExpr operand = getAlongKeys(reduction))
      compare = operand.getDefinition();
  }
  if (reduction.kind !=
          (isMaximum ? ExprKind::ReduceMax : ExprKind::ReduceAnd) ||
      compare.kind != ExprKind::Compare ||
      compare.predicate != ExprPredicate::EQ ||
      !isNegativeInfinity(compare.operands[1]))
    return false;
  // The maximum of a row without keys is what the reduction begins with.
  if (auto op = dyn_cast_or_null<linalg::LinalgOp>(reduction.op);
      op && isMaximum && !llvm::all_of(op.getDpsInits(), [](Value init) {
        return isNegativeInfinity(TensorExpr::get(init));
      }))
    return false;
  TensorExpr logits = isMaximum ? getAlongKeys(reduction) : compare.operands[0];
  return logits && areSame(skipExtends(logits), maskedLogits);
}

/// logits + mask, or logits where a condition holds and else minus infinity.
bool AttentionMatcher::matchMasked(TensorExpr expr) {
  foundSoftmax = true;
  expr = skipCasts(expr);
  maskedLogits = expr;
  ExprNode node = expr.getDefinition();
  if (node.kind == ExprKind::Add) {
    for (unsigned i : {0, 1}) {
      TensorExpr mask = node.operands[1 - i];
      if (attempt([&] {
            attention.mask = mask;
            return matchScaled(node.operands[i]);
          }))
        return true;
    }
  }
  if (node.kind == ExprKind::Select) {
    for (unsigned i : {1, 2}) {
      if (isNegativeInfinity(node.operands[3 - i]) && attempt([&] {
            attention.mask = node.operands[0];
            attention.isInvertedMask = i == 2;
            return matchScaled(node.operands[i]);
          }))
        return true;
    }
  }
  return matchScaled(expr);
}

/// factor * learnedScale * query key^T, with or without a soft cap.
bool AttentionMatcher::matchScaled(TensorExpr expr) {
  while (true) {
    expr = skipCasts(expr);
    if (matchProduct(expr))
      return true;
    ExprNode node = expr.getDefinition();
    if (TensorExpr operand = takeConstantFactor(node, attention.factor)) {
      expr = operand;
      continue;
    }
    if (node.kind == ExprKind::Tanh && !attention.softcap &&
        !attention.learnedScale) {
      // The factor so far is on the tanh: c tanh(s) with s = (c s) / c.
      double cap = attention.factor.multiplier / attention.factor.divisor;
      if (!std::isfinite(cap) || cap == 0.0)
        return false;
      attention.softcap = std::abs(cap);
      attention.factor = {cap < 0 ? -1.0 : 1.0, 1.0};
      expr = node.operands[0];
      continue;
    }
    if (node.kind == ExprKind::Mul && !attention.learnedScale) {
      for (unsigned i : {0, 1})
        if (attempt([&] {
              attention.learnedScale = node.operands[1 - i];
              return matchScaled(node.operands[i]);
            }))
          return true;
    }
    return false;
  }
}

bool AttentionMatcher::matchProduct(const TensorExpr &expr) {
  TensorExpr lhs, rhs;
  SmallVector<unsigned, 2> dims;
  if (!matchContraction(expr, lhs, rhs, dims) || dims.size() != 1)
    return false;
  // Only the key is another one at another position of `keyDim`.
  bool isSwapped = dependsOn(skipExtends(lhs), attention.keyDim);
  if (isSwapped && dependsOn(skipExtends(rhs), attention.keyDim))
    return false;
  attention.headDim = dims.front();
  attention.query = isSwapped ? rhs : lhs;
  attention.key = isSwapped ? lhs : rhs;
  return true;
}

std::optional<AttentionExpr> norm::matchAttention(const TensorExpr &result,
                                                  StringRef &reason) {
  AttentionMatcher matcher;
  std::optional<AttentionExpr> attention = matcher.match(result);
  if (!attention)
    reason = matcher.foundSoftmax
                 ? "the logits aren't a product of queries and keys that is "
                   "scaled, then capped, then masked"
                 : "";
  return attention;
}

/// If `expr` is a concatenation of slices of one tensor, in order, each
/// repeated equally often, the element of that tensor; else null.
static TensorExpr getRepeated(const TensorExpr &expr) {
  Operation *op = expr.getValue().getDefiningOp();
  unsigned dim;
  if (auto concatOp = dyn_cast_or_null<tensor::ConcatOp>(op))
    dim = concatOp.getDim();
  else if (auto concatOp = dyn_cast_or_null<tosa::ConcatOp>(op))
    dim = concatOp.getAxis();
  else
    return {};

  // What the parts were taken from, each at its own position.
  SmallVector<TensorExpr> parts;
  for (Value operand : op->getOperands()) {
    if (operand.getType() != op->getOperand(0).getType())
      return {};
    parts.push_back(TensorExpr::get(operand));
  }
  int64_t extent = parts.front().getSpace()[dim];
  if (ShapedType::isDynamic(extent) || extent == 0)
    return {};
  while (!llvm::all_equal(llvm::map_range(
      parts, [](const TensorExpr &part) { return part.getValue(); })))
    for (TensorExpr &part : parts)
      if (!(part = part.getMoveSource()))
        return {};

  // Part j lies (j floordiv repeats) * step behind part 0 in one dimension.
  const TensorExpr &first = parts.front();
  std::optional<size_t> steppedDim;
  int64_t repeats = parts.size(), step = 0;
  for (auto [j, part] : llvm::enumerate(parts)) {
    for (auto [index, firstIndex, sourceDim] :
         llvm::zip(part.getIndices(), first.getIndices(),
                   llvm::seq<size_t>(0, first.getIndices().size()))) {
      auto distance = dyn_cast<AffineConstantExpr>(
          simplifyIndex(index - firstIndex, first.getSpace()));
      if (!distance)
        return {};
      if (distance.getValue() != 0 && !steppedDim) {
        steppedDim = sourceDim;
        repeats = j;
        step = distance.getValue();
      }
      bool isStepped = steppedDim == sourceDim;
      if (distance.getValue() !=
          (isStepped ? static_cast<int64_t>(j) / repeats * step : 0))
        return {};
    }
  }

  SmallVector<AffineExpr> position(expr.getIndices());
  AffineExpr index = position[dim];
  position[dim] = index % extent;
  SmallVector<AffineExpr> indices;
  for (auto [sourceDim, sourceIndex] : llvm::enumerate(first.getIndices())) {
    AffineExpr replaced = sourceIndex.replaceDims(position);
    if (steppedDim == sourceDim)
      replaced = replaced + index.floorDiv(repeats * extent) * step;
    indices.push_back(simplifyIndex(replaced, expr.getSpace()));
  }
  return TensorExpr(first.getValue(), indices, expr.getSpace());
}

SmallVector<AttentionSource> norm::getSources(const TensorExpr &operand,
                                              bool allowFactor) {
  SmallVector<AttentionSource> sources;
  TensorExpr expr = operand;
  LogitFactor factor;
  while (true) {
    if (expr.isTensor())
      sources.push_back({expr, factor});
    TensorExpr source = expr.getMoveSource();
    if (!source)
      source = getRepeated(expr);
    if (source) {
      expr = source;
      continue;
    }
    ExprNode node = expr.getDefinition();
    if (node.kind == ExprKind::Extend)
      source = node.operands[0];
    else if (node.kind == ExprKind::Add) // How some front ends broadcast.
      for (unsigned i : {0, 1})
        if (!source && isZero(node.operands[1 - i]))
          source = node.operands[i];
    if (!source && allowFactor)
      source = takeConstantFactor(node, factor);
    if (!source)
      return sources;
    expr = source;
  }
}
