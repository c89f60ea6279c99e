// Written by
//   python -m renorm.export --model Olmo2Model --seed 0 -o test/Models/olmo2.mlir
// with torch 2.13.0+cpu, transformers 5.24.0, torch-mlir 20261001.
// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map11 = affine_map<(d0, d1, d2) -> (d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<4x10xi64>,
      %arg1: tensor<97x96xf32> {norm.param = "embed_tokens.weight"},
      %arg2: tensor<96x96xf32> {norm.param = "layers.0.self_attn.q_proj.weight"},
      %arg3: tensor<32x96xf32> {norm.param = "layers.0.self_attn.k_proj.weight"},
      %arg4: tensor<32x96xf32> {norm.param = "layers.0.self_attn.v_proj.weight"},
      %arg5: tensor<96x96xf32> {norm.param = "layers.0.self_attn.o_proj.weight"},
      %arg6: tensor<96xf32> {norm.param = "layers.0.self_attn.q_norm.weight"},
      %arg7: tensor<32xf32> {norm.param = "layers.0.self_attn.k_norm.weight"},
      %arg8: tensor<160x96xf32> {norm.param = "layers.0.mlp.gate_proj.weight"},
      %arg9: tensor<160x96xf32> {norm.param = "layers.0.mlp.up_proj.weight"},
      %arg10: tensor<96x160xf32> {norm.param = "layers.0.mlp.down_proj.weight"},
      %arg11: tensor<96xf32> {norm.param = "layers.0.post_attention_layernorm.weight"},
      %arg12: tensor<96xf32> {norm.param = "layers.0.post_feedforward_layernorm.weight"},
      %arg13: tensor<96x96xf32> {norm.param = "layers.1.self_attn.q_proj.weight"},
      %arg14: tensor<32x96xf32> {norm.param = "layers.1.self_attn.k_proj.weight"},
      %arg15: tensor<32x96xf32> {norm.param = "layers.1.self_attn.v_proj.weight"},
      %arg16: tensor<96x96xf32> {norm.param = "layers.1.self_attn.o_proj.weight"},
      %arg17: tensor<96xf32> {norm.param = "layers.1.self_attn.q_norm.weight"},
      %arg18: tensor<32xf32> {norm.param = "layers.1.self_attn.k_norm.weight"},
      %arg19: tensor<160x96xf32> {norm.param = "layers.1.mlp.gate_proj.weight"},
      %arg20: tensor<160x96xf32> {norm.param = "layers.1.mlp.up_proj.weight"},
      %arg21: tensor<96x160xf32> {norm.param = "layers.1.mlp.down_proj.weight"},
      %arg22: tensor<96xf32> {norm.param = "layers.1.post_attention_layernorm.weight"},
      %arg23: tensor<96xf32> {norm.param = "layers.1.post_feedforward_layernorm.weight"},
      %arg24: tensor<96xf32> {norm.param = "norm.weight"}) -> tensor<4x10x96xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c97 = arith.constant 97 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense<[1.000000e+00, 0.316227764, 1.000000e-01, 0.0316227786, 0.00999999977, 0.00316227786, 1.000000e-03, 3.16227786E-4]> : tensor<8xf32>
    %true = arith.constant true
    %cst_7 = arith.constant 9.600000e+01 : f32
    %cst_8 = arith.constant 3.200000e+01 : f32
    %cst_9 = arith.constant 2.500000e-01 : f32
    %0 = tensor.empty() : tensor<4x10x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.index_cast %in : i64 to index
      %180 = linalg.index 2 : index
      %181 = arith.cmpi slt, %179, %c97 : index
      cf.assert %181, "index must be smaller than dim size"
      %182 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %182, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%179, %180] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %2 = tensor.empty() : tensor<10xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %179 = linalg.index 0 : index
      %180 = arith.index_cast %179 : index to i64
      linalg.yield %180 : i64
    } -> tensor<10xi64>
    %4 = tensor.empty() : tensor<4xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %179 = linalg.index 0 : index
      %180 = arith.index_cast %179 : index to i64
      linalg.yield %180 : i64
    } -> tensor<4xi64>
    %expanded = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_10 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_11 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %6 = tensor.empty() : tensor<1x1x10x10xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %expanded_10 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_90: i64, %out: i1):
      %179 = arith.cmpi sle, %in, %in_90 : i64
      linalg.yield %179 : i1
    } -> tensor<1x1x10x10xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %179 = arith.andi %in, %in_90 : i1
      linalg.yield %179 : i1
    } -> tensor<1x1x10x10xi1>
    %9 = tensor.empty() : tensor<4x1x1x10xi1>
    %10 = linalg.generic {indexing_maps = [#map7, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%9 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_90: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %11 = tensor.empty() : tensor<4x1x10x10xi1>
    %12 = linalg.generic {indexing_maps = [#map9, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%11 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %179 = arith.andi %in, %in_90 : i1
      linalg.yield %179 : i1
    } -> tensor<4x1x10x10xi1>
    %13 = tensor.empty() : tensor<4x1x10x10xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%13 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_90: f32, %in_91: f32, %out: f32):
      %179 = arith.select %in, %in_90, %in_91 : f32
      linalg.yield %179 : f32
    } -> tensor<4x1x10x10xf32>
    %expanded_12 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 10, 1] : tensor<10xi64> into tensor<1x10x1xi64>
    %15 = tensor.empty() : tensor<1x10x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x10x1xi64>) outs(%15 : tensor<1x10x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %179 = arith.sitofp %in : i64 to f32
      linalg.yield %179 : f32
    } -> tensor<1x10x1xf32>
    %17 = tensor.empty() : tensor<1x10x8xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_6 : tensor<1x10x1xf32>, tensor<8xf32>) outs(%17 : tensor<1x10x8xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<1x10x8xf32>
    %concat = tensor.concat dim(2) %18, %18 : (tensor<1x10x8xf32>, tensor<1x10x8xf32>) -> tensor<1x10x16xf32>
    %19 = tensor.empty() : tensor<1x10x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.cos %in : f32
      linalg.yield %179 : f32
    } -> tensor<1x10x16xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.sin %in : f32
      linalg.yield %179 : f32
    } -> tensor<1x10x16xf32>
    %22 = tensor.empty() : tensor<96x96xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x96xf32>) outs(%22 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %23 = tensor.empty() : tensor<40x96xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<40x96xf32>, tensor<96x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_13 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %27 = tensor.empty() : tensor<4x10x1xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13, %32 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %34 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6, %33 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %35 = tensor.empty() : tensor<96x32xf32>
    %transposed_14 = linalg.transpose ins(%arg3 : tensor<32x96xf32>) outs(%35 : tensor<96x32xf32>) permutation = [1, 0] 
    %36 = tensor.empty() : tensor<40x32xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %38 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%37 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_15 = tensor.expand_shape %38 [[0, 1], [2]] output_shape [4, 10, 32] : tensor<40x32xf32> into tensor<4x10x32xf32>
    %39 = tensor.empty() : tensor<4x10x32xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<4x10x32xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<4x10x32xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_8 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_15, %44 : tensor<4x10x32xf32>, tensor<4x10x1xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %46 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7, %45 : tensor<32xf32>, tensor<4x10x32xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %transposed_16 = linalg.transpose ins(%arg4 : tensor<32x96xf32>) outs(%35 : tensor<96x32xf32>) permutation = [1, 0] 
    %47 = linalg.matmul ins(%collapsed, %transposed_16 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%37 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_17 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %48 = tensor.empty() : tensor<4x6x10x16xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<4x10x6x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_19 = tensor.expand_shape %46 [[0], [1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<4x10x32xf32> into tensor<4x10x2x16xf32>
    %49 = tensor.empty() : tensor<4x2x10x16xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<4x10x2x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %47 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<4x10x2x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_23 = tensor.expand_shape %20 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xf32> into tensor<1x1x10x16xf32>
    %expanded_24 = tensor.expand_shape %21 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xf32> into tensor<1x1x10x16xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18, %expanded_23 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %extracted_slice = tensor.extract_slice %transposed_18[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %extracted_slice_25 = tensor.extract_slice %transposed_18[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %51 = tensor.empty() : tensor<4x6x10x8xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<4x6x10x8xf32>) outs(%51 : tensor<4x6x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x8xf32>
    %concat_26 = tensor.concat dim(3) %52, %extracted_slice : (tensor<4x6x10x8xf32>, tensor<4x6x10x8xf32>) -> tensor<4x6x10x16xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_26, %expanded_24 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<4x6x10x16xf32>, tensor<4x6x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20, %expanded_23 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %extracted_slice_27 = tensor.extract_slice %transposed_20[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_20[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %56 = tensor.empty() : tensor<4x2x10x8xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28 : tensor<4x2x10x8xf32>) outs(%56 : tensor<4x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x8xf32>
    %concat_29 = tensor.concat dim(3) %57, %extracted_slice_27 : (tensor<4x2x10x8xf32>, tensor<4x2x10x8xf32>) -> tensor<4x2x10x16xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_29, %expanded_24 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<4x2x10x16xf32>, tensor<4x2x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %60 = tensor.empty() : tensor<4x2x3x10x16xf32>
    %61 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<4x2x10x16xf32>) outs(%60 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %collapsed_30 = tensor.collapse_shape %61 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<4x6x10x16xf32>
    %62 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<4x2x10x16xf32>) outs(%60 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %63 = tensor.empty() : tensor<4x6x16x10xf32>
    %transposed_31 = linalg.transpose ins(%collapsed_30 : tensor<4x6x10x16xf32>) outs(%63 : tensor<4x6x16x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_32 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %64 = tensor.empty() : tensor<24x10x10xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %66 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%65 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_34 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %67 = tensor.empty() : tensor<4x6x10x10xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<4x6x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.mulf %in, %cst_9 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %70 = tensor.empty() : tensor<4x6x10xi64>
    %71 = linalg.fill ins(%c0_i64 : i64) outs(%70 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %72 = tensor.empty() : tensor<4x6x10xf32>
    %73 = linalg.fill ins(%cst_0 : f32) outs(%72 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %74:2 = linalg.generic {indexing_maps = [#map5, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<4x6x10x10xf32>) outs(%73, %71 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_90: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_90 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_35 = tensor.expand_shape %74#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %expanded_35 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.subf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<4x6x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %77 = tensor.empty() : tensor<4x6x10x1xf32>
    %78 = linalg.fill ins(%cst : f32) outs(%77 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<4x6x10x10xf32>) outs(%78 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x1xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %79 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.divf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_36 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_37 = tensor.collapse_shape %62 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<24x10x16xf32>
    %81 = tensor.empty() : tensor<24x10x16xf32>
    %82 = linalg.fill ins(%cst : f32) outs(%81 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %83 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%82 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_38 = tensor.expand_shape %83 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %84 = tensor.empty() : tensor<4x10x6x16xf32>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<4x6x10x16xf32>) outs(%84 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_40 = linalg.transpose ins(%arg5 : tensor<96x96xf32>) outs(%22 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_41 = tensor.collapse_shape %transposed_39 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %85 = linalg.matmul ins(%collapsed_41, %transposed_40 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_42 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%86 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %90 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %92 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %91 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %92 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %94 = tensor.empty() : tensor<96x160xf32>
    %transposed_43 = linalg.transpose ins(%arg8 : tensor<160x96xf32>) outs(%94 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_44 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %95 = tensor.empty() : tensor<40x160xf32>
    %96 = linalg.fill ins(%cst : f32) outs(%95 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %97 = linalg.matmul ins(%collapsed_44, %transposed_43 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%96 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_45 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %98 = tensor.empty() : tensor<4x10x160xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      %180 = math.exp %179 : f32
      %181 = arith.addf %180, %cst_1 : f32
      %182 = arith.divf %cst_1, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<4x10x160xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45, %99 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %transposed_46 = linalg.transpose ins(%arg9 : tensor<160x96xf32>) outs(%94 : tensor<96x160xf32>) permutation = [1, 0] 
    %101 = linalg.matmul ins(%collapsed_44, %transposed_46 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%96 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_47 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %expanded_47 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %103 = tensor.empty() : tensor<160x96xf32>
    %transposed_48 = linalg.transpose ins(%arg10 : tensor<96x160xf32>) outs(%103 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_49 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %104 = linalg.matmul ins(%collapsed_49, %transposed_48 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_50 = tensor.expand_shape %104 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_50, %109 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %111 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %110 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %111 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %transposed_51 = linalg.transpose ins(%arg13 : tensor<96x96xf32>) outs(%22 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_52 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %113 = linalg.matmul ins(%collapsed_52, %transposed_51 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_53 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%114 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_53, %118 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %120 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg17, %119 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %transposed_54 = linalg.transpose ins(%arg14 : tensor<32x96xf32>) outs(%35 : tensor<96x32xf32>) permutation = [1, 0] 
    %121 = linalg.matmul ins(%collapsed_52, %transposed_54 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%37 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_55 = tensor.expand_shape %121 [[0, 1], [2]] output_shape [4, 10, 32] : tensor<40x32xf32> into tensor<4x10x32xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<4x10x32xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<4x10x32xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_8 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_55, %126 : tensor<4x10x32xf32>, tensor<4x10x1xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %128 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg18, %127 : tensor<32xf32>, tensor<4x10x32xf32>) outs(%39 : tensor<4x10x32xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x32xf32>
    %transposed_56 = linalg.transpose ins(%arg15 : tensor<32x96xf32>) outs(%35 : tensor<96x32xf32>) permutation = [1, 0] 
    %129 = linalg.matmul ins(%collapsed_52, %transposed_56 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%37 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_57 = tensor.expand_shape %120 [[0], [1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<4x10x96xf32> into tensor<4x10x6x16xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<4x10x6x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_59 = tensor.expand_shape %128 [[0], [1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<4x10x32xf32> into tensor<4x10x2x16xf32>
    %transposed_60 = linalg.transpose ins(%expanded_59 : tensor<4x10x2x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_61 = tensor.expand_shape %129 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<4x10x2x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %130 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58, %expanded_23 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %extracted_slice_63 = tensor.extract_slice %transposed_58[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %extracted_slice_64 = tensor.extract_slice %transposed_58[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %131 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_64 : tensor<4x6x10x8xf32>) outs(%51 : tensor<4x6x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x8xf32>
    %concat_65 = tensor.concat dim(3) %131, %extracted_slice_63 : (tensor<4x6x10x8xf32>, tensor<4x6x10x8xf32>) -> tensor<4x6x10x16xf32>
    %132 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_65, %expanded_24 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %133 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %132 : tensor<4x6x10x16xf32>, tensor<4x6x10x16xf32>) outs(%48 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x16xf32>
    %134 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_60, %expanded_23 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %extracted_slice_66 = tensor.extract_slice %transposed_60[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %extracted_slice_67 = tensor.extract_slice %transposed_60[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %135 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_67 : tensor<4x2x10x8xf32>) outs(%56 : tensor<4x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x8xf32>
    %concat_68 = tensor.concat dim(3) %135, %extracted_slice_66 : (tensor<4x2x10x8xf32>, tensor<4x2x10x8xf32>) -> tensor<4x2x10x16xf32>
    %136 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_68, %expanded_24 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %137 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %136 : tensor<4x2x10x16xf32>, tensor<4x2x10x16xf32>) outs(%49 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x2x10x16xf32>
    %138 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<4x2x10x16xf32>) outs(%60 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %collapsed_69 = tensor.collapse_shape %138 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<4x6x10x16xf32>
    %139 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_62 : tensor<4x2x10x16xf32>) outs(%60 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %transposed_70 = linalg.transpose ins(%collapsed_69 : tensor<4x6x10x16xf32>) outs(%63 : tensor<4x6x16x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_71 = tensor.collapse_shape %133 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_72 = tensor.collapse_shape %transposed_70 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %140 = linalg.batch_matmul ins(%collapsed_71, %collapsed_72 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%65 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_73 = tensor.expand_shape %140 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %141 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_73 : tensor<4x6x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.mulf %in, %cst_9 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %142 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %143:2 = linalg.generic {indexing_maps = [#map5, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%142 : tensor<4x6x10x10xf32>) outs(%73, %71 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_90: i64):
      %179 = linalg.index 3 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.maximumf %in, %out : f32
      %182 = arith.cmpf ogt, %in, %out : f32
      %183 = arith.select %182, %180, %out_90 : i64
      linalg.yield %181, %183 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_74 = tensor.expand_shape %143#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %144 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142, %expanded_74 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.subf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %145 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144 : tensor<4x6x10x10xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.exp %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %146 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%145 : tensor<4x6x10x10xf32>) outs(%78 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x1xf32>
    %147 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145, %146 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%67 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.divf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_75 = tensor.collapse_shape %147 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_76 = tensor.collapse_shape %139 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<24x10x16xf32>
    %148 = linalg.batch_matmul ins(%collapsed_75, %collapsed_76 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%82 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_77 = tensor.expand_shape %148 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_78 = linalg.transpose ins(%expanded_77 : tensor<4x6x10x16xf32>) outs(%84 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_79 = linalg.transpose ins(%arg16 : tensor<96x96xf32>) outs(%22 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_80 = tensor.collapse_shape %transposed_78 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %149 = linalg.matmul ins(%collapsed_80, %transposed_79 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_81 = tensor.expand_shape %149 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_81 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%150 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_81, %154 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %156 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg22, %155 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %156 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %transposed_82 = linalg.transpose ins(%arg19 : tensor<160x96xf32>) outs(%94 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_83 = tensor.collapse_shape %157 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %158 = linalg.matmul ins(%collapsed_83, %transposed_82 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%96 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_84 = tensor.expand_shape %158 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_84 : tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.negf %in : f32
      %180 = math.exp %179 : f32
      %181 = arith.addf %180, %cst_1 : f32
      %182 = arith.divf %cst_1, %181 : f32
      linalg.yield %182 : f32
    } -> tensor<4x10x160xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_84, %159 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %transposed_85 = linalg.transpose ins(%arg20 : tensor<160x96xf32>) outs(%94 : tensor<96x160xf32>) permutation = [1, 0] 
    %161 = linalg.matmul ins(%collapsed_83, %transposed_85 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%96 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_86 = tensor.expand_shape %161 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %expanded_86 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%98 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x160xf32>
    %transposed_87 = linalg.transpose ins(%arg21 : tensor<96x160xf32>) outs(%103 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_88 = tensor.collapse_shape %162 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %163 = linalg.matmul ins(%collapsed_88, %transposed_87 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%24 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_89 = tensor.expand_shape %163 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_89 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%164 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_89, %168 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %170 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg23, %169 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %170 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.addf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%172 : tensor<4x10x96xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.addf %in, %out : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.divf %in, %cst_7 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = arith.truncf %cst_5 : f64 to f32
      %180 = arith.addf %in, %179 : f32
      linalg.yield %180 : f32
    } -> tensor<4x10x1xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<4x10x1xf32>) outs(%27 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %179 = math.rsqrt %in : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x1xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %176 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    %178 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg24, %177 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %179 = arith.mulf %in, %in_90 : f32
      linalg.yield %179 : f32
    } -> tensor<4x10x96xf32>
    return %178 : tensor<4x10x96xf32>
  }
}

