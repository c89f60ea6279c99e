"""The `renorm` command: see `renorm --help`."""

import argparse
import dataclasses
import json
import os
import pathlib
import sys

import numpy as np

from . import qk_norm
from .function import TARGETS
from .growth import PLACEMENTS, REGIMES, compare_growth, deepnorm_alpha, predict_growth
from .inputs import make_inputs
from .kernels import CHIPS, compile_kernels
from .module import Module
from .plot import draw, save
from .table import format_number, format_table
from ._renorm import DeviceError, MLIRError

MODEL_HELP = "a module in MLIR's text or bytecode; '-' reads standard input"


class UserError(Exception):
    """What the user can mend; shown without a traceback."""


def load(path):
    if path == "-":
        return Module.parse(sys.stdin.buffer.read(), "<stdin>")
    return Module.from_file(path)


def run_passes(module, pipeline):
    """Runs passes and shows on stderr what they have to say."""
    for diagnostic in module.run_pipeline(pipeline):
        print(diagnostic, file=sys.stderr)


def write(module, path):
    if path is None:
        print(module)
    else:
        path.write_text(f"{module}\n")


# --- report ---


def report(options):
    module = load(options.model)
    run_passes(module, "norm-raise")
    print(module.report_text(options.format).rstrip("\n"))


def add_report(commands):
    parser = commands.add_parser(
        "report",
        help="show where a model normalizes",
        description="Shows where a model normalizes: placement, norms and epsilons of every sublayer, the trunk, the "
        "attentions and what bounds their logits. IR that another tool wrote is raised to the norm dialect first.",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="(default text)")
    parser.set_defaults(run=report)


# --- lint ---

SEVERITIES = ["remark", "warning", "error"]


def lint(options):
    module = load(options.model)
    run_passes(module, "norm-raise")
    text = module.lint_text(options.severity)
    findings = json.loads(text)["findings"]
    if options.format == "json":
        print(text.rstrip("\n"))
    else:
        for each in findings:
            place = f"{each['loc'] or options.model}: {each['severity']}"
            print(f"{place}: {each['message']} [{each['code']}]")
        counts = [(sum(each["severity"] == name for each in findings), name) for name in reversed(SEVERITIES)]
        texts = [f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count]
        print(f"{options.model}: {', '.join(texts) or 'nothing found'}")
    if options.fail_on != "never":
        failing = SEVERITIES[SEVERITIES.index(options.fail_on) :]
        return int(any(each["severity"] in failing for each in findings))


def add_lint(commands):
    parser = commands.add_parser(
        "lint",
        help="find known mistakes in where a model normalizes",
        description="Finds known mistakes in where and how a model normalizes; the pass norm-lint describes each rule. "
        "Exits with 1 if there is a finding of the severity --fail-on or above, for use in the tests of a project. "
        "IR that another tool wrote is raised to the norm dialect first.",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="(default text)")
    parser.add_argument(
        "--severity",
        action="append",
        default=[],
        metavar="[CODE=]LEVEL",
        help="take all findings, or those of one rule, for ignore, remark, warning or error; may be repeated",
    )
    parser.add_argument(
        "--fail-on",
        choices=[*SEVERITIES, "never"],
        default="warning",
        help="the least severity that makes the exit status 1 (default warning; the logits of most models are "
        "unbounded, which is a remark)",
    )
    parser.set_defaults(run=lint)


# --- convert ---

# Options of norm-convert-placement that go through as they are: name, choices or metavar, help.
CONVERT_OPTIONS = [
    ("alpha", "A", "factor on the skip, for deepnorm (default: the paper's)"),
    ("beta", "B", "gain of weights, for deepnorm (default: the paper's, if alpha is)"),
    ("stack", ["auto", "encoder-only", "decoder-only", "encoder-decoder"], "what the stacks are, for deepnorm"),
    ("encoder-layers", "N", "layers of the encoder, for deepnorm (default: those that are there)"),
    ("decoder-layers", "M", "layers of the decoder, for deepnorm (default: those that are there)"),
    ("layers", "RANGES", "layers to convert, such as 0-3,7 (default: all)"),
    ("kinds", "KINDS", "sublayers to convert, of attention,feed-forward,other (default: all)"),
    ("final-norm", ["auto", "require", "keep"], "the norm after the last sublayer"),
    ("embedding-norm", ["auto", "keep", "add", "drop"], "the norm before the first sublayer"),
    ("params", ["constant", "argument", "global"], "how parameters of new norms come into the program"),
    ("new-norm", ["auto", "rms", "layer"], "kind of norms that must be made"),
    ("epsilon", "E", "epsilon of norms that must be made"),
]


def convert(options):
    module = load(options.model)
    run_passes(module, "norm-raise")
    given = {name: getattr(options, name.replace("-", "_")) for name, *_ in CONVERT_OPTIONS}
    texts = [f"to={options.to}"] + [f"{name}={value}" for name, value in given.items() if value is not None]
    for flag in ("strict", "scale-weights"):
        if getattr(options, flag.replace("-", "_")):
            texts.append(f"{flag}=true")
    run_passes(module, f"norm-convert-placement{{{' '.join(texts)}}}")
    if not any(function["sublayers"] for function in module.report()["functions"]):
        print(f"{options.model}: warning: no residual stream found, so there is nothing to convert", file=sys.stderr)
    write(module, options.output)


def add_convert(commands):
    parser = commands.add_parser(
        "convert",
        help="move the norms of a model to another placement",
        description="Moves the norms of a model to another placement and writes the module. This changes the function "
        "computed; remarks on stderr say what became of parameters and what was left alone. IR that another tool "
        "wrote is raised to the norm dialect first. The options are those of the pass norm-convert-placement.",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument(
        "--to", required=True, choices=["none", "post", "pre", "peri", "output", "deepnorm"], help="target placement"
    )
    for name, values, text in CONVERT_OPTIONS:
        choices = dict(choices=values) if isinstance(values, list) else dict(metavar=values)
        parser.add_argument(f"--{name}", help=text, **choices)
    parser.add_argument("--scale-weights", action="store_true", help="for deepnorm, multiply constant weights by beta")
    parser.add_argument("--strict", action="store_true", help="make every refusal an error")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="(default: standard output)")
    parser.set_defaults(run=convert)


# --- qk-norm ---


def change_qk_norm(options):
    module = load(options.model)
    run_passes(module, "norm-raise")
    run_passes(module, qk_norm.get_pass(options))
    if not any(function["attentions"] for function in module.report()["functions"]):
        print(f"{options.model}: warning: no attention found, so there is nothing to normalize", file=sys.stderr)
    write(module, options.output)


def add_qk_norm(commands):
    parser = commands.add_parser(
        "qk-norm",
        help="normalize the queries and keys of a model, or no longer",
        description="Puts norms on the queries and keys of every attention, so that its logits stay bounded, or takes "
        "them away, and writes the module. This changes the function computed; remarks on stderr say what was left "
        "alone. IR that another tool wrote is raised to the norm dialect first. The options are those of the passes "
        "norm-insert-qk-norm and norm-remove-qk-norm.",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    qk_norm.add_arguments(parser)
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="(default: standard output)")
    parser.set_defaults(run=change_qk_norm)


# --- run ---


def load_inputs(texts):
    """Returns the arrays that --input options name: NAME=FILE.npy, NAME=FILE.npz:KEY or FILE.npz."""
    arrays = {}
    for text in texts:
        name, separator, path = text.rpartition("=")
        path, _, key = path.partition(".npz:")
        try:
            if key:
                with np.load(f"{path}.npz") as archive:
                    if key not in archive:
                        raise UserError(f"expected one of {', '.join(archive)} in {path}.npz, but got {key}")
                    arrays[name] = archive[key]
                continue
            loaded = np.load(path)
        except (EOFError, ValueError):
            raise UserError(f"expected a .npy or .npz file, but got {path}") from None
        is_archive = isinstance(loaded, np.lib.npyio.NpzFile)
        if bool(separator) == is_archive:
            raise UserError(f"expected NAME=FILE.npy, NAME=FILE.npz:KEY or FILE.npz, but got {text}")
        arrays.update({each: loaded[each] for each in loaded} if is_archive else {name: loaded})
    return arrays


def for_bf16(which, array):
    """.npy files know no bf16: it comes and goes as float32, which holds every bf16."""
    is_bf16 = which.element_type == "bf16" and array.dtype == np.float32
    return array.astype(which.dtype) if is_bf16 and which.dtype != np.uint16 else array


def for_file(array):
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def print_results(function, results):
    rows = []
    for i, (result, output) in enumerate(zip(results, function.outputs)):
        values = result.astype(np.float64)
        numbers = [values.mean(), values.var(), np.abs(values).max()] if values.size else [np.nan] * 3
        rows.append([f"result{i}", output.type, *map(format_number, numbers)])
    print("\n".join(format_table(["result", "type", "mean", "variance", "max|x|"], rows)))


def print_probes(probes):
    rows = [
        [each.name, *map(format_number, (each.mean, each.variance, each.max_abs, each.kurtosis))] for each in probes
    ]
    print("\n".join(format_table(["probe", "mean", "variance", "max|x|", "kurtosis"], rows)))


def call(module, options, target="cpu", f32_precision="ieee"):
    """Compiles the module and runs it with the inputs that the options say. Returns the function and its results."""
    given = load_inputs(options.input)
    function = module.compile(target, options.entry, f32_precision=f32_precision)
    arrays = make_inputs(function.inputs, given, options.random_seed, options.int_max, options.dynamic_size)
    return function, function(*map(for_bf16, function.inputs, arrays))


def run(options):
    if options.f32_precision == "tf32" and options.target == "cpu":
        raise UserError("expected --target emulator or cuda for --f32-precision tf32, but got cpu")
    module = load(options.model)
    if options.probes or options.logits or options.target != "cpu":
        run_passes(module, "norm-raise")
    if options.probes or options.logits:
        run_passes(module, f"norm-insert-probes{{logits={str(options.logits).lower()}}}")
    function, results = call(module, options, options.target, options.f32_precision)
    results = (results,) if len(function.outputs) == 1 else results
    print_results(function, results)
    if function.probes:
        print()
        print_probes(function.probes)
    if options.output is not None:
        np.savez_compressed(options.output, **{f"result{i}": for_file(each) for i, each in enumerate(results)})


def add_target_option(parser):
    parser.add_argument(
        "--target",
        choices=TARGETS,
        default="cpu",
        help="emulator: make norms and matmuls kernels of an NVIDIA GPU and run them on this machine, slowly, with checks "
        "for races and other faults; cuda: run them on the GPU, which RENORM_CUDA_DEVICE numbers (default cpu)",
    )


def add_f32_precision_option(parser):
    parser.add_argument(
        "--f32-precision",
        choices=["ieee", "tf32"],
        default="ieee",
        help="how kernels of a GPU multiply f32: ieee, in f32; tf32, by tensor cores, which round the factors to 10 bits of "
        "mantissa (default ieee)",
    )


def add_input_options(parser):
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="NAME=FILE.npy, NAME=FILE.npz:KEY, or FILE.npz with arrays called as the inputs are; may be repeated",
    )
    parser.add_argument("--random-seed", type=int, default=0, metavar="N", help="seed of what is made (default 0)")
    parser.add_argument(
        "--int-max",
        type=int,
        default=1,
        metavar="N",
        help="largest integer that is made; where integers are indices, such as tokens, it must be a valid one (default 1)",
    )
    parser.add_argument(
        "--dynamic-size", type=int, default=2, metavar="N", help="extent of dimensions left open (default 2)"
    )
    parser.add_argument("--entry", metavar="NAME", help="function to run (default: the only public one)")


def add_run(commands):
    parser = commands.add_parser(
        "run",
        help="run a model on the CPU, or its kernels on a GPU or in an emulator of one",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="""\
Compiles a model for this CPU, runs it once and prints what came out. IR that
another tool wrote is raised to the norm dialect for kernels of a GPU.

With --target cuda, norms and matmuls run on an NVIDIA GPU of compute capability
8.0 or later, by its driver: libcuda.so.1, or what RENORM_LIBCUDA names. Kernels
that call functions such as exp need the CUDA toolkit's libdevice (CUDA_HOME).

Inputs are called by their parameter name (norm.param) or arg0, arg1, ...
Those that no --input gives are made: parameters by name and seed, new
parameters of a conversion by their norm.init, other floating-point inputs as
normal deviates, integers from 0 to --int-max, booleans true.""",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    add_target_option(parser)
    add_f32_precision_option(parser)
    add_input_options(parser)
    parser.add_argument("--probes", action="store_true", help="measure the trunk after every sublayer")
    parser.add_argument("--logits", action="store_true", help="measure also the attention logits")
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, metavar="FILE.npz", help="write result0, result1, ... (bf16 as float32)"
    )
    parser.set_defaults(run=run)


# --- compile ---


def compile(options):
    module = load(options.model)
    run_passes(module, "norm-raise,norm-fold-affine{weights=prepare},norm-fuse{target=sm_80 weights=prepare}")
    try:
        made = compile_kernels(module, options.target, options.toolkit, options.f32_precision)
    except RuntimeError as error:
        raise UserError(str(error)) from None
    for diagnostic in made.diagnostics:
        print(diagnostic, file=sys.stderr)
    if options.output is not None:
        made.write(options.output)
    if options.explain:
        print_costs(made)
    else:
        print(f"{len(made.kernels)} kernels for {made.chip}")


def print_costs(made):
    """The costs of all launches, and their sum."""
    chip, rows = CHIPS[made.chip], made.explain()
    precise = "tf32" if made.f32_precision == "tf32" else "f32"
    print(
        f"{chip.gpu}: {chip.tensor_flops / 1e12:g} TFLOP/s in bf16 and f16, {chip.flops(precise) / 1e12:g} in {precise}, "
        f"{chip.bandwidth / 1e12:g} TB/s"
    )

    def cell(value, scale, unit):
        return "?" if value is None else f"{format_number(value * scale)}{unit}"

    def cells(row):
        return [
            row["kernel"],
            cell(row["flops"], 1e-6, ""),
            cell(row["bytes"], 1e-6, ""),
            cell(row["seconds"], 1e6, ""),
            cell(row["occupancy"], 100, " %"),
        ]

    names = ("flops", "bytes", "seconds")
    total = {name: sum(row[name] for row in rows) if all(row[name] is not None for row in rows) else None for name in names}
    rows.append({"kernel": "all", "occupancy": None} | total)
    print("\n".join(format_table(["kernel", "MFLOP", "MB moved", "at least us", "occupancy"], map(cells, rows))))


def add_compile(commands):
    parser = commands.add_parser(
        "compile",
        help="make GPU kernels of a model",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="""\
Makes kernels for an NVIDIA GPU of a model's norms and matmuls, and says on stderr
how each norm is computed and what is left to the CPU. IR that another tool wrote
is raised to the norm dialect first.

The folder gets KERNEL.ptx, KERNEL.cubin if there is a ptxas, and manifest.json:
the kernels, and what norm-report-kernels says of the functions that launch them.""",
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--target", choices=list(CHIPS), default="sm_80", help="the chip (default sm_80)")
    add_f32_precision_option(parser)
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FOLDER", help="folder to write to")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print the work of each launch, the least time it can take on the chip (its roofline) and the share of a "
        "multiprocessor's threads that it keeps busy, which needs ptxas",
    )
    parser.add_argument(
        "--toolkit", metavar="FOLDER", help="the CUDA toolkit (default: CUDA_HOME, CUDA_PATH, CUDA_ROOT, /usr/local/cuda)"
    )
    parser.set_defaults(run=compile)


# --- growth ---


def draw_growth(options, panels):
    save(draw(panels, "sublayer", "variance of the trunk", options.log), options.plot)


def print_growth(options, head, header, rows, document):
    if options.format == "json":
        print(json.dumps(document, indent=2))
    else:
        print(head)
        print("\n".join(format_table(header, rows)))


def growth(options):
    if options.measure is not None:
        return measure_growth(options)
    placements = options.placement or ["post", "pre", "peri"]
    curves = {}
    for placement in placements:
        scale = 1.0
        if placement == "deepnorm":
            scale = deepnorm_alpha(options.layers) if options.alpha is None else options.alpha
        curves[placement] = predict_growth(
            placement,
            options.layers,
            options.gain,
            regime=options.regime,
            sublayers=options.sublayers,
            output_scale=options.output_scale,
            residual_scale=scale,
        )
    # The points where a layer ends.
    ends = range(0, options.layers * options.sublayers + 1, options.sublayers)
    rows = [
        [
            "start" if end == 0 else str(end // options.sublayers - 1),
            *(format_number(getattr(points[end], field)) for points in curves.values() for field in ("variance", "jacobian")),
        ]
        for end in ends
    ]
    header = ["after layer", *(f"{field} {name}" for name in curves for field in ("v", "G"))]
    head = f"variance v and amplitude Jacobian G of the trunk, a model: {options.regime}, gain {options.gain:g}"
    document = {
        "regime": options.regime,
        "gain": options.gain,
        "placements": {name: [dataclasses.asdict(point) for point in points] for name, points in curves.items()},
    }
    print_growth(options, head, header, rows, document)
    if options.plot is not None:
        series = [(name, None, [point.variance for point in points]) for name, points in curves.items()]
        draw_growth(options, [(f"model: {options.regime}, gain {options.gain:g}", series)])


def measure_growth(options):
    module = load(options.measure)
    run_passes(module, "norm-raise")
    probed = module.clone()
    run_passes(probed, "norm-insert-probes")
    function, _ = call(probed, options)
    streams = compare_growth(module, function.probes, options.gain, options.regime)
    if not streams:
        raise UserError(f"found no residual stream of known length that ran in {options.measure}")
    rows = [
        [
            point.name,
            *map(format_number, (point.measured, point.predicted, point.jacobian, point.max_abs)),
        ]
        for stream in streams
        for point in stream.points
    ]
    header = ["trunk after", "variance", "predicted", "G predicted", "max|x|"]
    head = f"measured, and a model's prediction: {options.regime}, gain {options.gain:g}"
    document = {
        "regime": options.regime,
        "gain": options.gain,
        "streams": [dataclasses.asdict(stream) for stream in streams],
    }
    print_growth(options, head, header, rows, document)
    if options.plot is not None:
        panels = [
            (
                f"@{stream.function}, stream {stream.stream}",
                [
                    ("measured", [point.measured for point in stream.points], None),
                    (f"model: {options.regime}, gain {options.gain:g}", None, [p.predicted for p in stream.points]),
                ],
            )
            for stream in streams
        ]
        draw_growth(options, panels)


def add_growth(commands):
    parser = commands.add_parser(
        "growth",
        help="predict, and measure, how a trunk grows with depth",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="""\
Prints how the variance v of a trunk, and the amplitude Jacobian G of its layers,
grow with depth by where the norms are. It is a model: modules add --gain times
the variance of what they read in each layer, or what their output norm gives.

With --measure, runs a model with probes and prints the measured variance next to
the predicted one, which begins with the measured variance before the first
sublayer; scales of norms count as 1 if they are arguments. Inputs are given and
made as by `renorm run`.""",
    )
    parser.add_argument("--layers", type=int, default=4, metavar="L", help="(default 4)")
    parser.add_argument(
        "--placement",
        action="append",
        choices=PLACEMENTS,
        help="may be repeated (default: post, pre and peri)",
    )
    parser.add_argument("--gain", type=float, default=0.5, metavar="K", help="(default 0.5)")
    parser.add_argument(
        "--regime",
        choices=REGIMES,
        default="trained",
        help="modules that write in proportion to the trunk, or ones with random weights (default trained)",
    )
    parser.add_argument("--sublayers", type=int, default=1, metavar="N", help="of each layer, which share its gain (default 1)")
    parser.add_argument("--output-scale", type=float, default=1.0, metavar="G", help="of the output norms (default 1)")
    parser.add_argument("--alpha", type=float, metavar="A", help="of deepnorm (default: the paper's)")
    parser.add_argument("--measure", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="(default text)")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw it too: .svg, .png, ... (needs matplotlib)")
    parser.add_argument("--log", action="store_true", help="draw variances on a logarithmic axis")
    add_input_options(parser)
    parser.set_defaults(run=growth)


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="renorm", description="See and move where a Transformer normalizes, and run the result."
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (add_report, add_lint, add_convert, add_qk_norm, add_run, add_compile, add_growth):
        add(commands)
    options = parser.parse_args(argv)
    try:
        status = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone, as `head` does. Nothing is left to say, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MLIRError as error:
        model = options.measure if "measure" in options else options.model
        sys.exit(f"{error}\nrenorm: error: {model} is refused")
    except (DeviceError, UserError, ValueError) as error:
        sys.exit(f"renorm: error: {error}")
    except OSError as error:
        sys.exit(f"renorm: error: {error.filename}: {error.strerror}" if error.filename else f"renorm: error: {error}")
    else:
        sys.exit(status)


if __name__ == "__main__":
    main()
