"""What probes measure in the exported models, against the float64 reference.

The reference's taps are the points of the trunk; the logits are computed here from the
queries and keys that it gives to its attention.
"""

import pathlib
import unittest
from unittest import mock

import numpy as np
from reference import check, exported, models, ops

import renorm

MODELS = pathlib.Path(__file__).parents[1] / "Models"

# Of float32: an error of some roundings in the largest value; statistics over all
# elements average theirs away.
TOLERANCE = 2e-6


def logits_of(q, k, scale=None, softcap=None, **_):
    k = np.repeat(k, q.shape[-3] // k.shape[-3], axis=-3)
    logits = (q.shape[-1] ** -0.5 if scale is None else scale) * (q @ k.swapaxes(-1, -2))
    return logits if softcap is None else softcap * np.tanh(logits / softcap)


def expected_points(name, input_ids):
    """(name of the probe, value) of everything that `sums` and `logits` probe."""
    recorded, attention = [], ops.attention

    def recording(q, k, v, **options):
        recorded.append(logits_of(q, k, **options))
        return attention(q, k, v, **options)

    taps = {}
    with mock.patch.object(models.ops, "attention", recording):
        exported.build(name)(input_ids, taps)

    points = {}
    trunk = points["embedding"] = taps["input"]
    if "embedding_norm" in taps:
        points["embedding.sum"] = trunk
        points["embedding"] = taps["embedding_norm"]
    for tap, value in taps.items():
        if tap.endswith(".add"):
            sublayer = tap.removesuffix(".add")
            if f"{sublayer}.post_norm" in taps:
                points[f"{sublayer}.sum"] = value
                value = taps[f"{sublayer}.post_norm"]
            points[sublayer] = value
            if sublayer.endswith(".attention"):
                points[f"{sublayer}.logits"] = recorded.pop(0)
    if "final_norm" in taps:
        points["final"] = taps["final_norm"]
    assert not recorded
    return points


class ProbesTest(unittest.TestCase):
    def check_model(self, name):
        saved, parameters = exported.saved(name), exported.parameters(name)
        plain = renorm.Module.from_file(MODELS / f"{name.removesuffix('Model').lower()}.mlir")
        plain.run_pipeline("norm-raise")
        probed = plain.clone()
        probed.run_pipeline("norm-insert-probes{sums logits}")
        compiled = plain.compile()
        inputs = [
            parameters[each.param] if each.param else saved["input_ids"]
            for each in compiled.inputs
        ]
        result = compiled(*inputs)
        self.assertEqual(compiled.probes, [])
        compiled = probed.compile()
        self.assertEqual(compiled(*inputs).tobytes(), result.tobytes())

        points = expected_points(name, saved["input_ids"])
        self.assertEqual(
            sorted(probe.name for probe in compiled.probes), sorted(points)
        )
        for probe in compiled.probes:
            expected = ops.statistics(points[probe.name])
            what = f"{name} {probe.name}"
            # A mean near zero is a difference of large numbers.
            error = abs(probe.mean - expected["mean"]) / expected["variance"] ** 0.5
            self.assertLessEqual(error, TOLERANCE, f"{what}: mean")
            for statistic in ("variance", "max_abs", "kurtosis"):
                check.assert_close(
                    getattr(probe, statistic),
                    expected[statistic],
                    TOLERANCE,
                    f"{what}: {statistic}",
                )

    def test_post_with_embedding_norm(self):
        self.check_model("BertModel")

    def test_peri_with_capped_logits_of_grouped_queries(self):
        self.check_model("Gemma2Model")

    def test_pre_with_normalized_queries_and_keys(self):
        self.check_model("Qwen3Model")


if __name__ == "__main__":
    unittest.main()
