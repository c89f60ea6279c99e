//===- TensorExpr.cpp - Tensor IR seen as expressions ---------------------===//

#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "renorm/Conversion/LinalgToNorm/ExprMatchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// Moves: operations that only change where an element is read
//===----------------------------------------------------------------------===//

namespace {

using Indices = SmallVector<AffineExpr, 4>;

/// Builds indices over one space. Failure means that there is no affine index.
struct Indexer {
  MLIRContext *context;
  ArrayRef<int64_t> space;

  AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }
  AffineExpr simplify(AffineExpr index) const {
    return simplifyIndex(index, space);
  }

  /// `map` applied to `loops`.
  Indices apply(AffineMap map, ArrayRef<AffineExpr> loops) const {
    Indices result;
    for (AffineExpr expr : map.getResults())
      result.push_back(simplify(expr.replaceDims(loops)));
    return result;
  }

  /// The position of the element at `indices` among the elements of a tensor of
  /// `shape`. Of the dimensions that aren't 1, only the first may be dynamic.
  FailureOr<AffineExpr> linearize(ArrayRef<AffineExpr> indices,
                                  ArrayRef<int64_t> shape) const {
    AffineExpr position = constant(0);
    int64_t stride = 1;
    for (auto [index, extent] :
         llvm::reverse(llvm::zip_equal(indices, shape))) {
      if (extent == 1)
        continue;
      if (ShapedType::isDynamic(stride) || extent == 0)
        return failure();
      position = position + index * stride;
      stride = ShapedType::isDynamic(extent) ? extent : stride * extent;
    }
    return position;
  }

  /// The inverse.
  FailureOr<Indices> delinearize(AffineExpr position,
                                 ArrayRef<int64_t> shape) const {
    Indices indices(shape.size(), constant(0));
    int64_t stride = 1;
    // The outermost index needs no remainder.
    const int64_t *outermost =
        llvm::find_if(shape, [](int64_t extent) { return extent != 1; });
    for (int64_t i = shape.size() - 1; i >= 0; --i) {
      int64_t extent = shape[i];
      if (extent == 1)
        continue;
      if (ShapedType::isDynamic(stride) || extent == 0)
        return failure();
      AffineExpr index = position.floorDiv(stride);
      bool isOutermost = &shape[i] == outermost;
      if (!isOutermost && ShapedType::isDynamic(extent))
        return failure();
      indices[i] = simplify(isOutermost ? index : index % extent);
      stride = ShapedType::isDynamic(extent) ? extent : stride * extent;
    }
    return indices;
  }

  /// The indices in `source` of the element at `indices` of its reshape to
  /// `result`: group by group, where a group of the dimensions of one is one
  /// dimension of the other.
  FailureOr<Indices> reshape(ArrayRef<AffineExpr> indices,
                             RankedTensorType source, RankedTensorType result,
                             ArrayRef<ReassociationIndices> groups) const {
    bool isExpansion = result.getRank() > source.getRank();
    Indices sourceIndices;
    if (isExpansion && groups.empty()) // Of rank 0.
      return sourceIndices;
    if (groups.empty())
      return delinearize(constant(0), source.getShape());
    for (unsigned i = 0; i < groups.size(); ++i) {
      auto part = [&](auto all) {
        return all.slice(groups[i].front(), groups[i].size());
      };
      if (isExpansion) {
        FailureOr<AffineExpr> index =
            linearize(part(indices), part(result.getShape()));
        if (failed(index))
          return failure();
        sourceIndices.push_back(simplify(*index));
      } else {
        FailureOr<Indices> expanded =
            delinearize(indices[i], part(source.getShape()));
        if (failed(expanded))
          return failure();
        llvm::append_range(sourceIndices, *expanded);
      }
    }
    return sourceIndices;
  }

  /// The same for any reshape.
  FailureOr<Indices> reshape(ArrayRef<AffineExpr> indices,
                             RankedTensorType source,
                             RankedTensorType result) const {
    if (source == result)
      return Indices(indices);
    if (source.getRank() != result.getRank())
      if (auto groups = getReassociationIndicesForReshape(source, result))
        return reshape(indices, source, result, *groups);
    if (!source.hasStaticShape() || !result.hasStaticShape())
      return failure();
    FailureOr<AffineExpr> position = linearize(indices, result.getShape());
    if (failed(position))
      return failure();
    return delinearize(simplify(*position), source.getShape());
  }

  /// Offsets and strides in every dimension of the source; the source's
  /// dimensions in `dropped` have no index.
  Indices slice(ArrayRef<AffineExpr> indices, ArrayRef<int64_t> offsets,
                ArrayRef<int64_t> strides,
                const llvm::SmallBitVector &dropped) const {
    Indices result;
    const AffineExpr *next = indices.begin();
    for (auto [dim, offset] : llvm::enumerate(offsets)) {
      AffineExpr index = dropped.test(dim) ? constant(0) : *next++;
      result.push_back(simplify(index * strides[dim] + offset));
    }
    return result;
  }
};

} // namespace

static Indexer getIndexer(const TensorExpr &expr) {
  return {expr.getValue().getContext(), expr.getSpace()};
}

/// The scalar `value` as seen from the body of `op` at the loop indices
/// `loops`: arguments become elements of the operands.
static TensorExpr getInBody(linalg::LinalgOp op, Value value,
                            ArrayRef<AffineExpr> loops,
                            ArrayRef<int64_t> space) {
  if (value.getParentBlock() != op.getBlock())
    return TensorExpr(value, {}, space);
  auto argument = dyn_cast<BlockArgument>(value);
  // An accumulator isn't an element of the initial value.
  bool isAccumulator =
      argument && op.getNumReductionLoops() != 0 &&
      argument.getArgNumber() >= static_cast<unsigned>(op.getNumDpsInputs());
  if (!argument || isAccumulator)
    return TensorExpr(value, loops, space);
  OpOperand *operand = op.getMatchingOpOperand(argument);
  Indexer indexer{value.getContext(), space};
  return TensorExpr(operand->get(),
                    indexer.apply(op.getMatchingIndexingMap(operand), loops),
                    space);
}

/// The loop indices at which `op` computes the element `expr` of a result.
/// Reduced loops get new dimensions at the end of `space`.
static FailureOr<Indices> getLoopIndices(linalg::LinalgOp op,
                                         const TensorExpr &expr,
                                         SmallVectorImpl<int64_t> &space) {
  MLIRContext *context = op.getContext();
  AffineMap map =
      op.getIndexingMapMatchingResult(cast<OpResult>(expr.getValue()));
  Indices loops(op.getNumLoops());
  for (auto [index, result] :
       llvm::zip_equal(expr.getIndices(), map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      loops[dim.getPosition()] = index;
    else if (!isa<AffineConstantExpr>(result))
      return failure();
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::reduction) {
      if (loops[loop])
        return failure();
      AffineExpr dim = getAffineDimExpr(space.size(), context);
      space.push_back(ranges[loop]);
      loops[loop] = simplifyIndex(dim, space);
    } else if (!loops[loop]) {
      if (ranges[loop] != 1)
        return failure();
      loops[loop] = getAffineConstantExpr(0, context);
    }
  }
  return loops;
}

/// The value that `op` yields for the element `expr`, in its body.
static Value getYielded(linalg::LinalgOp op, const TensorExpr &expr) {
  return op.getBlock()->getTerminator()->getOperand(
      cast<OpResult>(expr.getValue()).getResultNumber());
}

/// The linalg operation on tensors that defines `value`, or null.
static linalg::LinalgOp getLinalgOp(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op.hasPureTensorSemantics() ? op : nullptr;
}

static std::optional<SmallVector<int64_t>> getConstantShape(Value shape) {
  DenseIntElementsAttr attr;
  if (!matchPattern(shape, m_Constant(&attr)))
    return std::nullopt;
  return llvm::to_vector(attr.getValues<int64_t>());
}

TensorExpr TensorExpr::getMoveSource() const {
  if (!isTensor() || !value.getDefiningOp())
    return {};
  Indexer indexer = getIndexer(*this);
  auto read = [&](Value source, const FailureOr<Indices> &at) {
    return succeeded(at) ? TensorExpr(source, *at, space) : TensorExpr();
  };
  auto sameRank = [&](Value source) { return read(source, Indices(indices)); };
  using Result = TensorExpr;
  if (linalg::LinalgOp op = getLinalgOp(value)) {
    Value yielded = getYielded(op, *this);
    if (op.getNumReductionLoops() != 0 ||
        (yielded.getParentBlock() == op.getBlock() &&
         !isa<BlockArgument>(yielded)))
      return {};
    SmallVector<int64_t> loopSpace(space);
    FailureOr<Indices> loops = getLoopIndices(op, *this, loopSpace);
    return succeeded(loops) ? getInBody(op, yielded, *loops, space) : Result();
  }
  auto type = cast<RankedTensorType>(value.getType());
  return llvm::TypeSwitch<Operation *, Result>(value.getDefiningOp())
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) -> Result {
            return read(op.getSrc(),
                        indexer.reshape(indices, op.getSrcType(), type,
                                        op.getReassociationIndices()));
          })
      .Case([&](tosa::ReshapeOp op) -> Result {
        auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
        if (!source)
          return {};
        return read(op.getInput1(), indexer.reshape(indices, source, type));
      })
      .Case([&](tensor::ReshapeOp op) -> Result {
        auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
        if (!source)
          return {};
        return read(op.getSource(), indexer.reshape(indices, source, type));
      })
      .Case([&](tensor::CastOp op) -> Result {
        if (!isa<RankedTensorType>(op.getSource().getType()))
          return {};
        return sameRank(op.getSource());
      })
      .Case([&](tosa::IdentityOp op) { return sameRank(op.getInput1()); })
      .Case([&](tensor::SplatOp op) { return read(op.getInput(), Indices()); })
      .Case([&](tensor::FromElementsOp op) -> Result {
        if (op.getElements().size() != 1)
          return {};
        return read(op.getElements().front(), Indices());
      })
      .Case([&](tosa::TransposeOp op) -> Result {
        Indices source(indices.size());
        for (auto [index, dim] : llvm::zip_equal(indices, op.getPerms()))
          source[dim] = index;
        return read(op.getInput1(), source);
      })
      .Case([&](tensor::ExtractSliceOp op) -> Result {
        // A dynamic size would hide that not the whole dimension is read.
        auto isDynamic = [](ArrayRef<int64_t> values) {
          return llvm::any_of(values, ShapedType::isDynamic);
        };
        if (isDynamic(op.getStaticOffsets()) ||
            isDynamic(op.getStaticSizes()) || isDynamic(op.getStaticStrides()))
          return {};
        return read(op.getSource(),
                    indexer.slice(indices, op.getStaticOffsets(),
                                  op.getStaticStrides(), op.getDroppedDims()));
      })
      .Case([&](tosa::SliceOp op) -> Result {
        auto start = getConstantShape(op.getStart());
        auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
        if (!start || !source || !type.hasStaticShape())
          return {};
        return read(op.getInput1(),
                    indexer.slice(indices, *start,
                                  SmallVector<int64_t>(start->size(), 1),
                                  llvm::SmallBitVector(start->size())));
      })
      .Case([&](tosa::TileOp op) -> Result {
        auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
        if (!source || !source.hasStaticShape() || !type.hasStaticShape() ||
            source.getNumElements() == 0)
          return {};
        Indices at;
        for (auto [index, extent] : llvm::zip_equal(indices, source.getShape()))
          at.push_back(indexer.simplify(index % extent));
        return read(op.getInput1(), at);
      })
      .Default(Result());
}

TensorExpr TensorExpr::skipMoves() const {
  TensorExpr expr = *this;
  while (TensorExpr source = expr.getMoveSource())
    expr = source;
  return expr;
}

//===----------------------------------------------------------------------===//
// Definitions: operations that compute
//===----------------------------------------------------------------------===//

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

/// The kind of the elementwise operation `op`, on scalars or on tensors; Opaque
/// if it isn't one that has a kind.
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
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            tosa::MaximumOp>([](auto) { return ExprKind::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            tosa::MinimumOp>([](auto) { return ExprKind::Min; })
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
      .Case<arith::ExtFOp, arith::TruncFOp, arith::UIToFPOp, arith::FPToSIOp,
            arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto cast) {
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
  switch (getElementwiseKind(combiner)) {
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

//===----------------------------------------------------------------------===//
// TensorExpr
//===----------------------------------------------------------------------===//

TensorExpr TensorExpr::get(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  TensorExpr expr(tensor, {}, type.getShape());
  Indexer indexer = getIndexer(expr);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    expr.indices.push_back(
        indexer.simplify(getAffineDimExpr(dim, tensor.getContext())));
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
    return APFloat(static_cast<double>(integer.getBitWidth() == 1
                                           ? integer.getZExtValue()
                                           : integer.getSExtValue()));
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
  if (node.kind == ExprKind::IntCast)
    return values[0];
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

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

TensorExpr norm::skipExtends(const TensorExpr &expr) {
  TensorExpr result = expr;
  while (true) {
    ExprNode node = result.getDefinition();
    if (node.kind != ExprKind::Extend)
      return result;
    result = node.operands[0];
  }
}

/// Whether both are the same elements, or computed alike from the same in up to
/// `depth` steps.
static bool isSameElement(const TensorExpr &lhs, const TensorExpr &rhs,
                          unsigned depth) {
  if (lhs == rhs)
    return true;
  TensorExpr left = lhs.skipMoves(), right = rhs.skipMoves();
  if (left == right)
    return true;
  if (depth == 0 || left.getElementType() != right.getElementType())
    return false;
  ExprNode leftNode = left.getDefinition(), rightNode = right.getDefinition();
  return leftNode.kind != ExprKind::Opaque && leftNode.kind == rightNode.kind &&
         leftNode.constant == rightNode.constant &&
         leftNode.index == rightNode.index &&
         leftNode.predicate == rightNode.predicate &&
         leftNode.reductionDims == rightNode.reductionDims &&
         llvm::equal(leftNode.operands, rightNode.operands,
                     [&](const TensorExpr &l, const TensorExpr &r) {
                       return isSameElement(l, r, depth - 1);
                     });
}

bool norm::isSameElement(const TensorExpr &lhs, const TensorExpr &rhs) {
  constexpr unsigned maxSteps = 3;
  return ::isSameElement(lhs, rhs, maxSteps);
}

bool norm::matchContraction(const TensorExpr &expr, TensorExpr &lhs,
                            TensorExpr &rhs, SmallVectorImpl<unsigned> &dims) {
  ExprNode node = expr.getDefinition();
  dims.assign(node.reductionDims.begin(), node.reductionDims.end());
  if (node.kind == ExprKind::Contract) {
    lhs = node.operands[0];
    rhs = node.operands[1];
    return true;
  }
  return node.kind == ExprKind::ReduceAdd && node.operands.size() == 1 &&
         matchExpr(node.operands[0], m_Mul(m_Any(&lhs), m_Any(&rhs)));
}
