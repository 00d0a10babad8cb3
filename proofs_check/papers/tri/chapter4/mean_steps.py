"""Closed forms of Theorem 4.2.1 and the steps of its proof, as checks (Regehr, Appendix C.4)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Finding, Method, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter4.coarse_law import noise_scale, threshold
from proofs_check.papers.tri.chapter4.symmetry import clip, mixture
from proofs_check.papers.tri.common import clipping_constant
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.symbolic import diff, identical, log, symbols

__all__ = [
    "CLIPPING",
    "bias_is_small",
    "clipping_constant_falls",
    "constants",
    "explicit_bound",
    "far_from_the_clip",
    "hoelder",
    "noise_constants",
    "own_route",
    "pair_is_private",
    "powers",
    "released_mean",
    "sensitivity",
    "sharp_bound",
    "variance_of_the_scaled_data",
]

SIGMA = 10
Symbols = Mapping[Any, tuple[Fraction | int, Fraction | int]]


def explicit_bound(
    eps: Any,
    delta: Any,
    n2: Any,
    psi: Any,
    lam: Any,
    mu: Any,
    n1: Any,
    *,
    last: tuple[Any, Any, Any] = (16, 8, 804),
    numbers: Any,
) -> Any:
    """Mean squared error at most this, end of the proof of Theorem 4.2.1, with N = n2 eps."""
    first, second, third = last
    N = n2 * eps
    power = numbers.power(N, 2 / lam)
    return (
        1 / n2
        + (33 * psi**2 * power + 3200) / N**2
        + delta * (1 + mu**2) / n2
        + numbers.power(delta, 2 - 4 / lam)
        * (first * psi**2 * numbers.power(n1, 2 / lam) + second * psi**2 * power + third)
    )


def sharp_bound(
    eps: Any,
    delta: Any,
    n2: Any,
    psi: Any,
    lam: Any,
    mu: Any,
    n1: Any,
    *,
    sigma: Any = SIGMA,
    numbers: Any,
) -> Any:
    """The same before the constants are rounded, with gamma = delta^2; our own."""
    N, gamma = n2 * eps, delta**2
    width = psi * numbers.power(N, 1 / lam)
    c = sigma + width
    moment = numbers.power(sigma, lam) / 2 + n1 * numbers.power(
        Fraction(2), lam - 1
    ) * numbers.power(psi, lam)
    return (
        1 / n2
        + (8 * c**2 * (1 + gamma) + clipping_constant(lam, numbers=numbers) ** 2 * width**2) / N**2
        + gamma * (1 + (1 - delta) * mu**2) / (n2 * delta)
        + 2 * numbers.power(gamma, 1 - 2 / lam) * numbers.power(moment, 2 / lam)
        + 2 * gamma * c**2
    )


@proves("Privacy is proved for the pair: a swap in the second half.", Method.SMT)
@mutant("0.99 p delta for p delta", factor=Fraction(99, 100))
@for_all(
    reals("a b a2 b2 p u d"),
    "Where the chances of an event grow at most by the factor {u} given an estimate and by {d} given failure, which has the chance {p}, they grow at most by that factor and {more}.",
    terms=lambda v: {"more": v["p"] * v["d"]},
    polynomial=True,
)
def pair_is_private(
    a: Any, b: Any, a2: Any, b2: Any, p: Any, u: Any, d: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """A swap in the second half: (eps, 0) given an estimate, (0, delta) given failure.

    a and b are the probabilities of an event given each, p is the probability of failure.
    """
    given = all_of(u >= 1, d >= 0, 0 <= p, p <= 1, a2 >= 0, b2 >= 0, a <= u * a2, b <= b2 + d)
    mixed, other = (1 - p) * a + p * b, (1 - p) * a2 + p * b2
    return implies(given, mixed <= u * other + factor * p * d)


@proves("One record moves the sum of clipped records by at most 2 c.", Method.SMT)
@mutant("1.98 c for 2 c", width=Fraction(99, 50))
@for_all(reals("x y m c"))
def sensitivity(x: Any, y: Any, m: Any, c: Any, *, width: Fraction = Fraction(2)) -> Condition:
    """One record moves the sum of clipped records by at most 2 c."""
    moved = clip(x, m - c, m + c) - clip(y, m - c, m + c)
    return implies(c > 0, absolute(moved) <= width * c)


@proves("The scaled data have variance at most 1/64.", Method.EXACT)
@mutant("sigma = 7 for 10 (the smallest sigma is 8)", sigma=7)
def variance_of_the_scaled_data(sigma: int = SIGMA) -> Finding:
    """Var(X / sigma) <= 1 / sigma^2 <= 1/64, as Proposition 4.1.3 asks."""
    return exactly(Fraction(1, sigma**2) <= Fraction(1, 64), f"1/{sigma**2} against 1/64")


@proves(
    "Given |mu~ - mu| <= sigma the clip ends are at least c - sigma away from mu; in any case "
    "a clipped record is at most |mu~ - mu| + c off.",
    Method.SMT,
)
@mutant("c - 0.99 sigma", side=Fraction(99, 100))
@for_all(reals("x m mu c sigma"))
def far_from_the_clip(
    x: Any, m: Any, mu: Any, c: Any, sigma: Any, *, side: Fraction = Fraction(1)
) -> Condition:
    """Given |m - mu| <= sigma both ends are c - sigma away; else the clip is |m - mu| + c off."""
    near = implies(
        absolute(m - mu) <= sigma,
        all_of(mu - (m - c) >= c - side * sigma, (m + c) - mu >= c - sigma),
    )
    off = absolute(clip(x, m - c, m + c) - mu) <= absolute(m - mu) + c
    return implies(all_of(c > 0, sigma > 0), all_of(near, off))


@proves(
    "With c - sigma = psi N^(1/lam) the squared bias is K(lam)^2 psi^2 N^(2/lam) / N^2.",
    Method.SYMBOLIC,
)
@mutant("exponent lam - 2 for lam - 1", shift=2)
def bias_is_small(shift: int = 1) -> Finding:
    """K psi^lam / (c - sigma)^(lam - 1), squared, is K^2 psi^2 N^(2/lam) / N^2."""
    psi, N, lam, K = symbols("psi N lambda K", positive=True)
    bias = K * psi**lam / (psi * N ** (1 / lam)) ** (lam - shift)
    box: Symbols = {psi: (1, 5), N: (0, 50), lam: (2, 9), K: (0, 1)}
    wanted = K**2 * psi**2 * N ** (2 / lam) / N**2
    return identical(bias**2, wanted, box)


@proves("K(lam) <= 1/4 for lam >= 2, with equality at 2.", Method.SYMBOLIC)
@mutant("0.2475 for 1/4", most=Fraction(99, 400))
def clipping_constant_falls(most: Fraction = Fraction(1, 4)) -> Finding:
    """K(2) = 1/4, and log K has the derivative log(1 - 1/lam) < 0: so K <= 1/4 from 2 on."""
    lam = symbols("lambda", positive=True)
    log_constant = (lam - 1) * log(lam - 1) - lam * log(lam)
    return every(
        (
            identical(diff(log_constant, lam), log((lam - 1) / lam), {lam: (2, 9)}),
            identical(
                SYMBOLIC.exp(log_constant), clipping_constant(lam, numbers=SYMBOLIC), {lam: (2, 9)}
            ),
            identical(clipping_constant(lam, numbers=SYMBOLIC).subs(lam, 2), most, {}),
            valid(reals("lam"), lambda lam: implies(lam >= 2, (lam - 1) / lam < 1)),
        )
    )


@proves("Noise and bias together: at most 33 psi^2 N^(2/lam) + 3200 over N^2.", Method.SMT)
@mutant("15.9 for 16", split=Fraction(159, 10))
@mutant("32 for 33, as if there were no bias", most=32)
@mutant("3190 for 3200", rest=3190)
def noise_constants(split: Fraction = Fraction(16), most: int = 33, rest: int = 3200) -> Finding:
    """8 c^2 (1 + gamma) + K^2 w^2 <= 33 w^2 + 3200 with w = psi N^(1/lam), c = 10 + w.

    By 8 (sigma + w)^2 <= 16 sigma^2 + 16 w^2, gamma <= 1 and K <= 1/4.
    """

    def squares(s: Any, w: Any) -> Any:
        return 8 * (s + w) * (s + w) <= exact(split) * (s * s + w * w)

    def doubled(y: Any, g: Any) -> Any:
        return implies(all_of(y >= 0, g <= 1), (1 + g) * 16 * y <= 32 * y)

    return every(
        (
            valid(reals("s w"), squares, polynomial=True),
            valid(reals("y g"), doubled, polynomial=True),
            exactly(32 + Fraction(1, 16) <= most, "32 + 1/16 <= 33"),
            exactly(32 * SIGMA**2 == rest, "32 sigma^2 = 3200"),
        )
    )


@proves("On the exceptional event (u + c)^2 <= 2 u^2 + 2 c^2.", Method.SMT)
@mutant("1.98 for 2", factor=Fraction(99, 50))
@for_all(reals("u c"), polynomial=True)
def own_route(u: Any, c: Any, *, factor: Fraction = Fraction(2)) -> Any:
    """(u + c)^2 <= 2 u^2 + 2 c^2, with |m - mu| = u on the failed event."""
    return (u + c) * (u + c) <= factor * (u * u + c * c)


@proves("Hoelder's inequality, from Bernoulli's.", Method.SYMBOLIC)
@mutant("t = y/s for (y/s)^2", exponent=1)
def hoelder(exponent: int = 2) -> Finding:
    """T <= (2/lam) t^(lam/2) + 1 - 2/lam at t = (y/s)^2; the best s^lam = M/P gives Hoelder.

    With P = P[B] and M = E|Y|^lam it is E[1_B Y^2] <= P^(1 - 2/lam) M^(2/lam).
    """
    y, s, lam, M, P = symbols("y s lambda M P", positive=True)
    t = (y / s) ** exponent
    gap = t ** (lam / 2) - 1 - lam / 2 * (t - 1)  # at least 0, by Bernoulli's inequality
    box: Symbols = {y: (0, 5), s: (0, 5), lam: (2, 9)}
    bound = 2 / lam * y**lam * s ** (2 - lam) + (1 - 2 / lam) * s**2
    best = (2 / lam * s ** (2 - lam) * M + (1 - 2 / lam) * s**2 * P).subs(s, (M / P) ** (1 / lam))
    return every(
        (
            identical(gap * 2 / lam * s**2, bound - y**2, box),
            identical(
                best,
                P ** (1 - 2 / lam) * M ** (2 / lam),
                {M: (0, 5), P: (0, 1), lam: (2, 9)},
                ways=(lambda e: e.expand(power_base=True).powsimp().simplify(),),
            ),
        )
    )


@proves("The moment term in powers of delta, n1 and psi.", Method.SYMBOLIC)
@mutant("7.92 for 8", factor=Fraction(198, 25))
def powers(factor: Fraction = Fraction(8)) -> Finding:
    """The moment term in powers of delta = sqrt(gamma): 8 n1^(2/lam) psi^2 and 2 sigma^2.

    By (a + b)^p <= a^p + b^p for p = 2/lam <= 1, which is t^p >= t on [0, 1], and 2^(-p) <= 1.
    """
    delta, lam, n1, psi, sigma = symbols("delta lambda n_1 psi sigma", positive=True)
    box: Symbols = {delta: (0, 1), lam: (2, 9), n1: (1, 99), psi: (1, 5), sigma: (1, 11)}
    halves = 2 ** (-2 / lam)
    return every(
        (
            identical(
                (delta**2) ** (1 - 2 / lam), delta ** (2 - 4 / lam), {delta: (0, 1), lam: (2, 9)}
            ),
            identical(
                2 * (n1 * 2 ** (lam - 1) * psi**lam) ** (2 / lam),
                halves * factor * n1 ** (2 / lam) * psi**2,
                {key: box[key] for key in (lam, n1, psi)},
            ),
            identical(
                2 * (sigma**lam / 2) ** (2 / lam),
                halves * 2 * sigma**2,
                {key: box[key] for key in (lam, sigma)},
            ),
            # logarithms: t for log t <= 0 or log delta < 0, p = 2/lam in (0, 1]
            valid(
                reals("t p"),
                lambda t, p: implies(
                    all_of(t <= 0, 0 < p, p <= 1), all_of(p * t >= t, 2 * t <= (2 - 2 * p) * t)
                ),
                polynomial=True,
            ),
        )
    )


@proves("The last bracket: (8, 4, 600) suffices, hence (16, 8, 804).", Method.SMT)
@mutant("595 for 600", sums=(8, 4, 595))
def constants(sums: tuple[int, int, int] = (8, 4, 600)) -> Finding:
    """2 sigma^2 + 2 c^2 <= 4 w^2 + 600, and (8, 4, 600) is at most (16, 8, 804)."""
    first, second, third = sums

    def statement(w: Any) -> Any:
        c = SIGMA + w
        return implies(w >= 0, 2 * SIGMA**2 + 2 * c * c <= second * w * w + third)

    return every(
        (
            valid(reals("w"), statement, polynomial=True),
            exactly(first == 8 and second <= 8 and third <= 804, "(8, 4, 600) <= (16, 8, 804)"),
        )
    )


@confirms(
    "Unbiased given that the coarse estimate exists: exactly, for a three-point law.", Method.EXACT
)
@mutant("an upper clip end at 0.99 c", shrink=Fraction(99, 100))
@mutant("weights tilted by 0.01", tilt=Fraction(1, 100))
def released_mean(
    tilt: Fraction = Fraction(0), shrink: Fraction = Fraction(1), c: Fraction = Fraction(3, 5)
) -> Finding:
    """E[(mu^ - mu) 1{not failed}] = 0 exactly, for a symmetric law, n1 = 2 and n2 = 1.

    The density of the coarse estimate is piecewise constant, and the mean of a record clipped to
    its surroundings is piecewise linear in it. `shrink` weakens the upper end of the clip.
    """
    mean, step, side = Fraction(1, 5), Fraction(7, 10), Fraction(1, 4)
    law = {mean - step: side + tilt, mean: 1 - 2 * side, mean + step: side - tilt}
    mean += -2 * tilt * step
    density, breaks = mixture(
        law, 2, threshold(Fraction(1), Fraction(1, 3)), noise_scale(Fraction(1))
    )
    kinks = {x + sign * c * part for x in law for sign, part in ((1, 1), (-1, shrink))}

    def clipped(m: Fraction) -> Fraction:
        ends = m - c, m + shrink * c
        return sum((p * min(max(x, ends[0]), ends[1]) for x, p in law.items()), Fraction(0))

    total = ExpSum.rational(0)
    for lower, upper in pairwise(
        sorted({*breaks, *(k for k in kinks if breaks[0] < k < breaks[-1])})
    ):
        middle = (lower + upper) / 2
        total += density(middle) * ((clipped(middle) - mean) * (upper - lower))
    return exactly(not total, "exactly 0" if not total else f"{float(total.ball().value)!r}")


CLIPPING = checks_of(far_from_the_clip, bias_is_small, own_route)
"""Checks of how far the clipped mean is off, which bounds with and without a failure need."""
