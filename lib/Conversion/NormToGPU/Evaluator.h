//===- Evaluator.h - A group's values in registers --------------*- C++ -*-===//
//
// Generates what a thread computes of a group, operation by operation and
// element by element, on demand. An epilogue, a prologue and a kernel without a
// root differ in which elements a thread has, and in what is given.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_EVALUATOR_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_EVALUATOR_H

#include "Fragment.h"
#include "GroupPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::norm::kernel {

/// The values of a group that a kernel gets from its caller.
struct KernelInputs {
  /// One for each input of the group: a memref of its first element, or a
  /// number.
  SmallVector<Value> values;
  /// One for each symbol of the group's extents, and the number of the batch.
  SmallVector<Value> symbols;

  void setBatch(Value batch) { symbols.back() = batch; }
};

/// Statistics of each row of a tile in shared memory, at `offset` plus 4 times
/// the row's place.
struct SharedStatistics {
  MergeStatsOp op;
  AffineMap indices;
  SmallVector<int64_t> offsets;
};

/// Merges statistics, one row a thread, for the rows from `firstRow` to
/// `rowCount`, into shared memory.
SmallVector<SharedStatistics> mergeStatistics(KernelBuilder &b, GroupPlan &plan,
                                              ArrayRef<GroupPlan::Merge> merges,
                                              const KernelInputs &inputs,
                                              Value firstRow, Value rowCount,
                                              int64_t tileRows);

class Evaluator {
public:
  Evaluator(KernelBuilder &b, GroupPlan &plan, const KernelInputs &inputs,
            Fragment &fragment)
      : b(b), plan(plan), inputs(inputs), fragment(fragment) {}

  void setMergedStatistics(ArrayRef<SharedStatistics> statistics) {
    merged = statistics;
  }
  /// The sums that the root computed, as f32: for each row, the elements of its
  /// columns.
  void setAccumulators(ValueRange sums) { accumulators = sums; }

  /// The element `indices` of `tensor` at the row and column of `position`, in
  /// the tensor's type. Where that lies outside, an element that is inside.
  Value at(Value tensor, AffineMap indices, Position position);

  /// Forgets what depends on columns, which have changed.
  void forgetColumns() { elements.clear(); }
  void forgetRows() {
    rows.clear();
    elements.clear();
  }

  /// Writes `tensor` to the memory behind `buffer`.
  struct Output {
    Value tensor;
    GroupPlan::Result place;
    Value buffer;
  };
  void store(ArrayRef<Output> outputs);

private:
  using Key = std::tuple<Value, AffineMap, unsigned>;

  /// Where memory for `key` is kept: with rows or with elements.
  Value &slot(Value value, AffineMap indices, Position position);
  /// The place of an element in a row of the thread.
  unsigned columnOf(Position p) const {
    return p.chunk * fragment.shape.width + p.place;
  }

  Value load(unsigned input, AffineMap indices, Position position);
  Value evaluate(OpResult value, AffineMap indices, Position position);
  Value evaluateRoot(OpResult value, AffineMap indices, Position position);
  /// `wanted`, a value of the body of `op`, where its loops are `loops`.
  Value evaluateBody(linalg::LinalgOp op, Value wanted, AffineMap loops,
                     Position position);
  /// Of a tensor that is an input, the element at computed `indices`.
  Value evaluateExtract(tensor::ExtractOp op, ValueRange indices);
  /// What `op` reduces the row of `position` to.
  Value evaluateRowReduction(linalg::LinalgOp op, AffineMap indices,
                             Position position);
  SmallVector<Value> reduceRows(linalg::LinalgOp op, AffineMap indices);
  Value evaluateResidualAdd(ResidualAddOp op, AffineMap indices,
                            Position position);
  Value evaluateNorm(NormalizationOpInterface op, AffineMap indices,
                     Position position);
  Value evaluateApply(ApplyStatsOp op, AffineMap indices, Position position);
  Value evaluateElementwise(Operation *op, AffineMap indices,
                            Position position);
  /// Of operands that are next to each other, one.
  Value evaluateConcat(tensor::ConcatOp op, AffineMap indices,
                       Position position);
  /// The element `indices` of `tensor`, which another thread of the row has.
  /// All threads must be here.
  Value exchange(Value tensor, AffineMap indices, Position position);
  /// Leaves the elements of `row` of an exchanged tensor in shared memory.
  void stage(Value tensor, unsigned row);
  /// The byte of shared memory of an element at a place of the row.
  Value stagedOffset(Value tensor, Value place);
  /// A number that is an input or a constant.
  Value scalar(Value value);

  /// The mean, what its rounding lost, and the power of a group of columns. The
  /// mean is null for a kind that does not center.
  struct Statistics {
    Value mean, rest, power;
  };
  Statistics statistics(const Reduction &reduction, Position position);
  SmallVector<Statistics> computeStatistics(const Reduction &reduction);
  /// A function of an element, as f32, and of its group's number.
  using Term = llvm::function_ref<Value(Value, unsigned)>;
  /// What this thread has of the sums over the groups of `row`, in `partials`.
  void sumRow(const Reduction &reduction, unsigned row, Term term,
              MutableArrayRef<Value> partials);
  /// The sums over each group.
  SmallVector<Value> sumOver(const Reduction &reduction, Term term);
  /// What this thread has of the sums that need no other: of the elements, or
  /// of their squares.
  MutableArrayRef<Value> firstSums(const Reduction &reduction);
  void sumRowFirst(const Reduction &reduction, unsigned row);
  /// How many columns of the tile are reduced together: all of them, where that
  /// are all columns there are.
  int64_t spanOf(const Reduction &reduction) const;
  /// How many columns the group of `chunk` has.
  Value groupExtent(const Reduction &reduction, unsigned chunk);

  /// 1 / normalizer, kept for the row, or the row's group, of `position`.
  Value reciprocal(Operation *op, AffineMap rowIndices, Value power,
                   double epsilon, EpsilonMode mode, Position position);
  /// What a norm does with its statistics; see Normalization::result.
  struct Affine {
    Value mean, rest, reciprocal, columnSums, scale, bias;
    bool unitOffset, castBeforeScale;
  };
  Value normalize(Value x, const Affine &affine, FloatType type);

  /// The number of the element `indices` of `tensor`.
  Value offset(Value tensor, AffineMap indices, Position position);
  void storeChunk(const Output &output, unsigned row, unsigned chunk);
  /// Writes what all columns of a row, or of a group of them, share.
  void storeRows(const Output &output);

  KernelBuilder &b;
  GroupPlan &plan;
  const KernelInputs &inputs;
  Fragment &fragment;
  ArrayRef<SharedStatistics> merged;
  SmallVector<Value> accumulators;

  /// Where exchanged elements are in shared memory, once there are some, and
  /// the tensor and the number of the row that they are of.
  std::optional<int64_t> stagingBase;
  std::pair<Value, unsigned> staged;

  DenseMap<Key, Value> rows, elements;
  /// By row and group of columns.
  using ReductionKey = std::tuple<Value, AffineMap, int64_t, unsigned>;
  static ReductionKey keyOf(const Reduction &reduction) {
    return {reduction.input, reduction.indices, reduction.columns,
            static_cast<unsigned>(reduction.kind)};
  }
  DenseMap<ReductionKey, SmallVector<Statistics>> reduced;
  /// Of linalg's reductions, one number for each row.
  DenseMap<std::pair<Operation *, AffineMap>, SmallVector<Value>> reducedRows;
  DenseMap<ReductionKey, SmallVector<Value>> first;
  DenseMap<std::tuple<Operation *, AffineMap, unsigned>, Value> reciprocals;
};

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_EVALUATOR_H
