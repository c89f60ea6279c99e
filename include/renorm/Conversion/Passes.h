//===- Passes.h - Conversion passes -----------------------------*- C++ -*-===//

#ifndef RENORM_CONVERSION_PASSES_H
#define RENORM_CONVERSION_PASSES_H

#include "renorm/Conversion/LinalgToNorm/LinalgToNorm.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"

namespace mlir::norm {

#define GEN_PASS_REGISTRATION
#include "renorm/Conversion/Passes.h.inc"

} // namespace mlir::norm

#endif // RENORM_CONVERSION_PASSES_H
