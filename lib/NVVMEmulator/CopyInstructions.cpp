//===- CopyInstructions.cpp - Asynchronous copies of sm_80 ----------------===//

#include "Instruction.h"

using namespace mlir::norm::emulator;

static std::optional<Instruction> findCopy(llvm::StringRef name) {
  // `cg` bypasses the first cache and takes 16 bytes only.
  bool bypasses = name.consume_front("cp.async.cg.shared.global.");
  if (!bypasses && !name.consume_front("cp.async.ca.shared.global."))
    return std::nullopt;
  unsigned bytes;
  if (name.consumeInteger(10, bytes))
    return std::nullopt;
  bool hasSourceBytes = name == ".s";
  bool isKnown = bytes == 16 || (!bypasses && (bytes == 4 || bytes == 8));
  if (!isKnown || (!hasSourceBytes && !name.empty()))
    return std::nullopt;
  return Instruction::thread(
      [=](Block &block, Thread &thread, const uint64_t *arguments, uint64_t *) {
        auto sourceBytes =
            hasSourceBytes ? static_cast<uint32_t>(arguments[2]) : bytes;
        if (sourceBytes > bytes)
          block.fail(thread, FaultKind::Operand,
                     "expected at most " + std::to_string(bytes) +
                         " bytes of source, but got " +
                         std::to_string(sourceBytes));
        block.startCopy(thread, {arguments[0], arguments[1], bytes, sourceBytes,
                                 thread.site});
      });
}

std::optional<Instruction>
mlir::norm::emulator::findAsyncCopyInstruction(llvm::StringRef name) {
  if (auto found = findCopy(name))
    return found;
  if (name == "cp.async.commit.group")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *,
                                  uint64_t *) { block.commitCopies(thread); });
  if (name == "cp.async.wait.group")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *arguments, uint64_t *) {
      block.waitCopies(thread, static_cast<uint32_t>(arguments[0]));
    });
  if (name == "cp.async.wait.all")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *,
                                  uint64_t *) { block.waitAllCopies(thread); });
  return std::nullopt;
}
