//===- TileLoader.h - From global memory to tiles in shared -----*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_TILELOADER_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_TILELOADER_H

#include "Evaluator.h"

namespace mlir::norm::kernel {

/// A tile in shared memory, in chunks of 16 bytes. The chunks of a row are
/// permuted by an exclusive or with bits of the row, so that the same chunk of
/// eight rows lies in different banks; or the same `spread` chunks of fewer.
struct TileShape {
  int64_t rows, columns, elementBytes;
  int64_t spread = 1;

  static constexpr int64_t kChunkBytes = 16;
  /// Rows after which the permutations repeat.
  static constexpr int64_t kPeriod = 8;

  int64_t rowBytes() const { return columns * elementBytes; }
  int64_t bytes() const { return rows * rowBytes(); }
  int64_t chunkColumns() const { return kChunkBytes / elementBytes; }
  int64_t chunks() const { return rowBytes() / kChunkBytes; }

  /// The byte offset of a chunk of a row.
  Value offset(KernelBuilder &b, Value row, Value chunk) const;
};

/// Brings the tiles of an operand of the root into shared memory, one after the
/// other along the reduction. Where the operand's elements are an input's and
/// 16 bytes of them lie together, copies are asynchronous. Otherwise threads
/// load, compute and store elements. Past the end of the reduction there are
/// zeros; past the other end, elements that are multiplied with nothing.
class TileLoader {
public:
  /// `first` is the place in `layout` of the first row, or column, that isn't
  /// the reduction's; `extent` the number of them, null if each place of each
  /// tile has one.
  TileLoader(KernelBuilder &b, GroupPlan &plan, const KernelInputs &inputs,
             const MatrixOperand &operand, TileShape shape, Value first,
             Value extent, ColumnLayout layout,
             ArrayRef<SharedStatistics> merged);

  bool isAsync() const { return async; }
  const TileShape &getShape() const { return shape; }

  /// Begins to load tile number `tile` to `offset` of shared memory. What
  /// `finish` has to be given is in registers then.
  SmallVector<Value> start(Value tile, Value offset);
  void finish(ArrayRef<Value> chunks, Value offset);

private:
  void setPosition(Value tile);
  int64_t reductionStep() const {
    return operand.reducesColumns ? shape.columns : shape.rows;
  }
  bool hasTail() const { return plan.depth % reductionStep() != 0; }
  /// Whether the element, or chunk, is inside of the reduction; null if all
  /// are.
  Value isInReduction(unsigned row, unsigned place) const;
  SmallVector<Value> compute();
  void copy(Value offset);

  KernelBuilder &b;
  GroupPlan &plan;
  const MatrixOperand &operand;
  TileShape shape;
  Value first, extent;
  ColumnLayout layout;
  bool async;
  /// The input that is copied.
  unsigned source = 0;
  AffineMap sourceIndices;
  const KernelInputs &inputs;

  Value threadRow, threadChunk;
  int64_t rowsOfThread, rowStep;
  Fragment fragment;
  Evaluator evaluator;
};

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_TILELOADER_H
