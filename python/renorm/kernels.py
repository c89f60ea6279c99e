"""Kernels of a model for an NVIDIA GPU: their PTX and machine code, how to launch them, and what they can cost."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile


@dataclasses.dataclass(frozen=True)
class Chip:
    """What a GPU can do at most, by its maker's data sheet and the CUDA C++ Programming Guide's table of capabilities.

    gpu              a product with this chip
    tensor_flops     of products of f16 or bf16 with sums in f32, per second, without sparsity; tf32 has half of them
    f32_flops        of other arithmetic in f32, per second
    bandwidth        of its memory in bytes per second
    threads, blocks, registers, shared_bytes
                     what one multiprocessor holds
    """

    gpu: str
    tensor_flops: float
    f32_flops: float
    bandwidth: float
    threads: int
    blocks: int
    shared_bytes: int
    registers: int = 65536

    def occupancy(self, threads, registers, shared_bytes):
        """The share of a multiprocessor's threads that blocks of a kernel keep busy: 0 if none fits.

        `registers` are those of a thread, which warps get in units of 256; a block takes 1 KiB of shared memory for
        the system.
        """
        warps = -(-threads // 32)
        by_registers = self.registers // (-(-registers * 32 // 256) * 256 * warps) if registers else self.blocks
        by_shared = self.shared_bytes // (shared_bytes + 1024)
        return min(self.blocks, self.threads // (32 * warps), by_registers, by_shared) * 32 * warps / self.threads

    def seconds(self, flops, bytes, element="bf16"):
        """The least time for `flops` of a matmul of `element` and `bytes` moved (Williams et al. 2009, roofline)."""
        return max(flops / self.flops(element), bytes / self.bandwidth)

    def flops(self, element):
        """Operations of a matmul of `element` per second."""
        if element in ("bf16", "f16"):
            return self.tensor_flops
        return self.tensor_flops / 2 if element == "tf32" else self.f32_flops


CHIPS = {
    "sm_80": Chip("A100 80GB SXM", 312e12, 19.5e12, 2.039e12, 2048, 32, 164 * 1024),
    "sm_86": Chip("A40", 149.7e12, 37.4e12, 0.696e12, 1536, 16, 100 * 1024),
    "sm_89": Chip("L40S", 362e12, 91.6e12, 0.864e12, 1536, 24, 100 * 1024),
    "sm_90": Chip("H100 SXM", 989e12, 66.9e12, 3.35e12, 2048, 32, 228 * 1024),
}


@dataclasses.dataclass
class Kernel:
    """One kernel.

    ptx        its PTX, or None if it is for the emulator
    bitcode    what the emulator runs, or None if it is for a GPU
    cubin      its machine code, or None without the CUDA toolkit's ptxas
    registers  of a thread, and spill_bytes, which it keeps in memory for want of them; None without ptxas
    """

    name: str
    ptx: str | None = None
    bitcode: bytes | None = None
    cubin: bytes | None = None
    registers: int | None = None
    spill_bytes: int | None = None


@dataclasses.dataclass
class Kernels:
    """The kernels of a module, and the functions that launch them as the pass norm-report-kernels reports them.

    f32_precision  how they multiply f32: "ieee" or "tf32"
    """

    chip: str
    kernels: dict
    functions: list
    diagnostics: list
    f32_precision: str = "ieee"

    def manifest(self):
        """What a program must know to launch the files that `write` writes, as a dict for JSON."""
        return {
            "chip": self.chip,
            "kernels": {
                each.name: {
                    "ptx": f"{each.name}.ptx" if each.ptx else None,
                    "bitcode": f"{each.name}.bc" if each.bitcode else None,
                    "cubin": f"{each.name}.cubin" if each.cubin else None,
                    "registers": each.registers,
                    "spill_bytes": each.spill_bytes,
                }
                for each in self.kernels.values()
            },
            "functions": self.functions,
        }

    def write(self, folder):
        """Writes PTX or bitcode, cubins and manifest.json into `folder`, which is made if it isn't there."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for each in self.kernels.values():
            if each.ptx:
                (folder / f"{each.name}.ptx").write_text(each.ptx)
            if each.bitcode:
                (folder / f"{each.name}.bc").write_bytes(each.bitcode)
            if each.cubin:
                (folder / f"{each.name}.cubin").write_bytes(each.cubin)
        (folder / "manifest.json").write_text(json.dumps(self.manifest(), indent=2) + "\n")

    def explain(self):
        """Rows of what each launch can cost on the chip, a dict each: flops, bytes, seconds, occupancy, None where
        extents are dynamic or registers are not known."""
        chip, rows = CHIPS[self.chip], []
        for function in self.functions:
            for launch in function["launches"]:
                kernel = self.kernels[launch["kernel"]]
                flops, moved = launch.get("flops"), launch.get("bytes")
                types = (re.match(r"memref<(?:[\dx?]*x)?(\w+)", each["type"]) for each in launch["arguments"])
                element = next(match for match in types if match).group(1)
                if element == "f32" and self.f32_precision == "tf32":
                    element = "tf32"
                known = None not in (kernel.registers, launch["shared_bytes"])
                rows.append(
                    {
                        "kernel": kernel.name,
                        "flops": flops,
                        "bytes": moved,
                        "seconds": None if None in (flops, moved) else chip.seconds(flops, moved, element),
                        "occupancy": chip.occupancy(launch["block"][0], kernel.registers, launch["shared_bytes"])
                        if known
                        else None,
                    }
                )
        return rows


def _unescape(text):
    """The bytes of a string attribute as MLIR prints it."""
    plain = re.sub(r'\\(\\|"|[0-9A-Fa-f]{2})', lambda m: m[1] if m[1] in '\\"' else chr(int(m[1], 16)), text)
    return plain.encode("latin-1")


def _assemble(kernel, chip, ptxas):
    with tempfile.TemporaryDirectory(prefix="renorm-") as folder:
        source, target = pathlib.Path(folder, "kernel.ptx"), pathlib.Path(folder, "kernel.cubin")
        source.write_text(kernel.ptx)
        command = [ptxas, "-v", f"-arch={chip}", str(source), "-o", str(target)]
        process = subprocess.run(command, capture_output=True, text=True)
        if process.returncode != 0:
            raise RuntimeError(f"ptxas refuses kernel {kernel.name}:\n{process.stderr}")
        kernel.cubin = target.read_bytes()
    kernel.registers = int(re.search(r"Used (\d+) registers", process.stderr).group(1))
    kernel.spill_bytes = sum(map(int, re.findall(r"(\d+) bytes spill", process.stderr)))


def find_toolkit():
    """Returns the folder of the CUDA toolkit, that of CUDA_HOME, CUDA_PATH or CUDA_ROOT or the usual one, or None."""
    named = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT") if os.environ.get(name)]
    for folder in map(pathlib.Path, [*named, "/usr/local/cuda"]):
        if (folder / "nvvm/libdevice/libdevice.10.bc").exists():
            return folder
    return None


def compile_kernels(module, chip="sm_80", toolkit=None, f32_precision="ieee", emulated=False):
    """Returns the `Kernels` that the pipeline renorm-to-nvvm makes of `module`, which stays as it is.

    `chip` is a key of CHIPS. `toolkit` is the folder of the CUDA toolkit, by default that of `find_toolkit`: its
    libdevice has the functions such as tanh that kernels call, and its ptxas, or one on the PATH, makes machine code,
    without which kernels have PTX only. `f32_precision` is that of `Module.compile`. With `emulated`, kernels have the
    bitcode that the emulator runs instead. Raises RuntimeError if a function is missing or ptxas refuses a kernel.
    """
    if chip not in CHIPS:
        raise ValueError(f"expected one of {', '.join(CHIPS)} as chip, but got {chip!r}")
    if f32_precision not in ("ieee", "tf32"):
        raise ValueError(f"expected 'ieee' or 'tf32' as f32_precision, but got {f32_precision!r}")
    toolkit = toolkit or find_toolkit()
    ptxas = shutil.which("ptxas", path=toolkit and str(pathlib.Path(toolkit, "bin"))) or shutil.which("ptxas")
    module = module.clone()
    diagnostics = list(module.run_pipeline(f"renorm-to-nvvm{{chip={chip} format=none f32-precision={f32_precision}}}"))
    functions = json.loads(module._output_of("norm-report-kernels", ""))
    # The emulator has the functions of libdevice itself.
    options = "format=llvm" if emulated else f"format=isa toolkit={toolkit or ''}"
    module.run_pipeline(f"gpu-module-to-binary{{{options}}}")
    kernels = {}
    for name, text in re.findall(r'gpu\.binary @(\S+)\s.*?(?:assembly|offload) = "((?:[^"\\]|\\.)*)"', str(module)):
        if emulated:
            kernels[name] = Kernel(name, bitcode=_unescape(text))
            continue
        kernel = kernels[name] = Kernel(name, _unescape(text).rstrip(b"\0").decode())
        missing = re.search(r"\b__nv_\w+", kernel.ptx)
        if missing:
            raise RuntimeError(
                f"kernel {name} calls {missing.group()} of the CUDA toolkit's libdevice; expected the toolkit in CUDA_HOME"
            )
        if ptxas:
            _assemble(kernel, chip, ptxas)
    return Kernels(chip, kernels, functions, diagnostics, f32_precision)
