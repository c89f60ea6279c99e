//===- GlobalMemory.h - Device memory of the emulator -----------*- C++ -*-===//

#ifndef RENORM_NVVMEMULATOR_GLOBALMEMORY_H
#define RENORM_NVVMEMULATOR_GLOBALMEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>

namespace mlir {
namespace norm {
namespace emulator {

/// The memory that kernels may access, which is also the host's: an address is
/// the same for both. Everything else is out of bounds.
class GlobalMemory {
public:
  struct Allocation {
    uint64_t bytes;
    /// For messages; may be empty.
    std::string name;
    /// The pages of an allocation of our own, none for registered memory.
    void *pages;
    uint64_t pageBytes;
  };

  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;
  ~GlobalMemory();

  /// Allocates `bytes`, aligned to 256 and no better, far from everything else,
  /// and filled with 0xFF: NaN in every floating-point type. Fails if the
  /// system has no memory left.
  llvm::Expected<void *> allocate(uint64_t bytes, llvm::StringRef name = {});
  /// Fails unless `pointer` is what `allocate` returned.
  llvm::Error free(void *pointer);

  /// Lets kernels access memory of the host.
  void registerHost(const void *pointer, uint64_t bytes,
                    llvm::StringRef name = {});
  void unregisterHost(const void *pointer);

  /// The allocation that starts at or next before `address`, with where it
  /// starts; null if there is none.
  const std::pair<const uint64_t, Allocation> *find(uint64_t address) const;
  bool contains(uint64_t address, uint64_t bytes) const;
  /// Whether any of these addresses is in, or next to, memory of our own.
  bool isReserved(uint64_t address, uint64_t bytes) const;
  /// "bytes [60, 68) of the allocation 'x' of 64 bytes": the nearest one.
  std::string describe(uint64_t address, uint64_t bytes) const;

private:
  std::map<uint64_t, Allocation> allocations;
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_NVVMEMULATOR_GLOBALMEMORY_H
