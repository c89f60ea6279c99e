//===- HostRuntime.cpp - An NVIDIA GPU as the GPU of a program ------------===//

#include "renorm/CUDARuntime/HostRuntime.h"
#include "Driver.h"
#include "renorm/Support/HostFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace mlir::norm;
using namespace mlir::norm::cuda;

// Only the shared library exports the names: a program may have the emulator's
// functions, which are called the same, beside these.
#ifdef RENORM_EXPORT_HOST_RUNTIME
#define HOST_FUNCTION extern "C"
#else
#define HOST_FUNCTION static
#endif

// Numbers of `cuda.h`.
static constexpr int maxDynamicSharedBytes = 8; // of a function
static constexpr int clusterDimension = 4;      // of a launch
static constexpr unsigned attachGlobal = 1;     // of managed memory
static constexpr unsigned nonBlockingStream = 1;
static constexpr unsigned eventWithoutTime = 2;
static constexpr int jitErrorLog = 5, jitErrorLogBytes = 6,
                     jitOptimizationLevel = 7;

static constexpr size_t tensorMapBytes = 128;

namespace {
struct Handler {
  std::mutex mutex;
  void (*function)(const char *, void *) = nullptr;
  void *user = nullptr;
};
} // namespace

static Handler &getHandler() {
  static Handler handler;
  return handler;
}

static void report(llvm::Error error) {
  if (!error)
    return;
  std::string message = llvm::toString(std::move(error));
  Handler &handler = getHandler();
  std::lock_guard<std::mutex> lock(handler.mutex);
  if (handler.function)
    return handler.function(message.c_str(), handler.user);
  llvm::errs() << "error: " << message << "\n";
  std::fflush(nullptr);
  std::_Exit(1);
}

/// Calls a function of the driver by name.
#define CALL(name, ...)                                                        \
  callDriver([&](const Driver &driver) { return driver.name(__VA_ARGS__); },   \
             #name)

template <typename Call>
static llvm::Error callDriver(Call call, llvm::StringRef name) {
  llvm::Expected<const Driver *> driver = Driver::enter();
  if (!driver)
    return driver.takeError();
  return (*driver)->check(call(**driver), name);
}

/// Reports an error; the value is null then.
template <typename T>
static T *orReport(T *value, llvm::Error error) {
  if (!error)
    return value;
  report(std::move(error));
  return nullptr;
}

static DevicePointer toDevice(const void *pointer) {
  return reinterpret_cast<DevicePointer>(pointer);
}

static unsigned toUnsigned(intptr_t value) {
  return static_cast<unsigned>(value);
}

/// A kernel must ask for more than 48 KiB of shared memory, its static memory
/// included.
static llvm::Error allowShared(void *function, int32_t bytes) {
  if (bytes == 0)
    return llvm::Error::success();
  return CALL(cuFuncSetAttribute, function, maxDynamicSharedBytes, bytes);
}

/// Memory that the host and kernels see at the same address.
static llvm::Expected<void *> allocateManaged(uint64_t bytes) {
  DevicePointer pointer = 0;
  // The driver refuses to allocate nothing.
  if (llvm::Error error = CALL(cuMemAllocManaged, &pointer,
                               std::max<uint64_t>(bytes, 1), attachGlobal))
    return error;
  return reinterpret_cast<void *>(pointer);
}

HOST_FUNCTION void *mgpuModuleLoad(void *data, size_t /*bytes*/) {
  void *module = nullptr;
  llvm::Error error = CALL(cuModuleLoadData, &module, data);
  return orReport(module, std::move(error));
}

HOST_FUNCTION void *mgpuModuleLoadJIT(void *data, int level) {
  void *module = nullptr;
  char log[4096] = "";
  int options[] = {jitOptimizationLevel, jitErrorLog, jitErrorLogBytes};
  void *values[] = {reinterpret_cast<void *>(static_cast<intptr_t>(level)), log,
                    reinterpret_cast<void *>(sizeof(log))};
  llvm::Error error =
      CALL(cuModuleLoadDataEx, &module, data, 3, options, values);
  // The error's name says that, and the log why.
  if (error && *log)
    error =
        llvm::createStringError(llvm::toString(std::move(error)) + ": " + log);
  return orReport(module, std::move(error));
}

HOST_FUNCTION void mgpuModuleUnload(void *module) {
  if (module)
    report(CALL(cuModuleUnload, module));
}

HOST_FUNCTION void *mgpuModuleGetFunction(void *module, const char *name) {
  // Code must not go on as if it had launched something.
  if (!module)
    return orReport<void>(
        nullptr,
        llvm::createStringError("expected a module of kernels for '" +
                                llvm::Twine(name) + "', but none was loaded"));
  void *function = nullptr;
  llvm::Error error = CALL(cuModuleGetFunction, &function, module, name);
  return orReport(function, std::move(error));
}

HOST_FUNCTION void mgpuLaunchKernel(void *function, intptr_t gridX,
                                    intptr_t gridY, intptr_t gridZ,
                                    intptr_t blockX, intptr_t blockY,
                                    intptr_t blockZ, int32_t sharedBytes,
                                    void *stream, void **arguments,
                                    void **extra, size_t /*count*/) {
  if (!function)
    return;
  if (llvm::Error error = allowShared(function, sharedBytes))
    return report(std::move(error));
  report(CALL(cuLaunchKernel, function, toUnsigned(gridX), toUnsigned(gridY),
              toUnsigned(gridZ), toUnsigned(blockX), toUnsigned(blockY),
              toUnsigned(blockZ), toUnsigned(sharedBytes), stream, arguments,
              extra));
}

HOST_FUNCTION void
mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                        intptr_t clusterZ, intptr_t gridX, intptr_t gridY,
                        intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                        intptr_t blockZ, int32_t sharedBytes, void *stream,
                        void **arguments, void **extra, size_t /*count*/) {
  if (!function)
    return;
  llvm::Expected<const Driver *> driver = Driver::enter();
  if (!driver)
    return report(driver.takeError());
  if (!(*driver)->cuLaunchKernelEx)
    return report(llvm::createStringError(
        "expected a driver that launches clusters, but this one has no "
        "function cuLaunchKernelEx"));
  if (llvm::Error error = allowShared(function, sharedBytes))
    return report(std::move(error));
  LaunchAttribute cluster = {
      clusterDimension,
      0,
      {toUnsigned(clusterX), toUnsigned(clusterY), toUnsigned(clusterZ)}};
  LaunchConfig config = {
      {toUnsigned(gridX), toUnsigned(gridY), toUnsigned(gridZ)},
      {toUnsigned(blockX), toUnsigned(blockY), toUnsigned(blockZ)},
      toUnsigned(sharedBytes),
      stream,
      &cluster,
      1};
  report(CALL(cuLaunchKernelEx, &config, function, arguments, extra));
}

/// Returns a map in memory of the GPU, for the life of the program.
HOST_FUNCTION void *
mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor, int32_t dataType,
                               int32_t interleave, int32_t swizzle,
                               int32_t l2Promotion, int32_t oobFill,
                               int64_t *boxExtents) {
  llvm::Expected<const Driver *> driver = Driver::enter();
  if (!driver)
    return orReport<void>(nullptr, driver.takeError());
  if (!(*driver)->cuTensorMapEncodeTiled || dataType < 0 || dataType > 12)
    return orReport<void>(
        nullptr, llvm::createStringError(
                     "expected a driver and a type of element that have "
                     "tensor maps"));
  const auto *words = static_cast<const int64_t *>(descriptor);
  llvm::SmallVector<uint64_t> extents(
      llvm::reverse(llvm::ArrayRef<int64_t>(words + 3, rank)));
  llvm::SmallVector<uint32_t> box(
      llvm::reverse(llvm::ArrayRef<int64_t>(boxExtents, rank)));
  llvm::SmallVector<uint32_t> elementStrides(rank, 1);
  llvm::SmallVector<uint64_t> strides;
  uint64_t stride = kTensorMapElementBytes[dataType];
  for (uint64_t extent : llvm::ArrayRef(extents).drop_back())
    strides.push_back(stride *= extent);
  const char *start = llvm::bit_cast<const char *>(words[1]) +
                      words[2] * kTensorMapElementBytes[dataType];
  alignas(64) char map[tensorMapBytes];
  if (llvm::Error error = CALL(
          cuTensorMapEncodeTiled, map, dataType, static_cast<uint32_t>(rank),
          toDevice(start), extents.data(), strides.data(), box.data(),
          elementStrides.data(), interleave, swizzle, l2Promotion, oobFill))
    return orReport<void>(nullptr, std::move(error));
  llvm::Expected<void *> pointer = allocateManaged(sizeof(map));
  if (!pointer)
    return orReport<void>(nullptr, pointer.takeError());
  std::memcpy(*pointer, map, sizeof(map));
  return *pointer;
}

HOST_FUNCTION void *mgpuStreamCreate() {
  void *stream = nullptr;
  llvm::Error error = CALL(cuStreamCreate, &stream, nonBlockingStream);
  return orReport(stream, std::move(error));
}

HOST_FUNCTION void mgpuStreamDestroy(void *stream) {
  if (stream)
    report(CALL(cuStreamDestroy, stream));
}

HOST_FUNCTION void mgpuStreamSynchronize(void *stream) {
  report(CALL(cuStreamSynchronize, stream));
}

HOST_FUNCTION void mgpuStreamWaitEvent(void *stream, void *event) {
  if (event)
    report(CALL(cuStreamWaitEvent, stream, event, 0));
}

HOST_FUNCTION void *mgpuEventCreate() {
  void *event = nullptr;
  llvm::Error error = CALL(cuEventCreate, &event, eventWithoutTime);
  return orReport(event, std::move(error));
}

HOST_FUNCTION void mgpuEventDestroy(void *event) {
  if (event)
    report(CALL(cuEventDestroy, event));
}

HOST_FUNCTION void mgpuEventSynchronize(void *event) {
  if (event)
    report(CALL(cuEventSynchronize, event));
}

HOST_FUNCTION void mgpuEventRecord(void *event, void *stream) {
  if (event)
    report(CALL(cuEventRecord, event, stream));
}

/// RENORM_CUDA_DEVICE says which GPU it is.
HOST_FUNCTION void mgpuSetDefaultDevice(int32_t) {}

HOST_FUNCTION void *mgpuMemAlloc(uint64_t bytes, void * /*stream*/,
                                 bool isHostShared) {
  if (isHostShared) {
    llvm::Expected<void *> pointer = allocateManaged(bytes);
    return pointer ? *pointer : orReport<void>(nullptr, pointer.takeError());
  }
  DevicePointer pointer = 0;
  llvm::Error error = CALL(cuMemAlloc, &pointer, std::max<size_t>(bytes, 1));
  return orReport(reinterpret_cast<void *>(pointer), std::move(error));
}

HOST_FUNCTION void mgpuMemFree(void *pointer, void * /*stream*/) {
  if (pointer)
    report(CALL(cuMemFree, toDevice(pointer)));
}

HOST_FUNCTION void mgpuMemcpy(void *target, void *source, size_t bytes,
                              void *stream) {
  if (bytes > 0)
    report(
        CALL(cuMemcpyAsync, toDevice(target), toDevice(source), bytes, stream));
}

HOST_FUNCTION void mgpuMemset32(void *target, unsigned value, size_t count,
                                void *stream) {
  if (count > 0)
    report(CALL(cuMemsetD32Async, toDevice(target), value, count, stream));
}

HOST_FUNCTION void mgpuMemset16(void *target, uint16_t value, size_t count,
                                void *stream) {
  if (count > 0)
    report(CALL(cuMemsetD16Async, toDevice(target), value, count, stream));
}

HOST_FUNCTION void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  if (bytes > 0)
    report(CALL(cuMemHostRegister, pointer, bytes, 0));
}

HOST_FUNCTION void mgpuMemHostUnregister(void *pointer) {
  if (pointer)
    report(CALL(cuMemHostUnregister, pointer));
}

HOST_FUNCTION void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                             int64_t elementBytes) {
  auto [pointer, bytes] = getMemRefRange(rank, descriptor, elementBytes);
  mgpuMemHostRegister(pointer, bytes);
}

HOST_FUNCTION void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                               int64_t elementBytes) {
  mgpuMemHostUnregister(getMemRefRange(rank, descriptor, elementBytes).first);
}

llvm::Expected<DeviceProperties> mlir::norm::cuda::getDeviceProperties() {
  llvm::Expected<const Driver *> driver = Driver::enter();
  if (!driver)
    return driver.takeError();
  return (*driver)->properties;
}

llvm::ArrayRef<std::pair<llvm::StringRef, void *>>
mlir::norm::cuda::getHostRuntimeSymbols() {
#define SYMBOL(name) {#name, reinterpret_cast<void *>(&name)},
  static const std::pair<llvm::StringRef, void *> symbols[] = {
      RENORM_HOST_FUNCTIONS(SYMBOL)};
#undef SYMBOL
  return symbols;
}

void mlir::norm::cuda::setHostRuntimeErrorHandler(void (*handler)(const char *,
                                                                  void *),
                                                  void *user) {
  std::lock_guard<std::mutex> lock(getHandler().mutex);
  getHandler().function = handler;
  getHandler().user = user;
}
