//===- TilingInterfaceImpl.cpp - Tiling of the norm dialect ---------------===//

#include "renorm/Dialect/Norm/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

using utils::IteratorType;

namespace {
/// A box of a tensor: one range for each dimension, of stride 1.
using Tile = SmallVector<Range>;

/// Makes the remark that says why a tile is refused; null where nobody asked.
using EmitRemark = function_ref<InFlightDiagnostic()>;
} // namespace

static LogicalResult refuse(EmitRemark emitRemark, const Twine &why) {
  if (emitRemark)
    emitRemark() << "is not tiled: " << why;
  return failure();
}

/// Whether `size`, that of a tile within dimension `dim` of `tensor`, is known
/// to be the whole extent. (The offset is then 0.)
static bool isWhole(OpFoldResult size, Value tensor, int64_t dim) {
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  std::optional<int64_t> constant = getConstantIntValue(size);
  if (constant && ShapedType::isStatic(extent))
    return *constant == extent;
  FailureOr<bool> equal =
      ValueBoundsConstraintSet::areEqual(size, {tensor, dim});
  return succeeded(equal) && *equal;
}

/// The range of all of dimension `dim` of `tensor`.
static Range wholeRange(OpBuilder &b, Location loc, Value tensor, int64_t dim) {
  return {b.getIndexAttr(0), tensor::getMixedSize(b, loc, tensor, dim),
          b.getIndexAttr(1)};
}

/// Whether `value` is known to be a multiple of `factor`: a constant, the
/// induction variable of a loop, or an affine function of such.
static bool isMultipleOf(OpFoldResult value, int64_t factor) {
  if (factor == 1)
    return true;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % factor == 0;
  auto variable = cast<Value>(value);
  if (auto argument = dyn_cast<BlockArgument>(variable)) {
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(
        argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    auto variables = loop.getLoopInductionVars();
    auto bounds = loop.getLoopLowerBounds(), steps = loop.getLoopSteps();
    if (!variables || !bounds || !steps)
      return false;
    for (auto [induction, bound, step] :
         llvm::zip_equal(*variables, *bounds, *steps))
      if (induction == variable)
        return isMultipleOf(bound, factor) && isMultipleOf(step, factor);
    return false;
  }

  AffineMap map;
  ValueRange operands;
  if (auto apply = variable.getDefiningOp<affine::AffineApplyOp>()) {
    map = apply.getAffineMap();
    operands = apply.getMapOperands();
  } else if (auto minimum = variable.getDefiningOp<affine::AffineMinOp>()) {
    map = minimum.getAffineMap();
    operands = minimum.getMapOperands();
  } else {
    return false;
  }
  // A multiple is `factor` times something: put that into the expressions.
  SmallVector<AffineExpr> dims, symbols;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    bool isDim = index < map.getNumDims();
    AffineExpr expr =
        isDim ? getAffineDimExpr(index, map.getContext())
              : getAffineSymbolExpr(index - map.getNumDims(), map.getContext());
    (isDim ? dims : symbols)
        .push_back(isMultipleOf(operand, factor) ? expr * factor : expr);
  }
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    return expr.replaceDimsAndSymbols(dims, symbols).isMultipleOf(factor);
  });
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static SmallVector<IteratorType> iteratorTypes(NormalizationOpInterface op) {
  SmallVector<IteratorType> types(op.getInput().getType().getRank(),
                                  IteratorType::parallel);
  for (int64_t axis : op.getNormalizedAxes())
    types[axis] = IteratorType::reduction;
  return types;
}

/// Succeeds if operations on slices compute `tile` of the result.
static LogicalResult checkTile(NormalizationOpInterface op,
                               ArrayRef<Range> tile, EmitRemark emitRemark) {
  for (int64_t axis : op.getNormalizedAxes())
    if (!isWhole(tile[axis].size, op.getInput(), axis))
      return refuse(emitRemark, "expected a tile to hold all of dimension " +
                                    Twine(axis) + ", which is normalized");
  return success();
}

/// What of each operand is needed for `tile` of the result.
static SmallVector<Tile> operandTiles(OpBuilder &, NormalizationOpInterface op,
                                      ArrayRef<Range> tile) {
  SmallVector<Tile> tiles = {Tile(tile)};
  for (Value parameter : {op.getScale(), op.getBias()}) {
    if (!parameter)
      continue;
    Tile &parameterTile = tiles.emplace_back();
    if (cast<RankedTensorType>(parameter.getType()).getRank() != 0)
      for (int64_t dim : op.getScaleDimensions())
        parameterTile.push_back(tile[dim]);
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// The two halves of a norm
//===----------------------------------------------------------------------===//

static SmallVector<IteratorType> iteratorTypes(RowStatsOp op) {
  auto type = cast<RankedTensorType>(op.getStatistics().front().getType());
  SmallVector<IteratorType> types(type.getRank(), IteratorType::parallel);
  if (op.getGroupSize())
    types.back() = IteratorType::reduction;
  return types;
}

static LogicalResult checkTile(RowStatsOp op, ArrayRef<Range> tile,
                               EmitRemark emitRemark) {
  if (!op.getGroupSize() ||
      isWhole(tile.back().size, op.getStatistics().front(), tile.size() - 1))
    return success();
  return refuse(emitRemark, "expected a tile to hold all groups");
}

static SmallVector<Tile> operandTiles(OpBuilder &b, RowStatsOp op,
                                      ArrayRef<Range> tile) {
  Tile input;
  SmallVector<int64_t> axes = op.getReducedAxes();
  for (int64_t dim = 0; dim < op.getInput().getType().getRank(); ++dim) {
    if (llvm::is_contained(axes, dim)) {
      input.push_back(wholeRange(b, op.getLoc(), op.getInput(), dim));
      continue;
    }
    input.push_back(tile.front());
    tile = tile.drop_front();
  }
  return {input};
}

static SmallVector<IteratorType> iteratorTypes(MergeStatsOp op) {
  auto type = cast<RankedTensorType>(op.getStatistics().front().getType());
  return SmallVector<IteratorType>(type.getRank(), IteratorType::parallel);
}

static LogicalResult checkTile(MergeStatsOp, ArrayRef<Range>, EmitRemark) {
  return success();
}

static SmallVector<Tile> operandTiles(OpBuilder &b, MergeStatsOp op,
                                      ArrayRef<Range> tile) {
  Tile partial(tile);
  partial.push_back(
      wholeRange(b, op.getLoc(), op.getPartials().front(), tile.size()));
  return SmallVector<Tile>(op.getPartials().size(), partial);
}

static SmallVector<IteratorType> iteratorTypes(ApplyStatsOp op) {
  return SmallVector<IteratorType>(op.getType().getRank(),
                                   IteratorType::parallel);
}

static LogicalResult checkTile(ApplyStatsOp, ArrayRef<Range>, EmitRemark) {
  return success();
}

static SmallVector<Tile> operandTiles(OpBuilder &, ApplyStatsOp op,
                                      ArrayRef<Range> tile) {
  SmallVector<Tile> tiles = {Tile(tile)};
  SmallVector<int64_t> axes = op.getReducedAxes();
  Tile statistic;
  for (auto [dim, range] : llvm::enumerate(tile))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      statistic.push_back(range);
  tiles.append(op.getStatistics().size(), statistic);
  for (Value parameter : {op.getColumnSums(), op.getScale(), op.getBias()}) {
    if (!parameter)
      continue;
    Tile &parameterTile = tiles.emplace_back();
    if (cast<RankedTensorType>(parameter.getType()).getRank() != 0)
      for (int64_t dim : op.getScaleDimensions())
        parameterTile.push_back(tile[dim]);
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// ResidualAddOp
//===----------------------------------------------------------------------===//

static SmallVector<IteratorType> iteratorTypes(ResidualAddOp op) {
  return SmallVector<IteratorType>(op.getType().getRank(),
                                   IteratorType::parallel);
}

static LogicalResult checkTile(ResidualAddOp, ArrayRef<Range>, EmitRemark) {
  return success();
}

static SmallVector<Tile> operandTiles(OpBuilder &, ResidualAddOp,
                                      ArrayRef<Range> tile) {
  return {Tile(tile), Tile(tile)};
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

/// Whether some of the queries can be attended to by the same operation.
///
/// It aligns the last query with the last key. That is right for a tile, too,
/// if its keys end with the one that its last query is aligned with. The keys
/// after it are seen by no query of a causal tile. With at least as many keys
/// as queries there is one to align each query with.
static bool canTileQueries(AttentionOp op) {
  if (!op.getCausal())
    return !op.getWindow();
  int64_t dim = op.getType().getRank() - 2;
  return ValueBoundsConstraintSet::compare(
      {op.getKey(), dim}, ValueBoundsConstraintSet::GE, {op.getQuery(), dim});
}

namespace {
/// What a range of the query's heads reads of the key's and value's.
enum class KeyValueHeads { All, WholeGroups, OneGroup, Unknown };
} // namespace

static KeyValueHeads keyValueHeadsOf(AttentionOp op, Range heads) {
  int64_t count = op.getKeyValueHeads();
  if (count == 1 ||
      isWhole(heads.size, op.getQuery(), op.getType().getRank() - 3))
    return KeyValueHeads::All;
  if (count <= 0 || ShapedType::isDynamic(op.getHeads()))
    return KeyValueHeads::Unknown;
  int64_t group = op.getHeads() / count;
  if (isMultipleOf(heads.offset, group) && isMultipleOf(heads.size, group))
    return KeyValueHeads::WholeGroups;
  std::optional<int64_t> size = getConstantIntValue(heads.size);
  if (size && *size > 0 && group % *size == 0 &&
      isMultipleOf(heads.offset, *size))
    return KeyValueHeads::OneGroup;
  return KeyValueHeads::Unknown;
}

static SmallVector<IteratorType> iteratorTypes(AttentionOp op) {
  SmallVector<IteratorType> types(op.getType().getRank(),
                                  IteratorType::parallel);
  if (!canTileQueries(op))
    types.end()[-2] = IteratorType::reduction;
  return types;
}

static LogicalResult checkTile(AttentionOp op, ArrayRef<Range> tile,
                               EmitRemark emitRemark) {
  int64_t headsDim = tile.size() - 3, queriesDim = tile.size() - 2;
  if (keyValueHeadsOf(op, tile[headsDim]) == KeyValueHeads::Unknown)
    return refuse(emitRemark,
                  "expected a tile to hold whole groups of the query heads "
                  "that share a key head, or to divide one");
  if (isWhole(tile[queriesDim].size, op.getQuery(), queriesDim) ||
      canTileQueries(op))
    return success();
  return refuse(emitRemark,
                op.getCausal()
                    ? "expected a tile to hold all queries, because they are "
                      "not known to be at most as many as the keys"
                    : "expected a tile to hold all queries, because 'window' "
                      "without 'causal' counts from the last one");
}

/// What of the mask, in the dimension `dim` of `mask`, a range of the logits
/// reads that is `isAll` of theirs.
static Range maskRange(OpBuilder &b, Location loc, Value mask, int64_t dim,
                       Range logits, bool isAll) {
  int64_t extent = cast<RankedTensorType>(mask.getType()).getDimSize(dim);
  if (extent == 1 || isAll)
    return wholeRange(b, loc, mask, dim);
  if (ShapedType::isStatic(extent))
    return logits;
  // An extent that is 1 at run time stands for all; no other is less than the
  // end of the range.
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  OpFoldResult dynamic = tensor::getMixedSize(b, loc, mask, dim);
  OpFoldResult size = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(2, 0, {d0, d1}, b.getContext()),
      {dynamic, logits.size});
  AffineExpr d2 = b.getAffineDimExpr(2);
  OpFoldResult offset = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(3, 0, {d0, d1 - d2}, b.getContext()),
      {logits.offset, dynamic, size});
  return {offset, size, b.getIndexAttr(1)};
}

static SmallVector<Tile> operandTiles(OpBuilder &b, AttentionOp op,
                                      ArrayRef<Range> tile) {
  Location loc = op.getLoc();
  int64_t rank = tile.size(), headsDim = rank - 3, queriesDim = rank - 2,
          lastDim = rank - 1;
  Range heads = tile[headsDim], queries = tile[queriesDim];

  AffineExpr d0, d1, d2, d3;
  bindDims(b.getContext(), d0, d1, d2, d3);
  Range keyHeads = wholeRange(b, loc, op.getKey(), headsDim);
  KeyValueHeads reads = keyValueHeadsOf(op, heads);
  if (reads != KeyValueHeads::All) {
    AffineExpr quotient = d0.floorDiv(op.getHeads() / op.getKeyValueHeads());
    keyHeads.offset =
        affine::makeComposedFoldedAffineApply(b, loc, quotient, {heads.offset});
    keyHeads.size = reads == KeyValueHeads::OneGroup
                        ? b.getIndexAttr(1)
                        : affine::makeComposedFoldedAffineApply(
                              b, loc, quotient, {heads.size});
  }

  Range keys = wholeRange(b, loc, op.getKey(), queriesDim);
  bool allQueries = isWhole(queries.size, op.getQuery(), queriesDim);
  bool allKeys = !op.getCausal() || allQueries;
  if (!allKeys)
    keys.size = affine::makeComposedFoldedAffineApply(
        b, loc, d0 - d1 + d2 + d3,
        {keys.size, tensor::getMixedSize(b, loc, op.getQuery(), queriesDim),
         queries.offset, queries.size});

  Tile query(tile), key(tile), value(tile), logits(tile);
  query[lastDim] = wholeRange(b, loc, op.getQuery(), lastDim);
  key[headsDim] = value[headsDim] = keyHeads;
  key[queriesDim] = value[queriesDim] = logits[lastDim] = keys;
  key[lastDim] = wholeRange(b, loc, op.getKey(), lastDim);

  SmallVector<Tile> tiles = {query, key, value};
  if (Value mask = op.getMask()) {
    Tile &maskTile = tiles.emplace_back();
    int64_t maskRank = op.getMask().getType().getRank();
    for (int64_t dim = 0; dim < maskRank; ++dim) {
      int64_t logitsDim = rank - maskRank + dim;
      Range range = logits[logitsDim];
      bool isAll = logitsDim == lastDim
                       ? allKeys
                       : isWhole(range.size, op.getQuery(), logitsDim);
      maskTile.push_back(maskRange(b, loc, mask, dim, range, isAll));
    }
  }
  if (op.getLearnedScale()) {
    Tile &scaleTile = tiles.emplace_back();
    if (op.getLearnedScale().getType().getRank() == 1)
      scaleTile.push_back(heads);
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// `op` on slices of its operands.
static TilingResult createTiled(OpBuilder &b, Operation *op,
                                ArrayRef<Tile> tiles) {
  TilingResult result;
  SmallVector<Value> operands;
  for (auto [operand, tile] : llvm::zip_equal(op->getOperands(), tiles)) {
    auto type = cast<RankedTensorType>(operand.getType());
    bool isAll = llvm::all_of_zip(
        tile, type.getShape(), [](const Range &range, int64_t extent) {
          return getConstantIntValue(range.size) == extent;
        });
    if (isAll) {
      operands.push_back(operand);
      continue;
    }
    auto slice = tensor::ExtractSliceOp::create(b, op->getLoc(), operand, tile);
    operands.push_back(slice);
    result.generatedSlices.push_back(slice);
  }

  SmallVector<Type> types;
  if (auto inferable = dyn_cast<InferTypeOpInterface>(op)) {
    LogicalResult inferred = inferable.inferReturnTypes(
        op->getContext(), op->getLoc(), operands, op->getAttrDictionary(),
        op->getPropertiesStorage(), op->getRegions(), types);
    assert(succeeded(inferred) && "the operation is valid on slices");
    (void)inferred;
  } else {
    // The result has the shape of the first operand.
    auto type = cast<RankedTensorType>(operands.front().getType());
    types.push_back(type.clone(getElementTypeOrSelf(op->getResult(0))));
  }
  Operation *tiled = mlir::clone(b, op, types, operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

namespace {
/// The loops are the dimensions of the results, which have one shape.
template <typename OpTy>
struct TilingModel
    : public TilingInterface::ExternalModel<TilingModel<OpTy>, OpTy> {
  using Extents = ArrayRef<OpFoldResult>;

  SmallVector<IteratorType> getLoopIteratorTypes(Operation *op) const {
    return iteratorTypes(cast<OpTy>(op));
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    ReifiedRankedShapedTypeDims shapes;
    LogicalResult reified = reifyResultShapes(b, op, shapes);
    assert(succeeded(reified) && "every result's shape can be reified");
    (void)reified;
    return llvm::map_to_vector(shapes.front(), [&](OpFoldResult size) {
      return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
    });
  }

  FailureOr<TilingResult> getTiledImplementation(Operation *op, OpBuilder &b,
                                                 Extents offsets,
                                                 Extents sizes) const {
    Tile tile = toTile(b, offsets, sizes);
    auto emitRemark = [&]() {
      return op->emitRemark() << '\'' << op->getName() << "' op ";
    };
    if (failed(checkTile(cast<OpTy>(op), tile, emitRemark)))
      return failure();
    return createTiled(b, op, operandTiles(b, cast<OpTy>(op), tile));
  }

  LogicalResult
  getResultTilePosition(Operation *, OpBuilder &, unsigned, Extents offsets,
                        Extents sizes, SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult> generateResultTileValue(Operation *op, OpBuilder &b,
                                                  unsigned resultNumber,
                                                  Extents offsets,
                                                  Extents sizes) const {
    FailureOr<TilingResult> result =
        getTiledImplementation(op, b, offsets, sizes);
    if (succeeded(result))
      result->tiledValues = {result->tiledValues[resultNumber]};
    return result;
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *, OpBuilder &, unsigned, Extents offsets, Extents sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  bool isOpFusableWithConsumerSlice(Operation *op, unsigned, Extents offsets,
                                    Extents sizes) const {
    Builder b(op->getContext());
    return succeeded(checkTile(cast<OpTy>(op), toTile(b, offsets, sizes), {}));
  }

private:
  static Tile toTile(Builder &b, Extents offsets, Extents sizes) {
    Tile tile;
    for (auto [offset, size] : llvm::zip_equal(offsets, sizes))
      tile.push_back({offset, size, b.getIndexAttr(1)});
    return tile;
  }
};
} // namespace

void norm::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NormDialect *) {
    // What tiled operations are made of.
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         tensor::TensorDialect>();
    LayerNormOp::attachInterface<TilingModel<LayerNormOp>>(*context);
    RMSNormOp::attachInterface<TilingModel<RMSNormOp>>(*context);
    L2NormOp::attachInterface<TilingModel<L2NormOp>>(*context);
    RowStatsOp::attachInterface<TilingModel<RowStatsOp>>(*context);
    MergeStatsOp::attachInterface<TilingModel<MergeStatsOp>>(*context);
    ApplyStatsOp::attachInterface<TilingModel<ApplyStatsOp>>(*context);
    ResidualAddOp::attachInterface<TilingModel<ResidualAddOp>>(*context);
    AttentionOp::attachInterface<TilingModel<AttentionOp>>(*context);
  });
}
