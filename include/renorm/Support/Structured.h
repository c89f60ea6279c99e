//===- Structured.h - Short ways to write linalg ----------------*- C++ -*-===//
//
// What lowerings and rewrites that compute something are written with.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_SUPPORT_STRUCTURED_H
#define RENORM_SUPPORT_STRUCTURED_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::norm {

/// The order of a reduction is ours to choose, and a product may be fused into
/// the sum that it enters. Nothing else is relaxed: NaN and infinity stay what
/// they are.
inline constexpr arith::FastMathFlags kReductionFlags =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

/// A tensor and the dimensions of the iteration space that index it.
struct Operand {
  Value tensor;
  AffineMap map;
};

/// Takes the elements of the inputs and, last, of the output; returns the new
/// element of the output.
using Body = llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

/// The same for several outputs: their elements come last, and new ones for all
/// of them are returned.
using BodyOfSeveral =
    llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>;

/// The map that selects `dims` out of an iteration space of `rank` dimensions.
AffineMap selectDims(ImplicitLocOpBuilder &b, int64_t rank,
                     ArrayRef<int64_t> dims);

/// A linalg.generic. Dimensions that do not index `output` are reduced.
Value createGeneric(ImplicitLocOpBuilder &b, ArrayRef<Operand> inputs,
                    Operand output, Body body);

/// The same with several `outputs`, of one map.
SmallVector<Value> createGeneric(ImplicitLocOpBuilder &b,
                                 ArrayRef<Operand> inputs,
                                 ArrayRef<Operand> outputs, BodyOfSeveral body);

/// A linalg.generic over the dimensions of a new tensor of `sizes`.
Value createElementwise(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                        Type elementType, ArrayRef<Operand> inputs, Body body);

/// A new tensor of `sizes` filled with `value`.
Value createFilled(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                   FloatType elementType, double value);

/// `value` rounded to `type`.
Value createConstant(ImplicitLocOpBuilder &b, FloatType type, double value);

/// The scalar `value` as a number of `type`, rounded once.
Value convertFloat(ImplicitLocOpBuilder &b, Value value, FloatType type);

/// The product of `extents` as a number of `type`.
Value createCount(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> extents,
                  FloatType type);

} // namespace mlir::norm

#endif // RENORM_SUPPORT_STRUCTURED_H
