//===- OutlineFusion.h - Operations into a norm.fusion ----------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTLINEFUSION_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTLINEFUSION_H

#include "FusionGroups.h"

namespace mlir::norm {

/// Moves `group`, one of `groups`, into a `norm.fusion`. What a kernel makes
/// itself is cloned into it: constants of one number, what is absorbed, and
/// moves of parameters (a transposed weight is read as it lies). Reshapes of
/// results stay outside. What nothing reads any more is erased, but originals
/// of clones, which are appended to `cloned`.
///
/// Operations of the block may stand before what they read; to be sorted.
FusionOp outlineFusion(const FusionGroup &group, const FusionGroups &groups,
                       llvm::SetVector<Operation *> &cloned);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTLINEFUSION_H
