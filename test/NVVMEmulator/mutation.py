"""Puts faults into a kernel, one at a time, and checks that each is found for what it is."""

import pathlib
import re
import tempfile


def check_fault(source, stderr, fault, line):
    """The first line must be that fault, with the kernel, block, thread and the place in the source; `line` is a pattern
    of the source's line, or None."""
    match = re.match(
        rf"(\S+\.mlir):(\d+):(\d+): error: (?:{fault}): .* in kernel 'gemm', block \(\d, \d, 0\), "
        r"thread \(\d+, 0, 0\)\n",
        stderr,
    )
    assert match, f"expected {fault}, but got: {stderr[:1000] or 'no fault'}"
    named = source.split("\n")[int(match[2]) - 1]
    assert line is None or re.search(line, named), f"expected '{line}' to be blamed, but got '{named.strip()}'"


def check_mutations(source, mutations, run, verify):
    """A mutation is: what is wrong; a text that the source has once, and what it becomes, or options of `run`; the fault
    that is expected, or None where the result must be wrong; the line to blame.

    `run(source, **options)` returns whether it succeeded and what it printed to stderr; `verify()` raises AssertionError
    if the result is wrong."""
    for what, old, new, fault, line in mutations:
        options = old if new is None else {}
        if not options:
            assert source.count(old) == 1, f"{what}: found {source.count(old)} places to change"
        mutated = source if options else source.replace(old, new)
        ok, stderr = run(mutated, **options)
        try:
            if fault:
                assert not ok, f"expected {fault}, but got no fault"
                check_fault(mutated, stderr, fault, line)
                continue
            assert ok, f"expected a wrong result, but got: {stderr}"
            try:
                verify()
            except AssertionError:
                continue
            raise AssertionError("expected a wrong result, but it is right")
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from None
    print(f"{len(mutations)} faults are found")


def check_kernel(path, kernel, shapes, mutations, mutated_shape):
    """Runs the kernel in the file `path` on all `shapes`, then its mutations on one. `kernel(folder, *shape)` has the
    `run` and `verify` of `check_mutations`."""
    source = pathlib.Path(path).read_text()
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes:
            each = kernel(pathlib.Path(folder), *shape)
            ok, stderr = each.run(source)
            assert ok, f"{shape}: {stderr}"
            each.verify()
        mutated = kernel(pathlib.Path(folder), *mutated_shape)
        check_mutations(source, mutations, mutated.run, mutated.verify)
