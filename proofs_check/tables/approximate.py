"""Unbiased estimation under approximate privacy: bounds on the error, printed and sharp (TRI)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import certainly_less
from proofs_check.papers.tri.chapter2.bernoulli import bernoulli_floor
from proofs_check.papers.tri.chapter2.corollaries import corollary_bound
from proofs_check.papers.tri.chapter2.trilemma import approximate_bound
from proofs_check.papers.tri.chapter3.combined_estimator import (
    combined_error,
    combined_error_sharp,
    combined_margin,
)
from proofs_check.papers.tri.chapter3.name_and_shame import name_and_shame_error
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.noise import EPSILON, N
from proofs_check.tables.rounding import nearest
from proofs_check.tables.search import middle
from proofs_check.tables.table import Table
from proofs_check.tables.trilemma_keys import DELTA, PSI, enclosed

__all__ = ["TABLE"]

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)
PRINTED_BETA = Fraction(1, 80)
"""Largest bias of Corollary 2.1.3."""

SEARCH_BITS = 96
PLACES = 6
"""Significant digits of the a and b at which the bound SH-approx is evaluated."""

CLOSEST = Fraction(1, 64)
"""a is at most b 2^-CLOSEST: without bias the bound grows, very little, as a goes to b."""

FAR = 256
"""Neither b nor a / b is looked for below 2^-FAR."""

BETA = NumberKey("beta", "Bound on the bias, for the lower bounds.", at_least=0)
"""0 for unbiased estimators."""

LAM = NumberKey("lam", "Order of the central moment that is bounded by psi^lam.", above=2)
"""The combined estimator needs more than two moments."""


def _floor(at: Point, bits: int) -> Any:
    return enclosed(bits).sqrt(bernoulli_floor(at["n"]))


def _printed(at: Point, bits: int) -> Any:
    f, epsilon, delta = enclosed(bits), at["epsilon"], at["delta"]
    largest = 2 * f.sinh(epsilon) / 25  # of sqrt(delta), Corollary 2.1.3 at lam = 2
    if at["beta"] > PRINTED_BETA or not f.ball(delta) < largest * largest:
        return None
    return corollary_bound(at["n"], epsilon, delta, at["beta"], TWO, numbers=f)


@lru_cache(maxsize=256)
def _ends(epsilon: Fraction, delta: Fraction, beta: Fraction) -> tuple[Fraction, Fraction] | None:
    """Values of a and b near the largest bound, by search; None if none is positive."""
    f = enclosed(SEARCH_BITS)
    tau = f.sqrt(delta)

    def bound(k: Fraction, j: Fraction) -> Fraction:
        """At b = 2^-k and a = b 2^-j."""
        b = f.power(TWO, -k)
        a = b * f.power(TWO, -j)
        return middle(approximate_bound(ONE, epsilon, beta, TWO, tau, a, b, numbers=f))

    k, j, step = Fraction(8), Fraction(1), Fraction(4)
    best = bound(k, j)
    while step > Fraction(1, 2**16):
        moves = [(k + x * step, j + y * step) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        found = [(bound(*m), m) for m in moves if 1 <= m[0] <= FAR and CLOSEST <= m[1] <= FAR]
        top, move = max(found)
        if top > best:
            best, (k, j) = top, move
        else:
            step /= 2
    if best <= 0:
        return None
    b = Fraction(nearest(f.power(TWO, -k), PLACES))
    return Fraction(nearest(f.power(TWO, -k - j), PLACES)), b


def _end(at: Point, side: int) -> Fraction | None:
    ends = _ends(at["epsilon"], at["delta"], at["beta"])
    return None if ends is None else ends[side]


def _sharp(at: Point, bits: int) -> Any:
    f = enclosed(bits)
    ends = _ends(at["epsilon"], at["delta"], at["beta"])
    if ends is None:
        return None
    tau = f.sqrt(at["delta"])
    found = approximate_bound(at["n"], at["epsilon"], at["beta"], TWO, tau, *ends, numbers=f)
    return found if certainly_less(0, found) else None


def _parameters(at: Point) -> tuple[Fraction, ...]:
    return at["n"], at["epsilon"], at["delta"], at["psi"], at["lam"]


def _on_the_unit_interval(at: Point) -> tuple[Fraction, ...]:
    return *_parameters(at), ZERO, ONE


def _combined(at: Point, bits: int) -> Any:
    f = enclosed(bits)
    return f.sqrt(combined_error(*_on_the_unit_interval(at), numbers=f))


def _combined_sharp(at: Point, bits: int) -> Any:
    f = enclosed(bits)
    return f.sqrt(combined_error_sharp(*_on_the_unit_interval(at), numbers=f))


def _named(at: Point, bits: int) -> Any:
    return enclosed(bits).sqrt(name_and_shame_error(at["n"], at["delta"], ONE, ONE))


TABLE = Table(
    name="approximate",
    about=(
        "Root mean squared error of (epsilon, delta)-private estimators (swap, n public) of a mean "
        "in [0, 1], at variance 1 at most. Below: none whose bias is at most beta is better for "
        "all such laws. Above: unbiased ones, where also E|X - mu|^lam <= psi^lam. Empty: outside "
        "the bound's domain."
    ),
    keys=(N, EPSILON, DELTA, BETA, PSI, LAM),
    columns=(
        Column(
            "floor",
            "unit of the records",
            "1 / sqrt(6 (n + 2)): without privacy.",
            ("TRI-PA.2.1",),
            _floor,
        ),
        Column(
            "lower_printed",
            "unit of the records",
            "Corollary 2.1.3 at lam = 2, beta <= 1/80, sqrt(delta) < 0.08 sinh(epsilon).",
            ("TRI-C2.1.3", "TRI-T2.1.4"),
            _printed,
        ),
        Column(
            "a",
            "1",
            "Where the next column is evaluated: any a < b <= 1/2 gives a bound.",
            ("TRI-SH-approx",),
            lambda at, _: _end(at, 0),
            Rounding.EXACT,
        ),
        Column(
            "b",
            "1",
            "Likewise.",
            ("TRI-SH-approx",),
            lambda at, _: _end(at, 1),
            Rounding.EXACT,
        ),
        Column(
            "lower_sharp",
            "unit of the records",
            "SH-approx at these a and b, lam = 2.",
            ("TRI-SH-approx",),
            _sharp,
        ),
        Column(
            "margin",
            "unit of the records",
            "Margin of the combined estimator.",
            ("TRI-P3.0.3",),
            lambda at, bits: combined_margin(*_parameters(at), numbers=enclosed(bits)),
        ),
        Column(
            "upper_printed",
            "unit of the records",
            "Combined estimator, Proposition 3.0.3 as printed.",
            ("TRI-P3.0.3",),
            _combined,
        ),
        Column(
            "upper_sharp",
            "unit of the records",
            "Combined estimator with the sharp constant.",
            ("TRI-P3.0.3-exact",),
            _combined_sharp,
        ),
        Column(
            "name_and_shame",
            "unit of the records",
            "Name-and-shame at mean 1 and variance 1, exactly.",
            ("TRI-P3.0.2",),
            _named,
        ),
    ),
    default=(
        {
            "n": "100000",
            "epsilon": "0.5",
            "delta": "1e-4,1e-6,1e-8",
            "beta": "0",
            "psi": "1",
            "lam": "4",
        },
        {"n": "1000", "epsilon": "1", "delta": "1e-6", "beta": "0", "psi": "1", "lam": "4"},
        {"n": "1000", "epsilon": "0.1", "delta": "1e-6", "beta": "0", "psi": "2", "lam": "4"},
        {"n": "1000", "epsilon": "0.5", "delta": "1e-6", "beta": "0.001", "psi": "1", "lam": "4"},
        {"n": "100000", "epsilon": "0.1", "delta": "1e-9", "beta": "1e-4", "psi": "1", "lam": "4"},
        {"n": "100000", "epsilon": "0.5", "delta": "1e-9", "beta": "0", "psi": "1.5", "lam": "3"},
    ),
)
"""The table."""
