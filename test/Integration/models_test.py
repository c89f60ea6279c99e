"""Exported models against PyTorch's outputs, before and after norm-raise.

The truth is PyTorch's output in float64, saved beside each model; the parameters are
made by name. Raising reassociates: its error must be of the order of the error that the
program had before.
"""

import numpy as np

import renorm
from reference import exported
from reference.check import assert_close, relative_error
from renorm.parameters import random_parameter

# Sublayers, attentions and norms that raising must find.
MODELS = {
    "bert": ("BertModel", 8, 4, 9),
    "gpt2": ("GPT2Model", 4, 2, 5),
    "llama": ("LlamaModel", 4, 2, 5),
    "gemma2": ("Gemma2Model", 4, 2, 9),
    "olmo2": ("Olmo2Model", 4, 2, 9),
    "qwen3": ("Qwen3Model", 4, 2, 9),
}
F32_TOLERANCE = 1e-5


def outputs(module, input_ids):
    function = module.compile()
    arguments = [
        random_parameter(each.param, each.shape, each.dtype) if each.param else input_ids for each in function.inputs
    ]
    return function(*arguments)


def count(module, *operations):
    return sum(str(module).count(f"norm.{operation} ") for operation in operations)


def main():
    for file, (name, sublayers, attentions, norms) in MODELS.items():
        saved = exported.saved(name)
        expected = saved["last_hidden_state_f64"]
        module = renorm.Module.from_file(exported.path(name))
        plain = outputs(module, saved["input_ids"])
        assert_close(plain, expected, F32_TOLERANCE, f"{file} as exported")

        module.run_pipeline("norm-raise")
        found = (
            count(module, "residual_add"),
            count(module, "attention"),
            count(module, "layer_norm", "rms_norm", "l2_norm"),
        )
        if found != (sublayers, attentions, norms):
            raise AssertionError(f"{file}: expected {(sublayers, attentions, norms)} raised, but got {found}")
        raised = outputs(module, saved["input_ids"])
        assert_close(raised, expected, F32_TOLERANCE, f"{file} raised")
        before, after = relative_error(plain, expected), relative_error(raised, expected)
        if not (after <= 4 * before):
            raise AssertionError(f"{file}: raising took the error from {before:.1e} to {after:.1e}")
        print(f"{file}: {before:.1e} as exported, {after:.1e} raised")


if __name__ == "__main__":
    main()
