"""Errata of PDP in algorithms that are private all the same: errata 30, 32, 33 and 34."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.language import (
    TERMS,
    Condition,
    Quantity,
    all_of,
    implies,
    integers,
    reals,
    refuted,
)
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.papers.pdp.mean.weighted_mean import adpm_objective, raw_recursion
from proofs_check.papers.pdp.tools.quantile import rank_score
from proofs_check.papers.pdp.tools.radius import count_within, estimated_radius
from proofs_check.papers.pdp.tools.saturation import OFFSET, saturation
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS"]


@refutes(
    "(2, 8, 8): (2, 6, 7.6) with objective 0.434583 against (2, 6, 6) with 0.428571.", Method.EXACT
)
@mutant("8.08 for 8", offset=OFFSET * PERCENT)
def recursions_differ(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """Budgets (2, 8, 8): printed (2, 6, 7.6), smallest k (2, 6, 6); objectives 0.434583, 0.428571."""
    budgets = [Fraction(e) for e in (2, 8, 8)]
    raw, right = raw_recursion(budgets), saturation(budgets, offset).budgets
    vectors = list(raw) == [2, 6, Fraction(38, 5)] and list(right) == [2, 6, 6]
    values = [ball(adpm_objective(list(v), offset)) for v in (raw, right)]
    texts = ("0.434583", "0.428571")
    rows = [("objective", text, value) for text, value in zip(texts, values, strict=True)]
    return every([as_printed(rows), exactly(vectors, "printed (2, 6, 7.6), right (2, 6, 6)")])


@refutes("Six records 1 and four 100, eps = 100, beta = 0.1: radii 1 and 128.", Method.ENCLOSURE)
@mutant("five records 1", near=5)
def thresholds_differ(epsilon: Fraction = Fraction(100), near: int = 6) -> Finding:
    """Six records 1, the others up to ten 100, b = 1: |D| / 2 stops at radius 1, the other at 128."""
    data = [Fraction(1)] * near + [Fraction(100)] * (10 - near)
    slack = 6 * NUMBERS.log(ball(20)) / epsilon  # beta = 0.1
    stops = []
    for threshold in (ball(5), 10 - slack):
        index = next(
            i
            for i in range(1, 20)
            if certainly_less(threshold, count_within(data, estimated_radius(i, Fraction(1))))
        )
        stops.append(estimated_radius(index, Fraction(1)))
    return exactly(stops == [1, 128], f"radii {[str(s) for s in stops]}")


def ranked_cases(most: int = 4, values: int = 3) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All sorted data of at most four records of three values, with all ranks and outputs."""
    for n in range(1, most + 1):
        for data in combinations_with_replacement(range(values), n):
            for rank, x in product(range(1, n + 1), range(values)):
                yield data, rank, x


def between(data: Sequence[int], rank: int, x: int) -> int:
    """Number of elements between the rank-th value and x, x excluded, as the text says."""
    low, high = sorted((data[rank - 1], x))
    return sum(low < y < high for y in data)


def fewest_changes(data: Sequence[int], rank: int, x: int) -> int:
    """Minus the score: the fewest changes that make x the rank-th value."""
    return -int(rank_score(sum(y < x for y in data), sum(y <= x for y in data), rank))


@refutes("The elements between are not the number of changes in 210 of 315 cases.", Method.EXACT)
@mutant("the fewest changes", count=fewest_changes)
def distance_is_not_between(count: Callable[..., int] = between) -> Finding:
    """The number of elements between is not the number of changes."""
    cases = list(ranked_cases())
    wrong = sum(count(*case) != fewest_changes(*case) for case in cases)
    return exactly(wrong == 210, f"differs in {wrong} of {len(cases)} cases")


@refutes("c = 18.4226797446185 is no integer.", Method.ENCLOSURE)
@mutant("|X| = 1011", size=1011)
def rank_is_no_integer(size: int = 1001) -> Finding:
    """The clamp c = (2 / eps) ln(|X| / beta) = 18.42 for eps = 1, |X| = 1001, beta = 0.1: no rank of data."""
    return as_printed([("c", "18.4226797446185", 2 * NUMBERS.log(ball(10 * size)))])


def third(found: Callable[[Sequence[Fraction]], Sequence[Fraction]]) -> Callable[..., Fraction]:
    """The third saturated budget of three."""
    return lambda *budgets: found(budgets)[2]


@refutes("(2, 8, 8): 7.6 against 6.", Method.EXACT)
@mutant("(2, 3, 4), no saturation", e2=3, e3=4)
@refuted(
    reals("e1 e2 e3"),
    "The recursion with the given budgets yields the saturated budgets of the text: the last of three is {left}, which is {right}.",
    at={"e1": 2, "e2": 8, "e3": 8},
)
def recursion_saturates(e1: Any, e2: Any, e3: Any) -> Condition:
    """Both ways to saturate three ascending budgets."""
    printed = Quantity(
        "that of the recursion",
        r"\min\Big(\varepsilon_{k+1}, \frac{\sum_{i \le k} \varepsilon_i^2 + 8}{\sum_{i \le k} \varepsilon_i}\Big)",
        third(raw_recursion),
    )
    right = Quantity(
        "that of the text", r"\tilde\varepsilon_{k+1}", third(lambda b: saturation(b).budgets)
    )
    ascending = all_of(e1 > 0, e1 <= e2, e2 <= e3)
    return implies(ascending, printed(e1, e2, e3) == right(e1, e2, e3))


@refutes("Two records 50 and two zeros have the mean 25.", Method.EXACT)
@mutant("padded by the center", pad=lambda x: x)
@mutant("no zeros", z=0)
@refuted(
    reals("x") | integers("m z"),
    "Samples are padded with zeros: {m} records {x} and {z} zeros have the mean {x}.",
    at={"x": 50, "m": 2, "z": 2},
)
def padded_mean(x: Any, m: Any, z: Any, *, pad: Any = None) -> Condition:
    """The mean of equal records and of what pads them."""
    padding = 0 if pad is None else pad(x)
    return implies(all_of(m >= 1, z >= 0), (m * x + z * padding) / (m + z) == x)


@refutes("n = 10, eps = 100, beta = 0.1: 5 and 9.8.", Method.ENCLOSURE)
@mutant("beta outside of its range", beta=2)
@refuted(
    reals("eps beta") | integers("n"),
    "The radius stage compares the count with {left}, and also with {right}: they are equal.",
    at={"eps": 100, "beta": Fraction(1, 10), "n": 10},
)
def one_threshold(eps: Any, beta: Any, n: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """The thresholds of Section 4.3 and of Algorithm 5."""
    given = all_of(eps > 0, beta > 0, beta < 1, n >= 1)
    return implies(given, half * n == n - 6 * TERMS.log(2 / beta) / eps)


@refutes("D = {0}, output 2: one change, no element between.", Method.EXACT)
@mutant("the fewest changes", count=fewest_changes)
@refuted(
    integers("a x"),
    "The score is minus the number of elements between the rank's value and the output: of one record {left} is {right};",
    at={"a": 0, "x": 2},
)
def changes_are_counted_between(
    a: Any, x: Any, *, count: Callable[..., int] = between
) -> Condition:
    """Of the data {a}, at rank 1: the fewest changes that make x the value of that rank."""
    changes = Quantity(
        "the number of changes",
        r"\inf_{D': Q(D') = y} d(D, D')",
        lambda a, x: fewest_changes((int(a),), 1, int(x)),
    )
    elements = Quantity(
        "the number of elements between",
        r"\#\{\text{elements between}\}",
        lambda a, x: count((int(a),), 1, int(x)),
    )
    return implies(all_of(a >= 0, x >= 0), changes(a, x) == elements(a, x))


@refutes("n = 4, c = 3: no interval.", Method.EXACT)
@mutant("n = 6", n=6)
@refuted(
    integers("n c"),
    "ranks may be any numbers, clamped to the interval from {left} to {right}.",
    at={"n": 4, "c": 3},
)
def clamp_is_an_interval(n: Any, c: Any) -> Condition:
    """C <= n - c."""
    return implies(all_of(n >= 1, c >= 1), c <= n - c)


CLAIMS = (
    Claim(
        id="PDP-E-30",
        source="Algorithm 3 against Section 3.5",
        states=(recursion_saturates,),
        domain="three ascending budgets, k = 2",
        status=Status.REFUTED,
        checks=checks_of(recursion_saturates, recursions_differ),
        why="Beyond the first crossing the ratio rises again; private, but not the minimizer.",
        right="tau at the smallest k; or the saturated budgets in both sums.",
        corrected_by="PDP-A3",
        obligations=parts_of(recursions_differ),
    ),
    Claim(
        id="PDP-E-32",
        source="Algorithm 8, WORSample",
        states=(padded_mean,),
        domain="m the size of the group, z what the count exceeds it by",
        status=Status.REFUTED,
        checks=checks_of(padded_mean),
        why="Zeros pull the mean towards 0.",
        right="Pad with placeholders, which never survive diffusion and count as the center of the range.",
    ),
    Claim(
        id="PDP-E-33",
        source="Section 4.3 against Algorithm 5",
        states=(one_threshold,),
        domain="n = |D| is the number of records",
        status=Status.REFUTED,
        checks=checks_of(one_threshold, thresholds_differ),
        why="The two thresholds are different numbers.",
        right="n - (6 / eps) ln(2 / beta), as in Algorithm 5.",
        obligations=parts_of(thresholds_differ),
    ),
    Claim(
        id="PDP-E-34",
        source="Algorithm 2 and the text before it",
        states=(changes_are_counted_between, clamp_is_an_interval),
        domain="one record a, rank 1, output x; c = (2 / eps) ln(|X| / beta) rounded up, n records",
        status=Status.REFUTED,
        checks=checks_of(
            clamp_is_an_interval,
            changes_are_counted_between,
            distance_is_not_between,
            rank_is_no_integer,
        ),
        why="Ties and the output itself count; the order of the tests decides if n < 2c; ranks must be integers.",
        right="score = -max(0, #{y < x} - (r - 1), r - #{y <= x}), r rounded up, r < c tested first.",
        corrected_by="PDP-A2",
        obligations=parts_of(distance_is_not_between, rank_is_no_integer),
    ),
)
