// Residual adds that no front end writes: reported, left alone, and nothing lost.
// RUN: renorm-opt %s --split-input-file --norm-convert-placement=to=peri --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @unconnected
// CHECK-NEXT: norm.residual_add %arg0, %arg1 : tensor<4x8xf32>
// CHECK-NEXT: return
func.func @unconnected(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @+1 {{layers.0.module is left as it is: its branch does not read the trunk}}
  %0 = norm.residual_add %x, %y : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @doubled
// CHECK-NEXT: norm.residual_add %arg0, %arg0 : tensor<4x8xf32>
// CHECK-NEXT: return
func.func @doubled(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the stream has none to tell which; expected 'new-norm' and 'epsilon'}}
  %0 = norm.residual_add %x, %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A graph region may name a value before it is defined: still no endless loop.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
^bb1:
  // expected-remark @+1 {{is left as it is}}
  %0 = norm.residual_add %1, %0 : tensor<4x8xf32>
  %1 = norm.layer_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  cf.br ^bb1
}
