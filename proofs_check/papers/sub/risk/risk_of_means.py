"""Subset risk of the mean (Lemma 3.2): between two multiples of a difference of means.

The lower constant is the best one: three data sets, D and D without its K smallest or largest
points, already force it, and for D = {0, 1} a mechanism attains it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.sub.common import distance, mean, multisets, spread
from proofs_check.papers.sub.risk.definitions import large_subsets
from proofs_check.papers.sub.risk.two_point_bound import two_point_factor
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, exact, implies, maximum, reals
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS", "risk_bounds", "three_point_factor"]

VALUES = (0, 1, 3, 7)
EXAMPLE = (0, 0, 0, 0, 0, 0, 1, 2, 3, 10)


def risk_bounds(difference: Any, one: Any, *, numbers: Any) -> tuple[Any, Any]:
    """Bounds diff / (1 + e^2) and diff / 2 of the subset risk of the mean, for eps K <= 1."""
    return difference * two_point_factor(2, one, numbers=numbers), difference / 2


def three_point_factor(x: Any, *, numbers: Any) -> Any:
    """1 / (2 + e^x - e^-x), x = eps K: share of diff that one of D, D minus L_K, D minus U_K loses."""
    return 1 / (2 + numbers.exp(x) - numbers.exp(-x))


@confirms(
    "The means of all large subsets lie between the two, so the midpoint errs by at most diff / 2.",
    Method.EXACT,
)
@mutant("0.495 for 1/2", share=Fraction(99, 200))
def means_lie_between(share: Fraction = Fraction(1, 2)) -> Finding:
    """All mu(D') lie in [mu(D minus U_K), mu(D minus L_K)]: the midpoint errs by diff / 2 at most."""
    cases = 0
    for data in multisets(VALUES, range(2, 7)):
        for k in range(1, len(data)):
            low, high = mean(data[: len(data) - k]), mean(data[k:])
            means = [mean(part) for part in large_subsets(data, k)]
            cases += 1
            worst = max(abs(m - (low + high) / 2) for m in means)
            if worst > share * (high - low):
                return exactly(False, f"fails for D = {data}, K = {k}: error {worst}")
    return exactly(True, f"{cases} pairs of data and K")


@proves("Means of the j smallest points grow with j.", Method.SMT)
@mutant("0.99 (S + y)", slack=Fraction(99, 100))
@for_all(reals("S y j mean longer"), polynomial=True)
def longer_prefixes_have_larger_means(
    s: Any, y: Any, j: Any, mean: Any, longer: Any, *, slack: Fraction = Fraction(1)
) -> Condition:
    """With S the sum of the j smallest and y >= S / j the next: (S + y) / (j + 1) >= S / j."""
    given = all_of(j >= 1, mean * j == s, y >= mean, longer * (j + 1) == s + y)
    return implies(given, longer * slack >= mean)


@proves("What privacy between D and the two extremes forces at every output.", Method.SMT)
@mutant("0.99 (g - 1/g)", factor=Fraction(99, 100))
@for_all(reals("g p p0 p1 u"), polynomial=True)
def three_data_sets_cost(
    g: Any, p: Any, first: Any, last: Any, u: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """(g - 1/g) p |u| + (p0 - p1) u >= 0 for densities within g = e^(eps K), times g; u = y - mu(D).

    p is the density at an output y for D, p0 that for D minus U_K, p1 that for D minus L_K.
    """
    near = [all_of(g * q >= p, q <= g * p) for q in (first, last)]
    right = factor * (g * g - 1) * p * absolute(u) + g * (first - last) * u
    return implies(all_of(g >= 1, p >= 0, *near), right >= 0)


@proves("The weights of the three losses.", Method.SYMBOLIC)
@mutant("2.02 l", two=Fraction(101, 50))
def weights_of_the_three(two: Fraction = Fraction(2)) -> Finding:
    """With weights l, 1 - 2 l, l and l = three_point_factor: (1 - 2 l) / l = g - 1/g."""
    x = symbols("x", positive=True)
    share = three_point_factor(x, numbers=SYMBOLIC)
    return identical((1 - two * share) / share, exp(x) - exp(-x), {x: (0, 2)})


@proves("For D = {0, 1} and eps = 1 a mechanism attains the lower constant.", Method.EXACT)
@mutant("laws for eps 1 % larger", epsilon=Fraction(101, 100))
def small_data_attain_it(epsilon: Fraction = Fraction(1)) -> Finding:
    """D = {0, 1}, eps = 1: outputs 0, 1/2, 1 by s = clip(#ones - #zeros, -1, 1) lose exactly that share."""
    g, inverse = ExpSum.exp(epsilon), ExpSum.exp(-epsilon)
    share = ExpSum.rational(1) / (2 + g - inverse)
    low, high = share * g, share * inverse
    law = {-1: (low, 1 - low - high, high), 0: (share, 1 - share * 2, share)}
    law[1] = law[-1][::-1]
    e = ExpSum.exp(Fraction(1))
    for s, t in ((-1, 0), (0, -1), (0, 1), (1, 0)):
        if any(p > q * e or p < 0 for p, q in zip(law[s], law[t], strict=True)):
            return exactly(False, f"not private between s = {s} and s = {t}")
    half = Fraction(1, 2)
    losses = [
        law[-1][1] * half + law[-1][2],
        (law[0][0] + law[0][2]) * half,
        law[1][1] * half + law[1][0],
    ]
    right = ExpSum.rational(1) / (2 + e - ExpSum.exp(Fraction(-1)))
    return exactly(all(x == right for x in losses), "all three losses are 1 / (2 + e - 1/e)")


@confirms(
    "The two extreme subsets have distance K from D, and at most 2 K from each other.", Method.EXACT
)
@mutant("K for 2 K", distance_bound=1)
def extremes_are_near(distance_bound: int = 2) -> Finding:
    """D minus L_K and D minus U_K have distance K from D, and at most 2 K from each other."""
    cases = 0
    for data in multisets(VALUES, range(2, 7)):
        for k in range(1, len(data)):
            cases += 1
            high, low = data[k:], data[: len(data) - k]
            if distance(high, low) > distance_bound * k or {
                distance(data, high),
                distance(data, low),
            } != {k}:
                return exactly(False, f"fails for D = {data}, K = {k}")
    return exactly(True, f"{cases} pairs of data and K")


@encloses("The constants and an example.", Method.ENCLOSURE)
@mutant("e^2.02 for e^2", exponent=Fraction(101, 50))
def risk_example(exponent: Fraction = Fraction(2)) -> Finding:
    """Difference and bounds of the risk for D = {0^6, 1, 2, 3, 10}, K = 2; the constants."""
    numbers = Balls(128)
    difference = spread(EXAMPLE, 2)
    if difference != Fraction(13, 8):
        return exactly(False, f"diff = {difference}")
    one = numbers.rational(exponent / 2)
    low, high = risk_bounds(difference, one, numbers=numbers)
    squared = numbers.exp(numbers.rational(exponent))
    rows = [
        ("diff / (1 + e^2)", "0.193704748285941", low),
        ("diff / 2", "0.8125", numbers.rational(high)),
        ("diff / (2 e^2)", "0.109959917629748", difference / (2 * squared)),
        ("1 / (2 e^2)", "0.0676676416183063", 1 / (2 * squared)),
        ("1 / (1 + e^2)", "0.119202922022118", 1 / (1 + squared)),
        ("1 / (2 + e - 1/e)", "0.229863794420976", three_point_factor(one, numbers=numbers)),
    ]
    return as_printed(rows)


def best_on_a_grid(data: tuple[int, ...], k: int, ratio: Fraction, outputs: int = 11) -> Fraction:
    """Least worst error over diff, with eleven outputs and privacy imposed on the large subsets only."""
    subsets = large_subsets(data, k)
    means = [mean(part) for part in subsets]
    low, high = min(means), max(means)
    places = [low + (high - low) * j / (outputs - 1) for j in range(outputs)]
    pairs = [
        (i, j) for i, one in enumerate(subsets) for j, two in enumerate(subsets)
        if distance(one, two) == 1
    ]  # fmt: skip

    def constraints(worst: Any, *terms: Any) -> list[Any]:
        laws = [terms[i * outputs : (i + 1) * outputs] for i in range(len(subsets))]
        found = [term >= 0 for term in terms]
        for law, m in zip(laws, means, strict=True):
            found.append(sum(law) == 1)
            errors = (exact(abs(y - m)) * p for y, p in zip(places, law, strict=True))
            found.append(sum(errors) <= worst)
        for i, j in pairs:
            found += [p <= exact(ratio) * q for p, q in zip(laws[i], laws[j], strict=True)]
        return found

    names = ["worst", *(f"p{i}_{j}" for i in range(len(subsets)) for j in range(outputs))]
    return -maximum(names, lambda worst, *_: -worst, constraints).value / spread(data, k)


@confirms(
    "With eleven outputs and few neighbors the best constant is 0.2299 and 0.3316: indicative, no bound.",
    Method.LINEAR_PROGRAM,
)
@mutant("eps 1 % larger", factor=Fraction(101, 100))
def indicative_constants(factor: Fraction = Fraction(1)) -> Finding:
    """Optimum for {0, 1}, eps = 1 and {0, 0, 0, 1}, eps = 1/2, between roundings of e^eps."""
    numbers, unit = Balls(64), 10**8

    def rows() -> Iterator[tuple[str, str, Ball]]:
        cases = (((0, 1), 1, "0.229864"), ((0, 0, 0, 1), 2, "0.331627"))
        for data, k, text in cases:
            low, high = endpoints(numbers.exp(numbers.rational(factor / k)) * unit)
            ends = Fraction(int(high) + 1, unit), Fraction(int(low), unit)
            least, most = (best_on_a_grid(data, k, end) for end in ends)
            yield f"c for {data}", text, numbers.between(least, most)

    return as_printed(rows())


CLAIMS = (
    Claim(
        id="SUB-L3.2",
        source="Lemma 3.2",
        says="For means the subset risk is the difference of the means without the smallest and without the largest 1/eps points, times a constant between 1 / (2 + e - 1/e) = 0.2299, which is attained, and 1/2 (printed: 0.0677 and 1).",
        latex=r"\frac{\mathrm{diff}}{2 + e - e^{-1}} \le R(D, \varepsilon) \le \frac{\mathrm{diff}}{2},\quad \mathrm{diff} = \mu(D \setminus L_K) - \mu(D \setminus U_K)",
        domain="eps in (0, 1], K = 1/eps whole, n > K",
        status=Status.PROVED,
        checks=checks_of(
            means_lie_between,
            longer_prefixes_have_larger_means,
            extremes_are_near,
            three_data_sets_cost,
            weights_of_the_three,
            small_data_attain_it,
            risk_example,
            indicative_constants,
        ),
        assumes=("SUB-L4.4s",),
        steps=(
            ByCheck("longer_prefixes_have_larger_means"),
            ByCheck("weights_of_the_three"),
            ByHand(
                "Upper bound for every n: the j-th smallest point of D' is at least the j-th smallest of D, so the n - K smallest of D' average at least mu(D minus U_K), and the mean of all of D' is no smaller; mirrored for the other end."
            ),
            ByHand("The constant midpoint is 0-DP."),
            ByHand(
                "Lower bound: let A be eps-DP, and average its losses on D minus U_K, D, D minus L_K with weights l, 1 - 2 l, l."
            ),
            ByCheck(
                "three_data_sets_cost",
                "As |y - t| >= +-(y - t), the average is at least l diff + l (E0 u - E1 u) + (1 - 2 l) E |u| with u = y - mu(D), and the last two terms are at least 0 by the checks (densities differ by at most g = e^(eps K), as both extremes have distance K from D).",
            ),
            ByHand(
                "So one of the losses is at least l diff, l = 1 / (2 + g - 1/g) with g <= e; all three data sets count in R."
            ),
            ByCheck(
                "small_data_attain_it",
                "It is attained for D = {0, 1}, eps = 1: s is 1-Lipschitz under add-remove, so the mechanism is private on all data.",
            ),
        ),
        note="The two-point argument (SUB-L4.4s) gives 1 / (1 + e^2) = 0.1192, the print 1 / (2 e^2). Whether 1/2 is attained is SUB-L3.2o.",
    ),
    Claim(
        id="SUB-L3.2o",
        source="Lemma 3.2, its upper constant",
        says="Is the constant 1/2 of the upper bound attained by some data, or in a limit?",
        latex=r"\sup_D R(D, \varepsilon) / \mathrm{diff}(D) = \tfrac12\,?",
        domain="eps in (0, 1], 1 / eps whole, n > 1 / eps",
        status=Status.OPEN,
        ours=True,
    ),
)
