//===- Fragment.cpp - Which elements a thread has -------------------------===//

#include "Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

bool FragmentShape::canReduce(int64_t group) const {
  if (group >= columns())
    return true;
  if (group > warpColumns())
    return group % warpColumns() == 0 && columns() % group == 0;
  if (group >= laneColumns())
    return group % laneColumns() == 0 && warpColumns() % group == 0;
  return group % width == 0 && laneColumns() % group == 0 &&
         llvm::isPowerOf2_64(group / width);
}

unsigned Fragment::groupCount(int64_t group) const {
  if (group >= shape.warpColumns())
    return 1;
  if (group >= shape.laneColumns())
    return shape.warpColumns() / group;
  return shape.chunks;
}

unsigned Fragment::groupOf(unsigned chunk, int64_t group) const {
  if (group >= shape.warpColumns())
    return 0;
  if (group >= shape.laneColumns())
    return chunk * shape.laneColumns() / group;
  return chunk;
}

void Fragment::addRow(KernelBuilder &b, Value row, Value tileRow,
                      Value extent) {
  rows.push_back(row);
  tileRows.push_back(tileRow);
  rowIsIn.push_back(extent ? b.isLess(row, extent) : Value());
  Value last;
  if (extent)
    last = arith::SubIOp::create(b, extent, b.index(1));
  safeRows.push_back(extent ? b.min(row, last) : row);
}

void Fragment::setColumns(KernelBuilder &b, ArrayRef<Value> starts,
                          ColumnLayout layout, bool hasGaps) {
  this->layout = layout;
  columns.clear();
  int64_t extent = layout.columns,
          end = layout.isPadded() ? layout.group : extent;
  hasSingleColumns = hasGaps && end % shape.width != 0;
  int64_t width = hasSingleColumns ? 1 : shape.width;
  for (Value start : starts)
    for (int64_t place = 0; place < shape.width; place += width) {
      Value own = b.add(start, place);
      if (layout.isPadded()) {
        Value group =
            b.min(b.div(own, layout.pitch), b.index(extent / layout.group - 1));
        Value inGroup =
            b.min(b.rem(own, layout.pitch), b.index(layout.group - width));
        columns.push_back({own, b.add(b.mul(group, layout.group), inGroup),
                           layout.isColumn(b, own), group, inGroup});
      } else if (hasGaps) {
        columns.push_back({own, b.min(own, b.index(extent - width)),
                           layout.isColumn(b, own), Value(), Value()});
      } else {
        columns.push_back({own, own, Value(), Value(), Value()});
      }
    }
}

Value Fragment::safeColumn(KernelBuilder &b, Position p) const {
  Value column = this->column(p).safe;
  return hasSingleColumns ? column : b.add(column, p.place);
}

Value Fragment::index(KernelBuilder &b, AffineExpr expr, Position p,
                      ValueRange symbols) const {
  SmallVector<Value> dims = {safeRows[p.row], safeColumn(b, p)};
  if (layout.isPadded()) {
    // Not divided again: that its quotient and remainder are known can't be
    // seen from the column.
    MLIRContext *context = expr.getContext();
    AffineExpr column = getAffineDimExpr(1, context);
    expr = expr.replace(
        {{column.floorDiv(layout.group), getAffineDimExpr(2, context)},
         {column % layout.group, getAffineDimExpr(3, context)}});
    const Column &own = this->column(p);
    dims.push_back(own.group);
    dims.push_back(hasSingleColumns ? own.inGroup
                                    : b.add(own.inGroup, p.place));
  }
  return expand(b, expr, dims, symbols);
}

SmallVector<Value> Fragment::sum(KernelBuilder &b, ArrayRef<Value> partials,
                                 int64_t group) const {
  return reduce(b, partials, group, [&](Value lhs, Value rhs) -> Value {
    return arith::AddFOp::create(b, lhs, rhs);
  });
}

SmallVector<Value> Fragment::reduce(KernelBuilder &b, ArrayRef<Value> partials,
                                    int64_t group, Combine combine) const {
  SmallVector<Value> sums(partials);
  bool isAll = group >= shape.columns();
  int64_t lanes = shape.lanes;
  if (!isAll && group < shape.laneColumns())
    lanes = group / shape.width;
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    for (Value &sum : sums) {
      Value other =
          gpu::ShuffleOp::create(b, sum, distance, 32, gpu::ShuffleMode::XOR)
              .getShuffleResult();
      sum = combine(sum, other);
    }

  int64_t warps =
      isAll ? shape.warps : std::max<int64_t>(group / shape.warpColumns(), 1);
  if (warps == 1)
    return sums;
  // Each warp leaves its sums in shared memory, where all find them in the same
  // order.
  constexpr int64_t kBytes = 4;
  int64_t base = b.allocateShared(tileRowCount * shape.warps * kBytes);
  auto offset = [&](Value tileRow, Value place) {
    Value element = b.add(b.mul(tileRow, shape.warps), place);
    return b.add(b.mul(element, kBytes), base);
  };
  b.ifTrue(b.isEqual(lane, 0), [&]() {
    for (auto [row, sum] : llvm::zip(tileRows, sums))
      b.storeShared(sum, offset(row, warp), kBytes);
  });
  b.barrier();
  Value first = isAll ? b.index(0) : b.mul(b.div(warp, warps), warps);
  for (auto [row, sum] : llvm::zip(tileRows, sums)) {
    sum = Value();
    for (int64_t i = 0; i < warps; ++i) {
      Value part =
          b.loadShared(b.getF32Type(), offset(row, b.add(first, i)), kBytes);
      sum = sum ? combine(sum, part) : part;
    }
  }
  return sums;
}
