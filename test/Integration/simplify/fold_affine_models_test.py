"""Exported models whose norms are folded into their weights, against the float64 reference.

Every model is folded twice: with its parameters as arguments, whose new weights are prepared
in f32, and with the parameters of the first seed as constants, which are folded in float64.
The reference is that of the original function, with the parameters of three seeds, and with
embeddings far from zero, tiny and large ones. The error must be of the order of the error
before.
"""

import re

import numpy as np
from ml_dtypes import bfloat16
from reference import exported, models
from reference.check import relative_error
from reference.models import Model
from reference.placement import convert

import renorm

SEEDS = range(2)
F32_TOLERANCE = 1e-5
# What the error may grow by: other roundings, of the same size.
SAME_ORDER = 4

# (file, model, element type, pipeline, placement, norms, of them with a scale afterwards).
# The final norm stays everywhere: these models end there. Output norms (Gemma 2, OLMo 2) are
# read by an add, QK-Norms (OLMo 2, Qwen3) by an attention.
EXPORTS = [
    ("gpt2", "GPT2Model", np.float32, "norm-raise", None, 5, 1),
    ("bert", "BertModel", np.float32, "norm-raise,norm-convert-placement{to=pre strict}", "pre", 9, 1),
    ("llama", "LlamaModel", np.float32, "norm-raise", None, 5, 1),
    ("llama_bf16", "LlamaModel", bfloat16, "norm-raise", None, 5, 1),
    ("gemma2", "Gemma2Model", np.float32, "norm-raise", None, 9, 5),
    ("olmo2", "Olmo2Model", np.float32, "norm-raise", None, 9, 9),
    ("qwen3", "Qwen3Model", np.float32, "norm-raise", None, 9, 5),
]
COUNTED = ("norms", "scale", "bias", "bias adds")


def count(module, what):
    """Norms, those with a scale or with a bias, and additions of a bias to a matmul's result."""
    norms = re.findall(r"= norm\.(?:layer|rms|l2)_norm .*", str(module))
    if what == "norms":
        return len(norms)
    if what == "bias adds":
        adds = r"linalg\.generic .* ins\(%\S+, %\S+ : tensor<\d+x(\d+)x\w+>, tensor<\1x\w+>\).*\n.*\n.*arith\.addf"
        return len(re.findall(adds, str(module)))
    return sum(f" {what}(" in norm for norm in norms)


def with_constants(module, values):
    """`module`, with `values`, by their names, in the place of the parameters."""
    text = str(module)
    parameters = re.findall(r'(%arg\d+): (tensor<[^>]*>) \{norm\.param = "([^"]*)"\}', text)
    constants = ""
    for argument, type, name in parameters:
        text = re.sub(rf'(, )?{argument}: {re.escape(type)} \{{norm\.param = "{name}"\}}', "", text)
        data = np.ascontiguousarray(values[name]).tobytes().hex().upper()
        constants += f'    {argument} = arith.constant dense<"0x{data}"> : {type}\n'
    signature = re.search(r"func\.func @forward\(.*\n", text)
    return renorm.Module.parse(text[: signature.end()] + constants + text[signature.end() :])


def embeddings(parameters):
    """The kinds of embeddings, as changes of `parameters`."""
    tables = [name for name in parameters if "embed" in name and "weight" in name and "Norm" not in name]
    tables += [name for name in ("wte.weight", "wpe.weight") if name in parameters]

    def change(names, function):
        return {name: function(np.float32(parameters[name])).astype(parameters[name].dtype) for name in names}

    yield "", {}
    yield ", mean 1000", change(tables[:1], lambda table: table + np.float32(1e3))
    yield ", deviation 1e-4", change(tables, lambda table: table * np.float32(1e-4))
    yield ", deviation 1e4", change(tables, lambda table: table * np.float32(1e4))


class Export:
    def __init__(self, file, name, dtype, pipeline, placement, norms, scaled):
        self.file, self.name, self.dtype, self.placement = file, name, dtype, placement
        self.input_ids = exported.saved(name)["input_ids"]
        self.before = renorm.Module.from_file(exported.path(file))
        self.before.run_pipeline(pipeline)
        self.prepared = self.before.clone()
        self.prepared.run_pipeline("norm-fold-affine{weights=prepare}")

        counts = {what: (count(self.before, what), count(self.prepared, what)) for what in COUNTED}
        print(f"{file}: " + ", ".join(f"{what} {before} -> {after}" for what, (before, after) in counts.items()))
        assert counts["norms"] == (norms, norms), counts
        assert counts["scale"] == (norms, scaled), counts
        # What a norm added goes into the bias that there is.
        assert counts["bias"] == ((norms, scaled) if "layer_norm" in str(self.before) else (0, 0)), counts
        assert counts["bias adds"][0] == counts["bias adds"][1], counts
        if scaled == norms:
            assert str(self.prepared) == str(self.before), file

    def parameters(self, seed):
        parameters = exported.parameters(self.name, seed)
        return {name: value.astype(self.dtype) for name, value in parameters.items()}

    def reference(self, given):
        given = {name: value.astype(np.float64) for name, value in given.items()}
        model = models.build(self.name, exported.CONFIGS[self.name], given | exported.buffers(self.name))
        return Model(model.embed, convert(model.stack, to=self.placement)) if self.placement else model

    def arguments(self, function, given, *prepared):
        inputs = function.inputs[: len(function.inputs) - len(prepared)]
        return [*(given[each.param] if each.param else self.input_ids for each in inputs), *prepared]

    def run(self):
        if str(self.prepared) == str(self.before):
            return
        before, after = self.before.compile(), self.prepared.compile()
        functions = {"prepared": lambda given: after(*self.arguments(after, given))}
        if self.file == "gpt2":
            # What it calls, called by hand.
            prepare, step = (self.prepared.compile(entry=f"forward.{part}") for part in ("prepare", "prepared"))
            functions["prepared once"] = lambda given: step(
                *self.arguments(step, given, *prepare(*self.arguments(prepare, given)))
            )
        for seed in SEEDS:
            for kind, changes in embeddings(self.parameters(seed)):
                given = self.parameters(seed) | changes
                constants = {}
                if seed == 0 and kind == "":
                    module = with_constants(self.before, given)
                    module.run_pipeline("norm-fold-affine")
                    assert count(module, "scale") == count(self.prepared, "scale"), self.file
                    folded = module.compile()
                    constants = {"constant": lambda given: folded(self.input_ids)}
                self.check(f"seed {seed}{kind}", given, before, functions | constants)

    def check(self, what, given, before, functions):
        expected = self.reference(given)(self.input_ids)
        error = relative_error(before(*self.arguments(before, given)), expected)
        errors = {name: relative_error(function(given), expected) for name, function in functions.items()}
        print(f"{self.file}, {what}: error {error:.1e} before, " + ", ".join(f"{e:.1e} {n}" for n, e in errors.items()))
        # The mean of 1000 alone costs float32 3 digits, and bfloat16 has not many more.
        if self.dtype == np.float32 and "mean" not in what:
            assert error <= F32_TOLERANCE, f"{self.file}, {what}: {error}"
        for name, after in errors.items():
            assert after <= SAME_ORDER * error, f"{self.file}, {what}, {name}: {error} to {after}"


def main():
    for export in EXPORTS:
        Export(*export).run()


if __name__ == "__main__":
    main()
