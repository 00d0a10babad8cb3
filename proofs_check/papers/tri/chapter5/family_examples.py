"""Exponential, Bernoulli and tilted families as examples of Chapter 5 (Regehr)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import Check, Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls, certainly_less, integral
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter5.families import (
    MEAN_STEPS,
    exponential_family,
    locally_unbiased_family,
    tilted_laplace_normalizer,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import cosh, diff, exp, identical, log, symbols, tanh

__all__ = ["CLAIMS", "bernoulli_parameter", "mean_is_the_parameter", "sech_normalizer"]


def sech_normalizer(eta: Any, *, numbers: Any) -> Any:
    """Pi / cos(pi eta / 2) = Gamma((1 + eta)/2) Gamma((1 - eta)/2): of exp(eta x) / cosh x."""
    return numbers.gamma((1 + eta) / Fraction(2)) * numbers.gamma((1 - eta) / Fraction(2))


@refutes("The mean -1/eta is not the natural parameter eta.", Method.SYMBOLIC)
@mutant("-1/eta for eta, the right form", symbol="inverse")
def mean_is_the_parameter(symbol: str = "eta") -> Finding:
    """The mean -1/eta of the exponential law differs from eta, its natural parameter."""
    s = symbols("s", positive=True)
    target = -s if symbol == "eta" else 1 / s
    found = identical(1 / s, target, {s: (0, 5)})
    return Finding(holds=None if found.holds is None else not found.holds, detail=found.detail)


@proves("The mean exceeds every bound on (0, 0.1).", Method.SMT)
@mutant("lam = 1/(B + 10)", offset=Fraction(10))
@for_all(reals("B lambda"), polynomial=True)
def unbounded_mean(B: Any, lam: Any, *, offset: Fraction = Fraction(101, 10)) -> Condition:
    """For every B there is lam in (0, 1/10) with 1/lam > B: lam = 1/(B + 10.1)."""
    given = all_of(B >= 0, lam * (B + offset) == 1)
    return implies(given, all_of(0 < lam, 10 * lam < 1, 1 > B * lam))


@proves("The mean of signs plus Lap(2/(n eps)) is eps-private: sensitivity 2/n.", Method.SMT)
@mutant("1.98 for 2", width=Fraction(99, 50))
@for_all(reals("a b"), polynomial=True)
def sign_mechanism(a: Any, b: Any, *, width: Fraction = Fraction(2)) -> Condition:
    """One record moves the sum of signs by at most 2, so noise Lap(2/(n eps)) is eps-private."""
    given = all_of(a * a <= 1, b * b <= 1)
    return implies(given, absolute(a - b) <= width)


@proves("Hyperbolic secant: E tanh X = eta, by parts.", Method.SYMBOLIC)
@mutant("1.01 eta for eta", slope=Fraction(101, 100))
def sech_family(slope: Fraction = Fraction(1)) -> Finding:
    """d/dx exp(eta x)/cosh x = (eta - tanh x) exp(eta x)/cosh x: so E tanh X = eta, |eta| < 1."""
    x, eta = symbols("x eta", positive=True)
    weight = exp(eta * x) / cosh(x)
    return identical(diff(weight, x), (slope * eta - tanh(x)) * weight, {x: (0, 3), eta: (0, 1)})


@encloses(
    "Its normalizer is the product of two gamma functions (quadrature at eta = 0.3).",
    Method.ENCLOSURE,
)
@mutant("2 exp(eta x)/cosh x", numerator=2)
def sech_integral(numerator: int = 1) -> Finding:
    """The integral over [-60, 60] and its tails enclose the product of two gamma functions."""
    numbers, eta, end = Balls(128), Fraction(3, 10), 60
    main = integral(
        lambda x, f: f.exp(eta * x) * 2 * numerator / (f.exp(x) + f.exp(-x)),
        Fraction(-end),
        Fraction(end),
        numbers=numbers,
    )
    tails = 4 * ENCLOSED.exp(-(1 - eta) * end) / (1 - eta)
    low, high = (
        certainly_less(a, b)
        for a, b in (
            (main, sech_normalizer(eta, numbers=ENCLOSED)),
            (sech_normalizer(eta, numbers=ENCLOSED), main + tails),
        )
    )
    holds = None if None in (low, high) else bool(low and high)
    return Finding(holds=holds, detail=f"integral {main!r}, tails at most {tails!r}")


NORMALIZERS = (
    ("-.9", "10.5263157894737", "20.0824840790797"),
    (".3", "2.1978021978022", "3.52589186308318"),
    (".77", "4.91279783836895", "8.88774041173832"),
)
"""eta, and the normalizers of the tilted Laplace and the hyperbolic secant family."""


@encloses("Both normalizers at three parameters.", Method.ENCLOSURE)
@mutant("1.01 eta for eta", factor=Fraction(101, 100))
def normalizer_values(factor: Fraction = Fraction(1)) -> Finding:
    """Evaluate both normalizers."""
    rows = []
    for text, laplace, sech in NORMALIZERS:
        eta = factor * Fraction(text)
        rows += [
            (
                f"tilted Laplace at eta = {text}",
                laplace,
                ENCLOSED.ball(tilted_laplace_normalizer(eta)),
            ),
            (f"sech at eta = {text}", sech, sech_normalizer(eta, numbers=ENCLOSED)),
        ]
    return as_printed(rows)


@proves("Bernoulli(p) has the natural parameter log(p/(1-p)), and U = R.", Method.SYMBOLIC)
@mutant("log(p) for log(p/(1-p))", natural=log)
@mutant("log((1-p)/p) for log(p/(1-p))", natural=lambda p: log((1 - p) / p))
def bernoulli_parameter(natural: Any = lambda p: log(p / (1 - p))) -> Finding:
    """Bernoulli(p) is exp(eta x - log(1 + e^eta)) with eta = log(p/(1-p)); not with eta = p."""
    p = symbols("p", positive=True)
    eta = natural(p)
    normalizer = 1 + exp(eta)
    return every(
        identical(exp(eta * x) / normalizer, value, {p: (0, 1)})
        for x, value in ((0, 1 - p), (1, p))
    )


@refutes("With p as natural parameter the law is another one.", Method.SYMBOLIC)
@mutant("log(p/(1-p)) for p", natural=lambda p: log(p / (1 - p)))
def bernoulli_with_p(natural: Any = lambda p: p) -> Finding:
    """With p itself as natural parameter the law is not Bernoulli(p)."""
    found = bernoulli_parameter(natural)
    return Finding(holds=None if found.holds is None else not found.holds, detail=found.detail)


CLAIMS = (
    Claim(
        id="TRI-R5-exp",
        source="Chapter 5, remark",
        says="As an instance of Theorem 5.0.2: the mean of Exponential(lam), lam in (0, 0.1), has no private unbiased estimator.",
        latex=r"\mathbb{E}X = 1/\lambda = -1/\eta \ne \eta, \quad \sup_{0 < \lambda < 0.1} 1/\lambda = \infty",
        status=Status.CORRECTED,
        domain="eps >= 0, n records",
        checks=checks_of(
            reworded(exponential_family, "The natural parameter is eta = -lam, the mean -1/eta."),
            unbounded_mean,
            *MEAN_STEPS,
        ),
        assumes=("TRI-P5.2.1",),
        errata=("TRI-ER-11",),
        why="The mean is not the natural parameter, of which Theorem 5.0.2 speaks.",
        right="True by Proposition 5.2.1, as 1/lam is unbounded on (0, 0.1).",
        steps=(
            *by_checks(exponential_family, unbounded_mean),
            ByCheck("means_of_private_outputs"),
            ByClaim(
                "TRI-P5.2.1",
                "Directly: |E M| <= e^(eps n) E|M(x*)| for all data laws, by Proposition 5.2.1, while the mean is unbounded on (0, 0.1).",
            ),
        ),
    ),
    Claim(
        id="TRI-R5-bern",
        source="Chapter 5, remark and footnote",
        says="Bernoulli(p), with U = [0, 1], shows that Theorem 5.0.2 needs a U of infinite length.",
        latex=r"h(x) = e^{-|x|},\ U = (-1, 1):\quad \mathbb{E}_\eta\, \mathrm{sign}(X) = \eta",
        status=Status.CORRECTED,
        domain="|eta| < 1, eps > 0, n >= 1",
        checks=checks_of(
            Check(
                "Tilted Laplace: the normalizer is 2/(1 - eta^2), and E sign(X) = eta.",
                Method.SYMBOLIC,
                locally_unbiased_family,
                mutants={"eta^2 for eta": {"power": 2}},
            ),
            sign_mechanism,
            sech_family,
            sech_integral,
            normalizer_values,
            bernoulli_parameter,
            bernoulli_with_p,
        ),
        errata=("TRI-ER-10",),
        why="U = [0, 1] is the range of p, which is not the natural parameter; the family has U = R.",
        right="The tilted Laplace family has U = (-1, 1) and an eps-private, exactly unbiased estimator.",
        steps=(
            *by_checks(locally_unbiased_family, sign_mechanism, sech_family, bernoulli_parameter),
            ByHand(
                "The substitution u = 1/(1 + e^(-2x)) turns the secant integral into a beta integral, the product of gamma functions, pi/cos(pi eta/2) by reflection. 1 + e^eta is finite for all eta, so U = R for Bernoulli laws."
            ),
        ),
        obligations=parts_of(bernoulli_with_p),
    ),
)
