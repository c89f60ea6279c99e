//===- InitAll.cpp - The only registration list ---------------------------===//

#include "renorm/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "renorm/Conversion/NormToGPU/NormToGPU.h"
#include "renorm/Conversion/Passes.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Dialect/Norm/Transforms/TilingInterfaceImpl.h"
#include "renorm/Dialect/Norm/Transforms/ValueBoundsOpInterfaceImpl.h"
#include "renorm/Pipelines/Passes.h"
#include "renorm/Pipelines/Pipelines.h"

using namespace mlir;

void norm::registerAllDialects(DialectRegistry &registry) {
  registry.insert<NormDialect>();
  registerTilingInterfaceExternalModels(registry);
  registerValueBoundsOpInterfaceExternalModels(registry);
  registerLaunchFuncEffects(registry);
  // By which `gpu-module-to-binary` writes device code.
  registerAllGPUToLLVMIRTranslations(registry);
}

void norm::registerAllPasses() {
  registerNormConversionPasses();
  registerNormToGPUPasses();
  registerNormTransformsPasses();
  registerNormPipelinePasses();
  registerRenormPipelines();
}
