//===- Layout.h - The order of a tensor's elements --------------*- C++ -*-===//
//
// A layout says which axes of an AxisSpace each dimension of a tensor runs
// over. It is read off the index at which an expression reads the tensor, and a
// tensor is rearranged from one layout to another by reshapes and a
// transposition.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_LAYOUT_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_LAYOUT_H

#include "AxisSpace.h"
#include "mlir/IR/Builders.h"
#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"

namespace mlir::norm {

using Layout = SmallVector<AxisProduct>;

/// One new dimension for each of `shape`.
Layout createLayout(AxisSpace &space, ArrayRef<int64_t> shape);

/// The layout of the tensor that `expr` reads, given the axes of the dimensions
/// of the space that it reads it in. Fails where an index is not made of whole
/// axes.
FailureOr<Layout> getLayout(AxisSpace &space, const TensorExpr &expr,
                            ArrayRef<AxisProduct> exprSpace);

/// Whether both are the same axes in the same dimensions.
bool areEqual(const AxisSpace &space, ArrayRef<AxisProduct> lhs,
              ArrayRef<AxisProduct> rhs);

/// All axes, outermost first.
AxisProduct flatten(const AxisSpace &space, ArrayRef<AxisProduct> layout);

/// Whether both hold the same axes, each once, and the reshapes between them
/// can be written.
bool canRearrange(const AxisSpace &space, ArrayRef<AxisProduct> from,
                  ArrayRef<AxisProduct> to);

/// `value`, of layout `from`, in the layout `to`, for which `canRearrange`
/// holds.
Value rearrange(OpBuilder &builder, Location loc, const AxisSpace &space,
                Value value, ArrayRef<AxisProduct> from,
                ArrayRef<AxisProduct> to);

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_LAYOUT_H
