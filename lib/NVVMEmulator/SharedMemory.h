//===- SharedMemory.h - Shared memory and who used it -----------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_SHAREDMEMORY_H
#define RENORM_LIB_NVVMEMULATOR_SHAREDMEMORY_H

#include "Site.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir {
namespace norm {
namespace emulator {

/// What a thread knows about the progress of the others: `clocks[i]` is the
/// last clock of thread i whose accesses are ordered before what it does now.
struct Observer {
  unsigned thread;
  uint32_t clock;
  const uint32_t *clocks;
};

/// The shared memory of a block. For every byte it knows whether it has been
/// written, whether an asynchronous copy is on its way, and which accesses a
/// later one may race with (vector clocks, Flanagan and Freund 2009, with a
/// list of accesses for 16 bytes in place of an epoch for each).
class SharedMemory {
public:
  /// Of a block on any GPU so far, a power of two; wgmma's descriptors hold the
  /// low 18 bits of addresses.
  static constexpr uint64_t capacity = 256 << 10;

  /// What is wrong with an access, the second party if there is one.
  struct Problem {
    FaultKind kind;
    std::string message;
    const Site *otherSite = nullptr;
    unsigned otherThread = 0;
    const char *otherDoes = "";
  };

  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  explicit operator bool() const { return base != nullptr; }
  char *getBase() const { return base; }
  uint64_t getAddress() const { return reinterpret_cast<uint64_t>(base); }
  /// Whether an address is in the window of shared memory, if in no variable.
  bool contains(uint64_t address) const {
    return address - getAddress() < capacity;
  }

  /// Begins a block: nothing is written yet. Offsets of `variables` ascend.
  void reset(llvm::ArrayRef<SharedVariable> variables);

  /// Checks that an access is within one variable.
  std::optional<Problem> checkBounds(uint64_t address, uint64_t bytes) const;
  /// Checks a read or write in bounds against what went before, and notes it.
  std::optional<Problem> access(uint64_t address, uint64_t bytes,
                                AccessKind kind, const Site *site,
                                const Observer &observer);

  /// Begins a write that ends at some time before `endAsync`; in between the
  /// bytes must not be touched.
  std::optional<Problem> beginAsync(uint64_t address, uint64_t bytes,
                                    const Site *site, const Observer &observer);
  void endAsync(uint64_t address, uint64_t bytes, const Site *site,
                const Observer &observer);

  /// "bytes [16, 32) of shared variable 'smem' of 8 bytes".
  std::string describeBytes(uint64_t address, uint64_t bytes) const;

private:
  struct Access {
    uint32_t clock;
    uint16_t thread;
    /// Bit i for byte i of the granule.
    uint16_t mask;
    const Site *site;
    bool isAtomic;
  };
  static constexpr unsigned granuleBytes = 16;
  struct Granule {
    uint16_t initialized = 0;
    /// Bytes that asynchronous copies are going to write, and one of these.
    uint16_t pending = 0;
    uint16_t pendingThread = 0;
    const Site *pendingSite = nullptr;
    llvm::SmallVector<Access, 2> reads, writes;
  };

  /// Calls `function(granule, mask)` for all that an access touches, until it
  /// returns a problem.
  template <typename Function>
  std::optional<Problem> forEachGranule(uint64_t address, uint64_t bytes,
                                        Function function);
  std::optional<Problem> checkPending(const Granule &granule, uint16_t mask,
                                      AccessKind kind, uint64_t address,
                                      uint64_t bytes) const;
  std::optional<Problem> checkRaces(llvm::ArrayRef<Access> others,
                                    bool areWrites, uint16_t mask,
                                    AccessKind kind, const Observer &observer,
                                    uint64_t address, uint64_t bytes) const;
  void noteWrite(Granule &granule, uint16_t mask, AccessKind kind,
                 const Site *site, const Observer &observer);

  char *base = nullptr;
  std::vector<Granule> granules;
  std::vector<SharedVariable> variables;
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_SHAREDMEMORY_H
