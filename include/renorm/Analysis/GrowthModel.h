//===- GrowthModel.h - How a residual stream grows with depth ---*- C++ -*-===//
//
// A model of the variance v of the trunk, not a measurement of it: `norm.probe`
// measures. It knows where the norms are, what their scales are where the
// program says so, and one number about the modules, their gain k.
//
// One step of the trunk takes it from v to the sum
//
//     s = a^2 v + sum over the sublayers of b^2 B
//
// with the residual scale a, the branch scales b and the branches' variances B:
// steps are sublayers, or groups of sublayers that read the trunk together. A
// branch with an output norm has the variance that this norm gives, g^2 with
// the (root mean square) scale g. A branch without one has
//
//     initialization   B = k' if the module has an input norm, else k' v
//     trained          B = k' v
//
// where k' is the module's share of the gain of its layer. After a post norm v
// is the variance that this norm gives, without one it is s. For layers of one
// step, scales 1 and v0 = 1 that is, after L layers,
//
//                initialization   trained     amplitude Jacobian, trained
//     none       (1 + k)^L        (1 + k)^L   (1 + k)^(L/2)
//     pre        1 + k L          (1 + k)^L   (1 + k)^(L/2)
//     peri       1 + L            1 + L       (v0 / vL)^(1/2)
//     output     1 + L            1 + L       (v0 / vL)^(1/2)
//     post       1                1           (1 + k)^(-L/2)
//     deepnorm   1                1           (1 + k / alpha^2)^(-L/2)
//
// The amplitude Jacobian is the product over the steps of d(amplitude of the
// trunk after) / d(amplitude before): d sqrt(s) / d sqrt(v), and for a step
// with a post norm what the skip passes through this norm, its normalizer held
// fixed: a g / sqrt(s).
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

enum class GrowthRegime {
  /// Modules with independent random weights.
  Initialization,
  /// Modules that have learned to write in proportion to the trunk.
  Trained
};

/// "initialization" or "trained".
StringRef stringifyGrowthRegime(GrowthRegime regime);

/// A sublayer as the model sees it.
struct GrowthSublayer {
  Placement placement;
  double residualScale = 1.0, branchScale = 1.0;
  /// Variances that the output norm and the post norm give, if there are any.
  double outputVariance = 1.0, postVariance = 1.0;
  /// Numbers of the layer and of the step that the sublayer is part of; neither
  /// falls along a stack.
  unsigned layer = 0, step = 0;
};

/// The trunk at one point.
struct GrowthPoint {
  /// Of what the sublayer's add gives, and of that after the post norm.
  double sum, variance;
  /// The amplitude Jacobian from the first point to here.
  double jacobian;
};

struct GrowthModel {
  GrowthRegime regime = GrowthRegime::Trained;
  /// What the modules of one layer together add to the variance of the trunk,
  /// relative to the variance of what they read; at least 0. Its steps share it
  /// out evenly, so that (1 + k')^steps = 1 + k in a trained network and k' =
  /// k / steps at initialization, and the sublayers of a step likewise.
  double gain = 0.5;
  /// Variance of the trunk before the first sublayer; above 0.
  double initialVariance = 1.0;

  /// The points of the trunk before the first sublayer and after each.
  SmallVector<GrowthPoint> predict(ArrayRef<GrowthSublayer> sublayers) const;
};

/// A stack of `layers` equal layers, each of `sublayers` copies of `sublayer`,
/// one a step.
SmallVector<GrowthSublayer> repeatSublayer(const GrowthSublayer &sublayer,
                                           unsigned layers, unsigned sublayers);

/// The sublayers of `stream`, as often as its loop runs, if there is one; none
/// if that is unknown. The scale of a norm counts as its root mean square if it
/// is a constant, as its `norm.init` if it is an argument that has one, as 1
/// otherwise.
std::optional<SmallVector<GrowthSublayer>>
getGrowthSublayers(ResidualStream &stream);

/// What the model predicts of a stream.
struct GrowthPrediction {
  SmallVector<GrowthSublayer> sublayers;
  /// One more than there are sublayers.
  SmallVector<GrowthPoint> points;
  /// The largest |x| on the trunk, sums before a post norm included: that of
  /// independent normal deviates, sqrt(2 ln(2 n)) standard deviations for a
  /// trunk of n elements (dynamic extents count as 1). Trained models have a
  /// few "massive" activations that are hundreds of times larger (Sun et al.
  /// 2024), so that it is too low rather than too high.
  double maximum;
  /// The first layer after which, or within which, the largest |x| passes the
  /// largest finite number of the type asked about.
  std::optional<unsigned> overflowLayer;
};

/// Predicts `stream` with `model` (where the stream begins with an embedding
/// norm, the variance that this gives is the initial one), as if the trunk were
/// of type `type`. None if the length of the stream is unknown.
std::optional<GrowthPrediction>
predictGrowth(ResidualStream &stream, const GrowthModel &model, FloatType type);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_GROWTHMODEL_H
