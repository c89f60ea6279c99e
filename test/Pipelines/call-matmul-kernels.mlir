// RUN: renorm-opt %s -norm-call-matmul-kernels=minimum-products=1000 | FileCheck %s
// RUN: renorm-opt %s -norm-call-matmul-kernels=minimum-products=1000 -norm-call-matmul-kernels=minimum-products=1000 \
// RUN:   | FileCheck %s
// RUN: not renorm-opt %s -norm-call-matmul-kernels=vector-bits=0 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: expected 'vector-bits' to be 128, 256 or 512, but got 0
// RUN: renorm-opt %s -norm-call-matmul-kernels='minimum-products=1000 vector-bits=512' | FileCheck %s --check-prefix=WIDE

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#bt = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
#ct = affine_map<(i, j, k) -> (j, i)>

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[A:.*]]: memref<?x8xf32>, %[[B:.*]]: memref<8x60xf32>, %[[C:.*]]: memref<?x60xf32>
// CHECK-DAG: %[[X:.*]] = memref.cast %[[A]] : memref<?x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-DAG: %[[Y:.*]] = memref.cast %[[B]] : memref<8x60xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-DAG: %[[Z:.*]] = memref.cast %[[C]] : memref<?x60xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK: call @renorm_matmul_f32_f32_f32(%[[X]], %[[Y]], %[[Z]])
// CHECK-NOT: linalg.matmul
func.func @matmul(%a: memref<?x8xf32>, %b: memref<8x60xf32>, %c: memref<?x60xf32>) {
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x60xf32>) outs(%c : memref<?x60xf32>)
  return
}

// The same function; layouts are known when it runs.
// CHECK-LABEL: func @transposed
// CHECK: memref.transpose %{{.*}} (d0, d1) -> (d1, d0) : memref<60x8xf32>
// CHECK: call @renorm_matmul_f32_f32_f32(
func.func @transposed(%a: memref<4x8xf32>, %b: memref<60x8xf32>, %c: memref<4x60xf32>) {
  linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x8xf32>, memref<60x8xf32>) outs(%c : memref<4x60xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %y, %x : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  }
  return
}

// The rows of the result are contiguous along the dimension of the left operand: it becomes the right one.
// CHECK-LABEL: func @transposed_result
// CHECK-SAME: %[[A:.*]]: memref<4x8xbf16>, %[[B:.*]]: memref<8x60xf32>
// CHECK-DAG: %[[BT:.*]] = memref.transpose %[[B]]
// CHECK-DAG: %[[X:.*]] = memref.cast %[[BT]]
// CHECK-DAG: %[[AT:.*]] = memref.transpose %[[A]]
// CHECK-DAG: %[[Y:.*]] = memref.cast %[[AT]]
// CHECK: call @renorm_matmul_f32_bf16_f32(%[[X]], %[[Y]], %{{.*}})
func.func @transposed_result(%a: memref<4x8xbf16>, %b: memref<8x60xf32>, %c: memref<60x4xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #ct], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x8xbf16>, memref<8x60xf32>) outs(%c : memref<60x4xf32>) {
  ^bb0(%x0: bf16, %y: f32, %out: f32):
    %x = arith.extf %x0 : bf16 to f32
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func @batch
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: memref.subview %{{.*}}[%[[I]], 0, 0] [1, 4, 8] [1, 1, 1]
// CHECK: memref.subview %{{.*}}[%[[I]], 0, 0] [1, 8, 60] [1, 1, 1]
// CHECK: memref.subview %{{.*}}[%[[I]], 0, 0] [1, 4, 60] [1, 1, 1]
// CHECK: call @renorm_matmul_f64_f64_f64(
func.func @batch(%a: memref<3x4x8xf64>, %b: memref<3x8x60xf64>, %c: memref<3x4x60xf64>) {
  linalg.batch_matmul ins(%a, %b : memref<3x4x8xf64>, memref<3x8x60xf64>) outs(%c : memref<3x4x60xf64>)
  return
}

// Sums that are rounded to 16 bits one by one.
// CHECK-LABEL: func @narrow_sum
// CHECK: linalg.matmul
func.func @narrow_sum(%a: memref<4x8xbf16>, %b: memref<8x60xbf16>, %c: memref<4x60xbf16>) {
  linalg.matmul ins(%a, %b : memref<4x8xbf16>, memref<8x60xbf16>) outs(%c : memref<4x60xbf16>)
  return
}

// CHECK-LABEL: func @integers
// CHECK: linalg.matmul
func.func @integers(%a: memref<4x8xi32>, %b: memref<8x60xi32>, %c: memref<4x60xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xi32>, memref<8x60xi32>) outs(%c : memref<4x60xi32>)
  return
}

// CHECK-LABEL: func @vector
// CHECK: linalg.matvec
func.func @vector(%a: memref<40x80xf32>, %b: memref<80xf32>, %c: memref<40xf32>) {
  linalg.matvec ins(%a, %b : memref<40x80xf32>, memref<80xf32>) outs(%c : memref<40xf32>)
  return
}

// CHECK-LABEL: func @few_products
// CHECK: linalg.matmul
func.func @few_products(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// Rows that are not contiguous.
// CHECK-LABEL: func @strided_result
// CHECK: linalg.matmul
func.func @strided_result(%a: memref<4x8xf32>, %b: memref<8x60xf32>, %c: memref<4x60xf32, strided<[120, 2]>>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x60xf32>) outs(%c : memref<4x60xf32, strided<[120, 2]>>)
  return
}

// CHECK-LABEL: func @other_body
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @other_body(%a: memref<4x8xf32>, %b: memref<8x60xf32>, %c: memref<4x60xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x8xf32>, memref<8x60xf32>) outs(%c : memref<4x60xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %x : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x8xf32>, memref<8x60xf32>) outs(%c : memref<4x60xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.subf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// One function for each combination of types.
// CHECK-COUNT-1: func private @renorm_matmul_f32_f32_f32(
// CHECK-NOT: func private @renorm_matmul_f32_f32_f32(

// The widest tile that fits the registers.
// WIDE: func private @renorm_packed_matmul_f32_f32(
// WIDE: {{(vector<32xf32>, ){11}vector<32xf32>}})
