//===- Passes.td - Passes on the norm dialect --------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def NormConvertPlacementPass : Pass<"norm-convert-placement", "::mlir::ModuleOp"> {
  let summary = "Moves the norms of a Transformer to another placement";
  let description = [{
    Changes the function computed. Converts the sublayers of every residual stream
    (see `ResidualStreamAnalysis`) to the placement `to`:

    | `to` | input norm | output norm | post norm | who |
    |---|---|---|---|---|
    | `none` | | | | |
    | `post` | | | x | Vaswani et al. 2017, BERT |
    | `pre` | x | | | GPT-2, Llama; Xiong et al. 2020 |
    | `peri` | x | x | | Peri-LN (Kim et al. 2025), Gemma 2 |
    | `output` | | x | | OLMo 2, Swin v2 |
    | `deepnorm` | | | x | post, and the skip multiplied by `alpha` (Wang et al. 2022); not so in `post` |

    **Parameters move with their norm.** At each point of the trunk, a post norm
    that becomes superfluous where an input norm is needed becomes that input norm,
    and the other way round. So Post-LN to Pre-LN is a rewiring: each norm stays on
    the way into the next module and leaves the trunk, the embedding norm feeds the
    first module (`embedding-norm=auto`), and the last post norm is the final norm;
    Pre-LN to Post-LN is the inverse and gives back the same IR (an input norm that
    holds no more than a new one does not become the embedding norm). A norm without
    a counterpart is made anew: of the kind, epsilon, axes and compute type that all
    norms of the stream share (or `new-norm` and `epsilon`), with scale 1 and, if
    theirs have one, bias 0, made as `params` says and named after its place, such
    as `layers.3.ffn.output_norm.scale`. A norm that is needed no more is
    dropped, and a remark names its parameters; if they hold more than their initial
    value it stays in place, unused, marked `norm.dropped`, and a conversion that
    needs a norm at its place takes it back.

    **The ends of the trunk.** A norm after the last sublayer stays, as post norm or
    final norm. If there is none, `final-norm=auto` makes one for every `to` but
    `none`, `require` is an error, and `keep` makes one only where it is the last
    post norm. Where the trunk comes from elsewhere or goes on to elsewhere, such as
    another block, or another stream past a cast or a reshape, no norm is made,
    moved or dropped at that end.

    **Other readers.** A use of the trunk outside of the sublayers (a result, a
    probe) goes on reading the trunk at its point; where the trunk is normalized
    there now, or no longer, a remark says so. Output norms stand directly before
    the add: dropout, LayerScale and gates of a branch stay inside the module.
    Sublayers of a parallel group share their post norm: it changes only if all of
    them are converted.

    **What is refused**, with a remark (with `strict`: an error), leaving sublayer or
    stream as it is: a branch that reads the trunk both through a norm and directly,
    or through different norms, or that shares operations with a branch that is not
    converted; a norm that must be made where the stream's norms disagree, or has
    none, and `new-norm` (`epsilon`) does not say which, or where the extent of its
    parameters is dynamic; a norm that would have to stand before its parameters are
    computed; a conversion that moves a norm past the end of an iteration of a loop,
    or to where the trunk goes on; `params=argument` for a function that is used
    other than by direct calls.

    Numerics class: model-changing. Needs `norm-raise` before, if the norms are not
    in the dialect yet. Example, `to=pre`:

    ```mlir
    // Post-LN
    func.func @example(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>,
                       %g: tensor<8xf32>, %h: tensor<8xf32>) -> tensor<4x8xf32> {
      %init = tensor.empty() : tensor<4x8xf32>
      %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %a : tensor<4x8xf32>
      %y = norm.rms_norm %s scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      %b = linalg.matmul ins(%y, %v : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %t = norm.residual_add %y, %b : tensor<4x8xf32>
      %z = norm.rms_norm %t scale(%h : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %z : tensor<4x8xf32>
    }
    ```

    The first norm, between the two sublayers, leaves the trunk: the skip reads its
    input. The first module, which had no norm before it, gets a new one.

    ```mlir
    // after norm-convert-placement{to=pre}
    func.func @example(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>,
                       %g: tensor<8xf32>, %h: tensor<8xf32>) -> tensor<4x8xf32> {
      %one = arith.constant dense<1.0> : tensor<8xf32>
      %n = norm.rms_norm %x scale(%one : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      %init = tensor.empty() : tensor<4x8xf32>
      %a = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %a : tensor<4x8xf32>
      %y = norm.rms_norm %s scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      %b = linalg.matmul ins(%y, %v : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %t = norm.residual_add %s, %b : tensor<4x8xf32>
      %z = norm.rms_norm %t scale(%h : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %z : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"to", "to", "::mlir::norm::TargetPlacement",
           "::mlir::norm::TargetPlacement::Pre", "The placement to convert to",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::TargetPlacement::None, "none", "no norms"),
             clEnumValN(::mlir::norm::TargetPlacement::Post, "post", "after each add"),
             clEnumValN(::mlir::norm::TargetPlacement::Pre, "pre", "before each module"),
             clEnumValN(::mlir::norm::TargetPlacement::Peri, "peri", "before and after each module"),
             clEnumValN(::mlir::norm::TargetPlacement::Output, "output", "after each module"),
             clEnumValN(::mlir::norm::TargetPlacement::DeepNorm, "deepnorm", "after each add, the skip scaled"))}]>,
    Option<"alpha", "alpha", "double", "0.0",
           "Factor on the skip, for deepnorm (required there)">,
    ListOption<"layers", "layers", "std::string",
               "Layers to convert, such as 0-3,7 (all by default)">,
    ListOption<"kinds", "kinds", "::mlir::norm::SublayerSelector",
               "Kinds of sublayers to convert (all by default): attention (self- and cross-attention), feed-forward (gated or not, and mixture of experts) and other">,
    Option<"finalNorm", "final-norm", "::mlir::norm::FinalNorm",
           "::mlir::norm::FinalNorm::Auto", "The norm after the last sublayer",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::FinalNorm::Auto, "auto", "make one where the trunk would end without"),
             clEnumValN(::mlir::norm::FinalNorm::Require, "require", "an error where the trunk would end without"),
             clEnumValN(::mlir::norm::FinalNorm::Keep, "keep", "as it is"))}]>,
    Option<"embeddingNorm", "embedding-norm", "::mlir::norm::EmbeddingNorm",
           "::mlir::norm::EmbeddingNorm::Auto", "The norm before the first sublayer, on the trunk",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::EmbeddingNorm::Auto, "auto", "becomes the first input norm if that is needed, and comes back"),
             clEnumValN(::mlir::norm::EmbeddingNorm::Keep, "keep", "as it is"),
             clEnumValN(::mlir::norm::EmbeddingNorm::Add, "add", "there is one afterwards"),
             clEnumValN(::mlir::norm::EmbeddingNorm::Drop, "drop", "there is none afterwards"))}]>,
    Option<"params", "params", "::mlir::norm::ParameterPolicy",
           "::mlir::norm::ParameterPolicy::Constant", "How parameters of new norms come into the program",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::ParameterPolicy::Constant, "constant", "dense constants"),
             clEnumValN(::mlir::norm::ParameterPolicy::Argument, "argument", "new function arguments"),
             clEnumValN(::mlir::norm::ParameterPolicy::Global, "global", "ml_program globals"))}]>,
    Option<"newNorm", "new-norm", "::mlir::norm::NewNorm",
           "::mlir::norm::NewNorm::Auto", "Kind of the norms that must be made",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::NewNorm::Auto, "auto", "as the stream's norms"),
             clEnumValN(::mlir::norm::NewNorm::RMS, "rms", "rms_norm with a scale"),
             clEnumValN(::mlir::norm::NewNorm::Layer, "layer", "layer_norm with scale and bias"))}]>,
    Option<"epsilon", "epsilon", "double", "-1.0",
           "Epsilon of the norms that must be made (by default the stream's)">,
    Option<"strict", "strict", "bool", "false",
           "Make every refusal an error">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::ml_program::MLProgramDialect",
                           "::mlir::norm::NormDialect"];
}

def NormInsertProbesPass : Pass<"norm-insert-probes", "::mlir::ModuleOp"> {
  let summary = "Record the residual stream's statistics at every point";
  let description = [{
    Puts a `norm.probe` on every point of every residual stream that
    `ResidualStreamAnalysis` finds:

    | name | value |
    |---|---|
    | `embedding` | what the first sublayer adds to: the source, or the embedding norm's result |
    | `layers.3.ffn` (the sublayer's name) | the trunk after the sublayer: after its post norm if it has one |
    | `final` | the final norm's result, if there is a final norm |

    With `sums`, also what the norms on the trunk read: `embedding.sum` before an
    embedding norm, `layers.3.ffn.sum` before a post norm (before a final norm it
    is the last sublayer's point). With `logits`, `layers.3.attention.logits`: the
    logits of every attention, scaled and capped but without the mask. They are
    computed anew for the probe, by a contraction that needs room for
    [batch..., heads, seq_q, seq_k] elements; an attention outside of the streams
    is called `attention.2` by its index in the function.

    The names of a function's second stream begin with `streams.1.`, and so on. In
    the body of a loop a probe records each iteration.

    A value that has a probe of that name gets no other one, so that the pass may
    run again. A function without streams (and, with `logits`, attentions) stays
    as it is.

    **Numerics**: `bitwise`; no value that the function computes changes.

    ```mlir
    func.func @example(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
      %init = tensor.empty() : tensor<4x8xf32>
      %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %f : tensor<4x8xf32>
      return %s : tensor<4x8xf32>
    }
    ```
    ```mlir
    // after norm-insert-probes
    func.func @example(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
      norm.probe %x {name = "embedding"} : tensor<4x8xf32>
      %init = tensor.empty() : tensor<4x8xf32>
      %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %f : tensor<4x8xf32>
      norm.probe %s {name = "layers.0.ffn"} : tensor<4x8xf32>
      return %s : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"sums", "sums", "bool", /*default=*/"false",
           "Also probe what the norms on the trunk read">,
    Option<"logits", "logits", "bool", /*default=*/"false",
           "Also compute and probe the attention logits">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def NormReportPass : Pass<"norm-report", "::mlir::ModuleOp"> {
  let summary = "Report where a module normalizes and what bounds its attention logits";
  let description = [{
    Prints what `ResidualStreamAnalysis` finds in every function that has a body, in
    the order of the module. It matches only the `norm` dialect, so run `norm-raise`
    before. The IR stays as it is, and so does what is written to the standard
    output.

    **Numerics**: `bitwise`; the pass only reads.

    **Text** has, for each residual stream, one row a sublayer, then the trunk, the
    embedding norm and the final norm, then one row an attention:

    ```
    function @forward
      sublayer            kind            placement  bits  input  output  post         shape
      layers.0.attention  self-attention  post       post  -      -       layer 1e-12  4x10x96xf32
      layers.0.ffn        feed-forward    post       post  -      -       layer 1e-12  4x10x96xf32

      trunk           tensor<4x10x96xf32> from linalg.generic, growth bounded
      embedding norm  layer 1e-12
      final norm      -

      attention           heads  kv heads  head dim  scale     mask    QK-Norm  logits
      layers.0.attention  4      4         24        0.204124  tensor  -        unbounded
    ```

    `bits` says which of the three places of a sublayer hold a norm: `in` (what the
    module reads), `out` (what it adds), `post` (the trunk after the add). A norm is
    its kind, its epsilon (the shortest decimal, of the f32 if it is one), and what
    is unusual about it. A post norm whose skip is
    scaled is the placement `deepnorm`. Columns on scales, parallel groups, masks
    and soft caps appear where there is something to say. `growth` is the law by which
    the variance of the trunk of a trained network grows with depth: `bounded` if
    every layer has a post norm, `linear` if the branches of the others end in an
    output norm, else `multiplicative`.

    **JSON** is one object whose only key `functions` is a list with one object for
    each stream, and one for a function without streams. docs/report-schema.json is
    its schema; keys come in this order and none is left out:

    | key of a function | value |
    |---|---|
    | `name` | of the function; the same in all its streams |
    | `stream` | index of the stream in the function; null without streams |
    | `trunk` | null without streams, else an object: `type` (MLIR type of the trunk), `source` (operation or argument it comes from), `loop` (operation whose body the stream runs through, or null), `growth` (`bounded`, `linear`, `multiplicative`) |
    | `embedding_norm`, `final_norm` | NORM or null |
    | `sublayers` | list in the order of the adds |
    | `attentions` | list: those in this stream; those in none are in the function's first object |
    | `other_norms` | list of NORM: neither above nor below, in the function's first object |
    | `lint` | list of findings |

    | key of a sublayer | value |
    |---|---|
    | `index`, `name`, `layer` | index in the stream, name, index of the layer |
    | `kind` | `self-attention`, `cross-attention`, `feed-forward`, `gated-feed-forward`, `mixture-of-experts`, `other` |
    | `placement` | `none`, `post`, `pre`, `peri`, `output`, `other` |
    | `input`, `output`, `post` | NORM or null |
    | `parallel_group` | number that the sublayers reading one trunk value share, or null |
    | `residual_scale`, `branch_scale` | factors of skip and branch in the add (1 by default) |
    | `irregularity` | why passes leave the sublayer alone, or null |
    | `loc` | `file:line:column` of the add, or null |

    | key of an attention | value |
    |---|---|
    | `index`, `sublayer` | index in the function; index of the sublayer that holds it, or null |
    | `heads`, `kv_heads`, `head_dim` | extents; null if dynamic |
    | `scale` | factor on the logits; null if it is an operand, or derives from a dynamic extent |
    | `causal`, `window`, `mask`, `softcap` | bool; width or null; whether there is a mask operand; cap or null |
    | `qk_norm` | null, or an object: `kind` (`layer`, `rms`, `l2`), `scope` (`head`, `hidden`), `position` (`before-rope`, `after-rope`, `no-rope`), `query` and `key` (NORM) |
    | `logit_bound` | what no logit exceeds in magnitude before the mask, in exact arithmetic; null if nothing is provable |
    | `loc` | `file:line:column`, or null |

    | key of a NORM | value |
    |---|---|
    | `kind` | `layer`, `rms`, `l2` |
    | `epsilon`, `epsilon_mode` | number; `inside`, `outside`, `clamp`, `clamp_inside` |
    | `axes` | the normalized dimensions |
    | `scale`, `bias`, `unit_offset` | bool: whether it has a scale, a bias, multiplies by 1 + scale |
    | `compute_type` | type of the statistics: `f64`, `f32`, `bf16`, `f16` |
    | `loc` | `file:line:column`, or null |

    **Remarks** carry the same: one for each stream at its function, one for each
    sublayer at its residual add, one for each attention.

    The pass fails if it cannot write to `output`. It preserves all analyses.
  }];
  let options = [
    Option<"format", "format", "::mlir::norm::ReportFormat",
           /*default=*/"::mlir::norm::ReportFormat::Text", "How to report", [{
             ::llvm::cl::values(
               clEnumValN(::mlir::norm::ReportFormat::Text, "text",
                          "a table for a person"),
               clEnumValN(::mlir::norm::ReportFormat::JSON, "json",
                          "an object for a program"),
               clEnumValN(::mlir::norm::ReportFormat::Remarks, "remarks",
                          "remarks on the operations"))
           }]>,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File for text or JSON; '-' is the standard error">
  ];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PASSES
