//===- NormInterfaces.td - What passes speak to ------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMINTERFACES_TD
#define RENORM_DIALECT_NORM_IR_NORMINTERFACES_TD

include "mlir/IR/OpBase.td"

// A pass that moves, makes or removes norms speaks to this interface and never
// to one operation, so that a new norm is one operation and no change of a pass.
def Norm_NormalizationOpInterface : OpInterface<"NormalizationOpInterface"> {
  let cppNamespace = "::mlir::norm";
  let description = [{
    An operation that divides its input, along some axes, by a statistic of it:

        result = center(x) / normalizer(x) * (unit_offset + scale) + bias

    One operand is the value that is normalized, `scale` and `bias` are optional,
    and the result has the type of the input.
  }];

  let methods = [
    InterfaceMethod<"The kind of the norm.", "::mlir::norm::NormKind", "getNormKind">,
    InterfaceMethod<"The value that is normalized.",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getInput">,
    InterfaceMethod<"The operand that holds the input.",
      "::mlir::OpOperand &", "getInputMutable">,
    InterfaceMethod<"The scale, or null.",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getScale">,
    InterfaceMethod<"The bias, or null (always null for a kind that has none).",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getBias", (ins), "", [{
        return {};
      }]>,
    InterfaceMethod<"The normalized value.",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getResult">,
    InterfaceMethod<"The axes as written, or none when they are the default.",
      "::std::optional<::llvm::ArrayRef<int64_t>>", "getAxes">,
    InterfaceMethod<"The dimensions of scale and bias as written, or none.",
      "::std::optional<::llvm::ArrayRef<int64_t>>", "getScaleDims">,
    InterfaceMethod<"The type of the statistics as written, or none.",
      "::std::optional<::mlir::Type>", "getComputeType">,
    InterfaceMethod<"Epsilon.", "::llvm::APFloat", "getEpsilon">,
    InterfaceMethod<"Where epsilon enters the normalizer.",
      "::mlir::norm::EpsilonMode", "getEpsilonMode">,
    InterfaceMethod<"Whether the value is multiplied by 1 + scale.",
      "bool", "getUnitOffset">,
    InterfaceMethod<"Whether the value is rounded to the input type before it is scaled.",
      "bool", "getCastBeforeScale">,
  ];

  let extraSharedClassDeclaration = [{
    /// The normalized dimensions of the input, ascending; the last one by default.
    ::llvm::SmallVector<int64_t> getNormalizedAxes() {
      return ::mlir::norm::detail::normalizedAxes($_op);
    }

    /// The dimensions of the input that the dimensions of scale and bias stand
    /// for, ascending; the normalized axes by default.
    ::llvm::SmallVector<int64_t> getScaleDimensions() {
      return ::mlir::norm::detail::scaleDimensions($_op);
    }

    /// How many elements are normalized together; none if that is dynamic.
    ::std::optional<int64_t> getNormalizedExtent() {
      return ::mlir::norm::detail::normalizedExtent($_op);
    }

    /// The type that statistics and normalization are computed in: as written,
    /// else f64 for an f64 input and f32 for any other.
    ::mlir::FloatType getStatisticsType() {
      return ::mlir::norm::detail::statisticsType($_op);
    }
  }];

  let verify = [{ return ::mlir::norm::detail::verifyNormalization($_op); }];
}

#endif // RENORM_DIALECT_NORM_IR_NORMINTERFACES_TD
