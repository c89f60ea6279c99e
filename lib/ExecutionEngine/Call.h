//===- Call.h - What compiled code calls ------------------------*- C++ -*-===//

#ifndef RENORM_LIB_EXECUTIONENGINE_CALL_H
#define RENORM_LIB_EXECUTIONENGINE_CALL_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::norm {

class DeviceTarget;

/// What the JIT finds before what the process offers by the same name.
/// `device` runs the kernels, if there are any.
SmallVector<std::pair<StringRef, void *>>
getRuntimeSymbols(const DeviceTarget *device);

} // namespace mlir::norm

#endif // RENORM_LIB_EXECUTIONENGINE_CALL_H
