import importlib.util
import pathlib
import unittest

import numpy as np

# By path, because parameters.py must do without the package's extension.
SOURCE = pathlib.Path(__file__).parents[2] / "python" / "renorm" / "parameters.py"
spec = importlib.util.spec_from_file_location("parameters", SOURCE)
parameters = importlib.util.module_from_spec(spec)
spec.loader.exec_module(parameters)
random_parameter = parameters.random_parameter


class RandomParameter(unittest.TestCase):
    def test_values_stay_what_they_were(self):
        # The outputs saved under test/Models belong to these values.
        expected = np.array(
            [
                [-0.6655482649803162, 0.07818802446126938, -0.7488524913787842],
                [-0.1676456183195114, 0.003483619075268507, -0.08111932873725891],
            ],
            np.float32,
        )
        np.testing.assert_array_equal(random_parameter("layers.0.mlp.up_proj.weight", (2, 3), seed=7), expected)

    def test_name_and_seed_choose_the_values(self):
        values = random_parameter("a.weight", (8, 8))
        np.testing.assert_array_equal(values, random_parameter("a.weight", (8, 8)))
        self.assertFalse((values == random_parameter("b.weight", (8, 8))).any())
        self.assertFalse((values == random_parameter("a.weight", (8, 8), seed=1)).any())

    def test_kinds(self):
        for name, shape, mean, deviation in [
            ("layer.0.output.LayerNorm.weight", (40000,), 1, 0.1),
            ("embeddings.LayerNorm.bias", (40000,), 0, 0.1),
            ("embeddings.word_embeddings.weight", (400, 100), 0, 1),
            ("wte.weight", (400, 100), 0, 1),
            ("h.0.mlp.c_fc.weight", (400, 100), 0, np.sqrt(2 / 500)),
            ("h.0.mlp.c_proj.weight", (100, 400), 0, np.sqrt(2 / 500)),
        ]:
            with self.subTest(name):
                values = random_parameter(name, shape)
                self.assertEqual(values.shape, shape)
                # Ten standard errors of 40,000 draws.
                self.assertLess(abs(values.mean(dtype=np.float64) - mean), 0.05 * deviation)
                self.assertLess(abs(values.std(dtype=np.float64) / deviation - 1), 0.036)

    def test_scalar(self):
        self.assertEqual(random_parameter("attention.scale", ()).shape, ())

    def test_wider_types_hold_the_float32_values(self):
        narrow, wide = (random_parameter("a.weight", (8, 8), dtype) for dtype in (np.float32, np.float64))
        self.assertEqual((narrow.dtype, wide.dtype), (np.float32, np.float64))
        np.testing.assert_array_equal(narrow.astype(np.float64), wide)


if __name__ == "__main__":
    unittest.main()
