"""A Transformer stack as slots: which norm, if any, stands where.

    x = embedding_norm(x)
    for every group of sublayers that read one trunk value:
        for every sublayer of the group:
            trunk = residual_scale * trunk
                    + branch_scale * output_norm(module(input_norm(x)))
        x = post_norm(trunk)
    x = final_norm(x)

Most groups have one sublayer; GPT-J, PaLM and ViT-22B have groups of two.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from . import ops

_NORMS = {"layer": ops.layer_norm, "rms": ops.rms_norm, "l2": ops.l2_norm}

# (input norm, output norm, post norm) of each named placement.
PLACEMENTS = {
    "none": (False, False, False),
    "post": (False, False, True),
    "pre": (True, False, False),
    "peri": (True, True, False),
    "output": (False, True, False),
}


@dataclass(frozen=True, eq=False)
class Norm:
    """A norm over the last axis. Two norms are equal only if they are one
    object: a norm that moves keeps its identity."""

    kind: str
    epsilon: float
    scale: np.ndarray | None = None
    bias: np.ndarray | None = None
    epsilon_mode: str = "inside"
    unit_offset: bool = False

    def __call__(self, x):
        return _NORMS[self.kind](
            x,
            self.scale,
            self.bias,
            epsilon=self.epsilon,
            epsilon_mode=self.epsilon_mode,
            unit_offset=self.unit_offset,
        )


@dataclass(frozen=True, eq=False)
class Sublayer:
    """`layer` is the number of the block that the sublayer is part of, `kind` is
    "attention" or "feed-forward". A `parallel` sublayer reads the same trunk
    value as the sublayer before it; only the last of such a group may have a
    post norm."""

    name: str
    layer: int
    kind: str
    module: Callable[[np.ndarray], np.ndarray]
    input_norm: Norm | None = None
    output_norm: Norm | None = None
    post_norm: Norm | None = None
    residual_scale: float = 1.0
    branch_scale: float = 1.0
    parallel: bool = False

    @property
    def placement(self):
        bits = tuple(
            norm is not None for norm in (self.input_norm, self.output_norm, self.post_norm)
        )
        if bits == PLACEMENTS["post"] and self.residual_scale != 1.0:
            return "deepnorm"
        names = [name for name, named in PLACEMENTS.items() if named == bits]
        return names[0] if names else "other"


def _apply(norm, x):
    return x if norm is None else norm(x)


@dataclass(frozen=True, eq=False)
class Stack:
    sublayers: tuple[Sublayer, ...]
    embedding_norm: Norm | None = None
    final_norm: Norm | None = None
    groups: tuple[tuple[Sublayer, ...], ...] = field(init=False)

    def __post_init__(self):
        groups = []
        for sublayer in self.sublayers:
            if not sublayer.parallel or not groups:
                groups.append([])
            elif groups[-1][-1].post_norm:
                raise ValueError(f"expected no post norm before the parallel {sublayer.name}")
            groups[-1].append(sublayer)
        object.__setattr__(self, "groups", tuple(map(tuple, groups)))

    def run(self, x, taps=None):
        """The value after the final norm, from the embeddings `x`.

        A dictionary given as `taps` receives the trunk at every point that it
        passes: "input", "embedding_norm", "<sublayer>.add",
        "<sublayer>.post_norm", "final_norm", in this order; the norms only
        where there is one.
        """
        taps = {} if taps is None else taps
        trunk = taps["input"] = ops.f64(x)
        if self.embedding_norm:
            trunk = taps["embedding_norm"] = self.embedding_norm(trunk)
        for group in self.groups:
            x = trunk
            for sublayer in group:
                y = sublayer.module(_apply(sublayer.input_norm, x))
                branch = _apply(sublayer.output_norm, y)
                trunk = sublayer.residual_scale * trunk + sublayer.branch_scale * branch
                taps[f"{sublayer.name}.add"] = trunk
            if group[-1].post_norm:
                trunk = group[-1].post_norm(trunk)
                taps[f"{group[-1].name}.post_norm"] = trunk
        if self.final_norm:
            trunk = taps["final_norm"] = self.final_norm(trunk)
        return trunk
