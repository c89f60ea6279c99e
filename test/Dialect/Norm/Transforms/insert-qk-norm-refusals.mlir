// What norm-insert-qk-norm leaves as it is, and why.

// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm --verify-diagnostics | FileCheck %s --implicit-check-not='rms_norm %{{.*}} scale'
// RUN: not renorm-opt %s --split-input-file --norm-insert-qk-norm=strict 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: error: layers.0.attention cannot be converted: its query is normalized already
// STRICT: error: layers.0.attention cannot be converted: its key is normalized already

func.func @normalized(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %q = norm.l2_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  %k = norm.l2_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  // expected-remark @+1 {{layers.0.attention is left as it is: its query is normalized already}}
  %a = norm.attention %q, %k, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

func.func @key_normalized(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %n = norm.l2_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  %k = math.tanh %n : tensor<2x4x8xf32>
  // expected-remark @+1 {{its key is normalized already}}
  %a = norm.attention %p, %k, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// The trunk itself is the query: a norm of it would be the sublayer's input norm.
func.func @no_projection(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // expected-remark @+1 {{its query is not computed by a projection}}
  %a = norm.attention %x, %p, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// Keys of earlier steps before those of this one: which of them are normalized already?
func.func @cache(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>, %past: tensor<2x3x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %k = tensor.concat dim(1) %past, %p : (tensor<2x3x8xf32>, tensor<2x4x8xf32>) -> tensor<2x7x8xf32>
  // expected-remark @+1 {{what lies between its key and the projection is not understood; expected 'position=after-rope'}}
  %a = norm.attention %p, %k, %k : tensor<2x4x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// Something that is no rotation combines elements of the query.
func.func @unknown(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %t = math.tanh %p : tensor<2x4x8xf32>
  %q = arith.mulf %t, %p : tensor<2x4x8xf32>
  // expected-remark @+1 {{what lies between its query and the projection is not understood}}
  %a = norm.attention %q, %p, %p : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

func.func @dynamic(%q: tensor<2x4x?xf32>) -> tensor<2x4x?xf32> {
  // expected-remark @+1 {{attention.0 is left as it is: the extent of the norm's parameters is dynamic}}
  %a = norm.attention %q, %q, %q : tensor<2x4x?xf32>, tensor<2x4x?xf32>, tensor<2x4x?xf32>
  return %a : tensor<2x4x?xf32>
}
