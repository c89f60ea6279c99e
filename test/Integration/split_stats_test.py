"""Exported models whose norms are split into statistics, in groups, and their application, against PyTorch's outputs in
float64: the error must be of the order of the error before."""

import renorm
from reference import exported
from reference.check import assert_close, relative_error
from renorm.parameters import random_parameter

# LayerNorm after and before the modules; RMSNorm of the trunk and of each head's query and key.
MODELS = {"BertModel": 9, "GPT2Model": 5, "Qwen3Model": 9}
F32_TOLERANCE = 1e-5


def outputs(module, input_ids):
    function = module.compile()
    return function(*(
        random_parameter(each.param, each.shape, each.dtype) if each.param else input_ids for each in function.inputs
    ))


def main():
    for name, norms in MODELS.items():
        saved = exported.saved(name)
        expected = saved["last_hidden_state_f64"]
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline("norm-raise")
        before = relative_error(outputs(module, saved["input_ids"]), expected)
        # No divisor of the features, 96 or a head's 24: the last group is smaller.
        module.run_pipeline("norm-split-stats{group-size=20}")
        text = str(module)
        counts = [text.count(f"norm.{op} ") for op in ("row_stats", "merge_stats", "apply_stats")]
        assert counts == [norms] * 3 and "_norm " not in text, (name, counts)
        result = outputs(module, saved["input_ids"])
        assert_close(result, expected, F32_TOLERANCE, name)
        after = relative_error(result, expected)
        assert after <= 4 * before, f"{name}: splitting took the error from {before:.1e} to {after:.1e}"
        print(f"{name}: {before:.1e} before, {after:.1e} split")


if __name__ == "__main__":
    main()
