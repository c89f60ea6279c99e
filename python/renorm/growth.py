"""The growth model: how the variance of a trunk grows with depth, by where the norms are.

The model itself is C++ (renorm/Analysis/GrowthModel.h says what it assumes). It predicts; probes measure.
"""

import dataclasses

from . import _renorm

PLACEMENTS = ["none", "post", "pre", "peri", "output", "deepnorm"]
REGIMES = ["initialization", "trained"]


@dataclasses.dataclass(frozen=True)
class GrowthPoint:
    """What the model says of the trunk at one point.

    layer     the layer that the point is in, None before the first sublayer
    sum       variance of what the residual add gives
    variance  variance of the trunk: of the sum, or after the post norm
    jacobian  d(amplitude here) / d(amplitude before the first sublayer)
    """

    layer: int | None
    sum: float
    variance: float
    jacobian: float


def predict_growth(
    placement,
    layers=4,
    gain=0.5,
    *,
    regime="trained",
    sublayers=1,
    initial_variance=1.0,
    output_scale=1.0,
    residual_scale=1.0,
):
    """Returns the points of a trunk of equal layers: a list of GrowthPoint, before the first sublayer and after each.

    placement         "none", "post", "pre", "peri", "output" or "deepnorm"
    gain              what the modules of a layer together add to the variance, relative to that of what they read
    regime            "trained": modules write in proportion to the trunk; "initialization": their weights are random
    sublayers         of each layer; they share its gain
    initial_variance  of the trunk before the first sublayer
    output_scale      root mean square of the scale of the output norms
    residual_scale    factor on the skips: alpha of DeepNorm
    """
    if layers < 0 or sublayers < 1:
        raise ValueError(f"expected 0 layers or more of 1 sublayer or more, but got {layers} of {sublayers}")
    points = _renorm.predict_growth(
        placement, layers, sublayers, regime, gain, initial_variance, output_scale, residual_scale
    )
    return [GrowthPoint(*point) for point in points]


def deepnorm_alpha(layers):
    """Returns alpha of DeepNorm for an encoder-only or decoder-only stack."""
    return _renorm.deepnorm_constants(layers)[0]


@dataclasses.dataclass(frozen=True)
class MeasuredPoint:
    """What a probe saw at a point of a trunk, and what the model says of it.

    name       of the probe: "embedding", or that of the sublayer before the point
    layer      the layer that the point is in, None before the first sublayer
    measured   variance of the trunk
    max_abs    its largest absolute value
    predicted  the model's variance
    jacobian   the model's amplitude Jacobian
    """

    name: str
    layer: int | None
    measured: float
    max_abs: float
    predicted: float
    jacobian: float


@dataclasses.dataclass(frozen=True)
class MeasuredStream:
    """The points of one residual stream: of function `function`, its stream number `stream`."""

    function: str
    stream: int
    points: list


def compare_growth(module, probes, gain=0.5, regime="trained"):
    """Returns what the model says of the streams of `module` next to `probes`: a list of MeasuredStream.

    probes  those of a run of the module with norm-insert-probes; where a stream ran several times, its first run counts,
            and where it did not run, it is left out

    The model begins with the variance that was measured before the first sublayer. It takes the scales of norms that
    are neither constants nor new parameters for 1.
    """
    handle, streams = module._handle, []
    for position, (function, index, names, _) in enumerate(handle.predict_growth(regime, gain, 1.0)):
        prefix = "" if index == 0 else f"streams.{index}."
        first = next((probe for probe in probes if probe.name == f"{prefix}embedding"), None)
        if first is None or not first.variance > 0.0:
            continue
        points = handle.predict_growth(regime, gain, first.variance)[position][3]
        measured = [first] + [probe for probe in probes if probe.name in set(names)]
        if points is None or len(measured) < len(points):
            continue
        compared = [
            MeasuredPoint(probe.name, layer, probe.variance, probe.max_abs, variance, jacobian)
            for probe, (layer, _, variance, jacobian) in zip(measured, points)
        ]
        streams.append(MeasuredStream(function, index, compared))
    return streams
