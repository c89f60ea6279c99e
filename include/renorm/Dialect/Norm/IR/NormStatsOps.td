//===- NormStatsOps.td - The two halves of a norm ----------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMSTATSOPS_TD
#define RENORM_DIALECT_NORM_IR_NORMSTATSOPS_TD

include "renorm/Dialect/Norm/IR/NormBase.td"

// Statistics are kept in f32 (f64 for an f64 input): in 16 bits they are useless.
def Norm_StatisticsTensor : RankedTensorOf<[F64, F32]>;

defvar normStatisticsTable = [{

    | kind | statistics of n elements |
    |---|---|
    | `layer` | mean m = sum(x) / n and variance sum((x - m)^2) / n |
    | `rms` | mean square sum(x^2) / n |
    | `l2` | sum of squares sum(x^2) |
}];

def Norm_RowStatsOp : Norm_Op<"row_stats", [
    Pure, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the statistics that a norm divides by";
  let description = [{
    The first half of a norm, which `norm.apply_stats` is the second of:

        norm(x) = apply_stats(x, row_stats(x))
  }] # normStatisticsTable # [{

    **Axes and shapes.** `axes` are the reduced dimensions, any non-empty ascending
    set; the last one by default. Each result has the other dimensions. With
    `group_size` s there is one axis, of static extent n, and statistics are those of
    each s elements along it (the last group may have fewer): each result has one
    more dimension, the last, of extent ceil(n / s). `norm.merge_stats` makes the
    statistics of the whole axis of them. So a matmul that computes a row in several
    tiles can leave the statistics of each.

    **Precision.** The input is converted to the type of the results, `f64` for an
    `f64` input and `f32` for any other, and statistics are computed in it. Variance
    is never computed as E[x^2] - E[x]^2.

    **Order and determinism.** The order of the reduction is the lowering's; it is
    the same in every run.

    **Tiling.** The dimensions that are not reduced are parallel loops; `axes` are
    not tiled.

    **Constraints**
    1. (`row_stats_c1`) `axes` is not empty, strictly ascending, and in [0, rank).
    2. (`row_stats_c2`) No reduced dimension has extent 0.
    3. (`row_stats_c3`) `group_size` is positive, and there is one axis then, of
       static extent.
    4. (`row_stats_c4`) The results have the inferred types.

    Example:

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>) -> (tensor<4xf32>, tensor<4x3xf32>) {
      %mean, %variance = norm.row_stats layer %x : tensor<4x320xbf16>
      %mean_square = norm.row_stats rms %x group_size = 128 : tensor<4x320xbf16>
      return %mean, %mean_square : tensor<4xf32>, tensor<4x3xf32>
    }
    ```
  }];
  let arguments = (ins Norm_NormKindAttr:$kind, Norm_Tensor:$input,
    OptionalAttr<DenseI64ArrayAttr>:$axes, OptionalAttr<I64Attr>:$group_size);
  let results = (outs Variadic<Norm_StatisticsTensor>:$statistics);
  let assemblyFormat = [{
    `` $kind $input (`axes` `=` $axes^)? (`group_size` `=` $group_size^)? attr-dict
    `:` type($input)
  }];
  let extraClassDeclaration = [{
    /// The reduced dimensions, ascending.
    ::llvm::SmallVector<int64_t> getReducedAxes();
  }];
  let hasVerifier = 1;
}

def Norm_MergeStatsOp : Norm_Op<"merge_stats", [
    Pure, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the statistics of rows from those of their groups";
  let description = [{
    Merges what `norm.row_stats` with a `group_size` computed, along the last
    dimension, into the statistics of the whole axis. Group g holds
    n_g = min(group_size, extent - g * group_size) of its `extent` elements. With
    w_g = n_g / extent (Chan et al. 1979, Eq. 2.1, for several groups):

        layer   mean     = sum(w_g mean_g)
                variance = sum(w_g (variance_g + (mean_g - mean)^2))
        rms     mean square    = sum(w_g mean_square_g)
        l2      sum of squares = sum(sum_of_squares_g)

    **Precision.** Computed in the type of the statistics.

    **Order and determinism.** The order of the reduction is the lowering's; it is
    the same in every run.

    **Tiling.** The dimensions of the results are parallel loops.

    **Constraints**
    1. (`merge_stats_c1`) There are two statistics for `layer` and one for any other
       kind, all of one type, of rank 1 or more.
    2. (`merge_stats_c2`) `group_size` and `extent` are positive, and the last
       dimension has ceil(extent / group_size) groups.
    3. (`merge_stats_c3`) The results have the inferred types.

    Example:

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>) -> tensor<4xf32> {
      %0:2 = norm.row_stats layer %x group_size = 128 : tensor<4x320xbf16>
      %mean, %variance = norm.merge_stats layer %0#0, %0#1 group_size = 128 extent = 320
                           : tensor<4x3xf32>, tensor<4x3xf32>
      return %variance : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Norm_NormKindAttr:$kind,
    Variadic<Norm_StatisticsTensor>:$partials, I64Attr:$group_size, I64Attr:$extent);
  let results = (outs Variadic<Norm_StatisticsTensor>:$statistics);
  let assemblyFormat = [{
    `` $kind $partials `group_size` `=` $group_size `extent` `=` $extent attr-dict
    `:` type($partials)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Norm_ApplyStatsOp : Norm_Op<"apply_stats", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "normalizes by statistics that are given";
  let description = [{
    The second half of a norm. With the statistics that `norm.row_stats` computes,
    the normalizer r is the root of the variance, mean square or sum of squares,
    epsilon where `epsilon_mode` says:

        layer     result = (x - mean * column_sums) / r * scale + bias
        rms, l2   result = x / r * scale + bias

    The statistics need not be those of `x`. Where x = z W and z has them, this is
    the norm of z times W: `norm(z) W = apply_stats(z W, row_stats(z))`, with
    `column_sums` those of W, sum(W_kj) over k, and a scale of z's columns folded
    into W before. So a norm can be applied after the matmul that reads it.
    `column_sums` are 1 by default.

    **Axes and shapes.** `axes` are the dimensions of `x` that the statistics do not
    have; the last one by default. The result has the shape of `x`. `scale_dims` are
    the dimensions of `x` that those of `scale`, `bias` and `column_sums` stand for,
    ascending; `axes` by default. Each of them may have rank 0, which is one number
    for all elements.

    **Precision.** Everything is converted to the type of the statistics and computed
    in it, and the result is rounded once to its type. With `cast_before_scale` the
    normalized value is rounded to the type of the result and converted back before
    it is scaled. With `unit_offset` the value is multiplied by `1 + scale`.

    **Tiling.** Every dimension is a parallel loop, `axes` too.

    **Constraints**
    1. (`apply_stats_c1`) There are two statistics for `layer` and one for any other
       kind, all of one type, with the dimensions of `x` that are not in `axes`.
    2. (`apply_stats_c2`) `axes` is not empty, strictly ascending, and in [0, rank).
    3. (`apply_stats_c3`) `epsilon` is finite and not negative.
    4. (`apply_stats_c4`) `scale_dims` is strictly ascending and in [0, rank).
    5. (`apply_stats_c5`) `scale`, `bias` and `column_sums` have rank 0, or one
       dimension for each of `scale_dims`, of the extent of `x` there.
    6. (`apply_stats_c6`) `unit_offset` and `cast_before_scale` need a scale, and
       `column_sums` the kind `layer`.
    7. (`apply_stats_c7`) The result has the shape of `x`.

    Example:

    ```mlir
    func.func @example(%x: tensor<4x320xbf16>, %g: tensor<320xbf16>) -> tensor<4x320xbf16> {
      %mean, %variance = norm.row_stats layer %x : tensor<4x320xbf16>
      %0 = norm.apply_stats layer %x stats(%mean, %variance : tensor<4xf32>, tensor<4xf32>)
             scale(%g : tensor<320xbf16>) epsilon = 1.0e-05
             : tensor<4x320xbf16> -> tensor<4x320xbf16>
      return %0 : tensor<4x320xbf16>
    }
    ```
  }];
  let arguments = (ins Norm_NormKindAttr:$kind, Norm_Tensor:$input,
    Variadic<Norm_StatisticsTensor>:$statistics, Optional<Norm_Tensor>:$column_sums,
    Optional<Norm_Tensor>:$scale, Optional<Norm_Tensor>:$bias, F64Attr:$epsilon,
    DefaultValuedAttr<Norm_EpsilonModeAttr, "::mlir::norm::EpsilonMode::Inside">:$epsilon_mode,
    OptionalAttr<DenseI64ArrayAttr>:$axes, OptionalAttr<DenseI64ArrayAttr>:$scale_dims,
    UnitAttr:$unit_offset, UnitAttr:$cast_before_scale);
  let results = (outs Norm_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $input `stats` `(` $statistics `:` type($statistics) `)`
    (`column_sums` `(` $column_sums^ `:` type($column_sums) `)`)?
    (`scale` `(` $scale^ `:` type($scale) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    `epsilon` `=` custom<F64>($epsilon) (`epsilon_mode` `=` $epsilon_mode^)?
    (`axes` `=` $axes^)? (`scale_dims` `=` $scale_dims^)?
    (`unit_offset` $unit_offset^)? (`cast_before_scale` $cast_before_scale^)?
    attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The dimensions of the input that the statistics do not have, ascending.
    ::llvm::SmallVector<int64_t> getReducedAxes();

    /// The dimensions of the input that those of scale, bias and column sums stand
    /// for, ascending.
    ::llvm::SmallVector<int64_t> getScaleDimensions();
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // RENORM_DIALECT_NORM_IR_NORMSTATSOPS_TD
