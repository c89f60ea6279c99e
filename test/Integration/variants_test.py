"""Exported models with an open batch dimension, and in bf16, as exported and raised."""

import unittest

import numpy as np
from reference import exported, models
from reference.check import assert_close, relative_error

import renorm


def compiled(name, pipeline):
    module = renorm.Module.from_file(exported.path(name))
    module.run_pipeline(pipeline)
    return module.compile()


def run(function, input_ids):
    return function(*renorm.make_inputs(function.inputs, {"arg0": input_ids}))


class Variants(unittest.TestCase):
    def test_dynamic_batch(self):
        config = exported.CONFIGS["BertModel"] | {"num_hidden_layers": 2}
        bert = models.build("BertModel", config, exported.parameters("BertModel"))
        tokens = np.random.RandomState(1)
        for pipeline in ("", "norm-raise"):
            function = compiled("bert_dynamic", pipeline)
            self.assertEqual(function.inputs[0].shape, (None, 10))
            for batch in (1, 4, 7):
                input_ids = tokens.randint(0, 97, (batch, 10))
                what = f"batch {batch}, pipeline '{pipeline}'"
                assert_close(run(function, input_ids), bert(input_ids), 1e-5, what)

    def test_bf16(self):
        saved = exported.saved("llama_bf16")
        expected = saved["last_hidden_state_f64"]
        # No fixed bound says what 8 bits can do: PyTorch's own error does.
        bound = 2 * relative_error(saved["last_hidden_state"], expected)
        for pipeline in ("", "norm-raise"):
            result = run(compiled("llama_bf16", pipeline), saved["input_ids"])
            self.assertEqual(result.dtype.name, "bfloat16")
            assert_close(result.astype(np.float64), expected, bound, f"pipeline '{pipeline}'")


if __name__ == "__main__":
    unittest.main()
