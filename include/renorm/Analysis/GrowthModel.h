//===- GrowthModel.h - How a residual stream grows with depth ---*- C++ -*-===//
//
// A model of the variance v of the trunk, not a measurement of it: `norm.probe`
// measures.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_GROWTHMODEL_H
#define RENORM_ANALYSIS_GROWTHMODEL_H

#include "renorm/Analysis/ResidualStreamAnalysis.h"

namespace mlir::norm {

/// How the variance of the trunk of a trained network grows with the number of
/// layers, from best to worst.
enum class GrowthLaw { Bounded, Linear, Multiplicative };

/// "bounded", "linear" or "multiplicative".
StringRef stringifyGrowthLaw(GrowthLaw law);

/// The law of the worst layer of `stream`. A layer with a post norm is bounded:
/// it resets the trunk. Any other has the law of its worst sublayer, with
/// module gain k and residual scale a (1 but for DeepNorm):
///
///   no output norm   v -> (a^2 + k) v   multiplicative (pre, none)
///   output norm      v -> a^2 v + c     linear for |a| = 1 (peri, output),
///                                       bounded below, multiplicative above
GrowthLaw getGrowthLaw(ResidualStream &stream);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_GROWTHMODEL_H
