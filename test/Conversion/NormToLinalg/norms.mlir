// RUN: renorm-opt %s -convert-norm-to-linalg -canonicalize -cse | FileCheck %s

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1, d2) -> (d2)>

// The mean in two steps; the squares are of deviations from the first, in the pass of the second: never of the values.
// CHECK-LABEL: func @layer_norm
// CHECK-SAME: %[[X:.*]]: tensor<2x12x64xf32>, %[[G:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>
// CHECK-DAG: %[[N:.*]] = arith.constant 6.400000e+01 : f32
// CHECK-DAG: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: indexing_maps = [#[[$ALL]], #[[$ROWS]]], iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]] : tensor<2x12x64xf32>) outs(%[[INIT]] : tensor<2x12xf32>)
// CHECK:   arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: %[[HIGH:.*]] = linalg.generic {{.*}} ins(%[[SUM]]
// CHECK:   arith.divf %{{.*}}, %[[N]] : f32
// CHECK: %[[REST:.*]]:2 = linalg.generic {{.*}} ins(%[[X]], %[[HIGH]]
// CHECK:   %[[D:.*]] = arith.subf
// CHECK:   %[[S:.*]] = arith.mulf %[[D]], %[[D]] fastmath<reassoc,contract>
// CHECK:   arith.addf %{{.*}}, %[[D]] fastmath<reassoc,contract>
// CHECK:   arith.addf %{{.*}}, %[[S]] fastmath<reassoc,contract>
// CHECK: %[[LOW:.*]] = linalg.generic {{.*}} ins(%[[REST]]#0
// CHECK:   arith.divf %{{.*}}, %[[N]] : f32
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%[[REST]]#1, %[[REST]]#0, %[[LOW]]
// CHECK:   %[[CORRECTION:.*]] = arith.mulf
// CHECK:   %[[CORRECTED:.*]] = arith.subf %{{.*}}, %[[CORRECTION]]
// CHECK:   arith.maximumf %[[CORRECTED]], %[[ZERO]]
// CHECK: %[[ROOT:.*]] = linalg.generic {{.*}} ins(%[[SQUARES]]
// CHECK:   %[[VAR:.*]] = arith.divf %{{.*}}, %[[N]]
// CHECK:   %[[SHIFTED:.*]] = arith.addf %[[VAR]], %[[EPS]]
// CHECK:   math.sqrt %[[SHIFTED]]
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK-SAME: indexing_maps = [#[[$ALL]], #[[$ROWS]], #[[$ROWS]], #[[$ROWS]], #[[$LAST]], #[[$LAST]], #[[$ALL]]]
// CHECK-SAME: ins(%[[X]], %[[HIGH]], %[[LOW]], %[[ROOT]], %[[G]], %[[B]]
// CHECK:   arith.divf %{{.*}} fastmath<arcp>
// CHECK:   arith.mulf
// CHECK:   arith.addf
// CHECK: return %[[RESULT]]
func.func @layer_norm(%x: tensor<2x12x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<2x12x64xf32> {
  %0 = norm.layer_norm %x scale(%g : tensor<64xf32>) bias(%b : tensor<64xf32>) epsilon = 1.0e-05
      : tensor<2x12x64xf32>
  return %0 : tensor<2x12x64xf32>
}

// Statistics in 16 bits are corrected by nothing, and no reciprocal may be taken.
// CHECK-LABEL: func @narrow
// CHECK: %[[HIGH:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf16>)
// CHECK: arith.subf
// CHECK: %[[SQUARES:.*]] = linalg.generic
// CHECK:   %[[D1:.*]] = arith.subf
// CHECK:   %[[D2:.*]] = arith.subf %[[D1]]
// CHECK:   arith.mulf %[[D2]], %[[D2]]
// CHECK-NOT: arith.maximumf
// CHECK-NOT: arcp
// CHECK: return
func.func @narrow(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = norm.layer_norm %x epsilon = 1.0e-03 compute_type = f16 : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// One norm read twice is computed once.
// CHECK-LABEL: func @used_twice
// CHECK: math.sqrt
// CHECK-NOT: math.sqrt
// CHECK: return
func.func @used_twice(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<4x8xf32>
  %1 = norm.residual_add %0, %0 : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// The count of a dynamic axis is a value of the run; f32 statistics of bf16; the rounding before the scale stays.
// CHECK-LABEL: func @llama
// CHECK-SAME: %[[X:.*]]: tensor<?x12x?xbf16>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK: %[[INT:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: %[[N:.*]] = arith.uitofp %[[INT]] : i64 to f32
// CHECK: linalg.generic
// CHECK:   arith.extf %{{.*}} : bf16 to f32
// CHECK:   arith.addf %{{.*}} : f32
// CHECK: arith.divf %{{.*}}, %[[N]] : f32
// CHECK: linalg.generic
// CHECK:   %[[VALUE:.*]] = arith.divf
// CHECK:   %[[ROUNDED:.*]] = arith.truncf %[[VALUE]] : f32 to bf16
// CHECK:   %[[AGAIN:.*]] = arith.extf %[[ROUNDED]] : bf16 to f32
// CHECK:   %[[SCALE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:   %[[FACTOR:.*]] = arith.addf %[[SCALE]], %[[ONE]] : f32
// CHECK:   %[[SCALED:.*]] = arith.mulf %[[AGAIN]], %[[FACTOR]] : f32
// CHECK:   arith.truncf %[[SCALED]] : f32 to bf16
// CHECK-NOT: norm.
func.func @llama(%x: tensor<?x12x?xbf16>, %g: tensor<?xbf16>) -> tensor<?x12x?xbf16> {
  %0 = norm.rms_norm %x scale(%g : tensor<?xbf16>) epsilon = 1.0e-06 unit_offset cast_before_scale
      : tensor<?x12x?xbf16>
  return %0 : tensor<?x12x?xbf16>
}

// Statistics that the program computes in f16 stay in f16; only the count, which f16 may not hold, is in f32.
// CHECK-LABEL: func @half_statistics
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f16
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[MEAN:.*]] = arith.divf %[[WIDE]], %{{.*}} : f32
// CHECK: arith.truncf %[[MEAN]] : f32 to f16
// CHECK: math.sqrt %{{.*}} : f16
func.func @half_statistics(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = norm.rms_norm %x epsilon = 1.0e-03 compute_type = f16 : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// From f16 to bf16 there is no conversion but by f32.
// CHECK-LABEL: func @other_half
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: arith.truncf %[[WIDE]] : f32 to bf16
func.func @other_half(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = norm.rms_norm %x epsilon = 1.0e-03 compute_type = bf16 : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func @outside
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: arith.addf %[[ROOT]], %{{.*}} : f32
func.func @outside(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.layer_norm %x epsilon = 1.0e-05 epsilon_mode = outside : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A sum of squares has no count. Clamping keeps NaN.
// CHECK-LABEL: func @clamp
// CHECK-NOT: arith.divf
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: arith.maximumf %[[ROOT]], %{{.*}} : f32
func.func @clamp(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.l2_norm %x epsilon = 1.0e-12 epsilon_mode = clamp : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @clamp_inside
// CHECK: %[[POWER:.*]] = arith.maximumf
// CHECK: math.sqrt %[[POWER]] : f32
func.func @clamp_inside(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.l2_norm %x epsilon = 1.0e-12 epsilon_mode = clamp_inside : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
