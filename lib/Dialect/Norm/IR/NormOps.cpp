//===- NormOps.cpp - Operations of the norm dialect -----------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

/// The shortest decimal that reads back as the same f64 (1.0e-05, not
/// 1.0000000000000001E-5); hexadecimal for what has no decimal.
static void printF64(OpAsmPrinter &printer, Operation *, FloatAttr attr) {
  double value = attr.getValueAsDouble();
  if (!std::isfinite(value))
    return printer.printAttributeWithoutType(attr);
  SmallString<32> text;
  for (int digits = 6; digits <= 17; ++digits) {
    text.clear();
    llvm::raw_svector_ostream(text) << llvm::format("%.*g", digits, value);
    double parsed;
    if (!StringRef(text).getAsDouble(parsed) && parsed == value)
      break;
  }
  // MLIR's floating-point literals have a point.
  if (!StringRef(text).contains('.')) {
    size_t exponent = StringRef(text).find('e');
    StringRef point = ".0";
    text.insert(exponent == StringRef::npos ? text.end()
                                            : text.begin() + exponent,
                point.begin(), point.end());
  }
  printer << text;
}

static ParseResult parseF64(OpAsmParser &parser, FloatAttr &attr) {
  return parser.parseAttribute(attr, parser.getBuilder().getF64Type());
}

#define GET_OP_CLASSES
#include "renorm/Dialect/Norm/IR/NormOps.cpp.inc"

/// The result of an operation that has the shape of `value`.
static LogicalResult
reifyShapeOf(OpBuilder &builder, Location loc, Value value,
             ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(tensor::getMixedSizes(builder, loc, value));
  return success();
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

NormKind LayerNormOp::getNormKind() { return NormKind::Layer; }
NormKind RMSNormOp::getNormKind() { return NormKind::RMS; }
NormKind L2NormOp::getNormKind() { return NormKind::L2; }

LogicalResult
LayerNormOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  return reifyShapeOf(builder, getLoc(), getInput(), shapes);
}
LogicalResult
RMSNormOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  return reifyShapeOf(builder, getLoc(), getInput(), shapes);
}
LogicalResult L2NormOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyShapeOf(builder, getLoc(), getInput(), shapes);
}

NormSpec::NormSpec(NormalizationOpInterface op)
    : kind(op.getNormKind()), scale(op.getScale()), bias(op.getBias()),
      epsilon(op.getEpsilon().convertToDouble()),
      epsilonMode(op.getEpsilonMode()),
      axes(op.getAxes().value_or(ArrayRef<int64_t>())),
      scaleDims(op.getScaleDims().value_or(ArrayRef<int64_t>())),
      computeType(op.getComputeType().value_or(Type())),
      unitOffset(op.getUnitOffset()), castBeforeScale(op.getCastBeforeScale()) {
}

NormalizationOpInterface NormSpec::create(OpBuilder &builder, Location loc,
                                          Value input) const {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> allAxes = axes;
  if (allAxes.empty())
    allAxes.push_back(type.getRank() - 1);

  FloatAttr epsilonAttr = builder.getF64FloatAttr(epsilon);
  auto modeAttr = EpsilonModeAttr::get(builder.getContext(), epsilonMode);
  DenseI64ArrayAttr axesAttr, dimsAttr;
  if (ArrayRef<int64_t>(allAxes) != ArrayRef<int64_t>{type.getRank() - 1})
    axesAttr = builder.getDenseI64ArrayAttr(allAxes);
  if (!scaleDims.empty() && scaleDims != allAxes)
    dimsAttr = builder.getDenseI64ArrayAttr(scaleDims);
  TypeAttr computeAttr;
  Type defaultType = type.getElementType().isF64() ? type.getElementType()
                                                   : Type(builder.getF32Type());
  if (computeType && computeType != defaultType)
    computeAttr = TypeAttr::get(computeType);
  UnitAttr offsetAttr = unitOffset ? builder.getUnitAttr() : UnitAttr();
  UnitAttr castAttr = castBeforeScale ? builder.getUnitAttr() : UnitAttr();

  switch (kind) {
  case NormKind::Layer:
    return LayerNormOp::create(builder, loc, type, input, scale, bias,
                               epsilonAttr, modeAttr, axesAttr, dimsAttr,
                               computeAttr, offsetAttr, castAttr);
  case NormKind::RMS:
    return RMSNormOp::create(builder, loc, type, input, scale, bias,
                             epsilonAttr, modeAttr, axesAttr, dimsAttr,
                             computeAttr, offsetAttr, castAttr);
  case NormKind::L2:
    assert(!bias && "an l2 norm has no bias");
    return L2NormOp::create(builder, loc, type, input, scale, epsilonAttr,
                            modeAttr, axesAttr, dimsAttr, computeAttr,
                            offsetAttr, castAttr);
  }
  llvm_unreachable("unknown norm kind");
}

NormalizationOpInterface NormSpec::createLike(OpBuilder &builder,
                                              NormalizationOpInterface op,
                                              Value input) const {
  NormalizationOpInterface norm = create(builder, op.getLoc(), input);
  norm->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return norm;
}

bool norm::operator==(const NormSpec &lhs, const NormSpec &rhs) {
  return lhs.kind == rhs.kind && lhs.scale == rhs.scale &&
         lhs.bias == rhs.bias && lhs.epsilon == rhs.epsilon &&
         lhs.epsilonMode == rhs.epsilonMode && lhs.axes == rhs.axes &&
         lhs.scaleDims == rhs.scaleDims && lhs.computeType == rhs.computeType &&
         lhs.unitOffset == rhs.unitOffset &&
         lhs.castBeforeScale == rhs.castBeforeScale;
}

//===----------------------------------------------------------------------===//
// ResidualAddOp
//===----------------------------------------------------------------------===//

LogicalResult ResidualAddOp::verify() {
  for (auto [name, value] : {std::pair("residual_scale", getResidualScale()),
                             std::pair("branch_scale", getBranchScale())})
    if (!value.isFinite())
      return emitOpError() << "expected '" << name << "' to be finite, but got "
                           << value.convertToDouble();
  return success();
}

OpFoldResult ResidualAddOp::fold(FoldAdaptor adaptor) {
  // skip + 0 is skip (up to the sign of a zero).
  if (getResidualScale().isExactlyValue(1.0) &&
      matchPattern(adaptor.getBranch(), m_AnyZeroFloat()))
    return getSkip();
  return {};
}

LogicalResult
ResidualAddOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  return reifyShapeOf(builder, getLoc(), getSkip(), shapes);
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

LogicalResult
AttentionOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                              Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto queryType = cast<RankedTensorType>(adaptor.getQuery().getType());
  auto valueType = cast<RankedTensorType>(adaptor.getValue().getType());
  if (queryType.getRank() < 3 || valueType.getRank() != queryType.getRank())
    return emitOptionalError(
        loc,
        "expected query and value to have the same rank, at least 3, but "
        "got ",
        queryType.getRank(), " and ", valueType.getRank());
  SmallVector<int64_t> shape(queryType.getShape());
  shape.back() = valueType.getShape().back();
  inferredReturnTypes.push_back(
      RankedTensorType::get(shape, queryType.getElementType()));
  return success();
}

std::optional<double> AttentionOp::getLogitScale() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  if (getLearnedScale() || ShapedType::isDynamic(getHeadDim()))
    return std::nullopt;
  return 1.0 / std::sqrt(static_cast<double>(getHeadDim()));
}

FloatType AttentionOp::getSoftmaxType() {
  if (std::optional<Type> type = getComputeType())
    return cast<FloatType>(*type);
  Type elementType = getQuery().getType().getElementType();
  return elementType.isF64() ? cast<FloatType>(elementType)
                             : Float32Type::get(getContext());
}

SmallVector<int64_t> AttentionOp::getLogitShape() {
  SmallVector<int64_t> shape(getQuery().getType().getShape());
  shape.back() = getKey().getType().getShape().end()[-2];
  return shape;
}

LogicalResult AttentionOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType();
  int64_t rank = query.getRank();
  for (auto [name, type] : {std::pair("key", key), std::pair("value", value)}) {
    if (type.getRank() != rank)
      return emitOpError() << "expected '" << name
                           << "' to have the rank of the query, " << rank
                           << ", but got " << type.getRank();
    if (type.getElementType() != query.getElementType())
      return emitOpError() << "expected '" << name
                           << "' to have the element type of the query, "
                           << query.getElementType() << ", but got "
                           << type.getElementType();
    for (int64_t dim = 0; dim < rank - 3; ++dim)
      if (failed(verifyCompatibleDims(
              {query.getDimSize(dim), type.getDimSize(dim)})))
        return emitOpError()
               << "expected batch dimension " << dim << " of '" << name
               << "' to have the extent of the query's, "
               << query.getDimSize(dim) << ", but got " << type.getDimSize(dim);
  }
  if (failed(verifyCompatibleDims({getHeadDim(), key.getShape().back()})))
    return emitOpError() << "expected the key's head_dim to be the query's, "
                         << getHeadDim() << ", but got "
                         << key.getShape().back();
  if (getHeadDim() == 0)
    return emitOpError("expected head_dim to be above 0, but got 0");
  for (int64_t fromEnd : {3, 2})
    if (failed(verifyCompatibleDims({key.getShape().end()[-fromEnd],
                                     value.getShape().end()[-fromEnd]})))
      return emitOpError() << "expected dimension " << rank - fromEnd
                           << " of 'value' to have the extent of the key's, "
                           << key.getShape().end()[-fromEnd] << ", but got "
                           << value.getShape().end()[-fromEnd];
  int64_t heads = getHeads(), keyValueHeads = getKeyValueHeads();
  if (ShapedType::isStatic(heads) && ShapedType::isStatic(keyValueHeads) &&
      (keyValueHeads == 0 ? heads != 0 : heads % keyValueHeads != 0))
    return emitOpError() << "expected the heads of the query, " << heads
                         << ", to be a multiple of the key's, but got "
                         << keyValueHeads;

  if (getMask()) {
    RankedTensorType mask = getMask().getType();
    SmallVector<int64_t> logits = getLogitShape();
    if (mask.getRank() > rank)
      return emitOpError() << "expected the mask to have rank " << rank
                           << " or less, but got " << mask.getRank();
    for (int64_t dim = 0; dim < mask.getRank(); ++dim) {
      int64_t extent = mask.getDimSize(dim);
      int64_t logitExtent = logits[rank - mask.getRank() + dim];
      if (extent != 1 && failed(verifyCompatibleDims({extent, logitExtent})))
        return emitOpError() << "expected dimension " << dim
                             << " of the mask to be 1 or the logits' extent, "
                             << logitExtent << ", but got " << extent;
    }
  }

  if (getScale() && getLearnedScale())
    return emitOpError("expected 'scale' or 'learned_scale', but got both");
  if (getScale() && !getScale()->isFinite())
    return emitOpError() << "expected 'scale' to be finite, but got "
                         << getScale()->convertToDouble();
  if (getLearnedScale()) {
    RankedTensorType type = getLearnedScale().getType();
    if (type.getRank() > 1)
      return emitOpError()
             << "expected 'learned_scale' to have rank 0 or 1, but got "
             << type.getRank();
    if (type.getRank() == 1 &&
        failed(verifyCompatibleDims({type.getDimSize(0), heads})))
      return emitOpError() << "expected 'learned_scale' to have one element "
                              "for each of the heads, "
                           << heads << ", but got " << type.getDimSize(0);
  }
  if (getSoftcap() && !(getSoftcap()->isFinite() &&
                        !getSoftcap()->isNegative() && !getSoftcap()->isZero()))
    return emitOpError() << "expected 'softcap' to be finite and positive, but "
                            "got "
                         << getSoftcap()->convertToDouble();
  if (getWindow() && *getWindow() <= 0)
    return emitOpError() << "expected 'window' to be positive, but got "
                         << *getWindow();
  return success();
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, getLoc(), getQuery());
  shape.back() = tensor::getMixedSize(builder, getLoc(), getValue(),
                                      getValue().getType().getRank() - 1);
  shapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// ProbeOp
//===----------------------------------------------------------------------===//

LogicalResult ProbeOp::verify() {
  if (getName().empty())
    return emitOpError("expected 'name' to be non-empty, but got \"\"");
  return success();
}
