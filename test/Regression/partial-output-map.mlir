// RUN: renorm-opt %s --norm-raise | FileCheck %s

// A linalg.generic that writes one column, or the diagonal, of its initial value
// is no broadcast.

// CHECK-NOT: norm.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
#diagonal = affine_map<(d0) -> (d0, d0)>
#first = affine_map<(d0) -> (d0, 0)>

func.func @first_column(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#v, #first], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sm: f32, %out: f32):
    %m = arith.divf %sm, %n : f32
    %me = arith.addf %m, %eps : f32
    %r = math.rsqrt %me : f32
    %z = arith.mulf %in, %r : f32
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

func.func @diagonal(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#v, #diagonal], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sm: f32, %out: f32):
    %m = arith.divf %sm, %n : f32
    %me = arith.addf %m, %eps : f32
    %r = math.rsqrt %me : f32
    %z = arith.mulf %in, %r : f32
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
