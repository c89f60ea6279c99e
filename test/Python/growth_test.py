"""The growth model against values worked out by hand and against its closed forms."""

import math
import unittest

import renorm
from renorm import predict_growth


def last(*arguments, **options):
    return predict_growth(*arguments, **options)[-1]


class Values(unittest.TestCase):
    def test_four_layers_of_gain_half(self):
        # The defaults. 1.5^4 = 5.0625, 1.5^2 = 2.25, 1.5^-2 = 4/9.
        for placement, variance, jacobian in [
            ("none", 5.0625, 2.25),
            ("post", 1.0, 4 / 9),
            ("pre", 5.0625, 2.25),
            ("peri", 5.0, math.sqrt(1 / 5)),
            ("output", 5.0, math.sqrt(1 / 5)),
        ]:
            with self.subTest(placement):
                point = last(placement)
                self.assertAlmostEqual(point.variance, variance, delta=1e-12)
                self.assertAlmostEqual(point.jacobian, jacobian, delta=1e-12)
                self.assertEqual(point.layer, 3)

    def test_four_layers_at_initialization(self):
        for placement, variance, jacobian in [
            ("none", 5.0625, 2.25),
            ("post", 1.0, 4 / 9),
            ("pre", 3.0, math.sqrt(1 / 3)),
            ("peri", 5.0, math.sqrt(1 / 5)),
            ("output", 5.0, math.sqrt(1 / 5)),
        ]:
            with self.subTest(placement):
                point = last(placement, regime="initialization")
                self.assertAlmostEqual(point.variance, variance, delta=1e-12)
                self.assertAlmostEqual(point.jacobian, jacobian, delta=1e-12)

    def test_points(self):
        points = predict_growth("post", layers=2)
        self.assertEqual([point.layer for point in points], [None, 0, 1])
        self.assertEqual([point.sum for point in points], [1.0, 1.5, 1.5])
        self.assertEqual([point.variance for point in points], [1.0, 1.0, 1.0])
        (point,) = predict_growth("pre", layers=0, initial_variance=3.0)
        self.assertEqual(point, renorm.GrowthPoint(None, 3.0, 3.0, 1.0))

    def test_sublayers_share_the_gain_of_their_layer(self):
        # (1 + k')^2 = 1 + k in a trained network, and 2 k' = k at initialization; an output norm gives what it gives.
        points = predict_growth("pre", layers=2, gain=3.0, sublayers=2)
        self.assertEqual([point.layer for point in points], [None, 0, 0, 1, 1])
        for point, expected in zip(points, [1, 2, 4, 8, 16]):
            self.assertAlmostEqual(point.variance, expected, delta=1e-12)
        points = predict_growth("pre", layers=2, gain=3.0, sublayers=2, regime="initialization")
        self.assertEqual([point.variance for point in points], [1.0, 2.5, 4.0, 5.5, 7.0])
        points = predict_growth("peri", layers=2, gain=3.0, sublayers=2)
        self.assertEqual([point.variance for point in points], [1.0, 2.0, 3.0, 4.0, 5.0])

    def test_scales(self):
        # 1 + 3 * 2^2.
        self.assertEqual(last("peri", layers=3, output_scale=2.0).variance, 13.0)
        # 0.5^2 of the trunk and what the norm gives: 1/4 + 1, 5/16 + 1. The jacobian is 1/4 sqrt(v / v') each.
        point = last("peri", layers=2, residual_scale=0.5)
        self.assertAlmostEqual(point.variance, 21 / 16, delta=1e-12)
        self.assertAlmostEqual(point.jacobian, math.sqrt(16 / 21) / 16, delta=1e-12)
        # (4 + 1/2) / 4 in each of two layers.
        point = last("deepnorm", layers=2, residual_scale=2.0)
        self.assertAlmostEqual(point.jacobian, 4 / 4.5, delta=1e-12)
        self.assertEqual((point.sum, point.variance), (4.5, 1.0))

    def test_initial_variance(self):
        self.assertAlmostEqual(last("pre", initial_variance=2.0).variance, 2 * 5.0625, delta=1e-12)
        point = last("peri", initial_variance=2.0)
        self.assertAlmostEqual(point.variance, 6.0, delta=1e-12)
        self.assertAlmostEqual(point.jacobian, math.sqrt(2 / 6), delta=1e-12)

    def test_closed_forms_in_depth(self):
        for layers in (1, 7, 1000):
            for k in (0.0, 0.01, 0.5):
                with self.subTest(layers=layers, gain=k):
                    growth = (1 + k) ** (layers / 2)
                    for placement, variance, jacobian in [
                        ("pre", growth**2, growth),
                        ("post", 1.0, 1 / growth),
                        ("peri", 1.0 + layers, (1.0 + layers) ** -0.5),
                    ]:
                        for sublayers in {"peri": [1]}.get(placement, [1, 2, 3]):
                            point = last(placement, layers, k, sublayers=sublayers)
                            self.assertAlmostEqual(point.variance / variance, 1.0, delta=1e-10)
                            if placement == "pre" or sublayers == 1:
                                self.assertAlmostEqual(point.jacobian / jacobian, 1.0, delta=1e-10)


class Refusals(unittest.TestCase):
    def test_values(self):
        for arguments, reason in [
            (dict(placement="sideways"), "expected a placement, but got 'sideways'"),
            (dict(placement="pre", regime="tired"), "expected 'initialization' or 'trained' as regime, but got 'tired'"),
            (dict(placement="pre", gain=-1.0), "expected a gain that is finite and not negative"),
            (dict(placement="pre", gain=math.nan), "expected a gain that is finite and not negative"),
            (dict(placement="pre", initial_variance=0.0), "expected an initial variance that is finite and positive"),
            (dict(placement="pre", layers=1000001), "expected at most 1000000 sublayers"),
        ]:
            with self.subTest(**arguments), self.assertRaisesRegex(ValueError, reason):
                predict_growth(**arguments)


if __name__ == "__main__":
    unittest.main()
