// Written by
//   python -m renorm.export --model Qwen3Model --seed 0 -o test/Models/qwen3.mlir
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
#map12 = affine_map<(d0, d1, d2, d3) -> (d3)>
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
      %arg6: tensor<28xf32> {norm.param = "layers.0.self_attn.q_norm.weight"},
      %arg7: tensor<28xf32> {norm.param = "layers.0.self_attn.k_norm.weight"},
      %arg8: tensor<160x96xf32> {norm.param = "layers.0.mlp.gate_proj.weight"},
      %arg9: tensor<160x96xf32> {norm.param = "layers.0.mlp.up_proj.weight"},
      %arg10: tensor<96x160xf32> {norm.param = "layers.0.mlp.down_proj.weight"},
      %arg11: tensor<96xf32> {norm.param = "layers.0.input_layernorm.weight"},
      %arg12: tensor<96xf32> {norm.param = "layers.0.post_attention_layernorm.weight"},
      %arg13: tensor<168x96xf32> {norm.param = "layers.1.self_attn.q_proj.weight"},
      %arg14: tensor<56x96xf32> {norm.param = "layers.1.self_attn.k_proj.weight"},
      %arg15: tensor<56x96xf32> {norm.param = "layers.1.self_attn.v_proj.weight"},
      %arg16: tensor<96x168xf32> {norm.param = "layers.1.self_attn.o_proj.weight"},
      %arg17: tensor<28xf32> {norm.param = "layers.1.self_attn.q_norm.weight"},
      %arg18: tensor<28xf32> {norm.param = "layers.1.self_attn.k_norm.weight"},
      %arg19: tensor<160x96xf32> {norm.param = "layers.1.mlp.gate_proj.weight"},
      %arg20: tensor<160x96xf32> {norm.param = "layers.1.mlp.up_proj.weight"},
      %arg21: tensor<96x160xf32> {norm.param = "layers.1.mlp.down_proj.weight"},
      %arg22: tensor<96xf32> {norm.param = "layers.1.input_layernorm.weight"},
      %arg23: tensor<96xf32> {norm.param = "layers.1.post_attention_layernorm.weight"},
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
    %cst_5 = arith.constant 0.18898223650461363 : f64
    %cst_6 = arith.constant 9.9999999999999995E-7 : f64
    %cst_7 = arith.constant dense<[1.000000e+00, 0.517947435, 0.268269569, 0.138949543, 0.0719685555, 0.0372759365, 0.0193069763, 0.00999999977, 0.0051794732, 0.0026826961, 0.00138949521, 7.19685806E-4, 3.72759328E-4, 1.93069805E-4]> : tensor<14xf32>
    %true = arith.constant true
    %cst_8 = arith.constant 9.600000e+01 : f32
    %cst_9 = arith.constant 2.800000e+01 : f32
    %0 = tensor.empty() : tensor<4x10x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %186 = arith.index_cast %in : i64 to index
      %187 = linalg.index 2 : index
      %188 = arith.cmpi slt, %186, %c97 : index
      cf.assert %188, "index must be smaller than dim size"
      %189 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %189, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%186, %187] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %2 = tensor.empty() : tensor<10xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %186 = linalg.index 0 : index
      %187 = arith.index_cast %186 : index to i64
      linalg.yield %187 : i64
    } -> tensor<10xi64>
    %4 = tensor.empty() : tensor<4xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %186 = linalg.index 0 : index
      %187 = arith.index_cast %186 : index to i64
      linalg.yield %187 : i64
    } -> tensor<4xi64>
    %expanded = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_10 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_11 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %6 = tensor.empty() : tensor<1x1x10x10xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %expanded_10 : tensor<1x1x1x10xi64>, tensor<1x1x10x1xi64>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i64, %in_86: i64, %out: i1):
      %186 = arith.cmpi sle, %in, %in_86 : i64
      linalg.yield %186 : i1
    } -> tensor<1x1x10x10xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x10x10xi1>) outs(%6 : tensor<1x1x10x10xi1>) {
    ^bb0(%in: i1, %in_86: i1, %out: i1):
      %186 = arith.andi %in, %in_86 : i1
      linalg.yield %186 : i1
    } -> tensor<1x1x10x10xi1>
    %9 = tensor.empty() : tensor<4x1x1x10xi1>
    %10 = linalg.generic {indexing_maps = [#map7, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%9 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_86: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %11 = tensor.empty() : tensor<4x1x10x10xi1>
    %12 = linalg.generic {indexing_maps = [#map9, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x10x10xi1>, tensor<4x1x1x10xi1>) outs(%11 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_86: i1, %out: i1):
      %186 = arith.andi %in, %in_86 : i1
      linalg.yield %186 : i1
    } -> tensor<4x1x10x10xi1>
    %13 = tensor.empty() : tensor<4x1x10x10xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%13 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_86: f32, %in_87: f32, %out: f32):
      %186 = arith.select %in, %in_86, %in_87 : f32
      linalg.yield %186 : f32
    } -> tensor<4x1x10x10xf32>
    %expanded_12 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 10, 1] : tensor<10xi64> into tensor<1x10x1xi64>
    %15 = tensor.empty() : tensor<1x10x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x10x1xi64>) outs(%15 : tensor<1x10x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %186 = arith.sitofp %in : i64 to f32
      linalg.yield %186 : f32
    } -> tensor<1x10x1xf32>
    %17 = tensor.empty() : tensor<1x10x14xf32>
    %18 = linalg.generic {indexing_maps = [#map10, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_7 : tensor<1x10x1xf32>, tensor<14xf32>) outs(%17 : tensor<1x10x14xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<1x10x14xf32>
    %concat = tensor.concat dim(2) %18, %18 : (tensor<1x10x14xf32>, tensor<1x10x14xf32>) -> tensor<1x10x28xf32>
    %19 = tensor.empty() : tensor<1x10x28xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x28xf32>) outs(%19 : tensor<1x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.cos %in : f32
      linalg.yield %186 : f32
    } -> tensor<1x10x28xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x10x28xf32>) outs(%19 : tensor<1x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.sin %in : f32
      linalg.yield %186 : f32
    } -> tensor<1x10x28xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %23 = tensor.empty() : tensor<4x10x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_8 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %28 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %30 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %29 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %31 = tensor.empty() : tensor<96x168xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<168x96xf32>) outs(%31 : tensor<96x168xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %32 = tensor.empty() : tensor<40x168xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %34 = linalg.matmul ins(%collapsed, %transposed : tensor<40x96xf32>, tensor<96x168xf32>) outs(%33 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %expanded_13 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [4, 10, 6, 28] : tensor<40x168xf32> into tensor<4x10x6x28xf32>
    %35 = tensor.empty() : tensor<4x10x6x28xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<4x10x6x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %37 = tensor.empty() : tensor<4x10x6x1xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<4x10x6x1xf32>) -> tensor<4x10x6x1xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<4x10x6x28xf32>) outs(%38 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_9 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x6x1xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %42 : tensor<4x10x6x28xf32>, tensor<4x10x6x1xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %44 = linalg.generic {indexing_maps = [#map12, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6, %43 : tensor<28xf32>, tensor<4x10x6x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %45 = tensor.empty() : tensor<4x6x10x28xf32>
    %transposed_14 = linalg.transpose ins(%44 : tensor<4x10x6x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) permutation = [0, 2, 1, 3] 
    %46 = tensor.empty() : tensor<96x56xf32>
    %transposed_15 = linalg.transpose ins(%arg3 : tensor<56x96xf32>) outs(%46 : tensor<96x56xf32>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<40x56xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %49 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%48 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_16 = tensor.expand_shape %49 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %50 = tensor.empty() : tensor<4x10x2x28xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<4x10x2x28xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %52 = tensor.empty() : tensor<4x10x2x1xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<4x10x2x1xf32>) -> tensor<4x10x2x1xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<4x10x2x28xf32>) outs(%53 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_9 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x2x1xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %57 : tensor<4x10x2x28xf32>, tensor<4x10x2x1xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %59 = linalg.generic {indexing_maps = [#map12, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg7, %58 : tensor<28xf32>, tensor<4x10x2x28xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %60 = tensor.empty() : tensor<4x2x10x28xf32>
    %transposed_17 = linalg.transpose ins(%59 : tensor<4x10x2x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_18 = linalg.transpose ins(%arg4 : tensor<56x96xf32>) outs(%46 : tensor<96x56xf32>) permutation = [1, 0] 
    %61 = linalg.matmul ins(%collapsed, %transposed_18 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%48 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_19 = tensor.expand_shape %61 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<4x10x2x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %20 [[0], [1, 2], [3]] output_shape [1, 1, 10, 28] : tensor<1x10x28xf32> into tensor<1x1x10x28xf32>
    %expanded_22 = tensor.expand_shape %21 [[0], [1, 2], [3]] output_shape [1, 1, 10, 28] : tensor<1x10x28xf32> into tensor<1x1x10x28xf32>
    %62 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %expanded_21 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %extracted_slice = tensor.extract_slice %transposed_14[0, 0, 0, 0] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %extracted_slice_23 = tensor.extract_slice %transposed_14[0, 0, 0, 14] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %63 = tensor.empty() : tensor<4x6x10x14xf32>
    %64 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_23 : tensor<4x6x10x14xf32>) outs(%63 : tensor<4x6x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x14xf32>
    %concat_24 = tensor.concat dim(3) %64, %extracted_slice : (tensor<4x6x10x14xf32>, tensor<4x6x10x14xf32>) -> tensor<4x6x10x28xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_24, %expanded_22 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<4x6x10x28xf32>, tensor<4x6x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_17, %expanded_21 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %extracted_slice_25 = tensor.extract_slice %transposed_17[0, 0, 0, 0] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %extracted_slice_26 = tensor.extract_slice %transposed_17[0, 0, 0, 14] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %68 = tensor.empty() : tensor<4x2x10x14xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_26 : tensor<4x2x10x14xf32>) outs(%68 : tensor<4x2x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x14xf32>
    %concat_27 = tensor.concat dim(3) %69, %extracted_slice_25 : (tensor<4x2x10x14xf32>, tensor<4x2x10x14xf32>) -> tensor<4x2x10x28xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_27, %expanded_22 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<4x2x10x28xf32>, tensor<4x2x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %72 = tensor.empty() : tensor<4x2x3x10x28xf32>
    %73 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<4x2x10x28xf32>) outs(%72 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %collapsed_28 = tensor.collapse_shape %73 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<4x6x10x28xf32>
    %74 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<4x2x10x28xf32>) outs(%72 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %75 = tensor.empty() : tensor<4x6x28x10xf32>
    %transposed_29 = linalg.transpose ins(%collapsed_28 : tensor<4x6x10x28xf32>) outs(%75 : tensor<4x6x28x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_30 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<4x6x10x28xf32> into tensor<24x10x28xf32>
    %collapsed_31 = tensor.collapse_shape %transposed_29 [[0, 1], [2], [3]] : tensor<4x6x28x10xf32> into tensor<24x28x10xf32>
    %76 = tensor.empty() : tensor<24x10x10xf32>
    %77 = linalg.fill ins(%cst : f32) outs(%76 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %78 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<24x10x28xf32>, tensor<24x28x10xf32>) outs(%77 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_32 = tensor.expand_shape %78 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %79 = tensor.empty() : tensor<4x6x10x10xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<4x6x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_5 : f64 to f32
      %187 = arith.mulf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x6x10x10xf32>
    %81 = linalg.generic {indexing_maps = [#map5, #map16, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %82 = tensor.empty() : tensor<4x6x10xi64>
    %83 = linalg.fill ins(%c0_i64 : i64) outs(%82 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %84 = tensor.empty() : tensor<4x6x10xf32>
    %85 = linalg.fill ins(%cst_0 : f32) outs(%84 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %86:2 = linalg.generic {indexing_maps = [#map5, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81 : tensor<4x6x10x10xf32>) outs(%85, %83 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_86: i64):
      %186 = linalg.index 3 : index
      %187 = arith.index_cast %186 : index to i64
      %188 = arith.maximumf %in, %out : f32
      %189 = arith.cmpf ogt, %in, %out : f32
      %190 = arith.select %189, %187, %out_86 : i64
      linalg.yield %188, %190 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_33 = tensor.expand_shape %86#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %expanded_33 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.subf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<4x6x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.exp %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %89 = tensor.empty() : tensor<4x6x10x1xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %91 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<4x6x10x10xf32>) outs(%90 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x1xf32>
    %92 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %91 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.divf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_34 = tensor.collapse_shape %92 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_35 = tensor.collapse_shape %74 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<24x10x28xf32>
    %93 = tensor.empty() : tensor<24x10x28xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %95 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<24x10x10xf32>, tensor<24x10x28xf32>) outs(%94 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %expanded_36 = tensor.expand_shape %95 [[0, 1], [2], [3]] output_shape [4, 6, 10, 28] : tensor<24x10x28xf32> into tensor<4x6x10x28xf32>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<4x6x10x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) permutation = [0, 2, 1, 3] 
    %96 = tensor.empty() : tensor<168x96xf32>
    %transposed_38 = linalg.transpose ins(%arg5 : tensor<96x168xf32>) outs(%96 : tensor<168x96xf32>) permutation = [1, 0] 
    %collapsed_39 = tensor.collapse_shape %transposed_37 [[0, 1], [2, 3]] : tensor<4x10x6x28xf32> into tensor<40x168xf32>
    %97 = tensor.empty() : tensor<40x96xf32>
    %98 = linalg.fill ins(%cst : f32) outs(%97 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %99 = linalg.matmul ins(%collapsed_39, %transposed_38 : tensor<40x168xf32>, tensor<168x96xf32>) outs(%98 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_40 = tensor.expand_shape %99 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_40 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_8 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x1xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %105 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %107 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %106 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %108 = tensor.empty() : tensor<96x160xf32>
    %transposed_41 = linalg.transpose ins(%arg8 : tensor<160x96xf32>) outs(%108 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_42 = tensor.collapse_shape %107 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %109 = tensor.empty() : tensor<40x160xf32>
    %110 = linalg.fill ins(%cst : f32) outs(%109 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %111 = linalg.matmul ins(%collapsed_42, %transposed_41 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%110 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_43 = tensor.expand_shape %111 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %112 = tensor.empty() : tensor<4x10x160xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      %187 = math.exp %186 : f32
      %188 = arith.addf %187, %cst_1 : f32
      %189 = arith.divf %cst_1, %188 : f32
      linalg.yield %189 : f32
    } -> tensor<4x10x160xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43, %113 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x160xf32>
    %transposed_44 = linalg.transpose ins(%arg9 : tensor<160x96xf32>) outs(%108 : tensor<96x160xf32>) permutation = [1, 0] 
    %115 = linalg.matmul ins(%collapsed_42, %transposed_44 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%110 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_45 = tensor.expand_shape %115 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %expanded_45 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x160xf32>
    %117 = tensor.empty() : tensor<160x96xf32>
    %transposed_46 = linalg.transpose ins(%arg10 : tensor<96x160xf32>) outs(%117 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %116 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %118 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%98 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_48 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %expanded_48 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%120 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_8 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %124 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %126 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg22, %125 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %transposed_49 = linalg.transpose ins(%arg13 : tensor<168x96xf32>) outs(%31 : tensor<96x168xf32>) permutation = [1, 0] 
    %collapsed_50 = tensor.collapse_shape %126 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %127 = linalg.matmul ins(%collapsed_50, %transposed_49 : tensor<40x96xf32>, tensor<96x168xf32>) outs(%33 : tensor<40x168xf32>) -> tensor<40x168xf32>
    %expanded_51 = tensor.expand_shape %127 [[0, 1], [2, 3]] output_shape [4, 10, 6, 28] : tensor<40x168xf32> into tensor<4x10x6x28xf32>
    %128 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<4x10x6x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %129 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%128 : tensor<4x10x6x28xf32>) outs(%38 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %130 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_9 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %131 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x6x1xf32>
    %132 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131 : tensor<4x10x6x1xf32>) outs(%37 : tensor<4x10x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x1xf32>
    %133 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51, %132 : tensor<4x10x6x28xf32>, tensor<4x10x6x1xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %134 = linalg.generic {indexing_maps = [#map12, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg17, %133 : tensor<28xf32>, tensor<4x10x6x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x6x28xf32>
    %transposed_52 = linalg.transpose ins(%134 : tensor<4x10x6x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_53 = linalg.transpose ins(%arg14 : tensor<56x96xf32>) outs(%46 : tensor<96x56xf32>) permutation = [1, 0] 
    %135 = linalg.matmul ins(%collapsed_50, %transposed_53 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%48 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_54 = tensor.expand_shape %135 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %136 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<4x10x2x28xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %137 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%136 : tensor<4x10x2x28xf32>) outs(%53 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %138 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_9 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %139 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x2x1xf32>
    %140 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139 : tensor<4x10x2x1xf32>) outs(%52 : tensor<4x10x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x1xf32>
    %141 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54, %140 : tensor<4x10x2x28xf32>, tensor<4x10x2x1xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %142 = linalg.generic {indexing_maps = [#map12, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg18, %141 : tensor<28xf32>, tensor<4x10x2x28xf32>) outs(%50 : tensor<4x10x2x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x2x28xf32>
    %transposed_55 = linalg.transpose ins(%142 : tensor<4x10x2x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_56 = linalg.transpose ins(%arg15 : tensor<56x96xf32>) outs(%46 : tensor<96x56xf32>) permutation = [1, 0] 
    %143 = linalg.matmul ins(%collapsed_50, %transposed_56 : tensor<40x96xf32>, tensor<96x56xf32>) outs(%48 : tensor<40x56xf32>) -> tensor<40x56xf32>
    %expanded_57 = tensor.expand_shape %143 [[0, 1], [2, 3]] output_shape [4, 10, 2, 28] : tensor<40x56xf32> into tensor<4x10x2x28xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<4x10x2x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) permutation = [0, 2, 1, 3] 
    %144 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_52, %expanded_21 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %extracted_slice_59 = tensor.extract_slice %transposed_52[0, 0, 0, 0] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %extracted_slice_60 = tensor.extract_slice %transposed_52[0, 0, 0, 14] [4, 6, 10, 14] [1, 1, 1, 1] : tensor<4x6x10x28xf32> to tensor<4x6x10x14xf32>
    %145 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_60 : tensor<4x6x10x14xf32>) outs(%63 : tensor<4x6x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x14xf32>
    %concat_61 = tensor.concat dim(3) %145, %extracted_slice_59 : (tensor<4x6x10x14xf32>, tensor<4x6x10x14xf32>) -> tensor<4x6x10x28xf32>
    %146 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_61, %expanded_22 : tensor<4x6x10x28xf32>, tensor<1x1x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %147 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %146 : tensor<4x6x10x28xf32>, tensor<4x6x10x28xf32>) outs(%45 : tensor<4x6x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x28xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_55, %expanded_21 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %extracted_slice_62 = tensor.extract_slice %transposed_55[0, 0, 0, 0] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %extracted_slice_63 = tensor.extract_slice %transposed_55[0, 0, 0, 14] [4, 2, 10, 14] [1, 1, 1, 1] : tensor<4x2x10x28xf32> to tensor<4x2x10x14xf32>
    %149 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_63 : tensor<4x2x10x14xf32>) outs(%68 : tensor<4x2x10x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x14xf32>
    %concat_64 = tensor.concat dim(3) %149, %extracted_slice_62 : (tensor<4x2x10x14xf32>, tensor<4x2x10x14xf32>) -> tensor<4x2x10x28xf32>
    %150 = linalg.generic {indexing_maps = [#map5, #map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_64, %expanded_22 : tensor<4x2x10x28xf32>, tensor<1x1x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %151 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%148, %150 : tensor<4x2x10x28xf32>, tensor<4x2x10x28xf32>) outs(%60 : tensor<4x2x10x28xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x2x10x28xf32>
    %152 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%151 : tensor<4x2x10x28xf32>) outs(%72 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %collapsed_65 = tensor.collapse_shape %152 [[0], [1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<4x6x10x28xf32>
    %153 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58 : tensor<4x2x10x28xf32>) outs(%72 : tensor<4x2x3x10x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3x10x28xf32>
    %transposed_66 = linalg.transpose ins(%collapsed_65 : tensor<4x6x10x28xf32>) outs(%75 : tensor<4x6x28x10xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_67 = tensor.collapse_shape %147 [[0, 1], [2], [3]] : tensor<4x6x10x28xf32> into tensor<24x10x28xf32>
    %collapsed_68 = tensor.collapse_shape %transposed_66 [[0, 1], [2], [3]] : tensor<4x6x28x10xf32> into tensor<24x28x10xf32>
    %154 = linalg.batch_matmul ins(%collapsed_67, %collapsed_68 : tensor<24x10x28xf32>, tensor<24x28x10xf32>) outs(%77 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_69 = tensor.expand_shape %154 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %155 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<4x6x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_5 : f64 to f32
      %187 = arith.mulf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x6x10x10xf32>
    %156 = linalg.generic {indexing_maps = [#map5, #map16, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %14 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %157:2 = linalg.generic {indexing_maps = [#map5, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%156 : tensor<4x6x10x10xf32>) outs(%85, %83 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_86: i64):
      %186 = linalg.index 3 : index
      %187 = arith.index_cast %186 : index to i64
      %188 = arith.maximumf %in, %out : f32
      %189 = arith.cmpf ogt, %in, %out : f32
      %190 = arith.select %189, %187, %out_86 : i64
      linalg.yield %188, %190 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_70 = tensor.expand_shape %157#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %158 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %expanded_70 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.subf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %159 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158 : tensor<4x6x10x10xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.exp %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %160 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%159 : tensor<4x6x10x10xf32>) outs(%90 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x1xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159, %160 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%79 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.divf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_71 = tensor.collapse_shape %161 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_72 = tensor.collapse_shape %153 [[0, 1, 2], [3], [4]] : tensor<4x2x3x10x28xf32> into tensor<24x10x28xf32>
    %162 = linalg.batch_matmul ins(%collapsed_71, %collapsed_72 : tensor<24x10x10xf32>, tensor<24x10x28xf32>) outs(%94 : tensor<24x10x28xf32>) -> tensor<24x10x28xf32>
    %expanded_73 = tensor.expand_shape %162 [[0, 1], [2], [3]] output_shape [4, 6, 10, 28] : tensor<24x10x28xf32> into tensor<4x6x10x28xf32>
    %transposed_74 = linalg.transpose ins(%expanded_73 : tensor<4x6x10x28xf32>) outs(%35 : tensor<4x10x6x28xf32>) permutation = [0, 2, 1, 3] 
    %transposed_75 = linalg.transpose ins(%arg16 : tensor<96x168xf32>) outs(%96 : tensor<168x96xf32>) permutation = [1, 0] 
    %collapsed_76 = tensor.collapse_shape %transposed_74 [[0, 1], [2, 3]] : tensor<4x10x6x28xf32> into tensor<40x168xf32>
    %163 = linalg.matmul ins(%collapsed_76, %transposed_75 : tensor<40x168xf32>, tensor<168x96xf32>) outs(%98 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_77 = tensor.expand_shape %163 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %expanded_77 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%165 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_8 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x1xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %169 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %171 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg23, %170 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %transposed_78 = linalg.transpose ins(%arg19 : tensor<160x96xf32>) outs(%108 : tensor<96x160xf32>) permutation = [1, 0] 
    %collapsed_79 = tensor.collapse_shape %171 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %172 = linalg.matmul ins(%collapsed_79, %transposed_78 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%110 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_80 = tensor.expand_shape %172 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80 : tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.negf %in : f32
      %187 = math.exp %186 : f32
      %188 = arith.addf %187, %cst_1 : f32
      %189 = arith.divf %cst_1, %188 : f32
      linalg.yield %189 : f32
    } -> tensor<4x10x160xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80, %173 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x160xf32>
    %transposed_81 = linalg.transpose ins(%arg20 : tensor<160x96xf32>) outs(%108 : tensor<96x160xf32>) permutation = [1, 0] 
    %175 = linalg.matmul ins(%collapsed_79, %transposed_81 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%110 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %expanded_82 = tensor.expand_shape %175 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174, %expanded_82 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%112 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x160xf32>
    %transposed_83 = linalg.transpose ins(%arg21 : tensor<96x160xf32>) outs(%117 : tensor<160x96xf32>) permutation = [1, 0] 
    %collapsed_84 = tensor.collapse_shape %176 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %177 = linalg.matmul ins(%collapsed_84, %transposed_83 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%98 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %expanded_85 = tensor.expand_shape %177 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %expanded_85 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.addf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%179 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.addf %in, %out : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.divf %in, %cst_8 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = arith.truncf %cst_6 : f64 to f32
      %187 = arith.addf %in, %186 : f32
      linalg.yield %187 : f32
    } -> tensor<4x10x1xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<4x10x1xf32>) outs(%23 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %186 = math.rsqrt %in : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x1xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %183 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    %185 = linalg.generic {indexing_maps = [#map11, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg24, %184 : tensor<96xf32>, tensor<4x10x96xf32>) outs(%0 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %186 = arith.mulf %in, %in_86 : f32
      linalg.yield %186 : f32
    } -> tensor<4x10x96xf32>
    return %185 : tensor<4x10x96xf32>
  }
}

