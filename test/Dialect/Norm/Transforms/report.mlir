// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s
// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAYOUT --strict-whitespace --match-full-lines
// RUN: renorm-opt %s -norm-report=output=%t.txt && FileCheck %s --input-file=%t.txt

// The IR on the standard output is that without the pass.
// RUN: renorm-opt %s -o %t.before
// RUN: renorm-opt %s -norm-report -o %t.after
// RUN: diff %t.before %t.after

// Every layer normalizes the trunk; a norm before the first add is the embedding norm.
// CHECK-LABEL: function @post
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention post post - - layer 1e-05 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward post post - - layer 1e-05 4x12x16xf32
// CHECK-NEXT: layers.1.attention self-attention post post - - layer 1e-05 4x12x16xf32
// CHECK-NEXT: layers.1.ffn feed-forward post post - - layer 1e-05 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth bounded
// CHECK-NEXT: embedding norm layer 1e-05
// CHECK-NEXT: final norm -
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
// CHECK-NEXT: layers.1.attention 4 4 16 0.25 - unbounded

//      LAYOUT:function @post
// LAYOUT-NEXT:  sublayer            kind            placement  bits  input  output  post         shape
// LAYOUT-NEXT:  layers.0.attention  self-attention  post       post  -      -       layer 1e-05  4x12x16xf32
// LAYOUT-NEXT:  layers.0.ffn        feed-forward    post       post  -      -       layer 1e-05  4x12x16xf32
// LAYOUT-NEXT:  layers.1.attention  self-attention  post       post  -      -       layer 1e-05  4x12x16xf32
// LAYOUT-NEXT:  layers.1.ffn        feed-forward    post       post  -      -       layer 1e-05  4x12x16xf32
// LAYOUT-EMPTY:
// LAYOUT-NEXT:  trunk           tensor<4x12x16xf32> from argument 0, growth bounded
// LAYOUT-NEXT:  embedding norm  layer 1e-05
// LAYOUT-NEXT:  final norm      -
// LAYOUT-EMPTY:
// LAYOUT-NEXT:  attention           heads  kv heads  head dim  scale  QK-Norm  logits
// LAYOUT-NEXT:  layers.0.attention  4      4         16        0.25   -        unbounded
// LAYOUT-NEXT:  layers.1.attention  4      4         16        0.25   -        unbounded
func.func @post(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.layer_norm %x scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %n1, %m6 : tensor<4x12x16xf32>
  %n8 = norm.layer_norm %x7 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %m9 = linalg.batch_matmul ins(%n8, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r10 = math.tanh %m9 : tensor<4x12x16xf32>
  %m11 = linalg.batch_matmul ins(%r10, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x12 = norm.residual_add %n8, %m11 : tensor<4x12x16xf32>
  %n13 = norm.layer_norm %x12 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %m14 = linalg.batch_matmul ins(%n13, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m15 = linalg.batch_matmul ins(%n13, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m16 = linalg.batch_matmul ins(%n13, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a17 = norm.attention %m14, %m15, %m16 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m18 = linalg.batch_matmul ins(%a17, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x19 = norm.residual_add %n13, %m18 : tensor<4x12x16xf32>
  %n20 = norm.layer_norm %x19 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %m21 = linalg.batch_matmul ins(%n20, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r22 = math.tanh %m21 : tensor<4x12x16xf32>
  %m23 = linalg.batch_matmul ins(%r22, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x24 = norm.residual_add %n20, %m23 : tensor<4x12x16xf32>
  %n25 = norm.layer_norm %x24 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  return %n25 : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @pre
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward pre in rms 1e-06 - - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @pre(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %m6 : tensor<4x12x16xf32>
  %n8 = norm.rms_norm %x7 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m9 = linalg.batch_matmul ins(%n8, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r10 = math.tanh %m9 : tensor<4x12x16xf32>
  %m11 = linalg.batch_matmul ins(%r10, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x12 = norm.residual_add %x7, %m11 : tensor<4x12x16xf32>
  %n13 = norm.rms_norm %x12 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n13 : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @peri
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention peri in+out rms 1e-06 rms 1e-06 - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward peri in+out rms 1e-06 rms 1e-06 - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth linear
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @peri(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %n7 = norm.rms_norm %m6 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %x8 = norm.residual_add %x, %n7 : tensor<4x12x16xf32>
  %n9 = norm.rms_norm %x8 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%n9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r11 = math.tanh %m10 : tensor<4x12x16xf32>
  %m12 = linalg.batch_matmul ins(%r11, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %n13 = norm.rms_norm %m12 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %x14 = norm.residual_add %x8, %n13 : tensor<4x12x16xf32>
  %n15 = norm.rms_norm %x14 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n15 : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @output
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention output out - rms 1e-06 - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward output out - rms 1e-06 - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth linear
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @output(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %m1 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a4 = norm.attention %m1, %m2, %m3 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m5 = linalg.batch_matmul ins(%a4, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %n6 = norm.rms_norm %m5 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %n6 : tensor<4x12x16xf32>
  %m8 = linalg.batch_matmul ins(%x7, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r9 = math.tanh %m8 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%r9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %n11 = norm.rms_norm %m10 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %x12 = norm.residual_add %x7, %n11 : tensor<4x12x16xf32>
  %n13 = norm.rms_norm %x12 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n13 : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @none
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention none - - - - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward none - - - - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm -
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @none(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %m1 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a4 = norm.attention %m1, %m2, %m3 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m5 = linalg.batch_matmul ins(%a4, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x6 = norm.residual_add %x, %m5 : tensor<4x12x16xf32>
  %m7 = linalg.batch_matmul ins(%x6, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r8 = math.tanh %m7 : tensor<4x12x16xf32>
  %m9 = linalg.batch_matmul ins(%r8, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x10 = norm.residual_add %x6, %m9 : tensor<4x12x16xf32>
  return %x10 : tensor<4x12x16xf32>
}

// A post norm of a scaled skip.
// CHECK-LABEL: function @deepnorm
// CHECK-NEXT: sublayer kind placement bits input output post skip scale shape
// CHECK-NEXT: layers.0.attention self-attention deepnorm post - - layer 1e-05 2.3784 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward deepnorm post - - layer 1e-05 2.3784 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth bounded
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm -
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @deepnorm(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %m1 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%x, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a4 = norm.attention %m1, %m2, %m3 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m5 = linalg.batch_matmul ins(%a4, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x6 = norm.residual_add %x, %m5 residual_scale = 2.3784 : tensor<4x12x16xf32>
  %n7 = norm.layer_norm %x6 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  %m8 = linalg.batch_matmul ins(%n7, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r9 = math.tanh %m8 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%r9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x11 = norm.residual_add %n7, %m10 residual_scale = 2.3784 : tensor<4x12x16xf32>
  %n12 = norm.layer_norm %x11 scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<4x12x16xf32>
  return %n12 : tensor<4x12x16xf32>
}

// Attention and feed-forward read one value.
// CHECK-LABEL: function @parallel
// CHECK-NEXT: sublayer kind placement bits input output post branch scale parallel shape
// CHECK-NEXT: layers.0.attention self-attention pre in rms 1e-06 - - 0.22 0 4x12x16xf32
// CHECK-NEXT: layers.0.ffn gated-feed-forward pre in rms 1e-06 - - - 0 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @parallel(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %m6 branch_scale = 0.22 : tensor<4x12x16xf32>
  %m8 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m9 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r10 = arith.mulf %m8, %m9 : tensor<4x12x16xf32>
  %m11 = linalg.batch_matmul ins(%r10, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x12 = norm.residual_add %x7, %m11 : tensor<4x12x16xf32>
  %n13 = norm.rms_norm %x12 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n13 : tensor<4x12x16xf32>
}

// The norm after the last add is the final norm of what is pre here; the worst layer
// says how the trunk grows.
// CHECK-LABEL: function @mixed
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward post post - - rms 1e-06 4x12x16xf32
// CHECK-NEXT: layers.1.ffn feed-forward pre in rms 1e-06 - - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @mixed(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %m6 : tensor<4x12x16xf32>
  %m8 = linalg.batch_matmul ins(%x7, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r9 = math.tanh %m8 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%r9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x11 = norm.residual_add %x7, %m10 : tensor<4x12x16xf32>
  %n12 = norm.rms_norm %x11 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %n13 = norm.rms_norm %n12 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m14 = linalg.batch_matmul ins(%n13, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r15 = math.tanh %m14 : tensor<4x12x16xf32>
  %m16 = linalg.batch_matmul ins(%r15, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x17 = norm.residual_add %n12, %m16 : tensor<4x12x16xf32>
  %n18 = norm.rms_norm %x17 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n18 : tensor<4x12x16xf32>
}

// HybridNorm: a norm in every layer resets the trunk.
// CHECK-LABEL: function @hybrid
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-NEXT: layers.0.ffn feed-forward post post - - rms 1e-06 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth bounded
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm -
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
func.func @hybrid(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %m6 : tensor<4x12x16xf32>
  %m8 = linalg.batch_matmul ins(%x7, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r9 = math.tanh %m8 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%r9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x11 = norm.residual_add %x7, %m10 : tensor<4x12x16xf32>
  %n12 = norm.rms_norm %x11 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n12 : tensor<4x12x16xf32>
}

// The memory is another stream.
// CHECK-LABEL: function @encoder_decoder, stream 0 of 2
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: layers.0.attention self-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 0, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: layers.0.attention 4 4 16 0.25 - unbounded
// CHECK: function @encoder_decoder, stream 1 of 2
// CHECK-NEXT: sublayer kind placement bits input output post shape
// CHECK-NEXT: streams.1.layers.0.attention self-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-NEXT: streams.1.layers.0.cross_attention cross-attention pre in rms 1e-06 - - 4x12x16xf32
// CHECK-NEXT: streams.1.layers.0.ffn feed-forward pre in rms 1e-06 - - 4x12x16xf32
// CHECK-EMPTY:
// CHECK-NEXT: trunk tensor<4x12x16xf32> from argument 5, growth multiplicative
// CHECK-NEXT: embedding norm -
// CHECK-NEXT: final norm rms 1e-06
// CHECK-EMPTY:
// CHECK-NEXT: attention heads kv heads head dim scale QK-Norm logits
// CHECK-NEXT: streams.1.layers.0.attention 4 4 16 0.25 - unbounded
// CHECK-NEXT: streams.1.layers.0.cross_attention 4 4 16 0.25 - unbounded
func.func @encoder_decoder(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<4x12x16xf32>, %y: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n1 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m2 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m3 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m4 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a5 = norm.attention %m2, %m3, %m4 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m6 = linalg.batch_matmul ins(%a5, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x7 = norm.residual_add %x, %m6 : tensor<4x12x16xf32>
  %n8 = norm.rms_norm %x7 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %n9 = norm.rms_norm %y scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m10 = linalg.batch_matmul ins(%n9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m11 = linalg.batch_matmul ins(%n9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m12 = linalg.batch_matmul ins(%n9, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a13 = norm.attention %m10, %m11, %m12 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m14 = linalg.batch_matmul ins(%a13, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x15 = norm.residual_add %y, %m14 : tensor<4x12x16xf32>
  %n16 = norm.rms_norm %x15 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m17 = linalg.batch_matmul ins(%n16, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m18 = linalg.batch_matmul ins(%n8, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %m19 = linalg.batch_matmul ins(%n8, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a20 = norm.attention %m17, %m18, %m19 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %m21 = linalg.batch_matmul ins(%a20, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x22 = norm.residual_add %x15, %m21 : tensor<4x12x16xf32>
  %n23 = norm.rms_norm %x22 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m24 = linalg.batch_matmul ins(%n23, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %r25 = math.tanh %m24 : tensor<4x12x16xf32>
  %m26 = linalg.batch_matmul ins(%r25, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x27 = norm.residual_add %x22, %m26 : tensor<4x12x16xf32>
  %n28 = norm.rms_norm %x27 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  return %n28 : tensor<4x12x16xf32>
}

// CHECK-LABEL: function @nothing
// CHECK-NEXT: no residual stream
// CHECK-NEXT: other norm l2 1e-12 clamp unscaled axes 0,1 at {{.*}}report.mlir:[[@LINE+2]]:8
func.func @nothing(%x: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  %n = norm.l2_norm %x epsilon = 1.0e-12 epsilon_mode = clamp axes = [0, 1] : tensor<?x16xbf16>
  return %n : tensor<?x16xbf16>
}

// CHECK-LABEL: function @empty
// CHECK-NEXT: no residual stream
func.func @empty() {
  return
}

// There is nothing to say about a declaration.
// CHECK-NOT: function @declaration
func.func private @declaration(tensor<4xf32>) -> tensor<4xf32>

// A nested module comes in its place. Norms say what is unusual about them, extents
// are those that are known.
// CHECK-LABEL: function @dynamic
// CHECK: layers.0.ffn feed-forward pre in rms 1e-05 outside 1+scale in bf16 - - ?x?xbf16
// CHECK: layers.1.ffn feed-forward pre in layer 0 unscaled - - ?x?xbf16
// CHECK: final norm layer 0.001 unbiased
module @nested {
  func.func @dynamic(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>, %g: tensor<?xbf16>, %e: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
    %n1 = norm.rms_norm %x scale(%g : tensor<?xbf16>) epsilon = 1.0e-05 epsilon_mode = outside compute_type = bf16 unit_offset : tensor<?x?xbf16>
    %m1 = linalg.matmul ins(%n1, %w : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%e : tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %x1 = norm.residual_add %x, %m1 : tensor<?x?xbf16>
    %n2 = norm.layer_norm %x1 epsilon = 0.0 : tensor<?x?xbf16>
    %m2 = linalg.matmul ins(%n2, %w : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%e : tensor<?x?xbf16>) -> tensor<?x?xbf16>
    %x2 = norm.residual_add %x1, %m2 : tensor<?x?xbf16>
    %n3 = norm.layer_norm %x2 scale(%g : tensor<?xbf16>) epsilon = 1.0e-03 : tensor<?x?xbf16>
    return %n3 : tensor<?x?xbf16>
  }
}
