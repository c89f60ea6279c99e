// Options that make no sense, and what options select.

// RUN: not renorm-opt %s --norm-insert-qk-norm=kind=l2 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: error: expected 'seq-len' (the 97.5th percentile of the training lengths) or 'g' with kind=l2, but got neither
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=l2 g=1 seq-len=8' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: expected 'seq-len' {{.*}} or 'g' with kind=l2, but got both
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=l2 seq-len=1' 2>&1 | FileCheck %s --check-prefix=LENGTH
// LENGTH: error: expected 'seq-len' to be 2 or more, for log2(L^2 - L) to be positive, but got 1
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=l2 g=0' 2>&1 | FileCheck %s --check-prefix=NULLG
// NULLG: error: expected 'g' to be finite and positive, but got 0
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=l2 g=nan' 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: expected 'g' to be finite and positive, but got nan
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=rms per-head' 2>&1 | FileCheck %s --check-prefix=ONLY
// ONLY: error: expected 'seq-len', 'g' and 'per-head' with kind=l2 only, but got kind=rms
// RUN: not renorm-opt %s --norm-insert-qk-norm='kind=l2 g=1 bias' 2>&1 | FileCheck %s --check-prefix=BIAS
// BIAS: error: expected 'scale' and 'bias' with kind=layer or kind=rms only, but got kind=l2
// RUN: not renorm-opt %s --norm-insert-qk-norm='epsilon=-1' 2>&1 | FileCheck %s --check-prefix=EPSILON
// EPSILON: error: expected 'epsilon' to be finite and not negative, but got -1
// RUN: not renorm-opt %s --norm-insert-qk-norm='layers=1-0' 2>&1 | FileCheck %s --check-prefix=LAYERS
// LAYERS: error: expected 'layers' to be a layer or a range such as 0-3, but got '1-0'
// RUN: not renorm-opt %s --norm-remove-qk-norm='attention-scale=inf' 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: expected 'attention-scale' to be finite, but got INF

// log2(2^2 - 2) = 1.
// RUN: renorm-opt %s --norm-insert-qk-norm='kind=l2 seq-len=2 layers=1 epsilon=1e-3' | FileCheck %s --check-prefix=SECOND --implicit-check-not=l2_norm
// SECOND: norm.attention
// SECOND: norm.l2_norm {{.*}} epsilon = 0.001 epsilon_mode = clamp
// SECOND: norm.l2_norm {{.*}} epsilon = 0.001 epsilon_mode = clamp
// SECOND: %[[G:.*]] = arith.constant dense<1.000000e+00>
// SECOND: norm.attention {{.*}} learned_scale(%[[G]] : tensor<f32>)
// SECOND: norm.attention

// Layers are taken away by themselves, too; what is in no layer is in none of them.
// RUN: renorm-opt %s --norm-insert-qk-norm='kind=l2 seq-len=2' --norm-remove-qk-norm='layers=0,7-9' | FileCheck %s --check-prefix=REMOVED --implicit-check-not=l2_norm
// REMOVED: norm.attention %[[Q:.*]], %[[Q]], %[[Q]] :
// REMOVED-COUNT-2: norm.l2_norm
// REMOVED: norm.attention
// REMOVED-COUNT-2: norm.l2_norm
// REMOVED: norm.attention

func.func @layers(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %a = norm.attention %p, %p, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  %q = linalg.batch_matmul ins(%y, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %b = norm.attention %q, %q, %q : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %z = norm.residual_add %y, %b : tensor<2x4x8xf32>
  %r = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %c = norm.attention %r, %r, %r : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %z, %c : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}
