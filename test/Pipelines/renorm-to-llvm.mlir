// RUN: renorm-opt %s -renorm-to-llvm | FileCheck %s
// RUN: renorm-opt %s -renorm-to-llvm -renorm-to-llvm | FileCheck %s

// Dynamic extents are checked if asked for.
// RUN: renorm-opt %s -renorm-to-llvm='check-shapes=true' | FileCheck %s --check-prefix=SHAPES
// SHAPES-LABEL: llvm.func @dynamic_attention(
// SHAPES: llvm.call @abort

// All that is left is the LLVM dialect.
// RUN: renorm-opt %models/bert.mlir -renorm-to-llvm | FileCheck %s --check-prefix=ALL
// RUN: renorm-opt %models/qwen3.mlir -renorm-to-llvm='fuse-elementwise=false order-loops=false' \
// RUN:   | FileCheck %s --check-prefix=ALL
// ALL-NOT: {{(arith|builtin|bufferization|cf|func|linalg|math|memref|norm|scf|tensor)\.[a-z]}}
// ALL: llvm.func @_mlir_ciface_forward

// CHECK: module attributes {norm.probe_names = ["x"]}
// CHECK: llvm.func @renorm_record_probe(i64, f64, f64, f64, f64)
// CHECK-SAME: sym_visibility = "private"

// CHECK-LABEL: llvm.func @norm_and_probe(
// CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
// CHECK: llvm.intr.sqrt
// CHECK: llvm.call @renorm_record_probe
// CHECK-LABEL: llvm.func @_mlir_ciface_norm_and_probe(
func.func @norm_and_probe(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<?x8xf32>
  norm.probe %0 {name = "x"} : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// An argument that is returned is copied: the caller owns what it gets.
// CHECK-LABEL: llvm.func @identity(
// CHECK: llvm.call @malloc
// CHECK: "llvm.intr.memcpy"
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Private functions have no C interface.
// CHECK-NOT: _mlir_ciface_helper
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = norm.residual_add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A learned parameter that is a global.
// CHECK-DAG: llvm.mlir.global {{.*}} @scale
ml_program.global private @scale(dense<2.0> : tensor<8xf32>) : tensor<8xf32>
func.func @global(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = ml_program.global_load_const @scale : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The heads' split into two unknown extents.
// CHECK-LABEL: llvm.func @dynamic_attention(
func.func @dynamic_attention(%q: tensor<?x?x?xf16>, %k: tensor<?x?x?xf16>, %v: tensor<?x?x?xf16>, %m: tensor<?x?xi1>)
    -> tensor<?x?x?xf16> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<?x?xi1>) causal zero_masked_rows
      : tensor<?x?x?xf16>, tensor<?x?x?xf16>, tensor<?x?x?xf16>
  return %0 : tensor<?x?x?xf16>
}

// Tiles that are written in parallel.
// CHECK-LABEL: llvm.func @tiles(
// CHECK: llvm.cond_br
func.func @tiles(%x: tensor<8x4xf32>, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %tile = tensor.extract_slice %x[%i, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
    %1 = norm.rms_norm %tile epsilon = 1.0e-06 : tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %out[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}
