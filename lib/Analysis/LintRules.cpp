//===- LintRules.cpp - The rules of the lint ------------------------------===//

#include "LintRules.h"
#include "ReportText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/GrowthModel.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// The trunk
//===----------------------------------------------------------------------===//

/// Whether a norm reads `value`, or what elementwise operations, reshapes and
/// slices make of it.
static bool isNormalizedLater(Value value) {
  SmallVector<Value> worklist = {value};
  llvm::SmallDenseSet<Operation *> seen;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (readsShapeOnly(use) || !seen.insert(op).second)
        continue;
      if (isa<NormalizationOpInterface>(op) && !op->use_empty())
        return true;
      if (!isContraction(op) && !isa<CallOpInterface>(op))
        llvm::append_range(worklist, op->getResults());
    }
  return false;
}

static void checkFinalNorm(LintSubject &subject) {
  for (auto [index, stream] : llvm::enumerate(subject.analysis.getStreams())) {
    Sublayer &last = stream.sublayers.back();
    bool hasNorms = llvm::any_of(stream.sublayers, [](const Sublayer &each) {
      return !each.inputNorms.empty() || each.outputNorm;
    });
    if (subject.isReferred || stream.goesOnElsewhere || !hasNorms ||
        last.postNorm || stream.exit.use_empty() ||
        isNormalizedLater(stream.exit))
      continue;
    subject.report({index, "", ""}, last.add.getLoc(),
                   "the trunk ends after " + last.name + " (placement " +
                       last.getPlacement().getName() +
                       ") without a final norm: the head reads a sum that "
                       "grows with depth");
  }
}

/// The number of layers of `stream` for which `counts` holds: those of a loop
/// as often as it runs, if that is known.
static uint64_t countLayers(ResidualStream &stream,
                            llvm::function_ref<bool(Sublayer &)> counts) {
  uint64_t layers = 0;
  std::optional<unsigned> latest;
  for (Sublayer &sublayer : stream.sublayers)
    if (sublayer.layer != latest && counts(sublayer)) {
      latest = sublayer.layer;
      ++layers;
    }
  return layers * stream.getTripCount().value_or(1);
}

static void checkPostNormDepth(LintSubject &subject) {
  constexpr unsigned kLayers = 20;
  auto isPost = [](Sublayer &sublayer) {
    return sublayer.postNorm && !sublayer.isDeepNorm();
  };
  for (auto [index, stream] : llvm::enumerate(subject.analysis.getStreams())) {
    uint64_t layers = countLayers(stream, isPost);
    if (layers <= kLayers)
      continue;
    Sublayer &first = *llvm::find_if(stream.sublayers, isPost);
    subject.report({index, "", ""}, first.add.getLoc(),
                   "a post-norm stack of " + Twine(layers) +
                       " layers whose skips have no scale: above " +
                       Twine(kLayers) +
                       " layers, training needs a warm-up, or DeepNorm");
  }
}

/// A module reads a post norm's result, and the skip beside it what that norm
/// reads. What other sublayers of the same kind do says that it is a post norm.
static void checkSkips(LintSubject &subject) {
  for (auto [index, stream] : llvm::enumerate(subject.analysis.getStreams())) {
    MutableArrayRef<Sublayer> sublayers = stream.sublayers;
    if (llvm::none_of(sublayers, [](auto &each) { return !!each.postNorm; }))
      continue;
    for (unsigned i = 1; i < sublayers.size(); ++i) {
      Sublayer &before = sublayers[i - 1], &sublayer = sublayers[i];
      if (before.postNorm || sublayer.inputNorms.empty() ||
          sublayer.trunk != before.add.getResult())
        continue;
      // Stacks that turn from post to pre at some layer (Mix-LN), and those
      // whose kinds differ (HybridNorm), are meant so.
      unsigned post = 0, other = 0;
      bool isPostLater = false;
      for (auto [j, each] : llvm::enumerate(sublayers)) {
        if (each.kind != before.kind)
          continue;
        ++(each.postNorm ? post : other);
        isPostLater |= j >= i && each.postNorm;
      }
      if (post > other && isPostLater)
        subject.report(subject.getPlace(index, sublayer), sublayer.add.getLoc(),
                       sublayer.name +
                           " adds to the trunk from before the "
                           "norm that its module reads: other "
                           "sublayers add to what the norm after " +
                           before.name.substr(before.name.rfind('.') + 1) +
                           " gives");
    }
  }
}

static void checkF16Overflow(LintSubject &subject) {
  for (auto [index, stream] : llvm::enumerate(subject.analysis.getStreams())) {
    auto type = dyn_cast<Float16Type>(getElementTypeOrSelf(stream.source));
    if (!type)
      continue;
    std::optional<GrowthPrediction> growth =
        predictGrowth(stream, GrowthModel(), type);
    // A loop that never runs has no layer to overflow in.
    if (growth && growth->overflowLayer && !growth->sublayers.empty())
      subject.report(
          {index, "", ""}, stream.sublayers.front().add.getLoc(),
          "the trunk is in f16, and is predicted to pass 65504 in layers." +
              Twine(*growth->overflowLayer) + " of " +
              Twine(growth->sublayers.back().layer + 1) + " (with a gain of " +
              shortDecimal(GrowthModel().gain) +
              " in each layer, the largest |x| is " +
              shortDecimal(growth->maximum) + "): bf16 and f32 hold it");
  }
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static void checkEpsilon(LintSubject &subject) {
  for (auto &[op, place] : subject.norms) {
    auto norm = cast<NormalizationOpInterface>(op);
    FloatType type = norm.getStatisticsType();
    double smallest = APFloat::getSmallestNormalized(type.getFloatSemantics())
                          .convertToDouble();
    double epsilon = norm.getEpsilon().convertToDouble();
    if (epsilon >= smallest)
      continue;
    std::string what = " is 0";
    if (epsilon != 0.0)
      what = " is " + shortestFloatDecimal(epsilon) +
             ", less than the smallest normal number of its compute type, " +
             shortDecimal(smallest);
    StringRef row =
        norm.getNormKind() == NormKind::Layer ? "equal elements" : "zeros";
    subject.report(place, op->getLoc(),
                   "epsilon of " + place.description + what + ": a row of " +
                       row + " gives NaN");
  }
}

static void checkStatisticsType(LintSubject &subject) {
  for (auto &[op, place] : subject.norms) {
    FloatType type = cast<NormalizationOpInterface>(op).getStatisticsType();
    if (type.getWidth() >= 32)
      continue;
    subject.report(place, op->getLoc(),
                   Twine("statistics of ") + place.description +
                       (type.isF16()
                            ? " in f16: the square of an element above 255 "
                              "overflows"
                            : " in bf16: sums are off by up to 1 part in 256 "
                              "with each term"));
  }
}

/// The norm that gives `value`, possibly through casts.
static NormalizationOpInterface normBefore(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto norm = dyn_cast<NormalizationOpInterface>(op))
      return norm;
    if (!isa<arith::ExtFOp, arith::TruncFOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return {};
}

static void checkNormOfNorm(LintSubject &subject) {
  for (auto &[op, place] : subject.norms) {
    NormalizationOpInterface inner =
        normBefore(cast<NormalizationOpInterface>(op).getInput());
    if (!inner)
      continue;
    // Where the trunk itself goes on from the inner norm, as from the embedding
    // norm of BLOOM and CLIP, both norms do something.
    bool isReadOtherwise = llvm::any_of(inner->getUses(), [](OpOperand &use) {
      return !isa<NormalizationOpInterface, arith::ExtFOp, arith::TruncFOp,
                  tensor::CastOp>(use.getOwner()) &&
             !readsShapeOnly(use);
    });
    std::string message = place.description + " normalizes what " +
                          subject.norms[inner].description + " gives";
    if (isReadOtherwise)
      subject.report(place, op->getLoc(), message, LintSeverity::Remark);
    else
      subject.report(place, op->getLoc(),
                     message + ", which nothing else reads");
  }
}

/// Whether all elements of `value` are the constant 0.
static bool isZero(Value value) {
  DenseFPElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<APFloat>().isZero();
}

/// Whether `use` is that of an addition, element by element, of a vector along
/// the last dimension.
static bool isAdditionOfVector(OpOperand &use) {
  auto add = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!add || add.getNumDpsInputs() != 2 || add.getNumDpsInits() != 1 ||
      add.getNumLoops() != add.getNumParallelLoops() || !add.isDpsInput(&use) ||
      add.getBody()->getOperations().size() != 2)
    return false;
  auto addf = dyn_cast<arith::AddFOp>(add.getBody()->front());
  if (!addf ||
      addf.getResult() != add.getBody()->getTerminator()->getOperand(0))
    return false;
  OpOperand *other = add.getDpsInputOperand(1 - use.getOperandNumber());
  return addf->getOperand(0) != addf->getOperand(1) &&
         addf.getLhs().getDefiningOp() == nullptr &&
         addf.getRhs().getDefiningOp() == nullptr &&
         add.getMatchingIndexingMap(&use).isIdentity() &&
         add.getMatchingIndexingMap(other).isMinorIdentity() &&
         add.getMatchingIndexingMap(other).getNumResults() == 1 &&
         !isZero(other->get());
}

static void checkBias(LintSubject &subject) {
  for (auto &[op, place] : subject.norms) {
    auto norm = cast<NormalizationOpInterface>(op);
    if (norm.getNormKind() != NormKind::RMS || norm->hasAttr(kCenteredAttrName))
      continue;
    bool hasBias = norm.getBias() && !isZero(norm.getBias());
    if (hasBias || llvm::any_of(norm->getUses(), isAdditionOfVector))
      subject.report(place, op->getLoc(),
                     "a bias is added after " + place.description +
                         ": an RMSNorm has none, a LayerNorm that was renamed "
                         "keeps it");
  }
}

//===----------------------------------------------------------------------===//
// Attention logits
//===----------------------------------------------------------------------===//

/// Whether the elements of `from` are multiplied by a number (or one for each
/// head) on the way to `to`: not by a table, as a rotary embedding does.
static bool isScaledBetween(Value from, Value to) {
  BranchSlice way(from, to);
  return llvm::any_of(way.getOperations(), [&](Operation *op) {
    bool multiplies = isa<arith::MulFOp, arith::DivFOp>(op);
    bool byConstant = false;
    op->walk([&](Operation *inner) {
      if (!isa<arith::MulFOp, arith::DivFOp>(inner))
        return;
      multiplies = true;
      byConstant |= llvm::any_of(inner->getOperands(), [](Value operand) {
        Attribute constant;
        if (!matchPattern(operand, m_Constant(&constant)))
          return false;
        auto elements = dyn_cast<DenseElementsAttr>(constant);
        return !elements || elements.isSplat();
      });
    });
    if (!multiplies || isContraction(op))
      return false;
    return byConstant || llvm::any_of(op->getOperands(), [&](Value operand) {
             auto type = dyn_cast<RankedTensorType>(operand.getType());
             return !way.depends(operand) &&
                    (!type || llvm::count_if(type.getShape(), [](int64_t size) {
                                return size != 1;
                              }) <= 1);
           });
  });
}

namespace {
/// How an attention whose queries and keys have unit length scales its logits.
struct UnitLogits {
  /// A factor beside that of the attention.
  bool hasFactor;
  /// The factor of the attention; none if it is an operand.
  std::optional<double> scale;
  /// Whether that is 1/sqrt(head_dim).
  bool isHeadScale;
};
} // namespace

/// Whether `value` is computed by a product with 1/sqrt(dim), or a quotient by
/// sqrt(dim).
static bool isTimesHeadScale(Value value, double dim) {
  Operation *op = value.getDefiningOp();
  bool found = false;
  if (op)
    op->walk([&](Operation *inner) {
      double unit = isa<arith::DivFOp>(inner)   ? 1.0 / std::sqrt(dim)
                    : isa<arith::MulFOp>(inner) ? std::sqrt(dim)
                                                : 0.0;
      for (Value operand : inner->getOperands())
        if (APFloat number(0.0);
            matchPattern(operand, m_ConstantFloat(&number)))
          found |= std::abs(number.convertToDouble() * unit - 1.0) < 1e-3;
    });
  return found;
}

/// None if not both queries and keys are normalized to unit length.
static std::optional<UnitLogits> getUnitLogits(const AttentionSite &site) {
  if (!site.qkNorm)
    return std::nullopt;
  NormalizationOpInterface query = site.qkNorm->query, key = site.qkNorm->key;
  if (query.getNormKind() != NormKind::L2 || key.getNormKind() != NormKind::L2)
    return std::nullopt;
  AttentionOp op = site.op;
  UnitLogits logits;
  Value learned = op.getLearnedScale();
  logits.hasFactor = learned || query.getScale() || key.getScale() ||
                     isScaledBetween(query.getResult(), op.getQuery()) ||
                     isScaledBetween(key.getResult(), op.getKey());
  logits.scale = op.getLogitScale();
  double dim = op.getHeadDim();
  bool isDefault = !op.getScale() && !learned;
  logits.isHeadScale =
      isDefault ||
      (logits.scale && op.getHeadDim() > 1 &&
       std::abs(*logits.scale * std::sqrt(dim) - 1.0) < 1e-3) ||
      (learned && op.getHeadDim() > 1 && isTimesHeadScale(learned, dim));
  return logits;
}

static void checkUnscaledUnitLogits(LintSubject &subject) {
  for (auto [index, site] : llvm::enumerate(subject.analysis.getAttentions())) {
    std::optional<UnitLogits> logits = getUnitLogits(site);
    AttentionOp op = site.op;
    if (!logits || logits->hasFactor)
      continue;
    double bound = std::abs(logits->scale.value_or(1.0));
    if (!(bound <= 1.0))
      continue;
    LintSubject::Place place = subject.getPlace(index, site);
    subject.report(place, op.getLoc(),
                   "queries and keys of " + place.description +
                       " have length 1 and no scale: logits stay in [-" +
                       shortDecimal(bound) + ", " + shortDecimal(bound) +
                       "], and the softmax is nearly uniform");
  }
}

static void checkTwiceScaledUnitLogits(LintSubject &subject) {
  for (auto [index, site] : llvm::enumerate(subject.analysis.getAttentions())) {
    std::optional<UnitLogits> logits = getUnitLogits(site);
    AttentionOp op = site.op;
    if (!logits || !logits->hasFactor || !logits->isHeadScale)
      continue;
    LintSubject::Place place = subject.getPlace(index, site);
    subject.report(place, op.getLoc(),
                   "the scale of " + place.description +
                       "'s QK-Norm comes on top of 1/sqrt(head_dim): it is "
                       "meant in its place");
  }
}

static void checkValueNorm(LintSubject &subject) {
  for (auto [index, site] : llvm::enumerate(subject.analysis.getAttentions())) {
    NormalizationOpInterface norm = site.valueNorm;
    if (!norm || !site.qkNorm)
      continue;
    LintSubject::Place place = subject.getPlace(index, site);
    std::string message =
        "the values of " + place.description +
        " are normalized along with its queries and keys: QK-Norm leaves them "
        "as they are";
    // HybridNorm and Gemma 3n do so with a norm that keeps their size.
    if (norm.getNormKind() == NormKind::L2)
      subject.report(place, norm.getLoc(), message);
    else
      subject.report(place, norm.getLoc(), message, LintSeverity::Remark);
  }
}

/// One finding for each stream: most models are of this kind.
static void checkLogitBound(LintSubject &subject) {
  llvm::MapVector<std::optional<unsigned>, SmallVector<unsigned>> unbounded;
  ArrayRef<AttentionSite> sites = subject.analysis.getAttentions();
  for (auto [index, site] : llvm::enumerate(sites))
    if (!site.qkNorm && !site.logitBound)
      unbounded[subject.getPlace(index, site).stream].push_back(index);
  for (auto &[stream, indices] : unbounded) {
    unsigned first = indices.front();
    AttentionOp op = sites[first].op;
    LintSubject::Place place = subject.getPlace(first, sites[first]);
    std::string others;
    if (indices.size() > 1)
      others = " and " + std::to_string(indices.size() - 1) + " more";
    subject.report({stream, indices.size() > 1 ? "" : place.sublayer, ""},
                   op.getLoc(),
                   "nothing bounds the logits of " + place.description +
                       others + ": no QK-Norm and no soft cap");
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

ArrayRef<LintRule> norm::getLintRules() {
  static constexpr LintRule rules[] = {
      {"missing-final-norm", LintSeverity::Warning, checkFinalNorm},
      {"deep-post-norm", LintSeverity::Remark, checkPostNormDepth},
      {"skip-before-post-norm", LintSeverity::Warning, checkSkips},
      {"f16-trunk-overflow", LintSeverity::Remark, checkF16Overflow},
      {"missing-epsilon", LintSeverity::Warning, checkEpsilon},
      {"narrow-statistics", LintSeverity::Warning, checkStatisticsType},
      {"norm-of-norm", LintSeverity::Warning, checkNormOfNorm},
      {"bias-after-rms-norm", LintSeverity::Warning, checkBias},
      {"unscaled-l2-qk-norm", LintSeverity::Warning, checkUnscaledUnitLogits},
      {"twice-scaled-qk-norm", LintSeverity::Warning,
       checkTwiceScaledUnitLogits},
      {"normalized-value", LintSeverity::Warning, checkValueNorm},
      {"unbounded-logits", LintSeverity::Remark, checkLogitBound},
  };
  return rules;
}
