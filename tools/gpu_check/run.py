"""Runs what was prepared on the GPU of this machine: first the numerics, then the benchmark."""

import json
import os
import pathlib
import re
import sys
import threading

from . import benchmark, chains, checks, table
from .devices import EmulatedDevice, TorchDevice

NO_GPU = 77
# Seconds beyond the budget after which the program ends itself, whatever it waits for.
GRACE = 15


def open_gpu():
    """PyTorch and its GPU. Exits with NO_GPU, and says why, without either."""
    try:
        import torch
    except ImportError:
        leave("PyTorch is not installed")
    if not hasattr(torch.nn.functional, "rms_norm"):
        leave(f"PyTorch {torch.__version__} is older than 2.4")
    if not torch.cuda.is_available():
        leave(f"PyTorch {torch.__version__} finds no GPU")
    try:
        device = TorchDevice(torch)
    except OSError as error:
        leave(f"cannot open the driver: {error}")
    if device.capability < (8, 0):
        leave(f"{device.name} has compute capability {'%d.%d' % device.capability}, and kernels are for 8.0 and later")
    return torch, device


def leave(reason):
    print(f"gpu-check: nothing was checked: {reason}", file=sys.stderr)
    sys.exit(NO_GPU)


def choose_chip(chips, capability):
    """Which of `chips` has kernels for a GPU of `capability`, and whether it runs their machine code; else, or without
    that, the driver assembles their PTX. None if all chips are newer than the GPU."""
    numbers = {chip: divmod(int(re.fullmatch(r"sm_(\d+)", chip).group(1)), 10) for chip in chips}
    older = [chip for chip in chips if numbers[chip] <= tuple(capability)]
    if not older:
        return None, False
    chip = max(older, key=numbers.get)
    return chip, numbers[chip][0] == capability[0]


def check_numerics(folder, kernels, device, use_cubin, budget, names):
    """Runs the tests of these names on `device` and prints what failed. Returns whether none did, and the names of those
    that time did not suffice for."""
    groups = checks.Groups(device, kernels, use_cubin, budget.deadline)
    tests = [each for each in checks.find_tests(folder / "tests" / "gpu") if each[0] in names]
    failures, done = 0, 0
    try:
        for name, error in checks.run_tests(tests, groups):
            done += 1
            if error:
                failures += 1
                print(f"wrong: {name}: {error}", flush=True)
    except checks.OutOfTime:
        pass
    forms = f" ({', '.join(sorted(groups.images))})" if groups.images else ""
    print(f"numerics: {groups.calls} groups{forms} of {done} tests beside float64, {failures} tests wrong", flush=True)
    return failures == 0, [name for name, _, _ in tests[done:]]


def print_benchmark(measured, bandwidth, flops):
    if not measured.rows:
        return
    print()
    print("\n".join(table.format_table(table.HEADER, table.make_rows(measured.rows, bandwidth, flops))))
    print()
    forms = ", ".join(sorted(measured.images))
    print(f"Medians of the GPU's time, with an empty cache; kernels from {forms}; a ratio below 1: Renorm is faster.")
    for row in measured.rows:
        for note in row.notes:
            print(f"{row.name}: {note}")
    sys.stdout.flush()


def print_left_out(names):
    for name in names:
        print(f"left out for want of time: {name}")


def guard(seconds, describe):
    """Ends the program in `seconds`, whatever it waits for, after `describe` has said what there is."""

    def end():
        print("gpu-check: time is over, and the GPU, or a compiler, is not done", file=sys.stderr)
        describe()
        sys.stdout.flush()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def run(folder, seconds, only=(), numerics=True, timing=True, emulated=False):
    """Returns the exit status."""
    folder = pathlib.Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    tests = [name for name in manifest["tests"] if checks.is_chosen(name, only)] if numerics else []
    programs = [each for each in chains.PROGRAMS if each.name in manifest["programs"] and checks.is_chosen(each.name, only)]
    budget = benchmark.Budget(seconds)
    try:
        if emulated:
            kernels = folder / "kernels" / "emulator"
            passed, left_out = check_numerics(folder, kernels, EmulatedDevice(), False, budget, tests)
            print_left_out(left_out)
            return 0 if passed else 1
        return run_on_gpu(folder, manifest["chips"], tests, programs if timing else [], seconds, budget)
    except RuntimeError as error:
        # The driver's and PyTorch's: after a fault, the GPU does nothing more for this process.
        print(f"wrong: {error}", flush=True)
        return 1


def run_on_gpu(folder, chips, tests, programs, seconds, budget):
    torch, device = open_gpu()
    chip, use_cubin = choose_chip(chips, device.capability)
    if chip is None:
        print(f"gpu-check: expected kernels for {device.name}, but got those for {', '.join(chips)}", file=sys.stderr)
        return 2
    print(f"{device.name}, compute capability {'%d.%d' % device.capability}; kernels for {chip}")
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}", flush=True)
    torch.set_grad_enabled(False)
    kernels = folder / "kernels" / chip
    measured = benchmark.Benchmark(device, kernels, budget, use_cubin, programs)
    ceilings = [None, None]
    watchdog = guard(seconds + GRACE, lambda: print_benchmark(measured, *ceilings))
    passed, left_out = True, []
    try:
        if tests:
            passed, left_out = check_numerics(folder, kernels, device, use_cubin, budget, tests)
        if programs:
            ceilings[:] = device.copy_bandwidth(), device.tensor_core_flops()
            bandwidth, flops = ceilings
            print(f"ceilings: {bandwidth / 1e9:.4g} GB/s copied, {flops / 1e12:.4g} TFLOP/s of a product in bf16", flush=True)
            measured.run(torch)
    finally:
        watchdog.cancel()
        print_benchmark(measured, *ceilings)
        print_left_out(left_out + measured.left_out)
    return 0 if passed and not any(row.error for row in measured.rows) else 1
