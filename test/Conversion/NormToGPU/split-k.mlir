// RUN: renorm-opt %s --convert-norm-to-gpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: renorm-opt %s --convert-norm-to-gpu=split-k=1 --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: renorm-opt %s --convert-norm-to-gpu=split-k=5 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=FIVE
// RUN: renorm-opt %s --convert-norm-to-gpu=chip=sm_86 --canonicalize --split-input-file | FileCheck %s --check-prefix=SM86
// RUN: renorm-opt %s --convert-norm-to-gpu=chip=sm_87 --canonicalize --split-input-file | FileCheck %s --check-prefix=SM87
// RUN: renorm-opt %s --convert-norm-to-gpu=chip=sm_89 --canonicalize --split-input-file | FileCheck %s --check-prefix=SM89
// RUN: renorm-opt %s --convert-norm-to-gpu=chip=sm_90 --canonicalize --split-input-file | FileCheck %s --check-prefix=SM90
// RUN: not renorm-opt %s --convert-norm-to-gpu=split-k=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: expected 0 or a number of blocks as split-k, but got -1

// OFF-NOT: split_k

// 32 tiles for the 108 multiprocessors of sm_80: three parts of 22, 22 and 20 of 64
// tiles along the reduction. Both kernels have what they read.

// SM86: blocks in (%c32, %c2, %c1)
// SM87: blocks in (%c32, %c1, %c1)
// SM89: blocks in (%c32, %c4, %c1)
// SM90: blocks in (%c32, %c4, %c1)
// CHECK-LABEL: func.func @decode
// CHECK-SAME: %[[X:.*]]: tensor<16x4096xbf16>, %[[W:.*]]: tensor<4096x4096xbf16>, %[[R:.*]]: tensor<16x4096xbf16>
// CHECK-DAG: %[[X_BUFFER:.*]] = bufferization.to_buffer %[[X]]
// CHECK-DAG: %[[W_BUFFER:.*]] = bufferization.to_buffer %[[W]]
// CHECK-DAG: %[[R_BUFFER:.*]] = bufferization.to_buffer %[[R]]
// CHECK-DAG: %[[X_POINTER:.*]] = memref.reinterpret_cast %[[X_BUFFER]]
// CHECK-DAG: %[[W_POINTER:.*]] = memref.reinterpret_cast %[[W_BUFFER]]
// CHECK-DAG: %[[R_POINTER:.*]] = memref.reinterpret_cast %[[R_BUFFER]]
// CHECK-DAG: %[[Y:.*]] = memref.alloc() : memref<16x4096xbf16>
// CHECK-DAG: %[[Y_POINTER:.*]] = memref.reinterpret_cast %[[Y]]
// CHECK-DAG: %[[WORKSPACE:.*]] = memref.alloc() : memref<3x16x4096xf32>
// CHECK-DAG: %[[POINTER:.*]] = memref.reinterpret_cast %[[WORKSPACE]]
// 16 x 4096 and 4096 x 4096 of bf16, and the workspace of 3 x 16 x 4096 of f32.
// CHECK: gpu.launch_func @decode_kernel_0_split_k::@decode_kernel_0_split_k blocks in (%c32, %c3, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %c55296_i32
// CHECK-SAME: args(%[[X_POINTER]] : memref<bf16>, %[[W_POINTER]] : memref<bf16>, %[[POINTER]] : memref<f32>)
// CHECK-SAME: norm.bytes = 34471936 : i64, norm.flops = 536870912 : i64
// The residual, the result and the workspace.
// CHECK-NEXT: gpu.launch_func @decode_kernel_0::@decode_kernel_0 blocks in (%c32, %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-NOT: dynamic_shared_memory_size
// CHECK-SAME: args(%[[R_POINTER]] : memref<bf16>, %[[Y_POINTER]] : memref<bf16>, %[[POINTER]] : memref<f32>)
// CHECK-SAME: norm.bytes = 1048576 : i64, norm.flops = 0 : i64

// CHECK-LABEL: gpu.func @decode_kernel_0_split_k
// CHECK: %[[PART:.*]] = gpu.block_id y
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %c22
// CHECK: %[[LEFT:.*]] = arith.subi %c64, %[[FIRST]]
// CHECK: %[[COUNT:.*]] = arith.minui %[[LEFT]], %c22
// CHECK: scf.for %[[TILE:.*]] = %c0 to %[[COUNT]] step %c1
// CHECK: %[[NEXT:.*]] = arith.addi %[[TILE]], %c2
// CHECK: arith.cmpi ult, %[[NEXT]], %[[COUNT]]
// CHECK: scf.if
// CHECK-NEXT: arith.addi %[[NEXT]], %[[FIRST]]
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK-NOT: arith.truncf
// CHECK: arith.muli %[[PART]], %c16
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
// CHECK-COUNT-7: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return

// CHECK-LABEL: gpu.func @decode_kernel_0(
// CHECK-NOT: nvvm.cp.async
// The first to the last part of two columns.
// CHECK: %[[P0:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: %[[P1:.*]] = llvm.load
// CHECK: %[[SUM:.*]] = arith.addf %[[P0]], %[[P1]] : vector<2xf32>
// CHECK: %[[P2:.*]] = llvm.load
// CHECK: arith.addf %[[SUM]], %[[P2]] : vector<2xf32>
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.addf %{{.*}} : bf16
// CHECK: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<1>
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return

// 64 tiles in parts of 13: the last has 12.
// FIVE-LABEL: func.func @decode
// FIVE: memref.alloc() : memref<5x16x4096xf32>
// FIVE: blocks in (%c32, %c5, %c1)
// FIVE: gpu.func @decode_kernel_0_split_k
// FIVE: arith.muli %{{.*}}, %c13
func.func @decode(%x: tensor<16x4096xbf16>, %w: tensor<4096x4096xbf16>, %r: tensor<16x4096xbf16>) -> tensor<16x4096xbf16> {
  %0 = norm.fusion (%a = %x : tensor<16x4096xbf16>, %b = %w : tensor<4096x4096xbf16>, %skip = %r : tensor<16x4096xbf16>)
      -> (tensor<16x4096xbf16>) {
    %zero = arith.constant 0.0 : bf16
    %1 = tensor.empty() : tensor<16x4096xbf16>
    %2 = linalg.fill ins(%zero : bf16) outs(%1 : tensor<16x4096xbf16>) -> tensor<16x4096xbf16>
    %3 = linalg.matmul ins(%a, %b : tensor<16x4096xbf16>, tensor<4096x4096xbf16>)
                       outs(%2 : tensor<16x4096xbf16>) -> tensor<16x4096xbf16>
    %4 = norm.residual_add %skip, %3 : tensor<16x4096xbf16>
    norm.yield %4 : tensor<16x4096xbf16>
  }
  return %0 : tensor<16x4096xbf16>
}

// -----

// Statistics that a prologue needs are merged in the first kernel, those of an
// epilogue in the second. Few columns: parts of 8 tiles of 64, all of them full, and
// so nothing to choose in the loop.

// CHECK-LABEL: func.func @statistics
// CHECK: blocks in (%c1, %c8, %c1)
// CHECK-SAME: args(%{{.*}} : memref<bf16>, %{{.*}} : memref<bf16>, %[[LEFT:.*]] : memref<f32>, %[[POINTER:[^ ]*]] : memref<f32>)
// CHECK: blocks in (%c1, %c1, %c1)
// CHECK-SAME: args(%[[RIGHT:.*]] : memref<f32>, %{{.*}} : memref<f32>, %[[POINTER]] : memref<f32>)
// CHECK-LABEL: gpu.func @statistics_kernel_0_split_k
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK-LABEL: gpu.func @statistics_kernel_0(
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK-NOT: scf.for
// 64 tiles in parts of 13.
// FIVE-LABEL: func.func @statistics
// FIVE: blocks in (%c1, %c5, %c1)
func.func @statistics(%x: tensor<16x4096xbf16>, %w: tensor<4096x64xbf16>, %s: tensor<16x32xf32>, %t: tensor<16x5xf32>)
    -> tensor<16x64xf32> {
  %0 = norm.fusion (%a = %x : tensor<16x4096xbf16>, %b = %w : tensor<4096x64xbf16>, %p = %s : tensor<16x32xf32>,
                    %q = %t : tensor<16x5xf32>) -> (tensor<16x64xf32>) {
    %m = norm.merge_stats rms %p group_size = 128 extent = 4096 : tensor<16x32xf32>
    %n = norm.apply_stats rms %a stats(%m : tensor<16xf32>) epsilon = 1.0e-05
           : tensor<16x4096xbf16> -> tensor<16x4096xbf16>
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<16x64xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = linalg.matmul ins(%n, %b : tensor<16x4096xbf16>, tensor<4096x64xbf16>)
                       outs(%2 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %4 = norm.merge_stats rms %q group_size = 128 extent = 640 : tensor<16x5xf32>
    %5 = norm.apply_stats rms %3 stats(%4 : tensor<16xf32>) epsilon = 1.0e-05
           : tensor<16x64xf32> -> tensor<16x64xf32>
    norm.yield %5 : tensor<16x64xf32>
  }
  return %0 : tensor<16x64xf32>
}

// -----

// Not split: a reduction of 16 tiles, more tiles than half of the multiprocessors, and,
// if it is not asked for, a dynamic number of rows.

// CHECK-LABEL: func.func @short
// CHECK-NOT: split_k
// CHECK: blocks in (%c1, %c1, %c1)
// FIVE-LABEL: func.func @short
// FIVE: blocks in (%c1, %c4, %c1)
func.func @short(%x: tensor<16x1024xbf16>, %w: tensor<1024x128xbf16>) -> tensor<16x128xf32> {
  %0 = norm.fusion (%a = %x : tensor<16x1024xbf16>, %b = %w : tensor<1024x128xbf16>) -> (tensor<16x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<16x128xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<16x1024xbf16>, tensor<1024x128xbf16>)
                       outs(%2 : tensor<16x128xf32>) -> tensor<16x128xf32>
    norm.yield %3 : tensor<16x128xf32>
  }
  return %0 : tensor<16x128xf32>
}

// CHECK-LABEL: func.func @wide
// CHECK-NOT: split_k
// CHECK: blocks in (%c55, %c1, %c1)
func.func @wide(%x: tensor<16x4096xbf16>, %w: tensor<4096x7040xbf16>) -> tensor<16x7040xf32> {
  %0 = norm.fusion (%a = %x : tensor<16x4096xbf16>, %b = %w : tensor<4096x7040xbf16>) -> (tensor<16x7040xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<16x7040xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<16x7040xf32>) -> tensor<16x7040xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<16x4096xbf16>, tensor<4096x7040xbf16>)
                       outs(%2 : tensor<16x7040xf32>) -> tensor<16x7040xf32>
    norm.yield %3 : tensor<16x7040xf32>
  }
  return %0 : tensor<16x7040xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: split_k
// FIVE-LABEL: func.func @dynamic
// FIVE-SAME: %[[X:.*]]: tensor<?x4096xbf16>
// FIVE: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// FIVE: memref.alloc(%[[ROWS]]) : memref<?x128xf32>
// FIVE: memref.alloc(%[[ROWS]]) : memref<5x?x128xf32>
// FIVE: %[[TILES:.*]] = arith.ceildivui %[[ROWS]], %c128
// FIVE: scf.if
// FIVE-NEXT: gpu.launch_func @dynamic_kernel_0_split_k::@dynamic_kernel_0_split_k blocks in (%[[TILES]], %c5, %c1) threads in (%c128, %c1, %c1)
// FIVE: %[[SMALL:.*]] = arith.ceildivui %[[ROWS]], %c16
// FIVE: scf.if
// FIVE-NEXT: gpu.launch_func @dynamic_kernel_0::@dynamic_kernel_0 blocks in (%[[SMALL]], %c1, %c1) threads in (%c128, %c1, %c1)
func.func @dynamic(%x: tensor<?x4096xbf16>, %w: tensor<4096x128xbf16>) -> tensor<?x128xf32> {
  %0 = norm.fusion (%a = %x : tensor<?x4096xbf16>, %b = %w : tensor<4096x128xbf16>) -> (tensor<?x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %m = tensor.dim %a, %c0 : tensor<?x4096xbf16>
    %1 = tensor.empty(%m) : tensor<?x128xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<?x4096xbf16>, tensor<4096x128xbf16>)
                       outs(%2 : tensor<?x128xf32>) -> tensor<?x128xf32>
    norm.yield %3 : tensor<?x128xf32>
  }
  return %0 : tensor<?x128xf32>
}
