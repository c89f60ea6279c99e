//===- RowReduction.cpp - Reductions that a program writes ----------------===//

#include "renorm/Analysis/RowReduction.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::norm;

SmallVector<int64_t> RowReduction::getReducedAxes() const {
  auto op = cast<linalg::LinalgOp>(input->getOwner());
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  SmallVector<int64_t> axes;
  for (auto [dim, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(input).getResults()))
    if (loops[cast<AffineDimExpr>(expr).getPosition()] ==
        utils::IteratorType::reduction)
      axes.push_back(dim);
  return axes;
}

std::optional<RowReduction> norm::matchRowReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      op->getNumResults() != 1 || linalgOp.getNumReductionLoops() == 0 ||
      linalg::isaContractionOpInterface(linalgOp) ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) ||
      !llvm::all_of(*linalgOp.getBlock(), [](Operation &inner) {
        return isMemoryEffectFree(&inner);
      }))
    return std::nullopt;
  AffineMap output =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  if (!output.isProjectedPermutation() ||
      output.getNumResults() != linalgOp.getNumParallelLoops())
    return std::nullopt;

  RowReduction reduction;
  SmallVector<Operation *> combiners;
  reduction.element =
      matchReduction(linalgOp.getRegionOutputArgs(), /*redPos=*/0, combiners);
  if (!reduction.element || combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp,
           arith::MaxNumFOp, arith::MinNumFOp>(combiners.front()))
    return std::nullopt;
  reduction.combiner = combiners.front();
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    if (linalgOp.isScalar(input) ||
        !linalgOp.getMatchingIndexingMap(input).isPermutation())
      continue;
    reduction.input = input;
    SmallVector<int64_t> axes = reduction.getReducedAxes();
    int64_t outer = linalgOp.getNumLoops() - axes.size();
    if (axes ==
        llvm::to_vector(llvm::seq<int64_t>(outer, linalgOp.getNumLoops())))
      return reduction;
  }
  return std::nullopt;
}
