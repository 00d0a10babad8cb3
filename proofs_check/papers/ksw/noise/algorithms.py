"""The three algorithms, and their exact privacy loss (KSW, Algorithms 1 to 3).

Each adds noise to two numbers, divides and clips. Losses are those of the noisy pair when a record
x is added, in multiples of eps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.ksw.noise.hourglass import hourglass_level
from proofs_check.papers.ksw.noise.staircase import in_level
from proofs_check.smt import absolute, all_of, any_of, exact, implies, integers, reals, valid
from proofs_check.symbolic import Rational, identical, symbols

__all__ = [
    "CLAIMS",
    "clip",
    "independent_estimate",
    "independent_loss",
    "shifted_estimate",
    "shifted_loss",
    "transformed_estimate",
]

Formula = Callable[..., Any]


def clip(x: Any, low: Any, high: Any) -> Any:
    """Clip(x, [low, high]) = max(low, min(x, high))."""
    return max(low, min(x, high))


def independent_estimate(data: Sequence[Any], noise: Sequence[Any], low: Any, high: Any) -> Any:
    """Algorithm 1: Clip((sum + Z1) / (n + Z2), [l, u]); Z1 ~ Lap(2 max(|l|, |u|) / eps), Z2 ~ Lap(2 / eps)."""
    return clip((sum(data) + noise[0]) / (len(data) + noise[1]), low, high)


def shifted_estimate(data: Sequence[Any], noise: Sequence[Any], low: Any, high: Any) -> Any:
    """Algorithm 2: the same of x - m, clipped to half the width; Z1 ~ Lap(w / eps), Z2 ~ Lap(2 / eps)."""
    middle, half = (low + high) / 2, (high - low) / 2
    ratio = (sum(x - middle for x in data) + noise[0]) / (len(data) + noise[1])
    return clip(ratio, -half, half) + middle


def transformed_estimate(data: Sequence[Any], noise: Sequence[Any], low: Any, high: Any) -> Any:
    """Algorithm 3: l + w Clip(s1 / (s1 + s2), [0, 1]) of the noisy s1 and s2; noise of sensitivity 1."""
    width = high - low
    s1 = sum((x - low) / width for x in data) + noise[0]
    s2 = sum((high - x) / width for x in data) + noise[1]
    return low + width * clip(s1 / (s1 + s2), 0, 1)


def independent_loss(x: Any) -> Any:
    """Largest loss / eps of Algorithm 1 when x w1 is added: (1 + |x|) / 2, w1 = max(|l|, |u|)."""
    return (1 + abs(x)) / 2


def shifted_loss(x: Any) -> Any:
    """Largest loss / eps of Algorithm 2 when x = (record - m) / w is added: 1/2 + |x|."""
    return Fraction(1, 2) + abs(x)


DATA = (Fraction(1), Fraction(4), Fraction(5, 2))
"""A dataset in [1, 5], with mean 5/2."""


def exact_without_noise(estimate: Formula, slip: Fraction, far: Fraction) -> Finding:
    """Without noise the output is the mean; with -1000 in the first number it is the lower end."""
    low, high, zero = Fraction(1), Fraction(5), Fraction(0)
    quiet = estimate(DATA, (slip, zero), low, high)
    clipped = estimate(DATA, (Fraction(-1000), far), low, high)
    mean = sum(DATA) / len(DATA)
    found = f"output {quiet}, mean {mean}; clipped to {clipped}"
    return exactly(quiet == mean and clipped == low, found)


@proves("Without noise the output is the mean; it is clipped to [l, u].", Method.EXACT)
@mutant("noise 0.01 in the sum", slip=Fraction(1, 100))
def first_is_exact(slip: Fraction = Fraction(0)) -> Finding:
    """Algorithm 1."""
    return exact_without_noise(independent_estimate, slip, Fraction(20))


@proves("Without noise the output is the mean; it is clipped to [l, u].", Method.EXACT)
@mutant("noise 0.01 in the sum", slip=Fraction(1, 100))
def second_is_exact(slip: Fraction = Fraction(0)) -> Finding:
    """Algorithm 2."""
    return exact_without_noise(shifted_estimate, slip, Fraction(20))


@proves("Without noise the output is the mean; it is clipped to [l, u].", Method.EXACT)
@mutant("noise 0.01 in s1", slip=Fraction(1, 100))
def third_is_exact(slip: Fraction = Fraction(0)) -> Finding:
    """Algorithm 3."""
    return exact_without_noise(transformed_estimate, slip, Fraction(2000))


def largest_loss(shifts: Formula, least: Fraction, bound: Formula) -> Finding:
    """Sum of (|z_i + d_i| - |z_i|) / scale_i lies within the bound at every point, attained at 0."""

    def statement(z1: Any, z2: Any, x: Any) -> Any:
        (d1, c1), (d2, c2) = shifts(x)
        loss = (absolute(z1 + d1) - absolute(z1)) / c1 + (absolute(z2 + d2) - absolute(z2)) / c2
        at_zero = absolute(d1) / c1 + absolute(d2) / c2
        limit = bound(x)
        given = all_of(exact(least) <= x, x <= 1)
        return implies(given, all_of(loss <= limit, loss >= -limit, at_zero == limit, limit <= 1))

    return valid(reals("z1 z2 x"), statement)


@proves("The largest loss is (1 + |x| / w1) eps / 2, at most eps, for every record.", Method.SMT)
@mutant("noise of scale 1.98 w1 / eps", scale=Fraction(198, 100))
@mutant("0.495 (1 + |x| / w1)", half=Fraction(495, 1000))
def first_loss(scale: Fraction = Fraction(2), half: Fraction = Fraction(1, 2)) -> Finding:
    """Algorithm 1: a record x w1 moves the sum by x w1 (scale 2 w1), the count by 1 (scale 2)."""
    return largest_loss(
        lambda x: ((x, exact(scale)), (exact(Fraction(1)), 2)),
        Fraction(-1),
        lambda x: (1 + absolute(x)) * exact(half),
    )


@proves("The largest loss is (1/2 + |x - m| / w) eps, at most eps, for every record.", Method.SMT)
@mutant("noise of scale 1.98 / eps", scale=Fraction(198, 100))
@mutant("0.495 + |x - m| / w", half=Fraction(495, 1000))
def second_loss(scale: Fraction = Fraction(2), half: Fraction = Fraction(1, 2)) -> Finding:
    """Algorithm 2, x = 2 (record - m) / w: the sum moves by x / 2 (scale 1), the count by 1 (scale 2)."""
    return largest_loss(
        lambda x: ((x / 2, exact(Fraction(1))), (exact(Fraction(1)), exact(scale))),
        Fraction(-1),
        lambda x: exact(half) + absolute(x) / 2,
    )


@proves("With Laplace noise the largest loss is eps, for every record.", Method.SMT)
@mutant("noise of scale 0.99 / eps", scale=Fraction(99, 100))
def third_loss(scale: Fraction = Fraction(1)) -> Finding:
    """Algorithm 3: a record moves (s1, s2) by (x, 1 - x), scale 1: loss eps for every x."""
    return largest_loss(
        lambda x: ((x, exact(scale)), (1 - x, exact(scale))),
        Fraction(0),
        lambda x: exact(Fraction(1)) + x - x,
    )


@proves(
    "The same as Laplace noise on M (sum, count), transformed back (l = 0, u = 1).", Method.SYMBOLIC
)
@mutant("0.505 for 1/2 in M", corner=Rational(505, 1000))
def second_as_a_transform(corner: Any = Fraction(1, 2)) -> Finding:
    """M = [[1, -1/2], [0, 1/2]] has inverse [[1, 1], [0, 2]]: noise (Y1 + Y2, 2 Y2) on (sum, count)."""
    Y1, Y2, S, n = symbols("Y1 Y2 S n", positive=True)
    first, second = S - corner * n + Y1, n / 2 + Y2
    total, count = first + second, 2 * second  # M^-1 of the noisy numbers
    box = dict.fromkeys((Y1, Y2, S, n), (1, 9))
    centered = (S - n / 2 + Y1) / (n + 2 * Y2) + Fraction(1, 2)
    return identical(total / count, centered, box)


@proves("The output on l + w x is l + w times the output on x, with the same noise.", Method.EXACT)
@mutant("w^2 for w", power=2)
def third_is_affine(power: int = 1) -> Finding:
    """Output on l + w x with the same noise is l + w times the output on x."""
    noise = (Fraction(1, 3), Fraction(-2, 5))
    low, width = Fraction(-3), Fraction(7, 2)
    unit = (Fraction(0), Fraction(1, 4), Fraction(5, 6))
    inner = transformed_estimate(unit, noise, Fraction(0), Fraction(1))
    outer = transformed_estimate([low + width * x for x in unit], noise, low, low + width)
    return exactly(outer == low + width**power * inner, f"{outer} and {inner}")


# Differential privacy of neighbors that replace a record


@proves("Two steps cost 2 eps at most.", Method.SMT)
@mutant("0.99 e^(2 eps)", factor=Fraction(99, 100))
@for_all(reals("e P Q R"), polynomial=True)
def two_steps_double(
    e: Any, P: Any, Q: Any, R: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """P <= e Q and Q <= e R give P <= e^2 R."""
    given = all_of(e >= 1, P >= 0, Q >= 0, R >= 0, P <= e * Q, Q <= e * R)
    return implies(given, P <= factor * e * e * R)


@proves(
    "Replacing l by u in Algorithm 3 with Laplace noise costs 2 eps, reached at a point.",
    Method.SMT,
)
@mutant("1.98 eps", most=Fraction(198, 100))
def laplace_swap(most: Fraction = Fraction(2)) -> Finding:
    """X from l to u moves (s1, s2) by (1, -1): the loss reaches 2 eps at (0, 1), and no more."""

    def statement(z1: Any, z2: Any) -> Any:
        loss = absolute(z1 + 1) - absolute(z1) + absolute(z2 - 1) - absolute(z2)
        return all_of(loss <= exact(most), loss >= -exact(most))

    at = abs(0 + 1) - abs(0) + abs(1 - 1) - abs(1), abs(0 + 1) - abs(0) + abs(0 - 1) - abs(0)
    return every([valid(reals("z1 z2"), statement), exactly(max(at) == 2, f"values {at}")])


@proves("With hourglass noise a replaced record costs 0 or 2 eps at every point.", Method.SMT)
@mutant("moves up to 1.01", reach=Fraction(101, 100))
@for_all(reals("z d gamma") | integers("t s r"))
def hourglass_swap(
    z: Any, d: Any, gamma: Any, t: Any, s: Any, r: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """Moves along a line, by at most 1, change k by 0 or 2; from (-1, 0) to level 1, t = 1, by 2."""
    given = all_of(
        0 < gamma,
        gamma <= 1,
        absolute(d) <= reach,
        in_level(z, s, gamma),
        in_level(z + d, r, gamma),
    )
    change = absolute(hourglass_level(t, r) - hourglass_level(t, s))
    return implies(given, any_of(change == 0, change == 2))


def multiset_difference(D: list[int], E: list[int]) -> int:
    """Size of the difference of multisets."""
    return sum((Counter(D) - Counter(E)).values())


def set_difference(D: list[int], E: list[int]) -> int:
    """Size of the difference of sets: not what is meant; for mutants."""
    return len(set(D) - set(E))


@proves(
    "Adding a record that is there already changes one record: of multisets, not sets.",
    Method.EXACT,
)
@mutant("differences of sets", difference=set_difference)
def neighbors(difference: Callable[[list[int], list[int]], int] = multiset_difference) -> Finding:
    """Adding a record changes one record exactly, also where it is there already."""
    pairs: tuple[tuple[list[int], list[int]], ...] = (([1], []), ([1, 1], [1]), ([1, 2, 2], [1, 2]))
    counts = [difference(D, E) + difference(E, D) for D, E in pairs]
    return exactly(counts == [1] * len(pairs), f"sizes of the differences: {counts}")


CLAIMS = (
    Claim(
        id="KSW-A1",
        source="Algorithm 1",
        says=(
            "Independent noise: half of eps for the sum, half for the number of records; divide and "
            "clip. Adding a record x costs (1 + |x| / w1) eps / 2, w1 = max(|l|, |u|)."
        ),
        latex=r"\mathrm{Clip}\Bigl( \frac{\sum x + \mathrm{Lap}(2 w_1 / \varepsilon)}{n + \mathrm{Lap}(2 / \varepsilon)}, [\ell, u] \Bigr)",
        domain="eps > 0, records in [l, u]",
        status=Status.DEFINITION,
        checks=checks_of(first_is_exact, first_loss),
    ),
    Claim(
        id="KSW-A2",
        source="Algorithm 2",
        says=(
            "Shifted noise: as Algorithm 1 for the records less the middle m of the interval. Adding "
            "a record x costs (1/2 + |x - m| / w) eps: eps at the ends, half of it in the middle."
        ),
        latex=r"m + \mathrm{Clip}\Bigl( \frac{\sum (x - m) + \mathrm{Lap}(w / \varepsilon)}{n + \mathrm{Lap}(2 / \varepsilon)}, [-w/2, w/2] \Bigr)",
        domain="eps > 0, records in [l, u], w = u - l, m = (l + u) / 2",
        status=Status.DEFINITION,
        checks=checks_of(second_is_exact, second_loss, second_as_a_transform),
    ),
    Claim(
        id="KSW-A3",
        source="Algorithm 3",
        says=(
            "Transformed noise: noise of sensitivity 1 on s1 = sum of (x - l) / w and s2 = n - s1; "
            "the output is l + w s1 / (s1 + s2), clipped. Every record costs exactly eps."
        ),
        latex=r"\ell + w\, \mathrm{Clip}\Bigl( \frac{s_1 + Z_1}{s_1 + Z_1 + s_2 + Z_2}, [0, 1] \Bigr)",
        domain="eps > 0, records in [l, u], l < u; noise: Laplace of scale 1 / eps, 2-D staircase or hourglass",
        status=Status.DEFINITION,
        checks=checks_of(third_is_exact, third_loss, third_is_affine),
        note="The scale of the noise is 1 / eps, not w / eps (KSW-ER1): the records are divided by w.",
    ),
    Claim(
        id="KSW-D1",
        source="Section 2",
        says=(
            "Differential privacy, for neighbors that differ by one record added or removed (as "
            "multisets). It implies 2 eps for a replaced record, and no less for Algorithm 3."
        ),
        latex=r"P(A(D) \in S) \le e^{\varepsilon} P(A(D') \in S), \qquad |D \setminus D'| + |D' \setminus D| = 1",
        domain="all neighbors D, D' and measurable S",
        status=Status.DEFINITION,
        checks=checks_of(two_steps_double, laplace_swap, hourglass_swap, neighbors),
    ),
)
