//===- Summands.cpp - The terms that a value is the sum of ----------------===//

#include "renorm/Analysis/Summands.h"
#include "ElementwiseOp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
/// Finds the terms of a sum.
class SummandFinder {
public:
  explicit SummandFinder(std::vector<Summand> &summands) : summands(summands) {}

  void run(Value value, int64_t feature) {
    visit({value, feature, {}});
    while (!worklist.empty())
      visit(worklist.pop_back_val());
  }

private:
  struct Term {
    Value value;
    /// The dimension that holds the features of the sum; -1 if the term is the
    /// same for all of them.
    int64_t feature;
    Value escaping;
  };

  void visit(Term term);
  /// What may be visited instead of `term`.
  bool visitParameter(const Term &term);
  bool visitMove(const Term &term);
  bool visitElementwise(const Term &term);
  bool visitContraction(const Term &term);
  bool visitLookup(const Term &term);

  /// Goes on at `operand` of what computes `term`.
  void follow(const Term &term, OpOperand &operand, int64_t feature);

  std::vector<Summand> &summands;
  SmallVector<Term> worklist;
  /// The use through which a value was reached.
  llvm::DenseMap<Value, OpOperand *> reachedBy;
};
} // namespace

void SummandFinder::follow(const Term &term, OpOperand &operand,
                           int64_t feature) {
  Value value = operand.get();
  Value escaping = term.escaping;
  if (!escaping && !getOnlyUse(value))
    escaping = value;
  reachedBy[value] = &operand;
  worklist.push_back({value, feature, escaping});
}

void SummandFinder::visit(Term term) {
  if (isZero(term.value))
    return;
  if (term.feature >= 0 &&
      (visitParameter(term) || visitMove(term) || visitElementwise(term) ||
       visitContraction(term) || visitLookup(term)))
    return;
  Summand summand;
  summand.op = term.value.getDefiningOp();
  summand.escaping = term.escaping;
  summands.push_back(summand);
}

bool SummandFinder::visitParameter(const Term &term) {
  OpOperand *use = reachedBy.lookup(term.value);
  MovedValue moved = traceMoves(term.value);
  MovedValue::Dim dim = moved.dims[term.feature];
  if (!use || !moved.isParameter() || dim.root < 0 || !dim.whole)
    return false;
  Summand summand;
  summand.kind = Summand::Kind::Parameter;
  summand.op = use->getOwner();
  summand.operand = use;
  summand.parameter = moved;
  summand.rootDim = dim.root;
  // A parameter is read, not changed: what else reads it does not matter.
  if (term.escaping != term.value)
    summand.escaping = term.escaping;
  summands.push_back(summand);
  return true;
}

bool SummandFinder::visitMove(const Term &term) {
  Operation *op = term.value.getDefiningOp();
  std::optional<Move> move = op ? getMove(op) : std::nullopt;
  if (!move)
    return false;
  for (const DimGroup &group : move->groups)
    if (llvm::is_contained(group.result, term.feature)) {
      if (!group.whole || group.source.size() != 1 || group.result.size() != 1)
        return false;
      follow(term, *move->source, group.source.front());
      return true;
    }
  llvm_unreachable("every dimension is in a group");
}

bool SummandFinder::visitElementwise(const Term &term) {
  Operation *op = term.value.getDefiningOp();
  if (!op)
    return false;
  if (std::optional<ElementwiseOp> add = matchAdd(op)) {
    for (unsigned index : {0, 1})
      follow(term, *add->operands[index], add->dims[index][term.feature]);
    return true;
  }
  std::optional<ElementwiseOp> mul = matchMul(op);
  if (!mul)
    return false;
  for (unsigned index : {0, 1}) {
    int64_t own = mul->dims[index][term.feature];
    int64_t other = mul->dims[1 - index][term.feature];
    if (own < 0 || other >= 0)
      continue;
    follow(term, *mul->operands[index], own);
    return true;
  }
  return false;
}

bool SummandFinder::visitContraction(const Term &term) {
  auto op = term.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 2)
    return false;
  for (unsigned index : {0, 1}) {
    std::optional<LinearMap> map =
        getLinearMap(op, *op.getDpsInputOperand(index));
    if (!map)
      return false;
    OpOperand *init = op.getDpsInitOperand(0);
    int64_t loop = map->getLoop(*init, term.feature);
    if (!llvm::is_contained(map->outputLoops, loop))
      continue;
    int64_t rootDim = map->getRootDim(loop);
    if (!map->moved.isParameter() || rootDim < 0)
      return false;
    Summand summand;
    summand.kind = Summand::Kind::LinearMap;
    summand.op = op;
    summand.map = map;
    summand.operand = map->weight;
    summand.parameter = map->moved;
    summand.rootDim = rootDim;
    summand.escaping = term.escaping;
    summands.push_back(summand);
    // What the products are added to.
    if (!isZero(init->get()))
      follow(term, *init, term.feature);
    return true;
  }
  return false;
}

/// Whether `value`, in the body of `op`, is the same for every position along
/// `loop`.
static bool isInvariant(Value value, linalg::LinalgOp op, int64_t loop) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(current)) {
      if (argument.getOwner() == op.getBlock() &&
          op.getMatchingIndexingMap(op.getMatchingOpOperand(argument))
              .isFunctionOfDim(loop))
        return false;
      continue;
    }
    Operation *definition = current.getDefiningOp();
    if (definition->getBlock() != op.getBlock())
      continue;
    auto index = dyn_cast<linalg::IndexOp>(definition);
    if ((index && static_cast<int64_t>(index.getDim()) == loop) ||
        definition->getNumRegions() != 0)
      return false;
    llvm::append_range(worklist, definition->getOperands());
  }
  return true;
}

bool SummandFinder::visitLookup(const Term &term) {
  auto op = term.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops())
    return false;
  Block *body = op.getBlock();
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto extract =
      body->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!resultMap.isPermutation() || !extract || extract->getBlock() != body ||
      op->isProperAncestor(
          extract.getTensor().getParentRegion()->getParentOp()))
    return false;
  int64_t loop = getLoopOf(resultMap, term.feature);
  MovedValue table = traceMoves(extract.getTensor());
  int64_t rootDim = -1;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    auto indexOp = index.getDefiningOp<linalg::IndexOp>();
    if (indexOp && indexOp->getBlock() == body &&
        static_cast<int64_t>(indexOp.getDim()) == loop) {
      if (rootDim >= 0 || table.dims[dim].root < 0 || !table.dims[dim].whole)
        return false;
      rootDim = table.dims[dim].root;
      continue;
    }
    if (!isInvariant(index, op, loop))
      return false;
  }
  // All of the table's features, in order.
  if (rootDim < 0 || !table.isParameter() ||
      getShape(table.root)[rootDim] != getShape(term.value)[term.feature])
    return false;
  Summand summand;
  summand.kind = Summand::Kind::Lookup;
  summand.op = op;
  summand.operand = &extract.getTensorMutable();
  summand.parameter = table;
  summand.rootDim = rootDim;
  summand.escaping = term.escaping;
  summands.push_back(summand);
  return true;
}

std::vector<Summand> norm::findSummands(Value value, int64_t feature) {
  std::vector<Summand> summands;
  SummandFinder(summands).run(value, feature);
  return summands;
}
