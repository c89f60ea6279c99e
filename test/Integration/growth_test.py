"""The growth model against random stacks, simulated in float64 by the reference.

A module is one random matrix, so that the model's assumptions hold up to fluctuations.
The largest is twice the mean product of trunk and branch, which the model has as 0.
Amplitude Jacobians are differences of the same stack run twice.
"""

import unittest

import numpy as np
from reference.stack import PLACEMENTS, Norm, Stack, Sublayer

from renorm import predict_growth

LAYERS, ROWS, WIDTH, GAIN = 12, 128, 512, 0.5
# Three standard deviations of that product after all layers, relative to the variance.
TOLERANCE = 3 * 2 * np.sqrt(LAYERS * GAIN * (ROWS + WIDTH) / ROWS) / WIDTH


def random_norm(scale=1.0):
    return Norm("rms", 0.0, np.full(WIDTH, scale))


class RandomMatrix:
    """A module that gives GAIN times the variance of what it reads."""

    def __init__(self, rng):
        self.weights = rng.normal(size=(WIDTH, WIDTH)) * np.sqrt(GAIN / WIDTH)

    def __call__(self, x):
        return x @ self.weights


class Proportional(RandomMatrix):
    """The same behind an input norm, but trained to write in proportion to `trunk`."""

    def __call__(self, x):
        return super().__call__(x) * np.sqrt(np.square(self.trunk).mean(axis=-1, keepdims=True))


def build(placement, module, scale=1.0, alpha=1.0):
    rng = np.random.default_rng(0)
    bits = PLACEMENTS["post" if placement == "deepnorm" else placement]
    sublayers = []
    for i in range(LAYERS):
        norms = [random_norm(scale if slot == 1 else 1.0) if bit else None for slot, bit in enumerate(bits)]
        sublayers.append(Sublayer(f"{i}", i, "feed-forward", module(rng), *norms, residual_scale=alpha))
    return Stack(tuple(sublayers))


def run(stack, x):
    """Mean squares of the trunk at every point, as (sum, after the post norm)."""
    points, trunk = [(np.square(x).mean(),) * 2], x
    for sublayer in stack.sublayers:
        sublayer.module.trunk = trunk
        taps = {}
        trunk = Stack((sublayer,)).run(trunk, taps)
        points.append((np.square(taps[f"{sublayer.name}.add"]).mean(), np.square(trunk).mean()))
    return points


class Simulation(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(1).normal(size=(ROWS, WIDTH))

    def check_stack(self, stack, predicted, what):
        for i, (measured, point) in enumerate(zip(run(stack, self.x), predicted, strict=True)):
            for name, value, expected in zip(("sum", "variance"), measured, (point.sum, point.variance)):
                error = abs(value / expected - 1)
                self.assertLessEqual(error, TOLERANCE, f"{what}, point {i}: {name} {value}, predicted {expected}")

    def test_initialization(self):
        for placement, options in [
            ("none", {}),
            ("post", {}),
            ("pre", {}),
            ("peri", {}),
            ("peri", {"output_scale": 0.5}),
            ("peri", {"output_scale": 2.0}),
            ("output", {}),
            ("output", {"output_scale": 1.5}),
            ("deepnorm", {"residual_scale": 2.2}),
        ]:
            scales = options.get("output_scale", 1.0), options.get("residual_scale", 1.0)
            predicted = predict_growth(placement, LAYERS, GAIN, regime="initialization", **options)
            self.check_stack(build(placement, RandomMatrix, *scales), predicted, f"{placement} {options}")

    def test_trained(self):
        stack = build("pre", Proportional)
        self.check_stack(stack, predict_growth("pre", LAYERS, GAIN), "pre, trained")
        # What a post norm leaves has variance 1, which is what its proportion is of.
        stack = build("post", RandomMatrix)
        self.check_stack(stack, predict_growth("post", LAYERS, GAIN), "post, trained")

    def test_initial_variance(self):
        self.x = 3.0 * self.x
        for placement in ("pre", "peri", "none"):
            stack = build(placement, RandomMatrix)
            predicted = predict_growth(placement, LAYERS, GAIN, regime="initialization", initial_variance=9.0)
            self.check_stack(stack, predicted, placement)

    def test_jacobian_by_differences(self):
        h = 1e-4
        for placement, module, regime in [
            ("pre", RandomMatrix, "initialization"),
            ("pre", Proportional, "trained"),
            ("peri", RandomMatrix, "trained"),
            ("output", RandomMatrix, "trained"),
            ("none", RandomMatrix, "trained"),
        ]:
            amplitudes = [run(build(placement, module), self.x * s)[-1][1] ** 0.5 for s in (1 - h, 1 + h)]
            measured = (amplitudes[1] - amplitudes[0]) / (2 * h)
            predicted = predict_growth(placement, LAYERS, GAIN, regime=regime)[-1].jacobian
            self.assertLessEqual(abs(measured / predicted - 1), TOLERANCE, f"{placement}: {measured}, {predicted}")

    def test_jacobian_of_the_skip_through_post_norms(self):
        for alpha in (1.0, 2.2):
            stack = build("post", RandomMatrix, alpha=alpha)
            sums = np.array([point[0] for point in run(stack, self.x)[1:]])
            measured = np.prod(alpha / np.sqrt(sums))
            predicted = predict_growth("deepnorm", LAYERS, GAIN, residual_scale=alpha)[-1].jacobian
            self.assertLessEqual(abs(measured / predicted - 1), TOLERANCE, f"{measured}, {predicted}")


if __name__ == "__main__":
    unittest.main()
