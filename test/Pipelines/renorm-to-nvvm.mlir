// RUN: renorm-opt %s --renorm-to-nvvm=format=none 2>/dev/null | FileCheck %s
// RUN: renorm-opt %s --renorm-to-nvvm="format=none chip=sm_90" 2>/dev/null | FileCheck %s --check-prefix=SM90
// RUN: renorm-opt %s --renorm-to-nvvm=format=llvm 2>/dev/null | FileCheck %s --check-prefix=LLVM
// RUN: renorm-opt %s --renorm-to-nvvm=format=isa 2>/dev/null | FileCheck %s --check-prefix=ISA
// RUN: not renorm-opt %s --renorm-to-nvvm=chip=sm_70 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: renorm-opt %s --renorm-to-nvvm=format=none --norm-report-kernels=output=%t.json -o /dev/null 2>/dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// A matmul and the norm of the trunk become kernels; the host launches them.
// CHECK-LABEL: func.func @block.prepared(
// CHECK: gpu.launch_func @block_prepared_kernel_0::@block_prepared_kernel_0
// CHECK-SAME: threads in
// CHECK: gpu.launch_func @block_prepared_kernel_1::@block_prepared_kernel_1
// CHECK: return
// CHECK: gpu.module @block_prepared_kernel_0 [#nvvm.target<chip = "sm_80", features = "+ptx80">]
// CHECK: llvm.func @block_prepared_kernel_0({{.*}}nvvm.kernel
// CHECK: nvvm.mma.sync
// CHECK: gpu.module @block_prepared_kernel_1

// SM90: #nvvm.target<chip = "sm_90", features = "+ptx80">

// Host code in the LLVM dialect, device code as bitcode or as PTX.
// LLVM: llvm.func @block.prepared(
// LLVM: gpu.launch_func @block_prepared_kernel_0::@block_prepared_kernel_0
// LLVM: llvm.func @_mlir_ciface_block.prepared(
// LLVM: gpu.binary @block_prepared_kernel_0 [#gpu.object<#nvvm.target<{{.*}}>, offload = "BC
// ISA: gpu.binary @block_prepared_kernel_0 [#gpu.object<{{.*}} assembly = "{{.*}}.target sm_80

// OLD: error: expected a chip of sm_80 or later, but got 'sm_70'

// JSON:      "function": "block.prepared",
// JSON:      "inputs": [
// JSON:      "type": "tensor<16x64xbf16>"
// JSON:      "type": "tensor<64x64xbf16>",
// JSON-NEXT: "parameter": "w"
// JSON:      "buffers": [
// JSON:      "type": "memref<16x64xbf16>",
// JSON-NEXT: "bytes": 2048,
// JSON-NEXT: "result": 0
// JSON:      "type": "memref<16xf32>",
// JSON-NEXT: "bytes": 64
// JSON-NEXT: }
// JSON:      "launches": [
// JSON:      "kernel": "block_prepared_kernel_0",
// JSON:      "grid": [
// JSON-NEXT: 1,
// JSON:      "shared_bytes": {{[1-9][0-9]+}},
// 2 * 16 * 64 * 64; x, the weight, the sum and its statistics.
// JSON-NEXT: "flops": 131072,
// JSON-NEXT: "bytes": 12352,
// JSON-NEXT: "arguments": [
// JSON:      "input": 0
// JSON:      "input": 1
// JSON:      "buffer": 0
// JSON:      "kernel": "block_prepared_kernel_1",
func.func @block.prepared(%x: tensor<16x64xbf16>, %w: tensor<64x64xbf16> {norm.param = "w"}, %v: tensor<64x32xbf16> {norm.param = "v"}) -> (tensor<16x64xbf16>, tensor<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = arith.truncf %0 : tensor<16x64xf32> to tensor<16x64xbf16>
  %2 = norm.residual_add %x, %1 : tensor<16x64xbf16>
  %3 = norm.rms_norm %2 epsilon = 1.0e-6 : tensor<16x64xbf16>
  %e1 = tensor.empty() : tensor<16x32xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.matmul ins(%3, %v : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%i1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %2, %4 : tensor<16x64xbf16>, tensor<16x32xf32>
}
