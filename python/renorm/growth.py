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
    points = _renorm.predict_growth(
        placement, layers, sublayers, regime, gain, initial_variance, output_scale, residual_scale
    )
    return [GrowthPoint(*point) for point in points]
