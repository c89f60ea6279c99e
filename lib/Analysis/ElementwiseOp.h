//===- ElementwiseOp.h - Additions and products of tensors ------*- C++ -*-===//

#ifndef RENORM_LIB_ANALYSIS_ELEMENTWISEOP_H
#define RENORM_LIB_ANALYSIS_ELEMENTWISEOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <array>
#include <optional>

namespace mlir::norm {

/// The extents of a ranked tensor.
ArrayRef<int64_t> getShape(Value value);

/// The loop that a result of an indexing map is, or -1 if it is a constant.
int64_t getLoopOf(AffineMap map, int64_t result);

/// An element-wise operation on two tensors, which are broadcast to its result.
struct ElementwiseOp {
  std::array<OpOperand *, 2> operands;
  /// For each, its dimension that a dimension of the result reads, or -1.
  std::array<SmallVector<int64_t>, 2> dims;
};

/// An addition, as arith.addf, named or generic linalg operation.
std::optional<ElementwiseOp> matchAdd(Operation *op);
/// A multiplication.
std::optional<ElementwiseOp> matchMul(Operation *op);

/// Whether `value` is zero everywhere: a constant or a fill.
bool isZero(Value value);

/// The only use of `value` but those of its shape, or null.
OpOperand *getOnlyUse(Value value);

} // namespace mlir::norm

#endif // RENORM_LIB_ANALYSIS_ELEMENTWISEOP_H
