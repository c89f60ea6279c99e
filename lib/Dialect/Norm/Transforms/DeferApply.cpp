//===- DeferApply.cpp - Apply norms after the matmuls that read them ------===//

#include "DeferApply.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/LinearMap.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"
#include "renorm/Support/Structured.h"
#include <map>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMDEFERAPPLYPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// A linear map that sums over the dimensions that a norm reduces, and what
/// applies the norm to its result.
struct DeferredMap {
  LinearMap map;
  /// For each dimension of the result that the statistics have, theirs that it
  /// is a product of.
  SmallVector<ReassociationIndices> rows;
  /// The dimensions of the result that the statistics do not have.
  SmallVector<int64_t> axes;
  /// The dimensions of the weight's root that are not summed over, and those of
  /// the result that they are.
  SmallVector<int64_t> outputDims, scaleDims;
};

struct DeferPlan {
  ApplyStatsOp apply;
  std::vector<DeferredMap> maps;
};

/// Defers the norms of one function.
class FunctionDeferrer {
public:
  FunctionDeferrer(FunctionOpInterface function, WeightPolicy policy)
      : function(function), policy(policy) {}

  /// Returns how many of `applies` were deferred, and leaves the others in it.
  /// Fails, with a diagnostic, only if column sums cannot be prepared.
  FailureOr<unsigned> run(SmallVectorImpl<ApplyStatsOp> &applies);

private:
  FailureOr<DeferPlan> makePlan(ApplyStatsOp apply);
  FailureOr<DeferredMap> planMap(ApplyStatsOp apply, const Reader &reader);
  LogicalResult planRows(ApplyStatsOp apply, const Reader &reader,
                         DeferredMap &deferred);
  LogicalResult planColumnSums(ApplyStatsOp apply, DeferredMap &deferred);
  void apply(const DeferPlan &plan);
  /// The sums of the weight's columns, each computed once.
  Value getColumnSums(const DeferredMap &deferred, FloatType type);
  Value createColumnSums(const DeferredMap &deferred, FloatType type);

  FunctionOpInterface function;
  WeightPolicy policy;
  std::map<std::tuple<const void *, const void *, SmallVector<int64_t>>, Value>
      columnSums;
  /// The column sums that operations compute.
  SmallVector<Value> computed;
};
} // namespace

/// Says why `apply` stays as it is; `reader` is what does not let it go.
static LogicalResult refuse(ApplyStatsOp apply, const Twine &why,
                            Operation *reader = nullptr) {
  auto remark = emitRemark(apply.getLoc())
                << "the norm is not applied later: " << why;
  if (reader)
    remark.attachNote(reader->getLoc()) << "reads the norm here";
  return failure();
}

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// What can be deferred
//===----------------------------------------------------------------------===//

/// Finds the dimensions of the result that are rows of the norm.
LogicalResult FunctionDeferrer::planRows(ApplyStatsOp apply,
                                         const Reader &reader,
                                         DeferredMap &deferred) {
  LinearMap &map = deferred.map;
  Operation *op = map.op;
  SmallVector<int64_t> axes = apply.getReducedAxes();
  // Position among the dimensions of the statistics.
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < apply.getInput().getType().getRank(); ++dim)
    if (!llvm::is_contained(axes, dim))
      kept.push_back(dim);

  for (int64_t loop : map.inputLoops)
    for (const DimPart &part : reader.loops[loop])
      if (part.extent != 1 && !llvm::is_contained(axes, part.dim))
        return refuse(apply,
                      "the contraction that reads it sums over rows, too", op);

  ArrayRef<int64_t> statisticShape =
      getType(apply.getStatistics().front()).getShape();
  int64_t next = 0;
  OpOperand *init = map.op.getDpsInitOperand(0);
  for (int64_t dim = 0; dim < getType(op->getResult(0)).getRank(); ++dim) {
    int64_t loop = map.getLoop(*init, dim);
    ReassociationIndices row;
    for (const DimPart &part : reader.loops[loop]) {
      const auto *found = llvm::find(kept, part.dim);
      if (found == kept.end()) {
        if (part.extent == 1)
          continue;
        return refuse(apply, "what reads it repeats or slices its rows", op);
      }
      int64_t position = found - kept.begin();
      // Of extent 1, and so dropped on the way.
      for (; next < position && statisticShape[next] == 1; ++next)
        row.push_back(next);
      if (position != next)
        return refuse(apply, "what reads it reorders its rows", op);
      row.push_back(next++);
    }
    if (row.empty())
      deferred.axes.push_back(dim);
    else
      deferred.rows.push_back(row);
  }
  for (; next < static_cast<int64_t>(kept.size()); ++next) {
    if (statisticShape[next] != 1)
      return refuse(apply, "what reads it does not keep its rows", op);
    if (!deferred.rows.empty())
      deferred.rows.back().push_back(next);
  }
  if (deferred.axes.empty())
    return refuse(apply, "what reads it has rows only", op);
  return success();
}

/// Finds the dimensions of the column sums.
LogicalResult FunctionDeferrer::planColumnSums(ApplyStatsOp apply,
                                               DeferredMap &deferred) {
  LinearMap &map = deferred.map;
  Value root = map.moved.root;
  std::string what = describeParameter(root);
  if (!getConstantWeight(root)) {
    if (!map.moved.isParameter() || policy == WeightPolicy::Constant)
      return refuse(
          apply,
          "the sums of the weight's columns are not known: it is " + what +
              (map.moved.isParameter() ? ", which is not a constant" : ""),
          map.op);
    if (!getType(root).hasStaticShape())
      return refuse(apply,
                    "the weight is " + what + ", which has a dynamic extent",
                    map.op);
  }
  OpOperand *init = map.op.getDpsInitOperand(0);
  AffineMap resultMap = map.op.getMatchingIndexingMap(init);
  for (auto [dim, loop] : llvm::enumerate(map.rootLoops)) {
    if (loop < 0) {
      if (getType(root).getDimSize(dim) != 1)
        return refuse(apply, "the weight is a slice of " + what, map.op);
      continue;
    }
    if (llvm::is_contained(map.inputLoops, loop))
      continue;
    deferred.outputDims.push_back(dim);
    deferred.scaleDims.push_back(*resultMap.getResultPosition(
        getAffineDimExpr(loop, root.getContext())));
  }
  for (int64_t loop : map.inputLoops)
    if (map.getRootDim(loop) < 0)
      return refuse(apply,
                    "the weight is not one number for each of its elements",
                    map.op);
  if (!llvm::is_sorted(deferred.scaleDims))
    return refuse(apply, "what reads it reorders the weight's columns", map.op);
  return success();
}

FailureOr<DeferredMap> FunctionDeferrer::planMap(ApplyStatsOp apply,
                                                 const Reader &reader) {
  Operation *op = reader.use->getOwner();
  if (!reader.map)
    return refuse(apply, "it is read by " + reader.description, op);
  DeferredMap deferred;
  deferred.map = *reader.map;
  // What protects the sum from overflow, and from losing what is small beside
  // the mean, is the normalization before it.
  Type sumType = getElementTypeOrSelf(op->getResult(0));
  if (sumType.getIntOrFloatBitWidth() <
      getElementTypeOrSelf(apply.getStatistics().front())
          .getIntOrFloatBitWidth()) {
    std::string text;
    llvm::raw_string_ostream(text) << sumType;
    return refuse(apply, "what reads it sums in " + text, op);
  }
  auto fill = deferred.map.op.getDpsInitOperand(0)
                  ->get()
                  .getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs().front(), m_AnyZeroFloat()))
    return refuse(apply, "what reads it does not begin its sums at 0", op);
  if (failed(planRows(apply, reader, deferred)))
    return failure();
  if (apply.getKind() == NormKind::Layer &&
      failed(planColumnSums(apply, deferred)))
    return failure();
  return deferred;
}

FailureOr<DeferPlan> FunctionDeferrer::makePlan(ApplyStatsOp apply) {
  std::vector<Reader> readers =
      findReaders(apply.getResult(), apply.getReducedAxes());
  if (readers.empty())
    return failure();
  if (apply.getScale() || apply.getBias() || apply.getColumnSums())
    return refuse(apply, apply.getColumnSums()
                             ? "it was once already"
                             : "it has a scale or bias (see norm-fold-affine)");
  if (getElementTypeOrSelf(apply.getInput()) !=
      getElementTypeOrSelf(apply.getResult()))
    return refuse(apply, "it changes the type of the elements");
  DeferPlan plan;
  plan.apply = apply;
  for (const Reader &reader : readers) {
    FailureOr<DeferredMap> deferred = planMap(apply, reader);
    if (failed(deferred))
      return failure();
    plan.maps.push_back(std::move(*deferred));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Deferring
//===----------------------------------------------------------------------===//

Value FunctionDeferrer::createColumnSums(const DeferredMap &deferred,
                                         FloatType type) {
  Value root = deferred.map.moved.root;
  RankedTensorType weightType = getType(root);
  SmallVector<int64_t> shape;
  for (int64_t dim : deferred.outputDims)
    shape.push_back(weightType.getDimSize(dim));
  linalg::LinalgOp op = deferred.map.op;
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  ImplicitLocOpBuilder b(op.getLoc(), builder);

  if (ElementsAttr weight = getConstantWeight(root)) {
    auto sumsType = RankedTensorType::get(shape, type);
    std::vector<double> sums(sumsType.getNumElements(), 0.0);
    SmallVector<int64_t> strides = computeStrides(weightType.getShape()),
                         sumStrides = computeStrides(shape);
    for (auto [position, element] : llvm::enumerate(readWeight(weight))) {
      SmallVector<int64_t> index = delinearize(position, strides);
      int64_t sum = 0;
      for (auto [dim, stride] :
           llvm::zip_equal(deferred.outputDims, sumStrides))
        sum += index[dim] * stride;
      sums[sum] += element;
    }
    return arith::ConstantOp::create(
        b, makeWeight(sumsType, sums, isa<DenseResourceElementsAttr>(weight)));
  }

  Value zero =
      createFilled(b, getAsIndexOpFoldResult(b.getContext(), shape), type, 0.0);
  int64_t rank = weightType.getRank();
  Value sums = createGeneric(
      b, {{root, b.getMultiDimIdentityMap(rank)}},
      {zero, selectDims(b, rank, deferred.outputDims)},
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
        return arith::AddFOp::create(inner, elements[1],
                                     convertFloat(inner, elements[0], type),
                                     kReductionFlags);
      });
  computed.push_back(sums);
  return sums;
}

Value FunctionDeferrer::getColumnSums(const DeferredMap &deferred,
                                      FloatType type) {
  Value &sums = columnSums[{deferred.map.moved.root.getAsOpaquePointer(),
                            type.getAsOpaquePointer(), deferred.outputDims}];
  if (!sums)
    sums = createColumnSums(deferred, type);
  return sums;
}

void FunctionDeferrer::apply(const DeferPlan &plan) {
  ApplyStatsOp early = plan.apply;
  auto type =
      cast<FloatType>(getElementTypeOrSelf(early.getStatistics().front()));
  for (const DeferredMap &deferred : plan.maps) {
    linalg::LinalgOp op = deferred.map.op;
    Value columnSums, result = op->getResult(0);
    if (early.getKind() == NormKind::Layer)
      columnSums = getColumnSums(deferred, type);

    OpBuilder b(op.getContext());
    b.setInsertionPointAfter(op);
    SmallVector<Value> statistics(early.getStatistics());
    if (static_cast<int64_t>(deferred.rows.size()) !=
        getType(statistics.front()).getRank())
      for (Value &statistic : statistics)
        statistic = tensor::CollapseShapeOp::create(b, early.getLoc(),
                                                    statistic, deferred.rows);
    // Left out where they are the default.
    DenseI64ArrayAttr axes, scaleDims;
    if (deferred.axes != ArrayRef<int64_t>(getType(result).getRank() - 1))
      axes = b.getDenseI64ArrayAttr(deferred.axes);
    if (columnSums && deferred.scaleDims != deferred.axes)
      scaleDims = b.getDenseI64ArrayAttr(deferred.scaleDims);
    auto late = ApplyStatsOp::create(
        b, early.getLoc(), getType(result), early.getKind(), result, statistics,
        columnSums, /*scale=*/Value(), /*bias=*/Value(), early.getEpsilon(),
        early.getEpsilonMode(), axes, scaleDims, /*unit_offset=*/false,
        /*cast_before_scale=*/false);
    late->setDiscardableAttrs(early->getDiscardableAttrDictionary());
    result.replaceUsesWithIf(late.getResult(), [&](OpOperand &use) {
      return use.getOwner() != late && !readsShapeOnly(use);
    });
  }
  early.getResult().replaceAllUsesWith(early.getInput());
  early->erase();
}

FailureOr<unsigned>
FunctionDeferrer::run(SmallVectorImpl<ApplyStatsOp> &applies) {
  std::string why;
  if (!applies.empty() && policy == WeightPolicy::Prepare &&
      failed(checkCanPrepareWeights(function, why))) {
    emitRemark(function.getLoc()) << "norms are not applied later: " << why;
    return 0;
  }
  unsigned numDeferred = 0;
  SmallVector<ApplyStatsOp> kept;
  for (ApplyStatsOp early : applies) {
    FailureOr<DeferPlan> plan = makePlan(early);
    if (failed(plan)) {
      kept.push_back(early);
      continue;
    }
    apply(*plan);
    ++numDeferred;
  }
  applies.assign(kept);
  if (!computed.empty() &&
      failed(outlineWeightPreparation(function, computed, why)))
    return function.emitError("cannot prepare its weights: ") << why;
  return numDeferred;
}

FailureOr<unsigned>
norm::deferApplications(FunctionOpInterface function, WeightPolicy policy,
                        SmallVectorImpl<ApplyStatsOp> &applies) {
  return FunctionDeferrer(function, policy).run(applies);
}

namespace {
struct NormDeferApplyPass
    : public norm::impl::NormDeferApplyPassBase<NormDeferApplyPass> {
  using NormDeferApplyPassBase::NormDeferApplyPassBase;

  void runOnOperation() final {
    for (FunctionOpInterface function : collectFunctions(getOperation())) {
      SmallVector<ApplyStatsOp> applies;
      function->walk([&](ApplyStatsOp apply) { applies.push_back(apply); });
      FailureOr<unsigned> deferred =
          deferApplications(function, weights, applies);
      if (failed(deferred))
        return signalPassFailure();
      numDeferred += *deferred;
    }
  }
};
} // namespace
