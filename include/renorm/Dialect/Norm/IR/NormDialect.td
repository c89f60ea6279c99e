//===- NormDialect.td - The norm dialect -------------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMDIALECT_TD
#define RENORM_DIALECT_NORM_IR_NORMDIALECT_TD

include "mlir/IR/OpBase.td"

def Norm_Dialect : Dialect {
  let name = "norm";
  let cppNamespace = "::mlir::norm";
  let summary = "Normalizations, residual adds and attention of a Transformer";
  let description = [{
    The `norm` dialect says where a Transformer normalizes. Its operations work on
    ranked tensors with value semantics, static or dynamic dimensions, and element
    types `f64`, `f32`, `f16` and `bf16`.

    Two questions organise it, and they are orthogonal:

    1. What does the residual stream accumulate across layers? The norms
       (`norm.layer_norm`, `norm.rms_norm`, `norm.l2_norm`) and `norm.residual_add`
       answer it by where they stand.
    2. What bounds the attention logits? `norm.attention` shows it: norms on its
       query and key (QK-Norm), or its soft cap.

    **Parameters.** The dialect owns four discardable attributes of function
    arguments:

    - `norm.param = "layers.3.ffn.output_norm.scale"`: the argument is the model
      parameter of this name.
    - `norm.init = 1.0 : f64`: the value that every element of a new parameter
      starts from.
    - `norm.init_gain = 0.5 : f64`: the factor on the standard deviation of a
      parameter's initialization (beta of DeepNorm).
    - `norm.prepared`: the argument is a weight that another function computes of
      parameters; see `norm.prepare`.

    two of norms:

    - `norm.centered`: what the RMSNorm reads has mean zero, so that it is the
      LayerNorm that it was (see `norm-center-residual`).
    - `norm.dropped`: a conversion took the norm, whose parameters hold more than
      their initial value, out of use. It stays where it was, read by nothing, until
      the inverse conversion takes it back or dead code is eliminated.

    one of functions:

    - `norm.prepare = @forward.prepare`: the function of this name computes the
      arguments that are marked `norm.prepared`, in order, of parameters alone (see
      `norm-prepare-weights`).

    one of attentions:

    - `norm.replaced_scale = 0.125 : f64`: the `scale` that a learned one has
      replaced, for it to come back when the QK-Norm is removed.

    and one of modules:

    - `norm.probe_names = ["layers.0.ffn", ...]`: the names of the lowered probes,
      which call the function that records them with their position in this list.
  }];
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // RENORM_DIALECT_NORM_IR_NORMDIALECT_TD
