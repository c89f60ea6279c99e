//===- AttentionLogits.cpp - What bounds the logits of an attention -------===//

#include "AttentionLogits.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

/// What the norm that `path` leads to normalizes together, if that is head_dim
/// or all heads.
static std::optional<QKNorm::Scope> scopeOf(const ProjectionPath &path,
                                            int64_t heads, int64_t headDim) {
  NormalizationOpInterface norm = path.norm;
  SmallVector<int64_t> axes = norm.getNormalizedAxes();
  const HeadLayout *layout = path.getMovedLayout();
  if (layout && !llvm::all_of(layout->headDim, [&](int64_t dim) {
        return llvm::is_contained(axes, dim);
      }))
    return std::nullopt;
  std::optional<int64_t> extent = norm.getNormalizedExtent();
  if (!extent || ShapedType::isDynamic(headDim))
    return std::nullopt;
  if (*extent == headDim)
    return QKNorm::Scope::Head;
  // The norm may stand before its heads are repeated.
  if (path.points.back().layout)
    heads = path.points.back().layout->headCount;
  if (ShapedType::isStatic(heads) && *extent == heads * headDim)
    return QKNorm::Scope::Hidden;
  return std::nullopt;
}

/// The elements of a constant, with `offset` added; none if it is no constant.
static std::optional<SmallVector<double>> constantElements(Value value,
                                                           double offset) {
  DenseFPElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  SmallVector<double> result;
  bool losesInfo;
  for (APFloat element : elements.getValues<APFloat>()) {
    element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    result.push_back(element.convertToDouble() + offset);
  }
  return result;
}

/// NaN if there is one.
static double largestMagnitude(ArrayRef<double> values) {
  double largest = 0.0;
  for (double value : values) {
    if (std::isnan(value))
      return value;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// The largest length that a vector has after `norm`, if it is provable. Every
/// epsilon mode makes the normalizer larger than without epsilon, so that it is
/// bounded by the case without.
static std::optional<double> largestLength(NormalizationOpInterface norm) {
  std::optional<int64_t> extent = norm.getNormalizedExtent();
  if (!extent)
    return std::nullopt;
  double length = norm.getNormKind() == NormKind::L2 ? 1.0 : std::sqrt(*extent);
  if (Value scale = norm.getScale()) {
    auto elements = constantElements(scale, norm.getUnitOffset() ? 1.0 : 0.0);
    if (!elements)
      return std::nullopt;
    length *= largestMagnitude(*elements);
  }
  if (Value bias = norm.getBias()) {
    auto elements = constantElements(bias, 0.0);
    if (!elements)
      return std::nullopt;
    length += largestMagnitude(*elements) * std::sqrt(*extent);
  }
  return length;
}

static std::optional<double> logitScale(AttentionOp op) {
  if (Value learned = op.getLearnedScale()) {
    auto elements = constantElements(learned, 0.0);
    return elements ? std::optional(largestMagnitude(*elements)) : std::nullopt;
  }
  return op.getLogitScale();
}

void norm::analyzeLogits(AttentionSite &site, const BranchSlice *module,
                         ArrayRef<NormalizationOpInterface> inputNorms) {
  AttentionOp op = site.op;
  if (op.getSoftcap())
    site.logitBound = op.getSoftcap()->convertToDouble();

  int64_t rank = op.getQuery().getType().getRank();
  auto trace = [&](Value operand, int64_t heads) {
    ProjectionPath path = traceProjection(
        operand, HeadLayout{{rank - 3}, {rank - 1}, heads}, module);
    if (llvm::is_contained(inputNorms, path.norm))
      path.norm = {};
    return path;
  };
  site.query = trace(op.getQuery(), op.getHeads());
  site.key = trace(op.getKey(), op.getKeyValueHeads());
  const ProjectionPath &query = site.query, &key = site.key;
  // One norm of all three is what the attention as a whole reads.
  NormalizationOpInterface valueNorm =
      trace(op.getValue(), op.getKeyValueHeads()).norm;
  if (valueNorm != query.norm && valueNorm != key.norm)
    site.valueNorm = valueNorm;
  if (!query.norm || !key.norm)
    return;
  auto queryScope = scopeOf(query, op.getHeads(), op.getHeadDim());
  auto keyScope = scopeOf(key, op.getKeyValueHeads(), op.getHeadDim());
  if (!queryScope || !keyScope)
    return;

  QKNorm qkNorm{query.norm, key.norm, *queryScope, QKNorm::Position::NoRope};
  NormalizationOpInterface queryNorm = query.norm;
  if (query.mixes())
    qkNorm.position = QKNorm::Position::BeforeRope;
  else if (traceProjection(queryNorm.getInput(), std::nullopt, module).mixes())
    qkNorm.position = QKNorm::Position::AfterRope;
  site.qkNorm = qkNorm;

  if (!query.getMovedLayout() || !key.getMovedLayout() || site.logitBound)
    return;
  auto queryLength = largestLength(query.norm);
  auto keyLength = largestLength(key.norm);
  auto scale = logitScale(op);
  if (!queryLength || !keyLength || !scale)
    return;
  double bound = std::abs(*scale) * *queryLength * *keyLength;
  if (std::isfinite(bound))
    site.logitBound = bound;
}
