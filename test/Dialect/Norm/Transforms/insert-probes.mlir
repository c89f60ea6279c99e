// RUN: renorm-opt %s -norm-insert-probes | FileCheck %s
// RUN: renorm-opt %s -norm-insert-probes="sums logits" --mlir-print-local-scope | FileCheck %s --check-prefixes=ALL

// Running it again adds nothing.
// RUN: renorm-opt %s -norm-insert-probes="sums logits" -o %t.once
// RUN: renorm-opt %s -norm-insert-probes="sums logits" -norm-insert-probes="sums logits" -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: renorm-opt %t.once -norm-insert-probes="sums logits" -o %t.twice
// RUN: diff %t.once %t.twice

// Probes are no part of the network: the report is the same.
// RUN: renorm-opt %s -norm-report -o /dev/null 2> %t.before
// RUN: renorm-opt %s -norm-insert-probes="sums logits" -norm-report -o /dev/null 2> %t.after
// RUN: diff %t.before %t.after
// RUN: renorm-opt %t.once -norm-report -o /dev/null 2> %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func @post
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<12x16xbf16>, %
// CHECK-NEXT: %[[X0:.*]] = norm.rms_norm %[[X]]
// CHECK-NEXT: norm.probe %[[X0]] {name = "embedding"} : tensor<12x16xbf16>
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: %[[S1:.*]] = norm.residual_add
// CHECK-NEXT: %[[X1:.*]] = norm.rms_norm %[[S1]]
// CHECK-NEXT: norm.probe %[[X1]] {name = "layers.0.ffn"}
// CHECK-NEXT: return %[[X1]]

// ALL-LABEL: func @post
// ALL-SAME: %[[X:[a-z0-9]+]]: tensor<12x16xbf16>, %
// ALL-NEXT: norm.probe %[[X]] {name = "embedding.sum"}
// ALL-NEXT: %[[X0:.*]] = norm.rms_norm %[[X]]
// ALL-NEXT: norm.probe %[[X0]] {name = "embedding"}
// ALL: %[[S1:.*]] = norm.residual_add
// ALL-NEXT: norm.probe %[[S1]] {name = "layers.0.ffn.sum"}
// ALL-NEXT: %[[X1:.*]] = norm.rms_norm %[[S1]]
// ALL-NEXT: norm.probe %[[X1]] {name = "layers.0.ffn"}
func.func @post(%x: tensor<12x16xbf16>, %w: tensor<16x16xbf16>, %e: tensor<12x16xbf16>) -> tensor<12x16xbf16> {
  %x0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<12x16xbf16>
  %m1 = linalg.matmul ins(%x0, %w : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%e : tensor<12x16xbf16>) -> tensor<12x16xbf16>
  %s1 = norm.residual_add %x0, %m1 : tensor<12x16xbf16>
  %x1 = norm.rms_norm %s1 epsilon = 1.0e-06 : tensor<12x16xbf16>
  return %x1 : tensor<12x16xbf16>
}

// Two streams: the names of the second say so. The trunk is also a result.
// CHECK-LABEL: func @two_streams
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>, %[[W:[a-z0-9]+]]: tensor<?x?xf32>, %
// CHECK-DAG: norm.probe %[[X]] {name = "embedding"} : tensor<?x?xf32>
// CHECK-DAG: norm.probe %[[Y]] {name = "streams.1.embedding"}
// CHECK: %[[X1:.*]] = norm.residual_add %[[X]]
// CHECK-NEXT: norm.probe %[[X1]] {name = "layers.0.ffn"}
// CHECK: %[[Y1:.*]] = norm.residual_add %[[Y]]
// CHECK-NEXT: norm.probe %[[Y1]] {name = "streams.1.layers.0.ffn"}
// CHECK-NEXT: %[[F:.*]] = norm.rms_norm %[[Y1]]
// CHECK-NEXT: norm.probe %[[F]] {name = "streams.1.final"}
// CHECK-NEXT: return %[[X1]], %[[Y1]], %[[F]]
func.func @two_streams(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %n1 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<?x?xf32>
  %m1 = linalg.matmul ins(%n1, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %x1 = norm.residual_add %x, %m1 : tensor<?x?xf32>
  %n2 = norm.rms_norm %y epsilon = 1.0e-06 : tensor<?x?xf32>
  %m2 = linalg.matmul ins(%n2, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y1 = norm.residual_add %y, %m2 : tensor<?x?xf32>
  %f = norm.rms_norm %y1 epsilon = 1.0e-06 : tensor<?x?xf32>
  return %x1, %y1, %f : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// One probe in the body for all iterations, before and after the loop one more.
// CHECK-LABEL: func @scanned
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<12x16xf32>, %
// CHECK-NEXT: norm.probe %[[X]] {name = "embedding"}
// CHECK: %[[L:.*]] = scf.for
// CHECK-NOT: norm.probe
// CHECK: %[[X1:.*]] = norm.residual_add
// CHECK-NEXT: norm.probe %[[X1]] {name = "layers.0.ffn"}
// CHECK-NEXT: scf.yield %[[X1]]
// CHECK: %[[F:.*]] = norm.rms_norm %[[L]]
// CHECK-NEXT: norm.probe %[[F]] {name = "final"}
func.func @scanned(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>, %n: index) -> tensor<12x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<12x16xf32> {
    %n1 = norm.rms_norm %t epsilon = 1.0e-06 : tensor<12x16xf32>
    %m1 = linalg.matmul ins(%n1, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
    %x1 = norm.residual_add %t, %m1 : tensor<12x16xf32>
    scf.yield %x1 : tensor<12x16xf32>
  }
  %f = norm.rms_norm %l epsilon = 1.0e-06 : tensor<12x16xf32>
  return %f : tensor<12x16xf32>
}

// A probe of another name on the same value, or of the same name on another value,
// is none of ours.
// CHECK-LABEL: func @probed
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<12x16xf32>, %
// CHECK-NEXT: norm.probe %[[X]] {name = "embedding"}
// CHECK-NEXT: %[[M:.*]] = linalg.matmul
// CHECK-NEXT: norm.probe %[[M]] {name = "layers.0.ffn"}
// CHECK-NEXT: %[[X1:.*]] = norm.residual_add
// CHECK-NEXT: norm.probe %[[X1]] {name = "layers.0.ffn"}
// CHECK-NEXT: norm.probe %[[X1]] {name = "mine"}
func.func @probed(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  norm.probe %x {name = "embedding"} : tensor<12x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  norm.probe %m {name = "layers.0.ffn"} : tensor<12x16xf32>
  %x1 = norm.residual_add %x, %m : tensor<12x16xf32>
  norm.probe %x1 {name = "mine"} : tensor<12x16xf32>
  return %x1 : tensor<12x16xf32>
}

// Grouped queries; capped logits in the type of the softmax. The sublayer has two
// attentions.
// CHECK-LABEL: func @logits
// CHECK-NOT: logits

// ALL-LABEL: func @logits
// ALL-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x?x16xbf16>, %[[K:[a-z0-9]+]]: tensor<2x2x?x16xbf16>
// ALL: %[[Q:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 2, %{{.*}}, 16]
// ALL: %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x2x2x?x?xf32>)
// ALL: %[[PRODUCTS:.*]] = linalg.generic
// ALL-SAME: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
// ALL-SAME: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// ALL-SAME: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
// ALL-SAME: ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
// ALL-SAME: ins(%[[Q]], %[[K]] : {{.*}}) outs(%[[FILL]] : {{.*}})
// ALL-NEXT: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[C:.*]]: f32):
// ALL-NEXT:   %[[A1:.*]] = arith.extf %[[A]] : bf16 to f32
// ALL-NEXT:   %[[B1:.*]] = arith.extf %[[B]] : bf16 to f32
// ALL-NEXT:   %[[P:.*]] = arith.mulf %[[A1]], %[[B1]] fastmath<reassoc,contract> : f32
// ALL-NEXT:   arith.addf %[[C]], %[[P]] fastmath<reassoc,contract> : f32
// ALL: %[[LOGITS:.*]] = linalg.generic
// ALL-SAME: ins(%[[PRODUCTS]] : tensor<2x2x2x?x?xf32>)
// ALL:   %[[SCALE:.*]] = arith.constant 2.500000e-01 : f32
// ALL:   %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SCALE]] : f32
// ALL:   %[[CAP:.*]] = arith.constant 5.000000e+01 : f32
// ALL:   %[[RATIO:.*]] = arith.divf %[[SCALED]], %[[CAP]] : f32
// ALL:   %[[TANH:.*]] = math.tanh %[[RATIO]] : f32
// ALL:   arith.mulf %[[CAP]], %[[TANH]] : f32
// ALL: norm.probe %[[LOGITS]] {name = "layers.0.cross_attention.logits"}
// ALL-NEXT: norm.attention

// ALL: %[[G:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
// ALL: linalg.generic
// ALL-SAME: affine_map<(d0, d1, d2, d3, d4) -> (d1, d2)>
// ALL-SAME: ins(%{{.*}}, %[[G]] : {{.*}})
// ALL: norm.probe %{{.*}} {name = "attention.1.logits"}
// ALL-NEXT: norm.attention
func.func @logits(%x: tensor<2x4x?x16xbf16>, %k: tensor<2x2x?x16xbf16>, %g: tensor<4xf32>) -> tensor<2x4x?x16xbf16> {
  %a = norm.attention %x, %k, %k causal softcap = 50.0
         : tensor<2x4x?x16xbf16>, tensor<2x2x?x16xbf16>, tensor<2x2x?x16xbf16>
  %b = norm.attention %a, %k, %k learned_scale(%g : tensor<4xf32>)
         : tensor<2x4x?x16xbf16>, tensor<2x2x?x16xbf16>, tensor<2x2x?x16xbf16>
  %y = norm.residual_add %x, %b : tensor<2x4x?x16xbf16>
  return %y : tensor<2x4x?x16xbf16>
}

// CHECK-LABEL: func @unknown
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
func.func @unknown(%x: tensor<12x16xf32>, %w: tensor<16x16xf32>, %e: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x16xf32>) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
  return %m : tensor<12x16xf32>
}

// CHECK: func private @declaration
func.func private @declaration(tensor<12x16xf32>)
