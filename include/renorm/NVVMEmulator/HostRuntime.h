//===- HostRuntime.h - The emulator as the GPU of a program -----*- C++ -*-===//
//
// The functions that code lowered by `gpu-to-llvm` calls: mgpuModuleLoad,
// mgpuMemAlloc, mgpuLaunchKernel and the others of MLIR's runtime for CUDA.
// They run kernels in the emulator, so device code must be in LLVM's bitcode,
// as `gpu-module-to-binary{format=llvm}` leaves it. The shared library
// `renorm_emulator_runtime` exports them for `mlir-runner --shared-libs`.
//
// Everything is done when it is asked for: a stream or an event has nothing to
// wait for. The schedule of kernels is that of the seed in the environment's
// RENORM_EMULATOR_SEED, 0 without.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_NVVMEMULATOR_HOSTRUNTIME_H
#define RENORM_NVVMEMULATOR_HOSTRUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace mlir {
namespace norm {
namespace emulator {

/// The functions by their names, for the symbol table of a JIT.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> getHostRuntimeSymbols();

/// Sets what is called with the message of a fault, in place of printing it and
/// ending the process. If the handler returns, what failed had no effect, and
/// an allocation or module that failed is null.
void setHostRuntimeErrorHandler(void (*handler)(const char *message,
                                                void *user),
                                void *user);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_NVVMEMULATOR_HOSTRUNTIME_H
