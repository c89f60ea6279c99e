"""Blocks of every placement, fused and not, against float64: on rows whose mean is up to 1000 times their deviation, in
widths that no tile divides, of one column, and with no row or one.

What the norm reads is exact in every type: products of small integers and powers of two, whose sums are rounded once to
the type. So the bounds hold the roundings after it, and nothing else.
"""

import itertools
import re
import unittest

import numpy as np
from kernels import PLAIN_LOOPS, read_kernels
from numerics import SMALLEST, UNIT, check, decode, encode
from reference import ops
from stats_test import NORMS, ROWS

import renorm

EPSILON = 1e-5
HIDDEN, INPUTS = 24, 8
SUM = UNIT["f32"]
# No width is a multiple of a tile's 128 or 256 columns, and 320 are more than sm_80 holds of a row.
WIDTHS = [(320, "sm_80"), (200, "cpu"), (200, "sm_80"), (320, "sm_90a")]
WIDEST_ROW = {"cpu": 8192, "sm_80": 256, "sm_90a": 2048}


def roundings(terms):
    """How many units the sum of so many terms is off by, in any order."""
    return 8 + 2 * np.sqrt(terms)


def round_to(array, element):
    return decode(encode(array, element), element)


class Block:
    """A function of %y and %x (rows of a matmul's operand, and of the trunk), of some kind of norm and type."""

    def __init__(self, kind, element, width):
        self.kind, self.element, self.width = kind, element, width
        # Values that are others by another name.
        self.names = {}
        rng = np.random.default_rng(len(kind) + width)
        # The first input is the mean of the row.
        self.first = np.concatenate([np.ones((1, width)), rng.integers(-2, 3, size=(INPUTS - 1, width))])
        self.scale = round_to(1 + 0.1 * rng.normal(size=width), element)
        self.weights = [round_to(rng.normal(size=(width, HIDDEN)), element) for _ in range(2)]
        self.bias = round_to(rng.normal(size=HIDDEN), element)
        self.last = round_to(rng.normal(size=(HIDDEN, width)), element)

    def rows(self, count):
        """(y, x), of the rows of ROWS, whose deviations are made powers of two."""
        rng = np.random.default_rng(count)
        kinds = np.array(list(itertools.islice(itertools.cycle(ROWS), count))).reshape(-1, 2)
        size = np.where(kinds[:, 1] > 0, 2.0 ** np.round(np.log2(np.maximum(kinds[:, 1], 1e-9))), 0)[:, None]
        y = np.concatenate([kinds[:, :1], rng.integers(-1, 2, size=(count, INPUTS - 1))], 1) * size
        x = rng.integers(-2, 3, size=(count, self.width)) * size
        return encode(y, self.element), encode(x, self.element)

    # --- MLIR -------------------------------------------------------------------

    def type(self, columns, element=None):
        return f"tensor<?x{columns}x{element or self.element}>"

    def constant(self, name, array):
        shape = "x".join(map(str, array.shape))
        return f"%{name} = arith.constant dense<{array.tolist()}> : tensor<{shape}x{self.element}>"

    def matmul(self, name, operand, weight, inputs, outputs):
        """In f32, from constants of the element type."""
        sums = self.type(outputs, "f32")
        return f"""
  %{name}.empty = tensor.empty(%m) : {sums}
  %{name}.init = linalg.fill ins(%zero : f32) outs(%{name}.empty : {sums}) -> {sums}
  %{name} = linalg.matmul ins(%{operand}, %{weight} : {self.type(inputs)}, tensor<{inputs}x{outputs}x{self.element}>)
    outs(%{name}.init : {sums}) -> {sums}"""

    def narrow(self, name, operand, columns):
        """The sums in the element type."""
        if self.element == "f32":
            self.names[name] = operand
            return ""
        return f"\n  %{name} = arith.truncf %{operand} : {self.type(columns, 'f32')} to {self.type(columns)}"

    def elementwise(self, name, operands, columns, body, element):
        """`operands` are pairs of a name and a type; those of one dimension are columns."""
        loops = "affine_map<(d0, d1) -> (d0, d1)>"
        maps = [loops if "?" in type else "affine_map<(d0, d1) -> (d1)>" for _, type in operands]
        result = self.type(columns, element)
        names, types = ", ".join(f"%{name}" for name, _ in operands), ", ".join(type for _, type in operands)
        elements = [type[:-1].split("x")[-1] for _, type in operands]
        block = ", ".join(f"%a{index}: {each}" for index, each in enumerate([*elements, element]))
        return f"""
  %{name}.empty = tensor.empty(%m) : {result}
  %{name} = linalg.generic {{indexing_maps = [{', '.join([*maps, loops])}], iterator_types = ["parallel", "parallel"]}}
    ins({names} : {types}) outs(%{name}.empty : {result}) {{
  ^bb0({block}):
{body}
    linalg.yield %r : {element}
  }} -> {result}"""

    def norm(self, name, operand, columns, scale=None):
        text = f"\n  %{name} = norm.{self.kind}_norm %{operand} "
        if scale:
            text += f"scale(%{scale} : tensor<{columns}x{self.element}>) "
        return text + f"epsilon = {EPSILON:.1e} : {self.type(columns)}"

    def text(self):
        """The function @main."""
        x, y = self.type(self.width), self.type(INPUTS)
        body = self.body()
        results = ", ".join(f"%{name}" for name, _ in self.results())
        types = ", ".join(type for _, type in self.results())
        constants = "\n  ".join(self.constant(name, array) for name, array in self.constants().items())
        text = f"""func.func @main(%y: {y}, %x: {x}) -> ({types}) {{
  {constants}
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %y, %c0 : {y}{self.matmul('product', 'y', 'first', INPUTS, self.width)}
  {self.narrow('branch', 'product', self.width)}{body}
  return {results} : {types}
}}
"""
        return re.sub(r"%(\w+)\b(?!\.)", lambda found: "%" + self.names.get(found[1], found[1]), text)

    # --- Numbers -------------------------------------------------------------------

    def branch(self, y):
        return round_to(decode(y, self.element) @ self.first, self.element)

    def trunk(self, y, x):
        return round_to(decode(x, self.element) + self.branch(y), self.element)

    def norm_error(self, value, axis=-1):
        """(normalizer, relative error of it, error of the mean), of sums of f32 merged of tiles."""
        terms = value.shape[axis]
        mean = value.mean(axis, keepdims=True) if self.kind == "layer" else np.zeros(value.mean(axis, keepdims=True).shape)
        power = {"layer": np.square(value - mean).mean(axis, keepdims=True),
                 "rms": np.square(value).mean(axis, keepdims=True),
                 "l2": np.square(value).sum(axis, keepdims=True)}[self.kind]
        root = np.sqrt(power + EPSILON)
        # It is rounded to f32 where it is merged; what its sums lose is relative to the deviation.
        off = SUM * (4 * np.abs(mean) + roundings(terms) * np.sqrt(power)) if self.kind == "layer" else 0 * mean
        # Of the variance: its sums, and what a mean that is off adds to it.
        variance = roundings(terms) * SUM * power + 4 * off * np.sqrt(power) + 4 * off**2
        return mean, root, variance / (2 * root**2) + 4 * SUM, off

    def normalized(self, value, axis=-1):
        """The norm without scale, and its error before it is rounded to the element type."""
        mean, root, relative, off = self.norm_error(value, axis)
        exact = NORMS[self.kind](value, epsilon=EPSILON, axes=(axis,))
        return exact, np.abs(exact) * relative + (SUM * np.abs(value) + off) / root

    def rounded(self, value, error):
        """The error after rounding to the element type."""
        return error + UNIT[self.element] * (np.abs(value) + error) + SMALLEST[self.element]

    def scaled(self, value, scale, axis=-1):
        """The norm with a scale, as stored, and its error."""
        exact, error = self.normalized(value, axis)
        return exact * scale, self.rounded(exact * scale, error * np.abs(scale) + SUM * np.abs(exact * scale))

    def product(self, value, error, weight):
        """value weight in f32, and its error."""
        weights = np.abs(weight)
        return value @ weight, error @ weights + roundings(len(weight)) * SUM * (np.abs(value) @ weights)

    def projected(self, value, weight, deferred):
        """norm(value) weight in f32, and its error: applied to the sums, or to what is summed."""
        mean, root, relative, off = self.norm_error(value)
        exact = NORMS[self.kind](value, epsilon=EPSILON) @ weight
        # Sums are relative to what is summed; the mean to itself, times the sums of the columns.
        size = np.abs(value) @ np.abs(weight) / root
        columns = np.abs(weight.sum(0))
        applied = roundings(self.width) * SUM * size + relative * np.abs(exact) + (
            off + roundings(self.width) * SUM * np.abs(mean)) * (columns + SUM * np.abs(weight).sum(0)) / root
        if deferred:
            return exact, applied
        normalized, error = self.normalized(value)
        return self.product(normalized, self.rounded(normalized, error), weight)

    def back(self, trunk, hidden, error):
        """trunk + hidden last, as stored, and its error."""
        branch, error = self.product(hidden, self.rounded(hidden, error), self.last)
        return trunk + branch, self.rounded(trunk + branch, self.rounded(branch, error))


class Pre(Block):
    """x + f(norm(x)), f with a bias and GELU."""

    def strategies(self, target):
        # Of one column, statistics are no less than the row.
        return {"whole_row"} if self.width == 1 else {"two_kernel_stats", "deferred"}

    def constants(self):
        return {"first": self.first, "w": self.weights[0], "bias": self.bias, "last": self.last}

    def results(self):
        return [("trunk", self.type(self.width)), ("out", self.type(self.width))]

    def body(self):
        cast = "" if self.element == "f32" else f"    %b = arith.extf %a1 : {self.element} to f32\n"
        bias = "%a1" if self.element == "f32" else "%b"
        gelu = f"""{cast}    %v = arith.addf %a0, {bias} : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.707106781 : f32
    %s = arith.mulf %v, %root : f32
    %e = math.erf %s : f32
    %p = arith.addf %e, %one : f32
    %q = arith.mulf %v, %p : f32
    %r = arith.mulf %q, %half : f32"""
        return (f"\n  %trunk = norm.residual_add %x, %branch : {self.type(self.width)}"
                + self.norm("n", "trunk", self.width)
                + self.matmul("up", "n", "w", self.width, HIDDEN)
                + self.elementwise("gelu", [("up", self.type(HIDDEN, "f32")),
                                            ("bias", f"tensor<{HIDDEN}x{self.element}>")], HIDDEN, gelu, "f32")
                + self.narrow("h", "gelu", HIDDEN)
                + self.matmul("down", "h", "last", HIDDEN, self.width)
                + self.narrow("back", "down", self.width)
                + f"\n  %out = norm.residual_add %trunk, %back : {self.type(self.width)}")

    def expected(self, y, x, fused):
        trunk = self.trunk(y, x)
        up, error = self.projected(trunk, self.weights[0], fused)
        inner = up + self.bias
        # GELU has a slope of at most 1.13; erf is off by some units of 1.
        error = 1.13 * (error + SUM * np.abs(inner)) + 8 * SUM * np.abs(inner)
        return [(trunk, SMALLEST[self.element]), self.back(trunk, ops.gelu(inner), error)]


class Gate(Block):
    """x + f(norm(x)), f with a gate: both halves read one norm."""

    def strategies(self, target):
        # Of one column, statistics are no less than the row.
        return {"whole_row"} if self.width == 1 else {"two_kernel_stats", "deferred"}

    def constants(self):
        return {"first": self.first, "w": self.weights[0], "v": self.weights[1], "last": self.last}

    def results(self):
        return [("out", self.type(self.width))]

    def body(self):
        return (f"\n  %trunk = norm.residual_add %x, %branch : {self.type(self.width)}"
                + self.norm("n", "trunk", self.width)
                + self.matmul("gate", "n", "w", self.width, HIDDEN)
                + self.matmul("up", "n", "v", self.width, HIDDEN)
                + self.elementwise("act", [("gate", self.type(HIDDEN, "f32"))], HIDDEN, """
    %t = math.tanh %a0 : f32
    %r = arith.addf %t, %t : f32""", "f32")
                + self.elementwise("gated", [("act", self.type(HIDDEN, "f32")), ("up", self.type(HIDDEN, "f32"))],
                                   HIDDEN, "    %r = arith.mulf %a0, %a1 : f32", "f32")
                + self.narrow("h", "gated", HIDDEN)
                + self.matmul("down", "h", "last", HIDDEN, self.width)
                + self.narrow("back", "down", self.width)
                + f"\n  %out = norm.residual_add %trunk, %back : {self.type(self.width)}")

    def expected(self, y, x, fused):
        trunk = self.trunk(y, x)
        (gate, off), (up, error) = (self.projected(trunk, weight, fused) for weight in self.weights)
        act = 2 * np.tanh(gate)
        # tanh has a slope of at most 1, and is off by some units of its value.
        off = 2 * off + 8 * SUM * np.abs(act)
        error = np.abs(act) * error + off * (np.abs(up) + error) + SUM * np.abs(act * up)
        return [self.back(trunk, act * up, error)]


class Post(Block):
    """norm(x + f(x)), with a scale, and what reads it."""

    def strategies(self, target):
        return {"whole_row"} if self.width <= WIDEST_ROW[target] else {"row_kernel"}

    def constants(self):
        return {"first": self.first, "scale": self.scale, "w": self.weights[0]}

    def results(self):
        return [("n", self.type(self.width)), ("up", self.type(HIDDEN, "f32"))]

    def body(self):
        return (f"\n  %trunk = norm.residual_add %x, %branch : {self.type(self.width)}"
                + self.norm("n", "trunk", self.width, "scale")
                + self.matmul("up", "n", "w", self.width, HIDDEN))

    def expected(self, y, x, fused):
        exact, error = self.scaled(self.trunk(y, x), self.scale)
        return [(exact, error), self.product(exact, error, self.weights[0])]


class Output(Block):
    """x + norm(f(x)), with a scale."""

    def strategies(self, target):
        return {"whole_row"} if self.width <= WIDEST_ROW[target] else {"row_kernel"}

    def constants(self):
        return {"first": self.first, "scale": self.scale}

    def results(self):
        return [("out", self.type(self.width))]

    def body(self):
        return (self.norm("n", "branch", self.width, "scale")
                + f"\n  %out = norm.residual_add %x, %n : {self.type(self.width)}")

    def expected(self, y, x, fused):
        exact, error = self.scaled(self.branch(y), self.scale)
        out = decode(x, self.element) + exact
        return [(out, self.rounded(out, error))]


class Heads(Block):
    """The norm of each head of a projection."""

    COUNT = 5

    def strategies(self, target):
        return {"grouped_rows"}

    @property
    def depth(self):
        return self.width // self.COUNT

    def constants(self):
        return {"first": self.first, "scale": self.scale[: self.depth]}

    def results(self):
        return [("n", f"tensor<?x{self.COUNT}x{self.depth}x{self.element}>")]

    def body(self):
        ((_, heads),) = self.results()
        return f"""
  %heads = tensor.expand_shape %branch [[0], [1, 2]] output_shape [%m, {self.COUNT}, {self.depth}]
    : {self.type(self.width)} into {heads}
  %n = norm.{self.kind}_norm %heads scale(%scale : tensor<{self.depth}x{self.element}>) epsilon = {EPSILON:.1e} : {heads}"""

    def expected(self, y, x, fused):
        branch = self.branch(y)
        return [self.scaled(branch.reshape(len(branch), self.COUNT, self.depth), self.scale[: self.depth])]


class WideHeads(Heads):
    COUNT = 2

    def strategies(self, target):
        return {"row_kernel"}


class Scaled(Block):
    """Two matmuls of a norm with a scale, which each apply to what they load."""

    def strategies(self, target):
        return {"whole_row"} if self.width == 1 else {"two_kernel_stats"}

    def constants(self):
        return {"first": self.first, "scale": self.scale, "w": self.weights[0], "v": self.weights[1]}

    def results(self):
        return [("trunk", self.type(self.width)), ("gate", self.type(HIDDEN, "f32")), ("up", self.type(HIDDEN, "f32"))]

    def body(self):
        return (f"\n  %trunk = norm.residual_add %x, %branch : {self.type(self.width)}"
                + self.norm("n", "trunk", self.width, "scale")
                + self.matmul("gate", "n", "w", self.width, HIDDEN)
                + self.matmul("up", "n", "v", self.width, HIDDEN))

    def expected(self, y, x, fused):
        trunk = self.trunk(y, x)
        exact, error = self.scaled(trunk, self.scale)
        return [(trunk, SMALLEST[self.element])] + [self.product(exact, error, weight) for weight in self.weights]


class Programs(unittest.TestCase):
    def run_block(self, block, target, unfused_too=True):
        what = f"{type(block).__name__}, {block.kind}, {block.element}, {block.width} columns, {target}"
        unfused = renorm.Module.parse(block.text())
        fused = unfused.clone()
        fused.run_pipeline(f"norm-fuse{{target={target}}}")
        kernels, alone = read_kernels(fused)
        self.assertEqual(alone, [], what)
        self.assertEqual(set().union(*(kernel.strategies for kernel in kernels)), block.strategies(target), what)

        # Inlined, it is the same program.
        inlined = fused.clone()
        inlined.run_pipeline("norm-inline-fusion,convert-norm-to-linalg")
        lowered = fused.clone()
        lowered.run_pipeline("convert-norm-to-linalg")
        self.assertEqual(str(inlined), str(lowered), what)

        for module, is_fused in ((unfused, False), (fused, True)):
            if not is_fused and not unfused_too:
                continue
            function = module.compile(pipeline=PLAIN_LOOPS)
            for count in (len(ROWS), 1, 0):
                y, x = block.rows(count)
                results = function(y, x)
                results = results if isinstance(results, (tuple, list)) else [results]
                for (_, stored), result, (exact, bound) in zip(
                    block.results(), results, block.expected(y, x, is_fused), strict=True
                ):
                    result = decode(result, stored[:-1].split("x")[-1])
                    check(result, exact, bound, f"{what}, {is_fused=}, {count} rows")

    def run_blocks(self, block):
        for number, (kind, element) in enumerate(itertools.product(NORMS, ("f32", "bf16", "f16"))):
            width, target = WIDTHS[(number + number // 3) % len(WIDTHS)]
            # All kinds and all types, but not all of both.
            self.run_block(block(kind, element, width), target, unfused_too=number % 4 == 0)

    def test_pre(self):
        self.run_blocks(Pre)

    def test_gate(self):
        self.run_blocks(Gate)

    def test_scaled(self):
        self.run_blocks(Scaled)

    def test_post(self):
        self.run_blocks(Post)

    def test_output(self):
        self.run_blocks(Output)

    def test_heads(self):
        self.run_blocks(Heads)
        # Of 160 columns each, wider than a tile.
        self.run_block(WideHeads("rms", "bf16", 320), "sm_80")

    def test_one_column(self):
        for block, kind in zip((Pre, Gate, Scaled, Post, Output, Pre), itertools.cycle(NORMS)):
            self.run_block(block(kind, "bf16", 1), "sm_80")


if __name__ == "__main__":
    unittest.main()
