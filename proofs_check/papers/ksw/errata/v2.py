"""Errata 14, 15 and 17 to 20 of KSW: names, constants, and what version 2 leaves unsaid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Condition, Quantity, all_of, implies, integers, reals, refuted
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.error.hourglass_law import (
    best_hourglass,
    enough_lines,
    hourglass_error,
)
from proofs_check.papers.ksw.noise.l1_moments import best_l1_y
from proofs_check.papers.ksw.noise.l1_staircase import l1_second_moment, l1_variance_quintic
from proofs_check.papers.ksw.noise.staircase import best_variance
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]

PRINTED_LABELS = {"Figure 1": ("left", "middle", "right"), "equations": tuple(range(1, 13))}
CITED = (("Figure 1", "c"), ("Figure 1", "d"), ("Figure 1", "e"), ("equations", "3.2"))


@refutes(
    "Figure 1 has the panels left, middle and right; equations are numbered (1) to (12).",
    Method.EXACT,
)
@mutant("one label that exists", cited=(*CITED[:3], ("equations", 3)))
def labels(cited: tuple[tuple[str, Any], ...] = CITED) -> Finding:
    """None of the cited labels exists."""
    known = [where for where, label in cited if label in PRINTED_LABELS[where]]
    return exactly(not known, f"{len(cited)} citations, {len(known)} of them of existing labels")


@proves("The marginal has weight b^|s| on level s: the staircase.", Method.EXACT)
@mutant("b^(2 |s|) for b^|s|", power=2)
def levels_of_a_coordinate(reach: int = 40, power: int = 1) -> Finding:
    """Mass of each level of z1, summed over the lines, is b^|s|: the staircase, by b = 1/3."""
    b = Fraction(1, 3)
    whole = (1 + b) / (1 - b)
    for s in range(-3, 4):
        mass = sum(
            (b ** (abs(s) + abs(t - s)) for t in range(s - reach, s + reach + 1)), Fraction(0)
        )
        if abs(mass - whole * b ** (power * abs(s))) > b**reach:
            return exactly(False, f"level {s}")
    return exactly(True, "seven levels; the same hourglass law has no univariate form")


@proves(
    "1000 records, eps = 5: half of sigma^2 at p = 1/2; sigma^2 (1 - 2 p (1 - p)) fits to 1e-5.",
    Method.ENCLOSURE,
)
@mutant("eps = 5.05 for 5", epsilon=Fraction(101, 20))
def variance_ratios(epsilon: Fraction = Fraction(5)) -> Finding:
    """n^2 times the exact error over sigma^2 (1 - 2 p (1 - p)), for 1000 records, eps = 5."""
    numbers = Balls(144)
    noise = best_hourglass(epsilon, numbers=numbers)
    variance = best_variance(noise.b, noise.y)

    def ratio(p: Fraction) -> Any:
        error = hourglass_error(noise, 1000, p, enough_lines(epsilon), numbers=numbers)
        return error * 10**6 / variance

    tenth, half = Fraction(1, 10), Fraction(1, 2)
    rows = [
        ("sigma^2 at p = 1/2", "0.500001", ratio(half)),
        ("sharp at p = 1/10", "1.0000025", ratio(tenth) / (1 - 2 * tenth * (1 - tenth))),
        ("sigma^2 at p = 0", "0.4992", ratio(Fraction(0))),
    ]
    return as_printed(rows)


@proves("The least variance exceeds e^(-eps/2) / 3 for eps from 0.01 to 40.", Method.ENCLOSURE)
@mutant("1.01 / 3 for 1 / 3", third=Fraction(101, 300))
def bound_without_condition(third: Fraction = Fraction(1, 3)) -> Finding:
    """V2* > e^(-eps / 2) / 3 from eps = 1/100 to 40; it approaches equality."""
    numbers = Balls(256)
    for text in ("1/100", "1/10", "1/2", "1", "2", "5", "20", "40"):
        b = decay(text, numbers=numbers)
        least = l1_second_moment(b, best_l1_y(l1_variance_quintic, b, bits=200))
        above = certainly_less(third * numbers.sqrt(b), least)
        if not above:
            return Finding(above, f"eps = {text}: V2* = {least!r}")
    return Finding(holds=True, detail="eight values of eps")


@proves("There are two stationary points in (b, 1), one of them a maximum.", Method.EXACT)
@mutant("half of the last coefficient", second=1)
def two_stationary_points(second: int = 2) -> Finding:
    """At b = 1/3 the stationary polynomial is positive, negative, positive in Y from b to 1."""
    b = Fraction(1, 3)
    signs = []
    for Y in (b, Fraction(1, 2), Fraction(1)):
        value = Fraction(0)
        for k, coefficient in enumerate(l1_variance_quintic(b)):
            value = value * Y + coefficient * (Fraction(second, 2) if k == 5 else 1)
        signs.append(value)
    ends = signs[0] == b**2 * (1 - b) ** 2 * (1 + b) and signs[2] == (1 - b) ** 2 * (1 + b)
    return exactly(ends and signs[1] < 0, f"values {', '.join(map(str, signs))}")


ZERO_COUNTS = (
    ("1", 1, "0.182691929872497"),
    ("5", 1, "0.0283253748130992"),
    ("1", 2, "0.0985192442934186"),
    ("1", 10, "1.17077919e-4"),
    ("1", 0, "0.265252083448721"),
)
"""eps, n and P(n + T = 0)."""


@refutes(
    "The denominator is 0 with probability 0.18 for one record and eps = 1; five values.",
    Method.ENCLOSURE,
)
@mutant("y*^3 larger by 1 %", change=Fraction(101, 100))
def undefined_ratio(change: Fraction = Fraction(1)) -> Finding:
    """The noisy count is 0 with positive probability."""
    numbers = Balls(128)

    def probability(epsilon: Fraction, n: int) -> Any:
        return best_hourglass(epsilon, change, numbers=numbers).sum_is(-n)

    return as_printed(
        (f"eps = {e}, n = {n}", text, probability(Fraction(e), n)) for e, n, text in ZERO_COUNTS
    )


def _distance(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    return (Counter(one) - Counter(other)).total() + (Counter(other) - Counter(one)).total()


def _level(z: Fraction, gamma: Fraction) -> int:
    size = abs(z) + 1 - gamma
    whole = size.numerator // size.denominator
    return whole if z >= 0 else -whole


@proves(
    "Independent staircases lose 2 eps on the record 1/2; hourglass noise loses eps.", Method.EXACT
)
@mutant("the record 1 for 1/2", x=Fraction(1))
def independent_coordinates(x: Fraction = Fraction(1, 2)) -> Finding:
    """Gamma = 1/2: at z = (1/4, 1/4) the record 1/2 raises both levels; hourglass noise moves by 1."""
    gamma, z1, z2 = Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)
    before, after = (
        (_level(z1 + d, gamma), _level(z2 + e, gamma)) for d, e in ((0, 0), (x, 1 - x))
    )
    loss = sum(map(abs, after)) - sum(map(abs, before))
    line = [(z, t) for z in (z1, -z1, z1 + 1) for t in range(-2, 3)]

    def k(z: Fraction, t: int) -> int:
        s = _level(z, gamma)
        return abs(s) + abs(t - s)

    hourglass = {abs(k(z + x, t + 1) - k(z, t)) for z, t in line}
    return exactly(loss == 2 and hourglass == {1}, f"loss {loss} eps; hourglass {hourglass} eps")


@refutes(
    "The noisy count is 0 with positive probability for one record and eps = 1.", Method.ENCLOSURE
)
@mutant("a bound of 1/5", bound=Fraction(1, 5))
@refuted(
    reals("eps") | integers("n"),
    "The output is the clipped ratio of the noisy sums, whose denominator is never zero: {left} is {right}.",
    at={"eps": 1, "n": 1},
)
def noisy_count_is_never_zero(eps: Any, n: Any, *, bound: Fraction = Fraction(0)) -> Condition:
    """As printed: nothing is said of a noisy count of 0."""

    def probability(epsilon: Fraction, size: Fraction) -> Any:
        return best_hourglass(epsilon, numbers=Balls(128)).sum_is(-int(size))

    zero = Quantity("P(n + T = 0)", "P(n + T = 0)", probability)
    return implies(all_of(eps > 0, n >= 0), zero(eps, n) <= bound)


@refutes("{x, x} and {x} are the same sets.", Method.EXACT)
@mutant("one copy", n=1)
@refuted(
    integers("n"),
    "Neighbors are defined by differences of sets: without one of {n} equal records {left} is {right}.",
    at={"n": 2},
)
def set_difference(n: Any) -> Condition:
    """As printed, of n copies of a record and one fewer."""
    difference = Quantity(
        "|D - D'| + |D' - D|",
        r"|D \setminus D'| + |D' \setminus D|",
        lambda copies: len({"x"} ^ set(["x"] * (int(copies) - 1))),
    )
    return implies(n >= 1, difference(n) == 1)


CLAIMS = (
    Claim(
        id="KSW-ER14",
        source="Erratum 14 (v2, Section 4 and references to figures and equations)",
        says=(
            "The marginals match the univariate hourglass mechanism; figures are cited as "
            "1(c) to 1(e), and an equation as (3.2)."
        ),
        latex=r"\text{Figure 1(c)--(e)},\quad \text{equation (3.2)}",
        domain="text of version 2",
        status=Status.REFUTED,
        checks=checks_of(labels, levels_of_a_coordinate),
        why="Hourglass noise is a law of pairs; its marginals are univariate staircases.",
        right=(
            "Read: univariate staircase; Figure 2(c) to (e); equation (6) of Section 3.2; and "
            "equivalent up to 1 + o(1), not up to a constant factor."
        ),
        corrected_by="KSW-L3",
        obligations=parts_of(labels, levels_of_a_coordinate),
    ),
    Claim(
        id="KSW-ER15",
        source="Erratum 15 (v2 Theorem 3 and Lemma 5)",
        says="The proofs bound the leading constant by sigma^2 w^2; its value is smaller inside the interval.",
        latex=r"n^2 E(\hat\mu - \mu)^2 \to (1 - 2 p (1 - p))\, w^2 \sigma^2(\varepsilon)",
        domain="eps fixed, interior means",
        status=Status.REMARK,
        checks=checks_of(variance_ratios),
        why="The inequality of Cauchy and Schwarz gives away the factor 1 - 2 p (1 - p).",
        right="The leading constant is (1 - 2 p (1 - p)) sigma^2 w^2.",
        corrected_by="KSW-H4",
        assumes=("KSW-X5",),
    ),
    Claim(
        id="KSW-ER17",
        source="Erratum 17 (v2 Lemma 7)",
        says="The two-dimensional staircase has variance of order e^(-eps/2), in print for eps large enough; it has for every eps.",
        latex=r"E Z_1^2 \ge \tfrac13 e^{-\varepsilon/2}",
        domain="the condition on eps",
        status=Status.REMARK,
        checks=checks_of(bound_without_condition, two_stationary_points),
        why="The condition is not needed.",
        right="V2 >= e^(-eps/2) / 3 for every eps > 0 and gamma; the best gamma is the larger stationary point.",
        corrected_by="KSW-S5",
    ),
    Claim(
        id="KSW-ER18",
        source="Erratum 18 (Algorithm 3 with hourglass noise)",
        states=(noisy_count_is_never_zero,),
        domain="hourglass noise with the sum T of its coordinates",
        status=Status.REFUTED,
        checks=checks_of(noisy_count_is_never_zero, undefined_ratio),
        why="The sum of both coordinates is an integer, so the noisy count is 0 with positive probability.",
        right="Fix an output for a noisy count of 0, such as the midpoint.",
        corrected_by="KSW-H1",
        obligations=parts_of(undefined_ratio),
    ),
    Claim(
        id="KSW-ER19",
        source="Erratum 19 (definition of neighbors)",
        states=(set_difference,),
        domain="datasets with equal records",
        status=Status.REFUTED,
        checks=checks_of(set_difference),
        why="Sets forget how often a record occurs.",
        right="Differences of multisets.",
        corrected_by="KSW-D1",
    ),
    Claim(
        id="KSW-ER20",
        source="Erratum 20 (Section 4, a reading)",
        says="That both marginals of hourglass noise are staircases does not make it a pair of independent staircases, which would lose 2 eps.",
        latex=r"f(z_1, z_2) \ne f(z_1) f(z_2)",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.REMARK,
        checks=checks_of(independent_coordinates),
        why="A record at the midpoint moves both sums by 1/2, and can raise both levels.",
        right="The density A e^(-eps k) with k = |s| + |t - s| on the lines z1 + z2 = t.",
        corrected_by="KSW-T2",
    ),
)
