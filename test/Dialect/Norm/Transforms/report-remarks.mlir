// RUN: renorm-opt %s -norm-report=format=remarks -verify-diagnostics -o /dev/null

// expected-remark @+1 {{stream 0: trunk 'tensor<4x12x16xf32>' from argument 0, growth linear, embedding norm layer 1e-05, final norm rms 1e-06}}
func.func @peri(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %x0 = norm.layer_norm %x scale(%g : tensor<16xf32>) bias(%g : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %n0 = norm.rms_norm %x0 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %q0 = linalg.batch_matmul ins(%n0, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  // expected-remark @+1 {{layers.0.attention: 4 heads, 4 kv heads, head dim 16, scale 0.1, mask causal window 4, soft cap 30, QK-Norm -, logits <= 30}}
  %a0 = norm.attention %q0, %q0, %q0 scale = 0.1 causal softcap = 30.0 window = 4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %o0 = norm.rms_norm %a0 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  // expected-remark @+1 {{layers.0.attention: self-attention, placement peri, input rms 1e-06, output rms 1e-06}}
  %x1 = norm.residual_add %x0, %o0 : tensor<4x12x16xf32>
  %m1 = linalg.batch_matmul ins(%x1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %o1 = norm.rms_norm %m1 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  // expected-remark @+1 {{layers.0.ffn: feed-forward, placement output, output rms 1e-06, branch scale 0.5}}
  %x2 = norm.residual_add %x1, %o1 branch_scale = 0.5 : tensor<4x12x16xf32>
  %f = norm.rms_norm %x2 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %f : tensor<4x12x16xf32>
}

// What cannot be placed says why.
// expected-remark @+1 {{stream 0: trunk 'tensor<12x16xf32>' from argument 0, growth multiplicative, embedding norm -, final norm -}}
func.func @irregular(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xf32>
  %m = linalg.matmul ins(%n, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %p = arith.mulf %m, %x : tensor<12x16xf32>
  // expected-remark @+1 {{layers.0.ffn: feed-forward, placement none, skip scale 2.5, irregular: its branch reads the trunk both through a norm and directly}}
  %y = norm.residual_add %x, %p residual_scale = 2.5 : tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}

// No stream, no remark on one.
func.func @attention_only(%q: tensor<4x12x16xf32>, %k: tensor<2x12x16xf32>, %s: tensor<4xf32>) -> tensor<4x12x16xf32> {
  // expected-remark @+1 {{attention 0: 4 heads, 2 kv heads, head dim 16, scale learned, mask -, soft cap -, QK-Norm -, logits unbounded}}
  %a = norm.attention %q, %k, %k learned_scale(%s : tensor<4xf32>) : tensor<4x12x16xf32>, tensor<2x12x16xf32>, tensor<2x12x16xf32>
  return %a : tensor<4x12x16xf32>
}
