// A stock mlir-opt knows the dialect and the passes from the plugin.

// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(norm-convert-placement{to=pre})' | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin --help | FileCheck %s --check-prefix=HELP
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=STOCK

// HELP: --norm-convert-placement
// STOCK: Dialect `norm' not found

// CHECK-LABEL: func @post_norm(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[W:[a-z0-9]+]]: tensor<8x8xf32>, %[[G:[a-z0-9]+]]: tensor<8xf32>
// CHECK:         %[[INPUT:.*]] = norm.rms_norm %[[X]]
// CHECK:         %[[BRANCH:.*]] = linalg.matmul ins(%[[INPUT]], %[[W]]
// CHECK:         %[[SUM:.*]] = norm.residual_add %[[X]], %[[BRANCH]]
// CHECK:         %[[FINAL:.*]] = norm.rms_norm %[[SUM]] scale(%[[G]]
// CHECK:         return %[[FINAL]]
func.func @post_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %branch = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
  %sum = norm.residual_add %x, %branch : tensor<4x8xf32>
  %y = norm.rms_norm %sum scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
