// RUN: renorm-opt %s --verify-roundtrip | FileCheck %s
// RUN: renorm-opt %s --mlir-print-op-generic | renorm-opt | FileCheck %s
// RUN: renorm-opt %s --emit-bytecode | renorm-opt | FileCheck %s

// CHECK-LABEL: func.func @row_stats
func.func @row_stats(%x: tensor<2x?x320xbf16>, %y: tensor<?x64xf64>) -> (tensor<2x?xf32>, tensor<320xf32>, tensor<2x?x3xf32>, tensor<?xf64>) {
  // CHECK: %[[LAYER:.*]]:2 = norm.row_stats layer %{{.*}} : tensor<2x?x320xbf16>
  %mean, %variance = norm.row_stats layer %x : tensor<2x?x320xbf16>
  // CHECK: %[[RMS:.*]] = norm.row_stats rms %{{.*}} axes = [0, 1] : tensor<2x?x320xbf16>
  %mean_square = norm.row_stats rms %x axes = [0, 1] : tensor<2x?x320xbf16>
  // CHECK: %[[GROUPS:.*]]:2 = norm.row_stats layer %{{.*}} group_size = 128 : tensor<2x?x320xbf16>
  %0:2 = norm.row_stats layer %x group_size = 128 : tensor<2x?x320xbf16>
  // CHECK: %[[L2:.*]] = norm.row_stats l2 %{{.*}} : tensor<?x64xf64>
  %1 = norm.row_stats l2 %y : tensor<?x64xf64>
  // CHECK: return %[[LAYER]]#1, %[[RMS]], %[[GROUPS]]#0, %[[L2]] : tensor<2x?xf32>, tensor<320xf32>, tensor<2x?x3xf32>, tensor<?xf64>
  return %variance, %mean_square, %0#0, %1 : tensor<2x?xf32>, tensor<320xf32>, tensor<2x?x3xf32>, tensor<?xf64>
}

// CHECK-LABEL: func.func @merge_stats
func.func @merge_stats(%m: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %s: tensor<?xf64>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<f64>) {
  // CHECK: %[[LAYER:.*]]:2 = norm.merge_stats layer %{{.*}}, %{{.*}} group_size = 128 extent = 320 : tensor<2x?x3xf32>, tensor<2x?x3xf32>
  %0:2 = norm.merge_stats layer %m, %v group_size = 128 extent = 320 : tensor<2x?x3xf32>, tensor<2x?x3xf32>
  // CHECK: %[[L2:.*]] = norm.merge_stats l2 %{{.*}} group_size = 16 extent = 64 : tensor<?xf64>
  %1 = norm.merge_stats l2 %s group_size = 16 extent = 64 : tensor<?xf64>
  // CHECK: return %[[LAYER]]#0, %[[LAYER]]#1, %[[L2]] : tensor<2x?xf32>, tensor<2x?xf32>, tensor<f64>
  return %0#0, %0#1, %1 : tensor<2x?xf32>, tensor<2x?xf32>, tensor<f64>
}

// CHECK-LABEL: func.func @apply_stats
func.func @apply_stats(%x: tensor<2x?x64xf32>, %m: tensor<2x?xf32>, %v: tensor<2x?xf32>, %s: tensor<64xf32>, %g: tensor<64xbf16>, %b: tensor<f32>, %r: tensor<64xf32>, %h: tensor<2x64xf32>) -> tensor<2x?x64xbf16> {
  // CHECK: norm.apply_stats layer %{{.*}} stats(%{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<2x?xf32>) column_sums(%{{.*}} : tensor<64xf32>) scale(%{{.*}} : tensor<64xbf16>) bias(%{{.*}} : tensor<f32>) epsilon = 1.0e-05 epsilon_mode = outside unit_offset cast_before_scale : tensor<2x?x64xf32> -> tensor<2x?x64xbf16>
  %0 = norm.apply_stats layer %x stats(%m, %v : tensor<2x?xf32>, tensor<2x?xf32>) column_sums(%s : tensor<64xf32>) scale(%g : tensor<64xbf16>) bias(%b : tensor<f32>) epsilon = 1.0e-5 epsilon_mode = outside unit_offset cast_before_scale : tensor<2x?x64xf32> -> tensor<2x?x64xbf16>
  // CHECK: norm.apply_stats rms %{{.*}} stats(%{{.*}} : tensor<64xf32>) scale(%{{.*}} : tensor<2x64xf32>) epsilon = 1.0e-06 axes = [0, 1] scale_dims = [0, 2] : tensor<2x?x64xf32> -> tensor<2x?x64xf32>
  %1 = norm.apply_stats rms %x stats(%r : tensor<64xf32>) scale(%h : tensor<2x64xf32>) epsilon = 1.0e-6 axes = [0, 1] scale_dims = [0, 2] : tensor<2x?x64xf32> -> tensor<2x?x64xf32>
  return %0 : tensor<2x?x64xbf16>
}
