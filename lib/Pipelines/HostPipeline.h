//===- HostPipeline.h - The part of pipelines for the host ------*- C++ -*-===//

#ifndef RENORM_LIB_PIPELINES_HOSTPIPELINE_H
#define RENORM_LIB_PIPELINES_HOSTPIPELINE_H

namespace mlir {
class OpPassManager;

namespace norm {
struct RenormToLLVMOptions;

/// The passes of `renorm-to-llvm`; with `launchesKernels`, of a module that
/// launches kernels of a `gpu.binary`.
void buildHostPipeline(OpPassManager &pm, const RenormToLLVMOptions &options,
                       bool launchesKernels);

} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_PIPELINES_HOSTPIPELINE_H
