"""Error of the private Gaussian mean beside its lower bound (PDP, Theorems 9 to 13, constants)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.papers.pdp.groups.gaussian_groups import group_bound
from proofs_check.papers.pdp.groups.unknown_privacy import count_offset, number_of_groups
from proofs_check.papers.pdp.mean.gaussian_mean import (
    clipping_bound,
    gaussian_error,
    noise_bound,
    sampling_bound,
)
from proofs_check.tables.budgets import BUDGETS, sizes
from proofs_check.tables.column import Column, Point
from proofs_check.tables.gaussian_runs import (
    BETA,
    SaturationProfile,
    middle,
    profile_of,
    reach_of,
    runs_of,
    saturated_runs,
    survivors_of,
)
from proofs_check.tables.table import Rival, Table

__all__ = ["TABLE"]

UNBOUNDED = Fraction(838, 1000)
"""Constant that the proof of Theorem 12 allows."""


def _bounded(at: Point, bits: int) -> tuple[SaturationProfile, Fraction, Ball] | None:
    runs = runs_of(tuple(e / 2 for e in at["budgets"]))
    profile = profile_of(runs, bits)
    users = sum(count for _, count in runs)
    found = reach_of(users, profile.survivors, profile.tau, BETA, bits)
    return None if found is None else (profile, *found)


def _part(at: Point, bits: int, which: str) -> Any:
    found = _bounded(at, bits)
    if found is None:
        return None
    profile, z, u = found
    numbers = Balls(bits)
    share = numbers.rational(BETA * Fraction(11, 84))
    reach, squares, largest, total = (
        numbers.rational(x) for x in (z, profile.squares, profile.largest, profile.total)
    )
    if which == "sampling":
        return sampling_bound(squares, share, numbers=numbers)
    if which == "clipping":
        return clipping_bound(reach, squares, largest, share, numbers=numbers)
    if which == "noise":
        return noise_bound(u, total, share, numbers=numbers)
    return gaussian_error(reach, u, squares, largest, total, share, numbers=numbers)


def _reached(at: Point, bits: int) -> Any:
    found = _bounded(at, bits)
    return None if found is None else found[1]


def _lower(at: Point, bits: int, constant: Fraction = Fraction(1)) -> Any:
    """C / min over k of S_k + 2 sqrt(n - k), which is concave between different budgets."""
    numbers, runs = Balls(bits), runs_of(at["budgets"])
    left = sum(count for _, count in runs)
    total, ends = Fraction(0), []
    for e, count in ((Fraction(0), 0), *runs):
        total, left = total + e * count, left - count
        ends.append(numbers.rational(total) + 2 * numbers.sqrt(numbers.rational(Fraction(left))))
    lows, highs = zip(*map(endpoints, ends), strict=True)
    return constant / numbers.between(min(lows), min(highs))


@lru_cache(maxsize=32)
def _private(budgets: tuple[Fraction, ...], bits: int) -> Ball | None:
    """The bound for private budgets, in one group for each power of 2 from the least budget on."""
    numbers, least = Balls(bits), budgets[0]
    groups = number_of_groups(budgets[-1] / least)
    ends = [least * 2**k for k in range(groups)]
    most = [0] * groups
    for e, count in runs_of(budgets):
        most[max(k for k, end in enumerate(ends) if end <= e)] += count
    few = []
    for end, count in zip(ends, most, strict=True):
        offset = count_offset(
            numbers.rational(end), groups, numbers.rational(BETA), numbers=numbers
        )
        few.append(max(0, (middle(count - 2 * offset) - Fraction(1, 10**9)).__floor__()))
    spent = [end / 4 for end in ends]
    small = tuple((e, c) for e, c in zip(spent, few, strict=True) if c)
    large = tuple((e, c) for e, c in zip(spent, most, strict=True) if c)
    if not small:
        return None
    best = max(middle(tau * survivors_of(small, tau, numbers=numbers)) for tau, _ in small)
    found = []
    for tau in spent:
        if middle(tau * survivors_of(large, tau, numbers=numbers)) >= best * (
            1 - Fraction(1, 10**9)
        ):
            kept = survivors_of(small, tau, numbers=numbers)
            found.append(reach_of(sum(most), kept, tau, BETA / 2, bits))
    if None in found:
        return None
    z = min(one[0] for one in found if one is not None)
    u = next(one[1] for one in found if one is not None)
    threshold, total, _, _ = saturated_runs(small)
    largest = threshold / total
    above, *_ = saturated_runs(large)
    floor = sum((c * min(e, above) for e, c in small), Fraction(0))
    share = numbers.rational(BETA / 2 * Fraction(11, 84))
    bound: Ball = group_bound(
        numbers.rational(z), u, numbers.rational(largest), numbers.rational(floor), share,
        numbers=numbers,
    )  # fmt: skip
    return bound


def _ratio(upper: Any, lower: Any) -> Any:
    return None if upper is None else upper / lower


UNIT, CLAIM = "sigma", ("PDP-T11u",)

TABLE = Table(
    name="personalized-error",
    about=(
        "n users with known budgets (Algorithm 7) or private ones (Algorithm 8), records from "
        "N(mu, sigma^2), sigma = 1 and |mu| at most 16. Each bound: the error is no larger with "
        "probability at least 0.9. Each lower bound: whatever the mechanism, some mu is missed by "
        "that much with probability at least 1/4. Empty: too few users, or budgets too small, for "
        "the theorem. The bounds are safe and not sharp: --empirical shows by how much."
    ),
    keys=(BUDGETS,),
    columns=(
        *sizes("PDP-T11u"),
        Column(
            "tau",
            "1",
            "What the range spends on the survivors: the best one of the halved budgets.",
            CLAIM,
            lambda at, bits: profile_of(runs_of(tuple(e / 2 for e in at["budgets"])), bits).tau,
        ),
        Column(
            "reach",
            UNIT,
            "How far above the mean the range surely enough reaches, z of PDP-L17u.",
            ("PDP-L17u",),
            _reached,
        ),
        Column(
            "sampling",
            UNIT,
            "Error of the weighted mean of the records.",
            CLAIM,
            lambda at, bits: _part(at, bits, "sampling"),
        ),
        Column(
            "clipping",
            UNIT,
            "Error by clipping to the range.",
            CLAIM,
            lambda at, bits: _part(at, bits, "clipping"),
        ),
        Column(
            "noise",
            UNIT,
            "Error by the noise of the mean.",
            CLAIM,
            lambda at, bits: _part(at, bits, "noise"),
        ),
        Column(
            "bound",
            UNIT,
            "All three together, budgets known.",
            CLAIM,
            lambda at, bits: _part(at, bits, "all"),
        ),
        Column("lower", UNIT, "Theorem 9 with our constant 1.", ("PDP-T9",), _lower),
        Column(
            "ratio",
            "1",
            "bound over lower.",
            ("PDP-T11u", "PDP-T9"),
            lambda at, bits: _ratio(_part(at, bits, "all"), _lower(at, bits)),
        ),
        Column(
            "private_bound",
            UNIT,
            "The same for private budgets, from the least one to the largest.",
            ("PDP-T13u",),
            lambda at, bits: _private(at["budgets"], bits),
        ),
        Column(
            "private_lower",
            UNIT,
            "Theorem 12 with our constant 0.838.",
            ("PDP-T12",),
            lambda at, bits: _lower(at, bits, UNBOUNDED),
        ),
        Column(
            "private_ratio",
            "1",
            "private_bound over private_lower.",
            ("PDP-T13u", "PDP-T12"),
            lambda at, bits: _ratio(_private(at["budgets"], bits), _lower(at, bits, UNBOUNDED)),
        ),
    ),
    rivals=(
        Rival("pdp.mean", UNIT, "Mean absolute error of Algorithm 7 at mu = 3, beta = 0.1."),
        Rival("pdp.unbounded-mean", UNIT, "The same of Algorithm 8."),
        Rival("pdp.adpm", UNIT, "The same of ADPM on [-20, 20], without a range."),
        Rival("pdp.least-budget", UNIT, "The same of everyone at the least budget, on [-20, 20]."),
    ),
    default=(
        {
            "budgets": (
                "1000*500; 200*1000; 30*500 40*1500; 5*5000; 1*20000; 1*100000; "
                "0.1*50000 1*50000; 0.5*50000 1*50000; 0.25*40000 0.5*40000 1*40000"
            )
        },
    ),
)
"""The table."""
