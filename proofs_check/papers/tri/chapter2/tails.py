"""Truncated tails, Lemma 2.1.2, and the remark after it that has the direction wrong."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.language import Condition, all_of, implies, reals, refuted
from proofs_check.papers.tri.chapter3.clipping_bias import excess_bound
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import diff, identical, log, symbols

__all__ = ["CLAIMS", "larger_order_larger_level", "tail_bound", "truncated_tail"]

ONE_PERCENT = Fraction(101, 100)

BOUNDS: tuple[tuple[tuple[Any, ...], str], ...] = (
    ((1, "0.000001", 2), "0.001"),
    ((2, "0.01", 2), "0.2"),
    (("0.5", "0.001", 4), "0.00281170662595175"),
    ((1, "0.000001", "1.5"), "0.01"),
)
"""(alpha, delta, kappa) and alpha delta^(1 - 1/kappa)."""

LEVELS: tuple[tuple[tuple[Any, ...], str], ...] = (
    (("0.000001", "1.5"), "0.01"),
    (("0.000001", 2), "0.001"),
    (("0.000001", 4), "3.16228e-5"),
    (("0.000001", 100), "1.14815e-6"),
)
"""(delta, kappa) and tau = delta^(1 - 1/kappa)."""

LAWS: tuple[tuple[tuple[Any, str], ...], ...] = (
    ((0, "0.9"), (1, "0.06"), (5, "0.04")),
    ((1, "0.5"), (2, "0.25"), (4, "0.125"), (8, "0.125")),
    ((0, "0.98"), (3, "0.02")),
)
"""Laws of |Y|: values in rising order with probabilities; the last one for equality at 1/50."""


def tail_bound(alpha: Any, delta: Any, kappa: Any, *, numbers: Any) -> Any:
    """Lemma 2.1.2: alpha delta^(1 - 1/kappa)."""
    return alpha * numbers.power(delta, 1 - 1 / kappa)


def truncated_tail(law: Any, delta: Fraction) -> Fraction:
    """Integral over x >= 0 of min{delta, P[|Y| > x]} for a law on finitely many values."""
    total, last, tail = Fraction(0), Fraction(0), Fraction(1)
    for value, probability in law:
        total += (Fraction(value) - last) * min(delta, tail)
        last, tail = Fraction(value), tail - Fraction(probability)
    return total


@proves(
    "delta c + K(kappa) alpha^kappa / c^(kappa-1) at c = (1 - 1/kappa) alpha "
    "delta^(-1/kappa) is the bound.",
    Method.SYMBOLIC,
)
@mutant("c 1 % larger", factor=ONE_PERCENT)
def bound_is_the_minimum(factor: Fraction = Fraction(1)) -> Finding:
    """Delta c + K alpha^kappa / c^(kappa-1) equals the bound at c = (1 - 1/kappa) alpha delta^(-1/k).

    With d = delta^(1/kappa), so that alpha delta^(1 - 1/kappa) = alpha d^(kappa - 1).
    """
    alpha, d, more = symbols("alpha d more", positive=True)
    kappa = 1 + more
    c = factor * (1 - 1 / kappa) * alpha / d
    left = d**kappa * c + excess_bound(kappa, c, alpha, numbers=SYMBOLIC)
    domain: Box = {alpha: (1, 4), d: (Fraction(1, 9), 1), more: (Fraction(1, 2), 4)}
    return identical(left / (alpha * d**more), 1, domain)


@confirms("Both steps on finite laws, with equality where it is claimed.", Method.EXACT)
@mutant("an integral 1 % larger", factor=ONE_PERCENT)
def laws_obey(factor: Fraction = Fraction(1)) -> Finding:
    """Finite laws: integral <= delta c + E(|Y| - c)_+, and its kappa-th power <= E|Y|^kappa d^(k-1).

    With equality for |Y| = 3 with probability delta = 1/50, else 0 (kappa = 2, 4).
    """
    delta = Fraction(1, 50)
    for law in LAWS:
        integral = factor * truncated_tail(law, delta)
        pairs = [(Fraction(y), Fraction(p)) for y, p in law]
        for c in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(6)):
            if integral > delta * c + sum(max(y - c, Fraction(0)) * p for y, p in pairs):
                return exactly(False, f"{law} with c = {c}")
        for kappa in (2, 3, 4):
            moment = sum(y**kappa * p for y, p in pairs)
            if integral**kappa > moment * delta ** (kappa - 1):
                return exactly(False, f"{law} with kappa = {kappa}")
    equal = factor * truncated_tail(LAWS[-1], delta)
    return exactly(equal == 3 * delta, f"{len(LAWS)} laws; equality for the last one")


@encloses("Values.", Method.ENCLOSURE)
@mutant("1.01 kappa", factor=ONE_PERCENT)
def bound_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the bound."""
    return printed_table(
        lambda alpha, delta, kappa, *, numbers: tail_bound(
            alpha, delta, factor * kappa, numbers=numbers
        ),
        BOUNDS,
    )


@refutes(
    "tau = delta^(1 - 1/kappa) falls in kappa; and a larger tau weakens Theorem 2.1.1.",
    Method.SYMBOLIC,
)
@mutant("the opposite sign", sign=-1)
def level_falls(sign: int = 1) -> Finding:
    """Tau = delta^(1 - 1/kappa) falls as kappa grows: d log tau / d kappa = log(delta)/kappa^2 < 0.

    And the denominator of Theorem 2.1.1 grows with tau, so a larger tau weakens the bound.
    """
    delta, kappa, tau, gamma, rest = symbols("delta kappa tau gamma rest", positive=True)
    domain: Box = {delta: (0, 1), kappa: (1, 9)}
    exponent = (1 - 1 / kappa) * log(delta)
    cost = rest + 16 * tau / gamma
    unit: Box = dict.fromkeys((tau, gamma, rest), (Fraction(0), Fraction(1)))
    taus = [
        ENCLOSED.ball(tail_bound(1, *map(Fraction, row), numbers=ENCLOSED)) for row, _ in LEVELS
    ]
    falls = all(bool(after < before) for before, after in pairwise(taus))
    return every(
        (
            identical(diff(exponent, kappa), sign * log(delta) / kappa**2, domain),
            identical(diff(cost, tau), 16 / gamma, unit),
            exactly(falls, "tau falls along the printed values"),
            printed_table(
                lambda delta, kappa, *, numbers: tail_bound(1, delta, kappa, numbers=numbers),
                LEVELS,
            ),
        )
    )


@refutes("At delta = 1e-6, kappa = 3/2 and 2: 0.01 and 0.001.", Method.ENCLOSURE)
@mutant("delta^(1/kappa), which does rise", exponent=lambda kappa: 1 / kappa)
@refuted(
    reals("delta kappa larger"),
    "A larger order {kappa} allows to set the level {left} larger, which gives stronger bounds.",
    at={"delta": Fraction(1, 10**6), "kappa": Fraction(3, 2), "larger": 2},
)
def larger_order_larger_level(
    delta: Any, kappa: Any, larger: Any, *, exponent: Any = lambda kappa: 1 - 1 / kappa
) -> Condition:
    """Tau = delta^(1 - 1/kappa) increases in kappa."""
    given = all_of(delta > 0, delta < 1, kappa > 1, kappa < larger)
    return implies(given, delta ** exponent(kappa) < delta ** exponent(larger))


CLAIMS = (
    Claim(
        id="TRI-L2.1.2",
        source="Lemma 2.1.2",
        says=(
            "The tail of |Y| cut off at delta has an integral of at most alpha "
            "delta^(1 - 1/kappa), where alpha bounds the kappa-th moment norm of Y."
        ),
        latex=r"\int_0^\infty\min\{\delta,P[|Y|>x]\}\,dx\le\alpha\,\delta^{1-1/\kappa}",
        domain="alpha, delta >= 0, kappa > 1, E|Y|^kappa <= alpha^kappa",
        status=Status.PROVED,
        assumes=("TRI-LB.1.1",),
        checks=checks_of(bound_is_the_minimum, laws_obey, bound_values),
        steps=(
            ByCheck("bound_is_the_minimum"),
            ByHand(
                "Bound the minimum by delta on [0, c] and by the tail beyond: the integral is at most delta c + E(|Y| - c)_+, and Lemma B.1.1 bounds the excess."
            ),
        ),
        note="(For delta = 0 both sides are 0; the c of the thesis' own proof need not exist then.)",
    ),
    Claim(
        id="TRI-R2.1.2",
        source="remark after Lemma 2.1.2",
        states=(larger_order_larger_level,),
        domain="the level is tau of Lemma 2.1.2, larger a larger order",
        status=Status.REFUTED,
        checks=checks_of(larger_order_larger_level, level_falls),
        why="The exponent 1 - 1/kappa grows with kappa, and delta < 1: tau falls.",
        right="A larger kappa allows tau to be set smaller, and a smaller tau gives stronger bounds.",
        obligations=parts_of(level_falls),
    ),
)
