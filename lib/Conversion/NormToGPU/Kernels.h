//===- Kernels.h - Kernels for groups ---------------------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H

#include "GroupPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "renorm/Conversion/NormToGPU/NormToGPU.h"

namespace mlir::norm::kernel {

/// A kernel and what it is launched with. Its arguments are the group's inputs
/// (a tensor as a memref of its first element), its results, and the symbols of
/// its extents.
struct Kernel {
  gpu::GPUFuncOp function;
  /// A function of the symbols.
  AffineExpr blocks;
  int64_t threads, sharedBytes;
};

/// A kernel that goes through rows: each lies in the registers of a few lanes
/// or warps, is read once and written once.
FailureOr<Kernel> buildRowKernel(GroupPlan &plan, ModuleOp module,
                                 StringRef name);

/// A matmul in tiles, with what is computed of its operands and its result. f32
/// is multiplied in `precision`.
FailureOr<Kernel> buildMatmulKernel(GroupPlan &plan, ModuleOp module,
                                    StringRef name, F32Precision precision);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_KERNELS_H
