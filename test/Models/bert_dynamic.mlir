// Written by
//   python -m renorm.export --model BertModel --layers 2 --dynamic-batch -o test/Models/bert_dynamic.mlir
// with torch 2.13.0+cpu, transformers 5.24.0, torch-mlir 20261001.
// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.

#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map15 = affine_map<()[s0] -> (s0 * 10)>
#map16 = affine_map<()[s0] -> (s0 * 6)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<?x10xi64>,
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
      %arg37: tensor<96xf32> {norm.param = "encoder.layer.1.output.LayerNorm.bias"}) -> tensor<?x10x96xf32> {
    %c10_i64 = arith.constant 10 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %c32 = arith.constant 32 : index
    %c97 = arith.constant 97 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c16_i64 = arith.constant 16 : i64
    %c6 = arith.constant 6 : index
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0.70710678118654757 : f64
    %cst_6 = arith.constant 9.9999999999999998E-13 : f64
    %cst_7 = arith.constant 9.600000e+01 : f64
    %cst_8 = arith.constant 9.600000e+01 : f32
    %c160_i64 = arith.constant 160 : i64
    %c960_i64 = arith.constant 960 : i64
    %cst_9 = arith.constant 2.500000e-01 : f32
    %cst_10 = arith.constant 5.000000e-01 : f32
    %cst_11 = arith.constant 1.000000e+00 : f32
    %cst_12 = arith.constant dense<1> : tensor<i64>
    %cst_13 = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]> : tensor<1x10xi64>
    %dim = tensor.dim %arg0, %c0 : tensor<?x10xi64>
    %0 = arith.index_cast %dim : index to i64
    %1 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %1, "negative values not allowed in new dimensions"
    %2 = tensor.empty(%dim) : tensor<?x10xi64>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<i64>) outs(%2 : tensor<?x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<?x10xi64>
    %4 = tensor.empty() : tensor<1x10xi64>
    %5 = linalg.fill ins(%c0_i64 : i64) outs(%4 : tensor<1x10xi64>) -> tensor<1x10xi64>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<1x10xi64>) outs(%5 : tensor<1x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %295 = arith.index_cast %in : i64 to index
      %296 = arith.cmpi slt, %295, %c32 : index
      cf.assert %296, "index must be smaller than dim size"
      %297 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %297, "index must be larger or equal to 0"
      linalg.yield %c0_i64 : i64
    } -> tensor<1x10xi64>
    %7 = arith.cmpi slt, %0, %c0_i64 : i64
    %8 = arith.select %7, %c1, %dim : index
    %9 = tensor.empty(%8) : tensor<?x10xi64>
    %collapsed = tensor.collapse_shape %6 [[0, 1]] : tensor<1x10xi64> into tensor<10xi64>
    %10 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<10xi64>) outs(%9 : tensor<?x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<?x10xi64>
    %11 = tensor.empty(%dim) : tensor<?x10x96xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x10xi64>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %295 = arith.index_cast %in : i64 to index
      %296 = linalg.index 2 : index
      %297 = arith.cmpi slt, %295, %c97 : index
      cf.assert %297, "index must be smaller than dim size"
      %298 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %298, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%295, %296] : tensor<97x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x10x96xf32>
    %13 = tensor.empty(%8) : tensor<?x10x96xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<?x10xi64>) outs(%13 : tensor<?x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %295 = arith.index_cast %in : i64 to index
      %296 = linalg.index 2 : index
      %297 = arith.cmpi slt, %295, %c2 : index
      cf.assert %297, "index must be smaller than dim size"
      %298 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %298, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg3[%295, %296] : tensor<2x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x10x96xf32>
    %15 = arith.cmpi eq, %dim, %8 : index
    cf.assert %15, "mismatched size for broadcast"
    %16 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<?x10x96xf32>, tensor<?x10x96xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %17 = tensor.empty() : tensor<1x10x96xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<1x10xi64>) outs(%17 : tensor<1x10x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %295 = arith.index_cast %in : i64 to index
      %296 = linalg.index 2 : index
      %297 = arith.cmpi slt, %295, %c32 : index
      cf.assert %297, "index must be smaller than dim size"
      %298 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %298, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%295, %296] : tensor<32x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x10x96xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<?x10x96xf32>, tensor<1x10x96xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %20 = tensor.empty(%dim) : tensor<?x10x96xf64>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<?x10x96xf32>) outs(%20 : tensor<?x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %295 = arith.extf %in : f32 to f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %22 = tensor.empty(%dim) : tensor<?x10x1xf64>
    %23 = linalg.fill ins(%cst : f64) outs(%22 : tensor<?x10x1xf64>) -> tensor<?x10x1xf64>
    %24 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<?x10x96xf64>) outs(%23 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<?x10x1xf64>) outs(%22 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %26 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<?x10x96xf64>, tensor<?x10x1xf64>) outs(%20 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.subf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<?x10x96xf64>, tensor<?x10x96xf64>) outs(%20 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.mulf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %28 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<?x10x96xf64>) outs(%23 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<?x10x1xf64>) outs(%22 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %30 = tensor.empty(%dim) : tensor<?x10x1xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<?x10x1xf64>) outs(%30 : tensor<?x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %295 = arith.truncf %in : f64 to f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<?x10x1xf32>) -> tensor<?x10x1xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<?x10x96xf32>) outs(%32 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<?x10x1xf32>) outs(%30 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.divf %in, %cst_8 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<?x10x1xf32>) outs(%30 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_6 : f64 to f32
      %296 = arith.addf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x1xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<?x10x1xf32>) outs(%30 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.rsqrt %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %34 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %36 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %arg4 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %arg5 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%11 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %41 = tensor.empty(%dim) : tensor<?x10xi1>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<?x10xi64>) outs(%41 : tensor<?x10xi1>) {
    ^bb0(%in: i64, %out: i1):
      %295 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %295 : i1
    } -> tensor<?x10xi1>
    %43 = tensor.empty(%dim) : tensor<?xi64>
    %44 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%43 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %295 = linalg.index 0 : index
      %296 = arith.index_cast %295 : index to i64
      linalg.yield %296 : i64
    } -> tensor<?xi64>
    %45 = tensor.empty() : tensor<10xi64>
    %46 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%45 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %295 = linalg.index 0 : index
      %296 = arith.index_cast %295 : index to i64
      linalg.yield %296 : i64
    } -> tensor<10xi64>
    %expanded = tensor.expand_shape %44 [[0, 1, 2, 3]] output_shape [%dim, 1, 1, 1] : tensor<?xi64> into tensor<?x1x1x1xi64>
    %expanded_14 = tensor.expand_shape %46 [[0, 1, 2, 3]] output_shape [1, 1, 10, 1] : tensor<10xi64> into tensor<1x1x10x1xi64>
    %expanded_15 = tensor.expand_shape %46 [[0, 1, 2, 3]] output_shape [1, 1, 1, 10] : tensor<10xi64> into tensor<1x1x1x10xi64>
    %47 = tensor.empty() : tensor<1x1x10x1xi1>
    %48 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x1x10x1xi64>) outs(%47 : tensor<1x1x10x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %295 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %295 : i1
    } -> tensor<1x1x10x1xi1>
    %49 = linalg.generic {indexing_maps = [#map10, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %48 : tensor<i1>, tensor<1x1x10x1xi1>) outs(%47 : tensor<1x1x10x1xi1>) {
    ^bb0(%in: i1, %in_79: i1, %out: i1):
      %295 = arith.andi %in, %in_79 : i1
      linalg.yield %295 : i1
    } -> tensor<1x1x10x1xi1>
    %dim_16 = tensor.dim %expanded, %c0 : tensor<?x1x1x1xi64>
    %50 = tensor.empty(%dim_16) : tensor<?x1x1x10xi1>
    %51 = linalg.generic {indexing_maps = [#map11, #map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_15 : tensor<?x1x1x1xi64>, tensor<1x1x1x10xi64>) outs(%50 : tensor<?x1x1x10xi1>) {
    ^bb0(%in: i64, %in_79: i64, %out: i1):
      %295 = arith.cmpi slt, %in, %c0_i64 : i64
      %296 = arith.addi %in, %0 : i64
      %297 = arith.select %295, %296, %in : i64
      %298 = arith.index_cast %297 : i64 to index
      %299 = arith.cmpi slt, %in_79, %c0_i64 : i64
      %300 = arith.addi %in_79, %c10_i64 : i64
      %301 = arith.select %299, %300, %in_79 : i64
      %302 = arith.index_cast %301 : i64 to index
      %extracted = tensor.extract %42[%298, %302] : tensor<?x10xi1>
      linalg.yield %extracted : i1
    } -> tensor<?x1x1x10xi1>
    %52 = tensor.empty(%dim_16) : tensor<?x1x10x10xi1>
    %53 = linalg.generic {indexing_maps = [#map13, #map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %51 : tensor<1x1x10x1xi1>, tensor<?x1x1x10xi1>) outs(%52 : tensor<?x1x10x10xi1>) {
    ^bb0(%in: i1, %in_79: i1, %out: i1):
      %295 = arith.andi %in, %in_79 : i1
      linalg.yield %295 : i1
    } -> tensor<?x1x10x10xi1>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %54 = tensor.empty(%dim) : tensor<?x1x10x10xi1>
    %55 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%54 : tensor<?x1x10x10xi1>) {
    ^bb0(%out: i1):
      %295 = linalg.index 0 : index
      %296 = linalg.index 2 : index
      %297 = linalg.index 3 : index
      %298 = arith.cmpi eq, %dim_16, %c1 : index
      %299 = arith.select %298, %c0, %295 : index
      %extracted = tensor.extract %53[%299, %c0, %296, %297] : tensor<?x1x10x10xi1>
      linalg.yield %extracted : i1
    } -> tensor<?x1x10x10xi1>
    %56 = tensor.empty(%dim) : tensor<?x1x10x10xf32>
    %57 = linalg.generic {indexing_maps = [#map9, #map10, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_3, %cst_2 : tensor<?x1x10x10xi1>, tensor<f32>, tensor<f32>) outs(%56 : tensor<?x1x10x10xf32>) {
    ^bb0(%in: i1, %in_79: f32, %in_80: f32, %out: f32):
      %295 = arith.select %in, %in_79, %in_80 : f32
      linalg.yield %295 : f32
    } -> tensor<?x1x10x10xf32>
    %collapsed_17 = tensor.collapse_shape %40 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %58 = tensor.empty() : tensor<96x96xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %59 = affine.apply #map15()[%dim]
    %60 = tensor.empty(%59) : tensor<?x96xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %62 = linalg.matmul ins(%collapsed_17, %transposed : tensor<?x96xf32>, tensor<96x96xf32>) outs(%61 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%62, %arg7 : tensor<?x96xf32>, tensor<96xf32>) outs(%60 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %64 = arith.divsi %59, %c10 : index
    %expanded_18 = tensor.expand_shape %63 [[0, 1], [2]] output_shape [%64, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    %65 = arith.select %7, %c1_i64, %0 : i64
    %66 = arith.extui %7 : i1 to i64
    %67 = arith.addi %66, %c1_i64 : i64
    %68 = arith.muli %65, %c160_i64 : i64
    %69 = arith.cmpi sle, %67, %c1_i64 : i64
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %70 = arith.index_cast %64 : index to i64
    %71 = arith.muli %70, %c960_i64 : i64
    %72 = arith.divsi %71, %68 : i64
    %73 = arith.select %7, %72, %0 : i64
    %from_elements = tensor.from_elements %73, %c10_i64, %72, %c16_i64 : tensor<4xi64>
    %reshape = tensor.reshape %expanded_18(%from_elements) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %74 = arith.index_cast %73 : i64 to index
    %75 = tensor.empty(%74) : tensor<?x6x10x16xf32>
    %transposed_19 = linalg.transpose ins(%reshape : tensor<?x10x6x16xf32>) outs(%75 : tensor<?x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_20 = linalg.transpose ins(%arg8 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %76 = linalg.matmul ins(%collapsed_17, %transposed_20 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%61 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%76, %arg9 : tensor<?x96xf32>, tensor<96xf32>) outs(%60 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %expanded_21 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [%64, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %reshape_22 = tensor.reshape %expanded_21(%from_elements) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %transposed_23 = linalg.transpose ins(%arg10 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %78 = linalg.matmul ins(%collapsed_17, %transposed_23 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%61 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%78, %arg11 : tensor<?x96xf32>, tensor<96xf32>) outs(%60 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %expanded_24 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [%64, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %reshape_25 = tensor.reshape %expanded_24(%from_elements) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %transposed_26 = linalg.transpose ins(%reshape_25 : tensor<?x10x6x16xf32>) outs(%75 : tensor<?x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %80 = tensor.empty(%74) : tensor<?x6x16x10xf32>
    %transposed_27 = linalg.transpose ins(%reshape_22 : tensor<?x10x6x16xf32>) outs(%80 : tensor<?x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %81 = tensor.empty(%dim) : tensor<?x6x10x16xf32>
    %82 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x6x10x16xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %74, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_19[%300, %296, %297, %298] : tensor<?x6x10x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x16xf32>
    %collapsed_28 = tensor.collapse_shape %82 [[0, 1], [2], [3]] : tensor<?x6x10x16xf32> into tensor<?x10x16xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %83 = tensor.empty(%dim) : tensor<?x6x16x10xf32>
    %84 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%83 : tensor<?x6x16x10xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %74, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_27[%300, %296, %297, %298] : tensor<?x6x16x10xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x16x10xf32>
    %collapsed_29 = tensor.collapse_shape %84 [[0, 1], [2], [3]] : tensor<?x6x16x10xf32> into tensor<?x16x10xf32>
    %85 = affine.apply #map16()[%dim]
    %86 = tensor.empty(%85) : tensor<?x10x10xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%86 : tensor<?x10x10xf32>) -> tensor<?x10x10xf32>
    %88 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<?x10x16xf32>, tensor<?x16x10xf32>) outs(%87 : tensor<?x10x10xf32>) -> tensor<?x10x10xf32>
    %89 = arith.divsi %85, %c6 : index
    %expanded_30 = tensor.expand_shape %88 [[0, 1], [2], [3]] output_shape [%89, 6, 10, 10] : tensor<?x10x10xf32> into tensor<?x6x10x10xf32>
    %90 = tensor.empty(%89) : tensor<?x6x10x10xf32>
    %91 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<?x6x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.mulf %in, %cst_9 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %92 = arith.cmpi eq, %89, %dim : index
    cf.assert %92, "mismatched size for broadcast"
    %93 = linalg.generic {indexing_maps = [#map9, #map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %57 : tensor<?x6x10x10xf32>, tensor<?x1x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %94 = tensor.empty(%89) : tensor<?x6x10xi64>
    %95 = linalg.fill ins(%c0_i64 : i64) outs(%94 : tensor<?x6x10xi64>) -> tensor<?x6x10xi64>
    %96 = tensor.empty(%89) : tensor<?x6x10xf32>
    %97 = linalg.fill ins(%cst_1 : f32) outs(%96 : tensor<?x6x10xf32>) -> tensor<?x6x10xf32>
    %98:2 = linalg.generic {indexing_maps = [#map9, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%93 : tensor<?x6x10x10xf32>) outs(%97, %95 : tensor<?x6x10xf32>, tensor<?x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_79: i64):
      %295 = linalg.index 3 : index
      %296 = arith.index_cast %295 : index to i64
      %297 = arith.maximumf %in, %out : f32
      %298 = arith.cmpf ogt, %in, %out : f32
      %299 = arith.select %298, %296, %out_79 : i64
      linalg.yield %297, %299 : f32, i64
    } -> (tensor<?x6x10xf32>, tensor<?x6x10xi64>)
    %expanded_31 = tensor.expand_shape %98#0 [[0], [1], [2, 3]] output_shape [%89, 6, 10, 1] : tensor<?x6x10xf32> into tensor<?x6x10x1xf32>
    %99 = linalg.generic {indexing_maps = [#map9, #map19, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93, %expanded_31 : tensor<?x6x10x10xf32>, tensor<?x6x10x1xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %100 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<?x6x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.exp %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %101 = tensor.empty(%89) : tensor<?x6x10x1xf32>
    %102 = linalg.fill ins(%cst_0 : f32) outs(%101 : tensor<?x6x10x1xf32>) -> tensor<?x6x10x1xf32>
    %103 = linalg.generic {indexing_maps = [#map9, #map19], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%100 : tensor<?x6x10x10xf32>) outs(%102 : tensor<?x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x1xf32>
    %104 = linalg.generic {indexing_maps = [#map9, #map19, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %103 : tensor<?x6x10x10xf32>, tensor<?x6x10x1xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.divf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %105 = tensor.empty(%dim) : tensor<?x6x10x10xf32>
    %106 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%105 : tensor<?x6x10x10xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %89, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %104[%300, %296, %297, %298] : tensor<?x6x10x10xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x10xf32>
    %collapsed_32 = tensor.collapse_shape %106 [[0, 1], [2], [3]] : tensor<?x6x10x10xf32> into tensor<?x10x10xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %107 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x6x10x16xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %74, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_26[%300, %296, %297, %298] : tensor<?x6x10x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x16xf32>
    %collapsed_33 = tensor.collapse_shape %107 [[0, 1], [2], [3]] : tensor<?x6x10x16xf32> into tensor<?x10x16xf32>
    %108 = tensor.empty(%85) : tensor<?x10x16xf32>
    %109 = linalg.fill ins(%cst_0 : f32) outs(%108 : tensor<?x10x16xf32>) -> tensor<?x10x16xf32>
    %110 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<?x10x10xf32>, tensor<?x10x16xf32>) outs(%109 : tensor<?x10x16xf32>) -> tensor<?x10x16xf32>
    %expanded_34 = tensor.expand_shape %110 [[0, 1], [2], [3]] output_shape [%89, 6, 10, 16] : tensor<?x10x16xf32> into tensor<?x6x10x16xf32>
    %111 = tensor.empty(%89) : tensor<?x10x6x16xf32>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<?x6x10x16xf32>) outs(%111 : tensor<?x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    %112 = arith.muli %65, %c10_i64 : i64
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %113 = arith.index_cast %89 : index to i64
    %114 = arith.muli %113, %c960_i64 : i64
    %115 = arith.divsi %114, %112 : i64
    %116 = arith.select %7, %115, %0 : i64
    %from_elements_36 = tensor.from_elements %116, %c10_i64, %115 : tensor<3xi64>
    %reshape_37 = tensor.reshape %transposed_35(%from_elements_36) : (tensor<?x10x6x16xf32>, tensor<3xi64>) -> tensor<?x10x96xf32>
    %collapsed_38 = tensor.collapse_shape %reshape_37 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %transposed_39 = linalg.transpose ins(%arg12 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %117 = arith.index_cast %116 : i64 to index
    %118 = affine.apply #map15()[%117]
    %119 = tensor.empty(%118) : tensor<?x96xf32>
    %120 = linalg.fill ins(%cst_0 : f32) outs(%119 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %121 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%120 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%121, %arg13 : tensor<?x96xf32>, tensor<96xf32>) outs(%119 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %123 = arith.divsi %118, %c10 : index
    %expanded_40 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [%123, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    %124 = arith.cmpi eq, %123, %dim : index
    cf.assert %124, "mismatched size for broadcast"
    %125 = tensor.empty(%123) : tensor<?x10x96xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %40 : tensor<?x10x96xf32>, tensor<?x10x96xf32>) outs(%125 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %127 = tensor.empty(%123) : tensor<?x10x96xf64>
    %128 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<?x10x96xf32>) outs(%127 : tensor<?x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %295 = arith.extf %in : f32 to f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %129 = tensor.empty(%123) : tensor<?x10x1xf64>
    %130 = linalg.fill ins(%cst : f64) outs(%129 : tensor<?x10x1xf64>) -> tensor<?x10x1xf64>
    %131 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%128 : tensor<?x10x96xf64>) outs(%130 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %132 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<?x10x1xf64>) outs(%129 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %133 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %132 : tensor<?x10x96xf64>, tensor<?x10x1xf64>) outs(%127 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.subf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %134 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %133 : tensor<?x10x96xf64>, tensor<?x10x96xf64>) outs(%127 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.mulf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %135 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%134 : tensor<?x10x96xf64>) outs(%130 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<?x10x1xf64>) outs(%129 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %137 = tensor.empty(%123) : tensor<?x10x1xf32>
    %138 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<?x10x1xf64>) outs(%137 : tensor<?x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %295 = arith.truncf %in : f64 to f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %139 = linalg.fill ins(%cst_0 : f32) outs(%137 : tensor<?x10x1xf32>) -> tensor<?x10x1xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126 : tensor<?x10x96xf32>) outs(%139 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %141 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<?x10x1xf32>) outs(%137 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.divf %in, %cst_8 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %142 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<?x10x1xf32>) outs(%137 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_6 : f64 to f32
      %296 = arith.addf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x1xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<?x10x1xf32>) outs(%137 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.rsqrt %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %144 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %141 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%125 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %143 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%125 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %146 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %arg14 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%125 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %147 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %arg15 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%125 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %collapsed_41 = tensor.collapse_shape %147 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %148 = tensor.empty() : tensor<96x160xf32>
    %transposed_42 = linalg.transpose ins(%arg16 : tensor<160x96xf32>) outs(%148 : tensor<96x160xf32>) permutation = [1, 0] 
    %149 = affine.apply #map15()[%123]
    %150 = tensor.empty(%149) : tensor<?x160xf32>
    %151 = linalg.fill ins(%cst_0 : f32) outs(%150 : tensor<?x160xf32>) -> tensor<?x160xf32>
    %152 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<?x96xf32>, tensor<96x160xf32>) outs(%151 : tensor<?x160xf32>) -> tensor<?x160xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%152, %arg17 : tensor<?x160xf32>, tensor<160xf32>) outs(%150 : tensor<?x160xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x160xf32>
    %154 = arith.divsi %149, %c10 : index
    %expanded_43 = tensor.expand_shape %153 [[0, 1], [2]] output_shape [%154, 10, 160] : tensor<?x160xf32> into tensor<?x10x160xf32>
    %155 = tensor.empty(%154) : tensor<?x10x160xf32>
    %156 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<?x10x160xf32>) outs(%155 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.mulf %in, %cst_10 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %157 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<?x10x160xf32>) outs(%155 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_5 : f64 to f32
      %296 = arith.mulf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x160xf32>
    %158 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<?x10x160xf32>) outs(%155 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.erf %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %159 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<?x10x160xf32>) outs(%155 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %cst_11 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %160 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %159 : tensor<?x10x160xf32>, tensor<?x10x160xf32>) outs(%155 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %collapsed_44 = tensor.collapse_shape %160 [[0, 1], [2]] : tensor<?x10x160xf32> into tensor<?x160xf32>
    %161 = tensor.empty() : tensor<160x96xf32>
    %transposed_45 = linalg.transpose ins(%arg18 : tensor<96x160xf32>) outs(%161 : tensor<160x96xf32>) permutation = [1, 0] 
    %162 = affine.apply #map15()[%154]
    %163 = tensor.empty(%162) : tensor<?x96xf32>
    %164 = linalg.fill ins(%cst_0 : f32) outs(%163 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %165 = linalg.matmul ins(%collapsed_44, %transposed_45 : tensor<?x160xf32>, tensor<160x96xf32>) outs(%164 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%165, %arg19 : tensor<?x96xf32>, tensor<96xf32>) outs(%163 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %167 = arith.divsi %162, %c10 : index
    %expanded_46 = tensor.expand_shape %166 [[0, 1], [2]] output_shape [%167, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    %168 = arith.cmpi eq, %167, %123 : index
    cf.assert %168, "mismatched size for broadcast"
    %169 = tensor.empty(%167) : tensor<?x10x96xf32>
    %170 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_46, %147 : tensor<?x10x96xf32>, tensor<?x10x96xf32>) outs(%169 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %171 = tensor.empty(%167) : tensor<?x10x96xf64>
    %172 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<?x10x96xf32>) outs(%171 : tensor<?x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %295 = arith.extf %in : f32 to f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %173 = tensor.empty(%167) : tensor<?x10x1xf64>
    %174 = linalg.fill ins(%cst : f64) outs(%173 : tensor<?x10x1xf64>) -> tensor<?x10x1xf64>
    %175 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%172 : tensor<?x10x96xf64>) outs(%174 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %176 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<?x10x1xf64>) outs(%173 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %177 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %176 : tensor<?x10x96xf64>, tensor<?x10x1xf64>) outs(%171 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.subf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %178 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %177 : tensor<?x10x96xf64>, tensor<?x10x96xf64>) outs(%171 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.mulf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %179 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%178 : tensor<?x10x96xf64>) outs(%174 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %180 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<?x10x1xf64>) outs(%173 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %181 = tensor.empty(%167) : tensor<?x10x1xf32>
    %182 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<?x10x1xf64>) outs(%181 : tensor<?x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %295 = arith.truncf %in : f64 to f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %183 = linalg.fill ins(%cst_0 : f32) outs(%181 : tensor<?x10x1xf32>) -> tensor<?x10x1xf32>
    %184 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<?x10x96xf32>) outs(%183 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %185 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<?x10x1xf32>) outs(%181 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.divf %in, %cst_8 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %186 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<?x10x1xf32>) outs(%181 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_6 : f64 to f32
      %296 = arith.addf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x1xf32>
    %187 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186 : tensor<?x10x1xf32>) outs(%181 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.rsqrt %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %188 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170, %185 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%169 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %189 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188, %187 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%169 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %190 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %arg20 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%169 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %191 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190, %arg21 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%169 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %collapsed_47 = tensor.collapse_shape %191 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %transposed_48 = linalg.transpose ins(%arg22 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %192 = affine.apply #map15()[%167]
    %193 = tensor.empty(%192) : tensor<?x96xf32>
    %194 = linalg.fill ins(%cst_0 : f32) outs(%193 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %195 = linalg.matmul ins(%collapsed_47, %transposed_48 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%194 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %196 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%195, %arg23 : tensor<?x96xf32>, tensor<96xf32>) outs(%193 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %197 = arith.divsi %192, %c10 : index
    %expanded_49 = tensor.expand_shape %196 [[0, 1], [2]] output_shape [%197, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %198 = arith.index_cast %197 : index to i64
    %199 = arith.muli %198, %c960_i64 : i64
    %200 = arith.divsi %199, %68 : i64
    %201 = arith.select %7, %200, %0 : i64
    %from_elements_50 = tensor.from_elements %201, %c10_i64, %200, %c16_i64 : tensor<4xi64>
    %reshape_51 = tensor.reshape %expanded_49(%from_elements_50) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %202 = arith.index_cast %201 : i64 to index
    %203 = tensor.empty(%202) : tensor<?x6x10x16xf32>
    %transposed_52 = linalg.transpose ins(%reshape_51 : tensor<?x10x6x16xf32>) outs(%203 : tensor<?x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_53 = linalg.transpose ins(%arg24 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %204 = linalg.matmul ins(%collapsed_47, %transposed_53 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%194 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %205 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%204, %arg25 : tensor<?x96xf32>, tensor<96xf32>) outs(%193 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %expanded_54 = tensor.expand_shape %205 [[0, 1], [2]] output_shape [%197, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %reshape_55 = tensor.reshape %expanded_54(%from_elements_50) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %transposed_56 = linalg.transpose ins(%arg26 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %206 = linalg.matmul ins(%collapsed_47, %transposed_56 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%194 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %207 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%206, %arg27 : tensor<?x96xf32>, tensor<96xf32>) outs(%193 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %expanded_57 = tensor.expand_shape %207 [[0, 1], [2]] output_shape [%197, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %reshape_58 = tensor.reshape %expanded_57(%from_elements_50) : (tensor<?x10x96xf32>, tensor<4xi64>) -> tensor<?x10x6x16xf32>
    %transposed_59 = linalg.transpose ins(%reshape_58 : tensor<?x10x6x16xf32>) outs(%203 : tensor<?x6x10x16xf32>) permutation = [0, 2, 1, 3] 
    %208 = tensor.empty(%202) : tensor<?x6x16x10xf32>
    %transposed_60 = linalg.transpose ins(%reshape_55 : tensor<?x10x6x16xf32>) outs(%208 : tensor<?x6x16x10xf32>) permutation = [0, 2, 3, 1] 
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %209 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x6x10x16xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %202, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_52[%300, %296, %297, %298] : tensor<?x6x10x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x16xf32>
    %collapsed_61 = tensor.collapse_shape %209 [[0, 1], [2], [3]] : tensor<?x6x10x16xf32> into tensor<?x10x16xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %210 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%83 : tensor<?x6x16x10xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %202, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_60[%300, %296, %297, %298] : tensor<?x6x16x10xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x16x10xf32>
    %collapsed_62 = tensor.collapse_shape %210 [[0, 1], [2], [3]] : tensor<?x6x16x10xf32> into tensor<?x16x10xf32>
    %211 = linalg.batch_matmul ins(%collapsed_61, %collapsed_62 : tensor<?x10x16xf32>, tensor<?x16x10xf32>) outs(%87 : tensor<?x10x10xf32>) -> tensor<?x10x10xf32>
    %expanded_63 = tensor.expand_shape %211 [[0, 1], [2], [3]] output_shape [%89, 6, 10, 10] : tensor<?x10x10xf32> into tensor<?x6x10x10xf32>
    %212 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<?x6x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.mulf %in, %cst_9 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    cf.assert %92, "mismatched size for broadcast"
    %213 = linalg.generic {indexing_maps = [#map9, #map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%212, %57 : tensor<?x6x10x10xf32>, tensor<?x1x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %214:2 = linalg.generic {indexing_maps = [#map9, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%213 : tensor<?x6x10x10xf32>) outs(%97, %95 : tensor<?x6x10xf32>, tensor<?x6x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_79: i64):
      %295 = linalg.index 3 : index
      %296 = arith.index_cast %295 : index to i64
      %297 = arith.maximumf %in, %out : f32
      %298 = arith.cmpf ogt, %in, %out : f32
      %299 = arith.select %298, %296, %out_79 : i64
      linalg.yield %297, %299 : f32, i64
    } -> (tensor<?x6x10xf32>, tensor<?x6x10xi64>)
    %expanded_64 = tensor.expand_shape %214#0 [[0], [1], [2, 3]] output_shape [%89, 6, 10, 1] : tensor<?x6x10xf32> into tensor<?x6x10x1xf32>
    %215 = linalg.generic {indexing_maps = [#map9, #map19, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%213, %expanded_64 : tensor<?x6x10x10xf32>, tensor<?x6x10x1xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %216 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%215 : tensor<?x6x10x10xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.exp %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    %217 = linalg.generic {indexing_maps = [#map9, #map19], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%216 : tensor<?x6x10x10xf32>) outs(%102 : tensor<?x6x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x1xf32>
    %218 = linalg.generic {indexing_maps = [#map9, #map19, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%216, %217 : tensor<?x6x10x10xf32>, tensor<?x6x10x1xf32>) outs(%90 : tensor<?x6x10x10xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.divf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x6x10x10xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %219 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%105 : tensor<?x6x10x10xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %89, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %218[%300, %296, %297, %298] : tensor<?x6x10x10xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x10xf32>
    %collapsed_65 = tensor.collapse_shape %219 [[0, 1], [2], [3]] : tensor<?x6x10x10xf32> into tensor<?x10x10xf32>
    cf.assert %1, "unimplemented: dynamic negative broadcast sizes"
    %220 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x6x10x16xf32>) {
    ^bb0(%out: f32):
      %295 = linalg.index 0 : index
      %296 = linalg.index 1 : index
      %297 = linalg.index 2 : index
      %298 = linalg.index 3 : index
      %299 = arith.cmpi eq, %202, %c1 : index
      %300 = arith.select %299, %c0, %295 : index
      %extracted = tensor.extract %transposed_59[%300, %296, %297, %298] : tensor<?x6x10x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x6x10x16xf32>
    %collapsed_66 = tensor.collapse_shape %220 [[0, 1], [2], [3]] : tensor<?x6x10x16xf32> into tensor<?x10x16xf32>
    %221 = linalg.batch_matmul ins(%collapsed_65, %collapsed_66 : tensor<?x10x10xf32>, tensor<?x10x16xf32>) outs(%109 : tensor<?x10x16xf32>) -> tensor<?x10x16xf32>
    %expanded_67 = tensor.expand_shape %221 [[0, 1], [2], [3]] output_shape [%89, 6, 10, 16] : tensor<?x10x16xf32> into tensor<?x6x10x16xf32>
    %transposed_68 = linalg.transpose ins(%expanded_67 : tensor<?x6x10x16xf32>) outs(%111 : tensor<?x10x6x16xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %69, "must have at most one inferred (negative) dimension"
    %reshape_69 = tensor.reshape %transposed_68(%from_elements_36) : (tensor<?x10x6x16xf32>, tensor<3xi64>) -> tensor<?x10x96xf32>
    %collapsed_70 = tensor.collapse_shape %reshape_69 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %transposed_71 = linalg.transpose ins(%arg28 : tensor<96x96xf32>) outs(%58 : tensor<96x96xf32>) permutation = [1, 0] 
    %222 = arith.index_cast %116 : i64 to index
    %223 = affine.apply #map15()[%222]
    %224 = tensor.empty(%223) : tensor<?x96xf32>
    %225 = linalg.fill ins(%cst_0 : f32) outs(%224 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %226 = linalg.matmul ins(%collapsed_70, %transposed_71 : tensor<?x96xf32>, tensor<96x96xf32>) outs(%225 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %227 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%226, %arg29 : tensor<?x96xf32>, tensor<96xf32>) outs(%224 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %228 = arith.divsi %223, %c10 : index
    %expanded_72 = tensor.expand_shape %227 [[0, 1], [2]] output_shape [%228, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    %229 = arith.cmpi eq, %228, %167 : index
    cf.assert %229, "mismatched size for broadcast"
    %230 = tensor.empty(%228) : tensor<?x10x96xf32>
    %231 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_72, %191 : tensor<?x10x96xf32>, tensor<?x10x96xf32>) outs(%230 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %232 = tensor.empty(%228) : tensor<?x10x96xf64>
    %233 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231 : tensor<?x10x96xf32>) outs(%232 : tensor<?x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %295 = arith.extf %in : f32 to f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %234 = tensor.empty(%228) : tensor<?x10x1xf64>
    %235 = linalg.fill ins(%cst : f64) outs(%234 : tensor<?x10x1xf64>) -> tensor<?x10x1xf64>
    %236 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%233 : tensor<?x10x96xf64>) outs(%235 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %237 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%236 : tensor<?x10x1xf64>) outs(%234 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %238 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233, %237 : tensor<?x10x96xf64>, tensor<?x10x1xf64>) outs(%232 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.subf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %239 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238, %238 : tensor<?x10x96xf64>, tensor<?x10x96xf64>) outs(%232 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.mulf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %240 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%239 : tensor<?x10x96xf64>) outs(%235 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %241 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<?x10x1xf64>) outs(%234 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %242 = tensor.empty(%228) : tensor<?x10x1xf32>
    %243 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%241 : tensor<?x10x1xf64>) outs(%242 : tensor<?x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %295 = arith.truncf %in : f64 to f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %244 = linalg.fill ins(%cst_0 : f32) outs(%242 : tensor<?x10x1xf32>) -> tensor<?x10x1xf32>
    %245 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%231 : tensor<?x10x96xf32>) outs(%244 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %246 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%245 : tensor<?x10x1xf32>) outs(%242 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.divf %in, %cst_8 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %247 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%243 : tensor<?x10x1xf32>) outs(%242 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_6 : f64 to f32
      %296 = arith.addf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x1xf32>
    %248 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%247 : tensor<?x10x1xf32>) outs(%242 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.rsqrt %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %249 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231, %246 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%230 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %250 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249, %248 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%230 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %251 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250, %arg30 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%230 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %252 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %arg31 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%230 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %collapsed_73 = tensor.collapse_shape %252 [[0, 1], [2]] : tensor<?x10x96xf32> into tensor<?x96xf32>
    %transposed_74 = linalg.transpose ins(%arg32 : tensor<160x96xf32>) outs(%148 : tensor<96x160xf32>) permutation = [1, 0] 
    %253 = affine.apply #map15()[%228]
    %254 = tensor.empty(%253) : tensor<?x160xf32>
    %255 = linalg.fill ins(%cst_0 : f32) outs(%254 : tensor<?x160xf32>) -> tensor<?x160xf32>
    %256 = linalg.matmul ins(%collapsed_73, %transposed_74 : tensor<?x96xf32>, tensor<96x160xf32>) outs(%255 : tensor<?x160xf32>) -> tensor<?x160xf32>
    %257 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%256, %arg33 : tensor<?x160xf32>, tensor<160xf32>) outs(%254 : tensor<?x160xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x160xf32>
    %258 = arith.divsi %253, %c10 : index
    %expanded_75 = tensor.expand_shape %257 [[0, 1], [2]] output_shape [%258, 10, 160] : tensor<?x160xf32> into tensor<?x10x160xf32>
    %259 = tensor.empty(%258) : tensor<?x10x160xf32>
    %260 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_75 : tensor<?x10x160xf32>) outs(%259 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.mulf %in, %cst_10 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %261 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_75 : tensor<?x10x160xf32>) outs(%259 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_5 : f64 to f32
      %296 = arith.mulf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x160xf32>
    %262 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261 : tensor<?x10x160xf32>) outs(%259 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.erf %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %263 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%262 : tensor<?x10x160xf32>) outs(%259 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %cst_11 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %264 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%260, %263 : tensor<?x10x160xf32>, tensor<?x10x160xf32>) outs(%259 : tensor<?x10x160xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x160xf32>
    %collapsed_76 = tensor.collapse_shape %264 [[0, 1], [2]] : tensor<?x10x160xf32> into tensor<?x160xf32>
    %transposed_77 = linalg.transpose ins(%arg34 : tensor<96x160xf32>) outs(%161 : tensor<160x96xf32>) permutation = [1, 0] 
    %265 = affine.apply #map15()[%258]
    %266 = tensor.empty(%265) : tensor<?x96xf32>
    %267 = linalg.fill ins(%cst_0 : f32) outs(%266 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %268 = linalg.matmul ins(%collapsed_76, %transposed_77 : tensor<?x160xf32>, tensor<160x96xf32>) outs(%267 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %269 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%268, %arg35 : tensor<?x96xf32>, tensor<96xf32>) outs(%266 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x96xf32>
    %270 = arith.divsi %265, %c10 : index
    %expanded_78 = tensor.expand_shape %269 [[0, 1], [2]] output_shape [%270, 10, 96] : tensor<?x96xf32> into tensor<?x10x96xf32>
    %271 = arith.cmpi eq, %270, %228 : index
    cf.assert %271, "mismatched size for broadcast"
    %272 = tensor.empty(%270) : tensor<?x10x96xf32>
    %273 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_78, %252 : tensor<?x10x96xf32>, tensor<?x10x96xf32>) outs(%272 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %274 = tensor.empty(%270) : tensor<?x10x96xf64>
    %275 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273 : tensor<?x10x96xf32>) outs(%274 : tensor<?x10x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %295 = arith.extf %in : f32 to f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %276 = tensor.empty(%270) : tensor<?x10x1xf64>
    %277 = linalg.fill ins(%cst : f64) outs(%276 : tensor<?x10x1xf64>) -> tensor<?x10x1xf64>
    %278 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%275 : tensor<?x10x96xf64>) outs(%277 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %279 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%278 : tensor<?x10x1xf64>) outs(%276 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %280 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%275, %279 : tensor<?x10x96xf64>, tensor<?x10x1xf64>) outs(%274 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.subf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %281 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280, %280 : tensor<?x10x96xf64>, tensor<?x10x96xf64>) outs(%274 : tensor<?x10x96xf64>) {
    ^bb0(%in: f64, %in_79: f64, %out: f64):
      %295 = arith.mulf %in, %in_79 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x96xf64>
    %282 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%281 : tensor<?x10x96xf64>) outs(%277 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.addf %in, %out : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %283 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<?x10x1xf64>) outs(%276 : tensor<?x10x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %295 = arith.divf %in, %cst_7 : f64
      linalg.yield %295 : f64
    } -> tensor<?x10x1xf64>
    %284 = tensor.empty(%270) : tensor<?x10x1xf32>
    %285 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%283 : tensor<?x10x1xf64>) outs(%284 : tensor<?x10x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %295 = arith.truncf %in : f64 to f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %286 = linalg.fill ins(%cst_0 : f32) outs(%284 : tensor<?x10x1xf32>) -> tensor<?x10x1xf32>
    %287 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%273 : tensor<?x10x96xf32>) outs(%286 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.addf %in, %out : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %288 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%287 : tensor<?x10x1xf32>) outs(%284 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.divf %in, %cst_8 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %289 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%285 : tensor<?x10x1xf32>) outs(%284 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = arith.truncf %cst_6 : f64 to f32
      %296 = arith.addf %in, %295 : f32
      linalg.yield %296 : f32
    } -> tensor<?x10x1xf32>
    %290 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%289 : tensor<?x10x1xf32>) outs(%284 : tensor<?x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %295 = math.rsqrt %in : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x1xf32>
    %291 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273, %288 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%272 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.subf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %292 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%291, %290 : tensor<?x10x96xf32>, tensor<?x10x1xf32>) outs(%272 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %293 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%292, %arg36 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%272 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.mulf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    %294 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%293, %arg37 : tensor<?x10x96xf32>, tensor<96xf32>) outs(%272 : tensor<?x10x96xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %295 = arith.addf %in, %in_79 : f32
      linalg.yield %295 : f32
    } -> tensor<?x10x96xf32>
    return %294 : tensor<?x10x96xf32>
  }
}

