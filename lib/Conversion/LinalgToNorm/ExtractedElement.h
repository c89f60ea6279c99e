//===- ExtractedElement.h - Elements read by tensor.extract -----*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_EXTRACTEDELEMENT_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_EXTRACTEDELEMENT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::norm {

/// The indices at which `extract`, in the body of `op`, reads its tensor, if
/// they are affine functions of the loops, which stand at `loops`. An index
/// that is 0 where the extent is 1 and else a loop's (how torch-mlir broadcasts
/// a dynamic dimension) is the loop's, if the extent provably is the loop's.
/// Fails also where a dynamic dimension might be read in part.
FailureOr<SmallVector<AffineExpr, 4>>
getExtractedIndices(tensor::ExtractOp extract, linalg::LinalgOp op,
                    ArrayRef<AffineExpr> loops);

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_EXTRACTEDELEMENT_H
