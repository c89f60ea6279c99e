//===- DeepNorm.h - What a conversion to DeepNorm sets ----------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEEPNORM_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEEPNORM_H

#include "PlacementPlan.h"
#include "renorm/Analysis/DeepNorm.h"

namespace mlir::norm {

/// What a stack is given; no beta, if the weights are to keep their gain.
struct DeepNormFactors {
  double alpha;
  std::optional<double> beta;
};

/// The stacks of a module, of which each gets its factors by its own and the
/// others' layers.
class DeepNormStacks {
public:
  explicit DeepNormStacks(const PlacementOptions &options) : options(options) {}

  /// All functions must have been added before factors are asked for.
  void add(MutableArrayRef<ResidualStream> functionStreams);

  /// Fails, with the reason in `why`, where roles or numbers of layers are not
  /// known.
  FailureOr<DeepNormFactors> getFactors(ResidualStream &stream,
                                        std::string &why) const;

private:
  /// The streams of a function: those with cross-attention and the others.
  struct Function {
    SmallVector<ResidualStream *> decoders, others;
  };
  FailureOr<uint64_t> countLayers(ResidualStream &stream, uint64_t given,
                                  StringRef option, std::string &why) const;
  FailureOr<StackRole> findRole(ResidualStream &stream, std::string &why) const;
  FailureOr<uint64_t> countDecoderLayers(ResidualStream &encoder,
                                         std::string &why) const;

  const PlacementOptions &options;
  std::vector<Function> functions;
  /// The index of a stream's function.
  llvm::DenseMap<ResidualStream *, size_t> functionOf;
};

/// The weights of a sublayer that DeepNorm gives the gain beta, found before
/// the conversion.
struct SublayerWeights {
  Sublayer *sublayer;
  DeepNormWeights weights;
};

/// Records `beta` as `norm.init_gain` of the weights that are arguments, which
/// nothing else may read; with `scaleWeights`, multiplies constants by it. What
/// is left out is said in remarks, or, if `strict`, is an error.
LogicalResult setInitGain(ArrayRef<SublayerWeights> sublayers, double beta,
                          bool scaleWeights, bool strict);

/// Takes `norm.init_gain` from the weights of `sublayers` but for those that
/// `kept` have as well.
void eraseInitGain(ArrayRef<SublayerWeights> sublayers,
                   ArrayRef<SublayerWeights> kept);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEEPNORM_H
