"""Univariate staircase noise: its law (KSW, equation (11)) and its closed forms.

Sensitivity 1 unless said otherwise. The density is a b^|s(z)| with levels s; written in
y = gamma + b (1 - gamma) all moments are short.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.language import Condition, for_all
from proofs_check.papers.ksw.common import geometric_sum
from proofs_check.smt import (
    absolute,
    all_of,
    choose,
    floor,
    implies,
    integers,
    real,
    reals,
)
from proofs_check.statements.domain import Definition
from proofs_check.statements.notation import text
from proofs_check.statements.terms import Term
from proofs_check.symbolic import Rational, exp, identical, symbols

__all__ = [
    "CLAIMS",
    "best_variance",
    "best_y_cubed",
    "fourth_moment",
    "gamma_of_y",
    "geometric_variance",
    "height",
    "in_level",
    "level_of",
    "mean_absolute",
    "mean_absolute_best_gamma",
    "second_moment",
    "sigma_squared",
    "y_of_gamma",
]

Formula = Callable[..., Any]


def y_of_gamma(b: Any, gamma: Any) -> Any:
    """Y = gamma + b (1 - gamma), in [b, 1]."""
    return gamma + b * (1 - gamma)


def gamma_of_y(b: Any, y: Any) -> Any:
    """Gamma = (y - b) / (1 - b)."""
    return (y - b) / (1 - b)


def height(b: Any, y: Any, sensitivity: Any = 1) -> Any:
    """Equation (11): a = (1 - b) / (2 Delta y), the density at 0."""
    return (1 - b) / (2 * sensitivity * y)


def mean_absolute(b: Any, y: Any) -> Any:
    """E |Z| = (y^2 + b) / (2 y (1 - b))."""
    return (y**2 + b) / (2 * y * (1 - b))


def second_moment(b: Any, y: Any) -> Any:
    """V(y) = E Z^2 = (y^3 + 3 b y + b (1 + b)) / (3 y (1 - b)^2)."""
    return (y**3 + 3 * b * y + b * (1 + b)) / (3 * y * (1 - b) ** 2)


def fourth_moment(b: Any, y: Any) -> Any:
    """E Z^4, a polynomial of degree 5 in y over 5 y (1 - b)^4."""
    middle = 10 * b * y**3 + 10 * b * (1 + b) * y**2 + 5 * b * (1 + 7 * b + b**2) * y
    return (y**5 + middle + b * (1 + 21 * b + 21 * b**2 + b**3)) / (5 * y * (1 - b) ** 4)


def best_y_cubed(b: Any) -> Any:
    """y*^3 = b (1 + b) / 2, where the second moment is least."""
    return b * (1 + b) / 2


def best_variance(b: Any, best_y: Any) -> Any:
    """V* = (b + y*^2) / (1 - b)^2."""
    return (b + best_y**2) / (1 - b) ** 2


def mean_absolute_best_gamma(root: Any) -> Any:
    """Gamma = 1 / (1 + e^(eps / 2)), of root = e^(eps / 2), where E |Z| is least."""
    return 1 / (1 + root)


def geometric_variance(b: Any) -> Any:
    """2 b / (1 - b)^2, the variance of two-sided geometric noise."""
    return 2 * b / (1 - b) ** 2


def sigma_squared(epsilon: Any) -> Any:
    """Equation (2): the least variance, as printed (of a sympy term)."""
    third, b = Rational(1, 3), exp(-epsilon)
    return (2 ** (-2 * third) * exp(-2 * epsilon / 3) * (1 + b) ** (2 * third) + b) / (1 - b) ** 2


B, GAMMA, K = symbols("b gamma k", positive=True)
UNIT = {B: (0, 1), GAMMA: (0, 1)}


def in_level(z: Any, s: Any, gamma: Any) -> Any:
    """Whether z lies in staircase level s: |z| in [|s| - 1 + gamma, |s| + gamma), same sign."""
    from_below = all_of(real(s) - 1 + gamma <= z, z < real(s) + gamma)
    from_above = all_of(real(-s) - 1 + gamma <= -z, -z < real(-s) + gamma)
    return choose(s == 0, absolute(z) < gamma, choose(s > 0, from_below, from_above))


def level_of(s: Term, z: Term, gamma: Term) -> dict[Term, Definition]:
    """Define s as the staircase level of z, sgn(z) floor(|z| + 1 - gamma)."""
    size = floor(absolute(z) + 1 - gamma)
    witness = choose(z >= 0, size, -size)
    return {s: Definition(in_level(z, s, gamma), witness, f"the staircase level of {text(z)}")}


@proves("The density integrates to 1, for every sensitivity.", Method.SYMBOLIC)
@mutant("1 + b for 1 - b", height=lambda b, y, d: (1 + b) / (2 * d * y))
@mutant("height 1 % too large", height=lambda b, y, d: Rational(101, 100) * height(b, y, d))
def integrates_to_one(height: Formula = height) -> Finding:
    """The density of equation (11) with any sensitivity has integral 1."""
    delta = symbols("Delta", positive=True)
    y = y_of_gamma(B, GAMMA)
    level = delta * (GAMMA + B * (1 - GAMMA))
    total = 2 * height(B, y, delta) * geometric_sum(level, K, B)
    return identical(total, 1, UNIT | {delta: (0, 7)})


@proves("The level is sgn(z) floor(|z| + 1 - gamma), at every real z.", Method.SMT)
@mutant("|z| + 1.01 - gamma", shift=Fraction(101, 100))
@mutant("|z| - gamma", shift=Fraction(0))
@for_all(reals("z gamma") | integers("s"))
def level_by_floor(z: Any, gamma: Any, s: Any, *, shift: Fraction = Fraction(1)) -> Condition:
    """sgn(z) floor(|z| + 1 - gamma) is the level in which equation (11) puts z."""
    size = floor(absolute(z) + shift - gamma)
    given = all_of(0 < gamma, gamma <= 1, in_level(z, s, gamma))
    return implies(given, s == choose(z >= 0, size, -size))


@proves(
    "A move of at most 1 changes the level by at most 1: staircase noise is private.", Method.SMT
)
@mutant("moves up to 1.01", reach=Fraction(101, 100))
@for_all(reals("z x gamma") | integers("s r"))
def one_level_per_move(
    z: Any, x: Any, gamma: Any, s: Any, r: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """A move of at most 1 changes |s| by at most 1, so the density by at most e^eps."""
    given = all_of(
        0 < gamma,
        gamma <= 1,
        absolute(x) <= reach,
        in_level(z, s, gamma),
        in_level(z + x, r, gamma),
    )
    return implies(given, absolute(absolute(s) - absolute(r)) <= 1)


@proves(
    "The sampler (geometric level, then one of two pieces) gives each piece its mass.",
    Method.SYMBOLIC,
)
@mutant("1.01 gamma / y", inner=lambda g, y: Rational(101, 100) * g / y)
@mutant("gamma for gamma / y", inner=lambda g, _: g)
def sampler(inner: Formula = lambda gamma, y: gamma / y) -> Finding:
    """G geometric, B = 0 with probability gamma / y: each piece gets its mass of equation (11)."""
    y = y_of_gamma(B, GAMMA)
    first = inner(GAMMA, y)
    piece = (1 - B) * B**K
    a = 2 * height(B, y)
    whole = UNIT | {K: (0, 9)}
    near = identical(piece * first, a * B**K * GAMMA, whole)
    far = identical(piece * (1 - first), a * B ** (K + 1) * (1 - GAMMA), whole)
    return every([near, far], detail="both pieces of every level get their mass")


@proves("The level is the geometric variate, plus 1 on the second piece.", Method.SMT)
@mutant("split 0.01 later", edge=Fraction(1, 100))
@for_all(reals("z gamma") | integers("k"))
def level_of_the_sampler(z: Any, gamma: Any, k: Any, *, edge: Fraction = Fraction(0)) -> Condition:
    """K <= z < k + gamma has level k, and k + gamma <= z < k + 1 has level k + 1."""
    start, split = k, k + gamma + edge
    near = implies(all_of(start <= z, z < split), in_level(z, k, gamma))
    far = implies(all_of(split <= z, z < start + 1), in_level(z, k + 1, gamma))
    return implies(all_of(0 < gamma, gamma <= 1, k >= 0), all_of(near, far))


CLAIMS = (
    Claim(
        id="KSW-D2",
        source="Equation (11)",
        says=(
            "The univariate staircase: on the k-th interval of length Delta of |z| the density is "
            "a e^(-k eps) on the first part, of length gamma Delta, and a e^(-(k+1) eps) on the rest."
        ),
        latex=r"f(z) = a\, e^{-\varepsilon |s(z)|}, \quad s(z) = \operatorname{sgn}(z) \lfloor |z| + 1 - \gamma \rfloor, \quad a = \frac{1 - b}{2 \Delta (\gamma + b (1 - \gamma))}",
        domain="eps > 0, 0 < gamma <= 1, Delta > 0 (Delta = 1 in the formula of s)",
        status=Status.DEFINITION,
        checks=checks_of(
            integrates_to_one, level_by_floor, one_level_per_move, sampler, level_of_the_sampler
        ),
    ),
)
