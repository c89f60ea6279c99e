"""Norms of every kind and type, folded into matmuls of every form, against float64.

All cases are functions of one module, whose `main` calls them: as arguments, with the
weights prepared, and as constants. The rows have ordinary and difficult statistics; the
error of each must be of the order of the error before.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numerics import UNIT, decode, encode
from reference import ops

import renorm

BATCH, ROWS, WIDTH, OUT = 2, 8, 24, 10
# Normalized each on its own, and merged for the matmul.
HEADS, HEAD_WIDTH = 4, 6
EPSILON = 1e-5
SAME_ORDER = 4
NORMS = {"layer_norm": ops.layer_norm, "rms_norm": ops.rms_norm, "l2_norm": ops.l2_norm}


@dataclass(frozen=True)
class Case:
    kind: str
    element: str = "f32"
    form: str = "matmul"  # or "transposed", "batch", "experts", "merged", "heads"
    scale: str = "vector"  # or "scalar", "per-head", "none"
    scale_element: str | None = None
    bias: bool = False
    own_bias: bool = False
    options: tuple = ()

    def __str__(self):
        words = [self.kind, self.element, self.form, f"scale {self.scale} {self.scale_element or ''}".strip()]
        return " ".join([*words, *["bias"] * self.bias, *["own bias"] * self.own_bias, *self.options])

    @property
    def accumulator(self):
        return "f64" if self.element == "f64" else "f32"

    def shapes(self):
        rows = [BATCH, ROWS] if self.form in ("batch", "experts", "merged") else [ROWS]
        weight = {"transposed": [OUT, WIDTH], "experts": [BATCH, WIDTH, OUT]}.get(self.form, [WIDTH, OUT])
        features = [HEADS, HEAD_WIDTH] if self.form == "heads" else [WIDTH]
        shapes = {"x": ([*rows, *features], self.element), "w": (weight, self.element)}
        parameter = features if self.scale == "per-head" else features[-1:]
        if self.scale != "none":
            shapes["g"] = ([] if self.scale == "scalar" else parameter, self.scale_element or self.element)
        if self.bias:
            shapes["b"] = (parameter, self.scale_element or self.element)
        if self.own_bias:
            shapes["c"] = ([OUT], self.accumulator)
        return shapes

    def result_shape(self):
        if self.form in ("batch", "experts"):
            return [BATCH, ROWS, OUT]
        return [BATCH * ROWS if self.form == "merged" else ROWS, OUT]

    def body(self):
        types = {name: tensor(*shape) for name, shape in self.shapes().items()}
        x, w, acc = types["x"], types["w"], self.accumulator
        result = tensor(self.result_shape(), acc)
        lines = [f"%zero = arith.constant 0.0 : {acc}"]
        affine = "".join(
            f" {word}(%{name} : {types[name]})" for word, name in (("scale", "g"), ("bias", "b")) if name in types
        )
        lines.append(f"%n = norm.{self.kind} %x{affine} epsilon = {EPSILON:.1e} {' '.join(self.options)} : {x}")
        lines.append(f"%empty = tensor.empty() : {result}")
        lines.append(f"%init = linalg.fill ins(%zero : {acc}) outs(%empty : {result}) -> {result}")
        operation, activation, weight = "matmul", f"%n : {x}", f"%w : {w}"
        if self.form == "transposed":
            w = tensor([WIDTH, OUT], self.element)
            lines.append(f"%te = tensor.empty() : {w}")
            lines.append(f"%t = linalg.transpose ins({weight}) outs(%te : {w}) permutation = [1, 0]")
            weight = f"%t : {w}"
        elif self.form in ("merged", "heads"):
            flat = tensor([*self.result_shape()[:1], WIDTH], self.element)
            groups = "[[0, 1], [2]]" if self.form == "merged" else "[[0], [1, 2]]"
            lines.append(f"%f = tensor.collapse_shape %n {groups} : {x} into {flat}")
            activation = f"%f : {flat}"
        elif self.form == "batch":
            w = tensor([BATCH, WIDTH, OUT], self.element)
            lines.append(f"%te = tensor.empty() : {w}")
            lines.append(f"%t = linalg.broadcast ins({weight}) outs(%te : {w}) dimensions = [0]")
            operation, weight = "batch_matmul", f"%t : {w}"
        elif self.form == "experts":
            operation = "batch_matmul"
        (a, a_type), (b, b_type) = activation.split(" : "), weight.split(" : ")
        lines.append(
            f"%y = linalg.{operation} ins({a}, {b} : {a_type}, {b_type}) outs(%init : {result}) -> {result}"
        )
        if self.own_bias:
            rank = len(self.result_shape())
            dims = ", ".join(f"d{dim}" for dim in range(rank))
            identity, last = f"affine_map<({dims}) -> ({dims})>", f"affine_map<({dims}) -> (d{rank - 1})>"
            parallel = ", ".join(['"parallel"'] * rank)
            lines += [
                f"%s = linalg.generic {{indexing_maps = [{last}, {identity}, {identity}], iterator_types = [{parallel}]}}"
                f" ins(%c, %y : {types['c']}, {result}) outs(%empty : {result}) {{",
                f"^bb0(%p: {acc}, %q: {acc}, %o: {acc}):",
                f"%r = arith.addf %p, %q : {acc}",
                f"linalg.yield %r : {acc}",
                f"}} -> {result}",
            ]
        return [*lines, f"return {'%s' if self.own_bias else '%y'} : {result}"]

    def expected(self, values):
        """The result, and the size of the terms whose sum each element is."""
        values = {name: decode(values[name], element) for name, (_, element) in self.shapes().items()}
        weight = values["w"].T if self.form == "transposed" else values["w"]
        options = {"epsilon": EPSILON, "unit_offset": "unit_offset" in self.options}
        if self.scale == "per-head":
            options["scale_dims"] = (1, 2)
        bias = {"bias": values["b"]} if self.bias else {}
        y = NORMS[self.kind](values["x"], values.get("g"), **bias, **options)
        terms = np.abs(y - values.get("b", 0.0)) + np.abs(values.get("b", 0.0))
        rows = [*self.result_shape()[:-1], WIDTH]
        own = values.get("c", 0.0)
        return y.reshape(rows) @ weight + own, terms.reshape(rows) @ np.abs(weight) + np.abs(own)


def tensor(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def cases():
    for kind, element, own_bias in itertools.product(NORMS, ("f32", "bf16"), (False, True)):
        bias = kind != "l2_norm"
        yield Case(kind, element, "transposed" if own_bias else "matmul", bias=bias, own_bias=own_bias)
    for element in ("f16", "f64"):
        yield Case("layer_norm", element, "transposed", bias=True, own_bias=True)
    for kind, form in itertools.product(("layer_norm", "rms_norm"), ("batch", "experts", "merged")):
        yield Case(kind, form=form, bias=kind == "layer_norm", own_bias=True)
    for kind, scale in itertools.product(("layer_norm", "rms_norm"), ("vector", "per-head")):
        scale_dims = ("scale_dims = [1, 2]",) if scale == "per-head" else ()
        yield Case(kind, form="heads", scale=scale, bias=True, own_bias=kind == "rms_norm", options=scale_dims)
    for element in ("f32", "bf16"):
        yield Case("layer_norm", element, scale="none", bias=True)
        yield Case("l2_norm", element, scale="scalar")
        yield Case("layer_norm", element, scale="scalar", bias=True, own_bias=True)
        yield Case("rms_norm", element, options=("unit_offset",))
        yield Case("rms_norm", element, options=("cast_before_scale",))
        yield Case("rms_norm", element, options=("unit_offset", "cast_before_scale"), bias=True)
    yield Case("layer_norm", "bf16", scale_element="f32", bias=True, own_bias=True)


def make_values(case, random):
    """Rows with ordinary statistics, and with a large mean, a tiny variance and large numbers."""
    narrow = case.element in ("f16", "bf16")
    values = {}
    for name, (shape, element) in case.shapes().items():
        array = random.standard_normal(shape)
        if name == "x":
            rows = np.moveaxis(array, -3 if case.form == "heads" else -2, 0)
            rows[2:4] += 30.0 if narrow else 1e3
            rows[4:6] *= 1e-3
            rows[6:8] *= 1e3 if narrow else 1e5
        elif name == "g":
            array = 1.0 + 0.5 * array
        elif name == "w":
            array = array / np.sqrt(WIDTH)
        values[name] = encode(array, element)
    return values


def program(all_cases, constants=None):
    """A module whose main calls a function for each case; with `constants`, what each case
    is given but x is in its function."""
    functions, calls, signature, results = [], [], [], []
    for index, case in enumerate(all_cases):
        shapes = case.shapes()
        names = ["x"] if constants else list(shapes)
        body = case.body()
        if constants:
            for name in list(shapes)[1:]:
                data = np.ascontiguousarray(constants[index][name]).tobytes().hex().upper()
                body.insert(0, f'%{name} = arith.constant dense<"0x{data}"> : {tensor(*shapes[name])}')
        parameters = ", ".join(f"%{name}: {tensor(*shapes[name])}" for name in names)
        result = tensor(case.result_shape(), case.accumulator)
        lines = "\n  ".join(body)
        functions.append(f"func.func private @f{index}({parameters}) -> {result} {{\n  {lines}\n}}")
        signature += [f"%{name}{index}: {tensor(*shapes[name])}" for name in names]
        types = ", ".join(tensor(*shapes[name]) for name in names)
        arguments = ", ".join(f"%{name}{index}" for name in names)
        calls.append(f"%r{index} = call @f{index}({arguments}) : ({types}) -> {result}")
        results.append(result)
    values = ", ".join(f"%r{index}" for index in range(len(results)))
    calls.append(f"return {values} : {', '.join(results)}")
    main = "\n  ".join(calls)
    functions.append(f"func.func @main({', '.join(signature)}) -> ({', '.join(results)}) {{\n  {main}\n}}")
    return renorm.Module.parse("\n".join(functions))


def fold(module, options=""):
    remarks = module.run_pipeline(f"norm-fold-affine{options}")
    assert not remarks, remarks
    assert " scale(" not in str(module) and " bias(" not in str(module)
    return module


def main():
    all_cases = list(cases())
    values = [make_values(case, np.random.RandomState(index)) for index, case in enumerate(all_cases)]
    everything = [value for each in values for value in each.values()]
    module = program(all_cases)
    before = module.compile()(*everything)
    prepared = fold(module, "{weights=prepare}").compile()(*everything)
    constant = fold(program(all_cases, values)).compile()(*[each["x"] for each in values])

    for index, case in enumerate(all_cases):
        expected, size = case.expected(values[index])
        error = np.abs(before[index] - expected).max(-1)
        # The weight is rounded once more, or the norm's result once less.
        bound = SAME_ORDER * error + 2 * UNIT[case.element] * size.max(-1)
        for name, result in (("prepared", prepared[index]), ("constant", constant[index])):
            after = np.abs(result - expected).max(-1)
            assert result.shape == expected.shape, case
            assert (after <= bound).all(), f"{case}, {name}: {error} to {after}"
        print(f"{case}: error {(error / size.max(-1)).max():.1e} before, {(after / size.max(-1)).max():.1e} after")


if __name__ == "__main__":
    main()
