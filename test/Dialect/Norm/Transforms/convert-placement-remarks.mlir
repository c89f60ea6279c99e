// What a conversion drops, and what other readers of the trunk see after it, it says.

// RUN: renorm-opt %s --split-input-file '--norm-convert-placement=to=pre' --verify-diagnostics | FileCheck %s

// A result, a probe and a stray matmul go on reading the trunk, which is not normalized any more.
// CHECK-LABEL: func.func @readers
// CHECK: norm.probe %arg0
// CHECK: %[[N:.*]] = norm.rms_norm %arg0
// CHECK: linalg.matmul ins(%[[N]],
// CHECK: %[[S:.*]] = norm.residual_add %arg0,
// CHECK: %[[T:.*]] = norm.rms_norm %[[S]]
// CHECK: linalg.exp ins(%arg0
// CHECK: return %[[T]], %arg0, %[[S]]
func.func @readers(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  // The trunk before the embedding norm is not the trunk at its point.
  norm.probe %x {name = "x"} : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %0, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-remark @+1 {{reads the trunk at embedding_norm, where it is no longer normalized}}
  %4 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  norm.probe %4 {name = "exp"} : tensor<4x8xf32>
  // expected-remark @+1 {{reads the trunk at embedding_norm, where it is no longer normalized}}
  return %3, %0, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A head of its own on the trunk of an inner layer: it had the final norm's input, and has it still.
// CHECK-LABEL: func.func @inner_head
func.func @inner_head(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 : tensor<4x8xf32>
  // CHECK: %[[S:.*]] = norm.residual_add
  // CHECK: %[[N:.*]] = norm.rms_norm %[[S]] epsilon = 1.0e-05 :
  // CHECK: %[[H:.*]] = norm.rms_norm %[[S]] epsilon = 1.0e-05 axes = [0, 1]
  // CHECK: norm.residual_add %[[S]]
  // expected-remark @+1 {{reads the trunk at layers.0.ffn.post_norm, where it is no longer normalized}}
  %h = norm.rms_norm %2 epsilon = 1.0e-5 axes = [0, 1] : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.residual_add %2, %3 : tensor<4x8xf32>
  %5 = norm.rms_norm %4 epsilon = 1.0e-5 : tensor<4x8xf32>
  return %5, %h : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Parameters of a norm that goes are named. Those that hold no more than what they began as go with it.
// CHECK-LABEL: func.func @dropped
// CHECK-SAME: (%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32> {norm.param = "h.0.scale"}, %arg3: tensor<8xf32>) ->
func.func @dropped(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32> {norm.param = "h.0.scale"}, %b: tensor<8xf32>,
                   %i: tensor<8xf32> {norm.init = 1.0, norm.param = "made.scale"}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = arith.constant dense<2.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %sum = arith.addf %g, %b : tensor<8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: norm.layer_norm {{.*}} {norm.dropped = "layers.0.ffn.output_norm"}
  // expected-remark @+1 {{dropped layers.0.ffn.output_norm with its parameters 'h.0.scale' and argument 3}}
  %1 = norm.layer_norm %0 scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: norm.layer_norm {{.*}} {norm.dropped = "layers.1.ffn.output_norm"}
  // expected-remark @+1 {{dropped layers.1.ffn.output_norm with its parameters a constant and a computed value}}
  %4 = norm.layer_norm %3 scale(%c : tensor<8xf32>) bias(%sum : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %5 = norm.residual_add %2, %4 : tensor<4x8xf32>
  %6 = linalg.matmul ins(%5, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NOT: norm.dropped = "layers.2.ffn.output_norm"
  // expected-remark @+1 {{dropped layers.2.ffn.output_norm with its parameters 'made.scale'}}
  %7 = norm.layer_norm %6 scale(%i : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %8 = norm.residual_add %5, %7 : tensor<4x8xf32>
  %9 = linalg.matmul ins(%8, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = norm.layer_norm %9 epsilon = 1.0e-5 : tensor<4x8xf32>
  %11 = norm.residual_add %8, %10 : tensor<4x8xf32>
  %12 = norm.layer_norm %11 scale(%one : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %12 : tensor<4x8xf32>
}

// -----

// The trunk is a result, and gets its final norm.
// CHECK-LABEL: func.func @final_norm
func.func @final_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  // expected-remark @+1 {{reads the trunk at final_norm, where it is now normalized}}
  return %2 : tensor<4x8xf32>
}
