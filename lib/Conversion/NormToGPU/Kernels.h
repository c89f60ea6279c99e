//===- Kernels.h - Kernels for groups ---------------------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H

#include "GroupPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "renorm/Conversion/NormToGPU/NormToGPU.h"

namespace mlir::norm::kernel {

/// A kernel and what it is launched with. Its arguments are the group's inputs
/// (a tensor as a memref of its first element), its results, the symbols of
/// its extents, and, where the reduction is split, the workspace.
struct Kernel {
  gpu::GPUFuncOp function;
  /// Along x, a function of the symbols.
  AffineExpr blocks;
  int64_t threads, sharedBytes;
  /// Blocks along y, each of which reduces a part.
  int64_t splits = 1;
};

/// A kernel that goes through rows: each lies in the registers of a few lanes
/// or warps, is read once and written once.
FailureOr<SmallVector<Kernel>> buildRowKernel(GroupPlan &plan, ModuleOp module,
                                              StringRef name);

/// Behind the name of a kernel that leaves sums of parts of a reduction.
inline constexpr llvm::StringLiteral kSplitSuffix = "_split_k";

/// How a matmul is computed.
struct MatmulOptions {
  /// How f32 is multiplied.
  F32Precision precision;
  /// How many parts the reduction has at most; 0 if that is to be chosen for a
  /// chip of so many multiprocessors.
  int64_t splits, multiprocessors;
};

/// A matmul in tiles, with what is computed of its operands and its result; or
/// two, of which the first leaves sums of parts of the reduction in a workspace
/// of [splits, rows, columns] of f32, and the second computes the rest of them.
FailureOr<SmallVector<Kernel>> buildMatmulKernels(GroupPlan &plan,
                                                  ModuleOp module,
                                                  StringRef name,
                                                  const MatmulOptions &options);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H
