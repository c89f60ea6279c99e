//===- ConstantWeights.h - Weights that are known when compiled -*- C++ -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_CONSTANTWEIGHTS_H
#define RENORM_DIALECT_NORM_TRANSFORMS_CONSTANTWEIGHTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <vector>

namespace mlir::norm {

/// The elements of `value`, a constant (dense or a resource) or the load of an
/// immutable global, of static shape and f64, f32, f16 or bf16; null if it is
/// none, or a resource that was elided when printed.
ElementsAttr getConstantWeight(Value value);

/// The elements of a constant weight, in row-major order.
std::vector<double> readWeight(ElementsAttr weight);

/// A constant whose elements are `elements` rounded once, as a resource or
/// dense. Null if one that is finite is rounded to infinity.
ElementsAttr makeWeight(RankedTensorType type, ArrayRef<double> elements,
                        bool asResource);

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_CONSTANTWEIGHTS_H
