//===- StandIn.cpp - The driver of a GPU that is not there ----------------===//
//
// Functions of libcuda for tests. Kernels are run by the emulator if the module
// is LLVM bitcode, or if there is bitcode of what it has as PTX, and only when
// somebody waits for them: who forgets to sees old values. What a driver need
// not notice, such as a call without a context or memory that nobody allocated,
// fails here.
//
// STAND_IN_LOG         file to which each call is appended
// STAND_IN_FAIL        NAME:N, the call that fails as if memory had run out
// STAND_IN_KERNELS     folder with KERNEL.bc for kernels in PTX; without it,
//                      those do nothing
// STAND_IN_CAPABILITY  the compute capability times 10, 80 without it
// STAND_IN_MANAGED     0 if the host must not access memory during a kernel:
//                      then no other thread may allocate some until the end
//
//===----------------------------------------------------------------------===//

#include "renorm/NVVMEmulator/Emulator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace mlir::norm::emulator;

namespace {
struct Module {
  /// Null if the device code is not bitcode.
  std::unique_ptr<Program> program;
};

struct Function {
  Module *module;
  std::string name;
  int maxSharedBytes = 48 * 1024;
};

struct State {
  /// Calls come from several threads.
  std::recursive_mutex mutex;
  GlobalMemory memory;
  std::map<std::string, int> calls;
  std::set<void *> modules, functions, streams;
  /// Launches and copies that nobody has waited for.
  std::deque<std::function<int()>> pending;
  std::thread::id launching;
  bool isInitialized = false;
};
} // namespace

static constexpr int success = 0, invalidValue = 1, outOfMemory = 2,
                     notInitialized = 3, invalidDevice = 101,
                     invalidContext = 201, invalidHandle = 400, notFound = 500,
                     launchFailed = 719;
static int contextStorage;
static thread_local void *currentContext = nullptr;

static State &getState() {
  static State state;
  return state;
}

/// Logs a call, and returns what it fails with before it does anything.
static int begin(const char *name, const llvm::Twine &arguments = "",
                 bool needsContext = true) {
  if (const char *path = std::getenv("STAND_IN_LOG")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error, llvm::sys::fs::OF_Append)
        << name << "(" << arguments << ")\n";
  }
  int number = ++getState().calls[name];
  llvm::StringRef fail = std::getenv("STAND_IN_FAIL") ?: "";
  if (fail == (llvm::Twine(name) + ":" + llvm::Twine(number)).str())
    return outOfMemory;
  if (!getState().isInitialized && llvm::StringRef(name) != "cuInit")
    return notInitialized;
  return needsContext && !currentContext ? invalidContext : success;
}

#define BEGIN(...)                                                             \
  std::lock_guard<std::recursive_mutex> lock(getState().mutex);                \
  if (int error = begin(__func__, __VA_ARGS__))                                \
  return error

static int wait() {
  getState().launching = std::thread::id();
  while (!getState().pending.empty()) {
    auto work = std::move(getState().pending.front());
    getState().pending.pop_front();
    if (int error = work())
      return error;
  }
  return success;
}

/// The bytes of bitcode: blocks, of which the table of strings is the last.
static size_t countBitcode(const char *image) {
  constexpr unsigned strings = 23;
  const char *at = image + 4;
  for (unsigned block = 0; block != strings;) {
    uint32_t words[2];
    std::memcpy(words, at, sizeof(words));
    block = (words[0] >> 2) & 0xFF;
    at += sizeof(words) + 4 * size_t(words[1]);
  }
  return at - image;
}

/// The bitcode of the kernel of a module in PTX; null if nobody has it.
static std::unique_ptr<llvm::MemoryBuffer> findBitcode(llvm::StringRef text) {
  const char *folder = std::getenv("STAND_IN_KERNELS");
  if (!folder)
    return nullptr;
  auto [before, after] = text.split(".entry ");
  std::string path = (folder + llvm::Twine("/") +
                      after.take_until([](char c) { return c == '('; }) + ".bc")
                         .str();
  auto file = llvm::MemoryBuffer::getFile(path);
  if (file)
    return std::move(*file);
  llvm::errs() << "cannot read " << path << "\n";
  return nullptr;
}

static int load(void **module, const void *image) {
  const auto *bytes = static_cast<const char *>(image);
  auto loaded = std::make_unique<Module>();
  std::unique_ptr<llvm::MemoryBuffer> file;
  llvm::StringRef bitcode;
  if (std::memcmp(bytes, "BC\xC0\xDE", 4) == 0)
    bitcode = llvm::StringRef(bytes, countBitcode(bytes));
  else if ((file = findBitcode(bytes)))
    bitcode = file->getBuffer();
  if (!bitcode.empty()) {
    auto program = Program::parse({bitcode, "gpu.binary"});
    if (!program) {
      llvm::errs() << llvm::toString(program.takeError()) << "\n";
      return invalidValue;
    }
    loaded->program = std::move(*program);
  }
  *module = loaded.release();
  getState().modules.insert(*module);
  return success;
}

extern "C" {

int cuInit(unsigned) {
  BEGIN("", false);
  getState().isInitialized = true;
  return success;
}

int cuGetErrorName(int error, const char **text) {
  *text = error == outOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == invalidDevice  ? "CUDA_ERROR_INVALID_DEVICE"
          : error == invalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
          : error == notFound       ? "CUDA_ERROR_NOT_FOUND"
          : error == launchFailed   ? "CUDA_ERROR_LAUNCH_FAILED"
                                    : nullptr;
  return *text ? success : invalidValue;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == outOfMemory ? "out of memory" : nullptr;
  return *text ? success : invalidValue;
}

int cuDeviceGet(int *device, int number) {
  BEGIN(llvm::Twine(number), false);
  *device = number;
  return number == 0 ? success : invalidDevice;
}

static int getNumber(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

static bool isManagedConcurrent() {
  return getNumber("STAND_IN_MANAGED", 1) != 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  BEGIN(llvm::Twine(attribute), false);
  int capability = getNumber("STAND_IN_CAPABILITY", 80);
  switch (attribute) {
  case 75:
    *value = capability / 10;
    return success;
  case 76:
    *value = capability % 10;
    return success;
  case 89:
    *value = isManagedConcurrent();
    return success;
  default:
    return invalidValue;
  }
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  BEGIN("", false);
  *context = &contextStorage;
  return success;
}

int cuCtxSetCurrent(void *context) {
  // Not logged: it comes before every other call.
  if (context != &contextStorage)
    return invalidContext;
  currentContext = context;
  return success;
}

int cuModuleLoadData(void **module, const void *image) {
  BEGIN("");
  return load(module, image);
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  std::string text;
  void *log = nullptr;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      log = values[i];
    else
      text += (llvm::Twine(text.empty() ? "" : ", ") + "option " +
               llvm::Twine(options[i]) + " = " +
               llvm::Twine(reinterpret_cast<intptr_t>(values[i])))
                  .str();
  llvm::StringRef chip = llvm::StringRef(static_cast<const char *>(image))
                             .split(".target ")
                             .second;
  text += ", target " +
          chip.take_until([](char c) { return llvm::isSpace(c); }).str();
  if (log)
    std::strcpy(static_cast<char *>(log), "the assembler's log");
  BEGIN(text);
  return load(module, image);
}

int cuModuleUnload(void *module) {
  BEGIN("");
  return getState().modules.erase(module) ? success : invalidHandle;
}

int cuModuleGetFunction(void **function, void *handle, const char *name) {
  BEGIN(name);
  if (!getState().modules.count(handle))
    return invalidHandle;
  auto *module = static_cast<Module *>(handle);
  if (module->program && !module->program->findKernel(name))
    return notFound;
  *function = new Function{module, name};
  getState().functions.insert(*function);
  return success;
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
  BEGIN(llvm::Twine(attribute) + ", " + llvm::Twine(value));
  if (!getState().functions.count(handle) || attribute != 8)
    return invalidHandle;
  static_cast<Function *>(handle)->maxSharedBytes = value;
  return success;
}

int cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ,
                   unsigned sharedBytes, void *stream, void **arguments,
                   void **extra) {
  bool isKnown = getState().functions.count(handle);
  auto *function = static_cast<Function *>(handle);
  std::string text;
  llvm::raw_string_ostream(text)
      << (isKnown ? function->name : "unknown") << ", grid " << gridX << " "
      << gridY << " " << gridZ << ", block " << blockX << " " << blockY << " "
      << blockZ << ", shared " << sharedBytes;
  BEGIN(text);
  if (!isKnown || !getState().modules.count(function->module) ||
      (stream && !getState().streams.count(stream)))
    return invalidHandle;
  if (extra || static_cast<int>(sharedBytes) > function->maxSharedBytes ||
      gridX == 0 || gridY == 0 || gridZ == 0)
    return invalidValue;
  Program *program = function->module->program.get();
  if (!program)
    return success;
  // The values are those at the time of the launch.
  std::vector<std::vector<char>> values;
  for (const KernelParameter &each :
       program->findKernel(function->name)->parameters) {
    const char *value = static_cast<const char *>(arguments[values.size()]);
    values.emplace_back(value, value + each.bytes);
  }
  LaunchConfig config;
  config.grid = {gridX, gridY, gridZ};
  config.block = {blockX, blockY, blockZ};
  config.dynamicSharedBytes = sharedBytes;
  getState().launching = std::this_thread::get_id();
  getState().pending.push_back([=] {
    std::vector<const void *> pointers;
    for (const std::vector<char> &value : values)
      pointers.push_back(value.data());
    auto launched =
        program->launch(function->name, config, pointers, getState().memory);
    if (launched)
      return success;
    llvm::errs() << llvm::toString(launched.takeError()) << "\n";
    return launchFailed;
  });
  return success;
}

int cuMemAllocManaged(uint64_t *pointer, size_t bytes, unsigned flags) {
  BEGIN(llvm::Twine(bytes) + ", " + llvm::Twine(flags));
  if (bytes == 0 || flags != 1)
    return invalidValue;
  if (!isManagedConcurrent() && getState().launching != std::thread::id() &&
      getState().launching != std::this_thread::get_id())
    return launchFailed;
  auto allocated = getState().memory.allocate(bytes);
  if (!allocated) {
    llvm::consumeError(allocated.takeError());
    return outOfMemory;
  }
  *pointer = reinterpret_cast<uint64_t>(*allocated);
  return success;
}

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  BEGIN(llvm::Twine(bytes));
  return cuMemAllocManaged(pointer, bytes, 1);
}

int cuMemFree_v2(uint64_t pointer) {
  BEGIN("");
  // As the driver does, for fear of what still runs.
  if (int error = wait())
    return error;
  llvm::Error error = getState().memory.free(reinterpret_cast<void *>(pointer));
  bool failed = static_cast<bool>(error);
  llvm::consumeError(std::move(error));
  return failed ? invalidValue : success;
}

int cuMemcpyAsync(uint64_t target, uint64_t source, size_t bytes, void *) {
  BEGIN(llvm::Twine(bytes));
  getState().pending.push_back([=] {
    std::memcpy(reinterpret_cast<void *>(target),
                reinterpret_cast<void *>(source), bytes);
    return success;
  });
  return success;
}

int cuMemsetD16Async(uint64_t target, unsigned short value, size_t count,
                     void *) {
  BEGIN(llvm::Twine(value) + ", " + llvm::Twine(count));
  getState().pending.push_back([=] {
    std::fill_n(reinterpret_cast<unsigned short *>(target), count, value);
    return success;
  });
  return success;
}

int cuMemsetD32Async(uint64_t target, unsigned value, size_t count, void *) {
  BEGIN(llvm::Twine(value) + ", " + llvm::Twine(count));
  getState().pending.push_back([=] {
    std::fill_n(reinterpret_cast<unsigned *>(target), count, value);
    return success;
  });
  return success;
}

int cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned) {
  BEGIN(llvm::Twine(bytes));
  getState().memory.registerHost(pointer, bytes);
  return success;
}

int cuMemHostUnregister(void *pointer) {
  BEGIN("");
  getState().memory.unregisterHost(pointer);
  return success;
}

int cuStreamCreate(void **stream, unsigned flags) {
  BEGIN(llvm::Twine(flags));
  getState().streams.insert(*stream = new int);
  return success;
}

int cuStreamDestroy_v2(void *stream) {
  BEGIN("");
  return getState().streams.erase(stream) ? success : invalidHandle;
}

int cuStreamSynchronize(void *) {
  // Time for another thread to get in between.
  if (!isManagedConcurrent())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BEGIN("");
  return wait();
}

int cuStreamWaitEvent(void *, void *, unsigned) {
  BEGIN("");
  return success;
}

int cuEventCreate(void **event, unsigned) {
  BEGIN("");
  *event = new int;
  return success;
}

int cuEventDestroy_v2(void *) {
  BEGIN("");
  return success;
}

int cuEventSynchronize(void *) {
  BEGIN("");
  return wait();
}

int cuEventRecord(void *, void *) {
  BEGIN("");
  return success;
}

} // extern "C"
