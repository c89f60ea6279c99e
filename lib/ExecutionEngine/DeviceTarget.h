//===- DeviceTarget.h - Running kernels on a device -------------*- C++ -*-===//
//
// The memory and the functions of a program with kernels. Host and kernels
// share all memory, which is the device's.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_EXECUTIONENGINE_DEVICETARGET_H
#define RENORM_LIB_EXECUTIONENGINE_DEVICETARGET_H

#include "renorm/ExecutionEngine/CompiledFunction.h"

#include <mutex>

namespace mlir::norm {

using RuntimeSymbols = ArrayRef<std::pair<StringRef, void *>>;

/// A device that runs kernels, by its runtime: the `mgpu` functions, and what
/// sets a handler of their failures.
class DeviceTarget {
public:
  using Handler = void (*)(const char *message, void *user);

  /// The device of a target; null if it has none.
  static const DeviceTarget *get(ExecutionTarget target);

  DeviceTarget(RuntimeSymbols symbols, void (*setHandler)(Handler, void *));
  virtual ~DeviceTarget() = default;

  /// Fails if the device isn't there or can't run kernels.
  virtual llvm::Error check() const = 0;
  /// The pipeline from tensors to kernels for the device and the host's code.
  virtual llvm::Expected<std::string>
  getPipeline(StringRef kernelOptions) const = 0;
  /// What a thread holds while the host or kernels use the device's memory.
  virtual std::unique_lock<std::recursive_mutex> takeTurn() const { return {}; }

  RuntimeSymbols getSymbols() const { return symbols; }
  void setHandler(Handler handler) const { setErrorHandler(handler, nullptr); }

  /// Memory that host and kernels see. Null if there is none left, which is a
  /// fault.
  void *allocate(size_t bytes) const {
    return memAlloc(std::max<size_t>(bytes, 1), /*stream=*/nullptr,
                    /*isHostShared=*/true);
  }
  void free(void *block) const { memFree(block, /*stream=*/nullptr); }
  void destroyStream(void *stream) const { streamDestroy(stream); }

private:
  RuntimeSymbols symbols;
  void (*setErrorHandler)(Handler, void *);
  void *(*memAlloc)(uint64_t bytes, void *stream, bool isHostShared);
  void (*memFree)(void *pointer, void *stream);
  void (*streamDestroy)(void *stream);
};

const DeviceTarget &getEmulatorTarget();
const DeviceTarget &getCUDATarget();

/// Keeps what a device reports in this thread, in place of ending the process.
class DeviceFaults {
public:
  /// `device` may be null: then there is nothing to keep.
  explicit DeviceFaults(const DeviceTarget *device);
  DeviceFaults(const DeviceFaults &) = delete;
  ~DeviceFaults();

  bool empty() const { return message.empty(); }
  /// The first message as a `DeviceError`; success if there was none.
  llvm::Error getError() const;

private:
  std::string message;
  DeviceFaults *outer;
  static void record(const char *message, void *user);
};

/// A tensor of `bytes` for somebody to fill.
llvm::Expected<OwnedTensor>
allocateTensor(ArrayRef<int64_t> shape, size_t bytes, ExecutionTarget target);

} // namespace mlir::norm

#endif // RENORM_LIB_EXECUTIONENGINE_DEVICETARGET_H
