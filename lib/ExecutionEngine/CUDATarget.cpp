//===- CUDATarget.cpp - Running kernels on an NVIDIA GPU ------------------===//

#include "DeviceTarget.h"
#include "renorm/CUDARuntime/HostRuntime.h"

using namespace mlir;
using namespace mlir::norm;

/// Compute capabilities for which `renorm-to-nvvm` makes PTX, which the driver
/// assembles for them and for all that are later.
static constexpr unsigned kCapabilities[] = {80, 86, 87, 89, 90};

/// The latest of the chips that are not later than the GPU.
static llvm::Expected<std::string> getChip() {
  auto properties = cuda::getDeviceProperties();
  if (!properties)
    return llvm::make_error<DeviceError>(
        llvm::toString(properties.takeError()));
  unsigned capability = 10 * properties->major + properties->minor;
  const unsigned *later = llvm::upper_bound(kCapabilities, capability);
  if (later == std::begin(kCapabilities))
    return llvm::make_error<DeviceError>(
        "expected a GPU of compute capability 8.0 or later, but got one of " +
        std::to_string(properties->major) + "." +
        std::to_string(properties->minor));
  return "sm_" + std::to_string(later[-1]);
}

namespace {
class CUDATarget : public DeviceTarget {
public:
  CUDATarget()
      : DeviceTarget(cuda::getHostRuntimeSymbols(),
                     &cuda::setHostRuntimeErrorHandler) {}

  llvm::Error check() const override { return getChip().takeError(); }

  llvm::Expected<std::string>
  getPipeline(StringRef kernelOptions) const override {
    auto chip = getChip();
    if (!chip)
      return chip.takeError();
    return ("renorm-to-nvvm{format=isa chip=" + *chip + " " + kernelOptions +
            "}")
        .str();
  }

  /// There are GPUs during whose kernels the host must not access the memory
  /// that both share, not even for another thread.
  std::unique_lock<std::recursive_mutex> takeTurn() const override {
    static std::recursive_mutex mutex;
    auto properties = cuda::getDeviceProperties();
    if (!properties)
      llvm::consumeError(properties.takeError());
    else if (!properties->concurrentManagedAccess)
      return std::unique_lock<std::recursive_mutex>(mutex);
    return {};
  }
};
} // namespace

const DeviceTarget &norm::getCUDATarget() {
  static const CUDATarget target;
  return target;
}
