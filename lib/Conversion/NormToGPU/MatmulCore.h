//===- MatmulCore.h - The arithmetic of a tile ------------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_MATMULCORE_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_MATMULCORE_H

#include "TileLoader.h"

namespace mlir::norm::kernel {

/// How a block's tile of the result is divided among warps. In each 16 x 8 of
/// them, lane l has those of the rows l / 4 and l / 4 + 8 and of the columns 2
/// (l % 4) and 2 (l % 4) + 1, which is how mma.sync leaves them.
struct WarpGrid {
  int64_t rows, columns;
  /// What each warp has.
  int64_t warpRows = 64, warpColumns = 64;

  int64_t tileRows() const { return rows * warpRows; }
  int64_t tileColumns() const { return columns * warpColumns; }
  int64_t threads() const { return rows * columns * 32; }
  FragmentShape fragmentShape() const {
    return {/*width=*/2, /*chunks=*/warpColumns / 8, /*lanes=*/4,
            /*warps=*/columns};
  }
  /// The rows and columns of a thread.
  int64_t threadRows() const { return warpRows / 8; }
  int64_t threadColumns() const { return warpColumns / 4; }
};

/// The elements of the thread; the tile begins at `firstRow` and at the place
/// `firstColumn` of `columns`, the result ends at `rowExtent`, null if all
/// tiles are full.
Fragment fragmentOf(KernelBuilder &b, const WarpGrid &grid, Value firstRow,
                    Value rowExtent, Value firstColumn, ColumnLayout columns);

/// Multiplies tiles in shared memory. Sums are in the order of the elements of
/// a fragment: row by row of the thread.
class MatmulCore {
public:
  MatmulCore(KernelBuilder &b, WarpGrid grid, FloatType type, TileShape left,
             TileShape right, bool rightReducesColumns);
  virtual ~MatmulCore() = default;

  virtual SmallVector<Value> multiply(Value leftOffset, Value rightOffset,
                                      ValueRange sums) = 0;

protected:
  KernelBuilder &b;
  WarpGrid grid;
  FloatType type;
  TileShape left, right;
  bool rightReducesColumns;
  /// The lane, and where the warp's part of the tile begins.
  Value lane, warpRow, warpColumn;
};

/// Tensor cores: ldmatrix and mma.sync, m16n8k16 of bf16 or f16, m16n8k8 of f32
/// rounded to tf32. Sums in f32.
std::unique_ptr<MatmulCore> createMmaCore(KernelBuilder &b, WarpGrid grid,
                                          FloatType type, TileShape left,
                                          TileShape right,
                                          bool rightReducesColumns);

/// Fused multiply-adds in f32.
std::unique_ptr<MatmulCore> createSimtCore(KernelBuilder &b, WarpGrid grid,
                                           FloatType type, TileShape left,
                                           TileShape right,
                                           bool rightReducesColumns);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_MATMULCORE_H
