//===- EmulatorTarget.cpp - Running kernels in the emulator ---------------===//

#include "DeviceTarget.h"
#include "renorm/NVVMEmulator/HostRuntime.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
class EmulatorTarget : public DeviceTarget {
public:
  EmulatorTarget()
      : DeviceTarget(emulator::getHostRuntimeSymbols(),
                     &emulator::setHostRuntimeErrorHandler) {}

  llvm::Error check() const override { return llvm::Error::success(); }

  llvm::Expected<std::string>
  getPipeline(StringRef kernelOptions) const override {
    return ("renorm-to-nvvm{format=llvm " + kernelOptions + "}").str();
  }
};
} // namespace

const DeviceTarget &norm::getEmulatorTarget() {
  static const EmulatorTarget target;
  return target;
}
