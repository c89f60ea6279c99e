//===- EmulatorTarget.cpp - Running kernels in the emulator ---------------===//

#include "EmulatorTarget.h"
#include "renorm/NVVMEmulator/HostRuntime.h"

#include <cstring>

using namespace mlir;
using namespace mlir::norm;

extern "C" void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
extern "C" void mgpuMemFree(void *pointer, void *stream);

static void *allocateShared(size_t bytes) {
  return mgpuMemAlloc(std::max<size_t>(bytes, 1), /*stream=*/nullptr,
                      /*isHostShared=*/true);
}

void norm::freeShared(void *block) { mgpuMemFree(block, /*stream=*/nullptr); }

SmallVector<std::pair<StringRef, void *>> norm::getEmulatorSymbols() {
  SmallVector<std::pair<StringRef, void *>> symbols(
      emulator::getHostRuntimeSymbols());
  symbols.push_back({"malloc", reinterpret_cast<void *>(&allocateShared)});
  symbols.push_back({"free", reinterpret_cast<void *>(&freeShared)});
  return symbols;
}

SharedCopies::~SharedCopies() {
  for (void *block : blocks)
    freeShared(block);
}

TensorView SharedCopies::add(TensorView view, size_t bytes) {
  void *copy = allocateShared(bytes);
  if (bytes > 0)
    std::memcpy(copy, view.data, bytes);
  blocks.push_back(copy);
  return {copy, view.shape};
}

/// The runtime has one handler; whose call it is depends on the thread.
static thread_local EmulatorFaults *activeFaults = nullptr;

void EmulatorFaults::record(const char *message, void *) {
  // Without anybody who listens, the fault is of a program that has ended.
  if (activeFaults && activeFaults->message.empty())
    activeFaults->message = message;
}

EmulatorFaults::EmulatorFaults() : outer(activeFaults) {
  emulator::setHostRuntimeErrorHandler(&record, nullptr);
  activeFaults = this;
}

EmulatorFaults::~EmulatorFaults() { activeFaults = outer; }
