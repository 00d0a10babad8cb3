"""Amplification by shuffling as a finite sum: clones, with the proof that Theorem A.4.1 cites."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import certainly_less, endpoints
from proofs_check.papers.tri.chapter2.shuffle_law import hockey_stick
from proofs_check.papers.tri.common import Box
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "clones_excess", "counts_law"]

ONE_PERCENT = Fraction(101, 100)
LESS = Fraction(99, 100)
LEVELS = (Fraction(1), Fraction(6, 5), Fraction(3, 2), Fraction(2))
"""Values of e^epsilon, for e^epsilon0 = 2."""

EPSILONS = (
    ((Fraction(1), 256, Fraction(1, 100)), Fraction(8573, 10**5)),
    ((Fraction(1, 2), 60, Fraction(1, 50)), Fraction(5943, 200000)),
)
"""(eps0, m, delta), and the least multiple of 1e-6 at which the sum is at most delta."""


def clones_excess(e: Any, m: int, big: Any, q: Any) -> Any:
    """Delta at E = `big`: over N, the positive parts of P - E Q of how many are of the first kind."""
    total = 0 * e
    for n in range(1, m + 1):
        weight = comb(m - 1, n - 1) * q ** (n - 1) * (1 - q) ** (m - n)
        for a in range(n + 1):
            gain = (e * a + (n - a) - big * (a + e * (n - a))) / (1 + e)
            total = total + weight * _positive(gain) * Fraction(comb(n, a), n * 2 ** (n - 1))
    return total


def _positive(gain: Any) -> Any:
    """The positive part; of a ball around 0 all that it may be."""
    if isinstance(gain, Fraction):
        return max(gain, Fraction(0))
    above = certainly_less(ENCLOSED.ball(0), gain)
    if above is None:
        return ENCLOSED.numbers.between(Fraction(0), max(endpoints(gain)[1], Fraction(0)))
    return gain if above else ENCLOSED.ball(0)


def counts_law(e: Fraction, m: int, q: Fraction, truth: bool) -> dict[Any, Fraction]:
    """Law of how many answers are of the first kind and of the second, by all outcomes of coins."""
    own = e / (1 + e) if truth else 1 / (1 + e)
    law: dict[Any, Fraction] = {}
    for kinds in product((0, 1, None), repeat=m - 1):
        weight = Fraction(1)
        for kind in kinds:
            weight *= 1 - q if kind is None else q / 2
        for first, chance in ((1, own), (0, 1 - own)):
            seen = kinds.count(0) + first, kinds.count(1) + 1 - first
            law[seen] = law.get(seen, Fraction(0)) + weight * chance
    return law


@proves("The parts Q0 and Q1 of the two laws, and their mean.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=2 * ONE_PERCENT)
def parts_of_answers(two: Fraction = Fraction(2)) -> Finding:
    """The two laws of the changed record in their parts, and what is left of any other record's.

    With r and s the densities of the two, Q0 = (e r - s)/(e - 1) and Q1 = (e s - r)/(e - 1) are not
    negative where r <= e s and s <= e r, and (Q0 + Q1)/2 = (r + s)/2 is at most e times any other.
    """
    e, r, s = symbols("e r s", positive=True)
    first, second = (e * r - s) / (e - 1), (e * s - r) / (e - 1)
    domain: Box = {e: (Fraction(3, 2), 9), r: (1, 3), s: (1, 3)}
    return every(
        (
            identical((e * first + second) / (1 + e), r, domain),
            identical((first + e * second) / (1 + e), s, domain),
            identical((first + second) / two, (r + s) / 2, domain),
        )
    )


@confirms(
    "For m up to 5 the sum is the divergence of the counts, by all outcomes of the coins.",
    Method.EXACT,
)
@mutant("clones 1.01 times as often", factor=ONE_PERCENT)
def sum_is_the_excess(factor: Fraction = Fraction(1)) -> Finding:
    """For m = 1, .., 5 and e^eps0 = 2 the sum is the divergence of the laws of the two counts."""
    e, rows = Fraction(2), []
    q = factor / e
    for m, level in product(range(1, 6), LEVELS):
        laws = [counts_law(e, m, 1 / e, truth) for truth in (True, False)]
        found = hockey_stick(laws[0], laws[1], level)
        rows.append(exactly(found == clones_excess(e, m, level, q), f"m = {m}, E = {level}"))
    return every(rows, detail=f"{len(rows)} pairs of m and level")


@confirms(
    "Rows of 1 to 3 bits by randomized response lose no more, and one bit as much.", Method.EXACT
)
@mutant("0.99 times the sum", factor=LESS)
def shuffled_bits_lose_less(factor: Fraction = Fraction(1)) -> Finding:
    """All rows of 1 to 3 bits by randomized response: never more than the sum, which one bit attains."""
    e, rows = Fraction(2), []
    for m in (1, 2, 3):
        orders = list(permutations(range(m)))
        for bits in product((0, 1), repeat=m - 1):
            laws = []
            for own in (0, 1):
                law: dict[Any, Fraction] = {}
                for order, answer in product(orders, product((0, 1), repeat=m)):
                    weight = Fraction(1, len(orders))
                    for place, a in zip(order, answer, strict=True):
                        weight *= (e if a == (own, *bits)[place] else 1) / (1 + e)
                    law[answer] = law.get(answer, Fraction(0)) + weight
                laws.append(law)
            for level in LEVELS:
                bound = factor * clones_excess(e, m, level, 1 / e)
                ways = ((laws[0], laws[1]), (laws[1], laws[0]))
                rows.append(exactly(all(hockey_stick(p, r, level) <= bound for p, r in ways)))
    return every(rows, detail=f"{len(rows)} rows and levels")


@encloses("The least multiples of 1e-6 at which the sum is at most delta.", Method.ENCLOSURE)
@mutant("1.01 eps0", factor=ONE_PERCENT)
def least_levels(factor: Fraction = Fraction(1)) -> Finding:
    """At the printed epsilon the sum is at most delta, and not 1e-6 before."""
    rows = []
    for (eps0, m, delta), level in EPSILONS:
        e = ENCLOSED.exp(factor * eps0)
        ends = (level, level - Fraction(1, 10**6))
        at, before = (clones_excess(e, m, ENCLOSED.exp(x), 1 / e) for x in ends)
        rows.append(exactly(bool(at < delta) and bool(before > delta), f"eps = {float(level)}"))
    return every(rows, detail="0.08573, where (2.2) has 0.67891, and 0.029715")


CLAIMS = (
    Claim(
        id="TRI-T2.2.2-clones",
        source="our own, for Theorem 2.2.2 with delta0 = 0",
        ours=True,
        says=(
            "m answers on shuffled blocks, each eps0-private in its block whatever came before, lose "
            "at most the divergence of two laws of a pair of counts, a finite sum."
        ),
        latex=r"\delta(\varepsilon)=\sum_{N=1}^{m}P(C=N-1)"
        r"\sum_{a=0}^{N}\frac{P(A_N=a)}{N/2}\cdot\frac{\max(0,\,ea+N-a-E(a+e(N-a)))}{1+e}",
        domain="eps0 > 0, m >= 1, e = e^eps0, E = e^eps; C ~ Bin(m - 1, 1/e), A_N ~ Bin(N, 1/2); one record replaced",
        status=Status.PROVED,
        checks=checks_of(
            parts_of_answers, sum_is_the_excess, shuffled_bits_lose_less, least_levels
        ),
        steps=(
            ByHand(
                "Given the permutations of the other rows, answer i is eps0-private in the record of the changed row that it gets, whatever the earlier answers are; divergences are convex, so a bound for every such choice is one for their mixture."
            ),
            ByCheck(
                "parts_of_answers",
                "The answer to the changed record is (e Q0 + Q1)/(1 + e), on the neighbor (Q0 + e Q1)/(1 + e).",
            ),
            *by_hand(
                "On any other record its density is at least 1/e times that on either value, hence at least (Q0 + Q1)/(2 e): with probability q/2 each it is Q0 or Q1, else a law of its own (e r >= s >= r/e makes Q0 and Q1 densities).",
                "Draw every record's kind first, independent of the permutation: given how many are Q0 and Q1, the other records with a law of their own are a uniform set, and the kinds lie in uniform order. All of that is alike on both sides, so the answers are a function of the two counts.",
                "The counts are (A + D, C + 1 - A - D) with C binomial and A given C binomial at 1/2; given N = C + 1 the first is a with weight binom(N, a)/(N 2^(N-1)) times (e a + N - a)/(1 + e), on the neighbor (a + e (N - a))/(1 + e). The divergence is the sum of the positive parts.",
            ),
        ),
    ),
)
