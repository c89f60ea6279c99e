//===- MemoryBarriers.cpp - mbarrier objects ------------------------------===//

#include "Block.h"
#include "Instruction.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

unsigned Block::takeClock(Thread &thread) {
  if (takenClocks == asyncClocks)
    fail(thread, FaultKind::Operand,
         "the emulator has no more than " + std::to_string(asyncClocks) +
             " mbarriers, warpgroups and threads with bulk stores in a block");
  return threads.size() + takenClocks++;
}

void Block::acquire(Thread &thread, const Clocks &clocks) {
  auto seen = std::make_shared<Clocks>(*thread.seen);
  join(*seen, clocks);
  thread.seen = std::move(seen);
}

void Block::acquire(Thread &thread, unsigned clock, uint32_t value) {
  if ((*thread.seen)[clock] >= value)
    return;
  auto seen = std::make_shared<Clocks>(*thread.seen);
  (*seen)[clock] = value;
  thread.seen = std::move(seen);
}

void Block::initMemoryBarrier(Thread &thread, uint64_t address,
                              uint32_t count) {
  access(thread, address, 8, 8, AccessKind::Write, SharedSpace);
  if (count == 0 || count >= 1u << 20)
    fail(thread, FaultKind::Operand,
         "expected from 1 to 1048575 arrivals at an mbarrier, but got " +
             std::to_string(count));
  if (memoryBarriers.count(address))
    fail(thread, FaultKind::Operand,
         "initializes the mbarrier at " +
             launch.shared.describeBytes(address, 8) + " a second time");
  size_t clocks = threads.size() + asyncClocks;
  memoryBarriers.emplace(address,
                         MemoryBarrier{takeClock(thread), count, count, 0, 0,
                                       Clocks(clocks, 0), Clocks(clocks, 0)});
}

/// All but `init` are ordered among themselves, as atomic accesses are.
Block::MemoryBarrier &Block::findMemoryBarrier(Thread &thread, uint64_t address,
                                               AccessKind kind) {
  access(thread, address, 8, 8, kind, SharedSpace);
  auto found = memoryBarriers.find(address);
  if (found == memoryBarriers.end())
    fail(thread, FaultKind::Uninitialized,
         "uses an mbarrier at " + launch.shared.describeBytes(address, 8) +
             ", where none is initialized");
  return found->second;
}

void Block::endMemoryBarrier(Thread &thread, uint64_t address) {
  MemoryBarrier &barrier =
      findMemoryBarrier(thread, address, AccessKind::Write);
  if (!barrier.waiting.empty())
    fail(thread, FaultKind::Operand,
         "ends an mbarrier for which threads still wait");
  memoryBarriers.erase(address);
}

void Block::checkPhase(MemoryBarrier &barrier) {
  if (barrier.arrivals != 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.arrivals = barrier.expected;
  join(barrier.published, barrier.gathered);
  barrier.published[barrier.clock] = barrier.phase;
  for (Thread *thread : barrier.waiting)
    wake(*thread);
  barrier.waiting.clear();
}

uint64_t Block::arriveAtMemoryBarrier(Thread &thread, uint64_t address,
                                      int64_t arrivals, int64_t expectedBytes) {
  MemoryBarrier &barrier =
      findMemoryBarrier(thread, address, AccessKind::Atomic);
  if (arrivals > barrier.arrivals)
    fail(thread, FaultKind::Operand,
         "arrives at the mbarrier at " +
             launch.shared.describeBytes(address, 8) +
             ", which waits for no more arrivals in this phase");
  uint64_t phase = barrier.phase;
  barrier.bytes += expectedBytes;
  if (arrivals == 0)
    return phase;
  join(barrier.gathered, *thread.seen);
  barrier.gathered[thread.index] = thread.clock++;
  barrier.arrivals -= arrivals;
  checkPhase(barrier);
  return phase;
}

bool Block::testMemoryBarrier(Thread &thread, uint64_t address, bool parity,
                              bool waits) {
  MemoryBarrier &barrier =
      findMemoryBarrier(thread, address, AccessKind::Atomic);
  if ((barrier.phase & 1) == parity) {
    if (!waits) {
      thread.isPolling = true;
      yield();
      return false;
    }
    thread.awaited = Thread::Awaited::Phase;
    thread.barrier = address;
    barrier.waiting.push_back(&thread);
    wait(thread);
  }
  acquire(thread, barrier.published);
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Takes "[.relaxed].scope.cta.space.cta" or "[.shared]" off the end.
static bool consumeScope(llvm::StringRef &name, bool &isScoped) {
  isScoped = false;
  if (name.consume_back(".shared"))
    return true;
  size_t scope = name.find(".scope.");
  if (scope != llvm::StringRef::npos) {
    isScoped = true;
    // Those of other blocks need clusters.
    if (name.substr(scope) != ".scope.cta.space.cta" &&
        name.substr(scope) != ".scope.cluster.space.cta")
      return false;
    name = name.take_front(scope);
    name.consume_back(".relaxed");
  }
  return true;
}

static std::optional<Instruction> findArrival(llvm::StringRef name,
                                              bool isScoped) {
  bool expects =
      name == "mbarrier.arrive.expect.tx" || name == "mbarrier.expect.tx";
  bool arrives = name != "mbarrier.expect.tx";
  // Where a scope is named, so is the number of arrivals.
  bool counts = name == "mbarrier.arrive" && isScoped;
  if (!expects && name != "mbarrier.arrive")
    return std::nullopt;
  return Instruction::thread([=](Block &block, Thread &thread,
                                 const uint64_t *arguments, uint64_t *results) {
    int64_t bytes = expects ? static_cast<uint32_t>(arguments[1]) : 0;
    int64_t arrivals = counts ? static_cast<uint32_t>(arguments[1]) : arrives;
    results[0] =
        block.arriveAtMemoryBarrier(thread, arguments[0], arrivals, bytes);
  });
}

std::optional<Instruction>
mlir::norm::emulator::findMemoryBarrierInstruction(llvm::StringRef name) {
  bool isScoped;
  if (!name.starts_with("mbarrier.") || !consumeScope(name, isScoped))
    return std::nullopt;
  if (name == "mbarrier.init")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *arguments, uint64_t *) {
      block.initMemoryBarrier(thread, arguments[0],
                              static_cast<uint32_t>(arguments[1]));
    });
  if (name == "mbarrier.inval")
    return Instruction::thread(
        [](Block &block, Thread &thread, const uint64_t *arguments,
           uint64_t *) { block.endMemoryBarrier(thread, arguments[0]); });
  if (auto found = findArrival(name, isScoped))
    return found;
  // A state is the number of the phase.
  bool waits = name.starts_with("mbarrier.try.wait");
  if (waits || name == "mbarrier.test.wait" ||
      name == "mbarrier.test.wait.parity")
    return Instruction::thread([waits](Block &block, Thread &thread,
                                       const uint64_t *arguments,
                                       uint64_t *results) {
      results[0] = block.testMemoryBarrier(thread, arguments[0],
                                           arguments[1] & 1, waits);
    });
  return std::nullopt;
}

/// The loop that MLIR writes for `mbarrier.try_wait.parity`.
std::optional<Instruction>
mlir::norm::emulator::parseMemoryBarrierAssembly(llvm::StringRef text) {
  if (!text.contains("mbarrier.try_wait.parity.shared.b64 P1, [$0], $1") ||
      !text.contains("@P1 bra.uni DONE;") ||
      !text.contains("bra.uni     LAB_WAIT;"))
    return std::nullopt;
  Instruction wait = Instruction::thread(
      [](Block &block, Thread &thread, const uint64_t *arguments, uint64_t *) {
        block.testMemoryBarrier(thread, arguments[0], arguments[1] & 1,
                                /*waits=*/true);
      });
  wait.name = "mbarrier.try_wait.parity";
  return wait;
}
