//===- Structured.cpp - Short ways to write linalg ------------------------===//

#include "renorm/Support/Structured.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::norm;

AffineMap norm::selectDims(ImplicitLocOpBuilder &b, int64_t rank,
                           ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

SmallVector<Value> norm::createGeneric(ImplicitLocOpBuilder &b,
                                       ArrayRef<Operand> inputs,
                                       ArrayRef<Operand> outputs,
                                       BodyOfSeveral body) {
  SmallVector<Value> tensors, inits;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  for (const Operand &output : outputs) {
    inits.push_back(output.tensor);
    maps.push_back(output.map);
  }
  AffineMap map = outputs.front().map;
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    iterators.push_back(map.isFunctionOfDim(dim)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  return llvm::to_vector_of<Value>(
      linalg::GenericOp::create(
          b, ValueRange(inits).getTypes(), tensors, inits, maps, iterators,
          [&](OpBuilder &nested, Location loc, ValueRange args) {
            ImplicitLocOpBuilder inner(loc, nested);
            linalg::YieldOp::create(inner, body(inner, args));
          })
          .getResults());
}

Value norm::createGeneric(ImplicitLocOpBuilder &b, ArrayRef<Operand> inputs,
                          Operand output, Body body) {
  return createGeneric(b, inputs, ArrayRef(output),
                       [&](ImplicitLocOpBuilder &b, ValueRange args)
                           -> SmallVector<Value> { return {body(b, args)}; })
      .front();
}

Value norm::createElementwise(ImplicitLocOpBuilder &b,
                              ArrayRef<OpFoldResult> sizes, Type elementType,
                              ArrayRef<Operand> inputs, Body body) {
  Value init = tensor::EmptyOp::create(b, sizes, elementType);
  return createGeneric(b, inputs,
                       {init, b.getMultiDimIdentityMap(sizes.size())}, body);
}

Value norm::createFilled(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                         FloatType elementType, double value) {
  Value init = tensor::EmptyOp::create(b, sizes, elementType);
  Value scalar = createConstant(b, elementType, value);
  return linalg::FillOp::create(b, scalar, init).getResult(0);
}

Value norm::createConstant(ImplicitLocOpBuilder &b, FloatType type,
                           double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

Value norm::convertFloat(ImplicitLocOpBuilder &b, Value value, FloatType type) {
  auto from = cast<FloatType>(value.getType());
  if (from == type)
    return value;
  if (from.getWidth() < type.getWidth())
    return arith::ExtFOp::create(b, type, value);
  // f16 and bf16 hold different numbers; f32 holds the numbers of both.
  if (from.getWidth() == type.getWidth())
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  return arith::TruncFOp::create(b, type, value);
}

Value norm::createCount(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> extents,
                        FloatType type) {
  int64_t factor = 1;
  Value product;
  for (OpFoldResult extent : extents) {
    if (std::optional<int64_t> constant = getConstantIntValue(extent)) {
      factor *= *constant;
      continue;
    }
    auto value = cast<Value>(extent);
    product =
        product ? arith::MulIOp::create(b, product, value).getResult() : value;
  }
  if (!product)
    return createConstant(b, type, static_cast<double>(factor));
  if (factor != 1)
    product = arith::MulIOp::create(b, product,
                                    arith::ConstantIndexOp::create(b, factor));
  product = arith::IndexCastOp::create(b, b.getI64Type(), product);
  return arith::UIToFPOp::create(b, type, product);
}
