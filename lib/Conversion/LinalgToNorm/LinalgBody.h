//===- LinalgBody.h - Elements seen from a linalg body ----------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_LINALGBODY_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_LINALGBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"

namespace mlir::norm {

using Indices = SmallVector<AffineExpr, 4>;

/// The linalg operation on tensors that defines `value`, or null.
linalg::LinalgOp getLinalgOp(Value value);

/// The loop indices at which `op` computes the element `expr` of a result.
/// Reduced loops get new dimensions at the end of `space`.
FailureOr<Indices> getLoopIndices(linalg::LinalgOp op, const TensorExpr &expr,
                                  SmallVectorImpl<int64_t> &space);

/// The value that `op` yields for the element `expr`, in its body.
Value getYielded(linalg::LinalgOp op, const TensorExpr &expr);

/// The scalar `value` as seen from the body of `op` at the loop indices
/// `loops`: arguments become elements of the operands.
TensorExpr getInBody(linalg::LinalgOp op, Value value,
                     ArrayRef<AffineExpr> loops, ArrayRef<int64_t> space);

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_LINALGBODY_H
