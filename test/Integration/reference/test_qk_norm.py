"""The norms of queries and keys against values worked out by hand."""

import unittest

import numpy as np

from . import exported, models, ops
from .check import assert_close, relative_error
from .qk_norm import QKNorm, initial_g
from .stack import Norm

UNIT = Norm("l2", 0.0)


def logits(q, k, qk_norm, rope=None):
    """What the softmax of `_attend` is taken of, but for a constant in each row."""
    seq = k.shape[-2]
    weights = models._attend(q, k, np.eye(seq)[None, None], qk_norm, rope)
    return np.log(weights) - np.log(weights[..., :1])


class QKNorms(unittest.TestCase):
    def test_initial_g(self):
        self.assertEqual(initial_g(2), 1.0)
        self.assertAlmostEqual(initial_g(1024), 20 + np.log2(1 - 1 / 1024))

    def test_henry(self):
        # Cosines 24/25 and 0 times g.
        q, k = np.array([[[[3.0, 4.0]]]]), np.array([[[[4.0, 3.0], [-8.0, 6.0]]]])
        assert_close(logits(q, k, QKNorm(UNIT, UNIT, g=10.0)), [[[[0.0, -9.6]]]], 1e-12)
        two = np.concatenate([q, q], axis=1), np.concatenate([k, k], axis=1)
        expected = [[[[0.0, -9.6]], [[0.0, -4.8]]]]
        assert_close(logits(*two, QKNorm(UNIT, UNIT, g=np.array([10.0, 5.0]))), expected, 1e-12)

    def test_vit_22b(self):
        # LayerNorm of (1, 3) is (-1, 1), of (5, 1) (1, -1); d = 2.
        norm = Norm("layer", 0.0)
        q, k = np.array([[[[1.0, 3.0]]]]), np.array([[[[1.0, 9.0], [5.0, 1.0]]]])
        assert_close(logits(q, k, QKNorm(norm, norm)), [[[[0.0, -4 / np.sqrt(2)]]]], 1e-12)

    def test_hidden(self):
        # Heads (3, 4) and (0, 12) together have length 13; scales 1, 2, 3, 4.
        x = np.array([[[[3.0, 4.0]], [[0.0, 12.0]]]])
        norm = Norm("l2", 0.0, np.array([1.0, 2.0, 3.0, 4.0]))
        y, _ = QKNorm(norm, norm, "hidden").apply("before-rope", x, x)
        assert_close(y, np.array([[[[3.0, 8.0]], [[0.0, 48.0]]]]) / 13, 1e-15)

    def test_position(self):
        # A scale of one of two elements that the rotation exchanges.
        norm = Norm("l2", 0.0, np.array([1.0, 0.0]))
        q, k = np.array([[[[3.0, 4.0]]]]), np.array([[[[3.0, 4.0], [4.0, 3.0]]]])

        def turn(x):
            return np.stack([-x[..., 1], x[..., 0]], axis=-1)

        before = logits(q, k, QKNorm(norm, norm, g=1.0), turn)
        after = logits(q, k, QKNorm(norm, norm, position="after-rope", g=1.0), turn)
        assert_close(before, [[[[0.0, 0.6 * (0.8 - 0.6)]]]], 1e-12)
        assert_close(after, [[[[0.0, 0.8 * (0.6 - 0.8)]]]], 1e-12)

    def test_models_take_them(self):
        for name in exported.CONFIGS:
            parameters, input_ids = exported.parameters(name) | exported.buffers(name), exported.saved(name)["input_ids"]
            asked = []

            def qk_norm(sublayer):
                asked.append(sublayer)
                return QKNorm(UNIT, UNIT, g=4.0) if sublayer.startswith("layers.1") else None

            model = models.build(name, exported.CONFIGS[name], parameters, qk_norm=qk_norm)
            layers = exported.CONFIGS[name]["num_hidden_layers"]
            self.assertEqual(asked, [f"layers.{i}.attention" for i in range(layers)])
            without = models.build(name, exported.CONFIGS[name], parameters)
            self.assertGreater(relative_error(model(input_ids), without(input_ids)), 1e-3)

    def test_unknown_scope(self):
        with self.assertRaises(ValueError):
            QKNorm(UNIT, UNIT, "layer").apply("before-rope", ops.f64([[[[1.0]]]]), None)


if __name__ == "__main__":
    unittest.main()
