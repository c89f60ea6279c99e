"""Norms of queries and keys.

Henry et al. 2020, eq. 3:  softmax(g Qhat Khat^T) V, the rows of Qhat and Khat the
    rows of Q and K divided by their length, g a learned number.
Dehghani et al. 2023 (ViT-22B), section 2:  softmax(LN(Q) LN(K)^T / sqrt(d)) V.
Qwen3: the same with RMSNorm, over each head, before the rotary embedding.
OLMo 2: the same with RMSNorm, over all heads together, before the rotary embedding.
"""

from dataclasses import dataclass

import numpy as np

from .stack import Norm


def initial_g(length):
    """g0 = log2(L^2 - L) (Henry et al. 2020, section 2)."""
    return np.log2(length**2 - length)


@dataclass(frozen=True, eq=False)
class QKNorm:
    """`query` and `key` are norms over the last axis: of each head, or with scope
    "hidden" of all heads side by side, in their order. `g`, one number or one for each
    head, takes the place of the attention's scale, if it is given."""

    query: Norm
    key: Norm
    scope: str = "head"
    position: str = "before-rope"
    g: np.ndarray | float | None = None

    def apply(self, position, q, k):
        """q and k [batch, heads, seq, head_dim], normalized if this is the position."""
        if position != self.position:
            return q, k
        return self._over_scope(self.query, q), self._over_scope(self.key, k)

    def _over_scope(self, norm, x):
        if self.scope == "head":
            return norm(x)
        if self.scope != "hidden":
            raise ValueError(f"expected a scope, but got {self.scope!r}")
        batch, heads, seq, head_dim = x.shape
        flat = norm(x.swapaxes(1, 2).reshape(batch, seq, heads * head_dim))
        return flat.reshape(batch, seq, heads, head_dim).swapaxes(1, 2)

    def scale(self, scale):
        """The factor on the logits, instead of `scale`."""
        return scale if self.g is None else self.g
