// Written by
//   python -m renorm.export --model BertModel --seed 0 -o test/Models/bert.mlir
// with torch 2.13.0+cpu, transformers 5.24.0, torch-mlir 20261001.
// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<4x10xi64>,
      %arg1: tensor<97x96xf32> {norm.param = "embeddings.word_embeddings.weight"},
      %arg2: tensor<32x96xf32> {norm.param = "embeddings.position_embeddings.weight"},
      %arg3: tensor<2x96xf32> {norm.param = "embeddings.token_type_embeddings.weight"},
      %arg4: tensor<96xf32> {norm.param = "embeddings.LayerNorm.weight"},
      %arg5: tensor<96xf32> {norm.param = "embeddings.LayerNorm.bias"},
      %arg6: tensor<96x96xf32> {norm.param = "encoder.layer.0.attention.self.query.weight"},
      %arg7: tensor<96xf32> {norm.param = "encoder.layer.0.attention.self.query.bias"},
      %arg8: tensor<96x96xf32> {norm.param = "encoder.layer.0.attention.self.key.weight"},
      %arg9: tensor<96xf32> {norm.param = "encoder.layer.0.attention.self.key.bias"},
      %arg10: tensor<96x96xf32> {norm.param = "encoder.layer.0.attention.self.value.weight"},
      %arg11: tensor<96xf32> {norm.param = "encoder.layer.0.attention.self.value.bias"},
      %arg12: tensor<96x96xf32> {norm.param = "encoder.layer.0.attention.output.dense.weight"},
      %arg13: tensor<96xf32> {norm.param = "encoder.layer.0.attention.output.dense.bias"},
      %arg14: tensor<96xf32> {norm.param = "encoder.layer.0.attention.output.LayerNorm.weight"},
      %arg15: tensor<96xf32> {norm.param = "encoder.layer.0.attention.output.LayerNorm.bias"},
      %arg16: tensor<160x96xf32> {norm.param = "encoder.layer.0.intermediate.dense.weight"},
      %arg17: tensor<160xf32> {norm.param = "encoder.layer.0.intermediate.dense.bias"},
      %arg18: tensor<96x160xf32> {norm.param = "encoder.layer.0.output.dense.weight"},
      %arg19: tensor<96xf32> {norm.param = "encoder.layer.0.output.dense.bias"},
      %arg20: tensor<96xf32> {norm.param = "encoder.layer.0.output.LayerNorm.weight"},
      %arg21: tensor<96xf32> {norm.param = "encoder.layer.0.output.LayerNorm.bias"},
      %arg22: tensor<96x96xf32> {norm.param = "encoder.layer.1.attention.self.query.weight"},
      %arg23: tensor<96xf32> {norm.param = "encoder.layer.1.attention.self.query.bias"},
      %arg24: tensor<96x96xf32> {norm.param = "encoder.layer.1.attention.self.key.weight"},
      %arg25: tensor<96xf32> {norm.param = "encoder.layer.1.attention.self.key.bias"},
      %arg26: tensor<96x96xf32> {norm.param = "encoder.layer.1.attention.self.value.weight"},
      %arg27: tensor<96xf32> {norm.param = "encoder.layer.1.attention.self.value.bias"},
      %arg28: tensor<96x96xf32> {norm.param = "encoder.layer.1.attention.output.dense.weight"},
      %arg29: tensor<96xf32> {norm.param = "encoder.layer.1.attention.output.dense.bias"},
      %arg30: tensor<96xf32> {norm.param = "encoder.layer.1.attention.output.LayerNorm.weight"},
      %arg31: tensor<96xf32> {norm.param = "encoder.layer.1.attention.output.LayerNorm.bias"},
      %arg32: tensor<160x96xf32> {norm.param = "encoder.layer.1.intermediate.dense.weight"},
      %arg33: tensor<160xf32> {norm.param = "encoder.layer.1.intermediate.dense.bias"},
      %arg34: tensor<96x160xf32> {norm.param = "encoder.layer.1.output.dense.weight"},
      %arg35: tensor<96xf32> {norm.param = "encoder.layer.1.output.dense.bias"},
      %arg36: tensor<96xf32> {norm.param = "encoder.layer.1.output.LayerNorm.weight"},
      %arg37: tensor<96xf32> {norm.param = "encoder.layer.1.output.LayerNorm.bias"},
      %arg38: tensor<96x96xf32> {norm.param = "encoder.layer.2.attention.self.query.weight"},
      %arg39: tensor<96xf32> {norm.param = "encoder.layer.2.attention.self.query.bias"},
      %arg40: tensor<96x96xf32> {norm.param = "encoder.layer.2.attention.self.key.weight"},
      %arg41: tensor<96xf32> {norm.param = "encoder.layer.2.attention.self.key.bias"},
      %arg42: tensor<96x96xf32> {norm.param = "encoder.layer.2.attention.self.value.weight"},
      %arg43: tensor<96xf32> {norm.param = "encoder.layer.2.attention.self.value.bias"},
      %arg44: tensor<96x96xf32> {norm.param = "encoder.layer.2.attention.output.dense.weight"},
      %arg45: tensor<96xf32> {norm.param = "encoder.layer.2.attention.output.dense.bias"},
      %arg46: tensor<96xf32> {norm.param = "encoder.layer.2.attention.output.LayerNorm.weight"},
      %arg47: tensor<96xf32> {norm.param = "encoder.layer.2.attention.output.LayerNorm.bias"},
      %arg48: tensor<160x96xf32> {norm.param = "encoder.layer.2.intermediate.dense.weight"},
      %arg49: tensor<160xf32> {norm.param = "encoder.layer.2.intermediate.dense.bias"},
      %arg50: tensor<96x160xf32> {norm.param = "encoder.layer.2.output.dense.weight"},
      %arg51: tensor<96xf32> {norm.param = "encoder.layer.2.output.dense.bias"},
      %arg52: tensor<96xf32> {norm.param = "encoder.layer.2.output.LayerNorm.weight"},
      %arg53: tensor<96xf32> {norm.param = "encoder.layer.2.output.LayerNorm.bias"},
      %arg54: tensor<96x96xf32> {norm.param = "encoder.layer.3.attention.self.query.weight"},
      %arg55: tensor<96xf32> {norm.param = "encoder.layer.3.attention.self.query.bias"},
      %arg56: tensor<96x96xf32> {norm.param = "encoder.layer.3.attention.self.key.weight"},
      %arg57: tensor<96xf32> {norm.param = "encoder.layer.3.attention.self.key.bias"},
      %arg58: tensor<96x96xf32> {norm.param = "encoder.layer.3.attention.self.value.weight"},
      %arg59: tensor<96xf32> {norm.param = "encoder.layer.3.attention.self.value.bias"},
      %arg60: tensor<96x96xf32> {norm.param = "encoder.layer.3.attention.output.dense.weight"},
      %arg61: tensor<96xf32> {norm.param = "encoder.layer.3.attention.output.dense.bias"},
      %arg62: tensor<96xf32> {norm.param = "encoder.layer.3.attention.output.LayerNorm.weight"},
      %arg63: tensor<96xf32> {norm.param = "encoder.layer.3.attention.output.LayerNorm.bias"},
      %arg64: tensor<160x96xf32> {norm.param = "encoder.layer.3.intermediate.dense.weight"},
      %arg65: tensor<160xf32> {norm.param = "encoder.layer.3.intermediate.dense.bias"},
      %arg66: tensor<96x160xf32> {norm.param = "encoder.layer.3.output.dense.weight"},
      %arg67: tensor<96xf32> {norm.param = "encoder.layer.3.output.dense.bias"},
      %arg68: tensor<96xf32> {norm.param = "encoder.layer.3.output.LayerNorm.weight"},
      %arg69: tensor<96xf32> {norm.param = "encoder.layer.3.output.LayerNorm.bias"}) -> tensor<4x10x96xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c32 = arith.constant 32 : index
    %c97 = arith.constant 97 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0.70710678118654757 : f64
    %cst_6 = arith.constant 9.9999999999999998E-13 : f64
    %cst_7 = arith.constant 9.600000e+01 : f64
    %cst_8 = arith.constant 9.600000e+01 : f32
    %true = arith.constant true
    %cst_9 = arith.constant 2.500000e-01 : f32
    %cst_10 = arith.constant 5.000000e-01 : f32
    %cst_11 = arith.constant 1.000000e+00 : f32
    %cst_12 = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]> : tensor<1x10xi64>
    %0 = tensor.empty() : tensor<1x10xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<1x10xi64>) -> tensor<1x10xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<1x10xi64>) outs(%1 : tensor<1x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %308 = arith.index_cast %in : i64 to index
      %309 = arith.cmpi slt, %308, %c32 : index
      cf.assert %309, "index must be smaller than dim size"
      %310 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %310, "index must be larger or equal to 0"
      linalg.yield %c0_i64 : i64
    } -> tensor<1x10xi64>
    %3 = tensor.empty() : tensor<4x10xi64>
    %collapsed = tensor.collapse_shape %2 [[0, 1]] : tensor<1x10xi64> into tensor<10xi64>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<10xi64>) outs(%3 : tensor<4x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x10xi64>
    %5 = tensor.empty() : tensor<4x10x96xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x10xi64>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %308 = arith.index_cast %in : i64 to index
      %309 = linalg.index 2 : index
      %310 = arith.cmpi slt, %308, %c97 : index
      cf.assert %310, "index must be smaller than dim size"
      %311 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %311, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%308, %309] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x10xi64>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %308 = arith.index_cast %in : i64 to index
      %309 = linalg.index 2 : index
      %310 = arith.cmpi slt, %308, %c2 : index
      cf.assert %310, "index must be smaller than dim size"
      %311 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %311, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg3[%308, %309] : tensor<2x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x10x96xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %9 = tensor.empty() : tensor<1x10x96xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<1x10xi64>) outs(%9 : tensor<1x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %308 = arith.index_cast %in : i64 to index
      %309 = linalg.index 2 : index
      %310 = arith.cmpi slt, %308, %c32 : index
      cf.assert %310, "index must be smaller than dim size"
      %311 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %311, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%308, %309] : tensor<32x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x10x96xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<4x10x96xf32>, tensor<1x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %12 = tensor.empty() : tensor<4x10x96xf64>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %14 = tensor.empty() : tensor<4x10x1xf64>
    %15 = linalg.fill ins(%cst : f64) outs(%14 : tensor<4x10x1xf64>) -> tensor<4x10x1xf64>
    %16 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %17 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %18 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %20 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %22 = tensor.empty() : tensor<4x10x1xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %26 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %28 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %arg4 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %arg5 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %33 = tensor.empty() : tensor<4xi64>
    %34 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%33 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %308 = linalg.index 0 : index
      %309 = arith.index_cast %308 : index to i64
      linalg.yield %309 : i64
    } -> tensor<4xi64>
    %35 = tensor.empty() : tensor<10xi64>
    %36 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%35 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %308 = linalg.index 0 : index
      %309 = arith.index_cast %308 : index to i64
      linalg.yield %309 : i64
    } -> tensor<10xi64>
    %expanded = tensor.expand_shape %34 [[0, 1, 2, 3]] output_shape [4, 1, 1, 1] : tensor<4xi64> into tensor<4x1x1x1xi64>
    %expanded_13 = tensor.expand_shape %36 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_14 = tensor.expand_shape %36 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %37 = tensor.empty() : tensor<1x1x10x1xi1>
    %38 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x10x1xi64>) outs(%37 : tensor<1x1x10x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %308 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %308 : i1
    } -> tensor<1x1x10x1xi1>
    %39 = linalg.generic {indexing_maps = [#map9, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %38 : tensor<i1>, tensor<1x1x10x1xi1>) outs(%37 : tensor<1x1x10x1xi1>) {
    ^bb0(%in: i1, %in_122: i1, %out: i1):
      %308 = arith.andi %in, %in_122 : i1
      linalg.yield %308 : i1
    } -> tensor<1x1x10x1xi1>
    %40 = tensor.empty() : tensor<4x1x1x10xi1>
    %41 = linalg.generic {indexing_maps = [#map10, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_14 : tensor<4x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%40 : tensor<4x1x1x10xi1>) {
    ^bb0(%in: i64, %in_122: i64, %out: i1):
      linalg.yield %true : i1
    } -> tensor<4x1x1x10xi1>
    %42 = tensor.empty() : tensor<4x1x10x10xi1>
    %43 = linalg.generic {indexing_maps = [#map12, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<1x1x10x1xi1>, tensor<4x1x1x10xi1>) outs(%42 : tensor<4x1x10x10xi1>) {
    ^bb0(%in: i1, %in_122: i1, %out: i1):
      %308 = arith.andi %in, %in_122 : i1
      linalg.yield %308 : i1
    } -> tensor<4x1x10x10xi1>
    %44 = tensor.empty() : tensor<4x1x10x10xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map9, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_3, %cst_2 : tensor<4x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%44 : tensor<4x1x10x10xf32>) {
    ^bb0(%in: i1, %in_122: f32, %in_123: f32, %out: f32):
      %308 = arith.select %in, %in_122, %in_123 : f32
      linalg.yield %308 : f32
    } -> tensor<4x1x10x10xf32>
    %collapsed_15 = tensor.collapse_shape %32 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %46 = tensor.empty() : tensor<96x96xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<40x96xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %49 = linalg.matmul ins(%collapsed_15, %transposed : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %arg7 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_16 = tensor.expand_shape %50 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %51 = tensor.empty() : tensor<4x6x10x16xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_18 = linalg.transpose ins(%arg8 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %52 = linalg.matmul ins(%collapsed_15, %transposed_18 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%52, %arg9 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_19 = tensor.expand_shape %53 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_20 = linalg.transpose ins(%arg10 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %54 = linalg.matmul ins(%collapsed_15, %transposed_20 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%54, %arg11 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_21 = tensor.expand_shape %55 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %56 = tensor.empty() : tensor<4x6x16x10xf32>
    %transposed_23 = linalg.transpose ins(%expanded_19 : tensor<4x10x6x16xf32>) outs(%56 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_24 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_25 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %57 = tensor.empty() : tensor<24x10x10xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %59 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%58 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_26 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %60 = tensor.empty() : tensor<4x6x10x10xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_9 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %62 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %45 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %63 = tensor.empty() : tensor<4x6x10xi64>
    %64 = linalg.fill ins(%c0_i64 : i64) outs(%63 : tensor<4x6x10xi64>) -> tensor<4x6x10xi64>
    %65 = tensor.empty() : tensor<4x6x10xf32>
    %66 = linalg.fill ins(%cst_1 : f32) outs(%65 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
    %67:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<4x6x10x10xf32>) outs(%66, %64 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_122: i64):
      %308 = linalg.index 3 : index
      %309 = arith.index_cast %308 : index to i64
      %310 = arith.maximumf %in, %out : f32
      %311 = arith.cmpf ogt, %in, %out : f32
      %312 = arith.select %311, %309, %out_122 : i64
      linalg.yield %310, %312 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_27 = tensor.expand_shape %67#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %68 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %expanded_27 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %69 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.exp %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %70 = tensor.empty() : tensor<4x6x10x1xf32>
    %71 = linalg.fill ins(%cst_0 : f32) outs(%70 : tensor<4x6x10x1xf32>) -> tensor<4x6x10x1xf32>
    %72 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<4x6x10x10xf32>) outs(%71 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x1xf32>
    %73 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %72 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.divf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_28 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_29 = tensor.collapse_shape %transposed_22 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %74 = tensor.empty() : tensor<24x10x16xf32>
    %75 = linalg.fill ins(%cst_0 : f32) outs(%74 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %76 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%75 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_30 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %77 = tensor.empty() : tensor<4x10x6x16xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<4x6x10x16xf32>) outs(%77 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %transposed_33 = linalg.transpose ins(%arg12 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %78 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%78, %arg13 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_34 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %32 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %82 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %84 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %83 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %85 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %84 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %86 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %87 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %88 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%80 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %91 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %92 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %90 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %92 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %95 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %arg14 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %arg15 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_35 = tensor.collapse_shape %96 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %97 = tensor.empty() : tensor<96x160xf32>
    %transposed_36 = linalg.transpose ins(%arg16 : tensor<160x96xf32>) outs(%97 : tensor<96x160xf32>) permutation = [1, 0] 
    %98 = tensor.empty() : tensor<40x160xf32>
    %99 = linalg.fill ins(%cst_0 : f32) outs(%98 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %100 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%99 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%100, %arg17 : tensor<40x160xf32>, tensor<160xf32>) outs(%98 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x160xf32>
    %expanded_37 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %102 = tensor.empty() : tensor<4x10x160xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_10 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_5 : f64 to f32
      %309 = arith.mulf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x160xf32>
    %105 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.erf %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %106 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %cst_11 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %106 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_38 = tensor.collapse_shape %107 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %108 = tensor.empty() : tensor<160x96xf32>
    %transposed_39 = linalg.transpose ins(%arg18 : tensor<96x160xf32>) outs(%108 : tensor<160x96xf32>) permutation = [1, 0] 
    %109 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%109, %arg19 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_40 = tensor.expand_shape %110 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %111 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %96 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %113 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %114 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %115 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %114 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %116 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %115 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %117 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%116 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %118 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %120 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %122 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %121 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %125 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %123 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %arg20 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %127 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %arg21 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_41 = tensor.collapse_shape %127 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_42 = linalg.transpose ins(%arg22 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %128 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%128, %arg23 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_43 = tensor.expand_shape %129 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_45 = linalg.transpose ins(%arg24 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %130 = linalg.matmul ins(%collapsed_41, %transposed_45 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%130, %arg25 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_46 = tensor.expand_shape %131 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_47 = linalg.transpose ins(%arg26 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %132 = linalg.matmul ins(%collapsed_41, %transposed_47 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%132, %arg27 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_48 = tensor.expand_shape %133 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_49 = linalg.transpose ins(%expanded_48 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_50 = linalg.transpose ins(%expanded_46 : tensor<4x10x6x16xf32>) outs(%56 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_51 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_52 = tensor.collapse_shape %transposed_50 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %134 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%58 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_53 = tensor.expand_shape %134 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %135 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_9 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %136 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %45 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %137:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%136 : tensor<4x6x10x10xf32>) outs(%66, %64 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_122: i64):
      %308 = linalg.index 3 : index
      %309 = arith.index_cast %308 : index to i64
      %310 = arith.maximumf %in, %out : f32
      %311 = arith.cmpf ogt, %in, %out : f32
      %312 = arith.select %311, %309, %out_122 : i64
      linalg.yield %310, %312 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_54 = tensor.expand_shape %137#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %138 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %expanded_54 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %139 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.exp %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %140 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%139 : tensor<4x6x10x10xf32>) outs(%71 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x1xf32>
    %141 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %140 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.divf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_55 = tensor.collapse_shape %141 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_56 = tensor.collapse_shape %transposed_49 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %142 = linalg.batch_matmul ins(%collapsed_55, %collapsed_56 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%75 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_57 = tensor.expand_shape %142 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<4x6x10x16xf32>) outs(%77 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_59 = tensor.collapse_shape %transposed_58 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %transposed_60 = linalg.transpose ins(%arg28 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %143 = linalg.matmul ins(%collapsed_59, %transposed_60 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%143, %arg29 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_61 = tensor.expand_shape %144 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %145 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61, %127 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %146 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %147 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%146 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %148 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %149 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %148 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %150 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %149 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %151 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%150 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %152 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %153 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %154 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %155 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %156 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %157 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %158 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %155 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %159 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %157 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %160 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %arg30 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %161 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %arg31 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_62 = tensor.collapse_shape %161 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_63 = linalg.transpose ins(%arg32 : tensor<160x96xf32>) outs(%97 : tensor<96x160xf32>) permutation = [1, 0] 
    %162 = linalg.matmul ins(%collapsed_62, %transposed_63 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%99 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%162, %arg33 : tensor<40x160xf32>, tensor<160xf32>) outs(%98 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x160xf32>
    %expanded_64 = tensor.expand_shape %163 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %164 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_10 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %165 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_5 : f64 to f32
      %309 = arith.mulf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x160xf32>
    %166 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.erf %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %167 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %cst_11 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %168 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %167 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_65 = tensor.collapse_shape %168 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %transposed_66 = linalg.transpose ins(%arg34 : tensor<96x160xf32>) outs(%108 : tensor<160x96xf32>) permutation = [1, 0] 
    %169 = linalg.matmul ins(%collapsed_65, %transposed_66 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %170 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%169, %arg35 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_67 = tensor.expand_shape %170 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %171 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_67, %161 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %172 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %173 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%172 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %174 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %175 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %174 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %176 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %175 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %177 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%176 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %178 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %179 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %180 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%171 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %181 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %182 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %183 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %184 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %181 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %185 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %183 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %186 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %arg36 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %187 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186, %arg37 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_68 = tensor.collapse_shape %187 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_69 = linalg.transpose ins(%arg38 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %188 = linalg.matmul ins(%collapsed_68, %transposed_69 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %189 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%188, %arg39 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_70 = tensor.expand_shape %189 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_71 = linalg.transpose ins(%expanded_70 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_72 = linalg.transpose ins(%arg40 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %190 = linalg.matmul ins(%collapsed_68, %transposed_72 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %191 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%190, %arg41 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_73 = tensor.expand_shape %191 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_74 = linalg.transpose ins(%arg42 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %192 = linalg.matmul ins(%collapsed_68, %transposed_74 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %193 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%192, %arg43 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_75 = tensor.expand_shape %193 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_76 = linalg.transpose ins(%expanded_75 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_77 = linalg.transpose ins(%expanded_73 : tensor<4x10x6x16xf32>) outs(%56 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_78 = tensor.collapse_shape %transposed_71 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_79 = tensor.collapse_shape %transposed_77 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %194 = linalg.batch_matmul ins(%collapsed_78, %collapsed_79 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%58 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_80 = tensor.expand_shape %194 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %195 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_80 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_9 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %196 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%195, %45 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %197:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%196 : tensor<4x6x10x10xf32>) outs(%66, %64 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_122: i64):
      %308 = linalg.index 3 : index
      %309 = arith.index_cast %308 : index to i64
      %310 = arith.maximumf %in, %out : f32
      %311 = arith.cmpf ogt, %in, %out : f32
      %312 = arith.select %311, %309, %out_122 : i64
      linalg.yield %310, %312 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_81 = tensor.expand_shape %197#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %198 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%196, %expanded_81 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %199 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%198 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.exp %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %200 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%199 : tensor<4x6x10x10xf32>) outs(%71 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x1xf32>
    %201 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%199, %200 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.divf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_82 = tensor.collapse_shape %201 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_83 = tensor.collapse_shape %transposed_76 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %202 = linalg.batch_matmul ins(%collapsed_82, %collapsed_83 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%75 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_84 = tensor.expand_shape %202 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_85 = linalg.transpose ins(%expanded_84 : tensor<4x6x10x16xf32>) outs(%77 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_86 = tensor.collapse_shape %transposed_85 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %transposed_87 = linalg.transpose ins(%arg44 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %203 = linalg.matmul ins(%collapsed_86, %transposed_87 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %204 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%203, %arg45 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_88 = tensor.expand_shape %204 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %205 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_88, %187 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %206 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %207 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%206 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %208 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %209 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %208 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %210 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209, %209 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %211 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%210 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %212 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %213 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %214 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%205 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %215 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %216 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %217 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %218 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %215 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %219 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %217 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %220 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219, %arg46 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %221 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220, %arg47 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_89 = tensor.collapse_shape %221 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_90 = linalg.transpose ins(%arg48 : tensor<160x96xf32>) outs(%97 : tensor<96x160xf32>) permutation = [1, 0] 
    %222 = linalg.matmul ins(%collapsed_89, %transposed_90 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%99 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %223 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%222, %arg49 : tensor<40x160xf32>, tensor<160xf32>) outs(%98 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x160xf32>
    %expanded_91 = tensor.expand_shape %223 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %224 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_91 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_10 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %225 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_91 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_5 : f64 to f32
      %309 = arith.mulf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x160xf32>
    %226 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%225 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.erf %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %227 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%226 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %cst_11 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %228 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %227 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_92 = tensor.collapse_shape %228 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %transposed_93 = linalg.transpose ins(%arg50 : tensor<96x160xf32>) outs(%108 : tensor<160x96xf32>) permutation = [1, 0] 
    %229 = linalg.matmul ins(%collapsed_92, %transposed_93 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %230 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%229, %arg51 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_94 = tensor.expand_shape %230 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %231 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_94, %221 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %232 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %233 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%232 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %234 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %235 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%232, %234 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %236 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%235, %235 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %237 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%236 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %238 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %239 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %240 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%231 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %241 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %242 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%239 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %243 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%242 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %244 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231, %241 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %245 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244, %243 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %246 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%245, %arg52 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %247 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %arg53 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_95 = tensor.collapse_shape %247 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_96 = linalg.transpose ins(%arg54 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %248 = linalg.matmul ins(%collapsed_95, %transposed_96 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %249 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%248, %arg55 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_97 = tensor.expand_shape %249 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_98 = linalg.transpose ins(%expanded_97 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_99 = linalg.transpose ins(%arg56 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %250 = linalg.matmul ins(%collapsed_95, %transposed_99 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %251 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%250, %arg57 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_100 = tensor.expand_shape %251 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_101 = linalg.transpose ins(%arg58 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %252 = linalg.matmul ins(%collapsed_95, %transposed_101 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %253 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%252, %arg59 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_102 = tensor.expand_shape %253 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
    %transposed_103 = linalg.transpose ins(%expanded_102 : tensor<4x10x6x16xf32>) outs(%51 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_104 = linalg.transpose ins(%expanded_100 : tensor<4x10x6x16xf32>) outs(%56 : tensor<4x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_105 = tensor.collapse_shape %transposed_98 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %collapsed_106 = tensor.collapse_shape %transposed_104 [[0, 1], [2], [3]] : tensor<4x6x16x10xf32> into tensor<24x16x10xf32>
    %254 = linalg.batch_matmul ins(%collapsed_105, %collapsed_106 : tensor<24x10x16xf32>, tensor<24x16x10xf32>) outs(%58 : tensor<24x10x10xf32>) -> tensor<24x10x10xf32>
    %expanded_107 = tensor.expand_shape %254 [[0, 1], [2], [3]] output_shape [4, 6, 10, 10] : tensor<24x10x10xf32> into tensor<4x6x10x10xf32>
    %255 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_107 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_9 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %256 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%255, %45 : tensor<4x6x10x10xf32>, tensor<4x1x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %257:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%256 : tensor<4x6x10x10xf32>) outs(%66, %64 : tensor<4x6x10xf32>, tensor<4x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_122: i64):
      %308 = linalg.index 3 : index
      %309 = arith.index_cast %308 : index to i64
      %310 = arith.maximumf %in, %out : f32
      %311 = arith.cmpf ogt, %in, %out : f32
      %312 = arith.select %311, %309, %out_122 : i64
      linalg.yield %310, %312 : f32, i64
    } -> (tensor<4x6x10xf32>, tensor<4x6x10xi64>)
    %expanded_108 = tensor.expand_shape %257#0 [[0], [1], [2, 3]] output_shape [4, 6, 10, 1] : tensor<4x6x10xf32> into tensor<4x6x10x1xf32>
    %258 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%256, %expanded_108 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %259 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%258 : tensor<4x6x10x10xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.exp %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %260 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%259 : tensor<4x6x10x10xf32>) outs(%71 : tensor<4x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x1xf32>
    %261 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%259, %260 : tensor<4x6x10x10xf32>, tensor<4x6x10x1xf32>) outs(%60 : tensor<4x6x10x10xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.divf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x6x10x10xf32>
    %collapsed_109 = tensor.collapse_shape %261 [[0, 1], [2], [3]] : tensor<4x6x10x10xf32> into tensor<24x10x10xf32>
    %collapsed_110 = tensor.collapse_shape %transposed_103 [[0, 1], [2], [3]] : tensor<4x6x10x16xf32> into tensor<24x10x16xf32>
    %262 = linalg.batch_matmul ins(%collapsed_109, %collapsed_110 : tensor<24x10x10xf32>, tensor<24x10x16xf32>) outs(%75 : tensor<24x10x16xf32>) -> tensor<24x10x16xf32>
    %expanded_111 = tensor.expand_shape %262 [[0, 1], [2], [3]] output_shape [4, 6, 10, 16] : tensor<24x10x16xf32> into tensor<4x6x10x16xf32>
    %transposed_112 = linalg.transpose ins(%expanded_111 : tensor<4x6x10x16xf32>) outs(%77 : tensor<4x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_113 = tensor.collapse_shape %transposed_112 [[0, 1], [2, 3]] : tensor<4x10x6x16xf32> into tensor<40x96xf32>
    %transposed_114 = linalg.transpose ins(%arg60 : tensor<96x96xf32>) outs(%46 : tensor<96x96xf32>) permutation = [1, 0] 
    %263 = linalg.matmul ins(%collapsed_113, %transposed_114 : tensor<40x96xf32>, tensor<96x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %264 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%263, %arg61 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_115 = tensor.expand_shape %264 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %265 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_115, %247 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %266 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%265 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %267 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%266 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %268 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%267 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %269 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%266, %268 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %270 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269, %269 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %271 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%270 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %272 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%271 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %273 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%272 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %274 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%265 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %275 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%274 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %276 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %277 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%276 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %278 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%265, %275 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %279 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%278, %277 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %280 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%279, %arg62 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %281 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280, %arg63 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %collapsed_116 = tensor.collapse_shape %281 [[0, 1], [2]] : tensor<4x10x96xf32> into tensor<40x96xf32>
    %transposed_117 = linalg.transpose ins(%arg64 : tensor<160x96xf32>) outs(%97 : tensor<96x160xf32>) permutation = [1, 0] 
    %282 = linalg.matmul ins(%collapsed_116, %transposed_117 : tensor<40x96xf32>, tensor<96x160xf32>) outs(%99 : tensor<40x160xf32>) -> tensor<40x160xf32>
    %283 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%282, %arg65 : tensor<40x160xf32>, tensor<160xf32>) outs(%98 : tensor<40x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x160xf32>
    %expanded_118 = tensor.expand_shape %283 [[0, 1], [2]] output_shape [4, 10, 160] : tensor<40x160xf32> into tensor<4x10x160xf32>
    %284 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_118 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.mulf %in, %cst_10 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %285 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_118 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_5 : f64 to f32
      %309 = arith.mulf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x160xf32>
    %286 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%285 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.erf %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %287 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %cst_11 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %288 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%284, %287 : tensor<4x10x160xf32>, tensor<4x10x160xf32>) outs(%102 : tensor<4x10x160xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x160xf32>
    %collapsed_119 = tensor.collapse_shape %288 [[0, 1], [2]] : tensor<4x10x160xf32> into tensor<40x160xf32>
    %transposed_120 = linalg.transpose ins(%arg66 : tensor<96x160xf32>) outs(%108 : tensor<160x96xf32>) permutation = [1, 0] 
    %289 = linalg.matmul ins(%collapsed_119, %transposed_120 : tensor<40x160xf32>, tensor<160x96xf32>) outs(%48 : tensor<40x96xf32>) -> tensor<40x96xf32>
    %290 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%289, %arg67 : tensor<40x96xf32>, tensor<96xf32>) outs(%47 : tensor<40x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<40x96xf32>
    %expanded_121 = tensor.expand_shape %290 [[0, 1], [2]] output_shape [4, 10, 96] : tensor<40x96xf32> into tensor<4x10x96xf32>
    %291 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_121, %281 : tensor<4x10x96xf32>, tensor<4x10x96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %292 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%291 : tensor<4x10x96xf32>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %308 = arith.extf %in : f32 to f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %293 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%292 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %294 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%293 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %295 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%292, %294 : tensor<4x10x96xf64>, tensor<4x10x1xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.subf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %296 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%295, %295 : tensor<4x10x96xf64>, tensor<4x10x96xf64>) outs(%12 : tensor<4x10x96xf64>) {
    ^bb0(%in: f64, %in_122: f64, %out: f64):
      %308 = arith.mulf %in, %in_122 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x96xf64>
    %297 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%296 : tensor<4x10x96xf64>) outs(%15 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.addf %in, %out : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %298 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%297 : tensor<4x10x1xf64>) outs(%14 : tensor<4x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %308 = arith.divf %in, %cst_7 : f64
      linalg.yield %308 : f64
    } -> tensor<4x10x1xf64>
    %299 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%298 : tensor<4x10x1xf64>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %308 = arith.truncf %in : f64 to f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %300 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%291 : tensor<4x10x96xf32>) outs(%24 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.addf %in, %out : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %301 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%300 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.divf %in, %cst_8 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %302 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%299 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = arith.truncf %cst_6 : f64 to f32
      %309 = arith.addf %in, %308 : f32
      linalg.yield %309 : f32
    } -> tensor<4x10x1xf32>
    %303 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%302 : tensor<4x10x1xf32>) outs(%22 : tensor<4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %308 = math.rsqrt %in : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x1xf32>
    %304 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%291, %301 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.subf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %305 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%304, %303 : tensor<4x10x96xf32>, tensor<4x10x1xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %306 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%305, %arg68 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.mulf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    %307 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%306, %arg69 : tensor<4x10x96xf32>, tensor<96xf32>) outs(%5 : tensor<4x10x96xf32>) {
    ^bb0(%in: f32, %in_122: f32, %out: f32):
      %308 = arith.addf %in, %in_122 : f32
      linalg.yield %308 : f32
    } -> tensor<4x10x96xf32>
    return %307 : tensor<4x10x96xf32>
  }
}

