//===- MatmulKernels.h - Blocked matrix products ----------------*- C++ -*-===//
//
// Functions that compute matrix products, one for each combination of types,
// which all products of a module share.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_PIPELINES_MATMULKERNELS_H
#define RENORM_LIB_PIPELINES_MATMULKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::norm {

/// Element types of C += A B. Elements of A and B are extended to that of C.
struct MatmulTypes {
  FloatType lhs, rhs, sum;
};

/// Makes the functions when they are first asked for.
///
/// The way of the loops is that of Goto and van de Geijn, "Anatomy of
/// High-Performance Matrix Multiplication" (2008): a tile of C stays in
/// registers while a slice of A (from the second-level cache) and of B (from
/// the first) passes, both packed in the order in which they are read. Every
/// element of C is the sum that it was before plus the products in the order of
/// the inner dimension, a product and its addition rounded once where the
/// target can.
class MatmulKernels {
public:
  MatmulKernels(ModuleOp module, int64_t vectorBits)
      : symbols(module), vectorBits(vectorBits) {}

  /// (A, B, C): C += A B, of `getOperandType`, whatever their layout, and
  /// `getResultType`, whose rows are contiguous.
  func::FuncOp getMatmul(MatmulTypes types);

  static MemRefType getOperandType(Type elementType);
  static MemRefType getResultType(Type elementType);

private:
  /// The tile of C that is in registers.
  int64_t getTileRows() const;
  int64_t getTileColumns(FloatType sum) const;

  using Body = llvm::function_ref<void(ImplicitLocOpBuilder &, ValueRange)>;
  func::FuncOp getFunction(const Twine &name, ArrayRef<Type> arguments,
                           Body body);
  func::FuncOp getPack(FloatType from, FloatType to, int64_t width);
  func::FuncOp getPackedMatmul(MatmulTypes types);

  SymbolTable symbols;
  int64_t vectorBits;
};

} // namespace mlir::norm

#endif // RENORM_LIB_PIPELINES_MATMULKERNELS_H
