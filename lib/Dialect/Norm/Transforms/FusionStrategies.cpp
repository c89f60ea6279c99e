//===- FusionStrategies.cpp - How each norm is computed -------------------===//

#include "FusionStrategies.h"
#include "SplitStats.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/DataMovement.h"
#include "renorm/Analysis/LinearMap.h"
#include "renorm/Analysis/RowReduction.h"
#include "renorm/Analysis/Traffic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::norm;

/// Appends who reads `value`, past reshapes.
static void collectReaders(Value value, SmallVectorImpl<OpOperand *> &readers) {
  for (OpOperand &use : value.getUses()) {
    if (readsShapeOnly(use))
      continue;
    if (isReshape(use.getOwner()))
      collectReaders(use.getOwner()->getResult(0), readers);
    else
      readers.push_back(&use);
  }
}

namespace {
/// The ways to compute one norm, and what each moves of its input, its result
/// and its statistics.
class NormCosts {
public:
  NormCosts(NormalizationOpInterface norm, const FusionGroups &groups,
            const FusionLimits &limits);

  FusionChoice choose();

private:
  struct Cost {
    FusionStrategy strategy;
    int64_t bytes;
  };

  void addEpilogue();
  void addTwoKernelStats();
  void addRowKernel();
  /// Why not every reader can apply the norm itself; empty if all can.
  std::string findOtherReader();
  bool canApply(OpOperand &use);

  NormalizationOpInterface norm;
  const FusionGroups &groups;
  const FusionLimits &limits;
  /// The group that computes the input, and that the norm is in; or null.
  FusionGroup *producer, *own;
  SmallVector<OpOperand *> readers;
  /// Of input or result, and what the readers outside of the norm's group read.
  int64_t size, read = 0;
  int64_t groupSize = 0;
  SmallVector<Cost> costs;
  SmallVector<std::string> refusals;
};
} // namespace

NormCosts::NormCosts(NormalizationOpInterface norm, const FusionGroups &groups,
                     const FusionLimits &limits)
    : norm(norm), groups(groups), limits(limits),
      size(getBytes(norm.getInput().getType())) {
  Operation *source = stripReshapes(norm.getInput()).getDefiningOp();
  producer = source ? groups.find(source) : nullptr;
  own = groups.find(norm);
  collectReaders(norm.getResult(), readers);
  llvm::DenseSet<void *> kernels;
  for (OpOperand *use : readers) {
    FusionGroup *group = groups.find(use->getOwner());
    if ((!group || group != own) &&
        kernels.insert(group ? static_cast<void *>(group) : use->getOwner())
            .second)
      read += size;
  }
}

/// In the group that computes the input.
void NormCosts::addEpilogue() {
  if (!producer || own != producer) {
    std::string why = groups.getRefusal(norm);
    if (!why.empty())
      refusals.push_back(why);
    return;
  }
  FusionStrategy strategy = FusionStrategy::RowKernel;
  if (producer->root) {
    int64_t span = 0;
    for (int64_t axis : norm.getNormalizedAxes())
      span = std::max(span, (*own->find(norm.getInput()))[axis].span);
    strategy = span == producer->columns ? FusionStrategy::WholeRow
                                         : FusionStrategy::GroupedRows;
  }
  // The input, if it is read elsewhere; the result, if it is.
  int64_t bytes = read + (read > 0 ? size : 0);
  SmallVector<OpOperand *> inputReaders;
  collectReaders(stripReshapes(norm.getInput()), inputReaders);
  if (llvm::any_of(inputReaders, [&](OpOperand *use) {
        return groups.find(use->getOwner()) != own;
      }))
    bytes += size;
  costs.push_back({strategy, bytes});
}

bool NormCosts::canApply(OpOperand &use) {
  FusionGroup *group = groups.find(use.getOwner());
  if (!group || !group->root || group == own || group == producer)
    return false;
  return group->root != use.getOwner() || &use == &getActivation(group->root);
}

std::string NormCosts::findOtherReader() {
  for (OpOperand *use : readers)
    if (!canApply(*use))
      return "it is read by " + describeOperation(use->getOwner());
  return readers.empty() ? "nothing reads it" : "";
}

/// Statistics from the group that computes the input, applied by the readers.
void NormCosts::addTwoKernelStats() {
  std::string why = findOtherReader();
  std::optional<int64_t> extent = norm.getNormalizedExtent();
  if (producer && producer->root && extent) {
    if (limits.tileColumns < *extent)
      groupSize = limits.tileColumns;
    for (int64_t axis : norm.getNormalizedAxes()) {
      const Layout *layout = producer->find(norm.getInput());
      if (why.empty() && (!layout || !(*layout)[axis].rows.empty() ||
                          *extent != producer->columns))
        why = "it does not normalize whole rows of the matmul before it";
    }
  }
  if (why.empty() && !extent)
    why = "it normalizes a dynamic extent";
  if (why.empty())
    why = NormSplitter::findRefusal(norm, groupSize);
  if (!why.empty()) {
    refusals.push_back("its readers do not apply it: " + why);
    return;
  }
  int64_t statistics =
      size / *extent /
      llvm::divideCeil(
          getElementTypeOrSelf(norm.getInput()).getIntOrFloatBitWidth(), 8);
  statistics *= norm.getStatisticsType().getIntOrFloatBitWidth() / 8;
  statistics *= norm.getNormKind() == NormKind::Layer ? 2 : 1;
  statistics *= groupSize > 0 ? llvm::divideCeil(*extent, groupSize) : 1;
  // Written by the producer; where there is none, the input is read once for
  // them.
  costs.push_back({FusionStrategy::TwoKernelStats,
                   size + read + statistics * (1 + read / size)});
}

/// In a kernel that reads the input and writes the result.
void NormCosts::addRowKernel() {
  if (producer && !producer->root && own == producer)
    return;
  costs.push_back(
      {FusionStrategy::RowKernel,
       (producer ? 2 * size : size) + (read > 0 ? size : 0) + read});
}

FusionChoice NormCosts::choose() {
  addEpilogue();
  addTwoKernelStats();
  addRowKernel();
  const Cost *best =
      llvm::min_element(costs, [](const Cost &lhs, const Cost &rhs) {
        return lhs.bytes < rhs.bytes;
      });

  auto remark = emitRemark(norm.getLoc())
                << "the norm is computed by "
                << stringifyFusionStrategy(best->strategy) << ", which moves "
                << best->bytes << " bytes";
  for (const Cost &cost : costs)
    if (&cost != best)
      remark << ", not by " << stringifyFusionStrategy(cost.strategy) << ", "
             << cost.bytes << " bytes";
  for (const std::string &why : refusals)
    remark << "; " << why;
  bool isSplit = best->strategy == FusionStrategy::TwoKernelStats;
  return {norm, best->strategy, isSplit ? groupSize : 0};
}

std::vector<FusionChoice> norm::chooseStrategies(Block &block,
                                                 const FusionGroups &groups,
                                                 const FusionLimits &limits) {
  std::vector<FusionChoice> choices;
  for (auto norm : block.getOps<NormalizationOpInterface>())
    if (!norm->hasAttr(kDroppedAttrName))
      choices.push_back(NormCosts(norm, groups, limits).choose());
  return choices;
}

SmallVector<FusionStrategy> norm::findStrategies(const FusionGroup &group,
                                                 bool appliesAbsorbed) {
  llvm::SetVector<FusionStrategy> strategies;
  auto reduces = [&](Value input, ArrayRef<int64_t> axes) {
    if (!group.root)
      return FusionStrategy::RowKernel;
    int64_t span = 0;
    for (int64_t axis : axes)
      span = std::max(span, (*group.find(input))[axis].span);
    return span == group.columns ? FusionStrategy::WholeRow
                                 : FusionStrategy::GroupedRows;
  };
  for (Operation *op : group.ops) {
    if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
      strategies.insert(reduces(norm.getInput(), norm.getNormalizedAxes()));
    } else if (std::optional<RowReduction> reduction = matchRowReduction(op)) {
      strategies.insert(
          reduces(reduction->input->get(), reduction->getReducedAxes()));
    } else if (isa<RowStatsOp>(op)) {
      strategies.insert(FusionStrategy::TwoKernelStats);
    } else if (auto apply = dyn_cast<ApplyStatsOp>(op)) {
      bool isInside = group.find(apply.getStatistics().front());
      strategies.insert(isInside
                            ? reduces(apply.getInput(), apply.getReducedAxes())
                        : group.root ? FusionStrategy::Deferred
                                     : FusionStrategy::TwoKernelStats);
    }
  }
  if (appliesAbsorbed)
    strategies.insert(FusionStrategy::TwoKernelStats);
  return strategies.takeVector();
}
