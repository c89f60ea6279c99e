"""What the tests of compiled operations share: types, conversions, programs."""

import numpy as np

# Half a unit in the last place of 1, relative to 1.
UNIT = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
# The smallest number: what rounding may be off by near zero.
SMALLEST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}

_DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16}


def encode(array, element):
    """`array` rounded to `element`, as the arrays that compiled functions take; a bf16 is its 16 bits."""
    if element == "i1":
        return np.asarray(array, bool)
    if element != "bf16":
        return np.asarray(array).astype(_DTYPES[element])
    bits = np.asarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def decode(array, element):
    """What `encode` and compiled functions return, as float64 (i1: bool)."""
    if element == "i1":
        return array
    if element != "bf16":
        return array.astype(np.float64)
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def tensor_type(shape, element, dynamic=False):
    return "tensor<" + "".join(("?" if dynamic else str(extent)) + "x" for extent in shape) + element + ">"


def compile_calls(arguments, bodies):
    """Compiles one function that takes `arguments`, a dict from names to types, and returns a result for each of
    `bodies`.

    A body is a pair of the result's type and the text of an operation that uses arguments by %name. Each is in a
    function of its own, which keeps compile time linear.
    """
    # Who checks numbers of a GPU has no Renorm.
    import renorm

    parameters = ", ".join(f"%{name}: {type}" for name, type in arguments.items())
    names = ", ".join(f"%{name}" for name in arguments)
    types = ", ".join(arguments.values())
    results = ", ".join(type for type, _ in bodies)
    text = ""
    calls = ""
    for index, (type, body) in enumerate(bodies):
        text += f"func.func private @f{index}({parameters}) -> {type} {{\n  %0 = {body}\n  return %0 : {type}\n}}\n"
        calls += f"  %{index} = call @f{index}({names}) : ({types}) -> {type}\n"
    values = ", ".join(f"%{index}" for index in range(len(bodies)))
    text += f"func.func @main({parameters}) -> ({results}) {{\n{calls}  return {values} : {results}\n}}\n"
    return renorm.Module.parse(text).compile()


def check(actual, expected, bound, what):
    """Raises AssertionError unless |actual - expected| <= bound everywhere, which a NaN never is."""
    if actual.shape != expected.shape:
        raise AssertionError(f"{what}: expected shape {expected.shape}, but got {actual.shape}")
    error = np.abs(actual - expected)
    if not (error <= bound).all():
        # The worst, or the first NaN.
        ratio = np.where(error <= bound, 0.0, np.nan_to_num(error / bound, nan=np.inf, posinf=np.inf))
        worst = np.unravel_index(np.argmax(ratio), ratio.shape)
        raise AssertionError(
            f"{what}: expected {expected[worst]!r} +- {np.broadcast_to(bound, error.shape)[worst]:.3g} at "
            f"{tuple(map(int, worst))}, but got {actual[worst]!r}"
        )
    return float((error / bound).max(initial=0.0))
