// RUN: renorm-opt %s -split-input-file -norm-simplify | FileCheck %s
// RUN: renorm-opt %s -split-input-file -norm-simplify -o %t.once
// RUN: renorm-opt %s -split-input-file -norm-simplify -norm-simplify -o %t.twice
// RUN: diff %t.once %t.twice

//===----------------------------------------------------------------------===//
// A norm of a norm. The numbers are in test/Integration/simplify_test.py; here is what becomes of the parameters.
//===----------------------------------------------------------------------===//

// Without an epsilon of the outer norm the factor is 1.
// CHECK-LABEL: func.func @no_factor
// CHECK-NEXT: %[[N:.*]] = norm.rms_norm %arg0 scale(%arg1 : tensor<8xf32>) epsilon = 0.0 cast_before_scale {tag} : tensor<?x8xf32>
// CHECK-NEXT: return %[[N]]
func.func @no_factor(%x: tensor<?x8xf32>, %g: tensor<8xf32>) -> tensor<?x8xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<?x8xf32>
  %1 = norm.rms_norm %0 scale(%g : tensor<8xf32>) epsilon = 0.0 cast_before_scale {tag} : tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// A factor of 1 / sqrt(1 + 3), and 4 * 3 / (1 + 3) for epsilon. The kind is that of the inner norm if it centers.
// CHECK-LABEL: func.func @no_scale
// CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<f32>
// CHECK: norm.layer_norm %arg0 scale(%[[C]] : tensor<f32>) bias(%arg1 : tensor<8xbf16>) epsilon = 3.0 : tensor<4x8xbf16>
// CHECK-NOT: norm.
func.func @no_scale(%x: tensor<4x8xbf16>, %b: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %0 = norm.layer_norm %x epsilon = 4.0 : tensor<4x8xbf16>
  %1 = norm.rms_norm %0 bias(%b : tensor<8xbf16>) epsilon = 3.0 : tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}

// -----

// (1 + g) / 2.
// CHECK-LABEL: func.func @constant_scale
// CHECK: %[[C:.*]] = arith.constant dense<[5.000000e-01, 1.000000e+00, 1.500000e+00, -2.000000e+00]> : tensor<4xf32>
// CHECK: norm.rms_norm %arg0 scale(%[[C]] : tensor<4xf32>) epsilon = 3.0 : tensor<4x4xf32>
func.func @constant_scale(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %g = arith.constant dense<[0.0, 1.0, 2.0, -5.0]> : tensor<4xf32>
  %0 = norm.rms_norm %x epsilon = 4.0 : tensor<4x4xf32>
  %1 = norm.rms_norm %0 scale(%g : tensor<4xf32>) epsilon = 3.0 unit_offset : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// In the type that is computed in.
// CHECK-LABEL: func.func @argument_scale
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-SAME: ins(%arg1 : tensor<8xbf16>)
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[O:.*]] = arith.addf %[[W]], %cst{{.*}} : f32
// CHECK: %[[P:.*]] = arith.mulf %[[O]], %cst{{.*}} : f32
// CHECK: linalg.yield %[[P]]
// CHECK: norm.rms_norm %arg0 scale(%[[S]] : tensor<8xf32>) epsilon = 3.0 : tensor<4x8xbf16>
func.func @argument_scale(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %0 = norm.rms_norm %x epsilon = 4.0 : tensor<4x8xbf16>
  %1 = norm.rms_norm %0 scale(%g : tensor<8xbf16>) epsilon = 3.0 unit_offset : tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}

// -----

// The inner norm multiplies by -2: the outer epsilon is 12 / 4, and the sign is part of the factor. Three are one.
// CHECK-LABEL: func.func @uniform_scale
// CHECK: %[[C:.*]] = arith.constant dense<-5.000000e-01> : tensor<f32>
// CHECK: norm.rms_norm %arg0 scale(%[[C]] : tensor<f32>) epsilon = 3.0 :
// CHECK-NOT: norm.
func.func @uniform_scale(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = arith.constant dense<-3.0> : tensor<8xf32>
  %b = arith.constant dense<0.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 4.0 unit_offset : tensor<4x8xf32>
  %1 = norm.rms_norm %0 epsilon = 12.0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @three
// CHECK: norm.l2_norm %arg0 epsilon = 0.0 :
// CHECK-NOT: norm.
func.func @three(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = norm.l2_norm %x epsilon = 1.0e-06 : tensor<4x?xf32>
  %1 = norm.l2_norm %0 epsilon = 0.0 epsilon_mode = outside : tensor<4x?xf32>
  %2 = norm.l2_norm %1 epsilon = 0.0 : tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

//===----------------------------------------------------------------------===//
// A factor before a norm
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @factor_arith
// CHECK: norm.rms_norm %arg0 epsilon = 0.0625 : tensor<4x8xf32>
// CHECK: norm.layer_norm %arg0 epsilon = 0.25 epsilon_mode = outside : tensor<4x8xf32>
// CHECK: norm.l2_norm %arg0 epsilon = 16.0 epsilon_mode = clamp_inside : tensor<4x8xf32>
func.func @factor_arith(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %four = arith.constant dense<4.0> : tensor<4x8xf32>
  %a = arith.mulf %x, %four : tensor<4x8xf32>
  %0 = norm.rms_norm %a epsilon = 1.0 : tensor<4x8xf32>
  %b = arith.mulf %four, %x : tensor<4x8xf32>
  %1 = norm.layer_norm %b epsilon = 1.0 epsilon_mode = outside : tensor<4x8xf32>
  %c = arith.divf %x, %four : tensor<4x8xf32>
  %2 = norm.l2_norm %c epsilon = 1.0 epsilon_mode = clamp_inside : tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// As exporters write it: a number captured, or a tensor of rank 0 broadcast.
#map = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @factor_linalg
// CHECK-NOT: linalg.generic
// CHECK: norm.rms_norm %arg0 epsilon = 0.0625 : tensor<?x8xf16>
// CHECK: norm.rms_norm %arg0 epsilon = 0.0625 epsilon_mode = outside : tensor<?x8xf16>
func.func @factor_linalg(%x: tensor<?x8xf16>, %e: tensor<?x8xf16>) -> (tensor<?x8xf16>, tensor<?x8xf16>) {
  %four = arith.constant 4.0 : f16
  %sixteen = arith.constant dense<16.0> : tensor<f16>
  %a = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf16>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %product = arith.mulf %in, %four : f16
    linalg.yield %product : f16
  } -> tensor<?x8xf16>
  %0 = norm.rms_norm %a epsilon = 1.0 : tensor<?x8xf16>
  %b = linalg.generic {indexing_maps = [#scalar, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sixteen, %x : tensor<f16>, tensor<?x8xf16>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%s: f16, %in: f16, %out: f16):
    %product = arith.mulf %s, %in : f16
    linalg.yield %product : f16
  } -> tensor<?x8xf16>
  %1 = norm.rms_norm %b epsilon = 1.0 epsilon_mode = outside : tensor<?x8xf16>
  return %0, %1 : tensor<?x8xf16>, tensor<?x8xf16>
}

// -----

// Between two norms: 4 y is a multiple of a norm.
// CHECK-LABEL: func.func @factor_between
// CHECK: norm.rms_norm %arg0 epsilon = 0.0 :
// CHECK-NOT: mulf
func.func @factor_between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %four = arith.constant dense<4.0> : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0 : tensor<4x8xf32>
  %a = arith.mulf %0, %four : tensor<4x8xf32>
  %1 = norm.rms_norm %a epsilon = 0.0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Equal norms
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @equal
// CHECK: %[[A:.*]] = norm.rms_norm %arg0 scale(%{{.*}} : tensor<2xf32>) epsilon = 1.0e-05 :
// CHECK: %[[B:.*]] = norm.rms_norm %arg0 scale(%arg1 : tensor<2xf32>) epsilon = 1.0e-05 :
// CHECK: %[[C:.*]] = norm.rms_norm %arg0 scale(%arg1 : tensor<2xf32>) epsilon = 1.0e-06 :
// CHECK: %[[D:.*]] = norm.layer_norm %arg0 scale(%arg1 : tensor<2xf32>) epsilon = 1.0e-05 :
// CHECK-NOT: norm.
// CHECK: return %[[A]], %[[A]], %[[B]], %[[C]], %[[D]], %[[B]]
func.func @equal(%x: tensor<4x2xf32>, %g: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = norm.rms_norm %x scale(%c : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2xf32>
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = norm.rms_norm %x scale(%d : tensor<2xf32>) epsilon = 1.0e-05 axes = [1] : tensor<4x2xf32>
  %2 = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2xf32>
  %3 = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-06 : tensor<4x2xf32>
  %4 = norm.layer_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2xf32>
  %5 = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 compute_type = f32 : tensor<4x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// What a conversion dropped is no norm to read, and stays.
// CHECK-LABEL: func.func @dropped
// CHECK: norm.rms_norm %arg0 epsilon = 1.0e-05 {norm.dropped = "final_norm"}
// CHECK: %[[N:.*]] = norm.rms_norm %arg0 epsilon = 1.0e-05 :
// CHECK: return %[[N]]
func.func @dropped(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 {norm.dropped = "final_norm"} : tensor<4x2xf32>
  %1 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
