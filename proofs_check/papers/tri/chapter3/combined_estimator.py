"""The combined unbiased estimator, Proposition 3.0.3: clipped mean plus name-and-shame of the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter3.name_and_shame import (
    LAW,
    coin_is_private,
    mean_and_variance,
    mean_square_error,
)
from proofs_check.papers.tri.common import Box, clipping_constant, printed_table
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import diff, expand, identical, simplify, symbols

__all__ = [
    "CLAIMS",
    "combined_error",
    "combined_error_sharp",
    "combined_margin",
    "tail_constant",
]

COMBINED = (
    ((1000, 1, "0.000001", 1, 4, 0, 1), "74.767439061061", "0.191740659610103"),
    ((1000, "0.1", "0.000001", 2, 4, 0, 1), "47.2870804501588", "7.59186638440411"),
    ((100000, "0.5", "1e-9", "1.5", 3, 0, 1), "13283.2321147826", "3.52340087865198"),
    ((200, 2, "0.01", 1, 6, -1, 1), "3.6124173075513", "0.0123407023732786"),
)
"""(n, eps, delta, psi, lam, a, b), the margin and the bound."""

COMBINED_SHARP = (
    "0.0575018277696433",
    "2.27509719464632",
    "0.941088535647381",
    "0.00612751751399121",
)
"""The bound with the sharp tail constant, for the same parameters."""

TAILS = (
    ((3,), "0.148148148148148"),
    ((4,), "0.0625"),
    ((6,), "0.0219478737997257"),
    ((10,), "0.0067108864"),
)
"""(lam,) and the sharp tail constant."""

FACTORS = (
    ((3,), "1.44224957030741"),
    ((4,), "1.41421356237310"),
    ((6,), "1.31037069710445"),
    ((10,), "1.19544062473755"),
)
"""(lam,) and (lam/(lam - 2))^(1 - 2/lam)."""

ONE_PERCENT = Fraction(101, 100)


def combined_margin(n: Any, eps: Any, delta: Any, psi: Any, lam: Any, *, numbers: Any) -> Any:
    """Margin of Proposition 3.0.3: (n eps^2 psi^lam (lam - 2) / (4 lam^2 delta))^(1/lam)."""
    inside = n * eps * eps * (lam - 2) / (4 * lam * lam * delta)
    return psi * numbers.power(inside, 1 / lam)


def combined_error(
    n: Any, eps: Any, delta: Any, psi: Any, lam: Any, a: Any, b: Any, *, numbers: Any
) -> Any:
    """Proposition 3.0.3: 2/n + (4 (b-a)^2 + 24 psi^2 (n eps^2/(4 lam delta))^(2/lam))/(n eps)^2."""
    power = numbers.power(n * eps * eps / (4 * lam * delta), 2 / lam)
    return 2 / n + (4 * (b - a) * (b - a) + 24 * psi * psi * power) / (n * eps * (n * eps))


def tail_constant(lam: Any, *, numbers: Any) -> Any:
    """Sharp constant of E(|t| - c)_+^2: 4 (lam - 2)^(lam - 2) / lam^lam."""
    return 4 * numbers.power(lam - 2, lam - 2) / numbers.power(lam, lam)


def combined_error_sharp(
    n: Any, eps: Any, delta: Any, psi: Any, lam: Any, a: Any, b: Any, *, numbers: Any
) -> Any:
    """Our own: 1/n + 2 (width/(n eps))^2 + ((1-delta)/(delta n)) C psi^lam / c^(lam-2)."""
    c = combined_margin(n, eps, delta, psi, lam, numbers=numbers)
    width = (b - a + 2 * c) / (n * eps)
    tail = tail_constant(lam, numbers=numbers) * numbers.power(psi, lam) / numbers.power(c, lam - 2)
    return 1 / n + 2 * width * width + (1 - delta) / (delta * n) * tail


@confirms(
    "Two records of a law on three points, every outcome: unbiased, error exact.", Method.EXACT
)
@mutant("excess term 1 % more", factor=ONE_PERCENT)
def combined_is_exact(
    c: Fraction = Fraction(1, 2), delta: Fraction = Fraction(1, 5), factor: Fraction = Fraction(1)
) -> Finding:
    """Two records clipped to [-c, c], the excess by a coin: unbiased, and the error is exact.

    Laplace noise is independent with mean 0: it adds its variance 2 (2 c / (n eps))^2.
    """

    def clip(x: Fraction) -> Fraction:
        return min(max(x, -c), c)

    def release(x: Fraction) -> list[tuple[Fraction, Fraction]]:
        kept = clip(x)
        return [(kept + (x - kept) / delta, delta), (kept, 1 - delta)]

    bias, square = mean_square_error(release, 2)
    _, var = mean_and_variance()
    excess = sum(((x - clip(x)) ** 2 * p for x, p in LAW), Fraction(0))
    expected = var / 2 + factor * (1 - delta) / (delta * 2) * excess
    return exactly(bias == 0 and square == expected, f"bias {bias}, mean square error {square}")


@proves(
    "Given the records, the coin's estimate of an excess z has mean z and variance "
    "(1/delta - 1) z^2.",
    Method.SYMBOLIC,
)
@mutant("1.01 times", factor=ONE_PERCENT)
def coin_variance(factor: Fraction = Fraction(1)) -> Finding:
    """Given x, the coin's estimate of the excess z has mean z and variance (1/delta - 1) z^2."""
    z, delta = symbols("z delta", positive=True)
    domain: Box = {z: (0, 9), delta: (Fraction(1, 9), 1)}
    mean, square = delta * (z / delta), delta * (z / delta) ** 2
    return every(
        (
            identical(mean, z, domain),
            identical(square - mean**2, factor * (1 - delta) / delta * z**2, domain),
        )
    )


@proves("The margin minimizes the sum of the terms with c, with the value stated.", Method.SYMBOLIC)
@mutant("4.04 for 4", four=Fraction(404, 100))
def margin_minimizes(four: Fraction = Fraction(4)) -> Finding:
    """The margin c = psi r minimizes 16 c^2/(ne)^2 + 8 psi^lam c^(2-lam)/(n delta lam^2).

    At the margin n e^2 / (4 lam delta) = lam r^lam / (lam - 2), which eliminates delta. The value
    is (16 psi^2/(ne)^2) (n e^2/(4 lam delta))^(2/lam) (lam/(lam-2))^(1-2/lam).
    """
    n, eps, r, s, more = symbols("n eps r s more", positive=True)
    lam = 2 + more
    ratio = lam * r**lam / more
    delta = n * eps**2 / (four * lam * ratio)
    objective = 16 * s**2 / (n * eps) ** 2 + 8 * s ** (2 - lam) / (n * delta * lam**2)
    value = 16 / (n * eps) ** 2 * ratio ** (2 / lam) * (lam / more) ** (1 - 2 / lam)
    domain: Box = dict.fromkeys((n, eps, r, more), (Fraction(1, 2), 3))
    return every(
        (
            identical(diff(objective, s).subs(s, r) * n**2 * eps**2, 0, domain),
            identical(objective.subs(s, r), value, domain, ways=(_by_powers,)),
        )
    )


def _by_powers(e: Any) -> Any:
    return simplify(expand(e, mul=False))


@proves("The last factor is at most e^(1/e) < 3/2: 16 times it is below 24.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=Fraction(202, 100))
def last_factor(two: Fraction = Fraction(2)) -> Finding:
    """(lam/(lam-2))^(1-2/lam) = exp(-x log x) with x = 1 - 2/lam, largest at x = 1/e."""
    x = symbols("x", positive=True)
    value = -x * SYMBOLIC.log(x)
    domain: Box = {x: (Fraction(1, 9), 1)}
    more = symbols("more", positive=True)
    lam = two + more
    return every(
        (
            printed_table(
                lambda lam, *, numbers: numbers.power(lam / (lam - two), 1 - two / lam), FACTORS
            ),
            printed_table(
                lambda *, numbers: numbers.exp(1 / numbers.exp(1)), (((), "1.44466786100977"),)
            ),
            printed_table(
                lambda *, numbers: two / (1 - 1 / numbers.exp(1)), (((), "3.16395341373865"),)
            ),
            identical(
                (lam / more) ** (1 - 2 / lam), ((1 - 2 / lam) ** (2 / lam - 1)), {more: (1, 5)}
            ),
            identical(diff(value, x).subs(x, 1 / SYMBOLIC.exp(1)), 0, {}),
            identical(diff(value, x, 2), -1 / x, domain),
            exactly(ENCLOSED.exp(1 / ENCLOSED.exp(1)) < Fraction(3, 2)),
        )
    )


@proves("Lemma B.1.1 at lam/2, squared, gives the constant of the squared excess.", Method.SYMBOLIC)
@mutant("1.01 times", factor=ONE_PERCENT)
def tail_is_a_square(factor: Fraction = Fraction(1)) -> Finding:
    """Lemma B.1.1 at lam/2, squared: K(lam/2)^2 = 4 (lam - 2)^(lam - 2) / lam^lam; and its values."""
    half = symbols("half", positive=True)
    lam = 2 * half
    return every(
        (
            identical(
                4 * (lam - 2) ** (lam - 2) / (tail_constant(lam, numbers=SYMBOLIC) * lam**lam),
                1,
                {half: (2, 5)},
            ),
            identical(
                clipping_constant(half, numbers=SYMBOLIC) ** 2
                / tail_constant(lam, numbers=SYMBOLIC),
                factor,
                {half: (2, 5)},
            ),
            printed_table(tail_constant, TAILS),
        )
    )


@encloses("Values of the margin and of the bound.", Method.ENCLOSURE)
@mutant("1.01 delta", factor=ONE_PERCENT)
def combined_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the margin and of the bound; delta is multiplied by a factor under the mutant."""

    def margin(n: Any, eps: Any, delta: Any, psi: Any, lam: Any, *_: Any, numbers: Any) -> Any:
        return combined_margin(n, eps, factor * delta, psi, lam, numbers=numbers)

    def bound(
        n: Any, eps: Any, delta: Any, psi: Any, lam: Any, a: Any, b: Any, *, numbers: Any
    ) -> Any:
        return combined_error(n, eps, factor * delta, psi, lam, a, b, numbers=numbers)

    return every(
        (
            printed_table(margin, ((row, c) for row, c, _ in COMBINED)),
            printed_table(bound, ((row, value) for row, _, value in COMBINED)),
        )
    )


@encloses("Values of the bound with the sharp constant.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def combined_sharp_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the bound with the sharp tail constant."""

    def bound(
        n: Any, eps: Any, delta: Any, psi: Any, lam: Any, a: Any, b: Any, *, numbers: Any
    ) -> Any:
        return combined_error_sharp(n, factor * eps, delta, psi, lam, a, b, numbers=numbers)

    rows = zip((row for row, _, _ in COMBINED), COMBINED_SHARP, strict=True)
    return printed_table(bound, rows)


@proves("The printed terms are at least the exact ones: 4 w^2 + 16 c^2, and 8/lam^2.", Method.SMT)
@mutant("3.96 w^2 + 15.84 c^2", four=Fraction(396, 100))
@for_all(reals("w c r"), polynomial=True)
def printed_terms_dominate(w: Any, c: Any, r: Any, *, four: Fraction = Fraction(4)) -> Condition:
    """2 (w + 2 c)^2 <= 4 w^2 + 16 c^2, and the sharp tail constant 4 r^(lam-2)/lam^2 <= 8/lam^2.

    Here r = (lam - 2)/lam < 1 and R stands for r^(lam - 2) <= 1.
    """
    width = 2 * (w + 2 * c) * (w + 2 * c) <= four * w * w + 4 * four * c * c
    return all_of(width, implies(all_of(0 <= r, r <= 1), 4 * r <= 2 * four))


CLAIMS = (
    Claim(
        id="TRI-P3.0.3",
        source="Proposition 3.0.3",
        says=(
            "The noisy clipped mean plus a name-and-shame estimate of what was clipped off is "
            "(eps, delta)-DP, unbiased, and has a mean square error of at most the bound."
        ),
        latex=r"\mathrm{MSE}\le\frac2n+\frac{4(b-a)^2}{(n\varepsilon)^2}+"
        r"\frac{24\psi^2}{(n\varepsilon)^2}"
        r"\left(\frac{n\varepsilon^2}{4\lambda\delta}\right)^{2/\lambda}",
        domain=(
            "eps > 0, 0 < delta <= 1, psi > 0, lam > 2, a < b; mean in [a, b], variance at most 1, "
            "E|X - mu|^lam <= psi^lam"
        ),
        status=Status.PROVED,
        assumes=("TRI-LB.1.1", "TRI-LB.1.4", "TRI-P3.0.3-exact"),
        checks=checks_of(
            reworded(
                coin_is_private,
                "Without the changed record's coin eps-DP, with it at most delta more.",
            ),
            tail_is_a_square,
            printed_terms_dominate,
            margin_minimizes,
            last_factor,
            combined_values,
        ),
        steps=(
            *by_checks(
                coin_is_private,
                tail_is_a_square,
                printed_terms_dominate,
                margin_minimizes,
                last_factor,
            ),
            ByClaim(
                "TRI-P3.0.3-exact",
                "By TRI-P3.0.3-exact, MSE = Var/n + 2 (w + 2c)^2/(n eps)^2 + ((1-delta)/(delta n)) times the mean squared excess, w = b - a.",
            ),
            ByClaim(
                "TRI-LB.1.1",
                "As mu is at least c from both ends, the excess is at most (|X - mu| - c)_+, whose square Lemma B.1.1 bounds by 4 (lam-2)^(lam-2)/lam^lam times |X - mu|^lam / c^(lam-2), at most (8/lam^2) |X - mu|^lam / c^(lam-2).",
            ),
            ByHand(
                "The terms with c are those that the margin minimizes (the sum of powers is convex in log c)."
            ),
        ),
        note="The intermediate display must read clip at the widened ends.",
    ),
    Claim(
        id="TRI-P3.0.3-exact",
        source="our own",
        ours=True,
        says=(
            "The combined estimator is unbiased on every data set and for every margin c, and its "
            "mean square error is an identity."
        ),
        latex=r"\mathrm{MSE}=\frac{\mathrm{Var}}n+2\Big(\frac{\hat b-\hat a}"
        r"{n\varepsilon}\Big)^2+\frac{1-\delta}{\delta n}E\big[(X-\mathrm{clip}(X))^2\big]",
        domain="eps > 0, 0 < delta <= 1, any c >= 0, finite variance",
        status=Status.PROVED,
        checks=checks_of(
            coin_variance,
            combined_is_exact,
            reworded(tail_is_a_square, "The sharp constant of the squared excess."),
            combined_sharp_values,
        ),
        steps=(
            ByCheck("coin_variance"),
            *by_hand(
                "Given the data, the estimator has the sample mean as its mean; the noise (variance 2 (width/(n eps))^2) and the coins are independent.",
                "The law of total variance adds Var/n.",
            ),
            ByCheck(
                "tail_is_a_square",
                "With Var <= 1 and the tail constant this is the sharp form of 3.0.3.",
            ),
        ),
    ),
)
