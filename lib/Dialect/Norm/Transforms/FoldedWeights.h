//===- FoldedWeights.h - Weights that a norm's affine part is in *- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_FOLDEDWEIGHTS_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_FOLDEDWEIGHTS_H

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "renorm/Analysis/LinearMap.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include <map>

namespace mlir::norm {

/// A linear map that reads `norm(x) * scale + bias`, and so is one of
/// `norm(x)`.
struct FoldedMap {
  LinearMap map;
  /// A loop of the map that sums over dimensions of scale and bias.
  struct FeatureLoop {
    int64_t loop;
    /// What it runs over: `dim` is the dimension of scale and bias, or -1 where
    /// they are the same for all (one scale for every head, merged).
    DimParts parts;
  };
  /// All of them, in the order of the dimensions of scale and bias if each has
  /// a loop of its own; none if scale and bias have rank 0.
  SmallVector<FeatureLoop> features;
  /// Where the norm's bias goes; if there is none, an addition is made.
  std::optional<BiasAdd> biasAdd;

  /// The dimensions of the weight's root that `features` run over.
  SmallVector<int64_t> getFeatureDims() const;
  /// The dimensions of the weight's root that are not summed over, in the order
  /// of the bias' dimensions.
  SmallVector<int64_t> getOutputDims() const;
};

/// Erases what computes `value`, as far as nothing reads it.
void eraseUnread(Value value);

/// Makes the weights and biases of linear maps, each once, where a function
/// begins: as constants computed in f64 and rounded once if all they are made
/// of is constant, else by operations in f32 (or f64), rounded once.
class FoldedWeights {
public:
  explicit FoldedWeights(FunctionOpInterface function);

  /// diag(scale) W, of the type of the weight's root; its root if the norm has
  /// no scale. Null if a constant would be infinite.
  Value getWeight(const FoldedMap &folded, NormalizationOpInterface norm);

  /// c + bias W: of the type of c, the linear map's own bias; or of its
  /// result's element type if it has none. Null if a constant would be
  /// infinite.
  Value getBias(const FoldedMap &folded, NormalizationOpInterface norm);

  /// Erases what nothing reads; gives what is computed by operations.
  SmallVector<Value> finish();

private:
  Value createWeight(const FoldedMap &folded, NormalizationOpInterface norm);
  Value createBias(const FoldedMap &folded, NormalizationOpInterface norm);
  /// Scale or bias as a tensor with one dimension for each of the features'
  /// loops (or of rank 0).
  Value spread(const FoldedMap &folded, Value parameter, Location loc);
  /// `parameter`, and what moves it, where the function begins.
  Value getAtEntry(Value parameter);
  Value materialize(ElementsAttr elements, Location loc);

  OpBuilder builder;
  /// What a weight or bias is made of: values, dimensions, type.
  using Key = std::tuple<SmallVector<const void *, 4>, SmallVector<int64_t, 6>>;
  std::map<Key, Value> made;
  IRMapping atEntry;
  SmallVector<Value> computed;
};

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_FOLDEDWEIGHTS_H
