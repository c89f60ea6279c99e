//===- NormOps.td - Operations of the norm dialect ---------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMOPS_TD
#define RENORM_DIALECT_NORM_IR_NORMOPS_TD

include "renorm/Dialect/Norm/IR/NormBase.td"
include "renorm/Dialect/Norm/IR/NormFusionOps.td"
include "renorm/Dialect/Norm/IR/NormInterfaces.td"
include "renorm/Dialect/Norm/IR/NormStatsOps.td"

// A mask is added to the logits (float) or says which of them count (i1).
def Norm_MaskTensor : RankedTensorOf<[Norm_Float, I1]>;

// Operands, attributes and syntax that all norms share.
class Norm_NormalizationOp<string mnemonic, list<Trait> traits = []>
    : Norm_Op<mnemonic, traits # [
        Pure, AllTypesMatch<["input", "result"]>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<Norm_NormalizationOpInterface, ["getNormKind"]>]> {
  dag commonAttributes = (ins
    F64Attr:$epsilon,
    DefaultValuedAttr<Norm_EpsilonModeAttr, "::mlir::norm::EpsilonMode::Inside">:$epsilon_mode,
    OptionalAttr<DenseI64ArrayAttr>:$axes,
    OptionalAttr<DenseI64ArrayAttr>:$scale_dims,
    OptionalAttr<TypeAttrOf<Norm_Float>>:$compute_type,
    UnitAttr:$unit_offset,
    UnitAttr:$cast_before_scale);
  let results = (outs Norm_Tensor:$result);
  string commonFormat = [{
    `epsilon` `=` custom<F64>($epsilon) (`epsilon_mode` `=` $epsilon_mode^)?
    (`axes` `=` $axes^)? (`scale_dims` `=` $scale_dims^)?
    (`compute_type` `=` $compute_type^)?
    (`unit_offset` $unit_offset^)? (`cast_before_scale` $cast_before_scale^)?
    attr-dict `:` type($input)
  }];
  string scaleFormat = "$input (`scale` `(` $scale^ `:` type($scale) `)`)? ";
}

// The part of every norm's description that is the same for all.
defvar normCommonDescription = [{

    **Axes and shapes.** `axes` are the normalized dimensions of the input, any
    non-empty ascending set; the last one by default. `scale_dims` are the
    dimensions of the input that the dimensions of `scale` and `bias` stand for,
    ascending; `axes` by default. A weight of shape [H, d] on an input of shape
    [B, H, S, d] has `scale_dims = array<i64: 1, 3>`. A scale or bias of rank 0
    is one number for all elements.

    **Epsilon** is required, finite and not negative; `epsilon_mode` says where
    it enters the normalizer (`s` is what is written under the root above):
    `inside` sqrt(s + eps), `outside` sqrt(s) + eps, `clamp` max(sqrt(s), eps),
    `clamp_inside` sqrt(max(s, eps)).

    **Precision.** The input is converted to `compute_type` (by default `f64` for
    an `f64` input and `f32` for any other), statistics and result are computed in
    it, scale and bias are converted to it, and the result is rounded once to the
    type of the input. With `cast_before_scale` the normalized value is rounded to
    the type of the input and converted back before it is scaled (Llama). With
    `unit_offset` the value is multiplied by `1 + scale` (Gemma), the sum taken in
    `compute_type`.

    **Order and determinism.** The order of the reduction is the lowering's; it is
    the same in every run. Variance is never computed as E[x^2] - E[x]^2.

    **Tiling.** The dimensions that are not normalized are parallel loops, whose
    tiles slice scale and bias where `scale_dims` says so; `axes` are not tiled.

    **Constraints**
    1. (`norm_c1`) `axes` is not empty, strictly ascending, and in [0, rank).
    2. (`norm_c2`) No normalized dimension has extent 0.
    3. (`norm_c3`) `epsilon` is finite and not negative.
    4. (`norm_c4`) `scale_dims` is strictly ascending and in [0, rank).
    5. (`norm_c5`) `scale` and `bias` have rank 0, or one dimension for each of
       `scale_dims`, of the input's extent there.
    6. (`norm_c6`) `unit_offset` and `cast_before_scale` need a scale.
}];

def Norm_LayerNormOp : Norm_NormalizationOp<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "layer normalization";
  let description = [{
    Normalizes to mean 0 and variance 1 along `axes` (Ba et al. 2016, Eq. 4):

        result = (x - mean(x)) / sqrt(var(x) + eps) * scale + bias

    with the biased variance var(x) = mean((x - mean(x))^2). Scale and bias are
    each optional.
  }] # normCommonDescription # [{

    Example:

    ```mlir
    func.func @example(%x: tensor<2x12x64xf32>, %g: tensor<64xf32>,
                       %b: tensor<64xf32>) -> tensor<2x12x64xf32> {
      %0 = norm.layer_norm %x scale(%g : tensor<64xf32>) bias(%b : tensor<64xf32>)
             epsilon = 1.0e-05 : tensor<2x12x64xf32>
      return %0 : tensor<2x12x64xf32>
    }
    ```
  }];
  let arguments = !con((ins Norm_Tensor:$input, Optional<Norm_Tensor>:$scale,
                            Optional<Norm_Tensor>:$bias), commonAttributes);
  let assemblyFormat =
      scaleFormat # "(`bias` `(` $bias^ `:` type($bias) `)`)? " # commonFormat;
}

def Norm_RMSNormOp : Norm_NormalizationOp<"rms_norm", [AttrSizedOperandSegments]> {
  let summary = "root-mean-square normalization";
  let description = [{
    Normalizes to mean square 1 along `axes` (Zhang and Sennrich 2019, Eq. 4):

        result = x / sqrt(mean(x^2) + eps) * scale + bias

    Scale and, rarely used, bias are each optional.
  }] # normCommonDescription # [{

    Example:

    ```mlir
    func.func @example(%x: tensor<2x12x64xbf16>,
                       %g: tensor<64xbf16>) -> tensor<2x12x64xbf16> {
      %0 = norm.rms_norm %x scale(%g : tensor<64xbf16>)
             epsilon = 1.0e-06 cast_before_scale : tensor<2x12x64xbf16>
      return %0 : tensor<2x12x64xbf16>
    }
    ```
  }];
  let arguments = !con((ins Norm_Tensor:$input, Optional<Norm_Tensor>:$scale,
                            Optional<Norm_Tensor>:$bias), commonAttributes);
  let assemblyFormat =
      scaleFormat # "(`bias` `(` $bias^ `:` type($bias) `)`)? " # commonFormat;
}

def Norm_L2NormOp : Norm_NormalizationOp<"l2_norm"> {
  let summary = "normalization to unit length";
  let description = [{
    Divides by the Euclidean length along `axes`:

        result = x / sqrt(sum(x^2) + eps) * scale

    With a scale of rank 0 this is ScaleNorm (Nguyen and Salazar 2019, Eq. 5);
    without one it is what Henry et al. 2020 do to queries and keys.
  }] # normCommonDescription # [{

    Example:

    ```mlir
    func.func @example(%q: tensor<2x4x12x16xf32>) -> tensor<2x4x12x16xf32> {
      %0 = norm.l2_norm %q epsilon = 1.0e-12 epsilon_mode = clamp
             : tensor<2x4x12x16xf32>
      return %0 : tensor<2x4x12x16xf32>
    }
    ```
  }];
  let arguments = !con((ins Norm_Tensor:$input, Optional<Norm_Tensor>:$scale),
                       commonAttributes);
  let assemblyFormat = scaleFormat # commonFormat;
}

def Norm_ResidualAddOp : Norm_Op<"residual_add", [
    Pure, AllTypesMatch<["skip", "branch", "result"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "adds a sublayer's result to the residual stream";
  let description = [{
    The point where a sublayer writes to the residual stream (the trunk):

        result = residual_scale * skip + branch_scale * branch

    `skip` is the trunk before the sublayer and `branch` what the sublayer
    computed from it. `residual_scale` is alpha of DeepNorm (Wang et al. 2022,
    Eq. 1), `branch_scale` the residual multiplier of Granite and MiniCPM; both
    are 1 and not printed by default.

    **Precision.** Computed in the element type: a scale other than 1 is rounded
    to it, each product and the sum are rounded to it.

    **Tiling.** Every dimension is a parallel loop.

    **Constraints**
    1. (`residual_add_c1`) Skip, branch and result have the same type.
    2. (`residual_add_c2`) Both scales are finite.

    Example:

    ```mlir
    func.func @example(%x: tensor<2x12x64xf32>,
                       %y: tensor<2x12x64xf32>) -> tensor<2x12x64xf32> {
      %0 = norm.residual_add %x, %y : tensor<2x12x64xf32>
      %1 = norm.residual_add %0, %y residual_scale = 2.3784 : tensor<2x12x64xf32>
      return %1 : tensor<2x12x64xf32>
    }
    ```
  }];
  let arguments = (ins Norm_Tensor:$skip, Norm_Tensor:$branch,
    DefaultValuedAttr<F64Attr, "1.0">:$residual_scale,
    DefaultValuedAttr<F64Attr, "1.0">:$branch_scale);
  let results = (outs Norm_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$skip, "::mlir::Value":$branch,
                             CArg<"double", "1.0">:$residualScale,
                             CArg<"double", "1.0">:$branchScale), [{
    build($_builder, $_state, skip.getType(), skip, branch,
          $_builder.getF64FloatAttr(residualScale),
          $_builder.getF64FloatAttr(branchScale));
  }]>];
  let assemblyFormat = [{
    $skip `,` $branch (`residual_scale` `=` custom<F64>($residual_scale)^)?
    (`branch_scale` `=` custom<F64>($branch_scale)^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Norm_AttentionOp : Norm_Op<"attention", [
    Pure, AttrSizedOperandSegments,
    InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "scaled dot-product attention";
  let description = [{
    Attention of every query to the keys it may see:

        logits = softcap(scale * query key^T) + mask
        result = softmax(logits) value

    **Shapes.** `query` is [batch..., heads, seq_q, head_dim], `key`
    [batch..., kv_heads, seq_k, head_dim], `value` [batch..., kv_heads, seq_k,
    value_dim], the result [batch..., heads, seq_q, value_dim] of the query's
    element type. Query head h reads key/value head h * kv_heads / heads
    (grouped-query attention, Ainslie et al. 2023).

    **Logits.** They are multiplied by `scale` (by default 1/sqrt(head_dim);
    Vaswani et al. 2017, Eq. 1) or, instead, by the operand `learned_scale` of
    shape [] or [heads] (g of Henry et al. 2020, Eq. 3). `softcap` c replaces a
    logit s by c * tanh(s / c). A floating-point `mask` is added after that; an
    `i1` mask sets the logits where it is false to minus infinity. It has at most
    the rank of the logits [batch..., heads, seq_q, seq_k] and broadcasts to them
    from the last dimension on (an extent of 1 stands for all). With `causal`,
    query i sees key j only if j <= i + seq_k - seq_q; with `window` w, only if
    j > i + seq_k - seq_q - w (and, without `causal`, j < i + seq_k - seq_q + w).
    With `zero_masked_rows` a query that sees no key at all gives zeros, not NaN.

    **Precision.** Logits and softmax are computed in `compute_type` (by default
    `f64` for an `f64` query and `f32` for any other), the maximum subtracted
    before the exponential; the result is rounded once to the result type.

    **Order and determinism.** The order of the reductions is the lowering's; it is
    the same in every run.

    **Tiling.** The dimensions of the result are parallel loops. A tile of heads
    holds whole groups of those that share a key/value head, or divides one. With
    `causal` a tile of queries reads the keys up to the one its last query is
    aligned with, where there are at least as many keys as queries; with `window`
    alone queries are not tiled.

    **Constraints**
    1. (`attention_c1`) Query, key and value have the same rank, at least 3, the
       same batch extents and the same element type.
    2. (`attention_c2`) Query and key have the same head_dim, not 0.
    3. (`attention_c3`) Key and value have the same heads and seq_k, and the
       query's heads are a multiple of theirs.
    4. (`attention_c4`) The mask broadcasts to the logits.
    5. (`attention_c5`) `scale` and `learned_scale` exclude each other; `scale` is
       finite; `learned_scale` has rank 0 or shape [heads].
    6. (`attention_c6`) `softcap` is finite and positive, `window` is positive.
    7. (`attention_c7`) The result has the inferred type.

    Example:

    ```mlir
    func.func @example(%q: tensor<2x4x12x16xf32>, %k: tensor<2x2x12x16xf32>,
                       %v: tensor<2x2x12x16xf32>,
                       %m: tensor<2x1x12x12xf32>) -> tensor<2x4x12x16xf32> {
      %0 = norm.attention %q, %k, %v mask(%m : tensor<2x1x12x12xf32>) scale = 0.125
             softcap = 50.0
             : tensor<2x4x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x16xf32>
      return %0 : tensor<2x4x12x16xf32>
    }
    ```
  }];
  let arguments = (ins Norm_Tensor:$query, Norm_Tensor:$key, Norm_Tensor:$value,
    Optional<Norm_MaskTensor>:$mask, Optional<Norm_Tensor>:$learned_scale,
    OptionalAttr<F64Attr>:$scale, UnitAttr:$causal,
    OptionalAttr<F64Attr>:$softcap, OptionalAttr<I64Attr>:$window,
    UnitAttr:$zero_masked_rows, OptionalAttr<TypeAttrOf<Norm_Float>>:$compute_type);
  let results = (outs Norm_Tensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`learned_scale` `(` $learned_scale^ `:` type($learned_scale) `)`)?
    (`scale` `=` custom<F64>($scale)^)? (`causal` $causal^)? (`softcap` `=` custom<F64>($softcap)^)?
    (`window` `=` $window^)? (`zero_masked_rows` $zero_masked_rows^)?
    (`compute_type` `=` $compute_type^)?
    attr-dict `:` type($query) `,` type($key) `,` type($value)
  }];
  let extraClassDeclaration = [{
    int64_t getHeads() { return getQuery().getType().getShape().end()[-3]; }
    int64_t getKeyValueHeads() { return getKey().getType().getShape().end()[-3]; }
    int64_t getHeadDim() { return getQuery().getType().getShape().back(); }

    /// The factor on the logits: `scale`, else 1/sqrt(head_dim); none if it is an
    /// operand, or head_dim is dynamic.
    ::std::optional<double> getLogitScale();

    /// The type of logits and softmax.
    ::mlir::FloatType getSoftmaxType();

    /// The shape of the logits [batch..., heads, seq_q, seq_k].
    ::llvm::SmallVector<int64_t> getLogitShape();
  }];
  let hasVerifier = 1;
}

def Norm_ProbeResource : Resource<"::mlir::norm::ProbeResource">;

def Norm_ProbeOp : Norm_Op<"probe", [
    MemoryEffects<[MemWrite<Norm_ProbeResource>]>]> {
  let summary = "records the statistics of a value when run";
  let description = [{
    A tap: each time it runs it records, under `name`, over all elements of the
    input: the mean, the biased variance, the largest absolute value (NaN if there
    is a NaN) and the kurtosis m4 / m2^2 (3 for a normal distribution; NaN where
    the variance is 0), each computed in `f64`. It changes no value.

    **Constraints**
    1. (`probe_c1`) `name` is not empty.

    Example:

    ```mlir
    func.func @example(%x: tensor<2x12x64xf32>) {
      norm.probe %x {name = "layers.3.ffn"} : tensor<2x12x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins Norm_Tensor:$input, StrAttr:$name);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

#endif // RENORM_DIALECT_NORM_IR_NORMOPS_TD
