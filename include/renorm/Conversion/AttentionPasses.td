//===- AttentionPasses.td - Attention for kernels ----------*- tablegen -*-===//

#ifndef RENORM_CONVERSION_ATTENTIONPASSES
#define RENORM_CONVERSION_ATTENTIONPASSES

include "mlir/Pass/PassBase.td"

def NormDecomposeAttentionPass : Pass<"norm-decompose-attention", "::mlir::ModuleOp"> {
  let summary = "Decompose attention into what becomes kernels";
  let description = [{
    Replaces `norm.attention` by the sequence that `norm-fuse` and
    `convert-norm-to-gpu` make kernels of:

    1. `query key^T`, a batched contraction, with scale, soft cap, mask, causality and
       window;
    2. of each row of these logits the maximum, the exponentials of what is left of it,
       and one by their sum;
    3. `exponentials value`, a batched contraction, and its rows times that.

    On `sm_80` that is one kernel for 1 and 2 where there are up to 256 keys, else one
    for each, and one for 3. The logits, where they are stored, are in the compute
    type. Query heads that share keys and values are rows of one product: no key is
    copied.

    **Refused**, with a remark, and left as it is: attention with a dynamic number of
    heads or keys or dynamic widths of heads, and in f64. The numbers of batches and
    queries, and the extents of a mask, may be dynamic.

    **Numerics**: `reassociating`, with a rounding that the operation does not have:
    the exponentials, which are from 0 to 1, are rounded to the type of the value, so
    that they are multiplied as such. Their sum is that of the rounded ones, in the
    compute type: the result is a mean of values with weights that are off by half a
    unit of the value's type, each. Where the value has the compute type no rounding
    is added. Rows are divided by their sum after the second contraction.

    **Order**: before `norm-fuse`; part of `renorm-to-nvvm`.

    ```mlir
    func.func @example(%q: tensor<3x10x16xbf16>, %k: tensor<3x12x16xbf16>, %v: tensor<3x12x8xbf16>)
        -> tensor<3x10x8xbf16> {
      %0 = norm.attention %q, %k, %v scale = 0.25 : tensor<3x10x16xbf16>, tensor<3x12x16xbf16>, tensor<3x12x8xbf16>
      return %0 : tensor<3x10x8xbf16>
    }
    ```
    ```mlir
    // after norm-decompose-attention
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
    #map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
    #map5 = affine_map<(d0, d1) -> (d0, d1)>
    #map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
    func.func @example(%arg0: tensor<3x10x16xbf16>, %arg1: tensor<3x12x16xbf16>, %arg2: tensor<3x12x8xbf16>) -> tensor<3x10x8xbf16> {
      %0 = tensor.empty() : tensor<3x10x12xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x10x12xf32>) -> tensor<3x10x12xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x10x16xbf16>, tensor<3x12x16xbf16>) outs(%1 : tensor<3x10x12xf32>) {
      ^bb0(%in: bf16, %in_4: bf16, %out: f32):
        %20 = arith.extf %in : bf16 to f32
        %21 = arith.extf %in_4 : bf16 to f32
        %22 = arith.mulf %20, %21 fastmath<reassoc,contract> : f32
        %23 = arith.addf %out, %22 fastmath<reassoc,contract> : f32
        linalg.yield %23 : f32
      } -> tensor<3x10x12xf32>
      %cst_0 = arith.constant 2.500000e-01 : f32
      %3 = tensor.empty() : tensor<3x10x12xf32>
      %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<3x10x12xf32>) outs(%3 : tensor<3x10x12xf32>) {
      ^bb0(%in: f32, %out: f32):
        %20 = arith.mulf %in, %cst_0 : f32
        linalg.yield %20 : f32
      } -> tensor<3x10x12xf32>
      %5 = tensor.empty() : tensor<3x10xf32>
      %cst_1 = arith.constant 0xFF800000 : f32
      %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<3x10xf32>) -> tensor<3x10xf32>
      %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<3x10x12xf32>) outs(%6 : tensor<3x10xf32>) {
      ^bb0(%in: f32, %out: f32):
        %20 = arith.maximumf %out, %in : f32
        linalg.yield %20 : f32
      } -> tensor<3x10xf32>
      %8 = tensor.empty() : tensor<3x10x12xbf16>
      %9 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %7 : tensor<3x10x12xf32>, tensor<3x10xf32>) outs(%8 : tensor<3x10x12xbf16>) {
      ^bb0(%in: f32, %in_4: f32, %out: bf16):
        %20 = arith.subf %in, %in_4 : f32
        %21 = math.exp %20 : f32
        %22 = arith.truncf %21 : f32 to bf16
        linalg.yield %22 : bf16
      } -> tensor<3x10x12xbf16>
      %10 = tensor.empty() : tensor<3x10xf32>
      %cst_2 = arith.constant 0.000000e+00 : f32
      %11 = linalg.fill ins(%cst_2 : f32) outs(%10 : tensor<3x10xf32>) -> tensor<3x10xf32>
      %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<3x10x12xbf16>) outs(%11 : tensor<3x10xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %20 = arith.extf %in : bf16 to f32
        %21 = arith.addf %out, %20 fastmath<reassoc,contract> : f32
        linalg.yield %21 : f32
      } -> tensor<3x10xf32>
      %13 = tensor.empty() : tensor<3x10xf32>
      %14 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<3x10xf32>) outs(%13 : tensor<3x10xf32>) {
      ^bb0(%in: f32, %out: f32):
        %cst_4 = arith.constant 1.000000e+00 : f32
        %20 = arith.divf %cst_4, %in : f32
        linalg.yield %20 : f32
      } -> tensor<3x10xf32>
      %15 = tensor.empty() : tensor<3x10x8xf32>
      %cst_3 = arith.constant 0.000000e+00 : f32
      %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<3x10x8xf32>) -> tensor<3x10x8xf32>
      %17 = linalg.generic {indexing_maps = [#map, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9, %arg2 : tensor<3x10x12xbf16>, tensor<3x12x8xbf16>) outs(%16 : tensor<3x10x8xf32>) {
      ^bb0(%in: bf16, %in_4: bf16, %out: f32):
        %20 = arith.extf %in : bf16 to f32
        %21 = arith.extf %in_4 : bf16 to f32
        %22 = arith.mulf %20, %21 fastmath<reassoc,contract> : f32
        %23 = arith.addf %out, %22 fastmath<reassoc,contract> : f32
        linalg.yield %23 : f32
      } -> tensor<3x10x8xf32>
      %18 = tensor.empty() : tensor<3x10x8xbf16>
      %19 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %14 : tensor<3x10x8xf32>, tensor<3x10xf32>) outs(%18 : tensor<3x10x8xbf16>) {
      ^bb0(%in: f32, %in_4: f32, %out: bf16):
        %20 = arith.mulf %in, %in_4 : f32
        %21 = arith.truncf %20 : f32 to bf16
        linalg.yield %21 : bf16
      } -> tensor<3x10x8xbf16>
      return %19 : tensor<3x10x8xbf16>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // RENORM_CONVERSION_ATTENTIONPASSES
