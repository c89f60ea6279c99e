// RUN: renorm-opt %s --norm-split-stats | FileCheck %s
// RUN: renorm-opt %s --norm-split-stats --norm-split-stats | FileCheck %s

// Two norms of one value that differ in what comes after their statistics share them.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: (%[[X:.*]]: tensor<?x64xbf16>, %[[G:.*]]: tensor<64xbf16>, %[[B:.*]]: tensor<64xbf16>)
func.func @shared(%x: tensor<?x64xbf16>, %g: tensor<64xbf16>, %b: tensor<64xbf16>) -> (tensor<?x64xbf16>, tensor<?x64xbf16>) {
  // CHECK: %[[S:.*]]:2 = norm.row_stats layer %[[X]] : tensor<?x64xbf16>
  // CHECK-NOT: norm.row_stats
  // CHECK: %[[A0:.*]] = norm.apply_stats layer %[[X]] stats(%[[S]]#0, %[[S]]#1 : tensor<?xf32>, tensor<?xf32>) scale(%[[G]] : tensor<64xbf16>) bias(%[[B]] : tensor<64xbf16>) epsilon = 1.0e-05 {tag} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  // CHECK: %[[A1:.*]] = norm.apply_stats layer %[[X]] stats(%[[S]]#0, %[[S]]#1 : tensor<?xf32>, tensor<?xf32>) scale(%[[G]] : tensor<64xbf16>) epsilon = 1.0e-06 epsilon_mode = outside unit_offset cast_before_scale : tensor<?x64xbf16> -> tensor<?x64xbf16>
  // CHECK: return %[[A0]], %[[A1]]
  %0 = norm.layer_norm %x scale(%g : tensor<64xbf16>) bias(%b : tensor<64xbf16>) epsilon = 1.0e-5 {tag} : tensor<?x64xbf16>
  %1 = norm.layer_norm %x scale(%g : tensor<64xbf16>) epsilon = 1.0e-6 epsilon_mode = outside unit_offset cast_before_scale : tensor<?x64xbf16>
  return %0, %1 : tensor<?x64xbf16>, tensor<?x64xbf16>
}

// Kinds and axes that differ have statistics of their own.
// CHECK-LABEL: func.func @others
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x64xf64>, %[[H:.*]]: tensor<4x64xf64>)
func.func @others(%x: tensor<4x8x64xf64>, %h: tensor<4x64xf64>) -> (tensor<4x8x64xf64>, tensor<4x8x64xf64>, tensor<4x8x64xf64>) {
  // CHECK-DAG: %[[RMS:.*]] = norm.row_stats rms %[[X]] : tensor<4x8x64xf64>
  // CHECK-DAG: %[[BOTH:.*]] = norm.row_stats rms %[[X]] axes = [1, 2] : tensor<4x8x64xf64>
  // CHECK-DAG: %[[L2:.*]] = norm.row_stats l2 %[[X]] : tensor<4x8x64xf64>
  // CHECK: norm.apply_stats rms %[[X]] stats(%[[RMS]] : tensor<4x8xf64>) scale(%[[H]] : tensor<4x64xf64>) epsilon = 1.0e-05 scale_dims = [0, 2]
  // CHECK: norm.apply_stats rms %[[X]] stats(%[[BOTH]] : tensor<4xf64>) epsilon = 1.0e-05 axes = [1, 2]
  // CHECK: norm.apply_stats l2 %[[X]] stats(%[[L2]] : tensor<4x8xf64>) epsilon = 0.0
  %0 = norm.rms_norm %x scale(%h : tensor<4x64xf64>) epsilon = 1.0e-5 scale_dims = [0, 2] : tensor<4x8x64xf64>
  %1 = norm.rms_norm %x epsilon = 1.0e-5 axes = [1, 2] : tensor<4x8x64xf64>
  %2 = norm.l2_norm %x epsilon = 0.0 : tensor<4x8x64xf64>
  return %0, %1, %2 : tensor<4x8x64xf64>, tensor<4x8x64xf64>, tensor<4x8x64xf64>
}

// Statistics are computed where the value is, outside of the loop that normalizes it.
// CHECK-LABEL: func.func @in_a_loop
// CHECK-SAME: (%[[X:.*]]: tensor<4x64xf32>,
func.func @in_a_loop(%x: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
  // CHECK: %[[S:.*]] = norm.row_stats rms %[[X]]
  // CHECK: scf.for
  // CHECK: norm.apply_stats rms %[[X]] stats(%[[S]] : tensor<4xf32>)
  // CHECK: %[[T:.*]] = norm.row_stats rms %[[SUM:.*]] : tensor<4x64xf32>
  // CHECK: norm.apply_stats rms %[[SUM]] stats(%[[T]] : tensor<4xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<4x64xf32> {
    %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x64xf32>
    %1 = norm.residual_add %y, %0 : tensor<4x64xf32>
    %2 = norm.rms_norm %1 epsilon = 1.0e-5 : tensor<4x64xf32>
    scf.yield %2 : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}
