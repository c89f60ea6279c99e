//===- ValueBoundsOpInterfaceImpl.h - Extents of results --------*- C++ -*-===//
//
// Says of which operand each extent of a result is, so that analyses of bounds
// see through the operations of the norm dialect.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H
#define RENORM_DIALECT_NORM_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace norm {
/// Adds `ValueBoundsOpInterface` to the norms, `residual_add` and `attention`.
void registerValueBoundsOpInterfaceExternalModels(DialectRegistry &registry);
} // namespace norm
} // namespace mlir

#endif // RENORM_DIALECT_NORM_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H
