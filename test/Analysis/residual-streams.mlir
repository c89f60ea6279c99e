// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s

// Which residual adds make a stream, and what stands where in it.

// Who reads the shape of the trunk does not read the trunk: the norm is on every way
// into the module.
// CHECK-LABEL: function @dim_read
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.ffn feed-forward pre in rms 1e-06 unscaled - - ?x16xf32
// CHECK-NOT: irregular
// CHECK: final norm rms 1e-06
func.func @dim_read(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<?x16xf32>
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %m = linalg.matmul ins(%n, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = norm.residual_add %x, %m : tensor<?x16xf32>
  %f = norm.rms_norm %y epsilon = 1.0e-06 : tensor<?x16xf32>
  return %f : tensor<?x16xf32>
}

// CHECK-LABEL: function @outs_read
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.ffn feed-forward pre in rms 1e-06 unscaled - - 12x16xf32
// CHECK-NOT: irregular
// CHECK: final norm rms 1e-06
func.func @outs_read(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>) -> tensor<12x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xf32>
  %c = arith.constant 0.0 : f32
  %z = linalg.fill ins(%c : f32) outs(%x : tensor<12x16xf32>) -> tensor<12x16xf32>
  %m = linalg.matmul ins(%n, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%z : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = norm.residual_add %x, %m : tensor<12x16xf32>
  %f = norm.rms_norm %y epsilon = 1.0e-06 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// Nor does a branch that has only its shape from the trunk.
// CHECK-LABEL: function @dim_connects
// CHECK: layers.0.module other none
// CHECK-NEXT: irregular: layers.0.module: its branch does not read the trunk
func.func @dim_connects(%x: tensor<?x16xf32>, %z: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %m = linalg.matmul ins(%z, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = norm.residual_add %x, %m : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// But an init that is accumulated on is read.
// CHECK-LABEL: function @accumulates
// CHECK: layers.0.ffn feed-forward none
// CHECK-NEXT: irregular: layers.0.ffn: its branch reads the trunk both through a norm and directly
func.func @accumulates(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>) -> tensor<12x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xf32>
  %m = linalg.matmul ins(%n, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%x : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = norm.residual_add %x, %m : tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}

// A loop over layers is one stream; what is before and after it belongs to it.
// CHECK-LABEL: function @scanned_pre
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.ffn feed-forward pre in rms 1e-06 unscaled - - 12x16xf32
// CHECK: trunk tensor<12x16xf32> from norm.layer_norm through scf.for, growth multiplicative
// CHECK-NEXT: embedding norm layer 1e-05
// CHECK-NEXT: final norm layer 0.001
func.func @scanned_pre(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>, %n: index) -> tensor<12x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = norm.layer_norm %x epsilon = 1.0e-05 : tensor<12x16xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x0) -> tensor<12x16xf32> {
    %t0 = norm.rms_norm %t epsilon = 1.0e-06 : tensor<12x16xf32>
    %m1 = linalg.matmul ins(%t0, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
    %x1 = norm.residual_add %t, %m1 : tensor<12x16xf32>
    scf.yield %x1 : tensor<12x16xf32>
  }
  %f = norm.layer_norm %l epsilon = 1.0e-03 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// CHECK-LABEL: function @scanned_post
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.ffn feed-forward post post - - rms 1e-06 unscaled 12x16xf32
// CHECK: through scf.for, growth bounded
// CHECK-NEXT: embedding norm layer 1e-05
// CHECK-NEXT: final norm layer 0.001
func.func @scanned_post(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>, %n: index) -> tensor<12x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = norm.layer_norm %x epsilon = 1.0e-05 : tensor<12x16xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x0) -> tensor<12x16xf32> {
    %m1 = linalg.matmul ins(%t, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
    %x1 = norm.residual_add %t, %m1 : tensor<12x16xf32>
    %t1 = norm.rms_norm %x1 epsilon = 1.0e-06 : tensor<12x16xf32>
    scf.yield %t1 : tensor<12x16xf32>
  }
  %f = norm.layer_norm %l epsilon = 1.0e-03 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// A norm at the head of the body is passed in every iteration: no embedding norm.
// CHECK-LABEL: function @loop_head_norm
// CHECK: irregular: layers.0.ffn: each iteration of its loop begins with a norm on the trunk
// CHECK: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-NEXT: other norm rms 1e-06
func.func @loop_head_norm(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>, %n: index) -> tensor<12x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<12x16xf32> {
    %t0 = norm.rms_norm %t epsilon = 1.0e-06 : tensor<12x16xf32>
    %m1 = linalg.matmul ins(%t0, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
    %x1 = norm.residual_add %t0, %m1 : tensor<12x16xf32>
    scf.yield %x1 : tensor<12x16xf32>
  }
  %f = norm.rms_norm %l epsilon = 1.0e-06 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// An attention in a region of the branch is the sublayer's, and the input norm is no
// QK-Norm.
// CHECK-LABEL: function @nested_attention
// CHECK: layers.0.attention self-attention pre in rms 1e-06 unscaled
// CHECK: layers.0.attention 4 4 16 0.25 - unbounded
func.func @nested_attention(%x: tensor<4x12x16xf32>, %c: i1) -> tensor<4x12x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = scf.if %c -> tensor<4x12x16xf32> {
    %b = norm.attention %n, %n, %n : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
    scf.yield %b : tensor<4x12x16xf32>
  } else {
    scf.yield %n : tensor<4x12x16xf32>
  }
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Where the trunk forks, the first add that continues it does; the others begin streams.
// CHECK-LABEL: function @fork
// CHECK-SAME: stream 0 of 2
// CHECK: layers.0.ffn feed-forward none
// CHECK-NEXT: layers.1.ffn feed-forward none
// CHECK: function @fork, stream 1 of 2
// CHECK: streams.1.layers.0.ffn feed-forward none
// CHECK: from norm.residual_add
func.func @fork(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> (tensor<12x16xf32>, tensor<12x16xf32>) {
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %s = norm.residual_add %x, %m : tensor<12x16xf32>
  %m2 = linalg.matmul ins(%s, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = norm.residual_add %s, %m2 : tensor<12x16xf32>
  %m3 = linalg.matmul ins(%s, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %z = norm.residual_add %s, %m3 : tensor<12x16xf32>
  return %y, %z : tensor<12x16xf32>, tensor<12x16xf32>
}

// A skip over other sublayers would share their trunk.
// CHECK-LABEL: function @long_skip
// CHECK-SAME: stream 0 of 2
// CHECK: layers.0.ffn feed-forward none
// CHECK-NEXT: layers.1.ffn feed-forward none
// CHECK-NOT: irregular
// CHECK: stream 1 of 2
// CHECK: irregular: streams.1.layers.0.ffn: its branch holds a residual add of another stream
func.func @long_skip(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %s = norm.residual_add %x, %m : tensor<12x16xf32>
  %m2 = linalg.matmul ins(%s, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = norm.residual_add %s, %m2 : tensor<12x16xf32>
  %z = norm.residual_add %x, %y : tensor<12x16xf32>
  return %z : tensor<12x16xf32>
}

// A stream inside a branch has its own trunk; its attention is its own.
// CHECK-LABEL: function @inner_stream
// CHECK-SAME: stream 0 of 2
// CHECK: layers.0.attention self-attention none
// CHECK: trunk tensor<4x12x16xf32> from norm.rms_norm
// CHECK-NEXT: embedding norm -
// CHECK: layers.0.attention 4 4 16 0.25 - unbounded
// CHECK: stream 1 of 2
// CHECK: streams.1.layers.0.attention self-attention pre in rms 1e-06
// CHECK-NOT: irregular
func.func @inner_stream(%x: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %n, %n, %n : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %i = norm.residual_add %n, %a : tensor<4x12x16xf32>
  %y = norm.residual_add %x, %i : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// The trunk added to itself.
// CHECK-LABEL: function @double
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.module other none
// CHECK-NEXT: layers.1.module other none
func.func @double(%x: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %y = norm.residual_add %x, %x : tensor<12x16xf32>
  %z = norm.residual_add %y, %y : tensor<12x16xf32>
  return %z : tensor<12x16xf32>
}

// Two trunks that feed each other (RevNet).
// CHECK-LABEL: function @reversible
// CHECK: irregular: layers.0.module: its branch does not read the trunk
// CHECK: irregular: streams.1.layers.0.ffn: its branch holds a residual add of another stream
func.func @reversible(%x1: tensor<12x16xf32>, %x2: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> (tensor<12x16xf32>, tensor<12x16xf32>) {
  %f = linalg.matmul ins(%x2, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y1 = norm.residual_add %x1, %f : tensor<12x16xf32>
  %g = linalg.matmul ins(%y1, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y2 = norm.residual_add %x2, %g : tensor<12x16xf32>
  return %y1, %y2 : tensor<12x16xf32>, tensor<12x16xf32>
}

// Several equal input norms are one; different ones are none.
// CHECK-LABEL: function @shared_norm
// CHECK-NEXT: sublayer
// CHECK-NEXT: layers.0.ffn gated-feed-forward pre in rms 1e-06 unscaled
// CHECK-NEXT: layers.1.ffn gated-feed-forward none -
// CHECK-NEXT: irregular: layers.1.ffn: its branch normalizes the trunk in different ways
func.func @shared_norm(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %n1 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xf32>
  %n2 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xf32>
  %m1 = linalg.matmul ins(%n1, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %m2 = linalg.matmul ins(%n2, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %p = arith.mulf %m1, %m2 : tensor<12x16xf32>
  %y = norm.residual_add %x, %p : tensor<12x16xf32>
  %n3 = norm.rms_norm %y epsilon = 1.0e-06 : tensor<12x16xf32>
  %n4 = norm.rms_norm %y epsilon = 1.0e-05 : tensor<12x16xf32>
  %m3 = linalg.matmul ins(%n3, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %m4 = linalg.matmul ins(%n4, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %q = arith.mulf %m3, %m4 : tensor<12x16xf32>
  %z = norm.residual_add %y, %q : tensor<12x16xf32>
  return %z : tensor<12x16xf32>
}

// A post norm, then a final norm: both stay.
// CHECK-LABEL: function @norm_of_norm
// CHECK: layers.0.ffn feed-forward post post - - rms 1e-06
// CHECK: final norm layer 1e-05
func.func @norm_of_norm(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %s = norm.residual_add %x, %m : tensor<12x16xf32>
  %y = norm.rms_norm %s epsilon = 1.0e-06 : tensor<12x16xf32>
  %f = norm.layer_norm %y epsilon = 1.0e-05 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// A value that comes from another block begins a stream.
// CHECK-LABEL: function @blocks
// CHECK-SAME: stream 0 of 2
// CHECK: from argument 0,
// CHECK: stream 1 of 2
// CHECK: from block argument 0,
func.func @blocks(%x: tensor<12x16xf32>, %c: i1) -> tensor<12x16xf32> {
  %1 = norm.residual_add %x, %x : tensor<12x16xf32>
  cf.cond_br %c, ^a(%1 : tensor<12x16xf32>), ^b
^a(%y: tensor<12x16xf32>):
  %2 = norm.residual_add %y, %y : tensor<12x16xf32>
  cf.br ^a(%2 : tensor<12x16xf32>)
^b:
  return %1 : tensor<12x16xf32>
}

// Rows are moved by indices that the branch computes.
// CHECK-LABEL: function @mixture_of_experts
// CHECK: layers.0.moe mixture-of-experts none
func.func @mixture_of_experts(%x: tensor<12x16xf32>, %w: tensor<3x16x16xf32>, %r: tensor<16x3xf32>, %e: tensor<12x16xf32>, %d: tensor<12x3xf32>) -> tensor<12x16xf32> {
  %scores = linalg.matmul ins(%x, %r : tensor<12x16xf32>, tensor<16x3xf32>) outs(%d : tensor<12x3xf32>) -> tensor<12x3xf32>
  %expert = arith.fptosi %scores : tensor<12x3xf32> to tensor<12x3xi64>
  %we = tensor.empty() : tensor<12x16x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(s, i, o) -> (s, 0)>, affine_map<(s, i, o) -> (s, i, o)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%expert : tensor<12x3xi64>) outs(%we : tensor<12x16x16xf32>) {
  ^bb0(%n: i64, %out: f32):
    %index = arith.index_cast %n : i64 to index
    %i = linalg.index 1 : index
    %o = linalg.index 2 : index
    %v = tensor.extract %w[%index, %i, %o] : tensor<3x16x16xf32>
    linalg.yield %v : f32
  } -> tensor<12x16x16xf32>
  %m = linalg.batch_vecmat ins(%x, %chosen : tensor<12x16xf32>, tensor<12x16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = norm.residual_add %x, %m : tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}

// A broadcast that reads where the loop is (torch-mlir's, of a dynamic extent) and a
// lookup by given positions are no experts.
// CHECK-LABEL: function @broadcast_by_extract
// CHECK: layers.0.ffn feed-forward none
func.func @broadcast_by_extract(%x: tensor<?x16xf32>, %table: tensor<32x16xf32>, %positions: tensor<?xi64>, %w: tensor<16x16xf32>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(s, d) -> (s)>, affine_map<(s, d) -> (s, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%positions : tensor<?xi64>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%p: i64, %out: f32):
    %position = arith.index_cast %p : i64 to index
    %s = linalg.index 0 : index
    %d = linalg.index 1 : index
    %v = tensor.extract %m[%s, %d] : tensor<?x16xf32>
    %t = tensor.extract %table[%position, %d] : tensor<32x16xf32>
    %r = arith.addf %v, %t : f32
    linalg.yield %r : f32
  } -> tensor<?x16xf32>
  %y = norm.residual_add %x, %b : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// The product of two projections, in TOSA.
// CHECK-LABEL: function @gated_tosa
// CHECK: layers.0.ffn gated-feed-forward pre in rms 1e-06 unscaled
func.func @gated_tosa(%x: tensor<1x12x16xf32>, %w: tensor<1x16x16xf32>) -> tensor<1x12x16xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %n = norm.rms_norm %x epsilon = 1.0e-06 : tensor<1x12x16xf32>
  %gate = tosa.matmul %n, %w, %zero, %zero : (tensor<1x12x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x16xf32>
  %up = tosa.matmul %n, %w, %zero, %zero : (tensor<1x12x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x16xf32>
  %open = tosa.sigmoid %gate : (tensor<1x12x16xf32>) -> tensor<1x12x16xf32>
  %p = tosa.mul %open, %up, %shift : (tensor<1x12x16xf32>, tensor<1x12x16xf32>, tensor<1xi8>) -> tensor<1x12x16xf32>
  %m = tosa.matmul %p, %w, %zero, %zero : (tensor<1x12x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x16xf32>
  %y = norm.residual_add %x, %m : tensor<1x12x16xf32>
  return %y : tensor<1x12x16xf32>
}
