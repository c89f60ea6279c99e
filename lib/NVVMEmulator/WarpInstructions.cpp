//===- WarpInstructions.cpp - Shuffles, votes and reductions --------------===//

#include "Instruction.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
enum class ShuffleMode { Up, Down, Butterfly, Index };
} // namespace

/// Operands: mask, value, distance or lane, and the clamp with, in bits 8 to
/// 12, the mask of the segment. The second result is whether the source is in
/// range.
static void shuffle(WarpCall &call, ShuffleMode mode) {
  for (Thread &lane : call.lanes) {
    if (!call.has(lane.lane))
      continue;
    int self = lane.lane;
    int operand = lane.arguments[2] & 31, clamp = lane.arguments[3] & 31;
    int segment = lane.arguments[3] >> 8 & 31;
    int lowest = self & segment;
    int limit = lowest | (clamp & ~segment);
    int source = 0;
    bool isInRange = false;
    switch (mode) {
    case ShuffleMode::Up:
      source = self - operand;
      isInRange = source >= limit;
      break;
    case ShuffleMode::Down:
      source = self + operand;
      isInRange = source <= limit;
      break;
    case ShuffleMode::Butterfly:
      source = self ^ operand;
      isInRange = source <= limit;
      break;
    case ShuffleMode::Index:
      source = lowest | (operand & ~segment);
      isInRange = source <= limit;
      break;
    }
    if (!isInRange)
      source = self;
    if (!call.has(source))
      call.block.fail(lane, FaultKind::LaneLeft,
                      "reads from lane " + std::to_string(source) +
                          ", which doesn't execute the shuffle");
    lane.results[0] = call.lanes[source].arguments[1];
    lane.results[1] = isInRange;
  }
}

static std::optional<Instruction> findShuffle(llvm::StringRef name) {
  if (!name.consume_front("shfl.sync."))
    return std::nullopt;
  auto [modeName, type] = name.split('.');
  if (type != "i32" && type != "f32" && type != "i32p" && type != "f32p")
    return std::nullopt;
  auto mode = llvm::StringSwitch<std::optional<ShuffleMode>>(modeName)
                  .Case("up", ShuffleMode::Up)
                  .Case("down", ShuffleMode::Down)
                  .Case("bfly", ShuffleMode::Butterfly)
                  .Case("idx", ShuffleMode::Index)
                  .Default(std::nullopt);
  if (!mode)
    return std::nullopt;
  return Instruction::masked(
      0, [mode = *mode](WarpCall &call) { shuffle(call, mode); });
}

//===----------------------------------------------------------------------===//
// Votes and matches
//===----------------------------------------------------------------------===//

/// Calls `function` for each lane that takes part.
template <typename Function>
static void forEachLane(WarpCall &call, Function function) {
  for (Thread &lane : call.lanes)
    if (call.has(lane.lane))
      function(lane);
}

static std::optional<Instruction> findVote(llvm::StringRef name) {
  enum class Vote { All, Any, Uniform, Ballot };
  auto vote = llvm::StringSwitch<std::optional<Vote>>(name)
                  .Case("vote.all.sync", Vote::All)
                  .Case("vote.any.sync", Vote::Any)
                  .Case("vote.uni.sync", Vote::Uniform)
                  .Case("vote.ballot.sync", Vote::Ballot)
                  .Default(std::nullopt);
  if (!vote)
    return std::nullopt;
  return Instruction::masked(0, [vote = *vote](WarpCall &call) {
    uint32_t trues = 0;
    forEachLane(call, [&](Thread &lane) {
      trues |= uint32_t(lane.arguments[1] & 1) << lane.lane;
    });
    bool isAll = trues == call.mask;
    uint64_t result = vote == Vote::Ballot ? trues
                      : vote == Vote::All  ? isAll
                      : vote == Vote::Any  ? trues != 0
                                           : isAll || trues == 0;
    forEachLane(call, [&](Thread &lane) { lane.results[0] = result; });
  });
}

static std::optional<Instruction> findMatch(llvm::StringRef name) {
  if (name == "match.any.sync.i32" || name == "match.any.sync.i64")
    return Instruction::masked(0, [](WarpCall &call) {
      forEachLane(call, [&](Thread &lane) {
        uint32_t equal = 0;
        forEachLane(call, [&](Thread &other) {
          if (other.arguments[1] == lane.arguments[1])
            equal |= uint32_t(1) << other.lane;
        });
        lane.results[0] = equal;
      });
    });
  if (name == "match.all.sync.i32p" || name == "match.all.sync.i64p")
    return Instruction::masked(0, [](WarpCall &call) {
      const Thread &first = call.lanes[llvm::countr_zero(call.mask)];
      bool isAll = true;
      forEachLane(call, [&](Thread &lane) {
        isAll &= lane.arguments[1] == first.arguments[1];
      });
      forEachLane(call, [&](Thread &lane) {
        lane.results[0] = isAll ? call.mask : 0;
        lane.results[1] = isAll;
      });
    });
  if (name == "elect.sync")
    return Instruction::masked(0, [](WarpCall &call) {
      unsigned leader = llvm::countr_zero(call.mask);
      forEachLane(call, [&](Thread &lane) {
        lane.results[0] = leader;
        lane.results[1] = lane.lane == leader;
      });
    });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static std::optional<Instruction> findReduction(llvm::StringRef name) {
  if (!name.consume_front("redux.sync."))
    return std::nullopt;
  using Combine = uint32_t (*)(uint32_t, uint32_t);
  auto combine =
      llvm::StringSwitch<Combine>(name)
          .Case("add", [](uint32_t a, uint32_t b) { return a + b; })
          .Case("and", [](uint32_t a, uint32_t b) { return a & b; })
          .Case("or", [](uint32_t a, uint32_t b) { return a | b; })
          .Case("xor", [](uint32_t a, uint32_t b) { return a ^ b; })
          .Case("umin", [](uint32_t a, uint32_t b) { return std::min(a, b); })
          .Case("umax", [](uint32_t a, uint32_t b) { return std::max(a, b); })
          .Case("min",
                [](uint32_t a, uint32_t b) {
                  return uint32_t(std::min(int32_t(a), int32_t(b)));
                })
          .Case("max",
                [](uint32_t a, uint32_t b) {
                  return uint32_t(std::max(int32_t(a), int32_t(b)));
                })
          .Default(nullptr);
  if (!combine)
    return std::nullopt;
  // Operands: value, mask.
  return Instruction::masked(1, [combine](WarpCall &call) {
    std::optional<uint32_t> result;
    forEachLane(call, [&](Thread &lane) {
      auto value = static_cast<uint32_t>(lane.arguments[0]);
      result = result ? combine(*result, value) : value;
    });
    forEachLane(call, [&](Thread &lane) { lane.results[0] = *result; });
  });
}

std::optional<Instruction>
mlir::norm::emulator::findWarpInstruction(llvm::StringRef name) {
  for (auto find : {findShuffle, findVote, findMatch, findReduction})
    if (auto found = find(name))
      return found;
  // Unlike the others it also orders memory.
  if (name == "bar.warp.sync")
    return Instruction::masked(0, [](WarpCall &call) {
      llvm::SmallVector<Thread *> lanes;
      forEachLane(call, [&](Thread &lane) { lanes.push_back(&lane); });
      call.block.order(lanes, lanes);
    });
  return std::nullopt;
}
