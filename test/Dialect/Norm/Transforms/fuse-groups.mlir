// RUN: renorm-opt %s --norm-fuse=target=sm_80 --canonicalize 2>/dev/null | FileCheck %s

#heads = affine_map<(m, h, o, d) -> (m, h, d)>
#weight = affine_map<(m, h, o, d) -> (d, o)>
#result = affine_map<(m, h, o, d) -> (m, h, o)>

// A kernel without a matmul goes through the rows of one norm: what is normalized along another dimension is not in it.

// CHECK-LABEL: func @different_rows(
// CHECK: %[[FIRST:.*]] = norm.fusion strategies = [row_kernel]
// CHECK: norm.layer_norm {{.*}} axes = [1]
// CHECK: math.tanh
// CHECK-NEXT: norm.yield
// CHECK: norm.fusion strategies = [row_kernel] (%{{.*}} = %[[FIRST]] :
// CHECK-NEXT: norm.rms_norm
// CHECK-NEXT: norm.yield
func.func @different_rows(%x: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %0 = norm.layer_norm %x epsilon = 1.0e-5 axes = [1] : tensor<4x6x8xf32>
  %1 = math.tanh %0 : tensor<4x6x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 : tensor<4x6x8xf32>
  return %2 : tensor<4x6x8xf32>
}

// CHECK-LABEL: func @same_rows(
// CHECK: norm.fusion strategies = [row_kernel]
// CHECK: norm.layer_norm
// CHECK: math.tanh
// CHECK: norm.rms_norm
// CHECK-NOT: norm.fusion
func.func @same_rows(%x: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %0 = norm.layer_norm %x epsilon = 1.0e-5 : tensor<4x6x8xf32>
  %1 = math.tanh %0 : tensor<4x6x8xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 : tensor<4x6x8xf32>
  return %2 : tensor<4x6x8xf32>
}

// A matmul's tile has some of its rows only.

// CHECK-LABEL: func @along_rows(
// CHECK: %[[PRODUCT:.*]] = norm.fusion (
// CHECK: linalg.matmul
// CHECK: norm.fusion strategies = [row_kernel] (%{{.*}} = %[[PRODUCT]] :
// CHECK-NEXT: norm.rms_norm
func.func @along_rows(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x48xf32>) -> tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%init : tensor<32x48xf32>)
       -> tensor<32x48xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 axes = [0] : tensor<32x48xf32>
  return %1 : tensor<32x48xf32>
}

// The operand with the rows is the one that is no parameter.

// CHECK-LABEL: func @weight_first(
// CHECK: norm.fusion strategies = [whole_row]
// CHECK: linalg.matmul
// CHECK: norm.rms_norm
func.func @weight_first(%x: tensor<64x32xf32>, %w: tensor<48x64xf32>) -> tensor<48x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x32xf32>) -> tensor<48x32xf32>
  %0 = math.tanh %x : tensor<64x32xf32>
  %1 = linalg.matmul ins(%w, %0 : tensor<48x64xf32>, tensor<64x32xf32>) outs(%init : tensor<48x32xf32>)
       -> tensor<48x32xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 axes = [0] : tensor<48x32xf32>
  return %2 : tensor<48x32xf32>
}

// Readers apply the norm of what has their rows, and not that of a weight.

// CHECK-LABEL: func @norm_of_a_weight(
// CHECK: norm.fusion strategies = [row_kernel]
// CHECK-NEXT: norm.rms_norm
// CHECK: norm.fusion (
// CHECK: linalg.matmul
func.func @norm_of_a_weight(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x48xf32>) -> tensor<32x48xf32>
  %0 = norm.rms_norm %w epsilon = 1.0e-5 axes = [0] : tensor<64x48xf32>
  %1 = math.tanh %x : tensor<32x64xf32>
  %2 = linalg.matmul ins(%1, %0 : tensor<32x64xf32>, tensor<64x48xf32>) outs(%init : tensor<32x48xf32>)
       -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// Statistics for readers are of whole rows: a norm of heads is computed where they are, though its input is stored, too.

// CHECK-LABEL: func @heads_before_a_matmul(
// CHECK: norm.fusion strategies = [grouped_rows]
// CHECK: linalg.matmul
// CHECK: norm.rms_norm
// CHECK: norm.fusion (
func.func @heads_before_a_matmul(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %v: tensor<24x16xf32>)
    -> (tensor<32x2x24xf32>, tensor<32x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x48xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<32x48xf32>) -> tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%i0 : tensor<32x48xf32>)
       -> tensor<32x48xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [32, 2, 24] : tensor<32x48xf32> into tensor<32x2x24xf32>
  %2 = norm.rms_norm %1 epsilon = 1.0e-5 : tensor<32x2x24xf32>
  %e1 = tensor.empty() : tensor<32x2x16xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<32x2x16xf32>) -> tensor<32x2x16xf32>
  %3 = linalg.generic {indexing_maps = [#heads, #weight, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %v : tensor<32x2x24xf32>, tensor<24x16xf32>) outs(%i1 : tensor<32x2x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x2x16xf32>
  return %1, %3 : tensor<32x2x24xf32>, tensor<32x2x16xf32>
}

// Of a slice it is not known which tile a head of it begins in: its norm is taken to need them all.

// CHECK-LABEL: func @heads_of_a_slice(
// CHECK: norm.fusion strategies = [whole_row]
// CHECK: linalg.matmul
// CHECK: tensor.extract_slice
// CHECK: norm.rms_norm
func.func @heads_of_a_slice(%x: tensor<32x64xf32>, %w: tensor<64x96xf32>) -> tensor<32x2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x96xf32>) -> tensor<32x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x96xf32>) outs(%init : tensor<32x96xf32>)
       -> tensor<32x96xf32>
  %1 = tensor.extract_slice %0[0, 32] [32, 32] [1, 1] : tensor<32x96xf32> to tensor<32x32xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [32, 2, 16] : tensor<32x32xf32> into tensor<32x2x16xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<32x2x16xf32>
  return %3 : tensor<32x2x16xf32>
}

// What is normalized here are two rows of the matmul's result.

// CHECK-LABEL: func @rows_and_columns(
// CHECK: norm.fusion (
// CHECK: linalg.matmul
// CHECK-NEXT: norm.yield
// CHECK: norm.fusion strategies = [row_kernel]
// CHECK: norm.rms_norm
func.func @rows_and_columns(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x48xf32>) -> tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%init : tensor<32x48xf32>)
       -> tensor<32x48xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<32x48xf32> into tensor<1536xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [16, 96] : tensor<1536xf32> into tensor<16x96xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<16x96xf32>
  return %3 : tensor<16x96xf32>
}
