//===- ConvertPlacement.cpp - Moves norms to another placement ------------===//
//
// PlacementPlan.h says how norms can move; here a plan is carried out.
//
//===----------------------------------------------------------------------===//

#include "PlacementPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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
  StreamConverter(ResidualStream &stream, ParameterBuilder &parameters,
                  const PlacementOptions &options)
      : stream(stream), parameters(parameters), options(options) {}

  /// Failure only where a refusal is an error.
  LogicalResult run();

private:
  LogicalResult findTemplate(std::string &why);

  void applyPoint(const TrunkPoint &point, const PointPlan &pointPlan);
  Value applyTrunkNorm(const TrunkPoint &point, const NormSource &source,
                       ArrayRef<OpOperand *> uses);
  void applyInputNorm(Sublayer &sublayer, const NormSource &source,
                      Value trunk);
  void applyOutputNorm(Sublayer &sublayer, const NormSource &source);
  void applyResidualScales();
  NormalizationOpInterface makeNorm(Value input, const Twine &place);
  NormalizationOpInterface revive(NormalizationOpInterface norm, Value input);
  void drop(NormalizationOpInterface norm, Value input, StringRef place);

  ResidualStream &stream;
  ParameterBuilder &parameters;
  const PlacementOptions &options;
  PlacementPlan plan;
  /// The norms that are made, but for their parameters.
  NormSpec newNorm;
  bool newNormHasScale = true, newNormHasBias = true;
  Type parameterType;
};
} // namespace

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
                                      const NormSource &source,
                                      ArrayRef<OpOperand *> uses) {
  switch (source.kind) {
  case NormSource::Absent:
  case NormSource::Dropped:
    return point.raw;
  case NormSource::Present:
    return point.value();
  case NormSource::Created:
    return makeNorm(point.raw, point.place).getResult();
  case NormSource::Revived:
    dominateUses(source.norm, point.raw, uses);
    return revive(source.norm, point.raw).getResult();
  case NormSource::Moved:
    if (point.trunkNorm)
      return point.raw;
    dominateUses(source.norm, point.raw, uses);
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
  case NormSource::Created:
    return setAll(sublayer.moduleReads,
                  makeNorm(trunk, inputNormPlace(sublayer)).getResult());
  case NormSource::Revived:
    dominateUses(source.norm, trunk, sublayer.moduleReads);
    return setAll(sublayer.moduleReads, revive(source.norm, trunk).getResult());
  case NormSource::Moved:
    // From the trunk: the module goes on reading it. To the trunk: likewise,
    // but norms equal to the one that moved go.
    if (sublayer.inputNorms.empty())
      return;
    setAll(sublayer.moduleReads, trunk);
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (norm != source.norm && norm->use_empty())
        norm->erase();
    return;
  case NormSource::Dropped:
    setAll(sublayer.moduleReads, trunk);
    llvm::SmallPtrSet<Operation *, 2> seen;
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      if (seen.insert(norm).second && norm->use_empty())
        drop(norm, trunk, inputNormPlace(sublayer));
    return;
  }
}

void StreamConverter::applyPoint(const TrunkPoint &point,
                                 const PointPlan &pointPlan) {
  llvm::SmallPtrSet<OpOperand *, 8> reads;
  for (Sublayer *sublayer : point.after)
    reads.insert_range(sublayer->trunkReads);
  SmallVector<OpOperand *> trunkUses;
  for (OpOperand &use : point.value().getUses())
    if (!reads.contains(&use))
      trunkUses.push_back(&use);

  Value trunk = applyTrunkNorm(point, pointPlan.trunk, trunkUses);
  for (auto [sublayer, input] : llvm::zip_equal(point.after, pointPlan.inputs))
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
    return branch.set(
        makeNorm(branch.get(), outputNormPlace(sublayer)).getResult());
  case NormSource::Revived:
    dominateUses(source.norm, branch.get(), &branch);
    return branch.set(revive(source.norm, branch.get()).getResult());
  case NormSource::Dropped:
    branch.set(sublayer.outputNorm.getInput());
    if (sublayer.outputNorm->use_empty())
      drop(sublayer.outputNorm, branch.get(), outputNormPlace(sublayer));
    return;
  }
}

/// DeepNorm multiplies what a group of sublayers adds to: the skip of its first
/// add.
void StreamConverter::applyResidualScales() {
  Builder builder(stream.source.getContext());
  for (const TrunkPoint &point : plan.points) {
    if (point.after.empty() || !plan.isSelected(*point.after.front()))
      continue;
    ResidualAddOp add = point.after.front()->add;
    if (options.to == TargetPlacement::DeepNorm)
      add.setResidualScaleAttr(builder.getF64FloatAttr(options.alpha));
    else if (point.after.back()->postNorm)
      add.setResidualScaleAttr(builder.getF64FloatAttr(1.0));
  }
}
LogicalResult StreamConverter::run() {
  FailureOr<PlacementPlan> planned = planPlacement(stream, options);
  if (failed(planned))
    return failure();
  plan = std::move(*planned);
  if (plan.selected.empty())
    return success();
  std::string why;
  if (plan.creates() && failed(findTemplate(why)))
    return refuseConversion(stream.sublayers.front().add, "the residual stream",
                            why, options.strict);

  for (auto [point, pointPlan] : llvm::zip_equal(plan.points, plan.pointPlans))
    applyPoint(point, pointPlan);
  for (auto [sublayer, output] :
       llvm::zip_equal(stream.sublayers, plan.outputNorms))
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
    if (failed(parseLayerRange(text)))
      return module.emitError() << "expected 'layers' to be a layer or a range "
                                   "such as 0-3, but got "
                                   "'"
                                << text << "'";
  return success();
}

void NormConvertPlacementPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  PlacementOptions options;
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
