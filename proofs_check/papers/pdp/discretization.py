"""Discretization of PDP: Algorithm 4 and Lemma 16, the width b of the grid.

G holds |x - x'| for random pairs; query i of the first scan is Count(G, 2^(i-1)) - |G| / 2, query j of
the second |G| / 2 - Count(G, 2^(1-j)). With index base 1 the print takes 2^(i-2) if i > 1, else 2^-j,
and halves it; the second should be 2^(1-j).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.matchings import coupling_changes_one_pair, keep_partner_single
from proofs_check.printed import as_printed
from proofs_check.smt import all_of, any_of, exact, implies, reals, valid

__all__ = ["CLAIMS", "difference_probability", "grid_width", "printed_grid_width"]

MEDIAN = (Fraction("0.9538725524089397"), Fraction("0.9538725524089398"))
"""Ends around the median of |x - x'| in units of sigma."""


def grid_width(i: int, j: int) -> Fraction:
    """The width b = 2^(i-3) if i > 1, else 2^-j: half of 2^(i-2) or 2^(1-j)."""
    return Fraction(2) ** (i - 3) if i > 1 else Fraction(2) ** -j


def printed_grid_width(i: int, j: int) -> Fraction:
    """B = 2^(i-3) if i > 1, else 2^(-j-1), as printed."""
    return Fraction(2) ** (i - 3) if i > 1 else Fraction(2) ** (-j - 1)


def difference_probability(radius: Any, numbers: Any) -> Any:
    """P(|x - x'| <= r sigma) = erf(r / 2) for two Gaussians of variance sigma^2."""
    return 1 - numbers.erfc(radius / 2)


def _indices(median: Fraction) -> tuple[int, int]:
    """Indices without noise: the first radius 2^(i-1) >= median, the first 2^(1-j) < median."""
    i = j = 1
    while Fraction(2) ** (i - 1) < median:
        i += 1
    while Fraction(2) ** (1 - j) >= median:
        j += 1
    return i, j


def width_in_range(share: Fraction = Fraction(1, 4), shift: int = 0) -> Finding:
    """The width b lies in [median / 4, median / 2) in both branches; p is the radius that fired.

    First scan: p = 2^(i-1) >= median > p / 2 and b = p / 4. Second scan: p = 2^(1-j) < median <= 2 p
    and b = p / 2 (printed: p / 4).
    """

    def statement(p: Any, median: Any) -> Any:
        first = implies(all_of(p >= median, p / 2 < median), _between(p / 4, median, share))
        width = p / 4 if shift else p / 2
        second = implies(all_of(p < median, median <= 2 * p), _between(width, median, share))
        return implies(all_of(p > 0, median > 0), all_of(first, second))

    return valid(reals("p median"), statement)


def _between(width: Any, median: Any, share: Fraction) -> Any:
    return all_of(width >= exact(share) * median, width < median / 2)


def indices_on_examples(shift: int = 0) -> Finding:
    """The widths found index by index for medians from 2^-8 to 2^8 are those of the two branches."""
    for k in range(1, 1200):
        median = Fraction(k * k, 300)
        i, j = _indices(median)
        width = grid_width(i, j + shift)
        if not median / 4 <= width < median / 2:
            return exactly(False, f"median {median}: i = {i}, j = {j}, b = {width}")
    return exactly(True, "1199 medians")


def printed_constants(scale: Fraction = Fraction(1)) -> Finding:
    """The median of |x - x'| / sigma, its quarter, half and eighth, and probabilities of radii."""
    low, high = (difference_probability(ball(x) * scale, NUMBERS) for x in MEDIAN)
    around = below(
        [("P at the lower end", low, Fraction(1, 2)), ("and at the upper", Fraction(1, 2), high)]
    )
    if not around.holds:
        return around
    median = NUMBERS.between(*MEDIAN)
    rows = [
        ("median", "0.953872552408940", median),
        ("median / 4", "0.238468", median / 4),
        ("median / 2", "0.476936", median / 2),
        ("median / 8", "0.119234", median / 8),
    ]
    rows += [
        (f"P(|x - x'| <= {r} sigma)", value, difference_probability(ball(r), NUMBERS))
        for r, value in (
            ("0.5", "0.276326390168237"),
            ("2", "0.842700792949715"),
            ("4", "0.995322265018953"),
        )
    ]
    return as_printed(rows)


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

    down = Fraction(1, 2) - difference_probability(ball(Fraction(1, 2)), NUMBERS)
    up = difference_probability(ball(2), NUMBERS) - Fraction(1, 2)
    values = as_printed([("error downwards", "0.2237", down), ("error upwards", "0.343", up)])
    return every([valid(reals("b quantile sigma"), statement), values])


def printed_fails(sigma: Fraction = Fraction(128, 1000)) -> Finding:
    """With sigma = 0.128: median 0.12210, so j = 5, and the printed b = 2^-6 = 0.015625 < 0.016 = sigma / 8.

    The median is not a power of 2, so that both scans stop there with probability tending to 1.
    """
    low, high = (sigma * end for end in MEDIAN)
    (i, j), others = _indices(low), _indices(high)
    width = printed_grid_width(i, j)
    return exactly(
        (i, j) == others and width < sigma / 8,
        f"i = {i}, j = {j}, printed b = {float(width)}, sigma / 8 = {float(sigma / 8)}, "
        f"corrected b = {float(grid_width(i, j))}",
    )


def share_of_failures(limit: Fraction = Fraction(1)) -> Finding:
    """2^(2-j) / median lies in [1, 2); the print fails for 2^(2-j) < sigma: 6.8 % of all log sigma < 0."""
    low, high = (NUMBERS.log(limit / ball(end)) / NUMBERS.log(ball(2)) for end in MEDIAN)
    share: Ball = (low + high) / 2
    print_ = as_printed([("share of log sigma", "0.068", share)])
    narrow = certainly_less(high - low, Fraction(1, 10**9)) is True
    return every([print_, exactly(narrow, "the ends of the median agree")])


def queries_are_offset(weight: Fraction = Fraction(1, 2)) -> Finding:
    """Count - |G| / 2 moves by at most 1 if a pair is exchanged, by 1/2 if one enters or leaves."""

    def statement(count: Any, size: Any, dc: Any) -> Any:
        exchanged = any_of(dc == -1, dc == 0, dc == 1)
        entered = any_of(dc == 0, dc == 1)
        old = count - exact(weight) * size
        new, more = (count + dc - exact(weight) * (size + d) for d in (0, 1))
        one = implies(exchanged, all_of(new - old <= 1, old - new <= 1))
        half = implies(
            entered,
            all_of(more - old <= exact(Fraction(1, 2)), old - more <= exact(Fraction(1, 2))),
        )
        return all_of(one, half)

    return valid(reals("count size dc"), statement)


SENSITIVITY = Check(
    "Random matchings of at most six survivors can be coupled so that one pair changes; exact marginals.",
    Method.EXACT,
    coupling_changes_one_pair,
    mutants={"partner and the one left over stay apart": {"remove": keep_partner_single}},
)

WIDTH = Check(
    "b lies in [median / 4, median / 2) in both branches.",
    Method.SMT,
    width_in_range,
    mutants={
        "2^-j, as printed, in the second": {"shift": 1},
        "0.2525 for 1/4": {"share": PERCENT / 4},
    },
)

CLAIMS = (
    Claim(
        id="PDP-A4",
        source="Algorithm 4 (Discretization)",
        says="A private width of the grid: AboveThreshold finds the power of 2 at the median of |x - x'| over random pairs of survivors, scanning upwards and downwards; records are rounded to multiples of b.",
        latex=r"b = \tfrac12 \begin{cases} 2^{i-2} & i > 1 \\ 2^{1-j} & i = 1 \end{cases}, \qquad x \mapsto b \lfloor x / b \rfloor",
        domain="each scan has budget eps / 2 and a cap; pairs by a random matching of the survivors, negatives kept (printed: all pairs, positive records, 2^-j)",
        status=Status.DEFINITION,
        assumes=("PDP-A1", "PDP-L2"),
        checks=(
            WIDTH,
            Check(
                "The same by counting indices, for 1199 medians.",
                Method.EXACT,
                indices_on_examples,
                mutants={"2^-j, as printed": {"shift": 1}},
            ),
            SENSITIVITY,
            Check(
                "The queries move by at most 1 if one pair is exchanged, 1/2 if one enters or leaves.",
                Method.SMT,
                queries_are_offset,
                mutants={"0.505 |G|": {"weight": PERCENT / 2}},
            ),
            Check(
                "Printed median and probabilities.",
                Method.ENCLOSURE,
                printed_constants,
                mutants={"1.01 r": {"scale": PERCENT}},
            ),
        ),
        argument="The law of the output is the average over matchings; under the coupling each pair of matchings gives queries that move by at most 1, so both scans are (eps / 2)-private. Exchanging a record's value keeps the matching and changes one pair.",
    ),
    Claim(
        id="PDP-L16",
        source="Lemma 16",
        says="Discretization returns b between sigma / 8 and sigma with probability at least 1 - beta.",
        latex=r"P\left(\tfrac{\sigma}{8} \le b \le \sigma\right) \ge 1 - \beta",
        domain="Gaussian data, n large enough",
        status=Status.CORRECTED,
        assumes=("PDP-L6", "PDP-A4"),
        errata=("PDP-E-12",),
        checks=(
            Check(
                "sigma = 0.128: the printed b is 0.015625 < sigma / 8.",
                Method.EXACT,
                printed_fails,
                mutants={"sigma = 0.125": {"sigma": Fraction(125, 1000)}},
                refutes=True,
            ),
            WIDTH,
            Check(
                "Rank errors up to 0.2237 |G| downwards and 0.343 |G| upwards keep b in [sigma / 8, sigma].",
                Method.SMT,
                rank_errors,
                mutants={"0.495 sigma": {"reach": Fraction(495, 1000)}},
            ),
            Check(
                "Printed median and probabilities.",
                Method.ENCLOSURE,
                printed_constants,
                mutants={"1.01 r": {"scale": PERCENT}},
            ),
            Check(
                "The print fails for 6.8 % of all log sigma < 0.",
                Method.ENCLOSURE,
                share_of_failures,
                mutants={"sigma / 8.08": {"limit": PERCENT}},
            ),
        ),
        why="In the second scan 2^-j is half of what it should be: b lies in [median / 8, median / 4), and 0.119 sigma < sigma / 8. For sigma = 0.128 the probability tends to 0 as n grows.",
        right="With 2^(1-j), b lies in [sigma / 8, sigma] whenever the radius that fires is that of a quantile of |x - x'| between sigma / 2 and 2 sigma, that is for rank errors of at most 0.2237 |G| downwards and 0.343 |G| upwards.",
        argument="What fires is a radius between two powers of 2 around a quantile of |x - x'|; without noise that is the median. Lemma 6 bounds the rank error of AboveThreshold by a number that does not depend on n, and the sampling error of the ranks is of order sqrt(n), so both are below 0.2237 |G| from some n on; that n is not made explicit here.",
    ),
)
