//===- SharedMemory.cpp - Shared memory and who used it -------------------===//

#include "SharedMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>
#include <sys/mman.h>

using namespace mlir::norm::emulator;
using Problem = SharedMemory::Problem;

SharedMemory::SharedMemory() {
  // Programs keep addresses of shared memory in 32 bits, so they have to be
  // small: look for a free place from the bottom.
  for (uint64_t hint = uint64_t(1) << 28; hint < uint64_t(1) << 32;
       hint += uint64_t(1) << 24) {
    void *wanted = reinterpret_cast<void *>(hint);
    void *mapped = mmap(wanted, capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == wanted) {
      base = static_cast<char *>(mapped);
      return;
    }
    if (mapped != MAP_FAILED)
      munmap(mapped, capacity);
  }
}

SharedMemory::~SharedMemory() {
  if (base)
    munmap(base, capacity);
}

void SharedMemory::reset(llvm::ArrayRef<SharedVariable> newVariables) {
  variables = newVariables.vec();
  uint64_t used =
      variables.empty() ? 0 : variables.back().offset + variables.back().bytes;
  granules.clear();
  granules.resize((used + granuleBytes - 1) / granuleBytes);
  std::memset(base, 0xFF, used);
}

/// The variable that starts at or next before an offset, or the first.
static const SharedVariable &
findVariable(llvm::ArrayRef<SharedVariable> variables, uint64_t offset) {
  const auto *next = llvm::upper_bound(
      variables, offset, [](uint64_t value, const SharedVariable &variable) {
        return value < variable.offset;
      });
  return next == variables.begin() ? *next : *std::prev(next);
}

std::string SharedMemory::describeBytes(uint64_t address,
                                        uint64_t bytes) const {
  if (!contains(address) || variables.empty())
    return "an address outside of shared memory";
  uint64_t offset = address - getAddress();
  const SharedVariable &variable = findVariable(variables, offset);
  int64_t begin = offset - variable.offset;
  return ("bytes [" + llvm::Twine(begin) + ", " + llvm::Twine(begin + bytes) +
          ") of shared variable '" + variable.name + "' of " +
          llvm::Twine(variable.bytes) + " bytes")
      .str();
}

std::optional<Problem> SharedMemory::checkBounds(uint64_t address,
                                                 uint64_t bytes) const {
  if (contains(address) && !variables.empty()) {
    uint64_t offset = address - getAddress();
    const SharedVariable &variable = findVariable(variables, offset);
    if (offset >= variable.offset &&
        offset + bytes <= variable.offset + variable.bytes)
      return std::nullopt;
  }
  return Problem{FaultKind::OutOfBounds, describeBytes(address, bytes)};
}

template <typename Function>
std::optional<Problem> SharedMemory::forEachGranule(uint64_t address,
                                                    uint64_t bytes,
                                                    Function function) {
  uint64_t begin = address - getAddress(), end = begin + bytes;
  while (begin < end) {
    uint64_t first = begin % granuleBytes;
    uint64_t last = std::min<uint64_t>(granuleBytes, first + end - begin);
    auto mask = static_cast<uint16_t>((1u << last) - (1u << first));
    if (auto problem = function(granules[begin / granuleBytes], mask))
      return problem;
    begin += last - first;
  }
  return std::nullopt;
}

std::optional<Problem> SharedMemory::checkPending(const Granule &granule,
                                                  uint16_t mask,
                                                  AccessKind kind,
                                                  uint64_t address,
                                                  uint64_t bytes) const {
  if (!(granule.pending & mask))
    return std::nullopt;
  llvm::StringRef verb = kind == AccessKind::Read ? "reads " : "writes ";
  return Problem{FaultKind::AsyncCopy,
                 verb.str() + describeBytes(address, bytes) +
                     ", into which an asynchronous copy is unfinished",
                 granule.pendingSite, granule.pendingThread, " copies"};
}

std::optional<Problem> SharedMemory::checkRaces(llvm::ArrayRef<Access> others,
                                                bool areWrites, uint16_t mask,
                                                AccessKind kind,
                                                const Observer &observer,
                                                uint64_t address,
                                                uint64_t bytes) const {
  for (const Access &other : others) {
    if (!(other.mask & mask) || other.thread == observer.thread ||
        other.clock <= observer.clocks[other.thread] ||
        (other.isAtomic && kind == AccessKind::Atomic))
      continue;
    llvm::StringRef verb = kind == AccessKind::Read ? "reads " : "writes ";
    return Problem{FaultKind::Race, verb.str() + describeBytes(address, bytes),
                   other.site, other.thread,
                   areWrites ? " writes the same without a barrier between"
                             : " reads the same without a barrier between"};
  }
  return std::nullopt;
}

void SharedMemory::noteWrite(Granule &granule, uint16_t mask, AccessKind kind,
                             const Site *site, const Observer &observer) {
  // Whatever races with an access before this one and is ordered after this one
  // doesn't exist: all of them are ordered before it, atomic ones excepted.
  auto forget = [&](llvm::SmallVectorImpl<Access> &accesses) {
    llvm::erase_if(accesses, [&](Access &access) {
      if (access.thread == observer.thread ||
          access.clock <= observer.clocks[access.thread])
        access.mask &= ~mask;
      return access.mask == 0;
    });
  };
  forget(granule.reads);
  forget(granule.writes);
  granule.initialized |= mask;
  granule.writes.push_back({observer.clock,
                            static_cast<uint16_t>(observer.thread), mask, site,
                            kind == AccessKind::Atomic});
}

std::optional<Problem> SharedMemory::access(uint64_t address, uint64_t bytes,
                                            AccessKind kind, const Site *site,
                                            const Observer &observer) {
  return forEachGranule(
      address, bytes,
      [&](Granule &granule, uint16_t mask) -> std::optional<Problem> {
        if (auto problem = checkPending(granule, mask, kind, address, bytes))
          return problem;
        if (kind != AccessKind::Write && (granule.initialized & mask) != mask)
          return Problem{FaultKind::Uninitialized,
                         "reads " + describeBytes(address, bytes) +
                             ", which nothing has written"};
        if (auto problem = checkRaces(granule.writes, /*areWrites=*/true, mask,
                                      kind, observer, address, bytes))
          return problem;
        if (kind != AccessKind::Read) {
          if (auto problem = checkRaces(granule.reads, /*areWrites=*/false,
                                        mask, kind, observer, address, bytes))
            return problem;
          noteWrite(granule, mask, kind, site, observer);
          return std::nullopt;
        }
        // A read before this one that is ordered before it says nothing more.
        llvm::erase_if(granule.reads, [&](const Access &access) {
          return (access.mask & ~mask) == 0 &&
                 (access.thread == observer.thread ||
                  access.clock <= observer.clocks[access.thread]);
        });
        granule.reads.push_back({observer.clock,
                                 static_cast<uint16_t>(observer.thread), mask,
                                 site, /*isAtomic=*/false});
        return std::nullopt;
      });
}

std::optional<Problem> SharedMemory::beginAsync(uint64_t address,
                                                uint64_t bytes,
                                                const Site *site,
                                                const Observer &observer) {
  return forEachGranule(
      address, bytes,
      [&](Granule &granule, uint16_t mask) -> std::optional<Problem> {
        constexpr AccessKind kind = AccessKind::Write;
        if (auto problem = checkPending(granule, mask, kind, address, bytes))
          return problem;
        if (auto problem = checkRaces(granule.writes, /*areWrites=*/true, mask,
                                      kind, observer, address, bytes))
          return problem;
        if (auto problem = checkRaces(granule.reads, /*areWrites=*/false, mask,
                                      kind, observer, address, bytes))
          return problem;
        granule.pending |= mask;
        granule.pendingThread = observer.thread;
        granule.pendingSite = site;
        return std::nullopt;
      });
}

void SharedMemory::endAsync(uint64_t address, uint64_t bytes, const Site *site,
                            const Observer &observer) {
  (void)forEachGranule(
      address, bytes,
      [&](Granule &granule, uint16_t mask) -> std::optional<Problem> {
        granule.pending &= ~mask;
        noteWrite(granule, mask, AccessKind::Write, site, observer);
        return std::nullopt;
      });
}
