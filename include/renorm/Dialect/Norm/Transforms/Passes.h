//===- Passes.h - Passes on the norm dialect --------------------*- C++ -*-===//
//
// Each pass has a struct of options and a `createFooPass(FooOptions)`,
// generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H
#define RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::norm {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H
