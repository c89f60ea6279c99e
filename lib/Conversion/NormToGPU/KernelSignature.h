//===- KernelSignature.h - The arguments of a kernel ------------*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_KERNELSIGNATURE_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_KERNELSIGNATURE_H

#include "Evaluator.h"

namespace mlir::norm::kernel {

/// The types of the arguments of the kernel for a group.
SmallVector<Type> argumentTypes(GroupPlan &plan);

/// The arguments as what they are for, in batch 0.
KernelInputs inputsOf(KernelBuilder &b, GroupPlan &plan);
SmallVector<Evaluator::Output> outputsOf(KernelBuilder &b, GroupPlan &plan);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_KERNELSIGNATURE_H
