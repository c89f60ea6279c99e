"""What norm-simplify makes of programs, against the float64 reference of the programs as they were written.

The rewrites drop roundings, so that a simplified program must be within what rounding allows one norm, whatever rows it
is given; and within as much as the program it was made from.
"""

import re
import unittest

import numpy as np
from ml_dtypes import bfloat16
from norms_test import SHAPE, Case, inputs
from numerics import check, decode, encode, tensor_type
from reference import exported, models, ops
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.rounding import rounding_error
from reference.stack import Stack

import renorm

COUNT = SHAPE[2]


def plain(kind, mode="inside", epsilon=0.5, **options):
    return Case(kind, mode, epsilon, **({"scale": False, "bias": False} | options))


class Program:
    """Functions that each take %x and parameters and return what their operations make of it."""

    def __init__(self, element):
        self.element = element
        self.type = tensor_type(SHAPE, element)
        generator = np.random.default_rng(3)
        self.parameters = {name: encode(generator.normal(size=COUNT), element) for name in ("scale2", "bias2")}
        self.bodies = []

    def add(self, *lines):
        """Each line defines %1, %2, ... of the program's type."""
        self.bodies.append("\n".join(f"  %{index} = {line}" for index, line in enumerate(lines, 1)))

    def module(self):
        vector = tensor_type([COUNT], self.element)
        signature = f"(%x: {self.type}, %scale2: {vector}, %bias2: {vector})"
        text = calls = ""
        for index, body in enumerate(self.bodies):
            last = body.count("\n") + 1
            text += f"func.func private @f{index}{signature} -> {self.type} {{\n{body}\n  return %{last} : {self.type}\n}}\n"
            calls += f"  %{index} = call @f{index}(%x, %scale2, %bias2) : ({self.type}, {vector}, {vector}) -> {self.type}\n"
        names = ", ".join(f"%{index}" for index in range(len(self.bodies)))
        types = ", ".join([self.type] * len(self.bodies))
        text += f"func.func @main{signature} -> ({types}) {{\n{calls}  return {names} : {types}\n}}\n"
        return renorm.Module.parse(text)


def norms_in(module):
    """The number of norms in each function but the last."""
    return [len(re.findall(r"= norm\.", body)) for body in str(module).split("func.func")[1:-1]]


class Simplify(unittest.TestCase):
    def run_cases(self, element, cases):
        """`cases` are (name, lines, last norm, the float64 function before the last norm)."""
        program = Program(element)
        for _, lines, *_ in cases:
            program.add(*lines)
        module = program.module()
        original = module.clone().compile(entry="main")
        module.run_pipeline("norm-simplify")
        self.assertEqual(norms_in(module), [1] * len(cases), [name for name, *_ in cases])
        simplified = module.compile(entry="main")
        values = {name: decode(array, element) for name, array in program.parameters.items()}
        worst = worst_original = 0.0
        for kind, x in inputs(element):
            x = encode(x, element)
            results = simplified(x, *program.parameters.values())
            originals = original(x, *program.parameters.values())
            for (name, _, last, before), result, old in zip(cases, results, originals):
                with np.errstate(invalid="ignore"):
                    expected, size = last.expected(before(decode(x, element)), values)
                bound = last.bound(element, x, expected, size)
                # Without an epsilon some rows are 0/0.
                rows = np.isfinite(expected) if "epsilon=0.0," in name else np.full(expected.shape, True)
                if not rows.any():
                    continue
                what = f"{element}, {kind}, {name}"
                worst = max(worst, check(decode(result, element)[rows], expected[rows], bound[rows], what))
                error = (np.abs(decode(old, element) - expected) / bound)[rows]
                worst_original = max(worst_original, float(np.nan_to_num(error.max(), nan=np.inf)))
        print(f"{element}: {len(cases)} programs, error {worst:.2f} of the bound, {worst_original:.2f} as written")

    def norms_of_norms(self):
        def case(inner, outer):
            lines = [inner.text(self.element, False), outer.text(self.element, False).replace("%x", "%1")]
            return f"{outer} of {inner}", lines, outer, lambda x: inner.expected(x, {})[0]

        for mode in ("inside", "outside", "clamp", "clamp_inside"):
            for inner, outer in [("rms_norm", "rms_norm"), ("layer_norm", "layer_norm"), ("layer_norm", "rms_norm"),
                                 ("l2_norm", "l2_norm"), ("l2_norm", "rms_norm"), ("rms_norm", "l2_norm"),
                                 ("layer_norm", "l2_norm")]:
                yield case(plain(inner, mode, 0.01), plain(outer, mode, 0.5, scale=True, bias=True))
                yield case(plain(inner, mode, 0.5), plain(outer, mode, 0.25))
            # The inner norm multiplies by -3.
            inner, outer = plain("layer_norm", mode, 0.01, scale=True), plain("rms_norm", mode, 0.5, scale=True)
            lines = [
                f"arith.constant dense<-3.0> : {tensor_type([COUNT], self.element)}",
                inner.text(self.element, False).replace("%scale2", "%1"),
                outer.text(self.element, False).replace("%x", "%2"),
            ]
            factors = {"scale2": np.full(COUNT, -3.0)}
            yield f"{outer} of -3 {inner}", lines, outer, lambda x, norm=inner: norm.expected(x, factors)[0]
            # The clamp of the outer norm is never reached, or always.
            yield case(plain("rms_norm", mode, 1e-3), plain("rms_norm", mode, 3.0))
        yield case(plain("rms_norm", epsilon=1e-5), plain("rms_norm", epsilon=1e-6, scale=True, unit_offset=True))
        yield case(plain("rms_norm", "outside", 0.1), plain("layer_norm", epsilon=0.0, scale=True, bias=True))
        yield case(plain("l2_norm", "clamp", 0.1), plain("layer_norm", "outside", epsilon=0.0))
        yield case(plain("rms_norm", "inside", 0.0), plain("rms_norm", "outside", 0.2, scale=True))
        yield case(plain("layer_norm", "inside", 0.0), plain("l2_norm", "clamp", 0.2))

    def multiples(self):
        type = tensor_type(SHAPE, self.element)
        # sqrt(96) and its inverse, which are rounded.
        for factor in (9.797958971132712, 0.10206207261596577):
            exact = float(decode(encode(np.array(factor), self.element), self.element))
            for kind in ("rms_norm", "layer_norm", "l2_norm"):
                for mode in ("inside", "outside", "clamp", "clamp_inside"):
                    norm = plain(kind, mode, 0.5, scale=True, bias=True)
                    op, scale = ("divf", 1 / exact) if factor > 1 else ("mulf", exact)
                    lines = [
                        f"arith.constant dense<{exact!r}> : {type}",
                        f"arith.{op} %x, %1 : {type}",
                        norm.text(self.element, False).replace("%x", "%2"),
                    ]
                    yield f"{norm} of {scale} x", lines, norm, lambda x, scale=scale: scale * x

    def test_norms_of_norms(self):
        for self.element in ("f32", "bf16"):
            with self.subTest(self.element):
                self.run_cases(self.element, list(self.norms_of_norms()))

    def test_multiples(self):
        for self.element in ("f32", "bf16"):
            with self.subTest(self.element):
                self.run_cases(self.element, list(self.multiples()))


class Exports(unittest.TestCase):
    """Llama's final norm after another one, or after a factor."""

    def build(self, name, line):
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline("norm-raise")
        text = str(module)
        last = text.rindex("norm.rms_norm")
        start = text.rindex("\n", 0, last) + 1
        operand = re.match(r"norm\.rms_norm (%\w+) ", text[last:]).group(1)
        type = re.search(r"epsilon = .* : (tensor<\S+>)", text[last:]).group(1)
        lines = line.replace("%x", operand).replace("TYPE", type)
        text = text[:start] + lines + text[start:last] + text[last:].replace(operand, "%inserted", 1)
        module = renorm.Module.parse(text)
        simplified = module.clone()
        simplified.run_pipeline("norm-simplify")
        norms_and_products = r"= norm\.rms_norm|= arith\.mulf .*: tensor"
        removed = len(re.findall(norms_and_products, str(module))) - len(re.findall(norms_and_products, str(simplified)))
        self.assertEqual(removed, 1)
        return module.compile(), simplified.compile()

    def check(self, line, before_final_norm):
        for name, dtype, digits in (("LlamaModel", np.float32, 24), ("llama_bf16", bfloat16, 8)):
            original, simplified = self.build(name, line)
            input_ids = exported.saved(name)["input_ids"]
            for seed in range(2):
                given = {
                    key: value.astype(dtype).astype(np.float32)
                    for key, value in exported.parameters("LlamaModel", seed).items()
                }
                llama = models.build("LlamaModel", exported.CONFIGS["LlamaModel"], given | exported.buffers("LlamaModel"))
                stack = llama.stack
                model = Model(
                    llama.embed,
                    Stack(stack.sublayers, None, lambda x, norm=stack.final_norm: norm(before_final_norm(x))),
                )
                expected = model(input_ids)
                arguments = renorm.make_inputs(simplified.inputs, {"arg0": input_ids}, seed=seed)
                error = relative_error(np.float64(simplified(*arguments)), expected)
                as_written = relative_error(np.float64(original(*arguments)), expected)
                bound = max(1e-5 if dtype == np.float32 else 0.0,
                            16 * rounding_error(model, input_ids, dtype=dtype, digits=digits))
                what = f"{name}, seed {seed}"
                assert_close(np.float64(simplified(*arguments)), expected, bound, what)
                # Of the same order as before.
                self.assertLess(error, 2 * as_written, what)
                print(f"{what}: error {error:.1e}, as written {as_written:.1e}, bound {bound:.1e}")

    def test_norm(self):
        self.check(
            "    %inserted = norm.rms_norm %x epsilon = 1.000000e-03 : TYPE\n",
            lambda x: ops.rms_norm(x, epsilon=1e-3),
        )

    def test_factor(self):
        self.check(
            "    %factor = arith.constant dense<0.25> : TYPE\n    %inserted = arith.mulf %x, %factor : TYPE\n",
            lambda x: 0.25 * x,
        )


if __name__ == "__main__":
    unittest.main()
