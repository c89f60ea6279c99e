//===- Runtime.cpp - What compiled kernels call ---------------------------===//

#include "Runtime.h"
#include "Instrument.h"

#include <cstring>

using namespace mlir::norm::emulator;

/// The running thread, at a site.
static Thread &arriveAt(uint32_t site) {
  Block &block = Block::getCurrent();
  Thread &thread = block.getRunning();
  thread.site = &block.launch.sites[site];
  return thread;
}

static char *getSharedBase() {
  return Block::getCurrent().launch.shared.getBase();
}

static void call(uint32_t site, const uint64_t *arguments, uint64_t *results) {
  Thread &thread = arriveAt(site);
  Block &block = Block::getCurrent();
  const Instruction &instruction = *thread.site->instruction;
  if (instruction.scope == Instruction::Scope::Thread)
    instruction.run(block, thread, arguments, results);
  else
    block.meetWarp(thread, instruction, arguments, results);
}

static void access(uint32_t site, uint64_t address) {
  Thread &thread = arriveAt(site);
  const Site &at = *thread.site;
  Block::getCurrent().access(thread, address, at.bytes, at.alignment, at.access,
                             at.space);
}

static void accessRange(uint32_t site, uint64_t address, uint64_t bytes) {
  Thread &thread = arriveAt(site);
  Block::getCurrent().access(thread, address, bytes, 1, thread.site->access,
                             thread.site->space);
}

static void accessLocal(uint32_t site, uint64_t address, uint64_t base,
                        uint64_t available) {
  Thread &thread = arriveAt(site);
  uint64_t bytes = thread.site->bytes, offset = address - base;
  if (offset > available || bytes > available - offset)
    Block::getCurrent().fail(
        thread, FaultKind::OutOfBounds,
        "accesses bytes [" + std::to_string(int64_t(offset)) + ", " +
            std::to_string(int64_t(offset + bytes)) +
            ") of a local variable of " + std::to_string(available) + " bytes");
}

static void useAccumulators(uint32_t site) {
  Thread &thread = arriveAt(site);
  Block::getCurrent().useAccumulators(thread);
}

static void iterate(uint32_t site) {
  Thread &thread = arriveAt(site);
  Block::getCurrent().countIteration(thread);
}

static void divide(uint32_t site, uint64_t divisor, uint64_t overflows) {
  if (divisor != 0 && !overflows)
    return;
  Block::getCurrent().fail(arriveAt(site), FaultKind::Trap,
                           divisor ? "a quotient of integers overflows"
                                   : "an integer is divided by zero");
}

static void trap(uint32_t site) {
  Block::getCurrent().fail(arriveAt(site), FaultKind::Trap,
                           "executes a trap, or what is marked unreachable");
}

static void assertFail(uint32_t site, const char *message) {
  Block::getCurrent().fail(arriveAt(site), FaultKind::Trap,
                           std::string("assertion failed: ") + message);
}

//===----------------------------------------------------------------------===//
// What LLVM's code generator calls to convert numbers
//===----------------------------------------------------------------------===//

/// A 16-bit float is returned in the low half of where a float is.
static float inLowHalf(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
}
/// Rounded once: to odd first, which keeps what is needed to round again.
static float roundToOdd(double value) {
  auto rounded = static_cast<float>(value);
  if (double(rounded) == value || rounded != rounded)
    return rounded;
  auto bits = llvm::bit_cast<uint32_t>(rounded);
  bool isAway = (value > 0) == (double(rounded) > value);
  return llvm::bit_cast<float>((isAway ? bits - 1 : bits) | 1);
}
static float truncateToBF16(float value) { return inLowHalf(toBF16(value)); }
static float truncateDoubleToBF16(double value) {
  return inLowHalf(toBF16(roundToOdd(value)));
}
static float truncateToF16(float value) { return inLowHalf(toF16(value)); }
static float truncateDoubleToF16(double value) {
  return inLowHalf(toF16(roundToOdd(value)));
}
static float extendF16(float low) {
  return fromF16(static_cast<uint16_t>(llvm::bit_cast<uint32_t>(low)));
}

void mlir::norm::emulator::forEachRuntimeFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> define) {
  auto add = [&](llvm::StringRef name, auto *function) {
    define(name, reinterpret_cast<void *>(function));
  };
  add(runtime::sharedBase, getSharedBase);
  add(runtime::call, call);
  add(runtime::access, access);
  add(runtime::accessRange, accessRange);
  add(runtime::accessLocal, accessLocal);
  add(runtime::useAccumulators, useAccumulators);
  add(runtime::iterate, iterate);
  add(runtime::divide, divide);
  add(runtime::trap, trap);
  add(runtime::assertFail, assertFail);
  add("__truncsfbf2", truncateToBF16);
  add("__truncdfbf2", truncateDoubleToBF16);
  add("__truncsfhf2", truncateToF16);
  add("__truncdfhf2", truncateDoubleToF16);
  add("__extendhfsf2", extendF16);
}
