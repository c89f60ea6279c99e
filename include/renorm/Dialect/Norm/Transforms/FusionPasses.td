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

#endif // RENORM_DIALECT_NORM_TRANSFORMS_FUSIONPASSES
