"""Programs that are a norm, an attention or a residual addition, or nearly so: norm-raise must not change them.

Each program is drawn at random from templates with a few wrong turns (another axis, another divisor, another operand,
a transposed operand, a mask before the scale, ...). All extents are equal, so that a mistake leaves the types as they
are. What is raised is run and compared with NumPy's evaluation of the program as it was drawn.
"""

import random
import sys

import numpy as np
import renorm
from reference.check import assert_close

N = 4
TOLERANCE = 1e-10
# How often a choice goes wrong: about once in a program.
WRONG = 0.05


def align(array, dims, rank):
    """`array`, whose dimensions are the loops `dims`, broadcast over `rank` loops."""
    missing = [loop for loop in range(rank) if loop not in dims]
    array = np.transpose(array, np.argsort(dims)) if len(dims) else array
    return np.expand_dims(array, missing)


class Program:
    """A function in linalg on f64 tensors, and the values that it computes."""

    def __init__(self, seed):
        self.values = np.random.default_rng(seed)
        self.inputs, self.lines, self.count, self.wrong = [], [], 0, []
        self.rng = random.Random(seed)

    def name(self):
        self.count += 1
        return f"%v{self.count}_"

    def choose(self, right, *wrong):
        """Mostly `right`, else one of `wrong`."""
        if not wrong or self.rng.random() > WRONG:
            return right
        self.wrong.append(choice := self.rng.choice(wrong))
        return choice

    def argument(self, *shape):
        name = f"%arg{len(self.inputs)}"
        self.inputs.append(self.values.standard_normal(shape))
        return name, self.inputs[-1]

    def type(self, rank):
        return f"tensor<{f'{N}x' * rank}f64>"

    def compute(self, rank, inputs, body, function, reduce=None, init=0.0):
        """One linalg.generic over `rank` loops of N. `inputs` are (tensor, loops) and `body` computes of their elements
        %i0, %i1, ... the element %r, as `function` does. With `reduce` the last `rank - reduce[1]` loops are reduced
        with the operation reduce[0].
        """
        operation, parallel = reduce or (None, rank)
        e, y = self.name(), self.name()
        if isinstance(init, float):
            self.lines += [f"{e}c = arith.constant {init:e} : f64", f"{e}e = tensor.empty() : {self.type(parallel)}"]
            self.lines += [
                f"{e} = linalg.fill ins({e}c : f64) outs({e}e : {self.type(parallel)}) -> {self.type(parallel)}"
            ]
            initial = np.full((N,) * parallel, init)
        else:
            self.lines += [f"{e} = tensor.cast {init[0]} : {self.type(parallel)} to {self.type(parallel)}"]
            initial = init[1]
        loops = ", ".join(f"d{loop}" for loop in range(rank))
        maps = [dims for _, dims in inputs] + [tuple(range(parallel))]
        maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(f'd{d}' for d in dims)})>" for dims in maps)
        kinds = ", ".join(['"parallel"'] * parallel + ['"reduction"'] * (rank - parallel))
        ins = ", ".join(tensor[0] for tensor, _ in inputs)
        types = ", ".join(self.type(len(dims)) for _, dims in inputs)
        arguments = ", ".join(f"%i{i}: f64" for i in range(len(inputs)))
        yielded = "%r" if body else "%i0"
        if operation:
            body = [*body, f"%s = {operation} %o, {yielded} : f64"]
            yielded = "%s"
        self.lines += [
            f"{y} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}",
            f"  ins({ins} : {types}) outs({e} : {self.type(parallel)}) {{",
            f"^bb0({arguments}, %o: f64):",
            *body,
            f"linalg.yield {yielded} : f64",
            f"}} -> {self.type(parallel)}",
        ]
        elements = [align(tensor[1], dims, rank) for tensor, dims in inputs]
        result = np.broadcast_to(function(*elements), (N,) * rank)
        axes = tuple(range(parallel, rank))
        if operation == "arith.addf":
            result = initial + result.sum(axis=axes)
        elif operation:
            result = np.maximum(initial, result.max(axis=axes))
        return y, result

    def unary(self, x, body, function):
        dims = tuple(range(x[1].ndim))
        return self.compute(len(dims), [(x, dims)], body, function)

    def constant(self, x, operation, number, swapped=False):
        """x operation number, elementwise."""
        function = {
            "addf": np.add,
            "subf": np.subtract,
            "mulf": np.multiply,
            "divf": np.divide,
            "maximumf": np.maximum,
        }[operation]
        operands = "%c, %i0" if swapped else "%i0, %c"
        return self.unary(
            x,
            [f"%c = arith.constant {number!r} : f64", f"%r = arith.{operation} {operands} : f64"],
            lambda a: function(number, a) if swapped else function(a, number),
        )

    def apply(self, x, operation, function):
        return self.unary(x, [f"%r = {operation} %i0 : f64"], function)

    def binary(self, operation, x, xdims, y, ydims, rank):
        function = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}[operation]
        return self.compute(rank, [(x, xdims), (y, ydims)], [f"%r = arith.{operation} %i0, %i1 : f64"], function)

    def text(self, result):
        arguments = ", ".join(
            f"%arg{i}: tensor<{'x'.join(map(str, (*each.shape, 'f64')))}>" for i, each in enumerate(self.inputs)
        )
        lines = [f"func.func @main({arguments}) -> {self.type(result[1].ndim)} {{", *self.lines]
        return "\n".join([*lines, f"return {result[0]} : {self.type(result[1].ndim)}", "}"])


def total(p, x, dims, square=False):
    """The sum of x, or of its squares, read at `dims`, over the last of two loops."""
    inputs, body, function = [(x, dims)], [], lambda a: a
    if square:
        # A product with something else is no square.
        inputs.append(p.choose((x, dims), (x, dims[::-1]), (p.argument(N, N), dims)))
        body, function = ["%r = arith.mulf %i0, %i1 : f64"], lambda a, b: a * b
    return p.compute(2, inputs, body, function, ("arith.addf", 1), p.choose(0.0, 0.5, p.argument(N)))


def mean(p, x, dims, square=False):
    number = p.choose(float(N), N - 1.0, 1.0, float(N * N))
    operation, number = p.rng.choice([("mulf", 1.0 / number), ("divf", number)])
    return p.constant(total(p, x, dims, square), operation, number)


def norm(p, x=None):
    x, y = x or p.argument(N, N), p.argument(N, N)
    kind = p.rng.choice(["layer", "layer", "moments", "rms", "l2"])
    direct, crossed = (0, 1), (1, 0)
    axis = p.choose(direct, crossed)
    row = (0,) if axis == direct else (1,)
    row = p.choose(row, (1 - row[0],))
    data = p.choose(x, x, y)
    if kind == "l2":
        statistic = total(p, p.choose(x, y), axis, square=True)
    elif kind == "rms":
        statistic = mean(p, p.choose(x, y), axis, square=True)
    else:
        average = mean(p, p.choose(x, y), axis)
        centred = p.binary("subf", data, direct, average, row, 2)
        if kind == "layer":
            again = p.choose(centred, p.binary("subf", x, direct, mean(p, x, p.choose(axis, crossed)), row, 2))
            statistic = mean(p, again, axis, square=True)
        else:
            other = p.choose(average, mean(p, y, axis))
            squared = p.binary("mulf", average, (0,), other, (0,), 1)
            statistic = p.binary("subf", mean(p, x, axis, square=True), (0,), squared, (0,), 1)
            statistic = p.constant(statistic, "maximumf", 0.0)
        data = p.choose(centred, x)
    placement = p.rng.choice(["inside", "outside", "clamp", "clamp_inside"])
    epsilon = 0.25 + (4.0 if "clamp" in placement and p.rng.random() < 0.5 else 0.0)
    if placement == "inside":
        statistic = p.constant(statistic, p.choose("addf", "subf" if kind == "l2" else "mulf"), epsilon)
    if placement == "clamp_inside":
        statistic = p.constant(statistic, "maximumf", epsilon)
    inverse = placement in ("inside", "clamp_inside") and p.rng.random() < 0.5
    if inverse:
        root = p.apply(statistic, "math.rsqrt", lambda a: 1.0 / np.sqrt(a))
    else:
        root = p.apply(statistic, "math.sqrt", np.sqrt)
    if placement == "outside":
        root = p.constant(root, "addf", epsilon)
    if placement == "clamp":
        root = p.constant(root, "maximumf", epsilon)
    inverse = p.choose(inverse, not inverse)
    result = p.binary("mulf" if inverse else "divf", data, p.choose(direct, crossed), root, row, 2)
    if p.rng.random() < 0.6:
        scale, dims = p.argument(N), p.choose((1,), (0,))
        if p.rng.random() < 0.3:
            scale = p.constant(scale, "addf", p.choose(1.0, 2.0))
        result = p.binary(p.choose("mulf", "divf"), result, direct, scale, dims, 2)
    if p.rng.random() < 0.5:
        result = p.binary(p.choose("addf", "subf"), result, direct, p.argument(N), p.choose((1,), (0,)), 2)
    return result


def attention(p):
    heads = (0, 1, 2)
    q, k, v, other = (p.argument(N, N, N) for _ in range(4))
    if p.rng.random() < 0.4:
        q = p.constant(q, p.choose("mulf", "addf"), 0.5)
    if p.rng.random() < 0.3:
        # Grouped queries: each key head for two query heads, in a row or in turn.
        grouped = []
        for _ in range(2):
            small = p.argument(2, N, N)
            name = p.name()
            t, split, merged = f"tensor<2x{N}x{N}xf64>", f"tensor<2x2x{N}x{N}xf64>", p.type(3)
            dims = p.choose("d0, d2, d3", "d1, d2, d3")
            p.lines += [
                f"{name}e = tensor.empty() : {split}",
                f"{name}b = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2, d3) -> ({dims})>, "
                "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], "
                'iterator_types = ["parallel", "parallel", "parallel", "parallel"]} '
                f"ins({small[0]} : {t}) outs({name}e : {split}) {{",
                "^bb0(%i0: f64, %o: f64):",
                "linalg.yield %i0 : f64",
                f"}} -> {split}",
                f"{name} = tensor.collapse_shape {name}b [[0, 1], [2], [3]] : {split} into {merged}",
            ]
            grouped.append((name, np.repeat(small[1], 2, axis=0) if dims[1] == "0" else np.tile(small[1], (2, 1, 1))))
        k, v = grouped
    # Of the loops head, query, key and dimension.
    inputs = [(q, p.choose((0, 1, 3), (1, 0, 3), (0, 3, 1))), (k, p.choose((0, 2, 3), (0, 3, 2), (2, 0, 3)))]
    if p.rng.random() < 0.15:
        inputs.reverse()
    add, product, multiply = ("arith.addf", 3), ["%r = arith.mulf %i0, %i1 : f64"], lambda a, b: a * b
    s = p.compute(4, inputs, product, multiply, add, p.choose(0.0, 1.0))

    def mask(s):
        kind = p.rng.choice(["none", "none", "add", "select"])
        if kind == "none":
            return s
        rank, dims = p.rng.choice([(3, heads), (2, (1, 2)), (2, (2, 1)), (2, (0, 2)), (1, (2,)), (1, (0,))])
        m = p.argument(*(N,) * rank)
        if kind == "add":
            return p.binary(p.choose("addf", "subf", "mulf"), s, heads, m, dims, 3)
        fill = p.choose("0xFFF0000000000000", "-3.0e0", "0.0")
        number = -np.inf if fill.startswith("0x") else float(fill)
        # Not all keys of a row.
        m[1][...] = -np.abs(m[1])
        m[1][(..., 0) if dims[-1] == 2 else (0, ...)] = 1.0
        keep = p.rng.choice(["%s, %f", "%f, %s"])
        direct = keep == "%s, %f"
        predicate = "olt" if direct else "ogt"
        return p.compute(
            3,
            [(s, heads), (m, dims)],
            [
                f"%f = arith.constant {fill} : f64",
                "%z = arith.constant 0.5 : f64",
                f"%q = arith.cmpf {predicate}, %i1, %z : f64",
                f"%r = arith.select %q, {keep.replace('%s', '%i0')} : f64",
            ],
            lambda a, b: np.where((b < 0.5) if direct else (b > 0.5), *((a, number) if direct else (number, a))),
        )

    early = p.choose(False, True)
    if early:
        s = mask(s)
    if p.rng.random() < 0.5:
        s = p.constant(s, "divf", 2.0, swapped=p.choose(False, True))
    if p.rng.random() < 0.3:
        s = p.constant(s, "divf", 3.0)
        s = p.apply(s, p.choose("math.tanh", "math.sin"), np.tanh if not p.wrong or p.wrong[-1] != "math.sin" else np.sin)
        s = p.constant(s, "mulf", p.choose(3.0, 2.0))
    elif p.rng.random() < 0.2:
        s = p.binary("mulf", s, heads, p.argument(N), p.choose((0,), (1,), (2,)), 3)
    if not early:
        s = mask(s)
    keys = p.choose((0, 1, 2), (0, 2, 1), (2, 1, 0))  # Where the last loop is what is summed over.
    row = tuple(loop for loop in keys[:2])
    largest = p.compute(3, [(s, keys)], [], lambda a: a, ("arith.maximumf", 2), -1e300)
    shifted = p.binary(p.choose("subf", "subf", "addf"), s, heads, largest, p.choose((0, 1), (0, 2)), 3)
    e = p.apply(shifted, "math.exp", np.exp)
    summed = p.choose(e, p.apply(p.binary("mulf", e, heads, e, heads, 3), "math.sqrt", np.sqrt), other)
    order = p.choose(keys, heads, (0, 2, 1))
    init = p.choose(0.0, 1.0)
    denominator = p.compute(3, [(summed, order)], [], lambda a: a, ("arith.addf", 2), init)
    probabilities = p.binary("divf", e, heads, denominator, p.choose((0, 1), row, (0, 2)), 3)
    if p.choose(False, True):
        probabilities = p.constant(probabilities, "mulf", 2.0)
    # Of the loops head, query, dimension and key.
    weights = (probabilities, p.choose((0, 1, 3), (0, 3, 1), (1, 0, 3)))
    weighted = (v, p.choose((0, 3, 2), (0, 2, 3), (3, 0, 2)))
    return p.compute(4, [weights, weighted], product, multiply, add, p.choose(0.0, other))


def residual(p):
    x, w = p.argument(N, N), p.argument(N, N)
    inner = norm(p, p.choose(x, p.argument(N, N))) if p.rng.random() < 0.5 else x
    f = p.compute(
        3,
        [(inner, p.choose((0, 2), (2, 0))), (w, p.choose((2, 1), (1, 2)))],
        ["%r = arith.mulf %i0, %i1 : f64"],
        lambda a, b: a * b,
        ("arith.addf", 2),
        p.choose(0.0, x),
    )
    if p.rng.random() < 0.4:
        f = p.constant(f, p.choose("mulf", "divf", "addf"), -0.5)
    if p.rng.random() < 0.3:
        x = p.constant(x, p.choose("mulf", "addf"), 3.0)
    return p.binary(p.choose("addf", "subf"), x, p.choose((0, 1), (1, 0)), f, p.choose((0, 1), (1, 0)), 2)


def check(template, seed):
    """Whether something was raised."""
    p = Program(seed)
    with np.errstate(all="ignore"):
        result = template(p)
    text = p.text(result)
    module = renorm.Module.parse(text)
    module.run_pipeline("norm-raise")
    raised = str(module)
    if "norm." not in raised:
        return False
    module.run_pipeline("norm-raise")
    if str(module) != raised:
        raise AssertionError(f"{template.__name__} {seed}: raised twice is not raised once")
    actual = module.compile()(*p.inputs)
    what = f"{template.__name__} {seed}, with {p.wrong}"
    # A negative radicand and a root of zero make NaN and infinities, in both.
    expected = result[1]
    finite = np.isfinite(expected)
    try:
        np.testing.assert_array_equal(actual[~finite], expected[~finite], what)
        assert_close(actual[finite], expected[finite], TOLERANCE, what)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{text}\n{raised}") from None
    return True


def main(first=0, count=60):
    for template in (norm, attention, residual):
        raised = sum(check(template, seed) for seed in range(first, first + count))
        print(f"{template.__name__}: {raised} of {count} programs raised")
        if not 0 < raised < count:
            raise AssertionError(f"{template.__name__}: expected some programs to be raised and some not")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
