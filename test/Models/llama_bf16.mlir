// Written by
//   python -m renorm.export --model LlamaModel --dtype bf16 -o test/Models/llama_bf16.mlir
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
#map12 = affine_map<(d0, d1) -> (d0, d1)>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<4x10xi64>,
      %arg1: tensor<97x96xbf16> {norm.param = "embed_tokens.weight"},
      %arg2: tensor<96x96xbf16> {norm.param = "layers.0.self_attn.q_proj.weight"},
      %arg3: tensor<32x96xbf16> {norm.param = "layers.0.self_attn.k_proj.weight"},
      %arg4: tensor<32x96xbf16> {norm.param = "layers.0.self_attn.v_proj.weight"},
      %arg5: tensor<96x96xbf16> {norm.param = "layers.0.self_attn.o_proj.weight"},
      %arg6: tensor<160x96xbf16> {norm.param = "layers.0.mlp.gate_proj.weight"},
      %arg7: tensor<160x96xbf16> {norm.param = "layers.0.mlp.up_proj.weight"},
      %arg8: tensor<96x160xbf16> {norm.param = "layers.0.mlp.down_proj.weight"},
      %arg9: tensor<96xbf16> {norm.param = "layers.0.input_layernorm.weight"},
      %arg10: tensor<96xbf16> {norm.param = "layers.0.post_attention_layernorm.weight"},
      %arg11: tensor<96x96xbf16> {norm.param = "layers.1.self_attn.q_proj.weight"},
      %arg12: tensor<32x96xbf16> {norm.param = "layers.1.self_attn.k_proj.weight"},
      %arg13: tensor<32x96xbf16> {norm.param = "layers.1.self_attn.v_proj.weight"},
      %arg14: tensor<96x96xbf16> {norm.param = "layers.1.self_attn.o_proj.weight"},
      %arg15: tensor<160x96xbf16> {norm.param = "layers.1.mlp.gate_proj.weight"},
      %arg16: tensor<160x96xbf16> {norm.param = "layers.1.mlp.up_proj.weight"},
      %arg17: tensor<96x160xbf16> {norm.param = "layers.1.mlp.down_proj.weight"},
      %arg18: tensor<96xbf16> {norm.param = "layers.1.input_layernorm.weight"},
      %arg19: tensor<96xbf16> {norm.param = "layers.1.post_attention_layernorm.weight"},
      %arg20: tensor<96xbf16> {norm.param = "norm.weight"}) -> tensor<4x10x96xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c97 = arith.constant 97 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<-3.389530e+38> : tensor<bf16>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 9.9999999999999995E-7 : f64
    %cst_6 = arith.constant dense<[1.000000e+00, 0.316227764, 1.000000e-01, 0.0316227786, 0.00999999977, 0.00316227786, 1.000000e-03, 3.16227786E-4]> : tensor<8xf32>
    %true = arith.constant true
    %cst_7 = arith.constant 9.600000e+01 : f32
    %cst_8 = arith.constant 2.500000e-01 : bf16
    %0 = tensor.empty() : tensor<4x10x96xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %197 = arith.index_cast %in : i64 to index
      %198 = linalg.index 2 : index
      %199 = arith.cmpi slt, %197, %c97 : index
      cf.assert %199, "index must be smaller than dim size"
      %200 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %200, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%197, %198] : tensor<97x96xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<4x10x96xbf16>
    %2 = tensor.empty() : tensor<10xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %197 = linalg.index 0 : index
      %198 = arith.index_cast %197 : index to i64
      linalg.yield %198 : i64
    } -> tensor<10xi64>
    %4 = tensor.empty() : tensor<4xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %197 = linalg.index 0 : index
      %198 = arith.index_cast %197 : index to i64
      linalg.yield %198 : i64
    } -> tensor<4xi64>
    %expanded = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_9 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_10 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %6 = tensor.empty() : tensor<1x1x10x10xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %expanded_9 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_85: i64, %out: i1):
      %197 = arith.cmpi sle, %in, %in_85 : i64
      linalg.yield %197 : i1
    } -> tensor<1x1x10x10xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_85: i1, %out: i1):
      %197 = arith.andi %in, %in_85 : i1
      linalg.yield %197 : i1
    } -> tensor<1x1x10x10xi1>
    %9 = tensor.empty() : tensor<4x1x1x10xi1>
    %10 = linalg.generic {indexing_maps = [#map7, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_10 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%9 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_85: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %11 = tensor.empty() : tensor<4x1x10x10xi1>
    %12 = linalg.generic {indexing_maps = [#map9, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%11 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_85: i1, %out: i1):
      %197 = arith.andi %in, %in_85 : i1
      linalg.yield %197 : i1
    } -> tensor<4x1x10x10xi1>
    %13 = tensor.empty() : tensor<4x1x10x10xbf16>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<bf16>, tensor<bf16>) outs(%13 : tensor<4x1x10x10xbf16>) {
    ^bb0(%in: i1, %in_85: bf16, %in_86: bf16, %out: bf16):
      %197 = arith.select %in, %in_85, %in_86 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x1x10x10xbf16>
    %expanded_11 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 10, 1] : tensor<10xi64> into tensor<1x10x1xi64>
    %15 = tensor.empty() : tensor<1x10x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x10x1xi64>) outs(%15 : tensor<1x10x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %197 = arith.sitofp %in : i64 to f32
      linalg.yield %197 : f32
    } -> tensor<1x10x1xf32>
    %17 = tensor.empty() : tensor<1x10x8xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_6 : tensor<1x10x1xf32>, tensor<8xf32>) outs(%17 : tensor<1x10x8xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<1x10x8xf32>
    %concat = tensor.concat dim(2) %18, %18 : (tensor<1x10x8xf32>, tensor<1x10x8xf32>) -> tensor<1x10x16xf32>
    %19 = tensor.empty() : tensor<1x10x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.cos %in : f32
      linalg.yield %197 : f32
    } -> tensor<1x10x16xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x16xf32>) outs(%19 : tensor<1x10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.sin %in : f32
      linalg.yield %197 : f32
    } -> tensor<1x10x16xf32>
    %22 = tensor.empty() : tensor<1x10x16xbf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x10x16xf32>) outs(%22 : tensor<1x10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<1x10x16xbf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x10x16xf32>) outs(%22 : tensor<1x10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<1x10x16xbf16>
    %25 = tensor.empty() : tensor<4x10x96xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x10x96xbf16>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<4x10x96xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %28 = tensor.empty() : tensor<4x10x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<4x10x96xf32>) outs(%29 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.divf %in, %cst_7 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.truncf %cst_5 : f64 to f32
      %198 = arith.addf %in, %197 : f32
      linalg.yield %198 : f32
    } -> tensor<4x10x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.rsqrt %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %33 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %36 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %35 : tensor<96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %37 = tensor.empty() : tensor<96x96xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x96xbf16>) outs(%37 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %36 [[0, 1], [2]] : tensor<4x10x96xbf16> into tensor<40x96xbf16>
    %38 = tensor.empty() : tensor<40x96xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %40 = linalg.matmul ins(%collapsed, %transposed : tensor<40x96xbf16>, tensor<96x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %41 = tensor.empty() : tensor<40x96xbf16>
    %42 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_12 = tensor.expand_shape %42 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xbf16> into tensor<4x10x6x16xbf16>
    %43 = tensor.empty() : tensor<4x6x10x16xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<4x10x6x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %44 = tensor.empty() : tensor<96x32xbf16>
    %transposed_14 = linalg.transpose ins(%arg3 : tensor<32x96xbf16>) outs(%44 : tensor<96x32xbf16>) permutation = [1, 0] 
    %45 = tensor.empty() : tensor<40x32xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %47 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<40x96xbf16>, tensor<96x32xbf16>) outs(%46 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %48 = tensor.empty() : tensor<40x32xbf16>
    %49 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<40x32xf32>) outs(%48 : tensor<40x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x32xbf16>
    %expanded_15 = tensor.expand_shape %49 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xbf16> into tensor<4x10x2x16xbf16>
    %50 = tensor.empty() : tensor<4x2x10x16xbf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<4x10x2x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_17 = linalg.transpose ins(%arg4 : tensor<32x96xbf16>) outs(%44 : tensor<96x32xbf16>) permutation = [1, 0] 
    %51 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<40x96xbf16>, tensor<96x32xbf16>) outs(%46 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %52 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<40x32xf32>) outs(%48 : tensor<40x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x32xbf16>
    %expanded_18 = tensor.expand_shape %52 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xbf16> into tensor<4x10x2x16xbf16>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<4x10x2x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_20 = tensor.expand_shape %23 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xbf16> into tensor<1x1x10x16xbf16>
    %expanded_21 = tensor.expand_shape %24 [[0], [1, 2], [3]] output_shape [1, 1, 10, 16] : tensor<1x10x16xbf16> into tensor<1x1x10x16xbf16>
    %53 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_13, %expanded_20 : tensor<4x6x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %extracted_slice = tensor.extract_slice %transposed_13[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xbf16> to tensor<4x6x10x8xbf16>
    %extracted_slice_22 = tensor.extract_slice %transposed_13[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xbf16> to tensor<4x6x10x8xbf16>
    %54 = tensor.empty() : tensor<4x6x10x8xbf16>
    %55 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22 : tensor<4x6x10x8xbf16>) outs(%54 : tensor<4x6x10x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.negf %in : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x8xbf16>
    %concat_23 = tensor.concat dim(3) %55, %extracted_slice : (tensor<4x6x10x8xbf16>, tensor<4x6x10x8xbf16>) -> tensor<4x6x10x16xbf16>
    %56 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_23, %expanded_21 : tensor<4x6x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %57 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<4x6x10x16xbf16>, tensor<4x6x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %58 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %expanded_20 : tensor<4x2x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %extracted_slice_24 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xbf16> to tensor<4x2x10x8xbf16>
    %extracted_slice_25 = tensor.extract_slice %transposed_16[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xbf16> to tensor<4x2x10x8xbf16>
    %59 = tensor.empty() : tensor<4x2x10x8xbf16>
    %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<4x2x10x8xbf16>) outs(%59 : tensor<4x2x10x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.negf %in : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x8xbf16>
    %concat_26 = tensor.concat dim(3) %60, %extracted_slice_24 : (tensor<4x2x10x8xbf16>, tensor<4x2x10x8xbf16>) -> tensor<4x2x10x16xbf16>
    %61 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_26, %expanded_21 : tensor<4x2x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %62 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<4x2x10x16xbf16>, tensor<4x2x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %63 = tensor.empty() : tensor<4x2x3x10x16xbf16>
    %64 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<4x2x10x16xbf16>) outs(%63 : tensor<4x2x3x10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x2x3x10x16xbf16>
    %collapsed_27 = tensor.collapse_shape %64 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xbf16> into tensor<4x6x10x16xbf16>
    %65 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<4x2x10x16xbf16>) outs(%63 : tensor<4x2x3x10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x2x3x10x16xbf16>
    %66 = tensor.empty() : tensor<4x6x16x10xbf16>
    %transposed_28 = linalg.transpose ins(%collapsed_27 : tensor<4x6x10x16xbf16>) outs(%66 : tensor<4x6x16x10xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_29 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<4x6x10x16xbf16> into tensor<24x10x16xbf16>
    %collapsed_30 = tensor.collapse_shape %transposed_28 [[0, 1], [2], [3]] : tensor<4x6x16x10xbf16> into tensor<24x16x10xbf16>
    %67 = tensor.empty() : tensor<24x10x10xf32>
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %69 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<24x10x16xbf16>, tensor<24x16x10xbf16>) outs(%68 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %70 = tensor.empty() : tensor<24x10x10xbf16>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<24x10x10xf32>) outs(%70 : tensor<24x10x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<24x10x10xbf16>
    %expanded_31 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xbf16> into tensor<4x6x10x10xbf16>
    %72 = tensor.empty() : tensor<4x6x10x10xbf16>
    %73 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<4x6x10x10xbf16>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.mulf %in, %cst_8 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %74 = linalg.generic {indexing_maps = [#map5, #map16, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %14 : tensor<4x6x10x10xbf16>, tensor<4x1x10x10xbf16>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %75 = tensor.empty() : tensor<4x6x10x10xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<4x6x10x10xbf16>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %77 = tensor.empty() : tensor<4x6x10xi64>
    %78 = linalg.fill ins(%c0_i64 : i64) outs(%77 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %79 = tensor.empty() : tensor<4x6x10xf32>
    %80 = linalg.fill ins(%cst_0 : f32) outs(%79 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %81:2 = linalg.generic {indexing_maps = [#map5, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<4x6x10x10xf32>) outs(%80, %78 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_85: i64):
      %197 = linalg.index 3 : index
      %198 = arith.index_cast %197 : index to i64
      %199 = arith.maximumf %in, %out : f32
      %200 = arith.cmpf ogt, %in, %out : f32
      %201 = arith.select %200, %198, %out_85 : i64
      linalg.yield %199, %201 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_32 = tensor.expand_shape %81#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %expanded_32 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.subf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<4x6x10x10xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.exp %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %84 = tensor.empty() : tensor<4x6x10x1xf32>
    %85 = linalg.fill ins(%cst : f32) outs(%84 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%83 : tensor<4x6x10x10xf32>) outs(%85 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x1xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %86 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.divf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<4x6x10x10xf32>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %collapsed_33 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<4x6x10x10xbf16> into tensor<24x10x10xbf16>
    %collapsed_34 = tensor.collapse_shape %65 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xbf16> into tensor<24x10x16xbf16>
    %89 = tensor.empty() : tensor<24x10x16xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %91 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<24x10x10xbf16>, tensor<24x10x16xbf16>) outs(%90 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %92 = tensor.empty() : tensor<24x10x16xbf16>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<24x10x16xf32>) outs(%92 : tensor<24x10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<24x10x16xbf16>
    %expanded_35 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xbf16> into tensor<4x6x10x16xbf16>
    %94 = tensor.empty() : tensor<4x10x6x16xbf16>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<4x6x10x16xbf16>) outs(%94 : tensor<4x10x6x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_37 = linalg.transpose ins(%arg5 : tensor<96x96xbf16>) outs(%37 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_38 = tensor.collapse_shape %transposed_36 [[0, 1], [2, 3]] : tensor<4x10x6x16xbf16> into tensor<40x96xbf16>
    %95 = linalg.matmul ins(%collapsed_38, %transposed_37 : tensor<40x96xbf16>, tensor<96x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %96 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_39 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xbf16> into tensor<4x10x96xbf16>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_39 : tensor<4x10x96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<4x10x96xbf16>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<4x10x96xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<4x10x96xf32>) outs(%29 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.divf %in, %cst_7 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.truncf %cst_5 : f64 to f32
      %198 = arith.addf %in, %197 : f32
      linalg.yield %198 : f32
    } -> tensor<4x10x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.rsqrt %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %103 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %106 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10, %105 : tensor<96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %107 = tensor.empty() : tensor<96x160xbf16>
    %transposed_40 = linalg.transpose ins(%arg6 : tensor<160x96xbf16>) outs(%107 : tensor<96x160xbf16>) permutation = [1, 0] 
    %collapsed_41 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<4x10x96xbf16> into tensor<40x96xbf16>
    %108 = tensor.empty() : tensor<40x160xf32>
    %109 = linalg.fill ins(%cst : f32) outs(%108 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %110 = linalg.matmul ins(%collapsed_41, %transposed_40 : tensor<40x96xbf16>, tensor<96x160xbf16>) outs(%109 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %111 = tensor.empty() : tensor<40x160xbf16>
    %112 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%110 : tensor<40x160xf32>) outs(%111 : tensor<40x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x160xbf16>
    %expanded_42 = tensor.expand_shape %112 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xbf16> into tensor<4x10x160xbf16>
    %113 = tensor.empty() : tensor<4x10x160xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<4x10x160xbf16>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x160xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<4x10x160xf32>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.negf %in : f32
      %198 = math.exp %197 : f32
      %199 = arith.addf %198, %cst_1 : f32
      %200 = arith.divf %cst_1, %199 : f32
      linalg.yield %200 : f32
    } -> tensor<4x10x160xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %115 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x160xf32>
    %117 = tensor.empty() : tensor<4x10x160xbf16>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<4x10x160xf32>) outs(%117 : tensor<4x10x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x160xbf16>
    %transposed_43 = linalg.transpose ins(%arg7 : tensor<160x96xbf16>) outs(%107 : tensor<96x160xbf16>) permutation = [1, 0] 
    %119 = linalg.matmul ins(%collapsed_41, %transposed_43 : tensor<40x96xbf16>, tensor<96x160xbf16>) outs(%109 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %120 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<40x160xf32>) outs(%111 : tensor<40x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x160xbf16>
    %expanded_44 = tensor.expand_shape %120 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xbf16> into tensor<4x10x160xbf16>
    %121 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %expanded_44 : tensor<4x10x160xbf16>, tensor<4x10x160xbf16>) outs(%117 : tensor<4x10x160xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x160xbf16>
    %122 = tensor.empty() : tensor<160x96xbf16>
    %transposed_45 = linalg.transpose ins(%arg8 : tensor<96x160xbf16>) outs(%122 : tensor<160x96xbf16>) permutation = [1, 0] 
    %collapsed_46 = tensor.collapse_shape %121 [[0, 1], [2]] : tensor<4x10x160xbf16> into tensor<40x160xbf16>
    %123 = linalg.matmul ins(%collapsed_46, %transposed_45 : tensor<40x160xbf16>, tensor<160x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %124 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%123 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_47 = tensor.expand_shape %124 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xbf16> into tensor<4x10x96xbf16>
    %125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %expanded_47 : tensor<4x10x96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<4x10x96xbf16>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<4x10x96xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%127 : tensor<4x10x96xf32>) outs(%29 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.divf %in, %cst_7 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.truncf %cst_5 : f64 to f32
      %198 = arith.addf %in, %197 : f32
      linalg.yield %198 : f32
    } -> tensor<4x10x1xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.rsqrt %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %131 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %134 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg18, %133 : tensor<96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %transposed_48 = linalg.transpose ins(%arg11 : tensor<96x96xbf16>) outs(%37 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_49 = tensor.collapse_shape %134 [[0, 1], [2]] : tensor<4x10x96xbf16> into tensor<40x96xbf16>
    %135 = linalg.matmul ins(%collapsed_49, %transposed_48 : tensor<40x96xbf16>, tensor<96x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %136 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%135 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_50 = tensor.expand_shape %136 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xbf16> into tensor<4x10x6x16xbf16>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<4x10x6x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_52 = linalg.transpose ins(%arg12 : tensor<32x96xbf16>) outs(%44 : tensor<96x32xbf16>) permutation = [1, 0] 
    %137 = linalg.matmul ins(%collapsed_49, %transposed_52 : tensor<40x96xbf16>, tensor<96x32xbf16>) outs(%46 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %138 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%137 : tensor<40x32xf32>) outs(%48 : tensor<40x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x32xbf16>
    %expanded_53 = tensor.expand_shape %138 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xbf16> into tensor<4x10x2x16xbf16>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<4x10x2x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_55 = linalg.transpose ins(%arg13 : tensor<32x96xbf16>) outs(%44 : tensor<96x32xbf16>) permutation = [1, 0] 
    %139 = linalg.matmul ins(%collapsed_49, %transposed_55 : tensor<40x96xbf16>, tensor<96x32xbf16>) outs(%46 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %140 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%139 : tensor<40x32xf32>) outs(%48 : tensor<40x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x32xbf16>
    %expanded_56 = tensor.expand_shape %140 [[0, 1], [2, 3]] output_shape [4, 10, 2, 16] : tensor<40x32xbf16> into tensor<4x10x2x16xbf16>
    %transposed_57 = linalg.transpose ins(%expanded_56 : tensor<4x10x2x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) permutation = [0, 2, 1, 3] 
    %141 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_51, %expanded_20 : tensor<4x6x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %extracted_slice_58 = tensor.extract_slice %transposed_51[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xbf16> to tensor<4x6x10x8xbf16>
    %extracted_slice_59 = tensor.extract_slice %transposed_51[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xbf16> to tensor<4x6x10x8xbf16>
    %142 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_59 : tensor<4x6x10x8xbf16>) outs(%54 : tensor<4x6x10x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.negf %in : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x8xbf16>
    %concat_60 = tensor.concat dim(3) %142, %extracted_slice_58 : (tensor<4x6x10x8xbf16>, tensor<4x6x10x8xbf16>) -> tensor<4x6x10x16xbf16>
    %143 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_60, %expanded_21 : tensor<4x6x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %144 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141, %143 : tensor<4x6x10x16xbf16>, tensor<4x6x10x16xbf16>) outs(%43 : tensor<4x6x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x16xbf16>
    %145 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_54, %expanded_20 : tensor<4x2x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %extracted_slice_61 = tensor.extract_slice %transposed_54[0, 0, 0, 0] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xbf16> to tensor<4x2x10x8xbf16>
    %extracted_slice_62 = tensor.extract_slice %transposed_54[0, 0, 0, 8] [4, 2, 10, 8] [1, 1, 1, 1] : tensor<4x2x10x16xbf16> to tensor<4x2x10x8xbf16>
    %146 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_62 : tensor<4x2x10x8xbf16>) outs(%59 : tensor<4x2x10x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.negf %in : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x8xbf16>
    %concat_63 = tensor.concat dim(3) %146, %extracted_slice_61 : (tensor<4x2x10x8xbf16>, tensor<4x2x10x8xbf16>) -> tensor<4x2x10x16xbf16>
    %147 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_63, %expanded_21 : tensor<4x2x10x16xbf16>, tensor<1x1x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %148 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145, %147 : tensor<4x2x10x16xbf16>, tensor<4x2x10x16xbf16>) outs(%50 : tensor<4x2x10x16xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x2x10x16xbf16>
    %149 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%148 : tensor<4x2x10x16xbf16>) outs(%63 : tensor<4x2x3x10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x2x3x10x16xbf16>
    %collapsed_64 = tensor.collapse_shape %149 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x16xbf16> into tensor<4x6x10x16xbf16>
    %150 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_57 : tensor<4x2x10x16xbf16>) outs(%63 : tensor<4x2x3x10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x2x3x10x16xbf16>
    %transposed_65 = linalg.transpose ins(%collapsed_64 : tensor<4x6x10x16xbf16>) outs(%66 : tensor<4x6x16x10xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_66 = tensor.collapse_shape %144 [[0, 1], [2], [3]] : tensor<4x6x10x16xbf16> into tensor<24x10x16xbf16>
    %collapsed_67 = tensor.collapse_shape %transposed_65 [[0, 1], [2], [3]] : tensor<4x6x16x10xbf16> into tensor<24x16x10xbf16>
    %151 = linalg.batch_matmul ins(%collapsed_66, %collapsed_67 : tensor<24x10x16xbf16>, tensor<24x16x10xbf16>) outs(%68 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<24x10x10xf32>) outs(%70 : tensor<24x10x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<24x10x10xbf16>
    %expanded_68 = tensor.expand_shape %152 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xbf16> into tensor<4x6x10x10xbf16>
    %153 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<4x6x10x10xbf16>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %197 = arith.mulf %in, %cst_8 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %154 = linalg.generic {indexing_maps = [#map5, #map16, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%153, %14 : tensor<4x6x10x10xbf16>, tensor<4x1x10x10xbf16>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %155 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<4x6x10x10xbf16>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %156:2 = linalg.generic {indexing_maps = [#map5, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%155 : tensor<4x6x10x10xf32>) outs(%80, %78 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_85: i64):
      %197 = linalg.index 3 : index
      %198 = arith.index_cast %197 : index to i64
      %199 = arith.maximumf %in, %out : f32
      %200 = arith.cmpf ogt, %in, %out : f32
      %201 = arith.select %200, %198, %out_85 : i64
      linalg.yield %199, %201 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_69 = tensor.expand_shape %156#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %157 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %expanded_69 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.subf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %158 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<4x6x10x10xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.exp %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %159 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%158 : tensor<4x6x10x10xf32>) outs(%85 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x1xf32>
    %160 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158, %159 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%75 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.divf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x6x10x10xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%160 : tensor<4x6x10x10xf32>) outs(%72 : tensor<4x6x10x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x6x10x10xbf16>
    %collapsed_70 = tensor.collapse_shape %161 [[0, 1], [2], [3]] : tensor<4x6x10x10xbf16> into tensor<24x10x10xbf16>
    %collapsed_71 = tensor.collapse_shape %150 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x16xbf16> into tensor<24x10x16xbf16>
    %162 = linalg.batch_matmul ins(%collapsed_70, %collapsed_71 : tensor<24x10x10xbf16>, tensor<24x10x16xbf16>) outs(%90 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<24x10x16xf32>) outs(%92 : tensor<24x10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<24x10x16xbf16>
    %expanded_72 = tensor.expand_shape %163 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xbf16> into tensor<4x6x10x16xbf16>
    %transposed_73 = linalg.transpose ins(%expanded_72 : tensor<4x6x10x16xbf16>) outs(%94 : tensor<4x10x6x16xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_74 = linalg.transpose ins(%arg14 : tensor<96x96xbf16>) outs(%37 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_75 = tensor.collapse_shape %transposed_73 [[0, 1], [2, 3]] : tensor<4x10x6x16xbf16> into tensor<40x96xbf16>
    %164 = linalg.matmul ins(%collapsed_75, %transposed_74 : tensor<40x96xbf16>, tensor<96x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %165 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%164 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_76 = tensor.expand_shape %165 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xbf16> into tensor<4x10x96xbf16>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %expanded_76 : tensor<4x10x96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<4x10x96xbf16>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<4x10x96xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%168 : tensor<4x10x96xf32>) outs(%29 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.divf %in, %cst_7 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.truncf %cst_5 : f64 to f32
      %198 = arith.addf %in, %197 : f32
      linalg.yield %198 : f32
    } -> tensor<4x10x1xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.rsqrt %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %172 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %175 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19, %174 : tensor<96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %transposed_77 = linalg.transpose ins(%arg15 : tensor<160x96xbf16>) outs(%107 : tensor<96x160xbf16>) permutation = [1, 0] 
    %collapsed_78 = tensor.collapse_shape %175 [[0, 1], [2]] : tensor<4x10x96xbf16> into tensor<40x96xbf16>
    %176 = linalg.matmul ins(%collapsed_78, %transposed_77 : tensor<40x96xbf16>, tensor<96x160xbf16>) outs(%109 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %177 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%176 : tensor<40x160xf32>) outs(%111 : tensor<40x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x160xbf16>
    %expanded_79 = tensor.expand_shape %177 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xbf16> into tensor<4x10x160xbf16>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_79 : tensor<4x10x160xbf16>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x160xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<4x10x160xf32>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.negf %in : f32
      %198 = math.exp %197 : f32
      %199 = arith.addf %198, %cst_1 : f32
      %200 = arith.divf %cst_1, %199 : f32
      linalg.yield %200 : f32
    } -> tensor<4x10x160xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %179 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%113 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x160xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<4x10x160xf32>) outs(%117 : tensor<4x10x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x160xbf16>
    %transposed_80 = linalg.transpose ins(%arg16 : tensor<160x96xbf16>) outs(%107 : tensor<96x160xbf16>) permutation = [1, 0] 
    %182 = linalg.matmul ins(%collapsed_78, %transposed_80 : tensor<40x96xbf16>, tensor<96x160xbf16>) outs(%109 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %183 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%182 : tensor<40x160xf32>) outs(%111 : tensor<40x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x160xbf16>
    %expanded_81 = tensor.expand_shape %183 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xbf16> into tensor<4x10x160xbf16>
    %184 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %expanded_81 : tensor<4x10x160xbf16>, tensor<4x10x160xbf16>) outs(%117 : tensor<4x10x160xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x160xbf16>
    %transposed_82 = linalg.transpose ins(%arg17 : tensor<96x160xbf16>) outs(%122 : tensor<160x96xbf16>) permutation = [1, 0] 
    %collapsed_83 = tensor.collapse_shape %184 [[0, 1], [2]] : tensor<4x10x160xbf16> into tensor<40x160xbf16>
    %185 = linalg.matmul ins(%collapsed_83, %transposed_82 : tensor<40x160xbf16>, tensor<160x96xbf16>) outs(%39 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %186 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<40x96xf32>) outs(%41 : tensor<40x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<40x96xbf16>
    %expanded_84 = tensor.expand_shape %186 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xbf16> into tensor<4x10x96xbf16>
    %187 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %expanded_84 : tensor<4x10x96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.addf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %188 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<4x10x96xbf16>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %197 = arith.extf %in : bf16 to f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<4x10x96xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%189 : tensor<4x10x96xf32>) outs(%29 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.addf %in, %out : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %191 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.divf %in, %cst_7 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = arith.truncf %cst_5 : f64 to f32
      %198 = arith.addf %in, %197 : f32
      linalg.yield %198 : f32
    } -> tensor<4x10x1xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192 : tensor<4x10x1xf32>) outs(%28 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %197 = math.rsqrt %in : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x1xf32>
    %194 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188, %193 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%25 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_85: f32, %out: f32):
      %197 = arith.mulf %in, %in_85 : f32
      linalg.yield %197 : f32
    } -> tensor<4x10x96xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %197 = arith.truncf %in : f32 to bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    %196 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20, %195 : tensor<96xbf16>, tensor<4x10x96xbf16>) outs(%0 : tensor<4x10x96xbf16>) {
    ^bb0(%in: bf16, %in_85: bf16, %out: bf16):
      %197 = arith.mulf %in, %in_85 : bf16
      linalg.yield %197 : bf16
    } -> tensor<4x10x96xbf16>
    return %196 : tensor<4x10x96xbf16>
  }
}

