"""Trunk variance against depth at initialization: python -m renorm.growth_demo -o docs/growth.svg

Repeats a layer of the BERT of test/Models until there are 24, converts it to Pre-LN and Peri-LN, gives all of them
parameters as they are before training, and measures the trunk after every sublayer with probes. The sublayers of one
model share directions (all tokens have the same type, say), so that curves differ from seed to seed: means of SEEDS
are shown.
"""

import argparse
import pathlib
import re
import zlib

import numpy as np

from .module import Module
from .plot import draw, save

# The package is linked from a checkout, which has the model.
MODELS = pathlib.Path(__file__).resolve().parents[2] / "test" / "Models"

LAYERS, SEEDS = 24, 16
OUTPUT_SCALES = [1.0, 0.5]


def deepen(module, layers):
    """Returns the BERT `module`, raised, with `layers` layers: its first one, and then copies of its second one.

    Their parameters are named by the number of the layer, as those of the second one are.
    """
    lines = str(module).splitlines()
    function = next(i for i, line in enumerate(lines) if "func.func @forward(" in line)
    # One for the embedding, two for each layer. Layers begin and end with what such a norm gives.
    norms = [i for i, line in enumerate(lines) if "= norm.layer_norm" in line]
    layer = lines[norms[2] + 1 : norms[4] + 1]

    def result(line):
        return line.split(" = ")[0].strip()

    def copy_of(value, i):
        return f"%layer{i}_{value[1:]}"

    arguments = re.findall(r"(%arg\d+): (tensor<[^>]*>)( \{[^}]*\})?", lines[function])
    own = [(value, type, name) for value, type, name in arguments if ".layer.1." in name]
    kept = [each for each in arguments if not re.search(r"\.layer\.[1-9]\d*\.", each[2])]
    local = {value for value, *_ in own} | {result(line) for line in layer if " = " in line}
    trunk_in, trunk_out = result(lines[norms[2]]), result(lines[norms[4]])

    trunk, copies = trunk_in, []
    for i in range(1, layers):
        kept += [(copy_of(value, i), type, name.replace(".layer.1.", f".layer.{i}.")) for value, type, name in own]

        def rename(match, i=i, trunk=trunk):
            value = match.group()
            return trunk if value == trunk_in else copy_of(value, i) if value in local else value

        copies += [re.sub(r"%\w+", rename, line) for line in layer]
        trunk = copy_of(trunk_out, i)

    signature = ", ".join(f"{value}: {type}{name}" for value, type, name in kept)
    head = re.sub(r"\(.*\) ->", lambda _: f"({signature}) ->", lines[function])
    type = lines[norms[4]].rsplit(" : ", 1)[1]
    text = [*lines[:function], head, *lines[function + 1 : norms[2] + 1], *copies, f"return {trunk} : {type}", "}", "}"]
    return Module.parse("\n".join(text))


def initial_parameter(name, shape, seed=0):
    """Returns what BERT begins to learn with: normal deviates times 0.02 as weights, norms that scale by 1, no bias."""
    if len(shape) < 2:
        return np.full(shape, 0.0 if name.endswith("bias") else 1.0, np.float32)
    deviates = np.random.RandomState([seed, zlib.crc32(name.encode())]).standard_normal(shape)
    return (0.02 * deviates).astype(np.float32)


def run(function, input_ids, seed=0, output_scale=1.0):
    """Returns the variance of the trunk before the first sublayer and after each.

    New norms begin with a scale of 1 and no bias; `output_scale` is a factor on the scales of output norms.
    """

    def make(which):
        if which.init is not None:
            is_output = which.param.endswith(".output_norm.scale")
            return np.full(which.shape, which.init * (output_scale if is_output else 1.0), np.float32)
        return initial_parameter(which.param, which.shape, seed) if which.param else input_ids

    function(*map(make, function.inputs))
    return np.array([probe.variance for probe in function.probes if probe.name != "final"])


def measure(layers=LAYERS, seeds=SEEDS):
    """Returns variances as arrays [seed, point], before the first sublayer and after each.

    Their keys are "post", "pre" and, with the scale of the output norms, "peri 1" and "peri 0.5".
    """
    input_ids = np.load(MODELS / "bert.npz")["input_ids"]
    module = Module.from_file(MODELS / "bert.mlir")
    module.run_pipeline("norm-raise")
    module = deepen(module, layers)
    curves = {}
    for placement in ("post", "pre", "peri"):
        converted = module.clone()
        converted.run_pipeline(f"norm-convert-placement{{to={placement} params=argument}},norm-insert-probes")
        function = converted.compile()
        for scale in OUTPUT_SCALES if placement == "peri" else [1.0]:
            key = f"peri {scale:g}" if placement == "peri" else placement
            curves[key] = np.array([run(function, input_ids, seed, scale) for seed in range(seeds)])
    return curves


def plot(curves):
    """Returns the figure: one panel for each placement, measured points and the law that they follow."""
    curves = {key: values.mean(axis=0) for key, values in curves.items()}
    depth = np.arange(len(curves["post"]))
    slope, start = np.polyfit(depth, curves["pre"], 1)
    peri = {scale: curves[f"peri {scale:g}"] for scale in OUTPUT_SCALES}
    panels = [
        ("Post-LN: reset", [("measured", curves["post"], None), ("1", None, np.ones(len(depth)))]),
        ("Pre-LN: a constant a sublayer", [("measured", curves["pre"], None), ("fitted line", None, start + slope * depth)]),
        (
            "Peri-LN: the squared output scale a sublayer",
            [
                series
                for scale, values in peri.items()
                for series in (
                    (f"measured, scale {scale:g}", values, None),
                    (f"v + {scale**2:g} n", None, values[0] + scale**2 * depth),
                )
            ],
        ),
    ]
    return draw(panels, "sublayer", "variance of the trunk")


def main(argv=None):
    parser = argparse.ArgumentParser(prog="renorm.growth_demo", description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("growth.svg"), metavar="FILE")
    options = parser.parse_args(argv)
    curves = measure()
    for name, values in curves.items():
        print(f"{name:8}" + "".join(f"{value:10.4g}" for value in values.mean(axis=0)[:: 2 * LAYERS // 6]))
    save(plot(curves), options.output)


if __name__ == "__main__":
    main()
