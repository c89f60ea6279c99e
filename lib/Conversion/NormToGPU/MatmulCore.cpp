//===- MatmulCore.cpp - What all cores share ------------------------------===//

#include "MatmulCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

MatmulCore::MatmulCore(KernelBuilder &b, WarpGrid grid, FloatType type,
                       TileShape left, TileShape right,
                       bool rightReducesColumns)
    : b(b), grid(grid), type(type), left(left), right(right),
      rightReducesColumns(rightReducesColumns) {
  lane = b.rem(b.thread(), 32);
  Value warp = b.div(b.thread(), 32);
  warpRow = b.mul(b.rem(warp, grid.rows), grid.warpRows);
  warpColumn = b.mul(b.div(warp, grid.rows), grid.warpColumns);
}

Fragment MatmulCore::fragment(Value firstRow, Value rowExtent,
                              Value firstColumn, ColumnLayout columns) const {
  Fragment fragment;
  fragment.shape = grid.fragmentShape();
  fragment.tileRowCount = grid.tileRows();
  fragment.lane = b.rem(lane, 4);
  fragment.warp = b.div(warpColumn, grid.warpColumns);
  fragment.rowPlace = b.add(b.div(warpRow, grid.threadRows()), b.div(lane, 4));
  Value laneRow = b.add(warpRow, b.div(lane, 4));
  for (int64_t i = 0; i < grid.threadRows(); ++i) {
    Value tileRow = b.add(laneRow, 8 * i);
    fragment.addRow(b, b.add(firstRow, tileRow), tileRow, rowExtent);
  }
  Value laneColumn =
      b.add(b.add(firstColumn, warpColumn), b.mul(fragment.lane, 2));
  SmallVector<Value> starts;
  for (int64_t i = 0; i < fragment.shape.chunks; ++i)
    starts.push_back(b.add(laneColumn, 8 * i));
  fragment.setColumns(b, starts, columns, columns.hasGaps(grid.tileColumns()));
  return fragment;
}
