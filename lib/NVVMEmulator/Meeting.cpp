//===- Meeting.cpp - What the threads of a block execute together ---------===//

#include "Block.h"
#include "Instruction.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void Block::order(llvm::ArrayRef<Thread *> releasing,
                  llvm::ArrayRef<Thread *> acquiring) {
  auto joined = std::make_shared<Clocks>(threads.size() + asyncClocks, 0);
  const Clocks *last = nullptr;
  auto joinThread = [&](const Thread *thread) {
    // Most threads have seen the same.
    if (thread->seen.get() == last)
      return;
    last = thread->seen.get();
    join(*joined, *last);
  };
  llvm::for_each(releasing, joinThread);
  llvm::for_each(acquiring, joinThread);
  for (Thread *thread : releasing)
    (*joined)[thread->index] = thread->clock++;
  for (Thread *thread : acquiring)
    thread->seen = joined;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

static uint32_t getFullMask(size_t lanes) {
  return lanes == warpSize ? ~uint32_t(0) : (uint32_t(1) << lanes) - 1;
}

void Block::meetWarp(Thread &thread, const Instruction &instruction,
                     const uint64_t *arguments, uint64_t *results) {
  bool isWarpgroup = instruction.scope == Instruction::Scope::Warpgroup;
  bool isMasked = instruction.scope == Instruction::Scope::Mask;
  llvm::MutableArrayRef<Thread> lanes =
      isWarpgroup ? getWarpgroup(thread) : getWarp(thread);
  uint32_t mask = ~uint32_t(0);
  if (isMasked) {
    mask = getFullMask(lanes.size()) &
           static_cast<uint32_t>(arguments[instruction.maskArgument]);
    if (!(mask >> thread.lane & 1))
      fail(thread, FaultKind::Operand,
           "lane " + std::to_string(thread.lane) +
               " is not in the mask of lanes that it names");
  } else if (lanes.size() < (isWarpgroup ? warpgroupSize : warpSize)) {
    fail(thread, FaultKind::Divergence,
         std::string("the instruction needs all lanes of a ") +
             (isWarpgroup ? "warpgroup" : "warp") + ", but this one has " +
             std::to_string(lanes.size()));
  }
  thread.arguments = arguments;
  thread.results = results;
  thread.mask = mask;
  thread.awaited = Thread::Awaited::Lanes;

  bool isLast = true;
  for (Thread &lane : lanes) {
    if (!(mask >> lane.lane & 1) || &lane == &thread)
      continue;
    if (lane.isAt(Thread::State::Done))
      fail(thread, FaultKind::LaneLeft,
           "lane " + std::to_string(lane.lane) +
               ", which is to execute the instruction, has left the kernel");
    // Where the lane waits for this warp, it must be for the same.
    if (!lane.isAt(Thread::State::Waiting) || !lane.mask) {
      isLast = false;
      continue;
    }
    bool isSame =
        lane.mask == mask && (isMasked ? lane.site->instruction->name ==
                                             thread.site->instruction->name
                                       : lane.site == thread.site);
    if (!isSame)
      fail(thread, FaultKind::Divergence,
           "lane " + std::to_string(lane.lane) +
               " of the warp executes something else",
           {{"lane " + std::to_string(lane.lane) + " waits for " +
                 describeWait(lane),
             lane.site->location}});
  }
  if (!isLast)
    return wait(thread);
  ++launch.statistics.warpInstructions;
  WarpCall call = {*this, lanes, mask};
  instruction.runWarp(call);
  for (Thread &lane : lanes)
    if (mask >> lane.lane & 1) {
      lane.mask = 0;
      wake(lane);
    }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

BarrierResult Block::meetBarrier(Thread &thread, const BarrierCall &call) {
  if (call.id >= barriers.size())
    fail(thread, FaultKind::Operand,
         "expected a barrier from 0 to 15, but got " + std::to_string(call.id));
  if (call.count && (*call.count == 0 || *call.count % warpSize != 0))
    fail(thread, FaultKind::Operand,
         "expected a multiple of 32 threads at a barrier, but got " +
             std::to_string(*call.count));
  thread.awaited = Thread::Awaited::Barrier;
  thread.barrier = call.id;
  thread.isBarrierAligned = call.isAligned;
  Barrier &barrier = barriers[call.id];
  bool isFirst = barrier.arrived.empty();
  if (!isFirst && barrier.count != call.count) {
    const Thread &other = *barrier.arrived.front();
    auto print = [](std::optional<uint64_t> count) {
      return count ? std::to_string(*count) : std::string("all");
    };
    fail(thread, FaultKind::Divergence,
         describeWait(thread) + " is for " + print(call.count) +
             " threads here, for " + print(barrier.count) + " where others are",
         {{"thread " + format(other.id) + " is at it",
           other.site ? other.site->location : SourceLocation()}});
  }
  if (llvm::is_contained(barrier.arrived, &thread))
    fail(thread, FaultKind::Divergence,
         "arrives at " + describeWait(thread) +
             " a second time before it completes");
  if (call.isAligned)
    for (Thread &lane : getWarp(thread)) {
      if (lane.isAt(Thread::State::Done))
        fail(thread, FaultKind::Divergence,
             "lane " + std::to_string(lane.lane) +
                 " of the warp has left the kernel, and won't be at " +
                 describeWait(thread));
      if (lane.isAt(Thread::State::Waiting) && lane.site != thread.site)
        fail(thread, FaultKind::Divergence,
             "lane " + std::to_string(lane.lane) +
                 " of the warp is not at the same instruction as this one",
             {{"lane " + std::to_string(lane.lane) + " waits for " +
                   describeWait(lane),
               lane.site->location}});
    }
  barrier.count = call.count;
  barrier.arrived.push_back(&thread);
  barrier.trues += call.predicate;
  if (!call.isArrival)
    barrier.waiting.push_back(&thread);
  if (!call.isArrival) {
    thread.state = Thread::State::Waiting;
    checkBarrier(barrier);
    if (thread.isAt(Thread::State::Waiting))
      wait(thread);
  } else {
    checkBarrier(barrier);
  }
  return thread.barrierResult;
}

void Block::checkBarrier(Barrier &barrier) {
  uint64_t expected = barrier.count ? *barrier.count : countLive();
  if (barrier.arrived.size() < expected)
    return;
  order(barrier.arrived, barrier.waiting);
  for (Thread *waiting : barrier.waiting)
    wake(*waiting);
  for (Thread *arrived : barrier.arrived)
    arrived->barrierResult = {barrier.trues, barrier.arrived.size()};
  barrier.arrived.clear();
  barrier.waiting.clear();
  barrier.trues = 0;
}
