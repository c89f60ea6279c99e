"""Time of raising, analysis and conversion on stacks of 100 to 1,000 layers.

usage: compile_time.py [--renorm-opt PATH] [--layers 100 300 1000]

Each stack is a Pre-LN Transformer of self-attention and feed-forward sublayers in plain
linalg, as a front end would write it. One call of renorm-opt raises it, reports on it
and converts it to Peri-LN. Printed are the seconds of each pass, per layer, and how
they grow from the smallest to the largest stack: 1.0 is linear.
"""

import argparse
import re
import subprocess
import sys
import tempfile

PASSES = ["norm-raise", "norm-report{output=/dev/null}", "norm-convert-placement{to=peri}"]

B, S, H, D, F = 2, 8, 4, 16, 96
M = H * D
X = f"tensor<{B}x{S}x{M}xf32>"
ROW = f"tensor<{B}x{S}x1xf32>"
HEADS = f"tensor<{B}x{H}x{S}x{D}xf32>"
LOGITS = f"tensor<{B}x{H}x{S}x{S}xf32>"
LOGIT_ROW = f"tensor<{B}x{H}x{S}x1xf32>"

MAPS = """
#x = affine_map<(b, s, m) -> (b, s, m)>
#row = affine_map<(b, s, m) -> (b, s, 0)>
#w = affine_map<(b, s, m) -> (m)>
#l = affine_map<(b, h, s, t) -> (b, h, s, t)>
#lrow = affine_map<(b, h, s, t) -> (b, h, s, 0)>
"""


def elementwise(out, result_type, inputs, body, yielded, rank):
    """A linalg.generic of `inputs`, triples (value, type, map)."""
    maps = ", ".join([m for _, _, m in inputs] + ["#x" if rank == 3 else "#l"])
    values = ", ".join(v for v, _, _ in inputs)
    types = ", ".join(t for _, t, _ in inputs)
    args = ", ".join(f"%a{i}: f32" for i in range(len(inputs)))
    iterators = ", ".join(['"parallel"'] * rank)
    return f"""
  {out}_e = tensor.empty() : {result_type}
  {out} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({values} : {types}) outs({out}_e : {result_type}) {{
  ^bb0({args}, %o: f32):
    {body}
    linalg.yield {yielded} : f32
  }} -> {result_type}"""


def reduction(out, result_type, value, value_type, operation, init, rank):
    maps = "#x, #row" if rank == 3 else "#l, #lrow"
    iterators = ", ".join(['"parallel"'] * (rank - 1) + ['"reduction"'])
    return f"""
  {out}_e = tensor.empty() : {result_type}
  {out}_i = linalg.fill ins({init} : f32) outs({out}_e : {result_type}) -> {result_type}
  {out} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins({value} : {value_type}) outs({out}_i : {result_type}) {{
  ^bb0(%a0: f32, %o: f32):
    %r = {operation} %a0, %o : f32
    linalg.yield %r : f32
  }} -> {result_type}"""


def layer_norm(out, x):
    return "".join([
        reduction(f"{out}_s", ROW, x, X, "arith.addf", "%zero", 3),
        elementwise(f"{out}_m", ROW, [(f"{out}_s", ROW, "#x")], "%r = arith.divf %a0, %width : f32", "%r", 3),
        elementwise(f"{out}_c", X, [(x, X, "#x"), (f"{out}_m", ROW, "#row")], "%r = arith.subf %a0, %a1 : f32", "%r", 3),
        elementwise(f"{out}_q", X, [(f"{out}_c", X, "#x")], "%r = arith.mulf %a0, %a0 : f32", "%r", 3),
        reduction(f"{out}_v", ROW, f"{out}_q", X, "arith.addf", "%zero", 3),
        elementwise(f"{out}_i", ROW, [(f"{out}_v", ROW, "#x")],
                    "%n = arith.divf %a0, %width : f32\n    %p = arith.addf %n, %eps : f32\n    %r = math.rsqrt %p : f32", "%r", 3),
        elementwise(out, X, [(f"{out}_c", X, "#x"), (f"{out}_i", ROW, "#row"), ("%g", f"tensor<{M}xf32>", "#w"), ("%b", f"tensor<{M}xf32>", "#w")],
                    "%n = arith.mulf %a0, %a1 : f32\n    %p = arith.mulf %n, %a2 : f32\n    %r = arith.addf %p, %a3 : f32", "%r", 3),
    ])


def linear(out, x, width_in, width_out, weight):
    flat_in, flat_out = f"tensor<{B * S}x{width_in}xf32>", f"tensor<{B * S}x{width_out}xf32>"
    return f"""
  {out}_f = tensor.collapse_shape {x} [[0, 1], [2]] : tensor<{B}x{S}x{width_in}xf32> into {flat_in}
  {out}_e = tensor.empty() : {flat_out}
  {out}_i = linalg.fill ins(%zero : f32) outs({out}_e : {flat_out}) -> {flat_out}
  {out}_p = linalg.matmul ins({out}_f, {weight} : {flat_in}, tensor<{width_in}x{width_out}xf32>) outs({out}_i : {flat_out}) -> {flat_out}
  {out} = tensor.expand_shape {out}_p [[0, 1], [2]] output_shape [{B}, {S}, {width_out}] : {flat_out} into tensor<{B}x{S}x{width_out}xf32>"""


def heads(out, x):
    return f"""
  {out}_h = tensor.expand_shape {x} [[0], [1], [2, 3]] output_shape [{B}, {S}, {H}, {D}] : {X} into tensor<{B}x{S}x{H}x{D}xf32>
  {out}_e = tensor.empty() : {HEADS}
  {out} = linalg.transpose ins({out}_h : tensor<{B}x{S}x{H}x{D}xf32>) outs({out}_e : {HEADS}) permutation = [0, 2, 1, 3]"""


def batch_matmul(out, lhs, lhs_shape, rhs, rhs_shape):
    """Product of two [B, H, ., .] tensors, through a collapsed batch."""
    def collapse(value, shape):
        flat = f"tensor<{B * H}x{shape[0]}x{shape[1]}xf32>"
        return flat, f"tensor.collapse_shape {value} [[0, 1], [2], [3]] : tensor<{B}x{H}x{shape[0]}x{shape[1]}xf32> into {flat}"
    lhs_type, lhs_op = collapse(lhs, lhs_shape)
    rhs_type, rhs_op = collapse(rhs, rhs_shape)
    flat = f"tensor<{B * H}x{lhs_shape[0]}x{rhs_shape[1]}xf32>"
    return f"""
  {out}_a = {lhs_op}
  {out}_b = {rhs_op}
  {out}_e = tensor.empty() : {flat}
  {out}_i = linalg.fill ins(%zero : f32) outs({out}_e : {flat}) -> {flat}
  {out}_p = linalg.batch_matmul ins({out}_a, {out}_b : {lhs_type}, {rhs_type}) outs({out}_i : {flat}) -> {flat}
  {out} = tensor.expand_shape {out}_p [[0, 1], [2], [3]] output_shape [{B}, {H}, {lhs_shape[0]}, {rhs_shape[1]}] : {flat} into tensor<{B}x{H}x{lhs_shape[0]}x{rhs_shape[1]}xf32>"""


def attention(out, x):
    transposed = f"tensor<{B}x{H}x{D}x{S}xf32>"
    text = "".join(linear(f"{out}_{n}p", x, M, M, "%square") + heads(f"{out}_{n}", f"{out}_{n}p") for n in "qkv")
    text += f"""
  {out}_kte = tensor.empty() : {transposed}
  {out}_kt = linalg.transpose ins({out}_k : {HEADS}) outs({out}_kte : {transposed}) permutation = [0, 1, 3, 2]"""
    text += batch_matmul(f"{out}_l", f"{out}_q", (S, D), f"{out}_kt", (D, S))
    text += elementwise(f"{out}_s", LOGITS, [(f"{out}_l", LOGITS, "#l")], "%r = arith.mulf %a0, %scale : f32", "%r", 4)
    text += reduction(f"{out}_m", LOGIT_ROW, f"{out}_s", LOGITS, "arith.maximumf", "%minus_infinity", 4)
    text += elementwise(f"{out}_x", LOGITS, [(f"{out}_s", LOGITS, "#l"), (f"{out}_m", LOGIT_ROW, "#lrow")],
                        "%n = arith.subf %a0, %a1 : f32\n    %r = math.exp %n : f32", "%r", 4)
    text += reduction(f"{out}_z", LOGIT_ROW, f"{out}_x", LOGITS, "arith.addf", "%zero", 4)
    text += elementwise(f"{out}_w", LOGITS, [(f"{out}_x", LOGITS, "#l"), (f"{out}_z", LOGIT_ROW, "#lrow")], "%r = arith.divf %a0, %a1 : f32", "%r", 4)
    text += batch_matmul(f"{out}_o", f"{out}_w", (S, S), f"{out}_v", (S, D))
    text += f"""
  {out}_te = tensor.empty() : tensor<{B}x{S}x{H}x{D}xf32>
  {out}_t = linalg.transpose ins({out}_o : {HEADS}) outs({out}_te : tensor<{B}x{S}x{H}x{D}xf32>) permutation = [0, 2, 1, 3]
  {out}_c = tensor.collapse_shape {out}_t [[0], [1], [2, 3]] : tensor<{B}x{S}x{H}x{D}xf32> into {X}"""
    return text + linear(out, f"{out}_c", M, M, "%square")


def feed_forward(out, x):
    hidden = f"tensor<{B}x{S}x{F}xf32>"
    return (linear(f"{out}_u", x, M, F, "%up")
            + elementwise(f"{out}_r", hidden, [(f"{out}_u", hidden, "#x")], "%r = arith.maximumf %a0, %zero : f32", "%r", 3)
            + linear(out, f"{out}_r", F, M, "%down"))


def stack(layers):
    body, x = [], "%x"
    for i in range(layers):
        for name, module in (("a", attention), ("f", feed_forward)):
            n, y, z = f"%n{name}{i}", f"%y{name}{i}", f"%z{name}{i}"
            body.append(layer_norm(n, x) + module(y, n)
                        + elementwise(z, X, [(x, X, "#x"), (y, X, "#x")], "%r = arith.addf %a0, %a1 : f32", "%r", 3))
            x = z
    return f"""{MAPS}
func.func @forward(%x: {X}, %g: tensor<{M}xf32>, %b: tensor<{M}xf32>, %square: tensor<{M}x{M}xf32>,
                   %up: tensor<{M}x{F}xf32>, %down: tensor<{F}x{M}xf32>) -> {X} {{
  %zero = arith.constant 0.0 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %width = arith.constant {M}.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %scale = arith.constant {D**-0.5} : f32
  {"".join(body)}{layer_norm("%y", x)}
  return %y : {X}
}}
"""


def measure(renorm_opt, layers):
    """Seconds per pass, and the converted program's number of norms."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(stack(layers))
        file.flush()
        result = subprocess.run(
            [renorm_opt, file.name, f"--pass-pipeline=builtin.module({','.join(PASSES)})",
             "--mlir-timing", "--mlir-timing-display=list"], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    norms = len(re.findall(r"norm\.layer_norm", result.stdout))
    if norms != 4 * layers + 1:
        sys.exit(f"expected {4 * layers + 1} norms after the conversion, but got {norms}")
    seconds = {}
    for line in result.stderr.splitlines():
        match = re.match(r"\s*([\d.]+)\s*\(\s*[\d.]+%\)\s+(.*)$", line)
        if match:
            seconds[match.group(2).strip()] = float(match.group(1))
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renorm-opt", default="build/bin/renorm-opt")
    parser.add_argument("--layers", type=int, nargs="+", default=[100, 300, 1000])
    arguments = parser.parse_args()
    times = {n: measure(arguments.renorm_opt, n) for n in arguments.layers}
    first, last = min(arguments.layers), max(arguments.layers)
    print(f"{'ms per layer':28}" + "".join(f"{n:>8}" for n in times) + f"   {last}/{first}")
    for name in times[last]:
        row = [1e3 * times[n].get(name, 0.0) / n for n in times]
        ratio = times[last][name] / last / max(times[first].get(name, 0.0) / first, 1e-9)
        print(f"{name:28}" + "".join(f"{value:8.3f}" for value in row) + f"{ratio:10.2f}")


if __name__ == "__main__":
    main()
