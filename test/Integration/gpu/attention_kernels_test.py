"""Attention as kernels, run by the emulator, against the float64 reference: masks of every kind, soft caps, grouped
queries, learned scales, rows without keys, sequences and heads of any size, the softmax in the kernel of the logits and
in one of its own."""

import os
import re
from dataclasses import replace

import attention_test as attention
import numpy as np
from attention_test import SHAPES, Case
from numerics import UNIT, check, decode, encode, tensor_type

import renorm

CASES = [
    Case(kv="2", scale=-0.3),
    Case(learned_scale="g", softcap=2.0),
    Case(kv="1", learned_scale="gh"),
    Case(q="q5", kv="5"),
    Case(kv="2", causal=True),
    Case(q="q1", kv="2", causal=True, window=3),
    Case(q="q3", kv="3", window=3),
    Case(q="q3", kv="3", mask="rows"),
    Case(q="q3", kv="3", mask="heads", mask_type="i1"),
    Case(q="q3", kv="3", mask="last", mask_type="i1"),
    Case(kv="2", mask="keys"),
    Case(kv="6", mask="column", mask_type="i1"),
    Case(kv="2", mask="full", learned_scale="gh", causal=True, softcap=3.0, window=4),
    Case(kv="2", mask="full", mask_type="i1", scale=0.7, causal=True, softcap=3.0, window=4, zero_masked_rows=True),
]

# Element, heads and heads of the key, queries, keys, head_dim and width of the value, precision of f32.
SIZES = [
    ("f32", 4, 2, 1, 33, 28, 28, "ieee"),
    ("f32", 2, 1, 33, 7, 24, 8, "tf32"),
    ("f32", 1, 1, 130, 130, 8, 80, "ieee"),
    ("f32", 2, 2, 10, 130, 80, 28, "tf32"),
    ("bf16", 4, 2, 10, 10, 64, 64, "ieee"),
    ("bf16", 2, 2, 33, 130, 128, 128, "ieee"),
    ("bf16", 3, 1, 7, 33, 28, 24, "ieee"),
    ("f16", 2, 1, 7, 1, 80, 80, "ieee"),
    ("f16", 1, 1, 130, 33, 24, 64, "ieee"),
    # More keys than a tile has columns: three kernels.
    ("f32", 2, 1, 3, 300, 16, 16, "ieee"),
    ("bf16", 2, 1, 3, 270, 16, 16, "ieee"),
]


class Sized(Case):
    @property
    def result_shape(self):
        return SHAPES[self.q][:-1] + (SHAPES["v" + self.kv][-1],)


def lower(text, kernels, **options):
    """The function @main, all of whose work is done by `kernels` kernels."""
    module = renorm.Module.parse(text)
    gpu = module.clone()
    gpu.run_pipeline("norm-decompose-attention,norm-fuse{target=sm_80},convert-norm-to-gpu")
    launched = str(gpu)
    assert "norm.attention" not in launched and "norm.fusion" not in launched, launched
    assert launched.count("gpu.launch_func") == kernels, launched
    return module.compile(target="emulator", **options)


def run(function, arrays):
    """What it returns under several schedules, which is the same."""
    results = []
    for seed in "01":
        os.environ["RENORM_EMULATOR_SEED"] = seed
        results.append(function(*arrays))
    np.testing.assert_array_equal(*results)
    return results[0]


def allowance(case, values, element, precision):
    """How far the result may be off by roundings that the operation does not have."""
    v = np.abs(values["v" + case.kv]).max()
    if precision == "tf32":
        # Factors are rounded to 2^-11 of them: of the logits, the weights and the value.
        q, k = np.abs(values[case.q]), np.abs(values["k" + case.kv])
        logits = q.sum(-1).max() * k.max() / np.sqrt(q.shape[-1])
        return (2 * 2 * logits + 2) * 2.0**-11 * (1 + 2.0**-9) * v
    # Each weight is off by half a unit of the value's type; so the mean is by that of the largest difference.
    return 2 * UNIT[element] * v if element != "f32" else 0.0


def check_case(case, element, arrays, kernels=2, precision="ieee"):
    text = case.text(element, False)
    names = [name for name in arrays if re.search(rf"%{name}\b", text)]
    types = {name: tensor_type(arrays[name].shape, "i1" if name.endswith("_i1") else element) for name in names}
    result = tensor_type(case.result_shape, element)
    parameters = ", ".join(f"%{name}: {type}" for name, type in types.items())
    text = f"func.func @main({parameters}) -> {result} {{\n  %0 = {text}\n  return %0 : {result}\n}}\n"
    actual = run(lower(text, kernels, f32_precision=precision), [arrays[name] for name in names])
    values = {name: array if array.dtype == bool else decode(array, element) for name, array in arrays.items()}
    expected, bound = case.expected(values, element)
    assert not np.isnan(expected).any(), case
    bound = bound + allowance(case, values, element, precision)
    return check(decode(actual, element), expected, bound, f"{element}, {case}")


def test_cases():
    for element, cases in [("f32", CASES), ("bf16", CASES[1::4]), ("f16", CASES[-1:])]:
        arrays = attention.arrays_of(element)
        for case in cases:
            check_case(case, element, arrays)


def test_sizes():
    for index, (element, heads, kv_heads, queries, keys, depth, width, precision) in enumerate(SIZES):
        name = f"_{index}"
        SHAPES["q" + name] = (heads, queries, depth)
        SHAPES["k" + name] = (kv_heads, keys, depth)
        SHAPES["v" + name] = (kv_heads, keys, width)
        case = Sized(q="q" + name, kv=name, causal=index % 2 == 0 and queries <= keys)
        rng = np.random.default_rng(index)
        arrays = {key + name: encode(rng.normal(size=SHAPES[key + name]), element) for key in "qkv"}
        check_case(case, element, arrays, 2 if keys <= 256 else 3, precision)


def test_large_logits():
    """Without subtracting the maximum the exponential would overflow, and so would sums of f16."""
    arrays = attention.arrays_of("f16", large=True)
    check_case(Case(kv="2", causal=True), "f16", arrays)


def test_rows_without_keys():
    """NaN, or zero; both in a row of one tile and in a kernel that goes through rows."""
    for keys, kernels in [(9, 2), (260, 3)]:
        q, k, v = (np.random.default_rng(1).normal(size=(2, rows, 4)).astype(np.float32) for rows in (5, keys, keys))
        visible = np.ones((5, keys), bool)
        visible[1] = visible[3] = False
        types = f"tensor<2x5x4xf32>, tensor<2x{keys}x4xf32>, tensor<2x{keys}x4xf32>"
        results = []
        for flag in ("", "zero_masked_rows"):
            text = f"""
              func.func @main(%q: tensor<2x5x4xf32>, %k: tensor<2x{keys}x4xf32>, %v: tensor<2x{keys}x4xf32>,
                              %m: tensor<5x{keys}xi1>) -> tensor<2x5x4xf32> {{
                %0 = norm.attention %q, %k, %v mask(%m : tensor<5x{keys}xi1>) {flag} : {types}
                return %0 : tensor<2x5x4xf32>
              }}"""
            function = lower(text, kernels)
            results.append(run(function, [q, k, v, visible]))
        with_nan, with_zero = results
        np.testing.assert_array_equal(np.isnan(with_nan), np.broadcast_to(~visible[:, :1], with_nan.shape))
        assert (with_zero[:, [1, 3]] == 0).all()
        np.testing.assert_array_equal(with_zero[:, [0, 2, 4]], with_nan[:, [0, 2, 4]])
        # A NaN of an operand stays one.
        q[1, 0, 2] = np.nan
        nan = np.isnan(run(function, [q, k, v, visible]))
        assert nan[1, 0].all() and not nan[0].any() and not nan[1, 1:].any()


def test_dynamic():
    """Batches and queries of dynamic number, and a mask of which only the run tells where it broadcasts."""
    text = """
      func.func @main(%q: tensor<?x6x?x16xf32>, %k: tensor<?x6x9x16xf32>, %v: tensor<?x6x9x8xf32>,
                      %full_f32: tensor<?x1x?x9xf32>) -> tensor<?x6x?x8xf32> {
        %0 = norm.attention %q, %k, %v mask(%full_f32 : tensor<?x1x?x9xf32>) causal
               : tensor<?x6x?x16xf32>, tensor<?x6x9x16xf32>, tensor<?x6x9x8xf32>
        return %0 : tensor<?x6x?x8xf32>
      }"""
    function = lower(text, 2)
    values = attention.arrays_of("f32")
    for mask in (values["full_f32"][:, :1], values["full_f32"][:1, :1], values["full_f32"][:, :1, :1]):
        arrays = {name: values[name + "6" * (name in "kv")] for name in "qkv"}
        masked = replace(Case(causal=True), mask="full")
        expected, bound = masked.expected(
            values | {name: np.float64(values[name]) for name in ("q", "k6", "v6")} | {"full_f32": np.float64(mask)}, "f32"
        )
        check(np.float64(run(function, [*arrays.values(), mask])), expected, bound, f"dynamic, {mask.shape}")


if __name__ == "__main__":
    test_cases()
    test_sizes()
    test_large_logits()
    test_rows_without_keys()
    test_dynamic()
