// RUN: renorm-opt %s --norm-raise --split-input-file | FileCheck %s
// RUN: renorm-opt %s --norm-raise --split-input-file > %t
// RUN: renorm-opt %s --norm-raise --norm-raise --split-input-file | diff %t -

// As torch-mlir writes it: the variance in f64, beside it the mean in f32.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#w = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @variance_in_f64
// CHECK-SAME: %[[X:.*]]: tensor<4x96xf32>, %[[W:.*]]: tensor<96xf32>, %[[B:.*]]: tensor<96xf32>
// CHECK-NEXT: %[[R:.*]] = norm.layer_norm %[[X]] scale(%[[W]] : tensor<96xf32>) bias(%[[B]] : tensor<96xf32>) epsilon = 1.0e-12 : tensor<4x96xf32>
// CHECK-NEXT: return %[[R]]
func.func @variance_in_f64(%x: tensor<4x96xf32>, %w: tensor<96xf32>, %b: tensor<96xf32>) -> tensor<4x96xf32> {
  %zero64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f32
  %n64 = arith.constant 96.0 : f64
  %n = arith.constant 96.0 : f32
  %eps = arith.constant 9.9999999999999998E-13 : f64
  %e64 = tensor.empty() : tensor<4x96xf64>
  %e = tensor.empty() : tensor<4x96xf32>
  %r64 = tensor.empty() : tensor<4x1xf64>
  %r = tensor.empty() : tensor<4x1xf32>
  %i64 = linalg.fill ins(%zero64 : f64) outs(%r64 : tensor<4x1xf64>) -> tensor<4x1xf64>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<4x1xf32>) -> tensor<4x1xf32>
  %x64 = arith.extf %x : tensor<4x96xf32> to tensor<4x96xf64>
  %sum64 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x64 : tensor<4x96xf64>) outs(%i64 : tensor<4x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %p = arith.addf %in, %out : f64
    linalg.yield %p : f64
  } -> tensor<4x1xf64>
  %c64 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x64, %sum64 : tensor<4x96xf64>, tensor<4x1xf64>) outs(%e64 : tensor<4x96xf64>) {
  ^bb0(%in: f64, %s: f64, %out: f64):
    %m = arith.divf %s, %n64 : f64
    %p = arith.subf %in, %m : f64
    linalg.yield %p : f64
  } -> tensor<4x96xf64>
  %sq64 = arith.mulf %c64, %c64 : tensor<4x96xf64>
  %ssq64 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%sq64 : tensor<4x96xf64>) outs(%i64 : tensor<4x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %p = arith.addf %in, %out : f64
    linalg.yield %p : f64
  } -> tensor<4x1xf64>
  %var = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ssq64 : tensor<4x1xf64>) outs(%r : tensor<4x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %m = arith.divf %in, %n64 : f64
    %p = arith.truncf %m : f64 to f32
    linalg.yield %p : f32
  } -> tensor<4x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%i : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %out : f32
    linalg.yield %p : f32
  } -> tensor<4x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #w, #w, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %var, %w, %b : tensor<4x96xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<96xf32>, tensor<96xf32>)
      outs(%e : tensor<4x96xf32>) {
  ^bb0(%in: f32, %s: f32, %v: f32, %g: f32, %h: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %v, %c : f32
    %rstd = math.rsqrt %shifted : f32
    %centred = arith.subf %in, %m : f32
    %xr = arith.mulf %centred, %rstd : f32
    %xrw = arith.mulf %xr, %g : f32
    %p = arith.addf %xrw, %h : f32
    linalg.yield %p : f32
  } -> tensor<4x96xf32>
  return %y : tensor<4x96xf32>
}

// -----

// tosa, where each subtraction of the mean is written again; no parameters.

// CHECK-LABEL: func @subtracted_twice
// CHECK-SAME: %[[X:.*]]: tensor<4x64xf32>
// CHECK-NEXT: %[[R:.*]] = norm.layer_norm %[[X]] epsilon = 0.0009765625 : tensor<4x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @subtracted_twice(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %inv = "tosa.const"() <{values = dense<0.015625> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %eps = "tosa.const"() <{values = dense<9.765625e-04> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %sum = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %mean = tosa.mul %sum, %inv, %shift : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x1xf32>
  %c0 = tosa.sub %x, %mean : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %c1 = tosa.sub %x, %mean : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %c2 = tosa.sub %x, %mean : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %sq = tosa.mul %c0, %c1, %shift : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<1xi8>) -> tensor<4x64xf32>
  %ssq = tosa.reduce_sum %sq {axis = 1 : i32} : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %var = tosa.mul %ssq, %inv, %shift : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x1xf32>
  %shifted = tosa.add %var, %eps : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %r = tosa.rsqrt %shifted : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = tosa.mul %c2, %r, %shift : (tensor<4x64xf32>, tensor<4x1xf32>, tensor<1xi8>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

// The variance of moments, clamped at 0, over two dimensions at once.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0)>
#w = affine_map<(d0, d1, d2) -> (d1, d2)>

// CHECK-LABEL: func @moments
// CHECK-SAME: %[[X:.*]]: tensor<?x8x4xf32>, %[[E:.*]]: tensor<?x8x4xf32>, %[[E1:.*]]: tensor<?xf32>, %[[W:.*]]: tensor<8x4xf32>
// CHECK: %[[R:.*]] = norm.layer_norm %[[X]] scale(%[[W]] : tensor<8x4xf32>) epsilon = 1.0e-05 axes = [1, 2] : tensor<?x8x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @moments(%x: tensor<?x8x4xf32>, %e: tensor<?x8x4xf32>, %e1: tensor<?xf32>, %w: tensor<8x4xf32>) -> tensor<?x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 32.0 : f32
  %eps = arith.constant 1.0e-05 : f64
  %i = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<?x8x4xf32>) outs(%i, %i : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %s: f32, %ss: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %in, %s : f32
    %q = arith.addf %sq, %ss : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #w, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sums#0, %sums#1, %w : tensor<?x8x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<8x4xf32>)
      outs(%e : tensor<?x8x4xf32>) {
  ^bb0(%in: f32, %s: f32, %ss: f32, %g: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %m2 = arith.divf %ss, %n : f32
    %sqm = arith.mulf %m, %m : f32
    %v = arith.subf %m2, %sqm : f32
    %v0 = arith.maximumf %v, %zero : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %v0, %c : f32
    %root = math.sqrt %shifted : f32
    %centred = arith.subf %in, %m : f32
    %xr = arith.divf %centred, %root : f32
    %p = arith.mulf %xr, %g : f32
    linalg.yield %p : f32
  } -> tensor<?x8x4xf32>
  return %y : tensor<?x8x4xf32>
}

// -----

// All of it in f64, rounded once.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @in_f64
// CHECK-SAME: %[[X:.*]]: tensor<4x96xf32>
// CHECK: norm.layer_norm %[[X]] epsilon = 0.0 compute_type = f64 : tensor<4x96xf32>
func.func @in_f64(%x: tensor<4x96xf32>) -> tensor<4x96xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 96.0 : f64
  %e = tensor.empty() : tensor<4x96xf32>
  %e1 = tensor.empty() : tensor<4xf64>
  %i = linalg.fill ins(%zero : f64) outs(%e1 : tensor<4xf64>) -> tensor<4xf64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%i : tensor<4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %in64 = arith.extf %in : f32 to f64
    %p = arith.addf %in64, %out : f64
    linalg.yield %p : f64
  } -> tensor<4xf64>
  %ssq = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x96xf32>, tensor<4xf64>) outs(%i : tensor<4xf64>) {
  ^bb0(%in: f32, %s: f64, %out: f64):
    %in64 = arith.extf %in : f32 to f64
    %m = arith.divf %s, %n : f64
    %c = arith.subf %in64, %m : f64
    %sq = arith.mulf %c, %c : f64
    %p = arith.addf %sq, %out : f64
    linalg.yield %p : f64
  } -> tensor<4xf64>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %ssq : tensor<4x96xf32>, tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4x96xf32>) {
  ^bb0(%in: f32, %s: f64, %ss: f64, %out: f32):
    %in64 = arith.extf %in : f32 to f64
    %m = arith.divf %s, %n : f64
    %v = arith.divf %ss, %n : f64
    %r = math.rsqrt %v : f64
    %c = arith.subf %in64, %m : f64
    %xr = arith.mulf %c, %r : f64
    %p = arith.truncf %xr : f64 to f32
    linalg.yield %p : f32
  } -> tensor<4x96xf32>
  return %y : tensor<4x96xf32>
}
