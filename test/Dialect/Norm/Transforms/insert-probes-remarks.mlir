// RUN: renorm-opt %s -norm-insert-probes=logits -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @dynamic_heads
// CHECK-NEXT: norm.attention
// CHECK-NEXT: norm.attention
func.func @dynamic_heads(%q: tensor<?x12x16xf32>, %r: tensor<4x12x?xf32>) -> (tensor<?x12x16xf32>, tensor<4x12x?xf32>) {
  // expected-remark @+1 {{logits not probed: expected static heads and head_dim, but got 'tensor<?x12x16xf32>' and 'tensor<?x12x16xf32>'}}
  %a = norm.attention %q, %q, %q : tensor<?x12x16xf32>, tensor<?x12x16xf32>, tensor<?x12x16xf32>
  // expected-remark @+1 {{logits not probed: expected static heads and head_dim, but got 'tensor<4x12x?xf32>' and 'tensor<4x12x?xf32>'}}
  %b = norm.attention %r, %r, %r : tensor<4x12x?xf32>, tensor<4x12x?xf32>, tensor<4x12x?xf32>
  return %a, %b : tensor<?x12x16xf32>, tensor<4x12x?xf32>
}

// A scale of its own needs no head_dim.
// CHECK-LABEL: func @given_scale
// CHECK: norm.probe %{{.*}} {name = "attention.0.logits"} : tensor<4x1x12x12xf32>
func.func @given_scale(%q: tensor<4x12x?xf32>) -> tensor<4x12x?xf32> {
  %a = norm.attention %q, %q, %q scale = 0.5 : tensor<4x12x?xf32>, tensor<4x12x?xf32>, tensor<4x12x?xf32>
  return %a : tensor<4x12x?xf32>
}
