"""What norm-fuse says that kernels move, in real models and between two matmuls, against closed forms and the README.

usage: account_test.py README
"""

import pathlib
import re
import sys

from accounts import ELEMENTWISE, FUSED, MODELS, RAISED, account, gemm_to_gemm
from kernels import read_account, read_kernels
from reference import exported

import renorm

# The columns of a tile.
TILES = {"cpu": None, "sm_80": 128, "sm_90a": 256}
MODES = (RAISED, ELEMENTWISE, FUSED)
PREPARE = "norm-raise,norm-fold-affine{weights=prepare}"
NAMES = {
    "BERT": ("bert", "cpu"),
    "GPT-2": ("gpt2", "cpu"),
    "GPT-2, `sm_80`": ("gpt2", "sm_80"),
    "Llama": ("llama", "cpu"),
    "Llama, bf16": ("llama_bf16", "cpu"),
    "Gemma 2": ("gemma2", "cpu"),
    "OLMo 2": ("olmo2", "cpu"),
    "Qwen3": ("qwen3", "cpu"),
}


def measure(file, target):
    """(kernels, passes, bytes) in each mode."""
    module = renorm.Module.from_file(exported.path(file))
    module.run_pipeline(PREPARE)
    joined = module.clone()
    joined.run_pipeline("norm-fuse-elementwise")
    fuse = f"norm-fuse{{target={target} weights=prepare}}"
    before, after = read_account(module.run_pipeline(fuse))
    elementwise, _ = read_account(joined.run_pipeline(fuse))
    return dict(zip(MODES, (before, elementwise, after)))


def check_models():
    measured = {}
    for file in MODELS:
        for target, tile in TILES.items():
            measured[file, target] = measure(file, target)
            for mode, found in measured[file, target].items():
                expected = account(file, mode, tile)
                assert found == expected, f"{file}, {target}, {mode}: expected {expected}, but got {found}"
    # The table has the CPU's figures; what is another on a GPU has a row of its own.
    others = {file for file in MODELS if measured[file, "sm_80"] != measured[file, "cpu"]}
    listed = {file for file, target in NAMES.values() if target == "sm_80"}
    assert others == listed, f"expected rows for sm_80 of {others}, but got {listed}"
    return measured


def check_readme(text, measured):
    """The rows are: model, then of each of kernels, passes and megabytes what it is in the three modes."""
    cell = r"([\d.]+) / ([\d.]+) / ([\d.]+)"
    rows = re.findall(rf"^\| ([^|]+) \| {cell} \| {cell} \| {cell} \|$", text, re.M)
    table = {name: tuple(numbers) for name, *numbers in rows}
    assert table.keys() == NAMES.keys(), f"expected rows {list(NAMES)}, but got {list(table)}"
    for name, key in NAMES.items():
        totals = [measured[key][mode] for mode in MODES]
        kernels, passes, bytes = zip(*totals)
        expected = (*map(str, kernels), *map(str, passes), *(f"{each / 1e6:.2f}" for each in bytes))
        cells = [" / ".join(expected[begin : begin + 3]) for begin in (0, 3, 6)]
        print(f"| {name} | {' | '.join(cells)} |")
        assert table[name] == expected, f"{name}: expected {expected}, but got {table[name]}"


def between_matmuls(kind, rows, inputs, width, outputs):
    """x + y W1, and its norm times W2."""
    y, x, result = f"tensor<{rows}x{inputs}xbf16>", f"tensor<{rows}x{width}xbf16>", f"tensor<{rows}x{outputs}xf32>"
    w1, w2 = f"tensor<{inputs}x{width}xbf16>", f"tensor<{width}x{outputs}xbf16>"
    return renorm.Module.parse(f"""
func.func @main(%y: {y}, %x: {x}, %w1: {w1} {{norm.param = "w1"}}, %w2: {w2} {{norm.param = "w2"}}) -> ({x}, {result}) {{
  %zero16 = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : {x}
  %i1 = linalg.fill ins(%zero16 : bf16) outs(%e1 : {x}) -> {x}
  %branch = linalg.matmul ins(%y, %w1 : {y}, {w1}) outs(%i1 : {x}) -> {x}
  %trunk = norm.residual_add %x, %branch : {x}
  %n = norm.{kind}_norm %trunk epsilon = 1.0e-5 : {x}
  %e2 = tensor.empty() : {result}
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : {result}) -> {result}
  %r = linalg.matmul ins(%n, %w2 : {x}, {w2}) outs(%i2 : {result}) -> {result}
  return %trunk, %r : {x}, {result}
}}""")


def check_between_matmuls():
    shape = {"rows": 96, "inputs": 64, "outputs": 48}
    for kind, statistics in (("rms", 1), ("l2", 1), ("layer", 2)):
        for width in (128, 256, 320, 1024):
            for target, tile in TILES.items():
                module = between_matmuls(kind, width=width, **shape)
                before, after = read_account(module.run_pipeline(f"norm-fuse{{target={target} weights=prepare}}"))
                tiles = -(-width // tile) if tile else 1
                expected = [gemm_to_gemm(mode, width=width, statistics=statistics, tiles=tiles, **shape)
                            for mode in (RAISED, FUSED)]
                found = [(kernels, bytes) for kernels, _, bytes in (before, after)]
                assert found == expected, f"{kind}, {width}, {target}: expected {expected}, but got {found}"
                strategies = [kernel.strategies for kernel in read_kernels(module)[0]]
                assert strategies == [{"two_kernel_stats"}, {"deferred"}], strategies


def main():
    check_between_matmuls()
    measured = check_models()
    check_readme(pathlib.Path(sys.argv[1]).read_text(), measured)


if __name__ == "__main__":
    main()
