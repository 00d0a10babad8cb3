"""Privacy of what the subset mean is compared with: a noisy center, and a mean clipped around it."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import Domain, Private, absolute, decided, real_symbols, solve
from proofs_check.papers.sub.thresholds.mechanism import sums_move_as_weights
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS"]


@proves("Half of eps for two counts, half for the mean.", Method.SMT)
@mutant("0.99 eps", share=Fraction(99, 100))
@decided(solve, polynomial=True)
def histogram_then_mean_is_private(share: Fraction = Fraction(1)) -> Private:
    """Two counts move by 1 under Lap(4 / eps); z is noise of scale 2 / eps, in units of w / n."""
    eps, a, b, z, move = real_symbols("eps a b z m")
    counts = absolute(a - 1) - absolute(a) + absolute(b + 1) - absolute(b)
    mean = absolute(z - move) - absolute(z)
    return Private(
        "A noisy histogram with the clipped mean around its fullest bin",
        "swap",
        Domain((eps > 0, absolute(move) <= 1), free=(a, b, z)),
        eps * absolute(counts / 4 + mean / 2),
        share * eps,
    )


@proves("A quarter of eps for each draw, half for the mean.", Method.SMT)
@mutant("0.99 eps", share=Fraction(99, 100))
@decided(solve, polynomial=True)
def radius_then_mean_is_private(share: Fraction = Fraction(1)) -> Private:
    """Two draws with weights e^(-eps score / 8), then the mean as above."""
    eps, z, move = real_symbols("eps z m")
    d, c, f, g = real_symbols("d c f g")
    moves = tuple(absolute(x) <= 1 for x in (d, c, f, g, move))
    mean = absolute(z - move) - absolute(z)
    return Private(
        "A center and a radius drawn by their scores, with the mean clipped to them",
        "swap",
        Domain((eps > 0, *moves), free=(z,)),
        eps * absolute((d + c + f + g) / 8 + mean / 2),
        share * eps,
    )


CLAIMS = (
    Claim(
        id="SUB-CMP",
        source="our own, privacy of what Table 1 compares with",
        ours=True,
        states=(histogram_then_mean_is_private, radius_then_mean_is_private),
        domain="the number n of records is public; a and b are the noises of two counts, z that of the mean in units of w / n, m its move; d and f are the moves of two scores, c and g those of the logs of the sums of their weights, in units of eps / 8",
        status=Status.PROVED,
        checks=checks_of(
            histogram_then_mean_is_private, radius_then_mean_is_private, sums_move_as_weights
        ),
        steps=(
            ByHand(
                "A record that is replaced leaves one bin and comes to another, and moves the number of records up to a point, or within a radius, by at most one."
            ),
            ByHand(
                "Given the center and the radius, records are clipped to an interval of width w, so the mean of n of them moves by at most w / n."
            ),
            ByCheck(
                "sums_move_as_weights",
                "So the sum of all weights of a draw moves by at most e^(eps / 8).",
            ),
        ),
    ),
)
