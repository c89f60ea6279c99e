// RUN: renorm-opt %s --convert-norm-to-gpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: renorm-opt %s --convert-norm-to-gpu --canonicalize --cse --split-input-file > %t.once
// RUN: renorm-opt %t.once --convert-norm-to-gpu --canonicalize --cse --split-input-file | diff %t.once -

// A warp for each row of 2 chunks of 16 bytes a lane, of which the second can end
// outside; as many blocks as there are rows, and no launch without rows.

// CHECK-LABEL: func.func @rms
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[ROWS:.*]] = tensor.dim %{{.*}}, %[[C0]] : tensor<?x320xbf16>
// CHECK: %[[X:.*]] = bufferization.to_buffer %arg0 read_only : tensor<?x320xbf16> to memref<?x320xbf16>
// CHECK: %[[FIRST:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [], strides: [] : memref<?x320xbf16> to memref<bf16>
// CHECK: %[[OUT:.*]] = memref.alloc(%[[ROWS]]) : memref<?x320xbf16>
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[ROWS]], %[[C4]] : index
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BLOCKS]], %[[C0]] : index
// CHECK: scf.if %[[ANY]] {
// CHECK: gpu.launch_func @rms_kernel_0::@rms_kernel_0 blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c128, %c1, %c1) args(%[[FIRST]] : memref<bf16>, %{{.*}} : memref<bf16>, %{{.*}} : memref<bf16>, %[[ROWS]] : index)
// CHECK: bufferization.to_tensor %[[OUT]] restrict
// CHECK-LABEL: gpu.func @rms_kernel_0
// CHECK-SAME: %[[M:[^ :]*]]: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK: arith.minui
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-NOT: llvm.load
// CHECK: scf.if
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
func.func @rms(%x: tensor<?x320xbf16>, %g: tensor<320xbf16>) -> tensor<?x320xbf16> {
  %0 = norm.fusion strategies = [row_kernel]
      (%a = %x : tensor<?x320xbf16>, %s = %g : tensor<320xbf16>) -> (tensor<?x320xbf16>) {
    %1 = norm.rms_norm %a scale(%s : tensor<320xbf16>) epsilon = 1.0e-06 : tensor<?x320xbf16>
    norm.yield %1 : tensor<?x320xbf16>
  }
  return %0 : tensor<?x320xbf16>
}

// -----

// Two warps for each row: the sums of both pass through shared memory, three of
// them (mean, its rest, variance). A group with a name that is taken.

// CHECK-LABEL: func.func @add_layer
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func @add_layer_kernel_1::@add_layer_kernel_1 blocks in (%c10, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size
// CHECK-LABEL: gpu.module @add_layer_kernel_0
// CHECK-LABEL: gpu.module @add_layer_kernel_1
// CHECK: llvm.mlir.global external @shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @add_layer(%x: tensor<2x5x1600xf32>, %r: tensor<2x5x1600xf32>, %g: tensor<1600xf32>)
    -> (tensor<2x5x1600xf32>, tensor<2x5x1600xf32>) {
  %0:2 = norm.fusion (%a = %x : tensor<2x5x1600xf32>, %b = %r : tensor<2x5x1600xf32>, %s = %g : tensor<1600xf32>)
      -> (tensor<2x5x1600xf32>, tensor<2x5x1600xf32>) {
    %1 = norm.residual_add %a, %b : tensor<2x5x1600xf32>
    %2 = norm.layer_norm %1 scale(%s : tensor<1600xf32>) epsilon = 1.0e-06 : tensor<2x5x1600xf32>
    norm.yield %1, %2 : tensor<2x5x1600xf32>, tensor<2x5x1600xf32>
  }
  return %0#0, %0#1 : tensor<2x5x1600xf32>, tensor<2x5x1600xf32>
}
gpu.module @add_layer_kernel_0 {
}

// -----

// Heads as rows, eight lanes for each; no rows, no launch; nothing to load but
// single elements where a row has an odd number of them.

// CHECK-LABEL: func.func @others
// CHECK: gpu.launch_func @others_kernel_0::@others_kernel_0 blocks in (%c9,
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: gpu.func @others_kernel_0
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @others_kernel_1
// CHECK-NOT: vector<
// CHECK: gpu.return
func.func @others(%x: tensor<6x3x8x64xf16>, %y: tensor<0x33xf16>) -> (tensor<6x3x8x64xf16>, tensor<0x33xf16>) {
  %0 = norm.fusion (%a = %x : tensor<6x3x8x64xf16>) -> (tensor<6x3x8x64xf16>) {
    %2 = norm.l2_norm %a epsilon = 1.0e-06 : tensor<6x3x8x64xf16>
    norm.yield %2 : tensor<6x3x8x64xf16>
  }
  %1 = norm.fusion (%a = %y : tensor<0x33xf16>) -> (tensor<0x33xf16>) {
    %2 = norm.rms_norm %a epsilon = 1.0e-06 : tensor<0x33xf16>
    norm.yield %2 : tensor<0x33xf16>
  }
  return %0, %1 : tensor<6x3x8x64xf16>, tensor<0x33xf16>
}
