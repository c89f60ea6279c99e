// RUN: renorm-opt %s -norm-report="format=json output=%t.json" -o /dev/null
// RUN: FileCheck %s --input-file=%t.json
// RUN: %python %S/Inputs/check_schema.py %renorm_src/docs/report-schema.json %t.json
// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: renorm-opt %s -norm-report=dtype=f16 -o /dev/null 2>&1 | FileCheck %s --check-prefix=F16
// RUN: renorm-opt %s -norm-report="dtype=bf16 gain=9" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BF16
// RUN: renorm-opt %s -norm-report="format=remarks dtype=f16" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// RUN: not renorm-opt %s -norm-report=gain=-1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAIN
// RUN: not renorm-opt %s -norm-report=gain=nan -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAIN
// GAIN: error: expected 'gain' to be finite and not negative, but got {{-1|nan}}

// A trunk of 32 elements, so that the largest is sqrt(2 ln 64) = 2.884 deviations.
// 1.5^(n/2) * 2.884 passes 65504 at n = 50: after layer 49. At the end, n = 60.
// CHECK:      "name": "scanned",
// CHECK:      "prediction": {
// CHECK-NEXT:   "regime": "trained",
// CHECK-NEXT:   "gain": 0.5,
// CHECK-NEXT:   "variance": 36768468716.93{{[0-9]*}},
// CHECK-NEXT:   "jacobian": 191751.05923{{[0-9]*}},
// CHECK-NEXT:   "maximum": 553020.36{{[0-9]*}},
// CHECK-NEXT:   "type": "f16",
// CHECK-NEXT:   "overflow_layer": 49
// TEXT-LABEL: function @scanned
// TEXT:         trunk {{.*}} growth multiplicative
// TEXT-NEXT:    predicted max|x| 553020, passes 65504 (f16) in layer 49, a model: trained, gain 0.5
// TEXT-NEXT:    embedding norm
// gain=9 multiplies by sqrt(10) a layer: 2.884e30 in all, and bf16 holds 3.39e38.
// BF16-LABEL: function @scanned
// BF16:         predicted max|x| 2.88405e+30 of 3.38953e+38 (bf16), a model: trained, gain 9
func.func @scanned(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %e: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %r = scf.for %i = %c0 to %c60 step %c1 iter_args(%t = %x) -> (tensor<4x8xf16>) {
    %n = norm.rms_norm %t epsilon = 1.0e-06 : tensor<4x8xf16>
    %m = linalg.matmul ins(%n, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    %y = norm.residual_add %t, %m : tensor<4x8xf16>
    scf.yield %y : tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// CHECK: "name": "scanned_unknown",
// CHECK: "prediction": null
// TEXT-LABEL: function @scanned_unknown
// TEXT:         predicted unknown: the number of iterations of the loop is dynamic
func.func @scanned_unknown(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %e: tensor<4x8xf16>, %n: index) -> tensor<4x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<4x8xf16>) {
    %m = linalg.matmul ins(%t, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    %y = norm.residual_add %t, %m : tensor<4x8xf16>
    scf.yield %y : tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// The output norms give what their scales say: 2^2, the mean of (1 + 0)^2 and
// (1 + 2)^2, 3^2, an unknown one counted as 1, and length 1 over 8 elements.
// 1 + 4 + 5 + 9 + 1 + 1/8, and sqrt(1 / 20.125). An f32 trunk says nothing of
// overflow by itself.
// CHECK:      "name": "scales",
// CHECK:        "variance": 20.125,
// CHECK-NEXT:   "jacobian": 0.222911{{[0-9]*}},
// CHECK-NEXT:   "maximum": 12.93812{{[0-9]*}},
// CHECK-NEXT:   "type": "f32",
// CHECK-NEXT:   "overflow_layer": null
// TEXT-LABEL: function @scales
// TEXT:         trunk {{.*}} growth linear
// TEXT-NEXT:    embedding norm
// F16-LABEL:  function @scales
// F16:          trunk {{.*}} growth linear
// F16-NEXT:     predicted max|x| 12.9381 of 65504 (f16), a model: trained, gain 0.5
// REMARK: trunk 'tensor<4x8xf32>' {{.*}} final norm -, predicted max|x| 12.9381 of 65504 (f16), a model: trained, gain 0.5
func.func @scales(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>,
                  %g: tensor<8xf32> {norm.param = "g", norm.init = 3.0 : f64}, %h: tensor<8xf32>) -> tensor<4x8xf32> {
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %half = arith.constant dense<[0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0]> : tensor<8xf32>
  %m0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n0 = norm.rms_norm %m0 scale(%two : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %x1 = norm.residual_add %x, %n0 : tensor<4x8xf32>
  %m1 = linalg.matmul ins(%x1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n1 = norm.rms_norm %m1 scale(%half : tensor<8xf32>) epsilon = 1.0e-06 unit_offset : tensor<4x8xf32>
  %x2 = norm.residual_add %x1, %n1 : tensor<4x8xf32>
  %m2 = linalg.matmul ins(%x2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n2 = norm.rms_norm %m2 scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %x3 = norm.residual_add %x2, %n2 : tensor<4x8xf32>
  %m3 = linalg.matmul ins(%x3, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n3 = norm.rms_norm %m3 scale(%h : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %x4 = norm.residual_add %x3, %n3 : tensor<4x8xf32>
  %m4 = linalg.matmul ins(%x4, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n4 = norm.l2_norm %m4 epsilon = 1.0e-12 : tensor<4x8xf32>
  %x5 = norm.residual_add %x4, %n4 : tensor<4x8xf32>
  return %x5 : tensor<4x8xf32>
}

// DeepNorm: sums of 2^2 + 0.5 and 2^2 * 3^2 + 0.5 * 3^2 before post norms that
// give 3^2 and 1; the jacobian is (2 * 3 / sqrt(4.5)) * (2 / sqrt(40.5)), the
// largest element is on the second sum.
// CHECK:      "name": "deepnorm",
// CHECK:        "variance": 1,
// CHECK-NEXT:   "jacobian": 0.888888888888888{{[0-9]*}},
// CHECK-NEXT:   "maximum": 18.35400{{[0-9]*}},
func.func @deepnorm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = arith.constant dense<-3.0> : tensor<8xf32>
  %m0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %x1 = norm.residual_add %x, %m0 residual_scale = 2.0 : tensor<4x8xf32>
  %n1 = norm.rms_norm %x1 scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  %m1 = linalg.matmul ins(%n1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %x2 = norm.residual_add %n1, %m1 residual_scale = 2.0 : tensor<4x8xf32>
  %n2 = norm.rms_norm %x2 epsilon = 1.0e-06 : tensor<4x8xf32>
  return %n2 : tensor<4x8xf32>
}

// One layer of a peri and a pre sublayer, of half the gain each: 1 + 1, times
// sqrt(1.5). The jacobian is sqrt(1/2) times 1.5^(1/4). The embedding norm gives
// the 1 to begin with.
// CHECK:      "name": "mixed",
// CHECK:        "variance": 2.4494897427831{{[0-9]*}},
// CHECK-NEXT:   "jacobian": 0.782542290036{{[0-9]*}},
func.func @mixed(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %x0 = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %n0 = norm.rms_norm %x0 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %q0 = linalg.batch_matmul ins(%n0, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a0 = norm.attention %q0, %q0, %q0 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %o0 = norm.rms_norm %a0 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %x1 = norm.residual_add %x0, %o0 : tensor<4x12x16xf32>
  %n1 = norm.rms_norm %x1 scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %m1 = linalg.batch_matmul ins(%n1, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x2 = norm.residual_add %x1, %m1 : tensor<4x12x16xf32>
  return %x2 : tensor<4x12x16xf32>
}

// A parallel layer is one step: 1 + 0.25 * 2^2 + 0.25 with the first branch scaled
// by 2. Its jacobian is that of the whole, sqrt(2.25).
// CHECK:      "name": "parallel",
// CHECK:        "variance": 2.25,
// CHECK-NEXT:   "jacobian": 1.5,
func.func @parallel(%x: tensor<4x12x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>, %e: tensor<4x12x16xf32>) -> tensor<4x12x16xf32> {
  %n = norm.rms_norm %x scale(%g : tensor<16xf32>) epsilon = 1.0e-06 : tensor<4x12x16xf32>
  %q = linalg.batch_matmul ins(%n, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %a = norm.attention %q, %q, %q : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>
  %x1 = norm.residual_add %x, %a branch_scale = 2.0 : tensor<4x12x16xf32>
  %m = linalg.batch_matmul ins(%n, %w : tensor<4x12x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x12x16xf32>) -> tensor<4x12x16xf32>
  %x2 = norm.residual_add %x1, %m : tensor<4x12x16xf32>
  return %x2 : tensor<4x12x16xf32>
}

// Dynamic extents count as 1: of 16 elements the largest is sqrt(2 ln 32) = 2.6328
// deviations, and sqrt(1.5) of them are 3.2245.
// CHECK:      "name": "dynamic",
// CHECK:        "maximum": 3.224470{{[0-9]*}},
func.func @dynamic(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = norm.residual_add %x, %m : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
