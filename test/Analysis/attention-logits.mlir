// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s

// QK-Norm and bounds on the logits. A bound is given only where it holds for every
// input.

// Of 16 elements of mean square 1: 4 * 4 / 4.
// CHECK-LABEL: function @unscaled_rms
// CHECK: layers.0.attention 4 4 16 0.25 rms 1e-06 unscaled head no-rope <= 4{{$}}
func.func @unscaled_rms(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %q = norm.rms_norm %p epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Scales 3 and 1 + 0.5, biases of magnitude 0.25 and 0: (3 * 4 + 0.25 * 4) * (1.5 * 4) / 4.
// CHECK-LABEL: function @constant_scale
// CHECK: layer 1e-06 head no-rope <= 19.5{{$}}
func.func @constant_scale(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %g = arith.constant dense<[1.0, -3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<16xf32>
  %b = arith.constant dense<-0.25> : tensor<16xf32>
  %h = arith.constant dense<0.5> : tensor<16xf32>
  %q = norm.layer_norm %p scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v scale(%h : tensor<16xf32>) epsilon = 1.0e-06 unit_offset : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Henry et al. 2020: the learned scale is the bound; a constant one, so that it is known.
// CHECK-LABEL: function @unit_length
// CHECK: 4 4 16 learned l2 1e-12 clamp unscaled head no-rope <= 10{{$}}
func.func @unit_length(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %g = arith.constant dense<[1.0, -10.0, 3.0, 0.0]> : tensor<4xf32>
  %q = norm.l2_norm %p epsilon = 1.0e-12 epsilon_mode = clamp : tensor<4x12x16xf32>
  %k = norm.l2_norm %v epsilon = 1.0e-12 epsilon_mode = clamp : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v learned_scale(%g : tensor<4xf32>) : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @soft_cap
// CHECK: 4 4 16 0.25 50 - <= 50{{$}}
func.func @soft_cap(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %q = tensor.cast %p : tensor<4x12x16xf32> to tensor<4x12x16xf32>
  %k = tensor.cast %v : tensor<4x12x16xf32> to tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v softcap = 50.0 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// A parameter may be anything.
// CHECK-LABEL: function @parameter_scale
// CHECK: rms 1e-06 head no-rope unbounded
func.func @parameter_scale(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>, %g: tensor<16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %q = norm.rms_norm %p scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Nor is there a bound on what is not a number.
// CHECK-LABEL: function @nan_scale
// CHECK: rms 1e-06 head no-rope unbounded
func.func @nan_scale(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %g = arith.constant dense<[0x7FC00000, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<16xf32>
  %q = norm.rms_norm %p scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// One of the two is not enough.
// CHECK-LABEL: function @query_only
// CHECK: other norm rms 1e-06
// CHECK: 4 4 16 0.25 - unbounded
func.func @query_only(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %q = norm.rms_norm %p epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = tensor.cast %v : tensor<4x12x16xf32> to tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Over the sequence, which happens to be as long as head_dim.
// CHECK-LABEL: function @wrong_axis
// CHECK: layers.0.attention 4 4 16 0.25 - unbounded
func.func @wrong_axis(%x: tensor<4x16x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %m = linalg.batch_matmul ins(%x, %w : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %q = norm.rms_norm %m epsilon = 1.0e-06 axes = [1] : tensor<4x16x16xf32>
  %a = norm.attention %q, %q, %m : tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x16x16xf32>
  return %y : tensor<4x16x16xf32>
}

// Over what was head_dim before it was transposed away.
// CHECK-LABEL: function @transposed
// CHECK: layers.0.attention 4 4 16 0.25 - unbounded
func.func @transposed(%x: tensor<4x16x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %m = linalg.batch_matmul ins(%x, %w : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %q0 = norm.rms_norm %m epsilon = 1.0e-06 : tensor<4x16x16xf32>
  %q = linalg.transpose ins(%q0 : tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) permutation = [0, 2, 1]
  %a = norm.attention %q, %q, %m : tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x16x16xf32>
  return %y : tensor<4x16x16xf32>
}

// Moved elements keep their row, within a stream or not, whatever the shapes.
// CHECK-LABEL: function @no_sublayer
// CHECK: attention 0 4 4 16 0.25 rms 1e-06 unscaled head no-rope <= 4{{$}}
func.func @no_sublayer(%x: tensor<12x4x16xf32>, %w: tensor<12x16x16xf32>, %e: tensor<12x4x16xf32>) -> tensor<4x12x16xf32> {
  %m = linalg.batch_matmul ins(%x, %w : tensor<12x4x16xf32>, tensor<12x16x16xf32>) outs(%e : tensor<12x4x16xf32>) -> tensor<12x4x16xf32>
  %q0 = norm.rms_norm %m epsilon = 1.0e-06 : tensor<12x4x16xf32>
  %e2 = tensor.empty() : tensor<4x12x16xf32>
  %q = linalg.transpose ins(%q0 : tensor<12x4x16xf32>) outs(%e2 : tensor<4x12x16xf32>) permutation = [1, 0, 2]
  %a = norm.attention %q, %q, %q : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return %a : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @dynamic_transpose
// CHECK: layers.0.attention 4 4 16 0.25 rms 1e-06 unscaled head no-rope <= 4{{$}}
func.func @dynamic_transpose(%x: tensor<4x?x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x?x16xf32>) -> tensor<4x?x16xf32> {
  %c1 = arith.constant 1 : index
  %m = linalg.batch_matmul ins(%x, %w : tensor<4x?x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %q0 = norm.rms_norm %m epsilon = 1.0e-06 : tensor<4x?x16xf32>
  %d = tensor.dim %q0, %c1 : tensor<4x?x16xf32>
  %e2 = tensor.empty(%d) : tensor<4x?x16xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(a,b,c)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%q0 : tensor<4x?x16xf32>) outs(%e2 : tensor<4x?x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x?x16xf32>
  %a = norm.attention %q, %q, %m : tensor<4x?x16xf32>, tensor<4x?x16xf32>, tensor<4x?x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x?x16xf32>
  return %y : tensor<4x?x16xf32>
}

// OLMo 2: over all heads before they are split, 4 of the query and 2 of the key:
// 8 * sqrt(32) / 4.
// CHECK-LABEL: function @hidden
// CHECK: layers.0.attention 4 2 16 0.25 rms 1e-06 unscaled hidden no-rope <= 11.3137{{$}}
func.func @hidden(%x: tensor<12x64xf32>, %w: tensor<64x64xf32>, %u: tensor<64x32xf32>, %e: tensor<12x64xf32>, %d: tensor<12x32xf32>) -> tensor<12x64xf32> {
  %q0 = linalg.matmul ins(%x, %w : tensor<12x64xf32>, tensor<64x64xf32>) outs(%e : tensor<12x64xf32>) -> tensor<12x64xf32>
  %k0 = linalg.matmul ins(%x, %u : tensor<12x64xf32>, tensor<64x32xf32>) outs(%d : tensor<12x32xf32>) -> tensor<12x32xf32>
  %qn = norm.rms_norm %q0 epsilon = 1.0e-06 : tensor<12x64xf32>
  %kn = norm.rms_norm %k0 epsilon = 1.0e-06 : tensor<12x32xf32>
  %qe = tensor.expand_shape %qn [[0], [1, 2]] output_shape [12, 4, 16] : tensor<12x64xf32> into tensor<12x4x16xf32>
  %ke = tensor.expand_shape %kn [[0], [1, 2]] output_shape [12, 2, 16] : tensor<12x32xf32> into tensor<12x2x16xf32>
  %q1 = tensor.empty() : tensor<4x12x16xf32>
  %k1 = tensor.empty() : tensor<2x12x16xf32>
  %q = linalg.transpose ins(%qe : tensor<12x4x16xf32>) outs(%q1 : tensor<4x12x16xf32>) permutation = [1, 0, 2]
  %k = linalg.transpose ins(%ke : tensor<12x2x16xf32>) outs(%k1 : tensor<2x12x16xf32>) permutation = [1, 0, 2]
  %a = norm.attention %q, %k, %k : tensor<4x12x16xf32>, tensor<2x12x16xf32>, tensor<2x12x16xf32>
  %at = linalg.transpose ins(%a : tensor<4x12x16xf32>) outs(%qe : tensor<12x4x16xf32>) permutation = [1, 0, 2]
  %o = tensor.collapse_shape %at [[0], [1, 2]] : tensor<12x4x16xf32> into tensor<12x64xf32>
  %y = norm.residual_add %x, %o : tensor<12x64xf32>
  return %y : tensor<12x64xf32>
}

// Qwen3. What the rotation does to a bound is not looked into.
// CHECK-LABEL: function @before_rope
// CHECK: rms 1e-06 unscaled head before-rope unbounded
func.func @before_rope(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>, %cos: tensor<4x12x16xf32>, %sin: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %qn = norm.rms_norm %p epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %kn = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %q1 = tensor.extract_slice %qn[0, 0, 0] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %q2 = tensor.extract_slice %qn[0, 0, 8] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %q3 = arith.negf %q2 : tensor<4x12x8xf32>
  %q4 = tensor.concat dim(2) %q3, %q1 : (tensor<4x12x8xf32>, tensor<4x12x8xf32>) -> tensor<4x12x16xf32>
  %q5 = arith.mulf %qn, %cos : tensor<4x12x16xf32>
  %q6 = arith.mulf %q4, %sin : tensor<4x12x16xf32>
  %q = arith.addf %q5, %q6 : tensor<4x12x16xf32>
  %k1 = tensor.extract_slice %kn[0, 0, 0] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %k2 = tensor.extract_slice %kn[0, 0, 8] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %k3 = arith.negf %k2 : tensor<4x12x8xf32>
  %k4 = tensor.concat dim(2) %k3, %k1 : (tensor<4x12x8xf32>, tensor<4x12x8xf32>) -> tensor<4x12x16xf32>
  %k5 = arith.mulf %kn, %cos : tensor<4x12x16xf32>
  %k6 = arith.mulf %k4, %sin : tensor<4x12x16xf32>
  %k = arith.addf %k5, %k6 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @after_rope
// CHECK: rms 1e-06 unscaled head after-rope <= 4{{$}}
func.func @after_rope(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>, %cos: tensor<4x12x16xf32>, %sin: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %qr1 = tensor.extract_slice %p[0, 0, 0] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %qr2 = tensor.extract_slice %p[0, 0, 8] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %qr3 = arith.negf %qr2 : tensor<4x12x8xf32>
  %qr4 = tensor.concat dim(2) %qr3, %qr1 : (tensor<4x12x8xf32>, tensor<4x12x8xf32>) -> tensor<4x12x16xf32>
  %qr5 = arith.mulf %p, %cos : tensor<4x12x16xf32>
  %qr6 = arith.mulf %qr4, %sin : tensor<4x12x16xf32>
  %qr = arith.addf %qr5, %qr6 : tensor<4x12x16xf32>
  %kr1 = tensor.extract_slice %v[0, 0, 0] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %kr2 = tensor.extract_slice %v[0, 0, 8] [4, 12, 8] [1, 1, 1] : tensor<4x12x16xf32> to tensor<4x12x8xf32>
  %kr3 = arith.negf %kr2 : tensor<4x12x8xf32>
  %kr4 = tensor.concat dim(2) %kr3, %kr1 : (tensor<4x12x8xf32>, tensor<4x12x8xf32>) -> tensor<4x12x16xf32>
  %kr5 = arith.mulf %v, %cos : tensor<4x12x16xf32>
  %kr6 = arith.mulf %kr4, %sin : tensor<4x12x16xf32>
  %kr = arith.addf %kr5, %kr6 : tensor<4x12x16xf32>
  %q = norm.rms_norm %qr epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %kr epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Two projections that meet before the norm (a low-rank update) are no rotation.
// CHECK-LABEL: function @two_projections
// CHECK: rms 1e-06 unscaled head no-rope <= 4{{$}}
func.func @two_projections(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %v = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %s = arith.addf %p, %v : tensor<4x12x16xf32>
  %q = norm.rms_norm %s epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// Queries from the trunk, keys from a memory.
// CHECK-LABEL: function @cross_attention
// CHECK: layers.0.cross_attention 4 4 16 0.25 rms 1e-06 unscaled head no-rope <= 4{{$}}
func.func @cross_attention(%x: tensor<4x12x16xf32>, %m: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %p = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %v = linalg.batch_matmul ins(%m, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %q = norm.rms_norm %p epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %k = norm.rms_norm %v epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %a = norm.attention %q, %k, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %y = norm.residual_add %x, %a : tensor<4x12x16xf32>
  return %y : tensor<4x12x16xf32>
}

// The key's heads, 2 of 4 elements, are repeated after its norm: sqrt(16) * sqrt(8) / 2.
// CHECK-LABEL: function @before_repeat
// CHECK: attention 0 4 4 4 0.5 rms 1e-06 unscaled hidden no-rope <= 5.65685{{$}}
func.func @before_repeat(%q0: tensor<12x16xf32>, %k0: tensor<12x8xf32>) -> tensor<12x4x4xf32> {
  %qn = norm.rms_norm %q0 epsilon = 1.0e-06 : tensor<12x16xf32>
  %kn = norm.rms_norm %k0 epsilon = 1.0e-06 : tensor<12x8xf32>
  %q1 = tensor.expand_shape %qn [[0], [1, 2]] output_shape [12, 4, 4] : tensor<12x16xf32> into tensor<12x4x4xf32>
  %k1 = tensor.expand_shape %kn [[0], [1, 2]] output_shape [12, 2, 4] : tensor<12x8xf32> into tensor<12x2x4xf32>
  %eq = tensor.empty() : tensor<4x12x4xf32>
  %q = linalg.transpose ins(%q1 : tensor<12x4x4xf32>) outs(%eq : tensor<4x12x4xf32>) permutation = [1, 0, 2]
  %ek = tensor.empty() : tensor<2x2x12x4xf32>
  %k2 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (c, a, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k1 : tensor<12x2x4xf32>) outs(%ek : tensor<2x2x12x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<2x2x12x4xf32>
  %k = tensor.collapse_shape %k2 [[0, 1], [2], [3]] : tensor<2x2x12x4xf32> into tensor<4x12x4xf32>
  %a = norm.attention %q, %k, %k : tensor<4x12x4xf32>, tensor<4x12x4xf32>, tensor<4x12x4xf32>
  %e = tensor.empty() : tensor<12x4x4xf32>
  %r = linalg.transpose ins(%a : tensor<4x12x4xf32>) outs(%e : tensor<12x4x4xf32>) permutation = [1, 0, 2]
  return %r : tensor<12x4x4xf32>
}
