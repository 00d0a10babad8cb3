"""Analyticity of expectations in exponential families (Regehr, Appendix D)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.language import Condition, for_all
from proofs_check.smt import all_of, any_of, exact, implies, reals, valid
from proofs_check.steps import ByClaim, ByHand, Cited
from proofs_check.symbolic import (
    Rational,
    branch,
    cos,
    exp,
    identical,
    integrate,
    oo,
    pi,
    sin,
    sinh,
    summation,
    symbols,
)

__all__ = ["CLAIMS", "dominated", "strip_is_convex"]

Symbols = Mapping[Any, tuple[Fraction | int, Fraction | int]]


@proves("Over a <= Re eta <= b the integrand is dominated by e^(aT) + e^(bT).", Method.SMT)
@mutant("eta up to 1.01 b", stretch=Fraction(101, 100))
@for_all(reals("eta t a b"), polynomial=True)
def dominated(eta: Any, t: Any, a: Any, b: Any, *, stretch: Fraction = Fraction(1)) -> Condition:
    """For a <= eta <= b: eta t <= max(a t, b t), so exp(eta t) <= exp(a t) + exp(b t)."""
    given = all_of(a <= eta, eta <= stretch * b, 0 < b)
    return implies(given, any_of(eta * t <= a * t, eta * t <= b * t))


@proves(
    "The strip over an interval is convex, so connected: there the theorem applies.", Method.SMT
)
@mutant("a segment prolonged by 1 percent", reach=Fraction(101, 100))
@for_all(reals("x y w a b"), polynomial=True)
def strip_is_convex(
    x: Any, y: Any, w: Any, a: Any, b: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """Between two points of the strip over an interval lies a segment of it: it is connected."""
    given = all_of(a < x, x < b, a < y, y < b, 0 <= w, w <= reach)
    between = (1 - w) * x + w * y
    return implies(given, all_of(a < between, between < b))


@proves(
    "Taylor coefficients are means over a circle, so |a_k| <= g / r^k where |f| <= g.",
    Method.SYMBOLIC,
)
@mutant("frequency k - m + 1 for k - m", frequency=1)
def fourier_coefficient(frequency: int = 0) -> Finding:
    """The mean of (r e^(it))^k (r e^(it))^(-m) over a circle is 1 if k = m, and 0 if not.

    So the k-th Taylor coefficient is the mean of f(center + r e^(it)) (r e^(it))^(-k).
    """
    t = symbols("t", real=True)
    findings = []
    for turn in range(-4, 5):
        angle = (turn + frequency) * t
        real = integrate(cos(angle), (t, 0, 2 * pi)) / (2 * pi)
        imaginary = integrate(sin(angle), (t, 0, 2 * pi)) / (2 * pi)
        findings += [identical(real, int(turn == 0), {}), identical(imaginary, 0, {})]
    return every(findings, detail="all |k - m| up to 4")


@proves(
    "The series of these bounds is at most g / (1 - rho), an integrable function.", Method.SYMBOLIC
)
@mutant("a series from k = 1", first=1)
def coefficients_are_summable(first: int = 0) -> Finding:
    """With |a_k| <= g / r^k and |eta - center| = rho r the series is at most g / (1 - rho)."""
    g, rho, r = symbols("g rho r", positive=True)
    k = symbols("k", integer=True, nonnegative=True)
    point: Mapping[Any, Fraction | int] = {g: 1, rho: Fraction(1, 3), r: 2}
    total = branch(summation((g / r**k * (rho * r) ** k).simplify(), (k, first, oo)), point)
    return identical(total, g / (1 - rho), {g: (0, 5), rho: (0, 1), r: (1, 5)})


@confirms("For the integrand e^(T eta) the sides of a triangle add up to 0.", Method.SYMBOLIC)
@mutant("a path that is not closed", closing=1)
def triangle(closing: int = 0) -> Finding:
    """The integrals of e^(T eta) along the three sides of a triangle add up to 0."""
    T, a, b, c, s = symbols("T a b c s", positive=True)
    corners = (a, b, c, (a, b, c)[closing])
    total = sum(
        (
            integrate(exp(T * (x + s * (y - x))) * (y - x), s).subs(s, 1)
            - integrate(exp(T * (x + s * (y - x))) * (y - x), s).subs(s, 0)
            for x, y in ((corners[i], corners[i + 1]) for i in range(3))
        ),
        0,
    )
    box: Symbols = {T: (1, 2), a: (0, 1), b: (1, 2), c: (2, 3)}
    return identical(total, 0, box)


@confirms("Exponential family: exp(Z) = -1/eta, with a pole at 0.", Method.SYMBOLIC)
@mutant("1/eta for -1/eta", sign=1)
def exponential_family_has_a_pole(sign: int = -1) -> Finding:
    """On [0, oo): exp(Z(eta)) = -1/eta for eta < 0; at 0 the integral up to R is R, unbounded."""
    x, s, R = symbols("x s R", positive=True)  # eta = -s
    value = integrate(exp(-s * x), (x, 0, oo))
    return every(
        (
            identical(value, sign / -s, {s: (0, 5)}),
            identical(integrate(exp(0 * x), (x, 0, R)), R, {R: (0, 9)}),
        )
    )


@confirms("Uniform family: exp(Z) = 2 sinh(eta)/eta has zeros off the real axis.", Method.SYMBOLIC)
@mutant("zeros at i pi (k + 1/2)", shift=Fraction(1, 2))
def uniform_family_has_zeros(shift: Fraction = Fraction(0)) -> Finding:
    """On [-1, 1]: exp(Z(eta)) = 2 sinh(eta)/eta, which vanishes at i pi k: not on the real axis."""
    x, s = symbols("x s", positive=True)
    values = [
        identical(integrate(cos(pi * (k + Rational(shift)) * x), (x, -1, 1)), 0, {})
        for k in (1, 2, 3)
    ]
    return every(
        (identical(integrate(exp(s * x), (x, -1, 1)), 2 * sinh(s) / s, {s: (1, 5)}), *values)
    )


@proves("The quotient of differentiable N and D > 0 is differentiable.", Method.SMT)
@mutant("1.01 N' for N'", factor=Fraction(101, 100))
@for_all(reals("N D dN dD q dq"), polynomial=True)
def quotient_rule(
    N: Any, D: Any, dN: Any, dD: Any, q: Any, dq: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """With N and D analytic and D not 0 the quotient q = N/D has the derivative (N' - q D')/D."""
    given = all_of(D > 0, q * D == N, dq * D + q * dD == factor * dN)
    return implies(given, dq * D * D == dN * D - N * dD)


@refutes("Two disjoint discs, f1 = 0 and f2 the indicator of one of them.", Method.EXACT)
@mutant("discs at distance 1.99, which overlap", distance=Fraction(199, 100))
def two_discs(distance: Fraction = Fraction(3)) -> Finding:
    """On two disjoint discs 0 and the indicator of one disc agree near 0, and differ at the other.

    Both are locally constant, so analytic; the points 1/k of the first disc converge in it.
    """
    centers = Fraction(0), distance
    disjoint = (centers[1] - centers[0]) ** 2 > (1 + 1) ** 2

    def inside(z: Fraction, center: Fraction) -> bool:
        return (z - center) ** 2 < 1

    def indicator(z: Fraction) -> int:
        return int(inside(z, centers[1]))

    agree = all(
        inside(z, centers[0]) and indicator(z) == 0 for z in (Fraction(1, k) for k in range(2, 99))
    )
    differ = indicator(centers[1]) != 0
    return exactly(
        disjoint and agree and differ, f"disjoint: {disjoint}, agree: {agree}, differ: {differ}"
    )


@confirms(
    "In the polynomial case five zeros leave no coefficient of degree up to four.", Method.SMT
)
@mutant("powers t^0 in place of t^k", order=0)
def vanishing_coefficients(order: int = 1) -> Finding:
    """If a_0 + ... + a_4 t^4 = 0 at five points then all a_k = 0 (the polynomial case)."""

    def statement(*a: Any) -> Any:
        points = [exact(Fraction(1, k + 1)) for k in range(5)]
        values = [
            sum((c * point ** (order * k) for k, c in enumerate(a[1:], 1)), a[0])
            for point in points
        ]
        return implies(all_of(*(v == 0 for v in values)), all_of(*(c == 0 for c in a)))

    return valid(reals("a b c d e"), statement)


ANALYTIC_STEPS = checks_of(fourier_coefficient, coefficients_are_summable)

CLAIMS = (
    Claim(
        id="TRI-LD.3.3",
        source="Lemma D.3.3",
        says=(
            "The integral of functions that are analytic in a parameter and locally dominated by "
            "an integrable function is analytic in the parameter."
        ),
        latex=r"F(\eta) = \int f(x,\eta)\,dx = \sum_k (\eta-\eta_0)^k \int a_k(x)\,dx",
        status=Status.PROVED,
        domain="f(x, .) analytic on an open set, |f(x, eta)| <= g(x) near each point, integral of g finite",
        checks=ANALYTIC_STEPS,
        assumes=("TRI-TD.1.1",),
        steps=(
            *by_checks(fourier_coefficient, coefficients_are_summable),
            *by_hand(
                "On a disc |eta - eta0| <= r with |f(x, .)| <= g(x) write f as its Taylor series.",
                "The coefficients are limits of Riemann sums, so measurable, and bounded by g/r^k; for |eta - eta0| = rho r with rho < 1 the sum of the absolute values is at most g/(1 - rho), so sum and integral may be exchanged (Fubini), and F is a convergent power series.",
            ),
        ),
        note="The print uses Morera's theorem instead.",
    ),
    Claim(
        id="TRI-TD.3.1",
        source="Theorem D.3.1",
        says="eta -> E_eta phi is analytic on U, as a quotient by the entire function exp(Z).",
        latex=r"\eta \mapsto \frac{\int \phi h e^{\eta T}}{\int h e^{\eta T}} \text{ real-analytic on } \mathrm{int}(U)",
        status=Status.CORRECTED,
        domain="E_eta |phi| finite for all eta in U; eta in the interior of U",
        checks=checks_of(
            dominated,
            *ANALYTIC_STEPS,
            quotient_rule,
            exponential_family_has_a_pole,
            uniform_family_has_zeros,
        ),
        assumes=("TRI-LD.3.3",),
        errata=("TRI-ER-09",),
        why=(
            "exp(Z) is analytic on the strip over int(U) only (a pole at 0 in the exponential "
            "family), and may vanish off the real axis."
        ),
        right="Real-analytic on int(U); numerator and denominator are analytic on the strip.",
        steps=(
            *by_checks(dominated, fourier_coefficient, coefficients_are_summable, quotient_rule),
            ByClaim(
                "TRI-LD.3.3",
                "|exp(eta T)| = exp(Re(eta) T), so phi h exp(eta T) and h exp(eta T) are dominated on each closed strip over [a, b] inside U, and both integrals are analytic on the strip over int(U) by Lemma D.3.3.",
            ),
            ByHand(
                "On the real axis exp(Z) is an integral of a positive function, so positive, and the quotient is real-analytic there."
            ),
        ),
    ),
    Claim(
        id="TRI-TD.1.1",
        source="Theorems D.1.1, D.1.2, D.2.1 and D.2.2",
        says="Cauchy's and Morera's theorems, dominated convergence and Fubini's theorem.",
        latex=r"\oint_{\partial\Delta} f(\eta)\,d\eta = 0 \text{ for all triangles} \iff f \text{ analytic}",
        status=Status.CITED,
        domain="f continuous on an open set",
        checks=checks_of(triangle),
        steps=(
            Cited(
                "textbooks of complex analysis and measure theory",
                "the theorems of Cauchy, Morera, Fubini, and dominated convergence",
                "Textbook theorems; only their use on exponential families is checked.",
            ),
        ),
    ),
    Claim(
        id="TRI-TD.1.4",
        source="Theorem D.1.4",
        says="Analytic functions on an open set U that agree on a convergent sequence of U are equal on U.",
        latex=r"f_1(z_k) = f_2(z_k),\ z_k \to z \in U \not\Rightarrow f_1 = f_2 \text{ on } U",
        status=Status.REFUTED,
        domain="U open; with U connected the statement is the identity theorem",
        checks=checks_of(two_discs, strip_is_convex, vanishing_coefficients),
        why="U is not assumed connected.",
        right="U open and connected. In the thesis U is a strip, where this holds.",
        obligations=parts_of(two_discs, strip_is_convex),
    ),
)
