//===- Evaluator.cpp - A group's values in registers ----------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "renorm/Analysis/RowReduction.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

static FloatType elementTypeOf(Value tensor) {
  return cast<FloatType>(getElementTypeOrSelf(tensor));
}

Value &Evaluator::slot(Value value, AffineMap indices, Position p) {
  if (!usesColumn(indices))
    return rows[{value, indices, usesRow(indices) ? p.row : 0}];
  unsigned columns = fragment.shape.chunks * fragment.shape.width;
  unsigned row = usesRow(indices) ? p.row : 0;
  return elements[{value, indices, row * columns + columnOf(p)}];
}

Value Evaluator::at(Value tensor, AffineMap indices, Position p) {
  if (Value known = slot(tensor, indices, p))
    return known;
  Value value;
  if (auto input = dyn_cast<BlockArgument>(tensor))
    value = load(input.getArgNumber(), indices, p);
  else
    value = evaluate(cast<OpResult>(tensor), indices, p);
  slot(tensor, indices, p) = value;
  return value;
}

Value Evaluator::offset(Value tensor, AffineMap indices, Position p) {
  if (indices.getNumResults() == 0)
    return b.index(0);
  AffineExpr number = linearize(indices.getResults(), *plan.extents.of(tensor));
  return fragment.index(b, number, p, inputs.symbols);
}

Value Evaluator::load(unsigned input, AffineMap indices, Position p) {
  Value tensor = plan.fusion.getBody().getArgument(input);
  Value buffer = inputs.values[input];
  if (!usesColumn(indices))
    return b.loadGlobal(buffer, offset(tensor, indices, p), 1);

  int64_t width = 1;
  if (!fragment.hasSingleColumns)
    width = contiguousColumns(indices, *plan.extents.of(tensor),
                              fragment.shape.width);
  // A load has as many elements as are next to each other, up to 16 bytes.
  Position first = p;
  first.place -= p.place % width;
  Value loaded = b.loadGlobal(buffer, offset(tensor, indices, first), width);
  if (width == 1)
    return loaded;
  for (int64_t i = 0; i < width; ++i) {
    Position next = {p.row, p.chunk, first.place + static_cast<unsigned>(i)};
    slot(tensor, indices, next) = vector::ExtractOp::create(b, loaded, i);
  }
  return slot(tensor, indices, p);
}

Value Evaluator::scalar(Value value) {
  if (auto input = dyn_cast<BlockArgument>(value))
    return inputs.values[input.getArgNumber()];
  return b.clone(*value.getDefiningOp())->getResult(0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value Evaluator::evaluate(OpResult value, AffineMap indices, Position p) {
  Operation *op = value.getOwner();
  unsigned number = value.getResultNumber();
  if (op == plan.root.getOperation())
    return evaluateRoot(value, indices, p);
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        b, cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return scalar(fill.value());
  // Nothing says what is in an empty tensor.
  if (isa<tensor::EmptyOp>(op))
    return createConstant(b, elementTypeOf(value), 0.0);
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return at(op->getOperand(0),
              operandMaps(op, number, indices, plan.extents)->front(), p);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    AffineMap source = operandMaps(op, number, indices, plan.extents)->front();
    return plan.exchanged.contains(slice.getSource())
               ? exchange(slice.getSource(), source, p)
               : at(slice.getSource(), source, p);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return evaluateConcat(concat, indices, p);
  if (matchRowReduction(op))
    return evaluateRowReduction(cast<linalg::LinalgOp>(op), indices, p);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return evaluateBody(
        linalgOp, linalgOp.getBlock()->getTerminator()->getOperand(number),
        *loopIndices(linalgOp, number, indices), p);
  if (auto add = dyn_cast<ResidualAddOp>(op))
    return evaluateResidualAdd(add, indices, p);
  if (auto norm = dyn_cast<NormalizationOpInterface>(op))
    return evaluateNorm(norm, indices, p);
  if (auto apply = dyn_cast<ApplyStatsOp>(op))
    return evaluateApply(apply, indices, p);
  if (auto stats = dyn_cast<RowStatsOp>(op)) {
    Statistics all =
        statistics(*reductionOf(op, indices, plan.extents, plan.columns), p);
    if (number + 1 == stats->getNumResults())
      return all.power;
    return arith::AddFOp::create(b, all.mean, all.rest);
  }
  if (auto merge = dyn_cast<MergeStatsOp>(op)) {
    const auto *known = llvm::find_if(merged, [&](const SharedStatistics &m) {
      return m.op == merge && m.indices == indices;
    });
    constexpr int64_t kBytes = 4;
    Value address =
        b.add(b.mul(fragment.tileRows[p.row], kBytes), known->offsets[number]);
    return b.loadShared(b.getF32Type(), address, kBytes);
  }
  return evaluateElementwise(op, indices, p);
}

Value Evaluator::evaluateRoot(OpResult value, AffineMap indices, Position p) {
  unsigned columns = fragment.shape.chunks * fragment.shape.width;
  Value sum = accumulators[p.row * columns + columnOf(p)];
  Value init = plan.root.getDpsInitOperand(0)->get();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    sum = arith::AddFOp::create(
        b, convertFloat(b, at(init, indices, p), b.getF32Type()), sum);
  return convertFloat(b, sum, elementTypeOf(value));
}

Value Evaluator::evaluateBody(linalg::LinalgOp op, Value wanted,
                              AffineMap loops, Position p) {
  SmallVector<AffineMap> maps = readMaps(op, loops);
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = maps[operand.getOperandNumber()];
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    if (isTensor && !map)
      continue;
    mapping.map(op.getMatchingBlockArgument(&operand),
                isTensor ? at(operand.get(), map, p) : scalar(operand.get()));
  }
  Block *body = op.getBlock();
  for (Operation &inner : body->without_terminator()) {
    if (mapping.contains(wanted))
      break;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(inner.getResult(0),
                  fragment.index(b, loops.getResult(index.getDim()), p,
                                 inputs.symbols));
      continue;
    }
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body && !mapping.contains(operand) &&
          !isa<ShapedType>(operand.getType()))
        mapping.map(operand, scalar(operand));
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Value> indices;
      for (Value index : extract.getIndices())
        indices.push_back(mapping.lookup(index));
      mapping.map(inner.getResult(0), evaluateExtract(extract, indices));
      continue;
    }
    b.clone(inner, mapping);
  }
  if (wanted.getParentBlock() != body && !mapping.contains(wanted))
    return scalar(wanted);
  return mapping.lookup(wanted);
}

Value Evaluator::evaluateExtract(tensor::ExtractOp op, ValueRange indices) {
  auto table = cast<BlockArgument>(op.getTensor());
  SmallVector<AffineExpr> extents = *plan.extents.of(table);
  Value number = b.index(0);
  for (auto [index, extent] : llvm::zip(indices, extents)) {
    number = b.createOrFold<arith::MulIOp>(
        number, expand(b, extent, {}, inputs.symbols));
    number = b.add(number, index);
  }
  return b.loadGlobal(inputs.values[table.getArgNumber()], number, 1);
}

Value Evaluator::evaluateElementwise(Operation *op, AffineMap indices,
                                     Position p) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? at(operand, indices, p)
                           : scalar(operand));
  OperationState state(b.getLoc(), op->getName(), operands,
                       getElementTypeOrSelf(op->getResult(0)), op->getAttrs());
  return b.create(state)->getResult(0);
}

Value Evaluator::evaluateResidualAdd(ResidualAddOp op, AffineMap indices,
                                     Position p) {
  FloatType type = elementTypeOf(op.getResult());
  auto scaled = [&](Value value, const APFloat &scale) -> Value {
    if (scale.isExactlyValue(1.0))
      return value;
    return arith::MulFOp::create(
        b, value, createConstant(b, type, scale.convertToDouble()));
  };
  Value skip = scaled(at(op.getSkip(), indices, p), op.getResidualScale());
  Value branch = scaled(at(op.getBranch(), indices, p), op.getBranchScale());
  return arith::AddFOp::create(b, skip, branch);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Value Evaluator::normalize(Value x, const Affine &affine, FloatType type) {
  FloatType f32 = b.getF32Type();
  Value value = convertFloat(b, x, f32);
  if (affine.mean) {
    Value mean = affine.mean;
    if (affine.columnSums)
      mean = arith::MulFOp::create(b, mean,
                                   convertFloat(b, affine.columnSums, f32));
    value = arith::SubFOp::create(b, value, mean);
  }
  if (affine.rest)
    value = arith::SubFOp::create(b, value, affine.rest);
  value = arith::MulFOp::create(b, value, affine.reciprocal);
  if (affine.castBeforeScale)
    value = convertFloat(b, convertFloat(b, value, type), f32);
  if (affine.scale) {
    Value factor = convertFloat(b, affine.scale, f32);
    if (affine.unitOffset)
      factor = arith::AddFOp::create(b, b.f32(1.0), factor);
    value = arith::MulFOp::create(b, value, factor);
  }
  if (affine.bias)
    value = arith::AddFOp::create(b, value, convertFloat(b, affine.bias, f32));
  return convertFloat(b, value, type);
}

Value Evaluator::evaluateNorm(NormalizationOpInterface op, AffineMap indices,
                              Position p) {
  Statistics all =
      statistics(*reductionOf(op, indices, plan.extents, plan.columns), p);
  SmallVector<AffineMap> maps = *operandMaps(op, 0, indices, plan.extents);
  Value scale = op.getScale(), bias = op.getBias();
  Affine affine = {all.mean,
                   all.rest,
                   {},
                   {},
                   {},
                   {},
                   op.getUnitOffset(),
                   op.getCastBeforeScale()};
  affine.reciprocal =
      reciprocal(op, indices, all.power, op.getEpsilon().convertToDouble(),
                 op.getEpsilonMode(), p);
  if (scale)
    affine.scale = at(scale, maps[1], p);
  if (bias)
    affine.bias = at(bias, maps[scale ? 2 : 1], p);
  return normalize(at(op.getInput(), indices, p), affine,
                   elementTypeOf(op.getResult()));
}

Value Evaluator::evaluateApply(ApplyStatsOp op, AffineMap indices, Position p) {
  SmallVector<AffineMap> maps = *operandMaps(op, 0, indices, plan.extents);
  auto next = [&, number = 0u](Value operand) mutable -> Value {
    return operand ? at(operand, maps[number++], p) : Value();
  };
  Value x = next(op.getInput());
  SmallVector<Value> statistics;
  AffineMap rowIndices = maps[1];
  for (Value statistic : op.getStatistics())
    statistics.push_back(next(statistic));
  Value reciprocal = this->reciprocal(op, rowIndices, statistics.back(),
                                      op.getEpsilon().convertToDouble(),
                                      op.getEpsilonMode(), p);
  Affine affine = {statistics.size() == 2 ? statistics[0] : Value(),
                   {},
                   reciprocal,
                   {},
                   {},
                   {},
                   op.getUnitOffset(),
                   op.getCastBeforeScale()};
  affine.columnSums = next(op.getColumnSums());
  affine.scale = next(op.getScale());
  affine.bias = next(op.getBias());
  return normalize(x, affine, elementTypeOf(op.getResult()));
}
