"""Parameters by name: the same values wherever the same name is asked for.

An exported function takes its parameters as arguments and says in the argument attribute `norm.param` which
parameter of the model each one is. Name, shape and a seed are all it takes to make the values again, so the
exporter, the tests and `renorm run` need no weight files to agree on them.
"""

import zlib

import numpy as np


def random_parameter(name, shape, dtype=np.float32, seed=0):
    """Returns the values of the parameter `name` as an array of `shape` and `dtype`.

    The values depend on `name`, `shape` and `seed` alone, so adding a parameter to a model leaves the others as they
    are. Of independent normal deviates z they are

    - `0.1 z` for a vector whose name ends in "bias";
    - `1 + 0.1 z` for any other vector or scalar: the scale of a norm. Also where the model multiplies by `1 + w`
      (Gemma), which then multiplies by about two;
    - `z` for an embedding table: its name says "embed", or it is GPT-2's "wte" or "wpe";
    - `sqrt(2 / (rows + columns)) z` for any other matrix (Glorot and Bengio 2010, equation 12 as a normal
      distribution). It keeps the variance of what flows through about the same, and does not need to know whether
      the matrix is stored as [out, in] or as [in, out].

    They are rounded to float32 first and only then to `dtype`, so a model in float64 is given exactly the parameters
    of the same model in float32.
    """
    # RandomState, not Generator: numpy guarantees its stream to stay the same for good (NEP 19).
    stream = np.random.RandomState([seed, zlib.crc32(name.encode())])
    deviates = np.asarray(stream.standard_normal(tuple(shape)))
    return np.asarray(_scaled(name, deviates), np.float32).astype(dtype)


def _scaled(name, deviates):
    if deviates.ndim < 2:
        return 0.1 * deviates if name.endswith("bias") else 1.0 + 0.1 * deviates
    if "embed" in name or {"wte", "wpe"} & set(name.split(".")):
        return deviates
    rows, columns = deviates.shape[-2:]
    return np.sqrt(2.0 / (rows + columns)) * deviates
