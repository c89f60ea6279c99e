//===- BulkCopies.cpp - Copies between global and shared memory by TMA ----===//

#include "Block.h"
#include "Instruction.h"
#include "TensorMapFields.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace mlir::norm::emulator;

static uint64_t countBytes(llvm::ArrayRef<BulkPiece> pieces) {
  uint64_t bytes = 0;
  for (const BulkPiece &piece : pieces)
    bytes += piece.bytes;
  return bytes;
}

static void copy(llvm::ArrayRef<BulkPiece> pieces) {
  for (const BulkPiece &piece : pieces) {
    auto *target = reinterpret_cast<char *>(piece.target);
    if (piece.source)
      std::memcpy(target, reinterpret_cast<const char *>(piece.source),
                  piece.bytes);
    else
      std::memset(target, 0, piece.bytes);
  }
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void Block::startBulkLoad(Thread &thread, std::vector<BulkPiece> pieces,
                          uint64_t barrier) {
  findMemoryBarrier(thread, barrier, AccessKind::Atomic);
  for (const BulkPiece &piece : pieces) {
    if (piece.source)
      access(thread, piece.source, piece.bytes, 1, AccessKind::Read,
             GlobalSpace);
    auto problem = launch.shared.checkBounds(piece.target, piece.bytes);
    if (problem)
      problem->message = "copies to " + problem->message;
    else
      problem = launch.shared.beginAsync(piece.target, piece.bytes, thread.site,
                                         observe(thread));
    if (problem)
      fail(thread, *problem);
  }
  bulkLoads.push_back(
      {std::move(pieces), barrier, thread.site, thread.index, thread.seen});
}

/// Only who waits for the phase of the mbarrier knows that the bytes are there.
void Block::landBulkLoad(size_t index) {
  BulkLoad load = std::move(bulkLoads[index]);
  bulkLoads.erase(bulkLoads.begin() + index);
  auto found = memoryBarriers.find(load.barrier);
  if (found == memoryBarriers.end()) {
    Thread &thread = threads[load.thread];
    thread.site = load.site;
    return recordFault(thread, FaultKind::AsyncCopy,
                       "the mbarrier of a bulk copy is gone before it ends",
                       {});
  }
  MemoryBarrier &barrier = found->second;
  copy(load.pieces);
  Observer observer = {barrier.clock, static_cast<uint32_t>(barrier.phase + 1),
                       load.seen->data()};
  for (const BulkPiece &piece : load.pieces)
    launch.shared.endAsync(piece.target, piece.bytes, load.site, observer);
  barrier.bytes -= countBytes(load.pieces);
  checkPhase(barrier);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void Block::startBulkStore(Thread &thread, llvm::ArrayRef<BulkPiece> pieces) {
  if (!thread.storeClock)
    thread.storeClock = takeClock(thread);
  Observer observer = observe(thread);
  // What the thread itself wrote is before the store as well.
  Clocks clocks = *thread.seen;
  clocks[thread.index] = thread.clock;
  observer.thread = *thread.storeClock;
  observer.clock = thread.storedGroups + thread.storeGroups.size() + 1;
  observer.clocks = clocks.data();
  for (const BulkPiece &piece : pieces) {
    auto problem = launch.shared.checkBounds(piece.source, piece.bytes);
    if (problem)
      problem->message = "copies from " + problem->message;
    else
      problem = launch.shared.access(piece.source, piece.bytes,
                                     AccessKind::Read, thread.site, observer);
    if (problem)
      fail(thread, *problem);
    access(thread, piece.target, piece.bytes, 1, AccessKind::Write,
           GlobalSpace);
  }
  thread.openStores.append(pieces.begin(), pieces.end());
}

void Block::commitBulkStores(Thread &thread) {
  thread.storeGroups.push_back(std::move(thread.openStores));
  thread.openStores.clear();
}

void Block::waitBulkStores(Thread &thread, uint64_t pending) {
  while (thread.storeGroups.size() > pending) {
    copy(thread.storeGroups.front());
    thread.storeGroups.pop_front();
    ++thread.storedGroups;
  }
  if (thread.storeClock)
    acquire(thread, *thread.storeClock, thread.storedGroups);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The tensor map at an address, which must be readable and aligned.
static TensorMapFields loadTensorMap(Block &block, Thread &thread,
                                     uint64_t address) {
  const LaunchState &launch = block.launch;
  std::optional<TensorMapFields> map;
  if (launch.own.contains(address, sizeof(TensorMap)) ||
      launch.memory.contains(address, sizeof(TensorMap)))
    map = readTensorMap(address);
  if (!map || address % alignof(TensorMap))
    block.fail(thread, FaultKind::Operand,
               "expected the address of a tensor map, aligned to 64 bytes");
  return *map;
}

/// The bits of an address that choose one of the 16 bytes of a row change with
/// those that choose the row.
static uint64_t swizzle(uint64_t address, unsigned swizzleBytes) {
  uint64_t mask = swizzleBytes ? swizzleBytes / 16 - 1 : 0;
  return address ^ ((address >> 7 & mask) << 4);
}

/// Calls `function(shared address, global address or 0, bytes)` for what a box
/// at `coordinates` has; the address is 0 outside of the tensor.
template <typename Function>
static void forEachPiece(const TensorMapFields &map, uint64_t shared,
                         llvm::ArrayRef<int32_t> coordinates,
                         Function function) {
  unsigned perChunk = 16 / map.elementBytes;
  uint64_t rows = 1;
  for (unsigned i = 1; i < map.rank; ++i)
    rows *= map.box[i];
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t rest = row, global = map.base;
    bool isInside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t at = coordinates[i] + int64_t(rest % map.box[i]);
      rest /= map.box[i];
      isInside &= at >= 0 && at < map.extents[i];
      global += at * map.strides[i];
    }
    for (unsigned column = 0; column < map.box[0]; column += perChunk) {
      uint64_t linear = (row * map.box[0] + column) * map.elementBytes;
      uint64_t target = swizzle(shared + linear, map.swizzleBytes);
      int64_t first = coordinates[0] + int64_t(column);
      auto exists = [&](int64_t i) { return i >= 0 && i < map.extents[0]; };
      auto getSource = [&](int64_t i) -> uint64_t {
        return isInside && exists(i) ? global + i * map.elementBytes : 0;
      };
      if (exists(first) == exists(first + perChunk - 1)) {
        function(target, getSource(first), 16);
        continue;
      }
      for (unsigned i = 0; i < perChunk; ++i)
        function(target + i * map.elementBytes, getSource(first + i),
                 map.elementBytes);
    }
  }
}

static llvm::SmallVector<int32_t> readCoordinates(const uint64_t *arguments,
                                                  unsigned rank) {
  llvm::SmallVector<int32_t> coordinates;
  for (unsigned i = 0; i < rank; ++i)
    coordinates.push_back(static_cast<int32_t>(arguments[i]));
  return coordinates;
}

static void checkTensor(Block &block, Thread &thread,
                        const TensorMapFields &map, unsigned rank,
                        uint64_t shared) {
  if (map.rank != rank)
    block.fail(thread, FaultKind::Operand,
               "expected a tensor map of " + std::to_string(rank) +
                   " dimensions, but got " + std::to_string(map.rank));
  if (shared % 128)
    block.fail(thread, FaultKind::Misaligned,
               "copies a box to or from " +
                   block.launch.shared.describeBytes(shared, 16) +
                   ", which is not aligned to 128 bytes");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Takes a number and "d" off the front.
static bool consumeRank(llvm::StringRef &name, unsigned &rank) {
  return !name.consumeInteger(10, rank) && rank >= 1 && rank <= 5 &&
         name == "d";
}

static std::optional<Instruction> findTensorLoad(llvm::StringRef name) {
  // Operands: target, mbarrier, map, coordinates, then what clusters and caches
  // need, with whether there is a mask of blocks first among the flags.
  bool isCluster = name.consume_front("g2s.tile.");
  unsigned rank;
  if ((!isCluster && !name.consume_front("g2s.cta.tile.")) ||
      !consumeRank(name, rank))
    return std::nullopt;
  return Instruction::thread(
      [=](Block &block, Thread &thread, const uint64_t *arguments, uint64_t *) {
        if (isCluster && (arguments[3 + rank + 2] & 1))
          block.fail(thread, FaultKind::Operand,
                     "the emulator has no copies to other blocks of a cluster");
        TensorMapFields map = loadTensorMap(block, thread, arguments[2]);
        checkTensor(block, thread, map, rank, arguments[0]);
        std::vector<BulkPiece> pieces;
        forEachPiece(map, arguments[0], readCoordinates(arguments + 3, rank),
                     [&](uint64_t shared, uint64_t global, uint32_t bytes) {
                       pieces.push_back({shared, global, bytes});
                     });
        block.startBulkLoad(thread, std::move(pieces), arguments[1]);
      });
}

static std::optional<Instruction> findTensorStore(llvm::StringRef name) {
  // Operands: source, map, coordinates.
  unsigned rank;
  if (!name.consume_front("s2g.tile.") || !consumeRank(name, rank))
    return std::nullopt;
  return Instruction::thread(
      [=](Block &block, Thread &thread, const uint64_t *arguments, uint64_t *) {
        TensorMapFields map = loadTensorMap(block, thread, arguments[1]);
        checkTensor(block, thread, map, rank, arguments[0]);
        std::vector<BulkPiece> pieces;
        forEachPiece(map, arguments[0], readCoordinates(arguments + 2, rank),
                     [&](uint64_t shared, uint64_t global, uint32_t bytes) {
                       if (global)
                         pieces.push_back({global, shared, bytes});
                     });
        block.startBulkStore(thread, pieces);
      });
}

static std::vector<BulkPiece> split(uint64_t target, uint64_t source,
                                    uint64_t bytes) {
  std::vector<BulkPiece> pieces;
  for (uint64_t i = 0; i < bytes; i += 16)
    pieces.push_back({target + i, source + i, 16});
  return pieces;
}

static void checkBulk(Block &block, Thread &thread, uint64_t target,
                      uint64_t source, uint64_t bytes) {
  if (target % 16 || source % 16 || bytes % 16)
    block.fail(thread, FaultKind::Misaligned,
               "a bulk copy has an address or a size that is not a multiple of "
               "16 bytes");
}

std::optional<Instruction>
mlir::norm::emulator::findBulkCopyInstruction(llvm::StringRef name) {
  if (!name.consume_front("cp.async.bulk."))
    return std::nullopt;
  if (name.starts_with("prefetch."))
    return Instruction::thread(
        [](Block &, Thread &, const uint64_t *, uint64_t *) {});
  if (name == "commit.group")
    return Instruction::thread(
        [](Block &block, Thread &thread, const uint64_t *, uint64_t *) {
          block.commitBulkStores(thread);
        });
  // That the source has been read, or that the target is written: one event.
  if (name == "wait.group" || name == "wait.group.read")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *arguments, uint64_t *) {
      block.waitBulkStores(thread, static_cast<uint32_t>(arguments[0]));
    });
  if (name == "global.to.shared.cluster" || name == "global.to.shared.cta") {
    bool isCluster = name.ends_with("cluster");
    // Target, mbarrier, source, size, mask of blocks, cache, two flags.
    return Instruction::thread([=](Block &block, Thread &thread,
                                   const uint64_t *arguments, uint64_t *) {
      if (isCluster && (arguments[6] & 1))
        block.fail(thread, FaultKind::Operand,
                   "the emulator has no copies to other blocks of a cluster");
      auto bytes = static_cast<uint32_t>(arguments[3]);
      checkBulk(block, thread, arguments[0], arguments[2], bytes);
      block.startBulkLoad(thread, split(arguments[0], arguments[2], bytes),
                          arguments[1]);
    });
  }
  if (name == "shared.cta.to.global")
    return Instruction::thread([](Block &block, Thread &thread,
                                  const uint64_t *arguments, uint64_t *) {
      auto bytes = static_cast<uint32_t>(arguments[2]);
      checkBulk(block, thread, arguments[0], arguments[1], bytes);
      block.startBulkStore(thread, split(arguments[0], arguments[1], bytes));
    });
  if (!name.consume_front("tensor."))
    return std::nullopt;
  if (auto found = findTensorLoad(name))
    return found;
  return findTensorStore(name);
}
