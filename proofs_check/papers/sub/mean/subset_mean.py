"""Subset-optimal mean (Algorithm 3): its parameters and its privacy (Theorem 3.1).

Sound with a public size N in place of n (A3-A), or with one noisy size for all parts (A3-B).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.language import Domain, Private, Sentence, absolute, decided, real_symbols, solve
from proofs_check.papers.sub.common import PERCENT
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "subset_mean_parameters"]

ROWS = (
    ("1000", "1", "1", "0.01", "0.00001", "1e-8", "61.2535067789651", "62.2535067789651"),
    ("1000", "1000", "1", "1", "0.001", "1e-9", "70.4638471509413", "71.4638471509413"),
    ("100000", "1000", "0.1", "1", "0.00001", "1e-12", "934.896980808817", "944.896980808817"),
    ("10000", "50", "0.5", "0.1", "0.00001", "4e-11", "160.240949251092", "162.240949251092"),
)
"""n, R, eps, gamma; alpha, zeta, beta, t."""
LEAST_SIZES = (
    (1, "1", "0.01", 97),
    (1000, "1", "1", 118),
    (1000, "0.1", "1", 1376),
    (50, "0.5", "0.1", 235),
)
"""R, eps, gamma, least n with t <= n / 2."""


def subset_mean_parameters(n: Any, radius: Any, epsilon: Any, gamma: Any, *, numbers: Any) -> Any:
    """(alpha, zeta, beta, t) of Algorithm 3, with N for n in its sound version."""
    alpha = gamma / n
    zeta = alpha / (radius * n * epsilon)
    beta = 2 / epsilon * numbers.log(2 * radius / (alpha * zeta))
    return alpha, zeta, beta, 1 / epsilon + beta


@proves("Parameters of four settings.", Method.ENCLOSURE)
@mutant("2.02 / eps", constant=2 * PERCENT)
def parameters_as_printed(constant: Fraction = Fraction(2)) -> Finding:
    """Alpha and zeta exactly, beta and t to fifteen digits, for four settings."""
    numbers = Balls(128)
    rows = []
    for n, radius, epsilon, gamma, alpha, zeta, beta, t in ROWS:
        values = [numbers.rational(Fraction(x)) for x in (n, radius, epsilon, gamma)]
        found = subset_mean_parameters(*values, numbers=numbers)
        scaled = found[2] * constant / 2
        rows += [
            (f"alpha at n = {n}", alpha, found[0]),
            (f"zeta at n = {n}", zeta, found[1]),
            (f"beta at n = {n}", beta, scaled),
            (f"t at n = {n}", t, 1 / values[2] + scaled),
        ]
    return as_printed(rows)


@proves("Least sizes for which the rank is at most n / 2.", Method.ENCLOSURE)
@mutant("0.495 n", half=Fraction(99, 200))
def least_sizes(half: Fraction = Fraction(1, 2)) -> Finding:
    """Least n with t <= n / 2: it fails at 1 and just below, and n / 2 - t is convex in n."""
    numbers = Balls(96)
    for radius, epsilon, gamma, least in LEAST_SIZES:
        for n, wanted in ((1, False), (least - 1, False), (least, True)):
            values = [numbers.rational(Fraction(x)) for x in (n, radius, epsilon, gamma)]
            t = subset_mean_parameters(*values, numbers=numbers)[3]
            if certainly_less(t, half * n) is not wanted:
                return exactly(False, f"n = {n} for R = {radius}, eps = {epsilon}, gamma = {gamma}")
    return exactly(True, "least sizes 97, 118, 1376, 235")


@proves("The budgets of both sound versions.", Method.EXACT)
@mutant("1.01 eps for the mean", mean_share=PERCENT)
@mutant("0.505 eps for the size", size_share=PERCENT / 2)
def budgets_add_up(
    mean_share: Fraction = Fraction(1), size_share: Fraction = Fraction(1, 2)
) -> Finding:
    """Public size: thresholds eps + eps, mean eps. Noisy size: eps / 2, eps + eps, sum eps / 2."""
    public, noisy = 1 + 1 + mean_share, size_share + 1 + 1 + Fraction(1, 2)
    return exactly(public == 3 and noisy == 3, f"{public} eps and {noisy} eps")


@proves("Noisy size and centered sum cost eps / 2 each.", Method.SMT)
@mutant("|v| <= 0.505 w", width=PERCENT / 2)
@decided(solve, polynomial=True)
def noisy_parts_are_private(width: Fraction = Fraction(1, 2)) -> Private:
    """Size with Lap(2 / eps) and centered sum with Lap(w / eps) cost eps / 2 each."""
    a, b, eps, v, w = real_symbols("a b eps v w")
    size = absolute(absolute(a - 1) - absolute(a)) / 2
    total = absolute(absolute(b - v) - absolute(b)) / w
    domain = Domain((eps > 0, w > 0, absolute(v) <= width * w), free=(a, b))
    what = "The noisy size with the noisy centered sum"
    return Private(what, "add-remove", domain, eps * (size + total), eps)


@refutes("As printed, 97 and 98 zeros are told apart at more than 3 eps.", Method.ENCLOSURE)
@mutant("parameters from a public N = 98", size_of=lambda _: 98)
def private_size_breaks_it(size_of: Callable[[int], int] = lambda n: n) -> Finding:
    """R = 1, eps = 1, gamma = 0.01: 97 and 98 zeros, event mu > gamma / 98, parameters as printed.

    P >= P(both thresholds in (gamma/98, gamma/97]) and P' <= P'(l > gamma/98) + P'(u > gamma/98).
    """
    numbers, gamma = Balls(128), Fraction(1, 100)
    one = numbers.rational(Fraction(1))

    def mass(n: int, from_above: bool, low: Fraction, high: Fraction) -> Ball:
        """Probability of a threshold in (low, high], 0 < low, for n zeros."""
        alpha = gamma / size_of(n)
        t = subset_mean_parameters(size_of(n) * one, one, one, one * gamma, numbers=numbers)[3]
        rank = n - t if from_above else t
        rest = rank - int(endpoints(rank)[0])  # distance to the whole number below
        nearest = rest if certainly_less(rest, Fraction(1, 2)) else 1 - rest
        inside, left, right = (numbers.exp(-abs(loss) / 2) for loss in (nearest, rank, n - rank))
        total = inside * (2 * alpha) + (left + right) * (1 - alpha)
        within = max(min(alpha, high) - low, Fraction(0))
        return (inside * within + right * (high - low - within)) / total

    low, high = gamma / 98, gamma / 97
    first = mass(97, False, low, high) * mass(97, True, low, high)
    second = mass(98, False, low, Fraction(1)) + mass(98, True, low, Fraction(1))
    ratio = numbers.log(first / second)
    broken = certainly_less(3, ratio)
    return Finding(
        broken, f"P >= {first!r}, P' <= {second!r}, log-ratio >= {ratio!r} against 3 eps = 3"
    )


@proves("The logarithm, in n.", Method.SYMBOLIC)
@mutant("N^2 for N^3", power=2)
def log_of_the_parameters(power: int = 3) -> Finding:
    """2 R / (alpha zeta) = 2 R^2 eps N^3 / gamma^2."""
    n, radius, e, gamma = symbols("N R epsilon gamma", positive=True)
    alpha, zeta, *_ = subset_mean_parameters(n, radius, e, gamma, numbers=SYMBOLIC)
    right = 2 * radius**2 * e * n**power / gamma**2
    return identical(
        2 * radius / (alpha * zeta), right, {n: (2, 9), radius: (1, 9), e: (0, 1), gamma: (0, 1)}
    )


CLAIMS = (
    Claim(
        id="SUB-A3",
        source="Algorithm 3",
        says="Two private thresholds at rank 1/eps + beta from either end, then the bounded mean of the data clipped to them.",
        latex=r"\alpha = \frac{\gamma}{N},\ \zeta = \frac{\alpha}{R N \varepsilon},\ \beta = \frac{2}{\varepsilon} \log \frac{2R}{\alpha \zeta},\ t = \frac{1}{\varepsilon} + \beta",
        domain="data in [-R, R]; printed with the private n for N; sound with a public N or one noisy size; crossed thresholds are swapped",
        status=Status.DEFINITION,
        checks=checks_of(parameters_as_printed, least_sizes, log_of_the_parameters),
    ),
    Claim(
        id="SUB-T3.1p",
        source="Theorem 3.1, privacy",
        states=(
            noisy_parts_are_private,
            Sentence(
                "Algorithm 3 is 3 eps-differentially private: false as printed, true with a public or a noisy size.",
                r"\varepsilon + \varepsilon + \varepsilon = 3 \varepsilon,\quad \tfrac{\varepsilon}{2} + \varepsilon + \varepsilon + \tfrac{\varepsilon}{2} = 3 \varepsilon",
            ),
        ),
        domain="v is a record less the midpoint, a and b are the noise; any data; parameters from a public N (A3-A), or from n + Lap(2 / eps), drawn once (A3-B)",
        status=Status.CORRECTED,
        checks=checks_of(budgets_add_up, noisy_parts_are_private, private_size_breaks_it),
        why="alpha, zeta, beta and the ranks are computed from the private n; a neighbor uses a different window, whose edge tells them apart.",
        right="The same with a public N in place of n, or with one noisy size for all parameters and the final quotient.",
        assumes=("SUB-T3.7p", "SUB-L3.3p"),
        errata=("SUB-E1",),
        steps=(
            ByCheck("budgets_add_up"),
            ByCheck("noisy_parts_are_private"),
            ByHand(
                "With fixed or already released parameters each threshold is eps-DP (T3.7p) and the bounded mean is eps-DP (L3.3p); adaptive composition adds the budgets, swapping and clipping are computed from outputs."
            ),
        ),
        obligations=parts_of(private_size_breaks_it),
    ),
)
