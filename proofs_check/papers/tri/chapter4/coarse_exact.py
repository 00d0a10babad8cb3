"""The exact delta of DPUCOARSE, and the numbers that an auditor can expect of wrong variants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter4.coarse_law import (
    hockey_stick,
    lone_passes,
    neighbors,
    noise_scale,
    outcome_law,
    threshold,
)
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import exp, identical, log, symbols

__all__ = ["CLAIMS", "exact_delta", "lowered_threshold"]

Formula = Callable[..., Any]


def exact_delta(eps: Any, log_inverse_delta: Any, exponential: Callable[[Any], Any]) -> Any:
    """Q = delta exp(-eps / 2) / 2: the exact delta of one swap."""
    return exponential(-log_inverse_delta - eps / 2) * Fraction(1, 2)


def lowered_threshold(eps: Any, log_inverse_2delta: Any) -> Any:
    """1 + (2 / eps) log(1 / (2 delta)): the smallest threshold with exact delta."""
    return 1 + 2 / eps * log_inverse_2delta


@proves(
    "Every outcome but the bin that empties has P_x <= e^eps P_x', in all four cases.", Method.SMT
)
@mutant("e^(eps/2) for e^eps", power=1)
@mutant("1 / (1 - q) up to 1.01 e^(eps/2)", least=Fraction(100, 101))
def outcomes(power: int = 2, least: Fraction = Fraction(1)) -> Finding:
    """Every outcome but the bin that empties has P_x <= e^eps P_x', whatever the counts.

    u = exp(eps / 2), with u (1 - q) >= 1; R is the probability after the removal.
    """

    def statement(many: bool, occupied: bool) -> Callable[..., Any]:
        def case(P: Any, R: Any, Q: Any, u: Any, q: Any) -> Any:
            removed = P <= u * R if many else P <= R
            added = R <= u * Q if occupied else (1 - q) * R <= Q
            given = all_of(
                u >= 1, 0 <= q, q < 1, u * (1 - q) >= exact(least), P >= 0, R >= 0, Q >= 0
            )
            return implies(all_of(given, removed, added), P <= u**power * Q)

        return case

    return every(
        valid(reals("P R Q u q"), statement(many, occupied), polynomial=True)
        for many in (False, True)
        for occupied in (False, True)
    )


@proves("1 / (1 - q) <= e^(eps/2) is the same as delta <= 2 (e^(eps/2) - 1).", Method.SMT)
@mutant("2.02 for 2", constant=Fraction(101, 50))
@for_all(reals("u d q"), polynomial=True)
def condition(u: Any, d: Any, q: Any, *, constant: Fraction = Fraction(2)) -> Condition:
    """1 / (1 - q) <= exp(eps / 2) as long as delta <= 2 (exp(eps / 2) - 1), and only then."""
    given = all_of(u >= 1, d >= 0, q * 2 * u == d, q < 1)
    return implies(given, (d <= constant * (u - 1)) == (u * (1 - q) >= 1))


SETTINGS = (
    (1, 14),
    (1, Fraction(9, 2)),
    (Fraction(1, 2), Fraction(9, 4)),
    (2, Fraction(6, 5)),
    (Fraction(1, 10), 14),
    (Fraction(1, 10), 3),
    (Fraction(1, 10), Fraction(7, 10)),
    (Fraction(1, 10), Fraction(1, 10)),
)
"""eps and log(1/delta). The last two are outside the domain: there q holds for these counts."""


def worst_pair_is_exact(
    formula: Formula = threshold, scale: Formula = noise_scale, records: int = 4, bins: int = 3
) -> Finding:
    """Over all moves of one record the exact hockey-stick divergence is at most q, and attained."""
    count = 0
    for eps_, inverse_ in SETTINGS:
        eps, inverse = Fraction(eps_), Fraction(inverse_)
        theta, q = formula(eps, inverse), exact_delta(eps, inverse, ExpSum.exp)
        worst = ExpSum.rational(0)
        for x, y in neighbors(records, bins):
            count += 1
            worst = max(worst, hockey_stick(x, y, theta, scale(eps), ExpSum.exp(eps), ExpSum.exp))
        if worst != q:
            found, wanted = (float(endpoints(z.ball())[0]) for z in (worst, q))
            return exactly(
                False, f"eps = {eps}, log(1/delta) = {inverse}: largest {found!r}, q = {wanted!r}"
            )
    return exactly(True, f"{count} moves: the largest divergence is exactly q for each parameter")


@confirms("Balanced heavy bins and counts around the threshold: private, as claimed.", Method.EXACT)
@mutant("Lap(1/eps) for Lap(2/eps)", scale=lambda e: 1 / e)
@mutant("Lap(3/(2 eps)) for Lap(2/eps)", scale=lambda e: Fraction(3, 2) / e)
@mutant("Lap(1.98/eps) for Lap(2/eps)", scale=lambda e: Fraction(99, 50) / e)
def heavy_pairs(formula: Formula = threshold, scale: Formula = noise_scale) -> Finding:
    """Around and above the threshold the divergence stays at most delta, and is exact 0 above."""
    count = 0
    for eps_, inverse_ in ((1, Fraction(9, 2)), (Fraction(1, 2), 1), (2, 3)):
        eps, inverse = Fraction(eps_), Fraction(inverse_)
        theta = formula(eps, inverse)
        middle = -(-theta // 1)
        n = middle + 10
        moves = [((n, n + k), (n - 1, n + k + 1)) for k in (0, 4, 1500)]
        moves += [((m, k), (m - 1, k + 1)) for m in (1, 2, middle) for k in (0, 1, middle - 1)]
        for x, y in moves:
            count += 1
            found = hockey_stick(x, y, theta, scale(eps), ExpSum.exp(eps), ExpSum.exp)
            allowed = ExpSum.exp(-inverse) if min(x) <= 1 else ExpSum.rational(0)
            if not found <= allowed:
                at = float(endpoints(found.ball())[0])
                return exactly(
                    False, f"counts {x} -> {y}, eps = {eps}, log(1/delta) = {inverse}: {at!r}"
                )
    return exactly(True, f"{count} moves near and above the threshold, all private")


@confirms("The outcome probabilities sum to one; a heavy bin fails as stated.", Method.EXACT)
@mutant("n + theta for n - theta", sign=-1)
def failure_law(sign: int = 1) -> Finding:
    """Probabilities sum to one; a bin of n >= theta records fails with exp(-(n - theta) eps/2)/2."""
    eps, inverse = Fraction(1), Fraction(9, 4)
    theta = threshold(eps, inverse)
    for counts in ((1,), (3, 6), (7, 8, 9), (2, 2, 11), (4, 1, 7)):
        released, fails = outcome_law(counts, theta, noise_scale(eps), ExpSum.exp)
        if sum(released, fails) != 1:
            return exactly(False, f"the outcomes of counts {counts} do not sum to 1")
    for n in (7, 8, 20):
        _, fails = outcome_law((n,), theta, noise_scale(eps), ExpSum.exp)
        if fails != ExpSum.exp(-(n - sign * theta) * eps / 2) * Fraction(1, 2):
            return exactly(False, f"{n} records fail with another probability")
    return exactly(True, "5 count vectors and 3 heavy bins, exactly")


@confirms("The lowered threshold 1 + (2/eps) log(1/(2 delta)) has exact delta.", Method.EXACT)
@mutant("1.01 for 1", offset=Fraction(101, 100))
def lowered_is_exact(offset: Fraction = Fraction(1)) -> Finding:
    """At theta = 1 + (2/eps) log(1/(2 delta)) a lone record passes with exactly delta."""
    eps, delta = symbols("epsilon delta", positive=True)
    theta = offset + 2 / eps * log(1 / (2 * delta))
    lone = identical(
        lone_passes(eps, theta, exp), delta, {eps: (Fraction(1, 9), 3), delta: (0, Fraction(1, 2))}
    )
    findings = [lone]
    for e, d in ((Fraction(1), Fraction(13)), (Fraction(1, 10), Fraction(6)), (Fraction(1, 2), 4)):
        lowered = offset - 1 + lowered_threshold(e, Fraction(d))
        q = ExpSum.exp(Fraction(-d)) * Fraction(1, 2)  # delta = e^-d / 2
        worst = max(
            hockey_stick(x, y, lowered, noise_scale(e), ExpSum.exp(e), ExpSum.exp)
            for x, y in neighbors(3, 3)
        )
        findings.append(exactly(worst == q, f"eps = {e}, delta = e^-{d} / 2: exactly delta"))
    return every(findings)


LOWERED = (("1", "1e-6", "27.24472675"), (".5", ".01", "16.64809202"), (".1", "1e-3", "125.292162"))


@encloses("The lowered threshold at three points.", Method.ENCLOSURE)
@mutant("log(1/delta) for log(1/(2 delta))", factor=1)
def lowered_values(factor: int = 2) -> Finding:
    """Evaluate the lowered threshold."""
    return as_printed(
        (f"theta at eps = {e}, delta = {d}", printed, theta)
        for e, d, printed in LOWERED
        for theta in [lowered_threshold(Fraction(e), ENCLOSED.log(1 / (factor * Fraction(d))))]
    )


VARIANTS: tuple[tuple[str, str, str, Fraction, tuple[int, int], tuple[int, int], str], ...] = (
    ("2+2L/e", "1", ".01", Fraction(2), (1, 0), (0, 1), ".00303265"),
    ("2+L/e", "1", ".01", Fraction(2), (1, 0), (0, 1), ".0303265"),
    ("2L/e", "1", ".01", Fraction(2), (1, 0), (0, 1), ".00824"),
    ("2L/e", "2", ".01", Fraction(2), (1, 0), (0, 1), ".01359"),
    ("1+2L/e", "1", ".01", Fraction(2), (1, 0), (0, 1), ".005"),
    ("2+2L/e", "1", ".01", Fraction(1), (1, 0), (0, 1), "1.8e-5"),
    ("2+2L/e", "1", ".01", Fraction(1), (22, 22), (21, 23), ".13212"),
    ("2+2L/e", ".5", ".01", Fraction(1), (31, 31), (30, 32), ".0451"),
    ("2+2L/e", "2", "1e-6", Fraction(1), (26, 26), (25, 27), ".297"),
    ("2+2L/e", "1", ".01", Fraction(3, 2), (21, 25), (20, 26), ".00638"),
    ("2+2L/e", "2", "1e-6", Fraction(3, 2), (25, 29), (24, 30), ".00265"),
)
"""Threshold, eps, delta, noise scale times eps, counts before and after, exact divergence."""

THRESHOLDS: dict[str, Formula] = {
    "2+2L/e": threshold,
    "2+L/e": lambda e, inverse: 2 + inverse / e,
    "2L/e": lambda e, inverse: 2 * inverse / e,
    "1+2L/e": lambda e, inverse: 1 + 2 * inverse / e,
}


@encloses("The exact divergence of wrong thresholds and scales, eleven values.", Method.ENCLOSURE)
@mutant("e^(1.01 eps) for e^eps", factor=Fraction(101, 100))
def wrong_variants(factor: Fraction = Fraction(1)) -> Finding:
    """Evaluate the exact divergence of wrong thresholds and scales at the pairs that show it."""
    rows = []
    for name, eps_text, delta_text, scale, x, y, printed in VARIANTS:
        eps, delta = Fraction(eps_text), Fraction(delta_text)
        theta = THRESHOLDS[name](eps, ENCLOSED.log(1 / delta))
        found = hockey_stick(x, y, theta, scale / eps, ENCLOSED.exp(factor * eps), ENCLOSED.exp)
        rows.append((f"theta = {name}, scale {scale}/eps, {x} -> {y}, eps = {eps}", printed, found))
    return as_printed(rows)


@encloses("The log ratio of one outcome at counts (2, 40) -> (1, 41), eps = 1.", Method.ENCLOSURE)
@mutant("counts (2, 39)", counts=(2, 39))
def ratio_near_eps(counts: tuple[int, int] = (2, 40)) -> Finding:
    """The log ratio of one outcome comes close to eps."""
    rows = []
    for delta, printed in ((Fraction(1, 100), ".9690278575"), (Fraction(1, 10**6), ".927865")):
        theta = threshold(Fraction(1), ENCLOSED.log(1 / delta))
        first, second = counts
        (p, _), _ = outcome_law((first, second), theta, Fraction(2), ENCLOSED.exp)
        (q, _), _ = outcome_law((first - 1, second + 1), theta, Fraction(2), ENCLOSED.exp)
        rows.append((f"log ratio at delta = {delta}", printed, ENCLOSED.log(p / q)))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="TRI-P4.1.1-exact",
        source="our own (sharpens Proposition 4.1.1)",
        says=(
            "At eps the exact delta of the coarse estimator under one swap is q = "
            "delta e^(-eps/2) / 2, attained by a single record that moves to another bin."
        ),
        latex=r"\sup_{x \sim x'} \int (P_x - e^{\varepsilon} P_{x'})_+ = \tfrac{\delta}{2} e^{-\varepsilon/2}",
        status=Status.PROVED,
        domain="eps > 0, 0 < delta <= 2 (exp(eps/2) - 1), which delta <= eps implies",
        ours=True,
        checks=checks_of(
            outcomes,
            condition,
            Check(
                "All moves of one record among four in three bins: largest divergence exactly q.",
                Method.EXACT,
                worst_pair_is_exact,
                mutants={
                    "theta = 2 + (1/eps) log(1/delta)": {"formula": THRESHOLDS["2+L/e"]},
                    "theta = (2/eps) log(1/delta)": {"formula": THRESHOLDS["2L/e"]},
                    "theta = 1 + (2/eps) log(1/delta)": {"formula": THRESHOLDS["1+2L/e"]},
                    "2.02 for the first 2 of theta": {
                        "formula": lambda e, inverse: Fraction(101, 50) + 2 / e * inverse
                    },
                    "Lap(1/eps) for Lap(2/eps)": {"scale": lambda e: 1 / e},
                    "no threshold": {"formula": lambda *_: Fraction(-(10**4))},
                },
                cases="288 moves of one record among four in three bins",
            ),
            heavy_pairs,
            failure_law,
            lowered_is_exact,
            lowered_values,
            wrong_variants,
            ratio_near_eps,
        ),
        assumes=("TRI-P4.1.1",),
        steps=(
            *by_checks(outcomes, condition),
            *by_hand(
                "Condition on T. Let the record leave bin A, which held m records, for bin B, which held k, and let R be the law without it.",
                "Outcome A with m = 1 has probability at most q under x and 0 under x'.",
                "Every other outcome has P_x <= e^(eps/2) R (P_x <= R if m = 1: A's score is only removed), and R <= e^(eps/2) P_x' if k >= 1; if k = 0 then R <= P_x' / (1 - q), because the new score changes nothing unless it passes, and R(B) = 0.",
                "So only outcome A contributes, at most q.",
            ),
            ByCheck(
                "worst_pair_is_exact",
                "One record moved from a bin of its own to another attains q.",
            ),
            ByHand(
                "With the lowered threshold the same cases hold with q = delta as long as delta <= 1 - e^(-eps/2)."
            ),
        ),
    ),
)
