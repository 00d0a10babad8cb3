"""Exact mean squared error of Algorithm 3 with hourglass noise (our own).

The error is a sum over the lines z1 + z2 = t. On a line the density A b^(|t| + 2i) has steps: i = 0
from -gamma to t + gamma (for t >= 0), and i = 1, 2, ... on unit intervals to either side. Between
the points where the output is clipped the error is (z - p t) / (n + t), so each line needs moments
of a step function only. The formulas run on balls and on exact rationals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import Any, cast

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.staircase import best_y_cubed, gamma_of_y
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByDefinition, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "Hourglass", "best_hourglass", "enough_lines", "hourglass_error"]

HALF = Fraction(1, 2)
SMALL = (
    ("6", 2, "1/2", "0.00264990469052724"),
    ("1", 1, "0", "0.256682515281616"),
    ("1", 3, "3/10", "0.0685839726915742"),
    ("1", 10, "0", "0.00630790788183214"),
)
"""eps, n, p and the error."""

TABLE = (
    (
        "10",
        (
            "4.23024558932236e-10",
            "8.30437110590922e-10",
            "6.94713632637214e-10",
            "4.23605561818321e-10",
            "4.23024558932236e-10",
        ),
    ),
    (
        "5",
        (
            "1.48316205976057e-8",
            "2.91228221312541e-8",
            "2.43630997139337e-8",
            "1.48555393297731e-8",
            "1.48316205976057e-8",
        ),
    ),
    (
        "1",
        (
            "9.53326323559078e-7",
            "1.8797173311155e-6",
            "1.57290670368742e-6",
            "9.59080807527342e-7",
            "9.53326323559078e-7",
        ),
    ),
    (
        "1/2",
        (
            "3.91165488631776e-6",
            "7.59873832337848e-6",
            "6.4929758167351e-6",
            "3.95898475553978e-6",
            "3.91165488631776e-6",
        ),
    ),
    (
        "1/10",
        (
            "9.43518712855129e-5",
            "0.000118888391661522",
            "0.000164523402200003",
            "0.000100259934988981",
            "9.43518712855129e-5",
        ),
    ),
)
"""1000 records: eps, and the errors at the means 0, 0.01, 0.1, 0.5 and 1."""

MEANS = tuple(Fraction(p) for p in ("0", "1/100", "1/10", "1/2", "1"))


@dataclass(frozen=True)
class Hourglass:
    """Hourglass noise with b = e^(-eps) and y = gamma + b (1 - gamma), on balls or fractions."""

    b: Any
    y: Any

    @cached_property
    def gamma(self) -> Any:
        """Half the length of level 0."""
        return gamma_of_y(self.b, self.y)

    @cached_property
    def height(self) -> Any:
        """A, the density at 0 (KSW-D4)."""
        return (1 - self.b) ** 2 / (2 * self.y * (1 + self.b))

    def sum_is(self, t: int) -> Any:
        """P(Z1 + Z2 = t) = A b^|t| (|t| + c), c = 2 gamma + 2 b^2 / (1 - b^2) (KSW-H1)."""
        return self.height * self.b ** abs(t) * (abs(t) + 2 * self._side)

    def sum_is_beyond(self, t: int) -> Any:
        """P(Z1 + Z2 > t) for t >= 0."""
        b, first = self.b, t + 1 + 2 * self._side
        return self.height * b ** (t + 1) * (first / (1 - b) + b / (1 - b) ** 2)

    @cached_property
    def _side(self) -> Any:
        """Integral of the steps over u > 0: gamma + b^2 + b^4 + ..."""
        return self.gamma + self.b**2 / (1 - self.b**2)

    @cached_property
    def _steps(self) -> list[tuple[Any, Any, Any, Any]]:
        """By i: h = b^(2i), and the part of `_outward` on step i that does not depend on v."""
        return [(self.b**0, 0 * self.b, 0 * self.b, 0 * self.b)]

    def _step(self, i: int) -> tuple[Any, Any, Any, Any]:
        while len(self._steps) <= i:
            h, m0, m1, m2 = self._steps[-1]
            left, fall = self.gamma + (len(self._steps) - 1), h * (1 - self.b**2)
            m1, m2 = m1 + fall * left**2 / 2, m2 + fall * left**3 / 3
            self._steps.append((h * self.b**2, m0 + fall * left, m1, m2))
        return self._steps[i]

    def _outward(self, v: Fraction) -> tuple[Any, Any, Any]:
        """Integrals of b^(2i) u^j over 0 < u < v, where i = 0 up to gamma, then 1, 2, ..."""
        whole = v // 1
        i = whole if v - whole < self.gamma else whole + 1
        h, m0, m1, m2 = self._step(i)
        return m0 + h * v, m1 + h * (v**2 / 2), m2 + h * (v**3 / 3)

    def _from_zero(self, z: Fraction, t: int) -> tuple[Any, Any, Any]:
        """Integrals of b^(k - t) z^j from 0 to z, j = 0, 1, 2, on line t >= 0."""
        if z < 0:
            m0, m1, m2 = self._outward(-z)
            return -m0, m1, -m2
        flat = min(z, Fraction(t))
        if flat == z:
            return z, z**2 / 2, z**3 / 3
        m0, m1, m2 = self._outward(z - flat)
        return (
            flat + m0,
            flat**2 / 2 + m1 + t * m0,
            flat**3 / 3 + m2 + 2 * t * m1 + t**2 * m0,
        )

    def line(self, n: int, p: Fraction, t: int) -> Any:
        """Integral over line t of A b^k times the squared error; it is (1/2 - p)^2 at n + t = 0."""
        if n + t == 0:
            return (HALF - p) ** 2 * self.sum_is(t)
        low, high = sorted((-p * n, n + t - p * n))  # the clipped ratio varies between these
        below, above = (p**2, (1 - p) ** 2) if n + t > 0 else ((1 - p) ** 2, p**2)
        center, scale = p * t, self.height * self.b ** abs(t)
        if t < 0:  # (-Z1, -Z2) has the same law
            t, low, high, below, above, center = -t, -high, -low, above, below, -center
        first, last = (self._from_zero(z, t) for z in (low, high))
        m0, m1, m2 = (y - x for x, y in zip(first, last, strict=True))
        inside = (m2 - m1 * (2 * center) + m0 * center**2) / (high - low) ** 2
        clipped = (self._side + first[0]) * below + (t + self._side - last[0]) * above
        return scale * (inside + clipped)


def best_hourglass(
    epsilon: Fraction, change: Fraction = Fraction(1), *, numbers: Balls
) -> Hourglass:
    """Hourglass noise at gamma*(eps), where y^3 = b (1 + b) / 2 (KSW-S2)."""
    b = decay(epsilon, numbers=numbers)
    return Hourglass(b, numbers.root(best_y_cubed(b) * change, 3))


def hourglass_error(noise: Hourglass, n: int, p: Fraction, lines: int, *, numbers: Balls) -> Ball:
    """Enclose E (X - p)^2: the lines |t| <= lines, and at most P(|T| > lines) for the others."""
    total = sum((noise.line(n, p, t) for t in range(-lines, lines + 1)), 0 * noise.b)
    left_out = 2 * noise.sum_is_beyond(lines) * numbers.between(Fraction(0), Fraction(1))
    return cast(Ball, total + left_out)


def enough_lines(epsilon: Fraction) -> int:
    """Lines that leave out less than about e^-50."""
    return 50 // epsilon + 2


def level_sum(noise: Hourglass, n: int, p: Fraction, t: int, levels: int) -> Any:
    """Integral over line t by the definition: level by level, k = |s| + |t - s|, split at clips."""
    total = Fraction(0)
    clips = (-p * n, n + t - p * n)
    for s in range(-levels, levels + 1):
        low = noise.gamma + (s - 1) if s > 0 else -noise.gamma + s
        high = noise.gamma + s if s >= 0 else -noise.gamma + (s + 1)
        weight = noise.height * noise.b ** (abs(s) + abs(t - s))
        cuts = [low, *sorted(z for z in clips if low < z < high), high]
        for a, c in pairwise(cuts):
            simpson = ((a, 1), ((a + c) / 2, 4), (c, 1))  # exact: the error is quadratic
            middle = (a + c) / 2
            for z, times in simpson:
                total += weight * (c - a) * times * _squared_error(n, p, t, z, middle) / 6
    return total


def _squared_error(n: int, p: Fraction, t: int, z: Fraction, inside: Fraction) -> Fraction:
    """(Clip(ratio) - p)^2 at z, on the piece between clips that contains `inside`."""
    if n + t == 0:
        return (HALF - p) ** 2
    ratio = (p * n + inside) / (n + t)
    if not 0 < ratio < 1:
        return (min(max(ratio, Fraction(0)), Fraction(1)) - p) ** 2
    return ((p * n + z) / (n + t) - p) ** 2


@confirms(
    "One step function a line gives the sum over its levels: 84 lines, with clips, "
    "negative and zero counts, in exact rationals.",
    Method.EXACT,
)
@mutant("y larger by 1 %", change=Fraction(1, 100))
def by_definition(change: Fraction = Fraction(0)) -> Finding:
    """The line formula against the sum over 35 levels, exactly, for b = 1/3 and three gammas."""
    tiny = Fraction(1, 3**50)
    for y in (Fraction(2, 5), Fraction(3, 4), Fraction(1)):
        noise = Hourglass(Fraction(1, 3), y + change * y)
        true = Hourglass(Fraction(1, 3), y)
        for n, p, t in product((1, 2), (Fraction(0), Fraction(2, 5)), range(-3, 4)):
            gap = abs(noise.line(n, p, t) - level_sum(true, n, p, t, 35))
            if gap > tiny or noise.line(n, p, t) != noise.line(n, 1 - p, t):
                return exactly(False, f"differs at n = {n}, p = {p}, t = {t}, y = {y}")
    return exactly(
        True, "84 lines, equal up to the levels left out, below 3^-50; p and 1 - p agree"
    )


@proves("The lines have total mass 1; the bound of the lines left out is their mass.", Method.EXACT)
@mutant("P(T > t + 1) for P(T > t)", shift=1)
def masses(shift: int = 0) -> Finding:
    """P(T = t) and P(T > t) of the closed form add up to 1, exactly."""
    noise = Hourglass(Fraction(1, 3), Fraction(2, 5))
    total = sum((noise.sum_is(t) for t in range(-3, 4)), Fraction(0))
    return exactly(total + 2 * noise.sum_is_beyond(3 + shift) == 1, "total mass 1")


@proves("Between the clips the error is (z - p t) / (n + t).", Method.SYMBOLIC)
@mutant("+ p t for - p t", sign=-1)
def ratio_error(sign: int = 1) -> Finding:
    """Between the clips the error is (z - p t) / (n + t)."""
    n, t, z, p = symbols("n t z p", positive=True)
    closed = (z - sign * p * t) / (n + t)
    return identical(
        (p * n + z) / (n + t) - p, closed, {n: (1, 9), t: (0, 9), z: (0, 9), p: (0, 1)}
    )


@encloses("Four reference values for 1, 2, 3 and 10 records.", Method.ENCLOSURE)
@mutant("y*^3 larger by 1 %", change=Fraction(101, 100))
def small_values(change: Fraction = Fraction(1)) -> Finding:
    """Four reference values for few records, where the count is often 0."""
    numbers = Balls(128)
    return as_printed(
        (f"eps = {e}, n = {n}, p = {p}", text, error)
        for e, n, p, text in SMALL
        for epsilon in (Fraction(e),)
        for noise in (best_hourglass(epsilon, change, numbers=numbers),)
        for error in (
            hourglass_error(noise, n, Fraction(p), enough_lines(epsilon), numbers=numbers),
        )
    )


@encloses("The 25 reference values for 1000 records.", Method.ENCLOSURE)
@mutant("y*^3 larger by 1 %", change=Fraction(101, 100))
def table_values(change: Fraction = Fraction(1)) -> Finding:
    """The 25 reference values for 1000 records."""
    numbers = Balls(144)

    def rows() -> Iterator[tuple[str, str, Ball]]:
        for e, texts in TABLE:
            epsilon = Fraction(e)
            noise = best_hourglass(epsilon, change, numbers=numbers)
            errors: dict[Fraction, Ball] = {}
            for p, text in zip(MEANS, texts, strict=True):
                error = errors.get(
                    1 - p
                )  # p and 1 - p have the same error, as `by_definition` checks
                if error is None:
                    error = hourglass_error(noise, 1000, p, enough_lines(epsilon), numbers=numbers)
                errors[p] = error
                yield f"eps = {e}, mean {p}", text, error

    return as_printed(rows())


CLAIMS = (
    Claim(
        id="KSW-X5",
        source="our own",
        ours=True,
        says=(
            "The exact mean squared error of Algorithm 3 with hourglass noise, as a sum over lines "
            "and levels of elementary integrals; a noisy count of 0 gives the midpoint."
        ),
        latex=(
            r"E(X - p)^2 = \sum_{t, s \in \mathbb{Z}} A\, b^{|s| + |t - s|} \int_{\text{level } s}"
            r"\left(\mathrm{Clip}\left(\frac{s_1 + z}{n + t}, [0, 1]\right) - p\right)^2 dz"
        ),
        domain="n >= 1, eps > 0, 0 < gamma <= 1, any data; in units of the interval",
        status=Status.PROVED,
        checks=checks_of(ratio_error, by_definition, masses, small_values, table_values),
        assumes=("KSW-D4", "KSW-H1"),
        steps=(
            *by_checks(ratio_error, masses),
            ByDefinition(
                "KSW-D4",
                "The sum is the expectation written out with the density of the noise; what the checks add is that its evaluation is right.",
            ),
            ByHand(
                "The error is at most 1, so the lines left out contribute at most their mass, which is part of every enclosure."
            ),
        ),
    ),
)
