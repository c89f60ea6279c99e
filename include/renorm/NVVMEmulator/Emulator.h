//===- Emulator.h - Running NVPTX kernels on the host -----------*- C++ -*-===//
//
// Executes the LLVM IR of an NVIDIA GPU kernel on the host's CPU, thread by
// thread, so that GPU code is run in tests on machines without a GPU, and finds
// faults that a GPU doesn't report.
//
// What it models: threads, warps and blocks; barriers, shuffles, votes and
// matrix instructions, which run once when the last lane has arrived; shared
// memory that is never better aligned than declared and holds NaNs until it is
// written; asynchronous copies that land as late as the program allows; any
// order of threads and blocks, by a seed.
//
// What it doesn't: weak memory (all accesses are sequentially consistent, and
// races on global memory are not looked for), the asynchronous proxy's fences,
// clusters, bank conflicts and anything else about time, independence of blocks
// (they run one after the other), the bits of approximate instructions and of
// the tensor cores' accumulation (both are rounded once from a more exact
// result).
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_NVVMEMULATOR_EMULATOR_H
#define RENORM_NVVMEMULATOR_EMULATOR_H

#include "renorm/NVVMEmulator/GlobalMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace norm {
namespace emulator {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;

  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// Where an instruction comes from; `line` is 0 where that is not known.
struct SourceLocation {
  std::string file;
  unsigned line = 0, column = 0;
};

enum class FaultKind {
  /// A launch that the kernel or the hardware refuses.
  Launch,
  /// An access outside of every allocation, or of the stack of a thread.
  OutOfBounds,
  /// An access with a smaller alignment than the instruction has or declares.
  Misaligned,
  /// Shared memory read before it is written.
  Uninitialized,
  /// Two accesses of shared memory, one of them a write, that no barrier
  /// orders.
  Race,
  /// A target, or a source, of an asynchronous copy is used before the copy is
  /// waited for.
  AsyncCopy,
  /// Threads that must execute an instruction together don't.
  Divergence,
  /// A warp's instruction names a lane that has left the kernel.
  LaneLeft,
  /// No thread can go on, or one doesn't end.
  Hang,
  /// An operand that the instruction's specification excludes.
  Operand,
  /// An integer division by zero, a trap, a failed assertion.
  Trap,
};

/// "out-of-bounds access", "data race", ...
llvm::StringRef describe(FaultKind kind);

/// What a kernel did wrong: where, and which thread of it.
struct Fault {
  struct Note {
    std::string message;
    SourceLocation location;
  };

  FaultKind kind;
  std::string message;
  std::string kernel;
  Dim3 block, thread;
  SourceLocation location;
  /// The instruction as LLVM IR.
  std::string instruction;
  /// The other parties: who wrote, who waits.
  std::vector<Note> notes;

  /// "FILE:LINE:COLUMN: error: data race: ... in kernel 'k', block (0, 0, 0),
  /// thread (1, 0, 0)", and a line for each note.
  std::string str() const;
};

class FaultError : public llvm::ErrorInfo<FaultError> {
public:
  static char ID;

  explicit FaultError(Fault fault) : fault(std::move(fault)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  Fault fault;
};

struct LaunchConfig {
  Dim3 grid, block;
  /// Bytes behind the external zero-length variable in shared memory.
  unsigned dynamicSharedBytes = 0;
  /// Orders threads and blocks; 0 runs them in the order of their numbers.
  uint64_t seed = 0;
  /// What all shared variables of a block may take together: 227 KiB on sm_90.
  unsigned maxSharedBytes = 232448;
  /// How often a thread may go round its loops before that is a hang.
  uint64_t maxIterations = uint64_t(1) << 24;
};

struct LaunchStatistics {
  /// Instructions that a warp executed together, and times a thread was
  /// resumed.
  uint64_t warpInstructions = 0, switches = 0;
};

struct KernelParameter {
  /// As the IR prints it: "i32", "float", "ptr addrspace(1)".
  std::string type;
  uint64_t bytes;
  bool isPointer;
};

struct KernelSignature {
  std::string name;
  std::vector<KernelParameter> parameters;
};

/// The kernels of one module, compiled for the host.
class Program {
public:
  /// Takes a module for NVPTX as MLIR or clang make it: kernels have the
  /// calling convention `ptx_kernel`. Fails, naming it and where it is, if an
  /// instruction is not one that the emulator has. Locations in faults are
  /// those of the module's debug info.
  static llvm::Expected<std::unique_ptr<Program>>
  create(llvm::orc::ThreadSafeModule module);

  /// Reads LLVM IR as text or as bitcode.
  static llvm::Expected<std::unique_ptr<Program>>
  parse(llvm::MemoryBufferRef buffer);

  /// Translates a `gpu.module` that has been lowered to the LLVM and NVVM
  /// dialects, and stays as it is. Locations in faults are those of its
  /// operations.
  static llvm::Expected<std::unique_ptr<Program>>
  translate(gpu::GPUModuleOp module);

  ~Program();

  llvm::ArrayRef<KernelSignature> getKernels() const;
  /// Returns null if there is no kernel of this name.
  const KernelSignature *findKernel(llvm::StringRef name) const;

  /// Runs a kernel to its end. `arguments` has a pointer to the value of each
  /// parameter, as for `cuLaunchKernel`; pointers among the values point into
  /// `memory`. A program runs one launch at a time. Fails with a `FaultError`
  /// if the kernel does something wrong; what it had written stays written.
  llvm::Expected<LaunchStatistics>
  launch(llvm::StringRef kernel, const LaunchConfig &config,
         llvm::ArrayRef<const void *> arguments, const GlobalMemory &memory);

private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_NVVMEMULATOR_EMULATOR_H
