"""What norm-fuse made of a module, read from its text and its remarks."""

import re

CONTRACTION = re.compile(r"linalg\.(?:batch_)?(?:matmul|vecmat|matvec)\b|\"reduction\"")
NORM = re.compile(r"= norm\.(?:layer_norm|rms_norm|l2_norm|row_stats|apply_stats)\b")
# Matmuls as plain loops, which compile in a third of the time.
PLAIN_LOOPS = "renorm-to-llvm{check-shapes=true matmul-kernels=false}"
STRATEGIES = {"grouped_rows", "whole_row", "two_kernel_stats", "deferred", "row_kernel"}


class Kernel:
    """A norm.fusion: the strategies that it names, and the operations of its region, a line each."""

    def __init__(self, line):
        found = re.search(r"norm\.fusion strategies = \[(.*?)\]", line)
        self.strategies = set(found[1].split(", ")) if found else set()
        self.operations = []

    @property
    def contractions(self):
        return sum(bool(CONTRACTION.search(line)) for line in self.operations)

    @property
    def norms(self):
        return [re.search(r"norm\.(\w+)", line)[1] for line in self.operations if NORM.search(line)]


def read_kernels(module):
    """The kernels of `module`, and the lines with norms that are in none."""
    kernels, alone, indent = [], [], None
    for line in str(module).splitlines():
        if indent is not None and line == indent + "}":
            indent = None
        elif indent is not None:
            kernels[-1].operations.append(line.strip())
        elif "norm.fusion" in line:
            kernels.append(Kernel(line))
            indent = line[: len(line) - len(line.lstrip())]
        elif NORM.search(line):
            alone.append(line.strip())
    return kernels, alone


ACCOUNT = re.compile(
    r"kernels (\d+) -> (\d+), passes over activations of (\d+) elements (\d+) -> (\d+), bytes (\d+) -> (\d+)"
)


def read_account(diagnostics):
    """(kernels, passes, bytes) before and after, of the one function that norm-fuse changed."""
    (found,) = [match for each in diagnostics if (match := ACCOUNT.match(each.message))]
    kernels, fused_kernels, _, passes, fused_passes, bytes, fused_bytes = map(int, found.groups())
    return (kernels, passes, bytes), (fused_kernels, fused_passes, fused_bytes)
