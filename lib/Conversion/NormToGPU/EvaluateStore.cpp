//===- EvaluateStore.cpp - Writing the results of a kernel ----------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// Chunks of a row that are computed and stored together: enough to hide the
/// latency of loads, few enough to leave registers.
static unsigned countStoredChunks(const GroupPlan &plan) {
  // The addresses of a batch take more of them.
  return plan.isBatched() ? 2 : 4;
}

void Evaluator::storeChunk(const Output &output, unsigned row, unsigned chunk) {
  int64_t width = 1;
  if (!fragment.hasSingleColumns)
    width =
        contiguousColumns(output.place.indices, *plan.extents.of(output.tensor),
                          fragment.shape.width);
  for (unsigned place = 0; place < fragment.shape.width; place += width) {
    Position first = {row, chunk, place};
    SmallVector<Value> values;
    for (unsigned i = 0; i < width; ++i)
      values.push_back(
          at(output.tensor, output.place.indices, {row, chunk, place + i}));
    b.ifTrue(fragment.column(first).isIn, [&]() {
      Value value = values.front();
      if (width > 1)
        value = vector::FromElementsOp::create(
            b, VectorType::get(width, value.getType()), values);
      b.storeGlobal(value, output.buffer,
                    offset(output.tensor, output.place.indices, first));
    });
  }
}

void Evaluator::storeRows(const Output &output) {
  // A group's statistics are written by the thread that has its first column.
  // What holds for a whole row is written by the one that has column 0.
  std::optional<int64_t> group;
  output.place.indices.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && binary.getKind() == AffineExprKind::FloorDiv &&
        binary.getLHS() == getAffineDimExpr(1, b.getContext()))
      group = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  });
  int64_t span =
      group ? fragment.layout.span(*group) : fragment.shape.columns();
  unsigned groups = fragment.groupCount(span);
  for (unsigned row = 0; row < fragment.rowCount(); ++row)
    for (unsigned number = 0; number < groups; ++number) {
      Position p = {row, 0, 0};
      while (fragment.groupOf(p.chunk, span) != number)
        ++p.chunk;
      Value value = at(output.tensor, output.place.indices, p);
      const Fragment::Column &column = fragment.column(p);
      Value isFirst =
          b.isEqual(group ? b.rem(column.place, span) : column.place, 0);
      Value writes =
          b.both(b.both(isFirst, column.isIn), fragment.rowIsIn[row]);
      b.ifTrue(writes, [&]() {
        b.storeGlobal(value, output.buffer,
                      offset(output.tensor, output.place.indices, p));
      });
    }
}

void Evaluator::store(ArrayRef<Output> outputs) {
  unsigned step = countStoredChunks(plan);
  for (unsigned row = 0; row < fragment.rowCount(); ++row) {
    for (unsigned begin = 0; begin < fragment.shape.chunks; begin += step) {
      unsigned end = std::min<unsigned>(begin + step, fragment.shape.chunks);
      // Evaluated before the branch: sums need all threads, and what follows
      // the branch may need the values.
      for (const Output &output : outputs)
        if (!output.place.isOfRows)
          for (unsigned chunk = begin; chunk < end; ++chunk)
            for (unsigned place = 0; place < fragment.shape.width; ++place)
              at(output.tensor, output.place.indices, {row, chunk, place});
      b.ifTrue(fragment.rowIsIn[row], [&]() {
        for (const Output &output : outputs)
          if (!output.place.isOfRows)
            for (unsigned chunk = begin; chunk < end; ++chunk)
              storeChunk(output, row, chunk);
      });
    }
    // So that the row's elements need not be kept.
    for (const Output &output : outputs)
      if (auto stats = output.tensor.getDefiningOp<RowStatsOp>())
        sumRowFirst(*reductionOf(stats, output.place.indices, plan.extents,
                                 plan.columns),
                    row);
  }
  // Behind the others, so that no address is kept in a register meanwhile.
  for (const Output &output : outputs)
    if (output.place.isOfRows)
      storeRows(output);
}
