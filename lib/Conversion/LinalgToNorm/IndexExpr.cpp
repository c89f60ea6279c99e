//===- IndexExpr.cpp - Canonical affine indices ---------------------------===//
//
// `simplifyIndex`: what chains of reshapes, slices and broadcasts do to an
// index, brought to one form. MLIR's own simplification knows no ranges of
// dimensions, without which (d0 * 6 + d1) floordiv 6 isn't d0.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "renorm/Conversion/LinalgToNorm/TensorExpr.h"

using namespace mlir;
using namespace mlir::norm;

namespace {

/// A sum: constant + the coefficients times expressions that are no sums.
struct Sum {
  SmallVector<std::pair<AffineExpr, int64_t>, 4> terms;
  int64_t constant = 0;

  explicit Sum(AffineExpr expr) { add(expr, 1); }

  void add(AffineExpr expr, int64_t factor) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
      constant += factor * number.getValue();
      return;
    }
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
      if (binary.getKind() == AffineExprKind::Add) {
        add(binary.getLHS(), factor);
        return add(binary.getRHS(), factor);
      }
      auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
      if (binary.getKind() == AffineExprKind::Mul && number)
        return add(binary.getLHS(), factor * number.getValue());
    }
    for (auto &[term, coefficient] : terms) {
      if (term == expr) {
        coefficient += factor;
        return;
      }
    }
    terms.emplace_back(expr, factor);
  }

  AffineExpr get(MLIRContext *context) const {
    AffineExpr result = getAffineConstantExpr(0, context);
    for (auto [term, coefficient] : terms)
      result = result + term * coefficient;
    return result + constant;
  }
};

class Simplifier {
public:
  Simplifier(MLIRContext *context, ArrayRef<int64_t> space)
      : context(context), space(space) {
    for (int64_t extent : space) {
      lower.push_back(0);
      upper.push_back(ShapedType::isDynamic(extent)
                          ? std::nullopt
                          : std::optional<int64_t>(extent - 1));
    }
  }

  AffineExpr simplify(AffineExpr expr) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return space[dim.getPosition()] == 1 ? getAffineConstantExpr(0, context)
                                           : expr;
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return expr;
    AffineExpr lhs = simplify(binary.getLHS());
    AffineExpr rhs = simplify(binary.getRHS());
    auto number = dyn_cast<AffineConstantExpr>(rhs);
    bool positive = number && number.getValue() > 0;
    switch (binary.getKind()) {
    case AffineExprKind::FloorDiv:
      if (positive)
        return floorDiv(lhs, number.getValue());
      break;
    case AffineExprKind::Mod:
      if (positive)
        return mod(lhs, number.getValue());
      break;
    case AffineExprKind::Add:
      return recombine(Sum(lhs + rhs));
    default:
      break;
    }
    return getAffineBinaryOpExpr(binary.getKind(), lhs, rhs);
  }

private:
  /// Splits `sum` into a multiple of `divisor`, which is returned divided by
  /// it, and the rest, which stays.
  AffineExpr splitMultiple(Sum &sum, int64_t divisor) {
    Sum quotient(getAffineConstantExpr(0, context));
    llvm::erase_if(sum.terms, [&](auto term) {
      if (term.second % divisor != 0)
        return false;
      quotient.add(term.first, term.second / divisor);
      return true;
    });
    int64_t remainder = (sum.constant % divisor + divisor) % divisor;
    quotient.constant += (sum.constant - remainder) / divisor;
    sum.constant = remainder;
    return quotient.get(context);
  }

  bool isBelow(AffineExpr expr, int64_t bound) {
    auto low = getBoundForAffineExpr(expr, space.size(), 0, lower, upper,
                                     /*isUpper=*/false);
    auto high = getBoundForAffineExpr(expr, space.size(), 0, lower, upper,
                                      /*isUpper=*/true);
    return low && high && *low >= 0 && *high < bound;
  }

  AffineExpr floorDiv(AffineExpr expr, int64_t divisor) {
    Sum sum(expr);
    AffineExpr quotient = splitMultiple(sum, divisor);
    AffineExpr rest = sum.get(context);
    if (isBelow(rest, divisor))
      return quotient;
    if (auto inner = dyn_cast<AffineBinaryOpExpr>(rest)) {
      auto number = dyn_cast<AffineConstantExpr>(inner.getRHS());
      if (number && inner.getKind() == AffineExprKind::FloorDiv)
        return quotient + floorDiv(inner.getLHS(), number.getValue() * divisor);
      // (a mod (n * divisor)) floordiv divisor = (a floordiv divisor) mod n.
      if (number && inner.getKind() == AffineExprKind::Mod &&
          number.getValue() % divisor == 0)
        return quotient + mod(floorDiv(inner.getLHS(), divisor),
                              number.getValue() / divisor);
    }
    return quotient + rest.floorDiv(divisor);
  }

  AffineExpr mod(AffineExpr expr, int64_t divisor) {
    Sum sum(expr);
    splitMultiple(sum, divisor);
    AffineExpr rest = sum.get(context);
    if (isBelow(rest, divisor))
      return rest;
    if (auto inner = dyn_cast<AffineBinaryOpExpr>(rest)) {
      auto number = dyn_cast<AffineConstantExpr>(inner.getRHS());
      if (number && inner.getKind() == AffineExprKind::Mod &&
          number.getValue() % divisor == 0)
        return mod(inner.getLHS(), divisor);
    }
    return rest % divisor;
  }

  /// Puts together what a division took apart: (a floordiv n) * n + a mod n.
  AffineExpr recombine(Sum sum) {
    for (auto [index, term] : llvm::enumerate(sum.terms)) {
      auto remainder = dyn_cast<AffineBinaryOpExpr>(term.first);
      if (!remainder || remainder.getKind() != AffineExprKind::Mod)
        continue;
      int64_t coefficient = term.second;
      auto number = dyn_cast<AffineConstantExpr>(remainder.getRHS());
      if (!number)
        continue;
      AffineExpr quotient = floorDiv(remainder.getLHS(), number.getValue());
      auto *other = llvm::find_if(sum.terms, [&](auto candidate) {
        return candidate.first == quotient &&
               candidate.second == coefficient * number.getValue();
      });
      if (other == sum.terms.end())
        continue;
      AffineExpr whole = remainder.getLHS();
      sum.terms.erase(std::max(other, sum.terms.begin() + index));
      sum.terms.erase(std::min(other, sum.terms.begin() + index));
      sum.add(whole, coefficient);
      return recombine(sum);
    }
    return sum.get(context);
  }

  MLIRContext *context;
  ArrayRef<int64_t> space;
  SmallVector<std::optional<int64_t>> lower, upper;
};

} // namespace

AffineExpr norm::simplifyIndex(AffineExpr index, ArrayRef<int64_t> space) {
  return Simplifier(index.getContext(), space).simplify(index);
}
