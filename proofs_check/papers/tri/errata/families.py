"""Errata of Chapter 5 and Appendix D: exponential families (Regehr, errata 9, 10, 11 and 19)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import (
    checks_of,
    confirms,
    encloses,
    mutant,
    parts_of,
    proves,
    refutes,
    reworded,
)
from proofs_check.claim import (
    Check,
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import certainly_less
from proofs_check.language import TERMS, Condition, all_of, implies, reals, refuted
from proofs_check.papers.tri.chapter5.analytic import (
    exponential_family_has_a_pole,
    two_discs,
    uniform_family_has_zeros,
)
from proofs_check.papers.tri.chapter5.families import exponential_family, locally_unbiased_family
from proofs_check.papers.tri.chapter5.family_examples import bernoulli_with_p, mean_is_the_parameter
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import exp, identical, integrate, log, oo, symbols

__all__ = ["CLAIMS", "mean_absolute_normal"]


def mean_absolute_normal(a: Any, *, numbers: Any) -> Any:
    """E|a + Z| = sqrt(2/pi) exp(-a^2/2) + a (1 - erfc(a / sqrt 2)), of a standard normal Z."""
    inside = 1 - numbers.erfc(a / numbers.sqrt(2))
    return numbers.sqrt(2 / numbers.pi()) * numbers.exp(-a * a / 2) + a * inside


@confirms("At eta = -.9, .3, .77 exactly.", Method.EXACT)
@mutant("1.01 + eta for 1 + eta", offset=Fraction(1, 100))
def signs_have_mean_eta(offset: Fraction = Fraction(0)) -> Finding:
    """At eta = -.9, .3, .77: P[X > 0] - P[X < 0] over their sum is eta, exactly."""
    for eta in (Fraction(-9, 10), Fraction(3, 10), Fraction(77, 100)):
        right, left = 1 / (1 - eta), 1 / (1 + eta + offset)
        if (right - left) / (right + left) != eta:
            return exactly(False, f"eta = {eta}")
    return exactly(True, "eta = -.9, .3, .77, exactly")


@refutes(
    "The step fails: all Renyi divergences finite, E_Q|A| finite, E_P|A| not.", Method.SYMBOLIC
)
@mutant("weight u^(-3) for u^(-2)", power=3)
def first_moments_do_not_transfer(power: int = 2) -> Finding:
    """A pair of laws, all Renyi divergences finite, one mean finite and the other not.

    On u = log t >= 1 let Q have the weight e^(-u) u^(-2) and P the weight e^(-u). Then E_Q t is
    the integral of u^(-2), E_P t that of 1, and E_Q (dP/dQ)^a that of u^(2a - 2) e^(-u).
    """
    u, end = symbols("u U", positive=True)
    finite = identical(integrate(u**-power, (u, 1, oo)), 1, {})
    infinite = identical(integrate(exp(u) * exp(-u), (u, 1, end)), end - 1, {end: (2, 9)})
    divergences = [
        identical(integrate(u**k * exp(-u), (u, 0, oo)), value, {})
        for k, value in ((0, 1), (2, 2), (4, 24), (6, 720))
    ]
    return every((finite, infinite, *divergences))


@encloses("With a second moment it holds: three normal pairs.", Method.ENCLOSURE)
@mutant("exp(a^3/2)", power=3)
def second_moment_suffices(power: int = 2) -> Finding:
    """E|A(x)| <= exp(rho n^2) sqrt(E A(x*)^2), for N(a, 1) and N(0, 1): rho n^2 = a^2/2."""
    rows = []
    table = (
        (Fraction(1, 2), ".8956", "1.1331"),
        (Fraction(1), "1.1666", "1.6487"),
        (Fraction(3), "3.0008", "90.0"),
    )
    for a, mean_text, bound_text in table:
        mean, bound = mean_absolute_normal(a, numbers=ENCLOSED), ENCLOSED.exp(a**power / 2)
        if certainly_less(mean, bound) is not True:
            return exactly(False, f"a = {a}: {mean!r} above {bound!r}")
        rows += [(f"E|N({a}, 1)|", mean_text, mean), (f"the bound at {a}", bound_text, bound)]
    return as_printed(rows)


@proves(
    "The second moment of the likelihood ratio of two normal laws is exp(a^2).", Method.SYMBOLIC
)
@mutant("exp(a) for exp(a^2)", power=1)
def cauchy_schwarz(power: int = 2) -> Finding:
    """The second moment of the likelihood ratio of N(a, 1) to N(0, 1) is exp(a^2)."""
    x = symbols("x", real=True)
    a = symbols("a", positive=True)
    weight = exp(2 * (a * x - a**2 / 2) - x**2 / 2)
    root = integrate(exp(-(x**2) / 2), (x, -oo, oo))
    return identical(integrate(weight, (x, -oo, oo)) / root, exp(a**power), {a: (0, 3)})


@refutes("At p = 1/2 the mean is 0.622.", Method.ENCLOSURE)
@mutant("p outside of (0, 1)", p=2)
@refuted(
    reals("p"),
    "Bernoulli laws are an exponential family with their chance {p} as natural parameter, so that {left} is the mean {right}.",
    at={"p": Fraction(1, 2)},
)
def mean_at_the_parameter(p: Any, *, parameter: Any = lambda p: p) -> Condition:
    """The mean of the law on {0, 1} with weights 1 and e^eta is e^eta / (1 + e^eta)."""
    growth = TERMS.exp(parameter(p))
    return implies(all_of(p > 0, p < 1), growth / (1 + growth) == p)


@refutes("At lam = 1/20 they are 20 and -1/20.", Method.EXACT)
@mutant("lam outside of (0, 1/10)", lam=1)
@refuted(
    reals("lam"),
    "The mean of an exponential law is an instance of the theorem: {left} is its natural parameter, {right}.",
    at={"lam": Fraction(1, 20)},
)
def mean_is_the_natural_one(lam: Any) -> Condition:
    """The density lam e^(-lam x) has the natural parameter eta = -lam and the mean 1 / lam."""
    return implies(all_of(lam > 0, 10 * lam < 1), 1 / lam == -lam)


CLAIMS = (
    Claim(
        id="TRI-ER-09",
        source="Theorems D.3.1 and D.1.4",
        says="exp(Z) is entire, the quotient by it analytic on U, and the identity theorem holds on open sets.",
        latex=r"e^{Z(\eta)} \text{ entire}",
        status=Status.REFUTED,
        domain="exponential families with U not R",
        checks=(
            Check(
                "Exponential family: exp(Z) = -1/eta has a pole at 0.",
                Method.SYMBOLIC,
                exponential_family_has_a_pole,
                mutants={"1/eta for -1/eta": {"sign": 1}},
                refutes=True,
            ),
            Check(
                "Uniform family: exp(Z) = 2 sinh(eta)/eta vanishes at i pi k.",
                Method.SYMBOLIC,
                uniform_family_has_zeros,
                mutants={"zeros at i pi (k + 1/2)": {"shift": Fraction(1, 2)}},
                refutes=True,
            ),
            Check(
                "Two disjoint discs refute the identity theorem on open sets.",
                Method.EXACT,
                two_discs,
                mutants={"discs that overlap": {"distance": Fraction(199, 100)}},
                refutes=True,
            ),
        ),
        why="The integral converges on the strip over U only; exp(Z) may vanish off the real axis.",
        right="Analytic on the strip over int(U), real-analytic on int(U); the open set connected.",
        corrected_by="TRI-TD.3.1",
        obligations=parts_of(exponential_family_has_a_pole, uniform_family_has_zeros, two_discs),
    ),
    Claim(
        id="TRI-ER-10",
        source="Chapter 5, remark and footnote",
        states=(mean_at_the_parameter,),
        status=Status.REFUTED,
        domain="0 < p < 1; the print has U = [0, 1]",
        checks=checks_of(
            mean_at_the_parameter,
            Check(
                "With p as natural parameter the law is not Bernoulli(p).",
                Method.SYMBOLIC,
                bernoulli_with_p,
                mutants={"log(p/(1-p)), the right form": {"natural": lambda p: log(p / (1 - p))}},
                refutes=True,
            ),
            Check(
                "The right example: E sign(X) = eta under exp(-|x| + eta x).",
                Method.SYMBOLIC,
                locally_unbiased_family,
                mutants={"eta^2 for eta": {"power": 2}},
            ),
            signs_have_mean_eta,
        ),
        why="The natural parameter is log(p/(1-p)), and U = R.",
        right="The tilted Laplace family, U = (-1, 1), with the mean of signs.",
        corrected_by="TRI-R5-bern",
        obligations=parts_of(bernoulli_with_p, locally_unbiased_family),
    ),
    Claim(
        id="TRI-ER-11",
        source="Chapter 5, remark",
        states=(mean_is_the_natural_one,),
        status=Status.REFUTED,
        domain="the exponential law of rate lam",
        checks=checks_of(
            mean_is_the_natural_one,
            mean_is_the_parameter,
            reworded(exponential_family, "The family in natural form."),
        ),
        why="Theorem 5.0.2 speaks of the natural parameter.",
        right="The general form of Theorem 5.0.2 for f(eta), or Proposition 5.2.1 directly.",
        corrected_by="TRI-R5-exp",
        obligations=parts_of(mean_is_the_parameter, exponential_family),
    ),
    Claim(
        id="TRI-ER-19",
        source="Abstract and Chapter 1",
        says="The impossibility of unbiased estimation is shown for concentrated privacy too.",
        latex=r"\mathbb{E}|A(x)| \le C(\rho, n)\, \mathbb{E}|A(x^*)|",
        status=Status.REFUTED,
        domain="rho-zCDP; the step that Chapter 5 rests on, from a first moment alone",
        checks=checks_of(first_moments_do_not_transfer, second_moment_suffices, cauchy_schwarz),
        why="The proof for pure privacy does not carry over; no other one is given.",
        right=(
            "True if some x* has a finite moment of order above one; false under the first-moment "
            "assumption of Theorem 1.2.4."
        ),
        corrected_by="TRI-R1.2-cdp",
        steps=(
            ByCheck("cauchy_schwarz"),
            *by_hand(
                "(E_Q (dP/dQ)^a)^(1/(a-1)) grows like a^2, so D_a(P||Q) <= rho a for some rho: a mechanism on one bit with the outputs P and Q is rho-zCDP.",
                "By Cauchy-Schwarz E_P|A| <= sqrt(E_Q (dP/dQ)^2 E_Q A^2) <= exp(rho n^2) sqrt(E_Q A^2), as D_2 <= 2 rho n^2 after n swaps.",
            ),
        ),
        obligations=parts_of(first_moments_do_not_transfer),
        note="No statement or proof for concentrated privacy is in the text.",
    ),
)
