"""Pictures of an audit as data: its evidence on one scale, its witness, its power, its profile.

Whatever satisfies (epsilon, delta) has at e < epsilon a privacy profile of at most

    delta + (1 - delta) (exp(epsilon) - exp(e)) / (exp(epsilon) + 1),

and at e >= epsilon of at most delta; randomized response that reveals all with probability delta
has exactly this profile (Kairouz, Oh and Viswanath, "The composition theorem for differential
privacy", ICML 2015).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.documents.phrases import beyond
from audit.documents.shared_sections import event_bars
from audit.engine.privacy_sentences import claimed_first, confirmed_words
from audit.levels import kind_of, line_of
from audit.results.number_words import number, number_above, number_below
from audit.results.plot_parts import Bar, Bars, Curves, Mark, Style
from audit.results.sampled_result import AuditResult, Upper
from audit.results.verdict import Verdict
from mechanisms.claims import PersonalizedDP

__all__ = ["allowed_delta", "evidence_plot", "power_plot", "profile_plot", "witness_plot"]

CURVE_POINTS = 80


def allowed_delta(epsilon: float, delta: float, at: float) -> float:
    """Largest delta at the epsilon `at` of anything that satisfies (epsilon, delta)."""
    if at >= epsilon:
        return delta
    return delta + (1 - delta) * (1 - math.exp(at - epsilon)) / (1 + math.exp(-epsilon))


def evidence_plot(result: AuditResult) -> Iterator[Bars]:
    """What samples, exact laws and proofs say of the claimed number, on one scale."""
    scale = _scale(result)
    if scale is None:
        return
    axis, claim, lower = scale
    style: Style = "broken" if result.verdict is Verdict.REFUTED else "samples"
    rows = [Bar(f"samples: {axis} {beyond(lower, claimed_first(result))}", lower, style)]
    if not lower:
        rows = [Bar(f"samples: nothing is known of {axis}", lower, style)]
    witness = result.witness
    if witness is not None and axis == witness.measure == "epsilon" and not witness.budget:
        rows.append(Bar(f"witness: {confirmed_words(witness)}", max(0.0, witness.lower), style))
    if result.detectable is not None and axis == "epsilon":
        seen = result.detectable.at_tenth
        from_on = f"would have been seen from {number(seen)} on"
        never = "would not have been seen, whatever it lost"
        words = f"{never if math.isinf(seen) else from_on} (event of 0.1)"
        rows.append(Bar(words, seen, "samples", point=True))
    if result.exact is not None:
        if result.exact.attained is not None:
            reached = float(result.exact.attained)
            words = f"exactly reached: {number_below(reached)}"
            rows.append(Bar(words, reached, "proved", point=True))
        proved = float(result.exact.proved)
        rows.append(Bar(f"proved: at most {number_above(proved)}", proved, "proved"))
    words = f"claimed {number(claim)}; " + "; ".join(row.words for row in rows)
    claimed = (claim, f"claimed: {number(claim)}")
    yield Bars("scale", "Evidence", tuple(rows), axis, claimed, words)


def _scale(result: AuditResult) -> tuple[str, float, float] | None:
    """The claimed number: its name, its value, and the lower limit of the samples."""
    for limit in kind_of(result.claim.level).limits:
        if limit.claimed is not None and limit.name in result.limits:
            claimed = float(limit.claimed(result.claim.level))
            return limit.axis, claimed, result.limits[limit.name]
    return None


def witness_plot(result: AuditResult) -> Iterator[Bars]:
    """How often the event came on either data set, and how often the claim lets it."""
    witness = result.witness
    if witness is not None and witness.draws:
        shares = witness.hits / witness.draws, witness.other_hits / witness.draws
        axis = "share of the draws in which the event came"
        yield event_bars(result.claim.level, shares, witness.likelier, witness.budget, axis)


def power_plot(result: AuditResult) -> Iterator[Curves]:
    """Smallest loss that would have been seen, against the probability of its event."""
    power, upper = result.detectable, result.upper
    if power is None:
        return
    claim = _claimed_epsilon(result)
    known = [value for value in (claim, power.limit) if value is not None]
    limits = (*power.epsilons, *(upper.epsilons if upper else ()))
    known += [value for value in limits if math.isfinite(value)]
    masses = (*power.masses, *(upper.masses if upper else ()))
    left, right = math.log10(min(masses)), 0.0
    steps = range(math.ceil(left - 1e-9), 1)
    curve = [(math.log10(m), e) for m, e in zip(power.masses, power.epsilons, strict=True)]
    drawn = tuple((x, e) for x, e in curve if math.isfinite(e))
    marks = []
    if claim is not None:
        hidden = (*sorted(curve), (max(curve)[0], claim), (min(curve)[0], claim))
        marks = [
            Mark("area", hidden, "band"),
            Mark("line", ((left, claim), (right, claim)), "claimed"),
            Mark("label", ((left, claim),), "claimed", ("claimed",), (4, -16)),
        ]
    marks.append(Mark("line", drawn, "samples"))
    each = (f"events of probability {number(10.0**x)}: from {number(e)} on" for x, e in drawn)
    marks.append(Mark("dots", drawn, "samples", tuple(each)))
    never = tuple(sorted((x, e) for x, e in curve if math.isinf(e)))
    marks.append(Mark("beyond", never, "samples", ("never",)))
    yield Curves(
        "detectable",
        "Power",
        ("probability of the event", "epsilon"),
        left,
        right,
        1.1 * (max(known) or 1.0),
        (*marks, *_upper(upper)),
        "; ".join(
            f"event of {number(m)}: epsilon {number(e)}"
            for m, e in zip(power.masses, power.epsilons, strict=True)
        ),
        tuple((i, f"1e{i}" if i < -2 else number(10.0**i)) for i in steps),
        "Dots: the smallest loss that would have been seen. A smaller one (shaded) would not.",
    )


def _upper(upper: Upper | None) -> Iterator[Mark]:
    """Upper limits on the events that were learned."""
    if upper is None:
        return
    points = [(math.log10(m), e) for m, e in zip(upper.masses, upper.epsilons, strict=True)]
    drawn = tuple((x, e) for x, e in points if math.isfinite(e))
    words = "no learned event of at least this probability loses more"
    yield Mark("line", drawn, "proved")
    yield Mark("dots", drawn, "proved", (words,) * len(drawn))
    if drawn:
        yield Mark("label", (min(drawn),), "proved", ("at most",), (9, -5))


def _claimed_epsilon(result: AuditResult) -> float | None:
    level = result.claim.level
    if isinstance(level, PersonalizedDP):
        user = None if result.detectable is None else result.detectable.user
        return None if user is None else float(level.budgets[user - 1])
    line = line_of(level)
    return None if line is None else float(line[0])


def profile_plot(result: AuditResult) -> Iterator[Curves]:
    """The lower band of the privacy profile, and the largest profile that the claim allows."""
    line = line_of(result.claim.level)
    if result.profile is None or line is None:
        return
    epsilon, delta = map(float, line)
    right = max(1.1 * epsilon, max(at for at, _ in result.profile)) or 1.0
    grid = [right * i / CURVE_POINTS for i in range(CURVE_POINTS + 1)]
    allowed = tuple((at, allowed_delta(epsilon, delta, at)) for at in sorted({*grid, epsilon}))
    highest = max(*(d for _, d in allowed), *(d for _, d in result.profile))
    band = sorted(result.profile)
    steps = [(0.0, band[0][1])]
    for at, lower in band:  # delta never rises with epsilon: a limit holds to the left of its point
        steps += [(steps[-1][0], lower), (at, lower)]
    marks = [
        Mark("area", ((0.0, 0.0), *steps, (steps[-1][0], 0.0)), "band"),
        Mark("line", tuple(steps), "samples"),
        Mark("line", allowed, "claimed"),
    ]
    for at, lower in band:
        style: Style = "broken" if lower > allowed_delta(epsilon, delta, at) else "samples"
        words = f"at epsilon {number(at)} delta > {number_below(lower)}"
        marks.append(Mark("dots", ((at, lower),), style, (words,)))
    yield Curves(
        "band",
        "Privacy profile",
        ("epsilon", "delta"),
        0.0,
        right,
        min(1.1 * highest, 1.0) or 1.0,
        tuple(marks),
        "; ".join(f"epsilon {number(at)}: > {number_below(d)}" for at, d in band),
        caption="Dots: delta is larger than this. Dashed: the most that the claim allows. A dot "
        "above the dashed line breaks the claim.",
    )
