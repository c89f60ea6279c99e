//===- MmaCore.cpp - Products by tensor cores -----------------------------===//

#include "MatmulCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

namespace {
/// Products of 16 x 16 by 16 x 8.
struct MmaCore : public MatmulCore {
  using MatmulCore::MatmulCore;

  SmallVector<Value> multiply(Value leftOffset, Value rightOffset,
                              ValueRange sums) final;

private:
  static constexpr int64_t kDepth = 16, kChunkColumns = 8;

  /// Four 8 x 8 matrices, one row of them at the address of each lane; each
  /// transposed, if `transposed`.
  SmallVector<Value> loadMatrices(Value offset, bool transposed);
  /// 16 rows by 16 columns of the left-hand tile.
  SmallVector<Value> loadLeft(Value offset, int64_t row, int64_t depth);
  /// The columns from `column` to `column` + 16 of the right-hand side.
  SmallVector<Value> loadRight(Value offset, int64_t column, int64_t depth);
};
} // namespace

SmallVector<Value> MmaCore::loadMatrices(Value offset, bool transposed) {
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getI32Type()));
  Value loaded = NVVM::LdMatrixOp::create(
      b, type, b.shared(offset), 4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i)
    registers.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
  return registers;
}

// Rows, and chunks, of the matrices are those of the lanes' addresses. Adding a
// multiple of eight rows does not change how a row's chunks are permuted.

SmallVector<Value> MmaCore::loadLeft(Value offset, int64_t row, int64_t depth) {
  Value chunk = b.add(b.div(lane, 16), depth / kChunkColumns);
  Value address = left.offset(b, b.rem(lane, 16), chunk);
  address = b.add(address, b.mul(b.add(warpRow, row), left.rowBytes()));
  return loadMatrices(b.add(offset, address), /*transposed=*/false);
}

SmallVector<Value> MmaCore::loadRight(Value offset, int64_t column,
                                      int64_t depth) {
  Value inEight = b.rem(lane, 8), odd = b.rem(b.div(lane, 8), 2),
        upper = b.div(lane, 16);
  if (rightReducesColumns) {
    Value row = b.add(inEight, b.mul(upper, 8));
    Value address = right.offset(b, row, b.add(odd, depth / kChunkColumns));
    address =
        b.add(address, b.mul(b.add(warpColumn, column), right.rowBytes()));
    return loadMatrices(b.add(offset, address), /*transposed=*/false);
  }
  Value row = b.add(inEight, b.mul(odd, 8));
  Value chunk = b.add(b.add(b.div(warpColumn, kChunkColumns), upper),
                      column / kChunkColumns);
  Value address = right.offset(b, row, chunk);
  address = b.add(address, depth * right.rowBytes());
  return loadMatrices(b.add(offset, address), /*transposed=*/true);
}

SmallVector<Value> MmaCore::multiply(Value leftOffset, Value rightOffset,
                                     ValueRange sums) {
  NVVM::MMATypes operandType =
      type.isBF16() ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
  auto resultType = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  // Pairs of f16 are vectors, pairs of bf16 are integers.
  auto toOperands = [&](ArrayRef<Value> registers) {
    if (type.isBF16())
      return SmallVector<Value>(registers);
    return llvm::map_to_vector(registers, [&](Value value) -> Value {
      return LLVM::BitcastOp::create(b, VectorType::get(2, type), value);
    });
  };

  SmallVector<Value> next(sums);
  for (int64_t depth = 0; depth < left.columns; depth += kDepth) {
    SmallVector<SmallVector<Value>> lefts, rights;
    for (int64_t row = 0; row < WarpGrid::kWarpRows; row += 16)
      lefts.push_back(toOperands(loadLeft(leftOffset, row, depth)));
    for (int64_t column = 0; column < WarpGrid::kWarpColumns; column += 16)
      rights.push_back(toOperands(loadRight(rightOffset, column, depth)));
    for (auto [i, a] : llvm::enumerate(lefts))
      for (int64_t j = 0; j < WarpGrid::kWarpColumns / 8; ++j) {
        // The result's elements: two of the upper row, two of the lower.
        Value *upper = &next[(2 * i) * kColumns + 2 * j],
              *lower = &next[(2 * i + 1) * kColumns + 2 * j];
        ArrayRef<Value> pair = ArrayRef(rights[j / 2]).slice(2 * (j % 2), 2);
        Value product = NVVM::MmaOp::create(
            b, resultType, a, pair,
            ValueRange{upper[0], upper[1], lower[0], lower[1]},
            ArrayRef<int64_t>{16, 8, kDepth}, std::nullopt, std::nullopt,
            std::array<NVVM::MMATypes, 2>{operandType, operandType},
            std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                           NVVM::MMALayout::col});
        for (int64_t k = 0; k < 2; ++k) {
          upper[k] = LLVM::ExtractValueOp::create(b, product, k);
          lower[k] = LLVM::ExtractValueOp::create(b, product, 2 + k);
        }
      }
  }
  return next;
}

std::unique_ptr<MatmulCore> kernel::createMmaCore(KernelBuilder &b,
                                                  WarpGrid grid, FloatType type,
                                                  TileShape left,
                                                  TileShape right,
                                                  bool rightReducesColumns) {
  return std::make_unique<MmaCore>(b, grid, type, left, right,
                                   rightReducesColumns);
}
