"""Pure privacy excludes unbiased estimation in exponential families (Regehr, Chapter 5)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    TERMS,
    Condition,
    absolute,
    all_of,
    for_all,
    implies,
    reals,
    rearrange,
)
from proofs_check.papers.tri.chapter5.analytic import dominated, strip_is_convex
from proofs_check.papers.tri.common import printed_table
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import exp, identical, integrate, log, oo, symbols

__all__ = [
    "CLAIMS",
    "MEAN_STEPS",
    "exponential_family",
    "locally_unbiased_family",
    "mean_bound",
    "tilted_laplace_normalizer",
]

Symbols = Mapping[Any, tuple[Fraction | int, Fraction | int]]


def tilted_laplace_normalizer(eta: Any) -> Any:
    """2 / (1 - eta^2): integral of exp(-|x| + eta x), for |eta| < 1."""
    return 2 / (1 - eta**2)


def mean_bound(eps: Any, n: Any, *, numbers: Any) -> Any:
    """exp(eps n): by which factor a mean absolute output can grow, Proposition 5.2.1."""
    return numbers.exp(eps * n)


@proves("Normal family: Z = eta^2/2, U = R.", Method.SYMBOLIC)
@mutant("eta^2/2.02 for eta^2/2", half=Fraction(101, 50))
def normal_family(half: Fraction = Fraction(2)) -> Finding:
    """The integral of the normal density times exp(eta x) is exp(eta^2 / 2)."""
    x = symbols("x", real=True)
    eta = symbols("eta", positive=True)
    density = exp(-(x**2) / 2) / SYMBOLIC.sqrt(2 * SYMBOLIC.pi())
    total = integrate(density * exp(eta * x), (x, -oo, oo))
    return identical(total, exp(eta**2 / half), {eta: (0, 3)})


@proves("Exponential family: Z = -log(-eta), U = (-oo, 0), mean -1/eta.", Method.SYMBOLIC)
@mutant("log(-eta) for -log(-eta)", sign=1)
def exponential_family(sign: int = -1) -> Finding:
    """On [0, oo): Z(eta) = -log(-eta), U = (-oo, 0), and the mean is -1/eta, not eta."""
    x, s = symbols("x s", positive=True)  # eta = -s
    log_normalizer = sign * log(s)
    density = exp(-s * x - log_normalizer)
    return every(
        (
            identical(integrate(density, (x, 0, oo)), 1, {s: (0, 5)}),
            identical(integrate(x * density, (x, 0, oo)), 1 / s, {s: (0, 5)}),
        )
    )


@proves("The step from n to n + 1 records.", Method.SYMBOLIC)
@mutant("n Z for (n + 1) Z", count=0)
@for_all(
    reals("H S h t eta Z n"),
    "Independent draws of an exponential family form one, with products of h, sums of T, and Z times their number: to {before} of {n} draws one more adds a factor, which makes it {right}.",
    terms=lambda v: {"before": v["H"] * TERMS.exp(v["eta"] * v["S"] - v["n"] * v["Z"])},
    by=rearrange,
    box={
        "H": (0, 3),
        "S": (0, 3),
        "h": (0, 3),
        "t": (0, 3),
        "eta": (0, 2),
        "Z": (0, 2),
        "n": (1, 9),
    },
)
def sample_family(
    H: Any, S: Any, h: Any, t: Any, eta: Any, Z: Any, n: Any, *, count: int = 1
) -> Condition:
    """A further record multiplies h, adds to T and adds Z: (n + 1) Z for n + 1 records."""
    before, one = H * TERMS.exp(eta * S - n * Z), h * TERMS.exp(eta * t - Z)
    after = H * h * TERMS.exp(eta * (S + t) - (n + count) * Z)
    return implies(all_of(H > 0, h > 0, n >= 1), before * one == after)


@confirms("Two records of the exponential family: the integral is exp(2 Z).", Method.SYMBOLIC)
@mutant("exp(Z) for exp(2 Z)", factor=1)
def two_records(factor: int = 2) -> Finding:
    """For two records of the exponential family the normalizing integral is exp(2 Z) = s^(-2)."""
    x, y, s = symbols("x y s", positive=True)  # eta = -s, Z = -log s
    inner = integrate(exp(-s * (x + y)), (x, 0, oo))
    return identical(integrate(inner, (y, 0, oo)), exp(-factor * log(s)), {s: (0, 5)})


@proves("A mean changes at most by the factor of the probabilities.", Method.SMT)
@mutant("0.99 exp(eps n)", factor=Fraction(99, 100))
@for_all(reals("p r q s a b u"), polynomial=True)
def means_of_private_outputs(
    p: Any, r: Any, q: Any, s: Any, a: Any, b: Any, u: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """If p_i <= u q_i then |sum p_i a_i| <= u sum q_i |a_i| (two values; others alike)."""
    given = all_of(u >= 1, 0 <= p, p <= u * q, 0 <= r, r <= u * s)
    bound = factor * u * (q * absolute(a) + s * absolute(b))
    return implies(given, absolute(p * a + r * b) <= bound)


@confirms("Attained by a one-bit mechanism on three bits, exactly.", Method.EXACT)
@mutant("p larger by 1 percent", excess=Fraction(101, 100))
def bound_is_attained(excess: Fraction = Fraction(1), records: int = 3) -> Finding:
    """P[A(x) = 1] = p exp(eps |x|) is eps-private on bits, with E A(1...1) = exp(eps n) E A(0).

    p = exp(-eps n)/(1 + exp(-eps)) is the largest possible.
    """
    for eps in (Fraction(1), Fraction(1, 10), Fraction(3)):
        factor, n = ExpSum.exp(eps), records
        p = ExpSum.exp(-eps * n, excess) / (1 + ExpSum.exp(-eps))
        for x in product((0, 1), repeat=n):
            for i in range(n):
                y = (*x[:i], 1 - x[i], *x[i + 1 :])
                one, other = (p * ExpSum.exp(eps * sum(z)) for z in (x, y))
                if one > factor * other or 1 - one > factor * (1 - other) or one > 1:
                    return exactly(False, f"not private at eps = {eps}, {x} -> {y}")
        means = [p * ExpSum.exp(eps * sum(x)) for x in ((0,) * n, (1,) * n)]
        if means[1] != ExpSum.exp(eps * n) * means[0]:
            return exactly(False, f"not attained at eps = {eps}")
    return exactly(True, f"all neighbors of {records} bits, three eps: private, and attained")


GROWTH = (
    ((".1", "10"), "2.71828182845905"),
    (("1", "3"), "20.0855369231877"),
    ((".5", "20"), "22026.4657948067"),
)


@encloses("exp(eps n) at three points.", Method.ENCLOSURE)
@mutant("1.01 eps for eps", rate=Fraction(101, 100))
def growth_values(rate: Fraction = Fraction(1)) -> Finding:
    """Evaluate exp(eps n)."""
    return printed_table(
        lambda eps, n, *, numbers: mean_bound(rate * eps, n, numbers=numbers), GROWTH
    )


@proves("A half-line contains parameters beyond every bound.", Method.SMT)
@mutant("|a| + B for |a| + B + 1", step=Fraction(0))
@for_all(reals("a B"))
def unbounded_set(a: Any, B: Any, *, step: Fraction = Fraction(1)) -> Condition:
    """A half-line U contains some |eta| > B for every B: |a| + B + 1, or its negative."""
    largest = absolute(a) + B + step
    return implies(B >= 0, all_of(largest >= a, -largest <= a, largest > B))


@confirms("Example: N = eta e^Z for the sign of a tilted Laplace variable.", Method.SYMBOLIC)
@mutant("eta^2 for eta", power=2)
def locally_unbiased_family(power: int = 1) -> Finding:
    """sign(x) under exp(-|x| + eta x): N = 1/(1 - eta) - 1/(1 + eta) = eta exp(Z), |eta| < 1."""
    x, eta = symbols("x eta", positive=True)
    up, down = (integrate(exp(-s * x), (x, 0, oo)) for s in symbols("s r", positive=True))
    s, r = symbols("s r", positive=True)
    right, left = up.subs(s, 1 - eta), down.subs(r, 1 + eta)
    box: Symbols = {eta: (0, 1)}
    return every(
        (
            identical(right + left, tilted_laplace_normalizer(eta), box),
            identical(right - left, eta**power * tilted_laplace_normalizer(eta), box),
        )
    )


MEAN_STEPS = checks_of(means_of_private_outputs, bound_is_attained)
"""Checks of Proposition 5.2.1, on which the impossibility rests."""

CLAIMS = (
    Claim(
        id="TRI-D5.0.1",
        source="Definition 5.0.1",
        says="An exponential family has density h(x) exp(eta T(x) - Z(eta)), where Z is finite on U.",
        latex=r"Z(\eta) = \log \int_D h(x) e^{\eta T(x)}\,dx, \quad U = \{\eta : Z(\eta) < \infty\}",
        status=Status.DEFINITION,
        domain="one-dimensional eta; U is an interval",
        checks=checks_of(
            normal_family,
            exponential_family,
            reworded(
                dominated, "U is an interval: e^(eta t) <= e^(at) + e^(bt) for eta between a and b."
            ),
        ),
    ),
    Claim(
        id="TRI-PD.3.2",
        source="Proposition D.3.2",
        states=(sample_family,),
        status=Status.PROVED,
        domain="H and S are the product of h and the sum of T of n draws, h and t those of the next one; the same U",
        checks=checks_of(sample_family, two_records),
        steps=(ByCheck("sample_family", "Induction over n; n Z is finite where Z is."),),
    ),
    Claim(
        id="TRI-P5.2.1",
        source="Proposition 5.2.1",
        says="Under eps-privacy the mean output is at most e^(eps n) times any mean absolute output.",
        latex=r"|\mathbb{E} A(x)| \le e^{\varepsilon n}\, \mathbb{E}|A(x^*)|",
        status=Status.PROVED,
        domain="A eps-private on n records, real outputs, all data x and x*",
        checks=checks_of(*MEAN_STEPS, growth_values),
        assumes=("TRI-LC.1.1",),
        steps=(
            ByCheck("means_of_private_outputs"),
            ByHand(
                "Group privacy with delta = 0 over n swaps compares all probabilities by e^(eps n); E|A(x)| is the integral of P[|A(x)| > t] over t > 0, or the limit of finite sums."
            ),
        ),
    ),
    Claim(
        id="TRI-P5.1.1",
        source="Proposition 5.1.1",
        says="An estimator that is unbiased on an interval of parameters is unbiased on all of U.",
        latex=r"N(\eta) - \eta\, e^{Z(\eta)} \equiv 0 \text{ on the strip over } \mathrm{int}(U)",
        status=Status.PROVED,
        domain="E_eta |phi| finite for all eta in U; I in U of positive length",
        checks=checks_of(
            reworded(
                dominated, "The integrands are dominated on closed strips, and up to an end in U."
            ),
            reworded(strip_is_convex, "The strip is convex, so connected."),
            locally_unbiased_family,
        ),
        assumes=("TRI-LD.3.3", "TRI-TD.3.1", "TRI-TD.1.1"),
        steps=(
            *by_checks(dominated, strip_is_convex),
            ByClaim(
                "TRI-LD.3.3",
                "N = integral of phi h exp(eta T) and exp(Z) are analytic on the strip over int(U), so N - eta exp(Z) is, and it vanishes on I.",
            ),
            Cited(
                "textbooks of complex analysis",
                "the identity theorem on a connected open set",
                "The strip is connected, so it vanishes everywhere (the identity theorem on a connected set, a textbook theorem; TRI-TD.1.4 is its print without that assumption), and E_eta phi = eta on int(U); at an end of U that belongs to U by dominated convergence.",
            ),
        ),
    ),
    Claim(
        id="TRI-T5.0.2",
        source="Theorem 5.0.2",
        says="If U has infinite length no eps-private mechanism is unbiased for eta on an interval.",
        latex=r"|U| = \infty,\ \mathbb{E}_\eta M = \eta\ (\eta \in I) \Rightarrow M \text{ is not } (\varepsilon, 0)\text{-DP}",
        status=Status.PROVED,
        domain="eps >= 0, n >= 0, I in U of positive length; eta is the natural parameter",
        checks=checks_of(
            unbounded_set,
            *MEAN_STEPS,
            reworded(
                locally_unbiased_family,
                "On U = (-1, 1) there is an unbiased function of bounded range: the sign.",
            ),
        ),
        assumes=("TRI-P5.1.1", "TRI-P5.2.1", "TRI-PD.3.2"),
        steps=(
            *by_checks(unbounded_set, means_of_private_outputs),
            ByClaim(
                "TRI-PD.3.2",
                "Suppose M is. The n records form an exponential family with the same U.",
            ),
            ByClaim(
                "TRI-P5.2.1",
                "The mean exists on I, so E|M(x*)| is finite for some x*, and phi(x) = E M(x) is bounded by B = e^(eps n) E|M(x*)| for all x.",
            ),
            ByClaim(
                "TRI-P5.1.1",
                "So E_eta|phi| <= B on U, and E_eta phi = eta on U: |eta| <= B, but U, an interval of infinite length, is unbounded.",
            ),
        ),
        note="The same proof excludes every f(eta) that is real-analytic on int(U) and unbounded there.",
    ),
)
