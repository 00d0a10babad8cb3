"""Errata 6 to 9 and 16 of KSW: the lower bounds, and the figure with the unit balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Obligation,
    Role,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import (
    Condition,
    Counterexample,
    Domain,
    Inequality,
    decided,
    fails,
    for_all,
    real_symbols,
    refuted,
)
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.staircase import best_variance, best_y_cubed, geometric_variance
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, negate, reals, valid
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


SIZE, EPS, FEW = real_symbols("n eps k")


@refutes(
    "k = 1000, eps = 0.001: a constant errs by 249500.25 at most, against 2000000.", Method.EXACT
)
@mutant("k eps = 3", eps=Fraction(3, 1000))
@decided(fails)
def constant_estimate(eps: Fraction = Fraction(1, 1000)) -> Counterexample:
    """The constant (k + 1) / 2 for sums in 1..k, without any noise, beats 2 / eps^2 at k eps = 1."""
    k, e = real_symbols("k eps")
    says = "The error of private sums of {k} zeros and ones is at least {bound}, up to a factor that goes to one, as {k} grows and {eps} falls: so is {error}, that of the constant {center}."
    error = ((k - 1) / 2) ** 2
    named = {"k": k, "eps": e, "bound": 2 / e**2, "error": error, "center": (k + 1) / 2}
    printed = Inequality(Domain((k >= 1, e > 0)), error, ">=", 2 / e**2, says, named)
    return Counterexample(printed, {"k": 1000, "eps": eps})


@proves("At k eps = 1 it is less than an eighth of what is printed, for every k.", Method.SMT)
@mutant("0.99 / 8", part=Fraction(99, 800))
@for_all(reals("k eps"), polynomial=True)
def far_below_the_print(k: Any, e: Any, *, part: Fraction = Fraction(1, 8)) -> Condition:
    """At k eps = 1 the constant errs by less than an eighth of 2 / eps^2, for every k."""
    given = all_of(k >= 1, e > 0, k * e == 1)
    return implies(given, ((k - 1) / 2) ** 2 < part * 2 * k**2)


@refutes("eps = n^-0.7: 0.7 is not less than 1.7 / 3.", Method.EXACT)
@mutant("n^(1/3) / eps^(2/3), the right form", slope=2)
@refuted(
    reals("e"),
    "Where {eps} is {power} there is a {k} of lower order than {most} for which {k} times {eps} grows, as soon as {n} times {eps} does: {left} is less than {right}.",
    at={"e": Fraction(7, 10)},
    terms=lambda v: {
        "eps": EPS,
        "k": FEW,
        "n": SIZE,
        "power": SIZE ** -v["e"],
        "most": (SIZE / EPS) ** Fraction(1, 3),
    },
)
def room_for_an_exponent(e: Any, *, slope: int = 1) -> Condition:
    """C > e for k eps, 3 c < 1 + e for the order."""
    return implies(all_of(0 < e, e < 1), e < (1 + slope * e) / 3)


@refutes(
    "n = 100, k = N = 10, muhat = 0: 100 on the left, 93.6446 on the right.",
    Method.EXACT,
    role=Role.VALUE,
)
@mutant("2 k^3 / n for k^3 / n", cross=2)
def second_line(cross: int = 1) -> Finding:
    """N = 100, k = N = 10, muhat = 0: both sides of the second inequality of the chain."""
    n, k, N = Fraction(100), 10, 10
    mean = Fraction(N) / (n + N)
    left = (n * 0 - N) ** 2
    right = (n * 0 - n * mean) ** 2 + cross * k**3 / n + k**4 / n**2
    rows = [
        ("printed", "93.6446", Balls(64).rational(right)),
        ("with 2 k^3 / n", "103.64", Balls(64).rational(right + k**3 / n)),
    ]
    return every([exactly(left > right), as_printed(rows)], detail=f"{left} > {float(right):.4f}")


@refutes("The inequality fails there.", Method.EXACT)
@mutant("2 k^3 / n for k^3 / n", cross=2)
@decided(fails)
def chain_fails(cross: int = 1) -> Counterexample:
    """(n muhat - N)^2 <= (n muhat - n mu)^2 + k^3 / n + k^4 / n^2 with mu = N / (n + N)."""
    n, k, ones, estimate = real_symbols("n k N muhat")
    left = (n * estimate - ones) ** 2
    error = (n * estimate - n * ones / (n + ones)) ** 2
    term = cross * k**3 / n
    says = "In the chain of inequalities the cross term is at most {term}."
    domain = Domain((n >= 1, ones >= 0, ones <= k, estimate >= 0, estimate <= k / n))
    printed = Inequality(domain, left, "<=", error + term + k**4 / n**2, says, {"term": term})
    return Counterexample(printed, {"n": 100, "k": 10, "N": 10, "muhat": 0})


@proves("n mu - N = -N^2 / (n + N), so the cross term is at most 2 k^3 / n.", Method.SYMBOLIC)
@mutant("N^3 for N^2", power=3)
def cross_term(power: int = 2) -> Finding:
    """N mu - N = -N^2 / (n + N): at most k^2 / n, so the cross term is at most 2 k k^2 / n."""
    n, N = symbols("n N", positive=True)
    return identical(n * N / (n + N) - N, -(N**power) / (n + N), {n: (1, 99), N: (2, 9)})


@proves("The last line, with the size of the dataset, holds even with N^3 / (2 n).", Method.SMT)
@mutant("0.495 for 1/2", half=Fraction(99, 200))
@for_all(reals("x N t"), polynomial=True)
def last_line(x: Any, N: Any, t: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """(x - N)^2 - (x (1 + N/n) - N)^2 <= N^3 / (2n) for every x: the last line holds."""
    # t = N / n
    gap = (x - N) ** 2 - (x * (1 + t) - N) ** 2
    return implies(all_of(N > 0, t > 0), gap <= half * N**2 * t)


@refutes("eps = n^-0.7: no exponent of k meets both conditions.", Method.SMT)
@mutant("eps = n^-0.495, where n eps^2 grows", rate=Fraction(99, 200))
def no_exponent(rate: Fraction = Fraction(7, 10)) -> Finding:
    """Eps = n^-0.7, k = n^c: k = o((n / eps)^(1/3)) and k eps -> infinity exclude each other."""

    def printed(c: Any) -> Any:
        return negate(all_of(3 * c < 1 + exact(rate), c > exact(rate)))

    never = valid(reals("c"), printed)
    return every([never, exactly(1 - rate > 0, f"while n eps = n^({1 - rate}) grows")])


@proves("k = o(n^(1/3) eps^(-2/3)) leaves room for every eps = n^-e, e < 1.", Method.SMT)
@mutant("1.98 for 2", slope=Fraction(99, 50))
@for_all(reals("e"))
def right_exponent(e: Any, *, slope: Fraction = Fraction(2)) -> Condition:
    """With k = o(n^(1/3) eps^(-2/3)) there is room for k eps -> infinity whenever n eps grows."""
    # eps = n^-e
    room = 1 + slope * e > 3 * e
    return implies(all_of(0 < e, e < 1), room)


CAPTION = {"left": "Algorithm 2", "right": "Algorithm 3"}
TEXT = {"right": "Algorithm 2"}

BALLS: tuple[tuple[str, tuple[tuple[int, int], ...], int], ...] = (
    ("Algorithm 1", ((2, 0), (0, 2), (-2, 0), (0, -2)), 8),
    ("Algorithm 2", ((0, 2), (1, 0), (0, -2), (-1, 0)), 4),
    ("Algorithm 3", ((0, 1), (1, 1), (0, -1), (-1, -1)), 2),
)
"""Corners of the unit balls, and their areas; of Algorithm 2 in its own, centered space."""


@refutes("Caption and text name different panels.", Method.EXACT)
@mutant("the text as the caption", text={"left": "Algorithm 2"})
def panels(caption: Mapping[str, str] = CAPTION, text: Mapping[str, str] = TEXT) -> Finding:
    """Caption and text name different panels for the same space."""
    differ = [side for side in text if caption[side] != text[side]]
    return exactly(bool(differ), f"caption and text differ on: {', '.join(differ) or 'nothing'}")


@proves("What the figure shows: unit balls of areas 8, 4 and 2.", Method.EXACT)
@mutant("one product larger by 1 %", first=Fraction(101, 100))
def areas(first: Fraction = Fraction(1)) -> Finding:
    """Areas of the unit balls: 8, 4 and 2."""
    for name, corners, area in BALLS:
        pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
        terms = (first * x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)
        twice = sum(terms, Fraction(0))
        if abs(twice) != 2 * area:
            return exactly(False, f"{name}: {abs(twice) / 2}")
    return exactly(True, "areas 8, 4, 2")


@proves(
    "At eps = 5 data of zeros and ones give 0.01366, and swapping (2 eps) gives less than "
    "sigma^2(5) = 0.02971.",
    Method.ENCLOSURE,
)
@mutant("larger by 1 %", factor=Fraction(101, 100))
def binary_data(factor: Fraction = Fraction(1)) -> Finding:
    """What the printed means give at eps = 5: 0.01366 by 0/1 data, below sigma^2 = 0.02971."""
    numbers = Balls(96)
    b, twice = decay(Fraction(5), numbers=numbers), decay(Fraction(10), numbers=numbers)
    binary = geometric_variance(b) * factor

    def variance(c: Any) -> Any:
        return best_variance(c, numbers.root(best_y_cubed(c), 3))

    rows = [("0/1 data", "0.01366", binary), ("sigma^2(5)", "0.02971", variance(b))]
    less = [certainly_less(x, variance(b)) for x in (binary, variance(twice))]
    return every([as_printed(rows), *(Finding(found) for found in less)])


@proves("Sums S, S + 1/2, S + 1 would need three sizes that differ pairwise by 1.", Method.EXACT)
@mutant("sizes that differ by 1 or 2", steps=(1, 2))
def three_sizes(steps: tuple[int, ...] = (1,)) -> Finding:
    """No three sizes differ pairwise by 1: sums S, S + 1/2, S + 1 are not pairwise neighbors."""
    triples = combinations(range(7), 3)
    found = [t for t in triples if all(y - x in steps for x, y in combinations(t, 2))]
    return exactly(not found, f"{len(found)} triples among sizes 0 to 6")


CLAIMS = (
    Claim(
        id="KSW-ER6",
        source="Erratum 6 (v1 Lemma 4)",
        states=(constant_estimate,),
        domain="no condition on k eps",
        status=Status.REFUTED,
        checks=checks_of(constant_estimate, far_below_the_print),
        why="If k eps stays bounded, a constant is as private and has a bounded multiple of k^2.",
        right="k eps must grow without bound.",
        corrected_by="KSW-L6",
        obligations=(Obligation("for every k", "far_below_the_print"),),
    ),
    Claim(
        id="KSW-ER7",
        source="Erratum 7 (v1, proof of Theorem 2)",
        states=(chain_fails,),
        domain="n zeros and N ones, of which one estimate knows nothing",
        status=Status.REFUTED,
        checks=checks_of(second_line, chain_fails, cross_term, last_line),
        why="The factor 2 of the square is missing; muhat must also be clipped to [0, k / n] first.",
        right="2 k^3 / n; harmless for the limit, and the last line holds as printed.",
        corrected_by="KSW-T4'",
        obligations=parts_of(cross_term, last_line),
    ),
    Claim(
        id="KSW-ER8",
        source="Erratum 8 (v1 Theorem 2)",
        states=(room_for_an_exponent,),
        domain="n eps -> infinity",
        status=Status.REFUTED,
        checks=checks_of(room_for_an_exponent, no_exponent, right_exponent),
        why="The two conditions together need n eps^2 -> infinity.",
        right="k = o(n^(1/3) eps^(-2/3)): then k^3 / n = o(eps^-2), and n eps -> infinity suffices.",
        corrected_by="KSW-T4'",
        obligations=parts_of(no_exponent, right_exponent),
    ),
    Claim(
        id="KSW-ER9",
        source="Erratum 9 (v1 Figure 1)",
        says="The caption has the space of Algorithm 2 on the left, the text has it on the right.",
        latex=r"\text{panel of the caption (left)} \ne \text{panel of the text (right)}",
        domain="Figure 1 of v1",
        status=Status.REFUTED,
        checks=checks_of(panels, areas),
        why="They cannot both be right.",
        right="One of both is to be changed; in version 2 the space of Algorithm 3 is on the left.",
        obligations=parts_of(panels, areas),
    ),
    Claim(
        id="KSW-ER16",
        source="Erratum 16 (v2, proof of Theorem 4)",
        says=(
            "The text reduces the add-remove lower bound to one for swap privacy on a fixed size; as "
            "far as we can tell this gives a smaller constant than sigma^2(eps)."
        ),
        latex=r"R_{ar} \ge w^2 \sigma^2(\varepsilon)(1 - o(1))",
        domain="the printed display was not available to us: a report of a gap, not a refutation",
        status=Status.OPEN,
        checks=checks_of(binary_data, three_sizes),
        note="Add-remove privacy with eps, restricted to one size, is swap privacy with 2 eps only. Averaging over sizes as well (KSW-T4') avoids both: the theorem stands.",
    ),
)
