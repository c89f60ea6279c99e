//===- Driver.cpp - The driver of NVIDIA's GPUs ---------------------------===//

#include "Driver.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir::norm::cuda;

// Numbers of `cuda.h`: attributes of a device.
static constexpr int capabilityMajor = 75, capabilityMinor = 76,
                     concurrentManaged = 89;

static std::string getVariable(const char *name, const char *otherwise) {
  const char *text = std::getenv(name);
  return text && *text ? text : otherwise;
}

llvm::Error Driver::check(int error, llvm::StringRef function) const {
  if (error == 0)
    return llvm::Error::success();
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(error, &name);
  cuGetErrorString(error, &text);
  return llvm::createStringError(function + ": " + (name ? name : "error") +
                                 " (" + llvm::Twine(error) + ")" +
                                 (text ? ": " : "") + (text ? text : ""));
}

llvm::Error Driver::open() {
  std::string path = getVariable("RENORM_LIBCUDA", "libcuda.so.1");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(
        "expected the driver of an NVIDIA GPU, but cannot open " + path +
        " (RENORM_LIBCUDA names another): " + dlerror());
#define FIND(name, symbol, parameters)                                         \
  name = reinterpret_cast<decltype(name)>(dlsym(library, symbol));             \
  if (!name)                                                                   \
    return llvm::createStringError(                                            \
        "expected the driver of an NVIDIA GPU, but " + path +                  \
        " has no function " symbol);
  RENORM_DRIVER_FUNCTIONS(FIND)
#undef FIND
#define FIND(name, symbol, parameters)                                         \
  name = reinterpret_cast<decltype(name)>(dlsym(library, symbol));
  RENORM_OPTIONAL_DRIVER_FUNCTIONS(FIND)
#undef FIND

  std::string number = getVariable("RENORM_CUDA_DEVICE", "0");
  int ordinal;
  if (!llvm::to_integer(number, ordinal, 10) || ordinal < 0)
    return llvm::createStringError(
        "expected the number of a GPU in RENORM_CUDA_DEVICE, but got '" +
        number + "'");
  if (llvm::Error error = check(cuInit(0), "cuInit"))
    return error;
  if (llvm::Error error = check(cuDeviceGet(&device, ordinal), "cuDeviceGet"))
    return error;
  if (llvm::Error error = check(cuDevicePrimaryCtxRetain(&context, device),
                                "cuDevicePrimaryCtxRetain"))
    return error;
  for (auto [value, attribute] :
       {std::pair(&properties.major, capabilityMajor),
        std::pair(&properties.minor, capabilityMinor),
        std::pair(&properties.concurrentManagedAccess, concurrentManaged)})
    if (llvm::Error error =
            check(cuDeviceGetAttribute(value, attribute, device),
                  "cuDeviceGetAttribute"))
      return error;
  return llvm::Error::success();
}

llvm::Expected<const Driver *> Driver::enter() {
  struct Opened {
    Driver driver;
    std::string failure;
    Opened() {
      if (llvm::Error error = driver.open())
        failure = llvm::toString(std::move(error));
    }
  };
  static const Opened opened;
  if (!opened.failure.empty())
    return llvm::createStringError(opened.failure);
  const Driver &driver = opened.driver;
  // The current context is the thread's.
  if (llvm::Error error = driver.check(driver.cuCtxSetCurrent(driver.context),
                                       "cuCtxSetCurrent"))
    return error;
  return &driver;
}
