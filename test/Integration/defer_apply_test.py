"""Norms applied after the matmuls that read them, against float64: on rows whose mean is up to 1000 times their
deviation, and in exported models."""

import re
import unittest

import numpy as np
from numerics import SMALLEST, UNIT, check, decode, encode, tensor_type
from reference import exported, ops
from reference.check import assert_close, relative_error
from stats_test import NORMS, ROWS, make_rows

import renorm
from renorm.parameters import random_parameter

# The norms that all of whose readers are matmuls: of 5 in GPT-2 and Llama all but the last; of Qwen3's 9 those on the
# trunk, since queries and keys are read by the attention.
MODELS = {"GPT2Model": (5, 4), "LlamaModel": (5, 4), "Qwen3Model": (9, 4)}
F32_TOLERANCE = 1e-5


def block(kind, element, weights):
    """A norm that two matmuls read, their sums in f32."""
    inputs, outputs = weights[0].shape
    x, w, y = f"tensor<?x{inputs}x{element}>", tensor_type(weights[0].shape, element), f"tensor<?x{outputs}xf32>"
    text = f"func.func @main(%x: {x}) -> ({y}, {y}) {{\n"
    for index, weight in enumerate(weights):
        text += f"  %w{index} = arith.constant dense<{decode(weight, element).tolist()}> : {w}\n"
    text += f"""
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : {x}
  %empty = tensor.empty(%m) : {y}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {y}) -> {y}
  %n = norm.{kind}_norm %x epsilon = 1.0e-5 : {x}
  %0 = linalg.matmul ins(%n, %w0 : {x}, {w}) outs(%init : {y}) -> {y}
  %1 = linalg.matmul ins(%n, %w1 : {x}, {w}) outs(%init : {y}) -> {y}
  return %0, %1 : {y}, {y}
}}
"""
    return renorm.Module.parse(text)


class DeferApply(unittest.TestCase):
    def test_difficult_rows(self):
        rng = np.random.default_rng(3)
        for element in ("f32", "bf16", "f16"):
            x = make_rows((len(ROWS), 40), (1,), element)
            weights = [encode(rng.normal(size=(40, 24)), element) for _ in range(2)]
            exact = decode(x, element)
            for kind in NORMS:
                module = block(kind, element, weights)
                before = module.compile()(x)
                module.run_pipeline("norm-split-stats,norm-defer-apply")
                text = str(module)
                self.assertEqual(text.count("norm.apply_stats"), 2)
                self.assertLess(text.rindex("linalg.matmul"), text.rindex("norm.apply_stats"))
                power = {"layer": exact.var(1), "rms": np.square(exact).mean(1), "l2": np.square(exact).sum(1)}[kind]
                for weight, early, late in zip(weights, before, module.compile()(x)):
                    weight = decode(weight, element)
                    expected = NORMS[kind](exact, epsilon=1e-5) @ weight
                    # What is summed is relative to the rows as they are.
                    size = (np.abs(exact) @ np.abs(weight)) / np.sqrt(power + 1e-5)[:, None]
                    check(late.astype(np.float64), expected, 20 * UNIT["f32"] * size + SMALLEST["f32"], f"{element}, {kind}")
                    if element != "f32":
                        # Nothing is rounded to 16 bits on the way, so that rows near zero gain.
                        near = [index for index, (mean, _) in enumerate(ROWS) if abs(mean) <= 10]
                        errors = [np.abs(each - expected)[near].max() for each in (early, late)]
                        self.assertLess(errors[1], errors[0], f"{element}, {kind}")

    def test_models(self):
        for name, (norms, deferred) in MODELS.items():
            saved = exported.saved(name)
            expected = saved["last_hidden_state_f64"]
            module = renorm.Module.from_file(exported.path(name))
            module.run_pipeline("norm-raise")

            def outputs():
                function = module.compile()
                return function(*(random_parameter(each.param, each.shape, each.dtype)
                                  if each.param else saved["input_ids"] for each in function.inputs))

            before = relative_error(outputs(), expected)
            module.run_pipeline(
                "norm-fold-affine{weights=prepare},norm-split-stats,norm-defer-apply{weights=prepare}"
            )
            # Those that keep their place are of the values that they have the statistics of.
            text = str(module)
            measured = re.findall(r"norm.row_stats \w+ (%\w+)", text)
            applied = re.findall(r"norm.apply_stats \w+ (%\w+)", text)
            self.assertEqual(len(measured), norms)
            self.assertEqual(sum(value in applied for value in measured), norms - deferred)
            result = outputs()
            assert_close(result, expected, F32_TOLERANCE, name)
            after = relative_error(result, expected)
            self.assertLessEqual(after, 4 * before, name)
            print(f"{name}: {before:.1e} before, {after:.1e} with {deferred} of {norms} norms after their matmuls")


if __name__ == "__main__":
    unittest.main()
