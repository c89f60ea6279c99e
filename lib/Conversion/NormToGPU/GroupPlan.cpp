//===- GroupPlan.cpp - What a kernel for a group computes -----------------===//

#include "GroupPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "renorm/Analysis/RowReduction.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

FloatType GroupPlan::getOperandType() {
  return cast<FloatType>(
      cast<RankedTensorType>(a.tensor.getType()).getElementType());
}

static LogicalResult refuse(Location loc, const Twine &why) {
  emitRemark(loc) << "not made a kernel: " << why;
  return failure();
}

static bool isSupported(Type element) {
  return element.isF32() || element.isBF16() || element.isF16();
}

/// Whether a kernel can load elements of an input of this type: of a mask, or
/// of indices of a table, too.
static bool isLoadable(Type element) {
  return isSupported(element) || element.isInteger(1) ||
         element.isInteger(32) || element.isInteger(64);
}

namespace {
/// Makes a plan, in the order in which it is called.
class Planner {
public:
  explicit Planner(FusionOp fusion) : plan(fusion) {}

  FailureOr<GroupPlan> make();

private:
  /// The rows and columns of a value with `axes` as its columns, and where its
  /// elements are.
  FailureOr<AffineMap> layOut(Value tensor, ArrayRef<int64_t> axes);
  LogicalResult planRoot();
  LogicalResult planRows();
  /// `loops` are the indices of the root's loops that are batches or rows.
  LogicalResult planMatrix(OpOperand &operand, MatrixOperand &matrix,
                           ArrayRef<AffineExpr> loops, bool isRight);
  /// Finds where the elements of each result are, from those of the root or of
  /// what is normalized.
  LogicalResult planResults();
  /// What has an element of its own.
  enum class Spread { Nothing, Rows, RowsAndColumns };
  /// Says where the elements of `value` are, and those that it is computed of.
  void place(Value value, AffineMap indices, Spread spread);
  /// The same for the results of `op`, of what is known of its operands.
  void placeResults(Operation &op);
  /// A value of the same shape whose place is known, where `concat` puts
  /// together what is computed of parts of it.
  Value findSlicedSource(tensor::ConcatOp concat);

  /// What part of the kernel computes a value.
  enum class Part { Left, Right, Epilogue };
  /// Whether the kernel can compute the elements `indices` of `value`.
  LogicalResult check(Value value, AffineMap indices, Part part);
  LogicalResult checkOperation(OpResult value, AffineMap indices, Part part);
  LogicalResult checkScalars(Operation *op);
  LogicalResult checkReduction(Operation *op, AffineMap indices, Part part);
  LogicalResult checkRowReduction(linalg::LinalgOp op, AffineMap indices,
                                  Part part);
  LogicalResult checkMerge(MergeStatsOp op, AffineMap indices, Part part);
  LogicalResult checkSlice(tensor::ExtractSliceOp op, AffineMap source,
                           Part part);

  GroupPlan plan;
  DenseMap<Value, AffineMap> places;
  DenseMap<Value, Spread> spreads;
  DenseSet<std::tuple<Value, AffineMap, int>> checked;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows and columns
//===----------------------------------------------------------------------===//

FailureOr<AffineMap> Planner::layOut(Value tensor, ArrayRef<int64_t> axes) {
  std::optional<SmallVector<AffineExpr>> extents = plan.extents.of(tensor);
  if (!extents)
    return refuse(tensor.getLoc(),
                  "an extent is not a function of those of the inputs");
  int64_t rank = extents->size(), outer = rank - axes.size();
  for (auto [position, axis] : llvm::enumerate(axes))
    if (axis != outer + static_cast<int64_t>(position))
      return refuse(tensor.getLoc(),
                    "what is normalized is not the last dimensions");
  MLIRContext *context = tensor.getContext();
  ArrayRef<AffineExpr> all = *extents;
  AffineExpr columns = product(context, all.drop_front(outer));
  auto constant = dyn_cast<AffineConstantExpr>(columns);
  if (!constant)
    return refuse(tensor.getLoc(), "the number of columns is dynamic");
  plan.rows = product(context, all.take_front(outer));
  plan.columns = constant.getValue();
  plan.extents.setShape(plan.rows, plan.columns);
  SmallVector<AffineExpr> indices =
      delinearize(getAffineDimExpr(0, context), all.take_front(outer));
  llvm::append_range(indices, delinearize(getAffineDimExpr(1, context),
                                          all.drop_front(outer)));
  return plan.extents.map(indices);
}

LogicalResult Planner::planMatrix(OpOperand &operand, MatrixOperand &matrix,
                                  ArrayRef<AffineExpr> known, bool isRight) {
  MLIRContext *context = plan.root.getContext();
  AffineExpr row = getAffineDimExpr(0, context),
             column = getAffineDimExpr(1, context);
  SmallVector<unsigned> reductions;
  plan.root.getReductionDims(reductions);
  // The loops of the root as functions of the matrix's row, with the reduction
  // along its columns or the other way round.
  auto loops = [&](bool reducesColumns) {
    SmallVector<AffineExpr> exprs;
    for (unsigned loop = 0, e = plan.root.getNumLoops(); loop < e; ++loop) {
      if (loop == reductions.front())
        exprs.push_back(reducesColumns ? column : row);
      else if (known[loop])
        exprs.push_back(known[loop]);
      else
        exprs.push_back(reducesColumns ? row : column);
    }
    return plan.extents.map(exprs);
  };
  AffineMap map = plan.root.getMatchingIndexingMap(&operand);
  auto isContiguous = [&](AffineMap indices) {
    auto [base, baseIndices] =
        lookThroughViews(operand.get(), indices, plan.extents);
    std::optional<SmallVector<AffineExpr>> extents = plan.extents.of(base);
    return extents && contiguousColumns(baseIndices, *extents, 2) == 2;
  };
  matrix.tensor = operand.get();
  matrix.reducesColumns = true;
  matrix.indices = map.compose(loops(true));
  if (!isRight || isContiguous(matrix.indices))
    return success();
  if (AffineMap other = map.compose(loops(false)); isContiguous(other)) {
    matrix.indices = other;
    matrix.reducesColumns = false;
  }
  return success();
}

LogicalResult Planner::planRoot() {
  plan.root = cast<linalg::LinalgOp>(plan.fusion.getRoot());
  Location loc = plan.root.getLoc();
  if (plan.root.getNumReductionLoops() != 1 ||
      plan.root.getNumDpsInputs() != 2 || plan.root->getNumResults() != 1)
    return refuse(loc, "the contraction does not have one reduction");
  AffineMap output =
      plan.root.getMatchingIndexingMap(plan.root.getDpsInitOperand(0));
  AffineMap left =
      plan.root.getMatchingIndexingMap(plan.root.getDpsInputOperand(0));
  if (!output.isProjectedPermutation() || output.getNumResults() < 2)
    return refuse(loc, "the contraction is not a product of matrices");
  for (OpOperand &operand : plan.root->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || !isSupported(type.getElementType()))
      return refuse(loc, "a type other than f32, bf16 and f16");
  }
  for (Operation &op : *plan.root.getBlock())
    if (isa<arith::TruncFOp>(op))
      return refuse(op.getLoc(), "the contraction rounds what it multiplies");
  if (getElementTypeOrSelf(plan.root->getOperand(0)) !=
      getElementTypeOrSelf(plan.root->getOperand(1)))
    return refuse(loc, "the operands of the contraction differ in type");

  // The last dimension of the result is the right-hand side's; the others are
  // the left-hand side's, or of both.
  unsigned columnLoop =
      cast<AffineDimExpr>(output.getResults().back()).getPosition();
  unsigned first = left.isFunctionOfDim(columnLoop) ? 1 : 0;
  OpOperand *leftOperand = plan.root.getDpsInputOperand(first),
            *rightOperand = plan.root.getDpsInputOperand(1 - first);
  left = plan.root.getMatchingIndexingMap(leftOperand);
  AffineMap right = plan.root.getMatchingIndexingMap(rightOperand);
  if (left.isFunctionOfDim(columnLoop))
    return refuse(loc, "the last dimension of the contraction's result is one "
                       "of both operands");
  Value result = plan.root->getResult(0);
  std::optional<SmallVector<AffineExpr>> extents = plan.extents.of(result);
  if (!extents)
    return refuse(loc, "an extent is not a function of those of the inputs");
  auto columns = dyn_cast<AffineConstantExpr>(extents->back());
  if (!columns)
    return refuse(loc, "the number of columns is dynamic");
  SmallVector<int64_t> batchDims, rowDims;
  SmallVector<AffineExpr> batchExtents, rowExtents;
  for (auto [dim, expr] : llvm::enumerate(output.getResults().drop_back())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (!left.isFunctionOfDim(loop))
      return refuse(loc, "the contraction has columns that are not the last "
                         "dimension of its result");
    bool isBatch = right.isFunctionOfDim(loop);
    (isBatch ? batchDims : rowDims).push_back(dim);
    (isBatch ? batchExtents : rowExtents).push_back((*extents)[dim]);
  }
  MLIRContext *context = plan.root.getContext();
  plan.batches = product(context, batchExtents);
  plan.rows = product(context, rowExtents);
  plan.columns = columns.getValue();
  plan.extents.setShape(plan.rows, plan.columns);

  // Where the elements of the result are, and what its loops are there.
  SmallVector<AffineExpr> indices(
      output.getNumResults(),
      delinearize(getAffineDimExpr(1, context), extents->back()).front());
  SmallVector<AffineExpr> loops(plan.root.getNumLoops());
  auto spread = [&](ArrayRef<int64_t> dims, ArrayRef<AffineExpr> numbers) {
    for (auto [dim, number] : llvm::zip(dims, numbers)) {
      indices[dim] = number;
      loops[cast<AffineDimExpr>(output.getResult(dim)).getPosition()] = number;
    }
  };
  spread(batchDims, delinearize(plan.extents.getBatch(), batchExtents));
  spread(rowDims, delinearize(getAffineDimExpr(0, context), rowExtents));
  plan.rootIndices = plan.extents.map(indices);
  if (failed(planMatrix(*leftOperand, plan.a, loops, /*isRight=*/false)) ||
      failed(planMatrix(*rightOperand, plan.b, loops, /*isRight=*/true)))
    return failure();

  SmallVector<unsigned> reductions;
  plan.root.getReductionDims(reductions);
  plan.depth = plan.root.getStaticLoopRanges()[reductions.front()];
  if (ShapedType::isDynamic(plan.depth))
    return refuse(loc, "the extent of the contraction's reduction is dynamic");
  if (plan.depth == 0 || plan.columns == 0)
    return refuse(loc, "the contraction is of no elements");
  place(result, plan.rootIndices, Spread::RowsAndColumns);
  return success();
}

LogicalResult Planner::planRows() {
  // What is normalized says what a row is, else what is applied.
  for (Operation &op : plan.fusion.getBody().front()) {
    Value input;
    SmallVector<int64_t> axes;
    if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
      input = norm.getInput();
      axes = norm.getNormalizedAxes();
    } else if (auto stats = dyn_cast<RowStatsOp>(op)) {
      input = stats.getInput();
      axes = stats.getReducedAxes();
    } else if (auto apply = dyn_cast<ApplyStatsOp>(op);
               apply && plan.columns == 0) {
      input = apply.getInput();
      axes = apply.getReducedAxes();
    } else if (std::optional<RowReduction> reduction = matchRowReduction(&op)) {
      input = reduction->input->get();
      axes = reduction->getReducedAxes();
    } else {
      continue;
    }
    FailureOr<AffineMap> indices = layOut(input, axes);
    if (failed(indices))
      return failure();
    places.clear();
    spreads.clear();
    place(input, *indices, Spread::RowsAndColumns);
    if (!isa<ApplyStatsOp>(op))
      return success();
  }
  if (plan.columns == 0)
    return refuse(plan.fusion.getLoc(),
                  "nothing is normalized, reduced or multiplied");
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether `operand` has an element of its own for each of the result.
static bool isBijective(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getMatchingIndexingMap(&operand).isPermutation();
  return operand.getOperandNumber() == 0 || isa<ResidualAddOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

void Planner::place(Value value, AffineMap indices, Spread spread) {
  if (!places.try_emplace(value, indices).second)
    return;
  spreads[value] = spread;
  auto result = dyn_cast<OpResult>(value);
  // What a slice or a concatenation reads is at other columns.
  if (!result || result.getOwner() == plan.root.getOperation() ||
      isa<tensor::ExtractSliceOp, tensor::ConcatOp>(result.getOwner()))
    return;
  std::optional<SmallVector<AffineMap>> maps = operandMaps(
      result.getOwner(), result.getResultNumber(), indices, plan.extents);
  if (!maps)
    return;
  for (auto [operand, map] :
       llvm::zip(result.getOwner()->getOpOperands(), *maps))
    if (map)
      place(operand.get(), map,
            isBijective(operand) ? spread : Spread::Nothing);
}

Value Planner::findSlicedSource(tensor::ConcatOp concat) {
  std::optional<SmallVector<AffineExpr>> extents = plan.extents.of(concat);
  if (!extents)
    return {};
  SmallVector<Operation *> worklist = {concat};
  DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    for (Value operand : op->getOperands()) {
      if (isa<tensor::ExtractSliceOp>(op) && places.contains(operand) &&
          operand.getType() == concat.getType() &&
          plan.extents.of(operand) == extents)
        return operand;
      if (Operation *source = operand.getDefiningOp())
        worklist.push_back(source);
    }
  }
  return {};
}

void Planner::placeResults(Operation &op) {
  auto known = [&](Value value) { return places.lookup(value); };
  auto placeAll = [&](AffineMap map, Value like) {
    for (Value result : op.getResults())
      place(result, map, spreads.lookup(like));
  };
  if (auto stats = dyn_cast<RowStatsOp>(op)) {
    AffineMap input = known(stats.getInput());
    if (!input)
      return;
    SmallVector<int64_t> axes = stats.getReducedAxes();
    SmallVector<AffineExpr> indices;
    for (auto [dim, expr] : llvm::enumerate(input.getResults()))
      if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
        indices.push_back(expr);
    if (std::optional<uint64_t> size = stats.getGroupSize())
      indices.push_back(
          input.getResult(axes.front()).floorDiv(static_cast<int64_t>(*size)));
    return placeAll(plan.extents.map(indices), Value());
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    if (AffineMap input = known(op.getOperand(0)))
      if (std::optional<AffineMap> map = reshapedMap(&op, input, plan.extents))
        placeAll(*map, op.getOperand(0));
    return;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    if (Value source = findSlicedSource(concat))
      placeAll(places.lookup(source), source);
    return;
  }
  if (std::optional<RowReduction> reduction = matchRowReduction(&op)) {
    Value source = reduction->input->get();
    auto linalgOp = cast<linalg::LinalgOp>(op);
    AffineMap input = known(source);
    if (!input)
      return;
    AffineMap loops =
        inversePermutation(linalgOp.getMatchingIndexingMap(reduction->input))
            .compose(input);
    Spread spread = spreads.lookup(source) == Spread::RowsAndColumns
                        ? Spread::Rows
                        : Spread::Nothing;
    return place(
        op.getResult(0),
        linalgOp.getIndexingMapMatchingResult(op.getResult(0)).compose(loops),
        spread);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      AffineMap input = known(operand->get()),
                map = linalgOp.getMatchingIndexingMap(operand);
      if (!input || !map.isPermutation() ||
          linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
        continue;
      AffineMap loops = inversePermutation(map).compose(input);
      for (OpResult result : op.getResults())
        place(result,
              linalgOp.getIndexingMapMatchingResult(result).compose(loops),
              spreads.lookup(operand->get()));
      return;
    }
    return;
  }
  if (isa<tensor::CastOp, ResidualAddOp, NormalizationOpInterface,
          ApplyStatsOp>(op)) {
    size_t operands = isa<ResidualAddOp>(op) ? 2 : 1;
    for (Value operand : op.getOperands().take_front(operands))
      if (AffineMap input = known(operand))
        return placeAll(input, operand);
    return;
  }
  if (OpTrait::hasElementwiseMappableTraits(&op))
    for (Value operand : op.getOperands())
      if (AffineMap input = known(operand))
        return placeAll(input, operand);
}

LogicalResult Planner::planResults() {
  for (Operation &op : plan.fusion.getBody().front().without_terminator())
    if (&op != plan.root.getOperation())
      placeResults(op);
  for (auto [result, value] :
       llvm::zip(plan.fusion.getResults(), plan.fusion.getYieldedValues())) {
    AffineMap indices = places.lookup(value);
    std::optional<SmallVector<AffineExpr>> extents = plan.extents.of(value);
    if (!indices || !extents)
      return refuse(result.getLoc(), "a result is not a function of rows and "
                                     "columns");
    // A tensor that rows or columns share would be written by several blocks.
    auto type = cast<RankedTensorType>(value.getType());
    Spread spread = spreads.lookup(value);
    bool isOfRows =
        spread == Spread::Rows ||
        isa_and_nonnull<RowStatsOp, MergeStatsOp>(value.getDefiningOp());
    if (spread == Spread::Nothing && !isOfRows)
      return refuse(value.getLoc(), "a result does not have one element for "
                                    "each row and column");
    if (!isSupported(type.getElementType()))
      return refuse(value.getLoc(), "a type other than f32, bf16 and f16");
    plan.results.push_back({indices, isOfRows});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What can be computed
//===----------------------------------------------------------------------===//

LogicalResult Planner::checkReduction(Operation *op, AffineMap indices,
                                      Part part) {
  if (part != Part::Epilogue)
    return refuse(op->getLoc(),
                  "statistics of an operand of the contraction are not merged");
  std::optional<Reduction> reduction =
      reductionOf(op, indices, plan.extents, plan.columns);
  if (!reduction)
    return refuse(op->getLoc(), "statistics that are not of consecutive "
                                "columns of a row");
  if (reduction->columns != plan.columns && !plan.root)
    return refuse(op->getLoc(), "statistics of parts of a row");
  auto norm = dyn_cast<NormalizationOpInterface>(op);
  if (norm && !norm.getStatisticsType().isF32())
    return refuse(op->getLoc(), "statistics in a type other than f32");
  plan.reductions.push_back(*reduction);
  return check(reduction->input, reduction->indices, part);
}

LogicalResult Planner::checkRowReduction(linalg::LinalgOp op, AffineMap indices,
                                         Part part) {
  if (part != Part::Epilogue)
    return refuse(op.getLoc(), "a reduction of an operand of the contraction");
  std::optional<AffineMap> loops =
      reducingLoopIndices(op, indices, plan.extents, plan.columns);
  if (!loops)
    return refuse(op.getLoc(), "a reduction that is not one of whole rows");
  plan.reducesRows = true;
  if (failed(checkScalars(op)))
    return failure();
  for (auto [operand, map] : llvm::zip(op->getOperands(), readMaps(op, *loops)))
    if (map && failed(check(operand, map, part)))
      return failure();
  return check(op.getDpsInitOperand(0)->get(), indices, part);
}

LogicalResult Planner::checkMerge(MergeStatsOp op, AffineMap indices,
                                  Part part) {
  if (usesColumn(indices) || part == Part::Right)
    return refuse(op.getLoc(), "statistics are not those of rows");
  for (Value partial : op.getPartials())
    if (!isa<BlockArgument>(partial))
      return refuse(op.getLoc(), "statistics that are merged are not inputs");
  if (!getElementTypeOrSelf(op.getPartials().front()).isF32())
    return refuse(op.getLoc(), "statistics in a type other than f32");
  GroupPlan::Merge merge(op, indices);
  SmallVector<GroupPlan::Merge> &merges =
      part == Part::Left ? plan.leftMerges : plan.merges;
  if (!llvm::is_contained(merges, merge))
    merges.push_back(merge);
  return success();
}

LogicalResult Planner::checkSlice(tensor::ExtractSliceOp op, AffineMap source,
                                  Part part) {
  Value value = op.getSource();
  if (isa<BlockArgument>(value) ||
      value.getDefiningOp<tensor::ExtractSliceOp>())
    return check(value, source, part);
  AffineMap own = places.lookup(value);
  if (part != Part::Epilogue || !own ||
      spreads.lookup(value) != Spread::RowsAndColumns)
    return refuse(op.getLoc(), "a slice of what is not computed for each row "
                               "and column");
  int64_t group;
  if (!exchangedColumn(own, source, group))
    return refuse(op.getLoc(), "a slice of other rows or other groups of "
                               "columns");
  plan.exchanged[value] = own;
  plan.exchangedGroups.push_back(group == 0 ? plan.columns : group);
  return check(value, own, part);
}

/// Whether `value` is a number that every thread has: an input, or a constant.
static bool isUniform(Value value) {
  if (isa<ShapedType>(value.getType()))
    return false;
  return isa<BlockArgument>(value) ||
         value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

/// Whether `reader` takes an element of `value`, an input, wherever it likes.
static bool isTable(Value value, Operation &reader) {
  return isa<tensor::ExtractOp>(reader) && isa<BlockArgument>(value) &&
         isLoadable(getElementTypeOrSelf(value));
}

LogicalResult Planner::checkScalars(Operation *op) {
  // The extents of a reshape are not read.
  if (isa<tensor::ExpandShapeOp>(op))
    return success();
  for (Value operand : op->getOperands())
    if (!isa<ShapedType>(operand.getType()) && !isUniform(operand))
      return refuse(op->getLoc(), "a number that is computed in the group");
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || isa<linalg::FillOp>(op))
    return success();
  Block *body = linalgOp.getBlock();
  for (Operation &inner : *body) {
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner))
      return refuse(inner.getLoc(), "an operation with a region or an effect "
                                    "on one element");
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body && !isUniform(operand) &&
          !isTable(operand, inner))
        return refuse(inner.getLoc(),
                      "one element reads more than an element of each operand");
  }
  return success();
}

LogicalResult Planner::checkOperation(OpResult value, AffineMap indices,
                                      Part part) {
  Operation *op = value.getOwner();
  if (op == plan.root.getOperation()) {
    if (part != Part::Epilogue || indices != plan.rootIndices)
      return refuse(op->getLoc(), "the contraction's result is read at other "
                                  "rows and columns than it is computed");
    OpOperand *init = plan.root.getDpsInitOperand(0);
    return check(init->get(), indices, part);
  }
  if (auto stats = dyn_cast<RowStatsOp>(op))
    return checkReduction(op, indices, part);
  if (auto merge = dyn_cast<MergeStatsOp>(op))
    return checkMerge(merge, indices, part);
  if (matchRowReduction(op))
    return checkRowReduction(cast<linalg::LinalgOp>(op), indices, part);
  std::optional<SmallVector<AffineMap>> maps =
      operandMaps(op, value.getResultNumber(), indices, plan.extents);
  if (!maps)
    return refuse(op->getLoc(), "not an operation on single elements");
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return checkSlice(slice, maps->front(), part);
  if (isa<NormalizationOpInterface>(op) &&
      failed(checkReduction(op, indices, part)))
    return failure();
  if (auto apply = dyn_cast<ApplyStatsOp>(op);
      apply && !getElementTypeOrSelf(apply.getStatistics().front()).isF32())
    return refuse(op->getLoc(), "statistics in a type other than f32");
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && !constant.isSplat())
    return refuse(op->getLoc(), "a constant that is not an input");
  if (failed(checkScalars(op)))
    return failure();
  for (auto [operand, map] : llvm::zip(op->getOperands(), *maps))
    if (map && failed(check(operand, map, part)))
      return failure();
  return success();
}

LogicalResult Planner::check(Value value, AffineMap indices, Part part) {
  if (!checked.insert({value, indices, static_cast<int>(part)}).second)
    return success();
  auto type = cast<RankedTensorType>(value.getType());
  bool isInput = isa<BlockArgument>(value);
  if (!(isInput ? isLoadable : isSupported)(type.getElementType()))
    return refuse(value.getLoc(), "a type other than f32, bf16 and f16");
  if (isInput)
    return success();
  return checkOperation(cast<OpResult>(value), indices, part);
}

FailureOr<GroupPlan> Planner::make() {
  for (Type type : plan.fusion.getInputs().getTypes()) {
    if (isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat())
      continue;
    return refuse(plan.fusion.getLoc(), "an input that is no tensor or number");
  }
  if (failed(plan.fusion.getRoot() ? planRoot() : planRows()) ||
      failed(planResults()))
    return failure();
  if (plan.root && (failed(check(plan.a.tensor, plan.a.indices, Part::Left)) ||
                    failed(check(plan.b.tensor, plan.b.indices, Part::Right))))
    return failure();
  for (auto [value, result] :
       llvm::zip(plan.fusion.getYieldedValues(), plan.results))
    if (failed(check(value, result.indices, Part::Epilogue)))
      return failure();
  return std::move(plan);
}

FailureOr<GroupPlan> kernel::planGroup(FusionOp fusion) {
  return Planner(fusion).make();
}
