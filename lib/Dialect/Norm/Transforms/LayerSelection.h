//===- LayerSelection.h - Layers that an option names -----------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_LAYERSELECTION_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_LAYERSELECTION_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <optional>
#include <string>

namespace mlir::norm {

/// What the option `layers` of a pass names; all, and what is in no layer, if
/// it names none.
class LayerSelection {
public:
  /// Fails, with an error at `loc`, if a text is neither "7" nor "0-3".
  static FailureOr<LayerSelection> parse(Location loc,
                                         ArrayRef<std::string> texts);

  /// Whether what is in this layer, or in none, is named.
  bool contains(std::optional<unsigned> layer) const;

private:
  SmallVector<std::pair<unsigned, unsigned>> ranges;
};

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_LAYERSELECTION_H
