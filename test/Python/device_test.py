"""Tensors in the memory of targets, and what goes wrong there. To be run with the stand-in for a GPU's driver."""

import gc
import os
import tempfile
import threading
import unittest

import numpy as np

import renorm
from renorm.function import TARGETS, bfloat16

NORM = """
func.func @f(%x: tensor<?x64xf32>, %w: tensor<64xf32> {norm.param = "w"}) -> tensor<?x64xf32> {
  %0 = norm.rms_norm %x scale(%w : tensor<64xf32>) epsilon = 1.0e-06 : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}"""

# Bitcode, which the stand-in runs.
PIPELINES = {"cpu": None, "emulator": None, "cuda": "renorm-to-nvvm{format=llvm}"}


def compile(text, target):
    return renorm.Module.parse(text).compile(target, pipeline=PIPELINES[target])


def arrays(rows=5, seed=0):
    random = np.random.RandomState(seed)
    return random.standard_normal((rows, 64)).astype(np.float32), random.standard_normal(64).astype(np.float32)


def expected(x, w):
    x = x.astype(np.float64)
    return x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-6) * w


def calls(name):
    """The calls of the driver so far, by the end of their lines in the log."""
    with open(os.environ["STAND_IN_LOG"]) as log:
        return [line.rstrip() for line in log if line.startswith(name + "(")]


def live_blocks():
    return len(calls("cuMemAllocManaged")) - len(calls("cuMemFree_v2"))


class Failing:
    """Lets the driver fail in the next call of `name` but `skip`."""

    def __init__(self, name, skip=0):
        self.text = f"{name}:{len(calls(name)) + skip + 1}"

    def __enter__(self):
        os.environ["STAND_IN_FAIL"] = self.text

    def __exit__(self, *_):
        del os.environ["STAND_IN_FAIL"]


class Tensors(unittest.TestCase):
    def test_round_trip(self):
        for target in TARGETS:
            for dtype in (np.float64, np.float32, np.float16, bfloat16, np.int64, np.int32, np.int16, np.int8, np.bool_):
                for shape in ((), (3,), (0, 4), (2, 3, 4)):
                    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
                    tensor = renorm.to_device(array, target)
                    self.assertEqual((tensor.shape, tensor.dtype, tensor.target), (shape, dtype, target))
                    for copy in (tensor.numpy(), np.asarray(tensor)):
                        self.assertEqual(copy.dtype, dtype)
                        np.testing.assert_array_equal(copy, array)
        self.assertEqual(repr(tensor), "<renorm.DeviceTensor (2, 3, 4) bool on cuda>")
        self.assertEqual(np.asarray(tensor, np.float32).dtype, np.float32)
        with self.assertRaisesRegex(ValueError, "expected copy=None"):
            np.asarray(tensor, copy=False) if np.__version__ >= "2" else tensor.__array__(copy=False)

    def test_is_a_copy(self):
        for target in TARGETS:
            array = np.ones((2, 6), np.float32)
            tensor = renorm.to_device(array[:, ::2], target)
            array[:] = 0
            first = tensor.numpy()
            first[:] = 2
            np.testing.assert_array_equal(tensor.numpy(), np.ones((2, 3)))

    def test_target(self):
        with self.assertRaisesRegex(ValueError, "expected 'cpu', 'emulator' or 'cuda' as target, but got 'tpu'"):
            renorm.to_device(np.ones(2), "tpu")


class Calls(unittest.TestCase):
    def test_arguments_and_results(self):
        x, w = arrays()
        for target in TARGETS:
            function = compile(NORM, target)
            for other in TARGETS:
                for place in ((x, w), (x, renorm.to_device(w, other)), (renorm.to_device(x, other), w)):
                    np.testing.assert_allclose(function(*place), expected(x, w), rtol=1e-5)
            kept = function(x, renorm.to_device(w, target), on_device=True)
            self.assertEqual((kept.target, kept.shape), (target, (5, 64)))
            again = function(kept, w)
            gone = kept.numpy()
            del kept
            np.testing.assert_allclose(again, expected(gone, w), rtol=1e-5)
            np.testing.assert_allclose(gone, expected(x, w), rtol=1e-5)

    def test_only_what_is_new_is_copied(self):
        x, w = arrays()
        function = compile(NORM, "cuda")
        scale = renorm.to_device(w, "cuda")
        for given, bytes in (((x, w), [1280, 256, 1280]), ((x, scale), [1280, 1280]), ((function(x, w, on_device=True), scale), [1280])):
            before = len(calls("cuMemAllocManaged"))
            function(*given)
            made = calls("cuMemAllocManaged")[before:]
            self.assertEqual(made, [f"cuMemAllocManaged({each}, 1)" for each in bytes])

    def test_checks(self):
        function = compile(NORM, "emulator")
        x, w = (renorm.to_device(each, "emulator") for each in arrays())
        for given, message in (
            ((x,), "expected 2 arguments, but got 1"),
            ((x, w, w), "expected 2 arguments, but got 3"),
            ((x, x), r"expected shape \[64\] for argument 1 \('w'\), but got \[5, 64\]"),
            ((x, renorm.to_device(np.ones(64), "emulator")), r"expected float32 for argument 1 \('w'\), but got float64"),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, f"^{message}$"):
                function(*given)

    def test_bf16(self):
        for target in TARGETS:
            function = compile(
                "func.func @f(%x: tensor<3xbf16>) -> tensor<3xbf16> { %0 = arith.negf %x : tensor<3xbf16>\n return %0 : tensor<3xbf16> }",
                target,
            )
            x = np.array([1, 2, 3]).astype(bfloat16)
            for each in (x, x.view(np.uint16)):
                result = function(renorm.to_device(each, target), on_device=True)
                self.assertEqual(result.dtype, bfloat16)
                np.testing.assert_array_equal(result.numpy(), -x)

    def test_results_are_their_own(self):
        # An argument, a constant, and one value twice.
        text = """
        func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>) {
          %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %0 = arith.negf %x : tensor<4xf32>
          return %x, %c, %0, %0 : tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>
        }"""
        x = np.arange(4, dtype=np.float32)
        for target in TARGETS:
            for on_device in (False, True):
                function, tensor = compile(text, target), renorm.to_device(x, target)
                results = function(tensor, on_device=on_device)
                del function, tensor
                gc.collect()
                for result, value in zip(results, (x, [1, 2], -x, -x), strict=True):
                    np.testing.assert_array_equal(np.asarray(result), value)

    def test_program_stops(self):
        text = """
        func.func @f(%x: tensor<4xf32>, %b: tensor<1xi1>) -> tensor<4xf32> {
          %c0 = arith.constant 0 : index
          %0 = arith.negf %x : tensor<4xf32>
          %1 = tensor.extract %b[%c0] : tensor<1xi1>
          cf.assert %1, "expected true"
          %2 = arith.addf %0, %0 : tensor<4xf32>
          return %2 : tensor<4xf32>
        }"""
        for target in ("emulator", "cuda"):
            function, before = compile(text, target), live_blocks()
            for _ in range(3):
                with self.assertRaisesRegex(ValueError, "^the program stopped: expected true$"):
                    function(np.ones(4, np.float32), np.array([False]))
                self.assertEqual(function(np.ones(4, np.float32), np.array([True])).sum(), -8)
            self.assertEqual(live_blocks(), before)

    def test_memory_runs_out(self):
        function = compile("""
        func.func @f(%n: tensor<i64>) -> tensor<?xf32> {
          %0 = tensor.extract %n[] : tensor<i64>
          %1 = arith.index_cast %0 : i64 to index
          %2 = tensor.splat %0[%1] : tensor<?xi64>
          %3 = arith.sitofp %2 : tensor<?xi64> to tensor<?xf32>
          return %3 : tensor<?xf32>
        }""", "emulator")
        with self.assertRaisesRegex(renorm.DeviceError, r"^cannot allocate 9007199254\d{6} bytes of global memory$"):
            function(np.array(1 << 50))
        np.testing.assert_array_equal(function(np.array(2)), [2, 2])

    def test_threads(self):
        # Of a GPU that lets nobody access its memory during a kernel.
        function, right = compile(NORM, "cuda"), []

        def call(seed):
            x, w = arrays(seed=seed)
            for _ in range(5):
                result = function(x, renorm.to_device(w, "cuda"), on_device=True).numpy()
                right.append(np.allclose(result, expected(x, w), rtol=1e-5, atol=0))

        threads = [threading.Thread(target=call, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(right, [True] * 20)


class Driver(unittest.TestCase):
    def test_nothing_loaded(self):
        text = """
        llvm.mlir.global internal constant @name("kernel\\00")
        func.func private @mgpuModuleGetFunction(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
        func.func private @mgpuStreamDestroy(!llvm.ptr)
        func.func @f() {
          %0 = llvm.mlir.zero : !llvm.ptr
          %1 = llvm.mlir.addressof @name : !llvm.ptr
          %2 = call @mgpuModuleGetFunction(%0, %1) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
          call @mgpuStreamDestroy(%0) : (!llvm.ptr) -> ()
          return
        }"""
        for target in ("emulator", "cuda"):
            function = renorm.Module.parse(text).compile(target, pipeline="renorm-to-llvm")
            with self.assertRaisesRegex(renorm.DeviceError, "^expected a module of kernels for 'kernel', but none was loaded$"):
                function()

    def test_failures(self):
        x, w = arrays()
        function = compile(NORM, "cuda")
        tensor = renorm.to_device(w, "cuda")
        before = live_blocks()
        memory = r"^cuMemAllocManaged: CUDA_ERROR_OUT_OF_MEMORY \(2\): out of memory$"
        for name, skip in (
            ("cuMemAllocManaged", 0),  # for an argument
            ("cuMemAllocManaged", 1),  # in the program
            ("cuModuleGetFunction", 0),
            ("cuStreamCreate", 0),
            ("cuLaunchKernel", 0),
            ("cuStreamSynchronize", 0),
            ("cuStreamDestroy_v2", 0),
        ):
            message = memory.replace("cuMemAllocManaged", name.removesuffix("_v2"))
            with self.subTest(name), Failing(name, skip), self.assertRaisesRegex(renorm.DeviceError, message):
                function(x, tensor)
            before += name == "cuMemAllocManaged"  # the call that failed
            # The next call is none the worse, and nothing is lost.
            np.testing.assert_allclose(function(x, tensor), expected(x, w), rtol=1e-5)
            self.assertEqual(live_blocks(), before)
        with Failing("cuMemAllocManaged"), self.assertRaisesRegex(renorm.DeviceError, memory):
            renorm.to_device(w, "cuda")
        # Memory for a result that lies in an argument.
        same = compile("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }", "cuda")
        argument = renorm.to_device(np.ones(4, np.float32), "cuda")
        with Failing("cuMemAllocManaged"), self.assertRaisesRegex(renorm.DeviceError, memory):
            same(argument, on_device=True)

    def test_the_host_does_not_go_on(self):
        # What a kernel should have written may be an index.
        function = compile("""
        func.func @f(%x: tensor<2x64xf32>, %y: tensor<2x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
          %0 = norm.rms_norm %x epsilon = 1.0e-06 : tensor<2x64xf32>
          %1 = norm.rms_norm %y epsilon = 1.0e-05 : tensor<2x64xf32>
          return %0, %1 : tensor<2x64xf32>, tensor<2x64xf32>
        }""", "cuda")
        x = np.ones((2, 64), np.float32)
        before = len(calls("cuLaunchKernel"))
        function(x, x)
        self.assertEqual(len(calls("cuLaunchKernel")), before + 2)
        with Failing("cuLaunchKernel"), self.assertRaisesRegex(renorm.DeviceError, "^cuLaunchKernel: "):
            function(x, x)
        self.assertEqual(len(calls("cuLaunchKernel")), before + 3)

    def test_module(self):
        before = len(calls("cuModuleUnload"))
        function = compile(NORM, "cuda")
        x, w = arrays()
        result = function(x, w, on_device=True)
        self.assertEqual(len(calls("cuModuleUnload")), before)
        del function
        gc.collect()
        self.assertEqual(len(calls("cuModuleUnload")), before + 1)
        np.testing.assert_allclose(result.numpy(), expected(x, w), rtol=1e-5)
        with Failing("cuModuleLoadData"), self.assertRaisesRegex(renorm.MLIRError, "error: cuModuleLoadData: CUDA_ERROR_OUT"):
            compile(NORM, "cuda")

    def test_ptx(self):
        # What a user gets, but that the stand-in does not run it.
        x, w = arrays()
        module = renorm.Module.parse(NORM)
        self.assertEqual(module.compile("cuda")(x, w).shape, (5, 64))
        self.assertIn("cuModuleLoadDataEx(option 7 = 2, option 6 = 4096, target sm_80)", calls("cuModuleLoadDataEx"))
        message = "error: cuModuleLoadDataEx: CUDA_ERROR_OUT_OF_MEMORY .2.: out of memory: the assembler's log"
        with Failing("cuModuleLoadDataEx"), self.assertRaisesRegex(renorm.MLIRError, message):
            module.compile("cuda")

    def test_libdevice(self):
        module = renorm.Module.parse(NORM.replace("return %0", "%1 = math.log1p %0 : tensor<?x64xf32>\n  return %1"))
        message = "kernel f_kernel_0 calls __nv_log1pf of the CUDA toolkit's libdevice; expected the toolkit in CUDA_HOME"
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(renorm.MLIRError, message):
            module.compile("cuda", pipeline=f"renorm-to-nvvm{{format=isa toolkit={folder}}}")


if __name__ == "__main__":
    unittest.main()
