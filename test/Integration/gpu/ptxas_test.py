"""What ptxas says about the kernels on each chip: no spilled register, no warning, and the instructions that a kernel at
the speed of tensor cores and memory consists of."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernels
from groups import convert

CHIPS = ("sm_80", "sm_86", "sm_89", "sm_90")

# The threads of the block, the expected counts, and the number of rows where it is static. In a loop over tiles each instruction is there once: 64 products of
# 16 x 8 x 16 for a warp's 64 x 64 x 32, 16 loads of four matrices; and 8 copies for the tile that is loaded in the loop
# and for each of two before it.
GEMM = {"mma.sync": 64, "ldmatrix": 16, "cp.async.cg": 24}
HALF_ASYNC = {"mma.sync": 64, "ldmatrix": 16, "cp.async.cg": 12, "ld.global.v4": 15}
WIDE = {"mma.sync": 64, "ldmatrix": 16, "cp.async.cg": 18}
TF32 = {"mma.sync": 64, "cvt.rna.tf32": 64, "cp.async.cg": 24}
# A warp's 16 x 32 x 64, 32 x 32 x 32 and 32 x 64 x 32.
ROWS_16 = {"mma.sync": 16, "ldmatrix": 12, "cp.async.cg": 27}
ROWS_32 = {"mma.sync": 16, "ldmatrix": 8, "cp.async.cg": 15}
ROWS_64 = {"mma.sync": 32, "ldmatrix": 12, "cp.async.cg": 18}
KERNELS = {
    "matmul": (kernels.plain("bf16", "nk", 4096, 4096), 128, GEMM),
    "matmul, weight [in, out]": (kernels.plain("f16", "kn", 4096, 4096), 128, GEMM),
    "matmul, edges": (kernels.plain("bf16", "nk", 1000, 1000), 128, GEMM),
    "matmul in f32": (kernels.plain("f32", "kn", 1024, 1024), 128, {"cp.async.cg": 24, "mma.sync": 0}),
    # 128 products of 16 x 8 x 8 for 64 x 64 x 16. A weight [out, in] is loaded by ldmatrix too.
    "matmul in tf32": (kernels.plain("f32", "kn", 1024, 1024), 128, TF32 | {"ldmatrix": 8, "ld.shared": 32}),
    "matmul in tf32, weight [out, in]": (kernels.plain("f32", "nk", 1000, 1000), 128, TF32 | {"ldmatrix": 16}),
    "epilogue in tf32": (kernels.epilogue("f32", 1024, "rms", 1024), 128, TF32),
    "epilogue, rms": (kernels.epilogue("bf16", 4096, "rms", 4096), 128, GEMM),
    "epilogue, layer": (kernels.epilogue("bf16", 768, "layer", 768), 128, GEMM),
    "deferred": (kernels.deferred(3072, 768), 128, GEMM),
    "whole row": (kernels.whole_row("layer", 256, "bf16", 1024), 256, WIDE),
    "grouped rows": (kernels.grouped_rows(2, 512, 8, 128, "bf16", 1024), 128, GEMM),
    "rotary": (kernels.rotary(1, 512, 8, 128, "bf16", False, 1024), 128, GEMM),
    "grouped rows, rotary": (kernels.rotary(1, 512, 8, 128, "bf16", True, 1024), 128, GEMM),
    # Of all rows of the tile.
    "grouped rows, rotary, full": (kernels.rotary(1, 128, 8, 128, "bf16", True, 1024), 128, GEMM, 128),
    "16 rows": (kernels.plain("bf16", "nk", 4096, 4096), 128, ROWS_16, 16),
    "1 row": (kernels.plain("bf16", "nk", 4096, 4096), 128, ROWS_16, 1),
    "8 rows, edges": (kernels.plain("f16", "kn", 1000, 1000), 128, ROWS_16, 8),
    "8 rows, epilogue": (kernels.epilogue("bf16", 4096, "rms", 4096), 128, ROWS_16, 8),
    "1 row in tf32": (kernels.plain("f32", "nk", 4096, 4096), 128, ROWS_16 | {"cvt.rna.tf32": 48}, 1),
    "1 row in f32": (kernels.plain("f32", "kn", 4096, 4096), 128, {"cp.async.cg": 27, "mma.sync": 0}, 1),
    "16 rows, rotary": (kernels.rotary(1, 16, 8, 128, "bf16", True, 1024), 128, ROWS_16, 16),
    "32 rows": (kernels.plain("bf16", "kn", 4096, 4096), 128, ROWS_32, 32),
    "32 rows, epilogue": (kernels.epilogue("bf16", 768, "layer", 768), 128, ROWS_32, 32),
    "64 rows": (kernels.plain("bf16", "nk", 4096, 4096), 128, ROWS_64, 64),
    "64 rows, epilogue": (kernels.epilogue("bf16", 768, "layer", 768), 128, ROWS_64, 64),
    "64 rows, rotary": (kernels.rotary(1, 64, 8, 128, "bf16", True, 1024), 128, ROWS_64, 64),
    "64 rows, whole row": (kernels.whole_row("layer", 256, "bf16", 1024), 256, ROWS_64 | {"cp.async.cg": 15}, 64),
    "16 rows, prologue": (kernels.prologue("bf16", "layer", 4096, 4096), 128, {"mma.sync": 16, "cp.async.cg": 24}, 16),
    # One head a tile, of 128 places.
    "grouped rows of 80": (kernels.grouped_rows(2, 512, 32, 80, "bf16", 2560), 128, GEMM),
    "grouped rows of 96, weight [in, out]": (kernels.grouped_rows(2, 512, 8, 96, "f16", 1024, "kn"), 128, GEMM),
    "rotary of a part": (kernels.rotary(1, 512, 32, 80, "bf16", True, 2560, rotated=32), 128, GEMM),
    # Of each part a thread loads 16 sums of 16 x 128, two at a time; or half of them, of one row.
    "1 row in 3 parts": (kernels.plain("bf16", "nk", 4096, 4096), 128, ROWS_16 | {"ld.global.v2.b32": 12}, 1),
    "16 rows in 16 parts": (kernels.plain("bf16", "kn", 4096, 4096), 128, ROWS_16 | {"ld.global.v2.b32": 128}, 16),
    "epilogue of 3 parts": (kernels.epilogue("bf16", 4096, "rms", 4096), 128, ROWS_16, 16),
    "epilogue of 2 parts in tf32": (kernels.epilogue("f32", 768, "layer", 768), 128, {"mma.sync": 32, "cvt.rna.tf32": 48}, 64),
    "grouped rows, rotary of 3 parts": (kernels.rotary(1, 16, 8, 128, "bf16", True, 1024), 128, ROWS_16, 16),
    "whole row of 3 parts": (kernels.whole_row("layer", 256, "bf16", 1024), 256, GEMM),
    "prologue and 3 parts": (kernels.prologue("bf16", "layer", 4096, 4096), 128, {"mma.sync": 16, "cp.async.cg": 24}, 16),
    # Of 8 tiles along the reduction, a loop that LLVM unrolls.
    "deferred of 16 parts": (kernels.deferred(3072, 4096), 128, {"mma.sync": 128}, 32),
    "edges of 7 parts": (kernels.plain("bf16", "nk", 1000, 1000), 128, ROWS_16, 8),
    "odd of 5 parts": (kernels.plain("bf16", "nk", 999, 999), 128, {"mma.sync": 16}, 8),
    # Four 16-byte loads of the left-hand side, and one of the scale, for each of three tiles.
    "prologue": (kernels.prologue("bf16", "layer", 4096, 4096), 128, HALF_ASYNC),
    # The logits of four heads that share a key, with the softmax of a row of one tile; 128 x 256 for 256 keys.
    "logits, softmax": (kernels.Attention("bf16", 32, 8, 512, 128, 128, "causal softcap = 50.0", 0), 128, GEMM),
    "logits, softmax of 256": (kernels.Attention("bf16", 8, 8, 512, 256, 128, "causal", 0), 256, WIDE),
    "logits": (kernels.Attention("f16", 8, 2, 512, 1024, 128, "causal", 0), 128, GEMM),
    "logits in tf32": (kernels.Attention("f32", 8, 2, 512, 1024, 128, "causal window = 64", 0), 128, TF32),
    "softmax": (kernels.Attention("bf16", 8, 2, 512, 4096, 128, "causal", 1), 128,
                {"ld.global.v4": 8, "st.global.v2": 8, "ex2.approx": 32}),
    "weighted values": (kernels.Attention("bf16", 8, 2, 512, 4096, 128, "causal", 2), 128, GEMM),
    "weighted values of odd keys": (kernels.Attention("bf16", 8, 2, 512, 1023, 80, "causal", 2), 128, {"mma.sync": 64}),
    # Two chunks of 8 of the row and of the scale, two of the result.
    "rows": (kernels.norm("rms", ["M", 512], "bf16", "", ("scale",)), 128, {"ld.global.v4": 4, "st.global.v4": 2}),
    "rows of 1024": (kernels.norm("rms", ["M", 1024], "bf16", "", ("scale",)), 128, {"ld.global.v4": 8, "st.global.v4": 4}),
    # The same of two inputs and two results, in four warps.
    "add and norm": (kernels.added(["M", 4096], "bf16"), 128, {"ld.global.v4": 12, "st.global.v4": 8}),
}

LOWERING = (
    "convert-nvgpu-to-nvvm,gpu.module(convert-vector-to-scf,convert-scf-to-cf),convert-nvvm-to-llvm,"
    "gpu.module(expand-strided-metadata,lower-affine,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},"
    "canonicalize,cse,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_80 features=+ptx80 O=3}"
)


def to_ptx(group, toolkit, rows, options):
    """The PTX of each of the group's kernels."""
    passes = f"builtin.module({LOWERING},gpu-module-to-binary{{format=isa toolkit={toolkit}}})"
    text = convert(group.text(rows or 1, dynamic=not rows), options=options)
    process = subprocess.run(["mlir-opt", f"--pass-pipeline={passes}"], input=text, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[:2000]
    modules = re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', process.stdout)
    if hasattr(group, "number"):
        modules = [modules[group.number]]
    return [
        re.sub(r"\\([0-9A-F]{2})", lambda match: chr(int(match.group(1), 16)), text).rstrip("\0") for text in modules
    ]


def assemble(ptxas, file, chip, threads):
    process = subprocess.run([ptxas, f"-arch={chip}", "-v", file, "-o", os.devnull], capture_output=True, text=True)
    output = process.stdout + process.stderr
    assert process.returncode == 0, output
    assert "0 bytes spill stores, 0 bytes spill loads" in output and "warning" not in output, output
    registers = int(re.search(r"Used (\d+) registers", output).group(1))
    assert registers * threads <= 65536 and registers <= 255, output
    return registers


def check(name, ptxas, toolkit, group, threads, expected, rows=None):
    parts = re.search(r"(\d+) parts", name)
    options = f"split-k={parts.group(1) if parts else 1}" + (" f32-precision=tf32" if "tf32" in name else "")
    kernels = to_ptx(group, toolkit, rows, options)
    assert len(kernels) == (2 if parts else 1), name
    for instruction, count in expected.items():
        found = len(re.findall(rf"^\s*(?:@\S+ )?{re.escape(instruction)}", "\n".join(kernels), re.MULTILINE))
        assert found == count, f"{name}: expected {count} {instruction}, but got {found}"
    registers = {chip: [] for chip in CHIPS}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "kernel.ptx")
        for kernel in kernels:
            file.write_text(kernel)
            for chip in CHIPS:
                registers[chip].append(assemble(ptxas, file, chip, threads))
    return registers


def main():
    ptxas = shutil.which("ptxas")
    if not ptxas:
        print("ptxas is not on this machine: nothing was checked")
        return
    folders = [os.environ.get(name) for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
    folders += [pathlib.Path(ptxas).resolve().parent.parent, "/usr/local/cuda"]
    toolkit = next((folder for folder in folders if folder and pathlib.Path(folder, "nvvm", "libdevice").is_dir()), None)
    if not toolkit:
        print("libdevice is not on this machine: nothing was checked")
        return
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = {name: pool.submit(check, name, ptxas, toolkit, *kernel) for name, kernel in KERNELS.items()}
        for name, future in futures.items():
            try:
                print(f"{name}: {future.result()} registers")
            except AssertionError as error:
                failures += 1
                print(f"{name}: {error}", file=sys.stderr)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
