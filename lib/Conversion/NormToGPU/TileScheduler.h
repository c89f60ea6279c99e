//===- TileScheduler.h - Which tile a block computes ------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_TILESCHEDULER_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_TILESCHEDULER_H

#include "KernelBuilder.h"

namespace mlir::norm::kernel {

/// The number of a tile along each dimension.
struct Tile {
  Value batch, row, column;
};

/// The tile of the block, of batches of `rows` by `columns` tiles, one for each
/// block along x; `isBatched` if there is more than one batch. Blocks that run
/// at the same time lie in a few rows of tiles, so that they read the same of
/// both operands (grouped rasterization).
Tile scheduleTile(KernelBuilder &b, Value rows, int64_t columns,
                  bool isBatched);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_TILESCHEDULER_H
