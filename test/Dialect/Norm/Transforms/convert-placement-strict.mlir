// With `strict` a refusal is an error. One is enough: the pass stops there.
// RUN: renorm-opt %s --split-input-file '--norm-convert-placement=to=post strict' --verify-diagnostics

func.func @mixed_reads(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{layers.0.ffn cannot be converted: its branch reads the trunk both through a norm and directly}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

func.func @no_norms(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{the residual stream cannot be converted: a norm must be made, and the stream has none to tell which; expected 'new-norm' and 'epsilon'}}
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @loop(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{the residual stream of this loop cannot be converted: a norm would have to move past the end of an iteration}}
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %x) -> tensor<4x8xf32> {
    %1 = norm.rms_norm %y epsilon = 1.0e-5 : tensor<4x8xf32>
    %2 = linalg.matmul ins(%1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = norm.residual_add %y, %2 : tensor<4x8xf32>
    scf.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

// What is converted without a refusal is none.
func.func @fine(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
