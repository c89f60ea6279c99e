"""Writes a Pre-LN stack of 150 layers in plain linalg."""

import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "benchmarks"))

import compile_time

print(compile_time.stack(150))
