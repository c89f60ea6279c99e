//===- SpecialRegisters.cpp - Numbers of threads, blocks and lanes --------===//

#include "Instruction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::norm::emulator;

template <typename Get>
static Instruction reads(Get get) {
  return Instruction::thread(
      [get](Block &block, Thread &thread, const uint64_t *, uint64_t *results) {
        results[0] = get(block, thread);
      });
}

static std::optional<Instruction>
readDimension(llvm::StringRef axis,
              std::function<const Dim3 &(Block &, Thread &)> get) {
  unsigned Dim3::*member = llvm::StringSwitch<unsigned Dim3::*>(axis)
                               .Case("x", &Dim3::x)
                               .Case("y", &Dim3::y)
                               .Case("z", &Dim3::z)
                               .Default(nullptr);
  if (!member)
    return std::nullopt;
  return reads([get, member](Block &block, Thread &thread) {
    return get(block, thread).*member;
  });
}

std::optional<Instruction>
mlir::norm::emulator::findSpecialRegister(llvm::StringRef name) {
  if (!name.consume_front("read.ptx.sreg."))
    return std::nullopt;
  auto [dimension, axis] = name.split('.');
  if (dimension == "tid")
    return readDimension(
        axis, [](Block &, Thread &t) -> const Dim3 & { return t.id; });
  if (dimension == "ctaid")
    return readDimension(
        axis, [](Block &b, Thread &) -> const Dim3 & { return b.id; });
  if (dimension == "ntid")
    return readDimension(axis, [](Block &b, Thread &) -> const Dim3 & {
      return b.launch.config.block;
    });
  if (dimension == "nctaid")
    return readDimension(axis, [](Block &b, Thread &) -> const Dim3 & {
      return b.launch.config.grid;
    });

  auto bit = [](Thread &t) { return uint32_t(1) << t.lane; };
  if (name == "laneid")
    return reads([](Block &, Thread &t) { return t.lane; });
  if (name == "warpid")
    return reads([](Block &, Thread &t) { return t.warp; });
  if (name == "warpsize")
    return reads([](Block &, Thread &) { return warpSize; });
  if (name == "nwarpid")
    return reads([](Block &b, Thread &) {
      return (b.launch.config.block.count() + warpSize - 1) / warpSize;
    });
  if (name == "lanemask.eq")
    return reads([bit](Block &, Thread &t) { return bit(t); });
  if (name == "lanemask.lt")
    return reads([bit](Block &, Thread &t) { return bit(t) - 1; });
  if (name == "lanemask.le")
    return reads([bit](Block &, Thread &t) { return bit(t) | (bit(t) - 1); });
  if (name == "lanemask.gt")
    return reads([bit](Block &, Thread &t) {
      return static_cast<uint32_t>(~(bit(t) | (bit(t) - 1)));
    });
  if (name == "lanemask.ge")
    return reads([bit](Block &, Thread &t) {
      return static_cast<uint32_t>(~(bit(t) - 1));
    });
  if (name == "dynamic_smem_size" || name == "dynamic.smem.size")
    return reads(
        [](Block &b, Thread &) { return b.launch.config.dynamicSharedBytes; });
  return std::nullopt;
}
