"""Why DPUMEAN cannot have log log n on normal data (Regehr, Corollary 4.2.2; erratum 5)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Role,
    Status,
    every,
    exactly,
)
from proofs_check.cover import positive
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints, integral
from proofs_check.language import Condition, absolute, for_all, implies, integers, reals, valid
from proofs_check.papers.tri.chapter4.gaussian import gaussian_moment
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck

__all__ = ["CLAIMS", "excess", "moment_rate"]

NUMBERS = Balls(128)
HALF_WIDTH = 5
"""sigma / 2: given T alone, the coarse estimate is at least sigma |T - round(T)| off."""


def moment_rate(lam: Any, N: Any, *, numbers: Any) -> Any:
    """Log of psi_lam^2 N^(2/lam), with psi_lam^lam = E|Z|^lam."""
    return 2 / lam * (numbers.log(gaussian_moment(lam, numbers=numbers)) + numbers.log(N))


def excess(t: Any, *, numbers: Any) -> Any:
    """E(Z - t)_+ = exp(-t^2/2)/sqrt(2 pi) - t P[Z > t]."""
    tail = numbers.erfc(t / numbers.sqrt(numbers.rational(Fraction(2)))) / 2
    return numbers.exp(-t * t / 2) / numbers.sqrt(numbers.pi() * 2) - t * tail


MOMENT_RATES = (
    (10**3, "14.497169", "14.486"),
    (10**6, "28.318284", "28.312"),
    (10**9, "42.135724", "42.132"),
)
"""N, the least psi_lam^2 N^(2/lam) over real lam, and a lam near the best."""


@refutes(
    "The best psi_lam^2 N^(2/lam) over real lam is 14.5, 28.3, 42.1: about 2 log N.",
    Method.ENCLOSURE,
    role=Role.VALUE,
)
@mutant("1.01 N for N", factor=Fraction(101, 100))
def least_moment_rate(factor: Fraction = Fraction(1)) -> Finding:
    """Enclose the least psi_lam^2 N^(2/lam): lam times its log is convex (log-convex moments).

    With g convex and a < b < c, g is above the chord through b and c on [a, b], and above the one
    through a and b on [b, c]; a chord over lam is monotone, so largest or least at the ends. That
    g(b)/b is below both ends puts the minimum between a and c.
    """
    rows = []
    for N, printed, near in MOMENT_RATES:
        b = Fraction(near)
        a, c = b - Fraction(1, 20), b + Fraction(1, 20)
        found = _least(factor * N, a, b, c)
        if found is None:
            return Finding(holds=False, detail=f"N = {N}: no minimum between {a} and {c}")
        rows.append((f"the least value at N = {N}", printed, found))
    return as_printed(rows)


def _least(N: Fraction, a: Fraction, b: Fraction, c: Fraction) -> Ball | None:
    g = {x: moment_rate(x, N, numbers=ENCLOSED) * x for x in (a, b, c)}
    rates = {x: g[x] / x for x in g}
    if not (certainly_less(rates[b], rates[a]) and certainly_less(rates[b], rates[c])):
        return None
    # narrow the bracket by golden steps, keeping the middle below both ends
    for _ in range(60):
        for x in ((a + b) / 2, (b + c) / 2):
            rate = moment_rate(x, N, numbers=ENCLOSED)
            if certainly_less(rate, rates[b]):
                a, b, c = (a, x, b) if x < b else (b, x, c)
            elif certainly_less(rates[b], rate):
                a, c = (x, c) if x < b else (a, x)
            rates[x] = rate
        if c - a < Fraction(1, 10**5):
            break
    at = {x: rates[x] * x for x in (a, b, c)}
    left = at[b] + (at[c] - at[b]) / (c - b) * (a - b)
    right = at[b] + (at[a] - at[b]) / (a - b) * (c - b)
    lower = min(endpoints(z)[0] for z in (left / a, right / c, rates[b]))
    upper = endpoints(rates[b])[1]
    return ENCLOSED.exp(ENCLOSED.numbers.between(lower, upper))


NOISE_AND_BIAS = (
    (2, "264.300", "5.464"),
    (4, "461.101", "7.436"),
    (6, "621.271", "8.696"),
    (8, "765.196", "9.684"),
    (12, "1027.279", "11.257"),
)
"""log10 of N = n eps, the least (noise + bias^2) N^2 over c, and a c near the best."""


@refutes(
    "Noise and squared bias, for the best c, at five N: 264 to 1027; the ratio to log "
    "log N rises, the one to log N falls.",
    Method.ENCLOSURE,
    role=Role.VALUE,
)
@mutant("8.08 for 8", weight=Fraction(202, 25))
def noise_and_bias(weight: Fraction = Fraction(8)) -> Finding:
    """Least 8 c^2 + N^2 mean over d in [0, 5] of E(Z - (c - d))_+^2, for five N.

    The mean is convex in c with the derivative (E(Z-c)_+^2 - E(Z-c+5)_+^2)/5; with 8 c^2 the sum r
    is 16-strongly convex, so its minimum lies in [r(c) - r'(c)^2/32, r(c)] for any c.
    """
    rows, ratios = [], []
    for exponent, printed, near in NOISE_AND_BIAS:
        scale, c = Fraction(10) ** (2 * exponent), Fraction(near)
        for _ in range(3):
            value, slope, curvature = _sum_at(c, scale, weight)
            step = slope / curvature
            low, high = endpoints(step)
            c = Fraction(round((c - (low + high) / 2) * 10**12), 10**12)
        value, slope, _ = _sum_at(c, scale, weight)
        below = value - slope * slope / (4 * weight)
        found = NUMBERS.between(endpoints(below)[0], endpoints(value)[1])
        rows.append((f"n eps = 1e{exponent}", printed, found))
        log_scale = ENCLOSED.log(10) * exponent
        ratios.append((found / ENCLOSED.log(log_scale), found / log_scale))
    rises = all(
        certainly_less(a[0], b[0]) and certainly_less(b[1], a[1]) for a, b in pairwise(ratios)
    )
    for exponent, double, single in ((2, "1.5", "4.6"), (12, "3.3", "27.6")):
        log_scale = ENCLOSED.log(10) * exponent
        rows.append((f"log of 1e{exponent}", single, log_scale))
        rows.append((f"log log of 1e{exponent}", double, ENCLOSED.log(log_scale)))
    return every((as_printed(rows), exactly(rises, "over log log N it rises, over log N it falls")))


def _sum_at(c: Fraction, scale: Fraction, weight: Fraction) -> tuple[Ball, Ball, Ball]:
    """r(c), r'(c) and r''(c); the square of the bias has the mean of E(Z - t)_+^2 over [c-5, c]."""
    mean = (
        integral(lambda t, f: excess(t, numbers=f) ** 2, c - HALF_WIDTH, c, numbers=NUMBERS)
        / HALF_WIDTH
    )
    ends = [NUMBERS.rational(x) for x in (c, c - HALF_WIDTH)]
    values = [excess(t, numbers=NUMBERS) for t in ends]
    tails = [NUMBERS.erfc(t / NUMBERS.sqrt(NUMBERS.rational(Fraction(2)))) / 2 for t in ends]
    slope = (values[0] ** 2 - values[1] ** 2) / HALF_WIDTH
    curvature = -2 * (values[0] * tails[0] - values[1] * tails[1]) / HALF_WIDTH
    return (
        weight * c**2 + scale * mean,
        2 * weight * c + scale * slope,
        2 * weight + scale * curvature,
    )


@proves(
    "Whatever bin is released, the coarse estimate is as far off as T is from an integer.",
    Method.SMT,
)
@mutant("1.01 times as far", width=Fraction(101, 100))
@for_all(reals("v") | integers("m"))
def spread(v: Any, m: Any, *, width: Fraction = Fraction(1)) -> Condition:
    """|v + m| >= |v| for |v| <= 1/2 and whole m: v is T - mu/sigma less its nearest integer."""
    return implies(2 * absolute(v) <= 1, absolute(v + m) >= width * absolute(v))


@refutes("For log N >= 16 and any c they add up to at least 8 log N.", Method.COVER)
@mutant("from log N = 9 on", start=3)
def any_clip_width(factor: Fraction = Fraction(8), start: int = 4) -> Finding:
    """For log N >= 16 and any c: 8 c^2 + N^2 bias^2 >= 8 log N.

    If c >= c0 = sqrt(log N) the noise does; else the bias is at least that at c0, whose square has
    a mean of at least (1/5) (4 P[Z > c0])^2 (d in [4, 5]), and P[Z > c0] >= density at c0 + 1:
    c0^2 - 2 c0 - 1 + log(8/(5 pi)) > log(8 c0^2) on [4, 40]; beyond,
    c0^2 - 2 c0 - 1 > c0 + 8, and c0 + 8 + log(8/(5 pi)) > log(8 c0^2) as 2 log c0 <= c0.
    """
    numbers = Balls(96)
    constant = numbers.log(Fraction(8, 5) / numbers.pi())
    near = positive(
        lambda c: c * c - 2 * c - 1 + constant - numbers.log(factor * c * c), {"c": (start, 40)}
    )
    beyond = valid(
        reals("c"), lambda c: implies(c >= 40, c * c - 2 * c - 1 > c + 8), polynomial=True
    )
    return every((near, beyond))


CLAIMS = (
    Claim(
        id="TRI-ER-05",
        source="Corollary 4.2.2, and Section 1.2 before Theorem 1.2.4",
        says="On normal data the error of DPUMEAN is O(1/n + log log n/(n eps)^2).",
        latex=r"\mathrm{MSE} \le O\bigl(\tfrac1n + \tfrac{\log\log n}{n^2\varepsilon^2}\bigr)",
        status=Status.REFUTED,
        domain="Algorithm 2 with sigma = 10 and any c; shows when n eps^2 is far below log n, as for eps = n^(-1/2)",
        checks=checks_of(least_moment_rate, noise_and_bias, any_clip_width, spread),
        why="psi^2 is of order log n for lam of order log n, by the true moments (TRI-ER-04).",
        right="O(1/n + log n/(n eps)^2), explicitly in TRI-C4.2.2.",
        corrected_by="TRI-C4.2.2",
        steps=(
            ByCheck("spread"),
            *by_hand(
                "mu~ = sigma (T + k), so |mu~ - mu| >= sigma D with D uniform on [0, 1/2], whatever k is; the failure bound of Proposition 4.1.3 holds given T.",
                "Given |mu~ - mu| = d the bias of the clipped mean is E(Z - (c - d))_+ - E(Z - (c + d))_+, the integral of P[Z > t] over [c - d, c + d], which grows in d and falls in c.",
                "So the error is at least (1 - delta^2) times the noise 8 c^2/N^2 plus the mean squared bias, N = n2 eps, which is at least 8 log N/N^2 for every c.",
                "With eps = n^(-1/2) this exceeds any multiple of 1/n + log log n/(n eps)^2.",
            ),
        ),
        obligations=parts_of(any_clip_width),
        note="The five values leave out the second, negligible part of the bias. Whether another unbiased estimator does better is TRI-ER-05o.",
    ),
    Claim(
        id="TRI-ER-05o",
        source="Section 1.2, the best unbiased estimator for normal data",
        says="Is some (eps, delta)-DP estimator unbiased on all normal laws with error O(1/n + log log n/(n eps)^2)?",
        latex=r"\mathrm{MSE} \le O\bigl(\tfrac1n + \tfrac{\log\log n}{n^2\varepsilon^2}\bigr)\,?",
        domain="normal laws of unit variance; DPUMEAN is none (TRI-ER-05)",
        status=Status.OPEN,
        ours=True,
    ),
)
