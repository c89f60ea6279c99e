"""Random programs of what Transformers are made of, with what they compute.

A program is a graph of matmuls, norms, elementwise operations, reshapes, transposes, slices and reductions, which read
any values before them, so that some group wants to wait for what waits for it. All is in f64, and no operation enlarges
an error much (no norm divides by less than the root of EPSILON): what is off by more than roundings is wrong.
"""

import numpy as np
from reference import ops

EPSILON = 0.1
NORMS = {"layer": ops.layer_norm, "rms": ops.rms_norm, "l2": ops.l2_norm}

# (columns, heads): within every tile; groups that do not divide a tile of 128; heads wider than one.
WIDTHS = [(12, 3), (320, 5), (320, 2)]
LARGE = 100


class Tensor:
    """An SSA value. `rows` is the dimension that may be dynamic, or None."""

    def __init__(self, name, value, rows, dynamic):
        self.name, self.value, self.rows, self.shape = name, value, rows, value.shape
        extents = ["?" if dynamic and dim == rows else str(extent) for dim, extent in enumerate(self.shape)]
        self.type = f"tensor<{'x'.join(extents)}xf64>"


class Program:
    """Its MLIR, the arrays that its main function takes, and those that it must return."""

    def __init__(self, seed, size=18):
        self.rng = np.random.default_rng(seed)
        self.columns, self.heads = WIDTHS[self.rng.integers(len(WIDTHS))]
        self.dynamic = bool(self.rng.integers(2))
        self.lines, self.parameters, self.names = [], [], 0
        self.empties = {}
        rows = int(self.rng.integers(1, 6))
        self.arguments = [self.tensor("%x", self.rng.normal(size=(rows, self.columns)), 0)]
        self.values = list(self.arguments)
        self.line("%zero = arith.constant 0.0 : f64")
        self.line("%half = arith.constant 0.5 : f64")
        self.line("%yes = arith.constant true")
        if self.dynamic:
            self.line("%c0 = arith.constant 0 : index")
            self.line(f"%m = tensor.dim %x, %c0 : {self.arguments[0].type}")
        makers = [maker for maker in dir(self) if maker.startswith("make_")]
        # Matmuls and norms are what the pass is about.
        makers += ["make_matmul", "make_norm", "make_norm", "make_residual_add", "make_pre_norm", "make_head_norm"]
        while len(self.values) < size:
            getattr(self, makers[self.rng.integers(len(makers))])()
        unread = [value for value in self.values if not any(f"{value.name} " in f"{line} " for line in self.reads())]
        self.results = unread + [self.values[self.rng.integers(1, len(self.values))]]

    # --- Text ----------------------------------------------------------------

    def tensor(self, name, value, rows):
        return Tensor(name, value, rows, self.dynamic)

    def line(self, text):
        self.lines.append("  " + text)

    def reads(self):
        """The lines without what they define, with a space after each name."""
        for line in self.lines:
            yield line.split(" = ", 1)[-1].replace(",", " ").replace(")", " ").replace("[", " ").replace("#", " ")

    def define(self, value, rows, text):
        """A value computed by `text`, in which {type} is its type."""
        result = self.tensor(f"%v{self.names}", np.asarray(value), rows)
        self.names += 1
        self.line(f"{result.name} = {text.replace('{type}', result.type)}")
        self.values.append(result)
        return result

    def parameter(self, *shape, scale=1.0):
        """A parameter of the model, or a constant if that is not long to write."""
        value = self.rng.normal(size=shape) * scale
        result = Tensor(f"%p{len(self.parameters)}", value, None, False)
        self.parameters.append((result, value.size > 1000 or bool(self.rng.integers(2))))
        return result

    def empty(self, tensor):
        """The name of a tensor to overwrite, of the type of `tensor`."""
        if tensor.type not in self.empties:
            name = f"%e{len(self.empties)}"
            self.empties[tensor.type] = name
            self.line(f"{name} = tensor.empty({'%m' if '?' in tensor.type else ''}) : {tensor.type}")
        return self.empties[tensor.type]

    def generic(self, value, rows, inputs, maps, body):
        """An elementwise linalg.generic over the dimensions of `value`; `maps` are the dimensions of the inputs."""
        rank = np.ndim(value)
        loops = ", ".join(f"d{dim}" for dim in range(rank))
        affine = [f"affine_map<({loops}) -> ({', '.join(f'd{dim}' for dim in dims)})>" for dims in [*maps, range(rank)]]
        empty = self.empty(self.tensor("", np.asarray(value), rows))
        names = ", ".join(each.name for each in inputs)
        types = ", ".join(each.type for each in inputs)
        block = ", ".join(f"%a{index}: f64" for index in range(len(inputs) + 1))
        iterators = ", ".join(['"parallel"'] * rank)
        return self.define(value, rows, f"linalg.generic {{indexing_maps = [{', '.join(affine)}], iterator_types = "
                           f"[{iterators}]}} ins({names} : {types}) outs({empty} : {{type}}) "
                           f"{{ ^bb0({block}): {body} }} -> {{type}}")

    def pick(self, test=lambda value: True):
        """A value that `test` takes, or None; later ones more often."""
        values = [value for value in self.values if test(value)]
        if not values:
            return None
        return values[-1 - min(int(self.rng.geometric(0.4)) - 1, len(values) - 1)]

    def text(self):
        arguments = [self.arguments[0]] + [each for each, is_argument in self.parameters if is_argument]
        signature = ", ".join(f"{each.name}: {each.type}" + (f' {{norm.param = "{each.name[1:]}"}}' if index else "")
                              for index, each in enumerate(arguments))
        constants = [f"  {each.name} = arith.constant dense<{each.value.tolist()}> : {each.type}"
                     for each, is_argument in self.parameters if not is_argument]
        types = ", ".join(each.type for each in self.results)
        names = ", ".join(each.name for each in self.results)
        body = "\n".join([*constants, *self.lines])
        return f"func.func @main({signature}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

    def inputs(self):
        return [self.arguments[0].value] + [each.value for each, is_argument in self.parameters if is_argument]

    def expected(self):
        return [each.value for each in self.results]

    # --- Operations ------------------------------------------------------------

    def make_tanh(self):
        value = self.pick(lambda each: len(each.shape) > 1)
        self.generic(np.tanh(value.value), value.rows, [value], [range(len(value.shape))],
                     "%r = math.tanh %a0 : f64 linalg.yield %r : f64")

    def make_binary(self):
        first = self.pick()
        second = self.pick(lambda each: each.type == first.type)
        dims = range(len(first.shape))
        if self.rng.integers(2) and max(np.abs(each.value).max(initial=0) for each in (first, second)) < LARGE:
            self.generic(first.value * second.value, first.rows, [first, second], [dims, dims],
                         "%r = arith.mulf %a0, %a1 : f64 linalg.yield %r : f64")
        else:
            self.define(first.value + second.value, first.rows, f"arith.addf {first.name}, {second.name} : {{type}}")

    def make_residual_add(self):
        first = self.pick(lambda each: each.shape[-1:] == (self.columns,))
        second = self.pick(lambda each: each.type == first.type)
        self.define(first.value + second.value, first.rows, f"norm.residual_add {first.name}, {second.name} : {{type}}")

    def make_bias(self):
        value = self.pick(lambda each: len(each.shape) > 1)
        bias = self.parameter(value.shape[-1])
        rank = len(value.shape)
        self.generic(value.value + bias.value, value.rows, [value, bias], [range(rank), [rank - 1]],
                     "%r = arith.addf %a0, %a1 : f64 linalg.yield %r : f64")

    def make_row_factor(self):
        """A value times a number for each row, which is computed from any value."""
        factor = self.pick(lambda each: len(each.shape) == 1)
        if factor is None:
            return
        value = self.pick(lambda each: len(each.shape) > 1)
        shape = [-1 if dim == value.rows else 1 for dim in range(len(value.shape))]
        self.generic(value.value * np.tanh(factor.value).reshape(shape), value.rows, [value, factor],
                     [range(len(value.shape)), [value.rows]],
                     "%t = math.tanh %a1 : f64 %r = arith.mulf %a0, %t : f64 linalg.yield %r : f64")

    def make_row_sum(self):
        value = self.pick(lambda each: len(each.shape) == 2)
        total = self.tensor("", value.value.sum(1), 0)
        empty = self.empty(total)
        filled = f"%f{self.names}"
        self.line(f"{filled} = linalg.fill ins(%zero : f64) outs({empty} : {total.type}) -> {total.type}")
        self.define(total.value, 0, f"linalg.reduce ins({value.name} : {value.type}) outs({filled} : {{type}}) "
                    "dimensions = [1] (%in: f64, %out: f64) { %r = arith.addf %in, %out : f64 linalg.yield %r : f64 }")

    def make_norm(self, value=None):
        value = value or self.pick(lambda each: len(each.shape) > 1)
        kind = list(NORMS)[self.rng.integers(3)]
        axes = [len(value.shape) - 1]
        if self.rng.integers(6) == 0:
            # Of all heads of a row, or of anything.
            axes = [1, 2] if len(value.shape) == 3 and value.rows == 0 else [int(self.rng.integers(len(value.shape)))]
        text, options, scale, bias = f"norm.{kind}_norm {value.name}", "", None, None
        if axes == [len(value.shape) - 1] and self.rng.integers(4) == 0:
            scale = self.parameter(value.shape[-1])
            text += f" scale({scale.name} : {scale.type})"
            if kind != "l2" and self.rng.integers(2):
                bias = self.parameter(value.shape[-1])
                text += f" bias({bias.name} : {bias.type})"
        result = NORMS[kind](value.value, scale and scale.value, bias and bias.value, epsilon=EPSILON, axes=axes)
        if axes != [len(value.shape) - 1]:
            options = f" axes = {axes}"
        return self.define(result, value.rows, f"{text} epsilon = {EPSILON}{options} : {value.type}")

    def make_pre_norm(self):
        """A norm that matmuls read."""
        value = self.make_norm(self.pick(lambda each: len(each.shape) == 2))
        for _ in range(self.rng.integers(1, 4)):
            self.make_matmul(value)

    def make_head_norm(self):
        """A norm for each head of a projection."""
        self.make_heads(self.make_matmul(outputs=self.columns))
        self.make_norm(self.values[-1])

    def make_matmul(self, value=None, outputs=None):
        value = value or self.pick(lambda each: len(each.shape) == 2)
        inputs = value.shape[1]
        outputs = outputs or (self.columns if self.rng.integers(3) else self.columns // 2)
        if self.rng.integers(2):
            weight = self.parameter(inputs, outputs, scale=inputs**-0.5)
            matrix, name = weight.value, weight.name
        else:
            weight = self.parameter(outputs, inputs, scale=inputs**-0.5)
            matrix, name = weight.value.T, f"%t{self.names}"
            type = f"tensor<{inputs}x{outputs}xf64>"
            self.line(f"{name}e = tensor.empty() : {type}")
            self.line(f"{name} = linalg.transpose ins({weight.name} : {weight.type}) outs({name}e : {type}) "
                      "permutation = [1, 0]")
        result = self.tensor("", value.value @ matrix, 0)
        empty = self.empty(result)
        filled = f"%f{self.names}"
        self.line(f"{filled} = linalg.fill ins(%zero : f64) outs({empty} : {result.type}) -> {result.type}")
        return self.define(result.value, 0, f"linalg.matmul ins({value.name}, {name} : {value.type}, "
                           f"tensor<{inputs}x{outputs}xf64>) outs({filled} : {{type}}) -> {{type}}")

    def make_head_matmul(self):
        """A matmul for each head: its own rows of queries with its own columns of keys."""
        value = self.pick(lambda each: len(each.shape) == 3 and each.rows == 1)
        if value is None:
            return
        heads, _, depth = value.shape
        weight = self.parameter(heads, depth, depth, scale=depth**-0.5)
        result = self.tensor("", value.value @ weight.value, 1)
        empty = self.empty(result)
        filled = f"%f{self.names}"
        self.line(f"{filled} = linalg.fill ins(%zero : f64) outs({empty} : {result.type}) -> {result.type}")
        self.define(result.value, 1, f"linalg.batch_matmul ins({value.name}, {weight.name} : {value.type}, "
                    f"{weight.type}) outs({filled} : {{type}}) -> {{type}}")

    def make_heads(self, value=None):
        value = value or self.pick(lambda each: len(each.shape) == 2)
        rows, columns = value.shape
        if columns != self.columns:
            return
        shape = (rows, self.heads, columns // self.heads)
        extents = ", ".join(["%m" if self.dynamic else str(rows), *map(str, shape[1:])])
        self.define(value.value.reshape(shape), 0, f"tensor.expand_shape {value.name} [[0], [1, 2]] output_shape "
                    f"[{extents}] : {value.type} into {{type}}")

    def make_merged_heads(self):
        value = self.pick(lambda each: len(each.shape) == 3 and each.rows == 0)
        if value is not None:
            self.define(value.value.reshape(len(value.value), -1), 0,
                        f"tensor.collapse_shape {value.name} [[0], [1, 2]] : {value.type} into {{type}}")

    def make_transpose(self):
        value = self.pick(lambda each: len(each.shape) == 3)
        if value is None:
            return
        moved = self.tensor("", np.ascontiguousarray(value.value.swapaxes(0, 1)), 1 - value.rows)
        empty = self.empty(moved)
        self.define(moved.value, moved.rows, f"linalg.transpose ins({value.name} : {value.type}) outs({empty} : "
                    "{type}) permutation = [1, 0, 2]")

    def make_cast(self):
        """Another type for the shape, and back."""
        value = self.pick()
        if not self.dynamic or value.rows is None:
            return
        name, static = f"%k{self.names}", Tensor("", value.value, value.rows, False).type
        self.line(f"{name} = tensor.cast {value.name} : {value.type} to {static}")
        self.define(value.value, value.rows, f"tensor.cast {name} : {static} to {{type}}")

    def make_slice(self):
        value = self.pick(lambda each: len(each.shape) == 2 and each.shape[1] == self.columns)
        size = self.columns // 2
        begin = int(self.rng.integers(2)) * size
        rows = "%m" if self.dynamic else value.shape[0]
        self.define(value.value[:, begin : begin + size], 0, f"tensor.extract_slice {value.name}[0, {begin}] "
                    f"[{rows}, {size}] [1, 1] : {value.type} to {{type}}")

    def make_concat(self):
        first = self.pick(lambda each: len(each.shape) == 2 and 2 * each.shape[1] == self.columns)
        if first is not None:
            second = self.pick(lambda each: each.type == first.type)
            self.define(np.concatenate([first.value, second.value], 1), 0,
                        f"tensor.concat dim(1) {first.name}, {second.name} : ({first.type}, {second.type}) -> {{type}}")

    def make_branch(self):
        """A region that reads values of the block around it."""
        first = self.pick()
        second = self.pick(lambda each: each.type == first.type)
        self.define(first.value, first.rows, f"scf.if %yes -> ({{type}}) {{ scf.yield {first.name} : {{type}} }} "
                    f"else {{ scf.yield {second.name} : {{type}} }}")

    def make_shape_reader(self):
        """Reads of the shape alone, which keep nothing in memory."""
        value = self.pick(lambda each: each.rows == 0 and len(each.shape) == 2)
        if not self.dynamic or value is None:
            return
        name = f"%d{self.names}"
        self.line(f"{name} = tensor.dim {value.name}, %c0 : {value.type}")
        self.line(f"{name}e = tensor.empty({name}) : {value.type}")
        self.define(np.full(value.shape, 0.5), 0, f"linalg.fill ins(%half : f64) outs({name}e : {{type}}) -> {{type}}")
