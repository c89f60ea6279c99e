//===- NormToLinalg.h - The norm dialect as linalg --------------*- C++ -*-===//

#ifndef RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H
#define RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;

namespace norm {

#define GEN_PASS_DECL_CONVERTNORMTOLINALGPASS
#include "renorm/Conversion/Passes.h.inc"

/// Patterns that replace the pure operations of the `norm` dialect by linalg on
/// tensors.
void populateNormToLinalgPatterns(RewritePatternSet &patterns);

} // namespace norm
} // namespace mlir

#endif // RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H
