//===- GrowthModel.cpp - How a residual stream grows with depth -----------===//

#include "renorm/Analysis/GrowthModel.h"

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
