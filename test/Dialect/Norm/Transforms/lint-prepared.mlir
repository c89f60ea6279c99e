// RUN: renorm-opt %s --norm-fold-affine=weights=prepare -o %t.mlir
// RUN: renorm-opt %t.mlir --norm-lint -o /dev/null 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// A trunk without a final norm is found when weights are prepared apart, too: nothing but their wrapper calls the body.
// That of @layer goes on in its caller.

// IR-DAG: func.func private @forward.prepared
// IR-DAG: func.func private @layer.prepared

// CHECK-COUNT-1: warning: the trunk ends after layers.0.ffn (placement pre) without a final norm
// CHECK-NOT: warning:
func.func @forward(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func private @layer(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @caller(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = call @layer(%x, %g, %w, %e) : (tensor<4x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
