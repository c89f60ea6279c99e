//===- OutlineFusion.cpp - Operations into a norm.fusion ------------------===//

#include "OutlineFusion.h"
#include "FusionStrategies.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Analysis/DataMovement.h"
#include "renorm/Analysis/Traffic.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
/// Makes the region of one group.
class Outliner {
public:
  Outliner(const FusionGroup &group, const FusionGroups &groups,
           llvm::SetVector<Operation *> &cloned)
      : group(group), groups(groups), cloned(cloned),
        builder(group.ops.back()) {}

  FusionOp outline();

private:
  void findResults();
  Operation *cloneInto(Operation *op);
  void import(Value value);

  const FusionGroup &group;
  const FusionGroups &groups;
  llvm::SetVector<Operation *> &cloned;
  OpBuilder builder;
  std::unique_ptr<Block> body = std::make_unique<Block>();
  IRMapping inside;
  SmallVector<Value> inputs;
  bool appliesAbsorbed = false;
  /// Values of the group that others read, and reshapes of these that others
  /// read.
  llvm::SetVector<Value> results;
  SmallVector<Operation *> reshapes;
  /// Those that nothing in the group reads.
  llvm::DenseSet<Operation *> outsideOnly;
};
} // namespace

/// Makes `value` known inside.
void Outliner::import(Value value) {
  if (inside.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  if (op &&
      (groups.isAbsorbed(op) || isMadeInPlace(value) || movesParameter(op))) {
    appliesAbsorbed |= isa<ApplyStatsOp>(op);
    cloneInto(op);
    cloned.insert(op);
    return;
  }
  inputs.push_back(value);
  inside.map(value, body->addArgument(value.getType(), value.getLoc()));
}

Operation *Outliner::cloneInto(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read)
    import(value);
  return builder.clone(*op, inside);
}

void Outliner::findResults() {
  llvm::DenseSet<Operation *> outside;
  auto isReadOutside = [&](Value value) {
    Block *block = group.ops.front()->getBlock();
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *inBlock = block->findAncestorOpInBlock(*user);
      return !inBlock || !group.ops.contains(inBlock) ||
             outside.contains(inBlock);
    });
  };
  for (Operation *op : llvm::reverse(group.ops)) {
    if (isReshape(op) && isReadOutside(op->getResult(0))) {
      // A result and its reshape would be stored twice.
      reshapes.push_back(op);
      outside.insert(op);
      if (llvm::none_of(op->getUsers(), [&](Operation *user) {
            return group.ops.contains(user) && !outsideOnly.contains(user);
          }))
        outsideOnly.insert(op);
      continue;
    }
    for (Value result : llvm::reverse(op->getResults()))
      if (isReadOutside(result))
        results.insert(result);
  }
  std::reverse(reshapes.begin(), reshapes.end());
}

FusionOp Outliner::outline() {
  findResults();
  SmallVector<Value> ordered = results.takeVector();
  std::reverse(ordered.begin(), ordered.end());

  OpBuilder::InsertPoint before = builder.saveInsertionPoint();
  builder.setInsertionPointToStart(body.get());
  for (Operation *op : group.ops)
    if (!outsideOnly.contains(op))
      cloneInto(op);
  SmallVector<Value> yielded;
  for (Value result : ordered)
    yielded.push_back(inside.lookup(result));
  Location loc = group.root ? group.root->getLoc() : group.ops.back()->getLoc();
  YieldOp::create(builder, loc, yielded);

  builder.restoreInsertionPoint(before);
  SmallVector<Attribute> strategies;
  for (FusionStrategy strategy : findStrategies(group, appliesAbsorbed))
    strategies.push_back(
        FusionStrategyAttr::get(builder.getContext(), strategy));
  auto fusion = FusionOp::create(builder, loc, TypeRange(yielded), inputs,
                                 builder.getArrayAttr(strategies));
  fusion.getBody().push_back(body.release());

  IRMapping outside;
  for (auto [result, stored] : llvm::zip_equal(ordered, fusion.getResults()))
    outside.map(result, stored);
  for (Operation *op : reshapes)
    builder.clone(*op, outside);
  for (Operation *op : llvm::reverse(group.ops)) {
    for (Value result : op->getResults())
      if (Value stored = outside.lookupOrNull(result))
        result.replaceAllUsesWith(stored);
    op->erase();
  }
  return fusion;
}

FusionOp norm::outlineFusion(const FusionGroup &group,
                             const FusionGroups &groups,
                             llvm::SetVector<Operation *> &cloned) {
  return Outliner(group, groups, cloned).outline();
}
