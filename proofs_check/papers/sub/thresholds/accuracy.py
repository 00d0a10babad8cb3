"""Accuracy of the threshold mechanism (Theorem 3.7), for whole and real ranks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, any_of, choose, for_all, implies, reals
from proofs_check.papers.sub.common import (
    PERCENT,
    multisets,
    rank_distance,
    threshold_cells,
    weights,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS", "rank_error_bound"]

BOUNDS = (
    ("1", "2", "0.01", "0.05", "16.5880992802041"),
    ("0.5", "200", "0.1", "0.001", "58.0346309540969"),
    ("0.1", "1", "0.0001", "0.01", "276.310211159285"),
    ("2", "10", "1", "0.1", "4.60517018598809"),
)
"""eps, b - a, alpha, zeta, beta."""


def rank_error_bound(epsilon: Any, width: Any, alpha: Any, zeta: Any, *, numbers: Any) -> Any:
    """Beta = (2 / eps) log((b - a) / (alpha zeta)), Theorem 3.7."""
    return 2 / epsilon * numbers.log(width / (alpha * zeta))


@proves("A set of measure at least alpha has loss 0.", Method.SMT)
@mutant("1.01 alpha for alpha", least=PERCENT)
@for_all(reals("a b tau0 alpha"))
def zero_loss_has_measure_alpha(
    a: Any, b: Any, t: Any, alpha: Any, *, least: Fraction = Fraction(1)
) -> Condition:
    """Of [tau0 - alpha, tau0 + alpha], at least alpha lies in [a, b], for tau0 in [a, b]."""
    right = choose(t + alpha <= b, t + alpha, b)
    left = choose(t - alpha >= a, t - alpha, a)
    given = all_of(a <= t, t <= b, 0 < alpha, alpha <= b - a)
    return implies(given, right - left >= least * alpha)


@proves("The mass of loss beta and more, relative to alpha, is at most zeta.", Method.SYMBOLIC)
@mutant("2.02 for 2", constant=2 * PERCENT)
def tail_is_zeta(constant: Fraction = Fraction(2)) -> Finding:
    """(b - a) e^(-eps beta / 2) / alpha = zeta."""
    e, w, alpha, zeta = symbols("epsilon w alpha zeta", positive=True)
    beta = rank_error_bound(e, w, alpha, zeta, numbers=SYMBOLIC) * constant / 2
    domain = {e: (0, 2), w: (1, 9), alpha: (0, 1), zeta: (0, 1)}
    return identical(w * exp(-e * beta / 2) / alpha, zeta, domain)


@encloses("beta for four sets of parameters.", Method.ENCLOSURE)
@mutant("2.02 for 2", constant=2 * PERCENT)
def bounds_as_printed(constant: Fraction = Fraction(2)) -> Finding:
    """Beta for four sets of parameters."""
    numbers = Balls(128)
    rows = []
    for *parameters, text in BOUNDS:
        e, w, alpha, zeta = (numbers.rational(Fraction(p)) for p in parameters)
        beta = rank_error_bound(e, w, alpha, zeta, numbers=numbers) * constant / 2
        rows.append((f"beta at {parameters}", text, beta))
    return as_printed(rows)


@confirms("The exact tail of small cases.", Method.EXACT)
@mutant("weights e^(-eps l / 4)", exponent=Fraction(1, 4))
def exact_tails(exponent: Fraction = Fraction(1, 2)) -> Finding:
    """P(l >= beta) <= zeta from the exact law of small cases, also for r = 0.

    l >= beta is decided as e^(eps l / 2) >= (b - a) / (alpha zeta).
    """
    cases, epsilon = 0, Fraction(4)
    for data in multisets((0, 1, 3, 4), range(1, 4)):
        for rank in range(len(data) + 1):
            for alpha in (Fraction(1, 4), Fraction(2)):
                cells = threshold_cells(data, (0, 4), rank, alpha)
                masses = weights(cells, 2 * exponent * epsilon)
                total = sum(masses, ExpSum({}))
                for zeta in (Fraction(19, 20), Fraction(1, 4)):
                    least = 4 / (alpha * zeta)
                    far = [
                        mass
                        for (*_, loss), mass in zip(cells, masses, strict=True)
                        if ExpSum.exp(epsilon * loss / 2) >= least
                    ]
                    cases += 1
                    if sum(far, ExpSum({})) > zeta * total:
                        return exactly(False, f"fails for D={data}, r={rank}, alpha={alpha}")
    return exactly(True, f"{cases} cases")


@proves(
    "x_(ceil r) has interval distance 0 to r, and its nearest whole rank is within 1/2.", Method.SMT
)
@mutant("0.495 for 1/2", half=Fraction(99, 200))
@for_all(reals("L E up r"))
def real_rank_has_a_zero(
    low: Any, equal: Any, up: Any, r: Any, *, half: Fraction = Fraction(1, 2)
) -> Condition:
    """x_(ceil r) has interval distance 0 to a real rank r, and a whole rank within 1/2 of r."""
    # up = ceil(r) and x_(up) = tau, so low < up <= low + equal: up - 1 and up are ranks of tau
    given = all_of(up - 1 < r, r <= up, low + 1 <= up, up <= low + equal)
    near = any_of(r - (up - 1) <= half, up - r <= half)
    return implies(given, all_of(rank_distance(r, low, low + equal) == 0, low <= up - 1, near))


@proves("With a least loss of 1/2 the tail beyond beta + 1/2 is zeta.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", extra=Fraction(101, 200))
def real_rank_tail(extra: Fraction = Fraction(1, 2)) -> Finding:
    """With least loss m <= 1/2: (b - a) e^(-eps (beta + 1/2) / 2) <= zeta alpha e^(-eps m / 2)."""
    e, w, alpha, zeta = symbols("epsilon w alpha zeta", positive=True)
    beta = rank_error_bound(e, w, alpha, zeta, numbers=SYMBOLIC) + extra
    ratio = w * exp(-e * beta / 2) / (alpha * exp(-e / 4))
    return identical(ratio, zeta, {e: (0, 2), w: (1, 9), alpha: (0, 1), zeta: (0, 1)})


CLAIMS = (
    Claim(
        id="SUB-T3.7",
        source="Theorem 3.7, utility",
        says="With probability at least 1 - zeta the threshold drawn is (alpha, beta)-approximate with beta = (2 / eps) log((b - a) / (alpha zeta)).",
        latex=r"P(\ell(\hat\tau) \ge \beta) \le \zeta,\ \beta = \tfrac{2}{\varepsilon} \log \tfrac{b - a}{\alpha \zeta}",
        domain="0 < alpha <= b - a (printed: at most half of it), integer 0 <= r <= n, n >= 1, D in [a, b]",
        status=Status.PROVED,
        checks=checks_of(zero_loss_has_measure_alpha, tail_is_zeta, bounds_as_printed, exact_tails),
        assumes=("SUB-LA.2", "SUB-I1"),
        steps=(
            ByCheck("zero_loss_has_measure_alpha"),
            ByClaim(
                "SUB-LA.2",
                "A rank-r threshold tau0 of [a, b] exists (Lemma A.2); all thresholds within alpha of it have loss 0, so Z >= alpha.",
            ),
            ByCheck(
                "tail_is_zeta",
                "Where the loss is at least beta the weight is at most e^(-eps beta / 2), on a length of at most b - a.",
            ),
        ),
    ),
    Claim(
        id="SUB-T3.7s",
        source="our own (Theorem 3.7 for real ranks and ranks from above)",
        says="With the interval distance the theorem holds for real ranks; with the distance to whole ranks, with beta + 1/2; and for ranks n - k with public k.",
        latex=r"P(\ell(\hat\tau) \ge \beta) \le \zeta \ (0 \le r \le n \text{ real});\quad P(\ell_{\mathbb{Z}}(\hat\tau) \ge \beta + \tfrac12) \le \zeta",
        domain="real 0 <= r <= n, or r = n - k with 0 <= k <= n; alpha, n and D as in Theorem 3.7",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(real_rank_has_a_zero, real_rank_tail),
        assumes=("SUB-T3.7", "SUB-T3.7p"),
        steps=(
            ByCheck("real_rank_has_a_zero"),
            ByCheck("real_rank_tail"),
            ByClaim(
                "SUB-T3.7",
                "As Theorem 3.7: with the interval distance the least loss is 0; with whole ranks it is at most 1/2, and e^(-eps m / 2) with m <= 1/2 only helps. r = n - k is a rank as any other once the data are fixed.",
            ),
            ByHand(
                "Privacy with the interval distance is T3.7p; and the set of whole ranks moves by at most 1, so the distance of r to it does too."
            ),
        ),
    ),
)
