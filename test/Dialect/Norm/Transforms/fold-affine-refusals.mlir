// What norm-fold-affine refuses, it leaves as it is, and says why.

// RUN: renorm-opt %s --split-input-file -o %t
// RUN: renorm-opt %s --split-input-file --norm-fold-affine=weights=prepare --verify-diagnostics | diff %t -

// All readers or none: one of three is the trunk.
func.func @post_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark @+1 {{scale and bias not folded: it is read by 'norm.residual_add'}}
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %3 = norm.residual_add %0, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// An output norm is added to the trunk; another one goes out of the function.
func.func @output_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{scale not folded: it is read by 'norm.residual_add'}}
  %1 = norm.rms_norm %0 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  // expected-remark @+1 {{scale not folded: it is read by a result of the function}}
  %3 = norm.rms_norm %2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  return %3 : tensor<4x8xf32>
}

// -----

// A gate multiplies the norm itself with what a matmul made of it.
func.func @gate(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark @+1 {{scale not folded: it is read by an element-wise operation}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %2 = linalg.mul ins(%0, %1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// A router that picks by the norm alone, without a weight.
func.func @router(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @+1 {{scale not folded: it is read by 'linalg.reduce'}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.reduce {arith.maximumf} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  return %1 : tensor<4xf32>
}

// -----

// QK-Norm: the attention multiplies the norm with another activation.
func.func @qk_norm(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>, %v: tensor<2x4x8xf32>, %g: tensor<8xf32>, %init: tensor<2x4x4xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x4xf32>) {
  // expected-remark @+1 {{scale not folded: it is read by 'norm.attention'}}
  %0 = norm.rms_norm %q scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<2x4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = norm.attention %0, %k, %v : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  // expected-remark @+1 {{scale not folded: it is multiplied by a computed value}}
  %2 = norm.rms_norm %q scale(%g : tensor<8xf32>) epsilon = 1.0e-6 : tensor<2x4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %3 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %1 : tensor<2x4x8xf32>, tensor<2x4x8xf32>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%p: f32, %r: f32, %out: f32):
    %m = arith.mulf %p, %r : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4xf32>
  return %1, %3 : tensor<2x4x8xf32>, tensor<2x4x4xf32>
}

// -----

// The contraction sums over the rows.
func.func @other_dimension(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>, %g: tensor<8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  // expected-remark @+1 {{scale not folded: it is read by a contraction that does not sum over the normalized dimension}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %t = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.matmul ins(%t, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Heads are split, or halves taken, before a weight is reached.
func.func @splits(%x: tensor<4x8xf32>, %w: tensor<4x4xf32>, %g: tensor<8xf32>, %init: tensor<8x4xf32>, %half: tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>) {
  // expected-remark @+1 {{scale not folded: it is read by a reshape that splits the normalized dimension}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<4x2x4xf32> into tensor<8x4xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @+1 {{scale not folded: it is read by a slice of the normalized dimension}}
  %4 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-6 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %5 = tensor.extract_slice %4[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %6 = linalg.matmul ins(%5, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%half : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %6 : tensor<8x4xf32>, tensor<4x4xf32>
}

// -----

// The scale is computed from the trunk, as in AdaLN; the weight, as in a
// hypernetwork.
func.func @computed(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{scale not folded: its scale is a computed value}}
  %0 = norm.rms_norm %x scale(%s : tensor<8x8xf32>) epsilon = 1.0e-5 scale_dims = [0, 1] : tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{scale not folded: it is multiplied by a computed value}}
  %2 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<8x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %3 = linalg.matmul ins(%2, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A number for each row, too, is no scale of the features alone.
func.func @scale_of_rows(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark @+1 {{scale not folded: it is read by a contraction that does not sum over the normalized dimension}}
  %0 = norm.rms_norm %x scale(%g : tensor<4x8xf32>) epsilon = 1.0e-5 scale_dims = [0, 1] : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// Stacked weights, of which each iteration reads a slice.
func.func @scanned(%x: tensor<8x8xf32>, %w: tensor<2x8x8xf32>, %g: tensor<8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %x) -> tensor<8x8xf32> {
    %s = tensor.extract_slice %w[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<2x8x8xf32> to tensor<8x8xf32>
    // expected-remark @+1 {{bias not folded: the weight is a slice of argument 1}}
    %0 = norm.layer_norm %t bias(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<8x8xf32>
    // expected-note @+1 {{reads the norm here}}
    %1 = linalg.matmul ins(%0, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = norm.residual_add %t, %1 : tensor<8x8xf32>
    scf.yield %2 : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// The weight is the same for all input features: their sum is not the bias'.
func.func @broadcast_weight(%x: tensor<4x8xf32>, %w: tensor<3xf32>, %g: tensor<8xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<8x3xf32>
  %wb = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<8x3xf32>) dimensions = [0]
  // expected-remark @+1 {{scale not folded: the weight is not one number for each of its elements}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.matmul ins(%0, %wb : tensor<4x8xf32>, tensor<8x3xf32>) outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// 300 * 300 is no f16.
func.func @overflow(%x: tensor<4x2xf16>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %g = arith.constant dense<[1.0, 300.0]> : tensor<2xf16>
  %w = arith.constant dense<300.0> : tensor<2x2xf16>
  // expected-remark @+1 {{scale not folded: a product does not fit the type of the weight}}
  %0 = norm.rms_norm %x scale(%g : tensor<2xf16>) epsilon = 1.0e-5 : tensor<4x2xf16>
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.matmul ins(%0, %w : tensor<4x2xf16>, tensor<2x2xf16>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

// Dynamic weights are not prepared.
func.func @dynamic_weight(%x: tensor<4x8xf32>, %w: tensor<8x?xf32>, %g: tensor<8xf32>, %init: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-remark @+1 {{scale not folded: it is multiplied by argument 1, which has a dynamic extent or is a slice}}
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  // expected-note @+1 {{reads the norm here}}
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x?xf32>) outs(%init : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}
