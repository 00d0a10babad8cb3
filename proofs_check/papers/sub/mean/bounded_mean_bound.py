"""Constant of Lemma 3.3: N times the error of the bounded mean stays below 3/2, the least bound.

N E(N, rho) (SUB-L3.3e) is at most N for N <= 7/5. Up to N = 80 a box proof shows that it is below
1.41; from there on, two expansions in 1 / N, for points near to and far from the end of the range.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.cover import positive
from proofs_check.enclosure import (
    Ball,
    Balls,
    ComplexBall,
    Complexes,
    certainly_less,
    endpoints,
    integral,
)
from proofs_check.language import (
    Condition,
    Domain,
    Inequality,
    Unfolded,
    all_of,
    decided,
    for_all,
    implies,
    note,
    real_symbols,
    reals,
)
from proofs_check.papers.sub.common import PERCENT
from proofs_check.papers.sub.mean.bounded_mean import excess_across, normalized_error
from proofs_check.papers.sub.mean.bounded_mean_steps import large_size_error
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import cancel, exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "far_bound", "near_bound", "unclipped_bound"]

STRIPS = tuple(Fraction(n) for n in ("1.4", "2", "3", "5", "9", "17", "30", "50", "80"))
REACH = Fraction(25)
FIFTH = Fraction(1, 5)
GOAL = Fraction(141, 100)
LEAST = Fraction(3, 2)


def far_bound(size: Any, s: Any, *, numbers: Any) -> Any:
    """3/2 - s / N + 50 / N^2 + (N / 2) e^(-N / 4), where s = N (1/2 - |rho|)."""
    return LEAST - s / size + 50 / size**2 + size * numbers.exp(-size / 4) / 2


def near_bound(size: Any, s: Any, *, numbers: Any) -> Any:
    """Bound s + 3/4 + 25 / N^2 + (N / 2) e^(-N / 4)."""
    return s + Fraction(3, 4) + 25 / size**2 + size * numbers.exp(-size / 4) / 2


def unclipped_bound(size: Fraction, *, numbers: Balls, slope: Fraction = Fraction(2)) -> Ball:
    """B(N) = int_(-N/4)^inf e^(-|x|) (|x| + e^(-|x|)) N / (2 (N + 2 x)) dx + (N / 2) e^(-N / 4).

    Beyond x = 60 the integrand is at most (x + 1) e^(-x) / 2.
    """

    def weight(x: ComplexBall, f: Complexes, sign: int) -> ComplexBall:
        away = x * sign
        return f.exp(-away) * (away + f.exp(-away)) * size / (x * slope + size) / 2

    left = integral(lambda x, f: weight(x, f, -1), -size / 4, Fraction(0), numbers=numbers)
    right = integral(lambda x, f: weight(x, f, 1), Fraction(0), Fraction(60), numbers=numbers)
    tail = (
        31
        * numbers.exp(numbers.rational(Fraction(-60)))
        * numbers.between(Fraction(0), Fraction(1))
    )
    return left + right + tail + numbers.exp(numbers.rational(-size / 4)) * size / 2


def largest_error(
    sizes: tuple[Fraction, Fraction], ends: tuple[Fraction, Fraction], *, numbers: Balls
) -> Ball:
    """Bound N E from above for N in [N0, N1] and s = N (1/2 - rho) in [s0, s1]; exact at a point.

    N g(x) = int_0^s P(Y > c + t / v) dt + int_0^(N - s) P(Y > -c + t / v) dt with v = N / (N + 2 x)
    and c = a x, a = 1 - 2 s / N, where N + 2 x > 0. It grows with s in the first, with N - s in the
    second, and with v; v itself grows with N for x > 0 and falls for x < 0. Below -N0 / 2 and beyond
    the reach, 0 <= N g <= N - s.
    """
    (n0, n1), (s0, s1) = sizes, ends
    low, high = max(Fraction(0), 1 - 2 * s1 / n0), 1 - 2 * s0 / n1
    most, start = n1 - s0, max(-n0 / 2, -REACH)
    turn = max(start, -s1 / (high + 2 * s1 / n0)) if s1 else Fraction(0)

    def beyond(x: ComplexBall, f: Complexes) -> ComplexBall:  # c + h <= 0 in the first integral
        scale = x * (2 / n0) + 1
        first = s1 - f.exp(x * high) * f.mean_exp(scale * s1) * s1 / 2
        return f.exp(x) * (first + _right(x * -low, scale, most, numbers=f)) / 2

    def before(x: ComplexBall, f: Complexes) -> ComplexBall:
        scale = x * (2 / n0) + 1
        first: ComplexBall = excess_across(x * high, scale * s1, numbers=f)
        return f.exp(x) * (first / scale + _right(x * -low, scale, most, numbers=f)) / 2

    def above(x: ComplexBall, f: Complexes) -> ComplexBall:
        scale = x * (2 / n1) + 1
        second: ComplexBall = excess_across(x * -high, scale * most, numbers=f)
        return f.exp(-x) * (_right(x * low, scale, s1, numbers=f) + second / scale) / 2

    tails = numbers.exp(numbers.rational(start)) + numbers.exp(numbers.rational(-REACH))
    total = tails * numbers.between(Fraction(0), most / 2)
    for density, left, right in (
        (beyond, start, turn),
        (before, turn, Fraction(0)),
        (above, Fraction(0), REACH),
    ):
        if left < right:
            total = total + integral(density, left, right, numbers=numbers)
    return total


def _right(
    c: ComplexBall, scale: ComplexBall, height: Fraction, *, numbers: Complexes
) -> ComplexBall:
    """int_0^height P(Y > c + t scale) dt for c >= 0."""
    return numbers.exp(-c) * numbers.mean_exp(-(scale * height)) * height / 2


def strip_by_strip(statement: Inequality) -> Finding:
    """Boxes in u and v: in a strip [a, b], N = a + 5 u (b - a) for u <= 1/5, s = b v^2 / 2, v <= 1."""
    numbers = Balls(30)
    (n,) = real_symbols("N")
    findings = []
    for first, last in reversed(tuple(pairwise(STRIPS))):

        def margin(u: Ball, v: Ball, a: Fraction = first, b: Fraction = last) -> Ball:
            (u0, u1), (v0, v1) = endpoints(u), endpoints(v)
            sizes = a + max(u0 / FIFTH, Fraction(0)) * (b - a), a + u1 / FIFTH * (b - a)
            ends = max(v0, Fraction(0)) ** 2 * b / 2, v1**2 * b / 2
            goal = statement.right
            assert isinstance(goal, Fraction)
            return goal - largest_error(sizes, ends, numbers=numbers)

        findings.append(positive(margin, {"u": (0, FIFTH), "v": (0, 1)}, numbers=numbers))
        if findings[-1].holds:
            note(statement.quantified, (n >= first, n <= last))
        if findings[-1].holds is False:
            break
    return every(findings)


@proves("N E < 1.41 for 7/5 <= N <= 80, by boxes.", Method.COVER)
@mutant("1.3959 for 1.41", goal=GOAL * Fraction(99, 100))
@decided(strip_by_strip)
def box_proof(goal: Fraction = GOAL) -> Inequality:
    """N E < 1.41 for 7/5 <= N <= 80 and all rho, with s = N (1/2 - rho), 0 <= s <= N / 2."""
    size, s = real_symbols("N s")
    domain = Domain((size >= STRIPS[0], size <= STRIPS[-1], s >= 0, 2 * s <= size))
    return Inequality(domain, size * Unfolded("E")(size, s), "<", goal)


@proves("The expansion of 1 / (1 + y).", Method.SMT)
@mutant("1.98 y^2", two=Fraction(99, 50))
@for_all(reals("y"), polynomial=True)
def expansion_of_the_inverse(y: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """1 / (1 + y) <= 1 - y + 2 y^2 for y >= -1/2; and it is positive."""
    right = 1 - y + two * y * y
    given = 2 * y >= -1
    return implies(given, all_of((1 + y) * right >= 1, right > 0))


@proves("Second moments.", Method.SYMBOLIC)
@mutant("6.06 a", six=6 * PERCENT)
def second_moments(six: Fraction = Fraction(6)) -> Finding:
    """E X^2 |Y - a X| = 6 a + 2 / (1 + a)^3, and half of E a X (2 X) is 2 a, the shortfall's drift."""
    a, x = symbols("a x", positive=True)
    moment = integrate(x**2 * (a * x + exp(-a * x)) * exp(-x), (x, 0, oo), conds="none")
    drift = integrate(a * x * (2 * x) * exp(-x), (x, 0, oo), conds="none") / 2
    return every(
        (
            identical(moment, six * a + 2 / (1 + a) ** 3, {a: (0, 1)}),
            identical(drift, 2 * a, {a: (0, 1)}),
        ),
        detail="by integration",
    )


@proves("Their bounds.", Method.SMT)
@mutant("(1 - a) 0.505", chord=PERCENT / 2)
@for_all(reals("a"), polynomial=True)
def coefficients_at_most(a: Any, *, chord: Fraction = Fraction(1, 2)) -> Condition:
    """(1 + a + a^2) / (1 + a) <= 3/2 - (1 - a) / 2, and 8 (6 a + 2 / (1 + a)^3) <= 50, on [0, 1]."""
    line = LEAST - chord * (1 - a)
    cube = (1 + a) * (1 + a) * (1 + a)
    given = all_of(0 <= a, a <= 1)
    first = 1 + a + a * a <= line * (1 + a)
    return implies(given, all_of(first, 8 * (6 * a * cube + 2) <= 50 * cube))


@proves("From N = 72 on the two bounds meet.", Method.ENCLOSURE)
@mutant("N = 71.28", start=Fraction(7128, 100))
def tails_meet(start: Fraction = Fraction(72)) -> Finding:
    """Both bounds are below 3/2 at N = 72 and s = 0.7."""
    numbers = Balls(64)
    size, s = numbers.rational(start), numbers.rational(Fraction(7, 10))
    below = certainly_less(far_bound(size, s, numbers=numbers), LEAST)
    beside = certainly_less(near_bound(size, s, numbers=numbers), LEAST)
    undecided = None in (below, beside)
    return Finding(None if undecided else bool(below and beside), f"at N = {start}, s = 0.7")


@proves("Both fall from there on.", Method.SYMBOLIC)
@mutant("1.01 (N - N^2 / 8)", slope=PERCENT)
def far_bound_stays(slope: Fraction = Fraction(1)) -> Finding:
    """N (far bound - 3/2) = -s + 50 / N + (N^2 / 2) e^(-N/4) has slope -50 / N^2 + (N - N^2/8) e^(-N/4)."""
    n, s = symbols("N s", positive=True)
    slope_of = (n * (far_bound(n, s, numbers=SYMBOLIC) - LEAST)).diff(n)
    right = -50 / n**2 + slope * (n - n**2 / 8) * exp(-n / 4)
    second = near_bound(n, s, numbers=SYMBOLIC).diff(n)
    fall = -50 / n**3 + (Fraction(1, 2) - n / 8) * exp(-n / 4)
    box = {n: (8, 99), s: (0, 1)}
    return every(
        (identical(slope_of, right, box), identical(second, fall, box)), detail="negative for N > 8"
    )


@confirms("A size and position with N E within 0.2 % of 3/2.", Method.ENCLOSURE)
@mutant("1.485 for 3/2", bound=LEAST * Fraction(99, 100))
@mutant("1.515 for 3/2", bound=LEAST * PERCENT)
def least_bound(bound: Fraction = LEAST) -> Finding:
    """N E at N = 10^4, rho = 1/2 - 12 / N lies within 0.2 % below 3/2."""
    numbers = Balls(64)
    size = Fraction(10_000)
    found = normalized_error(size, Fraction(1, 2) - 12 / size, numbers=numbers, reach=40) * size
    low, high = endpoints(found)
    return exactly(bound * Fraction(499, 500) < low and high < bound, f"N E = {float(low):.6f}")


@proves("The limits for large N reach up to 3/2.", Method.SYMBOLIC)
@mutant("1.515 for 3/2", top=LEAST * PERCENT)
def limit_of_the_limits(top: Fraction = LEAST) -> Finding:
    """3/2 - (1 + a + a^2) / (1 + a) = (1 - a) (1 + 2 a) / (2 (1 + a)): 0 only at a = 1."""
    a = symbols("a", positive=True)
    return identical(
        cancel(top - large_size_error(a)), (1 - a) * (1 + 2 * a) / (2 * (1 + a)), {a: (0, 1)}
    )


@encloses(
    "Values of the simpler route without clipping, whose largest is below 2.", Method.ENCLOSURE
)
@mutant("N + 2.02 x", slope=2 * PERCENT)
def unclipped_values(slope: Fraction = Fraction(2)) -> Finding:
    """The route without clipping: B(3), B(8), B(20), and 3/2 + 50 / N^2 + (N / 2) e^(-N/4) at 60."""
    numbers = Balls(64)
    rows = [
        (f"B({n})", text, unclipped_bound(Fraction(n), numbers=numbers, slope=slope))
        for n, text in ((3, "1.52838708831883"), (8, "1.81859324942097"), (20, "1.59158911727957"))
    ]
    sixty = numbers.rational(Fraction(60))
    last = far_bound(sixty, numbers.rational(Fraction(0)), numbers=numbers)
    return as_printed([*rows, ("the expansion at 60", "1.5139", last)])


@proves("The bound of SUB-L3.3b, in terms of the width.", Method.SMT)
@mutant("1.485 for 3/2", constant=LEAST * Fraction(99, 100))
@for_all(
    reals("E w n epsilon"),
    "The bounded mean errs on average by at most {bound}; print has twice that constant.",
    terms=lambda v: {"bound": Fraction(3, 2) * v["w"] / (v["n"] * v["epsilon"])},
    polynomial=True,
)
def scaled_to_the_width(
    error: Any, w: Any, n: Any, e: Any, *, constant: Fraction = LEAST
) -> Condition:
    """N eps E <= 3/2 gives w E <= (3/2) w / (n eps), and 3/2 <= 3."""
    given = all_of(w > 0, n >= 1, e > 0, 2 * n * e * error <= 3)
    return implies(given, all_of(n * e * w * error <= constant * w, constant * w <= 3 * w))


CLAIMS = (
    Claim(
        id="SUB-L3.3b",
        source="our own (the constant of Lemma 3.3)",
        says="The error of the bounded mean is below (3/2) w / (n eps) for all data and parameters, and no smaller constant does.",
        latex=r"N E(N, \rho) < \tfrac32 \text{ for all } N > 0, |\rho| \le \tfrac12;\quad \sup N E = \tfrac32",
        domain="n >= 1, eps > 0, any position of the mean",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            box_proof,
            expansion_of_the_inverse,
            second_moments,
            coefficients_at_most,
            tails_meet,
            far_bound_stays,
            least_bound,
            limit_of_the_limits,
            unclipped_values,
        ),
        assumes=("SUB-L3.3e", "SUB-L3.3i"),
        steps=(
            ByCheck("box_proof"),
            ByCheck("expansion_of_the_inverse"),
            ByCheck("second_moments"),
            ByCheck("coefficients_at_most"),
            ByCheck("far_bound_stays"),
            ByCheck("limit_of_the_limits"),
            ByHand("By symmetry rho >= 0; put a = 2 rho, s = N (1/2 - rho)."),
            ByHand("N <= 7/5: the error is at most w, so N E <= 7/5."),
            ByHand("N >= 80: for x < -N/4 the error is at most 1, of weight e^(-N/4) / 2."),
            ByHand(
                "Elsewhere, without clipping, |q - rho| = |Y - a x| / (N + 2 x) and N / (N + 2 x) <= 1 - y + 2 y^2 with y = 2 x / N; averaged over the whole line (odd terms vanish) this is at most (1 + a + a^2) / (1 + a) + (8 / N^2) E X^2 |Y - a X|, so N E <= far_bound, as 1 - a = 2 s / N."
            ),
            ByHand(
                "If only the excess is clipped, it is at most s; the shortfall is half of the same bound minus its drift 2 a / N, so N E <= near_bound."
            ),
            ByCheck("tails_meet", "For s >= 0.7 the first is below 3/2, for s <= 0.7 the second."),
            ByHand(
                "For fixed |rho| < 1/2, N E tends to (1 + a + a^2) / (1 + a) (dominated convergence), which tends to 3/2 as a tends to 1."
            ),
        ),
    ),
    Claim(
        id="SUB-L3.3",
        source="Lemma 3.3",
        states=(scaled_to_the_width,),
        domain="w E is the mean error: 2 N E <= 3 for N = n epsilon is SUB-L3.3b; D in [l, u]; the printed proof has a slip (SUB-E6), the statement is true",
        status=Status.PROVED,
        checks=checks_of(scaled_to_the_width),
        assumes=("SUB-L3.3e", "SUB-L3.3b"),
        steps=(
            ByClaim("SUB-L3.3e", "N = n eps, and the error is w E(N, rho) by SUB-L3.3e."),
            ByClaim("SUB-L3.3b", "The bound of the integral."),
        ),
    ),
)
