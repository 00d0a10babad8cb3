"""Hourglass noise: its law, and why it is private (KSW, Section 4).

On the line z1 + z2 = t, for integers t, the density is A e^(-eps k) with k = |s| + |t - s|, where
s is the staircase level of z1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    choose,
    for_all,
    implies,
    integers,
    reals,
)
from proofs_check.papers.ksw.noise.staircase import in_level, level_of, y_of_gamma
from proofs_check.printed_values import as_printed
from proofs_check.solver import solve
from proofs_check.statements.decision import decided
from proofs_check.statements.domain import Domain
from proofs_check.statements.forms import Always, Private
from proofs_check.statements.terms import Function, real_symbols, whole_symbols
from proofs_check.steps import ByDefinition
from proofs_check.symbolic import Rational, exp, identical, symbols, tanh

__all__ = [
    "CLAIMS",
    "hourglass_height",
    "hourglass_level",
    "larger_level",
    "probability_of_loss",
    "randomized_response_delta",
    "symmetries",
]

Formula = Callable[..., Any]
Level = Callable[[Any, Any], Any]
"""Level of a point as a function of the line's t and the staircase level s of z1."""


def hourglass_level(t: Any, s: Any) -> Any:
    """k(t, z1) = |s| + |t - s|."""
    return absolute(s) + absolute(t - s)


def larger_level(t: Any, s: Any) -> Any:
    """K = max(|s|, |t - s|): private, but with other marginals; for mutants."""
    return choose(absolute(s) >= absolute(t - s), absolute(s), absolute(t - s))


def hourglass_height(b: Any, y: Any) -> Any:
    """Equation (7): A = a (1 - b) / (1 + b) = (1 - b)^2 / (2 y (1 + b)), the density at 0."""
    return (1 - b) ** 2 / (2 * y * (1 + b))


def probability_of_loss(growth: Any) -> Any:
    """P(loss = +eps) = e^eps / (1 + e^eps), of e^eps."""
    return growth / (1 + growth)


def randomized_response_delta(growth: Any, tilt: Any) -> Any:
    """delta(e') = (e^eps - e^e') / (1 + e^eps), 0 <= e' <= eps, of e^eps and e^e'."""
    return (growth - tilt) / (1 + growth)


@proves(
    "Every move (x, 1 - x) changes the level k by exactly one, at every real point.", Method.SMT
)
@mutant("99 eps / 100", share=Fraction(99, 100))
@mutant("k = |s| + |t| for |s| + |t - s|", level=lambda t, s: absolute(s) + absolute(t))
@mutant("one less where s = t", level=lambda t, s: hourglass_level(t, s) - choose(s == t, 1, 0))
@mutant("records up to 1.01", reach=Fraction(101, 100))
@decided(solve)
def noise_is_private(
    level: Level = hourglass_level, reach: Fraction = Fraction(1), share: Fraction = Fraction(1)
) -> Private:
    """|k(t + 1, z + x) - k(t, z)| = 1 for every record x in [0, 1], every point and every gamma."""
    eps, gamma, x, z = real_symbols("eps gamma x z")
    t, s, r = whole_symbols("t s r")
    k = Function("k", level)
    return Private(
        "The noisy pair with hourglass noise",
        "add-remove",
        Domain(
            (eps > 0, gamma > 0, gamma <= 1, x >= 0, x <= reach),
            free=(z, t),
            defined=level_of(s, z, gamma) | level_of(r, z + x, gamma),
        ),
        loss=eps * absolute(k(t + 1, r) - k(t, s)),
        budget=share * eps,
        attained=True,
    )


@confirms(
    "So the pair has the trade-off curve of randomized response: P(loss = eps), delta(e').",
    Method.SYMBOLIC,
)
@mutant("1.01 + e^eps", plus=lambda g: g / (Rational(101, 100) + g))
@mutant("e^eps + e^e' in delta", delta=lambda g, e: (g + e) / (1 + g))
def losses_of_randomized_response(
    plus: Formula = probability_of_loss, delta: Formula = randomized_response_delta
) -> Finding:
    """A loss of +-eps with E e^(-loss) = 1: its law, its delta(e') and total variation tanh(eps/2)."""
    eps, tilt = symbols("epsilon e_prime", positive=True)
    growth, p = exp(eps), plus(exp(eps))
    box = {eps: (1, 9), tilt: (0, 1)}
    return every(
        [
            identical(p / growth + (1 - p) * growth, 1, box),
            identical(p * (1 - exp(tilt) / growth), delta(growth, exp(tilt)), box),
            identical(delta(growth, 1), tanh(eps / 2), box, ways=(lambda e: e.rewrite(exp),)),
        ],
        detail="law, delta and total variation",
    )


@proves(
    "Where k = t (between -gamma and t + gamma) and k = t + 2 j, by z1, min and max.", Method.SMT
)
@mutant("gamma + 0.01 for gamma", edge=Fraction(1, 100))
@mutant("k = max(|s|, |t - s|)", level=larger_level)
@for_all(reals("z gamma") | integers("t s j"))
def regions(
    z: Any,
    gamma: Any,
    t: Any,
    s: Any,
    j: Any,
    *,
    level: Level = hourglass_level,
    edge: Fraction = Fraction(0),
) -> Condition:
    """For t >= 0: where k = t and where k = t + 2 j, by z1, by min(z1, z2) and by max(z1, z2)."""
    other = t - z
    smaller, larger = choose(z <= other, z, other), choose(z <= other, other, z)
    k, reach = level(t, s), gamma + edge
    middle = all_of(-reach < z, z < t + reach)
    by_smaller = all_of(j - 1 + reach <= -smaller, -smaller < j + reach)
    by_larger = all_of((t + j) - 1 + reach <= larger, larger < (t + j) + reach)
    given = all_of(0 < gamma, gamma <= 1, t >= 0, j >= 1, in_level(z, s, gamma))
    inner = all_of((k == t) == middle, middle == (smaller > -reach))
    outer = all_of((k == t + 2 * j) == by_smaller, by_smaller == by_larger)
    return implies(given, all_of(inner, outer))


@proves(
    "k is symmetric in z1 and z2 and under reflection; k >= |t|, and k - t is even.", Method.SMT
)
@mutant("k = |s| + |t|", level=lambda t, s: absolute(s) + absolute(t))
@mutant("k = max(|s|, |t - s|)", level=larger_level)
@decided(solve)
def symmetries(level: Level = hourglass_level) -> Always:
    """K is the same seen from z2, and at -z; k >= |t|, and k - t is even."""
    z, gamma = real_symbols("z gamma")
    t, s, r = whole_symbols("t s r")
    levels = level_of(s, z, gamma) | level_of(r, t - z, gamma)
    k = level(t, s)
    return Always(
        Domain((gamma > 0, gamma <= 1), free=(z, t), defined=levels),
        (k == level(t, r), k == level(-t, -s), k >= absolute(t), (k - t) % 2 == 0),
        "The level is the same seen from the other coordinate, and under reflection; it is at "
        "least {size} and exceeds {t} by an even number.",
        {"size": absolute(t), "t": t},
    )


@proves("The density integrates to 1.", Method.SYMBOLIC)
@mutant("1 - b for 1 + b", height=lambda b, y: (1 - b) / (2 * y))
@mutant("1.01 + b", height=lambda b, y: hourglass_height(b, y) * (1 + b) / (Rational(101, 100) + b))
def integrates_to_one(height: Formula = hourglass_height) -> Finding:
    """Levels of length 2 gamma (level 0) and 1, each with its sum over all lines."""
    b, gamma = symbols("b gamma", positive=True)
    lines = (1 + b) / (1 - b)
    lengths = 2 * gamma + 2 * (1 / (1 - b) - 1)
    total = height(b, y_of_gamma(b, gamma)) * lines * lengths
    return identical(total, 1, {b: (0, 1), gamma: (0, 1)})


@encloses("P(loss = eps) at eps = 1 and 3.", Method.ENCLOSURE)
@mutant("1.01 + e^eps", plus=lambda g: g / (g + Fraction(101, 100)))
def printed_losses(plus: Formula = probability_of_loss) -> Finding:
    """P(loss = +eps) at eps = 1 and 3."""
    numbers = Balls(64)
    return as_printed(
        (f"eps = {e}", text, plus(numbers.exp(numbers.rational(Fraction(e)))))
        for e, text in ((1, "0.731059"), (3, "0.952574"))
    )


CLAIMS = (
    Claim(
        id="KSW-D4",
        source="Equation (7), reconstructed (see KSW-U1)",
        says=(
            "Hourglass noise lives on the lines z1 + z2 = t, for integers t, with density "
            "A e^(-eps k) and k = |s| + |t - s|, where s is the staircase level of z1."
        ),
        latex=r"f(z_1, t - z_1) = A\, e^{-\varepsilon k(t, z_1)}, \quad k(t, z_1) = |s(z_1)| + |t - s(z_1)|, \quad A = \frac{(1 - b)^2}{2 y (1 + b)}",
        domain="eps > 0, 0 < gamma <= 1, t integer",
        status=Status.DEFINITION,
        checks=checks_of(integrates_to_one, regions, symmetries),
        note="The second check names all regions S_{t,i} for t >= 0; those for t < 0 are their reflections, by the third. The sampler draws z1 with its level s, and t = s + G1 - G2 (KSW-L4).",
    ),
    Claim(
        id="KSW-T2",
        source="Theorem 2",
        states=(noise_is_private,),
        domain="x is the record that moves the pair by (x, 1 - x)",
        assumes=("KSW-D4",),
        status=Status.PROVED,
        checks=checks_of(noise_is_private, losses_of_randomized_response, printed_losses),
        steps=(
            ByDefinition(
                "KSW-D4",
                "The density on each line is A e^(-eps k), so a move changes it by a factor e^eps or e^-eps; removing a record is the same move backwards.",
            ),
        ),
        note="Since both laws have the same null sets, E e^(-loss) = 1, which fixes the law of the loss. By hand: s(z + x) - s(z) is 0, 1 or 2, and 2 only from -1 to 1; in each case k changes by one.",
    ),
)
