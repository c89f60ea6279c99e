//===- CallMatmulKernels.cpp - Contractions by blocked kernels ------------===//

#include "MatmulKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCALLMATMULKERNELSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
/// A contraction as a matrix product in loops over its other dimensions.
struct Contraction {
  linalg::LinalgOp op;
  MatmulTypes types;
  /// Numbers of the operands.
  unsigned lhs = 0, rhs = 1;
  /// Dimensions of the iteration space.
  unsigned rows = 0, columns = 0, depth = 0;
  SmallVector<unsigned> outer = {};
};
} // namespace

/// The number of the block argument that `value` is, extended or not.
static std::optional<unsigned> argumentOf(Value value, Block *body) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != body)
    return std::nullopt;
  return argument.getArgNumber();
}

/// Whether the body adds the product of its first two arguments to the third.
static bool isMultiplyAdd(Block *body) {
  if (body->getNumArguments() != 3)
    return false;
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  for (auto [total, term] : {std::pair(sum.getLhs(), sum.getRhs()),
                             std::pair(sum.getRhs(), sum.getLhs())}) {
    auto product = term.getDefiningOp<arith::MulFOp>();
    if (total != body->getArgument(2) || !product)
      continue;
    std::optional<unsigned> x = argumentOf(product.getLhs(), body);
    std::optional<unsigned> y = argumentOf(product.getRhs(), body);
    return x && y && std::max(*x, *y) == 1 && *x != *y;
  }
  return false;
}

static FailureOr<MatmulTypes> matchTypes(linalg::LinalgOp op) {
  SmallVector<FloatType> types;
  for (Value operand : op->getOperands()) {
    auto memref = dyn_cast<MemRefType>(operand.getType());
    auto type = memref ? dyn_cast<FloatType>(memref.getElementType()) : nullptr;
    if (!type)
      return failure();
    types.push_back(type);
  }
  if (!types[2].isF32() && !types[2].isF64())
    return failure();
  return MatmulTypes{types[0], types[1], types[2]};
}

static std::optional<unsigned> dimensionOf(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

/// The one of `dims` with the largest extent, the last of several.
static unsigned largest(ArrayRef<unsigned> dims, ArrayRef<int64_t> extents) {
  auto extent = [&](unsigned dim) {
    return ShapedType::isDynamic(extents[dim])
               ? std::numeric_limits<int64_t>::max()
               : extents[dim];
  };
  unsigned result = dims.front();
  for (unsigned dim : dims)
    if (extent(dim) >= extent(result))
      result = dim;
  return result;
}

static FailureOr<Contraction> matchContraction(linalg::LinalgOp op,
                                               int64_t minimum) {
  if (!op.hasPureBufferSemantics() || op->getNumOperands() != 3 ||
      !isMultiplyAdd(op.getBlock()))
    return failure();
  FailureOr<MatmulTypes> types = matchTypes(op);
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(types) || failed(dims) || dims->m.empty() || dims->n.empty())
    return failure();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Contraction result{op, *types};

  // Rows of the result have to be contiguous.
  AffineMap map = op.getIndexingMapsArray()[2];
  auto [strides, offset] =
      cast<MemRefType>(op->getOperand(2).getType()).getStridesAndOffset();
  std::optional<unsigned> columns = dimensionOf(map.getResults().back());
  if (!columns || strides.back() != 1)
    return failure();
  if (llvm::is_contained(dims->m, *columns)) {
    std::swap(dims->m, dims->n);
    std::swap(result.lhs, result.rhs);
    std::swap(result.types.lhs, result.types.rhs);
  }
  if (!llvm::is_contained(dims->n, *columns))
    return failure();
  result.columns = *columns;
  result.rows = largest(dims->m, extents);
  result.depth = *llvm::max_element(dims->k);
  int64_t products = 1;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (dim != result.rows && dim != result.columns && dim != result.depth)
      result.outer.push_back(dim);
    products *= ShapedType::isDynamic(extent) ? minimum : extent;
  }
  if (products < minimum)
    return failure();
  return result;
}

/// The matrix of an operand with the dimensions `first` and `second`, at
/// `indices` of the others.
static Value getMatrix(ImplicitLocOpBuilder &b, Value operand, AffineMap map,
                       unsigned first, unsigned second,
                       const DenseMap<unsigned, Value> &indices,
                       MemRefType type) {
  auto source = cast<MemRefType>(operand.getType());
  SmallVector<OpFoldResult> offsets,
      sizes = memref::getMixedSizes(b, b.getLoc(), operand),
      strides(sizes.size(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto index = indices.find(*dimensionOf(expr));
    if (index == indices.end()) {
      offsets.push_back(b.getIndexAttr(0));
      shape.push_back(source.getDimSize(position));
      continue;
    }
    offsets.push_back(index->second);
    sizes[position] = b.getIndexAttr(1);
  }
  if (shape.size() < sizes.size())
    operand =
        memref::SubViewOp::create(b,
                                  memref::SubViewOp::inferRankReducedResultType(
                                      shape, source, offsets, sizes, strides),
                                  operand, offsets, sizes, strides);
  SmallVector<unsigned> order;
  for (AffineExpr expr : map.getResults())
    if (unsigned dim = *dimensionOf(expr); dim == first || dim == second)
      order.push_back(dim);
  if (order.front() != first)
    operand = memref::TransposeOp::create(
        b, operand,
        AffineMapAttr::get(AffineMap::getPermutationMap(
            ArrayRef<unsigned>{1, 0}, b.getContext())));
  return memref::CastOp::create(b, type, operand);
}

static void replaceByCall(RewriterBase &rewriter, Contraction &c,
                          MatmulKernels &kernels) {
  rewriter.setInsertionPoint(c.op);
  ImplicitLocOpBuilder b(c.op.getLoc(), rewriter);
  func::FuncOp kernel = kernels.getMatmul(c.types);
  SmallVector<AffineMap> maps = c.op.getIndexingMapsArray();
  SmallVector<Range> ranges = c.op.createLoopRanges(rewriter, c.op.getLoc());
  DenseMap<unsigned, Value> indices;
  for (unsigned dim : c.outer) {
    auto bound = [&](OpFoldResult value) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
    };
    auto loop =
        scf::ForOp::create(b, bound(ranges[dim].offset),
                           bound(ranges[dim].size), bound(ranges[dim].stride));
    indices[dim] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
  }
  auto matrix = [&](unsigned operand, unsigned first, unsigned second,
                    MemRefType type) {
    return getMatrix(b, c.op->getOperand(operand), maps[operand], first, second,
                     indices, type);
  };
  func::CallOp::create(
      b, kernel,
      ValueRange{matrix(c.lhs, c.rows, c.depth,
                        MatmulKernels::getOperandType(c.types.lhs)),
                 matrix(c.rhs, c.depth, c.columns,
                        MatmulKernels::getOperandType(c.types.rhs)),
                 matrix(2, c.rows, c.columns,
                        MatmulKernels::getResultType(c.types.sum))});
  rewriter.eraseOp(c.op);
}

namespace {
struct NormCallMatmulKernelsPass
    : public norm::impl::NormCallMatmulKernelsPassBase<
          NormCallMatmulKernelsPass> {
  using Base::Base;

  void runOnOperation() final {
    if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512) {
      emitError(getOperation().getLoc())
          << "expected 'vector-bits' to be 128, 256 or 512, but got "
          << vectorBits.getValue();
      return signalPassFailure();
    }
    SmallVector<Contraction> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      FailureOr<Contraction> contraction =
          matchContraction(op, minimumProducts);
      if (succeeded(contraction))
        contractions.push_back(*contraction);
    });
    IRRewriter rewriter(&getContext());
    MatmulKernels kernels(getOperation(), vectorBits);
    for (Contraction &contraction : contractions)
      replaceByCall(rewriter, contraction, kernels);
  }
};
} // namespace
