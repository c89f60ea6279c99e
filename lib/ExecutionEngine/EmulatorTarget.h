//===- EmulatorTarget.h - Running kernels in the emulator -------*- C++ -*-===//
//
// The memory and the functions of a program whose GPU is the emulator. Host and
// kernels share all memory, which is the emulator's.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_EXECUTIONENGINE_EMULATORTARGET_H
#define RENORM_LIB_EXECUTIONENGINE_EMULATORTARGET_H

#include "renorm/ExecutionEngine/CompiledFunction.h"

namespace mlir::norm {

/// What the host's code calls: the runtime for the GPU, and `malloc` and `free`
/// of memory that kernels see.
SmallVector<std::pair<StringRef, void *>> getEmulatorSymbols();

/// Frees what the host's code has allocated.
void freeShared(void *block);

/// Copies of arrays that kernels see, for as long as this lives.
class SharedCopies {
public:
  SharedCopies() = default;
  SharedCopies(const SharedCopies &) = delete;
  ~SharedCopies();

  /// A copy of `bytes` of `view`.
  TensorView add(TensorView view, size_t bytes);

private:
  SmallVector<void *> blocks;
};

/// Keeps what the emulator reports in this thread, in place of ending the
/// process.
class EmulatorFaults {
public:
  EmulatorFaults();
  EmulatorFaults(const EmulatorFaults &) = delete;
  ~EmulatorFaults();

  /// The first message; empty if there was none.
  StringRef getMessage() const { return message; }

private:
  std::string message;
  EmulatorFaults *outer;
  static void record(const char *message, void *user);
};

} // namespace mlir::norm

#endif // RENORM_LIB_EXECUTIONENGINE_EMULATORTARGET_H
