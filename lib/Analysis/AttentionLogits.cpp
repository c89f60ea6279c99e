//===- AttentionLogits.cpp - What bounds the logits of an attention -------===//

#include "AttentionLogits.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

namespace {
/// What lies between an attention's operand and the projection that it comes
/// from.
struct ProjectionPath {
  /// The one norm on every way from the operand back to a contraction; null if
  /// there is none.
  NormalizationOpInterface norm;
  /// Two values computed from the norm's result / from the projection are
  /// combined (rotary embedding).
  bool mixesAfterNorm = false, mixesBeforeNorm = false;
  /// If the operand is the norm's result, its elements moved only: the
  /// dimensions of the norm along which the operand's last dimension runs.
  std::optional<SmallVector<int64_t>> headDims;
};
} // namespace

/// Walks back from `value` to norms and contractions; `visit` is called where
/// the walk stops.
static void walkBack(Value value, const BranchSlice *module,
                     llvm::function_ref<void(Operation *)> visit) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> worklist;
  // What does not come from the trunk (tables of a rotary embedding) is passed
  // by, unless all of the value does not (keys of a cross-attention).
  if (module && !module->depends(value))
    module = nullptr;
  auto follow = [&](Value v) {
    Operation *op = v.getDefiningOp();
    if (op && (!module || module->contains(op)))
      worklist.push_back(v);
  };
  follow(value);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<NormalizationOpInterface>(op) || isContraction(op)) {
      visit(op);
      continue;
    }
    forEachReadValue(op, follow);
  }
}

/// Whether, on the way from `from` to `to`, values that depend on `from` meet.
static bool mixes(Value from, Value to) {
  BranchSlice way(from, to);
  return llvm::any_of(way.getOperations(), [&](Operation *op) {
    llvm::SmallDenseSet<Value> read;
    forEachReadValue(op, [&](Value value) {
      Operation *definition = value.getDefiningOp();
      if (value == from || (definition && way.contains(definition)))
        read.insert(value);
    });
    return read.size() > 1;
  });
}

/// The dimensions of the operand of `op` along which the dimensions `dims` of
/// its result run, if each element along them is another one of the operand;
/// none if `op` does more than to move elements.
static std::optional<SmallVector<int64_t>> sourceDims(Operation *op,
                                                      ArrayRef<int64_t> dims) {
  if (isa<tensor::CastOp>(op))
    return SmallVector<int64_t>(dims);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    llvm::SmallSetVector<int64_t, 4> source;
    for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices()))
      if (llvm::any_of(group, [&](int64_t d) { return is_contained(dims, d); }))
        source.insert(dim);
    return source.takeVector();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<int64_t> source;
    for (int64_t dim : dims)
      for (int64_t part : collapse.getReassociationIndices()[dim])
        if (collapse.getSrcType().getDimSize(part) != 1)
          source.push_back(part);
    return source;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp.getNumDpsInits() != 1 ||
      linalgOp.getNumLoops() != linalgOp.getNumParallelLoops())
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  if (body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  AffineMap inputMap =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInputOperand(0));
  AffineMap resultMap =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  if (!inputMap.isProjectedPermutation(/*allowZeroInResults=*/true) ||
      !resultMap.isPermutation())
    return std::nullopt;
  SmallVector<int64_t> source;
  for (int64_t dim : dims) {
    std::optional<unsigned> sourceDim =
        inputMap.getResultPosition(resultMap.getResult(dim));
    if (!sourceDim)
      return std::nullopt;
    source.push_back(*sourceDim);
  }
  return source;
}

/// The dimensions of `from` along which the last dimension of `to` runs, if
/// there are only moves of elements between the two.
static std::optional<SmallVector<int64_t>> followLastDim(Value from, Value to) {
  SmallVector<int64_t> dims = {cast<RankedTensorType>(to.getType()).getRank() -
                               1};
  while (to != from) {
    Operation *op = to.getDefiningOp();
    if (!op || op->getNumOperands() == 0)
      return std::nullopt;
    std::optional<SmallVector<int64_t>> source = sourceDims(op, dims);
    if (!source)
      return std::nullopt;
    dims = std::move(*source);
    to = op->getOperand(0);
  }
  return dims;
}

static ProjectionPath followToProjection(Value value,
                                         const BranchSlice *module) {
  ProjectionPath path;
  bool oneNorm = true;
  walkBack(value, module, [&](Operation *op) {
    auto norm = dyn_cast<NormalizationOpInterface>(op);
    oneNorm &= norm && (!path.norm || path.norm == norm);
    path.norm = norm;
  });
  if (!oneNorm)
    path.norm = {};
  if (!path.norm)
    return path;
  path.headDims = followLastDim(path.norm.getResult(), value);
  path.mixesAfterNorm = mixes(path.norm.getResult(), value);
  walkBack(path.norm.getInput(), module, [&](Operation *op) {
    path.mixesBeforeNorm |= mixes(op->getResult(0), path.norm.getInput());
  });
  return path;
}

/// The number of elements that a norm normalizes together, if it is static.
static std::optional<int64_t> normalizedExtent(NormalizationOpInterface norm) {
  int64_t extent = 1;
  for (int64_t axis : norm.getNormalizedAxes()) {
    int64_t size = norm.getInput().getType().getDimSize(axis);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    extent *= size;
  }
  return extent;
}

/// What the norm of `path` normalizes together, if that is head_dim or all
/// heads.
static std::optional<QKNorm::Scope> scopeOf(const ProjectionPath &path,
                                            int64_t heads, int64_t headDim) {
  NormalizationOpInterface norm = path.norm;
  SmallVector<int64_t> axes = norm.getNormalizedAxes();
  if (path.headDims && !llvm::all_of(*path.headDims, [&](int64_t dim) {
        return llvm::is_contained(axes, dim);
      }))
    return std::nullopt;
  std::optional<int64_t> extent = normalizedExtent(norm);
  if (!extent || ShapedType::isDynamic(headDim))
    return std::nullopt;
  if (*extent == headDim)
    return QKNorm::Scope::Head;
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
  std::optional<int64_t> extent = normalizedExtent(norm);
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

  ProjectionPath query = followToProjection(op.getQuery(), module);
  ProjectionPath key = followToProjection(op.getKey(), module);
  ProjectionPath value = followToProjection(op.getValue(), module);
  // One norm of all three is what the attention as a whole reads.
  if (!llvm::is_contained(inputNorms, value.norm) && value.norm != query.norm &&
      value.norm != key.norm)
    site.valueNorm = value.norm;
  if (!query.norm || !key.norm || llvm::is_contained(inputNorms, query.norm) ||
      llvm::is_contained(inputNorms, key.norm))
    return;
  auto queryScope = scopeOf(query, op.getHeads(), op.getHeadDim());
  auto keyScope = scopeOf(key, op.getKeyValueHeads(), op.getHeadDim());
  if (!queryScope || !keyScope)
    return;

  QKNorm qkNorm{query.norm, key.norm, *queryScope, QKNorm::Position::NoRope};
  if (query.mixesAfterNorm)
    qkNorm.position = QKNorm::Position::BeforeRope;
  else if (query.mixesBeforeNorm)
    qkNorm.position = QKNorm::Position::AfterRope;
  site.qkNorm = qkNorm;

  if (!query.headDims || !key.headDims || site.logitBound)
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
