//===- StatsToLinalg.cpp - The two halves of a norm as linalg -------------===//

#include "Normalization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"

using namespace mlir;
using namespace mlir::norm;

static FloatType elementTypeOf(Value tensor) {
  return cast<FloatType>(
      cast<RankedTensorType>(tensor.getType()).getElementType());
}

//===----------------------------------------------------------------------===//
// RowStatsOp
//===----------------------------------------------------------------------===//

/// The statistics of `input` along `axes`, as `norm.row_stats` returns them.
static SmallVector<Value, 2> createStatistics(ImplicitLocOpBuilder &b,
                                              Value input, NormKind kind,
                                              ArrayRef<int64_t> axes,
                                              FloatType type) {
  Normalization norm(b, cast<TypedValue<RankedTensorType>>(input), kind, axes,
                     type);
  auto [center, squares] = norm.moments();
  Value power = norm.power(squares);
  if (center.empty())
    return {power};
  Value mean = norm.mapStatistics(
      center, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        return arith::AddFOp::create(b, args[0], args[1]);
      });
  return {mean, power};
}

/// `size` elements of `input` along `axis`, from `offset` on.
static Value sliceAxis(ImplicitLocOpBuilder &b, Value input, int64_t axis,
                       int64_t offset, int64_t size) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0)),
      strides(sizes.size(), b.getIndexAttr(1));
  offsets[axis] = b.getIndexAttr(offset);
  sizes[axis] = b.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(b, input, offsets, sizes, strides);
}

/// `input` with the dimension `axis` split into one of `groups` and the rest.
static Value splitAxis(ImplicitLocOpBuilder &b, Value input, int64_t axis,
                       int64_t groups, int64_t groupSize) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t dim = 0, rank = sizes.size(); dim < rank; ++dim) {
    reassociation.push_back({dim + (dim > axis)});
    if (dim == axis)
      reassociation.back().push_back(dim + 1);
  }
  sizes[axis] = b.getIndexAttr(groups);
  sizes.insert(sizes.begin() + axis + 1, b.getIndexAttr(groupSize));
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = groups;
  shape.insert(shape.begin() + axis + 1, groupSize);
  return tensor::ExpandShapeOp::create(b, type.clone(shape), input,
                                       reassociation, sizes);
}

/// `tensor` with its dimension `dim` made the last one.
static Value moveToEnd(ImplicitLocOpBuilder &b, Value tensor, int64_t dim) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  int64_t rank = sizes.size();
  if (dim == rank - 1)
    return tensor;
  SmallVector<int64_t> permutation;
  SmallVector<OpFoldResult> permuted;
  for (int64_t from = 0; from < rank; ++from)
    if (from != dim)
      permutation.push_back(from);
  permutation.push_back(dim);
  for (int64_t from : permutation)
    permuted.push_back(sizes[from]);
  Value init = tensor::EmptyOp::create(b, permuted, elementTypeOf(tensor));
  return linalg::TransposeOp::create(b, tensor, init, permutation)
      .getResult()[0];
}

/// The statistics of each `groupSize` elements along `axis`, of static extent;
/// groups are the last dimension.
static SmallVector<Value, 2>
createGroupStatistics(ImplicitLocOpBuilder &b, Value input, NormKind kind,
                      int64_t axis, int64_t groupSize, FloatType type) {
  int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(axis);
  int64_t whole = extent / groupSize, rest = extent % groupSize;

  SmallVector<Value, 2> groups;
  if (whole > 0) {
    Value inGroups =
        rest == 0 ? input : sliceAxis(b, input, axis, 0, whole * groupSize);
    inGroups = splitAxis(b, inGroups, axis, whole, groupSize);
    groups = createStatistics(b, inGroups, kind, {axis + 1}, type);
    for (Value &statistic : groups)
      statistic = moveToEnd(b, statistic, axis);
    if (rest == 0)
      return groups;
  }

  Value smaller = sliceAxis(b, input, axis, whole * groupSize, rest);
  SmallVector<Value, 2> last = createStatistics(b, smaller, kind, {axis}, type);
  SmallVector<Value, 2> results;
  for (auto [index, statistic] : llvm::enumerate(last)) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), statistic);
    SmallVector<OpFoldResult> offsets(sizes.size() + 1, b.getIndexAttr(0)),
        strides(sizes.size() + 1, b.getIndexAttr(1));
    sizes.push_back(b.getIndexAttr(whole + 1));
    Value result = tensor::EmptyOp::create(b, sizes, type);
    if (whole > 0) {
      sizes.back() = b.getIndexAttr(whole);
      result = tensor::InsertSliceOp::create(b, groups[index], result, offsets,
                                             sizes, strides);
    }
    offsets.back() = b.getIndexAttr(whole);
    sizes.back() = b.getIndexAttr(1);
    results.push_back(tensor::InsertSliceOp::create(b, statistic, result,
                                                    offsets, sizes, strides));
  }
  return results;
}

namespace {
struct RowStatsToLinalg : public OpRewritePattern<RowStatsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RowStatsOp op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<int64_t> axes = op.getReducedAxes();
    FloatType type = elementTypeOf(op.getStatistics().front());
    if (std::optional<uint64_t> groupSize = op.getGroupSize())
      rewriter.replaceOp(op,
                         createGroupStatistics(b, op.getInput(), op.getKind(),
                                               axes.front(), *groupSize, type));
    else
      rewriter.replaceOp(
          op, createStatistics(b, op.getInput(), op.getKind(), axes, type));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// MergeStatsOp
//===----------------------------------------------------------------------===//

/// Sums over the groups.
struct Groups {
  Groups(ImplicitLocOpBuilder &b, MergeStatsOp op)
      : b(b), extent(op.getExtent()), type(elementTypeOf(op.getPartials()[0])),
        rowSizes(tensor::getMixedSizes(b, b.getLoc(), op.getPartials()[0])) {
    rank = rowSizes.size();
    rowSizes.pop_back();
    all = b.getMultiDimIdentityMap(rank);
    rows =
        selectDims(b, rank, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)));

    // How many elements each group has, which every float type holds exactly.
    SmallVector<APFloat> elements;
    auto groupSize = static_cast<int64_t>(op.getGroupSize());
    for (int64_t begin = 0; begin < extent; begin += groupSize) {
      APFloat count(static_cast<double>(std::min(groupSize, extent - begin)));
      bool losesInfo;
      count.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      elements.push_back(count);
    }
    auto countsType =
        RankedTensorType::get({static_cast<int64_t>(elements.size())}, type);
    counts = {arith::ConstantOp::create(
                  b, DenseElementsAttr::get(countsType, elements)),
              selectDims(b, rank, {rank - 1})};
  }

  /// The sum over all groups of `term`, a function of the elements of
  /// `partials` (one for each group) and `totals` (one for each row).
  Value sum(ValueRange partials, ValueRange totals, Body term) {
    return reduce(inputs(partials, totals), term);
  }

  /// The same, each group as often as it has elements, divided by `extent`.
  Value mean(ValueRange partials, ValueRange totals, Body term) {
    SmallVector<Operand> operands = inputs(partials, totals);
    operands.push_back(counts);
    Value total = reduce(
        operands, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::MulFOp::create(b, term(b, args.drop_back()),
                                       args.back(), kReductionFlags);
        });
    return mapRows(
        total, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value count = createConstant(b, type, static_cast<double>(extent));
          return arith::DivFOp::create(b, args[0], count);
        });
  }

  /// A function of the elements of `totals`, as another total.
  Value mapRows(ValueRange totals, Body body) {
    AffineMap map = b.getMultiDimIdentityMap(rank - 1);
    SmallVector<Operand> operands;
    for (Value total : totals)
      operands.push_back({total, map});
    return createElementwise(b, rowSizes, type, operands, body);
  }

private:
  SmallVector<Operand> inputs(ValueRange partials, ValueRange totals) {
    SmallVector<Operand> operands;
    for (Value partial : partials)
      operands.push_back({partial, all});
    for (Value total : totals)
      operands.push_back({total, rows});
    return operands;
  }

  Value reduce(ArrayRef<Operand> operands, Body term) {
    Value zero = createFilled(b, rowSizes, type, 0.0);
    return createGeneric(
        b, operands, {zero, rows},
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::AddFOp::create(
              b, args.back(), term(b, args.drop_back()), kReductionFlags);
        });
  }

  ImplicitLocOpBuilder &b;
  int64_t extent, rank;
  FloatType type;
  SmallVector<OpFoldResult> rowSizes;
  AffineMap all, rows;
  Operand counts;
};

struct MergeStatsToLinalg : public OpRewritePattern<MergeStatsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MergeStatsOp op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Groups groups(b, op);
    auto itself = [](ImplicitLocOpBuilder &, ValueRange args) {
      return args[0];
    };
    switch (op.getKind()) {
    case NormKind::L2:
      rewriter.replaceOp(op, groups.sum(op.getPartials(), {}, itself));
      return success();
    case NormKind::RMS:
      rewriter.replaceOp(op, groups.mean(op.getPartials(), {}, itself));
      return success();
    case NormKind::Layer:
      break;
    }

    // In two parts, as in Normalization::moments.
    Value means = op.getPartials()[0], variances = op.getPartials()[1];
    Value high = groups.mean(means, {}, itself);
    Value low = groups.mean(
        means, high, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::SubFOp::create(b, args[0], args[1]);
        });
    Value mean = groups.mapRows(
        {high, low}, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::AddFOp::create(b, args[0], args[1]);
        });
    Value variance = groups.mean(
        {means, variances}, {high, low},
        [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value deviation = arith::SubFOp::create(b, args[0], args[2]);
          deviation = arith::SubFOp::create(b, deviation, args[3]);
          Value square =
              arith::MulFOp::create(b, deviation, deviation, kReductionFlags);
          return arith::AddFOp::create(b, args[1], square, kReductionFlags);
        });
    rewriter.replaceOp(op, {mean, variance});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// ApplyStatsOp
//===----------------------------------------------------------------------===//

struct ApplyStatsToLinalg : public OpRewritePattern<ApplyStatsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ApplyStatsOp op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Normalization norm(b, op.getInput(), op.getKind(), op.getReducedAxes(),
                       elementTypeOf(op.getStatistics().front()));
    SmallVector<Value> center(op.getStatistics().drop_back());
    Value normalizer =
        norm.root(op.getStatistics().back(), op.getEpsilon().convertToDouble(),
                  op.getEpsilonMode());
    SmallVector<int64_t> scaleDims = op.getScaleDimensions();
    rewriter.replaceOp(
        op,
        norm.result(center, normalizer,
                    {op.getColumnSums(), op.getScale(), op.getBias(), scaleDims,
                     op.getUnitOffset(), op.getCastBeforeScale()},
                    elementTypeOf(op.getResult())));
    return success();
  }
};
} // namespace

void norm::populateStatsToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<RowStatsToLinalg, MergeStatsToLinalg, ApplyStatsToLinalg>(
      patterns.getContext());
}
