"""The models exported to test/Models, as references.

The parameters are made by name, as the exporter makes them; their names and
shapes are those of the exported function's arguments.
"""

import importlib.util
import pathlib
import re

import numpy as np

from . import models, ops

_ROOT = pathlib.Path(__file__).parents[3]
_MODELS = _ROOT / "test" / "Models"

# What python/renorm/export.py gives to the configuration classes; it is not
# imported from there because that needs PyTorch.
_COMMON = {
    "hidden_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
}
_GATED = _COMMON | {"num_key_value_heads": 2}
CONFIGS = {
    "BertModel": _COMMON | {"num_hidden_layers": 4},
    "GPT2Model": _COMMON,
    "LlamaModel": _GATED,
    "Gemma2Model": _GATED
    | {
        "head_dim": 28,
        "query_pre_attn_scalar": 36,
        "attn_logit_softcapping": 5.0,
        "sliding_window": 5,
    },
    "Olmo2Model": _GATED,
    "Qwen3Model": _GATED | {"head_dim": 28},
}


def _load_random_parameter():
    # By path: the package has an extension that the reference does without.
    path = _ROOT / "python" / "renorm" / "parameters.py"
    spec = importlib.util.spec_from_file_location("renorm_parameters", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.random_parameter


def path(name, suffix=".mlir"):
    """The file in test/Models of model class `name`."""
    return (_MODELS / name.removesuffix("Model").lower()).with_suffix(suffix)


def parameters(name, seed=0):
    """The parameters of model class `name` by their state_dict names."""
    random_parameter = _load_random_parameter()
    argument = r'tensor<((?:\d+x)*)f32> \{[^}]*norm\.param = "([^"]+)"'
    return {
        key: random_parameter(key, [int(n) for n in shape.split("x")[:-1]], seed=seed)
        for shape, key in re.findall(argument, path(name, ".mlir").read_text())
    }


def buffers(name):
    """The constants that the model holds in float32, by their state_dict names."""
    config = CONFIGS[name]
    head_dim = config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])
    constants = {
        "rotary_emb.inv_freq": ops.rope_frequencies(head_dim, models.rope_base(config), np.float32)
    }
    if name == "Gemma2Model":
        constants["embed_tokens.embed_scale"] = np.float32(config["hidden_size"] ** 0.5)
    return constants


def build(name, seed=0):
    """The reference of model class `name`, with the parameters of `seed`."""
    return models.build(name, CONFIGS[name], parameters(name, seed) | buffers(name))


def saved(name):
    """What PyTorch computed for seed 0: `input_ids`, `last_hidden_state` and
    `last_hidden_state_f64`."""
    return np.load(path(name, ".npz"))
