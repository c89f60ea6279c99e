"""Compiled norms against the float64 reference: every kind, epsilon mode, set of axes, element and compute type,
static and dynamic, on rows with ordinary and with difficult statistics."""

import itertools
import math
import unittest
from dataclasses import dataclass

import numpy as np
from numerics import SMALLEST, UNIT, check, compile_calls, decode, encode, tensor_type
from reference import ops

SHAPE = (3, 4, 40)
MODES = ("inside", "outside", "clamp", "clamp_inside")


@dataclass(frozen=True)
class Case:
    kind: str
    mode: str = "inside"
    epsilon: float = 1e-5
    axes: tuple = (2,)
    scale_dims: tuple | None = None  # (): rank 0
    scale: bool = True
    bias: bool = True
    unit_offset: bool = False
    cast_before_scale: bool = False
    compute: str | None = None

    @property
    def parameter_dims(self):
        return self.axes if self.scale_dims is None else self.scale_dims

    def text(self, element, dynamic):
        suffix = "".join(map(str, self.parameter_dims))
        type = tensor_type([SHAPE[dim] for dim in self.parameter_dims], element, dynamic)
        text = f"norm.{self.kind} %x"
        if self.scale:
            text += f" scale(%scale{suffix} : {type})"
        if self.bias and self.kind != "l2_norm":
            text += f" bias(%bias{suffix} : {type})"
        text += f" epsilon = {self.epsilon:.17e} epsilon_mode = {self.mode}"
        if self.axes != (2,):
            text += f" axes = {list(self.axes)}"
        if self.scale_dims:
            text += f" scale_dims = {list(self.scale_dims)}"
        if self.compute:
            text += f" compute_type = {self.compute}"
        text += " unit_offset" * self.unit_offset + " cast_before_scale" * self.cast_before_scale
        return f"{text} : {tensor_type(SHAPE, element, dynamic)}"

    def expected(self, x, parameters):
        """The result and the size of the terms that were added to it."""
        suffix = "".join(map(str, self.parameter_dims))
        scale = parameters["scale" + suffix] if self.scale else None
        bias = parameters["bias" + suffix] if self.bias and self.kind != "l2_norm" else None
        options = {
            "epsilon": self.epsilon,
            "epsilon_mode": self.mode,
            "axes": self.axes,
            "scale_dims": self.scale_dims,
        }
        norm = getattr(ops, self.kind)
        product = norm(x, scale, None, unit_offset=self.unit_offset, **options)
        # (1 + scale) may be small where 1 and scale are not.
        size = np.abs(norm(x, None if scale is None else np.abs(scale), None, unit_offset=self.unit_offset, **options))
        if bias is None:
            return product, size
        return norm(x, scale, bias, unit_offset=self.unit_offset, **options), size + np.abs(
            ops.along(bias, x, self.parameter_dims)
        )

    def bound(self, element, x, expected, size):
        """What rounding may be off by.

        Sums of n terms, in any order and with several partial sums, are off by about sqrt(n) roundings, the few
        operations on the result by a few; relative to the largest term, since the error of a statistic reaches all
        elements of its row. Then there is the rounding of the result, and that before the scale.
        """
        compute = self.compute or ("f64" if element == "f64" else "f32")
        count = math.prod(SHAPE[axis] for axis in self.axes)
        rows = size.max(axis=self.axes, keepdims=True)
        bound = (8 + 2 * math.sqrt(count)) * UNIT[compute] * rows
        roundings = 2 if self.cast_before_scale else 1
        return bound + roundings * (UNIT[element] * np.abs(size) + SMALLEST[element])


CASES = [
    # Every kind with every mode; with epsilon of the size of the statistics, so that it counts.
    *(Case(kind, mode, epsilon) for kind in ("layer_norm", "rms_norm", "l2_norm") for mode in MODES
      for epsilon in (1e-5, 0.5)),
    # What there is to leave out.
    *(Case(kind, scale=scale, bias=bias) for kind in ("layer_norm", "rms_norm")
      for scale, bias in itertools.product((False, True), repeat=2)),
    Case("l2_norm", scale=False),
    # Axes, and what the dimensions of scale and bias stand for.
    *(Case(kind, axes=axes, scale_dims=dims)
      for kind in ("layer_norm", "rms_norm", "l2_norm")
      for axes, dims in [((0,), None), ((1,), None), ((0, 2), None), ((1, 2), None), ((0, 1, 2), None),
                         ((2,), (1, 2)), ((2,), (1,)), ((0, 2), (1,)), ((2,), ()), ((0, 1), ())]),
    # Gemma and Llama.
    *(Case(kind, unit_offset=offset, cast_before_scale=cast) for kind in ("layer_norm", "rms_norm", "l2_norm")
      for offset, cast in [(True, False), (False, True), (True, True)]),
    # Epsilon too small for the type of the input.
    Case("l2_norm", "clamp", 1e-12),
    Case("rms_norm", "inside", 1e-30),
]


def inputs(element):
    """Arrays whose rows have the statistics that norms are wrong for."""
    rng = np.random.default_rng(7)
    z = rng.normal(size=SHAPE)
    yield "standard", z
    yield "large mean", 1e4 + z
    yield "large negative mean of a tiny deviation", -100 + 1e-3 * z
    yield "tiny variance", 1e-3 * z
    yield "large", 8000 * np.clip(z, -4, 4)
    yield "one outlier", np.where(np.arange(SHAPE[2]) == 5, 1000.0, 0.01 * z)
    yield "constant rows", np.broadcast_to(rng.normal(size=SHAPE[:2] + (1,)), SHAPE)
    yield "zero", np.zeros(SHAPE)
    if element in ("f32", "bf16", "f64"):
        yield "huge", 1e15 * z
        yield "minute", 1e-15 * z


def parameters(element):
    rng = np.random.default_rng(8)
    result = {}
    for case in CASES:
        suffix = "".join(map(str, case.parameter_dims))
        shape = [SHAPE[dim] for dim in case.parameter_dims]
        for name in ("scale", "bias"):
            result[name + suffix] = encode(rng.normal(size=shape), element)
    return result


class Norms(unittest.TestCase):
    def run_cases(self, element, dynamic, cases, chosen=lambda name: True):
        arrays = parameters(element)
        types = {"x": tensor_type(SHAPE, element, dynamic)}
        types |= {name: tensor_type(array.shape, element, dynamic) for name, array in arrays.items()}
        function = compile_calls(types, [(types["x"], case.text(element, dynamic)) for case in cases])
        values = {name: decode(array, element) for name, array in arrays.items()}
        for name, x in inputs(element):
            if not chosen(name):
                continue
            x = encode(x, element)
            results = function(x, *arrays.values())
            for case, result in zip(cases, results):
                # What the norm is told to convert first is not an error of its result.
                narrow = case.compute if case.compute and UNIT[case.compute] > UNIT[element] else element
                exact = {key: decode(encode(value, narrow), narrow) for key, value in values.items()}
                expected, size = case.expected(decode(encode(decode(x, element), narrow), narrow), exact)
                bound = case.bound(element, x, expected, size)
                check(decode(result, element), expected, bound, f"{element}, {name}, {case}")

    def test_static(self):
        for element in UNIT:
            with self.subTest(element):
                self.run_cases(element, False, CASES)

    def test_dynamic(self):
        self.run_cases("f32", True, CASES)

    def test_dynamic_in_16_bits(self):
        # Compute types are those of the static cases; shapes and modes are what may differ.
        self.run_cases("bf16", True, [case for case in CASES if case.epsilon == 0.5 or case.axes != (2,)])

    def test_compute_types(self):
        for element, computes in {
            "bf16": ("bf16", "f64"),
            "f16": ("f64", "f16"),
            "f32": ("f64",),
            "f64": ("f32",),
        }.items():
            for compute in computes:
                cases = [
                    Case(kind, epsilon=0.01, compute=compute, cast_before_scale=cast)
                    for kind in ("layer_norm", "rms_norm", "l2_norm")
                    for cast in (False, True)
                ]
                with self.subTest(f"{element} in {compute}"):
                    # Narrow statistics can't have wide ranges.
                    narrow = UNIT[compute] > UNIT["f32"]
                    self.run_cases(element, False, cases, lambda name: not narrow or name == "standard")

    def test_nan_and_infinity_stay_in_their_row(self):
        case = Case("layer_norm")
        arrays = parameters("f32")
        types = {"x": tensor_type(SHAPE, "f32")}
        types |= {name: tensor_type(array.shape, "f32") for name, array in arrays.items()}
        function = compile_calls(types, [(types["x"], Case(kind, "clamp").text("f32", False))
                                         for kind in ("layer_norm", "rms_norm", "l2_norm")])
        x = np.random.default_rng(9).normal(size=SHAPE).astype(np.float32)
        clean = function(x, *arrays.values())
        x[0, 1, 7], x[2, 3, 39] = np.nan, np.inf
        for result, before in zip(function(x, *arrays.values()), clean):
            self.assertTrue(np.isnan(result[0, 1]).all())
            self.assertTrue(np.isnan(result[2, 3, 39]))
            touched = np.zeros(SHAPE[:2], bool)
            touched[0, 1] = touched[2, 3] = True
            np.testing.assert_array_equal(result[~touched], before[~touched])


if __name__ == "__main__":
    unittest.main()
