//===- NormToLinalg.h - The norm dialect as linalg --------------*- C++ -*-===//
//
// The patterns hold for any driver: greedy rewriting or dialect conversion.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H
#define RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
class RewritePatternSet;

namespace norm {

#define GEN_PASS_DECL_CONVERTNORMTOLINALGPASS
#define GEN_PASS_DECL_NORMDECOMPOSEATTENTIONPASS
#include "renorm/Conversion/Passes.h.inc"

/// The function that lowered probes call:
/// (id, mean, variance, max_abs, kurtosis) : (i64, f64, f64, f64, f64) -> ().
inline constexpr llvm::StringLiteral kRecordProbeFunction =
    "renorm_record_probe";

/// Gives every probe of `module` an id, the position of its name in the
/// attribute `norm.probe_names` of the module, and declares the function
/// that records them. Names that are there keep their ids. Does nothing to a
/// module without probes; fails, with a diagnostic, if the module has another
/// symbol of the function's name.
LogicalResult declareProbes(ModuleOp module);

/// Every operation that implements NormalizationOpInterface becomes reductions
/// for its statistics and one elementwise operation for the result.
void populateNormalizationToLinalgPatterns(RewritePatternSet &patterns);

/// `norm.row_stats` and `norm.merge_stats` become reductions,
/// `norm.apply_stats` an elementwise operation.
void populateStatsToLinalgPatterns(RewritePatternSet &patterns);

/// `norm.residual_add` becomes one elementwise operation.
void populateResidualAddToLinalgPatterns(RewritePatternSet &patterns);

/// `norm.attention` becomes two contractions and a softmax between them. The
/// logits are held as a tensor.
void populateAttentionToLinalgPatterns(RewritePatternSet &patterns);

/// `norm.probe` becomes reductions in f64 and a call of `kRecordProbeFunction`.
/// Matches only probes that `declareProbes` gave an id.
void populateProbeToLinalgPatterns(RewritePatternSet &patterns);

/// All of the above.
void populateNormToLinalgPatterns(RewritePatternSet &patterns);

} // namespace norm
} // namespace mlir

#endif // RENORM_CONVERSION_NORMTOLINALG_NORMTOLINALG_H
