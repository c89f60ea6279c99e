//===- Runtime.h - What compiled kernels call -------------------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_RUNTIME_H
#define RENORM_LIB_NVVMEMULATOR_RUNTIME_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
namespace norm {
namespace emulator {

/// Calls `define(name, address)` for every function that instrumented code, or
/// LLVM's code generator, may call.
void forEachRuntimeFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> define);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_RUNTIME_H
