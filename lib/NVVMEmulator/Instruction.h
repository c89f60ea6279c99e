//===- Instruction.h - What the emulator executes ---------------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_INSTRUCTION_H
#define RENORM_LIB_NVVMEMULATOR_INSTRUCTION_H

#include "Block.h"
#include "llvm/ADT/bit.h"

#include <functional>
#include <optional>

namespace mlir {
namespace norm {
namespace emulator {

/// A call of an instruction by the lanes of a warp, or of the four of a
/// warpgroup, all of which have come.
struct WarpCall {
  Block &block;
  llvm::MutableArrayRef<Thread> lanes;
  uint32_t mask;

  bool has(unsigned lane) const {
    return lane < lanes.size() && (mask >> lane & 1);
  }
};

/// An instruction with what is in its name: an `llvm.nvvm` intrinsic, or one of
/// PTX. Each argument, and each result, is 64 bits: an integer or the bits of a
/// number, zero-extended, or an address.
struct Instruction {
  /// The lanes that execute it together.
  enum class Scope {
    Thread,
    /// Those of the mask in the argument `maskArgument`.
    Mask,
    /// All of the warp, which must all be at this very instruction.
    AlignedWarp,
    /// All of the four warps, at this very instruction.
    Warpgroup,
  };

  using ThreadFunction =
      std::function<void(Block &, Thread &, const uint64_t *, uint64_t *)>;
  using WarpFunction = std::function<void(WarpCall &)>;

  static Instruction thread(ThreadFunction run) {
    return {"", Scope::Thread, 0, std::move(run), nullptr};
  }
  static Instruction masked(unsigned maskArgument, WarpFunction run) {
    return {"", Scope::Mask, maskArgument, nullptr, std::move(run)};
  }
  static Instruction aligned(WarpFunction run) {
    return {"", Scope::AlignedWarp, 0, nullptr, std::move(run)};
  }
  static Instruction warpgroup(WarpFunction run) {
    return {"", Scope::Warpgroup, 0, nullptr, std::move(run)};
  }

  std::string name;
  Scope scope;
  unsigned maskArgument;
  ThreadFunction run;
  WarpFunction runWarp;
};

/// Each finds what it has of an instruction: of `llvm.nvvm.NAME` or of PTX's
/// NAME. The dots are as in the name.
std::optional<Instruction> findSpecialRegister(llvm::StringRef name);
std::optional<Instruction> findScalarInstruction(llvm::StringRef name);
std::optional<Instruction> findWarpInstruction(llvm::StringRef name);
std::optional<Instruction> findMatrixInstruction(llvm::StringRef name);
std::optional<Instruction> findAsyncCopyInstruction(llvm::StringRef name);
std::optional<Instruction> findBarrierInstruction(llvm::StringRef name);
std::optional<Instruction> findMemoryBarrierInstruction(llvm::StringRef name);
std::optional<Instruction> findBulkCopyInstruction(llvm::StringRef name);
std::optional<Instruction> findWarpgroupInstruction(llvm::StringRef name);
/// What inline assembly with an `mbarrier` or `wgmma` in it does.
std::optional<Instruction> parseMemoryBarrierAssembly(llvm::StringRef text);
std::optional<Instruction> parseMultiplyAssembly(llvm::StringRef text);

/// What `llvm.nvvm.NAME` does, if the emulator has it.
std::optional<Instruction> findInstruction(llvm::StringRef name);

/// What inline assembly does, if the emulator has it: one instruction, whose
/// operands are the outputs and then the inputs in their order.
std::optional<Instruction> parseAssembly(llvm::StringRef text);

inline float asFloat(uint64_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
}
inline uint64_t asBits(float value) { return llvm::bit_cast<uint32_t>(value); }
inline double asDouble(uint64_t bits) { return llvm::bit_cast<double>(bits); }
inline uint64_t asBits(double value) { return llvm::bit_cast<uint64_t>(value); }

/// Conversions to and from the 16-bit types, rounded to the nearest, ties to
/// even.
float fromBF16(uint16_t bits);
uint16_t toBF16(float value);
float fromF16(uint16_t bits);
uint16_t toF16(float value);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_INSTRUCTION_H
