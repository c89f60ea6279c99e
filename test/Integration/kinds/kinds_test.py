"""Exported models whose LayerNorms are turned into RMSNorms or back, against the float64 reference with norms of
the other kind."""

import unittest
from dataclasses import replace
from unittest import mock

from reference import exported, models
from reference.check import assert_close, relative_error
from reference.models import Model
from reference.rounding import rounding_error

import renorm
from renorm.parameters import random_parameter

F32_TOLERANCE = 1e-5
# As in placement/models_test.py: what the placement makes of one rounding.
ROUNDINGS = 16
SEEDS = range(2)


def map_norms(stack, change):
    """`stack` with `change(norm, place)` for each norm, which may be None."""
    sublayers = [
        replace(
            each,
            input_norm=change(each.input_norm, f"{each.name}.input_norm"),
            output_norm=change(each.output_norm, f"{each.name}.output_norm"),
            post_norm=change(each.post_norm, f"{each.name}.post_norm"),
        )
        for each in stack.sublayers
    ]
    ends = change(stack.embedding_norm, "embedding_norm"), change(stack.final_norm, "final_norm")
    return type(stack)(tuple(sublayers), *ends)


def build_with_qk_norms(name, values, kind):
    """The reference of the model, its QK-Norms, which have no bias, of `kind`."""
    plain = models._rms

    def norm(parameters, key, *arguments, **options):
        made = plain(parameters, key, *arguments, **options)
        return replace(made, kind=kind) if key.endswith(("q_norm", "k_norm")) else made

    with mock.patch.object(models, "_rms", norm):
        return models.build(name, exported.CONFIGS[name], values)


class Kinds(unittest.TestCase):
    def check(self, name, options, *, trunk=None, qk="rms", bias="keep", layers=None):
        """The pass with `options` makes the norms of the trunk (in `layers`) of kind `trunk`, if it is given, and the
        QK-Norms of kind `qk`."""
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline(f"norm-raise,norm-swap-kind{{{options} strict}}")
        function = module.compile()
        input_ids = exported.saved(name)["input_ids"]
        for seed in SEEDS:
            given = exported.parameters(name, seed)
            new = {
                each.param: random_parameter(each.param, each.shape, seed=seed)
                for each in function.inputs
                if each.init is not None
            }
            arguments = [(given | new)[each.param] if each.param else input_ids for each in function.inputs]
            values = given | exported.buffers(name)
            original = models.build(name, exported.CONFIGS[name], values)
            model = build_with_qk_norms(name, values, qk)

            def change(norm, place):
                layer = int(place.split(".")[1]) if place.startswith("layers") else None
                if norm is None or trunk is None or (layers is not None and layer not in layers):
                    return norm
                return replace(norm, kind=trunk, bias=new.get(f"{place}.bias", norm.bias if bias == "keep" else None))

            target = Model(model.embed, map_norms(model.stack, change))
            expected = target(input_ids)
            bound = max(F32_TOLERANCE, ROUNDINGS * rounding_error(target, input_ids))
            what = f"{name} {options}, seed {seed}"
            result = function(*arguments)
            assert_close(result, expected, bound, what)
            # What would not show if it were wrong proves nothing.
            self.assertGreater(relative_error(original(input_ids), expected), 3 * bound, what)
            print(f"{what}: error {relative_error(result, expected):.1e}, bound {bound:.1e}, {len(new)} new parameters")

    def test_layer_to_rms(self):
        for name in ("BertModel", "GPT2Model"):
            self.check(name, "to=rms", trunk="rms", bias="drop")
            self.check(name, "to=rms bias=keep", trunk="rms")
        self.check("BertModel", "to=rms layers=1-2", trunk="rms", bias="drop", layers={1, 2})

    def test_rms_to_layer(self):
        for name in ("LlamaModel", "Gemma2Model"):
            self.check(name, "to=layer", trunk="layer")
        self.check("LlamaModel", "to=layer bias=add params=argument", trunk="layer")

    def test_qk_norms(self):
        for name in ("Olmo2Model", "Qwen3Model"):
            self.check(name, "to=layer norms=qk", qk="layer")
            self.check(name, "to=layer norms=trunk", trunk="layer")
            self.check(name, "to=layer", trunk="layer", qk="layer")


if __name__ == "__main__":
    unittest.main()
