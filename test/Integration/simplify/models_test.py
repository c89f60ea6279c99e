"""What the exact simplifications leave of real models, against the float64 reference.

usage: models_test.py README

GPT-2, and BERT converted to Pre-LN, are run as they are, with scale and bias folded, with
the trunk centered, and with both in either order. The norms that are left must be those
that the table of README says, and its errors those that are measured, to a factor.
"""

import pathlib
import re
import sys

from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.placement import convert

import renorm

MODELS = {
    "GPT-2": ("GPT2Model", "norm-raise"),
    "BERT, converted to pre": ("BertModel", "norm-raise,norm-convert-placement{to=pre strict}"),
}
FOLD, CENTER = "norm-fold-affine{weights=prepare}", "norm-center-residual{weights=prepare embedding=fold}"
PIPELINES = {"as it is": [], "folded": [FOLD], "centered": [CENTER], "both": [FOLD, CENTER], "reverse": [CENTER, FOLD]}
SEEDS = range(3)

F32_TOLERANCE = 1e-5
# What an error of the table may be off by on another machine.
SAME_ORDER = 4


def describe_norms(module):
    """(LayerNorms, RMSNorms, scales, biases) on the streams."""
    (function,) = module.report()["functions"]
    norms = [function["embedding_norm"], function["final_norm"], *function["other_norms"]]
    for sublayer in function["sublayers"]:
        norms += [sublayer["input"], sublayer["output"], sublayer["post"]]
    norms = [norm for norm in norms if norm]
    kinds = [norm["kind"] for norm in norms]
    return (kinds.count("layer"), kinds.count("rms"), sum(n["scale"] for n in norms), sum(n["bias"] for n in norms))


def measure(name, module):
    """The largest error of three seeds."""
    function = module.compile()
    input_ids = exported.saved(name)["input_ids"]
    errors = []
    for seed in SEEDS:
        given = exported.parameters(name, seed)
        original = models.build(name, exported.CONFIGS[name], given | exported.buffers(name))
        expected = Model(original.embed, convert(original.stack, to="pre"))(input_ids)
        result = function(*(given[each.param] if each.param else input_ids for each in function.inputs))
        assert_close(result, expected, F32_TOLERANCE, f"{name}, seed {seed}")
        errors.append(relative_error(result, expected))
    return max(errors)


def read_table(path):
    """The rows of the table: (model, what) to (LayerNorms, RMSNorms, scales, biases, error)."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([0-9.e-]+) \|$", path, re.M)
    return {(model, what): (*map(int, counts), float(error)) for model, what, *counts, error in rows}


def main():
    table = read_table(pathlib.Path(sys.argv[1]).read_text())
    expected = {(model, what) for model in MODELS for what in PIPELINES if what != "reverse"}
    assert table.keys() == expected, f"expected the rows {expected}, but got {table.keys()}"
    for model, (name, pipeline) in MODELS.items():
        for what, passes in PIPELINES.items():
            module = renorm.Module.from_file(exported.path(name))
            module.run_pipeline(",".join([pipeline, *passes]))
            *counts, error = table[model, "both" if what == "reverse" else what]
            found, measured = describe_norms(module), measure(name, module)
            print(f"| {model} | {what} | {' | '.join(map(str, found))} | {measured:.1e} |")
            assert found == tuple(counts), f"{model}, {what}: expected {counts} norms, but got {found}"
            assert error / SAME_ORDER <= measured <= error * SAME_ORDER, f"{model}, {what}: {measured}, not {error}"


if __name__ == "__main__":
    main()
