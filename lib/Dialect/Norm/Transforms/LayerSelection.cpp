//===- LayerSelection.cpp - Layers that an option names -------------------===//

#include "LayerSelection.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::norm;

/// Reads "0-3" or "7": the first and the last layer.
static FailureOr<std::pair<unsigned, unsigned>> parseRange(StringRef text) {
  auto [first, last] = text.split('-');
  std::pair<unsigned, unsigned> range;
  if (first.getAsInteger(10, range.first))
    return failure();
  range.second = range.first;
  if (text.contains('-') &&
      (last.getAsInteger(10, range.second) || range.second < range.first))
    return failure();
  return range;
}

FailureOr<LayerSelection> LayerSelection::parse(Location loc,
                                                ArrayRef<std::string> texts) {
  LayerSelection selection;
  for (const std::string &text : texts) {
    FailureOr<std::pair<unsigned, unsigned>> range = parseRange(text);
    if (failed(range))
      return emitError(loc)
             << "expected 'layers' to be a layer or a range such as 0-3, but "
                "got '"
             << text << "'";
    selection.ranges.push_back(*range);
  }
  return selection;
}

bool LayerSelection::contains(std::optional<unsigned> layer) const {
  return ranges.empty() ||
         (layer && llvm::any_of(ranges, [&](auto range) {
            return range.first <= *layer && *layer <= range.second;
          }));
}
