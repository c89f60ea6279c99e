//===- FoldAffine.cpp - Scale and bias of norms into the weights after ----===//

#include "FoldedWeights.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"
#include "renorm/Support/Structured.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMFOLDAFFINEPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// A norm whose scale and bias can go into the weights of all that reads it.
struct FoldPlan {
  NormalizationOpInterface norm;
  std::vector<FoldedMap> maps;
};

/// Folds the norms of one function.
class FunctionFolder {
public:
  FunctionFolder(FunctionOpInterface function,
                 const NormFoldAffinePassOptions &options)
      : function(function), options(options), weights(function) {}

  /// How many were folded. Failure, with a diagnostic, only if what was folded
  /// cannot be prepared.
  FailureOr<unsigned> run();

private:
  FailureOr<FoldPlan> makePlan(NormalizationOpInterface norm);
  FailureOr<FoldedMap> planMap(NormalizationOpInterface norm,
                               const Reader &reader);
  /// Whether the policy lets `parameter` be folded; else why not.
  LogicalResult checkParameter(Value parameter, std::string &why);
  void checkTiedWeights();
  /// Failure, with a remark, leaves the norm as it was.
  LogicalResult apply(const FoldPlan &plan);

  FunctionOpInterface function;
  const NormFoldAffinePassOptions &options;
  FoldedWeights weights;
  std::vector<FoldPlan> plans;
  /// What is read no more, perhaps.
  SmallVector<Value> replaced;
};
} // namespace

/// "scale and bias", "scale" or "bias".
static StringRef describeAffine(NormalizationOpInterface norm) {
  if (!norm.getBias())
    return "scale";
  return norm.getScale() ? "scale and bias" : "bias";
}

/// Says why `norm` stays as it is; `reader` is what does not let it go.
static LogicalResult refuse(NormalizationOpInterface norm, const Twine &why,
                            Operation *reader = nullptr) {
  auto remark = emitRemark(norm.getLoc())
                << describeAffine(norm) << " not folded: " << why;
  if (reader)
    remark.attachNote(reader->getLoc()) << "reads the norm here";
  return failure();
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Whether scale or bias is more than one number for all elements.
static bool hasDimensions(NormalizationOpInterface norm) {
  return llvm::any_of(
      ArrayRef<Value>{norm.getScale(), norm.getBias()},
      [](Value value) { return value && !getShape(value).empty(); });
}

//===----------------------------------------------------------------------===//
// What can be folded
//===----------------------------------------------------------------------===//

LogicalResult FunctionFolder::checkParameter(Value parameter,
                                             std::string &why) {
  if (getConstantWeight(parameter))
    return success();
  MovedValue moved = traceMoves(parameter);
  if (!moved.isParameter()) {
    why = describeParameter(moved.root);
    return failure();
  }
  why = describeParameter(moved.root);
  if (options.weights == WeightPolicy::Constant) {
    why += ", which is not a constant";
    return failure();
  }
  // What is computed of it must not depend on anything else.
  if (!llvm::all_of(moved.dims, [](auto dim) { return dim.whole; }) ||
      ShapedType::isDynamicShape(getShape(parameter)) ||
      ShapedType::isDynamicShape(getShape(moved.root))) {
    why += ", which has a dynamic extent or is a slice";
    return failure();
  }
  return success();
}

/// Finds the loops over the dimensions of scale and bias. Fails if the weight
/// does not have one of them, or if extents are not known that are merged.
static LogicalResult findFeatures(NormalizationOpInterface norm,
                                  const Reader &reader, FoldedMap &folded) {
  if (!hasDimensions(norm))
    return success();
  SmallVector<int64_t> dims = norm.getScaleDimensions();
  SmallVector<int64_t> loops;
  for (int64_t dim : dims)
    for (auto [loop, parts] : llvm::enumerate(reader.loops))
      if (llvm::any_of(parts, [&](auto part) { return part.dim == dim; }) &&
          !llvm::is_contained(loops, static_cast<int64_t>(loop)))
        loops.push_back(loop);
  for (int64_t loop : loops) {
    FoldedMap::FeatureLoop feature{loop, reader.loops[loop]};
    for (DimPart &part : feature.parts) {
      const auto *found = llvm::find(dims, part.dim);
      part.dim = found == dims.end() ? -1 : found - dims.begin();
      if (feature.parts.size() > 1 && ShapedType::isDynamic(part.extent))
        return failure();
    }
    if (folded.map.getRootDim(loop) < 0)
      return failure();
    folded.features.push_back(feature);
  }
  return success();
}

FailureOr<FoldedMap> FunctionFolder::planMap(NormalizationOpInterface norm,
                                             const Reader &reader) {
  Operation *op = reader.use->getOwner();
  if (!reader.map)
    return refuse(norm, "it is read by " + reader.description, op);
  FoldedMap folded;
  folded.map = *reader.map;
  LinearMap &map = folded.map;
  std::string why;
  if (failed(checkParameter(map.moved.root, why)))
    return refuse(norm, "it is multiplied by " + why, op);

  if (failed(findFeatures(norm, reader, folded)))
    return refuse(norm, "the weight is not one number for each of its elements",
                  op);
  if (!norm.getBias())
    return folded;

  // The sum of the bias' products runs over all that the map sums over.
  for (int64_t loop : map.inputLoops)
    if (map.getRootDim(loop) < 0)
      return refuse(
          norm, "the weight is not one number for each of its elements", op);
  for (auto [extent, loop] :
       llvm::zip_equal(getShape(map.moved.root), map.rootLoops))
    if (loop < 0 && extent != 1)
      return refuse(
          norm, "the weight is a slice of " + describeParameter(map.moved.root),
          op);
  folded.biasAdd = findBiasAdd(map);
  if (folded.biasAdd) {
    // Only where the sum can take its place.
    bool fits = getShape(folded.biasAdd->bias.root).size() ==
                    FoldedMap{map, {}, {}}.getOutputDims().size() &&
                !llvm::is_contained(folded.biasAdd->rootLoops, -1);
    if (!fits)
      folded.biasAdd.reset();
  }
  if (folded.biasAdd && failed(checkParameter(folded.biasAdd->bias.root, why)))
    return refuse(norm, "what reads it adds " + why, folded.biasAdd->op);
  return folded;
}

FailureOr<FoldPlan> FunctionFolder::makePlan(NormalizationOpInterface norm) {
  SmallVector<int64_t> features;
  if (hasDimensions(norm))
    features = norm.getScaleDimensions();
  std::vector<Reader> readers = findReaders(norm.getResult(), features);
  if (readers.empty())
    return failure();
  for (Value parameter : {norm.getScale(), norm.getBias()}) {
    std::string why;
    if (parameter && failed(checkParameter(parameter, why)))
      return refuse(norm, (parameter == norm.getScale() ? "its scale is "
                                                        : "its bias is ") +
                              why);
  }
  FoldPlan plan;
  plan.norm = norm;
  for (const Reader &reader : readers) {
    FailureOr<FoldedMap> folded = planMap(norm, reader);
    if (failed(folded))
      return failure();
    plan.maps.push_back(std::move(*folded));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Weights that something else reads
//===----------------------------------------------------------------------===//

/// Whether the maps get the same new weight.
static bool shareWeight(NormalizationOpInterface lhs, const FoldedMap &lhsMap,
                        NormalizationOpInterface rhs, const FoldedMap &rhsMap) {
  return lhs.getScale() == rhs.getScale() &&
         lhs.getUnitOffset() == rhs.getUnitOffset() &&
         lhsMap.map.moved.root == rhsMap.map.moved.root &&
         lhsMap.getFeatureDims() == rhsMap.getFeatureDims();
}

/// The maps that are folded, and their norms, by the uses of their weights.
using FoldedUses =
    llvm::DenseMap<OpOperand *,
                   std::pair<NormalizationOpInterface, const FoldedMap *>>;

/// Who reads the weight of `map` but maps that get the same new one; empty if
/// nobody does.
static std::string describeOtherReader(NormalizationOpInterface norm,
                                       const FoldedMap &map,
                                       const FoldedUses &uses) {
  Value weight = map.map.moved.root;
  for (const Reader &reader : findReaders(weight, /*features=*/{})) {
    auto [otherNorm, otherMap] = uses.lookup(reader.use);
    if (otherMap && shareWeight(norm, map, otherNorm, *otherMap))
      continue;
    return describeParameter(weight) + " is also read by " +
           (reader.map ? "another contraction" : reader.description);
  }
  return "";
}

/// Refuses the plans whose weights something else reads, or says what the copy
/// costs.
void FunctionFolder::checkTiedWeights() {
  llvm::SmallPtrSet<Operation *, 4> refused;
  do {
    FoldedUses uses;
    for (const FoldPlan &plan : plans)
      for (const FoldedMap &map : plan.maps)
        uses[map.map.weight] = {plan.norm, &map};
    refused.clear();
    llvm::DenseSet<std::pair<Value, Value>> told;
    for (FoldPlan &plan : plans) {
      for (const FoldedMap &map : plan.maps) {
        std::string other = plan.norm.getScale()
                                ? describeOtherReader(plan.norm, map, uses)
                                : "";
        if (other.empty())
          continue;
        linalg::LinalgOp op = map.map.op;
        if (options.tied == TiedWeights::Refuse) {
          (void)refuse(plan.norm, "the weight " + other, op);
          refused.insert(plan.norm);
          break;
        }
        Value weight = map.map.moved.root;
        auto type = cast<RankedTensorType>(weight.getType());
        if (told.insert({weight, plan.norm.getScale()}).second)
          emitRemark(op.getLoc())
              << other << ": the copy that a norm is folded into takes "
              << type.getNumElements() * type.getElementTypeBitWidth() / 8
              << " bytes";
      }
    }
    // Without these, others may read a weight that no longer all share.
    llvm::erase_if(plans, [&](const FoldPlan &plan) {
      NormalizationOpInterface norm = plan.norm;
      return refused.contains(norm);
    });
  } while (!refused.empty());
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Adds `bias`, of the output features, to the result of the map.
static void addBias(const FoldedMap &folded, Value bias) {
  linalg::LinalgOp op = folded.map.op;
  Value result = op->getResult(0);
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> dims;
  for (int64_t dim : folded.getOutputDims())
    dims.push_back(*resultMap.getResultPosition(
        b.getAffineDimExpr(folded.map.rootLoops[dim])));
  int64_t rank = getShape(result).size();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), result);
  Value sum = createElementwise(
      b, sizes, getElementTypeOrSelf(result),
      {{result, b.getMultiDimIdentityMap(rank)},
       {bias, selectDims(b, rank, dims)}},
      [](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
        return arith::AddFOp::create(inner, elements[0], elements[1]);
      });
  result.replaceUsesWithIf(sum, [&](OpOperand &use) {
    return use.getOwner() != sum.getDefiningOp() && !readsShapeOnly(use);
  });
}

static void replaceOperand(OpOperand &operand, const MovedValue &moved,
                           Value root) {
  OpBuilder builder(operand.getOwner());
  operand.set(moved.rebuild(builder, root));
}

LogicalResult FunctionFolder::apply(const FoldPlan &plan) {
  NormalizationOpInterface norm = plan.norm;
  SmallVector<Value> newWeights, newBiases;
  for (const FoldedMap &folded : plan.maps) {
    newWeights.push_back(weights.getWeight(folded, norm));
    newBiases.push_back(norm.getBias() ? weights.getBias(folded, norm)
                                       : Value());
    if (!newWeights.back() || (norm.getBias() && !newBiases.back()))
      return refuse(norm, "a product does not fit the type of the weight",
                    folded.map.op);
  }
  for (auto [folded, weight, bias] :
       llvm::zip_equal(plan.maps, newWeights, newBiases)) {
    replaced.push_back(folded.map.weight->get());
    replaceOperand(*folded.map.weight, folded.map.moved, weight);
    if (!bias)
      continue;
    if (!folded.biasAdd) {
      addBias(folded, bias);
      continue;
    }
    replaced.push_back(folded.biasAdd->operand->get());
    replaceOperand(*folded.biasAdd->operand, folded.biasAdd->bias, bias);
  }

  NormSpec spec(norm);
  spec.scale = spec.bias = {};
  spec.scaleDims.clear();
  spec.unitOffset = spec.castBeforeScale = false;
  OpBuilder builder(norm);
  NormalizationOpInterface bare =
      spec.createLike(builder, norm, norm.getInput());
  for (Value parameter : {norm.getScale(), norm.getBias()})
    if (parameter)
      replaced.push_back(parameter);
  norm->replaceAllUsesWith(bare);
  norm->erase();
  return success();
}

FailureOr<unsigned> FunctionFolder::run() {
  SmallVector<NormalizationOpInterface> norms;
  function->walk([&](NormalizationOpInterface norm) {
    // Not of a function in this one, whose arguments are others.
    if ((norm.getScale() || norm.getBias()) &&
        norm->getParentOfType<FunctionOpInterface>() == function)
      norms.push_back(norm);
  });
  std::string why;
  if (!norms.empty() && options.weights == WeightPolicy::Prepare &&
      failed(checkCanPrepareWeights(function, why))) {
    emitRemark(function.getLoc()) << "norms not folded: " << why;
    return 0;
  }
  for (NormalizationOpInterface norm : norms) {
    FailureOr<FoldPlan> plan = makePlan(norm);
    if (succeeded(plan))
      plans.push_back(std::move(*plan));
  }
  checkTiedWeights();
  unsigned numFolded = llvm::count_if(
      plans, [&](const FoldPlan &plan) { return succeeded(apply(plan)); });
  llvm::for_each(SetVector<Value>(replaced.begin(), replaced.end()),
                 eraseUnread);
  SmallVector<Value> computed = weights.finish();
  if (!computed.empty() &&
      failed(outlineWeightPreparation(function, computed, why)))
    return function.emitError("cannot prepare its weights: ") << why;
  return numFolded;
}

namespace {
struct NormFoldAffinePass
    : public norm::impl::NormFoldAffinePassBase<NormFoldAffinePass> {
  using NormFoldAffinePassBase::NormFoldAffinePassBase;

  void runOnOperation() final {
    NormFoldAffinePassOptions options{weights, tied};
    for (FunctionOpInterface function : collectFunctions(getOperation())) {
      FailureOr<unsigned> folded = FunctionFolder(function, options).run();
      if (failed(folded))
        return signalPassFailure();
      numFolded += *folded;
    }
  }
};
} // namespace
