//===- RowKernel.cpp - A kernel that goes through rows --------------------===//

#include "KernelSignature.h"
#include "Kernels.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// Elements of a row that a thread holds at most.
static constexpr int64_t kThreadElements = 32;
static constexpr int64_t kMaxWarps = 16;
/// Warps of a block whose warps have rows of their own.
static constexpr int64_t kRowWarps = 4;

/// The bytes of the widest element that the kernel loads.
static int64_t elementBytes(GroupPlan &plan) {
  FusionOp fusion = plan.fusion;
  int64_t bytes = 2;
  for (Type type : fusion.getInputs().getTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.getRank() > 1)
      bytes = std::max(bytes, bytesOf(tensor.getElementType()));
  return bytes;
}

/// How a row is divided among lanes and warps. Empty if it is too long.
static std::optional<FragmentShape> divideRow(GroupPlan &plan) {
  int64_t width = 16 / elementBytes(plan);
  while (plan.columns % width != 0)
    width /= 2;
  int64_t chunks = plan.columns / width;
  FragmentShape shape = {width, 1, 1, 1};
  while (shape.lanes < 32 && shape.lanes < chunks)
    shape.lanes *= 2;
  for (; shape.warps <= kMaxWarps; shape.warps *= 2) {
    shape.chunks = llvm::divideCeil(chunks, shape.lanes * shape.warps);
    if (shape.chunks * width <= kThreadElements)
      return shape;
  }
  return std::nullopt;
}

FailureOr<SmallVector<Kernel>>
kernel::buildRowKernel(GroupPlan &plan, ModuleOp module, StringRef name) {
  FusionOp fusion = plan.fusion;
  std::optional<FragmentShape> shape = divideRow(plan);
  if (!shape) {
    emitRemark(fusion.getLoc())
        << "not made a kernel: a row of " << plan.columns
        << " elements does not fit the registers of a block";
    return failure();
  }
  bool isShared = shape->warps > 1;
  int64_t threads = 32 * (isShared ? shape->warps : kRowWarps);
  int64_t blockRows = isShared ? 1 : threads / shape->lanes;

  KernelBuilder b(module, name, fusion.getLoc(), argumentTypes(plan), threads);
  // All of a row is loaded before it is used, which hides the memory's latency
  // better than more blocks would: ptxas, which spills for these, need not.
  b.getFunction()->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                           b.getI32IntegerAttr(1));
  KernelInputs inputs = inputsOf(b, plan);
  Value rows = expand(b, plan.rows, {}, inputs.symbols);
  Value firstRow = b.mul(b.block(), blockRows);
  SmallVector<SharedStatistics> merged =
      mergeStatistics(b, plan, plan.merges, inputs, firstRow, rows, blockRows);

  Fragment fragment;
  fragment.shape = *shape;
  fragment.tileRowCount = blockRows;
  fragment.lane = b.rem(b.thread(), shape->lanes);
  fragment.warp = isShared ? b.div(b.thread(), 32) : b.index(0);
  Value tileRow = isShared ? b.index(0) : b.div(b.thread(), shape->lanes);
  fragment.rowPlace = tileRow;
  auto staticRows = dyn_cast<AffineConstantExpr>(plan.rows);
  bool isFull =
      isShared || (staticRows && staticRows.getValue() % blockRows == 0);
  fragment.addRow(b, b.add(firstRow, tileRow), tileRow,
                  isFull ? Value() : rows);
  Value start = b.add(b.mul(fragment.warp, shape->warpColumns()),
                      b.mul(fragment.lane, shape->width));
  SmallVector<Value> starts;
  for (int64_t i = 0; i < shape->chunks; ++i)
    starts.push_back(b.add(start, i * shape->laneColumns()));
  ColumnLayout columns = {plan.columns};
  fragment.setColumns(b, starts, columns, columns.hasGaps(shape->columns()));

  Evaluator evaluator(b, plan, inputs, fragment);
  evaluator.setMergedStatistics(merged);
  evaluator.store(outputsOf(b, plan));
  b.finish();
  return SmallVector<Kernel>{{b.getFunction(), plan.rows.ceilDiv(blockRows),
                              threads, b.getSharedBytes()}};
}
