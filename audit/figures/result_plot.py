"""The plot of a result: what was found, in multiples of what is claimed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from audit.figures.style import ALONE, FIRST, THIRD, frame
from audit.levels import kind_of
from audit.results.base_result import Result
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.utility.error_result import UtilityResult
from mechanisms.errors import InvalidArgument, MissingExtra
from mechanisms.validation import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

HEIGHT = 0.5
"""Inches of a row; beyond the rows the axis takes two more."""


@final
@dataclass(frozen=True, slots=True)
class LimitRow:
    """One number: from a lower limit on, or between two, as multiples of the claimed one."""

    label: str
    lower: float
    upper: float | None = None


def plot(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the limits of a result, in multiples of what is claimed.

    `result`: of an audit. `ax`: where to draw; None for a new figure. Raises InvalidArgument where
    no number is limited of which something above 0 is claimed. Raises MissingExtra if matplotlib is
    not installed.
    """
    rows = list(_rows(result))
    if not rows:
        msg = f"nothing to plot: {result.outcome}, and no limit on a number that is claimed"
        raise InvalidArgument(msg)
    axes = _axes(len(rows), ax)
    color = FIRST.color if result.outcome == Verdict.REFUTED else THIRD.color
    for place, row in enumerate(reversed(rows)):
        if row.upper is None:
            axes.barh(place, row.lower, height=0.5, color=color)
        else:
            axes.plot([row.lower, row.upper], [place] * 2, marker="|", color=color)
    axes.set_yticks(range(len(rows)), [row.label for row in reversed(rows)])
    axes.axvline(1.0, **ALONE)
    largest = max(row.lower if row.upper is None else row.upper for row in rows)
    axes.set_xlim(0.0, 1.2 * max(1.0, largest if math.isfinite(largest) else 1.0))
    frame(axes, "times what is claimed", "", f"{result.outcome}: {getattr(result, 'target', '')}")
    return axes


def _axes(rows: int, given: object) -> Axes:
    """The given axes, or those of a new figure."""
    try:
        from matplotlib import pyplot as plt
        from matplotlib.axes import Axes
    except ImportError as exc:
        msg = (
            f"matplotlib cannot be imported ({exc}); "
            "install it with: pip install 'touchstone-dp[report]'"
        )
        raise MissingExtra(msg) from exc
    if isinstance(given, Axes):
        return given
    if given is not None:
        msg = f"ax must be axes of matplotlib, got ax={shown(given)} (type {type(given).__name__})"
        raise InvalidArgument(msg)
    _, axes = plt.subplots(figsize=(7.0, HEIGHT * (rows + 2)), layout="constrained")
    return axes


def _rows(result: Result) -> Iterator[LimitRow]:
    if isinstance(result, UtilityResult):
        yield from _of_errors(result)
    elif isinstance(result, AuditResult | ExactResult):
        for limit in kind_of(result.claim.level).limits:
            claimed = 0 if limit.claimed is None else float(limit.claimed(result.claim.level))
            if limit.name in result.limits and claimed > 0:
                yield LimitRow(f"{limit.axis} >", result.limits[limit.name] / claimed)
        power = getattr(result, "detectable", None)
        epsilon = float(getattr(result.claim.level, "epsilon", 0))
        if power is not None and epsilon > 0 and math.isfinite(power.at_tenth):
            yield LimitRow("seen from (event of 0.1)", power.at_tenth / epsilon)


def _of_errors(result: UtilityResult) -> Iterator[LimitRow]:
    for case in result.cases:
        for estimate in case.estimates:
            for claim in estimate.claims:
                bound = float(claim.bound)
                if bound > 0:
                    ends = estimate.interval
                    lower, upper = ends.lower / bound, ends.upper / bound
                    yield LimitRow(f"{estimate.quantity}, {case.label}", lower, upper)
