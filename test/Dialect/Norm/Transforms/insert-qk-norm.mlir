// Where the norms of queries and keys go.

// RUN: renorm-opt %s --split-input-file '--norm-insert-qk-norm=params=argument' | FileCheck %s --check-prefixes=CHECK,HEAD
// RUN: renorm-opt %s --split-input-file '--norm-insert-qk-norm=params=argument scope=hidden' | FileCheck %s --check-prefixes=CHECK,HIDDEN
// RUN: renorm-opt %s --split-input-file '--norm-insert-qk-norm=params=argument position=after-rope' | FileCheck %s --check-prefixes=CHECK,AFTER
// RUN: renorm-opt %s --split-input-file '--norm-insert-qk-norm=params=argument position=after-rope scope=hidden' | FileCheck %s --check-prefixes=CHECK,AFTERHIDDEN

// Twice is once, and taken away again it is what it was.
// RUN: renorm-opt %s --split-input-file -o %t
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=layer bias scope=hidden' -o %t.once
// RUN: renorm-opt %t.once --split-input-file --norm-insert-qk-norm='kind=layer bias scope=hidden' | diff %t.once -
// RUN: renorm-opt %t.once --split-input-file --norm-remove-qk-norm | diff %t -
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=l2 seq-len=128 per-head params=argument' --norm-remove-qk-norm | diff %t -
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='kind=l2 g=7.3 position=after-rope params=global' --norm-remove-qk-norm | diff %t -
// RUN: renorm-opt %s --split-input-file --norm-insert-qk-norm='position=after-rope params=global' --norm-remove-qk-norm | diff %t -

// One projection of 6 heads of 2 for the query and of 2 for key and value, biases, a split into parts and into heads,
// and a repeat of the key's heads. The value is not touched; with scope=head the key is normalized before the repeat.
// CHECK-LABEL: func.func @projections
// HEAD-SAME: %[[QS:[^:]*]]: tensor<2xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.attention.q_norm.scale"}
// HEAD-SAME: %[[KS:[^:]*]]: tensor<2xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.attention.k_norm.scale"}
// HEAD: %[[QT:.*]] = linalg.transpose {{.*}} permutation = [1, 0, 2]
// HEAD: %[[Q:.*]] = norm.rms_norm %[[QT]] scale(%[[QS]] : tensor<2xf32>) epsilon = 1.0e-06 : tensor<6x4x2xf32>
// HEAD: %[[KT:.*]] = linalg.transpose {{.*}} permutation = [1, 0, 2]
// HEAD: %[[KE:.*]] = tensor.expand_shape %[[KT]]
// HEAD: %[[KN:.*]] = norm.rms_norm %[[KE]] scale(%[[KS]] : tensor<2xf32>) epsilon = 1.0e-06 : tensor<2x1x4x2xf32>
// HEAD: linalg.generic {{.*}} ins(%[[KN]] :
// HEAD: %[[K:.*]] = tensor.collapse_shape
// HEAD: norm.attention %[[Q]], %[[K]], %
// HIDDEN-SAME: tensor<12xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.attention.q_norm.scale"}
// HIDDEN-SAME: tensor<4xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.attention.k_norm.scale"}
// HIDDEN: %[[PART:.*]] = tensor.extract_slice %[[SUM:.*]][0, 0] [4, 12]
// HIDDEN: norm.rms_norm %[[PART]] {{.*}} epsilon = 1.0e-06 : tensor<4x12xf32>
// HIDDEN: norm.rms_norm {{.*}} epsilon = 1.0e-06 : tensor<4x4xf32>
// HEAD-NOT: norm.rms_norm
// HIDDEN-NOT: norm.rms_norm
// CHECK: return
func.func @projections(%x: tensor<4x12xf32>, %w: tensor<12x16xf32>, %b: tensor<16xf32>, %u: tensor<12x4xf32>, %o: tensor<12x12xf32>) -> tensor<4x12xf32> {
  %e16 = tensor.empty() : tensor<4x16xf32>
  %e12 = tensor.empty() : tensor<4x12xf32>
  %e4 = tensor.empty() : tensor<4x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x12xf32>, tensor<12x16xf32>) outs(%e16 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<4x16xf32>, tensor<16xf32>) outs(%e16 : tensor<4x16xf32>) {
    ^bb0(%l: f32, %r: f32, %out: f32):
      %s = arith.addf %l, %r : f32
      linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %q0 = tensor.extract_slice %sum[0, 0] [4, 12] [1, 1] : tensor<4x16xf32> to tensor<4x12xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [4, 6, 2] : tensor<4x12xf32> into tensor<4x6x2xf32>
  %eq = tensor.empty() : tensor<6x4x2xf32>
  %q = linalg.transpose ins(%q1 : tensor<4x6x2xf32>) outs(%eq : tensor<6x4x2xf32>) permutation = [1, 0, 2]
  %k0 = tensor.extract_slice %sum[0, 12] [4, 4] [1, 1] : tensor<4x16xf32> to tensor<4x4xf32>
  %k1 = tensor.expand_shape %k0 [[0], [1, 2]] output_shape [4, 2, 2] : tensor<4x4xf32> into tensor<4x2x2xf32>
  %ek = tensor.empty() : tensor<2x4x2xf32>
  %k2 = linalg.transpose ins(%k1 : tensor<4x2x2xf32>) outs(%ek : tensor<2x4x2xf32>) permutation = [1, 0, 2]
  %k3 = tensor.expand_shape %k2 [[0, 1], [2], [3]] output_shape [2, 1, 4, 2] : tensor<2x4x2xf32> into tensor<2x1x4x2xf32>
  %er = tensor.empty() : tensor<2x3x4x2xf32>
  %k4 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, 0, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k3 : tensor<2x1x4x2xf32>) outs(%er : tensor<2x3x4x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<2x3x4x2xf32>
  %k = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<2x3x4x2xf32> into tensor<6x4x2xf32>
  %v0 = linalg.matmul ins(%x, %o : tensor<4x12xf32>, tensor<12x12xf32>) outs(%e12 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %v1 = tensor.expand_shape %v0 [[0], [1, 2]] output_shape [4, 6, 2] : tensor<4x12xf32> into tensor<4x6x2xf32>
  %v = linalg.transpose ins(%v1 : tensor<4x6x2xf32>) outs(%eq : tensor<6x4x2xf32>) permutation = [1, 0, 2]
  %a = norm.attention %q, %k, %v : tensor<6x4x2xf32>, tensor<6x4x2xf32>, tensor<6x4x2xf32>
  %e2 = tensor.empty() : tensor<4x6x2xf32>
  %a1 = linalg.transpose ins(%a : tensor<6x4x2xf32>) outs(%e2 : tensor<4x6x2xf32>) permutation = [1, 0, 2]
  %a2 = tensor.collapse_shape %a1 [[0], [1, 2]] : tensor<4x6x2xf32> into tensor<4x12xf32>
  %y = norm.residual_add %x, %a2 : tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

// Around a rotation, here of interleaved pairs, in f32 within a model in f16. The heads are nowhere one dimension.
// CHECK-LABEL: func.func @rotation
// HEAD: %[[P:.*]] = arith.extf
// HEAD: norm.rms_norm %[[P]] scale(%{{.*}} : tensor<8xf16>) epsilon = 1.0e-06 : tensor<2x4x8xf32>
// HEAD: %[[KP:.*]] = linalg.batch_matmul
// HEAD: norm.rms_norm %[[KP]] scale(%{{.*}} : tensor<8xf16>) epsilon = 1.0e-06 : tensor<2x4x8xf16>
// HEAD-NOT: norm.rms_norm
// HIDDEN: %[[P:.*]] = arith.extf
// HIDDEN: norm.rms_norm %[[P]] scale(%{{.*}} : tensor<2x8xf16>) epsilon = 1.0e-06 axes = [0, 2] : tensor<2x4x8xf32>
// AFTER: %[[Q:.*]] = arith.truncf
// AFTER: %[[QN:.*]] = norm.rms_norm %[[Q]] scale(%{{.*}} : tensor<8xf16>)
// AFTER: %[[KN:.*]] = norm.rms_norm
// AFTER: norm.attention %[[QN]], %[[KN]]
// AFTERHIDDEN: %[[Q:.*]] = arith.truncf
// AFTERHIDDEN: norm.rms_norm %[[Q]] scale(%{{.*}} : tensor<2x8xf16>) epsilon = 1.0e-06 axes = [0, 2]
// CHECK: return
func.func @rotation(%x: tensor<2x4x8xf16>, %w: tensor<2x8x8xf16>, %cos: tensor<2x4x4xf32>, %sin: tensor<2x4x4xf32>) -> tensor<2x4x8xf16> {
  %e = tensor.empty() : tensor<2x4x8xf16>
  %v = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf16>, tensor<2x8x8xf16>) outs(%e : tensor<2x4x8xf16>) -> tensor<2x4x8xf16>
  %p = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf16>, tensor<2x8x8xf16>) outs(%e : tensor<2x4x8xf16>) -> tensor<2x4x8xf16>
  %q0 = arith.extf %p : tensor<2x4x8xf16> to tensor<2x4x8xf32>
  %qa = tensor.extract_slice %q0[0, 0, 0] [2, 4, 4] [1, 1, 2] : tensor<2x4x8xf32> to tensor<2x4x4xf32>
  %qb = tensor.extract_slice %q0[0, 0, 1] [2, 4, 4] [1, 1, 2] : tensor<2x4x8xf32> to tensor<2x4x4xf32>
  %q1 = arith.mulf %qa, %cos : tensor<2x4x4xf32>
  %q2 = arith.mulf %sin, %qb : tensor<2x4x4xf32>
  %q3 = arith.subf %q1, %q2 : tensor<2x4x4xf32>
  %q4 = arith.mulf %qb, %cos : tensor<2x4x4xf32>
  %q5 = arith.mulf %qa, %sin : tensor<2x4x4xf32>
  %q6 = arith.addf %q4, %q5 : tensor<2x4x4xf32>
  %q7 = tensor.expand_shape %q3 [[0], [1], [2, 3]] output_shape [2, 4, 4, 1] : tensor<2x4x4xf32> into tensor<2x4x4x1xf32>
  %q8 = tensor.expand_shape %q6 [[0], [1], [2, 3]] output_shape [2, 4, 4, 1] : tensor<2x4x4xf32> into tensor<2x4x4x1xf32>
  %q9 = tensor.concat dim(3) %q7, %q8 : (tensor<2x4x4x1xf32>, tensor<2x4x4x1xf32>) -> tensor<2x4x4x2xf32>
  %qr = tensor.collapse_shape %q9 [[0], [1], [2, 3]] : tensor<2x4x4x2xf32> into tensor<2x4x8xf32>
  %q = arith.truncf %qr : tensor<2x4x8xf32> to tensor<2x4x8xf16>
  // The key, by halves.
  %k0 = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf16>, tensor<2x8x8xf16>) outs(%e : tensor<2x4x8xf16>) -> tensor<2x4x8xf16>
  %ka = tensor.extract_slice %k0[0, 0, 0] [2, 4, 4] [1, 1, 1] : tensor<2x4x8xf16> to tensor<2x4x4xf16>
  %kb = tensor.extract_slice %k0[0, 0, 4] [2, 4, 4] [1, 1, 1] : tensor<2x4x8xf16> to tensor<2x4x4xf16>
  %kn = arith.negf %kb : tensor<2x4x4xf16>
  %ek = tensor.empty() : tensor<2x4x8xf16>
  %ki = tensor.insert_slice %kn into %ek[0, 0, 0] [2, 4, 4] [1, 1, 1] : tensor<2x4x4xf16> into tensor<2x4x8xf16>
  %kr = tensor.insert_slice %ka into %ki[0, 0, 4] [2, 4, 4] [1, 1, 1] : tensor<2x4x4xf16> into tensor<2x4x8xf16>
  %k = arith.addf %k0, %kr : tensor<2x4x8xf16>
  %a = norm.attention %q, %k, %v : tensor<2x4x8xf16>, tensor<2x4x8xf16>, tensor<2x4x8xf16>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf16>
  return %y : tensor<2x4x8xf16>
}

// -----

// What else reads the query or the key goes on reading it: the value, which is the key, and a cache.
// CHECK-LABEL: func.func @readers
// HEAD: %[[P:.*]] = linalg.batch_matmul
// HEAD: %[[Q:.*]] = norm.rms_norm %[[P]]
// HEAD: %[[KEY:.*]] = linalg.batch_matmul
// HEAD: %[[K:.*]] = norm.rms_norm %[[KEY]]
// HEAD: norm.attention %[[Q]], %[[K]], %[[KEY]]
// HEAD: return %{{.*}}, %[[KEY]], %[[P]]
func.func @readers(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>, %t: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %q = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %k = linalg.batch_matmul ins(%x, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %a = norm.attention %q, %k, %k : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %y = norm.residual_add %x, %a : tensor<2x4x8xf32>
  return %y, %k, %q : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// Two attentions, of one query and key, in no residual stream and in a loop; epsilon and cast are those of the
// function's norms.
// CHECK-LABEL: func.func @loop
// HEAD-SAME: norm.param = "layers.0.attention.q_norm.scale"
// HEAD-SAME: norm.param = "layers.0.attention.k_norm.scale"
// HEAD-SAME: norm.param = "attention.1.q_norm.scale"
// HEAD-SAME: norm.param = "attention.1.k_norm.scale"
// HEAD: %[[K1:.*]] = norm.rms_norm %[[X:.*]] scale{{.*}} epsilon = 0.001 cast_before_scale
// HEAD: %[[Q1:.*]] = norm.rms_norm %[[X]] scale{{.*}} epsilon = 0.001 cast_before_scale
// HEAD: scf.for
// HEAD: norm.rms_norm
// HEAD: %[[P:.*]] = linalg.batch_matmul
// HEAD: %[[K0:.*]] = norm.rms_norm %[[P]] scale{{.*}} epsilon = 0.001 cast_before_scale
// HEAD: %[[Q0:.*]] = norm.rms_norm %[[P]] scale{{.*}} epsilon = 0.001 cast_before_scale
// HEAD: norm.attention %[[Q0]], %[[K0]], %
// HEAD: scf.yield
// HEAD: norm.attention %[[Q1]], %[[K1]], %[[X]]
func.func @loop(%x: tensor<2x4x8xbf16>, %w: tensor<2x8x8xbf16>, %g: tensor<8xbf16>, %n: index) -> (tensor<2x4x8xbf16>, tensor<2x4x8xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x4x8xbf16>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<2x4x8xbf16> {
    %m = norm.rms_norm %t scale(%g : tensor<8xbf16>) epsilon = 1.0e-3 cast_before_scale : tensor<2x4x8xbf16>
    %q = linalg.batch_matmul ins(%m, %w : tensor<2x4x8xbf16>, tensor<2x8x8xbf16>) outs(%e : tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
    %v = linalg.batch_matmul ins(%m, %w : tensor<2x4x8xbf16>, tensor<2x8x8xbf16>) outs(%e : tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
    %a = norm.attention %q, %q, %v : tensor<2x4x8xbf16>, tensor<2x4x8xbf16>, tensor<2x4x8xbf16>
    %s = norm.residual_add %t, %a : tensor<2x4x8xbf16>
    scf.yield %s : tensor<2x4x8xbf16>
  }
  %b = norm.attention %x, %x, %x : tensor<2x4x8xbf16>, tensor<2x4x8xbf16>, tensor<2x4x8xbf16>
  return %y, %b : tensor<2x4x8xbf16>, tensor<2x4x8xbf16>
}

// -----

// A dynamic sequence, and heads that are found behind a reshape and a broadcast at run time.
// CHECK-LABEL: func.func @dynamic
// HEAD: norm.rms_norm {{.*}} : tensor<2x?x8xf32>
// HEAD: norm.rms_norm {{.*}} : tensor<2x?x8xf32>
// HIDDEN: %[[P:.*]] = linalg.matmul
// HIDDEN: norm.rms_norm %[[P]] scale(%{{.*}} : tensor<16xf32>) epsilon = 1.0e-06 : tensor<?x16xf32>
// HIDDEN: tensor.reshape
// CHECK: norm.attention
func.func @dynamic(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>, %shape: tensor<3xindex>, %key: tensor<2x?x8xf32>) -> tensor<2x?x8xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.reshape %p(%shape) : (tensor<?x16xf32>, tensor<3xindex>) -> tensor<?x2x8xf32>
  %et = tensor.empty(%d) : tensor<2x?x8xf32>
  %t = linalg.transpose ins(%h : tensor<?x2x8xf32>) outs(%et : tensor<2x?x8xf32>) permutation = [1, 0, 2]
  %q = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%et : tensor<2x?x8xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 2 : index
      %in = tensor.extract %t[%i, %c0, %k] : tensor<2x?x8xf32>
      linalg.yield %in : f32
  } -> tensor<2x?x8xf32>
  %a = norm.attention %q, %key, %key : tensor<2x?x8xf32>, tensor<2x?x8xf32>, tensor<2x?x8xf32>
  return %a : tensor<2x?x8xf32>
}
