//===- RaiseAttention.cpp - Raise attention to norm.attention -------------===//
//
// AttentionExpr.h finds the formula. This file finds its shape: which axes are
// batch, heads, sequences and head dimensions, and which of the tensors that
// the operands are read from have, or can be brought to, the layout [batch...,
// heads, sequence, head_dim].
//
//===----------------------------------------------------------------------===//

#include "AttentionExpr.h"
#include "Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/LinalgToNorm/LinalgToNorm.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

namespace {

/// A tensor and its layout; what is read from it is multiplied with `factor`.
struct Operand {
  Value value;
  Layout layout;
  LogitFactor factor;
};

/// The operation that an attention expression becomes.
class AttentionPlan {
public:
  /// Decides on everything and changes nothing. On failure `reason` says why
  /// `root`, which is the expression `attention`, can't be the operation.
  static std::optional<AttentionPlan>
  make(Value root, const AttentionExpr &attention, StringRef &reason);

  /// Creates the operation; returns what replaces the root.
  Value create(OpBuilder &builder) const;

  Value getRoot() const { return root; }

private:
  AttentionPlan(Value root) : root(root) {}

  SmallVector<Operand> getOperands(const TensorExpr &expr, bool allowFactor);
  bool planRows(const AttentionExpr &attention, ArrayRef<Operand> queries,
                ArrayRef<Operand> keys, ArrayRef<Operand> values);
  bool planOperands(ArrayRef<Operand> queries, ArrayRef<Operand> keys,
                    ArrayRef<Operand> values);
  bool planScale(const AttentionExpr &attention);
  bool planMask(const AttentionExpr &attention);
  const Operand *choose(ArrayRef<Operand> operands,
                        ArrayRef<AxisProduct> layout) const;

  /// [batch..., heads, rows, columns]
  Layout getLayout(const AxisProduct &heads, const AxisProduct &rows,
                   const AxisProduct &columns) const {
    Layout layout = batch;
    layout.append({heads, rows, columns});
    return layout;
  }
  /// `operand` in the layout `layout` and in the root's element type.
  Value get(OpBuilder &builder, const Operand &operand,
            ArrayRef<AxisProduct> layout) const;
  FloatType getElementType() const {
    return cast<FloatType>(getElementTypeOrSelf(root));
  }

  Value root;
  AxisSpace space;
  /// The axes of the dimensions of the space of the expressions.
  Layout exprSpace, rootLayout;
  Layout batch;
  AxisProduct heads, keyValueHeads, queryRows, keyRows, headDim, valueDim;

  Operand query, key, value;
  std::optional<Operand> mask, learnedScale;
  Layout maskLayout, learnedScaleLayout;
  bool isInvertedMask = false, zeroMaskedRows = false;
  double scale = 1.0;
  std::optional<double> softcap;
  FloatType computeType;
};

} // namespace

static bool isSupported(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type);
}

/// The sources of `expr` whose layouts are known, nearest first.
SmallVector<Operand> AttentionPlan::getOperands(const TensorExpr &expr,
                                                bool allowFactor) {
  SmallVector<Operand> operands;
  for (const AttentionSource &source : getSources(expr, allowFactor)) {
    FailureOr<Layout> layout = norm::getLayout(space, source.expr, exprSpace);
    if (succeeded(layout))
      operands.push_back({source.expr.getValue(), *layout, source.factor});
  }
  return operands;
}

/// Finds [batch..., heads, rows] among the layouts of the logits and, if these
/// merged dimensions, of the queries: the one that tells the most apart.
bool AttentionPlan::planRows(const AttentionExpr &attention,
                             ArrayRef<Operand> queries, ArrayRef<Operand> keys,
                             ArrayRef<Operand> values) {
  // Each candidate without its last dimension, of the keys or in a head.
  SmallVector<Layout> candidates;
  auto add = [&](Layout layout, const AxisProduct &last) {
    if (layout.empty() || !space.equal(layout.back(), last))
      return;
    layout.pop_back();
    candidates.push_back(std::move(layout));
  };
  for (const TensorExpr &expr : attention.logits) {
    FailureOr<Layout> layout = norm::getLayout(space, expr, exprSpace);
    if (succeeded(layout))
      add(*layout, keyRows);
  }
  if (candidates.empty() || keys.empty() || values.empty())
    return false;
  AxisProduct rows = flatten(space, candidates.front());
  for (const Operand &operand : queries)
    add(operand.layout, headDim);

  auto isIn = [&](ArrayRef<Axis> axes, const Operand &operand) {
    AxisProduct all = flatten(space, operand.layout);
    return llvm::all_of(space.resolve(axes), [&](Axis axis) {
      return llvm::is_contained(all, axis);
    });
  };
  auto isOutside = [&](ArrayRef<Axis> axes, const Operand &operand) {
    AxisProduct all = flatten(space, operand.layout);
    return llvm::none_of(space.resolve(axes), [&](Axis axis) {
      return llvm::is_contained(all, axis);
    });
  };
  // Dimensions that are no units, then those before the first of them: a batch
  // of one.
  auto getRank = [&](const Layout &layout) {
    auto isUnit = [&](const AxisProduct &dim) {
      return space.resolve(dim).empty();
    };
    return std::pair(layout.size() - llvm::count_if(layout, isUnit),
                     llvm::find_if_not(layout, isUnit) - layout.begin());
  };
  const Layout *best = nullptr;
  for (const Layout &candidate : candidates) {
    if (candidate.empty() || !canRearrange(space, candidate, {rows}) ||
        !isOutside(candidate.back(), keys.front()) ||
        !isOutside(candidate.back(), values.front()))
      continue;
    auto batchDims =
        ArrayRef(candidate).drop_back(std::min<size_t>(candidate.size(), 2));
    bool isBatched = llvm::all_of(batchDims, [&](const AxisProduct &dim) {
      return isIn(dim, keys.front()) && isIn(dim, values.front());
    });
    if (isBatched && (!best || getRank(*best) < getRank(candidate)))
      best = &candidate;
  }
  if (!best)
    return false;
  batch = *best;
  queryRows = batch.pop_back_val();
  if (!batch.empty())
    heads = batch.pop_back_val();
  // [batch, key-value heads, queries of one head, ...] has its heads in two
  // dimensions.
  if (batch.size() >= 2 && isOutside(heads, keys.back()) &&
      isOutside(heads, values.back()))
    heads = flatten(space, {batch.pop_back_val(), heads});
  return true;
}

/// The best of `operands` to be brought to `layout`: one that has it, else one
/// of the right type, else one to be extended; of several the furthest, because
/// it leaves the least to be computed.
const Operand *AttentionPlan::choose(ArrayRef<Operand> operands,
                                     ArrayRef<AxisProduct> layout) const {
  const Operand *best = nullptr;
  unsigned bestRank = 0;
  for (const Operand &operand : operands) {
    auto type = cast<FloatType>(getElementTypeOrSelf(operand.value));
    if (!isSupported(type) || !canRearrange(space, operand.layout, layout))
      continue;
    unsigned rank = 1;
    if (type == getElementType())
      rank = areEqual(space, operand.layout, layout) ? 3 : 2;
    else if (type.getWidth() >= getElementType().getWidth())
      continue;
    if (rank >= bestRank) {
      best = &operand;
      bestRank = rank;
    }
  }
  return best;
}

/// Keys and values have the fewest heads, outermost parts of the queries'
/// heads, with which both can be read.
bool AttentionPlan::planOperands(ArrayRef<Operand> queries,
                                 ArrayRef<Operand> keys,
                                 ArrayRef<Operand> values) {
  const Operand *chosenQuery =
      choose(queries, getLayout(heads, queryRows, headDim));
  if (!chosenQuery)
    return false;
  AxisProduct all = space.resolve(heads);
  for (size_t count = 0; count <= all.size(); ++count) {
    keyValueHeads.assign(all.begin(), all.begin() + count);
    const Operand *chosenKey =
        choose(keys, getLayout(keyValueHeads, keyRows, headDim));
    const Operand *chosenValue =
        choose(values, getLayout(keyValueHeads, keyRows, valueDim));
    if (!chosenKey || !chosenValue)
      continue;
    query = *chosenQuery;
    key = *chosenKey;
    value = *chosenValue;
    return true;
  }
  return false;
}

bool AttentionPlan::planScale(const AttentionExpr &attention) {
  LogitFactor factor = attention.factor * query.factor * key.factor;
  softcap = attention.softcap;
  if (softcap && factor.divisor == *softcap)
    scale = factor.multiplier;
  else
    scale = factor.multiplier * softcap.value_or(1.0) / factor.divisor;
  if (!std::isfinite(scale))
    return false;
  if (!attention.learnedScale)
    return true;

  // The operand stands for the whole factor.
  if (scale != 1.0)
    return false;
  for (const Operand &operand : getOperands(attention.learnedScale, false)) {
    if (!isSupported(getElementTypeOrSelf(operand.value)))
      continue;
    for (const Layout &layout : {Layout(), Layout{heads}}) {
      if (!canRearrange(space, operand.layout, layout))
        continue;
      learnedScale = operand;
      learnedScaleLayout = layout;
      break;
    }
  }
  return learnedScale.has_value();
}

bool AttentionPlan::planMask(const AttentionExpr &attention) {
  // A number that is the same for all keys changes no softmax.
  if (!attention.mask)
    return true;
  if (std::optional<APFloat> constant = attention.mask.getConstant();
      constant && !attention.hasConditionMask())
    return constant->isFinite();

  Layout logits = getLayout(heads, queryRows, keyRows);
  bool foundAligned = false;
  for (const Operand &operand : getOperands(attention.mask, false)) {
    Type type = getElementTypeOrSelf(operand.value);
    if (!attention.hasConditionMask() && !isSupported(type))
      continue;
    // A dimension of the logits is one of the mask, or has extent 1 there.
    AxisProduct axes = flatten(space, operand.layout);
    Layout layout = logits;
    for (AxisProduct &dim : layout)
      if (llvm::none_of(space.resolve(dim), [&](Axis axis) {
            return llvm::is_contained(axes, axis);
          }))
        dim.clear();
    if (!canRearrange(space, operand.layout, layout))
      continue;
    size_t rank = operand.layout.size();
    bool isAligned =
        rank <= layout.size() &&
        areEqual(space, operand.layout, ArrayRef(layout).take_back(rank));
    if (foundAligned && !isAligned)
      continue;
    foundAligned = isAligned;
    if (isAligned)
      layout = operand.layout;
    else // Broadcasting needs no leading units.
      layout.erase(layout.begin(),
                   llvm::find_if(layout, [&](const AxisProduct &dim) {
                     return !space.resolve(dim).empty();
                   }));
    mask = operand;
    maskLayout = layout;
  }
  isInvertedMask = attention.isInvertedMask;
  return mask.has_value();
}

std::optional<AttentionPlan> AttentionPlan::make(Value root,
                                                 const AttentionExpr &attention,
                                                 StringRef &reason) {
  AttentionPlan plan(root);
  if (llvm::is_contained(attention.query.getSpace(), 0)) {
    reason = "a dimension has extent 0";
    return std::nullopt;
  }
  plan.exprSpace = createLayout(plan.space, attention.query.getSpace());
  plan.rootLayout.assign(plan.exprSpace.begin(),
                         plan.exprSpace.begin() +
                             cast<RankedTensorType>(root.getType()).getRank());
  plan.keyRows = plan.exprSpace[attention.keyDim];
  plan.headDim = plan.exprSpace[attention.headDim];

  // The layouts of all sources first: reading one off may split axes.
  SmallVector<Operand> queries = plan.getOperands(attention.query, true);
  SmallVector<Operand> keys = plan.getOperands(attention.key, true);
  SmallVector<Operand> values = plan.getOperands(attention.value, false);
  if (!plan.planRows(attention, queries, keys, values)) {
    reason = "the logits have no layout [batch..., heads, queries, keys]";
    return std::nullopt;
  }
  AxisProduct rows = flatten(plan.space, plan.batch);
  llvm::append_range(rows, plan.space.resolve(plan.heads));
  llvm::append_range(rows, plan.space.resolve(plan.queryRows));
  for (Axis axis : flatten(plan.space, plan.rootLayout))
    if (!llvm::is_contained(rows, axis))
      plan.valueDim.push_back(axis);
  if (!plan.planOperands(queries, keys, values)) {
    reason = "query, key or value can't be read as [batch..., heads, sequence, "
             "head_dim]";
    return std::nullopt;
  }
  if (!canRearrange(plan.space,
                    plan.getLayout(plan.heads, plan.queryRows, plan.valueDim),
                    plan.rootLayout)) {
    reason = "the result isn't [batch..., heads, sequence, head_dim]";
    return std::nullopt;
  }
  if (!plan.planScale(attention)) {
    reason = "the factor on the logits is neither a number nor one operand";
    return std::nullopt;
  }
  if (!plan.planMask(attention)) {
    reason = "the mask can't be read as a tensor that broadcasts to the logits";
    return std::nullopt;
  }
  plan.zeroMaskedRows = attention.zeroMaskedRows;
  FloatType defaultType = plan.getElementType();
  if (!defaultType.isF64())
    defaultType = Float32Type::get(root.getContext());
  FloatType widestType = attention.widestType;
  if (widestType.getWidth() > defaultType.getWidth())
    plan.computeType = widestType;
  return plan;
}

/// An elementwise operation on `value`: `compute` of each element.
static Value
createElementwise(OpBuilder &builder, Location loc, Value value,
                  Type elementType,
                  function_ref<Value(OpBuilder &, Location, Value)> compute) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value), elementType);
  AffineMap map = builder.getMultiDimIdentityMap(rank);
  auto op = linalg::GenericOp::create(
      builder, loc, TypeRange{empty.getType()}, ValueRange{value},
      ValueRange{empty}, ArrayRef<AffineMap>{map, map},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &nested, Location nestedLoc, ValueRange arguments) {
        linalg::YieldOp::create(nested, nestedLoc,
                                compute(nested, nestedLoc, arguments.front()));
      });
  return op.getResult(0);
}

Value AttentionPlan::get(OpBuilder &builder, const Operand &operand,
                         ArrayRef<AxisProduct> layout) const {
  Location loc = root.getLoc();
  Value result =
      rearrange(builder, loc, space, operand.value, operand.layout, layout);
  FloatType type = getElementType();
  if (getElementTypeOrSelf(result) == type)
    return result;
  return createElementwise(builder, loc, result, type,
                           [&](OpBuilder &nested, Location loc, Value element) {
                             return arith::ExtFOp::create(nested, loc, type,
                                                          element);
                           });
}

Value AttentionPlan::create(OpBuilder &builder) const {
  Location loc = root.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(root.getDefiningOp());
  Value maskValue, learnedScaleValue;
  if (mask) {
    maskValue =
        rearrange(builder, loc, space, mask->value, mask->layout, maskLayout);
    if (isInvertedMask)
      maskValue = createElementwise(
          builder, loc, maskValue, builder.getI1Type(),
          [](OpBuilder &nested, Location loc, Value element) {
            Value allOnes = arith::ConstantIntOp::create(nested, loc, 1, 1);
            return arith::XOrIOp::create(nested, loc, element, allOnes);
          });
  }
  if (learnedScale)
    learnedScaleValue = rearrange(builder, loc, space, learnedScale->value,
                                  learnedScale->layout, learnedScaleLayout);
  Value queryValue = get(builder, query, getLayout(heads, queryRows, headDim));
  Value keyValue =
      get(builder, key, getLayout(keyValueHeads, keyRows, headDim));
  Value valueValue =
      get(builder, value, getLayout(keyValueHeads, keyRows, valueDim));
  auto op = AttentionOp::create(
      builder, loc, queryValue, keyValue, valueValue, maskValue,
      learnedScaleValue,
      learnedScale ? FloatAttr() : builder.getF64FloatAttr(scale),
      /*causal=*/UnitAttr(),
      softcap ? builder.getF64FloatAttr(*softcap) : FloatAttr(),
      /*window=*/IntegerAttr(),
      zeroMaskedRows ? builder.getUnitAttr() : UnitAttr(),
      computeType ? TypeAttr::get(computeType) : TypeAttr());
  Value result = rearrange(builder, loc, space, op.getResult(),
                           getLayout(heads, queryRows, valueDim), rootLayout);
  if (result.getType() != root.getType())
    result = tensor::CastOp::create(builder, loc, root.getType(), result);
  return result;
}

/// The value to replace if `contraction` is an attention's last: the result, or
/// what its only user makes of it by splitting dimensions or by rounding;
/// nearest first.
static SmallVector<Value> getRoots(Value contraction) {
  SmallVector<Value> roots{contraction};
  while (roots.back().hasOneUse()) {
    Operation *user = *roots.back().user_begin();
    if (user->getNumResults() != 1 ||
        !isa<RankedTensorType>(user->getResult(0).getType()))
      break;
    Value next = user->getResult(0);
    TensorExpr expr = TensorExpr::get(next);
    bool isExpansion = isa<tensor::ExpandShapeOp>(user) ||
                       (isa<tosa::ReshapeOp>(user) &&
                        cast<ShapedType>(next.getType()).getRank() >
                            cast<ShapedType>(roots.back().getType()).getRank());
    ExprNode node = expr.getDefinition();
    bool isRounding = !expr.getMoveSource() &&
                      node.kind == ExprKind::Truncate &&
                      node.operands[0].getValue() == roots.back();
    if (!isExpansion && !isRounding)
      break;
    roots.push_back(next);
  }
  return roots;
}

/// The plan for `op` as the last contraction of an attention, and the value
/// that it replaces. On failure `reason` is empty if there is no softmax at
/// all.
static std::optional<AttentionPlan> planAttention(Operation *op,
                                                  StringRef &reason) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool mayContract = isa<tosa::MatMulOp>(op) ||
                     (linalgOp && linalgOp.hasPureTensorSemantics() &&
                      linalgOp.getNumReductionLoops() != 0);
  if (!mayContract || op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  SmallVector<Value> roots = getRoots(op->getResult(0));
  for (Value root : llvm::reverse(roots)) {
    if (!isSupported(getElementTypeOrSelf(root)))
      continue;
    std::optional<AttentionExpr> attention =
        matchAttention(TensorExpr::get(root), reason);
    if (!attention)
      continue;
    if (auto plan = AttentionPlan::make(root, *attention, reason))
      return plan;
  }
  return std::nullopt;
}

namespace {

struct RaiseAttention : public RewritePattern {
  RaiseAttention(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    StringRef reason;
    std::optional<AttentionPlan> plan = planAttention(op, reason);
    if (!plan)
      return rewriter.notifyMatchFailure(
          op, [&](Diagnostic &diagnostic) { diagnostic << reason; });
    Value replacement = plan->create(rewriter);
    rewriter.replaceOp(plan->getRoot().getDefiningOp(), replacement);
    return success();
  }
};

} // namespace

void norm::populateRaiseAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseAttention>(patterns.getContext());
}

void norm::explainUnraisedAttention(
    Operation *op, function_ref<void(const Twine &why)> report) {
  StringRef reason;
  if (!planAttention(op, reason) && !reason.empty())
    report(reason);
}
