"""Shuffled mechanisms on small data: their laws, exactly, and the bounds they are measured by."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import confirms, mutant, proves
from proofs_check.claim import Finding, Method, every, exactly
from proofs_check.enclosure import Ball, certainly_less, endpoints
from proofs_check.papers.tri.common import printed_table
from proofs_check.rational import printed_interval

__all__ = [
    "EXACT",
    "arrays_after_shuffling",
    "average_of_blocks",
    "in_domain",
    "randomized_response_obeys",
    "reduction_to_one_row",
    "shuffled_delta",
    "shuffled_epsilon",
    "shuffled_law",
]

EXACT: tuple[tuple[tuple[Any, ...], tuple[str, str], str], ...] = (
    (("0.5", 300, "0.001"), ("0.042778", "0.042805"), "0.357036"),
    ((1, 600, "0.00001"), ("0.140998", "0.141002"), "0.647342"),
)
"""(eps0, m, delta1), the exact eps at delta1 for bits by randomized response, and eps1.

The exact eps is for no other 1, and for one other 1 in both data sets.
"""


def shuffled_epsilon(eps0: Any, m: Any, delta1: Any, *, numbers: Any) -> Any:
    """(2.2): log(1 + 8 (E-1)/(E+1) (sqrt(E log(4/delta1)/m) + E/m)), E = e^eps0."""
    e = numbers.exp(eps0)
    return numbers.log(
        1 + 8 * (e - 1) / (e + 1) * (numbers.sqrt(e * numbers.log(4 / delta1) / m) + e / m)
    )


def shuffled_delta(eps0: Any, m: Any, delta1: Any, delta0: Any, *, numbers: Any) -> Any:
    """Theorem 2.2.2: delta1 + (e^eps1 + 1) (e^-eps0/2 + 1) m delta0."""
    e1 = numbers.exp(shuffled_epsilon(eps0, m, delta1, numbers=numbers))
    return delta1 + (e1 + 1) * (numbers.exp(-eps0) / 2 + 1) * m * delta0


def in_domain(eps0: Fraction, m: Fraction, delta1: Fraction) -> Finding:
    """2 exp(-m/(16 e^eps0)) <= delta1 <= 1."""
    least = 2 * ENCLOSED.exp(-m / (16 * ENCLOSED.exp(eps0)))
    return exactly(bool(least < delta1) and delta1 <= 1)


def ones_seen(p: Ball, m: int, bits: int) -> list[Ball]:
    """Law of the number of ones among m randomized responses, `bits` of the true ones being 1.

    Each response is false with probability p.
    """
    size = m - bits
    false, true = ([base**k for k in range(size + 1)] for base in (p, 1 - p))
    law = [comb(size, k) * false[k] * true[size - k] for k in range(size + 1)]
    zero = ENCLOSED.ball(0)
    for _ in range(bits):
        pairs = zip([*law, zero], [zero, *law], strict=True)
        law = [p * stay + (1 - p) * up for stay, up in pairs]
    return law


def excess(law: list[Ball], other: list[Ball], eps: Any) -> Ball:
    """Enclose the hockey-stick divergence: the sum of (P - e^eps Q)_+."""
    e, total = ENCLOSED.exp(eps), ENCLOSED.ball(0)
    for x, y in zip(law, other, strict=True):
        above = certainly_less(e * y, x)
        if above is None:
            high = max(endpoints(x - e * y)[1], Fraction(0))
            total = total + ENCLOSED.numbers.between(Fraction(0), high)
        elif above:
            total = total + (x - e * y)
    return total


@confirms(
    "Randomized response on 300 and 600 bits, all 0 against a single 1: the exact eps "
    "at delta1, and eps1, as printed; exact delta at eps1 below 1e-30.",
    Method.ENCLOSURE,
)
@mutant("1.01 eps0", power=Fraction(101, 100))
def randomized_response_obeys(power: Fraction = Fraction(1)) -> Finding:
    """One row of m bits, one of them 0 or 1: exact eps at delta1 as printed, far below eps1.

    And the exact delta at eps1 is below 1e-30.
    """
    return every(
        [
            *(
                _exact_epsilon(row, printed, others, power)
                for row, pair, _ in EXACT
                for others, printed in enumerate(pair)
            ),
            printed_table(shuffled_epsilon, ((row, bound) for row, _, bound in EXACT)),
        ],
        detail="exact eps 0.042778 < 0.357036 and 0.140998 < 0.647342",
    )


def _exact_epsilon(row: tuple[Any, ...], printed: str, others: int, power: Fraction) -> Finding:
    """Whether the exact eps at delta1 is within half a unit of the print, and delta(eps1) tiny."""
    eps0, m, delta1 = Fraction(row[0]), row[1], Fraction(row[2])
    p = 1 / (1 + ENCLOSED.exp(power * eps0))
    laws = ones_seen(p, m, others), ones_seen(p, m, others + 1)

    def largest(eps: Any) -> Ball:
        pairs = (laws, laws[::-1])
        return ENCLOSED.ball(ENCLOSED.largest(*(excess(*pair, eps) for pair in pairs)))

    low, high = printed_interval(printed)
    bound = shuffled_epsilon(eps0, m, delta1, numbers=ENCLOSED)
    above = bool(largest(low) > delta1) and bool(largest(high) < delta1)
    return exactly(above and bool(largest(bound) < Fraction(1, 10**30)))


Rows = tuple[tuple[int, ...], tuple[int, ...]]


def shuffled_law(rows: Rows, second: list[tuple[int, ...]], e: Fraction) -> dict[Any, Fraction]:
    """Law of m answers: row 1 shuffled, row 2 by each order of `second`, each block answered.

    Block i answers the exclusive or of its two bits, truthfully with probability e/(1+e).
    """
    m = len(rows[0])
    law: dict[Any, Fraction] = {}
    firsts = list(permutations(range(m)))
    for one, two in product(firsts, second):
        truth = [rows[0][one[i]] ^ rows[1][two[i]] for i in range(m)]
        for answer in product((0, 1), repeat=m):
            weight = Fraction(1, len(firsts) * len(second))
            for a, t in zip(answer, truth, strict=True):
                weight *= (e if a == t else 1) / (1 + e)
            law[answer] = law.get(answer, Fraction(0)) + weight
    return law


def hockey_stick(p: dict[Any, Fraction], q: dict[Any, Fraction], e: Fraction) -> Fraction:
    """Sum of (P - e Q)_+."""
    return sum((max(p[y] - e * q[y], Fraction(0)) for y in p), Fraction(0))


@confirms(
    "Two rows of three bits: the loss is at most that of row 1 alone, given row 2.", Method.EXACT
)
@mutant("0.99 of it", factor=Fraction(99, 100))
def reduction_to_one_row(factor: Fraction = Fraction(1)) -> Finding:
    """M = 3, two rows, all bits: shuffling both rows loses no more than, given row 2, row 1 alone.

    For e^eps0 = 2, a bit of row 1 changed, at several levels; with equality where row 2 is constant.
    """
    e, everything = Fraction(2), list(permutations(range(3)))
    worst = Fraction(0)
    for row, other in product(((0, 0, 0), (0, 0, 1), (0, 1, 1)), ((0, 0, 0), (0, 0, 1))):
        changed = (1 - row[0], *row[1:])
        for level in (Fraction(1), Fraction(6, 5), Fraction(3, 2)):
            both = hockey_stick(
                shuffled_law((row, other), everything, e),
                shuffled_law((changed, other), everything, e),
                level,
            )
            given = max(
                hockey_stick(
                    shuffled_law((row, other), [order], e),
                    shuffled_law((changed, other), [order], e),
                    level,
                )
                for order in everything
            )
            if both > factor * given:
                return exactly(False, f"{row}, {other}, level {level}: {both} > {given}")
            worst = max(worst, both / given if given else Fraction(0))
    return exactly(worst == 1, f"18 cases, largest ratio {worst}")


@proves(
    "Its error is bias^2 + variance / m, exactly, for m = 1, 2, 3.",
    Method.EXACT,
    cases="one mechanism on one law",
)
@mutant("1 % more variance", factor=Fraction(101, 100))
def average_of_blocks(p: Fraction = Fraction(1, 3), factor: Fraction = Fraction(1)) -> Finding:
    """Averages over m = 1, 2, 3 blocks of one record: MSE = bias^2 + (MSE_1 - bias^2)/m, exactly.

    M maps a coin of mean p to 1/5 or 4/5, so it is biased; then MSE <= beta^2 + alpha^2/m.
    """
    values = {0: Fraction(1, 5), 1: Fraction(4, 5)}
    weights = {0: 1 - p, 1: p}
    bias = sum((weights[x] * values[x] for x in values), Fraction(0)) - p
    single = sum((weights[x] * (values[x] - p) ** 2 for x in values), Fraction(0))
    for m in (1, 2, 3):
        square = Fraction(0)
        for blocks in product(values, repeat=m):
            weight = Fraction(1)
            for x in blocks:
                weight *= weights[x]
            square += weight * (sum((values[x] for x in blocks), Fraction(0)) / m - p) ** 2
        expected = bias**2 + factor * (single - bias**2) / m
        if square != expected or square > bias**2 + single / m:
            return exactly(False, f"m = {m}: {square} against {expected}")
    return exactly(True, f"bias {bias}, MSE of one block {single}")


@proves("Two rows of three: all 36 arrays equally often, no record leaves its row.", Method.EXACT)
@mutant("whole blocks permuted", together=True)
def arrays_after_shuffling(together: bool = False) -> Finding:
    """Two rows of three records: 36 equally likely arrays; each record stays in its row.

    Each cell of a row is each of its records equally often, independently of the other row.
    """
    rows = ("abc", "xyz")
    orders = list(permutations(range(3)))
    seen: dict[tuple[str, str], int] = {}
    for one, two in product(orders, orders):
        second = one if together else two
        array = ("".join(rows[0][i] for i in one), "".join(rows[1][i] for i in second))
        seen[array] = seen.get(array, 0) + 1
    kept = all(sorted(a) == list(rows[0]) and sorted(b) == list(rows[1]) for a, b in seen)
    return exactly(kept and len(seen) == 36 and set(seen.values()) == {1}, f"{len(seen)} arrays")
