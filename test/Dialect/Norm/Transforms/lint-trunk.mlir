// RUN: renorm-opt %s -norm-lint -verify-diagnostics -o %t.after
// RUN: renorm-opt %s -o %t.before
// RUN: diff %t.before %t.after

//===----------------------------------------------------------------------===//
// missing-final-norm
//===----------------------------------------------------------------------===//

func.func @pre(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-warning @+1 {{the trunk ends after layers.0.ffn (placement pre) without a final norm: the head reads a sum that grows with depth [missing-final-norm]}}
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @peri(%x: tensor<?x8xbf16>, %w: tensor<8x8xbf16>, %e: tensor<?x8xbf16>, %v: tensor<8x32xbf16>,
    %e1: tensor<?x32xbf16>) -> tensor<?x32xbf16> {
  %n = norm.rms_norm %x epsilon = 1.0e-05 : tensor<?x8xbf16>
  %f = linalg.matmul ins(%n, %w : tensor<?x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<?x8xbf16>) -> tensor<?x8xbf16>
  %m = norm.rms_norm %f epsilon = 1.0e-05 : tensor<?x8xbf16>
  // expected-warning @+1 {{after layers.0.ffn (placement peri) without a final norm}}
  %y = norm.residual_add %x, %m : tensor<?x8xbf16>
  // What a head makes of it is no trunk, and a norm of that no final norm.
  %z = linalg.matmul ins(%y, %v : tensor<?x8xbf16>, tensor<8x32xbf16>) outs(%e1 : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  %l = norm.l2_norm %z epsilon = 1.0e-05 : tensor<?x32xbf16>
  return %l : tensor<?x32xbf16>
}

func.func @output(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = norm.rms_norm %f epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-warning @+1 {{(placement output) without a final norm}}
  %y = norm.residual_add %x, %m : tensor<4x8xf32>
  // A norm that was dropped is none.
  %d = norm.rms_norm %y epsilon = 1.0e-05 {norm.dropped = "final_norm"} : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A loop over the layers.
func.func @loop(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<4x8xf32> {
    %m = norm.rms_norm %t epsilon = 1.0e-05 : tensor<4x8xf32>
    %f = linalg.matmul ins(%m, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    // expected-warning @+1 {{without a final norm}}
    %y = norm.residual_add %t, %f : tensor<4x8xf32>
    scf.yield %y : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// Behind a slice and a reshape.
func.func @final_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<1x1x8xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  %last = tensor.extract_slice %y[3, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %row = tensor.expand_shape %last [[0, 1], [2]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
  %z = norm.rms_norm %row epsilon = 1.0e-05 : tensor<1x1x8xf32>
  return %z : tensor<1x1x8xf32>
}

// No norms at all is another design.
func.func @none(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The trunk goes on in the caller.
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = call @layer(%x, %w, %e) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

//===----------------------------------------------------------------------===//
// deep-post-norm
//===----------------------------------------------------------------------===//

func.func @deep_post(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c21 = arith.constant 21 : index
  %r = scf.for %i = %c0 to %c21 step %c1 iter_args(%t = %x) -> tensor<4x8xf32> {
    %f = linalg.matmul ins(%t, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    // expected-remark @+1 {{a post-norm stack of 21 layers whose skips have no scale: above 20 layers, training needs a warm-up, or DeepNorm [deep-post-norm]}}
    %y = norm.residual_add %t, %f : tensor<4x8xf32>
    %n = norm.layer_norm %y epsilon = 1.0e-05 : tensor<4x8xf32>
    scf.yield %n : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

func.func @shallow_post(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c20 step %c1 iter_args(%t = %x) -> tensor<4x8xf32> {
    %f = linalg.matmul ins(%t, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = norm.residual_add %t, %f : tensor<4x8xf32>
    %n = norm.layer_norm %y epsilon = 1.0e-05 : tensor<4x8xf32>
    scf.yield %n : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

func.func @deepnorm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%t = %x) -> tensor<4x8xf32> {
    %f = linalg.matmul ins(%t, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = norm.residual_add %t, %f residual_scale = 3.76 : tensor<4x8xf32>
    %n = norm.layer_norm %y epsilon = 1.0e-05 : tensor<4x8xf32>
    scf.yield %n : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

//===----------------------------------------------------------------------===//
// skip-before-post-norm
//===----------------------------------------------------------------------===//

func.func @skip_before_post_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s0 = norm.residual_add %x, %f0 : tensor<4x8xf32>
  %n0 = norm.layer_norm %s0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f1 = linalg.matmul ins(%n0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-warning @+1 {{layers.1.ffn adds to the trunk from before the norm that its module reads: other sublayers add to what the norm after ffn gives [skip-before-post-norm]}}
  %s1 = norm.residual_add %s0, %f1 : tensor<4x8xf32>
  %n1 = norm.layer_norm %s1 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f2 = linalg.matmul ins(%n1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s2 = norm.residual_add %n1, %f2 : tensor<4x8xf32>
  %n2 = norm.layer_norm %s2 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f3 = linalg.matmul ins(%n2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s3 = norm.residual_add %n2, %f3 : tensor<4x8xf32>
  %n3 = norm.layer_norm %s3 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %n3 : tensor<4x8xf32>
}

// Post up to some layer, then pre.
func.func @mix_ln(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s0 = norm.residual_add %x, %f0 : tensor<4x8xf32>
  %n0 = norm.layer_norm %s0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f1 = linalg.matmul ins(%n0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s1 = norm.residual_add %n0, %f1 : tensor<4x8xf32>
  %n1 = norm.layer_norm %s1 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f2 = linalg.matmul ins(%n1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s2 = norm.residual_add %n1, %f2 : tensor<4x8xf32>
  %n2 = norm.layer_norm %s2 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f3 = linalg.matmul ins(%n2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s3 = norm.residual_add %s2, %f3 : tensor<4x8xf32>
  %n3 = norm.layer_norm %s3 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %n3 : tensor<4x8xf32>
}

// Mostly pre: the sublayers with a post norm are the unusual ones.
func.func @mostly_pre(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s0 = norm.residual_add %x, %f0 : tensor<4x8xf32>
  %n0 = norm.layer_norm %s0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f1 = linalg.matmul ins(%n0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s1 = norm.residual_add %s0, %f1 : tensor<4x8xf32>
  %n1 = norm.layer_norm %s1 epsilon = 1.0e-05 : tensor<4x8xf32>
  %f2 = linalg.matmul ins(%n1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s2 = norm.residual_add %n1, %f2 : tensor<4x8xf32>
  %n2 = norm.layer_norm %s2 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %n2 : tensor<4x8xf32>
}

// Attention and feed-forward each have their own placement (HybridNorm).
func.func @hybrid(%x: tensor<4x8x8xf32>, %w: tensor<4x8x8xf32>, %e: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %n0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8x8xf32>
  // expected-remark @+1 {{nothing bounds the logits of layers.0.attention and 1 more}}
  %a0 = norm.attention %n0, %n0, %n0 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  %s0 = norm.residual_add %x, %a0 : tensor<4x8x8xf32>
  %n1 = norm.rms_norm %s0 epsilon = 1.0e-05 : tensor<4x8x8xf32>
  %f1 = linalg.batch_matmul ins(%n1, %w : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %s1 = norm.residual_add %s0, %f1 : tensor<4x8x8xf32>
  %p1 = norm.rms_norm %s1 epsilon = 1.0e-05 : tensor<4x8x8xf32>
  %f2 = linalg.batch_matmul ins(%p1, %w : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %t2 = norm.residual_add %p1, %f2 : tensor<4x8x8xf32>
  %p2 = norm.rms_norm %t2 epsilon = 1.0e-05 : tensor<4x8x8xf32>
  %a2 = norm.attention %p2, %p2, %p2 : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>
  %s2 = norm.residual_add %p2, %a2 : tensor<4x8x8xf32>
  %n3 = norm.rms_norm %s2 epsilon = 1.0e-05 : tensor<4x8x8xf32>
  %f3 = linalg.batch_matmul ins(%n3, %w : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %s3 = norm.residual_add %s2, %f3 : tensor<4x8x8xf32>
  %p3 = norm.rms_norm %s3 epsilon = 1.0e-05 : tensor<4x8x8xf32>
  return %p3 : tensor<4x8x8xf32>
}

//===----------------------------------------------------------------------===//
// f16-trunk-overflow
//===----------------------------------------------------------------------===//

func.func @f16_trunk(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %e: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %r = scf.for %i = %c0 to %c60 step %c1 iter_args(%t = %x) -> tensor<4x8xf16> {
    %n = norm.rms_norm %t epsilon = 1.0e-05 : tensor<4x8xf16>
    %f = linalg.matmul ins(%n, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    // expected-remark @+1 {{the trunk is in f16, and is predicted to pass 65504 in layers.49 of 60 (with a gain of 0.5 in each layer, the largest |x| is 553020): bf16 and f32 hold it [f16-trunk-overflow]}}
    %y = norm.residual_add %t, %f : tensor<4x8xf16>
    scf.yield %y : tensor<4x8xf16>
  }
  %z = norm.rms_norm %r epsilon = 1.0e-05 : tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// Peri-LN grows by bounded increments.
func.func @f16_peri(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %e: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %r = scf.for %i = %c0 to %c60 step %c1 iter_args(%t = %x) -> tensor<4x8xf16> {
    %n = norm.rms_norm %t epsilon = 1.0e-05 : tensor<4x8xf16>
    %f = linalg.matmul ins(%n, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    %m = norm.rms_norm %f epsilon = 1.0e-05 : tensor<4x8xf16>
    %y = norm.residual_add %t, %m : tensor<4x8xf16>
    scf.yield %y : tensor<4x8xf16>
  }
  %z = norm.rms_norm %r epsilon = 1.0e-05 : tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

func.func @bf16_trunk(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %e: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %r = scf.for %i = %c0 to %c60 step %c1 iter_args(%t = %x) -> tensor<4x8xbf16> {
    %n = norm.rms_norm %t epsilon = 1.0e-05 : tensor<4x8xbf16>
    %f = linalg.matmul ins(%n, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %y = norm.residual_add %t, %f : tensor<4x8xbf16>
    scf.yield %y : tensor<4x8xbf16>
  }
  %z = norm.rms_norm %r epsilon = 1.0e-05 : tensor<4x8xbf16>
  return %z : tensor<4x8xbf16>
}

// A loop that never runs has no layers, however large its embedding norm makes the trunk.
func.func @f16_no_layers(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %e: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = arith.constant dense<6.0e+04> : tensor<8xf16>
  %t0 = norm.rms_norm %x scale(%g : tensor<8xf16>) epsilon = 1.0e-05 : tensor<4x8xf16>
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%t = %t0) -> tensor<4x8xf16> {
    %f = linalg.matmul ins(%t, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    %y = norm.residual_add %t, %f : tensor<4x8xf16>
    scf.yield %y : tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}
