//===- Passes.h - Passes that the pipelines add -----------------*- C++ -*-===//

#ifndef RENORM_PIPELINES_PASSES_H
#define RENORM_PIPELINES_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::norm {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "renorm/Pipelines/Passes.h.inc"

} // namespace mlir::norm

#endif // RENORM_PIPELINES_PASSES_H
