//===- RenormToNVVM.cpp - From norms on tensors to GPU kernels ------------===//

#include "HostPipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "renorm/Conversion/NormToGPU/NormToGPU.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Pipelines/Passes.h"
#include "renorm/Pipelines/Pipelines.h"

using namespace mlir;
using namespace mlir::norm;

/// From a `gpu.module` of scf, vector, memref and gpu to the NVVM dialect.
static void addKernelPasses(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertNVGPUToNVVMPass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  // A power with a constant integer needs no function of a library.
  math::MathExpandOpsPassOptions powers;
  powers.opMnemonics = {"fpowi"};
  kernels.addPass(math::createMathExpandOpsPass(powers));
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

void norm::buildRenormToNVVMPipeline(OpPassManager &pm,
                                     const RenormToNVVMOptions &options) {
  pm.addPass(createNormDecomposeAttentionPass());
  NormFusePassOptions fuse;
  fuse.target = FusionTarget::SM80;
  pm.addPass(createNormFusePass(fuse));
  pm.addPass(createConvertNormToGPUPass(
      {options.chip, options.f32Precision, options.splitK}));

  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  // The default is older than the instructions of these chips.
  target.features = "+ptx80";
  pm.addPass(createGpuNVVMAttachTarget(target));
  addKernelPasses(pm);
  if (options.format != "none") {
    // The emulator says where in the source a fault is.
    if (options.format == "llvm")
      pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
    GpuModuleToBinaryPassOptions binary;
    binary.compilationTarget = options.format;
    binary.toolkitPath = options.toolkit;
    pm.addPass(createGpuModuleToBinaryPass(binary));
    buildHostPipeline(pm, RenormToLLVMOptions(), /*launchesKernels=*/true);
  }
}

void norm::registerRenormToNVVMPipeline() {
  PassPipelineRegistration<RenormToNVVMOptions>(
      "renorm-to-nvvm",
      "Lower the norm dialect and linalg on tensors to GPU kernels and the "
      "host's LLVM dialect",
      buildRenormToNVVMPipeline);
}
