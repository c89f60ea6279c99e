//===- MmaCore.cpp - Products by tensor cores -----------------------------===//

#include "MatmulCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

namespace {
/// Products of 16 x 16 by 16 x 8 of bf16 and f16, of 16 x 8 by 8 x 8 of tf32.
/// 8 x 8 matrices of 16 bits are 8 x 4 of 32, and each lane gets of them what
/// it needs.
struct MmaCore : public MatmulCore {
  using MatmulCore::MatmulCore;

  SmallVector<Value> multiply(Value leftOffset, Value rightOffset,
                              ValueRange sums) final;

private:
  int64_t chunkColumns() const { return left.chunkColumns(); }
  int64_t productDepth() const { return 2 * chunkColumns(); }

  /// Four 8 x 8 matrices, one row of them at the address of each lane; each
  /// transposed, if `transposed`.
  SmallVector<Value> loadMatrices(Value offset, bool transposed);
  /// 16 rows by 16 columns of the left-hand tile.
  SmallVector<Value> loadLeft(Value offset, int64_t row, int64_t depth);
  /// The columns from `column` to `column` + 16 of the right-hand side.
  SmallVector<Value> loadRight(Value offset, int64_t column, int64_t depth);
  /// The same of 32 bits that lie row by row, which can't be transposed while
  /// they are loaded.
  SmallVector<Value> gatherRight(Value offset, int64_t column, int64_t depth);
  /// Registers as operands of a product.
  SmallVector<Value> toOperands(ArrayRef<Value> registers);
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
  Value chunk = b.add(b.div(lane, 16), depth / chunkColumns());
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
    Value address = right.offset(b, row, b.add(odd, depth / chunkColumns()));
    address =
        b.add(address, b.mul(b.add(warpColumn, column), right.rowBytes()));
    return loadMatrices(b.add(offset, address), /*transposed=*/false);
  }
  if (type.isF32())
    return gatherRight(offset, column, depth);
  Value row = b.add(inEight, b.mul(odd, 8));
  Value chunk = b.add(b.add(b.div(warpColumn, chunkColumns()), upper),
                      column / chunkColumns());
  Value address = right.offset(b, row, chunk);
  address = b.add(address, depth * right.rowBytes());
  return loadMatrices(b.add(offset, address), /*transposed=*/true);
}

SmallVector<Value> MmaCore::gatherRight(Value offset, int64_t column,
                                        int64_t depth) {
  int64_t inChunk = chunkColumns();
  Value row = b.rem(lane, 4), inEight = b.div(lane, 4);
  Value inChunkBytes = b.mul(b.rem(inEight, inChunk), right.elementBytes);
  SmallVector<Value> registers;
  for (int64_t eight = column; eight < column + 16; eight += 8) {
    Value place = b.add(b.add(warpColumn, eight), inEight);
    for (int64_t four : {0, 4}) {
      Value address = right.offset(b, b.add(row, four), b.div(place, inChunk));
      address = b.add(b.add(address, depth * right.rowBytes()), inChunkBytes);
      registers.push_back(b.loadShared(b.getI32Type(), b.add(offset, address),
                                       right.elementBytes));
    }
  }
  return registers;
}

SmallVector<Value> MmaCore::toOperands(ArrayRef<Value> registers) {
  // Pairs of f16 are vectors, pairs of bf16 are integers.
  if (type.isBF16())
    return SmallVector<Value>(registers);
  return llvm::map_to_vector(registers, [&](Value value) -> Value {
    if (type.isF16())
      return LLVM::BitcastOp::create(b, VectorType::get(2, type), value);
    // Without it a product would cut off the low bits.
    return NVVM::ConvertFloatToTF32Op::create(
        b, b.getI32Type(), LLVM::BitcastOp::create(b, type, value),
        NVVM::FPRoundingMode::RNA);
  });
}

SmallVector<Value> MmaCore::multiply(Value leftOffset, Value rightOffset,
                                     ValueRange sums) {
  NVVM::MMATypes operandType = type.isBF16()  ? NVVM::MMATypes::bf16
                               : type.isF16() ? NVVM::MMATypes::f16
                                              : NVVM::MMATypes::tf32;
  auto resultType = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));

  SmallVector<Value> next(sums);
  for (int64_t depth = 0; depth < left.columns; depth += productDepth()) {
    SmallVector<SmallVector<Value>> lefts, rights;
    for (int64_t row = 0; row < grid.warpRows; row += 16)
      lefts.push_back(toOperands(loadLeft(leftOffset, row, depth)));
    for (int64_t column = 0; column < grid.warpColumns; column += 16)
      rights.push_back(toOperands(loadRight(rightOffset, column, depth)));
    for (auto [i, a] : llvm::enumerate(lefts))
      for (int64_t j = 0; j < grid.warpColumns / 8; ++j) {
        // The result's elements: two of the upper row, two of the lower.
        Value *upper = &next[(2 * i) * grid.threadColumns() + 2 * j],
              *lower = &next[(2 * i + 1) * grid.threadColumns() + 2 * j];
        ArrayRef<Value> pair = ArrayRef(rights[j / 2]).slice(2 * (j % 2), 2);
        Value product = NVVM::MmaOp::create(
            b, resultType, a, pair,
            ValueRange{upper[0], upper[1], lower[0], lower[1]},
            ArrayRef<int64_t>{16, 8, productDepth()}, std::nullopt,
            std::nullopt,
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
