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
    func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32>
    // becomes
    func.func @forward(%x: tensor<4xf32> {bufferization.writable = false})
        -> tensor<4xf32> attributes {llvm.emit_c_interface}
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ml_program::MLProgramDialect"];
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
    %0 = linalg.generic ... ins(%x : tensor<2x8xf32>) { square }
    %1 = linalg.generic ... ins(%0 : tensor<2x8xf32>) { sum along 1 }
    // becomes
    %1 = linalg.generic ... ins(%x : tensor<2x8xf32>) { square, sum along 1 }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
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
    linalg.generic {[(i, j, k) -> (i, k)], [... -> (k, j)], [... -> (i, j)]}
    // becomes
    linalg.generic {[(i, k, j) -> (i, k)], [... -> (k, j)], [... -> (i, j)]}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def NormExpandBFloat16Pass : Pass<"norm-expand-bfloat16"> {
  let summary = "Compute bf16 in f32 and round with integer operations";
  let description = [{
    Every operation of `arith` and `math` on `bf16` becomes the operation on `f32`
    between exact extensions and one rounding to nearest, ties to even, of its
    result. A conversion from `f64` rounds once. Unlike upstream's
    `arith-emulate-unsupported-floats`, roundings between two operations are
    kept, so that the program computes what it says; and no function of a runtime
    library is needed, which older ones lack.

    **Numerics**: `bitwise` (an operation's result is the exact one rounded, for
    sum, product, quotient and square root).

    ```mlir
    %0 = arith.addf %a, %b : bf16
    // becomes
    %1 = ...  // %a and %b in f32, by shifts
    %2 = arith.addf %1#0, %1#1 : f32
    %3 = ...  // %2 in bf16, by integer operations
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormExpandMemRefPass : Pass<"norm-expand-memref"> {
  let summary = "Lower what upstream's lowerings of memref leave out";
  let description = [{
    - A `memref.expand_shape` that splits one dimension into more than one of
      dynamic extent becomes a `memref.reinterpret_cast`, with sizes and strides
      from its output shape. `expand-strided-metadata` takes all others; that of
      LLVM 22 crashes on these.
    - A `memref.copy` from or to a view with strides becomes a `linalg.copy`.
      Upstream makes it a call of a runtime library, and all others `memcpy`.

    **Numerics**: `bitwise`. To be run before `expand-strided-metadata` and before
    linalg becomes loops.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // RENORM_PIPELINES_PASSES
