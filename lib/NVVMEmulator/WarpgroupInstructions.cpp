//===- WarpgroupInstructions.cpp - wgmma ----------------------------------===//
//
// Operands in shared memory, described by 64 bits: the address in 16 bytes, the
// strides between groups of eight rows and between columns of 16 bytes, and the
// swizzle ("Matrix descriptor" and "Asynchronous warpgroup level matrix shared
// memory layout" of the PTX ISA). K is contiguous in both.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// What runs beside the threads
//===----------------------------------------------------------------------===//

Clocks Block::startMultiply(llvm::MutableArrayRef<Thread> warpgroup) {
  Clocks known(threads.size() + asyncClocks, UINT32_MAX);
  for (Thread &thread : warpgroup) {
    if (thread.multiplyGroups != warpgroup.front().multiplyGroups)
      fail(thread, FaultKind::Divergence,
           "threads of a warpgroup have committed different numbers of groups");
    thread.lastMultiply[thread.site] = thread.multiplyGroups + 1;
    // Each has to know of what is read; what it did itself, it knows.
    uint32_t self = known[thread.index];
    for (auto [common, seen] : llvm::zip_equal(known, *thread.seen))
      common = std::min(common, seen);
    known[thread.index] = self;
  }
  return known;
}

void Block::readMultiplyOperand(Thread &thread, uint64_t address,
                                uint64_t bytes, const Clocks &known) {
  auto [entry, isNew] =
      multiplyClocks.try_emplace(thread.index / warpgroupSize, 0);
  if (isNew)
    entry->second = takeClock(thread);
  Observer observer = {entry->second,
                       static_cast<uint32_t>(thread.multiplyGroups + 1),
                       known.data()};
  auto problem = launch.shared.checkBounds(address, bytes);
  if (problem)
    problem->message = "reads " + problem->message;
  else
    problem = launch.shared.access(address, bytes, AccessKind::Read,
                                   thread.site, observer);
  if (problem)
    fail(thread, *problem);
}

void Block::waitMultiplies(Thread &thread, uint64_t pending) {
  if (thread.multiplyGroups <= pending)
    return;
  uint64_t done = thread.multiplyGroups - pending;
  thread.multipliedGroups = std::max(thread.multipliedGroups, done);
  auto found = multiplyClocks.find(thread.index / warpgroupSize);
  if (found != multiplyClocks.end())
    acquire(thread, found->second, thread.multipliedGroups);
}

void Block::useAccumulators(Thread &thread) {
  for (uint32_t number : thread.site->multiplies) {
    const Site *site = &launch.sites[number];
    auto found = thread.lastMultiply.find(site);
    if (found != thread.lastMultiply.end() &&
        found->second > thread.multipliedGroups)
      fail(thread, FaultKind::AsyncCopy,
           "uses accumulators of a wgmma that is not waited for",
           {{"this wgmma", site->location}});
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
struct Descriptor {
  uint64_t start, columnStride, groupStride;
  unsigned swizzleBytes;

  Descriptor(uint64_t bits, uint64_t shared)
      : start(shared + ((bits & 0x3FFF) << 4)),
        columnStride((bits >> 16 & 0x3FFF) << 4),
        groupStride((bits >> 32 & 0x3FFF) << 4) {
    const unsigned swizzles[] = {0, 128, 64, 32};
    swizzleBytes = swizzles[bits >> 62];
  }

  /// Where 16 bytes of a row are.
  uint64_t getAddress(unsigned row, unsigned chunk) const {
    uint64_t address = start + row / 8 * groupStride;
    if (!swizzleBytes)
      return address + row % 8 * 16 + chunk * columnStride;
    address += row % 8 * swizzleBytes + chunk * 16;
    return address ^ ((address >> 7 & (swizzleBytes / 16 - 1)) << 4);
  }
};
} // namespace

static constexpr unsigned k = 16;

static void loadOperand(WarpCall &call, uint64_t bits, unsigned rows,
                        bool isBF16, double scale, const Clocks &known,
                        llvm::SmallVectorImpl<double> &matrix) {
  Descriptor descriptor(bits, call.block.launch.shared.getAddress());
  matrix.resize_for_overwrite(rows * k);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned chunk = 0; chunk < 2; ++chunk) {
      uint64_t address = descriptor.getAddress(row, chunk);
      call.block.readMultiplyOperand(call.lanes.front(), address, 16, known);
      uint16_t values[8];
      std::memcpy(values, reinterpret_cast<const void *>(address), 16);
      for (unsigned i = 0; i < 8; ++i)
        matrix[row * k + 8 * chunk + i] =
            scale * (isBF16 ? fromBF16(values[i]) : fromF16(values[i]));
    }
}

/// Arguments: N / 2 accumulators, descriptors of A and B, whether to add the
/// accumulators, factors of A and B, whether A and B are transposed.
static void multiply(WarpCall &call, unsigned n, bool isBF16) {
  Thread &first = call.lanes.front();
  unsigned registers = n / 2;
  const uint64_t *operands = first.arguments + registers;
  for (Thread &lane : call.lanes)
    for (unsigned i = 0; i < 7; ++i)
      if (static_cast<uint32_t>(lane.arguments[registers + i]) !=
          static_cast<uint32_t>(operands[i]))
        call.block.fail(lane, FaultKind::Divergence,
                        "lanes of a warpgroup give different operands");
  if (operands[5] || operands[6])
    call.block.fail(first, FaultKind::Operand,
                    "the emulator has no wgmma with a transposed operand");
  auto getScale = [&](unsigned i) {
    return static_cast<double>(static_cast<int32_t>(operands[i]));
  };
  Clocks known = call.block.startMultiply(call.lanes);
  llvm::SmallVector<double, 0> a, b;
  loadOperand(call, operands[0], 64, isBF16, getScale(3), known, a);
  loadOperand(call, operands[1], n, isBF16, getScale(4), known, b);
  // With the columns together, so that the innermost loop is of vectors.
  llvm::SmallVector<double, 0> columns(n * k), sums(64 * n, 0);
  for (unsigned column = 0; column < n; ++column)
    for (unsigned i = 0; i < k; ++i)
      columns[i * n + column] = b[column * k + i];
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned i = 0; i < k; ++i)
      for (unsigned column = 0; column < n; ++column)
        sums[row * n + column] += a[row * k + i] * columns[i * n + column];
  for (auto [index, lane] : llvm::enumerate(call.lanes)) {
    unsigned warp = index / warpSize, group = lane.lane / 4,
             member = lane.lane % 4;
    for (unsigned i = 0; i < registers; ++i) {
      unsigned row = 16 * warp + group + 8 * (i / 2 % 2);
      unsigned column = 8 * (i / 4) + 2 * member + i % 2;
      double before = operands[2] & 1 ? asFloat(lane.arguments[i]) : 0.0;
      lane.results[i] =
          asBits(static_cast<float>(before + sums[row * n + column]));
    }
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The block of PTX that MLIR writes for a `wgmma`, without spaces.
static std::string writeMultiply(unsigned n, llvm::StringRef type) {
  unsigned registers = n / 2;
  auto operand = [](unsigned i) { return "$" + std::to_string(i); };
  std::string text = "{.reg.predp;setp.ne.b32p," + operand(2 * registers + 2) +
                     ",0;wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(n) + "k16.f32." + type.str() + "." +
                     type.str() + "{";
  for (unsigned i = 0; i < registers; ++i)
    text += (i ? "," : "") + operand(i);
  text +=
      "}," + operand(2 * registers) + "," + operand(2 * registers + 1) + ",p";
  for (unsigned i = 3; i < 7; ++i)
    text += "," + operand(2 * registers + i);
  return text + ";}";
}

std::optional<Instruction>
mlir::norm::emulator::parseMultiplyAssembly(llvm::StringRef text) {
  llvm::StringRef rest = text;
  size_t start = rest.find("wgmma.mma_async.sync.aligned.m64n");
  if (start == llvm::StringRef::npos)
    return std::nullopt;
  rest = rest.substr(start);
  llvm::StringRef opcode = rest.take_until([](char c) { return c == ' '; });
  rest.consume_front("wgmma.mma_async.sync.aligned.m64n");
  unsigned n;
  if (rest.consumeInteger(10, n) || n % 8 || n == 0 || n > 256)
    return std::nullopt;
  std::string dense;
  llvm::copy_if(text, std::back_inserter(dense),
                [](char c) { return !llvm::isSpace(c); });
  for (llvm::StringRef type : {"bf16", "f16"})
    if (dense == writeMultiply(n, type)) {
      Instruction found =
          Instruction::warpgroup([n, isBF16 = type == "bf16"](WarpCall &call) {
            multiply(call, n, isBF16);
          });
      found.name = opcode.str();
      return found;
    }
  return std::nullopt;
}

std::optional<Instruction>
mlir::norm::emulator::findWarpgroupInstruction(llvm::StringRef name) {
  if (name == "wgmma.commit_group.sync.aligned")
    return Instruction::thread(
        [](Block &block, Thread &thread, const uint64_t *, uint64_t *) {
          block.commitMultiplies(thread);
        });
  if (name == "wgmma.wait_group.sync.aligned")
    return Instruction::thread(
        [](Block &block, Thread &thread, const uint64_t *arguments,
           uint64_t *) { block.waitMultiplies(thread, arguments[0]); });
  return std::nullopt;
}
