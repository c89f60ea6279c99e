//===- NormInterfaces.cpp - Interfaces of the norm dialect ----------------===//

#include "renorm/Dialect/Norm/IR/NormInterfaces.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::norm;

#include "renorm/Dialect/Norm/IR/NormInterfaces.cpp.inc"

SmallVector<int64_t> norm::detail::normalizedAxes(Operation *op) {
  auto normalization = cast<NormalizationOpInterface>(op);
  if (std::optional<ArrayRef<int64_t>> axes = normalization.getAxes())
    return llvm::to_vector(*axes);
  return {normalization.getInput().getType().getRank() - 1};
}

std::optional<int64_t> norm::detail::normalizedExtent(Operation *op) {
  auto normalization = cast<NormalizationOpInterface>(op);
  int64_t extent = 1;
  for (int64_t axis : normalizedAxes(op)) {
    int64_t size = normalization.getInput().getType().getDimSize(axis);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    extent *= size;
  }
  return extent;
}

SmallVector<int64_t> norm::detail::scaleDimensions(Operation *op) {
  auto normalization = cast<NormalizationOpInterface>(op);
  if (std::optional<ArrayRef<int64_t>> dims = normalization.getScaleDims())
    return llvm::to_vector(*dims);
  return normalizedAxes(op);
}

FloatType norm::detail::statisticsType(Operation *op) {
  auto normalization = cast<NormalizationOpInterface>(op);
  if (std::optional<Type> type = normalization.getComputeType())
    return cast<FloatType>(*type);
  Type elementType = normalization.getInput().getType().getElementType();
  return elementType.isF64() ? cast<FloatType>(elementType)
                             : Float32Type::get(op->getContext());
}

LogicalResult norm::detail::verifyDimensions(Operation *op, StringRef name,
                                             ArrayRef<int64_t> dims,
                                             int64_t rank) {
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "expected '" << name << "' to be in [0, "
                               << rank << "), but got " << dim;
    if (index > 0 && dim <= dims[index - 1])
      return op->emitOpError()
             << "expected '" << name << "' to be strictly ascending, but got "
             << dim << " after " << dims[index - 1];
  }
  return success();
}

LogicalResult norm::detail::verifyParameter(
    Operation *op, StringRef name, TypedValue<RankedTensorType> parameter,
    ArrayRef<int64_t> dims, RankedTensorType inputType) {
  if (!parameter || parameter.getType().getRank() == 0)
    return success();
  auto type = parameter.getType();
  if (type.getRank() != static_cast<int64_t>(dims.size()))
    return op->emitOpError() << "expected '" << name << "' to have rank 0 or "
                             << dims.size() << ", but got " << type.getRank();
  for (auto [index, dim] : llvm::enumerate(dims))
    if (failed(verifyCompatibleDims(
            {type.getDimSize(index), inputType.getDimSize(dim)})))
      return op->emitOpError()
             << "expected dimension " << index << " of '" << name
             << "' to have the extent of dimension " << dim << " of the input, "
             << inputType.getDimSize(dim) << ", but got "
             << type.getDimSize(index);
  return success();
}

LogicalResult norm::detail::verifyAxes(Operation *op, StringRef what,
                                       ArrayRef<int64_t> axes,
                                       RankedTensorType type) {
  if (axes.empty())
    return op->emitOpError("expected 'axes' to have at least one element, but "
                           "got none");
  if (type.getRank() == 0)
    return op->emitOpError(
        "expected the input to have rank 1 or more, but got 0");
  if (failed(verifyDimensions(op, "axes", axes, type.getRank())))
    return failure();
  for (int64_t axis : axes)
    if (type.getDimSize(axis) == 0)
      return op->emitOpError() << "expected " << what << " dimension " << axis
                               << " to have an extent above 0, but got 0";
  return success();
}

LogicalResult norm::detail::verifyEpsilon(Operation *op,
                                          const APFloat &epsilon) {
  if (!epsilon.isFinite() || (epsilon.isNegative() && !epsilon.isZero()))
    return op->emitOpError()
           << "expected 'epsilon' to be finite and not negative, but got "
           << FloatAttr::get(Float64Type::get(op->getContext()), epsilon)
                  .getValueAsDouble();
  return success();
}

LogicalResult norm::detail::verifyNormalization(Operation *op) {
  auto normalization = cast<NormalizationOpInterface>(op);
  RankedTensorType inputType = normalization.getInput().getType();
  if (failed(verifyAxes(op, "normalized", normalizedAxes(op), inputType)) ||
      failed(verifyEpsilon(op, normalization.getEpsilon())))
    return failure();

  SmallVector<int64_t> dims = scaleDimensions(op);
  if (failed(verifyDimensions(op, "scale_dims", dims, inputType.getRank())) ||
      failed(verifyParameter(op, "scale", normalization.getScale(), dims,
                             inputType)) ||
      failed(verifyParameter(op, "bias", normalization.getBias(), dims,
                             inputType)))
    return failure();

  if (!normalization.getScale()) {
    if (normalization.getUnitOffset())
      return op->emitOpError(
          "expected a scale with 'unit_offset', but got none");
    if (normalization.getCastBeforeScale())
      return op->emitOpError(
          "expected a scale with 'cast_before_scale', but got none");
  }
  return success();
}
