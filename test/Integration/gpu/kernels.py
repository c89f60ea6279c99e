"""Groups of a matmul with what is fused into it, and of norms alone."""

import subprocess

from groups import Group

ROWS = "%c0 = arith.constant 0 : index\n%rows = tensor.dim %a, %c0 : T(a)\n"


def product(columns, depth, weight, left="%a : T(a)", right="%w : T(w)", result="%p", init="f32"):
    """The product of `left` and a weight [depth, columns], or [columns, depth] if `weight` is "nk"."""
    inputs, outputs = left.split(" : ")[0] + ", " + right.split(" : ")[0], f"tensor<{{M}}x{columns}x{init}>"
    types = left.split(" : ")[1] + ", " + right.split(" : ")[1]
    right_map = "(n, k)" if weight == "nk" else "(k, n)"
    maps = ", ".join(f"affine_map<(m, n, k) -> {map}>" for map in ("(m, k)", right_map, "(m, n)"))
    return f"""
      %zero = arith.constant 0.0 : {init}
      %empty = tensor.empty({{rows}}) : {outputs}
      %filled = linalg.fill ins(%zero : {init}) outs(%empty : {outputs}) -> {outputs}
      {result} = linalg.matmul indexing_maps = [{maps}] ins({inputs} : {types}) outs(%filled : {outputs}) -> {outputs}
    """


def elementwise(result, operands, type, body):
    """`result` of the operands (name, type, map); `body` computes %out from %0, %1, ..."""
    element = type.rstrip(">").split("x")[-1] if "<" in type else None
    maps = ", ".join(f"affine_map<(m, n) -> {map}>" for _, _, map in operands) + ", affine_map<(m, n) -> (m, n)>"
    names, types = ", ".join(name for name, _, _ in operands), ", ".join(type for _, type, _ in operands)
    elements = [t.rstrip(">").split("x")[-1] for t in (type for _, type, _ in operands)]
    arguments = ", ".join(f"%i{index}: {e}" for index, e in enumerate(elements))
    return f"""
      {result}_empty = tensor.empty({{rows}}) : {type}
      {result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
          ins({names} : {types}) outs({result}_empty : {type}) {{
        ^bb0({arguments}, %old: {element}):
          {body}
          linalg.yield %out : {element}
      }} -> {type}
    """


def weight_shape(columns, depth, weight):
    return [columns, depth] if weight == "nk" else [depth, columns]


def plain(element, weight, columns, depth):
    inputs = {"a": (["M", depth], element), "w": (weight_shape(columns, depth, weight), element)}
    return Group(inputs, {"p": (["M", columns], "f32")}, ROWS + product(columns, depth, weight))


def initialized(columns, depth):
    """A product that is added to what is given."""
    maps = ", ".join(f"affine_map<(m, n, k) -> {map}>" for map in ("(m, k)", "(k, n)", "(m, n)"))
    return Group(
        {"a": (["M", depth], "bf16"), "w": ([depth, columns], "bf16"), "init": (["M", columns], "bf16")},
        {"p": (["M", columns], "bf16")},
        f"%p = linalg.matmul indexing_maps = [{maps}] ins(%a, %w : T(a), T(w)) outs(%init : T(init)) -> T(p)",
    )


def viewed(batch, heads, sequence, width, columns):
    """The projection behind an attention: its operand is [batch, heads, sequence, head], its result, to which the
    residual is added, [batch, sequence, columns]."""
    rows, depth = batch * sequence, heads * width
    moved = f"tensor<{batch}x{sequence}x{heads}x{width}xbf16>"
    flat, wide = f"tensor<{rows}x{depth}xbf16>", f"tensor<{rows}x{columns}xbf16>"
    text = product(columns, depth, "nk", left=f"%flat : {flat}", init="bf16")
    return Group(
        {"a": ([batch, heads, sequence, width], "bf16"), "w": ([columns, depth], "bf16"),
         "skip": ([batch, sequence, columns], "bf16")},
        {"y": ([batch, sequence, columns], "bf16")}, f"""
      %target = tensor.empty() : {moved}
      %moved = linalg.transpose ins(%a : T(a)) outs(%target : {moved}) permutation = [0, 2, 1, 3]
      %flat = tensor.collapse_shape %moved [[0, 1], [2, 3]] : {moved} into {flat}
      {text.replace("{M}", str(rows)).replace("{rows}", "")}
      %split = tensor.expand_shape %p [[0, 1], [2]] output_shape [{batch}, {sequence}, {columns}] : {wide} into T(y)
      %y = norm.residual_add %skip, %split : T(y)""")  # fmt: skip


def epilogue(element, columns, kind, depth=64):
    """Bias, GELU, a branch scale, a residual add, and the statistics of what is stored."""
    groups = -(-columns // 128)
    kinds = ["mean", "power"] if kind == "layer" else ["power"]
    inputs = {"a": (["M", depth], element), "w": ([depth, columns], element), "bias": ([columns], element),
              "skip": (["M", columns], element)}  # fmt: skip
    results = {"y": (["M", columns], element)} | {name: (["M", groups], "f32") for name in kinds}
    wide, narrow = f"tensor<{{M}}x{columns}xf32>", f"tensor<{{M}}x{columns}x{element}>"
    # What takes the place of a conversion that f32 does not need.
    extend = f"arith.extf %i1 : {element} to f32" if element != "f32" else "arith.addf %i1, %z : f32"
    truncate = f"arith.truncf %g : f32 to {element}" if element != "f32" else "arith.addf %g, %z : f32"
    operands = [("%p", wide, "(m, n)"), ("%bias", f"tensor<{columns}x{element}>", "(n)")]
    gelu = f"""
      %z = arith.constant -0.0 : f32
      %b = {extend}
      %s = arith.addf %i0, %b : f32
      %half = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %root = arith.constant 0.70710678118654752 : f32
      %t = arith.mulf %s, %root : f32
      %e = math.erf %t : f32
      %e1 = arith.addf %e, %one : f32
      %h = arith.mulf %s, %half : f32
      %g = arith.mulf %h, %e1 : f32
      %out = {truncate}"""
    statistics = ", ".join(f"%{name}" for name in kinds)
    return Group(inputs, results, f"""
      {ROWS}{product(columns, depth, "kn")}{elementwise("%q", operands, narrow, gelu)}
      %y = norm.residual_add %skip, %q branch_scale = 0.5 : T(y)
      {statistics} = norm.row_stats {kind} %y group_size = 128 : T(y)""")  # fmt: skip


def deferred(columns, depth):
    """A LayerNorm applied to the sums, by merged statistics and the column sums of the weight."""
    groups = -(-depth // 128)
    return Group(
        {"a": (["M", depth], "bf16"), "w": ([depth, columns], "bf16"), "sums": ([columns], "f32"),
         "bias": ([columns], "f32"), "mean": (["M", groups], "f32"), "variance": (["M", groups], "f32")},
        {"y": (["M", columns], "bf16")}, f"""
      {ROWS}{product(columns, depth, "kn")}
      %m, %v = norm.merge_stats layer %mean, %variance group_size = 128 extent = {depth} : T(mean), T(variance)
      %y = norm.apply_stats layer %p stats(%m, %v : tensor<{{M}}xf32>, tensor<{{M}}xf32>) column_sums(%sums : T(sums))
             bias(%bias : T(bias)) epsilon = 1.0e-5 : tensor<{{M}}x{columns}xf32> -> T(y)""")  # fmt: skip


def whole_row(kind, columns, element, depth=64):
    """A norm of the rows of the product, and a residual add."""
    return Group(
        {"a": (["M", depth], element), "w": ([columns, depth], element), "scale": ([columns], element),
         "skip": (["M", columns], element)},
        {"y": (["M", columns], element)}, f"""
      {ROWS}{product(columns, depth, "nk", init=element)}
      %n = norm.{kind}_norm %p scale(%scale : T(scale)) epsilon = 1.0e-5 : T(y)
      %y = norm.residual_add %skip, %n : T(y)""")  # fmt: skip


def grouped_rows(batch, sequence, heads, width, element, depth=64, weight="nk"):
    """QK-Norm: heads of the result, each normalized, as [batch, heads, sequence, head]."""
    columns, rows = heads * width, batch * sequence
    split = f"tensor<{batch}x{sequence}x{heads}x{width}x{element}>"
    return Group(
        {"a": ([rows, depth], element), "w": (weight_shape(columns, depth, weight), element),
         "scale": ([width], element)},
        {"y": ([batch, heads, sequence, width], element)}, f"""
      {product(columns, depth, weight, init=element).replace("{M}", str(rows)).replace("{rows}", "")}
      %split = tensor.expand_shape %p [[0, 1], [2, 3]] output_shape [{batch}, {sequence}, {heads}, {width}]
        : tensor<{rows}x{columns}x{element}> into {split}
      %n = norm.rms_norm %split scale(%scale : T(scale)) epsilon = 1.0e-5 : {split}
      %target = tensor.empty() : T(y)
      %y = linalg.transpose ins(%n : {split}) outs(%target : T(y)) permutation = [0, 2, 1, 3]""")  # fmt: skip


def rotary(batch, sequence, heads, width, element, normalized, depth=64, rotated=None, weight="nk"):
    """Rotary embeddings of the first `rotated` columns, by default all, of heads of the result, which are normalized
    before if `normalized`, as [batch, heads, sequence, head]: x cos + (-second half, first half) sin. The number of
    positions may be dynamic."""
    rotated = rotated or width
    columns, half, is_partial = heads * width, rotated // 2, rotated != width
    extent = sequence if batch > 1 else "M"
    length = "{M}" if batch == 1 else str(sequence)
    flat = f"tensor<{'{M}' if batch == 1 else batch * sequence}x{columns}x{element}>"
    split = f"tensor<{batch}x{length}x{heads}x{width}x{element}>"
    part = lambda size: f"tensor<{batch}x{heads}x{length}x{size}x{element}>"  # noqa: E731
    size, dynamic = "{rows_or_size}", "{rows}" if batch == 1 else ""
    maps, table = "affine_map<(b, h, s, c) -> (b, h, s, c)>", "affine_map<(b, h, s, c) -> (s, c)>"

    def cut(name, source, source_width, offset, width):
        return (f"%{name} = tensor.extract_slice %{source}[0, 0, 0, {offset}] [{batch}, {heads}, {size}, {width}]"
                f" [1, 1, 1, 1] : {part(source_width)} to {part(width)}")  # fmt: skip

    def apply(result, first, second, second_map, operation, types):
        return f"""
      {result} = linalg.generic {{indexing_maps = [{maps}, {second_map}, {maps}],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
          ins({first}, {second} : {part(rotated)}, {types}) outs(%room : {part(rotated)}) {{
        ^bb0(%i0: {element}, %i1: {element}, %old: {element}):
          %out = arith.{operation} %i0, %i1 : {element}
          linalg.yield %out : {element}
      }} -> {part(rotated)}"""

    norm = f"%n = norm.rms_norm %split scale(%scale : T(scale)) epsilon = 1.0e-5 : {split}" if normalized else ""
    turned, whole, result = ("part", "x", "turned") if is_partial else ("x", "x", "y")
    inputs = {"a": (["M" if batch == 1 else batch * sequence, depth], element),
              "w": (weight_shape(columns, depth, weight), element)}  # fmt: skip
    if normalized:
        inputs["scale"] = ([width], element)
    inputs |= {"cos": ([extent, rotated], element), "sin": ([extent, rotated], element)}
    body = f"""
      {ROWS if batch == 1 else ""}{product(columns, depth, weight, init=element)}
      %split = tensor.expand_shape %p [[0, 1], [2, 3]] output_shape [{batch}, {size}, {heads}, {width}]
        : {flat} into {split}
      {norm}
      %target = tensor.empty({dynamic}) : T(y)
      %x = linalg.transpose ins({"%n" if normalized else "%split"} : {split}) outs(%target : T(y)) permutation = [0, 2, 1, 3]
      {cut("part", whole, width, 0, rotated) if is_partial else ""}
      {cut("first", turned, rotated, 0, half)}
      {cut("second", turned, rotated, half, half)}
      %half = tensor.empty({dynamic}) : {part(half)}
      %room = tensor.empty({dynamic}) : {part(rotated)}
      %negated = linalg.negf ins(%second : {part(half)}) outs(%half : {part(half)}) -> {part(half)}
      %swapped = tensor.concat dim(3) %negated, %first : ({part(half)}, {part(half)}) -> {part(rotated)}
      {apply("%xc", f"%{turned}", "%cos", table, "mulf", "T(cos)")}
      {apply("%rs", "%swapped", "%sin", table, "mulf", "T(sin)")}
      {apply(f"%{result}", "%xc", "%rs", maps, "addf", part(rotated))}"""
    if is_partial:
        rest = width - rotated
        body += f"""
      {cut("rest", "x", width, rotated, rest)}
      %y = tensor.concat dim(3) %turned, %rest : ({part(rotated)}, {part(rest)}) -> T(y)"""
    if batch > 1:
        body = body.replace("{M}", str(batch * sequence)).replace("{rows}", "").replace(size, str(sequence))
    return Group(inputs, {"y": ([batch, heads, extent, width], element)}, body)


def prologue(element, kind, columns, depth):
    """A norm applied to the left-hand side while it is loaded, by statistics that are merged in the kernel."""
    groups = -(-depth // 128)
    statistics = ["mean", "variance"] if kind == "layer" else ["variance"]
    names = ", ".join(f"%{name}" for name in statistics)
    types = ", ".join(f"T({name})" for name in statistics)
    merged = ", ".join(f"%m{index}" for index in range(len(statistics)))
    vectors = ", ".join(["tensor<{M}xf32>"] * len(statistics))
    inputs = {"a": (["M", depth], element), "w": ([columns, depth], element), "scale": ([depth], element)}
    return Group(
        inputs | {name: (["M", groups], "f32") for name in statistics}, {"p": (["M", columns], "f32")}, f"""
      {ROWS}
      {merged} = norm.merge_stats {kind} {names} group_size = 128 extent = {depth} : {types}
      %n = norm.apply_stats {kind} %a stats({merged} : {vectors}) scale(%scale : T(scale)) epsilon = 1.0e-5
             : T(a) -> T(a)
      {product(columns, depth, "nk", left="%n : T(a)")}""")  # fmt: skip


def norm(kind, shape, element, attributes="", parameters=()):
    columns = shape[-1:]
    inputs = {"x": (shape, element)} | {name: (columns, element) for name in parameters}
    operands = " ".join(f"{name}(%{name} : T({name}))" for name in parameters)
    return Group(inputs, {"y": (shape, element)},
                 f"%y = norm.{kind}_norm %x {operands} epsilon = 1.0e-5 {attributes} : T(x)")  # fmt: skip


def added(shape, element):
    """A residual addition and the norm of it."""
    return Group(
        {"r": (shape, element), "b": (shape, element), "scale": (shape[-1:], element)},
        {"s": (shape, element), "y": (shape, element)},
        "%s = norm.residual_add %r, %b branch_scale = 0.5 : T(r)\n"
        "%y = norm.layer_norm %s scale(%scale : T(scale)) epsilon = 1.0e-5 : T(s)",
    )


class Attention:
    """Attention of [batch, heads, sequence, head_dim]; `number` says which of its kernels is meant."""

    def __init__(self, element, heads, kv_heads, queries, keys, width, attributes, number):
        self.number = number
        q, k = f"tensor<2x{heads}x{queries}x{width}x{element}>", f"tensor<2x{kv_heads}x{keys}x{width}x{element}>"
        self.function = f"""
          func.func @main(%q: {q}, %k: {k}, %v: {k}, %m: tensor<2x1x{queries}x{keys}x{element}>) -> {q} {{
            %0 = norm.attention %q, %k, %v mask(%m : tensor<2x1x{queries}x{keys}x{element}>) {attributes} : {q}, {k}, {k}
            return %0 : {q}
          }}"""

    def text(self, rows, dynamic):
        command = ["renorm-opt", "-", "--norm-decompose-attention", "--norm-fuse=target=sm_80"]
        return subprocess.run(command, input=self.function, capture_output=True, text=True, check=True).stdout
