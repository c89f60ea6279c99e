"""A pipelined GEMM for sm_80 runs right, on shapes that reach every edge, under several schedules; and each of a list of
faults, put into it one at a time, is reported for what it is.

usage: gemm_test.py gemm.mlir
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from numerics import UNIT, check, decode, encode

STAGE_BYTES = 8192


class Result:
    def __init__(self, process, folder, m, n):
        self.ok = process.returncode == 0
        self.stderr = process.stderr
        if self.ok:
            self.d = decode(np.fromfile(folder / "d", np.uint16).reshape(m, n), "bf16")
            self.s = np.fromfile(folder / "s", np.float32).reshape(m, -1).astype(np.float64)


def run(source, a, b, seeds, stages=3):
    (m, k), n = a.shape, b.shape[1]
    grid = ((n + 63) // 64, (m + 63) // 64)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, array in (("a", a), ("b", b)):
            encode(array, "bf16").tofile(folder / file)
        (folder / "gemm.mlir").write_text(source)
        process = subprocess.run(
            [
                "renorm-emulate", folder / "gemm.mlir", f"--grid={grid[0]},{grid[1]}", "--block=128",
                f"--shared={stages * STAGE_BYTES}", f"--seeds={seeds}", "--max-iterations=100000",
                f"--arg=bf16[{m}x{k}]@{folder}/a", f"--arg=bf16[{k}x{n}]@{folder}/b", f"--arg=bf16[{m}x{n}]",
                f"--arg=f32[{m}x{grid[0]}]", f"--arg=i32:{m}", f"--arg=i32:{n}", f"--arg=i32:{k}",
                f"--write=2:{folder}/d", f"--write=3:{folder}/s",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )  # fmt: skip
        return Result(process, folder, m, n)


def inputs(m, n, k):
    random = np.random.default_rng(m + n + k)
    return [decode(encode(random.standard_normal(shape), "bf16"), "bf16") for shape in ((m, k), (k, n))]


def verify(result, a, b):
    """Raises AssertionError unless the results are those of float64."""
    expected = a @ b
    # Each of the K / 16 steps rounds to f32; the result to bf16.
    sums = np.abs(a) @ np.abs(b)
    bound = a.shape[1] * UNIT["f32"] * sums
    check(result.d, expected, bound + UNIT["bf16"] * (np.abs(expected) + bound), "product")
    squares = [np.square(expected[:, i : i + 64]).sum(1) for i in range(0, b.shape[1], 64)]
    slack = [np.square(np.abs(expected) + bound)[:, i : i + 64].sum(1) for i in range(0, b.shape[1], 64)]
    expected, slack = np.stack(squares, 1), np.stack(slack, 1)
    check(result.s, expected, slack - expected + 64 * UNIT["f32"] * slack, "sums of squares")


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

# What is wrong; what to replace by what; the fault that is expected, and a line of the source that it must name. Without
# a fault the result must be wrong.
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
    ("shared memory too small", "stages = 2", None, "out-of-bounds access", "nvvm.cp.async.shared"),
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


def check_fault(source, result, fault, line):
    """The first line must be that fault, with the kernel, block, thread and the place in the source."""
    match = re.match(
        rf"(\S+gemm\.mlir):(\d+):(\d+): error: (?:{fault}): .* in kernel 'gemm', block \(\d, \d, 0\), "
        r"thread \(\d+, 0, 0\)\n",
        result.stderr,
    )
    assert match, f"expected {fault}, but got: {result.stderr[:1000] or 'no fault'}"
    named = source.split("\n")[int(match[2]) - 1]
    assert line is None or re.search(line, named), f"expected '{line}' to be blamed, but got '{named.strip()}'"


def main():
    source = pathlib.Path(sys.argv[1]).read_text()
    for m, n, k in SHAPES:
        a, b = inputs(m, n, k)
        result = run(source, a, b, seeds=3)
        assert result.ok, f"{m}x{n}x{k}: {result.stderr}"
        verify(result, a, b)

    a, b = inputs(*MUTATED_SHAPE)
    for what, old, new, fault, line in MUTATIONS:
        if new is None:
            mutated, stages = source, 2
        else:
            assert source.count(old) == 1, f"{what}: found {source.count(old)} places to change"
            mutated, stages = source.replace(old, new), 3
        result = run(mutated, a, b, seeds=3, stages=stages)
        try:
            if fault:
                check_fault(mutated, result, fault, line)
                continue
            assert result.ok, f"expected a wrong result, but got: {result.stderr}"
            try:
                verify(result, a, b)
            except AssertionError:
                continue
            raise AssertionError("expected a wrong result, but it is right")
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from None
    print(f"{len(SHAPES)} shapes run right, {len(MUTATIONS)} faults are found")


if __name__ == "__main__":
    main()
