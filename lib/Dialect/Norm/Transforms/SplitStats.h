//===- SplitStats.h - Split norms into statistics and application -*- C++ -*-=//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_SPLITSTATS_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_SPLITSTATS_H

#include "renorm/Dialect/Norm/IR/Norm.h"
#include <string>

namespace mlir::norm {

/// Splits norms; those of one value that divide by the same statistics share
/// them. `groupSize` elements have statistics of their own, which are merged;
/// 0: the whole row has.
class NormSplitter {
public:
  /// Why `norm` cannot be split; empty if it can.
  static std::string findRefusal(NormalizationOpInterface norm,
                                 int64_t groupSize);

  /// Replaces `norm`, which can be split, by its two halves.
  ApplyStatsOp split(NormalizationOpInterface norm, int64_t groupSize);

private:
  /// The statistics of one value.
  struct Statistics {
    NormKind kind;
    SmallVector<int64_t> axes;
    int64_t groupSize;
    SmallVector<Value, 2> values;
  };

  SmallVector<Value, 2> findStatistics(NormalizationOpInterface norm,
                                       int64_t groupSize);

  DenseMap<Value, SmallVector<Statistics, 1>> known;
};

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_SPLITSTATS_H
