//===- FoldPasses.td - Norms into the weights around them --*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_FOLDPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_FOLDPASSES

include "mlir/Pass/PassBase.td"

def NormFoldAffinePass : Pass<"norm-fold-affine", "::mlir::ModuleOp"> {
  let summary = "Folds scale and bias of norms into the matmuls that read them";
  let description = [{
    Computes the same function. What a norm multiplies by and adds is a linear map,
    and so is a matmul that reads it: with y = n g + b, n the normalized value,

        y W + c = n (diag(g) W) + (c + b W)

    Each norm whose every reader is a linear map along the dimensions of its scale
    loses scale and bias; the weights get the one, the biases the other. A linear map
    without a bias gets one if the norm has one. With `unit_offset` W becomes
    diag(1 + g) W.

    **What is matched**: any norm with a scale, a bias or both, of any `scale_dims`, and
    the scale of rank 0 of ScaleNorm. A reader is a contraction (`linalg.matmul`,
    `linalg.batch_matmul`, `linalg.generic`, ...) of the norm, past transposes,
    broadcasts, reshapes (heads that were normalized each on its own may be merged),
    slices of other dimensions and casts, with a weight that is a parameter: a
    constant (dense or a resource), an immutable `ml_program.global` or an argument of
    the function, itself past such operations. The bias is what an addition right
    after the contraction adds, one parameter for each output feature.

    **All readers or none.** A norm stays as it is, and a remark says which reader
    is why, if it is read by an add, a norm, an element-wise gate, an attention (so
    QK-Norm stays), a router without a weight or a result of the function; if a
    reader sums over other dimensions than the scale has; if the weight is computed
    from other values; if a constant would round to infinity in its type; and
    if, with `weights=constant`, anything that takes part is an argument.

    **Weights**: with `weights=constant` (the default) everything is folded when
    compiled, in float64, and rounded once to the type of the weight (or bias; a new
    bias has the type of the contraction's result). With `weights=prepare` what is
    an argument is folded as well, in f32 (f64 where a part of it is), and rounded
    once: the function computes the new weights from the old, and that computation
    becomes a function of its own, `@forward.prepare`, that need run only once; see
    `norm-prepare-weights`. Weights shared by several layers are folded once for each
    norm that they are folded with.

    **Tied weights**: a weight that something else reads too (the embedding's table
    of a tied head) stays for that and is copied, and a remark says how large the copy
    is; with `tied=refuse` the norm stays as it is.

    Numerics class: reassociating. The normalized value is no longer rounded after
    the scale, but the weight is; an f16 or bf16 weight that is an argument can
    overflow where its scale is large. Needs `norm-raise` before, if the norms are not
    in the dialect yet. Example:

    ```mlir
    func.func @example(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
      %g = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
      %b = arith.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
      %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
      %n = norm.layer_norm %x scale(%g : tensor<3xf32>) bias(%b : tensor<3xf32>)
             epsilon = 1.0e-05 : tensor<4x3xf32>
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x2xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
      %y = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>)
                         outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    ```

    The rows of the weight are multiplied by 1, 2 and 4, and the bias that the norm
    added comes out of the matmul as b W.

    ```mlir
    // after norm-fold-affine
    #identity = affine_map<(d0, d1) -> (d0, d1)>
    #feature = affine_map<(d0, d1) -> (d1)>
    func.func @example(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
      %w = arith.constant dense<[[1.0, 2.0], [6.0, 8.0], [20.0, 24.0]]> : tensor<3x2xf32>
      %c = arith.constant dense<-4.0> : tensor<2xf32>
      %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x3xf32>
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x2xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
      %m = linalg.matmul ins(%n, %w : tensor<4x3xf32>, tensor<3x2xf32>)
                         outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
      %sum = tensor.empty() : tensor<4x2xf32>
      %y = linalg.generic {indexing_maps = [#identity, #feature, #identity],
                           iterator_types = ["parallel", "parallel"]}
             ins(%m, %c : tensor<4x2xf32>, tensor<2xf32>) outs(%sum : tensor<4x2xf32>) {
      ^bb0(%p: f32, %q: f32, %out: f32):
        %s = arith.addf %p, %q : f32
        linalg.yield %s : f32
      } -> tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    ```
  }];
  let options = [
    Option<"weights", "weights", "::mlir::norm::WeightPolicy",
           "::mlir::norm::WeightPolicy::Constant", "The weights that may change",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::WeightPolicy::Constant, "constant", "constants"),
             clEnumValN(::mlir::norm::WeightPolicy::Prepare, "prepare", "arguments too, computed in a function that need run only once"))}]>,
    Option<"tied", "tied", "::mlir::norm::TiedWeights",
           "::mlir::norm::TiedWeights::Clone", "A weight that something else reads as well",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::TiedWeights::Clone, "clone", "is copied"),
             clEnumValN(::mlir::norm::TiedWeights::Refuse, "refuse", "keeps its norm from being folded"))}]>,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Norms whose scale and bias were folded">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::norm::NormDialect", "::mlir::tensor::TensorDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_FOLDPASSES
