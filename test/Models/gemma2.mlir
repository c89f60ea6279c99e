// Written by
//   python -m renorm.export --model Gemma2Model --seed 0 -o test/Models/gemma2.mlir
// with torch 2.13.0+cpu, transformers 5.24.0, torch-mlir 20261001.
// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<4x10xi64>,
      %arg1: tensor<97x96xf32> {norm.param = "embed_tokens.weight"},
      %arg2: tensor<168x96xf32> {norm.param = "layers.0.self_attn.q_proj.weight"},
      %arg3: tensor<56x96xf32> {norm.param = "layers.0.self_attn.k_proj.weight"},
      %arg4: tensor<56x96xf32> {norm.param = "layers.0.self_attn.v_proj.weight"},
      %arg5: tensor<96x168xf32> {norm.param = "layers.0.self_attn.o_proj.weight"},
      %arg6: tensor<160x96xf32> {norm.param = "layers.0.mlp.gate_proj.weight"},
      %arg7: tensor<160x96xf32> {norm.param = "layers.0.mlp.up_proj.weight"},
      %arg8: tensor<96x160xf32> {norm.param = "layers.0.mlp.down_proj.weight"},
      %arg9: tensor<96xf32> {norm.param = "layers.0.input_layernorm.weight"},
      %arg10: tensor<96xf32> {norm.param = "layers.0.post_attention_layernorm.weight"},
      %arg11: tensor<96xf32> {norm.param = "layers.0.pre_feedforward_layernorm.weight"},
      %arg12: tensor<96xf32> {norm.param = "layers.0.post_feedforward_layernorm.weight"},
      %arg13: tensor<168x96xf32> {norm.param = "layers.1.self_attn.q_proj.weight"},
      %arg14: tensor<56x96xf32> {norm.param = "layers.1.self_attn.k_proj.weight"},
      %arg15: tensor<56x96xf32> {norm.param = "layers.1.self_attn.v_proj.weight"},
      %arg16: tensor<96x168xf32> {norm.param = "layers.1.self_attn.o_proj.weight"},
      %arg17: tensor<160x96xf32> {norm.param = "layers.1.mlp.gate_proj.weight"},
      %arg18: tensor<160x96xf32> {norm.param = "layers.1.mlp.up_proj.weight"},
      %arg19: tensor<96x160xf32> {norm.param = "layers.1.mlp.down_proj.weight"},
      %arg20: tensor<96xf32> {norm.param = "layers.1.input_layernorm.weight"},
      %arg21: tensor<96xf32> {norm.param = "layers.1.post_attention_layernorm.weight"},
      %arg22: tensor<96xf32> {norm.param = "layers.1.pre_feedforward_layernorm.weight"},
      %arg23: tensor<96xf32> {norm.param = "layers.1.post_feedforward_layernorm.weight"},
      %arg24: tensor<96xf32> {norm.param = "norm.weight"}) -> tensor<4x10x96xf32> {
    %c5_i64 = arith.constant 5 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c97 = arith.constant 97 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant 0.79788456080286541 : f64
    %cst_5 = arith.constant 4.471500e-02 : f64
    %cst_6 = arith.constant 0.16666666666666666 : f64
    %cst_7 = arith.constant 9.9999999999999995E-7 : f64
    %cst_8 = arith.constant dense<[1.000000e+00, 0.517947435, 0.268269569, 0.138949543, 0.0719685555, 0.0372759365, 0.0193069763, 0.00999999977, 0.0051794732, 0.0026826961, 0.00138949521, 7.19685806E-4, 3.72759328E-4, 1.93069805E-4]> : tensor<14xf32>
    %cst_9 = arith.constant dense<9.79795932> : tensor<f32>
    %true = arith.constant true
    %cst_10 = arith.constant 9.600000e+01 : f32
    %cst_11 = arith.constant 1.000000e+00 : f32
    %cst_12 = arith.constant 5.000000e+00 : f32
    %cst_13 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<4x10x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %220 = arith.index_cast %in : i64 to index
      %221 = linalg.index 2 : index
      %222 = arith.cmpi slt, %220, %c97 : index
      cf.assert %222, "index must be smaller than dim size"
      %223 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %223, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%220, %221] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %cst_9 : tensor<4x10x96xf32>, tensor<f32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %3 = tensor.empty() : tensor<10xi64>
    %4 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%3 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %220 = linalg.index 0 : index
      %221 = arith.index_cast %220 : index to i64
      linalg.yield %221 : i64
    } -> tensor<10xi64>
    %5 = tensor.empty() : tensor<4xi64>
    %6 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%5 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %220 = linalg.index 0 : index
      %221 = arith.index_cast %220 : index to i64
      linalg.yield %221 : i64
    } -> tensor<4xi64>
    %expanded = tensor.expand_shape %6 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_14 = tensor.expand_shape %4 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_15 = tensor.expand_shape %4 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %7 = tensor.empty() : tensor<1x1x10x10xi1>
    %8 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %expanded_14 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_90: i64, %out: i1):
      %220 = arith.cmpi sle, %in, %in_90 : i64
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %9 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %8 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %10 = tensor.empty() : tensor<4x1x1x10xi1>
    %11 = linalg.generic {indexing_maps = [#map8, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_15 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%10 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_90: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %12 = tensor.empty() : tensor<4x1x10x10xi1>
    %13 = linalg.generic {indexing_maps = [#map10, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %11 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%12 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<4x1x10x10xi1>
    %14 = tensor.empty() : tensor<4x1x10x10xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map7, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %cst_2, %cst_1 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%14 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_90: f32, %in_91: f32, %out: f32):
      %220 = arith.select %in, %in_90, %in_91 : f32
      linalg.yield %220 : f32
    } -> tensor<4x1x10x10xf32>
    %16 = tensor.empty() : tensor<1x1x10x1xi64>
    %17 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x1x10x1xi64>) outs(%16 : tensor<1x1x10x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %220 = arith.subi %in, %c5_i64 : i64
      linalg.yield %220 : i64
    } -> tensor<1x1x10x1xi64>
    %18 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %17 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_90: i64, %out: i1):
      %220 = arith.cmpi sgt, %in, %in_90 : i64
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %19 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %18 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %8 : tensor<1x1x10x10xi1>, tensor<1x1x10x10xi1>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %21 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %20 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%7 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<1x1x10x10xi1>
    %22 = linalg.generic {indexing_maps = [#map10, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %11 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%12 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_90: i1, %out: i1):
      %220 = arith.andi %in, %in_90 : i1
      linalg.yield %220 : i1
    } -> tensor<4x1x10x10xi1>
    %23 = linalg.generic {indexing_maps = [#map6, #map7, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %cst_2, %cst_1 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%14 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_90: f32, %in_91: f32, %out: f32):
      %220 = arith.select %in, %in_90, %in_91 : f32
      linalg.yield %220 : f32
    } -> tensor<4x1x10x10xf32>
    %expanded_16 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [1, 10, 1] : tensor<10xi64> into tensor<1x10x1xi64>
    %24 = tensor.empty() : tensor<1x10x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x10x1xi64>) outs(%24 : tensor<1x10x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %220 = arith.sitofp %in : i64 to f32
      linalg.yield %220 : f32
    } -> tensor<1x10x1xf32>
    %26 = tensor.empty() : tensor<1x10x14xf32>
    %27 = linalg.generic {indexing_maps = [#map11, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %cst_8 : tensor<1x10x1xf32>, tensor<14xf32>) outs(%26 : tensor<1x10x14xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<1x10x14xf32>
    %concat = tensor.concat dim(2) %27, %27 : (tensor<1x10x14xf32>, tensor<1x10x14xf32>) -> tensor<1x10x28xf32>
    %28 = tensor.empty() : tensor<1x10x28xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x28xf32>) outs(%28 : tensor<1x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.cos %in : f32
      linalg.yield %220 : f32
    } -> tensor<1x10x28xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x28xf32>) outs(%28 : tensor<1x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.sin %in : f32
      linalg.yield %220 : f32
    } -> tensor<1x10x28xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %32 = tensor.empty() : tensor<4x10x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %37 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %39 = tensor.empty() : tensor<96xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %40 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %42 = tensor.empty() : tensor<96x168xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<168x96xf32>) outs(%42 : tensor<96x168xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %41 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %43 = tensor.empty() : tensor<40x168xf32>
    %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %45 = linalg.matmul ins(%collapsed, %transposed : tensor<40x96xf32>, tensor<96x168xf32>) outs(%44 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %expanded_17 = tensor.expand_shape %45 [[0, 1], [2, 3]] output_shape [4, 10, 6, 28] : tensor<40x168xf32> into tensor<4x10x6x28xf32>
    %46 = tensor.empty() : tensor<4x6x10x28xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<4x10x6x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) permutation = [0, 2, 1, 3] 
    %47 = tensor.empty() : tensor<96x56xf32>
    %transposed_19 = linalg.transpose ins(%arg3 : tensor<56x96xf32>) outs(%47 : tensor<96x56xf32>) permutation = [1, 0] 
    %48 = tensor.empty() : tensor<40x56xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %50 = linalg.matmul ins(%collapsed, %transposed_19 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%49 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_20 = tensor.expand_shape %50 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %51 = tensor.empty() : tensor<4x2x10x28xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<4x10x2x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_22 = linalg.transpose ins(%arg4 : tensor<56x96xf32>) outs(%47 : tensor<96x56xf32>) permutation = [1, 0] 
    %52 = linalg.matmul ins(%collapsed, %transposed_22 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%49 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_23 = tensor.expand_shape %52 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<4x10x2x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %expanded_25 = tensor.expand_shape %29 [[0], [1, 2], [3]] output_shape [1, 1, 10, 28] : tensor<1x10x28xf32> into tensor<1x1x10x28xf32>
    %expanded_26 = tensor.expand_shape %30 [[0], [1, 2], [3]] output_shape [1, 1, 10, 28] : tensor<1x10x28xf32> into tensor<1x1x10x28xf32>
    %53 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18, %expanded_25 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %extracted_slice = tensor.extract_slice %transposed_18[0, 0, 0, 0] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %extracted_slice_27 = tensor.extract_slice %transposed_18[0, 0, 0, 14] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %54 = tensor.empty() : tensor<4x6x10x14xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_27 : tensor<4x6x10x14xf32>) outs(%54 : tensor<4x6x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.negf %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x14xf32>
    %concat_28 = tensor.concat dim(3) %55, %extracted_slice : (tensor<4x6x10x14xf32>, tensor<4x6x10x14xf32>) -> tensor<4x6x10x28xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_28, %expanded_26 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<4x6x10x28xf32>, tensor<4x6x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %58 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %expanded_25 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %extracted_slice_29 = tensor.extract_slice %transposed_21[0, 0, 0, 0] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %extracted_slice_30 = tensor.extract_slice %transposed_21[0, 0, 0, 14] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %59 = tensor.empty() : tensor<4x2x10x14xf32>
    %60 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_30 : tensor<4x2x10x14xf32>) outs(%59 : tensor<4x2x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.negf %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x14xf32>
    %concat_31 = tensor.concat dim(3) %60, %extracted_slice_29 : (tensor<4x2x10x14xf32>, tensor<4x2x10x14xf32>) -> tensor<4x2x10x28xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_31, %expanded_26 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<4x2x10x28xf32>, tensor<4x2x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %63 = tensor.empty() : tensor<4x2x3x10x28xf32>
    %64 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<4x2x10x28xf32>) outs(%63 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %collapsed_32 = tensor.collapse_shape %64 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<4x6x10x28xf32>
    %65 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<4x2x10x28xf32>) outs(%63 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %66 = tensor.empty() : tensor<4x6x28x10xf32>
    %transposed_33 = linalg.transpose ins(%collapsed_32 : tensor<4x6x10x28xf32>) outs(%66 : tensor<4x6x28x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_34 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<4x6x10x28xf32> into tensor<24x10x28xf32>
    %collapsed_35 = tensor.collapse_shape %transposed_33 [[0, 1], [2], [3]] : tensor<4x6x28x10xf32> into tensor<24x28x10xf32>
    %67 = tensor.empty() : tensor<24x10x10xf32>
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %69 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<24x10x28xf32>, tensor<24x28x10xf32>) outs(%68 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_36 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %70 = tensor.empty() : tensor<4x6x10x10xf32>
    %71 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_6 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x6x10x10xf32>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_12 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %73 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.tanh %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %74 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.mulf %in, %cst_12 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %75 = linalg.generic {indexing_maps = [#map6, #map16, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %23 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %76 = tensor.empty() : tensor<4x6x10xi64>
    %77 = linalg.fill ins(%c0_i64 : i64) outs(%76 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %78 = tensor.empty() : tensor<4x6x10xf32>
    %79 = linalg.fill ins(%cst_0 : f32) outs(%78 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %80:2 = linalg.generic {indexing_maps = [#map6, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<4x6x10x10xf32>) outs(%79, %77 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_90: i64):
      %220 = linalg.index 3 : index
      %221 = arith.index_cast %220 : index to i64
      %222 = arith.maximumf %in, %out : f32
      %223 = arith.cmpf ogt, %in, %out : f32
      %224 = arith.select %223, %221, %out_90 : i64
      linalg.yield %222, %224 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_37 = tensor.expand_shape %80#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %81 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %expanded_37 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.subf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %82 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.exp %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %83 = tensor.empty() : tensor<4x6x10x1xf32>
    %84 = linalg.fill ins(%cst : f32) outs(%83 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %85 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<4x6x10x10xf32>) outs(%84 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x1xf32>
    %86 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %85 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.divf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_38 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_39 = tensor.collapse_shape %65 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<24x10x28xf32>
    %87 = tensor.empty() : tensor<24x10x28xf32>
    %88 = linalg.fill ins(%cst : f32) outs(%87 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %89 = linalg.batch_matmul ins(%collapsed_38, %collapsed_39 : tensor<24x10x10xf32>, tensor<24x10x28xf32>) outs(%88 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %expanded_40 = tensor.expand_shape %89 [[0, 1], [2], [3]] output_shape [4, 6, 10, 28] : tensor<24x10x28xf32> into tensor<4x6x10x28xf32>
    %90 = tensor.empty() : tensor<4x10x6x28xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<4x6x10x28xf32>) outs(%90 : tensor<4x10x6x28xf32>) permutation = [0, 2, 1, 3] 
    %91 = tensor.empty() : tensor<168x96xf32>
    %transposed_42 = linalg.transpose ins(%arg5 : tensor<96x168xf32>) outs(%91 : tensor<168x96xf32>) permutation = [1, 0] 
    %collapsed_43 = tensor.collapse_shape %transposed_41 [[0, 1], [2, 3]] : tensor<4x10x6x28xf32> into tensor<40x168xf32>
    %92 = tensor.empty() : tensor<40x96xf32>
    %93 = linalg.fill ins(%cst : f32) outs(%92 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %94 = linalg.matmul ins(%collapsed_43, %transposed_42 : tensor<40x168xf32>, tensor<168x96xf32>) outs(%93 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_44 = tensor.expand_shape %94 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44, %99 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %101 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg10 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %101 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %102 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%104 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %108 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg11 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %110 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %112 = tensor.empty() : tensor<96x160xf32>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<160x96xf32>) outs(%112 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_46 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %113 = tensor.empty() : tensor<40x160xf32>
    %114 = linalg.fill ins(%cst : f32) outs(%113 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %115 = linalg.matmul ins(%collapsed_46, %transposed_45 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%114 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_47 = tensor.expand_shape %115 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %116 = tensor.empty() : tensor<4x10x160xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47, %expanded_47 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %expanded_47 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_5 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x160xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47, %119 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_4 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x160xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.mulf %in, %cst_13 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.tanh %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %124 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %transposed_48 = linalg.transpose ins(%arg7 : tensor<160x96xf32>) outs(%112 : tensor<96x160xf32>) permutation = [1, 0] 
    %126 = linalg.matmul ins(%collapsed_46, %transposed_48 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%114 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_49 = tensor.expand_shape %126 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %expanded_49 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %128 = tensor.empty() : tensor<160x96xf32>
    %transposed_50 = linalg.transpose ins(%arg8 : tensor<96x160xf32>) outs(%128 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_51 = tensor.collapse_shape %127 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %129 = linalg.matmul ins(%collapsed_51, %transposed_50 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%93 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_52 = tensor.expand_shape %129 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_52 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_52, %134 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %136 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg12 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %137 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%139 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %143 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %145 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg20 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %145 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %transposed_53 = linalg.transpose ins(%arg13 : tensor<168x96xf32>) outs(%42 : tensor<96x168xf32>) permutation = [1, 0] 
    %collapsed_54 = tensor.collapse_shape %146 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %147 = linalg.matmul ins(%collapsed_54, %transposed_53 : tensor<40x96xf32>, tensor<96x168xf32>) outs(%44 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %expanded_55 = tensor.expand_shape %147 [[0, 1], [2, 3]] output_shape [4, 10, 6, 28] : tensor<40x168xf32> into tensor<4x10x6x28xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<4x10x6x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_57 = linalg.transpose ins(%arg14 : tensor<56x96xf32>) outs(%47 : tensor<96x56xf32>) permutation = [1, 0] 
    %148 = linalg.matmul ins(%collapsed_54, %transposed_57 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%49 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_58 = tensor.expand_shape %148 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %transposed_59 = linalg.transpose ins(%expanded_58 : tensor<4x10x2x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_60 = linalg.transpose ins(%arg15 : tensor<56x96xf32>) outs(%47 : tensor<96x56xf32>) permutation = [1, 0] 
    %149 = linalg.matmul ins(%collapsed_54, %transposed_60 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%49 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_61 = tensor.expand_shape %149 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<4x10x2x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %150 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_56, %expanded_25 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %extracted_slice_63 = tensor.extract_slice %transposed_56[0, 0, 0, 0] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %extracted_slice_64 = tensor.extract_slice %transposed_56[0, 0, 0, 14] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %151 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_64 : tensor<4x6x10x14xf32>) outs(%54 : tensor<4x6x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.negf %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x14xf32>
    %concat_65 = tensor.concat dim(3) %151, %extracted_slice_63 : (tensor<4x6x10x14xf32>, tensor<4x6x10x14xf32>) -> tensor<4x6x10x28xf32>
    %152 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_65, %expanded_26 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %153 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150, %152 : tensor<4x6x10x28xf32>, tensor<4x6x10x28xf32>) outs(%46 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x28xf32>
    %154 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_59, %expanded_25 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %extracted_slice_66 = tensor.extract_slice %transposed_59[0, 0, 0, 0] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %extracted_slice_67 = tensor.extract_slice %transposed_59[0, 0, 0, 14] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %155 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_67 : tensor<4x2x10x14xf32>) outs(%59 : tensor<4x2x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.negf %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x14xf32>
    %concat_68 = tensor.concat dim(3) %155, %extracted_slice_66 : (tensor<4x2x10x14xf32>, tensor<4x2x10x14xf32>) -> tensor<4x2x10x28xf32>
    %156 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_68, %expanded_26 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %157 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %156 : tensor<4x2x10x28xf32>, tensor<4x2x10x28xf32>) outs(%51 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x2x10x28xf32>
    %158 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<4x2x10x28xf32>) outs(%63 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %collapsed_69 = tensor.collapse_shape %158 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<4x6x10x28xf32>
    %159 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_62 : tensor<4x2x10x28xf32>) outs(%63 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %transposed_70 = linalg.transpose ins(%collapsed_69 : tensor<4x6x10x28xf32>) outs(%66 : tensor<4x6x28x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_71 = tensor.collapse_shape %153 [[0, 1], [2], [3]] : tensor<4x6x10x28xf32> into tensor<24x10x28xf32>
    %collapsed_72 = tensor.collapse_shape %transposed_70 [[0, 1], [2], [3]] : tensor<4x6x28x10xf32> into tensor<24x28x10xf32>
    %160 = linalg.batch_matmul ins(%collapsed_71, %collapsed_72 : tensor<24x10x28xf32>, tensor<24x28x10xf32>) outs(%68 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_73 = tensor.expand_shape %160 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %161 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_73 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_6 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x6x10x10xf32>
    %162 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_12 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %163 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%162 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.tanh %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %164 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%163 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.mulf %in, %cst_12 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %165 = linalg.generic {indexing_maps = [#map6, #map16, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%164, %15 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %166:2 = linalg.generic {indexing_maps = [#map6, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%165 : tensor<4x6x10x10xf32>) outs(%79, %77 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_90: i64):
      %220 = linalg.index 3 : index
      %221 = arith.index_cast %220 : index to i64
      %222 = arith.maximumf %in, %out : f32
      %223 = arith.cmpf ogt, %in, %out : f32
      %224 = arith.select %223, %221, %out_90 : i64
      linalg.yield %222, %224 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_74 = tensor.expand_shape %166#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %167 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165, %expanded_74 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.subf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %168 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167 : tensor<4x6x10x10xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.exp %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %169 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%168 : tensor<4x6x10x10xf32>) outs(%84 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x1xf32>
    %170 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168, %169 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%70 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.divf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_75 = tensor.collapse_shape %170 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_76 = tensor.collapse_shape %159 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<24x10x28xf32>
    %171 = linalg.batch_matmul ins(%collapsed_75, %collapsed_76 : tensor<24x10x10xf32>, tensor<24x10x28xf32>) outs(%88 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %expanded_77 = tensor.expand_shape %171 [[0, 1], [2], [3]] output_shape [4, 6, 10, 28] : tensor<24x10x28xf32> into tensor<4x6x10x28xf32>
    %transposed_78 = linalg.transpose ins(%expanded_77 : tensor<4x6x10x28xf32>) outs(%90 : tensor<4x10x6x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_79 = linalg.transpose ins(%arg16 : tensor<96x168xf32>) outs(%91 : tensor<168x96xf32>) permutation = [1, 0] 
    %collapsed_80 = tensor.collapse_shape %transposed_78 [[0, 1], [2, 3]] : tensor<4x10x6x28xf32> into tensor<40x168xf32>
    %172 = linalg.matmul ins(%collapsed_80, %transposed_79 : tensor<40x168xf32>, tensor<168x96xf32>) outs(%93 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_81 = tensor.expand_shape %172 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_81 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%173 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_81, %177 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %179 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg21 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %179 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %180 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%182 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %186 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %188 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg22 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187, %188 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %transposed_82 = linalg.transpose ins(%arg17 : tensor<160x96xf32>) outs(%112 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_83 = tensor.collapse_shape %189 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %190 = linalg.matmul ins(%collapsed_83, %transposed_82 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%114 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_84 = tensor.expand_shape %190 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %191 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_84, %expanded_84 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %expanded_84 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_5 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x160xf32>
    %194 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_84, %193 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_4 : f64 to f32
      %221 = arith.mulf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x160xf32>
    %196 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_84 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.mulf %in, %cst_13 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %197 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.tanh %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %198 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %199 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%196, %198 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %transposed_85 = linalg.transpose ins(%arg18 : tensor<160x96xf32>) outs(%112 : tensor<96x160xf32>) permutation = [1, 0] 
    %200 = linalg.matmul ins(%collapsed_83, %transposed_85 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%114 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_86 = tensor.expand_shape %200 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %201 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199, %expanded_86 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%116 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x160xf32>
    %transposed_87 = linalg.transpose ins(%arg19 : tensor<96x160xf32>) outs(%128 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_88 = tensor.collapse_shape %201 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %202 = linalg.matmul ins(%collapsed_88, %transposed_87 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%93 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_89 = tensor.expand_shape %202 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %203 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_89 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %204 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%203 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %205 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %206 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %207 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %208 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_89, %207 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %209 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg23 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %210 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208, %209 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %211 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %210 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.addf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %212 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %213 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%212 : tensor<4x10x96xf32>) outs(%33 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %out : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %214 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.divf %in, %cst_10 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %215 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.truncf %cst_7 : f64 to f32
      %221 = arith.addf %in, %220 : f32
      linalg.yield %221 : f32
    } -> tensor<4x10x1xf32>
    %216 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%215 : tensor<4x10x1xf32>) outs(%32 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = math.rsqrt %in : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x1xf32>
    %217 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %216 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    %218 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg24 : tensor<96xf32>) outs(%39 : tensor<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %220 = arith.addf %in, %cst_11 : f32
      linalg.yield %220 : f32
    } -> tensor<96xf32>
    %219 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217, %218 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %220 = arith.mulf %in, %in_90 : f32
      linalg.yield %220 : f32
    } -> tensor<4x10x96xf32>
    return %219 : tensor<4x10x96xf32>
  }
}

