//===- InitAll.cpp - The only registration list ---------------------------===//

#include "renorm/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "renorm/Conversion/Passes.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"

using namespace mlir;

void norm::registerAllDialects(DialectRegistry &registry) {
  registry.insert<NormDialect>();
}

void norm::registerAllPasses() {
  registerNormConversionPasses();
  registerNormTransformsPasses();
}
