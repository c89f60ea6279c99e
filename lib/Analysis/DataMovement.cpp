//===- DataMovement.cpp - Values whose elements only moved ----------------===//

#include "renorm/Analysis/DataMovement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::norm;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

static int64_t getExtent(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

/// The body's only value is `argument`, perhaps cast.
static bool yieldsArgument(Block &body, BlockArgument argument) {
  Value yielded = body.getTerminator()->getOperand(0);
  if (Operation *cast = yielded.getDefiningOp())
    if (cast->getBlock() == &body && isa<arith::ExtFOp, arith::TruncFOp>(cast))
      yielded = cast->getOperand(0);
  return yielded == argument;
}

/// A transpose, broadcast, copy or cast, named or generic.
static std::optional<Move> getLinalgMove(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || op.getNumLoops() != op.getNumParallelLoops())
    return std::nullopt;
  OpOperand *source = op.getDpsInputOperand(0);
  AffineMap sourceMap = op.getMatchingIndexingMap(source);
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!isa<RankedTensorType>(source->get().getType()) ||
      !resultMap.isPermutation() ||
      !sourceMap.isProjectedPermutation(/*allowZeroInResults=*/true) ||
      !yieldsArgument(*op.getBlock(), op.getMatchingBlockArgument(source)))
    return std::nullopt;

  Move move{source, op->getResult(0), {}};
  for (auto [dim, expr] : llvm::enumerate(sourceMap.getResults()))
    if (!isa<AffineDimExpr>(expr))
      move.groups.push_back({{static_cast<int64_t>(dim)},
                             {},
                             getExtent(source->get(), dim) == 1});
  for (auto [dim, expr] : llvm::enumerate(resultMap.getResults())) {
    DimGroup group;
    group.result.push_back(dim);
    if (std::optional<unsigned> position = sourceMap.getResultPosition(expr))
      group.source.push_back(*position);
    move.groups.push_back(group);
  }
  return move;
}

/// A reshape that merges the dimensions of `large` to those of `small`, or the
/// other way round.
static std::optional<Move>
getReshapeMove(OpOperand &source, Value result,
               ArrayRef<ReassociationIndices> reassociation) {
  bool merges = getRank(source.get()) >= getRank(result);
  Move move{&source, result, {}};
  auto dropUnits = [&](SmallVectorImpl<int64_t> &dims, bool isSource) {
    llvm::erase_if(dims, [&](int64_t dim) {
      if (getExtent(isSource ? source.get() : result, dim) != 1)
        return false;
      DimGroup unit;
      (isSource ? unit.source : unit.result).push_back(dim);
      move.groups.push_back(unit);
      return true;
    });
  };
  if (reassociation.empty()) {
    // To or from rank 0: all extents are 1.
    for (int64_t dim = 0; dim < getRank(source.get()); ++dim)
      move.groups.push_back({{dim}, {}});
    for (int64_t dim = 0; dim < getRank(result); ++dim)
      move.groups.push_back({{}, {dim}});
    return move;
  }
  for (auto [index, dims] : llvm::enumerate(reassociation)) {
    DimGroup group;
    auto &large = merges ? group.source : group.result;
    auto &small = merges ? group.result : group.source;
    large.assign(dims.begin(), dims.end());
    small.push_back(index);
    dropUnits(group.source, /*isSource=*/true);
    dropUnits(group.result, /*isSource=*/false);
    if (!group.source.empty() || !group.result.empty())
      move.groups.push_back(group);
  }
  return move;
}

static std::optional<Move> getSliceMove(tensor::ExtractSliceOp op) {
  Move move{&op.getSourceMutable(), op.getResult(), {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t resultDim = 0;
  for (int64_t dim = 0; dim < getRank(op.getSource()); ++dim) {
    DimGroup group;
    group.source.push_back(dim);
    if (!dropped.test(dim))
      group.result.push_back(resultDim++);
    group.whole = isConstantIntValue(op.getMixedOffsets()[dim], 0) &&
                  isConstantIntValue(op.getMixedStrides()[dim], 1) &&
                  !ShapedType::isDynamic(getExtent(op.getSource(), dim)) &&
                  getConstantIntValue(op.getMixedSizes()[dim]) ==
                      getExtent(op.getSource(), dim);
    move.groups.push_back(group);
  }
  return move;
}

/// An operation on tensors of one shape.
static Move getElementwiseMove(OpOperand &source, Value result) {
  Move move{&source, result, {}};
  for (int64_t dim = 0; dim < getRank(result); ++dim)
    move.groups.push_back({{dim}, {dim}});
  return move;
}

std::optional<Move> norm::getMove(Operation *op) {
  using Result = std::optional<Move>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](linalg::LinalgOp op) { return getLinalgMove(op); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto op) {
        return getReshapeMove(op.getSrcMutable(), op.getResult(),
                              op.getReassociationIndices());
      })
      .Case([](tensor::ExtractSliceOp op) { return getSliceMove(op); })
      .Case<tensor::CastOp, arith::ExtFOp, arith::TruncFOp>(
          [](Operation *op) -> Result {
            if (!isa<RankedTensorType>(op->getOperand(0).getType()) ||
                !isa<RankedTensorType>(op->getResult(0).getType()))
              return std::nullopt;
            return getElementwiseMove(op->getOpOperand(0), op->getResult(0));
          })
      .Default([](Operation *) { return std::nullopt; });
}

bool MovedValue::isParameter() const {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock();
  }
  return isa<ml_program::GlobalLoadConstOp>(root.getDefiningOp()) ||
         matchPattern(root, m_Constant());
}

Value MovedValue::rebuild(OpBuilder &builder, Value newRoot) const {
  assert(newRoot.getType() == root.getType() && "expected the same moves");
  IRMapping mapping;
  mapping.map(root, newRoot);
  Value value = newRoot;
  for (Operation *move : moves)
    value = builder.clone(*move, mapping)->getResult(0);
  return value;
}

MovedValue norm::traceMoves(Value value) {
  MovedValue moved;
  moved.root = value;
  for (int64_t dim = 0; dim < getRank(value); ++dim) {
    int64_t rootDim = getExtent(value, dim) == 1 ? -1 : dim;
    moved.dims.push_back({rootDim, true});
  }
  while (Operation *op = moved.root.getDefiningOp()) {
    std::optional<Move> move = getMove(op);
    if (!move)
      break;
    SmallVector<MovedValue::Dim> through(getRank(moved.root));
    bool keepsDims = llvm::all_of(move->groups, [&](const DimGroup &group) {
      if (group.result.empty() || group.source.empty())
        return true;
      if (group.source.size() != 1 || group.result.size() != 1)
        return false;
      through[group.result.front()] = {group.source.front(), group.whole};
      return true;
    });
    if (!keepsDims)
      break;
    for (MovedValue::Dim &dim : moved.dims) {
      if (dim.root < 0)
        continue;
      MovedValue::Dim next = through[dim.root];
      dim = {next.root, dim.whole && next.whole};
    }
    moved.moves.push_back(op);
    moved.root = move->source->get();
  }
  std::reverse(moved.moves.begin(), moved.moves.end());
  return moved;
}

bool norm::isReshape(Operation *op) {
  if (isa<tensor::CastOp>(op))
    return isa<RankedTensorType>(op->getOperand(0).getType()) &&
           isa<RankedTensorType>(op->getResult(0).getType());
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

Value norm::stripReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isReshape(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool norm::movesParameter(Operation *op) {
  return getMove(op) && traceMoves(op->getResult(0)).isParameter();
}
