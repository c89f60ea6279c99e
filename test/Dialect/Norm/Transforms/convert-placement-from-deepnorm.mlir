// DeepNorm: Post-LN with a scaled skip; the scale comes and goes with it.

// RUN: renorm-opt %s '--norm-convert-placement=to=none' | FileCheck %s --check-prefix=NONE --implicit-check-not='norm.rms_norm'
// RUN: renorm-opt %s '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=POST --implicit-check-not='norm.rms_norm'
// RUN: renorm-opt %s '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=PRE --implicit-check-not='norm.rms_norm'
// RUN: renorm-opt %s '--norm-convert-placement=to=peri' | FileCheck %s --check-prefix=PERI --implicit-check-not='norm.rms_norm'
// RUN: renorm-opt %s '--norm-convert-placement=to=output' | FileCheck %s --check-prefix=OUTPUT --implicit-check-not='norm.rms_norm'
// RUN: renorm-opt %s '--norm-convert-placement=to=deepnorm alpha=1.5' | FileCheck %s --check-prefix=DEEPNORM --implicit-check-not='norm.rms_norm'

// NONE-LABEL: func.func @deepnorm
// NONE-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// NONE: %[[EMB:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// NONE: %[[M0:.*]] = linalg.batch_matmul ins(%[[EMB]],
// NONE: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// NONE: %[[S0:.*]] = norm.residual_add %[[EMB]], %[[A]] : tensor<1x4x8xf32>
// NONE: norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 {norm.dropped = "layers.0.attention.post_norm"} : tensor<1x4x8xf32>
// NONE: %[[M1:.*]] = linalg.batch_matmul ins(%[[S0]],
// NONE: %[[S1:.*]] = norm.residual_add %[[S0]], %[[M1]] : tensor<1x4x8xf32>
// NONE: %[[FINAL:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// NONE: return %[[FINAL]]

// POST-LABEL: func.func @deepnorm
// POST-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// POST: %[[EMB:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// POST: %[[M0:.*]] = linalg.batch_matmul ins(%[[EMB]],
// POST: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// POST: %[[S0:.*]] = norm.residual_add %[[EMB]], %[[A]] : tensor<1x4x8xf32>
// POST: %[[POST0:.*]] = norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// POST: %[[M1:.*]] = linalg.batch_matmul ins(%[[POST0]],
// POST: %[[S1:.*]] = norm.residual_add %[[POST0]], %[[M1]] : tensor<1x4x8xf32>
// POST: %[[POST1:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// POST: return %[[POST1]]

// PRE-LABEL: func.func @deepnorm
// PRE-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// PRE: %[[IN0:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PRE: %[[M0:.*]] = linalg.batch_matmul ins(%[[IN0]],
// PRE: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// PRE: %[[S0:.*]] = norm.residual_add %[[X]], %[[A]] : tensor<1x4x8xf32>
// PRE: %[[IN1:.*]] = norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PRE: %[[M1:.*]] = linalg.batch_matmul ins(%[[IN1]],
// PRE: %[[S1:.*]] = norm.residual_add %[[S0]], %[[M1]] : tensor<1x4x8xf32>
// PRE: %[[FINAL:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PRE: return %[[FINAL]]

// PERI-LABEL: func.func @deepnorm
// PERI-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// PERI: %[[IN0:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PERI: %[[M0:.*]] = linalg.batch_matmul ins(%[[IN0]],
// PERI: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// PERI: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// PERI: %[[OUT0:.*]] = norm.rms_norm %[[A]] scale(%[[ONE]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PERI: %[[S0:.*]] = norm.residual_add %[[X]], %[[OUT0]] : tensor<1x4x8xf32>
// PERI: %[[IN1:.*]] = norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PERI: %[[M1:.*]] = linalg.batch_matmul ins(%[[IN1]],
// PERI: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// PERI: %[[OUT1:.*]] = norm.rms_norm %[[M1]] scale(%[[ONE]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PERI: %[[S1:.*]] = norm.residual_add %[[S0]], %[[OUT1]] : tensor<1x4x8xf32>
// PERI: %[[FINAL:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// PERI: return %[[FINAL]]

// OUTPUT-LABEL: func.func @deepnorm
// OUTPUT-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// OUTPUT: %[[EMB:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// OUTPUT: %[[M0:.*]] = linalg.batch_matmul ins(%[[EMB]],
// OUTPUT: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// OUTPUT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// OUTPUT: %[[OUT0:.*]] = norm.rms_norm %[[A]] scale(%[[ONE]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// OUTPUT: %[[S0:.*]] = norm.residual_add %[[EMB]], %[[OUT0]] : tensor<1x4x8xf32>
// OUTPUT: norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 {norm.dropped = "layers.0.attention.post_norm"} : tensor<1x4x8xf32>
// OUTPUT: %[[M1:.*]] = linalg.batch_matmul ins(%[[S0]],
// OUTPUT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// OUTPUT: %[[OUT1:.*]] = norm.rms_norm %[[M1]] scale(%[[ONE]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// OUTPUT: %[[S1:.*]] = norm.residual_add %[[S0]], %[[OUT1]] : tensor<1x4x8xf32>
// OUTPUT: %[[FINAL:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// OUTPUT: return %[[FINAL]]

// DEEPNORM-LABEL: func.func @deepnorm
// DEEPNORM-SAME: (%[[X:[^:]*]]: tensor<1x4x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %{{[^:]*}}: tensor<1x8x8xf32>, %[[G_EMB:[^:]*]]: tensor<8xf32>, %[[G_POST0:[^:]*]]: tensor<8xf32>, %[[G_POST1:[^:]*]]: tensor<8xf32>)
// DEEPNORM: %[[EMB:.*]] = norm.rms_norm %[[X]] scale(%[[G_EMB]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// DEEPNORM: %[[M0:.*]] = linalg.batch_matmul ins(%[[EMB]],
// DEEPNORM: %[[A:.*]] = norm.attention %[[M0]], %[[M0]], %[[M0]]
// DEEPNORM: %[[S0:.*]] = norm.residual_add %[[EMB]], %[[A]] residual_scale = 1.5 : tensor<1x4x8xf32>
// DEEPNORM: %[[POST0:.*]] = norm.rms_norm %[[S0]] scale(%[[G_POST0]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// DEEPNORM: %[[M1:.*]] = linalg.batch_matmul ins(%[[POST0]],
// DEEPNORM: %[[S1:.*]] = norm.residual_add %[[POST0]], %[[M1]] residual_scale = 1.5 : tensor<1x4x8xf32>
// DEEPNORM: %[[POST1:.*]] = norm.rms_norm %[[S1]] scale(%[[G_POST1]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<1x4x8xf32>
// DEEPNORM: return %[[POST1]]

func.func @deepnorm(%x: tensor<1x4x8xf32>, %wa: tensor<1x8x8xf32>, %wf: tensor<1x8x8xf32>, %g_emb: tensor<8xf32>, %g_post0: tensor<8xf32>, %g_post1: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %emb = norm.rms_norm %x scale(%g_emb : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %m0 = linalg.batch_matmul ins(%emb, %wa : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a = norm.attention %m0, %m0, %m0 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %s0 = norm.residual_add %emb, %a residual_scale = 1.5 : tensor<1x4x8xf32>
  %post0 = norm.rms_norm %s0 scale(%g_post0 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %m1 = linalg.batch_matmul ins(%post0, %wf : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s1 = norm.residual_add %post0, %m1 residual_scale = 1.5 : tensor<1x4x8xf32>
  %post1 = norm.rms_norm %s1 scale(%g_post1 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %post1 : tensor<1x4x8xf32>
}
