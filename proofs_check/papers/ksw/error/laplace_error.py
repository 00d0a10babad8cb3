"""Exact output law and mean squared error of the three algorithms with Laplace noise.

With n records of mean mu in [l, u], p = (mu - l) / (u - l) and N = n eps, the output X (in units of
the interval, and for Algorithm 1 with l = 0, u = 1) has the tail

    P(X > x) = S(N (x - p)) + D(x)     for p <= x < 1,

where S is the tail of a sum of two Laplace variables, whose scales depend on x, and D is what a
negative noisy count changes. Formulas KSW-X1 to KSW-X4 of the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from proofs_check.enclosure import Ball, Balls, integral

__all__ = [
    "HALF",
    "INDEPENDENT",
    "LAW",
    "SHIFTED",
    "TRANSFORMED",
    "Algorithm",
    "below_zero_independent",
    "below_zero_shifted_apart",
    "below_zero_shifted_together",
    "below_zero_transformed",
    "laplace_sum_tail",
    "mean_square_error",
]

HALF = Fraction(1, 2)
"""Center of the interval [0, 1]."""
LAW = "Every n >= 0, eps > 0, data in [l, u]; A = eps s1, B = eps s2, N = A + B = n eps, p = s1 / n"
"""Domain of the exact laws, and their letters."""
FAR = 200
"""Beyond this many scales the tail is bounded by (1 + FAR / 2) e^(-FAR) / 2."""


def laplace_sum_tail(first: Any, second: Any, e_first: Any, e_second: Any) -> Any:
    """P(first L1 + second L2 > tau) of KSW-X1, with e_i = e^(-tau / scale i), tau >= 0."""
    return (first**2 * e_first - second**2 * e_second) / (2 * (first**2 - second**2))


def below_zero_transformed(x: Any, N: Any, p: Any, e_N: Any) -> Any:
    """D(x) of Algorithm 3 (KSW-X1), with e_N = e^(-N)."""
    return e_N / 4 * (1 - 2 * x + N * (1 - 2 * p))


def below_zero_independent(x: Any, e_half: Any, e_p: Any) -> Any:
    """D(x) of Algorithm 1 (KSW-X4), with e_half = e^(-N/2) and e_p = e^(-N p / 2)."""
    return -e_half / 4 * (2 - e_p / (HALF + x / 2))


def below_zero_shifted_together(c: Any, e_half: Any, e_d: Any) -> Any:
    """-sgn(c + d) D(x) of Algorithm 2 (KSW-X3), x - 1/2 and d = p - 1/2 on one side, c = |x - 1/2|.

    With e_half = e^(-N/2) and e_d = e^(-N |d|).
    """
    return e_half / 4 * (2 - e_d / (HALF + c))


def below_zero_shifted_apart(c: Any, e_half: Any, e_d: Any, e_v: Any, rest: Any) -> Any:
    """-sgn(d) D(x) of Algorithm 2 (KSW-X3), x - 1/2 and d = p - 1/2 on two sides, c = |x - 1/2|.

    With v0 = N |d| / c, e_v = e^(-v0 / 2) and rest = (1 - e^(-(1/2 - c) v0)) / (1/2 - c).
    """
    return e_half / 4 * (2 * (1 - e_v) - e_d * rest - e_v * (2 - 1 / (HALF + c)))


@final
@dataclass(frozen=True, slots=True)
class _Point:
    """A point x = x0 + direction * s of a piece, where the law is evaluated on complex balls `c`.

    `near` is whether the scales may be equal there, `lone` whether the smaller one is so small that
    exponentials in its reciprocal are below e^(-FAR) and left out.
    """

    s: Any
    x: Any
    c: Any
    N: Fraction
    p: Fraction
    direction: int
    near: bool
    lone: bool

    def exp(self, exponent: Fraction) -> Any:
        """e^exponent."""
        return self.c.exp(self.c.rational(exponent))


@final
@dataclass(frozen=True, slots=True)
class Algorithm:
    """The noise of an algorithm, as it enters {X > x}.

    Parameters
    ----------
    name : str
        As in the paper.
    centers : tuple of (Fraction, int, Fraction)
        The points x0 where the smaller scale is 0, the direction (1 or -1) of a piece that begins
        there, and its length; at its end both scales are equal. x = x0 + direction * s.
    largest, falls, grows : Fraction
        The scales are largest - falls * s and grows * s.
    below_zero : callable
        D(x) of a point.
    """

    name: str
    centers: tuple[tuple[Fraction, int, Fraction], ...]
    largest: Fraction
    falls: Fraction
    grows: Fraction
    below_zero: Callable[[_Point], Any]


def _transformed(at: _Point) -> Any:
    return below_zero_transformed(at.x, at.N, at.p, at.exp(-at.N))


def _independent(at: _Point) -> Any:
    return below_zero_independent(at.x, at.exp(-at.N / 2), at.exp(-at.N * at.p / 2))


def _shifted(at: _Point) -> Any:
    d = at.p - HALF
    e_half, e_d = at.exp(-at.N / 2), at.exp(-at.N * abs(d))
    if d * at.direction >= 0:
        return -at.direction * below_zero_shifted_together(at.s, e_half, e_d)
    side, g = (1 if d > 0 else -1), HALF - at.s
    if at.lone:
        return -side * below_zero_shifted_apart(at.s, e_half, e_d, 0, 1 / g)
    v0 = at.N * abs(d) / at.s
    rest = v0 * at.c.mean_exp(-g * v0) if at.near else (1 - at.c.exp(-g * v0)) / g
    return -side * below_zero_shifted_apart(at.s, e_half, e_d, at.c.exp(v0 * -HALF), rest)


ONE, ZERO = Fraction(1), Fraction(0)
TRANSFORMED = Algorithm(
    "Algorithm 3", ((ZERO, 1, HALF), (ONE, -1, HALF)), ONE, ONE, ONE, _transformed
)
"""Algorithm 3 with Laplace noise."""
SHIFTED = Algorithm(
    "Algorithm 2", ((HALF, -1, HALF), (HALF, 1, HALF)), ONE, ZERO, Fraction(2), _shifted
)
"""Algorithm 2 with Laplace noise."""
INDEPENDENT = Algorithm(
    "Algorithm 1", ((ZERO, 1, ONE),), Fraction(2), ZERO, Fraction(2), _independent
)
"""Algorithm 1 with Laplace noise, on [0, 1]."""


def mean_square_error(algorithm: Algorithm, N: Fraction, p: Fraction, *, numbers: Balls) -> Ball:
    """Enclose E (X - p)^2 = integral of 2 |x - p| P(X beyond x), exactly for this N and p."""
    total = numbers.rational(ZERO)
    for piece in _pieces(algorithm, N, p):
        total = total + _integrate(algorithm, N, p, piece, numbers=numbers)
    e_far, e_count = (numbers.exp(numbers.rational(-k)) for k in (Fraction(FAR), N / 2))
    left_out = 10 * e_far + ((1 + FAR) * e_far + (2 + N) * e_count if N > FAR else 0)
    return total + left_out * numbers.between(-ONE, ONE)


@final
@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of [0, 1] on which one formula holds: x = x0 + direction * s, start < s < end."""

    x0: Fraction
    direction: int
    sign: int
    start: Fraction
    end: Fraction
    near: bool
    lone: bool


def _pieces(algorithm: Algorithm, N: Fraction, p: Fraction) -> Iterator[_Piece]:
    """Split [0, 1] at p, at the centers and where the formula of the tail changes; drop the far."""
    reach = FAR * algorithm.largest / N
    slope = N / algorithm.grows
    for x0, direction, length in algorithm.centers:
        at_p = (p - x0) * direction
        least, most = at_p - reach, at_p + reach
        lone = slope * abs(at_p) / (2 * FAR + 4 * slope)
        near = length * 3 / 4
        cuts = {at_p, least, most, lone, near}
        for start, end in pairwise(sorted({ZERO, length} | {s for s in cuts if 0 < s < length})):
            if least <= start and end <= most:
                sign = direction if start >= at_p else -direction
                yield _Piece(x0, direction, sign, start, end, start >= near, end <= lone)


def _integrate(
    algorithm: Algorithm, N: Fraction, p: Fraction, piece: _Piece, *, numbers: Balls
) -> Ball:
    """Integrate 2 |x - p| (S + sign D) over a piece."""
    toward = piece.sign * piece.direction
    offset = piece.sign * (piece.x0 - p)
    slope = N / algorithm.grows

    def integrand(s: Any, c: Any) -> Any:
        distance = s * toward + offset
        first, second = -s * algorithm.falls + algorithm.largest, s * algorithm.grows
        e_first = c.exp(-distance * N / first)
        over_second = 0 * s + slope * toward + (slope * offset / s if offset else 0)
        if piece.near:
            mean = c.mean_exp(distance * N / first - over_second)
            more = mean * distance * N * second / (first * (first + second))
            tail = e_first / 2 * (1 + more)
        else:
            e_second = 0 if piece.lone else c.exp(-over_second)
            tail = laplace_sum_tail(first, second, e_first, e_second)
        x = s * piece.direction + piece.x0
        point = _Point(s, x, c, N, p, piece.direction, piece.near, piece.lone)
        return 2 * distance * (tail + piece.sign * algorithm.below_zero(point))

    return integral(integrand, piece.start, piece.end, numbers=numbers)
