"""Exponents of the densities, from the regions of KSW-D2, D3 and D4 (no level function)."""

from __future__ import annotations

from fractions import Fraction


def stair_exponent(radius: Fraction, gamma: Fraction) -> int:
    """K on [k, k + gamma), k + 1 on [k + gamma, k + 1): eq. (11) and (12) for Delta = 1."""
    step = 0
    while not step <= radius < step + 1:
        step += 1
    return step if radius < step + gamma else step + 1


def hourglass_exponent(z1: Fraction, t: int, gamma: Fraction) -> int:
    """Index i of the region S_(t,i) of the line z1 + z2 = t, by min(z1, z2)."""
    if t < 0:
        return hourglass_exponent(-z1, -t, gamma)
    depth = -min(z1, t - z1)
    if depth < gamma:
        return t
    j = 1
    while not j - 1 + gamma <= depth < j + gamma:
        j += 1
    return t + 2 * j
