"""What sm_90 adds, each instruction against what the PTX ISA says of it: mbarriers, bulk and tensor copies, wgmma."""

import pathlib
import subprocess
import tempfile

import numpy as np
from emulate import LANES
from numerics import UNIT, decode, encode

random = np.random.default_rng(0)

DECLARATIONS = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1),
    i32, i16, i64, i1 immarg, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32 immarg)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
@barrier = internal addrspace(3) global i64 undef, align 8
"""


def run(text, arguments, block, outputs, shared=0):
    """Runs the kernel of `text`; returns the bytes of the arguments whose indices are in `outputs`. An argument is text
    for `--arg`, in which FILE stands for a file with the bytes of an array, given beside it."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.ll").write_text(DECLARATIONS + text)
        command = ["renorm-emulate", folder / "kernel.ll", f"--block={block}", "--seeds=3", f"--shared={shared}"]
        for index, (form, array) in enumerate(arguments):
            if array is not None:
                array.tofile(folder / f"in{index}")
            command.append("--arg=" + form.replace("FILE", f"{folder}/in{index}"))
        command += [f"--write={index}:{folder}/out{index}" for index in outputs]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert process.returncode == 0, process.stderr
        return [np.fromfile(folder / f"out{index}", np.uint8) for index in outputs]


# A kernel of 32 threads whose first one starts a load of BYTES, and all of which then copy WORDS words each.
LOAD = """
@tile = internal addrspace(3) global [BYTES x i8] undef, align 1024
define ptx_kernel void @k(PARAMETERS) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %start, label %wait
start:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @barrier, i32 1)
  %to = addrspacecast ptr addrspace(3) @tile to ptr addrspace(7)
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @barrier, i32 BYTES)
  LOADING
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @barrier, i32 0)
  br label %loop
loop:
  %i = phi i32 [ %tid, %wait ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(1) %q
  %next = add i32 %i, 32
  %more = icmp ult i32 %next, WORDS
  br i1 %more, label %loop, label %end
end:
  ret void
}
"""


def load(bytes, parameters, loading):
    text = LOAD.replace("BYTES", str(bytes)).replace("WORDS", str(bytes // 4))
    return text.replace("PARAMETERS", parameters + ", ptr addrspace(1) %out").replace("LOADING", loading)


def test_bulk():
    """There and back."""
    data = random.integers(0, 256, 1024).astype(np.uint8)
    text = load(1024, "ptr addrspace(1) %in", """call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(
        ptr addrspace(7) %to, ptr addrspace(3) @barrier, ptr addrspace(1) %in, i32 1024, i16 0, i64 0, i1 0, i1 0)""")
    waiting = """%d = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @barrier, i32 0)
  br label %loop"""
    polling = """br label %poll
poll:
  %d = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @barrier, i32 0)
  br i1 %d, label %loop, label %poll"""
    assert waiting in text
    for variant in (text, text.replace(waiting, polling).replace("[ %tid, %wait ]", "[ %tid, %poll ]")):
        (result,) = run(variant, [("i8[1024]@FILE", data), ("i8[1024]", None)], 32, [1])
        assert (result == data).all()
    text = """
@tile = internal addrspace(3) global [32 x i32] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %tid
  store i32 %tid, ptr addrspace(3) %p
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %store, label %end
store:
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) @tile, i32 64, i64 0,
      i1 0)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
end:
  ret void
}
"""
    (result,) = run(text, [("i32[32]:7", None)], 32, [0])
    assert (result.view(np.int32) == [*range(16), *[7] * 16]).all()


def swizzled(tile, bytes):
    """The rows of a tile, 16 bytes at a time, where a swizzle of `bytes` puts them: address bits 4 and up are
    exclusive-or'ed with bits 7 and up."""
    flat = tile.reshape(-1).view(np.uint8).reshape(-1, 16)
    result = np.empty_like(flat)
    for chunk, content in enumerate(flat):
        result[chunk ^ (chunk >> 3 & {0: 0, 32: 1, 64: 3, 128: 7}[bytes])] = content
    return result.reshape(-1)


def test_tensor_loads():
    """A box that is partly, in some dimensions before and in some behind, outside of a tensor."""
    for shape, box, at, swizzle in (
        ((20, 72), (16, 64), (0, 0), 128), ((20, 72), (16, 64), (10, 40), 128), ((20, 72), (16, 32), (-3, -5), 64),
        ((20, 72), (16, 16), (8, 60), 32), ((20, 72), (16, 64), (4, 16), 0), ((40,), (64,), (-8,), 0),
        ((3, 5, 16), (2, 4, 16), (2, -1, 0), 0), ((2, 3, 4, 8), (2, 2, 2, 8), (1, 0, 3, 0), 0),
    ):  # fmt: skip
        rank = len(shape)
        tensor = random.integers(0, 2**16, shape).astype(np.uint16)
        padded = np.pad(tensor, [(128, 128)] * rank) if rank < 3 else np.pad(tensor, [(8, 24)] * rank)
        before = 128 if rank < 3 else 8
        expected = padded[tuple(slice(before + a, before + a + b) for a, b in zip(at, box))]
        name = f"llvm.nvvm.cp.async.bulk.tensor.g2s.tile.{rank}d"
        coordinates = ", ".join(f"i32 {a}" for a in reversed(at))
        text = load(2 * int(np.prod(box)), "ptr byval([128 x i8]) align 64 %map", f"""call void @{name}(
            ptr addrspace(7) %to, ptr addrspace(3) @barrier, ptr %map, {coordinates}, i16 0, i64 0, i1 0, i1 0, i32 0)""")
        text += f"""
declare void @{name}(ptr addrspace(7), ptr addrspace(3), ptr, {", ".join(["i32"] * rank)}, i16, i64, i1 immarg,
    i1 immarg, i32 immarg)
"""
        extents = "x".join(map(str, shape))
        form = f"map:{'x'.join(map(str, box))}:{swizzle}:i16[{extents}]@FILE"
        (result,) = run(text, [(form, tensor), (f"i16[{expected.size}]", None)], 32, [1])
        assert (result == swizzled(np.ascontiguousarray(expected), swizzle)).all(), (shape, box, at, swizzle)


def test_phases():
    """32 arrivals complete a phase, of which a state that was returned before tells; two phases."""
    text = """
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %start, label %begin
start:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @barrier, i32 32)
  br label %begin
begin:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %phase
phase:
  %n = phi i32 [ 0, %begin ], [ %next, %done ]
  %p = getelementptr i32, ptr addrspace(3) @numbers, i32 %tid
  %number = add i32 %n, %tid
  store i32 %number, ptr addrspace(3) %p
  %state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @barrier)
  br label %wait
wait:
  %d = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @barrier, i64 %state)
  br i1 %d, label %read, label %wait
read:
  %other = xor i32 %tid, 31
  %q = getelementptr i32, ptr addrspace(3) @numbers, i32 %other
  %v = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %v, ptr addrspace(1) %r
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %done
done:
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %phase, label %end
end:
  ret void
}
@numbers = internal addrspace(3) global [32 x i32] undef, align 4
"""
    (result,) = run(text, [("i32[32]", None)], 32, [0])
    assert (result.view(np.int32) == 31 - np.arange(LANES) + 2).all()


# Where number i of a warpgroup's fragment is: "Register fragments for wgmma.mma_async", D.
def place(thread, i):
    warp, lane = divmod(thread, 32)
    return 16 * warp + lane // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + lane % 4 * 2 + i % 2


def test_wgmma():
    """Without swizzle: 8x8 matrices of 128 bytes, those of two columns of K 128 bytes apart and those of rows 256."""
    for element, n, scale_a, scale_d in (("bf16", 8, 1, 1), ("f16", 8, -1, 1), ("bf16", 72, 1, 0), ("f16", 256, 1, 1)):
        a, b, c = (random.standard_normal(shape) for shape in ((64, 16), (n, 16), (64, n)))
        encoded = [encode(x, element).view(np.uint16) for x in (a, b)]
        a, b = (decode(encode(x, element), element) for x in (a, b))
        c = c.astype(np.float32)
        # [row / 8][K / 8][row % 8][K % 8]
        shared = np.concatenate([x.reshape(-1, 8, 2, 8).transpose(0, 2, 1, 3).reshape(-1) for x in encoded])
        registers = n // 2
        outputs = ", ".join(f"${i}" for i in range(registers))
        asm = (
            f"{{\\0A.reg .pred p;\\0Asetp.ne.b32 p, ${2 * registers + 2}, 0;\\0Awgmma.mma_async.sync.aligned."
            f"m64n{n}k16.f32.{element}.{element} {{{outputs}}}, ${2 * registers}, ${2 * registers + 1}, p, "
            f"${2 * registers + 3},  ${2 * registers + 4}, ${2 * registers + 5},  ${2 * registers + 6};\\0A}}\\0A"
        )
        constraints = ",".join(["=f"] * registers + [str(i) for i in range(registers)] + ["l", "l"] + ["n"] * 5)
        struct = "{ " + ", ".join(["float"] * registers) + " }"
        words = shared.size // 2

        def lines(form):
            return "\n".join(form.replace("#", str(i)) for i in range(registers))

        text = f"""
@operands = internal addrspace(3) global [{words} x i32] undef, align 128
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %c, ptr addrspace(1) %out) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %copy
copy:
  %i = phi i32 [ %tid, %entry ], [ %next, %copy ]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %q = getelementptr i32, ptr addrspace(3) @operands, i32 %i
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(3) %q
  %next = add i32 %i, 128
  %more = icmp ult i32 %next, {words}
  br i1 %more, label %copy, label %multiply
multiply:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %address = ptrtoint ptr addrspace(3) @operands to i32
  %sixteenths = lshr i32 %address, 4
  %low = and i32 %sixteenths, 16383
  %wide = zext i32 %low to i64
  %da = or i64 %wide, {8 << 16 | 16 << 32}
  %db = add i64 %da, {64 * 16 * 2 // 16}
  %first = mul i32 %tid, {registers}
  {lines("%i# = add i32 %first, #")}
  {lines("%p# = getelementptr float, ptr addrspace(1) %c, i32 %i#")}
  {lines("%c# = load float, ptr addrspace(1) %p#")}
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call {struct} asm sideeffect "{asm}", "{constraints}"({", ".join(f"float %c{i}" for i in range(registers))}, \
i64 %da, i64 %db, i32 {scale_d}, i32 {scale_a}, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  {lines(f"%d# = extractvalue {struct} %d, #")}
  {lines("%q# = getelementptr float, ptr addrspace(1) %out, i32 %i#")}
  {lines("store float %d#, ptr addrspace(1) %q#")}
  ret void
}}
"""
        places = np.array([[place(thread, i) for i in range(registers)] for thread in range(128)])
        rows, columns = places[..., 0], places[..., 1]
        arguments = [(f"i16[{shared.size}]@FILE", shared), (f"f32[{64 * n}]@FILE", c[rows, columns])]
        (result,) = run(text, arguments + [(f"f32[{64 * n}]", None)], 128, [2])
        expected = scale_a * a @ b.T + scale_d * c
        bound = UNIT["f32"] * (np.abs(a) @ np.abs(b.T) + np.abs(c))
        error = np.abs(result.view(np.float32).reshape(128, registers) - expected[rows, columns])
        assert (error <= bound[rows, columns]).all(), (element, n, error.max())


def main():
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} groups of instructions")


if __name__ == "__main__":
    main()
