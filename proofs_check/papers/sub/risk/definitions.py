"""Subset risk and subset-optimality: the definitions of Section 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import (
    Always,
    Definition,
    Domain,
    all_of,
    decided,
    floor,
    real_symbols,
    solve,
    whole_symbols,
)
from proofs_check.papers.sub.common import add, distance, mean, multisets, spread

__all__ = ["CLAIMS", "large_subsets"]


def large_subsets(data: Sequence[Any], k: int) -> list[tuple[Any, ...]]:
    """Sub-multisets with at least n - k points."""
    n = len(data)
    found = {part for size in range(n - k, n + 1) for part in combinations(data, size)}
    return sorted(found)


def larger_difference(first: Sequence[Any], second: Sequence[Any]) -> int:
    """max(|D minus D'|, |D' minus D|), which would make replacing a point one step."""
    return (distance(first, second) + abs(len(first) - len(second))) // 2


@proves("d({1, 2, 3}, {2, 3, 4}) = 2.", Method.EXACT)
@mutant("the larger difference for the sum", metric=larger_difference)
def distance_example(metric: Callable[..., int] = distance) -> Finding:
    """d({1, 2, 3}, {2, 3, 4}) = 2."""
    found = metric((1, 2, 3), (2, 3, 4))
    return exactly(found == 2, f"d = {found}")


@proves("It is a metric, and 1 exactly for neighbors.", Method.EXACT)
@mutant("the larger difference for the sum", metric=larger_difference)
def distance_is_a_metric(metric: Callable[..., int] = distance) -> Finding:
    """0 only for equal data, symmetric, triangle inequality; 1 exactly for one point more or less."""
    data = list(multisets((0, 1, 2), range(4)))
    d = {(a, b): metric(a, b) for a in data for b in data}
    for a in data:
        for b in data:
            one_more = any(add(x, v) == y for x, y in ((a, b), (b, a)) for v in (0, 1, 2))
            if d[a, b] != d[b, a] or (d[a, b] == 0) != (a == b) or (d[a, b] == 1) != one_more:
                return exactly(False, f"fails for {a}, {b}")
            if any(d[a, b] > d[a, c] + d[c, b] for c in data):
                return exactly(False, f"no triangle inequality between {a} and {b}")
    return exactly(True, f"{len(data)} multisets")


@proves("The best constant for a small data set.", Method.EXACT)
@mutant("0.505 for 1/2", share=Fraction(101, 200))
def risk_of_a_constant(share: Fraction = Fraction(1, 2)) -> Finding:
    """For D = {0, 0, 0, 1} and K = 1 the best constant errs by half the range of the subset means."""
    means = [mean(part) for part in large_subsets((0, 0, 0, 1), 1)]
    best = max(abs(m - (min(means) + max(means)) / 2) for m in means)
    right = share * spread((0, 0, 0, 1), 1)
    return exactly(best == right, f"error {best}, {share} diff = {right}")


@proves("The empty set counts unless n > K.", Method.EXACT)
@mutant("n = K", least=lambda k: k)
def needs_more_points_than_k(least: Callable[[int], int] = lambda k: k + 1) -> Finding:
    """No subset of size >= n - K is empty once n > K; with n = K one is, and has no mean."""
    for k in (1, 2, 3):
        n = least(k)
        if any(not part for part in large_subsets((0,) * n, k)):
            return exactly(False, f"n = {n}, K = {k}: the empty set counts")
    return exactly(True, "K = 1, 2, 3")


@proves("A constant is subset-optimal only with the trivial b.", Method.EXACT)
@mutant("b = 0.99", offset=Fraction(99, 100))
def constants_need_an_offset(offset: Fraction = Fraction(1)) -> Finding:
    """The constant 0 on [-1, 1] satisfies E l <= a R + b for all D only with b >= 1."""
    worst = max(
        abs(mean(data))
        for data in multisets((-1, 1), range(2, 6))
        if spread(data, 1) == 0  # then R(D, 1) = 0: the constant mean(D) is right on all subsets
    )
    return exactly(worst <= offset, f"loss {worst} where R = 0")


@proves("k = ceil(1 / eps) means (k - 1) eps < 1 <= k eps.", Method.SMT)
@mutant("0.505 for 1/2", half=Fraction(101, 200))
@decided(solve)
def rounded_epsilon(half: Fraction = Fraction(1, 2)) -> Always:
    """For k = ceil(1 / eps): eps / 2 < 1 / k <= eps."""
    (eps,), (k,) = real_symbols("eps"), whole_symbols("k")
    ceiling = Definition(
        all_of((k - 1) * eps < 1, k * eps >= 1), -floor(-1 / eps), "the ceiling of 1 / eps"
    )
    domain = Domain((eps > 0, eps <= 1), defined={k: ceiling})
    return Always(
        domain,
        (half * eps < 1 / k, 1 / k <= eps),
        "Replacing {eps} by {inverse}, whose inverse is whole, loses less than a factor of two.",
        {"inverse": 1 / k, "eps": eps},
    )


CLAIMS = (
    Claim(
        id="SUB-D0",
        source="Section 2, distance of data sets",
        says="The distance of two data sets is the number of points that must be removed or added.",
        latex=r"d(D, D') = |D \setminus D'| + |D' \setminus D|",
        domain="finite multisets; neighbors have distance 1 (add-remove)",
        status=Status.DEFINITION,
        checks=checks_of(distance_example, distance_is_a_metric),
    ),
    Claim(
        id="SUB-D1",
        source="Section 2, equation (1)",
        says="The subset risk is the least worst-case loss of a private mechanism on the large subsets of the data.",
        latex=r"R(D, \varepsilon) = \inf_{A\ \varepsilon\text{-DP}} \sup_{D' \subseteq D, |D'| \ge |D| - 1/\varepsilon} E\, \ell(A(D'), \theta(D'))",
        domain="n > 1 / eps (not printed): otherwise the empty set counts",
        status=Status.DEFINITION,
        checks=checks_of(risk_of_a_constant, needs_more_points_than_k),
    ),
    Claim(
        id="SUB-D2",
        source="Section 2, subset-optimality",
        says="A mechanism is subset-optimal if its loss is at most a multiple of the subset risk plus a small constant, for every data set.",
        latex=r"E\, \ell(A(D), \theta(D)) \le a R(D, \varepsilon) + b \text{ for all } D,\quad A\ c\varepsilon\text{-DP}",
        domain="a, b, c constants; Algorithms 3 and 4 reach it only for large n (SUB-T3.1s, SUB-T4.3s)",
        status=Status.DEFINITION,
        checks=checks_of(constants_need_an_offset),
    ),
    Claim(
        id="SUB-FN1",
        source="Footnote 1",
        states=(rounded_epsilon,),
        status=Status.PROVED,
        checks=checks_of(rounded_epsilon),
    ),
)
