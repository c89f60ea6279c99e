"""Kernels from Python: PTX, cubins and the manifest, what they can cost, and faults that the emulator finds."""

import json
import pathlib
import shutil
import tempfile
import unittest

import numpy as np

import renorm
from renorm.kernels import CHIPS, Chip, compile_kernels, find_toolkit

BLOCK = """
func.func @block(%x: tensor<16x64xbf16>, %w: tensor<64x64xbf16> {norm.param = "w"}) -> tensor<16x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<16x64xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<16x64xbf16>) -> tensor<16x64xbf16>
  %0 = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<16x64xbf16>) -> tensor<16x64xbf16>
  %1 = norm.residual_add %x, %0 : tensor<16x64xbf16>
  %2 = norm.rms_norm %1 epsilon = 1.0e-6 : tensor<16x64xbf16>
  return %2 : tensor<16x64xbf16>
}
"""

# Of a reduction as long that several blocks share it.
LONG = (
    BLOCK.replace("@block(%x: tensor<16x64xbf16>, %w: tensor<64x64xbf16>", "@block(%x: tensor<16x64xbf16>, %h: tensor<16x2048xbf16>, %w: tensor<2048x64xbf16>")
    .replace("ins(%x, %w : tensor<16x64xbf16>, tensor<64x64xbf16>)", "ins(%h, %w : tensor<16x2048xbf16>, tensor<2048x64xbf16>)")
)

LOGARITHM = BLOCK.replace("return %2", "%3 = math.log1p %2 : tensor<16x64xbf16>\n  return %3")

# Thread 4 of 8 writes behind the 4 elements.
STRAY = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stray(%x: memref<f32>) kernel {
      %p = memref.extract_aligned_pointer_as_index %x : memref<f32> -> index
      %i = arith.index_cast %p : index to i64
      %q = llvm.inttoptr %i : i64 to !llvm.ptr<1>
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %one = arith.constant 1.0 : f32
      %r = llvm.getelementptr %q[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %one, %r : f32, !llvm.ptr<1>
      gpu.return
    }
  }
  func.func @f() -> tensor<4xf32> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant THREADS : index
    %m = memref.alloc() : memref<4xf32>
    %v = memref.reinterpret_cast %m to offset: [0], sizes: [], strides: [] : memref<4xf32> to memref<f32>
    gpu.launch_func @kernels::@stray blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%v : memref<f32>)
    %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    return %t : tensor<4xf32>
  }
}
"""


class Costs(unittest.TestCase):
    def test_occupancy(self):
        a100 = CHIPS["sm_80"]
        # The examples of NVIDIA's occupancy calculator: threads, then registers, then shared memory are what limits.
        self.assertEqual(a100.occupancy(256, 32, 0), 1.0)
        self.assertEqual(a100.occupancy(256, 64, 0), 0.5)
        self.assertEqual(a100.occupancy(256, 65, 0), 3 * 256 / 2048)
        self.assertEqual(a100.occupancy(128, 32, 48 * 1024), 3 * 128 / 2048)
        self.assertEqual(a100.occupancy(32, 32, 0), 0.5)
        self.assertEqual(a100.occupancy(128, 32, 200 * 1024), 0.0)
        self.assertEqual(CHIPS["sm_86"].occupancy(1024, 32, 0), 1024 / 1536)

    def test_roofline(self):
        chip = Chip("x", tensor_flops=100e12, f32_flops=10e12, bandwidth=1e12, threads=2048, blocks=32, shared_bytes=1)
        self.assertAlmostEqual(chip.seconds(1e12, 1e9), 1e-2)
        self.assertAlmostEqual(chip.seconds(1e12, 1e9, "f32"), 1e-1)
        self.assertAlmostEqual(chip.seconds(1e12, 1e9, "tf32"), 2e-2)
        self.assertAlmostEqual(chip.seconds(1e9, 1e9), 1e-3)


class Compile(unittest.TestCase):
    def test_files(self):
        for chip in ("sm_80", "sm_90"):
            made = compile_kernels(renorm.Module.parse(BLOCK), chip)
            self.assertEqual(list(made.kernels), ["block_kernel_0"])
            kernel = made.kernels["block_kernel_0"]
            self.assertIn(f".target {chip}", kernel.ptx)
            self.assertIn(".entry block_kernel_0", kernel.ptx)
            self.assertIn("mma.sync.aligned.m16n8k16", kernel.ptx)
            with tempfile.TemporaryDirectory() as folder:
                made.write(pathlib.Path(folder, "out"))
                manifest = json.loads(pathlib.Path(folder, "out", "manifest.json").read_text())
                self.assertEqual(pathlib.Path(folder, "out", "block_kernel_0.ptx").read_text(), kernel.ptx)
                self.assertEqual(kernel.cubin is not None, pathlib.Path(folder, "out", "block_kernel_0.cubin").exists())
            self.assertEqual(manifest["chip"], chip)
            (function,) = manifest["functions"]
            self.assertEqual(function["function"], "block")
            self.assertEqual(function["inputs"][1], {"type": "tensor<64x64xbf16>", "parameter": "w"})
            self.assertEqual(function["buffers"], [{"type": "memref<16x64xbf16>", "bytes": 2048, "result": 0}])
            (launch,) = function["launches"]
            self.assertEqual((launch["grid"], launch["block"][1:]), ([1, 1, 1], [1, 1]))
            self.assertEqual([next(iter(set(each) - {"type"})) for each in launch["arguments"]], ["input", "input", "buffer"])
            (row,) = made.explain()
            # x and the result of 16 x 64, the weight.
            self.assertEqual((row["flops"], row["bytes"]), (2 * 16 * 64 * 64, 2 * (2 * 16 * 64 + 64 * 64)))
            self.assertAlmostEqual(row["seconds"], row["bytes"] / CHIPS[chip].bandwidth)
            if shutil.which("ptxas") or find_toolkit():
                self.assertEqual(kernel.spill_bytes, 0)
                self.assertEqual(kernel.cubin[:4], b"\x7fELF")
                self.assertTrue(0 < row["occupancy"] <= 1)

    def test_dynamic(self):
        text = BLOCK.replace("16x64", "?x64").replace("tensor.empty()", "tensor.empty(%m)")
        text = text.replace("  %e =", "  %c0 = arith.constant 0 : index\n  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>\n  %e =")
        made = compile_kernels(renorm.Module.parse(text))
        (function,) = made.functions
        (launch,) = function["launches"]
        rows = {"input": 0, "dimension": 0}
        self.assertEqual(launch["grid"], [{"operation": "ceildivui", "operands": [rows, 128]}, 1, 1])
        self.assertEqual([each["value"] for each in launch["arguments"] if "value" in each], [rows])
        self.assertEqual(function["buffers"], [{"type": "memref<?x64xbf16>", "extents": [rows], "result": 0}])
        (row,) = made.explain()
        self.assertEqual((row["flops"], row["bytes"], row["seconds"]), (None, None, None))

    def test_emulated(self):
        made = compile_kernels(renorm.Module.parse(BLOCK), emulated=True)
        kernel = made.kernels["block_kernel_0"]
        self.assertEqual((kernel.ptx, kernel.cubin, kernel.bitcode[:4]), (None, None, b"BC\xc0\xde"))
        with tempfile.TemporaryDirectory() as folder:
            made.write(folder)
            self.assertEqual(pathlib.Path(folder, "block_kernel_0.bc").read_bytes(), kernel.bitcode)
            self.assertEqual(sorted(each.name for each in pathlib.Path(folder).iterdir()), ["block_kernel_0.bc", "manifest.json"])

    def test_split_k(self):
        made = compile_kernels(renorm.Module.parse(LONG))
        (function,) = made.functions
        self.assertEqual([each["kernel"] for each in function["launches"]], ["block_kernel_0_split_k", "block_kernel_0"])
        self.assertEqual([each["grid"] for each in function["launches"]], [[1, 4, 1], [1, 1, 1]])
        # A workspace of 4 parts, and the result.
        self.assertEqual([each["bytes"] for each in function["buffers"]], [4 * 4 * 16 * 64, 2 * 16 * 64])
        self.assertEqual([each.get("result") for each in function["buffers"]], [None, 0])
        first, second = made.explain()
        self.assertEqual((first["flops"], second["flops"]), (2 * 16 * 64 * 2048, 0))
        self.assertEqual(first["bytes"], 2 * (16 * 2048 + 2048 * 64) + 4 * 4 * 16 * 64)
        # The residual is read by the second.
        self.assertEqual(second["bytes"], 2 * 2 * 16 * 64 + 4 * 4 * 16 * 64)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "expected one of sm_80, .* as chip, but got 'sm_70'"):
            compile_kernels(renorm.Module.parse(BLOCK), "sm_70")
        with self.assertRaisesRegex(ValueError, "expected 'ieee' or 'tf32' as f32_precision, but got 'bf16'"):
            compile_kernels(renorm.Module.parse(BLOCK), f32_precision="bf16")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(RuntimeError, "block_kernel_0 calls __nv_log1pf of the CUDA toolkit's libdevice"):
                compile_kernels(renorm.Module.parse(LOGARITHM), toolkit=folder)


class Emulator(unittest.TestCase):
    def test_block(self):
        module = renorm.Module.parse(BLOCK)
        function = module.compile(target="emulator")
        rng = np.random.default_rng(0)
        x, w = (rng.normal(size=shape).astype(function.inputs[0].dtype) for shape in ((16, 64), (64, 64)))
        y = x.astype(float) + x.astype(float) @ w.astype(float)
        y /= np.sqrt(np.square(y).mean(1, keepdims=True) + 1e-6)
        # The product, the sum and the result are rounded.
        error = np.abs(function(x, w).astype(float) - y)
        self.assertTrue(np.all(error <= 4 * 2.0**-8 * np.maximum(np.abs(y), 1)), error.max())

    def test_split_k(self):
        """The host's code with both kernels, and that whatever the schedule is, the result is the same."""
        module = renorm.Module.parse(LONG)
        split, whole = (
            module.compile("emulator", pipeline=f"renorm-to-nvvm{{format=llvm split-k={parts}}}") for parts in (0, 1)
        )
        rng = np.random.default_rng(0)
        shapes = ((16, 64), (16, 2048), (2048, 64))
        x, h, w = (rng.normal(size=shape).astype(split.inputs[0].dtype) for shape in shapes)
        y = x.astype(float) + h.astype(float) @ w.astype(float)
        y /= np.sqrt(np.square(y).mean(1, keepdims=True) + 1e-6)
        results = [split(x, h, w), split(x, h, w), whole(x, h, w)]
        for result in results:
            error = np.abs(result.astype(float) - y)
            self.assertTrue(np.all(error <= 4 * 2.0**-8 * np.maximum(np.abs(y), 1)), error.max())
        self.assertEqual(results[0].tobytes(), results[1].tobytes())

    def test_fault(self):
        pipeline = (
            "convert-nvgpu-to-nvvm,nvvm-attach-target{chip=sm_80 features=+ptx80},"
            "gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts),"
            "ensure-debug-info-scope-on-llvm-func,gpu-module-to-binary{format=llvm},"
            "norm-prepare-bufferization,one-shot-bufferize{bufferize-function-boundaries=true},"
            "gpu-to-llvm,convert-to-llvm,reconcile-unrealized-casts"
        )
        module = renorm.Module.parse(STRAY.replace("THREADS", "4"), "stray.mlir")
        self.assertEqual(module.compile("emulator", pipeline=pipeline)().tolist(), [1, 1, 1, 1])
        module = renorm.Module.parse(STRAY.replace("THREADS", "8"), "stray.mlir")
        function = module.compile("emulator", pipeline=pipeline)
        for _ in range(2):
            with self.assertRaisesRegex(renorm.DeviceError, "stray.mlir:11:7: error: out-of-bounds access: .* thread .4, 0, 0."):
                function()


if __name__ == "__main__":
    unittest.main()
