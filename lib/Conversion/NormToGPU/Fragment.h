//===- Fragment.h - Which elements a thread has -----------------*- C++ -*-===//
//
// How the rows and columns that a block works on are divided among its threads,
// and sums along rows over what all of them have.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_FRAGMENT_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_FRAGMENT_H

#include "ColumnLayout.h"
#include "Indexing.h"

namespace mlir::norm::kernel {

/// An element of a thread: its row, the chunk of columns and the place there.
struct Position {
  unsigned row, chunk, place;
};

/// How the columns of a fragment are divided, known before it is built.
struct FragmentShape {
  /// Consecutive columns of a chunk.
  int64_t width;
  /// Chunks of a thread, and consecutive lanes whose chunks lie side by side: a
  /// warp's columns are those of its lanes' first chunks, then of their second.
  int64_t chunks, lanes;
  /// Warps side by side along a row.
  int64_t warps;

  int64_t laneColumns() const { return lanes * width; }
  int64_t warpColumns() const { return laneColumns() * chunks; }
  int64_t columns() const { return warpColumns() * warps; }

  /// Whether groups of `group` columns can be reduced; all columns are a group.
  bool canReduce(int64_t group) const;
};

/// The elements of a thread: some rows, and in each the same columns.
struct Fragment {
  FragmentShape shape;
  /// One for each row: its number; the same, or that of the last row where it
  /// is none; whether it is one, or null if it always is; and its place in the
  /// tile.
  SmallVector<Value> rows, safeRows, rowIsIn, tileRows;
  /// How many rows a tile has.
  int64_t tileRowCount = 0;
  /// The place of a thread's row among those that have the same number in their
  /// threads.
  Value rowPlace;
  /// Where columns are.
  ColumnLayout layout = {0};
  /// One for each chunk, or each element if a chunk can end outside: its place;
  /// its column, or another where it has none; whether it has one, or null if
  /// all have. Where columns are padded, also the group of the column and its
  /// number there.
  struct Column {
    Value place, safe, isIn, group, inGroup;
  };
  SmallVector<Column> columns;
  bool hasSingleColumns = false;
  /// The lane's place among those of a row, and the warp's.
  Value lane, warp;

  unsigned rowCount() const { return rows.size(); }
  const Column &column(Position p) const {
    return columns[hasSingleColumns ? p.chunk * shape.width + p.place
                                    : p.chunk];
  }
  /// The column of an element, inside of the tensor.
  Value safeColumn(KernelBuilder &b, Position p) const;
  /// `expr` at the row and column of an element, both inside.
  Value index(KernelBuilder &b, AffineExpr expr, Position p,
              ValueRange symbols) const;

  /// Sets the columns, of which chunk i begins at the place `starts[i]`.
  /// `hasGaps` if there is a place without a column.
  void setColumns(KernelBuilder &b, ArrayRef<Value> starts, ColumnLayout layout,
                  bool hasGaps);
  /// Adds a row; `extent` is null if all rows are in.
  void addRow(KernelBuilder &b, Value row, Value tileRow, Value extent);

  /// How many groups of `group` columns a thread has elements of, and which of
  /// them a chunk is in.
  unsigned groupCount(int64_t group) const;
  unsigned groupOf(unsigned chunk, int64_t group) const;

  /// Combines numbers of type f32 of all threads, such as their sums:
  /// `partials` has, for each row and then each group, what this thread has.
  using Combine = llvm::function_ref<Value(Value, Value)>;
  SmallVector<Value> reduce(KernelBuilder &b, ArrayRef<Value> partials,
                            int64_t group, Combine combine) const;
  SmallVector<Value> sum(KernelBuilder &b, ArrayRef<Value> partials,
                         int64_t group) const;
};

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_FRAGMENT_H
