// RUN: renorm-opt %s --split-input-file --verify-diagnostics

// row_stats_c1
func.func @axes_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'axes' to be strictly ascending, but got 0 after 1}}
  norm.row_stats l2 %x axes = [1, 0] : tensor<4x8xf32>
  return
}

// -----

// row_stats_c1
func.func @axes_of_a_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{expected the input to have rank 1 or more, but got 0}}
  norm.row_stats l2 %x : tensor<f32>
  return
}

// -----

// row_stats_c2
func.func @nothing_to_reduce(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{expected reduced dimension 1 to have an extent above 0, but got 0}}
  norm.row_stats rms %x : tensor<4x0xf32>
  return
}

// -----

// row_stats_c3
func.func @group_size(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'group_size' to be positive, but got 0}}
  norm.row_stats rms %x group_size = 0 : tensor<4x8xf32>
  return
}

// -----

// row_stats_c3
func.func @groups_of_two_axes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected one axis of static extent with 'group_size'}}
  norm.row_stats rms %x axes = [0, 1] group_size = 2 : tensor<4x8xf32>
  return
}

// -----

// row_stats_c3
func.func @groups_of_a_dynamic_axis(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{expected one axis of static extent with 'group_size'}}
  norm.row_stats rms %x group_size = 2 : tensor<4x?xf32>
  return
}

// -----

// row_stats_c4
func.func @row_stats_result(%x: tensor<4x8xbf16>) {
  // expected-error @+2 {{'norm.row_stats' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "norm.row_stats"(%x) {kind = #norm<norm_kind rms>} : (tensor<4x8xbf16>) -> tensor<4xf64>
  return
}

// -----

// merge_stats_c1
func.func @merge_count(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{expected 2 statistics for 'layer', but got 1}}
  norm.merge_stats layer %x group_size = 8 extent = 24 : tensor<4x3xf32>
  return
}

// -----

// merge_stats_c1
func.func @merge_types(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>) {
  // expected-error @+1 {{expected statistics of one type, but got 'tensor<4x3xf32>' and 'tensor<?x3xf32>'}}
  norm.merge_stats layer %x, %y group_size = 8 extent = 24 : tensor<4x3xf32>, tensor<?x3xf32>
  return
}

// -----

// merge_stats_c1
func.func @merge_rank(%x: tensor<f32>) {
  // expected-error @+1 {{expected statistics of groups to have rank 1 or more, but got 0}}
  norm.merge_stats rms %x group_size = 8 extent = 24 : tensor<f32>
  return
}

// -----

// merge_stats_c2
func.func @merge_extent(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{expected 'extent' to be positive, but got 0}}
  norm.merge_stats rms %x group_size = 8 extent = 0 : tensor<4x3xf32>
  return
}

// -----

// merge_stats_c2
func.func @merge_group_size(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{expected 'group_size' to be positive, but got -1}}
  norm.merge_stats rms %x group_size = -1 extent = 24 : tensor<4x3xf32>
  return
}

// -----

// merge_stats_c2
func.func @merge_groups(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{expected statistics of 4 groups, but got 3}}
  norm.merge_stats rms %x group_size = 8 extent = 25 : tensor<4x3xf32>
  return
}

// -----

// merge_stats_c3
func.func @merge_result(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'norm.merge_stats' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "norm.merge_stats"(%x) {kind = #norm<norm_kind rms>, group_size = 8, extent = 24} : (tensor<4x3xf32>) -> tensor<3xf32>
  return
}

// -----

// apply_stats_c1
func.func @apply_count(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 statistics for 'rms', but got 2}}
  norm.apply_stats rms %x stats(%m, %m : tensor<4xf32>, tensor<4xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c1
func.func @apply_shape(%x: tensor<4x8xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{expected statistics of shape 4, but got 8}}
  norm.apply_stats rms %x stats(%m : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c2
func.func @apply_axes(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected 'axes' to be in [0, 2), but got 2}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = 1.0e-5 axes = [2] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c3
func.func @apply_epsilon(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected 'epsilon' to be finite and not negative, but got -1.0}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = -1.0 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c4
func.func @apply_scale_dims(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected 'scale_dims' to be strictly ascending, but got 1 after 1}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = 1.0e-5 scale_dims = [1, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c5
func.func @apply_column_sums(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of 'column_sums' to have the extent of dimension 1 of the input, 8, but got 4}}
  norm.apply_stats layer %x stats(%m, %m : tensor<4xf32>, tensor<4xf32>) column_sums(%s : tensor<4xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c6
func.func @apply_unit_offset(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected a scale with 'unit_offset', but got none}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = 1.0e-5 unit_offset : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c6
func.func @apply_cast(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected a scale with 'cast_before_scale', but got none}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = 1.0e-5 cast_before_scale : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c6
func.func @apply_column_sums_kind(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<8xf32>) {
  // expected-error @+1 {{expected the kind 'layer' with 'column_sums', but got 'rms'}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) column_sums(%s : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// apply_stats_c7
func.func @apply_result(%x: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of the input's shape, 4, 8, but got 8, 4}}
  norm.apply_stats rms %x stats(%m : tensor<4xf32>) epsilon = 1.0e-5 : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}
