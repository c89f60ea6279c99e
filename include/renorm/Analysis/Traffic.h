//===- Traffic.h - Bytes moved to and from memory ---------------*- C++ -*-===//
//
// What the kernels of a program read and write: the account by which fusions
// are chosen and compared.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_TRAFFIC_H
#define RENORM_ANALYSIS_TRAFFIC_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::norm {

/// What is moved if every operation, and every `norm.fusion`, is a kernel that
/// reads each tensor it needs once and writes each of its results once. Views
/// (reshapes, casts of the shape, slices) and what a kernel makes itself
/// (constants of one number, fills) move nothing; a parameter is read as it
/// lies, however it is transposed or broadcast; a table is read as often as
/// elements are taken from it. A loop's body counts as often as it runs.
struct Traffic {
  int64_t kernels = 0;
  /// Bytes read and written, parameters included.
  int64_t bytes = 0;
  /// Reads and writes of activations that have as many elements as the residual
  /// stream.
  int64_t passes = 0;
  /// Whether an extent or trip count is dynamic; it counts as 1.
  bool isDynamic = false;
};

/// Whether a kernel that needs `value` makes it itself and does not read it: a
/// constant of one number, a fill, a tensor without elements yet.
bool isMadeInPlace(Value value);

/// The bytes of a tensor; a dynamic extent counts as 1.
int64_t getBytes(Type tensor);

/// What a kernel that needs `value` reads for it: a parameter as it lies.
int64_t getReadBytes(Value value);

/// The traffic of `function`, which has a body. Functions that it calls are not
/// counted.
Traffic measureTraffic(FunctionOpInterface function);

/// The traffic of one operation of a block, `streamElements` those of the
/// residual stream (0: unknown).
Traffic measureTraffic(Operation *op, int64_t streamElements);

/// The elements of the residual stream of `function`, those of the first
/// `norm.residual_add`; 0 if there is none.
int64_t getStreamElements(FunctionOpInterface function);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_TRAFFIC_H
