//===- SplitStats.cpp - Split norms into statistics and application -------===//

#include "SplitStats.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMSPLITSTATSPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

std::string NormSplitter::findRefusal(NormalizationOpInterface norm,
                                      int64_t groupSize) {
  std::string why;
  llvm::raw_string_ostream os(why);
  RankedTensorType type = norm.getInput().getType();
  Type kept = type.getElementType().isF64()
                  ? type.getElementType()
                  : Float32Type::get(norm.getContext());
  SmallVector<int64_t> axes = norm.getNormalizedAxes();
  if (norm.getStatisticsType() != kept)
    os << "statistics of " << type.getElementType() << " are kept in " << kept
       << ", and this norm's are in " << norm.getStatisticsType();
  else if (groupSize > 0 && axes.size() > 1)
    os << "groups are of one axis, and this norm has " << axes.size();
  else if (groupSize > 0 && type.isDynamicDim(axes.front()))
    os << "groups are of an axis of static extent, and that of axis "
       << axes.front() << " is dynamic";
  return why;
}

ApplyStatsOp NormSplitter::split(NormalizationOpInterface norm,
                                 int64_t groupSize) {
  OpBuilder b(norm);
  auto type = cast<RankedTensorType>(norm.getResult().getType());
  auto dims = [&](std::optional<ArrayRef<int64_t>> dims) {
    return dims ? b.getDenseI64ArrayAttr(*dims) : DenseI64ArrayAttr();
  };
  auto apply = ApplyStatsOp::create(
      b, norm.getLoc(), type, norm.getNormKind(), norm.getInput(),
      findStatistics(norm, groupSize), /*column_sums=*/Value(), norm.getScale(),
      norm.getBias(), norm.getEpsilon(), norm.getEpsilonMode(),
      dims(norm.getAxes()), dims(norm.getScaleDims()), norm.getUnitOffset(),
      norm.getCastBeforeScale());
  apply->setDiscardableAttrs(norm->getDiscardableAttrDictionary());
  norm.getResult().replaceAllUsesWith(apply);
  norm->erase();
  return apply;
}

/// What `norm` divides by, computed where its input is, so that all norms of it
/// can read them.
SmallVector<Value, 2>
NormSplitter::findStatistics(NormalizationOpInterface norm, int64_t groupSize) {
  TypedValue<RankedTensorType> input = norm.getInput();
  NormKind kind = norm.getNormKind();
  SmallVector<int64_t> axes = norm.getNormalizedAxes();
  for (const Statistics &each : known[input])
    if (each.kind == kind && each.axes == axes && each.groupSize == groupSize)
      return each.values;

  OpBuilder b(norm);
  b.setInsertionPointAfterValue(input);
  std::optional<int64_t> size;
  if (groupSize > 0)
    size = groupSize;
  DenseI64ArrayAttr axesAttr;
  if (std::optional<ArrayRef<int64_t>> written = norm.getAxes())
    axesAttr = b.getDenseI64ArrayAttr(*written);
  Operation *op = RowStatsOp::create(
      b, norm.getLoc(), NormKindAttr::get(b.getContext(), kind), input,
      axesAttr, size ? b.getI64IntegerAttr(*size) : IntegerAttr());
  if (size)
    op = MergeStatsOp::create(b, norm.getLoc(), kind, op->getResults(), *size,
                              input.getType().getDimSize(axes.front()));
  SmallVector<Value, 2> values(op->getResults());
  known[input].push_back({kind, axes, groupSize, values});
  return values;
}

namespace {
struct NormSplitStatsPass
    : public norm::impl::NormSplitStatsPassBase<NormSplitStatsPass> {
  using NormSplitStatsPassBase::NormSplitStatsPassBase;

  void runOnOperation() final {
    if (groupSize < 0) {
      emitError(getOperation().getLoc())
          << "expected 'group-size' to be 0 or more, but got "
          << groupSize.getValue();
      return signalPassFailure();
    }
    NormSplitter splitter;
    getOperation()->walk([&](NormalizationOpInterface norm) {
      std::string why = NormSplitter::findRefusal(norm, groupSize);
      if (why.empty())
        splitter.split(norm, groupSize);
      else
        emitRemark(norm.getLoc()) << "the norm is not split: " << why;
    });
  }
};
} // namespace
