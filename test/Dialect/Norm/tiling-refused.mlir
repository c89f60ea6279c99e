// RUN: renorm-opt %s --split-input-file --transform-interpreter --canonicalize --verify-diagnostics | FileCheck %s

func.func @normalized_axis(%x: tensor<8x16x4xf32>) -> tensor<8x16x4xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-remark @+1 {{'norm.layer_norm' op is not tiled: expected a tile to hold all of dimension 1, which is normalized}}
  %0 = norm.layer_norm %x epsilon = 1.0e-5 axes = [1] : tensor<8x16x4xf32>
  return %0 : tensor<8x16x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.layer_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [2, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @window_queries(%q: tensor<2x4x12x16xf32>) -> tensor<2x4x12x16xf32> {
  // expected-warning @+5 {{tiling is not thread safe at axis #2}}
  // expected-error @+4 {{to tile operation}}
  // expected-error @+3 {{failed to generate tiling loops}}
  // expected-note @+2 {{when applied to this op}}
  // expected-remark @+1 {{'norm.attention' op is not tiled: expected a tile to hold all queries, because 'window' without 'causal' counts from the last one}}
  %0 = norm.attention %q, %q, %q window = 4 : tensor<2x4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x16xf32>
  return %0 : tensor<2x4x12x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to apply}}
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @causal_queries(%q: tensor<4x12x16xf32>, %k: tensor<4x?x16xf32>) -> tensor<4x12x16xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-remark @+1 {{'norm.attention' op is not tiled: expected a tile to hold all queries, because they are not known to be at most as many as the keys}}
  %0 = norm.attention %q, %k, %k causal : tensor<4x12x16xf32>, tensor<4x?x16xf32>, tensor<4x?x16xf32>
  return %0 : tensor<4x12x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Tiles of 4 of the heads would end within a group of 3.
func.func @cut_group(%q: tensor<12x5x16xf32>, %k: tensor<4x5x16xf32>) -> tensor<12x5x16xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-remark @+1 {{'norm.attention' op is not tiled: expected a tile to hold whole groups of the query heads that share a key head, or to divide one}}
  %0 = norm.attention %q, %k, %k : tensor<12x5x16xf32>, tensor<4x5x16xf32>, tensor<4x5x16xf32>
  return %0 : tensor<12x5x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @unknown_group(%q: tensor<?x5x16xf32>, %k: tensor<4x5x16xf32>) -> tensor<?x5x16xf32> {
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-remark @+1 {{'norm.attention' op is not tiled: expected a tile to hold whole groups of the query heads that share a key head, or to divide one}}
  %0 = norm.attention %q, %k, %k : tensor<?x5x16xf32>, tensor<4x5x16xf32>, tensor<4x5x16xf32>
  return %0 : tensor<?x5x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A producer that a tile cannot be computed of stays outside of the loops.

// CHECK-LABEL: func.func @not_fused
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32>, %[[Y:.*]]: tensor<8x16xf32>)
// CHECK: %[[N:.*]] = norm.rms_norm %[[X]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[N]]
// CHECK: norm.residual_add
func.func @not_fused(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-remark @+1 {{'norm.rms_norm' op is not tiled: expected a tile to hold all of dimension 1, which is normalized}}
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<8x16xf32>
  %1 = norm.residual_add %y, %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.residual_add"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.fuse %op tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
