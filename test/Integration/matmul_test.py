"""Contractions against float64, and against sums in the order of the program bit for bit: layouts, element types, few
rows and many, extents that are no multiple of anything, for registers of 128 to 512 bits."""

import itertools
import unittest

import numpy as np
from numerics import UNIT, check, decode, encode, tensor_type

import renorm

LAYOUTS = [
    "mk,kn->mn",
    "mk,nk->mn",
    "km,kn->mn",
    "km,nk->mn",
    "mk,kn->nm",
    "bmk,bkn->bmn",
    "bmk,bnk->mbn",
    "bmk,kn->bmn",
    "mkl,kln->mn",
    "mk,kan->man",
]

# No product at all, a vector, less than a tile, more than the rows that are read without packing, more than a block of
# rows or of the inner dimension.
EXTENTS = [
    {"m": 0, "n": 3, "k": 4},
    {"m": 3, "n": 0, "k": 4},
    {"m": 3, "n": 4, "k": 0},
    {"m": 1, "n": 1, "k": 1},
    {"m": 1, "n": 37, "k": 19},
    {"m": 15, "n": 64, "k": 8},
    {"m": 16, "n": 1, "k": 300},
    {"m": 17, "n": 150, "k": 33},
    {"m": 150, "n": 5, "k": 7},
    {"m": 301, "n": 35, "k": 515},
]


def split(layout):
    operands, result = layout.split("->")
    return (*operands.split(","), result)


def operation(number, layout, types):
    """The contraction of %a, %b, added to %c, and their types, of dynamic extents."""
    dims = sorted(set(layout) - set(",->"), key="bamnkl".index)
    maps = ", ".join(f"affine_map<({', '.join(dims)}) -> ({', '.join(each)})>" for each in split(layout))
    iterators = ", ".join('"parallel"' if dim in split(layout)[2] else '"reduction"' for dim in dims)
    tensors = [tensor_type([0] * len(each), type, dynamic=True) for each, type in zip(split(layout), types)]
    a, b, c = (f"%{name}{number}" for name in "abc")
    factors, extensions = ["%x", "%y"], ""
    for index, type in enumerate(types[:2]):
        if type != types[2]:
            extensions += f"    {factors[index]}e = arith.extf {factors[index]} : {type} to {types[2]}\n"
            factors[index] += "e"
    text = f"""
  %{number} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({a}, {b} : {tensors[0]}, {tensors[1]}) outs({c} : {tensors[2]}) {{
  ^bb0(%x: {types[0]}, %y: {types[1]}, %z: {types[2]}):
{extensions}    %p = arith.mulf {factors[1]}, {factors[0]} : {types[2]}
    %s = arith.addf %p, %z : {types[2]}
    linalg.yield %s : {types[2]}
  }} -> {tensors[2]}"""
    return text, [f"{name}: {tensor}" for name, tensor in zip((a, b, c), tensors)], tensors[2]


def compile_layouts(layouts, types, options=""):
    """A function of three operands for each layout, which returns a result for each."""
    operations = [operation(number, layout, types) for number, layout in enumerate(layouts)]
    arguments = ", ".join(argument for _, each, _ in operations for argument in each)
    results = ", ".join(result for _, _, result in operations)
    names = ", ".join(f"%{number}" for number in range(len(layouts)))
    text = f"func.func @main({arguments}) -> ({results}) {{{''.join(text for text, _, _ in operations)}\n"
    text += f"  return {names} : {results}\n}}\n"
    return renorm.Module.parse(text).compile(pipeline=f"renorm-to-llvm{{minimum-products=0 {options}}}")


def shapes(layout, extents):
    extents = {"a": 3, "b": 2, "l": 3, **extents}
    return [[extents[dim] for dim in each] for each in split(layout)]


class Matmul(unittest.TestCase):
    def check_against_float64(self, types, options="", layouts=LAYOUTS):
        compiled = compile_layouts(layouts, types, options)
        rng = np.random.default_rng(5)
        for extents in EXTENTS:
            operands = [
                encode(rng.normal(size=shape), type)
                for layout in layouts
                for shape, type in zip(shapes(layout, extents), types)
            ]
            results = compiled(*operands)
            for index, (layout, result) in enumerate(zip(layouts, results)):
                a, b, c = (decode(each, type) for each, type in zip(operands[3 * index :], types))
                if types[2] == "f64":
                    a, b, c = (each.astype(np.longdouble) for each in (a, b, c))
                expected = c + np.einsum(layout, a, b)
                terms = extents["k"] * (3 if "l" in layout else 1) + 1
                magnitude = np.abs(c) + np.einsum(layout, np.abs(a), np.abs(b))
                with self.subTest(types=types, options=options, layout=layout, extents=extents):
                    check(decode(result, types[2]), expected, terms * UNIT[types[2]] * magnitude, "contraction")

    def test_f32(self):
        self.check_against_float64(("f32", "f32", "f32"))

    def test_narrow_and_wide_registers(self):
        for bits in (128, 512):
            self.check_against_float64(("f32", "f32", "f32"), f"vector-bits={bits}", LAYOUTS[:3])

    def test_other_types(self):
        for types in (("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("bf16", "f32", "f32"), ("f64", "f64", "f64")):
            self.check_against_float64(types, layouts=LAYOUTS[:2])

    def test_order_of_sums(self):
        """With powers of two as factors every product is exact; then only the order decides how a sum is rounded."""
        layouts = LAYOUTS[:2]
        compiled = compile_layouts(layouts, ("f32", "f32", "f32"))
        rng = np.random.default_rng(6)
        for m, n, k in itertools.product((1, 40), (19, 64), (5, 700)):
            a = np.exp2(rng.integers(-8, 8, (m, k))).astype(np.float32)
            b = rng.normal(size=(k, n)).astype(np.float32)
            c = rng.normal(size=(m, n)).astype(np.float32)
            expected = c.copy()
            for step in range(k):
                expected += a[:, step, None] * b[step]
            plain, transposed = compiled(a, b, c, a, np.ascontiguousarray(b.T), c)
            with self.subTest(m=m, n=n, k=k):
                np.testing.assert_array_equal(plain, expected)
                np.testing.assert_array_equal(transposed, expected)

    def test_special_values(self):
        """No product with a number that is not there: rows and columns beside an infinity or NaN stay what they are."""
        compiled = compile_layouts(LAYOUTS[:1], ("f32", "f32", "f32"))
        for m, n, k in ((2, 19, 9), (40, 21, 260)):
            a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
            a[0, k - 1], b[k - 1, n - 1] = np.nan, np.inf
            result = compiled(a, b, np.zeros((m, n), np.float32))
            expected = np.full((m, n), np.float32(k))
            expected[:, n - 1], expected[0] = np.inf, np.nan
            np.testing.assert_array_equal(result, expected)


if __name__ == "__main__":
    unittest.main()
