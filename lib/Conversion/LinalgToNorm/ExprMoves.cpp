//===- ExprMoves.cpp - What only moves elements -------------------------===//

#include "ExtractedElement.h"
#include "LinalgBody.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::norm;

namespace {

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

  /// The same for any reshape. Its types tell what it does if they leave out
  /// one extent at most.
  FailureOr<Indices> reshape(ArrayRef<AffineExpr> indices,
                             RankedTensorType source,
                             RankedTensorType result) const {
    if (source.getNumDynamicDims() > 1 || result.getNumDynamicDims() > 1)
      return failure();
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

TensorExpr norm::getInBody(linalg::LinalgOp op, Value value,
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
  AffineMap map = op.getMatchingIndexingMap(operand);
  // A window or a quotient of a dynamic loop may read a dimension in part.
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true) &&
      ShapedType::isDynamicShape(op.getStaticLoopRanges()))
    return TensorExpr(value, loops, space);
  Indexer indexer{value.getContext(), space};
  return TensorExpr(operand->get(), indexer.apply(map, loops), space);
}

FailureOr<Indices> norm::getLoopIndices(linalg::LinalgOp op,
                                        const TensorExpr &expr,
                                        SmallVectorImpl<int64_t> &space) {
  MLIRContext *context = op.getContext();
  AffineMap map =
      op.getIndexingMapMatchingResult(cast<OpResult>(expr.getValue()));
  auto type = cast<RankedTensorType>(expr.getValue().getType());
  Indices loops(op.getNumLoops());
  for (auto [index, result, extent] :
       llvm::zip_equal(expr.getIndices(), map.getResults(), type.getShape())) {
    // Elements that no loop reaches (off a diagonal, in another column) are
    // those of the initial value.
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (dim ? loops[dim.getPosition()] != nullptr
            : !isa<AffineConstantExpr>(result) || extent != 1)
      return failure();
    if (dim)
      loops[dim.getPosition()] = index;
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

Value norm::getYielded(linalg::LinalgOp op, const TensorExpr &expr) {
  return op.getBlock()->getTerminator()->getOperand(
      cast<OpResult>(expr.getValue()).getResultNumber());
}

linalg::LinalgOp norm::getLinalgOp(Value value) {
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
    auto extract = yielded.getDefiningOp<tensor::ExtractOp>();
    bool isInBody = yielded.getParentBlock() == op.getBlock();
    if (op.getNumReductionLoops() != 0 ||
        (isInBody && !extract && !isa<BlockArgument>(yielded)))
      return {};
    SmallVector<int64_t> loopSpace(space);
    FailureOr<Indices> loops = getLoopIndices(op, *this, loopSpace);
    if (failed(loops))
      return {};
    if (!isInBody || !extract)
      return getInBody(op, yielded, *loops, space);
    FailureOr<Indices> at = getExtractedIndices(extract, op, *loops);
    if (failed(at))
      return {};
    for (AffineExpr &index : *at)
      index = indexer.simplify(index);
    return TensorExpr(extract.getTensor(), *at, space);
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
