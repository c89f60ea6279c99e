//===- PassPipeline.h - Running passes named by text ------------*- C++ -*-===//

#ifndef RENORM_SUPPORT_PASSPIPELINE_H
#define RENORM_SUPPORT_PASSPIPELINE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace norm {

/// Runs the passes that `pipeline` names over `module`. The text is that of
/// mlir-opt's `--pass-pipeline`; `builtin.module(...)` around it may be left
/// out. On failure an error has been emitted, also where the text is at fault,
/// and `module` is in an undefined, though destructible, state.
LogicalResult runPassPipeline(ModuleOp module, StringRef pipeline);

} // namespace norm
} // namespace mlir

#endif // RENORM_SUPPORT_PASSPIPELINE_H
