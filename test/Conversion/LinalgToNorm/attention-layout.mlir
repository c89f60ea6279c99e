// RUN: renorm-opt %s --norm-raise | FileCheck %s

// Where batch, heads and sequences are: reshapes, transpositions and repeated
// key/value heads are looked through.

#qk = affine_map<(b, h, m, n, c) -> (b, h, m, c)>
#kk = affine_map<(b, h, m, n, c) -> (b, h, n, c)>
#sk = affine_map<(b, h, m, n, c) -> (b, h, m, n)>
#pv = affine_map<(b, h, m, c, n) -> (b, h, m, n)>
#vv = affine_map<(b, h, m, c, n) -> (b, h, n, c)>
#ov = affine_map<(b, h, m, c, n) -> (b, h, m, c)>

// Batch and heads collapsed for batch_matmul, the key transposed, the result
// expanded: nothing of it is left but what made the operands.
// CHECK-LABEL: func @heads_collapsed
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x6x16xf32>, %[[K:.*]]: tensor<2x8x6x16xf32>, %[[V:.*]]: tensor<2x8x6x16xf32>
func.func @heads_collapsed(%q: tensor<2x8x6x16xf32>, %k: tensor<2x8x6x16xf32>, %v: tensor<2x8x6x16xf32>) -> tensor<2x6x8x16xf32> {
  %z = arith.constant 0.0 : f32
  %eq = tensor.empty() : tensor<2x6x8x16xf32>
  %ek = tensor.empty() : tensor<2x6x16x8xf32>
  %es = tensor.empty() : tensor<12x8x8xf32>
  %e4 = tensor.empty() : tensor<2x6x8x8xf32>
  %eo = tensor.empty() : tensor<12x8x16xf32>
  %zs = linalg.fill ins(%z : f32) outs(%es : tensor<12x8x8xf32>) -> tensor<12x8x8xf32>
  %zo = linalg.fill ins(%z : f32) outs(%eo : tensor<12x8x16xf32>) -> tensor<12x8x16xf32>
  // CHECK: %[[QT:.*]] = linalg.transpose ins(%[[Q]]
  %qt = linalg.transpose ins(%q : tensor<2x8x6x16xf32>) outs(%eq : tensor<2x6x8x16xf32>) permutation = [0, 2, 1, 3]
  // CHECK-NEXT: %[[VT:.*]] = linalg.transpose ins(%[[V]]
  %vt = linalg.transpose ins(%v : tensor<2x8x6x16xf32>) outs(%eq : tensor<2x6x8x16xf32>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k : tensor<2x8x6x16xf32>) outs(%ek : tensor<2x6x16x8xf32>) permutation = [0, 2, 3, 1]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x6x8x16xf32> into tensor<12x8x16xf32>
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x6x16x8xf32> into tensor<12x16x8xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<12x8x16xf32>, tensor<12x16x8xf32>) outs(%zs : tensor<12x8x8xf32>) -> tensor<12x8x8xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 6, 8, 8] : tensor<12x8x8xf32> into tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s4 : tensor<2x6x8x8xf32>) outs(%e4 : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %pc = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x6x8x8xf32> into tensor<12x8x8xf32>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x6x8x16xf32> into tensor<12x8x16xf32>
  %o = linalg.batch_matmul ins(%pc, %vc : tensor<12x8x8xf32>, tensor<12x8x16xf32>) outs(%zo : tensor<12x8x16xf32>) -> tensor<12x8x16xf32>
  %r = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 6, 8, 16] : tensor<12x8x16xf32> into tensor<2x6x8x16xf32>
  // CHECK: %[[KT:.*]] = linalg.transpose ins(%[[K]] {{.*}} permutation = [0, 2, 1, 3]
  // CHECK-NEXT: %[[O:.*]] = norm.attention %[[QT]], %[[KT]], %[[VT]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>
  // CHECK-NEXT: return %[[O]]
  return %r : tensor<2x6x8x16xf32>
}

// Softmax and mask-free logits of three dimensions: only the query tells batch
// and heads apart. The result, read as it is, is collapsed.
// CHECK-LABEL: func @logits_of_collapsed_heads
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<12x8x16xf32>, %[[V:.*]]: tensor<12x8x16xf32>
func.func @logits_of_collapsed_heads(%q: tensor<2x6x8x16xf32>, %k: tensor<12x8x16xf32>, %v: tensor<12x8x16xf32>) -> tensor<12x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<12x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<12x8x16xf32>
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x6x8x16xf32> into tensor<12x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, m, n, c) -> (h, m, c)>, affine_map<(h, m, n, c) -> (h, n, c)>, affine_map<(h, m, n, c) -> (h, m, n)>] ins(%qc, %k : tensor<12x8x16xf32>, tensor<12x8x16xf32>) outs(%zs : tensor<12x8x8xf32>) -> tensor<12x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<12x8x8xf32>) outs(%zs : tensor<12x8x8xf32>) -> tensor<12x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<12x8x8xf32>, tensor<12x8x16xf32>) outs(%zo : tensor<12x8x16xf32>) -> tensor<12x8x16xf32>
  // CHECK-NEXT: %[[KE:.*]] = tensor.expand_shape %[[K]] {{\[\[}}0, 1], [2], [3]]
  // CHECK-NEXT: %[[VE:.*]] = tensor.expand_shape %[[V]] {{\[\[}}0, 1], [2], [3]]
  // CHECK-NEXT: %[[O:.*]] = norm.attention %[[Q]], %[[KE]], %[[VE]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[O]] {{\[\[}}0, 1], [2], [3]]
  // CHECK-NEXT: return %[[C]]
  return %o : tensor<12x8x16xf32>
}

// [batch, sequence, heads, head_dim] all the way (einsum), values of another
// dimension than keys.
// CHECK-LABEL: func @heads_inside
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x6x16xf32>, %[[K:.*]]: tensor<2x9x6x16xf32>, %[[V:.*]]: tensor<2x9x6x5xf32>
func.func @heads_inside(%q: tensor<2x8x6x16xf32>, %k: tensor<2x9x6x16xf32>, %v: tensor<2x9x6x5xf32>) -> tensor<2x8x6x5xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x9xf32>
  %zo = arith.constant dense<0.0> : tensor<2x8x6x5xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, c) -> (b, m, h, c)>, affine_map<(b, h, m, n, c) -> (b, n, h, c)>, #sk] ins(%q, %k : tensor<2x8x6x16xf32>, tensor<2x9x6x16xf32>) outs(%zs : tensor<2x6x8x9xf32>) -> tensor<2x6x8x9xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x9xf32>) outs(%zs : tensor<2x6x8x9xf32>) -> tensor<2x6x8x9xf32>
  %o = linalg.contract indexing_maps = [#pv, affine_map<(b, h, m, c, n) -> (b, n, h, c)>, affine_map<(b, h, m, c, n) -> (b, m, h, c)>] ins(%p, %v : tensor<2x6x8x9xf32>, tensor<2x9x6x5xf32>) outs(%zo : tensor<2x8x6x5xf32>) -> tensor<2x8x6x5xf32>
  // CHECK: %[[QT:.*]] = linalg.transpose ins(%[[Q]] {{.*}} permutation = [0, 2, 1, 3]
  // CHECK: %[[KT:.*]] = linalg.transpose ins(%[[K]] {{.*}} permutation = [0, 2, 1, 3]
  // CHECK: %[[VT:.*]] = linalg.transpose ins(%[[V]] {{.*}} permutation = [0, 2, 1, 3]
  // CHECK: %[[O:.*]] = norm.attention %[[QT]], %[[KT]], %[[VT]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x6x9x16xf32>, tensor<2x6x9x5xf32>
  // CHECK: %[[OT:.*]] = linalg.transpose ins(%[[O]] {{.*}} permutation = [0, 2, 1, 3]
  // CHECK-NEXT: return %[[OT]]
  return %o : tensor<2x8x6x5xf32>
}

// The values are the first factor: o^T = v^T p^T.
// CHECK-LABEL: func @values_first
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<2x6x8x16xf32>, %[[V:.*]]: tensor<2x6x8x16xf32>
// CHECK: norm.attention %[[Q]], %[[K]], %[[V]]
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 2]
func.func @values_first(%q: tensor<2x6x8x16xf32>, %k: tensor<2x6x8x16xf32>, %v: tensor<2x6x8x16xf32>) -> tensor<2x6x16x8xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x16x8xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %k : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#vv, #pv, affine_map<(b, h, m, c, n) -> (b, h, c, m)>] ins(%v, %p : tensor<2x6x8x16xf32>, tensor<2x6x8x8xf32>) outs(%zo : tensor<2x6x16x8xf32>) -> tensor<2x6x16x8xf32>
  return %o : tensor<2x6x16x8xf32>
}

// CHECK-LABEL: func @one_head
// CHECK-SAME: %[[Q:.*]]: tensor<8x16xf32>, %[[K:.*]]: tensor<9x16xf32>, %[[V:.*]]: tensor<9x16xf32>
func.func @one_head(%q: tensor<8x16xf32>, %k: tensor<9x16xf32>, %v: tensor<9x16xf32>) -> tensor<8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<8x9xf32>
  %zo = arith.constant dense<0.0> : tensor<8x16xf32>
  %ek = tensor.empty() : tensor<16x9xf32>
  %kt = linalg.transpose ins(%k : tensor<9x16xf32>) outs(%ek : tensor<16x9xf32>) permutation = [1, 0]
  %s = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x9xf32>) outs(%zs : tensor<8x9xf32>) -> tensor<8x9xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x9xf32>) outs(%zs : tensor<8x9xf32>) -> tensor<8x9xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x9xf32>, tensor<9x16xf32>) outs(%zo : tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK-NEXT: %[[Q1:.*]] = tensor.expand_shape %[[Q]]
  // CHECK-NEXT: %[[K1:.*]] = tensor.expand_shape %[[K]]
  // CHECK-NEXT: %[[V1:.*]] = tensor.expand_shape %[[V]]
  // CHECK-NEXT: %[[O1:.*]] = norm.attention %[[Q1]], %[[K1]], %[[V1]] scale = 1.0 : tensor<1x8x16xf32>, tensor<1x9x16xf32>, tensor<1x9x16xf32>
  // CHECK-NEXT: %[[O:.*]] = tensor.collapse_shape %[[O1]]
  // CHECK-NEXT: return %[[O]]
  return %o : tensor<8x16xf32>
}

// One query against a cache; extents of 1 say nothing of which dimension is which.
// CHECK-LABEL: func @decode
// CHECK-SAME: %[[Q:.*]]: tensor<1x6x1x16xf32>, %[[K:.*]]: tensor<1x6x9x16xf32>, %[[V:.*]]: tensor<1x6x9x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<1x6x1x16xf32>
// CHECK-NEXT: return
func.func @decode(%q: tensor<1x6x1x16xf32>, %k: tensor<1x6x9x16xf32>, %v: tensor<1x6x9x16xf32>) -> tensor<1x6x1x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<1x6x1x9xf32>
  %zo = arith.constant dense<0.0> : tensor<1x6x1x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %k : tensor<1x6x1x16xf32>, tensor<1x6x9x16xf32>) outs(%zs : tensor<1x6x1x9xf32>) -> tensor<1x6x1x9xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<1x6x1x9xf32>) outs(%zs : tensor<1x6x1x9xf32>) -> tensor<1x6x1x9xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %v : tensor<1x6x1x9xf32>, tensor<1x6x9x16xf32>) outs(%zo : tensor<1x6x1x16xf32>) -> tensor<1x6x1x16xf32>
  return %o : tensor<1x6x1x16xf32>
}

//===----------------------------------------------------------------------===//
// Dynamic extents
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @dynamic_batch
// CHECK-SAME: %[[Q:[^:]*]]: tensor<?x6x8x16xf32>, %[[K:[^:]*]]: tensor<?x2x8x16xf32>, %[[V:[^:]*]]: tensor<?x2x8x16xf32>
// CHECK: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<?x6x8x16xf32>, tensor<?x2x8x16xf32>, tensor<?x2x8x16xf32>
// CHECK-NEXT: return %[[O]]
func.func @dynamic_batch(%q: tensor<?x6x8x16xf32>, %k: tensor<?x2x8x16xf32>, %v: tensor<?x2x8x16xf32>, %b: index, %n: index) -> tensor<?x6x8x16xf32> {
  %z = arith.constant 0.0 : f32
  %ek = tensor.empty(%b) : tensor<?x2x3x8x16xf32>
  %es = tensor.empty(%n) : tensor<?x8x8xf32>
  %eo = tensor.empty(%n) : tensor<?x8x16xf32>
  %zs = linalg.fill ins(%z : f32) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %zo = linalg.fill ins(%z : f32) outs(%eo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  %kr = linalg.broadcast ins(%k : tensor<?x2x8x16xf32>) outs(%ek : tensor<?x2x3x8x16xf32>) dimensions = [2]
  %vr = linalg.broadcast ins(%v : tensor<?x2x8x16xf32>) outs(%ek : tensor<?x2x3x8x16xf32>) dimensions = [2]
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x6x8x16xf32> into tensor<?x8x16xf32>
  %kc = tensor.collapse_shape %kr [[0, 1, 2], [3], [4]] : tensor<?x2x3x8x16xf32> into tensor<?x8x16xf32>
  %vc = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<?x2x3x8x16xf32> into tensor<?x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, m, n, c) -> (h, m, c)>, affine_map<(h, m, n, c) -> (h, n, c)>, affine_map<(h, m, n, c) -> (h, m, n)>] ins(%qc, %kc : tensor<?x8x16xf32>, tensor<?x8x16xf32>) outs(%zs : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x8x8xf32>) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %vc : tensor<?x8x8xf32>, tensor<?x8x16xf32>) outs(%zo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  %r = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [%b, 6, 8, 16] : tensor<?x8x16xf32> into tensor<?x6x8x16xf32>
  return %r : tensor<?x6x8x16xf32>
}

// CHECK-LABEL: func @dynamic_sequence
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x6x?x16xf32>, %[[K:[^:]*]]: tensor<2x6x?x16xf32>, %[[V:[^:]*]]: tensor<2x6x?x16xf32>, %[[M:[^:]*]]: tensor<2x1x?x?xf32>
// CHECK: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] mask(%[[M]] : tensor<2x1x?x?xf32>) scale = 1.0 : tensor<2x6x?x16xf32>, tensor<2x6x?x16xf32>, tensor<2x6x?x16xf32>
// CHECK-NEXT: return %[[O]]
func.func @dynamic_sequence(%q: tensor<2x6x?x16xf32>, %k: tensor<2x6x?x16xf32>, %v: tensor<2x6x?x16xf32>, %mask: tensor<2x1x?x?xf32>, %m: index, %n: index) -> tensor<2x6x?x16xf32> {
  %z = arith.constant 0.0 : f32
  %es = tensor.empty(%m, %n) : tensor<2x6x?x?xf32>
  %er = tensor.empty(%m) : tensor<2x6x?xf32>
  %eo = tensor.empty(%m) : tensor<2x6x?x16xf32>
  %zs = linalg.fill ins(%z : f32) outs(%es : tensor<2x6x?x?xf32>) -> tensor<2x6x?x?xf32>
  %zr = linalg.fill ins(%z : f32) outs(%er : tensor<2x6x?xf32>) -> tensor<2x6x?xf32>
  %zo = linalg.fill ins(%z : f32) outs(%eo : tensor<2x6x?x16xf32>) -> tensor<2x6x?x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %k : tensor<2x6x?x16xf32>, tensor<2x6x?x16xf32>) outs(%zs : tensor<2x6x?x?xf32>) -> tensor<2x6x?x?xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, 0, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x6x?x?xf32>, tensor<2x1x?x?xf32>) outs(%es : tensor<2x6x?x?xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x6x?x?xf32>
  %e = math.exp %x : tensor<2x6x?x?xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<2x6x?x?xf32>) outs(%zr : tensor<2x6x?xf32>) dimensions = [3]
  %d = linalg.broadcast ins(%r : tensor<2x6x?xf32>) outs(%es : tensor<2x6x?x?xf32>) dimensions = [3]
  %p = arith.divf %e, %d : tensor<2x6x?x?xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %v : tensor<2x6x?x?xf32>, tensor<2x6x?x16xf32>) outs(%zo : tensor<2x6x?x16xf32>) -> tensor<2x6x?x16xf32>
  return %o : tensor<2x6x?x16xf32>
}

// torch-mlir broadcasts dynamic dimensions by index; this one is none, because
// the extents are equal.
// CHECK-LABEL: func @broadcast_to_its_own_extent
// CHECK: norm.attention
// CHECK-NEXT: return
func.func @broadcast_to_its_own_extent(%q: tensor<?x8x16xf32>, %k: tensor<?x8x16xf32>, %v: tensor<?x8x16xf32>, %b: index, %n: index) -> tensor<?x8x16xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %es = tensor.empty(%b) : tensor<?x8x8xf32>
  %eo = tensor.empty(%b) : tensor<?x8x16xf32>
  %en = tensor.empty(%n) : tensor<?x8x8xf32>
  %zs = linalg.fill ins(%z : f32) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %zo = linalg.fill ins(%z : f32) outs(%eo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, m, n, c) -> (h, m, c)>, affine_map<(h, m, n, c) -> (h, n, c)>, affine_map<(h, m, n, c) -> (h, m, n)>] ins(%q, %k : tensor<?x8x16xf32>, tensor<?x8x16xf32>) outs(%zs : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<?x8x8xf32>) outs(%en : tensor<?x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x8x8xf32>
  %equal = arith.cmpi eq, %n, %b : index
  cf.assert %equal, "mismatched size for broadcast"
  %r = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%es : tensor<?x8x8xf32>) {
  ^bb0(%out: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %isOne = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %isOne, %c0, %h : index
    %x = tensor.extract %p[%at, %i, %j] : tensor<?x8x8xf32>
    linalg.yield %x : f32
  } -> tensor<?x8x8xf32>
  %a = linalg.softmax dimension(2) ins(%r : tensor<?x8x8xf32>) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %o = linalg.batch_matmul ins(%a, %v : tensor<?x8x8xf32>, tensor<?x8x16xf32>) outs(%zo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  return %o : tensor<?x8x16xf32>
}

// CHECK-LABEL: func @broadcast_at_run_time
// CHECK-NOT: norm.attention
// CHECK: return
func.func @broadcast_at_run_time(%q: tensor<?x8x16xf32>, %k: tensor<?x8x16xf32>, %v: tensor<?x8x16xf32>, %b: index, %n: index) -> tensor<?x8x16xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %es = tensor.empty(%b) : tensor<?x8x8xf32>
  %eo = tensor.empty(%b) : tensor<?x8x16xf32>
  %en = tensor.empty(%n) : tensor<?x8x8xf32>
  %zs = linalg.fill ins(%z : f32) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %zo = linalg.fill ins(%z : f32) outs(%eo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, m, n, c) -> (h, m, c)>, affine_map<(h, m, n, c) -> (h, n, c)>, affine_map<(h, m, n, c) -> (h, m, n)>] ins(%q, %k : tensor<?x8x16xf32>, tensor<?x8x16xf32>) outs(%zs : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<?x8x8xf32>) outs(%en : tensor<?x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%es : tensor<?x8x8xf32>) {
  ^bb0(%out: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %isOne = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %isOne, %c0, %h : index
    %x = tensor.extract %p[%at, %i, %j] : tensor<?x8x8xf32>
    linalg.yield %x : f32
  } -> tensor<?x8x8xf32>
  %a = linalg.softmax dimension(2) ins(%r : tensor<?x8x8xf32>) outs(%es : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %o = linalg.batch_matmul ins(%a, %v : tensor<?x8x8xf32>, tensor<?x8x16xf32>) outs(%zo : tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  return %o : tensor<?x8x16xf32>
}

//===----------------------------------------------------------------------===//
// Repeated key/value heads: query head h reads head h floordiv 3
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @repeated_by_broadcast
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<2x2x8x16xf32>, %[[V:.*]]: tensor<2x2x8x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>
func.func @repeated_by_broadcast(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x6x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x8x16xf32>
  %ek = tensor.empty() : tensor<2x2x3x8x16xf32>
  %kb = linalg.broadcast ins(%k : tensor<2x2x8x16xf32>) outs(%ek : tensor<2x2x3x8x16xf32>) dimensions = [2]
  %vb = linalg.broadcast ins(%v : tensor<2x2x8x16xf32>) outs(%ek : tensor<2x2x3x8x16xf32>) dimensions = [2]
  %kr = tensor.collapse_shape %kb [[0], [1, 2], [3], [4]] : tensor<2x2x3x8x16xf32> into tensor<2x6x8x16xf32>
  %vr = tensor.collapse_shape %vb [[0], [1, 2], [3], [4]] : tensor<2x2x3x8x16xf32> into tensor<2x6x8x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %kr : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %vr : tensor<2x6x8x8xf32>, tensor<2x6x8x16xf32>) outs(%zo : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %o : tensor<2x6x8x16xf32>
}

// Stacked three times along a new dimension; and each head sliced out and put
// down three times.
// CHECK-LABEL: func @repeated_by_concat
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<2x2x8x16xf32>, %[[V:.*]]: tensor<2x2x8x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>
func.func @repeated_by_concat(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x6x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x8x16xf32>
  %k5 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 8, 16] : tensor<2x2x8x16xf32> into tensor<2x2x1x8x16xf32>
  %kb = tensor.concat dim(2) %k5, %k5, %k5 : (tensor<2x2x1x8x16xf32>, tensor<2x2x1x8x16xf32>, tensor<2x2x1x8x16xf32>) -> tensor<2x2x3x8x16xf32>
  %kr = tensor.collapse_shape %kb [[0], [1, 2], [3], [4]] : tensor<2x2x3x8x16xf32> into tensor<2x6x8x16xf32>
  %v0 = tensor.extract_slice %v[0, 0, 0, 0] [2, 1, 8, 16] [1, 1, 1, 1] : tensor<2x2x8x16xf32> to tensor<2x1x8x16xf32>
  %v1 = tensor.extract_slice %v[0, 1, 0, 0] [2, 1, 8, 16] [1, 1, 1, 1] : tensor<2x2x8x16xf32> to tensor<2x1x8x16xf32>
  %vr = tensor.concat dim(1) %v0, %v0, %v0, %v1, %v1, %v1 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x6x8x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %kr : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %vr : tensor<2x6x8x8xf32>, tensor<2x6x8x16xf32>) outs(%zo : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %o : tensor<2x6x8x16xf32>
}

// Read by the contraction where they are: a floordiv in the map; or, here for
// the values, a dimension of the queries' heads that the values do not have.
// CHECK-LABEL: func @repeated_by_index
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<2x2x8x16xf32>, %[[V:.*]]: tensor<2x2x8x16xf32>
// CHECK: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>
// CHECK: %[[R:.*]] = tensor.expand_shape %[[O]] {{.*}} output_shape [2, 2, 3, 8, 16]
// CHECK: return %[[R]]
func.func @repeated_by_index(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x2x3x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x2x3x8x16xf32>
  %s = linalg.generic {indexing_maps = [#qk, affine_map<(b, h, m, n, c) -> (b, h floordiv 3, n, c)>, #sk], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.mulf %in, %in_0 : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p5 = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [2, 2, 3, 8, 8] : tensor<2x6x8x8xf32> into tensor<2x2x3x8x8xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, g, m, c, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, c, n) -> (b, h, n, c)>, affine_map<(b, h, g, m, c, n) -> (b, h, g, m, c)>] ins(%p5, %v : tensor<2x2x3x8x8xf32>, tensor<2x2x8x16xf32>) outs(%zo : tensor<2x2x3x8x16xf32>) -> tensor<2x2x3x8x16xf32>
  return %o : tensor<2x2x3x8x16xf32>
}

// All in five dimensions: the queries of one key/value head are no batch.
// CHECK-LABEL: func @heads_in_two_dimensions
// CHECK-SAME: %[[Q:.*]]: tensor<2x2x3x8x16xf32>, %[[K:.*]]: tensor<2x2x8x16xf32>, %[[V:.*]]: tensor<2x2x8x16xf32>
// CHECK: %[[QC:.*]] = tensor.collapse_shape %[[Q]] {{\[\[}}0], [1, 2], [3], [4]]
// CHECK: %[[O:.*]] = norm.attention %[[QC]], %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>
// CHECK: tensor.expand_shape %[[O]]
func.func @heads_in_two_dimensions(%q: tensor<2x2x3x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x2x3x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x2x3x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x2x3x8x16xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, g, m, n, c) -> (b, h, g, m, c)>, affine_map<(b, h, g, m, n, c) -> (b, h, n, c)>, affine_map<(b, h, g, m, n, c) -> (b, h, g, m, n)>] ins(%q, %k : tensor<2x2x3x8x16xf32>, tensor<2x2x8x16xf32>) outs(%zs : tensor<2x2x3x8x8xf32>) -> tensor<2x2x3x8x8xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<2x2x3x8x8xf32>) outs(%zs : tensor<2x2x3x8x8xf32>) -> tensor<2x2x3x8x8xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, g, m, c, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, c, n) -> (b, h, n, c)>, affine_map<(b, h, g, m, c, n) -> (b, h, g, m, c)>] ins(%p, %v : tensor<2x2x3x8x8xf32>, tensor<2x2x8x16xf32>) outs(%zo : tensor<2x2x3x8x16xf32>) -> tensor<2x2x3x8x16xf32>
  return %o : tensor<2x2x3x8x16xf32>
}

// CHECK-LABEL: func @one_key_value_head
// CHECK-SAME: %[[Q:.*]]: tensor<2x6x8x16xf32>, %[[K:.*]]: tensor<2x1x8x16xf32>, %[[V:.*]]: tensor<2x1x8x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>
func.func @one_key_value_head(%q: tensor<2x6x8x16xf32>, %k: tensor<2x1x8x16xf32>, %v: tensor<2x1x8x16xf32>) -> tensor<2x6x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x8x16xf32>
  %kr = tensor.concat dim(1) %k, %k, %k, %k, %k, %k : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x6x8x16xf32>
  %multiples = tosa.const_shape {values = dense<[1, 6, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %vr = tosa.tile %v, %multiples : (tensor<2x1x8x16xf32>, !tosa.shape<4>) -> tensor<2x6x8x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %kr : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %vr : tensor<2x6x8x8xf32>, tensor<2x6x8x16xf32>) outs(%zo : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %o : tensor<2x6x8x16xf32>
}

// Head h reads head h mod 2: that is not what norm.attention does with two
// heads, so the repeated heads stay.
// CHECK-LABEL: func @interleaved
// CHECK: %[[K:.*]] = tensor.concat
// CHECK: %[[V:.*]] = tensor.concat
// CHECK: norm.attention %{{.*}}, %[[K]], %[[V]] scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>
func.func @interleaved(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x6x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x8x16xf32>
  %kr = tensor.concat dim(1) %k, %k, %k : (tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>) -> tensor<2x6x8x16xf32>
  %vr = tensor.concat dim(1) %v, %v, %v : (tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>) -> tensor<2x6x8x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %kr : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %vr : tensor<2x6x8x8xf32>, tensor<2x6x8x16xf32>) outs(%zo : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %o : tensor<2x6x8x16xf32>
}

// Keys repeated, values not: both have the heads of the values.
// CHECK-LABEL: func @keys_repeated
// CHECK: %[[K:.*]] = tensor.collapse_shape
// CHECK: norm.attention %{{.*}}, %[[K]], %{{.*}} scale = 1.0 : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>
func.func @keys_repeated(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x6x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x6x8x16xf32>
  %ek = tensor.empty() : tensor<2x2x3x8x16xf32>
  %kb = linalg.broadcast ins(%k : tensor<2x2x8x16xf32>) outs(%ek : tensor<2x2x3x8x16xf32>) dimensions = [2]
  %kr = tensor.collapse_shape %kb [[0], [1, 2], [3], [4]] : tensor<2x2x3x8x16xf32> into tensor<2x6x8x16xf32>
  %s = linalg.contract indexing_maps = [#qk, #kk, #sk] ins(%q, %kr : tensor<2x6x8x16xf32>, tensor<2x6x8x16xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x6x8x8xf32>) outs(%zs : tensor<2x6x8x8xf32>) -> tensor<2x6x8x8xf32>
  %o = linalg.contract indexing_maps = [#pv, #vv, #ov] ins(%p, %v : tensor<2x6x8x8xf32>, tensor<2x6x8x16xf32>) outs(%zo : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %o : tensor<2x6x8x16xf32>
}
