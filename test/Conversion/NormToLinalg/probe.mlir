// RUN: renorm-opt %s -split-input-file -convert-norm-to-linalg -canonicalize -verify-diagnostics | FileCheck %s
// RUN: renorm-opt %s -split-input-file -convert-norm-to-linalg -convert-norm-to-linalg -canonicalize \
// RUN:   -verify-diagnostics | FileCheck %s

// Equal names share a number; the calls stay in their order.
// CHECK: module attributes {norm.probe_names = ["embedding", "layers.0"]}
// CHECK: func private @renorm_record_probe(i64, f64, f64, f64, f64)
// CHECK-LABEL: func @probes
// CHECK-SAME: %[[X:.*]]: tensor<?x8xbf16>
// CHECK-DAG: %[[ID0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ID1:.*]] = arith.constant 1 : i64
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction"]} ins(%[[X]] : tensor<?x8xbf16>) outs(%{{.*}} : tensor<f64>)
// CHECK:   %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f64
// CHECK:   arith.maximumf %{{.*}}, %[[WIDE]]
// CHECK: %[[MIN:.*]] = linalg.generic
// CHECK:   arith.minimumf
// CHECK: %[[MAXABS:.*]] = arith.maximumf
// CHECK: linalg.generic
// CHECK: %[[ROUGH:.*]] = arith.divf
// CHECK: %[[ABOVE:.*]] = arith.maximumf %[[ROUGH]]
// CHECK: %[[MEAN:.*]] = arith.minimumf %[[ABOVE]]
// CHECK: linalg.generic
// CHECK:   arith.subf %{{.*}}, %[[MEAN]]
// CHECK: %[[VARIANCE:.*]] = arith.divf
// CHECK: linalg.generic
// CHECK:   arith.subf %{{.*}}, %[[MEAN]]
// CHECK: %[[FOURTH:.*]] = arith.divf
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[VARIANCE]], %[[VARIANCE]]
// CHECK: %[[KURTOSIS:.*]] = arith.divf %[[FOURTH]], %[[SQUARE]]
// CHECK: call @renorm_record_probe(%[[ID0]], %[[MEAN]], %[[VARIANCE]], %[[MAXABS]], %[[KURTOSIS]])
// CHECK: call @renorm_record_probe(%[[ID1]],
// CHECK: call @renorm_record_probe(%[[ID0]],
// CHECK-NOT: norm.probe{{ }}
func.func @probes(%x: tensor<?x8xbf16>) {
  norm.probe %x {name = "embedding"} : tensor<?x8xbf16>
  norm.probe %x {name = "layers.0"} : tensor<?x8xbf16>
  norm.probe %x {name = "embedding"} : tensor<?x8xbf16>
  return
}

// -----

// Names that are there keep their numbers.
// CHECK: module attributes {norm.probe_names = ["old", "new"]}
// CHECK: %[[ID:.*]] = arith.constant 1 : i64
// CHECK: call @renorm_record_probe(%[[ID]],
module attributes {norm.probe_names = ["old"]} {
  func.func @known(%x: tensor<4xf32>) {
    norm.probe %x {name = "new"} : tensor<4xf32>
    return
  }
}

// -----

// CHECK-LABEL: func @no_probe
// CHECK-NOT: renorm_record_probe
func.func @no_probe(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected 'renorm_record_probe' to have type '(i64, f64, f64, f64, f64) -> ()', but got '(f32) -> ()'}}
func.func private @renorm_record_probe(f32)
func.func @taken(%x: tensor<4xf32>) {
  norm.probe %x {name = "x"} : tensor<4xf32>
  return
}

// -----

ml_program.global private @renorm_record_probe(1.0 : f32) : f32 // expected-error {{expected 'renorm_record_probe' to be a function}}
func.func @taken(%x: tensor<4xf32>) {
  norm.probe %x {name = "x"} : tensor<4xf32>
  return
}
