//===- RenormToLLVM.cpp - From norms on tensors to the LLVM dialect -------===//

#include "HostPipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "renorm/Pipelines/Passes.h"
#include "renorm/Pipelines/Pipelines.h"

using namespace mlir;
using namespace mlir::norm;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Assertions whose messages have the location, and not the text of the
/// operation. The pass has a constructor without options only.
static std::unique_ptr<Pass> createShapeChecks() {
  std::unique_ptr<Pass> pass = createGenerateRuntimeVerificationPass();
  LogicalResult result = pass->initializeOptions(
      "verbose-level=0", [](const Twine &) { return failure(); });
  assert(succeeded(result) && "an option that the pass has");
  (void)result;
  return pass;
}

/// Whether `buffer` holds one number of a function, such as the sum of a row,
/// which is read and written where it is.
static bool isNumber(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1 &&
         isa<func::FuncOp>(buffer.getDefiningOp()->getParentOp()) &&
         llvm::all_of(buffer.getUsers(), [](Operation *user) {
           return isa<linalg::LinalgOp, memref::CopyOp, memref::LoadOp,
                      memref::StoreOp>(user);
         });
}

void norm::buildRenormToLLVMPipeline(OpPassManager &pm,
                                     const RenormToLLVMOptions &options) {
  buildHostPipeline(pm, options, /*launchesKernels=*/false);
}

void norm::buildHostPipeline(OpPassManager &pm,
                             const RenormToLLVMOptions &options,
                             bool launchesKernels) {
  // On tensors.
  pm.addPass(createNormPrepareBufferizationPass());
  if (options.tileRows)
    pm.addPass(createNormTileRowsPass({options.minimumElements}));
  pm.addPass(createConvertNormToLinalgPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  if (options.checkShapes)
    pm.addPass(createShapeChecks());
  addCleanup(pm);
  if (options.fuseElementwise) {
    pm.addPass(createNormFuseElementwisePass());
    addCleanup(pm);
  }

  // Into memory.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // A loop over layers hands on a new tensor each time.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // On tensors it would lose their results.
  pm.addPass(createForallToForLoopPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(isNumber));
  if (launchesKernels)
    pm.addPass(createNormCopyConstantsPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addNestedPass<func::FuncOp>(
      bufferization::createOptimizeAllocationLivenessPass());

  // Into loops.
  pm.addPass(createNormExpandMemRefPass());
  if (options.matmulKernels)
    pm.addPass(createNormCallMatmulKernelsPass(
        {options.vectorBits, options.minimumProducts}));
  LinalgMorphOpsPassOptions generalize;
  generalize.namedToGeneric = true;
  pm.addPass(createLinalgMorphOpsPass(generalize));
  if (options.orderLoops)
    pm.addPass(createNormOrderLoopsPass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addCleanup(pm);
  pm.addPass(createNormCarryAccumulatorsPass());

  // Into the LLVM dialect.
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createMem2Reg());
  pm.addPass(createNormExpandNarrowFloatsPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  if (launchesKernels)
    pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createNormMoveBFloat16BitsPass());
  addCleanup(pm);
}

void norm::registerRenormPipelines() {
  PassPipelineRegistration<RenormToLLVMOptions>(
      "renorm-to-llvm",
      "Lower the norm dialect and linalg on tensors to the LLVM dialect",
      buildRenormToLLVMPipeline);
  registerRenormToNVVMPipeline();
}
