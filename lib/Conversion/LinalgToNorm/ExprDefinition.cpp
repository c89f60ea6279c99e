//===- ExprDefinition.cpp - What computes an element --------------------===//

#include "LinalgBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::norm;

static ExprKind getCastKind(Type from, Type to) {
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    // Formats of one width are exact neither way.
    return fromFloat.getWidth() < toFloat.getWidth() ? ExprKind::Extend
                                                     : ExprKind::Truncate;
  if (toFloat)
    return ExprKind::IntToFloat;
  return fromFloat ? ExprKind::FloatToInt : ExprKind::IntCast;
}

template <typename TosaOp>
static bool ignoresNaN(TosaOp op) {
  return op.getNanMode() == tosa::NanPropagationMode::IGNORE;
}

/// The kind of the elementwise operation `op`, on scalars or on tensors; Opaque
/// if it isn't one that has a kind. One that drops NaN (arith.maxnumf) has
/// none: what is raised keeps NaN.
static ExprKind getElementwiseKind(Operation *op) {
  auto elementType = [](Value value) {
    return getElementTypeOrSelf(value.getType());
  };
  return llvm::TypeSwitch<Operation *, ExprKind>(op)
      .Case<arith::AddFOp, arith::AddIOp, tosa::AddOp>(
          [](auto) { return ExprKind::Add; })
      .Case<arith::SubFOp, arith::SubIOp, tosa::SubOp>(
          [](auto) { return ExprKind::Sub; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return ExprKind::Mul; })
      .Case([&](tosa::MulOp mul) {
        // On integers it may also shift.
        return isa<FloatType>(elementType(mul.getOutput())) ? ExprKind::Mul
                                                            : ExprKind::Opaque;
      })
      .Case([](arith::DivFOp) { return ExprKind::Div; })
      .Case<math::PowFOp, math::FPowIOp, tosa::PowOp>(
          [](auto) { return ExprKind::Pow; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [](auto) { return ExprKind::Max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [](auto) { return ExprKind::Min; })
      .Case([](tosa::MaximumOp op) {
        return ignoresNaN(op) ? ExprKind::Opaque : ExprKind::Max;
      })
      .Case([](tosa::MinimumOp op) {
        return ignoresNaN(op) ? ExprKind::Opaque : ExprKind::Min;
      })
      .Case<arith::AndIOp, tosa::LogicalAndOp>(
          [](auto) { return ExprKind::And; })
      .Case<arith::OrIOp, tosa::LogicalOrOp>([](auto) { return ExprKind::Or; })
      .Case([](tosa::LogicalNotOp) { return ExprKind::Not; })
      .Case<arith::SelectOp, tosa::SelectOp>(
          [](auto) { return ExprKind::Select; })
      .Case<arith::NegFOp>([](auto) { return ExprKind::Neg; })
      .Case([&](tosa::NegateOp negate) {
        // Integers have zero points.
        return isa<FloatType>(elementType(negate.getOutput()))
                   ? ExprKind::Neg
                   : ExprKind::Opaque;
      })
      .Case<math::AbsFOp, tosa::AbsOp>([](auto) { return ExprKind::Abs; })
      .Case([](math::SqrtOp) { return ExprKind::Sqrt; })
      .Case<math::RsqrtOp, tosa::RsqrtOp>([](auto) { return ExprKind::Rsqrt; })
      .Case([](tosa::ReciprocalOp) { return ExprKind::Reciprocal; })
      .Case<math::ExpOp, tosa::ExpOp>([](auto) { return ExprKind::Exp; })
      .Case<math::LogOp, tosa::LogOp>([](auto) { return ExprKind::Log; })
      .Case<math::SinOp, tosa::SinOp>([](auto) { return ExprKind::Sin; })
      .Case<math::CosOp, tosa::CosOp>([](auto) { return ExprKind::Cos; })
      .Case<math::TanhOp, tosa::TanhOp>([](auto) { return ExprKind::Tanh; })
      .Case<math::ErfOp, tosa::ErfOp>([](auto) { return ExprKind::Erf; })
      .Case([](tosa::SigmoidOp) { return ExprKind::Sigmoid; })
      .Case([&](arith::TruncFOp cast) {
        // Others than to the nearest.
        return cast.getRoundingmode() ? ExprKind::Opaque
                                      : getCastKind(elementType(cast.getIn()),
                                                    elementType(cast.getOut()));
      })
      .Case<arith::ExtFOp, arith::UIToFPOp, arith::FPToSIOp, arith::IndexCastOp,
            arith::IndexCastUIOp, arith::ExtUIOp>([&](auto cast) {
        return getCastKind(elementType(cast.getIn()),
                           elementType(cast.getOut()));
      })
      .Case<arith::SIToFPOp, arith::ExtSIOp>([&](auto cast) {
        // A true would be -1.
        return elementType(cast.getIn()).isInteger(1)
                   ? ExprKind::Opaque
                   : getCastKind(elementType(cast.getIn()),
                                 elementType(cast.getOut()));
      })
      .Case([&](tosa::CastOp cast) {
        return getCastKind(elementType(cast.getInput()),
                           elementType(cast.getOutput()));
      })
      .Case<arith::CmpFOp, arith::CmpIOp, tosa::EqualOp, tosa::GreaterOp,
            tosa::GreaterEqualOp>([](auto) { return ExprKind::Compare; })
      .Default(ExprKind::Opaque);
}

static std::optional<ExprPredicate> getPredicate(Operation *op) {
  using Result = std::optional<ExprPredicate>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::CmpFOp compare) -> Result {
        switch (compare.getPredicate()) {
        case arith::CmpFPredicate::OEQ:
          return ExprPredicate::EQ;
        case arith::CmpFPredicate::UNE:
          return ExprPredicate::NE;
        case arith::CmpFPredicate::OLT:
          return ExprPredicate::LT;
        case arith::CmpFPredicate::OLE:
          return ExprPredicate::LE;
        case arith::CmpFPredicate::OGT:
          return ExprPredicate::GT;
        case arith::CmpFPredicate::OGE:
          return ExprPredicate::GE;
        default:
          return std::nullopt;
        }
      })
      .Case([](arith::CmpIOp compare) -> Result {
        switch (compare.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return ExprPredicate::EQ;
        case arith::CmpIPredicate::ne:
          return ExprPredicate::NE;
        case arith::CmpIPredicate::slt:
          return ExprPredicate::LT;
        case arith::CmpIPredicate::sle:
          return ExprPredicate::LE;
        case arith::CmpIPredicate::sgt:
          return ExprPredicate::GT;
        case arith::CmpIPredicate::sge:
          return ExprPredicate::GE;
        default:
          return std::nullopt;
        }
      })
      .Case([](tosa::EqualOp) { return ExprPredicate::EQ; })
      .Case([](tosa::GreaterOp) { return ExprPredicate::GT; })
      .Case([](tosa::GreaterEqualOp) { return ExprPredicate::GE; })
      .Default(std::nullopt);
}

/// The number of operands that are elements; tosa adds shifts and zero points.
static unsigned getNumElementOperands(Operation *op) {
  if (isa<tosa::MulOp>(op))
    return 2;
  if (isa<tosa::NegateOp>(op))
    return 1;
  return op->getNumOperands();
}

/// The elements of the operands of the tosa operation `op` that make the
/// element of its result at `indices`: a dimension of extent 1 broadcasts.
static LogicalResult readBroadcast(Operation *op, ArrayRef<AffineExpr> indices,
                                   ArrayRef<int64_t> space,
                                   SmallVectorImpl<TensorExpr> &operands) {
  ValueRange values = op->getOperands().take_front(getNumElementOperands(op));
  SmallVector<RankedTensorType> types;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != static_cast<int64_t>(indices.size()))
      return failure();
    types.push_back(type);
  }
  AffineExpr zero = getAffineConstantExpr(0, op->getContext());
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    Indices at;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      // A dynamic extent is known not to broadcast only if each other operand
      // is the same value, or has extent 1 here.
      if (type.isDynamicDim(dim))
        for (auto [other, otherType] : llvm::zip_equal(values, types))
          if (other != value && otherType.getDimSize(dim) != 1)
            return failure();
      at.push_back(type.getDimSize(dim) == 1 ? zero : index);
    }
    operands.emplace_back(value, at, space);
  }
  return success();
}

/// Reads `op`, a reduction of linalg, as the combination of the values of one
/// expression; a node of kind Opaque if it isn't.
static ExprNode getReduction(linalg::LinalgOp op, const TensorExpr &expr) {
  SmallVector<int64_t> space(expr.getSpace());
  FailureOr<Indices> loops = getLoopIndices(op, expr, space);
  if (failed(loops))
    return {};
  unsigned number = cast<OpResult>(expr.getValue()).getResultNumber();
  Value accumulator = op.getRegionOutputArgs()[number];
  Operation *combiner = getYielded(op, expr).getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBlock() ||
      combiner->getNumOperands() != 2)
    return {};
  ExprNode node;
  node.op = op;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  ExprKind kind = getElementwiseKind(combiner);
  // Which numbers a reduction leaves out where there are NaN is a matter of
  // order anyhow.
  if (isa<arith::MaxNumFOp>(combiner))
    kind = ExprKind::Max;
  else if (isa<arith::MinNumFOp>(combiner))
    kind = ExprKind::Min;
  switch (kind) {
  case ExprKind::Add:
    node.kind = ExprKind::ReduceAdd;
    break;
  case ExprKind::Mul:
    node.kind = ExprKind::ReduceMul;
    break;
  case ExprKind::Max:
    node.kind = ExprKind::ReduceMax;
    break;
  case ExprKind::Min:
    node.kind = ExprKind::ReduceMin;
    break;
  case ExprKind::And:
    node.kind = ExprKind::ReduceAnd;
    break;
  case ExprKind::Or:
    node.kind = ExprKind::ReduceOr;
    break;
  default:
    return {};
  }
  bool isFirst = combiner->getOperand(0) == accumulator;
  if (!isFirst && combiner->getOperand(1) != accumulator)
    return {};
  // What is combined must not read an accumulator itself.
  Value combined = combiner->getOperand(isFirst ? 1 : 0);
  SmallVector<Value> worklist{combined};
  llvm::SmallPtrSet<Value, 8> visited;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (value.getParentBlock() != op.getBlock() ||
        !visited.insert(value).second)
      continue;
    if (llvm::is_contained(op.getRegionOutputArgs(), value))
      return {};
    if (Operation *defining = value.getDefiningOp()) {
      if (defining->getNumRegions() != 0)
        return {};
      llvm::append_range(worklist, defining->getOperands());
    }
  }
  node.operands.push_back(getInBody(op, combined, *loops, space));
  for (unsigned dim = expr.getSpace().size(); dim < space.size(); ++dim)
    node.reductionDims.push_back(dim);

  TensorExpr init(op.getDpsInitOperand(number)->get(), expr.getIndices(),
                  expr.getSpace());
  std::optional<APFloat> value = init.getConstant();
  bool isNeutral = false;
  if (auto attr = dyn_cast_or_null<FloatAttr>(neutral.value_or(nullptr)))
    // Zeros of either sign, and a maximum's largest finite number where it has
    // no infinity (tosa-to-linalg): it differs only if all elements are
    // infinite.
    isNeutral =
        value &&
        (attr.getValue().isZero()
             ? value->isZero()
             : attr.getValue() == *value ||
                   (attr.getValue().isInfinity() && value->isLargest() &&
                    value->isNegative() == attr.getValue().isNegative()));
  else if (auto attr = dyn_cast_or_null<IntegerAttr>(neutral.value_or(nullptr)))
    isNeutral = value && attr.getType().isInteger(1) &&
                attr.getValue().isZero() == value->isZero();
  if (!isNeutral)
    node.operands.push_back(init);
  return node;
}

static ExprNode getTosaReduction(Operation *op, ExprKind kind, Value input,
                                 unsigned axis, const TensorExpr &expr) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    return {};
  SmallVector<int64_t> space(expr.getSpace());
  ExprNode node;
  node.kind = kind;
  node.op = op;
  node.reductionDims.push_back(space.size());
  AffineExpr dim = getAffineDimExpr(space.size(), op->getContext());
  space.push_back(type.getDimSize(axis));
  Indices indices(expr.getIndices());
  indices[axis] = simplifyIndex(dim, space);
  node.operands.emplace_back(input, indices, space);
  return node;
}

static ExprNode getTosaMatmul(tosa::MatMulOp op, const TensorExpr &expr) {
  auto lhs = dyn_cast<RankedTensorType>(op.getA().getType());
  auto rhs = dyn_cast<RankedTensorType>(op.getB().getType());
  // Integers have zero points.
  if (!lhs || !rhs || !isa<FloatType>(lhs.getElementType()))
    return {};
  SmallVector<int64_t> space(expr.getSpace());
  ExprNode node;
  node.kind = ExprKind::Contract;
  node.op = op;
  node.reductionDims.push_back(space.size());
  AffineExpr dim = getAffineDimExpr(space.size(), op->getContext());
  space.push_back(lhs.getDimSize(2));
  dim = simplifyIndex(dim, space);
  ArrayRef<AffineExpr> at = expr.getIndices();
  node.operands.emplace_back(op.getA(), Indices{at[0], at[1], dim}, space);
  node.operands.emplace_back(op.getB(), Indices{at[0], dim, at[2]}, space);
  return node;
}

ExprNode TensorExpr::getDefinition() const {
  TensorExpr expr = skipMoves();
  Operation *op = expr.value.getDefiningOp();
  if (!op)
    return {};
  ExprNode node;
  node.op = op;
  if (Attribute attr; matchPattern(op, m_Constant(&attr))) {
    if (auto elements = dyn_cast<DenseElementsAttr>(attr))
      attr = elements.isSplat() && !isa<ComplexType>(elements.getElementType())
                 ? elements.getSplatValue<Attribute>()
                 : Attribute();
    if (!isa_and_nonnull<FloatAttr, IntegerAttr>(attr))
      return {};
    node.kind = ExprKind::Constant;
    node.constant = cast<TypedAttr>(attr);
    return node;
  }

  auto elementwise = [&](auto readOperands) -> ExprNode {
    ExprKind kind = getElementwiseKind(op);
    std::optional<ExprPredicate> predicate = getPredicate(op);
    if (kind == ExprKind::Opaque || (kind == ExprKind::Compare && !predicate) ||
        failed(readOperands()))
      return {};
    node.kind = kind;
    if (predicate)
      node.predicate = *predicate;
    return node;
  };

  if (!expr.isTensor()) {
    auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    // Captured by a body inside this one: the loops' indices aren't known.
    if (parent && expr.indices.size() != parent.getNumLoops())
      return {};
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      node.kind = ExprKind::Index;
      node.index = expr.indices[index.getDim()];
      return node;
    }
    return elementwise([&] {
      for (Value operand : op->getOperands())
        node.operands.push_back(
            parent ? getInBody(parent, operand, expr.indices, expr.space)
                   : TensorExpr(operand, {}, expr.space));
      return success();
    });
  }

  if (linalg::LinalgOp linalgOp = getLinalgOp(expr.value)) {
    if (linalgOp.getNumReductionLoops() != 0)
      return getReduction(linalgOp, expr);
    SmallVector<int64_t> loopSpace(expr.space);
    FailureOr<Indices> loops = getLoopIndices(linalgOp, expr, loopSpace);
    if (failed(loops))
      return {};
    return getInBody(linalgOp, getYielded(linalgOp, expr), *loops, expr.space)
        .getDefinition();
  }
  if (auto reduce = dyn_cast<tosa::ReduceSumOp>(op))
    return getTosaReduction(op, ExprKind::ReduceAdd, reduce.getInput(),
                            reduce.getAxis(), expr);
  if (auto reduce = dyn_cast<tosa::ReduceMaxOp>(op))
    return getTosaReduction(op, ExprKind::ReduceMax, reduce.getInput(),
                            reduce.getAxis(), expr);
  if (auto reduce = dyn_cast<tosa::ReduceMinOp>(op))
    return getTosaReduction(op, ExprKind::ReduceMin, reduce.getInput(),
                            reduce.getAxis(), expr);
  if (auto matmul = dyn_cast<tosa::MatMulOp>(op))
    return getTosaMatmul(matmul, expr);
  return elementwise([&]() -> LogicalResult {
    if (isa<tosa::TosaDialect>(op->getDialect()))
      return readBroadcast(op, expr.indices, expr.space, node.operands);
    for (Value operand : op->getOperands())
      node.operands.emplace_back(operand,
                                 isa<TensorType>(operand.getType())
                                     ? ArrayRef(expr.indices)
                                     : ArrayRef<AffineExpr>(),
                                 expr.space);
    return success();
  });
}
