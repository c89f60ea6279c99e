//===- NormInterfaces.h - Interfaces of the norm dialect --------*- C++ -*-===//
//
// `NormalizationOpInterface` is what passes speak to: see NormInterfaces.td.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_IR_NORMINTERFACES_H
#define RENORM_DIALECT_NORM_IR_NORMINTERFACES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "renorm/Dialect/Norm/IR/NormEnums.h.inc"

namespace mlir::norm {
class NormalizationOpInterface;

namespace detail {
SmallVector<int64_t> normalizedAxes(Operation *op);
std::optional<int64_t> normalizedExtent(Operation *op);
SmallVector<int64_t> scaleDimensions(Operation *op);
FloatType statisticsType(Operation *op);
LogicalResult verifyNormalization(Operation *op);

/// `axes` of a tensor of type `type`; `what` it does to them is said of one of
/// extent 0, as in "normalized".
LogicalResult verifyAxes(Operation *op, StringRef what, ArrayRef<int64_t> axes,
                         RankedTensorType type);
/// Dimensions of a tensor of rank `rank`, as `axes` and `scale_dims` list them.
LogicalResult verifyDimensions(Operation *op, StringRef name,
                               ArrayRef<int64_t> dims, int64_t rank);
LogicalResult verifyEpsilon(Operation *op, const APFloat &epsilon);
/// A parameter (null where there is none) against the dimensions of the input
/// that it stands for.
LogicalResult verifyParameter(Operation *op, StringRef name,
                              TypedValue<RankedTensorType> parameter,
                              ArrayRef<int64_t> dims,
                              RankedTensorType inputType);
} // namespace detail
} // namespace mlir::norm

#include "renorm/Dialect/Norm/IR/NormInterfaces.h.inc"

#endif // RENORM_DIALECT_NORM_IR_NORMINTERFACES_H
