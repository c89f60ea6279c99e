//===- Pipeline.cpp - Loads that run ahead of the arithmetic --------------===//

#include "Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// Pairs of tiles in shared memory: one that is multiplied, the others loaded.
static constexpr int64_t kStages = 3;

SmallVector<Value> kernel::multiplyPipelined(KernelBuilder &b, TileLoader &left,
                                             TileLoader &right,
                                             const TileRange &tiles,
                                             ValueRange sums,
                                             MultiplyTiles multiply) {
  int64_t leftBytes = left.getShape().bytes();
  int64_t stageBytes = leftBytes + right.getShape().bytes();
  int64_t base = b.allocateShared(kStages * stageBytes);
  bool hasAsync = left.isAsync() || right.isAsync();
  auto stageOf = [&](Value tile) {
    return b.add(b.mul(b.rem(tile, kStages), stageBytes), base);
  };
  auto commit = [&]() {
    if (hasAsync)
      NVVM::CpAsyncCommitGroupOp::create(b);
  };

  // A tile without copies is an empty group, so that waiting counts tiles.
  for (int64_t tile = 0; tile < kStages - 1; ++tile) {
    Value number = b.index(tile);
    Value isThere =
        tile < tiles.atLeast ? Value() : b.isLess(number, tiles.count);
    if (tile < tiles.atMost)
      b.ifTrue(isThere, [&]() {
        Value stage = stageOf(number), rightStage = b.add(stage, leftBytes);
        number = b.add(number, tiles.first);
        SmallVector<Value> leftChunks = left.start(number, stage);
        SmallVector<Value> rightChunks = right.start(number, rightStage);
        left.finish(leftChunks, stage);
        right.finish(rightChunks, rightStage);
      });
    commit();
  }

  auto loop = scf::ForOp::create(b, b.index(0), tiles.count, b.index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value tile = loop.getInductionVar();
  if (hasAsync)
    NVVM::CpAsyncWaitGroupOp::create(b, kStages - 2);
  // The tile is there for all threads, and none reads the one before any more:
  // its stage is free.
  b.barrier();
  Value next = b.add(tile, kStages - 1), nextStage = stageOf(next);
  Value nextRight = b.add(nextStage, leftBytes);
  SmallVector<Value> leftChunks, rightChunks;
  auto start = [&](TileLoader &loader, SmallVector<Value> &chunks,
                   Value stage) {
    if (!loader.isAsync()) {
      // After the last tile, one that is never multiplied.
      Value last = b.createOrFold<arith::SubIOp>(tiles.count, b.index(1));
      chunks = loader.start(b.add(b.min(next, last), tiles.first), stage);
      return;
    }
    b.ifTrue(b.isLess(next, tiles.count),
             [&]() { (void)loader.start(b.add(next, tiles.first), stage); });
  };
  start(left, leftChunks, nextStage);
  start(right, rightChunks, nextRight);
  commit();

  Value stage = stageOf(tile);
  SmallVector<Value> nextSums =
      multiply(stage, b.add(stage, leftBytes), loop.getRegionIterArgs());
  left.finish(leftChunks, nextStage);
  right.finish(rightChunks, nextRight);
  scf::YieldOp::create(b, nextSums);
  return llvm::to_vector(llvm::map_range(
      loop.getResults(), [](OpResult result) -> Value { return result; }));
}
