// D[M, N] = A[M, K] * B[K, N] in bf16, and S[M, tiles of N] the sums of the squares of the rows of each tile, for sm_80.
// A block computes 64x64 in four warps of 32x32, over K in tiles of 32 with three stages of cp.async. K and N are
// multiples of 8; what is outside of A and B is filled with zeros.
//
// A stage has A's tile, 64 rows of four chunks of 16 bytes, and 4 KiB behind it B's, 32 rows of eight. To keep ldmatrix
// free of bank conflicts, chunk c of row r of A is at c ^ (r / 2 % 4), of B at c ^ (r % 8).
gpu.module @kernels {
  llvm.mlir.global external @stages() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @sums() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<128 x f32>

  // The bytes, at most 16, of a chunk of bf16 that begins at `first` of `extent` in a row that exists or doesn't.
  func.func private @valid_bytes(%first: i32, %extent: i32, %exists: i1) -> i32 {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c16 = arith.constant 16 : i32
    %left = arith.subi %extent, %first : i32
    %bytes = arith.muli %left, %c2 : i32
    %at_most = arith.minsi %bytes, %c16 : i32
    %at_least = arith.maxsi %at_most, %c0 : i32
    %valid = arith.select %exists, %at_least, %c0 : i32
    return %valid : i32
  }

  // Copies a chunk of which `bytes` are in the matrix, and zeros for the others. Without any, the address is unused.
  func.func private @copy(%to: !llvm.ptr<3>, %base: !llvm.ptr<1>, %row: i32, %column: i32, %pitch: i32, %bytes: i32) {
    %c0 = arith.constant 0 : i64
    %none = arith.constant 0 : i32
    %row64 = arith.extsi %row : i32 to i64
    %column64 = arith.extsi %column : i32 to i64
    %pitch64 = arith.extsi %pitch : i32 to i64
    %begin = arith.muli %row64, %pitch64 : i64
    %inside = arith.addi %begin, %column64 : i64
    %is_empty = arith.cmpi eq, %bytes, %none : i32
    %offset = arith.select %is_empty, %c0, %inside : i64
    %from = llvm.getelementptr %base[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
    nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    return
  }

  // Starts the copies of tile `kt` into its stage.
  func.func private @load_tile(%kt: i32, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32, %stage: i32) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c256 = arith.constant 256 : i32
    %c4096 = arith.constant 4096 : i32
    %c8192 = arith.constant 8192 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %m0 = arith.muli %by, %c64 : i32
    %n0 = arith.muli %bx, %c64 : i32
    %k0 = arith.muli %kt, %c32 : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %a_tile = arith.muli %stage, %c8192 : i32
    %b_tile = arith.addi %a_tile, %c4096 : i32
    scf.for %c = %tid to %c256 step %c128 : i32 {
      %row = arith.shrui %c, %c2 : i32
      %chunk = arith.andi %c, %c3 : i32
      %half_row = arith.shrui %row, %c1 : i32
      %xor = arith.andi %half_row, %c3 : i32
      %place = arith.xori %chunk, %xor : i32
      %row_bytes = arith.muli %row, %c64 : i32
      %place_bytes = arith.muli %place, %c16 : i32
      %in_tile = arith.addi %row_bytes, %place_bytes : i32
      %offset = arith.addi %a_tile, %in_tile : i32
      %to = llvm.getelementptr %stages[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %global_row = arith.addi %m0, %row : i32
      %chunk_elements = arith.muli %chunk, %c8 : i32
      %column = arith.addi %k0, %chunk_elements : i32
      %exists = arith.cmpi slt, %global_row, %m : i32
      %bytes = func.call @valid_bytes(%column, %k, %exists) : (i32, i32, i1) -> i32
      func.call @copy(%to, %a, %global_row, %column, %k, %bytes) : (!llvm.ptr<3>, !llvm.ptr<1>, i32, i32, i32, i32) -> ()
    }
    scf.for %c = %tid to %c256 step %c128 : i32 {
      %row = arith.shrui %c, %c3 : i32
      %chunk = arith.andi %c, %c7 : i32
      %xor = arith.andi %row, %c7 : i32
      %place = arith.xori %chunk, %xor : i32
      %row_bytes = arith.muli %row, %c128 : i32
      %place_bytes = arith.muli %place, %c16 : i32
      %in_tile = arith.addi %row_bytes, %place_bytes : i32
      %offset = arith.addi %b_tile, %in_tile : i32
      %to = llvm.getelementptr %stages[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %global_row = arith.addi %k0, %row : i32
      %chunk_elements = arith.muli %chunk, %c8 : i32
      %column = arith.addi %n0, %chunk_elements : i32
      %exists = arith.cmpi slt, %global_row, %k : i32
      %bytes = func.call @valid_bytes(%column, %n, %exists) : (i32, i32, i1) -> i32
      func.call @copy(%to, %b, %global_row, %column, %n, %bytes) : (!llvm.ptr<3>, !llvm.ptr<1>, i32, i32, i32, i32) -> ()
    }
    return
  }

  // Adds the product of the tiles of a stage to the accumulators: [2][4] fragments of 16x8, four numbers of each.
  func.func private @multiply_tile(%stage: i32, %acc: !llvm.ptr) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c15 = arith.constant 15 : i32
    %c16 = arith.constant 16 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c4096 = arith.constant 4096 : i32
    %c8192 = arith.constant 8192 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = arith.andi %tid, %c31 : i32
    %warp = arith.shrui %tid, %c5 : i32
    %warp_m = arith.andi %warp, %c1 : i32
    %warp_n = arith.shrui %warp, %c1 : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %a_tile = arith.muli %stage, %c8192 : i32
    %b_tile = arith.addi %a_tile, %c4096 : i32
    // Lanes 0 to 15 address the rows of the left two 8x8 matrices, the others those of the right two.
    %lane_row = arith.andi %lane, %c15 : i32
    %lane_half = arith.shrui %lane, %c4 : i32
    scf.for %kk = %c0 to %c2 step %c1 : i32 {
      scf.for %mi = %c0 to %c2 step %c1 : i32 {
        %warp_row = arith.muli %warp_m, %c32 : i32
        %mi_row = arith.muli %mi, %c16 : i32
        %first_row = arith.addi %warp_row, %mi_row : i32
        %row = arith.addi %first_row, %lane_row : i32
        %first_chunk = arith.muli %kk, %c2 : i32
        %chunk = arith.addi %first_chunk, %lane_half : i32
        %half_row = arith.shrui %row, %c1 : i32
        %xor = arith.andi %half_row, %c3 : i32
        %place = arith.xori %chunk, %xor : i32
        %row_bytes = arith.muli %row, %c64 : i32
        %place_bytes = arith.muli %place, %c16 : i32
        %in_tile = arith.addi %row_bytes, %place_bytes : i32
        %offset = arith.addi %a_tile, %in_tile : i32
        %from = llvm.getelementptr %stages[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %a = nvvm.ldmatrix %from {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
        %a0 = llvm.extractvalue %a[0] : !llvm.struct<(i32, i32, i32, i32)>
        %a1 = llvm.extractvalue %a[1] : !llvm.struct<(i32, i32, i32, i32)>
        %a2 = llvm.extractvalue %a[2] : !llvm.struct<(i32, i32, i32, i32)>
        %a3 = llvm.extractvalue %a[3] : !llvm.struct<(i32, i32, i32, i32)>
        scf.for %ni = %c0 to %c4 step %c1 : i32 {
          // Two matrices, one below the other; lanes 16 to 31 address nothing new.
          %k_row = arith.muli %kk, %c16 : i32
          %b_row = arith.addi %k_row, %lane_row : i32
          %warp_chunk = arith.muli %warp_n, %c4 : i32
          %b_chunk = arith.addi %warp_chunk, %ni : i32
          %b_xor = arith.andi %b_row, %c7 : i32
          %b_place = arith.xori %b_chunk, %b_xor : i32
          %b_row_bytes = arith.muli %b_row, %c128 : i32
          %b_place_bytes = arith.muli %b_place, %c16 : i32
          %b_in_tile = arith.addi %b_row_bytes, %b_place_bytes : i32
          %b_offset = arith.addi %b_tile, %b_in_tile : i32
          %b_from = llvm.getelementptr %stages[%b_offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %b = nvvm.ldmatrix %b_from {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
          %b0 = llvm.extractvalue %b[0] : !llvm.struct<(i32, i32)>
          %b1 = llvm.extractvalue %b[1] : !llvm.struct<(i32, i32)>
          %mi_fragments = arith.muli %mi, %c4 : i32
          %fragment = arith.addi %mi_fragments, %ni : i32
          %first = arith.muli %fragment, %c4 : i32
          %acc_at = llvm.getelementptr %acc[%first] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %c = llvm.load %acc_at {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
          %e0 = vector.extract %c[0] : f32 from vector<4xf32>
          %e1 = vector.extract %c[1] : f32 from vector<4xf32>
          %e2 = vector.extract %c[2] : f32 from vector<4xf32>
          %e3 = vector.extract %c[3] : f32 from vector<4xf32>
          %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%e0, %e1, %e2, %e3] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
          %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
          %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
          %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>
          %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
          %sum = vector.from_elements %d0, %d1, %d2, %d3 : vector<4xf32>
          llvm.store %sum, %acc_at {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
        }
      }
    }
    return
  }

  gpu.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %s: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %all = arith.constant -1 : i32
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<32xf32>
    %acc = llvm.alloca %c32 x f32 {alignment = 16 : i64} : (i32) -> !llvm.ptr
    llvm.store %zeros, %acc {alignment = 16 : i64} : vector<32xf32>, !llvm.ptr
    %rounded_k = arith.addi %k, %c31 : i32
    %tiles = arith.shrui %rounded_k, %c5 : i32

    // All but one of the stages, some perhaps empty.
    scf.for %kt = %c0 to %c2 step %c1 : i32 {
      %exists = arith.cmpi slt, %kt, %tiles : i32
      scf.if %exists {
        func.call @load_tile(%kt, %a, %b, %m, %n, %k, %kt) : (i32, !llvm.ptr<1>, !llvm.ptr<1>, i32, i32, i32, i32) -> ()
      }
      nvvm.cp.async.commit.group
    }
    scf.for %kt = %c0 to %tiles step %c1 : i32 {
      nvvm.cp.async.wait.group 1
      // Tile kt has come, and nobody reads tile kt - 1, whose stage is the next to fill.
      gpu.barrier
      %stage = arith.remui %kt, %c3 : i32
      %next = arith.addi %kt, %c2 : i32
      %exists = arith.cmpi slt, %next, %tiles : i32
      scf.if %exists {
        %next_stage = arith.remui %next, %c3 : i32
        func.call @load_tile(%next, %a, %b, %m, %n, %k, %next_stage) : (i32, !llvm.ptr<1>, !llvm.ptr<1>, i32, i32, i32, i32) -> ()
      }
      // Empty or not, so that the number of groups tells which tile has come.
      nvvm.cp.async.commit.group // of the next tile
      func.call @multiply_tile(%stage, %acc) : (i32, !llvm.ptr) -> ()
    }

    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %blocks_n = nvvm.read.ptx.sreg.nctaid.x : i32
    %m0 = arith.muli %by, %c64 : i32
    %n0 = arith.muli %bx, %c64 : i32
    %lane = arith.andi %tid, %c31 : i32
    %warp = arith.shrui %tid, %c5 : i32
    %warp_m = arith.andi %warp, %c1 : i32
    %warp_n = arith.shrui %warp, %c1 : i32
    %group = arith.shrui %lane, %c2 : i32
    %in_group = arith.andi %lane, %c3 : i32
    %sums = llvm.mlir.addressof @sums : !llvm.ptr<3>
    // The four rows of a lane, eight apart.
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %warp_row = arith.muli %warp_m, %c32 : i32
      %i_row = arith.muli %i, %c8 : i32
      %first_row = arith.addi %warp_row, %i_row : i32
      %tile_row = arith.addi %first_row, %group : i32
      %row = arith.addi %m0, %tile_row : i32
      %squares = scf.for %ni = %c0 to %c4 step %c1 iter_args(%partial = %zero) -> (f32) : i32 {
        // Fragment [i / 2][ni], whose second half has the second row.
        %mi = arith.shrui %i, %c1 : i32
        %half = arith.andi %i, %c1 : i32
        %mi_fragments = arith.muli %mi, %c4 : i32
        %fragment = arith.addi %mi_fragments, %ni : i32
        %fragment_first = arith.muli %fragment, %c4 : i32
        %half_first = arith.muli %half, %c2 : i32
        %first = arith.addi %fragment_first, %half_first : i32
        %at = llvm.getelementptr %acc[%first] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %pair = llvm.load %at {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
        %x0 = vector.extract %pair[0] : f32 from vector<2xf32>
        %x1 = vector.extract %pair[1] : f32 from vector<2xf32>
        %one = math.fma %x0, %x0, %partial : f32
        %two = math.fma %x1, %x1, %one : f32
        %warp_column = arith.muli %warp_n, %c32 : i32
        %ni_column = arith.muli %ni, %c8 : i32
        %pair_column = arith.muli %in_group, %c2 : i32
        %t0 = arith.addi %warp_column, %ni_column : i32
        %t1 = arith.addi %t0, %pair_column : i32
        %column = arith.addi %n0, %t1 : i32
        %row_exists = arith.cmpi slt, %row, %m : i32
        %column_exists = arith.cmpi slt, %column, %n : i32
        %exists = arith.andi %row_exists, %column_exists : i1
        scf.if %exists {
          %row64 = arith.extsi %row : i32 to i64
          %n64 = arith.extsi %n : i32 to i64
          %column64 = arith.extsi %column : i32 to i64
          %begin = arith.muli %row64, %n64 : i64
          %offset = arith.addi %begin, %column64 : i64
          %to = llvm.getelementptr %d[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
          %narrow = arith.truncf %pair : vector<2xf32> to vector<2xbf16>
          llvm.store %narrow, %to {alignment = 4 : i64} : vector<2xbf16>, !llvm.ptr<1>
        }
        scf.yield %two : f32
      }
      %from1 = nvvm.shfl.sync bfly %all, %squares, %c1, %c31 : f32 -> f32
      %pairs = arith.addf %squares, %from1 : f32
      %from2 = nvvm.shfl.sync bfly %all, %pairs, %c2, %c31 : f32 -> f32
      %quads = arith.addf %pairs, %from2 : f32
      %writes = arith.cmpi eq, %in_group, %c0 : i32
      scf.if %writes {
        %half_tile = arith.muli %warp_n, %c64 : i32
        %place = arith.addi %half_tile, %tile_row : i32
        %to = llvm.getelementptr %sums[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        llvm.store %quads, %to : f32, !llvm.ptr<3>
      }
    }
    gpu.barrier // for the sums
    %row = arith.addi %m0, %tid : i32
    %is_row = arith.cmpi slt, %tid, %c64 : i32
    %row_exists = arith.cmpi slt, %row, %m : i32
    %sums_row = arith.andi %is_row, %row_exists : i1
    scf.if %sums_row {
      %left_at = llvm.getelementptr %sums[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %right_at = llvm.getelementptr %left_at[%c64] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %left = llvm.load %left_at : !llvm.ptr<3> -> f32
      %right = llvm.load %right_at : !llvm.ptr<3> -> f32
      %sum = arith.addf %left, %right : f32
      %begin = arith.muli %row, %blocks_n : i32
      %offset = arith.addi %begin, %bx : i32
      %to = llvm.getelementptr %s[%offset] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %sum, %to : f32, !llvm.ptr<1>
    }
    gpu.return
  }
}
