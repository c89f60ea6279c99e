"""A pipelined GEMM for sm_80 runs right, on shapes that reach every edge, under several schedules; and each of a list of
faults, put into it one at a time, is reported for what it is.

usage: gemm_test.py gemm.mlir
"""

import subprocess
import sys

import numpy as np
from mutation import check_kernel
from numerics import UNIT, check, decode, encode

STAGE_BYTES = 8192


class Kernel:
    """Runs with one pair of matrices, and keeps the last result."""

    def __init__(self, folder, m, n, k):
        self.folder, self.m, self.n, self.k = folder, m, n, k
        random = np.random.default_rng(m + n + k)
        self.a, self.b = (
            decode(encode(random.standard_normal(shape), "bf16"), "bf16") for shape in ((m, k), (k, n))
        )
        encode(self.a, "bf16").tofile(folder / "a")
        encode(self.b, "bf16").tofile(folder / "b")
        self.product = self.sums = None

    def run(self, source, stages=3):
        m, n, k, folder = self.m, self.n, self.k, self.folder
        grid = ((n + 63) // 64, (m + 63) // 64)
        (folder / "gemm.mlir").write_text(source)
        process = subprocess.run(
            [
                "renorm-emulate", folder / "gemm.mlir", f"--grid={grid[0]},{grid[1]}", "--block=128",
                f"--shared={stages * STAGE_BYTES}", "--seeds=3", "--max-iterations=100000",
                f"--arg=bf16[{m}x{k}]@{folder}/a", f"--arg=bf16[{k}x{n}]@{folder}/b", f"--arg=bf16[{m}x{n}]",
                f"--arg=f32[{m}x{grid[0]}]", f"--arg=i32:{m}", f"--arg=i32:{n}", f"--arg=i32:{k}",
                f"--write=2:{folder}/d", f"--write=3:{folder}/s",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )  # fmt: skip
        ok = process.returncode == 0
        if ok:
            self.product = decode(np.fromfile(folder / "d", np.uint16).reshape(m, n), "bf16")
            self.sums = np.fromfile(folder / "s", np.float32).reshape(m, -1).astype(np.float64)
        return ok, process.stderr

    def verify(self):
        """Raises AssertionError unless the results are those of float64."""
        expected = self.a @ self.b
        # Each of the K / 16 steps rounds to f32; the result to bf16.
        bound = self.k * UNIT["f32"] * (np.abs(self.a) @ np.abs(self.b))
        check(self.product, expected, bound + UNIT["bf16"] * (np.abs(expected) + bound), "product")

        def sum_tiles(squares):
            return np.stack([squares[:, i : i + 64].sum(1) for i in range(0, self.n, 64)], 1)

        expected, largest = sum_tiles(np.square(expected)), sum_tiles(np.square(np.abs(expected) + bound))
        check(self.sums, expected, largest - expected + 64 * UNIT["f32"] * largest, "sums of squares")


# Full tiles, more stages than tiles; edges in M, in N, in K and in all of them; one tile.
SHAPES = [(64, 64, 64), (128, 64, 160), (70, 64, 96), (64, 72, 96), (64, 64, 40), (129, 136, 200), (1, 8, 8)]

COMMIT = "      nvvm.cp.async.commit.group // of the next tile\n"
WAIT = "      nvvm.cp.async.wait.group 1\n"
LOOP_BARRIER = """      // Tile kt has come, and nobody reads tile kt - 1, whose stage is the next to fill.
      gpu.barrier
"""
SUMS_BARRIER = "    gpu.barrier // for the sums\n"
ALIGNMENT = "@stages() {addr_space = 3 : i32, alignment = 128 : i64}"
TRANSPOSE = "{num = 2 : i32, layout = #nvvm.mma_layout<col>,"
CLAMP = "    %valid = arith.select %exists, %at_least, %c0 : i32\n"
COPY = "    nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32\n"
SHUFFLES = "      %from1 = nvvm.shfl.sync bfly"
NEXT_STAGE = "        %next_stage = arith.remui %next, %c3 : i32\n"
ROW_EXISTS = "        %row_exists = arith.cmpi slt, %row, %m : i32\n"

RACE, COPYING = "data race", "unfinished asynchronous copy"
MUTATIONS = [
    ("no barrier in the loop", LOOP_BARRIER, "", f"{RACE}|{COPYING}", None),
    ("no barrier before the sums are read", SUMS_BARRIER, "", RACE, "llvm.load %(left|right)_at"),
    ("no commit in the loop", COMMIT, "", COPYING, "nvvm.ldmatrix"),
    ("no wait in the loop", WAIT, "", COPYING, "nvvm.ldmatrix"),
    ("a wait one group too weak", WAIT, WAIT.replace("1", "2"), COPYING, "nvvm.ldmatrix"),
    ("a barrier before the wait", WAIT + LOOP_BARRIER, LOOP_BARRIER + WAIT, f"{RACE}|{COPYING}", "nvvm.ldmatrix"),
    ("a stage freed too early", NEXT_STAGE, NEXT_STAGE.replace("%next,", "%kt,"), f"{RACE}|{COPYING}", None),
    ("a barrier that one warp leaves out", SUMS_BARRIER,
     "    %first_warps = arith.cmpi slt, %warp, %c3 : i32\n    scf.if %first_warps {\n      gpu.barrier\n    }\n",
     RACE, "llvm.load %(left|right)_at"),
    ("a barrier that half a warp leaves out", SUMS_BARRIER,
     "    %half_warp = arith.cmpi slt, %tid, %c16 : i32\n    scf.if %half_warp {\n      gpu.barrier\n    }\n",
     f"divergence|{RACE}", None),
    ("a barrier for each half of a warp", SUMS_BARRIER,
     "    %half_warp = arith.cmpi slt, %tid, %c16 : i32\n    scf.if %half_warp {\n      gpu.barrier\n    } else {\n"
     "      nvvm.barrier id = %c0\n    }\n",
     "divergence", "barrier"),
    ("a barrier for one warp more", SUMS_BARRIER,
     "    %id = arith.constant 1 : i32\n    %threads = arith.constant 160 : i32\n"
     "    nvvm.barrier id = %id number_of_threads = %threads\n",
     "hang", "nvvm.barrier id"),
    ("a loop that doesn't end", "scf.for %kt = %c0 to %tiles step %c1", "scf.for %kt = %c0 to %tiles step %c0",
     f"hang|{RACE}|{COPYING}", None),
    ("a lost .trans", TRANSPOSE, TRANSPOSE.replace("col", "row"), None, None),
    ("another swizzle for reading", "%xor = arith.andi %half_row, %c3 : i32\n        %place",
     "%xor = arith.andi %half_row, %c1 : i32\n        %place", None, None),
    ("a fragment's halves exchanged", "%a0, %a1, %a2, %a3] B[%b0, %b1]", "%a0, %a1, %a2, %a3] B[%b1, %b0]", None, None),
    ("shared memory that is aligned to 8", ALIGNMENT, ALIGNMENT.replace("128", "8"), "misaligned access",
     "nvvm.cp.async.shared"),
    ("copies outside of the matrices", CLAMP, CLAMP.replace("%at_least, %c0", "%c16, %c16"), "out-of-bounds access",
     "nvvm.cp.async.shared"),
    ("a store outside of the matrix", ROW_EXISTS, ROW_EXISTS.replace("slt, %row, %m", "sge, %row, %c0"),
     "out-of-bounds access", r"llvm.store %narrow"),
    ("shared memory too small", {"stages": 2}, None, "out-of-bounds access", "nvvm.cp.async.shared"),
    ("no zeros outside of the matrices", COPY,
     "    %isnt_empty = arith.cmpi ne, %bytes, %none : i32\n    scf.if %isnt_empty {\n  " + COPY + "    }\n",
     "uninitialized read", "nvvm.ldmatrix"),
    ("a lane that leaves before a shuffle", SHUFFLES,
     "      %is_last = arith.cmpi eq, %lane, %c31 : i32\n      scf.if %is_last {\n"
     '        llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()\n      }\n' + SHUFFLES,
     "missing lane", "nvvm.shfl.sync"),
    ("a shuffle without a lane that it reads", SHUFFLES,
     "      %is_last = arith.cmpi ne, %lane, %c31 : i32\n      %some = arith.constant 0x7fffffff : i32\n"
     "      scf.if %is_last {\n        %ignored = nvvm.shfl.sync bfly %some, %squares, %c1, %c31 : f32 -> f32\n      }\n"
     + SHUFFLES,
     "missing lane|divergence", "nvvm.shfl.sync"),
]  # fmt: skip

# An edge in M and K, three tiles.
MUTATED_SHAPE = (70, 64, 72)

if __name__ == "__main__":
    check_kernel(sys.argv[1], Kernel, SHAPES, MUTATIONS, MUTATED_SHAPE)
