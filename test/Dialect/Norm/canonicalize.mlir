// RUN: renorm-opt %s --canonicalize | FileCheck %s
// RUN: renorm-opt %s --canonicalize > %t.once && renorm-opt %t.once --canonicalize | diff %t.once -

// CHECK-LABEL: func.func @neutral_parameters
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
func.func @neutral_parameters(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  // CHECK-NOT: arith.constant
  // CHECK: %[[A:.*]] = norm.layer_norm %[[X]] epsilon = 1.0e-05 : tensor<4x8xf32>
  // CHECK: %[[B:.*]] = norm.rms_norm %[[A]] epsilon = 1.0e-05 : tensor<4x8xf32>
  // CHECK: return %[[B]]
  %0 = norm.layer_norm %x scale(%one : tensor<8xf32>) bias(%zero : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = norm.rms_norm %0 scale(%zero : tensor<8xf32>) epsilon = 1.0e-5 unit_offset : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @other_constants_stay
func.func @other_constants_stay(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  // A scale of zeros and a bias of ones are not neutral, nor is a scale of ones that is added to one.
  // CHECK: norm.layer_norm {{.*}} scale({{.*}}) bias({{.*}}) epsilon
  // CHECK: norm.rms_norm {{.*}} scale({{.*}}) epsilon = 1.0e-05 unit_offset
  %0 = norm.layer_norm %x scale(%zero : tensor<8xf32>) bias(%one : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = norm.rms_norm %0 scale(%one : tensor<8xf32>) epsilon = 1.0e-5 unit_offset : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Without its scale, a norm that rounds before it scales would round after the bias.
// CHECK-LABEL: func.func @rounding_before_bias
func.func @rounding_before_bias(%x: tensor<4x8xbf16>, %b: tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>) {
  %one = arith.constant dense<1.0> : tensor<8xbf16>
  // CHECK: norm.layer_norm {{.*}} scale({{.*}}) bias({{.*}}) epsilon = 1.0e-05 cast_before_scale
  %0 = norm.layer_norm %x scale(%one : tensor<8xbf16>) bias(%b : tensor<8xbf16>) epsilon = 1.0e-5 cast_before_scale : tensor<4x8xbf16>
  // CHECK: norm.layer_norm %{{[^ ]*}} epsilon = 1.0e-05 : tensor<4x8xbf16>
  %1 = norm.layer_norm %x scale(%one : tensor<8xbf16>) epsilon = 1.0e-5 cast_before_scale : tensor<4x8xbf16>
  return %0, %1 : tensor<4x8xbf16>, tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @default_attributes
func.func @default_attributes(%x: tensor<4x8xf16>, %g: tensor<8xf32>) -> tensor<4x8xf16> {
  // CHECK: norm.rms_norm %{{.*}} scale(%{{.*}} : tensor<8xf32>) epsilon = 1.0e-05 {tag} : tensor<4x8xf16>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 axes = [1] scale_dims = [1] compute_type = f32 {tag} : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[G:.*]]: tensor<8xf32>)
func.func @casts(%x: tensor<4x8xbf16>, %g: tensor<8xf32>) -> tensor<4x8xbf16> {
  // CHECK: %[[N:.*]] = norm.rms_norm %[[X]] scale(%[[G]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xbf16>
  %0 = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
  %1 = norm.rms_norm %0 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %2 = arith.truncf %1 : tensor<4x8xf32> to tensor<4x8xbf16>
  return %2 : tensor<4x8xbf16>
}

// The types before and after differ: nothing to fold.
// CHECK-LABEL: func.func @other_casts
func.func @other_casts(%x: tensor<4x8xbf16>) -> tensor<4x8xf16> {
  // CHECK: arith.extf
  // CHECK: norm.rms_norm {{.*}} : tensor<4x8xf32>
  // CHECK: arith.truncf
  %0 = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 : tensor<4x8xf32>
  %2 = arith.truncf %1 : tensor<4x8xf32> to tensor<4x8xf16>
  return %2 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @zero_branch
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
func.func @zero_branch(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  // CHECK: %[[S:.*]] = norm.residual_add %[[X]], %{{.*}} residual_scale = 2.0
  // CHECK: return %[[X]], %[[S]]
  %0 = norm.residual_add %x, %zero branch_scale = 3.0 : tensor<4x8xf32>
  %1 = norm.residual_add %x, %zero residual_scale = 2.0 : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
