//===- ExpandMemRef.cpp - What upstream lowers only in part ---------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMEXPANDMEMREFPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct ReinterpretExpandShape : public OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const final {
    MemRefType type = op.getResultType();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    if (llvm::all_of(groups, [&](const ReassociationIndices &group) {
          return llvm::count_if(group, [&](int64_t dim) {
                   return type.isDynamicDim(dim);
                 }) <= 1;
        }))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");

    Location loc = op.getLoc();
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(sizes.size());
    AffineExpr x, y;
    bindSymbols(getContext(), x, y);
    for (auto [dim, group] : llvm::enumerate(groups)) {
      OpFoldResult stride = source.getConstifiedMixedStrides()[dim];
      for (int64_t inner : llvm::reverse(group)) {
        strides[inner] = stride;
        stride = affine::makeComposedFoldedAffineApply(rewriter, loc, x * y,
                                                       {stride, sizes[inner]});
      }
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), source.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }
};

struct CopyOneElement : public OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!type || !isa<MemRefType>(op.getSource().getType()) ||
        !type.hasStaticShape() || type.getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "not of one element");
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    SmallVector<Value> indices(type.getRank(), zero);
    Value element =
        memref::LoadOp::create(rewriter, op.getLoc(), op.getSource(), indices);
    rewriter.replaceOpWithNewOp<memref::StoreOp>(op, element, op.getTarget(),
                                                 indices);
    return success();
  }
};

struct CopyByLoops : public OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const final {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target ||
        (source.getLayout().isIdentity() && target.getLayout().isIdentity()))
      return rewriter.notifyMatchFailure(op, "upstream lowers it to memcpy");
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, op.getSource(),
                                                op.getTarget());
    return success();
  }
};

struct NormExpandMemRefPass
    : public norm::impl::NormExpandMemRefPassBase<NormExpandMemRefPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReinterpretExpandShape, CopyOneElement, CopyByLoops>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
