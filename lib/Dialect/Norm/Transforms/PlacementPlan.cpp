//===- PlacementPlan.cpp - What a placement conversion does ---------------===//

#include "PlacementPlan.h"
#include "LayerSelection.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Analysis/BranchSlice.h"

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

LogicalResult norm::refuseConversion(Operation *op, const Twine &what,
                                     const Twine &why, bool strict) {
  if (strict)
    return op->emitError() << what << " cannot be converted: " << why;
  // Not on the operation, which mlir-opt would print: that takes as long as the
  // function, for each of its sublayers.
  emitRemark(op->getLoc()) << what << " is left as it is: " << why;
  return success();
}

bool PlacementPlan::creates() const {
  return llvm::any_of(pointPlans,
                      [](const PointPlan &plan) { return plan.creates(); }) ||
         llvm::any_of(outputNorms, [](const NormSource &output) {
           return output.kind == NormSource::Created;
         });
}

//===----------------------------------------------------------------------===//
// Order of operations
//===----------------------------------------------------------------------===//

SmallVector<Operation *> TrunkPoint::getReaders() const {
  SmallVector<Operation *> readers;
  for (OpOperand *use : uses)
    if (!readsShapeOnly(*use))
      readers.push_back(use->getOwner());
  for (Sublayer *sublayer : after)
    for (ArrayRef<OpOperand *> reads :
         {ArrayRef(sublayer->trunkReads), ArrayRef(sublayer->moduleReads)})
      for (OpOperand *use : reads)
        readers.push_back(use->getOwner());
  return readers;
}

FailureOr<SmallVector<Operation *>>
norm::findMovesBefore(NormalizationOpInterface norm, Value input,
                      ArrayRef<Operation *> readers) {
  Block *block = norm->getBlock();
  // A reader in another block comes after this one.
  if (llvm::all_of(readers, [&](Operation *reader) {
        Operation *op = block->findAncestorOpInBlock(*reader);
        return !op || op == norm || norm->isBeforeInBlock(op);
      }))
    return SmallVector<Operation *>();

  Operation *inputOp = input.getDefiningOp();
  if (inputOp && inputOp->getBlock() != block)
    inputOp = nullptr;
  SetVector<Operation *> moves;
  moves.insert(norm);
  bool hasEffects = false;
  for (unsigned index = 0; index < moves.size(); ++index) {
    Operation *moved = moves[index];
    hasEffects |= !isMemoryEffectFree(moved);
    SetVector<Value> needed;
    getUsedValuesDefinedAbove(moved->getRegions(), needed);
    needed.insert_range(moved->getOperands());
    for (Value value : needed) {
      Operation *op = value == input ? nullptr : value.getDefiningOp();
      if (op && op->getBlock() == block &&
          (!inputOp || inputOp->isBeforeInBlock(op)))
        moves.insert(op);
    }
  }
  if (hasEffects)
    return failure();
  SmallVector<Operation *> sorted = moves.takeVector();
  llvm::sort(sorted, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return sorted;
}

//===----------------------------------------------------------------------===//
// One point
//===----------------------------------------------------------------------===//

SmallVector<Operation *> norm::ownersOf(ArrayRef<OpOperand *> uses) {
  return llvm::map_to_vector(uses,
                             [](OpOperand *use) { return use->getOwner(); });
}

/// "streams.1." of the name of a place in the second stream, "" in the first.
static StringRef streamPrefix(StringRef place) {
  if (!place.starts_with("streams."))
    return "";
  return place.take_front(place.find('.', strlen("streams.")) + 1);
}

/// The norm of `value`, in `block`, that a conversion dropped at `place`, or
/// else the only one of the same stream that it dropped there at all, if it can
/// stand before `readers`; or null.
static NormalizationOpInterface findDropped(Value value, Block *block,
                                            StringRef place,
                                            ArrayRef<Operation *> readers) {
  NormalizationOpInterface found;
  unsigned others = 0;
  for (Operation *user : value.getUsers()) {
    auto norm = dyn_cast<NormalizationOpInterface>(user);
    if (!norm || norm.getInput() != value || norm->getBlock() != block ||
        !norm->use_empty())
      continue;
    auto attr = norm->getAttrOfType<StringAttr>(kDroppedAttrName);
    if (!attr || streamPrefix(attr) != streamPrefix(place) ||
        failed(findMovesBefore(norm, value, readers)))
      continue;
    if (attr.getValue() == place)
      return norm;
    found = norm;
    ++others;
  }
  return others == 1 ? found : nullptr;
}

/// The input norm of `sublayer` that a conversion dropped, or null; `trunk` is
/// what the sublayer reads.
static NormalizationOpInterface findDroppedInputNorm(Sublayer &sublayer,
                                                     Value trunk) {
  return findDropped(trunk, sublayer.add->getBlock(), inputNormPlace(sublayer),
                     ownersOf(sublayer.moduleReads));
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
    if (auto dropped = findDroppedInputNorm(*sublayer, point.value())) {
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

  // Input norms that no sublayer needs where they are can stand on the trunk,
  // if they are all the same.
  SmallVector<NormalizationOpInterface> movable;
  for (Sublayer *sublayer : point.after)
    llvm::append_range(movable, sublayer->inputNorms);
  if (!movable.empty() &&
      llvm::all_of(plan.inputs,
                   [](const NormSource &input) {
                     return input.kind == NormSource::Dropped;
                   }) &&
      llvm::all_of(movable, [&](NormalizationOpInterface norm) {
        return NormSpec(norm) == NormSpec(movable.front());
      })) {
    NormalizationOpInterface first =
        *llvm::min_element(movable, [](Operation *lhs, Operation *rhs) {
          return lhs->isBeforeInBlock(rhs);
        });
    plan.trunk = {NormSource::Moved, first};
    for (NormSource &input : plan.inputs)
      input = {NormSource::Moved, first};
    return plan;
  }
  if (point.sharedNorm) {
    plan.trunk = {NormSource::Moved, point.sharedNorm};
    return plan;
  }
  Value raw = point.raw;
  auto dropped =
      findDropped(raw, raw.getParentBlock(), point.place, point.getReaders());
  bool isFree = dropped && llvm::none_of(plan.inputs, [&](NormSource &input) {
                  return input.norm == dropped;
                });
  if (isFree)
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
  PlacementPlanner(MutableArrayRef<ResidualStream> streams, unsigned index,
                   const UseOwners &owners, ParameterBuilder &parameters,
                   const PlacementOptions &options)
      : streams(streams), stream(streams[index]), owners(owners),
        parameters(parameters), options(options),
        target(placementBits(options.to)) {
    plan.target = target;
  }

  FailureOr<PlacementPlan> run();

private:
  FailureOr<PlacementPlan> refuseStream(Operation *op, const Twine &what,
                                        const Twine &why);
  LogicalResult selectSublayers();
  LogicalResult deselectBrokenGroups();
  bool sharesChangedReads(ArrayRef<Sublayer> group);
  void collectPoints();
  void findFork(TrunkPoint &entry);
  void findUses(TrunkPoint &point);
  bool isExit(const TrunkPoint &point) { return point.after.empty(); }
  bool wantsTrunkNorm(const TrunkPoint &point);
  bool wantsEmbeddingNorm(const TrunkPoint &point);
  bool wantsNormAtExit(const TrunkPoint &point);
  bool isAsMade(NormalizationOpInterface norm) {
    return (norm.getScale() || norm.getBias()) && parameters.areInitial(norm);
  }
  bool wantsInputNorm(const Sublayer &sublayer);
  NormSource planOutput(Sublayer &sublayer);
  bool isSelected(const Sublayer &sublayer) {
    return plan.isSelected(sublayer);
  }
  LogicalResult refuse(Operation *op, const Twine &what, const Twine &why) {
    return refuseConversion(op, what, why, options.strict);
  }

  MutableArrayRef<ResidualStream> streams;
  ResidualStream &stream;
  const UseOwners &owners;
  ParameterBuilder &parameters;
  const PlacementOptions &options;
  Placement target;
  PlacementPlan plan;
};
} // namespace

/// Decides which sublayers are converted.
LogicalResult PlacementPlanner::selectSublayers() {
  FailureOr<LayerSelection> layers =
      LayerSelection::parse(stream.source.getLoc(), options.layers);
  if (failed(layers))
    return failure();

  for (Sublayer &sublayer : stream.sublayers) {
    bool ofKind = options.kinds.empty() ||
                  llvm::is_contained(options.kinds, selectorOf(sublayer.kind));
    if (!layers->contains(sublayer.layer) || !ofKind)
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

/// Whether what a module reads changes, but is read together with a sublayer
/// that is not converted.
bool PlacementPlanner::sharesChangedReads(ArrayRef<Sublayer> group) {
  llvm::SmallPtrSet<OpOperand *, 8> unchanged;
  for (const Sublayer &sublayer : group)
    if (!isSelected(sublayer))
      unchanged.insert_range(sublayer.moduleReads);
  return llvm::any_of(group, [&](const Sublayer &sublayer) {
    return isSelected(sublayer) &&
           sublayer.getPlacement().input != target.input &&
           llvm::any_of(sublayer.moduleReads, [&](OpOperand *use) {
             return unchanged.contains(use);
           });
  });
}

/// A parallel group has one post norm, after its last add: it changes for all
/// or for none of them. So does what two of its modules read together.
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
    if (all || !some)
      continue;
    StringRef why;
    if (group.back().getPlacement().post != target.post)
      why = "its parallel sublayers, with which it shares the post norm, are "
            "not converted";
    else if (sharesChangedReads(group))
      why = "a parallel sublayer, with which it shares operations, is not "
            "converted";
    else
      continue;
    for (Sublayer &sublayer : group)
      if (plan.selected.erase(&sublayer) &&
          failed(refuse(sublayer.add, sublayer.name, why)))
        return failure();
  }
  return success();
}

/// Where a fork begins is a point of the other stream, with its name. That has
/// been converted: the norm there may have left this stream's trunk or its own.
void PlacementPlanner::findFork(TrunkPoint &entry) {
  auto normOn = [](Sublayer &sublayer) {
    return sublayer.add.getSkip().getDefiningOp<NormalizationOpInterface>();
  };
  Sublayer &first = stream.sublayers.front();
  entry.raw = first.add.getSkip();
  entry.trunkNorm = normOn(first);
  if (entry.trunkNorm)
    entry.raw = entry.trunkNorm.getInput();

  auto [other, index] = *stream.fork;
  std::vector<Sublayer> &sublayers = streams[other].sublayers;
  entry.place = sublayers[index].name + ".post_norm";
  NormalizationOpInterface shared = normOn(sublayers[index + 1]);
  if (shared && shared.getInput() == entry.raw &&
      shared->getBlock() == first.add->getBlock())
    entry.sharedNorm = shared;
}

void PlacementPlanner::findUses(TrunkPoint &point) {
  // What else reads the trunk where it forks is the other stream's affair.
  if (stream.fork && !point.before) {
    point.uses.push_back(&point.after.front()->add.getSkipMutable());
    return;
  }
  llvm::SmallPtrSet<OpOperand *, 8> reads;
  for (Sublayer *sublayer : point.after)
    reads.insert_range(sublayer->trunkReads);
  for (OpOperand &use : point.value().getUses()) {
    const ResidualStream *owner = owners.lookup(&use);
    if (!reads.contains(&use) && (!owner || owner == &stream))
      point.uses.push_back(&use);
  }
}

void PlacementPlanner::collectPoints() {
  TrunkPoint &entry = plan.points.emplace_back();
  entry.raw = stream.source;
  // The embedding norm of a loop is outside of it.
  if (!stream.loop)
    entry.trunkNorm = stream.embeddingNorm;
  entry.place = stream.prefix + "embedding_norm";
  if (stream.fork)
    findFork(entry);

  for (Sublayer &sublayer : stream.sublayers) {
    SmallVector<Sublayer *> &together = plan.points.back().after;
    Sublayer *before = together.empty() ? nullptr : together.back();
    bool joins = before && sublayer.parallelGroup &&
                 before->parallelGroup == sublayer.parallelGroup;
    if (before && !joins) {
      TrunkPoint &point = plan.points.emplace_back();
      point.raw = before->add.getResult();
      point.trunkNorm = before->postNorm;
      point.place = before->name + ".post_norm";
      point.before = before;
    }
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

  for (TrunkPoint &point : plan.points)
    findUses(point);
}

bool PlacementPlanner::wantsInputNorm(const Sublayer &sublayer) {
  return isSelected(sublayer) ? target.input : !sublayer.inputNorms.empty();
}

bool PlacementPlanner::wantsEmbeddingNorm(const TrunkPoint &point) {
  EmbeddingNorm policy = options.embeddingNorm;
  if (stream.loop || stream.beginsElsewhere)
    policy = EmbeddingNorm::Keep;
  else if (stream.fork)
    return isSelected(*point.after.front()) ? target.post
                                            : point.trunkNorm != nullptr;
  switch (policy) {
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
        (isAsMade(point.trunkNorm) ||
         !findDroppedInputNorm(*sublayer, point.value())))
      return false;
    // What was made for Pre-LN was no embedding norm before.
    if (!point.trunkNorm && target.post && hasInputNorm &&
        !isAsMade(sublayer->inputNorms.front()))
      return true;
  }
  return point.trunkNorm != nullptr;
}

bool PlacementPlanner::wantsNormAtExit(const TrunkPoint &point) {
  if (point.trunkNorm)
    return true;
  if (!isSelected(*point.before) || stream.goesOnElsewhere)
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
          findDropped(sublayer.add.getBranch(), sublayer.add->getBlock(),
                      outputNormPlace(sublayer), sublayer.add.getOperation()))
    return {NormSource::Revived, dropped};
  return {NormSource::Created, {}};
}

/// Leaves all of the stream as it is.
FailureOr<PlacementPlan> PlacementPlanner::refuseStream(Operation *op,
                                                        const Twine &what,
                                                        const Twine &why) {
  if (failed(refuse(op, what, why)))
    return failure();
  return PlacementPlan();
}

FailureOr<PlacementPlan> PlacementPlanner::run() {
  if (failed(selectSublayers()) || failed(deselectBrokenGroups()))
    return failure();
  if (plan.selected.empty())
    return plan;
  Sublayer &last = stream.sublayers.back();
  if (isSelected(last) && last.getPlacement().post != target.post) {
    if (stream.loop)
      return refuseStream(
          stream.loop, "the residual stream of this loop",
          "a norm would have to move past the end of an iteration");
    if (stream.goesOnElsewhere)
      return refuseStream(last.add, "the residual stream",
                          "a norm would have to move to where its trunk goes "
                          "on, in another block or stream");
  }

  collectPoints();
  for (const TrunkPoint &point : plan.points) {
    SmallVector<bool> wantsInput;
    for (Sublayer *sublayer : point.after)
      wantsInput.push_back(wantsInputNorm(*sublayer));
    plan.pointPlans.push_back(
        planPoint(point, wantsTrunkNorm(point), wantsInput));
    const NormSource &trunk = plan.pointPlans.back().trunk;
    if (trunk.kind == NormSource::Moved && !point.trunkNorm &&
        failed(findMovesBefore(trunk.norm, point.raw, point.getReaders())))
      return refuseStream(last.add, "the residual stream",
                          "a norm would have to stand at " + point.place +
                              " before its parameters are computed");
  }
  for (Sublayer &sublayer : stream.sublayers)
    plan.outputNorms.push_back(planOutput(sublayer));

  bool endsBare = plan.pointPlans.back().trunk.kind == NormSource::Created;
  if (options.finalNorm == FinalNorm::Require && endsBare && !target.post)
    return last.add->emitError(
        "expected a final norm after the last sublayer, but got none");
  return plan;
}

FailureOr<PlacementPlan>
norm::planPlacement(MutableArrayRef<ResidualStream> streams, unsigned index,
                    const UseOwners &owners, ParameterBuilder &parameters,
                    const PlacementOptions &options) {
  return PlacementPlanner(streams, index, owners, parameters, options).run();
}
