// RUN: renorm-opt %s --convert-norm-to-gpu=split-k=1 --canonicalize --cse --split-input-file | FileCheck %s
// RUN: renorm-opt %s --convert-norm-to-gpu="f32-precision=tf32 split-k=1" --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=TF32

// Each layer of a kernel, in the order in which it runs. 5 rows of 2 tiles.

// CHECK-LABEL: func.func @layers
// CHECK: gpu.launch_func @layers_kernel_0::@layers_kernel_0 blocks in (%c10, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %c50176_i32
// CHECK-LABEL: gpu.func @layers_kernel_0

// The scheduler: eight rows of tiles at a time, fewer at the end.
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[GROUP:.*]] = arith.divui %[[BLOCK]], %c16 : index
// CHECK: %[[IN_GROUP:.*]] = arith.remui %[[BLOCK]], %c16 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %c8 : index
// CHECK: %[[LEFT:.*]] = arith.subi %c5, %[[FIRST]] : index
// CHECK: %[[HEIGHT:.*]] = arith.minui %[[LEFT]], %c8 : index
// CHECK: arith.remui %[[IN_GROUP]], %[[HEIGHT]] : index
// CHECK: arith.divui %[[IN_GROUP]], %[[HEIGHT]] : index

// The loaders: 4 chunks of each tile a thread, two tiles before the loop. The
// reduction ends in a tile: what is behind its end is zero.
// CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-8: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: nvvm.cp.async.commit.group

// The pipeline: 313 tiles of 32.
// CHECK: scf.for %[[TILE:.*]] = %c0 to %c313 step %c1
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK: scf.if
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: nvvm.cp.async.commit.group

// The core: the weight is transposed while it is read.
// CHECK-COUNT-4: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-COUNT-4: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-COUNT-32: nvvm.mma.sync {{.*}}#nvvm.mma_type<bf16>{{.*}}#nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-COUNT-8: nvvm.ldmatrix
// CHECK-COUNT-32: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield

// The epilogue, two columns at a time.
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xbf16>
// CHECK: arith.addf %{{.*}}, %{{.*}} : bf16

// The store.
// CHECK-COUNT-64: llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xbf16>, !llvm.ptr<1>

// The statistics of 8 rows: over the four lanes, then over two warps.
// CHECK-COUNT-16: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: gpu.return
func.func @layers(%x: tensor<600x10000xbf16>, %w: tensor<10000x256xbf16>, %r: tensor<600x256xbf16>)
    -> (tensor<600x256xbf16>, tensor<600x2xf32>) {
  %0:2 = norm.fusion strategies = [two_kernel_stats]
      (%a = %x : tensor<600x10000xbf16>, %b = %w : tensor<10000x256xbf16>, %skip = %r : tensor<600x256xbf16>)
      -> (tensor<600x256xbf16>, tensor<600x2xf32>) {
    %zero = arith.constant 0.0 : bf16
    %1 = tensor.empty() : tensor<600x256xbf16>
    %2 = linalg.fill ins(%zero : bf16) outs(%1 : tensor<600x256xbf16>) -> tensor<600x256xbf16>
    %3 = linalg.matmul ins(%a, %b : tensor<600x10000xbf16>, tensor<10000x256xbf16>)
                       outs(%2 : tensor<600x256xbf16>) -> tensor<600x256xbf16>
    %4 = norm.residual_add %skip, %3 : tensor<600x256xbf16>
    %5 = norm.row_stats rms %4 group_size = 128 : tensor<600x256xbf16>
    norm.yield %4, %5 : tensor<600x256xbf16>, tensor<600x2xf32>
  }
  return %0#0, %0#1 : tensor<600x256xbf16>, tensor<600x2xf32>
}

// -----

// A transposed weight is read as it lies; the whole row needs a block of 8 warps. The
// loads of f16 have no end to look at.

// CHECK-LABEL: func.func @whole_row
// CHECK: gpu.launch_func {{.*}} threads in (%c256,
// CHECK-LABEL: gpu.func @whole_row_kernel_0
// CHECK-COUNT-6: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: layout = #nvvm.mma_layout<col>, num
// CHECK: nvvm.mma.sync {{.*}} (vector<2xf16>, vector<2xf16>, f32)
func.func @whole_row(%x: tensor<128x512xf16>, %w: tensor<256x512xf16>) -> tensor<128x256xf16> {
  %0 = norm.fusion (%a = %x : tensor<128x512xf16>, %b = %w : tensor<256x512xf16>) -> (tensor<128x256xf16>) {
    %zero = arith.constant 0.0 : f16
    %t = tensor.empty() : tensor<512x256xf16>
    %transposed = linalg.transpose ins(%b : tensor<256x512xf16>) outs(%t : tensor<512x256xf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<128x256xf16>
    %2 = linalg.fill ins(%zero : f16) outs(%1 : tensor<128x256xf16>) -> tensor<128x256xf16>
    %3 = linalg.matmul ins(%a, %transposed : tensor<128x512xf16>, tensor<512x256xf16>)
                       outs(%2 : tensor<128x256xf16>) -> tensor<128x256xf16>
    %4 = norm.rms_norm %3 epsilon = 1.0e-05 : tensor<128x256xf16>
    norm.yield %4 : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// A prologue: statistics are merged before the loop, one row a thread; in it, the
// left-hand side is loaded, normalized and stored by its thread.

// CHECK-LABEL: gpu.func @prologue_kernel_0
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: nvvm.mma.sync
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<3>
// CHECK: scf.yield
func.func @prologue(%x: tensor<128x512xbf16>, %s: tensor<128x4xf32>, %w: tensor<512x128xbf16>) -> tensor<128x128xf32> {
  %0 = norm.fusion strategies = [two_kernel_stats]
      (%a = %x : tensor<128x512xbf16>, %p = %s : tensor<128x4xf32>, %b = %w : tensor<512x128xbf16>)
      -> (tensor<128x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %m = norm.merge_stats rms %p group_size = 128 extent = 512 : tensor<128x4xf32>
    %n = norm.apply_stats rms %a stats(%m : tensor<128xf32>) epsilon = 1.0e-05
           : tensor<128x512xbf16> -> tensor<128x512xbf16>
    %1 = tensor.empty() : tensor<128x128xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %3 = linalg.matmul ins(%n, %b : tensor<128x512xbf16>, tensor<512x128xbf16>)
                       outs(%2 : tensor<128x128xf32>) -> tensor<128x128xf32>
    norm.yield %3 : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// Few rows: one tile of 16, whose 9 copies are of 128 bytes along the reduction. A
// dynamic number of rows has the tiles of many.

// CHECK-LABEL: func.func @decode
// CHECK: gpu.launch_func @decode_kernel_0::@decode_kernel_0 blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %c55296_i32
// CHECK-LABEL: gpu.func @decode_kernel_0
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-COUNT-18: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return
func.func @decode(%x: tensor<16x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<16x512xf32> {
  %0 = norm.fusion (%a = %x : tensor<16x512xbf16>, %b = %w : tensor<512x512xbf16>) -> (tensor<16x512xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<16x512xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<16x512xf32>) -> tensor<16x512xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<16x512xbf16>, tensor<512x512xbf16>)
                       outs(%2 : tensor<16x512xf32>) -> tensor<16x512xf32>
    norm.yield %3 : tensor<16x512xf32>
  }
  return %0 : tensor<16x512xf32>
}

// CHECK-LABEL: gpu.func @rows_32_kernel_0
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-COUNT-10: nvvm.cp.async.shared.global
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
func.func @rows_32(%x: tensor<17x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<17x512xf32> {
  %0 = norm.fusion (%a = %x : tensor<17x512xbf16>, %b = %w : tensor<512x512xbf16>) -> (tensor<17x512xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<17x512xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<17x512xf32>) -> tensor<17x512xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<17x512xbf16>, tensor<512x512xbf16>)
                       outs(%2 : tensor<17x512xf32>) -> tensor<17x512xf32>
    norm.yield %3 : tensor<17x512xf32>
  }
  return %0 : tensor<17x512xf32>
}

// 64 rows of 128 columns, or of the 256 that are normalized.

// CHECK-LABEL: gpu.func @rows_64_kernel_0
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-COUNT-10: nvvm.cp.async.shared.global
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1
// CHECK-COUNT-32: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-LABEL: gpu.func @rows_64_kernel_1
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-COUNT-12: nvvm.cp.async.shared.global
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1
// CHECK-COUNT-32: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
func.func @rows_64(%x: tensor<33x512xbf16>, %w: tensor<512x256xbf16>) -> (tensor<33x256xf32>, tensor<33x256xf32>) {
  %0 = norm.fusion (%a = %x : tensor<33x512xbf16>, %b = %w : tensor<512x256xbf16>) -> (tensor<33x256xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<33x256xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<33x256xf32>) -> tensor<33x256xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<33x512xbf16>, tensor<512x256xbf16>)
                       outs(%2 : tensor<33x256xf32>) -> tensor<33x256xf32>
    %4 = norm.rms_norm %3 epsilon = 1.0e-05 : tensor<33x256xf32>
    norm.yield %4 : tensor<33x256xf32>
  }
  %1 = norm.fusion (%a = %x : tensor<33x512xbf16>, %b = %w : tensor<512x256xbf16>) -> (tensor<33x256xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<33x256xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<33x256xf32>) -> tensor<33x256xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<33x512xbf16>, tensor<512x256xbf16>)
                       outs(%2 : tensor<33x256xf32>) -> tensor<33x256xf32>
    norm.yield %3 : tensor<33x256xf32>
  }
  return %0, %1 : tensor<33x256xf32>, tensor<33x256xf32>
}

// CHECK-LABEL: gpu.func @dynamic_rows_kernel_0
// CHECK-NOT: minctasm
// CHECK-COUNT-64: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
func.func @dynamic_rows(%x: tensor<?x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<?x512xf32> {
  %0 = norm.fusion (%a = %x : tensor<?x512xbf16>, %b = %w : tensor<512x512xbf16>) -> (tensor<?x512xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %m = tensor.dim %a, %c0 : tensor<?x512xbf16>
    %1 = tensor.empty(%m) : tensor<?x512xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<?x512xf32>) -> tensor<?x512xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<?x512xbf16>, tensor<512x512xbf16>)
                       outs(%2 : tensor<?x512xf32>) -> tensor<?x512xf32>
    norm.yield %3 : tensor<?x512xf32>
  }
  return %0 : tensor<?x512xf32>
}

// -----

// f32 without tensor cores, unless it may be rounded to tf32: a product takes 8 of the
// 16 along the reduction. The weight can't be transposed while it is loaded:
// its rows are permuted so that the same two chunks of four rows lie in different banks.

// TF32-LABEL: gpu.func @whole_row_kernel_0
// TF32-NOT: tf32
// TF32-LABEL: gpu.func @exact_kernel_0
// TF32: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// TF32: %[[TWICE:.*]] = arith.muli %{{.*}}, %c2 : index
// TF32-NEXT: %[[BITS:.*]] = arith.remui %[[TWICE]], %c8 : index
// TF32-NEXT: arith.xori %{{.*}}, %[[BITS]] : index
// TF32: scf.for %{{.*}} = %c0 to %c4 step %c1
// TF32-COUNT-4: nvvm.ldmatrix %{{.*}}num = 4 : i32
// TF32-NOT: nvvm.ldmatrix
// TF32-COUNT-32: nvvm.mma.sync {{.*}}#nvvm.mma_type<tf32>{{.*}}#nvvm.shape<m = 16, n = 8, k = 8>
// TF32-COUNT-4: nvvm.ldmatrix
// TF32-COUNT-32: nvvm.mma.sync
// TF32-NOT: nvvm.mma.sync
// TF32-NOT: llvm.intr.fma
// TF32: gpu.return

// CHECK-LABEL: gpu.func @exact_kernel_0
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-128: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
func.func @exact(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %0 = norm.fusion (%a = %x : tensor<128x64xf32>, %b = %w : tensor<64x128xf32>) -> (tensor<128x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<128x128xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x128xf32>)
                       outs(%2 : tensor<128x128xf32>) -> tensor<128x128xf32>
    norm.yield %3 : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// Of each of a thread's 8 rows, 16 elements go through shared memory in pairs; nobody overwrites what is still read.
// CHECK-LABEL: gpu.func @rotary_kernel_0
// CHECK: nvvm.mma.sync
// CHECK: gpu.barrier
// CHECK: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<3>
// CHECK-COUNT-7: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<3>
// CHECK-NEXT: gpu.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> bf16
// CHECK-COUNT-16: arith.select %{{.*}} : bf16
// CHECK-NOT: arith.select
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<1>
// CHECK: gpu.barrier
// CHECK-NEXT: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<3>
// CHECK-COUNT-7: llvm.store %{{.*}} : vector<2xbf16>, !llvm.ptr<3>
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-12: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @rotary(%x: tensor<128x64xbf16>, %w: tensor<64x128xbf16>, %init: tensor<128x128xbf16>) -> tensor<128x128xbf16> {
  %0 = norm.fusion (%a = %x : tensor<128x64xbf16>, %b = %w : tensor<64x128xbf16>, %i = %init : tensor<128x128xbf16>) -> (tensor<128x128xbf16>) {
    %1 = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%i : tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %2 = tensor.extract_slice %1[0, 0] [128, 64] [1, 1] : tensor<128x128xbf16> to tensor<128x64xbf16>
    %3 = tensor.extract_slice %1[0, 64] [128, 64] [1, 1] : tensor<128x128xbf16> to tensor<128x64xbf16>
    %4 = tensor.concat dim(1) %3, %2 : (tensor<128x64xbf16>, tensor<128x64xbf16>) -> tensor<128x128xbf16>
    %5 = norm.residual_add %1, %4 : tensor<128x128xbf16>
    norm.yield %5 : tensor<128x128xbf16>
  }
  return %0 : tensor<128x128xbf16>
}

// -----

// Heads of 96 columns lie 128 apart, one in each tile; which head and which of its columns a place has is not divided
// again. 32 columns of a warp are none.
// CHECK-LABEL: func.func @padded_heads
// CHECK: gpu.launch_func @padded_heads_kernel_0::@padded_heads_kernel_0 blocks in (%c2, %c1, %c1)
// CHECK-LABEL: gpu.func @padded_heads_kernel_0
// CHECK: nvvm.mma.sync
// CHECK: arith.minui %{{.*}}, %c1 : index
// CHECK: arith.minui %{{.*}}, %c94 : index
// CHECK: arith.cmpi ult, %{{.*}}, %c256 : index
// CHECK: arith.cmpi ult, %{{.*}}, %c96 : index
// CHECK-NOT: arith.{{(div|rem)ui}} %{{.*}}, %c96 : index
// CHECK: gpu.shuffle
// CHECK-NOT: arith.{{(div|rem)ui}} %{{.*}}, %c96 : index
// CHECK: gpu.return
func.func @padded_heads(%x: tensor<128x64xbf16>, %w: tensor<192x64xbf16>, %init: tensor<128x192xbf16>) -> tensor<128x2x96xbf16> {
  %0 = norm.fusion strategies = [grouped_rows] (%a = %x : tensor<128x64xbf16>, %b = %w : tensor<192x64xbf16>, %i = %init : tensor<128x192xbf16>) -> (tensor<128x2x96xbf16>) {
    %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
           ins(%a, %b : tensor<128x64xbf16>, tensor<192x64xbf16>) outs(%i : tensor<128x192xbf16>) -> tensor<128x192xbf16>
    %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [128, 2, 96] : tensor<128x192xbf16> into tensor<128x2x96xbf16>
    %3 = norm.rms_norm %2 epsilon = 1.0e-06 : tensor<128x2x96xbf16>
    norm.yield %3 : tensor<128x2x96xbf16>
  }
  return %0 : tensor<128x2x96xbf16>
}
