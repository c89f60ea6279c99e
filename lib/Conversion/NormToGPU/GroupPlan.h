//===- GroupPlan.h - What a kernel for a group computes ---------*- C++ -*-===//
//
// The region of a norm.fusion, read as functions of a row and a column. Every
// refusal is here: what has a plan can be built.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_GROUPPLAN_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_GROUPPLAN_H

#include "Indexing.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

namespace mlir::norm::kernel {

/// Where the elements of each operand of `op` are that element `indices` of
/// result number `result` is computed of; null for an operand that isn't read.
/// Empty if `op` is not computed element by element.
std::optional<SmallVector<AffineMap>> operandMaps(Operation *op,
                                                  unsigned result,
                                                  AffineMap indices,
                                                  const Extents &extents);

/// Where the element `indices` of the source of a tensor.expand_shape or
/// collapse_shape is in its result.
std::optional<AffineMap> reshapedMap(Operation *op, AffineMap indices,
                                     const Extents &extents);

/// The column whose element of a tensor is at `indices`, where that of each row
/// and column is at `own`. It is in the same group of `group` columns; 0 if
/// that are all. Empty if it is not in the same row, or `own` is not
/// understood.
std::optional<AffineExpr> exchangedColumn(AffineMap own, AffineMap indices,
                                          int64_t &group);

/// The indices of the loops of `op` that write element `indices` of its result
/// number `result`. Empty unless all loops are parallel and each writes an
/// element of its own.
std::optional<AffineMap> loopIndices(linalg::LinalgOp op, unsigned result,
                                     AffineMap indices);

/// The same for an operation that reduces whole rows of `columns` elements to
/// one: its reduction loops go through the columns. Empty if they do not.
std::optional<AffineMap> reducingLoopIndices(linalg::LinalgOp op,
                                             AffineMap indices,
                                             const Extents &extents,
                                             int64_t columns);

/// Where the elements of each operand of `op` are that it reads where its loops
/// have the indices `loops`; null for one that isn't read, or a number.
SmallVector<AffineMap> readMaps(linalg::LinalgOp op, AffineMap loops);

/// The tensor that `tensor` is a view of, and which of its elements element
/// `indices` is.
std::pair<Value, AffineMap> lookThroughViews(Value tensor, AffineMap indices,
                                             const Extents &extents);

/// Statistics of groups of `columns` consecutive columns.
struct Reduction {
  NormKind kind;
  Value input;
  /// Where the elements of the input are.
  AffineMap indices;
  int64_t columns;
};

/// The statistics that a norm, or a norm.row_stats, computes for the element
/// `indices` of its result, in a space of `columns` columns. Empty if they are
/// not of columns of the kernel.
std::optional<Reduction> reductionOf(Operation *op, AffineMap indices,
                                     const Extents &extents, int64_t columns);

/// An operand of the root as a matrix. Its rows are d0 and its columns d1 in
/// `indices`; elements that are next to each other in a row are in memory,
/// where the operand allows that.
struct MatrixOperand {
  Value tensor;
  AffineMap indices;
  /// Whether the columns of the matrix are the root's reduction.
  bool reducesColumns;
};

struct GroupPlan {
  FusionOp fusion;
  Extents extents;
  /// How many matrices the root multiplies with matrices of their own.
  AffineExpr batches;
  /// How many rows and columns the result of the root has in each batch, or,
  /// without a root, what is normalized.
  AffineExpr rows;
  int64_t columns = 0;
  /// A result: the element that is at a row and column, and whether all columns
  /// of a row share one.
  struct Result {
    AffineMap indices;
    bool isOfRows;
  };
  SmallVector<Result> results;
  /// All that is reduced along columns.
  SmallVector<Reduction> reductions;
  /// Whether whole rows are reduced to what linalg operations make of them.
  bool reducesRows = false;
  /// Values of which a thread reads what others have, and where the element of
  /// each row and column is.
  DenseMap<Value, AffineMap> exchanged;
  /// Groups of columns that are not read from outside; see `exchangedColumn`.
  SmallVector<int64_t> exchangedGroups;
  /// Merged statistics that the kernel needs, each with the row's indices: to
  /// load the left-hand side, and to compute the results.
  using Merge = std::pair<MergeStatsOp, AffineMap>;
  SmallVector<Merge> leftMerges, merges;

  /// Null for a kernel that goes through rows.
  linalg::LinalgOp root;
  AffineMap rootIndices;
  MatrixOperand a, b;
  /// The extent of the root's reduction.
  int64_t depth = 0;

  explicit GroupPlan(FusionOp fusion) : fusion(fusion), extents(fusion) {}

  /// Whether there can be more than one batch.
  bool isBatched() const { return root && batches != 1; }

  /// The type of the elements that a root multiplies.
  FloatType getOperandType();
};

/// Reads `fusion`. Fails with a remark that says what a kernel can't do.
FailureOr<GroupPlan> planGroup(FusionOp fusion);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_GROUPPLAN_H
