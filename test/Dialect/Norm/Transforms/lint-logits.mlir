// RUN: renorm-opt %s -norm-lint -verify-diagnostics -o /dev/null

!qkv = tensor<2x4x8x16xf32>

//===----------------------------------------------------------------------===//
// unbounded-logits
//===----------------------------------------------------------------------===//

func.func @unbounded_logits(%q: !qkv, %k: !qkv, %v: !qkv) -> (!qkv, !qkv) {
  // expected-remark @+1 {{nothing bounds the logits of attention 0 and 1 more: no QK-Norm and no soft cap [unbounded-logits]}}
  %0 = norm.attention %q, %k, %v : !qkv, !qkv, !qkv
  // Of two, both must be normalized.
  %n = norm.rms_norm %q epsilon = 1.0e-06 : !qkv
  %1 = norm.attention %n, %k, %v : !qkv, !qkv, !qkv
  return %0, %1 : !qkv, !qkv
}

// The scale of a QK-Norm need not be known.
func.func @bounded_logits(%q: !qkv, %k: !qkv, %v: !qkv, %g: tensor<16xf32>) -> (!qkv, !qkv) {
  %0 = norm.attention %q, %k, %v softcap = 50.0 : !qkv, !qkv, !qkv
  %qn = norm.rms_norm %q scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : !qkv
  %kn = norm.rms_norm %k scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : !qkv
  %1 = norm.attention %qn, %kn, %v : !qkv, !qkv, !qkv
  return %0, %1 : !qkv, !qkv
}

//===----------------------------------------------------------------------===//
// unscaled-l2-qk-norm
//===----------------------------------------------------------------------===//

func.func @unscaled(%q: !qkv, %k: !qkv, %v: !qkv) -> (!qkv, !qkv) {
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  // expected-warning @+1 {{queries and keys of attention 0 have length 1 and no scale: logits stay in [-1, 1], and the softmax is nearly uniform [unscaled-l2-qk-norm]}}
  %0 = norm.attention %qn, %kn, %v scale = 1.0 : !qkv, !qkv, !qkv
  // A soft cap does not make them larger.
  // expected-warning @+1 {{logits stay in [-0.25, 0.25]}}
  %1 = norm.attention %qn, %kn, %v softcap = 50.0 : !qkv, !qkv, !qkv
  return %0, %1 : !qkv, !qkv
}

// A rotary embedding keeps the length.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#table = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @unscaled_rope(%q: !qkv, %k: !qkv, %v: !qkv, %cos: tensor<8x16xf32>, %sin: tensor<8x16xf32>, %e: !qkv) -> !qkv {
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  %halves = tensor.extract_slice %qn[0, 0, 0, 0] [2, 4, 8, 8] [1, 1, 1, 1] : !qkv to tensor<2x4x8x8xf32>
  %other = tensor.extract_slice %qn[0, 0, 0, 8] [2, 4, 8, 8] [1, 1, 1, 1] : !qkv to tensor<2x4x8x8xf32>
  %negated = arith.negf %other : tensor<2x4x8x8xf32>
  %turned = tensor.concat dim(3) %negated, %halves : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> !qkv
  %qr = linalg.generic {indexing_maps = [#map, #map, #table, #table, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qn, %turned, %cos, %sin : !qkv, !qkv, tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : !qkv) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %out: f32):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %sum = arith.addf %ac, %bs : f32
    linalg.yield %sum : f32
  } -> !qkv
  // expected-warning @+1 {{[unscaled-l2-qk-norm]}}
  %0 = norm.attention %qr, %kn, %v : !qkv, !qkv, !qkv
  return %0 : !qkv
}

// g in four places, and a norm that needs none.
func.func @scaled(%q: !qkv, %k: !qkv, %v: !qkv, %g: tensor<f32>, %w: tensor<16xf32>, %e: !qkv) -> (!qkv, !qkv, !qkv, !qkv, !qkv) {
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  %0 = norm.attention %qn, %kn, %v learned_scale(%g : tensor<f32>) : !qkv, !qkv, !qkv
  %1 = norm.attention %qn, %kn, %v scale = 10.0 : !qkv, !qkv, !qkv
  %qs = norm.l2_norm %q scale(%w : tensor<16xf32>) epsilon = 1.0e-12 : !qkv
  %2 = norm.attention %qs, %kn, %v scale = 1.0 : !qkv, !qkv, !qkv
  %times = linalg.generic {indexing_maps = [#map, affine_map<(d0, d1, d2, d3) -> ()>, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qn, %g : !qkv, tensor<f32>) outs(%e : !qkv) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> !qkv
  %3 = norm.attention %times, %kn, %v scale = 1.0 : !qkv, !qkv, !qkv
  %qr = norm.rms_norm %q epsilon = 1.0e-06 : !qkv
  %kr = norm.rms_norm %k epsilon = 1.0e-06 : !qkv
  %4 = norm.attention %qr, %kr, %v scale = 0.25 : !qkv, !qkv, !qkv
  return %0, %1, %2, %3, %4 : !qkv, !qkv, !qkv, !qkv, !qkv
}

//===----------------------------------------------------------------------===//
// twice-scaled-qk-norm
//===----------------------------------------------------------------------===//

func.func @twice_scaled(%q: !qkv, %k: !qkv, %v: !qkv, %w: tensor<16xf32>, %g: tensor<f32>, %e: !qkv) -> (!qkv, !qkv, !qkv) {
  %qn = norm.l2_norm %q scale(%w : tensor<16xf32>) epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  // expected-warning @+1 {{the scale of attention 0's QK-Norm comes on top of 1/sqrt(head_dim): it is meant in its place [twice-scaled-qk-norm]}}
  %0 = norm.attention %qn, %kn, %v scale = 0.25 : !qkv, !qkv, !qkv
  // expected-warning @+1 {{[twice-scaled-qk-norm]}}
  %1 = norm.attention %qn, %kn, %v : !qkv, !qkv, !qkv
  %plain = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %times = linalg.generic {indexing_maps = [#map, affine_map<(d0, d1, d2, d3) -> ()>, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%plain, %g : !qkv, tensor<f32>) outs(%e : !qkv) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> !qkv
  // expected-warning @+1 {{[twice-scaled-qk-norm]}}
  %2 = norm.attention %times, %kn, %v : !qkv, !qkv, !qkv
  return %0, %1, %2 : !qkv, !qkv, !qkv
}

// In the operand that stands for the whole factor.
func.func @twice_scaled_operand(%q: !qkv, %k: !qkv, %v: !qkv, %g: tensor<f32>) -> (!qkv, !qkv, !qkv) {
  %quarter = arith.constant dense<0.25> : tensor<f32>
  %four = arith.constant dense<4.0> : tensor<f32>
  %product = arith.mulf %g, %quarter : tensor<f32>
  %quotient = arith.divf %g, %four : tensor<f32>
  %other = arith.mulf %g, %four : tensor<f32>
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  // expected-warning @+1 {{[twice-scaled-qk-norm]}}
  %0 = norm.attention %qn, %kn, %v learned_scale(%product : tensor<f32>) : !qkv, !qkv, !qkv
  // expected-warning @+1 {{[twice-scaled-qk-norm]}}
  %1 = norm.attention %qn, %kn, %v learned_scale(%quotient : tensor<f32>) : !qkv, !qkv, !qkv
  %2 = norm.attention %qn, %kn, %v learned_scale(%other : tensor<f32>) : !qkv, !qkv, !qkv
  return %0, %1, %2 : !qkv, !qkv, !qkv
}

func.func @once_scaled(%q: !qkv, %k: !qkv, %v: !qkv, %w: tensor<16xf32>) -> (!qkv, !qkv) {
  %qn = norm.l2_norm %q scale(%w : tensor<16xf32>) epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  %0 = norm.attention %qn, %kn, %v scale = 1.0 : !qkv, !qkv, !qkv
  %qr = norm.rms_norm %q scale(%w : tensor<16xf32>) epsilon = 1.0e-06 : !qkv
  %kr = norm.rms_norm %k scale(%w : tensor<16xf32>) epsilon = 1.0e-06 : !qkv
  %1 = norm.attention %qr, %kr, %v : !qkv, !qkv, !qkv
  return %0, %1 : !qkv, !qkv
}

//===----------------------------------------------------------------------===//
// normalized-value
//===----------------------------------------------------------------------===//

func.func @normalized_value(%q: !qkv, %k: !qkv, %v: !qkv, %g: tensor<f32>, %e: !qkv, %i: tensor<2x8x4x16xf32>) -> (!qkv, !qkv) {
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : !qkv
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : !qkv
  // Also behind a transpose.
  // expected-warning @+1 {{the values of attention 0 are normalized along with its queries and keys: QK-Norm leaves them as they are [normalized-value]}}
  %vn = norm.l2_norm %i epsilon = 1.0e-12 : tensor<2x8x4x16xf32>
  %vt = linalg.transpose ins(%vn : tensor<2x8x4x16xf32>) outs(%e : !qkv) permutation = [0, 2, 1, 3]
  %0 = norm.attention %qn, %kn, %vt learned_scale(%g : tensor<f32>) : !qkv, !qkv, !qkv
  // HybridNorm, Gemma 3n.
  // expected-remark @+1 {{the values of attention 1 are normalized}}
  %vr = norm.rms_norm %v epsilon = 1.0e-06 : !qkv
  %1 = norm.attention %qn, %kn, %vr learned_scale(%g : tensor<f32>) : !qkv, !qkv, !qkv
  return %0, %1 : !qkv, !qkv
}

// The input norm of a sublayer is before the projections.
func.func @input_norm(%x: tensor<2x8x16xf32>, %w: tensor<2x16x16xf32>, %e: tensor<2x8x16xf32>, %g: tensor<f32>) -> tensor<2x8x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<2x8x16xf32>
  %q = linalg.batch_matmul ins(%n, %w : tensor<2x8x16xf32>, tensor<2x16x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %k = linalg.batch_matmul ins(%n, %w : tensor<2x8x16xf32>, tensor<2x16x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : tensor<2x8x16xf32>
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : tensor<2x8x16xf32>
  // The value is the normalized trunk itself.
  %a = norm.attention %qn, %kn, %n learned_scale(%g : tensor<f32>) : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>
  %y = norm.residual_add %x, %a : tensor<2x8x16xf32>
  %f = norm.rms_norm %y epsilon = 1.0e-06 : tensor<2x8x16xf32>
  return %f : tensor<2x8x16xf32>
}
