"""Kernels of a matmul with what is fused into it, against float64: every loader, edges in M, N and K, statistics in and
out, norms in the epilogue and on the operand."""

import math

import kernels
import numpy as np
from groups import emulate
from numerics import UNIT, check, decode, encode
from reference import ops

TF32_OPTION = "f32-precision=tf32"


def round_to_tf32(array):
    """To 10 bits of mantissa, ties away from zero."""
    mantissa, exponent = np.frexp(array)
    return np.ldexp(np.sign(mantissa) * np.floor(np.abs(mantissa) * 2**11 + 0.5), exponent - 11)


def factors(arrays, options):
    """The arrays, a and w as a product with the options reads them."""
    return arrays | {name: round_to_tf32(arrays[name]) for name in ("a", "w")} if TF32_OPTION in options else arrays


def multiply(arrays, weight):
    """The product and how far sums of f32 may be from it."""
    a, w = arrays["a"], arrays["w"].T if weight == "nk" else arrays["w"]
    return a @ w, (a.shape[-1] + 8) * UNIT["f32"] * (np.abs(a) @ np.abs(w))


def rounded(expected, bound, element):
    return bound + UNIT[element] * (np.abs(expected) + bound)


def run(group, rows, arrays, options="", **how):
    return emulate(group, rows, arrays, options=options, kernels=2 if "split-k" in options else 1, **how)


# Element, weight, M, N, K.
PLAIN = [
    ("bf16", "nk", 130, 136, 96),  # asynchronous copies, edges in M and N
    ("bf16", "kn", 128, 256, 128),  # full tiles
    ("bf16", "nk", 1160, 136, 32),  # more rows of tiles than are walked through together
    ("bf16", "kn", 5, 72, 40),  # zeros behind K
    ("bf16", "nk", 3, 33, 35),  # elements one by one, odd N and K
    ("bf16", "kn", 3, 33, 35),
    ("f16", "nk", 66, 1, 64),  # a matrix by a vector
    ("f16", "kn", 40, 136, 232),  # more tiles than stages
    ("f32", "nk", 20, 40, 52),
    ("f32", "kn", 130, 18, 17),
    ("f32", "kn", 3, 132, 40),
]


def test_plain():
    for index, (element, weight, rows, columns, depth) in enumerate(PLAIN):
        group = kernels.plain(element, weight, columns, depth)
        arrays = group.random_inputs(rows, index)
        actual = emulate(group, rows, arrays, dynamic=index % 2 == 0, seeds=1 if rows > 1000 else 2)["p"]
        check(actual, *multiply(arrays, weight), f"{element} {weight} {rows} {columns} {depth}")


# Element, weight, M, N, K of products of few rows, whose tiles have 16, 32 or 64: M at their edges, K too and of fewer
# tiles than stages and of more, several tiles along N.
FEW_ROWS = [
    ("bf16", "nk", 16, 128, 256),
    ("bf16", "kn", 1, 264, 72),
    ("f16", "nk", 15, 33, 35),
    ("f16", "kn", 1, 1, 1),
    ("bf16", "kn", 16, 33, 35),
    ("bf16", "nk", 17, 40, 64),
    ("f16", "kn", 32, 136, 232),
    ("bf16", "nk", 33, 136, 40),
    ("f16", "kn", 64, 128, 128),
    ("f32", "nk", 7, 130, 100),
    ("f32", "kn", 2, 132, 136),
    ("f32", "nk", 31, 20, 33),
    ("f32", "kn", 50, 132, 20),
]


def test_few_rows():
    for index, (element, weight, rows, columns, depth) in enumerate(FEW_ROWS):
        group = kernels.plain(element, weight, columns, depth)
        for seed in (index, index + 50):
            for options in ("", TF32_OPTION) if element == "f32" else ("",):
                check_plain(group, element, weight, rows, seed, options)


def check_plain(group, element, weight, rows, seed, options):
    arrays = group.random_inputs(rows, seed)
    actual = run(group, rows, arrays, options, seeds=2)["p"]
    what = f"plain {element} {weight} {rows} {arrays['w'].shape} {seed} {options}"
    check(actual, *multiply(factors(arrays, options), weight), what)


# Weight, M, N, K.
TF32 = [
    ("nk", 130, 136, 48),  # asynchronous copies, edges in M and N
    ("kn", 128, 256, 64),  # full tiles
    ("nk", 3, 33, 35),  # elements one by one, odd N and K
    ("kn", 67, 33, 35),
    ("kn", 9, 132, 20),  # zeros behind K
    ("kn", 9, 72, 1),
    ("nk", 2, 5, 1),
]


def test_tf32():
    """f32 by tensor cores: the operands are rounded, the sums are not."""
    for index, (weight, rows, columns, depth) in enumerate(TF32):
        group = kernels.plain("f32", weight, columns, depth)
        for seed in (index, index + 100):
            arrays = group.random_inputs(rows, seed)
            actual = emulate(group, rows, arrays, dynamic=index % 2 == 0, seeds=2, options=TF32_OPTION)["p"]
            what = f"tf32 {weight} {rows} {columns} {depth} {seed}"
            expected, bound = multiply(arrays, weight)
            w = arrays["w"].T if weight == "nk" else arrays["w"]
            # Each factor is off by half a unit of 2^-10.
            check(actual, expected, bound + (2 * 2.0**-11 + 2.0**-22) * (np.abs(arrays["a"]) @ np.abs(w)), what)
            check(actual, *multiply(factors(arrays, TF32_OPTION), weight), what)
        exact = emulate(group, rows, arrays, dynamic=index % 2 == 0)["p"]
        check(exact, expected, bound, f"{what} without the option")


def test_tf32_limits():
    """A tie goes away from zero; what would be rounded to 2^128 is infinite; NaN and infinities remain what they are."""
    tie, largest = 1 + 2.0**-11, 2.0**128 - 2.0**104
    values = [tie, -tie, np.nextafter(np.float32(tie), np.float32(0)), 2.0**128 - 2.0**117, largest, -largest]
    expected = [1 + 2.0**-10, -1 - 2.0**-10, 1, 2.0**128 - 2.0**117, np.inf, -np.inf, np.inf, -np.inf, np.nan, 0, 0]
    values = np.array(values + [np.inf, -np.inf, np.nan, 0, -0.0])
    for weight in ("nk", "kn"):
        group = kernels.plain("f32", weight, 1, 1)
        left = emulate(group, len(values), {"a": values[:, None], "w": np.ones((1, 1))}, options=TF32_OPTION)["p"]
        np.testing.assert_array_equal(left[:, 0], expected, f"limits, left {weight}")
        group = kernels.plain("f32", weight, len(values), 1)
        w = values[:, None] if weight == "nk" else values[None]
        right = emulate(group, 1, {"a": np.ones((1, 1)), "w": w}, options=TF32_OPTION)["p"]
        np.testing.assert_array_equal(right[0], expected, f"limits, right {weight}")


def test_tf32_prologue():
    """What a prologue computes is rounded too."""
    rows, columns, depth = 20, 40, 130
    group = kernels.prologue("f32", "layer", columns, depth)
    arrays = group.random_inputs(rows, depth, offsets={"a": 2})
    x, scale, w = arrays["a"], arrays["scale"], arrays["w"].T
    parts = [x[:, :128], x[:, 128:]]
    arrays["mean"] = np.float64(np.float32(np.stack([part.mean(1) for part in parts], 1)))
    arrays["variance"] = np.float64(np.float32(np.stack([part.var(1) for part in parts], 1)))
    norm = ops.layer_norm(x, scale, epsilon=1e-5)
    change = rounded(norm, 32 * UNIT["f32"] * (np.abs(norm) + np.abs(x * scale)), "f32")
    # Rounding keeps the order: what is rounded is between these.
    low, left, high = (round_to_tf32(each) for each in (norm - change, norm, norm + change))
    expected, bound = multiply({"a": left, "w": round_to_tf32(arrays["w"])}, "nk")
    bound = bound + np.maximum(high - left, left - low) @ np.abs(w) * (1 + 2.0**-10)
    actual = emulate(group, rows, arrays, dynamic=True, options=TF32_OPTION)["p"]
    check(actual, expected, bound, "tf32 prologue")


def test_init():
    check_init(70, 64)


def check_init(rows, depth, options="", seed=1):
    group = kernels.initialized(136, depth)
    arrays = group.random_inputs(rows, seed)
    sums, bound = multiply(arrays, "kn")
    expected = sums + arrays["init"]
    bound = rounded(expected, bound + 2 * UNIT["f32"] * np.abs(expected), "bf16")
    actual = run(group, rows, arrays, options, dynamic=rows > 64)["p"]
    check(actual, expected, bound, f"init {rows} {options}")


def test_views():
    for width in (64, 20):
        batch, heads, sequence, columns = 2, 3, 37, 72
        group = kernels.viewed(batch, heads, sequence, width, columns)
        arrays = group.random_inputs(0, width)
        flat = arrays["a"].transpose(0, 2, 1, 3).reshape(batch * sequence, heads * width)
        sums, bound = multiply(arrays | {"a": flat}, "nk")
        shape = (batch, sequence, columns)
        branch = rounded(sums, bound, "bf16").reshape(shape)
        expected = arrays["skip"] + sums.reshape(shape)
        check(emulate(group, 0, arrays)["y"], expected, rounded(expected, branch, "bf16"), f"views {width}")


def test_epilogue():
    """Bias, GELU, a branch scale, a residual add, and the statistics of what is stored."""
    for rows, element, columns, kind, options in (
        (131, "bf16", 320, "layer", ""),
        (131, "f16", 256, "rms", ""),
        (131, "f32", 130, "l2", ""),
        (131, "f32", 132, "layer", TF32_OPTION),
        (9, "bf16", 320, "layer", ""),
        (32, "f32", 132, "layer", TF32_OPTION),
        (40, "f16", 320, "rms", ""),
        (64, "f32", 130, "l2", ""),
    ):
        check_epilogue(rows, element, columns, kind, options)


def check_epilogue(rows, element, columns, kind, options, depth=64, seed=0):
    groups = -(-columns // 128)
    group = kernels.epilogue(element, columns, kind, depth)
    arrays = group.random_inputs(rows, columns + seed, scales={"w": (64 / depth) ** 0.5})
    actual = run(group, rows, arrays, options, dynamic=rows > 64)
    sums, bound = multiply(factors(arrays, options), "kn")
    sums = sums + arrays["bias"]
    gelu = np.vectorize(lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))))(sums)
    # The derivative of GELU is at most 1.13; erf of libdevice has two units.
    bound = rounded(gelu, 1.13 * bound + 8 * UNIT["f32"] * (np.abs(sums) + 1), element)
    half = rounded(gelu / 2, bound / 2, element)
    expected = arrays["skip"] + gelu / 2
    check(actual["y"], expected, rounded(expected, half, element), f"epilogue {element} {rows} {options}")
    # Statistics are those of what was stored.
    for number in range(groups):
        part = actual["y"][:, 128 * number : 128 * (number + 1)]
        mean = part.mean(1) if kind == "layer" else 0
        if kind == "layer":
            check(actual["mean"][:, number], mean, 16 * UNIT["f32"] * np.abs(part).max(1), f"mean {element}")
        power = np.square(part - np.reshape(mean, (-1, 1))).sum(1) / (1 if kind == "l2" else part.shape[1])
        check(actual["power"][:, number], power, 32 * UNIT["f32"] * power, f"{kind} {element}")


def test_deferred():
    """A LayerNorm applied to the sums, by merged statistics and the column sums of the weight."""
    for rows in (70, 3, 30, 64):
        check_deferred(rows, 192)


def check_deferred(rows, depth, options="", seed=5):
    columns = 136
    group = kernels.deferred(columns, depth)
    arrays = group.random_inputs(rows, seed, offsets={"a": 20})
    x, w = arrays["a"], arrays["w"]
    parts = [x[:, first : first + 128] for first in range(0, depth, 128)]
    arrays["mean"] = np.float64(np.float32(np.stack([part.mean(1) for part in parts], 1)))
    arrays["variance"] = np.float64(np.float32(np.stack([part.var(1) for part in parts], 1)))
    arrays["sums"] = np.float64(np.float32(w.sum(0)))
    actual = run(group, rows, arrays, options, dynamic=rows > 64)["y"]
    deviation = np.sqrt(x.var(1, keepdims=True) + 1e-5)
    expected = ops.layer_norm(x, epsilon=1e-5) @ w + arrays["bias"]
    # The sums, and what is subtracted from them, are as large as x without its mean removed.
    size = np.abs(x) @ np.abs(w) + np.abs(x).mean(1, keepdims=True) * np.abs(w).sum(0)
    bound = (depth + 16) * UNIT["f32"] * size / deviation + 8 * UNIT["f32"] * np.abs(expected)
    check(actual, expected, rounded(expected, bound, "bf16"), f"deferred {rows} {options}")


def norm_of_rounded(reference, sums, bound, element, scale, epsilon=1e-5):
    """A norm of sums that were rounded to `element` first, and how far from it one of other sums can be: each rounding
    of an element changes that element, and the power of all by no more than the largest relative change."""
    expected = reference(sums, scale, epsilon=epsilon)
    change = rounded(sums, bound, element)
    size = np.sqrt(np.square(sums).mean(-1, keepdims=True) + epsilon)
    centered = np.sqrt(np.square(sums - sums.mean(-1, keepdims=True)).mean(-1, keepdims=True) + epsilon)
    smallest = centered if reference is ops.layer_norm else size
    relative = np.sqrt(np.square(change).mean(-1, keepdims=True)) / smallest
    direct = (change + change.mean(-1, keepdims=True)) / smallest * np.abs(scale)
    return expected, direct + 1.5 * relative * np.abs(expected) + 64 * UNIT["f32"] * np.abs(expected)


def test_whole_row():
    # 256 columns need a tile of 64 rows, if there are few.
    for rows, kind, columns, element, options in (
        (67, "layer", 200, "bf16", ""),
        (67, "rms", 256, "bf16", ""),
        (67, "rms", 96, "f32", ""),
        (67, "layer", 200, "f32", TF32_OPTION),
        (16, "layer", 128, "bf16", ""),
        (3, "rms", 96, "f32", ""),
        (31, "layer", 128, "f16", ""),
        (16, "rms", 256, "bf16", ""),
        (64, "layer", 200, "f32", TF32_OPTION),
    ):
        check_whole_row(rows, kind, columns, element, options)


def check_whole_row(rows, kind, columns, element, options, depth=64, seed=0):
    group = kernels.whole_row(kind, columns, element, depth)
    arrays = group.random_inputs(rows, columns + seed)
    sums, bound = multiply(factors(arrays, options), "nk")
    reference = ops.layer_norm if kind == "layer" else ops.rms_norm
    norm, bound = norm_of_rounded(reference, sums, bound, element, arrays["scale"])
    expected = arrays["skip"] + norm
    bound = rounded(expected, rounded(norm, bound, element), element)
    actual = run(group, rows, arrays, options, dynamic=rows > 64)["y"]
    check(actual, expected, bound, f"whole row {kind} {rows} {columns} {element} {options}")


# Sequence (of two), heads, their width, element, weight.
GROUPED_ROWS = [
    (35, 3, 64, "bf16", "nk"),
    (35, 2, 128, "bf16", "nk"),
    (35, 4, 16, "f16", "nk"),
    (35, 5, 32, "f32", "nk"),
    (5, 3, 64, "bf16", "nk"),
    (16, 2, 128, "f16", "nk"),
    (21, 5, 32, "f32", "nk"),
    # Widths that do not divide a tile.
    (35, 6, 28, "f32", "nk"),
    (35, 4, 80, "bf16", "nk"),
    (35, 5, 96, "f16", "kn"),  # asynchronous copies of 16 bytes
    (35, 6, 28, "bf16", "kn"),  # whose width they do not divide
    (35, 30, 9, "bf16", "kn"),
    (7, 4, 80, "bf16", "nk"),
    (16, 3, 96, "f16", "kn"),
]


def test_grouped_rows():
    """QK-Norm: heads of the result, normalized each, then [batch, heads, sequence, head]."""
    for sequence, heads, width, element, weight in GROUPED_ROWS:
        check_grouped_rows(2, sequence, heads, width, element, weight)


def check_grouped_rows(batch, sequence, heads, width, element, weight="nk", options="", depth=64, seed=0):
    rows = batch * sequence
    group = kernels.grouped_rows(batch, sequence, heads, width, element, depth, weight)
    arrays = group.random_inputs(rows, heads + seed)
    sums, bound = multiply(factors(arrays, options), weight)
    shape = (batch, sequence, heads, width)
    norm, bound = norm_of_rounded(
        ops.rms_norm, sums.reshape(shape), bound.reshape(shape), element, arrays["scale"]
    )
    bound = rounded(norm, bound, element)
    actual = run(group, rows, arrays, options)["y"]
    check(actual, norm.transpose(0, 2, 1, 3), bound.transpose(0, 2, 1, 3), f"grouped rows {rows} {width} {element} {options}")


# Batch, sequence, heads, their width and how much of it is rotated, element, whether they are normalized.
ROTARY = [
    (1, 70, 3, 64, 64, "bf16", True),
    (1, 131, 2, 128, 128, "f32", False),
    (2, 35, 5, 16, 16, "f16", False),
    (1, 5, 1, 256, 256, "bf16", True),
    (2, 9, 2, 128, 128, "bf16", True),
    (1, 3, 6, 28, 28, "f32", False),
    (1, 130, 2, 96, 96, "bf16", False),
    (1, 7, 5, 6, 6, "bf16", False),
    (1, 66, 2, 64, 64, "f32", True),
    (2, 5, 3, 64, 64, "bf16", True),
    (2, 32, 2, 128, 128, "f16", True),
    (2, 8, 1, 256, 256, "bf16", False),
    (2, 64, 1, 64, 64, "bf16", True),
    # Widths that do not divide a tile.
    (1, 35, 10, 28, 28, "f32", True),
    (1, 5, 5, 96, 96, "bf16", True),
    (2, 9, 4, 80, 80, "f16", False),
    (1, 9, 20, 14, 14, "bf16", False),
    # Parts of heads.
    (1, 67, 3, 64, 16, "bf16", False),
    (2, 9, 4, 80, 32, "f32", True),
    (1, 5, 5, 96, 72, "f16", False),
    (1, 9, 2, 128, 64, "bf16", True),
]


def test_rotary():
    """Rotary embeddings of heads, normalized or not: each element is computed of two that are half a head apart."""
    for batch, sequence, heads, width, part, element, normalized in ROTARY:
        check_rotary(batch, sequence, heads, width, part, element, normalized, dynamic=batch == 1)


def check_rotary(
    batch, sequence, heads, width, part, element, normalized, options="", depth=64, seed=0, dynamic=False
):
    rows, half = batch * sequence, part // 2
    group = kernels.rotary(batch, sequence, heads, width, element, normalized, depth, rotated=part)
    arrays = group.random_inputs(rows, width + heads + seed)
    sums, bound = multiply(factors(arrays, options), "nk")
    shape = (batch, sequence, heads, width)
    x, bound = sums.reshape(shape), bound.reshape(shape)
    if normalized:
        x, bound = norm_of_rounded(ops.rms_norm, x, bound, element, arrays["scale"])
    whole, bounds = (each.transpose(0, 2, 1, 3) for each in (x, rounded(x, bound, element)))
    x, bound = whole[..., :part], bounds[..., :part]
    first, second = x[..., :half], x[..., half:]
    cos, sin = arrays["cos"], arrays["sin"]
    expected = np.concatenate([first * cos[:, :half] - second * sin[:, :half],
                               second * cos[:, half:] + first * sin[:, half:]], -1)  # fmt: skip
    other = np.roll(bound, half, -1)
    swapped = np.abs(np.roll(x, half, -1))
    straight = rounded(x * cos, bound * np.abs(cos), element)
    crossed = rounded(swapped * np.abs(sin), other * np.abs(sin), element)
    bound = rounded(expected, straight + crossed, element)
    expected = np.concatenate([expected, whole[..., part:]], -1)
    bound = np.concatenate([bound, bounds[..., part:]], -1)
    actual = run(group, rows, arrays, options, dynamic=dynamic, seeds=2)["y"]
    check(actual, expected, bound, f"rotary {shape} {part} {element} {normalized} {options}")


def test_prologue():
    """A norm applied to the left-hand side while it is loaded, by statistics that are merged in the kernel."""
    for rows, element, kind, depth in (
        (75, "bf16", "rms", 160),
        (75, "bf16", "layer", 320),
        (75, "f32", "layer", 130),
        (11, "bf16", "layer", 320),
        (32, "f32", "layer", 130),
        (50, "bf16", "rms", 160),
    ):
        check_prologue(rows, element, kind, depth)


def check_prologue(rows, element, kind, depth, options="", seed=0):
    columns = 72
    groups = -(-depth // 128)
    group = kernels.prologue(element, kind, columns, depth)
    arrays = group.random_inputs(rows, depth + seed, offsets={"a": 2})
    x, scale = arrays["a"], arrays["scale"]
    parts = [x[:, 128 * i : 128 * (i + 1)] for i in range(groups)]
    powers = [part.var(1) if kind == "layer" else np.square(part).mean(1) for part in parts]
    arrays["variance"] = np.float64(np.float32(np.stack(powers, 1)))
    if kind == "layer":
        arrays["mean"] = np.float64(np.float32(np.stack([part.mean(1) for part in parts], 1)))
    norm = (ops.layer_norm if kind == "layer" else ops.rms_norm)(x, scale, epsilon=1e-5)
    expected = norm @ arrays["w"].T
    # The normalized operand is rounded to its type.
    change = rounded(norm, 32 * UNIT["f32"] * (np.abs(norm) + np.abs(x * scale)), element)
    bound = change @ np.abs(arrays["w"].T)
    bound = bound + (depth + 8) * UNIT["f32"] * (np.abs(norm) @ np.abs(arrays["w"].T))
    actual = run(group, rows, arrays, options, dynamic=rows > 64, seeds=2)["p"]
    check(actual, expected, bound, f"prologue {rows} {element} {kind} {options}")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed", flush=True)


if __name__ == "__main__":
    main()
