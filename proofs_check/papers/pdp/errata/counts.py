"""Errata of PDP about the counts and samples of Algorithm 8 that concern privacy: errata 6 and 7."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import TERMS, Condition, Quantity, implies, reals, refuted
from proofs_check.papers.pdp.common import NUMBERS, ball

__all__ = ["CLAIMS", "sample_coupling"]

LEFT = Fraction(3, 10)
Sample = tuple[int | None, ...]


@refutes("Together with the mean stage 1.5 left, by the paper's own accounting.", Method.EXACT)
@mutant("mean stage at 0.99 * left / 4", mean_share=Fraction(99, 400))
def total_cost(mean_share: Fraction = Fraction(1, 4)) -> Finding:
    """Budget left for the count and 2 left / 4 for the mean stage: 1.5 left, above the budget left."""
    total = LEFT + 2 * mean_share * LEFT
    return exactly(total == Fraction(3, 2) * LEFT and total > LEFT, f"{total} against {LEFT}")


@proves("Private with probability 1 - beta over the own coins is not private.", Method.EXACT)
@mutant("P(1 | 0) = 1 / 1000", on_zero=Fraction(1, 1000))
def mostly_private(on_zero: Fraction = Fraction(0)) -> Finding:
    """Private with probability 1 - beta over its own coins is not private.

    With probability beta the record is released, else a constant: for every eps the inequality
    fails at the output 1.
    """
    on_one = Fraction(1, 20)
    fails = [on_one > ExpSum.exp(Fraction(eps)) * on_zero for eps in (1, 10, 100)]
    return exactly(all(fails), f"P(1 | 1) = {on_one}, P(1 | 0) = {on_zero}")


def samples(users: int, count: int) -> dict[Sample, Fraction]:
    """The law of a sample without replacement as a sorted list, padded with placeholders."""
    size = min(users, count)
    return {
        (*kept, *(None,) * (count - size)): Fraction(1, comb(users, size))
        for kept in combinations(range(users), size)
    }


def sample_coupling(users: int, count: int) -> Iterator[tuple[Sample, Sample, Fraction]]:
    """Samples of all users and of all but the last one, with their joint probability.

    The last user, if sampled, is replaced by a uniform user that is not, or by a placeholder.
    """
    last = users - 1
    for sample, probability in samples(users, count).items():
        if last not in sample:
            yield sample, sample, probability
            continue
        others: list[int | None] = [u for u in range(last) if u not in sample] or [None]
        for other in others:
            replaced = tuple(other if u == last else u for u in sample)
            yield sample, replaced, probability / len(others)


@proves(
    "With the user and without, samples of any count couple at Hamming distance at most 1.",
    Method.EXACT,
)
@mutant("distance 0", distance=0)
def coupling_is_exact(distance: int = 1, most: int = 6) -> Finding:
    """Marginals of the coupling and its Hamming distance, for all sizes and all counts."""
    cases = 0
    for users in range(1, most + 1):
        for count in range(1, most + 3):
            cases += 1
            first: dict[Sample, Fraction] = {}
            second: dict[tuple[Any, ...], Fraction] = {}
            for one, other, probability in sample_coupling(users, count):
                first[one] = first.get(one, Fraction(0)) + probability
                key = _bag(other)
                second[key] = second.get(key, Fraction(0)) + probability
                moved = sum(a != b for a, b in zip(one, other, strict=True))
                if moved > distance:
                    return exactly(False, f"distance {moved} at {users} users, count {count}")
            wanted = {_bag(s): p for s, p in samples(users - 1, count).items()}
            if first != samples(users, count) or second != wanted:
                return exactly(False, f"wrong marginals at {users} users, count {count}")
    return exactly(True, f"{cases} sizes and counts, also counts above the size")


def _bag(sample: Sample) -> tuple[Any, ...]:
    return tuple(sorted(sample, key=lambda u: (u is None, u or 0)))


ONE_USER = Quantity("P(count > 1 | one user)", r"P(c > 1 \mid 1)", lambda _: Fraction(1, 2))


@refutes("P(count > 1) with one user and with none, at left = 0.3.", Method.ENCLOSURE)
@mutant("scale 2.02 / left", rate=Fraction(100, 202))
@refuted(
    reals("left"),
    "A count with noise of scale {scale} costs half of the budget {left}: {first} is at most {right}.",
    at={"left": LEFT},
    terms=lambda v: {"first": ONE_USER(v["left"]), "scale": 1 / v["left"]},
)
def cost_of_a_count(budget: Any, *, rate: Fraction = Fraction(1)) -> Condition:
    """P(count > 1 | one user) <= e^(l / 2) P(count > 1 | none), by the Laplace tail."""
    none = Quantity(
        "P(count > 1 | none)", r"P(c > 1 \mid 0)", lambda left: NUMBERS.exp(ball(-rate * left)) / 2
    )
    return implies(budget > 0, ONE_USER(budget) <= TERMS.exp(budget / 2) * none(budget))


CLAIMS = (
    Claim(
        id="PDP-E-06",
        source="Algorithm 8, against Section 5.2 and the proof of Theorem 13",
        states=(cost_of_a_count,),
        domain="left = 2^(i-1) eps_min; the text has scale 2 / left for the group above 2^i eps_min",
        status=Status.REFUTED,
        checks=checks_of(cost_of_a_count, total_cost),
        why="Adding or removing a user moves the count by 1; at scale 1 / left that costs left (PDP-CX7).",
        right="Scale 2 / left.",
        corrected_by="PDP-T13",
        obligations=parts_of(total_cost),
    ),
    Claim(
        id="PDP-E-07",
        source="Theorem 13",
        says="The print promises privacy with probability 1 - beta, which is less than privacy; Algorithm 8, corrected, is private surely.",
        latex=r"d(\mathrm{WOR}(G, c), \mathrm{WOR}(G \setminus u, c)) \le 1 \text{ for every } c",
        domain="all group sizes and all counts c >= 1, samples padded with placeholders",
        status=Status.REMARK,
        checks=checks_of(mostly_private, coupling_is_exact),
        why="A statement that may fail with probability beta is weaker than pure privacy.",
        right="Algorithm 8, corrected, is private unconditionally: the coupling of the samples holds for every count, also for overestimated ones.",
        corrected_by="PDP-T13",
        note="The exact check of up to six users and counts up to eight shows the general pattern: given that u is sampled, the other c - 1 are a uniform set of the others, and a uniform further one makes it a uniform set of c. A failure of the counts therefore costs utility only.",
    ),
)
