//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//

#ifndef RENORM_CONVERSION_PASSES
#define RENORM_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"
include "renorm/Conversion/AttentionPasses.td"

//===----------------------------------------------------------------------===//
// LinalgToNorm
//===----------------------------------------------------------------------===//

def NormRaisePass : Pass<"norm-raise"> {
  let summary = "Raise norms, attention and residual additions to the norm dialect";
  let description = [{
    Finds norms, attention and residual additions in IR on tensors that other tools wrote:
    linalg (generic and named), arith and math on tensors, tensor, tosa. It
    matches what is computed and not how it is spelled: `x * x` and `x^2`, a mean
    as a sum over N or times 1/N, kept and dropped dimensions, one operation or
    ten in a body, and so on. What it can't prove it leaves as it is. It keeps
    axes, epsilon bit for bit, compute type and the place of every cast; whatever
    else reads an intermediate goes on reading it, and intermediates that nothing
    reads are erased, as is what was dead before.

    **Norms**: `layer_norm`, `rms_norm` and `l2_norm`, each with and without
    scale (also `1 + scale`) and bias. A scale is a row vector along the
    normalized dimensions, a weight along these and others but not all, or one
    number; any other factor stays outside. Refused: a divisor other than N, an
    epsilon that isn't a constant, a clamp that drops NaN (`arith.maxnumf`), a
    statistic of something else than what is divided, statistics in a narrower or
    another type than the normalization.

    Numerics: `reassociating`. Order of the reductions and of the product's
    factors are the norm's. `E[x^2] - E[x]^2` becomes a variance of differences,
    and a statistic in f64 of a norm that is otherwise in f32 (as torch-mlir
    writes a variance) is computed in f32, since everything that reads it is.

    **Attention**: `softmax(softcap(scale * query key^T) + mask) value`, between
    any contractions (matmul, batch_matmul, generic, tosa). What collapsed,
    expanded, transposed or repeated operands is looked through: they are read in
    the layout [batch..., heads, sequence, head_dim], and keys and values with
    the fewest heads of which query head h provably reads h * kv_heads / heads.
    Constant factors on the query, the key and the logits are multiplied exactly
    to one `scale`; a tensor of one number, or of one for each head, is a
    `learned_scale`. The mask is what is added after the soft cap, or a condition
    that sets logits to minus infinity (not to another number: that is another
    function). A guard that makes a row without keys zero is `zero_masked_rows`.
    Refused: whatever is scaled, masked or dropped out after the softmax, and
    layouts that reshapes and a transposition can't bring about.

    Numerics: `reassociating`. The maximum is subtracted whatever the program
    subtracts, a row of which no key counts is NaN or zero as in the program, and
    no type inside is narrower than the program's: roundings between the logits,
    the probabilities and the result fall away. With `zero_masked_rows` a NaN
    that comes from the operands stays a NaN.

    **Residual additions**: an addition, one of whose operands (the skip) is what
    the other (the branch) was computed from, with a matrix product, convolution
    or attention on the way; the branch is followed back to the last residual
    addition. Additions that share one skip are a parallel group: each of
    `(x + f(x)) + g(x)` is one. A constant factor of the branch, or of the skip if
    it isn't what the branch was computed from, becomes a scale. Two points of
    one trunk are a residual addition too (a skip over several layers).

    Numerics: `bitwise`.

    Needs nothing to have run before. Idempotent.

    ```mlir
    func.func @rms_norm(%x: tensor<2x8xf32>, %scale: tensor<8xf32>) -> tensor<2x8xf32> {
      %zero = arith.constant dense<0.0> : tensor<2xf32>
      %init = tensor.empty() : tensor<2x8xf32>
      %sum = linalg.reduce ins(%x : tensor<2x8xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
        (%a: f32, %s: f32) {
          %square = arith.mulf %a, %a : f32
          %next = arith.addf %s, %square : f32
          linalg.yield %next : f32
        }
      %y = linalg.generic {
          indexing_maps = [affine_map<(r, d) -> (r, d)>, affine_map<(r, d) -> (r)>,
                           affine_map<(r, d) -> (d)>, affine_map<(r, d) -> (r, d)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %sum, %scale : tensor<2x8xf32>, tensor<2xf32>, tensor<8xf32>)
          outs(%init : tensor<2x8xf32>) {
        ^bb0(%a: f32, %s: f32, %g: f32, %out: f32):
          %n = arith.constant 8.0 : f32
          %epsilon = arith.constant 9.765625e-04 : f32
          %mean = arith.divf %s, %n : f32
          %sum_epsilon = arith.addf %mean, %epsilon : f32
          %r = math.rsqrt %sum_epsilon : f32
          %normal = arith.mulf %a, %r : f32
          %scaled = arith.mulf %normal, %g : f32
          linalg.yield %scaled : f32
        } -> tensor<2x8xf32>
      return %y : tensor<2x8xf32>
    }
    ```
    ```mlir
    // after norm-raise
    func.func @rms_norm(%x: tensor<2x8xf32>, %scale: tensor<8xf32>) -> tensor<2x8xf32> {
      %y = norm.rms_norm %x scale(%scale : tensor<8xf32>) epsilon = 9.765625e-04 : tensor<2x8xf32>
      return %y : tensor<2x8xf32>
    }
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Remark on each operation that divides by a statistic and isn't part of a norm, "
           "or multiplies a softmax and isn't an attention">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::norm::NormDialect", "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// NormToLinalg
//===----------------------------------------------------------------------===//

def ConvertNormToLinalgPass : Pass<"convert-norm-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the norm dialect to linalg on tensors";
  let description = [{
    Replaces every operation of the `norm` dialect by what its description says, in
    linalg, tensor, arith and math on tensors of static or dynamic shape.

    - A norm becomes a reduction for each statistic and one elementwise operation.
      The mean of `layer_norm` is the sum of two numbers, the rounded mean and the
      mean of what it leaves, so that a mean far from zero costs no digits of the
      deviations; the variance is the mean of the squared deviations.
    - `norm.attention` becomes a contraction, a softmax and a contraction; the
      logits are a tensor. Grouped queries are a reshape of the query, no copies of
      keys and values.
    - `norm.fusion` becomes what it was made of.
    - `norm.probe` becomes reductions in `f64` and a call of a function
      `@renorm_record_probe(id, mean, variance, max_abs, kurtosis)`, which the pass
      declares. The module's attribute `norm.probe_names` lists the names that the
      ids stand for.

    Additions of reductions carry `reassoc` and `contract`, so that they may be
    computed with vectors. An operation that can't be lowered is an error.

    **Numerics**: `reassociating`: types and rounding points are those of the
    descriptions, the order of reductions is chosen here and below.

    ```mlir
    func.func @example(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
      %0 = norm.residual_add %x, %y : tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    ```
    ```mlir
    // after convert-norm-to-linalg
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @example(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
      %e = tensor.empty() : tensor<2x8xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id, #id],
                           iterator_types = ["parallel", "parallel"]}
             ins(%x, %y : tensor<2x8xf32>, tensor<2x8xf32>)
             outs(%e : tensor<2x8xf32>) {
           ^bb0(%a: f32, %b: f32, %out: f32):
             %s = arith.addf %a, %b : f32
             linalg.yield %s : f32
           } -> tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // RENORM_CONVERSION_PASSES
