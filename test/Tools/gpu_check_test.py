"""The parts of tools/gpu-check without a GPU: the launcher and the small programs of each kind by the emulator, the order of
what is measured by a clock that is made up, and the arithmetic of the table."""

import dataclasses
import os
import pathlib
import tempfile

import numpy as np
from gpu_check import benchmark, chains, launch, prepare, table
from gpu_check.devices import EmulatedDevice
from gpu_check.run import choose_chip
from numerics import decode, encode

ROWS = (5, 40)
CHAIN = chains.Chain("swiglu-rms", "SwiGLU, RMSNorm", "rms", 160, 64, 136, "swiglu", False, False, ROWS)
PROGRAMS = [
    CHAIN,
    dataclasses.replace(CHAIN, name="swiglu-layer", label="SwiGLU, LayerNorm", kind="layer", rows=(40,)),
    chains.Chain("gelu", "GELU", "layer", 320, 64, 72, "gelu", True, True, (40,)),
    chains.Chain("none", "none", "rms", 320, 72, 72, "none", True, True, (5,)),
    chains.Norm("add-layer", "+ residual", "layer", 100, True, ROWS),
    chains.Norm("rms", "alone", "rms", 96, False, ROWS),
]


class Clock(EmulatedDevice):
    """A device whose time is made up."""

    def __init__(self, driver, seconds):
        super().__init__(driver)
        self._seconds = iter(seconds)

    def time(self, call):
        call()
        self.synchronize()
        return next(self._seconds)


def raises(kind, text, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"expected {kind.__name__}: {text}")


def test_sizes():
    shapes = [(7, 64), (3,)]
    rows = {"input": 0, "dimension": 0}
    assert launch.evaluate(12, shapes) == 12 and launch.evaluate(rows, shapes) == 7
    tiles = {"operation": "ceildivui", "operands": [rows, 4]}
    assert launch.evaluate({"operation": "muli", "operands": [tiles, {"input": 1, "dimension": 0}]}, shapes) == 6
    raises(ValueError, "but got null", launch.evaluate, None, shapes)
    raises(ValueError, "shli", launch.evaluate, {"operation": "shli", "operands": [1, 2]}, shapes)
    assert launch.parse_type("memref<?x32xf32>") == ([None, 32], "f32")
    assert launch.parse_type("memref<bf16>") == ([], "bf16")
    raises(ValueError, "expected the type", launch.parse_type, "index")


def test_chips():
    chips = ["sm_80", "sm_86", "sm_90"]
    assert choose_chip(chips, (8, 0)) == ("sm_80", True)
    assert choose_chip(chips, (8, 9)) == ("sm_86", True)
    assert choose_chip(chips, (9, 0)) == ("sm_90", True)
    assert choose_chip(chips, (12, 0)) == ("sm_90", False)
    assert choose_chip(["sm_90"], (8, 0)) == (None, False)
    assert choose_chip(["sm_80"], (9, 0)) == ("sm_80", False)


def compile_programs(folder, programs, **options):
    for program in programs:
        for rows in program.rows:
            kernels = prepare.compile_program(program.text(rows), prepare.FUSE, "ieee", "sm_80", **options)
            kernels.write(folder / chains.name_of(program, rows))


def test_benchmark(folder, device):
    """Each kind of program gives the numbers of its formula, is measured, and is in the table."""
    measured = benchmark.Benchmark(Clock(device.driver, [1e-3] * 1000), folder, benchmark.Budget(1e6), programs=PROGRAMS)
    measured.run()
    assert [(row.program.name, row.rows) for row in measured.rows] == [(p.name, r) for p in PROGRAMS for r in p.rows]
    for row in measured.rows:
        assert row.error is None and row.seconds == {"renorm": 1e-3}, (row.name, row.error)
    assert measured.left_out == [] and measured.images == {"bitcode"}
    assert [len(each) for each in table.make_rows(measured.rows, 1e12, 1e14)] == [len(table.HEADER)] * len(measured.rows)


def test_wrong(folder, device):
    """A program whose kernels compute something else is in the table as wrong, and isn't measured."""
    program = PROGRAMS[-1]
    other = dataclasses.replace(program, kind="rms", name="rms")
    object.__setattr__(other, "reference", lambda inputs: [(1.01 * y, bound) for y, bound in program.reference(inputs)])
    measured = benchmark.Benchmark(Clock(device.driver, []), folder, benchmark.Budget(1e6), programs=[other])
    measured.run()
    assert all("wrong by" in row.error and row.seconds == {} for row in measured.rows)
    assert "wrong by" in table.make_rows(measured.rows, 1.0, 1.0)[0][2]


def test_worst(device):
    """What is off counts in bounds; a NaN, an element that nobody wrote, is infinitely far; all edges are looked at."""
    program = chains.Norm("rms", "", "rms", 4, False, (16, 40))
    case = benchmark.Case(device, program)
    assert benchmark.checked_rows(5) == [0, 1, 2, 3, 4]
    assert benchmark.checked_rows(40) == [*range(8), *range(32, 40)]
    x, scale = (device.download(case.arrays[name]) for name in ("x", "scale"))
    exact = x / np.sqrt(np.square(x).mean(1, keepdims=True) + chains.EPSILON) * scale
    assert 0 < case.worst(40, [device.upload(exact, "bf16")]) < 1
    assert 0 < case.worst(16, [device.upload(exact[:16], "bf16")]) < 1
    for row in (0, 39):
        broken = exact.copy()
        broken[row, 3] *= 1.02
        assert 2 < case.worst(40, [device.upload(broken, "bf16")]) < 6
        broken[row, 3] = np.nan
        assert case.worst(40, [device.upload(broken, "bf16")]) == np.inf
    assert case.worst(40, [device.empty((40, 4), "bf16")]) == np.inf
    raises(ValueError, "zip", case.worst, 40, [])


def test_measure():
    """Medians; each candidate in each round; no round after the budget, and three at least within it."""
    calls = []
    candidates = {name: lambda name=name: calls.append(name) for name in ("a", "b")}
    seconds = {"a": iter([3.0, 1.0, 2.0, 9.0, 9.0]), "b": iter([5.0, 4.0, 6.0, 9.0, 9.0])}

    def timer(call):
        call()
        return next(seconds[calls[-1]])

    assert benchmark.measure(candidates, timer, benchmark.Budget(1e6), seconds=1.0) == {"a": 2.0, "b": 5.0}
    assert sorted(calls[6:]) == ["a"] * 3 + ["b"] * 3
    late = benchmark.measure(candidates, timer, benchmark.Budget(-1.0), rounds=2)
    assert late == {"a": 9.0, "b": 9.0} and len(calls) == 6 + 6 + 6 + 2


def test_budget(folder, device):
    """What is left out for want of time is named, and is not in the table."""
    seconds = iter([0.0] + [0.0, 0.0, 11.0, 11.0, 11.0, 11.0])
    budget = benchmark.Budget(10.0, clock=lambda: next(seconds, 11.0))
    program = PROGRAMS[-1]
    measured = benchmark.Benchmark(Clock(device.driver, [1e-3] * 99), folder, budget, programs=[program, PROGRAMS[-2]])
    measured.run()
    assert [row.name for row in measured.rows] == ["alone, M = 5"]
    assert measured.left_out == ["alone, M = 40", "+ residual, M = 5", "+ residual, M = 40"]


def test_table():
    """Ratios, and the share of the ceiling that binds: the memory's with few rows, the tensor cores' with many."""
    layer = dataclasses.replace(CHAIN, name="other", kind="layer", label="LayerNorm")
    rows = [
        benchmark.Row(CHAIN, 5, {"renorm": 2e-6, "eager": 4e-6, "compile": 3e-6}),
        benchmark.Row(layer, 5, {"renorm": 2.5e-6, "eager": 1e-6}),
        benchmark.Row(layer, 40, error="wrong by 2 times its bound"),
    ]
    # x and a, three weights, two results; 2 m n k of three products.
    bytes = 2 * (5 * (160 + 64) + 160 * 64 + 2 * 136 * 160 + 5 * (160 + 136))
    flops = 2 * 5 * 160 * (64 + 2 * 136)
    assert (CHAIN.bytes(5), CHAIN.flops(5)) == (bytes, flops)
    by_memory = table.make_rows(rows, bandwidth=bytes / 1e-6, flops=flops / 5e-7)
    assert by_memory[0] == ["SwiGLU, RMSNorm", "5", "2", "4", "3", "0.50", "0.67", "0.80", "50 %"]
    assert by_memory[1] == ["LayerNorm", "5", "2.5", "1", "", "2.50", "", "", "40 %"]
    assert by_memory[2][:3] == ["LayerNorm", "40", "wrong by 2 times its bound"]
    assert table.make_rows(rows, bandwidth=bytes / 5e-7, flops=flops / 1.5e-6)[0][-1] == "75 %"
    assert table.make_rows(rows, None, None)[0][-1] == ""
    lines = table.format_table(["what", "M"], [["a", "5"], ["bcdef", "16"]])
    assert lines == ["| what  |  M |", "|-------|---:|", "| a     |  5 |", "| bcdef | 16 |"]
    names = [program.name for program in chains.PROGRAMS]
    assert len(set(names)) == len(names)
    assert all((chains.with_layer_norm(each, chains.PROGRAMS) is None) == (each.kind == "layer") for each in chains.PROGRAMS)


def test_inputs(folder, device):
    """Inputs that a program isn't for, and launches that the manifest doesn't describe, are refused."""
    function = launch.Function(device.driver, folder / "rms")
    x, scale = device.empty((5, 96), "bf16"), device.empty((96,), "bf16")
    raises(ValueError, "expected 2 inputs, but got 1", function.bind, device, [x])
    raises(ValueError, "as input 1, but got [5, 96] of bf16", function.bind, device, [x, x])
    raises(ValueError, "as input 0, but got [5, 96] of f32", function.bind, device, [device.empty((5, 96), "f32"), scale])
    (entry,) = function.manifest["launches"]
    entry["arguments"][0] = {"type": "memref<bf16>", "computed_by": "linalg.add"}
    raises(ValueError, "what linalg.add computes", function.bind, device, [x, scale])
    # No rows: nothing to launch.
    empty = launch.Function(device.driver, folder / "rms").bind(device, [device.empty((0, 96), "bf16"), scale])
    empty()
    assert empty.results[0].shape == (0, 96)


def test_ptx(folder, driver):
    """Machine code that the driver refuses: it gets the PTX instead."""
    program = PROGRAMS[-1]
    compile_programs(folder, [program])
    path = folder / "rms"
    with_cubin = (path / "norm_kernel_0.cubin").exists()
    assert launch.Function(driver, path).images == ({"cubin"} if with_cubin else {"ptx"})
    assert launch.Function(driver, path, use_cubin=False).images == {"ptx"}
    # The next call of cuModuleLoadData.
    calls = 3
    os.environ["STAND_IN_FAIL"] = f"cuModuleLoadData:{calls}"
    if with_cubin:
        assert launch.Function(driver, path).images == {"ptx"}
    else:
        raises(launch.DriverError, "CUDA_ERROR_OUT_OF_MEMORY", launch.Function, driver, path)
    os.environ["STAND_IN_FAIL"] = f"cuModuleLoadData:{calls + 2 if with_cubin else calls + 1}"
    raises(launch.DriverError, "CUDA_ERROR_OUT_OF_MEMORY", launch.Function, driver, path, False)
    del os.environ["STAND_IN_FAIL"]


def test_eager():
    """PyTorch computes what the formulas do, within the same bounds."""
    try:
        import torch
    except ImportError:
        print("PyTorch is not on this machine: its functions were not checked")
        return
    for program in PROGRAMS:
        rows, random = max(program.rows), np.random.default_rng(0)
        numbers, tensors = {}, {}
        for name, (shape, element, scale, mean) in program.inputs(rows).items():
            bits = encode(random.standard_normal(shape) * scale + mean, element)
            numbers[name] = decode(bits, element)
            tensors[name] = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
        results = program.eager(torch)(*program.eager_inputs(torch, tensors))
        for (expected, bound), actual in zip(program.reference(numbers), results, strict=True):
            assert (np.abs(actual.double().numpy() - expected) <= bound).all(), program.name


def main():
    driver = launch.Driver()
    device = EmulatedDevice(driver)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        # First, as it counts the calls of the driver.
        test_ptx(root / "sm_80", driver)
        folder = root / "emulator"
        compile_programs(folder, PROGRAMS, emulated=True)
        test_benchmark(folder, device)
        test_wrong(folder, device)
        test_budget(folder, device)
        test_inputs(folder, device)
    test_worst(device)
    test_sizes()
    test_chips()
    test_measure()
    test_table()
    test_eager()


if __name__ == "__main__":
    main()
