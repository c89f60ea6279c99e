//===- PlacementPlan.cpp - What a placement conversion does ---------------===//

#include "PlacementPlan.h"

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

FailureOr<std::pair<unsigned, unsigned>> norm::parseLayerRange(StringRef text) {
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

LogicalResult norm::refuseConversion(Operation *op, const Twine &what,
                                     const Twine &why, bool strict) {
  if (strict)
    return op->emitError() << what << " cannot be converted: " << why;
  op->emitRemark() << what << " is left as it is: " << why;
  return success();
}

/// Decides which sublayers are converted.
bool PlacementPlan::creates() const {
  return llvm::any_of(pointPlans,
                      [](const PointPlan &plan) { return plan.creates(); }) ||
         llvm::any_of(outputNorms, [](const NormSource &output) {
           return output.kind == NormSource::Created;
         });
}

//===----------------------------------------------------------------------===//
// One point
//===----------------------------------------------------------------------===//

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

std::string norm::inputNormPlace(const Sublayer &sublayer) {
  return sublayer.name + ".input_norm";
}
std::string norm::outputNormPlace(const Sublayer &sublayer) {
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
    if (auto dropped = findDropped(point.value(), inputNormPlace(*sublayer))) {
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
// One stream
//===----------------------------------------------------------------------===//

namespace {
class PlacementPlanner {
public:
  PlacementPlanner(ResidualStream &stream, const PlacementOptions &options)
      : stream(stream), options(options), target(placementBits(options.to)) {
    plan.target = target;
  }

  FailureOr<PlacementPlan> run();

private:
  LogicalResult selectSublayers();
  LogicalResult deselectBrokenGroups();
  void collectPoints();
  bool isExit(const TrunkPoint &point) { return point.after.empty(); }
  bool wantsTrunkNorm(const TrunkPoint &point);
  bool wantsEmbeddingNorm(const TrunkPoint &point);
  bool wantsNormAtExit(const TrunkPoint &point);
  bool wantsInputNorm(const Sublayer &sublayer);
  NormSource planOutput(Sublayer &sublayer);
  bool isSelected(const Sublayer &sublayer) {
    return plan.isSelected(sublayer);
  }
  LogicalResult refuse(Operation *op, const Twine &what, const Twine &why) {
    return refuseConversion(op, what, why, options.strict);
  }

  ResidualStream &stream;
  const PlacementOptions &options;
  Placement target;
  PlacementPlan plan;
};
} // namespace

LogicalResult PlacementPlanner::selectSublayers() {
  SmallVector<std::pair<unsigned, unsigned>> ranges;
  for (const std::string &text : options.layers)
    ranges.push_back(*parseLayerRange(text));

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
    plan.selected.insert(&sublayer);
  }

  return success();
}

/// A parallel group has one post norm, after its last add: it changes for all
/// or for none of them.
LogicalResult PlacementPlanner::deselectBrokenGroups() {
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
      if (!plan.selected.erase(&sublayer))
        continue;
      if (failed(refuse(sublayer.add, sublayer.name,
                        "its parallel sublayers, with which it shares the post "
                        "norm, are not converted")))
        return failure();
    }
  }
  return success();
}
void PlacementPlanner::collectPoints() {
  TrunkPoint &entry = plan.points.emplace_back();
  entry.raw = stream.source;
  // The embedding norm of a loop is outside of it.
  if (!stream.loop)
    entry.trunkNorm = stream.embeddingNorm;
  entry.place = stream.prefix + "embedding_norm";

  for (Sublayer &sublayer : stream.sublayers) {
    SmallVector<Sublayer *> &together = plan.points.back().after;
    Sublayer *before = together.empty() ? nullptr : together.back();
    bool joins = before && sublayer.parallelGroup &&
                 before->parallelGroup == sublayer.parallelGroup;
    if (before && !joins)
      plan.points.push_back({before->add.getResult(),
                             before->postNorm,
                             before->name + ".post_norm",
                             before,
                             {}});
    plan.points.back().after.push_back(&sublayer);
  }

  Sublayer &last = stream.sublayers.back();
  TrunkPoint &exit = plan.points.emplace_back();
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
bool PlacementPlanner::wantsInputNorm(const Sublayer &sublayer) {
  return isSelected(sublayer) ? target.input : !sublayer.inputNorms.empty();
}

bool PlacementPlanner::wantsEmbeddingNorm(const TrunkPoint &point) {
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
        !findDropped(point.value(), inputNormPlace(*sublayer)))
      return false;
    if (!point.trunkNorm && target.post && hasInputNorm)
      return true;
  }
  return point.trunkNorm != nullptr;
}

bool PlacementPlanner::wantsNormAtExit(const TrunkPoint &point) {
  if (point.trunkNorm)
    return true;
  if (!isSelected(*point.before))
    return false;
  if (target.post)
    return !stream.loop;
  return options.to != TargetPlacement::None &&
         options.finalNorm != FinalNorm::Keep;
}

bool PlacementPlanner::wantsTrunkNorm(const TrunkPoint &point) {
  if (!point.before)
    return wantsEmbeddingNorm(point);
  if (isExit(point))
    return wantsNormAtExit(point);
  return isSelected(*point.before) ? target.post : point.trunkNorm != nullptr;
}

NormSource PlacementPlanner::planOutput(Sublayer &sublayer) {
  if (!isSelected(sublayer))
    return {};
  if (sublayer.outputNorm)
    return {target.output ? NormSource::Present : NormSource::Dropped, {}};
  if (!target.output)
    return {};
  if (auto dropped =
          findDropped(sublayer.add.getBranch(), outputNormPlace(sublayer)))
    return {NormSource::Revived, dropped};
  return {NormSource::Created, {}};
}

/// Finds out what a norm that must be made is like.
FailureOr<PlacementPlan> PlacementPlanner::run() {
  if (failed(selectSublayers()) || failed(deselectBrokenGroups()))
    return failure();
  if (plan.selected.empty())
    return plan;
  Sublayer &last = stream.sublayers.back();
  if (stream.loop && isSelected(last) &&
      last.getPlacement().post != target.post) {
    plan.selected.clear();
    if (failed(
            refuse(stream.loop, "the residual stream of this loop",
                   "a norm would have to move past the end of an iteration")))
      return failure();
    return plan;
  }

  collectPoints();
  for (const TrunkPoint &point : plan.points) {
    SmallVector<bool> wantsInput;
    for (Sublayer *sublayer : point.after)
      wantsInput.push_back(wantsInputNorm(*sublayer));
    plan.pointPlans.push_back(
        planPoint(point, wantsTrunkNorm(point), wantsInput));
  }
  for (Sublayer &sublayer : stream.sublayers)
    plan.outputNorms.push_back(planOutput(sublayer));

  bool endsBare = plan.pointPlans.back().trunk.kind == NormSource::Created;
  if (options.finalNorm == FinalNorm::Require && endsBare && !target.post)
    return last.add->emitError(
        "expected a final norm after the last sublayer, but got none");
  return plan;
}

FailureOr<PlacementPlan> norm::planPlacement(ResidualStream &stream,
                                             const PlacementOptions &options) {
  return PlacementPlanner(stream, options).run();
}
