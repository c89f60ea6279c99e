// Parallel sublayers of which some are not to be converted, or cannot be.

// RUN: renorm-opt %s --split-input-file '--norm-convert-placement=to=post kinds=attention' --verify-diagnostics | FileCheck %s

// The post norm is both sublayers'.
// CHECK-LABEL: func.func @post_norm
// CHECK-COUNT-1: norm.rms_norm
// CHECK-NOT: norm.rms_norm
func.func @post_norm(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = norm.attention %1, %1, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %3 = linalg.batch_matmul ins(%0, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  // expected-remark @+1 {{layers.0.attention is left as it is: its parallel sublayers, with which it shares the post norm, are not converted}}
  %4 = norm.residual_add %x, %2 : tensor<1x4x8xf32>
  %5 = norm.residual_add %4, %3 : tensor<1x4x8xf32>
  return %5 : tensor<1x4x8xf32>
}

// -----

// The first matmul is both sublayers'; the norms of the trunk don't change.
// CHECK-LABEL: func.func @shared_operations
// CHECK: %[[E:.*]] = norm.rms_norm %arg0
// CHECK: %[[N:.*]] = norm.rms_norm %[[E]]
// CHECK: linalg.batch_matmul ins(%[[N]],
func.func @shared_operations(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %2 = linalg.batch_matmul ins(%1, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %3 = norm.attention %2, %2, %2 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %4 = linalg.exp ins(%2 : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  // expected-remark @+1 {{layers.0.attention is left as it is: a parallel sublayer, with which it shares operations, is not converted}}
  %5 = norm.residual_add %0, %3 : tensor<1x4x8xf32>
  %6 = norm.residual_add %5, %4 : tensor<1x4x8xf32>
  %7 = norm.rms_norm %6 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %8 = linalg.batch_matmul ins(%7, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %9 = norm.residual_add %7, %8 : tensor<1x4x8xf32>
  %10 = norm.rms_norm %9 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %10 : tensor<1x4x8xf32>
}

// -----

// One of the two leaves its norm to the other one, which keeps it: the trunk gets its own.
// CHECK-LABEL: func.func @shared_norm
// CHECK: %[[A0:.*]] = norm.attention
// CHECK: %[[S:.*]] = norm.residual_add %arg0, %[[A0]]
// CHECK: %[[T:.*]] = norm.rms_norm %[[S]] epsilon
// CHECK: %[[N:.*]] = norm.rms_norm %[[T]] epsilon
// CHECK: linalg.batch_matmul ins(%[[T]],
// CHECK: linalg.batch_matmul ins(%[[N]],
// CHECK: norm.residual_add %[[T]],
func.func @shared_norm(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %1 = norm.attention %0, %0, %0 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<1x4x8xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %4 = linalg.batch_matmul ins(%3, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %5 = norm.attention %4, %4, %4 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %6 = linalg.batch_matmul ins(%3, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %7 = norm.residual_add %2, %5 : tensor<1x4x8xf32>
  %8 = norm.residual_add %7, %6 : tensor<1x4x8xf32>
  %9 = norm.rms_norm %8 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %10 = linalg.batch_matmul ins(%9, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %11 = norm.residual_add %9, %10 : tensor<1x4x8xf32>
  %12 = norm.rms_norm %11 epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %12 : tensor<1x4x8xf32>
}
