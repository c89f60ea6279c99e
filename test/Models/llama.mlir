// Written by
//   python -m renorm.export --model LlamaModel --seed 0 -o test/Models/llama.mlir
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
      %arg6: tensor<160x96xf32> {norm.param = "layers.0.mlp.gate_proj.weight"},
      %arg7: tensor<160x96xf32> {norm.param = "layers.0.mlp.up_proj.weight"},
      %arg8: tensor<96x160xf32> {norm.param = "layers.0.mlp.down_proj.weight"},
      %arg9: tensor<96xf32> {norm.param = "layers.0.input_layernorm.weight"},
      %arg10: tensor<96xf32> {norm.param = "layers.0.post_attention_layernorm.weight"},
      %arg11: tensor<96x96xf32> {norm.param = "layers.1.self_attn.q_proj.weight"},
      %arg12: tensor<32x96xf32> {norm.param = "layers.1.self_attn.k_proj.weight"},
      %arg13: tensor<32x96xf32> {norm.param = "layers.1.self_attn.v_proj.weight"},
      %arg14: tensor<96x96xf32> {norm.param = "layers.1.self_attn.o_proj.weight"},
      %arg15: tensor<160x96xf32> {norm.param = "layers.1.mlp.gate_proj.weight"},
      %arg16: tensor<160x96xf32> {norm.param = "layers.1.mlp.up_proj.weight"},
      %arg17: tensor<96x160xf32> {norm.param = "layers.1.mlp.down_proj.weight"},
      %arg18: tensor<96xf32> {norm.param = "layers.1.input_layernorm.weight"},
      %arg19: tensor<96xf32> {norm.param = "layers.1.post_attention_layernorm.weight"},
      %arg20: tensor<96xf32> {norm.param = "norm.weight"}) -> tensor<4x10x96xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c97 = arith.constant 97 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant dense<[1.000000e+00, 0.316227764, 1.000000e-01, 0.0316227786, 0.00999999977, 0.00316227786, 1.000000e-03, 3.16227786E-4]> : tensor<8xf32>
    %true = arith.constant true
    %cst_7 = arith.constant 9.600000e+01 : f32
    %cst_8 = arith.constant 2.500000e-01 : f32
    %0 = tensor.empty() : tensor<4x10x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %150 = arith.index_cast %in : i64 to index
      %151 = linalg.index 2 : index
      %152 = arith.cmpi slt, %150, %c97 : index
      cf.assert %152, "index must be smaller than dim size"
      %153 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %153, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%150, %151] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %2 = tensor.empty() : tensor<10xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %150 = linalg.index 0 : index
      %151 = arith.index_cast %150 : index to i64
      linalg.yield %151 : i64
    } -> tensor<10xi64>
    %4 = tensor.empty() : tensor<4xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %150 = linalg.index 0 : index
      %151 = arith.index_cast %150 : index to i64
      linalg.yield %151 : i64
    } -> tensor<4xi64>
    %expanded = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_9 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_10 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %6 = tensor.empty() : tensor<1x1x10x10xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %expanded_9 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_85: i64, %out: i1):
      %150 = arith.cmpi sle, %in, %in_85 : i64
      linalg.yield %150 : i1
    } -> tensor<1x1x10x10xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_85: i1, %out: i1):
      %150 = arith.andi %in, %in_85 : i1
      linalg.yield %150 : i1
    } -> tensor<1x1x10x10xi1>
    %9 = tensor.empty() : tensor<4x1x1x10xi1>
    %10 = linalg.generic {indexing_maps = [#map7, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_10 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%9 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_85: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %11 = tensor.empty() : tensor<4x1x10x10xi1>
    %12 = linalg.generic {indexing_maps = [#map9, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%11 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_85: i1, %out: i1):
      %150 = arith.andi %in, %in_85 : i1
      linalg.yield %150 : i1
    } -> tensor<4x1x10x10xi1>
    %13 = tensor.empty() : tensor<4x1x10x10xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%13 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_85: f32, %in_86: f32, %out: f32):
      %150 = arith.select %in, %in_85, %in_86 : f32
      linalg.yield %150 : f32
    } -> tensor<4x1x10x10xf32>
    %expanded_11 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 10, 1] : tensor<10xi64> into tensor<1x10x1xi64>
    %15 = tensor.empty() : tensor<1x10x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x10x1xi64>) outs(%15 : tensor<1x10x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %150 = arith.sitofp %in : i64 to f32
      linalg.yield %150 : f32
    } -> tensor<1x10x1xf32>
    %17 = tensor.empty() : tensor<1x10x8xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_6 : tensor<1x10x1xf32>, tensor<8xf32>) outs(%17 : tensor<1x10x8xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<1x10x8xf32>
    %concat = tensor.concat dim(2) %18, %18 : (tensor<1x10x8xf32>, tensor<1x10x8xf32>) -> tensor<1x10x16xf32>
    %19 = tensor.empty() : tensor<1x10x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.cos %in : f32
      linalg.yield %150 : f32
    } -> tensor<1x10x16xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.sin %in : f32
      linalg.yield %150 : f32
    } -> tensor<1x10x16xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %23 = tensor.empty() : tensor<4x10x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.divf %in, %cst_7 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.truncf %cst_5 : f64 to f32
      %151 = arith.addf %in, %150 : f32
      linalg.yield %151 : f32
    } -> tensor<4x10x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.rsqrt %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %28 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %30 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %29 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %31 = tensor.empty() : tensor<96x96xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x96xf32>) outs(%31 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %32 = tensor.empty() : tensor<40x96xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %34 = linalg.matmul ins(%collapsed, %transposed : tensor<40x96xf32>, tensor<96x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_12 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %35 = tensor.empty() : tensor<4x6x10x16xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<4x10x6x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %36 = tensor.empty() : tensor<96x32xf32>
    %transposed_14 = linalg.transpose ins(%arg3 : tensor<32x96xf32>) outs(%36 : tensor<96x32xf32>) permutation = [1, 0] 
    %37 = tensor.empty() : tensor<40x32xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %39 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%38 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_15 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %40 = tensor.empty() : tensor<4x2x10x16xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<4x10x2x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_17 = linalg.transpose ins(%arg4 : tensor<32x96xf32>) outs(%36 : tensor<96x32xf32>) permutation = [1, 0] 
    %41 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%38 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_18 = tensor.expand_shape %41 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<4x10x2x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_20 = tensor.expand_shape %20 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xf32> into tensor<1x1x10x16xf32>
    %expanded_21 = tensor.expand_shape %21 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xf32> into tensor<1x1x10x16xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_13, %expanded_20 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %extracted_slice = tensor.extract_slice %transposed_13[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %extracted_slice_22 = tensor.extract_slice %transposed_13[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %43 = tensor.empty() : tensor<4x6x10x8xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22 : tensor<4x6x10x8xf32>) outs(%43 : tensor<4x6x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x8xf32>
    %concat_23 = tensor.concat dim(3) %44, %extracted_slice : (tensor<4x6x10x8xf32>, tensor<4x6x10x8xf32>) -> tensor<4x6x10x16xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_23, %expanded_21 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<4x6x10x16xf32>, tensor<4x6x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %expanded_20 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %extracted_slice_24 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %extracted_slice_25 = tensor.extract_slice %transposed_16[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %48 = tensor.empty() : tensor<4x2x10x8xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<4x2x10x8xf32>) outs(%48 : tensor<4x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x8xf32>
    %concat_26 = tensor.concat dim(3) %49, %extracted_slice_24 : (tensor<4x2x10x8xf32>, tensor<4x2x10x8xf32>) -> tensor<4x2x10x16xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_26, %expanded_21 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<4x2x10x16xf32>, tensor<4x2x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %52 = tensor.empty() : tensor<4x2x3x10x16xf32>
    %53 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<4x2x10x16xf32>) outs(%52 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %collapsed_27 = tensor.collapse_shape %53 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<4x6x10x16xf32>
    %54 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<4x2x10x16xf32>) outs(%52 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %55 = tensor.empty() : tensor<4x6x16x10xf32>
    %transposed_28 = linalg.transpose ins(%collapsed_27 : tensor<4x6x10x16xf32>) outs(%55 : tensor<4x6x16x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_29 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_30 = tensor.collapse_shape %transposed_28 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %56 = tensor.empty() : tensor<24x10x10xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %58 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%57 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_31 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %59 = tensor.empty() : tensor<4x6x10x10xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.mulf %in, %cst_8 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %62 = tensor.empty() : tensor<4x6x10xi64>
    %63 = linalg.fill ins(%c0_i64 : i64) outs(%62 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %64 = tensor.empty() : tensor<4x6x10xf32>
    %65 = linalg.fill ins(%cst_0 : f32) outs(%64 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %66:2 = linalg.generic {indexing_maps = [#map5, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<4x6x10x10xf32>) outs(%65, %63 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_85: i64):
      %150 = linalg.index 3 : index
      %151 = arith.index_cast %150 : index to i64
      %152 = arith.maximumf %in, %out : f32
      %153 = arith.cmpf ogt, %in, %out : f32
      %154 = arith.select %153, %151, %out_85 : i64
      linalg.yield %152, %154 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_32 = tensor.expand_shape %66#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %expanded_32 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.subf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.exp %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %69 = tensor.empty() : tensor<4x6x10x1xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x1xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %71 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.divf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_33 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_34 = tensor.collapse_shape %54 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<24x10x16xf32>
    %73 = tensor.empty() : tensor<24x10x16xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %75 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%74 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_35 = tensor.expand_shape %75 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %76 = tensor.empty() : tensor<4x10x6x16xf32>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<4x6x10x16xf32>) outs(%76 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_37 = linalg.transpose ins(%arg5 : tensor<96x96xf32>) outs(%31 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_38 = tensor.collapse_shape %transposed_36 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %77 = linalg.matmul ins(%collapsed_38, %transposed_37 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_39 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_39 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.divf %in, %cst_7 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.truncf %cst_5 : f64 to f32
      %151 = arith.addf %in, %150 : f32
      linalg.yield %151 : f32
    } -> tensor<4x10x1xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.rsqrt %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %83 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %85 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10, %84 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %86 = tensor.empty() : tensor<96x160xf32>
    %transposed_40 = linalg.transpose ins(%arg6 : tensor<160x96xf32>) outs(%86 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_41 = tensor.collapse_shape %85 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %87 = tensor.empty() : tensor<40x160xf32>
    %88 = linalg.fill ins(%cst : f32) outs(%87 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %89 = linalg.matmul ins(%collapsed_41, %transposed_40 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_42 = tensor.expand_shape %89 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %90 = tensor.empty() : tensor<4x10x160xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      %151 = math.exp %150 : f32
      %152 = arith.addf %151, %cst_1 : f32
      %153 = arith.divf %cst_1, %152 : f32
      linalg.yield %153 : f32
    } -> tensor<4x10x160xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %91 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x160xf32>
    %transposed_43 = linalg.transpose ins(%arg7 : tensor<160x96xf32>) outs(%86 : tensor<96x160xf32>) permutation = [1, 0] 
    %93 = linalg.matmul ins(%collapsed_41, %transposed_43 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_44 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %expanded_44 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x160xf32>
    %95 = tensor.empty() : tensor<160x96xf32>
    %transposed_45 = linalg.transpose ins(%arg8 : tensor<96x160xf32>) outs(%95 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_46 = tensor.collapse_shape %94 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %96 = linalg.matmul ins(%collapsed_46, %transposed_45 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_47 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %expanded_47 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.divf %in, %cst_7 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.truncf %cst_5 : f64 to f32
      %151 = arith.addf %in, %150 : f32
      linalg.yield %151 : f32
    } -> tensor<4x10x1xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.rsqrt %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %102 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %104 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg18, %103 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %transposed_48 = linalg.transpose ins(%arg11 : tensor<96x96xf32>) outs(%31 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_49 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %105 = linalg.matmul ins(%collapsed_49, %transposed_48 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_50 = tensor.expand_shape %105 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<4x10x6x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_52 = linalg.transpose ins(%arg12 : tensor<32x96xf32>) outs(%36 : tensor<96x32xf32>) permutation = [1, 0] 
    %106 = linalg.matmul ins(%collapsed_49, %transposed_52 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%38 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_53 = tensor.expand_shape %106 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<4x10x2x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_55 = linalg.transpose ins(%arg13 : tensor<32x96xf32>) outs(%36 : tensor<96x32xf32>) permutation = [1, 0] 
    %107 = linalg.matmul ins(%collapsed_49, %transposed_55 : tensor<40x96xf32>, tensor<96x32xf32>) outs(%38 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %expanded_56 = tensor.expand_shape %107 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xf32> into tensor<4x10x2x16xf32>
    %transposed_57 = linalg.transpose ins(%expanded_56 : tensor<4x10x2x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) permutation = [0, 2, 1, 3] 
    %108 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_51, %expanded_20 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %extracted_slice_58 = tensor.extract_slice %transposed_51[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %extracted_slice_59 = tensor.extract_slice %transposed_51[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
    %109 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_59 : tensor<4x6x10x8xf32>) outs(%43 : tensor<4x6x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x8xf32>
    %concat_60 = tensor.concat dim(3) %109, %extracted_slice_58 : (tensor<4x6x10x8xf32>, tensor<4x6x10x8xf32>) -> tensor<4x6x10x16xf32>
    %110 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_60, %expanded_21 : tensor<4x6x10x16xf32>, tensor<1x1x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %111 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %110 : tensor<4x6x10x16xf32>, tensor<4x6x10x16xf32>) outs(%35 : tensor<4x6x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x16xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_54, %expanded_20 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %extracted_slice_61 = tensor.extract_slice %transposed_54[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %extracted_slice_62 = tensor.extract_slice %transposed_54[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xf32> to tensor<4x2x10x8xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_62 : tensor<4x2x10x8xf32>) outs(%48 : tensor<4x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x8xf32>
    %concat_63 = tensor.concat dim(3) %113, %extracted_slice_61 : (tensor<4x2x10x8xf32>, tensor<4x2x10x8xf32>) -> tensor<4x2x10x16xf32>
    %114 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_63, %expanded_21 : tensor<4x2x10x16xf32>, tensor<1x1x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %114 : tensor<4x2x10x16xf32>, tensor<4x2x10x16xf32>) outs(%40 : tensor<4x2x10x16xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x2x10x16xf32>
    %116 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<4x2x10x16xf32>) outs(%52 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %collapsed_64 = tensor.collapse_shape %116 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<4x6x10x16xf32>
    %117 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_57 : tensor<4x2x10x16xf32>) outs(%52 : tensor<4x2x3x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x16xf32>
    %transposed_65 = linalg.transpose ins(%collapsed_64 : tensor<4x6x10x16xf32>) outs(%55 : tensor<4x6x16x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_66 = tensor.collapse_shape %111 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_67 = tensor.collapse_shape %transposed_65 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %118 = linalg.batch_matmul ins(%collapsed_66, %collapsed_67 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%57 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_68 = tensor.expand_shape %118 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %119 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.mulf %in, %cst_8 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %120 = linalg.generic {indexing_maps = [#map5, #map15, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %121:2 = linalg.generic {indexing_maps = [#map5, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%120 : tensor<4x6x10x10xf32>) outs(%65, %63 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_85: i64):
      %150 = linalg.index 3 : index
      %151 = arith.index_cast %150 : index to i64
      %152 = arith.maximumf %in, %out : f32
      %153 = arith.cmpf ogt, %in, %out : f32
      %154 = arith.select %153, %151, %out_85 : i64
      linalg.yield %152, %154 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_69 = tensor.expand_shape %121#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %122 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %expanded_69 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.subf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %123 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122 : tensor<4x6x10x10xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.exp %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %124 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%123 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x1xf32>
    %125 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %124 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%59 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.divf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_70 = tensor.collapse_shape %125 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_71 = tensor.collapse_shape %117 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xf32> into tensor<24x10x16xf32>
    %126 = linalg.batch_matmul ins(%collapsed_70, %collapsed_71 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%74 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_72 = tensor.expand_shape %126 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_73 = linalg.transpose ins(%expanded_72 : tensor<4x6x10x16xf32>) outs(%76 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_74 = linalg.transpose ins(%arg14 : tensor<96x96xf32>) outs(%31 : tensor<96x96xf32>) permutation = [1, 0] 
    %collapsed_75 = tensor.collapse_shape %transposed_73 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %127 = linalg.matmul ins(%collapsed_75, %transposed_74 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_76 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %expanded_76 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.divf %in, %cst_7 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.truncf %cst_5 : f64 to f32
      %151 = arith.addf %in, %150 : f32
      linalg.yield %151 : f32
    } -> tensor<4x10x1xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.rsqrt %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %133 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %135 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19, %134 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %transposed_77 = linalg.transpose ins(%arg15 : tensor<160x96xf32>) outs(%86 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_78 = tensor.collapse_shape %135 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %136 = linalg.matmul ins(%collapsed_78, %transposed_77 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_79 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_79 : tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.negf %in : f32
      %151 = math.exp %150 : f32
      %152 = arith.addf %151, %cst_1 : f32
      %153 = arith.divf %cst_1, %152 : f32
      linalg.yield %153 : f32
    } -> tensor<4x10x160xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_79, %137 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x160xf32>
    %transposed_80 = linalg.transpose ins(%arg16 : tensor<160x96xf32>) outs(%86 : tensor<96x160xf32>) permutation = [1, 0] 
    %139 = linalg.matmul ins(%collapsed_78, %transposed_80 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%88 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_81 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %expanded_81 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%90 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x160xf32>
    %transposed_82 = linalg.transpose ins(%arg17 : tensor<96x160xf32>) outs(%95 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_83 = tensor.collapse_shape %140 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %141 = linalg.matmul ins(%collapsed_83, %transposed_82 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%33 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_84 = tensor.expand_shape %141 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %expanded_84 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.addf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%143 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.addf %in, %out : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.divf %in, %cst_7 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = arith.truncf %cst_5 : f64 to f32
      %151 = arith.addf %in, %150 : f32
      linalg.yield %151 : f32
    } -> tensor<4x10x1xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %150 = math.rsqrt %in : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x1xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %147 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    %149 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20, %148 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %150 = arith.mulf %in, %in_85 : f32
      linalg.yield %150 : f32
    } -> tensor<4x10x96xf32>
    return %149 : tensor<4x10x96xf32>
  }
}

