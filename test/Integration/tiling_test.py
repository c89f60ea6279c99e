"""Runs tiled programs and compares them with the float64 reference.

The programs compute in f64, so that what is left of an error is not rounding but a tile in the wrong place.
"""

import pathlib
import tempfile
import unittest

import numpy as np
import renorm
from reference import ops
from reference.check import assert_close

TOLERANCE = 1e-13

# What the activations are like: deviation and mean.
DISTRIBUTIONS = {"normal": (1.0, 0.0), "large mean": (1.0, 100.0), "tiny variance": (1e-6, 0.0)}


def tile(op, sizes, using="tile_using_for"):
    """A schedule that tiles the operation `op`; with `using` "fuse" its producers go into the loops."""
    loops = 1 if using == "tile_using_forall" else sum(size != 0 for size in sizes)
    results = ", ".join(["!transform.any_op"] * (loops + 1))
    return f"""
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %op = transform.structured.match ops{{["{op}"]}} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:{loops} = transform.structured.{using} %op tile_sizes {list(sizes)}
        : (!transform.any_op) -> ({results})
    transform.yield
  }}
}}
"""


def compile_tiled(source, schedule):
    """Returns the function of `source` after `schedule`, and its tiled program."""
    module = renorm.Module.parse(source)
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "schedule.mlir")
        path.write_text(schedule)
        module.run_pipeline(
            f"transform-preload-library{{transform-library-paths={path}}},transform-interpreter,"
            "resolve-ranked-shaped-type-result-dims,canonicalize"
        )
    return module.compile(), str(module)


class TilingTest(unittest.TestCase):
    def check(self, source, schedule, make_inputs, reference, fused):
        """Compares the tiled program with `reference` on make_inputs(rng, activations), where activations(*shape)
        is random. All operations of `fused` must be in the loops and nowhere else.
        """
        function, text = compile_tiled(source, schedule)
        before, _, loops = text.partition("scf.for")
        for op in fused:
            self.assertIn(op, loops)
            self.assertNotIn(op, before)
        for seed in range(3):
            rng = np.random.default_rng(seed)
            for name, (deviation, mean) in DISTRIBUTIONS.items():
                inputs = make_inputs(rng, lambda *shape: deviation * rng.standard_normal(shape) + mean)
                with self.subTest(seed=seed, distribution=name):
                    assert_close(function(*inputs), reference(*inputs), TOLERANCE)


class Norms(TilingTest):
    def test_layer_norm(self):
        self.check(
            """
func.func @f(%x: tensor<?x12x8xf64>, %g: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<?x12x8xf64> {
  %0 = norm.layer_norm %x scale(%g : tensor<8xf64>) bias(%b : tensor<8xf64>) epsilon = 1.0e-5 : tensor<?x12x8xf64>
  return %0 : tensor<?x12x8xf64>
}""",
            tile("norm.layer_norm", [4, 5]),
            lambda rng, x: [x(7, 12, 8), rng.standard_normal(8), rng.standard_normal(8)],
            lambda x, g, b: ops.layer_norm(x, g, b, epsilon=1e-5),
            fused=["norm.layer_norm"],
        )

    def test_scale_of_heads(self):
        self.check(
            """
func.func @f(%x: tensor<2x8x?x16xf64>, %g: tensor<8x16xf64>) -> tensor<2x8x?x16xf64> {
  %0 = norm.rms_norm %x scale(%g : tensor<8x16xf64>) epsilon = 1.0e-6 scale_dims = [1, 3] unit_offset
         : tensor<2x8x?x16xf64>
  return %0 : tensor<2x8x?x16xf64>
}""",
            tile("norm.rms_norm", [0, 4, 5], using="tile_using_forall"),
            lambda rng, x: [x(2, 8, 7, 16), rng.standard_normal((8, 16))],
            lambda x, g: ops.rms_norm(x, g, epsilon=1e-6, scale_dims=(1, 3), unit_offset=True),
            fused=["norm.rms_norm"],
        )

    def test_several_axes(self):
        self.check(
            """
func.func @f(%x: tensor<6x?x8x16xf64>, %g: tensor<f64>) -> tensor<6x?x8x16xf64> {
  %0 = norm.l2_norm %x scale(%g : tensor<f64>) epsilon = 1.0e-12 epsilon_mode = clamp axes = [1, 3]
         : tensor<6x?x8x16xf64>
  return %0 : tensor<6x?x8x16xf64>
}""",
            tile("norm.l2_norm", [4, 0, 3]),
            lambda rng, x: [x(6, 5, 8, 16), np.array(4.0)],
            lambda x, g: ops.l2_norm(x, g, epsilon=1e-12, epsilon_mode="clamp", axes=(1, 3)),
            fused=["norm.l2_norm"],
        )

    def test_residual_add(self):
        self.check(
            """
func.func @f(%x: tensor<?x8xf64>, %y: tensor<?x8xf64>) -> tensor<?x8xf64> {
  %0 = norm.residual_add %x, %y residual_scale = 2.5 branch_scale = 0.25 : tensor<?x8xf64>
  return %0 : tensor<?x8xf64>
}""",
            tile("norm.residual_add", [3, 5]),
            lambda rng, x: [x(7, 8), x(7, 8)],
            lambda x, y: 2.5 * x + 0.25 * y,
            fused=["norm.residual_add"],
        )

    def test_fuse(self):
        self.check(
            """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %g: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = norm.residual_add %x, %y : tensor<?x?xf64>
  %1 = norm.layer_norm %0 scale(%g : tensor<?xf64>) epsilon = 1.0e-5 : tensor<?x?xf64>
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf64>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) {
  ^bb0(%in: f64, %out: f64):
    %3 = math.tanh %in : f64
    linalg.yield %3 : f64
  } -> tensor<?x?xf64>
  return %2 : tensor<?x?xf64>
}""",
            tile("linalg.generic", [4, 0], using="fuse"),
            lambda rng, x: [x(7, 8), x(7, 8), rng.standard_normal(8)],
            lambda x, y, g: np.tanh(ops.layer_norm(x + y, g, epsilon=1e-5)),
            fused=["norm.residual_add", "norm.layer_norm"],
        )


class Attention(TilingTest):
    """The activations are the values; of queries and keys with a large mean the softmax would be ill-conditioned."""

    def test_groups_of_heads(self):
        # The last tile of the heads is smaller. The mask's unknown extent is 1 in one run and the batch in another.
        for batch in 1, 3:
            with self.subTest(batch):
                self.check(
                    """
func.func @f(%q: tensor<3x8x10x16xf64>, %k: tensor<3x4x14x16xf64>, %v: tensor<3x4x14x6xf64>,
             %m: tensor<?x1x10x14xf64>) -> tensor<3x8x10x6xf64> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<?x1x10x14xf64>) causal softcap = 5.0 window = 6
         : tensor<3x8x10x16xf64>, tensor<3x4x14x16xf64>, tensor<3x4x14x6xf64>
  return %0 : tensor<3x8x10x6xf64>
}""",
                    tile("norm.attention", [2, 6, 4, 4]),
                    lambda rng, x: [
                        rng.standard_normal((3, 8, 10, 16)),
                        rng.standard_normal((3, 4, 14, 16)),
                        x(3, 4, 14, 6),
                        rng.standard_normal((batch, 1, 10, 14)),
                    ],
                    lambda q, k, v, m: ops.attention(q, k, v, mask=m, causal=True, softcap=5.0, window=6),
                    fused=["norm.attention"],
                )

    def test_within_a_group(self):
        self.check(
            """
func.func @f(%q: tensor<8x?x16xf64>, %k: tensor<2x?x16xf64>, %v: tensor<2x?x16xf64>, %m: tensor<8x1x?xi1>,
             %g: tensor<8xf64>) -> tensor<8x?x16xf64> {
  %0 = norm.attention %q, %k, %v mask(%m : tensor<8x1x?xi1>) learned_scale(%g : tensor<8xf64>) zero_masked_rows
         : tensor<8x?x16xf64>, tensor<2x?x16xf64>, tensor<2x?x16xf64>
  return %0 : tensor<8x?x16xf64>
}""",
            tile("norm.attention", [2, 5], using="tile_using_forall"),
            lambda rng, x: [
                rng.standard_normal((8, 7, 16)),
                rng.standard_normal((2, 9, 16)),
                x(2, 9, 16),
                # The first head sees no key.
                (rng.random((8, 1, 9)) < 0.5) & (np.arange(8) != 0)[:, None, None],
                rng.random(8),
            ],
            lambda q, k, v, m, g: ops.attention(q, k, v, mask=m, scale=g, zero_masked_rows=True),
            fused=["norm.attention"],
        )

    def test_one_key_head(self):
        self.check(
            """
func.func @f(%q: tensor<?x?x16xf64>, %k: tensor<1x?x16xf64>, %v: tensor<1x?x16xf64>) -> tensor<?x?x16xf64> {
  %0 = norm.attention %q, %k, %v window = 4 : tensor<?x?x16xf64>, tensor<1x?x16xf64>, tensor<1x?x16xf64>
  return %0 : tensor<?x?x16xf64>
}""",
            tile("norm.attention", [3]),
            lambda rng, x: [rng.standard_normal((7, 5, 16)), rng.standard_normal((1, 9, 16)), x(1, 9, 16)],
            lambda q, k, v: ops.attention(q, k, v, window=4),
            fused=["norm.attention"],
        )

    def test_causal_queries_of_any_number(self):
        self.check(
            """
func.func @f(%q: tensor<6x?x16xf64>, %v: tensor<6x?x16xf64>) -> tensor<6x?x16xf64> {
  %k = norm.rms_norm %q epsilon = 1.0e-6 : tensor<6x?x16xf64>
  %0 = norm.attention %q, %k, %v causal : tensor<6x?x16xf64>, tensor<6x?x16xf64>, tensor<6x?x16xf64>
  return %0 : tensor<6x?x16xf64>
}""",
            tile("norm.attention", [4, 5]),
            lambda rng, x: [rng.standard_normal((6, 13, 16)), x(6, 13, 16)],
            lambda q, v: ops.attention(q, ops.rms_norm(q, epsilon=1e-6), v, causal=True),
            fused=["norm.attention"],
        )

    def test_fuse(self):
        self.check(
            """
func.func @f(%q: tensor<?x4x?x16xf64>, %k: tensor<?x4x?x16xf64>, %v: tensor<?x4x?x?xf64>) -> tensor<?x4x?x?xf64> {
  %0 = norm.attention %q, %k, %v window = 3 : tensor<?x4x?x16xf64>, tensor<?x4x?x16xf64>, tensor<?x4x?x?xf64>
  %1 = norm.layer_norm %0 epsilon = 1.0e-5 axes = [1, 3] : tensor<?x4x?x?xf64>
  return %1 : tensor<?x4x?x?xf64>
}""",
            tile("norm.layer_norm", [2], using="fuse"),
            lambda rng, x: [rng.standard_normal((3, 4, 5, 16)), rng.standard_normal((3, 4, 7, 16)), x(3, 4, 7, 6)],
            lambda q, k, v: ops.layer_norm(ops.attention(q, k, v, window=3), epsilon=1e-5, axes=(1, 3)),
            fused=["norm.attention", "norm.layer_norm"],
        )


if __name__ == "__main__":
    unittest.main()
