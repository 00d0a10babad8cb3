"""Definitions of chapter 4's algorithms, and of an unbiased private family: examples, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter3.algorithms import mixture_excess, named_law
from proofs_check.papers.tri.chapter4.coarse_law import outcome_law, threshold
from proofs_check.papers.tri.chapter4.coarse_sizes import sample_sizes, smallest_sizes
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.smt import (
    all_of,
    any_of,
    choose,
    exact,
    floor,
    implies,
    integers,
    reals,
    valid,
)
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "coarse_center", "tilt_normalizer"]

ONE_PERCENT = Fraction(101, 100)
HALF = Fraction(1, 2)

NORMALIZERS = (
    (("-0.9",), "10.5263157894737"),
    (("0.3",), "2.1978021978022"),
    (("0.77",), "4.91279783836895"),
)
"""(eta,) and the normalizer of the tilted Laplace density."""

GRIDS = (1, 2, 10, 100, 1024)
"""Numbers of grid points for T, with biases 1/2, 1/4, 1/20, 1/200, 1/2048."""


def coarse_center(x: Fraction, t: Fraction) -> Fraction:
    """Bin of a record given T: the integer k with x - T in [k - 1/2, k + 1/2)."""
    u = x - t + HALF
    return Fraction(u.numerator // u.denominator)


def tilt_normalizer(eta: Any) -> Any:
    """Integral of exp(-|x| + eta x): 2/(1 - eta^2)."""
    return 2 / (1 - eta * eta)


@proves("Rounding is half up: the bin of u is floor(u + 1/2).", Method.SMT)
@mutant("floor(u + 0.505)", half=Fraction(505, 1000))
@for_all(reals("u") | integers("k"))
def rounding_is_unique(u: Any, k: Any, *, half: Fraction = HALF) -> Condition:
    """U in [k - 1/2, k + 1/2) exactly for k = floor(u + 1/2), whatever the real u."""
    inside = all_of(k - HALF <= u, u < k + HALF)
    rounded = k == floor(u + half)
    return all_of(implies(inside, rounded), implies(rounded, inside))


@proves(
    "T must be continuous: on a grid of N points the release is biased by 1/(2N).", Method.EXACT
)
@mutant("T shifted by 1/(100 N)", shift=Fraction(1, 100))
def grids_are_biased(shift: Fraction = Fraction(0)) -> Finding:
    """All records 0, T uniform on -1/2 + j/N: the released center has mean 1/(2N), not 0."""
    for size in GRIDS:
        points = [-HALF + shift / size + Fraction(j, size) for j in range(size)]
        mean = sum((t + coarse_center(Fraction(0), t) for t in points), Fraction(0)) / size
        if mean != Fraction(1, 2 * size):
            return exactly(False, f"N = {size}: {mean}")
    return exactly(True, "biases 1/2, 1/4, 1/20, 1/200, 1/2048")


@proves("The exact laws given the counts sum to 1; no records, no release.", Method.EXACT)
@mutant("mass 1.01", mass=ONE_PERCENT)
def coarse_law_is_complete(mass: Fraction = Fraction(1)) -> Finding:
    """Counts (2, 1), (3, 0, 1) and none: probabilities sum to 1; no bins, no release.

    eps = 1, so scale 2, with theta = 7 for 2 + 2 log(1/delta), delta = e^-2.5; and one bin of n
    records with n >= theta fails with probability e^(-(n - theta)/2)/2.
    """
    theta = threshold(Fraction(1), Fraction(5, 2))
    found = []
    for counts in ((2, 1), (3, 0, 1), (), (9, 8)):
        released, fails = outcome_law(counts, theta, Fraction(2), ExpSum.exp)
        found.append(sum(released, fails) == mass)
    _, lone = outcome_law((10,), theta, Fraction(2), ExpSum.exp)
    _, empty = outcome_law((), theta, Fraction(2), ExpSum.exp)
    found.append(lone == ExpSum.exp((theta - 10) / 2, HALF) and empty == 1)
    return exactly(all(found), "4 laws")


@proves("Without a first half it is name-and-shame, unbiased.", Method.EXACT)
@mutant("1 % off the mean", rate=ONE_PERCENT)
def fallback_is_name_and_shame(rate: Fraction = Fraction(1)) -> Finding:
    """n1 = 0: the first half is empty, so it fails, and the second half is name-and-shame.

    Its law on (1, 3) with delta = 1/4 has the mean of the records as its mean.
    """
    theta = threshold(Fraction(1), Fraction(5, 2))
    _, fails = outcome_law((), theta, Fraction(2), ExpSum.exp)
    law = named_law([Fraction(1), Fraction(3)], Fraction(1, 4))
    mean = sum((y * w for y, w in law.items()), Fraction(0))
    return exactly(fails == 1 and mean == 2 * rate, f"mean {mean}")


@proves("Given the first half, the clipped branch has loss eps.", Method.EXACT)
@mutant("a noise scale 1 % too small", scale=ONE_PERCENT)
def clipped_branch_is_private(scale: Fraction = Fraction(1)) -> Finding:
    """Given mu~, a record moved across the interval: width 2c, scale 2c/(n2 eps), loss eps."""
    eps = Fraction(1)
    p, q = [(Fraction(1), scale * eps)], [(Fraction(1), Fraction(0))]
    crossing = (scale + 1) * eps / 2
    return exactly(not mixture_excess(p, q, eps, (crossing,)), "delta(eps) = 0")


@proves("The normalizer is 2/(1 - eta^2), and E sign(X) = eta; values.", Method.SYMBOLIC)
@mutant("1 % more", factor=ONE_PERCENT)
def sign_is_unbiased(factor: Fraction = Fraction(1)) -> Finding:
    """The half lines x > 0, x < 0 have the integrals 1/(1-eta), 1/(1+eta); E sign(X) = eta."""
    x, rate, eta = symbols("x rate eta", positive=True)
    half_line = integrate(exp(-rate * x), (x, 0, oo))
    domain: Box = {eta: (0, 1)}
    return every(
        (
            identical(half_line, 1 / rate, {rate: (0, 2)}),
            identical(1 / (1 - eta) + 1 / (1 + eta), factor * tilt_normalizer(eta), domain),
            identical((1 / (1 - eta) - 1 / (1 + eta)) / tilt_normalizer(eta), eta, domain),
            printed_table(lambda eta, **_: factor * tilt_normalizer(eta), NORMALIZERS),
        )
    )


def _scaled(factor: Fraction) -> Any:
    return lambda *row, numbers: tuple(
        bound * factor for bound in sample_sizes(*row, numbers=numbers)
    )


@proves("A swap moves the sum of the signs by at most 2.", Method.SMT)
@mutant("by at most 1.98", reach=Fraction(198, 100))
def signs_move_by_two(reach: Fraction = Fraction(2)) -> Finding:
    """sign(x) - sign(y) is at most 2, so the mean of n signs moves by at most 2/n."""

    def sign(x: Any) -> Any:
        one = x - x + 1
        return choose(x > 0, one, choose(x < 0, -one, x - x))

    return valid(
        reals("x y"),
        lambda x, y: all_of(sign(x) - sign(y) <= exact(reach), any_of(x >= y, sign(x) <= sign(y))),
    )


CLAIMS = (
    Claim(
        id="TRI-A.DPUC",
        source="Algorithm 1",
        says=(
            "DPUCOARSE: shift the records by a uniform T, count them in unit bins, add Lap(2/eps) "
            "to each occupied bin's count, and release T plus the bin of the largest noisy count "
            "if that exceeds theta = 2 + (2/eps) log(1/delta); else fail."
        ),
        latex=r"T+\arg\max_k(C_k+\xi_k)\ \text{if}\ \max_k(C_k+\xi_k)>2+"
        r"\tfrac2\varepsilon\log\tfrac1\delta,\ \text{else}\ \bot",
        domain="n >= 0, eps > 0, 0 < delta <= 1",
        status=Status.DEFINITION,
        checks=checks_of(rounding_is_unique, grids_are_biased, coarse_law_is_complete),
    ),
    Claim(
        id="TRI-A.DPUM",
        source="Algorithm 2",
        says=(
            "DPUMEAN: DPUCOARSE at scale sigma on the first n1 records; if it fails, "
            "name-and-shame on the other n2, else their noisy mean clipped to within c of it. "
            "Both are returned."
        ),
        latex=r"\tilde\mu=\sigma\,\mathrm{DPUCOARSE}(x_{\le n_1}/\sigma),\quad "
        r"\hat\mu=\tfrac1{n_2}\sum_i\mathrm{clip}_{[\tilde\mu-c,\tilde\mu+c]}(x_i)"
        r"+\mathrm{Lap}\big(\tfrac{2c}{n_2\varepsilon}\big)",
        domain="eps > 0, 0 < delta <= 1, c, sigma > 0, n1 >= 0, n2 >= 1",
        status=Status.DEFINITION,
        checks=checks_of(
            Check(
                "The smallest n1 of the theorem's settings, for five (eps, delta).",
                Method.ENCLOSURE,
                smallest_sizes,
                mutants={
                    "conditions 1 % weaker": {"formula": _scaled(Fraction(99, 100))},
                    "conditions 1 % stronger": {"formula": _scaled(ONE_PERCENT)},
                },
            ),
            fallback_is_name_and_shame,
            clipped_branch_is_private,
        ),
    ),
    Claim(
        id="TRI-A.TILT",
        source="our own (in place of the Bernoulli example of chapter 5)",
        ours=True,
        says=(
            "For the densities proportional to exp(-|x| + eta x), |eta| < 1, the mean of the "
            "signs plus Lap(2/(n eps)) is eps-DP and exactly unbiased for eta."
        ),
        latex=r"\frac1n\sum_i\mathrm{sign}(x_i)+\mathrm{Lap}\Big(\frac{2}{n\varepsilon}\Big)",
        domain="-1 < eta < 1, n >= 1, eps > 0",
        status=Status.DEFINITION,
        checks=checks_of(sign_is_unbiased, signs_move_by_two),
    ),
)
