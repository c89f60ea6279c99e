//===- Passes.td - Passes on the norm dialect --------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PASSES
