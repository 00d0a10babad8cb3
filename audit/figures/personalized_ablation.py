"""What each slip of the print costs the personalized mean (PDP, Algorithms 4 to 7).

Absolute error of the released mean over where the records lie, with every slip alone and all of
them at once beside the repaired form. The records are the normal scores around a mean, so that
nothing but the mechanism is random.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from audit.figures.axis_numbers import INTERVAL, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import LOOKS, curve, frame, label_ends, simulated
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE", "REPAIRED", "SLIPS"]

SOUND, PRINTED = "pdp.mean", "pdp.mean-as-printed"

REPAIRED = "repaired"
"""Without any of them."""

SLIPS = {
    "E-10": "negatives dropped",
    "E-11": "half the radius",
    "E-12": "half the grid's width",
    "E-13": "public rank",
    "all": "all slips",
}
"""Errata that cost accuracy, and what they are in a word."""

MEANS = (-200, -50, -20, -5, 0, 5, 20, 50, 200)
BUDGETS = ("1/2",) * 500 + ("1",) * 500
DRAWS = 300
QUANTILE = 0.9


def _mechanisms() -> Iterator[tuple[str, Any]]:
    from mechanisms.registry import MECHANISMS, build_mechanism

    missing = [name for name in (SOUND, PRINTED) if name not in MECHANISMS]
    if missing:
        msg = (
            f"this figure runs {SOUND} and {PRINTED}; {' and '.join(missing)} is not registered "
            "in this installation (see `touchstone list mechanisms`)"
        )
        raise InvalidArgument(msg)
    common: dict[str, Any] = {"budgets": BUDGETS, "beta": "1/10", "release": "mean"}
    yield REPAIRED, build_mechanism(SOUND, **common)
    for slip in SLIPS:
        yield slip, build_mechanism(PRINTED, slip=slip, **common)


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    from scipy.special import ndtri

    from audit.draws.streams import Purpose, stream

    users = len(BUDGETS)
    order = stream(asked.seed, Purpose.FIGURE).permutation(users)
    scores = ndtri((order + 0.5) / users)
    for k, (slip, mechanism) in enumerate(_mechanisms()):
        for m, mean in enumerate(MEANS):
            rng = stream(asked.seed, Purpose.FIGURE, pair=1 + k, arm=m)
            outputs = np.asarray(mechanism.sample(mean + scores, DRAWS, rng=rng))
            errors = np.sort(np.abs(outputs - mean))
            found = (np.median(errors), *_ends(errors), np.quantile(errors, QUANTILE))
            yield slip, str(mean), *(text(float(value)) for value in found)


def _ends(ordered: NDArray[np.float64]) -> tuple[float, float]:
    """Interval for the median from its order statistics."""
    from scipy.stats import binom

    below = int(binom.ppf(INTERVAL / 2, ordered.size, 0.5))
    return float(ordered[below - 1]), float(ordered[ordered.size - below])


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("symlog", linthresh=5, linscale=0.6)
    axes.set_yscale("log")
    labels = []
    for slip, look in zip(data.texts("slip"), LOOKS, strict=True):
        one = data.where(slip=slip)
        x, y = one.numbers("mean"), one.numbers("median")
        curve(axes, x, y, look)
        simulated(axes, one, "mean", look, estimate="median")
        words = f"{slip}: {SLIPS[slip]}" if slip.startswith("E") else SLIPS.get(slip, slip)
        labels.append((words, float(y[-1]), look.color))
    axes.set_xticks(MEANS, [str(mean) for mean in MEANS])
    axes.minorticks_off()
    frame(
        axes,
        "mean of the records  [standard deviations]",
        "median absolute error  [standard deviations]",
        "personalized mean, 500 users with ε = 1/2, 500 with ε = 1; 300 runs (99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(("slip", "mean", "median", "low", "high", "q90"), _rows, _draw, size=(8.0, 4.4))
"""The figure."""
