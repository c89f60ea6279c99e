//===- ExprMatchers.h - Patterns of tensor expressions ----------*- C++ -*-===//
//
// Composable matchers on `TensorExpr`, in the style of mlir/IR/Matchers.h:
//
//   TensorExpr x, mean;
//   double eps;
//   if (matchExpr(e, m_Mul(m_Any(&x), m_Rsqrt(m_AddConst(m_Any(&mean),
//   &eps)))))
//
// Add, Mul, Max and Min try both orders of their operands. Operands are tried
// from left to right, and what a matcher bound is final once the whole pattern
// has matched; after a failure it is unspecified. So `m_Same(&x)` to the right
// of `m_Any(&x)` means the x that the same attempt bound.
//
// Matchers look through moves and through nothing else, unless their comment
// says so.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_CONVERSION_LINALGTONORM_EXPRMATCHERS_H
#define RENORM_CONVERSION_LINALGTONORM_EXPRMATCHERS_H

#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::norm {

template <typename Pattern>
bool matchExpr(const TensorExpr &expr, const Pattern &pattern) {
  return pattern.match(expr);
}

/// Whether both compute the same of their operands, if these are the same.
bool computeAlike(const ExprNode &lhs, const ExprNode &rhs);

/// Whether both are the same element: the same one read, behind moves too, or
/// computed twice in the same way (in few steps, operands in the same order).
bool isSameElement(const TensorExpr &lhs, const TensorExpr &rhs);

/// `expr` without the exact casts around it.
TensorExpr skipExtends(const TensorExpr &expr);

/// Whether `expr` is a sum of products over `dims` of its factors' space: a
/// contraction as linalg (named or generic, f32 or with extended factors) or
/// tosa writes it, from a neutral initial value. The factors are as written.
bool matchContraction(const TensorExpr &expr, TensorExpr &lhs, TensorExpr &rhs,
                      SmallVectorImpl<unsigned> &dims);

namespace detail {

struct AnyMatcher {
  TensorExpr *bound;
  bool match(const TensorExpr &expr) const {
    if (bound)
      *bound = expr;
    return true;
  }
};

struct SameMatcher {
  const TensorExpr *expected;
  bool match(const TensorExpr &expr) const {
    return isSameElement(expr, *expected);
  }
};

struct ConstMatcher {
  double *bound;
  std::optional<double> expected;
  bool match(const TensorExpr &expr) const {
    std::optional<double> literal = expr.getConstantLiteral();
    if (!literal)
      return false;
    if (expected && expr.getConstant()->convertToDouble() != *expected)
      return false;
    if (bound)
      *bound = *literal;
    return true;
  }
};

template <typename Operand>
struct UnaryMatcher {
  ExprKind kind;
  Operand operand;
  bool match(const TensorExpr &expr) const {
    ExprNode node = expr.getDefinition();
    return node.kind == kind && operand.match(node.operands[0]);
  }
};

template <typename Lhs, typename Rhs>
struct BinaryMatcher {
  ExprKind kind;
  Lhs lhs;
  Rhs rhs;
  bool match(const TensorExpr &expr) const {
    ExprNode node = expr.getDefinition();
    if (node.kind != kind)
      return false;
    if (lhs.match(node.operands[0]) && rhs.match(node.operands[1]))
      return true;
    bool commutative = kind == ExprKind::Add || kind == ExprKind::Mul ||
                       kind == ExprKind::Max || kind == ExprKind::Min;
    return commutative && lhs.match(node.operands[1]) &&
           rhs.match(node.operands[0]);
  }
};

template <typename Operand>
struct ReductionMatcher {
  ExprKind kind;
  Operand operand;
  SmallVectorImpl<unsigned> *dims;
  bool match(const TensorExpr &expr) const {
    ExprNode node = expr.getDefinition();
    if (node.kind != kind || node.operands.size() != 1 ||
        !operand.match(node.operands[0]))
      return false;
    if (dims)
      dims->assign(node.reductionDims.begin(), node.reductionDims.end());
    return true;
  }
};

template <typename... Patterns>
struct OneOfMatcher {
  std::tuple<Patterns...> patterns;
  bool match(const TensorExpr &expr) const {
    return std::apply(
        [&](const auto &...pattern) { return (pattern.match(expr) || ...); },
        patterns);
  }
};

template <typename Operand>
struct SkipExtendsMatcher {
  Operand operand;
  bool match(const TensorExpr &expr) const {
    return operand.match(skipExtends(expr));
  }
};

template <typename Operand>
struct SquareMatcher {
  Operand operand;
  bool match(const TensorExpr &expr) const {
    ExprNode node = expr.getDefinition();
    bool isSquare = (node.kind == ExprKind::Mul &&
                     isSameElement(node.operands[0], node.operands[1])) ||
                    (node.kind == ExprKind::Pow &&
                     ConstMatcher{nullptr, 2.0}.match(node.operands[1]));
    return isSquare && operand.match(node.operands[0]);
  }
};

} // namespace detail

/// Anything, which `bound` is set to.
inline detail::AnyMatcher m_Any(TensorExpr *bound = nullptr) { return {bound}; }

/// What `expected` is at the time of matching.
inline detail::SameMatcher m_Same(const TensorExpr *expected) {
  return {expected};
}

/// A constant; `bound` is its literal (see `TensorExpr::getConstantLiteral`).
inline detail::ConstMatcher m_Const(double *bound = nullptr) {
  return {bound, std::nullopt};
}

/// The constant that is exactly `value` in its type.
inline detail::ConstMatcher m_Const(double value) { return {nullptr, value}; }

/// The first of `patterns` that matches.
template <typename... Patterns>
auto m_OneOf(Patterns... patterns) {
  return detail::OneOfMatcher<Patterns...>{{patterns...}};
}

/// `operand` behind any number of exact casts, or none.
template <typename Operand>
auto m_SkipExtends(Operand operand) {
  return detail::SkipExtendsMatcher<Operand>{operand};
}

#define RENORM_UNARY_MATCHER(name)                                             \
  template <typename Operand>                                                  \
  auto m_##name(Operand operand) {                                             \
    return detail::UnaryMatcher<Operand>{ExprKind::name, operand};             \
  }
RENORM_UNARY_MATCHER(Neg)
RENORM_UNARY_MATCHER(Abs)
RENORM_UNARY_MATCHER(Exp)
RENORM_UNARY_MATCHER(Log)
RENORM_UNARY_MATCHER(Sin)
RENORM_UNARY_MATCHER(Cos)
RENORM_UNARY_MATCHER(Tanh)
RENORM_UNARY_MATCHER(Erf)
RENORM_UNARY_MATCHER(Not)
RENORM_UNARY_MATCHER(Extend)
RENORM_UNARY_MATCHER(Truncate)
RENORM_UNARY_MATCHER(IntToFloat)
RENORM_UNARY_MATCHER(IntCast)
#undef RENORM_UNARY_MATCHER

#define RENORM_BINARY_MATCHER(name)                                            \
  template <typename Lhs, typename Rhs>                                        \
  auto m_##name(Lhs lhs, Rhs rhs) {                                            \
    return detail::BinaryMatcher<Lhs, Rhs>{ExprKind::name, lhs, rhs};          \
  }
RENORM_BINARY_MATCHER(Add)
RENORM_BINARY_MATCHER(Sub)
RENORM_BINARY_MATCHER(Mul)
RENORM_BINARY_MATCHER(Div)
RENORM_BINARY_MATCHER(Pow)
RENORM_BINARY_MATCHER(Max)
RENORM_BINARY_MATCHER(Min)
#undef RENORM_BINARY_MATCHER

/// Reductions from a neutral initial value; `dims` are those of the operand's
/// space that are reduced.
#define RENORM_REDUCTION_MATCHER(name)                                         \
  template <typename Operand>                                                  \
  auto m_##name(Operand operand, SmallVectorImpl<unsigned> *dims = nullptr) {  \
    return detail::ReductionMatcher<Operand>{ExprKind::name, operand, dims};   \
  }
RENORM_REDUCTION_MATCHER(ReduceAdd)
RENORM_REDUCTION_MATCHER(ReduceMax)
#undef RENORM_REDUCTION_MATCHER

/// 1 / operand.
template <typename Operand>
auto m_Reciprocal(Operand operand) {
  return m_OneOf(detail::UnaryMatcher<Operand>{ExprKind::Reciprocal, operand},
                 m_Div(m_Const(1.0), operand));
}

/// sqrt(operand), also as a power.
template <typename Operand>
auto m_Sqrt(Operand operand) {
  return m_OneOf(detail::UnaryMatcher<Operand>{ExprKind::Sqrt, operand},
                 m_Pow(operand, m_Const(0.5)));
}

/// 1 / sqrt(operand), also as a power and as two operations.
template <typename Operand>
auto m_Rsqrt(Operand operand) {
  return m_OneOf(detail::UnaryMatcher<Operand>{ExprKind::Rsqrt, operand},
                 m_Pow(operand, m_Const(-0.5)), m_Reciprocal(m_Sqrt(operand)));
}

/// operand^2, as a product or a power.
template <typename Operand>
auto m_Square(Operand operand) {
  return detail::SquareMatcher<Operand>{operand};
}

/// 1 / (1 + exp(-operand)), also as one operation.
template <typename Operand>
auto m_Sigmoid(Operand operand) {
  return m_OneOf(detail::UnaryMatcher<Operand>{ExprKind::Sigmoid, operand},
                 m_Reciprocal(m_Add(m_Exp(m_Neg(operand)), m_Const(1.0))));
}

/// operand + constant.
template <typename Operand>
auto m_AddConst(Operand operand, double *constant) {
  return m_Add(operand, m_Const(constant));
}

} // namespace mlir::norm

#endif // RENORM_CONVERSION_LINALGTONORM_EXPRMATCHERS_H
