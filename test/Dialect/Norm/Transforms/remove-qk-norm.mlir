// Norms of queries and keys go, with what they hold named; what others read stays.

// RUN: renorm-opt %s --split-input-file --norm-remove-qk-norm --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// RUN: renorm-opt %t --split-input-file --norm-remove-qk-norm | diff %t -
// RUN: renorm-opt %s --split-input-file --norm-remove-qk-norm=attention-scale=0.25 | FileCheck %s --check-prefix=GIVEN

// The value and the function's result read what they read. A parameter with a value stays an argument, those that a
// pass made go, and so does the caller's.
// CHECK-LABEL: func.func @parameters
// CHECK-SAME: %[[P:[^:]*]]: tensor<2x4x8xf32>, %{{[^:]*}}: tensor<8xf32> {norm.param = "h.q_norm"}) -> tensor<2x4x8xf32>
// CHECK-NEXT: %[[A:.*]] = norm.attention %[[P]], %[[P]], %[[P]] scale = 0.5 :
// GIVEN: norm.attention {{.*}} scale = 0.5 :
func.func @parameters(%p: tensor<2x4x8xf32>, %s: tensor<8xf32> {norm.param = "h.q_norm"}, %t: tensor<8xf32> {norm.init = 1.0, norm.param = "h.k_norm"}) -> tensor<2x4x8xf32> {
  // expected-remark @+1 {{dropped attention.0.q_norm with its parameters 'h.q_norm'}}
  %q = norm.rms_norm %p scale(%s : tensor<8xf32>) epsilon = 1.0e-6 : tensor<2x4x8xf32>
  // expected-remark @+1 {{dropped attention.0.k_norm with its parameters 'h.k_norm'}}
  %k = norm.rms_norm %p scale(%t : tensor<8xf32>) epsilon = 1.0e-6 : tensor<2x4x8xf32>
  %a = norm.attention %q, %k, %p scale = 0.5 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK: call @parameters(%arg0, %arg1) : (tensor<2x4x8xf32>, tensor<8xf32>)
func.func @caller(%p: tensor<2x4x8xf32>, %s: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %a = call @parameters(%p, %s, %one) : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// -----

// A factor for unit vectors is none for others, learned or not.
// CHECK-LABEL: func.func @learned
// CHECK-NOT: norm.l2_norm
// CHECK: norm.attention {{.*}}, %{{[a-z0-9]+}} : tensor<2x4x8xf32>
// GIVEN-LABEL: func.func @learned
// GIVEN: norm.attention {{.*}} scale = 0.25 :
func.func @learned(%p: tensor<2x4x8xf32>, %g: tensor<2xf32> {norm.param = "g"}) -> tensor<2x4x8xf32> {
  %q = norm.l2_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  // expected-remark @+1 {{dropped attention.0.g with its parameter 'g'}}
  %a = norm.attention %q, %q, %p learned_scale(%g : tensor<2xf32>) : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @fixed
// CHECK-NOT: norm.l2_norm
// CHECK: norm.attention {{.*}}, %{{[a-z0-9]+}} : tensor<2x4x8xf32>
// GIVEN-LABEL: func.func @fixed
// GIVEN: norm.attention {{.*}} scale = 0.25 :
func.func @fixed(%p: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %q = norm.l2_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  %a = norm.attention %q, %q, %p scale = 10.0 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a : tensor<2x4x8xf32>
}

// -----

// Keys that are returned, too, are normalized still.
// CHECK-LABEL: func.func @readers
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x2x8xf32>
// CHECK: %[[N:.*]] = norm.rms_norm %[[X]]
// CHECK: %[[KN:.*]] = linalg.transpose ins(%[[N]]
// CHECK: %[[K:.*]] = linalg.transpose ins(%[[X]]
// CHECK: %[[A:.*]] = norm.attention %{{.*}}, %[[K]], %
// CHECK: return %[[A]], %[[KN]]
func.func @readers(%x: tensor<4x2x8xf32>, %p: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %q = norm.rms_norm %p epsilon = 1.0e-6 : tensor<2x4x8xf32>
  // expected-remark @+1 {{attention.0.k_norm stays for what else reads its result}}
  %n = norm.rms_norm %x epsilon = 1.0e-6 : tensor<4x2x8xf32>
  %k = linalg.transpose ins(%n : tensor<4x2x8xf32>) outs(%e : tensor<2x4x8xf32>) permutation = [1, 0, 2]
  %v = linalg.transpose ins(%x : tensor<4x2x8xf32>) outs(%e : tensor<2x4x8xf32>) permutation = [1, 0, 2]
  %a = norm.attention %q, %k, %v : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return %a, %k : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}
