//===- SimplifyPasses.td - Fewer norms ---------------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFYPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFYPASSES

include "mlir/Pass/PassBase.td"

def NormSimplifyPass : Pass<"norm-simplify", "::mlir::ModuleOp"> {
  let summary = "Replace norms of norms, of multiples and of the same value by one norm";
  let description = [{
    Numerics class: reassociating. The function of real numbers stays the same; the
    roundings of what goes away go with it. Each rewrite removes an operation on
    activations; nothing is rewritten where it would not, because something else reads
    the value that lies in between.

    **A norm of a norm** (`populateNormOfNormPatterns`). With t the mean square (layer
    norm: the variance) of x, m = 1 (l2 norm: the number n of normalized elements), and
    indices 1 for the inner norm and 2 for the outer one, whose epsilon, if the inner
    norm multiplies by the one number a, is first divided by a^2 (modes `outside` and
    `clamp`: by |a|), the outer norm of the inner one is

        x / sqrt(m1 t + e1) / sqrt(m2 t / (m1 t + e1) + e2) = x / sqrt((m2 + e2 m1) t + e1 e2)

    which is sign(a) c times a single norm with m and epsilon e, in all modes:

    | mode | K | c | e |
    |---|---|---|---|
    | `inside` | sqrt(m2 + e2 m1) | sqrt(m) / K | c^2 e1 e2 |
    | `outside` | sqrt(m2) + e2 sqrt(m1) | sqrt(m) / K | c e1 e2 |
    | `clamp` | max(sqrt(m2), e2 sqrt(m1)) | sqrt(m) / K | c e1 e2 |
    | `clamp_inside` | sqrt(max(m2, e2 m1)) | sqrt(m) / K | c^2 e1 e2 |

    It is a layer norm if the inner one is; else it is of the outer one's kind, of which
    a layer norm must have no epsilon: that of an RMSNorm would add a multiple of mean(x)^2
    under the root. The factor, which is not 1 unless e2 is 0, is multiplied into the
    scale of the outer norm: into a constant when compiled, else once for each row of
    parameters. Epsilon stays where it is needed: two of 1e-5 leave one of 1e-10.

    **A positive constant factor** a before a norm (`populateFactorBeforeNormPatterns`):
    an element-wise product with, or quotient by, a constant. The norm of a x is the norm
    of x with epsilon e / a^2 (`outside`, `clamp`: e / a). Where x^2 overflows and
    (a x)^2 does not, or the other way round, the results differ.

    **Equal norms of one value** in a block (`populateEqualNormPatterns`) become the
    first; this is bitwise. Unlike CSE it takes for equal what is written in two ways:
    defaults, and constants of equal value.

    **What is refused**, with a remark, leaving the norm as it is: an inner norm with a
    bias, or a scale that is not one known number; norms over different dimensions or
    with different compute types, or whose nonzero epsilons enter in different ways; an l2
    norm of another kind of norm, or the reverse, over a dynamic extent; a factor that is
    not positive and finite; an epsilon that would be below the smallest normal number of
    the compute type, or above the largest, though it was not 0.

    What this pass leaves to others: casts around a norm are folded by the
    canonicalization of the dialect, which is bitwise; norms of one value that differ in
    scale or bias keep their own statistics, because the placement of each is known by
    its norm.

    ```mlir
    func.func @example(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %two = arith.constant dense<2.0> : tensor<4x8xf32>
      %0 = arith.mulf %x, %two : tensor<4x8xf32>
      %1 = norm.rms_norm %0 scale(%g : tensor<8xf32>) epsilon = 4.0e-06 : tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
    ```
    ```mlir
    // after norm-simplify,canonicalize
    func.func @example(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::norm::NormDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_SIMPLIFYPASSES
