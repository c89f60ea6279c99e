//===- InsertQKNorm.cpp - Normalizes queries and keys ---------------------===//

#include "PlacementPlan.h"
#include "QKNormSites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMINSERTQKNORMPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

using Options = NormInsertQKNormPassOptions;
using Step = ProjectionPath::Step;

//===----------------------------------------------------------------------===//
// Where a norm goes
//===----------------------------------------------------------------------===//

namespace {
/// A value to normalize, and along which dimensions.
struct NormPlace {
  Value value;
  SmallVector<int64_t> axes;
};
} // namespace

/// The number of elements along `dims`; dynamic if one of several extents is.
static int64_t extentAlong(Value value, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t extent = 1;
  for (int64_t dim : dims) {
    if (type.isDynamicDim(dim))
      return ShapedType::kDynamic;
    extent *= type.getDimSize(dim);
  }
  return extent;
}

/// The dimensions to normalize at `point`, if heads and head_dim are where they
/// must be; with `merged`, only if they are one dimension.
static std::optional<NormPlace> findAxes(const ProjectionPath::Point &point,
                                         QKNormScope scope, int64_t headDim,
                                         bool merged) {
  const HeadLayout &layout = *point.layout;
  NormPlace place{point.value, {}};
  llvm::append_range(place.axes, layout.headDim);
  if (merged) {
    bool isOne = layout.heads == layout.headDim && layout.heads.size() == 1;
    if (!isOne || ShapedType::isDynamic(headDim) ||
        ShapedType::isDynamic(layout.headCount) ||
        extentAlong(point.value, layout.heads) != headDim * layout.headCount)
      return std::nullopt;
    return place;
  }
  if (extentAlong(point.value, layout.headDim) != headDim ||
      layout.headDim.empty())
    return std::nullopt;
  for (int64_t dim : layout.heads) {
    if (llvm::is_contained(layout.headDim, dim))
      return std::nullopt;
    if (scope == QKNormScope::Hidden)
      place.axes.push_back(dim);
  }
  if (scope == QKNormScope::Hidden &&
      extentAlong(point.value, layout.heads) != layout.headCount)
    return std::nullopt;
  llvm::sort(place.axes);
  return place;
}

/// Whether a norm may stand on either side of the step.
static bool isTransparent(Step step) {
  return step == Step::Move || step == Step::Repeat || step == Step::Cast ||
         step == Step::Factor;
}

/// Chooses the point of `path`, the way of the `what` of an attention, to
/// normalize. Fails, with the reason in `why`, if there is none.
static FailureOr<NormPlace> findPlace(const ProjectionPath &path,
                                      StringRef what, int64_t headDim,
                                      const Options &options,
                                      std::string &why) {
  // The points from `first` to `last` are on the side of the rotation that
  // `position` says.
  bool before = options.position == QKNormPosition::BeforeRope;
  unsigned first = 0, last = 0, count = path.steps.size();
  for (; last < count; ++last) {
    if (before && path.steps[last] == Step::Rotation)
      first = last + 1;
    else if (!isTransparent(path.steps[last]))
      break;
  }
  if (before) {
    bool unknown = path.mixesBehind;
    for (unsigned i = last; i < count; ++i)
      unknown |= path.mixing[i] || path.steps[i] == Step::Unknown;
    if (unknown) {
      why = ("what lies between its " + what +
             " and the projection is not understood; expected "
             "'position=after-rope'")
                .str();
      return failure();
    }
  }

  // Normalizing undoes a constant factor. That is what becomes of an
  // attention's scale that l2 replaces, but of no other.
  bool undoes = options.kind == NormKind::L2;
  auto isFactor = [&](unsigned i) { return path.steps[i] == Step::Factor; };
  if (undoes) {
    for (unsigned i = 0; i < last; ++i)
      if (isFactor(i)) {
        last = i;
        break;
      }
  } else {
    for (unsigned i = last; i-- > 0;)
      if (isFactor(i)) {
        first = std::max(first, i + 1);
        break;
      }
  }
  if (first > last) {
    why = ("its " + what + " is multiplied by a constant " +
           (undoes ? "behind" : "before") + " the place of the norm")
              .str();
    return failure();
  }

  for (unsigned i = first; i < last; ++i)
    if (path.steps[i] == Step::Repeat)
      first = i + 1;
  ArrayRef<ProjectionPath::Point> points =
      ArrayRef(path.points).slice(first, last - first + 1);
  for (bool merged : {true, false})
    for (const ProjectionPath::Point &point : points)
      if (merged == false || options.scope == QKNormScope::Hidden)
        if (auto place = findAxes(point, options.scope, headDim, merged))
          return *place;
  why =
      ("the heads of its " + what + " are not found where the norm would stand")
          .str();
  return failure();
}

//===----------------------------------------------------------------------===//
// Insertion
//===----------------------------------------------------------------------===//

namespace {
/// Inserts the norms of one function.
class Inserter {
public:
  Inserter(FunctionOpInterface function, ResidualStreamAnalysis &analysis,
           const Options &options)
      : analysis(analysis), options(options),
        parameters(function, options.params) {
    findTemplate();
  }

  /// Failure only where a refusal is an error.
  LogicalResult insert(const AttentionSite &site);

private:
  void findTemplate();
  LogicalResult check(const AttentionSite &site, std::string &why);
  void insertNorm(OpOperand &operand, const NormPlace &place,
                  const std::string &name);
  void insertScale(AttentionOp op, const std::string &name);
  bool hasParameters() const { return options.scale || options.bias; }

  ResidualStreamAnalysis &analysis;
  const Options &options;
  ParameterBuilder parameters;
  /// The norms but for axes and parameters.
  NormSpec newNorm;
};
} // namespace

void Inserter::findTemplate() {
  newNorm.kind = options.kind;
  if (options.kind == NormKind::L2) {
    newNorm.epsilon = options.epsilon >= 0.0 ? options.epsilon : 1e-12;
    newNorm.epsilonMode = EpsilonMode::Clamp;
    return;
  }
  SmallVector<NormalizationOpInterface> norms;
  auto add = [&](NormalizationOpInterface norm) {
    if (norm && norm.getNormKind() == options.kind)
      norms.push_back(norm);
  };
  for (ResidualStream &stream : analysis.getStreams()) {
    add(stream.embeddingNorm);
    add(stream.finalNorm);
    for (Sublayer &sublayer : stream.sublayers) {
      llvm::for_each(sublayer.inputNorms, add);
      add(sublayer.outputNorm);
      add(sublayer.postNorm);
    }
  }
  auto isAlike = [&](NormalizationOpInterface norm) {
    NormSpec spec(norm), first(norms.front());
    return spec.epsilon == first.epsilon &&
           spec.epsilonMode == first.epsilonMode &&
           spec.computeType == first.computeType &&
           spec.castBeforeScale == first.castBeforeScale;
  };
  newNorm.epsilon = 1e-6;
  if (!norms.empty() && llvm::all_of(norms, isAlike)) {
    NormSpec first(norms.front());
    newNorm.epsilon = first.epsilon;
    newNorm.epsilonMode = first.epsilonMode;
    newNorm.computeType = first.computeType;
    newNorm.castBeforeScale = first.castBeforeScale && options.scale;
  }
  if (options.epsilon >= 0.0) {
    newNorm.epsilon = options.epsilon;
    newNorm.epsilonMode = EpsilonMode::Inside;
  }
}

/// Whether the attention can be normalized as far as its places have no say.
LogicalResult Inserter::check(const AttentionSite &site, std::string &why) {
  AttentionOp op = site.op;
  for (auto [path, what] :
       {std::pair(&site.query, "query"), std::pair(&site.key, "key")}) {
    if (path->norm) {
      why = std::string("its ") + what + " is normalized already";
      return failure();
    }
    if (site.sublayer && !path->isProjected) {
      why = std::string("its ") + what + " is not computed by a projection";
      return failure();
    }
  }
  if (options.kind != NormKind::L2)
    return hasParameters() ? parameters.checkCanCreate(why) : success();
  if (op.getLearnedScale()) {
    why = "it has a learned scale already";
    return failure();
  }
  if (options.perHead && ShapedType::isDynamic(op.getHeads())) {
    why = "the number of its heads, and so of g, is dynamic";
    return failure();
  }
  return parameters.checkCanCreate(why);
}

static SmallVector<int64_t> extentsAlong(const NormPlace &place) {
  auto type = cast<RankedTensorType>(place.value.getType());
  return llvm::map_to_vector(
      place.axes, [&](int64_t axis) { return type.getDimSize(axis); });
}

LogicalResult Inserter::insert(const AttentionSite &site) {
  AttentionOp op = site.op;
  std::string why;
  auto refuse = [&]() {
    return refuseConversion(op, site.name, why, options.strict);
  };
  if (failed(check(site, why)))
    return refuse();
  FailureOr<NormPlace> query =
      findPlace(site.query, "query", op.getHeadDim(), options, why);
  if (failed(query))
    return refuse();
  FailureOr<NormPlace> key =
      findPlace(site.key, "key", op.getHeadDim(), options, why);
  if (failed(key))
    return refuse();
  if (options.kind != NormKind::L2 && hasParameters())
    for (const NormPlace &place : {*query, *key})
      if (ShapedType::isDynamicShape(extentsAlong(place))) {
        why = "the extent of the norm's parameters is dynamic";
        return refuse();
      }

  insertNorm(op.getQueryMutable(), *query, site.name + ".q_norm");
  insertNorm(op.getKeyMutable(), *key, site.name + ".k_norm");
  if (options.kind == NormKind::L2)
    insertScale(op, site.name + ".g");
  return success();
}

void Inserter::insertNorm(OpOperand &operand, const NormPlace &place,
                          const std::string &name) {
  OpBuilder builder(operand.getOwner());
  builder.setInsertionPointAfterValue(place.value);
  Location loc = place.value.getLoc();
  NormSpec spec = newNorm;
  spec.axes = place.axes;
  if (options.kind != NormKind::L2) {
    auto type = RankedTensorType::get(
        extentsAlong(place),
        cast<RankedTensorType>(operand.get().getType()).getElementType());
    if (options.scale)
      spec.scale = parameters.create(builder, loc, name + ".scale", type, 1.0);
    if (options.bias)
      spec.bias = parameters.create(builder, loc, name + ".bias", type, 0.0);
  }
  NormalizationOpInterface norm = spec.create(builder, loc, place.value);
  replaceOnWay(operand, place.value, norm.getResult());
}

/// Henry et al. 2020, Section 2: g0 = log2(L^2 - L).
static double initialG(const Options &options) {
  double length = options.seqLen;
  return options.g > 0.0 ? options.g : std::log2(length * length - length);
}

void Inserter::insertScale(AttentionOp op, const std::string &name) {
  OpBuilder builder(op);
  SmallVector<int64_t> shape;
  if (options.perHead)
    shape.push_back(op.getHeads());
  auto type =
      RankedTensorType::get(shape, op.getQuery().getType().getElementType());
  Value g =
      parameters.create(builder, op.getLoc(), name, type, initialG(options));
  op.getLearnedScaleMutable().assign(g);
  if (FloatAttr scale = op.getScaleAttr())
    op->setAttr(kReplacedScaleAttrName, scale);
  op.removeScaleAttr();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct NormInsertQKNormPass
    : public norm::impl::NormInsertQKNormPassBase<NormInsertQKNormPass> {
  using NormInsertQKNormPassBase::NormInsertQKNormPassBase;

  LogicalResult checkOptions();
  void runOnOperation() override;
};
} // namespace

LogicalResult NormInsertQKNormPass::checkOptions() {
  auto error = [&]() { return emitError(getOperation().getLoc()); };
  bool hasSeqLen = seqLen.getNumOccurrences() > 0 || seqLen != 0;
  bool hasG = g.getNumOccurrences() > 0 || g != 0.0;
  if (epsilon.getNumOccurrences() > 0 &&
      !(std::isfinite(epsilon) && epsilon >= 0.0))
    return error()
           << "expected 'epsilon' to be finite and not negative, but got "
           << epsilon;
  if (kind != NormKind::L2) {
    if (hasSeqLen || hasG || perHead)
      return error() << "expected 'seq-len', 'g' and 'per-head' with kind=l2 "
                        "only, but got kind="
                     << stringifyNormKind(kind);
    return success();
  }
  if (bias || scale.getNumOccurrences() > 0)
    return error() << "expected 'scale' and 'bias' with kind=layer or kind=rms "
                      "only, but got kind=l2";
  if (hasSeqLen == hasG)
    return error() << "expected 'seq-len' (the 97.5th percentile of the "
                      "training lengths) or 'g' with kind=l2, but got "
                   << (hasG ? "both" : "neither");
  if (hasG && !(std::isfinite(g) && g > 0.0))
    return error() << "expected 'g' to be finite and positive, but got " << g;
  if (hasSeqLen && seqLen < 2)
    return error()
           << "expected 'seq-len' to be 2 or more, for log2(L^2 - L) to "
              "be positive, but got "
           << static_cast<int64_t>(seqLen);
  return success();
}

void NormInsertQKNormPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<std::string> ranges(layers.begin(), layers.end());
  FailureOr<LayerSelection> selection =
      LayerSelection::parse(module.getLoc(), ranges);
  if (failed(selection) || failed(checkOptions()))
    return signalPassFailure();
  Options options;
  options.kind = kind;
  options.scope = scope;
  options.position = position;
  options.seqLen = seqLen;
  options.g = g;
  options.perHead = perHead;
  options.scale = scale;
  options.bias = bias;
  options.epsilon = epsilon;
  options.params = params;
  options.strict = strict;

  auto result = module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return WalkResult::advance();
    auto &analysis = getChildAnalysis<ResidualStreamAnalysis>(function);
    Inserter inserter(function, analysis, options);
    for (const AttentionSite &site : analysis.getAttentions())
      if (isSelected(*selection, site, analysis) &&
          failed(inserter.insert(site)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
