"""Probability of an interval of the release, from the law that the mechanism states.

For what samples have shown: the same event, with exact probabilities instead of counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from audit.certificate.certificate_form import outward
from audit.exact.cells.level_laws import point_pmf, probability
from audit.exact.exact_numbers import add_up, as_ball
from audit.faults import attribute, users_faults
from audit.levels import line_of
from audit.results.refutation import ExactEvent, Interval, Witness
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import FiniteLaw, PartialLaw
from proofs_check.enclosure import Ball, Balls
from proofs_check.exponential import Exact

DECIMALS = 30
BITS = 512
"""The closed form of a ratio cancels where its two scales meet: at worst the spacing of doubles."""


def exact_event(mechanism: Any, witness: Witness, claim: PrivacyClaim) -> ExactEvent | None:
    """Evaluate the event of a witness exactly.

    `mechanism`: its `exact_law(data)`, if it has one, is taken as it states it. `witness`: its
    event must consist of intervals of the release. `claim`: pure or approximate. Raises TargetFault
    if a user's mechanism raises, or states what is no law. Returns: None where the law, the event
    or the level is of another kind.
    """
    line = line_of(claim.level)
    state = attribute(mechanism, "exact_law")
    if line is None or state is None or witness.intervals is None:
        return None
    sides = [witness.data, witness.neighbor]
    if witness.likelier == "neighbor":
        sides.reverse()
    try:
        with users_faults(mechanism, "exact_law"):
            p, q = (chance(state(side), witness.intervals) for side in sides)
    except InvalidArgument:  # not on these data sets
        return None
    if p is None or q is None:
        return None
    epsilon, delta = line
    factor = Balls(BITS).exp(Balls(BITS).rational(epsilon))
    return ExactEvent(*(outward(x, DECIMALS) for x in (p, q, p - factor * q - delta)))


def chance(law: Any, intervals: Sequence[Interval]) -> Ball | None:
    """Probability that the release lies in one of some disjoint intervals.

    `law`: pieces of constant density, weights of points, a finite law without a coin, or the law of
    Algorithm 3 with Laplace noise (KSW-X1); None and any other give None. `intervals`: in the unit
    of the release.
    """
    if hasattr(law, "pieces"):
        return as_ball(add_up([_of_pieces(law, part) for part in intervals]), BITS)
    if hasattr(law, "weights"):
        pmf = point_pmf(law)
        inside = [
            mass
            for z, mass in pmf.masses
            if isinstance(z, Fraction) and any(_holds(part, z) for part in intervals)
        ]
        return as_ball(add_up(inside), BITS) / as_ball(pmf.total, BITS)
    if isinstance(law, FiniteLaw):
        if law.cuts or isinstance(law, PartialLaw):  # the outcomes are no releases
            return None
        numbers = Balls(BITS)
        masses = law.masses(numbers)
        if any(isinstance(z, tuple) for z in masses):  # releases of several coordinates
            return None
        held = (
            mass
            for z, mass in masses.items()
            if isinstance(z, Fraction) and any(_holds(part, z) for part in intervals)
        )
        return sum(held, start=numbers.rational(Fraction(0)))
    if all(hasattr(law, name) for name in ("first", "second", "epsilon")):
        numbers = Balls(BITS)
        result = numbers.rational(Fraction(0))
        for low, low_closed, high, high_closed in intervals:
            from_low = _beyond(law, low, numbers, closed=low_closed)
            result = result + from_low - _beyond(law, high, numbers, closed=not high_closed)
        return result
    return None


def _holds(part: Interval, z: Fraction) -> bool:
    low, low_closed, high, high_closed = part
    return (low < z or (low_closed and low == z)) and (z < high or (high_closed and z == high))


def _of_pieces(law: Any, part: Interval) -> Exact:
    if law.constant is not None:
        return Fraction(_holds(part, law.constant))
    least, most = law.pieces[0].lower, law.pieces[-1].upper
    lower, upper = (Fraction(min(max(least, end), most)) for end in (part[0], part[2]))
    return probability(law, lower, upper) if lower < upper else Fraction(0)


def _beyond(law: Any, end: float, numbers: Balls, *, closed: bool) -> Ball:
    """P(release > end), or >= where `closed`, of Algorithm 3 with Laplace noise.

    With X = (release - low) / (high - low), A = epsilon s1, B = epsilon s2, N = A + B and
    tau = x B - (1 - x) A it is, for 0 <= x < 1,

        P(X > x) = S(tau) + e^-N (1 - 2 x + B - A) / 4,    S(-tau) = 1 - S(tau),
        S(tau) = (a^2 e^(-tau / a) - b^2 e^(-tau / b)) / (2 (a^2 - b^2)),    a = 1 - x, b = x,

    and at a = b the limit (1 + tau / (2 a)) e^(-tau / a) / 2; what is left at 1 is an atom.
    """
    if end < law.low or (closed and end <= law.low):
        return numbers.rational(Fraction(1))
    if end > law.high or (end == law.high and not closed):
        return numbers.rational(Fraction(0))
    if law.low == law.high:  # the release is this number
        return numbers.rational(Fraction(closed))
    A: Fraction = law.epsilon * law.first
    B: Fraction = law.epsilon * law.second
    x: Fraction = (Fraction(end) - law.low) / (law.high - law.low)
    a, b, tau = 1 - x, x, abs(x * B - (1 - x) * A)

    def exp(exponent: Fraction) -> Ball:
        return numbers.exp(numbers.rational(exponent))

    if a == b:
        tail: Ball = exp(-tau / a) * (1 + tau / (2 * a)) / 2
    else:
        terms = [exp(-tau / scale) * scale**2 for scale in (a, b) if scale]
        first = terms[0] if a else -terms[0]
        tail = (first - terms[1] if len(terms) == 2 else first) / (2 * (a**2 - b**2))
    if x * B < (1 - x) * A:
        tail = 1 - tail
    return tail + exp(-A - B) * (1 - 2 * x + B - A) / 4
