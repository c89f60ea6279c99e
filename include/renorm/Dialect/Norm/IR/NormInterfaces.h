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
SmallVector<int64_t> scaleDimensions(Operation *op);
FloatType statisticsType(Operation *op);
LogicalResult verifyNormalization(Operation *op);
} // namespace detail
} // namespace mlir::norm

#include "renorm/Dialect/Norm/IR/NormInterfaces.h.inc"

#endif // RENORM_DIALECT_NORM_IR_NORMINTERFACES_H
