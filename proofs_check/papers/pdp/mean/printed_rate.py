"""Lemma 12 of PDP as printed, with the constant sqrt(256/443): refuted by small vectors.

H = min over k of S_k + sqrt(n - k); the lemma compares 1 / H with sqrt(B) / (2 A).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball, endpoints
from proofs_check.language import (
    TERMS,
    Condition,
    Quantity,
    all_of,
    implies,
    integers,
    reals,
    refuted,
)
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS", "least_path", "printed_rate_constant", "rate_of_equal_budgets", "upper_error"]


def printed_rate_constant(*, numbers: Any) -> Any:
    """sqrt(256 / 443), the constant of Lemma 12 as printed."""
    return numbers.sqrt(numbers.rational(Fraction(256, 443)))


def upper_error(total: Any, squares: Any, *, numbers: Any) -> Any:
    """sqrt(B) / (2 A), the root of ADPM's bound on the variance for width 1."""
    return numbers.sqrt(squares) / (2 * total)


def least_path(budgets: Sequence[Fraction], first: int = 0) -> Ball:
    """H = min over k of S_k + sqrt(n - k), k from `first` on; an enclosure of the minimum."""
    n = len(budgets)
    sums = [Fraction(0), *accumulate(budgets)]
    values = [NUMBERS.sqrt(ball(n - k)) + sums[k] for k in range(first, n + 1)]
    ends = [endpoints(value) for value in values]
    return NUMBERS.between(min(low for low, _ in ends), min(high for _, high in ends))


@refutes(
    "n = 1000, eps = 0.001 has ratio 0.707063; with k from 1 on, n = 1 and eps = 8 has 0.2357.",
    Method.ENCLOSURE,
)
@mutant("1.01 times the ratios", scale=PERCENT)
def ratios_of_vectors(scale: Fraction = Fraction(1)) -> Finding:
    """With n = 1000, eps = 0.001: the ratio is 0.707063; n = 1, eps = 8, k >= 1 only: 0.2357."""
    rows = []
    for budgets, first, value in (
        ((Fraction(1, 1000),) * 1000, 0, "0.707063"),
        ((Fraction(8),), 1, "0.2357"),
    ):
        found = saturation(budgets)
        error = upper_error(ball(found.total), ball(found.squares), numbers=NUMBERS)
        rows.append(
            (
                f"ratio for n = {len(budgets)}",
                value,
                1 / (least_path(budgets, first) * error) * scale,
            )
        )
    constant = printed_rate_constant(numbers=NUMBERS)
    values = as_printed([*rows, ("sqrt(256 / 443)", "0.760182941032928", constant)])
    return every([values, below([(name, ratio, constant) for name, _, ratio in rows])])


def equal(count: Fraction, budget: Fraction) -> tuple[Fraction, ...]:
    """Equal budgets."""
    return (budget,) * int(count)


def error_of(budgets: Sequence[Fraction]) -> Any:
    """sqrt(B) / (2 A)."""
    found = saturation(budgets)
    return upper_error(ball(found.total), ball(found.squares), numbers=NUMBERS)


@refutes("n = 1, eps = 1: 1 on the left, sqrt(576/443) on the right.", Method.ENCLOSURE)
@mutant("0.39 for 256/443", square=Fraction(39, 100))
@refuted(
    reals("eps") | integers("n"),
    "The rate of the lower bound is at least {factor} times that of ADPM, for every vector of budgets, so of {n} budgets {eps}: {left} is at least {right}.",
    at={"eps": 1, "n": 1},
    terms=lambda _: {"factor": TERMS.sqrt(Fraction(256, 443))},
)
def rate_of_equal_budgets(eps: Any, n: Any, *, square: Fraction = Fraction(256, 443)) -> Condition:
    """As printed, of n budgets eps."""
    lower = Quantity(
        "1 / H",
        r"\max_{k_1} \frac{1}{S_{k_1} + \sqrt{n - k_1}}",
        lambda budget, count: 1 / least_path(equal(count, budget)),
    )
    upper = Quantity(
        "sqrt(B) / (2 A)", r"\frac{\sqrt{B}}{2 A}", lambda e, count: error_of(equal(count, e))
    )
    right = TERMS.sqrt(square) * upper(eps, n)
    return implies(all_of(eps > 0, n >= 1), lower(eps, n) >= right)


CLAIMS = (
    Claim(
        id="PDP-L12",
        source="Lemma 12, equation (1)",
        states=(rate_of_equal_budgets,),
        domain="n equal budgets",
        status=Status.REFUTED,
        checks=checks_of(rate_of_equal_budgets, ratios_of_vectors),
        why="The constant is too large: it fails wherever n eps is small, for k_1 from 0 or from 1 on. (The index k of one sum means k_2.)",
        right="c = 0.624568149768620 in place of 0.760..., for k_1 = 0, ..., n; this is the best constant.",
        corrected_by="PDP-L12s",
        obligations=parts_of(ratios_of_vectors),
    ),
)
