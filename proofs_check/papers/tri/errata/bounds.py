"""Errata of the lower bounds and of the clipped mean (Regehr, Chapters 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import certainly_less
from proofs_check.language import (
    CONSTANT,
    TERMS,
    Condition,
    Diverges,
    Domain,
    Quantity,
    all_of,
    decided,
    implies,
    real_symbols,
    reals,
    refuted,
    solve,
)
from proofs_check.papers.tri.chapter2.tails import larger_order_larger_level, tail_bound
from proofs_check.papers.tri.chapter2.trilemma import trilemma_bound
from proofs_check.papers.tri.common import clipping_constant
from proofs_check.printed_values import as_printed
from proofs_check.smt import valid
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS"]


@refutes(
    "At delta = 1e-6 tau falls from 0.01 to 1.1e-6, and the lower bound rises.", Method.ENCLOSURE
)
@mutant("delta^(1/kappa), which does rise", exponent=lambda kappa: 1 / kappa)
@mutant("exponent larger by 1 percent", exponent=lambda kappa: (1 - 1 / kappa) * Fraction(101, 100))
def smaller_tau(exponent: Callable[[Any], Any] = lambda kappa: 1 - 1 / kappa) -> Finding:
    """Tau = delta^(1 - 1/kappa) falls in kappa, and the bound of Theorem 2.1.1 rises as tau falls."""
    rows, taus, bounds = [], [], []
    table = (
        (Fraction(3, 2), ".01"),
        (Fraction(2), ".001"),
        (Fraction(4), "3.16228e-5"),
        (Fraction(100), "1.14815e-6"),
    )
    for kappa, printed in table:
        tau = ENCLOSED.power(Fraction(1, 10**6), exponent(kappa))
        taus.append(tau)
        rows.append((f"tau at kappa = {kappa}", printed, tau))
        bounds.append(
            trilemma_bound(
                1000, Fraction(1, 2), Fraction(1, 20), Fraction(2), tau, numbers=ENCLOSED
            )
        )
    falling = all(certainly_less(b, a) for a, b in pairwise(taus))
    rising = all(certainly_less(a, b) for a, b in pairwise(bounds))
    lemma = tail_bound(1, Fraction(1, 10**6), Fraction(4), numbers=ENCLOSED)
    return every(
        (
            exactly(falling and rising, "tau falls and the bound rises in kappa"),
            as_printed([*rows, ("Lemma 2.1.2 with alpha = 1", "3.16228e-5", lemma)]),
        )
    )


@refutes(
    "At beta = 100, n eps = 1e-3: 2.0808e6 against 1.01e4; unbounded for beta = s, n eps = 1/s^2.",
    Method.SMT,
)
@mutant("b - a = 0", width=0)
def large_beta(width: int = 1) -> Finding:
    """With n eps = 1/s^2, beta = s >= 1 and b - a = 1 the noise exceeds the target s^2/2-fold.

    Noise 2 (b - a + 2/beta)^2/(n eps)^2 against 1/n + beta^2 + 1/(n eps beta)^2 <= 1 + 2 s^2.
    """

    def statement(s: Any) -> Any:
        noise = 2 * (width * s + 2) * (width * s + 2) * s * s
        return implies(s >= 1, 2 * noise >= s * s * (1 + 2 * s * s))

    def values(beta: Fraction, scale: Fraction) -> list[tuple[str, str, Any]]:
        noise = 2 * (width + 2 / beta) ** 2 / scale**2
        target = beta**2 + 1 / (scale * beta) ** 2
        return [
            ("the noise", "2.0808e6", ENCLOSED.ball(noise)),
            ("the target", "1.01e4", ENCLOSED.ball(target)),
        ]

    return every(
        (
            valid(reals("s"), statement, polynomial=True),
            as_printed(values(Fraction(100), Fraction(1, 1000))),
        )
    )


@refutes("The constraint is met with equality at e^(-eps/2), not at e^(-eps).", Method.SYMBOLIC)
@mutant("e^(-eps/2), the right form", halves=1)
def rearranged(halves: int = 2) -> Finding:
    """sqrt(m) = C/(2 n eps L beta^2) >= 4 e^(eps/2) l bounds beta^2 L l by C e^(-eps/2)/(8 n eps).

    The print has e^(-eps), that is halves = 2: there the constraint is not met with equality.
    """
    n, eps, L, C, ell = symbols("n epsilon L C l", positive=True)
    beta_squared = C * exp(-eps * Fraction(halves, 2)) / (8 * n * eps * L * ell)
    found = identical(
        C / (2 * n * eps * L * beta_squared),
        4 * exp(eps / 2) * ell,
        {n: (1, 9), eps: (0, 3), L: (1, 3), C: (0, 1), ell: (1, 3)},
    )
    return Finding(holds=None if found.holds is None else not found.holds, detail=found.detail)


@refutes(
    "With bias 1 allowed M = 0 violates the conclusion at n = 1 and small eps.", Method.ENCLOSURE
)
@mutant("eps for eps^2, as in Theorem 2.2.1", power=1)
def bias_one(power: int = 2) -> Finding:
    """M = 0 has bias and error at most 1 at n = 1; the print asks 1/(eps^2 log(1/eps^2)) of it."""
    asked = []
    for exponent in (3, 6, 12):
        eps = Fraction(1, 10**exponent)
        bound = 1 / (eps**power * ENCLOSED.log(1 / eps**2))
        if certainly_less(10 ** (2 * exponent - 2), bound) is not True:
            return Finding(holds=False, detail=f"eps = 1e-{exponent}: {bound!r}")
        asked.append(f"{float(bound.value):.4g}")
    return exactly(True, "asked " + ", ".join(asked) + ", attained 1")


@refutes("A two-point law of mean 0 and variance 1 has bias -1/4 < 1/3 at c = 3/4.", Method.EXACT)
@mutant("-K/c, the right form", sign=-1)
def one_sided(sign: int = 1) -> Finding:
    """X - mu = t or -1/t, clipped at mu + c: the bias is below +K/c, which the print calls a bound."""
    c = Fraction(3, 4)
    t = c + Fraction(5, 4)  # c + sqrt(1 + c^2)
    p = 1 / (1 + t * t)
    law = {t: p, -1 / t: 1 - p}
    moments = [sum((q * x**k for x, q in law.items()), Fraction(0)) for k in (1, 2)]
    bias = sum((q * min(x, c) for x, q in law.items()), Fraction(0))
    lower = sign * Fraction(1, 4) / c
    two = -(ENCLOSED.sqrt(5) - 2) / 2
    return every(
        (
            exactly(moments == [0, 1] and bias < lower, f"c = 3/4: bias {bias}, 'bound' {lower}"),
            as_printed(
                (
                    ("the bias at c = 2", "-.118", two),
                    ("K/c at c = 2", ".125", clipping_constant(Fraction(2), numbers=ENCLOSED) / 2),
                )
            ),
        )
    )


@refutes(
    "For every constant C the print asks for more than C somewhere, where M = 0 errs by at most 1.",
    Method.SMT,
)
@mutant("eps growing with C", shift=1)
@decided(solve, polynomial=True)
def asked_of_the_zero_estimator(shift: int = 0) -> Diverges:
    """At n = 1 and eps = delta = 1 / (4 (C + 1)) the print asks for more than C."""
    n, eps, delta = real_symbols("n eps delta")
    at = 1 / (4 * (CONSTANT + 1))
    small = at * CONSTANT**shift
    return Diverges(
        Domain((n >= 1, eps > 0, delta > 0)),
        1 / (n * (eps + delta)),
        1,
        {"n": 1, "eps": small, "delta": small},
        "The mean squared error of every estimator is of the order of {left} or more, for means "
        "and variances at most one: so is that of the estimator that is zero, at most one.",
    )


@refutes(
    "For every constant C the noise exceeds C times the target at beta = C + 2, n eps = 1/beta^2.",
    Method.SMT,
)
@mutant("b - a = 0", width=0)
@decided(solve, polynomial=True)
def error_for_large_beta(width: int = 1) -> Diverges:
    """At beta = s, n eps = 1/s^2, s = C + 2, the noise is above C times the target."""
    n, eps, beta = real_symbols("n eps beta")
    s = CONSTANT + 2
    noise = 2 * (width + 2 / beta) ** 2 / ((n * eps) * (n * eps))
    target = 1 / n + beta**2 + 1 / ((n * eps * beta) * (n * eps * beta))
    return Diverges(
        Domain((n >= 1, eps > 0, beta > 0)),
        noise,
        target,
        {"n": 1, "eps": 1 / (s * s), "beta": s},
        "The noisy clipped mean has an error of the order of {right} at most, for every bias; so "
        "its noise {left} has.",
    )


def clipped_bias(c: Fraction) -> Fraction:
    """Bias at mu + c of the law X - mu = t or -1/t of mean 0 and variance 1, at c = 3/4."""
    t = c + Fraction(5, 4)  # c + sqrt(1 + c^2)
    p = 1 / (1 + t * t)
    return p * min(t, c) + (1 - p) * min(-1 / t, c)


@refutes("A two-point law of mean 0 and variance 1 has bias -1/4 < 1/3 at c = 3/4.", Method.EXACT)
@mutant("-K/c, the right form", sign=-1)
@refuted(
    reals("c"),
    "The bias of clipping lies between {least} and the same: no minus sign on the left.",
    at={"c": Fraction(3, 4)},
    terms=lambda v: {"least": Fraction(1, 4) / v["c"]},
)
def bias_between(c: Any, *, sign: int = 1) -> Condition:
    """As printed, at lam = 2, where K = 1/4."""
    bias = Quantity("the bias", r"\mu_{[a,b]} - \mu", clipped_bias)
    bound = Fraction(1, 4) / c
    return implies(c > 0, all_of(sign * bound <= bias(c), bias(c) <= bound))


@refutes("At eps = 1: e^(-eps) against e^(-eps/2).", Method.ENCLOSURE)
@mutant("outside of the domain", l=-1)
@refuted(
    reals("eps l"),
    "The theorem asks that the squared bias is of the order of the reciprocal of the number of records and the budget, or more, where its proof meets the constraint on the number of blocks with equality: {left} is {right};",
    at={"eps": 1, "l": 1},
)
def constraint_with_equality(eps: Any, level: Any, *, halves: int = 2) -> Condition:
    """sqrt(m) = C/(2 n eps L beta^2) at beta^2 = C e^(-eps)/(8 n eps L l), against 4 e^(eps/2) l."""
    met = 4 * TERMS.exp(Fraction(halves, 2) * eps) * level
    return implies(all_of(eps > 0, level > 0), met == 4 * TERMS.exp(eps / 2) * level)


@refutes("At eps = 1/1000 the conclusion asks for more than 1.", Method.ENCLOSURE)
@mutant("outside of the domain", eps=2)
@refuted(
    reals("eps"),
    "and with bias one allowed the conclusion, {left} at most {right}, holds of the estimator that is zero.",
    at={"eps": Fraction(1, 1000)},
)
def conclusion_with_bias_one(eps: Any, *, power: int = 2) -> Condition:
    """1 / (eps^2 log(1 / eps^2)) <= 1 at n = 1, where M = 0 has error 1 at most."""
    asked = 1 / (eps * eps * TERMS.log(1 / (eps * eps)))
    return implies(all_of(eps > 0, eps < 1), (asked if power == 2 else asked * eps) <= 1)


CLAIMS = (
    Claim(
        id="TRI-ER-02",
        source="Theorem 2.2.1",
        states=(asked_of_the_zero_estimator,),
        status=Status.REFUTED,
        domain="mean in [-1, 1], variance at most 1; M = 0 is private for every eps and delta",
        checks=checks_of(asked_of_the_zero_estimator),
        why="A constant estimator is (0, 0)-private with an error of at most 1.",
        right="Omega(min{1, 1/(n (eps + delta))}); in A.5 this asks for beta = O(1).",
        corrected_by="TRI-T2.2.1",
    ),
    Claim(
        id="TRI-ER-03",
        source="Section 2.1, after Lemma 2.1.2",
        states=(larger_order_larger_level,),
        status=Status.REFUTED,
        domain="the level is tau of Lemma 2.1.2, larger a larger order",
        checks=checks_of(larger_order_larger_level, smaller_tau),
        why="delta < 1 is raised to a larger power.",
        right="Smaller: tau falls in kappa, and a smaller tau strengthens the bound.",
        corrected_by="TRI-L2.1.2",
        obligations=parts_of(smaller_tau),
    ),
    Claim(
        id="TRI-ER-12",
        source="Section 1.1, equation (1.1)",
        states=(error_for_large_beta,),
        status=Status.REFUTED,
        domain="lam = 2, [a, b] = [0, 1], beta the bound on the bias",
        checks=checks_of(error_for_large_beta, large_beta),
        why="The term (b - a)^2/(n eps)^2 is not covered when beta > 1 and n eps is small.",
        right="Assume beta = O(1), or return 1/2 when beta >= 1/2.",
        corrected_by="TRI-E1.1",
        obligations=parts_of(large_beta),
    ),
    Claim(
        id="TRI-ER-13",
        source="Theorem 2.2.3 and its proof",
        states=(
            constraint_with_equality,
            conclusion_with_bias_one,
        ),
        status=Status.REFUTED,
        domain="l a logarithm; mean in [-1, 1], variance at most 1, n = 1",
        checks=checks_of(conclusion_with_bias_one, constraint_with_equality, rearranged, bias_one),
        why=(
            "An upper bound on beta^2 is O~, not Omega~; the exponent of e is lost; eps = O(1), "
            "m >= 1 and a small constant bound on beta are needed."
        ),
        right="beta^2 <= O~(1/(n eps)), eps = O(1), beta = O(1); the constraint has e^(-eps/2).",
        obligations=parts_of(rearranged, bias_one),
    ),
    Claim(
        id="TRI-ER-14",
        source="Lemma B.1.2 (last display)",
        states=(bias_between,),
        status=Status.REFUTED,
        domain="lam = 2; c the distance of the upper end from the mean, nothing is clipped below",
        checks=checks_of(bias_between, one_sided),
        why="Clipping the upper tail lowers the mean.",
        right="The left side is -K(lam)/c^(lam-1).",
        corrected_by="TRI-LB.1.2",
        obligations=parts_of(one_sided),
    ),
)
