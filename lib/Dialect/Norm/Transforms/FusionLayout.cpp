//===- FusionLayout.cpp - What the values of a kernel run over ------------===//

#include "FusionLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Analysis/DataMovement.h"
#include "renorm/Analysis/RowReduction.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Layout norm::getRowLayout(RankedTensorType type) {
  Layout layout;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    layout.emplace_back();
    if (extent != 1)
      layout.back().rows.push_back({static_cast<int64_t>(dim), 1, extent});
  }
  return layout;
}

OpOperand &norm::getActivation(linalg::LinalgOp root) {
  OpOperand *first = root.getDpsInputOperand(0),
            *second = root.getDpsInputOperand(1);
  bool isSwapped = traceMoves(first->get()).isParameter() &&
                   !traceMoves(second->get()).isParameter();
  return isSwapped ? *second : *first;
}

std::optional<Layout> norm::getRootLayout(linalg::LinalgOp root,
                                          int64_t &columns) {
  AffineMap activation = root.getMatchingIndexingMap(&getActivation(root));
  ArrayRef<int64_t> shape = getShape(root->getResult(0));
  Layout layout(shape.size());
  columns = 1;
  AffineMap map = root.getIndexingMapMatchingResult(root->getResult(0));
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!loop)
      return std::nullopt;
    if (activation.isFunctionOfDim(loop.getPosition())) {
      if (shape[dim] != 1)
        layout[dim].rows.push_back({loop.getPosition(), 1, shape[dim]});
      continue;
    }
    if (ShapedType::isDynamic(shape[dim]))
      return std::nullopt;
    columns *= shape[dim];
    layout[dim].span = columns;
  }
  return layout;
}

/// Whether the body of `op` has no effect. Only what makes floating-point
/// numbers of such may look at indices: other positions are for whom they
/// concern to compute.
static bool isPureBody(linalg::LinalgOp op) {
  bool isOfFloats = op.getNumDpsInputs() > 0 &&
                    llvm::all_of(op->getResults(), [](Value value) {
                      return isa<FloatType>(getElementTypeOrSelf(value));
                    });
  return llvm::all_of(op.getBlock()->getOperations(), [&](Operation &inner) {
    return isMemoryEffectFree(&inner) &&
           (isOfFloats || !isa<linalg::IndexOp, tensor::ExtractOp>(inner));
  });
}

bool norm::isElementwise(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!linalgOp.hasPureTensorSemantics() || isa<linalg::FillOp>(op) ||
        linalgOp.getNumLoops() != linalgOp.getNumParallelLoops() ||
        !isPureBody(linalgOp))
      return false;
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      if (!linalgOp.getMatchingIndexingMap(&init).isPermutation())
        return false;
    return llvm::all_of(linalgOp.getDpsInputOperands(), [&](OpOperand *input) {
      return linalgOp.isScalar(input) ||
             llvm::all_of(linalgOp.getMatchingIndexingMap(input).getResults(),
                          llvm::IsaPred<AffineDimExpr, AffineConstantExpr>);
    });
  }
  if (isa<ResidualAddOp, ApplyStatsOp>(op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

using Layouts = std::optional<SmallVector<Layout, 1>>;

/// Of a linalg operation: the layout of every loop, then of every result.
static Layouts inferLinalg(linalg::LinalgOp op, FindLayout find,
                           IsInTile isInTile) {
  // Elements that are taken wherever they are may be in other tiles.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (llvm::any_of(captured, [&](Value value) { return find(value); }))
    return std::nullopt;

  SmallVector<std::optional<DimLayout>> loops(op.getNumLoops());
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // Values that are the same along some loops.
  SmallVector<std::pair<const Layout *, llvm::SmallBitVector>> broadcast;
  for (OpOperand &operand : op->getOpOperands()) {
    const Layout *layout = find(operand.get());
    if (!layout || !op.payloadUsesValueFromOperand(&operand))
      continue;
    llvm::SmallBitVector covered(loops.size());
    for (auto [expr, dim] : llvm::zip_equal(
             op.getMatchingIndexingMap(&operand).getResults(), *layout)) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      std::optional<DimLayout> &known = loops[loop.getPosition()];
      if (covered.test(loop.getPosition()) || (known && !(*known == dim)))
        return std::nullopt;
      known = dim;
      covered.set(loop.getPosition());
    }
    for (auto [loop, extent] : llvm::enumerate(extents))
      if (extent == 1)
        covered.set(loop);
    if (!covered.all())
      broadcast.emplace_back(layout, covered);
  }
  // They would be read by other tiles, unless they belong to a row of which one
  // tile has all.
  for (auto &[layout, covered] : broadcast) {
    auto isNothing = [](const DimLayout &dim) {
      return dim.rows.empty() && dim.span == 0;
    };
    if (llvm::any_of(*layout, [&](const DimLayout &dim) {
          return !isNothing(dim) && isInTile(dim);
        }))
      return std::nullopt;
    for (auto [loop, dim] : llvm::enumerate(loops))
      if (!covered.test(loop) && !(dim && isInTile(*dim)))
        return std::nullopt;
  }
  SmallVector<Layout, 1> results;
  for (Value result : op->getResults()) {
    Layout &layout = results.emplace_back();
    for (AffineExpr expr :
         op.getIndexingMapMatchingResult(cast<OpResult>(result)).getResults())
      layout.push_back(
          loops[cast<AffineDimExpr>(expr).getPosition()].value_or(DimLayout()));
  }
  return results;
}

/// Of an operation whose operands of the result's shape are read at the index
/// that is written.
static Layouts inferSameIndex(Operation *op, FindLayout find) {
  const Layout *common = nullptr;
  for (Value operand : op->getOperands()) {
    const Layout *layout = find(operand);
    if (!layout)
      continue;
    if (getShape(operand) != getShape(op->getResult(0)) ||
        (common && *common != *layout))
      return std::nullopt;
    common = layout;
  }
  return SmallVector<Layout, 1>{*common};
}

/// Splits a dimension into `extents`; appends the layouts.
static bool splitDim(const DimLayout &dim, int64_t extent,
                     ArrayRef<int64_t> extents, Layout &layout) {
  if (dim.span > 0) {
    // The columns of a whole dimension are split like it; those of a part stay
    // within its span.
    int64_t inner = 1;
    SmallVector<int64_t> spans;
    for (int64_t each : llvm::reverse(extents)) {
      inner *= each;
      spans.push_back(dim.span == extent ? inner : dim.span);
    }
    for (auto [span, each] : llvm::zip(llvm::reverse(spans), extents)) {
      layout.emplace_back();
      if (each != 1)
        layout.back().span = span;
    }
    return true;
  }
  SmallVector<RowPart, 2> rest(llvm::reverse(dim.rows));
  Layout split;
  for (int64_t each : llvm::reverse(extents)) {
    DimLayout &result = split.emplace_back();
    if (each == 1)
      continue;
    if (rest.empty())
      return false;
    RowPart &part = rest.front();
    if (part.extent == each) {
      result.rows.push_back(part);
      rest.erase(rest.begin());
      continue;
    }
    if (ShapedType::isDynamic(each) || ShapedType::isDynamic(part.extent) ||
        part.extent % each != 0)
      return false;
    result.rows.push_back({part.loop, part.stride, each});
    part.stride *= each;
    part.extent /= each;
  }
  if (!rest.empty())
    return false;
  layout.append(split.rbegin(), split.rend());
  return true;
}

/// Joins neighbouring dimensions.
static bool joinDims(ArrayRef<DimLayout> dims, DimLayout &joined) {
  for (const DimLayout &dim : dims) {
    joined.span = std::max(joined.span, dim.span);
    for (const RowPart &part : dim.rows) {
      if (!joined.rows.empty()) {
        RowPart &last = joined.rows.back();
        if (last.loop == part.loop && !ShapedType::isDynamic(last.extent) &&
            !ShapedType::isDynamic(part.extent) &&
            last.stride == part.stride * part.extent) {
          last.stride = part.stride;
          last.extent *= part.extent;
          continue;
        }
      }
      joined.rows.push_back(part);
    }
  }
  return joined.span == 0 || joined.rows.empty();
}

static Layouts inferReshape(Operation *op, FindLayout find) {
  Value source = op->getOperand(0);
  const Layout *layout = find(source);
  if (!layout)
    return std::nullopt;
  if (isa<tensor::CastOp>(op))
    return SmallVector<Layout, 1>{*layout};
  Layout result;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices()))
      if (!splitDim(
              (*layout)[dim], getShape(source)[dim],
              getShape(op->getResult(0)).slice(group.front(), group.size()),
              result))
        return std::nullopt;
    return SmallVector<Layout, 1>{result};
  }
  for (const ReassociationIndices &group :
       cast<tensor::CollapseShapeOp>(op).getReassociationIndices())
    if (!joinDims(ArrayRef(*layout).slice(group.front(), group.size()),
                  result.emplace_back()))
      return std::nullopt;
  return SmallVector<Layout, 1>{result};
}

static Layouts inferSlice(tensor::ExtractSliceOp op, FindLayout find) {
  const Layout *layout = find(op.getSource());
  if (!layout || !op.hasUnitStride())
    return std::nullopt;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Layout result;
  for (auto [dim, each] : llvm::enumerate(*layout)) {
    bool isWhole =
        op.getStaticSizes()[dim] == op.getSourceType().getDimSize(dim) &&
        !op.isDynamicSize(dim);
    if (!isWhole && each.span == 0)
      return std::nullopt;
    if (!dropped.test(dim))
      result.push_back(each);
  }
  return SmallVector<Layout, 1>{result};
}

static Layouts inferConcat(tensor::ConcatOp op, FindLayout find) {
  const Layout *common = nullptr;
  for (Value input : op.getInputs()) {
    const Layout *layout = find(input);
    if (!layout || (common && *common != *layout))
      return std::nullopt;
    common = layout;
  }
  if (!common || (*common)[op.getDim()].span == 0)
    return std::nullopt;
  return SmallVector<Layout, 1>{*common};
}

Layouts norm::inferLayouts(Operation *op, FindLayout find, IsInTile isInTile) {
  if (llvm::none_of(op->getOperands(),
                    [&](Value operand) { return find(operand); }))
    return std::nullopt;
  if (isReshape(op))
    return inferReshape(op, find);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return inferSlice(slice, find);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return inferConcat(concat, find);
  if (!isElementwise(op) && !matchRowReduction(op))
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return inferLinalg(linalgOp, find, isInTile);
  return inferSameIndex(op, find);
}
