// RUN: renorm-opt %s --norm-raise=remarks --split-input-file --verify-diagnostics | FileCheck %s

// What is no norm, or no norm that the dialect has, stays as it is.

// CHECK-NOT: norm.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// An unbiased variance.
func.func @unbiased(%x: tensor<4x64xf32>, %ssq: tensor<4xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 63.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: what is under the root is neither a sum nor a mean of squares nor a biased variance}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// 1/N that isn't 1/N, of an f32.
func.func @inexact_reciprocal(%x: tensor<4x96xf32>) -> tensor<4x96xf32> {
  %zero = arith.constant 0.0 : f32
  %inv = arith.constant 1.043700e-02 : f32
  %e = tensor.empty() : tensor<4x96xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x96xf32>, tensor<4xf32>) outs(%e : tensor<4x96xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.mulf %s, %inv : f32
    // expected-remark @below {{not raised to a norm: what is under the root is neither}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x96xf32>
  return %y : tensor<4x96xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Something else is divided than what the statistic is of.
func.func @other_value(%x: tensor<4x64xf32>, %z: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: what is normalized is not what the statistic is of}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rowOfColumn = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The statistic of row i divides column i.
func.func @other_index(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #rowOfColumn, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: what is normalized is not what the statistic is of}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// The statistic in f16, the normalization in f32.
func.func @narrow_statistic(%x: tensor<4x64xf16>) -> tensor<4x64xf16> {
  %zero = arith.constant 0.0 : f16
  %n = arith.constant 64.0 : f16
  %e = tensor.empty() : tensor<4x64xf16>
  %e1 = tensor.empty() : tensor<4xf16>
  %i = linalg.fill ins(%zero : f16) outs(%e1 : tensor<4xf16>) -> tensor<4xf16>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf16>) outs(%i : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %sq = arith.mulf %in, %in : f16
    %p = arith.addf %sq, %out : f16
    linalg.yield %p : f16
  } -> tensor<4xf16>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf16>, tensor<4xf16>) outs(%e : tensor<4x64xf16>) {
  ^bb0(%in: f16, %s: f16, %out: f16):
    %m = arith.divf %s, %n : f16
    %m32 = arith.extf %m : f16 to f32
    %in32 = arith.extf %in : f16 to f32
    // expected-remark @below {{not raised to a norm: statistic and normalization are computed in different types}}
    %r = math.rsqrt %m32 : f32
    %p = arith.mulf %in32, %r : f32
    %q = arith.truncf %p : f32 to f16
    linalg.yield %q : f16
  } -> tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The inverse is rounded to bf16 before it is multiplied with.
func.func @rounded_inverse(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<4x64xbf16>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xbf16>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %in32 = arith.extf %in : bf16 to f32
    %sq = arith.mulf %in32, %in32 : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xbf16>, tensor<4xf32>) outs(%e : tensor<4x64xbf16>) {
  ^bb0(%in: bf16, %s: f32, %out: bf16):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: statistic and normalization are computed in different types}}
    %r32 = math.rsqrt %m : f32
    %r = arith.truncf %r32 : f32 to bf16
    %p = arith.mulf %in, %r : bf16
    linalg.yield %p : bf16
  } -> tensor<4x64xbf16>
  return %y : tensor<4x64xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Epsilon is an argument; and one is negative.
func.func @epsilon(%x: tensor<4x64xf32>, %eps: f32) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %negative = arith.constant -1.0e-6 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %shifted = arith.addf %m, %eps : f32
    // expected-remark @below {{not raised to a norm: epsilon is not a constant}}
    %r = math.rsqrt %shifted : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %shifted = arith.addf %m, %negative : f32
    // expected-remark @below {{not raised to a norm: epsilon is negative}}
    %r = math.rsqrt %shifted : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %y, %z : tensor<4x64xf32>, tensor<4x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A sum over a part of the dimension.
func.func @slice(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 32.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %part = tensor.extract_slice %x[0, 0] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%part : tensor<4x32xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: what is normalized is not what the statistic is of}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// An initial value that isn't 0.
func.func @initial_value(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %one = arith.constant 1.0 : f32
  %n = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%one : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %sq, %out : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    // expected-remark @below {{not raised to a norm: what is under the root is neither}}
    %r = math.rsqrt %m : f32
    %p = arith.mulf %in, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

// Integers, a scalar function, nothing at all.

func.func @integers(%x: tensor<4x64xi32>) -> tensor<4x64xi32> {
  %y = arith.muli %x, %x : tensor<4x64xi32>
  return %y : tensor<4x64xi32>
}

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %y = arith.mulf %x, %x : tensor<*xf32>
  return %y : tensor<*xf32>
}

func.func @scalars(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}

func.func @empty() {
  return
}

func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// An extent of 0.
func.func @no_elements(%x: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %two = arith.constant dense<2.0> : tensor<4x0xf32>
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x0xf32> into tensor<0xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 0] : tensor<0xf32> into tensor<4x0xf32>
  %y = arith.mulf %e, %two : tensor<4x0xf32>
  %z = arith.addf %y, %x : tensor<4x0xf32>
  return %z : tensor<4x0xf32>
}
