"""The weighted variance and the centered sum of Lemma 19 (PDP, equations (17) and (18))."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import (
    Condition,
    Domain,
    Inequality,
    all_of,
    decided,
    for_all,
    implies,
    real_symbols,
    reals,
    rearrange,
)
from proofs_check.papers.pdp.common import LESS, PERCENT
from proofs_check.papers.pdp.tools.ratio_steps import SAMPLES, draws
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


@proves("The shift of the center, term by term and summed.", Method.SYMBOLIC)
@mutant("plus for minus", sign=1)
def variance_identity(sign: int = -1) -> Finding:
    """W (a - m)^2 = w (a - c)^2 + 2 w (a - c) (c - m) + w (c - m)^2, which sums as printed.

    Summed over i with sum w = 1 and sum w (a - c) = m - c, the last two terms are -(c - m)^2.
    """
    w, a, c, m = symbols("w a c m", real=True)
    box = {w: (0, 1), a: (-2, 2), c: (-2, 2), m: (-2, 2)}
    termwise = w * (a - c) ** 2 + 2 * w * (a - c) * (c - m) + w * (c - m) ** 2
    summed = 2 * (m - c) * (c - m) + (c - m) ** 2
    return every(
        [
            identical(w * (a - m) ** 2, termwise, box),
            identical(summed, sign * (c - m) ** 2, {c: (-2, 2), m: (-2, 2)}),
        ]
    )


@proves("The bound for three values.", Method.SMT)
@mutant("0.99 n wmax sigma^2", share=LESS)
@for_all(reals("w1 w2 a b top"), polynomial=True)
def variance_bound(
    w1: Any, w2: Any, a: Any, b: Any, top: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """Sum w (a - muT)^2 <= n wmax sigma^2 for three values of any size."""
    weights, values = (w1, w2, 1 - w1 - w2), (a, b, -a - b)  # centered: their mean is 0
    given = all_of(*(0 <= w for w in weights), *(w <= top for w in weights))
    mean = sum(w * x for w, x in zip(weights, values, strict=True))
    left = sum(w * (x - mean) * (x - mean) for w, x in zip(weights, values, strict=True))
    return implies(given, left <= share * top * sum(x * x for x in values))


@confirms("For all draws of the samples.", Method.EXACT)
@mutant("1.01 muT", slip=PERCENT)
def centered_sum(slip: Fraction = Fraction(1)) -> Finding:
    """Sum p b = muN muT - muT muN = 0, so muS - muT = (1 / N) sum (I - p) b for every draw."""
    checked = 0
    for rates, values in SAMPLES:
        mean = sum(p * a for p, a in zip(rates, values, strict=True)) / sum(rates) * slip
        gaps = [a - mean for a in values]
        for coins, _ in draws(rates):
            number = sum(coins)
            if not number:
                continue
            checked += 1
            kept = Fraction(sum(c * a for c, a in zip(coins, values, strict=True)), 1) / number
            total = sum((c - p) * b for c, p, b in zip(coins, rates, gaps, strict=True))
            if kept - mean != total / number:
                return exactly(False, f"differs for rates {rates}, coins {coins}")
    return exactly(True, f"{checked} draws")


@proves("In terms of the sums of I a, p a, p and I.", Method.SYMBOLIC)
@mutant("1.01 muT", slip=PERCENT)
@decided(rearrange, box={"S": (0, 9), "P": (0, 9), "R": (1, 9), "N": (1, 9)})
def centered_sum_symbolic(slip: Fraction = Fraction(1)) -> Inequality:
    """(S - N m) / N = (S - P - (N - R) m) / N if m = P / R: S, P, R, N sums of I a, p a, p, I."""
    kept, total, rate, number = real_symbols("S P R N")
    mean = slip * total / rate
    right = (kept - total - (number - rate) * mean) / number
    domain = Domain((rate > 0, number >= 1), free=(kept, total))
    says = (
        "The gap of the two means is {right}: a sum of independent centered terms, divided by {N}."
    )
    return Inequality(domain, kept / number - mean, "==", right, says, {"N": number})


CLAIMS = (
    Claim(
        id="PDP-E17",
        source="Lemma 19, equation (17)",
        says="The weighted variance is at most n times the largest weight times the population variance.",
        latex=r"\sigma_T^2 = \sum_i w_i (a_i - \bar a)^2 - (\bar a - \mu_T)^2 \le n\, w_{\max}\, \sigma^2(A)",
        domain="weights w_i >= 0 with sum 1, any values",
        status=Status.PROVED,
        checks=checks_of(variance_identity, variance_bound),
        steps=(
            ByCheck("variance_identity"),
            ByCheck("variance_bound"),
            ByHand(
                "Drop the square, and bound each w_i (a_i - abar)^2 by wmax (a_i - abar)^2: the sum of the squares is n sigma^2, for any n."
            ),
        ),
    ),
    Claim(
        id="PDP-E18",
        source="Lemma 19, equation (18)",
        states=(centered_sum_symbolic,),
        domain="S, P, R and N are the sums of I a, p a, p and I over the records, and P / R is the mean muT",
        status=Status.PROVED,
        checks=checks_of(centered_sum_symbolic, centered_sum),
    ),
)
