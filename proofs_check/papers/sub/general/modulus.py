"""Modulus of continuity and the loss of inverse sensitivity (Appendix C, Theorem C.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.language import Condition, all_of, enumerated, for_all, implies, reals
from proofs_check.papers.sub.common import distance, lower_quantile, mean, multisets
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS", "corrected_budget", "modulus", "printed_budget", "stacked_median_loss"]

COUNTEREXAMPLES = (
    ("0.001", 2, 3, "0.00200164391609872"),
    ("0.0001", 2, 3, "6.27399641700114e-4"),
    ("0.01", 10, 11, "0.0885900755174011"),
    ("0.02", 5, 6, "0.0532854428580578"),
)
"""beta, 1 / eps, number of zeros, expected loss."""


def printed_budget(epsilon: Any, radius: Any, bound: Any, beta: Any, *, numbers: Any) -> Any:
    """Budget eps' = 2 eps log(2 B R / beta), Theorem C.1 as printed."""
    return 2 * epsilon * numbers.log(2 * bound * radius / beta)


def corrected_budget(
    epsilon: Any, points: Any, bound: Any, lipschitz: Any, beta: Any, *, numbers: Any
) -> Any:
    """Budget eps' = 2 eps log(|T| B / (L beta)), |T| the number of grid values."""
    return 2 * epsilon * numbers.log(points * bound / (lipschitz * beta))


def stacked_median_loss(budget: Ball, beta: Fraction, size: int, *, numbers: Balls) -> Ball:
    """E |t| of inverse sensitivity for the lower median of zeros, t the multiples of beta in [-1, 1].

    len(t) is n + 1 for t > 0 and n for t < 0; the weights are e^(-eps' len / 2).
    """
    side = int(1 / beta)
    weight = numbers.exp(budget * Fraction(-size, 2))
    both = weight * (1 + numbers.exp(budget * Fraction(-1, 2)))
    return both * (beta * side * (side + 1) / 2) / (1 + both * side)


def modulus(
    data: Sequence[Any], k: int, values: Sequence[Any], theta: Callable[..., Any] = mean
) -> Fraction:
    """omega(D, k) = max |theta(D) - theta(D')| over data sets D' of any size at distance at most k."""
    near = multisets(values, range(max(1, len(data) - k), len(data) + k + 1))
    return Fraction(max(abs(theta(data) - theta(d)) for d in near if distance(data, d) <= k))


def modulus_of_equal_size(
    data: Sequence[Any], k: int, values: Sequence[Any], theta: Callable[..., Any] = mean
) -> Fraction:
    """The same over D' with as many points as D, as printed."""
    near = multisets(values, range(len(data), len(data) + 1))
    return Fraction(max(abs(theta(data) - theta(d)) for d in near if distance(data, d) <= k))


@refutes("As printed, the loss exceeds L beta for stacked zeros, four times.", Method.ENCLOSURE)
@mutant("2.02 eps log", constant=Fraction(101, 50))
def print_fails_for_stacked_data(constant: Fraction = Fraction(2)) -> Finding:
    """With the printed eps' the expected loss exceeds omega(D, 1/eps) + L beta = beta."""
    numbers = Balls(128)
    rows = []
    for text, inverse, size, loss in COUNTEREXAMPLES:
        beta, epsilon = Fraction(text), numbers.rational(Fraction(1, inverse))
        radius = numbers.rational(Fraction(1))
        budget = printed_budget(epsilon, radius, 2, beta, numbers=numbers) * constant / 2
        found = stacked_median_loss(budget, beta, size, numbers=numbers)
        if certainly_less(beta, found) is not True:
            return exactly(False, f"no counterexample at beta = {beta}: {found!r}")
        rows.append((f"E l at beta = {text}", loss, found))
    return as_printed(rows)


@confirms("omega(D, 1/eps) = 0 there.", Method.EXACT)
@mutant("two zeros", size=2)
def no_change_within_k(size: int = 3) -> Finding:
    """omega(D, 2) = 0 for the lower median of three zeros on {-1, 0, 1}."""
    found = modulus((0,) * size, 2, (-1, 0, 1), lambda d: lower_quantile(d, Fraction(1, 2)))
    return exactly(found == 0, f"omega = {found}")


@proves("The tail of the score.", Method.SYMBOLIC)
@mutant("2.02 eps log", two=Fraction(101, 50))
def tail_of_the_score(two: Fraction = Fraction(2)) -> Finding:
    """|T| e^(-eps' / (2 eps)) = L beta / B."""
    e, points, bound, lipschitz, beta = symbols("epsilon T B L beta", positive=True)
    budget = corrected_budget(e, points, bound, lipschitz, beta, numbers=SYMBOLIC) * two / 2
    ranges = {e: (0, 1), points: (1, 99), bound: (1, 9), lipschitz: (0, 2), beta: (0, 1)}
    return identical(points * exp(-budget / (2 * e)), lipschitz * beta / bound, ranges)


@proves("The loss splits at score 1 / eps.", Method.SMT)
@mutant("0.99 L beta", share=Fraction(99, 100))
@for_all(reals("near far omega B p x"), polynomial=True)
def loss_splits(
    near: Any,
    far: Any,
    omega: Any,
    bound: Any,
    p: Any,
    extra: Any,
    *,
    share: Fraction = Fraction(1),
) -> Condition:
    """E l <= omega + B P(score > 1/eps), and B L beta / B = L beta."""
    given = all_of(
        0 <= p, p <= 1, 0 <= near, near <= omega, 0 <= far, far <= bound, p * bound <= extra
    )
    return implies(given, (1 - p) * near + p * far <= omega + share * extra)


@encloses("The corrected budget on the data that refute the print.", Method.ENCLOSURE)
@mutant("eps log for 2 eps log", share=Fraction(1, 2))
def corrected_budget_suffices(share: Fraction = Fraction(1)) -> Finding:
    """For the same data and eps' = 2 eps log(|T| B / (L beta)) the loss is below L beta."""
    numbers = Balls(128)
    findings = []
    for text, inverse, size, _ in COUNTEREXAMPLES:
        beta, epsilon = Fraction(text), numbers.rational(Fraction(1, inverse))
        points = 2 / beta + 1
        budget = corrected_budget(epsilon, numbers.rational(points), 2, 1, beta, numbers=numbers)
        loss = stacked_median_loss(budget * share, beta, size, numbers=numbers)
        holds = certainly_less(loss, beta)
        findings.append(Finding(holds, f"E l <= {loss!r} at beta = {text}"))
    return every(findings)


SCORED = (0, 1, 3)


@proves("It is the largest loss of a value of length at most k.", Method.EXACT)
@mutant("D' of the same size", omega=modulus_of_equal_size)
@enumerated(
    "small data sets and distances", lambda: product(multisets(SCORED, range(1, 4)), (1, 2))
)
def modulus_bounds_every_score(
    cases: Iterator[Any], omega: Callable[..., Fraction] = modulus
) -> Finding:
    """Largest |theta(D) - t| over t with len(D, t) <= k is omega(D, k), for means on {0, 1, 3}."""
    for data, k in cases:
        near = [d for d in multisets(SCORED, range(1, 6)) if distance(data, d) <= k]
        worst = max(abs(mean(data) - mean(d)) for d in near)
        if omega(data, k, SCORED) != worst:
            return exactly(False, f"fails for D = {data}, k = {k}")
    return exactly(True, "in every case")


@refutes("With equal sizes nothing is at distance 1.", Method.EXACT)
@mutant("k = 2", k=2)
def equal_size_misses_neighbors(k: int = 1) -> Finding:
    """D = {0}, values {0, 1}: no other set of one point is at distance 1, but {0, 1} moves the mean."""
    printed, right = modulus_of_equal_size((0,), k, (0, 1)), modulus((0,), k, (0, 1))
    return exactly(printed < right, f"printed {printed}, right {right}")


CLAIMS = (
    Claim(
        id="SUB-omega",
        source="Appendix C, modulus of continuity",
        says="The modulus is the largest change of the property within distance k, over data sets of any size (printed: of the same size).",
        latex=r"\omega(D, k) = \max\{\ell(\theta(D), \theta(D')) : d(D, D') \le k\}",
        domain="D' not empty, over the same values",
        status=Status.CORRECTED,
        checks=checks_of(modulus_bounds_every_score, equal_size_misses_neighbors),
        why="D' in Z^n has the size of D, but add-remove distance 1 always changes the size, so omega(D, 1) would be 0.",
        right="D' of any size but 0.",
        obligations=parts_of(modulus_bounds_every_score, equal_size_misses_neighbors),
    ),
    Claim(
        id="SUB-TC.1",
        source="Theorem C.1",
        says="Inverse sensitivity loses at most omega(D, 1/eps) + L beta: false with eps' = 2 eps log(2 B R / beta), true with eps' = 2 eps log(|T| B / (L beta)).",
        latex=r"E\, \ell \le \omega(D, 1/\varepsilon) + L \beta,\quad \varepsilon' = 2 \varepsilon \log \frac{|T| B}{L \beta}",
        domain="weights e^(-eps' score / 2), some t with score 0, score <= 1/eps only if l <= omega(D, 1/eps), l <= B",
        status=Status.CORRECTED,
        checks=checks_of(
            tail_of_the_score,
            loss_splits,
            corrected_budget_suffices,
            no_change_within_k,
            print_fails_for_stacked_data,
        ),
        why="B is a loss and beta a distance, so 2 B R / beta is not free of scale; it bounds the far values' loss only by a constant, and the mean on a grid need not have a value of score 0.",
        right="eps' = 2 eps log(|T| B / (L beta)) with |T| <= 2 R / beta + 1, and a score that is 0 for some grid value.",
        assumes=("SUB-omega",),
        errata=("SUB-E3",),
        steps=(
            ByCheck("tail_of_the_score"),
            ByCheck("loss_splits"),
            ByHand(
                "A value of score above 1/eps has weight below e^(-eps' / (2 eps)), and the normalizer is at least 1, so together they have probability at most |T| e^(-eps' / (2 eps)) = L beta / B; they lose at most B, the others at most omega."
            ),
        ),
        obligations=parts_of(print_fails_for_stacked_data),
    ),
)
