"""Exported models whose weights are prepared once, bit for bit what they were.

Whether weights are computed in every call or once is no question of rounding: the function
that has the body must return the same bits, and the one that calls both must, too.
"""

import numpy as np
from reference import exported

import renorm

# Transposes of parameters in the exported IR: of each projection.
TRANSPOSES = {"BertModel": 24, "LlamaModel": 14, "GPT2Model": 0}


def arguments(function, given, *prepared):
    """By their names; what is prepared comes last."""
    inputs = function.inputs[: len(function.inputs) - len(prepared)]
    return [*(given[each.param] if each.param else given["input_ids"] for each in inputs), *prepared]


def check(name, transposes):
    plain = renorm.Module.from_file(exported.path(name))
    plain.run_pipeline("norm-raise")
    module = plain.clone()
    module.run_pipeline("norm-prepare-weights")
    if not transposes:
        assert str(module) == str(plain), name
        return
    # A function that something else calls stays the one to compile.
    whole = module.compile()
    assert [each.param for each in whole.inputs] == [each.param for each in plain.compile().inputs]
    prepare, step = (module.compile(entry=f"forward.{part}") for part in ("prepare", "prepared"))
    assert len(prepare.inputs) == len(prepare.outputs) == transposes, name
    assert len(step.inputs) == len(whole.inputs), name

    for seed in range(2):
        given = exported.parameters(name, seed) | {"input_ids": exported.saved(name)["input_ids"]}
        expected = plain.compile()(*arguments(whole, given))
        assert np.isfinite(expected).all() and expected.any()
        prepared = prepare(*arguments(prepare, given))
        for _ in range(2):
            np.testing.assert_array_equal(step(*arguments(step, given, *prepared)), expected)
        np.testing.assert_array_equal(whole(*arguments(whole, given)), expected)


def main():
    for name, transposes in TRANSPOSES.items():
        check(name, transposes)
        print(f"{name}: {transposes} weights prepared")


if __name__ == "__main__":
    main()
