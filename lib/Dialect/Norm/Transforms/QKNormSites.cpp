//===- QKNormSites.cpp - What the passes on QK-Norm share -----------------===//

#include "QKNormSites.h"
#include "PlacementPlan.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::norm;

FailureOr<LayerSelection> LayerSelection::parse(ModuleOp module,
                                                ArrayRef<std::string> texts) {
  LayerSelection selection;
  for (const std::string &text : texts) {
    FailureOr<std::pair<unsigned, unsigned>> range = parseLayerRange(text);
    if (failed(range)) {
      emitError(module.getLoc())
          << "expected 'layers' to be a layer or a range such as 0-3, but got '"
          << text << "'";
      return failure();
    }
    selection.ranges.push_back(*range);
  }
  return selection;
}

bool LayerSelection::contains(const AttentionSite &site,
                              ResidualStreamAnalysis &analysis) const {
  if (ranges.empty())
    return true;
  if (!site.sublayer)
    return false;
  auto [stream, index] = *site.sublayer;
  unsigned layer = analysis.getStreams()[stream].sublayers[index].layer;
  return llvm::any_of(ranges, [&](auto range) {
    return range.first <= layer && layer <= range.second;
  });
}

void norm::replaceOnWay(OpOperand &operand, Value from, Value to) {
  if (operand.get() == from)
    return operand.set(to);
  BranchSlice way(from, operand.get());
  // What computes nothing but the operand changes in place.
  llvm::DenseSet<Operation *> owned;
  auto isOwned = [&](OpOperand &use) {
    Operation *owner =
        from.getParentBlock()->findAncestorOpInBlock(*use.getOwner());
    return &use == &operand || owned.contains(owner);
  };
  for (Operation *op : llvm::reverse(way.getOperations()))
    if (llvm::all_of(op->getUses(), [&](OpOperand &use) {
          return isOwned(use) || readsShapeOnly(use);
        }))
      owned.insert(op);

  IRMapping mapping;
  mapping.map(from, to);
  from.replaceUsesWithIf(to, isOwned);
  OpBuilder builder(operand.getOwner());
  for (Operation *op : way.getOperations()) {
    if (owned.contains(op))
      continue;
    builder.setInsertionPointAfter(op);
    Operation *clone = builder.clone(*op, mapping);
    op->replaceUsesWithIf(clone->getResults(), isOwned);
  }
}
