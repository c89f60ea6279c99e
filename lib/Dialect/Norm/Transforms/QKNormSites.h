//===- QKNormSites.h - What the passes on QK-Norm share ---------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H

#include "LayerSelection.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"

namespace mlir::norm {

/// Whether `layers` names the layer of the sublayer that holds the attention.
bool isSelected(const LayerSelection &layers, const AttentionSite &site,
                ResidualStreamAnalysis &analysis);

/// Makes `operand`, which is computed from `from`, be computed from `to`, which
/// stands after it and has its type. Nothing else reads another value than
/// before: operations whose results have other readers are cloned.
void replaceOnWay(OpOperand &operand, Value from, Value to);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H
