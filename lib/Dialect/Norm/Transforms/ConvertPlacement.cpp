//===- ConvertPlacement.cpp - Moves norms to another placement ------------===//
//
// PlacementPlan.h says how norms can move; here a plan is carried out.
//
//===----------------------------------------------------------------------===//

#include "DeepNorm.h"
#include "LayerSelection.h"
#include "PlacementPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCONVERTPLACEMENTPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// Converts one stream.
class StreamConverter {
public:
  /// Norms that are to be erased once all streams are converted go to `doomed`:
  /// what is known of the other streams may point to them.
  StreamConverter(ResidualStream &stream, PlacementPlan plan, UseOwners &owners,
                  SetVector<Operation *> &doomed, ParameterBuilder &parameters,
                  const DeepNormStacks &stacks, const PlacementOptions &options)
      : stream(stream), plan(std::move(plan)), owners(owners), doomed(doomed),
        parameters(parameters), stacks(stacks), options(options) {}

  /// Failure only where a refusal is an error.
  LogicalResult run();

private:
  LogicalResult findTemplate(std::string &why);
  RankedTensorType findParameterType(ArrayRef<NormalizationOpInterface> norms);

  void applyPoint(const TrunkPoint &point, const PointPlan &pointPlan);
  Value applyTrunkNorm(const TrunkPoint &point, const NormSource &source);
  void applyInputNorm(Sublayer &sublayer, const NormSource &source,
                      Value trunk);
  void applyOutputNorm(Sublayer &sublayer, const NormSource &source);
  void findWeights();
  void applyResidualScales();
  LogicalResult applyInitGain();
  NormalizationOpInterface makeNorm(Value input, Block *block,
                                    const Twine &place);
  NormalizationOpInterface revive(NormalizationOpInterface norm, Value input);
  void drop(NormalizationOpInterface norm, Value input, StringRef place);

  ResidualStream &stream;
  PlacementPlan plan;
  UseOwners &owners;
  SetVector<Operation *> &doomed;
  ParameterBuilder &parameters;
  const DeepNormStacks &stacks;
  const PlacementOptions &options;
  /// Of sublayers that become DeepNorm, or leave it, or stay so.
  std::optional<DeepNormFactors> factors;
  std::vector<SublayerWeights> entering, leaving, staying;
  /// The input norm that is made for a use: modules of a parallel group may
  /// share it.
  llvm::DenseMap<OpOperand *, Value> madeFor;
  /// The norms that are made, but for their parameters.
  NormSpec newNorm;
  bool newNormHasScale = true, newNormHasBias = true;
  RankedTensorType parameterType;
};
} // namespace

/// The type of the parameters of a norm like `norms`.
RankedTensorType
StreamConverter::findParameterType(ArrayRef<NormalizationOpInterface> norms) {
  auto trunkType = cast<RankedTensorType>(stream.source.getType());
  SmallVector<int64_t> shape;
  for (int64_t axis : newNorm.axes)
    shape.push_back(trunkType.getDimSize(axis));
  if (newNorm.axes.empty())
    shape.push_back(trunkType.getShape().back());
  Type elementType = trunkType.getElementType();
  bool isScalar = false;
  for (NormalizationOpInterface norm : norms)
    if (auto scale = norm.getScale()) {
      elementType = scale.getType().getElementType();
      isScalar = scale.getType().getRank() == 0;
    }
  // ScaleNorm has one factor for all elements.
  if (isScalar && options.newNorm == NewNorm::Auto)
    shape.clear();
  return RankedTensorType::get(shape, elementType);
}

LogicalResult StreamConverter::findTemplate(std::string &why) {
  SmallVector<NormalizationOpInterface> norms;
  auto add = [&](NormalizationOpInterface norm) {
    if (norm)
      norms.push_back(norm);
  };
  for (Sublayer &sublayer : stream.sublayers) {
    llvm::append_range(norms, sublayer.inputNorms);
    add(sublayer.outputNorm);
  }
  // Of the trunk, and what moves or is taken back.
  add(stream.embeddingNorm);
  for (auto [point, pointPlan] :
       llvm::zip_equal(plan.points, plan.pointPlans)) {
    add(point.trunkNorm);
    add(pointPlan.trunk.norm);
    for (const NormSource &input : pointPlan.inputs)
      add(input.norm);
  }
  for (const NormSource &output : plan.outputNorms)
    add(output.norm);
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
    if (norm.getNormalizedAxes() != norms.front().getNormalizedAxes() ||
        norm.getStatisticsType() != norms.front().getStatisticsType()) {
      why = "a norm must be made, and the stream's norms differ in axes or "
            "compute type";
      return failure();
    }
  }

  newNormHasScale = kindGiven;
  newNormHasBias = false;
  for (NormalizationOpInterface norm : norms) {
    newNormHasScale |= norm.getScale() != nullptr;
    newNormHasBias |= norm.getBias() != nullptr;
  }
  if (kindGiven) {
    newNormHasBias = options.newNorm == NewNorm::Layer;
    newNorm.kind = newNormHasBias ? NormKind::Layer : NormKind::RMS;
  }
  if (epsilonGiven) {
    newNorm.epsilon = options.epsilon;
    newNorm.epsilonMode = EpsilonMode::Inside;
  }
  // A new scale begins as 1 and multiplies as it is.
  newNorm.unitOffset = false;
  newNorm.castBeforeScale &= newNormHasScale;
  newNorm.scaleDims.clear();
  newNorm.scale = newNorm.bias = {};

  parameterType = findParameterType(norms);
  if ((newNormHasScale || newNormHasBias) && !parameterType.hasStaticShape()) {
    why = "a norm must be made, and the extent of its parameters is dynamic";
    return failure();
  }
  return parameters.checkCanCreate(why);
}

/// Makes a norm of `input` in `block`: as soon as possible, for all to read.
NormalizationOpInterface StreamConverter::makeNorm(Value input, Block *block,
                                                   const Twine &place) {
  OpBuilder builder(block, block->begin());
  if (input.getParentBlock() == block)
    builder.setInsertionPointAfterValue(input);
  NormSpec spec = newNorm;
  Location loc = input.getLoc();
  if (newNormHasScale)
    spec.scale = parameters.create(builder, loc, (place + ".scale").str(),
                                   parameterType, 1.0);
  if (newNormHasBias)
    spec.bias = parameters.create(builder, loc, (place + ".bias").str(),
                                  parameterType, 0.0);
  NormalizationOpInterface norm = spec.create(builder, loc, input);
  owners[&norm.getInputMutable()] = &stream;
  return norm;
}

NormalizationOpInterface StreamConverter::revive(NormalizationOpInterface norm,
                                                 Value input) {
  norm->removeAttr(kDroppedAttrName);
  norm.getInputMutable().set(input);
  owners[&norm.getInputMutable()] = &stream;
  return norm;
}

/// Takes `norm`, which nothing reads, out of use.
void StreamConverter::drop(NormalizationOpInterface norm, Value input,
                           StringRef place) {
  if (doomed.contains(norm) || norm->hasAttr(kDroppedAttrName))
    return;
  SmallVector<std::string, 2> names;
  for (Value parameter : {norm.getScale(), norm.getBias()})
    if (parameter)
      names.push_back(describeParameter(parameter));
  if (!names.empty())
    emitRemark(norm.getLoc()) << "dropped " << place << " with its parameters "
                              << llvm::join(names, " and ");
  if (parameters.areInitial(norm)) {
    doomed.insert(norm);
    return;
  }
  norm.getInputMutable().set(input);
  norm->setAttr(kDroppedAttrName, StringAttr::get(norm.getContext(), place));
}

/// Moves `norm`, of `input`, and what its parameters are made from up so that
/// it stands before `readers`. The plan has seen that this is possible.
static void moveBefore(NormalizationOpInterface norm, Value input,
                       ArrayRef<Operation *> readers) {
  FailureOr<SmallVector<Operation *>> moves =
      findMovesBefore(norm, input, readers);
  assert(succeeded(moves) && "expected a norm that can move");
  Block *block = norm->getBlock();
  Operation *last = input.getDefiningOp();
  if (last && last->getBlock() != block)
    last = nullptr;
  for (Operation *op : *moves) {
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(block, block->begin());
    last = op;
  }
}

/// Puts the norm on the trunk, or takes it off; gives the trunk's value.
Value StreamConverter::applyTrunkNorm(const TrunkPoint &point,
                                      const NormSource &source) {
  switch (source.kind) {
  case NormSource::Absent:
  case NormSource::Dropped:
    return point.raw;
  case NormSource::Present:
    return point.value();
  case NormSource::Created:
    return makeNorm(point.raw, Value(point.raw).getParentBlock(), point.place)
        .getResult();
  case NormSource::Revived:
    moveBefore(source.norm, point.raw, point.getReaders());
    return revive(source.norm, point.raw).getResult();
  case NormSource::Moved:
    if (point.trunkNorm)
      return point.raw;
    moveBefore(source.norm, point.raw, point.getReaders());
    return source.norm->getResult(0);
  }
  llvm_unreachable("unknown source of a norm");
}

static void setAll(ArrayRef<OpOperand *> uses, Value value) {
  for (OpOperand *use : uses)
    use->set(value);
}

void StreamConverter::applyInputNorm(Sublayer &sublayer,
                                     const NormSource &source, Value trunk) {
  switch (source.kind) {
  case NormSource::Absent:
    return setAll(sublayer.moduleReads, trunk);
  case NormSource::Present:
    return setAll(sublayer.trunkReads, trunk);
  case NormSource::Created: {
    Value norm;
    for (OpOperand *use : sublayer.moduleReads)
      if (Value made = madeFor.lookup(use))
        norm = made;
    if (!norm)
      norm = makeNorm(trunk, sublayer.add->getBlock(), inputNormPlace(sublayer))
                 .getResult();
    for (OpOperand *use : sublayer.moduleReads)
      madeFor[use] = norm;
    return setAll(sublayer.moduleReads, norm);
  }
  case NormSource::Revived:
    moveBefore(source.norm, trunk, ownersOf(sublayer.moduleReads));
    return setAll(sublayer.moduleReads, revive(source.norm, trunk).getResult());
  case NormSource::Moved:
    // From the trunk: the module goes on reading it. To the trunk: likewise,
    // but norms equal to the one that moved go.
    if (sublayer.inputNorms.empty())
      return;
    setAll(sublayer.moduleReads, trunk);
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (norm != source.norm && norm->use_empty())
        doomed.insert(norm);
    return;
  case NormSource::Dropped:
    setAll(sublayer.moduleReads, trunk);
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (norm->use_empty())
        drop(norm, trunk, inputNormPlace(sublayer));
    return;
  }
}

/// Whether `value` is defined before `op`, which reads a value of its block.
static bool isBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  op =
      definition ? definition->getBlock()->findAncestorOpInBlock(*op) : nullptr;
  return !op || definition->isBeforeInBlock(op);
}

/// Whether `op` is a norm that was dropped, or is to be erased.
static bool isUnusedNorm(Operation *op) {
  return isa<NormalizationOpInterface>(op) && op->use_empty();
}

void StreamConverter::applyPoint(const TrunkPoint &point,
                                 const PointPlan &pointPlan) {
  llvm::SmallPtrSet<Operation *, 4> onlookers;
  for (OpOperand *use : point.uses)
    if (!owners.contains(use) && !readsShapeOnly(*use) &&
        !isUnusedNorm(use->getOwner()))
      onlookers.insert(use->getOwner());

  Value trunk = applyTrunkNorm(point, pointPlan.trunk);
  for (auto [sublayer, input] : llvm::zip_equal(point.after, pointPlan.inputs))
    applyInputNorm(*sublayer, input, trunk);
  if (trunk == point.value())
    return;

  for (OpOperand *use : point.uses) {
    Operation *user = use->getOwner();
    // The norm moves before all readers, but not before those of the shape,
    // which is the same without it.
    if (user == trunk.getDefiningOp() ||
        (readsShapeOnly(*use) && !isBefore(trunk, user)))
      continue;
    use->set(trunk);
    if (onlookers.contains(user))
      emitRemark(user->getLoc())
          << "reads the trunk at " << point.place << ", where it is "
          << (point.trunkNorm ? "no longer" : "now") << " normalized";
  }
  if (pointPlan.trunk.kind == NormSource::Dropped &&
      point.trunkNorm->use_empty()) {
    NormalizationOpInterface norm = point.trunkNorm;
    drop(norm, point.raw, point.place);
  }
}

void StreamConverter::applyOutputNorm(Sublayer &sublayer,
                                      const NormSource &source) {
  OpOperand &branch = sublayer.add.getBranchMutable();
  switch (source.kind) {
  case NormSource::Absent:
  case NormSource::Present:
  case NormSource::Moved:
    return;
  case NormSource::Created:
    return branch.set(makeNorm(branch.get(), sublayer.add->getBlock(),
                               outputNormPlace(sublayer))
                          .getResult());
  case NormSource::Revived:
    moveBefore(source.norm, branch.get(), sublayer.add.getOperation());
    return branch.set(revive(source.norm, branch.get()).getResult());
  case NormSource::Dropped:
    branch.set(sublayer.outputNorm.getInput());
    if (sublayer.outputNorm->use_empty())
      drop(sublayer.outputNorm, branch.get(), outputNormPlace(sublayer));
    return;
  }
}

/// Whether the sublayers after `point`, which add to one skip, are DeepNorm.
static bool isDeepNorm(const TrunkPoint &point) {
  return point.after.back()->postNorm &&
         !point.after.front()->add.getResidualScale().isExactlyValue(1.0);
}

/// Finds the weights whose gain changes, while the branches are as the analysis
/// saw them.
void StreamConverter::findWeights() {
  bool entersDeepNorm = factors && factors->beta;
  for (const TrunkPoint &point : plan.points) {
    if (point.after.empty())
      continue;
    bool wasDeepNorm = isDeepNorm(point);
    for (Sublayer *sublayer : point.after) {
      bool selected = plan.isSelected(*sublayer);
      std::vector<SublayerWeights> *list = nullptr;
      if (selected && options.to == TargetPlacement::DeepNorm) {
        // Weights are scaled once.
        if (entersDeepNorm && !(wasDeepNorm && options.scaleWeights))
          list = &entering;
      } else if (wasDeepNorm) {
        list = selected ? &leaving : &staying;
      }
      if (list)
        list->push_back({sublayer, findDeepNormWeights(*sublayer)});
    }
  }
}

/// DeepNorm multiplies what a group of sublayers adds to: the skip of its first
/// add. A scale that it would be known by goes with its post norm, and is none
/// of Post-LN.
void StreamConverter::applyResidualScales() {
  Builder builder(stream.source.getContext());
  for (const TrunkPoint &point : plan.points) {
    if (point.after.empty() || !plan.isSelected(*point.after.front()))
      continue;
    ResidualAddOp add = point.after.front()->add;
    if (factors)
      add.setResidualScaleAttr(builder.getF64FloatAttr(factors->alpha));
    else if (options.to == TargetPlacement::Post ||
             point.after.back()->postNorm)
      add.setResidualScaleAttr(builder.getF64FloatAttr(1.0));
  }
}

LogicalResult StreamConverter::applyInitGain() {
  eraseInitGain(leaving, staying);
  if (entering.empty())
    return success();
  return setInitGain(entering, *factors->beta, options.scaleWeights,
                     options.strict);
}

LogicalResult StreamConverter::run() {
  if (plan.selected.empty())
    return success();
  std::string why;
  if (plan.creates() && failed(findTemplate(why)))
    return refuseConversion(stream.sublayers.front().add, "the residual stream",
                            why, options.strict);
  if (options.to == TargetPlacement::DeepNorm) {
    FailureOr<DeepNormFactors> found = stacks.getFactors(stream, why);
    if (failed(found))
      return refuseConversion(stream.sublayers.front().add,
                              "the residual stream", why, options.strict);
    factors = *found;
  }
  findWeights();

  const NormSource *output = plan.outputNorms.begin();
  for (auto [point, pointPlan] :
       llvm::zip_equal(plan.points, plan.pointPlans)) {
    applyPoint(point, pointPlan);
    for (Sublayer *sublayer : point.after)
      applyOutputNorm(*sublayer, *output++);
  }
  applyResidualScales();
  return applyInitGain();
}

//===----------------------------------------------------------------------===//
// Conversion of one function
//===----------------------------------------------------------------------===//

static UseOwners findOwners(MutableArrayRef<ResidualStream> streams) {
  UseOwners owners;
  for (ResidualStream &stream : streams) {
    for (Sublayer &sublayer : stream.sublayers) {
      owners.try_emplace(&sublayer.add.getSkipMutable(), &stream);
      for (OpOperand *use : sublayer.trunkReads)
        owners.try_emplace(use, &stream);
      // One stream's input norm may be another one's post norm.
      for (OpOperand *use : sublayer.moduleReads)
        owners.try_emplace(use, &stream);
    }
    if (stream.embeddingNorm)
      owners.try_emplace(&stream.embeddingNorm.getInputMutable(), &stream);
    if (auto loop = dyn_cast_if_present<LoopLikeOpInterface>(stream.loop))
      owners.try_emplace(
          loop.getTiedLoopInit(cast<BlockArgument>(stream.source)), &stream);
  }
  return owners;
}

/// Marks the sublayers whose modules read something together with a module of
/// another stream: the two would have to be converted together.
static void markEntangled(MutableArrayRef<ResidualStream> streams) {
  struct Reader {
    ResidualStream *stream;
    Sublayer *sublayer;
  };
  llvm::DenseMap<OpOperand *, Reader> readers;
  for (ResidualStream &stream : streams)
    for (Sublayer &sublayer : stream.sublayers)
      for (OpOperand *use : sublayer.moduleReads) {
        Reader &reader =
            readers.try_emplace(use, Reader{&stream, &sublayer}).first->second;
        if (reader.stream != &stream)
          reader.sublayer->irregularity = sublayer.irregularity =
              "its branch shares operations with that of another stream";
      }
}

static LogicalResult convertFunction(FunctionOpInterface function,
                                     ResidualStreamAnalysis &analysis,
                                     const DeepNormStacks &stacks,
                                     const PlacementOptions &options) {
  MutableArrayRef<ResidualStream> streams = analysis.getStreams();
  markEntangled(streams);
  UseOwners owners = findOwners(streams);
  SetVector<Operation *> doomed;
  ParameterBuilder parameters(function, options.params);
  for (auto [index, stream] : llvm::enumerate(streams)) {
    FailureOr<PlacementPlan> plan =
        planPlacement(streams, index, owners, parameters, options);
    if (failed(plan) ||
        failed(StreamConverter(stream, std::move(*plan), owners, doomed,
                               parameters, stacks, options)
                   .run()))
      return failure();
  }

  SetVector<Value> held;
  for (Operation *op : doomed) {
    auto norm = cast<NormalizationOpInterface>(op);
    if (Value scale = norm.getScale())
      held.insert(scale);
    if (Value bias = norm.getBias())
      held.insert(bias);
    op->erase();
  }
  parameters.eraseUnused(held.getArrayRef());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static constexpr std::pair<llvm::StringLiteral, SublayerSelector>
    selectorNames[] = {{"attention", SublayerSelector::Attention},
                       {"feed-forward", SublayerSelector::FeedForward},
                       {"other", SublayerSelector::Other}};

bool llvm::cl::parser<SublayerSelector>::parse(Option &option, StringRef name,
                                               StringRef text,
                                               SublayerSelector &value) {
  for (auto [known, selector] : selectorNames)
    if (text == known) {
      value = selector;
      return false;
    }
  return option.error("expected 'attention', 'feed-forward' or 'other', but "
                      "got '" +
                          text + "'",
                      name);
}

void llvm::cl::parser<SublayerSelector>::print(raw_ostream &os,
                                               SublayerSelector value) {
  for (auto [name, selector] : selectorNames)
    if (selector == value)
      os << name;
}

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
  for (auto [name, factor] : {std::pair{"alpha", &alpha}, {"beta", &beta}}) {
    bool given = factor->getNumOccurrences() > 0 || *factor != 0.0;
    if (given && !(std::isfinite(*factor) && *factor > 0.0))
      return module.emitError()
             << "expected '" << name << "' to be finite and positive, but got "
             << *factor;
  }
  if (epsilon.getNumOccurrences() > 0 &&
      !(std::isfinite(epsilon) && epsilon >= 0.0))
    return module.emitError()
           << "expected 'epsilon' to be finite and not negative, but got "
           << epsilon;
  SmallVector<std::string> texts(layers.begin(), layers.end());
  return LayerSelection::parse(module.getLoc(), texts);
}

void NormConvertPlacementPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  PlacementOptions options;
  options.to = to;
  options.alpha = alpha;
  options.beta = beta;
  options.stack = stack;
  options.encoderLayers = encoderLayers;
  options.decoderLayers = decoderLayers;
  options.scaleWeights = scaleWeights;
  options.layers.assign(layers.begin(), layers.end());
  options.kinds.assign(kinds.begin(), kinds.end());
  options.finalNorm = finalNorm;
  options.embeddingNorm = embeddingNorm;
  options.params = params;
  options.newNorm = newNorm;
  options.epsilon = epsilon;
  options.strict = strict;

  DeepNormStacks stacks(options);
  if (to == TargetPlacement::DeepNorm)
    getOperation()->walk([&](FunctionOpInterface function) {
      stacks.add(
          getChildAnalysis<ResidualStreamAnalysis>(function).getStreams());
    });
  auto result = getOperation()->walk([&](FunctionOpInterface function) {
    return WalkResult(convertFunction(
        function, getChildAnalysis<ResidualStreamAnalysis>(function), stacks,
        options));
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
