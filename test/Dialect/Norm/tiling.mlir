// RUN: renorm-opt %s --split-input-file --transform-interpreter --canonicalize --cse | FileCheck %s

// Weights of the normalized dimension are not sliced.

// CHECK-DAG: #[[$BATCH:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0) -> (-d0 + 12, 5)>
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<?x12x8xf16>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
func.func @layer_norm(%x: tensor<?x12x8xf16>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x12x8xf16> {
  // CHECK: %[[D:.*]] = tensor.dim %[[X]]
  // CHECK: tensor.empty(%[[D]]) : tensor<?x12x8xf16>
  // CHECK: scf.for %[[I:[^ ]+]] = %{{.*}} to %[[D]] step %{{.*}} iter_args
  // CHECK: scf.for %[[J:[^ ]+]] = {{.*}} iter_args(%[[ACC:.*]] =
  // CHECK-DAG: %[[SI:.*]] = affine.min #[[$BATCH]](%[[I]])[%[[D]]]
  // CHECK-DAG: %[[SJ:.*]] = affine.min #[[$ROWS]](%[[J]])
  // CHECK: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], %[[J]], 0] [%[[SI]], %[[SJ]], 8]
  // CHECK-NOT: tensor.extract_slice
  // CHECK: %[[T:.*]] = norm.layer_norm %[[XT]] scale(%[[G]] : tensor<8xf32>) bias(%[[B]] : tensor<8xf32>) epsilon = 1.0e-05 epsilon_mode = outside compute_type = f16 {tag} : tensor<?x?x8xf16>
  // CHECK: tensor.insert_slice %[[T]] into %[[ACC]][%[[I]], %[[J]], 0] [%[[SI]], %[[SJ]], 8]
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-5 epsilon_mode = outside compute_type = f16 {tag} : tensor<?x12x8xf16>
  return %0 : tensor<?x12x8xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.layer_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A weight that also stands for a dimension of the loops is sliced along it.

// CHECK-LABEL: func.func @scale_of_heads
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x?x16xbf16>, %[[G:.*]]: tensor<8x16xbf16>)
func.func @scale_of_heads(%x: tensor<2x8x?x16xbf16>, %g: tensor<8x16xbf16>) -> tensor<2x8x?x16xbf16> {
  // CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (2, %{{.*}}) shared_outs(%[[OUT:.*]] =
  // CHECK-DAG: %[[H:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK-DAG: %[[S:.*]] = affine.apply #{{.*}}(%[[J]])
  // CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[X]][0, %[[H]], %[[S]], 0] [2, 4, %[[SIZE:.*]], 16]
  // CHECK-DAG: %[[GT:.*]] = tensor.extract_slice %[[G]][%[[H]], 0] [4, 16]
  // CHECK: %[[T:.*]] = norm.rms_norm %[[XT]] scale(%[[GT]] : tensor<4x16xbf16>) epsilon = 1.0e-06 scale_dims = [1, 3] unit_offset cast_before_scale : tensor<2x4x?x16xbf16>
  // CHECK: tensor.parallel_insert_slice %[[T]] into %[[OUT]][0, %[[H]], %[[S]], 0] [2, 4, %[[SIZE]], 16]
  %0 = norm.rms_norm %x scale(%g : tensor<8x16xbf16>) epsilon = 1.0e-6 scale_dims = [1, 3] unit_offset cast_before_scale : tensor<2x8x?x16xbf16>
  return %0 : tensor<2x8x?x16xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Several axes, one of them of unknown extent; a scale that is one number.

// CHECK-LABEL: func.func @several_axes
// CHECK-SAME: (%[[X:.*]]: tensor<6x?x8x16xf32>, %[[G:.*]]: tensor<f32>)
func.func @several_axes(%x: tensor<6x?x8x16xf32>, %g: tensor<f32>) -> tensor<6x?x8x16xf32> {
  // CHECK: %[[D:.*]] = tensor.dim %[[X]]
  // CHECK: scf.for %[[I:[^ ]+]] =
  // CHECK: scf.for %[[J:[^ ]+]] =
  // CHECK: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], 0, %[[J]], 0] [3, %[[D]], 2, 16]
  // CHECK-NOT: tensor.extract_slice
  // CHECK: norm.l2_norm %[[XT]] scale(%[[G]] : tensor<f32>) epsilon = 1.0e-12 axes = [1, 3] : tensor<3x?x2x16xf32>
  %0 = norm.l2_norm %x scale(%g : tensor<f32>) epsilon = 1.0e-12 axes = [1, 3] : tensor<6x?x8x16xf32>
  return %0 : tensor<6x?x8x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.l2_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [3, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @residual_add
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[Y:.*]]: tensor<?x8xf32>)
func.func @residual_add(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK: scf.for %[[I:[^ ]+]] =
  // CHECK: scf.for %[[J:[^ ]+]] =
  // CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], %[[J]]] [%[[SIZE:.*]], 2]
  // CHECK-DAG: %[[YT:.*]] = tensor.extract_slice %[[Y]][%[[I]], %[[J]]] [%{{.*}}, 2]
  // CHECK: norm.residual_add %[[XT]], %[[YT]] residual_scale = 2.5 : tensor<?x2xf32>
  %0 = norm.residual_add %x, %y residual_scale = 2.5 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.residual_add"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [3, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Tiles of whole groups of heads, the last one smaller than the others. The
// causal tile of queries ends with the key that its last query is aligned with.
// The mask's unknown extents may be 1, which stands for all.

// CHECK-DAG: #[[$HEADS:.*]] = affine_map<(d0) -> (-d0 + 8, 6)>
// CHECK-DAG: #[[$KV:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-DAG: #[[$KEYS:.*]] = affine_map<(d0) -> (d0 + 11)>
// CHECK-DAG: #[[$BATCH:.*]] = affine_map<()[s0] -> (1, s0)>
// CHECK-DAG: #[[$START:.*]] = affine_map<(d0)[s0, s1] -> (s0 - s1, d0)>
// CHECK-LABEL: func.func @attention_causal_groups
// CHECK-SAME: (%[[Q:.*]]: tensor<2x8x12x16xf32>, %[[K:.*]]: tensor<2x4x20x16xf32>, %[[V:.*]]: tensor<2x4x20x6xf32>, %[[M:.*]]: tensor<?x1x12x20xf32>)
func.func @attention_causal_groups(%q: tensor<2x8x12x16xf32>, %k: tensor<2x4x20x16xf32>, %v: tensor<2x4x20x6xf32>, %m: tensor<?x1x12x20xf32>) -> tensor<2x8x12x6xf32> {
  // CHECK: scf.for %[[B:[^ ]+]] =
  // CHECK: scf.for %[[H:[^ ]+]] =
  // CHECK: scf.for %[[S:[^ ]+]] =
  // CHECK: scf.for %[[D:[^ ]+]] =
  // CHECK-DAG: %[[NH:.*]] = affine.min #[[$HEADS]](%[[H]])
  // CHECK-DAG: %[[G:.*]] = affine.apply #[[$KV]](%[[H]])
  // CHECK-DAG: %[[NG:.*]] = affine.apply #[[$KV]](%[[NH]])
  // CHECK-DAG: %[[NK:.*]] = affine.apply #[[$KEYS]](%[[S]])
  // CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[M]]
  // CHECK-DAG: %[[NM:.*]] = affine.min #[[$BATCH]]()[%[[DIM]]]
  // CHECK-DAG: %[[MB:.*]] = affine.min #[[$START]](%[[B]])[%[[DIM]], %[[NM]]]
  // CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[S]], 0] [1, %[[NH]], 3, 16]
  // CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[G]], 0, 0] [1, %[[NG]], %[[NK]], 16]
  // CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[G]], 0, %[[D]]] [1, %[[NG]], %[[NK]], 2]
  // CHECK-DAG: %[[MT:.*]] = tensor.extract_slice %[[M]][%[[MB]], 0, %[[S]], 0] [%[[NM]], 1, 3, %[[NK]]]
  // CHECK: %[[T:.*]] = norm.attention %[[QT]], %[[KT]], %[[VT]] mask(%[[MT]] : tensor<?x1x3x?xf32>) causal softcap = 50.0 window = 9 : tensor<1x?x3x16xf32>, tensor<1x?x?x16xf32>, tensor<1x?x?x2xf32>
  // CHECK: tensor.insert_slice %[[T]] into %{{.*}}[%[[B]], %[[H]], %[[S]], %[[D]]] [1, %[[NH]], 3, 2]
  %0 = norm.attention %q, %k, %v mask(%m : tensor<?x1x12x20xf32>) causal softcap = 50.0 window = 9 : tensor<2x8x12x16xf32>, tensor<2x4x20x16xf32>, tensor<2x4x20x6xf32>
  return %0 : tensor<2x8x12x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:4 = transform.structured.tile_using_for %op tile_sizes [1, 6, 3, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Tiles within a group read one key head; all keys, where no position counts.

// CHECK-DAG: #[[$GROUP:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-LABEL: func.func @attention_within_groups
// CHECK-SAME: (%[[Q:.*]]: tensor<8x?x16xf32>, %[[K:.*]]: tensor<2x?x16xf32>, %[[V:.*]]: tensor<2x?x16xf32>, %[[M:.*]]: tensor<8x1x?xi1>, %[[G:.*]]: tensor<8xf32>)
func.func @attention_within_groups(%q: tensor<8x?x16xf32>, %k: tensor<2x?x16xf32>, %v: tensor<2x?x16xf32>, %m: tensor<8x1x?xi1>, %g: tensor<8xf32>) -> tensor<8x?x16xf32> {
  // CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (4, %{{.*}})
  // CHECK-DAG: %[[H:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK-DAG: %[[S:.*]] = affine.apply #{{.*}}(%[[J]])
  // CHECK-DAG: %[[KH:.*]] = affine.apply #[[$GROUP]](%[[I]])
  // CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[H]], %[[S]], 0] [2, %{{.*}}, 16]
  // CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][%[[KH]], 0, 0] [1, %{{.*}}, 16]
  // CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[KH]], 0, 0] [1, %{{.*}}, 16]
  // CHECK-DAG: %[[MT:.*]] = tensor.extract_slice %[[M]][%[[H]], 0, 0] [2, 1, %{{.*}}]
  // CHECK-DAG: %[[GT:.*]] = tensor.extract_slice %[[G]][%[[H]]] [2]
  // CHECK: norm.attention %[[QT]], %[[KT]], %[[VT]] mask(%[[MT]] : tensor<2x1x?xi1>) learned_scale(%[[GT]] : tensor<2xf32>) zero_masked_rows : tensor<2x?x16xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>
  %0 = norm.attention %q, %k, %v mask(%m : tensor<8x1x?xi1>) learned_scale(%g : tensor<8xf32>) zero_masked_rows : tensor<8x?x16xf32>, tensor<2x?x16xf32>, tensor<2x?x16xf32>
  return %0 : tensor<8x?x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [2, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// One key head serves any tile of the heads. All queries are kept together.

// CHECK-LABEL: func.func @attention_one_key_head
// CHECK-SAME: (%[[Q:.*]]: tensor<?x?x16xf32>, %[[K:.*]]: tensor<1x?x16xf32>, %[[G:.*]]: tensor<f32>)
func.func @attention_one_key_head(%q: tensor<?x?x16xf32>, %k: tensor<1x?x16xf32>, %g: tensor<f32>) -> tensor<?x?x16xf32> {
  // CHECK: scf.for %[[H:[^ ]+]] =
  // CHECK: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[H]], 0, 0]
  // CHECK: norm.attention %[[QT]], %{{.*}}, %{{.*}} learned_scale(%[[G]] : tensor<f32>) window = 4 : tensor<?x?x16xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>
  %0 = norm.attention %q, %k, %k learned_scale(%g : tensor<f32>) window = 4 : tensor<?x?x16xf32>, tensor<1x?x16xf32>, tensor<1x?x16xf32>
  return %0 : tensor<?x?x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Keys made from the queries are as many as they are, whatever that is.

// CHECK-DAG: #[[$END:.*]] = affine_map<(d0, d1)[s0, s1] -> (d0 + d1 + s0 - s1)>
// CHECK-LABEL: func.func @attention_causal_dynamic
// CHECK-SAME: (%[[Q:.*]]: tensor<4x?x16xf32>)
func.func @attention_causal_dynamic(%q: tensor<4x?x16xf32>) -> tensor<4x?x16xf32> {
  // CHECK: %[[K:.*]] = norm.rms_norm %[[Q]]
  // CHECK: scf.for %[[S:[^ ]+]] =
  // CHECK-DAG: %[[KEYS:.*]] = affine.apply #[[$END]](%[[S]], %[[SIZE:.*]])[%{{.*}}, %{{.*}}]
  // CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][0, %[[S]], 0] [4, %[[SIZE]], 16]
  // CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][0, 0, 0] [4, %[[KEYS]], 16]
  // CHECK: norm.attention %[[QT]], %[[KT]], %{{.*}} causal
  %k = norm.rms_norm %q epsilon = 1.0e-6 : tensor<4x?x16xf32>
  %0 = norm.attention %q, %k, %q causal : tensor<4x?x16xf32>, tensor<4x?x16xf32>, tensor<4x?x16xf32>
  return %0 : tensor<4x?x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer's tiles take the sublayer's end, norm and residual add, with them.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @fuse_norms
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>)
func.func @fuse_norms(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: scf.for %[[I:[^ ]+]] =
  // CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [%[[SIZE:.*]], %{{.*}}]
  // CHECK-DAG: %[[YT:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [%{{.*}}, %{{.*}}]
  // CHECK: %[[A:.*]] = norm.residual_add %[[XT]], %[[YT]]
  // CHECK: %[[N:.*]] = norm.layer_norm %[[A]] epsilon = 1.0e-05 : tensor<?x?xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[N]] : tensor<?x?xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = norm.residual_add %x, %y : tensor<?x?xf32>
  %1 = norm.layer_norm %0 epsilon = 1.0e-5 : tensor<?x?xf32>
  %d0 = tensor.dim %1, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %1, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.exp %in : f32
    linalg.yield %3 : f32
  } -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [4, 0] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The extents of the results are known to be those of query and value.

// CHECK-LABEL: func.func @fuse_attention
// CHECK-SAME: (%[[Q:.*]]: tensor<?x?x?x16xf32>, %[[K:.*]]: tensor<?x?x?x16xf32>, %[[V:.*]]: tensor<?x?x?x?xf32>)
func.func @fuse_attention(%q: tensor<?x?x?x16xf32>, %k: tensor<?x?x?x16xf32>, %v: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK: scf.for %[[B:[^ ]+]] =
  // CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[B]], 0, 0, 0] [%[[NB:.*]], %{{.*}}, %{{.*}}, 16]
  // CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][%[[B]], 0, 0, 0] [%{{.*}}, %{{.*}}, %{{.*}}, 16]
  // CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[B]], 0, 0, 0] [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
  // CHECK: %[[A:.*]] = norm.attention %[[QT]], %[[KT]], %[[VT]] window = 3
  // CHECK: norm.rms_norm %[[A]] epsilon = 1.0e-05 axes = [1, 3]
  %0 = norm.attention %q, %k, %v window = 3 : tensor<?x?x?x16xf32>, tensor<?x?x?x16xf32>, tensor<?x?x?x?xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 axes = [1, 3] : tensor<?x?x?x?xf32>
  return %1 : tensor<?x?x?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [2] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Statistics are fused into the loop over the rows they belong to, columns stay whole.

// CHECK-LABEL: func.func @halves_of_a_norm
// CHECK-SAME: (%[[X:.*]]: tensor<12x320xbf16>, %[[G:.*]]: tensor<320xf32>)
func.func @halves_of_a_norm(%x: tensor<12x320xbf16>, %g: tensor<320xf32>) -> tensor<12x320xbf16> {
  // CHECK: scf.for %[[I:[^ ]+]] = {{.*}} iter_args(%[[ACC:.*]] =
  // CHECK: %[[T:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [4, 320] [1, 1]
  // CHECK: %[[GROUPS:.*]]:2 = norm.row_stats layer %[[T]] group_size = 128 : tensor<4x320xbf16>
  // CHECK: %[[ROWS:.*]]:2 = norm.merge_stats layer %[[GROUPS]]#0, %[[GROUPS]]#1 group_size = 128 extent = 320 : tensor<4x3xf32>, tensor<4x3xf32>
  // CHECK: %[[Y:.*]] = norm.apply_stats layer %[[T]] stats(%[[ROWS]]#0, %[[ROWS]]#1 : tensor<4xf32>, tensor<4xf32>) scale(%[[G]] : tensor<320xf32>) epsilon = 1.0e-05 : tensor<4x320xbf16> -> tensor<4x320xbf16>
  // CHECK: tensor.insert_slice %[[Y]] into %[[ACC]][%[[I]], 0] [4, 320] [1, 1]
  %0:2 = norm.row_stats layer %x group_size = 128 : tensor<12x320xbf16>
  %1:2 = norm.merge_stats layer %0#0, %0#1 group_size = 128 extent = 320 : tensor<12x3xf32>, tensor<12x3xf32>
  %2 = norm.apply_stats layer %x stats(%1#0, %1#1 : tensor<12xf32>, tensor<12xf32>) scale(%g : tensor<320xf32>) epsilon = 1.0e-5 : tensor<12x320xbf16> -> tensor<12x320xbf16>
  return %2 : tensor<12x320xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.apply_stats"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [4] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Application is tiled along the normalized dimension, too: its statistics are given.

// CHECK-LABEL: func.func @columns_of_an_application
// CHECK-SAME: (%[[X:.*]]: tensor<12x320xf32>, %[[M:.*]]: tensor<12xf32>, %[[V:.*]]: tensor<12xf32>, %[[S:.*]]: tensor<320xf32>, %[[B:.*]]: tensor<f32>)
func.func @columns_of_an_application(%x: tensor<12x320xf32>, %m: tensor<12xf32>, %v: tensor<12xf32>, %s: tensor<320xf32>, %b: tensor<f32>) -> tensor<12x320xbf16> {
  // CHECK: scf.for %[[I:[^ ]+]] =
  // CHECK: scf.for %[[J:[^ ]+]] =
  // CHECK-DAG: %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I]], %[[J]]] [4, 64]
  // CHECK-DAG: %[[MT:.*]] = tensor.extract_slice %[[M]][%[[I]]] [4]
  // CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[I]]] [4]
  // CHECK-DAG: %[[ST:.*]] = tensor.extract_slice %[[S]][%[[J]]] [64]
  // CHECK: norm.apply_stats layer %[[XT]] stats(%[[MT]], %[[VT]] : tensor<4xf32>, tensor<4xf32>) column_sums(%[[ST]] : tensor<64xf32>) bias(%[[B]] : tensor<f32>) epsilon = 1.0e-05 : tensor<4x64xf32> -> tensor<4x64xbf16>
  %0 = norm.apply_stats layer %x stats(%m, %v : tensor<12xf32>, tensor<12xf32>) column_sums(%s : tensor<320xf32>) bias(%b : tensor<f32>) epsilon = 1.0e-5 : tensor<12x320xf32> -> tensor<12x320xbf16>
  return %0 : tensor<12x320xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["norm.apply_stats"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [4, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
