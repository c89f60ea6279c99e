//===- HostRuntime.cpp - The emulator as the GPU of a program -------------===//

#include "renorm/NVVMEmulator/HostRuntime.h"
#include "renorm/NVVMEmulator/Emulator.h"
#include "renorm/NVVMEmulator/TensorMap.h"
#include "renorm/Support/HostFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace mlir::norm;
using namespace mlir::norm::emulator;

namespace {
struct Function {
  Program *program;
  std::string name;
};

struct Module {
  std::unique_ptr<Program> program;
  std::vector<std::unique_ptr<Function>> functions;
};

/// The one GPU of the process.
struct Device {
  GlobalMemory memory;
  uint64_t seed = 0;
  void (*handler)(const char *, void *) = nullptr;
  void *user = nullptr;

  Device() {
    if (const char *text = std::getenv("RENORM_EMULATOR_SEED"))
      seed = std::strtoull(text, nullptr, 10);
  }
};
} // namespace

/// Functions are called by one thread at a time.
static std::recursive_mutex deviceMutex;

static Device &getDevice() {
  static Device device;
  return device;
}

static void report(llvm::Error error) {
  std::string message = llvm::toString(std::move(error));
  Device &device = getDevice();
  if (device.handler)
    return device.handler(message.c_str(), device.user);
  llvm::errs() << message << "\n";
  std::fflush(nullptr);
  std::_Exit(1);
}

/// Whether the host may access this memory: all of it is the host's or in one
/// allocation.
static bool isAccessible(const void *pointer, uint64_t bytes) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  GlobalMemory &memory = getDevice().memory;
  if (memory.contains(address, bytes) || !memory.isReserved(address, bytes))
    return true;
  report(llvm::createStringError(
      "error: out-of-bounds access: the host copies or sets " +
      memory.describe(address, bytes)));
  return false;
}

extern "C" {

void *mgpuModuleLoad(void *data, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  llvm::StringRef content(static_cast<const char *>(data), bytes);
  auto program = Program::parse(llvm::MemoryBufferRef(content, "gpu.binary"));
  if (!program) {
    report(llvm::createStringError("error: cannot load device code, which "
                                   "gpu-module-to-binary{format=llvm} "
                                   "makes for the emulator: " +
                                   llvm::toString(program.takeError())));
    return nullptr;
  }
  return new Module{std::move(*program), {}};
}

void *mgpuModuleLoadJIT(void *, int) {
  report(llvm::createStringError(
      "error: expected device code in LLVM bitcode, as "
      "gpu-module-to-binary{format=llvm} makes it, but got PTX"));
  return nullptr;
}

void mgpuModuleUnload(void *module) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  delete static_cast<Module *>(module);
}

void *mgpuModuleGetFunction(void *handle, const char *name) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  auto *module = static_cast<Module *>(handle);
  // Code must not go on as if it had launched something.
  if (!module) {
    report(llvm::createStringError("error: expected a module of kernels for '" +
                                   llvm::Twine(name) +
                                   "', but none was loaded"));
    return nullptr;
  }
  // Asked for before each launch.
  for (const std::unique_ptr<Function> &function : module->functions)
    if (function->name == name)
      return function.get();
  if (!module->program->findKernel(name)) {
    report(
        llvm::createStringError("error: expected a kernel of the module, but "
                                "got '" +
                                llvm::Twine(name) + "'"));
    return nullptr;
  }
  module->functions.push_back(
      std::make_unique<Function>(Function{module->program.get(), name}));
  return module->functions.back().get();
}

void mgpuLaunchKernel(void *handle, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void * /*stream*/,
                      void **arguments, void ** /*extra*/, size_t count) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  auto *function = static_cast<Function *>(handle);
  if (!function)
    return;
  LaunchConfig config;
  config.grid = {static_cast<unsigned>(gridX), static_cast<unsigned>(gridY),
                 static_cast<unsigned>(gridZ)};
  config.block = {static_cast<unsigned>(blockX), static_cast<unsigned>(blockY),
                  static_cast<unsigned>(blockZ)};
  config.dynamicSharedBytes = sharedBytes;
  config.seed = getDevice().seed;
  llvm::SmallVector<const void *> values(arguments, arguments + count);
  auto launched = function->program->launch(function->name, config, values,
                                            getDevice().memory);
  if (!launched)
    report(launched.takeError());
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **arguments, void **extra, size_t count) {
  if (clusterX * clusterY * clusterZ != 1)
    return report(llvm::createStringError(
        "error: the emulator has no clusters of more than one block"));
  mgpuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                   sharedBytes, stream, arguments, extra, count);
}

/// Returns a map in device memory. Enumerations are those of `cuda.h`.
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                     int32_t dataType, int32_t /*interleave*/,
                                     int32_t swizzle, int32_t /*l2Promotion*/,
                                     int32_t /*oobFill*/, int64_t *boxExtents) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  constexpr unsigned swizzles[] = {0, 32, 64, 128};
  if (dataType < 0 || dataType > 12 || swizzle < 0 || swizzle > 3) {
    report(llvm::createStringError(
        "error: the emulator has no tensor map of this type or swizzle"));
    return nullptr;
  }
  const auto *words = static_cast<const int64_t *>(descriptor);
  llvm::ArrayRef<int64_t> sizes(words + 3, rank);
  llvm::SmallVector<uint64_t> extents(llvm::reverse(sizes)), strides;
  llvm::SmallVector<uint32_t> box(
      llvm::reverse(llvm::ArrayRef<int64_t>(boxExtents, rank)));
  unsigned bytes = kTensorMapElementBytes[dataType];
  uint64_t stride = bytes;
  for (uint64_t extent : llvm::ArrayRef(extents).drop_back())
    strides.push_back(stride *= extent);
  auto map =
      encodeTensorMap(llvm::bit_cast<char *>(words[1]) + words[2] * bytes,
                      bytes, extents, strides, box, swizzles[swizzle]);
  if (!map) {
    report(llvm::joinErrors(llvm::createStringError("error: no tensor map"),
                            map.takeError()));
    return nullptr;
  }
  auto pointer = getDevice().memory.allocate(sizeof(TensorMap), "tensor map");
  if (!pointer) {
    report(pointer.takeError());
    return nullptr;
  }
  std::memcpy(*pointer, &*map, sizeof(TensorMap));
  return *pointer;
}

void *mgpuStreamCreate() { return nullptr; }
void mgpuStreamDestroy(void *) {}
void mgpuStreamSynchronize(void *) {}
void mgpuStreamWaitEvent(void *, void *) {}
void *mgpuEventCreate() { return nullptr; }
void mgpuEventDestroy(void *) {}
void mgpuEventSynchronize(void *) {}
void mgpuEventRecord(void *, void *) {}
void mgpuSetDefaultDevice(int32_t) {}

void *mgpuMemAlloc(uint64_t bytes, void * /*stream*/, bool /*isHostShared*/) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  auto pointer = getDevice().memory.allocate(bytes);
  if (pointer)
    return *pointer;
  report(pointer.takeError());
  return nullptr;
}

void mgpuMemFree(void *pointer, void * /*stream*/) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  if (!pointer)
    return;
  if (llvm::Error error = getDevice().memory.free(pointer))
    report(std::move(error));
}

void mgpuMemcpy(void *target, void *source, size_t bytes, void * /*stream*/) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  if (isAccessible(target, bytes) && isAccessible(source, bytes))
    std::memmove(target, source, bytes);
}

void mgpuMemset32(void *target, unsigned value, size_t count,
                  void * /*stream*/) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  if (isAccessible(target, 4 * count))
    std::fill_n(static_cast<uint32_t *>(target), count, value);
}

void mgpuMemset16(void *target, uint16_t value, size_t count,
                  void * /*stream*/) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  if (isAccessible(target, 2 * count))
    std::fill_n(static_cast<uint16_t *>(target), count, value);
}

void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  getDevice().memory.registerHost(pointer, bytes);
}

void mgpuMemHostUnregister(void *pointer) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  getDevice().memory.unregisterHost(pointer);
}

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes) {
  auto [pointer, bytes] = getMemRefRange(rank, descriptor, elementBytes);
  mgpuMemHostRegister(pointer, bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes) {
  mgpuMemHostUnregister(getMemRefRange(rank, descriptor, elementBytes).first);
}

} // extern "C"

llvm::ArrayRef<std::pair<llvm::StringRef, void *>>
mlir::norm::emulator::getHostRuntimeSymbols() {
#define SYMBOL(name) {#name, reinterpret_cast<void *>(&name)},
  static const std::pair<llvm::StringRef, void *> symbols[] = {
      RENORM_HOST_FUNCTIONS(SYMBOL)};
#undef SYMBOL
  return symbols;
}

void mlir::norm::emulator::setHostRuntimeErrorHandler(
    void (*handler)(const char *, void *), void *user) {
  std::lock_guard<std::recursive_mutex> lock(deviceMutex);
  getDevice().handler = handler;
  getDevice().user = user;
}
