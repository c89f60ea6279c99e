//===- WeightPasses.td - What is computed of weights alone -*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPASSES

include "mlir/Pass/PassBase.td"

def NormPrepareWeightsPass : Pass<"norm-prepare-weights", "::mlir::ModuleOp"> {
  let summary = "Compute what depends on the weights alone once, in a function of its own";
  let description = [{
    Takes each function apart that computes weights from weights: the transpose of a
    projection, a bias that two others sum up to, what another pass made of both. Of
    `@forward` become

    | function | takes | returns |
    |---|---|---|
    | `@forward` | what it did | what it did: it calls the other two |
    | `@forward.prepare` | the parameters that the computations read | the prepared weights |
    | `@forward.prepared` | the arguments that are still read, then the prepared weights | what `@forward` returns |

    `@forward` keeps name, signature, attributes and visibility, so that its callers
    stay as they are; the other two are private. The prepared weights are marked
    `norm.prepared`. Who runs a model many times calls
    `@forward.prepare` once and `@forward.prepared` in every step. The latter has
    the body, with the residual streams and their norms, and names the former by its
    attribute `norm.prepare`. A pass that changes weights later, this one included,
    extends the `@forward.prepare` there is.

    **What is matched**: values computed from the arguments with a `norm.param` (and
    constants) alone, by operations without memory effects in the function's entry
    block, where something else reads them. A value stays where it is if it is larger
    than what it is computed from (a broadcast bias), has a dynamic extent, or only
    reshapes, slices or casts a parameter, which costs nothing. What is computed from
    constants alone is for constant folding.

    **What is refused**, with a remark: a function other than a `func.func`, and a
    prepared form that something else than its one caller calls.

    **Numerics**: `bitwise`; the operations move as they are.

    ```mlir
    func.func @forward(%x: tensor<4x8xf32>,
                       %w: tensor<16x8xf32> {norm.param = "w"}) -> tensor<4x16xf32> {
      %empty = tensor.empty() : tensor<8x16xf32>
      %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%empty : tensor<8x16xf32>)
             permutation = [1, 0]
      %init = tensor.empty() : tensor<4x16xf32>
      %y = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>)
                         outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %y : tensor<4x16xf32>
    }
    ```
    ```mlir
    // after norm-prepare-weights
    func.func @forward(%x: tensor<4x8xf32>,
                       %w: tensor<16x8xf32> {norm.param = "w"}) -> tensor<4x16xf32> {
      %t = call @forward.prepare(%w) : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %y = call @forward.prepared(%x, %t)
             : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      return %y : tensor<4x16xf32>
    }
    func.func private @forward.prepare(
        %w: tensor<16x8xf32> {norm.param = "w"}) -> tensor<8x16xf32> {
      %empty = tensor.empty() : tensor<8x16xf32>
      %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%empty : tensor<8x16xf32>)
             permutation = [1, 0]
      return %t : tensor<8x16xf32>
    }
    func.func private @forward.prepared(
        %x: tensor<4x8xf32>, %t: tensor<8x16xf32> {norm.prepared})
        -> tensor<4x16xf32> attributes {norm.prepare = @forward.prepare} {
      %init = tensor.empty() : tensor<4x16xf32>
      %y = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>)
                         outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %y : tensor<4x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPASSES
