// RUN: renorm-opt %s --verify-roundtrip | FileCheck %s
// RUN: renorm-opt %s --mlir-print-op-generic | renorm-opt | FileCheck %s
// RUN: renorm-opt %s --emit-bytecode | renorm-opt | FileCheck %s
// RUN: renorm-opt %s --norm-inline-fusion | FileCheck %s --check-prefix=INLINE

// CHECK-LABEL: func.func @row_kernel
// INLINE-LABEL: func.func @row_kernel
func.func @row_kernel(%x: tensor<?x320xbf16>, %g: tensor<320xbf16>) -> (tensor<?x320xbf16>, tensor<?xf32>) {
  // CHECK: %[[R:.*]]:2 = norm.fusion strategies = [row_kernel, two_kernel_stats] (%[[A:.*]] = %{{.*}} : tensor<?x320xbf16>, %[[S:.*]] = %{{.*}} : tensor<320xbf16>) -> (tensor<?x320xbf16>, tensor<?xf32>) {
  // CHECK: %[[N:.*]] = norm.rms_norm %[[A]] scale(%[[S]] : tensor<320xbf16>)
  // CHECK: %[[M:.*]] = norm.row_stats rms %[[A]] : tensor<?x320xbf16>
  // CHECK: norm.yield %[[N]], %[[M]] : tensor<?x320xbf16>, tensor<?xf32>
  // CHECK: return %[[R]]#0, %[[R]]#1
  // INLINE-NEXT: %[[N:.*]] = norm.rms_norm %arg0
  // INLINE-NEXT: %[[M:.*]] = norm.row_stats rms %arg0
  // INLINE-NEXT: return %[[N]], %[[M]]
  %0:2 = norm.fusion strategies = [row_kernel, two_kernel_stats]
      (%a = %x : tensor<?x320xbf16>, %s = %g : tensor<320xbf16>) -> (tensor<?x320xbf16>, tensor<?xf32>) {
    %1 = norm.rms_norm %a scale(%s : tensor<320xbf16>) epsilon = 1.0e-6 : tensor<?x320xbf16>
    %2 = norm.row_stats rms %a : tensor<?x320xbf16>
    norm.yield %1, %2 : tensor<?x320xbf16>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?x320xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @other
func.func @other(%n: index, %x: tensor<4xf32>) -> tensor<?xf32> {
  // CHECK: norm.fusion (%{{.*}} = %{{.*}} : index) -> (tensor<?xf32>) attributes {note = "kept"} {
  %0 = norm.fusion (%m = %n : index) -> (tensor<?xf32>) attributes {note = "kept"} {
    %1 = tensor.empty(%m) : tensor<?xf32>
    norm.yield %1 : tensor<?xf32>
  }
  // CHECK: norm.fusion () -> () {
  // CHECK-NEXT: }
  norm.fusion () -> () {
  }
  return %0 : tensor<?xf32>
}
