//===- RaiseNorm.cpp - Norms in tensor IR ---------------------------------===//
//
// A norm is a product of three factors in any order: what is normalized
// (centred, of a layer norm), one over the normalizer, and perhaps a scale; and
// perhaps a bias added to it. The normalizer says what is normalized, so it is
// looked for first; then the product is taken apart and each factor must be
// one of the three.
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/LinalgToNorm/LinalgToNorm.h"

using namespace mlir;
using namespace mlir::norm;

namespace {

/// A scale or bias: a tensor whose dimensions are `dims` of the norm's input,
/// once those of extent 1 (at which `dims` is -1) are dropped.
struct Parameter {
  Value value;
  SmallVector<int64_t> dims;

  SmallVector<int64_t> getDimsOfInput() const {
    SmallVector<int64_t> result(dims);
    llvm::erase(result, -1);
    return result;
  }

  /// The tensor without the dimensions of extent 1.
  Value materialize(OpBuilder &builder, Location loc) const;
};

/// Finds out whether one value is the result of a norm.
class NormMatcher {
public:
  explicit NormMatcher(Value root) : root(root) {}

  /// Matches; on success `spec` (but for scale and bias) and the parts below
  /// are set.
  bool match();

  NormSpec spec;
  Value input;
  std::optional<Parameter> scale, bias;

  /// What computes the first normalizer that was met, and why the match failed.
  std::pair<Operation *, std::string> nearMiss;

private:
  /// The factors of a product, apart from data and normalizer.
  struct Product {
    TensorExpr data;
    unsigned numData = 0, numNormalizers = 0, numDivisors = 0;
    SmallVector<TensorExpr, 2> others;

    bool isNormalized() const {
      return numData == 1 && numNormalizers == 1 && numDivisors == 0;
    }
  };

  /// A factor somewhere in the product.
  struct ProductPosition {
    TensorExpr expr;
    bool isDivisor;
    unsigned depth;
  };

  bool fail(const Twine &why) {
    reason = why.str();
    return false;
  }

  bool tryNormalizer(const TensorExpr &expr, const ProductPosition &position);
  static void addFactors(const ProductPosition &position,
                         SmallVectorImpl<ProductPosition> &positions);
  bool matchBiased(const TensorExpr &expr);
  bool matchScaled(const TensorExpr &expr);
  void collectFactors(const TensorExpr &expr, bool isDivisor, Type type,
                      Product &product, unsigned depth = 0);
  bool matchData(const TensorExpr &expr);
  bool matchScale(const TensorExpr &expr);
  std::optional<Parameter> matchParameter(const TensorExpr &expr);
  bool checkPrecision();
  bool findInput(const TensorExpr &data);

  Value root;
  Type resultType;
  std::string reason;
  Normalizer normalizer;
  SmallVector<int64_t> axes;
  FloatType computeType;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Value Parameter::materialize(OpBuilder &builder, Location loc) const {
  if (!llvm::is_contained(dims, -1))
    return value;
  // Each group holds one dimension that stays, the first one what is before it.
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  SmallVector<int64_t> shape;
  for (auto [position, dim] : llvm::enumerate(dims)) {
    group.push_back(position);
    if (dim < 0)
      continue;
    shape.push_back(type.getDimSize(position));
    groups.push_back(std::exchange(group, {}));
  }
  if (!groups.empty())
    groups.back().append(group);
  return tensor::CollapseShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups);
}

/// Whether `value` is a constant or comes from an argument without meeting
/// anything but other such values: what a weight looks like, and what is
/// computed from the input of a Transformer's layer doesn't.
static bool isParameterLike(Value value, unsigned depth = 8) {
  if (isa<BlockArgument>(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (depth == 0 || isa<NormalizationOpInterface>(op))
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    if (linalgOp.getNumReductionLoops() != 0)
      return false;
  return isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isParameterLike(operand, depth - 1);
         });
}

std::optional<Parameter> NormMatcher::matchParameter(const TensorExpr &expr) {
  int64_t numDims = llvm::count_if(expr.getSpace(),
                                   [](int64_t extent) { return extent != 1; });
  // From where it comes from outward; as it is, else without unit dimensions.
  SmallVector<TensorExpr> chain{expr};
  while (true) {
    TensorExpr next = chain.back().getMoveSource();
    if (!next)
      if (ExprNode node = chain.back().getDefinition();
          node.kind == ExprKind::Extend)
        next = node.operands[0];
    if (!next)
      break;
    chain.push_back(next);
  }
  bool isNumber = expr.getConstant().has_value();
  for (bool allowUnitDims : {false, true}) {
    for (const TensorExpr &candidate : llvm::reverse(chain)) {
      Parameter parameter{candidate.getValue(), {}};
      if (!candidate.isProjectedPermutation(parameter.dims))
        continue;
      SmallVector<int64_t> dims = parameter.getDimsOfInput();
      bool hasUnitDims = dims.size() != parameter.dims.size();
      if (hasUnitDims != allowUnitDims || !llvm::is_sorted(dims))
        continue;
      // A row vector, or a number, or a weight that also has other dimensions
      // than the normalized ones, but not all: that is a gate.
      bool isRow = dims == axes;
      bool covers = llvm::all_of(
          axes, [&](int64_t axis) { return llvm::is_contained(dims, axis); });
      bool isGate = static_cast<int64_t>(dims.size()) == numDims && !isRow;
      bool isWeight = isParameterLike(parameter.value);
      if ((isRow && !hasUnitDims &&
           static_cast<size_t>(numDims) > dims.size()) ||
          (isWeight && !isGate && (covers || (dims.empty() && !isNumber))))
        return parameter;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// How many operations deep a product is taken apart.
static constexpr unsigned maxDepth = 6;

/// Whether operand `i` of a product is a divisor.
static bool isInverted(ExprKind kind, unsigned i) {
  return kind == ExprKind::Reciprocal || (kind == ExprKind::Div && i == 1);
}

bool NormMatcher::matchData(const TensorExpr &expr) {
  SmallVector<int64_t> found;
  if (normalizer.kind != NormKind::Layer) {
    if (!runsAlong(normalizer.input, normalizer.dims, expr, found))
      return false;
  } else {
    SmallVector<int64_t> centredAxes;
    SmallVector<Type> types;
    std::optional<TensorExpr> centred = matchCentered(expr, centredAxes, types);
    if (!centred ||
        !runsAlong(normalizer.input, normalizer.dims, *centred, found))
      return false;
    llvm::sort(centredAxes);
    llvm::sort(found);
    if (centredAxes != found)
      return false;
    normalizer.types.append(types);
  }
  llvm::sort(found);
  auto type = cast<RankedTensorType>(root.getType());
  for (int64_t axis : found)
    if (type.getDimSize(axis) == 0)
      return fail("there is no element along a normalized dimension");
  axes = found;
  return true;
}

/// Takes the product of type `type` apart.
void NormMatcher::collectFactors(const TensorExpr &expr, bool isDivisor,
                                 Type type, Product &product, unsigned depth) {
  if (isDivisor == !normalizer.isInverse &&
      isSameElement(expr, normalizer.expr)) {
    ++product.numNormalizers;
    return;
  }
  if (!isDivisor && matchData(expr)) {
    ++product.numData;
    product.data = expr;
    return;
  }
  ExprNode node = expr.getDefinition();
  bool isProduct = node.kind == ExprKind::Mul || node.kind == ExprKind::Div ||
                   node.kind == ExprKind::Reciprocal;
  if (isProduct && expr.getElementType() == type && depth < maxDepth) {
    for (auto [i, operand] : llvm::enumerate(node.operands))
      collectFactors(operand, isDivisor != isInverted(node.kind, i), type,
                     product, depth + 1);
    return;
  }
  if (isDivisor)
    ++product.numDivisors;
  else
    product.others.push_back(expr);
}

bool NormMatcher::matchScale(const TensorExpr &expr) {
  // 1 + w, where the sum is taken in the type of the normalization.
  TensorExpr offset;
  if (expr.getElementType() == computeType &&
      matchExpr(expr, m_Add(m_Any(&offset), m_Const(1.0)))) {
    scale = matchParameter(offset);
    spec.unitOffset = scale.has_value();
  }
  if (!scale)
    scale = matchParameter(expr);
  return scale || fail("the scale is not a tensor along the normalized "
                       "dimensions");
}

bool NormMatcher::matchScaled(const TensorExpr &expr) {
  Product product;
  computeType = cast<FloatType>(expr.getElementType());
  collectFactors(expr, false, computeType, product);
  if (product.isNormalized()) {
    if (product.others.size() > 1)
      return fail("it is a product of more than a value, its normalizer and a "
                  "scale");
    return findInput(product.data) &&
           (product.others.empty() || matchScale(product.others.front()));
  }

  // Rounded before it is scaled.
  ExprNode node = expr.getDefinition();
  if (node.kind != ExprKind::Mul)
    return fail("what is normalized is not what the statistic is of");
  for (unsigned i : {0, 1}) {
    TensorExpr rounded = skipExtends(node.operands[i]);
    ExprNode cast = rounded.getDefinition();
    if (cast.kind != ExprKind::Truncate)
      continue;
    Product inner;
    computeType = mlir::cast<FloatType>(cast.operands[0].getElementType());
    collectFactors(cast.operands[0], false, computeType, inner);
    if (!inner.isNormalized() || !inner.others.empty())
      continue;
    // The product of two numbers of the rounded type is exact in the wider one.
    Type type = expr.getElementType();
    if (rounded.getElementType() != resultType ||
        (type != resultType && type != computeType))
      return fail("the normalized value is rounded to another type");
    spec.castBeforeScale = true;
    return findInput(inner.data) && matchScale(node.operands[1 - i]);
  }
  return fail("what is normalized is not what the statistic is of");
}

bool NormMatcher::matchBiased(const TensorExpr &expr) {
  if (matchScaled(expr))
    return checkPrecision();
  ExprNode node = expr.getDefinition();
  if (node.kind != ExprKind::Add || normalizer.kind == NormKind::L2)
    return false;
  for (unsigned i : {0, 1}) {
    spec.castBeforeScale = spec.unitOffset = false;
    scale.reset();
    if (!matchScaled(node.operands[i]))
      continue;
    if (expr.getElementType() != computeType)
      return fail("the bias is added in another type");
    bias = matchParameter(node.operands[1 - i]);
    if (!bias)
      return fail("the bias is not a tensor along the normalized dimensions");
    SmallVector<int64_t> dims = bias->getDimsOfInput();
    SmallVector<int64_t> scaleDims = scale ? scale->getDimsOfInput() : axes;
    if (!dims.empty() && !scaleDims.empty() && dims != scaleDims)
      return fail("scale and bias have other dimensions");
    return checkPrecision();
  }
  return false;
}

/// Everything is computed in one type; but a statistic of an f32 norm may be
/// computed in f64, which the norm does without.
bool NormMatcher::checkPrecision() {
  for (Type type : normalizer.types)
    if (type != computeType && !(computeType.isF32() && type.isF64()))
      return fail(
          "statistic and normalization are computed in different types");
  return true;
}

/// Sets the tensor of the result's type that `data` are the elements of.
bool NormMatcher::findInput(const TensorExpr &data) {
  TensorExpr expr = data;
  if (normalizer.kind == NormKind::Layer)
    expr = data.getDefinition().operands[0];
  while (true) {
    if (expr.isIdentity() && expr.getValue().getType() == root.getType())
      input = expr.getValue();
    if (TensorExpr source = expr.getMoveSource()) {
      expr = source;
      continue;
    }
    ExprNode node = expr.getDefinition();
    if (node.kind != ExprKind::Extend)
      break;
    expr = node.operands[0];
  }
  return input ||
         fail("no tensor of the result's type holds what is normalized");
}

bool NormMatcher::match() {
  auto type = dyn_cast<RankedTensorType>(root.getType());
  if (!type || !isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
                   type.getElementType()))
    return false;
  resultType = type.getElementType();
  TensorExpr expr = TensorExpr::get(root);
  if (expr.getMoveSource())
    return false;

  // The last rounding. A result that is not of the input's type is left to the
  // value before it.
  ExprNode node = expr.getDefinition();
  if (node.kind == ExprKind::Truncate)
    expr = node.operands[0];
  else if (node.kind != ExprKind::Add && node.kind != ExprKind::Mul &&
           node.kind != ExprKind::Div)
    return false;

  // Breadth first: a normalizer deeper down may be that of the input.
  SmallVector<ProductPosition> positions{{expr, /*isDivisor=*/false, 0}};
  for (size_t i = 0; i < positions.size(); ++i) {
    ProductPosition position = positions[i];
    if (tryNormalizer(expr, position))
      return true;
    addFactors(position, positions);
  }
  return false;
}

/// Matches `expr` as a norm whose normalizer is at `position`.
bool NormMatcher::tryNormalizer(const TensorExpr &expr,
                                const ProductPosition &position) {
  reason.clear();
  std::optional<Normalizer> found =
      matchNormalizer(position.expr, !position.isDivisor, &reason);
  if (found) {
    normalizer = *found;
    spec = {};
    scale.reset();
    bias.reset();
    input = {};
    if (matchBiased(expr)) {
      spec.kind = normalizer.kind;
      spec.epsilon = normalizer.epsilon;
      spec.epsilonMode = normalizer.epsilonMode;
      spec.axes = axes;
      spec.computeType = computeType;
      for (const std::optional<Parameter> &parameter : {scale, bias})
        if (parameter && spec.scaleDims.empty())
          spec.scaleDims = parameter->getDimsOfInput();
      return true;
    }
  }
  if (!reason.empty() && !nearMiss.first) {
    SmallVector<Type> types;
    nearMiss = {skipCasts(position.expr, types).getDefinition().op, reason};
  }
  return false;
}

/// Appends the factors of a product, and the addends of a biased one.
void NormMatcher::addFactors(const ProductPosition &position,
                             SmallVectorImpl<ProductPosition> &positions) {
  if (position.depth == maxDepth)
    return;
  ExprNode node = position.expr.getDefinition();
  switch (node.kind) {
  case ExprKind::Add:
    if (position.depth != 0)
      return;
    break;
  case ExprKind::Mul:
  case ExprKind::Div:
  case ExprKind::Reciprocal:
  case ExprKind::Extend:
  case ExprKind::Truncate:
    break;
  default:
    return;
  }
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    ProductPosition factor{operand,
                           position.isDivisor != isInverted(node.kind, i),
                           position.depth + 1};
    if (llvm::none_of(positions, [&](const ProductPosition &other) {
          return other.expr == factor.expr &&
                 other.isDivisor == factor.isDivisor;
        }))
      positions.push_back(factor);
  }
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {

struct RaiseNorm : RewritePattern {
  explicit RaiseNorm(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpResult result : op->getResults()) {
      NormMatcher matcher(result);
      if (result.use_empty() || !matcher.match() || !isMemoryEffectFree(op))
        continue;
      Location loc = op->getLoc();
      rewriter.setInsertionPoint(op);
      if (matcher.scale)
        matcher.spec.scale = matcher.scale->materialize(rewriter, loc);
      if (matcher.bias)
        matcher.spec.bias = matcher.bias->materialize(rewriter, loc);
      Value norm =
          matcher.spec.create(rewriter, loc, matcher.input).getResult();
      rewriter.replaceAllUsesWith(result, norm);
      changed = true;
    }
    if (changed && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
    return success(changed);
  }
};

} // namespace

void norm::populateRaiseNormPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseNorm>(patterns.getContext());
}

void norm::explainUnraisedNorm(
    Value value,
    llvm::function_ref<void(Operation *normalizer, const Twine &why)> report) {
  NormMatcher matcher(value);
  if (!matcher.match() && matcher.nearMiss.first)
    report(matcher.nearMiss.first, matcher.nearMiss.second);
}
