//===- MatrixInstructions.cpp - ldmatrix and mma --------------------------===//
//
// The layouts of fragments are those of the PTX ISA, "Matrix fragments for
// mma.m16n8k16" and its neighbours. With g = lane / 4 and q = lane % 4, lane
// holds rows g and g + 8 of A, column g of B, and rows g and g + 8 of C.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstring>

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Lane i names the address of row i % 8 of matrix i / 8. Lane l gets elements
/// 2 (l % 4) and the next of row l / 4, of column l / 4 when transposed.
static void loadMatrices(WarpCall &call, unsigned count, bool isTransposed) {
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    uint16_t elements[8][8];
    for (unsigned row = 0; row < 8; ++row) {
      Thread &lane = call.lanes[8 * matrix + row];
      uint64_t address = lane.arguments[0];
      call.block.access(lane, address, 16, 16, AccessKind::Read, SharedSpace);
      std::memcpy(elements[row], reinterpret_cast<const void *>(address), 16);
    }
    for (Thread &lane : call.lanes) {
      unsigned row = lane.lane / 4, column = lane.lane % 4 * 2;
      uint32_t low =
          isTransposed ? elements[column][row] : elements[row][column];
      uint32_t high =
          isTransposed ? elements[column + 1][row] : elements[row][column + 1];
      lane.results[matrix] = low | high << 16;
    }
  }
}

static std::optional<Instruction> findLoad(llvm::StringRef name) {
  if (!name.consume_front("ldmatrix.sync.aligned.m8n8.x"))
    return std::nullopt;
  unsigned count;
  if (name.consumeInteger(10, count) || !name.consume_front("."))
    return std::nullopt;
  bool isTransposed = name.consume_front("trans.");
  if (name != "b16" && name != "b16.p3")
    return std::nullopt;
  return Instruction::aligned(
      [=](WarpCall &call) { loadMatrices(call, count, isTransposed); });
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

namespace {
enum class Element { F16, BF16, TF32, F32 };

/// D = A * B + C of an m16n8: K of A and B, types of A and B, of C, and of D.
struct Shape {
  unsigned k;
  Element input, accumulator, result;
};
} // namespace

static float decode(uint64_t word, unsigned half, Element element) {
  auto bits = static_cast<uint16_t>(word >> 16 * half);
  switch (element) {
  case Element::F16:
    return fromF16(bits);
  case Element::BF16:
    return fromBF16(bits);
  case Element::TF32:
    // The hardware doesn't look at the low 13 bits.
    return asFloat(word & 0xFFFFE000);
  case Element::F32:
    return asFloat(word);
  }
  llvm_unreachable("unknown element");
}

template <unsigned K>
static void multiply(WarpCall &call, const Shape &shape) {
  bool isPacked = shape.input != Element::TF32;
  double a[16][K], b[K][8];
  constexpr unsigned perLaneA = 16 * K / 32, perLaneB = 8 * K / 32;
  unsigned wordsA = isPacked ? perLaneA / 2 : perLaneA;
  unsigned wordsB = isPacked ? perLaneB / 2 : perLaneB;
  for (Thread &lane : call.lanes) {
    unsigned g = lane.lane / 4, q = lane.lane % 4;
    // A packed pair has neighbouring columns; rows alternate next, columns
    // last.
    for (unsigned i = 0; i < perLaneA; ++i) {
      unsigned row = g + 8 * (isPacked ? i / 2 % 2 : i % 2);
      unsigned column =
          isPacked ? 2 * q + i % 2 + 8 * (i / 4) : q + 4 * (i / 2);
      unsigned word = isPacked ? i / 2 : i;
      a[row][column] = decode(lane.arguments[word], i % 2, shape.input);
    }
    for (unsigned i = 0; i < perLaneB; ++i) {
      unsigned row = isPacked ? 2 * q + i % 2 + 8 * (i / 2) : q + 4 * i;
      unsigned word = wordsA + (isPacked ? i / 2 : i);
      b[row][g] = decode(lane.arguments[word], i % 2, shape.input);
    }
  }
  // Products are exact in double, and the sum almost.
  double sums[16][8] = {};
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < K; ++k)
      for (unsigned column = 0; column < 8; ++column)
        sums[row][column] += a[row][k] * b[k][column];
  for (Thread &lane : call.lanes) {
    unsigned g = lane.lane / 4, q = lane.lane % 4;
    uint64_t packed[2] = {};
    for (unsigned i = 0; i < 4; ++i) {
      bool isHalf = shape.accumulator == Element::F16;
      unsigned word = wordsA + wordsB + (isHalf ? i / 2 : i);
      double sum = sums[g + 8 * (i / 2)][2 * q + i % 2] +
                   decode(lane.arguments[word], i % 2, shape.accumulator);
      auto rounded = static_cast<float>(sum);
      if (shape.result == Element::F16)
        packed[i / 2] |= uint64_t(toF16(rounded)) << 16 * (i % 2);
      else
        lane.results[i] = asBits(rounded);
    }
    if (shape.result == Element::F16)
      std::copy(packed, packed + 2, lane.results);
  }
}

static std::optional<Instruction> findMultiply(llvm::StringRef name) {
  if (!name.consume_front("mma.m16n8k"))
    return std::nullopt;
  unsigned k;
  if (name.consumeInteger(10, k) || !name.consume_front(".row.col."))
    return std::nullopt;
  constexpr Element f16 = Element::F16, f32 = Element::F32;
  // f16 names the types of D and C.
  auto shape = llvm::StringSwitch<std::optional<Shape>>(name)
                   .Case("bf16", Shape{k, Element::BF16, f32, f32})
                   .Case("tf32", Shape{k, Element::TF32, f32, f32})
                   .Case("f32.f32", Shape{k, f16, f32, f32})
                   .Case("f16.f16", Shape{k, f16, f16, f16})
                   .Case("f32.f16", Shape{k, f16, f16, f32})
                   .Case("f16.f32", Shape{k, f16, f32, f16})
                   .Default(std::nullopt);
  if (!shape)
    return std::nullopt;
  auto make = [&](auto multiplyK) {
    return Instruction::aligned([shape = *shape, multiplyK](WarpCall &call) {
      multiplyK(call, shape);
    });
  };
  bool isTF32 = shape->input == Element::TF32;
  if (k == 16 && !isTF32)
    return make(multiply<16>);
  if (k == 8)
    return make(multiply<8>);
  if (k == 4 && isTF32)
    return make(multiply<4>);
  return std::nullopt;
}

std::optional<Instruction>
mlir::norm::emulator::findMatrixInstruction(llvm::StringRef name) {
  if (auto found = findLoad(name))
    return found;
  return findMultiply(name);
}
