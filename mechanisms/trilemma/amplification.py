"""What shuffling gains: the privacy of m shuffled blocks (TRI, Theorem 2.2.2 and (2.2)).

Each block is answered with (epsilon0, delta0)-privacy. With E = e^epsilon0, all m answers together
are (epsilon1, delta)-private for one record replaced,

    epsilon1 = log(1 + 8 (E - 1) / (E + 1) (sqrt(E log(4 / delta1) / m) + E / m)),
    delta    = delta1 + (e^epsilon1 + 1) (e^-epsilon0 / 2 + 1) m delta0,

for each delta1 from 2 e^(-m / (16 E)) to 1. Theorem A.4.1, from which this follows, is cited there
(Feldman, McMillan, Talwar 2022, Theorem 3.8). Values are rounded up.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon
from mechanisms.validation import Number, check_fraction, check_integer, shown

__all__ = ["check_amplification", "shuffle_delta_upper", "shuffle_epsilon_upper"]

BLOCKS_MOST = 2**31

DIGITS = 80
MARGIN = Fraction(1, 10**40)
"""Above every error below. Exponentials, logarithms and roots are correctly rounded to 80 digits,
and all else is exact: epsilon0 is from 1e-9 to 500 and E / m < 1 / 11 in the domain, so few digits
are lost."""

PLACES = 18
"""Decimal places of epsilon1 as it is stated."""


def check_amplification(
    epsilon: Number, blocks: int, delta: Number
) -> tuple[Fraction, int, Fraction]:
    """Check epsilon0, m and delta1, and that delta1 >= 2 e^(-m / (16 e^epsilon0)).

    Raises InvalidArgument if one of them is out of its domain; for too small a delta1 the message
    says how small it may be.
    """
    eps0, m = check_epsilon(epsilon), check_integer(blocks, "blocks", at_least=1)
    check_fraction(m, "blocks", at_most=BLOCKS_MOST)
    delta1 = check_fraction(delta, "delta", above=0, at_most=1)
    needed = 16 * _exp(eps0) * _log(2 / delta1)
    if needed * (1 + MARGIN) > m:
        least = 2 * math.exp(-m / (16 * math.exp(eps0)))
        msg = (
            f"delta must be at least 2 exp(-blocks / (16 e^epsilon)) = {least:.6g}, got "
            f"delta={shown(delta)} with blocks={shown(blocks)} and epsilon={shown(epsilon)}"
        )
        raise InvalidArgument(msg)
    return eps0, m, delta1


def shuffle_epsilon_upper(epsilon: Number, blocks: int, delta: Number) -> Fraction:
    """Give epsilon1 of (2.2), rounded up to 18 places after the point.

    `epsilon`: epsilon0 of the answer to one block. `blocks`: number m of blocks, from 1 to 2^31.
    `delta`: delta1, from 2 exp(-m / (16 e^epsilon0)) to 1. Raises InvalidArgument if the three are
    out of the domain of the theorem.

    Examples
    --------
    >>> from mechanisms.trilemma.amplification import shuffle_epsilon_upper
    >>> round(float(shuffle_epsilon_upper(1, 1000, "1e-6")), 9)
    0.566201489
    """
    eps0, m, delta1 = check_amplification(epsilon, blocks, delta)
    e = _exp(eps0)
    root = _sqrt(e * _log(4 / delta1) / m)
    value = _log(1 + 8 * (e - 1) / (e + 1) * (root + e / m))
    return Fraction(math.ceil((value + MARGIN) * 10**PLACES), 10**PLACES)


def shuffle_delta_upper(
    epsilon: Number, blocks: int, delta: Number, block_delta: Number = 0
) -> Fraction:
    """Give the total delta of Theorem 2.2.2, at least that and at most 10^-15 of it more.

    `block_delta`: delta0 of the answer to one block, from 0 to 1. Returns: at least 1 where the
    theorem says nothing.

    Examples
    --------
    >>> from mechanisms.trilemma.amplification import shuffle_delta_upper
    >>> round(float(shuffle_delta_upper(1, 1000, "1e-6", "1e-12")), 15)
    1.003269524e-06
    """
    delta0 = check_fraction(block_delta, "block_delta", at_least=0, at_most=1)
    eps1 = shuffle_epsilon_upper(epsilon, blocks, delta)
    eps0, m, delta1 = check_amplification(epsilon, blocks, delta)
    more = (_exp(eps1) + 1) * (_exp(-eps0) / 2 + 1) * (1 + MARGIN)
    return delta1 + more * m * delta0


def _context() -> Context:
    return Context(prec=DIGITS)


def _decimal(x: Fraction) -> Decimal:
    return _context().divide(Decimal(x.numerator), Decimal(x.denominator))


def _exp(x: Fraction) -> Fraction:
    return Fraction(_context().exp(_decimal(x)))


def _log(x: Fraction) -> Fraction:
    return Fraction(_context().ln(_decimal(x)))


def _sqrt(x: Fraction) -> Fraction:
    return Fraction(_context().sqrt(_decimal(x)))
