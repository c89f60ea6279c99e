//===- FusionGroups.h - Which operations become one kernel ------*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONGROUPS_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONGROUPS_H

#include "FusionLayout.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include <memory>
#include <vector>

namespace mlir::norm {

/// What the kernels of a target can hold of a row of a matmul's result.
struct FusionLimits {
  llvm::StringRef target;
  /// The columns of one tile, of which a kernel has the statistics.
  int64_t tileColumns;
  /// The widest group of columns, less than all, that is normalized in a tile.
  int64_t groupColumns;
  /// The widest row that is normalized as a whole.
  int64_t rowColumns;

  static FusionLimits get(FusionTarget target);
};

/// Operations of one block that become one kernel.
struct FusionGroup {
  /// The contraction, or null.
  linalg::LinalgOp root;
  /// In block order.
  llvm::SetVector<Operation *> ops;
  /// The columns of the root's result.
  int64_t columns = 0;
  /// Without a root: the rows' dimensions that norms reduce, once one does.
  std::optional<SmallVector<RowPart, 2>> reduced;
  /// Of every value that is computed in the group.
  DenseMap<Value, Layout> layouts;
  /// Of what comes from outside and is reduced.
  DenseMap<Value, Layout> reducedInputs;

  const Layout *find(Value value) const;
  /// Whether it has a root, a norm or a half of one, or a reduction:
  /// elementwise operations alone are left where they are.
  bool isKernel() const;
};

/// Partitions the operations of a block. An operation joins the group that
/// computes one of its operands if its elements stay with the tile (see
/// FusionLayout.h), and if nothing from outside of the group that it reads is
/// computed from the group: so no two groups wait for each other. Operations
/// with effects on memory, such as calls, wait for those before them.
class FusionGroups {
public:
  /// `absorbed` are applications of norms that their readers compute
  /// themselves, and that join no group.
  FusionGroups(Block &block, const FusionLimits &limits,
               const llvm::DenseSet<Operation *> &absorbed);

  /// The group of `op`, or null.
  FusionGroup *find(Operation *op) const;

  /// The groups, in the order of their first operation.
  ArrayRef<std::unique_ptr<FusionGroup>> getGroups() const { return groups; }

  /// Whether a kernel that reads the results of `op` computes them itself:
  /// what is absorbed, the merging of statistics, and reshapes of these.
  bool isAbsorbed(Operation *op) const { return absorbed.contains(op); }

  /// Why the norm or half of one `op` is in no group with a root, or why the
  /// contraction `op` is the root of none; empty if it is, or if no operand of
  /// the norm is computed in one.
  std::string getRefusal(Operation *op) const { return refusals.lookup(op); }

private:
  void assign(Operation *op);
  void start(Operation *op);
  bool join(Operation *op, FusionGroup &group);
  /// The layouts of the results of `op` in `group`, with those of what is
  /// reduced taken to `reduced`.
  std::optional<SmallVector<Layout, 1>>
  infer(Operation *op, FusionGroup &group,
        std::optional<SmallVector<RowPart, 2>> &reduced);
  bool canReduce(Operation *op, const Layout &layout, ArrayRef<int64_t> axes,
                 FusionGroup &group,
                 std::optional<SmallVector<RowPart, 2>> &reduced);
  /// The operations that compute what `op` reads, past what is absorbed.
  void collectSources(Operation *op, llvm::SetVector<Operation *> &sources);
  /// Whether one of `ops`, which `reader` reads, is computed from `group`, and
  /// is not in it.
  bool isComputedFrom(const FusionGroup &group,
                      const llvm::SetVector<Operation *> &ops,
                      Operation *reader);

  Block &block;
  const FusionLimits &limits;
  /// Of operations with effects on memory: the next one, which stays behind.
  DenseMap<Operation *, Operation *> nextEffect;
  llvm::DenseSet<Operation *> absorbed;
  std::vector<std::unique_ptr<FusionGroup>> groups;
  DenseMap<Operation *, FusionGroup *> groupOf;
  DenseMap<Operation *, std::string> refusals;
};

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_FUSIONGROUPS_H
