//===- DataMovement.h - Values whose elements only moved --------*- C++ -*-===//
//
// Follows values through operations that move elements and compute nothing:
// transposes, broadcasts, reshapes, slices and copies. Casts between
// floating-point types count as such: who asks accepts another rounding.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_DATAMOVEMENT_H
#define RENORM_ANALYSIS_DATAMOVEMENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::norm {

/// Dimensions of the source of a move and of its result that stand for the same
/// elements, each list a row-major product. A broadcast dimension has no
/// source; a dropped one no result. Dimensions of extent 1 that a reshape adds
/// or removes are groups of their own.
struct DimGroup {
  SmallVector<int64_t, 2> source, result;
  /// Whether all of the source's elements are read, in order.
  bool whole = true;
};

/// An operation that only moves (and perhaps casts) the elements of an operand.
struct Move {
  OpOperand *source = nullptr;
  Value result;
  /// Every dimension of source and result is in one group.
  SmallVector<DimGroup> groups;
};

/// `op` as a move, if it is one.
std::optional<Move> getMove(Operation *op);

/// A value seen as `root` after some moves. The root is as far back as each of
/// its dimensions stays a dimension of the value, or is none of them.
struct MovedValue {
  /// Which dimension of the root a dimension of the value is.
  struct Dim {
    /// -1 where the value is broadcast or has extent 1.
    int64_t root = -1;
    /// Whether all of the root's dimension is read, in order.
    bool whole = true;
  };

  Value root;
  /// From the root to the value.
  SmallVector<Operation *> moves;
  /// For each dimension of the value.
  SmallVector<Dim> dims;

  /// Whether the root is a constant, an immutable global or an argument of a
  /// function.
  bool isParameter() const;

  /// The same moves of `newRoot`, which has the type of the root. They are
  /// inserted at the builder's insertion point.
  Value rebuild(OpBuilder &builder, Value newRoot) const;
};

/// Whether `op` gives the same elements in the same order another shape, or
/// another static type.
bool isReshape(Operation *op);

/// The value that `value` is a reshape of, or `value` itself.
Value stripReshapes(Value value);

/// Whether `op` only moves elements of a parameter (see `isParameter`).
bool movesParameter(Operation *op);

/// Follows `value`, a ranked tensor, backward through moves.
MovedValue traceMoves(Value value);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_DATAMOVEMENT_H
