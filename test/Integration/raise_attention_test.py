"""Attention as other tools write it, before and after norm-raise, against the float64 reference.

Raising reassociates: its error must be of the order of the error that the program had before, also where logits are
large. What a program means is said here once more, by the reference's own arguments.
"""

import unittest

import numpy as np
import renorm
from reference import ops
from reference.check import relative_error

F32_TOLERANCE = 1e-6

# What queries and keys are like. The logits are up to about 10, 0.01 and 1000.
DEVIATIONS = {"normal": 1.0, "tiny": 0.03, "large": 10.0}


class Program:
    """The text of a function of `arguments`, which map names to types; it is made operation by operation."""

    def __init__(self, **arguments):
        self.types = dict(arguments)
        self.signature = ", ".join(f"%{name}: {type}" for name, type in arguments.items())
        self.lines = []

    def generic(self, name, body, type, inputs, iterators="", init=None):
        """`inputs` are pairs of a name and its indices; `type` is the result's, `iterators` those it reduces."""
        shape, element = type[7:-1].split("x")[:-1], type[7:-1].split("x")[-1]
        dims = "bhmnc"[: len(shape)] if not iterators else iterators.split()[0]
        reduced = iterators.split()[1] if iterators else ""
        loops = dims + reduced
        maps = [*(indices for _, indices in inputs), ", ".join(dims)]
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({each})>" for each in maps)
        kinds = ", ".join('"reduction"' if each in reduced else '"parallel"' for each in loops)
        elements = [self.types[operand].split("x")[-1][:-1] for operand, _ in inputs]
        arguments = ", ".join(f"%i{i}: {each}" for i, each in enumerate(elements))
        self.lines += [
            f"%{name}_empty = tensor.empty() : {type}",
            f"%{name}_start = arith.constant {init if init is not None else 0.0} : {element}",
            f"%{name}_init = linalg.fill ins(%{name}_start : {element}) outs(%{name}_empty : {type}) -> {type}",
            f"%{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}",
            f"    ins({', '.join('%' + operand for operand, _ in inputs)} :"
            f" {', '.join(self.types[operand] for operand, _ in inputs)}) outs(%{name}_init : {type}) {{",
            f"^bb0({arguments}, %out: {element}):",
            *body,
            f"  linalg.yield %y : {element}",
            f"}} -> {type}",
        ]
        self.types[name] = type
        return self

    def add(self, name, line, type):
        self.lines.append(f"%{name} = {line}")
        self.types[name] = type
        return self

    def contract(self, name, type, loops, lhs, rhs):
        element = type.split("x")[-1][:-1]
        body = [f"  %product = arith.mulf %i0, %i1 : {element}", f"  %y = arith.addf %out, %product : {element}"]
        return self.generic(name, body, type, [lhs, rhs], loops)

    def softmax(self, name, logits, subtract_maximum=True):
        """Over the last of four dimensions."""
        type = self.types[logits]
        row = f"tensor<{'x'.join(type[7:].split('x')[:3])}xf32>"
        every, rows = "b, h, m, n", "b, h, m"
        exponent = logits
        if subtract_maximum:
            self.generic(
                f"{name}_max", ["  %y = arith.maximumf %i0, %out : f32"], row, [(logits, every)], "bhm n", "0xFF800000"
            )
            exponent = f"{name}_shifted"
            self.generic(
                exponent, ["  %y = arith.subf %i0, %i1 : f32"], type, [(logits, every), (f"{name}_max", rows)]
            )
        self.generic(f"{name}_exp", ["  %y = math.exp %i0 : f32"], type, [(exponent, every)])
        self.generic(f"{name}_sum", ["  %y = arith.addf %i0, %out : f32"], row, [(f"{name}_exp", every)], "bhm n")
        quotient = ["  %y = arith.divf %i0, %i1 : f32"]
        return self.generic(name, quotient, type, [(f"{name}_exp", every), (f"{name}_sum", rows)])

    def module(self, result):
        type = self.types[result]
        lines = "\n  ".join(self.lines)
        return renorm.Module.parse(
            f"func.func @f({self.signature}) -> {type} {{\n  {lines}\n  return %{result} : {type}\n}}"
        )


class RaiseAttention(unittest.TestCase):
    def check(self, module, expected_text, make_inputs, reference, tolerance=F32_TOLERANCE):
        """Compares module, plain and raised, with `reference` on make_inputs(rng, q_or_k), where q_or_k(*shape) is
        random. The raised program must hold `expected_text` and no softmax of its own.
        """
        plain = module.compile()
        module.run_pipeline("norm-raise")
        text = str(module)
        self.assertIn(expected_text, text)
        self.assertNotIn("math.exp", text)
        raised = module.compile()
        for name, deviation in DEVIATIONS.items():
            with self.subTest(distribution=name):
                errors = []
                for seed in range(10):
                    rng = np.random.default_rng(seed)
                    inputs = make_inputs(rng, lambda *shape: deviation * rng.standard_normal(shape))
                    inputs = [np.asarray(x, each.dtype) for x, each in zip(inputs, plain.inputs)]
                    expected = reference(*inputs)
                    errors.append([relative_error(function(*inputs), expected) for function in (plain, raised)])
                before, after = np.max(errors, axis=0)
                # The error of a logit is relative to the logit, that of its exponential is not.
                self.assertLessEqual(after, tolerance * max(1.0, deviation**2))
                self.assertLessEqual(after, 4 * before)

    def test_grouped_queries_and_rows_without_keys(self):
        """Heads stacked three times, the scale on both sides, a mask with minus infinity, NaN replaced by zero."""
        q, k, s = "tensor<2x6x8x16xf32>", "tensor<2x2x9x16xf32>", "tensor<2x6x8x9xf32>"
        program = Program(q=q, k=k, v=k, mask="tensor<8x9xf32>")
        half = ["  %half = arith.constant 0.5 : f32", "  %y = arith.mulf %i0, %half : f32"]
        program.generic("qs", half, q, [("q", "b, h, m, n")])
        for name in ("k", "v"):
            one, three = "tensor<2x2x1x9x16xf32>", "tensor<2x2x3x9x16xf32>"
            program.add(
                f"{name}1",
                f"tensor.expand_shape %{name} [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 9, 16] : {k} into {one}",
                one,
            )
            stack = ", ".join([f"%{name}1"] * 3)
            program.add(f"{name}3", f"tensor.concat dim(2) {stack} : ({', '.join([one] * 3)}) -> {three}", three)
            program.add(
                f"{name}r",
                f"tensor.collapse_shape %{name}3 [[0], [1, 2], [3], [4]] : {three} into tensor<2x6x9x16xf32>",
                "tensor<2x6x9x16xf32>",
            )
        program.generic("ks", half, "tensor<2x6x9x16xf32>", [("kr", "b, h, m, n")])
        program.contract("s", s, "bhmn c", ("qs", "b, h, m, c"), ("ks", "b, h, n, c"))
        program.generic("x", ["  %y = arith.addf %i0, %i1 : f32"], s, [("s", "b, h, m, n"), ("mask", "m, n")])
        program.softmax("p", "x")
        guard = [
            "  %nan = arith.cmpf une, %i0, %i0 : f32",
            "  %zero = arith.constant 0.0 : f32",
            "  %y = arith.select %nan, %zero, %i0 : f32",
        ]
        program.generic("g", guard, s, [("p", "b, h, m, n")])
        program.contract("o", q, "bhmc n", ("g", "b, h, m, n"), ("vr", "b, h, n, c"))

        def inputs(rng, activations):
            mask = np.where(rng.random((8, 9)) < 0.5, -np.inf, rng.standard_normal((8, 9)))
            mask[3] = -np.inf
            return activations(2, 6, 8, 16), activations(2, 2, 9, 16), rng.standard_normal((2, 2, 9, 16)), mask

        self.check(
            program.module("o"),
            f"mask(%arg3 : tensor<8x9xf32>) scale = 0.25 zero_masked_rows : {q}, {k}, {k}",
            inputs,
            lambda q, k, v, mask: ops.attention(q, k, v, scale=0.25, mask=mask, zero_masked_rows=True),
        )

    def test_heads_inside(self):
        """[batch, sequence, heads, head_dim] throughout, head h of the keys read at h floordiv 3, a soft cap, and no
        maximum subtracted."""
        q, k, v, s = (
            f"tensor<{shape}xf32>" for shape in ("2x8x6x16", "2x9x2x16", "2x9x2x5", "2x6x8x9")
        )
        program = Program(q=q, k=k, v=v)
        program.contract("s", s, "bhmn c", ("q", "b, m, h, c"), ("k", "b, n, h floordiv 3, c"))
        cap = [
            "  %cap = arith.constant 5.0 : f32",
            "  %quotient = arith.divf %i0, %cap : f32",
            "  %tanh = math.tanh %quotient : f32",
            "  %y = arith.mulf %tanh, %cap : f32",
        ]
        program.generic("x", cap, s, [("s", "b, h, m, n")])
        program.softmax("p", "x", subtract_maximum=False)
        program.contract("o", "tensor<2x8x6x5xf32>", "bmhc n", ("p", "b, h, m, n"), ("v", "b, n, h floordiv 3, c"))
        self.check(
            program.module("o"),
            "scale = 1.0 softcap = 5.0 : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>",
            lambda rng, activations: [
                activations(2, 8, 6, 16),
                activations(2, 9, 2, 16),
                rng.standard_normal((2, 9, 2, 5)),
            ],
            lambda q, k, v: ops.attention(*(x.swapaxes(1, 2) for x in (q, k, v)), scale=1.0, softcap=5.0).swapaxes(
                1, 2
            ),
        )

    def test_learned_scale_and_inverted_condition(self):
        q, s = "tensor<2x6x8x16xf32>", "tensor<2x6x8x8xf32>"
        program = Program(q=q, k=q, v=q, scale="tensor<6xf32>", hidden="tensor<2x8xi1>")
        program.contract("s", s, "bhmn c", ("q", "b, h, m, c"), ("k", "b, h, n, c"))
        program.generic("x", ["  %y = arith.mulf %i1, %i0 : f32"], s, [("s", "b, h, m, n"), ("scale", "h")])
        fill = ["  %inf = arith.constant 0xFF800000 : f32", "  %y = arith.select %i1, %inf, %i0 : f32"]
        program.generic("f", fill, s, [("x", "b, h, m, n"), ("hidden", "b, n")])
        program.softmax("p", "f")
        program.contract("o", q, "bhmc n", ("p", "b, h, m, n"), ("v", "b, h, n, c"))

        def inputs(rng, activations):
            hidden = rng.random((2, 8)) < 0.5
            hidden[:, 0] = False
            return (
                activations(2, 6, 8, 16),
                activations(2, 6, 8, 16),
                rng.standard_normal((2, 6, 8, 16)),
                rng.uniform(0.1, 1.0, 6),
                hidden,
            )

        self.check(
            program.module("o"),
            "learned_scale(%arg3 : tensor<6xf32>)",
            inputs,
            lambda q, k, v, scale, hidden: ops.attention(q, k, v, scale=scale, mask=~hidden[:, None, None, :]),
        )

    def test_softmax_in_f32_of_a_graph_in_f16(self):
        """Logits and probabilities are rounded to f16 by the program, and no more by the attention."""
        q, s, wide = "tensor<2x6x8x16xf16>", "tensor<2x6x8x8xf16>", "tensor<2x6x8x8xf32>"
        program = Program(q=q, k=q, v=q)
        program.contract("s", s, "bhmn c", ("q", "b, h, m, c"), ("k", "b, h, n, c"))
        scale = ["  %factor = arith.constant 0.25 : f16", "  %y = arith.mulf %i0, %factor : f16"]
        program.generic("x", scale, s, [("s", "b, h, m, n")])
        program.generic("w", ["  %y = arith.extf %i0 : f16 to f32"], wide, [("x", "b, h, m, n")])
        program.softmax("p", "w")
        program.generic("n", ["  %y = arith.truncf %i0 : f32 to f16"], s, [("p", "b, h, m, n")])
        program.contract("o", q, "bhmc n", ("n", "b, h, m, n"), ("v", "b, h, n, c"))
        self.check(
            program.module("o"),
            f"scale = 0.25 : {q}, {q}, {q}",
            lambda rng, activations: [
                activations(2, 6, 8, 16),
                activations(2, 6, 8, 16),
                rng.standard_normal((2, 6, 8, 16)),
            ],
            lambda q, k, v: ops.attention(q, k, v, scale=0.25),
            # Half a unit in the last place of f16, as of a result rounded once.
            tolerance=2.0**-11,
        )


if __name__ == "__main__":
    unittest.main()
