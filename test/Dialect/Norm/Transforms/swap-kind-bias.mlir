// What becomes of the bias of what turns into a LayerNorm.

// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all" -verify-diagnostics | FileCheck %s --check-prefix=KEEP
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=drop" 2>/dev/null | FileCheck %s --check-prefix=DROP
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=add" 2>/dev/null | FileCheck %s --check-prefixes=ADD,CONSTANT
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=add params=argument" 2>/dev/null | FileCheck %s --check-prefix=ARGUMENT
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=add params=global" 2>/dev/null | FileCheck %s --check-prefix=GLOBAL
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=add" 2>&1 >/dev/null | FileCheck %s --check-prefix=DYNAMIC
// RUN: not renorm-opt %s -norm-swap-kind="to=layer norms=all strict" 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// RUN: not renorm-opt %s -norm-swap-kind="to=rms bias=add" 2>&1 >/dev/null | FileCheck %s --check-prefix=RMS
// RUN: not renorm-opt %s -norm-swap-kind="layers=3-1" 2>&1 >/dev/null | FileCheck %s --check-prefix=RANGE

// A bias that the pass made goes with all traces.
// RUN: renorm-opt %s -norm-swap-kind="to=layer norms=all bias=add params=argument" -norm-swap-kind="to=rms norms=all" 2>/dev/null | FileCheck %s --check-prefix=BACK
// BACK-LABEL: func.func @add
// BACK-NOT:   norm.init
// BACK:       norm.rms_norm %arg0 epsilon

// STRICT: error: norms.1 cannot be converted: it is an L2 norm
// RMS: error: expected 'bias' to be auto, drop or keep with to=rms, but got add
// RANGE: error: expected 'layers' to be a layer or a range such as 0-3, but got '3-1'

// KEEP-LABEL: func.func @bias
// KEEP: norm.layer_norm %arg0 bias(%arg1 : tensor<8xf32>)
// KEEP: norm.l2_norm
// DROP-LABEL: func.func @bias
// DROP: norm.layer_norm %arg0 epsilon
// ADD-LABEL: func.func @bias
// ADD: norm.layer_norm %arg0 bias(%arg1 : tensor<8xf32>)
func.func @bias(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = norm.rms_norm %x bias(%b : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-remark @+1 {{norms.1 is left as it is: it is an L2 norm}}
  %1 = norm.l2_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Along the dimensions of the scale, of its type.
// KEEP-LABEL: func.func @add
// KEEP: norm.layer_norm %arg0 epsilon = 1.0e-05 :
// KEEP: norm.layer_norm %arg1 scale(%arg2 : tensor<2x8xf32>) epsilon
// CONSTANT-LABEL: func.func @add
// CONSTANT: %[[B:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CONSTANT: norm.layer_norm %arg0 bias(%[[B]] : tensor<8xf32>) epsilon = 1.0e-05 :
// CONSTANT: %[[C:.*]] = arith.constant dense<0.000000e+00> : tensor<2x8xf32>
// CONSTANT: norm.layer_norm %arg1 scale(%arg2 : tensor<2x8xf32>) bias(%[[C]] : tensor<2x8xf32>) epsilon = 1.0e-05 scale_dims = [1, 3]
// ARGUMENT-LABEL: func.func @add
// ARGUMENT-SAME: %arg3: tensor<8xf32> {norm.init = 0.000000e+00 : f64, norm.param = "norms.0.bias"}
// ARGUMENT-SAME: %arg4: tensor<2x8xf32> {norm.init = 0.000000e+00 : f64, norm.param = "norms.1.bias"}
// ARGUMENT: norm.layer_norm %arg0 bias(%arg3 :
// GLOBAL: ml_program.global private @norms.0.bias(dense<0.000000e+00> : tensor<8xf32>)
// GLOBAL-LABEL: func.func @add
// GLOBAL: ml_program.global_load_const @norms.0.bias
func.func @add(%x: tensor<4x8xf32>, %y: tensor<4x2x3x8xf16>, %g: tensor<2x8xf32>) -> (tensor<4x8xf32>, tensor<4x2x3x8xf16>) {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %1 = norm.rms_norm %y scale(%g : tensor<2x8xf32>) epsilon = 1.0e-05 scale_dims = [1, 3] : tensor<4x2x3x8xf16>
  return %0, %1 : tensor<4x8xf32>, tensor<4x2x3x8xf16>
}

// DYNAMIC: remark: norms.0 is left as it is: the extent of its bias is dynamic
// CONSTANT-LABEL: func.func @dynamic
// CONSTANT: norm.rms_norm
// KEEP-LABEL: func.func @dynamic
// KEEP: norm.layer_norm
func.func @dynamic(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
