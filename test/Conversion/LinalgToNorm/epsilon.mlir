// RUN: renorm-opt %s --norm-raise --split-input-file | FileCheck %s

// Where epsilon enters, of a sum of squares.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @modes
// CHECK-SAME: %[[X:.*]]: tensor<4x16xf32>, %[[G:.*]]: tensor<f32>
// CHECK-DAG: %[[A:.*]] = norm.l2_norm %[[X]] epsilon = 1.0e-12 epsilon_mode = clamp : tensor<4x16xf32>
// CHECK-DAG: %[[B:.*]] = norm.l2_norm %[[X]] epsilon = 1.0e-12 epsilon_mode = clamp_inside : tensor<4x16xf32>
// CHECK-DAG: %[[C:.*]] = norm.l2_norm %[[X]] scale(%[[G]] : tensor<f32>) epsilon = 1.0e-12 epsilon_mode = outside : tensor<4x16xf32>
// CHECK-DAG: %[[D:.*]] = norm.l2_norm %[[X]] epsilon = 1.0e-12 : tensor<4x16xf32>
// CHECK-DAG: %[[E:.*]] = norm.l2_norm %[[X]] epsilon = 0.0 : tensor<4x16xf32>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
func.func @modes(%x: tensor<4x16xf32>, %g: tensor<f32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-12 : f64
  %e = tensor.empty() : tensor<4x16xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x16xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    %sq = arith.mulf %a, %a : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %clamp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x16xf32>, tensor<4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %root = math.sqrt %s : f32
    %n = arith.maximumf %root, %c : f32
    %p = arith.divf %in, %n : f32
    linalg.yield %p : f32
  } -> tensor<4x16xf32>
  %clampInside = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x16xf32>, tensor<4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %m = arith.maximumf %c, %s : f32
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x16xf32>
  %outside = linalg.generic {indexing_maps = [#id, #row, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq, %g : tensor<4x16xf32>, tensor<4xf32>, tensor<f32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %h: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %root = math.sqrt %s : f32
    %n = arith.addf %root, %c : f32
    %scaled = arith.mulf %h, %in : f32
    %p = arith.divf %scaled, %n : f32
    linalg.yield %p : f32
  } -> tensor<4x16xf32>
  %inside = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x16xf32>, tensor<4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %n = arith.addf %s, %c : f32
    %r = math.rsqrt %n : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x16xf32>
  %none = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x16xf32>, tensor<4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %n = math.powf %s, %half : f32
    %p = arith.divf %in, %n : f32
    linalg.yield %p : f32
  } -> tensor<4x16xf32>
  return %clamp, %clampInside, %outside, %inside, %none
    : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}
