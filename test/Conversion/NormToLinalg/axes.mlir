// RUN: renorm-opt %s -convert-norm-to-linalg -canonicalize | FileCheck %s

// CHECK-DAG: #[[$KEPT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-DAG: #[[$SCALE:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[$BOTH:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @two_axes
// CHECK-DAG: %[[N:.*]] = arith.constant 3.200000e+01 : f32
// CHECK: linalg.generic
// CHECK-SAME: #[[$KEPT]]
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<2x5xf32>)
// CHECK: arith.divf %{{.*}}, %[[N]]
// CHECK: linalg.generic
// CHECK-SAME: #[[$KEPT]], #[[$SCALE]]
func.func @two_axes(%x: tensor<2x4x5x8xf32>, %g: tensor<4x8xf32>) -> tensor<2x4x5x8xf32> {
  %0 = norm.rms_norm %x scale(%g : tensor<4x8xf32>) epsilon = 1.0e-06 axes = [1, 3] : tensor<2x4x5x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// A weight of each head, normalized within the head.
// CHECK-LABEL: func @scale_dims
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "parallel"]
// CHECK-SAME: tensor<4x8xf32>
func.func @scale_dims(%x: tensor<2x4x5x8xf32>, %g: tensor<4x8xf32>) -> tensor<2x4x5x8xf32> {
  %0 = norm.rms_norm %x scale(%g : tensor<4x8xf32>) epsilon = 1.0e-06 scale_dims = [1, 3] : tensor<2x4x5x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// Statistics of all elements have rank 0, as has one scale for all.
// CHECK-LABEL: func @all_axes
// CHECK-SAME: %{{.*}}: tensor<?x8xf32>, %[[G:.*]]: tensor<f32>
// CHECK: %[[C8:.*]] = arith.constant 8 : index
// CHECK: arith.muli %{{.*}}, %[[C8]] : index
// CHECK: linalg.generic
// CHECK-SAME: [#[[$BOTH]], #[[$NONE]]], iterator_types = ["reduction", "reduction"]
// CHECK: math.sqrt
// CHECK: linalg.generic
// CHECK-SAME: [#[[$BOTH]], #[[$NONE]], #[[$NONE]], #[[$BOTH]]]
// CHECK-SAME: %[[G]]
func.func @all_axes(%x: tensor<?x8xf32>, %g: tensor<f32>) -> tensor<?x8xf32> {
  %0 = norm.rms_norm %x scale(%g : tensor<f32>) epsilon = 1.0e-06 axes = [0, 1] : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
