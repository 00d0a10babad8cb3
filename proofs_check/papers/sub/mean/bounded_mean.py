"""Mean of data in an interval (Algorithm 1): privacy, and its exact error (Section 3.1).

Error over width depends only on N = n eps and on rho = (mean - midpoint) / width. With X, Y
standard Laplace it is E |clip((N rho + Y) / (N + 2 X), -1/2, 1/2) - rho|.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, ComplexBall, Complexes, integral
from proofs_check.papers.sub.common import PERCENT, clip
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, choose, exact, implies, reals, valid
from proofs_check.solver import solve
from proofs_check.statements.decision import decided
from proofs_check.statements.domain import Domain
from proofs_check.statements.forms import Private
from proofs_check.statements.terms import real_symbols
from proofs_check.steps import ByCheck, ByDefinition, ByHand
from proofs_check.symbolic import exp, identical, integrate, symbols

__all__ = [
    "CLAIMS",
    "bounded_mean",
    "excess_across",
    "excess_left",
    "excess_right",
    "normalized_error",
]

HALF = Fraction(1, 2)
ERRORS = (
    ("1", "0", "0.331859251830996"),
    ("5", "0.3", "0.197011620410754"),
    ("20", "0.45", "0.0512461799667827"),
    ("100", "0.25", "0.0116811397810941"),
    ("10", "0.5", "0.0658946439761113"),
)
SIZES = (1, 2, 5, 10, 20, 50, 100, 1000)
TABLE = (
    ("0", "0.3319 0.6016 1.0056 1.0763 1.0230 1.0033 1.0008 1.0000"),
    ("0.3", "0.3823 0.6565 0.9851 1.1191 1.2226 1.2315 1.2266 1.2250"),
    ("0.45", "0.4264 0.6839 0.8387 0.8514 1.0249 1.3096 1.4140 1.4263"),
    ("0.49", "0.4390 0.6889 0.7774 0.7023 0.7627 0.9268 1.1058 1.4849"),
    ("0.5", "0.4421 0.6899 0.7606 0.6589 0.6736 0.7144 0.7312 0.7480"),
)
"""rho, and N times the error for the sizes N."""


def bounded_mean(
    data: tuple[Any, ...],
    lower: Any,
    upper: Any,
    count_noise: Any,
    sum_noise: Any,
    *,
    middle: Any = None,
) -> Any:
    """Algorithm 1 with given noise: clip((sum of x - m + noise) / (n + noise), -w/2, w/2) + m."""
    center = (lower + upper) * HALF if middle is None else middle
    half_width = (upper - lower) * HALF
    total = sum(clip(x, lower, upper) - center for x in data) + sum_noise
    count = len(data) + count_noise
    ratio = total / count if count else 0 * total
    return clip(ratio, -half_width, half_width) + center


def excess_right(c: Any, h: Any, *, numbers: Any) -> Any:
    """T(c, h) = E min(max(Y - c, 0), h) for c >= 0."""
    return numbers.exp(-c) * (1 - numbers.exp(-h)) / 2


def excess_left(c: Any, h: Any, *, numbers: Any) -> Any:
    """T(c, h) for c + h <= 0."""
    return h - (numbers.exp(c + h) - numbers.exp(c)) / 2


def excess_across(c: Any, h: Any, *, numbers: Any) -> Any:
    """T(c, h) for c <= 0 <= c + h."""
    return -c - (1 - numbers.exp(c)) / 2 + (1 - numbers.exp(-(c + h))) / 2


def normalized_error(
    size: Fraction, rho: Fraction, *, numbers: Balls, reach: int = 60, slope: Fraction = Fraction(2)
) -> Ball:
    """Enclose E(N, rho) = integral of e^(-|x|) g(x) / 2, with delta = N + 2 x and c = 2 rho x.

    g = [T(c, |delta| (1/2 -+ rho)) + T(-c, |delta| (1/2 +- rho))] / |delta|, with the upper signs
    for delta > 0. Beyond |x| = reach, g lies between 0 and 1.
    """
    shares = HALF - rho, HALF + rho
    kinks = {-2 * size * share / slope for share in (*shares, HALF)} | {Fraction(0)}
    ends = sorted({Fraction(-reach), Fraction(reach)} | {x for x in kinks if abs(x) < reach})
    tail = numbers.exp(numbers.rational(Fraction(-reach)))
    total = tail * numbers.between(Fraction(0), Fraction(1))
    for left, right in pairwise(ends):
        middle = (left + right) / 2
        side = 1 if size + slope * middle > 0 else -1
        parts = []
        for sign, share in zip((1, -1), shares[::side], strict=True):
            c, h = sign * slope * rho * middle, share * abs(size + slope * middle)
            parts.append((sign, share, "right" if c >= 0 else "left" if c + h <= 0 else "across"))
        start = 1 if middle > 0 else -1

        def density(
            x: ComplexBall, f: Complexes, s: int = side, p: Any = parts, t: int = start
        ) -> ComplexBall:
            delta = (x * slope + size) * s
            terms = [
                _excess_rate(x * (sign * slope * rho), delta, k, case, numbers=f)
                for sign, k, case in p
            ]
            return f.exp(x * -t) * (terms[0] + terms[1]) / 2

        total = total + integral(density, left, right, numbers=numbers)
    return total


def _excess_rate(
    c: ComplexBall, delta: ComplexBall, share: Fraction, case: str, *, numbers: Complexes
) -> ComplexBall:
    """T(c, delta share) / delta, without dividing by a delta that may be 0."""
    h = delta * share
    if case == "right":
        return numbers.exp(-c) * numbers.mean_exp(-h) * share / 2
    if case == "left":
        return share - numbers.exp(c) * numbers.mean_exp(h) * share / 2
    crossing: ComplexBall = excess_across(c, h, numbers=numbers)
    return crossing / delta


@proves("Outputs for given noise.", Method.EXACT)
@mutant("records not centered", middle=Fraction(0))
@mutant("m 1 % larger", middle=2 * PERCENT)
def algorithm_examples(middle: Fraction | None = None) -> Finding:
    """D = {1, 2, 4} in [0, 4]: without noise 7/3; with count noise -6, 5/3; sums are clipped."""
    third = Fraction(1, 3)
    cases = ((0, 0, 7 * third), (-6, 0, 5 * third), (3, 2, Fraction(5, 2)), (0, 99, 4), (-3, 1, 2))
    found = [
        bounded_mean((1, 2, 4), Fraction(0), Fraction(4), *c[:2], middle=middle) for c in cases
    ]
    return exactly(found == [c[2] for c in cases], f"outputs {', '.join(map(str, found))}")


@proves("A record moves the count by 1 and the centered sum by at most w / 2.", Method.SMT)
@mutant("99 eps / 100", share=Fraction(99, 100))
@mutant("budget 0.505 eps for the count", count_share=Fraction(101, 200))
@mutant("0.505 eps for the sum", sum_share=Fraction(101, 200))
@decided(solve, polynomial=True)
def mean_is_private(
    count_share: Fraction = HALF, sum_share: Fraction = HALF, share: Fraction | int = 1
) -> Private:
    """Exponents: (eps / 2) (|a - 1| - |a|) + (eps / w) (|b - v| - |b|) is within +-eps.

    a and b are the noise in the count and in the sum, and |v| <= w / 2 the record that is added.
    """
    a, b, eps, v, w = real_symbols("a b eps v w")
    count = count_share * absolute(absolute(a - 1) - absolute(a))
    noise = 2 * sum_share * absolute(absolute(b - v) - absolute(b)) / w
    return Private(
        "The bounded mean",
        "add-remove",
        Domain((eps > 0, w > 0, absolute(v) <= w / 2), free=(a, b)),
        loss=eps * (count + noise),
        budget=share * eps,
    )


@proves("The ratio scales.", Method.SYMBOLIC)
@mutant("N + 2.02 X", slope=2 * PERCENT)
def error_scales(slope: Fraction = Fraction(2)) -> Finding:
    """(n rho w + w Y / eps) / (n + 2 X / eps) = w (N rho + Y) / (N + 2 X)."""
    n, e, w, rho, x, y = symbols("n epsilon w rho X Y", positive=True)
    algorithm = (n * rho * w + w * y / e) / (n + 2 * x / e)
    right = w * (n * e * rho + y) / (n * e + slope * x)
    return identical(
        algorithm, right, {n: (1, 9), e: (0, 2), w: (1, 3), rho: (0, 1), x: (0, 5), y: (0, 5)}
    )


@proves("The clipped error is a clipped excess and a clipped shortfall.", Method.SMT)
@mutant("0.505 for 1/2", half=Fraction(101, 200))
def clipped_error_splits(half: Fraction = HALF) -> Finding:
    """|clip(q) - rho| = min(max(q - rho, 0), 1/2 - rho) + min(max(rho - q, 0), 1/2 + rho)."""

    def part(z: Any, most: Any) -> Any:
        return choose(z < 0, 0, choose(z > most, most, z))

    def statement(q: Any, rho: Any) -> Any:
        h = exact(HALF)
        clipped = choose(q < -h, -h, choose(q > h, h, q))
        right = part(q - rho, exact(half) - rho) + part(rho - q, exact(half) + rho)
        return implies(all_of(-h <= rho, rho <= h), absolute(clipped - rho) == right)

    return valid(reals("q rho"), statement)


@proves("T in closed form.", Method.SYMBOLIC)
@mutant("0.505 e^-|y|", half=Fraction(101, 200))
def excess_formulas(half: Fraction = HALF) -> Finding:
    """T(c, h) = integral of P(Y > c + t) over 0 < t < h, in its three cases."""
    t, u, h, k = symbols("t u h k", positive=True)
    box = {u: (0, 3), h: (0, 3), k: (0, 3)}
    right = integrate(half * exp(-(u + t)), (t, 0, h))  # c = u
    left = integrate(1 - half * exp(-u - h + t), (t, 0, h))  # c = -u - h
    across = integrate(1 - half * exp(-u + t), (t, 0, u)) + integrate(half * exp(-t), (t, 0, k))
    return every(
        (
            identical(right, excess_right(u, h, numbers=SYMBOLIC), box),
            identical(left, excess_left(-u - h, h, numbers=SYMBOLIC), box),
            identical(across, excess_across(-u, u + k, numbers=SYMBOLIC), box),
        ),
        detail="all three cases by integration",
    )


@encloses("Five values.", Method.ENCLOSURE)
@mutant("N + 2.02 x", slope=2 * PERCENT)
def errors_as_printed(slope: Fraction = Fraction(2)) -> Finding:
    """E(N, rho) at five points, to fifteen digits."""
    numbers = Balls(80)
    rows = []
    for size, rho, text in ERRORS:
        error = normalized_error(Fraction(size), Fraction(rho), numbers=numbers, slope=slope)
        rows.append((f"E({size}, {rho})", text, error))
    return as_printed(rows)


@encloses("Forty values of N E.", Method.ENCLOSURE)
@mutant("N + 2.02 x", slope=2 * PERCENT)
def table_as_printed(slope: Fraction = Fraction(2)) -> Finding:
    """N E(N, rho) for eight sizes and five positions."""
    numbers = Balls(53)
    rows = []
    for rho, line in TABLE:
        for size, text in zip(SIZES, line.split(), strict=True):
            error = normalized_error(
                Fraction(size), Fraction(rho), numbers=numbers, reach=30, slope=slope
            )
            rows.append((f"N E at N = {size}, rho = {rho}", text, error * size))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="SUB-A1",
        source="Algorithm 1",
        says="The bounded mean divides a noisy sum of centered records by a noisy count, clips, and moves back.",
        latex=r"\hat\mu = \mathrm{clip}\Big(\frac{\sum (x_i - m) + \mathrm{Lap}(w/\varepsilon)}{n + \mathrm{Lap}(2/\varepsilon)}, \pm\tfrac w2\Big) + m",
        domain="l < u public, w = u - l, m = (l + u) / 2; a noisy count of 0 gives m",
        status=Status.DEFINITION,
        checks=checks_of(algorithm_examples),
    ),
    Claim(
        id="SUB-L3.3p",
        source="Lemma 3.3, privacy",
        states=(mean_is_private,),
        domain="v is a clipped record less the midpoint, a and b are the noise of count and sum",
        status=Status.PROVED,
        checks=checks_of(mean_is_private),
        steps=(
            ByDefinition(
                "KSW-D1",
                "The joint density of noisy count and noisy sum changes by at most e^eps at every point; the mean is computed from them.",
            ),
        ),
    ),
    Claim(
        id="SUB-L3.3e",
        source="our own (the exact error of Algorithm 1)",
        says="Error over width depends only on N = n eps and rho = (mean - midpoint) / width, and is a one-dimensional integral.",
        latex=r"E(N, \rho) = \int \tfrac12 e^{-|x|} \frac{T(c, |\delta|(\frac12 \mp \rho)) + T(-c, |\delta|(\frac12 \pm \rho))}{|\delta|} dx,\ \delta = N + 2x,\ c = 2 \rho x",
        domain="n >= 1, eps > 0, |rho| <= 1/2; T(c, h) = E min(max(Y - c, 0), h)",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            error_scales, clipped_error_splits, excess_formulas, errors_as_printed, table_as_printed
        ),
        steps=(
            ByCheck("error_scales"),
            ByCheck("clipped_error_splits"),
            ByCheck("excess_formulas"),
            ByHand(
                "For delta > 0, q - rho = (Y - c) / delta; for delta < 0, q - rho = (-Y + c) / |delta| and -Y has the law of Y, so c changes its sign."
            ),
        ),
        note="The values are rigorous integrals up to |x| = 60, with a tail between 0 and e^-60.",
    ),
)
