//===- QKNormSites.cpp - What the passes on QK-Norm share -----------------===//

#include "QKNormSites.h"
#include "mlir/IR/IRMapping.h"
#include "renorm/Analysis/BranchSlice.h"

using namespace mlir;
using namespace mlir::norm;

bool norm::isSelected(const LayerSelection &layers, const AttentionSite &site,
                      ResidualStreamAnalysis &analysis) {
  if (!site.sublayer)
    return layers.contains(std::nullopt);
  auto [stream, index] = *site.sublayer;
  return layers.contains(analysis.getStreams()[stream].sublayers[index].layer);
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
