"""Comparison of a result with the reference."""

import numpy as np


def relative_error(actual, expected):
    """max|actual - expected| / max|expected|.

    The error is measured against the largest expected entry and not entry by
    entry: an entry that is small because large terms cancelled carries the
    rounding of those terms. If all of `expected` is 0, it is the absolute error.
    NaN where either has a NaN.
    """
    actual = np.asarray(actual, dtype=np.float64)
    expected = np.asarray(expected, dtype=np.float64)
    if actual.shape != expected.shape:
        raise ValueError(f"expected shape {expected.shape}, but got {actual.shape}")
    if expected.size == 0:
        return 0.0
    scale = np.abs(expected).max()
    # An infinity on both sides is no agreement: inf - inf and inf / inf are NaN.
    with np.errstate(invalid="ignore"):
        return float(np.abs(actual - expected).max() / (scale if scale != 0 else 1.0))


def assert_close(actual, expected, tol, what="result"):
    """Raises AssertionError unless shapes are equal and the relative error is
    at most `tol`. A NaN on either side, or an infinity on both, fails."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        raise AssertionError(f"{what}: expected shape {expected.shape}, but got {actual.shape}")
    error = relative_error(actual, expected)
    # Not `error > tol`: that is false for NaN.
    if not (error <= tol):
        raise AssertionError(
            f"{what}: expected a relative error of at most {tol:g}, but got {error:g}"
        )
