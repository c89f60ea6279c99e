"""A GEMM for sm_90a by TMA, mbarriers and wgmma runs right, on shapes that reach every edge, under several schedules;
and each of a list of faults, put into it one at a time, is reported for what it is.

usage: gemm_sm90_test.py gemm_sm90.mlir
"""

import subprocess
import sys

import numpy as np
from mutation import check_kernel
from numerics import UNIT, check, decode, encode


class Kernel:
    """Runs with one pair of matrices, and keeps the last result."""

    def __init__(self, folder, m, n, k):
        self.folder, self.m, self.n, self.k = folder, m, n, k
        random = np.random.default_rng(m + n + k)
        self.a, self.b = (decode(encode(random.standard_normal((rows, k)), "bf16"), "bf16") for rows in (m, n))
        encode(self.a, "bf16").tofile(folder / "a")
        encode(self.b, "bf16").tofile(folder / "b")
        self.result = None

    def run(self, source, shared=49152):
        m, n, k, folder = self.m, self.n, self.k, self.folder
        (folder / "gemm.mlir").write_text(source)
        process = subprocess.run(
            [
                "renorm-emulate", folder / "gemm.mlir", f"--grid={(n + 63) // 64},{(m + 63) // 64}", "--block=256",
                f"--shared={shared}", "--seeds=3", "--max-iterations=100000",
                f"--arg=map:64x64:128:bf16[{m}x{k}]@{folder}/a", f"--arg=map:64x64:128:bf16[{n}x{k}]@{folder}/b",
                f"--arg=map:64x64:0:bf16[{m}x{n}]", f"--arg=i32:{k}", f"--write=2:{folder}/d",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )  # fmt: skip
        ok = process.returncode == 0
        self.result = decode(np.fromfile(folder / "d", np.uint16).reshape(m, n), "bf16") if ok else None
        return ok, process.stderr

    def verify(self):
        """Raises AssertionError unless the result is that of float64."""
        expected = self.a @ self.b.T
        bound = self.k * UNIT["f32"] * (np.abs(self.a) @ np.abs(self.b.T))
        check(self.result, expected, bound + UNIT["bf16"] * (np.abs(expected) + bound), "product")


# Full tiles, as many as stages and more; edges in M, N, K and in all of them; one tile.
SHAPES = [(64, 64, 192), (128, 64, 448), (70, 64, 128), (64, 72, 128), (64, 64, 200), (129, 136, 328), (1, 8, 8)]

FULL_WAIT = "        nvvm.mbarrier.try_wait.parity %full, %full_parity, %c16384 : !llvm.ptr<3>, i32, i32\n"
EMPTY_WAIT = "          nvvm.mbarrier.try_wait.parity %empty, %empty_parity, %c16384 : !llvm.ptr<3>, i32, i32\n"
EXPECT = "nvvm.mbarrier.arrive.expect_tx %full, %c16384"
FULL_PARITY = "%full_parity = arith.andi %round, %c1 : i32"
EMPTY_PARITY = "%empty_parity = arith.xori %round_bit, %c1 : i32"
COMMIT = "        nvvm.wgmma.commit.group.sync.aligned\n"
LOOP_WAIT = "        nvvm.wgmma.wait.group.sync.aligned 1\n"
LAST_WAIT = "      nvvm.wgmma.wait.group.sync.aligned 0\n"
FREED = """%is_later = arith.cmpi ne, %kt, %c0 : i32
        %frees = arith.andi %is_leader, %is_later : i1
        scf.if %frees {
          %freed = arith.subi %kt, %c1 : i32
"""
INIT_BARRIER = "    nvvm.barrier0 // of all, after the barriers are there\n"
TILE_BARRIER = "      nvvm.barrier id = %c1 number_of_threads = %c128 // of those that multiply\n"
STORE_END = "        nvvm.cp.async.bulk.commit.group\n        nvvm.cp.async.bulk.wait_group 0\n"
INIT = "nvvm.mbarrier.init %at, %c1"

RACE, COPYING, UNWRITTEN = "data race", "unfinished asynchronous copy", "uninitialized read"
MUTATIONS = [
    ("too many bytes expected", EXPECT, EXPECT.replace("%c16384", "%k"), "hang", "try_wait"),
    ("an arrival too many expected", INIT, INIT.replace("%c1", "%c2"), "hang", "try_wait"),
    ("the wrong parity of a full stage", FULL_PARITY, "%full_parity = arith.xori %round, %c1 : i32",
     f"{COPYING}|{UNWRITTEN}", "wgmma.mma_async"),
    ("the wrong parity of an empty stage", EMPTY_PARITY, "%empty_parity = arith.addi %round_bit, %c0 : i32",
     f"hang|{RACE}", None),
    ("no wait for a full stage", FULL_WAIT, "", f"{COPYING}|{UNWRITTEN}", "wgmma.mma_async"),
    ("a copy that nobody waits for", "        scf.for %kt = %c0 to %tiles step %c1 : i32 {\n          %stage",
     "        %more = arith.addi %tiles, %c1 : i32\n        scf.for %kt = %c0 to %more step %c1 : i32 {\n          %stage",
     COPYING, "cp.async.bulk.tensor"),
    ("no wait for an empty stage", EMPTY_WAIT, "", f"{COPYING}|{RACE}|invalid operand", "%full"),
    ("a stage freed too early", FREED, FREED.replace("%c1", "%c0").replace("ne,", "sge,"), RACE, "cp.async.bulk.tensor"),
    ("a wait one group too weak", LOOP_WAIT, LOOP_WAIT.replace("1", "2"), RACE, "cp.async.bulk.tensor"),
    ("no wait for a wgmma in the loop", LOOP_WAIT, "", RACE, "cp.async.bulk.tensor"),
    ("accumulators used before they are there", LAST_WAIT, "", COPYING, "func.call @store_pair"),
    ("no commit", COMMIT, "", f"{COPYING}|{RACE}", None),
    ("no barrier after the mbarriers are initialized", INIT_BARRIER, "", f"{RACE}|{UNWRITTEN}", "mbarrier"),
    ("no barrier before the tile is stored", TILE_BARRIER, "", f"{RACE}|{UNWRITTEN}", "cp.async.bulk.tensor.global"),
    ("a store that isn't waited for", STORE_END, "", COPYING, None),
    ("a tile that is aligned to 16", "@tile() {addr_space = 3 : i32, alignment = 128 : i64}",
     "@tile() {addr_space = 3 : i32, alignment = 16 : i64}", "misaligned access", "cp.async.bulk.tensor.global"),
    ("shared memory too small", {"shared": 40960}, None, "out-of-bounds access", "cp.async.bulk.tensor"),
    ("another swizzle for reading", "4611686293305360384", "-9223371761976803328", None, None),
    ("another column of K", "%b_desc = arith.addi %b_first, %step", "%b_desc = arith.addi %a_first, %step", None, None),
]  # fmt: skip

# Edges in M and K, more tiles than stages.
MUTATED_SHAPE = (70, 64, 456)

if __name__ == "__main__":
    check_kernel(sys.argv[1], Kernel, SHAPES, MUTATIONS, MUTATED_SHAPE)
