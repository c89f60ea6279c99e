// The factor on the logits: replaced by g of Henry et al. 2020 with l2, kept with the other kinds, never applied twice.

// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=l2 seq-len=1024' --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,L2
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=l2 g=2.5 per-head params=global' | FileCheck %s --check-prefix=HEADS
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=layer scale=false' | FileCheck %s --check-prefixes=CHECK,LAYER

// log2(1024^2 - 1024) = 19.99859. The soft cap and the mask are others' affair.
// HEADS: ml_program.global private @attention.0.g(dense<2.500000e+00> : tensor<6xbf16>) : tensor<6xbf16>
// CHECK-LABEL: func.func @replaced
// L2: %[[G:.*]] = arith.constant dense<2.000000e+01> : tensor<bf16>
// L2: norm.attention {{.*}} learned_scale(%[[G]] : tensor<bf16>) causal softcap = 50.0 {norm.replaced_scale = 1.250000e-01 : f64}
// LAYER: norm.attention {{.*}} scale = 0.125 causal softcap = 50.0 :
func.func @replaced(%q: tensor<6x4x8xbf16>, %k: tensor<3x4x8xbf16>) -> tensor<6x4x8xbf16> {
  %a = norm.attention %q, %k, %k scale = 0.125 causal softcap = 50.0 : tensor<6x4x8xbf16>, tensor<3x4x8xbf16>, tensor<3x4x8xbf16>
  return %a : tensor<6x4x8xbf16>
}

// -----

// CHECK-LABEL: func.func @default
// L2: %[[G:.*]] = arith.constant dense<19.9985{{[0-9]*}}> : tensor<f32>
// L2: norm.attention {{.*}} learned_scale(%[[G]] : tensor<f32>) : tensor<6x4x8xf32>
// LAYER: norm.attention %{{[0-9]+}}, %{{[0-9]+}}, %{{[a-z0-9]+}} : tensor<6x4x8xf32>
func.func @default(%q: tensor<6x4x8xf32>) -> tensor<6x4x8xf32> {
  %a = norm.attention %q, %q, %q : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
  return %a : tensor<6x4x8xf32>
}

// -----

// A scale of the query outside of the attention: unit length undoes it, so the l2 norm comes after it; the other norms,
// which would undo it, too, come before.
// CHECK-LABEL: func.func @outside
// L2: %[[S:.*]] = arith.mulf
// L2: %[[Q:.*]] = norm.l2_norm %[[S]]
// L2: norm.attention %[[Q]]
// LAYER-COUNT-2: norm.layer_norm
// LAYER: %[[Q:.*]] = arith.mulf
// LAYER: norm.attention %[[Q]]
func.func @outside(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %c = arith.constant dense<0.35355339> : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %q = arith.mulf %p, %c : tensor<2x4x8xf32>
  %a = norm.attention %q, %p, %p scale = 1.0 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// -----

// Between a rotation and the attention it would stay, hidden, before which an l2 norm stands.
// CHECK-LABEL: func.func @behind_rotation
// L2-NOT: norm.l2_norm
// LAYER-COUNT-2: norm.layer_norm
// CHECK: norm.attention
func.func @behind_rotation(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>, %cos: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %c = arith.constant 0.35355339 : f32
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %f = arith.mulf %p, %cos : tensor<2x4x8xf32>
  %r = arith.addf %f, %p : tensor<2x4x8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<2x4x8xf32>) outs(%e : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.mulf %c, %in : f32
      linalg.yield %m : f32
  } -> tensor<2x4x8xf32>
  // expected-remark @+1 {{its query is multiplied by a constant behind the place of the norm}}
  %a = norm.attention %q, %p, %p scale = 1.0 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @learned
// L2-NOT: norm.l2_norm
// LAYER: norm.attention {{.*}} learned_scale(%{{.*}} : tensor<f32>)
func.func @learned(%q: tensor<2x4x8xf32>, %g: tensor<f32>) -> tensor<2x4x8xf32> {
  // expected-remark @+1 {{attention.0 is left as it is: it has a learned scale already}}
  %a = norm.attention %q, %q, %q learned_scale(%g : tensor<f32>) : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}
