"""Error of the private Gaussian mean beside its lower bound (PDP, Theorems 9 to 13, constants)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any, final

from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.papers.pdp.groups.gaussian_groups import group_bound
from proofs_check.papers.pdp.groups.unknown_privacy import count_offset, number_of_groups
from proofs_check.papers.pdp.mean.gaussian_mean import (
    clipping_bound,
    gaussian_error,
    noise_bound,
    sampling_bound,
)
from proofs_check.papers.pdp.range.diffusion import private_rate
from proofs_check.papers.pdp.range.gaussian_range import (
    cut_off,
    median_need,
    normal_tail,
    record_spread,
    survivor_root,
)
from proofs_check.papers.pdp.range.grid_accuracy import rank_error
from proofs_check.tables.budgets import BUDGETS, sizes
from proofs_check.tables.column import Column, Point
from proofs_check.tables.table import Rival, Table

__all__ = ["TABLE"]

BETA = Fraction(1, 10)
PLACE = 16
"""Largest |mu| / sigma."""

STEP = Fraction(1, 1024)
"""z is a whole number of such steps."""

RANK_ERROR = Fraction(2236, 10_000)
UNBOUNDED = Fraction(838, 1000)
"""Constant that the proof of Theorem 12 allows."""

Runs = tuple[tuple[Fraction, int], ...]
"""Budgets, ascending, each with its number of users."""


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """What of halved budgets the bound depends on."""

    tau: Fraction
    survivors: Ball
    """Expected number at tau."""
    squares: Fraction
    largest: Fraction
    total: Fraction
    threshold: Fraction


def _runs(budgets: Iterator[Fraction] | tuple[Fraction, ...]) -> Runs:
    return tuple((value, len(list(run))) for value, run in groupby(budgets))


def _survivors(runs: Runs, tau: Fraction, numbers: Balls) -> Ball:
    found = numbers.rational(Fraction(0))
    for e, count in runs:
        rate = Fraction(1)
        if e < tau:
            rate = private_rate(numbers.rational(e), numbers.rational(tau), numbers=numbers)
        found = found + rate * count
    return found


def _saturated(runs: Runs) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Threshold, total, sum of squares and largest of the saturated budgets, group by group.

    The first k with eps_(k + 1) >= R_k: within a group of equal budgets e, R falls to e where the
    squares less e times the sum, which stay as they are there, allow it; so only R at its ends and
    its first user count.
    """
    total = squares = Fraction(0)
    squares += 8
    for place, (e, count) in enumerate(runs):
        if place and e * total >= squares:
            break
        # e >= (squares + j e^2) / (total + j e) for j of these users iff e total >= squares.
        total, squares = total + count * e, squares + count * e * e
    threshold = squares / total
    spent = [(min(e, threshold), count) for e, count in runs]
    whole = sum((e * count for e, count in spent), Fraction(0))
    second = sum((e * e * count for e, count in spent), Fraction(0))
    return threshold, whole, second, max(e for e, _ in spent)


@lru_cache(maxsize=32)
def _profile(runs: Runs, bits: int) -> Profile:
    numbers = Balls(bits)
    values = [(_middle(tau * _survivors(runs, tau, numbers)), tau) for tau, _ in runs]
    tau = max(values)[1]
    threshold, total, second, largest = _saturated(runs)
    return Profile(
        tau,
        _survivors(runs, tau, numbers),
        second / total**2,
        largest / total,
        total,
        threshold,
    )


def _middle(ball: Ball) -> Fraction:
    """Middle of a ball, to choose by: whatever is chosen is public."""
    low, high = endpoints(ball)
    return (low + high) / 2


def _index(ratio: Ball) -> int:
    """The first k with 2^(k - 1) >= 1 + ratio, certainly."""
    k = 1
    while certainly_less(1 + ratio, Fraction(2) ** (k - 1)) is not True:
        k += 1
    return k


def _reach(
    users: int, survivors: Ball, tau: Fraction, beta: Fraction, bits: int
) -> tuple[Fraction, Ball] | None:
    """z, the largest step that certainly holds, and u; None if a condition is not certain."""
    numbers = Balls(bits)
    share, radius = (numbers.rational(beta * part) for part in (Fraction(11, 84), Fraction(1, 24)))
    level = numbers.rational(tau)
    u = record_spread(numbers.rational(Fraction(users)), share, numbers=numbers)
    first, second = _index(8 * (PLACE + u)), _index(16 * u)
    pairs = survivors / 4 - Fraction(1, 2)
    if certainly_less(0, pairs) is not True:
        return None
    width = rank_error(pairs, 2, level / 4, share, numbers=numbers)
    kept = survivors / 2 - cut_off(first, level, radius, numbers=numbers)
    need = median_need(first, level, share, numbers.rational(Fraction(2) ** first), numbers=numbers)
    if certainly_less(width, RANK_ERROR) is not True or certainly_less(need, kept) is not True:
        return None
    y = survivor_root(
        numbers.log(3 / share), cut_off(second, level, radius, numbers=numbers), numbers=numbers
    )

    def enough(steps: int) -> bool:
        tail = normal_tail(numbers.rational(1 + STEP * steps), numbers=numbers)
        return certainly_less(y**2, survivors * tail) is True

    low, high = 0, 8 * STEP.denominator
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return (STEP * low, u) if low else None


def _bounded(at: Point, bits: int) -> tuple[Profile, Fraction, Ball] | None:
    runs = _runs(tuple(e / 2 for e in at["budgets"]))
    profile = _profile(runs, bits)
    users = sum(count for _, count in runs)
    found = _reach(users, profile.survivors, profile.tau, BETA, bits)
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
    numbers, runs = Balls(bits), _runs(at["budgets"])
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
    for e, count in _runs(budgets):
        most[max(k for k, end in enumerate(ends) if end <= e)] += count
    few = []
    for end, count in zip(ends, most, strict=True):
        offset = count_offset(
            numbers.rational(end), groups, numbers.rational(BETA), numbers=numbers
        )
        few.append(max(0, (_middle(count - 2 * offset) - Fraction(1, 10**9)).__floor__()))
    spent = [end / 4 for end in ends]
    small = tuple((e, c) for e, c in zip(spent, few, strict=True) if c)
    large = tuple((e, c) for e, c in zip(spent, most, strict=True) if c)
    if not small:
        return None
    best = max(_middle(tau * _survivors(small, tau, numbers)) for tau, _ in small)
    found = []
    for tau in spent:
        if _middle(tau * _survivors(large, tau, numbers)) >= best * (1 - Fraction(1, 10**9)):
            kept = _survivors(small, tau, numbers)
            found.append(_reach(sum(most), kept, tau, BETA / 2, bits))
    if None in found:
        return None
    z = min(one[0] for one in found if one is not None)
    u = next(one[1] for one in found if one is not None)
    threshold, total, _, _ = _saturated(small)
    largest = threshold / total
    above, *_ = _saturated(large)
    floor = sum((c * min(e, above) for e, c in small), Fraction(0))
    share = numbers.rational(BETA / 2 * Fraction(11, 84))
    return group_bound(
        numbers.rational(z), u, numbers.rational(largest), numbers.rational(floor), share,
        numbers=numbers,
    )  # fmt: skip


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
            lambda at, bits: _profile(_runs(tuple(e / 2 for e in at["budgets"])), bits).tau,
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
