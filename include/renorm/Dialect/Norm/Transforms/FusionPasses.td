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
    Puts every matmul and every norm into a `norm.fusion`, which becomes one kernel,
    with the operations around it that need not pass through memory.

    **Groups.** A group is formed around one matmul (a linalg contraction, also a
    batched one), its root, or of none. An operation joins the group that computes one
    of its operands, the last one if there are several, where

    - its elements stay with the tile of rows and columns that a kernel computes:
      elementwise operations (bias, activation, gate, residual add), reshapes,
      transposes, slices and concatenations of columns that lie in one tile (RoPE),
      norms over columns that the kernel holds, and halves of norms; sums, maxima and
      minima that linalg makes of such columns (a softmax), and what reads one of them
      along its row;
    - nothing that it reads from outside is computed from the group, by way of other
      groups or not. So no two groups wait for each other, and calls keep their order.

    A value that is read outside is stored once, whatever else reads it. A weight that
    is transposed is read as it lies, and a constant of one number, the merging of
    statistics and the application of a norm that all readers do themselves are
    computed by each kernel that needs them.

    **Strategies.** Each norm is computed in the way that moves the fewest bytes. With
    an activation of S bytes, n kernels that read it, and T bytes of statistics:

    | strategy | moves | where |
    |---|---|---|
    | `grouped_rows`, `whole_row` | S (1 + n), and S where the input is read elsewhere; 0 where only its own kernel reads the result | its columns fit the target's kernels |
    | `two_kernel_stats`, `deferred` | S (1 + n) + T (1 + n) | every reader is a matmul or in the epilogue of one |
    | `row_kernel` | S (3 + n) | always |

    T is 4 bytes for each row, tile of columns and statistic. Of norms whose statistics
    go with the value, those that `norm-defer-apply` can defer are applied to the sums
    of the matmuls (`deferred`), which read the value itself; the others are applied
    by the readers to what they load.

    | target | columns of a tile | widest group of columns | widest row |
    |---|---|---|---|
    | `cpu` | all | all | 8192 |
    | `sm_80` | 128 | 128 | 256 |
    | `sm_90a` | 256 | 256 | 2048 |

    **Remarks.** Each norm: the strategy and its bytes, those of the other ways, and why
    a way cannot be taken. Each kernel: how many operations it is in place of, and the
    bytes that it and they move. Each function: kernels, passes over activations of the
    residual stream's size and bytes, before and after, where before every operation
    is a kernel. A dynamic extent counts as 1. A matmul or residual add that is in no
    kernel: why.

    **What is left alone**: attention, unless `norm-decompose-attention` made matmuls
    and a softmax of it; convolutions; contractions of integers; norms
    that are marked `norm.dropped`; and operations with regions other than linalg's,
    whose bodies are fused for themselves.

    **Numerics**: forming groups is `bitwise` (see `norm-inline-fusion`). Norms that are
    split or deferred are `reassociating`, as `norm-split-stats` and `norm-defer-apply`
    say.

    **Order**: after every pass that reads or moves norms; `norm-fold-affine` before it
    lets more norms be deferred.

    ```mlir
    func.func @example(%r: tensor<64x512xbf16>, %a: tensor<64x1024xbf16>, %w0: tensor<1024x512xbf16>,
                       %w1: tensor<512x128xbf16>) -> (tensor<64x512xbf16>, tensor<64x128xf32>) {
      %zero = arith.constant 0.0 : f32
      %zero16 = arith.constant 0.0 : bf16
      %e0 = tensor.empty() : tensor<64x512xbf16>
      %i0 = linalg.fill ins(%zero16 : bf16) outs(%e0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
      %0 = linalg.matmul ins(%a, %w0 : tensor<64x1024xbf16>, tensor<1024x512xbf16>)
                         outs(%i0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
      %1 = norm.residual_add %r, %0 : tensor<64x512xbf16>
      %2 = norm.rms_norm %1 epsilon = 1.0e-06 : tensor<64x512xbf16>
      %e1 = tensor.empty() : tensor<64x128xf32>
      %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x128xf32>) -> tensor<64x128xf32>
      %3 = linalg.matmul ins(%2, %w1 : tensor<64x512xbf16>, tensor<512x128xbf16>)
                         outs(%i1 : tensor<64x128xf32>) -> tensor<64x128xf32>
      return %1, %3 : tensor<64x512xbf16>, tensor<64x128xf32>
    }
    ```
    ```mlir
    // after norm-fuse{target=sm_80},canonicalize
    func.func @example(%r: tensor<64x512xbf16>, %a: tensor<64x1024xbf16>, %w0: tensor<1024x512xbf16>,
                       %w1: tensor<512x128xbf16>) -> (tensor<64x512xbf16>, tensor<64x128xf32>) {
      %0:2 = norm.fusion strategies = [two_kernel_stats]
          (%x = %a : tensor<64x1024xbf16>, %w = %w0 : tensor<1024x512xbf16>, %skip = %r : tensor<64x512xbf16>)
          -> (tensor<64x512xbf16>, tensor<64x4xf32>) {
        %zero = arith.constant 0.0 : bf16
        %2 = tensor.empty() : tensor<64x512xbf16>
        %3 = linalg.fill ins(%zero : bf16) outs(%2 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
        %4 = linalg.matmul ins(%x, %w : tensor<64x1024xbf16>, tensor<1024x512xbf16>)
                           outs(%3 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
        %5 = norm.residual_add %skip, %4 : tensor<64x512xbf16>
        %6 = norm.row_stats rms %5 group_size = 128 : tensor<64x512xbf16>
        norm.yield %5, %6 : tensor<64x512xbf16>, tensor<64x4xf32>
      }
      %1 = norm.fusion strategies = [deferred]
          (%x = %0#0 : tensor<64x512xbf16>, %w = %w1 : tensor<512x128xbf16>, %s = %0#1 : tensor<64x4xf32>)
          -> (tensor<64x128xf32>) {
        %zero = arith.constant 0.0 : f32
        %2 = tensor.empty() : tensor<64x128xf32>
        %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
        %4 = linalg.matmul ins(%x, %w : tensor<64x512xbf16>, tensor<512x128xbf16>)
                           outs(%3 : tensor<64x128xf32>) -> tensor<64x128xf32>
        %5 = norm.merge_stats rms %s group_size = 128 extent = 512 : tensor<64x4xf32>
        %6 = norm.apply_stats rms %4 stats(%5 : tensor<64xf32>) epsilon = 1.0e-06
               : tensor<64x128xf32> -> tensor<64x128xf32>
        norm.yield %6 : tensor<64x128xf32>
      }
      return %0#0, %1 : tensor<64x512xbf16>, tensor<64x128xf32>
    }
    ```
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
                           "::mlir::norm::NormDialect", "::mlir::tensor::TensorDialect"];
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
