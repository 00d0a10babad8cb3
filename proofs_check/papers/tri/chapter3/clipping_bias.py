"""How much clipping can move a mean: Lemmas B.1.1 and B.1.2, and the sharp constants.

With t = X - mu, clipping to [a, b] moves the mean by E(a - X)_+ - E(X - b)_+, and each of the two
parts is at most the larger one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.common import Box, clipping_constant, printed_table
from proofs_check.smt import absolute, all_of, choose, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import diff, identical, log, sqrt, symbols

__all__ = ["CLAIMS", "excess_bound", "scarf_bound", "scarf_holds"]

HALF = Fraction(1, 2)

CONSTANTS = (
    (("1.5",), "0.384900179459751"),
    ((2,), "0.25"),
    ((3,), "0.148148148148148"),
    ((4,), "0.10546875"),
    ((10,), "0.0387420489"),
)
"""(lam,) and K(lam)."""

EXCESSES = (
    ((2, 1, 2), 1, "1"),
    ((2, 1, 3), 2, "2.25"),
    ((3, 2, 3), 1, "1"),
    ((10, 1, "1.2"), "0.2", "0.239880555252532"),
    (("1.5", "0.5", 4), 0, "4.35464843161454"),
)
"""(lam, c, |t|), (t - c)_+ and its bound; in the last row t = -4."""

SCARF = (
    (("0.5",), "0.309016994374947"),
    ((1,), "0.207106781186548"),
    ((5,), "0.0495097567963924"),
    ((10,), "0.0249378105604451"),
    ((100,), "0.0024999375031248"),
)
"""(c,) and the largest bias at variance 1."""


ONE_PERCENT = Fraction(101, 100)


def excess_bound(lam: Any, c: Any, t: Any, *, numbers: Any) -> Any:
    """Right side of Lemma B.1.1 at |t| = t: K(lam) t^lam / c^(lam - 1)."""
    return (
        clipping_constant(lam, numbers=numbers) * numbers.power(t, lam) / numbers.power(c, lam - 1)
    )


def scarf_bound(c: Any, *, numbers: Any) -> Any:
    """Sharp bias at variance 1 and distance c: (sqrt(1 + c^2) - c) / 2."""
    return (numbers.sqrt(1 + c * c) - c) / 2


@proves(
    "At t = c lam/(lam - 1) the right side equals t - c, has slope 1, and its second "
    "derivative is a positive multiple of t^(lam - 2).",
    Method.SYMBOLIC,
)
@mutant("touching at c lam / (lam - 0.99)", shift=Fraction(99, 100))
def bound_touches(shift: Fraction = Fraction(1)) -> Finding:
    """At t = c lam / (lam - 1) the bound equals t - c and has slope 1 (so it is tangent)."""
    c, t, more = symbols("c t more", positive=True)
    lam = 1 + more
    bound = excess_bound(lam, c, t, numbers=SYMBOLIC)
    touch = c * lam / (lam - shift)
    domain: Box = {c: (1, 4), more: (HALF, 5)}
    return every(
        (
            identical(bound.subs(t, touch), touch - c, domain),
            identical(diff(bound, t).subs(t, touch), 1, domain),
            identical(
                diff(bound, t, 2) / (lam * more * clipping_constant(lam, numbers=SYMBOLIC)),
                t ** (lam - 2) / c ** (lam - 1),
                {t: (1, 9)} | domain,
            ),
        )
    )


@encloses("Values of both sides.", Method.ENCLOSURE)
@mutant("K(lam) 1 % larger", factor=ONE_PERCENT)
def excess_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the bound, and that (t - c)_+ is at most as large in each row."""

    def formula(lam: Any, c: Any, t: Any, *, numbers: Any) -> Any:
        return factor * excess_bound(lam, c, t, numbers=numbers)

    rows = ((row, printed) for row, _, printed in EXCESSES)
    below = all(Fraction(left) <= Fraction(printed) for _, left, printed in EXCESSES)
    return every((printed_table(formula, rows), Finding(holds=below)))


@proves(
    "Clipping moves no record away from mu, and changes x by (a - x)_+ - (x - b)_+.", Method.SMT
)
@mutant("|x - mu| 1 % smaller", reach=Fraction(99, 100))
@for_all(reals("x mu a b"))
def clipping_contracts(
    x: Any, mu: Any, a: Any, b: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """|clip(x) - mu| <= |x - mu| for mu in [a, b], and clip(x) - x = (a - x)_+ - (x - b)_+."""
    clipped = choose(x < a, a, choose(x > b, b, x))
    low, high = choose(a > x, a - x, a - a), choose(x > b, x - b, b - b)
    return implies(
        all_of(a <= mu, mu <= b),
        all_of(
            absolute(clipped - mu) <= reach * absolute(x - mu),
            clipped - x == low - high,
        ),
    )


@proves("The mean square error is variance / n plus squared bias.", Method.SYMBOLIC)
@mutant("bias 1 % larger", factor=ONE_PERCENT)
def error_splits(factor: Fraction = Fraction(1)) -> Finding:
    """E(mean - mu)^2 = Var / n + (m - mu)^2: the second moment s of one clipped record, n free."""
    n, m, mu, s = symbols("n m mu s", positive=True)
    mean_square = s / n + (n - 1) * m**2 / n
    left = mean_square - 2 * mu * m + mu**2
    right = (s - m**2) / n + factor * (m - mu) ** 2
    return identical(left, right, {n: (1, 9), m: (0, 2), mu: (3, 4), s: (5, 9)})


@proves("The difference of the two parts is at most the bound at the nearer end.", Method.SMT)
@mutant("1 % less", factor=Fraction(99, 100))
@for_all(reals("u v k d1 d2"), polynomial=True)
def larger_part_bounds_the_difference(
    u: Any, v: Any, k: Any, d1: Any, d2: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """Of parts u, v >= 0 at most k/d1 and k/d2: |u - v| <= k / min(d1, d2)."""
    given = all_of(u >= 0, v >= 0, d1 > 0, d2 > 0, k >= 0, u * d1 <= k, v * d2 <= k)
    least = choose(d1 < d2, d1, d2)
    return implies(given, absolute(u - v) * least <= factor * k)


@proves("lam K(lam) = (1 - u)^(1/u - 1) with u = 1/lam, and log(1 - u) <= -u.", Method.SYMBOLIC)
@mutant("log(1 - u) <= -1.01 u", factor=ONE_PERCENT)
def constant_below_inverse(factor: Fraction = Fraction(1)) -> Finding:
    """log(lam K(lam)) = (lam - 1) log(1 - u) with u = 1/lam; and log(1 - u) + u falls from 0."""
    u = symbols("u", positive=True)
    lam = 1 / u
    domain: Box = {u: (Fraction(1, 9), Fraction(8, 9))}
    slack = log(1 - u) + factor * u
    return every(
        (
            identical(
                lam * clipping_constant(lam, numbers=SYMBOLIC),
                (1 - u) ** (lam - 1),
                domain,
            ),
            identical(diff(slack, u), -u / (1 - u), domain),
            identical(slack.subs(u, 0), 0, {}),
        )
    )


@proves("Our own: for variance 1 the bias is at most (sqrt(1 + c^2) - c) / 2.", Method.SMT)
@mutant("1 % less", excess=ONE_PERCENT)
def scarf_holds(excess: Fraction = Fraction(1)) -> Finding:
    """(t - c)_+ <= (t - c + w)^2 / (4 w) for w > 0: with w^2 = 1 + c^2 the mean is (w - c) / 2."""

    def statement(t: Any, c: Any, w: Any) -> Any:
        above = choose(t > c, t - c, t - t)
        return implies(w > 0, 4 * exact(excess) * w * above <= (t - c + w) * (t - c + w))

    c = symbols("c", positive=True)
    w = sqrt(1 + c**2)
    return every(
        (
            valid(reals("t c w"), statement, polynomial=True),
            identical((1 + (w - c) ** 2) / (4 * w), scarf_bound(c, numbers=SYMBOLIC), {c: (0, 9)}),
        )
    )


@proves("Our own: a law on two points attains it.", Method.SYMBOLIC)
@mutant("the larger point 1 % off", scale=ONE_PERCENT)
def scarf_attained(scale: Fraction = Fraction(1)) -> Finding:
    """The law t = c + sqrt(1 + c^2) w.p. 1/(1 + t^2), else -1/t: mean 0, variance 1, this bias."""
    c = symbols("c", positive=True)
    t = scale * (c + sqrt(1 + c**2))
    p = 1 / (1 + t**2)
    domain: Box = {c: (0, 9)}
    return every(
        (
            identical(p * t - (1 - p) / t, 0, domain),
            identical(p * t**2 + (1 - p) / t**2, 1, domain),
            identical(p * (t - c), scarf_bound(c, numbers=SYMBOLIC), domain),
        )
    )


@encloses("Values of the sharp bias (below 1/(4c)).", Method.ENCLOSURE)
@mutant("1.01 for 1 under the root", one=ONE_PERCENT)
def scarf_values(one: Fraction = Fraction(1)) -> Finding:
    """Values of the sharp bias."""
    return printed_table(lambda c, *, numbers: (numbers.sqrt(one + c * c) - c) / 2, SCARF)


@encloses("Values of K(lam).", Method.ENCLOSURE)
@mutant("1 % more", factor=ONE_PERCENT)
def constants(factor: Fraction = Fraction(1)) -> Finding:
    """Values of K."""
    return printed_table(
        lambda lam, *, numbers: factor * clipping_constant(lam, numbers=numbers), CONSTANTS
    )


CLAIMS = (
    Claim(
        id="TRI-LB.1.1",
        source="Lemma B.1.1",
        says="The excess of t over c is at most a constant times |t|^lam / c^(lam - 1).",
        latex=r"(t-c)_+ \le \frac{(\lambda-1)^{\lambda-1}}{\lambda^\lambda}\,"
        r"\frac{|t|^\lambda}{c^{\lambda-1}}",
        domain="lam > 1, c > 0, t real",
        status=Status.PROVED,
        checks=checks_of(bound_touches, excess_values),
        steps=(
            ByCheck("bound_touches"),
            *by_hand(
                "For t <= c the left side is 0.",
                "For t > 0 the right side is convex, so it lies above its tangent at c lam/(lam - 1), which is t - c: equality holds there.",
            ),
        ),
        note="(The thesis calls |t|^lam convex on the line without 0; it is convex on the whole line.)",
    ),
    Claim(
        id="TRI-LB.1.2",
        source="Lemma B.1.2",
        says=(
            "The mean of clipped records has a mean square error of at most E(X - mu)^2 / n plus "
            "the squared bias of clipping, and that bias is at most K(lam) E|X - mu|^lam over the "
            "(lam - 1)-th power of the distance from mu to the nearer end."
        ),
        latex=r"|\mu_{[a,b]}-\mu| \le \frac{K(\lambda)\,E|X-\mu|^\lambda}"
        r"{\min\{\mu-a,\,b-\mu\}^{\lambda-1}},\quad K(\lambda)\le"
        r"\tfrac1\lambda e^{-1+1/\lambda}\le\tfrac1\lambda",
        domain="lam > 1, a < mu < b; for lam = 2 also the sharp constant (our own)",
        status=Status.PROVED,
        assumes=("TRI-LB.1.1",),
        checks=checks_of(
            clipping_contracts,
            error_splits,
            larger_part_bounds_the_difference,
            constant_below_inverse,
            constants,
            scarf_holds,
            scarf_attained,
            scarf_values,
        ),
        steps=(
            *by_checks(
                clipping_contracts,
                error_splits,
                larger_part_bounds_the_difference,
                constant_below_inverse,
                scarf_holds,
                scarf_attained,
            ),
            ByClaim(
                "TRI-LB.1.1",
                "With t = X - mu, the bias is E(a - X)_+ - E(X - b)_+, two parts that Lemma B.1.1 bounds at c = mu - a and c = b - mu.",
            ),
            *by_hand(
                "Var(clip X) <= E(clip X - mu)^2 <= E(X - mu)^2 gives the first inequality.",
                "For lam = 2 take expectations of (t - c + w)^2 / (4w).",
            ),
        ),
        note="The last display of the proof has lost a minus sign (TRI-ER-14); the lemma stands.",
    ),
)
