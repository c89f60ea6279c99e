// A way to the attention that has another reader is gone twice.

// RUN: renorm-opt %s --norm-insert-qk-norm | FileCheck %s --check-prefixes=CHECK,HEAD
// RUN: renorm-opt %s --norm-insert-qk-norm=position=after-rope | FileCheck %s --check-prefixes=CHECK,AFTER

// Without the norm the two are the same.
// RUN: renorm-opt %s --cse -o %t
// RUN: renorm-opt %s --norm-insert-qk-norm --norm-remove-qk-norm --cse | diff %t -

// A rotated key that is returned, too: it is rotated again for the attention.
// CHECK-LABEL: func.func @rotated_readers
// HEAD: linalg.batch_matmul
// HEAD: %[[KP:.*]] = linalg.batch_matmul
// HEAD: %[[KN:.*]] = norm.rms_norm %[[KP]]
// HEAD: %[[R0:.*]] = tensor.concat
// HEAD: %[[R1:.*]] = tensor.concat
// HEAD: %[[K:.*]] = arith.addf %[[KP]], %[[R0]]
// HEAD: %[[KA:.*]] = arith.addf %[[KN]], %[[R1]]
// HEAD: norm.attention %{{.*}}, %[[KA]], %[[KP]]
// HEAD: return %{{.*}}, %[[K]]
// AFTER: %[[K:.*]] = arith.addf
// AFTER: %[[KA:.*]] = norm.rms_norm %[[K]]
// AFTER: norm.attention %{{.*}}, %[[KA]], %
// AFTER: return %{{.*}}, %[[K]]
func.func @rotated_readers(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %q = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %a = tensor.extract_slice %p[0, 0, 0] [2, 4, 4] [1, 1, 1] : tensor<2x4x8xf32> to tensor<2x4x4xf32>
  %b = tensor.extract_slice %p[0, 0, 4] [2, 4, 4] [1, 1, 1] : tensor<2x4x8xf32> to tensor<2x4x4xf32>
  %r = tensor.concat dim(2) %b, %a : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x8xf32>
  %k = arith.addf %p, %r : tensor<2x4x8xf32>
  %o = norm.attention %q, %k, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %o : tensor<2x4x8xf32>
  return %y, %k : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}
