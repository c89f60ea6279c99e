"""QK-Norm of what models_test.py does not run: an open batch dimension, bf16, attention to a
memory; taken away and put back in models that have one; and the bound on the logits."""

import unittest

import numpy as np
from ml_dtypes import bfloat16
from models_test import new_parameters, qk_norms
from reference import exported, models, ops
from reference.check import assert_close
from reference.qk_norm import QKNorm, initial_g
from reference.rounding import rounding_error
from reference.stack import Norm

import renorm

F32_TOLERANCE = 1e-5


def load(name, *passes):
    module = renorm.Module.from_file(exported.path(name))
    module.run_pipeline(",".join(["norm-raise", *passes]))
    return module


def run(function, parameters, input_ids):
    return function(*(parameters[each.param] if each.param else input_ids for each in function.inputs))


class Variants(unittest.TestCase):
    def test_open_batch(self):
        config = exported.CONFIGS["BertModel"] | {"num_hidden_layers": 2}
        for options in ("kind=l2 g=8", "kind=rms scope=hidden"):
            function = load("bert_dynamic", f"norm-insert-qk-norm{{{options} params=argument strict}}").compile()
            given = exported.parameters("BertModel") | new_parameters(function, seed=0)
            target = models.build("BertModel", config, given, qk_norm=qk_norms("BertModel", options, given))
            for batch in (1, 4, 7):
                input_ids = np.random.RandomState(batch).randint(0, 97, (batch, 10))
                result = run(function, given, input_ids)
                assert_close(result, target(input_ids), F32_TOLERANCE, f"{options}, batch {batch}")

    def test_bf16(self):
        input_ids = exported.saved("llama_bf16")["input_ids"]
        for options in ("kind=l2 g=8", "kind=rms scope=hidden", "kind=layer bias position=after-rope"):
            function = load("llama_bf16", f"norm-insert-qk-norm{{{options} params=argument strict}}").compile()
            new = new_parameters(function, seed=0)
            given = {key: value.astype(bfloat16) for key, value in exported.parameters("LlamaModel").items()} | new
            exact = {key: value.astype(np.float64) for key, value in given.items()}
            target = models.build(
                "LlamaModel",
                exported.CONFIGS["LlamaModel"],
                exact | exported.buffers("LlamaModel"),
                qk_norm=qk_norms("LlamaModel", options, exact),
            )
            bound = 4 * rounding_error(target, input_ids, dtype=bfloat16, digits=8)
            result = run(function, given, input_ids).astype(np.float64)
            assert_close(result, target(input_ids), bound, options)

    def test_removed_and_inserted(self):
        # The references of Qwen3 and OLMo 2 have their norms written out.
        for name, options in (("Qwen3Model", "kind=rms"), ("Olmo2Model", "kind=rms scope=hidden")):
            parameters, input_ids = exported.parameters(name), exported.saved(name)["input_ids"]
            module = load(name, "norm-remove-qk-norm")
            self.assertTrue(all(each["qk_norm"] is None for each in module.report()["functions"][0]["attentions"]))
            if name == "Qwen3Model":
                config, buffers = exported.CONFIGS[name], exported.buffers(name)
                target = models.build("LlamaModel", config, parameters | buffers)
                result = run(module.compile(), parameters, input_ids)
                assert_close(result, target(input_ids), F32_TOLERANCE, "Qwen3 without its norms is Llama")

            module.run_pipeline(f"norm-insert-qk-norm{{{options} params=argument strict}}")
            function = module.compile()
            held = dict(parameters)
            for each in function.inputs:
                if each.init is not None:
                    layer, norm = each.param.split(".attention.")
                    held[each.param] = parameters[f"{layer}.self_attn.{norm.removesuffix('.scale')}.weight"]
            target = exported.build(name)
            assert_close(run(function, held, input_ids), target(input_ids), F32_TOLERANCE, name)

    def test_llama_becomes_qwen3(self):
        function = load("LlamaModel", "norm-insert-qk-norm{params=argument}").compile()
        given = exported.parameters("LlamaModel") | new_parameters(function, seed=0)
        names = {key: key.replace(".attention.", ".self_attn.").replace(".scale", ".weight") for key in given}
        renamed = {names[key]: value for key, value in given.items()} | exported.buffers("LlamaModel")
        target = models.build("Qwen3Model", exported.CONFIGS["LlamaModel"], renamed)
        input_ids = exported.saved("LlamaModel")["input_ids"]
        assert_close(run(function, given, input_ids), target(input_ids), F32_TOLERANCE)

    def test_attention_to_a_memory(self):
        types = {"x": (5, 16), "m": (7, 16), "wq": (16, 24), "wk": (16, 12), "wv": (16, 12)}
        signature = ", ".join(f"%{each}: tensor<{rows}x{columns}xf32>" for each, (rows, columns) in types.items())

        def project(x, w, heads):
            (rows, depth), (_, columns) = types[x], types[w]
            dim = columns // heads
            flat, split = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x{heads}x{dim}xf32>"
            result = f"tensor<{heads}x{rows}x{dim}xf32>"
            return f"""
  %e{w} = tensor.empty() : {flat}
  %i{w} = linalg.fill ins(%zero : f32) outs(%e{w} : {flat}) -> {flat}
  %p{w} = linalg.matmul ins(%{x}, %{w} : tensor<{rows}x{depth}xf32>, tensor<{depth}x{columns}xf32>)
                        outs(%i{w} : {flat}) -> {flat}
  %s{w} = tensor.expand_shape %p{w} [[0], [1, 2]] output_shape [{rows}, {heads}, {dim}] : {flat} into {split}
  %t{w} = tensor.empty() : {result}
  %h{w} = linalg.transpose ins(%s{w} : {split}) outs(%t{w} : {result}) permutation = [1, 0, 2]"""

        text = f"""func.func @forward({signature}) -> tensor<4x5x6xf32> {{
  %zero = arith.constant 0.0 : f32{project("x", "wq", 4)}{project("m", "wk", 2)}{project("m", "wv", 2)}
  %a = norm.attention %hwq, %hwk, %hwv : tensor<4x5x6xf32>, tensor<2x7x6xf32>, tensor<2x7x6xf32>
  return %a : tensor<4x5x6xf32>
}}"""
        stream = np.random.RandomState(0)
        arrays = [stream.standard_normal(shape).astype(np.float32) for shape in types.values()]
        x, m, wq, wk, wv = map(ops.f64, arrays)
        q, k, v = (y.reshape(len(y), -1, 6).swapaxes(0, 1)[None] for y in (x @ wq, m @ wk, m @ wv))
        for options in ("kind=l2 seq-len=64", "kind=layer", "kind=rms scope=hidden"):
            module = renorm.Module.parse(text)
            module.run_pipeline(f"norm-insert-qk-norm{{{options} strict}}")
            kind = options.split()[0].removeprefix("kind=")
            norm = Norm(kind, 1e-12, epsilon_mode="clamp") if kind == "l2" else Norm(kind, 1e-6)
            g = initial_g(64) if kind == "l2" else None
            qk_norm = QKNorm(norm, norm, "hidden" if "hidden" in options else "head", g=g)
            expected = models._attend(q, k, v, qk_norm)[0]
            assert_close(module.compile()(*arrays), expected, F32_TOLERANCE, options)


class Bound(unittest.TestCase):
    """With l2 the logits of a run stay within [-g, g]."""

    G = 3.0

    def largest_logits(self, name, *passes, dtype=np.float32):
        function = load(name, *passes, "norm-insert-probes{logits}").compile()
        source = {"llama_bf16": "LlamaModel"}.get(name, name)
        parameters = exported.parameters(source)
        # The input norm of an attention undoes what the embeddings are scaled by, so that
        # the projections are scaled, too.
        scaled = ("embed", "wte", "query", "q_proj", "c_attn.weight")
        given = {
            key: (value * np.float32(1e3 if any(part in key for part in scaled) else 1)).astype(dtype)
            for key, value in parameters.items()
        }
        run(function, given, exported.saved(source)["input_ids"])
        return [probe.max_abs for probe in function.probes if probe.name.endswith(".logits")]

    def test_bound(self):
        for name in ("BertModel", "GPT2Model", "LlamaModel", "llama_bf16"):
            # Of the roundings of a unit vector, its rotation and the sum of products.
            dtype, rounding = (bfloat16, 2.0**-5) if name == "llama_bf16" else (np.float32, 1e-6)
            for logit in self.largest_logits(name, dtype=dtype):
                self.assertGreater(logit, 30 * self.G)
            for position in ("before-rope", "after-rope") if "lama" in name else ("before-rope",):
                options = f"kind=l2 g={self.G} position={position}"
                logits = self.largest_logits(name, f"norm-insert-qk-norm{{{options}}}", dtype=dtype)
                self.assertTrue(logits)
                for logit in logits:
                    self.assertLessEqual(logit, self.G * (1 + rounding), f"{name} {position}")
                    # A bound that is not met anywhere near would be met by less than l2.
                    self.assertGreater(logit, 0.3 * self.G, f"{name} {position}")


if __name__ == "__main__":
    unittest.main()
