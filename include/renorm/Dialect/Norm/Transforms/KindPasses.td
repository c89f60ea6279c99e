//===- KindPasses.td - What the norms are ------------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_KINDPASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_KINDPASSES

include "mlir/Pass/PassBase.td"

def NormSwapKindPass : Pass<"norm-swap-kind", "::mlir::ModuleOp"> {
  let summary = "Turn LayerNorms into RMSNorms, or back";
  let description = [{
    Changes the function computed. Makes every selected norm an RMSNorm (`to=rms`) or
    a LayerNorm (`to=layer`), where it is the other one. The scale stays, with all that
    belongs to it (`unit_offset`, `cast_before_scale`, `scale_dims`), and so do axes,
    epsilon and its mode, and the compute type. An RMSNorm of a row equals a LayerNorm
    only where the mean of the row is 0.

    `norms` says which: `trunk`, the input, output, post, embedding and final norms that
    `ResidualStreamAnalysis` finds; `qk`, the QK-Norms; `both` of these (the default); or `all`
    norms of the module. With `layers`, only those of a sublayer in these layers, so that the
    embedding norm and the final norm stay.

    **The bias** goes with `to=rms` and stays with `to=layer`, as is usual in either, or
    as `bias` says. A remark names every bias that is dropped, unless it is a constant
    or new parameter of zeros. `bias=add`, with `to=layer`, makes one of zeros where
    there is none, as `params` says, called after the place of its norm, such as
    `layers.3.ffn.input_norm.bias`, `layers.3.attention.query_norm.bias`, or `norms.5.bias`
    for the norm of that index in the function.

    **What is refused**, with a remark (with `strict`: an error), leaving the norm as it
    is: an L2 norm; a new bias whose extents are dynamic, or with `params=argument` in a
    function that is used other than by direct calls. What is of the kind already stays
    as it is, its bias included.

    Numerics class: model-changing. Needs `norm-raise` before, if the norms are not
    in the dialect yet. Example:

    ```mlir
    func.func @example(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
      %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
    ```mlir
    // after norm-swap-kind{to=rms norms=all}
    func.func @example(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
      %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"to", "to", "::mlir::norm::SwappedKind", "::mlir::norm::SwappedKind::RMS",
           "The kind to turn norms into", [{::llvm::cl::values(
             clEnumValN(::mlir::norm::SwappedKind::RMS, "rms", "RMSNorm"),
             clEnumValN(::mlir::norm::SwappedKind::Layer, "layer", "LayerNorm"))}]>,
    Option<"norms", "norms", "::mlir::norm::NormSelector", "::mlir::norm::NormSelector::Both",
           "Which norms", [{::llvm::cl::values(
             clEnumValN(::mlir::norm::NormSelector::Trunk, "trunk", "those of the residual streams and their sublayers"),
             clEnumValN(::mlir::norm::NormSelector::QK, "qk", "those of queries and keys"),
             clEnumValN(::mlir::norm::NormSelector::Both, "both", "these two"),
             clEnumValN(::mlir::norm::NormSelector::All, "all", "all"))}]>,
    ListOption<"layers", "layers", "std::string",
               "Layers whose norms to turn, such as 0-3,7 (by default all, and what belongs to no layer)">,
    Option<"bias", "bias", "::mlir::norm::BiasPolicy", "::mlir::norm::BiasPolicy::Auto",
           "What becomes of the bias", [{::llvm::cl::values(
             clEnumValN(::mlir::norm::BiasPolicy::Auto, "auto", "dropped with to=rms, kept with to=layer"),
             clEnumValN(::mlir::norm::BiasPolicy::Drop, "drop", "dropped"),
             clEnumValN(::mlir::norm::BiasPolicy::Keep, "keep", "kept where there is one"),
             clEnumValN(::mlir::norm::BiasPolicy::Add, "add", "kept, or made where there is none (to=layer)"))}]>,
    Option<"params", "params", "::mlir::norm::ParameterPolicy",
           "::mlir::norm::ParameterPolicy::Constant", "How a new bias comes into the program",
           [{::llvm::cl::values(
             clEnumValN(::mlir::norm::ParameterPolicy::Constant, "constant", "dense constants"),
             clEnumValN(::mlir::norm::ParameterPolicy::Argument, "argument", "new function arguments"),
             clEnumValN(::mlir::norm::ParameterPolicy::Global, "global", "ml_program globals"))}]>,
    Option<"strict", "strict", "bool", "false",
           "Make every refusal an error">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::ml_program::MLProgramDialect",
                           "::mlir::norm::NormDialect"];
}

#endif // RENORM_DIALECT_NORM_TRANSFORMS_KINDPASSES
