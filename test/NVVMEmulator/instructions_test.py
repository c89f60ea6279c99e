"""Each instruction against what the PTX ISA says of it, written down here once more."""

import math

import numpy as np
from emulate import LANES, call, run
from numerics import UNIT, decode, encode

random = np.random.default_rng(0)
lanes = np.arange(LANES)
ALL = ("i32", "-1")


def expect(what, actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape and (actual == expected).all(), f"{what}: expected {expected}, but got {actual}"


def words(count=LANES):
    return random.integers(0, 2**32, count)


# Shuffles ------------------------------------------------------------------------------------------------------------


def shuffled(mode, lane, b, c):
    """The pseudocode of `shfl.sync`."""
    segment, clamp = c >> 8 & 31, c & 31
    maximum, minimum = (lane & segment) | (clamp & ~segment & 31), lane & segment
    if mode == "up":
        source = lane - b
        valid = source >= maximum
    elif mode == "down":
        source = lane + b
        valid = source <= maximum
    elif mode == "bfly":
        source = lane ^ b
        valid = source <= maximum
    else:
        source = minimum | (b & ~segment & 31)
        valid = source <= maximum
    return (source if valid else lane), valid


def test_shuffles():
    values = words()
    for mode in ("up", "down", "bfly", "idx"):
        for b in (1, 3, 16):
            for width in (32, 8):
                c = (32 - width) << 8 | (0 if mode == "up" else 31)
                (result, valid) = call(f"llvm.nvvm.shfl.sync.{mode}.i32p", [ALL, ("i32", values), ("i32", b), ("i32", c)],
                                       ["i32", "i1"])  # fmt: skip
                expected = [shuffled(mode, lane, b, c) for lane in range(LANES)]
                expect(f"shfl {mode} {b} {width}", result, [values[source] for source, _ in expected])
                expect(f"shfl {mode} {b} {width}: in range", valid, [in_range for _, in_range in expected])
    (result,) = call("llvm.nvvm.shfl.sync.bfly.f32", [ALL, ("float", lanes / 3), ("i32", 5), ("i32", 31)], ["float"])
    expect("shfl f32", result, ((lanes ^ 5) / 3).astype(np.float32))
    # Segments of CUDA's warpSize / 4, a lane for each.
    (result,) = call("llvm.nvvm.shfl.sync.idx.i32", [ALL, ("i32", values), ("i32", lanes % 3), ("i32", 24 << 8 | 31)],
                     ["i32"])  # fmt: skip
    expect("shfl idx by lane", result, values[lanes // 8 * 8 + lanes % 3])


def test_votes():
    for predicates in (lanes % 3 == 0, lanes < 0, lanes >= 0):
        argument = ("i1", predicates)
        ballot = sum(1 << int(lane) for lane in lanes[predicates])
        for name, type, expected in (
            ("ballot", "i32", ballot),
            ("any", "i1", predicates.any()),
            ("all", "i1", predicates.all()),
            ("uni", "i1", predicates.all() or not predicates.any()),
        ):
            (result,) = call(f"llvm.nvvm.vote.{name}.sync", [ALL, argument], [type])
            expect(f"vote.{name}", result, [expected] * LANES)
    values = lanes % 5
    (result,) = call("llvm.nvvm.match.any.sync.i32", [ALL, ("i32", values)], ["i32"])
    expect("match.any", result, [sum(1 << int(i) for i in lanes[values == value]) for value in values])
    for values, expected in ((lanes * 0 + 7, 1), (lanes // 31, 0)):
        result, is_same = call("llvm.nvvm.match.all.sync.i32p", [ALL, ("i32", values)], ["i32", "i1"])
        expect("match.all", result, [0xFFFFFFFF * expected] * LANES)
        expect("match.all: same", is_same, [expected] * LANES)
    leader, is_leader = call("llvm.nvvm.elect.sync", [ALL], ["i32", "i1"])
    expect("elect", leader, [0] * LANES)
    expect("elect: leader", is_leader, lanes == 0)


def test_reductions():
    values = words()
    signed = values.astype(np.int32).astype(np.int64)
    for name, expected in (
        ("add", values.sum()),
        ("umin", values.min()),
        ("umax", values.max()),
        ("min", signed.min()),
        ("max", signed.max()),
        ("and", np.bitwise_and.reduce(values | 3)),
        ("or", np.bitwise_or.reduce(values)),
        ("xor", np.bitwise_xor.reduce(values)),
    ):
        argument = values | 3 if name == "and" else values
        (result,) = call(f"llvm.nvvm.redux.sync.{name}", [("i32", argument), ALL], ["i32"])
        expect(f"redux.{name}", result, [int(expected) & 0xFFFFFFFF] * LANES)
    # Half-warps that do the same, each on its own.
    halves = np.where(lanes < 16, 0xFFFF, 0xFFFF0000)
    (result,) = call("llvm.nvvm.redux.sync.add", [("i32", lanes), ("i32", halves)], ["i32"])
    expect("redux of halves", result, [sum(range(16))] * 16 + [sum(range(16, 32))] * 16)


def test_special_registers():
    for name, expected in (
        ("tid.x", lanes), ("tid.y", 0 * lanes), ("ntid.x", 0 * lanes + 32), ("nctaid.z", 0 * lanes + 1),
        ("laneid", lanes), ("warpid", 0 * lanes), ("warpsize", 0 * lanes + 32), ("lanemask.eq", 1 << lanes),
        ("lanemask.lt", (1 << lanes) - 1), ("lanemask.le", (2 << lanes) - 1),
        ("lanemask.gt", 0xFFFFFFFF & ~((2 << lanes) - 1)), ("lanemask.ge", 0xFFFFFFFF & ~((1 << lanes) - 1)),
    ):  # fmt: skip
        (result,) = call(f"llvm.nvvm.read.ptx.sreg.{name}", [], ["i32"])
        expect(name, result, expected)


# Matrices ------------------------------------------------------------------------------------------------------------


def load_matrix(count, is_transposed, rows, order):
    """Lane i stores row i, 16 bytes, and addresses row `order[i]`."""
    types = ", ".join(["i32"] * count)
    returned = f"{{ {types} }}" if count > 1 else "i32"
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{count}.{'trans.' if is_transposed else ''}b16.p3"
    stores = "\n".join(
        f"%e{i} = {f'extractvalue {returned} %r, {i}' if count > 1 else 'add i32 %r, 0'}\n"
        f"%f{i} = zext i32 %e{i} to i64\n%g{i} = add i32 %lane, {LANES * i}\n"
        f"%h{i} = getelementptr i64, ptr addrspace(1) %out, i32 %g{i}\nstore i64 %f{i}, ptr addrspace(1) %h{i}"
        for i in range(count)
    )
    text = f"""
@rows = internal addrspace(3) global [32 x <4 x i32>] undef, align 16
declare {returned} @{name}(ptr addrspace(3))
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %order, ptr addrspace(1) %out) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %lane
  %row = load <4 x i32>, ptr addrspace(1) %p
  %q = getelementptr <4 x i32>, ptr addrspace(3) @rows, i32 %lane
  store <4 x i32> %row, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s = getelementptr i32, ptr addrspace(1) %order, i32 %lane
  %wanted = load i32, ptr addrspace(1) %s
  %from = getelementptr <4 x i32>, ptr addrspace(3) @rows, i32 %wanted
  %r = call {returned} @{name}(ptr addrspace(3) %from)
  {stores}
  ret void
}}
"""
    (result,) = run(text, [rows, order.astype(np.int32)], [LANES * count])
    return result.reshape(count, LANES)


def test_ldmatrix():
    rows = random.integers(0, 2**16, (LANES, 8)).astype(np.uint16)
    order = random.permutation(LANES)
    for count in (1, 2, 4):
        for is_transposed in (False, True):
            result = load_matrix(count, is_transposed, rows, order)
            for matrix in range(count):
                elements = rows[order[8 * matrix : 8 * matrix + 8]].astype(np.uint64)
                if is_transposed:
                    elements = elements.T
                expected = [elements[i // 4, i % 4 * 2] | elements[i // 4, i % 4 * 2 + 1] << 16 for i in range(LANES)]
                expect(f"ldmatrix x{count} {is_transposed}", result[matrix], np.array(expected, np.uint64))


# Where lane `lane` has number i of a fragment: the figures of "Matrix fragments for mma.m16n8k...".
def place_a(lane, i, k, is_packed):
    group, member = lane >> 2, lane % 4
    if not is_packed:
        return group if i in (0, 2) else group + 8, member if i < 2 else member + 4
    row = group if i in (0, 1, 4, 5) else group + 8
    return row, member * 2 + (i & 1) + (8 if i >= 4 else 0)


def place_b(lane, i, k, is_packed):
    group, member = lane >> 2, lane % 4
    if not is_packed:
        return member + 4 * i, group
    return member * 2 + (i & 1) + (8 if i >= 2 else 0), group


def place_c(lane, i):
    return (lane >> 2) + (8 if i >= 2 else 0), lane % 4 * 2 + (i & 1)


def fragments(matrix, place, count, encoded, is_packed):
    """A word for each register and lane."""
    numbers = np.array([[encoded[place(lane, i)] for lane in range(LANES)] for i in range(count)], np.uint64)
    return numbers[0::2] | numbers[1::2] << 16 if is_packed else numbers


def test_mma():
    for name, k, element, accumulator in (
        ("bf16", 16, "bf16", "f32"), ("bf16", 8, "bf16", "f32"), ("f32.f32", 16, "f16", "f32"),
        ("f32.f32", 8, "f16", "f32"), ("f16.f16", 16, "f16", "f16"), ("tf32", 8, "tf32", "f32"),
        ("tf32", 4, "tf32", "f32"),
    ):  # fmt: skip
        is_packed = element != "tf32"
        a, b, c = (random.standard_normal(shape) for shape in ((16, k), (k, 8), (16, 8)))

        def encoded(array, type):
            if type in ("f32", "tf32"):
                return array.astype(np.float32).view(np.uint32)
            return encode(array, type).view(np.uint16)

        a_bits, b_bits, c_bits = encoded(a, element), encoded(b, element), encoded(c, accumulator)
        if element == "tf32":
            # The low 13 bits don't count, whatever they are.
            a, b = (((x >> 13) << 13).view(np.float32).astype(np.float64) for x in (a_bits, b_bits))
        else:
            a, b = (decode(encode(x, element), element) for x in (a, b))
        c = decode(encode(c, accumulator), accumulator)
        a_words = fragments(a, lambda lane, i: place_a(lane, i, k, is_packed), 16 * k // 32, a_bits, is_packed)
        b_words = fragments(b, lambda lane, i: place_b(lane, i, k, is_packed), 8 * k // 32, b_bits, is_packed)
        c_words = fragments(c, place_c, 4, c_bits, accumulator == "f16")
        input_type = "<2 x half>" if element == "f16" else "i32"
        c_type = "<2 x half>" if accumulator == "f16" else "float"
        arguments = [(input_type, x) for x in a_words] + [(input_type, x) for x in b_words]
        for word in c_words:
            arguments.append((c_type, word if accumulator == "f16" else word.astype(np.uint32).view(np.float32)))
        results = call(f"llvm.nvvm.mma.m16n8k{k}.row.col.{name}", arguments, [c_type] * len(c_words))
        expected = a @ b + c
        bound = UNIT[accumulator] * (np.abs(a) @ np.abs(b) + np.abs(c))
        for lane in range(LANES):
            for i in range(4):
                if accumulator == "f16":
                    half = np.array(int(results[i // 2][lane]) >> 16 * (i % 2) & 0xFFFF, np.uint16)
                    value = float(half.view(np.float16))
                else:
                    value = float(results[i][lane])
                place = place_c(lane, i)
                assert abs(value - expected[place]) <= bound[place], (name, k, place, value, expected[place])


# Arithmetic ----------------------------------------------------------------------------------------------------------


def close(what, actual, expected, units=4):
    expected = np.asarray(expected, np.float64)
    error = np.abs(actual.astype(np.float64) - expected)
    with np.errstate(over="ignore"):
        rounded = expected.astype(np.float32)
    good = (error <= units * UNIT["f32"] * np.abs(expected)) | (actual == rounded)
    assert (good | (np.isnan(actual) & np.isnan(expected))).all(), f"{what}: expected {expected}, but got {actual}"


def test_floats():
    x = np.concatenate([random.standard_normal(24) * 4, [0.0, 1.0, -1.0, 0.5, 30.0, 1e-3, -20.0, 3.0]])
    x = x.astype(np.float32)
    positive = np.abs(x) + np.float32(0.01)
    erf = np.vectorize(math.erf)
    exact = x.astype(np.float64)
    root = positive.astype(np.float64)
    for name, argument, expected in (
        ("llvm.nvvm.ex2.approx.f32", x, np.exp2(exact)), ("llvm.nvvm.ex2.approx.ftz.f32", x, np.exp2(exact)),
        ("llvm.nvvm.lg2.approx.f", positive, np.log2(root)), ("llvm.nvvm.rcp.approx.ftz.f", positive, 1 / root),
        ("llvm.nvvm.rsqrt.approx.ftz.f", positive, 1 / np.sqrt(root)), ("llvm.nvvm.sqrt.approx.f", positive, np.sqrt(root)),
        ("llvm.nvvm.rsqrt.approx.f", positive, 1 / np.sqrt(root)), ("llvm.nvvm.sin.approx.f", x, np.sin(exact)),
        ("llvm.nvvm.saturate.f", x, np.clip(exact, 0, 1)), ("llvm.nvvm.fabs.f32", x, np.abs(exact)),
        ("llvm.fabs.f32", x, np.abs(exact)), ("llvm.sqrt.f32", positive, np.sqrt(root)),
        ("__nv_expf", x, np.exp(exact)), ("__nv_tanhf", x, np.tanh(exact)), ("__nv_erff", x, erf(exact)),
        ("__nv_rsqrtf", positive, 1 / np.sqrt(root)), ("__nv_fast_expf", x, np.exp(exact)),
        ("__nv_log1pf", positive, np.log1p(root)), ("__nv_exp2f", x, np.exp2(exact)), ("__nv_cosf", x, np.cos(exact)),
        ('asm "tanh.approx.f32 $0, $1;", "=f,f"', x, np.tanh(exact)),
        ('asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"', x, np.exp2(exact)),
        ('asm sideeffect "rcp.approx.ftz.f32 \\09$0,$1;", "=f,f"', positive, 1 / root),
    ):  # fmt: skip
        (result,) = call(name, [("float", argument)], ["float"])
        close(name, result, expected)
    (result,) = call("__nv_exp", [("double", x.astype(np.float64))], ["double"])
    assert np.allclose(result, np.exp(exact), rtol=1e-15, atol=0)
    (result,) = call("__nv_powf", [("float", positive), ("float", x)], ["float"])
    close("pow", result, root**exact, units=8)
    y, z = x[::-1].copy(), np.roll(x, 5)
    (result,) = call("llvm.nvvm.fma.rn.f", [("float", x), ("float", y), ("float", z)], ["float"])
    # Of numbers of 24 bits, exact in double but for the last bit.
    close("fma", result, exact * y.astype(np.float64) + z.astype(np.float64), units=1.01)
    for rounding, direction in (("rz", None), ("rm", -np.inf), ("rp", np.inf)):
        (result,) = call(f"llvm.nvvm.add.{rounding}.f", [("float", x), ("float", y)], ["float"])
        sums = exact + y.astype(np.float64)
        if direction is None:
            assert (np.abs(result) <= np.abs(sums)).all(), "add.rz"
        else:
            assert (result >= sums if direction > 0 else result <= sums).all(), f"add.{rounding}"
        close(f"add.{rounding}", result, sums)
    subnormal = np.full(LANES, 1e-40, np.float32)
    (flushed,) = call("llvm.nvvm.add.rn.ftz.f", [("float", subnormal), ("float", subnormal)], ["float"])
    (kept,) = call("llvm.nvvm.add.rn.f", [("float", subnormal), ("float", subnormal)], ["float"])
    expect("ftz", flushed, 0 * subnormal)
    expect("no ftz", kept, 2 * subnormal)


def test_conversions():
    x = (random.standard_normal(LANES) * 100).astype(np.float32)
    # Ties of both types, to an even number below and above.
    x[:7] = [1e-6, 1e-8, 70000, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-11, 1 + 3 * 2.0**-11]
    y = x[::-1].copy()
    for element, type in (("bf16", "<2 x bfloat>"), ("f16", "<2 x half>")):
        with np.errstate(over="ignore"):
            high, low = (encode(v, element).view(np.uint16).astype(np.uint64) for v in (x, y))
        (result,) = call(f"llvm.nvvm.ff2{element}x2.rn", [("float", x), ("float", y)], [type])
        expect(f"ff2{element}x2", result, high << np.uint64(16) | low)
        # LLVM's own conversions, there and back.
        llvm_type = {"bf16": "bfloat", "f16": "half"}[element]
        text = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %x = load float, ptr addrspace(1) %p
  %n = fptrunc float %x to {llvm_type}
  %w = fpext {llvm_type} %n to float
  %b = bitcast float %w to i32
  %z = zext i32 %b to i64
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %lane
  store i64 %z, ptr addrspace(1) %q
  ret void
}}
"""
        (result,) = run(text, [x], [LANES])
        with np.errstate(over="ignore"):
            expected = decode(encode(x, element), element).astype(np.float32)
        expect(f"fptrunc to {element}", result.astype(np.uint32).view(np.float32), expected)
    (result,) = call("llvm.nvvm.f2tf32.rna", [("float", x)], ["i32"])
    expect("f2tf32", result, (x.view(np.uint32).astype(np.uint64) + 0x1000) & 0xFFFFE000)
    a, b = words(), words()
    selectors = random.integers(0, 0x8000, LANES) & 0x7777
    (result,) = call("llvm.nvvm.prmt", [("i32", a), ("i32", b), ("i32", selectors)], ["i32"])
    both = [int(x) | int(y) << 32 for x, y in zip(a, b)]
    expect("prmt", result, [sum((pair >> 8 * (int(s) >> 4 * i & 7) & 255) << 8 * i for i in range(4))
                            for pair, s in zip(both, selectors)])  # fmt: skip
    (result,) = call("llvm.nvvm.mulhi.ui", [("i32", a), ("i32", b)], ["i32"])
    expect("mulhi", result, [int(x) * int(y) >> 32 for x, y in zip(a, b)])


# Copies, barriers and atomics ----------------------------------------------------------------------------------------


def test_copies():
    data = random.integers(0, 256, 16 * LANES).astype(np.uint8)
    for cache, size, bytes in (("ca", 4, 4), ("ca", 8, 8), ("ca", 16, 16), ("cg", 16, 16), ("cg", 16, 5), ("ca", 8, 0)):
        has_size = bytes != size
        name = f"llvm.nvvm.cp.async.{cache}.shared.global.{size}{'.s' if has_size else ''}"
        text = f"""
@buffer = internal addrspace(3) global [512 x i8] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @{name}(ptr addrspace(3), ptr addrspace(1){', i32' if has_size else ''})
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %offset = mul i32 %lane, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i32 %offset
  %q = getelementptr i8, ptr addrspace(3) @buffer, i32 %offset
  call void @{name}(ptr addrspace(3) %q, ptr addrspace(1) %p{f', i32 {bytes}' if has_size else ''})
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %r = getelementptr i8, ptr addrspace(1) %out, i32 %offset
  %v = load [{size} x i8], ptr addrspace(3) %q, align 4
  store [{size} x i8] %v, ptr addrspace(1) %r, align 4
  ret void
}}
"""
        (result,) = run(text, [data], [2 * LANES])
        expected = data.reshape(LANES, 16)[:, :size].copy()
        expected[:, bytes:] = 0
        expect(name, result.view(np.uint8).reshape(LANES, 16)[:, :size], expected)


def test_atomics():
    """Many threads of many blocks add to one number, in shared and then in global memory."""
    text = """
@sum = internal addrspace(3) global i32 undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %clear, label %add
clear:
  store i32 0, ptr addrspace(3) @sum
  br label %add
add:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = atomicrmw add ptr addrspace(3) @sum, i32 %tid monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %write, label %done
write:
  %s = load i32, ptr addrspace(3) @sum
  %w = zext i32 %s to i64
  %u = atomicrmw add ptr addrspace(1) %out, i64 %w monotonic
  %f = getelementptr i8, ptr addrspace(1) %in, i32 0
  %g = atomicrmw fadd ptr addrspace(1) %f, float 0.5 monotonic
  br label %done
done:
  ret void
}
"""
    (result,) = run(text, [np.zeros(1, np.float32)], [1], block=96, grid=5)
    # The output starts as -1.
    expect("atomics", result, [5 * sum(range(96)) - 1])


def test_barriers():
    """One warp produces, another consumes, by two barriers of 64 threads: the first arrives at one, and waits at the
    other."""
    text = """
@slot = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %tid, 31
  %slot = getelementptr i32, ptr addrspace(3) @slot, i32 %lane
  %producer = icmp ult i32 %tid, 32
  br i1 %producer, label %produce, label %consume
produce:
  %i = phi i32 [ 0, %entry ], [ %i1, %produce ]
  %value = add i32 %i, %lane
  store i32 %value, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 1, i32 64)
  call void @llvm.nvvm.barrier.cta.sync.count(i32 2, i32 64)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 4
  br i1 %more, label %produce, label %end
consume:
  %j = phi i32 [ 0, %entry ], [ %j1, %consume ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %consume ]
  call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 64)
  %v = load i32, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 2, i32 64)
  %sum1 = add i32 %sum, %v
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 4
  br i1 %again, label %consume, label %write
write:
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %lane
  %w = zext i32 %sum1 to i64
  store i64 %w, ptr addrspace(1) %p
  br label %end
end:
  %odd = trunc i32 %tid to i1
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  %q = getelementptr i64, ptr addrspace(1) %out, i32 32
  %c = zext i32 %count to i64
  store i64 %c, ptr addrspace(1) %q
  ret void
}
"""
    (result,) = run(text, [], [33], block=64, seeds=4)
    expect("producer and consumer", result[:32], 4 * lanes + 6)
    expect("barrier.red.popc", result[32:], [32])


def main():
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} groups of instructions")


if __name__ == "__main__":
    main()
