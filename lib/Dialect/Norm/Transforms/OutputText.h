//===- OutputText.h - Where a pass writes what it has to say ----*- C++ -*-===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTPUTTEXT_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTPUTTEXT_H

#include "mlir/IR/Location.h"

namespace mlir::norm {

/// Writes what `print` prints to the file `path`; "-" and "" are the standard
/// error. Failure, with an error at `loc` about `what`, if that is impossible.
LogicalResult writeText(StringRef path, Location loc, StringRef what,
                        llvm::function_ref<void(raw_ostream &)> print);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_OUTPUTTEXT_H
