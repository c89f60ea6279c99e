// RUN: renorm-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @neutral_parameters
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[M:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<8xf32>)
func.func @neutral_parameters(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  // CHECK: %[[A:.*]] = norm.apply_stats layer %[[X]] stats(%[[M]], %[[M]] : tensor<4xf32>, tensor<4xf32>) epsilon = 1.0e-05 : tensor<4x8xf32> -> tensor<4x8xf32>
  %0 = norm.apply_stats layer %x stats(%m, %m : tensor<4xf32>, tensor<4xf32>) column_sums(%one : tensor<8xf32>) scale(%one : tensor<8xf32>) bias(%zero : tensor<8xf32>) epsilon = 1.0e-5 cast_before_scale : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: %[[B:.*]] = norm.apply_stats rms %[[X]] stats(%[[M]] : tensor<4xf32>) bias(%[[G]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = norm.apply_stats rms %x stats(%m : tensor<4xf32>) scale(%zero : tensor<8xf32>) bias(%g : tensor<8xf32>) epsilon = 1.0e-5 unit_offset : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A value rounded before the bias is added is not the value rounded after it.
// CHECK-LABEL: func.func @rounding_before_the_bias
func.func @rounding_before_the_bias(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<4x8xbf16> {
  // CHECK: scale(%{{.*}} : tensor<8xf32>) bias(%{{.*}} : tensor<8xf32>) epsilon = 1.0e-05 cast_before_scale
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = norm.apply_stats rms %x stats(%m : tensor<4xf32>) scale(%one : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-5 cast_before_scale : tensor<4x8xf32> -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @one_group
// CHECK-SAME: (%[[M:.*]]: tensor<2x?x1xf32>, %[[V:.*]]: tensor<2x?x1xf32>)
func.func @one_group(%m: tensor<2x?x1xf32>, %v: tensor<2x?x1xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>) {
  // CHECK: %[[A:.*]] = tensor.collapse_shape %[[M]] {{\[}}[0], [1, 2]{{\]}} : tensor<2x?x1xf32> into tensor<2x?xf32>
  // CHECK: %[[B:.*]] = tensor.collapse_shape %[[V]] {{\[}}[0], [1, 2]{{\]}} : tensor<2x?x1xf32> into tensor<2x?xf32>
  // CHECK: return %[[A]], %[[B]]
  %0:2 = norm.merge_stats layer %m, %v group_size = 8 extent = 5 : tensor<2x?x1xf32>, tensor<2x?x1xf32>
  return %0#0, %0#1 : tensor<2x?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func.func @one_group_of_the_only_row
// CHECK-SAME: (%[[S:.*]]: tensor<1xf32>)
func.func @one_group_of_the_only_row(%s: tensor<1xf32>) -> tensor<f32> {
  // CHECK: %[[A:.*]] = tensor.collapse_shape %[[S]] [] : tensor<1xf32> into tensor<f32>
  // CHECK: return %[[A]]
  %0 = norm.merge_stats rms %s group_size = 8 extent = 8 : tensor<1xf32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @two_groups
func.func @two_groups(%s: tensor<2x2xf32>) -> tensor<2xf32> {
  // CHECK: norm.merge_stats
  %0 = norm.merge_stats rms %s group_size = 8 extent = 9 : tensor<2x2xf32>
  return %0 : tensor<2xf32>
}

// Statistics have no effect but their results.
// CHECK-LABEL: func.func @unused
func.func @unused(%x: tensor<4x8xf32>) {
  // CHECK-NEXT: return
  %0:2 = norm.row_stats layer %x : tensor<4x8xf32>
  %1 = norm.apply_stats layer %x stats(%0#0, %0#1 : tensor<4xf32>, tensor<4xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
