//===- Site.h - An instruction that the emulator is called for --*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_SITE_H
#define RENORM_LIB_NVVMEMULATOR_SITE_H

#include "renorm/NVVMEmulator/Emulator.h"

namespace mlir {
namespace norm {
namespace emulator {

struct Instruction;

enum class AccessKind { Read, Write, Atomic };

/// NVPTX's address spaces.
enum AddressSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  LocalSpace = 5,
  SharedClusterSpace = 7,
};

/// One instruction of a program, as the compiled code names it to the runtime.
struct Site {
  SourceLocation location;
  /// As LLVM IR.
  std::string text;
  /// Of a call.
  const Instruction *instruction = nullptr;
  /// Of an access; those of a range of memory have their bytes at run time.
  AccessKind access = AccessKind::Read;
  uint32_t bytes = 0, alignment = 1;
  AddressSpace space = GenericSpace;
  /// Of a use of accumulators: the numbers of the sites that they may be from.
  std::vector<uint32_t> multiplies;
};

/// A variable in shared memory. The external one of no length has its size from
/// the launch.
struct SharedVariable {
  std::string name;
  uint64_t offset, bytes, alignment;
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_SITE_H
