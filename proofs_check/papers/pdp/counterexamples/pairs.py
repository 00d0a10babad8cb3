"""Pairs of records in Discretization (PDP, Algorithm 4, line 2): too sensitive, with the loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.language import Condition, Quantity, all_of, implies, integers, refuted
from proofs_check.papers.pdp.common import PERCENT
from proofs_check.papers.pdp.tools.svt import noise_gap_tail
from proofs_check.steps import ByCheck
from proofs_check.symbolic import Rational, exp, identical, integrate, oo, symbols

__all__ = [
    "CLAIMS",
    "all_pairs",
    "count_moves_by_one",
    "sorted_count_moves_by_one",
    "sorted_pairs",
    "within",
]

ONE = Fraction(1)

Pairing = Callable[[Sequence[Fraction]], list[Fraction]]


def all_pairs(data: Sequence[Fraction]) -> list[Fraction]:
    """|x_i - x_j| of all pairs, as line 2 of Algorithm 4 says."""
    return [abs(x - y) for x, y in combinations(data, 2)]


def sorted_pairs(data: Sequence[Fraction]) -> list[Fraction]:
    """|x_i - x_j| of adjacent pairs of the sorted data."""
    ordered = sorted(data)
    return [y - x for x, y in zip(ordered[::2], ordered[1::2], strict=True)]


def within(gaps: Sequence[Fraction], radius: Fraction = ONE) -> int:
    """Count(G, r)."""
    return sum(gap <= radius for gap in gaps)


def _matched(data: Sequence[Fraction]) -> list[Fraction]:
    """|x_i - x_j| of the pairs (1, 2), (3, 4), ... of the records as they come."""
    return [abs(x - y) for x, y in zip(data[::2], data[1::2], strict=False)]


@refutes(
    "Counts move by n - 1 = 2 for all pairs of 3 records, by n / 2 = 2 for 4 sorted ones.",
    Method.EXACT,
)
@mutant("pairs of the records as they come", first=_matched)
@mutant("unsorted adjacent pairs", second=_matched)
def pairs_move_too_far(first: Pairing = all_pairs, second: Pairing = sorted_pairs) -> Finding:
    """Count(G, 1): 3 -> 1 for all pairs of 3, 2 -> 0 for adjacent pairs of 4 sorted records."""
    before, after = (_data("0 0 0"), _data("0 0 9"))
    counts = [within(first(d)) for d in (before, after)]
    sorted_before, sorted_after = (_data("0 0 5 5"), _data("9 0 5 5"))
    others = [within(second(d)) for d in (sorted_before, sorted_after)]
    return exactly(counts == [3, 1] and others == [2, 0], f"{counts}, {others}")


@refutes("All pairs of ten records: P(b >= 1/2) changes by more than e^2 at eps = 2.", Method.EXACT)
@mutant("nine records", records=9)
def pairs_break_discretization(records: int = 10) -> Finding:
    """Ten equal records, eps = 2: one moved away makes P(b >= 1/2) more than e^2 times as likely.

    All pairs: the first query falls from 22.5 to 13.5; it does not fire with probability
    g(q) = (4 e^(-q/4) - e^(-q/2)) / 6 in units of 2 / eps, and then b is at least 1/2.
    """
    data = [Fraction(0)] * records
    moved = [Fraction(9), *data[1:]]
    queries = [within(all_pairs(d)) - Fraction(len(all_pairs(d)), 2) for d in (data, moved)]
    tails = [_gap_tail(q) for q in queries]
    return _above_e_squared(tails[1] / tails[0])


@refutes("Adjacent pairs of 28 sorted records: likewise.", Method.EXACT)
@mutant("13 pairs", pairs=13)
def sorted_pairs_break_discretization(pairs: int = 14) -> Finding:
    """28 sorted records in 14 tight pairs, eps = 2: one moved away breaks them all.

    The first query falls from 7 to -7: it does not fire with probability g(7), then 1 - g(7).
    """
    data = [Fraction(3 * (i // 2)) for i in range(2 * pairs)]
    moved = [Fraction(3 * pairs), *data[1:]]
    queries = [within(sorted_pairs(d)) - Fraction(pairs, 2) for d in (data, moved)]
    tails = [_gap_tail(queries[0]), 1 - _gap_tail(-queries[1])]
    return _above_e_squared(tails[1] / tails[0])


@refutes("The law of the difference of the two noises.", Method.SYMBOLIC)
@mutant("scale 4.04", scale=4 * PERCENT)
def gap_tail_by_integration(scale: Fraction = Fraction(4)) -> Finding:
    """P(T - N >= q) for N = Lap(4), T = Lap(2) is g(q), by the convolution of the densities."""
    t, q = symbols("t q", positive=True)
    four = Rational(scale.numerator, scale.denominator)
    above = integrate(exp(-t / 2) / 4 * (1 - exp(-(t - q) / four) / 2), (t, q, oo))
    between = integrate(exp(-t / 2) / 4 * exp(-(q - t) / four) / 2, (t, 0, q))
    under = integrate(exp(-t / 2) / 4 * exp(-(q + t) / four) / 2, (t, 0, oo))
    return identical(above + between + under, noise_gap_tail(q, numbers=SYMBOLIC), {q: (0, 9)})


def _gap_tail(q: Fraction) -> ExpRatio:
    total = ExpSum.exp(-q / 4, Fraction(4, 6)) - ExpSum.exp(-q / 2, Fraction(1, 6))
    return ExpRatio(total, ExpSum.rational(1))


def _data(text: str) -> list[Fraction]:
    return [Fraction(x) for x in text.split()]


def _above_e_squared(ratio: ExpRatio) -> Finding:
    holds = ratio > ExpSum.exp(Fraction(2))
    return exactly(holds, f"ratio {ratio.ball()!r} against e^2 = 7.389...")


def count_change(pairing: Pairing, records: Fraction) -> int:
    """How far Count(G, 1) falls if one of some records moves away; of tight pairs if adjacent."""
    n = int(records)
    data = [Fraction(3 * (i // 2) if pairing is sorted_pairs else 0) for i in range(n)]
    return within(pairing(data)) - within(pairing([*data[1:], Fraction(3 * n)]))


def moves_by_one(n: Any, pairing: Pairing, name: str) -> Condition:
    """As printed, of one way to pair."""
    change = Quantity(
        "|Count(G, r) - Count(G', r)|",
        rf"|\mathrm{{Count}}(G_{{\text{{{name}}}}}, r) - \mathrm{{Count}}(G'_{{\text{{{name}}}}}, r)|",
        lambda records: count_change(pairing, records),
    )
    return implies(all_of(n >= 2, n % 2 == 0), change(n) <= 1)


@refutes("All pairs of four equal records: the count falls by 3.", Method.EXACT)
@mutant("the records as they come, paired once", pairing=_matched)
@refuted(
    integers("n"),
    "Discretization on all pairs is private with its budget, as {left} is at most {right} if one record changes.",
    at={"n": 4},
)
def count_moves_by_one(n: Any, *, pairing: Pairing = all_pairs) -> Condition:
    """All pairs."""
    return moves_by_one(n, pairing, "all")


@refutes("Adjacent pairs of four sorted records: the count falls by 2.", Method.EXACT)
@mutant("the records as they come, paired once", pairing=_matched)
@refuted(integers("n"), "So it is on adjacent pairs of the sorted data.", at={"n": 4})
def sorted_count_moves_by_one(n: Any, *, pairing: Pairing = sorted_pairs) -> Condition:
    """Adjacent pairs of the sorted data."""
    return moves_by_one(n, pairing, "sorted")


CLAIMS = (
    Claim(
        id="PDP-CX8",
        source="Algorithm 4, line 2 (our counterexample)",
        states=(count_moves_by_one, sorted_count_moves_by_one),
        domain="G the distances within pairs; change of one record, even n",
        status=Status.REFUTED,
        checks=checks_of(
            count_moves_by_one,
            sorted_count_moves_by_one,
            pairs_move_too_far,
            pairs_break_discretization,
            sorted_pairs_break_discretization,
            gap_tail_by_integration,
        ),
        why="One record is in n - 1 of all pairs, and shifts all later pairs of the sorted data.",
        right="A uniformly random matching of the survivors, each in at most one pair.",
        corrected_by="PDP-A4",
        steps=(ByCheck("gap_tail_by_integration"),),
        obligations=parts_of(
            pairs_move_too_far, pairs_break_discretization, sorted_pairs_break_discretization
        ),
    ),
)
