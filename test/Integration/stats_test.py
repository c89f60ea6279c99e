"""The two halves of a norm against the float64 reference: statistics of rows and of groups of columns, merged, and
applied, on rows whose mean is up to 1000 times their deviation; and norms applied past a matmul."""

import itertools
import unittest

import numpy as np
from numerics import SMALLEST, UNIT, check, decode, encode, tensor_type
from reference import ops

import renorm

KINDS = ("layer", "rms", "l2")
NORMS = {"layer": ops.layer_norm, "rms": ops.rms_norm, "l2": ops.l2_norm}

# Mean, in deviations, of the rows, and their deviation.
ROWS = [(0, 1), (1, 1), (10, 1), (100, 1), (1000, 1), (-10, 1e-3), (0, 1e-6), (3, 1000), (0, 0)]


def make_rows(shape, axes, element, seed=0):
    """Rows along `axes`, one after the other of the kinds of ROWS."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    means = np.empty(np.mean(x, axes, keepdims=True).shape)
    deviations = np.empty_like(means)
    for index, (mean, deviation) in zip(np.ndindex(means.shape), itertools.cycle(ROWS)):
        means[index], deviations[index] = mean * deviation, deviation
    return encode(means + deviations * x, element)


def statistics(x, kind, axes):
    """What `norm.row_stats` computes, in float64, by its formulas."""
    if kind == "l2":
        return (np.square(x).sum(axes),)
    if kind == "rms":
        return (np.square(x).mean(axes),)
    mean = x.mean(axes, keepdims=True)
    mean = mean + (x - mean).mean(axes, keepdims=True)
    return (np.squeeze(mean, axes), np.square(x - mean).mean(axes))


def group_statistics(x, kind, axis, size):
    groups = [x.take(range(begin, min(begin + size, x.shape[axis])), axis) for begin in range(0, x.shape[axis], size)]
    return tuple(np.stack(each, -1) for each in zip(*(statistics(group, kind, (axis,)) for group in groups)))


def compile_functions(functions):
    """Compiles `functions`, each the types of %x and of its results and a body that ends with the names of the
    latter, as the results of one function of %x."""
    text = calls = ""
    names, types = [], []
    for index, (input_type, result_types, body) in enumerate(functions):
        lines = body.strip().split("\n")
        results = ", ".join(result_types)
        text += f"func.func private @f{index}(%x: {input_type}) -> ({results}) {{\n"
        text += "\n".join(lines[:-1]) + f"\nreturn {lines[-1]} : {results}\n}}\n"
        calls += f"%{index}:{len(result_types)} = call @f{index}(%x) : ({input_type}) -> ({results})\n"
        names += [f"%{index}#{number}" for number in range(len(result_types))]
        types += result_types
    input_type = functions[0][0]
    text += f"func.func @main(%x: {input_type}) -> ({', '.join(types)}) {{\n{calls}"
    text += f"return {', '.join(names)} : {', '.join(types)}\n}}\n"
    return renorm.Module.parse(text).compile()


def stats_bound(x, kind, expected, axes, merged=False):
    """What rounding to the type of the statistics may be off by, for sums of n terms in any order."""
    unit = UNIT["f32"]
    count = np.prod([x.shape[axis] for axis in axes])
    sums = (8 + 2 * np.sqrt(count)) * unit
    if kind != "layer":
        return [sums * expected[0] + SMALLEST["f32"]]
    mean, variance = expected
    deviation = np.sqrt(variance)
    # The mean is rounded once; what is left of it after that is small beside the deviation, but where it is merged
    # of rounded means.
    rounding = (4 if merged else 1) * unit * np.abs(mean)
    return [
        rounding + sums * deviation + SMALLEST["f32"],
        sums * variance + (4 * rounding * deviation + 4 * rounding**2 if merged else 2 * (unit * mean) ** 2 * unit)
        + SMALLEST["f32"],
    ]


class RowStats(unittest.TestCase):
    SHAPE = (9, 4, 40)

    def run_cases(self, element, dynamic):
        cases = [(kind, axes) for kind in KINDS for axes in [(2,), (0,), (1, 2), (0, 2)]]
        functions = []
        result_element = "f64" if element == "f64" else "f32"
        for kind, axes in cases:
            kept = [extent for dim, extent in enumerate(self.SHAPE) if dim not in axes]
            result = tensor_type(kept, result_element, dynamic)
            count = 2 if kind == "layer" else 1
            type = tensor_type(self.SHAPE, element, dynamic)
            body = f"%0:{count} = norm.row_stats {kind} %x axes = {list(axes)} : {type}\n"
            functions.append((type, [result] * count, body + ", ".join(f"%0#{i}" for i in range(count))))
        function = compile_functions(functions)
        for rows_axes in [(2,), (0,), (1, 2), (0, 2)]:
            x = make_rows(self.SHAPE, rows_axes, element)
            results = iter(function(x))
            exact = decode(x, element)
            for kind, axes in cases:
                expected = statistics(exact, kind, axes)
                bounds = stats_bound(exact, kind, expected, axes)
                for name, value, bound in zip(("first", "second"), expected, bounds):
                    check(next(results).astype(np.float64), value, bound, f"{element}, {kind}, {axes}, {name}")

    def test_static(self):
        for element in ("f32", "bf16", "f64"):
            with self.subTest(element):
                self.run_cases(element, False)

    def test_dynamic(self):
        self.run_cases("f32", True)

    def test_groups(self):
        # A size that divides the axis, one that leaves a smaller group, one group, more than the axis, and single
        # elements.
        rows = 2 * len(ROWS)
        for axis, extent in [(1, 48), (0, 30)]:
            shape = (rows, extent) if axis == 1 else (extent, rows)
            for element, sizes in [("f32", (16, 13, 48, 100, 1)), ("bf16", (16, 13))]:
                cases = [(kind, size) for kind in KINDS for size in sizes]
                type = f"tensor<{'?x' if axis == 1 else f'{extent}x'}{extent if axis == 1 else '?'}x{element}>"
                functions = []
                for kind, size in cases:
                    groups = -(-extent // size)
                    count = 2 if kind == "layer" else 1
                    partial, total = f"tensor<?x{groups}xf32>", "tensor<?xf32>"
                    names = ", ".join(f"%0#{i}" for i in range(count))
                    functions.append((type, [partial] * count + [total] * count, f"""
                        %0:{count} = norm.row_stats {kind} %x axes = [{axis}] group_size = {size} : {type}
                        %1:{count} = norm.merge_stats {kind} {names} group_size = {size} extent = {extent}
                          : {', '.join([partial] * count)}
                        {names}, {names.replace('%0', '%1')}"""))
                function = compile_functions(functions)
                x = make_rows(shape, (axis,), element)
                exact = decode(x, element)
                results = iter(function(x))
                for kind, size in cases:
                    what = f"{element}, axis {axis}, {kind}, groups of {size}"
                    expected = group_statistics(exact, kind, axis, size)
                    for value, bound in zip(expected, stats_bound(exact, kind, expected, (axis,))):
                        check(next(results).astype(np.float64), value, bound, what)
                    expected = statistics(exact, kind, (axis,))
                    for value, bound in zip(expected, stats_bound(exact, kind, expected, (axis,), merged=True)):
                        check(next(results).astype(np.float64), value, bound, what + ", merged")


class ApplyStats(unittest.TestCase):
    def test_norms_in_two_halves(self):
        """norm(x) = apply_stats(x, row_stats(x))."""
        shape = (len(ROWS), 3, 40)
        rng = np.random.default_rng(1)
        parameters = rng.normal(size=(2, 40))
        modes = ("inside", "outside", "clamp", "clamp_inside")
        for element in ("f32", "bf16", "f16", "f64"):
            cases = [(kind, mode, *flags) for kind in KINDS
                     for mode, *flags in [*((mode, False, False) for mode in modes if element == "f32"),
                                          ("inside", True, False), ("inside", False, True)]]
            type, statistic = f"tensor<?x3x40x{element}>", f"tensor<?x3x{'f64' if element == 'f64' else 'f32'}>"
            scale, bias = encode(parameters, element)
            constants = "".join(
                f"%{name} = arith.constant dense<{[float(v) for v in decode(value, element)]}> : tensor<40x{element}>\n"
                for name, value in [("scale", scale), ("bias", bias)])
            functions = []
            for kind, mode, unit_offset, cast in cases:
                count = 2 if kind == "layer" else 1
                functions.append((type, [type], f"""{constants}
                    %0:{count} = norm.row_stats {kind} %x : {type}
                    %1 = norm.apply_stats {kind} %x
                      stats({', '.join(f'%0#{i}' for i in range(count))} : {', '.join([statistic] * count)})
                      scale(%scale : tensor<40x{element}>) bias(%bias : tensor<40x{element}>) epsilon = 0.01
                      epsilon_mode = {mode} {'unit_offset' * unit_offset} {'cast_before_scale' * cast} : {type} -> {type}
                    %1"""))
            function = compile_functions(functions)
            x = make_rows(shape, (2,), element)
            exact = decode(x, element)
            compute = UNIT["f64" if element == "f64" else "f32"]
            factor, offset = decode(scale, element), decode(bias, element)
            for (kind, mode, unit_offset, cast), result in zip(cases, function(x)):
                options = {"epsilon": 0.01, "epsilon_mode": mode}
                expected = NORMS[kind](exact, factor, offset, unit_offset=unit_offset, **options)
                normalized = NORMS[kind](exact, **options)
                size = np.abs(normalized) * (np.abs(factor) + unit_offset) + np.abs(offset)
                bound = (8 + 2 * np.sqrt(40)) * compute * size.max(-1, keepdims=True)
                if kind == "layer":
                    # The mean is rounded to the type of the statistics, which is relative to it.
                    mean = exact.mean(-1, keepdims=True)
                    deviation = ops.root(exact.var(-1, keepdims=True), 0.01, mode)
                    bound = bound + compute * np.abs(mean) / deviation * (np.abs(factor) + unit_offset)
                bound = bound + (1 + cast) * (UNIT[element] * size + SMALLEST[element])
                check(decode(result, element), expected, bound, f"{element}, {kind}, {mode}, {unit_offset=}, {cast=}")

    def test_past_a_matmul(self):
        """norm(x) W + c = apply_stats(x W, row_stats(x)) + c, the columns of W summed."""
        rng = np.random.default_rng(2)
        weight, bias = rng.normal(size=(40, 24)), rng.normal(size=24)
        x = make_rows((len(ROWS), 40), (1,), "f64")
        literal = lambda array: f"dense<{array.tolist()}> : tensor<{'x'.join(map(str, array.shape))}xf64>"
        functions = []
        for kind in KINDS:
            count = 2 if kind == "layer" else 1
            sums = "column_sums(%sums : tensor<24xf64>)" if kind == "layer" else ""
            functions.append(("tensor<?x40xf64>", ["tensor<?x24xf64>"], f"""
                %w = arith.constant {literal(weight)}
                %c = arith.constant {literal(bias)}
                %sums = arith.constant {literal(weight.sum(0))}
                %c0 = arith.constant 0 : index
                %zero = arith.constant 0.0 : f64
                %m = tensor.dim %x, %c0 : tensor<?x40xf64>
                %empty = tensor.empty(%m) : tensor<?x24xf64>
                %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x24xf64>) -> tensor<?x24xf64>
                %xw = linalg.matmul ins(%x, %w : tensor<?x40xf64>, tensor<40x24xf64>) outs(%init : tensor<?x24xf64>)
                        -> tensor<?x24xf64>
                %0:{count} = norm.row_stats {kind} %x : tensor<?x40xf64>
                %1 = norm.apply_stats {kind} %xw
                  stats({', '.join(f'%0#{i}' for i in range(count))} : {', '.join(['tensor<?xf64>'] * count)})
                  {sums} bias(%c : tensor<24xf64>) epsilon = 1.0e-5 : tensor<?x24xf64> -> tensor<?x24xf64>
                %1"""))
        for kind, result in zip(KINDS, compile_functions(functions)(x)):
            expected = NORMS[kind](x, epsilon=1e-5) @ weight + bias
            # Deferred, the mean is subtracted last: what is lost is relative to it.
            size = (np.abs(x) @ np.abs(weight)) / ops.root(
                {"layer": x.var(1), "rms": np.square(x).mean(1), "l2": np.square(x).sum(1)}[kind], 1e-5, "inside"
            )[:, None]
            check(result, expected, 50 * UNIT["f64"] * (size + np.abs(bias)), kind)


if __name__ == "__main__":
    unittest.main()
