"""Privacy profile of an audited mechanism: delta over epsilon, seen, exact and claimed.

The lower band holds at all its points jointly up to the false-alarm rate of the audit. Where the
mechanism states its law, the pair of data sets that breaks the claim most is audited, or else that
with the largest total variation, and the exact curve is its hockey-stick divergence; otherwise all
pairs are audited. The claimed curve is the largest profile that the claim allows. A run ends as
soon as its claim is refuted, before its band is much above it: what the witness's fresh draws show
at the claimed epsilon is a point of its own, with limits of Clopper and Pearson.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.draws.binomial_tails import binomial_limits
from audit.figures.axis_numbers import grid, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import BLACK, FIRST, THIRD, curve, frame
from audit.levels import line_of
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from audit.pairs.worst_cases import Pair
    from audit.request.privacy_plan import PrivacyPlan
    from audit.results.refutation import Witness

__all__ = ["FIGURE"]

EXAMPLES = ("sub.threshold", "sub.threshold-as-printed")
SAMPLES, SECONDS, FALSE_ALARM = 300_000, 600.0, 0.05
FURTHER = "0:2:lin:33"
"""Where the claimed and the exact profile are evaluated besides the points of the band."""

BAND_STEPS = "steps-pre"
"""Delta never rises with epsilon: a lower limit holds left of its point, and a chord may not."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    from audit.engine.pictures import allowed_delta
    from audit.request.privacy_plan import plan_audit
    from audit.runs.privacy_run import run_plan

    for request in asked.requests(EXAMPLES):
        samples = request.budget_samples or SAMPLES
        plan = plan_audit(
            replace(request, profile=True, budget_samples=samples), stated_in="the figure"
        )
        line = line_of(plan.claim.level)
        assert line is not None  # the plan of a profile sees to it
        epsilon, delta = line
        mechanism = _stating(plan)
        if mechanism is not None:  # all samples for the pair that loses most
            plan = replace(plan, pairs=(_worst(plan, mechanism, epsilon),))
        result = run_plan(plan, seed=asked.seed, false_alarm=FALSE_ALARM, budget_seconds=SECONDS)
        band = {Fraction(at): text(lower) for at, lower in result.profile or ()}
        for at in sorted({*band, *grid(FURTHER)}):
            exact = "" if mechanism is None else _exact(plan, mechanism, at)
            claimed = text(allowed_delta(float(epsilon), float(delta), float(at)))
            shown = _shown(result.witness, at) if at == epsilon else ""
            yield (
                *(plan.target.name, result.verdict.value, text(at)),
                *(band.get(at, ""), shown, exact, claimed),
            )


def _shown(witness: Witness | None, epsilon: Fraction) -> str:
    """Lower limit of delta from a witness's fresh draws, whose number was fixed beforehand."""
    if witness is None or not witness.draws:
        return ""
    least, _ = binomial_limits(witness.hits, witness.draws, FALSE_ALARM / 2)
    _, most = binomial_limits(witness.other_hits, witness.draws, FALSE_ALARM / 2)
    return text(max(0.0, least - math.exp(epsilon) * most))


def _stating(plan: PrivacyPlan) -> Any:
    """The mechanism, if its law on all data sets that were tried is of a kind to compare."""
    from audit.exact.exact_search import StatesLaw
    from audit.targets.load import mechanism_of

    try:
        mechanism, _ = mechanism_of(plan.target)
    except InvalidArgument:
        return None
    if not isinstance(mechanism, StatesLaw):
        return None
    try:
        return mechanism if _exact(plan, mechanism, Fraction(0)) else None
    except InvalidArgument:  # a law of another kind
        return None


def _worst(plan: PrivacyPlan, mechanism: Any, epsilon: Fraction) -> Pair:
    """The pair with the largest delta at the claimed epsilon; of equal ones, at 0."""

    def deltas(pair: Pair) -> tuple[float, ...]:
        alone = replace(plan, pairs=(pair,))
        return tuple(float(_exact(alone, mechanism, at) or 0) for at in (epsilon, Fraction(0)))

    return max(plan.pairs, key=deltas)


def _exact(plan: PrivacyPlan, mechanism: Any, at: Fraction) -> str:
    """Largest divergence of the pairs; every event has delta 1, so that no pair ends the search."""
    from audit.exact.exact_search import search
    from proofs_check.enclosure import Undecided

    pairs = [(np.asarray(p.data).tolist(), np.asarray(p.neighbor).tolist()) for p in plan.pairs]
    try:
        low, high = search(mechanism, pairs, at, Fraction(1)).excess
    except Undecided:
        return ""
    return text((low + high) / 2)


def _draw(data: Data, canvas: Canvas) -> None:
    targets = data.texts("target")
    panels = np.atleast_1d(canvas.subplots(1, len(targets)))
    for axes, target in zip(panels, targets, strict=True):
        one = data.where(target=target)
        x, lower, shown, exact, claimed = (
            one.numbers(c) for c in ("epsilon", "lower", "witness", "exact", "claimed")
        )
        seen = ~np.isnan(lower)
        band = {"step": "pre", "color": THIRD.color, "alpha": 0.15, "linewidth": 0}
        axes.fill_between(x[seen], 0, lower[seen], **band)
        axes.plot(
            x[seen],
            lower[seen],
            color=THIRD.color,
            marker=THIRD.marker,
            drawstyle=BAND_STEPS,
            label=f"lower band, {1 - FALSE_ALARM:.0%} jointly",
        )
        curve(axes, x, claimed, BLACK, label="largest that the claim allows")
        if not np.isnan(exact).all():
            curve(axes, x, exact, FIRST, label="exact, of the pair audited")
            over = {"color": FIRST.color, "alpha": 0.15, "linewidth": 0, "interpolate": True}
            axes.fill_between(x, claimed, exact, where=exact > claimed, **over)
        star = {"color": FIRST.color, "markersize": 12, "clip_on": False, "zorder": 5}
        for limits, words in ((lower, "seen: above the claim"), (shown, "seen by the witness")):
            broken = limits > claimed  # false where there is no limit
            if broken.any():
                axes.plot(x[broken], limits[broken], "*", **star, label=words)
        axes.set_xlim(0, max(2.0, 1.5 * float(x[claimed > claimed.min()].max(initial=0.0))))
        axes.set_ylim(0, None)
        frame(axes, "epsilon", "delta", f"{target}: {one.texts('verdict')[0]}")
        axes.legend()


FIGURE = Figure(
    ("target", "verdict", "epsilon", "lower", "witness", "exact", "claimed"),
    _rows,
    _draw,
    size=(9.6, 4.0),
    of_audit=True,
)
"""The figure."""
