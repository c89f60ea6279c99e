"""Whole models whose norms and matmuls are kernels for a GPU, run by the emulator, against float64."""

import re

import numpy as np
from reference import exported
from reference.check import assert_close, relative_error

import renorm
from renorm.parameters import random_parameter

# File, what remains of norm.fusion groups that are no kernels, the bound in f32 (see models_test.py of the folders
# beside) and in bf16, in which the model as exported is off by 9.3e-3.
MODELS = {
    "gpt2": (0, 1e-5),
    "llama": (0, 1e-5),
    "llama_bf16": (0, 2e-2),
    "gemma2": (0, 1e-5),
    "olmo2": (0, 1e-5),
    # Heads of 28 columns are normalized.
    "qwen3": (0, 1e-5),
    "bert_dynamic": (0, 1e-5),
}


def main():
    for name, (left, bound) in MODELS.items():
        saved = np.load(exported.path(name, ".npz"))
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline("norm-raise,norm-fold-affine{weights=prepare},norm-decompose-attention,norm-fuse{target=sm_80 weights=prepare}")
        groups = str(module).count("norm.fusion")
        kernels = module.clone()
        kernels.run_pipeline("convert-norm-to-gpu")
        text = str(kernels)
        assert text.count("norm.fusion") == left, f"{name}: {text.count('norm.fusion')} groups are no kernels"
        assert len(re.findall(r"gpu\.launch_func\b", text)) == groups - left, name
        assert "norm.attention" not in text, name
        assert not re.search(r"norm\.(layer|rms|l2)_norm|norm\.row_stats", re.sub(r"norm\.fusion.*?\n    }\n", "", text, flags=re.S)), name

        function = module.compile(target="emulator")
        result = function(
            *(
                random_parameter(each.param, each.shape, each.dtype) if each.param else saved["input_ids"]
                for each in function.inputs
            )
        )
        expected = saved["last_hidden_state_f64"]
        assert_close(result, expected, bound, name)
        print(f"{name}: {groups - left} kernels, {relative_error(result, expected):.1e}")


if __name__ == "__main__":
    main()
