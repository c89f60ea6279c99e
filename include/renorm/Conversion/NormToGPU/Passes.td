//===- Passes.td - Groups of the norm dialect as GPU kernels -*- tablegen -*-===//

#ifndef RENORM_CONVERSION_NORMTOGPU_PASSES
#define RENORM_CONVERSION_NORMTOGPU_PASSES

include "mlir/Pass/PassBase.td"

def ConvertNormToGPUPass : Pass<"convert-norm-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Make each norm.fusion a GPU kernel and its launch";
  let description = [{
    Replaces a `norm.fusion`, as `norm-fuse{target=sm_80}` forms it, by a kernel in a
    `gpu.module` of its own and a `gpu.launch_func`. The kernel is generated from the
    region, operation by operation; it consists of gpu, scf, arith, math and vector
    operations, and of NVVM's where a GPU has an instruction (asynchronous copies,
    `ldmatrix`, `mma.sync`).

    **A group with a root** is computed in tiles of 128 x 128, by four warps of
    64 x 64 each, or 128 x 256 where a norm needs as many columns. Where it is known
    when compiled that there are no more rows, tiles have 16 x 128, 32 x 128, 64 x 128
    or 64 x 256. Where heads that are normalized or rotated do not divide a tile, each
    lies at a multiple of the next power of two, and what is between them is computed
    for nothing:

    - Blocks go through the tiles in groups of eight rows of tiles (rasterization).
    - Tiles of both operands, 64 bytes along the reduction (128, if of 16 rows), are in
      three stages of shared memory, their chunks of 16 bytes permuted against bank
      conflicts. A chunk is copied asynchronously where it lies together in an input,
      as it is or seen through reshapes and transposes. Otherwise (a prologue, such as
      the application of a norm whose statistics the kernel merges; a row whose length
      is no multiple of 16 bytes) it is loaded, computed and stored by its thread.
    - bf16 and f16 are multiplied by tensor cores (m16n8k16), f32 by fused
      multiply-adds in f32, or with `f32-precision=tf32` by tensor cores (m16n8k8).
      Sums are f32 and are rounded once, to the root's type.
    - The epilogue is computed on the sums in registers. Statistics of rows, or of
      groups of columns, are summed over the lanes that have them, then over the
      warps. Statistics that were left by another kernel are merged once for each row
      of the tile.
    - A rotary embedding, of whole heads or of a part (slices of a tensor in the
      epilogue, and concatenations of parts), reads elements that other threads of the
      row have. They go through shared memory in their type, a row of each thread at a
      time.
    - A batched contraction is a product for each index that all of its result and
      operands have, of tiles of its own. Dimensions that the left-hand side alone has
      are its rows: queries that share a key, of several heads, are one matrix. The
      last dimension of the result is the columns.
    - What linalg reduces along whole rows (the maximum and the sum of a softmax) is
      combined in f32 over lanes and warps like statistics, and read by the operations
      after it. An elementwise body may use its indices (a causal mask), and take
      elements of an input wherever it likes.

    **A long reduction of few tiles** is split (`split-k`): where the tiles are too few
    for the multiprocessors of the chip, several blocks compute a tile, each the sums
    over a part of the reduction, and leave them in a workspace of [parts, rows, columns]
    in f32. A second kernel adds the parts, the first to the last, and computes the
    epilogue of the totals, in the smallest tiles that it can be computed in: results do
    not depend on when a block runs. The first has the name of the second and `_split_k`
    behind it. By itself the pass splits where the number of rows is known, so that there
    are no more blocks than multiprocessors (108 of sm_80, 84 of sm_86, 16 of sm_87, 142
    of sm_89, 132 of sm_90 and later), at most 16 parts of at least 8 tiles along the
    reduction, and where this saves at least 16 of these, about what the second launch
    costs.
    `split-k=N` splits into at most N parts, none of them empty, with a dynamic number of
    rows too. Batched contractions are not split.

    The number of batches and rows may be dynamic, also the extents that they are a
    product of; that of columns and of the reduction not. None need be a multiple of
    anything.

    **A group without a root** goes through rows. A row lies in the registers of up
    to 32 lanes, or of up to 16 warps, and is read once and written once, 16 bytes at
    a time where it allows that.

    **Arguments.** A kernel takes a memref of rank 0 for each tensor, which is the
    first of its elements, and the dynamic extents it needs. With
    `use-bare-ptr-memref-call-conv` of `convert-gpu-to-nvvm` and
    `use-bare-pointers-for-kernels` of `gpu-to-llvm` that is a pointer. It must be
    aligned to 16 bytes. On the host, inputs are `bufferization.to_buffer`, results
    are allocated and become tensors by `bufferization.to_tensor`: to be run before
    `one-shot-bufferize`. Where no extent is dynamic, a launch has the operations of
    its root and the bytes that it moves as `norm.flops` and `norm.bytes`; of two kernels
    for a group the first has the operations, and both the workspace's bytes.

    **Refused**, with a remark, and left as it is: types other than f32, bf16 and f16
    (inputs that are not multiplied may be of i1, i32 or i64); contractions whose
    columns are several dimensions; norms and reductions over more columns than 256,
    over groups that are not all of one size or the whole, where that does not divide a
    tile, or of an operand of the root; rows of more than 16384 elements; slices of computed rows,
    of heads of more than 256 columns, or with strides; concatenations of empty parts;
    whatever else is not an operation on single elements.

    **Numerics**: `reassociating`. Types and rounding points are those of the
    operations, but for a root whose result is narrower than f32, which is rounded
    once. The sums of a reduction that is split are the same, in another order. With
    `f32-precision=tf32` the f32 operands of a root are rounded to the 10 bits
    of mantissa of tf32 (to nearest, ties away from zero): a product is off by little
    more than 2^-10 of its size, and where a norm is applied to the sums, what its mean
    is subtracted from is off by as much. Operands from 2^128 - 2^116 on become
    infinite. A quotient by a normalizer is a product with its reciprocal. The variance is
    that of differences with the mean.

    ```mlir
    func.func @example(%x: tensor<?x4096xbf16>, %r: tensor<?x512xbf16>, %w: tensor<4096x512xbf16>)
        -> (tensor<?x512xbf16>, tensor<?x4xf32>) {
      %0:2 = norm.fusion strategies = [two_kernel_stats]
          (%a = %x : tensor<?x4096xbf16>, %b = %w : tensor<4096x512xbf16>, %skip = %r : tensor<?x512xbf16>)
          -> (tensor<?x512xbf16>, tensor<?x4xf32>) {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : bf16
        %m = tensor.dim %a, %c0 : tensor<?x4096xbf16>
        %1 = tensor.empty(%m) : tensor<?x512xbf16>
        %2 = linalg.fill ins(%zero : bf16) outs(%1 : tensor<?x512xbf16>) -> tensor<?x512xbf16>
        %3 = linalg.matmul ins(%a, %b : tensor<?x4096xbf16>, tensor<4096x512xbf16>)
                           outs(%2 : tensor<?x512xbf16>) -> tensor<?x512xbf16>
        %4 = norm.residual_add %skip, %3 : tensor<?x512xbf16>
        %5 = norm.row_stats rms %4 group_size = 128 : tensor<?x512xbf16>
        norm.yield %4, %5 : tensor<?x512xbf16>, tensor<?x4xf32>
      }
      return %0#0, %0#1 : tensor<?x512xbf16>, tensor<?x4xf32>
    }
    ```

    The smallest kernel, one row for each thread:

    ```mlir
    func.func @example(%x: tensor<512x1xf32>, %y: tensor<512xf32>) -> tensor<512x1xf32> {
      %0 = norm.fusion (%a = %x : tensor<512x1xf32>, %s = %y : tensor<512xf32>) -> (tensor<512x1xf32>) {
        %1 = norm.apply_stats rms %a stats(%s : tensor<512xf32>) epsilon = 1.0e-06
               : tensor<512x1xf32> -> tensor<512x1xf32>
        norm.yield %1 : tensor<512x1xf32>
      }
      return %0 : tensor<512x1xf32>
    }
    ```
    ```mlir
    // after convert-norm-to-gpu,canonicalize,cse
    module attributes {gpu.container_module} {
      func.func @example(%arg0: tensor<512x1xf32>, %arg1: tensor<512xf32>) -> tensor<512x1xf32> {
        %c128 = arith.constant 128 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %0 = bufferization.to_buffer %arg0 read_only : tensor<512x1xf32> to memref<512x1xf32>
        %reinterpret_cast = memref.reinterpret_cast %0 to offset: [0], sizes: [], strides: [] : memref<512x1xf32> to memref<f32>
        %1 = bufferization.to_buffer %arg1 read_only : tensor<512xf32> to memref<512xf32>
        %reinterpret_cast_0 = memref.reinterpret_cast %1 to offset: [0], sizes: [], strides: [] : memref<512xf32> to memref<f32>
        %alloc = memref.alloc() : memref<512x1xf32>
        %reinterpret_cast_1 = memref.reinterpret_cast %alloc to offset: [0], sizes: [], strides: [] : memref<512x1xf32> to memref<f32>
        gpu.launch_func  @example_kernel_0::@example_kernel_0 blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1)  args(%reinterpret_cast : memref<f32>, %reinterpret_cast_0 : memref<f32>, %reinterpret_cast_1 : memref<f32>) {norm.bytes = 6144 : i64, norm.flops = 0 : i64}
        %2 = bufferization.to_tensor %alloc restrict : memref<512x1xf32> to tensor<512x1xf32>
        return %2 : tensor<512x1xf32>
      }
      gpu.module @example_kernel_0 {
        gpu.func @example_kernel_0(%arg0: memref<f32>, %arg1: memref<f32>, %arg2: memref<f32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32} {
          %cst = arith.constant 9.99999997E-7 : f32
          %cst_0 = arith.constant 1.000000e+00 : f32
          %c128 = arith.constant 128 : index
          %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<f32> -> index
          %0 = arith.index_cast %intptr : index to i64
          %1 = llvm.inttoptr %0 : i64 to !llvm.ptr<1>
          %intptr_1 = memref.extract_aligned_pointer_as_index %arg1 : memref<f32> -> index
          %2 = arith.index_cast %intptr_1 : index to i64
          %3 = llvm.inttoptr %2 : i64 to !llvm.ptr<1>
          %intptr_2 = memref.extract_aligned_pointer_as_index %arg2 : memref<f32> -> index
          %4 = arith.index_cast %intptr_2 : index to i64
          %5 = llvm.inttoptr %4 : i64 to !llvm.ptr<1>
          %block_id_x = gpu.block_id  x
          %6 = arith.muli %block_id_x, %c128 : index
          %thread_id_x = gpu.thread_id  x
          %7 = arith.addi %6, %thread_id_x : index
          %8 = arith.index_cast %7 : index to i64
          %9 = llvm.getelementptr %1[%8] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          %10 = llvm.load %9 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
          %11 = llvm.getelementptr %3[%8] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          %12 = llvm.load %11 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
          %13 = arith.addf %12, %cst : f32
          %14 = llvm.call_intrinsic "llvm.sqrt.f32"(%13) : (f32) -> f32
          %15 = arith.divf %cst_0, %14 : f32
          %16 = arith.mulf %10, %15 : f32
          %17 = llvm.getelementptr %5[%8] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          llvm.store %16, %17 {alignment = 4 : i64} : f32, !llvm.ptr<1>
          gpu.return
        }
      }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The GPU: sm_80 or a later one">,
    Option<"f32Precision", "f32-precision", "::mlir::norm::F32Precision",
           "::mlir::norm::F32Precision::IEEE", "How f32 is multiplied",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::F32Precision::IEEE, "ieee", "in f32"),
             clEnumValN(::mlir::norm::F32Precision::TF32, "tf32", "rounded to tf32, by tensor cores"))}]>,
    Option<"splitK", "split-k", "int64_t", /*default=*/"0",
           "How many blocks the reduction of a tile is split among at most; 0: chosen, 1: never split">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // RENORM_CONVERSION_NORMTOGPU_PASSES
