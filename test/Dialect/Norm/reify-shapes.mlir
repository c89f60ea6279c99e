// RUN: renorm-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<?x4x?x16xf32>, %[[V:.*]]: tensor<?x4x?x?xf32>)
func.func @attention(%q: tensor<?x4x?x16xf32>, %v: tensor<?x4x?x?xf32>) -> (index, index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[D0:.*]] = tensor.dim %[[Q]], %[[C0]]
  // CHECK-DAG: %[[D2:.*]] = tensor.dim %[[Q]], %[[C2]]
  // CHECK-DAG: %[[D3:.*]] = tensor.dim %[[V]], %[[C3]]
  // CHECK: return %[[D0]], %[[D2]], %[[D3]]
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = norm.attention %q, %q, %v : tensor<?x4x?x16xf32>, tensor<?x4x?x16xf32>, tensor<?x4x?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4x?x?xf32>
  %2 = tensor.dim %0, %c2 : tensor<?x4x?x?xf32>
  %3 = tensor.dim %0, %c3 : tensor<?x4x?x?xf32>
  return %1, %2, %3 : index, index, index
}

// CHECK-LABEL: func.func @norms
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
func.func @norms(%x: tensor<?x8xf32>) -> index {
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[D:.*]] = tensor.dim %[[X]], %[[C0]]
  // CHECK: return %[[D]]
  %c0 = arith.constant 0 : index
  %0 = norm.layer_norm %x epsilon = 1.0e-5 : tensor<?x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 : tensor<?x8xf32>
  %2 = norm.l2_norm %1 epsilon = 1.0e-5 : tensor<?x8xf32>
  %3 = norm.residual_add %2, %x : tensor<?x8xf32>
  %4 = tensor.dim %3, %c0 : tensor<?x8xf32>
  return %4 : index
}

// CHECK-LABEL: func.func @stats
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x320xf32>, %[[Y:.*]]: tensor<?x?x320xf32>)
func.func @stats(%x: tensor<?x?x320xf32>, %y: tensor<?x?x320xf32>) -> (index, index, index, index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: %[[REDUCED:.*]] = tensor.dim %[[X]], %[[C1]]
  // CHECK: %[[MERGED1:.*]] = tensor.dim %[[X]], %[[C1]]
  // CHECK: %[[MERGED0:.*]] = tensor.dim %[[X]], %[[C0]]
  // CHECK: %[[APPLIED:.*]] = tensor.dim %[[Y]], %[[C1]]
  // CHECK: return %[[REDUCED]], %[[C3]], %[[MERGED1]], %[[MERGED0]], %[[APPLIED]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:2 = norm.row_stats layer %x axes = [0] : tensor<?x?x320xf32>
  %1:2 = norm.row_stats layer %x group_size = 128 : tensor<?x?x320xf32>
  %2:2 = norm.merge_stats layer %1#0, %1#1 group_size = 128 extent = 320 : tensor<?x?x3xf32>, tensor<?x?x3xf32>
  %3 = norm.apply_stats layer %y stats(%2#0, %2#1 : tensor<?x?xf32>, tensor<?x?xf32>) epsilon = 1.0e-5 : tensor<?x?x320xf32> -> tensor<?x?x320xbf16>
  %d0 = tensor.dim %0#1, %c0 : tensor<?x320xf32>
  %d1 = tensor.dim %1#1, %c2 : tensor<?x?x3xf32>
  %d2 = tensor.dim %2#1, %c1 : tensor<?x?xf32>
  %d3 = tensor.dim %2#0, %c0 : tensor<?x?xf32>
  %d4 = tensor.dim %3, %c1 : tensor<?x?x320xbf16>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}
