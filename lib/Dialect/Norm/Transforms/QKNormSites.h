//===- QKNormSites.h - What the passes on QK-Norm share ---------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H

#include "mlir/IR/BuiltinOps.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"

namespace mlir::norm {

/// Layers that an option names; all, and what is in no layer, if it names none.
class LayerSelection {
public:
  /// Fails, with an error at `module`, if a text is neither "7" nor "0-3".
  static FailureOr<LayerSelection> parse(ModuleOp module,
                                         ArrayRef<std::string> texts);

  bool contains(const AttentionSite &site,
                ResidualStreamAnalysis &analysis) const;

private:
  SmallVector<std::pair<unsigned, unsigned>> ranges;
};

/// Makes `operand`, which is computed from `from`, be computed from `to`, which
/// stands after it and has its type. Nothing else reads another value than
/// before: operations whose results have other readers are cloned.
void replaceOnWay(OpOperand &operand, Value from, Value to);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_QKNORMSITES_H
