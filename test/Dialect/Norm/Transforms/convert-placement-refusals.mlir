// What norm-convert-placement refuses, it leaves as it is, and says why.

// RUN: renorm-opt %s --split-input-file -o %t
// RUN: renorm-opt %s --split-input-file '--norm-convert-placement=to=post' --verify-diagnostics | diff %t -

func.func @mixed_reads(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.add ins(%1, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{layers.0.ffn is left as it is: its branch reads the trunk both through a norm and directly}}
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

func.func @two_norms(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-6 : tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.matmul ins(%1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{layers.0.ffn is left as it is: its branch normalizes the trunk in different ways}}
  %4 = norm.residual_add %x, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// The scale of the norm is made from the trunk, as in AdaLN.
func.func @adaptive(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%s : tensor<4x8xf32>) epsilon = 1.0e-5 scale_dims = [0, 1] : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{layers.0.ffn is left as it is: its branch reads the trunk both through a norm and directly}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

func.func @no_norms(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the stream has none to tell which; expected 'new-norm' and 'epsilon'}}
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @several_kinds(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.layer_norm %1 epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the stream has norms of several kinds; expected 'new-norm'}}
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

func.func @several_epsilons(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-6 : tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the stream's norms differ in epsilon; expected 'epsilon'}}
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

func.func @several_axes(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 axes = [0, 1] : tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the stream's norms differ in axes or compute type}}
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

func.func @dynamic_parameters(%x: tensor<4x?xf32>, %w: tensor<?x?xf32>, %g: tensor<?xf32>, %e: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = norm.rms_norm %x scale(%g : tensor<?xf32>) epsilon = 1.0e-5 : tensor<4x?xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x?xf32>, tensor<?x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm must be made, and the extent of its parameters is dynamic}}
  %2 = norm.residual_add %x, %1 : tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

// The norm would have to move to before the probe, but its scale is read from memory after it.
ml_program.global private mutable @scale(dense<1.0> : tensor<8xf32>) : tensor<8xf32>
func.func @parameters_too_late(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  norm.probe %x {name = "x"} : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %g = ml_program.global_load @scale : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm would have to stand at embedding_norm before its parameters are computed}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

func.func @loop(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{the residual stream of this loop is left as it is: a norm would have to move past the end of an iteration}}
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x) -> tensor<4x8xf32> {
    %1 = norm.rms_norm %y scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
    %2 = linalg.matmul ins(%1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = norm.residual_add %y, %2 : tensor<4x8xf32>
    scf.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

// The trunk goes on after the branch of a conditional, where nothing is known of it.
func.func @conditional(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %c: i1) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = scf.if %c -> tensor<4x8xf32> {
    %1 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
    %2 = linalg.matmul ins(%1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    // expected-remark @+1 {{the residual stream is left as it is: a norm would have to move to where its trunk goes on, in another block or stream}}
    %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
    scf.yield %3 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %0, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// So does that of a loop that is none to the dialect.
func.func @blocks(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %c: i1) -> tensor<4x8xf32> {
  cf.br ^bb1(%x : tensor<4x8xf32>)
^bb1(%y: tensor<4x8xf32>):
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %y scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm would have to move to where its trunk goes on, in another block or stream}}
  %2 = norm.residual_add %y, %1 : tensor<4x8xf32>
  cf.cond_br %c, ^bb1(%2 : tensor<4x8xf32>), ^bb2(%2 : tensor<4x8xf32>)
^bb2(%z: tensor<4x8xf32>):
  return %z : tensor<4x8xf32>
}

// -----

// A trunk that passes something else than residual adds is in pieces: what is between them may well be a post norm.
func.func @pieces(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm would have to move to where its trunk goes on, in another block or stream}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = linalg.exp ins(%2 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.rms_norm %3 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: a norm would have to move to where its trunk goes on, in another block or stream}}
  %6 = norm.residual_add %3, %5 : tensor<4x8xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %8 = tensor.collapse_shape %7 [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{the residual stream of this loop is left as it is: a norm would have to move past the end of an iteration}}
  %9 = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %8) -> tensor<4x8xf32> {
    %10 = norm.rms_norm %y scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
    %11 = linalg.matmul ins(%10, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %12 = norm.residual_add %y, %11 : tensor<4x8xf32>
    scf.yield %12 : tensor<4x8xf32>
  }
  return %9 : tensor<4x8xf32>
}

// -----

// Two stacks whose modules begin with one matmul would have to be converted together.
func.func @entangled(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.exp ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{layers.0.ffn is left as it is: its branch shares operations with that of another stream}}
  %3 = norm.residual_add %x, %1 : tensor<4x8xf32>
  // expected-remark @+1 {{streams.1.layers.0.ffn is left as it is: its branch shares operations with that of another stream}}
  %4 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}
