"""The bias-variance-privacy trilemma: bounds on the error, printed and sharp (TRI, Section 2.1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Ball, Undecided, certainly_less
from proofs_check.papers.tri.chapter2.bernoulli import bernoulli_floor
from proofs_check.papers.tri.chapter2.corollaries import corollary_bound
from proofs_check.papers.tri.chapter2.pure_steps import closed_bound
from proofs_check.papers.tri.chapter2.sharper import parts_of_balanced, parts_of_pure
from proofs_check.papers.tri.chapter3.clipped_mean import (
    clipped_mean_error,
    clipped_mean_error_sharp,
)
from proofs_check.papers.tri.common import quotient_peak
from proofs_check.tables.column import Column, Point, Value
from proofs_check.tables.noise import EPSILON, N
from proofs_check.tables.rounding import nearest
from proofs_check.tables.search import middle
from proofs_check.tables.table import Rival, Table
from proofs_check.tables.trilemma_keys import BETA, LAM, enclosed

__all__ = ["TABLE"]

HALF = Fraction(1, 2)
REACH = Fraction(1, 10**9)
"""Within this relative distance of the maximizer found, the slope need not have a sign."""

PRINTED_BETA = Fraction(1, 80)
"""Largest bias of Corollary 2.1.3."""

HALVINGS = 500
"""Of a b at which the bound is not yet negative."""

BISECTIONS, DIGITS = 44, 12
"""Of the search for a maximizer."""

ZERO, ONE = Fraction(0), Fraction(1)

Parts = Callable[..., Callable[[Any], tuple[Any, Any, Any, Any]]]


def _floor(at: Point, bits: int) -> Any:
    return enclosed(bits).sqrt(bernoulli_floor(at["n"]))


def _printed(at: Point, bits: int) -> Any:
    if at["beta"] > PRINTED_BETA:
        return None
    return corollary_bound(
        at["n"], at["epsilon"], ZERO, at["beta"], at["lam"], numbers=enclosed(bits)
    )


def _closed(at: Point, bits: int) -> Any:
    f, lam = enclosed(bits), at["lam"]
    if lam < 2:
        return None
    b = f.power(2 * lam * at["beta"], lam / (lam - 1))
    if not b < HALF:
        return None
    return closed_bound(at["n"], at["epsilon"], at["beta"], lam, numbers=f)


@lru_cache(maxsize=256)
def _supremum(parts_of: Parts, row: tuple[Fraction, ...], bits: int) -> Ball | None:
    """Enclose the largest value over 0 < b <= 1/2; None if it is not positive."""
    if row[-1] < 2:
        return None
    parts = parts_of(row, numbers=enclosed(bits))
    top = _best(parts_of, row, bits)
    if top is None:
        return None
    start = top / 1024
    for _ in range(HALVINGS):  # v b < 2 beta there, and so on from there downwards
        if certainly_less(parts(enclosed(bits).ball(start))[0], 0):
            break
        start /= 2
    negative = certainly_less(parts(enclosed(bits).ball(start))[0], 0)
    found, ball = quotient_peak(parts, start, top, HALF, reach=REACH)
    if not (negative and found.holds):
        msg = f"no largest value is certain at b = {float(top):.9g}"
        raise Undecided(msg)
    return ball if certainly_less(0, ball) else None


def _best(parts_of: Parts, row: tuple[Fraction, ...], bits: int) -> Fraction | None:
    """A point near the largest value, or 1/2 if it is there; None if nothing is positive.

    First among powers of 2, then where the slope changes its sign between the neighbors of the best
    one. `quotient_peak` decides whether that was right.
    """
    parts = parts_of(row, numbers=enclosed(bits))

    def at(b: Fraction) -> tuple[Fraction, Fraction]:
        top, bottom, rising, growing = parts(enclosed(bits).ball(b))
        return middle(top / bottom), middle(rising * bottom - top * growing)

    # from some b on downwards v b < 2 beta, and both bounds are negative
    numerator = parts_of_pure(row, numbers=enclosed(bits))
    values, b = {}, HALF
    while middle(numerator(enclosed(bits).ball(b))[0]) > 0:
        values[b], b = at(b)[0], b / 2
    best = max(values, key=lambda b: values[b], default=HALF)
    if not values or values[best] <= 0:
        return None
    lower, upper = best / 2, min(2 * best, HALF)
    if best == HALF and at(HALF)[1] >= 0:
        return HALF
    for _ in range(BISECTIONS):
        between = (lower + upper) / 2
        lower, upper = (between, upper) if at(between)[1] > 0 else (lower, between)
    return Fraction(nearest(lower, DIGITS))


def _row(at: Point) -> tuple[Fraction, ...]:
    return at["n"], at["epsilon"], at["beta"], at["lam"]


def _lower(at: Point, bits: int) -> Any:
    """The largest of the two sharp bounds and the floor without privacy."""
    f = enclosed(bits)
    largest = _floor(at, bits)
    for parts in (parts_of_pure, parts_of_balanced):
        found = _supremum(parts, _row(at), bits)
        if found is not None:
            largest = f.largest(largest, found)
    return largest


def _upper(at: Point, bits: int, *, sharp: bool) -> Any:
    if at["lam"] < 2:
        return None
    f, bound = enclosed(bits), clipped_mean_error_sharp if sharp else clipped_mean_error
    return f.sqrt(bound(*(*_row(at), ZERO, ONE), numbers=f))


def _gap(at: Point, bits: int, *, sharp: bool) -> Any:
    upper = _upper(at, bits, sharp=sharp)
    lower = _lower(at, bits) if sharp else _printed(at, bits)
    return None if upper is None or lower is None else upper / lower


def _unit(
    name: str, says: str, claims: tuple[str, ...], value: Callable[[Point, int], Value]
) -> Column:
    return Column(name, "unit of the records", says, claims, value)


TABLE = Table(
    name="trilemma",
    about=(
        "For epsilon-private (swap, n public, delta = 0) estimators of a mean in [0, 1] whose bias "
        "is at most beta for all laws with E|X - mu|^lam <= 1: below, no estimator's root mean "
        "squared error is smaller for all these laws (columns that say MAD hold even for the mean "
        "absolute deviation); above, the clipped mean of Proposition 3.0.1 is at least as good. "
        "Empty: outside the bound's domain, or the bound is not positive."
    ),
    keys=(N, EPSILON, BETA, LAM),
    columns=(
        _unit("floor", "1 / sqrt(6 (n + 2)): without privacy.", ("TRI-PA.2.1",), _floor),
        _unit("lower_printed", "Corollary 2.1.3, beta <= 1/80.", ("TRI-C2.1.3",), _printed),
        _unit(
            "lower_pure",
            "SH-pure at its best b (MAD, lam >= 2).",
            ("TRI-SH-pure",),
            lambda at, bits: _supremum(parts_of_pure, _row(at), bits),
        ),
        _unit(
            "lower_balanced",
            "SH-bal at its best b (MAD, lam >= 2).",
            ("TRI-SH-bal",),
            lambda at, bits: _supremum(parts_of_balanced, _row(at), bits),
        ),
        _unit(
            "lower_closed",
            "SH-pure in closed form (MAD, lam >= 2).",
            ("TRI-SH-pure",),
            _closed,
        ),
        _unit(
            "lower",
            "The largest of floor, lower_pure and lower_balanced.",
            ("TRI-PA.2.1", "TRI-SH-pure", "TRI-SH-bal"),
            _lower,
        ),
        _unit(
            "upper_sharp",
            "Clipped mean with the sharp margin (lam >= 2).",
            ("TRI-P3.0.1-sharp",),
            lambda at, bits: _upper(at, bits, sharp=True),
        ),
        _unit(
            "upper_printed",
            "Proposition 3.0.1 as printed (lam >= 2).",
            ("TRI-P3.0.1",),
            lambda at, bits: _upper(at, bits, sharp=False),
        ),
        Column(
            "gap_sharp",
            "1",
            "upper_sharp over lower.",
            ("TRI-P3.0.1-sharp", "TRI-PA.2.1", "TRI-SH-pure", "TRI-SH-bal"),
            lambda at, bits: _gap(at, bits, sharp=True),
        ),
        Column(
            "gap_printed",
            "1",
            "upper_printed over lower_printed.",
            ("TRI-P3.0.1", "TRI-C2.1.3"),
            lambda at, bits: _gap(at, bits, sharp=False),
        ),
    ),
    default=(
        {"n": "1000", "epsilon": "0.1,1", "beta": "0.001,0.0125", "lam": "2"},
        {"n": "1000", "epsilon": "0.1", "beta": "0.00001", "lam": "2"},
        {"n": "1000", "epsilon": "1", "beta": "0.01", "lam": "3"},
        {"n": "1000", "epsilon": "1", "beta": "0.001", "lam": "10"},
        {"n": "1000", "epsilon": "3", "beta": "0.001", "lam": "2"},
        {"n": "100000", "epsilon": "0.1", "beta": "0.003,0.0001", "lam": "2"},
        {"n": "100000", "epsilon": "1", "beta": "0.0001", "lam": "4"},
    ),
    rivals=(
        Rival(
            "tri.clipped-mean",
            "unit of the records",
            "Root mean squared error on N(1/2, s^2), s the largest: one law, and not the worst.",
        ),
        Rival("sub.moment-mean", "unit of the records", "The same of a noisy center, then a clip."),
        Rival("ksw.swap-laplace", "unit of the records", "The same of bounds of width 100."),
    ),
)
"""The table."""
