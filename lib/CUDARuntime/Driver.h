//===- Driver.h - The driver of NVIDIA's GPUs -------------------*- C++ -*-===//
//
// What the runtime needs of the driver's interface, declared here so that no
// CUDA toolkit is needed to build. Handles are pointers, enumerations integers.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CUDARUNTIME_DRIVER_H
#define RENORM_LIB_CUDARUNTIME_DRIVER_H

#include "renorm/CUDARuntime/HostRuntime.h"

#include <cstddef>
#include <cstdint>

namespace mlir::norm::cuda {

/// An address in the GPU's memory.
using DevicePointer = uint64_t;

/// A property of a launch; that of a cluster's extents has number 4.
struct LaunchAttribute {
  int id;
  int padding;
  unsigned value[16];
};

struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

// Name in this file, name in the library, parameters.
#define RENORM_DRIVER_FUNCTIONS(FUNCTION)                                      \
  FUNCTION(cuInit, "cuInit", (unsigned flags))                                 \
  FUNCTION(cuGetErrorName, "cuGetErrorName", (int error, const char **text))   \
  FUNCTION(cuGetErrorString, "cuGetErrorString",                               \
           (int error, const char **text))                                     \
  FUNCTION(cuDeviceGet, "cuDeviceGet", (int *device, int number))              \
  FUNCTION(cuDeviceGetAttribute, "cuDeviceGetAttribute",                       \
           (int *value, int attribute, int device))                            \
  FUNCTION(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",               \
           (void **context, int device))                                       \
  FUNCTION(cuCtxSetCurrent, "cuCtxSetCurrent", (void *context))                \
  FUNCTION(cuModuleLoadData, "cuModuleLoadData",                               \
           (void **module, const void *image))                                 \
  FUNCTION(cuModuleLoadDataEx, "cuModuleLoadDataEx",                           \
           (void **module, const void *image, unsigned count, int *options,    \
            void **values))                                                    \
  FUNCTION(cuModuleUnload, "cuModuleUnload", (void *module))                   \
  FUNCTION(cuModuleGetFunction, "cuModuleGetFunction",                         \
           (void **function, void *module, const char *name))                  \
  FUNCTION(cuFuncSetAttribute, "cuFuncSetAttribute",                           \
           (void *function, int attribute, int value))                         \
  FUNCTION(cuLaunchKernel, "cuLaunchKernel",                                   \
           (void *function, unsigned gridX, unsigned gridY, unsigned gridZ,    \
            unsigned blockX, unsigned blockY, unsigned blockZ,                 \
            unsigned sharedBytes, void *stream, void **arguments,              \
            void **extra))                                                     \
  FUNCTION(cuMemAlloc, "cuMemAlloc_v2",                                        \
           (DevicePointer * pointer, size_t bytes))                            \
  FUNCTION(cuMemAllocManaged, "cuMemAllocManaged",                             \
           (DevicePointer * pointer, size_t bytes, unsigned flags))            \
  FUNCTION(cuMemFree, "cuMemFree_v2", (DevicePointer pointer))                 \
  FUNCTION(cuMemcpyAsync, "cuMemcpyAsync",                                     \
           (DevicePointer target, DevicePointer source, size_t bytes,          \
            void *stream))                                                     \
  FUNCTION(cuMemsetD16Async, "cuMemsetD16Async",                               \
           (DevicePointer target, unsigned short value, size_t count,          \
            void *stream))                                                     \
  FUNCTION(cuMemsetD32Async, "cuMemsetD32Async",                               \
           (DevicePointer target, unsigned value, size_t count, void *stream)) \
  FUNCTION(cuMemHostRegister, "cuMemHostRegister_v2",                          \
           (void *pointer, size_t bytes, unsigned flags))                      \
  FUNCTION(cuMemHostUnregister, "cuMemHostUnregister", (void *pointer))        \
  FUNCTION(cuStreamCreate, "cuStreamCreate", (void **stream, unsigned flags))  \
  FUNCTION(cuStreamDestroy, "cuStreamDestroy_v2", (void *stream))              \
  FUNCTION(cuStreamSynchronize, "cuStreamSynchronize", (void *stream))         \
  FUNCTION(cuStreamWaitEvent, "cuStreamWaitEvent",                             \
           (void *stream, void *event, unsigned flags))                        \
  FUNCTION(cuEventCreate, "cuEventCreate", (void **event, unsigned flags))     \
  FUNCTION(cuEventDestroy, "cuEventDestroy_v2", (void *event))                 \
  FUNCTION(cuEventSynchronize, "cuEventSynchronize", (void *event))            \
  FUNCTION(cuEventRecord, "cuEventRecord", (void *event, void *stream))

// Functions of newer drivers, for newer GPUs: null where there are none.
#define RENORM_OPTIONAL_DRIVER_FUNCTIONS(FUNCTION)                             \
  FUNCTION(cuLaunchKernelEx, "cuLaunchKernelEx",                               \
           (const LaunchConfig *config, void *function, void **arguments,      \
            void **extra))                                                     \
  FUNCTION(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled",                   \
           (void *map, int dataType, uint32_t rank, DevicePointer address,     \
            const uint64_t *extents, const uint64_t *strides,                  \
            const uint32_t *box, const uint32_t *elementStrides,               \
            int interleave, int swizzle, int l2Promotion, int oobFill))

struct Driver {
#define MEMBER(name, symbol, parameters) int(*name) parameters = nullptr;
  RENORM_DRIVER_FUNCTIONS(MEMBER)
  RENORM_OPTIONAL_DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER

  int device = 0;
  void *context = nullptr;
  DeviceProperties properties = {};

  /// The driver, with the GPU's primary context current in this thread. The
  /// driver is opened by the first call; that it cannot be is what all fail
  /// with.
  static llvm::Expected<const Driver *> enter();

  /// Success if `error` is 0, else what `function` has failed with.
  llvm::Error check(int error, llvm::StringRef function) const;

private:
  llvm::Error open();
};

} // namespace mlir::norm::cuda

#endif // RENORM_LIB_CUDARUNTIME_DRIVER_H
