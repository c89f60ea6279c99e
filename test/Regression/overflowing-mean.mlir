// RUN: renorm-opt %s --norm-raise | FileCheck %s

// N is infinite in f16, so that the program's mean is zero.

// CHECK-NOT: norm.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @overflowing_mean(%x: tensor<2x70000xf16>) -> tensor<2x70000xf16> {
  %zero = arith.constant 0.0 : f16
  %n64 = arith.constant 70000.0 : f64
  %eps = arith.constant 1.0e-05 : f16
  %e = tensor.empty() : tensor<2x70000xf16>
  %e1 = tensor.empty() : tensor<2xf16>
  %i = linalg.fill ins(%zero : f16) outs(%e1 : tensor<2xf16>) -> tensor<2xf16>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x70000xf16>) outs(%i : tensor<2xf16>) {
  ^bb0(%in: f16, %out: f16):
    %sq = arith.mulf %in, %in : f16
    %p = arith.addf %sq, %out : f16
    linalg.yield %p : f16
  } -> tensor<2xf16>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<2x70000xf16>, tensor<2xf16>) outs(%e : tensor<2x70000xf16>) {
  ^bb0(%in: f16, %s: f16, %out: f16):
    %n = arith.truncf %n64 : f64 to f16
    %m = arith.divf %s, %n : f16
    %me = arith.addf %m, %eps : f16
    %r = math.rsqrt %me : f16
    %z = arith.mulf %in, %r : f16
    linalg.yield %z : f16
  } -> tensor<2x70000xf16>
  return %y : tensor<2x70000xf16>
}
