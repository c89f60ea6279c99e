// RUN: renorm-opt %s --norm-raise | FileCheck %s

// As an unsigned number the i8 is 200 (and not -56, of which a scale was made);
// that isn't looked through. A negative one stays negative.

// CHECK-LABEL: @unsigned
// CHECK-NOT: norm.

// CHECK-LABEL: @negative
// CHECK: norm.residual_add %{{.*}} branch_scale = -3.0

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @unsigned(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant -56 : i8
  %f = arith.uitofp %c : i8 to f32
  %e = tensor.empty() : tensor<4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %me = arith.mulf %s, %f : f32
    %z = arith.addf %in, %me : f32
    linalg.yield %z : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @negative(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant -3 : i8
  %f = arith.sitofp %c : i8 to f32
  %e = tensor.empty() : tensor<4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%i : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %me = arith.mulf %s, %f : f32
    %z = arith.addf %in, %me : f32
    linalg.yield %z : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
