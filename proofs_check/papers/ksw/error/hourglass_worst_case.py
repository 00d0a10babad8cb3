"""Hourglass noise keeps its worst-case error bound for every number of records (our own).

For n records with normalized sum a <= n - a = c, the error of Algorithm 3 on a positive noisy count
is at most that of Z1 clipped to [-a, c], which leaves out R(a) + R(c) of the variance, with R(u) the
integral of 2 v P(Z1 > v) over v > u. A noisy count of 0 or less costs less than R(a) alone.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.language import (
    TERMS,
    Condition,
    Domain,
    Inequality,
    absolute,
    all_of,
    cover,
    decided,
    for_all,
    implies,
    integers,
    real_symbols,
    reals,
)
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.error.hourglass_law import (
    Hourglass,
    best_hourglass,
    enough_lines,
    hourglass_error,
)
from proofs_check.papers.ksw.noise.hourglass import hourglass_level
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    best_y_cubed,
    height,
    in_level,
    mean_absolute,
)
from proofs_check.steps import ByCheck
from proofs_check.symbolic import identical, integrate, symbols

__all__ = ["CLAIMS", "beyond_one", "count_not_positive", "least_tail"]

Formula = Callable[..., Any]
NUMBERS = Balls(64)
HALF = Fraction(1, 2)
END = Fraction(61, 50)
"""e^(-END) < 8/27."""


def beyond_one(b: Any, y: Any) -> Any:
    """R(1) = b (V / 2 + E |Z|) at y*, because P(Z > v + 1) = b P(Z > v)."""
    return b * (best_variance(b, y) / 2 + mean_absolute(b, y))


def least_tail(theta: Any, b: Any, y: Any) -> Any:
    """At most R(theta) - R(1) for 0 <= theta <= 1: P(Z > v) >= b / 2 + h b (1 - v) for v <= 1."""
    cubic = Fraction(1, 3) - theta**2 + Fraction(2, 3) * theta**3
    return b / 2 * (1 - theta**2) + height(b, y) * b * cubic


def count_not_positive(n: Any, a: Any, b: Any, b_n: Any, y: Any) -> Any:
    """n^2 E (X - p)^2 on a noisy count of 0 or less is at most this, with b_n = b^n and a <= n / 2.

    The output is the midpoint at a count of 0, and at most (n - a) / n off below.
    """
    noise = Hourglass(b, y)
    zero = noise.sum_is(0) / noise.height + n  # n + c of KSW-H1
    below = b * ((zero + 1) / (1 - b) + b / (1 - b) ** 2)
    return noise.height * b_n * ((HALF * n - a) ** 2 * zero + (n - a) ** 2 * below)


@proves("On each line z1 + z2 = t the density is a falling function of |z1 - t / 2|.", Method.SMT)
@mutant("k = |s| + |t| for |s| + |t - s|", level=lambda t, s: absolute(s) + absolute(t))
@for_all(reals("z x gamma") | integers("t s r"))
def symmetric_and_unimodal(
    z: Any, x: Any, gamma: Any, t: Any, s: Any, r: Any, *, level: Formula = hourglass_level
) -> Condition:
    """On each line the density falls with the distance of z1 from t / 2, and depends on it only."""
    given = all_of(
        0 < gamma,
        gamma <= 1,
        in_level(z, s, gamma),
        in_level(x, r, gamma),
        absolute(2 * z - t) <= absolute(2 * x - t),
    )
    return implies(given, level(t, s) <= level(t, r))


@proves("Closed forms of R(1) and of a lower bound of R(theta) - R(1).", Method.SYMBOLIC)
@mutant(
    "0.66 theta^3 for 2/3 theta^3",
    lowest=lambda theta, b, y: least_tail(theta, b, y) - height(b, y) * b * theta**3 / 150,
)
def tail_in_closed_form(lowest: Formula = least_tail) -> Finding:
    """The integral of 2 v (b / 2 + h b (1 - v)) over theta < v < 1, and R(1) in one fraction."""
    v, theta, b, y = symbols("v theta b y", positive=True)
    part = integrate((2 * v * (b / 2 + height(b, y) * b * (1 - v))).expand(), (v, theta, 1))
    domain = {theta: (0, 1), b: (0, 1), y: (0, 1)}
    one = b * (b + y**2) * (y + 1 - b) / (2 * y * (1 - b) ** 2)
    return every(
        [
            identical(part, lowest(theta, b, y), domain),
            identical(beyond_one(b, y), one, {b: (0, 1), y: (0, 1)}),
        ]
    )


@proves(
    "The cost of a count of 0 or less is b^j (base + j slope), less a term that is at least 0.",
    Method.SYMBOLIC,
)
@mutant("0.2525 for 1/4", quarter=Fraction(101, 400))
def by_whole_and_part(quarter: Fraction = Fraction(1, 4)) -> Finding:
    """With a = j + theta and c = m - theta the cost is b^j (base + j slope), and a little less."""
    b, y, m, j, theta, w = symbols("b y m j theta w", positive=True)  # w = b^m, b^j cancels
    A = Hourglass(b, y).height
    cost = count_not_positive(m + j, j + theta, b, w, y)
    base = count_not_positive(m, theta, b, w, y)
    slope = A * w * ((m - 2 * theta) ** 2 / 4 + (m - theta) ** 2 * b / (1 - b))
    zero = m + j + Hourglass(b, y).sum_is(0) / A
    less = A * w * zero * j * (2 * (m - 2 * theta) - j) * quarter
    domain: dict[Any, tuple[int, int]] = {b: (0, 1), y: (0, 1), w: (0, 1), theta: (0, 1)}
    return identical(cost, base + j * slope - less, domain | {m: (1, 9), j: (0, 9)})


def _best_y(v: Any, *, numbers: Any) -> Any:
    """Y* = v ((1 + b) / 2)^(1/3) for b = v^3."""
    return v * numbers.root((1 + v**3) / 2, 3)


def _inner(b: Any, y: Any) -> Any:
    """(1 - b) c for c = 2 gamma + 2 b^2 / (1 - b^2) of KSW-H1."""
    return 2 * (y - b) + 2 * b**2 / (1 + b)


@proves("m = 1: the base is below R(theta), on the whole strip of b and theta.", Method.COVER)
@mutant("an end for the midpoint at count 0", off_at_zero=lambda t: 1 - t)
@decided(cover, box={"v": (0, 1), "theta": (0, HALF)})
def one_record(off_at_zero: Formula = lambda theta: HALF - theta) -> Inequality:
    """M = 1: base < R(1) + least_tail for 0 <= b <= 1, 0 <= theta <= 1/2; times 2 y (1 - b)^2 / b."""
    v, theta = real_symbols("v theta")
    b, y = v**3, _best_y(v, numbers=TERMS)
    d, inner = 1 - b, _inner(b, y)
    at_zero = off_at_zero(theta) ** 2 * d * (d + inner)
    below = (1 - theta) ** 2 * b * (2 * d + inner + b)
    cubic = Fraction(1, 3) - theta**2 + Fraction(2, 3) * theta**3
    tail = (b + y**2) * (y + d) + d**2 * (y * (1 - theta**2) + d * cubic)
    domain = Domain((v >= 0, v <= 1, theta >= 0, theta <= HALF))
    return Inequality(domain, d**2 * (at_zero + below) / (1 + b), "<", tail)


@proves("m = 2, b <= 8/27: the base is below R(1).", Method.COVER)
@mutant("m = 1 for m = 2", m=1)
@decided(cover, box={"v": (0, Fraction(2, 3))})
def more_records_large_epsilon(m: int = 2) -> Inequality:
    """M = 2: base < R(1) for 0 <= b <= 8/27; times 2 y (1 + b) / (b v^2)."""
    (v,) = real_symbols("v")
    b, y = v**3, _best_y(v, numbers=TERMS)
    d, inner = 1 - b, _inner(b, y)
    at_zero = d * (m * d + inner) / 4
    below = b * ((m + 1) * d + inner + b)
    squares = v + TERMS.root((1 + b) / 2, 3) ** 2  # (b + y^2) / v^2
    domain = Domain((v >= 0, 3 * v <= 2))
    right = (1 + b) * squares * (y + d) / d**2
    return Inequality(domain, m**2 * v ** (3 * m - 5) * (at_zero + below), "<", right)


def _covered_from_the_end(statement: Inequality) -> Finding:
    """A box proof, and that the largest eps of the box belongs to b <= 8/27."""
    threshold = certainly_less(decay(END, numbers=NUMBERS), Fraction(8, 27))
    return every([Finding(threshold), cover(statement, box={"eps": (0, END)})])


@proves("b >= 8/27: the base is below R(1) for every m.", Method.COVER)
@mutant("e^-2 for e^-3 in m^3 b^m <= 27 / (e eps)^3", power=2)
@decided(_covered_from_the_end)
def more_records_small_epsilon(power: int = 3) -> Inequality:
    """B >= 8/27: base < R(1) for every m, by m^k b^m <= (k / (e eps))^k; times 2 y (1 + b) eps^2."""
    (eps,) = real_symbols("eps")
    e = TERMS.exp(Fraction(-1))
    cubes, squares = 27 * e**power, 4 * e**2
    f, b = TERMS.mean_exp(-eps), TERMS.exp(-eps)  # f = (1 - b) / eps
    y = TERMS.root(best_y_cubed(b), 3)
    inner = _inner(b, y)
    at_zero = f * eps / 4 * (f * cubes + squares * inner)
    below = b * (f * (cubes + squares * eps) + squares * (inner + b))
    right = (1 + b) * b * (b + y**2) * (y + eps * f) / f**2
    return Inequality(Domain((eps >= 0, eps <= END)), at_zero + below, "<", right)


@proves("For b <= 8/27, m^k b^m falls with m >= 2.", Method.SMT)
@mutant("27/8 smaller by 1 %", ratio=Fraction(2673, 800))
@for_all(reals("x"), polynomial=True)
def decreasing_in_m(x: Any, *, ratio: Fraction = Fraction(27, 8)) -> Condition:
    """(1 + 1/m)^3 <= 27/8 for m >= 2, so that m^k b^m falls for b <= 8/27 and k <= 3."""
    # x = 1 / m
    return implies(all_of(0 < x, 2 * x <= 1), (1 + x) ** 3 <= ratio)


@proves("The slopes: 2 M(0) = E |Z| and 2 M(1) = b E |Z| are at least as large.", Method.SMT)
@mutant("4.04 for 4", four=Fraction(101, 25))
@for_all(reals("b y"), polynomial=True)
def slopes(b: Any, y: Any, *, four: Fraction = Fraction(4)) -> Condition:
    """The cost of one more in j is below that in R: one record at theta = 0, and m = 2."""
    given = all_of(0 < b, b < 1, 0 < y)
    d = 1 - b
    first = b * d**2 / 4 + b**2 * d < (y**2 + b) * (1 + b)  # times 2 y (1 + b)
    second = four * d**2 * (1 + 3 * b) <= 4 * (1 + b)
    return implies(given, all_of(first, second))


GRID = tuple(
    (Fraction(e), n, Fraction(p))
    for e in ("6", "1/2", "1", "3", "12")
    for n in (2, 1, 3, 8)
    for p in ("1/2", "0", "1/5")
)
"""eps, n, p."""


@encloses("Sixty exact errors are below sigma^2.", Method.ENCLOSURE)
@mutant(
    "(1 - 2 p (1 - p)) sigma^2 for sigma^2",
    bound=lambda variance, p: variance * (1 - 2 * p * (1 - p)),
)
def exact_errors(bound: Formula = lambda variance, p: variance) -> Finding:  # noqa: ARG005
    """n^2 E (X - p)^2 < sigma^2 on a grid, by the exact law: a test of the whole proof."""
    numbers, largest = Balls(80), Fraction(0)
    for epsilon, n, p in GRID:
        noise = best_hourglass(epsilon, numbers=numbers)
        variance = best_variance(noise.b, noise.y)
        error = n**2 * hourglass_error(noise, n, p, enough_lines(epsilon), numbers=numbers)
        below = certainly_less(error, bound(variance, p))
        if not below:
            return Finding(below, f"eps = {epsilon}, n = {n}, p = {p}: {error!r}")
        largest = max(largest, endpoints(error / variance)[1])
    return Finding(holds=True, detail=f"{len(GRID)} cases, largest ratio {float(largest):.4f}")


CLAIMS = (
    Claim(
        id="KSW-T3'",
        source="our own",
        ours=True,
        says=(
            "Algorithm 3 with hourglass noise at the best gamma has mean squared error below "
            "w^2 sigma^2(eps) / n^2 for every number of records and every eps: Theorem 3 without "
            "o(1)."
        ),
        latex=r"n^2\, E(\hat\mu - \mu)^2 < w^2 \sigma^2(\varepsilon) \quad (n \ge 1,\ \varepsilon > 0)",
        domain="every n >= 1, eps > 0, data in [l, u], w = u - l > 0; a noisy count of 0 gives the midpoint",
        status=Status.PROVED,
        checks=checks_of(
            symmetric_and_unimodal,
            tail_in_closed_form,
            by_whole_and_part,
            one_record,
            more_records_large_epsilon,
            decreasing_in_m,
            more_records_small_epsilon,
            slopes,
            exact_errors,
        ),
        assumes=("KSW-D4", "KSW-L3", "KSW-L9", "KSW-H1", "KSW-S1", "KSW-S2", "KSW-E2", "KSW-X5"),
        steps=(
            *by_checks(
                tail_in_closed_form,
                one_record,
                more_records_large_epsilon,
                decreasing_in_m,
                more_records_small_epsilon,
                slopes,
            ),
            *by_hand(
                "Units of the interval; a = n p, c = n - a, and a <= c, as the two sums can be swapped.",
                "(1) Let W = Z1 - x T, 0 <= x <= 1.",
            ),
            ByCheck(
                "symmetric_and_unimodal",
                "Given T = t, Z1 - t/2 is symmetric and unimodal (first check), and (Z1, T) has the law of (-Z1, -T).",
            ),
            *by_hand(
                "So for u >= 0 the lines t and -t contribute G(u + d) + G(u - d) to P(W > u), with d = |x - 1/2| |t| and G the tail of Z1 - t/2 there; this does not fall with d, because |u - d| <= u + d.",
                "Hence P(W > u) <= P(Z1 > u), its value at x = 0 and x = 1.",
                "(2) On a positive count X > x means W > n (x - p).",
                "So n^2 E ((X - p)+)^2 there is at most the integral of 2 u P(Z1 > u) over 0 < u < c, and both sides together at most V - R(a) - R(c), with R(u) the integral of 2 v P(Z1 > v) over v > u.",
            ),
            ByCheck(
                "by_whole_and_part",
                "(3) A count of 0 costs (n/2 - a)^2, one below 0 at most c^2: (as c >= a): `count_not_positive`, by the law of T.",
            ),
            *by_hand(
                "It is at most R(a): write a = j + theta, c = m - theta with integers j >= 0, m >= 1 and 0 <= theta < 1; a <= c says m >= j + 2 theta.",
                "As P(Z1 > v + 1) = b P(Z1 > v) for v >= 0, R(a) = b^j (R(theta) + 2 j M(theta)), with M(theta) the integral of P(Z1 > v) over v > theta.",
                "So base <= R(theta) and slope <= 2 M(theta) suffice; what is subtracted, a positive multiple of j (2 (m - 2 theta) - j), is at least 0 because m - 2 theta >= j. m = 1 has theta <= 1/2, and theta = 0 if j > 0.",
                "For m >= 2 replace m - theta and m - 2 theta by m, R(theta) by R(1) and M(theta) by M(1) = b E |Z| / 2; the base is then a sum of positive multiples of m^k b^m with k <= 3.",
                "If b <= 8/27 these fall with m, and if b >= 8/27 they are at most (k / (e eps))^k.",
                "The slope needs m^2 b^(m-2) (1 - b)^2 (1 + 3b) <= 4 (1 + b): m = 2 is in the check; for m >= 3 the factor m^2 b^(m-2) (1 - b)^2 is at most 4 (1 - 2/m)^(m-2) <= 4/3, since (1 + 2/k)^k >= 3 for k = m - 2 by Bernoulli, y*^2 + b >= b, and (1 + 3b) / (1 + b) < 2.",
                "(4) R(c) > 0 makes the inequality strict.",
            ),
        ),
    ),
)
