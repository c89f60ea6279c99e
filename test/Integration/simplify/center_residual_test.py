"""Pre-LayerNorm networks, made Pre-RMSNorm by centering what writes the trunk.

The function stays the same: the float64 reference of the original network is that of the
centered one. The parameters are those of three seeds, with the model's own embeddings,
with embeddings far from zero and with tiny ones: where a mean is left in the trunk, it
shows. The error must be of the order of the error before.
"""

import sys

import numpy as np
from ml_dtypes import bfloat16
from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.placement import convert
from reference.rounding import rounding_error
from reference.stack import Norm, Stack, Sublayer

import renorm
from renorm.parameters import random_parameter

SEEDS = range(3)
F32_TOLERANCE = 1e-5
# As in placement/models_test.py: what one rounding at the ends of the modules costs, times this.
ROUNDINGS = 16
# What the error may grow by: other roundings, of the same size.
SAME_ORDER = 4

# (pipeline that makes it Pre-LayerNorm, tables, norms on the trunk)
EXPORTS = {
    "GPT2Model": ("norm-raise", ["wte.weight", "wpe.weight"], 5),
    "BertModel": (
        "norm-raise,norm-convert-placement{to=pre strict}",
        [f"embeddings.{table}_embeddings.weight" for table in ("word", "position", "token_type")],
        9,
    ),
}


def count(module, operation):
    return str(module).count(f"norm.{operation} ")


def embeddings(parameters, tables):
    """The kinds of embeddings, as changes of `parameters`."""
    yield "", {}
    yield ", mean 1000", {tables[0]: parameters[tables[0]] + np.float32(1e3)}
    yield ", deviation 1e-4", {name: parameters[name] * np.float32(1e-4) for name in tables}


def as_rms(stack):
    """The same norms without the subtraction of the mean: another function."""

    def rms(norm):
        return norm and Norm("rms", norm.epsilon, norm.scale, norm.bias)

    sublayers = [Sublayer(**{**fields(each), "input_norm": rms(each.input_norm)}) for each in stack.sublayers]
    return Stack(tuple(sublayers), final_norm=rms(stack.final_norm))


def fields(sublayer):
    return {name: getattr(sublayer, name) for name in sublayer.__dataclass_fields__}


def check_export(name):
    pipeline, tables, norms = EXPORTS[name]
    before = renorm.Module.from_file(exported.path(name))
    before.run_pipeline(pipeline)
    after = before.clone()
    remarks = after.run_pipeline("norm-center-residual{weights=prepare embedding=fold}")
    assert not remarks, remarks
    assert (count(before, "layer_norm"), count(before, "rms_norm")) == (norms, 0)
    assert (count(after, "layer_norm"), count(after, "rms_norm")) == (0, norms)
    (function,) = after.report()["functions"]
    assert {each["input"]["kind"] for each in function["sublayers"]} == {function["final_norm"]["kind"]} == {"rms"}

    plain, whole = before.compile(), after.compile()
    prepare, step = after.compile(entry="forward.prepare"), after.compile(entry="forward.prepared")
    input_ids = exported.saved(name)["input_ids"]
    for seed in SEEDS:
        parameters = exported.parameters(name, seed)
        for kind, changes in embeddings(parameters, tables):
            given = parameters | changes

            def arguments(function, *prepared):
                inputs = function.inputs[: len(function.inputs) - len(prepared)]
                return [*(given[each.param] if each.param else input_ids for each in inputs), *prepared]

            original = models.build(name, exported.CONFIGS[name], given | exported.buffers(name))
            target = Model(original.embed, convert(original.stack, to="pre"))
            expected = target(input_ids)
            bound = max(F32_TOLERANCE, ROUNDINGS * rounding_error(target, input_ids))
            what = f"{name}, seed {seed}{kind}"
            error = relative_error(plain(*arguments(plain)), expected)
            weights = prepare(*arguments(prepare))
            for result in (whole(*arguments(whole)), step(*arguments(step, *weights))):
                assert_close(result, expected, bound, what)
                centered = relative_error(result, expected)
                assert centered <= max(SAME_ORDER * error, F32_TOLERANCE / 10), f"{what}: {error} to {centered}"
            # The mean that is taken out is one that would show.
            wrong = Model(original.embed, as_rms(target.stack))(input_ids)
            assert relative_error(wrong, expected) > 3 * bound, what
            print(f"{what}: error {error:.1e} before, {centered:.1e} after")


# --- A stack with constant weights, in other types ---


def literal(array):
    text = np.array2string(np.asarray(array), separator=", ", threshold=sys.maxsize, formatter={"all": "{:.17e}".format})
    return f"dense<{text}>"


class ConstantStack:
    """Two feed-forwards with constant weights after a table, in `element_type`, which holds
    the weights exactly: rounding them is no part of the error before."""

    TOKENS, WIDTH, INNER, VOCABULARY = 6, 16, 24, 10

    def __init__(self, element_type, dtype, seed, mean=0.0, epsilon=1e-5, mode="inside"):
        self.epsilon, self.mode = epsilon, mode

        def make(name, shape, offset=0.0):
            values = random_parameter(name, shape, seed=seed).astype(np.float64) + offset
            return values.astype(dtype).astype(np.float64)

        self.table = make("table", [self.VOCABULARY, self.WIDTH], mean)
        # Their outputs have a mean.
        self.layers = [
            {
                "up": make(f"{i}.up", [self.WIDTH, self.INNER]),
                "down": make(f"{i}.down", [self.INNER, self.WIDTH]) + 0.25,
                "bias": make(f"{i}.bias", [self.WIDTH], 1.0),
                "scale": make(f"{i}.norm.scale", [self.WIDTH]),
                "shift": make(f"{i}.norm.bias", [self.WIDTH]),
            }
            for i in range(2)
        ]
        for layer in self.layers:
            layer["down"] = layer["down"].astype(dtype).astype(np.float64)
        self.module = renorm.Module.parse(self.text(element_type))

    def text(self, t):
        trunk, inner = f"tensor<{self.TOKENS}x{self.WIDTH}x{t}>", f"tensor<{self.TOKENS}x{self.INNER}x{t}>"
        vector, table = f"tensor<{self.WIDTH}x{t}>", f"tensor<{self.VOCABULARY}x{self.WIDTH}x{t}>"
        up, down = f"tensor<{self.WIDTH}x{self.INNER}x{t}>", f"tensor<{self.INNER}x{self.WIDTH}x{t}>"
        lines = [
            f"%zero = arith.constant 0.0 : {t}",
            f"%table = arith.constant {literal(self.table)} : {table}",
            f"%empty = tensor.empty() : {trunk}",
            f"%empty_inner = tensor.empty() : {inner}",
            f"%init = linalg.fill ins(%zero : {t}) outs(%empty_inner : {inner}) -> {inner}",
            "%x0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],"
            ' iterator_types = ["parallel", "parallel"]}'
            f" ins(%ids : tensor<{self.TOKENS}xi64>) outs(%empty : {trunk}) {{",
            f"^bb0(%id: i64, %out: {t}):",
            "%row = arith.index_cast %id : i64 to index",
            "%column = linalg.index 1 : index",
            f"%element = tensor.extract %table[%row, %column] : {table}",
            f"linalg.yield %element : {t}",
            f"}} -> {trunk}",
        ]
        for i, layer in enumerate(self.layers):
            lines += [
                f"%scale{i} = arith.constant {literal(layer['scale'])} : {vector}",
                f"%shift{i} = arith.constant {literal(layer['shift'])} : {vector}",
                f"%up{i} = arith.constant {literal(layer['up'])} : {up}",
                f"%down{i} = arith.constant {literal(layer['down'])} : {down}",
                f"%bias{i} = arith.constant {literal(layer['bias'])} : {vector}",
                f"%n{i} = norm.layer_norm %x{i} scale(%scale{i} : {vector}) bias(%shift{i} : {vector})"
                f" epsilon = {self.epsilon:.1e} epsilon_mode = {self.mode} : {trunk}",
                f"%u{i} = linalg.matmul ins(%n{i}, %up{i} : {trunk}, {up}) outs(%init : {inner}) -> {inner}",
                f"%h{i} = linalg.tanh ins(%u{i} : {inner}) outs(%empty_inner : {inner}) -> {inner}",
                f"%b{i} = linalg.broadcast ins(%bias{i} : {vector}) outs(%empty : {trunk}) dimensions = [0]",
                f"%f{i} = linalg.matmul ins(%h{i}, %down{i} : {inner}, {down}) outs(%b{i} : {trunk}) -> {trunk}",
                f"%x{i + 1} = norm.residual_add %x{i}, %f{i} : {trunk}",
            ]
        lines += [
            f"%y = norm.layer_norm %x2 epsilon = {self.epsilon:.1e} epsilon_mode = {self.mode} : {trunk}",
            f"return %y : {trunk}",
        ]
        body = "\n  ".join(lines)
        return f"func.func @forward(%ids: tensor<{self.TOKENS}xi64>) -> {trunk} {{\n  {body}\n}}"

    def reference(self, ids):
        def module(layer):
            return lambda x: np.tanh(x @ layer["up"]) @ layer["down"] + layer["bias"]

        sublayers = [
            Sublayer(
                f"layers.{i}.ffn",
                i,
                "feed-forward",
                module(layer),
                input_norm=Norm("layer", self.epsilon, layer["scale"], layer["shift"], self.mode),
            )
            for i, layer in enumerate(self.layers)
        ]
        final_norm = Norm("layer", self.epsilon, epsilon_mode=self.mode)
        return Stack(tuple(sublayers), final_norm=final_norm).run(self.table[ids])


def errors_of_constants(stack, seed, embedding):
    """The errors before and after."""
    ids = np.random.RandomState(seed).randint(stack.VOCABULARY, size=stack.TOKENS)
    expected = stack.reference(ids)
    before = relative_error(stack.module.compile()(ids), expected)
    assert not stack.module.run_pipeline(f"norm-center-residual{{embedding={embedding}}}")
    assert count(stack.module, "rms_norm") == 3 and count(stack.module, "layer_norm") == 0
    return before, relative_error(stack.module.compile()(ids), expected)


def check_constants(element_type, dtype, tolerance):
    for mean in (0.0, 30.0):
        for embedding in ("fold", "explicit"):
            errors = [
                errors_of_constants(ConstantStack(element_type, dtype, seed, mean), seed, embedding) for seed in range(4)
            ]
            before, after = np.max(errors, axis=0)
            what = f"{element_type}, mean {mean:g}, {embedding}"
            assert after <= max(SAME_ORDER * before, tolerance / 10), f"{what}: {before} to {after}"
            if mean == 0.0:
                assert after <= tolerance, f"{what}: {after}"
            print(f"{what}: error {before:.1e} before, {after:.1e} after")


def check_epsilon_modes():
    # An epsilon that shows: the deviations are about 1.
    for mode in ("inside", "outside", "clamp", "clamp_inside"):
        stack = ConstantStack("f64", np.float64, seed=0, epsilon=1.0, mode=mode)
        before, after = errors_of_constants(stack, 0, "fold")
        assert max(before, after) <= 1e-13, f"{mode}: {before}, {after}"


def main():
    for name in EXPORTS:
        check_export(name)
    check_epsilon_modes()
    check_constants("f64", np.float64, 1e-13)
    check_constants("f32", np.float32, F32_TOLERANCE)
    check_constants("f16", np.float16, 2e-2)
    check_constants("bf16", bfloat16, 1e-1)


if __name__ == "__main__":
    main()
