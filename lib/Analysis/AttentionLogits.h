//===- AttentionLogits.h - What bounds the logits of an attention -*- C++
//-*-===//

#ifndef RENORM_LIB_ANALYSIS_ATTENTIONLOGITS_H
#define RENORM_LIB_ANALYSIS_ATTENTIONLOGITS_H

#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"

namespace mlir::norm {

/// Fills in the QK-Norm and the bound of `site`. `module` is the slice of the
/// sublayer that holds the attention, or null; a norm among `inputNorms` is the
/// sublayer's and not the attention's.
void analyzeLogits(AttentionSite &site, const BranchSlice *module,
                   ArrayRef<NormalizationOpInterface> inputNorms);

} // namespace mlir::norm

#endif // RENORM_LIB_ANALYSIS_ATTENTIONLOGITS_H
