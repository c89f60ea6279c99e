// RUN: renorm-opt %s --norm-raise --split-input-file | FileCheck %s
// RUN: renorm-opt %s --norm-raise --split-input-file > %t
// RUN: renorm-opt %s --norm-raise --norm-raise --split-input-file | diff %t -

// Two layers, one written x + f and one f + x; the sum is read by a norm, by the
// next addition and by the caller.

// CHECK-LABEL: func @trunk
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x8xf32>, %{{.*}}: tensor<8x8xf32>
// CHECK: %[[M0:.*]] = linalg.matmul
// CHECK: %[[Y:.*]] = norm.residual_add %[[X]], %[[M0]] : tensor<?x8xf32>
// CHECK: %[[N:.*]] = norm.rms_norm %[[Y]]
// CHECK: %[[M1:.*]] = linalg.matmul ins(%[[N]],
// CHECK: %[[Z:.*]] = norm.residual_add %[[Y]], %[[M1]] : tensor<?x8xf32>
// CHECK: return %[[Y]], %[[Z]]
func.func @trunk(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %i: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %m0 = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%i : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.add ins(%x, %m0 : tensor<?x8xf32>, tensor<?x8xf32>) outs(%i : tensor<?x8xf32>) -> tensor<?x8xf32>
  %n = norm.rms_norm %y epsilon = 1.0e-6 : tensor<?x8xf32>
  %m1 = linalg.matmul ins(%n, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%i : tensor<?x8xf32>) -> tensor<?x8xf32>
  %z = arith.addf %m1, %y : tensor<?x8xf32>
  return %y, %z : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// No contraction between the operands: positions, a bias of the full shape, a
// polynomial, a gate; and a sum of squares is no contraction.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func @no_residual
// CHECK-NOT: norm.residual_add
func.func @no_residual(%x: tensor<4x8xf32>, %pos: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<4x8xf32>, %i: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x1xf32>
  %x0 = arith.addf %x, %pos : tensor<4x8xf32>
  %m = linalg.matmul ins(%x0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %biased = arith.addf %m, %b : tensor<4x8xf32>
  %sq = arith.mulf %biased, %biased : tensor<4x8xf32>
  %cube = arith.mulf %sq, %biased : tensor<4x8xf32>
  %poly = arith.addf %biased, %cube : tensor<4x8xf32>
  %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %in : f32
    %q = arith.addf %p, %out : f32
    linalg.yield %q : f32
  } -> tensor<4x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ssq : tensor<4x8xf32>, tensor<4x1xf32>) outs(%i : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %p = arith.subf %in, %s : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  %z = arith.addf %x, %y : tensor<4x8xf32>
  return %poly, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Constant factors: of the branch, of the skip (DeepNorm), and none where the
// branch is computed from the scaled value itself.

// CHECK-LABEL: func @scaled
// CHECK-SAME: %[[EMB:[^:]*]]: tensor<4x8xbf16>
// CHECK: %[[X:.*]] = arith.mulf %[[EMB]]
// CHECK: %[[M0:.*]] = linalg.matmul ins(%[[X]],
// CHECK-NOT: arith.mulf
// CHECK: %[[Y:.*]] = norm.residual_add %[[X]], %[[M0]] branch_scale = 0.22 : tensor<4x8xbf16>
// CHECK: %[[M1:.*]] = linalg.matmul ins(%[[Y]],
// CHECK-NOT: arith.mulf
// CHECK: %[[Z:.*]] = norm.residual_add %[[Y]], %[[M1]] residual_scale = 2.3784 : tensor<4x8xbf16>
// CHECK: return %[[Z]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @scaled(%emb: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %i: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %root = arith.constant dense<2.828125> : tensor<4x8xbf16>
  %multiplier = arith.constant 0.22 : f64
  %alpha = arith.constant 2.3784 : f64
  %x = arith.mulf %emb, %root : tensor<4x8xbf16>
  %m0 = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%i : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %s0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m0 : tensor<4x8xbf16>) outs(%i : tensor<4x8xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %c = arith.truncf %multiplier : f64 to bf16
    %p = arith.mulf %in, %c : bf16
    linalg.yield %p : bf16
  } -> tensor<4x8xbf16>
  %y = arith.addf %x, %s0 : tensor<4x8xbf16>
  %m1 = linalg.matmul ins(%y, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%i : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %m1 : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%i : tensor<4x8xbf16>) {
  ^bb0(%skip: bf16, %in: bf16, %out: bf16):
    %c = arith.truncf %alpha : f64 to bf16
    %p = arith.mulf %c, %skip : bf16
    %q = arith.addf %p, %in : bf16
    linalg.yield %q : bf16
  } -> tensor<4x8xbf16>
  return %z : tensor<4x8xbf16>
}

// -----

// A sum that is rounded once, of a product that isn't rounded: not the dialect's.

// CHECK-LABEL: func @scaled_in_f32
// CHECK-NOT: norm.residual_add
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @scaled_in_f32(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %i: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %multiplier = arith.constant 0.22 : f32
  %m = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%i : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%i : tensor<4x8xbf16>) {
  ^bb0(%skip: bf16, %in: bf16, %out: bf16):
    %s = arith.extf %skip : bf16 to f32
    %b = arith.extf %in : bf16 to f32
    %p = arith.mulf %b, %multiplier : f32
    %q = arith.addf %s, %p : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

// -----

// Parallel attention and feed-forward: (x + a) + m, and x + (a + m).

// CHECK-LABEL: func @parallel
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK: %[[A:.*]] = linalg.matmul ins(%[[X]],
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[X]],
// CHECK: %[[XA:.*]] = norm.residual_add %[[X]], %[[A]]
// CHECK: %[[Y:.*]] = norm.residual_add %[[XA]], %[[M]]
// CHECK: %[[B:.*]] = linalg.matmul ins(%[[Y]],
// CHECK: %[[N:.*]] = linalg.matmul ins(%[[Y]],
// CHECK: %[[BN:.*]] = arith.addf %[[B]], %[[N]]
// CHECK: %[[Z:.*]] = norm.residual_add %[[Y]], %[[BN]]
// CHECK: return %[[Z]]
func.func @parallel(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %i: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %xa = arith.addf %x, %a : tensor<4x8xf32>
  %y = arith.addf %m, %xa : tensor<4x8xf32>
  %b = linalg.matmul ins(%y, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n = linalg.matmul ins(%y, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %bn = arith.addf %b, %n : tensor<4x8xf32>
  %z = arith.addf %y, %bn : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// -----

// Two additions to one skip, of branches that share their norm.

// CHECK-LABEL: func @shared_norm
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK-DAG: %[[Y:.*]] = norm.residual_add %[[X]],
// CHECK-DAG: %[[Z:.*]] = norm.residual_add %[[X]],
// CHECK: return %[[Y]], %[[Z]]
func.func @shared_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %i: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %n = norm.rms_norm %x epsilon = 1.0e-6 : tensor<4x8xf32>
  %c = math.tanh %n : tensor<4x8xf32>
  %a = linalg.matmul ins(%c, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = arith.addf %x, %a : tensor<4x8xf32>
  %m = linalg.matmul ins(%c, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = arith.addf %m, %x : tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// What each layer adds again is no skip, though the branch has met it in the
// layer before: positions added to the query, a mask of the logits' shape.

// CHECK-LABEL: func @met_before
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x8xf32>, %[[POS:[^:]*]]: tensor<8x8xf32>, %[[MASK:[^:]*]]: tensor<8x8xf32>
// CHECK: arith.addf %[[X]], %[[POS]]
// CHECK: arith.addf %{{.*}}, %[[MASK]]
// CHECK: %[[Y:.*]] = norm.residual_add %[[X]],
// CHECK: arith.addf %[[Y]], %[[POS]]
// CHECK: arith.addf %{{.*}}, %[[MASK]]
// CHECK: norm.residual_add %[[Y]],
func.func @met_before(%x: tensor<8x8xf32>, %pos: tensor<8x8xf32>, %mask: tensor<8x8xf32>, %i: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %q0 = arith.addf %x, %pos : tensor<8x8xf32>
  %l0 = linalg.matmul ins(%q0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = arith.addf %l0, %mask : tensor<8x8xf32>
  %a0 = linalg.matmul ins(%p0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = arith.addf %x, %a0 : tensor<8x8xf32>
  %q1 = arith.addf %y, %pos : tensor<8x8xf32>
  %l1 = linalg.matmul ins(%q1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p1 = arith.addf %l1, %mask : tensor<8x8xf32>
  %a1 = linalg.matmul ins(%p1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = arith.addf %y, %a1 : tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// A skip over two layers; Post-LN, so that norms lie on the trunk.

// CHECK-LABEL: func @over_layers
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK: %[[Y:.*]] = norm.residual_add %[[X]],
// CHECK: %[[NY:.*]] = norm.layer_norm %[[Y]]
// CHECK: %[[Z:.*]] = norm.residual_add %[[NY]],
// CHECK: %[[NZ:.*]] = norm.layer_norm %[[Z]]
// CHECK: norm.residual_add %[[X]], %[[NZ]]
func.func @over_layers(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %i: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = arith.addf %x, %a : tensor<4x8xf32>
  %ny = norm.layer_norm %y epsilon = 1.0e-5 : tensor<4x8xf32>
  %b = linalg.matmul ins(%ny, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = arith.addf %b, %ny : tensor<4x8xf32>
  %nz = norm.layer_norm %z epsilon = 1.0e-5 : tensor<4x8xf32>
  %long = arith.addf %nz, %x : tensor<4x8xf32>
  return %long : tensor<4x8xf32>
}

// -----

// Scanned layers: the trunk is carried by the loop, weights are captured.

// CHECK-LABEL: func @scan
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
// CHECK: %[[N:.*]] = norm.rms_norm %[[X]] scale(%{{.*}} : tensor<8xf32>)
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[N]],
// CHECK: %[[Y:.*]] = norm.residual_add %[[X]], %[[M]]
// CHECK: scf.yield %[[Y]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#w = affine_map<(d0, d1) -> (d1)>
func.func @scan(%x0: tensor<4x8xf32>, %ws: tensor<12x8x8xf32>, %gs: tensor<12x8xf32>, %i: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %n = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %r = scf.for %l = %c0 to %c12 step %c1 iter_args(%x = %x0) -> tensor<4x8xf32> {
    %w = tensor.extract_slice %ws[%l, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<12x8x8xf32> to tensor<8x8xf32>
    %g = tensor.extract_slice %gs[%l, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<8xf32>
    %ssq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %p = arith.mulf %in, %in : f32
      %q = arith.addf %p, %out : f32
      linalg.yield %q : f32
    } -> tensor<4xf32>
    %norm = linalg.generic {indexing_maps = [#id, #row, #w, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %ssq, %g : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) outs(%i : tensor<4x8xf32>) {
    ^bb0(%in: f32, %s: f32, %h: f32, %out: f32):
      %m = arith.divf %s, %n : f32
      %t = arith.addf %m, %eps : f32
      %u = math.rsqrt %t : f32
      %p = arith.mulf %in, %u : f32
      %q = arith.mulf %p, %h : f32
      linalg.yield %q : f32
    } -> tensor<4x8xf32>
    %m = linalg.matmul ins(%norm, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = arith.addf %x, %m : tensor<4x8xf32>
    scf.yield %y : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// tosa; a contraction in a generic of extended factors; one inside a region;
// attention.

// CHECK-LABEL: func @contractions
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x4x4xf32>
// CHECK: %[[A:.*]] = norm.residual_add %[[X]],
// CHECK: %[[B:.*]] = norm.residual_add %[[A]],
// CHECK: %[[C:.*]] = norm.residual_add %[[B]],
// CHECK: %[[D:.*]] = norm.residual_add %[[C]],
// CHECK: return %[[D]]
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @contractions(%x: tensor<1x4x4xf32>, %w: tensor<1x4x4xf32>, %h: tensor<4x4xf16>, %e: tensor<1x4x4xf32>, %p: i1) -> tensor<1x4x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zero = arith.constant dense<0.0> : tensor<1x4x4xf32>
  %m = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %a = tosa.add %m, %x : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %a16 = arith.truncf %a : tensor<1x4x4xf32> to tensor<1x4x4xf16>
  %c = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a16, %h : tensor<1x4x4xf16>, tensor<4x4xf16>) outs(%zero : tensor<1x4x4xf32>) {
  ^bb0(%l: f16, %r: f16, %out: f32):
    %l32 = arith.extf %l : f16 to f32
    %r32 = arith.extf %r : f16 to f32
    %q = arith.mulf %l32, %r32 : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4xf32>
  %b = tosa.add %a, %c : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %branch = scf.if %p -> tensor<1x4x4xf32> {
    %t = linalg.batch_matmul ins(%b, %w : tensor<1x4x4xf32>, tensor<1x4x4xf32>) outs(%zero : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    scf.yield %t : tensor<1x4x4xf32>
  } else {
    scf.yield %zero : tensor<1x4x4xf32>
  }
  %d = arith.addf %b, %branch : tensor<1x4x4xf32>
  %att = norm.attention %d, %d, %d : tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>
  %f = arith.addf %att, %d : tensor<1x4x4xf32>
  return %f : tensor<1x4x4xf32>
}
