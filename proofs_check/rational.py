"""Exact rationals: intervals of printed decimals, and roots between two fractions."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from mechanisms.errors import InvalidArgument

__all__ = ["printed_interval", "root_interval"]


def printed_interval(text: str) -> tuple[Fraction, Fraction]:
    """Numbers that a printed decimal can stand for: half a unit of its last digit to either side.

    Parameters
    ----------
    text : str
        A decimal such as "0.4917" or "2.50e-3"; trailing zeros count as printed.

    Returns
    -------
    lower, upper : Fraction
        Ends of the closed interval.

    Examples
    --------
    >>> from proofs_check.rational import printed_interval
    >>> printed_interval("0.50")
    (Fraction(99, 200), Fraction(101, 200))
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        msg = f"text must be a finite decimal such as '0.4917', got text={text!r}"
        raise InvalidArgument(msg)
    half_unit = Fraction(10) ** exponent / 2
    return Fraction(number) - half_unit, Fraction(number) + half_unit


def root_interval(value: Fraction, degree: int, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose the positive root value^(1/degree) between two fractions.

    Parameters
    ----------
    value : Fraction
        At least 0.
    degree : int
        At least 1.
    bits : int
        The upper end exceeds the lower by at most 2^-bits of the root (0 for the root 0).

    Returns
    -------
    lower, upper : Fraction
        lower^degree <= value <= upper^degree, exactly.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.rational import root_interval
    >>> root_interval(Fraction(8, 27), 3, 1)
    (Fraction(2, 3), Fraction(37, 54))
    """
    if value < 0 or degree < 1 or bits < 1:
        msg = (
            "value must be at least 0, degree and bits at least 1, "
            f"got value={value!r}, degree={degree!r}, bits={bits!r}"
        )
        raise InvalidArgument(msg)
    if value == 0:
        return Fraction(0), Fraction(0)
    # value = p / q and root = (p q^(degree - 1))^(1/degree) / q: an integer root suffices
    radicand = value.numerator * value.denominator ** (degree - 1)
    scaled = _integer_root(radicand << (degree * bits), degree)
    unit = Fraction(1, value.denominator << bits)
    return scaled * unit, (scaled + 1) * unit


def _integer_root(n: int, degree: int) -> int:
    """Largest integer x with x^degree <= n, for n >= 1 (Newton's method from above)."""
    x = 1 << -(-n.bit_length() // degree)
    while True:
        following = ((degree - 1) * x + n // x ** (degree - 1)) // degree
        if following >= x:
            return x
        x = following
