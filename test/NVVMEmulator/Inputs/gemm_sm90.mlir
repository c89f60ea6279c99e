// D[M, N] = A[M, K] * B[N, K]^T in bf16, for sm_90a. A block computes 64x64 over K in tiles of 64. Its first warpgroup
// fetches: one thread copies tiles of A and B, 8 KiB each, by TMA into one of three stages. Its second one multiplies, by
// wgmma, and frees a stage when the wgmma after that which reads it has begun. What is outside of the tensors is zero,
// and isn't stored.
!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
gpu.module @kernels {
  llvm.mlir.global external @stages() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // Three that tell that a stage is full, and three that it is empty.
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<6 x i64>
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4096 x bf16>

  // Two neighbours of the tile, in bf16.
  func.func private @store_pair(%x: f32, %y: f32, %tile: !llvm.ptr<3>, %first_row: i32, %first_column: i32, %down: i32,
                                %right: i32) {
    %c64 = arith.constant 64 : i32
    %row = arith.addi %first_row, %down : i32
    %column = arith.addi %first_column, %right : i32
    %begin = arith.muli %row, %c64 : i32
    %place = arith.addi %begin, %column : i32
    %at = llvm.getelementptr %tile[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, bf16
    %wide = vector.from_elements %x, %y : vector<2xf32>
    %narrow = arith.truncf %wide : vector<2xf32> to vector<2xbf16>
    llvm.store %narrow, %at {alignment = 4 : i64} : vector<2xbf16>, !llvm.ptr<3>
    return
  }

  llvm.func @gemm(%a: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
                  %b: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
                  %d: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
                  %k: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c6 = arith.constant 6 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c31 = arith.constant 31 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32
    %c8192 = arith.constant 8192 : i32
    %c16384 = arith.constant 16384 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %m0 = arith.muli %by, %c64 : i32
    %n0 = arith.muli %bx, %c64 : i32
    %rounded_k = arith.addi %k, %c63 : i32
    %tiles = arith.shrui %rounded_k, %c6 : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %is_first = arith.cmpi eq, %tid, %c0 : i32
    scf.if %is_first {
      scf.for %i = %c0 to %c6 step %c1 : i32 {
        %at = llvm.getelementptr %barriers[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.init %at, %c1 : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    nvvm.barrier0 // of all, after the barriers are there
    %is_producer = arith.cmpi ult, %tid, %c128 : i32
    scf.if %is_producer {
      nvvm.setmaxregister decrease 40
      scf.if %is_first {
        scf.for %kt = %c0 to %tiles step %c1 : i32 {
          %stage = arith.remui %kt, %c3 : i32
          %round = arith.divui %kt, %c3 : i32
          // The first three stages are empty: the phase before the first counts as complete.
          %round_bit = arith.andi %round, %c1 : i32
          %empty_parity = arith.xori %round_bit, %c1 : i32
          %empty_number = arith.addi %stage, %c3 : i32
          %empty = llvm.getelementptr %barriers[%empty_number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.try_wait.parity %empty, %empty_parity, %c16384 : !llvm.ptr<3>, i32, i32
          %full = llvm.getelementptr %barriers[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.arrive.expect_tx %full, %c16384 : !llvm.ptr<3>, i32
          %offset = arith.muli %stage, %c16384 : i32
          %a_tile = llvm.getelementptr %stages[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %b_tile = llvm.getelementptr %a_tile[%c8192] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %k0 = arith.muli %kt, %c64 : i32
          %a_to = llvm.addrspacecast %a_tile : !llvm.ptr<3> to !llvm.ptr<7>
          %b_to = llvm.addrspacecast %b_tile : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.cp.async.bulk.tensor.shared.cluster.global %a_to, %a, %full, box[%k0, %m0] : !llvm.ptr<7>, !llvm.ptr
          nvvm.cp.async.bulk.tensor.shared.cluster.global %b_to, %b, %full, box[%k0, %n0] : !llvm.ptr<7>, !llvm.ptr
        }
      }
    } else {
      nvvm.setmaxregister increase 232
      %in_group = arith.andi %tid, %c127 : i32
      %is_leader = arith.cmpi eq, %in_group, %c0 : i32
      %stages_at = llvm.ptrtoint %stages : !llvm.ptr<3> to i32
      %none = llvm.mlir.zero : !acc
      %acc = scf.for %kt = %c0 to %tiles step %c1 iter_args(%before = %none) -> (!acc) : i32 {
        %stage = arith.remui %kt, %c3 : i32
        %round = arith.divui %kt, %c3 : i32
        %full_parity = arith.andi %round, %c1 : i32
        %full = llvm.getelementptr %barriers[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.try_wait.parity %full, %full_parity, %c16384 : !llvm.ptr<3>, i32, i32
        // Descriptors: 128-byte swizzle, 1024 bytes between groups of eight rows.
        %offset = arith.muli %stage, %c16384 : i32
        %a_at = arith.addi %stages_at, %offset : i32
        %b_at = arith.addi %a_at, %c8192 : i32
        %low_bits = arith.constant 0x3fff : i32
        %layout = llvm.mlir.constant(4611686293305360384 : i64) : i64
        %a_16 = arith.shrui %a_at, %c4 : i32
        %b_16 = arith.shrui %b_at, %c4 : i32
        %a_low = arith.andi %a_16, %low_bits : i32
        %b_low = arith.andi %b_16, %low_bits : i32
        %a_wide = arith.extui %a_low : i32 to i64
        %b_wide = arith.extui %b_low : i32 to i64
        %a_first = arith.ori %a_wide, %layout : i64
        %b_first = arith.ori %b_wide, %layout : i64
        nvvm.wgmma.fence.aligned
        %sum = scf.for %kk = %c0 to %c4 step %c1 iter_args(%partial = %before) -> (!acc) : i32 {
          // 16 of K are 32 bytes.
          %twice = arith.muli %kk, %c2 : i32
          %step = arith.extui %twice : i32 to i64
          %a_desc = arith.addi %a_first, %step : i64
          %b_desc = arith.addi %b_first, %step : i64
          %next = nvvm.wgmma.mma_async %a_desc, %b_desc, %partial, #nvvm.shape<m = 64, n = 64, k = 16>, D[<f32>, #nvvm.wgmma_scale_out<one>], A[<bf16>, #nvvm.wgmma_scale_in<one>, <row>], B[<bf16>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
          scf.yield %next : !acc
        }
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 1
        // So the stage of the tile before is read.
        %is_later = arith.cmpi ne, %kt, %c0 : i32
        %frees = arith.andi %is_leader, %is_later : i1
        scf.if %frees {
          %freed = arith.subi %kt, %c1 : i32
          %freed_stage = arith.remui %freed, %c3 : i32
          %empty_number = arith.addi %freed_stage, %c3 : i32
          %empty = llvm.getelementptr %barriers[%empty_number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %state = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        }
        scf.yield %sum : !acc
      }
      nvvm.wgmma.wait.group.sync.aligned 0

      // Two numbers beside each other, for each row of the lane and eight columns; then the tile by TMA.
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %warp = arith.shrui %in_group, %c5 : i32
      %lane = arith.andi %tid, %c31 : i32
      %group = arith.shrui %lane, %c2 : i32
      %member = arith.andi %lane, %c3 : i32
      %warp_row = arith.muli %warp, %c16 : i32
      %first_row = arith.addi %warp_row, %group : i32
      %first_column = arith.muli %member, %c2 : i32
      %r0 = arith.constant 0 : i32
      %r1 = arith.constant 8 : i32
      %c0x8 = arith.constant 0 : i32
      %c1x8 = arith.constant 8 : i32
      %c2x8 = arith.constant 16 : i32
      %c3x8 = arith.constant 24 : i32
      %c4x8 = arith.constant 32 : i32
      %c5x8 = arith.constant 40 : i32
      %c6x8 = arith.constant 48 : i32
      %c7x8 = arith.constant 56 : i32
      %x0 = llvm.extractvalue %acc[0] : !acc
      %x1 = llvm.extractvalue %acc[1] : !acc
      func.call @store_pair(%x0, %x1, %tile, %first_row, %first_column, %r0, %c0x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x2 = llvm.extractvalue %acc[2] : !acc
      %x3 = llvm.extractvalue %acc[3] : !acc
      func.call @store_pair(%x2, %x3, %tile, %first_row, %first_column, %r1, %c0x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x4 = llvm.extractvalue %acc[4] : !acc
      %x5 = llvm.extractvalue %acc[5] : !acc
      func.call @store_pair(%x4, %x5, %tile, %first_row, %first_column, %r0, %c1x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x6 = llvm.extractvalue %acc[6] : !acc
      %x7 = llvm.extractvalue %acc[7] : !acc
      func.call @store_pair(%x6, %x7, %tile, %first_row, %first_column, %r1, %c1x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x8 = llvm.extractvalue %acc[8] : !acc
      %x9 = llvm.extractvalue %acc[9] : !acc
      func.call @store_pair(%x8, %x9, %tile, %first_row, %first_column, %r0, %c2x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x10 = llvm.extractvalue %acc[10] : !acc
      %x11 = llvm.extractvalue %acc[11] : !acc
      func.call @store_pair(%x10, %x11, %tile, %first_row, %first_column, %r1, %c2x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x12 = llvm.extractvalue %acc[12] : !acc
      %x13 = llvm.extractvalue %acc[13] : !acc
      func.call @store_pair(%x12, %x13, %tile, %first_row, %first_column, %r0, %c3x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x14 = llvm.extractvalue %acc[14] : !acc
      %x15 = llvm.extractvalue %acc[15] : !acc
      func.call @store_pair(%x14, %x15, %tile, %first_row, %first_column, %r1, %c3x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x16 = llvm.extractvalue %acc[16] : !acc
      %x17 = llvm.extractvalue %acc[17] : !acc
      func.call @store_pair(%x16, %x17, %tile, %first_row, %first_column, %r0, %c4x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x18 = llvm.extractvalue %acc[18] : !acc
      %x19 = llvm.extractvalue %acc[19] : !acc
      func.call @store_pair(%x18, %x19, %tile, %first_row, %first_column, %r1, %c4x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x20 = llvm.extractvalue %acc[20] : !acc
      %x21 = llvm.extractvalue %acc[21] : !acc
      func.call @store_pair(%x20, %x21, %tile, %first_row, %first_column, %r0, %c5x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x22 = llvm.extractvalue %acc[22] : !acc
      %x23 = llvm.extractvalue %acc[23] : !acc
      func.call @store_pair(%x22, %x23, %tile, %first_row, %first_column, %r1, %c5x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x24 = llvm.extractvalue %acc[24] : !acc
      %x25 = llvm.extractvalue %acc[25] : !acc
      func.call @store_pair(%x24, %x25, %tile, %first_row, %first_column, %r0, %c6x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x26 = llvm.extractvalue %acc[26] : !acc
      %x27 = llvm.extractvalue %acc[27] : !acc
      func.call @store_pair(%x26, %x27, %tile, %first_row, %first_column, %r1, %c6x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x28 = llvm.extractvalue %acc[28] : !acc
      %x29 = llvm.extractvalue %acc[29] : !acc
      func.call @store_pair(%x28, %x29, %tile, %first_row, %first_column, %r0, %c7x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %x30 = llvm.extractvalue %acc[30] : !acc
      %x31 = llvm.extractvalue %acc[31] : !acc
      func.call @store_pair(%x30, %x31, %tile, %first_row, %first_column, %r1, %c7x8) : (f32, f32, !llvm.ptr<3>, i32, i32, i32, i32) -> ()
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier id = %c1 number_of_threads = %c128 // of those that multiply
      scf.if %is_leader {
        nvvm.cp.async.bulk.tensor.global.shared.cta %d, %tile, box[%n0, %m0] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0
      }
    }
    llvm.return
  }
}
