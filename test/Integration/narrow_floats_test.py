"""Compiled bf16 and f16: every operation rounds once, and a value that is only moved stays what it is."""

import unittest
from fractions import Fraction

import numpy as np
from numerics import decode, encode

import renorm

UNARY = """
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?x{source}>, %e: tensor<?x{target}>) -> tensor<?x{target}> {{
  %0 = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%x : tensor<?x{source}>) outs(%e : tensor<?x{target}>) {{
  ^bb0(%a: {source}, %out: {target}):
{body}
    linalg.yield %r : {target}
  }} -> tensor<?x{target}>
  return %0 : tensor<?x{target}>
}}
"""


def compile_unary(source, target, body):
    return renorm.Module.parse(UNARY.format(source=source, target=target, body=body)).compile()


def is_nearest(value, bits, element):
    """Whether the number that has `bits` is the nearest to `value`, of two the one with even bits."""
    def number(bits):
        return Fraction(float(decode(np.array([bits], np.uint16).view(encode(0.0, element).dtype), element)[0]))

    bits = int(bits)
    error = abs(number(bits) - Fraction(value))
    for neighbour in (bits - 1, bits + 1):
        if neighbour < 0 or neighbour & 0x8000 != bits & 0x8000:
            continue
        other = decode(np.array([neighbour], np.uint16).view(encode(0.0, element).dtype), element)[0]
        if not np.isfinite(other):
            continue
        distance = abs(Fraction(float(other)) - Fraction(value))
        if distance < error or (distance == error and bits % 2):
            return False
    return True


class NarrowFloats(unittest.TestCase):
    def test_f64_rounds_once(self):
        rng = np.random.default_rng(3)
        for element, exponents in [("bf16", (-140, 126)), ("f16", (-26, 14))]:
            function = compile_unary("f64", element, f"    %r = arith.truncf %a : f64 to {element}")
            # Numbers of the type, half a step off, and then by less than f32 tells apart.
            powers = 2.0 ** rng.integers(*exponents, size=3000)
            exact = decode(encode(powers * rng.uniform(1, 2, 3000) * rng.choice([-1, 1], 3000), element), element)
            step = np.abs(np.spacing(exact.astype(np.float32)).astype(np.float64)) * (
                2.0**15 if element == "bf16" else 2.0**12
            )
            x = exact + step * (1 + rng.choice([-1, 0, 1], 3000) * 2.0 ** -rng.integers(10, 30, 3000).astype(float))
            bits = function(x, encode(np.zeros(3000), element)).view(np.uint16)
            for value, result in zip(x, bits):
                self.assertTrue(is_nearest(float(value), result, element), (element, value, hex(result)))
            limits = np.array([1e300, -1e300, np.inf, -np.inf, np.nan, 0.0, -0.0])
            result = decode(function(limits, encode(np.zeros(7), element)), element)
            np.testing.assert_array_equal(result, [np.inf, -np.inf, np.inf, -np.inf, np.nan, 0.0, -0.0])

    def test_every_operation_rounds(self):
        rng = np.random.default_rng(4)
        body = "\n".join(
            ["    %c = arith.constant 1.5 : {0}", "    %s = arith.addf %a, %c : {0}", "    %r = arith.mulf %s, %c : {0}"]
        )
        for element in ("bf16", "f16"):
            function = compile_unary(element, element, body.format(element))
            x = encode(rng.normal(size=1000), element)
            total = encode(decode(x, element) + 1.5, element)
            expected = encode(decode(total, element) * 1.5, element)
            result = function(x, encode(np.zeros(1000), element))
            np.testing.assert_array_equal(result.view(np.uint16), expected.view(np.uint16))

    def test_choices_keep_the_bits(self):
        body = "\n".join(
            ["    %c = arith.constant 0.0 : {0}", "    %g = arith.cmpf ogt, %a, %c : {0}",
             "    %r = arith.select %g, %a, %out : {0}"]
        )
        for element in ("bf16", "f16"):
            function = compile_unary(element, element, body.format(element))
            x = encode([1.5, -2.0, 0.0, np.inf, 3e-8, np.nan], element)
            other = encode([7.0, np.nan, -0.0, 8.0, 9.0, -6.0], element)
            expected = np.where(decode(x, element) > 0, x, other)
            np.testing.assert_array_equal(function(x, other).view(np.uint16), expected.view(np.uint16))


if __name__ == "__main__":
    unittest.main()
