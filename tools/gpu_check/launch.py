"""Launches the kernels of a function by the driver of the GPU, as the manifest of renorm.kernels says."""

import ctypes
import json
import math
import os
import pathlib
import re

BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1}

# CUfunction_attribute: dynamic shared memory above 48 KiB must be asked for.
MAX_DYNAMIC_SHARED_BYTES = 8

_POINTER, _UNSIGNED, _INT = ctypes.c_void_p, ctypes.c_uint, ctypes.c_int
_FUNCTIONS = {
    "cuInit": [_UNSIGNED],
    "cuGetErrorName": [_INT, _POINTER],
    "cuDeviceGet": [_POINTER, _INT],
    "cuDevicePrimaryCtxRetain": [_POINTER, _INT],
    "cuCtxSetCurrent": [_POINTER],
    "cuModuleLoadData": [_POINTER, _POINTER],
    "cuModuleGetFunction": [_POINTER, _POINTER, ctypes.c_char_p],
    "cuFuncSetAttribute": [_POINTER, _INT, _INT],
    "cuLaunchKernel": [_POINTER, *[_UNSIGNED] * 7, _POINTER, _POINTER, _POINTER],
    "cuStreamSynchronize": [_POINTER],
    "cuMemHostRegister_v2": [_POINTER, ctypes.c_size_t, _UNSIGNED],
    "cuMemHostUnregister": [_POINTER],
}


class DriverError(RuntimeError):
    """A call of the driver that failed."""


class Driver:
    """The driver of NVIDIA's GPUs, in the primary context of one of them, which PyTorch uses too.

    `library` is the path of libcuda, by default that in RENORM_LIBCUDA, or the one of the system. Raises OSError if
    there is none.
    """

    def __init__(self, library=None, device=0):
        self._library = ctypes.CDLL(library or os.environ.get("RENORM_LIBCUDA") or "libcuda.so.1")
        for name, types in _FUNCTIONS.items():
            getattr(self._library, name).argtypes = types
        self.call("cuInit", 0)
        handle, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(handle), device)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        error = getattr(self._library, name)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self._library.cuGetErrorName(error, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'unknown error').decode()} ({error})")

    def load(self, image, kernel, shared_bytes):
        """The function `kernel` of `image`, the bytes of a cubin, of PTX or of bitcode."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        # PTX ends with a zero byte, which Python adds.
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image))
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        if shared_bytes > 48 * 1024:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_BYTES, shared_bytes)
        return function


def parse_type(type):
    """The extents, None where they are dynamic, and the element of a tensor or memref."""
    match = re.match(r"(?:tensor|memref)<((?:(?:\d+|\?)x)*)([a-z]+\d+)\b", type)
    if not match or match.group(2) not in BYTES:
        raise ValueError(f"expected the type of an array of numbers, but got {type}")
    extents = [None if each == "?" else int(each) for each in match.group(1).split("x")[:-1]]
    return extents, match.group(2)


_OPERATIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b,
    "divsi": lambda a, b: int(a / b) if b else a // b,
    "floordivsi": lambda a, b: a // b,
    "ceildivui": lambda a, b: -(-a // b),
    "ceildivsi": lambda a, b: -(-a // b),
    "remui": lambda a, b: a % b,
    "maxui": max,
    "maxsi": max,
    "minui": min,
    "minsi": min,
}


def evaluate(size, shapes):
    """The number that an extent or a value of the manifest is for inputs of `shapes`."""
    if isinstance(size, int):
        return size
    if isinstance(size, dict) and "input" in size:
        return shapes[size["input"]][size["dimension"]]
    if isinstance(size, dict) and size.get("operation") in _OPERATIONS:
        return _OPERATIONS[size["operation"]](*(evaluate(each, shapes) for each in size["operands"]))
    raise ValueError(f"expected an extent that can be computed of those of the inputs, but got {json.dumps(size)}")


class Function:
    """A function whose launches are in the manifest of `folder`, which renorm.kernels wrote.

    `use_cubin` is whether the machine code is for this GPU; else, or if the driver refuses it, it assembles the PTX.
    Afterwards `images` has what was loaded: "cubin", "ptx" or "bitcode".
    """

    def __init__(self, driver, folder, use_cubin=True):
        folder = pathlib.Path(folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        if len(manifest["functions"]) != 1:
            raise ValueError(f"expected one function that launches kernels in {folder}, but got {len(manifest['functions'])}")
        self.manifest = manifest["functions"][0]
        self.images = set()
        self._driver = driver
        self._kernels = []
        loaded = {}
        for launch in self.manifest["launches"]:
            if "inside" in launch:
                raise ValueError(f"expected launches in a row, but {launch['kernel']} is in {launch['inside']}")
            name = launch["kernel"]
            if name not in loaded:
                loaded[name] = self._load(folder, manifest["kernels"][name], name, launch["shared_bytes"], use_cubin)
            self._kernels.append(loaded[name])

    def _load(self, folder, files, name, shared_bytes, use_cubin):
        forms = ["bitcode"] if files["bitcode"] else ["cubin", "ptx"] if use_cubin and files["cubin"] else ["ptx"]
        for form in forms:
            try:
                function = self._driver.load((folder / files[form]).read_bytes(), name, shared_bytes)
            except DriverError:
                if form == forms[-1]:
                    raise
                continue
            self.images.add(form)
            return function

    @property
    def results(self):
        """The numbers of the buffers that are results, in the order of the results."""
        found = {each["result"]: number for number, each in enumerate(self.manifest["buffers"]) if "result" in each}
        return [found[number] for number in sorted(found)]

    def bind(self, device, inputs):
        """A `Call` of the function for `inputs`, arrays of `device`, with memory for what it computes."""
        expected = [parse_type(each["type"]) for each in self.manifest["inputs"]]
        if len(inputs) != len(expected):
            raise ValueError(f"expected {len(expected)} inputs, but got {len(inputs)}")
        for number, ((extents, element), array) in enumerate(zip(expected, inputs)):
            fits = len(extents) == len(array.shape) and all(a in (None, b) for a, b in zip(extents, array.shape))
            if not fits or element != array.element:
                raise ValueError(
                    f"expected {self.manifest['inputs'][number]['type']} as input {number}, "
                    f"but got {list(array.shape)} of {array.element}"
                )
        shapes = [array.shape for array in inputs]
        buffers = []
        for each in self.manifest["buffers"]:
            extents, element = parse_type(each["type"])
            dynamic = iter(each.get("extents", []))
            shape = [evaluate(next(dynamic), shapes) if extent is None else extent for extent in extents]
            buffers.append(device.empty(shape, element))
        launches = [
            self._bind_launch(launch, kernel, inputs, buffers, shapes)
            for launch, kernel in zip(self.manifest["launches"], self._kernels)
        ]
        return Call(self._driver, device, [each for each in launches if each], inputs, buffers, self.results)

    def _bind_launch(self, launch, kernel, inputs, buffers, shapes):
        grid, block = ([evaluate(each, shapes) for each in launch[name]] for name in ("grid", "block"))
        if math.prod(grid) == 0:
            return None
        # Each parameter has 8 bytes.
        words = []
        for argument in launch["arguments"]:
            if "value" in argument:
                words.append(evaluate(argument["value"], shapes))
                continue
            array = buffers[argument["buffer"]] if "buffer" in argument else None
            array = inputs[argument["input"]] if "input" in argument else array
            if array is None:
                source = argument.get("computed_by", "something else")
                raise ValueError(f"expected an input or a buffer for {launch['kernel']}, but got what {source} computes")
            if parse_type(argument["type"])[0]:
                raise ValueError(f"expected pointers for {launch['kernel']}, but got {argument['type']}")
            # The descriptor of a memref of rank 0: two pointers and the offset.
            words += [array.pointer, array.pointer, 0]
        values = (ctypes.c_uint64 * len(words))(*words)
        start = ctypes.addressof(values)
        pointers = (ctypes.c_void_p * len(words))(*(start + 8 * index for index in range(len(words))))
        return kernel, *grid, *block, launch["shared_bytes"], pointers, values


class Call:
    """The launches of a function on given memory.

    `results` are the arrays that it computes, of the shapes that its kernels give them."""

    def __init__(self, driver, device, launches, inputs, buffers, results):
        self._device, self._launches = device, launches
        # What the kernels read and write lives as long as the call.
        self._kept = inputs, buffers
        self._launch = driver.call
        self.results = [buffers[number] for number in results]

    def __call__(self):
        """Launches all kernels, in turn, on the stream of the device; nothing waits for them."""
        stream = self._device.stream()
        for *configuration, pointers, _ in self._launches:
            self._launch("cuLaunchKernel", *configuration, stream, pointers, None)
