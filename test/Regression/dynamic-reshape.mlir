// RUN: renorm-opt %s --norm-raise | FileCheck %s

// A reshape between types with two unknown extents may be any: here it is no
// identity, as rows and columns are others.

// CHECK-NOT: norm.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @reshape(%x: tensor<?x?xf32>, %shape: tensor<2xindex>, %rows: index, %cols: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %c1 = arith.constant 1 : index
  %r2 = tensor.reshape %x(%shape) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %e = tensor.empty(%rows, %cols) : tensor<?x?xf32>
  %e1 = tensor.empty(%rows) : tensor<?xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%r2 : tensor<?x?xf32>) outs(%i : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %me = arith.addf %s, %eps : f32
    %r = math.rsqrt %me : f32
    %z = arith.mulf %in, %r : f32
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
