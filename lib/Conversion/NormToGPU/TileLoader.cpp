//===- TileLoader.cpp - From global memory to tiles in shared -------------===//

#include "TileLoader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

Value TileShape::offset(KernelBuilder &b, Value row, Value chunk) const {
  // Eight chunks fill all banks. Rows of half as many bytes share the banks in
  // pairs.
  int64_t rowsOfBanks = std::max<int64_t>(kPeriod / chunks(), 1);
  int64_t permutations = std::min(kPeriod, chunks());
  Value bits = b.rem(b.mul(b.div(row, rowsOfBanks), spread), permutations);
  Value permuted = b.createOrFold<arith::XOrIOp>(chunk, bits);
  return b.add(b.mul(row, rowBytes()), b.mul(permuted, kChunkBytes));
}

TileLoader::TileLoader(KernelBuilder &b, GroupPlan &plan,
                       const KernelInputs &inputs, const MatrixOperand &operand,
                       TileShape shape, Value first, Value extent,
                       ColumnLayout layout, ArrayRef<SharedStatistics> merged)
    : b(b), plan(plan), operand(operand), shape(shape), first(first),
      extent(extent), layout(layout), inputs(inputs),
      evaluator(b, plan, inputs, fragment) {
  evaluator.setMergedStatistics(merged);
  auto [tensor, indices] =
      lookThroughViews(operand.tensor, operand.indices, plan.extents);
  int64_t columns = plan.depth;
  if (!operand.reducesColumns)
    columns = layout.isPadded() ? layout.group : layout.columns;
  auto input = dyn_cast<BlockArgument>(tensor);
  async = input && columns % shape.chunkColumns() == 0 &&
          contiguousColumns(indices, *plan.extents.of(tensor),
                            shape.chunkColumns()) == shape.chunkColumns();
  if (async) {
    source = input.getArgNumber();
    sourceIndices = indices;
  }

  // Consecutive threads have the chunks of a row.
  int64_t chunks = shape.chunks();
  rowStep = b.getThreads() / chunks;
  rowsOfThread = shape.rows / rowStep;
  threadRow = b.div(b.thread(), chunks);
  threadChunk = b.rem(b.thread(), chunks);
  fragment.shape = {shape.chunkColumns(), /*chunks=*/1, /*lanes=*/1,
                    /*warps=*/1};
}

void TileLoader::setPosition(Value tile) {
  Value step = b.mul(tile, reductionStep());
  Value firstRow = operand.reducesColumns ? first : step;
  Value firstColumn = operand.reducesColumns ? step : first;
  Value rowExtent = extent;
  if (!operand.reducesColumns)
    rowExtent = hasTail() ? b.index(plan.depth) : Value();
  fragment.rows.clear();
  fragment.safeRows.clear();
  fragment.rowIsIn.clear();
  fragment.tileRows.clear();
  for (int64_t i = 0; i < rowsOfThread; ++i) {
    Value tileRow = b.add(threadRow, i * rowStep);
    Value row = b.add(firstRow, tileRow);
    if (operand.reducesColumns)
      row = layout.column(b, row);
    fragment.addRow(b, row, tileRow, rowExtent);
  }
  Value column = b.add(firstColumn, b.mul(threadChunk, shape.chunkColumns()));
  if (operand.reducesColumns)
    fragment.setColumns(b, column, {plan.depth}, hasTail());
  else
    fragment.setColumns(b, column, layout, extent != nullptr);
}

Value TileLoader::isInReduction(unsigned row, unsigned place) const {
  if (!operand.reducesColumns)
    return fragment.rowIsIn[row];
  return fragment.column({row, 0, place}).isIn;
}

SmallVector<Value> TileLoader::start(Value tile, Value offset) {
  setPosition(tile);
  if (!async)
    return compute();
  copy(offset);
  return {};
}

void TileLoader::copy(Value offset) {
  Value tensor = plan.fusion.getBody().getArgument(source);
  AffineExpr number =
      linearize(sourceIndices.getResults(), *plan.extents.of(tensor));
  for (int64_t i = 0; i < rowsOfThread; ++i) {
    Value element = fragment.index(b, number, {static_cast<unsigned>(i), 0, 0},
                                   inputs.symbols);
    Value target =
        b.add(offset, shape.offset(b, fragment.tileRows[i], threadChunk));
    // Bytes beyond the size are filled with zeros.
    Value bytes;
    if (Value isIn = isInReduction(i, 0))
      bytes = arith::SelectOp::create(b, isIn, b.i32(TileShape::kChunkBytes),
                                      b.i32(0));
    NVVM::CpAsyncOp::create(
        b, b.shared(target), b.global(inputs.values[source], element),
        TileShape::kChunkBytes, NVVM::LoadCacheModifierKind::CG, bytes);
  }
}

SmallVector<Value> TileLoader::compute() {
  if (operand.reducesColumns)
    evaluator.forgetColumns();
  else
    evaluator.forgetRows();
  SmallVector<Value> chunks;
  auto type = VectorType::get(shape.chunkColumns(), plan.getOperandType());
  Value zero =
      arith::ConstantOp::create(b, b.getFloatAttr(plan.getOperandType(), 0.0));
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(type));
  // Whether a chunk can end outside of the reduction.
  bool isSplit = operand.reducesColumns && fragment.hasSingleColumns;
  for (unsigned row = 0; row < rowsOfThread; ++row) {
    SmallVector<Value> elements;
    for (unsigned place = 0; place < type.getNumElements(); ++place) {
      Value element =
          evaluator.at(operand.tensor, operand.indices, {row, 0, place});
      if (isSplit)
        element = arith::SelectOp::create(b, isInReduction(row, place), element,
                                          zero);
      elements.push_back(element);
    }
    Value chunk = vector::FromElementsOp::create(b, type, elements);
    Value isIn = isSplit ? Value() : isInReduction(row, 0);
    if (isIn)
      chunk = arith::SelectOp::create(b, isIn, chunk, zeros);
    chunks.push_back(chunk);
  }
  return chunks;
}

void TileLoader::finish(ArrayRef<Value> chunks, Value offset) {
  for (auto [row, chunk] : llvm::enumerate(chunks))
    b.storeShared(
        chunk,
        b.add(offset, shape.offset(b, fragment.tileRows[row], threadChunk)),
        TileShape::kChunkBytes);
}
