//===- DeferApply.h - Apply norms after the matmuls that read them -*- C++ -*-//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEFERAPPLY_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEFERAPPLY_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"

namespace mlir::norm {

/// Moves each of `applies`, which are in `function`, past the matmuls that read
/// it, where `norm-defer-apply` says that it can be; else a remark says why
/// not, and it is left in `applies`. Returns how many moved. Fails, with a
/// diagnostic, only if column sums cannot be prepared.
FailureOr<unsigned> deferApplications(FunctionOpInterface function,
                                      WeightPolicy policy,
                                      SmallVectorImpl<ApplyStatsOp> &applies);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_DEFERAPPLY_H
