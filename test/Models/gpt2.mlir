// Written by
//   python -m renorm.export --model GPT2Model --seed 0 -o test/Models/gpt2.mlir
// with torch 2.13.0+cpu, transformers 5.24.0, torch-mlir 20261001.
// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
#map13 = affine_map<(d0, d1) -> (d0, d1)>
#map14 = affine_map<(d0, d1) -> (d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<4x10xi64>,
      %arg1: tensor<97x96xf32> {norm.param = "wte.weight"},
      %arg2: tensor<32x96xf32> {norm.param = "wpe.weight"},
      %arg3: tensor<96xf32> {norm.param = "h.0.ln_1.weight"},
      %arg4: tensor<96xf32> {norm.param = "h.0.ln_1.bias"},
      %arg5: tensor<96x288xf32> {norm.param = "h.0.attn.c_attn.weight"},
      %arg6: tensor<288xf32> {norm.param = "h.0.attn.c_attn.bias"},
      %arg7: tensor<96x96xf32> {norm.param = "h.0.attn.c_proj.weight"},
      %arg8: tensor<96xf32> {norm.param = "h.0.attn.c_proj.bias"},
      %arg9: tensor<96xf32> {norm.param = "h.0.ln_2.weight"},
      %arg10: tensor<96xf32> {norm.param = "h.0.ln_2.bias"},
      %arg11: tensor<96x160xf32> {norm.param = "h.0.mlp.c_fc.weight"},
      %arg12: tensor<160xf32> {norm.param = "h.0.mlp.c_fc.bias"},
      %arg13: tensor<160x96xf32> {norm.param = "h.0.mlp.c_proj.weight"},
      %arg14: tensor<96xf32> {norm.param = "h.0.mlp.c_proj.bias"},
      %arg15: tensor<96xf32> {norm.param = "h.1.ln_1.weight"},
      %arg16: tensor<96xf32> {norm.param = "h.1.ln_1.bias"},
      %arg17: tensor<96x288xf32> {norm.param = "h.1.attn.c_attn.weight"},
      %arg18: tensor<288xf32> {norm.param = "h.1.attn.c_attn.bias"},
      %arg19: tensor<96x96xf32> {norm.param = "h.1.attn.c_proj.weight"},
      %arg20: tensor<96xf32> {norm.param = "h.1.attn.c_proj.bias"},
      %arg21: tensor<96xf32> {norm.param = "h.1.ln_2.weight"},
      %arg22: tensor<96xf32> {norm.param = "h.1.ln_2.bias"},
      %arg23: tensor<96x160xf32> {norm.param = "h.1.mlp.c_fc.weight"},
      %arg24: tensor<160xf32> {norm.param = "h.1.mlp.c_fc.bias"},
      %arg25: tensor<160x96xf32> {norm.param = "h.1.mlp.c_proj.weight"},
      %arg26: tensor<96xf32> {norm.param = "h.1.mlp.c_proj.bias"},
      %arg27: tensor<96xf32> {norm.param = "ln_f.weight"},
      %arg28: tensor<96xf32> {norm.param = "ln_f.bias"}) -> tensor<4x10x96xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c97 = arith.constant 97 : index
    %c32 = arith.constant 32 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0.79788456080286541 : f64
    %cst_6 = arith.constant 4.471500e-02 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %true = arith.constant true
    %cst_8 = arith.constant 9.600000e+01 : f64
    %cst_9 = arith.constant 9.600000e+01 : f32
    %cst_10 = arith.constant 2.500000e-01 : f32
    %cst_11 = arith.constant 5.000000e-01 : f32
    %cst_12 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x10x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %178 = arith.index_cast %in : i64 to index
      %179 = linalg.index 2 : index
      %180 = arith.cmpi slt, %178, %c97 : index
      cf.assert %180, "index must be smaller than dim size"
      %181 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %181, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%178, %179] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %2 = tensor.empty() : tensor<10xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %178 = linalg.index 0 : index
      %179 = arith.index_cast %178 : index to i64
      linalg.yield %179 : i64
    } -> tensor<10xi64>
    %expanded = tensor.expand_shape %3 [[0, 1]] output_shape [1, 10] : tensor<10xi64> into tensor<1x10xi64>
    %4 = tensor.empty() : tensor<1x10x96xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x10xi64>) outs(%4 : tensor<1x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %178 = arith.index_cast %in : i64 to index
      %179 = linalg.index 2 : index
      %180 = arith.cmpi slt, %178, %c32 : index
      cf.assert %180, "index must be smaller than dim size"
      %181 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %181, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%178, %179] : tensor<32x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x10x96xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<4x10x96xf32>, tensor<1x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %7 = tensor.empty() : tensor<4xi64>
    %8 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%7 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %178 = linalg.index 0 : index
      %179 = arith.index_cast %178 : index to i64
      linalg.yield %179 : i64
    } -> tensor<4xi64>
    %expanded_13 = tensor.expand_shape %8 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_14 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_15 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %9 = tensor.empty() : tensor<1x1x10x10xi1>
    %10 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %expanded_14 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%9 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_63: i64, %out: i1):
      %178 = arith.cmpi sle, %in, %in_63 : i64
      linalg.yield %178 : i1
    } -> tensor<1x1x10x10xi1>
    %11 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %10 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%9 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_63: i1, %out: i1):
      %178 = arith.andi %in, %in_63 : i1
      linalg.yield %178 : i1
    } -> tensor<1x1x10x10xi1>
    %12 = tensor.empty() : tensor<4x1x1x10xi1>
    %13 = linalg.generic {indexing_maps = [#map8, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_15 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%12 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_63: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %14 = tensor.empty() : tensor<4x1x10x10xi1>
    %15 = linalg.generic {indexing_maps = [#map10, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %13 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%14 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_63: i1, %out: i1):
      %178 = arith.andi %in, %in_63 : i1
      linalg.yield %178 : i1
    } -> tensor<4x1x10x10xi1>
    %16 = tensor.empty() : tensor<4x1x10x10xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map7, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%16 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_63: f32, %in_64: f32, %out: f32):
      %178 = arith.select %in, %in_63, %in_64 : f32
      linalg.yield %178 : f32
    } -> tensor<4x1x10x10xf32>
    %18 = tensor.empty() : tensor<4x10x96xf64>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x10x96xf32>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %178 = arith.extf %in : f32 to f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %20 = tensor.empty() : tensor<4x10x1xf64>
    %21 = linalg.fill ins(%cst : f64) outs(%20 : tensor<4x10x1xf64>) -> tensor<4x10x1xf64>
    %22 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %24 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %23 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.subf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %24 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.mulf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %26 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %28 = tensor.empty() : tensor<4x10x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x10x1xf64>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %178 = arith.truncf %in : f64 to f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<4x10x96xf32>) outs(%30 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.divf %in, %cst_9 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_7 : f64 to f32
      %179 = arith.addf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.rsqrt %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %32 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %34 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %arg3 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %arg4 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %collapsed = tensor.collapse_shape %38 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %39 = tensor.empty() : tensor<40x288xf32>
    %40 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<40x288xf32>) -> tensor<40x288xf32>
    %41 = linalg.matmul ins(%collapsed, %arg5 : tensor<40x96xf32>, tensor<96x288xf32>) outs(%40 : tensor<40x288xf32>) -> tensor<40x288xf32>
    %42 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%41, %arg6 : tensor<40x288xf32>, tensor<288xf32>) outs(%39 : tensor<40x288xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x288xf32>
    %expanded_16 = tensor.expand_shape %42 [[0, 1], [2]] output_shape [4, 10, 288] : tensor<40x288xf32> into tensor<4x10x288xf32>
    %extracted_slice = tensor.extract_slice %expanded_16[0, 0, 0] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %extracted_slice_17 = tensor.extract_slice %expanded_16[0, 0, 96] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %extracted_slice_18 = tensor.extract_slice %expanded_16[0, 0, 192] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %expanded_19 = tensor.expand_shape %extracted_slice_17 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %expanded_20 = tensor.expand_shape %extracted_slice_18 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %43 = tensor.empty() : tensor<4x6x10x16xf32>
    %transposed = linalg.transpose ins(%expanded_20 : tensor<4x10x6x16xf32>) outs(%43 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<4x10x6x16xf32>) outs(%43 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %44 = tensor.empty() : tensor<4x6x16x10xf32>
    %transposed_23 = linalg.transpose ins(%expanded_19 : tensor<4x10x6x16xf32>) outs(%44 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_24 = tensor.collapse_shape %transposed_22 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_25 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %45 = tensor.empty() : tensor<24x10x10xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %47 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%46 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_26 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %48 = tensor.empty() : tensor<4x6x10x10xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<4x6x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.mulf %in, %cst_10 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map15, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %17 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %51 = tensor.empty() : tensor<4x6x10xi64>
    %52 = linalg.fill ins(%c0_i64 : i64) outs(%51 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %53 = tensor.empty() : tensor<4x6x10xf32>
    %54 = linalg.fill ins(%cst_1 : f32) outs(%53 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %55:2 = linalg.generic {indexing_maps = [#map6, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<4x6x10x10xf32>) outs(%54, %52 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_63: i64):
      %178 = linalg.index 3 : index
      %179 = arith.index_cast %178 : index to i64
      %180 = arith.maximumf %in, %out : f32
      %181 = arith.cmpf ogt, %in, %out : f32
      %182 = arith.select %181, %179, %out_63 : i64
      linalg.yield %180, %182 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_27 = tensor.expand_shape %55#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %expanded_27 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<4x6x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.exp %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %58 = tensor.empty() : tensor<4x6x10x1xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %60 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x1xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %60 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.divf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_28 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_29 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %62 = tensor.empty() : tensor<24x10x16xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %64 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%63 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_30 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %65 = tensor.empty() : tensor<4x10x6x16xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<4x6x10x16xf32>) outs(%65 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %66 = tensor.empty() : tensor<40x96xf32>
    %67 = linalg.fill ins(%cst_0 : f32) outs(%66 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %68 = linalg.matmul ins(%collapsed_32, %arg7 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%67 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %69 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%68, %arg8 : tensor<40x96xf32>, tensor<96xf32>) outs(%66 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x96xf32>
    %expanded_33 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33, %6 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<4x10x96xf32>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %178 = arith.extf %in : f32 to f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %72 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %74 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %73 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.subf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %74 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.mulf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %76 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<4x10x1xf64>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %178 = arith.truncf %in : f64 to f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%70 : tensor<4x10x96xf32>) outs(%30 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.divf %in, %cst_9 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_7 : f64 to f32
      %179 = arith.addf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.rsqrt %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %80 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %82 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %arg9 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %arg10 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_34 = tensor.collapse_shape %86 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %87 = tensor.empty() : tensor<40x160xf32>
    %88 = linalg.fill ins(%cst_0 : f32) outs(%87 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %89 = linalg.matmul ins(%collapsed_34, %arg11 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %90 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%89, %arg12 : tensor<40x160xf32>, tensor<160xf32>) outs(%87 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x160xf32>
    %expanded_35 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %91 = tensor.empty() : tensor<4x10x160xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.mulf %in, %cst_11 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_6 : f64 to f32
      %179 = arith.mulf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %94 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_5 : f64 to f32
      %179 = arith.mulf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.tanh %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %cst_12 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %98 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_36 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %100 = linalg.matmul ins(%collapsed_36, %arg13 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%67 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %101 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%100, %arg14 : tensor<40x96xf32>, tensor<96xf32>) outs(%66 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x96xf32>
    %expanded_37 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %expanded_37 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<4x10x96xf32>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %178 = arith.extf %in : f32 to f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %104 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %106 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %105 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.subf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %107 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %106 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.mulf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %108 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%107 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %110 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<4x10x1xf64>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %178 = arith.truncf %in : f64 to f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102 : tensor<4x10x96xf32>) outs(%30 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.divf %in, %cst_9 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_7 : f64 to f32
      %179 = arith.addf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.rsqrt %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %112 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %114 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %arg15 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %arg16 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_38 = tensor.collapse_shape %118 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %119 = linalg.matmul ins(%collapsed_38, %arg17 : tensor<40x96xf32>, tensor<96x288xf32>) outs(%40 : tensor<40x288xf32>) -> tensor<40x288xf32>
    %120 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%119, %arg18 : tensor<40x288xf32>, tensor<288xf32>) outs(%39 : tensor<40x288xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x288xf32>
    %expanded_39 = tensor.expand_shape %120 [[0, 1], [2]] output_shape [4, 10, 288] : tensor<40x288xf32> into tensor<4x10x288xf32>
    %extracted_slice_40 = tensor.extract_slice %expanded_39[0, 0, 0] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %extracted_slice_41 = tensor.extract_slice %expanded_39[0, 0, 96] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %extracted_slice_42 = tensor.extract_slice %expanded_39[0, 0, 192] [4, 10, 96] [1, 1, 1] : tensor<4x10x288xf32> to tensor<4x10x96xf32>
    %expanded_43 = tensor.expand_shape %extracted_slice_41 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %expanded_44 = tensor.expand_shape %extracted_slice_42 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %transposed_45 = linalg.transpose ins(%expanded_44 : tensor<4x10x6x16xf32>) outs(%43 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_46 = tensor.expand_shape %extracted_slice_40 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %transposed_47 = linalg.transpose ins(%expanded_46 : tensor<4x10x6x16xf32>) outs(%43 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_48 = linalg.transpose ins(%expanded_43 : tensor<4x10x6x16xf32>) outs(%44 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_49 = tensor.collapse_shape %transposed_47 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_50 = tensor.collapse_shape %transposed_48 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %121 = linalg.batch_matmul ins(%collapsed_49, %collapsed_50 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%46 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_51 = tensor.expand_shape %121 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %122 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<4x6x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.mulf %in, %cst_10 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %123 = linalg.generic {indexing_maps = [#map6, #map15, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %17 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %124:2 = linalg.generic {indexing_maps = [#map6, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%123 : tensor<4x6x10x10xf32>) outs(%54, %52 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_63: i64):
      %178 = linalg.index 3 : index
      %179 = arith.index_cast %178 : index to i64
      %180 = arith.maximumf %in, %out : f32
      %181 = arith.cmpf ogt, %in, %out : f32
      %182 = arith.select %181, %179, %out_63 : i64
      linalg.yield %180, %182 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_52 = tensor.expand_shape %124#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %125 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %expanded_52 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<4x6x10x10xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.exp %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %127 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%126 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x1xf32>
    %128 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %127 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%48 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.divf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_53 = tensor.collapse_shape %128 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_54 = tensor.collapse_shape %transposed_45 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %129 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%63 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_55 = tensor.expand_shape %129 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<4x6x10x16xf32>) outs(%65 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_57 = tensor.collapse_shape %transposed_56 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %130 = linalg.matmul ins(%collapsed_57, %arg19 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%67 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %131 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%130, %arg20 : tensor<40x96xf32>, tensor<96xf32>) outs(%66 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x96xf32>
    %expanded_58 = tensor.expand_shape %131 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_58, %102 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<4x10x96xf32>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %178 = arith.extf %in : f32 to f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %134 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%133 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %135 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %136 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %135 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.subf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %137 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %136 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.mulf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %138 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%137 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %139 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %140 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<4x10x1xf64>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %178 = arith.truncf %in : f64 to f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%132 : tensor<4x10x96xf32>) outs(%30 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.divf %in, %cst_9 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_7 : f64 to f32
      %179 = arith.addf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.rsqrt %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %142 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %144 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %arg21 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %arg22 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_59 = tensor.collapse_shape %148 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %149 = linalg.matmul ins(%collapsed_59, %arg23 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %150 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%149, %arg24 : tensor<40x160xf32>, tensor<160xf32>) outs(%87 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x160xf32>
    %expanded_60 = tensor.expand_shape %150 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.mulf %in, %cst_11 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_6 : f64 to f32
      %179 = arith.mulf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_60, %153 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_5 : f64 to f32
      %179 = arith.mulf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.tanh %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %cst_12 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %157 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%91 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_61 = tensor.collapse_shape %158 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %159 = linalg.matmul ins(%collapsed_61, %arg25 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%67 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %160 = linalg.generic {indexing_maps = [#map13, #map14, #map13], iterator_types = ["parallel", "parallel"]} ins(%159, %arg26 : tensor<40x96xf32>, tensor<96xf32>) outs(%66 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<40x96xf32>
    %expanded_62 = tensor.expand_shape %160 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %expanded_62 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<4x10x96xf32>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %178 = arith.extf %in : f32 to f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %163 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%162 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %165 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %164 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.subf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %165 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%18 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_63: f64, %out: f64):
      %178 = arith.mulf %in, %in_63 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x96xf64>
    %167 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<4x10x96xf64>) outs(%21 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.addf %in, %out : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<4x10x1xf64>) outs(%20 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %178 = arith.divf %in, %cst_8 : f64
      linalg.yield %178 : f64
    } -> tensor<4x10x1xf64>
    %169 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<4x10x1xf64>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %178 = arith.truncf %in : f64 to f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%161 : tensor<4x10x96xf32>) outs(%30 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.addf %in, %out : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.divf %in, %cst_9 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = arith.truncf %cst_7 : f64 to f32
      %179 = arith.addf %in, %178 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %178 = math.rsqrt %in : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x1xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %171 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.subf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174, %173 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %arg27 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.mulf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176, %arg28 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_63: f32, %out: f32):
      %178 = arith.addf %in, %in_63 : f32
      linalg.yield %178 : f32
    } -> tensor<4x10x96xf32>
    return %177 : tensor<4x10x96xf32>
  }
}

