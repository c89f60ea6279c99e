//===- EvaluateReduction.cpp - Reductions of rows that linalg writes ------===//

#include "Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "renorm/Analysis/RowReduction.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

Value Evaluator::evaluateRowReduction(linalg::LinalgOp op, AffineMap indices,
                                      Position p) {
  std::pair<Operation *, AffineMap> key(op, indices);
  if (!reducedRows.contains(key)) {
    SmallVector<Value> values = reduceRows(op, indices);
    reducedRows[key] = std::move(values);
  }
  return reducedRows[key][p.row];
}

SmallVector<Value> Evaluator::reduceRows(linalg::LinalgOp op,
                                         AffineMap indices) {
  RowReduction reduction = *matchRowReduction(op);
  AffineMap loops =
      *reducingLoopIndices(op, indices, plan.extents, plan.columns);
  // Numbers are combined in f32 and rounded once.
  FloatType f32 = b.getF32Type();
  auto combine = [&](Value lhs, Value rhs) -> Value {
    OperationState state(b.getLoc(), reduction.combiner->getName(), {lhs, rhs},
                         f32, reduction.combiner->getAttrs());
    return b.create(state)->getResult(0);
  };
  Value neutral =
      convertFloat(b,
                   arith::ConstantOp::create(
                       b, *arith::getNeutralElement(reduction.combiner)),
                   f32);

  SmallVector<Value> partials(fragment.rowCount());
  for (unsigned row = 0; row < fragment.rowCount(); ++row)
    for (unsigned chunk = 0; chunk < fragment.shape.chunks; ++chunk)
      for (unsigned place = 0; place < fragment.shape.width; ++place) {
        Position p = {row, chunk, place};
        Value element =
            convertFloat(b, evaluateBody(op, reduction.element, loops, p), f32);
        if (Value isIn = fragment.column(p).isIn)
          element = arith::SelectOp::create(b, isIn, element, neutral);
        Value &partial = partials[row];
        partial = partial ? combine(partial, element) : element;
      }
  // All columns of the tile, since a tile has whole rows.
  SmallVector<Value> values =
      fragment.reduce(b, partials, fragment.shape.columns(), combine);
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  Value init = op.getDpsInitOperand(0)->get();
  for (auto [row, value] : llvm::enumerate(values))
    value = convertFloat(
        b,
        combine(convertFloat(b, at(init, indices, {unsigned(row), 0, 0}), f32),
                value),
        type);
  return values;
}
