//===- LintPasses.td - Known mistakes ----------------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_LINTPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_LINTPASSES

include "mlir/Pass/PassBase.td"

def NormLintPass : Pass<"norm-lint", "::mlir::ModuleOp"> {
  let summary = "Find known mistakes in where and how a module normalizes";
  let description = [{
    Reads what `ResidualStreamAnalysis` finds and says where it breaks one of these
    rules. It matches only the `norm` dialect, so run `norm-raise` before. The IR
    stays as it is.

    **Numerics**: `bitwise`; the pass only reads.

    | code | default | finds |
    |---|---|---|
    | `missing-final-norm` | warning | a trunk that ends without a norm although its sublayers have input or output norms (pre, peri, output). Reshapes, slices and elementwise operations may lie between the trunk and its final norm. Not applied to a function that something in the module refers to (but for the one whose weights are prepared by another), and where the trunk goes on elsewhere |
    | `deep-post-norm` | remark | more than 20 layers with post norms whose skips are not scaled: their training needs a warm-up (Xiong et al. 2020) or DeepNorm's alpha (Wang et al. 2022). BERT-large has 24. The layers of a loop count as often as it runs, if that is known |
    | `skip-before-post-norm` | warning | a module that reads the norm of a sum while the skip beside it reads the sum, in a stack whose sublayers of the same kind are mostly post, one of them later. A stack that turns from post to pre for good (Mix-LN), or whose attention and feed-forward differ (HybridNorm), is meant so |
    | `f16-trunk-overflow` | remark | a trunk in f16 that is predicted to pass 65504, and in which layer: by the growth model of a trained network with its default gain (see `norm-report`). `norm.probe` measures |
    | `missing-epsilon` | warning | a norm of any kind and epsilon mode whose epsilon is 0, or below the smallest normal number of its compute type (6.1e-05 in f16, 1.2e-38 in f32 and bf16), as BERT's 1e-12 is in f16: a row of zeros (layer norm: of equal elements) gives 0/0 |
    | `narrow-statistics` | warning | statistics in f16, where the square of 256 overflows, or in bf16 |
    | `norm-of-norm` | warning | a norm whose input is a norm's result (or a cast of it), whatever their parameters; a remark where something else than norms reads the inner one too, as the trunk does the embedding norm of BLOOM and CLIP |
    | `bias-after-rms-norm` | warning | an RMSNorm with a bias, or whose result a vector is added to: a LayerNorm that was renamed only. A bias of constant zeros is none; an RMSNorm marked `norm.centered` is meant so |
    | `unscaled-l2-qk-norm` | warning | queries and keys of length 1 (l2) whose logits no factor above 1 multiplies: they stay in [-1, 1] and the softmax is nearly uniform; without g, Henry et al. 2020 lose 8.7 BLEU (Table 6) |
    | `twice-scaled-qk-norm` | warning | queries and keys of length 1 with a scale g, and logits that are multiplied by 1/sqrt(head_dim) besides, which g stands for. With an RMSNorm or LayerNorm as QK-Norm, 1/sqrt(head_dim) belongs there |
    | `normalized-value` | warning | values that are normalized to length 1 along with queries and keys: QK-Norm leaves them. A remark for RMSNorm and LayerNorm, as in HybridNorm and Gemma 3n |
    | `unbounded-logits` | remark | attentions without QK-Norm or soft cap: one finding for each stream. Most models are of this kind |

    A finding is a diagnostic at the norm, the residual add or the attention, that
    ends in the code in brackets. The severities by default are such that a published
    model that works gets no more than remarks.

    `severity` changes what a finding is taken for. Its items apply in order: a
    severity alone, `warning`, is that of all rules; with a code before it,
    `unbounded-logits=ignore`, that of one rule. With an error the pass fails, after
    all findings are told.

    **JSON** (`format=json`) is one object whose only key `findings` is the list of
    them, in the same order, for a program to judge: the pass then fails only if it
    cannot write to `output`. docs/lint-schema.json is its schema; `norm-report` has
    the same objects in its key `lint`.

    | key of a finding | value |
    |---|---|
    | `code`, `severity`, `message` | the rule; `remark`, `warning` or `error`; the text |
    | `function`, `stream`, `sublayer` | name; index of the stream in the function, name of the sublayer, or null |
    | `loc` | `file:line:column`, or null |

    Example, a Pre-LN stack without a final norm:

    ```mlir
    func.func @example(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>,
                       %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %n = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      %init = tensor.empty() : tensor<4x8xf32>
      %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %y = norm.residual_add %x, %f : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```

    ```
    model.mlir:7:8: warning: the trunk ends after layers.0.ffn (placement pre) without a final norm: the head reads a sum that grows with depth [missing-final-norm]
    ```
  }];
  let options = [
    ListOption<"severity", "severity", "std::string",
               "Severities, such as error,unbounded-logits=ignore: ignore, remark, warning or error for all rules, or after a rule's code">,
    Option<"format", "format", "::mlir::norm::LintFormat",
           /*default=*/"::mlir::norm::LintFormat::Diagnostics", "How to tell what is found", [{
             ::llvm::cl::values(
               clEnumValN(::mlir::norm::LintFormat::Diagnostics, "diagnostics",
                          "diagnostics at the operations"),
               clEnumValN(::mlir::norm::LintFormat::JSON, "json",
                          "an object for a program"))
           }]>,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File for JSON; '-' is the standard error">
  ];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_LINTPASSES
