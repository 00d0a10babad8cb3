"""The marginal of a law on lines: summed over t, the weights must fall by e^-epsilon a level.

That is KSW-L3, (8) and (9): sum over t of e^(-epsilon k(s, t)) = e^(-epsilon |s|) times the same
sum for s = 0, which makes the law of z1 the staircase. An exponent k may well be private and fail
this, as max(|s|, |t - s|) does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.numbers import add_up, quotient
from audit.exact.symbolic.affine import Affine, explore
from audit.exact.symbolic.case_mass import CaseMass, case_mass, one_denominator
from audit.exact.symbolic.levels import Number
from audit.exact.symbolic.region import Range, box
from audit.verdict import Verdict
from proofs_check.exponential import Exact, ExpSum

__all__ = ["MarginalCheck", "check_marginal"]

NEAR = 3
LINES: tuple[Range, ...] = ((0, None), (None, -1))


@final
@dataclass(frozen=True, slots=True)
class MarginalCheck:
    """Whether the weights of the levels are those of the staircase.

    Parameters
    ----------
    verdict : Verdict
        PROVED for all levels, REFUTED at one, or INCONCLUSIVE where the far levels have no common
        formula.
    level : int, optional
        Where it is refuted.
    found, expected : Exact, optional
        Weight of that level, and what it must be.
    """

    verdict: Verdict
    level: int | None = None
    found: Exact | None = None
    expected: Exact | None = None


def check_marginal(
    epsilon: Fraction, exponent: Callable[[Number, Number], Number]
) -> MarginalCheck:
    """Check the marginal of the law of weights e^(-epsilon k(s, t)), for all levels s.

    Parameters
    ----------
    epsilon : Fraction
        Greater than 0.
    exponent : callable
        k(s, t) of integers, or of forms of integers.

    Returns
    -------
    MarginalCheck
    """
    center = _weight(epsilon, exponent, 0)
    for s in sorted(range(-NEAR, NEAR + 1), key=abs):
        found, expected = _weight(epsilon, exponent, s), center * ExpSum.exp(-epsilon * abs(s))
        if found != expected:
            return MarginalCheck(Verdict.REFUTED, s, found, expected)
    if all(_holds_far(epsilon, exponent, side, center) for side in (1, -1)):
        return MarginalCheck(Verdict.PROVED)
    return MarginalCheck(Verdict.INCONCLUSIVE)


def _weight(epsilon: Fraction, exponent: Callable[[Number, Number], Number], s: int) -> Exact:
    """Sum of the weights of one level over all lines."""

    def program(x: tuple[Affine, ...]) -> Number:
        return exponent(s, x[0]) * -epsilon

    masses = [
        case_mass(region, form, Fraction(1))
        for lines in LINES
        for region, form in explore(program, box([lines], [True]))
    ]
    return _sum(masses)


def _holds_far(
    epsilon: Fraction,
    exponent: Callable[[Number, Number], Number],
    side: int,
    center: Exact,
) -> bool:
    """Whether all levels beyond `NEAR` on one side have the weight that they must have.

    With |s| = m and t = s + u the weight of each case must be e^(-epsilon m) times one of u alone.
    """

    def program(x: tuple[Affine, ...]) -> Number:
        s = x[0] * side
        return exponent(s, s + x[1]) * -epsilon

    masses = []
    for lines in LINES:
        for region, form in explore(program, box([(NEAR + 1, None), lines], [True, True])):
            if (
                not isinstance(form, Affine)
                or not region.is_product()
                or region.ends(0) != (Fraction(NEAR + 1), None)
                or form.vector[0] != -epsilon
            ):
                return False
            rest = box([region.ends(1)], [True])
            masses.append(case_mass(rest, Affine(rest, form.vector[1:]), Fraction(1)))
    return _sum(masses) == center


def _sum(masses: list[CaseMass]) -> Exact:
    weights, denominator = one_denominator(masses)
    return quotient(add_up(weights), denominator)
