"""The options of `renorm qk-norm` and the passes that they stand for."""

# Options that go through as they are to norm-insert-qk-norm: name, choices or metavar, help.
INSERT_OPTIONS = [
    ("scope", ["head", "hidden"], "what is normalized together: each head, or all heads (default: head)"),
    ("position", ["before-rope", "after-rope"], "side of a rotary position embedding (default: before-rope)"),
    ("seq-len", "L", "for l2: the 97.5th percentile of the training lengths; g begins as log2(L^2 - L)"),
    ("g", "G", "for l2: what the learned scale g of the logits begins as, instead of --seq-len"),
    ("epsilon", "E", "epsilon (default: as the model's norms of this kind, else 1e-6; 1e-12 for l2)"),
    ("params", ["constant", "argument", "global"], "how the parameters come into the program (default: constant)"),
]
FLAGS = [
    ("per-head", "per-head=true", "for l2: a g for each head"),
    ("no-scale", "scale=false", "for layer and rms: norms without a scale"),
    ("bias", "bias=true", "for layer and rms: norms with a bias"),
    ("strict", "strict=true", "make every refusal an error"),
]


def add_arguments(parser):
    parser.add_argument(
        "--kind",
        required=True,
        choices=["none", "l2", "layer", "rms"],
        help="kind of the norms; none takes those away that are there",
    )
    for name, values, text in INSERT_OPTIONS:
        choices = dict(choices=values) if isinstance(values, list) else dict(metavar=values)
        parser.add_argument(f"--{name}", help=text, **choices)
    for name, _, text in FLAGS:
        parser.add_argument(f"--{name}", action="store_true", help=text)
    parser.add_argument("--layers", metavar="RANGES", help="layers to change, such as 0-3,7 (default: every attention)")
    parser.add_argument(
        "--attention-scale",
        metavar="S",
        help="for none: factor on the logits where l2 norms go (default: the one they replaced, else 1/sqrt(head_dim))",
    )


def get_pass(options):
    """Returns the pass, with its options, that the parsed arguments ask for. Raises ValueError for what it has not."""

    def value(name):
        return getattr(options, name.replace("-", "_"))

    inserting = [(name, f"{name}={value(name)}") for name, *_ in INSERT_OPTIONS if value(name) is not None]
    inserting += [(name, text) for name, text, _ in FLAGS if value(name)]
    removing = [("attention-scale", f"attention-scale={value('attention-scale')}")] if value("attention-scale") else []
    name, taken, others = "norm-insert-qk-norm", inserting, removing
    if options.kind == "none":
        name, taken, others = "norm-remove-qk-norm", removing, inserting
    if others:
        raise ValueError(f"expected options of --kind={options.kind}, but got --{others[0][0]}")
    texts = [text for _, text in taken]
    if options.kind != "none":
        texts.insert(0, f"kind={options.kind}")
    if options.layers is not None:
        texts.append(f"layers={options.layers}")
    return f"{name}{{{' '.join(texts)}}}"
