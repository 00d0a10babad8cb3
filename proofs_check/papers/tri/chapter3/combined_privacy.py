"""The exact delta of the combined estimator at its epsilon, for every pair of neighbors (our own)."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.arguments import by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.tri.chapter3.algorithms import combined_loss, mixture_excess
from proofs_check.papers.tri.common import Box
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "laplace_excess", "worst_pairs"]

ONE_PERCENT = Fraction(101, 100)
EXCESSES = tuple(map(Fraction, ("0", "1/50", "1/3", "2")))
"""Beyond either end of the clip, in units of its width."""


@proves("Two Laplace laws at a distance D > eps differ by 1 - e^-((D - eps)/2).", Method.SYMBOLIC)
@mutant("0.505 of the distance", half=Fraction(101, 200))
def laplace_excess(half: Fraction = Fraction(1, 2)) -> Finding:
    """Two Laplace laws of scale 1 at a distance D > eps: 1 - e^-((D - eps)/2), at the crossing.

    Left of t = (D - eps)/2 the first, around 0, is at least e^eps times as dense as the other,
    around D; its mass there is 1 - e^-t / 2, that of the other e^(t - D) / 2.
    """
    eps, more = symbols("eps more", positive=True)
    distance = eps + more
    t = half * (distance - eps)
    exp = SYMBOLIC.exp
    excess = 1 - exp(-t) / 2 - exp(eps) * exp(t - distance) / 2
    domain: Box = {eps: (Fraction(1, 9), 4), more: (Fraction(1, 9), 4)}
    return every(
        (
            identical(excess, 1 - exp(-more / 2), domain),
            # there the densities e^-|z| / 2 have the ratio e^eps
            identical(exp(-t), exp(eps) * exp(t - distance), domain),
        )
    )


@confirms(
    "32 pairs of excesses below and above, two epsilons: the exact delta is the formula.",
    Method.EXACT,
)
@mutant("coins of rate 1.01 delta", rate=ONE_PERCENT)
def worst_pairs(rate: Fraction = Fraction(1)) -> Finding:
    """A record `below` the clip becomes one `above` it, or the other way: delta (1 - e^-u).

    In units of the noise the ends are eps apart, and the coin moves each place by its excess over
    delta. The event lies on the side of the larger excess, where the unnamed parts cancel.
    """
    rows = []
    for eps in (Fraction(1), Fraction(1, 3)):
        delta = Fraction(1, 10)
        coin = rate * delta
        for below in EXCESSES:
            for above in EXCESSES:
                left, right = below * eps / delta, above * eps / delta
                low = [(1 - coin, Fraction(0)), (coin, -left)]
                high = [(1 - coin, eps), (coin, eps + right)]
                turn = (right - left) / 2
                if left >= right:
                    found = mixture_excess(low, high, eps, (turn,))
                else:
                    found = mixture_excess(high, low, eps, (eps + turn,))
                expected = combined_loss(delta, (left + right) / 2)
                rows.append(exactly(found == expected and found < delta))
    return every(rows, detail=f"{len(rows)} pairs of excesses")


CLAIMS = (
    Claim(
        id="TRI-P3.0.3-delta",
        source="our own",
        ours=True,
        says=(
            "At its epsilon the combined estimator loses delta (1 - e^-u) exactly, for a record "
            "from an excess below the clip to one above it, whatever the others are between the "
            "ends; over all neighbors the supremum is delta, and no pair attains it."
        ),
        latex=r"\sup_S P(S)-e^{\varepsilon}Q(S)=\delta\,(1-e^{-u}),\qquad "
        r"u=\frac{\varepsilon\,(z_-+z_+)}{2\,\delta\,(\hat b-\hat a)}",
        domain="n >= 1, eps > 0, 0 < delta <= 1, z_- >= 0, z_+ >= 0, any c >= 0",
        status=Status.PROVED,
        assumes=("TRI-P3.0.2", "TRI-P3.0.1"),
        checks=checks_of(laplace_excess, worst_pairs),
        steps=(
            ByHand(
                "The coins of the other records and their clipped sum are the same on both sides and independent of the rest: adding them is post-processing, so the worst others lie between the ends."
            ),
            ByClaim(
                "TRI-P3.0.1", "Without the record's coin the two laws lose at most eps (Laplace)."
            ),
            ByHand(
                "The excess of mixtures with the same coin is at most the mixture of the excesses: (1 - delta) 0 + delta times that of two Laplace laws around the named places, whose distance is D = eps + eps (z_- + z_+)/(delta width) in units of the noise."
            ),
            ByCheck("laplace_excess", "That is delta (1 - e^-u)."),
            *by_hand(
                "It is attained: the event of the named places lies beyond the clip end on the side of the larger excess, where the unnamed parts have the ratio e^eps and add nothing.",
                "Two records beyond one end: the places are |z - z'|/delta apart and the unnamed parts are equal, so the same bound gives less. As z grows u does without bound.",
            ),
        ),
    ),
)
