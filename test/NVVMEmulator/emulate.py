"""Runs kernels in LLVM IR: one instruction per test, executed by the lanes of a warp."""

import pathlib
import subprocess
import tempfile

import numpy as np

LANES = 32


def run(text, arrays, outputs, block=LANES, grid=1, shared=0, seeds=2):
    """Runs the kernel of `text`, whose parameters are pointers to `arrays` and then to `outputs`, which are numbers of
    64-bit words. Returns the outputs; raises ValueError with the fault if there is one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.ll").write_text(text)
        command = ["renorm-emulate", folder / "kernel.ll", f"--grid={grid}", f"--block={block}", f"--shared={shared}"]
        command.append(f"--seeds={seeds}")
        for index, array in enumerate(arrays):
            array.tofile(folder / f"in{index}")
            command.append(f"--arg=i8[{array.nbytes}]@{folder}/in{index}")
        for index, words in enumerate(outputs):
            command.append(f"--arg=i64[{words}]")
            command.append(f"--write={len(arrays) + index}:{folder}/out{index}")
        process = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if process.returncode:
            raise ValueError(process.stderr)
        return [np.fromfile(folder / f"out{index}", np.uint64) for index in range(len(outputs))]


WIDTHS = {"i1": 1, "i16": 16, "half": 16, "bfloat": 16, "i32": 32, "float": 32, "i64": 64, "double": 64}
WIDTHS |= {"<2 x half>": 32, "<2 x bfloat>": 32}


def bits(values, type):
    """The 64-bit words that hold `values`, one for each lane."""
    if type in ("float", "double"):
        array = np.asarray(values, {"float": np.float32, "double": np.float64}[type])
        return np.broadcast_to(array.view({4: np.uint32, 8: np.uint64}[array.itemsize]), LANES).astype(np.uint64)
    mask = (1 << WIDTHS[type]) - 1
    return np.broadcast_to([int(value) & mask for value in np.atleast_1d(values)], LANES).astype(np.uint64)


def numbers(words, type):
    """What `words` hold of a type."""
    if type == "float":
        return words.astype(np.uint32).view(np.float32)
    if type == "double":
        return words.view(np.float64)
    return words


def call(callee, arguments, results):
    """Calls `callee` ("llvm.nvvm.x", or inline assembly) on every lane of a warp.
    Arguments are pairs of a type and values, one or one for each lane; a value that is text is a constant. Returns for
    each of `results`, which are types, an array over the lanes."""
    lines, operands, inputs = [], [], []
    for type, values in arguments:
        if isinstance(values, str):
            operands.append(f"{type} {values}")
            continue
        index = len(inputs)
        inputs.append(bits(values, type))
        width = WIDTHS[type]
        lines.append(f"%i{index} = add i64 %lane64, {LANES * index}")
        lines.append(f"%p{index} = getelementptr i64, ptr addrspace(1) %in, i64 %i{index}")
        lines.append(f"%w{index} = load i64, ptr addrspace(1) %p{index}")
        lines.append(f"%t{index} = " + (f"trunc i64 %w{index} to i{width}" if width < 64 else f"add i64 %w{index}, 0"))
        lines.append(f"%v{index} = bitcast i{width} %t{index} to {type}")
        operands.append(f"{type} %v{index}")
    returned = results[0] if len(results) == 1 else "{ " + ", ".join(results) + " }"
    name = callee if " " in callee else f"@{callee}"
    lines.append(f"%r = call {returned} {name}({', '.join(operands)})")
    for index, type in enumerate(results):
        width = WIDTHS[type]
        lines.append(f"%x{index} = " + (f"extractvalue {returned} %r, {index}" if len(results) > 1 else
                                        f"bitcast {type} %r to {type}"))  # fmt: skip
        lines.append(f"%y{index} = bitcast {type} %x{index} to i{width}")
        lines.append(f"%z{index} = " + (f"zext i{width} %y{index} to i64" if width < 64 else f"add i64 %y{index}, 0"))
        lines.append(f"%j{index} = add i64 %lane64, {LANES * index}")
        lines.append(f"%q{index} = getelementptr i64, ptr addrspace(1) %out, i64 %j{index}")
        lines.append(f"store i64 %z{index}, ptr addrspace(1) %q{index}")
    types = ", ".join(type for type, _ in arguments)
    declarations = {"declare i32 @llvm.nvvm.read.ptx.sreg.laneid()"}
    if " " not in callee:
        declarations.add(f"declare {returned} @{callee}({types})")
    text = f"""
{chr(10).join(declarations)}
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %lane64 = zext i32 %lane to i64
  {chr(10).join(lines)}
  ret void
}}
"""
    empty = np.zeros(1, np.uint64)
    (words,) = run(text, [np.concatenate(inputs) if inputs else empty], [LANES * len(results)])
    return [numbers(words[LANES * i : LANES * (i + 1)], type) for i, type in enumerate(results)]
