//===- ProjectionPath.h - From an attention to a projection -----*- C++ -*-===//
//
// What lies between the query or key of an attention and the projection that it
// comes from: reshapes, transposes, the repeats of grouped queries, biases,
// rotary position embeddings, and the norms of QK-Norm.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_PROJECTIONPATH_H
#define RENORM_ANALYSIS_PROJECTIONPATH_H

#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include <optional>

namespace mlir::norm {

/// Where the heads are in a value on the way to an attention.
struct HeadLayout {
  /// The dimensions along which heads and head_dim run. Before the heads are
  /// split, both run along one.
  SmallVector<int64_t, 2> heads, headDim;
  /// The number of heads: less than the attention has if they are repeated on
  /// the way. May be dynamic.
  int64_t headCount = 0;

  bool operator==(const HeadLayout &other) const {
    return heads == other.heads && headDim == other.headDim &&
           headCount == other.headCount;
  }
};

/// The values that every way from an attention's operand back to its projection
/// passes, beginning with the operand.
struct ProjectionPath {
  /// How a point is computed from the next one, which is nearer to the
  /// projection.
  enum class Step {
    /// Its elements have another place. Each occurs at most once.
    Move,
    /// Its elements have another place and some occur more than once: the
    /// keys of grouped queries.
    Repeat,
    /// Its elements have another floating-point type.
    Cast,
    /// Its elements are multiplied by one constant.
    Factor,
    /// Each element is computed from one of the next point, in another way: a
    /// bias, a clip; or the point is a part of the next (of a projection to
    /// query, key and value together).
    Elementwise,
    /// Its elements are sums of elements of the next point, multiplied by what
    /// does not depend on it, from dimension to dimension: a rotary embedding.
    Rotation,
    /// Another computation.
    Unknown
  };
  struct Point {
    Value value;
    /// None from the first step on that is Elementwise or Unknown.
    std::optional<HeadLayout> layout;
  };
  SmallVector<Point> points;
  /// Step i is from point i + 1 to point i.
  SmallVector<Step> steps;
  /// Whether step i combines values computed from point i + 1.
  SmallVector<bool> mixing;
  /// Whether values that are computed from one meet behind the last point.
  bool mixesBehind = false;
  /// Whether the ways end at contractions or norms only.
  bool isProjected = true;
  /// The norm that the last point is the result of, if it is; else null.
  NormalizationOpInterface norm;

  /// Whether values computed from the last point are combined on the way.
  bool mixes() const { return llvm::is_contained(mixing, true); }
  /// The layout of the last point if all steps are moves or repeats.
  const HeadLayout *getMovedLayout() const;
};

/// Follows `value`, whose heads are where `layout` says, back to norms and
/// contractions. What does not depend on what `module` begins with (tables of a
/// rotary embedding) is passed by, unless `value` does not either (keys of a
/// cross-attention) or `module` is null; then what comes from no norm or
/// contraction is. Visits each operation on the way once.
ProjectionPath traceProjection(Value value, std::optional<HeadLayout> layout,
                               const BranchSlice *module);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_PROJECTIONPATH_H
