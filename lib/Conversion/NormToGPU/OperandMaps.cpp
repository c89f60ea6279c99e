//===- OperandMaps.cpp - Which elements an element is computed of ---------===//

#include "GroupPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// `indices` at the dimensions `dims`.
static AffineMap select(AffineMap indices, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> results;
  for (int64_t dim : dims)
    results.push_back(indices.getResult(dim));
  return AffineMap::get(indices.getNumDims(), indices.getNumSymbols(), results,
                        indices.getContext());
}

/// The same without the dimensions `axes`.
static AffineMap drop(AffineMap indices, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0, rank = indices.getNumResults(); dim < rank; ++dim)
    if (!llvm::is_contained(axes, dim))
      kept.push_back(dim);
  return select(indices, kept);
}

static int64_t rankOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

/// Of a parameter of a norm, which has rank 0 or the dimensions `dims`.
static AffineMap parameterMap(Value parameter, AffineMap indices,
                              ArrayRef<int64_t> dims) {
  return select(indices, rankOf(parameter) == 0 ? ArrayRef<int64_t>() : dims);
}

std::optional<AffineMap>
kernel::loopIndices(linalg::LinalgOp op, unsigned result, AffineMap indices) {
  AffineMap output = op.getIndexingMapMatchingResult(op->getResult(result));
  if (op.getNumParallelLoops() != op.getNumLoops() || !output.isPermutation())
    return std::nullopt;
  return inversePermutation(output).compose(indices);
}

std::optional<AffineMap> kernel::reducingLoopIndices(linalg::LinalgOp op,
                                                     AffineMap indices,
                                                     const Extents &extents,
                                                     int64_t columns) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<AffineExpr> sizes;
  int64_t count = 1;
  for (unsigned loop : reductions) {
    if (ShapedType::isDynamic(ranges[loop]))
      return std::nullopt;
    count *= ranges[loop];
    sizes.push_back(getAffineConstantExpr(ranges[loop], op.getContext()));
  }
  if (count != columns || usesColumn(indices))
    return std::nullopt;
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [loop, index] :
       llvm::zip(reductions,
                 delinearize(getAffineDimExpr(1, op.getContext()), sizes)))
    loops[loop] = index;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [expr, index] :
       llvm::zip(output.getResults(), indices.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = index;
  return extents.map(loops);
}

SmallVector<AffineMap> kernel::readMaps(linalg::LinalgOp op, AffineMap loops) {
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    // A scalar is read as it is.
    bool isRead = isa<RankedTensorType>(operand.get().getType()) &&
                  op.payloadUsesValueFromOperand(&operand);
    maps.push_back(isRead ? op.getMatchingIndexingMap(&operand).compose(loops)
                          : AffineMap());
  }
  return maps;
}

/// Of an operation on all dimensions of a tensor of which it merges or splits
/// some: `from` and `to` are the extents of groups of them before and after.
static AffineMap reshape(AffineMap indices, ArrayRef<AffineExpr> from,
                         ArrayRef<ReassociationIndices> groups, bool merges,
                         const Extents &extents) {
  SmallVector<AffineExpr> results;
  for (auto [position, group] : llvm::enumerate(groups)) {
    ArrayRef<AffineExpr> sizes = from.slice(group.front(), group.size());
    if (merges) {
      results.push_back(linearize(
          indices.getResults().slice(group.front(), group.size()), sizes));
    } else {
      llvm::append_range(
          results, extents.delinearize(indices.getResult(position), sizes));
    }
  }
  return extents.map(results);
}

/// The element of a reshape's result that the element `indices` of its source
/// is, or the other way round.
static std::optional<AffineMap> reshapeMap(Operation *op, AffineMap indices,
                                           bool toSource,
                                           const Extents &extents) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  Value split = expand ? Value(expand.getResult()) : collapse.getSrc();
  std::optional<SmallVector<AffineExpr>> sizes = extents.of(split);
  if (!sizes)
    return std::nullopt;
  SmallVector<ReassociationIndices> groups =
      expand ? expand.getReassociationIndices()
             : collapse.getReassociationIndices();
  bool merges = (expand != nullptr) == toSource;
  // A tensor of one element that has no dimensions on the other side.
  if (groups.empty())
    return extents.map(merges ? SmallVector<AffineExpr>()
                              : SmallVector<AffineExpr>(
                                    sizes->size(), getAffineConstantExpr(
                                                       0, op->getContext())));
  return reshape(indices, *sizes, groups, merges, extents);
}

/// Where the element `indices` of a slice is in its source. Empty for one with
/// strides, with fewer dimensions or with offsets that are not constant.
static std::optional<AffineMap> slicedMap(tensor::ExtractSliceOp slice,
                                          AffineMap indices) {
  if (!slice.hasUnitStride() ||
      slice.getType().getRank() != slice.getSourceType().getRank() ||
      llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic))
    return std::nullopt;
  SmallVector<AffineExpr> results;
  for (auto [index, offset] :
       llvm::zip(indices.getResults(), slice.getStaticOffsets()))
    results.push_back(index + offset);
  return AffineMap::get(indices.getNumDims(), indices.getNumSymbols(), results,
                        indices.getContext());
}

/// Where the elements are of which a concatenation is one: each operand is read
/// at an element that it has, also where the concatenation is of another. Empty
/// if the size of an operand is dynamic or 0.
static std::optional<SmallVector<AffineMap>>
concatenatedMaps(tensor::ConcatOp concat, AffineMap indices) {
  uint64_t dim = concat.getDim();
  int64_t offset = 0;
  SmallVector<AffineMap> maps;
  for (Value input : concat.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    // Nothing may be negative.
    int64_t shift = llvm::alignTo(offset, size) - offset;
    SmallVector<AffineExpr> results(indices.getResults());
    results[dim] = (results[dim] + shift) % size;
    maps.push_back(AffineMap::get(indices.getNumDims(), indices.getNumSymbols(),
                                  results, indices.getContext()));
    offset += size;
  }
  return maps;
}

std::optional<AffineExpr>
kernel::exchangedColumn(AffineMap own, AffineMap indices, int64_t &group) {
  AffineExpr column = getAffineDimExpr(1, own.getContext());
  std::optional<AffineExpr> exchanged;
  group = 1;
  for (auto [mine, other] : llvm::zip(own.getResults(), indices.getResults())) {
    if (mine == other)
      continue;
    if (exchanged || other.isFunctionOfDim(0) ||
        other.isFunctionOfSymbol(own.getNumSymbols() - 1))
      return std::nullopt;
    auto inGroup = dyn_cast<AffineBinaryOpExpr>(mine);
    if (mine == column) {
      group = 0;
      exchanged = other;
    } else if (inGroup && inGroup.getKind() == AffineExprKind::Mod &&
               inGroup.getLHS() == column &&
               isa<AffineConstantExpr>(inGroup.getRHS())) {
      group = cast<AffineConstantExpr>(inGroup.getRHS()).getValue();
      exchanged = column.floorDiv(group) * group + other;
    } else {
      return std::nullopt;
    }
  }
  return exchanged ? exchanged : column;
}

std::optional<AffineMap> kernel::reshapedMap(Operation *op, AffineMap indices,
                                             const Extents &extents) {
  return reshapeMap(op, indices, /*toSource=*/false, extents);
}

std::optional<SmallVector<AffineMap>>
kernel::operandMaps(Operation *op, unsigned result, AffineMap indices,
                    const Extents &extents) {
  using Maps = SmallVector<AffineMap>;
  auto withNulls = [&](AffineMap first) {
    Maps maps(op->getNumOperands());
    maps[0] = first;
    return maps;
  };

  if (isa<tensor::EmptyOp, linalg::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return Maps(op->getNumOperands());
  if (isa<tensor::CastOp>(op))
    return withNulls(indices);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    std::optional<AffineMap> source =
        reshapeMap(op, indices, /*toSource=*/true, extents);
    if (!source)
      return std::nullopt;
    return withNulls(*source);
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    std::optional<AffineMap> source = slicedMap(slice, indices);
    if (!source)
      return std::nullopt;
    return withNulls(*source);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concatenatedMaps(concat, indices);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    std::optional<AffineMap> loops = loopIndices(linalgOp, result, indices);
    if (!loops)
      return std::nullopt;
    return readMaps(linalgOp, *loops);
  }
  if (isa<ResidualAddOp>(op))
    return Maps{indices, indices};
  if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
    Maps maps = {indices};
    SmallVector<int64_t> dims = norm.getScaleDimensions();
    for (Value parameter : {Value(norm.getScale()), Value(norm.getBias())})
      if (parameter)
        maps.push_back(parameterMap(parameter, indices, dims));
    return maps;
  }
  if (auto apply = dyn_cast<ApplyStatsOp>(op)) {
    Maps maps = {indices};
    for (size_t i = 0; i < apply.getStatistics().size(); ++i)
      maps.push_back(drop(indices, apply.getReducedAxes()));
    SmallVector<int64_t> dims = apply.getScaleDimensions();
    for (Value parameter : {Value(apply.getColumnSums()),
                            Value(apply.getScale()), Value(apply.getBias())})
      if (parameter)
        maps.push_back(parameterMap(parameter, indices, dims));
    return maps;
  }
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    Maps maps;
    for (Value operand : op->getOperands())
      maps.push_back(isa<RankedTensorType>(operand.getType()) ? indices
                                                              : AffineMap());
    return maps;
  }
  return std::nullopt;
}

std::pair<Value, AffineMap> kernel::lookThroughViews(Value tensor,
                                                     AffineMap indices,
                                                     const Extents &extents) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             linalg::TransposeOp>(op))
      break;
    std::optional<SmallVector<AffineMap>> maps =
        operandMaps(op, 0, indices, extents);
    if (!maps)
      break;
    tensor = op->getOperand(0);
    indices = maps->front();
  }
  return {tensor, indices};
}

std::optional<Reduction> kernel::reductionOf(Operation *op, AffineMap indices,
                                             const Extents &extents,
                                             int64_t columns) {
  MLIRContext *context = op->getContext();
  AffineExpr column = getAffineDimExpr(1, context);
  auto sizesOf = [&](Value input, ArrayRef<int64_t> axes) {
    SmallVector<AffineExpr> sizes;
    for (int64_t axis : axes)
      sizes.push_back(extents.of(input, axis));
    return sizes;
  };
  /// How many columns are reduced together if `axes` have the indices
  /// `reduced`.
  auto groupOf = [&](ArrayRef<AffineExpr> reduced, ArrayRef<AffineExpr> sizes,
                     AffineMap rest) -> std::optional<int64_t> {
    auto count = dyn_cast<AffineConstantExpr>(product(context, sizes));
    if (!count)
      return std::nullopt;
    int64_t group = count.getValue();
    AffineExpr number = linearize(reduced, sizes);
    if (group == 1 || group > columns)
      return std::nullopt;
    if (group == columns)
      return number == column && !usesColumn(rest) ? std::optional(group)
                                                   : std::nullopt;
    if (number != column % group || columns % group != 0)
      return std::nullopt;
    return group;
  };

  if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
    SmallVector<int64_t> axes = norm.getNormalizedAxes();
    SmallVector<AffineExpr> sizes = sizesOf(norm.getInput(), axes);
    if (llvm::is_contained(sizes, AffineExpr()))
      return std::nullopt;
    std::optional<int64_t> group =
        groupOf(select(indices, axes).getResults(), sizes, drop(indices, axes));
    if (!group)
      return std::nullopt;
    return Reduction{norm.getNormKind(), norm.getInput(), indices, *group};
  }

  auto stats = cast<RowStatsOp>(op);
  SmallVector<int64_t> axes = stats.getReducedAxes();
  SmallVector<AffineExpr> sizes = sizesOf(stats.getInput(), axes);
  if (llvm::is_contained(sizes, AffineExpr()))
    return std::nullopt;
  SmallVector<AffineExpr> rest(indices.getResults()), reduced;
  int64_t group;
  if (std::optional<uint64_t> groupSize = stats.getGroupSize()) {
    group = static_cast<int64_t>(*groupSize);
    auto extent = dyn_cast<AffineConstantExpr>(sizes.front());
    AffineExpr number = rest.pop_back_val();
    if (!extent || extent.getValue() != columns)
      return std::nullopt;
    if (group >= columns)
      group = columns;
    else if (number != column.floorDiv(group))
      return std::nullopt;
    reduced = {column};
    if (usesColumn(extents.map(rest)))
      return std::nullopt;
  } else {
    auto count = dyn_cast<AffineConstantExpr>(product(context, sizes));
    if (!count)
      return std::nullopt;
    group = count.getValue();
    reduced = delinearize(group == columns ? column : column % group, sizes);
    if (!groupOf(reduced, sizes, extents.map(rest)))
      return std::nullopt;
  }
  for (auto [axis, index] : llvm::zip(axes, reduced))
    rest.insert(rest.begin() + axis, index);
  return Reduction{stats.getKind(), stats.getInput(), extents.map(rest), group};
}
