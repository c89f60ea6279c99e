//===- ColumnLayout.h - Where columns are in tiles --------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_COLUMNLAYOUT_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_COLUMNLAYOUT_H

#include "KernelBuilder.h"

namespace mlir::norm::kernel {

/// The places of the columns of a result in a row of tiles: each at its own
/// number, or groups of `group` columns, such as heads, each at a multiple of
/// `pitch`, with places of no column behind it. So a tile has whole groups also
/// where their width does not divide its own.
struct ColumnLayout {
  int64_t columns;
  int64_t group = 1, pitch = 1;

  bool isPadded() const { return group != pitch; }
  /// How many places there are.
  int64_t places() const { return columns / group * pitch; }
  /// Whether tiles of `tileColumns` places have some without a column.
  bool hasGaps(int64_t tileColumns) const {
    return isPadded() || columns % tileColumns != 0;
  }
  /// How many places `size` columns take that are reduced together.
  int64_t span(int64_t size) const {
    return isPadded() && size == group ? pitch : size;
  }

  /// The column at `place`; that of another place if it has none.
  Value column(KernelBuilder &b, Value place) const {
    if (!isPadded())
      return place;
    return b.add(b.mul(b.div(place, pitch), group), b.rem(place, pitch));
  }
  /// The place of `column`, a function of another column.
  AffineExpr place(AffineExpr column) const {
    if (!isPadded())
      return column;
    return column.floorDiv(group) * pitch + column % group;
  }
  /// Whether there is a column at `place`.
  Value isColumn(KernelBuilder &b, Value place) const {
    Value isBelow = b.isLess(place, b.index(places()));
    if (!isPadded())
      return isBelow;
    return b.both(isBelow, b.isLess(b.rem(place, pitch), b.index(group)));
  }
};

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_COLUMNLAYOUT_H
