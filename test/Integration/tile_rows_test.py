"""Norms, alone and in groups around a matmul, computed row by row, against float64: in f32, bf16 and f16, on rows whose
mean is up to 100 times their deviation, with no row, one, and any number of them, and widths that are no multiple of
anything."""

import unittest

import numpy as np
from numerics import SMALLEST, UNIT, check, decode, encode
from reference import ops

import renorm

PIPELINE = "renorm-to-llvm{tile-rows=true minimum-elements=0 minimum-products=0 check-shapes=true}"

# A LayerNorm in the prologue, bias and residual add in the epilogue, then of the sum a norm, its statistics, and a norm
# of groups of its columns. Everything that is stored is rounded to the type of the activations.
GROUP = """
#all = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
func.func @group(%x: !x, %w: !w, %bias: !p, %scale: !p) -> (!x, !x, !stats, !heads) {
  %0:4 = norm.fusion strategies = [whole_row, grouped_rows]
      (%a = %x : !x, %b = %w : !w, %c = %bias : !p, %g = %scale : !p) -> (!x, !x, !stats, !heads) {
    %zero = arith.constant 0.0 : f32
    %i = arith.constant 0 : index
    %rows = tensor.dim %a, %i : !x
    %n = norm.layer_norm %a scale(%g : !p) epsilon = 1.0e-05 : !x
    %wide = tensor.empty(%rows) : !sums
    %init = linalg.fill ins(%zero : f32) outs(%wide : !sums) -> !sums
    %m = linalg.matmul ins(%n, %b : !x, !w) outs(%init : !sums) -> !sums
    %e = tensor.empty(%rows) : !x
    %y = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]}
        ins(%m, %c : !sums, !p) outs(%e : !x) {
    ^bb0(%p: f32, %q: ELEMENT, %o: ELEMENT):
      BIAS
      linalg.yield %t : ELEMENT
    } -> !x
    %r = norm.residual_add %a, %y : !x
    %z = norm.rms_norm %r scale(%g : !p) epsilon = 1.0e-06 : !x
    %s:2 = norm.row_stats layer %r : !x
    %split = tensor.expand_shape %r [[0], [1, 2]] output_shape [%rows, HEADS, WIDTH] : !x into !heads
    %h = norm.l2_norm %split epsilon = 1.0e-06 : !heads
    norm.yield %r, %z, %s#1, %h : !x, !x, !stats, !heads
  }
  return %0#0, %0#1, %0#2, %0#3 : !x, !x, !stats, !heads
}
"""

MEANS = (0, 1, 10, 100)


def compile_group(element, heads, width):
    columns = heads * width
    aliases = {
        "x": f"tensor<?x{columns}x{element}>",
        "w": f"tensor<{columns}x{columns}x{element}>",
        "p": f"tensor<{columns}x{element}>",
        "sums": f"tensor<?x{columns}xf32>",
        "stats": "tensor<?xf32>",
        "heads": f"tensor<?x{heads}x{width}x{element}>",
    }
    if element == "f32":
        bias = "%t = arith.addf %p, %q : f32"
    else:
        bias = f"%f = arith.extf %q : {element} to f32\n      %u = arith.addf %p, %f : f32\n"
        bias += f"      %t = arith.truncf %u : f32 to {element}"
    text = "".join(f"!{name} = {type}\n" for name, type in aliases.items()) + GROUP
    for name, value in {"ELEMENT": element, "BIAS": bias, "HEADS": str(heads), "WIDTH": str(width)}.items():
        text = text.replace(name, value)
    return renorm.Module.parse(text).compile(pipeline=PIPELINE)


class Groups(unittest.TestCase):
    def check_group(self, element, heads, width):
        compiled = compile_group(element, heads, width)
        columns = heads * width
        unit, tiny, sums = UNIT[element], SMALLEST[element], (8 + 2 * np.sqrt(columns)) * UNIT["f32"]
        for rows in (0, 1, 2, 9, 33):
            rng = np.random.default_rng(rows)
            means = np.resize(MEANS, rows)[:, None]
            inputs = [
                encode(means + rng.normal(size=(rows, columns)), element),
                encode(rng.normal(size=(columns, columns)) / np.sqrt(columns), element),
                encode(rng.normal(size=columns), element),
                encode(1 + 0.1 * rng.normal(size=columns), element),
            ]
            results = compiled(*inputs)
            x, w, bias, scale = (decode(each, element) for each in inputs)
            r, z, heads_result = (decode(results[index], element) for index in (0, 1, 3))

            with self.subTest(element=element, heads=heads, width=width, rows=rows):
                normalized = ops.layer_norm(x, scale, epsilon=1e-5)
                product = normalized @ w
                branch = product + bias
                # What the norm may be off by: of a row whose mean is large, its rounding.
                deviation = np.sqrt(x.var(-1, keepdims=True) + 1e-5)
                off = 2 * unit * np.abs(normalized) + sums * (1 + np.abs(x) / deviation) * np.abs(scale)
                off = (off + columns * UNIT["f32"] * np.abs(normalized)) @ np.abs(w)
                off += 2 * unit * (np.abs(product) + np.abs(branch))
                check(r, x + branch, off + 2 * unit * np.abs(x + branch) + tiny, "sum")

                # The norms and statistics are those of the sum as it is stored.
                expected = ops.rms_norm(r, scale, epsilon=1e-6)
                check(z, expected, (2 * unit + sums) * np.abs(expected) + tiny, "norm")
                variance = r.var(-1)
                rounding = UNIT["f32"] * np.abs(r.mean(-1))
                check(results[2].astype(np.float64), variance, sums * variance + rounding**2 + SMALLEST["f32"], "statistics")
                split = r.reshape(rows, heads, width)
                expected = ops.l2_norm(split, epsilon=1e-6)
                check(heads_result, expected, (2 * unit + sums) * np.abs(expected) + tiny, "norm of groups")

    def test_f32(self):
        for heads, width in ((1, 1), (3, 11), (4, 64)):
            self.check_group("f32", heads, width)

    def test_16_bits(self):
        for element in ("bf16", "f16"):
            self.check_group(element, 3, 20)


class Norms(unittest.TestCase):
    def test_dynamic(self):
        """All extents are dynamic, also that of the row."""
        text = """
        func.func @norms(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
          %0 = norm.layer_norm %x epsilon = 1.0e-05 : tensor<?x?x?xf32>
          %1 = norm.rms_norm %x epsilon = 1.0e-05 axes = [1] : tensor<?x?x?xf32>
          %s:2 = norm.row_stats layer %x : tensor<?x?x?xf32>
          %2 = norm.apply_stats layer %x stats(%s#0, %s#1 : tensor<?x?xf32>, tensor<?x?xf32>) epsilon = 1.0e-05 : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
          return %0, %1, %2 : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
        }"""
        compiled = renorm.Module.parse(text).compile(pipeline=PIPELINE)
        for shape in ((2, 3, 5), (1, 1, 1), (0, 4, 7), (3, 2, 129)):
            x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
            layer, rms, halves = (each.astype(np.float64) for each in compiled(x))
            expected = ops.layer_norm(x, epsilon=1e-5)
            bound = 64 * UNIT["f32"] * (1 + np.abs(expected))
            check(layer, expected, bound, f"layer norm, {shape}")
            check(halves, expected, bound, f"halves of a layer norm, {shape}")
            expected = ops.rms_norm(x, epsilon=1e-5, axes=(1,))
            check(rms, expected, 64 * UNIT["f32"] * np.abs(expected), f"rms norm, {shape}")


if __name__ == "__main__":
    unittest.main()
