"""DPUMEAN on normal data: an explicit bound with log n (Regehr, Corollary 4.2.2).

Print claims log log n, from a wrong moment of the normal law (TRI-ER-04, TRI-ER-05). With
E|Z|^lam <= sqrt(2) (lam/e)^(lam/2) and lam = 2 log n2, Theorem 4.2.1 gives log n, explicitly.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter4.mean_steps import explicit_bound
from proofs_check.symbolic import Rational, diff, identical, integrate, log, oo, symbols

__all__ = ["CLAIMS", "gaussian_bound", "gaussian_moment", "moment_bound"]

Symbols = Mapping[Any, tuple[Fraction | int, Fraction | int]]


def gaussian_moment(lam: Any, *, numbers: Any) -> Any:
    """E|Z|^lam = 2^(lam/2) Gamma((lam + 1)/2) / sqrt(pi), of a standard normal Z."""
    return numbers.power(2, lam / 2) * numbers.gamma((lam + 1) / 2) / numbers.sqrt(numbers.pi())


def moment_bound(lam: Any, *, numbers: Any) -> Any:
    """sqrt(2) (lam / e)^(lam / 2): at least E|Z|^lam."""
    return numbers.sqrt(2) * numbers.power(lam / numbers.exp(1), lam / 2)


def gaussian_bound(eps: Any, delta: Any, n2: Any, *, numbers: Any) -> Any:
    """(2 + delta)/n2 + (66 log n2 + 3228)/(n2 eps)^2 + e^2 (24 log n2 + 610)/n2^2; our own."""
    length = numbers.log(n2)
    return (
        (2 + delta) / n2
        + (66 * length + 3228) / (n2 * eps) ** 2
        + numbers.exp(2) * (24 * length + 610) / n2**2
    )


@proves("E|Z|^lam is 2^(lam/2) Gamma((lam+1)/2) / sqrt(pi).", Method.SYMBOLIC)
@mutant("exp(-z^2/2.02) for exp(-z^2/2)", half=Fraction(101, 50))
def moment_closed_form(half: Fraction = Fraction(2)) -> Finding:
    """The integral of |z|^lam times the normal density is the closed form."""
    z, lam = symbols("z lambda", positive=True)
    density = SYMBOLIC.exp(-(z**2) / half) / SYMBOLIC.sqrt(2 * SYMBOLIC.pi())
    return identical(
        2 * integrate(z**lam * density, (z, 0, oo)),
        gaussian_moment(lam, numbers=SYMBOLIC),
        {lam: (2, 9)},
    )


@proves(
    "Gamma(x + 1/2) <= sqrt(2 pi) (x/e)^x: the log ratio falls as x grows by one.", Method.SYMBOLIC
)
@mutant("x + 0.505 for x + 1/2", shift=Fraction(101, 200))
def moment_step(shift: Fraction = Fraction(1, 2)) -> Finding:
    """g(x) = x log x - x + log(2 pi)/2 - log Gamma(x + 1/2) falls when x grows by one.

    g(x) - g(x + 1) has no gamma function, and is phi(u)/(2u) at u = 1/(2x + 1), where phi(u) =
    2u + (1 - u) log(1 - u) - (1 + u) log(1 + u) has phi(0) = 0 and phi'(u) = -log(1 - u^2) > 0.
    """
    x, u = symbols("x u", positive=True)
    phi = 2 * u + (1 - u) * log(1 - u) - (1 + u) * log(1 + u)
    step = 1 + x * log(x) - (x + 1) * log(x + 1) + log(x + Rational(shift))
    return every(
        (
            identical(
                step * 2 / (2 * x + 1),
                phi.subs(u, 1 / (2 * x + 1)),
                {x: (1, 50)},
                ways=(_gather,),
            ),
            identical(phi.subs(u, 0), 0, {}),
            identical(diff(phi, u), -log(1 - u) - log(1 + u), {u: (0, 1)}),
        )
    )


def _gather(e: Any) -> Any:
    """Write all logarithms of fractions as differences."""
    return e.together().replace(log, lambda a: _split(a.together())).expand().simplify()


def _split(argument: Any) -> Any:
    top, bottom = argument.factor().as_numer_denom()
    number, rest = top.as_coeff_Mul()
    return log(number) + log(rest) - log(bottom)


@proves("At x = lam/2 this bounds the moment by sqrt(2) (lam/e)^(lam/2).", Method.SYMBOLIC)
@mutant("sqrt(2.02 pi) for sqrt(2 pi)", root=Fraction(101, 50))
def moment_algebra(root: Fraction = Fraction(2)) -> Finding:
    """Gamma(x + 1/2) <= sqrt(2 pi) (x/e)^x at x = lam/2 is E|Z|^lam <= sqrt(2) (lam/e)^(lam/2)."""
    lam = symbols("lambda", positive=True)
    x, f = lam / 2, SYMBOLIC
    left = f.power(2, x) * f.sqrt(root * f.pi()) * f.power(x / f.exp(1), x) / f.sqrt(f.pi())
    return identical(
        left,
        moment_bound(lam, numbers=f),
        {lam: (2, 9)},
        ways=(lambda e: e.expand(power_base=True),),
    )


@encloses(
    "The bound is above the moment by less than a factor exp(1/(12 (lam - 1))).", Method.ENCLOSURE
)
@mutant("a bound smaller by 1 percent", factor=Fraction(99, 100))
@mutant("a bound larger by 1 percent", factor=Fraction(101, 100))
def moment_margin(factor: Fraction = Fraction(1)) -> Finding:
    """log(bound / moment) is positive and below 1/(12 (lam - 1)) at lam from 2 to 2000."""
    margins = []
    for lam in (2, 3, 4, 10, 20, 40, 100, 1000, 2000):
        ratio = (
            factor
            * moment_bound(Fraction(lam), numbers=ENCLOSED)
            / gaussian_moment(Fraction(lam), numbers=ENCLOSED)
        )
        margin = ENCLOSED.log(ratio)
        if (
            certainly_less(0, margin) is not True
            or certainly_less(margin, Fraction(1, 12 * (lam - 1))) is not True
        ):
            return exactly(False, f"lam = {lam}: log ratio {margin!r}")
        margins.append(f"{lam}: {float(margin.value):.3g}")
    return exactly(True, "log ratios " + ", ".join(margins))


@proves(
    "lam = 2 log n2 gives n2^(2/lam) = e, psi^2 n2^(2/lam) <= 2^(1/(2L)) 2 L and "
    "delta^(2-4/lam) <= e^2/n2^2.",
    Method.SYMBOLIC,
)
@mutant("lam = 2.02 log n2", multiple=Fraction(101, 50))
def lam_is_two_log(multiple: Fraction = Fraction(2)) -> Finding:
    """With lam = 2 L, L = log n2: n2^(2/lam) = e and psi^2 n2^(2/lam) <= 2^(1/(2L)) 2 L."""
    L = symbols("L", positive=True)
    lam, f = Rational(multiple) * L, SYMBOLIC
    box: Symbols = {L: (1, 30)}
    psi_squared = f.power(2, 1 / lam) * lam / f.exp(1)
    return every(
        (
            identical(f.power(f.exp(L), 2 / lam), f.exp(1), box),
            identical(psi_squared * f.exp(1), f.power(2, 1 / (2 * L)) * 2 * L, box),
            identical(
                f.power(moment_bound(lam, numbers=f), 2 / lam), psi_squared, box, ways=(_powers,)
            ),
            # delta <= 1/n2: delta^(2 - 4/lam) <= n2^(-2 + 2/L) = e^2 / n2^2
            identical(f.power(f.exp(-L), 2 - 4 / lam), f.exp(2) * f.exp(-2 * L), box),
        )
    )


def _powers(e: Any) -> Any:
    return e.expand(power_base=True).powsimp(force=True).simplify()


@proves("2^(1/(2L)) 2 L <= 2 L + 0.8285 for L >= 1.", Method.SYMBOLIC)
@mutant("a chord steeper by 1 percent", reach=Fraction(101, 100))
def chord(reach: Fraction = Fraction(1)) -> Finding:
    """2^(w/2) <= 1 + w (sqrt 2 - 1) for w = 1/L in (0, 1], by Bernoulli's inequality.

    s^(1/w) >= 1 + (s - 1)/w at s = 1 + w (t - 1), t = sqrt 2, is s >= t^w. Then 2^(1/(2L)) L <=
    L + sqrt 2 - 1, and 2 (sqrt 2 - 1) < 0.8285.
    """
    w, t = symbols("w t", positive=True)
    s = 1 + Rational(reach) * w * (t - 1)
    gap = certainly_less(2 * (ENCLOSED.sqrt(2) - 1), Fraction(8285, 10000))
    at_one = Finding(holds=gap, detail="2 (sqrt 2 - 1) < 0.8285")
    return every((identical(1 + (s - 1) / w, t, {w: (0, 1), t: (1, 2)}), at_one))


@proves("The constants of Theorem 4.2.1 add up.", Method.SMT)
@mutant("3227 for 3228", constants=(3227, 610))
@mutant("609 for 610", constants=(3228, 609))
@for_all(reals("A B L d m"))
def adds_up(
    A: Any, B: Any, L: Any, d: Any, m: Any, *, constants: tuple[int, int] = (3228, 610)
) -> Condition:
    """33 A + 3200 <= 66 L + 3228 and 8 B + 4 A + 600 <= 24 L + 610 for A, B <= 2 L + 0.8285.

    A = psi^2 N^(2/lam), B = psi^2 n1^(2/lam); and delta (1 + mu^2) <= 1 + delta.
    """
    first, second = constants
    most = 2 * L + Fraction(8285, 10000)
    sums = all_of(33 * A + 3200 <= 66 * L + first, 8 * B + 4 * A + 600 <= 24 * L + second)
    return all_of(
        implies(all_of(A <= most, B <= most), sums),
        implies(d * m * m <= 1, d * (1 + m * m) <= 1 + d),
    )


@confirms(
    "At three examples Theorem 4.2.1's bound with the exact moment is below it.", Method.ENCLOSURE
)
@mutant("a bound smaller by 1 percent", factor=Fraction(99, 100))
def dominates(factor: Fraction = Fraction(1)) -> Finding:
    """At examples the bound of Theorem 4.2.1, with the exact moment, is below the closed one."""
    details = []
    for eps, delta, n2, mu, n1 in (
        (Fraction(1, 2), Fraction(1, 10**6), 10**5, 0, 3626),
        (Fraction(1, 10), Fraction(1, 10**6), 10**6, 1000, 5808),
        (Fraction(9, 10), Fraction(1, 3000), 3000, 54, 2139),
    ):
        lam = 2 * ENCLOSED.log(n2)
        psi = ENCLOSED.power(gaussian_moment(lam, numbers=ENCLOSED), 1 / lam)
        found = explicit_bound(
            eps, delta, Fraction(n2), psi, lam, mu, Fraction(n1), last=(8, 4, 600), numbers=ENCLOSED
        )
        closed = factor * gaussian_bound(eps, delta, Fraction(n2), numbers=ENCLOSED)
        below = certainly_less(found, closed)
        if not below:
            return Finding(holds=below, detail=f"n2 = {n2}: {found!r} against {closed!r}")
        details.append(f"n2 = {n2}: {float(found.value):.6g} <= {float(closed.value):.6g}")
    return exactly(True, "; ".join(details))


CLAIMS = (
    Claim(
        id="TRI-C4.2.2",
        source="Corollary 4.2.2",
        says="On normal data of unit variance DPUMEAN is unbiased with error O(1/n + log log n/(n eps)^2).",
        latex=(
            r"\mathbb{E}(\hat\mu-\mu)^2 \le \frac{2+\delta}{n_2} + \frac{66\log n_2 + 3228}"
            r"{(n_2\varepsilon)^2} + e^2\,\frac{24\log n_2+610}{n_2^2}"
        ),
        status=Status.CORRECTED,
        domain=(
            "N(mu, 1) with |mu| <= delta^(-1/2), eps and delta in (0, 1), delta <= 1/n2, n2 >= "
            "max(3, n1), settings of Theorem 4.2.1 with lam = 2 log n2 and psi^lam = E|Z|^lam"
        ),
        checks=checks_of(
            moment_closed_form,
            moment_step,
            moment_algebra,
            moment_margin,
            lam_is_two_log,
            chord,
            adds_up,
            dominates,
        ),
        assumes=("TRI-T4.2.1", "TRI-P4.1.3"),
        errata=("TRI-ER-04", "TRI-ER-05"),
        why=(
            "The proof takes E|Z|^lam = O((log lam)^(lam/2)); it grows like (lam/e)^(lam/2). With "
            "the truth the best lam is of order log n and psi^2 with it; for Algorithm 2 with "
            "sigma = 10 no choice of c attains log log n (TRI-ER-05)."
        ),
        right="MSE <= O(1/n + log n/(n eps)^2), explicitly as in the formula.",
        steps=(
            *by_checks(
                moment_closed_form, moment_step, moment_algebra, lam_is_two_log, chord, adds_up
            ),
            *by_hand(
                "g(x) = x log x - x + log(2 pi)/2 - log Gamma(x + 1/2) falls along x, x + 1, x + 2, ... and tends to 0 by Stirling's formula, so it is positive.",
                "With lam = 2 L >= 2 (n2 >= 3), N = n2 eps <= n2 and n1 <= n2 the powers N^(2/lam) and n1^(2/lam) are at most e, the exponent 2 - 4/lam of delta <= 1/n2 is not negative, and Theorem 4.2.1 with the bracket (8, 4, 600) gives the bound; psi >= 1 as lam >= 2.",
            ),
        ),
        note="Bernoulli's inequality is in the checks of Proposition 4.1.3.",
    ),
)
