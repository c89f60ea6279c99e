//===- ProbeToLinalg.cpp - Probes as reductions and a call ----------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Support/Structured.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

using namespace mlir;
using namespace mlir::norm;

LogicalResult norm::declareProbes(ModuleOp module) {
  SetVector<Attribute> names;
  if (auto known = module->getAttrOfType<ArrayAttr>(kProbeNamesAttrName))
    names.insert(known.begin(), known.end());
  bool hasProbe = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A module within has names of its own.
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    if (auto probe = dyn_cast<ProbeOp>(op)) {
      hasProbe = true;
      names.insert(probe.getNameAttr());
    }
    return WalkResult::advance();
  });
  if (!hasProbe)
    return success();

  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Type f64 = b.getF64Type();
  FunctionType type =
      b.getFunctionType({b.getI64Type(), f64, f64, f64, f64}, {});
  if (Operation *symbol = module.lookupSymbol(kRecordProbeFunction)) {
    auto function = dyn_cast<func::FuncOp>(symbol);
    if (!function)
      return symbol->emitOpError()
             << "expected '" << kRecordProbeFunction << "' to be a function";
    if (function.getFunctionType() != type)
      return symbol->emitOpError()
             << "expected '" << kRecordProbeFunction << "' to have type "
             << type << ", but got " << function.getFunctionType();
  } else {
    func::FuncOp::create(b, module.getLoc(), kRecordProbeFunction, type)
        .setPrivate();
  }
  module->setAttr(kProbeNamesAttrName, b.getArrayAttr(names.getArrayRef()));
  return success();
}

namespace {
struct ProbeToLinalg : public OpRewritePattern<ProbeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ProbeOp op,
                                PatternRewriter &rewriter) const final {
    auto module = op->getParentOfType<ModuleOp>();
    auto names = module ? module->getAttrOfType<ArrayAttr>(kProbeNamesAttrName)
                        : nullptr;
    auto name = llvm::find(names ? names.getValue() : ArrayRef<Attribute>(),
                           op.getNameAttr());
    if (!names || name == names.end())
      return rewriter.notifyMatchFailure(op, "the probe is not declared");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<FloatType>(b.getF64Type());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), op.getInput());
    int64_t rank = sizes.size();
    Operand input = {op.getInput(), b.getMultiDimIdentityMap(rank)};
    Value count = createCount(b, sizes, type);
    // Reduces all elements, converted to f64, into one number.
    auto reduce = [&](double init, Body body) -> Value {
      Operand output = {createFilled(b, {}, type, init),
                        selectDims(b, rank, {})};
      Value result = createGeneric(
          b, input, output, [&](ImplicitLocOpBuilder &b, ValueRange args) {
            return body(b, {convertFloat(b, args[0], type), args[1]});
          });
      return tensor::ExtractOp::create(b, result, ValueRange());
    };
    auto meanOf =
        [&](llvm::function_ref<Value(ImplicitLocOpBuilder &, Value)> term)
        -> Value {
      Value sum = reduce(0.0, [&](ImplicitLocOpBuilder &b, ValueRange args) {
        return arith::AddFOp::create(b, args[1], term(b, args[0]),
                                     kReductionFlags)
            .getResult();
      });
      return arith::DivFOp::create(b, sum, count);
    };

    constexpr double infinity = std::numeric_limits<double>::infinity();
    Value largest = reduce(
        -infinity, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::MaximumFOp::create(b, args[1], args[0]);
        });
    Value smallest =
        reduce(infinity, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          return arith::MinimumFOp::create(b, args[1], args[0]);
        });
    Value maxAbs = arith::MaximumFOp::create(
        b, largest, arith::NegFOp::create(b, smallest));

    // The mean lies between the smallest and the largest element. Rounding may
    // put it outside, and a constant would then seem to have a variance.
    Value mean =
        meanOf([](ImplicitLocOpBuilder &, Value value) { return value; });
    mean = arith::MinimumFOp::create(
        b, arith::MaximumFOp::create(b, mean, smallest), largest);
    auto squaredDeviation = [&](ImplicitLocOpBuilder &b, Value value) -> Value {
      Value deviation = arith::SubFOp::create(b, value, mean);
      return arith::MulFOp::create(b, deviation, deviation);
    };
    Value variance = meanOf(squaredDeviation);
    Value fourthMoment =
        meanOf([&](ImplicitLocOpBuilder &b, Value value) -> Value {
          Value square = squaredDeviation(b, value);
          return arith::MulFOp::create(b, square, square);
        });
    Value kurtosis = arith::DivFOp::create(
        b, fourthMoment, arith::MulFOp::create(b, variance, variance));

    Value id = arith::ConstantOp::create(
        b, b.getI64IntegerAttr(std::distance(names.begin(), name)));
    rewriter.replaceOpWithNewOp<func::CallOp>(
        op, kRecordProbeFunction, TypeRange(),
        ValueRange{id, mean, variance, maxAbs, kurtosis});
    return success();
  }
};
} // namespace

void norm::populateProbeToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<ProbeToLinalg>(patterns.getContext());
}
