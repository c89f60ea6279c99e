//===- MatmulKernel.cpp - A matmul with its prologue and epilogue ---------===//

#include "KernelSignature.h"
#include "Kernels.h"
#include "MatmulCore.h"
#include "Pipeline.h"
#include "SplitK.h"
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

/// The tiles of `grid` along the reduction.
static int64_t depthTiles(GroupPlan &plan, const WarpGrid &grid) {
  return llvm::divideCeil(plan.depth, reductionBytes(grid) /
                                          bytesOf(plan.getOperandType()));
}

/// The grids whose tiles are not for fewer rows than there may be.
static SmallVector<WarpGrid> gridsFor(std::optional<int64_t> rows) {
  return llvm::filter_to_vector(kGrids, [&](const WarpGrid &grid) {
    return grid.tileRows() >= kManyRows || (rows && *rows <= grid.tileRows());
  });
}

/// Whether each tile has all that a norm or an exchange needs.
static bool holdsGroups(GroupPlan &plan, const Tiling &tiling) {
  FragmentShape shape = tiling.grid.fragmentShape();
  const ColumnLayout &columns = tiling.columns;
  bool isOneTile = columns.places() <= shape.columns();
  int64_t inTile = shape.columns() / columns.pitch * columns.group;
  auto holdsWhole = [&](int64_t group) {
    return isOneTile || inTile % group == 0;
  };
  return (isOneTile || !plan.reducesRows) &&
         llvm::all_of(plan.exchangedGroups, holdsWhole) &&
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
static FailureOr<Tiling> chooseTiling(GroupPlan &plan,
                                      std::optional<int64_t> rows) {
  SmallVector<WarpGrid> grids = gridsFor(rows);
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
      << "not made a kernel: what is normalized, reduced or rotated does not "
         "fit a tile of 256 columns";
  return failure();
}

namespace {
/// What the kernels of a product have in common: a block has a tile.
class TileKernel {
public:
  TileKernel(GroupPlan &plan, ModuleOp module, StringRef name,
             const Tiling &tiling, TypeRange arguments)
      : plan(plan), grid(tiling.grid), columns(tiling.columns),
        b(module, name, plan.fusion.getLoc(), arguments, grid.threads()) {
    // Blocks of few rows are too many for the shared memory long before they
    // are for the registers, which ptxas does not see: it would spill some.
    if (grid.tileRows() < kManyRows)
      b.getFunction()->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                               b.getI32IntegerAttr(1));
    inputs = inputsOf(b, plan);
    rows = expand(b, plan.rows, {}, inputs.symbols);
    auto staticRows = dyn_cast<AffineConstantExpr>(plan.rows);
    // Branches between rows keep many of them from being mixed, for which there
    // are not enough registers: in an exchange, or with the addresses of a
    // batch.
    bool isFull = staticRows && plan.exchanged.empty() && !plan.isBatched() &&
                  staticRows.getValue() % grid.tileRows() == 0;
    rowExtent = isFull ? Value() : rows;
    rowTiles = plan.rows.ceilDiv(grid.tileRows());
    columnTiles = llvm::divideCeil(columns.places(), grid.tileColumns());
    Tile tile = scheduleTile(b, expand(b, rowTiles, {}, inputs.symbols),
                             columnTiles, plan.isBatched());
    inputs.setBatch(tile.batch);
    firstRow = b.mul(tile.row, grid.tileRows());
    firstColumn = b.mul(tile.column, grid.tileColumns());
  }

  KernelBuilder &builder() { return b; }
  Value rowCount() { return rows; }
  Fragment fragment() {
    return fragmentOf(b, grid, firstRow, rowExtent, firstColumn, columns);
  }
  SmallVector<SharedStatistics> merge(ArrayRef<GroupPlan::Merge> merges) {
    return mergeStatistics(b, plan, merges, inputs, firstRow, rows,
                           grid.tileRows());
  }

  /// The sums over a range of the reduction.
  SmallVector<Value> multiply(const TileRange &range, bool usesTensorCores,
                              ArrayRef<SharedStatistics> merged);
  /// Computes and stores the results.
  void finish(ValueRange sums, ArrayRef<SharedStatistics> merged);
  Kernel end(int64_t splits = 1) {
    b.finish();
    return {b.getFunction(), plan.batches * (rowTiles * columnTiles),
            grid.threads(), b.getSharedBytes(), splits};
  }

private:
  GroupPlan &plan;
  WarpGrid grid;
  ColumnLayout columns;
  KernelBuilder b;
  KernelInputs inputs;
  AffineExpr rowTiles;
  int64_t columnTiles;
  /// Null if all tiles have all of their rows.
  Value rowExtent;
  Value rows, firstRow, firstColumn;
};
} // namespace

SmallVector<Value> TileKernel::multiply(const TileRange &range,
                                        bool usesTensorCores,
                                        ArrayRef<SharedStatistics> merged) {
  FloatType type = plan.getOperandType();
  int64_t bytes = bytesOf(type), depth = reductionBytes(grid) / bytes;
  TileShape left = {grid.tileRows(), depth, bytes};
  TileShape right = plan.b.reducesColumns
                        ? TileShape{grid.tileColumns(), depth, bytes}
                        : TileShape{depth, grid.tileColumns(), bytes};
  // A warp's load is of two chunks of four rows.
  if (usesTensorCores && type.isF32() && !plan.b.reducesColumns)
    right.spread = 2;
  TileLoader leftLoader(b, plan, inputs, plan.a, left, firstRow, rowExtent,
                        {plan.depth}, merged);
  bool hasGaps = columns.hasGaps(grid.tileColumns());
  TileLoader rightLoader(b, plan, inputs, plan.b, right, firstColumn,
                         hasGaps ? b.index(plan.columns) : Value(), columns,
                         {});
  std::unique_ptr<MatmulCore> core =
      (usesTensorCores ? createMmaCore : createSimtCore)(
          b, grid, type, left, right, plan.b.reducesColumns);
  return multiplyPipelined(
      b, leftLoader, rightLoader, range,
      SmallVector<Value>(grid.threadRows() * grid.threadColumns(), b.f32(0.0)),
      [&](Value leftOffset, Value rightOffset, ValueRange sums) {
        return core->multiply(leftOffset, rightOffset, sums);
      });
}

void TileKernel::finish(ValueRange sums, ArrayRef<SharedStatistics> merged) {
  Fragment fragment = this->fragment();
  Evaluator evaluator(b, plan, inputs, fragment);
  evaluator.setMergedStatistics(merged);
  evaluator.setAccumulators(sums);
  evaluator.store(outputsOf(b, plan));
}

/// One kernel that does all.
static Kernel buildFused(GroupPlan &plan, ModuleOp module, StringRef name,
                         const Tiling &tiling, bool usesTensorCores) {
  TileKernel kernel(plan, module, name, tiling, argumentTypes(plan));
  SmallVector<GroupPlan::Merge> merges = plan.leftMerges;
  for (const GroupPlan::Merge &merge : plan.merges)
    if (!llvm::is_contained(merges, merge))
      merges.push_back(merge);
  SmallVector<SharedStatistics> merged = kernel.merge(merges);
  ReductionSplit whole(depthTiles(plan, tiling.grid), /*count=*/1);
  SmallVector<Value> sums = kernel.multiply(
      whole.rangeOf(kernel.builder(), Value()), usesTensorCores, merged);
  kernel.finish(sums, merged);
  return kernel.end();
}

/// The sums of each part of the reduction, in tiles of `grid`.
static Kernel buildParts(GroupPlan &plan, ModuleOp module, StringRef name,
                         const WarpGrid &grid, const ReductionSplit &split,
                         bool usesTensorCores, TypeRange arguments) {
  TileKernel kernel(plan, module, name, {grid, {plan.columns}}, arguments);
  KernelBuilder &b = kernel.builder();
  Value part = b.block(gpu::Dimension::y);
  SmallVector<SharedStatistics> merged = kernel.merge(plan.leftMerges);
  SmallVector<Value> sums =
      kernel.multiply(split.rangeOf(b, part), usesTensorCores, merged);
  storePartialSums(b, kernel.fragment(), sums, b.argument(arguments.size() - 1),
                   part, kernel.rowCount(), plan.columns);
  return kernel.end(split.count);
}

/// What is computed of the totals of `splits` parts.
static Kernel buildTotals(GroupPlan &plan, ModuleOp module, StringRef name,
                          int64_t splits, TypeRange arguments) {
  // There is nothing to multiply: the smallest tiles are the most blocks.
  TileKernel kernel(plan, module, name, *chooseTiling(plan, /*rows=*/1),
                    arguments);
  KernelBuilder &b = kernel.builder();
  SmallVector<SharedStatistics> merged = kernel.merge(plan.merges);
  SmallVector<Value> sums =
      addPartialSums(b, kernel.fragment(), b.argument(arguments.size() - 1),
                     splits, kernel.rowCount(), plan.columns);
  kernel.finish(sums, merged);
  return kernel.end();
}

FailureOr<SmallVector<Kernel>>
kernel::buildMatmulKernels(GroupPlan &plan, ModuleOp module, StringRef name,
                           const MatmulOptions &options) {
  std::optional<int64_t> rows;
  if (auto constant = dyn_cast<AffineConstantExpr>(plan.rows))
    rows = constant.getValue();
  FailureOr<Tiling> tiling = chooseTiling(plan, rows);
  if (failed(tiling))
    return failure();
  FloatType type = plan.getOperandType();
  bool usesTensorCores =
      !type.isF32() || options.precision == F32Precision::TF32;

  // Sums of parts need no columns to be in one tile.
  WarpGrid grid = gridsFor(rows).front();
  int64_t depth = depthTiles(plan, grid);
  ReductionSplit split(depth, std::max<int64_t>(options.splits, 1));
  if (options.splits == 0 && rows)
    split = chooseSplit(llvm::divideCeil(*rows, grid.tileRows()) *
                            llvm::divideCeil(plan.columns, grid.tileColumns()),
                        depth, options.multiprocessors);
  // The workspace is of one matrix.
  if (split.count == 1 || plan.isBatched())
    return SmallVector<Kernel>{
        buildFused(plan, module, name, *tiling, usesTensorCores)};

  SmallVector<Type> arguments = argumentTypes(plan);
  arguments.push_back(MemRefType::get({}, Float32Type::get(type.getContext())));
  return SmallVector<Kernel>{
      buildParts(plan, module, (name + kSplitSuffix).str(), grid, split,
                 usesTensorCores, arguments),
      buildTotals(plan, module, name, split.count, arguments)};
}
