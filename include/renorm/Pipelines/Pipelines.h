//===- Pipelines.h - Named pipelines ----------------------------*- C++ -*-===//

#ifndef RENORM_PIPELINES_PIPELINES_H
#define RENORM_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "renorm/Conversion/NormToGPU/NormToGPU.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;

namespace norm {

struct RenormToLLVMOptions : public PassPipelineOptions<RenormToLLVMOptions> {
  Option<bool> tileRows{*this, "tile-rows", llvm::cl::init(true),
                        llvm::cl::desc("Compute norms and groups row by row")};
  Option<int64_t> minimumElements{
      *this, "minimum-elements", llvm::cl::init(32768),
      llvm::cl::desc("Leave norms of tensors alone that are known to have "
                     "fewer elements")};
  Option<bool> fuseElementwise{
      *this, "fuse-elementwise", llvm::cl::init(true),
      llvm::cl::desc("Fuse elementwise operations into their only reader")};
  Option<bool> orderLoops{
      *this, "order-loops", llvm::cl::init(true),
      llvm::cl::desc("Order loops so that the innermost walks through memory")};
  Option<bool> matmulKernels{
      *this, "matmul-kernels", llvm::cl::init(true),
      llvm::cl::desc("Compute contractions by blocked, vectorized kernels")};
  Option<int64_t> vectorBits{
      *this, "vector-bits", llvm::cl::init(256),
      llvm::cl::desc("Width of the processor's vector registers: 128, 256 or "
                     "512. Any width gives the same numbers")};
  Option<int64_t> minimumProducts{
      *this, "minimum-products", llvm::cl::init(32768),
      llvm::cl::desc("Leave contractions alone that are known to have fewer "
                     "products")};
  Option<bool> checkShapes{
      *this, "check-shapes", llvm::cl::init(false),
      llvm::cl::desc("Check when run that dynamic extents and indices fit")};
};

/// `renorm-to-llvm`: from the `norm` dialect and linalg, tensor, arith, math,
/// scf, cf and ml_program on tensors to the LLVM dialect, for a CPU.
///
/// Public functions get a C interface: `_mlir_ciface_<name>` takes a pointer to
/// the descriptors of the results, if there are any, and one to the descriptor
/// of each argument. Tensors are row-major; arguments are not written to;
/// results are allocated with `malloc`, belong to the caller and never lie in
/// an argument, but two that are the same value lie in one allocation.
///
/// Functions of `math` become calls of libm or LLVM's intrinsics, never
/// polynomials. Reductions of norms and attention carry `reassoc`, so that
/// LLVM's loop vectorizer turns them into vector code; those of the program's
/// own linalg operations are computed in the order that they are written in.
/// Contractions are computed by `norm-call-matmul-kernels`, which keeps that
/// order, but rounds a product and its addition once where the processor can.
///
/// Extents that are dynamic are trusted to fit together. With `check-shapes`,
/// each operation asserts (`cf.assert`) that they do before it runs; nothing is
/// left of that where all extents are static.
void buildRenormToLLVMPipeline(OpPassManager &pm,
                               const RenormToLLVMOptions &options);

struct RenormToNVVMOptions : public PassPipelineOptions<RenormToNVVMOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_80"),
                           llvm::cl::desc("The GPU: sm_80 or a later one")};
  Option<F32Precision> f32Precision{
      *this, "f32-precision", llvm::cl::desc("How kernels multiply f32"),
      llvm::cl::init(F32Precision::IEEE),
      llvm::cl::values(clEnumValN(F32Precision::IEEE, "ieee", "in f32"),
                       clEnumValN(F32Precision::TF32, "tf32",
                                  "rounded to tf32, by tensor cores"))};
  Option<int64_t> splitK{
      *this, "split-k", llvm::cl::init(0),
      llvm::cl::desc("How many blocks the reduction of a tile is split among "
                     "at most; 0: chosen, 1: never split")};
  Option<std::string> format{
      *this, "format", llvm::cl::init("fatbin"),
      llvm::cl::desc(
          "Device code: fatbin or bin (by the CUDA toolkit's tools), "
          "isa (PTX), llvm (bitcode, which the emulator runs); none: "
          "leave kernels in the NVVM dialect and the host's code as "
          "it is")};
  Option<std::string> toolkit{
      *this, "toolkit", llvm::cl::init(""),
      llvm::cl::desc(
          "Folder of the CUDA toolkit; by default that of CUDA_ROOT, "
          "CUDA_HOME or CUDA_PATH")};
};

/// `renorm-to-nvvm`: from what `renorm-to-llvm` takes to kernels for an NVIDIA
/// GPU, one for each group of `norm-fuse` that `convert-norm-to-gpu` can make
/// one of, and the host's code in the LLVM dialect, which computes the rest.
///
/// The host's code has the interface that `renorm-to-llvm` gives it, and calls
/// the functions of MLIR's runtime for CUDA (`mgpuModuleLoad`,
/// `mgpuLaunchKernel` and so on). Kernels and host share their memory: what
/// `malloc` returns, and what arguments point to, must be visible to both.
void buildRenormToNVVMPipeline(OpPassManager &pm,
                               const RenormToNVVMOptions &options);

void registerRenormToNVVMPipeline();

/// Tells the passes of `renorm-to-nvvm` what `gpu.launch_func` does to memory.
void registerLaunchFuncEffects(DialectRegistry &registry);

/// Registers all of the above.
void registerRenormPipelines();

} // namespace norm
} // namespace mlir

#endif // RENORM_PIPELINES_PIPELINES_H
