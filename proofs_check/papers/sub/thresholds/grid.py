"""The threshold mechanism on a grid, without sampling over the reals (Corollary 3.8).

Data on the grid z_1 < ... < z_m of step gamma; Algorithm 2 on [z_1, z_m] with alpha = gamma / 3,
rounded to the nearest grid point, has a law in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, choose, for_all, implies, integers, reals
from proofs_check.papers.sub.common import (
    PERCENT,
    below,
    deficit,
    multisets,
    rank_distance,
    threshold_cells,
    up_to,
    weights,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS", "grid_rank_bound", "grid_weights"]

THIRD, SIXTH = Fraction(1, 3), Fraction(1, 6)
EXAMPLE = ("0.145667236691959", "0.417331053232164", "0.291334473383918", "0.145667236691959")
BOUNDS = (
    ("1", 101, "0.05", "17.4189301581267"),
    ("0.25", 21, "0.01", "69.986439299037"),
    ("0.1", 1001, "0.001", "298.302446939309"),
)
"""eps, m, zeta, (2 / eps) log(3 m / zeta)."""


def grid_weights(
    data: Sequence[Any],
    grid: Sequence[Any],
    rank: Any,
    epsilon: Fraction,
    *,
    near: Fraction = THIRD,
    far: Fraction = SIXTH,
) -> list[ExpSum]:
    """Weights of the rounded threshold: thirds with loss l_i, sixths with loss g_i of the gaps."""
    gaps = [abs(rank - up_to(data, z)) for z in grid]
    found = []
    for i, z in enumerate(grid):
        own = Fraction(deficit(rank, below(data, z), up_to(data, z)))
        sides = [gaps[i - 1]] * (i > 0) + [gaps[i]] * (i < len(grid) - 1)
        weight = ExpSum.exp(-epsilon * own / 2, near * len(sides))
        for gap in sides:
            weight = weight + ExpSum.exp(-epsilon * Fraction(gap) / 2, far)
        found.append(weight)
    return found


def grid_rank_bound(epsilon: Any, cells: Any, zeta: Any, *, numbers: Any) -> Any:
    """(2 / eps) log(3 m / zeta), Corollary 3.8; with m - 1 for m it is sharper and still holds."""
    return 2 / epsilon * numbers.log(3 * cells / zeta)


@confirms(
    "The closed form is direct integration, over small data sets and all ranks.", Method.EXACT
)
@mutant("0.33 for 1/3", near=Fraction(33, 100))
@mutant("0.165 for 1/6", far=Fraction(33, 200))
def law_is_direct_integration(near: Fraction = THIRD, far: Fraction = SIXTH) -> Finding:
    """Weights of the closed form are those of Algorithm 2, integrated over rounding intervals."""
    cases, epsilon = 0, Fraction(1)
    for m in (2, 3, 4):
        for data in multisets(range(m), range(4)):
            for rank in range(len(data) + 1):
                direct = [ExpSum({}) for _ in range(m)]
                for a, b, loss in threshold_cells(data, (0, m - 1), rank, THIRD):
                    for z in range(m):
                        left, right = max(a, z - Fraction(1, 2)), min(b, z + Fraction(1, 2))
                        if left < right:
                            part = weights([(left, right, loss)], epsilon)[0]
                            direct[z] = direct[z] + part
                cases += 1
                closed = grid_weights(data, range(m), rank, epsilon, near=near, far=far)
                if direct != closed:
                    return exactly(False, f"fails for D = {data}, m = {m}, r = {rank}")
    return exactly(True, f"{cases} cases, equal as sums of exponentials")


@proves("What a window sees from any point of a gap, for every m and n.", Method.SMT)
@mutant("0.33 for 1/3", third=Fraction(33, 100))
@mutant("0.336 for 1/3", third=Fraction(336, 1000))
@for_all(reals("p") | integers("j"))
def counts_in_a_gap(p: Any, j: Any, *, third: Fraction = THIRD) -> Condition:
    """A window at z_i + p sees z_i if p <= 1/3, z_(i+1) if p >= 2/3, and no point between.

    For whole j and p in [0, 1]: j < p - 1/3 and j <= p + 1/3 as the closed form counts them.
    """
    size, first, last = third, THIRD, (2 * THIRD)
    before, reached = j < p - size, j <= p + size
    near_left = implies(p < first, all_of(before == (j < 0), reached == (j <= 0)))
    middle = all_of(p > first, p < last)
    between = implies(middle, all_of(before == (j <= 0), reached == (j <= 0)))
    near_right = implies(p > last, all_of(before == (j < 1), reached == (j <= 1)))
    return implies(all_of(0 <= p, p <= 1), all_of(near_left, between, near_right))


@proves("The law of an example.", Method.ENCLOSURE)
@mutant("eps 1 % larger", epsilon=PERCENT)
def reference_law(epsilon: Fraction = Fraction(1)) -> Finding:
    """D = {0, 1, 1, 3} on the grid 0..3, r = 2, eps = 1."""
    found = grid_weights((0, 1, 1, 3), range(4), 2, epsilon)
    total = sum(found, ExpSum({}))
    rows = [
        (f"P(z = {z})", text, (w / total).ball())
        for z, (text, w) in enumerate(zip(EXAMPLE, found, strict=True))
    ]
    return as_printed(rows)


@proves("Rounding does not raise the rank error.", Method.SMT)
@mutant("#{x <= z_i} one smaller", shift=1)
@for_all(integers("a b c r"))
def rounding_never_hurts(low: Any, here: Any, there: Any, r: Any, *, shift: int = 0) -> Condition:
    """Both grid points next to a gap have rank error at most the gap's loss |r - #{x <= z_i}|."""
    # low = #{x < z_i} <= here = #{x <= z_i} = #{x < z_(i+1)} <= there = #{x <= z_(i+1)}
    gap = choose(r < here, here - r, r - here)
    given = all_of(0 <= low, low <= here, here <= there)
    left = rank_distance(r, low, here - shift) <= gap
    return implies(given, all_of(left, rank_distance(r, here, there) <= gap))


@proves("Theorem 3.7 with alpha = gamma / 3.", Method.SYMBOLIC)
@mutant("3.03 for 3", constant=3 * PERCENT)
def bound_is_theorem(constant: Fraction = Fraction(3)) -> Finding:
    """Width (m - 1) gamma and alpha = gamma / 3 in Theorem 3.7 give log(3 (m - 1) / zeta)."""
    e, m, gamma, zeta = symbols("epsilon m gamma zeta", positive=True)
    width, alpha = (m - 1) * gamma, gamma / 3
    tail = (
        width
        * exp(-e * grid_rank_bound(e, (m - 1) * constant / 3, zeta, numbers=SYMBOLIC) / 2)
        / alpha
    )
    return identical(tail, zeta, {e: (0, 1), m: (2, 9), gamma: (0, 1), zeta: (0, 1)})


@proves("The printed bound is the larger one, and alpha is small enough.", Method.SMT)
@mutant("alpha = 2 gamma / 3", extra=2)
@for_all(integers("m"))
def smaller_than_printed(m: Any, *, extra: int = 0) -> Condition:
    """3 (m - 1) <= 3 m, and alpha = gamma / 3 <= (m - 1) gamma / 2 for m >= 2."""
    return implies(m >= 2, all_of(3 * (m - 1) <= 3 * m, 2 + extra <= 3 * (m - 1)))


@encloses(
    "Values of the bound, of the sharper one, and of the exponential mechanism on the grid itself.",
    Method.ENCLOSURE,
)
@mutant("3.03 for 3", constant=3 * PERCENT)
def bounds_as_printed(constant: Fraction = Fraction(3)) -> Finding:
    """The bound for three sets of parameters; for the first also the sharper one and the direct."""
    numbers = Balls(128)
    rows = []
    ratio = constant / 3
    for e, m, zeta, text in BOUNDS:
        eps, z = numbers.rational(Fraction(e)), numbers.rational(Fraction(zeta))
        rows.append((f"m = {m}", text, grid_rank_bound(eps, ratio * m, z, numbers=numbers)))
    eps, z = numbers.rational(Fraction(1)), numbers.rational(Fraction("0.05"))
    sharper = grid_rank_bound(eps, ratio * 100, z, numbers=numbers)
    direct = grid_rank_bound(eps, ratio * Fraction(101, 3), z, numbers=numbers)
    return as_printed(
        [*rows, ("sharper", "17.3990294964204", sharper), ("direct", "15.2217055807905", direct)]
    )


@confirms("The exact tail of small cases.", Method.EXACT)
@mutant("1 / eps for 2 / eps", constant=1)
def exact_tail(constant: int = 2) -> Finding:
    """P(rank error >= (2 / eps) log(3 (m - 1) / zeta)) <= zeta from the exact law, four zeta."""
    cases, epsilon = 0, Fraction(2)
    for m in (2, 3, 4):
        for data in multisets(range(m), range(1, 4)):
            for rank in range(len(data) + 1):
                law = grid_weights(data, range(m), rank, epsilon)
                total = sum(law, ExpSum({}))
                errors = [Fraction(deficit(rank, below(data, z), up_to(data, z))) for z in range(m)]
                for zeta in (Fraction(9, 10), Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)):
                    least = Fraction(3 * (m - 1)) / zeta
                    far = [
                        w
                        for w, error in zip(law, errors, strict=True)
                        if ExpSum.exp(epsilon * error / constant) >= least
                    ]
                    cases += 1
                    if sum(far, ExpSum({})) > zeta * total:
                        return exactly(False, f"fails for D={data}, m={m}, r={rank}, zeta={zeta}")
    return exactly(True, f"{cases} cases")


CLAIMS = (
    Claim(
        id="SUB-A2g",
        source="Corollary 3.8, as an algorithm",
        says="On a grid the rounded threshold has a law in closed form, so that it can be drawn without reals.",
        latex=r"P(z_i) \propto \tfrac13([i>1]+[i<m]) e^{-\varepsilon \ell_i/2} + \tfrac16 [i>1] e^{-\varepsilon g_{i-1}/2} + \tfrac16 [i<m] e^{-\varepsilon g_i/2}",
        domain="public grid of m >= 2 points (one point is returned as it is), data on it, alpha = gamma / 3",
        status=Status.DEFINITION,
        checks=checks_of(reference_law),
        assumes=("SUB-C3.8p",),
    ),
    Claim(
        id="SUB-C3.8p",
        source="our own (the law behind Corollary 3.8)",
        says="Two thirds of the rounding interval of an inner grid point have its own loss, a sixth on each side that of the gap.",
        latex=r"\ell_i = \max(0, \#\{x < z_i\} - r, r - \#\{x \le z_i\}),\quad g_i = |r - \#\{x \le z_i\}|",
        domain="m >= 2, integer r, data on the grid",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(counts_in_a_gap, law_is_direct_integration),
        assumes=("SUB-I1",),
        steps=(
            ByCheck("counts_in_a_gap"),
            ByHand(
                "A gap of length gamma splits at its thirds: in the outer ones the window holds exactly the nearer grid point, so the loss is l_i; in the middle one it holds none, so the loss is |r - #{x <= z_i}| = g_i, and rounding halves it."
            ),
        ),
    ),
    Claim(
        id="SUB-C3.8",
        source="Corollary 3.8",
        says="On a grid the rounded threshold has rank error at most (2 / eps) log(3 m / zeta) with probability at least 1 - zeta; m - 1 does for m.",
        latex=r"P\big(\mathrm{err} \ge \tfrac{2}{\varepsilon} \log \tfrac{3(m-1)}{\zeta}\big) \le \zeta",
        domain="m >= 2, integer 0 <= r <= n, n >= 1, data on the grid",
        status=Status.PROVED,
        checks=checks_of(
            bound_is_theorem,
            rounding_never_hurts,
            smaller_than_printed,
            bounds_as_printed,
            exact_tail,
        ),
        assumes=("SUB-T3.7", "SUB-C3.8p"),
        steps=(
            ByCheck("bound_is_theorem"),
            ByCheck("smaller_than_printed"),
            ByClaim("SUB-T3.7", "By Theorem 3.7 the loss before rounding is below the bound."),
            ByCheck(
                "rounding_never_hurts",
                "In the outer thirds of a gap it is the rank error of the grid point; in the middle it is the gap's loss, which is no smaller than that of either neighbor.",
            ),
        ),
    ),
)
