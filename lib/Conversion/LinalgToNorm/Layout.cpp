//===- Layout.cpp - The order of a tensor's elements ----------------------===//

#include "Layout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::norm;

Layout norm::createLayout(AxisSpace &space, ArrayRef<int64_t> shape) {
  return llvm::map_to_vector<6>(
      shape, [&](int64_t extent) { return space.createDim(extent); });
}

AxisProduct norm::flatten(const AxisSpace &space,
                          ArrayRef<AxisProduct> layout) {
  AxisProduct flat;
  for (const AxisProduct &dim : layout)
    llvm::append_range(flat, space.resolve(dim));
  return flat;
}

bool norm::areEqual(const AxisSpace &space, ArrayRef<AxisProduct> lhs,
                    ArrayRef<AxisProduct> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [&](auto pair) {
           return space.equal(std::get<0>(pair), std::get<1>(pair));
         });
}

/// The terms of the sum `index` and their coefficients.
static void
collectTerms(AffineExpr index, int64_t factor,
             SmallVectorImpl<std::pair<int64_t, AffineExpr>> &terms) {
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(index)) {
    if (binary.getKind() == AffineExprKind::Add) {
      collectTerms(binary.getLHS(), factor, terms);
      return collectTerms(binary.getRHS(), factor, terms);
    }
    auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() == AffineExprKind::Mul && number)
      return collectTerms(binary.getLHS(), factor * number.getValue(), terms);
  }
  terms.emplace_back(factor, index);
}

/// The axes that `index` counts.
static FailureOr<AxisProduct> getAxes(AxisSpace &space, AffineExpr index,
                                      ArrayRef<AxisProduct> exprSpace) {
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return exprSpace[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(index)) {
    if (constant.getValue() == 0)
      return AxisProduct();
    return failure();
  }
  auto binary = cast<AffineBinaryOpExpr>(index);

  // (a * extent(b) + b) * extent(c) + c counts the product of a, b and c.
  if (binary.getKind() == AffineExprKind::Add) {
    SmallVector<std::pair<int64_t, AffineExpr>> terms;
    collectTerms(index, 1, terms);
    llvm::sort(terms, llvm::less_first());
    AxisProduct product;
    for (auto [coefficient, term] : terms) {
      FailureOr<AxisProduct> axes = getAxes(space, term, exprSpace);
      if (failed(axes) || space.getExtent(product) != coefficient)
        return failure();
      product.insert(product.begin(), axes->begin(), axes->end());
    }
    return product;
  }

  // d floordiv c and d mod c count the two parts of d.
  bool isOuter = binary.getKind() == AffineExprKind::FloorDiv;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if ((!isOuter && binary.getKind() != AffineExprKind::Mod) || !divisor ||
      divisor.getValue() <= 0)
    return failure();
  FailureOr<AxisProduct> axes = getAxes(space, binary.getLHS(), exprSpace);
  if (failed(axes))
    return failure();
  int64_t inner = divisor.getValue(), extent = space.getExtent(*axes);
  if (!ShapedType::isDynamic(extent)) {
    if (extent % inner != 0)
      return failure();
    extent /= inner;
  }
  FailureOr<SmallVector<AxisProduct>> parts =
      space.split(*axes, {extent, inner});
  if (failed(parts))
    return failure();
  return (*parts)[isOuter ? 0 : 1];
}

FailureOr<Layout> norm::getLayout(AxisSpace &space, const TensorExpr &expr,
                                  ArrayRef<AxisProduct> exprSpace) {
  auto type = cast<RankedTensorType>(expr.getValue().getType());
  Layout layout;
  for (auto [index, extent] :
       llvm::zip_equal(expr.getIndices(), type.getShape())) {
    FailureOr<AxisProduct> axes = getAxes(space, index, exprSpace);
    if (failed(axes))
      return failure();
    // A dimension of which only a part is read is no product of axes.
    if (space.getExtent(*axes) != extent)
      return failure();
    layout.push_back(*axes);
  }
  return layout;
}

namespace {

/// How a tensor gets from one layout to another: the source's dimensions that
/// are no units are split into blocks, the blocks permuted, and merged to the
/// target's dimensions that are no units.
struct Rearrangement {
  /// The axes of the blocks, in the source's order.
  SmallVector<AxisProduct> blocks;
  /// The blocks of each non-unit dimension of the source, and of the target.
  SmallVector<ReassociationIndices> sourceGroups, targetGroups;
  /// The target's block i is the source's block `permutation[i]`.
  SmallVector<int64_t> permutation;
};

} // namespace

/// Fails if source and target do not hold the same axes, or if a dimension must
/// be split whose parts have more than one unknown extent.
static FailureOr<Rearrangement> plan(const AxisSpace &space,
                                     ArrayRef<AxisProduct> source,
                                     ArrayRef<AxisProduct> target) {
  Rearrangement plan;
  // The place of each axis in the target: position and dimension.
  AxisProduct targetAxes = flatten(space, target);
  AxisProduct sortedSource = flatten(space, source);
  AxisProduct sortedTarget = targetAxes;
  llvm::sort(sortedSource);
  llvm::sort(sortedTarget);
  if (sortedSource != sortedTarget ||
      std::adjacent_find(sortedTarget.begin(), sortedTarget.end()) !=
          sortedTarget.end())
    return failure();
  SmallVector<size_t> targetDims;
  for (auto [dim, axes] : llvm::enumerate(target))
    targetDims.append(space.resolve(axes).size(), dim);

  SmallVector<size_t> firstPositions;
  for (const AxisProduct &dim : source) {
    AxisProduct axes = space.resolve(dim);
    if (axes.empty())
      continue;
    ReassociationIndices group;
    int64_t numDynamic = 0;
    size_t previous = 0;
    for (auto [index, axis] : llvm::enumerate(axes)) {
      size_t position = llvm::find(targetAxes, axis) - targetAxes.begin();
      if (index != 0 && position == previous + 1 &&
          targetDims[position] == targetDims[previous]) {
        plan.blocks.back().push_back(axis);
      } else {
        group.push_back(plan.blocks.size());
        plan.blocks.push_back({axis});
        firstPositions.push_back(position);
      }
      previous = position;
    }
    for (int64_t block : group)
      numDynamic += ShapedType::isDynamic(space.getExtent(plan.blocks[block]));
    if (group.size() > 1 && numDynamic > 1)
      return failure();
    plan.sourceGroups.push_back(group);
  }

  plan.permutation = llvm::to_vector(llvm::seq<int64_t>(plan.blocks.size()));
  llvm::sort(plan.permutation, [&](int64_t lhs, int64_t rhs) {
    return firstPositions[lhs] < firstPositions[rhs];
  });
  for (auto [index, block] : llvm::enumerate(plan.permutation)) {
    size_t dim = targetDims[firstPositions[block]];
    if (index == 0 ||
        dim != targetDims[firstPositions[plan.permutation[index - 1]]])
      plan.targetGroups.emplace_back();
    plan.targetGroups.back().push_back(index);
  }
  return plan;
}

bool norm::canRearrange(const AxisSpace &space, ArrayRef<AxisProduct> from,
                        ArrayRef<AxisProduct> to) {
  return succeeded(plan(space, from, to));
}

/// The reassociation between `dims` and those of them that are no units.
static SmallVector<ReassociationIndices>
getUnitGroups(const AxisSpace &space, ArrayRef<AxisProduct> dims) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [index, axes] : llvm::enumerate(dims)) {
    if (!space.resolve(axes).empty()) {
      groups.push_back(leading);
      leading.clear();
    }
    (groups.empty() ? leading : groups.back()).push_back(index);
  }
  return groups;
}

Value norm::rearrange(OpBuilder &builder, Location loc, const AxisSpace &space,
                      Value value, ArrayRef<AxisProduct> from,
                      ArrayRef<AxisProduct> to) {
  if (areEqual(space, from, to))
    return value;
  Rearrangement plan = *::plan(space, from, to);
  auto getType = [&] { return cast<RankedTensorType>(value.getType()); };
  auto collapse = [&](ArrayRef<ReassociationIndices> groups) {
    if (groups.size() != static_cast<size_t>(getType().getRank()))
      value = tensor::CollapseShapeOp::create(builder, loc, value, groups);
  };
  auto expand = [&](ArrayRef<ReassociationIndices> groups,
                    ArrayRef<int64_t> shape) {
    if (shape.size() != static_cast<size_t>(getType().getRank()))
      value = tensor::ExpandShapeOp::create(
          builder, loc,
          RankedTensorType::get(shape, getType().getElementType()), value,
          groups);
  };

  collapse(getUnitGroups(space, from));
  SmallVector<int64_t> shape;
  for (auto [group, extent] :
       llvm::zip_equal(plan.sourceGroups, getType().getShape())) {
    for (int64_t block : group)
      shape.push_back(group.size() == 1 ? extent
                                        : space.getExtent(plan.blocks[block]));
  }
  expand(plan.sourceGroups, shape);
  if (!llvm::is_sorted(plan.permutation)) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, loc, value);
    Value empty = tensor::EmptyOp::create(
        builder, loc, applyPermutation(sizes, plan.permutation),
        getType().getElementType());
    value = linalg::TransposeOp::create(builder, loc, value, empty,
                                        plan.permutation)
                ->getResult(0);
  }
  collapse(plan.targetGroups);
  shape.assign(to.size(), 1);
  for (auto [group, extent] :
       llvm::zip_equal(getUnitGroups(space, to), getType().getShape()))
    for (int64_t dim : group)
      if (!space.resolve(to[dim]).empty())
        shape[dim] = extent;
  expand(getUnitGroups(space, to), shape);
  return value;
}
