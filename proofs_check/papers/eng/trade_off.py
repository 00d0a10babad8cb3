"""T5: bets against f-DP and GDP claims, as intersections of lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Condition, for_all
from proofs_check.papers.eng.e_values import line_factors
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, any_of, exact, implies, negate, reals
from proofs_check.steps import ByClaim
from proofs_check.symbolic import diff, erfc, exp, identical, pi, sqrt, symbols

__all__ = ["CLAIMS", "delta_of_gaussian"]

ONE_PERCENT = Fraction(101, 100)
NUMBERS = Balls(192)
VERTICES = (
    (Fraction(0), Fraction(1)),
    (Fraction(1, 10), Fraction(1, 5)),
    (Fraction(1), Fraction(0)),
)
"""An asymmetric trade-off curve f, convex and piecewise linear."""
LINES = ((Fraction(8), Fraction(0)), (Fraction(2, 9), Fraction(7, 9)))
"""(s, t) with t = 1 + f*(-s), s the slopes of its pieces."""
ON_DATA, ON_NEIGHBOR = (Fraction(91, 100), Fraction(9, 100)), (Fraction(3, 10), Fraction(7, 10))


def normal_cdf(x: Any) -> Any:
    """Phi(x), symbolic."""
    return erfc(-x / sqrt(2)) / 2


def delta_of_gaussian(mu: Any, epsilon: Any, *, cdf: Any = normal_cdf, power: Any = exp) -> Any:
    """delta(eps) of GDP(mu): Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu); symbolic by default."""
    return cdf(mu / 2 - epsilon / mu) - power(epsilon) * cdf(-mu / 2 - epsilon / mu)


def conjugate(s: Any) -> list[Any]:
    """Values -s x - f(x) at the vertices; f*(-s) is the largest."""
    return [-s * exact(x) - exact(y) for x, y in VERTICES]


def above(x: Any, y: Any) -> Any:
    """1 - y >= f(x): above both pieces of the curve, x = P(S) and y = Q(S) in [0, 1]."""
    pieces = [
        1 - y >= exact(low) + exact((high - low) / (right - left)) * (x - exact(left))
        for (left, low), (right, high) in pairwise(VERTICES)
    ]
    return all_of(*pieces)


def inside(x: Any, y: Any) -> Any:
    """X and y are probabilities."""
    return all_of(0 <= x, x <= 1, 0 <= y, y <= 1)


@proves("A polygonal curve and the lines of its pieces allow the same (P(S), Q(S)).", Method.SMT)
@mutant("t = 0.77 for 7/9", lines=(LINES[0], (Fraction(2, 9), Fraction(77, 99 + 1))))
@mutant("s = 8.08 for 8", lines=((8 * ONE_PERCENT, Fraction(0)), LINES[1]))
@for_all(reals("x y"))
def curve_is_its_lines(
    x: Any, y: Any, *, lines: Sequence[tuple[Fraction, Fraction]] = LINES
) -> Condition:
    """1 - y >= f(x) exactly where y <= s x + t on both lines."""
    on_lines = all_of(*(y <= s * x + t for s, t in lines))
    both = all_of(above(x, y), on_lines)
    neither = all_of(negate(above(x, y)), negate(on_lines))
    return implies(inside(x, y), any_of(both, neither))


@proves("Every slope gives a line that the curve implies.", Method.SMT)
@mutant("t smaller by 0.01", slack=Fraction(1, 100))
@for_all(reals("x y s"), polynomial=True)
def every_slope_is_a_line(x: Any, y: Any, s: Any, *, slack: Fraction = Fraction(0)) -> Condition:
    """1 - y >= f(x) implies y <= s x + 1 + f*(-s) for every s >= 0 (Fenchel)."""
    given = all_of(inside(x, y), s >= 0, above(x, y))
    # f*(-s) is the largest value at a vertex
    holds = any_of(*(y <= s * x + 1 + value - slack for value in conjugate(s)))
    return implies(given, holds)


@confirms(
    "Bets of the stated orientation do not gain on a pair that the curve allows.", Method.EXACT
)
@mutant("the arms exchanged", reversed_=True)
def one_orientation(reversed_: bool = False) -> Finding:
    """Bets on Q(S) <= s P(S) + t never gain on a pair with T(P, Q) >= f; on P <= s Q + t they do."""
    first, second = (ON_NEIGHBOR, ON_DATA) if not reversed_ else (ON_DATA, ON_NEIGHBOR)
    worst = Fraction(0)
    for (s, t), event in product(LINES, ((1, 0), (0, 1))):
        x, y = (sum(p for p, i in zip(law, event, strict=True) if i) for law in (first, second))
        for j in range(1, 20):
            q0 = Fraction(j, 20)
            p0 = s * q0 + t
            mu = min(1 / p0, 1 / (s * (1 - q0))) / 2
            (a, b), (rest_a, rest_b) = (line_factors(i, p0, q0, s, mu) for i in (1, 0))
            worst = max(worst, (x * a + (1 - x) * rest_a) * (y * b + (1 - y) * rest_b))
    return exactly(worst <= 1, f"largest mean {float(worst):.5f}")


@proves("The largest Q(S) - e^eps P(S) of N(0, 1), N(mu, 1) is delta_mu(eps).", Method.SYMBOLIC)
@mutant("1.01 mu x in the likelihood ratio", times=ONE_PERCENT)
def threshold_events_are_best(times: Fraction = Fraction(1)) -> Finding:
    """d/dx [Phi(mu - x) - e^eps Phi(-x)] = phi(x) (e^eps - e^(mu x - mu^2/2))."""
    x, mu, epsilon = symbols("x mu epsilon", positive=True)
    excess = normal_cdf(mu - x) - exp(epsilon) * normal_cdf(-x)
    density = exp(-(x**2) / 2) / sqrt(2 * pi)
    right = density * (exp(epsilon) - exp(times * mu * x - mu**2 / 2))
    place = epsilon / mu + mu / 2
    domain = {x: (0, 3), mu: (0, 2), epsilon: (0, 2)}
    at_place = identical(excess.subs(x, place), delta_of_gaussian(mu, epsilon), domain)
    return every([identical(diff(excess, x), right, domain), at_place])


@proves("The line of -eps is that of eps with the arms exchanged.", Method.SYMBOLIC)
@mutant("1.01 e^-eps", times=ONE_PERCENT)
def lines_of_both_directions(times: Fraction = Fraction(1)) -> Finding:
    """delta(-eps) = 1 - e^-eps (1 - delta(eps)): the lines of -eps are those of eps, turned round."""
    mu, epsilon = symbols("mu epsilon", positive=True)
    right = 1 - times * exp(-epsilon) * (1 - delta_of_gaussian(mu, epsilon))
    left = delta_of_gaussian(mu, -epsilon)
    return identical(left, right, {mu: (0, 2), epsilon: (0, 2)})


@encloses("Values of delta at mu = 1.", Method.ENCLOSURE)
@mutant("mu = 1.01", mean=ONE_PERCENT)
def gaussian_values(mean: Fraction = Fraction(1)) -> Finding:
    """delta(1) = 0.126936737506643946 at mu = 1, and delta(2.3178) = 0.01 to all digits of eps."""
    root = NUMBERS.sqrt(NUMBERS.rational(Fraction(2)))

    def cdf(x: Fraction) -> Any:
        return NUMBERS.erfc(NUMBERS.rational(-x) / root) / 2

    def delta(epsilon: Fraction) -> Any:
        power = NUMBERS.exp(NUMBERS.rational(epsilon))
        return delta_of_gaussian(mean, epsilon, cdf=cdf, power=lambda _: power)

    low, high = (delta(Fraction(text)) for text in ("2.31785", "2.31775"))
    between = certainly_less(low, Fraction(1, 100)) and certainly_less(Fraction(1, 100), high)
    rows = [
        ("delta(1)", "0.126936737506643946", delta(Fraction(1))),
        ("delta(1), short", "0.12694", delta(Fraction(1))),
    ]
    return every([as_printed(rows), Finding(holds=between, detail="eps(0.01) = 2.3178")])


CLAIMS = (
    Claim(
        id="ENG-T5",
        source="our own",
        says=(
            "A trade-off claim T(P, Q) >= f is the intersection of the lines Q(S) <= s P(S) + 1 + "
            "f*(-s), for GDP(mu) of (e^eps, delta_mu(eps)), so bets on any of them chosen from the "
            "past are valid; of an asymmetric f only this orientation holds."
        ),
        latex=(
            r"T(P,Q) \ge f \iff Q(S) \le sP(S) + 1 + f^*(-s)\ \forall s \ge 0, S;\quad"
            r"\delta_\mu(\varepsilon) = \Phi(\tfrac\mu2 - \tfrac\varepsilon\mu) -"
            r" e^\varepsilon \Phi(-\tfrac\mu2 - \tfrac\varepsilon\mu)"
        ),
        domain="f convex, non-increasing; eps real in one direction, eps >= 0 in both",
        status=Status.PROVED,
        checks=checks_of(
            curve_is_its_lines,
            every_slope_is_a_line,
            one_orientation,
            threshold_events_are_best,
            lines_of_both_directions,
            gaussian_values,
        ),
        assumes=("ENG-T1", "ENG-T3"),
        ours=True,
        steps=(
            *by_checks(
                curve_is_its_lines,
                every_slope_is_a_line,
                threshold_events_are_best,
                lines_of_both_directions,
            ),
            *by_hand(
                "T(P, Q) >= f says 1 - Q(S) >= f(P(S)) for every test S; f convex is the largest of its tangents -s x - f*(-s), which turns this into lines and back (checked for a polygon).",
                "For GDP the curve is that of N(0, 1) and N(mu, 1): by Neyman and Pearson the best events are {x > tau}, the derivative vanishes at tau = eps/mu + mu/2 only, from plus to minus, and tau takes every value, so each point of the curve lies on a line.",
            ),
            ByClaim(
                "ENG-T1",
                "T1 holds for each line, with Q in the place of P, and T3 for choices from the past.",
            ),
            ByClaim("ENG-T3", "Lines may be chosen from the past."),
        ),
        note="For a symmetric f both orientations hold and T2 applies; eps >= 0 in both directions are then all lines.",
    ),
)
