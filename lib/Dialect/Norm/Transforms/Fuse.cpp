//===- Fuse.cpp - Norms and matmuls into kernels --------------------------===//

#include "DeferApply.h"
#include "FusionGroups.h"
#include "FusionStrategies.h"
#include "OutlineFusion.h"
#include "SplitStats.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Analysis/Traffic.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMFUSEPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// The blocks in which a program computes with tensors.
static void collectBlocks(Region &region, SmallVectorImpl<Block *> &blocks) {
  for (Block &block : region) {
    blocks.push_back(&block);
    for (Operation &op : block)
      if (!isa<linalg::LinalgOp, FusionOp>(op))
        for (Region &inner : op.getRegions())
          collectBlocks(inner, blocks);
  }
}

/// What is moved by the operations of `group`, each a kernel of its own.
static Traffic measureApart(const FusionGroup &group) {
  Traffic sum;
  for (Operation *op : group.ops) {
    Traffic one = measureTraffic(op, /*streamElements=*/0);
    sum.kernels += one.kernels;
    sum.bytes += one.bytes;
  }
  return sum;
}

/// Moves what an operation reads before it, where it is not, and otherwise
/// keeps the order. Linear; mlir::sortTopologically takes a pass over the block
/// for each operation that waits for one that waits.
static void moveAfterReads(Block &block) {
  llvm::DenseSet<Operation *> placed, begun;
  SmallVector<Operation *> ops = llvm::map_to_vector(
      block.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : ops) {
    SmallVector<Operation *> stack{op};
    while (!stack.empty()) {
      Operation *top = stack.back();
      size_t height = stack.size();
      if (begun.insert(top).second) {
        SetVector<Value> read(top->operand_begin(), top->operand_end());
        getUsedValuesDefinedAbove(top->getRegions(), read);
        for (Value value : llvm::reverse(read))
          if (Operation *source = value.getDefiningOp();
              source && source->getBlock() == &block && !begun.contains(source))
            stack.push_back(source);
      }
      if (stack.size() > height)
        continue;
      stack.pop_back();
      if (placed.insert(top).second)
        top->moveBefore(block.getTerminator());
    }
  }
}

namespace {
/// Fuses the norms and matmuls of one function.
class FunctionFuser {
public:
  FunctionFuser(FunctionOpInterface function, const FusionLimits &limits)
      : function(function), limits(limits) {
    collectBlocks(function.getFunctionBody(), blocks);
  }

  /// Splits the norms that are best applied by what reads them, and applies
  /// them after the matmuls where that can be.
  LogicalResult splitNorms(WeightPolicy weights);
  /// Returns how many groups there are.
  unsigned outlineGroups();

private:
  unsigned outlineGroups(Block &block);

  FunctionOpInterface function;
  const FusionLimits &limits;
  SmallVector<Block *> blocks;
  /// Applications that their readers compute.
  llvm::DenseSet<Operation *> absorbed;
};
} // namespace

LogicalResult FunctionFuser::splitNorms(WeightPolicy weights) {
  SmallVector<ApplyStatsOp> applies;
  NormSplitter splitter;
  for (Block *block : blocks) {
    FusionGroups groups(*block, limits, /*absorbed=*/{});
    for (const FusionChoice &choice : chooseStrategies(*block, groups, limits))
      if (choice.strategy == FusionStrategy::TwoKernelStats)
        applies.push_back(splitter.split(choice.norm, choice.groupSize));
  }
  if (failed(deferApplications(function, weights, applies)))
    return failure();
  absorbed.insert(applies.begin(), applies.end());
  return success();
}

/// Says which matmuls and residual adds of `block` are in no kernel of
/// `groups`.
static void remarkLeftAlone(Block &block, const FusionGroups &groups) {
  for (Operation &op : block) {
    std::string why = groups.getRefusal(&op);
    FusionGroup *group = groups.find(&op);
    if (isa<linalg::LinalgOp>(op) && !why.empty())
      emitRemark(op.getLoc()) << "the matmul is left alone: " << why;
    else if (isa<ResidualAddOp>(op) && !(group && group->isKernel()))
      emitRemark(op.getLoc())
          << "the residual add is left alone: it can join no kernel of a "
             "matmul or norm that computes what it adds";
  }
}

unsigned FunctionFuser::outlineGroups(Block &block) {
  FusionGroups groups(block, limits, absorbed);
  remarkLeftAlone(block, groups);
  llvm::SetVector<Operation *> cloned;
  unsigned numGroups = 0;
  for (const std::unique_ptr<FusionGroup> &group : groups.getGroups()) {
    if (!group->isKernel())
      continue;
    Traffic apart = measureApart(*group);
    FusionOp fusion = outlineFusion(*group, groups, cloned);
    ++numGroups;
    auto remark = emitRemark(fusion.getLoc())
                  << "one kernel in place of " << apart.kernels
                  << ", which moves "
                  << measureTraffic(fusion, /*streamElements=*/0).bytes
                  << " bytes in place of " << apart.bytes;
    StringRef separator = ": ";
    for (auto strategy :
         fusion.getStrategies().getAsRange<FusionStrategyAttr>()) {
      remark << separator << stringifyFusionStrategy(strategy.getValue());
      separator = ", ";
    }
  }
  moveAfterReads(block);
  for (Operation *op : llvm::reverse(cloned))
    if (op->use_empty())
      op->erase();
    else if (isa<ApplyStatsOp>(op))
      emitRemark(op->getLoc())
          << "the norm is applied on its own, too: not all that reads it can";
  return numGroups;
}

unsigned FunctionFuser::outlineGroups() {
  unsigned numGroups = 0;
  for (Block *block : blocks)
    numGroups += outlineGroups(*block);
  return numGroups;
}

/// Computes the extents of results from those of operands, so that who reads an
/// extent only does not keep a value in memory.
static void resolveDims(FunctionOpInterface function) {
  SmallVector<tensor::DimOp> dims;
  function->walk([&](tensor::DimOp dim) { dims.push_back(dim); });
  while (!dims.empty()) {
    tensor::DimOp dim = dims.pop_back_val();
    std::optional<int64_t> index = dim.getConstantIndex();
    Operation *source = dim.getSource().getDefiningOp();
    if (!index || !source || isa<FusionOp>(source))
      continue;
    OpBuilder b(dim);
    Operation *previous = dim->getPrevNode();
    FailureOr<OpFoldResult> extent = reifyDimOfResult(
        b, source, cast<OpResult>(dim.getSource()).getResultNumber(), *index);
    if (failed(extent))
      continue;
    dim.replaceAllUsesWith(
        getValueOrCreateConstantIndexOp(b, dim.getLoc(), *extent));
    for (Operation *made = previous ? previous->getNextNode()
                                    : &dim->getBlock()->front();
         made != dim; made = made->getNextNode())
      if (auto other = dyn_cast<tensor::DimOp>(made))
        dims.push_back(other);
    dim.erase();
  }
}

namespace {
struct NormFusePass : public norm::impl::NormFusePassBase<NormFusePass> {
  using NormFusePassBase::NormFusePassBase;

  void runOnOperation() final {
    FusionLimits limits = FusionLimits::get(target);
    for (FunctionOpInterface function : collectFunctions(getOperation())) {
      Traffic before = measureTraffic(function);
      resolveDims(function);
      FunctionFuser fuser(function, limits);
      if (failed(fuser.splitNorms(weights)))
        return signalPassFailure();
      unsigned groups = fuser.outlineGroups();
      if (groups == 0)
        continue;
      numFused += groups;
      Traffic after = measureTraffic(function);
      auto remark = emitRemark(function.getLoc())
                    << "kernels " << before.kernels << " -> " << after.kernels
                    << ", passes over activations of "
                    << getStreamElements(function) << " elements "
                    << before.passes << " -> " << after.passes << ", bytes "
                    << before.bytes << " -> " << after.bytes;
      if (after.isDynamic)
        remark << ", with 1 for each dynamic extent";
    }
  }
};
} // namespace
