//===- Passes.td - Passes that the pipelines add -----------*- tablegen -*-===//
//
// What `renorm-to-llvm` needs besides upstream's passes.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_PIPELINES_PASSES
#define RENORM_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def NormPrepareBufferizationPass
    : Pass<"norm-prepare-bufferization", "::mlir::ModuleOp"> {
  let summary = "Say what one-shot-bufferize has to know";
  let description = [{
    - Every public function with a body gets the attribute
      `llvm.emit_c_interface`, and each of its tensor arguments
      `bufferization.writable = false`, unless the attribute is there:
      bufferization then copies an argument before it writes to it. Private
      functions and declarations are left alone.
    - `ml_program.global_load_const` becomes `ml_program.global_load`, which
      bufferization knows.

    **Numerics**: `bitwise`.

    ```mlir
    func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```
    ```mlir
    // after norm-prepare-bufferization
    func.func @forward(%x: tensor<4xf32> {bufferization.writable = false})
        -> tensor<4xf32> attributes {llvm.emit_c_interface} {
      return %x : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ml_program::MLProgramDialect"];
}

def NormTileRowsPass : Pass<"norm-tile-rows", "::mlir::ModuleOp"> {
  let summary = "Compute norms row by row, and groups with them";
  let description = [{
    Tiles what goes through rows, so that a row is read from memory once, stays in the
    first-level cache from its statistics to their application, and is written once:

    - In a `norm.fusion`, what is yielded, with all that it is computed of up to the
      root, in one loop; and what computes the root's first operand.
    - Elsewhere, each norm, and each `norm.apply_stats` with the `norm.row_stats` that
      only it reads.

    Loops are those over the leading dimensions, up to where 4096 elements are in one
    step. Tensors known to have fewer than `minimum-elements` elements, which fit the
    caches as they are, are left alone.

    **Numerics**: `bitwise`.

    ```mlir
    func.func @f(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
      %0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<512x1024xf32>
      return %0 : tensor<512x1024xf32>
    }
    ```
  }];
  let options = [
    Option<"minimumElements", "minimum-elements", "int64_t",
           /*default=*/"32768",
           "Leave tensors alone that are known to have fewer elements">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormFuseElementwisePass : Pass<"norm-fuse-elementwise"> {
  let summary = "Fuse elementwise operations without computing anything twice";
  let description = [{
    Fuses a `linalg.generic` without reductions into the `linalg.generic` that
    reads its result, if it is the only reader and needs each element once. A
    producer of at most one operation that is not a division or a function of
    `math` is also fused where an element is then computed again for each use.
    Upstream's `linalg-fuse-elementwise-ops` fuses whatever has one reader, and
    so computes the root of a norm's row once for each element of the row.

    **Numerics**: `bitwise`.

    ```mlir
    #all = affine_map<(d0, d1) -> (d0, d1)>
    #rows = affine_map<(d0, d1) -> (d0)>
    func.func @f(%x: tensor<2x8xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2x8xf32>
      %0 = linalg.generic {indexing_maps = [#all, #all],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.mulf %in, %in : f32
        linalg.yield %2 : f32
      } -> tensor<2x8xf32>
      %1 = linalg.generic {indexing_maps = [#all, #rows],
                           iterator_types = ["parallel", "reduction"]}
          ins(%0 : tensor<2x8xf32>) outs(%init : tensor<2xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.addf %out, %in : f32
        linalg.yield %2 : f32
      } -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    ```
    ```mlir
    // after norm-fuse-elementwise
    #all = affine_map<(d0, d1) -> (d0, d1)>
    #rows = affine_map<(d0, d1) -> (d0)>
    func.func @f(%x: tensor<2x8xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
      %0 = linalg.generic {indexing_maps = [#all, #rows],
                           iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x8xf32>) outs(%init : tensor<2xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.mulf %in, %in : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormCallMatmulKernelsPass
    : Pass<"norm-call-matmul-kernels", "::mlir::ModuleOp"> {
  let summary = "Compute contractions by blocked and vectorized matrix products";
  let description = [{
    Replaces each contraction of `linalg` on buffers, named or generic, by calls of
    functions that multiply matrices. There is one for each combination of element
    types, `renorm_matmul_<lhs>_<rhs>_<sum>`, which all contractions of the module
    share, whatever their extents and layouts. It keeps a tile of the result in
    vector registers and blocks of packed operands in the caches; where the left
    matrix has fewer than 16 rows, it reads the right one once and where it lies.

    A contraction is an operation that adds the products of two operands, extended
    or not, to the elements of its result, of type `f32` or `f64`. Left alone are
    those into `f16` or `bf16`, which round after each addition, those whose result
    has no dimension of stride 1 that indexes one operand only, products of a matrix
    and a vector, and those of fewer than `minimum-products` products.

    **Numerics**: `reassociating` in a narrow sense. The terms of a sum are added in
    their order, to the element that was there before; a product and its addition
    are rounded once where the processor can, and not twice.

    ```mlir
    func.func @f(%a: memref<128x64xf32>, %b: memref<64x256xf32>, %c: memref<128x256xf32>) {
      linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x256xf32>)
          outs(%c : memref<128x256xf32>)
      return
    }
    ```
    becomes, with the functions `renorm_...` beside it,
    ```
    %0 = memref.cast %a : memref<128x64xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %1 = memref.cast %b : memref<64x256xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %2 = memref.cast %c : memref<128x256xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    call @renorm_matmul_f32_f32_f32(%0, %1, %2)
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"256",
           "Width of the processor's vector registers: 128, 256 or 512. Any "
           "width gives the same numbers">,
    Option<"minimumProducts", "minimum-products", "int64_t",
           /*default=*/"32768",
           "Leave contractions alone that are known to have fewer products">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormOrderLoopsPass : Pass<"norm-order-loops"> {
  let summary = "Make the innermost loop of a linalg.generic walk through memory";
  let description = [{
    Moves that loop of a `linalg.generic` to the innermost place along which most
    operands are read and written at consecutive addresses, or not indexed at
    all; the present innermost loop stays if none is better. The order of the
    other loops stays. A vectorizer then finds a loop that it can use: of a matrix
    product of row-major matrices the columns of the result, of a product with a
    transposed matrix the sum.

    **Numerics**: `bitwise`. The steps of a reduction stay in their order, since
    at most one loop moves, past loops of which at most it is a reduction; an
    operation with more than one reduction keeps its order.

    ```mlir
    #a = affine_map<(i, j, k) -> (i, k)>
    #b = affine_map<(i, j, k) -> (k, j)>
    #c = affine_map<(i, j, k) -> (i, j)>
    func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
      linalg.generic {indexing_maps = [#a, #b, #c],
                      iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>)
          outs(%c : memref<4x6xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %0 = arith.mulf %x, %y : f32
        %1 = arith.addf %out, %0 : f32
        linalg.yield %1 : f32
      }
      return
    }
    ```
    ```mlir
    // after norm-order-loops
    #a = affine_map<(i, k, j) -> (i, k)>
    #b = affine_map<(i, k, j) -> (k, j)>
    #c = affine_map<(i, k, j) -> (i, j)>
    func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
      linalg.generic {indexing_maps = [#a, #b, #c],
                      iterator_types = ["parallel", "reduction", "parallel"]}
          ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>)
          outs(%c : memref<4x6xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %0 = arith.mulf %x, %y : f32
        %1 = arith.addf %out, %0 : f32
        linalg.yield %1 : f32
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def NormExpandNarrowFloatsPass : Pass<"norm-expand-narrow-floats"> {
  let summary = "Compute bf16 in f32, and round to 16 bits without a library";
  let description = [{
    - Every operation of `arith` and `math` on `bf16` becomes the operation on
      `f32` between exact extensions and one rounding to nearest, ties to even, of
      its result; the roundings are integer operations. Unlike upstream's
      `arith-emulate-unsupported-floats`, roundings between two operations are
      kept, so that the program computes what it says.
    - A conversion from `f64` to `bf16` or `f16` goes by way of `f32` and still
      rounds once.

    No function of a runtime library is needed for these, which older ones lack.
    Operations on `f16` are left to LLVM, which computes them in `f32` by the
    processor's conversions.

    **Numerics**: `bitwise` (an operation's result is the exact one rounded, for
    sum, product, quotient and square root).

    ```mlir
    func.func @widen(%x: bf16) -> f32 {
      %0 = arith.extf %x : bf16 to f32
      return %0 : f32
    }
    ```
    ```mlir
    // after norm-expand-narrow-floats
    func.func @widen(%x: bf16) -> f32 {
      %c16_i32 = arith.constant 16 : i32
      %0 = arith.bitcast %x : bf16 to i16
      %1 = arith.extui %0 : i16 to i32
      %2 = arith.shli %1, %c16_i32 : i32
      %3 = arith.bitcast %2 : i32 to f32
      return %3 : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormMoveBFloat16BitsPass
    : Pass<"norm-move-bfloat16-bits", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Make a bf16 that is only moved an integer";
  let description = [{
    Values of type `bf16` become their bits, of type `i16`, also as parameters and
    results of the function. After `norm-expand-narrow-floats` they are loaded,
    stored and chosen between, and LLVM would take a choice by way of `f32` and a
    function of a runtime library.

    **Numerics**: `bitwise`, NaN included. Runs on the LLVM dialect, in which no
    operation computes with `bf16`.

    ```mlir
    llvm.func @choose(%c: i1, %x: bf16, %y: bf16) -> bf16 {
      %0 = llvm.select %c, %x, %y : i1, bf16
      llvm.return %0 : bf16
    }
    ```
    ```mlir
    // after llvm.func(norm-move-bfloat16-bits)
    llvm.func @choose(%c: i1, %x: i16, %y: i16) -> i16 {
      %0 = llvm.select %c, %x, %y : i1, i16
      llvm.return %0 : i16
    }
    ```
  }];
}

def NormCarryAccumulatorsPass : Pass<"norm-carry-accumulators"> {
  let summary = "Keep out of memory what a loop accumulates";
  let description = [{
    An element of a buffer that every iteration of an `scf.for` loads and stores, and
    that nothing else in the loop can touch, is loaded before the loop, handed on
    from iteration to iteration, and stored after it. Loops that linalg becomes keep
    their sums in memory. LLVM finds one such sum of a loop if it may reorder the
    additions, and checks at run time that it is alone; of several in a loop, as of
    the deviations and the squares of a `norm.layer_norm`, it finds none.

    Of a loop that may have no iteration, the load and the store are made only if it
    has one.

    **Numerics**: `bitwise`.

    ```mlir
    func.func @sum(%x: memref<8xf32>) -> memref<f32> {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %sum = memref.alloc() : memref<f32>
      memref.store %zero, %sum[] : memref<f32>
      scf.for %i = %c0 to %c8 step %c1 {
        %0 = memref.load %x[%i] : memref<8xf32>
        %1 = memref.load %sum[] : memref<f32>
        %2 = arith.addf %1, %0 : f32
        memref.store %2, %sum[] : memref<f32>
      }
      return %sum : memref<f32>
    }
    ```
    ```mlir
    // after norm-carry-accumulators
    func.func @sum(%x: memref<8xf32>) -> memref<f32> {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %sum = memref.alloc() : memref<f32>
      memref.store %zero, %sum[] : memref<f32>
      %0 = memref.load %sum[] : memref<f32>
      %1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%total = %0) -> (f32) {
        %2 = memref.load %x[%i] : memref<8xf32>
        %3 = arith.addf %total, %2 : f32
        scf.yield %3 : f32
      }
      memref.store %1, %sum[] : memref<f32>
      return %sum : memref<f32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormExpandMemRefPass : Pass<"norm-expand-memref"> {
  let summary = "Lower what upstream's lowerings of memref leave out";
  let description = [{
    - A `memref.expand_shape` that splits one dimension into more than one of
      dynamic extent becomes a `memref.reinterpret_cast`, with sizes and strides
      from its output shape. `expand-strided-metadata` takes all others; that of
      LLVM 22 crashes on these.
    - A `memref.copy` of one element becomes a load and a store, which
      `norm-carry-accumulators` and `mem2reg` understand.
    - A `memref.copy` from or to a view with strides becomes a `linalg.copy`.
      Upstream makes it a call of a runtime library, and all others `memcpy`.

    **Numerics**: `bitwise`. To be run before `expand-strided-metadata` and before
    linalg becomes loops.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NormCopyConstantsPass : Pass<"norm-copy-constants", "::mlir::ModuleOp"> {
  let summary = "Copy constants that kernels read to where they can";
  let description = [{
    A `memref.get_global` that a `gpu.launch_func` reads, itself or a view of it,
    becomes a `memref.alloc` and a copy: constants lie in the program of the host,
    where a GPU does not see them, and memory is allocated where both do.

    **Numerics**: `bitwise`. To be run before buffers are deallocated.

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @read(%x: memref<4xf32>) kernel {
          gpu.return
        }
      }
      memref.global "private" constant @weight : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
      func.func @f() {
        %c1 = arith.constant 1 : index
        %0 = memref.get_global @weight : memref<4xf32>
        gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%0 : memref<4xf32>)
        return
      }
    }
    ```
    ```mlir
    // after norm-copy-constants
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @read(%x: memref<4xf32>) kernel {
          gpu.return
        }
      }
      memref.global "private" constant @weight : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
      func.func @f() {
        %c1 = arith.constant 1 : index
        %0 = memref.get_global @weight : memref<4xf32>
        %1 = memref.alloc() : memref<4xf32>
        memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
        gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%1 : memref<4xf32>)
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // RENORM_PIPELINES_PASSES
