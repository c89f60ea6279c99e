//===- SplitK.h - A reduction by several blocks -----------------*- C++ -*-===//
//
// Where there are too few tiles for a chip, several blocks compute a tile: each
// reduces a part of it and leaves its sums in a workspace of [splits, rows,
// columns], which another kernel adds, always in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_SPLITK_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_SPLITK_H

#include "Fragment.h"
#include "Pipeline.h"

namespace mlir::norm::kernel {

/// The multiprocessors of a chip of compute capability `capability`, 80 for
/// sm_80.
int64_t multiprocessorsOf(int64_t capability);

/// How `depth` tiles along the reduction are divided: each part has `length`,
/// the last one what is left.
struct ReductionSplit {
  int64_t depth, count, length;

  /// Divided into at most `count` parts, of which none is empty.
  ReductionSplit(int64_t depth, int64_t count)
      : depth(depth),
        count(llvm::divideCeil(depth, llvm::divideCeil(depth, count))),
        length(llvm::divideCeil(depth, count)) {}

  /// What `block`, a number below `count`, has of it.
  TileRange rangeOf(KernelBuilder &b, Value block) const;
};

/// How `depth` tiles along the reduction of each of `tiles` tiles of the result
/// are divided on a chip with so many multiprocessors.
ReductionSplit chooseSplit(int64_t tiles, int64_t depth,
                           int64_t multiprocessors);

/// Leaves the sums of `fragment` in part `split` of `workspace`.
void storePartialSums(KernelBuilder &b, const Fragment &fragment,
                      ValueRange sums, Value workspace, Value split, Value rows,
                      int64_t columns);

/// The totals of all `splits` parts, the first to the last.
SmallVector<Value> addPartialSums(KernelBuilder &b, const Fragment &fragment,
                                  Value workspace, int64_t splits, Value rows,
                                  int64_t columns);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_SPLITK_H
