//===- Pipeline.h - Loads that run ahead of the arithmetic ------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_PIPELINE_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_PIPELINE_H

#include "TileLoader.h"

namespace mlir::norm::kernel {

/// The new sums, of those before and the offsets of the tiles of both operands
/// in shared memory.
using MultiplyTiles =
    llvm::function_ref<SmallVector<Value>(Value a, Value b, ValueRange sums)>;

/// Consecutive tiles along the reduction.
struct TileRange {
  Value first, count;
  /// What is known of the count.
  int64_t atLeast, atMost;
};

/// Multiplies `tiles` pairs of tiles one after the other, of which each is
/// loaded while those before are multiplied, and returns the sums.
SmallVector<Value> multiplyPipelined(KernelBuilder &b, TileLoader &left,
                                     TileLoader &right, const TileRange &tiles,
                                     ValueRange sums, MultiplyTiles multiply);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_PIPELINE_H
