//===- BarrierInstructions.cpp - Barriers, fences, the end of a thread ----===//

#include "Instruction.h"

using namespace mlir::norm::emulator;

/// `barrier.cta.{sync,arrive,red.OP}[.aligned].{all,count}`.
static std::optional<Instruction> findBarrier(llvm::StringRef name) {
  if (!name.consume_front("barrier.cta."))
    return std::nullopt;
  enum class Kind { Sync, Arrive, And, Or, Count } kind;
  if (name.consume_front("sync."))
    kind = Kind::Sync;
  else if (name.consume_front("arrive."))
    kind = Kind::Arrive;
  else if (name.consume_front("red.and."))
    kind = Kind::And;
  else if (name.consume_front("red.or."))
    kind = Kind::Or;
  else if (name.consume_front("red.popc."))
    kind = Kind::Count;
  else
    return std::nullopt;
  bool isAligned = name.consume_front("aligned.");
  bool hasCount = name == "count";
  if (!hasCount && name != "all")
    return std::nullopt;
  bool reduces = kind != Kind::Sync && kind != Kind::Arrive;
  return Instruction::thread([=](Block &block, Thread &thread,
                                 const uint64_t *arguments, uint64_t *results) {
    Block::BarrierCall call = {};
    call.id = static_cast<uint32_t>(arguments[0]);
    if (hasCount)
      call.count = static_cast<uint32_t>(arguments[1]);
    call.isAligned = isAligned;
    call.isArrival = kind == Kind::Arrive;
    call.predicate = reduces && (arguments[hasCount ? 2 : 1] & 1);
    BarrierResult result = block.meetBarrier(thread, call);
    if (kind == Kind::And)
      results[0] = result.trues == result.threads;
    else if (kind == Kind::Or)
      results[0] = result.trues != 0;
    else if (kind == Kind::Count)
      results[0] = result.trues;
  });
}

/// What has no effect where all accesses are sequentially consistent and
/// nothing takes time.
static bool isWithoutEffect(llvm::StringRef name) {
  for (llvm::StringRef prefix :
       {"membar.", "fence.", "prefetch", "griddepcontrol.", "discard.",
        "applypriority.", "setmaxnreg.", "wgmma.fence."})
    if (name.starts_with(prefix))
      return true;
  return false;
}

std::optional<Instruction>
mlir::norm::emulator::findBarrierInstruction(llvm::StringRef name) {
  if (auto found = findBarrier(name))
    return found;
  if (isWithoutEffect(name))
    return Instruction::thread(
        [](Block &, Thread &, const uint64_t *, uint64_t *) {});
  if (name == "nanosleep")
    return Instruction::thread([](Block &block, Thread &, const uint64_t *,
                                  uint64_t *) { block.yield(); });
  if (name == "exit")
    return Instruction::thread([](Block &block, Thread &, const uint64_t *,
                                  uint64_t *) { block.exitThread(); });
  return std::nullopt;
}

std::optional<Instruction>
mlir::norm::emulator::findInstruction(llvm::StringRef name) {
  for (auto find :
       {findSpecialRegister, findBarrierInstruction, findWarpInstruction,
        findMatrixInstruction, findAsyncCopyInstruction,
        findMemoryBarrierInstruction, findBulkCopyInstruction,
        findWarpgroupInstruction, findScalarInstruction})
    if (auto found = find(name)) {
      found->name = name.str();
      return found;
    }
  return std::nullopt;
}
