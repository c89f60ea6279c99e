// RUN: renorm-opt %s --convert-norm-to-gpu --verify-diagnostics --split-input-file | FileCheck %s

// What is refused stays as it is.

// CHECK-COUNT-26: norm.fusion
// CHECK-NOT: norm.fusion
// CHECK-NOT: gpu.module

func.func @f64(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
  %0 = norm.fusion (%a = %x : tensor<4x64xf64>) -> (tensor<4x64xf64>) {
    // expected-remark @below {{not made a kernel: a type other than f32, bf16 and f16}}
    %1 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<4x64xf64>
    norm.yield %1 : tensor<4x64xf64>
  }
  return %0 : tensor<4x64xf64>
}

// -----

func.func @computed_in_f64(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>) -> (tensor<4x64xf32>) {
    // expected-remark @below {{not made a kernel: statistics in a type other than f32}}
    %1 = norm.rms_norm %a epsilon = 1.0e-06 compute_type = f64 : tensor<4x64xf32>
    norm.yield %1 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

func.func @long_row(%x: tensor<4x16400xf32>) -> tensor<4x16400xf32> {
  // expected-remark @below {{not made a kernel: a row of 16400 elements does not fit the registers of a block}}
  %0 = norm.fusion (%a = %x : tensor<4x16400xf32>) -> (tensor<4x16400xf32>) {
    %1 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<4x16400xf32>
    norm.yield %1 : tensor<4x16400xf32>
  }
  return %0 : tensor<4x16400xf32>
}

// -----

func.func @first_dimension(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-remark @below {{not made a kernel: what is normalized is not the last dimensions}}
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>) -> (tensor<4x64xf32>) {
    %1 = norm.rms_norm %a epsilon = 1.0e-06 axes = [0] : tensor<4x64xf32>
    norm.yield %1 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dynamic_columns(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-remark @below {{not made a kernel: the number of columns is dynamic}}
  %0 = norm.fusion (%a = %x : tensor<4x?xf32>) -> (tensor<4x?xf32>) {
    %1 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<4x?xf32>
    norm.yield %1 : tensor<4x?xf32>
  }
  return %0 : tensor<4x?xf32>
}

// -----

func.func @parts_of_rows(%x: tensor<4x64xf32>) -> tensor<4x2xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>) -> (tensor<4x2xf32>) {
    // expected-remark @below {{not made a kernel: statistics of parts of a row}}
    %1 = norm.row_stats rms %a group_size = 32 : tensor<4x64xf32>
    norm.yield %1 : tensor<4x2xf32>
  }
  return %0 : tensor<4x2xf32>
}

// -----

func.func @slice(%x: tensor<4x64xf32>) -> tensor<4x32xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>) -> (tensor<4x32xf32>) {
    // expected-remark @below {{not made a kernel: not an operation on single elements}}
    %1 = tensor.extract_slice %a[0, 0] [4, 32] [1, 2] : tensor<4x64xf32> to tensor<4x32xf32>
    %2 = norm.rms_norm %1 epsilon = 1.0e-06 : tensor<4x32xf32>
    norm.yield %2 : tensor<4x32xf32>
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @no_rows(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-remark @below {{not made a kernel: nothing is normalized, reduced or multiplied}}
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>) -> (tensor<4x64xf32>) {
    %1 = norm.residual_add %a, %a : tensor<4x64xf32>
    norm.yield %1 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// The result of the second norm has columns that are rows of the first.

func.func @two_norms(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = norm.fusion (%a = %x : tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %1 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<8x8xf32>
    // expected-remark @below {{not made a kernel: statistics that are not of consecutive columns of a row}}
    %2 = norm.rms_norm %a epsilon = 1.0e-06 axes = [0] : tensor<8x8xf32>
    norm.yield %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

func.func @wide_row(%x: tensor<4x64xbf16>, %w: tensor<64x512xbf16>, %init: tensor<4x512xbf16>) -> tensor<4x512xbf16> {
  // expected-remark @below {{not made a kernel: what is normalized, reduced or rotated does not fit a tile of 256 columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x512xbf16>, %i = %init : tensor<4x512xbf16>) -> (tensor<4x512xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x512xbf16>) outs(%i : tensor<4x512xbf16>) -> tensor<4x512xbf16>
    %2 = norm.rms_norm %1 epsilon = 1.0e-06 : tensor<4x512xbf16>
    norm.yield %2 : tensor<4x512xbf16>
  }
  return %0 : tensor<4x512xbf16>
}

// -----

func.func @wide_heads(%x: tensor<4x64xbf16>, %w: tensor<64x576xbf16>, %init: tensor<4x576xbf16>) -> tensor<4x2x288xbf16> {
  // expected-remark @below {{not made a kernel: what is normalized, reduced or rotated does not fit a tile of 256 columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x576xbf16>, %i = %init : tensor<4x576xbf16>) -> (tensor<4x2x288xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x576xbf16>) outs(%i : tensor<4x576xbf16>) -> tensor<4x576xbf16>
    %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [4, 2, 288] : tensor<4x576xbf16> into tensor<4x2x288xbf16>
    %3 = norm.rms_norm %2 epsilon = 1.0e-06 : tensor<4x2x288xbf16>
    norm.yield %3 : tensor<4x2x288xbf16>
  }
  return %0 : tensor<4x2x288xbf16>
}

// -----

// Places behind each 96 columns are none behind each 48.

func.func @groups_of_two_sizes(%x: tensor<4x64xbf16>, %w: tensor<64x192xbf16>, %init: tensor<4x192xbf16>) -> tensor<4x192xbf16> {
  // expected-remark @below {{not made a kernel: what is normalized, reduced or rotated does not fit a tile of 256 columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x192xbf16>, %i = %init : tensor<4x192xbf16>) -> (tensor<4x192xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x192xbf16>) outs(%i : tensor<4x192xbf16>) -> tensor<4x192xbf16>
    %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [4, 2, 96] : tensor<4x192xbf16> into tensor<4x2x96xbf16>
    %3 = norm.rms_norm %2 epsilon = 1.0e-06 : tensor<4x2x96xbf16>
    %4 = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<4x2x96xbf16> into tensor<4x192xbf16>
    %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [4, 4, 48] : tensor<4x192xbf16> into tensor<4x4x48xbf16>
    %6 = norm.rms_norm %5 epsilon = 1.0e-06 : tensor<4x4x48xbf16>
    %7 = tensor.collapse_shape %6 [[0], [1, 2]] : tensor<4x4x48xbf16> into tensor<4x192xbf16>
    norm.yield %7 : tensor<4x192xbf16>
  }
  return %0 : tensor<4x192xbf16>
}

// -----

func.func @norm_of_operand(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %init: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x64xbf16>, %i = %init : tensor<4x64xbf16>) -> (tensor<4x64xbf16>) {
    // expected-remark @below {{not made a kernel: statistics of an operand of the contraction are not merged}}
    %1 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<4x64xbf16>
    %2 = linalg.matmul ins(%1, %b : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<4x64xbf16>) -> tensor<4x64xbf16>
    norm.yield %2 : tensor<4x64xbf16>
  }
  return %0 : tensor<4x64xbf16>
}

// -----

// Columns of the result that are two of its dimensions.

func.func @outer_columns(%x: tensor<4x64xbf16>, %w: tensor<3x64x64xbf16>, %init: tensor<3x4x64xbf16>) -> tensor<3x4x64xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<3x64x64xbf16>, %i = %init : tensor<3x4x64xbf16>) -> (tensor<3x4x64xbf16>) {
    // expected-remark @below {{not made a kernel: the contraction has columns that are not the last dimension of its result}}
    %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x64xbf16>, tensor<3x64x64xbf16>) outs(%i : tensor<3x4x64xbf16>) {
      ^bb0(%i0: bf16, %i1: bf16, %o: bf16):
        %p = arith.mulf %i0, %i1 : bf16
        %s = arith.addf %o, %p : bf16
        linalg.yield %s : bf16
    } -> tensor<3x4x64xbf16>
    norm.yield %1 : tensor<3x4x64xbf16>
  }
  return %0 : tensor<3x4x64xbf16>
}

// -----

func.func @no_columns(%x: tensor<4x3x64xbf16>, %w: tensor<3x64xbf16>, %init: tensor<4x3xbf16>) -> tensor<4x3xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x3x64xbf16>, %b = %w : tensor<3x64xbf16>, %i = %init : tensor<4x3xbf16>) -> (tensor<4x3xbf16>) {
    // expected-remark @below {{not made a kernel: the last dimension of the contraction's result is one of both operands}}
    %1 = linalg.generic {indexing_maps = [affine_map<(m, b, k) -> (m, b, k)>, affine_map<(m, b, k) -> (b, k)>, affine_map<(m, b, k) -> (m, b)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x3x64xbf16>, tensor<3x64xbf16>) outs(%i : tensor<4x3xbf16>) {
      ^bb0(%i0: bf16, %i1: bf16, %o: bf16):
        %p = arith.mulf %i0, %i1 : bf16
        %s = arith.addf %o, %p : bf16
        linalg.yield %s : bf16
    } -> tensor<4x3xbf16>
    norm.yield %1 : tensor<4x3xbf16>
  }
  return %0 : tensor<4x3xbf16>
}

// -----

// Rows of which a tile has a part.

func.func @wide_softmax(%x: tensor<4x64xbf16>, %w: tensor<64x512xbf16>, %init: tensor<4x512xbf16>, %low: tensor<4xbf16>) -> tensor<4xbf16> {
  // expected-remark @below {{not made a kernel: what is normalized, reduced or rotated does not fit a tile of 256 columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x512xbf16>, %i = %init : tensor<4x512xbf16>, %l = %low : tensor<4xbf16>) -> (tensor<4xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x512xbf16>) outs(%i : tensor<4x512xbf16>) -> tensor<4x512xbf16>
    %2 = linalg.reduce {arith.maximumf} ins(%1 : tensor<4x512xbf16>) outs(%l : tensor<4xbf16>) dimensions = [1]
    norm.yield %2 : tensor<4xbf16>
  }
  return %0 : tensor<4xbf16>
}

// -----

func.func @reduced_operand(%x: tensor<4x64x2xbf16>, %w: tensor<64x64xbf16>, %init: tensor<4x64xbf16>, %low: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x64x2xbf16>, %b = %w : tensor<64x64xbf16>, %i = %init : tensor<4x64xbf16>, %l = %low : tensor<4x64xbf16>) -> (tensor<4x64xbf16>) {
    // expected-remark @below {{not made a kernel: a reduction of an operand of the contraction}}
    %1 = linalg.reduce {arith.maximumf} ins(%a : tensor<4x64x2xbf16>) outs(%l : tensor<4x64xbf16>) dimensions = [2]
    %2 = linalg.matmul ins(%1, %b : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<4x64xbf16>) -> tensor<4x64xbf16>
    norm.yield %2 : tensor<4x64xbf16>
  }
  return %0 : tensor<4x64xbf16>
}

// -----

// Rows of another tensor, of another length.

func.func @shorter_rows(%x: tensor<8x16xf32>, %y: tensor<8x4xf32>, %init: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x16xf32>) {
  %0:2 = norm.fusion (%a = %x : tensor<8x16xf32>, %b = %y : tensor<8x4xf32>, %i = %init : tensor<8xf32>) -> (tensor<8xf32>, tensor<8x16xf32>) {
    %1 = linalg.reduce {arith.maximumf} ins(%a : tensor<8x16xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    // expected-remark @below {{not made a kernel: a reduction that is not one of whole rows}}
    %2 = linalg.reduce {arith.maximumf} ins(%b : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    %e = tensor.empty() : tensor<8x16xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a, %2 : tensor<8x16xf32>, tensor<8xf32>) outs(%e : tensor<8x16xf32>) {
      ^bb0(%u: f32, %m: f32, %o: f32):
        %w = arith.subf %u, %m : f32
        linalg.yield %w : f32
    } -> tensor<8x16xf32>
    norm.yield %1, %3 : tensor<8xf32>, tensor<8x16xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8x16xf32>
}

// -----

// Reductions of rows of two lengths.

func.func @other_rows(%x: tensor<8x2x4xf32>, %init: tensor<8xf32>, %low: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8x2xf32>) {
  %0:2 = norm.fusion (%a = %x : tensor<8x2x4xf32>, %i = %init : tensor<8xf32>, %l = %low : tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8x2xf32>) {
    %1 = linalg.reduce {arith.maximumf} ins(%a : tensor<8x2x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1, 2]
    // expected-remark @below {{not made a kernel: a reduction that is not one of whole rows}}
    %2 = linalg.reduce {arith.maximumf} ins(%a : tensor<8x2x4xf32>) outs(%l : tensor<8x2xf32>) dimensions = [2]
    norm.yield %1, %2 : tensor<8xf32>, tensor<8x2xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8x2xf32>
}

// -----

func.func @two_types(%x: tensor<4x64xbf16>, %w: tensor<64x64xf16>, %init: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x64xf16>, %i = %init : tensor<4x64xf32>) -> (tensor<4x64xf32>) {
    // expected-remark @below {{not made a kernel: the operands of the contraction differ in type}}
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x64xf16>) outs(%i : tensor<4x64xf32>) -> tensor<4x64xf32>
    norm.yield %1 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// Any element of an input can be read; those of what the kernel computes are in several threads.

func.func @gather(%x: tensor<4x64xf32>, %i: index) -> tensor<4x64xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x64xf32>, %j = %i : index) -> (tensor<4x64xf32>) {
    %e = tensor.empty() : tensor<4x64xf32>
    %double = arith.addf %a, %a : tensor<4x64xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
      ^bb0(%u: f32, %o: f32):
        // expected-remark @below {{not made a kernel: one element reads more than an element of each operand}}
        %v = tensor.extract %double[%j, %j] : tensor<4x64xf32>
        %w = arith.addf %u, %v : f32
        linalg.yield %w : f32
    } -> tensor<4x64xf32>
    %2 = norm.rms_norm %1 epsilon = 1.0e-06 : tensor<4x64xf32>
    norm.yield %2 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

func.func @empty_part(%x: tensor<4x0xf32>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = norm.fusion (%a = %x : tensor<4x0xf32>, %b = %y : tensor<4x64xf32>) -> (tensor<4x64xf32>) {
    // expected-remark @below {{not made a kernel: not an operation on single elements}}
    %1 = tensor.concat dim(1) %a, %b : (tensor<4x0xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
    %2 = norm.rms_norm %1 epsilon = 1.0e-06 : tensor<4x64xf32>
    norm.yield %2 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// The rows of the slice are not those of the product.

func.func @slice_of_rows(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %init: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x64xbf16>, %i = %init : tensor<4x64xbf16>) -> (tensor<4x64xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<4x64xbf16>) -> tensor<4x64xbf16>
    // expected-remark @below {{not made a kernel: a slice of other rows or other groups of columns}}
    %2 = tensor.extract_slice %1[0, 0] [2, 64] [1, 1] : tensor<4x64xbf16> to tensor<2x64xbf16>
    %3 = tensor.concat dim(0) %2, %2 : (tensor<2x64xbf16>, tensor<2x64xbf16>) -> tensor<4x64xbf16>
    %4 = norm.residual_add %1, %3 : tensor<4x64xbf16>
    norm.yield %4 : tensor<4x64xbf16>
  }
  return %0 : tensor<4x64xbf16>
}

// -----

func.func @slice_of_operand(%x: tensor<4x64xbf16>, %w: tensor<32x64xbf16>, %init: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<32x64xbf16>, %i = %init : tensor<4x64xbf16>) -> (tensor<4x64xbf16>) {
    %1 = norm.residual_add %a, %a : tensor<4x64xbf16>
    // expected-remark @below {{not made a kernel: a slice of what is not computed for each row and column}}
    %2 = tensor.extract_slice %1[0, 32] [4, 32] [1, 1] : tensor<4x64xbf16> to tensor<4x32xbf16>
    %3 = linalg.matmul ins(%2, %b : tensor<4x32xbf16>, tensor<32x64xbf16>) outs(%i : tensor<4x64xbf16>) -> tensor<4x64xbf16>
    norm.yield %3 : tensor<4x64xbf16>
  }
  return %0 : tensor<4x64xbf16>
}

// -----

// Halves of rows of 512 columns, in tiles of 256.

func.func @wide_halves(%x: tensor<4x64xbf16>, %w: tensor<64x512xbf16>, %init: tensor<4x512xbf16>) -> tensor<4x512xbf16> {
  // expected-remark @below {{not made a kernel: what is normalized, reduced or rotated does not fit a tile of 256 columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x512xbf16>, %i = %init : tensor<4x512xbf16>) -> (tensor<4x512xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x512xbf16>) outs(%i : tensor<4x512xbf16>) -> tensor<4x512xbf16>
    %2 = tensor.extract_slice %1[0, 0] [4, 256] [1, 1] : tensor<4x512xbf16> to tensor<4x256xbf16>
    %3 = tensor.extract_slice %1[0, 256] [4, 256] [1, 1] : tensor<4x512xbf16> to tensor<4x256xbf16>
    %4 = tensor.concat dim(1) %3, %2 : (tensor<4x256xbf16>, tensor<4x256xbf16>) -> tensor<4x512xbf16>
    %5 = norm.residual_add %1, %4 : tensor<4x512xbf16>
    norm.yield %5 : tensor<4x512xbf16>
  }
  return %0 : tensor<4x512xbf16>
}

// -----

// What is put together has fewer columns than what its parts are of.

func.func @fewer_columns(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %init: tensor<4x64xbf16>) -> tensor<4x32xbf16> {
  // expected-remark @below {{not made a kernel: a result is not a function of rows and columns}}
  %0 = norm.fusion (%a = %x : tensor<4x64xbf16>, %b = %w : tensor<64x64xbf16>, %i = %init : tensor<4x64xbf16>) -> (tensor<4x32xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<4x64xbf16>) -> tensor<4x64xbf16>
    %2 = tensor.extract_slice %1[0, 0] [4, 16] [1, 1] : tensor<4x64xbf16> to tensor<4x16xbf16>
    %3 = tensor.extract_slice %1[0, 32] [4, 16] [1, 1] : tensor<4x64xbf16> to tensor<4x16xbf16>
    %4 = tensor.concat dim(1) %2, %3 : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x32xbf16>
    norm.yield %4 : tensor<4x32xbf16>
  }
  return %0 : tensor<4x32xbf16>
}
