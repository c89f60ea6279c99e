"""Compiled functions over numpy arrays."""

import dataclasses

import numpy as np

from . import _renorm

try:
    from ml_dtypes import bfloat16
except ImportError:
    # Without ml_dtypes, bf16 is seen as its 16 bits.
    bfloat16 = np.uint16

_DTYPES = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(bfloat16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "i16": np.dtype(np.int16),
    "i8": np.dtype(np.int8),
    "i1": np.dtype(np.bool_),
}


@dataclasses.dataclass(frozen=True)
class TensorType:
    """The type of an argument or result.

    type          as MLIR prints it, such as "tensor<?x96xf32>"
    element_type  its element type, such as "f32"
    shape         its extents, None where dynamic
    """

    type: str
    element_type: str
    shape: tuple

    @property
    def dtype(self):
        """The numpy dtype of the arrays: for bf16 that of ml_dtypes if installed, else uint16."""
        return _DTYPES[self.element_type]


@dataclasses.dataclass(frozen=True)
class Input(TensorType):
    """What a function takes.

    name       its `norm.param`, or "arg0", "arg1", ... by position
    param      the name of the parameter of the model that it is, or None
    init       the value that a parameter made by a rewrite starts from, or None
    init_gain  the factor on the values that a parameter starts from (beta of DeepNorm), 1 by default
    """

    name: str
    param: str | None
    init: float | None
    init_gain: float = 1.0


@dataclasses.dataclass(frozen=True)
class Probe:
    """What one execution of a `norm.probe` saw of a tensor; `variance` is the biased one, `kurtosis` m4 / m2^2."""

    name: str
    mean: float
    variance: float
    max_abs: float
    kurtosis: float


class Function:
    """A compiled function, made by `Module.compile`. Call it with one array an input, in order.

    It returns an array, or a tuple of arrays if the function has not exactly one result. Arrays must have the
    dtypes and shapes of `inputs`, else ValueError; bf16 may also come as uint16. ValueError, too, if an assertion of
    the program fails: extents that the types leave open, but that do not fit together, or an index outside of a table.

    name     the function's name
    inputs   list of Input
    outputs  list of TensorType
    probes   list of Probe: what the probes of the last call saw, in the order in which they ran
    """

    def __init__(self, handle):
        self._handle = handle
        self.name = handle.name
        self.inputs = [Input(**fields) for fields in handle.inputs]
        self.outputs = [TensorType(**fields) for fields in handle.outputs]
        self.probes = []

    def __repr__(self):
        inputs = ", ".join(each.type for each in self.inputs)
        outputs = ", ".join(each.type for each in self.outputs)
        return f"<renorm.Function {self.name}: ({inputs}) -> ({outputs})>"

    def __call__(self, *arrays):
        arrays = [self._check(index, array) for index, array in enumerate(arrays)]
        results, probes = self._handle(arrays)
        self.probes = [Probe(*fields) for fields in probes]
        results = tuple(result.view(output.dtype) for result, output in zip(results, self.outputs))
        return results[0] if len(results) == 1 else results

    def _check(self, index, array):
        array = np.asarray(array)
        if index >= len(self.inputs):
            return array  # refused, like all that is about shapes, with the number of arguments
        expected = self.inputs[index]
        if array.dtype != expected.dtype and not (expected.element_type == "bf16" and array.dtype == np.uint16):
            name = f" ('{expected.param}')" if expected.param else ""
            raise ValueError(f"expected {expected.dtype} for argument {index}{name}, but got {array.dtype}")
        array = np.ascontiguousarray(array).reshape(array.shape)  # which makes a scalar an array of rank 1
        return array.view(np.uint16) if expected.element_type == "bf16" else array
