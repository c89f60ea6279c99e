// RUN: renorm-opt %s --norm-raise --split-input-file | FileCheck %s

// Statistics in f32; rounded before it is scaled, in bf16 (Llama) and after it
// is extended again.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @cast_before_scale
// CHECK-SAME: %[[X:.*]]: tensor<4x64xbf16>, %[[W:.*]]: tensor<64xbf16>, %[[V:.*]]: tensor<64xf32>
// CHECK-DAG: %[[A:.*]] = norm.rms_norm %[[X]] scale(%[[W]] : tensor<64xbf16>) epsilon = 1.0e-06 cast_before_scale : tensor<4x64xbf16>
// CHECK-DAG: %[[B:.*]] = norm.rms_norm %[[X]] scale(%[[V]] : tensor<64xf32>) epsilon = 1.0e-06 cast_before_scale : tensor<4x64xbf16>
// CHECK: return %[[A]], %[[B]]
func.func @cast_before_scale(%x: tensor<4x64xbf16>, %w: tensor<64xbf16>, %v: tensor<64xf32>) -> (tensor<4x64xbf16>, tensor<4x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-06 : f64
  %e = tensor.empty() : tensor<4x64xbf16>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %x32 = arith.extf %x : tensor<4x64xbf16> to tensor<4x64xf32>
  %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x32 : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %xr = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x32, %ssq : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xbf16>) {
  ^bb0(%in: f32, %s: f32, %out: bf16):
    %m = arith.divf %s, %n : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %m, %c : f32
    %r = math.rsqrt %shifted : f32
    %p = arith.mulf %in, %r : f32
    %q = arith.truncf %p : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<4x64xbf16>
  %y = linalg.generic {indexing_maps = [#w, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %xr : tensor<64xbf16>, tensor<4x64xbf16>) outs(%e : tensor<4x64xbf16>) {
  ^bb0(%g: bf16, %in: bf16, %out: bf16):
    %p = arith.mulf %g, %in : bf16
    linalg.yield %p : bf16
  } -> tensor<4x64xbf16>
  %z = linalg.generic {indexing_maps = [#w, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v, %xr : tensor<64xf32>, tensor<4x64xbf16>) outs(%e : tensor<4x64xbf16>) {
  ^bb0(%g: f32, %in: bf16, %out: bf16):
    %in32 = arith.extf %in : bf16 to f32
    %p = arith.mulf %g, %in32 : f32
    %q = arith.truncf %p : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<4x64xbf16>
  return %y, %z : tensor<4x64xbf16>, tensor<4x64xbf16>
}

// -----

// Scaled in f32, then rounded; 1 + w in f32 and in f16 (where it is no offset:
// the sum is rounded to f16).

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @cast_after_scale
// CHECK-SAME: %[[X:.*]]: tensor<4x64xf16>, %[[W:.*]]: tensor<64xf16>
// CHECK: %[[OFFSET:.*]] = arith.addf
// CHECK-DAG: %[[A:.*]] = norm.rms_norm %[[X]] scale(%[[W]] : tensor<64xf16>) epsilon = 1.0e-06 unit_offset : tensor<4x64xf16>
// CHECK-DAG: %[[B:.*]] = norm.rms_norm %[[X]] scale(%[[OFFSET]] : tensor<64xf16>) epsilon = 1.0e-06 : tensor<4x64xf16>
// CHECK: return %[[A]], %[[B]]
func.func @cast_after_scale(%x: tensor<4x64xf16>, %w: tensor<64xf16>) -> (tensor<4x64xf16>, tensor<4x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-06 : f64
  %ones = arith.constant dense<1.0> : tensor<64xf16>
  %e = tensor.empty() : tensor<4x64xf16>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %w1 = arith.addf %w, %ones : tensor<64xf16>
  %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf16>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %in32 = arith.extf %in : f16 to f32
    %sq = arith.mulf %in32, %in32 : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #w, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq, %w : tensor<4x64xf16>, tensor<4xf32>, tensor<64xf16>) outs(%e : tensor<4x64xf16>) {
  ^bb0(%in: f16, %s: f32, %g: f16, %out: f16):
    %in32 = arith.extf %in : f16 to f32
    %g32 = arith.extf %g : f16 to f32
    %m = arith.divf %s, %n : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %m, %c : f32
    %r = math.rsqrt %shifted : f32
    %p = arith.mulf %in32, %r : f32
    %h = arith.addf %g32, %one : f32
    %scaled = arith.mulf %p, %h : f32
    %q = arith.truncf %scaled : f32 to f16
    linalg.yield %q : f16
  } -> tensor<4x64xf16>
  %z = linalg.generic {indexing_maps = [#id, #row, #w, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq, %w1 : tensor<4x64xf16>, tensor<4xf32>, tensor<64xf16>) outs(%e : tensor<4x64xf16>) {
  ^bb0(%in: f16, %s: f32, %g: f16, %out: f16):
    %in32 = arith.extf %in : f16 to f32
    %g32 = arith.extf %g : f16 to f32
    %m = arith.divf %s, %n : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %m, %c : f32
    %r = math.rsqrt %shifted : f32
    %p = arith.mulf %in32, %r : f32
    %scaled = arith.mulf %p, %g32 : f32
    %q = arith.truncf %scaled : f32 to f16
    linalg.yield %q : f16
  } -> tensor<4x64xf16>
  return %y, %z : tensor<4x64xf16>, tensor<4x64xf16>
}

// -----

// All of it in bf16, with a 1/N that bf16 rounds: what the program computes.

// CHECK-LABEL: func @in_bf16
// CHECK-SAME: %[[X:.*]]: tensor<4x96xbf16>
// CHECK: norm.rms_norm %[[X]] epsilon = 9.98377799987793e-07 compute_type = bf16 : tensor<4x96xbf16>
func.func @in_bf16(%x: tensor<4x96xbf16>) -> tensor<4x96xbf16> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %inv = "tosa.const"() <{values = dense<1.043700e-02> : tensor<1x1xbf16>}> : () -> tensor<1x1xbf16>
  %eps = "tosa.const"() <{values = dense<9.98377799987793e-07> : tensor<1x1xbf16>}> : () -> tensor<1x1xbf16>
  %sq = tosa.mul %x, %x, %shift : (tensor<4x96xbf16>, tensor<4x96xbf16>, tensor<1xi8>) -> tensor<4x96xbf16>
  %sum = tosa.reduce_sum %sq {axis = 1 : i32} : (tensor<4x96xbf16>) -> tensor<4x1xbf16>
  %mean = tosa.mul %sum, %inv, %shift : (tensor<4x1xbf16>, tensor<1x1xbf16>, tensor<1xi8>) -> tensor<4x1xbf16>
  %shifted = tosa.add %mean, %eps : (tensor<4x1xbf16>, tensor<1x1xbf16>) -> tensor<4x1xbf16>
  %r = tosa.rsqrt %shifted : (tensor<4x1xbf16>) -> tensor<4x1xbf16>
  %y = tosa.mul %x, %r, %shift : (tensor<4x96xbf16>, tensor<4x1xbf16>, tensor<1xi8>) -> tensor<4x96xbf16>
  return %y : tensor<4x96xbf16>
}

// -----

// f32 in, bf16 out: the norm of f32, then the cast, where a value lies between;
// a bias that is added after the rounding stays outside.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @other_result_type
// CHECK-SAME: %[[X:.*]]: tensor<4x64xf32>, %[[B:.*]]: tensor<64xbf16>
// CHECK: %[[A:.*]] = norm.rms_norm %[[X]] epsilon = 0.0 : tensor<4x64xf32>
// CHECK: %[[T:.*]] = arith.truncf %[[A]] : tensor<4x64xf32> to tensor<4x64xbf16>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[B]] :
// CHECK: return %[[R]]
func.func @other_result_type(%x: tensor<4x64xf32>, %b: tensor<64xbf16>) -> tensor<4x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %eb = tensor.empty() : tensor<4x64xbf16>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  %t = arith.truncf %y : tensor<4x64xf32> to tensor<4x64xbf16>
  %z = linalg.generic {indexing_maps = [#id, #w, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %b : tensor<4x64xbf16>, tensor<64xbf16>) outs(%eb : tensor<4x64xbf16>) {
  ^bb0(%in: bf16, %h: bf16, %out: bf16):
    %p = arith.addf %in, %h : bf16
    linalg.yield %p : bf16
  } -> tensor<4x64xbf16>
  return %z : tensor<4x64xbf16>
}
