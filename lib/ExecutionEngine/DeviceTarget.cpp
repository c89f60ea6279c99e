//===- DeviceTarget.cpp - Running kernels on a device ---------------------===//

#include "DeviceTarget.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::norm;

template <typename Function>
static void find(RuntimeSymbols symbols, StringRef name, Function *&function) {
  const auto *found = llvm::find_if(
      symbols, [&](const auto &symbol) { return symbol.first == name; });
  assert(found != symbols.end() && "a function that all runtimes have");
  function = reinterpret_cast<Function *>(found->second);
}

DeviceTarget::DeviceTarget(RuntimeSymbols symbols,
                           void (*setHandler)(Handler, void *))
    : symbols(symbols), setErrorHandler(setHandler) {
  find(symbols, "mgpuMemAlloc", memAlloc);
  find(symbols, "mgpuMemFree", memFree);
  find(symbols, "mgpuStreamDestroy", streamDestroy);
}

const DeviceTarget *DeviceTarget::get(ExecutionTarget target) {
  switch (target) {
  case ExecutionTarget::CPU:
    return nullptr;
  case ExecutionTarget::Emulator:
    return &getEmulatorTarget();
  case ExecutionTarget::CUDA:
    return &getCUDATarget();
  }
  llvm_unreachable("unknown target");
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// A runtime has one handler; whose call it is depends on the thread.
static thread_local DeviceFaults *activeFaults = nullptr;

void DeviceFaults::record(const char *message, void *) {
  // Without anybody who listens, the fault is of a program that has ended.
  if (!activeFaults || !activeFaults->message.empty())
    return;
  StringRef text = message;
  text.consume_front("error: ");
  activeFaults->message = text.str();
}

DeviceFaults::DeviceFaults(const DeviceTarget *device) : outer(activeFaults) {
  if (device)
    device->setHandler(&record);
  activeFaults = this;
}

DeviceFaults::~DeviceFaults() { activeFaults = outer; }

llvm::Error DeviceFaults::getError() const {
  return empty() ? llvm::Error::success()
                 : llvm::make_error<DeviceError>(message);
}

char DeviceError::ID;

llvm::Error norm::checkTarget(ExecutionTarget target) {
  const DeviceTarget *device = DeviceTarget::get(target);
  return device ? device->check() : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void OwnedTensor::Free::operator()(void *block) const {
  if (const DeviceTarget *device = DeviceTarget::get(memory))
    device->free(block);
  else
    std::free(block);
}

llvm::Expected<OwnedTensor> norm::allocateTensor(ArrayRef<int64_t> shape,
                                                 size_t bytes,
                                                 ExecutionTarget target) {
  const DeviceTarget *device = DeviceTarget::get(target);
  DeviceFaults faults(device);
  void *block = device ? device->allocate(bytes)
                       : std::malloc(std::max<size_t>(bytes, 1));
  if (!block)
    return faults.empty()
               ? llvm::make_error<DeviceError>("cannot allocate " +
                                               std::to_string(bytes) + " bytes")
               : faults.getError();
  return OwnedTensor{OwnedTensor::Block(block, {target}), block,
                     SmallVector<int64_t>(shape)};
}

llvm::Expected<OwnedTensor> norm::copyTensor(TensorView tensor, size_t bytes,
                                             ExecutionTarget target) {
  std::unique_lock<std::recursive_mutex> turns[2];
  for (auto [turn, memory] :
       llvm::zip(turns, std::array{tensor.memory, target}))
    if (const DeviceTarget *device = DeviceTarget::get(memory))
      turn = device->takeTurn();
  llvm::Expected<OwnedTensor> copy =
      allocateTensor(tensor.shape, bytes, target);
  if (copy && bytes > 0)
    std::memcpy(copy->data, tensor.data, bytes);
  return copy;
}
