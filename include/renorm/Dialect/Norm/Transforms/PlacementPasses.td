//===- PlacementPasses.td - Where the norms sit ------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PLACEMENTPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_PLACEMENTPASSES

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
    | `deepnorm` | | | x | post, and the skip multiplied by alpha (Wang et al. 2022); not so in `post` |

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

    **DeepNorm** has two constants, by the table of the paper, for an encoder of N
    layers and a decoder of M:

    | | alpha, encoder | beta, encoder | alpha, decoder | beta, decoder |
    |---|---|---|---|---|
    | encoder-only | (2N)^(1/4) | (8N)^(-1/4) | | |
    | decoder-only | | | (2M)^(1/4) | (8M)^(-1/4) |
    | encoder-decoder | 0.81 (N^4 M)^(1/16) | 0.87 (N^4 M)^(-1/16) | (3M)^(1/4) | (12M)^(-1/4) |

    A stream with cross-attention is a decoder, the others in its function are its
    encoders (`stack` says so where they are in several functions); layers are those
    that the analysis counts, whether they are converted or not, or
    `encoder-layers` and `decoder-layers`. Alpha is the residual scale. Beta is
    recorded as `norm.init_gain` of the weights that are arguments: those of
    feed-forward sublayers, and of the value and output projections of attentions.
    `scale-weights` multiplies weights that are constants by beta, where a sublayer
    was not DeepNorm before. A weight that
    gives queries and keys as well, or is read elsewhere, stays without, with a
    remark. With `alpha`, the paper's constants are not used, and there is a beta only
    with `beta`. Every other `to` sets the scale of DeepNorm back to 1 and takes away
    the gains; weights that were scaled stay so.

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
    other than by direct calls; DeepNorm for a stack whose role or number of layers is
    not known.

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

    To DeepNorm, alpha is 2^(1/4) and beta 8^(-1/4) for one layer of one stack:

    ```mlir
    func.func @deepnorm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %init = tensor.empty() : tensor<4x8xf32>
      %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %f : tensor<4x8xf32>
      %y = norm.rms_norm %s scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
    ```mlir
    // after norm-convert-placement{to=deepnorm}
    func.func @deepnorm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {norm.init_gain = 0.59460355750136051 : f64},
                        %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %init = tensor.empty() : tensor<4x8xf32>
      %f = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>)
                         outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = norm.residual_add %x, %f residual_scale = 1.189207115002721 : tensor<4x8xf32>
      %y = norm.rms_norm %s scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
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
           "Factor on the skip, for deepnorm (the paper's by default)">,
    Option<"beta", "beta", "double", "0.0",
           "Gain of weights, for deepnorm (the paper's by default, if alpha is)">,
    Option<"stack", "stack", "::mlir::norm::DeepNormStack",
           "::mlir::norm::DeepNormStack::Auto", "What the stacks are, for deepnorm",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::DeepNormStack::Auto, "auto", "as the function shows"),
             clEnumValN(::mlir::norm::DeepNormStack::EncoderOnly, "encoder-only", "each is an encoder by itself"),
             clEnumValN(::mlir::norm::DeepNormStack::DecoderOnly, "decoder-only", "each is a decoder by itself"),
             clEnumValN(::mlir::norm::DeepNormStack::EncoderDecoder, "encoder-decoder", "those with cross-attention are decoders of the others"))}]>,
    Option<"encoderLayers", "encoder-layers", "unsigned", "0",
           "Layers of the encoder, for deepnorm (by default those that are there)">,
    Option<"decoderLayers", "decoder-layers", "unsigned", "0",
           "Layers of the decoder, for deepnorm (by default those that are there)">,
    Option<"scaleWeights", "scale-weights", "bool", "false",
           "For deepnorm, multiply weights that are constants by beta">,
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

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PLACEMENTPASSES
