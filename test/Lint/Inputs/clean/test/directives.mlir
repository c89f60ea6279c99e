// REQUIRES: cpu
// RUN: mlir-opt %s | FileCheck %s
// RUN: mlir-opt %s | FileCheck %s --check-prefix CPU --input-file=%t
// DEFINE: %{second} = FileCheck %s --check-prefixes=A,A-LONG
// RUN: mlir-opt %s | %{second}

// The lines of a comment may speak of FileCheck and of what it checks.
// CHECK-LABEL: @f
// CHECK-COUNT-2: arith.addf
// CHECK-DAG{LITERAL}: [[1, 2]]
// CPU-NOT: gpu
// A-LONG-SAME: f32
// A: f32
#map = affine_map<(d0) -> (d0)>
func.func @f()
