// The constants of DeepNorm: residual scales and gains of weights.

// RUN: split-file %s %t

// A stack by itself, of two layers: alpha is 4^(1/4), beta 16^(-1/4). Queries and keys, the embedding, biases and norms
// have no gain.
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm strict' | FileCheck %s --check-prefix=SINGLE
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm stack=encoder-only' | FileCheck %s --check-prefix=SINGLE
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm stack=decoder-only' | FileCheck %s --check-prefix=SINGLE
// SINGLE-LABEL: func.func @single(
// SINGLE-SAME: %arg0: tensor<1x4x8xf32>,
// SINGLE-SAME: %arg1: tensor<1x8x8xf32> {norm.param = "q"},
// SINGLE-SAME: %arg2: tensor<1x8x8xf32> {norm.param = "k"},
// SINGLE-SAME: %arg3: tensor<8x8xf32> {norm.init_gain = 5.000000e-01 : f64, norm.param = "v"},
// SINGLE-SAME: %arg4: tensor<1x8x8xf32> {norm.init_gain = 5.000000e-01 : f64, norm.param = "o"},
// SINGLE-SAME: %arg5: tensor<1x8x16xf32> {norm.init_gain = 5.000000e-01 : f64, norm.param = "up"},
// SINGLE-SAME: %arg6: tensor<1x16x8xf32> {norm.init_gain = 5.000000e-01 : f64, norm.param = "down"},
// SINGLE-SAME: %arg7: tensor<1x8x8xf32> {norm.init_gain = 5.000000e-01 : f64, norm.param = "next"},
// SINGLE-SAME: %arg8: tensor<8xf32>, %arg9: tensor<8xf32>)
// SINGLE-COUNT-3: residual_scale = 1.4142135623730951 :
// SINGLE-NOT: residual_scale

// The conversion runs again, and back; what was set before is replaced, and named.
// RUN: renorm-opt %t/single.mlir -o %t/single
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm' -o %t/deep
// RUN: renorm-opt %t/deep '--norm-convert-placement=to=deepnorm' 2>&1 | diff %t/deep -
// RUN: renorm-opt %t/deep '--norm-convert-placement=to=post' | diff %t/single -
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=pre' -o %t/pre
// RUN: renorm-opt %t/deep '--norm-convert-placement=to=pre' | diff %t/pre -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=deepnorm' | diff %t/deep -
// RUN: renorm-opt %t/deep '--norm-convert-placement=to=deepnorm alpha=2 beta=0.25' 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: remark: the gain of 'v' was 5.000000e-01 and is now 2.500000e-01
// AGAIN: norm.init_gain = 2.500000e-01 : f64, norm.param = "v"
// AGAIN-COUNT-3: residual_scale = 2.0 :

// What is left out of the way back keeps what it has.
// RUN: renorm-opt %t/deep '--norm-convert-placement=to=post layers=0' | FileCheck %s --check-prefix=PART
// PART: {norm.param = "v"}
// PART: {norm.param = "down"}
// PART: {norm.init_gain = 5.000000e-01 : f64, norm.param = "next"}
// PART-COUNT-1: residual_scale = 1.4142135623730951 :
// PART-NOT: residual_scale

// N is the depth of the stack, however many layers are converted, and may be given. 0.5 = (8 * 2)^(-1/4).
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm layers=1' | FileCheck %s --check-prefix=LAYER
// LAYER: norm.param = "down"}
// LAYER: {norm.init_gain = 5.000000e-01 : f64, norm.param = "next"}
// LAYER-COUNT-1: residual_scale = 1.4142135623730951 :
// LAYER-NOT: residual_scale
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm encoder-layers=8' | FileCheck %s --check-prefix=GIVEN
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm stack=decoder-only decoder-layers=8' | FileCheck %s --check-prefix=GIVEN
// GIVEN: norm.init_gain = 0.35355339059327379 : f64, norm.param = "v"
// GIVEN: residual_scale = 2.0 :

// With alpha alone there is no beta; with beta alone alpha is the paper's.
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm alpha=3' | FileCheck %s --check-prefix=ALPHA --implicit-check-not=init_gain
// ALPHA-COUNT-3: residual_scale = 3.0 :
// RUN: renorm-opt %t/single.mlir '--norm-convert-placement=to=deepnorm beta=0.125' | FileCheck %s --check-prefix=BETA
// BETA: norm.init_gain = 1.250000e-01 : f64, norm.param = "v"
// BETA: residual_scale = 1.4142135623730951 :

//--- single.mlir
func.func @single(%x: tensor<1x4x8xf32>, %q: tensor<1x8x8xf32> {norm.param = "q"}, %k: tensor<1x8x8xf32> {norm.param = "k"},
                  %v: tensor<8x8xf32> {norm.param = "v"}, %o: tensor<1x8x8xf32> {norm.param = "o"},
                  %up: tensor<1x8x16xf32> {norm.param = "up"}, %down: tensor<1x16x8xf32> {norm.param = "down"},
                  %next: tensor<1x8x8xf32> {norm.param = "next"}, %bias: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %h = tensor.empty() : tensor<1x4x16xf32>
  %t = tensor.empty() : tensor<8x8xf32>
  %emb = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %qp = linalg.batch_matmul ins(%emb, %q : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %kp = linalg.batch_matmul ins(%emb, %k : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %vt = linalg.transpose ins(%v : tensor<8x8xf32>) outs(%t : tensor<8x8xf32>) permutation = [1, 0]
  %vb = tensor.expand_shape %vt [[0, 1], [2]] output_shape [1, 8, 8] : tensor<8x8xf32> into tensor<1x8x8xf32>
  %vp = linalg.batch_matmul ins(%emb, %vb : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %b = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<1x4x8xf32>) dimensions = [0, 1]
  %vs = arith.addf %vp, %b : tensor<1x4x8xf32>
  %a = norm.attention %qp, %kp, %vs : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %op = linalg.batch_matmul ins(%a, %o : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s0 = norm.residual_add %emb, %op : tensor<1x4x8xf32>
  %n0 = norm.rms_norm %s0 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %u = linalg.batch_matmul ins(%n0, %up : tensor<1x4x8xf32>, tensor<1x8x16xf32>) outs(%h : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %r = math.tanh %u : tensor<1x4x16xf32>
  %d = linalg.batch_matmul ins(%r, %down : tensor<1x4x16xf32>, tensor<1x16x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s1 = norm.residual_add %n0, %d : tensor<1x4x8xf32>
  %n1 = norm.rms_norm %s1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %f = linalg.batch_matmul ins(%n1, %next : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s2 = norm.residual_add %n1, %f : tensor<1x4x8xf32>
  %n2 = norm.rms_norm %s2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %n2 : tensor<1x4x8xf32>
}

// An encoder of N = 2 and its decoder of M = 1: 0.81 (2^4)^(1/16) and 0.87 (2^4)^(-1/16), 3^(1/4) and 12^(-1/4). Where
// both are in one function, that is seen.
// RUN: renorm-opt %t/pair.mlir '--norm-convert-placement=to=deepnorm strict' | FileCheck %s --check-prefix=PAIR
// RUN: renorm-opt %t/pair.mlir '--norm-convert-placement=to=deepnorm strict stack=encoder-decoder' | FileCheck %s --check-prefix=PAIR
// PAIR-LABEL: func.func @pair(
// PAIR-SAME: %arg2: tensor<1x8x8xf32> {norm.init_gain = 0.73157988127073{{[0-9]*}} : f64},
// PAIR-SAME: %arg3: tensor<1x8x8xf32> {norm.init_gain = 0.73157988127073{{[0-9]*}} : f64},
// PAIR-SAME: %arg4: tensor<1x8x8xf32>, %arg5: tensor<1x8x8xf32>,
// PAIR-SAME: %arg6: tensor<1x8x8xf32> {norm.init_gain = 0.5372849659117{{[0-9]*}} : f64},
// PAIR-SAME: %arg7: tensor<1x8x8xf32> {norm.init_gain = 0.5372849659117{{[0-9]*}} : f64},
// PAIR-COUNT-2: residual_scale = 0.96325776315220{{[0-9]*}} :
// PAIR-COUNT-2: residual_scale = 1.31607401295249{{[0-9]*}} :
// PAIR-NOT: residual_scale
// The decoder, or the encoder, may be deeper than the function shows: 0.81 (3^4 * 1)^(1/16), and 6^(1/4).
// RUN: renorm-opt %t/pair.mlir '--norm-convert-placement=to=deepnorm encoder-layers=3' | FileCheck %s --check-prefix=DEEPER
// DEEPER-COUNT-2: residual_scale = 1.0660199504915{{[0-9]*}} :
// DEEPER-COUNT-2: residual_scale = 1.31607401295249{{[0-9]*}} :
// RUN: renorm-opt %t/pair.mlir '--norm-convert-placement=to=deepnorm decoder-layers=2' | FileCheck %s --check-prefix=DEEPER2
// DEEPER2-COUNT-2: residual_scale = 1.0059048277795{{[0-9]*}} :
// DEEPER2-COUNT-2: residual_scale = 1.5650845800732{{[0-9]*}} :

//--- pair.mlir
func.func @pair(%x: tensor<1x4x8xf32>, %y: tensor<1x4x8xf32>, %w0: tensor<1x8x8xf32>, %w1: tensor<1x8x8xf32>,
                %q: tensor<1x8x8xf32>, %k: tensor<1x8x8xf32>, %v: tensor<1x8x8xf32>, %w2: tensor<1x8x8xf32>,
                %g: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = linalg.batch_matmul ins(%x, %w0 : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %1 = norm.residual_add %x, %0 : tensor<1x4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %3 = linalg.batch_matmul ins(%2, %w1 : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %4 = norm.residual_add %2, %3 : tensor<1x4x8xf32>
  %m = norm.rms_norm %4 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %qp = linalg.batch_matmul ins(%y, %q : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %kp = linalg.batch_matmul ins(%m, %k : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %vp = linalg.batch_matmul ins(%m, %v : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a = norm.attention %qp, %kp, %vp : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %5 = norm.residual_add %y, %a : tensor<1x4x8xf32>
  %6 = norm.rms_norm %5 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %7 = linalg.batch_matmul ins(%6, %w2 : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %8 = norm.residual_add %6, %7 : tensor<1x4x8xf32>
  %9 = norm.rms_norm %8 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %9 : tensor<1x4x8xf32>
}

// Two functions: whether the first is the encoder of the second has to be said. The decoder is one either way. A weight
// of a memory that is an argument is the operand without batches, or the one with a name.
// RUN: renorm-opt %t/apart.mlir '--norm-convert-placement=to=deepnorm' --verify-diagnostics | FileCheck %s --check-prefix=APART
// RUN: not renorm-opt %t/apart.mlir '--norm-convert-placement=to=deepnorm strict' 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: error: the residual stream cannot be converted: it may be the encoder of another function's decoder; expected 'stack'
// APART: func.func @encoder({{.*}}: tensor<4x8xf32>, {{.*}}: tensor<8x8xf32>, {{.*}})
// APART-NOT: residual_scale
// APART: func.func @decoder(
// APART-SAME: %arg2: tensor<4x8xf32> {norm.param = "q"}, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32> {norm.init_gain = 0.5372849659117{{[0-9]*}} : f64},
// APART: residual_scale = 1.31607401295249{{[0-9]*}} :
// RUN: sed 's#// expected.*##' %t/apart.mlir | renorm-opt '--norm-convert-placement=to=deepnorm stack=encoder-decoder' | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: func.func @encoder({{.*}}: tensor<8x8xf32> {norm.init_gain = 8.700000e-01 : f64}
// TOGETHER: residual_scale = 0.81 :
// TOGETHER: residual_scale = 1.31607401295249{{[0-9]*}} :
// RUN: sed 's#// expected.*##' %t/apart.mlir | renorm-opt '--norm-convert-placement=to=deepnorm stack=encoder-only' | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-2: residual_scale = 1.18920711500272

//--- apart.mlir
func.func @encoder(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: it may be the encoder of another function's decoder; expected 'stack'}}
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @decoder(%x: tensor<1x4x8xf32>, %memory: tensor<1x4x8xf32>, %q: tensor<4x8xf32> {norm.param = "q"}, %k: tensor<8x8xf32>,
                   %v: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %qp = arith.addf %x, %x : tensor<1x4x8xf32>
  %kp = linalg.generic {indexing_maps = [affine_map<(b, s, o, i) -> (b, s, i)>, affine_map<(b, s, o, i) -> (i, o)>, affine_map<(b, s, o, i) -> (b, s, o)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%memory, %k : tensor<1x4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8xf32>
  %vp = linalg.generic {indexing_maps = [affine_map<(b, s, o, i) -> (b, s, i)>, affine_map<(b, s, o, i) -> (i, o)>, affine_map<(b, s, o, i) -> (b, s, o)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%memory, %v : tensor<1x4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8xf32>
  %a = norm.attention %qp, %kp, %vp : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %0 = norm.residual_add %x, %a : tensor<1x4x8xf32>
  %1 = norm.rms_norm %0 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %1 : tensor<1x4x8xf32>
}

// Constants hold no gain. They are multiplied on request, once; what else reads them keeps them, and so does what has
// been DeepNorm before. Two layers: beta is 1/2.
// RUN: renorm-opt %t/constants.mlir '--norm-convert-placement=to=deepnorm' 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: constants.mlir:[[#]]:8: remark: 2 weights of layers.0.ffn are constants, which hold no gain; 'scale-weights' multiplies them by 5.000000e-01
// CONSTANT: constants.mlir:[[#]]:8: remark: 2 weights of layers.1.ffn are constants
// CONSTANT: arith.constant dense<3.000000e+00> : tensor<8x8xf16>
// RUN: renorm-opt %t/constants.mlir '--norm-convert-placement=to=deepnorm scale-weights' -o %t/scaled
// RUN: FileCheck %s --check-prefix=SCALED --input-file=%t/scaled
// RUN: renorm-opt %t/scaled '--norm-convert-placement=to=deepnorm scale-weights' | diff %t/scaled -
// SCALED: ml_program.global private @w(dense<5.000000e+00> : tensor<8x8xf16>)
// SCALED-DAG: %[[OLD:.*]] = arith.constant dense<3.000000e+00> : tensor<8x8xf16>
// SCALED-DAG: %[[NEW:.*]] = arith.constant dense<1.500000e+00> : tensor<8x8xf16>
// SCALED-DAG: %[[RESOURCE:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<8x8xf16>
// SCALED: %[[T:.*]] = linalg.transpose ins(%[[NEW]] : tensor<8x8xf16>)
// SCALED: linalg.matmul ins(%{{.*}}, %[[T]] :
// SCALED: linalg.matmul ins(%{{.*}}, %[[NEW]] :
// SCALED: residual_scale = 1.4142135623730951
// SCALED: linalg.matmul ins(%{{.*}}, %[[RESOURCE]] :
// SCALED: %[[LOADED:.*]] = arith.constant dense<2.500000e+00> : tensor<8x8xf16>
// SCALED: linalg.matmul ins(%{{.*}}, %[[LOADED]] :
// SCALED: residual_scale = 1.4142135623730951
// SCALED: return %{{.*}}, %[[OLD]] :
// SCALED-NOT: dense_resource
// Of f16, 0x3C00 is 1 and 0x3800 is 1/2.
// SCALED: [[NAME]]: "0x{{[0-9]+0000(0038)+}}"

//--- constants.mlir
ml_program.global private @w(dense<5.0> : tensor<8x8xf16>) : tensor<8x8xf16>
func.func @constants(%x: tensor<4x8xf16>, %g: tensor<8xf16>) -> (tensor<4x8xf16>, tensor<8x8xf16>) {
  %w = arith.constant dense<3.0> : tensor<8x8xf16>
  %big = arith.constant dense_resource<big> : tensor<8x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  %t = tensor.empty() : tensor<8x8xf16>
  %wt = linalg.transpose ins(%w : tensor<8x8xf16>) outs(%t : tensor<8x8xf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%x, %wt : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = math.tanh %0 : tensor<4x8xf16>
  %2 = linalg.matmul ins(%1, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %3 = norm.residual_add %x, %2 : tensor<4x8xf16>
  %4 = norm.rms_norm %3 scale(%g : tensor<8xf16>) epsilon = 1.0e-5 : tensor<4x8xf16>
  %5 = linalg.matmul ins(%4, %big : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %w5 = ml_program.global_load_const @w : tensor<8x8xf16>
  %r5 = math.tanh %5 : tensor<4x8xf16>
  %m5 = linalg.matmul ins(%r5, %w5 : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %6 = norm.residual_add %4, %m5 : tensor<4x8xf16>
  %7 = norm.rms_norm %6 scale(%g : tensor<8xf16>) epsilon = 1.0e-5 : tensor<4x8xf16>
  return %7, %w : tensor<4x8xf16>, tensor<8x8xf16>
}

{-#
  dialect_resources: {
    builtin: {
      big: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C"
    }
  }
#-}

// What cannot have a gain says so: one weight for queries and values, a weight that is read elsewhere, a contraction of
// two activations, sublayers of other kinds.
// RUN: renorm-opt %t/refused.mlir '--norm-convert-placement=to=deepnorm' --verify-diagnostics | FileCheck %s --check-prefix=REFUSED
// REFUSED: func.func @refused(%{{[^:]*}}: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32> {norm.init_gain =
// REFUSED-COUNT-3: residual_scale

//--- refused.mlir
func.func @refused(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>, %tied: tensor<1x8x8xf32>, %u: tensor<1x8x8xf32>, %g: tensor<8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %emb = linalg.batch_matmul ins(%x, %tied : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  // expected-remark @+1 {{a weight of layers.0.attention is without the gain of DeepNorm: its weight gives queries or keys as well}}
  %p = linalg.batch_matmul ins(%emb, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a = norm.attention %p, %p, %p : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %s0 = norm.residual_add %emb, %a : tensor<1x4x8xf32>
  %n0 = norm.rms_norm %s0 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  // expected-remark @+1 {{a weight of layers.0.ffn is without the gain of DeepNorm: it is read elsewhere, by 'linalg.batch_matmul'}}
  %f = linalg.batch_matmul ins(%n0, %tied : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s1 = norm.residual_add %n0, %f : tensor<1x4x8xf32>
  %n1 = norm.rms_norm %s1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %h = linalg.batch_matmul ins(%n1, %u : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %l0 = tensor.empty() : tensor<1x4x4xf32>
  // expected-remark @+1 {{a weight of layers.1.ffn is without the gain of DeepNorm: it is no linear map with a parameter as its weight}}
  %l = linalg.generic {indexing_maps = [affine_map<(b, s, t, i) -> (b, s, i)>, affine_map<(b, s, t, i) -> (b, t, i)>, affine_map<(b, s, t, i) -> (b, s, t)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %h : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%l0 : tensor<1x4x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4xf32>
  // expected-remark @+1 {{a weight of layers.1.ffn is without the gain of DeepNorm: it is no linear map with a parameter as its weight}}
  %y = linalg.batch_matmul ins(%l, %h : tensor<1x4x4xf32>, tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s2 = norm.residual_add %n1, %y : tensor<1x4x8xf32>
  %n2 = norm.rms_norm %s2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %n2, %n1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

// A loop over the layers: N = 8 if it says so, else it must be given. The slices of one weight share a gain.
// RUN: renorm-opt %t/scanned.mlir '--norm-convert-placement=to=deepnorm' 2>&1 | FileCheck %s --check-prefix=SCAN
// SCAN: scanned.mlir:[[#]]:10: remark: the residual stream is left as it is: the number of layers of its stack is not known; expected 'encoder-layers'
// SCAN: func.func @scanned({{.*}}: tensor<8x4x4xf32> {norm.init_gain = 0.35355339059327379 : f64}
// SCAN: residual_scale = 2.0 :
// SCAN: func.func @unknown({{.*}}: tensor<8x4x4xf32>,
// SCAN-NOT: residual_scale
// RUN: renorm-opt %t/scanned.mlir '--norm-convert-placement=to=deepnorm encoder-layers=2' 2>&1 | FileCheck %s --check-prefix=SCAN2 --implicit-check-not=remark
// SCAN2-COUNT-2: residual_scale = 1.4142135623730951 :

//--- scanned.mlir
func.func @scanned(%x: tensor<3x4xf32>, %ws: tensor<8x4x4xf32>, %g: tensor<4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<3x4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %x) -> (tensor<3x4xf32>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<8x4x4xf32> to tensor<4x4xf32>
    %m = linalg.matmul ins(%t, %w : tensor<3x4xf32>, tensor<4x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
    %s = norm.residual_add %t, %m : tensor<3x4xf32>
    %n = norm.rms_norm %s scale(%g : tensor<4xf32>) epsilon = 1.0e-5 : tensor<3x4xf32>
    scf.yield %n : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}
func.func @unknown(%x: tensor<3x4xf32>, %ws: tensor<8x4x4xf32>, %g: tensor<4xf32>, %n8: index) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<3x4xf32>
  %r = scf.for %i = %c0 to %n8 step %c1 iter_args(%t = %x) -> (tensor<3x4xf32>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<8x4x4xf32> to tensor<4x4xf32>
    %m = linalg.matmul ins(%t, %w : tensor<3x4xf32>, tensor<4x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
    %s = norm.residual_add %t, %m : tensor<3x4xf32>
    %n = norm.rms_norm %s scale(%g : tensor<4xf32>) epsilon = 1.0e-5 : tensor<3x4xf32>
    scf.yield %n : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}

// Layers that share a weight share its gain, as long as one of them is DeepNorm.
// RUN: renorm-opt %t/shared.mlir '--norm-convert-placement=to=deepnorm strict' -o %t/shared.deep
// RUN: renorm-opt %t/shared.deep '--norm-convert-placement=to=post layers=0' | FileCheck %s --check-prefix=SHARED
// SHARED: %arg1: tensor<8x8xf32> {norm.init_gain = 5.000000e-01 : f64}
// SHARED-COUNT-1: residual_scale
// SHARED-NOT: residual_scale
// RUN: renorm-opt %t/shared.mlir -o %t/shared
// RUN: renorm-opt %t/shared.deep '--norm-convert-placement=to=post' | diff %t/shared -

//--- shared.mlir
func.func @shared(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.residual_add %2, %3 : tensor<4x8xf32>
  %5 = norm.rms_norm %4 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
