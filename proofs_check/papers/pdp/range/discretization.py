"""Discretization of PDP: Algorithm 4, the width b of the grid.

G holds |x - x'| for random pairs; query i of the first scan is Count(G, 2^(i-1)) - |G| / 2, query j of
the second |G| / 2 - Count(G, 2^(1-j)). With index base 1 the print takes 2^(i-2) if i > 1, else 2^-j,
and halves it; the second should be 2^(1-j).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.range.matchings import coupling_changes_one_pair
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, any_of, exact, implies, reals

__all__ = [
    "CLAIMS",
    "MEDIAN",
    "difference_probability",
    "grid_width",
    "printed_constants",
    "printed_grid_width",
    "scan_indices",
]

MEDIAN = (Fraction("0.9538725524089397"), Fraction("0.9538725524089398"))
"""Ends around the median of |x - x'| in units of sigma."""


def grid_width(i: int, j: int) -> Fraction:
    """The width b = 2^(i-3) if i > 1, else 2^-j: half of 2^(i-2) or 2^(1-j)."""
    return Fraction(2) ** (i - 3) if i > 1 else Fraction(2) ** -j


def printed_grid_width(i: int, j: int) -> Fraction:
    """The width b = 2^(i-3) if i > 1, else 2^(-j-1), as printed."""
    return Fraction(2) ** (i - 3) if i > 1 else Fraction(2) ** (-j - 1)


def difference_probability(radius: Any, *, numbers: Any) -> Any:
    """P(|x - x'| <= r sigma) = erf(r / 2) for two Gaussians of variance sigma^2."""
    return 1 - numbers.erfc(radius / 2)


def scan_indices(median: Fraction) -> tuple[int, int]:
    """Return the indices without noise: the first radius 2^(i-1) >= median, the first 2^(1-j) < median."""
    i = j = 1
    while Fraction(2) ** (i - 1) < median:
        i += 1
    while Fraction(2) ** (1 - j) >= median:
        j += 1
    return i, j


@proves("b lies in [median / 4, median / 2) in both branches.", Method.SMT)
@mutant("2^-j, as printed, in the second", shift=1)
@mutant("0.2525 for 1/4", share=PERCENT / 4)
@for_all(reals("p median"))
def width_in_range(
    p: Any, median: Any, *, share: Fraction = Fraction(1, 4), shift: int = 0
) -> Condition:
    """The width b lies in [median / 4, median / 2) in both branches; p is the radius that fired.

    First scan: p = 2^(i-1) >= median > p / 2 and b = p / 4. Second scan: p = 2^(1-j) < median <= 2 p
    and b = p / 2 (printed: p / 4).
    """
    first = implies(all_of(p >= median, p / 2 < median), _between(p / 4, median, share))
    width = p / 4 if shift else p / 2
    second = implies(all_of(p < median, median <= 2 * p), _between(width, median, share))
    return implies(all_of(p > 0, median > 0), all_of(first, second))


def _between(width: Any, median: Any, share: Fraction) -> Any:
    return all_of(width >= exact(share) * median, width < median / 2)


@proves("The same by counting indices, for 1199 medians.", Method.EXACT)
@mutant("2^-j, as printed", shift=1)
def indices_on_examples(shift: int = 0) -> Finding:
    """The widths found index by index for medians from 2^-8 to 2^8 are those of the two branches."""
    for k in range(1, 1200):
        median = Fraction(k * k, 300)
        i, j = scan_indices(median)
        width = grid_width(i, j + shift)
        if not median / 4 <= width < median / 2:
            return exactly(False, f"median {median}: i = {i}, j = {j}, b = {width}")
    return exactly(True, "1199 medians")


@encloses("Printed median and probabilities.", Method.ENCLOSURE)
@mutant("1.01 r", scale=PERCENT)
def printed_constants(scale: Fraction = Fraction(1)) -> Finding:
    """The median of |x - x'| / sigma, its quarter, half and eighth, and probabilities of radii."""
    low, high = (difference_probability(ball(x) * scale, numbers=NUMBERS) for x in MEDIAN)
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
        (f"P(|x - x'| <= {r} sigma)", value, difference_probability(ball(r), numbers=NUMBERS))
        for r, value in (
            ("0.5", "0.276326390168237"),
            ("2", "0.842700792949715"),
            ("4", "0.995322265018953"),
        )
    ]
    return as_printed(rows)


@proves(
    "The queries move by at most 1 if one pair is exchanged, 1/2 if one enters or leaves.",
    Method.SMT,
)
@mutant("0.505 |G|", weight=PERCENT / 2)
@for_all(
    reals("count size dc"),
    "The queries of Discretization move by at most {one} if one pair is exchanged, by at most {half} if one enters or leaves.",
    terms=lambda _: {"one": 1, "half": Fraction(1, 2)},
)
def queries_are_offset(
    count: Any, size: Any, dc: Any, *, weight: Fraction = Fraction(1, 2)
) -> Condition:
    """Count - |G| / 2 moves by at most 1 if a pair is exchanged, by 1/2 if one enters or leaves."""
    exchanged = any_of(dc == -1, dc == 0, dc == 1)
    entered = any_of(dc == 0, dc == 1)
    old = count - weight * size
    new, more = (count + dc - weight * (size + d) for d in (0, 1))
    one = implies(exchanged, all_of(new - old <= 1, old - new <= 1))
    half = implies(entered, all_of(more - old <= Fraction(1, 2), old - more <= Fraction(1, 2)))
    return all_of(one, half)


CLAIMS = (
    Claim(
        id="PDP-A4",
        source="Algorithm 4 (Discretization)",
        says="A private width of the grid: AboveThreshold finds the power of 2 at the median of |x - x'| over random pairs of survivors, scanning upwards and downwards; records are rounded to multiples of b.",
        latex=r"b = \tfrac12 \begin{cases} 2^{i-2} & i > 1 \\ 2^{1-j} & i = 1 \end{cases}, \qquad x \mapsto b \lfloor x / b \rfloor",
        domain="each scan has budget eps / 2 and a cap; pairs by a random matching of the survivors, negatives kept (printed: all pairs, positive records, 2^-j)",
        status=Status.DEFINITION,
        assumes=("PDP-A1", "PDP-L2"),
        checks=checks_of(
            width_in_range,
            indices_on_examples,
            coupling_changes_one_pair,
            queries_are_offset,
            printed_constants,
        ),
        note="The law of the output is the average over matchings; under the coupling each pair of matchings gives queries that move by at most 1, so both scans are (eps / 2)-private. Exchanging a record's value keeps the matching and changes one pair.",
    ),
)
