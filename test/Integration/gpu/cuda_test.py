"""`renorm run --target cuda` of whole models against float64.

A stand-in for the driver, in RENORM_LIBCUDA, gets the kernels as PTX. In their place it runs the bitcode of the same
kernels in the emulator, when the host waits for them.

usage: cuda_test.py FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
from reference import exported
from reference.check import assert_close, relative_error

import renorm
from renorm.kernels import _unescape

# File, compute capability, the chip that kernels are made for, and the bound of models_test.py.
MODELS = [("gpt2", "80", "sm_80", 1e-5), ("llama_bf16", "121", "sm_90", 2e-2)]


def write_bitcode(module, folder):
    """Writes KERNEL.bc for each kernel, and returns how many there are."""
    found = re.findall(r'gpu\.binary @(\S+)\s.*?offload = "((?:[^"\\]|\\.)*)"', str(module))
    for name, text in found:
        (folder / f"{name}.bc").write_bytes(_unescape(text))
    return len(found)


def main():
    for name, capability, chip, bound in MODELS:
        folder = pathlib.Path(sys.argv[1], name)
        folder.mkdir()
        module = renorm.Module.from_file(exported.path(name))
        module.run_pipeline(f"norm-raise,renorm-to-nvvm{{format=llvm chip={chip}}}")
        kernels = write_bitcode(module, folder)

        log, output = folder / "log", folder / "output.npz"
        command = ["run", exported.path(name), "--target", "cuda", "--input", f"arg0={exported.path(name, '.npz')}:input_ids"]
        subprocess.run(
            [sys.executable, "-m", "renorm", *command, "-o", output],
            env=os.environ | {"STAND_IN_CAPABILITY": capability, "STAND_IN_KERNELS": str(folder), "STAND_IN_LOG": str(log)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        calls = log.read_text().split("\n")
        assert calls.count(f"cuModuleLoadDataEx(option 7 = 2, option 6 = 4096, target {chip})") == kernels, name
        assert sum(each.startswith("cuLaunchKernel(") for each in calls) >= kernels > 5, name
        result, expected = np.load(output)["result0"], np.load(exported.path(name, ".npz"))["last_hidden_state_f64"]
        assert_close(result, expected, bound, name)
        print(f"{name}: {kernels} kernels, {relative_error(result, expected):.1e}")


if __name__ == "__main__":
    main()
