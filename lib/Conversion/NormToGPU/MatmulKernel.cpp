//===- MatmulKernel.cpp - A matmul with its prologue and epilogue ---------===//

#include "KernelSignature.h"
#include "Kernels.h"
#include "MatmulCore.h"
#include "Pipeline.h"
#include "TileScheduler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// The tiles, of which the first that holds what it has to is chosen. Those of
/// fewer than 128 rows are for products that have no more, and would compute
/// nothing with the others: they wait for their weight.
static constexpr WarpGrid kGrids[] = {
    {1, 4, /*warpRows=*/16, /*warpColumns=*/32},
    {1, 4, /*warpRows=*/32, /*warpColumns=*/32},
    {2, 2, /*warpRows=*/32, /*warpColumns=*/64},
    {2, 2},
    {2, 4, /*warpRows=*/32, /*warpColumns=*/64},
    {2, 4}};
static constexpr int64_t kManyRows = 128;

/// The bytes of a row of a tile along the reduction: each thread has a chunk of
/// the left-hand side.
static int64_t reductionBytes(const WarpGrid &grid) {
  return std::max<int64_t>(64, grid.threads() * TileShape::kChunkBytes /
                                   grid.tileRows());
}

namespace {
/// The warps of a block, and where the columns of the result are in its tiles.
struct Tiling {
  WarpGrid grid;
  ColumnLayout columns;
};
} // namespace

/// Whether each tile has all that a norm or an exchange needs.
static bool holdsGroups(GroupPlan &plan, const Tiling &tiling) {
  FragmentShape shape = tiling.grid.fragmentShape();
  const ColumnLayout &columns = tiling.columns;
  bool isOneTile = columns.places() <= shape.columns();
  int64_t inTile = shape.columns() / columns.pitch * columns.group;
  auto holdsWhole = [&](int64_t group) {
    return isOneTile || inTile % group == 0;
  };
  return llvm::all_of(plan.exchangedGroups, holdsWhole) &&
         llvm::all_of(plan.reductions, [&](const Reduction &reduction) {
           if (reduction.columns == plan.columns)
             return isOneTile;
           if (columns.isPadded() && reduction.columns != columns.group)
             return false;
           int64_t span = columns.span(reduction.columns);
           return span <= shape.columns() && shape.canReduce(span);
         });
}

/// As many columns as the norms and exchanges of the epilogue need in one tile;
/// with places between their groups if there is no other way. Fails with a
/// remark if they are too many.
static FailureOr<Tiling> chooseTiling(GroupPlan &plan) {
  auto rows = dyn_cast<AffineConstantExpr>(plan.rows);
  SmallVector<WarpGrid> grids;
  for (const WarpGrid &grid : kGrids)
    if (grid.tileRows() >= kManyRows ||
        (rows && rows.getValue() <= grid.tileRows()))
      grids.push_back(grid);
  for (const WarpGrid &grid : grids)
    if (Tiling tiling = {grid, {plan.columns}}; holdsGroups(plan, tiling))
      return tiling;
  SmallVector<int64_t> groups(plan.exchangedGroups);
  for (const Reduction &reduction : plan.reductions)
    groups.push_back(reduction.columns);
  for (const WarpGrid &grid : grids)
    for (int64_t group : groups) {
      int64_t pitch = llvm::PowerOf2Ceil(group);
      if (plan.columns % group != 0 || pitch > grid.tileColumns())
        continue;
      Tiling tiling = {grid, {plan.columns, group, pitch}};
      if (holdsGroups(plan, tiling))
        return tiling;
    }
  emitRemark(plan.fusion.getLoc())
      << "not made a kernel: what is normalized or rotated does not fit a tile "
         "of 256 columns";
  return failure();
}

FailureOr<Kernel> kernel::buildMatmulKernel(GroupPlan &plan, ModuleOp module,
                                            StringRef name,
                                            F32Precision precision) {
  FailureOr<Tiling> tiling = chooseTiling(plan);
  if (failed(tiling))
    return failure();
  auto [grid, columns] = *tiling;
  FusionOp fusion = plan.fusion;
  FloatType type = plan.getOperandType();
  int64_t bytes = bytesOf(type), depth = reductionBytes(grid) / bytes;
  TileShape left = {grid.tileRows(), depth, bytes};
  TileShape right = plan.b.reducesColumns
                        ? TileShape{grid.tileColumns(), depth, bytes}
                        : TileShape{depth, grid.tileColumns(), bytes};
  bool usesTensorCores = !type.isF32() || precision == F32Precision::TF32;
  // A warp's load is of two chunks of four rows.
  if (usesTensorCores && type.isF32() && !plan.b.reducesColumns)
    right.spread = 2;

  KernelBuilder b(module, name, fusion.getLoc(), argumentTypes(plan),
                  grid.threads());
  // Blocks of few rows are too many for the shared memory long before they are
  // for the registers, which ptxas does not see: it would spill some.
  if (grid.tileRows() < kManyRows)
    b.getFunction()->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                             b.getI32IntegerAttr(1));
  KernelInputs inputs = inputsOf(b, plan);

  // Which tile.
  Value rows = expand(b, plan.rows, {}, inputs.symbols);
  auto staticRows = dyn_cast<AffineConstantExpr>(plan.rows);
  // Branches between rows keep an exchange of many rows from being mixed, for
  // which there are not enough registers.
  bool isFull = staticRows && plan.exchanged.empty() &&
                staticRows.getValue() % grid.tileRows() == 0;
  Value rowExtent = isFull ? Value() : rows;
  int64_t columnTiles = llvm::divideCeil(columns.places(), grid.tileColumns());
  AffineExpr rowTiles = plan.rows.ceilDiv(grid.tileRows());
  Tile tile =
      scheduleTile(b, expand(b, rowTiles, {}, inputs.symbols), columnTiles);
  Value firstRow = b.mul(tile.row, grid.tileRows()),
        firstColumn = b.mul(tile.column, grid.tileColumns());

  // The product.
  SmallVector<SharedStatistics> merged =
      mergeStatistics(b, plan, inputs, firstRow, rows, grid.tileRows());
  TileLoader leftLoader(b, plan, inputs, plan.a, left, firstRow, rowExtent,
                        {plan.depth}, merged);
  bool hasGaps = columns.hasGaps(grid.tileColumns());
  TileLoader rightLoader(b, plan, inputs, plan.b, right, firstColumn,
                         hasGaps ? b.index(plan.columns) : Value(), columns,
                         {});
  std::unique_ptr<MatmulCore> core =
      (usesTensorCores ? createMmaCore : createSimtCore)(
          b, grid, type, left, right, plan.b.reducesColumns);
  SmallVector<Value> sums = multiplyPipelined(
      b, leftLoader, rightLoader, llvm::divideCeil(plan.depth, depth),
      SmallVector<Value>(grid.threadRows() * grid.threadColumns(), b.f32(0.0)),
      [&](Value leftOffset, Value rightOffset, ValueRange sums) {
        return core->multiply(leftOffset, rightOffset, sums);
      });

  // What is computed of it.
  Fragment fragment = core->fragment(firstRow, rowExtent, firstColumn, columns);
  Evaluator evaluator(b, plan, inputs, fragment);
  evaluator.setMergedStatistics(merged);
  evaluator.setAccumulators(sums);
  evaluator.store(outputsOf(b, plan));
  b.finish();
  return Kernel{b.getFunction(), rowTiles * columnTiles, grid.threads(),
                b.getSharedBytes()};
}
