//===- VectorFunctions.h - Functions of vectors in the C library *- C++ -*-===//

#ifndef RENORM_LIB_EXECUTIONENGINE_VECTORFUNCTIONS_H
#define RENORM_LIB_EXECUTIONENGINE_VECTORFUNCTIONS_H

namespace llvm {
class TargetLibraryInfoImpl;
} // namespace llvm

namespace mlir::norm {

/// Adds to `library` what this process has of glibc's libmvec, for registers
/// that this processor has: exp, erf and tanh of vectors of f32, exact to 4
/// units in the last place. Without it, or elsewhere, nothing.
void addVectorFunctions(llvm::TargetLibraryInfoImpl &library);

} // namespace mlir::norm

#endif // RENORM_LIB_EXECUTIONENGINE_VECTORFUNCTIONS_H
