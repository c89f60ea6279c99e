//===- HostFunctions.h - What host code of a GPU calls ----------*- C++ -*-===//
//
// What the runtimes of code lowered by `gpu-to-llvm` share: the one of the
// emulator and that of NVIDIA's GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_SUPPORT_HOSTFUNCTIONS_H
#define RENORM_SUPPORT_HOSTFUNCTIONS_H

#include <cstdint>
#include <utility>

/// The functions of MLIR's runtime for CUDA.
#define RENORM_HOST_FUNCTIONS(FUNCTION)                                        \
  FUNCTION(mgpuEventCreate)                                                    \
  FUNCTION(mgpuEventDestroy)                                                   \
  FUNCTION(mgpuEventRecord)                                                    \
  FUNCTION(mgpuEventSynchronize)                                               \
  FUNCTION(mgpuLaunchClusterKernel)                                            \
  FUNCTION(mgpuLaunchKernel)                                                   \
  FUNCTION(mgpuMemAlloc)                                                       \
  FUNCTION(mgpuMemFree)                                                        \
  FUNCTION(mgpuMemHostRegister)                                                \
  FUNCTION(mgpuMemHostRegisterMemRef)                                          \
  FUNCTION(mgpuMemHostUnregister)                                              \
  FUNCTION(mgpuMemHostUnregisterMemRef)                                        \
  FUNCTION(mgpuMemcpy)                                                         \
  FUNCTION(mgpuMemset16)                                                       \
  FUNCTION(mgpuMemset32)                                                       \
  FUNCTION(mgpuModuleGetFunction)                                              \
  FUNCTION(mgpuModuleLoad)                                                     \
  FUNCTION(mgpuModuleLoadJIT)                                                  \
  FUNCTION(mgpuModuleUnload)                                                   \
  FUNCTION(mgpuSetDefaultDevice)                                               \
  FUNCTION(mgpuStreamCreate)                                                   \
  FUNCTION(mgpuStreamDestroy)                                                  \
  FUNCTION(mgpuStreamSynchronize)                                              \
  FUNCTION(mgpuStreamWaitEvent)                                                \
  FUNCTION(mgpuTensorMapEncodeTiledMemref)

namespace mlir {
namespace norm {

/// The first element and the bytes of a memref, given by its descriptor:
/// allocated, aligned, offset, sizes, strides, 64 bits each. Null and 0 if it
/// has no element.
std::pair<char *, uint64_t> getMemRefRange(int64_t rank, const void *descriptor,
                                           int64_t elementBytes);

/// The bytes of an element by `CUtensorMapDataType` of `cuda.h`: u8, u16, u32,
/// i32, u64, i64, f16, f32, f64, bf16, f32 flushed, tf32, tf32 flushed.
inline constexpr unsigned kTensorMapElementBytes[] = {1, 2, 4, 4, 8, 8, 2,
                                                      4, 8, 2, 4, 4, 4};

} // namespace norm
} // namespace mlir

#endif // RENORM_SUPPORT_HOSTFUNCTIONS_H
