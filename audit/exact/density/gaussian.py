"""Hockey-stick divergence of two Gaussian laws of one variance, in closed form.

N(a, sigma^2) and N(b, sigma^2) have, with mu = |a - b| / sigma,

    delta(epsilon) = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu),

Phi(x) = erfc(-x / sqrt(2)) / 2 (Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary
2.13), in both directions.
"""

from __future__ import annotations

from fractions import Fraction

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls

__all__ = ["gaussian_delta"]


def gaussian_delta(mu: Fraction, epsilon: Fraction, numbers: Balls | None = None) -> Ball:
    """Enclose delta(epsilon) of N(0, 1) against N(mu, 1).

    Parameters
    ----------
    mu : Fraction
        Distance of the means over the standard deviation, greater than 0.
    epsilon : Fraction
        Any rational.
    numbers : Balls, optional
        Working precision; 128 bits by default.

    Returns
    -------
    Ball

    Raises
    ------
    InvalidArgument
        If `mu` is not positive.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.density.gaussian import gaussian_delta
    >>> gaussian_delta(Fraction(1), Fraction(1))
    Ball([0.12693673750664394580 +/- 8.30e-22])
    """
    if mu <= 0:
        msg = f"mu must be positive, got mu={mu!r}"
        raise InvalidArgument(msg)
    numbers = numbers or Balls(128)
    root = numbers.sqrt(numbers.rational(Fraction(2)))
    factor = numbers.exp(numbers.rational(Fraction(epsilon)))
    shift, half = Fraction(epsilon) / mu, Fraction(mu) / 2
    near, far = (numbers.erfc(numbers.rational(x) / root) for x in (shift - half, shift + half))
    return (near - factor * far) / 2
