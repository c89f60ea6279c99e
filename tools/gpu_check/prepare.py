"""Makes the folder that the machine with the GPU needs: kernels, the tests, and this program."""

import concurrent.futures
import json
import os
import pathlib
import shutil
import sys

import renorm
from renorm.kernels import compile_kernels

from . import chains, checks
from .devices import EmulatedDevice

FUSE = "norm-fuse{target=sm_80 weights=prepare}"


def precision_of(options):
    """The f32_precision that the options of convert-norm-to-gpu ask for."""
    given = dict(each.split("=") for each in options.split())
    precision = given.pop("f32-precision", "ieee")
    if given:
        raise ValueError(f"expected no option but f32-precision of a test, but got {options!r}")
    return precision


class Recorder(checks.Groups):
    """Runs groups in the emulator, for which it makes the kernels, and notes in `programs` what they are made of, in `users`
    the test that does."""

    def __init__(self, device, folder):
        super().__init__(device, folder)
        self.programs, self.users = {}, {}

    def find(self, group, rows, dynamic, options):
        text = group.text(rows, dynamic)
        name = checks.name_of(text, options)
        if name not in self.programs:
            self.programs[name] = text, "", precision_of(options)
            self.users[name] = self.test
            compile_program(*self.programs[name], "sm_80", emulated=True).write(self.folder / name)
        return super().find(group, rows, dynamic, options)


def compile_program(text, passes, precision, chip, emulated=False, toolkit=None):
    module = renorm.Module.parse(text)
    if passes:
        module.run_pipeline(passes)
    return compile_kernels(module, chip, toolkit, precision, emulated)


def chain_programs(only):
    """The programs of the benchmark, as those of the tests in Recorder."""
    found = {}
    for program in chains.PROGRAMS:
        for rows in program.rows:
            if checks.is_chosen(program.name, only):
                found[chains.name_of(program, rows)] = program.text(rows), FUSE, "ieee"
    return found


def copy_sources(root, folder):
    """The tests, what they import, and this program."""
    integration = root / "test" / "Integration"
    for name in ("numerics.py", "reference", "gpu"):
        source, target = integration / name, folder / "tests" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.test"), dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "tools" / "gpu_check", folder / "gpu_check", ignore=ignore, dirs_exist_ok=True)
    shutil.copy(root / "tools" / "gpu-check", folder / "gpu-check")


def prepare(root, folder, chips, only=(), toolkit=None):
    """Returns the exit status: 1 if the emulator finds a wrong number, or kernels cannot be made."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder / "kernels", ignore_errors=True)
    copy_sources(root, folder)
    tests = [each for each in checks.find_tests(folder / "tests" / "gpu") if checks.is_chosen(each[0], only)]
    measured = [program.name for program in chains.PROGRAMS if checks.is_chosen(program.name, only)]
    names = [name for name, _, _ in tests] + measured
    unknown = [each for each in only if not any(checks.is_chosen(name, [each]) for name in names)]
    if unknown:
        print(f"gpu-check: expected a test or a program, but got {', '.join(unknown)}", file=sys.stderr)
        return 2

    recorder = Recorder(EmulatedDevice(), folder / "kernels" / "emulator")
    failures = 0
    for name, error in checks.run_tests(tests, recorder):
        print(f"{name}: {error or 'passed in the emulator'}", flush=True)
        failures += error is not None
    programs = recorder.programs | chain_programs(only)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {
            (name, chip): pool.submit(compile_program, *program, chip, toolkit=toolkit)
            for chip in chips
            for name, program in programs.items()
        }
        for (name, chip), future in futures.items():
            try:
                kernels = future.result()
            except (RuntimeError, renorm.MLIRError) as error:
                print(f"{name} for {chip}: {error}", file=sys.stderr)
                failures += 1
                continue
            kernels.write(folder / "kernels" / chip / name)
            describe(f"{name} of {recorder.users[name]}" if name in recorder.users else name, chip, kernels)
    manifest = {"chips": list(chips), "tests": [name for name, _, _ in tests], "programs": measured}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"{len(programs)} programs for {', '.join(chips)} in {folder}")
    return 1 if failures else 0


def describe(name, chip, kernels):
    """Prints the registers of the programs that are measured, and every kernel that keeps some in memory."""
    for kernel in kernels.kernels.values():
        spilled = f", of which it keeps {kernel.spill_bytes} bytes in memory" if kernel.spill_bytes else ""
        if spilled or not name.startswith("group-"):
            registers = "PTX alone" if kernel.registers is None else f"{kernel.registers} registers{spilled}"
            print(f"{name} for {chip}: {kernel.name}: {registers}", flush=True)
