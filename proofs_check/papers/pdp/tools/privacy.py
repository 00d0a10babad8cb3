"""Privacy of Algorithms 1, 2 and 3 of PDP: the sparse vector, the quantile, and ADPM."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.checks import checks_of, mutant, proves, reworded
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import Domain, Private, Sentence, absolute, decided, real_symbols, solve
from proofs_check.papers.pdp.common import LESS
from proofs_check.papers.pdp.tools.quantile import score_is_lipschitz
from proofs_check.papers.pdp.tools.svt import moved_noise_fires_alike
from proofs_check.papers.sub.thresholds.mechanism import (
    BY_SUMS,
    drawn_by_weights,
    sums_move_as_weights,
)
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS"]


@proves("The moves cost at most eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def moves_are_private(share: Fraction = Fraction(1)) -> Private:
    """The threshold's noise moves by 1, of scale 2 / eps, that of the firing query by 2, of 4 / eps."""
    eps, t, v, a, b = real_symbols("eps t v a b")
    cost = (absolute(t + a) - absolute(t)) / 2 + (absolute(v + b) - absolute(v)) / 4
    return Private(
        "The noise that makes AboveThreshold answer alike",
        "a move of the threshold's and of the firing query's noise",
        Domain((eps > 0, absolute(a) <= 1, absolute(b) <= 2), free=(t, v)),
        eps * absolute(cost),
        share * eps,
    )


@proves("The loss of a record is at most its budget.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def saturated_mean_is_private(share: Fraction = Fraction(1)) -> Private:
    """A record of the weight e / A moves the mean by e (x - y) / A; the noise z has the scale h / A."""
    e, budget, z, x, y = real_symbols("e eps z x y")
    return Private(
        "ADPM",
        "swap",
        Domain((e > 0, budget >= e, x >= 0, x <= 1, y >= 0, y <= 1), free=(z,)),
        absolute(absolute(z + e * (x - y)) - absolute(z)),
        share * budget,
    )


@proves("If all weights change at most by e^(eps / 2), densities do by e^eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve, polynomial=True)
def quantile_is_private(share: Fraction = Fraction(1)) -> Private:
    """The score of an output is the exponent of its weight."""
    what = "The private quantile, drawn with weights e^(eps score / 2),"
    return drawn_by_weights(what, "the change of a record", share)


CLAIMS = (
    Claim(
        id="PDP-A1p",
        source="Algorithm 1, privacy",
        states=(
            moved_noise_fires_alike,
            moves_are_private,
            Sentence(
                "So AboveThreshold is eps-differentially private for queries that move by at most one.",
                r"P(i = k \mid D) \le e^{\varepsilon} P(i = k \mid D')",
            ),
        ),
        domain="q and q2 are a query on neighbors, t and noise the noise of the threshold and of the query; a and b are the moves; any finite number of queries",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(moved_noise_fires_alike, moves_are_private),
        assumes=("PDP-A1",),
        steps=(
            ByHand(
                "The moves are a bijection of the noise under which every event {i = k} on D becomes one on D'; their cost bounds the ratio of the densities."
            ),
        ),
    ),
    Claim(
        id="PDP-A2p",
        source="Algorithm 2, privacy",
        states=(quantile_is_private,),
        domain="d is by how much the score of an output moves, c by how much the log of the integral of the weights does; the rank is public, records change also from or to BOT",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            quantile_is_private,
            sums_move_as_weights,
            reworded(
                score_is_lipschitz, "With the clamped public rank the score moves by at most 1."
            ),
        ),
        assumes=("PDP-A2",),
        steps=(ByCheck("score_is_lipschitz"), BY_SUMS),
    ),
    Claim(
        id="PDP-A3p",
        source="Algorithm 3, privacy",
        states=(saturated_mean_is_private,),
        domain="e = min(eps_i, tau) is the saturated budget of the record that changes from x to y, in units of the public width h; any other records",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(saturated_mean_is_private),
        assumes=("PDP-A3",),
    ),
)
