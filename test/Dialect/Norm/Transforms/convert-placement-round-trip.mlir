// There and back again gives the same IR: parameters that hold a value are function arguments and survive, those
// that a conversion made go with their norm. Twice is once.

// RUN: split-file %s %t
// RUN: renorm-opt %t/post.mlir -o %t/post

// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre embedding-norm=keep' '--norm-convert-placement=to=post embedding-norm=keep' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=peri' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=peri params=argument' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=peri params=global' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=output' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=deepnorm alpha=2' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre layers=1' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre kinds=attention params=argument' '--norm-convert-placement=to=post' | diff %t/post -

// Post-LN without an embedding norm (Vaswani et al. 2017): the first input norm that Pre-LN needs is no embedding norm.
// RUN: renorm-opt %t/original.mlir -o %t/original
// RUN: renorm-opt %t/original.mlir '--norm-convert-placement=to=pre' '--norm-convert-placement=to=post' | diff %t/original -
// RUN: renorm-opt %t/original.mlir '--norm-convert-placement=to=pre params=argument' '--norm-convert-placement=to=post' | diff %t/original -
// RUN: renorm-opt %t/original.mlir '--norm-convert-placement=to=peri params=global' '--norm-convert-placement=to=post' | diff %t/original -

// By way of two others.
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre' '--norm-convert-placement=to=peri' '--norm-convert-placement=to=pre' '--norm-convert-placement=to=post' | diff %t/post -
// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=deepnorm alpha=2' '--norm-convert-placement=to=post' | diff %t/post -

// RUN: renorm-opt %t/post.mlir '--norm-convert-placement=to=pre' -o %t/pre
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=post' '--norm-convert-placement=to=pre' | diff %t/pre -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=peri' '--norm-convert-placement=to=pre' | diff %t/pre -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=peri params=argument' '--norm-convert-placement=to=pre' | diff %t/pre -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=peri params=global' '--norm-convert-placement=to=pre' | diff %t/pre -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=output' '--norm-convert-placement=to=pre' | diff %t/pre -

// Peri-LN whose output norms hold a value, and some that were made.
// RUN: renorm-opt %t/peri.mlir -o %t/peri
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=peri params=argument' -o %t/made
// RUN: renorm-opt %t/peri '--norm-convert-placement=to=output' '--norm-convert-placement=to=peri' | diff %t/peri -
// RUN: renorm-opt %t/peri '--norm-convert-placement=to=pre' '--norm-convert-placement=to=peri' | diff %t/peri -
// RUN: renorm-opt %t/peri '--norm-convert-placement=to=none' '--norm-convert-placement=to=peri' | diff %t/peri -
// RUN: renorm-opt %t/peri '--norm-convert-placement=to=post' '--norm-convert-placement=to=peri' | diff %t/peri -
// RUN: renorm-opt %t/made '--norm-convert-placement=to=output' '--norm-convert-placement=to=peri' | diff %t/made -

// Twice is once.
// RUN: renorm-opt %t/post '--norm-convert-placement=to=post params=argument' | diff %t/post -
// RUN: renorm-opt %t/pre '--norm-convert-placement=to=pre params=argument' | diff %t/pre -
// RUN: renorm-opt %t/made '--norm-convert-placement=to=peri params=argument' | diff %t/made -
// RUN: renorm-opt %t/made '--norm-convert-placement=to=output params=argument' -o %t/output
// RUN: renorm-opt %t/output '--norm-convert-placement=to=output params=argument' | diff %t/output -
// RUN: renorm-opt %t/made '--norm-convert-placement=to=none params=argument' -o %t/none
// RUN: renorm-opt %t/none '--norm-convert-placement=to=none params=argument' | diff %t/none -
// RUN: renorm-opt %t/made '--norm-convert-placement=to=deepnorm alpha=2 params=argument' -o %t/deepnorm
// RUN: renorm-opt %t/deepnorm '--norm-convert-placement=to=deepnorm alpha=2 params=argument' | diff %t/deepnorm -
// RUN: renorm-opt %t/post '--norm-convert-placement=to=pre layers=1' -o %t/mixed
// RUN: renorm-opt %t/mixed '--norm-convert-placement=to=pre layers=1' | diff %t/mixed -

//--- post.mlir
// Two layers of Post-LN with an embedding norm, and a caller.
func.func @stack(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>, %ge: tensor<8xf32>, %be: tensor<8xf32>,
    %g0: tensor<8xf32>, %b0: tensor<8xf32>, %g1: tensor<8xf32>, %b1: tensor<8xf32>,
    %g2: tensor<8xf32>, %b2: tensor<8xf32>, %g3: tensor<8xf32>, %b3: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = norm.layer_norm %x scale(%ge : tensor<8xf32>) bias(%be : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = norm.attention %1, %1, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %3 = norm.residual_add %0, %2 : tensor<1x4x8xf32>
  %4 = norm.layer_norm %3 scale(%g0 : tensor<8xf32>) bias(%b0 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %5 = linalg.batch_matmul ins(%4, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %6 = norm.residual_add %4, %5 : tensor<1x4x8xf32>
  %7 = norm.layer_norm %6 scale(%g1 : tensor<8xf32>) bias(%b1 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %8 = linalg.batch_matmul ins(%7, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %9 = norm.attention %8, %8, %8 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %10 = norm.residual_add %7, %9 : tensor<1x4x8xf32>
  %11 = norm.layer_norm %10 scale(%g2 : tensor<8xf32>) bias(%b2 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %12 = linalg.batch_matmul ins(%11, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %13 = norm.residual_add %11, %12 : tensor<1x4x8xf32>
  %14 = norm.layer_norm %13 scale(%g3 : tensor<8xf32>) bias(%b3 : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  return %14 : tensor<1x4x8xf32>
}
func.func @caller(%x: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>, %g: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %0 = call @stack(%x, %w, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g) : (tensor<1x4x8xf32>, tensor<1x8x8xf32>,
    tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
    tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

//--- original.mlir
func.func @stack(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = norm.residual_add %x, %0 : tensor<4x8xf32>
  %2 = norm.layer_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.residual_add %2, %3 : tensor<4x8xf32>
  %5 = norm.layer_norm %4 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

//--- peri.mlir
// Peri-LN; the input norm stands not directly before its module.
func.func @stack(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %gi: tensor<8xf32>, %go: tensor<8xf32>,
    %hi: tensor<8xf32>, %ho: tensor<8xf32>, %gf: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = norm.rms_norm %x scale(%gi : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%go : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  %4 = norm.rms_norm %3 scale(%hi : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = norm.rms_norm %5 scale(%ho : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %7 = norm.residual_add %3, %6 : tensor<4x8xf32>
  %8 = norm.rms_norm %7 scale(%gf : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}
