//===- Simplify.cpp - One norm in place of several ------------------------===//
//
// SimplifyPasses.td derives the formulas.
//
//===----------------------------------------------------------------------===//

#include "renorm/Dialect/Norm/Transforms/Simplify.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Support/Structured.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMSIMPLIFYPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number that all elements of the constant `value` are, if they are equal.
static std::optional<double> getSplat(Value value) {
  Attribute attr;
  APFloat number(0.0);
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  auto elements = dyn_cast<DenseFPElementsAttr>(attr);
  if (elements && elements.isSplat())
    number = elements.getSplatValue<APFloat>();
  else if (auto scalar = dyn_cast<FloatAttr>(attr))
    number = scalar.getValue();
  else
    return std::nullopt;
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

/// Whether epsilon is added to, or compared with, the square of the normalizer.
static bool isUnderRoot(EpsilonMode mode) {
  return mode == EpsilonMode::Inside || mode == EpsilonMode::ClampInside;
}

/// Whether `epsilon`, which takes the place of `old`, is one in `type`.
static bool isEpsilonIn(double epsilon, bool wasZero, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  auto toDouble = [](APFloat value) {
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  };
  if (wasZero)
    return epsilon == 0.0;
  return epsilon >= toDouble(APFloat::getSmallestNormalized(semantics)) &&
         epsilon <= toDouble(APFloat::getLargest(semantics));
}

static constexpr StringLiteral kEpsilonOutOfRange =
    "the epsilon that would be left is no normal number of the compute type";

//===----------------------------------------------------------------------===//
// A norm of a norm
//===----------------------------------------------------------------------===//

namespace {
/// `factor` times a norm, of the input of the inner norm.
struct Composition {
  NormKind kind;
  EpsilonMode mode;
  double epsilon, factor;
};
} // namespace

/// The one number that `norm` multiplies by; none with `why`.
static std::optional<double> getUniformScale(NormalizationOpInterface norm,
                                             std::string &why) {
  std::optional<double> bias =
      norm.getBias() ? getSplat(norm.getBias()) : std::optional(0.0);
  if (bias != 0.0) {
    why = "the inner norm has a bias";
    return std::nullopt;
  }
  if (!norm.getScale())
    return 1.0;
  std::optional<double> scale = getSplat(norm.getScale());
  if (scale && norm.getUnitOffset())
    *scale += 1.0;
  if (!scale || !std::isfinite(*scale) || *scale == 0.0) {
    why = "the scale of the inner norm is not one known number other than 0";
    return std::nullopt;
  }
  return scale;
}

static std::optional<Composition> compose(NormalizationOpInterface inner,
                                          NormalizationOpInterface outer,
                                          std::string &why) {
  if (!inner->hasOneUse()) {
    why = "something else reads the inner norm, too";
    return std::nullopt;
  }
  std::optional<double> scale = getUniformScale(inner, why);
  if (!scale)
    return std::nullopt;
  if (inner.getNormalizedAxes() != outer.getNormalizedAxes()) {
    why = "the two normalize different dimensions";
    return std::nullopt;
  }
  if (inner.getStatisticsType() != outer.getStatisticsType()) {
    why = "the two compute in different types";
    return std::nullopt;
  }

  double e1 = inner.getEpsilon().convertToDouble();
  double e2 = outer.getEpsilon().convertToDouble();
  EpsilonMode mode =
      e1 == 0.0 ? outer.getEpsilonMode() : inner.getEpsilonMode();
  if (e1 != 0.0 && e2 != 0.0 && mode != outer.getEpsilonMode()) {
    why = "their epsilons enter in different ways";
    return std::nullopt;
  }
  e2 /= isUnderRoot(mode) ? *scale * *scale : std::abs(*scale);

  Composition result;
  bool isCentered = inner.getNormKind() == NormKind::Layer;
  result.kind = isCentered ? NormKind::Layer : outer.getNormKind();
  if (!isCentered && result.kind == NormKind::Layer && e2 != 0.0) {
    why = "a layer norm of a norm that does not center has no epsilon of its "
          "own";
    return std::nullopt;
  }
  // Between l2 norms the extent cancels.
  std::optional<double> extent = 1.0;
  if ((inner.getNormKind() == NormKind::L2) !=
      (outer.getNormKind() == NormKind::L2))
    extent = outer.getNormalizedExtent();
  if (!extent) {
    why = "the extent that an l2 norm is over is dynamic";
    return std::nullopt;
  }
  auto multiplicity = [&](NormKind kind) {
    return kind == NormKind::L2 ? *extent : 1.0;
  };
  double m1 = multiplicity(inner.getNormKind());
  double m2 = multiplicity(outer.getNormKind());
  double m = multiplicity(result.kind);
  auto normalizer = [&] {
    switch (mode) {
    case EpsilonMode::Inside:
      return std::sqrt(m2 + e2 * m1);
    case EpsilonMode::Outside:
      return std::sqrt(m2) + e2 * std::sqrt(m1);
    case EpsilonMode::Clamp:
      return std::max(std::sqrt(m2), e2 * std::sqrt(m1));
    case EpsilonMode::ClampInside:
      return std::sqrt(std::max(m2, e2 * m1));
    }
    llvm_unreachable("unknown epsilon mode");
  };
  double factor = std::sqrt(m) / normalizer();
  result.mode = mode;
  result.epsilon = (isUnderRoot(mode) ? factor * factor : factor) * e1 * e2;
  result.factor = std::copysign(factor, *scale);
  if (!isEpsilonIn(result.epsilon, e1 == 0.0 || e2 == 0.0,
                   inner.getStatisticsType())) {
    why = kEpsilonOutOfRange;
    return std::nullopt;
  }
  return result;
}

/// Multiplies what `spec`, which computes in `computeType`, multiplies by with
/// `factor`.
static void multiplyScale(OpBuilder &builder, Location loc, NormSpec &spec,
                          FloatType computeType, double factor) {
  ImplicitLocOpBuilder b(loc, builder);
  double offset = spec.unitOffset ? 1.0 : 0.0;
  spec.unitOffset = false;
  if (!spec.scale) {
    auto type = RankedTensorType::get({}, computeType);
    spec.scale = arith::ConstantOp::create(b, makeWeight(type, factor, false));
    return;
  }
  auto type = cast<RankedTensorType>(spec.scale.getType());
  auto elementType = cast<FloatType>(type.getElementType());
  if (elementType.getWidth() < computeType.getWidth())
    elementType = computeType;
  if (ElementsAttr weight = getConstantWeight(spec.scale)) {
    std::vector<double> elements = readWeight(weight);
    for (double &element : elements)
      element = (element + offset) * factor;
    if (ElementsAttr scaled =
            makeWeight(type.clone(elementType), elements,
                       isa<DenseResourceElementsAttr>(weight))) {
      spec.scale = arith::ConstantOp::create(b, cast<TypedAttr>(scaled));
      return;
    }
  }
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  spec.scale = createElementwise(
      b, tensor::getMixedSizes(b, loc, spec.scale), elementType,
      Operand{spec.scale, identity},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value element = convertFloat(b, args.front(), elementType);
        if (offset != 0.0)
          element = arith::AddFOp::create(
              b, element, createConstant(b, elementType, offset));
        return arith::MulFOp::create(b, element,
                                     createConstant(b, elementType, factor));
      });
}

namespace {
struct NormOfNorm : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface outer,
                                PatternRewriter &rewriter) const override {
    auto inner = outer.getInput().getDefiningOp<NormalizationOpInterface>();
    if (!inner)
      return rewriter.notifyMatchFailure(outer, "not a norm of a norm");
    std::string why;
    std::optional<Composition> composition = compose(inner, outer, why);
    if (!composition)
      return rewriter.notifyMatchFailure(outer, why);
    NormSpec spec(outer);
    spec.kind = composition->kind;
    spec.epsilon = composition->epsilon;
    spec.epsilonMode = composition->mode;
    if (composition->factor != 1.0)
      multiplyScale(rewriter, outer.getLoc(), spec, outer.getStatisticsType(),
                    composition->factor);
    rewriter.replaceOp(outer,
                       spec.createLike(rewriter, outer, inner.getInput()));
    rewriter.eraseOp(inner);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// A factor before a norm
//===----------------------------------------------------------------------===//

namespace {
/// `factor` times `source`.
struct Multiple {
  Value source;
  double factor;
};
} // namespace

/// `lhs` times (over) `rhs`, if one of them is a constant.
static std::optional<Multiple> getMultiple(Value lhs, Value rhs,
                                           bool isQuotient) {
  if (std::optional<double> factor = getSplat(rhs))
    return Multiple{lhs, isQuotient ? 1.0 / *factor : *factor};
  if (std::optional<double> factor = getSplat(lhs); factor && !isQuotient)
    return Multiple{rhs, *factor};
  return std::nullopt;
}

/// `value` as a multiple of another value of its type.
static std::optional<Multiple> getMultiple(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op))
    return getMultiple(op->getOperand(0), op->getOperand(1),
                       isa<arith::DivFOp>(op));
  auto generic = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!generic || generic.getNumDpsInits() != 1 ||
      generic.getNumLoops() != generic.getNumParallelLoops())
    return std::nullopt;
  Block *body = generic.getBlock();
  Operation *inner = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(inner) ||
      &body->front() != inner || inner->getNextNode() != body->getTerminator())
    return std::nullopt;
  // What an operand is an element of, or the operand itself.
  auto outside = [&](Value operand) -> Value {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && argument.getOwner() == body
               ? generic.getMatchingOpOperand(argument)->get()
               : operand;
  };
  std::optional<Multiple> multiple =
      getMultiple(outside(inner->getOperand(0)), outside(inner->getOperand(1)),
                  isa<arith::DivFOp>(inner));
  if (!multiple || multiple->source.getType() != value.getType())
    return std::nullopt;
  // It must be an input, read as the output is written.
  for (OpOperand *input : generic.getDpsInputOperands())
    if (input->get() == multiple->source &&
        generic.getMatchingIndexingMap(input) ==
            generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)))
      return multiple;
  return std::nullopt;
}

/// The epsilon with which `norm` of `multiple` is one of its source.
static std::optional<double> getEpsilonOfSource(NormalizationOpInterface norm,
                                                const Multiple &multiple,
                                                std::string &why) {
  double factor = multiple.factor;
  if (!norm.getInput().hasOneUse()) {
    why = "something else reads the product, too";
    return std::nullopt;
  }
  if (!std::isfinite(factor) || factor <= 0.0) {
    why = "the factor is not positive and finite";
    return std::nullopt;
  }
  double old = norm.getEpsilon().convertToDouble();
  double epsilon =
      old / (isUnderRoot(norm.getEpsilonMode()) ? factor * factor : factor);
  if (!isEpsilonIn(epsilon, old == 0.0, norm.getStatisticsType())) {
    why = kEpsilonOutOfRange;
    return std::nullopt;
  }
  return epsilon;
}

namespace {
struct FactorBeforeNorm
    : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface norm,
                                PatternRewriter &rewriter) const override {
    std::optional<Multiple> multiple = getMultiple(norm.getInput());
    if (!multiple)
      return rewriter.notifyMatchFailure(norm, "no multiple before the norm");
    std::string why;
    std::optional<double> epsilon = getEpsilonOfSource(norm, *multiple, why);
    if (!epsilon)
      return rewriter.notifyMatchFailure(norm, why);
    NormSpec spec(norm);
    spec.epsilon = *epsilon;
    Operation *product = norm.getInput().getDefiningOp();
    rewriter.replaceOp(norm, spec.createLike(rewriter, norm, multiple->source));
    rewriter.eraseOp(product);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Equal norms
//===----------------------------------------------------------------------===//

struct EqualNorm : public OpInterfaceRewritePattern<NormalizationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(NormalizationOpInterface norm,
                                PatternRewriter &rewriter) const override {
    for (Operation *user : norm.getInput().getUsers()) {
      auto other = dyn_cast<NormalizationOpInterface>(user);
      // A norm that was dropped has no reader.
      if (other && other != norm && other->getBlock() == norm->getBlock() &&
          other->isBeforeInBlock(norm) && !other->use_empty() &&
          areEqual(other, norm)) {
        rewriter.replaceOp(norm, other);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(norm, "no equal norm before");
  }

private:
  static bool areEqual(Value lhs, Value rhs) {
    if (lhs == rhs)
      return true;
    if (!lhs || !rhs)
      return false;
    ElementsAttr weight = getConstantWeight(lhs);
    return weight && weight == getConstantWeight(rhs);
  }

  static bool areEqual(NormalizationOpInterface lhs,
                       NormalizationOpInterface rhs) {
    return lhs->getName() == rhs->getName() &&
           lhs->getDiscardableAttrDictionary() ==
               rhs->getDiscardableAttrDictionary() &&
           lhs.getInput() == rhs.getInput() &&
           lhs.getEpsilon() == rhs.getEpsilon() &&
           lhs.getEpsilonMode() == rhs.getEpsilonMode() &&
           lhs.getNormalizedAxes() == rhs.getNormalizedAxes() &&
           lhs.getScaleDimensions() == rhs.getScaleDimensions() &&
           lhs.getStatisticsType() == rhs.getStatisticsType() &&
           lhs.getUnitOffset() == rhs.getUnitOffset() &&
           lhs.getCastBeforeScale() == rhs.getCastBeforeScale() &&
           areEqual(lhs.getScale(), rhs.getScale()) &&
           areEqual(lhs.getBias(), rhs.getBias());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void norm::populateNormOfNormPatterns(RewritePatternSet &patterns) {
  patterns.add<NormOfNorm>(patterns.getContext());
}

void norm::populateFactorBeforeNormPatterns(RewritePatternSet &patterns) {
  patterns.add<FactorBeforeNorm>(patterns.getContext());
}

void norm::populateEqualNormPatterns(RewritePatternSet &patterns) {
  patterns.add<EqualNorm>(patterns.getContext());
}

void norm::populateNormSimplifyPatterns(RewritePatternSet &patterns) {
  populateNormOfNormPatterns(patterns);
  populateFactorBeforeNormPatterns(patterns);
  populateEqualNormPatterns(patterns);
}

/// Says why a norm of a norm, or of a multiple, is left as it is.
static void explain(NormalizationOpInterface norm) {
  std::string why;
  if (auto inner = norm.getInput().getDefiningOp<NormalizationOpInterface>()) {
    compose(inner, norm, why);
    emitRemark(norm.getLoc()) << "left a norm of a norm as it is: " << why;
  } else if (auto multiple = getMultiple(norm.getInput())) {
    getEpsilonOfSource(norm, *multiple, why);
    emitRemark(norm.getLoc()) << "left a norm of a multiple as it is: " << why;
  }
}

namespace {
struct NormSimplifyPass
    : public norm::impl::NormSimplifyPassBase<NormSimplifyPass> {
  using NormSimplifyPassBase::NormSimplifyPassBase;

  void runOnOperation() final {
    auto collect = [&] {
      SmallVector<Operation *> norms;
      getOperation()->walk([&](NormalizationOpInterface norm) {
        if (!norm->use_empty())
          norms.push_back(norm);
      });
      return norms;
    };
    RewritePatternSet patterns(&getContext());
    populateNormSimplifyPatterns(patterns);
    // Nothing but the norms and what they replace is touched.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
        .enableFolding(false);
    if (failed(applyOpPatternsGreedily(collect(), std::move(patterns), config)))
      return signalPassFailure();
    for (Operation *norm : collect())
      explain(cast<NormalizationOpInterface>(norm));
  }
};
} // namespace
