//===- Indexing.cpp - Where the elements of a group's tensors are ---------===//

#include "Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Extents::Extents(FusionOp fusion) : context(fusion.getContext()) {
  for (auto [input, type] : llvm::enumerate(fusion.getInputs().getTypes())) {
    if (type.isIndex())
      symbols.push_back({static_cast<unsigned>(input), 0});
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
        if (tensor.isDynamicDim(dim))
          symbols.push_back({static_cast<unsigned>(input), dim});
  }
}

AffineExpr Extents::symbol(BlockArgument input, int64_t dim) const {
  const auto *found = llvm::find_if(symbols, [&](const Symbol &known) {
    return known.input == input.getArgNumber() && known.dim == dim;
  });
  if (found == symbols.end())
    return {};
  return getAffineSymbolExpr(found - symbols.begin(), context);
}

AffineExpr Extents::of(OpFoldResult extent) const {
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return getAffineConstantExpr(*constant, context);
  auto value = dyn_cast<Value>(extent);
  if (!value)
    return {};
  if (auto input = dyn_cast<BlockArgument>(value))
    return symbol(input, 0);
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    return index ? of(dim.getSource(), *index) : AffineExpr();
  }
  if (!isa<arith::MulIOp, arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          op))
    return {};
  AffineExpr lhs = of(OpFoldResult(op->getOperand(0))),
             rhs = of(OpFoldResult(op->getOperand(1)));
  if (!lhs || !rhs)
    return {};
  return isa<arith::MulIOp>(op) ? lhs * rhs : lhs.floorDiv(rhs);
}

AffineExpr Extents::of(Value tensor, int64_t dim) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), context);
  if (auto input = dyn_cast<BlockArgument>(tensor))
    return symbol(input, dim);
  Operation *op = tensor.getDefiningOp();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return of(expand.getMixedOutputShape()[dim]);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return of(empty.getMixedSizes()[dim]);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return of(cast.getSource(), dim);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSourceType().getRank() == type.getRank()
               ? of(slice.getMixedSizes()[dim])
               : AffineExpr();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<AffineExpr> extents;
    for (int64_t source : collapse.getReassociationIndices()[dim]) {
      extents.push_back(of(collapse.getSrc(), source));
      if (!extents.back())
        return {};
    }
    return product(context, extents);
  }
  if (auto stats = dyn_cast<RowStatsOp>(op)) {
    for (int64_t axis : stats.getReducedAxes())
      dim += axis <= dim;
    return of(stats.getInput(), dim);
  }
  if (auto stats = dyn_cast<MergeStatsOp>(op))
    return of(stats.getPartials().front(), dim);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return of(destination.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op);
      concat && concat.getDim() == static_cast<uint64_t>(dim))
    return {};
  // What is left has the shape of its first operand.
  for (Value operand : op->getOperands())
    if (auto operandType = dyn_cast<RankedTensorType>(operand.getType());
        operandType && operandType.getRank() == type.getRank())
      return of(operand, dim);
  return {};
}

std::optional<SmallVector<AffineExpr>> Extents::of(Value tensor) const {
  SmallVector<AffineExpr> extents;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    extents.push_back(of(tensor, dim));
    if (!extents.back())
      return std::nullopt;
  }
  return extents;
}

//===----------------------------------------------------------------------===//
// Rows and columns, and dimensions
//===----------------------------------------------------------------------===//

AffineExpr kernel::product(MLIRContext *context, ArrayRef<AffineExpr> extents) {
  AffineExpr result = getAffineConstantExpr(1, context);
  for (AffineExpr extent : llvm::reverse(extents))
    result = extent * result;
  return result;
}

static bool isOne(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() == 1;
}

SmallVector<AffineExpr> kernel::delinearize(AffineExpr index,
                                            ArrayRef<AffineExpr> extents) {
  MLIRContext *context = index.getContext();
  SmallVector<AffineExpr> indices(extents.size(),
                                  getAffineConstantExpr(0, context));
  AffineExpr inner = getAffineConstantExpr(1, context);
  // The first extent that isn't 1 needs no remainder.
  const auto *first = llvm::find_if_not(extents, isOne);
  for (size_t dim = extents.size(); dim-- > 0;) {
    if (isOne(extents[dim]))
      continue;
    AffineExpr quotient = isOne(inner) ? index : index.floorDiv(inner);
    bool isFirst = extents.begin() + dim == first;
    indices[dim] = isFirst ? quotient : quotient % extents[dim];
    inner = extents[dim] * inner;
  }
  return indices;
}

/// Returns the x of `x mod divisor`, or null.
static AffineExpr dividend(AffineExpr expr, AffineExprKind kind,
                           AffineExpr divisor) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind || binary.getRHS() != divisor)
    return {};
  return binary.getLHS();
}

AffineExpr kernel::linearize(ArrayRef<AffineExpr> indices,
                             ArrayRef<AffineExpr> extents) {
  assert(!indices.empty() && "a tensor of rank 0 has no context");
  MLIRContext *context = indices.front().getContext();
  // Dimensions from the last on, those that one number was taken apart to as
  // one.
  SmallVector<std::pair<AffineExpr, AffineExpr>> dims;
  for (auto [index, extent] : llvm::reverse(llvm::zip(indices, extents))) {
    if (isOne(extent))
      continue;
    if (!dims.empty()) {
      auto &[inner, size] = dims.back();
      AffineExpr whole = dividend(inner, AffineExprKind::Mod, size);
      bool isFirst = whole && index == whole.floorDiv(size);
      if (isFirst || (whole && index == whole.floorDiv(size) % extent)) {
        size = extent * size;
        inner = isFirst ? whole : whole % size;
        continue;
      }
    }
    dims.emplace_back(index, extent);
  }
  AffineExpr number = getAffineConstantExpr(0, context),
             stride = getAffineConstantExpr(1, context);
  for (auto [index, size] : dims) {
    number = index * stride + number;
    stride = size * stride;
  }
  return number;
}

void Extents::setShape(AffineExpr rows, int64_t columns) {
  if (auto constant = dyn_cast<AffineConstantExpr>(rows))
    last[0] = constant.getValue() - 1;
  last[1] = columns - 1;
}

std::optional<int64_t> Extents::maximum(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return last[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = maximum(binary.getLHS()),
                         rhs = maximum(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Mod &&
      isa<AffineConstantExpr>(binary.getRHS()))
    return lhs ? std::min(*lhs, *rhs - 1) : *rhs - 1;
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (binary.getKind() == AffineExprKind::Mul)
    return *lhs * *rhs;
  if (binary.getKind() == AffineExprKind::FloorDiv &&
      isa<AffineConstantExpr>(binary.getRHS()))
    return *lhs / *rhs;
  return std::nullopt;
}

SmallVector<AffineExpr> Extents::delinearize(AffineExpr index,
                                             ArrayRef<AffineExpr> sizes) const {
  SmallVector<AffineExpr> inner;
  for (; sizes.size() > 1; sizes = sizes.drop_back()) {
    auto size = dyn_cast<AffineConstantExpr>(sizes.back());
    auto sum = dyn_cast<AffineBinaryOpExpr>(index);
    if (!size || !sum || sum.getKind() != AffineExprKind::Add)
      break;
    AffineExpr outer = sum.getLHS(), rest = sum.getRHS();
    if (!outer.isMultipleOf(size.getValue()))
      std::swap(outer, rest);
    std::optional<int64_t> largest = maximum(rest);
    if (!outer.isMultipleOf(size.getValue()) || !largest ||
        *largest >= size.getValue())
      break;
    inner.push_back(rest);
    index = outer.floorDiv(size);
  }
  SmallVector<AffineExpr> indices = kernel::delinearize(index, sizes);
  indices.append(inner.rbegin(), inner.rend());
  return indices;
}

bool kernel::usesRow(AffineMap map) { return map.isFunctionOfDim(0); }
bool kernel::usesColumn(AffineMap map) { return map.isFunctionOfDim(1); }

/// Whether `expr` has the same value at all columns of aligned groups of
/// `columns`.
static bool isConstantIn(AffineExpr expr, int64_t columns) {
  if (!expr.isFunctionOfDim(1))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      divisor && binary.getKind() == AffineExprKind::FloorDiv &&
      isa<AffineDimExpr>(binary.getLHS()))
    return divisor.getValue() % columns == 0;
  return isConstantIn(binary.getLHS(), columns) &&
         isConstantIn(binary.getRHS(), columns);
}

int64_t kernel::contiguousColumns(AffineMap indices,
                                  ArrayRef<AffineExpr> extents, int64_t limit) {
  if (indices.getNumResults() == 0)
    return 1;
  // Dimensions of extent 1 behind the last one do not count.
  size_t last = indices.getNumResults() - 1;
  while (last > 0 && isOne(extents[last]))
    --last;
  AffineExpr column = getAffineDimExpr(1, indices.getContext());
  AffineExpr index = indices.getResult(last);
  auto extent = dyn_cast<AffineConstantExpr>(extents[last]);
  auto isContiguous = [&](int64_t columns) {
    if (last > 0 && (!extent || extent.getValue() % columns != 0))
      return false;
    for (size_t dim = 0; dim < last; ++dim)
      if (!isConstantIn(indices.getResult(dim), columns))
        return false;
    if (index == column)
      return true;
    auto binary = dyn_cast<AffineBinaryOpExpr>(index);
    if (!binary || binary.getKind() != AffineExprKind::Mod ||
        binary.getLHS() != column)
      return false;
    auto modulus = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return modulus && modulus.getValue() % columns == 0;
  };
  int64_t columns = limit;
  while (columns > 1 && !isContiguous(columns))
    columns /= 2;
  return columns;
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {
/// Upstream's expansion has floor division for negative numbers, and none by a
/// symbol.
struct Expander : public AffineExprVisitor<Expander, Value> {
  Expander(ImplicitLocOpBuilder &b, ValueRange dims, ValueRange symbols)
      : b(b), dims(dims), symbols(symbols) {}

  template <typename OpTy>
  Value binary(AffineBinaryOpExpr expr) {
    return b.createOrFold<OpTy>(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  Value visitAddExpr(AffineBinaryOpExpr e) { return binary<arith::AddIOp>(e); }
  Value visitMulExpr(AffineBinaryOpExpr e) { return binary<arith::MulIOp>(e); }
  Value visitModExpr(AffineBinaryOpExpr e) { return binary<arith::RemUIOp>(e); }
  Value visitFloorDivExpr(AffineBinaryOpExpr e) {
    return binary<arith::DivUIOp>(e);
  }
  Value visitCeilDivExpr(AffineBinaryOpExpr e) {
    return binary<arith::CeilDivUIOp>(e);
  }
  Value visitConstantExpr(AffineConstantExpr e) {
    return arith::ConstantIndexOp::create(b, e.getValue());
  }
  Value visitDimExpr(AffineDimExpr e) { return dims[e.getPosition()]; }
  Value visitSymbolExpr(AffineSymbolExpr e) { return symbols[e.getPosition()]; }

  ImplicitLocOpBuilder &b;
  ValueRange dims, symbols;
};
} // namespace

Value kernel::expand(ImplicitLocOpBuilder &b, AffineExpr expr, ValueRange dims,
                     ValueRange symbols) {
  return Expander(b, dims, symbols).visit(expr);
}
