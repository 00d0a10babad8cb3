"""The Gaussian claim that an (epsilon, delta) claim is, of Gaussian noise of a fixed scale.

N(0, 1) and N(mu, 1) satisfy (epsilon, delta) exactly if

    Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu) <= delta

(Balle and Wang 2018, Theorem 8). The left side grows with mu from 0 to 1: one mu is largest.
It is found in balls: each comparison is certain.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

DIGITS = 5
"""Of the lower end; the upper one has a digit less, so that it can be told from it."""

FIRST_BITS = 128
"""Working precision to begin with: it is doubled where two balls overlap."""


def gaussian_mu(epsilon: Fraction, delta: Fraction) -> tuple[str, str]:
    """Enclose the largest mu with which Gaussian noise keeps (epsilon, delta).

    Parameters
    ----------
    epsilon : Fraction
        At least 0.
    delta : Fraction
        Greater than 0, less than 1.

    Returns
    -------
    tuple of str
        The number rounded down to five significant digits, and up to four: noise of this mu keeps
        the claim, and a claim of that mu holds wherever this claim does.

    Raises
    ------
    InvalidArgument
        If a number is out of its domain.

    References
    ----------
    .. [1] Balle, Wang, "Improving the Gaussian mechanism for differential privacy", ICML 2018,
       Theorem 8.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.levels.gaussian_mu import gaussian_mu
    >>> gaussian_mu(Fraction(1), Fraction(1, 100000))
    ('0.26805', '0.2681')
    """
    if not (epsilon >= 0 and 0 < delta < 1):
        msg = (
            "epsilon must be at least 0, and delta between 0 and 1, got "
            f"epsilon={shown(epsilon)}, delta={shown(delta)}"
        )
        raise InvalidArgument(msg)
    place = 0
    while not _keeps(Fraction(10) ** place, epsilon, delta):
        place -= 1
    while _keeps(Fraction(10) ** (place + 1), epsilon, delta):
        place += 1
    unit = place + 1 - DIGITS
    below, above = 10 ** (DIGITS - 1), 10**DIGITS
    while above - below > 1:
        middle = (below + above) // 2
        if _keeps(middle * Fraction(10) ** unit, epsilon, delta):
            below = middle
        else:
            above = middle
    return _decimal(below, unit), _decimal(below // 10 + 1, unit + 1)


def _keeps(mu: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether the laws of N(0, 1) and N(mu, 1) satisfy (epsilon, delta)."""
    from proofs_check.enclosure import Balls, certainly_less

    bits = FIRST_BITS
    while True:
        numbers = Balls(bits)
        half, far = numbers.rational(mu / 2), numbers.rational(epsilon / mu)
        root = numbers.sqrt(numbers.rational(Fraction(2)))
        larger, smaller = (numbers.erfc((far + s * half) / root) / 2 for s in (-1, 1))
        certain = certainly_less(larger - numbers.exp(numbers.rational(epsilon)) * smaller, delta)
        if certain is not None:
            return certain
        bits *= 2


def _decimal(number: int, place: int) -> str:
    """A decimal number without zeros that say nothing; with an exponent where it is tiny."""
    value = Decimal(number).scaleb(place).normalize()
    return f"{value:f}" if value.adjusted() > -DIGITS else f"{value:e}"
