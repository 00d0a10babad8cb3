"""How close DPUCOARSE comes to the mean (Regehr, Proposition 4.1.3)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.cover import positive
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter4.symmetry import nearest
from proofs_check.papers.tri.common import printed_table
from proofs_check.smt import absolute, all_of, any_of, exact, implies, real, reals, valid
from proofs_check.steps import ByCheck
from proofs_check.symbolic import Rational, diff, identical, symbols

__all__ = ["CLAIMS", "failure_bound"]

Formula = Callable[..., Any]


def failure_bound(n: Any, eps: Any, *, numbers: Any) -> Any:
    """exp(-n / 128) + (n / 2) exp(-n eps / 16), Proposition 4.1.3."""
    return numbers.exp(-n / Fraction(128)) + n / 2 * numbers.exp(-n * eps / 16)


@proves("Chebyshev: a record is 1/2 or more off with probability at most 1/16.", Method.SMT)
@mutant("3.96 for 4", factor=Fraction(99, 25))
@mutant("4 |t|^3", power=3)
def chebyshev(power: int = 2, factor: Fraction = Fraction(4)) -> Finding:
    """1{|t| >= 1/2} <= 4 t^2, so that P[|X - mu| >= 1/2] <= 4 Var <= 1/16."""
    return every(
        (
            valid(
                reals("t"),
                lambda t: all_of(
                    exact(factor) * t**power >= 0,
                    implies(absolute(t) >= exact(Fraction(1, 2)), exact(factor) * t**power >= 1),
                ),
            ),
            exactly(factor * Fraction(1, 64) == Fraction(1, 16), "4 / 64 = 1 / 16"),
        )
    )


@confirms("A three-point law of variance 1/64 attains it.", Method.EXACT)
@mutant("outer points at 0.505", outer=Fraction(101, 200))
def chebyshev_is_tight(outer: Fraction = Fraction(1, 2)) -> Finding:
    """0 with 15/16 and plus or minus 1/2 with 1/32 each: variance 1/64, equality in Chebyshev."""
    law = {Fraction(0): Fraction(15, 16), outer: Fraction(1, 32), -outer: Fraction(1, 32)}
    variance = sum((p * x * x for x, p in law.items()), Fraction(0))
    outside = sum((p for x, p in law.items() if abs(x) >= Fraction(1, 2)), Fraction(0))
    return exactly(
        variance == Fraction(1, 64) and outside == 4 * variance, f"variance {variance}, {outside}"
    )


@proves(
    "Records within 1/2 of the mean lie in two bins at most, and each of these bins "
    "releases a value within 1 of the mean.",
    Method.SMT,
)
@mutant("records within 0.505", width=Fraction(101, 100))
@for_all(reals("x y z T mu"))
def two_bins(
    x: Any, y: Any, z: Any, T: Any, mu: Any, *, width: Fraction = Fraction(1)
) -> Condition:
    """Records within 1/2 of the mean meet two bins at most; any such bin releases within 1."""
    half = width / 2
    given = all_of(*(absolute(t - mu) < half for t in (x, y, z)), x < y, y < z)
    k, m, q = (nearest(t - T) for t in (x, y, z))
    return implies(given, all_of(any_of(k == m, m == q), absolute(T + k - mu) <= 1))


@proves("At most n/8 records lie outside, except with probability exp(-n/128).", Method.COVER)
@mutant("at most n/16 records outside", threshold_=Fraction(1, 16))
def few_outside(threshold_: Fraction = Fraction(1, 8), most: Fraction = Fraction(1, 16)) -> Finding:
    """Markov's inequality for e^(N/4), N ~ Bin(n, p), p <= 1/16: P[N > n/8] <= exp(-n/128).

    Per record: -1/32 + log(1 - p + p e^(1/4)) < -1/128 on 0 <= p <= 1/16.
    """
    numbers = Balls(96)
    growth = numbers.exp(numbers.rational(Fraction(1, 4))) - 1
    return positive(
        lambda p: threshold_ / 4 - Fraction(1, 128) - numbers.log(1 + p * growth),
        {"p": (0, most)},
        numbers=numbers,
    )


@proves(
    "Then, with noise below n/8, one of the two bins wins and passes the threshold.", Method.SMT
)
@mutant("noise up to n/6", noise=Fraction(1, 6))
@mutant("n/4 records outside", outside=Fraction(1, 4))
@for_all(reals("n L epsilon inside best own other"), polynomial=True)
def ranking(
    n: Any,
    L: Any,
    eps: Any,
    inside: Any,
    best: Any,
    own: Any,
    other: Any,
    *,
    outside: Fraction = Fraction(1, 8),
    noise: Fraction = Fraction(1, 8),
) -> Condition:
    """With at most n/8 records outside and noise below n/8 one of the two bins wins and passes.

    L = log(1 / delta); of 7 n / 8 records in two bins one holds at least 7 n / 16. The bin's noise
    is above -n/8 and that of every other bin than the two below n/8.
    """
    given = all_of(
        eps > 0,
        L >= 0,
        n * eps >= 7 * eps + 7 * L,
        inside >= (1 - outside) * n,
        2 * best >= inside,
        own > -noise * n,
        other < outside * n + noise * n,
    )
    return implies(given, all_of((best + own) * eps > 2 * eps + 2 * L, best + own > other))


@proves(
    "The noise of at most n bins exceeds n/8 with (n/2) exp(-n eps/16) in total.", Method.SYMBOLIC
)
@mutant("noise up to 1.01 n/8", part=Fraction(101, 800))
def noise_terms(part: Fraction = Fraction(1, 8)) -> Finding:
    """The noise exceeds n/8 with exp(-n eps / 16) / 2, and 1 + n/8 <= n bins count (n >= 7)."""
    n, eps = symbols("n epsilon", positive=True)
    tail = SYMBOLIC.exp(-(part * n) / (2 / eps)) / 2
    box: dict[Any, tuple[int, int]] = {n: (7, 99), eps: (0, 3)}
    return every(
        (
            identical(
                n * tail, failure_bound(n, eps, numbers=SYMBOLIC) - SYMBOLIC.exp(-n / 128), box
            ),
            valid(reals("n"), lambda n: implies(n >= 7, 1 + exact(part) * n <= n)),
        )
    )


@proves("(a + b)^lam <= 2^(lam-1) (a^lam + b^lam), by Bernoulli's inequality.", Method.SYMBOLIC)
@mutant("1.01 lam for lam", slope=Fraction(101, 100))
def bernoulli(slope: Fraction = Fraction(1)) -> Finding:
    """t^lam >= 1 + lam (t - 1): zero at t = 1, with a derivative of the sign of t - 1.

    Added up at t = 2a/(a + b) and 2b/(a + b) it is (a + b)^lam <= 2^(lam - 1) (a^lam + b^lam).
    """
    t, lam, a, b = symbols("t lambda a b", positive=True)
    gap = t**lam - 1 - slope * lam * (t - 1)
    box: dict[Any, tuple[int, int]] = {t: (0, 5), lam: (1, 9)}
    sides: dict[Any, tuple[int, int]] = {a: (0, 5), b: (0, 5), lam: (1, 9)}
    total = sum((gap.subs(t, 2 * x / (a + b)) for x in (a, b)), 0)
    return every(
        (
            identical(gap.subs(t, 1), 0, {lam: (1, 9)}),
            identical(diff(gap, t), lam * (t ** (lam - 1) - 1), box),
            identical(
                total * (a + b) ** lam / 2,
                2 ** (lam - 1) * (a**lam + b**lam) - (a + b) ** lam,
                sides,
                ways=(lambda e: e.expand(power_base=True),),
            ),
        )
    )


@proves(
    "The record that names the bin is within 1/2, which gives the constant 1/2.", Method.SYMBOLIC
)
@mutant("0.495 for 1/2", half=Fraction(99, 200))
def moment_constant(half: Fraction = Fraction(1, 2)) -> Finding:
    """2^(lam - 1) (1/2)^lam = 1/2, and |T + k - x_i| <= 1/2 for the record that names the bin."""
    lam = symbols("lambda", positive=True)

    def statement(x: Any, T: Any) -> Any:
        return absolute(T + real(nearest(x - T)) - x) <= exact(half)

    return every(
        (
            identical(2 ** (lam - 1) / (1 / Rational(half)) ** lam, Fraction(1, 2), {lam: (2, 9)}),
            valid(reals("x T"), statement),
        )
    )


FAILURES = (
    ((1000, ".5"), "4.04645182731284e-4"),
    ((500, "1"), ".0201157940334434"),
    ((5000, ".1"), "6.70251075430977e-11"),
    ((2000, ".2"), "1.77625656924045e-7"),
)
"""(n, eps) and the failure bound."""


@encloses("The failure bound at four points.", Method.ENCLOSURE)
@mutant("1.01 n for n", rate=Fraction(101, 100))
def failure_values(rate: Fraction = Fraction(1)) -> Finding:
    """Evaluate the failure bound."""
    return printed_table(
        lambda n, eps, *, numbers: failure_bound(rate * n, eps, numbers=numbers), FAILURES
    )


CLAIMS = (
    Claim(
        id="TRI-P4.1.3",
        source="Proposition 4.1.3",
        says=(
            "With enough records of small variance the coarse estimate exists and is within one "
            "of the mean, except with an exponentially small probability; and its central moment "
            "of order lam is bounded."
        ),
        latex=(
            r"\Pr[\tilde\mu \ne \bot, |\tilde\mu - \mu| \le 1] \ge 1 - e^{-n/128} - "
            r"\tfrac{n}{2} e^{-n\varepsilon/16}, \quad \mathbb{E}[1_{\tilde\mu \ne \bot} "
            r"|\tilde\mu - \mu|^{\lambda}] \le \tfrac12 + n 2^{\lambda-1} \psi^{\lambda}"
        ),
        status=Status.PROVED,
        domain="Var <= 1/64, E|X - mu|^lam <= psi^lam, lam >= 2, n >= 7 + (7/eps) log(1/delta) (the moment bound: any n)",
        checks=checks_of(
            chebyshev,
            chebyshev_is_tight,
            two_bins,
            few_outside,
            ranking,
            noise_terms,
            bernoulli,
            moment_constant,
            failure_values,
        ),
        steps=(
            *by_checks(chebyshev, two_bins, few_outside, noise_terms, bernoulli, moment_constant),
            *by_hand(
                "Given T, let k- and k+ be the bins that meet (mu - 1/2, mu + 1/2).",
                "The number of records outside these is stochastically below Bin(n, 1/16), and Markov's inequality for e^(N/4) gives exp(-n/128) (the print uses Hoeffding's inequality, for the same).",
            ),
            ByCheck(
                "ranking",
                "Then the fuller of the two bins, with noise above -n/8, is above theta and above every bin other than the two if their noise is below n/8: 1 + (n/8) <= n noise variables.",
            ),
            *by_hand(
                "So a bin within 1 of the mean is released.",
                "For the moment: a released value is within 1/2 of some record i, so |mu~ - mu|^lam <= max_i (1/2 + |x_i - mu|)^lam <= 1/2 + 2^(lam-1) sum_i |x_i - mu|^lam.",
            ),
        ),
        note="The factor n/2 could be (1 + n/8)/2.",
    ),
)
