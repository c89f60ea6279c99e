//===- MatmulCore.cpp - What all cores share ------------------------------===//

#include "MatmulCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

namespace {
/// The lane of the thread, and where its warp's part of the tile begins.
struct WarpPlace {
  Value lane, row, column;

  WarpPlace(KernelBuilder &b, const WarpGrid &grid) {
    lane = b.rem(b.thread(), 32);
    Value warp = b.div(b.thread(), 32);
    row = b.mul(b.rem(warp, grid.rows), grid.warpRows);
    column = b.mul(b.div(warp, grid.rows), grid.warpColumns);
  }
};
} // namespace

MatmulCore::MatmulCore(KernelBuilder &b, WarpGrid grid, FloatType type,
                       TileShape left, TileShape right,
                       bool rightReducesColumns)
    : b(b), grid(grid), type(type), left(left), right(right),
      rightReducesColumns(rightReducesColumns) {
  WarpPlace place(b, grid);
  lane = place.lane;
  warpRow = place.row;
  warpColumn = place.column;
}

Fragment kernel::fragmentOf(KernelBuilder &b, const WarpGrid &grid,
                            Value firstRow, Value rowExtent, Value firstColumn,
                            ColumnLayout columns) {
  WarpPlace place(b, grid);
  Fragment fragment;
  fragment.shape = grid.fragmentShape();
  fragment.tileRowCount = grid.tileRows();
  fragment.lane = b.rem(place.lane, 4);
  fragment.warp = b.div(place.column, grid.warpColumns);
  fragment.rowPlace =
      b.add(b.div(place.row, grid.threadRows()), b.div(place.lane, 4));
  Value laneRow = b.add(place.row, b.div(place.lane, 4));
  for (int64_t i = 0; i < grid.threadRows(); ++i) {
    Value tileRow = b.add(laneRow, 8 * i);
    fragment.addRow(b, b.add(firstRow, tileRow), tileRow, rowExtent);
  }
  Value laneColumn =
      b.add(b.add(firstColumn, place.column), b.mul(fragment.lane, 2));
  SmallVector<Value> starts;
  for (int64_t i = 0; i < fragment.shape.chunks; ++i)
    starts.push_back(b.add(laneColumn, 8 * i));
  fragment.setColumns(b, starts, columns, columns.hasGaps(grid.tileColumns()));
  return fragment;
}
