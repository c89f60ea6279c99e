//===- BranchSlice.h - The operations between two values --------*- C++ -*-===//

#ifndef RENORM_ANALYSIS_BRANCHSLICE_H
#define RENORM_ANALYSIS_BRANCHSLICE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::norm {

/// The operations of one block through which a value `to` depends on a value
/// `from` that dominates it: the backward slice of `to`, restricted to what
/// depends on `from`. An operation with regions counts as one and reads what
/// its regions capture; who reads a shape only does not depend on the value.
/// Nothing before `from` is visited, so that the slices of all sublayers of a
/// stack together take linear time.
class BranchSlice {
public:
  /// The slice of everything that `to` depends on, if `from` is null.
  BranchSlice(Value from, Value to);

  /// Whether `to` depends on `from`, or is it.
  bool isConnected() const { return connected; }

  /// The operations, in block order.
  ArrayRef<Operation *> getOperations() const { return operations; }

  /// Whether `op`, or the operation of the block that holds it, is in the
  /// slice.
  bool contains(Operation *op) const;

  /// Whether `value` is `from` or depends on it. An argument of a region does
  /// if the operation that holds the region is in the slice.
  bool depends(Value value) const;

private:
  Value from;
  Block *block;
  bool connected;
  SmallVector<Operation *> operations;
  llvm::DenseSet<Operation *> members;
};

/// Whether the owner of `operand` reads the shape of a tensor and not its
/// elements: `tensor.dim`, or a linalg operation that overwrites it.
bool readsShapeOnly(OpOperand &operand);

/// Calls `visit` on every value that `op` reads, and not its shape only: its
/// operands, and what its regions capture from above.
void forEachReadValue(Operation *op, llvm::function_ref<void(Value)> visit);

/// Whether `op` sums products of two tensors: a linalg contraction or
/// convolution in any form, a matmul or convolution of TOSA, or
/// `norm.attention`.
bool isContraction(Operation *op);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_BRANCHSLICE_H
