//===- Instrument.h - Calls of the emulator in a kernel's IR ----*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_INSTRUMENT_H
#define RENORM_LIB_NVVMEMULATOR_INSTRUMENT_H

#include "Instruction.h"
#include "Site.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>

namespace mlir {
namespace norm {
namespace emulator {

/// What compiled code calls, by the names it uses. The first argument of each
/// but the first is the number of a site.
namespace runtime {
constexpr const char *sharedBase = "renorm_emulator_shared_base";
constexpr const char *call = "renorm_emulator_call";
constexpr const char *access = "renorm_emulator_access";
constexpr const char *accessRange = "renorm_emulator_access_range";
constexpr const char *accessLocal = "renorm_emulator_access_local";
constexpr const char *useAccumulators = "renorm_emulator_use_accumulators";
constexpr const char *iterate = "renorm_emulator_iterate";
constexpr const char *divide = "renorm_emulator_divide";
constexpr const char *trap = "renorm_emulator_trap";
constexpr const char *assertFail = "renorm_emulator_assert";
} // namespace runtime

/// A variable in global or constant memory.
struct ProgramVariable {
  std::string name;
  uint64_t bytes;
};

/// What instrumentation finds out about a module.
struct InstrumentedModule {
  std::vector<Site> sites;
  /// Sites point into it.
  std::map<std::string, Instruction> instructions;
  std::vector<SharedVariable> sharedVariables;
  /// The alignment of memory of the size that the launch says, and whether the
  /// last of `sharedVariables` is that.
  bool hasDynamicShared = false;
  std::vector<ProgramVariable> variables;
  std::vector<KernelSignature> kernels;
  /// Threads that a block may or must have, by kernel.
  struct BlockLimits {
    std::optional<uint64_t> max, required;
  };
  std::map<std::string, BlockLimits> limits;
  /// What the deepest chain of calls may need of a thread's stack, roughly.
  uint64_t stackBytes = 0;
};

/// Rewrites a module for NVPTX into one for the host, `layout` and `triple`,
/// that calls the emulator for all it can't do itself: instructions of the GPU,
/// checks of accesses, loops. A kernel k becomes a function "renorm_kernel.k"
/// of a pointer to pointers to its arguments. Fails if there is something that
/// the emulator doesn't have.
llvm::Expected<InstrumentedModule>
instrumentModule(llvm::Module &module, const llvm::DataLayout &layout,
                 const llvm::Triple &triple);

// The parts of it that have files of their own.

/// Whether LLVM generates code for an intrinsic both on the GPU and on the
/// host.
bool isPortable(llvm::Intrinsic::ID id);

/// Gives the variables in shared memory offsets, and replaces their addresses
/// by these from where the shared memory of the block begins.
llvm::Error placeSharedVariables(llvm::Module &module,
                                 const llvm::DataLayout &layout,
                                 InstrumentedModule &result);

/// Adds the function that loads a kernel's arguments and calls it.
void wrapKernel(llvm::Function &kernel, const llvm::DataLayout &layout,
                InstrumentedModule &result);

/// The instructions that use results of a `wgmma` other than as accumulators of
/// another one, with the calls that the results may be of.
llvm::MapVector<llvm::Instruction *, llvm::SmallVector<llvm::CallInst *, 1>>
findAccumulatorUses(llvm::Function &function);

/// Fails if a function calls itself: stacks have a size, which is known before
/// the kernel runs.
llvm::Error checkRecursion(llvm::Module &module);

/// What the values and variables of all functions need on a stack.
uint64_t estimateStack(const llvm::Module &module,
                       const llvm::DataLayout &layout);

/// The host's function for one of libdevice, "__nv_expf", or null.
void *findLibdeviceFunction(llvm::StringRef name);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_INSTRUMENT_H
