"""What is measured, in which order, within a budget."""

import dataclasses
import random
import statistics
import time

import numpy as np

from . import chains
from .launch import DriverError, Function

ROUNDS, SECONDS, WARM_UP = 30, 0.5, 3
# What a first torch.compile takes, starting its workers included.
FIRST_COMPILE = 40.0


class Budget:
    """Seconds that remain, by `clock`."""

    def __init__(self, seconds, clock=time.monotonic):
        self._clock, self.deadline = clock, clock() + seconds

    def left(self):
        return self.deadline - self._clock()


@dataclasses.dataclass
class Row:
    """A line of the table: a program with a number of rows, and the seconds that each candidate takes.

    error    why the program's numbers are wrong; then it isn't measured
    notes    what else there is to say of it
    """

    program: object
    rows: int
    seconds: dict = dataclasses.field(default_factory=dict)
    error: str | None = None
    notes: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return f"{self.program.label}, M = {self.rows}"

    def share(self, bandwidth, flops):
        """The share of what the memory or the tensor cores can do, whichever binds."""
        least = max(self.program.bytes(self.rows) / bandwidth, self.program.flops(self.rows) / flops)
        return least / self.seconds["renorm"]


def measure(candidates, timer, budget, rounds=ROUNDS, seconds=SECONDS):
    """The median time of each of `candidates`, a dict of functions, which are run in turn, every time in another order:
    what the clock of the GPU does meanwhile, it does to all of them. At least three rounds, unless time is over."""
    for call in candidates.values():
        for _ in range(WARM_UP):
            call()
    times = {name: [] for name in candidates}
    order = random.Random(0)
    spent = 0.0
    for number in range(rounds):
        if number >= 1 and budget.left() < 0 or number >= 3 and spent > seconds * len(candidates):
            break
        for name, call in order.sample(list(candidates.items()), len(candidates)):
            times[name].append(timer(call))
            spent += times[name][-1]
    return {name: statistics.median(each) for name, each in times.items()}


def checked_rows(rows):
    """The rows whose numbers are checked: the first ones and the last ones, at the edge of a tile."""
    return sorted({*range(min(8, rows)), *range(max(rows - 8, 0), rows)})


class Case:
    """The inputs of a program for its largest number of rows, on a device, and what is expected of it."""

    def __init__(self, device, program):
        self.device, self.program = device, program
        self.largest = max(program.rows)
        self.arrays = {
            name: device.random(shape, element, seed, scale, mean)
            for seed, (name, (shape, element, scale, mean)) in enumerate(program.inputs(self.largest).items())
        }
        self._rows = sorted({row for rows in program.rows for row in checked_rows(rows)})
        self._expected = None

    def _has_rows(self, name):
        return self.program.inputs(1)[name][0] != self.program.inputs(2)[name][0]

    def inputs(self, rows):
        """Those of the first rows."""
        return {
            name: self.device.head(array, rows) if self._has_rows(name) else array for name, array in self.arrays.items()
        }

    def expected(self):
        """The results for `checked_rows` of all numbers of rows, and their bounds."""
        if self._expected is None:
            self._expected = self.program.reference(
                {
                    name: self.device.download(array, self._rows if self._has_rows(name) else None)
                    for name, array in self.arrays.items()
                }
            )
        return self._expected

    def worst(self, rows, results):
        """By how many times the bound the results, arrays, are off at most; a NaN is infinitely far."""
        checked = checked_rows(rows)
        at = [self._rows.index(row) for row in checked]
        ratios = [0.0]
        for (expected, bound), result in zip(self.expected(), results, strict=True):
            actual = self.device.download(result, checked)
            with np.errstate(invalid="ignore", divide="ignore"):
                error = np.abs(actual - expected[at])
                ratio = np.where(error == 0, 0.0, error / bound[at])
            ratios.append(np.nan_to_num(ratio, nan=np.inf).max())
        return float(max(ratios))

    def sums(self):
        """The sums of the rows of weights [out, in], in f32, for a LayerNorm that is applied to their products."""
        return [self.device.sum_rows(self.arrays[name]) for name in self.program.weights]

    def bind(self, function, rows):
        """The call of the program's kernels; what was prepared of the weights comes last among its inputs."""
        inputs = list(self.inputs(rows).values())
        if len(function.manifest["inputs"]) > len(inputs):
            inputs += self.sums()
        return function.bind(self.device, inputs)


class Benchmark:
    """Measures programs on `device` by the kernels in `folder`.

    The table is in `rows`, what time did not suffice for in `left_out`."""

    def __init__(self, device, folder, budget, use_cubin=True, programs=chains.PROGRAMS):
        self.device, self.folder, self.budget = device, folder, budget
        self.use_cubin, self.programs = use_cubin, programs
        self.rows, self.left_out, self.images = [], [], set()
        self._compile_seconds = FIRST_COMPILE

    def run(self, torch=None):
        """First all kernels beside eager PyTorch, then, of what was measured, all beside torch.compile too."""
        for program in self.programs:
            self._run_program(program, torch)
        if torch:
            for program in self.programs:
                rows = [row for row in self.rows if row.program is program and row.seconds]
                if rows:
                    self._compile_program(program, rows, torch)

    def _run_program(self, program, torch):
        case = None
        for rows in program.rows:
            row = Row(program, rows)
            if self.budget.left() <= 0:
                self.left_out.append(row.name)
                continue
            case = case or Case(self.device, program)
            self.rows.append(row)
            function = Function(self.device.driver, self.folder / chains.name_of(program, rows), self.use_cubin)
            self.images |= function.images
            call = case.bind(function, rows)
            call()
            worst = case.worst(rows, call.results)
            # A NaN is no number either.
            if not worst <= 1:
                row.error = f"wrong by {worst:.3g} times its bound"
                continue
            candidates = {"renorm": call}
            if torch:
                eager = self._eager(case, rows, torch)
                self._compare(row, case, "PyTorch", eager)
                candidates["eager"] = eager
            row.seconds = measure(candidates, self.device.time, self.budget)

    def _eager(self, case, rows, torch, compile=None):
        function = case.program.eager(torch)
        tensors = {name: array.storage for name, array in case.inputs(rows).items()}
        inputs = case.program.eager_inputs(torch, tensors)
        if compile:
            function = compile(function)
        return lambda: function(*inputs)

    def _compare(self, row, case, name, call):
        """Notes if PyTorch, which may sum in bf16, is further off than the kernels may be."""
        results = [self.device.wrap(tensor) for tensor in call()]
        worst = case.worst(row.rows, results)
        if not worst <= 1:
            row.notes.append(f"{name} is off by {worst:.3g} times the bound of the kernels")

    def _compile_program(self, program, rows, torch):
        case = None
        for row in rows:
            if self.budget.left() < 1.5 * self._compile_seconds:
                self.left_out.append(f"torch.compile of {row.name}")
                continue
            case = case or Case(self.device, program)
            function = Function(self.device.driver, self.folder / chains.name_of(program, row.rows), self.use_cubin)
            started = time.monotonic()
            try:
                torch._dynamo.reset()
                compiled = self._eager(case, row.rows, torch, lambda each: torch.compile(each, dynamic=False))
                self._compare(row, case, "torch.compile", compiled)
            except DriverError:
                raise
            except Exception as error:  # Whatever a compiler, or the lack of one, raises.
                reason = str(error).strip() or type(error).__name__
                row.notes.append(f"no torch.compile: {reason.splitlines()[0]}")
                continue
            finally:
                self._compile_seconds = time.monotonic() - started
            candidates = {
                "renorm": case.bind(function, row.rows),
                "eager": self._eager(case, row.rows, torch),
                "compile": compiled,
            }
            row.seconds = measure(candidates, self.device.time, self.budget)
