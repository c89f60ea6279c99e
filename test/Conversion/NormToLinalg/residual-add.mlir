// RUN: renorm-opt %s -convert-norm-to-linalg | FileCheck %s

// CHECK-LABEL: func @unscaled
// CHECK-SAME: %[[SKIP:.*]]: tensor<2x8xf32>, %[[BRANCH:.*]]: tensor<2x8xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x8xf32>
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK-SAME: ins(%[[SKIP]], %[[BRANCH]] : {{.*}}) outs(%[[EMPTY]] : {{.*}})
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:   %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:   linalg.yield %[[SUM]] : f32
// CHECK: return %[[RESULT]]
func.func @unscaled(%skip: tensor<2x8xf32>, %branch: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = norm.residual_add %skip, %branch : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Every product is rounded to the element type.
// CHECK-LABEL: func @scaled
// CHECK: tensor.empty(%{{.*}}) : tensor<?x8xbf16>
// CHECK: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %{{.*}}: bf16):
// CHECK-DAG:   %[[C:.*]] = arith.constant 2.375000e+00 : bf16
// CHECK-DAG:   %[[D:.*]] = arith.constant 5.000000e-01 : bf16
// CHECK-DAG:   %[[CA:.*]] = arith.mulf %[[A]], %[[C]] : bf16
// CHECK-DAG:   %[[DB:.*]] = arith.mulf %[[B]], %[[D]] : bf16
// CHECK:   arith.addf %[[CA]], %[[DB]] : bf16
func.func @scaled(%skip: tensor<?x8xbf16>, %branch: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %0 = norm.residual_add %skip, %branch residual_scale = 2.3784 branch_scale = 0.5 : tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}
