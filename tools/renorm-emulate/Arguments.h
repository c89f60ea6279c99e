//===- Arguments.h - Arguments of a kernel from the command line *- C++ -*-===//

#ifndef RENORM_TOOLS_EMULATE_ARGUMENTS_H
#define RENORM_TOOLS_EMULATE_ARGUMENTS_H

#include "renorm/NVVMEmulator/GlobalMemory.h"
#include "renorm/NVVMEmulator/TensorMap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir {
namespace norm {
namespace emulator {

/// One number, an array of numbers in global memory, or a map of such an array
/// for TMA.
class Argument {
public:
  /// Reads "i32:7", "f32[16]", "bf16[4x8]:iota", "f32[16]:0.5" or
  /// "f32[16]@FILE", "map:BOX:SWIZZLE:ARRAY".
  static llvm::Expected<Argument> parse(llvm::StringRef text);

  /// Gives an array memory and its first contents.
  llvm::Error allocate(GlobalMemory &memory, llvm::StringRef name);
  /// The value that the kernel gets: a number, an address or a map.
  const void *getValue() const {
    return isMapped() ? static_cast<const void *>(&map) : &word;
  }

  bool isArray() const { return hasExtent; }
  /// The contents of an array.
  llvm::StringRef getBytes() const;
  void print(llvm::raw_ostream &os) const;

private:
  struct Type {
    llvm::StringRef name;
    unsigned bytes;
  };
  static const Type types[];

  static llvm::Expected<Argument> parseMap(llvm::StringRef text);
  bool isMapped() const { return !box.empty(); }
  llvm::Error encodeMap();
  /// The bits of a number as it is written.
  llvm::Expected<uint64_t> encode(llvm::StringRef number) const;
  std::string decode(uint64_t bits) const;

  const Type *type = nullptr;
  bool hasExtent = false;
  uint64_t count = 1;
  llvm::SmallVector<uint64_t> extents;
  /// What stands after ':' or '@'.
  std::string contents;
  bool isFile = false;
  uint64_t word = 0;

  /// Of a tensor map; empty without.
  llvm::SmallVector<uint32_t> box;
  unsigned swizzleBytes = 0;
  TensorMap map = {};
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_TOOLS_EMULATE_ARGUMENTS_H
