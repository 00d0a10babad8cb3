"""Limits of an exact audit: lower ends of what was enclosed, by the names of `audit.levels`.

A trade-off curve has none: it is no number. Of a delta that follows from a bound of the loss no
lower end is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit.levels import kind_of
from audit.results.exact_result import DivergenceWitness, ExactWitness, Proof
from audit.results.number_words import float_below
from audit.results.verdict import Limits
from mechanisms.claims import ApproxDP, GaussianDP, Level, PersonalizedDP, PureDP, TotalVariationDP


def exact_limits(
    level: Level, proof: Proof | None, witness: ExactWitness | DivergenceWitness | None
) -> Limits:
    """What a claim's numbers surely are at least.

    `level`: of the claim. `proof`, `witness`: of an exact audit; at most one of them.
    """
    known = [*_of_proof(level, proof), *_of_witness(level, witness)]
    return Limits(tuple((name, float_below(value)) for name, value in known))


def _of_proof(level: Level, proof: Proof | None) -> Iterator[tuple[str, Fraction]]:
    if proof is None:
        return
    if isinstance(level, PureDP) and proof.loss is not None:
        yield "epsilon", proof.loss[0]
    elif isinstance(level, PureDP) and proof.users:
        yield "epsilon", max(loss[0] for _, _, loss in proof.users)
    elif isinstance(level, ApproxDP | TotalVariationDP):
        ends = proof.measured[1] if proof.measured is not None else proof.excess
        if ends is not None:
            yield kind_of(level).limits[-1].name, ends[0]
    elif isinstance(level, PersonalizedDP) and proof.users:
        yield "budget_factor", max(loss[0] / budget for _, budget, loss in proof.users if budget)
    elif proof.measured is not None:  # a divergence, or mu
        yield kind_of(level).limits[0].name, proof.measured[1][0]


def _of_witness(
    level: Level, witness: ExactWitness | DivergenceWitness | None
) -> Iterator[tuple[str, Fraction]]:
    """Of an event with no finite loss, or a divergence without end, the claim itself."""
    if witness is None:
        return
    if isinstance(witness, DivergenceWitness):
        value = witness.allowed if witness.value is None else witness.value[0]
        yield kind_of(level).limits[0].name, value
    elif isinstance(level, PureDP):
        yield "epsilon", level.epsilon if witness.loss is None else witness.loss[0]
    elif isinstance(level, ApproxDP):
        yield "delta", level.delta + witness.excess[0]
    elif isinstance(level, TotalVariationDP):
        yield "tv", level.tv + witness.excess[0]
    elif isinstance(level, GaussianDP):
        yield "mu", max(level.mu, _mu(witness.p[0], witness.q[1]))
    elif isinstance(level, PersonalizedDP) and witness.budget:
        loss = witness.budget if witness.loss is None else witness.loss[0]
        yield "budget_factor", loss / witness.budget


def _mu(p: Fraction, q: Fraction) -> Fraction:
    """No event of N(mu, 1) against N(0, 1) has P = p and Q = q at a smaller mu; 0 if unknown.

    mu is at least the p-quantile minus the q-quantile: Phi(x) <= p and Phi(y) >= q for certain.
    """
    from audit.exact.levels import quantile_above

    y, x = quantile_above(q), quantile_above(1 - p)
    return Fraction(0) if x is None or y is None else -x - y
