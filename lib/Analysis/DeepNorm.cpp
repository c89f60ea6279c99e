//===- DeepNorm.cpp - The constants of DeepNorm ---------------------------===//

#include "renorm/Analysis/DeepNorm.h"
#include "renorm/Analysis/BranchSlice.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

DeepNormConstants norm::getDeepNormConstants(StackRole role, uint64_t layers,
                                             uint64_t decoderLayers) {
  double n = layers, m = decoderLayers;
  switch (role) {
  case StackRole::Single:
    return {std::pow(2.0 * n, 0.25), std::pow(8.0 * n, -0.25)};
  case StackRole::Encoder: {
    double depth = std::pow(n, 0.25) * std::pow(m, 0.0625);
    return {0.81 * depth, 0.87 / depth};
  }
  case StackRole::Decoder:
    return {std::pow(3.0 * n, 0.25), std::pow(12.0 * n, -0.25)};
  }
  llvm_unreachable("unknown role of a stack");
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Whether `value` is the argument of a function that `norm.param` names.
static bool isNamedParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return function && function.getArgAttr(argument.getArgNumber(),
                                         kParamAttrName) != nullptr;
}

/// `op` as a linear map with a parameter as its weight. Where both operands
/// might be one, the weight is the one that has a name or, as an activation has
/// batch dimensions, fewer dimensions.
static std::optional<LinearMap>
getMapOfParameter(Operation *op, llvm::function_ref<bool(Value)> isActivation) {
  std::vector<LinearMap> candidates;
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<LinearMap> map = getLinearMap(op, operand))
      if (map->moved.isParameter() && !isActivation(map->weight->get()))
        candidates.push_back(std::move(*map));
  if (candidates.size() == 2) {
    auto rank = [](const LinearMap &map) {
      return cast<RankedTensorType>(map.weight->get().getType()).getRank();
    };
    bool named[] = {isNamedParameter(candidates[0].moved.root),
                    isNamedParameter(candidates[1].moved.root)};
    if (named[0] != named[1])
      candidates.erase(candidates.begin() + named[0]);
    else if (rank(candidates[0]) != rank(candidates[1]))
      candidates.erase(candidates.begin() +
                       (rank(candidates[0]) < rank(candidates[1])));
  }
  if (candidates.size() != 1)
    return std::nullopt;
  return std::move(candidates.front());
}

namespace {
class WeightFinder {
public:
  explicit WeightFinder(Sublayer &sublayer)
      : sublayer(sublayer), branch(sublayer.trunk, sublayer.add.getBranch()) {}

  DeepNormWeights run();

private:
  void addMapsOf(const BranchSlice &slice);
  void addMap(Operation *op);
  void addAttention(AttentionOp attention);

  Sublayer &sublayer;
  BranchSlice branch;
  DeepNormWeights weights;
  SetVector<Operation *> added;
};
} // namespace

void WeightFinder::addMap(Operation *op) {
  if (!added.insert(op))
    return;
  std::optional<LinearMap> map =
      getMapOfParameter(op, [&](Value value) { return branch.depends(value); });
  if (map)
    weights.maps.push_back(std::move(*map));
  else
    weights.obstacles.emplace_back(
        op, "it is no linear map with a parameter as its weight");
}

/// Adds the contractions in `slice`.
void WeightFinder::addMapsOf(const BranchSlice &slice) {
  for (Operation *op : slice.getOperations()) {
    if (isContraction(op)) {
      addMap(op);
      continue;
    }
    op->walk([&](Operation *nested) {
      if (nested == op || !isContraction(nested))
        return WalkResult::advance();
      weights.obstacles.emplace_back(nested, "it is in a region");
      return WalkResult::interrupt();
    });
  }
}

/// The contractions that `value` is computed from without another one or a norm
/// in between.
static SetVector<Operation *> findProjections(Value value) {
  SetVector<Operation *> projections;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isContraction(op))
      projections.insert(op);
    else if (!isa<NormalizationOpInterface, ResidualAddOp>(op))
      forEachReadValue(op, [&](Value read) { worklist.push_back(read); });
  }
  return projections;
}

void WeightFinder::addAttention(AttentionOp attention) {
  SetVector<Operation *> others = findProjections(attention.getQuery());
  others.insert_range(findProjections(attention.getKey()));
  for (Operation *op : findProjections(attention.getValue())) {
    if (!others.contains(op))
      addMap(op);
    else if (added.insert(op))
      weights.obstacles.emplace_back(
          op, "its weight gives queries or keys as well");
  }
  addMapsOf(BranchSlice(attention.getResult(), sublayer.add.getBranch()));
}

DeepNormWeights WeightFinder::run() {
  switch (sublayer.kind) {
  case SublayerKind::SelfAttention:
  case SublayerKind::CrossAttention:
    for (Operation *op : branch.getOperations())
      if (auto attention = dyn_cast<AttentionOp>(op))
        addAttention(attention);
    break;
  case SublayerKind::FeedForward:
  case SublayerKind::GatedFeedForward:
    addMapsOf(branch);
    break;
  case SublayerKind::MixtureOfExperts:
  case SublayerKind::Other:
    weights.obstacles.emplace_back(
        sublayer.add, "the paper does not say which weights of a sublayer of "
                      "kind " +
                          stringifySublayerKind(sublayer.kind).str() +
                          " have the gain beta");
    break;
  }
  return std::move(weights);
}

DeepNormWeights norm::findDeepNormWeights(Sublayer &sublayer) {
  return WeightFinder(sublayer).run();
}
