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

TARGETS = ("cpu", "emulator", "cuda")


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


def _plain(array):
    """The array as the extension takes it: contiguous, and bf16 as its bits."""
    array = np.ascontiguousarray(array).reshape(array.shape)  # which makes a scalar an array of rank 1
    return array.view(np.uint16) if array.dtype == bfloat16 else array


class DeviceTensor:
    """A tensor in the memory of a target, which functions for that target take without copying it; so does any other
    function, but it may copy. Made by `to_device`, or by a call of a function with `on_device=True`.

    dtype    as that of an array
    shape    its extents
    target   "cpu", "emulator" or "cuda"
    """

    def __init__(self, handle, dtype, target):
        self._handle = handle
        self.dtype = dtype
        self.shape = handle.shape
        self.target = target

    def __repr__(self):
        return f"<renorm.DeviceTensor {self.shape} {self.dtype} on {self.target}>"

    def numpy(self):
        """Returns a copy as an array."""
        return self._handle.numpy().view(self.dtype)

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("expected copy=None or copy=True for an array of a DeviceTensor")
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)


def check_target(target):
    if target not in TARGETS:
        raise ValueError(f"expected {', '.join(map(repr, TARGETS[:-1]))} or {TARGETS[-1]!r} as target, but got {target!r}")


def to_device(array, target):
    """Returns a `DeviceTensor` with the values of `array` in the memory of `target`: "cpu", "emulator" or "cuda".

    Raises DeviceError if there is no such device, or no memory left on it.
    """
    check_target(target)
    array = np.asarray(array)
    return DeviceTensor(_renorm.Tensor.copy(_plain(array), target), array.dtype, target)


class Function:
    """A compiled function, made by `Module.compile`. Call it with one array or `DeviceTensor` an input, in order.

    It returns an array, or a tuple of arrays if the function has not exactly one result; with `on_device=True` they are
    `DeviceTensor`s, which stay where the function runs. Arrays must have the dtypes and shapes of `inputs`, else
    ValueError; bf16 may also come as uint16. ValueError, too, if an assertion of the program fails: extents that the
    types leave open, but that do not fit together, or an index outside of a table. DeviceError if memory runs out on the
    target's device or a kernel does something wrong.

    name     the function's name
    target   what it was compiled for
    inputs   list of Input
    outputs  list of TensorType
    probes   list of Probe: what the probes of the last call saw, in the order in which they ran
    """

    def __init__(self, handle, target):
        self._handle = handle
        self.name = handle.name
        self.target = target
        self.inputs = [Input(**fields) for fields in handle.inputs]
        self.outputs = [TensorType(**fields) for fields in handle.outputs]
        self.probes = []

    def __repr__(self):
        inputs = ", ".join(each.type for each in self.inputs)
        outputs = ", ".join(each.type for each in self.outputs)
        return f"<renorm.Function {self.name}: ({inputs}) -> ({outputs})>"

    def __call__(self, *arrays, on_device=False):
        arrays = [self._check(index, array) for index, array in enumerate(arrays)]
        results, probes = self._handle(arrays, on_device)
        self.probes = [Probe(*fields) for fields in probes]
        if on_device:
            results = (DeviceTensor(each, output.dtype, self.target) for each, output in zip(results, self.outputs))
        else:
            results = (each.view(output.dtype) for each, output in zip(results, self.outputs))
        results = tuple(results)
        return results[0] if len(results) == 1 else results

    def _check(self, index, array):
        is_resident = isinstance(array, DeviceTensor)
        array = array if is_resident else np.asarray(array)
        if index < len(self.inputs):  # else refused, like all that is about shapes, with the number of arguments
            expected = self.inputs[index]
            if array.dtype != expected.dtype and not (expected.element_type == "bf16" and array.dtype == np.uint16):
                name = f" ('{expected.param}')" if expected.param else ""
                raise ValueError(f"expected {expected.dtype} for argument {index}{name}, but got {array.dtype}")
        return array._handle if is_resident else _plain(array)
