//===- TensorExpr.h - Tensor IR seen as expressions -------------*- C++ -*-===//
//
// The lens through which raising reads IR that other tools wrote. It shows one
// element of a tensor as an expression of elements of other tensors, the same
// whether a linalg.generic with one operation or with ten, a named linalg
// operation, linalg.reduce, arith and math on tensors or tosa wrote it. What
// only moves elements (a transpose, broadcast, reshape, slice, tile or copy) is
// no operation at all here, but part of the index at which an element is read.
//
// What it guarantees:
// - An index is exact: it is derived from indexing maps and shapes, never
//   assumed. What can't be written as an affine index (a slice at a run-time
//   offset, a reshape by a dynamic inner extent, a broadcast decided at run
//   time that might be one) is opaque: a leaf.
// - Indices are canonical: two equal ones that this file's operations lead to
//   compare equal. A dimension of extent 1 is read at the constant 0, so that
//   (d0, d1, 0), (0, d1, d2) of a batch of one, a kept and a dropped reduced
//   dimension, and an inserted and removed unit dimension are all the same.
// - Walking never fails and never changes IR. What isn't understood is opaque.
// - Every rounding is visible: casts are nodes. Only `getConstant` and what the
//   comment of a matcher says looks through one.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_CONVERSION_LINALGTONORM_TENSOREXPR_H
#define RENORM_CONVERSION_LINALGTONORM_TENSOREXPR_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::norm {

/// What an expression computes, of its operands in order. Integers and floats
/// share the kinds; the element type tells.
enum class ExprKind {
  /// Not understood: a function argument, a gather, another dialect, ...
  Opaque,
  /// The same number everywhere: `ExprNode::constant`.
  Constant,
  /// An integer that is an affine function of the position: `ExprNode::index`.
  Index,

  // One operand.
  Neg,
  Abs,
  Sqrt,
  Rsqrt,
  Reciprocal,
  Exp,
  Log,
  Sin,
  Cos,
  Tanh,
  Erf,
  Sigmoid,
  Not,

  // One operand, of another element type.
  /// To a wider floating-point type: exact.
  Extend,
  /// To a narrower floating-point type: rounds.
  Truncate,
  IntToFloat,
  FloatToInt,
  /// Between integers and index.
  IntCast,

  // Two operands.
  Add,
  Sub,
  Mul,
  Div,
  Pow,
  Max,
  Min,
  And,
  Or,
  /// By `ExprNode::predicate`; of integers signed, of floats ordered.
  Compare,

  // Three operands: condition, value if true, value if false.
  Select,

  // Over `ExprNode::reductionDims` of the operand's space. A second operand, if
  // there is one, is an initial value that isn't the neutral element.
  ReduceAdd,
  ReduceMul,
  ReduceMax,
  ReduceMin,
  ReduceAnd,
  ReduceOr,

  /// ReduceAdd of the product of its two operands, where no value stands for
  /// the product (tosa.matmul). `matchContraction` sees both spellings.
  Contract,
};

enum class ExprPredicate { EQ, NE, LT, LE, GT, GE };

struct ExprNode;

/// The element of `getValue()` at `getIndices()`, as a function of the position
/// in a space: dimension i of the space is the affine dimension d_i, of extent
/// `getSpace()[i]` (or dynamic).
///
/// The value is a ranked tensor, with one index for each of its dimensions; or
/// a scalar in the body of a linalg operation, with one index for each of the
/// operation's loops; or a scalar outside any, without indices.
///
/// The operand of a reduction lives in a larger space: the dimensions of the
/// reduction's own, then one more for each reduced loop.
class TensorExpr {
public:
  TensorExpr() = default;
  TensorExpr(Value value, ArrayRef<AffineExpr> indices, ArrayRef<int64_t> space)
      : value(value), indices(indices), space(space) {}

  /// The elements of a ranked tensor, each read at its own position.
  static TensorExpr get(Value tensor);

  explicit operator bool() const { return static_cast<bool>(value); }
  Value getValue() const { return value; }
  ArrayRef<AffineExpr> getIndices() const { return indices; }
  ArrayRef<int64_t> getSpace() const { return space; }
  Type getElementType() const;
  bool isTensor() const;

  /// The same element, read from where it comes from: through whatever only
  /// moves elements, to the first value that computes.
  TensorExpr skipMoves() const;
  /// One step of that, or null where the value computes or is unknown.
  TensorExpr getMoveSource() const;

  /// What computes this element. Looks through moves.
  ExprNode getDefinition() const;

  /// The number that the element is, if it is the same known one everywhere:
  /// constants, and a few casts and operations on constants, rounded as
  /// written. In the element type; an integer in f64.
  std::optional<APFloat> getConstant() const;
  /// The constant before the last rounding: an f64 that is truncated in place,
  /// else the same as `getConstant`. In f64.
  std::optional<double> getConstantLiteral() const;

  /// Whether this is a tensor of the space's own shape, each element read at
  /// its own position.
  bool isIdentity() const;

  /// If every index is 0 in a dimension of extent 1 or a distinct dimension of
  /// the space that has the tensor dimension's extent, sets `dims` to that
  /// dimension, or -1 for the 0, of each tensor dimension.
  bool isProjectedPermutation(SmallVectorImpl<int64_t> &dims) const;

  /// The same value read at the same indices. Says nothing of equal values that
  /// were computed twice.
  friend bool operator==(const TensorExpr &lhs, const TensorExpr &rhs) {
    return lhs.value == rhs.value && lhs.indices == rhs.indices;
  }
  friend bool operator!=(const TensorExpr &lhs, const TensorExpr &rhs) {
    return !(lhs == rhs);
  }

private:
  std::optional<APFloat> getConstant(unsigned maxDepth) const;

  Value value;
  SmallVector<AffineExpr, 4> indices;
  SmallVector<int64_t, 6> space;
};

struct ExprNode {
  ExprKind kind = ExprKind::Opaque;
  /// What computes the value: a scalar operation in a body or an operation on
  /// tensors. Null if there is none.
  Operation *op = nullptr;
  SmallVector<TensorExpr, 3> operands;
  /// Of a Constant: a FloatAttr or IntegerAttr.
  TypedAttr constant;
  /// Of an Index.
  AffineExpr index;
  /// Of a Compare.
  ExprPredicate predicate = ExprPredicate::EQ;
  /// Of a reduction: dimensions of the operands' space, the last ones.
  SmallVector<unsigned, 2> reductionDims;
};

/// The index in canonical form, knowing that each d_i is in [0, space[i]).
AffineExpr simplifyIndex(AffineExpr index, ArrayRef<int64_t> space);

} // namespace mlir::norm

#endif // RENORM_CONVERSION_LINALGTONORM_TENSOREXPR_H
