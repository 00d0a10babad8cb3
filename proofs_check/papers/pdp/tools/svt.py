"""The sparse vector technique as PDP uses it: Algorithm 1 and Lemma 6.

In units of 1 / eps the threshold has noise Lap(2) and every query Lap(4); query 1 comes first.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, ComplexBall, Complexes, integral
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import NUMBERS, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, exact, implies, negate, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, exp, identical, integrate, oo, sqrt, symbols

__all__ = [
    "CLAIMS",
    "failure_bound",
    "index_tail_on_ties",
    "noise_gap_tail",
    "svt_high",
    "svt_low",
    "svt_slack",
]

THRESHOLD_SCALE, QUERY_SCALE = 2, 4
FAR = 240


def noise_gap_tail(x: Any, *, numbers: Any) -> Any:
    """g(x) = P(N - T > x) = (4 e^(-x/4) - e^(-x/2)) / 6 for N = Lap(4), T = Lap(2), x >= 0."""
    return (4 * numbers.exp(-x / 4) - numbers.exp(-x / 2)) / 6


def index_tail_on_ties(m: Any, power: Any) -> Any:
    """P(index > m) = (4 - 2^(1-m)) / ((m+1)(m+2)) if all queries equal the threshold; power = 2^-m."""
    return (4 - 2 * power) / ((m + 1) * (m + 2))


def svt_low(k1: Any, beta: Any, *, numbers: Any) -> Any:
    """8 ln(4 k1 / beta): how far below the threshold no query fires, in units of 1 / eps."""
    return 8 * numbers.log(4 * k1 / beta)


def svt_high(beta: Any, *, numbers: Any) -> Any:
    """6 ln(2 / beta): how far above it a query fires."""
    return 6 * numbers.log(2 / beta)


def svt_slack(k2: Any, beta: Any, *, numbers: Any) -> Any:
    """6 ln(2 k2 / beta): how far below it the query that fired may lie."""
    return 6 * numbers.log(2 * k2 / beta)


def failure_bound(*, numbers: Any) -> Any:
    """sqrt(2) / 3 + 1 / 24: the failure probability of Lemma 6 is at most this times beta."""
    return numbers.sqrt(numbers.rational(Fraction(2))) / 3 + Fraction(1, 24)


@proves(
    "Moving the threshold's noise by 1 and that of the firing query by 2 makes D' answer as D does.",
    Method.SMT,
)
@mutant("moved by 1.98", move=Fraction(198, 100))
@for_all(
    reals("q q2 noise t"),
    "With the threshold's noise moved by {one} and that of the query that fires by {two} a neighbor "
    "answers alike: what is silent stays silent, what fires fires.",
    terms=lambda _: {"one": 1, "two": 2},
)
def moved_noise_fires_alike(
    q: Any, q2: Any, noise: Any, t: Any, *, move: Fraction = Fraction(2)
) -> Condition:
    """With the threshold noise moved by 1 and the noise of the query that fires by 2, D' does as D.

    q <= t for queries before, q > t at the one that fires; |q2 - q| <= 1 for neighbors.
    """
    quiet = implies(q + noise <= t, q2 + noise <= t + 1)
    fires = implies(q + noise > t, q2 + noise + move > t + 1)
    return implies(absolute(q2 - q) <= 1, all_of(quiet, fires))


@proves(
    "For queries that all rise, or all fall, moving the firing query by 1 suffices.", Method.SMT
)
@mutant("moved by 0.99", move=Fraction(99, 100))
@for_all(reals("q q2 noise t"))
def monotone_moves(
    q: Any, q2: Any, noise: Any, t: Any, *, move: Fraction = Fraction(1)
) -> Condition:
    """Queries that all rise: then 1 suffices; that all fall: the threshold stays and 1 suffices."""
    quiet, fires = q + noise <= t, q + noise > t
    rising = all_of(implies(quiet, q2 + noise <= t + 1), implies(fires, q2 + noise + move > t + 1))
    falling = all_of(implies(quiet, q2 + noise <= t), implies(fires, q2 + noise + move > t))
    both = all_of(implies(q2 >= q, rising), implies(q2 <= q, falling))
    return implies(absolute(q2 - q) <= 1, both)


@proves(
    "The moves cost eps / 2 + eps / 2 = eps, and at most 3 eps / 4 for monotone queries.",
    Method.EXACT,
)
@mutant("0.99 eps", share=Fraction(99, 100))
def moves_cost(share: Fraction = Fraction(1), threshold: Fraction = Fraction(2)) -> Finding:
    """Moves 1 and 2 cost 1/2 + 2/4 = 1 (times eps); monotone: at most 1/2 + 1/4."""
    full = 1 / threshold + Fraction(2, QUERY_SCALE)
    rising = 1 / threshold + Fraction(1, QUERY_SCALE)
    return exactly(
        full == share and rising == share * 3 / 4, f"{full} eps, and {rising} eps if monotone"
    )


@proves("20 queries that are not monotone already lose more than 0.99998 eps.", Method.ENCLOSURE)
@mutant("1.00997 eps", most=Fraction(100997, 100000))
def loss_is_nearly_attained(most: Fraction = Fraction(99998, 100000)) -> Finding:
    """20 queries, eps = 1: 19 at 2 and the last at -1, against 19 at 1 and the last at 0."""
    loss = NUMBERS.log(_last_fires(1, 0) / _last_fires(2, -1))
    return below([(f"{most} eps and the loss", ball(most), loss), ("loss and eps", loss, ball(1))])


def _last_fires(quiet: int, last: int, queries: int = 20) -> Ball:
    """P(index = 20): the threshold's density times the chances that 19 are silent and one fires."""

    def tail(t: ComplexBall, c: Complexes, level: int, middle: Fraction) -> ComplexBall:
        if middle > level:
            return c.exp((level - t) / QUERY_SCALE) / 2
        return 1 - c.exp((t - level) / QUERY_SCALE) / 2

    def integrand(t: ComplexBall, c: Complexes, middle: Fraction) -> ComplexBall:
        noise = c.exp((-t if middle > 0 else t) / THRESHOLD_SCALE) / (2 * THRESHOLD_SCALE)
        silent = 1 - tail(t, c, quiet, middle)
        return noise * silent ** (queries - 1) * tail(t, c, last, middle)

    kinks = [Fraction(t) for t in sorted({-FAR, last, 0, quiet, FAR})]
    total = NUMBERS.between(Fraction(0), Fraction(1, 2**150))  # beyond FAR: less than e^(-FAR / 2)
    for a, b in pairwise(kinks):
        piece = partial(integrand, middle=(a + b) / 2)
        total = total + integral(piece, a, b, numbers=NUMBERS)
    return total


@proves("P(N - T > x) for N = Lap(4), T = Lap(2).", Method.SYMBOLIC)
@mutant("N = Lap(4.04)", scale=Fraction(404, 100))
def tail_of_the_gap(scale: Fraction = Fraction(4)) -> Finding:
    """The convolution of Lap(2) and Lap(4), in its three pieces, gives g."""
    x, t = symbols("x t", positive=True)
    s = Rational(scale.numerator, scale.denominator)
    above = integrate(exp(-t / 2) / 4 * exp(-(x + t) / s) / 2, (t, 0, oo))
    between = integrate(exp(-t / 2) / 4 * exp(-(x - t) / s) / 2, (t, 0, x))
    beyond = integrate(exp(-t / 2) / 4 * (1 - exp(-(t - x) / s) / 2), (t, x, oo))
    return identical(above + between + beyond, noise_gap_tail(x, numbers=SYMBOLIC), {x: (0, 9)})


@proves("Outside three bad events the index is as stated.", Method.SMT)
@mutant("0.99 of the distance below", low=Fraction(99, 100))
@mutant("0.99 of the slack", slack=Fraction(99, 100))
@for_all(reals("Q N T theta u v w"))
def no_bad_event_no_failure(
    q: Any,
    n: Any,
    t: Any,
    theta: Any,
    u: Any,
    v: Any,
    w: Any,
    *,
    low: Fraction = Fraction(1),
    slack: Fraction = Fraction(1),
) -> Condition:
    """If no noise exceeds its bound, the index is right; u, v, w are the three bounds.

    A query u below the threshold stays silent; one v above it fires; one that fires is within w.
    """
    fires = q + n > theta + t
    silent = implies(all_of(u > 0, q <= theta - low * u, n - t <= u), negate(fires))
    sure = implies(all_of(q >= theta + v, t - n < v), fires)
    close = implies(all_of(w > 0, fires, n - t <= w), q >= theta - slack * w)
    return all_of(silent, sure, close)


@proves("The three terms of the union bound.", Method.SYMBOLIC)
@mutant("e^(-x/4.04) for e^(-x/4)", factor=Fraction(404, 100))
def terms_of_the_union(factor: Fraction = Fraction(4)) -> Finding:
    """With g(x) <= (2/3) e^(-x/4) the three terms of the union bound are powers of beta and k."""
    k, b = symbols("k beta", positive=True)
    box = {k: (1, 9), b: (0, 1)}
    c = Rational(factor.numerator, factor.denominator)
    share = Rational(2, 3)
    return every(
        [
            identical(share * k * exp(-svt_low(k, b, numbers=SYMBOLIC) / c), b**2 / (24 * k), box),
            identical(
                share * exp(-svt_high(b, numbers=SYMBOLIC) / c),
                share * (b / 2) ** Rational(3, 2),
                box,
            ),
            identical(
                share * k * exp(-svt_slack(k, b, numbers=SYMBOLIC) / c),
                share * (b / 2) ** Rational(3, 2) / sqrt(k),
                box,
            ),
        ]
    )


@proves("Their sum is at most (sqrt(2) / 3 + 1/24) beta = 0.513... beta < beta.", Method.SMT)
@mutant("0.99 / 24", first=Fraction(99, 2400))
def union_is_below_beta(first: Fraction = Fraction(1, 24)) -> Finding:
    """beta^2 / (24 k1) <= beta / 24 and beta^(3/2) / sqrt(k2) <= beta; s = sqrt(beta), j = sqrt(k2)."""

    def statement(s: Any, k: Any, j: Any) -> Any:
        given = all_of(0 < s, s < 1, k >= 1, j >= 1)
        left = exact(Fraction(1, 24)) * s * s * s * s <= exact(first) * s * s * k
        return implies(given, all_of(left, s * s * s <= s * s * j))

    total = failure_bound(numbers=NUMBERS)
    return every(
        [
            valid(reals("s k j"), statement, polynomial=True),
            below([("sum of the three terms over beta", total, 1)]),
            as_printed([("the sum", "0.513071187457698", total)]),
        ]
    )


@encloses("Printed values of g and of the thresholds.", Method.ENCLOSURE)
@mutant("4.04 for 4", rate=Fraction(404, 100))
def printed_values(rate: Fraction = Fraction(4)) -> Finding:
    """g, the three thresholds for eps = 1, beta = 0.1, k1 = 10, k2 = 12."""
    beta = ball("0.1")
    rows = [
        (f"g({x})", value, noise_gap_tail(ball(x) * 4 / rate, numbers=NUMBERS))
        for x, value in (
            ("0.5", "0.458531137877829"),
            ("2", "0.343040532946515"),
            ("6", "0.140455595370976"),
            ("12", "0.0327782535491316"),
        )
    ]
    rows += [
        ("8 ln(4 k1 / beta)", "47.9317163768639", svt_low(10, beta, numbers=NUMBERS)),
        ("6 ln(2 / beta)", "17.9743936413239", svt_high(beta, numbers=NUMBERS)),
        ("6 ln(2 k2 / beta)", "32.8838335400519", svt_slack(12, beta, numbers=NUMBERS)),
    ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-A1",
        source="Algorithm 1",
        says="AboveThreshold: returns the number of the first query that, with noise Lap(4 / eps), exceeds the threshold with noise Lap(2 / eps).",
        latex=r"i = \min\{i \ge 1 : Q_i(D) + \mathrm{Lap}(4/\varepsilon) > \theta + \mathrm{Lap}(2/\varepsilon)\}",
        domain="queries of sensitivity 1; a finite public number of queries, the index K + 1 meaning that none fired",
        status=Status.DEFINITION,
        checks=checks_of(
            moved_noise_fires_alike, monotone_moves, moves_cost, loss_is_nearly_attained
        ),
        assumes=("PDP-L4",),
        note="The three noises are moved, each density changes by at most e^(move / scale), and the event is the same; so the algorithm is eps-private, and a cap on the number of queries is post-processing.",
    ),
    Claim(
        id="PDP-L6",
        source="Lemma 6",
        says="AboveThreshold passes over queries far below the threshold, stops at the latest at one far above it, and the query it returns is not far below it.",
        latex=r"P\left(k_1 < i \le k_2,\ Q_i \ge \theta - \tfrac{6}{\varepsilon}\ln\tfrac{2 k_2}{\beta}\right) \ge 1 - \beta",
        domain="eps > 0, 0 < beta < 1; Q_i <= theta - (8/eps) ln(4 k1/beta) for i <= k1, Q_(k2) >= theta + (6/eps) ln(2/beta)",
        status=Status.PROVED,
        checks=checks_of(
            tail_of_the_gap,
            no_bad_event_no_failure,
            terms_of_the_union,
            union_is_below_beta,
            printed_values,
        ),
        steps=(
            ByCheck("tail_of_the_gap"),
            ByCheck("terms_of_the_union"),
            ByCheck("union_is_below_beta"),
            ByHand("g(x) <= (2/3) e^(-x/4) as its second term is negative; N - T is symmetric."),
            ByCheck(
                "no_bad_event_no_failure",
                "Bad events: a query i <= k1 has gap above u (k1 of them), query k2 has gap below -v, a query i <= k2 has gap above w (k2 of them).",
            ),
        ),
        note="The paper omits i <= k2, which the same events give.",
    ),
)
