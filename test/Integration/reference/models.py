"""The six Hugging Face models as stacks.

`build(name, config, parameters)` takes the class name, the model's
configuration as a dictionary (keys as in its config.json; a missing key has the
default of the configuration class) and its state dictionary as arrays. The
sublayers are named "layers.<i>.attention" and "layers.<i>.ffn".

The frequencies of RoPE and Gemma's scale of the embeddings are those of their
definitions, in float64, unless `parameters` has them: "rotary_emb.inv_freq" and
"embed_tokens.embed_scale" are the buffers in which Hugging Face's models, also
those converted to double, keep them rounded to float32.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import ops
from .stack import Norm, Stack, Sublayer

_ACTIVATIONS = {
    "gelu": ops.gelu,
    "gelu_new": ops.gelu_tanh,
    "gelu_pytorch_tanh": ops.gelu_tanh,
    "relu": ops.relu,
    "silu": ops.silu,
}


@dataclass(frozen=True)
class Model:
    """`embed` gives the trunk's first value, before any embedding norm."""

    embed: Callable[..., np.ndarray]
    stack: Stack

    def __call__(self, input_ids, taps=None, **inputs):
        return self.stack.run(self.embed(np.asarray(input_ids), **inputs), taps)


def build(name, config, parameters, attention_mask=None, qk_norm=None):
    """`attention_mask` [batch, seq] is true (1) where there is a token. `qk_norm(sublayer)`
    gives the `QKNorm` that the attention of this sublayer is to have, or None."""
    builders = {
        "BertModel": _bert,
        "GPT2Model": _gpt2,
        "LlamaModel": _llama,
        "Gemma2Model": _gemma2,
        "Olmo2Model": _olmo2,
        "Qwen3Model": _qwen3,
    }
    mask = None
    if attention_mask is not None:
        mask = np.asarray(attention_mask, dtype=bool)[:, None, None, :]
    return builders[name](config, parameters, mask, qk_norm or (lambda sublayer: None))


def _linear(parameters, name):
    weight, bias = parameters[f"{name}.weight"], parameters.get(f"{name}.bias")
    return lambda x: ops.linear(x, weight, bias)


def _split_heads(x, heads):
    """[batch, seq, heads * head_dim] to [batch, heads, seq, head_dim]."""
    batch, seq, hidden = x.shape
    return x.reshape(batch, seq, heads, hidden // heads).swapaxes(1, 2)


def _merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    return x.swapaxes(1, 2).reshape(batch, seq, heads * head_dim)


def _attend(q, k, v, qk_norm, rope=None, *, scale=None, **options):
    """Attention of split heads, with a `QKNorm` if there is one, and `rope` if there is one."""
    if qk_norm:
        q, k = qk_norm.apply("before-rope", q, k)
        scale = qk_norm.scale(scale)
    if rope:
        q, k = rope(q), rope(k)
    if qk_norm:
        q, k = qk_norm.apply("after-rope", q, k)
    return ops.attention(q, k, v, scale=scale, **options)


# --- BERT: Post-LN, an embedding norm, bidirectional -------------------------


def _bert(config, parameters, mask, qk_norm):
    heads = config["num_attention_heads"]
    activation = _ACTIVATIONS[config.get("hidden_act", "gelu")]
    epsilon = config.get("layer_norm_eps", 1e-12)

    def norm(name):
        return Norm("layer", epsilon, parameters[f"{name}.weight"], parameters[f"{name}.bias"])

    def attention(prefix, qk_norm):
        query = _linear(parameters, f"{prefix}.self.query")
        key = _linear(parameters, f"{prefix}.self.key")
        value = _linear(parameters, f"{prefix}.self.value")
        dense = _linear(parameters, f"{prefix}.output.dense")

        def module(x):
            q, k, v = (_split_heads(f(x), heads) for f in (query, key, value))
            return dense(_merge_heads(_attend(q, k, v, qk_norm, mask=mask)))

        return module

    def feed_forward(prefix):
        up = _linear(parameters, f"{prefix}.intermediate.dense")
        down = _linear(parameters, f"{prefix}.output.dense")
        return lambda x: down(activation(up(x)))

    def embed(input_ids, token_type_ids=0):
        word, position, token_type = (
            ops.f64(parameters[f"embeddings.{table}_embeddings.weight"])
            for table in ("word", "position", "token_type")
        )
        positions = np.arange(input_ids.shape[-1])
        return word[input_ids] + position[positions] + token_type[token_type_ids]

    sublayers = []
    for i in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{i}"
        sublayers += [
            Sublayer(
                f"layers.{i}.attention",
                i,
                "attention",
                attention(f"{prefix}.attention", qk_norm(f"layers.{i}.attention")),
                post_norm=norm(f"{prefix}.attention.output.LayerNorm"),
            ),
            Sublayer(
                f"layers.{i}.ffn",
                i,
                "feed-forward",
                feed_forward(prefix),
                post_norm=norm(f"{prefix}.output.LayerNorm"),
            ),
        ]
    return Model(embed, Stack(tuple(sublayers), norm("embeddings.LayerNorm")))


# --- GPT-2: Pre-LN, causal ---------------------------------------------------


def _gpt2(config, parameters, mask, qk_norm):
    # GPT2Config takes the usual names, too, for what it calls by its own.
    heads = config.get("n_head") or config["num_attention_heads"]
    layers = config.get("n_layer") or config["num_hidden_layers"]
    activation = _ACTIVATIONS[config.get("activation_function", "gelu_new")]
    epsilon = config.get("layer_norm_epsilon", 1e-5)

    def norm(name):
        return Norm("layer", epsilon, parameters[f"{name}.weight"], parameters[f"{name}.bias"])

    def conv1d(name):
        """GPT-2 keeps its weights as [in, out]."""
        weight = ops.f64(parameters[f"{name}.weight"]).T
        return lambda x: ops.linear(x, weight, parameters[f"{name}.bias"])

    def attention(prefix, qk_norm):
        qkv, project = conv1d(f"{prefix}.c_attn"), conv1d(f"{prefix}.c_proj")

        def module(x):
            q, k, v = (_split_heads(y, heads) for y in np.split(qkv(x), 3, axis=-1))
            return project(_merge_heads(_attend(q, k, v, qk_norm, mask=mask, causal=True)))

        return module

    def feed_forward(prefix):
        up, down = conv1d(f"{prefix}.c_fc"), conv1d(f"{prefix}.c_proj")
        return lambda x: down(activation(up(x)))

    def embed(input_ids):
        token, position = ops.f64(parameters["wte.weight"]), ops.f64(parameters["wpe.weight"])
        return token[input_ids] + position[np.arange(input_ids.shape[-1])]

    sublayers = []
    for i in range(layers):
        sublayers += [
            Sublayer(
                f"layers.{i}.attention",
                i,
                "attention",
                attention(f"h.{i}.attn", qk_norm(f"layers.{i}.attention")),
                input_norm=norm(f"h.{i}.ln_1"),
            ),
            Sublayer(
                f"layers.{i}.ffn",
                i,
                "feed-forward",
                feed_forward(f"h.{i}.mlp"),
                input_norm=norm(f"h.{i}.ln_2"),
            ),
        ]
    return Model(embed, Stack(tuple(sublayers), final_norm=norm("ln_f")))


# --- Llama and its kin: RMSNorm, RoPE, gated feed-forward, causal ------------


def _rms(parameters, name, epsilon, unit_offset=False):
    return Norm("rms", epsilon, parameters[f"{name}.weight"], unit_offset=unit_offset)


def rope_base(config):
    """The base of the rotary embedding's frequencies."""
    rope = config.get("rope_parameters") or {}
    if rope.get("rope_type", "default") != "default":
        raise ValueError(f"expected default rope, but got {rope['rope_type']!r}")
    return rope.get("rope_theta", config.get("rope_theta", 10000.0))


def _causal_attention(
    config, parameters, prefix, mask, qk_norm, *, norm_q_k=None, scale=None, softcap=None, window=None
):
    """`norm_q_k(q, k)` is called on the projections, before the heads are split."""
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    query, key, value, output = (_linear(parameters, f"{prefix}.{name}_proj") for name in "qkvo")

    def module(x):
        q, k = query(x), key(x)
        if norm_q_k:
            q, k = norm_q_k(q, k)
        q, k = _split_heads(q, heads), _split_heads(k, kv_heads)
        v = _split_heads(value(x), kv_heads)
        positions = np.arange(x.shape[1])
        frequencies = parameters.get(
            "rotary_emb.inv_freq", ops.rope_frequencies(q.shape[-1], rope_base(config))
        )
        y = _attend(
            q,
            k,
            v,
            qk_norm,
            lambda x: ops.rope(x, positions, frequencies),
            scale=scale,
            mask=mask,
            causal=True,
            softcap=softcap,
            window=window,
        )
        return output(_merge_heads(y))

    return module


def _gated_feed_forward(parameters, prefix, activation):
    gate, up, down = (
        _linear(parameters, f"{prefix}.{name}_proj") for name in ("gate", "up", "down")
    )
    return lambda x: down(activation(gate(x)) * up(x))


def _decoder(config, parameters, attention, norm, slots, activation="silu", embed_scale=1.0):
    """`attention(prefix, i)` makes layer i's module; `slots` gives, for each of
    its two sublayers, the norms' slots and parameter names."""

    def embed(input_ids):
        return ops.f64(embed_scale) * ops.f64(parameters["embed_tokens.weight"])[input_ids]

    sublayers = []
    for i in range(config["num_hidden_layers"]):
        prefix = f"layers.{i}"
        modules = {
            "attention": attention(f"{prefix}.self_attn", i),
            "ffn": _gated_feed_forward(parameters, f"{prefix}.mlp", _ACTIVATIONS[activation]),
        }
        for name, kind in (("attention", "attention"), ("ffn", "feed-forward")):
            norms = {slot: norm(f"{prefix}.{key}") for slot, key in slots[name].items()}
            sublayers.append(Sublayer(f"{prefix}.{name}", i, kind, modules[name], **norms))
    return Model(embed, Stack(tuple(sublayers), final_norm=norm("norm")))


_PRE = {
    "attention": {"input_norm": "input_layernorm"},
    "ffn": {"input_norm": "post_attention_layernorm"},
}
_PERI = {
    "attention": {
        "input_norm": "input_layernorm",
        "output_norm": "post_attention_layernorm",
    },
    "ffn": {
        "input_norm": "pre_feedforward_layernorm",
        "output_norm": "post_feedforward_layernorm",
    },
}
_OUTPUT = {
    "attention": {"output_norm": "post_attention_layernorm"},
    "ffn": {"output_norm": "post_feedforward_layernorm"},
}


def _llama(config, parameters, mask, qk_norm):
    def norm(name):
        return _rms(parameters, name, config.get("rms_norm_eps", 1e-6))

    def attention(prefix, i):
        return _causal_attention(config, parameters, prefix, mask, qk_norm(f"layers.{i}.attention"))

    activation = config.get("hidden_act", "silu")
    return _decoder(config, parameters, attention, norm, _PRE, activation)


def _gemma2(config, parameters, mask, qk_norm):
    """Peri-LN, scale 1 + w, soft-capped logits, a window in every other layer."""

    def norm(name):
        return _rms(parameters, name, config.get("rms_norm_eps", 1e-6), unit_offset=True)

    def attention(prefix, i):
        layer_types = config.get("layer_types")
        # The layers alternate, starting with a sliding window.
        sliding = layer_types[i] == "sliding_attention" if layer_types else i % 2 == 0
        return _causal_attention(
            config,
            parameters,
            prefix,
            mask,
            qk_norm(f"layers.{i}.attention"),
            scale=config.get("query_pre_attn_scalar", 256) ** -0.5,
            softcap=config.get("attn_logit_softcapping", 50.0),
            window=config.get("sliding_window", 4096) if sliding else None,
        )

    activation = config.get("hidden_activation", "gelu_pytorch_tanh")
    embed_scale = parameters.get("embed_tokens.embed_scale", config["hidden_size"] ** 0.5)
    return _decoder(config, parameters, attention, norm, _PERI, activation, embed_scale)


def _olmo2(config, parameters, mask, qk_norm):
    """Output norms, and RMSNorm of queries and keys over all heads."""

    def norm(name):
        return _rms(parameters, name, config.get("rms_norm_eps", 1e-5))

    def attention(prefix, i):
        q_norm, k_norm = norm(f"{prefix}.q_norm"), norm(f"{prefix}.k_norm")
        return _causal_attention(
            config,
            parameters,
            prefix,
            mask,
            qk_norm(f"layers.{i}.attention"),
            norm_q_k=lambda q, k: (q_norm(q), k_norm(k)),
        )

    activation = config.get("hidden_act", "silu")
    return _decoder(config, parameters, attention, norm, _OUTPUT, activation)


def _qwen3(config, parameters, mask, qk_norm):
    """Pre-RMSNorm, and RMSNorm of queries and keys within each head."""

    def norm(name):
        return _rms(parameters, name, config.get("rms_norm_eps", 1e-6))

    def attention(prefix, i):
        q_norm, k_norm = norm(f"{prefix}.q_norm"), norm(f"{prefix}.k_norm")

        def per_head(norm, x):
            head_dim = norm.scale.shape[0]
            return norm(x.reshape(*x.shape[:-1], -1, head_dim)).reshape(x.shape)

        layer_types = config.get("layer_types")
        if not config.get("use_sliding_window", False):
            sliding = False
        elif layer_types:
            sliding = layer_types[i] == "sliding_attention"
        else:
            sliding = i >= config.get("max_window_layers", 28)
        return _causal_attention(
            config,
            parameters,
            prefix,
            mask,
            qk_norm(f"layers.{i}.attention"),
            norm_q_k=lambda q, k: (per_head(q_norm, q), per_head(k_norm, k)),
            window=config.get("sliding_window", 4096) if sliding else None,
        )

    activation = config.get("hidden_act", "silu")
    return _decoder(config, parameters, attention, norm, _PRE, activation)
