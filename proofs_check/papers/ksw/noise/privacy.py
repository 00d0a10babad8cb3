"""Privacy of the mechanisms that KSW defines or uses without a theorem of its own.

Each statement bounds the log ratio of the densities of what is released before it is divided and
clipped; what follows sees that only.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import (
    Definition,
    Domain,
    Private,
    absolute,
    all_of,
    decided,
    floor,
    real_symbols,
    solve,
    whole_symbols,
)
from proofs_check.papers.ksw.noise.staircase import level_of
from proofs_check.statements.terms import Term

__all__ = ["CLAIMS"]

LESS = Fraction(99, 100)


@proves("The loss of the noisy sum and number is at most eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def independent_is_private(share: Fraction = Fraction(1)) -> Private:
    """The sum has noise of scale 2 w1 / eps, the number noise of scale 2 / eps; in units of w1."""
    eps, z1, z2, x = real_symbols("eps z1 z2 x")
    moved = absolute(z1 + x) - absolute(z1) + absolute(z2 + 1) - absolute(z2)
    return Private(
        "The noisy sum with the noisy number of records of Algorithm One",
        "add-remove",
        Domain((eps > 0, absolute(x) <= 1), free=(z1, z2)),
        eps * absolute(moved / 2),
        share * eps,
    )


@proves("The loss of the noisy sum is at most eps.", Method.SMT)
@mutant("0.99 eps", share=LESS)
@decided(solve)
def swap_laplace_is_private(share: Fraction = Fraction(1)) -> Private:
    """The sum has noise of scale w / eps, the number of records is public; in units of w."""
    eps, z, x, y = real_symbols("eps z x y")
    return Private(
        "The sum with Laplace noise of the width over the level",
        "swap",
        Domain((eps > 0, x >= 0, x <= 1, y >= 0, y <= 1), free=(z,)),
        eps * absolute(absolute(z + x - y) - absolute(z)),
        share * eps,
    )


@proves("The level changes by at most one.", Method.SMT)
@mutant("records up to 1.01", reach=Fraction(101, 100))
@mutant("0.99 eps", share=LESS)
@decided(solve)
def swap_staircase_is_private(
    share: Fraction = Fraction(1), reach: Fraction = Fraction(1)
) -> Private:
    """The density of the staircase falls by e^eps from level to level; in units of the width."""
    eps, gamma, z, x, y = real_symbols("eps gamma z x y")
    s, r = whole_symbols("s r")
    levels = level_of(s, z, gamma) | level_of(r, z + x - y, gamma)
    return Private(
        "The sum with staircase noise",
        "swap",
        Domain(
            (eps > 0, gamma > 0, gamma <= 1, x >= 0, x <= reach, y >= 0, y <= 1),
            free=(z,),
            defined=levels,
        ),
        eps * absolute(absolute(s) - absolute(r)),
        share * eps,
    )


def diamond_level(k: Term, norm: Term, gamma: Term, words: str) -> dict[Term, Definition]:
    """Define k as the level of a point: its norm lies in [k - 1 + gamma, k + gamma)."""
    inside = all_of(k - 1 + gamma <= norm, norm < k + gamma)
    return {k: Definition(inside, floor(norm + 1 - gamma), f"the l1 level of {words}")}


@proves("The level changes by at most one.", Method.SMT)
@mutant("records up to 1.01", reach=Fraction(101, 100))
@mutant("0.99 eps", share=LESS)
@decided(solve)
def l1_staircase_is_private(
    share: Fraction = Fraction(1), reach: Fraction = Fraction(1)
) -> Private:
    """The density is a2 e^(-k eps) on level k; a record x moves the pair by (x, 1 - x)."""
    eps, gamma, z1, z2, x = real_symbols("eps gamma z1 z2 x")
    k, j = whole_symbols("k j")
    levels = diamond_level(k, absolute(z1) + absolute(z2), gamma, "(z1, z2)")
    moved = absolute(z1 + x) + absolute(z2 + 1 - x)
    levels |= diamond_level(j, moved, gamma, "(z1 + x, z2 + 1 - x)")
    return Private(
        "The noisy pair with two-dimensional staircase noise",
        "add-remove",
        Domain((eps > 0, gamma > 0, gamma <= 1, x >= 0, x <= reach), (z1, z2), levels),
        eps * absolute(j - k),
        share * eps,
    )


LEVEL_UP = {"records up to 1.01": {"reach": Fraction(101, 100)}, "0.99 eps": {"share": LESS}}

CLAIMS = (
    Claim(
        id="KSW-A1p",
        source="Algorithm 1, privacy",
        states=(independent_is_private,),
        domain="x is a record over w1 = max(|l|, |u|), z1 and z2 are the noise; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(independent_is_private),
        assumes=("KSW-A1",),
    ),
    Claim(
        id="KSW-SWp",
        source="Section 2, the sum with Laplace noise",
        states=(swap_laplace_is_private,),
        domain="x and y are a record and what replaces it, less l, over w = u - l; the number of records is public, and nothing is said of add-remove; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(swap_laplace_is_private),
    ),
    Claim(
        id="KSW-SWSp",
        source="Equations (1) and (2), the sum with staircase noise",
        states=(swap_staircase_is_private,),
        domain="x and y are a record and what replaces it, less l, over w = u - l; the number of records is public, and nothing is said of add-remove; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(swap_staircase_is_private),
        assumes=("KSW-D2",),
    ),
    Claim(
        id="KSW-D3p",
        source="Equation (12), privacy",
        states=(l1_staircase_is_private,),
        domain="x is a record in units of the width, z1 and z2 are the noise; any data",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(l1_staircase_is_private),
        assumes=("KSW-D3",),
    ),
)
