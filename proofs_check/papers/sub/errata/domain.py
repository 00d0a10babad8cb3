"""Errata 5, 9 and 22: bounds that fail for few records, small epsilon, or point masses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.exponential import ExpRatio
from proofs_check.language import (
    Condition,
    Quantity,
    all_of,
    for_all,
    implies,
    integers,
    reals,
    refuted,
)
from proofs_check.papers.sub.errata.size import log_argument
from proofs_check.papers.sub.general.printed_release import PrintedRelease, parameters
from proofs_check.papers.sub.thresholds.laws import (
    LogRank,
    nearest_rank,
    probability,
    threshold_cells,
)
from proofs_check.steps import ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]

NUMBERS = Balls(192)
HALF = Fraction(1, 2)


def thresholds_in(
    size: int, gamma: Fraction, epsilon: Fraction, ends: Any, data: dict[int, int] | None = None
) -> list[ExpRatio]:
    """P(l in [a, b]) and P(u in [-b, -a]) on [-1, 1], all parameters as printed; n zeros."""
    cells = threshold_cells(data or {0: size}, -1, 1, gamma / size)
    argument = log_argument(1, epsilon, size, gamma)
    low, high = ends
    return [
        probability(cells, nearest_rank(LogRank(epsilon, argument, base, sign)), *where)
        for base, sign, where in ((0, 1, (low, high)), (size, -1, (-high, -low)))
    ]


@refutes("Between such thresholds Algorithm 1 errs by w / 6 where X <= 1 and Y >= 2.", Method.SMT)
@mutant("0.1683 for 1 / 6", slack=Fraction(101, 600))
@for_all(reals("x y rho"), polynomial=True)
def error_of_the_mean(
    x: Any, y: Any, rho: Any, *, slack: Fraction = Fraction(1, 6), size: int = 10
) -> Condition:
    """Y >= 2, 0 <= X <= 1, rho <= 0: clip((10 rho + Y)/(10 + 2X), -1/2, 1/2) - rho >= 1/6."""
    given = all_of(0 <= x, x <= 1, y >= 2, -1 <= 2 * rho, rho <= 0)
    # clipped at 1/2 it is 1/2 - rho >= 1/2; it is not clipped at -1/2, as Y - 2 X rho >= 0
    open_part = size * rho + y >= (rho + slack) * (size + 2 * x)
    return implies(given, all_of(HALF - rho >= slack, open_part))


@refutes(
    "10 zeros: both thresholds are far from 0 with a probability that gamma leaves.", Method.EXACT
)
@mutant("200 records", size=200)
def few_records_err(size: int = 10, gammas: tuple[int, ...] = (2, 4, 8)) -> Finding:
    """P(l > 1/2) P(u < -1/2) P(0 <= X <= 1) P(Y >= 2) / 6 >= 1 / 1250 for each gamma."""
    e = NUMBERS.exp(NUMBERS.rational(Fraction(-1)))
    noise = (1 - e) / 2 * e**2 / 2 / 6
    for power in gammas:
        chances = thresholds_in(size, Fraction(1, 10**power), Fraction(1), (HALF, 1))
        error = chances[0].ball(192) * chances[1].ball(192) * noise
        if certainly_less(Fraction(1, 1250), error) is not True:
            return exactly(False, f"gamma = 1e-{power}: only {error!r}")
    return exactly(True, f"E|release| > 1/1250 for gamma = {gammas}, negative powers of ten")


@refutes(
    "10 equal records: Algorithm 4's median errs by more than 13 L beta, not 7.", Method.ENCLOSURE
)
@mutant("13.13 beta for 13 beta", bound=Fraction(1313, 100))
def few_records_of_algorithm_4(
    size: int = 10, ratio: int = 40, bound: Fraction = Fraction(13)
) -> Finding:
    """The median of 10 equal records in the middle: E|t - median| > 13 beta, with n < r / 4."""
    rank, k = parameters(ratio, Fraction(1))
    release = PrintedRelease.of({ratio: size}, 2 * ratio, rank, k, Fraction(1), Fraction(1, 4))
    zero = NUMBERS.rational(Fraction(0))
    error = sum((p * abs(t - ratio) for t, p in enumerate(release.law())), zero)
    holds = certainly_less(bound, error)
    return Finding(holds=holds, detail=f"E|t - median| = {error!r} beta, r / 4 > {rank - 1}")


@refutes(
    "The argument of the logarithm is 2 G^2 m^3 / eps^4 with G = R eps/gamma, m = n eps.",
    Method.SYMBOLIC,
)
@mutant("eps^3 for eps^4", power=3)
def argument_identity(power: int = 4) -> Finding:
    """2 R / (alpha zeta) = 2 R^2 eps n^3 / gamma^2 = 2 G^2 m^3 / eps^4, G = R eps / gamma, m = n eps."""
    scale, epsilon, n, gamma = symbols("R epsilon n gamma", positive=True)
    g, m = scale * epsilon / gamma, n * epsilon
    domain = {scale: (1, 9), epsilon: (0, 1), n: (1, 99), gamma: (0, 2)}
    found = log_argument(scale, epsilon, n, gamma)
    middle = identical(found, 2 * scale**2 * epsilon * n**3 / gamma**2, domain)
    return every([middle, identical(found, 2 * g**2 * m**3 / epsilon**power, domain)])


def clipped_ones(epsilon: Fraction, m: int) -> tuple[int, Fraction, LogRank]:
    """n, gamma and the rank t, for R = 1 and m = n eps = G = eps / gamma."""
    size, gamma = int(m / epsilon), epsilon / m
    return size, gamma, LogRank(epsilon, log_argument(1, epsilon, size, gamma))


@refutes(
    "t / 2 ones among zeros are clipped away: both thresholds stay within alpha of 0.", Method.EXACT
)
@mutant("3 t / 2 ones for t / 2", ones=lambda q: 3 * q)
def ones_are_clipped_away(m: int = 200, ones: Callable[[int], int] = lambda q: q) -> Finding:
    """N - q zeros, q ones: P(u > alpha) and P(l > alpha) are at most e^(-1/4) / (2 sqrt(2 m))."""
    epsilon = Fraction(1, 10)
    size, gamma, rank = clipped_ones(epsilon, m)
    q = ones((rank.rounded_up() - 1) // 2)
    data = {0: size - q, 1: q}
    cells = threshold_cells(data, -1, 1, gamma / size)
    bound = NUMBERS.exp(NUMBERS.rational(Fraction(-1, 4))) / (
        2 * NUMBERS.sqrt(NUMBERS.rational(Fraction(2 * m)))
    )
    for base, sign in ((0, 1), (size, -1)):
        weight = nearest_rank(LogRank(epsilon, rank.argument, base, sign))
        beyond = probability(cells, weight, gamma / size, Fraction(1)).ball(192)
        # the nearest rank is at most 1/2 away: a factor e^(eps / 4)
        slack = NUMBERS.exp(NUMBERS.rational(epsilon / 4))
        if certainly_less(beyond, bound * slack) is not True:
            return exactly(False, f"P(beyond alpha) = {beyond!r}")
    return exactly(True, f"n = {size}, q = {q}")


def printed_log(g: int, _: Any) -> Any:
    """log(R eps / gamma) = log G."""
    return NUMBERS.log(NUMBERS.rational(Fraction(g)))


def right_log(_: int, rank: LogRank) -> Any:
    """log(2 R^2 eps n^3 / gamma^2)."""
    return NUMBERS.log(NUMBERS.rational(rank.argument))


@refutes(
    "The bias exceeds the claim 5, 100, 1000 times as eps falls, where n is large enough.",
    Method.ENCLOSURE,
)
@mutant("log(2 R^2 eps n^3 / gamma^2) for log(R eps / gamma)", logarithm=right_log)
def bias_outgrows_the_claim(
    rows: tuple[tuple[int, int], ...] = ((10, 5), (1000, 100), (10**4, 10**3)),
    logarithm: Callable[[int, LogRank], Any] = printed_log,
) -> Finding:
    """Eps = 10^-j, m = G = 230 j: error over R(D, eps) log G + gamma / eps exceeds 5, 100, 1000."""
    details = []
    for j, factor in rows:
        epsilon, m = Fraction(1, 10**j), 230 * j
        size, gamma, rank = clipped_ones(epsilon, m)
        t = (1 + 2 * NUMBERS.log(NUMBERS.rational(rank.argument))) / epsilon
        large = certainly_less(2 * (2 * t), size + 2 / epsilon)  # n >= 2 (1/eps + 2 beta)
        bias = (t / (2 * size) - Fraction(2, size)) / 2
        risk = Fraction(1, m - 1)  # diff(D, 1/eps) / 2 <= (1/eps) / (2 (n - 1/eps))
        ratio = bias / (risk * logarithm(m, rank) + gamma / epsilon)
        if large is not True or certainly_less(factor, ratio) is not True:
            return exactly(False, f"j = {j}: ratio {ratio!r}")
        details.append(f"factor {factor} at eps = 10^-{j}")
    return exactly(True, "; ".join(details))


def error_at_a_point(size: Fraction) -> Ball:
    """(alpha / 2) P(l, u in [alpha/2, alpha]) for n zeros: the release is at least alpha / 2 there."""
    n, gamma, epsilon = int(size), Fraction(1, 100), Fraction(1)
    alpha = gamma / n
    lower, _ = thresholds_in(n, gamma, epsilon, (alpha / 2, alpha))
    weight = nearest_rank(LogRank(epsilon, log_argument(1, epsilon, n, gamma), n, -1))
    upper = probability(threshold_cells({0: n}, -1, 1, alpha), weight, alpha / 2, alpha)
    return (lower * upper * (alpha / 2)).ball(192)


@refutes("X = 0 surely: the error is positive.", Method.ENCLOSURE)
@mutant("the term alpha added", extra=1)
@refuted(
    integers("n"),
    "The statistical error is bounded by that of the sample's mean and a multiple of the mean spread, without an additive term: for {n} records at one point {left} is at most {right}.",
    at={"n": 200},
)
def no_additive_term(n: Any, *, extra: int = 0) -> Condition:
    """For a point mass both terms of the bound are 0."""
    error = Quantity("the error, from below", r"R_{\mathrm{SME}}", error_at_a_point)
    bound = Quantity(
        "the bound",
        r"E|\mu(D) - \mu| + C\, E\,\mathrm{diff}(D, 1/\varepsilon)",
        lambda size: Fraction(0) + extra * Fraction(1, 100) / size,
    )
    return implies(n >= 2, error(n) <= bound(n))


CLAIMS = (
    Claim(
        id="SUB-E5",
        source="Erratum 5, Theorems 3.1 and 4.3",
        says=(
            "The bounds of Theorems 3.1 and 4.3 are stated for every data set, also where there "
            "are fewer records than the ranks of the thresholds."
        ),
        latex=(
            r"E|\hat\mu(D) - \mu(D)| = O(R(D, \varepsilon) \log(R\varepsilon/\gamma)"
            r" + \gamma/\varepsilon)\ \text{for every } D"
        ),
        domain="1/eps < n < t_l = 1/eps + beta; for Algorithm 4 n < r / 4",
        status=Status.REFUTED,
        checks=checks_of(few_records_err, error_of_the_mean, few_records_of_algorithm_4),
        why="A rank beyond the number of records leaves the thresholds in empty space, crossed.",
        right="Require n > 2 (1/eps + 2 beta + 1) in Theorem 3.1 and n > 4.5 r in Theorem 4.3.",
        corrected_by="SUB-T3.1s",
        steps=(
            ByHand(
                "All subsets of n zeros have mean 0, so R(D, eps) = 0 and the claim is O(gamma / eps)."
            ),
            ByHand(
                "With n < t_l the loss is constant to the right of -alpha, so l is nearly uniform on (0, R), u on (-R, 0), for every gamma that is small enough."
            ),
            ByHand(
                "On l > R/2, u < -R/2 the width is at least R, and the error of Algorithm 1 over w depends on n eps and rho = -m/w only (SUB-L3.3e); rho > 0 is the mirror image."
            ),
            ByHand("So the error is above R / 1250 for each gamma, while the claim goes to 0."),
        ),
        obligations=parts_of(few_records_err, error_of_the_mean, few_records_of_algorithm_4),
        note="For Algorithm 4 the risk is read over subsets that are not empty: it is 0 for equal records.",
    ),
    Claim(
        id="SUB-E9",
        source="Erratum 9, Theorem 3.1",
        says="The logarithm of Theorem 3.1 is log(R eps / gamma), free of n and of 1 / eps.",
        latex=(
            r"E|\hat\mu - \mu| \le C (R(D,\varepsilon) \log(R\varepsilon/\gamma) +"
            r" \gamma/\varepsilon)\ \text{with one constant } C"
        ),
        domain="n >= 2 (1/eps + 2 beta)",
        status=Status.REFUTED,
        checks=checks_of(argument_identity, ones_are_clipped_away, bias_outgrows_the_claim),
        why="beta contains log n and log(1/eps), which the theorem drops.",
        right="log(2 R^2 eps n^3 / gamma^2) in place of log(R eps / gamma).",
        corrected_by="SUB-T3.1s",
        steps=(
            ByHand(
                "R = 1, D = n - q zeros and q = floor(t / 2) ones. u above alpha has loss t - q >= t/2 against 0 near the zeros, so P(u > alpha) <= e^(-eps t/4) / (2 alpha) = e^(-1/4) / (2 sqrt(2 m)); the same for l, as n >= 2t."
            ),
            ByHand(
                "So with probability above 1/2 the release is at most alpha, and errs by q/n - alpha >= t/(2n) - 2/n."
            ),
            ByClaim("SUB-L3.2", "The risk is at most diff(D, 1/eps) / 2 <= 1/(m - 1)."),
            ByHand(
                "With m = G = 100 log(1/eps), nearly, the bias stays above a constant while the claim falls like log(m) / m."
            ),
        ),
        obligations=parts_of(argument_identity, ones_are_clipped_away, bias_outgrows_the_claim),
    ),
    Claim(
        id="SUB-E22",
        source="Erratum 22, Theorem 5.1 and Corollary 5.3",
        states=(no_additive_term,),
        domain="the distribution with all mass at 0, R = 1, eps = 1, gamma = 1/100",
        status=Status.REFUTED,
        checks=checks_of(no_additive_term),
        why="The thresholds have a density: they miss a point mass by about alpha.",
        right="Add alpha (1 + 6/(eps n)) + 4 R zeta, and require n > 2 (1/eps + 2 beta + 1).",
        corrected_by="SUB-T5.1",
        steps=(
            ByHand(
                "The release lies between the two thresholds; if both are in [alpha/2, alpha] it errs by alpha / 2 or more."
            ),
        ),
    ),
)
