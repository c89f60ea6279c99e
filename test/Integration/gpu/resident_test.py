"""Serving: weights are prepared and copied once, and a step copies its tokens only; its numbers against float64.

The memory of the GPU is that of a stand-in for its driver, in RENORM_LIBCUDA, which logs what is allocated.
"""

import collections
import os
import re

import numpy as np
from reference import exported
from reference.check import assert_close, relative_error

import renorm
from renorm.parameters import random_parameter

# File, passes, the least of weights that are computed, and the bound of models_test.py. Llama's weights are transposed,
# GPT-2's get scales and biases of norms folded into them; and into statistics of rows, the sums of their columns.
MODELS = [
    ("llama_bf16", "norm-raise,norm-prepare-weights", 14, 2e-2),
    (
        "gpt2",
        "norm-raise,norm-fold-affine{weights=prepare},norm-fuse{target=sm_80 weights=prepare},norm-prepare-weights",
        12,
        1e-5,
    ),
]
PIPELINE = "renorm-to-nvvm{format=llvm}"


def allocations():
    """The bytes of each allocation so far."""
    with open(os.environ["STAND_IN_LOG"]) as log:
        return [int(each) for each in re.findall(r"^cuMemAllocManaged\((\d+), 1\)$", log.read(), re.M)]


def main():
    for name, passes, least, bound in MODELS:
        saved = np.load(exported.path(name, ".npz"))
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline(passes)
        prepare, step = (module.compile("cuda", f"forward.{each}", PIPELINE) for each in ("prepare", "prepared"))

        def parameters(inputs):
            return [random_parameter(each.param, each.shape, each.dtype) for each in inputs]

        weights = prepare(*parameters(prepare.inputs), on_device=True)
        assert len(weights) >= least, f"{name}: {len(weights)} weights"
        tokens, *rest = step.inputs[: -len(weights)]
        assert tokens.param is None and all(each.param for each in rest), name
        rest = parameters(rest)
        resident = [renorm.to_device(each, "cuda") for each in rest]

        # Other tokens before, which must leave nothing behind.
        before = len(allocations())
        step(np.zeros_like(saved["input_ids"]), *rest, *(each.numpy() for each in weights))
        middle = len(allocations())
        result = step(saved["input_ids"], *resident, *weights)
        expected = saved["last_hidden_state_f64"]
        assert_close(result, expected, bound, name)

        first, second = (collections.Counter(each) for each in (allocations()[before:middle], allocations()[middle:]))
        copied = collections.Counter(each.numpy().nbytes for each in [*resident, *weights])
        assert not second - first and first - second == copied, f"{name}: {first - second} for {copied}"
        assert second[saved["input_ids"].nbytes] >= 1, name
        print(f"{name}: {copied.total()} arguments of {sum(each.numpy().nbytes for each in [*resident, *weights])} bytes stay, {relative_error(result, expected):.1e}")


if __name__ == "__main__":
    main()
