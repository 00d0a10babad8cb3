"""EstimateRadius of PDP, Algorithm 5: its index, its sensitivity and its guarantee.

Query i counts the records within 2^(i-1) b of 0; with index base 1 the radius that fired is 2^(i-1) b.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, any_of, for_all, implies, reals
from proofs_check.steps import ByCheck, ByDefinition, ByHand

__all__ = ["CLAIMS", "count_within", "estimated_radius", "first_index", "printed_radius"]

BOT = None

Records = Sequence[Fraction | None]


def count_within(data: Records, radius: Fraction) -> int:
    """Count(D, r): records other than BOT with |x| <= r."""
    return sum(x is not BOT and abs(x) <= radius for x in data)


def estimated_radius(index: int, b: Fraction) -> Fraction:
    """2^(i-1) b: the radius of the query that fired."""
    return Fraction(2) ** (index - 1) * b


def printed_radius(index: int, b: Fraction) -> Fraction:
    """2^(i-2) b, as printed."""
    return Fraction(2) ** (index - 2) * b


def first_index(data: Records, b: Fraction) -> int:
    """The first i whose radius covers all records: what is returned without noise and offset."""
    size = sum(x is not BOT for x in data)
    index = 1
    while count_within(data, estimated_radius(index, b)) < size:
        index += 1
    return index


def _small_data() -> list[tuple[Fraction | None, ...]]:
    values = [BOT, *(Fraction(x) for x in (0, 1, -1, 2, 3, -5, 9))]
    return [d for n in range(1, 4) for d in combinations_with_replacement(values, n)]


@proves(
    "Without noise, 2^(i-1) b covers all records and is at most max(b, 2 max |x|).", Method.EXACT
)
@mutant("2^(i-2) b, as printed", radius=printed_radius)
def covers_everything(radius: Callable[[int, Fraction], Fraction] = estimated_radius) -> Finding:
    """Without noise the radius covers all records and is at most max(b, 2 max |x|)."""
    unit = Fraction(1)
    for data in _small_data():
        found = radius(first_index(data, unit), unit)
        largest = max((abs(x) for x in data if x is not BOT), default=Fraction(0))
        if not largest <= found <= max(unit, 2 * largest):
            return exactly(False, f"D = {data}: radius {found}, largest |x| = {largest}")
    return exactly(True, f"all of {len(_small_data())} datasets")


@proves("The queries move by at most 1 if one record changes, also from or to BOT.", Method.SMT)
@mutant("0.99", reach=Fraction(99, 100))
@for_all(reals("count size dc ds"))
def queries_move_by_one(
    count: Any, size: Any, dc: Any, ds: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """Count(D, r) - |D| = -#{|x| > r} moves by at most 1 if a record changes, also from or to BOT."""
    replaced = all_of(any_of(dc == -1, dc == 0, dc == 1), ds == 0)
    added = all_of(any_of(dc == 0, dc == 1), ds == 1)
    removed = all_of(any_of(dc == 0, dc == -1), ds == -1)
    moved = (count + dc - size - ds) - (count - size)
    bound = reach
    return implies(any_of(replaced, added, removed), all_of(moved <= bound, -moved <= bound))


@proves("The first radius that covers all records is at most max(b, 2 Radius(D)).", Method.SMT)
@mutant("1.98 Radius(D)", factor=Fraction(198, 100))
@for_all(reals("p b radius"))
def guarantee(p: Any, b: Any, radius: Any, *, factor: Fraction = Fraction(2)) -> Condition:
    """The first radius p = 2^(k-1) b that covers Radius(D) is at most max(b, 2 Radius(D))."""
    first = any_of(p == b, p / 2 < radius)
    given = all_of(b > 0, radius >= 0, p >= radius, first)
    return implies(given, any_of(p <= b, p <= factor * radius))


CLAIMS = (
    Claim(
        id="PDP-A5",
        source="Algorithm 5 (EstimateRadius)",
        says="A private radius: AboveThreshold on the counts within b, 2b, 4b, ... of 0, at the threshold -(6 / eps) ln(2 / beta); the radius that fired is returned.",
        latex=r"i = \mathrm{SVT}\left(-\tfrac{6}{\varepsilon}\ln\tfrac{2}{\beta};\ \mathrm{Count}(D, 2^{i-1} b) - |D|\right), \quad \widehat{\mathrm{Rad}} = 2^{i-1} b",
        domain="b > 0; the print returns 2^(i-2) b, half the radius that fired",
        status=Status.DEFINITION,
        assumes=("PDP-A1", "PDP-L6"),
        checks=checks_of(covers_everything, queries_move_by_one, guarantee),
        note="By Lemma 6 the index is at most the first k whose radius covers all records, and at most (6 / eps)(ln(2 / beta) + ln(2 k / beta)) records lie outside, each with probability at least 1 - beta. That the print returns half of the radius that fired is PDP-E-11.",
    ),
    Claim(
        id="PDP-A5p",
        source="Algorithm 5, privacy",
        says="EstimateRadius is eps-differentially private for one changed record, as printed too: the returned radius is a function of the index.",
        latex=r"P(i = k \mid D) \le e^{\varepsilon} P(i = k \mid D')",
        domain="b > 0, eps > 0; one record changed, also from or to BOT",
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-A1",),
        checks=checks_of(queries_move_by_one),
        steps=(
            ByCheck("queries_move_by_one"),
            ByHand(
                "The queries -(number of records beyond a radius) move by at most 1, so the index is that of an AboveThreshold with sensitivity 1 (PDP-A1)."
            ),
            ByDefinition("PDP-A5", "The radius is a function of the index."),
        ),
        note="For D without BOT and a fixed record the queries all move the same way, so the stage costs at most 3 eps / 4.",
    ),
)
