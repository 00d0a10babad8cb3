"""Amplification by shuffling, summed exactly: how much m answers on shuffled blocks lose.

Let each answer be epsilon0-private in its block, e = e^epsilon0. On the two values that the changed
record may have an answer has the law (e Q0 + Q1) / (1 + e) or (Q0 + e Q1) / (1 + e), and on any
other record that of Q0 / 2 + Q1 / 2 with probability q = 1 / e, else another one (clones). Shuffled
answers are therefore a function of how many of them are Q0 and how many Q1,

    (A + D, C + 1 - A - D),    C ~ Bin(m - 1, q),  A ~ Bin(C, 1/2),  D ~ Bernoulli(e / (1 + e)),

or with D ~ Bernoulli(1 / (1 + e)) on the neighbor. With N = C + 1, the event that P exceeds E Q,
E = e^epsilon, is that of more than N (e E - 1) / ((e - 1) (1 + E)) answers Q0, so that

    delta(epsilon) = sum over N of P(C = N - 1) (P - E Q)(at least t_N answers Q0),

a finite sum of binomial tails. No constant is lost but in the clones (TRI-T2.2.2-clones).
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil, comb

from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["MOST_BLOCKS", "clones_delta", "clones_epsilon_upper"]

MOST_BLOCKS = 512
"""Of the exact sum: its table of binomial tails has half the square of this many integers."""
DIGITS = 80
"""Of every number, and as many more as E has; differences of two tails lose a few."""
MARGIN = Decimal(10) ** -60
"""More than all rounding of a sum of at most 512 parts, none of them above 2."""
PLACES = 10**6
"""An epsilon is a multiple of 1 / PLACES."""


def clones_delta(epsilon: Number, blocks: int, level: Number) -> float:
    """Give delta at the level epsilon = `level`, as a double.

    `epsilon`: epsilon0 of the answer to one block. `blocks`: number m of blocks, from 1 to 512.

    Examples
    --------
    >>> from mechanisms.trilemma.clones import clones_delta
    >>> clones_delta(1, 1, 1), round(clones_delta(1, 1, 0), 6)
    (0.0, 0.462117)
    """
    exact = check_fraction(epsilon, "epsilon", above=0)
    at = check_fraction(level, "level", at_least=0)
    return float(max(_delta(exact, _checked(blocks), at), Decimal(0)))


@lru_cache(maxsize=256)
def clones_epsilon_upper(epsilon: Number, blocks: int, delta: Number) -> Fraction:
    """Give the least multiple of 1e-6 at which delta(epsilon) is at most `delta`.

    `epsilon`: epsilon0 of the answer to one block; more than this is never lost. `blocks`: number m
    of blocks, from 1 to 512. `delta`: greater than 0.

    Examples
    --------
    >>> from mechanisms.trilemma.clones import clones_epsilon_upper
    >>> float(clones_epsilon_upper(1, 256, "1/100"))
    0.08573
    """
    exact = check_fraction(epsilon, "epsilon", above=0)
    bound = check_fraction(delta, "delta", above=0, at_most=1)
    count = _checked(blocks)
    with localcontext(Context(prec=DIGITS)):
        allowed = Decimal(bound.numerator) / bound.denominator - MARGIN
    low, high = -1, ceil(exact * PLACES)
    while high - low > 1:
        middle = (low + high) // 2
        if _delta(exact, count, Fraction(middle, PLACES)) <= allowed:
            high = middle
        else:
            low = middle
    return min(Fraction(high, PLACES), exact)


def _checked(blocks: int) -> int:
    count = check_integer(blocks, "blocks", at_least=1)
    check_fraction(count, "blocks", at_most=MOST_BLOCKS)
    return count


def _delta(epsilon: Fraction, blocks: int, level: Fraction) -> Decimal:
    """The sum, to within `MARGIN`."""
    if level >= epsilon:
        return Decimal(0)
    with localcontext(Context(prec=DIGITS + ceil(epsilon))):  # E is at most 10^epsilon
        e, big = (_decimal(x).exp() for x in (epsilon, level))
        share = (e * big - 1) / ((e - 1) * (1 + big))
        # P - E Q of an event: first answers Q0 weigh `more`, last ones `less`
        more, less = (e - big) / (1 + e), (1 - big * e) / (1 + e)
        rate = 1 / e
        total = Decimal(0)
        for size in range(1, blocks + 1):
            chance = comb(blocks - 1, size - 1) * rate ** (size - 1)
            chance *= (1 - rate) ** (blocks - size)
            least = int(share * size) + 1
            if least > size:
                continue
            total += chance * (more * _tail(size - 1, least - 1) + less * _tail(size - 1, least))
        return total


def _tail(count: int, least: int) -> Decimal:
    """P(Bin(count, 1/2) >= least), in the current context."""
    tails = _tails(count)
    return Decimal(tails[least] if least <= count else 0) / (1 << count)


@lru_cache(maxsize=MOST_BLOCKS)
def _tails(count: int) -> tuple[int, ...]:
    """Sums of the binomial coefficients of `count` from k on, k = 0, ..., count."""
    sums = list(accumulate(comb(count, k) for k in range(count, -1, -1)))
    return tuple(reversed(sums))


def _decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / x.denominator
