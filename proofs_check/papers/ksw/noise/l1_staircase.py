"""The two-dimensional staircase in the l1 norm: its law and closed forms (KSW, equation (12)).

Its density depends on |z1| + |z2| alone: it is a mixture of uniform laws on the diamonds of radii
k + gamma. Moments are short in Y = b + (1 - b) gamma.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.language import Condition, absolute, all_of, choose, for_all, implies, reals
from proofs_check.papers.ksw.common import geometric_sum
from proofs_check.symbolic import Rational, identical, integrate, symbols

__all__ = [
    "CLAIMS",
    "diamond_mixed_moment",
    "diamond_moment",
    "l1_fourth_moment",
    "l1_height",
    "l1_mean_absolute",
    "l1_mean_quartic",
    "l1_second_moment",
    "l1_variance_quintic",
]

Formula = Callable[..., Any]


def l1_height(b: Any, Y: Any, sensitivity: Any = 1) -> Any:
    """Equation (12): a2 = (1 - b)^2 / (2 Delta^2 (Y^2 + b)), the density at 0."""
    return (1 - b) ** 2 / (2 * sensitivity**2 * (Y**2 + b))


def l1_mean_absolute(b: Any, Y: Any) -> Any:
    """A2(Y) = E |Z1| = (Y^3 + 3 b Y + b (1 + b)) / (3 (1 - b) (Y^2 + b))."""
    return (Y**3 + 3 * b * Y + b * (1 + b)) / (3 * (1 - b) * (Y**2 + b))


def l1_second_moment(b: Any, Y: Any) -> Any:
    """V2(Y) = E Z1^2."""
    top = Y**4 + 6 * b * Y**2 + 4 * b * (1 + b) * Y + b * (1 + 7 * b + b**2)
    return top / (6 * (1 - b) ** 2 * (Y**2 + b))


def l1_fourth_moment(b: Any, Y: Any) -> Any:
    """E Z1^4 = 6 E Z1^2 Z2^2 = Q6 / (15 (1 - b)^4 (Y^2 + b))."""
    high = Y**6 + 15 * b * Y**4 + 20 * b * (1 + b) * Y**3 + 15 * b * (1 + 7 * b + b**2) * Y**2
    low = 6 * b * (1 + 21 * b + 21 * b**2 + b**3) * Y
    last = b * (1 + 51 * b + 161 * b**2 + 51 * b**3 + b**4)
    return (high + low + last) / (15 * (1 - b) ** 4 * (Y**2 + b))


def l1_variance_quintic(b: Any) -> tuple[Any, ...]:
    """Coefficients of Y^5, ..., 1 of the polynomial whose largest root is Y2*."""
    return (1, 0, 2 * b, -2 * b * (1 + b), -b * (1 + b + b**2), 2 * b**2 * (1 + b))


def l1_mean_quartic(b: Any) -> tuple[Any, ...]:
    """Coefficients of Y^4, ..., 1 of the polynomial whose largest root minimizes E |Z1|."""
    return (1, 0, 0, -2 * b * (1 + b), 3 * b**2)


def diamond_moment(power: int, r: Any) -> Any:
    """E |z1|^m = 2 r^m / ((m + 1) (m + 2)) for the uniform law on |z1| + |z2| <= r."""
    return 2 * r**power / ((power + 1) * (power + 2))


def diamond_mixed_moment(r: Any) -> Any:
    """E z1^2 z2^2 = r^4 / 90 for the uniform law on |z1| + |z2| <= r."""
    return r**4 / 90


B, GAMMA, K, R, X = symbols("b gamma k r x", positive=True)
UNIT = {B: (0, 1), GAMMA: (0, 1)}
Y_OF_GAMMA = B + (1 - B) * GAMMA


@proves("The density integrates to 1, for every sensitivity.", Method.SYMBOLIC)
@mutant(
    "Y^2 + 1.01 b",
    height=lambda b, Y, d: (1 - b) ** 2 / (2 * d**2 * (Y**2 + Rational(101, 100) * b)),
)
@mutant("Delta for Delta^2", height=lambda b, Y, d: (1 - b) ** 2 / (2 * d * (Y**2 + b)))
def integrates_to_one(height: Formula = l1_height) -> Finding:
    """Levels of the density add to 1: the diamond of radius k + gamma has height a2 b^k (1 - b)."""
    delta = symbols("Delta", positive=True)
    area = 2 * delta**2 * (K + GAMMA) ** 2
    total = height(B, Y_OF_GAMMA, delta) * (1 - B) * geometric_sum(area.expand(), K, B)
    return identical(total, 1, UNIT | {delta: (0, 7)})


@proves("A record changes the l1 norm by at most 1: the noise is private.", Method.SMT)
@mutant("records up to 1.01", reach=Fraction(101, 100))
@for_all(reals("z1 z2 x"))
def one_level_per_move(z1: Any, z2: Any, x: Any, *, reach: Fraction = Fraction(1)) -> Condition:
    """A record moves |z1| + |z2| by at most 1, and a level is 1 wide: the density by e^eps."""
    given = all_of(0 <= x, x <= reach)
    moved = absolute(z1 + x) + absolute(z2 + 1 - x) - absolute(z1) - absolute(z2)
    return implies(given, all_of(moved <= 1, moved >= -1))


@proves("The sampler's l1 norm is max(|U|, |V|).", Method.SMT)
@mutant("0.505 for 1/2", half=Fraction(505, 1000))
@for_all(reals("u v"))
def sampler(u: Any, v: Any, *, half: Fraction = Fraction(1, 2)) -> Any:
    """((U + V) / 2, (U - V) / 2) has l1 norm max(|U|, |V|): uniform on the diamond of radius r."""
    norm = absolute(u + v) * half + absolute(u - v) * half
    return norm == choose(absolute(u) > absolute(v), absolute(u), absolute(v))


@proves(
    "E |z1|^m = 2 r^m / ((m + 1) (m + 2)) and E z1^2 z2^2 = r^4 / 90 on a diamond.", Method.SYMBOLIC
)
@mutant("(m + 1)^2 for (m + 1) (m + 2)", power=lambda m, r: 2 * r**m / (m + 1) ** 2)
@mutant("r^4 / 91", mixed=lambda r: r**4 / 91)
def diamonds(power: Formula = diamond_moment, mixed: Formula = diamond_mixed_moment) -> Finding:
    """Moments of the uniform law on a diamond: |z1| has density 2 (r - x) / r^2 on [0, r]."""
    z = symbols("z", positive=True)
    findings = [
        identical(integrate(X**m * 2 * (R - X) / R**2, (X, 0, R)), power(m, R), {R: (0, 9)})
        for m in (0, 1, 2, 4)
    ]
    quarter = integrate(integrate(X**2 * z**2, (z, 0, R - X)), (X, 0, R))
    return every([*findings, identical(4 * quarter / (2 * R**2), mixed(R), {R: (0, 9)})])


CLAIMS = (
    Claim(
        id="KSW-D3",
        source="Equation (12)",
        says=(
            "The two-dimensional staircase: the density falls by e^(-eps) at each l1 radius "
            "(k + gamma) Delta."
        ),
        latex=r"f(z) = a_2 e^{-k \varepsilon} \text{ on } (k - 1 + \gamma) \Delta \le \|z\|_1 < (k + \gamma) \Delta, \quad a_2 = \frac{(1 - b)^2}{2 \Delta^2 (Y^2 + b)}, \quad Y = b + (1 - b) \gamma",
        domain="eps > 0, 0 < gamma <= 1, Delta > 0",
        status=Status.DEFINITION,
        checks=checks_of(integrates_to_one, one_level_per_move, sampler, diamonds),
        note="Given the radius, (U, V) is uniform on a square, whose image is the diamond.",
    ),
)
