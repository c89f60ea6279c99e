//===- TensorExpr.cpp - Tensor IR seen as expressions -------------------===//

#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

TensorExpr TensorExpr::get(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  TensorExpr expr(tensor, {}, type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    expr.indices.push_back(
        simplifyIndex(getAffineDimExpr(dim, tensor.getContext()), expr.space));
  return expr;
}

Type TensorExpr::getElementType() const {
  return getElementTypeOrSelf(value.getType());
}

bool TensorExpr::isTensor() const {
  return isa<RankedTensorType>(value.getType());
}

bool TensorExpr::isIdentity() const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getShape() == ArrayRef(space) && *this == get(value);
}

bool TensorExpr::isProjectedPermutation(SmallVectorImpl<int64_t> &dims) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return false;
  dims.clear();
  for (auto [index, extent] : llvm::zip_equal(indices, type.getShape())) {
    if (auto dim = dyn_cast<AffineDimExpr>(index)) {
      int64_t position = dim.getPosition();
      if (space[position] != extent || llvm::is_contained(dims, position))
        return false;
      dims.push_back(position);
    } else if (extent == 1) {
      dims.push_back(-1);
    } else {
      return false;
    }
  }
  return true;
}

/// `value` in the format of `type`, rounded to nearest even.
static APFloat convertTo(APFloat value, FloatType type) {
  bool losesInfo;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

std::optional<APFloat> TensorExpr::getConstant() const {
  return getConstant(/*maxDepth=*/6);
}

std::optional<APFloat> TensorExpr::getConstant(unsigned maxDepth) const {
  ExprNode node = getDefinition();
  if (node.kind == ExprKind::Constant) {
    if (auto attr = dyn_cast<FloatAttr>(node.constant))
      return attr.getValue();
    APInt integer = cast<IntegerAttr>(node.constant).getValue();
    if (integer.getSignificantBits() > 53)
      return std::nullopt;
    // A bool is 0 or 1.
    bool isBool = integer.getBitWidth() == 1;
    return APFloat(integer.roundToDouble(/*isSigned=*/!isBool));
  }
  switch (node.kind) {
  case ExprKind::Extend:
  case ExprKind::Truncate:
  case ExprKind::IntToFloat:
  case ExprKind::IntCast:
  case ExprKind::Neg:
  case ExprKind::Abs:
  case ExprKind::Sqrt:
  case ExprKind::Reciprocal:
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Div:
    break;
  default:
    return std::nullopt;
  }
  if (maxDepth == 0)
    return std::nullopt;
  SmallVector<APFloat, 2> values;
  for (const TensorExpr &operand : node.operands) {
    std::optional<APFloat> value = operand.getConstant(maxDepth - 1);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  // An unsigned cast reads a negative number as another.
  if (isa<arith::UIToFPOp, arith::ExtUIOp, arith::IndexCastUIOp>(node.op) &&
      values[0].isNegative())
    return std::nullopt;
  if (node.kind == ExprKind::IntCast) {
    auto integer = dyn_cast<IntegerType>(getElementType());
    bool isBool = integer && integer.isInteger(1);
    APSInt number(integer ? integer.getWidth() : 64, /*isUnsigned=*/isBool);
    bool isExact;
    if (values[0].convertToInteger(number, APFloat::rmTowardZero, &isExact) !=
        APFloat::opOK)
      return std::nullopt;
    return values[0];
  }
  auto type = dyn_cast<FloatType>(getElementType());
  if (!type)
    return std::nullopt;
  APFloat result = values[0];
  auto nearest = APFloat::rmNearestTiesToEven;
  switch (node.kind) {
  case ExprKind::Neg:
    result.changeSign();
    break;
  case ExprKind::Abs:
    result.clearSign();
    break;
  case ExprKind::Sqrt:
    // Rounded twice, which is once: f64 has more than twice the other formats'
    // precision.
    if (type.getWidth() > 64)
      return std::nullopt;
    result = convertTo(APFloat(std::sqrt(result.convertToDouble())), type);
    break;
  case ExprKind::Reciprocal:
    result = convertTo(APFloat(1.0), type);
    result.divide(values[0], nearest);
    break;
  case ExprKind::Add:
    result.add(values[1], nearest);
    break;
  case ExprKind::Sub:
    result.subtract(values[1], nearest);
    break;
  case ExprKind::Mul:
    result.multiply(values[1], nearest);
    break;
  case ExprKind::Div:
    result.divide(values[1], nearest);
    break;
  default:
    result = convertTo(result, type);
    break;
  }
  return result;
}

std::optional<double> TensorExpr::getConstantLiteral() const {
  std::optional<APFloat> value = getConstant();
  ExprNode node = getDefinition();
  if (value && node.kind == ExprKind::Truncate)
    value = node.operands[0].getConstant();
  if (!value || !value->isFinite() ||
      APFloat::semanticsPrecision(value->getSemantics()) > 53)
    return std::nullopt;
  return value->convertToDouble();
}
