//===- Simplify.h - One norm in place of several ----------------*- C++ -*-===//
//
// The patterns of `norm-simplify`; SimplifyPasses.td says what each holds for.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFY_H
#define RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFY_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::norm {

/// A norm of a norm becomes one norm. Reassociating.
void populateNormOfNormPatterns(RewritePatternSet &patterns);

/// A positive constant factor before a norm goes into its epsilon.
/// Reassociating.
void populateFactorBeforeNormPatterns(RewritePatternSet &patterns);

/// Norms of one value that are equal, though their attributes or constants may
/// be written in different ways, become one. Bitwise.
void populateEqualNormPatterns(RewritePatternSet &patterns);

/// All of these.
void populateNormSimplifyPatterns(RewritePatternSet &patterns);

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFY_H
