//===- LinearMap.h - Matmuls that read a value ------------------*- C++ -*-===//
//
// Which linear maps read a value along its features: what a rewrite must know
// that folds something into their weights. Summands.h has those that write it.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_LINEARMAP_H
#define RENORM_ANALYSIS_LINEARMAP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "renorm/Analysis/DataMovement.h"
#include <string>
#include <vector>

namespace mlir::norm {

/// What is added to the result of a linear map, one number for each output
/// feature.
struct BiasAdd {
  /// The addition and its operand that holds the bias.
  Operation *op = nullptr;
  OpOperand *operand = nullptr;
  /// Where the bias comes from.
  MovedValue bias;
  /// For each dimension of the bias' root, the loop of the contraction that
  /// runs over it; -1 for a dimension of extent 1.
  SmallVector<int64_t> rootLoops;
};

/// A contraction of an activation with a weight.
struct LinearMap {
  linalg::LinalgOp op;
  OpOperand *activation = nullptr, *weight = nullptr;
  /// Where the weight comes from.
  MovedValue moved;
  /// For each dimension of the weight's root, the loop of `op` that runs over
  /// it; -1 for a dimension of extent 1, or of which the weight is a slice.
  SmallVector<int64_t> rootLoops;
  /// The loops that are summed over; and those of the weight that the
  /// activation does not have.
  SmallVector<int64_t> inputLoops, outputLoops;

  /// The loop over dimension `dim` of `operand`, or -1.
  int64_t getLoop(OpOperand &operand, int64_t dim);
  /// The dimension of the weight's root that `loop` runs over, or -1. If it is
  /// one, the loop runs over all of it, in order.
  int64_t getRootDim(int64_t loop) const;
};

/// `op` as a linear map of `activation`, one of its operands, if it is a
/// contraction of two tensors of floating-point numbers.
std::optional<LinearMap> getLinearMap(Operation *op, OpOperand &activation);

/// The bias that is added to the result of `map`, which nothing else reads, if
/// it has exactly the output features.
std::optional<BiasAdd> findBiasAdd(LinearMap &map);

/// What a dimension is made of: a row-major product of parts, of which each is
/// a dimension of the value that was followed, or none of them.
struct DimPart {
  int64_t dim = -1;
  int64_t extent = ShapedType::kDynamic;
};
using DimParts = SmallVector<DimPart, 2>;

/// Who reads a value, past moves of its elements.
struct Reader {
  /// The last use on the way.
  OpOperand *use = nullptr;
  /// The linear map that sums over the features; none if it is something else,
  /// and what, in `description`.
  std::optional<LinearMap> map;
  std::string description;
  /// Of a linear map: for each loop, what it runs over.
  SmallVector<DimParts> loops;
};

/// Follows `value` forward to all of its readers but those of its shape.
/// `features` are the dimensions of the value over which a linear map must sum.
std::vector<Reader> findReaders(Value value, ArrayRef<int64_t> features);

/// What a diagnostic calls the reader or writer `op` (null: an argument).
std::string describeOperation(Operation *op);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_LINEARMAP_H
