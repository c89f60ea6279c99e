//===- ProjectionPath.cpp - From an attention to a projection -------------===//

#include "renorm/Analysis/ProjectionPath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::norm;

using Step = ProjectionPath::Step;

const HeadLayout *ProjectionPath::getMovedLayout() const {
  bool moved = llvm::all_of(steps, [](Step step) {
    return step == Step::Move || step == Step::Repeat;
  });
  const std::optional<HeadLayout> &layout = points.back().layout;
  return moved && layout ? &*layout : nullptr;
}

//===----------------------------------------------------------------------===//
// What one operation does
//===----------------------------------------------------------------------===//

namespace {
/// The dimensions of an operand along which dimensions of the result run.
struct OperandDims {
  SmallVector<int64_t, 2> dims;
  /// One of the result's dimensions repeats the operand.
  bool repeats = false;
};
} // namespace

/// The generic operation without inputs that `op` is, if its result's elements
/// are elements of a tensor at computed places (a broadcast of dynamic shapes).
static tensor::ExtractOp matchGather(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 0 ||
      generic.getNumResults() != 1 ||
      !generic.getIndexingMapsArray().front().isIdentity())
    return {};
  return generic.getBody()
      ->getTerminator()
      ->getOperand(0)
      .getDefiningOp<tensor::ExtractOp>();
}

static std::optional<OperandDims> gatheredDims(tensor::ExtractOp extract,
                                               ArrayRef<int64_t> dims) {
  OperandDims result;
  for (int64_t dim : dims) {
    auto indexOf = [&](Value index) {
      auto op = index.getDefiningOp<linalg::IndexOp>();
      return op && static_cast<int64_t>(op.getDim()) == dim;
    };
    auto indices = extract.getIndices();
    auto found = llvm::find_if(indices, indexOf);
    if (found == indices.end())
      return std::nullopt;
    result.dims.push_back(std::distance(indices.begin(), found));
  }
  return result;
}

/// Of a linalg operation without reductions: by its maps.
static std::optional<OperandDims>
structuredDims(linalg::LinalgOp op, Value source, ArrayRef<int64_t> dims) {
  OpOperand *input = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (operand->get() == source)
      input = operand;
  if (!input || op.getNumDpsInits() != 1 || op->getNumResults() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops())
    return std::nullopt;
  AffineMap inputMap = op.getMatchingIndexingMap(input);
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!inputMap.isProjectedPermutation(/*allowZeroInResults=*/true) ||
      !resultMap.isPermutation())
    return std::nullopt;
  OperandDims result;
  for (int64_t dim : dims) {
    if (auto position = inputMap.getResultPosition(resultMap.getResult(dim)))
      result.dims.push_back(*position);
    else
      result.repeats = true;
  }
  return result;
}

/// Of an operation that splits or joins dimensions.
static std::optional<OperandDims> reshapedDims(Operation *op, Value source,
                                               ArrayRef<int64_t> dims) {
  auto from = dyn_cast<RankedTensorType>(source.getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (source != op->getOperand(0) || !from || !to)
    return std::nullopt;
  std::optional<SmallVector<ReassociationIndices>> groups;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    groups = expand.getReassociationIndices();
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    groups = collapse.getReassociationIndices();
  else
    groups = getReassociationIndicesForReshape(from, to);
  if (!groups)
    return std::nullopt;
  llvm::SmallSetVector<int64_t, 4> found;
  bool splits = from.getRank() < to.getRank();
  for (auto [dim, group] : llvm::enumerate(*groups))
    for (int64_t part : group) {
      if (splits && llvm::is_contained(dims, part))
        found.insert(dim);
      else if (!splits && llvm::is_contained(dims, dim) &&
               from.getDimSize(part) != 1)
        found.insert(part);
    }
  return OperandDims{{found.begin(), found.end()}};
}

/// The dimensions of `source`, which `op` reads, along which the dimensions
/// `dims` of its result run; none if that is not known.
static std::optional<OperandDims> operandDims(Operation *op, Value source,
                                              ArrayRef<int64_t> dims) {
  OperandDims same = {SmallVector<int64_t, 2>(dims)};
  llvm::SmallSetVector<int64_t, 4> found;
  auto take = [&]() { return OperandDims{{found.begin(), found.end()}}; };
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(
          op))
    return reshapedDims(op, source, dims);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (int64_t dim = 0, kept = 0, e = dropped.size(); dim < e; ++dim)
      if (!dropped.test(dim) && llvm::is_contained(dims, kept++))
        found.insert(dim);
    return take();
  }
  if (isa<tensor::CastOp, tensor::ConcatOp>(op) ||
      OpTrait::hasElementwiseMappableTraits(op))
    return same;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getSourceType().getRank() == insert.getDestType().getRank()
               ? std::optional(same)
               : std::nullopt;
  if (tensor::ExtractOp gather = matchGather(op))
    return gather.getTensor() == source ? gatheredDims(gather, dims)
                                        : std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return structuredDims(linalgOp, source, dims);
  return std::nullopt;
}

/// Whether a slice has all of its source along `dims` of the source.
static bool isWholeAlong(tensor::ExtractSliceOp slice, ArrayRef<int64_t> dims) {
  return llvm::all_of(dims, [&](int64_t dim) {
    int64_t size = slice.getStaticSizes()[dim];
    return ShapedType::isStatic(size) &&
           size == slice.getSourceType().getDimSize(dim);
  });
}

/// Whether the scalar or elementwise operation `op` is linear in those operands
/// for which `depends` holds.
static bool isLinearArith(Operation *op,
                          llvm::function_ref<bool(Value)> depends) {
  auto dependsOn = [&](unsigned index) {
    return depends(op->getOperand(index));
  };
  if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
    return true;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return dependsOn(0) && dependsOn(1);
  if (isa<arith::MulFOp>(op))
    return dependsOn(0) != dependsOn(1);
  if (isa<arith::DivFOp>(op))
    return dependsOn(0) && !dependsOn(1);
  return false;
}

/// Whether the body of `op` is linear in the arguments for whose operands
/// `follows` holds.
static bool hasLinearBody(linalg::LinalgOp op,
                          llvm::function_ref<bool(Value)> follows) {
  Block *body = op.getBlock();
  llvm::SmallDenseSet<Value> dependent;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (follows(operand->get()))
      dependent.insert(op.getMatchingBlockArgument(operand));
  auto depends = [&](Value value) { return dependent.contains(value); };
  for (Operation &inner : body->without_terminator()) {
    if (llvm::none_of(inner.getOperands(), depends))
      continue;
    if (!isLinearArith(&inner, depends))
      return false;
    dependent.insert(inner.getResult(0));
  }
  return depends(body->getTerminator()->getOperand(0));
}

static bool isConstantFactor(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  return isa<FloatAttr>(constant) || (elements && elements.isSplat());
}

/// Whether the linear operation `op` multiplies the operand that it follows by
/// one constant and does nothing else.
static bool isUniformFactor(Operation *op) {
  Operation *product = op;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp) {
    if (!llvm::hasSingleElement(linalgOp.getBlock()->without_terminator()))
      return false;
    product = &linalgOp.getBlock()->front();
  }
  if (!isa<arith::MulFOp, arith::DivFOp>(product))
    return false;
  return llvm::any_of(product->getOperands(), [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (linalgOp && argument && argument.getOwner() == linalgOp.getBlock())
      value = linalgOp.getMatchingOpOperand(argument)->get();
    return isConstantFactor(value);
  });
}

static bool isConversion(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!llvm::hasSingleElement(linalgOp.getBlock()->without_terminator()))
      return false;
    op = &linalgOp.getBlock()->front();
  }
  return isa<arith::ExtFOp, arith::TruncFOp>(op);
}

static bool isNormOrContraction(Operation *op) {
  return isa_and_present<NormalizationOpInterface>(op) ||
         (op && isContraction(op));
}

/// Whether nothing is read of `value`: it is there to be written to.
static bool isBlank(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<tensor::EmptyOp, linalg::FillOp>(op) ||
         matchPattern(value, m_Constant());
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Tracer {
public:
  Tracer(Value operand, const BranchSlice *module);
  ProjectionPath trace(std::optional<HeadLayout> layout);

private:
  /// Whether the way leads on through `value`.
  bool follows(Value value) const;
  SmallVector<Value> followedReads(Operation *op) const;
  /// What computes `value`, if that is on the way.
  Operation *getDefinition(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && module && !module->contains(op) ? nullptr : op;
  }
  std::optional<HeadLayout> layoutOf(Operation *op, Value source,
                                     const HeadLayout &layout,
                                     bool &repeats) const;
  bool isLinear(Operation *op) const;
  Step classify(Operation *op, Value source,
                const std::optional<HeadLayout> &layout) const;
  std::optional<HeadLayout> findLayout(Value from, const HeadLayout &layout,
                                       ArrayRef<Operation *> ops,
                                       Value to) const;
  void addPoint(ProjectionPath &path, ArrayRef<Operation *> ops, Value value,
                bool mixes) const;

  Value operand;
  Block *block;
  const BranchSlice *module;
  /// Without a module: what comes from a norm or contraction, if anything does.
  llvm::DenseSet<Operation *> projected;
};
} // namespace

Tracer::Tracer(Value operand, const BranchSlice *module)
    : operand(operand), block(operand.getParentBlock()), module(module) {
  if (module && module->depends(operand))
    return;
  this->module = nullptr;
  llvm::SetVector<Operation *> ops;
  auto visit = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block)
      ops.insert(op);
    else if (isNormOrContraction(op))
      projected.insert(op);
  };
  visit(operand);
  for (unsigned i = 0; i < ops.size(); ++i)
    if (!isNormOrContraction(ops[i]))
      forEachReadValue(ops[i], visit);
  SmallVector<Operation *> ordered = ops.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : ordered) {
    bool comes = isNormOrContraction(op);
    if (!comes)
      forEachReadValue(op, [&](Value value) {
        comes |= projected.contains(value.getDefiningOp());
      });
    if (comes)
      projected.insert(op);
  }
}

bool Tracer::follows(Value value) const {
  if (module)
    return module->depends(value);
  return projected.empty() || projected.contains(value.getDefiningOp());
}

SmallVector<Value> Tracer::followedReads(Operation *op) const {
  llvm::SmallSetVector<Value, 4> reads;
  forEachReadValue(op, [&](Value value) {
    if (follows(value))
      reads.insert(value);
  });
  return reads.takeVector();
}

std::optional<HeadLayout> Tracer::layoutOf(Operation *op, Value source,
                                           const HeadLayout &layout,
                                           bool &repeats) const {
  auto type = dyn_cast<RankedTensorType>(source.getType());
  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !resultType)
    return std::nullopt;
  auto headDim = operandDims(op, source, layout.headDim);
  auto heads = operandDims(op, source, layout.heads);
  if (!headDim || !heads || headDim->repeats)
    return std::nullopt;
  HeadLayout result{heads->dims, headDim->dims, layout.headCount};
  bool stretches = isa<linalg::LinalgOp>(op) && type.hasStaticShape() &&
                   resultType.hasStaticShape() &&
                   type.getNumElements() < resultType.getNumElements();
  repeats |= heads->repeats || stretches;
  if (heads->repeats) {
    result.headCount = 1;
    for (int64_t dim : result.heads) {
      if (type.isDynamicDim(dim))
        result.headCount = ShapedType::kDynamic;
      if (ShapedType::isStatic(result.headCount))
        result.headCount *= type.getDimSize(dim);
    }
  }
  return result;
}

bool Tracer::isLinear(Operation *op) const {
  auto follow = [&](Value value) { return follows(value); };
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ReshapeOp, tensor::ExtractSliceOp>(op))
    return true;
  // What is put beside the rest of the value is no other value (a cache).
  if (isa<tensor::ConcatOp>(op))
    return llvm::all_of(op->getOperands(), follow);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return follows(insert.getSource()) &&
           (follows(insert.getDest()) || isBlank(insert.getDest()));
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp->getNumResults() == 1 &&
           linalgOp.getNumLoops() == linalgOp.getNumParallelLoops() &&
           hasLinearBody(linalgOp, follow);
  return op->getNumResults() == 1 &&
         OpTrait::hasElementwiseMappableTraits(op) && isLinearArith(op, follow);
}

/// What `op`, whose result has `layout`, does to `source`, the one value that
/// it follows.
Step Tracer::classify(Operation *op, Value source,
                      const std::optional<HeadLayout> &layout) const {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool reshapes = isa<tensor::CastOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp, tensor::ReshapeOp>(op) ||
                  matchGather(op);
  bool isElementwise = reshapes || slice || linalgOp ||
                       OpTrait::hasElementwiseMappableTraits(op);
  if (!isElementwise || !operandDims(op, source, {}))
    return Step::Unknown;
  if (!layout)
    return Step::Elementwise;
  bool repeats = false;
  std::optional<HeadLayout> sourceLayout =
      layoutOf(op, source, *layout, repeats);
  if (!sourceLayout)
    return Step::Unknown;
  if (slice && !(isWholeAlong(slice, sourceLayout->heads) &&
                 isWholeAlong(slice, sourceLayout->headDim)))
    return Step::Elementwise;
  bool moves =
      linalgOp &&
      isa<BlockArgument>(linalgOp.getBlock()->getTerminator()->getOperand(0));
  if (reshapes || slice || (moves && isLinear(op)))
    return repeats ? Step::Repeat : Step::Move;
  if (isConversion(op))
    return Step::Cast;
  return isLinear(op) && isUniformFactor(op) ? Step::Factor : Step::Elementwise;
}

void Tracer::addPoint(ProjectionPath &path, ArrayRef<Operation *> ops,
                      Value value, bool mixes) const {
  std::optional<HeadLayout> from = path.points.back().layout;
  Step step = Step::Unknown;
  std::optional<HeadLayout> layout;
  if (ops.size() == 1 && !mixes)
    step = classify(ops.front(), value, from);
  else if (llvm::all_of(ops, [&](Operation *op) { return isLinear(op); }))
    step = Step::Rotation;
  if (from && step != Step::Elementwise && step != Step::Unknown)
    layout = findLayout(path.points.back().value, *from, ops, value);
  if (step == Step::Rotation && !layout)
    step = Step::Unknown;
  path.points.push_back({value, layout});
  path.steps.push_back(step);
  path.mixing.push_back(mixes);
}

/// The layout of `to`, from which `ops`, given in reverse order, compute `from`
/// of layout `layout`; none if it differs from way to way.
std::optional<HeadLayout> Tracer::findLayout(Value from,
                                             const HeadLayout &layout,
                                             ArrayRef<Operation *> ops,
                                             Value to) const {
  llvm::SmallDenseMap<Value, HeadLayout> layouts;
  layouts.try_emplace(from, layout);
  for (Operation *op : ops) {
    if (op->getNumResults() != 1)
      return std::nullopt;
    HeadLayout result = layouts.lookup(op->getResult(0));
    for (Value source : followedReads(op)) {
      bool repeats = false;
      std::optional<HeadLayout> found = layoutOf(op, source, result, repeats);
      if (!found ||
          !(layouts.try_emplace(source, *found).first->second == *found))
        return std::nullopt;
    }
  }
  return layouts.lookup(to);
}

ProjectionPath Tracer::trace(std::optional<HeadLayout> layout) {
  ProjectionPath path;
  path.points.push_back({operand, std::move(layout)});
  // All ways back pass one of these.
  SmallVector<Value> frontier = {operand};
  // Unreachable code may go round in circles.
  llvm::SmallDenseSet<Operation *> seen;
  SmallVector<Operation *> ops;
  bool mixes = false;
  while (true) {
    Operation *latest = nullptr;
    for (Value value : frontier) {
      Operation *op = getDefinition(value);
      if (op && op->getBlock() == block && !isNormOrContraction(op) &&
          (!latest || latest->isBeforeInBlock(op)))
        latest = op;
    }
    if (!latest)
      break;
    llvm::erase_if(
        frontier, [&](Value value) { return value.getDefiningOp() == latest; });
    ops.push_back(latest);
    for (Value value : followedReads(latest)) {
      if (llvm::is_contained(frontier, value))
        mixes = true;
      else
        frontier.push_back(value);
    }
    if (frontier.size() != 1)
      continue;
    addPoint(path, ops, frontier.front(), mixes);
    ops.clear();
    mixes = false;
  }
  path.mixesBehind = mixes;
  path.isProjected = !frontier.empty();
  for (Value value : frontier)
    path.isProjected &= isNormOrContraction(getDefinition(value));
  if (frontier.size() == 1)
    path.norm = dyn_cast_if_present<NormalizationOpInterface>(
        getDefinition(frontier.front()));
  return path;
}

ProjectionPath norm::traceProjection(Value value,
                                     std::optional<HeadLayout> layout,
                                     const BranchSlice *module) {
  return Tracer(value, module).trace(std::move(layout));
}
