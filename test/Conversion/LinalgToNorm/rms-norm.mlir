// RUN: renorm-opt %s --norm-raise --split-input-file | FileCheck %s
// RUN: renorm-opt %s --norm-raise --split-input-file > %t
// RUN: renorm-opt %s --norm-raise --norm-raise --split-input-file | diff %t -

// One generic for each operation, as torch-mlir writes it.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#w = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @one_operation_each
// CHECK-SAME: %[[X:.*]]: tensor<2x4x64xf32>, %[[W:.*]]: tensor<64xf32>
// CHECK-NEXT: %[[R:.*]] = norm.rms_norm %[[X]] scale(%[[W]] : tensor<64xf32>) epsilon = 1.0e-06 : tensor<2x4x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @one_operation_each(%x: tensor<2x4x64xf32>, %w: tensor<64xf32>) -> tensor<2x4x64xf32> {
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-06 : f64
  %e = tensor.empty() : tensor<2x4x64xf32>
  %e1 = tensor.empty() : tensor<2x4x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %sq = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x4x64xf32>) outs(%e : tensor<2x4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.fpowi %in, %c2 : f32, i64
    linalg.yield %p : f32
  } -> tensor<2x4x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%sq : tensor<2x4x64xf32>) outs(%init : tensor<2x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %out : f32
    linalg.yield %p : f32
  } -> tensor<2x4x1xf32>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<2x4x1xf32>) outs(%e1 : tensor<2x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.divf %in, %n : f32
    linalg.yield %p : f32
  } -> tensor<2x4x1xf32>
  %shifted = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mean : tensor<2x4x1xf32>) outs(%e1 : tensor<2x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %p = arith.addf %in, %c : f32
    linalg.yield %p : f32
  } -> tensor<2x4x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shifted : tensor<2x4x1xf32>) outs(%e1 : tensor<2x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.rsqrt %in : f32
    linalg.yield %p : f32
  } -> tensor<2x4x1xf32>
  %xr = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r : tensor<2x4x64xf32>, tensor<2x4x1xf32>) outs(%e : tensor<2x4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %p = arith.mulf %in, %s : f32
    linalg.yield %p : f32
  } -> tensor<2x4x64xf32>
  %y = linalg.generic {indexing_maps = [#w, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %xr : tensor<64xf32>, tensor<2x4x64xf32>) outs(%e : tensor<2x4x64xf32>) {
  ^bb0(%s: f32, %in: f32, %out: f32):
    %p = arith.mulf %s, %in : f32
    linalg.yield %p : f32
  } -> tensor<2x4x64xf32>
  return %y : tensor<2x4x64xf32>
}

// -----

// Two generics with several operations each; the reduced dimension is dropped,
// the mean is a sum times 1/N, the scale 1 + w, the result divided by a root.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @fused
// CHECK-SAME: %[[X:.*]]: tensor<?x48xf32>, %[[W:.*]]: tensor<48xf32>
// CHECK: %[[R:.*]] = norm.rms_norm %[[X]] scale(%[[W]] : tensor<48xf32>) epsilon = 1.0e-05 unit_offset : tensor<?x48xf32>
// CHECK-NEXT: return %[[R]]
func.func @fused(%x: tensor<?x48xf32>, %w: tensor<48xf32>, %e1: tensor<?xf32>, %e: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %inv = arith.constant 0.020833334 : f32
  %eps = arith.constant 1.0e-05 : f64
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x48xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %p = arith.addf %out, %sq : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #w, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %w : tensor<?x48xf32>, tensor<?xf32>, tensor<48xf32>) outs(%e : tensor<?x48xf32>) {
  ^bb0(%in: f32, %s: f32, %g: f32, %out: f32):
    %mean = arith.mulf %inv, %s : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %c, %mean : f32
    %root = math.sqrt %shifted : f32
    %scale = arith.addf %one, %g : f32
    %scaled = arith.mulf %in, %scale : f32
    %p = arith.divf %scaled, %root : f32
    linalg.yield %p : f32
  } -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}

// -----

// CHECK-LABEL: func @tosa
// CHECK-SAME: %[[X:.*]]: tensor<1x4x64xf32>, %[[W:.*]]: tensor<64xf32>
// CHECK-NEXT: %[[R:.*]] = norm.rms_norm %[[X]] scale(%[[W]] : tensor<64xf32>) epsilon = 9.999999974752427e-07 : tensor<1x4x64xf32>
// CHECK-NEXT: return %[[R]]
func.func @tosa(%x: tensor<1x4x64xf32>, %w: tensor<64xf32>) -> tensor<1x4x64xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %two = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %n = "tosa.const"() <{values = dense<64.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-06> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
  %ones = tosa.const_shape {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
  %row = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %sq = tosa.pow %x, %two : (tensor<1x4x64xf32>, tensor<1x1x1xf32>) -> tensor<1x4x64xf32>
  %sum = tosa.reduce_sum %sq {axis = 2 : i32} : (tensor<1x4x64xf32>) -> tensor<1x4x1xf32>
  %inv = tosa.reciprocal %n : (tensor<1xf32>) -> tensor<1xf32>
  %inv3 = tosa.reshape %inv, %ones : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %mean = tosa.mul %inv3, %sum, %shift : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1xi8>) -> tensor<1x4x1xf32>
  %shifted = tosa.add %mean, %eps : (tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %r = tosa.rsqrt %shifted : (tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %w3 = tosa.reshape %w, %row : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %rw = tosa.mul %r, %w3, %shift : (tensor<1x4x1xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x4x64xf32>
  %y = tosa.mul %x, %rw, %shift : (tensor<1x4x64xf32>, tensor<1x4x64xf32>, tensor<1xi8>) -> tensor<1x4x64xf32>
  return %y : tensor<1x4x64xf32>
}

// -----

// Named operations and a dynamic extent that is read from the shape.

// CHECK-LABEL: func @named_dynamic
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf32>
// CHECK: %[[R:.*]] = norm.rms_norm %[[X]] epsilon = 0.01 : tensor<4x?xf32>
// CHECK-NEXT: return %[[R]]
func.func @named_dynamic(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 0.01 : f64
  %epsf = arith.truncf %eps : f64 to f32
  %d = tensor.dim %x, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%d) : tensor<4x?xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sq = linalg.square ins(%x : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %sum = linalg.reduce {arith.addf} ins(%sq : tensor<4x?xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %di = arith.index_cast %d : index to i64
  %df = arith.sitofp %di : i64 to f32
  %n = linalg.fill ins(%df : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %mean = linalg.div ins(%sum, %n : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %epst = linalg.fill ins(%epsf : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %shifted = arith.addf %mean, %epst : tensor<4xf32>
  %root = math.sqrt %shifted : tensor<4xf32>
  %r = linalg.reciprocal ins(%root : tensor<4xf32>) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x?xf32>) dimensions = [1]
  %y = arith.mulf %x, %b : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// -----

// A norm over another dimension than the last, one over two, and a weight that
// has a dimension more than the normalized ones.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#chan = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#two = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#last = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#c = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#hd = affine_map<(d0, d1, d2, d3) -> (d1, d3)>

// CHECK-LABEL: func @axes
// CHECK-SAME: %[[X:.*]]: tensor<2x8x4x6xf32>, %[[W:.*]]: tensor<8x1x1xf32>, %[[HD:.*]]: tensor<8x6xf32>
// CHECK-DAG: %[[C:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1, 2]] : tensor<8x1x1xf32> into tensor<8xf32>
// CHECK-DAG: %[[A:.*]] = norm.rms_norm %[[X]] scale(%[[C]] : tensor<8xf32>) epsilon = 1.0e-05 axes = [1] : tensor<2x8x4x6xf32>
// CHECK-DAG: %[[B:.*]] = norm.rms_norm %[[X]] epsilon = 1.0e-05 axes = [2, 3] : tensor<2x8x4x6xf32>
// CHECK-DAG: %[[D:.*]] = norm.rms_norm %[[X]] scale(%[[HD]] : tensor<8x6xf32>) epsilon = 1.0e-05 scale_dims = [1, 3] : tensor<2x8x4x6xf32>
// CHECK: return %[[A]], %[[B]], %[[D]]
func.func @axes(%x: tensor<2x8x4x6xf32>, %w: tensor<8x1x1xf32>, %hd: tensor<8x6xf32>)
    -> (tensor<2x8x4x6xf32>, tensor<2x8x4x6xf32>, tensor<2x8x4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f64
  %n0 = arith.constant 8.0 : f32
  %n1 = arith.constant 24.0 : f32
  %n2 = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<2x8x4x6xf32>
  %e0 = tensor.empty() : tensor<2x4x6xf32>
  %e1 = tensor.empty() : tensor<2x8xf32>
  %e2 = tensor.empty() : tensor<2x8x4xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %sq = arith.mulf %x, %x : tensor<2x8x4x6xf32>
  %s0 = linalg.reduce {arith.addf} ins(%sq : tensor<2x8x4x6xf32>) outs(%i0 : tensor<2x4x6xf32>) dimensions = [1]
  %s1 = linalg.reduce {arith.addf} ins(%sq : tensor<2x8x4x6xf32>) outs(%i1 : tensor<2x8xf32>) dimensions = [2, 3]
  %s2 = linalg.reduce {arith.addf} ins(%sq : tensor<2x8x4x6xf32>) outs(%i2 : tensor<2x8x4xf32>) dimensions = [3]
  %y0 = linalg.generic {indexing_maps = [#id, #chan, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s0, %w : tensor<2x8x4x6xf32>, tensor<2x4x6xf32>, tensor<8x1x1xf32>) outs(%e : tensor<2x8x4x6xf32>) {
  ^bb0(%in: f32, %s: f32, %g: f32, %out: f32):
    %mean = arith.divf %s, %n0 : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %mean, %c : f32
    %r = math.rsqrt %shifted : f32
    %xr = arith.mulf %in, %r : f32
    %p = arith.mulf %xr, %g : f32
    linalg.yield %p : f32
  } -> tensor<2x8x4x6xf32>
  %y1 = linalg.generic {indexing_maps = [#id, #two, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s1 : tensor<2x8x4x6xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x4x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %mean = arith.divf %s, %n1 : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %mean, %c : f32
    %r = math.rsqrt %shifted : f32
    %xr = arith.mulf %in, %r : f32
    linalg.yield %xr : f32
  } -> tensor<2x8x4x6xf32>
  %y2 = linalg.generic {indexing_maps = [#id, #last, #hd, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s2, %hd : tensor<2x8x4x6xf32>, tensor<2x8x4xf32>, tensor<8x6xf32>) outs(%e : tensor<2x8x4x6xf32>) {
  ^bb0(%in: f32, %s: f32, %g: f32, %out: f32):
    %mean = arith.divf %s, %n2 : f32
    %c = arith.truncf %eps : f64 to f32
    %shifted = arith.addf %mean, %c : f32
    %r = math.rsqrt %shifted : f32
    %xr = arith.mulf %in, %r : f32
    %p = arith.mulf %g, %xr : f32
    linalg.yield %p : f32
  } -> tensor<2x8x4x6xf32>
  return %y0, %y1, %y2 : tensor<2x8x4x6xf32>, tensor<2x8x4x6xf32>, tensor<2x8x4x6xf32>
}

// -----

// x * pow(mean + eps, -0.5), and what is normalized, its square and the inverse
// are read elsewhere: they stay.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func @several_uses
// CHECK-SAME: %[[A:.*]]: tensor<4x64xf32>, %[[B:.*]]: tensor<4x64xf32>
// CHECK: %[[X:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: %[[SQ:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[R:.*]] = math.powf
// CHECK: %[[Y:.*]] = norm.rms_norm %[[X]] epsilon = 1.0e-05 : tensor<4x64xf32>
// CHECK: return %[[X]], %[[SQ]], %[[R]], %[[Y]]
func.func @several_uses(%a: tensor<4x64xf32>, %b: tensor<4x64xf32>)
    -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x1xf32>, tensor<4x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant dense<64.0> : tensor<4x1xf32>
  %eps64 = arith.constant dense<1.0e-05> : tensor<4x1xf64>
  %half = arith.constant dense<-0.5> : tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x64xf32>
  %e1 = tensor.empty() : tensor<4x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x1xf32>) -> tensor<4x1xf32>
  %x = arith.addf %a, %b : tensor<4x64xf32>
  %sq = arith.mulf %x, %x : tensor<4x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%sq : tensor<4x64xf32>) outs(%init : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %out : f32
    linalg.yield %p : f32
  } -> tensor<4x1xf32>
  %mean = arith.divf %sum, %n : tensor<4x1xf32>
  %eps = arith.truncf %eps64 : tensor<4x1xf64> to tensor<4x1xf32>
  %shifted = arith.addf %mean, %eps : tensor<4x1xf32>
  %r = math.powf %shifted, %half : tensor<4x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<4x64xf32>, tensor<4x1xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %p = arith.mulf %in, %s : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %x, %sq, %r, %y : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x1xf32>, tensor<4x64xf32>
}
