"""The bounded mean on intervals that differ from draw to draw: last step of SUB's Algorithm 3.

With thresholds l <= u of a draw, w = u - l and m = (l + u) / 2, the release is

    clip((sum (clip(x, [l, u]) - m) + Lap(w / epsilon)) / count, [-w/2, w/2]) + m.

Records beyond a threshold add exactly -w/2 or w/2; sums of those between come from sums of the
ordered records. Where records are equal, w and with it the noise can be far below the rounding of
such sums in doubles. So they are sums of integers: thresholds, as drawn, and records, each by
itself, are rounded to multiples of the spacing of doubles at the public bounds.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.composition import InTurn, LaplaceStep, ScoreStep

__all__ = ["RELEASES", "centered_sums", "mean_steps", "noisy_counts", "released"]

RELEASES = ("mean", "all")
"""The mean, or all that is private: both thresholds, the noisy sum and the noisy count."""

_DIGIT = 2**27
"""Places of up to 2^54 have two digits; sums of these fit into 64 bits for 2^36 records."""

Array = NDArray[np.float64]


def mean_steps(epsilon: Fraction) -> InTurn:
    """State both thresholds, the noisy sum between them and the noisy count.

    A record added or removed moves the losses of a threshold by at most 1, the count by 1, and the
    sum, less the middle of each record, by half of the width w, whose noise has the scale w /
    epsilon: in units of w.
    """
    one = Fraction(1)
    return InTurn(
        (
            ScoreStep("the lower threshold", one, epsilon / 2),
            ScoreStep("the upper threshold", one, epsilon / 2),
            LaplaceStep("the sum of the clipped records", (one / 2,), 1 / epsilon),
            LaplaceStep("the count", (one,), 2 / epsilon),
        )
    )


def noisy_counts(count: int, epsilon: Fraction, size: int, *, rng: np.random.Generator) -> Array:
    """Draw count + Lap(2 / epsilon), which costs epsilon / 2, shape (size,)."""
    return count + rng.laplace(scale=float(2 / epsilon), size=size)


def centered_sums(values: Array, lower: Array, upper: Array, spacing: float) -> Array:
    """Sum of clip(x, [lower, upper]) less the middle, for each interval, shape (draws,).

    `values`, shape (n,): records, ascending. `lower`, `upper`, shape (draws,): lower <= upper.
    `spacing`: power of two to whose multiples, at most 2^53 of it, all of them are rounded.
    """
    x, a, b = (np.rint(ends / spacing).astype(np.int64) for ends in (values, lower, upper))
    first = np.searchsorted(x, a, side="right")  # so many are at most `lower`
    last = np.maximum(np.searchsorted(x, b, side="left"), first)
    # Of those between 2 x - (a + b), digit by digit: only the last sum is rounded.
    between = np.zeros(a.size)
    digits = zip(np.divmod(2 * x, _DIGIT), np.divmod(a + b, _DIGIT), (_DIGIT, 1), strict=True)
    for digit, middle, unit in digits:
        sums = np.concatenate([[0], np.cumsum(digit)])
        between += float(unit) * (sums[last] - sums[first] - (last - first) * middle)
    beyond = (b - a).astype(np.float64) * ((values.size - last) - first)
    return (between + beyond) * (spacing / 2)


def released(
    values: Array,
    thresholds: tuple[Array, Array],
    counts: Array,
    epsilon: Fraction,
    release: str,
    *,
    spacing: float,
    least: float = 0.0,
    rng: np.random.Generator,
) -> Array:
    """Release the mean of records clipped to two thresholds; the noisy sum costs epsilon / 2.

    `values`, shape (n,): records, ascending. `thresholds`, shape (draws,): exchanged where they
    cross. `counts`, shape (draws,): noisy counts; dividing by 0 gives the middle. `epsilon`: the
    noise of the sum has the scale w / epsilon. `release`, one of "mean", "all": one of `RELEASES`.
    `spacing`: see `centered_sums`; `parameters.spacing_at` the bounds. `least`: a smaller count is
    replaced by it, if it is greater than 0. Returns shape (draws,) or, of "all", (draws, 4): means
    between the thresholds; or lower and upper threshold as drawn, sum and count.
    """
    drawn = np.minimum(*thresholds), np.maximum(*thresholds)
    lower, upper = (np.rint(end / spacing) * spacing for end in drawn)
    half = (upper - lower) / 2
    noise = 2 * half * rng.laplace(scale=float(1 / epsilon), size=counts.size)
    total = centered_sums(values, lower, upper, spacing) + noise
    if release == "all":
        return np.stack([*thresholds, total, counts], axis=1)
    over = np.maximum(counts, least) if least else counts
    ratio = np.divide(total, over, out=np.zeros_like(total), where=over != 0)
    moved = np.clip(ratio, -half, half) + (lower + half)
    return np.asarray(np.clip(moved, *drawn) + 0.0, dtype=np.float64)  # no -0.0
