"""Where the error of Algorithm 3 is largest: the layer at the ends (KSW-ER13)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.error.laplace_error import TRANSFORMED
from proofs_check.tables.column import Column, Point
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.mse import laplace_error
from proofs_check.tables.search import local_maximum, middle
from proofs_check.tables.table import Table

__all__ = ["TABLE"]

DIGITS = 5
"""Of the place of the maximum."""

REACH = Fraction(1, 10**6)
"""Up to which it is certified."""

LEAST = 30
"""N from which on the maximum lies inside a layer."""


def _lambert(at: Point, bits: int) -> Ball:
    numbers = Balls(bits)
    return -numbers.lambert_w(numbers.rational(-4 / at["N"]), -1)


def _half(N: Fraction, c: Fraction, bits: int) -> Ball:
    """Error over the worst-case bound 2 / N^2, at the mean c / N."""
    return laplace_error(TRANSFORMED, N, c / N, bits) * N**2 / 2


@lru_cache(maxsize=64)
def _peak(N: Fraction, bits: int) -> Ball:
    guess = middle(_lambert({"N": N}, bits))
    return Balls(bits).between(*local_maximum(lambda c: _half(N, c, bits), guess, REACH))


PLACE = Column(
    "c",
    "1",
    "N times the mean where the error has a local maximum.",
    ("KSW-X2",),
    lambda at, bits: _peak(at["N"], bits),
    digits=DIGITS,
)


def _largest(at: Point, bits: int) -> Ball:
    """Error at the mean that the other column writes."""
    (text,) = PLACE.rounded(at, DIGITS)
    return _half(at["N"], Fraction(text), bits)


TABLE = Table(
    name="layer",
    about=(
        "The error is largest at the mean c / N (and 1 - c / N) with a c that grows with N, close "
        "to -W(-4 / N) on the lower branch of Lambert's function (erratum 13)."
    ),
    keys=(NumberKey("N", "n epsilon.", at_least=LEAST),),
    columns=(
        PLACE,
        Column(
            "lambert",
            "1",
            "-W(-4 / N) on the lower branch.",
            ("KSW-X2", "KSW-T1'"),
            _lambert,
        ),
        Column(
            "largest",
            "1",
            "Error at the mean c / N, c as written here, over the worst-case bound 2 / N^2.",
            ("KSW-X2", "KSW-T1'"),
            _largest,
            digits=10,
        ),
    ),
    default=({"N": "100,500,1000,5000,10000,100000"},),
)
"""The table."""
