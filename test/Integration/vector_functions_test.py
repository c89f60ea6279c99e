"""exp, erf and tanh of f32, which compiled code may compute several at a time, against float64."""

import math
import unittest

import numpy as np
from numerics import SMALLEST, UNIT, check

import renorm

FUNCTIONS = {"exp": np.exp, "erf": np.vectorize(math.erf, otypes=[np.float64]), "tanh": np.tanh}

PROGRAM = """
#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {{
  ^bb0(%a: f32, %out: f32):
    %r = math.{name} %a : f32
    linalg.yield %r : f32
  }} -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""


class VectorFunctions(unittest.TestCase):
    def test_accuracy(self):
        rng = np.random.default_rng(7)
        magnitudes = np.exp2(rng.uniform(-140, 6, 100_003)) * rng.choice([-1, 1], 100_003)
        x = np.concatenate([magnitudes, np.linspace(-20, 20, 50_000), [0.0, -0.0]]).astype(np.float32)
        for name, reference in FUNCTIONS.items():
            compiled = renorm.Module.parse(PROGRAM.format(name=name)).compile()
            expected = reference(x.astype(np.float64))
            # 4 units in the last place, which is up to twice UNIT.
            bound = 8 * UNIT["f32"] * np.abs(expected) + 4 * SMALLEST["f32"]
            with self.subTest(function=name):
                check(compiled(x).astype(np.float64), expected, bound, name)

    def test_special_values(self):
        x = np.array([np.inf, -np.inf, np.nan, 200.0, -200.0] * 13, np.float32)
        for name, reference in FUNCTIONS.items():
            compiled = renorm.Module.parse(PROGRAM.format(name=name)).compile()
            with self.subTest(function=name), np.errstate(over="ignore"):
                np.testing.assert_array_equal(compiled(x), reference(x.astype(np.float64)).astype(np.float32))


if __name__ == "__main__":
    unittest.main()
