"""How far beyond the range of the mean records are clipped (TRI, chapter 3 and Lemma B.1.1).

With K(lam) = (lam - 1)^(lam - 1) / lam^lam the margins c are

    printed, 3.0.1:   beta^(-1 / (lam - 1)),
    sharp, our own:   (K(lam) / beta)^(1 / (lam - 1)), and for lam = 2 (1 - 4 beta^2)_+ / (4 beta),
    3.0.3:            (n epsilon^2 psi^lam (lam - 2) / (4 lam^2 delta))^(1 / lam).

Clipping at a distance c from the mean moves it by at most K(lam) E|X - mu|^lam / c^(lam - 1). The
printed margin therefore keeps the bias below K(lam) beta; the sharp one, below beta.
"""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = [
    "clip_ends",
    "clipping_constant",
    "combined_margin",
    "printed_margin",
    "sharp_margin",
    "tail_constant",
]


def clipping_constant(lam: float) -> float:
    """K(lam) = ((lam - 1) / lam)^(lam - 1) / lam, of the mean excess (|t| - c)_+; lam > 1."""
    return math.exp((lam - 1) * math.log1p(-1 / lam)) / lam


def tail_constant(lam: float) -> float:
    """4 (lam - 2)^(lam - 2) / lam^lam, of the mean square excess (|t| - c)_+^2; lam > 2."""
    return 4 * math.exp((lam - 2) * math.log1p(-2 / lam)) / lam**2


def printed_margin(beta: float, lam: float) -> float:
    """Margin of Proposition 3.0.1."""
    return math.pow(beta, -1 / (lam - 1))


def sharp_margin(beta: float, lam: float) -> float:
    """Least margin that the bias bounds allow: that of Scarf for lam = 2, else of Lemma B.1.1."""
    if lam == 2:
        return max(0.0, (1 - 2 * beta) * (1 + 2 * beta) / (4 * beta))
    return math.pow(clipping_constant(lam) / beta, 1 / (lam - 1))


def combined_margin(n: int, eps: float, delta: float, psi: float, lam: float) -> float:
    """Margin of Proposition 3.0.3."""
    inside = n * eps**2 * (lam - 2) / (4 * lam**2 * delta)
    return psi * math.pow(inside, 1 / lam)


def clip_ends(low: Fraction, high: Fraction, margin: Fraction) -> tuple[float, float]:
    """Return the doubles next to low - margin and high + margin.

    These two are the public ends: records are clipped to them, and the width that the noise is for
    is their exact difference.
    """
    return float(low - margin), float(high + margin)
