//===- NormStatsOps.cpp - The two halves of a norm ------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::norm;

/// How many statistics a norm of this kind divides by.
static unsigned statisticCount(NormKind kind) {
  return kind == NormKind::Layer ? 2 : 1;
}

static SmallVector<int64_t> axesOrLast(std::optional<ArrayRef<int64_t>> axes,
                                       RankedTensorType type) {
  if (axes)
    return llvm::to_vector(*axes);
  return {type.getRank() - 1};
}

/// `elements` of the dimensions that are not in `axes`.
template <typename T>
static SmallVector<T> dropAxes(ArrayRef<T> elements, ArrayRef<int64_t> axes) {
  SmallVector<T> kept;
  for (auto [dim, element] : llvm::enumerate(elements))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      kept.push_back(element);
  return kept;
}

/// Given statistics: their number, and that they have one type.
static LogicalResult verifyStatistics(Operation *op, NormKind kind,
                                      ValueRange statistics) {
  if (statistics.size() != statisticCount(kind))
    return op->emitOpError()
           << "expected " << statisticCount(kind) << " statistics for '"
           << stringifyNormKind(kind) << "', but got " << statistics.size();
  for (Value statistic : statistics.drop_front())
    if (statistic.getType() != statistics.front().getType())
      return op->emitOpError()
             << "expected statistics of one type, but got "
             << statistics.front().getType() << " and " << statistic.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// RowStatsOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> RowStatsOp::getReducedAxes() {
  return axesOrLast(getAxes(), getInput().getType());
}

LogicalResult
RowStatsOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                             Adaptor adaptor,
                             SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  SmallVector<int64_t> axes = axesOrLast(adaptor.getAxes(), type);
  SmallVector<int64_t> shape = dropAxes(type.getShape(), axes);
  if (std::optional<uint64_t> size = adaptor.getGroupSize()) {
    // What the verifier says, where there can be no result type.
    auto groupSize = static_cast<int64_t>(*size);
    if (groupSize <= 0)
      return emitOptionalError(
          loc, "expected 'group_size' to be positive, but got ", groupSize);
    if (axes.size() != 1 || axes[0] < 0 || axes[0] >= type.getRank() ||
        type.isDynamicDim(axes[0]))
      return emitOptionalError(
          loc, "expected one axis of static extent with 'group_size'");
    shape.push_back(
        llvm::divideCeilSigned(type.getDimSize(axes[0]), groupSize));
  }
  Type elementType = type.getElementType();
  if (!elementType.isF64())
    elementType = Float32Type::get(context);
  inferredReturnTypes.append(statisticCount(adaptor.getKind()),
                             RankedTensorType::get(shape, elementType));
  return success();
}

LogicalResult RowStatsOp::verify() {
  return detail::verifyAxes(*this, "reduced", getReducedAxes(),
                            getInput().getType());
}

LogicalResult
RowStatsOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape = dropAxes<OpFoldResult>(
      tensor::getMixedSizes(builder, getLoc(), getInput()), getReducedAxes());
  auto type = cast<RankedTensorType>(getStatistics().front().getType());
  if (getGroupSize())
    shape.push_back(builder.getIndexAttr(type.getShape().back()));
  shapes.append(getNumResults(), shape);
  return success();
}

//===----------------------------------------------------------------------===//
// MergeStatsOp
//===----------------------------------------------------------------------===//

LogicalResult
MergeStatsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                               Adaptor adaptor,
                               SmallVectorImpl<Type> &inferredReturnTypes) {
  for (Value partial : adaptor.getPartials()) {
    auto type = cast<RankedTensorType>(partial.getType());
    if (type.getRank() == 0)
      return emitOptionalError(
          loc, "expected statistics of groups to have rank 1 or more, but got "
               "0");
    inferredReturnTypes.push_back(RankedTensorType::get(
        type.getShape().drop_back(), type.getElementType()));
  }
  return success();
}

LogicalResult MergeStatsOp::verify() {
  if (failed(verifyStatistics(*this, getKind(), getPartials())))
    return failure();
  auto extent = static_cast<int64_t>(getExtent()),
       groupSize = static_cast<int64_t>(getGroupSize());
  for (auto [name, value] :
       {std::pair("extent", extent), std::pair("group_size", groupSize)})
    if (value <= 0)
      return emitOpError() << "expected '" << name
                           << "' to be positive, but got " << value;
  int64_t groups =
      cast<RankedTensorType>(getPartials().front().getType()).getShape().back();
  int64_t expected = llvm::divideCeilSigned(extent, groupSize);
  if (failed(verifyCompatibleDims({groups, expected})))
    return emitOpError() << "expected statistics of " << expected
                         << " groups, but got " << groups;
  return success();
}

LogicalResult
MergeStatsOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, getLoc(), getPartials().front());
  shape.pop_back();
  shapes.append(getNumResults(), shape);
  return success();
}

/// One group is the whole row.
LogicalResult MergeStatsOp::canonicalize(MergeStatsOp op,
                                         PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getPartials().front().getType());
  if (op.getExtent() > op.getGroupSize() || type.getShape().back() != 1)
    return rewriter.notifyMatchFailure(op, "more than one group");
  // The groups go into the dimension before, if there is one.
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t dim = 0; dim < type.getRank() - 1; ++dim)
    reassociation.push_back({dim});
  if (!reassociation.empty())
    reassociation.back().push_back(type.getRank() - 1);
  SmallVector<Value> rows;
  for (Value partial : op.getPartials())
    rows.push_back(tensor::CollapseShapeOp::create(rewriter, op.getLoc(),
                                                   partial, reassociation));
  rewriter.replaceOp(op, rows);
  return success();
}

//===----------------------------------------------------------------------===//
// ApplyStatsOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ApplyStatsOp::getReducedAxes() {
  return axesOrLast(getAxes(), getInput().getType());
}

SmallVector<int64_t> ApplyStatsOp::getScaleDimensions() {
  if (std::optional<ArrayRef<int64_t>> dims = getScaleDims())
    return llvm::to_vector(*dims);
  return getReducedAxes();
}

LogicalResult ApplyStatsOp::verify() {
  RankedTensorType type = getInput().getType();
  SmallVector<int64_t> axes = getReducedAxes();
  if (failed(detail::verifyAxes(*this, "reduced", axes, type)) ||
      failed(detail::verifyEpsilon(*this, getEpsilon())) ||
      failed(verifyStatistics(*this, getKind(), getStatistics())))
    return failure();

  auto statisticType =
      cast<RankedTensorType>(getStatistics().front().getType());
  SmallVector<int64_t> rows = dropAxes(type.getShape(), axes);
  if (failed(verifyCompatibleShape(rows, statisticType.getShape())))
    return emitOpError() << "expected statistics of shape " << rows
                         << ", but got " << statisticType.getShape();
  if (failed(verifyCompatibleShape(type.getShape(),
                                   getResult().getType().getShape())))
    return emitOpError() << "expected a result of the input's shape, "
                         << type.getShape() << ", but got "
                         << getResult().getType().getShape();

  SmallVector<int64_t> dims = getScaleDimensions();
  if (failed(
          detail::verifyDimensions(*this, "scale_dims", dims, type.getRank())))
    return failure();
  for (auto [name, parameter] :
       {std::pair("column_sums", getColumnSums()),
        std::pair("scale", getScale()), std::pair("bias", getBias())})
    if (failed(detail::verifyParameter(*this, name, parameter, dims, type)))
      return failure();

  if (getColumnSums() && getKind() != NormKind::Layer)
    return emitOpError() << "expected the kind 'layer' with 'column_sums', but "
                            "got '"
                         << stringifyNormKind(getKind()) << '\'';
  for (auto [name, given] :
       {std::pair("unit_offset", getUnitOffset()),
        std::pair("cast_before_scale", getCastBeforeScale())})
    if (given && !getScale())
      return emitOpError() << "expected a scale with '" << name
                           << "', but got none";
  return success();
}

LogicalResult
ApplyStatsOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getInput()));
  return success();
}
