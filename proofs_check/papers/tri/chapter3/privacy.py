"""Privacy of the noisy clipped mean and of the noisy mean of signs (Regehr, Chapters 3 and 5)."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import Domain, Private, absolute, decided, real_symbols, solve

__all__ = ["CLAIMS"]

LESS = Fraction(99, 100)


def noisy_mean(what: str, low: Fraction, high: Fraction, share: Fraction) -> Private:
    """A mean of numbers of [low, high] with Laplace noise of (high - low) / (n eps).

    The noise z is in units of (high - low) / n: what is released moves by (x - y) / (high - low).
    """
    eps, z, x, y = real_symbols("eps z x y")
    width = high - low
    moved = z + (x - y if width == 1 else (x - y) / width)
    return Private(
        what,
        "swap",
        Domain((eps > 0, x >= low, x <= high, y >= low, y <= high), free=(z,)),
        eps * absolute(absolute(moved) - absolute(z)),
        share * eps,
    )


@proves("The loss of the noisy mean is at most eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def clipped_mean_is_private(share: Fraction = Fraction(1)) -> Private:
    """Clipped records in units of the width, from its lower end."""
    return noisy_mean("The noisy clipped mean", Fraction(0), Fraction(1), share)


@proves("The loss of the noisy mean is at most eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def mean_of_signs_is_private(share: Fraction = Fraction(1)) -> Private:
    """Signs lie in [-1, 1]."""
    return noisy_mean("The noisy mean of the signs", Fraction(-1), Fraction(1), share)


CLAIMS = (
    Claim(
        id="TRI-A.CLIPp",
        source="Proposition 3.0.1, privacy",
        states=(clipped_mean_is_private,),
        domain="x and y are a clipped record and what replaces it, in units of the clip's width; the number of records is public; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(clipped_mean_is_private),
        assumes=("TRI-A.CLIP",),
    ),
    Claim(
        id="TRI-A.TILTp",
        source="our own, privacy",
        states=(mean_of_signs_is_private,),
        domain="x and y are the sign of a record and of what replaces it; the number of records is public; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(mean_of_signs_is_private),
        assumes=("TRI-A.TILT",),
    ),
)
