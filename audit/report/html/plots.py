"""Bars of an audit: its evidence on one scale, and how often its witness came."""

from __future__ import annotations

import math
from fractions import Fraction

from audit.levels import kind_of, line_of
from audit.report.html.elements import Safe, el
from audit.report.html.svg import Bar, bars
from audit.report.words import (
    beyond,
    claimed_first,
    confirmed_words,
    number,
    number_above,
    number_below,
)
from audit.verdict import AuditResult, ExactResult, ExactWitness, Proof, Verdict

__all__ = ["event_plot", "evidence_plot", "users_plot", "witness_plot"]

MOST = 700.0
"""Beyond it the exponential is no number of the machine; any share is then allowed."""


def evidence_plot(result: AuditResult, key: str) -> Safe | None:
    """What samples, exact laws and proofs say of the claimed number, on one scale."""
    scale = _scale(result)
    if scale is None:
        return None
    axis, claim, lower = scale
    kind = "broken" if result.verdict is Verdict.REFUTED else "samples"
    rows = [Bar(f"samples: {axis} {beyond(lower, claimed_first(result))}", lower, kind)]
    if not lower:
        rows = [Bar(f"samples: nothing is known of {axis}", lower, kind)]
    witness = result.witness
    if witness is not None and axis == witness.measure == "epsilon" and not witness.budget:
        rows.append(Bar(f"witness: {confirmed_words(witness)}", witness.lower, kind))
    if result.detectable is not None and axis == "epsilon":
        seen = result.detectable.at_tenth
        rows.append(
            Bar(
                f"would have been seen from {number(seen)} on (event of 0.1)", seen, "samples", True
            )
        )
    if result.exact is not None:
        if result.exact.reached is not None:
            reached = float(result.exact.reached)
            rows.append(Bar(f"exactly reached: {number_below(reached)}", reached, "proved", True))
        proved = float(result.exact.proved)
        rows.append(Bar(f"proved: at most {number_above(proved)}", proved, "proved"))
    words = f"claimed {number(claim)}; " + "; ".join(row.words for row in rows)
    claimed = (claim, f"claimed: {number(claim)}")
    return bars("Evidence", words, rows, axis=axis, claimed=claimed, key=key)


def _scale(result: AuditResult) -> tuple[str, float, float] | None:
    """The claimed number: its name, its value, and the lower limit of the samples."""
    for limit in kind_of(result.claim.level).limits:
        if limit.claimed is not None and limit.name in result.limits:
            claimed = float(limit.claimed(result.claim.level))
            return limit.axis, claimed, result.limits[limit.name]
    return None


def witness_plot(result: AuditResult, key: str) -> Safe | None:
    """How often the event came on either data set, and how often the claim lets it, as a figure."""
    witness = result.witness
    if witness is None or not witness.draws:
        return None
    shares = witness.hits / witness.draws, witness.other_hits / witness.draws
    axis = "share of the draws in which the event came"
    return _event(result, shares, witness.likelier, witness.budget, axis=axis, key=key)


def event_plot(result: ExactResult, key: str) -> Safe | None:
    """How probable the event of an exact witness is on either data set, as a figure."""
    witness = result.witness
    if not isinstance(witness, ExactWitness):
        return None
    chances = float(witness.p[0]), float(witness.q[1])
    axis = "probability of the event"
    return _event(result, chances, witness.likelier, witness.budget, axis=axis, key=key)


def _event(
    result: AuditResult | ExactResult,
    shares: tuple[float, float],
    arm: str,
    budget: Fraction | None,
    *,
    axis: str,
    key: str,
) -> Safe:
    """Bars of an event on the data set `arm` and on the other, and what the claim allows."""
    likelier, other = shares
    names = ("data", "neighbor") if arm == "data" else ("neighbor", "data")
    rows = [
        Bar(f"on the {names[0]}: {number(likelier)}", likelier, "broken"),
        Bar(f"on the {names[1]}: {number(other)}", other, "samples"),
    ]
    allowed = _allowed(result, budget, other)
    claimed = None if allowed is None else (allowed, f"allowed: {number(allowed)}")
    words = "; ".join(row.words for row in rows) + (f"; {claimed[1]}" if claimed else "")
    drawn = bars("Event", words, rows, axis=axis, claimed=claimed, key=key)
    if allowed is None:
        return el("figure", drawn)
    caption = (
        f"If it has probability {number(other)} on the {names[1]}, the claim allows at most "
        f"{number(allowed)} on the {names[0]}."
    )
    return el("figure", drawn, el("figcaption", caption))


def _allowed(
    result: AuditResult | ExactResult, budget: Fraction | None, other: float
) -> float | None:
    """Largest probability that the claim allows, for claims that bound that of single events."""
    line = line_of(result.claim.level)
    if line is None and budget is not None:
        line = budget, Fraction(0)
    if line is None:
        return None
    epsilon, delta = map(float, line)
    return min(1.0, math.exp(min(epsilon, MOST)) * other + delta)


def users_plot(proof: Proof, key: str) -> Safe | None:
    """The largest loss of users as a share of their budgets; of other claims than theirs None."""
    if not proof.users:
        return None
    rows = []
    for user, budget, loss in proof.users:
        share = float(loss[1] / budget)
        rows.append(Bar(f"user {user}, budget {budget}: {number(share)}", share, "proved"))
    words = "; ".join(row.words for row in rows)
    axis = "largest loss, as a share of the own budget"
    return bars("Users", words, rows, axis=axis, claimed=(1.0, "claimed: 1"), key=key)
