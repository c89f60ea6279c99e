//===- FusionStrategies.h - How each norm is computed -----------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONSTRATEGIES_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONSTRATEGIES_H

#include "FusionGroups.h"

namespace mlir::norm {

/// How `norm` is computed.
struct FusionChoice {
  NormalizationOpInterface norm;
  /// Anything but `deferred`, which is how `two_kernel_stats` is applied.
  FusionStrategy strategy = FusionStrategy::RowKernel;
  /// With `two_kernel_stats`: how many elements have statistics of their own;
  /// 0: the whole row.
  int64_t groupSize = 0;
};

/// Chooses for each norm of `block` what moves the fewest bytes, and says so in
/// a remark with the bytes of what else could be taken, and why the rest could
/// not. `groups` are those of the norms as they are.
std::vector<FusionChoice> chooseStrategies(Block &block,
                                           const FusionGroups &groups,
                                           const FusionLimits &limits);

/// The strategies of the norms in a group with these operations, and of those
/// that it has one half of, each once.
SmallVector<FusionStrategy> findStrategies(const FusionGroup &group,
                                           bool appliesAbsorbed);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONSTRATEGIES_H
