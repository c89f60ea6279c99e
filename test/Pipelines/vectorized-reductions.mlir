// The sums over the rows of a norm become vector code, whether or not the extents are known.
// RUN: renorm-opt %s -renorm-to-llvm | mlir-translate -mlir-to-llvmir \
// RUN:   | opt -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 -S | FileCheck %s

// CHECK-LABEL: define {{.*}} @layer_norm(
// One division for a row.
// CHECK: fdiv arcp float 1.000000e+00
// CHECK-NOT: fdiv {{.*}}<8 x float>
// CHECK: fmul arcp <8 x float>
// CHECK: fadd reassoc contract <8 x float>
// CHECK: call reassoc contract float @llvm.vector.reduce.fadd.v8f32
// The deviations and their squares in one loop.
// CHECK: %[[D:.*]] = fsub <8 x float>
// CHECK: fmul reassoc contract <8 x float> %[[D]], %[[D]]
// CHECK: call reassoc contract float @llvm.vector.reduce.fadd.v8f32
// CHECK: call reassoc contract float @llvm.vector.reduce.fadd.v8f32
func.func @layer_norm(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = norm.layer_norm %x epsilon = 1.0e-05 : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// In 16 bits, by integer operations.
// CHECK-LABEL: define {{.*}} @rms_norm(
// CHECK: shl nuw <8 x i32>
// CHECK: call reassoc contract float @llvm.vector.reduce.fadd.v8f32
func.func @rms_norm(%x: tensor<4x768xbf16>) -> tensor<4x768xbf16> {
  %0 = norm.rms_norm %x epsilon = 1.0e-05 : tensor<4x768xbf16>
  return %0 : tensor<4x768xbf16>
}
