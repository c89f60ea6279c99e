//===- Optimize.h - Optimization of a model's LLVM IR -----------*- C++ -*-===//

#ifndef RENORM_LIB_EXECUTIONENGINE_OPTIMIZE_H
#define RENORM_LIB_EXECUTIONENGINE_OPTIMIZE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::norm {

/// Runs LLVM's O3 for `machine`, after making each loop nest a function of its
/// own and one function of those that are equal. A model becomes one function
/// of hundreds of nests, one after the other, and passes that ask for each what
/// all before it imply take quadratic time; and its layers do the same to other
/// arrays.
void optimizeModel(llvm::Module &module, llvm::TargetMachine *machine);

} // namespace mlir::norm

#endif // RENORM_LIB_EXECUTIONENGINE_OPTIMIZE_H
