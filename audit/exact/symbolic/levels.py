"""Levels of the staircase and exponents of the hourglass, stated again (KSW-D2, KSW-D4).

They run on exact numbers and on affine forms alike; gamma may be a form too, so that a lemma holds
for every gamma. What a noise law states is compared with them
(`audit.exact.cells.plane.noise_laws`).
"""

from __future__ import annotations

from fractions import Fraction

from audit.exact.symbolic.affine import Affine

__all__ = ["Number", "grid_level", "hourglass_exponent", "level"]

Number = Affine | Fraction | int
"""An exact number, or a form."""


def level(z: Number, gamma: Number) -> Number:
    """Return s(z): 0 for |z| < gamma, sgn(z) i for i - 1 + gamma <= |z| < i + gamma."""
    size = _floor(_size(z) - gamma + 1)
    return size if z >= 0 else -size


def grid_level(j: Number, grid: int, level0: int) -> Number:
    """Level of the integer j: 0 for |j| < level0, then `grid` integers a level (KSW-D5)."""
    steps = _floor((_size(j) - level0) * Fraction(1, grid))
    return steps + 1 if j >= 0 else -1 - steps


def hourglass_exponent(s: Number, t: Number) -> Number:
    """Return k = |s| + |t - s|: the density on the line z1 + z2 = t is A e^(-epsilon k)."""
    return _size(s) + _size(t - s)


def _floor(x: Number) -> Number:
    floor: Number = x.__floor__()
    return floor


def _size(x: Number) -> Number:
    return x if x >= 0 else -x
