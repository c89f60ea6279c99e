//===- EvaluateExchange.cpp - Elements that other threads have ------------===//
//
// A rotary embedding computes an element of two in the same row and head, half
// a head, or half of its rotated part, apart: of slices of a tensor and their
// concatenation. The tensor's rows go through shared memory, one row of each
// thread at a time.
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
  Value index = fragment.index(b, indices.getResult(dim), p, inputs.symbols);
  Value value;
  int64_t offset = 0;
  for (auto [input, map] : llvm::zip(op.getInputs(), maps)) {
    Value part = at(input, map, p);
    Value isBefore = b.isLess(index, b.index(offset));
    value =
        value ? b.createOrFold<arith::SelectOp>(isBefore, value, part) : part;
    offset += cast<RankedTensorType>(input.getType()).getDimSize(dim);
  }
  return value;
}

Value Evaluator::stagedOffset(Value tensor, Value place) {
  int64_t bytes = bytesOf(getElementTypeOrSelf(tensor));
  // Rows are shifted by what the lanes of one of them store at once, so that
  // those of a warp are in different banks.
  int64_t rowBytes =
      (fragment.shape.columns() + fragment.shape.laneColumns()) * bytes;
  place = b.rem(place, fragment.shape.columns());
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
          stagedOffset(tensor, fragment.column({row, chunk, place}).place));
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
  Value place =
      fragment.index(b, fragment.layout.place(column), p, inputs.symbols);
  Type type = getElementTypeOrSelf(tensor);
  return b.loadShared(type, stagedOffset(tensor, place), bytesOf(type));
}
