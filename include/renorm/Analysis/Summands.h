//===- Summands.h - The terms that a value is the sum of --------*- C++ -*-===//
//
// Which linear maps, biases and tables write a value along its features: what a
// rewrite must know that changes their weights.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_SUMMANDS_H
#define RENORM_ANALYSIS_SUMMANDS_H

#include "renorm/Analysis/LinearMap.h"

namespace mlir::norm {

/// One of the terms whose sum is a value.
struct Summand {
  enum class Kind {
    /// The result of `map`, whose weight is a parameter.
    LinearMap,
    /// A parameter, read through `operand`: a bias.
    Parameter,
    /// Rows of a table, a parameter, picked by an index.
    Lookup,
    /// What is not understood.
    Other
  } kind = Kind::Other;
  /// What computes the term (of a parameter: what reads it); null for an
  /// argument that is not understood.
  Operation *op = nullptr;
  std::optional<LinearMap> map;
  /// The use of the weight, bias or table, where it comes from, and which
  /// dimension of its root holds the features of the sum, all of them.
  OpOperand *operand = nullptr;
  MovedValue parameter;
  int64_t rootDim = -1;
  /// A value between the term and the sum that something else reads as well.
  Value escaping;
};

/// The terms whose sum is `value`, along its dimension `feature`: through
/// additions, moves, and multiplications with what is the same for all
/// features. Terms that are zero are left out.
std::vector<Summand> findSummands(Value value, int64_t feature);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_SUMMANDS_H
