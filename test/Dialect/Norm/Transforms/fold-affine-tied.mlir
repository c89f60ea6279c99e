// A weight that something else reads as well: copied and told, or refused.

// RUN: renorm-opt %s --split-input-file --norm-fold-affine=weights=prepare --verify-diagnostics | FileCheck %s --enable-var-scope
// RUN: renorm-opt %s --split-input-file '--norm-fold-affine=weights=prepare tied=refuse' 2>&1 | FileCheck %s --check-prefix=REFUSE

// The table of a tied head: the lookup keeps the old one, as an argument.
// CHECK-LABEL: func.func private @tied_head.prepared(
// CHECK-SAME: tensor<4xindex>, %[[TABLE:[^:]*]]: tensor<5x8xf32> {norm.param = "wte"}, {{[^:]*}}: tensor<4x5xf32>, %[[HEAD:[^:]*]]: tensor<5x8xf32>
// CHECK: tensor.extract %[[TABLE]]
// CHECK: linalg.transpose ins(%[[HEAD]] :
// REFUSE: remark: scale not folded: the weight 'wte' is also read by a lookup
// REFUSE-NOT: @tied_head.prepared
// REFUSE: norm.rms_norm %{{[^ ]*}} scale(
func.func @tied_head(%ids: tensor<4xindex>, %wte: tensor<5x8xf32> {norm.param = "wte"}, %g: tensor<8xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xindex>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%id: index, %out: f32):
    %d = linalg.index 1 : index
    %v = tensor.extract %wte[%id, %d] : tensor<5x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %n = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x5xf32>
  %t = linalg.transpose ins(%wte : tensor<5x8xf32>) outs(%et : tensor<8x5xf32>) permutation = [1, 0]
  // expected-remark @+1 {{'wte' is also read by a lookup: the copy that a norm is folded into takes 160 bytes}}
  %y = linalg.matmul ins(%n, %t : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

// One weight in two layers (ALBERT): once for each norm; the layers that share a
// norm share its copy.
// CHECK-LABEL: func.func @shared_layers(
// CHECK: %[[W0:.*]] = arith.constant dense<4.000000e+00> : tensor<8x8xf32>
// CHECK: %[[W1:.*]] = arith.constant dense<6.000000e+00> : tensor<8x8xf32>
// CHECK-NOT: arith.constant dense
// CHECK: linalg.matmul ins(%{{.*}}, %[[W0]] :
// CHECK: linalg.matmul ins(%{{.*}}, %[[W1]] :
// CHECK: linalg.matmul ins(%{{.*}}, %[[W0]] :
// Refusing the first leaves the weight to be read by its layer, too.
// REFUSE-LABEL: func.func @shared_layers(
// REFUSE-COUNT-3: norm.rms_norm %{{[^ ]*}} scale(
func.func @shared_layers(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = arith.constant dense<2.0> : tensor<8x8xf32>
  %g = arith.constant dense<2.0> : tensor<8xf32>
  %h = arith.constant dense<3.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-remark @+1 {{a constant is also read by another contraction: the copy that a norm is folded into takes 256 bytes}}
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-remark @+1 {{a constant is also read by another contraction: the copy that a norm is folded into takes 256 bytes}}
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.rms_norm %3 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// -----

// The layers share norm and weight: nothing is copied.
// CHECK-LABEL: func.func @one_norm(
// CHECK: %[[W:.*]] = arith.constant dense<4.000000e+00> : tensor<8x8xf32>
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]] :
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]] :
// REFUSE-LABEL: func.func @one_norm(
// REFUSE-NOT: scale(
func.func @one_norm(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = arith.constant dense<2.0> : tensor<8x8xf32>
  %g = arith.constant dense<2.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// With tied=refuse the second norm stays, because of the lookup; so the first, which
// shares its weight and scale, has to.
// CHECK-LABEL: func.func @refused_together(
// CHECK-NOT: scale(
// REFUSE-LABEL: func.func @refused_together(
// REFUSE-COUNT-2: norm.rms_norm %{{[^ ]*}} scale(
// REFUSE: norm.rms_norm %{{[^ ]*}} epsilon
func.func @refused_together(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>, %i: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, f32) {
  %v = arith.constant dense<1.0> : tensor<8x8xf32>
  %w = arith.constant dense<2.0> : tensor<8x8xf32>
  %u = arith.constant dense<3.0> : tensor<8x8xf32>
  %g = arith.constant dense<2.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{a constant is also read by a lookup: the copy that a norm is folded into takes 256 bytes}}
  %4 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = norm.rms_norm %4 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %6 = linalg.matmul ins(%5, %u : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = tensor.extract %w[%i, %i] : tensor<8x8xf32>
  return %3, %6, %7 : tensor<4x8xf32>, tensor<4x8xf32>, f32
}
