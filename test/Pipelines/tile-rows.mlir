// RUN: renorm-opt %s -norm-tile-rows -canonicalize -cse | FileCheck %s
// RUN: renorm-opt %s -norm-tile-rows=minimum-elements=0 -canonicalize -cse | FileCheck %s --check-prefix=ALL

// Row by row; the norm itself only.
// CHECK-LABEL: func @norm
// CHECK: %[[Y:.*]] = norm.residual_add
// CHECK: %[[R:.*]] = scf.for %[[I:[^ ]*]] = %c0 to %c512 step %c1
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [1, 1024] [1, 1]
// CHECK: %[[N:.*]] = norm.layer_norm %[[ROW]] {{.*}} : tensor<1x1024xf32>
// CHECK: tensor.insert_slice %[[N]] into %{{.*}}[%[[I]], 0] [1, 1024] [1, 1]
// CHECK: return %[[R]]
func.func @norm(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = norm.residual_add %x, %x : tensor<512x1024xf32>
  %1 = norm.layer_norm %0 epsilon = 1.0e-05 : tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}

// As many dimensions as fit 4096 elements stay whole.
// CHECK-LABEL: func @heads
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: norm.rms_norm %{{.*}} : tensor<1x12x64xbf16>
func.func @heads(%x: tensor<512x12x64xbf16>) -> tensor<512x12x64xbf16> {
  %0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<512x12x64xbf16>
  return %0 : tensor<512x12x64xbf16>
}

// The normalized dimension is never split.
// CHECK-LABEL: func @outer_axis
// CHECK: norm.rms_norm %{{.*}} axes = [0] : tensor<512x1024xf32>
func.func @outer_axis(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-06 axes = [0] : tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// CHECK-LABEL: func @small
// CHECK-NOT: scf.for
// ALL-LABEL: func @small
// ALL: scf.for
func.func @small(%y: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %0 = norm.l2_norm %y epsilon = 1.0e-06 : tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Statistics go with their only reader.
// CHECK-LABEL: func @halves
// CHECK-COUNT-1: scf.for
// CHECK: %[[ROW:.*]] = tensor.extract_slice
// CHECK: %[[S:.*]]:2 = norm.row_stats layer %[[ROW]] : tensor<1x64xf32>
// CHECK: norm.apply_stats layer %[[ROW]] stats(%[[S]]#0, %[[S]]#1
// CHECK-NOT: scf.for
func.func @halves(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0:2 = norm.row_stats layer %x : tensor<?x64xf32>
  %1 = norm.apply_stats layer %x stats(%0#0, %0#1 : tensor<?xf32>, tensor<?xf32>) epsilon = 1.0e-05
         : tensor<?x64xf32> -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// A loop for the prologue, one for the epilogue, which stores the sum and its norm.
// CHECK-LABEL: func @group
// CHECK: norm.fusion
// CHECK: %[[P:.*]] = scf.for
// CHECK: norm.rms_norm
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[P]],
// CHECK: %[[E:.*]]:2 = scf.for %[[I:[^ ]*]] =
// CHECK-DAG: tensor.extract_slice %[[M]][%[[I]], 0] [1, 768] [1, 1]
// CHECK: %[[SUM:.*]] = norm.residual_add
// CHECK: %[[NORM:.*]] = norm.layer_norm %[[SUM]]
// CHECK-NOT: norm.residual_add
// CHECK: scf.yield
// CHECK: norm.yield %[[E]]#{{[01]}}, %[[E]]#{{[01]}}
func.func @group(%x: tensor<?x768xf32>, %w: tensor<768x768xf32>, %s: tensor<768xf32>)
    -> (tensor<?x768xf32>, tensor<?x768xf32>) {
  %0:2 = norm.fusion strategies = [whole_row]
      (%a = %x : tensor<?x768xf32>, %b = %w : tensor<768x768xf32>, %g = %s : tensor<768xf32>)
      -> (tensor<?x768xf32>, tensor<?x768xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %rows = tensor.dim %a, %c0 : tensor<?x768xf32>
    %n = norm.rms_norm %a scale(%g : tensor<768xf32>) epsilon = 1.0e-06 : tensor<?x768xf32>
    %e = tensor.empty(%rows) : tensor<?x768xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x768xf32>) -> tensor<?x768xf32>
    %m = linalg.matmul ins(%n, %b : tensor<?x768xf32>, tensor<768x768xf32>) outs(%f : tensor<?x768xf32>) -> tensor<?x768xf32>
    %r = norm.residual_add %a, %m : tensor<?x768xf32>
    %y = norm.layer_norm %r epsilon = 1.0e-05 : tensor<?x768xf32>
    norm.yield %r, %y : tensor<?x768xf32>, tensor<?x768xf32>
  }
  return %0#0, %0#1 : tensor<?x768xf32>, tensor<?x768xf32>
}

// Through a reshape: groups of columns are normalized in the loop over rows.
// CHECK-LABEL: func @grouped_rows
// CHECK: linalg.matmul
// CHECK: scf.for
// CHECK: tensor.expand_shape %{{.*}} : tensor<1x768xf32> into tensor<1x12x64xf32>
// CHECK: norm.l2_norm %{{.*}} : tensor<1x12x64xf32>
// CHECK: norm.yield
func.func @grouped_rows(%x: tensor<512x768xf32>, %w: tensor<768x768xf32>, %i: tensor<512x768xf32>) -> tensor<512x12x64xf32> {
  %0 = norm.fusion strategies = [grouped_rows]
      (%a = %x : tensor<512x768xf32>, %b = %w : tensor<768x768xf32>, %f = %i : tensor<512x768xf32>) -> (tensor<512x12x64xf32>) {
    %m = linalg.matmul ins(%a, %b : tensor<512x768xf32>, tensor<768x768xf32>) outs(%f : tensor<512x768xf32>) -> tensor<512x768xf32>
    %h = tensor.expand_shape %m [[0], [1, 2]] output_shape [512, 12, 64] : tensor<512x768xf32> into tensor<512x12x64xf32>
    %y = norm.l2_norm %h epsilon = 1.0e-06 : tensor<512x12x64xf32>
    norm.yield %y : tensor<512x12x64xf32>
  }
  return %0 : tensor<512x12x64xf32>
}
