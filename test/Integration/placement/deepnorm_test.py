"""DeepNorm: the paper's constants by value, and BERT with them against the float64 reference.

The values are those of Wang et al. 2022 (figure 2), worked out in decimals beforehand. BERT has
its parameters made twice: as arguments, whose gains `make_inputs` multiplies by, and as
constants, which the pass scales.
"""

import re
import unittest

import numpy as np
from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.placement import convert

import renorm
from renorm.parameters import random_parameter

X, W = "tensor<1x2x4xf32>", "tensor<1x4x4xf32>"
TYPES = f"{X}, {W}"

# (2N)^(1/4) and (8N)^(-1/4).
SINGLE = {
    6: (1.8612097182041991, 0.3799178428257963),
    18: (2.4494897427831781, 0.2886751345948129),
    100: (3.7606030930863938, 0.1880301546543197),
    1000: (6.6874030497642199, 0.1057371263440564),
}
# Of N encoder and M decoder layers: 0.81 (N^4 M)^(1/16) and 0.87 (N^4 M)^(-1/16), (3M)^(1/4) and (12M)^(-1/4).
PAIRS = {
    (6, 6): (1.4179381406855227, 0.4969892407713235, 2.0597671439071176, 0.3432945239845196),
    (18, 18): (1.9987463180278091, 0.3525710059570428, 2.7108060108295345, 0.2608474300122146),
    (100, 18): (3.0685948402176094, 0.2296490858825879, 2.7108060108295345, 0.2608474300122146),
    (6, 1000): (1.9521933609090443, 0.3609785865022379, 7.4008280449228526, 0.0955442792204367),
}


class Program:
    """The text of a function that is a stack, or two, and the weights that should have the gain beta."""

    def __init__(self):
        self.body, self.arguments, self.scaled = [], {}, {"": set(), "streams.1.": set()}
        self.count = 0

    def value(self, text):
        self.count += 1
        self.body.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def linear(self, x, name, stream=None):
        self.arguments[name] = W
        if stream is not None:
            self.scaled[stream].add(name)
        return self.value(f"linalg.batch_matmul ins({x}, %{name} : {TYPES}) outs(%e : {X}) -> {X}")

    def post(self, x, branch):
        s = self.value(f"norm.residual_add {x}, {branch} : {X}")
        return self.value(f"norm.rms_norm {s} epsilon = 1.0e-5 : {X}")

    def attention(self, x, name, stream, memory=None):
        memory = memory or x
        q, k = self.linear(x, f"{name}_q"), self.linear(memory, f"{name}_k")
        v = self.linear(memory, f"{name}_v", stream)
        a = self.value(f"norm.attention {q}, {k}, {v} : {X}, {X}, {X}")
        return self.post(x, self.linear(a, f"{name}_o", stream))

    def feed_forward(self, x, name, stream):
        hidden = self.value(f"math.tanh {self.linear(x, f'{name}_up', stream)} : {X}")
        return self.post(x, self.linear(hidden, f"{name}_down", stream))

    def stack(self, x, layers, name, stream, memory=None):
        for i in range(layers):
            x = self.attention(x, f"{name}{i}a", stream)
            if memory:
                x = self.attention(x, f"{name}{i}c", stream, memory)
            x = self.feed_forward(x, f"{name}{i}f", stream)
        return x

    def module(self, result):
        arguments = "".join(f", %{name}: {type}" f' {{norm.param = "{name}"}}' for name, type in self.arguments.items())
        body = "\n".join(self.body)
        return renorm.Module.parse(
            f"func.func @f(%x: {X}, %y: {X}{arguments}) -> {X} {{\n  %e = tensor.empty() : {X}\n{body}\n"
            f"  return {result} : {X}\n}}"
        )


def gains(module):
    """norm.init_gain by parameter."""
    found = re.findall(r'\{norm\.init_gain = ([0-9.e+-]+) : f64, norm\.param = "([^"]+)"\}', str(module))
    return {name: float(gain) for gain, name in found}


class Constants(unittest.TestCase):
    def check_stream(self, stream, alpha, sublayers):
        scales = [sublayer["residual_scale"] for sublayer in stream["sublayers"]]
        self.assertEqual(len(scales), sublayers)
        for scale in scales:
            self.assertAlmostEqual(scale, alpha, delta=1e-14 * alpha)

    def check_gains(self, module, program, betas):
        found = gains(module)
        expected = {name: beta for stream, beta in betas.items() for name in program.scaled[stream]}
        self.assertEqual(set(found), set(expected))
        for name, gain in found.items():
            self.assertAlmostEqual(gain, expected[name], delta=1e-14, msg=name)

    def test_one_stack(self):
        for layers, (alpha, beta) in SINGLE.items():
            program = Program()
            module = program.module(program.stack("%x", layers, "e", ""))
            before = str(module)
            self.assertEqual(module.run_pipeline("norm-convert-placement{to=deepnorm strict}"), [])
            (stream,) = module.report()["functions"]
            self.check_stream(stream, alpha, 2 * layers)
            self.check_gains(module, program, {"": beta})
            module.run_pipeline("norm-convert-placement{to=post strict}")
            self.assertEqual(str(module), before)

    def test_encoder_and_decoder(self):
        for (n, m), (alpha_e, beta_e, alpha_d, beta_d) in PAIRS.items():
            program = Program()
            memory = program.stack("%x", n, "e", "")
            module = program.module(program.stack("%y", m, "d", "streams.1.", memory))
            self.assertEqual(module.run_pipeline("norm-convert-placement{to=deepnorm strict}"), [])
            encoder, decoder = module.report()["functions"]
            self.check_stream(encoder, alpha_e, 2 * n)
            self.check_stream(decoder, alpha_d, 3 * m)
            self.check_gains(module, program, {"": beta_e, "streams.1.": beta_d})


class Bert(unittest.TestCase):
    ALPHA, BETA = 8**0.25, 32**-0.25
    SCALED = re.compile(r"(value|output\.dense|intermediate\.dense)\.weight$")

    def setUp(self):
        self.input_ids = exported.saved("BertModel")["input_ids"]
        self.parameters = exported.parameters("BertModel")
        scaled = {
            name: np.float64(self.BETA) * value if self.SCALED.search(name) else value
            for name, value in self.parameters.items()
        }
        self.names = {name for name in scaled if self.SCALED.search(name)}
        self.assertEqual(len(self.names), 4 * 4)
        model = models.build("BertModel", exported.CONFIGS["BertModel"], scaled)
        plain = models.build("BertModel", exported.CONFIGS["BertModel"], self.parameters)
        self.expected = Model(model.embed, convert(model.stack, "deepnorm", alpha=self.ALPHA))(self.input_ids)
        # What would not show if it were wrong proves nothing.
        unscaled = Model(plain.embed, convert(plain.stack, "deepnorm", alpha=self.ALPHA))(self.input_ids)
        unskipped = model(self.input_ids)
        for other in (unscaled, unskipped):
            self.assertGreater(relative_error(other, self.expected), 1e-2)

    def test_gains_of_arguments(self):
        module = renorm.Module.from_file(exported.path("BertModel"))
        module.run_pipeline("norm-raise,norm-convert-placement{to=deepnorm strict}")
        self.assertEqual(set(gains(module)), self.names)
        function = module.compile()
        arrays = renorm.make_inputs(function.inputs, {"arg0": self.input_ids})
        assert_close(function(*arrays), self.expected, 1e-5)

    def test_scaled_constants(self):
        text = exported.path("BertModel").read_text()
        constants = []

        def constant(match):
            value, type, name = match.groups()
            shape = [int(extent) for extent in type.split("x")[:-1]]
            array = random_parameter(name, shape)
            np.testing.assert_array_equal(array, self.parameters[name])
            constants.append(f'    {value} = arith.constant dense<"0x{array.tobytes().hex()}"> : tensor<{type}>\n')
            return ""

        argument = r',\s*(%\w+): tensor<([0-9x]*f32)> \{[^}]*norm\.param = "([^"]+)"\}'
        text = re.sub(argument, constant, text)
        self.assertEqual(len(constants), len(self.parameters))
        body = re.compile(r"(func\.func @forward\(.*\{\n)")
        text = body.sub(lambda match: match.group() + "".join(constants), text, count=1)

        module = renorm.Module.parse(text)
        self.assertEqual(module.run_pipeline("norm-raise,norm-convert-placement{to=deepnorm scale-weights strict}"), [])
        function = module.compile()
        self.assertEqual(len(function.inputs), 1)
        assert_close(function(self.input_ids), self.expected, 1e-5)


if __name__ == "__main__":
    unittest.main()
