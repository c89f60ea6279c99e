//===- AttentionLogits.cpp - What bounds the logits of an attention -------===//

#include "AttentionLogits.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

/// Whether `op` only moves elements: each of its result is one of its operand.
static bool movesElements(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          linalg::TransposeOp, linalg::BroadcastOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumResults() != 1)
    return false;
  auto yield = cast<linalg::YieldOp>(generic.getBody()->getTerminator());
  return yield.getOperand(0) == generic.getBody()->getArgument(0);
}

namespace {
/// What lies between an attention's operand and the projection that it comes
/// from.
struct ProjectionPath {
  /// The one norm on every way from the operand back to a contraction; null if
  /// there is none.
  NormalizationOpInterface norm;
  /// The operand is the norm's result, its elements moved only.
  bool direct = true;
  /// Two values computed from the projection are combined (rotary embedding)
  /// after the norm / before it.
  bool mixesAfterNorm = false, mixesBeforeNorm = false;
};
} // namespace

/// Walks back from `value` to norms and contractions. `atNorm` and
/// `atContraction` are called where the walk stops; `atOperation` on every
/// operation it passes, with the number of values that the walk follows from
/// there.
template <typename AtNorm, typename AtContraction, typename AtOperation>
static void walkBack(Value value, const BranchSlice *module, AtNorm atNorm,
                     AtContraction atContraction, AtOperation atOperation) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> worklist = {value};
  // What does not come from the trunk (tables of a rotary embedding) is passed
  // by, unless all of the value does not (keys of a cross-attention).
  auto follows = [&](Value v) {
    Operation *op = v.getDefiningOp();
    return op && (!module || module->contains(op));
  };
  if (!follows(value))
    module = nullptr;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
      atNorm(norm);
      continue;
    }
    if (isContraction(op)) {
      atContraction();
      continue;
    }
    llvm::SmallDenseSet<Value> followed;
    forEachReadValue(op, [&](Value v) {
      if (follows(v) && followed.insert(v).second)
        worklist.push_back(v);
    });
    atOperation(op, followed.size());
  }
}

static ProjectionPath followToProjection(Value value,
                                         const BranchSlice *module) {
  ProjectionPath path;
  bool oneNorm = true;
  walkBack(
      value, module,
      [&](NormalizationOpInterface norm) {
        oneNorm &= !path.norm || path.norm == norm;
        path.norm = norm;
      },
      [&] { oneNorm = false; },
      [&](Operation *op, size_t followed) {
        path.direct &= movesElements(op);
        path.mixesAfterNorm |= followed > 1;
      });
  if (!oneNorm)
    path.norm = {};
  if (path.norm)
    walkBack(
        path.norm.getInput(), module, [](NormalizationOpInterface) {}, [] {},
        [&](Operation *, size_t followed) {
          path.mixesBeforeNorm |= followed > 1;
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

static std::optional<QKNorm::Scope> scopeOf(NormalizationOpInterface norm,
                                            int64_t heads, int64_t headDim) {
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

static double largestMagnitude(ArrayRef<double> values) {
  double largest = 0.0;
  for (double value : values)
    largest = std::max(largest, std::abs(value));
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
  if (!query.norm || !key.norm || llvm::is_contained(inputNorms, query.norm) ||
      llvm::is_contained(inputNorms, key.norm))
    return;
  auto queryScope = scopeOf(query.norm, op.getHeads(), op.getHeadDim());
  auto keyScope = scopeOf(key.norm, op.getKeyValueHeads(), op.getHeadDim());
  if (!queryScope || !keyScope)
    return;

  QKNorm qkNorm{query.norm, key.norm, *queryScope, QKNorm::Position::NoRope};
  if (query.mixesAfterNorm)
    qkNorm.position = QKNorm::Position::BeforeRope;
  else if (query.mixesBeforeNorm)
    qkNorm.position = QKNorm::Position::AfterRope;
  site.qkNorm = qkNorm;

  if (!query.direct || !key.direct || site.logitBound)
    return;
  auto queryLength = largestLength(query.norm);
  auto keyLength = largestLength(key.norm);
  auto scale = logitScale(op);
  if (queryLength && keyLength && scale)
    site.logitBound = std::abs(*scale) * *queryLength * *keyLength;
}
