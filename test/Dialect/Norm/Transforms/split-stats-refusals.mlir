// RUN: renorm-opt %s --norm-split-stats=group-size=16 --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @refused
// CHECK-COUNT-3: norm.rms_norm
// CHECK: %[[S:.*]] = norm.row_stats rms %{{.*}} axes = [0] group_size = 16 : tensor<24x?xf16>
// CHECK: %[[M:.*]] = norm.merge_stats rms %[[S]] group_size = 16 extent = 24 : tensor<?x2xf32>
// CHECK: norm.apply_stats rms %{{.*}} stats(%[[M]] : tensor<?xf32>)
func.func @refused(%x: tensor<24x?xf16>) -> tensor<24x?xf16> {
  // expected-remark @+1 {{the norm is not split: statistics of f16 are kept in f32, and this norm's are in f16}}
  %0 = norm.rms_norm %x epsilon = 1.0e-3 axes = [0] compute_type = f16 : tensor<24x?xf16>
  // expected-remark @+1 {{the norm is not split: groups are of one axis, and this norm has 2}}
  %1 = norm.rms_norm %0 epsilon = 1.0e-3 axes = [0, 1] : tensor<24x?xf16>
  // expected-remark @+1 {{the norm is not split: groups are of an axis of static extent, and that of axis 1 is dynamic}}
  %2 = norm.rms_norm %1 epsilon = 1.0e-3 : tensor<24x?xf16>
  %3 = norm.rms_norm %2 epsilon = 1.0e-3 axes = [0] : tensor<24x?xf16>
  return %3 : tensor<24x?xf16>
}

// -----

// An explicit default type is the default.
// CHECK-LABEL: func.func @explicit_type
// CHECK-NOT: norm.rms_norm
func.func @explicit_type(%x: tensor<4x24xf16>) -> tensor<4x24xf16> {
  %0 = norm.rms_norm %x epsilon = 1.0e-3 compute_type = f32 : tensor<4x24xf16>
  return %0 : tensor<4x24xf16>
}
