// RUN: renorm-opt %s --norm-decompose-attention --split-input-file --verify-diagnostics | FileCheck %s
// RUN: renorm-opt %s --norm-decompose-attention --norm-decompose-attention --split-input-file --verify-diagnostics | FileCheck %s

// Query heads are split, keys and values are read as they are. The rounding to bf16 is that of the exponentials, and
// the sum is one of what was rounded.
// CHECK-LABEL: func.func @grouped(
// CHECK-SAME:    %[[Q:.*]]: tensor<6x10x16xbf16>, %[[K:.*]]: tensor<2x12x16xbf16>, %[[V:.*]]: tensor<2x12x8xbf16>
// CHECK:       %[[SPLIT:.*]] = tensor.expand_shape %[[Q]] {{.*}} into tensor<2x3x10x16xbf16>
// CHECK:       linalg.generic {{.*}} ins(%[[SPLIT]], %[[K]] : tensor<2x3x10x16xbf16>, tensor<2x12x16xbf16>)
// CHECK:       -> tensor<2x3x10x12xf32>
// CHECK:       arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:       %[[MAX:.*]] = linalg.generic {{.*}}"reduction"]}
// CHECK:       arith.maximumf
// CHECK:       -> tensor<2x3x10xf32>
// CHECK:       %[[E:.*]] = linalg.generic
// CHECK:       arith.subf
// CHECK-NEXT:  math.exp
// CHECK-NEXT:  arith.truncf %{{.*}} : f32 to bf16
// CHECK:       -> tensor<2x3x10x12xbf16>
// CHECK:       %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[E]] : tensor<2x3x10x12xbf16>)
// CHECK:       arith.extf
// CHECK-NEXT:  arith.addf
// CHECK:       %[[FACTOR:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<2x3x10xf32>)
// CHECK-NOT:   arith.select
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:       %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[E]], %[[V]] : tensor<2x3x10x12xbf16>, tensor<2x12x8xbf16>)
// CHECK:       -> tensor<2x3x10x8xf32>
// CHECK:       linalg.generic {{.*}} ins(%[[PRODUCT]], %[[FACTOR]] : tensor<2x3x10x8xf32>, tensor<2x3x10xf32>)
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.truncf %{{.*}} : f32 to bf16
// CHECK:       tensor.collapse_shape {{.*}} into tensor<6x10x8xbf16>
// CHECK-NOT:   norm.attention
func.func @grouped(%q: tensor<6x10x16xbf16>, %k: tensor<2x12x16xbf16>, %v: tensor<2x12x8xbf16>) -> tensor<6x10x8xbf16> {
  %0 = norm.attention %q, %k, %v : tensor<6x10x16xbf16>, tensor<2x12x16xbf16>, tensor<2x12x8xbf16>
  return %0 : tensor<6x10x8xbf16>
}

// -----

// CHECK-LABEL: func.func @zero_masked_rows(
// CHECK:       arith.maximumf
// CHECK:       arith.cmpf oeq
// CHECK-NEXT:  arith.constant 0.0
// CHECK-NEXT:  arith.select
// CHECK:       math.exp
// CHECK-NOT:   arith.truncf
// CHECK:       arith.addf
// CHECK:       arith.cmpf oeq
// CHECK:       arith.select
// CHECK-NEXT:  arith.divf
// CHECK:       return
func.func @zero_masked_rows(%q: tensor<2x10x16xf32>, %k: tensor<2x10x16xf32>, %v: tensor<2x10x16xf32>, %m: tensor<10x10xi1>) -> tensor<2x10x16xf32> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<10x10xi1>) zero_masked_rows : tensor<2x10x16xf32>, tensor<2x10x16xf32>, tensor<2x10x16xf32>
  return %0 : tensor<2x10x16xf32>
}

// -----

// Batches and queries may be dynamic.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK-NOT:   norm.attention
func.func @dynamic_rows(%q: tensor<?x2x?x16xf32>, %k: tensor<?x2x10x16xf32>, %v: tensor<?x2x10x16xf32>) -> tensor<?x2x?x16xf32> {
  %0 = norm.attention %q, %k, %v causal : tensor<?x2x?x16xf32>, tensor<?x2x10x16xf32>, tensor<?x2x10x16xf32>
  return %0 : tensor<?x2x?x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_keys(
// CHECK:       norm.attention
func.func @dynamic_keys(%q: tensor<2x10x16xf32>, %k: tensor<2x?x16xf32>, %v: tensor<2x?x16xf32>) -> tensor<2x10x16xf32> {
  // expected-remark @below {{the attention is not decomposed: the number of keys is dynamic}}
  %0 = norm.attention %q, %k, %v : tensor<2x10x16xf32>, tensor<2x?x16xf32>, tensor<2x?x16xf32>
  return %0 : tensor<2x10x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_heads(
// CHECK:       norm.attention
func.func @dynamic_heads(%q: tensor<?x10x16xf32>, %k: tensor<2x10x16xf32>, %v: tensor<2x10x16xf32>) -> tensor<?x10x16xf32> {
  // expected-remark @below {{the attention is not decomposed: the number of heads is dynamic}}
  %0 = norm.attention %q, %k, %v : tensor<?x10x16xf32>, tensor<2x10x16xf32>, tensor<2x10x16xf32>
  return %0 : tensor<?x10x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_width(
// CHECK:       norm.attention
func.func @dynamic_width(%q: tensor<2x10x16xf32>, %k: tensor<2x10x16xf32>, %v: tensor<2x10x?xf32>) -> tensor<2x10x?xf32> {
  // expected-remark @below {{the attention is not decomposed: the width of a head is dynamic}}
  %0 = norm.attention %q, %k, %v : tensor<2x10x16xf32>, tensor<2x10x16xf32>, tensor<2x10x?xf32>
  return %0 : tensor<2x10x?xf32>
}

// -----

// CHECK-LABEL: func.func @f64(
// CHECK:       norm.attention
func.func @f64(%q: tensor<2x10x16xf32>, %k: tensor<2x10x16xf32>, %v: tensor<2x10x16xf32>) -> tensor<2x10x16xf32> {
  // expected-remark @below {{the attention is not decomposed: it is computed in f64}}
  %0 = norm.attention %q, %k, %v compute_type = f64 : tensor<2x10x16xf32>, tensor<2x10x16xf32>, tensor<2x10x16xf32>
  return %0 : tensor<2x10x16xf32>
}
