//===- QKNormPasses.td - Norms of queries and keys ---------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_QKNORMPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_QKNORMPASSES

include "mlir/Pass/PassBase.td"

def NormInsertQKNormPass : Pass<"norm-insert-qk-norm", "::mlir::ModuleOp"> {
  let summary = "Normalizes the queries and keys of attentions";
  let description = [{
    Changes the function computed. Puts a norm on the query and one on the key of
    every `norm.attention` (QK-Norm), so that its logits stay bounded. The value and
    the residual stream are never touched: where the model normalizes otherwise is
    the affair of `norm-convert-placement`, and either may run first.

    | `kind` | query and key | logits | who |
    |---|---|---|---|
    | `rms` | `rms_norm`, with a scale | times the attention's scale | Qwen3, Gemma 3; OLMo 2 with `scope=hidden` |
    | `layer` | `layer_norm`, with a scale (and, with `bias`, a bias) | times the attention's scale | ViT-22B (Dehghani et al. 2023) |
    | `l2` | `l2_norm`: unit length | times a learned g, so in [-g, g] | Henry et al. 2020, Eq. 3 |

    With `l2` the attention's scale is replaced by g, its `learned_scale`, which
    begins as `g`, or as `log2(L^2 - L)` with L from `seq-len`: the length below which
    97.5 % of the training sequences are. It is one number or, with `per-head`, one for
    each head. The scale that it replaces stays on the attention as
    `norm.replaced_scale`, for `norm-remove-qk-norm` to bring back.

    **Scope.** `head` normalizes each head by itself, with one scale of head_dim
    elements for all heads. `hidden` normalizes all heads together: before they are
    split, with a scale of heads * head_dim elements (of the key: of its heads); where
    there is no such place, because of the rotation or of how the projection is
    written, over the two dimensions, with a scale of [heads, head_dim].

    **Position.** `before-rope` or `after-rope`, of a rotary position embedding
    between projection and attention; the same if there is none. The norm stands as
    near to the attention as that allows, but where heads are repeated for grouped
    queries before the repeat. The pass finds its way through transposes, reshapes,
    splits of the heads, slices of a joint projection, casts and every rotation that
    is written as sums of moved elements times factors that do not depend on them.
    (`norm-report` shows a bound on the logits after a rotation only: it does not look
    into what one does to lengths.)

    **Parameters** are made as `params` says and called after the attention's
    sublayer: `layers.3.attention.q_norm.scale`, `layers.3.attention.k_norm.scale`,
    `layers.3.attention.g`; that of an attention outside of the residual streams is
    called `attention.2` by its index in the function. They have the element type of
    the query; a scale begins as 1, a bias as 0. Epsilon, its mode, the compute type
    and the cast before the scale are those of the function's norms of this kind where
    these agree, else 1e-6; an l2 norm has `max(length, 1e-12)`. `epsilon` says
    otherwise.

    **Other readers** of the query or key (a cache, the value) go on reading it without
    the norm: what they share with the attention is computed for it anew.

    **What is refused**, with a remark (with `strict`: an error), leaving the attention
    as it is: one whose query or key is normalized already; `before-rope` where what
    lies between is not understood; with `l2` an attention that has a learned scale
    already; a multiplication by a constant between projection and attention that the
    norm would undo (with `l2`: that would come after it; `norm-raise` moves these into
    the attention's scale); an attention in a sublayer whose query or key is no
    projection; extents of parameters that are dynamic; `params=argument` for a
    function that is used other than by direct calls.

    Numerics class: model-changing. Needs `norm-raise` before, if attentions are not in
    the dialect yet. Example, Henry et al. 2020:

    ```mlir
    func.func @example(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>,
                       %v: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
      %0 = norm.attention %q, %k, %v scale = 0.5
             : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
      return %0 : tensor<2x4x8xf32>
    }
    ```
    ```mlir
    // after norm-insert-qk-norm{kind=l2 g=10}
    func.func @example(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>,
                       %v: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
      %kn = norm.l2_norm %k epsilon = 1.0e-12 epsilon_mode = clamp : tensor<2x4x8xf32>
      %qn = norm.l2_norm %q epsilon = 1.0e-12 epsilon_mode = clamp : tensor<2x4x8xf32>
      %g = arith.constant dense<1.0e+01> : tensor<f32>
      %0 = norm.attention %qn, %kn, %v learned_scale(%g : tensor<f32>)
             {norm.replaced_scale = 0.5}
             : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
      return %0 : tensor<2x4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"kind", "kind", "::mlir::norm::NormKind", "::mlir::norm::NormKind::RMS",
           "The norms of query and key",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::NormKind::L2, "l2", "to unit length, and a learned scale of the logits"),
             clEnumValN(::mlir::norm::NormKind::Layer, "layer", "layer_norm"),
             clEnumValN(::mlir::norm::NormKind::RMS, "rms", "rms_norm"))}]>,
    Option<"scope", "scope", "::mlir::norm::QKNormScope",
           "::mlir::norm::QKNormScope::Head", "What is normalized together",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::QKNormScope::Head, "head", "each head"),
             clEnumValN(::mlir::norm::QKNormScope::Hidden, "hidden", "all heads"))}]>,
    Option<"position", "position", "::mlir::norm::QKNormPosition",
           "::mlir::norm::QKNormPosition::BeforeRope",
           "Where the norms stand if there is a rotary position embedding",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::QKNormPosition::BeforeRope, "before-rope", "before it"),
             clEnumValN(::mlir::norm::QKNormPosition::AfterRope, "after-rope", "after it"))}]>,
    Option<"seqLen", "seq-len", "int64_t", "0",
           "For l2: g begins as log2(L^2 - L) for this L, the 97.5th percentile of training lengths">,
    Option<"g", "g", "double", "0.0", "For l2: what g begins as, instead of seq-len">,
    Option<"perHead", "per-head", "bool", "false", "For l2: a g for each head">,
    Option<"scale", "scale", "bool", "true", "For layer and rms: the norms have a scale">,
    Option<"bias", "bias", "bool", "false", "For layer and rms: the norms have a bias">,
    Option<"epsilon", "epsilon", "double", "-1.0",
           "Epsilon of the norms (by default as the function's norms of this kind, or 1e-6; 1e-12 for l2)">,
    ListOption<"layers", "layers", "std::string",
               "Layers whose attentions are normalized, such as 0-3,7 (every attention by default)">,
    Option<"params", "params", "::mlir::norm::ParameterPolicy",
           "::mlir::norm::ParameterPolicy::Constant", "How the parameters come into the program",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::ParameterPolicy::Constant, "constant", "dense constants"),
             clEnumValN(::mlir::norm::ParameterPolicy::Argument, "argument", "new function arguments"),
             clEnumValN(::mlir::norm::ParameterPolicy::Global, "global", "ml_program globals"))}]>,
    Option<"strict", "strict", "bool", "false", "Make every refusal an error">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::ml_program::MLProgramDialect",
                           "::mlir::norm::NormDialect"];
}

def NormRemoveQKNormPass : Pass<"norm-remove-qk-norm", "::mlir::ModuleOp"> {
  let summary = "Takes the norms of queries and keys away";
  let description = [{
    Changes the function computed. The inverse of `norm-insert-qk-norm`: takes away the
    norms of query and key of every `norm.attention` that `norm-report` shows a QK-Norm
    for, wherever between projection and attention they stand. An attention without
    is left alone.

    Where a norm was an `l2_norm`, the factor on the logits was made for vectors of unit
    length and goes, too, be it learned or not. Instead comes `attention-scale`, else
    the scale that `norm-insert-qk-norm` replaced (`norm.replaced_scale`), else the
    operation's default 1/sqrt(head_dim). With other norms the attention's scale stays.

    A remark names the parameters that are dropped. Those that a pass made and that
    still hold what they began as go with their norm, so that insertion and removal give
    back the same IR (up to `cse`, where other readers made the insertion clone); a
    function argument that holds anything else stays, unused.

    Other readers of a norm's result (a cache) go on reading it, and the norm stays
    for them.

    Numerics class: model-changing. Example:

    ```mlir
    func.func @example(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>,
                       %v: tensor<2x4x8xf32>, %g: tensor<f32>) -> tensor<2x4x8xf32> {
      %qn = norm.l2_norm %q epsilon = 1.0e-12 epsilon_mode = clamp : tensor<2x4x8xf32>
      %kn = norm.l2_norm %k epsilon = 1.0e-12 epsilon_mode = clamp : tensor<2x4x8xf32>
      %0 = norm.attention %qn, %kn, %v learned_scale(%g : tensor<f32>)
             : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
      return %0 : tensor<2x4x8xf32>
    }
    ```
    ```mlir
    // after norm-remove-qk-norm{attention-scale=0.5}
    func.func @example(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>,
                       %v: tensor<2x4x8xf32>, %g: tensor<f32>) -> tensor<2x4x8xf32> {
      %0 = norm.attention %q, %k, %v scale = 0.5
             : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
      return %0 : tensor<2x4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"attentionScale", "attention-scale", "double", "0.0",
           "Factor on the logits where an l2 norm goes (by default the one it replaced, else 1/sqrt(head_dim))">,
    ListOption<"layers", "layers", "std::string",
               "Layers whose attentions lose their norms, such as 0-3,7 (every attention by default)">,
  ];
  let dependentDialects = ["::mlir::norm::NormDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_QKNORMPASSES
