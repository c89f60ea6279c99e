"""Exported models, converted, against the float64 reference of the target placement.

usage: models_test.py MODEL

Each conversion of MODEL (such as BertModel) is compiled once and run with the parameters of
three seeds, with the model's own embeddings, with embeddings far from zero and with tiny
ones. New parameters are function arguments and get random values: a norm that is in the
wrong place shows, even where it would be neutral as it begins.
"""

import sys

import numpy as np
from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.placement import convert
from reference.rounding import rounding_error

import renorm
from renorm.parameters import random_parameter

# (options of the pass, the same for the reference)
TARGETS = [
    ("to=none", {"to": "none"}),
    ("to=post", {"to": "post"}),
    ("to=pre", {"to": "pre"}),
    ("to=peri", {"to": "peri"}),
    ("to=output", {"to": "output"}),
    ("to=deepnorm alpha=1.5", {"to": "deepnorm", "alpha": 1.5}),
]
OPTIONS = {
    "BertModel": [
        ("to=pre layers=2-3", {"to": "pre", "layers": {2, 3}}),
        ("to=pre kinds=attention", {"to": "pre", "kinds": {"attention"}}),
        ("to=peri embedding-norm=keep", {"to": "peri", "embedding_norm": "keep"}),
        # The paper's constants for four layers.
        ("to=deepnorm", {"to": "deepnorm", "alpha": 8**0.25}),
        ("to=output embedding-norm=drop", {"to": "output", "embedding_norm": "drop"}),
    ],
    "GPT2Model": [
        ("to=post layers=0", {"to": "post", "layers": {0}}),
        ("to=post kinds=feed-forward", {"to": "post", "kinds": {"feed-forward"}}),
        ("to=peri embedding-norm=add", {"to": "peri", "embedding_norm": "add"}),
    ],
    "LlamaModel": [
        ("to=peri new-norm=layer epsilon=0.001", {"to": "peri", "new_norm": "layer", "epsilon": 1e-3}),
    ],
    "Gemma2Model": [("to=pre kinds=feed-forward", {"to": "pre", "kinds": {"feed-forward"}})],
    "Olmo2Model": [("to=post embedding-norm=add", {"to": "post", "embedding_norm": "add"})],
    "Qwen3Model": [("to=deepnorm alpha=2 layers=1", {"to": "deepnorm", "alpha": 2, "layers": {1}})],
}
SEEDS = range(3)

F32_TOLERANCE = 1e-5
# Where float32 cannot give that, the reference says so: rounded to float32 at the ends of its
# modules alone, it is off by as much as the placement amplifies one rounding (LayerNorm of a
# trunk whose mean is 1000 times its deviation; gates and attention without any norm before
# them). All roundings of a program in float32 were up to 5 times that.
ROUNDINGS = 16


def embeddings(parameters):
    """The kinds of embeddings, as changes of `parameters`."""
    tables = [name for name in parameters if "embed" in name and "weight" in name and "Norm" not in name]
    tables += [name for name in ("wte.weight", "wpe.weight") if name in parameters]
    yield "", {}
    yield ", mean 1000", {tables[0]: parameters[tables[0]] + np.float32(1e3)}
    yield ", deviation 1e-4", {name: parameters[name] * np.float32(1e-4) for name in tables}


def check(name, raised, options, reference_options):
    module = raised.clone()
    module.run_pipeline(f"norm-convert-placement{{{options} params=argument strict}}")
    if str(module) == str(raised):
        # models_test.py has run it; the reference must think likewise.
        stack = exported.build(name).stack
        changed = convert(stack, **reference_options)
        assert [s.placement for s in changed.sublayers] == [s.placement for s in stack.sublayers], options
        print(f"{name} {options}: unchanged")
        return

    function = module.compile()
    input_ids = exported.saved(name)["input_ids"]
    worst = worst_error = 0.0
    for seed in SEEDS:
        parameters = exported.parameters(name, seed)
        new = {
            each.param: random_parameter(each.param, each.shape, seed=seed)
            for each in function.inputs
            if each.init is not None
        }
        for kind, changes in embeddings(parameters):
            given = parameters | changes
            arguments = [(given | new)[each.param] if each.param else input_ids for each in function.inputs]
            result = function(*arguments)

            original = models.build(name, exported.CONFIGS[name], given | exported.buffers(name))
            target = Model(original.embed, convert(original.stack, **reference_options, parameters=new))
            expected = target(input_ids)
            bound = max(F32_TOLERANCE, ROUNDINGS * rounding_error(target, input_ids))
            what = f"{name} {options}, seed {seed}{kind}"
            assert_close(result, expected, bound, what)
            error = relative_error(result, expected)
            if not (error / bound <= worst):
                worst, worst_error = error / bound, error
            # What would not show if it were wrong proves nothing.
            assert relative_error(original(input_ids), expected) > 3 * bound, what
            if new:
                neutral = Model(original.embed, convert(original.stack, **reference_options))
                assert relative_error(neutral(input_ids), expected) > 3 * bound, what
    print(f"{name} {options}: {len(new)} new parameters, error {worst_error:.1e}, {worst:.2f} of the bound")


def main():
    name = sys.argv[1]
    raised = renorm.Module.from_file(exported.path(name))
    raised.run_pipeline("norm-raise")
    for options, reference_options in TARGETS + OPTIONS[name]:
        check(name, raised, options, reference_options)


if __name__ == "__main__":
    main()
