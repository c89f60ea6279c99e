"""The main job on a real model: python -m renorm.demo

Takes the BERT of test/Models, as PyTorch exported it, from Post-LN to Peri-LN, runs both on this CPU and compares each
with what it should compute: the original with PyTorch's saved output, the converted one with an implementation in
float64 numpy that never sees the compiler. Exits 1 if one of them is off.
"""

import argparse
import pathlib
import sys
import textwrap
import time

import numpy as np

from .inputs import make_inputs
from .module import Module
from .table import format_number, format_table

# The package is linked from a checkout, which has the model and the reference.
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "test" / "Models"
REFERENCE = ROOT / "test" / "Integration"

# Relative to the largest entry; the arithmetic is in f32.
BOUND = 1e-5


NEXT = """\
build/bin/renorm report test/Models/llama.mlir
build/bin/renorm convert test/Models/llama.mlir --to peri -o llama-peri.mlir
build/bin/renorm run llama-peri.mlir --probes
"""


class Progress:
    """Headings, and how long all took."""

    def __init__(self):
        self.start = time.monotonic()
        self.number = 0

    def step(self, title):
        self.number += 1
        print(f"\n{self.number}. {title}\n")

    def elapsed(self):
        return time.monotonic() - self.start


def say(text):
    print(textwrap.indent(text.rstrip("\n"), "   "))


def relative_error(actual, expected):
    return np.abs(actual.astype(np.float64) - expected).max() / np.abs(expected).max()


def run(name, module, given):
    """Returns the result of `module` with the parameters of seed 0, and its probes by name.

    Says how long it took, and which parameters a conversion has added.
    """
    module = module.clone()
    module.run_pipeline("norm-insert-probes")
    start = time.monotonic()
    function = module.compile()
    compiled = time.monotonic()
    arrays = make_inputs(function.inputs, given, seed=0)
    ready = time.monotonic()
    result = function(*arrays)
    done = time.monotonic()
    say(f"{name} compiled in {compiled - start:.1f} s, ran in {1000 * (done - ready):.1f} ms")
    new = [each for each in function.inputs if each.init is not None]
    if new:
        say(f"{name} takes {len(new)} new parameters, such as {new[0].name}, here of value {new[0].init:g}")
    return result, {probe.name: probe for probe in function.probes}


def compare_trunks(post, peri):
    """The table of what was measured, one row a point of the trunk."""

    def cells(name):
        for field in ("variance", "max_abs"):
            for probes in (post, peri):
                yield format_number(getattr(probes[name], field)) if name in probes else "-"

    # The final norm, which only the one has, comes after the last sublayer of both.
    names = sorted({**post, **peri}, key=lambda name: name == "final")
    header = ["trunk after", "variance, Post-LN", "Peri-LN", "max|x|, Post-LN", "Peri-LN"]
    return "\n".join(format_table(header, [[name, *cells(name)] for name in names]))


def peri_reference(input_ids):
    """The same BERT with Peri-LN, in float64 numpy."""
    sys.path.insert(0, str(REFERENCE))
    from reference import exported, models, placement

    bert = exported.build("BertModel")
    return models.Model(bert.embed, placement.convert(bert.stack, "peri"))(input_ids)


def check(what, error):
    ok = bool(error <= BOUND)  # false for NaN
    say(f"{'ok  ' if ok else 'FAIL'}  {what}: relative error {error:.1e} (allowed: {BOUND:.0e})")
    return ok


def main(argv=None):
    parser = argparse.ArgumentParser(prog="renorm.demo", description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="write the converted module")
    options = parser.parse_args(argv)

    progress = Progress()
    path = MODELS / "bert.mlir"
    saved = np.load(path.with_suffix(".npz"))
    given = {"arg0": saved["input_ids"]}

    progress.step("A BERT of four layers, as torch-mlir exported it. Where does it normalize?")
    original = Module.from_file(path)
    original.run_pipeline("norm-raise")
    say(original.report_text())

    progress.step("Converted to Peri-LN: a norm before and after every sublayer, none on the trunk, a final norm.")
    converted = original.clone()
    for diagnostic in converted.run_pipeline("norm-convert-placement{to=peri params=argument}"):
        say(str(diagnostic))
    say(converted.report_text())
    if options.output is not None:
        options.output.write_text(f"{converted}\n")

    progress.step("Both on this CPU, with the same tokens and parameters. What happens on the trunk?")
    post, post_probes = run("Post-LN", original, given)
    peri, peri_probes = run("Peri-LN", converted, given)
    print()
    say(compare_trunks(post_probes, peri_probes))

    progress.step("Is it right?")
    checks = [
        check("Post-LN against PyTorch in float32", relative_error(post, saved["last_hidden_state"])),
        check("Post-LN against PyTorch in float64", relative_error(post, saved["last_hidden_state_f64"])),
        check("Peri-LN against numpy in float64", relative_error(peri, peri_reference(saved["input_ids"]))),
    ]
    print(f"\n{progress.elapsed():.1f} s in all. With a model of your own, or another one of test/Models:\n")
    say(NEXT)
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
