"""Errata of PDP in the range stage, which break utility: errata 10 to 13."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Role, Status, every, exactly
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.language import Condition, Quantity, all_of, implies, integers, reals, refuted
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.range.range_estimation import tail_of_the_width
from proofs_check.papers.pdp.tools.radius import count_within, estimated_radius, printed_radius
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import Rational, exp, identical, log, sqrt, symbols

__all__ = ["CLAIMS", "grid_width", "printed_grid_width"]

MEDIAN = "0.953872552408940"
"""Median of |x - x'| for two standard normal numbers."""
Width = Callable[[int], Fraction]


def printed_grid_width(j: int) -> Fraction:
    """Algorithm 4, second branch: b = 2^(-j) / 2."""
    return Fraction(1, 2 ** (j + 1))


def grid_width(j: int) -> Fraction:
    """The same with 2^(1 - j), the radius that fired."""
    return Fraction(1, 2**j)


def positives_only(data: Sequence[int]) -> list[int]:
    """D intersected with the positive numbers, as printed."""
    return [x for x in data if x > 0]


@refutes(
    "Seven values around 0: the median of the positive ones is off by 2; around -50 none is left.",
    Method.EXACT,
    role=Role.EXAMPLE,
)
@mutant("around 1", center=1)
def dropped_negatives(center: int = 0, spread: int = 3) -> Finding:
    """D = {c - 3, ..., c + 3}: the median of the positive values is off by 2, or there are none."""
    results = []
    for c in (center, center - 50):
        data = [c + k for k in range(-spread, spread + 1)]
        kept = positives_only(data)
        results.append((len(kept), sorted(kept)[len(kept) // 2] - c if kept else None))
    return exactly(results == [(3, 2), (0, None)], f"kept and error of the median: {results}")


@refutes(
    "The chance that one of n records is positive is at most n e^(-t^2/2) / 2 = 1/200 at t^2 = 2 ln(100 n).",
    Method.SYMBOLIC,
)
@mutant("99 n for 100 n", hundred=99)
def none_is_positive(hundred: int = 100) -> Finding:
    """At most n P(x > 0) <= n e^(-t^2/2) / 2 = 1/200 at mu = -t sigma, t^2 = 2 ln(100 n), for every n.

    P(x > 0) = erfc(t / sqrt(2)) / 2, and erfc(u) <= e^(-u^2), as for the width of the survivors.
    """
    n = symbols("n", positive=True)
    shift = sqrt(2 * log(hundred * n))
    bound = n * exp(-(shift**2) / 2) / 2
    return every([tail_of_the_width(), identical(bound, Rational(1, 200), {n: (1, 10**6)})])


@refutes("With b = 1/2 the values 0, 1/4 and 0.49 disappear.", Method.EXACT, role=Role.EXAMPLE)
@mutant("b = 0.495", b=Fraction(495, 1000))
def floored_values(b: Fraction = Fraction(1, 2)) -> Finding:
    """Values of [0, b) are rounded to 0 and dropped; a value 0 is taken for the placeholder."""
    values = [Fraction(0), Fraction(1, 4), Fraction(49, 100), Fraction(1, 2)]
    rounded = [b * (x // b) for x in values]
    kept = [x for x in rounded if x > 0]
    return exactly(kept == [Fraction(1, 2)], f"kept {len(kept)} of {len(values)} values >= 0")


@refutes(
    "At mu = 0 the median gap falls to 0.5314 sigma; at mu = -2 only 2.3 % are kept.",
    Method.ENCLOSURE,
    role=Role.VALUE,
)
@mutant("0.5367", cut="0.5367")
def median_of_halves(cut: str = "0.5314") -> Finding:
    """At mu = 0 the median of |x - x'| falls to 0.5314 sigma; at mu = -2, 2.3 % are kept.

    For half-normal numbers P(|x - x'| <= t) = 1 - erfc(t / 2)^2, since both lie in a quadrant.
    """
    ends = [ball(Fraction(cut) + sign * Fraction(1, 20000)) for sign in (-1, 1)]
    shares = [1 - NUMBERS.erfc(t / 2) ** 2 for t in ends]
    kept = NUMBERS.erfc(NUMBERS.sqrt(ball(2))) / 2
    bracket = below([("under", shares[0], Fraction(1, 2)), ("over", Fraction(1, 2), shares[1])])
    return every([bracket, as_printed([("share of positive values at mu = -2", "0.023", kept)])])


@refutes("sigma = 0.128: b = 1/64 < 0.016.", Method.ENCLOSURE)
@mutant("2^(1-j)", width=grid_width)
@mutant("sigma = 0.1268", sigma=Fraction(1268, 10000))
def grid_is_too_fine(
    width: Width = printed_grid_width, sigma: Fraction = Fraction(128, 1000)
) -> Finding:
    """For sigma = 0.128 the median gap is 0.1221, index j = 5, b = 2^-6 < sigma / 8 = 0.016."""
    median = _median() * sigma
    j = next(j for j in range(1, 40) if certainly_less(Fraction(2) ** (1 - j), median))
    b = width(j)
    printed = as_printed([("median", "0.12210", median)])
    return every([printed, exactly(j == 5 and b == Fraction(1, 64) and b < sigma / 8, f"b = {b}")])


@refutes("That happens for 6.8 % of all log sigma < 0.", Method.ENCLOSURE)
@mutant("1.01 of the median", factor=PERCENT)
def share_of_scales(factor: Fraction = Fraction(1)) -> Finding:
    """Uniform log2 sigma below 0: b < sigma / 8 in a share log2(1 / 0.953...) = 6.8 % of scales."""
    share = -NUMBERS.log(_median() * factor) / NUMBERS.log(ball(2))
    return as_printed([("share", "0.068", share)])


@refutes("The median gap is 0.953872552408940 sigma.", Method.ENCLOSURE)
@mutant("0.9634...", text="0.963411277933029")
def median_gap(text: str = MEDIAN) -> Finding:
    """P(|x - x'| <= t) = 1 - erfc(t / 2) is 1/2 at the printed median."""
    half = Fraction(1, 2 * 10**15)
    shares = [1 - NUMBERS.erfc(ball(Fraction(text) + sign * half) / 2) for sign in (-1, 1)]
    return below([("under", shares[0], Fraction(1, 2)), ("over", Fraction(1, 2), shares[1])])


@refutes("With the rates of (7) it is the expected number of survivors: the maximum.", Method.EXACT)
@mutant("0.505 eps / tau", share=Fraction(505, 1000))
def rank_is_the_maximum(share: Fraction = Fraction(1, 2)) -> Finding:
    """The target A / (2 tau) is half of the expected survivors A / tau for eps / tau, but all for (7)."""
    for budgets in (("2", "8", "8"), ("1/10",), ("1/2", "1", "2", "4", "8", "16")):
        found = saturation([Fraction(e) for e in budgets])
        target = found.total / (2 * found.tau)
        survivors = sum((share * e / found.tau for e in found.budgets), Fraction(0))
        printed = sum((e / found.tau for e in found.budgets), Fraction(0))
        if target != survivors or 2 * target != printed:
            return exactly(False, f"target {target}, survivors {survivors}")
    return exactly(True, "target = expected survivors under (7)")


def _median() -> Ball:
    half = Fraction(1, 2 * 10**15)
    return NUMBERS.between(Fraction(MEDIAN) - half, Fraction(MEDIAN) + half)


@refutes("One record at distance 1, b = 1: the radius 1/2 covers none.", Method.EXACT)
@mutant("2^(i-1) b, the radius that fired", radius=estimated_radius)
@refuted(
    integers("m"),
    "The radius returned covers what the query that fired counted: of {m} records at distance one it "
    "covers {left}, at least {right}.",
    at={"m": 1},
)
def radius_covers_what_was_counted(
    m: Any, *, radius: Callable[[int, Fraction], Fraction] = printed_radius
) -> Condition:
    """As printed, 2^(i-2) b for the query i that counts within 2^(i-1) b; b = 1, no noise, i = 1."""
    covered = Quantity(
        "Count(D, 2^(i-2) b)",
        r"\mathrm{Count}(D, \widehat{\mathrm{Rad}})",
        lambda records: count_within([Fraction(1)] * int(records), radius(1, Fraction(1))),
    )
    return implies(m >= 1, covered(m) >= m)


@refutes("At sigma = 0.128 it is 1/64.", Method.EXACT)
@mutant("2^(-j), of the radius that fired", width=grid_width)
@refuted(
    reals("sigma"),
    "In the second branch the width of the grid is half of a power of one half, and {left} is at least {right}.",
    at={"sigma": Fraction(128, 1000)},
)
def grid_is_wide_enough(sigma: Any, *, width: Width = printed_grid_width) -> Condition:
    """As printed, 2^(-j) / 2 for the query j that counts within 2^(1-j), without noise."""

    def found(scale: Fraction) -> Fraction:
        median = _median() * scale
        return width(
            next(j for j in range(1, 40) if certainly_less(Fraction(2) ** (1 - j), median))
        )

    b = Quantity("b", "b", found)
    return implies(all_of(sigma > 0, sigma < 1), b(sigma) >= sigma / 8)


@refutes("With A / (2 tau) expected survivors it is their number.", Method.EXACT)
@mutant("the rates of Algorithm 6, without the filter", share=Fraction(1))
@refuted(
    reals("A tau"),
    "The rank {left} is that of the median of the survivors, half of their expected number.",
    at={"A": 1, "tau": 1},
)
def rank_is_the_median(total: Any, tau: Any, *, share: Fraction = Fraction(1, 2)) -> Condition:
    """As printed; with the rates of (7), or positive records only at mu = 0, A / (2 tau) survive."""
    survivors = share * total / tau
    return implies(all_of(total > 0, tau > 0), total / (2 * tau) == survivors / 2)


CLAIMS = (
    Claim(
        id="PDP-E-10",
        source="Lemma 17, through Algorithm 4, line 1, and Algorithm 6",
        says="For every mean the range covers nearly all records, although it is made of the positive ones among them (and the placeholder is 0).",
        latex=r"\#\{i : x_i \notin \widehat{\mathrm{Range}}\} = O(\ln\ln n) \text{ with probability } 1 - \beta, \text{ for every } \mu",
        domain="every n, mu = -sigma sqrt(2 ln(100 n)): with probability 0.995 no record is positive",
        status=Status.REFUTED,
        checks=checks_of(none_is_positive, dropped_negatives, floored_values, median_of_halves),
        why="Half of the records are dropped at mu = 0, nearly all at mu = -2 sigma, and all of them further down; and a value 0 cannot be told from the placeholder.",
        right="The placeholder is no number; all survivors are used.",
        obligations=parts_of(none_is_positive),
    ),
    Claim(
        id="PDP-E-11",
        source="Algorithm 5, last line",
        states=(radius_covers_what_was_counted,),
        domain="b = 1, no noise; the first query counts within 1, and the radius is 2^(i-2) b",
        status=Status.REFUTED,
        checks=checks_of(radius_covers_what_was_counted),
        why="Half of the radius that fired.",
        right="2^(i-1) b.",
        corrected_by="PDP-A5",
    ),
    Claim(
        id="PDP-E-12",
        source="Algorithm 4, line 8, and Lemma 16",
        states=(grid_is_wide_enough,),
        domain="no noise, n to infinity; b = 2^(-j) / 2 where query j counts within 2^(1-j)",
        status=Status.REFUTED,
        checks=checks_of(grid_is_wide_enough, grid_is_too_fine, share_of_scales, median_gap),
        why="Index j belongs to the radius 2^(1-j): the printed b lies in [median / 8, median / 4), partly below sigma / 8.",
        right="b = 2^(1-j), then halved: in [median / 4, median / 2).",
        corrected_by="PDP-L16",
        obligations=parts_of(grid_is_too_fine, share_of_scales, median_gap),
    ),
    Claim(
        id="PDP-E-13",
        source="Algorithm 6, line 10",
        states=(rank_is_the_median,),
        domain="A / (2 tau) survivors are expected: with the rates of (7), or the positive ones of those of Algorithm 6 at mu = 0",
        status=Status.REFUTED,
        checks=checks_of(rank_is_the_median, rank_is_the_maximum),
        why="The target is not adjusted to the rates of (7), to the positivity filter or to the cut at R1.",
        right="Center on the survivors: score -max(0, #{y < x} - m / 2, m / 2 - #{y <= x}).",
        corrected_by="PDP-A2",
        obligations=parts_of(rank_is_the_maximum),
    ),
)
