"""What the precision of a model's values alone costs it."""

from dataclasses import replace

import numpy as np

from .check import relative_error
from .models import Model
from .stack import Stack


def rounded(model, dtype, digits, seed):
    """`model` with the trunk and both ends of every norm and module rounded to `dtype`, a
    type of `digits` binary digits: each value becomes, at random, one of those next to it."""
    stream = np.random.RandomState(seed)

    def round_off(x):
        noise = 2.0**-digits * stream.uniform(-1, 1, x.shape)
        return np.float64((x * (1 + noise)).astype(dtype))

    def wrap(function):
        return function and (lambda x: round_off(function(round_off(x))))

    stack = model.stack
    sublayers = [
        replace(
            sublayer,
            module=wrap(sublayer.module),
            input_norm=wrap(sublayer.input_norm),
            output_norm=wrap(sublayer.output_norm),
            post_norm=wrap(sublayer.post_norm),
        )
        for sublayer in stack.sublayers
    ]
    stack = Stack(tuple(sublayers), wrap(stack.embedding_norm), wrap(stack.final_norm))
    return Model(lambda *inputs: round_off(model.embed(*inputs)), stack)


def rounding_error(model, *inputs, dtype=np.float32, digits=24):
    """The relative error that `model` has for want of precision where its norms and modules
    meet, the largest of four trials: as much as its placement amplifies one rounding."""
    expected = model(*inputs)
    return max(
        relative_error(rounded(model, dtype, digits, seed)(*inputs), expected) for seed in range(4)
    )
