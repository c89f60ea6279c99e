"""Compiled attention against the float64 reference: grouped queries, masks of every shape and type, causal,
windowed, soft-capped and learned-scale attention, static and dynamic, in every element and compute type."""

import math
import unittest
from dataclasses import dataclass

import numpy as np
from numerics import SMALLEST, UNIT, check, compile_calls, decode, encode, tensor_type
from reference import ops

BATCH, HEADS, KV_HEADS, QUERIES, KEYS, DEPTH, WIDTH = 2, 6, 2, 5, 9, 16, 8
QUERY = (BATCH, HEADS, QUERIES, DEPTH)
SHAPES = {
    "q": QUERY,
    # As many heads as the query has, and fewer.
    "k6": (BATCH, HEADS, KEYS, DEPTH),
    "v6": (BATCH, HEADS, KEYS, WIDTH),
    "k2": (BATCH, KV_HEADS, KEYS, DEPTH),
    "v2": (BATCH, KV_HEADS, KEYS, WIDTH),
    "k1": (BATCH, 1, KEYS, DEPTH),
    "v1": (BATCH, 1, KEYS, WIDTH),
    # Without and with more batch dimensions.
    "q3": QUERY[1:],
    "k3": (KV_HEADS, KEYS, DEPTH),
    "v3": (KV_HEADS, KEYS, WIDTH),
    "q5": (1, 2) + QUERY[1:],
    "k5": (1, 2, KV_HEADS, KEYS, DEPTH),
    "v5": (1, 2, KV_HEADS, KEYS, WIDTH),
    # As many queries as keys, and one query.
    "qs": (BATCH, HEADS, KEYS, DEPTH),
    "q1": (BATCH, HEADS, 1, DEPTH),
    "g": (),
    "gh": (HEADS,),
}
MASKS = {
    "full": (BATCH, HEADS, QUERIES, KEYS),
    "rows": (QUERIES, KEYS),
    "keys": (BATCH, 1, 1, KEYS),
    "heads": (HEADS, 1, 1),
    "column": (BATCH, 1, QUERIES, 1),
    "all": (1,),
    "last": (KEYS,),
}


@dataclass(frozen=True)
class Case:
    q: str = "q"
    kv: str = "6"
    mask: str | None = None
    mask_type: str | None = None  # None: that of the query
    learned_scale: str | None = None
    scale: float | None = None
    causal: bool = False
    softcap: float | None = None
    window: int | None = None
    zero_masked_rows: bool = False
    compute: str | None = None

    @property
    def result_shape(self):
        return SHAPES[self.q][:-1] + (WIDTH,)

    def mask_name(self, element):
        return f"{self.mask}_{self.mask_type or element}"

    def text(self, element, dynamic):
        def type_of(name):
            return tensor_type(SHAPES[name], element, dynamic)

        text = f"norm.attention %{self.q}, %k{self.kv}, %v{self.kv}"
        if self.mask:
            mask_type = tensor_type(MASKS[self.mask], self.mask_type or element, dynamic)
            text += f" mask(%{self.mask_name(element)} : {mask_type})"
        if self.learned_scale:
            text += f" learned_scale(%{self.learned_scale} : {type_of(self.learned_scale)})"
        if self.scale:
            text += f" scale = {self.scale:e}"
        text += " causal" * self.causal
        if self.softcap:
            text += f" softcap = {self.softcap:e}"
        if self.window:
            text += f" window = {self.window}"
        text += " zero_masked_rows" * self.zero_masked_rows
        if self.compute:
            text += f" compute_type = {self.compute}"
        return f"{text} : {type_of(self.q)}, {type_of('k' + self.kv)}, {type_of('v' + self.kv)}"

    def expected(self, values, element):
        """The result, and what rounding may be off by."""
        q, k, v = values[self.q], values["k" + self.kv], values["v" + self.kv]
        scale = self.scale
        if self.learned_scale:
            scale = values[self.learned_scale]
        mask = values[self.mask_name(element)] if self.mask else None
        with np.errstate(invalid="ignore"):
            result = ops.attention(
                q, k, v, scale=scale, mask=mask, causal=self.causal, softcap=self.softcap, window=self.window
            )
        if self.zero_masked_rows:
            # The only NaN there is comes from rows without keys.
            result = np.nan_to_num(result, nan=0.0)

        compute = self.compute or ("f64" if element == "f64" else "f32")
        unit = UNIT[compute]
        depth, keys = q.shape[-1], k.shape[-2]
        if scale is None:
            scale = 1 / math.sqrt(depth)
        group = q.shape[-3] // k.shape[-3]
        size = np.abs(q) @ np.swapaxes(np.repeat(np.abs(k), group, axis=-3), -1, -2)
        size = float(np.abs(scale).max() * size.max())
        if self.softcap:
            size = size + self.softcap
        if mask is not None and mask.dtype != bool:
            size += np.abs(mask[np.isfinite(mask)]).max()
        # A logit is off by the rounding of a sum of products and of what follows it; the exponential makes a
        # relative error of that; the sums over the keys add theirs.
        logits = (6 + 2 * math.sqrt(depth)) * unit * size
        relative = 2 * logits + (8 + 2 * math.sqrt(keys)) * unit
        bound = relative * np.abs(v).max() + UNIT[element] * np.abs(np.nan_to_num(result)) + SMALLEST[element]
        return result, bound


CASES = [
    Case(),
    Case(scale=0.5),
    Case(scale=-0.3),
    Case(learned_scale="g"),
    *(Case(kv=kv, learned_scale="gh") for kv in "621"),
    Case(softcap=2.0),
    # Grouped queries, batch ranks.
    Case(kv="2"),
    Case(kv="1"),
    Case(q="q3", kv="3"),
    Case(q="q5", kv="5"),
    # Causal and windowed, with fewer queries than keys, as many, and one.
    *(Case(q=q, kv="2", causal=causal, window=window)
      for q in ("q", "qs", "q1") for causal, window in [(True, None), (True, 3), (False, 3), (False, 100)]),
    # Masks of both types, broadcast along every dimension.
    *(Case(kv=kv, mask=mask, mask_type=type) for mask in MASKS for kv in "26" for type in (None, "i1")),
    Case(q="q3", kv="3", mask="heads"),
    Case(q="q3", kv="3", mask="rows", mask_type="i1"),
    # All at once.
    Case(kv="2", mask="full", learned_scale="gh", causal=True, softcap=3.0, window=4),
    Case(kv="2", mask="full", mask_type="i1", scale=0.7, causal=True, softcap=3.0, window=4, zero_masked_rows=True),
]


def arrays_of(element, large=False):
    rng = np.random.default_rng(11)
    arrays = {name: encode(rng.normal(size=shape) * (30 if large and name[0] in "qk" else 1), element)
              for name, shape in SHAPES.items()}
    for name, shape in MASKS.items():
        # Some keys are hidden from a query; of every row one is seen, here and with the window and causality of
        # the cases above.
        hidden = rng.random(size=shape) < 0.3
        if shape[-1] == KEYS:
            hidden[..., :: 2] = False
        else:
            hidden[:] = False
        arrays[f"{name}_{element}"] = encode(np.where(hidden, -np.inf, rng.normal(size=shape)), element)
        arrays[f"{name}_i1"] = ~hidden
    return arrays


class Attention(unittest.TestCase):
    def run_cases(self, element, dynamic, cases, large=False):
        arrays = arrays_of(element, large)
        types = {}
        for name, array in arrays.items():
            types[name] = tensor_type(array.shape, "i1" if name.endswith("_i1") else element, dynamic)
        function = compile_calls(
            types,
            [(tensor_type(case.result_shape, element, dynamic), case.text(element, dynamic)) for case in cases],
        )
        values = {name: array if array.dtype == bool else decode(array, element) for name, array in arrays.items()}
        for case, result in zip(cases, function(*arrays.values())):
            expected, bound = case.expected(values, element)
            self.assertFalse(np.isnan(expected).any(), case)
            check(decode(result, element), expected, bound, f"{element}, {case}")

    def test_static(self):
        for element in ("f32", "bf16"):
            with self.subTest(element):
                self.run_cases(element, False, CASES)

    def test_dynamic(self):
        self.run_cases("f32", True, CASES)

    def test_other_types(self):
        for element in ("f64", "f16"):
            with self.subTest(element):
                self.run_cases(element, False, [Case(kv="2", mask="full", causal=True, softcap=3.0), Case()])

    def test_compute_types(self):
        for element, compute in [("f32", "f64"), ("bf16", "f64"), ("bf16", "bf16"), ("f16", "f16"), ("f64", "f64")]:
            with self.subTest(f"{element} in {compute}"):
                self.run_cases(element, False, [Case(kv="2", causal=True, compute=compute), Case(compute=compute)])

    def test_large_logits(self):
        # Without subtracting the maximum the exponential would overflow.
        for element in ("f32", "f16"):
            with self.subTest(element):
                self.run_cases(element, False, [Case(), Case(kv="2", causal=True)], large=True)

    def test_rows_without_keys(self):
        arrays = arrays_of("f32")
        visible = np.ones((QUERIES, KEYS), bool)
        visible[1] = visible[3] = False
        arrays |= {"visible": visible, "hiding": np.where(visible, 0, -np.inf).astype(np.float32)}
        types = {name: tensor_type(array.shape, "i1" if array.dtype == bool else "f32")
                 for name, array in arrays.items()}
        operands = "norm.attention %q, %k2, %v2"
        signature = ", ".join(types[name] for name in ("q", "k2", "v2"))
        result_type = tensor_type(Case().result_shape, "f32")
        masks = [f"mask(%{name} : {types[name]})" for name in ("visible", "hiding")]
        function = compile_calls(
            types,
            [(result_type, f"{operands} {mask} {flag} : {signature}")
             for flag in ("", "zero_masked_rows") for mask in masks],
        )
        nan1, nan2, zero1, zero2 = function(*arrays.values())
        for result in (nan1, nan2):
            np.testing.assert_array_equal(np.isnan(result), np.broadcast_to(~visible[:, :1], result.shape))
        for result, with_nan in [(zero1, nan1), (zero2, nan2)]:
            self.assertTrue((result[:, :, [1, 3]] == 0).all())
            np.testing.assert_array_equal(result[:, :, [0, 2, 4]], with_nan[:, :, [0, 2, 4]])


if __name__ == "__main__":
    unittest.main()
