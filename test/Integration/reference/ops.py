"""The operations of a Transformer, in float64.

Every function casts its arrays to float64 on entry and returns float64.
"""

import math

import numpy as np


def f64(x):
    return np.asarray(x, dtype=np.float64)


# --- Norms -------------------------------------------------------------------


def along(parameter, x, dims):
    """Makes `parameter` broadcast against `x`: its dimension i stands for
    dimension dims[i] of `x`. A rank-0 parameter stands for a scalar."""
    parameter = f64(parameter)
    if parameter.ndim == 0:
        return parameter
    dims = [dim % x.ndim for dim in dims]
    expected = tuple(x.shape[dim] for dim in dims)
    if parameter.shape != expected:
        raise ValueError(f"expected a parameter of shape {expected}, but got {parameter.shape}")
    shape = [x.shape[dim] if dim in dims else 1 for dim in range(x.ndim)]
    return parameter.transpose(np.argsort(dims)).reshape(shape)


def affine(y, scale, bias, dims, unit_offset=False):
    """y * scale + bias, or y * (1 + scale) + bias with `unit_offset` (Gemma)."""
    if scale is not None:
        y = y * (along(scale, y, dims) + (1.0 if unit_offset else 0.0))
    if bias is not None:
        y = y + along(bias, y, dims)
    return y


def root(power, epsilon, mode):
    """The divisor of a norm, from the variance, mean square or square sum."""
    if mode == "inside":
        return np.sqrt(power + epsilon)
    if mode == "outside":
        return np.sqrt(power) + epsilon
    if mode == "clamp":
        return np.maximum(np.sqrt(power), epsilon)
    if mode == "clamp_inside":
        return np.sqrt(np.maximum(power, epsilon))
    raise ValueError(f"expected an epsilon mode, but got {mode!r}")


def layer_norm(
    x,
    scale=None,
    bias=None,
    *,
    epsilon,
    axes=(-1,),
    scale_dims=None,
    epsilon_mode="inside",
    unit_offset=False,
):
    """(x - mean) / root(var) * scale + bias, with the biased variance
    (Ba et al. 2016, eq. 4)."""
    x, axes = f64(x), tuple(axes)
    centered = x - x.mean(axes, keepdims=True)
    # The mean of values far from zero is rounded in their last place, which is
    # not small beside a tiny deviation; what is left of it is removed here.
    centered = centered - centered.mean(axes, keepdims=True)
    variance = np.square(centered).mean(axes, keepdims=True)
    y = centered / root(variance, epsilon, epsilon_mode)
    return affine(y, scale, bias, scale_dims or axes, unit_offset)


def rms_norm(
    x,
    scale=None,
    bias=None,
    *,
    epsilon,
    axes=(-1,),
    scale_dims=None,
    epsilon_mode="inside",
    unit_offset=False,
):
    """x / root(mean(x^2)) * scale + bias (Zhang and Sennrich 2019, eq. 4)."""
    x, axes = f64(x), tuple(axes)
    mean_square = np.square(x).mean(axes, keepdims=True)
    y = x / root(mean_square, epsilon, epsilon_mode)
    return affine(y, scale, bias, scale_dims or axes, unit_offset)


def l2_norm(
    x,
    scale=None,
    bias=None,
    *,
    epsilon,
    axes=(-1,),
    scale_dims=None,
    epsilon_mode="inside",
    unit_offset=False,
):
    """x / root(sum(x^2)) * scale + bias: with a rank-0 scale the ScaleNorm of
    Nguyen and Salazar 2019, without one the norm of queries and keys of Henry
    et al. 2020."""
    x, axes = f64(x), tuple(axes)
    square_sum = np.square(x).sum(axes, keepdims=True)
    y = x / root(square_sum, epsilon, epsilon_mode)
    return affine(y, scale, bias, scale_dims or axes, unit_offset)


# --- Linear maps and activations ---------------------------------------------


def linear(x, weight, bias=None):
    """x W^T + bias, with weight [out, in] as in torch.nn.Linear."""
    y = f64(x) @ f64(weight).T
    return y if bias is None else y + f64(bias)


def sigmoid(x):
    # exp of a non-positive number only, so that it cannot overflow.
    e = np.exp(-np.abs(f64(x)))
    return np.where(f64(x) >= 0, 1.0 / (1.0 + e), e / (1.0 + e))


def silu(x):
    return f64(x) * sigmoid(x)


def relu(x):
    return np.maximum(f64(x), 0.0)


_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x):
    """x Phi(x), with the exact normal distribution."""
    x = f64(x)
    return 0.5 * x * (1.0 + _erf(x / math.sqrt(2.0)))


def gelu_tanh(x):
    """The tanh approximation of GELU (Hendrycks and Gimpel 2016)."""
    x = f64(x)
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1.0 + np.tanh(inner))


# --- Attention ---------------------------------------------------------------


def softmax(x, axis=-1):
    """exp(x) / sum(exp(x)). A row whose entries are all -inf has no softmax
    and gives NaN."""
    x = f64(x)
    with np.errstate(invalid="ignore"):
        e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def rope_frequencies(head_dim, base=10000.0, dtype=np.float64):
    """base^(-2i/head_dim). Hugging Face's models keep them in float32."""
    return 1 / dtype(base) ** (np.arange(0, head_dim, 2, dtype=dtype) / dtype(head_dim))


def rope(x, positions, frequencies, layout="half"):
    """Rotary position embedding (Su et al. 2021) of x [..., seq, head_dim].

    Pair i of a row at position p turns by the angle p * frequencies[i]. The
    pairs are (x[i], x[i + head_dim/2]) in the layout "half" (GPT-NeoX and
    Hugging Face) and (x[2i], x[2i + 1]) in "interleaved" (the paper, GPT-J).
    """
    x = f64(x)
    dim = x.shape[-1]
    angles = f64(positions)[..., None] * f64(frequencies)
    cos, sin = np.cos(angles), np.sin(angles)
    if layout == "half":
        first, second = slice(0, dim // 2), slice(dim // 2, dim)
    elif layout == "interleaved":
        first, second = slice(0, dim, 2), slice(1, dim, 2)
    else:
        raise ValueError(f"expected a rope layout, but got {layout!r}")
    y = np.empty_like(x)
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., second] * cos + x[..., first] * sin
    return y


def attention(
    q,
    k,
    v,
    *,
    scale=None,
    mask=None,
    causal=False,
    softcap=None,
    window=None,
    zero_masked_rows=False,
):
    """softmax(softcap(scale * q k^T) + mask) v, for q [..., heads, seq, head_dim],
    k [..., kv_heads, kv_seq, head_dim] and v [..., kv_heads, kv_seq, value_dim].

    scale    1/sqrt(head_dim) unless given; one number, or one for each head.
    softcap  c: c * tanh(logits / c), before any mask (Gemma 2).
    mask     added if it is of floats; if of bools, true where a query may look.
    causal   a query sees no later key; the last query is at the last key.
    window   w: a query sees only the keys less than w positions away from it.
    A query that sees no key gives NaN, or zeros with `zero_masked_rows`.
    Grouped queries: query head h reads key head h // (heads / kv_heads).
    """
    q, k, v = f64(q), f64(k), f64(v)
    heads, kv_heads = q.shape[-3], k.shape[-3]
    if heads % kv_heads:
        raise ValueError(
            f"expected heads to be a multiple of kv heads, but got {heads} and {kv_heads}"
        )
    k = np.repeat(k, heads // kv_heads, axis=-3)
    v = np.repeat(v, heads // kv_heads, axis=-3)
    scale = f64(q.shape[-1] ** -0.5 if scale is None else scale)
    if scale.ndim:
        scale = scale[:, None, None]

    logits = scale * (q @ np.swapaxes(k, -1, -2))
    if softcap is not None:
        logits = softcap * np.tanh(logits / softcap)
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype == bool:
            mask = np.where(mask, 0.0, -np.inf)
        logits = logits + f64(mask)

    seq, kv_seq = logits.shape[-2:]
    distance = np.arange(kv_seq - seq, kv_seq)[:, None] - np.arange(kv_seq)[None, :]
    visible = np.ones((seq, kv_seq), dtype=bool)
    if causal:
        visible &= distance >= 0
    if window is not None:
        visible &= np.abs(distance) < window
    logits = np.where(visible, logits, -np.inf)

    weights = softmax(logits)
    if zero_masked_rows:
        sees_none = np.isneginf(logits).all(-1, keepdims=True)
        weights = np.where(sees_none, 0.0, weights)
    return weights @ v


# --- Statistics --------------------------------------------------------------


def statistics(x):
    """What a probe records of a value, over all its elements: mean, biased
    variance, largest absolute value and kurtosis (3 for a normal distribution)."""
    x = f64(x)
    centered = x - x.mean()
    variance = np.square(centered).mean()
    with np.errstate(invalid="ignore"):
        kurtosis = (centered**4).mean() / variance**2
    return {
        "mean": x.mean(),
        "variance": variance,
        "max_abs": np.abs(x).max(),
        "kurtosis": kurtosis,
    }
