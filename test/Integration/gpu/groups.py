"""Makes kernels of norm.fusion groups and runs them in the emulator."""

import pathlib
import re
import subprocess
import tempfile

import numpy as np
from numerics import decode, encode, tensor_type


class Group:
    """A function of one norm.fusion.

    `inputs` has a shape and an element type for each name, as has `results`; both may contain "M", the number of rows,
    as an extent. `body` computes %<name> of each result from %<name> of the inputs; in it, {M} stands for the extent and
    T(name) for the type.
    """

    def __init__(self, inputs, results, body):
        self.inputs, self.results, self.body = inputs, results, body

    def text(self, rows, dynamic=False):
        extent = "?" if dynamic else str(rows)

        def type(shape, element):
            return tensor_type([extent if size == "M" else size for size in shape], element)

        # The argument of a tensor.empty with M rows.
        body = self.body.replace("{M}", extent).replace("{rows}", "%rows" if dynamic else "")
        body = body.replace("{rows_or_size}", "%rows" if dynamic else extent)
        types = {name: type(*spec) for name, spec in (self.inputs | self.results).items()}
        body = re.sub(r"\bT\((\w+)\)", lambda match: types[match.group(1)], body)
        parameters = ", ".join(f"%{name}_: {types[name]}" for name in self.inputs)
        bound = ", ".join(f"%{name} = %{name}_ : {types[name]}" for name in self.inputs)
        results = ", ".join(types[name] for name in self.results)
        count = len(self.results)
        values = ", ".join(f"%0#{index}" for index in range(count)) if count > 1 else "%0"
        names = ", ".join(f"%{name}" for name in self.results)
        return (
            f"func.func @main({parameters}) -> ({results}) {{\n"
            f"  %0{f':{count}' if count > 1 else ''} = norm.fusion ({bound}) -> ({results}) {{\n{body}\n"
            f"    norm.yield {names} : {results}\n  }}\n  return {values} : {results}\n}}\n"
        )

    def random_inputs(self, rows, seed, scales={}, offsets={}):
        """Numbers of each input's type, as float64: normal, with a scale and a mean for each name."""
        random = np.random.default_rng(seed)
        arrays = {}
        for name, (shape, element) in self.inputs.items():
            shape = [rows if size == "M" else size for size in shape]
            array = random.standard_normal(shape) * scales.get(name, 1) + offsets.get(name, 0)
            if name.startswith("variance"):
                array = np.square(array) + 0.25
            arrays[name] = decode(encode(array, element), element)
        return arrays


def convert(text, *passes, options=""):
    process = subprocess.run(
        ["renorm-opt", "-", f"--convert-norm-to-gpu={options}", *passes], input=text, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    assert "norm.fusion" not in process.stdout, process.stderr
    return process.stdout


LAUNCH = re.compile(
    r"blocks in \(%c(\d+), .*?\) threads in \(%c(\d+), .*?\)(?:  dynamic_shared_memory_size %c(\d+)_i32)? +args\((.*)\)"
)


def emulate(group, rows, arrays, dynamic=False, seeds=1, options=""):
    """The results of the group's kernel for `arrays`, as float64.

    With `dynamic`, the number of rows is an argument of the kernel; it is launched as that for a static number.
    `options` are those of the pass."""
    # A dynamic number of rows has the tiles of more than 64, of which one holds them too.
    launched = max(rows, 65) if dynamic and "linalg.matmul" in group.body else rows
    # Constants are named after their values.
    static = convert(group.text(launched), "--canonicalize", options=options)
    module = convert(group.text(rows, dynamic), options=options) if dynamic else static
    match = LAUNCH.search(static)
    assert match, static
    grid, block, shared, arguments = match.groups()
    if dynamic:
        arguments = re.search(r"args\((.*)\)", module).group(1)
    outputs = list(group.results.items())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.mlir").write_text(module)
        command = ["renorm-emulate", folder / "kernel.mlir", f"--grid={grid}", f"--block={block}"]
        command += [f"--shared={shared or 0}", f"--seeds={seeds}"]
        pointers = list(group.inputs.items()) + outputs
        for index, argument in enumerate(arguments.split(", ")):
            if argument.endswith("index"):
                command.append(f"--arg=i64:{rows}")
                continue
            key, (shape, element) = pointers.pop(0)
            extents = "x".join(str(rows if size == "M" else size) for size in shape)
            if key in arrays:
                encode(arrays[key], element).tofile(folder / key)
                command.append(f"--arg={element}[{extents}]@{folder}/{key}")
            else:
                command.append(f"--arg={element}[{extents}]")
                command.append(f"--write={index}:{folder}/{key}")
        process = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert process.returncode == 0, process.stderr
        results = {}
        for key, (shape, element) in outputs:
            bits = np.fromfile(folder / key, {"bf16": np.uint16, "f16": np.float16, "f32": np.float32}[element])
            results[key] = decode(bits.reshape([rows if size == "M" else size for size in shape]), element)
        return results
