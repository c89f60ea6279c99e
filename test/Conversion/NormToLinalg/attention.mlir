// RUN: renorm-opt %s -convert-norm-to-linalg -canonicalize | FileCheck %s

// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
// CHECK-DAG: #[[$LOGITS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$V:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[$GQ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
// CHECK-DAG: #[[$GK:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[$MASK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>

// CHECK-LABEL: func @plain
// CHECK-SAME: %[[Q:.*]]: tensor<2x4x5x16xf32>, %[[K:.*]]: tensor<2x4x7x16xf32>, %[[V:.*]]: tensor<2x4x7x8xf32>
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {indexing_maps = [#[[$Q]], #[[$K]], #[[$LOGITS]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[Q]], %[[K]]
// CHECK:   %[[PRODUCT:.*]] = arith.mulf
// CHECK:   arith.addf %{{.*}}, %[[PRODUCT]] fastmath<reassoc,contract> : f32
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[PRODUCTS]]
// CHECK:   arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK: linalg.fill ins(%[[LOWEST]] : f32)
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[SCALED]]
// CHECK:   arith.maximumf
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[SCALED]], %[[MAX]]
// CHECK:   %[[DIFF:.*]] = arith.subf
// CHECK:   math.exp %[[DIFF]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]]
// CHECK: %[[SOFTMAX:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]]
// CHECK:   arith.divf
// CHECK: %[[RESULT:.*]] = linalg.generic {indexing_maps = [#[[$Q]], #[[$V]], #[[$LOGITS]]]
// CHECK-SAME: ins(%[[SOFTMAX]], %[[V]]
// CHECK: return %[[RESULT]]
func.func @plain(%q: tensor<2x4x5x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x8xf32>)
    -> tensor<2x4x5x8xf32> {
  %0 = norm.attention %q, %k, %v : tensor<2x4x5x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// The heads of the query are split; no key or value is copied. The result is rounded once.
// CHECK-LABEL: func @grouped
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x5x16xbf16>, %[[K:.*]]: tensor<2x2x7x16xbf16>
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 3, 5, 16]
// CHECK: linalg.generic {indexing_maps = [#[[$GQ]], #[[$GK]],
// CHECK-SAME: ins(%[[SPLIT]], %[[K]]
// CHECK:   arith.extf %{{.*}} : bf16 to f32
// CHECK:   arith.extf %{{.*}} : bf16 to f32
// CHECK-NOT: arith.truncf
// CHECK: math.exp %{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK:   arith.truncf %{{.*}} : f32 to bf16
// CHECK: tensor.collapse_shape %[[RESULT]] {{\[\[}}0], [1, 2], [3], [4]]
func.func @grouped(%q: tensor<2x6x5x16xbf16>, %k: tensor<2x2x7x16xbf16>, %v: tensor<2x2x7x8xbf16>)
    -> tensor<2x6x5x8xbf16> {
  %0 = norm.attention %q, %k, %v : tensor<2x6x5x16xbf16>, tensor<2x2x7x16xbf16>, tensor<2x2x7x8xbf16>
  return %0 : tensor<2x6x5x8xbf16>
}

// CHECK-LABEL: func @softcap_and_float_mask
// CHECK-DAG: %[[CAP:.*]] = arith.constant 5.000000e+01 : f32
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK: %[[RATIO:.*]] = arith.divf %[[SCALED]], %[[CAP]]
// CHECK: %[[TANH:.*]] = math.tanh %[[RATIO]]
// CHECK: %[[CAPPED:.*]] = arith.mulf %[[TANH]], %[[CAP]]
// CHECK: arith.addf %[[CAPPED]], %{{.*}} : f32
func.func @softcap_and_float_mask(%q: tensor<2x4x5x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x8xf32>,
                                  %m: tensor<5x7xf32>) -> tensor<2x4x5x8xf32> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<5x7xf32>) scale = 0.125 softcap = 50.0
      : tensor<2x4x5x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// CHECK-LABEL: func @boolean_mask
// CHECK-SAME: %[[M:[a-z0-9]*]]: tensor<2x1x1x7xi1>
// CHECK: linalg.generic
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$MASK]], #{{.*}}]
// CHECK-SAME: %[[M]]
// CHECK: ^bb0(%{{.*}}: f32, %[[VISIBLE:.*]]: i1, %{{.*}}: f32):
// CHECK:   arith.select %[[VISIBLE]]
// A row without keys: nothing to subtract, nothing to divide by.
// CHECK: arith.maximumf
// CHECK: %[[EMPTY:.*]] = arith.cmpf oeq
// CHECK: %[[SHIFT:.*]] = arith.select %[[EMPTY]]
// CHECK: arith.subf %{{.*}}, %[[SHIFT]]
// CHECK: %[[EMPTY2:.*]] = arith.cmpf oeq
// CHECK: %[[SUM:.*]] = arith.select %[[EMPTY2]]
// CHECK: arith.divf %{{.*}}, %[[SUM]]
func.func @boolean_mask(%q: tensor<2x4x5x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x8xf32>,
                        %m: tensor<2x1x1x7xi1>) -> tensor<2x4x5x8xf32> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<2x1x1x7xi1>) zero_masked_rows
      : tensor<2x4x5x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// The last query is at the last key. Canonicalization adds the offset 2 and the width 3 up.
// CHECK-LABEL: func @causal_window
// CHECK-DAG: %[[OFFSET:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[FARTHEST:.*]] = arith.constant -1 : index
// CHECK: %[[ROW:.*]] = linalg.index 2
// CHECK: %[[KEY:.*]] = linalg.index 3
// CHECK: %[[POSITION:.*]] = arith.addi %[[ROW]], %[[OFFSET]]
// CHECK: %[[PAST:.*]] = arith.cmpi sle, %[[KEY]], %[[POSITION]]
// CHECK: %[[FIRST:.*]] = arith.addi %[[ROW]], %[[FARTHEST]]
// CHECK: %[[NEAR:.*]] = arith.cmpi sgt, %[[KEY]], %[[FIRST]]
// CHECK: %[[VISIBLE:.*]] = arith.andi %[[PAST]], %[[NEAR]]
// CHECK: arith.select %[[VISIBLE]]
func.func @causal_window(%q: tensor<2x4x5x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x8xf32>)
    -> tensor<2x4x5x8xf32> {
  %0 = norm.attention %q, %k, %v causal window = 3
      : tensor<2x4x5x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x5x8xf32>
}

// A scale of each head is split like the heads.
// CHECK-LABEL: func @learned_scale
// CHECK-SAME: %[[G:[a-z0-9]*]]: tensor<6xf32>
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[G]] {{\[\[}}0, 1]] output_shape [2, 3]
// CHECK: linalg.generic
// CHECK-SAME: %[[SPLIT]]
func.func @learned_scale(%q: tensor<2x6x5x16xf32>, %k: tensor<2x2x7x16xf32>, %v: tensor<2x2x7x8xf32>,
                         %g: tensor<6xf32>) -> tensor<2x6x5x8xf32> {
  %0 = norm.attention %q, %k, %v learned_scale(%g : tensor<6xf32>)
      : tensor<2x6x5x16xf32>, tensor<2x2x7x16xf32>, tensor<2x2x7x8xf32>
  return %0 : tensor<2x6x5x8xf32>
}

// Of dynamic heads, key heads and mask only the run tells what they are.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[Q:.*]]: tensor<?x?x?xf32>, %[[K:.*]]: tensor<?x?x?xf32>, %[[V:.*]]: tensor<?x?x?xf32>
// CHECK-SAME: %[[M:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[KVHEADS:.*]] = tensor.dim %[[K]], %[[C0]]
// CHECK: %[[HEADS:.*]] = tensor.dim %[[Q]], %[[C0]]
// CHECK: %[[NONZERO:.*]] = arith.maxui %[[KVHEADS]], %[[C1]]
// CHECK: %[[GROUP:.*]] = arith.divui %[[HEADS]], %[[NONZERO]]
// CHECK: tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2], [3]] output_shape [%[[KVHEADS]], %[[GROUP]], %{{.*}}, %{{.*}}]
// CHECK: %[[DEPTH:.*]] = tensor.dim %[[Q]], %[[C2]]
// CHECK: %[[INT:.*]] = arith.index_cast %[[DEPTH]]
// CHECK: %[[FLOAT:.*]] = arith.uitofp %[[INT]] : i64 to f64
// CHECK: math.sqrt %[[FLOAT]] : f64
// CHECK: %[[M0:.*]] = tensor.dim %[[M]], %[[C0]]
// CHECK: linalg.generic
// CHECK:   %[[ROW:.*]] = linalg.index 2
// CHECK:   %[[LAST:.*]] = arith.subi %[[M0]], %[[C1]]
// CHECK:   %[[I:.*]] = arith.minui %[[ROW]], %[[LAST]]
// CHECK:   tensor.extract %[[M]][%[[I]], %{{.*}}]
// CHECK: return %{{.*}} : tensor<?x?x?xf32>
func.func @dynamic(%q: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>, %v: tensor<?x?x?xf32>, %m: tensor<?x?xf32>)
    -> tensor<?x?x?xf32> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<?x?xf32>)
      : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
