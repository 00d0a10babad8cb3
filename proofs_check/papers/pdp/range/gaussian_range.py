"""Lemma 17 of PDP with constants: what the range covers of Gaussian records, and how wide it is.

M is the expected number of survivors, b' the failure probability of each radius, s that of each of
four other events: the width b of the grid, the median, who survives, and how far out records lie.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, integers, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, below, larger
from proofs_check.papers.pdp.range.range_estimation import tail_of_the_width
from proofs_check.papers.pdp.tools.svt import svt_high, svt_slack
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, exp, identical, log, sqrt, symbols

__all__ = ["CLAIMS", "cut_off", "median_need", "normal_tail", "record_spread", "survivor_root"]

STAGES, RADII, EVENTS, MEAN_EVENTS = 4, 2, 4, 7
"""Stages of the range, radii among them, other events; events of the mean."""

MEAN_SHARES = 24
"""The mean gives a sixth of beta to the range, which gives a quarter of that to a radius."""


def normal_tail(z: Any, *, numbers: Any) -> Any:
    """Q(z) = erfc(z / sqrt(2)) / 2 for z >= 0, the chance of a standard Gaussian above z."""
    return numbers.erfc(numbers.sqrt(z**2 / 2)) / 2


def record_spread(n: Any, share: Any, *, numbers: Any) -> Any:
    """U = sqrt(2 ln(n / s)): no record is farther from mu than u sigma, but for a chance of s."""
    return numbers.sqrt(2 * numbers.log(n / share))


def cut_off(k: Any, tau: Any, beta: Any, *, numbers: Any) -> Any:
    """m(k) = (24 / tau) (ln(2 / b') + ln(2 k / b')): survivors that a radius leaves out at most."""
    both = svt_high(beta, numbers=numbers) + svt_slack(k, beta, numbers=numbers)
    return STAGES * both / tau


def survivor_root(level: Any, m: Any, *, numbers: Any) -> Any:
    """Y = (sqrt(2 L) + sqrt(2 L + 4 m)) / 2: with mean y^2 a count exceeds m but for e^-L."""
    return (numbers.sqrt(2 * level) + numbers.sqrt(2 * level + 4 * m)) / 2


def median_need(k: Any, tau: Any, share: Any, power: Any, *, numbers: Any) -> Any:
    """(16 / tau) ln((2^k + 1) / s): so many records within 2^(k-1) b put the median among them."""
    del k
    return 16 / tau * numbers.log((power + 1) / share)


@proves("Chernoff's exponent at m for a mean of y^2 is L.", Method.SYMBOLIC)
@mutant("4.04 m", four=4 * PERCENT)
def few_survivors(four: Fraction = Fraction(4)) -> Finding:
    """(y^2 - m)^2 / (2 y^2) = L: Chernoff's exponent at m for a mean of y^2."""
    level, m = symbols("L m", positive=True)
    c = Rational(four.numerator, four.denominator)
    y = (sqrt(2 * level) + sqrt(2 * level + c * m)) / 2
    stated = survivor_root(level, m, numbers=SYMBOLIC)
    box = {level: (1, 9), m: (1, 99)}
    same = identical(stated, y, box)
    return every([same, identical((y**2 - m) ** 2, 2 * level * y**2, box)])


@proves("It grows with the mean.", Method.SMT)
@mutant("0.99 of it", factor=LESS)
@for_all(reals("mu v m"), polynomial=True)
def more_survivors(mu: Any, v: Any, m: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """(mu - m)^2 / mu >= (v - m)^2 / v for a larger mean mu >= v >= m."""
    given = all_of(mu >= v, v >= m, m >= 0, v > 0)
    return implies(given, factor * (mu - m) * (mu - m) * v >= (v - m) * (v - m) * mu)


@proves("N >= M / 2 survivors make M / 4 - 1/2 pairs.", Method.SMT)
@mutant("0.495 for 1/2", less=LESS / 2)
@for_all(integers("N g") | reals("M"))
def pairs_of_survivors(n: Any, g: Any, m: Any, *, less: Fraction = Fraction(1, 2)) -> Condition:
    """Half of N >= M / 2 survivors, rounded down, are at least M / 4 - 1/2 pairs."""
    return implies(all_of(2 * n >= m, 2 * g >= n - 1), g >= m / 4 - less)


@proves("M Q >= 2 L with Q <= 1/4 makes M / 8 >= L.", Method.SMT)
@mutant("Q <= 0.2525", most=PERCENT / 4)
@for_all(reals("M Q L"), polynomial=True)
def half_of_the_survivors(
    m: Any, q: Any, level: Any, *, most: Fraction = Fraction(1, 4)
) -> Condition:
    """M Q >= 2 L and Q <= 1/4 make the mean at least 8 L, so N < M / 2 but for e^(-M / 8) <= e^-L."""
    given = all_of(m >= 0, q >= 0, q <= most, level >= 0, m * q >= 2 * level)
    return implies(given, m >= 8 * level)


@proves("Q(1) < 0.16 < 1/4.", Method.ENCLOSURE)
@mutant("0.1584 for 0.16", limit=LESS * Fraction(4, 25))
def tail_of_one(limit: Fraction = Fraction(4, 25)) -> Finding:
    """Q(z + 1) < Q(1) = 0.1587 < 0.16 < 1/4 for z > 0."""
    return below([("Q(1)", normal_tail(ball(1), numbers=NUMBERS), limit)])


@proves(
    "What lies beyond t is out of a range that ends before t - b, or begins after t.", Method.SMT
)
@mutant("t - 0.99 b", step=LESS)
@for_all(reals("x r b t high low"))
def range_covers(
    x: Any, r: Any, b: Any, t: Any, high: Any, low: Any, *, step: Fraction = Fraction(1)
) -> Condition:
    """A record beyond t is out of a range that ends a step before t, and one below t out of one above.

    r is the record x rounded down to a multiple of b.
    """
    given = all_of(b > 0, r <= x, x < r + b)
    above = implies(all_of(x >= t, high <= t - step * b), r > high)
    under = implies(all_of(x <= t, low > t), r < low)
    return implies(given, all_of(above, under))


@proves(
    "Radii of the indices k and k1 cover all survivors, from the center and from 0.", Method.SMT
)
@mutant("7.92 for 8", eight=8 * LESS)
@for_all(reals("P b sigma u a"), polynomial=True)
def index_covers(
    power: Any, b: Any, sigma: Any, u: Any, a: Any, *, eight: Fraction = Fraction(8)
) -> Condition:
    """With b >= sigma / 8 the radius P b covers what it must: 2 u sigma + b, and (a + u) sigma + b."""
    given = all_of(sigma > 0, u >= 0, a >= 0, b >= sigma / 8)
    second = implies(power >= 1 + 2 * eight * u, power * b >= 2 * u * sigma + b)
    first = implies(power >= 1 + eight * (a + u), power * b >= (a + u) * sigma + b)
    return implies(given, all_of(first, second))


@proves("The width is at most (8 u + 4) sigma.", Method.SMT)
@mutant("7.92 u", factor=8 * LESS)
@for_all(reals("b sigma u radius R2"), polynomial=True)
def width_is_small(
    b: Any, sigma: Any, u: Any, radius: Any, found: Any, *, factor: Fraction = Fraction(8)
) -> Condition:
    """2 R2 <= (8 u + 4) sigma if R2 <= max(b, 2 rad), rad <= 2 u sigma + b, b <= sigma."""
    given = all_of(
        b > 0,
        b <= sigma,
        u >= 0,
        radius >= 0,
        radius <= 2 * u * sigma + b,
        found <= larger(b, 2 * radius),
    )
    return implies(given, 2 * found <= (factor * u + 4) * sigma)


@proves("A score above -m / 2 is that of a point among the records.", Method.SMT)
@mutant("0.505 m", half=PERCENT / 2)
@for_all(reals("below upto m"))
def center_among_survivors(
    below_it: Any, upto: Any, m: Any, *, half: Fraction = Fraction(1, 2)
) -> Condition:
    """A score above -m / 2 has a record at or below the point, and one at or above it.

    The score is -max(0, #{y < x} - m / 2, m / 2 - #{y <= x}).
    """
    loss = larger(larger(0 * m, below_it - m / 2), m / 2 - upto)
    given = all_of(m > 0, below_it >= 0, below_it <= m, upto >= 0, upto <= m, loss < half * m)
    return implies(given, all_of(upto > 0, below_it < m))


@proves("The exponential mechanism has such a score but for a chance of s.", Method.SYMBOLIC)
@mutant("15.84 for 16", sixteen=16 * LESS)
def median_fails_rarely(sixteen: Fraction = Fraction(16)) -> Finding:
    """(2^k + 1) e^(-(tau / 8) (m / 2)) = s at the number m of `median_need`: 2^k + 1 points, a loss of m / 2."""
    tau, share, power = symbols("tau s P", positive=True)
    need = median_need(None, tau, share, power, numbers=SYMBOLIC)
    count = need * Rational(sixteen.numerator, 16 * sixteen.denominator)
    left = (power + 1) * exp(-(tau / 8) * (count / 2))
    return identical(left, share, {tau: (0, 9), share: (0, 1), power: (1, 99)})


@proves("No record is farther than u sigma from mu but for a chance of s.", Method.SYMBOLIC)
@mutant("1.98 ln(n / s)", two=2 * LESS)
def records_are_near(two: Fraction = Fraction(2)) -> Finding:
    """N erfc(u / sqrt(2)) <= n e^(-u^2 / 2) = s at u = sqrt(2 ln(n / s))."""
    n, share = symbols("n s", positive=True)
    stated = record_spread(n, share, numbers=SYMBOLIC)
    u = sqrt(Rational(two.numerator, two.denominator) * log(n / share))
    box = {n: (2, 99), share: (0, 1)}
    return every([identical(stated, u, box), identical(n * exp(-(u**2) / 2), share, box)])


@proves("The failures add up to beta, in the range alone and in the mean.", Method.EXACT)
@mutant("1.01 b'", part=PERCENT)
def failures_add_up(part: Fraction = Fraction(1)) -> Finding:
    """2 b' + 4 s = beta for the range alone, 2 b' + 7 s = beta in the mean, shares as stated."""
    alone, in_mean = Fraction(1, STAGES), Fraction(1, MEAN_SHARES)
    shares = [(1 - RADII * x) / count for x, count in ((alone, EVENTS), (in_mean, MEAN_EVENTS))]
    totals = [
        RADII * part * x + count * share
        for x, count, share in zip((alone, in_mean), (EVENTS, MEAN_EVENTS), shares, strict=True)
    ]
    stated = shares == [Fraction(1, 8), Fraction(11, 84)]
    return exactly(stated and totals == [1, 1], f"{totals[0]} beta and {totals[1]} beta")


ROWS = (
    (20_000, "5.33647714725269", "692.496659975218", "784.854584801061"),
    (1_000_000, "6.02511695770352", "692.496659975218", "784.854584801061"),
)
"""Users; u, m(k) and y^2 for tau = 1/2, beta = 0.1 in the mean."""


@encloses("u, m and y^2 at two sizes.", Method.ENCLOSURE)
@mutant("1.01 tau", scale=PERCENT)
def values(scale: Fraction = Fraction(1)) -> Finding:
    """u, m(k) and y^2 with tau = 1/2, k = 8 and the shares of beta = 0.1 in the mean."""
    share, radius = ball(Fraction(11, 840)), ball(Fraction(1, 240))
    rows = []
    for n, *printed in ROWS:
        u = record_spread(ball(n), share, numbers=NUMBERS)
        m = cut_off(8, ball(scale / 2), radius, numbers=NUMBERS)
        y = survivor_root(NUMBERS.log(3 / share), m, numbers=NUMBERS)
        names = ("u", "m", "y^2")
        rows += [
            (f"{name} at n = {n}", text, value)
            for name, text, value in zip(names, printed, (u, m, y**2), strict=True)
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-L17u",
        source="Lemma 17, its utility, with constants",
        says=(
            "On Gaussian records the range covers from z + 1 standard deviations below the mean to z above it, is at most 8 u + 4 of them wide, and has its center among the survivors, with probability at least 1 - 2 b' - 4 s."
        ),
        latex=r"[\mu - (z + 1)\sigma, \mu + z\sigma] \subseteq \widehat{\mathrm{Range}}, \quad |\widehat{\mathrm{Range}}| \le (8 u + 4)\sigma, \qquad M\, Q(z + 1) \ge y^2",
        domain=(
            "records independent N(mu, sigma^2); n users who may survive, M = sum of p_i; u = sqrt(2 ln(n / s)), L = ln(3 / s), k = 1 + ceil(log2(1 + 16 u)), k1 = 1 + ceil(log2(1 + 8 (|mu| / sigma + u))), both at most the cap, m(k) = (24 / tau) (ln(2 / b') + ln(2 k / b')), y = (sqrt(2 L) + sqrt(2 L + 4 m(k))) / 2, z > 0; M / 2 - m(k1) >= (16 / tau) ln((2^k1 + 1) / s); and the condition of PDP-L16 for M / 4 - 1/2 pairs, budget tau / 4 and failure probability s"
        ),
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-L17", "PDP-L16", "PDP-L6", "PDP-A2", "PDP-T6"),
        checks=checks_of(
            few_survivors,
            more_survivors,
            pairs_of_survivors,
            half_of_the_survivors,
            tail_of_one,
            range_covers,
            index_covers,
            width_is_small,
            center_among_survivors,
            median_fails_rarely,
            reworded(tail_of_the_width, "erfc(x) <= e^(-x^2)."),
            records_are_near,
            failures_add_up,
            values,
        ),
        steps=(
            ByHand(
                "Coins are independent of the records, so survivors are independent N(mu, sigma^2) given their number N, and the survivors above a fixed point are a sum of independent Bernoulli variables with mean M times the chance of the point's tail."
            ),
            ByCheck("few_survivors"),
            ByCheck("more_survivors"),
            ByCheck("half_of_the_survivors"),
            ByCheck("tail_of_one"),
            ByClaim(
                "PDP-T6",
                "By Chernoff's lower tail N >= M / 2, more than m(k) survivors lie at or above mu + (z + 1) sigma, and more than m(k) at or below mu - (z + 1) sigma, each but for a chance of e^-L = s / 3: s together.",
            ),
            ByCheck("pairs_of_survivors"),
            ByClaim(
                "PDP-L16",
                "Given N >= M / 2 its condition holds, as its left side falls with the number of pairs, so b lies in [sigma / 8, sigma] but for a chance of s.",
            ),
            ByCheck("tail_of_the_width"),
            ByCheck("records_are_near"),
            ByCheck("index_covers"),
            ByClaim(
                "PDP-L6",
                "The first radius fires at k1 at the latest and leaves out at most m(k1) survivors, but for a chance of b'; so at least M / 2 - m(k1) of them are in [-R1, R1], where there are at most 2^k1 + 1 grid points.",
            ),
            ByCheck("center_among_survivors"),
            ByCheck(
                "median_fails_rarely",
                "The best score is 0, at the middle record; a point whose score is -m / 2 or less is chosen with probability at most (2^k1 + 1) e^(-(tau / 8) (m / 2)), which falls with m.",
            ),
            ByClaim(
                "PDP-L6",
                "With its center among the survivors, rounded, none is farther from it than 2 u sigma + b; the second radius fires at k at the latest and leaves out at most m(k) survivors, but for a chance of b'.",
            ),
            ByCheck("width_is_small"),
            ByCheck(
                "range_covers",
                "If the range ended at or before mu + (z + 1) sigma - b, or began after mu - (z + 1) sigma, more than m(k) survivors would be out of it; and b <= sigma.",
            ),
            ByCheck("failures_add_up"),
        ),
        note="So the width is O(sigma sqrt(log n)) for every mean; the mean enters through k1 alone, in a logarithm of a logarithm and in the condition on the median.",
    ),
)
