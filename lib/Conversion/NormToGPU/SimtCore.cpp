//===- SimtCore.cpp - Products in f32 -------------------------------------===//

#include "MatmulCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

namespace {
struct SimtCore : public MatmulCore {
  using MatmulCore::MatmulCore;

  SmallVector<Value> multiply(Value leftOffset, Value rightOffset,
                              ValueRange sums) final;

private:
  /// The elements of the thread's rows, and columns, at `depth`.
  SmallVector<Value> loadLeft(Value offset, Value depth);
  SmallVector<Value> loadRight(Value offset, Value depth);
};
} // namespace

SmallVector<Value> SimtCore::loadLeft(Value offset, Value depth) {
  int64_t inChunk = left.chunkColumns();
  Value address = left.offset(b, b.div(lane, 4), b.div(depth, inChunk));
  address = b.add(address, b.mul(b.rem(depth, inChunk), left.elementBytes));
  address = b.add(address, b.mul(warpRow, left.rowBytes()));
  address = b.add(offset, address);
  SmallVector<Value> values;
  for (int64_t i = 0; i < grid.threadRows(); ++i)
    values.push_back(b.loadShared(type, b.add(address, 8 * i * left.rowBytes()),
                                  left.elementBytes));
  return values;
}

SmallVector<Value> SimtCore::loadRight(Value offset, Value depth) {
  int64_t inChunk = right.chunkColumns(), bytes = right.elementBytes;
  Value pair = b.mul(b.rem(lane, 4), 2);
  SmallVector<Value> values;
  for (int64_t column = 0; column < grid.warpColumns; column += 8)
    for (int64_t i = 0; i < 2; ++i) {
      Value address;
      if (rightReducesColumns) {
        // Eight rows on, chunks are permuted in the same way.
        address = right.offset(b, b.add(pair, i), b.div(depth, inChunk));
        address = b.add(address, b.mul(b.rem(depth, inChunk), bytes));
        address =
            b.add(address, b.mul(b.add(warpColumn, column), right.rowBytes()));
      } else {
        Value place = b.add(b.add(warpColumn, column), b.add(pair, i));
        address = right.offset(b, depth, b.div(place, inChunk));
        address = b.add(address, b.mul(b.rem(place, inChunk), bytes));
      }
      values.push_back(b.loadShared(type, b.add(offset, address), bytes));
    }
  return values;
}

SmallVector<Value> SimtCore::multiply(Value leftOffset, Value rightOffset,
                                      ValueRange sums) {
  auto loop = scf::ForOp::create(b, b.index(0), b.index(left.columns),
                                 b.index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> lefts = loadLeft(leftOffset, loop.getInductionVar()),
                     rights = loadRight(rightOffset, loop.getInductionVar());
  SmallVector<Value> next;
  for (auto [row, left] : llvm::enumerate(lefts))
    for (auto [column, right] : llvm::enumerate(rights))
      next.push_back(LLVM::FMAOp::create(
          b, left, right,
          loop.getRegionIterArg(row * grid.threadColumns() + column)));
  scf::YieldOp::create(b, next);
  return llvm::to_vector(llvm::map_range(
      loop.getResults(), [](OpResult result) -> Value { return result; }));
}

std::unique_ptr<MatmulCore>
kernel::createSimtCore(KernelBuilder &b, WarpGrid grid, FloatType type,
                       TileShape left, TileShape right,
                       bool rightReducesColumns) {
  return std::make_unique<SimtCore>(b, grid, type, left, right,
                                    rightReducesColumns);
}
