// RUN: renorm-opt %s -norm-expand-memref | FileCheck %s

// CHECK-LABEL: func @one_element
// CHECK-SAME: %[[A:.*]]: memref<1x1xf32>, %[[B:.*]]: memref<1x1xf32, strided<[7, 1]>>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[X:.*]] = memref.load %[[A]][%[[C0]], %[[C0]]]
// CHECK: memref.store %[[X]], %[[B]][%[[C0]], %[[C0]]]
// CHECK-NOT: memref.copy
func.func @one_element(%a: memref<1x1xf32>, %b: memref<1x1xf32, strided<[7, 1]>>) {
  memref.copy %a, %b : memref<1x1xf32> to memref<1x1xf32, strided<[7, 1]>>
  return
}

// CHECK-LABEL: func @strided
// CHECK: linalg.copy
func.func @strided(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[7, 1]>>) {
  memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32, strided<[7, 1]>>
  return
}

// Upstream makes it memcpy.
// CHECK-LABEL: func @contiguous
// CHECK: memref.copy
func.func @contiguous(%a: memref<4x?xf32>, %b: memref<4x?xf32>) {
  memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>
  return
}
