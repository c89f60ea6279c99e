//===- ExprMatchers.cpp - Patterns of tensor expressions ----------------===//

#include "renorm/Conversion/LinalgToNorm/ExprMatchers.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::norm;

TensorExpr norm::skipExtends(const TensorExpr &expr) {
  TensorExpr result = expr;
  while (true) {
    ExprNode node = result.getDefinition();
    if (node.kind != ExprKind::Extend)
      return result;
    result = node.operands[0];
  }
}

bool norm::computeAlike(const ExprNode &lhs, const ExprNode &rhs) {
  if (lhs.kind == ExprKind::Opaque || lhs.kind != rhs.kind ||
      lhs.constant != rhs.constant || lhs.index != rhs.index ||
      lhs.predicate != rhs.predicate || lhs.reductionDims != rhs.reductionDims)
    return false;
  // Signed and unsigned.
  bool isOfInteger =
      lhs.kind == ExprKind::IntToFloat || lhs.kind == ExprKind::IntCast;
  if (isOfInteger && lhs.op->getName() != rhs.op->getName())
    return false;
  // Over equally many elements.
  return llvm::all_of(lhs.reductionDims, [&](unsigned dim) {
    return lhs.operands[0].getSpace()[dim] == rhs.operands[0].getSpace()[dim];
  });
}

/// Whether both are the same elements, or computed alike from the same in up to
/// `depth` steps.
static bool isSameElement(const TensorExpr &lhs, const TensorExpr &rhs,
                          unsigned depth) {
  if (lhs == rhs)
    return true;
  TensorExpr left = lhs.skipMoves(), right = rhs.skipMoves();
  if (left == right)
    return true;
  if (depth == 0 || left.getElementType() != right.getElementType())
    return false;
  ExprNode leftNode = left.getDefinition(), rightNode = right.getDefinition();
  return computeAlike(leftNode, rightNode) &&
         llvm::equal(leftNode.operands, rightNode.operands,
                     [&](const TensorExpr &l, const TensorExpr &r) {
                       return isSameElement(l, r, depth - 1);
                     });
}

bool norm::isSameElement(const TensorExpr &lhs, const TensorExpr &rhs) {
  constexpr unsigned maxSteps = 3;
  return ::isSameElement(lhs, rhs, maxSteps);
}

bool norm::matchContraction(const TensorExpr &expr, TensorExpr &lhs,
                            TensorExpr &rhs, SmallVectorImpl<unsigned> &dims) {
  ExprNode node = expr.getDefinition();
  dims.assign(node.reductionDims.begin(), node.reductionDims.end());
  if (node.kind == ExprKind::Contract) {
    lhs = node.operands[0];
    rhs = node.operands[1];
    return true;
  }
  return node.kind == ExprKind::ReduceAdd && node.operands.size() == 1 &&
         matchExpr(node.operands[0], m_Mul(m_Any(&lhs), m_Any(&rhs)));
}
