//===- ExpandNarrowFloats.cpp - bf16 and f16 by f32 and integers
//-----------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMEXPANDNARROWFLOATSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

static bool isBFloat16(Type type) {
  return getElementTypeOrSelf(type).isBF16();
}

/// `type` with elements of `elementType`.
static Type withElement(Type type, Type elementType) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(elementType);
  return elementType;
}

/// Whether `op` computes with bf16, and not only moves or converts it.
static bool computesBFloat16(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
          arith::SelectOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isBFloat16) ||
         llvm::any_of(op->getResultTypes(), isBFloat16);
}

/// Computes `op` in f32 and rounds its results.
static void widen(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Type f32 = rewriter.getF32Type();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isBFloat16(operand.getType()) && !mapping.contains(operand))
      mapping.map(operand, arith::ExtFOp::create(
                               rewriter, loc,
                               withElement(operand.getType(), f32), operand)
                               .getResult());
  Operation *wide = rewriter.clone(*op, mapping);
  SmallVector<Value> results;
  for (auto [result, wideResult] :
       llvm::zip(op->getResults(), wide->getResults())) {
    results.push_back(wideResult);
    if (!isBFloat16(result.getType()))
      continue;
    wideResult.setType(withElement(result.getType(), f32));
    results.back() =
        arith::TruncFOp::create(rewriter, loc, result.getType(), wideResult);
  }
  rewriter.replaceOp(op, results);
}

namespace {
/// f64 to bf16 or f16 by way of f32. Rounding to nearest twice would differ
/// from rounding once where the first step lands on a tie of the second.
/// Rounding to odd first (Boldo and Melquiond 2008, Theorem 3) does not: a
/// number that f32 does not hold becomes that of its two neighbours whose last
/// bit is 1, and no tie has one.
struct RoundDoubleOnce : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const final {
    Value wide = op.getIn();
    if (!getElementTypeOrSelf(wide.getType()).isF64() ||
        getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "not from f64 to 16 bits");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type f32 = withElement(wide.getType(), b.getF32Type());
    Type i32 = withElement(wide.getType(), b.getI32Type());
    Value nearest = arith::TruncFOp::create(b, f32, wide);
    Value back = arith::ExtFOp::create(b, wide.getType(), nearest);
    // Of a NaN there is nothing to round.
    Value isExact =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, back, wide);
    Value isAbove = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                          math::AbsFOp::create(b, back),
                                          math::AbsFOp::create(b, wide));
    Value one = arith::ConstantOp::create(b, b.getOneAttr(i32));
    Value bits = arith::BitcastOp::create(b, i32, nearest);
    Value below = arith::SelectOp::create(
        b, isAbove, arith::SubIOp::create(b, bits, one), bits);
    Value odd = arith::OrIOp::create(b, below, one);
    Value rounded = arith::BitcastOp::create(
        b, f32, arith::SelectOp::create(b, isExact, bits, odd));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
    return success();
  }
};

/// bf16 to f64 by way of f32, which holds every bf16.
struct ExtendByFloat : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const final {
    if (!isBFloat16(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not from bf16 to f64");
    Value middle = arith::ExtFOp::create(
        rewriter, op.getLoc(), withElement(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), middle);
    return success();
  }
};

struct NormExpandNarrowFloatsPass
    : public norm::impl::NormExpandNarrowFloatsPassBase<
          NormExpandNarrowFloatsPass> {
  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (computesBFloat16(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      widen(rewriter, op);

    // A flag that allows to leave a rounding out would be used by the folds of
    // the driver below.
    getOperation()->walk([](Operation *op) {
      if (auto ext = dyn_cast<arith::ExtFOp>(op))
        ext.removeFastmathAttr();
      if (auto trunc = dyn_cast<arith::TruncFOp>(op))
        trunc.removeFastmathAttr();
    });

    RewritePatternSet patterns(&getContext());
    patterns.add<RoundDoubleOnce, ExtendByFloat>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
