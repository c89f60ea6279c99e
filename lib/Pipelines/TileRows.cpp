//===- TileRows.cpp - Row by row what goes through rows -------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMTILEROWSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// How many elements, 4 bytes each, stay in the first-level cache with what is
/// computed of them.
static constexpr int64_t kRowElements = 4096;

/// The loops of `op` from the innermost on stay whole as long as their elements
/// fit the cache; of the others one step is taken at a time, but those that are
/// reduced stay whole, too.
static SmallVector<OpFoldResult> chooseTileSizes(OpBuilder &b,
                                                 TilingInterface op) {
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  SmallVector<Range> domain = op.getIterationDomain(b);
  SmallVector<OpFoldResult> sizes(domain.size(), b.getIndexAttr(0));
  // Each of the statistics is of a row.
  bool isRow = isa<RowStatsOp>(op);
  int64_t elements = isRow ? kRowElements + 1 : 1;
  for (size_t loop = domain.size(); loop-- > 0; isRow = true) {
    // Without a bound, what fits is guessed to be a row of the last dimension.
    int64_t extent = getConstantIntValue(domain[loop].size)
                         .value_or(isRow ? kRowElements + 1 : 1);
    if (elements <= kRowElements)
      elements *= std::max<int64_t>(extent, 1);
    if (isRow && elements > kRowElements &&
        iterators[loop] == utils::IteratorType::parallel)
      sizes[loop] = b.getIndexAttr(1);
  }
  return sizes;
}

namespace {
/// What tiles operations with what they are computed of.
struct RowTiling {
  IRRewriter &rewriter;
  int64_t minimumElements;
  FrozenRewritePatternSet slices;

  /// Whether `op` is worth a loop over rows.
  bool isLarge(Operation *op) const;
  /// Puts `sink` and its producers, as far as `canFuse` lets, into loops. Those
  /// that are `needed` elsewhere become results of the loops.
  LogicalResult tile(TilingInterface sink,
                     llvm::function_ref<bool(OpResult)> canFuse,
                     llvm::function_ref<bool(OpResult)> isNeeded) const;
  LogicalResult tileFusion(FusionOp fusion) const;
};
} // namespace

/// The operations of its block that `op` is computed of.
static SetVector<Operation *> getProducers(Operation *op) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *producer) {
    return producer->getBlock() == op->getBlock();
  };
  LogicalResult result = getBackwardSlice(op, &slice, options);
  assert(succeeded(result) && "the filter keeps it in one block");
  (void)result;
  return slice;
}

bool RowTiling::isLarge(Operation *op) const {
  // Statistics are small, what they are of is not.
  Value value = isa<RowStatsOp>(op) ? op->getOperand(0) : op->getResult(0);
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() > 1 &&
         (!type.hasStaticShape() || type.getNumElements() >= minimumElements);
}

LogicalResult
RowTiling::tile(TilingInterface sink,
                llvm::function_ref<bool(OpResult)> canFuse,
                llvm::function_ref<bool(OpResult)> isNeeded) const {
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizeComputationFunction(
      [](OpBuilder &b, Operation *op) {
        return chooseTileSizes(b, cast<TilingInterface>(op));
      });
  DenseSet<Value> returned;
  options.fusionControlFn =
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    if (!canFuse(producer))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{
        isNeeded(producer) && returned.insert(producer).second};
  };
  options.cleanupPatterns = slices;
  rewriter.setInsertionPoint(sink);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, sink, options);
  if (failed(result))
    return failure();
  if (result->loops.empty())
    return success();
  // What the loops need, such as extents of what was fused, stays as it is; in
  // them are also slices of that, which nothing reads.
  Operation *loop = result->loops.front();
  SetVector<Operation *> needed = getProducers(loop);
  for (auto [from, to] : result->replacements)
    rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return !needed.contains(user) && !loop->isProperAncestor(user);
    });
  return success();
}

LogicalResult RowTiling::tileFusion(FusionOp fusion) const {
  Operation *root = fusion.getRoot();
  Block &block = fusion.getBody().front();
  Operation *yield = block.getTerminator();
  SetVector<Operation *> sinks;
  auto addSink = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op != root && isa<TilingInterface>(op) && isLarge(op))
      sinks.insert(op);
  };
  for (Value value : yield->getOperands())
    addSink(value);
  if (root)
    addSink(root->getOperand(0));

  // What is computed of most comes first: the other sinks are on the way to it,
  // or have at least what they share with it read once less.
  DenseMap<Operation *, size_t> counts;
  for (Operation *sink : sinks)
    counts[sink] = getProducers(sink).size();
  SmallVector<Operation *> order(sinks.begin(), sinks.end());
  llvm::sort(order, [&](Operation *a, Operation *b) {
    return counts[a] != counts[b] ? counts[a] > counts[b]
                                  : a->isBeforeInBlock(b);
  });

  auto isNotRoot = [&](OpResult producer) {
    return producer.getOwner() != root &&
           isa<TilingInterface>(producer.getOwner());
  };
  auto isYielded = [&](OpResult value) {
    return llvm::is_contained(yield->getOperands(), value);
  };
  for (Operation *sink : order) {
    // Another loop may have it among its results.
    bool isRead = llvm::any_of(sink->getUsers(), [&](Operation *user) {
      return user == yield || user == root;
    });
    if (isRead &&
        failed(tile(cast<TilingInterface>(sink), isNotRoot, isYielded)))
      return failure();
  }
  // A loop may stand after what reads its results.
  sortTopologically(&block);
  return success();
}

namespace {
struct NormTileRowsPass
    : public norm::impl::NormTileRowsPassBase<NormTileRowsPass> {
  using Base::Base;

  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    RewritePatternSet patterns(&getContext());
    tensor::populateBubbleUpExtractSliceOpPatterns(patterns);
    RowTiling tiling{rewriter, minimumElements, std::move(patterns)};

    SmallVector<FusionOp> fusions;
    SmallVector<TilingInterface> norms;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto fusion = dyn_cast<FusionOp>(op)) {
        fusions.push_back(fusion);
        return WalkResult::skip();
      }
      if (isa<NormalizationOpInterface, ApplyStatsOp>(op) && tiling.isLarge(op))
        norms.push_back(cast<TilingInterface>(op));
      return WalkResult::advance();
    });

    for (FusionOp fusion : fusions)
      if (failed(tiling.tileFusion(fusion)))
        return signalPassFailure();
    for (TilingInterface norm : norms) {
      DenseSet<Operation *> statistics;
      for (Value operand : norm->getOperands())
        if (auto stats = operand.getDefiningOp<RowStatsOp>();
            stats && llvm::all_of(stats->getUsers(), [&](Operation *user) {
              return user == norm;
            }))
          statistics.insert(stats);
      auto areStatistics = [&](OpResult producer) {
        return statistics.contains(producer.getOwner());
      };
      if (failed(
              tiling.tile(norm, areStatistics, [](OpResult) { return false; })))
        return signalPassFailure();
    }

    // Extents of what was fused are those of what it was computed of.
    RewritePatternSet extents(&getContext());
    memref::populateResolveRankedShapedTypeResultDimsPatterns(extents);
    if (failed(applyPatternsGreedily(getOperation(), std::move(extents))))
      signalPassFailure();
  }
};
} // namespace
