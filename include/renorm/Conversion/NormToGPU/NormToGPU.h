//===- NormToGPU.h - Groups of the norm dialect as GPU kernels --*- C++ -*-===//

#ifndef RENORM_CONVERSION_NORMTOGPU_NORMTOGPU_H
#define RENORM_CONVERSION_NORMTOGPU_NORMTOGPU_H

#include "mlir/Pass/Pass.h"

namespace mlir::norm {

/// How f32 is multiplied.
enum class F32Precision { IEEE, TF32 };

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "renorm/Conversion/NormToGPU/Passes.h.inc"

} // namespace mlir::norm

#endif // RENORM_CONVERSION_NORMTOGPU_NORMTOGPU_H
