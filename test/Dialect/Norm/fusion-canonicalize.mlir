// RUN: renorm-opt %s --canonicalize | FileCheck %s

// What is not read, is there twice, or only passes through.
// CHECK-LABEL: func.func @interface
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<4x8xf32>)
func.func @interface(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: %[[R:.*]] = norm.fusion strategies = [row_kernel] (%[[A:.*]] = %[[X]] : tensor<4x8xf32>) -> (tensor<4x8xf32>) attributes {kept} {
  // CHECK-NEXT: %[[S:.*]] = norm.residual_add %[[A]], %[[A]]
  // CHECK-NEXT: %[[N:.*]] = norm.l2_norm %[[S]]
  // CHECK-NEXT: norm.yield %[[N]] : tensor<4x8xf32>
  // CHECK: return %[[R]], %[[Z]]
  %0:3 = norm.fusion strategies = [row_kernel]
      (%a = %x : tensor<4x8xf32>, %b = %y : tensor<4x8xf32>, %c = %x : tensor<4x8xf32>, %d = %z : tensor<4x8xf32>)
      -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) attributes {kept} {
    %1 = norm.residual_add %a, %c : tensor<4x8xf32>
    %2 = norm.l2_norm %1 epsilon = 1.0e-6 : tensor<4x8xf32>
    norm.yield %b, %2, %d : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#1, %0#2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%x: tensor<4x8xf32>) {
  %0 = norm.fusion (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %2 = norm.l2_norm %a epsilon = 1.0e-6 : tensor<4x8xf32>
    norm.yield %2 : tensor<4x8xf32>
  }
  return
}

// All of it is needed.
// CHECK-LABEL: func.func @needed
// CHECK: norm.fusion
// CHECK: norm.residual_add
// CHECK: norm.l2_norm
// CHECK: norm.yield %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>
func.func @needed(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0:2 = norm.fusion (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %1 = norm.residual_add %a, %a : tensor<4x8xf32>
    %2 = norm.l2_norm %1 epsilon = 1.0e-6 : tensor<4x8xf32>
    norm.yield %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
