"""The discrete hourglass on the grid Z / Q: integers and geometric variates only (our own)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, choose, for_all, implies, integers
from proofs_check.papers.ksw.noise.hourglass_moments import sum_probability
from proofs_check.symbolic import Rational, identical, symbols

__all__ = [
    "CLAIMS",
    "discrete_gamma",
    "discrete_height",
    "discrete_hourglass_height",
    "discrete_level",
]

Formula = Callable[..., Any]


def discrete_level(j: int, Q: int, r: int) -> int:
    """Level of z1 = j / Q: 0 for |j| < r, i for |j| in [(i - 1) Q + r, i Q + r - 1]; odd."""
    size = (abs(j) + Q - r) // Q
    return size if j >= 0 else -size


def discrete_height(b: Any, Q: Any, r: Any) -> Any:
    """a_d = 1 / (2 r - 1 + 2 Q b / (1 - b)), the probability of z1 = 0."""
    return 1 / (2 * r - 1 + 2 * Q * b / (1 - b))


def discrete_hourglass_height(b: Any, Q: Any, r: Any) -> Any:
    """A_d = a_d (1 - b) / (1 + b), the probability of (0, 0)."""
    return discrete_height(b, Q, r) * (1 - b) / (1 + b)


def discrete_gamma(Q: Any, r: Any) -> Any:
    """Gamma = (r - 1/2) / Q: the continuous levels that agree on the grid."""
    return (r - Fraction(1, 2)) / Q


@proves("The levels are those of the continuous hourglass with gamma = (r - 1/2) / Q.", Method.SMT)
@mutant("gamma = (r - 1.01) / Q", half=Fraction(101, 100))
@mutant("gamma = (r + 0.01) / Q", half=Fraction(-1, 100))
@for_all(integers("j Q r multiple"))
def same_levels(
    j: Any, Q: Any, r: Any, multiple: Any, *, half: Fraction = Fraction(1, 2)
) -> Condition:
    """|j| in [(i-1) Q + r, i Q + r - 1] says |j| / Q in [i - 1 + gamma, i + gamma), for integers."""
    # multiple = i Q, so that the statement is linear; both sides times Q
    given = all_of(1 <= r, r <= Q, j >= 0)
    grid = all_of(multiple - Q + r <= j, j <= multiple + r - 1)
    edge = multiple + r - half
    line = all_of(edge - Q <= j, j < edge)
    return implies(given, grid == line)


@proves("Every record changes the level by exactly one: all moves of small grids.", Method.EXACT)
@mutant("records up to (Q + 1) / Q", longest=1)
@mutant("one less where s = t", level=lambda t, s: abs(s) + abs(t - s) - int(s == t))
def moves_change_the_level_by_one(
    level: Callable[[int, int], int] = lambda t, s: abs(s) + abs(t - s), longest: int = 0
) -> Finding:
    """|k(t + 1, (j + x) / Q) - k(t, j / Q)| = 1 for every record x / Q, by enumeration."""
    moves = 0
    for Q, t in product((1, 2, 3, 5), range(-4, 5)):
        for r, j, x in product(range(1, Q + 1), range(-4 * Q, 4 * Q + 1), range(Q + 1 + longest)):
            before = level(t, discrete_level(j, Q, r))
            after = level(t + 1, discrete_level(j + x, Q, r))
            moves += 1
            if abs(after - before) != 1:
                return exactly(False, f"fails at Q = {Q}, r = {r}, t = {t}, j = {j}, x = {x}")
    return exactly(True, f"{moves} moves")


@proves("The probabilities add to 1.", Method.SYMBOLIC)
@mutant(
    "2 r for 2 r - 1", height=lambda b, Q, r: discrete_hourglass_height(b, Q, r + Rational(1, 2))
)
@mutant("1.01 Q", height=lambda b, Q, r: discrete_hourglass_height(b, Q * Rational(101, 100), r))
def adds_to_one(height: Formula = discrete_hourglass_height) -> Finding:
    """2 r - 1 points of level 0, 2 Q points of each other level, (1 + b) / (1 - b) lines."""
    b, Q, r = symbols("b Q r", positive=True)
    points = 2 * r - 1 + 2 * Q * (1 / (1 - b) - 1)
    total = height(b, Q, r) * points * (1 + b) / (1 - b)
    return identical(total, 1, {b: (0, 1), Q: (9, 20), r: (1, 9)})


@proves("P(T = t) is the closed form of KSW-H1 with gamma = (r - 1/2) / Q.", Method.SYMBOLIC)
@mutant("gamma = r / Q", gamma=lambda Q, r: r / Q)
def law_of_the_sum(gamma: Formula = discrete_gamma) -> Finding:
    """P(T = t) is that of continuous hourglass noise with gamma = (r - 1/2) / Q."""
    b, Q, r = symbols("b Q r", positive=True)
    t = symbols("t", integer=True, nonnegative=True)
    far = b**2 / (1 - b**2)  # lines s = -j and s = t + j, j >= 1: level t + 2 j
    total = discrete_hourglass_height(b, Q, r) * b**t * (2 * r - 1 + Q * t + 2 * Q * far)
    box = {b: (0, 1), Q: (9, 20), r: (1, 9), t: (0, 9)}
    return identical(total, sum_probability(b, gamma(Q, r), t), box)


@proves(
    "The sampler gives each point of |j| < 6 Q a probability proportional to b^level.", Method.EXACT
)
@mutant("kept with probability 1.01 b", keep=lambda b: b * Fraction(101, 100))
@mutant("-0 not rejected", restarts=False)
def sampler(keep: Callable[[Fraction], Fraction] = lambda b: b, restarts: bool = True) -> Finding:
    """The law of the sampler: G geometric, j uniform, far points kept with probability b, sign."""
    for b, Q in product((Fraction(1, 3), Fraction(5, 7)), (1, 2, 3, 5)):
        for r in range(1, Q + 1):
            weights: dict[int, Fraction] = {}
            for G, j, sign in product(range(6), range(Q), (-1, 1)):
                if restarts and (G, j, sign) == (0, 0, -1):
                    continue
                chance = (1 - b) * b**G / (2 * Q) * (keep(b) if j >= r else 1)
                point = sign * (G * Q + j)
                weights[point] = weights.get(point, Fraction(0)) + chance
            for point, weight in weights.items():
                if weight != weights[0] * b ** abs(discrete_level(point, Q, r)):
                    return exactly(False, f"fails at b = {b}, Q = {Q}, r = {r}, j = {point}")
    return exactly(True, "b = 1/3 and 5/7, Q = 1, 2, 3, 5, every r, |j| < 6 Q")


@proves("The level of G Q + j is G + [j >= r].", Method.SMT)
@mutant("r + 1 for r", shift=1)
@for_all(integers("G j r Q multiple"))
def level_of_the_sampler(
    G: Any, j: Any, r: Any, Q: Any, multiple: Any, *, shift: int = 0
) -> Condition:
    """The level of G Q + j is G + [j >= r]."""
    # multiple = G Q; the level L is between: multiple is G Q, next level adds Q
    given = all_of(1 <= r, r <= Q, 0 <= j, j < Q, G >= 0, multiple >= 0)
    point = multiple + j
    low = choose(j >= r, multiple + r + shift, multiple - Q + r + shift)
    return implies(given, all_of(low <= point, point <= low + Q - 1))


CLAIMS = (
    Claim(
        id="KSW-D5",
        source="our own",
        says=(
            "The hourglass on the grid Z / Q: the same levels at the points j / Q, sampled from "
            "integers and geometric variates only. It is as private, and T has the same law."
        ),
        latex=r"P(z_1 = j / Q,\ z_1 + z_2 = t) = A_d\, b^{|s| + |t - s|}, \quad A_d = a_d \frac{1 - b}{1 + b}, \quad a_d = \frac{1}{2 r - 1 + 2 Q b / (1 - b)}",
        domain="eps > 0, integers Q >= 1, 1 <= r <= Q; level i >= 1 is |j| in [(i - 1) Q + r, i Q + r - 1]",
        status=Status.DEFINITION,
        checks=checks_of(
            adds_to_one,
            same_levels,
            moves_change_the_level_by_one,
            law_of_the_sum,
            sampler,
            level_of_the_sampler,
        ),
        assumes=("KSW-T2",),
        ours=True,
        note="On the grid the levels and the moves are those of the continuous hourglass, so KSW-T2 gives privacy for all Q and r; the enumeration shows it anew. Level 0 has 2 r - 1 points, every other level Q points on each side.",
    ),
)
