//===- FusionLayout.h - What the values of a kernel run over ----*- C++ -*-===//
//
// A kernel computes a tile of rows and columns at a time. What may be computed
// in its epilogue are values whose elements stay with the tile: this follows
// the dimensions of a kernel's first result through reshapes, transposes and
// elementwise operations.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONLAYOUT_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONLAYOUT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::norm {

/// Every `stride`-th step of a loop over rows, `extent` times.
struct RowPart {
  int64_t loop, stride, extent;
  bool operator==(const RowPart &other) const {
    return loop == other.loop && stride == other.stride &&
           extent == other.extent;
  }
};

/// What a dimension of a value runs over: rows, columns, or, if it has extent
/// 1, neither.
struct DimLayout {
  /// A row-major product.
  SmallVector<RowPart, 2> rows;
  /// How many neighbouring columns hold all the elements along the dimension;
  /// 0: it runs over no columns.
  int64_t span = 0;

  bool operator==(const DimLayout &other) const {
    return rows == other.rows && span == other.span;
  }
};
using Layout = SmallVector<DimLayout, 4>;

/// A layout of rows only, one for each dimension of `type`.
Layout getRowLayout(RankedTensorType type);

/// The layout of a contraction's result; `columns` is set to their number. None
/// if it has dynamic columns, or a result that is indexed by more than loops.
std::optional<Layout> getRootLayout(linalg::LinalgOp root, int64_t &columns);

/// The operand of a contraction that has the rows of its result.
OpOperand &getActivation(linalg::LinalgOp root);

/// Whether `op` computes each element of its results of one element of each
/// operand, perhaps broadcast, and of nothing else.
bool isElementwise(Operation *op);

/// Returns the layout of an operand that is computed in the kernel, or null.
using FindLayout = llvm::function_ref<const Layout *(Value)>;
/// Whether all that a dimension runs over is in one tile with its row: a value
/// without such dimensions may be read along it.
using IsInTile = llvm::function_ref<bool(const DimLayout &)>;

/// The layouts of the results of `op`, an elementwise operation, a reduction, a
/// reshape, or a slice or concatenation of columns, if its elements stay with
/// the tile.
std::optional<SmallVector<Layout, 1>>
inferLayouts(Operation *op, FindLayout find, IsInTile isInTile);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONLAYOUT_H
