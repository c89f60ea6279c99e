"""What is measured: parts of a Transformer's block, as programs, as formulas in numpy, and in PyTorch.

Each has `name`, `label` for people, `kind` ("rms" or "layer"), `rows` that are measured, and

    text(rows)         the program, in MLIR
    inputs(rows)       for each input its shape, element, scale and mean; `x` has a mean, which a LayerNorm removes
    reference(inputs)  the results and how far from them a program in bf16 may be, in float64
    eager(torch)       a function of tensors in PyTorch, and eager_inputs(torch, tensors), what it takes
    flops(rows), bytes(rows)   the least work
"""

import dataclasses
import math

import numpy as np
from numerics import UNIT
from reference import ops

ROWS = (16, 512, 4096)
EPSILON = 1e-5
KINDS = {"rms": "RMSNorm", "layer": "LayerNorm"}


def tensor(*extents, element="bf16"):
    return f"tensor<{'x'.join(map(str, extents))}x{element}>"


def reference_norm(kind, x, scale=None, bias=None):
    if kind == "rms":
        return ops.rms_norm(x, scale, epsilon=EPSILON)
    return ops.layer_norm(x, scale, bias, epsilon=EPSILON)


def eager_norm(torch, kind, x, scale, bias):
    if kind == "rms":
        return torch.nn.functional.rms_norm(x, x.shape[-1:], scale, EPSILON)
    return torch.nn.functional.layer_norm(x, x.shape[-1:], scale, bias, EPSILON)


def bound_of_norm(kind, trunk, change, scale):
    """How far the norm of rows is from that of rows whose elements are off by up to `change`, with random signs: each
    by its own change, and by what the sums over the row are off by, four times the root of the sum of the squares."""
    columns = trunk.shape[-1]
    centered = trunk - trunk.mean(-1, keepdims=True) if kind == "layer" else trunk
    deviation = np.sqrt(np.square(centered).mean(-1, keepdims=True) + EPSILON)
    size = np.sqrt(np.square(change).mean(-1, keepdims=True))
    of_mean = 4 * size / np.sqrt(columns) if kind == "layer" else 0.0
    products = np.sqrt(np.square(centered * change).sum(-1, keepdims=True))
    of_deviation = 4 * products / (columns * deviation) + np.square(size) / deviation
    return (change + of_mean + np.abs(centered) / deviation * of_deviation) / deviation * np.abs(scale)


def rounded(values, bound):
    return bound + UNIT["bf16"] * (np.abs(values) + bound)


def multiply(x, bound, weight, bias):
    """x weight^T + bias, rounded, and how far it may be if x is off by up to `bound`.

    The terms have random signs: errors of x are within four times the root of the sum of their squares, as they are when
    each has the size of its bound; and so are the partial sums, of which each of the additions in f32, whichever way it
    rounds, is off by a unit in the last place at most."""
    y = x @ weight.T + bias
    squares = np.square(weight.T)
    spread = 4 * np.sqrt(np.square(bound) @ squares)
    sums = 2 * UNIT["f32"] * (x.shape[-1] + 8) * 4 * np.sqrt(np.square(x) @ squares)
    return y, rounded(y, spread + sums)


# --- Chains -------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Chain:
    """trunk = x + a W0^T + b0; n = norm(trunk); activation(n W1^T + b1).

    Of a block this is the projection behind the attention with the feed-forward module's first half, or its second half
    with the projection to queries, keys and values of the next block. Results: n if `post` (Post-LN), else the trunk; and
    what the activation computes. `activation` is "none", "gelu" or "swiglu", silu(n Wg^T) (n W1^T). `affine` is whether
    the norm has a scale, and a bias if it's a LayerNorm; without, they are folded into the weights (norm-fold-affine).
    """

    name: str
    label: str
    kind: str
    hidden: int
    depth: int
    columns: int
    activation: str
    bias: bool
    post: bool
    rows: tuple = ROWS

    def inputs(self, rows):
        """In the order of the function's arguments."""
        shapes = {
            "x": ((rows, self.hidden), 1.0),
            "a": ((rows, self.depth), 1.0),
            "w0": ((self.hidden, self.depth), self.depth**-0.5),
        }
        if self.activation == "swiglu":
            shapes["wg"] = ((self.columns, self.hidden), self.hidden**-0.5)
        shapes["w1"] = ((self.columns, self.hidden), self.hidden**-0.5)
        if self.bias:
            shapes |= {"b0": ((self.hidden,), 1.0), "b1": ((self.columns,), 1.0)}
        if self.post:
            shapes["scale"] = ((self.hidden,), 1.0)
            if self.kind == "layer":
                shapes["bias"] = ((self.hidden,), 1.0)
        return {name: (shape, "bf16", scale, float(name == "x")) for name, (shape, scale) in shapes.items()}

    @property
    def weights(self):
        """Of how many weights the program needs the sums of columns: those that read the norm, if it is a LayerNorm
        that is applied to their products."""
        return ("wg", "w1") if self.activation == "swiglu" else ("w1",)

    def flops(self, rows):
        products = 2 if self.activation == "swiglu" else 1
        return 2 * rows * self.hidden * (self.depth + products * self.columns)

    def bytes(self, rows):
        """Each input is read once, each result written once."""
        read = sum(math.prod(shape) for shape, *_ in self.inputs(rows).values())
        return 2 * (read + rows * (self.hidden + self.columns))

    def text(self, rows):
        wide, narrow = tensor(rows, self.hidden), tensor(rows, self.columns)
        types = {name: tensor(*shape) for name, (shape, *_) in self.inputs(rows).items()}
        arguments = ", ".join(f"%{name}: {type}" for name, type in types.items())
        parameters = "".join(
            f" {name}(%{name} : {types[name]})" for name in ("scale", "bias") if name in types
        )
        biases = ("b0", "b1") if self.bias else (None, None)
        gate = self._linear("gate", "%n", wide, "wg", None, rows, self.columns, types) if "wg" in types else ""
        operands = {"none": None, "gelu": "%up", "swiglu": "%gate, %up"}[self.activation]
        result = f"%{'n' if self.post else 'trunk'}, %{'act' if operands else 'up'}"
        return f"""func.func @chain({arguments}) -> ({wide}, {narrow}) {{
  %zero = arith.constant 0.0 : f32
{self._linear("o", "%a", types["a"], "w0", biases[0], rows, self.hidden, types)}
  %trunk = norm.residual_add %x, %o : {wide}
  %n = norm.{self.kind}_norm %trunk{parameters} epsilon = {EPSILON:e} : {wide}
{gate}{self._linear("up", "%n", wide, "w1", biases[1], rows, self.columns, types)}
{self._activate(operands, narrow) if operands else ""}  return {result} : {wide}, {narrow}
}}
"""

    def _linear(self, name, left, left_type, weight, bias, rows, columns, types):
        """A product with sums in f32, its bias, and the rounding of both."""
        sums, result = tensor(rows, columns, element="f32"), tensor(rows, columns)
        maps = ", ".join(f"affine_map<(m, n, k) -> {map}>" for map in ("(m, k)", "(n, k)", "(m, n)"))
        inputs, types_in, identity = f"%{name}_sums", sums, "affine_map<(m, n) -> (m, n)>"
        read, values, body = identity, "%s: f32", f"%{name}_r = arith.truncf %s : f32 to bf16"
        if bias:
            inputs, types_in, read = f"{inputs}, %{bias}", f"{sums}, {types[bias]}", f"{identity}, affine_map<(m, n) -> (n)>"
            values = "%s: f32, %b: bf16"
            body = f"""%b32 = arith.extf %b : bf16 to f32
      %sb = arith.addf %s, %b32 : f32
      %{name}_r = arith.truncf %sb : f32 to bf16"""
        return f"""  %{name}_empty = tensor.empty() : {sums}
  %{name}_zeros = linalg.fill ins(%zero : f32) outs(%{name}_empty : {sums}) -> {sums}
  %{name}_sums = linalg.matmul indexing_maps = [{maps}] ins({left}, %{weight} : {left_type}, {types[weight]})
    outs(%{name}_zeros : {sums}) -> {sums}
  %{name}_target = tensor.empty() : {result}
  %{name} = linalg.generic {{indexing_maps = [{read}, {identity}], iterator_types = ["parallel", "parallel"]}}
      ins({inputs} : {types_in}) outs(%{name}_target : {result}) {{
    ^bb0({values}, %old: bf16):
      {body}
      linalg.yield %{name}_r : bf16
  }} -> {result}
"""

    def _activate(self, operands, type):
        count = operands.count("%")
        if self.activation == "gelu":
            body = """%half = arith.constant 0.5 : f32
      %root = arith.constant 0.70710678118654752 : f32
      %t = arith.mulf %u, %root : f32
      %e = math.erf %t : f32
      %e1 = arith.addf %e, %one : f32
      %h = arith.mulf %u, %half : f32
      %y = arith.mulf %h, %e1 : f32"""
        else:
            body = """%minus = arith.negf %u : f32
      %e = math.exp %minus : f32
      %e1 = arith.addf %e, %one : f32
      %silu = arith.divf %u, %e1 : f32
      %v = arith.extf %i1 : bf16 to f32
      %y = arith.mulf %silu, %v : f32"""
        identity = "affine_map<(m, n) -> (m, n)>"
        return f"""  %act_target = tensor.empty() : {type}
  %act = linalg.generic {{indexing_maps = [{", ".join([identity] * (count + 1))}], iterator_types = ["parallel", "parallel"]}}
      ins({operands} : {", ".join([type] * count)}) outs(%act_target : {type}) {{
    ^bb0({"".join(f"%i{index}: bf16, " for index in range(count))}%old: bf16):
      %one = arith.constant 1.0 : f32
      %u = arith.extf %i0 : bf16 to f32
      {body}
      %r = arith.truncf %y : f32 to bf16
      linalg.yield %r : bf16
  }} -> {type}
"""

    def reference(self, inputs):
        b0, b1, scale = inputs.get("b0", 0.0), inputs.get("b1", 0.0), inputs.get("scale", 1.0)
        exact = np.zeros(inputs["a"].shape)
        branch, branch_bound = multiply(inputs["a"], exact, inputs["w0"], b0)
        trunk = inputs["x"] + branch
        trunk_bound = rounded(trunk, branch_bound)
        n = reference_norm(self.kind, trunk, inputs.get("scale"), inputs.get("bias"))
        n_bound = rounded(n, bound_of_norm(self.kind, trunk, trunk_bound, scale))
        up, up_bound = multiply(n, n_bound, inputs["w1"], b1)
        if self.activation == "none":
            act, act_bound = up, up_bound
        elif self.activation == "gelu":
            # The derivative of GELU is at most 1.13, that of SiLU 1.1.
            act = ops.gelu(up)
            act_bound = rounded(act, 1.13 * up_bound + 2.0**-20)
        else:
            gate, gate_bound = multiply(n, n_bound, inputs["wg"], 0.0)
            silu, silu_bound = ops.silu(gate), rounded(ops.silu(gate), 1.1 * gate_bound)
            act = silu * up
            act_bound = rounded(act, np.abs(silu) * up_bound + silu_bound * (np.abs(up) + up_bound))
        first = (n, n_bound) if self.post else (trunk, trunk_bound)
        return [first, (act, act_bound)]

    def eager(self, torch):
        functional = torch.nn.functional

        def chain(x, a, w0, *rest):
            rest = list(rest)
            wg = rest.pop(0) if self.activation == "swiglu" else None
            w1 = rest.pop(0)
            b0, b1 = (rest.pop(0), rest.pop(0)) if self.bias else (None, None)
            scale, bias = rest.pop(0), rest.pop(0) if self.kind == "layer" else None
            trunk = x + functional.linear(a, w0, b0)
            n = eager_norm(torch, self.kind, trunk, scale, bias)
            y = functional.linear(n, w1, b1)
            if self.activation == "gelu":
                y = functional.gelu(y)
            elif self.activation == "swiglu":
                y = functional.silu(functional.linear(n, wg)) * y
            return n if self.post else trunk, y

        return chain

    def eager_inputs(self, torch, tensors):
        """What the function of PyTorch takes: where scale and bias are folded, it has some that change nothing."""
        if not self.post:
            like = tensors["x"]
            tensors = {**tensors, "scale": torch.ones_like(like[0])}
            if self.kind == "layer":
                tensors["bias"] = torch.zeros_like(like[0])
        return list(tensors.values())


# --- Norms alone --------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Norm:
    """A norm of rows, or of x + r, which is a result, too. The number of rows is dynamic."""

    name: str
    label: str
    kind: str
    hidden: int
    added: bool
    rows: tuple = ROWS

    def inputs(self, rows):
        names = ["x", "r"] if self.added else ["x"]
        parameters = ["scale", "bias"] if self.kind == "layer" else ["scale"]
        return {name: ((rows, self.hidden), "bf16", 1.0, float(name == "x")) for name in names} | {
            name: ((self.hidden,), "bf16", 1.0, 0.0) for name in parameters
        }

    def flops(self, rows):
        return 0

    def bytes(self, rows):
        read = sum(math.prod(shape) for shape, *_ in self.inputs(rows).values())
        return 2 * (read + rows * self.hidden * (2 if self.added else 1))

    def text(self, rows):
        wide, vector = tensor("?", self.hidden), tensor(self.hidden)
        names = self.inputs(1)
        arguments = ", ".join(f"%{name}: {wide if name in ('x', 'r') else vector}" for name in names)
        parameters = " ".join(f"{name}(%{name} : {vector})" for name in names if name in ("scale", "bias"))
        add = f"  %t = norm.residual_add %x, %r : {wide}\n" if self.added else ""
        results, types = ("%t, %y", f"{wide}, {wide}") if self.added else ("%y", wide)
        return f"""func.func @norm({arguments}) -> ({types}) {{
{add}  %y = norm.{self.kind}_norm {"%t" if self.added else "%x"} {parameters} epsilon = {EPSILON:e} : {wide}
  return {results} : {types}
}}
"""

    def reference(self, inputs):
        x = inputs["x"]
        change = np.zeros(x.shape)
        if self.added:
            x = x + inputs["r"]
            change = rounded(x, change)
        y = reference_norm(self.kind, x, inputs["scale"], inputs.get("bias"))
        few = 64 * UNIT["f32"] * (np.abs(y) + 1)
        bound = rounded(y, few + bound_of_norm(self.kind, x, change, inputs["scale"]))
        return ([(x, change)] if self.added else []) + [(y, bound)]

    def eager(self, torch):
        def norm(x, *rest):
            rest = list(rest)
            trunk = x + rest.pop(0) if self.added else x
            scale, bias = rest.pop(0), rest.pop(0) if self.kind == "layer" else None
            y = eager_norm(torch, self.kind, trunk, scale, bias)
            return (trunk, y) if self.added else (y,)

        return norm

    def eager_inputs(self, torch, tensors):
        return list(tensors.values())


# --- The list -----------------------------------------------------------------


def name_of(program, rows):
    """The name that its kernels have in the folder."""
    return program.name if isinstance(program, Norm) else f"{program.name}-{rows}"


def _llama(kind):
    """Hidden size 4096, 32 heads of 128, 8 of keys and of values, a feed-forward module of 14336 (Llama 3 8B)."""
    return [
        Chain(f"llama-ffn-{kind}", f"Llama-3-8B: out, + residual, {KINDS[kind]}, gate and up, SwiGLU",
              kind, 4096, 4096, 14336, "swiglu", False, False),
        Chain(f"llama-qkv-{kind}", f"Llama-3-8B: down, + residual, {KINDS[kind]}, QKV",
              kind, 4096, 14336, 6144, "none", False, False),
    ]  # fmt: skip


def _bert(kind):
    """Hidden size 1024, 16 heads of 64, a feed-forward module of 4096 (BERT-large)."""
    return [
        Chain(f"bert-ffn-{kind}", f"BERT-large: out, + residual, {KINDS[kind]}, up, GELU",
              kind, 1024, 1024, 4096, "gelu", True, True),
        Chain(f"bert-qkv-{kind}", f"BERT-large: down, + residual, {KINDS[kind]}, QKV",
              kind, 1024, 4096, 3072, "none", True, True),
    ]  # fmt: skip


def _norms(kind):
    return [
        Norm(f"{'add-' if added else ''}{kind}-{hidden}", f"{'+ residual, ' if added else ''}{KINDS[kind]}, {hidden} columns",
             kind, hidden, added)
        for hidden in (4096, 1024) for added in (False, True)
    ]  # fmt: skip


# In the order in which they are measured: with a small budget, what is last is left out.
PROGRAMS = [
    *_llama("rms"),
    *_bert("layer"),
    *(each for pair in zip(_norms("rms"), _norms("layer")) for each in pair),
    # The same with the other norm.
    *_llama("layer"),
    *_bert("rms"),
]


def with_layer_norm(program, programs):
    """Which of `programs` differs from `program`, one of RMSNorm, in that it has LayerNorm, or None."""
    for each in programs:
        same = dataclasses.replace(each, name=program.name, label=program.label, kind=program.kind) == program
        if program.kind == "rms" and each.kind == "layer" and same:
            return each
    return None
