"""Mean squared error of Algorithm 3 with the two-dimensional l1 staircase (our own).

Given its radius r the noise is uniform on a diamond, where W = (1 - x) Z1 - x Z2 has a trapezoidal
density; so the error is a sum over radii of elementary integrals, up to the mass of radii above n.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, integral
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.l1_moments import best_l1_y
from proofs_check.papers.ksw.noise.l1_staircase import l1_height, l1_variance_quintic
from proofs_check.papers.ksw.noise.staircase import gamma_of_y
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import identical, integrate, symbols

__all__ = ["CLAIMS", "diamond_tail_flat", "diamond_tail_slope", "l1_error", "radius_mass"]

Formula = Callable[..., Any]
HALF = Fraction(1, 2)

VALUES = (
    ("10", "0", "0.00131747554981"),
    ("10", "1/10", "0.00216229853975"),
    ("10", "1/2", "0.00131847445288"),
    ("5", "0", "0.0234507474226"),
    ("5", "1/10", "0.038507994082"),
    ("5", "1/2", "0.0234804739628"),
)
"""1000 records: eps, mean, and n^2 times the error."""


def diamond_tail_flat(tau: Any, r: Any) -> Any:
    """P(W > tau) for 0 <= tau <= r min(x, 1 - x)."""
    return HALF - tau / r


def diamond_tail_slope(tau: Any, r: Any, larger: Any, smaller: Any) -> Any:
    """P(W > tau) beyond, up to r larger, with larger = max(x, 1 - x) and smaller = min."""
    return (larger * r - tau) ** 2 / ((larger - smaller) * 2 * r**2)


def radius_mass(k: Any, b: Any, Y: Any) -> Any:
    """P(radius = k + gamma): height times area of a diamond."""
    return l1_height(b, Y) * (1 - b) * b**k * 2 * (k + gamma_of_y(b, Y)) ** 2


def radius_mass_from(k: int, b: Any, Y: Any) -> Any:
    """P(radius >= k + gamma)."""
    s, c = k + gamma_of_y(b, Y), 1 - b
    squares = s**2 / c + 2 * s * b / c**2 + b * (1 + b) / c**3
    return l1_height(b, Y) * c * b**k * 2 * squares


def l1_error(
    epsilon: Fraction, n: int, p: Fraction, change: Fraction = Fraction(1), *, numbers: Balls
) -> Ball:
    """Enclose n^2 E (X - p)^2 for p <= 1/2, at the gamma of least variance times `change`."""
    b = decay(epsilon, numbers=numbers)
    gamma = gamma_of_y(b, best_l1_y(l1_variance_quintic, b)) * change
    Y = b + (1 - b) * gamma
    radii = int(60 / epsilon) + 1
    total = numbers.rational(Fraction(0))
    for k in range(radii):
        r = gamma + k
        sides = [_side(r, n, p, -1)] * 2 if p == HALF else [_side(r, n, p, 1)]
        if 0 < p < HALF:
            sides.append(_side(r, n, p, -1))
        total = total + radius_mass(k, b, Y) * sum(sides[1:], sides[0])
    left_out = 2 * n**2 * radius_mass_from(radii, b, Y)
    return cast(Ball, total + left_out * numbers.between(Fraction(-1), Fraction(1)))


def _side(r: Ball, n: int, p: Fraction, sign: int) -> Ball:
    """Integral of 2 u P(W > u) over u > 0, where x = p + sign u / n, and the smaller is x.

    At p = 1/2 both sides are alike, and the one below is taken.
    """
    numbers = Balls(r.bits)
    flat, end = r * p * n / (n - sign * r), r * (1 - p) * n / (n + sign * r)
    if end > (n * p if sign < 0 else n * (HALF - p)):
        msg = f"a radius of {r!r} is too large for n = {n}, p = {p}"
        raise ValueError(msg)

    def integrand(u: Any, _: Any) -> Any:
        x = u * Fraction(sign, n) + p
        return 2 * u * diamond_tail_slope(u, r, 1 - x, x)

    within = flat**2 / 2 - 2 * flat**3 / (3 * r)
    return within + integral(integrand, flat, end, numbers=numbers)


@proves("W has a trapezoidal density on a diamond: both pieces of its tail.", Method.SYMBOLIC)
@mutant("2.02 r^2 for 2 r^2", eight=lambda *v: diamond_tail_slope(*v) * Fraction(100, 101))
def trapezoid(eight: Formula = diamond_tail_slope) -> Finding:
    """The tail of a u + v for independent u, v, uniform on [-1, 1], and y = 2 tau / r."""
    a, u, tau, r = symbols("a u tau r", positive=True)
    y = 2 * tau / r
    inside = (1 - y + a * u) / 2  # P(v > y - a u)
    flat = integrate(inside / 2, (u, -1, 1))
    slope = integrate(inside / 2, (u, (y - 1) / a, 1))
    domain = {a: (0, 1), tau: (0, 3), r: (1, 3)}
    return every(
        [
            identical(flat, diamond_tail_flat(tau, r), domain),
            identical(slope, eight(tau, r, (1 + a) / 2, (1 - a) / 2), domain),
        ]
    )


@proves("The ends of the pieces, as functions of the radius.", Method.SYMBOLIC)
@mutant("the other side", sign=-1)
def breakpoints(sign: int = 1) -> Finding:
    """At the ends of the pieces tau = r x and tau = r (1 - x), with x = p + tau / n or p - tau / n."""
    r, p, n = symbols("r p n", positive=True)
    domain = {r: (0, 9), p: (0, 1), n: (10, 99)}
    flat, end = r * p * n / (n - sign * r), r * (1 - p) * n / (n + sign * r)
    return every(
        [
            identical(flat, r * (p + flat / n), domain),
            identical(end, r * (1 - p - end / n), domain),
        ]
    )


@proves(
    "The masses of the radii add to 1; the bound of those left out is their mass.", Method.EXACT
)
@mutant("Y larger by 0.005", change=Fraction(1, 200))
def masses(change: Fraction = Fraction(0)) -> Finding:
    """Radii have total mass 1, exactly for b = 1/3."""
    b, Y = Fraction(1, 3), Fraction(3, 5)
    first = sum((radius_mass(k, b, Y) for k in range(4)), Fraction(0))
    return exactly(first + radius_mass_from(4, b, Y + change) == 1, "total mass 1")


@encloses("Six reference values for 1000 records.", Method.ENCLOSURE)
@mutant("gamma larger by 1 %", change=Fraction(101, 100))
def values(change: Fraction = Fraction(1)) -> Finding:
    """Six reference values for 1000 records."""
    numbers = Balls(110)
    return as_printed(
        (
            f"eps = {e}, mean {p}",
            text,
            l1_error(Fraction(e), 1000, Fraction(p), change, numbers=numbers),
        )
        for e, p, text in VALUES
    )


CLAIMS = (
    Claim(
        id="KSW-X6",
        source="our own",
        ours=True,
        says=(
            "The mean squared error of Algorithm 3 with two-dimensional staircase noise, as a sum over "
            "radii of elementary integrals, up to the mass of radii of at least n."
        ),
        latex=(
            r"\left|E(X-p)^2 - \sum_k w_k \int_0^1 2|x-p|\, P\big(W_x > n|x-p| \,\big|\, r = k + \gamma\big)"
            r"\,dx\right| \le P(r \ge n),\quad W_x = (1-x)Z_1 - xZ_2"
        ),
        domain="n >= 1, eps > 0, 0 < gamma <= 1; reference values for 1000 records",
        status=Status.PROVED,
        checks=checks_of(trapezoid, breakpoints, masses, values),
        assumes=("KSW-D3", "KSW-S4", "KSW-X1"),
        steps=(
            *by_checks(trapezoid, breakpoints, masses),
            *by_hand(
                "As in KSW-X1, P(X > x) and P(W > n (x - p)) differ only where the noisy count is 0 or less, hence by at most P(Z1 + Z2 <= -n) <= P(r >= n); 2 |x - p| integrates to at most 1.",
                "On a diamond of radius r, Z1 = (U + V) / 2 and Z2 = (U - V) / 2 with U, V independent and uniform on [-r, r], so W = ((1 - 2x) U + V) / 2.",
                "W is symmetric, so both sides of p are alike.",
                "Radii that are left out are bounded by their mass in every enclosure.",
            ),
        ),
    ),
)
