//===- NormEnums.td - Enumerations of the norm dialect -----*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMENUMS_TD
#define RENORM_DIALECT_NORM_IR_NORMENUMS_TD

include "mlir/IR/EnumAttr.td"
include "renorm/Dialect/Norm/IR/NormDialect.td"

// Where epsilon enters the normalizer. With s the mean of squares (layer norm:
// the variance; l2 norm: the sum of squares), the normalizer is
//   inside        sqrt(s + eps)
//   outside       sqrt(s) + eps
//   clamp         max(sqrt(s), eps)
//   clamp_inside  sqrt(max(s, eps))
def Norm_EpsilonMode : I32Enum<"EpsilonMode",
    "where epsilon enters the normalizer", [
      I32EnumCase<"Inside", 0, "inside">,
      I32EnumCase<"Outside", 1, "outside">,
      I32EnumCase<"Clamp", 2, "clamp">,
      I32EnumCase<"ClampInside", 3, "clamp_inside">
    ]> {
  let cppNamespace = "::mlir::norm";
}
def Norm_EpsilonModeAttr
    : EnumAttr<Norm_Dialect, Norm_EpsilonMode, "epsilon_mode">;

// What a norm divides by; see the operations of these names.
def Norm_NormKind : I32Enum<"NormKind", "kind of a normalization", [
      I32EnumCase<"Layer", 0, "layer">,
      I32EnumCase<"RMS", 1, "rms">,
      I32EnumCase<"L2", 2, "l2">
    ]> {
  let cppNamespace = "::mlir::norm";
}
def Norm_NormKindAttr : EnumAttr<Norm_Dialect, Norm_NormKind, "norm_kind">;

#endif // RENORM_DIALECT_NORM_IR_NORMENUMS_TD
