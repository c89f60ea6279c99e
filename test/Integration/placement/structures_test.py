"""Conversions of what the six exported models don't have, against the float64 reference:
parallel sublayers, an encoder with a decoder, a loop, an open batch dimension, bf16."""

import unittest

import numpy as np
from ml_dtypes import bfloat16
from reference import exported, models, ops
from reference.check import assert_close
from reference.models import Model
from reference.placement import convert
from reference.rounding import rounding_error
from reference.stack import PLACEMENTS, Norm, Stack, Sublayer

import renorm
from renorm.parameters import random_parameter

F32_TOLERANCE = 1e-5
TRUNK, WEIGHT, VECTOR = "tensor<1x5x16xf32>", "tensor<1x16x16xf32>", "tensor<16xf32>"


def options(to):
    return ("to=deepnorm alpha=1.5", {"to": to, "alpha": 1.5}) if to == "deepnorm" else (f"to={to}", {"to": to})


class Program:
    """The text of a function whose parameters are made by name, and the same for arrays."""

    def __init__(self, *inputs):
        self.signature = [f"%{name}: {TRUNK}" for name in inputs]
        self.lines = [
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            "%c3 = arith.constant 3 : index",
            "%zero = arith.constant 0.0 : f32",
            f"%empty = tensor.empty() : {TRUNK}",
            f"%init = linalg.fill ins(%zero : f32) outs(%empty : {TRUNK}) -> {TRUNK}",
        ]

    def parameter(self, name, type):
        declaration = f'%{name}: {type} {{norm.param = "{name}"}}'
        if declaration not in self.signature:
            self.signature.append(declaration)
        shape = [int(extent) for extent in type.removeprefix("tensor<").split("x")[:-1]]
        return f"%{name}", lambda seed: random_parameter(name, shape, seed=seed)

    def add(self, text):
        self.lines.append(f"%v{len(self.lines)} = {text}")
        return self.lines[-1].split(" ")[0]

    def norm(self, x, name):
        scale, scale_of = self.parameter(f"{name}.scale", VECTOR)
        bias, bias_of = self.parameter(f"{name}.bias", VECTOR)
        affine = f"scale({scale} : {VECTOR}) bias({bias} : {VECTOR})"
        result = self.add(f"norm.layer_norm {x} {affine} epsilon = 1.0e-5 : {TRUNK}")
        return result, lambda seed: Norm("layer", 1e-5, scale_of(seed), bias_of(seed))

    def matmul(self, x, name):
        weight, value_of = self.parameter(name, WEIGHT)
        operands = f"ins({x}, {weight} : {TRUNK}, {WEIGHT}) outs(%init : {TRUNK})"
        return self.add(f"linalg.batch_matmul {operands} -> {TRUNK}"), lambda seed, x: x @ ops.f64(value_of(seed))

    def attention(self, x, name, memory=None):
        query, query_of = self.matmul(x, f"{name}.q")
        key, key_of = self.matmul(memory or x, f"{name}.k")
        value, value_of = self.matmul(memory or x, f"{name}.v")
        types = ", ".join([TRUNK] * 3)
        result, output_of = self.matmul(self.add(f"norm.attention {query}, {key}, {value} : {types}"), f"{name}.o")

        def module(seed, x, memory=None):
            memory = x if memory is None else memory
            return output_of(seed, ops.attention(query_of(seed, x), key_of(seed, memory), value_of(seed, memory)))

        return result, module

    def feed_forward(self, x, name):
        up, up_of = self.matmul(x, f"{name}.up")
        hidden = self.add(f"linalg.tanh ins({up} : {TRUNK}) outs(%empty : {TRUNK}) -> {TRUNK}")
        result, down_of = self.matmul(hidden, f"{name}.down")
        return result, lambda seed, x: down_of(seed, np.tanh(up_of(seed, x)))

    def residual_add(self, skip, branch):
        return self.add(f"norm.residual_add {skip}, {branch} : {TRUNK}")

    def finish(self, result):
        lines = "\n  ".join([*self.lines, f"return {result} : {TRUNK}"])
        text = f"func.func @forward({', '.join(self.signature)}) -> {TRUNK} {{\n  {lines}\n}}"
        return renorm.Module.parse(text)


def sublayer(name, module, norm, seed, **more):
    """A Pre-LN sublayer; `norm` is one, or gives that of `seed`."""
    kind = "feed-forward" if name.endswith("ffn") else "attention"
    norm = norm if isinstance(norm, Norm) else norm(seed)
    return Sublayer(name, int(name.split(".")[1]), kind, lambda x: module(seed, x), input_norm=norm, **more)


class Structures(unittest.TestCase):
    def check(self, module, to, inputs, reference):
        """`reference(seed, convert, new)` gives the result that is due: it converts the
        stacks of `seed` with `convert` and takes the parameters of new norms from `new`."""
        pass_options, reference_options = options(to)
        converted = module.clone()
        converted.run_pipeline(f"norm-convert-placement{{{pass_options} params=argument strict}}")
        function = converted.compile()

        def convert_stack(stack, new):
            # It refuses parameters of norms that it does not make.
            return convert(stack, **reference_options, parameters=new)

        for seed in range(3):
            given = [
                random_parameter(each.param, each.shape, seed=seed) if each.param else inputs[each.name](seed)
                for each in function.inputs
            ]
            new = {each.param: array for each, array in zip(function.inputs, given) if each.init is not None}
            expected = reference(seed, convert_stack, new)
            assert_close(function(*given), expected, F32_TOLERANCE, f"{to}, seed {seed}")

    def random_input(self, salt=0):
        return lambda seed: np.random.RandomState([seed, salt]).standard_normal((1, 5, 16)).astype(np.float32)

    def test_parallel(self):
        for norms in ("shared", "separate"):
            program, x, parts = Program("x"), "%x", []
            for layer in range(2):
                name = f"layers.{layer}"
                n, attention_norm = program.norm(x, f"{name}.attention.norm")
                a, attention = program.attention(n, f"{name}.attention")
                ffn_norm = None
                if norms == "separate":
                    n, ffn_norm = program.norm(x, f"{name}.ffn.norm")
                f, feed_forward = program.feed_forward(n, f"{name}.ffn")
                x = program.residual_add(program.residual_add(x, a), f)
                parts.append((name, attention, attention_norm, feed_forward, ffn_norm))
            x, final_norm = program.norm(x, "final_norm")
            module = program.finish(x)
            x = self.random_input()

            def reference(seed, convert_stack, new):
                sublayers = []
                for name, attention, attention_norm, feed_forward, ffn_norm in parts:
                    first = sublayer(f"{name}.attention", attention, attention_norm, seed)
                    ffn_norm = ffn_norm or first.input_norm
                    sublayers += [first, sublayer(f"{name}.ffn", feed_forward, ffn_norm, seed, parallel=True)]
                return convert_stack(Stack(tuple(sublayers), final_norm=final_norm(seed)), new).run(x(seed))

            for to in [*PLACEMENTS, "deepnorm"]:
                with self.subTest(norms=norms, to=to):
                    self.check(module, to, {"arg0": x}, reference)

    def test_encoder_decoder(self):
        program, x = Program("x", "y"), "%x"
        n, encoder_norm = program.norm(x, "encoder.attention.norm")
        a, encoder_attention = program.attention(n, "encoder.attention")
        x = program.residual_add(x, a)
        n, encoder_ffn_norm = program.norm(x, "encoder.ffn.norm")
        f, encoder_ffn = program.feed_forward(n, "encoder.ffn")
        memory = program.residual_add(x, f)
        y = "%y"
        n, decoder_norm = program.norm(y, "decoder.cross.norm")
        a, decoder_cross = program.attention(n, "decoder.cross", memory)
        y = program.residual_add(y, a)
        n, decoder_ffn_norm = program.norm(y, "decoder.ffn.norm")
        f, decoder_ffn = program.feed_forward(n, "decoder.ffn")
        module = program.finish(program.residual_add(y, f))
        x, y = self.random_input(0), self.random_input(1)

        def reference(seed, convert_stack, new):
            prefix = "streams.1."
            decoders = {name.removeprefix(prefix): value for name, value in new.items() if name.startswith(prefix)}
            encoders = {name: value for name, value in new.items() if not name.startswith(prefix)}
            encoder = Stack(
                (
                    sublayer("layers.0.attention", encoder_attention, encoder_norm, seed),
                    sublayer("layers.0.ffn", encoder_ffn, encoder_ffn_norm, seed),
                )
            )
            memory = convert_stack(encoder, encoders).run(x(seed))

            def cross(seed, x):
                return decoder_cross(seed, x, memory)

            decoder = Stack(
                (
                    sublayer("layers.0.cross_attention", cross, decoder_norm, seed),
                    sublayer("layers.0.ffn", decoder_ffn, decoder_ffn_norm, seed),
                )
            )
            return convert_stack(decoder, decoders).run(y(seed))

        for to in [*PLACEMENTS, "deepnorm"]:
            with self.subTest(to=to):
                self.check(module, to, {"arg0": x, "arg1": y}, reference)

    def test_loop(self):
        program = Program("x")
        program.lines.append(f"%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> {TRUNK} {{")
        n, norm = program.norm("%t", "ffn.norm")
        f, feed_forward = program.feed_forward(n, "ffn")
        program.lines += [f"scf.yield {program.residual_add('%t', f)} : {TRUNK}", "}"]
        module = program.finish("%r")
        x = self.random_input()

        def reference(seed, convert_stack, new):
            iterations = [sublayer(f"layers.{i}.ffn", feed_forward, norm, seed) for i in range(3)]
            # Every iteration has the norms of the first.
            new = new | {
                name.replace("layers.0", f"layers.{i}"): value
                for name, value in new.items()
                for i in range(3)
                if name.startswith("layers.0")
            }
            return convert_stack(Stack(tuple(iterations)), new).run(x(seed))

        for to in ("pre", "peri", "output", "none"):
            with self.subTest(to=to):
                self.check(module, to, {"arg0": x}, reference)


class Variants(unittest.TestCase):
    def run_model(self, name, to, parameters, dtype):
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline("norm-raise")
        module.run_pipeline(f"norm-convert-placement{{to={to} params=argument strict}}")
        function = module.compile()
        new = {
            each.param: random_parameter(each.param, each.shape, each.dtype)
            for each in function.inputs
            if each.init is not None
        }
        parameters = {key: value.astype(dtype) for key, value in parameters.items()} | new

        def run(input_ids):
            return function(*(parameters[each.param] if each.param else input_ids for each in function.inputs))

        return run, new

    def test_open_batch(self):
        parameters = exported.parameters("BertModel")
        run, new = self.run_model("bert_dynamic", "peri", parameters, np.float32)
        config = exported.CONFIGS["BertModel"] | {"num_hidden_layers": 2}
        bert = models.build("BertModel", config, parameters)
        target = Model(bert.embed, convert(bert.stack, "peri", parameters=new))
        for batch in (1, 4, 7):
            input_ids = np.random.RandomState(batch).randint(0, 97, (batch, 10))
            assert_close(run(input_ids), target(input_ids), F32_TOLERANCE, f"batch {batch}")

    def test_bf16(self):
        parameters = exported.parameters("LlamaModel")
        input_ids = exported.saved("llama_bf16")["input_ids"]
        for to in ("post", "peri"):
            run, new = self.run_model("llama_bf16", to, parameters, bfloat16)
            given = {key: value.astype(bfloat16).astype(np.float64) for key, value in (parameters | new).items()}
            llama = models.build("LlamaModel", exported.CONFIGS["LlamaModel"], given | exported.buffers("LlamaModel"))
            target = Model(llama.embed, convert(llama.stack, to, parameters={key: given[key] for key in new}))
            bound = 4 * rounding_error(target, input_ids, dtype=bfloat16, digits=8)
            result = run(input_ids)
            self.assertEqual(result.dtype, bfloat16)
            assert_close(result.astype(np.float64), target(input_ids), bound, f"to={to}")


if __name__ == "__main__":
    unittest.main()
