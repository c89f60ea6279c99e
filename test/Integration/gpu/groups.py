"""Makes kernels of norm.fusion groups and runs them in the emulator."""

import json
import os
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


def launches_of(module):
    """What norm-report-kernels says of the only function of the module."""
    command = ["renorm-opt", "-", "--norm-report-kernels", "-o", os.devnull]
    process = subprocess.run(command, input=module, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    (function,) = json.loads(process.stderr)
    return function


def emulate(group, rows, arrays, dynamic=False, seeds=1, options="", kernels=1):
    """The results of the group's kernels, of which there are `kernels`, for `arrays`, as float64.

    With `dynamic`, the number of rows is an argument of the kernels; they are launched as those for a static number.
    `options` are those of the pass."""
    # A dynamic number of rows has the tiles of more than 64, of which one holds them too, and as many blocks for each.
    is_other = dynamic and "linalg.matmul" in group.body
    launched, same = (max(rows, 65), "" if "split-k" in options else " split-k=1") if is_other else (rows, "")
    module = convert(group.text(rows, dynamic), options=options)
    function = launches_of(module)
    launches = launches_of(convert(group.text(launched), options=f"{options}{same}".strip()))["launches"]
    assert len(function["launches"]) == len(launches) == kernels, launches
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.mlir").write_text(module)
        for key, (_, element) in group.inputs.items():
            encode(arrays[key], element).tofile(folder / key)

        def array(argument):
            """An argument as the emulator takes it, and the file of a buffer."""
            if "input" in argument:
                key = list(group.inputs)[argument["input"]]
                shape, element = group.inputs[key]
                extents = "x".join(str(rows if size == "M" else size) for size in shape)
                return f"{element}[{extents}]@{folder}/{key}", None
            file = folder / f"buffer{argument['buffer']}"
            type = function["buffers"][argument["buffer"]]["type"]
            extents, element = re.fullmatch(r"memref<(.*)x(\w+)>", type.replace("?", str(rows))).groups()
            return f"{element}[{extents}]" + (f"@{file}" if file.exists() else ""), file

        for launch, sizes in zip(function["launches"], launches, strict=True):
            command = ["renorm-emulate", folder / "kernel.mlir", f"--kernel={launch['kernel']}", f"--seeds={seeds}"]
            command += [f"--{key}={','.join(map(str, sizes[key]))}" for key in ("grid", "block")]
            command += [f"--shared={sizes['shared_bytes']}"]
            for index, argument in enumerate(launch["arguments"]):
                if argument["type"] == "index":
                    command.append(f"--arg=i64:{rows}")
                    continue
                text, file = array(argument)
                command.append(f"--arg={text}")
                if file:
                    command.append(f"--write={index}:{file}")
            process = subprocess.run(command, capture_output=True, text=True, timeout=300)
            assert process.returncode == 0, process.stderr
        results = {}
        for number, buffer in enumerate(function["buffers"]):
            if "result" not in buffer:
                continue
            key, (shape, element) = list(group.results.items())[buffer["result"]]
            file = folder / f"buffer{number}"
            bits = np.fromfile(file, {"bf16": np.uint16, "f16": np.float16, "f32": np.float32}[element])
            results[key] = decode(bits.reshape([rows if size == "M" else size for size in shape]), element)
        return results
