//===- BranchSlice.cpp - The operations between two values ----------------===//

#include "renorm/Analysis/BranchSlice.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

bool norm::readsShapeOnly(OpOperand &operand) {
  if (isa<tensor::DimOp>(operand.getOwner()))
    return operand.getOperandNumber() == 0;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return linalgOp && linalgOp.isDpsInit(&operand) &&
         !linalgOp.payloadUsesValueFromOperand(&operand);
}

void norm::forEachReadValue(Operation *op,
                            llvm::function_ref<void(Value)> visit) {
  auto visitOperand = [&](OpOperand *operand) {
    if (!readsShapeOnly(*operand))
      visit(operand->get());
  };
  for (OpOperand &operand : op->getOpOperands())
    visitOperand(&operand);
  visitUsedValuesDefinedAbove(op->getRegions(), visitOperand);
}

bool norm::isContraction(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalg::isaContractionOpInterface(linalgOp) ||
           linalg::isaConvolutionOpInterface(linalgOp);
  return isa<AttentionOp, tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp>(op);
}

BranchSlice::BranchSlice(Value from, Value to)
    : from(from), block(to.getParentBlock()), connected(from == to) {
  Operation *first = from ? from.getDefiningOp() : nullptr;
  if (first && first->getBlock() != block)
    first = nullptr;

  SmallVector<Operation *> worklist, visited;
  llvm::DenseSet<Operation *> seen;
  auto visit = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (value == from || !op || op->getBlock() != block ||
        (first && op->isBeforeInBlock(first)) || !seen.insert(op).second)
      return;
    worklist.push_back(op);
    visited.push_back(op);
  };
  visit(to);
  while (!worklist.empty())
    forEachReadValue(worklist.pop_back_val(), visit);

  llvm::sort(visited, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : visited) {
    bool depends = !from;
    forEachReadValue(op, [&](Value value) {
      depends |= value == from || members.contains(value.getDefiningOp());
    });
    if (!depends)
      continue;
    members.insert(op);
    operations.push_back(op);
  }
  connected |= members.contains(to.getDefiningOp());
}

bool BranchSlice::contains(Operation *op) const {
  op = block->findAncestorOpInBlock(*op);
  return op && members.contains(op);
}

bool BranchSlice::depends(Value value) const {
  if (value == from)
    return true;
  Operation *op = value.getDefiningOp();
  return contains(op ? op : value.getParentBlock()->getParentOp());
}
