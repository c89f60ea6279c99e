"""Arrays for the inputs of a function: given ones, parameters by name, and random values."""

import zlib

import numpy as np

from .parameters import random_parameter


def make_inputs(inputs, given=None, seed=0, int_max=1, dynamic_size=2):
    """Returns one array for each of `inputs`, the list that `Function.inputs` is.

    given         arrays by input name: taken as they are
    seed          of the random ones, which depend on it, on the name and on the shape alone

    Of the others,

    - an input with `init` is filled with that value;
    - a parameter of floating-point type gets the values of `renorm.random_parameter`, times its `init_gain`;
    - any other one of floating-point type gets independent normal deviates;
    - integers are uniform from 0 to `int_max`, which must be a valid index wherever the program uses them as one;
    - booleans are all true, so that a mask hides nothing.

    Extents that the type leaves open are `dynamic_size`.
    """
    given = dict(given or {})
    unknown = given.keys() - {each.name for each in inputs}
    if unknown:
        known = [each.name for each in inputs if not each.param]
        known.append(f"{len(inputs) - len(known)} parameters")
        raise ValueError(
            f"expected names of inputs, but got {', '.join(sorted(unknown))}; the inputs are {', '.join(known)}"
        )
    return [
        given[each.name] if each.name in given else _make(each, seed, int_max, dynamic_size) for each in inputs
    ]


def _make(which, seed, int_max, dynamic_size):
    shape = tuple(dynamic_size if extent is None else extent for extent in which.shape)
    is_float = which.element_type in ("f64", "f32", "f16", "bf16")
    if is_float and which.dtype == np.uint16:
        raise ValueError(f"cannot make the {which.element_type} input '{which.name}' without the package ml_dtypes")
    if which.init is not None:
        return np.full(shape, which.init, which.dtype)
    if is_float and which.param:
        values = random_parameter(which.param, shape, which.dtype, seed)
        return values if which.init_gain == 1.0 else (which.init_gain * values).astype(which.dtype)
    if which.element_type == "i1":
        return np.ones(shape, which.dtype)
    stream = np.random.RandomState([seed, zlib.crc32(which.name.encode())])
    if is_float:
        return np.asarray(stream.standard_normal(shape)).astype(which.dtype)
    return np.asarray(stream.randint(0, int_max + 1, shape)).astype(which.dtype)
