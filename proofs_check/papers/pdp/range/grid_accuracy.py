"""How accurate the grid width of PDP is: Lemma 16, refuted as printed and made explicit.

With g pairs, each scan at budget eps / 2 and 1/3 of beta for each scan and for the sampling error, the
ranks at the radii that matter are off by at most a g, a = rank_error.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.range.discretization import (
    MEDIAN,
    difference_probability,
    grid_width,
    printed_constants,
    printed_grid_width,
    scan_indices,
    width_in_range,
)
from proofs_check.papers.pdp.tools.svt import svt_slack
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited

__all__ = ["CLAIMS", "last_index", "rank_error"]

LIMIT = Fraction(2236, 10000)


def rank_error(pairs: Any, k: Any, epsilon: Any, beta: Any, *, numbers: Any) -> Any:
    """A = (12 / (eps g)) ln(6 k / beta) + sqrt(ln(6 / beta) / (2 g)) for g pairs and k queries."""
    noise = svt_slack(k, beta / 3, numbers=numbers) * 2 / (epsilon * pairs)
    return noise + numbers.sqrt(numbers.log(6 / beta) / (2 * pairs))


def last_index(sigma: Fraction) -> int:
    """K = 2 + ceil(|log2 sigma|): both scans have a clear query by then."""
    whole = 0
    while not Fraction(1, 2**whole) <= sigma <= 2**whole:
        whole += 1
    return 2 + whole


@proves(
    "Rank errors up to 0.2237 |G| downwards and 0.343 |G| upwards keep b in [sigma / 8, sigma].",
    Method.SMT,
)
@mutant("0.495 sigma", reach=Fraction(495, 1000))
def rank_errors(reach: Fraction = Fraction(1, 2)) -> Finding:
    """The width has b >= sigma / 8 as long as the quantile used is at least sigma / 2, b <= sigma up to 2 sigma.

    Tolerated rank errors: 1/2 - P(sigma / 2) = 0.2237 downwards, P(2 sigma) - 1/2 = 0.343 upwards.
    """

    def statement(b: Any, quantile: Any, sigma: Any) -> Any:
        given = all_of(
            sigma > 0,
            quantile >= exact(reach) * sigma,
            quantile <= 2 * sigma,
            b >= quantile / 4,
            b <= quantile / 2,
        )
        return implies(given, all_of(b >= sigma / 8, b <= sigma))

    down = Fraction(1, 2) - difference_probability(ball(Fraction(1, 2)), numbers=NUMBERS)
    up = difference_probability(ball(2), numbers=NUMBERS) - Fraction(1, 2)
    values = as_printed([("error downwards", "0.2237", down), ("error upwards", "0.343", up)])
    return every([valid(reals("b quantile sigma"), statement), values])


@refutes("sigma = 0.128: the printed b is 0.015625 < sigma / 8.", Method.EXACT)
@mutant("sigma = 0.125", sigma=Fraction(125, 1000))
def printed_fails(sigma: Fraction = Fraction(128, 1000)) -> Finding:
    """With sigma = 0.128: median 0.12210, so j = 5, and the printed b = 2^-6 = 0.015625 < 0.016 = sigma / 8.

    The median is not a power of 2, so that both scans stop there with probability tending to 1.
    """
    low, high = (sigma * end for end in MEDIAN)
    (i, j), others = scan_indices(low), scan_indices(high)
    width = printed_grid_width(i, j)
    return exactly(
        (i, j) == others and width < sigma / 8,
        f"i = {i}, j = {j}, printed b = {float(width)}, sigma / 8 = {float(sigma / 8)}, "
        f"corrected b = {float(grid_width(i, j))}",
    )


@encloses("The print fails for 6.8 % of all log sigma < 0.", Method.ENCLOSURE)
@mutant("sigma / 8.08", limit=PERCENT)
def share_of_failures(limit: Fraction = Fraction(1)) -> Finding:
    """2^(2-j) / median lies in [1, 2); the print fails for 2^(2-j) < sigma: 6.8 % of all log sigma < 0."""
    low, high = (NUMBERS.log(limit / ball(end)) / NUMBERS.log(ball(2)) for end in MEDIAN)
    share: Ball = (low + high) / 2
    print_ = as_printed([("share of log sigma", "0.068", share)])
    narrow = certainly_less(high - low, Fraction(1, 10**9)) is True
    return every([print_, exactly(narrow, "the ends of the median agree")])


@confirms("A clear query comes by index 2 + ceil(|log2 sigma|).", Method.EXACT)
@mutant("1 for 2", more=1)
def clear_queries(more: int = 0) -> Finding:
    """By index k a radius of at least 2 sigma, and one of at most sigma / 2, is reached."""
    for number in range(1, 400):
        for sigma in (Fraction(number, 20), Fraction(20, number)):
            k = last_index(sigma) - more
            if not (Fraction(2) ** (k - 1) >= 2 * sigma and Fraction(2) ** (1 - k) <= sigma / 2):
                return exactly(False, f"sigma = {sigma}, k = {k}")
    return exactly(True, "798 values of sigma")


@proves("Rank errors of at most 0.2236 g keep b in the range, whichever scan decides.", Method.SMT)
@mutant("0.2258 for 0.2236", limit=Fraction(2258, 10000))
def small_rank_errors_suffice(limit: Fraction = LIMIT) -> Finding:
    """Rank errors of at most 0.2236 g keep b in [sigma / 8, sigma], in all three cases.

    F(r) = P(|x - x'| <= r) grows, F(sigma / 2) < 0.27633 and F(2 sigma) > 0.8427. First scan, i > 1: it
    fires at p with F(p) >= 1/2 - a, and F(p / 2) <= 1/2 + a since no clear query came before; b = p / 4.
    Second scan, j > 1: F(p) <= 1/2 + a and F(2 p) >= 1/2 - a; b = p / 2. Both at 1: p = 1, b = 1/2.
    """
    low, high = Fraction(27633, 100000), Fraction(8427, 10000)
    error, half = exact(limit), exact(Fraction(1, 2))

    def statement(p: Any, sigma: Any, at: Any, at_half: Any, at_double: Any) -> Any:
        grows = [
            all_of(
                implies(r <= sigma / 2, value <= exact(low)),
                implies(r >= 2 * sigma, value >= exact(high)),
            )
            for r, value in ((p, at), (p / 2, at_half), (2 * p, at_double))
        ]

        def good(b: Any) -> Any:
            return all_of(b >= sigma / 8, b <= sigma)

        above, under = half - error, half + error
        first = implies(all_of(at >= above, at_half <= under), good(p / 4))
        second = implies(all_of(at <= under, at_double >= above), good(p / 2))
        both = implies(all_of(p == 1, at >= above, at <= under), good(p / 2))
        return implies(all_of(p > 0, sigma > 0, *grows), all_of(first, second, both))

    ends = [difference_probability(ball(x), numbers=NUMBERS) for x in (Fraction(1, 2), 2)]
    return every(
        [
            below([("F(sigma / 2)", ends[0], low), ("F(2 sigma)", high, ends[1])]),
            valid(reals("p sigma F Fhalf Fdouble"), statement),
        ]
    )


@encloses("eps = 1, beta = 0.1, sigma = 1: 382 pairs suffice.", Method.ENCLOSURE)
@mutant("379 pairs", pairs=379)
def enough_pairs(pairs: int = 382) -> Finding:
    """Eps = 1, beta = 0.1, sigma = 1: 382 pairs make the rank error smaller than 0.2236."""
    error = rank_error(ball(pairs), last_index(Fraction(1)), ball(1), ball("0.1"), numbers=NUMBERS)
    return below([(f"rank error with {pairs} pairs", error, LIMIT)])


CLAIMS = (
    Claim(
        id="PDP-L16",
        source="Lemma 16",
        says="Discretization returns b between sigma / 8 and sigma with probability at least 1 - beta.",
        latex=r"P\left(\tfrac{\sigma}{8} \le b \le \sigma\right) \ge 1 - \beta",
        domain="Gaussian data, enough pairs",
        status=Status.CORRECTED,
        assumes=("PDP-L6", "PDP-A4"),
        errata=("PDP-E-12",),
        checks=checks_of(
            printed_fails,
            width_in_range,
            rank_errors,
            small_rank_errors_suffice,
            clear_queries,
            enough_pairs,
            printed_constants,
            share_of_failures,
        ),
        why="In the second scan 2^-j is half of what it should be: b lies in [median / 8, median / 4), and 0.119 sigma < sigma / 8. For sigma = 0.128 the probability tends to 0 as n grows.",
        right="With 2^(1-j): P(sigma / 8 <= b <= sigma) >= 1 - beta if the number g of pairs has (12 / (eps g)) ln(6 k / beta) + sqrt(ln(6 / beta) / (2 g)) <= 0.2236, k = 2 + ceil(|log2 sigma|), k at most the cap.",
        steps=(
            ByCheck("width_in_range"),
            ByCheck("rank_errors"),
            ByCheck("small_rank_errors_suffice"),
            Cited(
                "Dvoretzky, Kiefer and Wolfowitz 1956, with the constant of Massart 1990",
                "the inequality for the empirical distribution",
                "Differences within a matching are independent, so their empirical distribution is within sqrt(ln(6 / beta) / (2 g)) of F with probability 1 - beta / 3 (Dvoretzky, Kiefer, Wolfowitz; Massart).",
            ),
            ByClaim(
                "PDP-L6",
                "By Lemma 6 with k_1 = 0, budget eps / 2 and beta / 3, each scan stops at the first clear query (Q >= (12 / eps) ln(6 / beta)) at the latest, which is reached by index k, and fires at no query below -(12 / eps) ln(6 k / beta).",
            ),
            ByHand("Hence the rank errors a g of the check."),
        ),
        obligations=parts_of(printed_fails),
    ),
)
