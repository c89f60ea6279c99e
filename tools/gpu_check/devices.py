"""Where arrays are and calls are timed: a GPU by PyTorch, or this machine, whose emulator has the driver's functions.

Both have

    random(shape, element, seed, scale, mean)   normal numbers
    upload(numbers, element)              an array of these
    empty(shape, element)                 one that is full of NaN
    download(array, rows=None)            its numbers, or those of some rows, in float64
    head(array, rows)                     its first rows, in the same memory
    sum_rows(array)                       the sum of each row of a matrix, in f32
    stream(), synchronize()

and their arrays have `shape`, `element` and `pointer`.
"""

import math
import statistics
import weakref

import numpy as np
from numerics import decode, encode

from .launch import Driver

NUMPY = {"bf16": np.uint16, "f16": np.float16, "f32": np.float32}
# Of two or four bytes that are all ones.
NAN_BYTE = 0xFF
# About a millisecond, longer than the host takes to launch what is timed.
WAIT_CYCLES = 2_000_000


class Array:
    def __init__(self, shape, element, pointer, storage):
        self.shape, self.element, self.pointer, self.storage = tuple(shape), element, pointer, storage


class EmulatedDevice:
    """This machine, with the stand-in for libcuda that the tests have: kernels are run by the emulator."""

    name, capability = "emulator", None

    def __init__(self, driver=None):
        self.driver = driver or Driver()

    def _array(self, storage, shape, element):
        pointer = storage.ctypes.data
        # Even an array of no elements has an address.
        self.driver.call("cuMemHostRegister_v2", pointer, max(storage.nbytes, 1), 0)
        weakref.finalize(storage, self.driver.call, "cuMemHostUnregister", pointer).atexit = False
        return Array(shape, element, pointer, storage)

    def random(self, shape, element, seed, scale=1.0, mean=0.0):
        numbers = np.random.default_rng(seed).standard_normal(shape) * scale + mean
        return self.upload(numbers, element)

    def upload(self, numbers, element):
        return self._array(np.ascontiguousarray(encode(numbers, element)), np.shape(numbers), element)

    def empty(self, shape, element):
        storage = np.empty(shape, NUMPY[element])
        storage.view(np.uint8).fill(NAN_BYTE)
        return self._array(storage, shape, element)

    def download(self, array, rows=None):
        self.synchronize()
        storage = array.storage if rows is None else array.storage[rows]
        return decode(storage, array.element)

    def head(self, array, rows):
        return Array((rows, *array.shape[1:]), array.element, array.pointer, array.storage[:rows])

    def sum_rows(self, array):
        return self.upload(self.download(array).sum(1), "f32")

    def stream(self):
        return None

    def synchronize(self):
        self.driver.call("cuStreamSynchronize", None)


class TorchDevice:
    """The current GPU of PyTorch: its memory, its stream, its clock. What `Array` has as storage is a tensor."""

    def __init__(self, torch):
        self.torch = torch
        # This makes the context that the driver then shares.
        self._at = torch.device("cuda", torch.cuda.current_device())
        torch.zeros(1, device=self._at)
        properties = torch.cuda.get_device_properties(self._at)
        self.name = properties.name
        self.capability = (properties.major, properties.minor)
        self.driver = Driver(device=self._at.index)
        self._dtypes = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
        # Twice the cache, that nothing of before is left in it.
        cache = getattr(properties, "L2_cache_size", 0) or 64 << 20
        self._flush = torch.empty(2 * cache, dtype=torch.uint8, device=self._at)

    def _array(self, tensor, element):
        return Array(tensor.shape, element, tensor.data_ptr(), tensor)

    def random(self, shape, element, seed, scale=1.0, mean=0.0):
        generator = self.torch.Generator(device=self._at)
        generator.manual_seed(seed)
        numbers = self.torch.randn(shape, generator=generator, dtype=self.torch.float32, device=self._at)
        return self._array(numbers.mul_(scale).add_(mean).to(self._dtypes[element]), element)

    def upload(self, numbers, element):
        bits = np.ascontiguousarray(encode(numbers, element))
        bits = self.torch.from_numpy(bits.view({2: np.int16, 4: np.int32}[bits.itemsize]))
        return self._array(bits.to(self._at).view(self._dtypes[element]), element)

    def empty(self, shape, element):
        bytes = math.prod(shape) * NUMPY[element]().itemsize
        storage = self.torch.full((bytes,), NAN_BYTE, dtype=self.torch.uint8, device=self._at)
        return self._array(storage.view(self._dtypes[element]).view(tuple(shape)), element)

    def download(self, array, rows=None):
        self.synchronize()
        tensor = array.storage if rows is None else array.storage[list(rows)]
        # numpy has no bf16; every number of these types is one of f32.
        return tensor.to(self.torch.float32).cpu().numpy().astype(np.float64)

    def head(self, array, rows):
        return self._array(array.storage[:rows], array.element)

    def sum_rows(self, array):
        return self._array(array.storage.sum(1, dtype=self.torch.float32), "f32")

    def wrap(self, tensor):
        """A tensor of PyTorch in bf16 as an array."""
        return self._array(tensor, "bf16")

    def stream(self):
        return self.torch.cuda.current_stream(self._at).cuda_stream

    def synchronize(self):
        self.torch.cuda.synchronize(self._at)

    def time(self, call):
        """The seconds that the GPU takes for one `call`, which finds nothing in the cache.

        The GPU waits before it begins, while the host launches the kernels: what the host takes for that isn't measured.
        """
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.synchronize()
        self._flush.zero_()
        self.torch.cuda._sleep(WAIT_CYCLES)
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3

    def copy_bandwidth(self):
        """Bytes read and written per second by the copy of an array far larger than the cache."""
        bytes = min(1 << 30, self.torch.cuda.mem_get_info(self._at)[0] // 4)
        source, target = (self.torch.zeros(bytes, dtype=self.torch.uint8, device=self._at) for _ in range(2))
        return 2 * bytes / statistics.median(self.time(lambda: target.copy_(source)) for _ in range(12))

    def tensor_core_flops(self, size=8192):
        """Operations per second of a large product in bf16, of random numbers: equal ones take less power."""
        left, right = (self.random((size, size), "bf16", seed).storage for seed in (1, 2))
        result = self.torch.empty_like(left)
        times = [self.time(lambda: self.torch.matmul(left, right, out=result)) for _ in range(12)]
        return 2 * size**3 / statistics.median(times)
