//===- EvaluateExchange.cpp - Elements that other threads have ------------===//
//
// A rotary embedding computes an element of two in the same row and head, half
// a head apart: of slices of a tensor and their concatenation. The tensor's
// rows go through shared memory, one row of each thread at a time.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

Value Evaluator::evaluateConcat(tensor::ConcatOp op, AffineMap indices,
                                Position p) {
  SmallVector<AffineMap> maps = *operandMaps(op, 0, indices, plan.extents);
  uint64_t dim = op.getDim();
  int64_t size =
      cast<RankedTensorType>(op.getInputs()[0].getType()).getDimSize(dim);
  Value index = expand(b, indices.getResult(dim),
                       {fragment.safeRows[p.row], fragment.safeColumn(b, p)},
                       inputs.symbols);
  Value value;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    Value part = at(input, maps[number], p);
    Value isBefore = b.isLess(index, b.index(size * number));
    value =
        value ? b.createOrFold<arith::SelectOp>(isBefore, value, part) : part;
  }
  return value;
}

Value Evaluator::stagedOffset(Value tensor, Value column) {
  int64_t bytes = bytesOf(getElementTypeOrSelf(tensor));
  // Rows are shifted by what the lanes of one of them store at once, so that
  // those of a warp are in different banks.
  int64_t rowBytes =
      (fragment.shape.columns() + fragment.shape.laneColumns()) * bytes;
  Value place = b.rem(column, fragment.shape.columns());
  return b.add(b.add(b.mul(fragment.rowPlace, rowBytes), b.mul(place, bytes)),
               *stagingBase);
}

void Evaluator::stage(Value tensor, unsigned row) {
  if (staged == std::pair(tensor, row))
    return;
  if (!stagingBase) {
    constexpr int64_t kMaxBytes = 4;
    int64_t rows = fragment.tileRowCount / fragment.rowCount();
    stagingBase = b.allocateShared(
        rows * (fragment.shape.columns() + fragment.shape.laneColumns()) *
        kMaxBytes);
  }
  AffineMap own = plan.exchanged.lookup(tensor);
  int64_t width = fragment.hasSingleColumns ? 1 : fragment.shape.width;
  SmallVector<std::pair<Value, Value>> stores;
  for (unsigned chunk = 0; chunk < fragment.shape.chunks; ++chunk)
    for (unsigned place = 0; place < fragment.shape.width; place += width) {
      SmallVector<Value> values;
      for (unsigned i = 0; i < width; ++i)
        values.push_back(at(tensor, own, {row, chunk, place + i}));
      Value value = values.front();
      if (width > 1)
        value = vector::FromElementsOp::create(
            b, VectorType::get(width, value.getType()), values);
      stores.emplace_back(
          value,
          stagedOffset(tensor, fragment.column({row, chunk, place}).column));
    }
  // Nobody reads what was there before any more.
  b.barrier();
  int64_t alignment = width * bytesOf(getElementTypeOrSelf(tensor));
  for (auto [value, offset] : stores)
    b.storeShared(value, offset, alignment);
  b.barrier();
  staged = {tensor, row};
}

Value Evaluator::exchange(Value tensor, AffineMap indices, Position p) {
  stage(tensor, p.row);
  int64_t group;
  AffineExpr column =
      *exchangedColumn(plan.exchanged.lookup(tensor), indices, group);
  Value other =
      expand(b, column, {fragment.safeRows[p.row], fragment.safeColumn(b, p)},
             inputs.symbols);
  Type type = getElementTypeOrSelf(tensor);
  return b.loadShared(type, stagedOffset(tensor, other), bytesOf(type));
}
