//===- FusionPasses.td - Norms into the matmuls around -----*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_FUSIONPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_FUSIONPASSES

include "mlir/Pass/PassBase.td"

def NormSplitStatsPass : Pass<"norm-split-stats", "::mlir::ModuleOp"> {
  let summary = "Split norms into statistics and their application";
  let description = [{
    Replaces every norm by its two halves, `norm.row_stats` and `norm.apply_stats`,
    so that they can move apart: the statistics into what computes the value, the
    application past what reads it. Norms of one value that divide by the same
    statistics share them.

    With `group-size` the statistics are computed of groups of that many elements
    and merged by `norm.merge_stats`, as a matmul does that computes a row in tiles.

    **What is refused**, with a remark, leaving the norm as it is: statistics in
    another type than `f64` of an `f64` input and `f32` of any other; with
    `group-size`, a norm along several axes or one of dynamic extent.

    **Numerics**: reassociating. The mean of a LayerNorm is rounded to the type of
    the statistics, so that a result is off by up to 2^-24 |mean| / deviation more
    (2^-53 for `f64`); other results only differ where statistics are merged.

    **Order**: after every pass that reads or moves norms: the halves are none to
    them.

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>, %g: tensor<320xbf16>) -> tensor<4x320xbf16> {
      %0 = norm.rms_norm %x scale(%g : tensor<320xbf16>) epsilon = 1.0e-06 : tensor<4x320xbf16>
      return %0 : tensor<4x320xbf16>
    }
    ```
    ```mlir
    // after norm-split-stats{group-size=128}
    func.func @example(%x: tensor<4x320xbf16>, %g: tensor<320xbf16>) -> tensor<4x320xbf16> {
      %0 = norm.row_stats rms %x group_size = 128 : tensor<4x320xbf16>
      %1 = norm.merge_stats rms %0 group_size = 128 extent = 320 : tensor<4x3xf32>
      %2 = norm.apply_stats rms %x stats(%1 : tensor<4xf32>) scale(%g : tensor<320xbf16>)
             epsilon = 1.0e-06 : tensor<4x320xbf16> -> tensor<4x320xbf16>
      return %2 : tensor<4x320xbf16>
    }
    ```
  }];
  let options = [
    Option<"groupSize", "group-size", "int64_t", /*default=*/"0",
           "Elements whose statistics are computed together; 0: the whole row">
  ];
  let dependentDialects = ["::mlir::norm::NormDialect"];
}

def NormDeferApplyPass : Pass<"norm-defer-apply", "::mlir::ModuleOp"> {
  let summary = "Apply norms after the matmuls that read them";
  let description = [{
    Moves the application of a norm past the linear maps that read it, so that these
    read the value itself, and nothing passes over it between the statistics and the
    matmul. With the statistics of x,

        layer     norm(x) W = (x W - mean colsum(W)) / r
        rms, l2   norm(x) W = x W / r

    where r is the normalizer of each row and colsum(W) the sums over what is summed
    over. Matmuls that read one norm (query, key and value; gate and up) share its
    statistics. A bias that is added later is added after the division.

    The sums are of the weights as they are, rounded to their type: those of weights
    that are not rounded would be off by far more than the result's last place where
    the mean is large beside the deviation. They are constants where the weight is
    constant; with `weights=prepare` those of a weight that is an argument are
    computed in a function of their own, as `norm-fold-affine` does.

    **What is refused**, with a remark, leaving the application where it is: a norm
    of which any reader is not a matmul that sums over exactly the normalized
    dimensions; one with a scale or bias, which `norm-fold-affine` folds before; a
    matmul that sums in a narrower type than the statistics', since what protects
    its sums is the normalization; one that does not begin at 0; rows that are
    sliced, repeated or reordered on the way; for `layer`, a weight that is not known
    as said.

    **Numerics**: reassociating. For `layer`, what is rounded is relative to
    |mean colsum(W)| and no longer to the result, so that rows far from zero lose
    digits: with f32 sums, about 2^-24 |mean| / deviation.

    **Order**: after `norm-split-stats`, which makes what it moves.

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>, %w: tensor<320x64xbf16>) -> tensor<4x64xf32> {
      %zero = arith.constant 0.0 : f32
      %0 = norm.row_stats rms %x : tensor<4x320xbf16>
      %1 = norm.apply_stats rms %x stats(%0 : tensor<4xf32>) epsilon = 1.0e-06
             : tensor<4x320xbf16> -> tensor<4x320xbf16>
      %empty = tensor.empty() : tensor<4x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
      %2 = linalg.matmul ins(%1, %w : tensor<4x320xbf16>, tensor<320x64xbf16>)
                         outs(%init : tensor<4x64xf32>) -> tensor<4x64xf32>
      return %2 : tensor<4x64xf32>
    }
    ```
    ```mlir
    // after norm-defer-apply
    func.func @example(%x: tensor<4x320xbf16>, %w: tensor<320x64xbf16>) -> tensor<4x64xf32> {
      %zero = arith.constant 0.0 : f32
      %0 = norm.row_stats rms %x : tensor<4x320xbf16>
      %empty = tensor.empty() : tensor<4x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
      %1 = linalg.matmul ins(%x, %w : tensor<4x320xbf16>, tensor<320x64xbf16>)
                         outs(%init : tensor<4x64xf32>) -> tensor<4x64xf32>
      %2 = norm.apply_stats rms %1 stats(%0 : tensor<4xf32>) epsilon = 1.0e-06
             : tensor<4x64xf32> -> tensor<4x64xf32>
      return %2 : tensor<4x64xf32>
    }
    ```
  }];
  let options = [
    Option<"weights", "weights", "::mlir::norm::WeightPolicy",
           "::mlir::norm::WeightPolicy::Constant", "The weights whose columns may be summed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::WeightPolicy::Constant, "constant", "constants"),
             clEnumValN(::mlir::norm::WeightPolicy::Prepare, "prepare", "arguments too, computed in a function that need run only once"))}]>,
  ];
  let statistics = [
    Statistic<"numDeferred", "deferred", "Norms that are applied after their matmuls">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::norm::NormDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormFusePass : Pass<"norm-fuse", "::mlir::ModuleOp"> {
  let summary = "Fuse norms and matmuls into kernels";
  let description = [{
    Puts every matmul and every norm into a `norm.fusion`, which becomes one kernel.
  }];
  let options = [
    Option<"target", "target", "::mlir::norm::FusionTarget",
           "::mlir::norm::FusionTarget::CPU", "What the kernels are for",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::FusionTarget::CPU, "cpu", "a CPU"),
             clEnumValN(::mlir::norm::FusionTarget::SM80, "sm_80", "NVIDIA Ampere"),
             clEnumValN(::mlir::norm::FusionTarget::SM90a, "sm_90a", "NVIDIA Hopper"))}]>,
    Option<"weights", "weights", "::mlir::norm::WeightPolicy",
           "::mlir::norm::WeightPolicy::Constant", "The weights whose columns may be summed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::WeightPolicy::Constant, "constant", "constants"),
             clEnumValN(::mlir::norm::WeightPolicy::Prepare, "prepare", "arguments too, computed in a function that need run only once"))}]>,
  ];
  let statistics = [
    Statistic<"numFused", "fused", "Kernels that were made">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::norm::NormDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormInlineFusionPass : Pass<"norm-inline-fusion", "::mlir::ModuleOp"> {
  let summary = "Replace every norm.fusion by what it was made of";
  let description = [{
    The inverse of the last step of `norm-fuse`: the region of each `norm.fusion` takes
    the operation's place.

    **Numerics**: `bitwise`.

    ```mlir
    func.func @example(%x: tensor<4x320xf32>) -> tensor<4x320xf32> {
      %0 = norm.fusion strategies = [row_kernel] (%a = %x : tensor<4x320xf32>) -> (tensor<4x320xf32>) {
        %1 = norm.l2_norm %a epsilon = 1.0e-06 : tensor<4x320xf32>
        norm.yield %1 : tensor<4x320xf32>
      }
      return %0 : tensor<4x320xf32>
    }
    ```
    ```mlir
    // after norm-inline-fusion
    func.func @example(%x: tensor<4x320xf32>) -> tensor<4x320xf32> {
      %0 = norm.l2_norm %x epsilon = 1.0e-06 : tensor<4x320xf32>
      return %0 : tensor<4x320xf32>
    }
    ```
  }];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_FUSIONPASSES
