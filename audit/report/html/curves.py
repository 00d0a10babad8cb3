"""Curves of an audit: the power of its samples, and the privacy profile that they show.

Whatever satisfies (epsilon, delta) has at e < epsilon a privacy profile of at most

    delta + (1 - delta) (exp(epsilon) - exp(e)) / (exp(epsilon) + 1),

and at e >= epsilon of at most delta; randomized response that reveals all with probability delta
has exactly this profile (Kairouz, Oh and Viswanath, "The composition theorem for differential
privacy", ICML 2015).
"""

from __future__ import annotations

import math

from audit.levels import line_of
from audit.report.html.elements import Safe, el
from audit.report.html.svg import Axes, picture, ticks
from audit.report.words import number, number_below
from audit.verdict import AuditResult, Detectable, Upper
from mechanisms.claims import PersonalizedDP

__all__ = ["allowed_delta", "power_plot", "profile_plot"]

CURVE_POINTS = 80


def allowed_delta(epsilon: float, delta: float, at: float) -> float:
    """Largest delta at the epsilon `at` of anything that satisfies (epsilon, delta)."""
    if at >= epsilon:
        return delta
    return delta + (1 - delta) * (1 - math.exp(at - epsilon)) / (1 + math.exp(-epsilon))


def power_plot(result: AuditResult, key: str) -> Safe | None:
    """Smallest loss that would have been seen, against the probability of its event."""
    power, upper = result.detectable, result.upper
    if power is None:
        return None
    claim = _claimed_epsilon(result)
    known = [value for value in (claim, power.limit) if value is not None]
    limits = (*power.epsilons, *(upper.epsilons if upper else ()))
    known += [value for value in limits if math.isfinite(value)]
    marks = ticks(1.1 * (max(known) or 1.0))
    masses = (*power.masses, *(upper.masses if upper else ()))
    left, right = math.log10(min(masses)), 0.0
    axes = Axes(left, right, marks[-1])
    steps = range(math.ceil(left - 1e-9), 1)
    frame = axes.frame(
        "probability of the event",
        "epsilon",
        [(i, f"1e{i}" if i < -2 else number(10.0**i)) for i in steps],
        marks,
    )
    curve = [(math.log10(m), e) for m, e in zip(power.masses, power.epsilons, strict=True)]
    drawn = [(x, e) for x, e in curve if math.isfinite(e)]
    parts = [frame]
    if claim is not None:
        hidden = [*sorted(curve), (max(curve)[0], claim), (min(curve)[0], claim)]
        parts.append(axes.area(hidden, "band"))
    if claim is not None:
        parts.append(axes.line([(left, claim), (right, claim)], "claimed"))
        parts.append(axes.label(left, claim, "claimed", aside=4, rise=-16))
    parts.append(axes.line(drawn, "samples"))
    for x, e in drawn:
        words = f"events of probability {number(10.0**x)}: from {number(e)} on"
        parts.append(axes.dot(x, e, "samples", words))
    parts += _never(axes, [x for x, e in curve if math.isinf(e)])
    parts += _upper(axes, upper)
    return picture("Power", _power_words(power), axes.height, *parts, key=key)


def _never(axes: Axes, places: list[float]) -> list[Safe]:
    """Arrows where no loss would have been seen."""
    top = axes.y_of(axes.top)
    parts = []
    for x in map(axes.x_of, sorted(places)):
        points = f"{x:.1f},{top - 2:.1f} {x - 6:.1f},{top + 10:.1f} {x + 6:.1f},{top + 10:.1f}"
        parts.append(el("polygon", points=points, class_="samples bar"))
    if places:
        left = axes.x_of(min(places)) + 8
        parts.append(el("text", "never", x=left, y=top + 24, class_="tick"))
    return parts


def _upper(axes: Axes, upper: Upper | None) -> list[Safe]:
    """Upper limits on the events that were learned."""
    if upper is None:
        return []
    points = [(math.log10(m), e) for m, e in zip(upper.masses, upper.epsilons, strict=True)]
    drawn = [(x, e) for x, e in points if math.isfinite(e)]
    words = "no learned event of at least this probability loses more"
    dots = [axes.dot(x, e, "proved", words) for x, e in drawn]
    label = [axes.label(*min(drawn), "at most", aside=9, rise=-5)] if drawn else []
    return [axes.line(drawn, "proved"), *dots, *label]


def _claimed_epsilon(result: AuditResult) -> float | None:
    level = result.claim.level
    if isinstance(level, PersonalizedDP):
        user = None if result.detectable is None else result.detectable.user
        return None if user is None else float(level.budgets[user - 1])
    line = line_of(level)
    return None if line is None else float(line[0])


def _power_words(power: Detectable) -> str:
    each = zip(power.masses, power.epsilons, strict=True)
    return "; ".join(f"event of {number(m)}: epsilon {number(e)}" for m, e in each)


def profile_plot(result: AuditResult, key: str) -> Safe | None:
    """The lower band of the privacy profile, and the largest profile that the claim allows."""
    line = line_of(result.claim.level)
    if result.profile is None or line is None:
        return None
    epsilon, delta = map(float, line)
    right = max(1.1 * epsilon, max(at for at, _ in result.profile)) or 1.0
    grid = [right * i / CURVE_POINTS for i in range(CURVE_POINTS + 1)]
    grid = sorted({*grid, epsilon})
    allowed = [(at, allowed_delta(epsilon, delta, at)) for at in grid]
    highest = max(*(d for _, d in allowed), *(d for _, d in result.profile))
    marks = ticks(min(1.1 * highest, 1.0) or 1.0)
    axes = Axes(0.0, right, marks[-1])
    across = [(mark, number(mark)) for mark in ticks(right) if mark <= right * (1 + 1e-9)]
    band = sorted(result.profile)
    steps = [(0.0, band[0][1])]
    for at, lower in band:  # delta never rises with epsilon: a limit holds to the left of its point
        steps += [(steps[-1][0], lower), (at, lower)]
    parts = [axes.frame("epsilon", "delta", across, marks)]
    parts.append(axes.area([(0.0, 0.0), *steps, (steps[-1][0], 0.0)], "band"))
    parts.append(axes.line(steps, "samples"))
    parts.append(axes.line(allowed, "claimed"))
    for at, lower in band:
        kind = "broken" if lower > allowed_delta(epsilon, delta, at) else "samples"
        words = f"at epsilon {number(at)} delta > {number_below(lower)}"
        parts.append(axes.dot(at, lower, kind, words))
    words = "; ".join(f"epsilon {number(at)}: > {number_below(d)}" for at, d in band)
    return picture("Privacy profile", words, axes.height, *parts, key=key)
