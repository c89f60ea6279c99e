// norm-fold-affine on constants: everything is computed when compiled.

// RUN: renorm-opt %s --norm-fold-affine -o %t && FileCheck %s --enable-var-scope < %t
// RUN: renorm-opt %t --norm-fold-affine --verify-diagnostics | diff %t -

#identity = affine_map<(d0, d1) -> (d0, d1)>
#feature = affine_map<(d0, d1) -> (d1)>

// The weight's rows take the scale; the bias takes b W.
// CHECK-LABEL: func.func @layer_norm
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[}}[1.000000e+00, 2.000000e+00], [6.000000e+00, 8.000000e+00], [2.000000e+01, 2.400000e+01]]> : tensor<3x2xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[-3.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK: %[[N:.*]] = norm.layer_norm %{{[^ ]*}} epsilon = 1.0e-05 : tensor<4x3xf32>
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[N]], %[[W]] :
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[C]] :
// CHECK: return %[[S]]
func.func @layer_norm(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %g = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = norm.layer_norm %x scale(%g : tensor<3xf32>) bias(%b : tensor<3xf32>) epsilon = 1.0e-05 : tensor<4x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [#identity, #feature, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%y, %c : tensor<4x2xf32>, tensor<2xf32>) outs(%empty : tensor<4x2xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<4x2xf32>
  return %s : tensor<4x2xf32>
}

// PyTorch's weights are [out, in]; an open batch is flattened for the matmul.
// Both readers are folded, with 1 + g. The transposes stay.
// CHECK-LABEL: func.func @unit_offset
// CHECK-DAG: %[[UP:.*]] = arith.constant dense<{{\[}}[2.000000e+00, 6.000000e+00], [6.000000e+00, 1.200000e+01], [1.000000e+01, 1.800000e+01]]> : tensor<3x2xf32>
// CHECK-DAG: %[[GATE:.*]] = arith.constant dense<{{\[}}[2.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<3x2xf32>
// CHECK: norm.rms_norm %{{[^ ]*}} epsilon = 1.0e-06 : tensor<?x5x2xf32>
// CHECK-DAG: linalg.transpose ins(%[[UP]] :
// CHECK-DAG: linalg.transpose ins(%[[GATE]] :
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @unit_offset(%x: tensor<?x5x2xf32>, %init: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %g = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %up = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %gate = arith.constant dense<1.0> : tensor<3x2xf32>
  %n = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-06 unit_offset : tensor<?x5x2xf32>
  %flat = tensor.collapse_shape %n [[0, 1], [2]] : tensor<?x5x2xf32> into tensor<?x2xf32>
  %empty = tensor.empty() : tensor<2x3xf32>
  %up_t = linalg.transpose ins(%up : tensor<3x2xf32>) outs(%empty : tensor<2x3xf32>) permutation = [1, 0]
  %gate_t = linalg.transpose ins(%gate : tensor<3x2xf32>) outs(%empty : tensor<2x3xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%flat, %up_t : tensor<?x2xf32>, tensor<2x3xf32>) outs(%init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = linalg.matmul ins(%flat, %gate_t : tensor<?x2xf32>, tensor<2x3xf32>) outs(%init : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// bf16: a product is rounded to the weight's type (1.0078125 squared to 1.015625);
// cast_before_scale goes with the scale that it stands before.
// CHECK-LABEL: func.func @bf16
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[}}[1.015630e+00], [-2.000000e+00]]> : tensor<2x1xbf16>
// CHECK: %[[N:.*]] = norm.rms_norm %{{[^ ]*}} epsilon = 1.0e-06 : tensor<4x2xbf16>
// CHECK: linalg.matmul ins(%[[N]], %[[W]] : tensor<4x2xbf16>, tensor<2x1xbf16>)
func.func @bf16(%x: tensor<4x2xbf16>, %init: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %g = arith.constant dense<[1.0078125, 2.0]> : tensor<2xbf16>
  %w = arith.constant dense<[[1.0078125], [-1.0]]> : tensor<2x1xbf16>
  %n = norm.rms_norm %x scale(%g : tensor<2xbf16>) epsilon = 1.0e-06 cast_before_scale : tensor<4x2xbf16>
  %y = linalg.matmul ins(%n, %w : tensor<4x2xbf16>, tensor<2x1xbf16>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// The bias of a norm that is read in bf16 is added in f32, where the matmul
// accumulates, before anything is rounded.
// CHECK-LABEL: func.func @new_bias_in_accumulator
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<3xf32>
// CHECK: %[[Y:.*]] = linalg.matmul {{.*}} -> tensor<4x3xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[C]] : tensor<4x3xf32>, tensor<3xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<4x3xf32>) outs({{.*}} : tensor<4x3xbf16>)
func.func @new_bias_in_accumulator(%x: tensor<4x2xbf16>, %init: tensor<4x3xf32>) -> tensor<4x3xbf16> {
  %b = arith.constant dense<[0.5, 1.0]> : tensor<2xbf16>
  %w = arith.constant dense<[[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]]> : tensor<2x3xbf16>
  %n = norm.layer_norm %x bias(%b : tensor<2xbf16>) epsilon = 1.0e-06 : tensor<4x2xbf16>
  %y = linalg.matmul ins(%n, %w : tensor<4x2xbf16>, tensor<2x3xbf16>) outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  %empty = tensor.empty() : tensor<4x3xbf16>
  %t = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x3xf32>) outs(%empty : tensor<4x3xbf16>) {
  ^bb0(%p: f32, %out: bf16):
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x3xbf16>
  return %t : tensor<4x3xbf16>
}

// ScaleNorm's one factor; a splat stays one.
// CHECK-LABEL: func.func @scale_norm
// CHECK-DAG: %[[W:.*]] = arith.constant dense<1.500000e+00> : tensor<3x2xf32>
// CHECK: norm.l2_norm %{{[^ ]*}} epsilon = 1.0e-05 : tensor<4x3xf32>
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]] :
func.func @scale_norm(%x: tensor<4x3xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %g = arith.constant dense<3.0> : tensor<f32>
  %w = arith.constant dense<0.5> : tensor<3x2xf32>
  %n = norm.l2_norm %x scale(%g : tensor<f32>) epsilon = 1.0e-05 : tensor<4x3xf32>
  %y = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// A weight that is broadcast along the batch is folded before; the result of a
// batch_matmul takes the new bias along its last dimension.
// CHECK-LABEL: func.func @batch_matmul
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[}}[2.000000e+00, 4.000000e+00], [9.000000e+00, 1.200000e+01]]> : tensor<2x2xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[4.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[W]] :
// CHECK: %[[Y:.*]] = linalg.batch_matmul ins(%{{.*}}, %[[B]] :
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[LAST:.*]], #[[ID]]]{{.*}} ins(%[[Y]], %[[C]] : tensor<5x4x2xf32>, tensor<2xf32>)
func.func @batch_matmul(%x: tensor<5x4x2xf32>, %init: tensor<5x4x2xf32>) -> tensor<5x4x2xf32> {
  %g = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = arith.constant dense<1.0> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %n = norm.layer_norm %x scale(%g : tensor<2xf32>) bias(%b : tensor<2xf32>) epsilon = 1.0e-05 : tensor<5x4x2xf32>
  %empty = tensor.empty() : tensor<5x2x2xf32>
  %wb = linalg.broadcast ins(%w : tensor<2x2xf32>) outs(%empty : tensor<5x2x2xf32>) dimensions = [0]
  %y = linalg.batch_matmul ins(%n, %wb : tensor<5x4x2xf32>, tensor<5x2x2xf32>) outs(%init : tensor<5x4x2xf32>) -> tensor<5x4x2xf32>
  return %y : tensor<5x4x2xf32>
}

// A weight for each expert: so is the bias. The norm is the second operand.
// CHECK-LABEL: func.func @experts
// CHECK-DAG: arith.constant dense<{{\[\[}}[2.000000e+00, 6.000000e+00], [0.000000e+00, 3.000000e+00]], {{\[}}[6.000000e+00, 1.200000e+01], [2.000000e+00, 0.000000e+00]]]> : tensor<2x2x2xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<{{\[}}[3.000000e+00, 1.000000e+00], [7.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[C]] : tensor<2x2x4xf32>, tensor<2x2xf32>)
func.func @experts(%x: tensor<2x4x2xf32>, %init: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %g = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = arith.constant dense<1.0> : tensor<2xf32>
  %w = arith.constant dense<[[[1.0, 2.0], [0.0, 1.0]], [[3.0, 4.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  %n = norm.layer_norm %x scale(%g : tensor<2xf32>) bias(%b : tensor<2xf32>) epsilon = 1.0e-05 : tensor<2x4x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(e, o, t, i) -> (e, o, i)>, affine_map<(e, o, t, i) -> (e, t, i)>,
                                        affine_map<(e, o, t, i) -> (e, o, t)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %n : tensor<2x2x2xf32>, tensor<2x4x2xf32>) outs(%init : tensor<2x2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x2x4xf32>
  return %y : tensor<2x2x4xf32>
}

// One row is read, the normalized dimension whole.
// CHECK-LABEL: func.func @last_token
// CHECK-DAG: arith.constant dense<{{\[}}[2.000000e+00, 4.000000e+00], [9.000000e+00, 1.200000e+01]]> : tensor<2x2xf32>
// CHECK: norm.rms_norm %{{[^ ]*}} epsilon
func.func @last_token(%x: tensor<4x2xf32>, %init: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %g = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %n = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2xf32>
  %last = tensor.extract_slice %n[3, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
  %y = linalg.matmul ins(%last, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%init : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// Heads are normalized each on its own and merged for the matmul: with one scale for
// all of them, and with one for each.
// CHECK-LABEL: func.func @heads
// CHECK-DAG: arith.constant dense<{{\[}}[2.000000e+00], [6.000000e+00], [6.000000e+00], [1.200000e+01]]> : tensor<4x1xf32>
// CHECK-DAG: arith.constant dense<{{\[}}[5.000000e+00], [1.200000e+01], [2.100000e+01], [3.200000e+01]]> : tensor<4x1xf32>
// CHECK-NOT: scale(
// CHECK: return
func.func @heads(%x: tensor<4x2x2xf32>, %init: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %g = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %h = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %w = arith.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<4x2x2xf32> into tensor<4x4xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<4x4xf32>, tensor<4x1xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  %3 = norm.rms_norm %x scale(%h : tensor<2x2xf32>) epsilon = 1.0e-05 scale_dims = [1, 2] : tensor<4x2x2xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<4x2x2xf32> into tensor<4x4xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<4x4xf32>, tensor<4x1xf32>) outs(%2 : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %5 : tensor<4x1xf32>
}

// Resources and globals.
// CHECK-LABEL: func.func @resource
// CHECK-DAG: arith.constant dense_resource<[[$RESOURCE:weight.*]]> : tensor<2x2xf32>
// CHECK: norm.rms_norm %{{[^ ]*}} epsilon
ml_program.global private @g(dense<[2.0, 3.0]> : tensor<2xf32>) : tensor<2xf32>
func.func @resource(%x: tensor<4x2xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %g = ml_program.global_load_const @g : tensor<2xf32>
  %w = arith.constant dense_resource<w> : tensor<2x2xf32>
  %n = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<4x2xf32>
  %y = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Who asks for the shape only is no reader, and a norm that nothing reads is
// left to dead code elimination.
// CHECK-LABEL: func.func @shape
// CHECK: norm.rms_norm %{{[^ ]*}} epsilon = 1.0e-05 : tensor<?x2xf32>
// CHECK: tensor.dim
// CHECK: norm.rms_norm %{{[^ ]*}} scale({{.*}} epsilon = 1.0e-05 {norm.dropped
func.func @shape(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %g = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 : tensor<?x2xf32>
  %dim = tensor.dim %n, %c0 : tensor<?x2xf32>
  %empty = tensor.empty(%dim) : tensor<?x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %d = norm.rms_norm %x scale(%g : tensor<2xf32>) epsilon = 1.0e-05 {norm.dropped = "final norm"} : tensor<?x2xf32>
  %y = linalg.matmul ins(%n, %w : tensor<?x2xf32>, tensor<2x2xf32>) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// 1.0 * 2.0, 2.0 * 2.0, 3.0 * 3.0, 4.0 * 3.0.
// CHECK: [[$RESOURCE]]: "0x4000000000000040000080400000104100004041"
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803f000000400000404000008040"
    }
  }
#-}
