// RUN: renorm-opt %s --split-input-file --norm-defer-apply --verify-diagnostics | FileCheck %s

// One reader that is no matmul keeps the norm before all of them.
// CHECK-LABEL: func.func @other_reader
// CHECK: %[[N:.*]] = norm.apply_stats
// CHECK: linalg.matmul ins(%[[N]]
func.func @other_reader(%x: tensor<5x3xf32>, %s: tensor<5xf32>, %w: tensor<3x4xf32>, %init: tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x3xf32>) {
  // expected-remark @+1 {{the norm is not applied later: it is read by a result of the function}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  // expected-note @+1 {{reads the norm here}}
  return %y, %n : tensor<5x4xf32>, tensor<5x3xf32>
}

// -----

func.func @scale(%x: tensor<5x3xf32>, %s: tensor<5xf32>, %g: tensor<3xf32>, %w: tensor<3x4xf32>) -> tensor<5x4xf32> {
  // expected-remark @+1 {{the norm is not applied later: it has a scale or bias (see norm-fold-affine)}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) scale(%g : tensor<3xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// -----

// What begins elsewhere than at 0 would be divided, too.
func.func @init(%x: tensor<5x3xf32>, %s: tensor<5xf32>, %w: tensor<3x4xf32>, %init: tensor<5x4xf32>) -> tensor<5x4xf32> {
  // expected-remark @+1 {{the norm is not applied later: what reads it does not begin its sums at 0}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%init : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// -----

func.func @narrow_sums(%x: tensor<5x3xf16>, %s: tensor<5xf32>, %w: tensor<3x4xf16>) -> tensor<5x4xf16> {
  // expected-remark @+1 {{the norm is not applied later: what reads it sums in f16}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf16> -> tensor<5x3xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<5x4xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<5x4xf16>) -> tensor<5x4xf16>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf16>, tensor<3x4xf16>) outs(%f : tensor<5x4xf16>) -> tensor<5x4xf16>
  return %y : tensor<5x4xf16>
}

// -----

func.func @unknown_weight(%x: tensor<5x3xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>, %w: tensor<3x4xf32>) -> tensor<5x4xf32> {
  // expected-remark @+1 {{the norm is not applied later: the sums of the weight's columns are not known: it is argument 3, which is not a constant}}
  %n = norm.apply_stats layer %x stats(%m, %v : tensor<5xf32>, tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%n, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// -----

// The statistics are those of all rows.
func.func @last_row(%x: tensor<2x5x3xf32>, %s: tensor<2x5xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-remark @+1 {{the norm is not applied later: what reads it repeats or slices its rows}}
  %n = norm.apply_stats rms %x stats(%s : tensor<2x5xf32>) epsilon = 1.0e-5 : tensor<2x5x3xf32> -> tensor<2x5x3xf32>
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %n[0, 2, 0] [2, 3, 3] [1, 1, 1] : tensor<2x5x3xf32> to tensor<2x3x3xf32>
  %rows = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<2x3x3xf32> into tensor<6x3xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%rows, %w : tensor<6x3xf32>, tensor<3x4xf32>) outs(%f : tensor<6x4xf32>) -> tensor<6x4xf32>
  %z = tensor.extract_slice %y[0, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// -----

// A matmul over the rows does not read one row at a time.
func.func @over_rows(%x: tensor<5x3xf32>, %s: tensor<5xf32>, %w: tensor<4x5xf32>) -> tensor<4x3xf32> {
  // expected-remark @+1 {{the norm is not applied later: it is read by a contraction that does not sum over the normalized dimension}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%w, %n : tensor<4x5xf32>, tensor<5x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// A matmul over rows and features together.
func.func @rows_and_features(%x: tensor<5x3xf32>, %s: tensor<5xf32>, %w: tensor<5x3x4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{the norm is not applied later: the contraction that reads it sums over rows, too}}
  %n = norm.apply_stats rms %x stats(%s : tensor<5xf32>) epsilon = 1.0e-5 : tensor<5x3xf32> -> tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>], iterator_types = ["reduction", "reduction", "parallel"]} ins(%n, %w : tensor<5x3xf32>, tensor<5x3x4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @reordered_rows(%x: tensor<2x5x3xf32>, %s: tensor<2x5xf32>, %w: tensor<3x4xf32>) -> tensor<10x4xf32> {
  // expected-remark @+1 {{the norm is not applied later: what reads it reorders its rows}}
  %n = norm.apply_stats rms %x stats(%s : tensor<2x5xf32>) epsilon = 1.0e-5 : tensor<2x5x3xf32> -> tensor<2x5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<5x2x3xf32>
  %t = linalg.transpose ins(%n : tensor<2x5x3xf32>) outs(%e0 : tensor<5x2x3xf32>) permutation = [1, 0, 2]
  %rows = tensor.collapse_shape %t [[0, 1], [2]] : tensor<5x2x3xf32> into tensor<10x3xf32>
  %e = tensor.empty() : tensor<10x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x4xf32>) -> tensor<10x4xf32>
  // expected-note @+1 {{reads the norm here}}
  %y = linalg.matmul ins(%rows, %w : tensor<10x3xf32>, tensor<3x4xf32>) outs(%f : tensor<10x4xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
}
