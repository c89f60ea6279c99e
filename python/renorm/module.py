"""Modules: MLIR with the `norm` dialect."""

import json
import pathlib
import tempfile

from . import _renorm
from .function import Function, check_target
from .kernels import find_toolkit


class Module:
    """An MLIR module. `str(module)` is its text.

    All methods raise `renorm.MLIRError`, which carries MLIR's diagnostics, where MLIR refuses. Two threads may use
    one module; they then take turns.
    """

    def __init__(self, handle):
        self._handle = handle

    @classmethod
    def parse(cls, source, name="<string>"):
        """Returns the module that `source` holds: a str of MLIR's text, or bytes of text or bytecode.

        Diagnostics call the source `name`.
        """
        return cls(_renorm.Module.parse(source.encode() if isinstance(source, str) else bytes(source), name))

    @classmethod
    def from_file(cls, path):
        """Returns the module in the file at `path`. Raises OSError if it can't be read."""
        return cls.parse(pathlib.Path(path).read_bytes(), str(path))

    def __str__(self):
        return str(self._handle)

    def clone(self):
        """Returns a copy that changes on its own."""
        return Module(self._handle.clone())

    def run_pipeline(self, pipeline):
        """Runs passes over the module and returns the list of diagnostics, such as remarks, that they emitted.

        `pipeline` is what mlir-opt takes as --pass-pipeline: "builtin.module(norm-raise,canonicalize)". The
        builtin.module around it may be left out. If a pass fails, the module stays as it was.
        """
        return self._handle.run_pipeline(pipeline)

    def report(self):
        """Returns where the module normalizes, as a dict: the JSON of the pass norm-report, which documents it.

        It speaks about ops of the `norm` dialect; run "norm-raise" first on IR that another tool wrote.
        """
        return json.loads(self.report_text("json"))

    def report_text(self, format="text"):
        """Returns the same as a table for people, or as the text of the JSON."""
        return self._output_of("norm-report", f"format={format}")

    def lint(self, severity=()):
        """Returns the known mistakes that the pass norm-lint finds, as a list of dicts: its JSON, which it documents.

        `severity` lists changes of what a finding is taken for, such as "unbounded-logits=ignore". It speaks about
        ops of the `norm` dialect; run "norm-raise" first on IR that another tool wrote.
        """
        return json.loads(self.lint_text(severity))["findings"]

    def lint_text(self, severity=()):
        """Returns the same as the text of the JSON."""
        given = f" severity={','.join(severity)}" if severity else ""
        return self._output_of("norm-lint", f"format=json{given}")

    def _output_of(self, name, options):
        """Returns what the pass `name` writes to the file that is its option `output`."""
        with tempfile.TemporaryDirectory(prefix="renorm-") as directory:
            output = pathlib.Path(directory, "output")
            self.run_pipeline(f"{name}{{{options} output={output}}}")
            return output.read_text()

    def compile(self, target="cpu", entry=None, pipeline=None, f32_precision="ieee"):
        """Compiles a function and returns it, a callable over numpy arrays.

        `target` is

        - "cpu", the machine at hand;
        - "emulator": norms and matmuls become kernels for an NVIDIA GPU (norm-fuse, convert-norm-to-gpu), which an
          emulator runs on this machine, slowly; a kernel that does something wrong, such as a data race, is a DeviceError
          when the function is called;
        - "cuda": the same kernels on an NVIDIA GPU of compute capability 8.0 or later, by its driver. DeviceError if there
          is none. Kernels that call functions such as exp need the CUDA toolkit's libdevice here.

        `entry` names the function; without it the module must have one public function with a body. `pipeline`
        takes the module, which itself stays as it is, from tensors to the LLVM dialect; if not given, it is
        "renorm-to-llvm{check-shapes=true}" with the vector-bits of this processor, "renorm-to-nvvm{format=llvm}" for the
        emulator, or "renorm-to-nvvm{format=isa}" with the chip of the GPU.

        `f32_precision` is how kernels of a GPU multiply f32: "ieee", or "tf32", which rounds the factors to 10 bits of
        mantissa for tensor cores.
        """
        check_target(target)
        if f32_precision not in ("ieee", "tf32"):
            raise ValueError(f"expected 'ieee' or 'tf32' as f32_precision, but got {f32_precision!r}")
        if f32_precision == "tf32" and target == "cpu":
            raise ValueError("expected f32_precision 'ieee' for target 'cpu', but got 'tf32'")
        kernel_options = f"f32-precision={f32_precision}"
        toolkit = find_toolkit()
        if target == "cuda" and toolkit:
            kernel_options += f" toolkit={toolkit}"
        return Function(_renorm.Function.compile(self._handle, target, entry, pipeline, kernel_options), target)
