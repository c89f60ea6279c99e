"""Kernels that go through rows, against float64: every width of access, rows in some lanes, in a warp and in several,
rows that end inside of a block, means far from zero."""

import kernels
import numpy as np
from groups import Group, emulate
from numerics import SMALLEST, UNIT, check, decode, encode
from reference import ops

def norm_bound(kind, x, y, element, scale, epsilon=1e-5):
    """How far a norm in f32 may be from `y`, in float64.

    Statistics: a sum of n terms has log2(32 n) or fewer roundings on any way through the threads' sums and the
    reduction, plus one for each of the 32 a thread adds in a row at most. The rest are those of the root, the
    reciprocal, two products, a sum, and the differences with the mean, which are relative to x."""
    n = x.shape[-1]
    sums = (40 + np.log2(n)) * UNIT["f32"]
    size = np.abs(y) * (sums + 8 * UNIT["f32"])
    if kind == "layer":
        deviation = np.sqrt(x.var(-1, keepdims=True) + epsilon)
        # The mean in two parts is exact to a rounding of its second one.
        size = size + 4 * UNIT["f32"] * np.abs(x).max(-1, keepdims=True) / deviation * np.abs(scale)
    return size + UNIT[element] * (np.abs(y) + size) + SMALLEST[element]


REFERENCE = {"rms": ops.rms_norm, "layer": ops.layer_norm, "l2": ops.l2_norm}

# Kind, shape, element, attributes, parameters, mean of x.
NORMS = [
    ("rms", ["M", 320], "bf16", "", ("scale",), 0),
    ("rms", ["M", 4096], "bf16", "", ("scale",), 0),
    ("layer", ["M", 1600], "f32", "", ("scale", "bias"), 300),
    ("layer", ["M", 33], "f16", "", ("scale", "bias"), 10),
    ("layer", ["M", 8192], "f16", "", (), 0),
    ("l2", [2, "M", 3, 64], "bf16", "", ("scale",), 0),
    ("rms", ["M", 2, 6], "f32", "axes = [1, 2] scale_dims = [2]", ("scale",), 0),
    ("rms", ["M", 64], "bf16", "unit_offset", ("scale",), 0),
]


def test_norms():
    for index, (kind, shape, element, attributes, parameters, mean) in enumerate(NORMS):
        group = kernels.norm(kind, shape, element, attributes, parameters)
        for rows in (1, 5):
            arrays = group.random_inputs(rows, index, offsets={"x": mean})
            x, scale, bias = (arrays.get(name) for name in ("x", "scale", "bias"))
            axes, scale_dims = ((1, 2), (2,)) if "axes" in attributes else ((-1,), None)
            options = {"bias": bias} if kind == "layer" else {}
            expected = REFERENCE[kind](x, scale, **options, epsilon=1e-5, axes=axes, scale_dims=scale_dims,
                                       unit_offset="unit_offset" in attributes)  # fmt: skip
            flat = x.reshape(x.shape[0], -1) if "axes" in attributes else x
            size = np.abs(1 if scale is None else scale)
            bound = norm_bound(kind, flat, expected.reshape(flat.shape), element, size if flat is x else 1)
            if bias is not None:
                bound = bound + UNIT["f32"] * np.abs(bias)
            actual = emulate(group, rows, arrays, dynamic=rows == 5, seeds=2)["y"]
            check(actual, expected, bound.reshape(x.shape), f"{kind} {shape} {element} {rows}")


def test_added():
    """A residual addition and the norm of it: both are results, and the sum is rounded before it is normalized."""
    for shape, element in ((["M", 768], "bf16"), (["M", 1600], "f32"), ([2, "M", 100], "f16")):
        group = kernels.added(shape, element)
        arrays = group.random_inputs(3, 7, offsets={"r": 3})
        results = emulate(group, 3, arrays, dynamic=True)
        total = decode(encode(arrays["r"] + 0.5 * arrays["b"], element), element)
        assert (results["s"] == total).all(), element
        expected = ops.layer_norm(total, arrays["scale"], epsilon=1e-5)
        check(results["y"], expected, norm_bound("layer", total, expected, element, arrays["scale"]), f"norm {element}")


def test_cast_before_scale():
    """The normalized value is rounded before it is scaled: within one rounding more than in f32."""
    group = kernels.norm("rms", ["M", 96], "bf16", "cast_before_scale", ("scale",))
    arrays = group.random_inputs(4, 3)
    plain = ops.rms_norm(arrays["x"], epsilon=1e-5)
    bound = norm_bound("rms", arrays["x"], plain, "bf16", 1)
    expected = plain * arrays["scale"]
    bound = bound * np.abs(arrays["scale"]) + UNIT["bf16"] * np.abs(expected) * 1.01
    actual = emulate(group, 4, arrays)["y"]
    check(actual, expected, bound, "cast before scale")
    rounded = decode(encode(plain, "bf16"), "bf16") * arrays["scale"]
    # Most elements are on the same side of a rounding in both; without the cast they would not be.
    assert np.mean(actual == decode(encode(rounded, "bf16"), "bf16")) > 0.98


def test_applied():
    """Statistics that other kernels left, merged and applied."""
    shape = ["M", 192]
    group = Group(
        {"x": (shape, "bf16"), "mean": (["M", 3], "f32"), "variance": (["M", 3], "f32"), "scale": ([192], "bf16")},
        {"y": (shape, "bf16")},
        "%m, %v = norm.merge_stats layer %mean, %variance group_size = 80 extent = 192 : T(mean), T(variance)\n"
        "%y = norm.apply_stats layer %x stats(%m, %v : tensor<{M}xf32>, tensor<{M}xf32>) scale(%scale : T(scale))"
        " epsilon = 1.0e-5 : T(x) -> T(y)",
    )
    for rows in (1, 6):
        arrays = group.random_inputs(rows, rows)
        weights = np.array([80, 80, 32]) / 192
        mean = (weights * arrays["mean"]).sum(1, keepdims=True)
        spread = arrays["variance"] + np.square(arrays["mean"] - mean)
        deviation = np.sqrt((weights * spread).sum(1, keepdims=True) + 1e-5)
        expected = (arrays["x"] - mean) / deviation * arrays["scale"]
        size = (np.abs(arrays["x"]) + np.abs(arrays["mean"]).max()) / deviation * np.abs(arrays["scale"])
        bound = 24 * UNIT["f32"] * size + UNIT["bf16"] * np.abs(expected)
        check(emulate(group, rows, arrays, dynamic=rows == 6)["y"], expected, bound, "apply")


def test_reductions():
    """What linalg reduces along rows, by every operation, each of several numbers at once, from an initial value on,
    with a NaN in a row, of rows that fill a warp and that do not."""
    operations = {"addf": np.sum, "maximumf": np.max, "minimumf": np.min, "maxnumf": np.nanmax, "minnumf": np.nanmin}
    for element, shape, dims in (("f32", ["M", 70], "[1]"), ("f16", ["M", 2, 32], "[1, 2]")):
        inputs = {"x": (shape, element)} | {f"init_{name}": (["M"], element) for name in operations}
        results = {f"y_{name}": (["M"], element) for name in operations}
        group = Group(inputs, results, "\n".join(
            f"%y_{name} = linalg.reduce {{arith.{name}}} ins(%x : T(x)) outs(%init_{name} : T(y_{name})) dimensions = {dims}"
            for name in operations))  # fmt: skip
        arrays = group.random_inputs(5, 3, scales={f"init_{name}": 3 for name in operations})
        arrays["x"].reshape(5, -1)[2, 3] = np.nan
        actual = emulate(group, 5, arrays, seeds=2)
        x = arrays["x"].reshape(5, -1)
        for name, reduce in operations.items():
            init = arrays[f"init_{name}"][:, None]
            expected = reduce(np.concatenate([init, x], 1), axis=1)
            bound = np.full_like(expected, SMALLEST[element])
            if name == "addf":
                bound += 12 * UNIT["f32"] * np.abs(x).sum(1) + UNIT[element] * np.abs(expected)
            is_nan = np.isnan(expected)
            np.testing.assert_array_equal(np.isnan(actual[f"y_{name}"]), is_nan, name)
            assert is_nan.sum() == ("num" not in name), name
            what = f"{name} {element}"
            check(actual[f"y_{name}"][~is_nan], expected[~is_nan], bound[~is_nan], what)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed")


if __name__ == "__main__":
    main()
