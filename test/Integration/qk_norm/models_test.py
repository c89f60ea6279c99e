"""Exported models with norms of queries and keys, against their float64 reference.

usage: models_test.py MODEL

MODEL (such as BertModel) gets every kind of QK-Norm. BERT and Llama get each in every
placement of the other norms: the placement without a QK-Norm is what placement/ runs. New
parameters are function arguments with random values: a norm that is in the wrong place
shows, even where it would be neutral as it begins.
"""

import sys

import numpy as np
from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.placement import convert
from reference.qk_norm import QKNorm
from reference.rounding import rounding_error
from reference.stack import Norm

import renorm
from renorm.parameters import random_parameter

PLACEMENTS = [
    ("to=none", {"to": "none"}),
    ("to=post", {"to": "post"}),
    ("to=pre", {"to": "pre"}),
    ("to=peri", {"to": "peri"}),
    ("to=output", {"to": "output"}),
    ("to=deepnorm alpha=1.5", {"to": "deepnorm", "alpha": 1.5}),
]
# Of the QK-Norm in all placements; the others are tried in the model's own.
KINDS = ["kind=l2 g=8", "kind=layer", "kind=rms"]
OPTIONS = {
    "BertModel": ["kind=l2 seq-len=512 per-head layers=3", "kind=layer bias scope=hidden"],
    "GPT2Model": ["kind=layer bias scope=hidden", "kind=rms epsilon=0.1 layers=0"],
    "LlamaModel": [
        "kind=l2 seq-len=512 per-head position=after-rope",
        "kind=l2 g=8 scope=hidden layers=1",
        "kind=layer scale=false position=after-rope epsilon=0.1",
        "kind=rms scope=hidden position=after-rope",
        "kind=rms scope=hidden",
    ],
    "Gemma2Model": ["kind=l2 g=8 per-head position=after-rope", "kind=rms scope=hidden"],
}
# The models' own epsilons are taken where the kind is the model's.
EPSILONS = {"BertModel": {"layer": 1e-12}, "GPT2Model": {"layer": 1e-5}}

# As placement/models_test.py says.
F32_TOLERANCE = 1e-5
ROUNDINGS = 16


def parse(options):
    """The options of the pass as a dictionary."""
    pairs = (option.partition("=") for option in options.split())
    return {key: value or "true" for key, _, value in pairs}


def new_parameters(function, seed):
    values = {}
    for each in function.inputs:
        if each.init is None:
            continue
        value = random_parameter(each.param, [int(np.prod(each.shape))], each.dtype, seed).reshape(each.shape)
        # Far from the 1 that a model without g has in its place.
        values[each.param] = 8 * value if each.param.endswith(".g") else value
    return values


def qk_norms(name, options, parameters):
    """What gives the QKNorm of a sublayer, by the options of the pass."""
    options = parse(options)
    kind = options["kind"]
    epsilon, mode = (1e-12, "clamp") if kind == "l2" else (EPSILONS.get(name, {}).get(kind, 1e-6), "inside")
    if "epsilon" in options:
        epsilon = float(options["epsilon"])

    def norm(place):
        flat = [parameters.get(f"{place}.{each}") for each in ("scale", "bias")]
        scale, bias = (None if each is None else each.reshape(-1) for each in flat)
        return Norm(kind, epsilon, scale, bias, mode)

    def make(sublayer):
        if options.get("layers", sublayer.split(".")[1]) != sublayer.split(".")[1]:
            return None
        return QKNorm(
            norm(f"{sublayer}.q_norm"),
            norm(f"{sublayer}.k_norm"),
            options.get("scope", "head"),
            options.get("position", "before-rope"),
            parameters.get(f"{sublayer}.g"),
        )

    return make


def streams(module):
    """The report without attentions and mistakes, among which is a missing QK-Norm."""
    functions = module.report()["functions"]
    return [{key: each[key] for key in each if key not in ("attentions", "lint")} for each in functions]


def check(name, raised, options, placement=(None, {})):
    module = raised.clone()
    placement_options, reference_options = placement
    if placement_options:
        module.run_pipeline(f"norm-convert-placement{{{placement_options} params=argument strict}}")
    before = streams(module)
    module.run_pipeline(f"norm-insert-qk-norm{{{options} params=argument strict}}")
    assert streams(module) == before, f"{name} {options}: the residual stream has changed"

    function = module.compile()
    input_ids = exported.saved(name)["input_ids"]
    given = exported.parameters(name) | new_parameters(function, seed=0)
    arguments = [given[each.param] if each.param else input_ids for each in function.inputs]
    result = function(*arguments)

    placed = {each.param for each in function.inputs if each.init is not None}
    placed = {each for each in placed if not any(part in each for part in (".q_norm.", ".k_norm.", ".g"))}

    def reference(qk_norm):
        model = models.build(name, exported.CONFIGS[name], given | exported.buffers(name), qk_norm=qk_norm)
        if not placement_options:
            return model
        parameters = {each: given[each] for each in placed}
        return Model(model.embed, convert(model.stack, **reference_options, parameters=parameters))

    target = reference(qk_norms(name, options, given))
    expected = target(input_ids)
    bound = max(F32_TOLERANCE, ROUNDINGS * rounding_error(target, input_ids))
    what = f"{name} {options} {placement_options or ''}"
    assert_close(result, expected, bound, what)
    # What would not show if it were wrong proves nothing.
    assert relative_error(reference(None)(input_ids), expected) > 3 * bound, what
    new = set(given) - set(exported.parameters(name)) - placed
    if new:
        neutral = reference(qk_norms(name, options, {each: np.ones_like(given[each]) for each in new}))
        assert relative_error(neutral(input_ids), expected) > 3 * bound, what
    error = relative_error(result, expected)
    print(f"{what}: {len(new)} new parameters, error {error:.1e}, {error / bound:.2f} of the bound")


def main():
    name = sys.argv[1]
    raised = renorm.Module.from_file(exported.path(name))
    raised.run_pipeline("norm-raise")
    for options in OPTIONS[name]:
        check(name, raised, options)
    placements = PLACEMENTS if name in ("BertModel", "LlamaModel") else [(None, {})]
    for placement in placements:
        for options in KINDS:
            check(name, raised, options, placement)


if __name__ == "__main__":
    main()
