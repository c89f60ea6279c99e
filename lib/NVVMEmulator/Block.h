//===- Block.h - The threads of a block and their scheduler -----*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_BLOCK_H
#define RENORM_LIB_NVVMEMULATOR_BLOCK_H

#include "Fiber.h"
#include "SharedMemory.h"
#include "Site.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <deque>
#include <optional>
#include <random>

namespace mlir {
namespace norm {
namespace emulator {

constexpr unsigned warpSize = 32;

/// A `cp.async` that has been issued and not yet been waited for.
struct AsyncCopy {
  uint64_t target, source;
  uint32_t bytes, sourceBytes;
  const Site *site;
};

using Clocks = std::vector<uint32_t>;

/// The threads with a true predicate at a barrier, and all.
struct BarrierResult {
  uint64_t trues = 0, threads = 0;
};

struct Thread {
  enum class State { Ready, Waiting, Done };

  unsigned index, warp, lane;
  Dim3 id;
  State state = State::Ready;
  /// The fiber, while it doesn't run.
  void *fiber = nullptr;
  uint64_t stackLow = 0, stackTop = 0;

  /// The instruction that it executes or waits at.
  const Site *site = nullptr;
  /// What it waits for: the lanes of `mask`, or a barrier.
  enum class Awaited { Lanes, Barrier } awaited = Awaited::Lanes;
  uint64_t barrier = 0;
  bool isBarrierAligned = false;
  BarrierResult barrierResult;
  /// Of the instruction, while the thread waits for its warp.
  const uint64_t *arguments = nullptr;
  uint64_t *results = nullptr;
  uint32_t mask = 0;

  /// Grows when others may learn of its accesses; its own last entry in `seen`
  /// is not kept.
  uint32_t clock = 1;
  std::shared_ptr<const Clocks> seen;

  llvm::SmallVector<AsyncCopy> openCopies;
  std::deque<llvm::SmallVector<AsyncCopy>> copyGroups;

  uint64_t iterations = 0;

  bool isAt(State wanted) const { return state == wanted; }
};

/// What the blocks of a launch have in common.
struct LaunchState {
  const LaunchConfig &config;
  llvm::StringRef kernel;
  /// Loads the arguments and calls the kernel.
  void (*entry)(const void *const *);
  const void *const *arguments;
  const GlobalMemory &memory;
  /// Variables of the program in global and constant memory, and arguments that
  /// are passed in memory.
  const GlobalMemory &own;
  SharedMemory &shared;
  llvm::ArrayRef<SharedVariable> sharedVariables;
  llvm::ArrayRef<Site> sites;
  const FiberStacks &stacks;
  std::mt19937_64 random;
  LaunchStatistics statistics = {};
  std::optional<Fault> fault = std::nullopt;
};

class Block {
public:
  Block(LaunchState &launch, Dim3 id);

  /// Runs all threads to their end; returns false if `launch.fault` is set.
  bool run();

  /// The block whose thread calls; only valid in a fiber.
  static Block &getCurrent();
  Thread &getRunning() { return *running; }

  // What instructions ask for. Those that fail don't return.

  /// Reports a fault of `thread`, and leaves the fiber for good.
  [[noreturn]] void fail(const Thread &thread, FaultKind kind,
                         std::string message,
                         std::vector<Fault::Note> notes = {});
  /// Stops until somebody calls `wake`.
  void wait(Thread &thread);
  void wake(Thread &thread) { thread.state = Thread::State::Ready; }
  /// Lets the others run.
  void yield();
  /// Ends the running thread.
  [[noreturn]] void exitThread();
  /// Counts an iteration of a loop.
  void countIteration(Thread &thread);

  /// Checks bounds, alignment and order of an access by `thread`, whose site is
  /// the one to blame.
  void access(Thread &thread, uint64_t address, uint64_t bytes,
              uint64_t alignment, AccessKind kind, AddressSpace space);

  /// Executes `instruction` when the last of its lanes has come.
  void meetWarp(Thread &thread, const Instruction &instruction,
                const uint64_t *arguments, uint64_t *results);

  struct BarrierCall {
    uint64_t id;
    /// Of threads; none for all of the block.
    std::optional<uint64_t> count;
    bool isAligned;
    /// Whether the thread only counts and doesn't wait.
    bool isArrival;
    /// For those that reduce a predicate.
    bool predicate;
  };
  BarrierResult meetBarrier(Thread &thread, const BarrierCall &call);

  /// Lets those that acquire know of the accesses of those that release.
  void order(llvm::ArrayRef<Thread *> releasing,
             llvm::ArrayRef<Thread *> acquiring);

  void startCopy(Thread &thread, const AsyncCopy &copy);
  void commitCopies(Thread &thread);
  /// Lands all committed groups but the last `pending`.
  void waitCopies(Thread &thread, uint64_t pending);
  void waitAllCopies(Thread &thread);

  LaunchState &launch;
  const Dim3 id;

private:
  friend void runFiber();

  struct Barrier {
    llvm::SmallVector<Thread *> arrived, waiting;
    std::optional<uint64_t> count;
    uint64_t trues = 0;
  };

  void resume(Thread &thread);
  void leave();
  void reportHang();
  void recordFault(const Thread &thread, FaultKind kind, std::string message,
                   std::vector<Fault::Note> notes);
  [[noreturn]] void fail(const Thread &thread, SharedMemory::Problem &problem);
  /// Completes a barrier if all have come.
  void checkBarrier(Barrier &barrier);
  void checkExit(Thread &thread);
  void checkSource(Thread &thread, uint64_t address, uint64_t bytes);
  void landCopies(Thread &thread, llvm::SmallVectorImpl<AsyncCopy> &copies);
  Observer observe(const Thread &thread) const {
    return {thread.index, thread.clock, thread.seen->data()};
  }
  llvm::MutableArrayRef<Thread> getWarp(const Thread &thread);
  uint64_t countLive() const;

  std::vector<Thread> threads;
  std::array<Barrier, 16> barriers;
  Thread *running = nullptr;
  void *scheduler = nullptr;
  /// Copies that are on their way, and a range that has their sources.
  uint64_t copiesInFlight = 0, sourceLow = 0, sourceHigh = 0;
  /// Where global accesses were in bounds lately.
  struct Range {
    uint64_t low = 0, high = 0;
  };
  std::array<Range, 4> recent;
  unsigned nextRecent = 0;
};

/// "(1, 2, 3)".
std::string format(const Dim3 &dim);

/// What a waiting thread waits for: "barrier 0".
std::string describeWait(const Thread &thread);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_BLOCK_H
