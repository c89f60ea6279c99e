// RUN: renorm-opt %s --norm-split-stats --norm-defer-apply | FileCheck %s
// RUN: renorm-opt %s --norm-split-stats --norm-defer-apply=weights=prepare --norm-defer-apply --canonicalize | FileCheck %s --check-prefix=PREPARE

// Query, key and value share the statistics. The columns of a constant are summed when compiled.
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<?x3xf32>)
func.func @layer_norm(%x: tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  // CHECK-DAG: %[[SUMS0:.*]] = arith.constant dense<[9.000000e+00, 1.200000e+01]> : tensor<2xf32>
  // CHECK-DAG: %[[SUMS1:.*]] = arith.constant dense<0.000000e+00> : tensor<2xf32>
  // CHECK-DAG: %[[W0:.*]] = arith.constant dense<{{\[\[}}1.000000e+00
  // CHECK-DAG: %[[W1:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00
  // CHECK-DAG: %[[S:.*]]:2 = norm.row_stats layer %[[X]]
  // CHECK: %[[Q:.*]] = linalg.matmul ins(%[[X]], %[[W0]]
  // CHECK: %[[NQ:.*]] = norm.apply_stats layer %[[Q]] stats(%[[S]]#0, %[[S]]#1 : tensor<?xf32>, tensor<?xf32>) column_sums(%[[SUMS0]] : tensor<2xf32>) epsilon = 1.0e-05 : tensor<?x2xf32> -> tensor<?x2xf32>
  // CHECK: %[[K:.*]] = linalg.matmul ins(%[[X]], %[[W1]]
  // CHECK: %[[NK:.*]] = norm.apply_stats layer %[[K]] stats(%[[S]]#0, %[[S]]#1 : tensor<?xf32>, tensor<?xf32>) column_sums(%[[SUMS1]] : tensor<2xf32>)
  // CHECK-NOT: norm.
  // CHECK: return %[[NQ]], %[[NK]]
  %w0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %w1 = arith.constant dense<[[-1.0, 2.0], [3.0, 4.0], [-2.0, -6.0]]> : tensor<3x2xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x3xf32>
  %empty = tensor.empty(%m) : tensor<?x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-5 : tensor<?x3xf32>
  %q = linalg.matmul ins(%n, %w0 : tensor<?x3xf32>, tensor<3x2xf32>) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  %k = linalg.matmul ins(%n, %w1 : tensor<?x3xf32>, tensor<3x2xf32>) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %q, %k : tensor<?x2xf32>, tensor<?x2xf32>
}

// As exporters write it: rows are collapsed, the weight is transposed, the sum is rounded and a bias added after it.
// CHECK-LABEL: func.func @exported
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x3xbf16>, %[[W:.*]]: tensor<4x3xbf16>, %[[C:.*]]: tensor<4xbf16>)
func.func @exported(%x: tensor<2x5x3xbf16>, %w: tensor<4x3xbf16>, %c: tensor<4xbf16>) -> tensor<2x5x4xbf16> {
  // CHECK: %[[S:.*]] = norm.row_stats rms %[[X]] : tensor<2x5x3xbf16>
  // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]{{\]}} : tensor<2x5x3xbf16> into tensor<10x3xbf16>
  // CHECK: %[[Y:.*]] = linalg.matmul ins(%[[ROWS]], %{{.*}}
  // CHECK: %[[T:.*]] = tensor.collapse_shape %[[S]] {{\[}}[0, 1]{{\]}} : tensor<2x5xf32> into tensor<10xf32>
  // CHECK: %[[N:.*]] = norm.apply_stats rms %[[Y]] stats(%[[T]] : tensor<10xf32>) epsilon = 1.0e-06 : tensor<10x4xf32> -> tensor<10x4xf32>
  // CHECK: arith.truncf %[[N]] : tensor<10x4xf32> to tensor<10x4xbf16>
  %zero = arith.constant 0.0 : f32
  %n = norm.rms_norm %x epsilon = 1.0e-6 : tensor<2x5x3xbf16>
  %rows = tensor.collapse_shape %n [[0, 1], [2]] : tensor<2x5x3xbf16> into tensor<10x3xbf16>
  %e0 = tensor.empty() : tensor<3x4xbf16>
  %t = linalg.transpose ins(%w : tensor<4x3xbf16>) outs(%e0 : tensor<3x4xbf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<10x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<10x4xf32>) -> tensor<10x4xf32>
  %y = linalg.matmul ins(%rows, %t : tensor<10x3xbf16>, tensor<3x4xbf16>) outs(%init : tensor<10x4xf32>) -> tensor<10x4xf32>
  %r = arith.truncf %y : tensor<10x4xf32> to tensor<10x4xbf16>
  %z = tensor.expand_shape %r [[0, 1], [2]] output_shape [2, 5, 4] : tensor<10x4xbf16> into tensor<2x5x4xbf16>
  return %z : tensor<2x5x4xbf16>
}

// A batch of matmuls with one weight each: its columns are summed for each.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x3xf32>)
func.func @batch(%x: tensor<2x4x3xf32>) -> tensor<2x4x2xf32> {
  // CHECK-DAG: %[[SUMS:.*]] = arith.constant dense<{{\[\[}}9.000000e+00, 1.200000e+01], [6.000000e+00, 3.000000e+00{{\]\]}}> : tensor<2x2xf32>
  // CHECK: norm.apply_stats layer %{{.*}} stats({{.*}}) column_sums(%[[SUMS]] : tensor<2x2xf32>) epsilon = 1.0e-05 scale_dims = [0, 2]
  %w = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[2.0, 1.0], [2.0, 1.0], [2.0, 1.0]]]> : tensor<2x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-5 : tensor<2x4x3xf32>
  %y = linalg.batch_matmul ins(%n, %w : tensor<2x4x3xf32>, tensor<2x3x2xf32>) outs(%init : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  return %y : tensor<2x4x2xf32>
}

// The weight is an argument: its columns are summed in a function that need run only once.
// PREPARE-LABEL: func.func @argument(
// PREPARE-LABEL: func.func {{.*}}@argument.prepared(
// PREPARE-SAME: %[[X:[^ ]+]]: tensor<5x3xf32>, %[[W:[^ ]+]]: tensor<3x4xf32>, %[[SUMS:[^ ]+]]: tensor<4xf32> {norm.prepared})
// PREPARE: %[[Y:.*]] = linalg.matmul ins(%[[X]], %[[W]]
// PREPARE: norm.apply_stats layer %[[Y]] stats({{.*}}) column_sums(%[[SUMS]] : tensor<4xf32>)
func.func @argument(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-5 : tensor<5x3xf32>
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%init : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}
