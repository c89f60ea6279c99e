//===- SplitK.cpp - A reduction by several blocks -------------------------===//

#include "SplitK.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// Tiles along the reduction that take a block as long as a second launch takes
/// the GPU: about two microseconds.
static constexpr int64_t kLaunchTiles = 16;
/// Of a part, so that filling the pipeline is little of its time.
static constexpr int64_t kMinTiles = 8;
/// Of parts, so that adding them is little.
static constexpr int64_t kMaxSplits = 16;

int64_t kernel::multiprocessorsOf(int64_t capability) {
  switch (capability) {
  case 80: // A100
    return 108;
  case 86: // A40
    return 84;
  case 87: // Jetson AGX Orin
    return 16;
  case 89: // L40S
    return 142;
  default: // H100
    return 132;
  }
}

TileRange ReductionSplit::rangeOf(KernelBuilder &b, Value block) const {
  if (count == 1)
    return {b.index(0), b.index(depth), depth, depth};
  Value first = b.mul(block, length);
  int64_t rest = depth - (count - 1) * length;
  if (rest == length)
    return {first, b.index(length), length, length};
  Value left = arith::SubIOp::create(b, b.index(depth), first);
  return {first, b.min(left, b.index(length)), rest, length};
}

ReductionSplit kernel::chooseSplit(int64_t tiles, int64_t depth,
                                   int64_t multiprocessors) {
  int64_t count = std::min({multiprocessors / std::max<int64_t>(tiles, 1),
                            depth / kMinTiles, kMaxSplits});
  ReductionSplit split(depth, std::max<int64_t>(count, 1));
  if (depth - split.length < kLaunchTiles)
    return ReductionSplit(depth, 1);
  return split;
}

namespace {
/// Where sums of a fragment lie in a workspace: those of a chunk, or each by
/// itself where a chunk can end outside.
struct PartialSums {
  KernelBuilder &b;
  const Fragment &fragment;
  Value workspace, rows;
  int64_t columns;

  int64_t width() const {
    return fragment.hasSingleColumns ? 1 : fragment.shape.width;
  }
  /// Calls `body` for the position of each, and the number of its sum.
  void forEach(llvm::function_ref<void(Position, unsigned)> body) const {
    unsigned number = 0;
    for (unsigned row = 0; row < fragment.rowCount(); ++row)
      for (unsigned chunk = 0; chunk < fragment.shape.chunks; ++chunk)
        for (unsigned place = 0; place < fragment.shape.width;
             place += width(), number += width())
          body({row, chunk, place}, number);
  }
  Value offset(Value split, Position p) const {
    Value row = arith::MulIOp::create(b, split, rows);
    row = b.add(row, fragment.safeRows[p.row]);
    return b.add(b.mul(row, columns), fragment.safeColumn(b, p));
  }
};
} // namespace

void kernel::storePartialSums(KernelBuilder &b, const Fragment &fragment,
                              ValueRange sums, Value workspace, Value split,
                              Value rows, int64_t columns) {
  PartialSums partial = {b, fragment, workspace, rows, columns};
  partial.forEach([&](Position p, unsigned number) {
    Value value = sums[number];
    b.ifTrue(b.both(fragment.rowIsIn[p.row], fragment.column(p).isIn), [&]() {
      if (partial.width() > 1)
        value = vector::FromElementsOp::create(
            b, VectorType::get(partial.width(), b.getF32Type()),
            sums.slice(number, partial.width()));
      b.storeGlobal(value, workspace, partial.offset(split, p));
    });
  });
}

SmallVector<Value> kernel::addPartialSums(KernelBuilder &b,
                                          const Fragment &fragment,
                                          Value workspace, int64_t splits,
                                          Value rows, int64_t columns) {
  PartialSums partial = {b, fragment, workspace, rows, columns};
  SmallVector<Value> totals;
  partial.forEach([&](Position p, unsigned) {
    Value total;
    for (int64_t split = 0; split < splits; ++split) {
      Value sum = b.loadGlobal(workspace, partial.offset(b.index(split), p),
                               partial.width());
      total = total ? arith::AddFOp::create(b, total, sum).getResult() : sum;
    }
    if (partial.width() == 1)
      return totals.push_back(total);
    for (int64_t i = 0; i < partial.width(); ++i)
      totals.push_back(vector::ExtractOp::create(b, total, i));
  });
  return totals;
}
