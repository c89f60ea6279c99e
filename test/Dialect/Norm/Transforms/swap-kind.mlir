// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms" -verify-diagnostics | FileCheck %s --check-prefixes=CHECK,RMS
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms bias=keep" | FileCheck %s --check-prefix=KEEP
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms norms=qk" | FileCheck %s --check-prefix=QK
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms norms=trunk" | FileCheck %s --check-prefix=TRUNK
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms norms=all" | FileCheck %s --check-prefix=ALL
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms layers=1" | FileCheck %s --check-prefix=LAYERS
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms bias=keep" -norm-swap-kind="to=layer" -o %t.back
// RUN: renorm-opt %s -split-input-file -o %t.before
// RUN: diff %t.before %t.back
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms" -o %t.once
// RUN: renorm-opt %s -split-input-file -norm-swap-kind="to=rms" -norm-swap-kind="to=rms bias=drop" -o %t.twice
// RUN: diff %t.once %t.twice

// Every kind of place; what a norm has but its kind stays.

// CHECK-LABEL: func.func @places
// RMS-SAME:    %[[X:arg0]]: {{.*}}, %[[G:arg3]]: tensor<16xf32>, %[[B:arg4]]: tensor<16xf32>
// RMS:   norm.rms_norm %[[X]] scale(%[[G]] : tensor<16xf32>) epsilon = 1.0e-05 {tag} : tensor<2x8x16xf32>
// RMS:   norm.rms_norm %{{.*}} scale(%[[G]] : tensor<16xf32>) epsilon = 1.0e-06 epsilon_mode = outside compute_type = f64 unit_offset : tensor<2x8x16xf32>
// RMS:   norm.rms_norm %{{.*}} epsilon = 1.0e-05 : tensor<2x8x16xf32>
// RMS:   norm.rms_norm %{{.*}} epsilon = 1.0e-05 : tensor<2x8x16xf32>
// RMS:   norm.attention
// RMS:   norm.rms_norm %{{.*}} scale(%[[G]] : tensor<16xf32>) epsilon = 1.0e-05 : tensor<2x8x16xf32>
// RMS:   norm.residual_add
// RMS:   norm.rms_norm
// RMS:   linalg.batch_matmul
// RMS:   norm.residual_add
// RMS:   norm.rms_norm
// RMS:   norm.layer_norm %{{.*}} bias(%[[B]] : tensor<16xf32>) epsilon = 1.0e-05

// KEEP-LABEL: func.func @places
// KEEP-SAME:    %[[X:arg0]]: {{.*}}, %[[G:arg3]]: tensor<16xf32>, %[[B:arg4]]: tensor<16xf32>
// KEEP:   norm.rms_norm %[[X]] scale(%[[G]] : tensor<16xf32>) bias(%[[B]] : tensor<16xf32>) epsilon = 1.0e-05 {tag}

// QK-LABEL: func.func @places
// QK:   norm.layer_norm
// QK:   norm.layer_norm
// QK:   norm.rms_norm
// QK:   norm.rms_norm
// QK:   norm.attention
// QK-NOT: rms_norm

// TRUNK-LABEL: func.func @places
// TRUNK:   norm.rms_norm
// TRUNK:   norm.rms_norm
// TRUNK:   norm.layer_norm
// TRUNK:   norm.layer_norm
// TRUNK:   norm.attention
// TRUNK:   norm.rms_norm
// TRUNK:   norm.rms_norm
// TRUNK:   norm.rms_norm
// TRUNK:   norm.layer_norm

// ALL-LABEL: func.func @places
// ALL-NOT: layer_norm
// ALL:     func.func

// LAYERS-LABEL: func.func @places
// LAYERS-NOT: rms_norm
func.func @places(%x: tensor<2x8x16xf32>, %w: tensor<2x16x16xf32>, %e: tensor<2x8x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<2x8x16xf32> {
  // expected-remark @+1 {{dropped the bias of embedding_norm, argument 4}}
  %t = norm.layer_norm %x scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-05 {tag} : tensor<2x8x16xf32>
  // expected-remark @+1 {{dropped the bias of layers.0.attention.input_norm, argument 4}}
  %n = norm.layer_norm %t scale(%g : tensor<16xf32>) bias(%b : tensor<16xf32>) epsilon = 1.0e-06 epsilon_mode = outside compute_type = f64 unit_offset : tensor<2x8x16xf32>
  %q = linalg.batch_matmul ins(%n, %w : tensor<2x8x16xf32>, tensor<2x16x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %k = linalg.batch_matmul ins(%n, %w : tensor<2x8x16xf32>, tensor<2x16x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  // expected-remark @+1 {{dropped the bias of layers.0.attention.query_norm, argument 4}}
  %qn = norm.layer_norm %q bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<2x8x16xf32>
  %kn = norm.layer_norm %k epsilon = 1.0e-05 : tensor<2x8x16xf32>
  %a = norm.attention %qn, %kn, %q : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>
  %o = norm.layer_norm %a scale(%g : tensor<16xf32>) epsilon = 1.0e-05 : tensor<2x8x16xf32>
  %s = norm.residual_add %t, %o : tensor<2x8x16xf32>
  %m = norm.layer_norm %s epsilon = 1.0e-05 : tensor<2x8x16xf32>
  %f = linalg.batch_matmul ins(%m, %w : tensor<2x8x16xf32>, tensor<2x16x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %u = norm.residual_add %s, %f : tensor<2x8x16xf32>
  %y = norm.layer_norm %u epsilon = 1.0e-05 : tensor<2x8x16xf32>
  // Of no stream.
  %z = math.tanh %y : tensor<2x8x16xf32>
  %r = norm.layer_norm %z bias(%b : tensor<16xf32>) epsilon = 1.0e-05 : tensor<2x8x16xf32>
  return %r : tensor<2x8x16xf32>
}

// -----

// The second layer alone, with a bias that holds nothing; dynamic rows, bf16.

// CHECK-LABEL: func.func @layers
// CHECK-NOT: dense
// CHECK-COUNT-3: norm.rms_norm
// LAYERS-LABEL: func.func @layers
// LAYERS: norm.layer_norm
// LAYERS: norm.residual_add
// LAYERS: norm.rms_norm %{{[^ ]*}} epsilon
// LAYERS: norm.residual_add
// LAYERS: norm.layer_norm
func.func @layers(%x: tensor<?x8xbf16>, %w: tensor<8x8xbf16>, %e: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %zero = arith.constant dense<0.0> : tensor<8xbf16>
  %n = norm.layer_norm %x bias(%zero : tensor<8xbf16>) epsilon = 1.0e-05 : tensor<?x8xbf16>
  %f = linalg.matmul ins(%n, %w : tensor<?x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<?x8xbf16>) -> tensor<?x8xbf16>
  %s = norm.residual_add %x, %f : tensor<?x8xbf16>
  %m = norm.layer_norm %s bias(%zero : tensor<8xbf16>) epsilon = 1.0e-05 : tensor<?x8xbf16>
  %h = linalg.matmul ins(%m, %w : tensor<?x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<?x8xbf16>) -> tensor<?x8xbf16>
  %t = norm.residual_add %s, %h : tensor<?x8xbf16>
  %y = norm.layer_norm %t bias(%zero : tensor<8xbf16>) epsilon = 1.0e-05 : tensor<?x8xbf16>
  return %y : tensor<?x8xbf16>
}
