// RUN: renorm-opt %s --split-input-file --verify-diagnostics

// norm_c1
func.func @axes_empty(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'axes' to have at least one element, but got none}}
  norm.layer_norm %x epsilon = 1.0e-5 axes = [] : tensor<4x8xf32>
  return
}

// -----

// norm_c1
func.func @axes_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'axes' to be strictly ascending, but got 0 after 1}}
  norm.layer_norm %x epsilon = 1.0e-5 axes = [1, 0] : tensor<4x8xf32>
  return
}

// -----

// norm_c1
func.func @axes_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'axes' to be in [0, 2), but got 2}}
  norm.rms_norm %x epsilon = 1.0e-5 axes = [2] : tensor<4x8xf32>
  return
}

// -----

// norm_c1
func.func @rank_0(%x: tensor<f32>) {
  // expected-error @+1 {{expected the input to have rank 1 or more, but got 0}}
  norm.l2_norm %x epsilon = 1.0e-5 : tensor<f32>
  return
}

// -----

// norm_c2
func.func @zero_length(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{expected normalized dimension 1 to have an extent above 0, but got 0}}
  norm.layer_norm %x epsilon = 1.0e-5 : tensor<4x0xf32>
  return
}

// -----

// norm_c3
func.func @negative_epsilon(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'epsilon' to be finite and not negative, but got}}
  norm.layer_norm %x epsilon = -1.0e-5 : tensor<4x8xf32>
  return
}

// -----

// norm_c3
func.func @nan_epsilon(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'epsilon' to be finite and not negative, but got}}
  norm.l2_norm %x epsilon = 0x7FF8000000000000 : tensor<4x8xf32>
  return
}

// -----

// norm_c3
func.func @no_epsilon(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'epsilon'}}
  norm.l2_norm %x : tensor<4x8xf32>
  return
}

// -----

// norm_c4
func.func @scale_dims_order(%x: tensor<2x4x8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{expected 'scale_dims' to be strictly ascending, but got 1 after 2}}
  norm.rms_norm %x scale(%g : tensor<8x4xf32>) epsilon = 1.0e-5 scale_dims = [2, 1] : tensor<2x4x8xf32>
  return
}

// -----

// norm_c4
func.func @scale_dims_range(%x: tensor<2x4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{expected 'scale_dims' to be in [0, 3), but got -1}}
  norm.rms_norm %x scale(%g : tensor<4xf32>) epsilon = 1.0e-5 scale_dims = [-1] : tensor<2x4x8xf32>
  return
}

// -----

// norm_c5
func.func @scale_extent(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of 'scale' to have the extent of dimension 1 of the input, 8, but got 4}}
  norm.layer_norm %x scale(%g : tensor<4xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

// norm_c5
func.func @bias_rank(%x: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{expected 'bias' to have rank 0 or 1, but got 2}}
  norm.layer_norm %x bias(%b : tensor<1x8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

// norm_c6
func.func @unit_offset(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a scale with 'unit_offset', but got none}}
  norm.rms_norm %x epsilon = 1.0e-5 unit_offset : tensor<4x8xf32>
  return
}

// -----

// norm_c6
func.func @cast_before_scale(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a scale with 'cast_before_scale', but got none}}
  norm.rms_norm %x epsilon = 1.0e-5 cast_before_scale : tensor<4x8xf32>
  return
}

// -----

func.func @integers(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{must be ranked tensor of}}
  norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xi32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  norm.rms_norm %x epsilon = 1.0e-5 : tensor<*xf32>
  return
}

// -----

// residual_add_c1
func.func @residual_types(%x: tensor<4x8xf32>, %y: tensor<4x8xf16>) {
  // expected-error @+1 {{failed to verify that all of {skip, branch, result} have same type}}
  "norm.residual_add"(%x, %y) {residual_scale = 1.0 : f64, branch_scale = 1.0 : f64} : (tensor<4x8xf32>, tensor<4x8xf16>) -> tensor<4x8xf32>
  return
}

// -----

// residual_add_c2
func.func @residual_scale(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'residual_scale' to be finite, but got}}
  norm.residual_add %x, %x residual_scale = 0x7FF0000000000000 : tensor<4x8xf32>
  return
}

// -----

// residual_add_c2
func.func @branch_scale(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'branch_scale' to be finite, but got}}
  norm.residual_add %x, %x branch_scale = 0x7FF8000000000000 : tensor<4x8xf32>
  return
}

// -----

// attention_c1
func.func @attention_rank(%q: tensor<12x16xf32>) {
  // expected-error @+1 {{expected query and value to have the same rank, at least 3, but got 2 and 2}}
  norm.attention %q, %q, %q : tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>
  return
}

// -----

// attention_c1
func.func @attention_element_type(%q: tensor<4x12x16xf32>, %k: tensor<4x12x16xf16>) {
  // expected-error @+1 {{expected 'key' to have the element type of the query, 'f32', but got 'f16'}}
  norm.attention %q, %k, %q : tensor<4x12x16xf32>, tensor<4x12x16xf16>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c1
func.func @attention_batch(%q: tensor<2x4x12x16xf32>, %v: tensor<3x4x12x16xf32>) {
  // expected-error @+1 {{expected batch dimension 0 of 'value' to have the extent of the query's, 2, but got 3}}
  norm.attention %q, %q, %v : tensor<2x4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<3x4x12x16xf32>
  return
}

// -----

// attention_c2
func.func @attention_head_dim(%q: tensor<4x12x16xf32>, %k: tensor<4x12x8xf32>) {
  // expected-error @+1 {{expected the key's head_dim to be the query's, 16, but got 8}}
  norm.attention %q, %k, %q : tensor<4x12x16xf32>, tensor<4x12x8xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c2
func.func @attention_empty_head(%q: tensor<4x12x0xf32>) {
  // expected-error @+1 {{expected head_dim to be above 0, but got 0}}
  norm.attention %q, %q, %q : tensor<4x12x0xf32>, tensor<4x12x0xf32>, tensor<4x12x0xf32>
  return
}

// -----

// attention_c3
func.func @attention_heads(%q: tensor<4x12x16xf32>, %k: tensor<3x12x16xf32>) {
  // expected-error @+1 {{expected the heads of the query, 4, to be a multiple of the key's, but got 3}}
  norm.attention %q, %k, %k : tensor<4x12x16xf32>, tensor<3x12x16xf32>, tensor<3x12x16xf32>
  return
}

// -----

// attention_c3
func.func @attention_length(%q: tensor<4x12x16xf32>, %v: tensor<4x10x16xf32>) {
  // expected-error @+1 {{expected dimension 1 of 'value' to have the extent of the key's, 12, but got 10}}
  norm.attention %q, %q, %v : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x10x16xf32>
  return
}

// -----

// attention_c4
func.func @attention_mask(%q: tensor<4x12x16xf32>, %m: tensor<1x12x10xf32>) {
  // expected-error @+1 {{expected dimension 2 of the mask to be 1 or the logits' extent, 12, but got 10}}
  norm.attention %q, %q, %q mask(%m : tensor<1x12x10xf32>) : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c4
func.func @attention_mask_rank(%q: tensor<4x12x16xf32>, %m: tensor<1x1x12x12xf32>) {
  // expected-error @+1 {{expected the mask to have rank 3 or less, but got 4}}
  norm.attention %q, %q, %q mask(%m : tensor<1x1x12x12xf32>) : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c5
func.func @attention_two_scales(%q: tensor<4x12x16xf32>, %g: tensor<f32>) {
  // expected-error @+1 {{expected 'scale' or 'learned_scale', but got both}}
  norm.attention %q, %q, %q learned_scale(%g : tensor<f32>) scale = 1.0 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c5
func.func @attention_scale(%q: tensor<4x12x16xf32>) {
  // expected-error @+1 {{expected 'scale' to be finite, but got}}
  norm.attention %q, %q, %q scale = 0x7FF8000000000000 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c5
func.func @attention_learned_scale(%q: tensor<4x12x16xf32>, %g: tensor<2xf32>) {
  // expected-error @+1 {{expected 'learned_scale' to have one element for each of the heads, 4, but got 2}}
  norm.attention %q, %q, %q learned_scale(%g : tensor<2xf32>) : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c5
func.func @attention_learned_scale_rank(%q: tensor<4x12x16xf32>, %g: tensor<4x1xf32>) {
  // expected-error @+1 {{expected 'learned_scale' to have rank 0 or 1, but got 2}}
  norm.attention %q, %q, %q learned_scale(%g : tensor<4x1xf32>) : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c6
func.func @attention_softcap(%q: tensor<4x12x16xf32>) {
  // expected-error @+1 {{expected 'softcap' to be finite and positive, but got 0}}
  norm.attention %q, %q, %q softcap = 0.0 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c6
func.func @attention_window(%q: tensor<4x12x16xf32>) {
  // expected-error @+1 {{expected 'window' to be positive, but got 0}}
  norm.attention %q, %q, %q window = 0 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}

// -----

// attention_c7
func.func @attention_result(%q: tensor<4x12x16xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<4x12x16xf32>' are incompatible with return type(s) of operation 'tensor<4x12x8xf32>'}}
  "norm.attention"(%q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>) -> tensor<4x12x8xf32>
  return
}

// -----

// probe_c1
func.func @probe_name(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'name' to be non-empty, but got ""}}
  norm.probe %x {name = ""} : tensor<4x8xf32>
  return
}

// -----

// expected-error @+1 {{expected 'norm.param' of argument 0 to be a non-empty string, but got 3 : i64}}
func.func @param(%x: tensor<4x8xf32> {norm.param = 3}) {
  return
}

// -----

// expected-error @+1 {{expected 'norm.init' of argument 0 to be a finite floating-point number, but got "one"}}
func.func @init(%x: tensor<4x8xf32> {norm.init = "one"}) {
  return
}

// -----

// expected-error @+1 {{expected an argument attribute of the norm dialect, but got 'norm.parm'}}
func.func @misspelled(%x: tensor<4x8xf32> {norm.parm = "w"}) {
  return
}

// -----

func.func @replaced_scale_of_another(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'norm.replaced_scale' to be a finite f64 of a norm.attention, but got 2.000000e+00 : f64}}
  %0 = norm.l2_norm %x epsilon = 1.0e-06 {norm.replaced_scale = 2.0} : tensor<4x8xf32>
  return
}

// -----

func.func @replaced_scale(%q: tensor<4x12x16xf32>) {
  // expected-error @+1 {{expected 'norm.replaced_scale' to be a finite f64 of a norm.attention, but got 2 : i64}}
  %0 = norm.attention %q, %q, %q {norm.replaced_scale = 2} : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  return
}
