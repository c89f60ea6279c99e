//===- NormFusionOps.td - What becomes one kernel ----------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMFUSIONOPS_TD
#define RENORM_DIALECT_NORM_IR_NORMFUSIONOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "renorm/Dialect/Norm/IR/NormBase.td"

// How the norms of a group are computed; see norm.fusion.
def Norm_FusionStrategy : I32Enum<"FusionStrategy",
    "how norms are computed beside a matmul", [
      I32EnumCase<"GroupedRows", 0, "grouped_rows">,
      I32EnumCase<"WholeRow", 1, "whole_row">,
      I32EnumCase<"TwoKernelStats", 2, "two_kernel_stats">,
      I32EnumCase<"Deferred", 3, "deferred">,
      I32EnumCase<"RowKernel", 4, "row_kernel">
    ]> {
  let cppNamespace = "::mlir::norm";
}
def Norm_FusionStrategyAttr
    : EnumAttr<Norm_Dialect, Norm_FusionStrategy, "fusion_strategy">;
def Norm_FusionStrategiesAttr
    : TypedArrayAttrBase<Norm_FusionStrategyAttr, "array of fusion strategies">;

def Norm_FusionOp : Norm_Op<"fusion", [
    IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"::mlir::norm::YieldOp">]> {
  let summary = "a part of a program that becomes one kernel";
  let description = [{
    A region that is computed in one kernel: nothing that is neither an operand nor a
    result lies in memory between its operations. It adds no meaning. With its
    operands in the place of the block's arguments, the region is what it was made of,
    which `norm-inline-fusion` gives back.

    In the region is one contraction at most, its *root*; a *prologue* that computes
    operands of the root; and an *epilogue* that computes of the root's result what
    `norm.yield` returns. Without a root it is a kernel that goes through rows.

    `strategies` says how the norms in the region, or those of which it has one half,
    are computed:

    | strategy | the norm |
    |---|---|
    | `grouped_rows` | is in the epilogue, over groups of the result's columns that lie in one tile |
    | `whole_row` | is in the epilogue, over all columns of the result |
    | `two_kernel_stats` | has its statistics in the epilogue of one group, and is applied by those that read the value |
    | `deferred` | is applied in the epilogue to the result of a root that reads the value itself |
    | `row_kernel` | is in a group without a root, which has the whole row |

    **Constraints**
    1. (`fusion_c1`) The block has an argument of its type for each input.
    2. (`fusion_c2`) The results have the types of what is yielded.
    3. (`fusion_c3`) There is one contraction at most in the region.

    Example:

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>, %g: tensor<320xbf16>) -> tensor<4x320xbf16> {
      %0 = norm.fusion strategies = [row_kernel]
          (%a = %x : tensor<4x320xbf16>, %s = %g : tensor<320xbf16>) -> (tensor<4x320xbf16>) {
        %1 = norm.rms_norm %a scale(%s : tensor<320xbf16>) epsilon = 1.0e-06 : tensor<4x320xbf16>
        norm.yield %1 : tensor<4x320xbf16>
      }
      return %0 : tensor<4x320xbf16>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
    DefaultValuedAttr<Norm_FusionStrategiesAttr, "{}">:$strategies);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The contraction, or null.
    ::mlir::Operation *getRoot();

    /// What `norm.yield` returns.
    ::mlir::OperandRange getYieldedValues();

    /// Replaces the operation by those of its region.
    void inlineBody(::mlir::RewriterBase &rewriter);
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Norm_YieldOp : Norm_Op<"yield", [
    Pure, ReturnLike, Terminator, HasParent<"::mlir::norm::FusionOp">]> {
  let summary = "returns the results of a norm.fusion";
  let description = [{
    Ends the region of a `norm.fusion`; its operands are the results of that.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$results);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, {}); }]>];
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
}

#endif // RENORM_DIALECT_NORM_IR_NORMFUSIONOPS_TD
