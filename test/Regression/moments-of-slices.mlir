// RUN: renorm-opt %s --norm-raise | FileCheck %s

// E[x^2] over eight elements and E[x] over the first four are no variance.

// CHECK-NOT: norm.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @moments(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %n4 = arith.constant 4.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %half = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %sum2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %sum1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%half : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %sumx = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum2, %sum1, %sumx : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s2: f32, %s1: f32, %sx: f32, %out: f32):
    %m2 = arith.divf %s2, %n : f32
    %m1 = arith.divf %s1, %n4 : f32
    %mx = arith.divf %sx, %n : f32
    %m1s = arith.mulf %m1, %m1 : f32
    %v = arith.subf %m2, %m1s : f32
    %ve = arith.addf %v, %eps : f32
    %r = math.rsqrt %ve : f32
    %c = arith.subf %in, %mx : f32
    %z = arith.mulf %c, %r : f32
    linalg.yield %z : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
