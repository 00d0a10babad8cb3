"""Errata 1 to 5 of KSW: the sensitivity, the lemma on ratios, and what its bounds say."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import (
    TERMS,
    Condition,
    Quantity,
    absolute,
    all_of,
    for_all,
    implies,
    integers,
    reals,
    rearrange,
    refuted,
)
from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.steps import ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]


@refutes("The constant of Theorem 1 belongs to scale 1 / eps.", Method.EXACT)
@mutant("scale 1.01 for 1", scale=Fraction(101, 100))
def leading_constant(scale: Fraction = Fraction(1)) -> Finding:
    """The constant of Theorem 1 needs noise of scale 1 / eps: with w / eps it is w^2 of it."""
    w, p = Fraction(1, 2), Fraction(1, 5)

    def constant(c: Fraction) -> Fraction:
        return w**2 * 2 * c**2 * ((1 - p) ** 2 + p**2)

    printed = w**2 * (1 + 4 * (p - Fraction(1, 2)) ** 2)
    right, wrong = constant(scale), constant(w)
    return exactly(right == printed != wrong, f"{printed} with 1 / eps, {wrong} with w / eps")


@proves(
    "(x + y)^2 <= 2 x^2 + 2 y^2 gives 2 w^2 E Zn^4 for the first term, in all 896 w^2.",
    Method.SYMBOLIC,
)
@mutant("2.02 w^2 for 2 w^2", factor=Fraction(101, 100))
@for_all(
    reals("w"),
    "Lemma One bounds the fourth power of the remainder for Algorithm Two by {printed} in print, which is true; {value} is enough: its first term is four times smaller.",
    terms=lambda v: {"printed": 3200 * v["w"] ** 2, "value": 896 * v["w"] ** 2},
    by=rearrange,
    box={"w": (0, 9)},
)
def square_of_remainder(w: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """E F^2 of Lemma 2 with M = w / 2: 2 w^2 E Zn^4 + 8 E Zs^2 Zn^2 = 896 w^2 / eps^4; printed 3200."""
    M = w / 2
    zn4, both = laplace_moment(4, 2), laplace_moment(2, w) * laplace_moment(2, 2)
    first, second = 2 * (2 * M) ** 2 * zn4 * factor, 2 * 2**2 * both
    printed = 8 * w**2 * zn4
    same = (first + second == 896 * w**2, printed + second == 3200 * w**2, printed == 4 * first)
    return implies(w > 0, all_of(*same))


@refutes(
    "Ten zeros, with and without an added one: every algorithm has R at least 0.127 > 0.02.",
    Method.ENCLOSURE,
)
@mutant("without n^2", power=0)
@refuted(
    reals("eps") | integers("n"),
    "The minimax of the squared number of records times the mean squared error is at most {right}, up to a factor that goes to one: so is {left}, a lower bound for every private algorithm, by {n} zeros with and without an added one.",
    at={"eps": 1, "n": 10},
)
def two_sizes(eps: Any, n: Any, *, power: int = 2) -> Condition:
    """Half of the minimum of n^2 x^2 + e^-eps (n + 1)^2 (x - 1 / (n + 1))^2 over x."""
    beta = TERMS.exp(-eps)
    least = n**2 * beta / (2 * (n**2 + beta * (n + 1) ** 2))
    return implies(all_of(eps > 0, n >= 1), least <= 2 / (n**power * eps**2))


@refutes("The minimum of two weighted squares.", Method.SYMBOLIC)
@mutant("1.01 for 1", half=Fraction(101, 100))
def least_square(half: Fraction = Fraction(1)) -> Finding:
    """The minimum of P x^2 + Q (x - d)^2 is P Q d^2 / (P + Q), at x = Q d / (P + Q)."""
    P, Q, d, x = symbols("P Q d x", positive=True)
    least = P * Q * d**2 / (P + Q)
    square = half * (P + Q) * (x - Q * d / (P + Q)) ** 2
    domain = {P: (0, 9), Q: (0, 9), d: (0, 1), x: (0, 1)}
    return identical(P * x**2 + Q * (x - d) ** 2, square + least, domain)


@refutes("The record 3 in [2, 5]: l + s1 / n is 7/3, not 3.", Method.EXACT)
@mutant("w = 3.03 for 3", w=Fraction(303, 100))
def mean_from_sum(w: Fraction = Fraction(3)) -> Finding:
    """One record 3 in [2, 5]: l + s1 / n is 7/3, l + w s1 / n is the mean 3."""
    low, record, n = Fraction(2), Fraction(3), 1
    s1 = (record - low) / 3
    without, scaled = low + s1 / n, low + w * s1 / n
    return exactly(without != record == scaled, f"{without} without w, {scaled} with it")


@refutes("The squared error scales by w^2 exactly: the inequality is an equality.", Method.SYMBOLIC)
@mutant("w^3 for w^2", power=3)
def rescaled_error(power: int = 2) -> Finding:
    """(l + w X - mu)^2 = w^2 (X - p)^2 with mu = l + w p: an equality."""
    w, low, X, p = symbols("w l X p", positive=True)
    left = (low + w * X - (low + w * p)) ** 2
    return identical(left, w**power * (X - p) ** 2, {w: (1, 9), low: (0, 9), X: (0, 1), p: (0, 1)})


@refutes("At w = 1/2 and x = 1, what is printed.", Method.EXACT)
@mutant("w = 1", w=1)
@refuted(
    reals("w x eps"),
    "Adding a record moves the sums of Algorithm Three, together, by {moved}, which is at most {w}; so noise of scale {scale} makes the loss at most {eps}.",
    at={"w": Fraction(1, 2), "x": 1, "eps": 1},
    terms=lambda v: {
        "moved": absolute(v["x"]) + absolute(1 - v["x"]),
        "scale": v["w"] / v["eps"],
    },
)
def loss_of_a_record(w: Any, x: Any, eps: Any) -> Condition:
    """As printed: for a record x in units of the width w."""
    moved = absolute(x) + absolute(1 - x)
    given = all_of(w > 0, 0 <= x, x <= 1, eps > 0)
    return implies(given, all_of(moved <= w, eps * moved / w <= eps))


def without_noise(a: Any, b: Any, low: Any, high: Any) -> Any:
    """The squared error of the clipped ratio."""
    return (min(max(a / b, low), high) - a / b) ** 2


@refutes("At a = 0, b = 1, clipped to [5, 6], what is printed.", Method.EXACT)
@mutant("an interval that contains a / b", low=0, high=1)
@refuted(
    reals("a b M low high"),
    "The bound on a clipped noisy ratio holds for every {b} from zero on and for clipping to any "
    "interval, without noise too: {left} is at most {right}.",
    at={"a": 0, "b": 1, "M": 1, "low": 5, "high": 6},
)
def print_without_noise(a: Any, b: Any, most: Any, low: Any, high: Any) -> Condition:
    """Noise that is zero has E C^2 = E F^2 = P(Z_b < -b / 2) = 0."""
    error = Quantity(
        "the squared error of the clipped ratio",
        r"E\left(\mathrm{Clip}\Big(\tfrac{a + Z_a}{b + Z_b}\Big) - \tfrac ab\right)^2",
        without_noise,
    )
    bound = Quantity(
        "the bound of the lemma",
        r"E C^2 + E F^2 + 2\sqrt{E C^2\, E F^2} + 4 M^2 P(Z_b < -b/2)",
        lambda _: Fraction(0),
    )
    given = all_of(b >= 0, absolute(a) <= most * b, low <= high)
    return implies(given, error(a, b, low, high) <= bound(most))


CLAIMS = (
    Claim(
        id="KSW-ER1",
        source="Erratum 1 (v1, proof of Theorem 1)",
        states=(loss_of_a_record,),
        domain="w = u - l, x a record in units of w",
        status=Status.REFUTED,
        checks=checks_of(loss_of_a_record, leading_constant),
        why="Algorithm 3 divides the records by w first, so a record moves the sums by (x, 1 - x).",
        right="The sensitivity is 1 and the noise Lap(1 / eps), whatever w.",
        corrected_by="KSW-T1",
        obligations=parts_of(leading_constant),
    ),
    Claim(
        id="KSW-ER2",
        source="Erratum 2 (Lemma 1)",
        states=(print_without_noise,),
        domain="the interval is from low to high; Z_a = Z_b = 0",
        status=Status.REFUTED,
        checks=checks_of(print_without_noise),
        why="An interval that does not contain a / b shifts the ratio; at b = 0 there is no ratio.",
        right="b > 0, and the interval contains a / b and has length at most 2 M.",
        corrected_by="KSW-L1",
    ),
    Claim(
        id="KSW-ER3",
        source="Erratum 3 (v1, proof of Lemma 2)",
        states=(square_of_remainder,),
        domain="in units of 1 / (n eps)^4; M = w / 2, Zs of scale w / eps, Zn of scale 2 / eps",
        status=Status.REMARK,
        checks=checks_of(square_of_remainder),
        why="M is half the width, so 8 M^2 = 2 w^2. As an inequality the print is valid, but 4 times too large in its first term.",
        right="E F^2 <= 2 w^2 E Zn^4 / n^4 + 8 E Zs^2 Zn^2 / n^4 = 896 w^2 / (n eps)^4.",
        corrected_by="KSW-L1",
    ),
    Claim(
        id="KSW-ER4",
        source="Erratum 4 (v1 Corollary 1)",
        states=(two_sizes,),
        domain="R_ar is this minimax, and w = 1",
        status=Status.REFUTED,
        checks=checks_of(two_sizes, least_square),
        why="R_ar contains the factor n^2 already.",
        right="R_ar <= 2 w^2 / eps^2 for every n0 and eps.",
        corrected_by="KSW-T1'",
        steps=(
            ByHand(
                "P' >= e^-eps P for the output laws P and P' of both datasets, so the larger of both normalized errors is at least half of E_P [n^2 X^2 + e^-eps (n + 1)^2 (X - 1/(n + 1))^2]."
            ),
        ),
        obligations=parts_of(least_square),
    ),
    Claim(
        id="KSW-ER5",
        source="Erratum 5 (v1, Theorem 1, Theorem 2 and Lemma 3)",
        says="Mu = l + s1 / n; the case R = 1; R_ar(eps, l, u) at most w^2 R_ar(eps, 0, 1).",
        latex=r"\mu = l + s_1 / n,\qquad R_{ar}(\varepsilon, l, u) \le w^2 R_{ar}(\varepsilon, 0, 1)",
        domain="s1 the sum of the normalized records",
        status=Status.REFUTED,
        checks=checks_of(mean_from_sum, rescaled_error),
        why="A factor w is missing (the print has eps_1 for s1), R stands for u, and rescaling works both ways.",
        right="mu = l + w s1 / n; u = 1; R_ar(eps, l, u) = w^2 R_ar(eps, 0, 1).",
        corrected_by="KSW-L10",
        obligations=parts_of(mean_from_sum, rescaled_error),
    ),
)
