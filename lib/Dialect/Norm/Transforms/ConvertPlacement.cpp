//===- ConvertPlacement.cpp - Moves norms to another placement ------------===//
//
// A stream with n sublayers has n + 1 points: before the first sublayer,
// between two, after the last one. At each point the trunk may pass a norm T
// (embedding, post or final norm), and each sublayer that reads the trunk there
// may have an input norm B. The placements of the sublayer before and of those
// after say which of T and B there must be; `planPoint` decides how to get
// there, moving norms between the trunk and the branches where it can, and
// `applyPoint` does it. Output norms are each sublayer's own.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCONVERTPLACEMENTPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

static Placement placementBits(TargetPlacement target) {
  switch (target) {
  case TargetPlacement::None:
    return {false, false, false};
  case TargetPlacement::Post:
  case TargetPlacement::DeepNorm:
    return {false, false, true};
  case TargetPlacement::Pre:
    return {true, false, false};
  case TargetPlacement::Peri:
    return {true, true, false};
  case TargetPlacement::Output:
    return {false, true, false};
  }
  llvm_unreachable("unknown placement");
}

static SublayerSelector selectorOf(SublayerKind kind) {
  switch (kind) {
  case SublayerKind::SelfAttention:
  case SublayerKind::CrossAttention:
    return SublayerSelector::Attention;
  case SublayerKind::FeedForward:
  case SublayerKind::GatedFeedForward:
  case SublayerKind::MixtureOfExperts:
    return SublayerSelector::FeedForward;
  case SublayerKind::Other:
    return SublayerSelector::Other;
  }
  llvm_unreachable("unknown sublayer kind");
}

/// "0-3", "7": the first and the last layer.
static FailureOr<std::pair<unsigned, unsigned>> parseRange(StringRef text) {
  auto [first, last] = text.split('-');
  std::pair<unsigned, unsigned> range;
  if (first.getAsInteger(10, range.first))
    return failure();
  range.second = range.first;
  if (text.contains('-') &&
      (last.getAsInteger(10, range.second) || range.second < range.first))
    return failure();
  return range;
}

//===----------------------------------------------------------------------===//
// Plan of one point
//===----------------------------------------------------------------------===//

namespace {

/// A point of the trunk: between `raw`, which a residual add (or the source)
/// gives, and `value`, which the next skip reads.
struct TrunkPoint {
  Value raw;
  NormalizationOpInterface trunkNorm;
  /// The name of the trunk norm there.
  std::string place;
  /// The sublayer whose add gives `raw`; null at the source.
  Sublayer *before = nullptr;
  /// The sublayers that read the trunk here; empty at the exit.
  SmallVector<Sublayer *> after;

  Value value() const {
    return trunkNorm ? Value(trunkNorm->getResult(0)) : raw;
  }
};

/// Where a norm that must be at a place comes from.
struct NormSource {
  enum Kind {
    /// There is none, and there must be none.
    Absent,
    /// It is there already.
    Present,
    /// It is there and must go.
    Dropped,
    /// The trunk norm becomes the input norm, or an input norm the trunk norm.
    Moved,
    /// A dropped norm is taken back.
    Revived,
    /// It is made.
    Created
  } kind = Absent;
  /// The norm that is moved or revived.
  NormalizationOpInterface norm;
};

struct PointPlan {
  NormSource trunk;
  /// One for each sublayer after the point.
  SmallVector<NormSource> inputs;

  bool creates() const {
    return trunk.kind == NormSource::Created ||
           llvm::any_of(inputs, [](const NormSource &input) {
             return input.kind == NormSource::Created;
           });
  }
};

} // namespace

/// The norm of `value` that a conversion dropped at `place`; else the only one
/// that it dropped there at all; else null.
static NormalizationOpInterface findDropped(Value value, StringRef place) {
  SmallVector<NormalizationOpInterface> dropped;
  for (Operation *user : value.getUsers()) {
    auto norm = dyn_cast<NormalizationOpInterface>(user);
    if (!norm || norm.getInput() != value || !norm->use_empty())
      continue;
    auto attr = norm->getAttrOfType<StringAttr>(kDroppedAttrName);
    if (!attr)
      continue;
    if (attr.getValue() == place)
      return norm;
    dropped.push_back(norm);
  }
  return dropped.size() == 1 ? dropped.front() : nullptr;
}

static std::string inputPlace(const Sublayer &sublayer) {
  return sublayer.name + ".input_norm";
}
static std::string outputPlace(const Sublayer &sublayer) {
  return sublayer.name + ".output_norm";
}

/// Plans the norms at `point` from what must be there.
static PointPlan planPoint(const TrunkPoint &point, bool wantsTrunkNorm,
                           ArrayRef<bool> wantsInputNorm) {
  PointPlan plan;
  bool trunkNormMoves = false;
  for (auto [sublayer, wanted] : llvm::zip_equal(point.after, wantsInputNorm)) {
    NormSource &input = plan.inputs.emplace_back();
    if (!sublayer->inputNorms.empty()) {
      input.kind = wanted ? NormSource::Present : NormSource::Dropped;
      continue;
    }
    if (!wanted)
      continue;
    if (auto dropped = findDropped(point.value(), inputPlace(*sublayer))) {
      input = {NormSource::Revived, dropped};
    } else if (point.trunkNorm && !wantsTrunkNorm) {
      input = {NormSource::Moved, point.trunkNorm};
      trunkNormMoves = true;
    } else {
      input.kind = NormSource::Created;
    }
  }

  if (point.trunkNorm) {
    plan.trunk.kind = wantsTrunkNorm   ? NormSource::Present
                      : trunkNormMoves ? NormSource::Moved
                                       : NormSource::Dropped;
    return plan;
  }
  if (!wantsTrunkNorm)
    return plan;

  // Input norms that are not needed where they are can stand on the trunk, if
  // they are all the same.
  SmallVector<NormalizationOpInterface> movable;
  for (auto [sublayer, input] : llvm::zip_equal(point.after, plan.inputs))
    if (input.kind == NormSource::Dropped)
      llvm::append_range(movable, sublayer->inputNorms);
  if (!movable.empty() &&
      llvm::all_of(movable, [&](NormalizationOpInterface norm) {
        return NormSpec(norm) == NormSpec(movable.front());
      })) {
    plan.trunk = {NormSource::Moved, movable.front()};
    for (NormSource &input : plan.inputs)
      if (input.kind == NormSource::Dropped)
        input = {NormSource::Moved, movable.front()};
    return plan;
  }
  if (auto dropped = findDropped(point.raw, point.place))
    plan.trunk = {NormSource::Revived, dropped};
  else
    plan.trunk.kind = NormSource::Created;
  return plan;
}

//===----------------------------------------------------------------------===//
// Conversion of one stream
//===----------------------------------------------------------------------===//

namespace {

using Options = NormConvertPlacementPassOptions;

class StreamConverter {
public:
  StreamConverter(ResidualStream &stream, ParameterBuilder &parameters,
                  const Options &options)
      : stream(stream), parameters(parameters), options(options),
        target(placementBits(options.to)) {}

  /// Converts the stream; failure only where a refusal is an error.
  LogicalResult run();

private:
  LogicalResult refuse(Operation *op, const Twine &what, const Twine &why);
  LogicalResult selectSublayers();
  void collectPoints();
  bool isExit(const TrunkPoint &point) { return point.after.empty(); }
  bool wantsTrunkNorm(const TrunkPoint &point);
  bool wantsEmbeddingNorm(const TrunkPoint &point);
  bool wantsNormAtExit(const TrunkPoint &point);
  bool wantsInputNorm(const Sublayer &sublayer);
  NormSource planOutput(Sublayer &sublayer);
  LogicalResult findTemplate(std::string &why);

  void applyPoint(const TrunkPoint &point, const PointPlan &plan);
  Value applyTrunkNorm(const TrunkPoint &point, const NormSource &plan,
                       ArrayRef<OpOperand *> uses);
  void applyInputNorm(Sublayer &sublayer, const NormSource &plan, Value trunk);
  void applyOutputNorm(Sublayer &sublayer, const NormSource &plan);
  void applyResidualScales();
  NormalizationOpInterface makeNorm(Value input, const Twine &place);
  NormalizationOpInterface revive(NormalizationOpInterface norm, Value input);
  void drop(NormalizationOpInterface norm, Value input, StringRef place);

  bool isSelected(const Sublayer &sublayer) {
    return selected.contains(&sublayer);
  }

  ResidualStream &stream;
  ParameterBuilder &parameters;
  const Options &options;
  Placement target;
  llvm::SmallPtrSet<const Sublayer *, 16> selected;
  SmallVector<TrunkPoint, 0> points;
  /// The norms that are made, but for their parameters.
  NormSpec newNorm;
  bool newNormHasScale = true, newNormHasBias = true;
  Type parameterType;
};

} // namespace

LogicalResult StreamConverter::refuse(Operation *op, const Twine &what,
                                      const Twine &why) {
  if (options.strict)
    return op->emitError() << what << " cannot be converted: " << why;
  op->emitRemark() << what << " is left as it is: " << why;
  return success();
}

/// Decides which sublayers are converted.
LogicalResult StreamConverter::selectSublayers() {
  SmallVector<std::pair<unsigned, unsigned>> ranges;
  for (const std::string &text : options.layers)
    ranges.push_back(*parseRange(text));

  for (Sublayer &sublayer : stream.sublayers) {
    bool inRange = ranges.empty() || llvm::any_of(ranges, [&](auto range) {
                     return range.first <= sublayer.layer &&
                            sublayer.layer <= range.second;
                   });
    bool ofKind = options.kinds.empty() ||
                  llvm::is_contained(options.kinds, selectorOf(sublayer.kind));
    if (!inRange || !ofKind)
      continue;
    if (!sublayer.irregularity.empty()) {
      if (failed(refuse(sublayer.add, sublayer.name, sublayer.irregularity)))
        return failure();
      continue;
    }
    selected.insert(&sublayer);
  }

  // A parallel group has one post norm, after its last add.
  std::vector<Sublayer> &sublayers = stream.sublayers;
  for (size_t first = 0, last; first < sublayers.size(); first = last + 1) {
    last = first;
    while (last + 1 < sublayers.size() && sublayers[first].parallelGroup &&
           sublayers[last + 1].parallelGroup == sublayers[first].parallelGroup)
      ++last;
    MutableArrayRef<Sublayer> group(&sublayers[first], last - first + 1);
    bool some = llvm::any_of(group, [&](auto &s) { return isSelected(s); });
    bool all = llvm::all_of(group, [&](auto &s) { return isSelected(s); });
    if (all || !some || group.back().getPlacement().post == target.post)
      continue;
    for (Sublayer &sublayer : group) {
      if (!selected.erase(&sublayer))
        continue;
      if (failed(refuse(sublayer.add, sublayer.name,
                        "its parallel sublayers, with which it shares the post "
                        "norm, are not converted")))
        return failure();
    }
  }
  return success();
}

void StreamConverter::collectPoints() {
  TrunkPoint &entry = points.emplace_back();
  entry.raw = stream.source;
  // The embedding norm of a loop is outside of it.
  if (!stream.loop)
    entry.trunkNorm = stream.embeddingNorm;
  entry.place = stream.prefix + "embedding_norm";

  for (Sublayer &sublayer : stream.sublayers) {
    SmallVector<Sublayer *> &together = points.back().after;
    Sublayer *before = together.empty() ? nullptr : together.back();
    bool joins = before && sublayer.parallelGroup &&
                 before->parallelGroup == sublayer.parallelGroup;
    if (before && !joins)
      points.push_back({before->add.getResult(),
                        before->postNorm,
                        before->name + ".post_norm",
                        before,
                        {}});
    points.back().after.push_back(&sublayer);
  }

  Sublayer &last = stream.sublayers.back();
  TrunkPoint &exit = points.emplace_back();
  exit.before = &last;
  bool isPost = last.postNorm || (isSelected(last) && target.post);
  exit.place = isPost && !stream.loop ? last.name + ".post_norm"
                                      : stream.prefix + "final_norm";
  // The post norm at the end of a loop's body stays where it is (`run` refuses
  // what would move it); the point is outside.
  exit.raw = stream.loop ? stream.exit : Value(last.add.getResult());
  exit.trunkNorm =
      last.postNorm && !stream.loop ? last.postNorm : stream.finalNorm;
}

//===----------------------------------------------------------------------===//
// What must be where
//===----------------------------------------------------------------------===//

bool StreamConverter::wantsInputNorm(const Sublayer &sublayer) {
  return isSelected(sublayer) ? target.input : !sublayer.inputNorms.empty();
}

bool StreamConverter::wantsEmbeddingNorm(const TrunkPoint &point) {
  // The trunk of another stream, or of every iteration, is not ours to
  // normalize.
  if (stream.loop || stream.source.getDefiningOp<ResidualAddOp>())
    return false;
  switch (options.embeddingNorm) {
  case EmbeddingNorm::Keep:
    return point.trunkNorm != nullptr;
  case EmbeddingNorm::Add:
    return true;
  case EmbeddingNorm::Drop:
    return false;
  case EmbeddingNorm::Auto:
    break;
  }
  for (Sublayer *sublayer : point.after) {
    if (!isSelected(*sublayer))
      continue;
    bool hasInputNorm = !sublayer->inputNorms.empty();
    if (point.trunkNorm && target.input && !hasInputNorm &&
        !findDropped(point.value(), inputPlace(*sublayer)))
      return false;
    if (!point.trunkNorm && target.post && hasInputNorm)
      return true;
  }
  return point.trunkNorm != nullptr;
}

bool StreamConverter::wantsNormAtExit(const TrunkPoint &point) {
  if (point.trunkNorm)
    return true;
  if (!isSelected(*point.before))
    return false;
  if (target.post)
    return !stream.loop;
  return options.to != TargetPlacement::None &&
         options.finalNorm != FinalNorm::Keep;
}

bool StreamConverter::wantsTrunkNorm(const TrunkPoint &point) {
  if (!point.before)
    return wantsEmbeddingNorm(point);
  if (isExit(point))
    return wantsNormAtExit(point);
  return isSelected(*point.before) ? target.post : point.trunkNorm != nullptr;
}

NormSource StreamConverter::planOutput(Sublayer &sublayer) {
  if (!isSelected(sublayer))
    return {};
  if (sublayer.outputNorm)
    return {target.output ? NormSource::Present : NormSource::Dropped, {}};
  if (!target.output)
    return {};
  if (auto dropped =
          findDropped(sublayer.add.getBranch(), outputPlace(sublayer)))
    return {NormSource::Revived, dropped};
  return {NormSource::Created, {}};
}

/// Finds out what a norm that must be made is like.
LogicalResult StreamConverter::findTemplate(std::string &why) {
  SmallVector<NormalizationOpInterface> norms;
  auto add = [&](NormalizationOpInterface norm) {
    if (norm)
      norms.push_back(norm);
  };
  add(stream.embeddingNorm);
  for (Sublayer &sublayer : stream.sublayers) {
    llvm::append_range(norms, sublayer.inputNorms);
    add(sublayer.outputNorm);
    add(sublayer.postNorm);
  }
  add(stream.finalNorm);

  bool kindGiven = options.newNorm != NewNorm::Auto;
  bool epsilonGiven = options.epsilon >= 0.0;
  if (norms.empty() && !(kindGiven && epsilonGiven)) {
    why =
        "a norm must be made, and the stream has none to tell which; expected "
        "'new-norm' and 'epsilon'";
    return failure();
  }
  if (!norms.empty())
    newNorm = NormSpec(norms.front());
  for (NormalizationOpInterface norm : norms) {
    NormSpec spec(norm);
    if (!kindGiven && spec.kind != newNorm.kind) {
      why = "a norm must be made, and the stream has norms of several kinds; "
            "expected 'new-norm'";
      return failure();
    }
    if (!epsilonGiven && (spec.epsilon != newNorm.epsilon ||
                          spec.epsilonMode != newNorm.epsilonMode)) {
      why = "a norm must be made, and the stream's norms differ in epsilon; "
            "expected 'epsilon'";
      return failure();
    }
    if (spec.axes != newNorm.axes || spec.computeType != newNorm.computeType) {
      why = "a norm must be made, and the stream's norms differ in axes or "
            "compute type";
      return failure();
    }
  }

  auto trunkType = cast<RankedTensorType>(stream.source.getType());
  parameterType = trunkType.getElementType();
  newNormHasScale = newNormHasBias = kindGiven;
  for (NormalizationOpInterface norm : norms) {
    if (norm.getScale())
      parameterType = norm.getScale().getType().getElementType();
    newNormHasScale |= norm.getScale() != nullptr;
    newNormHasBias |= norm.getBias() != nullptr;
  }
  if (kindGiven)
    newNorm.kind =
        options.newNorm == NewNorm::RMS ? NormKind::RMS : NormKind::Layer;
  newNormHasBias &= newNorm.kind == NormKind::Layer;
  if (epsilonGiven) {
    newNorm.epsilon = options.epsilon;
    newNorm.epsilonMode = EpsilonMode::Inside;
  }
  // A new scale begins as 1 and multiplies as it is.
  newNorm.unitOffset = false;
  newNorm.castBeforeScale &= newNormHasScale;
  newNorm.scaleDims.clear();
  newNorm.scale = newNorm.bias = {};

  SmallVector<int64_t> axes = newNorm.axes;
  if (axes.empty())
    axes.push_back(trunkType.getRank() - 1);
  for (int64_t axis : axes)
    if (trunkType.isDynamicDim(axis)) {
      why = "a norm must be made, and the extent of its parameters is dynamic";
      return failure();
    }
  return parameters.checkCanCreate(why);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

NormalizationOpInterface StreamConverter::makeNorm(Value input,
                                                   const Twine &place) {
  OpBuilder builder(input.getContext());
  builder.setInsertionPointAfterValue(input);
  auto type = cast<RankedTensorType>(input.getType());
  NormSpec spec = newNorm;
  SmallVector<int64_t> shape;
  for (int64_t axis : spec.axes)
    shape.push_back(type.getDimSize(axis));
  if (spec.axes.empty())
    shape.push_back(type.getShape().back());
  auto parameter = RankedTensorType::get(shape, parameterType);
  Location loc = input.getLoc();
  if (newNormHasScale)
    spec.scale = parameters.create(builder, loc, (place + ".scale").str(),
                                   parameter, 1.0);
  if (newNormHasBias)
    spec.bias = parameters.create(builder, loc, (place + ".bias").str(),
                                  parameter, 0.0);
  return spec.create(builder, loc, input);
}

NormalizationOpInterface StreamConverter::revive(NormalizationOpInterface norm,
                                                 Value input) {
  norm->removeAttr(kDroppedAttrName);
  norm.getInputMutable().set(input);
  return norm;
}

/// Takes `norm`, which nothing reads, out of use.
void StreamConverter::drop(NormalizationOpInterface norm, Value input,
                           StringRef place) {
  SmallVector<std::pair<Value, double>> held;
  if (Value scale = norm.getScale())
    held.emplace_back(scale, norm.getUnitOffset() ? 0.0 : 1.0);
  if (Value bias = norm.getBias())
    held.emplace_back(bias, 0.0);

  if (!held.empty())
    norm->emitRemark() << "dropped " << place << " with its parameters "
                       << llvm::join(llvm::map_range(held,
                                                     [](auto &parameter) {
                                                       return describeParameter(
                                                           parameter.first);
                                                     }),
                                     " and ");
  if (llvm::all_of(held, [](auto &parameter) {
        return ParameterBuilder::isInitial(parameter.first, parameter.second);
      })) {
    norm->erase();
    for (auto &[value, init] : held)
      parameters.eraseIfUnused(value);
    return;
  }
  norm.getInputMutable().set(input);
  norm->setAttr(kDroppedAttrName, StringAttr::get(norm.getContext(), place));
}

/// Moves `norm`, and the constants it reads, up so that it stands before all of
/// `uses`; false if it can't.
static bool dominateUses(NormalizationOpInterface norm, Value input,
                         ArrayRef<OpOperand *> uses) {
  Block *block = norm->getBlock();
  if (llvm::all_of(uses, [&](OpOperand *use) {
        Operation *user = block->findAncestorOpInBlock(*use->getOwner());
        return !user || user == norm || norm->isBeforeInBlock(user);
      }))
    return true;
  Operation *inputOp = input.getDefiningOp();
  for (Value operand : norm->getOperands()) {
    Operation *op = operand.getDefiningOp();
    if (!op || operand == input || op->getBlock() != block ||
        (inputOp && op->isBeforeInBlock(inputOp)))
      continue;
    if (op->getNumOperands() != 0 || !isMemoryEffectFree(op))
      return false;
    op->moveBefore(block, block->begin());
  }
  if (inputOp)
    norm->moveAfter(inputOp);
  else if (Operation *last =
               norm.getScale() ? norm.getScale().getDefiningOp() : nullptr;
           last && last->getBlock() == block)
    norm->moveAfter(last);
  else
    norm->moveBefore(block, block->begin());
  return true;
}

/// Puts the norm on the trunk, or takes it off; gives the trunk's value.
Value StreamConverter::applyTrunkNorm(const TrunkPoint &point,
                                      const NormSource &plan,
                                      ArrayRef<OpOperand *> uses) {
  switch (plan.kind) {
  case NormSource::Absent:
  case NormSource::Dropped:
    return point.raw;
  case NormSource::Present:
    return point.value();
  case NormSource::Created:
    return makeNorm(point.raw, point.place).getResult();
  case NormSource::Revived:
    dominateUses(plan.norm, point.raw, uses);
    return revive(plan.norm, point.raw).getResult();
  case NormSource::Moved:
    if (point.trunkNorm)
      return point.raw;
    dominateUses(plan.norm, point.raw, uses);
    return plan.norm->getResult(0);
  }
  llvm_unreachable("unknown source of a norm");
}

static void setAll(ArrayRef<OpOperand *> uses, Value value) {
  for (OpOperand *use : uses)
    use->set(value);
}

void StreamConverter::applyInputNorm(Sublayer &sublayer, const NormSource &plan,
                                     Value trunk) {
  switch (plan.kind) {
  case NormSource::Absent:
    return setAll(sublayer.moduleReads, trunk);
  case NormSource::Present:
    return setAll(sublayer.trunkReads, trunk);
  case NormSource::Created:
    return setAll(sublayer.moduleReads,
                  makeNorm(trunk, inputPlace(sublayer)).getResult());
  case NormSource::Revived:
    dominateUses(plan.norm, trunk, sublayer.moduleReads);
    return setAll(sublayer.moduleReads, revive(plan.norm, trunk).getResult());
  case NormSource::Moved:
    // From the trunk: the module goes on reading it. To the trunk: likewise,
    // but norms equal to the one that moved go.
    if (sublayer.inputNorms.empty())
      return;
    setAll(sublayer.moduleReads, trunk);
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (norm != plan.norm && norm->use_empty())
        norm->erase();
    return;
  case NormSource::Dropped:
    setAll(sublayer.moduleReads, trunk);
    llvm::SmallPtrSet<Operation *, 2> seen;
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (seen.insert(norm).second && norm->use_empty())
        drop(norm, trunk, inputPlace(sublayer));
    return;
  }
}

void StreamConverter::applyPoint(const TrunkPoint &point,
                                 const PointPlan &plan) {
  llvm::SmallPtrSet<OpOperand *, 8> reads;
  for (Sublayer *sublayer : point.after)
    reads.insert_range(sublayer->trunkReads);
  SmallVector<OpOperand *> trunkUses;
  for (OpOperand &use : point.value().getUses())
    if (!reads.contains(&use))
      trunkUses.push_back(&use);

  Value trunk = applyTrunkNorm(point, plan.trunk, trunkUses);
  for (auto [sublayer, input] : llvm::zip_equal(point.after, plan.inputs))
    applyInputNorm(*sublayer, input, trunk);
  if (trunk == point.value())
    return;

  for (OpOperand *use : trunkUses) {
    Operation *user = use->getOwner();
    if (user == trunk.getDefiningOp())
      continue;
    use->set(trunk);
    if (!isa<ResidualAddOp, NormalizationOpInterface>(user))
      user->emitRemark() << "reads the trunk at " << point.place
                         << ", where it is "
                         << (point.trunkNorm ? "no longer" : "now")
                         << " normalized";
  }
  if (plan.trunk.kind == NormSource::Dropped && point.trunkNorm->use_empty()) {
    NormalizationOpInterface norm = point.trunkNorm;
    drop(norm, point.raw, point.place);
  }
}

void StreamConverter::applyOutputNorm(Sublayer &sublayer,
                                      const NormSource &plan) {
  OpOperand &branch = sublayer.add.getBranchMutable();
  switch (plan.kind) {
  case NormSource::Absent:
  case NormSource::Present:
  case NormSource::Moved:
    return;
  case NormSource::Created:
    return branch.set(
        makeNorm(branch.get(), outputPlace(sublayer)).getResult());
  case NormSource::Revived:
    dominateUses(plan.norm, branch.get(), &branch);
    return branch.set(revive(plan.norm, branch.get()).getResult());
  case NormSource::Dropped:
    branch.set(sublayer.outputNorm.getInput());
    if (sublayer.outputNorm->use_empty())
      drop(sublayer.outputNorm, branch.get(), outputPlace(sublayer));
    return;
  }
}

/// DeepNorm multiplies what a group of sublayers adds to: the skip of its first
/// add.
void StreamConverter::applyResidualScales() {
  Builder builder(stream.source.getContext());
  for (const TrunkPoint &point : points) {
    if (isExit(point) || !isSelected(*point.after.front()))
      continue;
    ResidualAddOp add = point.after.front()->add;
    if (options.to == TargetPlacement::DeepNorm)
      add.setResidualScaleAttr(builder.getF64FloatAttr(options.alpha));
    else if (point.after.back()->postNorm)
      add.setResidualScaleAttr(builder.getF64FloatAttr(1.0));
  }
}

LogicalResult StreamConverter::run() {
  if (failed(selectSublayers()))
    return failure();
  if (selected.empty())
    return success();
  Sublayer &last = stream.sublayers.back();
  if (stream.loop && isSelected(last) &&
      last.getPlacement().post != target.post)
    return refuse(stream.loop, "the residual stream of this loop",
                  "a norm would have to move past the end of an iteration");
  collectPoints();

  SmallVector<PointPlan, 0> plans;
  for (const TrunkPoint &point : points) {
    SmallVector<bool> wantsInput;
    for (Sublayer *sublayer : point.after)
      wantsInput.push_back(wantsInputNorm(*sublayer));
    plans.push_back(planPoint(point, wantsTrunkNorm(point), wantsInput));
  }
  SmallVector<NormSource> outputs;
  for (Sublayer &sublayer : stream.sublayers)
    outputs.push_back(planOutput(sublayer));

  bool endsBare = plans.back().trunk.kind == NormSource::Created;
  if (options.finalNorm == FinalNorm::Require && endsBare && !target.post)
    return last.add->emitError(
        "expected a final norm after the last sublayer, but got none");
  bool creates =
      llvm::any_of(plans, [](PointPlan &plan) { return plan.creates(); }) ||
      llvm::any_of(outputs, [](NormSource &output) {
        return output.kind == NormSource::Created;
      });
  std::string why;
  if (creates && failed(findTemplate(why)))
    return refuse(stream.sublayers.front().add, "the residual stream", why);

  for (auto [point, plan] : llvm::zip_equal(points, plans))
    applyPoint(point, plan);
  for (auto [sublayer, output] : llvm::zip_equal(stream.sublayers, outputs))
    applyOutputNorm(sublayer, output);
  applyResidualScales();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct NormConvertPlacementPass
    : public norm::impl::NormConvertPlacementPassBase<
          NormConvertPlacementPass> {
  using NormConvertPlacementPassBase::NormConvertPlacementPassBase;

  LogicalResult checkOptions();
  void runOnOperation() override;
};
} // namespace

LogicalResult NormConvertPlacementPass::checkOptions() {
  ModuleOp module = getOperation();
  if (to == TargetPlacement::DeepNorm && !(std::isfinite(alpha) && alpha > 0.0))
    return module.emitError() << "expected 'alpha' to be finite and positive "
                                 "with to=deepnorm, but "
                                 "got "
                              << alpha;
  if (epsilon.getNumOccurrences() > 0 &&
      !(std::isfinite(epsilon) && epsilon >= 0.0))
    return module.emitError()
           << "expected 'epsilon' to be finite and not negative, but got "
           << epsilon;
  for (const std::string &text : layers)
    if (failed(parseRange(text)))
      return module.emitError() << "expected 'layers' to be a layer or a range "
                                   "such as 0-3, but got "
                                   "'"
                                << text << "'";
  return success();
}

void NormConvertPlacementPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  Options options;
  options.to = to;
  options.alpha = alpha;
  options.layers.assign(layers.begin(), layers.end());
  options.kinds.assign(kinds.begin(), kinds.end());
  options.finalNorm = finalNorm;
  options.embeddingNorm = embeddingNorm;
  options.params = params;
  options.newNorm = newNorm;
  options.epsilon = epsilon;
  options.strict = strict;

  auto result = getOperation()->walk([&](FunctionOpInterface function) {
    ParameterBuilder parameters(function, options.params);
    auto &analysis = getChildAnalysis<ResidualStreamAnalysis>(function);
    for (ResidualStream &stream : analysis.getStreams())
      if (failed(StreamConverter(stream, parameters, options).run()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
