// RUN: renorm-opt %s --norm-fuse=target=sm_80 --split-input-file --verify-diagnostics -o /dev/null

// Separate kernels pass over an activation of 64 x 256 seven times, 14 bytes for
// each of its elements; fused three times, and 8 for each tile's row.
// expected-remark @+1 {{kernels 4 -> 2, passes over activations of 16384 elements 7 -> 3, bytes 655360 -> 525312}}
func.func @deferred(%r: tensor<64x256xbf16>, %a: tensor<64x512xbf16>, %w0: tensor<512x256xbf16>, %w1: tensor<256x128xbf16>) -> (tensor<64x256xbf16>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<64x256xbf16>
  %i0 = linalg.fill ins(%zero16 : bf16) outs(%e0 : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  // expected-remark @+1 {{one kernel in place of 3, which moves 393728 bytes in place of 492032: two_kernel_stats}}
  %0 = linalg.matmul ins(%a, %w0 : tensor<64x512xbf16>, tensor<512x256xbf16>) outs(%i0 : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %1 = norm.residual_add %r, %0 : tensor<64x256xbf16>
  // expected-remark @+1 {{the norm is computed by two_kernel_stats, which moves 66560 bytes, not by whole_row, 98304 bytes, not by row_kernel, 131072 bytes}}
  %2 = norm.rms_norm %1 epsilon = 1.0e-6 : tensor<64x256xbf16>
  %e1 = tensor.empty() : tensor<64x128xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  // expected-remark @+1 {{one kernel in place of 2, which moves 131584 bytes in place of}}
  %3 = linalg.matmul ins(%2, %w1 : tensor<64x256xbf16>, tensor<256x128xbf16>) outs(%i1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %3 : tensor<64x256xbf16>, tensor<64x128xf32>
}

// -----

// expected-remark @+1 {{kernels 3 -> 2}}
func.func @too_wide(%a: tensor<64x256xf32>, %w: tensor<256x384xf32>) -> tensor<64x384xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x384xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x384xf32>) -> tensor<64x384xf32>
  // expected-remark @+1 {{one kernel in place of 1}}
  %0 = linalg.matmul ins(%a, %w : tensor<64x256xf32>, tensor<256x384xf32>) outs(%i : tensor<64x384xf32>) -> tensor<64x384xf32>
  // expected-remark @+1 {{the norm is computed by row_kernel, which moves 196608 bytes; it normalizes rows of 384 columns, and sm_80 holds 256; its readers do not apply it: it is read by an element-wise operation}}
  %1 = norm.l2_norm %0 epsilon = 1.0e-6 : tensor<64x384xf32>
  // expected-remark @+1 {{one kernel in place of 2, which moves 196608 bytes in place of 393216: row_kernel}}
  %2 = linalg.exp ins(%1 : tensor<64x384xf32>) outs(%e : tensor<64x384xf32>) -> tensor<64x384xf32>
  return %2 : tensor<64x384xf32>
}

// -----

// expected-remark @+1 {{kernels 2 -> 2}}
func.func @wide_heads(%a: tensor<8x64xf32>, %w: tensor<64x384xf32>) -> tensor<8x2x192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x384xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x384xf32>) -> tensor<8x384xf32>
  // expected-remark @+1 {{one kernel in place of 1}}
  %0 = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x384xf32>) outs(%i : tensor<8x384xf32>) -> tensor<8x384xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [8, 2, 192] : tensor<8x384xf32> into tensor<8x2x192xf32>
  // expected-remark @+2 {{the norm is computed by row_kernel, which moves 49152 bytes; it normalizes groups of 192 columns, and a tile of sm_80 has 128; its readers do not apply it: it is read by a result of the function}}
  // expected-remark @+1 {{one kernel in place of 1, which moves 24576 bytes in place of 24576: row_kernel}}
  %2 = norm.l2_norm %1 epsilon = 1.0e-6 : tensor<8x2x192xf32>
  return %2 : tensor<8x2x192xf32>
}

// -----

// expected-remark @+1 {{kernels 2 -> 2}}
func.func @rows(%a: tensor<8x64xf32>, %w: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark @+1 {{one kernel in place of 1}}
  %0 = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark @+2 {{it normalizes rows of the matmul before it}}
  // expected-remark @+1 {{one kernel in place of 1}}
  %1 = norm.l2_norm %0 epsilon = 1.0e-6 axes = [0] : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// A reader that is no kernel of a matmul, and a norm that has a scale: the other
// readers apply it to what they read.
// expected-remark @+1 {{with 1 for each dynamic extent}}
func.func @not_deferred(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>, %g: tensor<64xf32>, %n: index) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  // expected-remark @+3 {{the norm is computed by two_kernel_stats}}
  // expected-remark @+2 {{the norm is not applied later: it has a scale or bias (see norm-fold-affine)}}
  // expected-remark @+1 {{one kernel in place of 1}}
  %0 = norm.rms_norm %x scale(%g : tensor<64xf32>) epsilon = 1.0e-6 : tensor<?x64xf32>
  // expected-remark @+1 {{one kernel in place of 1, which moves}}
  %1 = linalg.matmul ins(%0, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%i : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// -----

// What was dropped stays, and is in no group.
// expected-remark @+1 {{kernels 2 -> 2}}
func.func @dropped(%a: tensor<8x64xf32>, %w: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark @+1 {{one kernel in place of 1}}
  %0 = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = norm.l2_norm %0 epsilon = 1.0e-6 {norm.dropped} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// expected-remark @+1 {{kernels 3 -> 3}}
func.func @columns(%a: tensor<8x64xf32>, %w: tensor<64x?xf32>, %x: tensor<8x64xi32>, %y: tensor<64x4xi32>, %v: tensor<64x4xf32>) -> (tensor<8x?xf32>, tensor<8x4xi32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %w, %c1 : tensor<64x?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  // expected-remark @+1 {{the matmul is left alone: how many columns its result has is not known}}
  %0 = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x?xf32>) outs(%i : tensor<8x?xf32>) -> tensor<8x?xf32>
  %e1 = tensor.empty() : tensor<8x4xi32>
  %i1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<8x4xi32>) -> tensor<8x4xi32>
  // expected-remark @+1 {{the matmul is left alone: its sums are no floating-point numbers}}
  %1 = linalg.matmul ins(%x, %y : tensor<8x64xi32>, tensor<64x4xi32>) outs(%i1 : tensor<8x4xi32>) -> tensor<8x4xi32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @+1 {{one kernel in place of 1}}
  %2 = linalg.matmul ins(%a, %v : tensor<8x64xf32>, tensor<64x4xf32>) outs(%i2 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x?xf32>, tensor<8x4xi32>, tensor<8x4xf32>
}

// -----

// Nothing to fuse.
func.func @nothing(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-remark @+1 {{the residual add is left alone: it can join no kernel of a matmul or norm that computes what it adds}}
  %0 = norm.residual_add %a, %a : tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
