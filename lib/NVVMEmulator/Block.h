//===- Block.h - The threads of a block and their scheduler -----*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_BLOCK_H
#define RENORM_LIB_NVVMEMULATOR_BLOCK_H

#include "Fiber.h"
#include "SharedMemory.h"
#include "Site.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <deque>
#include <map>
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

/// Clocks beyond those of threads, for what runs beside them: copies by their
/// mbarrier, matrix multiplications by their warpgroup, stores by their thread.
constexpr unsigned asyncClocks = 128;
constexpr unsigned warpgroupSize = 128;

/// What a bulk copy moves: at most 16 bytes, zeros where there is no source.
struct BulkPiece {
  uint64_t target, source;
  uint32_t bytes;
};

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
  /// What it waits for: the lanes of `mask`, a barrier by its number, or a
  /// phase of an mbarrier by its address.
  enum class Awaited { Lanes, Barrier, Phase } awaited = Awaited::Lanes;
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

  /// Of `wgmma`: groups that were committed, and those whose end was waited
  /// for; by site, the group of the last one.
  uint64_t multiplyGroups = 0, multipliedGroups = 0;
  llvm::SmallDenseMap<const Site *, uint64_t, 4> lastMultiply;

  /// Bulk stores: those of the open group and of committed ones, of which the
  /// first has the number `storedGroups`.
  llvm::SmallVector<BulkPiece, 0> openStores;
  std::deque<llvm::SmallVector<BulkPiece, 0>> storeGroups;
  uint64_t storedGroups = 0;
  std::optional<unsigned> storeClock;

  uint64_t iterations = 0;
  /// Whether all it did since it was resumed is to look for the end of a phase.
  bool isPolling = false;

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

  // An mbarrier, by its address in shared memory.
  void initMemoryBarrier(Thread &thread, uint64_t address, uint32_t count);
  void endMemoryBarrier(Thread &thread, uint64_t address);
  /// Expects bytes, and counts arrivals, in this order; returns the phase
  /// before.
  uint64_t arriveAtMemoryBarrier(Thread &thread, uint64_t address,
                                 int64_t arrivals, int64_t expectedBytes);
  /// Whether the phase that is not this one, by its last bit, has not yet
  /// begun; waits for that if so asked.
  bool testMemoryBarrier(Thread &thread, uint64_t address, bool parity,
                         bool waits);

  /// Copies into shared memory at some time, and then tells the mbarrier.
  void startBulkLoad(Thread &thread, std::vector<BulkPiece> pieces,
                     uint64_t barrier);
  void startBulkStore(Thread &thread, llvm::ArrayRef<BulkPiece> pieces);
  void commitBulkStores(Thread &thread);
  void waitBulkStores(Thread &thread, uint64_t pending);

  // `wgmma`, whose operands are read until the group is waited for.
  /// Returns what all threads know of.
  Clocks startMultiply(llvm::MutableArrayRef<Thread> warpgroup);
  void readMultiplyOperand(Thread &thread, uint64_t address, uint64_t bytes,
                           const Clocks &known);
  void commitMultiplies(Thread &thread) { ++thread.multiplyGroups; }
  void waitMultiplies(Thread &thread, uint64_t pending);
  /// Checks that the accumulators that a thread uses are there.
  void useAccumulators(Thread &thread);

  llvm::MutableArrayRef<Thread> getWarpgroup(const Thread &thread);

  LaunchState &launch;
  const Dim3 id;

private:
  friend void runFiber();

  struct Barrier {
    llvm::SmallVector<Thread *> arrived, waiting;
    std::optional<uint64_t> count;
    uint64_t trues = 0;
  };

  struct MemoryBarrier {
    /// Its number among the clocks, where it counts phases.
    unsigned clock;
    uint32_t expected;
    int64_t arrivals, bytes = 0;
    uint64_t phase = 0;
    /// What those know that have arrived, and what one knows who has waited.
    Clocks gathered, published;
    llvm::SmallVector<Thread *> waiting = {};
  };
  struct BulkLoad {
    std::vector<BulkPiece> pieces;
    uint64_t barrier;
    const Site *site;
    unsigned thread;
    std::shared_ptr<const Clocks> seen;
  };

  void resume(Thread &thread);
  [[noreturn]] void leave();
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
  MemoryBarrier &findMemoryBarrier(Thread &thread, uint64_t address,
                                   AccessKind kind);
  void checkPhase(MemoryBarrier &barrier);
  void landBulkLoad(size_t index);
  unsigned takeClock(Thread &thread);
  /// Adds to what a thread knows.
  void acquire(Thread &thread, const Clocks &clocks);
  void acquire(Thread &thread, unsigned clock, uint32_t value);
  /// What a waiting thread waits for: "barrier 0".
  std::string describeWait(const Thread &thread) const;
  uint64_t countLive() const;

  std::vector<Thread> threads;
  std::array<Barrier, 16> barriers;
  Thread *running = nullptr;
  void *scheduler = nullptr;
  StackRange schedulerStack;
  std::map<uint64_t, MemoryBarrier> memoryBarriers;
  std::vector<BulkLoad> bulkLoads;
  unsigned takenClocks = 0;
  /// By warpgroup.
  llvm::SmallDenseMap<unsigned, unsigned> multiplyClocks;
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

/// Raises each clock to that of the other.
void join(Clocks &clocks, const Clocks &other);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_BLOCK_H
