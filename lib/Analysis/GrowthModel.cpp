//===- GrowthModel.cpp - How a residual stream grows with depth -----------===//

#include "renorm/Analysis/GrowthModel.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

StringRef norm::stringifyGrowthLaw(GrowthLaw law) {
  switch (law) {
  case GrowthLaw::Bounded:
    return "bounded";
  case GrowthLaw::Linear:
    return "linear";
  case GrowthLaw::Multiplicative:
    return "multiplicative";
  }
  llvm_unreachable("unknown growth law");
}

/// The law of a sublayer without a post norm.
static GrowthLaw getGrowthLaw(Sublayer &sublayer) {
  if (!sublayer.outputNorm)
    return GrowthLaw::Multiplicative;
  double scale = std::abs(sublayer.add.getResidualScale().convertToDouble());
  if (scale == 1.0)
    return GrowthLaw::Linear;
  return scale < 1.0 ? GrowthLaw::Bounded : GrowthLaw::Multiplicative;
}

GrowthLaw norm::getGrowthLaw(ResidualStream &stream) {
  GrowthLaw worst = GrowthLaw::Bounded;
  MutableArrayRef<Sublayer> rest = stream.sublayers;
  while (!rest.empty()) {
    auto layer = rest.take_while([&](const Sublayer &sublayer) {
      return sublayer.layer == rest.front().layer;
    });
    rest = rest.drop_front(layer.size());
    if (llvm::any_of(layer, [](Sublayer &s) { return s.postNorm != nullptr; }))
      continue;
    for (Sublayer &sublayer : layer)
      worst = std::max(worst, ::getGrowthLaw(sublayer));
  }
  return worst;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

StringRef norm::stringifyGrowthRegime(GrowthRegime regime) {
  switch (regime) {
  case GrowthRegime::Initialization:
    return "initialization";
  case GrowthRegime::Trained:
    return "trained";
  }
  llvm_unreachable("unknown growth regime");
}

/// The number of steps in `sublayers`.
static unsigned countSteps(ArrayRef<GrowthSublayer> sublayers) {
  unsigned count = 1;
  for (auto [previous, next] :
       llvm::zip(sublayers, llvm::drop_begin(sublayers)))
    count += previous.step != next.step;
  return count;
}

/// Appends the points after the sublayers of one step, which share `gain`.
static void predictStep(ArrayRef<GrowthSublayer> step, double gain,
                        GrowthRegime regime,
                        SmallVectorImpl<GrowthPoint> &points) {
  const GrowthPoint before = points.back();
  double v = before.variance;
  double share = gain / step.size();
  // The sum, the part of it that is proportional to v, and the factor that the
  // skip has had so far.
  double sum = v, following = v, skip = 1.0;
  for (const GrowthSublayer &sublayer : step) {
    double a = sublayer.residualScale, b = sublayer.branchScale;
    bool follows =
        !sublayer.placement.output &&
        (regime == GrowthRegime::Trained || !sublayer.placement.input);
    double branch = sublayer.placement.output ? sublayer.outputVariance
                    : follows                 ? share * v
                                              : share;
    sum = a * a * sum + b * b * branch;
    following = a * a * following + (follows ? b * b * branch : 0.0);
    skip *= std::abs(a);
    if (sublayer.placement.post)
      points.push_back(
          {sum, sublayer.postVariance,
           before.jacobian * skip * std::sqrt(sublayer.postVariance / sum)});
    else
      points.push_back(
          {sum, sum,
           before.jacobian * following / (std::sqrt(v) * std::sqrt(sum))});
  }
}

SmallVector<GrowthPoint>
GrowthModel::predict(ArrayRef<GrowthSublayer> sublayers) const {
  SmallVector<GrowthPoint> points = {{initialVariance, initialVariance, 1.0}};
  auto takeWhileEqual = [](ArrayRef<GrowthSublayer> rest, auto member) {
    return rest.take_while([&](const GrowthSublayer &sublayer) {
      return sublayer.*member == rest.front().*member;
    });
  };
  while (!sublayers.empty()) {
    auto layer = takeWhileEqual(sublayers, &GrowthSublayer::layer);
    sublayers = sublayers.drop_front(layer.size());
    unsigned steps = countSteps(layer);
    double stepGain = regime == GrowthRegime::Trained
                          ? std::expm1(std::log1p(gain) / steps)
                          : gain / steps;
    while (!layer.empty()) {
      auto step = takeWhileEqual(layer, &GrowthSublayer::step);
      layer = layer.drop_front(step.size());
      predictStep(step, stepGain, regime, points);
    }
  }
  return points;
}

SmallVector<GrowthSublayer> norm::repeatSublayer(const GrowthSublayer &sublayer,
                                                 unsigned layers,
                                                 unsigned sublayers) {
  SmallVector<GrowthSublayer> stack(static_cast<size_t>(layers) * sublayers,
                                    sublayer);
  for (auto [index, each] : llvm::enumerate(stack)) {
    each.layer = index / sublayers;
    each.step = index;
  }
  return stack;
}

//===----------------------------------------------------------------------===//
// Of a stream
//===----------------------------------------------------------------------===//

/// The mean of the squares of what `norm` multiplies by, as far as the program
/// tells; else 1.
static double getSquaredScale(NormalizationOpInterface norm) {
  Value scale = norm.getScale();
  double offset = norm.getUnitOffset() ? 1.0 : 0.0;
  if (!scale)
    return 1.0;
  DenseFPElementsAttr elements;
  if (matchPattern(scale, m_Constant(&elements)) &&
      elements.getNumElements() > 0) {
    double squares = 0.0;
    for (const APFloat &element : elements)
      squares += std::pow(offset + element.convertToDouble(), 2);
    return squares / elements.getNumElements();
  }
  if (auto argument = dyn_cast<BlockArgument>(scale))
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      if (auto init = function.getArgAttrOfType<FloatAttr>(
              argument.getArgNumber(), kInitAttrName))
        return std::pow(offset + init.getValueAsDouble(), 2);
  return 1.0;
}

/// The variance of what `norm` gives; 1 if there is none. A vector of n
/// elements and length 1 has mean square 1/n.
static double getVariance(NormalizationOpInterface norm) {
  if (!norm)
    return 1.0;
  double variance = getSquaredScale(norm);
  if (norm.getNormKind() == NormKind::L2)
    for (int64_t axis : norm.getNormalizedAxes()) {
      int64_t extent = norm.getInput().getType().getDimSize(axis);
      if (!ShapedType::isDynamic(extent) && extent > 0)
        variance /= extent;
    }
  return variance;
}

std::optional<SmallVector<GrowthSublayer>>
norm::getGrowthSublayers(ResidualStream &stream) {
  // More sublayers than any stack has, and few enough to hold in memory.
  constexpr uint64_t limit = 1 << 20;
  std::optional<uint64_t> count = stream.getTripCount();
  if (!count || *count > limit / stream.sublayers.size())
    return std::nullopt;

  SmallVector<GrowthSublayer> sublayers;
  unsigned layers = stream.sublayers.back().layer + 1, step = 0;
  for (uint64_t iteration = 0; iteration < *count; ++iteration)
    for (auto [index, sublayer] : llvm::enumerate(stream.sublayers)) {
      bool sharesStep =
          index > 0 && sublayer.parallelGroup &&
          sublayer.parallelGroup == stream.sublayers[index - 1].parallelGroup;
      step += !sharesStep;
      sublayers.push_back(
          {sublayer.getPlacement(),
           sublayer.add.getResidualScale().convertToDouble(),
           sublayer.add.getBranchScale().convertToDouble(),
           getVariance(sublayer.outputNorm), getVariance(sublayer.postNorm),
           static_cast<unsigned>(iteration) * layers + sublayer.layer, step});
    }
  return sublayers;
}

/// The largest |x| of n independent normal deviates, in standard deviations: an
/// upper bound of its mean that is close for large n.
static double getLargestDeviate(double n) {
  return std::sqrt(2.0 * std::log(2.0 * n));
}

std::optional<GrowthPrediction> norm::predictGrowth(ResidualStream &stream,
                                                    const GrowthModel &model,
                                                    FloatType type) {
  std::optional<SmallVector<GrowthSublayer>> sublayers =
      getGrowthSublayers(stream);
  if (!sublayers)
    return std::nullopt;
  GrowthModel begun = model;
  if (stream.embeddingNorm)
    begun.initialVariance = getVariance(stream.embeddingNorm);

  GrowthPrediction prediction;
  prediction.points = begun.predict(*sublayers);
  prediction.sublayers = std::move(*sublayers);
  double elements = 1.0;
  for (int64_t extent : cast<ShapedType>(stream.source.getType()).getShape())
    elements *=
        ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
  double factor = getLargestDeviate(elements);
  double limit =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  prediction.maximum = 0.0;
  for (auto [index, point] : llvm::enumerate(prediction.points)) {
    double maximum = factor * std::sqrt(std::max(point.sum, point.variance));
    prediction.maximum = std::max(prediction.maximum, maximum);
    if (maximum > limit && !prediction.overflowLayer)
      prediction.overflowLayer =
          index == 0 ? 0 : prediction.sublayers[index - 1].layer;
  }
  return prediction;
}
