// RUN: renorm-opt %s --pass-pipeline="builtin.module(norm-decompose-attention,norm-fuse{target=sm_80},canonicalize)" --split-input-file 2>/dev/null | FileCheck %s
// RUN: renorm-opt %s --pass-pipeline="builtin.module(norm-decompose-attention,norm-fuse{target=sm_80},canonicalize)" --split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The softmax is in the kernel of the logits, the division in that of the values, with the transpose behind it.
// REMARK: remark: one kernel in place of 6, which moves {{[0-9]+}} bytes in place of {{[0-9]+}}: whole_row
// REMARK: remark: one kernel in place of 3, which moves
// CHECK-LABEL: func.func @short(
// CHECK:       %[[E:.*]]:2 = norm.fusion strategies = [whole_row]
// CHECK-SAME:    -> (tensor<2x3x10x256xbf16>, tensor<2x3x10xf32>)
// CHECK:       arith.maximumf
// CHECK:       math.exp
// CHECK:       norm.yield
// CHECK:       %[[Y:.*]] = norm.fusion ({{.*}} = %[[E]]#0 : {{.*}} = %[[E]]#1 : tensor<2x3x10xf32>) -> (tensor<2x10x3x16xbf16>)
// CHECK:       linalg.transpose
// CHECK:       return %[[Y]]
func.func @short(%q: tensor<2x3x10x16xbf16>, %k: tensor<2x3x256x16xbf16>, %v: tensor<2x3x256x16xbf16>) -> tensor<2x10x3x16xbf16> {
  %0 = norm.attention %q, %k, %v causal : tensor<2x3x10x16xbf16>, tensor<2x3x256x16xbf16>, tensor<2x3x256x16xbf16>
  %empty = tensor.empty() : tensor<2x10x3x16xbf16>
  %1 = linalg.transpose ins(%0 : tensor<2x3x10x16xbf16>) outs(%empty : tensor<2x10x3x16xbf16>) permutation = [0, 2, 1, 3]
  return %1 : tensor<2x10x3x16xbf16>
}

// -----

// A row of 257 keys is not in one tile: the softmax is a kernel that goes through rows.
// CHECK-LABEL: func.func @long(
// CHECK:       %[[L:.*]] = norm.fusion ({{.*}}) -> (tensor<2x3x10x257xf32>)
// CHECK-NOT:   arith.maximumf
// CHECK:       norm.yield
// CHECK:       %[[E:.*]]:2 = norm.fusion strategies = [row_kernel] ({{.*}} = %[[L]] : tensor<2x3x10x257xf32>) -> (tensor<2x3x10x257xbf16>, tensor<2x3x10xf32>)
// CHECK:       arith.maximumf
// CHECK:       math.exp
// CHECK:       arith.divf
// CHECK:       norm.yield
// CHECK:       norm.fusion ({{.*}} = %[[E]]#0
// CHECK:       return
func.func @long(%q: tensor<2x3x10x16xbf16>, %k: tensor<2x3x257x16xbf16>, %v: tensor<2x3x257x16xbf16>) -> tensor<2x3x10x16xbf16> {
  %0 = norm.attention %q, %k, %v causal : tensor<2x3x10x16xbf16>, tensor<2x3x257x16xbf16>, tensor<2x3x257x16xbf16>
  return %0 : tensor<2x3x10x16xbf16>
}

// -----

#all = affine_map<(r, c) -> (r, c)>

// What is read along other rows than it was made of needs memory between.
// CHECK-LABEL: func.func @along_columns(
// CHECK:       %[[M:.*]] = norm.fusion strategies = [row_kernel]
// CHECK:       arith.maximumf
// CHECK:       norm.yield {{.*}} : tensor<8xf32>
// CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %[[M]]
// CHECK:       return
func.func @along_columns(%x: tensor<8x8xf32>, %low: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<8x8xf32>) outs(%low : tensor<8xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(r, c) -> (c)>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<8x8xf32>, tensor<8xf32>) outs(%empty : tensor<8x8xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %s = arith.subf %a, %m : f32
      linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

#all = affine_map<(r, c) -> (r, c)>

// Elements that are taken from what a matmul computes may be in other tiles.
// CHECK-LABEL: func.func @taken(
// CHECK:       %[[P:.*]] = norm.fusion
// CHECK:       norm.yield
// CHECK:       tensor.extract %[[P]]
// CHECK:       return
func.func @taken(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %r = linalg.index 0 : index
      %c = linalg.index 1 : index
      %t = tensor.extract %p[%c, %r] : tensor<8x8xf32>
      %s = arith.addf %t, %b : f32
      linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Reductions of other than the last dimensions stay where they are.
// CHECK-LABEL: func.func @of_columns(
// CHECK-NOT:   norm.fusion
// CHECK:       linalg.reduce
// CHECK:       return
func.func @of_columns(%x: tensor<4x8xf32>, %low: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%low : tensor<8xf32>) dimensions = [0]
  return %0 : tensor<8xf32>
}

// -----

#rows = affine_map<(n, r) -> (r)>
#all = affine_map<(n, r) -> (n, r)>

// What is read along a dimension that the kernel does not run over needs memory between, too.
// CHECK-LABEL: func.func @repeated(
// CHECK:       %[[M:.*]] = norm.fusion strategies = [row_kernel]
// CHECK:       norm.yield {{.*}} : tensor<8xf32>
// CHECK:       linalg.generic {{.*}} ins(%[[M]]
// CHECK:       return
func.func @repeated(%x: tensor<8x16xf32>, %low: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<8x16xf32>) outs(%low : tensor<8xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
    ^bb0(%m: f32, %o: f32):
      %s = arith.negf %m : f32
      linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
