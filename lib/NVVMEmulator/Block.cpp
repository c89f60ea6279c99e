//===- Block.cpp - The threads of a block and their scheduler -------------===//

#include "Block.h"
#include "Instruction.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace mlir::norm::emulator;

static thread_local Block *currentBlock = nullptr;

Block &Block::getCurrent() { return *currentBlock; }

std::string mlir::norm::emulator::format(const Dim3 &dim) {
  return "(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " +
         std::to_string(dim.z) + ")";
}

void mlir::norm::emulator::join(Clocks &clocks, const Clocks &other) {
  for (auto [into, from] : llvm::zip_equal(clocks, other))
    into = std::max(into, from);
}

std::string Block::describeWait(const Thread &thread) const {
  switch (thread.awaited) {
  case Thread::Awaited::Lanes:
    return "the other lanes at " + thread.site->instruction->name;
  case Thread::Awaited::Barrier:
    return "barrier " + std::to_string(thread.barrier);
  case Thread::Awaited::Phase: {
    const MemoryBarrier &barrier = memoryBarriers.at(thread.barrier);
    return "the end of phase " + std::to_string(barrier.phase) +
           " of the mbarrier at " +
           launch.shared.describeBytes(thread.barrier, 8) +
           " (arrivals to come: " + std::to_string(barrier.arrivals) +
           ", bytes: " + std::to_string(barrier.bytes) + ")";
  }
  }
  llvm_unreachable("unknown wait");
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

namespace mlir {
namespace norm {
namespace emulator {
/// What a fiber begins with.
void runFiber() {
  Block &block = Block::getCurrent();
  block.schedulerStack = beginFiber();
  block.launch.entry(block.launch.arguments);
  block.exitThread();
}
} // namespace emulator
} // namespace norm
} // namespace mlir

Block::Block(LaunchState &launch, Dim3 id) : launch(launch), id(id) {
  const Dim3 &shape = launch.config.block;
  auto nothingSeen =
      std::make_shared<const Clocks>(shape.count() + asyncClocks, 0);
  threads.resize(shape.count());
  for (auto [index, thread] : llvm::enumerate(threads)) {
    unsigned i = index;
    thread.index = i;
    thread.warp = i / warpSize;
    thread.lane = i % warpSize;
    thread.id = {i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y};
    thread.seen = nothingSeen;
    thread.stackLow = reinterpret_cast<uint64_t>(launch.stacks.getLow(i));
    thread.stackTop = reinterpret_cast<uint64_t>(launch.stacks.getTop(i));
    thread.fiber = prepareFiber(launch.stacks.getTop(i), runFiber);
  }
  launch.shared.reset(launch.sharedVariables);
}

void Block::resume(Thread &thread) {
  ++launch.statistics.switches;
  running = &thread;
  switchFiber(&scheduler, thread.fiber,
              {reinterpret_cast<const void *>(thread.stackLow),
               thread.stackTop - thread.stackLow});
  running = nullptr;
}

void Block::yield() { switchFiber(&running->fiber, scheduler, schedulerStack); }

void Block::wait(Thread &thread) {
  thread.state = Thread::State::Waiting;
  while (thread.isAt(Thread::State::Waiting))
    yield();
}

void Block::leave() {
  yield();
  llvm_unreachable("a fiber that was left for good is resumed");
}

bool Block::run() {
  Block *outer = std::exchange(currentBlock, this);
  std::vector<Thread *> order;
  for (Thread &thread : threads)
    order.push_back(&thread);
  while (!order.empty() && !launch.fault) {
    if (launch.config.seed)
      std::shuffle(order.begin(), order.end(), launch.random);
    bool isResumed = false, isProgress = false;
    for (Thread *thread : order) {
      if (!thread->isAt(Thread::State::Ready))
        continue;
      thread->isPolling = false;
      resume(*thread);
      isResumed = true;
      isProgress |= !thread->isPolling;
      if (launch.fault)
        break;
    }
    // Late, or at any time.
    bool isTurn =
        !isProgress || (launch.config.seed && launch.random() % 4 == 0);
    if (!bulkLoads.empty() && isTurn && !launch.fault) {
      landBulkLoad(launch.config.seed ? launch.random() % bulkLoads.size() : 0);
      continue;
    }
    if (!isResumed)
      reportHang();
    llvm::erase_if(order, [](const Thread *thread) {
      return thread->isAt(Thread::State::Done);
    });
  }
  if (!launch.fault && !bulkLoads.empty()) {
    Thread &thread = threads[bulkLoads.front().thread];
    thread.site = bulkLoads.front().site;
    recordFault(thread, FaultKind::AsyncCopy,
                "the block ends while a bulk copy is on its way", {});
  }
  currentBlock = outer;
  return !launch.fault;
}

void Block::countIteration(Thread &thread) {
  if (++thread.iterations > launch.config.maxIterations)
    fail(thread, FaultKind::Hang,
         "a loop goes on after " + std::to_string(launch.config.maxIterations) +
             " iterations");
  // The loop may wait for another thread.
  bool isTurn = launch.config.seed ? launch.random() % 16 == 0
                                   : thread.iterations % 64 == 0;
  if (isTurn)
    yield();
}

void Block::exitThread() {
  Thread &thread = *running;
  checkExit(thread);
  if (!thread.openStores.empty() || !thread.storeGroups.empty())
    fail(thread, FaultKind::AsyncCopy,
         "leaves the kernel, while its bulk stores still read shared memory");
  thread.state = Thread::State::Done;
  for (Barrier &barrier : barriers)
    if (!barrier.waiting.empty())
      checkBarrier(barrier);
  leave();
}

/// Those of its warp that wait for a thread which leaves will wait forever, or,
/// at a barrier, go on as the hardware pleases.
void Block::checkExit(Thread &thread) {
  for (Thread &other : getWarp(thread)) {
    if (!other.isAt(Thread::State::Waiting))
      continue;
    if (other.awaited == Thread::Awaited::Barrier && other.isBarrierAligned)
      fail(other, FaultKind::Divergence,
           "lane " + std::to_string(thread.lane) +
               " of the warp has left the kernel, and won't be at " +
               describeWait(other));
    if (other.mask >> thread.lane & 1)
      fail(other, FaultKind::LaneLeft,
           "lane " + std::to_string(thread.lane) +
               ", which is to execute the instruction, has left the kernel");
  }
}

llvm::MutableArrayRef<Thread> Block::getWarpgroup(const Thread &thread) {
  size_t first = thread.index / warpgroupSize * warpgroupSize;
  return llvm::MutableArrayRef<Thread>(threads).slice(
      first, std::min<size_t>(warpgroupSize, threads.size() - first));
}

uint64_t Block::countLive() const {
  return llvm::count_if(threads, [](const Thread &thread) {
    return !thread.isAt(Thread::State::Done);
  });
}

llvm::MutableArrayRef<Thread> Block::getWarp(const Thread &thread) {
  size_t first = thread.warp * warpSize;
  return llvm::MutableArrayRef<Thread>(threads).slice(
      first, std::min<size_t>(warpSize, threads.size() - first));
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

void Block::recordFault(const Thread &thread, FaultKind kind,
                        std::string message, std::vector<Fault::Note> notes) {
  if (launch.fault)
    return;
  Fault fault = {
      kind, std::move(message), launch.kernel.str(), id, thread.id, {}, {}, {}};
  if (thread.site) {
    fault.location = thread.site->location;
    fault.instruction = thread.site->text;
  }
  fault.notes = std::move(notes);
  launch.fault = std::move(fault);
}

void Block::fail(const Thread &thread, FaultKind kind, std::string message,
                 std::vector<Fault::Note> notes) {
  recordFault(thread, kind, std::move(message), std::move(notes));
  // What the frames of the fiber own is lost, so the arguments were moved.
  leave();
}

void Block::fail(const Thread &thread, SharedMemory::Problem &problem) {
  std::vector<Fault::Note> notes;
  if (problem.otherSite) {
    bool isThread = problem.otherThread < threads.size();
    notes.push_back(
        {(isThread ? "thread " + format(threads[problem.otherThread].id)
                   : "an asynchronous operation") +
             problem.otherDoes,
         problem.otherSite->location});
  }
  recordFault(thread, problem.kind, std::move(problem.message),
              std::move(notes));
  leave();
}

void Block::reportHang() {
  // One line for all that wait at the same place.
  std::map<std::pair<const Site *, std::string>,
           llvm::SmallVector<const Thread *>>
      groups;
  for (const Thread &thread : threads)
    if (thread.isAt(Thread::State::Waiting))
      groups[{thread.site, describeWait(thread)}].push_back(&thread);
  std::vector<Fault::Note> notes;
  for (const auto &[place, members] : groups) {
    std::string text = std::to_string(members.size()) +
                       (members.size() == 1 ? " thread, " : " threads, ") +
                       (members.size() == 1 ? "" : "the first ") +
                       format(members.front()->id) +
                       (members.size() == 1 ? ", waits" : ", wait") + " for " +
                       place.second;
    notes.push_back({std::move(text),
                     place.first ? place.first->location : SourceLocation()});
  }
  if (uint64_t done = threads.size() - countLive())
    notes.push_back(
        {std::to_string(done) +
             (done == 1 ? " thread has left" : " threads have left") +
             " the kernel",
         {}});
  recordFault(*groups.begin()->second.front(), FaultKind::Hang,
              "no thread can go on", std::move(notes));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Block::access(Thread &thread, uint64_t address, uint64_t bytes,
                   uint64_t alignment, AccessKind kind, AddressSpace space) {
  llvm::StringRef verb = kind == AccessKind::Read ? "reads " : "writes ";
  if (bytes == 0)
    return;
  bool isShared = space == SharedSpace || space == SharedClusterSpace ||
                  (space == GenericSpace && launch.shared.contains(address));
  auto describe = [&] {
    return isShared ? launch.shared.describeBytes(address, bytes)
                    : launch.memory.describe(address, bytes);
  };
  auto checkAlignment = [&] {
    if (address % alignment)
      fail(thread, FaultKind::Misaligned,
           verb.str() + describe() + ", which is not aligned to " +
               std::to_string(alignment) + " bytes");
  };
  if (isShared) {
    if (auto problem = launch.shared.checkBounds(address, bytes)) {
      problem->message = verb.str() + problem->message;
      fail(thread, *problem);
    }
    checkAlignment();
    if (auto problem = launch.shared.access(address, bytes, kind, thread.site,
                                            observe(thread)))
      fail(thread, *problem);
    return;
  }
  if ((space == GenericSpace || space == LocalSpace) &&
      address >= thread.stackLow && address + bytes <= thread.stackTop)
    return;
  bool isRecent = llvm::any_of(recent, [&](const Range &range) {
    return address >= range.low && address + bytes <= range.high &&
           address + bytes > address;
  });
  if (!isRecent) {
    const GlobalMemory *owner = nullptr;
    for (const GlobalMemory *memory : {&launch.memory, &launch.own})
      if (memory->contains(address, bytes))
        owner = memory;
    if (!owner)
      fail(thread, FaultKind::OutOfBounds, verb.str() + describe());
    const auto *found = owner->find(address);
    recent[nextRecent++ % recent.size()] = {found->first,
                                            found->first + found->second.bytes};
  }
  checkAlignment();
  if (kind != AccessKind::Read && copiesInFlight)
    checkSource(thread, address, bytes);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

static bool overlaps(uint64_t a, uint64_t aBytes, uint64_t b, uint64_t bBytes) {
  return a < b + bBytes && b < a + aBytes;
}

/// A copy may read its source at any time before it is waited for.
void Block::checkSource(Thread &thread, uint64_t address, uint64_t bytes) {
  if (!overlaps(address, bytes, sourceLow, sourceHigh - sourceLow))
    return;
  auto check = [&](const Thread &copying, const AsyncCopy &copy) {
    if (!overlaps(address, bytes, copy.source, copy.sourceBytes))
      return;
    std::vector<Fault::Note> notes = {
        {"thread " + format(copying.id) + " copies", copy.site->location}};
    fail(thread, FaultKind::AsyncCopy,
         "writes " + launch.memory.describe(address, bytes) +
             ", from which an asynchronous copy is unfinished",
         std::move(notes));
  };
  for (const Thread &copying : threads) {
    for (const auto &group : copying.copyGroups)
      for (const AsyncCopy &copy : group)
        check(copying, copy);
    for (const AsyncCopy &copy : copying.openCopies)
      check(copying, copy);
  }
}

void Block::startCopy(Thread &thread, const AsyncCopy &copy) {
  if (copy.sourceBytes)
    access(thread, copy.source, copy.sourceBytes, 1, AccessKind::Read,
           GlobalSpace);
  for (uint64_t address : {copy.target, copy.source})
    if (address % copy.bytes)
      fail(thread, FaultKind::Misaligned,
           (address == copy.target
                ? "copies to " +
                      launch.shared.describeBytes(copy.target, copy.bytes)
                : "copies from " +
                      launch.memory.describe(copy.source, copy.sourceBytes)) +
               ", which is not aligned to " + std::to_string(copy.bytes) +
               " bytes");
  auto problem = launch.shared.checkBounds(copy.target, copy.bytes);
  if (problem)
    problem->message = "copies to " + problem->message;
  else
    problem = launch.shared.beginAsync(copy.target, copy.bytes, copy.site,
                                       observe(thread));
  if (problem)
    fail(thread, *problem);
  if (copy.sourceBytes) {
    uint64_t high = copy.source + copy.sourceBytes;
    sourceLow = copiesInFlight ? std::min(sourceLow, copy.source) : copy.source;
    sourceHigh = copiesInFlight ? std::max(sourceHigh, high) : high;
  }
  ++copiesInFlight;
  thread.openCopies.push_back(copy);
}

void Block::commitCopies(Thread &thread) {
  thread.copyGroups.push_back(std::move(thread.openCopies));
  thread.openCopies.clear();
}

void Block::landCopies(Thread &thread,
                       llvm::SmallVectorImpl<AsyncCopy> &copies) {
  for (const AsyncCopy &copy : copies) {
    auto *target = reinterpret_cast<char *>(copy.target);
    std::memcpy(target, reinterpret_cast<const char *>(copy.source),
                copy.sourceBytes);
    std::memset(target + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
    launch.shared.endAsync(copy.target, copy.bytes, copy.site, observe(thread));
  }
  copiesInFlight -= copies.size();
  copies.clear();
}

void Block::waitCopies(Thread &thread, uint64_t pending) {
  while (thread.copyGroups.size() > pending) {
    landCopies(thread, thread.copyGroups.front());
    thread.copyGroups.pop_front();
  }
}

void Block::waitAllCopies(Thread &thread) {
  waitCopies(thread, 0);
  landCopies(thread, thread.openCopies);
}
