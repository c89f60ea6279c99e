//===- SwapKind.cpp - Turns LayerNorms into RMSNorms, or back -------------===//

#include "LayerSelection.h"
#include "PlacementPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMSWAPKINDPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// Where a norm is in its function.
struct Role {
  NormSelector selector = NormSelector::All;
  /// The layer of its sublayer, if it belongs to one.
  std::optional<unsigned> layer;
  /// What the names of its parameters begin with.
  std::string place;
};
} // namespace

/// Every norm of `function`, in order.
static llvm::MapVector<Operation *, Role>
findRoles(FunctionOpInterface function, ResidualStreamAnalysis &analysis) {
  llvm::MapVector<Operation *, Role> roles;
  function->walk([&](NormalizationOpInterface norm) {
    Role role;
    role.place = "norms." + std::to_string(roles.size());
    roles.insert({norm, std::move(role)});
  });
  // The first place of a norm with several counts.
  auto set = [&](NormalizationOpInterface norm, NormSelector selector,
                 std::optional<unsigned> layer, const Twine &place) {
    if (!norm)
      return;
    Role &role = roles[norm];
    if (role.selector == NormSelector::All)
      role = {selector, layer, place.str()};
  };
  for (ResidualStream &stream : analysis.getStreams()) {
    auto setOnTrunk = [&](NormalizationOpInterface norm,
                          std::optional<unsigned> layer, const Twine &place) {
      set(norm, NormSelector::Trunk, layer, place);
    };
    setOnTrunk(stream.embeddingNorm, std::nullopt,
               stream.prefix + "embedding_norm");
    for (Sublayer &sublayer : stream.sublayers) {
      for (NormalizationOpInterface norm : sublayer.inputNorms)
        setOnTrunk(norm, sublayer.layer, inputNormPlace(sublayer));
      setOnTrunk(sublayer.outputNorm, sublayer.layer,
                 outputNormPlace(sublayer));
      setOnTrunk(sublayer.postNorm, sublayer.layer,
                 sublayer.name + ".post_norm");
    }
    setOnTrunk(stream.finalNorm, std::nullopt, stream.prefix + "final_norm");
  }
  for (auto [index, site] : llvm::enumerate(analysis.getAttentions())) {
    if (!site.qkNorm)
      continue;
    std::string name = "attentions." + std::to_string(index);
    std::optional<unsigned> layer;
    if (site.sublayer) {
      auto [stream, sublayer] = *site.sublayer;
      Sublayer &found = analysis.getStreams()[stream].sublayers[sublayer];
      name = found.name;
      layer = found.layer;
    }
    set(site.qkNorm->query, NormSelector::QK, layer, name + ".query_norm");
    set(site.qkNorm->key, NormSelector::QK, layer, name + ".key_norm");
  }
  return roles;
}

namespace {
struct NormSwapKindPass
    : public norm::impl::NormSwapKindPassBase<NormSwapKindPass> {
  using NormSwapKindPassBase::NormSwapKindPassBase;

  void runOnOperation() final;

private:
  LogicalResult checkOptions();
  bool isSelected(const Role &role);
  /// Failure only where a refusal is an error.
  LogicalResult swap(NormalizationOpInterface norm, const Role &role,
                     ParameterBuilder &parameters);
  LogicalResult refuse(NormalizationOpInterface norm, const Role &role,
                       const Twine &why);
  /// The type of a bias of `norm`.
  static RankedTensorType getBiasType(NormalizationOpInterface norm);

  LayerSelection selection;
};
} // namespace

LogicalResult NormSwapKindPass::checkOptions() {
  Location loc = getOperation().getLoc();
  if (to == SwappedKind::RMS && bias == BiasPolicy::Add)
    return emitError(loc, "expected 'bias' to be auto, drop or keep with "
                          "to=rms, but got add");
  SmallVector<std::string> texts(layers.begin(), layers.end());
  FailureOr<LayerSelection> parsed = LayerSelection::parse(loc, texts);
  if (failed(parsed))
    return failure();
  selection = *parsed;
  return success();
}

bool NormSwapKindPass::isSelected(const Role &role) {
  bool isOfKind =
      norms == NormSelector::All || norms == role.selector ||
      (norms == NormSelector::Both && role.selector != NormSelector::All);
  return isOfKind && selection.contains(role.layer);
}

RankedTensorType NormSwapKindPass::getBiasType(NormalizationOpInterface norm) {
  RankedTensorType type = norm.getInput().getType();
  Type elementType = norm.getScale()
                         ? norm.getScale().getType().getElementType()
                         : type.getElementType();
  SmallVector<int64_t> shape;
  for (int64_t dim : norm.getScaleDimensions())
    shape.push_back(type.getDimSize(dim));
  return RankedTensorType::get(shape, elementType);
}

LogicalResult NormSwapKindPass::refuse(NormalizationOpInterface norm,
                                       const Role &role, const Twine &why) {
  if (strict)
    return emitError(norm.getLoc())
           << role.place << " cannot be converted: " << why;
  emitRemark(norm.getLoc()) << role.place << " is left as it is: " << why;
  return success();
}

LogicalResult NormSwapKindPass::swap(NormalizationOpInterface norm,
                                     const Role &role,
                                     ParameterBuilder &parameters) {
  NormKind kind = to == SwappedKind::RMS ? NormKind::RMS : NormKind::Layer;
  NormSpec spec(norm);
  if (spec.kind == kind)
    return success();
  if (spec.kind == NormKind::L2)
    return refuse(norm, role, "it is an L2 norm");
  spec.kind = kind;

  bool drops = bias == BiasPolicy::Drop ||
               (bias == BiasPolicy::Auto && kind == NormKind::RMS);
  bool adds = bias == BiasPolicy::Add && !spec.bias;
  std::string why;
  if (adds && !getBiasType(norm).hasStaticShape())
    return refuse(norm, role, "the extent of its bias is dynamic");
  if (adds && failed(parameters.checkCanCreate(why)))
    return refuse(norm, role, why);

  OpBuilder builder(norm);
  Value dropped;
  if (drops && spec.bias) {
    if (!parameters.isInitial(spec.bias, 0.0))
      emitRemark(norm.getLoc()) << "dropped the bias of " << role.place << ", "
                                << describeParameter(spec.bias);
    dropped = spec.bias;
    spec.bias = {};
  }
  if (adds)
    spec.bias = parameters.create(builder, norm.getLoc(), role.place + ".bias",
                                  getBiasType(norm), 0.0);
  NormalizationOpInterface swapped =
      spec.createLike(builder, norm, norm.getInput());
  norm->replaceAllUsesWith(swapped);
  norm->erase();
  if (dropped && parameters.isInitial(dropped, 0.0))
    parameters.eraseUnused(dropped);
  return success();
}

void NormSwapKindPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  getOperation()->walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return WalkResult::advance();
    ParameterBuilder parameters(function, params);
    for (auto &[op, role] : findRoles(
             function, getChildAnalysis<ResidualStreamAnalysis>(function)))
      if (isSelected(role) &&
          failed(swap(cast<NormalizationOpInterface>(op), role, parameters))) {
        signalPassFailure();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
}
