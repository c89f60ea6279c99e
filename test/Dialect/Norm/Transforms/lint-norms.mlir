// RUN: renorm-opt %s -norm-lint -verify-diagnostics -o /dev/null

//===----------------------------------------------------------------------===//
// missing-epsilon
//===----------------------------------------------------------------------===//

func.func @missing_epsilon(%x: tensor<4x8xf32>, %h: tensor<?x8xf16>, %b: tensor<4x8xbf16>, %d: tensor<4x8xf64>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x8xf16>, tensor<4x8xbf16>, tensor<4x8xf64>) {
  // expected-warning @+1 {{epsilon of rms norm is 0: a row of zeros gives NaN [missing-epsilon]}}
  %0 = norm.rms_norm %x epsilon = 0.0 : tensor<4x8xf32>
  // expected-warning @+1 {{epsilon of layer norm is 0: a row of equal elements gives NaN [missing-epsilon]}}
  %1 = norm.layer_norm %x epsilon = 0.0 epsilon_mode = clamp : tensor<4x8xf32>
  // expected-warning @+1 {{epsilon of l2 norm is 1e-40, less than the smallest normal number of its compute type, 1.17549e-38: a row of zeros gives NaN}}
  %2 = norm.l2_norm %x epsilon = 1.0e-40 : tensor<4x8xf32>
  // BERT's epsilon, in f16.
  // expected-warning @+2 {{epsilon of layer norm is 1e-12, less than the smallest normal number of its compute type, 6.10352e-05}}
  // expected-warning @+1 {{narrow-statistics}}
  %3 = norm.layer_norm %h epsilon = 1.0e-12 compute_type = f16 : tensor<?x8xf16>
  // expected-warning @+1 {{epsilon of rms norm is 0:}}
  %4 = norm.rms_norm %b epsilon = 0.0 epsilon_mode = outside : tensor<4x8xbf16>
  // f64 has smaller numbers.
  %5 = norm.rms_norm %d epsilon = 1.0e-40 : tensor<4x8xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x8xf16>, tensor<4x8xbf16>, tensor<4x8xf64>
}

//===----------------------------------------------------------------------===//
// narrow-statistics
//===----------------------------------------------------------------------===//

func.func @narrow_statistics(%h: tensor<4x8xf16>, %b: tensor<4x8xbf16>)
    -> (tensor<4x8xf16>, tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xbf16>) {
  // expected-warning @+1 {{statistics of rms norm in f16: the square of an element above 255 overflows [narrow-statistics]}}
  %0 = norm.rms_norm %h epsilon = 1.0e-03 compute_type = f16 : tensor<4x8xf16>
  // expected-warning @+1 {{statistics of layer norm in bf16: sums}}
  %1 = norm.layer_norm %b epsilon = 1.0e-05 compute_type = bf16 : tensor<4x8xbf16>
  %2 = norm.rms_norm %h epsilon = 1.0e-05 : tensor<4x8xf16>
  %3 = norm.layer_norm %b epsilon = 1.0e-05 compute_type = f64 : tensor<4x8xbf16>
  return %0, %1, %2, %3 : tensor<4x8xf16>, tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xbf16>
}

//===----------------------------------------------------------------------===//
// norm-of-norm
//===----------------------------------------------------------------------===//

func.func @norm_of_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-warning @+1 {{rms norm normalizes what layer norm gives, which nothing else reads [norm-of-norm]}}
  %1 = norm.rms_norm %0 epsilon = 1.0e-06 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @norm_of_cast_norm(%x: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xbf16>
  %1 = arith.extf %0 : tensor<4x8xbf16> to tensor<4x8xf32>
  // expected-warning @+1 {{rms norm normalizes what rms norm gives, which nothing else reads}}
  %2 = norm.rms_norm %1 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A post norm, then a final norm.
func.func @post_and_final_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = norm.residual_add %x, %f : tensor<4x8xf32>
  %y = norm.rms_norm %s epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-warning @+1 {{the final norm normalizes what the post norm of layers.0.ffn gives, which nothing else reads}}
  %z = norm.rms_norm %y epsilon = 1.0e-05 : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// The embedding norm of BLOOM and CLIP is on the trunk.
func.func @embedding_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %t = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-remark @+1 {{the input norm of layers.0.ffn normalizes what the embedding norm gives [norm-of-norm]}}
  %n = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = norm.residual_add %t, %f : tensor<4x8xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Something lies in between; the other one is dropped.
func.func @norms_apart(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %1 = math.tanh %0 : tensor<4x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-05 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-05 {norm.dropped = "final_norm"} : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

//===----------------------------------------------------------------------===//
// bias-after-rms-norm
//===----------------------------------------------------------------------===//

#row = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0, d1) -> (d1)>
func.func @bias_after_rms_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %e: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // expected-warning @+1 {{a bias is added after rms norm: an RMSNorm has none, a LayerNorm that was renamed keeps it [bias-after-rms-norm]}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-warning @+1 {{a bias is added after rms norm}}
  %1 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#vector, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%b, %1 : tensor<8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %sum = arith.addf %in_0, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4x8xf32>
  return %0, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A LayerNorm has one, and an RMSNorm that is one; zeros are none; a sum of two of the same shape is none.
func.func @no_bias_after_rms_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %e: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  %1 = norm.rms_norm %x scale(%g : tensor<8xf32>) bias(%zero : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  %centered = norm.rms_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-05 {norm.centered} : tensor<4x8xf32>
  %2 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %sum = arith.addf %in, %in_0 : f32
    linalg.yield %sum : f32
  } -> tensor<4x8xf32>
  return %0, %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
