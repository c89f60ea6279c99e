//===- LinearMap.cpp - Matmuls that read a value --------------------------===//

#include "renorm/Analysis/LinearMap.h"
#include "ElementwiseOp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "renorm/Analysis/BranchSlice.h"

using namespace mlir;
using namespace mlir::norm;

int64_t LinearMap::getLoop(OpOperand &operand, int64_t dim) {
  return getLoopOf(op.getMatchingIndexingMap(&operand), dim);
}

int64_t LinearMap::getRootDim(int64_t loop) const {
  const auto *found = llvm::find(rootLoops, loop);
  return found == rootLoops.end() ? -1 : found - rootLoops.begin();
}

std::optional<LinearMap> norm::getLinearMap(Operation *op,
                                            OpOperand &activation) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInputs() != 2 || !linalgOp.isDpsInput(&activation) ||
      !linalg::isaContractionOpInterface(linalgOp) ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) ||
      !isa<FloatType>(getElementTypeOrSelf(activation.get())))
    return std::nullopt;
  LinearMap map;
  map.op = linalgOp;
  map.activation = &activation;
  map.weight =
      linalgOp.getDpsInputOperand(activation.getOperandNumber() == 0 ? 1 : 0);
  map.moved = traceMoves(map.weight->get());

  AffineMap weightMap = linalgOp.getMatchingIndexingMap(map.weight);
  map.rootLoops.assign(getShape(map.moved.root).size(), -1);
  for (auto [dim, moved] : llvm::enumerate(map.moved.dims))
    if (moved.root >= 0 && moved.whole)
      map.rootLoops[moved.root] = getLoopOf(weightMap, dim);

  AffineMap activationMap = linalgOp.getMatchingIndexingMap(map.activation);
  for (auto [loop, iterator] :
       llvm::enumerate(linalgOp.getIteratorTypesArray())) {
    AffineExpr dim = getAffineDimExpr(loop, op->getContext());
    if (iterator == utils::IteratorType::reduction)
      map.inputLoops.push_back(loop);
    else if (!activationMap.getResultPosition(dim) &&
             weightMap.getResultPosition(dim))
      map.outputLoops.push_back(loop);
  }
  return map;
}

static bool hasFeature(const DimParts &parts, ArrayRef<int64_t> features) {
  return llvm::any_of(parts, [&](const DimPart &part) {
    return llvm::is_contained(features, part.dim);
  });
}

static SmallVector<DimParts> getOwnParts(Value value) {
  SmallVector<DimParts> parts;
  for (auto [dim, extent] : llvm::enumerate(getShape(value)))
    parts.push_back({DimPart{static_cast<int64_t>(dim), extent}});
  return parts;
}

/// Splits `parts` into products of the given extents. Fails where a part would
/// have to be split, or where an extent is not known.
static FailureOr<SmallVector<DimParts>> splitParts(DimParts parts,
                                                   ArrayRef<int64_t> extents) {
  SmallVector<DimParts> split(extents.size());
  // From the innermost one on; what is left is the outermost one.
  for (unsigned index = extents.size(); index-- > 1;) {
    int64_t product = 1;
    while (product != extents[index]) {
      if (parts.empty() || ShapedType::isDynamic(parts.back().extent) ||
          ShapedType::isDynamic(extents[index]) || product > extents[index])
        return failure();
      product *= parts.back().extent;
      split[index].insert(split[index].begin(), parts.pop_back_val());
    }
  }
  split.front() = parts;
  return split;
}

/// What the dimensions of the result of `move` are made of, if `parts` are what
/// those of its source are. Fails, with the reason in `why`, where a feature is
/// lost.
static FailureOr<SmallVector<DimParts>> followMove(const Move &move,
                                                   ArrayRef<DimParts> parts,
                                                   ArrayRef<int64_t> features,
                                                   std::string &why) {
  ArrayRef<int64_t> extents = getShape(move.result);
  SmallVector<DimParts> result(extents.size());
  for (const DimGroup &group : move.groups) {
    DimParts merged;
    for (int64_t dim : group.source)
      llvm::append_range(merged, parts[dim]);
    bool keepsFeature = hasFeature(merged, features);
    if (keepsFeature && (!group.whole || group.result.empty())) {
      why = "a slice of the normalized dimension";
      return failure();
    }
    SmallVector<int64_t> resultExtents;
    for (int64_t dim : group.result)
      resultExtents.push_back(extents[dim]);
    FailureOr<SmallVector<DimParts>> split = failure();
    if (group.whole && !group.source.empty() && !group.result.empty())
      split = splitParts(merged, resultExtents);
    if (failed(split) && keepsFeature) {
      why = "a reshape that splits the normalized dimension";
      return failure();
    }
    for (auto [index, dim] : llvm::enumerate(group.result))
      result[dim] = succeeded(split) ? (*split)[index]
                                     : DimParts{DimPart{-1, extents[dim]}};
  }
  return result;
}

/// `op` as a linear map that sums over all of `features`; else says in `reader`
/// what it is.
static void describeReader(Reader &reader, ArrayRef<DimParts> parts,
                           ArrayRef<int64_t> features) {
  Operation *op = reader.use->getOwner();
  std::optional<LinearMap> map = getLinearMap(op, *reader.use);
  if (!map) {
    reader.description = describeOperation(op);
    return;
  }
  reader.loops.resize(map->op.getNumLoops());
  for (auto [dim, dimParts] : llvm::enumerate(parts)) {
    int64_t loop = map->getLoop(*reader.use, dim);
    if (loop >= 0)
      reader.loops[loop] = dimParts;
    if (hasFeature(dimParts, features) &&
        !llvm::is_contained(map->inputLoops, loop)) {
      reader.description =
          "a contraction that does not sum over the normalized dimension";
      return;
    }
  }
  reader.map = map;
}

std::vector<Reader> norm::findReaders(Value value, ArrayRef<int64_t> features) {
  std::vector<Reader> readers;
  SmallVector<std::pair<Value, SmallVector<DimParts>>> worklist;
  worklist.emplace_back(value, getOwnParts(value));
  while (!worklist.empty()) {
    auto [current, parts] = worklist.pop_back_val();
    for (OpOperand &use : current.getUses()) {
      if (readsShapeOnly(use))
        continue;
      Reader reader;
      reader.use = &use;
      std::optional<Move> move = getMove(use.getOwner());
      if (!move || move->source != &use) {
        describeReader(reader, parts, features);
        readers.push_back(std::move(reader));
        continue;
      }
      FailureOr<SmallVector<DimParts>> moved =
          followMove(*move, parts, features, reader.description);
      if (succeeded(moved))
        worklist.emplace_back(move->result, std::move(*moved));
      else
        readers.push_back(std::move(reader));
    }
  }
  return readers;
}

std::optional<BiasAdd> norm::findBiasAdd(LinearMap &map) {
  Value value = map.op->getResult(0);
  SmallVector<DimParts> parts = getOwnParts(value);
  while (OpOperand *use = getOnlyUse(value)) {
    std::string why;
    if (std::optional<Move> move = getMove(use->getOwner());
        move && move->source == use) {
      FailureOr<SmallVector<DimParts>> moved =
          followMove(*move, parts, /*features=*/{}, why);
      if (failed(moved))
        return std::nullopt;
      value = move->result;
      parts = *moved;
      continue;
    }
    std::optional<ElementwiseOp> add = matchAdd(use->getOwner());
    if (!add)
      return std::nullopt;
    unsigned index = add->operands[0] == use ? 0 : 1;
    BiasAdd bias;
    bias.op = use->getOwner();
    bias.operand = add->operands[1 - index];
    bias.bias = traceMoves(bias.operand->get());
    if (!bias.bias.isParameter())
      return std::nullopt;
    bias.rootLoops.assign(getShape(bias.bias.root).size(), -1);
    AffineMap resultMap =
        map.op.getMatchingIndexingMap(map.op.getDpsInitOperand(0));
    for (auto [valueDim, biasDim] :
         llvm::zip_equal(add->dims[index], add->dims[1 - index])) {
      if (biasDim < 0)
        continue;
      MovedValue::Dim dim = bias.bias.dims[biasDim];
      if (dim.root < 0)
        continue;
      // All of one dimension of the contraction's result.
      if (valueDim < 0 || !dim.whole || parts[valueDim].size() != 1 ||
          parts[valueDim].front().dim < 0)
        return std::nullopt;
      bias.rootLoops[dim.root] =
          getLoopOf(resultMap, parts[valueDim].front().dim);
    }
    for (auto [dim, loop] : llvm::enumerate(bias.rootLoops))
      if (loop < 0 ? getShape(bias.bias.root)[dim] != 1
                   : !llvm::is_contained(map.outputLoops, loop))
        return std::nullopt;
    for (int64_t loop : map.outputLoops)
      if (!llvm::is_contained(bias.rootLoops, loop))
        return std::nullopt;
    return bias;
  }
  return std::nullopt;
}

std::string norm::describeOperation(Operation *op) {
  if (!op)
    return "an argument";
  if (op->hasTrait<OpTrait::IsTerminator>())
    return isa<FunctionOpInterface>(op->getParentOp())
               ? "a result of the function"
               : ("'" + op->getName().getStringRef() + "'").str();
  if (isa<tensor::ExtractOp>(op))
    return "a lookup";
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && linalgOp.getNumLoops() == linalgOp.getNumParallelLoops())
    return "an element-wise operation";
  return ("'" + op->getName().getStringRef() + "'").str();
}
