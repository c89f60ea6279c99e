//===- GlobalMemory.cpp - Device memory of the emulator -------------------===//

#include "renorm/NVVMEmulator/GlobalMemory.h"

#include <cstring>
#include <sys/mman.h>

using namespace mlir::norm::emulator;

/// Addresses without memory before and after an allocation, so that what runs
/// over one doesn't reach another.
static constexpr uint64_t guardBytes = uint64_t(1) << 24;
/// What `cudaMalloc` guarantees.
static constexpr uint64_t alignment = 256;
static constexpr uint64_t pageSize = 4096;

GlobalMemory::~GlobalMemory() {
  for (auto &[address, allocation] : allocations)
    if (allocation.pages)
      munmap(allocation.pages, allocation.pageBytes);
}

llvm::Expected<void *> GlobalMemory::allocate(uint64_t bytes,
                                              llvm::StringRef name) {
  // An odd multiple of the alignment is no better aligned.
  uint64_t usable = (alignment + bytes + pageSize - 1) / pageSize * pageSize;
  uint64_t pageBytes = usable + 2 * guardBytes;
  auto fail = [&] {
    return llvm::createStringError("cannot allocate " + llvm::Twine(bytes) +
                                   " bytes of global memory");
  };
  if (pageBytes < bytes)
    return fail();
  void *pages = mmap(nullptr, pageBytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return fail();
  char *start = static_cast<char *>(pages) + guardBytes;
  if (mprotect(start, usable, PROT_READ | PROT_WRITE)) {
    munmap(pages, pageBytes);
    return fail();
  }
  char *pointer = start + alignment;
  std::memset(pointer, 0xFF, bytes);
  allocations[reinterpret_cast<uint64_t>(pointer)] = {bytes, name.str(), pages,
                                                      pageBytes};
  return static_cast<void *>(pointer);
}

llvm::Error GlobalMemory::free(void *pointer) {
  auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (found == allocations.end() || !found->second.pages)
    return llvm::createStringError(
        "expected the start of an allocation to free");
  munmap(found->second.pages, found->second.pageBytes);
  allocations.erase(found);
  return llvm::Error::success();
}

void GlobalMemory::registerHost(const void *pointer, uint64_t bytes,
                                llvm::StringRef name) {
  allocations[reinterpret_cast<uint64_t>(pointer)] = {bytes, name.str(),
                                                      nullptr, 0};
}

void GlobalMemory::unregisterHost(const void *pointer) {
  auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (found != allocations.end() && !found->second.pages)
    allocations.erase(found);
}

const std::pair<const uint64_t, GlobalMemory::Allocation> *
GlobalMemory::find(uint64_t address) const {
  auto next = allocations.upper_bound(address);
  return next == allocations.begin() ? nullptr : &*std::prev(next);
}

bool GlobalMemory::contains(uint64_t address, uint64_t bytes) const {
  const auto *found = find(address);
  return found && address - found->first <= found->second.bytes &&
         bytes <= found->second.bytes - (address - found->first);
}

bool GlobalMemory::isReserved(uint64_t address, uint64_t bytes) const {
  for (const auto &[start, allocation] : allocations) {
    auto pages = reinterpret_cast<uint64_t>(allocation.pages);
    if (pages && address < pages + allocation.pageBytes &&
        pages < address + bytes)
      return true;
  }
  return false;
}

std::string GlobalMemory::describe(uint64_t address, uint64_t bytes) const {
  // What is meant is the allocation that is nearest.
  auto next = allocations.upper_bound(address);
  auto found = allocations.end();
  uint64_t distance = guardBytes;
  if (next != allocations.end() && next->first - address < distance) {
    found = next;
    distance = next->first - address;
  }
  if (next != allocations.begin()) {
    auto previous = std::prev(next);
    uint64_t end = previous->first + previous->second.bytes;
    if (address < end || address - end < distance)
      found = previous;
  }
  if (found == allocations.end())
    return "an address in no allocation";
  const auto &[start, allocation] = *found;
  int64_t offset = address - start;
  std::string name =
      allocation.name.empty() ? "" : " '" + allocation.name + "'";
  return "bytes [" + std::to_string(offset) + ", " +
         std::to_string(offset + static_cast<int64_t>(bytes)) +
         ") of the allocation" + name + " of " +
         std::to_string(allocation.bytes) + " bytes";
}
