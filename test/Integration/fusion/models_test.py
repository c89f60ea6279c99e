"""Exported models whose norms and matmuls are fused into kernels, against PyTorch's outputs in float64.

Fused and with every kernel inlined again, a model must compute what it did, the error of the order of the error
before; every norm and every matmul of a weight must be in a kernel, and none alone but where nothing computes rows
before it: what the embedding gives.
"""

import numpy as np
from kernels import PLAIN_LOOPS, STRATEGIES, read_kernels
from ml_dtypes import bfloat16
from reference import exported
from reference.check import assert_close, relative_error
from renorm.parameters import random_parameter

import renorm

PREPARE = "norm-raise,norm-fold-affine{weights=prepare}"
F32_TOLERANCE = 1e-5
# Half a unit of bf16, and the roundings of two layers.
BF16_TOLERANCE = 2.0**-4
SAME_ORDER = 4


class Expected:
    """Norms of each kind of strategy, matmuls of weights, and kernels that hold a norm but no matmul."""

    def __init__(self, matmuls, alone, **strategies):
        self.matmuls, self.alone, self.strategies = matmuls, alone, strategies


# Of a layer: BERT has query, key, value, output and two of the MLP, and a norm after each add, whose result is read by
# the next add too, so that it is made where it is; GPT-2 has one matmul for queries, keys and values. Llama, Gemma 2,
# OLMo 2 and Qwen3 have seven matmuls. The last norm is read by the caller; the first one has no matmul before it, and
# OLMo 2 has none there. `two_kernel_stats` are kernels that give statistics, `deferred` are matmuls of what was not yet
# normalized: all that read an input norm. Output norms of Gemma 2 and OLMo 2 are whole rows, and so are QK-Norms of
# OLMo 2; those of Qwen3 are groups.
EXPECTED = {
    "bert": ("BertModel", Expected(4 * 6, 1, whole_row=4 * 2, row_kernel=1)),
    "gpt2": ("GPT2Model", Expected(2 * 4, 1, two_kernel_stats=2 * 2, deferred=2 * 2, whole_row=1)),
    "llama": ("LlamaModel", Expected(2 * 7, 1, two_kernel_stats=2 * 2, deferred=2 * 5, whole_row=1)),
    "llama_bf16": ("LlamaModel", Expected(2 * 7, 1, two_kernel_stats=2 * 2, deferred=2 * 5, whole_row=1)),
    "gemma2": ("Gemma2Model", Expected(2 * 7, 1, two_kernel_stats=2 * 2, deferred=2 * 5, whole_row=2 * 2)),
    "olmo2": ("Olmo2Model", Expected(2 * 7, 0, whole_row=2 * 4)),
    "qwen3": (
        "Qwen3Model",
        Expected(2 * 7, 1, two_kernel_stats=2 * 2, deferred=2 * 5, grouped_rows=2 * 2, whole_row=1),
    ),
}


def outputs(module, name, input_ids):
    # With the kernels that users get for the matmuls of one model.
    function = module.compile(pipeline=None if name == "Qwen3Model" else PLAIN_LOOPS)
    arguments = []
    for each in function.inputs:
        arguments.append(random_parameter(each.param, each.shape, each.dtype) if each.param else input_ids)
    return function(*arguments)


def check_kernels(file, module, expected):
    kernels, alone = read_kernels(module)
    assert not alone, f"{file}: expected every norm in a kernel, but got {alone}"
    found = {}
    for kernel in kernels:
        assert kernel.contractions <= 1, f"{file}: expected one matmul at most, but got {kernel.operations}"
        for strategy in kernel.strategies:
            found[strategy] = found.get(strategy, 0) + 1
    assert found == expected.strategies, f"{file}: expected {expected.strategies}, but got {found}"
    matmuls = sum(kernel.contractions for kernel in kernels)
    assert matmuls == expected.matmuls, f"{file}: expected {expected.matmuls} matmuls, but got {matmuls}"
    rootless = sum(kernel.contractions == 0 for kernel in kernels)
    assert rootless == expected.alone, f"{file}: expected {expected.alone} kernels without a matmul, but got {rootless}"
    for kernel in kernels:
        if "grouped_rows" in kernel.strategies:
            # QK-Norm: after the projection, deferred norm and reshape, in one kernel with RoPE.
            operations = [line for line in kernel.operations if "matmul" in line or "_norm" in line or "math." in line]
            assert "linalg.matmul" in operations[0] and "rms_norm" in operations[1], operations
            assert any("linalg.generic" in line for line in kernel.operations[-8:]), kernel.operations
    return found


def main():
    seen = set()
    for file, (name, expected) in EXPECTED.items():
        dtype = bfloat16 if file.endswith("bf16") else np.float32
        tolerance = BF16_TOLERANCE if dtype == bfloat16 else F32_TOLERANCE
        saved = exported.saved(name)
        truth, input_ids = saved["last_hidden_state_f64"], saved["input_ids"]
        raised = renorm.Module.from_file(exported.path(file))
        raised.run_pipeline(PREPARE)
        unfused = outputs(raised, name, input_ids)
        assert_close(unfused, truth, tolerance, f"{file}, unfused")
        before = relative_error(unfused, truth)
        tried = {}
        for target in ("cpu", "sm_80", "sm_90a"):
            module = raised.clone()
            module.run_pipeline(f"norm-fuse{{target={target} weights=prepare}}")
            if str(module) in tried:
                print(f"{file}, {target}: as {tried[str(module)]}")
                continue
            tried[str(module)] = target
            seen |= check_kernels(f"{file}, {target}", module, expected).keys()
            fused = outputs(module, name, input_ids)
            assert_close(fused, truth, tolerance, f"{file}, {target}")
            after = relative_error(fused, truth)
            assert after <= SAME_ORDER * before, f"{file}, {target}: fusing took the error from {before} to {after}"
            lowered = module.clone()
            lowered.run_pipeline("convert-norm-to-linalg")
            module.run_pipeline("norm-inline-fusion")
            assert "norm.fusion" not in str(module)
            if name == "Qwen3Model":
                inlined = outputs(module, name, input_ids)
                assert inlined.tobytes() == fused.tobytes(), f"{file}, {target}: inlining changes the numbers"
            # The others' are the same if their programs are.
            module.run_pipeline("convert-norm-to-linalg")
            assert str(module) == str(lowered), f"{file}, {target}: inlining changes the program"
            print(f"{file}, {target}: {before:.1e} unfused, {after:.1e} fused")
    assert seen == STRATEGIES, f"expected every strategy, but got {seen}"


if __name__ == "__main__":
    main()
