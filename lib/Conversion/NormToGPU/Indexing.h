//===- Indexing.h - Where the elements of a group's tensors are -*- C++ -*-===//
//
// A kernel walks over rows and columns; what a group computes has any rank. An
// index of a tensor is an expression of the row d0, the column d1 and symbols:
// extents that are dynamic, and the number of the batch.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_INDEXING_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_INDEXING_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

namespace mlir::norm::kernel {

/// The extents of tensors in a group as expressions. Each dynamic extent of an
/// input, and each input of type index, is a symbol.
class Extents {
public:
  /// A symbol: dimension `dim` of input number `input`, or the input itself
  /// where that is an index.
  struct Symbol {
    unsigned input;
    int64_t dim;
  };

  explicit Extents(FusionOp fusion);

  /// Null where an extent is not a function of those of the inputs.
  AffineExpr of(Value tensor, int64_t dim) const;
  AffineExpr of(OpFoldResult extent) const;
  /// Empty if one of them is null.
  std::optional<SmallVector<AffineExpr>> of(Value tensor) const;

  ArrayRef<Symbol> getSymbols() const { return symbols; }
  /// The symbol behind them: which of the matrices of a batch it is.
  AffineExpr getBatch() const {
    return getAffineSymbolExpr(symbols.size(), context);
  }

  /// Makes known how many rows and columns there are in a batch.
  void setShape(AffineExpr rows, int64_t columns);
  /// The indices of element number `index` of a shape of `sizes`. What was put
  /// together of parts that are known to be small is taken apart to them.
  SmallVector<AffineExpr> delinearize(AffineExpr index,
                                      ArrayRef<AffineExpr> sizes) const;

  /// A map from rows and columns.
  AffineMap map(ArrayRef<AffineExpr> results) const {
    return AffineMap::get(2, symbols.size() + 1, results, context);
  }

private:
  AffineExpr symbol(BlockArgument input, int64_t dim) const;
  /// The largest value of `expr`, where it is known.
  std::optional<int64_t> maximum(AffineExpr expr) const;

  MLIRContext *context;
  /// The last row and column.
  std::optional<int64_t> last[2];
  SmallVector<Symbol> symbols;
};

/// The product of `extents`.
AffineExpr product(MLIRContext *context, ArrayRef<AffineExpr> extents);

/// The indices of element number `index` of a shape of `extents`.
SmallVector<AffineExpr> delinearize(AffineExpr index,
                                    ArrayRef<AffineExpr> extents);

/// The number of the element with `indices`. What `delinearize` took apart is
/// put together to what it was.
AffineExpr linearize(ArrayRef<AffineExpr> indices,
                     ArrayRef<AffineExpr> extents);

bool usesRow(AffineMap map);
bool usesColumn(AffineMap map);

/// How many consecutive columns, a power of two up to `limit`, are consecutive
/// elements of a tensor of `extents`, the first of them at a multiple of that
/// number.
int64_t contiguousColumns(AffineMap indices, ArrayRef<AffineExpr> extents,
                          int64_t limit);

/// `expr` as operations on index. Nothing in it is negative.
Value expand(ImplicitLocOpBuilder &b, AffineExpr expr, ValueRange dims,
             ValueRange symbols);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_INDEXING_H
