//===- DeepNorm.h - The constants of DeepNorm -------------------*- C++ -*-===//
//
// DeepNorm (Wang et al. 2022, "DeepNet: Scaling Transformers to 1,000 Layers")
// is Post-LN with the skip multiplied by alpha, and with some weights
// initialized with the gain beta: those of the feed-forward sublayers, and of
// the value and output projections of the attentions. Query and key projections
// have a gain of 1.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_DEEPNORM_H
#define RENORM_ANALYSIS_DEEPNORM_H

#include "renorm/Analysis/LinearMap.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"

namespace mlir::norm {

/// What a stack is in its architecture.
enum class StackRole {
  /// The only stack: an encoder or a decoder.
  Single,
  /// One of two: the other is a decoder that attends to this one.
  Encoder,
  /// One of two, with cross-attention.
  Decoder
};

struct DeepNormConstants {
  double alpha, beta;
};

/// The paper's table (its figure 2), for N = `layers` layers of the stack and,
/// if it is an encoder, M = `decoderLayers` of its decoder; both at least 1:
///
///     single    (2N)^(1/4)              (8N)^(-1/4)
///     encoder   0.81 (N^4 M)^(1/16)     0.87 (N^4 M)^(-1/16)
///     decoder   (3N)^(1/4)              (12N)^(-1/4)
DeepNormConstants getDeepNormConstants(StackRole role, uint64_t layers,
                                       uint64_t decoderLayers = 1);

/// The weights of one branch, as far as they are understood.
struct DeepNormWeights {
  /// The linear maps whose weights, all of them parameters, have the gain beta.
  std::vector<LinearMap> maps;
  /// Operations that should be among them, but cannot, and why.
  SmallVector<std::pair<Operation *, std::string>> obstacles;
};

/// The weights of the module of `sublayer`. In a feed-forward they are those of
/// all linear maps; the values of an attention are followed back to the linear
/// maps that give them, its result forward to those that read it.
DeepNormWeights findDeepNormWeights(Sublayer &sublayer);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_DEEPNORM_H
