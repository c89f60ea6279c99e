//===- RaiseResidualAdd.cpp - Residual additions in tensor IR -------------===//
//
// An addition is residual if one operand (the branch) was computed from the
// other (the skip) with a contraction on the way. The residual additions of a
// block form trunks, and a branch is computed from the trunk where it leaves
// it: the search goes back from the branch as far as to the trunk and no
// further. That keeps the whole work about linear in the size of a stack, and
// keeps out what every layer adds again (a mask, positions): beyond the last
// point of the trunk they have been met in the layers before.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/LinalgToNorm/ExprMatchers.h"
#include "renorm/Conversion/LinalgToNorm/LinalgToNorm.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

/// Whether `op` multiplies one tensor with another and sums: a matrix product,
/// a convolution, attention. A sum of squares is none.
static bool isContraction(Operation *op) {
  if (isa<AttentionOp, tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp,
          tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp) {
    WalkResult result = op->walk([&](Operation *nested) {
      return nested != op && isContraction(nested) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    });
    return result.wasInterrupted();
  }
  if (linalgOp.getNumReductionLoops() == 0)
    return false;
  if (linalg::isaConvolutionOpInterface(linalgOp))
    return true;
  if (!linalgOp.hasPureTensorSemantics())
    return false;
  return llvm::any_of(op->getResults(), [](Value result) {
    ExprNode sum = TensorExpr::get(result).getDefinition();
    if (sum.kind != ExprKind::ReduceAdd)
      return false;
    ExprNode product = sum.operands[0].getDefinition();
    if (product.kind != ExprKind::Mul)
      return false;
    auto readsTensorAlong = [&](const TensorExpr &factor) {
      TensorExpr leaf = skipExtends(factor).skipMoves();
      return leaf.isTensor() &&
             llvm::any_of(leaf.getIndices(), [&](AffineExpr index) {
               return llvm::any_of(sum.reductionDims, [&](unsigned dim) {
                 return index.isFunctionOfDim(dim);
               });
             });
    };
    return llvm::all_of(product.operands, readsTensorAlong) &&
           !isSameElement(product.operands[0], product.operands[1]);
  });
}

namespace {

/// An operand of an addition: a tensor, a tensor times a constant, or either.
struct Addend {
  Value plain;
  Value unscaled;
  double scale = 1.0;

  explicit operator bool() const { return plain || unscaled; }
};

struct ResidualAdd {
  Operation *op;
  Value skip, branch;
  double residualScale = 1.0, branchScale = 1.0;
};

class ResidualAddFinder {
public:
  /// Finds the residual additions in the blocks of `root` and appends them,
  /// each after those that it reads.
  void find(Operation *root);

  SmallVector<ResidualAdd> found;

private:
  /// A value on the trunk after a residual addition.
  struct TrunkPoint {
    /// What the first addition of this trunk added to.
    Value origin;
    /// What the first addition of this point's parallel group added to: the
    /// other branches of the group are computed from it.
    Value base;
  };
  struct Position {
    unsigned index = 0;
    /// Contractions before it in its block.
    unsigned numContractions = 0;
    bool isContraction = false;
  };
  /// An operation, and whether a contraction lies between it and the branch.
  using Visit = llvm::PointerIntPair<Operation *, 1, bool>;

  void findInBlock(Block &block);
  bool tryAdd(Operation *op, const Addend &skip, const Addend &branch);
  bool dependsOn(Value branch, Value skip, Block *block);
  void addTrunkPoint(Value value, Value skip, bool isParallel);
  Value getOrigin(Value value);
  Position getPosition(Value value, Block *block) const;

  DenseMap<Value, TrunkPoint> trunk;
  DenseMap<Operation *, Position> positions;
  /// By skip: what a search has gone through in vain.
  DenseMap<Value, DenseSet<Visit>> searched;
  /// The value that the last successful search found.
  Value reached;
};

} // namespace

/// The tensor of the type `type` that holds the elements that `expr` reads,
/// each at its own position; the one nearest to where they come from.
static Value findTensor(TensorExpr expr, Type type) {
  Value found;
  for (; expr; expr = expr.getMoveSource())
    if (expr.getValue().getType() == type && expr.isIdentity())
      found = expr.getValue();
  return found;
}

static Addend getAddend(const TensorExpr &expr, Type type) {
  Addend addend;
  addend.plain = findTensor(expr, type);
  ExprNode node = expr.getDefinition();
  if (node.kind == ExprKind::Mul)
    for (unsigned i : {0, 1})
      if (std::optional<double> scale =
              node.operands[1 - i].getConstantLiteral()) {
        addend.unscaled = findTensor(node.operands[i], type);
        addend.scale = *scale;
        break;
      }
  return addend;
}

/// The trunk that `value` is a norm of or the same as.
static Value skipNorms(Value value) {
  while (auto op = value.getDefiningOp<NormalizationOpInterface>())
    value = op.getInput();
  return value;
}

Value ResidualAddFinder::getOrigin(Value value) {
  Value point = skipNorms(value);
  auto known = trunk.find(point);
  return known == trunk.end() ? point : known->second.origin;
}

void ResidualAddFinder::addTrunkPoint(Value value, Value skip,
                                      bool isParallel) {
  TrunkPoint point;
  point.origin = getOrigin(skip);
  point.base = isParallel ? trunk.lookup(skip).base : skip;
  trunk[value] = point;
}

/// Where `value` is computed, as seen from `block`: an argument, or what is
/// captured from above, before everything.
ResidualAddFinder::Position ResidualAddFinder::getPosition(Value value,
                                                           Block *block) const {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == block ? positions.lookup(op) : Position();
}

/// Searches from `branch` backward for `skip`, or for the base of its parallel
/// group, behind a contraction.
bool ResidualAddFinder::dependsOn(Value branch, Value skip, Block *block) {
  Value base = skip;
  if (auto point = trunk.find(skip); point != trunk.end())
    base = point->second.base;
  Position first = getPosition(base, block);
  auto last = [&](Value value) {
    Position position = getPosition(value, block);
    return position.numContractions + position.isContraction;
  };
  if (last(branch) == first.numContractions + first.isContraction)
    return false;

  DenseSet<Visit> &visited = searched[skip];
  auto succeed = [&](Value value) {
    reached = value;
    // It went through some of what leads to the skip.
    visited.clear();
    return true;
  };
  Value origin = getOrigin(skip);
  SmallVector<std::pair<Value, bool>> worklist{{branch, false}};
  while (!worklist.empty()) {
    Value value = worklist.back().first;
    bool contracted = worklist.pop_back_val().second;
    if (value == skip || value == base) {
      if (contracted)
        return succeed(value);
      continue;
    }
    if (trunk.contains(value)) {
      // A skip over several layers, from an earlier point of the same trunk.
      if (getOrigin(value) == origin &&
          getPosition(skip, block).index < getPosition(value, block).index)
        return succeed(skip);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != block)
      continue;
    Position position = positions.lookup(op);
    if (position.index <= first.index)
      continue;
    contracted |= position.isContraction;
    if (!visited.insert(Visit(op, contracted)).second)
      continue;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        worklist.emplace_back(operand, contracted);
    });
  }
  return false;
}

bool ResidualAddFinder::tryAdd(Operation *op, const Addend &skip,
                               const Addend &branch) {
  ResidualAdd add{op, {}, branch.unscaled ? branch.unscaled : branch.plain};
  add.branchScale = branch.unscaled ? branch.scale : 1.0;
  for (Value candidate : {skip.plain, skip.unscaled}) {
    // The branch reads the skip, or what another of its group skips.
    if (!candidate || (candidate.hasOneUse() && !trunk.contains(candidate)) ||
        !dependsOn(add.branch, candidate, op->getBlock()))
      continue;
    add.skip = candidate;
    add.residualScale = candidate == skip.plain ? 1.0 : skip.scale;
    addTrunkPoint(op->getResult(0), candidate,
                  /*isParallel=*/reached != candidate);
    found.push_back(add);
    return true;
  }
  return false;
}

void ResidualAddFinder::findInBlock(Block &block) {
  Position next;
  for (Operation &op : block) {
    if (!isa<linalg::LinalgOp>(op))
      find(&op);
    ++next.index;
    next.isContraction = isContraction(&op);
    positions[&op] = next;
    next.numContractions += next.isContraction;

    if (auto add = dyn_cast<ResidualAddOp>(op)) {
      bool isParallel = trunk.contains(add.getSkip()) &&
                        dependsOn(add.getBranch(), add.getSkip(), &block) &&
                        reached != add.getSkip();
      addTrunkPoint(add.getResult(), add.getSkip(), isParallel);
      continue;
    }
    if (op.getNumResults() != 1 || !isMemoryEffectFree(&op))
      continue;
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (!type || !isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
                     type.getElementType()))
      continue;
    TensorExpr expr = TensorExpr::get(op.getResult(0));
    if (expr.getMoveSource())
      continue;
    ExprNode node = expr.getDefinition();
    if (node.kind != ExprKind::Add)
      continue;
    Addend lhs = getAddend(node.operands[0], type);
    Addend rhs = getAddend(node.operands[1], type);
    if (lhs && rhs && !tryAdd(&op, lhs, rhs))
      tryAdd(&op, rhs, lhs);
  }
}

void ResidualAddFinder::find(Operation *root) {
  for (Region &region : root->getRegions())
    for (Block &block : region)
      findInBlock(block);
}

/// The values from outside that `op` and its body read.
static SmallVector<Value> getReadValues(Operation *op) {
  SmallVector<Value> values;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (nested == op ||
          !op->isAncestor(operand.getParentBlock()->getParentOp()))
        values.push_back(operand);
  });
  return values;
}

void norm::raiseResidualAdds(RewriterBase &rewriter, Operation *root) {
  ResidualAddFinder finder;
  finder.find(root);
  IRMapping raised;
  for (const ResidualAdd &add : finder.found) {
    rewriter.setInsertionPoint(add.op);
    Value sum = ResidualAddOp::create(
        rewriter, add.op->getLoc(), raised.lookupOrDefault(add.skip),
        raised.lookupOrDefault(add.branch), add.residualScale, add.branchScale);
    raised.map(add.op->getResult(0), sum);
    SmallVector<Value> read = getReadValues(add.op);
    rewriter.replaceOp(add.op, sum);
    // A multiplication that became a scale, and its constant.
    while (!read.empty()) {
      Operation *op = read.pop_back_val().getDefiningOp();
      if (!op || !isOpTriviallyDead(op))
        continue;
      SmallVector<Value> readByOp = getReadValues(op);
      llvm::erase_if(read, [&](Value v) { return v.getDefiningOp() == op; });
      llvm::append_range(read, readByOp);
      rewriter.eraseOp(op);
    }
  }
}
