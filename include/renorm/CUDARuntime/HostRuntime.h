//===- HostRuntime.h - An NVIDIA GPU as the GPU of a program ----*- C++ -*-===//
//
// The functions that code lowered by `gpu-to-llvm` calls, as the emulator's
// `HostRuntime.h` has them, by the driver of an NVIDIA GPU. The driver is
// opened when it is first needed, so that neither building nor starting a
// program needs one. The shared library `renorm_cuda_runtime` exports the
// functions for `mlir-runner --shared-libs`.
//
// The environment's RENORM_LIBCUDA is the driver's library, `libcuda.so.1`
// without; RENORM_CUDA_DEVICE the number of the GPU, 0 without.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_CUDARUNTIME_HOSTRUNTIME_H
#define RENORM_CUDARUNTIME_HOSTRUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <utility>

namespace mlir {
namespace norm {
namespace cuda {

struct DeviceProperties {
  /// The compute capability.
  int major, minor;
  /// Whether the host may access managed memory while kernels run; 0 or 1.
  int concurrentManagedAccess;
};

/// What the driver says of the GPU. Fails if there is none.
llvm::Expected<DeviceProperties> getDeviceProperties();

/// The functions by their names, for the symbol table of a JIT.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> getHostRuntimeSymbols();

/// Sets what is called with the message of a failure, in place of printing it
/// after "error: " and ending the process. If the handler returns, what failed
/// had no effect, and an allocation, module or function that failed is null.
void setHostRuntimeErrorHandler(void (*handler)(const char *message,
                                                void *user),
                                void *user);

} // namespace cuda
} // namespace norm
} // namespace mlir

#endif // RENORM_CUDARUNTIME_HOSTRUNTIME_H
