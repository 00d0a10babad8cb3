"""Errors of what ADPM is compared with: stretching, partitioning, sampling, the least budget (ours).

Records are independent with one mean in an interval of width 1; the worst law is that of fair coins
on its ends. With S = sum of the budgets, m the least, n_g and l_g size and least budget of a group,
P the sum of p_i = min(1, (e^eps_i - 1) / (e^tau - 1)) and tau the largest budget, the mean squared
errors are

    stretching     (sum eps_i^2 + 8) / (4 S^2)          least budget   (n + 8 / m^2) / (4 n^2)
    partitioning   1 / sum of 1 / v_g,  v_g = 1 / (4 n_g) + 2 / (n_g l_g)^2
    sampling       (P / 4 + 2 / tau^2) / P^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import diff, identical, symbols

__all__ = [
    "CLAIMS",
    "groups_of",
    "least_budget_square",
    "partitioned_square",
    "sampled_square",
    "stretched_square",
]

VALUES = (
    ("100 of 1", (Fraction(1),) * 100, ("0.00270000", "0.00270000", "0.00270000", "0.00270000")),
    (
        "10 of 0.1, 10 of 1",
        (Fraction(1, 10),) * 10 + (Fraction(1),) * 10,
        ("0.0373966942", "0.0440217391", "0.0413175403", "0.5125"),
    ),
)
"""Budgets, and the errors by stretching, partitioning, sampling and at the least budget."""


def stretched_square(budgets: Sequence[Fraction]) -> Fraction:
    """Mean squared error of the stretched mean on fair coins."""
    return (sum(e * e for e in budgets) + 8) / (4 * sum(budgets, Fraction(0)) ** 2)


def least_budget_square(budgets: Sequence[Fraction]) -> Fraction:
    """That of the mean with noise for the least budget."""
    n = len(budgets)
    return (n + 8 / min(budgets) ** 2) / Fraction(4 * n * n)


def groups_of(budgets: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Size and least budget of the users of each floor(log2 budget)."""
    found: dict[int, list[Fraction]] = {}
    for budget in budgets:
        power = 0
        while Fraction(2) ** power > budget:
            power -= 1
        while Fraction(2) ** (power + 1) <= budget:
            power += 1
        found.setdefault(power, []).append(budget)
    return [(len(members), min(members)) for members in found.values()]


def partitioned_square(budgets: Sequence[Fraction]) -> Fraction:
    """That of the average of groups, with weights inverse to their errors."""
    errors = [Fraction(1, 4 * n) + 2 / (n * least) ** 2 for n, least in groups_of(budgets)]
    return 1 / sum((1 / error for error in errors), Fraction(0))


def sampled_square(budgets: Sequence[Fraction], *, numbers: Any) -> Any:
    """That of the sampled mean at the largest budget."""
    tau = max(budgets)
    top = numbers.exp(numbers.rational(tau)) - 1
    chances = [(numbers.exp(numbers.rational(e)) - 1) / top for e in budgets if e < tau]
    whole = numbers.rational(Fraction(len(budgets) - len(chances)))
    total = sum(chances, whole)
    return (total / 4 + 2 / numbers.rational(tau) ** 2) / (total * total)


@proves("Weights inverse to two errors give the least error of their average.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=2 * PERCENT)
def weights_by_error(two: Fraction = Fraction(2)) -> Finding:
    """A v + B w, A + B = 1, A = a^2: the weights inverse to v and w give 1 / (1/v + 1/w), the least."""
    a, v, w = symbols("a v w", positive=True)
    value = a**2 * v + (1 - a) ** 2 * w
    at = w / (v + w)
    domain = {v: (1, 5), w: (1, 5)}
    return every(
        (
            identical(value.subs(a, at), 1 / (1 / v + 1 / w), domain),
            identical(diff(value, a).subs(a, at), 0, domain),
            identical(diff(value, a, 2), two * (v + w), {v: (1, 5), w: (1, 5)}),
        )
    )


@confirms("Three users: all outcomes of coins and survival.", Method.EXACT)
@mutant("1 % more", factor=PERCENT)
def coins_by_enumeration(factor: Fraction = Fraction(1)) -> Finding:
    """Three users with coins of mean 1/2: all coins, and who survives, against the formulas.

    Without noise, whose variance 2 s^2 adds. Survival at 1/3, 1/2 and 1.
    """
    half, rows = Fraction(1, 2), []
    weights = (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7))
    chances = (Fraction(1, 3), Fraction(1, 2), Fraction(1))
    total = sum(chances, Fraction(0))
    weighted = sampled = Fraction(0)
    for coins in product((0, 1), repeat=3):
        value = sum((w * x for w, x in zip(weights, coins, strict=True)), Fraction(0)) - half
        weighted += value**2 / 8
        for kept in product((0, 1), repeat=3):
            chance = prod(
                (p if k else 1 - p for p, k in zip(chances, kept, strict=True)), start=half
            )
            off = sum((k * (x - half) for k, x in zip(kept, coins, strict=True)), Fraction(0))
            sampled += 2 * chance * (off / total) ** 2 / 8
    rows.append(exactly(weighted == factor * sum(w * w for w in weights) / 4, "weights"))
    rows.append(exactly(sampled == factor * total / 4 / total**2, "sampling"))
    return every(rows, detail="8 outcomes of coins, 64 with survival")


@encloses("Values of two vectors.", Method.ENCLOSURE)
@mutant("budgets 1 % larger", factor=PERCENT)
def values(factor: Fraction = Fraction(1)) -> Finding:
    """Errors of two vectors of budgets, and that of ADPM is none of them larger."""
    rows = []
    for name, budgets, printed in VALUES:
        scaled = [factor * budget for budget in budgets]
        found = (
            ball(stretched_square(scaled)),
            ball(partitioned_square(scaled)),
            sampled_square(scaled, numbers=NUMBERS),
            ball(least_budget_square(scaled)),
        )
        words = ("stretching", "partitioning", "sampling", "least budget")
        rows += [
            (f"{name}, {w}", text, value)
            for w, text, value in zip(words, printed, found, strict=True)
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-CMP",
        source="our own, for what Section 1 compares with",
        ours=True,
        says=(
            "Worst mean squared errors, for independent records of one mean in an interval of width "
            "1, of stretching, of partitioning by powers of 2, of sampling at the largest budget, "
            "and of the mean at the least budget; fair coins attain them."
        ),
        latex=r"\frac{\sum\varepsilon_i^2+8}{4S^2},\quad \Big(\sum_g\frac1{v_g}\Big)^{-1},\quad "
        r"\frac{P/4+2/\tau^2}{P^2},\quad \frac{n+8/m^2}{4n^2}",
        domain="positive budgets; tau the largest; v_g = 1/(4 n_g) + 2/(n_g l_g)^2",
        status=Status.PROVED,
        assumes=("PDP-L4",),
        checks=checks_of(weights_by_error, coins_by_enumeration, values),
        steps=(
            ByHand(
                "A record in [0, 1] of mean 1/2 + c has the variance 1/4 - c^2 at most, that of a coin; so sum w_i^2 / 4 bounds the variance of a weighted mean, and fair coins attain it."
            ),
            ByClaim("PDP-L4", "The noise of scale s adds 2 s^2."),
            ByHand(
                "A record that survives with probability p adds p E d^2 - p^2 (E d)^2, d its distance from the midpoint: at most p/4, for fair coins; records of one mean leave no bias."
            ),
            ByCheck(
                "weights_by_error",
                "Groups are independent, with errors v_g at most; by induction the average has 1 / sum of 1 / v_g.",
            ),
        ),
    ),
)
