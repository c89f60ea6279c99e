// What the options of norm-convert-placement select.

// RUN: split-file %s %t

// Mix-LN (Li et al. 2024): the later layers Pre-LN. The norm that layer 0 keeps on the trunk doesn't become layer 1's
// input norm, which is made.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre layers=1' | FileCheck %s --check-prefix=LATER --implicit-check-not=norm.layer_norm
// LATER-LABEL: func.func @post
// LATER-SAME: %[[X:[^:]*]]: tensor<1x4x8xf32>
// LATER-SAME: %[[G0:[^:]*]]: tensor<8xf32>, %[[G1:[^:]*]]: tensor<8xf32>, %[[G2:[^:]*]]: tensor<8xf32>, %[[G3:[^:]*]]: tensor<8xf32>, %[[G4:[^:]*]]: tensor<8xf32>)
// LATER: %[[E:.*]] = norm.layer_norm %[[X]] scale(%[[G0]]
// LATER: %[[A0:.*]] = norm.attention
// LATER: %[[S0:.*]] = norm.residual_add %[[E]], %[[A0]]
// LATER: %[[N0:.*]] = norm.layer_norm %[[S0]] scale(%[[G1]]
// LATER: %[[F0:.*]] = linalg.batch_matmul ins(%[[N0]]
// LATER: %[[S1:.*]] = norm.residual_add %[[N0]], %[[F0]]
// LATER: %[[N1:.*]] = norm.layer_norm %[[S1]] scale(%[[G2]]
// LATER: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// LATER: %[[IN:.*]] = norm.layer_norm %[[N1]] scale(%[[ONE]]
// LATER: linalg.batch_matmul ins(%[[IN]]
// LATER: %[[A1:.*]] = norm.attention
// LATER: %[[S2:.*]] = norm.residual_add %[[N1]], %[[A1]]
// LATER: %[[N2:.*]] = norm.layer_norm %[[S2]] scale(%[[G3]]
// LATER: %[[F1:.*]] = linalg.batch_matmul ins(%[[N2]]
// LATER: %[[S3:.*]] = norm.residual_add %[[S2]], %[[F1]]
// LATER: %[[N3:.*]] = norm.layer_norm %[[S3]] scale(%[[G4]]
// LATER: return %[[N3]]

// Layers in ranges and one by one; layers that are not there are nobody's.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre layers=1-1,7' | FileCheck %s --check-prefix=LATER --implicit-check-not=norm.layer_norm
// RUN: renorm-opt %t/post.mlir -o %t/post
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre layers=2-9' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre' -o %t/all
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre layers=0,1' | diff %t/all -

// HybridNorm (Zhuo et al. 2025): attention Pre-LN, feed-forward Post-LN.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre kinds=attention' | FileCheck %s --check-prefix=HYBRID --implicit-check-not=norm.layer_norm
// HYBRID-LABEL: func.func @post
// HYBRID-SAME: %[[X:[^:]*]]: tensor<1x4x8xf32>
// HYBRID-SAME: %[[G0:[^:]*]]: tensor<8xf32>, %[[G1:[^:]*]]: tensor<8xf32>, %[[G2:[^:]*]]: tensor<8xf32>, %[[G3:[^:]*]]: tensor<8xf32>, %[[G4:[^:]*]]: tensor<8xf32>)
// HYBRID: %[[IN0:.*]] = norm.layer_norm %[[X]] scale(%[[G0]]
// HYBRID: linalg.batch_matmul ins(%[[IN0]]
// HYBRID: %[[A0:.*]] = norm.attention
// HYBRID: %[[S0:.*]] = norm.residual_add %[[X]], %[[A0]]
// HYBRID: norm.layer_norm %[[S0]] scale(%[[G1]] {{.*}} {norm.dropped = "layers.0.attention.post_norm"}
// HYBRID: %[[F0:.*]] = linalg.batch_matmul ins(%[[S0]]
// HYBRID: %[[S1:.*]] = norm.residual_add %[[S0]], %[[F0]]
// HYBRID: %[[N1:.*]] = norm.layer_norm %[[S1]] scale(%[[G2]]
// HYBRID: %[[IN1:.*]] = norm.layer_norm %[[N1]] scale(%{{cst.*}} : tensor
// HYBRID: linalg.batch_matmul ins(%[[IN1]]
// HYBRID: %[[A1:.*]] = norm.attention
// HYBRID: %[[S2:.*]] = norm.residual_add %[[N1]], %[[A1]]
// HYBRID: norm.layer_norm %[[S2]] scale(%[[G3]] {{.*}} {norm.dropped = "layers.1.attention.post_norm"}
// HYBRID: %[[F1:.*]] = linalg.batch_matmul ins(%[[S2]]
// HYBRID: %[[S3:.*]] = norm.residual_add %[[S2]], %[[F1]]
// HYBRID: %[[N3:.*]] = norm.layer_norm %[[S3]] scale(%[[G4]]
// HYBRID: return %[[N3]]
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre kinds=attention,feed-forward' | diff %t/all -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre kinds=other' | diff %t/post -

// The embedding norm stays, goes, or is made.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre embedding-norm=keep' | FileCheck %s --check-prefix=KEEP
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre embedding-norm=add' | FileCheck %s --check-prefix=KEEP
// KEEP: %[[E:.*]] = norm.layer_norm %arg0 scale(%arg2
// KEEP: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// KEEP: %[[IN:.*]] = norm.layer_norm %[[E]] scale(%[[ONE]]
// KEEP: linalg.batch_matmul ins(%[[IN]]
// KEEP: norm.residual_add %[[E]],
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre embedding-norm=drop' | diff %t/all -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=output embedding-norm=drop' | FileCheck %s --check-prefix=DROP
// DROP: norm.layer_norm %arg0 {{.*}} {norm.dropped = "embedding_norm"}
// DROP: linalg.batch_matmul ins(%arg0
// DROP: norm.residual_add %arg0,
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=pre embedding-norm=add' | FileCheck %s --check-prefix=ADD
// ADD: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// ADD: %[[E:.*]] = norm.rms_norm %arg0 scale(%[[ONE]]
// ADD: %[[IN:.*]] = norm.rms_norm %[[E]] scale(%arg2
// ADD: linalg.matmul ins(%[[IN]]
// ADD: norm.residual_add %[[E]],
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=post embedding-norm=keep' | FileCheck %s --check-prefix=NOEMB
// NOEMB: norm.rms_norm %arg0 {{.*}} {norm.dropped = "layers.0.ffn.input_norm"}
// NOEMB: linalg.matmul ins(%arg0
// NOEMB: norm.residual_add %arg0,

// A trunk that ends without a norm gets one, or not, or that is an error.
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=peri' | FileCheck %s --check-prefix=FINAL
// FINAL: %[[S:.*]] = norm.residual_add
// FINAL: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// FINAL: %[[N:.*]] = norm.rms_norm %[[S]] scale(%[[ONE]]
// FINAL: return %[[N]]
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=peri final-norm=keep' | FileCheck %s --check-prefix=NOFINAL
// NOFINAL: %[[S:.*]] = norm.residual_add
// NOFINAL-NEXT: return %[[S]]
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=peri final-norm=require' 2>&1 | FileCheck %s --check-prefix=REQUIRE
// REQUIRE: bare.mlir:[[#]]:8: error: expected a final norm after the last sublayer, but got none
// A post norm is not optional.
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=post final-norm=keep' | FileCheck %s --check-prefix=FINAL
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=post final-norm=require' | FileCheck %s --check-prefix=FINAL
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre final-norm=require' | diff %t/all -

// The norms that are made.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=peri new-norm=rms' | FileCheck %s --check-prefix=RMS
// RMS: norm.rms_norm %{{.*}} scale(%{{.*}} : tensor<8xf32>) epsilon = 1.0e-05 : tensor
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=peri epsilon=0.25' | FileCheck %s --check-prefix=EPSILON
// EPSILON: norm.layer_norm %{{.*}} scale(%{{cst.*}} : tensor<8xf32>) epsilon = 0.25 : tensor
// RUN: renorm-opt %t/bare.mlir '--norm-convert-placement=to=peri new-norm=layer epsilon=0' | FileCheck %s --check-prefix=LAYER
// LAYER: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// LAYER: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// LAYER: norm.layer_norm %{{.*}} scale(%[[ONE]] : tensor<8xf32>) bias(%[[ZERO]] : tensor<8xf32>) epsilon = 0.0 : tensor

// Options that make no sense.
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm alpha=0' 2>&1 | FileCheck %s --check-prefix=ALPHA
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm alpha=-1' 2>&1 | FileCheck %s --check-prefix=ALPHA
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm alpha=inf' 2>&1 | FileCheck %s --check-prefix=ALPHA
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm alpha=nan' 2>&1 | FileCheck %s --check-prefix=ALPHA
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm beta=-1' 2>&1 | FileCheck %s --check-prefix=ALPHA
// RUN: not renorm-opt %t/bare.mlir '--norm-convert-placement=to=deepnorm beta=nan' 2>&1 | FileCheck %s --check-prefix=ALPHA
// ALPHA: error: expected '{{alpha|beta}}' to be finite and positive, but got {{0|-1|INF|NAN|inf|nan}}
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=x 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=1,x 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=3-x 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=3- 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=3-1 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=layers=-1 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: expected 'layers' to be a layer or a range such as 0-3, but got '{{x|3-x|3-|3-1|-1}}'
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=epsilon=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=epsilon=nan 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: expected 'epsilon' to be finite and not negative, but got {{-1|NAN|nan}}
// RUN: not renorm-opt %t/bare.mlir --norm-convert-placement=kinds=feed-forward,norm 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: for the --kinds option: expected 'attention', 'feed-forward' or 'other', but got 'norm'

// The options print as they are read.
// RUN: renorm-opt %t/post.mlir --pass-pipeline='builtin.module(norm-convert-placement{kinds=attention,other layers=0-2,4})' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: kinds={attention,other} layers={0-2,4}

//--- post.mlir
func.func @post(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>, %g0: tensor<8xf32>, %g1: tensor<8xf32>, %g2: tensor<8xf32>, %g3: tensor<8xf32>, %g4: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = norm.layer_norm %x scale(%g0 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = norm.attention %1, %1, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %3 = norm.residual_add %0, %2 : tensor<1x4x8xf32>
  %4 = norm.layer_norm %3 scale(%g1 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %5 = linalg.batch_matmul ins(%4, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %6 = norm.residual_add %4, %5 : tensor<1x4x8xf32>
  %7 = norm.layer_norm %6 scale(%g2 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %8 = linalg.batch_matmul ins(%7, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %9 = norm.attention %8, %8, %8 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %10 = norm.residual_add %7, %9 : tensor<1x4x8xf32>
  %11 = norm.layer_norm %10 scale(%g3 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %12 = linalg.batch_matmul ins(%11, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %13 = norm.residual_add %11, %12 : tensor<1x4x8xf32>
  %14 = norm.layer_norm %13 scale(%g4 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %14 : tensor<1x4x8xf32>
}

//--- bare.mlir
// Pre-LN without a final norm.
func.func @bare(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
