// norm-fold-affine of arguments: what they are folded into is computed in a
// function of its own.

// RUN: renorm-opt %s --norm-fold-affine=weights=prepare -o %t && FileCheck %s --enable-var-scope < %t
// RUN: renorm-opt %t --norm-fold-affine=weights=prepare --verify-diagnostics | diff %t -
// RUN: renorm-opt %s --norm-fold-affine 2>&1 | FileCheck %s --check-prefix=CONSTANT

#identity = affine_map<(d0, d1) -> (d0, d1)>
#feature = affine_map<(d0, d1) -> (d1)>

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1) -> (d1)>

// The caller's function stays, and calls both.
// CHECK-LABEL: func.func @caller(
// CHECK: call @layer_norm({{.*}}) : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<4x2xf32>
func.func @caller(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %g: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) -> tensor<4x2xf32> {
  %0 = call @layer_norm(%x, %w, %g, %b, %c) : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x3xf32>, %[[W:[^:]*]]: tensor<3x2xf32> {norm.param = "w"}, %[[G:[^:]*]]: tensor<3xf32>, %[[B:[^:]*]]: tensor<3xf32>, %[[C:[^:]*]]: tensor<2xf32>)
// CHECK: %[[P:.*]]:2 = call @layer_norm.prepare(%[[W]], %[[G]], %[[B]], %[[C]])
// CHECK: call @layer_norm.prepared(%[[X]], %[[P]]#0, %[[P]]#1)

// The bias sums over all input features, and starts from the matmul's own.
// CHECK-LABEL: func.func private @layer_norm.prepare(
// CHECK-SAME: %[[W:[^:]*]]: tensor<3x2xf32> {norm.param = "w"}, %[[G:[^:]*]]: tensor<3xf32>, %[[B:[^:]*]]: tensor<3xf32>, %[[C:[^:]*]]: tensor<2xf32>)
// CHECK: %[[SCALED:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$IN]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[W]], %[[G]] :
// CHECK-NEXT: ^bb0(%[[P:[^:]*]]: f32, %[[Q:[^:]*]]: f32,
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[P]], %[[Q]] : f32
// CHECK-NEXT: linalg.yield %[[M]]
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$IN]], #[[$OUT]]], iterator_types = ["reduction", "parallel"]} ins(%[[W]], %[[B]] : {{.*}}) outs(%[[C]] :
// CHECK: return %[[SCALED]], %[[SUM]]

// CHECK-LABEL: func.func private @layer_norm.prepared(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x3xf32>, %[[W:[^:]*]]: tensor<3x2xf32>{{.*}}, %[[C:[^:]*]]: tensor<2xf32>
// CHECK: %[[N:.*]] = norm.layer_norm %[[X]] epsilon = 1.0e-05 : tensor<4x3xf32>
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[N]], %[[W]] :
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[C]] :
// CONSTANT: remark: scale and bias not folded: its scale is argument 2, which is not a constant
func.func @layer_norm(%x: tensor<4x3xf32>, %w: tensor<3x2xf32> {norm.param = "w"}, %g: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) -> tensor<4x2xf32> {
  %n = norm.layer_norm %x scale(%g : tensor<3xf32>) bias(%b : tensor<3xf32>) epsilon = 1.0e-05 : tensor<4x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [#identity, #feature, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%y, %c : tensor<4x2xf32>, tensor<2xf32>) outs(%empty : tensor<4x2xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<4x2xf32>
  return %s : tensor<4x2xf32>
}

// A constant and an argument in bf16: f32, rounded once. Two matmuls that read the
// same norm with the same weight have one new one.
// CHECK-LABEL: func.func private @bf16.prepare(
// CHECK-SAME: %[[G:[^:]*]]: tensor<2xbf16>)
// CHECK: %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<3x2xbf16>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$OUT]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[W]], %[[G]] :
// CHECK-NEXT: ^bb0(%[[P:[^:]*]]: bf16, %[[Q:[^:]*]]: bf16,
// CHECK-DAG: %[[PF:.*]] = arith.extf %[[P]] : bf16 to f32
// CHECK-DAG: %[[QF:.*]] = arith.extf %[[Q]] : bf16 to f32
// CHECK: %[[ONE:.*]] = arith.addf %[[QF]], %{{.*}} : f32
// CHECK: %[[M:.*]] = arith.mulf %[[PF]], %[[ONE]] : f32
// CHECK: arith.truncf %[[M]] : f32 to bf16
// CHECK: return %{{[^,]*}} : tensor<3x2xbf16>
// CHECK-LABEL: func.func private @bf16.prepared(
// CHECK-SAME: %[[W:[^:]*]]: tensor<3x2xbf16>
// CHECK: norm.rms_norm %{{[^ ]*}} epsilon = 1.0e-06 : tensor<?x2xbf16>
// CHECK: linalg.transpose ins(%[[W]] :
func.func @bf16(%x: tensor<?x2xbf16>, %g: tensor<2xbf16>, %init: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %n = norm.rms_norm %x scale(%g : tensor<2xbf16>) epsilon = 1.0e-06 unit_offset cast_before_scale : tensor<?x2xbf16>
  %empty = tensor.empty() : tensor<2x3xbf16>
  %wt = linalg.transpose ins(%w : tensor<3x2xbf16>) outs(%empty : tensor<2x3xbf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%n, %wt : tensor<?x2xbf16>, tensor<2x3xbf16>) outs(%init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = linalg.matmul ins(%n, %wt : tensor<?x2xbf16>, tensor<2x3xbf16>) outs(%0 : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// A scale of shape [1, D] is squeezed where the weight is computed, too.
// CHECK-LABEL: func.func private @squeezed.prepare(
// CHECK-SAME: %[[W:[^:]*]]: tensor<3x2xf32>, %[[G:[^:]*]]: tensor<1x3xf32>)
// CHECK: %[[S:.*]] = tensor.collapse_shape %[[G]]
// CHECK: linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK-LABEL: func.func private @squeezed.prepared(
func.func @squeezed(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %g: tensor<1x3xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %s = tensor.collapse_shape %g [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  %n = norm.rms_norm %x scale(%s : tensor<3xf32>) epsilon = 1.0e-05 : tensor<4x3xf32>
  %y = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
