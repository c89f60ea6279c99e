//===- FusionGroups.cpp - Which operations become one kernel --------------===//

#include "FusionGroups.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/DataMovement.h"
#include "renorm/Analysis/RowReduction.h"

using namespace mlir;
using namespace mlir::norm;

FusionLimits FusionLimits::get(FusionTarget target) {
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  switch (target) {
  case FusionTarget::CPU:
    // A row in f32 fills a first-level cache of 32 KiB.
    return {"cpu", all, all, 8192};
  case FusionTarget::SM80:
    // Tiles of 128x128; of 128x256 where a norm needs as many columns.
    return {"sm_80", 128, 128, 256};
  case FusionTarget::SM90a:
    // Tiles of 128x256; a cluster of 8 of them has a row.
    return {"sm_90a", 256, 256, 2048};
  }
  llvm_unreachable("unknown target");
}

const Layout *FusionGroup::find(Value value) const {
  auto known = layouts.find(value);
  return known == layouts.end() ? nullptr : &known->second;
}

bool FusionGroup::isKernel() const {
  return root || llvm::any_of(ops, [](Operation *op) {
           return isa<NormalizationOpInterface, RowStatsOp, ApplyStatsOp>(op) ||
                  matchRowReduction(op);
         });
}

FusionGroups::FusionGroups(Block &block, const FusionLimits &limits,
                           const llvm::DenseSet<Operation *> &absorbed)
    : block(block), limits(limits), absorbed(absorbed) {
  Operation *previous = nullptr;
  for (Operation &op : block.without_terminator()) {
    if (isMemoryEffectFree(&op))
      continue;
    if (previous)
      nextEffect[previous] = &op;
    previous = &op;
  }
  for (Operation &op : block.without_terminator())
    assign(&op);
}

FusionGroup *FusionGroups::find(Operation *op) const {
  return groupOf.lookup(op);
}

//===----------------------------------------------------------------------===//
// What may join a group
//===----------------------------------------------------------------------===//

/// Whether `group` can reduce `axes` of a value with `layout`.
bool FusionGroups::canReduce(Operation *op, const Layout &layout,
                             ArrayRef<int64_t> axes, FusionGroup &group,
                             std::optional<SmallVector<RowPart, 2>> &reduced) {
  SmallVector<RowPart, 2> rows;
  int64_t span = 0;
  for (int64_t axis : axes) {
    rows.append(layout[axis].rows);
    span = std::max(span, layout[axis].span);
  }
  if (!group.root) {
    if (group.reduced && *group.reduced != rows)
      return false;
    reduced = rows;
    return true;
  }
  llvm::raw_string_ostream why(refusals[op]);
  if (!rows.empty())
    why << "it normalizes rows of the matmul before it";
  else if (span < group.columns && span > limits.groupColumns)
    why << "it normalizes groups of " << span << " columns, and a tile of "
        << limits.target << " has " << limits.groupColumns;
  else if (span == group.columns && span > limits.rowColumns)
    why << "it normalizes rows of " << span << " columns, and " << limits.target
        << " holds " << limits.rowColumns;
  else
    return true;
  return false;
}

std::optional<SmallVector<Layout, 1>>
FusionGroups::infer(Operation *op, FusionGroup &group,
                    std::optional<SmallVector<RowPart, 2>> &reduced) {
  auto find = [&](Value value) -> const Layout * {
    auto input = group.reducedInputs.find(value);
    return input == group.reducedInputs.end() ? group.find(value)
                                              : &input->second;
  };
  if (auto norm = dyn_cast<NormalizationOpInterface>(op)) {
    const Layout *layout = find(norm.getInput());
    if (!layout ||
        !canReduce(op, *layout, norm.getNormalizedAxes(), group, reduced))
      return std::nullopt;
    return SmallVector<Layout, 1>{*layout};
  }
  if (auto stats = dyn_cast<RowStatsOp>(op)) {
    const Layout *layout = find(stats.getInput());
    SmallVector<int64_t> axes = stats.getReducedAxes();
    if (!layout)
      return std::nullopt;
    // Groups of columns are those of tiles.
    bool isTiled =
        group.root && stats.getGroupSize() &&
        static_cast<int64_t>(*stats.getGroupSize()) <= limits.tileColumns &&
        (*layout)[axes.front()].span == group.columns;
    if (!isTiled && !canReduce(op, *layout, axes, group, reduced))
      return std::nullopt;
    Layout kept;
    for (auto [dim, each] : llvm::enumerate(*layout))
      if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
        kept.push_back(each);
    if (stats.getGroupSize())
      kept.push_back((*layout)[axes.front()]);
    return SmallVector<Layout, 1>(stats->getNumResults(), kept);
  }
  if (auto apply = dyn_cast<ApplyStatsOp>(op)) {
    const Layout *layout = find(apply.getInput());
    bool hasStatistics = llvm::any_of(apply.getStatistics(), find);
    if (!layout ||
        (hasStatistics &&
         !canReduce(op, *layout, apply.getReducedAxes(), group, reduced)))
      return std::nullopt;
    return SmallVector<Layout, 1>{*layout};
  }
  // Columns that change their places must do so in a tile.
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    const Layout *layout = find(slice.getSource());
    for (auto [dim, each] : llvm::enumerate(*layout))
      if (each.span > limits.groupColumns &&
          slice.getStaticSizes()[dim] != slice.getSourceType().getDimSize(dim))
        return std::nullopt;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    for (Value input : concat.getInputs())
      if (const Layout *layout = find(input);
          layout && (*layout)[concat.getDim()].span > limits.groupColumns)
        return std::nullopt;
  if (std::optional<RowReduction> reduction = matchRowReduction(op)) {
    const Layout *layout = find(reduction->input->get());
    if (!layout ||
        !canReduce(op, *layout, reduction->getReducedAxes(), group, reduced))
      return std::nullopt;
  }
  return inferLayouts(op, find, [&](const DimLayout &dim) {
    if (group.root)
      return dim.rows.empty();
    return reduced && llvm::all_of(dim.rows, [&](const RowPart &part) {
             return llvm::is_contained(*reduced, part);
           });
  });
}

//===----------------------------------------------------------------------===//
// The partition
//===----------------------------------------------------------------------===//

void FusionGroups::collectSources(Operation *op,
                                  llvm::SetVector<Operation *> &sources) {
  forEachReadValue(op, [&](Value value) {
    Operation *source = value.getDefiningOp();
    if (!source)
      return;
    if (isAbsorbed(source))
      collectSources(source, sources);
    else if (Operation *inBlock = block.findAncestorOpInBlock(*source))
      sources.insert(inBlock);
  });
}

bool FusionGroups::isComputedFrom(const FusionGroup &group,
                                  const llvm::SetVector<Operation *> &ops,
                                  Operation *reader) {
  if (ops.empty())
    return false;
  llvm::DenseSet<Operation *> seen(group.ops.begin(), group.ops.end());
  SmallVector<Operation *> worklist(group.ops.begin(), group.ops.end());
  auto visit = [&](Operation *op) {
    if (!seen.insert(op).second)
      return false;
    worklist.push_back(op);
    return ops.contains(op);
  };
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    SmallVector<Operation *> later(op->getUsers());
    if (Operation *next = nextEffect.lookup(op))
      later.push_back(next);
    for (Operation *user : later) {
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      // All of `ops` is before what reads it.
      if (!inBlock || !inBlock->isBeforeInBlock(reader))
        continue;
      if (visit(inBlock))
        return true;
      // A group waits for all that it reads.
      if (FusionGroup *other = find(inBlock))
        for (Operation *member : other->ops)
          if (visit(member))
            return true;
    }
  }
  return false;
}

bool FusionGroups::join(Operation *op, FusionGroup &group) {
  std::optional<SmallVector<RowPart, 2>> reduced = group.reduced;
  auto layouts = infer(op, group, reduced);
  if (!layouts)
    return false;
  llvm::SetVector<Operation *> sources;
  collectSources(op, sources);
  sources.remove_if(
      [&](Operation *source) { return group.ops.contains(source); });
  if (isComputedFrom(group, sources, op))
    return false;

  group.ops.insert(op);
  group.reduced = reduced;
  groupOf[op] = &group;
  refusals.erase(op);
  for (auto [result, layout] : llvm::zip_equal(op->getResults(), *layouts))
    group.layouts[result] = layout;
  return true;
}

/// Makes a group of `op` alone, if it can be the first of one.
void FusionGroups::start(Operation *op) {
  FusionGroup group;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && linalg::isaContractionOpInterface(linalgOp)) {
    if (!linalgOp.hasPureTensorSemantics())
      return;
    if (!isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
      refusals[op] = "its sums are no floating-point numbers";
      return;
    }
    std::optional<Layout> layout = getRootLayout(linalgOp, group.columns);
    if (!layout) {
      refusals[op] = "how many columns its result has is not known";
      return;
    }
    group.root = linalgOp;
    group.layouts[op->getResult(0)] = *layout;
  } else if (isa<NormalizationOpInterface, RowStatsOp, ApplyStatsOp>(op)) {
    // As if another operation of the group had computed the input.
    auto input = cast<TypedValue<RankedTensorType>>(op->getOperand(0));
    group.layouts[input] = getRowLayout(input.getType());
    auto layouts = infer(op, group, group.reduced);
    group.layouts.clear();
    if (!layouts)
      return;
    for (auto [result, layout] : llvm::zip_equal(op->getResults(), *layouts))
      group.layouts[result] = layout;
  } else if (std::optional<RowReduction> reduction = matchRowReduction(op)) {
    Value input = reduction->input->get();
    group.reducedInputs[input] =
        getRowLayout(cast<RankedTensorType>(input.getType()));
    auto layouts = infer(op, group, group.reduced);
    if (!layouts)
      return;
    group.layouts[op->getResult(0)] = layouts->front();
  } else if (isElementwise(op)) {
    for (Value result : op->getResults())
      group.layouts[result] =
          getRowLayout(cast<RankedTensorType>(result.getType()));
  } else {
    return;
  }
  group.ops.insert(op);
  groups.push_back(std::make_unique<FusionGroup>(std::move(group)));
  groupOf[op] = groups.back().get();
}

void FusionGroups::assign(Operation *op) {
  if (isReshape(op) && op->getOperand(0).getDefiningOp() &&
      isAbsorbed(op->getOperand(0).getDefiningOp()))
    absorbed.insert(op);
  if (isa<MergeStatsOp>(op))
    absorbed.insert(op);
  // Nothing reads a norm that was dropped, and it is not to go with a group.
  // What is made of a parameter alone is made by each kernel that reads it.
  if (isAbsorbed(op) || op->hasAttr(kDroppedAttrName) ||
      (!isReshape(op) && movesParameter(op)))
    return;

  // The last group first: the earlier ones are there when it runs.
  SmallVector<FusionGroup *> candidates;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      if (FusionGroup *group = find(source))
        if (!llvm::is_contained(candidates, group))
          candidates.push_back(group);
  llvm::sort(candidates, [](FusionGroup *lhs, FusionGroup *rhs) {
    return rhs->ops.front()->isBeforeInBlock(lhs->ops.front());
  });
  for (FusionGroup *group : candidates)
    if (join(op, *group))
      return;
  start(op);
}
