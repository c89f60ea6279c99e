//===- RowReduction.h - Reductions that a program writes --------*- C++ -*-===//
//
// The maximum and the sum of a softmax, and whatever else linalg reduces to one
// number.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_ROWREDUCTION_H
#define RENORM_ANALYSIS_ROWREDUCTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::norm {

/// A linalg operation that combines one number for each element of a row, in
/// any order.
struct RowReduction {
  /// An operand that has an element of its own for each iteration, and of which
  /// the last dimensions are reduced.
  OpOperand *input = nullptr;
  /// In the body: what is combined, and the operation that does it.
  Value element;
  Operation *combiner = nullptr;

  /// The dimensions of the input that are reduced, in order.
  SmallVector<int64_t> getReducedAxes() const;
};

/// `op` as a reduction of floating-point numbers, if it is one and not a
/// contraction.
std::optional<RowReduction> matchRowReduction(Operation *op);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_ROWREDUCTION_H
