"""T7 and T8: exact tests of p <= s q + t from the hits of one event, conditional and not."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.eng.binomial import (
    binomial,
    lower_limit,
    tail,
    tail_derivative,
    upper_limit,
)
from proofs_check.smt import all_of, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import diff, expand, identical, symbols

__all__ = ["CLAIMS", "conditional_p_value", "conditional_share"]

ALPHA = Fraction(1, 20)
GAMMA = Fraction(1, 200)
SLOPE = Fraction(3)
HALF = Fraction(1, 2)


def conditional_share(s: Any, pi: Any) -> Any:
    """R = pi s / (pi s + 1 - pi): the largest share of hits that come from P under p <= s q."""
    return pi * s / (pi * s + 1 - pi)


def conditional_p_value(x: int, m: int, s: Fraction, pi: Fraction) -> Fraction:
    """P(Bin(m, r) >= x)."""
    return Fraction(tail(m, x, conditional_share(s, pi)))


@proves("pi p / (pi p + (1 - pi) q) <= r exactly where p <= s q.", Method.SYMBOLIC)
@mutant("1.01 (1 - pi) q", times=Fraction(101, 100))
def share_is_bounded(times: Fraction = Fraction(1)) -> Finding:
    """R (pi p + (1-pi) q) - pi p is pi (1-pi) (s q - p) over the denominator: no sign but that."""
    p, q, s, pi = symbols("p q s pi", positive=True)
    left = conditional_share(s, pi) * (pi * p + (1 - pi) * q * times) - pi * p
    right = pi * (1 - pi) * (s * q - p) / (pi * s + 1 - pi)
    return identical(left, right, {p: (0, 1), q: (0, 1), s: (1, 4), pi: (0, 1)})


def law_given_hits(draws: int, p: Fraction, q: Fraction, pi: Fraction) -> dict[int, list[Fraction]]:
    """Law of the hits from P given all hits m, labels drawn at random, by summing over labels."""
    joint: dict[tuple[int, int], Fraction] = {}
    for first in range(draws + 1):
        labels = binomial(draws, first, pi)
        for x, y in product(range(first + 1), range(draws - first + 1)):
            chance = labels * binomial(first, x, p) * binomial(draws - first, y, q)
            joint[x + y, x] = joint.get((x + y, x), Fraction(0)) + chance
    found = {}
    for m in range(draws + 1):
        values = [joint.get((m, x), Fraction(0)) for x in range(m + 1)]
        found[m] = [value / sum(values) for value in values]
    return found


@confirms("Given m hits with random labels the hits from P are Bin(m, r) at p = s q.", Method.EXACT)
@mutant("s = 3.03 for 3", slope=Fraction(303, 100))
def hits_are_binomial(slope: Fraction = Fraction(3)) -> Finding:
    """Given m hits of 7 draws with random labels, those from P are Bin(m, r), at p = 3 q."""
    q = Fraction(1, 5)
    for pi in (HALF, Fraction(3, 10)):
        r = conditional_share(slope, pi)
        for m, law in law_given_hits(7, 3 * q, q, pi).items():
            if law != [binomial(m, x, r) for x in range(m + 1)]:
                return exactly(False, f"m = {m}, pi = {pi}")
    return exactly(True, "m = 0, ..., 7 for two shares of labels")


@confirms("The size given m is at most alpha for all m up to 40.", Method.EXACT)
@mutant("P(X > x) for P(X >= x)", strict=True)
def size_given_hits(strict: bool = False, most: int = 40) -> Finding:
    """P(p-value <= alpha | m) <= alpha for m up to 40; with P(X > x) for P(X >= x) it is more."""
    for pi in (HALF, Fraction(3, 10)):
        r = conditional_share(SLOPE, pi)
        for m in range(most + 1):
            size = Fraction(0)
            running = Fraction(0)
            for x in range(m, -1, -1):
                chance = binomial(m, x, r)
                if (running if strict else running + chance) <= ALPHA:
                    size += chance
                running += chance
            if size > ALPHA:
                return exactly(False, f"size {float(size):.4f} at m = {m}")
    return exactly(True, f"m = 0, ..., {most} for two shares of labels")


@proves("The p-value grows with r, so that it can be inverted.", Method.SYMBOLIC)
@mutant("n + 1 for n", shift=1)
def tails_grow(shift: int = 0) -> Finding:
    """d/dr P(Bin(n, r) >= k) = n C(n-1, k-1) r^(k-1) (1-r)^(n-k) >= 0 for n up to 6."""
    r = symbols("r", positive=True)
    found = []
    for n in (1, 3, 6):
        for k in range(1, n + 1):
            left, right = diff(tail(n, k, r), r), tail_derivative(n, k, r)
            found.append(identical(left, right * (n + shift) / n, {r: (0, 1)}, ways=(expand,)))
    return every(found, detail=f"{len(found)} tails")


@proves(
    "With fixed arms the size given m exceeds 2 alpha for some m, though not overall.", Method.EXACT
)
@mutant("random labels", random_labels=True)
def fixed_arms_void_the_size(random_labels: bool = False, n: int = 40) -> Finding:
    """Arms of 40 each, p = 0.9, q = 0.3: beyond 2 alpha given some m, and within alpha over all."""
    p, q = Fraction(9, 10), Fraction(3, 10)
    r = conditional_share(SLOPE, HALF)
    worst, overall = Fraction(0), Fraction(0)
    for m in range(2 * n + 1):
        rejected = [x for x in range(m + 1) if x <= n and m - x <= n]
        running, least = Fraction(0), m + 1
        for x in range(m, -1, -1):
            running += binomial(m, x, r)
            if running > ALPHA:
                break
            least = x
        if random_labels:
            chances = {x: binomial(m, x, r) for x in range(m + 1)}
        else:
            chances = {x: binomial(n, x, p) * binomial(n, m - x, q) for x in rejected}
        of_m = sum(chances.values(), Fraction(0))
        size = sum((chance for x, chance in chances.items() if x >= least), Fraction(0))
        overall += size
        if of_m * 10**6 > 1:
            worst = max(worst, size / of_m)
    if random_labels:
        return exactly(worst > 2 * ALPHA, f"given m at most {float(worst):.4f}")
    detail = f"given m up to {float(worst):.4f}, over all {float(overall):.4f}"
    return exactly(worst > 2 * ALPHA and overall <= ALPHA, detail)


@proves("T >= t_obs is an up-set in x and a down-set in y.", Method.SMT)
@mutant("x/n1 + s y/n2", sign=1)
def region_is_monotone(sign: int = -1) -> Finding:
    """T = x u - y v, u, v > 0: more hits x or fewer hits y keep a count in T >= t."""

    def statement(*terms: Any) -> Any:
        x, y, more, less, u, v, t = terms
        given = all_of(u > 0, v > 0, more >= x, less <= y, x * u + sign * y * v >= t)
        return implies(given, more * u + sign * less * v >= t)

    return valid(reals("x y more less u v t"), statement, polynomial=True)


SIZE = 12


@cache
def interval(y: int) -> tuple[Fraction, Fraction]:
    """Clopper and Pearson's interval of q at level gamma, rounded outward."""
    return lower_limit(SIZE, y, GAMMA / 2), upper_limit(SIZE, y, GAMMA / 2)


def cell_bound(x: int, y: int, s: Fraction, p: Fraction, q: Fraction) -> Fraction:
    """P(T >= t_obs) at (p, q), T = X / n - s Y / n."""
    total = Fraction(0)
    for other in range(SIZE + 1):
        least = x + s * (other - y)
        total += binomial(SIZE, other, q) * tail(SIZE, -(-least.numerator // least.denominator), p)
    return total


def p_value(
    x: int, y: int, s: Fraction, t: Fraction, *, cut: bool = False, cells: int = 6
) -> Fraction:
    """Largest P_{min(1, s q2 + t), q1}(T >= t_obs) over cells [q1, q2] of C_gamma, and gamma."""
    low, high = interval(y)
    if cut:
        high = min(high, (1 - t) / s)
        if low >= high:
            return GAMMA
    edges = [low + (high - low) * Fraction(j, cells) for j in range(cells + 1)]
    worst = max(
        cell_bound(x, y, s, min(Fraction(1), s * right + t), left)
        for left, right in pairwise(edges)
    )
    return worst + GAMMA


def rejection_region(s: Fraction, t: Fraction, cut: bool, plug_in: bool) -> set[tuple[int, int]]:
    """Hits at which the test rejects; rejection is an up-set in x, which saves most p-values."""
    found = set()
    for y in range(SIZE + 1):
        for x in range(SIZE, -1, -1):
            if plug_in:
                q = Fraction(y, SIZE)
                value = cell_bound(x, y, s, min(Fraction(1), s * q + t), q)
            else:
                value = p_value(x, y, s, t, cut=cut)
            if value > ALPHA:
                break
            found.add((x, y))
    return found


@confirms("Exact size for arms of 12 on the border p = min(1, 3 q + 1/10).", Method.EXACT)
@mutant("C_gamma cut at (1 - t) / s", cut=True)
@mutant("q as it was seen", plug_in=True)
def size_on_the_border(
    cut: bool = False, plug_in: bool = False, t: Fraction = Fraction(1, 10)
) -> Finding:
    """Arms of 12, claim p <= 3 q + 1/10: P(reject) <= alpha at q = 0, 1/40, ..., 1."""
    region = rejection_region(SLOPE, t, cut, plug_in)
    worst = Fraction(0)
    for j in range(41):
        q = Fraction(j, 40)
        p = min(Fraction(1), SLOPE * q + t)
        first, second = ([binomial(SIZE, k, z) for k in range(SIZE + 1)] for z in (p, q))
        worst = max(worst, sum((first[x] * second[y] for x, y in region), Fraction(0)))
    return exactly(bool(region) and worst <= ALPHA, f"size at most {float(worst):.4f}")


STEEP = Fraction(485165195)
"""e^20, rounded down."""


@confirms(
    "The claim contains p = 1: a steep slope is not rejected by 12 and 4 hits of 12.", Method.EXACT
)
@mutant("C_gamma cut at (1 - t) / s", cut=True)
def certain_events_belong_to_the_claim(cut: bool = False) -> Finding:
    """P = 1, q = 1/3, 12 hits and 4: claims of slopes 3 and e^20 hold, and are not rejected."""
    values = [p_value(12, 4, s, Fraction(0), cut=cut) for s in (SLOPE, STEEP)]
    holds = all(value > ALPHA for value in values)
    return exactly(holds, f"p-values {float(values[0]):.4f} and {float(values[1]):.4f}")


@confirms(
    "Searched from below the limit stays at the truth, even with the interval cut.", Method.EXACT
)
@mutant("bisection", bisection=True)
def limits_are_searched_from_below(bisection: bool = False) -> Finding:
    """Even with C_gamma cut the first slope from below that is not rejected is at most the true 3.

    Bisection, which takes a rejected upper end for the limit, reports e^20.
    """
    slopes = [Fraction(j, 4) for j in range(4, 21)] + [STEEP]
    rejected = [p_value(12, 4, s, Fraction(0), cut=True) <= ALPHA for s in slopes]
    from_below = slopes[max(rejected.index(False) - 1, 0)]
    limit = slopes[-1] if bisection and rejected[-1] else from_below
    return exactly(rejected[0] and limit <= SLOPE, f"limit {limit} for a true slope of 3")


CLAIMS = (
    Claim(
        id="ENG-T7",
        source="our own",
        says=(
            "With random labels the hits of an event that come from P, given all hits, are "
            "binomial; under p <= s q their share is at most r, which gives an exact test and, by "
            "inversion, an exact limit. With arms of fixed sizes it is not exact given the hits."
        ),
        latex=r"X \mid m \sim \mathrm{Bin}(m, r'),\quad r' \le r = \pi s / (\pi s + 1 - \pi)",
        domain="labels independent with P(first arm) = pi in (0, 1); delta = 0",
        status=Status.PROVED,
        checks=checks_of(
            share_is_bounded,
            hits_are_binomial,
            size_given_hits,
            tails_grow,
            fixed_arms_void_the_size,
        ),
        ours=True,
        steps=(
            *by_checks(share_is_bounded, tails_grow),
            *by_hand(
                "A draw is a hit of P with probability pi p and of Q with (1 - pi) q, independently, so given m hits each is of P with the same share r', and r' <= r is p <= s q.",
                "P(Bin(m, r') >= x) grows with r', and a tail probability at its own law is at most alpha with probability at most alpha; the limit is where the p-value is alpha.",
            ),
            ByCheck(
                "fixed_arms_void_the_size",
                "With fixed arms the law given m is another one: the example errs given m.",
            ),
        ),
    ),
    Claim(
        id="ENG-T8",
        source="our own",
        says=(
            "The Berger-Boos test of p <= s q + t, the largest tail probability of "
            "T = x/n1 - s y/n2 over an interval for q, plus gamma, has size at most alpha; the "
            "null contains p = 1 where s q + t > 1, and the interval may not be cut there."
        ),
        latex=(
            r"\max_{[q_1,q_2] \subset C_\gamma} P_{\min(1, s q_2 + t),\, q_1}(T \ge t_{obs})"
            r" + \gamma \le \alpha"
        ),
        domain="independent binomial arms; grid, gamma, cells and event fixed beforehand",
        status=Status.PROVED,
        checks=checks_of(
            region_is_monotone,
            reworded(
                tails_grow,
                "Binomial tails grow with the probability, so a cell is bounded at one corner.",
            ),
            size_on_the_border,
            certain_events_belong_to_the_claim,
            limits_are_searched_from_below,
        ),
        assumes=("ENG-T4", "ENG-T9"),
        ours=True,
        steps=(
            *by_checks(region_is_monotone, tails_grow),
            ByClaim(
                "ENG-T9",
                "With probability at least 1 - gamma the true q is in C_gamma (Clopper and Pearson).",
            ),
            *by_hand(
                "Then it lies in one of the cells, p <= min(1, s q2 + t) and q >= q1, and by the monotone region and tails P(T >= t_obs) is at most the bound of that cell.",
                "So the p-value is at most u with probability at most u (Berger and Boos), whichever point of the null is true.",
            ),
            ByClaim(
                "ENG-T4",
                "On a grid of eps the limit is the first point from below that is not rejected: a point above the true eps is reported only if a true null of the grid, fixed beforehand, is rejected (T4).",
            ),
        ),
        note="Bisection is not allowed, since the p-value is not proved monotone in eps: with the interval cut, true eps log 3 gives a rejection at 20 and none at log 3, so that bisection, and only it, would report 20.",
    ),
)
