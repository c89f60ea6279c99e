//===- CarryAccumulators.cpp - Accumulators out of memory -----------------===//

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCARRYACCUMULATORSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// One element that a loop loads and then stores, in every iteration.
struct Accumulator {
  memref::LoadOp load;
  memref::StoreOp store;
};

/// What a loop does to memory.
struct Accesses {
  SmallVector<memref::LoadOp> loads;
  SmallVector<memref::StoreOp> stores;
};
} // namespace

/// None if something other than loads and stores in its body touches memory.
static std::optional<Accesses> getAccesses(scf::ForOp loop) {
  Accesses result;
  for (Operation &op : *loop.getBody()) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      result.loads.push_back(load);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      result.stores.push_back(store);
    else if (!isMemoryEffectFree(&op))
      return std::nullopt;
  }
  return result;
}

/// Whether no access but the load and the store of `accumulator` can be to its
/// element.
static bool isAlone(Accumulator accumulator, Accesses &accesses,
                    AliasAnalysis &aliases) {
  Value memref = accumulator.store.getMemRef();
  auto isElsewhere = [&](Value other) {
    return aliases.alias(memref, other).isNo();
  };
  return llvm::all_of(accesses.loads,
                      [&](memref::LoadOp load) {
                        return load == accumulator.load ||
                               isElsewhere(load.getMemRef());
                      }) &&
         llvm::all_of(accesses.stores, [&](memref::StoreOp store) {
           return store == accumulator.store || isElsewhere(store.getMemRef());
         });
}

static SmallVector<Accumulator> findAccumulators(scf::ForOp loop,
                                                 AliasAnalysis &aliases) {
  std::optional<Accesses> accesses = getAccesses(loop);
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!accesses || (trips && trips->isZero()))
    return {};
  SmallVector<Accumulator> result;
  for (memref::StoreOp store : accesses->stores) {
    if (!llvm::all_of(store->getOperands().drop_front(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      continue;
    auto *load = llvm::find_if(accesses->loads, [&](memref::LoadOp load) {
      return load.getMemRef() == store.getMemRef() &&
             llvm::equal(load.getIndices(), store.getIndices()) &&
             load->isBeforeInBlock(store);
    });
    if (load == accesses->loads.end() || !load->getType().isIntOrIndexOrFloat())
      continue;
    Accumulator accumulator{*load, store};
    if (isAlone(accumulator, *accesses, aliases))
      result.push_back(accumulator);
  }
  return result;
}

/// Whether `loop` has an iteration, where that is not known before it runs;
/// null where it has.
static Value hasIteration(RewriterBase &rewriter, scf::ForOp loop) {
  if (loop.getStaticTripCount())
    return {};
  auto isBefore = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                        : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(rewriter, loop.getLoc(), isBefore,
                               loop.getLowerBound(), loop.getUpperBound());
}

/// A loop without iterations touches no memory: it may have none.
static Value loadFirst(RewriterBase &rewriter, memref::LoadOp load,
                       Value condition) {
  if (!condition)
    return rewriter.clone(*load)->getResult(0);
  return scf::IfOp::create(
             rewriter, load.getLoc(), condition,
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, b.clone(*load)->getResults());
             },
             [&](OpBuilder &b, Location loc) {
               Value any = arith::ConstantOp::create(
                   b, loc, b.getZeroAttr(load.getType()));
               scf::YieldOp::create(b, loc, any);
             })
      .getResult(0);
}

static LogicalResult carry(RewriterBase &rewriter, scf::ForOp loop,
                           ArrayRef<Accumulator> accumulators) {
  rewriter.setInsertionPoint(loop);
  Value condition = hasIteration(rewriter, loop);
  SmallVector<Value> inits;
  for (auto [load, store] : accumulators)
    inits.push_back(loadFirst(rewriter, load, condition));
  size_t carried = loop.getNumRegionIterArgs();
  FailureOr<LoopLikeOpInterface> result = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return llvm::map_to_vector(accumulators, [](Accumulator accumulator) {
          return accumulator.store.getValue();
        });
      });
  if (failed(result))
    return failure();
  auto replaced = cast<scf::ForOp>(result->getOperation());
  rewriter.setInsertionPointAfter(replaced);
  if (condition) {
    auto stores = scf::IfOp::create(rewriter, replaced.getLoc(), condition,
                                    /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(stores.thenBlock());
  }
  for (auto [position, accumulator] : llvm::enumerate(accumulators)) {
    auto [load, store] = accumulator;
    memref::StoreOp::create(rewriter, store.getLoc(),
                            replaced.getResult(carried + position),
                            store.getMemRef(), store.getIndices());
    rewriter.replaceOp(load, replaced.getRegionIterArg(carried + position));
    rewriter.eraseOp(store);
  }
  return success();
}

namespace {
struct NormCarryAccumulatorsPass
    : public norm::impl::NormCarryAccumulatorsPassBase<
          NormCarryAccumulatorsPass> {
  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    auto &aliases = getAnalysis<AliasAnalysis>();
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      SmallVector<Accumulator> accumulators = findAccumulators(loop, aliases);
      if (!accumulators.empty() && failed(carry(rewriter, loop, accumulators)))
        return signalPassFailure();
    }
  }
};
} // namespace
