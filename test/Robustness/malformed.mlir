// Text that is no IR is refused with a place in it.
// RUN: not renorm-opt %s --norm-raise 2>&1 | FileCheck %s

// CHECK: malformed.mlir:[[#@LINE+2]]:{{[0-9]+}}: error:
func.func @broken(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.layer_norm %x epsilon = : tensor<4x8xf32>
