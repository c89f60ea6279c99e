//===- ReportPasses.td - Reading a residual stream ---------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_REPORTPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_REPORTPASSES

include "mlir/Pass/PassBase.td"

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

    **Prediction.** For an f16 trunk, or with `dtype`, a line says what the growth
    model (renorm/Analysis/GrowthModel.h) predicts of the largest |x| on the trunk,
    and in which layer it passes the largest number of the type:

    ```
      trunk           tensor<4x10x96xf16> from argument 0, growth multiplicative
      predicted       max|x| 71242.8, passes 65504 (f16) in layer 47, a model: trained, gain 0.5
    ```

    It is a model of a trained network whose modules add `gain` times the variance of
    the trunk in each layer, or what their output norm gives, to a trunk that begins
    with variance 1; and it takes the trunk's n elements to be normal deviates, so
    that the largest is sqrt(2 ln(2 n)) standard deviations. Outliers ("massive
    activations") of trained models are hundreds of times larger. `norm-insert-probes`
    measures.

    **JSON** is one object whose only key `functions` is a list with one object for
    each stream, and one for a function without streams. docs/report-schema.json is
    its schema; keys come in this order and none is left out:

    | key of a function | value |
    |---|---|
    | `name` | of the function; the same in all its streams |
    | `stream` | index of the stream in the function; null without streams |
    | `trunk` | null without streams, else an object: `type` (MLIR type of the trunk), `source` (operation or argument it comes from), `loop` (operation whose body the stream runs through, or null), `growth` (`bounded`, `linear`, `multiplicative`), `prediction` |
    | `embedding_norm`, `final_norm` | NORM or null |
    | `sublayers` | list in the order of the adds |
    | `attentions` | list: those in this stream; those in none are in the function's first object |
    | `other_norms` | list of NORM: neither above nor below, in the function's first object |
    | `lint` | list of what `norm-lint` finds, with the severities by default; its description says what a finding has. Those in no stream are in the function's first object |

    | key of a prediction | value; the prediction is null if the stream is in a loop that runs an unknown number of times |
    |---|---|
    | `regime`, `gain` | of the model: `trained`, and the option `gain` |
    | `variance`, `jacobian` | of the trunk after the last sublayer; product of d(amplitude) over the sublayers |
    | `maximum` | the largest absolute value on the trunk |
    | `type`, `overflow_layer` | the option `dtype`, or the trunk's element type; the layer in which `maximum` passes its largest number, or null |

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
           "File for text or JSON; '-' is the standard error">,
    Option<"dtype", "dtype", "::mlir::norm::TrunkType",
           /*default=*/"::mlir::norm::TrunkType::Own",
           "Type of the trunks, to predict whether they overflow", [{
             ::llvm::cl::values(
               clEnumValN(::mlir::norm::TrunkType::Own, "own", "what they have"),
               clEnumValN(::mlir::norm::TrunkType::F16, "f16", "as if they were f16"),
               clEnumValN(::mlir::norm::TrunkType::BF16, "bf16", "as if they were bf16"),
               clEnumValN(::mlir::norm::TrunkType::F32, "f32", "as if they were f32"))
           }]>,
    Option<"gain", "gain", "double", /*default=*/"0.5",
           "What the modules of a layer add to the trunk's variance, relative to it, in the prediction">
  ];
}

def NormReportKernelsPass : Pass<"norm-report-kernels", "::mlir::ModuleOp"> {
  let summary = "Report the launches of GPU kernels as JSON";
  let description = [{
    Prints, for each function that launches kernels, what a program must do that
    launches them in its place: a list of objects with

    | key | what |
    |---|---|
    | `function` | its name |
    | `inputs` | its arguments: `type`, and the `parameter` that it is (`norm.param`) |
    | `buffers` | memory that it allocates for kernels: `type`, `bytes` if its shape is static, else the `extents` that are `?` in the type, and the `result` that it is; the others are workspace |
    | `launches` | in their order, see below |

    A launch has the name of the `kernel` and of the `module` that it is in, the
    `location` of what it computes, `grid` and `block`, the bytes of
    dynamic shared memory (`shared_bytes`), its `flops` and `bytes` moved where
    they are known, and its `arguments`: their `type` and the number of the `buffer`
    or `input` that each is, its `value`, or the operation that it is
    `computed_by`. A memref of rank r is passed as its descriptor: two pointers, the
    offset, r sizes and r strides. What is not launched exactly once has the
    operation that it is `inside`; one whose grid has an extent of 0 is left out by
    the function.

    An extent or a value is a number; or `{"input": 0, "dimension": 1}`, that extent
    of the input; or an `operation` of the arith dialect, such as `ceildivui`, on
    `operands` of these forms; or null, if it is computed in another way.

    The IR stays as it is. Meant for what `renorm-to-nvvm{format=none}` leaves.

    **Numerics**: `bitwise`; the pass only reads.
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File to write to; -: the standard error">
  ];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_REPORTPASSES
