// RUN: renorm-opt %s -norm-order-loops | FileCheck %s
// RUN: renorm-opt %s -norm-order-loops -norm-order-loops | FileCheck %s

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#bt = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func @matmul
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
func.func @matmul(%a: memref<?x8xbf16>, %b: memref<8x6xbf16>, %c: memref<?x6xbf16>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x8xbf16>, memref<8x6xbf16>) outs(%c : memref<?x6xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %out: bf16):
    %0 = arith.mulf %x, %y : bf16
    %1 = arith.addf %out, %0 : bf16
    linalg.yield %1 : bf16
  }
  return
}

// The sum walks through both operands already.
// CHECK-LABEL: func @transposed
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
func.func @transposed(%a: memref<4x8xf32>, %b: memref<6x8xf32>, %c: memref<4x6xf32>) {
  linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x8xf32>, memref<6x8xf32>) outs(%c : memref<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// An index moves with its loop.
// CHECK-LABEL: func @index
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: linalg.index 1
func.func @index(%a: memref<8x4xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      outs(%a : memref<8x4xindex>) {
  ^bb0(%out: index):
    %0 = linalg.index 0 : index
    linalg.yield %0 : index
  }
  return
}

// The order of two sums could change the result.
// CHECK-LABEL: func @two_reductions
// CHECK: iterator_types = ["reduction", "reduction"]
// CHECK: memref<8x4xf32>
func.func @two_reductions(%a: memref<8x4xf32>, %c: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<8x4xf32>) outs(%c : memref<f32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.addf %out, %x : f32
    linalg.yield %0 : f32
  }
  return
}
