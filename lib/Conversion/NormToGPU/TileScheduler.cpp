//===- TileScheduler.cpp - Which tile a block computes --------------------===//

#include "TileScheduler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// Rows of tiles that are walked through together, column by column.
static constexpr int64_t kGroupedRows = 8;

Tile kernel::scheduleTile(KernelBuilder &b, Value rows, int64_t columns,
                          bool isBatched) {
  Value block = b.block(), batch = b.index(0);
  if (isBatched) {
    Value tiles = b.mul(rows, columns);
    batch = b.createOrFold<arith::DivUIOp>(block, tiles);
    block = b.createOrFold<arith::RemUIOp>(block, tiles);
  }
  if (columns == 1)
    return {batch, block, b.index(0)};
  Value group = b.div(block, kGroupedRows * columns);
  Value inGroup = b.rem(block, kGroupedRows * columns);
  Value first = b.mul(group, kGroupedRows);
  // The last group may have fewer.
  Value height =
      b.min(arith::SubIOp::create(b, rows, first), b.index(kGroupedRows));
  return {batch, b.add(first, arith::RemUIOp::create(b, inGroup, height)),
          arith::DivUIOp::create(b, inGroup, height)};
}
