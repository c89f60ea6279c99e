// RUN: renorm-opt %s -norm-simplify -verify-diagnostics -o %t.after
// RUN: renorm-opt %s -o %t.before
// RUN: diff %t.before %t.after

func.func @norm_of_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %b = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-remark @+1 {{left a norm of a norm as it is: the scale of the inner norm is not one known number other than 0}}
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %2 = norm.layer_norm %x bias(%b : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-remark @+1 {{the inner norm has a bias}}
  %3 = norm.layer_norm %2 epsilon = 1.0e-05 : tensor<4x8xf32>
  %4 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  // expected-remark @+1 {{a layer norm of a norm that does not center has no epsilon of its own}}
  %5 = norm.layer_norm %4 epsilon = 1.0e-05 : tensor<4x8xf32>
  %6 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<4x8xf32>
  // expected-remark @+1 {{their epsilons enter in different ways}}
  %7 = norm.rms_norm %6 epsilon = 1.0e-05 epsilon_mode = outside : tensor<4x8xf32>
  %8 = norm.rms_norm %x scale(%zero : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  // expected-remark @+1 {{is not one known number other than 0}}
  %9 = norm.rms_norm %8 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %1, %3, %5, %7, %9 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

func.func @more_norms_of_norms(%x: tensor<4x8xf32>, %d: tensor<4x?xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x?xf32>) {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 axes = [0] : tensor<4x8xf32>
  // expected-remark @+1 {{the two normalize different dimensions}}
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %2 = norm.rms_norm %x epsilon = 1.0e-05 compute_type = f64 : tensor<4x8xf32>
  // expected-remark @+1 {{the two compute in different types}}
  %3 = norm.rms_norm %2 epsilon = 1.0e-05 : tensor<4x8xf32>
  %4 = norm.rms_norm %x epsilon = 1.0e-30 : tensor<4x8xf32>
  // expected-remark @+1 {{the epsilon that would be left is no normal number of the compute type}}
  %5 = norm.rms_norm %4 epsilon = 1.0e-10 : tensor<4x8xf32>
  %6 = norm.rms_norm %x epsilon = 1.0e-04 : tensor<4x8xf32>
  // expected-remark @+1 {{something else reads the inner norm, too}}
  %7 = norm.rms_norm %6 epsilon = 1.0e-04 : tensor<4x8xf32>
  %8 = norm.rms_norm %d epsilon = 1.0e-05 : tensor<4x?xf32>
  // expected-remark @+1 {{the extent that an l2 norm is over is dynamic}}
  %9 = norm.l2_norm %8 epsilon = 1.0e-05 : tensor<4x?xf32>
  return %1, %3, %5, %6, %7, %9 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x?xf32>
}

func.func @factors(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %minus = arith.constant dense<-4.0> : tensor<4x8xf32>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %large = arith.constant dense<1.0e+20> : tensor<4x8xf32>
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %minus : tensor<4x8xf32>
  // expected-remark @+1 {{left a norm of a multiple as it is: the factor is not positive and finite}}
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<4x8xf32>
  %2 = arith.divf %x, %zero : tensor<4x8xf32>
  // expected-remark @+1 {{the factor is not positive and finite}}
  %3 = norm.rms_norm %2 epsilon = 1.0e-05 : tensor<4x8xf32>
  %4 = arith.mulf %x, %large : tensor<4x8xf32>
  // expected-remark @+1 {{the epsilon that would be left is no normal number of the compute type}}
  %5 = norm.rms_norm %4 epsilon = 1.0e-05 : tensor<4x8xf32>
  %6 = arith.divf %x, %large : tensor<4x8xf32>
  // expected-remark @+1 {{no normal number of the compute type}}
  %7 = norm.rms_norm %6 epsilon = 1.0 : tensor<4x8xf32>
  %8 = arith.mulf %x, %two : tensor<4x8xf32>
  // expected-remark @+1 {{something else reads the product, too}}
  %9 = norm.rms_norm %8 epsilon = 1.0e-05 : tensor<4x8xf32>
  // No constant, and a constant divided.
  %10 = arith.mulf %x, %s : tensor<4x8xf32>
  %11 = norm.rms_norm %10 epsilon = 1.0e-05 : tensor<4x8xf32>
  %12 = arith.divf %two, %x : tensor<4x8xf32>
  %13 = norm.rms_norm %12 epsilon = 1.0e-05 : tensor<4x8xf32>
  return %1, %3, %5, %7, %8, %9, %11, %13 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// A transpose among the maps, a product of another shape, more than a product.
#map = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
func.func @other_generics(%x: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#transposed, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %product = arith.mulf %in, %two : f32
    linalg.yield %product : f32
  } -> tensor<8x8xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-05 : tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %product = arith.mulf %in, %two : f32
    %sum = arith.addf %product, %two : f32
    linalg.yield %sum : f32
  } -> tensor<8x8xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-05 : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
