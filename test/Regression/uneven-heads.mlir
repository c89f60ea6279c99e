// RUN: renorm-opt %s --norm-raise | FileCheck %s

// Heads that a dynamic loop divides by two need not be twice as many as those of
// keys and values: of five and three norm.attention reads others.

// CHECK-NOT: norm.

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h floordiv 2, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h floordiv 2, j, d)>
#y = affine_map<(h, i, d, j) -> (h, i, d)>
#id = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
func.func @uneven(%q: tensor<?x4x8xf32>, %k: tensor<?x4x8xf32>, %v: tensor<?x4x8xf32>) -> tensor<?x4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %heads = tensor.dim %q, %c0 : tensor<?x4x8xf32>
  %e = tensor.empty(%heads) : tensor<?x4x4xf32>
  %er = tensor.empty(%heads) : tensor<?x4xf32>
  %e8 = tensor.empty(%heads) : tensor<?x4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x4x8xf32>, tensor<?x4x8xf32>) outs(%i : tensor<?x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x4x4xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x4x4xf32>) outs(%e : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %i8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %y = linalg.generic {indexing_maps = [#p, #v, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<?x4x4xf32>, tensor<?x4x8xf32>) outs(%i8 : tensor<?x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x4x8xf32>
  return %y : tensor<?x4x8xf32>
}
