"""The upper bounds of the introduction: (1.1), Theorem 1.2.2, and the gap for lam > 2."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.language import Condition, all_of, for_all, implies, reals, valid
from proofs_check.papers.tri.chapter2.bernoulli import bernoulli_floor
from proofs_check.papers.tri.chapter2.corollaries import corollary_bound
from proofs_check.papers.tri.chapter2.pure_steps import balanced_bound
from proofs_check.papers.tri.chapter3.clipped_mean import (
    clipped_mean_error,
    clipped_mean_error_sharp,
    sharp_margin,
)
from proofs_check.papers.tri.chapter3.combined_estimator import combined_error
from proofs_check.papers.tri.common import Box, inverse_root, printed_table
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import expand, identical, simplify, symbols

__all__ = ["CLAIMS", "limit_gap"]

ONE_PERCENT = Fraction(101, 100)
HALF = Fraction(1, 2)

GAPS = (
    ((2,), "5.65685424949", "4"),
    ((3,), "4", "2.82842712475"),
    ((4,), "3.56359487256", "2.51984209979"),
    ((10,), "3.05487026183", "2.16011947778"),
)
"""(lam,), the gap in the root mean square error and in the mean absolute deviation."""

Numbers = tuple[Any, ...]

TRADE: tuple[tuple[Numbers, tuple[str, str, str, str, str]], ...] = (
    ((1000, "0.1", "0.0125"), ("0.012897", "7.7995e-4", "0.099462", "0.58047", "2.2771")),
    ((1000, "0.1", "0.001"), ("0.012897", "0.0097494", "1.2479", "7.0853", "28.298")),
    ((1000, "0.1", "0.00001"), ("0.012897", "0.97494", "124.79", "707.12", "2828.4")),
    ((1000, 1, "0.001"), ("0.012897", "8.3097e-4", "0.10591", "0.70922", "2.83")),
    ((100000, "0.1", "0.003"), ("0.001291", "3.2498e-5", "0.0040105", "0.024108", "0.094523")),
    ((100000, "0.1", "0.0001"), ("0.001291", "9.7494e-4", "0.12479", "0.70726", "2.8286")),
)
"""(n, eps, beta): floor, lower bound, our own at b = 16 beta^2, upper bound sharp and printed.

Root mean square errors at lam = 2 for means in [0, 1], delta = 0; own is the larger of it and floor.
"""


def limit_gap(lam: Any, *, numbers: Any) -> Any:
    """Upper over lower bound on the MAD, eps -> 0, noise-dominated (our own): 2 * 2^(1/(lam-1))."""
    return 2 * inverse_root(Fraction(2), lam, numbers=numbers)


@proves(
    "The noise of Proposition 3.0.1 is at most 12.5/(n eps beta)^2 for beta <= 1/2; "
    "from there the error 1/4 of the constant 1/2 is at most beta^2.",
    Method.SMT,
)
@mutant("up to 0.505", largest=Fraction(505, 1000))
@for_all(reals("beta"), polynomial=True)
def noise_at_small_bias(beta: Any, *, largest: Fraction = HALF) -> Condition:
    """2 (1 + 2/beta)^2 <= 12.5/beta^2 for beta <= 1/2; from 1/2 on the constant 1/2 has 1/4."""
    small = implies(all_of(0 < beta, beta <= largest), 4 * (beta + 2) * (beta + 2) <= 25)
    return all_of(small, implies(beta >= HALF, 4 * beta * beta >= 1))


@refutes(
    "For large beta and small n eps the printed mechanism exceeds every multiple of the target.",
    Method.EXACT,
)
@mutant("the constant 1/2 as mechanism", constant=True)
def large_bias_refutes(constant: bool = False) -> Finding:
    """Beta = 100, n eps = 1e-3: noise 2.0808e6 against a target of 1.01e4; and beta = t in general.

    At n eps = t^-2 the noise is at least (2/3) t^2 times 1/n + beta^2 + 1/(n eps beta)^2, for
    every t >= 1. The constant 1/2 has an error of 1/4 instead.
    """

    def noise(beta: Any, product: Any) -> Any:
        one = product / product
        return one / 4 if constant else 2 * (1 + 2 / beta) ** 2 / product**2

    beta, product = Fraction(100), Fraction(1, 1000)
    target = beta**2 + 1 / (product * beta) ** 2
    at = noise(beta, product)

    def statement(t: Any) -> Any:
        # 1/n <= 1, so the target is at most 1 + 2 t^2
        return implies(t >= 1, 3 * 2 * (t + 2) * (t + 2) * t * t >= 2 * t * t * (1 + 2 * t * t))

    return every(
        (
            exactly(
                at == Fraction("2.0808e6") and target == Fraction("1.01e4"), f"{at} > {target}"
            ),
            valid(reals("t"), statement, polynomial=True),
        )
    )


@proves("Second branch: Proposition 3.0.3 at lam = 4.", Method.SYMBOLIC)
@mutant("6.06 for 6", six=Fraction(606, 100))
def combined_at_four(six: Fraction = Fraction(6)) -> Finding:
    """Proposition 3.0.3 at lam = 4, [0, 1]: 2/n + 4/(n eps)^2 + 6 psi^2/(n^(3/2) eps sqrt(d))."""
    n, eps, delta, psi = symbols("n eps delta psi", positive=True)
    found = combined_error(n, eps, delta, psi, Fraction(4), 0, 1, numbers=SYMBOLIC)
    root = n ** Fraction(3, 2) * eps * delta**HALF
    right = 2 / n + 4 / (n * eps) ** 2 + six * psi**2 / root
    domain: Box = dict.fromkeys((n, eps, delta, psi), (Fraction(1, 9), 2))
    return identical(found, right, domain)


@proves("Third branch: Proposition 3.0.2 gives at most 2/(n delta).", Method.SMT)
@mutant("1.98/(n delta)", two=Fraction(198, 100))
@for_all(reals("var mu delta"), polynomial=True)
def named_at_most_two(var: Any, mu: Any, delta: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """Var + (1 - delta) mu^2 <= 2 for Var, mu in [0, 1]."""
    unit = all_of(*(all_of(0 <= x, x <= 1) for x in (var, mu, delta)))
    return implies(unit, var + (1 - delta) * mu * mu <= two)


@proves("The noise is at most 18/(n eps)^2 times the power of beta.", Method.SMT)
@mutant("8.91 for 9", nine=Fraction(891, 100))
@for_all(reals("y"), polynomial=True)
def noise_at_more_moments(y: Any, *, nine: Fraction = Fraction(9)) -> Condition:
    """(1 + 2/y)^2 <= 9/y^2 for y = beta^(1/(lam-1)) <= 1."""
    return implies(all_of(0 < y, y <= 1), (y + 2) * (y + 2) <= nine)


@proves("Corollary 2.1.3 has the same power of beta.", Method.SYMBOLIC)
@mutant("15.84 for 16", sixteen=Fraction(1584, 100))
def lower_has_the_same_power(sixteen: Fraction = Fraction(16)) -> Finding:
    """Corollary 2.1.3 at delta = 0: alpha n sinh(eps) beta^(1/(lam-1)) is a constant of lam."""
    n, s, beta, more = symbols("n s beta more", positive=True)
    lam = 1 + more
    alpha = 1 / (32 * n * s * lam / more * (16 * beta) ** (1 / more))
    rest = n * s * beta ** (1 / more)
    constant = more / (32 * lam) / SYMBOLIC.power(sixteen, 1 / more)
    domain: Box = dict.fromkeys((n, s, beta, more), (Fraction(1, 9), 2))
    return identical(alpha * rest, constant, domain)


def _by_powers(e: Any) -> Any:
    return simplify(expand(e, mul=False))


@proves(
    "Our own: the sharp clip and SH-pure are a factor 2 * 2^(1/(lam-1)) apart; values.",
    Method.SYMBOLIC,
)
@mutant("1 % more", factor=ONE_PERCENT)
def gap_is_small(factor: Fraction = Fraction(1)) -> Finding:
    """Width 2 c of the sharp clip over eps n, against SH-closed: 2 * 2^(1/(lam-1)); values.

    In the limit eps -> 0, where e^eps - 1 is eps, the MAD of the noise is its scale.
    """
    more, beta = symbols("more beta", positive=True)
    lam = 1 + more
    upper = 2 * sharp_margin(beta, lam, numbers=SYMBOLIC)
    lower = (1 - 1 / lam) * (2 * lam * beta) ** (-1 / more)
    right = 2 * factor * inverse_root(Fraction(2), lam, numbers=SYMBOLIC)
    domain: Box = {more: (Fraction(6, 5), 5), beta: (Fraction(1, 99), Fraction(1, 9))}
    return every(
        (
            identical(upper / lower, right, domain, ways=(_by_powers,)),
            printed_table(
                lambda lam, *, numbers: factor * numbers.sqrt(2) * limit_gap(lam, numbers=numbers),
                ((r, x) for r, x, _ in GAPS),
            ),
            printed_table(
                lambda lam, *, numbers: factor * limit_gap(lam, numbers=numbers),
                ((r, x) for r, _, x in GAPS),
            ),
        )
    )


@encloses("Table of lower and upper bounds at lam = 2.", Method.ENCLOSURE)
@mutant("1.01 n", factor=ONE_PERCENT)
def trade_off(factor: Fraction = Fraction(1)) -> Finding:
    """Floor, lower and upper bounds of the table."""
    two, zero, one = Fraction(2), Fraction(0), Fraction(1)

    def own(n: Any, eps: Any, beta: Any, *, numbers: Any) -> Any:
        found = balanced_bound(n, eps, beta, two, 16 * beta * beta, numbers=numbers)
        return numbers.largest(found, numbers.sqrt(bernoulli_floor(n)))

    columns = (
        lambda n, eps, beta, *, numbers: numbers.sqrt(bernoulli_floor(n)),  # noqa: ARG005
        lambda n, eps, beta, *, numbers: corollary_bound(n, eps, zero, beta, two, numbers=numbers),
        own,
        lambda n, eps, beta, *, numbers: numbers.sqrt(
            clipped_mean_error_sharp(n, eps, beta, two, zero, one, numbers=numbers)
        ),
        lambda n, eps, beta, *, numbers: numbers.sqrt(
            clipped_mean_error(n, eps, beta, two, zero, one, numbers=numbers)
        ),
    )
    scaled = (
        lambda n, eps, beta, column=column, *, numbers: column(
            factor * n, eps, beta, numbers=numbers
        )
        for column in columns
    )
    return every(
        printed_table(column, ((row, values[k]) for row, values in TRADE))
        for k, column in enumerate(scaled)
    )


CLAIMS = (
    Claim(
        id="TRI-E1.1",
        source="inequality (1.1)",
        says=(
            "For every beta > 0 the noisy clipped mean has a mean square error of "
            "O(1/n + beta^2 + 1/(n eps beta)^2), for variance 1 and means in [0, 1]."
        ),
        latex=r"\mathrm{MSE}\le12.5\Big(\frac1n+\beta^2+\frac{1}{n^2\varepsilon^2\beta^2}\Big)",
        domain="beta <= 1/2 for the mechanism; every beta with the constant 1/2 from beta = 1/2 on",
        status=Status.CORRECTED,
        assumes=("TRI-P3.0.1",),
        errata=("TRI-ER-12",),
        checks=checks_of(noise_at_small_bias, large_bias_refutes),
        why="For beta > 1 the width b - a = 1 dominates the margin 1/beta in the noise.",
        right="beta = O(1), or the constant 1/2 for beta >= 1/2.",
        steps=(
            ByCheck("noise_at_small_bias"),
            ByClaim("TRI-P3.0.1", "The error of the mechanism."),
        ),
        obligations=parts_of(large_bias_refutes),
    ),
    Claim(
        id="TRI-T1.2.2",
        source="Theorem 1.2.2",
        says=(
            "For all eps, delta, beta > 0 and n some (eps, delta)-DP estimator has bias at most "
            "beta and a mean square error of the order of 1/n plus the least of three terms."
        ),
        latex=r"\mathrm{MSE}\le O\Big(\frac1n+\min\Big\{\frac{1}{n^2\varepsilon^2\beta^2}+\beta^2,"
        r"\ \frac{\psi^2}{n^{3/2}\varepsilon\delta^{1/2}}+\frac{1}{n^2\varepsilon^2},\ "
        r"\frac{1}{n\delta}\Big\}\Big)",
        domain="mean in [0, 1], variance at most 1, fourth central moment at most psi^4",
        status=Status.PROVED,
        assumes=("TRI-P3.0.1", "TRI-P3.0.2", "TRI-P3.0.3"),
        checks=checks_of(
            reworded(
                noise_at_small_bias,
                "First branch: the clipped mean for beta <= 1/2, else the constant 1/2.",
            ),
            combined_at_four,
            named_at_most_two,
        ),
        steps=(
            *by_checks(noise_at_small_bias, combined_at_four, named_at_most_two),
            *by_hand(
                "Use the estimator whose term is least: the constants are 12.5, 6 and 2.",
                "For delta >= 1 the sample mean is (eps, delta)-DP.",
            ),
        ),
    ),
    Claim(
        id="TRI-G1.2",
        source="Section 1.2 (more moments)",
        says=(
            "With lam > 2 moments the error is of order 1/n + beta^2 + "
            "1/(n^2 eps^2 beta^(2/(lam-1))), and the dependence on beta is tight."
        ),
        latex=r"\mathrm{MSE}\le18\Big(\frac1n+\beta^2+\frac{1}{n^2\varepsilon^2"
        r"\beta^{2/(\lambda-1)}}\Big)",
        domain="lam > 2, beta <= 1, mean in [0, 1]; tight for beta <= 1/80, eps = O(1), delta = 0",
        status=Status.PROVED,
        assumes=("TRI-P3.0.1", "TRI-P3.0.1-sharp", "TRI-C2.1.3", "TRI-SH-pure"),
        checks=checks_of(noise_at_more_moments, lower_has_the_same_power, gap_is_small, trade_off),
        steps=(
            *by_checks(noise_at_more_moments, lower_has_the_same_power, gap_is_small),
            ByClaim("TRI-P3.0.1", "The bound from above, with 1/n and beta^2 as in (1.3)."),
            ByClaim("TRI-C2.1.3", "The bound from below; sinh(eps) = O(eps) for eps = O(1)."),
        ),
    ),
)
