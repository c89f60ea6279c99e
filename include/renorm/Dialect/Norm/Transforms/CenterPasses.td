//===- CenterPasses.td - Trunks with mean zero -------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_CENTERPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_CENTERPASSES

include "mlir/Pass/PassBase.td"

def NormCenterResidualPass : Pass<"norm-center-residual", "::mlir::ModuleOp"> {
  let summary = "Turns a Pre-LayerNorm network into the equal Pre-RMSNorm network";
  let description = [{
    A LayerNorm is an RMSNorm of what is centered: with C = I - 11^T/d,

        layer_norm(x) = rms_norm(C x)

    of the same epsilon, in every mode, scale and bias (Jiang et al. 2023,
    Pre-RMSNorm and Pre-CRMSNorm Transformers). So where nothing but
    LayerNorms reads the trunk, its mean does not matter; and where everything that is
    added to the trunk has mean zero, the trunk has, at every point. This pass takes
    the mean out of what writes the trunk, and makes each norm that reads it an
    RMSNorm, marked `norm.centered`:

    | writer | becomes |
    |---|---|
    | the last linear map of a branch, y = W x | (C W) x: the mean over the output features is subtracted from the weight |
    | a bias c | C c |
    | an embedding table | its rows, centered |

    Factors that are the same for all features (`residual_scale`, `branch_scale`, a
    gate for each token) change nothing about it.

    **The embedding.** Where the stream begins is centered like any other writer
    (`embedding=fold`), or by a subtraction of the mean there, once for the whole
    stack and in f64 (`embedding=explicit`). The latter is always possible: the stream may begin
    with an argument, an embedding norm, or what something else reads too.
    `embedding=auto` folds if it can, and says in a remark where it cannot.

    **Weights** that are constants are folded in f64 and rounded once. Those that are
    arguments are refused with `weights=constant`; with `weights=prepare` they are
    computed in f64 and rounded once by a function that need run only once (see
    `norm-prepare-weights`). A weight that something else reads as well, as a tied
    head does the embedding table, is centered for the trunk alone.

    **What is refused**, each stream as a whole, with a remark at the place:
    a reader of the trunk other than a LayerNorm over the trunk's features (a result,
    a probe, a module without input norm, another stream), among them an RMSNorm, so
    that a network with RMSNorms stays as it is; a post norm; a writer that is no
    linear map, bias or table, such as an output norm, a gate for each feature or an
    activation; what is written to the trunk and read elsewhere as well; weights of
    computed values; features of dynamic extent. A trunk that runs through a loop is
    read by the next iteration. A dropped norm (`norm.dropped`) does not count.

    **Numerics**: `reassociating`. A trunk whose mean is large gets more exact. In f16
    and bf16 the new weights are rounded once more, by as much as every value that the
    program stores: the error stays of the same order. An f16 weight that is an
    argument can overflow if an element is near to 65504.

    Needs `norm-raise` before, if the norms are not in the dialect yet, and a
    Pre-LayerNorm placement (`norm-convert-placement{to=pre}`).

    ```mlir
    func.func @example(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
      %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x2xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
      %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>)
                         outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
      %s = norm.residual_add %x, %f : tensor<4x2xf32>
      %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    ```

    The trunk begins with an argument: its mean is subtracted.

    ```mlir
    // after norm-center-residual
    func.func @example(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = tensor.empty() : tensor<4xf64>
      %cst = arith.constant 0.0 : f64
      %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<4xf64>) -> tensor<4xf64>
      %2 = linalg.generic {
          indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x2xf32>) outs(%1 : tensor<4xf64>) {
        ^bb0(%in: f32, %out: f64):
          %wide = arith.extf %in : f32 to f64
          %sum = arith.addf %out, %wide fastmath<reassoc,contract> : f64
          linalg.yield %sum : f64
      } -> tensor<4xf64>
      %cst_0 = arith.constant 2.0 : f64
      %3 = tensor.empty() : tensor<4x2xf32>
      %c = linalg.generic {
          indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                           affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %2 : tensor<4x2xf32>, tensor<4xf64>) outs(%3 : tensor<4x2xf32>) {
        ^bb0(%in: f32, %in_1: f64, %out: f32):
          %mean = arith.divf %in_1, %cst_0 : f64
          %wide = arith.extf %in : f32 to f64
          %difference = arith.subf %wide, %mean : f64
          %centered = arith.truncf %difference : f64 to f32
          linalg.yield %centered : f32
      } -> tensor<4x2xf32>
      %n = norm.rms_norm %c epsilon = 1.0e-05 {norm.centered} : tensor<4x2xf32>
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x2xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
      %w = arith.constant dense<[[-1.0, 1.0], [-3.0, 3.0]]> : tensor<2x2xf32>
      %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>)
                         outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
      %s = norm.residual_add %c, %f : tensor<4x2xf32>
      %y = norm.rms_norm %s epsilon = 1.0e-05 {norm.centered} : tensor<4x2xf32>
      return %y : tensor<4x2xf32>
    }
    ```
  }];
  let options = [
    Option<"weights", "weights", "::mlir::norm::WeightPolicy",
           "::mlir::norm::WeightPolicy::Constant", "The weights that may change",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::WeightPolicy::Constant, "constant", "constants"),
             clEnumValN(::mlir::norm::WeightPolicy::Prepare, "prepare", "also arguments, in a function that need run only once"))}]>,
    Option<"embedding", "embedding", "::mlir::norm::EmbeddingCentering",
           "::mlir::norm::EmbeddingCentering::Auto", "How what the stream begins with is centered",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::EmbeddingCentering::Auto, "auto", "fold if possible, else explicit"),
             clEnumValN(::mlir::norm::EmbeddingCentering::Fold, "fold", "by its tables and weights"),
             clEnumValN(::mlir::norm::EmbeddingCentering::Explicit, "explicit", "by subtracting the mean"))}]>,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::norm::NormDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_CENTERPASSES
