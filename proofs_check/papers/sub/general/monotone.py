"""Monotone properties: dominance, which properties respect it, and the sandwich of Lemma D.1.

Properties that the section is about: mean, lower quantiles, minimizers of sums of |x - y|^p.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.sub.common import add, distance, dominates, lower_quantile, mean, multisets
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS", "interpolated_quantile", "lower_median", "lower_quartile", "power_minimizer"]

Property = Callable[[Sequence[Any]], Any]
QUARTER = Fraction(1, 4)


def lower_median(data: Sequence[Any]) -> Any:
    """The point of rank ceil(n / 2)."""
    return lower_quantile(data, Fraction(1, 2))


def lower_quartile(data: Sequence[Any]) -> Any:
    """The point of rank ceil(n / 4)."""
    return lower_quantile(data, QUARTER)


def interpolated_quantile(data: Sequence[Any]) -> Fraction:
    """The quartile interpolated between the points of ranks around 1 + (n - 1) / 4 (type 7)."""
    place = (len(data) - 1) * QUARTER
    k = int(place)
    following = data[min(k + 1, len(data) - 1)]
    return Fraction(data[k] + (place - k) * (following - data[k]))


def power_minimizer(data: Sequence[Any], *, parts: int = 64) -> Fraction:
    """Minimizer of the sum of |x - y|^3, rounded down to a multiple of 1 / parts.

    It is at least t where the sum of sgn(x - t) (x - t)^2 is at least 0.
    """
    low, high = int(min(data)) * parts, int(max(data)) * parts
    while low < high:
        middle = -(-(low + high) // 2)
        t = Fraction(middle, parts)
        if sum((x - t) * abs(x - t) for x in data) >= 0:
            low = middle
        else:
            high = middle - 1
    return Fraction(low, parts)


PROPERTIES: tuple[Property, ...] = (mean, lower_median, lower_quartile, power_minimizer)


def reversed_dominance(larger: Sequence[Any], smaller: Sequence[Any]) -> bool:
    """F_larger >= F_smaller, the wrong way round."""
    return dominates(smaller, larger)


@proves("Dropping points from an end, and data of equal size.", Method.EXACT)
@mutant("F_D' >= F_D", order=reversed_dominance)
def dominance_examples(order: Callable[..., bool] = dominates) -> Finding:
    """Dropping small points goes up, dropping large ones down; for equal sizes it is pointwise."""
    cases = 0
    for data in multisets((0, 1, 2, 4), range(2, 6)):
        for k in range(len(data)):
            if not (order(data[k:], data) and order(data, data[: len(data) - k])):
                return exactly(False, f"fails for D = {data}, K = {k}")
        for other in combinations_with_replacement((0, 1, 2, 4), len(data)):
            cases += 1
            if order(other, data) != all(x >= y for x, y in zip(other, data, strict=True)):
                return exactly(False, f"not the pointwise order for {other}, {data}")
    return exactly(True, f"{cases} pairs of equal size")


@proves("Mean, lower median and quartile, minimizer of cubes, over 1853 pairs.", Method.EXACT)
@mutant("the interpolated quartile (type 7)", properties=(interpolated_quantile,))
@mutant("1852 pairs", pairs=1852)
def properties_are_monotone(
    properties: Sequence[Property] = PROPERTIES, pairs: int = 1853
) -> Finding:
    """theta(D') >= theta(D) over all dominating pairs of at most four points on four values."""
    data = list(multisets(range(4), range(1, 5)))
    values = [[p(d) for d in data] for p in properties]
    count = 0
    for i, larger in enumerate(data):
        for j, smaller in enumerate(data):
            if dominates(larger, smaller):
                count += 1
                if any(v[i] < v[j] for v in values):
                    return exactly(False, f"fails for {larger} over {smaller}")
    return exactly(count == pairs, f"{count} dominating pairs")


@proves("The two one-sided bounds.", Method.SMT)
@mutant("0.99 h", factor=Fraction(99, 100))
@for_all(
    reals("a b h"), "A property of data that are moved by at most {h} each changes by at most {h}."
)
def shifts_bound_the_difference(
    a: Any, b: Any, h: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """From a <= b + h and b <= a + h (monotony and equivariance): |a - b| <= h."""
    given = all_of(a <= b + h, b <= a + h)
    return implies(given, absolute(a - b) <= factor * h)


@confirms("The shifted data dominate.", Method.EXACT)
@mutant("0.99 h", factor=Fraction(99, 100))
def shifted_data_dominate(factor: Fraction = Fraction(1)) -> Finding:
    """D' + h dominates D with h = max |x_(i) - x'_(i)|; mean and quantiles move by at most h."""
    cases = 0
    for size in (1, 2, 3, 4):
        for one in combinations_with_replacement((0, 1, 3), size):
            for two in combinations_with_replacement((0, 2, 3), size):
                h = factor * max(abs(x - y) for x, y in zip(one, two, strict=True))
                cases += 1
                moved = [abs(p(one) - p(two)) for p in (mean, lower_median, lower_quartile)]
                if not dominates([y + h for y in two], one) or max(moved) > h:
                    return exactly(False, f"fails for {one}, {two}")
    return exactly(True, f"{cases} pairs")


@confirms("The four properties are equivariant.", Method.EXACT)
@mutant("the mean of 0.99 x", properties=(lambda d: mean(d) * 99 / 100,))
def equivariance(properties: Sequence[Property] = PROPERTIES) -> Finding:
    """theta(D + c) = theta(D) + c."""
    data = list(multisets((0, 1, 3), range(1, 5)))
    for d in data:
        for p in properties:
            if p([x + 5 for x in d]) != p(d) + 5:
                return exactly(False, f"fails for {d}")
    return exactly(True, f"{len(data)} data sets")


@proves("The distribution functions at every v, for all n and r.", Method.SMT)
@mutant("none to 2 r points outside, as rank r / 4 gives", least=Fraction(0))
@for_all(
    reals("m M I c p q"),
    "A data set near the points inside lies between the data without their smallest and without their largest points.",
    polynomial=True,
)
def sandwich(
    m: Any,
    big: Any,
    inside: Any,
    c: Any,
    p: Any,
    q: Any,
    *,
    least: Fraction = Fraction(3, 2),
    most: Fraction = Fraction(2),
    moved: Fraction = Fraction(1, 2),
) -> Condition:
    """F of D minus L_4r is at most F of D', for r = 1 after scaling.

    m below l and M above u, each in [3/2, 2]; I points inside, c of them <= v; D' arises by removing
    p points <= v and adding q points > v (the worst for F), p + q <= 1/2; n = m + M + I > 4.
    """
    n = m + big + inside
    given = all_of(
        *(all_of(least <= z, z <= most) for z in (m, big)),
        0 <= c, c <= inside, 0 <= p, p <= c, 0 <= q, p + q <= moved, n > 4
    )  # fmt: skip
    return implies(given, (m + c - 4) * (inside - p + q) <= (c - p) * (n - 4))


@proves("4.5 r points suffice.", Method.SMT)
@mutant("4.49 r", factor=Fraction(449, 100))
@for_all(reals("m M I r"), "None of them is empty.")
def sandwich_is_not_empty(
    m: Any, big: Any, inside: Any, r: Any, *, factor: Fraction = Fraction(9, 2)
) -> Condition:
    """Size n > 4.5 r leaves more than r / 2 points inside, so D' is not empty and n > 4 r."""
    given = all_of(r > 0, m <= 2 * r, big <= 2 * r, m + big + inside > factor * r)
    return implies(given, all_of(inside > r / 2, m + big + inside > 4 * r))


@confirms("Case by case for r = 2.", Method.EXACT)
@mutant("none or one point outside", outside=range(2))
def sandwich_cases(outside: range = range(3, 5)) -> Finding:
    """For r = 2, nine points on {0, 1, 2, 3}, l = 1, u = 2: all D' at distance at most r / 2 = 1."""
    cases = 0
    for data in multisets((0, 1, 2, 3), range(9, 10)):
        m, big = sum(x < 1 for x in data), sum(x > 2 for x in data)
        if m not in outside or big not in outside:
            continue
        inside = tuple(x for x in data if 1 <= x <= 2)
        near = [add(inside, x) for x in (1, 2)] + [inside]
        near += [inside[:k] + inside[k + 1 :] for k in range(len(inside))]
        for other in near:
            if other and distance(inside, other) <= 1:
                cases += 1
                if not (dominates(data[8:], other) and dominates(other, data[:-8])):
                    return exactly(False, f"fails for D = {data}, D' = {other}")
    return exactly(cases > 0, f"{cases} cases")


CLAIMS = (
    Claim(
        id="SUB-D4.1",
        source="Definition 4.1",
        says="D' dominates D if its distribution function lies below that of D everywhere.",
        latex=r"D' \succ D \iff F_{D'}(v) \le F_D(v) \text{ for all } v",
        domain="data sets that are not empty, of any sizes",
        status=Status.DEFINITION,
        checks=checks_of(dominance_examples),
    ),
    Claim(
        id="SUB-D4.2",
        source="Definition 4.2",
        says="A property is monotone if dominating data have at least its value; mean, lower quantiles and minimizers of |x - y|^p are, interpolated quantiles are not.",
        latex=r"D' \succ D \implies \theta(D') \ge \theta(D)",
        domain="or always <=",
        status=Status.DEFINITION,
        checks=checks_of(properties_are_monotone),
    ),
    Claim(
        id="SUB-LIP",
        source="Section 4, Lipschitz properties",
        states=(shifts_bound_the_difference,),
        domain="the property is monotone and moves with its data, so that a <= b + h and b <= a + h for its values a and b",
        status=Status.PROVED,
        checks=checks_of(shifts_bound_the_difference, shifted_data_dominate, equivariance),
        assumes=("SUB-D4.2",),
        steps=(
            ByCheck("shifts_bound_the_difference"),
            ByHand(
                "Every x_(i) <= x'_(i) + h, so D' + h dominates D and theta(D) <= theta(D' + h) = theta(D') + h; and the same with D and D' exchanged."
            ),
        ),
    ),
    Claim(
        id="SUB-LD.1",
        source="Lemma D.1",
        states=(sandwich, sandwich_is_not_empty),
        domain="in units of r: m and M points lie beyond the ends, I inside, c of them up to v; p points up to v are removed and q beyond it added; 4 r points are taken away; n > 4.5 r is not printed: then none is empty",
        status=Status.PROVED,
        checks=checks_of(sandwich, sandwich_is_not_empty, sandwich_cases),
        printed_domain="without n > 4.5 r; below it a side of the statement can be empty, and has no distribution function",
        steps=(
            ByCheck("sandwich"),
            ByHand(
                "Below l the left side has no points left (at most 2 r are below l), at and above u F of D' is 1."
            ),
            ByHand(
                "In between, F of D minus L_4r is max(0, m + c - 4 r) / (n - 4 r), and F of D' is least if points <= v are removed and points > v added: (c - p) / (I - p + q)."
            ),
            ByHand("The second domination is the first for -D."),
        ),
    ),
)
