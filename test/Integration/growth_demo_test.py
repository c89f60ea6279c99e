"""The laws of growth at initialization, of 24 layers of the exported BERT.

Measured by probes in compiled programs, checked against the same models in float64 numpy,
against the laws, and against the growth model.
"""

import unittest

import numpy as np
from reference import exported, models, ops
from reference.check import assert_close
from reference.models import Model
from reference.placement import convert

from renorm import growth_demo, predict_growth

SUBLAYERS = 2 * growth_demo.LAYERS
CONFIG = exported.CONFIGS["BertModel"] | {"num_hidden_layers": growth_demo.LAYERS}
# Variances of numbers that float32 rounds some dozens of times, in up to 48 sublayers one after the other.
TOLERANCE = 2e-5


def linear_fit(values):
    """Slope, intercept and the share of the variance that the line explains (R^2)."""
    depth = np.arange(len(values))
    slope, intercept = np.polyfit(depth, values, 1)
    residual = values - (intercept + slope * depth)
    return slope, intercept, 1 - np.square(residual).sum() / np.square(values - values.mean()).sum()


def reference_variances(placement, output_scale, seed, input_ids):
    """The trunk's variances in float64, at the points of the probes."""
    template = exported.parameters("BertModel")
    shapes = {}
    for name, value in template.items():
        for i in range(growth_demo.LAYERS):
            shapes[name.replace(".layer.0.", f".layer.{i}.")] = value.shape
    parameters = {name: growth_demo.initial_parameter(name, shape, seed) for name, shape in shapes.items()}
    model = models.build("BertModel", CONFIG, parameters)
    stack = model.stack
    if placement != "post":
        scales = {
            f"{sublayer.name}.output_norm.{part}": np.full(96, value)
            for sublayer in stack.sublayers
            for part, value in (("scale", output_scale), ("bias", 0.0))
            if placement == "peri"
        }
        stack = convert(stack, placement, parameters=scales)
    taps = {}
    Model(model.embed, stack)(input_ids, taps)
    values = [taps.get("embedding_norm", taps["input"])]
    for sublayer in stack.sublayers:
        values.append(taps.get(f"{sublayer.name}.post_norm", taps[f"{sublayer.name}.add"]))
    return np.array([ops.f64(value).var() for value in values])


class Growth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.curves = growth_demo.measure()
        cls.means = {key: values.mean(axis=0) for key, values in cls.curves.items()}

    def test_points(self):
        self.assertEqual(sorted(self.curves), ["peri 0.5", "peri 1", "post", "pre"])
        for key, values in self.curves.items():
            self.assertEqual(values.shape, (growth_demo.SEEDS, 1 + SUBLAYERS), key)

    def test_against_numpy(self):
        input_ids = exported.saved("BertModel")["input_ids"]
        for key, values in self.curves.items():
            placement, _, scale = key.partition(" ")
            for seed in (0, growth_demo.SEEDS - 1):
                expected = reference_variances(placement, float(scale or 1), seed, input_ids)
                for i, (measured, value) in enumerate(zip(values[seed], expected, strict=True)):
                    assert_close(measured, value, TOLERANCE, f"{key}, seed {seed}, point {i}")

    def test_post_is_flat(self):
        np.testing.assert_allclose(self.curves["post"], 1.0, rtol=0, atol=1e-6)

    def test_pre_grows_linearly(self):
        values = self.means["pre"]
        slope, intercept, explained = linear_fit(values)
        self.assertGreater(explained, 0.99)
        # It grows by more than it begins with, and the later half by as much as the earlier one.
        self.assertGreater(slope * SUBLAYERS, 10 * values[0])
        halves = np.diff(values[[0, SUBLAYERS // 2, SUBLAYERS]])
        self.assertAlmostEqual(halves[1] / halves[0], 1.0, delta=0.25)
        # The model with this slope, within the spread of 16 seeds; a multiplicative law with these ends is far off.
        gain = 2 * slope
        model = predict_growth(
            "pre", growth_demo.LAYERS, gain, regime="initialization", sublayers=2, initial_variance=values[0]
        )
        middle = values[SUBLAYERS // 2]
        self.assertAlmostEqual(model[SUBLAYERS // 2].variance / middle, 1.0, delta=0.1)
        self.assertLess(np.sqrt(values[0] * values[-1]) / middle, 0.5)

    def test_peri_grows_by_the_squared_scale(self):
        for scale in growth_demo.OUTPUT_SCALES:
            values = self.means[f"peri {scale:g}"]
            slope, _, explained = linear_fit(values)
            self.assertGreater(explained, 0.99)
            # All tokens of a model share most of an attention's result, so that a seed gives about 96 independent
            # numbers: 2/sqrt(96) by sqrt(1/2) is 14 % a seed, 3.6 % for 16 of them. This is three times that.
            self.assertAlmostEqual(slope / scale**2, 1.0, delta=0.11)
            model = predict_growth(
                "peri", growth_demo.LAYERS, regime="initialization", sublayers=2, initial_variance=values[0], output_scale=scale
            )
            self.assertAlmostEqual(values[-1] / model[-1].variance, 1.0, delta=0.11)

    def test_figure(self):
        figure = growth_demo.plot(self.curves)
        self.assertEqual(len(figure.axes), 3)


if __name__ == "__main__":
    unittest.main()
