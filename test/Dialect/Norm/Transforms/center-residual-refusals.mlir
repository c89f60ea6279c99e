// What keeps a trunk from being centered, named at its place. The stream stays as it is.

// RUN: renorm-opt %s -split-input-file -norm-center-residual -verify-diagnostics -o %t
// RUN: renorm-opt %s -split-input-file | diff %t -

// An RMSNorm keeps the mean.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.rms_norm' reads the trunk at embedding: it is an RMSNorm already}}
  %n = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.rms_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// One is enough.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.rms_norm' reads the trunk at layers.0.ffn: it is an RMSNorm already}}
  %y = norm.rms_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Another norm that does.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.l2_norm' reads the trunk at layers.0.ffn with its mean}}
  %y = norm.l2_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// A norm over other dimensions.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.layer_norm' reads the trunk at layers.0.ffn along other dimensions than its features}}
  %y = norm.layer_norm %s epsilon = 1.0e-05 axes = [0] : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Features of two dimensions.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.layer_norm' reads the trunk at embedding along other dimensions than its features}}
  %n = norm.layer_norm %x epsilon = 1.0e-05 axes = [0, 1] : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 axes = [0, 1] : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// The trunk as a result.

func.func @stack(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: a result of the function reads the trunk at layers.0.ffn}}
  return %y, %s : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// A probe of it.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.probe' reads the trunk at layers.0.ffn}}
  norm.probe %s {name = "s"} : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// A module that reads the trunk itself.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'linalg.matmul' reads the trunk at layers.0.ffn}}
  %h = linalg.matmul ins(%s, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %t = norm.residual_add %s, %h : tensor<4x2xf32>
  %y = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// A post norm.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %f = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: a post norm is on the trunk at layers.0.ffn}}
  %p = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  %h = linalg.matmul ins(%p, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %t = norm.residual_add %p, %h : tensor<4x2xf32>
  %y = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// An output norm.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.layer_norm' writes the trunk at layers.0.ffn: it is neither a linear map, a bias nor a table}}
  %o = norm.layer_norm %f epsilon = 1.0e-05 : tensor<4x2xf32>
  %s = norm.residual_add %x, %o : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// An activation at the end of a branch.

func.func @stack(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: an element-wise operation writes the trunk at layers.0.ffn: it is neither a linear map, a bias nor a table}}
  %o = linalg.tanh ins(%f : tensor<4x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %o : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// A gate for each feature.

func.func @stack(%x: tensor<4x2xf32>, %g: tensor<2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %gates = linalg.broadcast ins(%g : tensor<2xf32>) outs(%init : tensor<4x2xf32>) dimensions = [0]
  // expected-remark @below {{residual stream not centered: an element-wise operation writes the trunk at layers.0.ffn: it is neither a linear map, a bias nor a table}}
  %o = linalg.mul ins(%f, %gates : tensor<4x2xf32>, tensor<4x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %o : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// What is written is read elsewhere.

func.func @stack(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: a result of the function reads what is written to the trunk at layers.0.ffn}}
  return %y, %f : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// Also before a bias.

func.func @stack(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'linalg.matmul' writes the trunk at layers.0.ffn: something else reads what it writes}}
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %bias = linalg.broadcast ins(%c : tensor<2xf32>) outs(%init : tensor<4x2xf32>) dimensions = [0]
  %b = linalg.add ins(%f, %bias : tensor<4x2xf32>, tensor<4x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %b : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y, %f : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// Weights that are arguments.

func.func @stack(%x: tensor<4x2xf32>, %v: tensor<2x2xf32> {norm.param = "w"}) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'linalg.matmul' writes the trunk at layers.0.ffn: cannot center 'w': it is an argument; expected weights=prepare}}
  %f = linalg.matmul ins(%n, %v : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Weights whose elements are not in the text, or would be infinite.

func.func @elided(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense_resource<__elided__> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'linalg.matmul' writes the trunk at layers.0.ffn: cannot center a constant: its elements are not known}}
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
func.func @overflow(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %w = arith.constant dense<[[6.5e4, -6.5e4, -6.5e4, -6.5e4], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf16>
  %init = arith.constant dense<0.0> : tensor<4x4xf16>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x4xf16>
  // expected-remark @below {{residual stream not centered: 'linalg.matmul' writes the trunk at layers.0.ffn: cannot center a constant: it would overflow}}
  %f = linalg.matmul ins(%n, %w : tensor<4x4xf16>, tensor<4x4xf16>) outs(%init : tensor<4x4xf16>) -> tensor<4x4xf16>
  %s = norm.residual_add %x, %f : tensor<4x4xf16>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// -----

// An open extent of features.

func.func @open(%x: tensor<4x?xf32>, %w: tensor<?x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<4x?xf32>
  %init = tensor.empty(%d) : tensor<4x?xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x?xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x?xf32>, tensor<?x?xf32>) outs(%init : tensor<4x?xf32>) -> tensor<4x?xf32>
  // expected-remark @below {{residual stream not centered: expected a static extent of its features, but got tensor<4x?xf32>}}
  %s = norm.residual_add %x, %f : tensor<4x?xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// -----

// The next iteration of a loop.

func.func @loop(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x) -> tensor<4x2xf32> {
    %n = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x2xf32>
    %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
    %s = norm.residual_add %t, %f : tensor<4x2xf32>
    // expected-remark @below {{residual stream not centered: 'scf.yield' reads the trunk at layers.0.ffn}}
    scf.yield %s : tensor<4x2xf32>
  }
  %y = norm.layer_norm %r epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
