"""Errata 14, 17, 21 and 23: ranks that are no integers, a clause, Appendix F, and what is unsaid."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    TERMS,
    Always,
    Condition,
    Counterexample,
    Domain,
    Quantity,
    all_of,
    decided,
    fails,
    implies,
    integers,
    reals,
    refuted,
    whole_symbols,
)
from proofs_check.papers.sub.common import below, deficit, distance, dominates, multisets, up_to
from proofs_check.papers.sub.errata.appendix_f import formula_is_the_minimum, subsets_stay_below
from proofs_check.papers.sub.general.printed_release import printed_r
from proofs_check.papers.sub.thresholds.laws import LogRank, probability, threshold_cells, weight_of
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS", "power_mean_of_two_values"]

NUMBERS = Balls(192)
HALF = Fraction(1, 2)


@refutes("The ranks are no integers.", Method.ENCLOSURE)
@mutant("C = 2.02e13 for 2e13", argument=Fraction(202 * 10**11))
def ranks_are_no_integers(argument: Fraction = Fraction(2 * 10**13)) -> Finding:
    """t_l = 62.2535... for (n, R, eps, gamma) = (1000, 1, 1, 0.01); r / 4 = 93.56 for R/beta = 100."""
    rank = LogRank(Fraction(1), argument).ball()
    quarter = printed_r(100, Fraction(1)) / 4
    rows = [("t_l", "62.2535067789651", rank), ("r", "374.247904696454", 4 * quarter)]
    whole = [end.numerator // end.denominator for x in (rank, quarter) for end in endpoints(x)]
    apart = all(
        certainly_less(k, x) is True for k, x in zip(whole[::2], (rank, quarter), strict=True)
    )
    return every(
        [exactly(apart and whole[::2] == whole[1::2], "neither is whole"), as_printed(rows)]
    )


def to_nearest_rank(rank: Fraction, least: int, largest: int) -> Fraction:
    """Distance of a rank to the nearest integer of [least, largest]."""
    return min(abs(rank - k) for k in range(least, largest + 1))


def printed_clause(data: tuple[int, ...], tau: Fraction, r: int) -> bool:
    """At most r points < tau and at least r points >= tau."""
    return below(data, tau) <= r <= len(data) - below(data, tau)


def right_clause(data: tuple[int, ...], tau: Fraction, r: int) -> bool:
    """At most r points < tau and at least r points <= tau."""
    return below(data, tau) <= r <= up_to(data, tau)


@refutes("Two points below the threshold and one above it.", Method.EXACT)
@mutant("at least r points <= tau", upper=lambda low, e, _: low + e)
@decided(fails)
def clause_looks_up(
    upper: Callable[[Any, Any, Any], Any] = lambda _, e, g: e + g,
) -> Counterexample:
    """L <= r <= E + G says L <= r <= L + E for L, E, G points below, at and above tau? No."""
    low, equal, high, r = whole_symbols("L E G r")
    clause = all_of(low <= r, r <= upper(low, equal, high))
    rank = all_of(low <= r, r <= low + equal)
    domain = Domain((low >= 0, equal >= 0, high >= 0, r >= 0, r <= low + equal + high))
    says = "A threshold has rank {r} just if {clause}."
    printed = Always(domain, (clause == rank,), says, {"r": r, "clause": clause})
    return Counterexample(printed, {"L": 2, "E": 0, "G": 1, "r": 2})


@refutes("The clause differs from the formula of the definition.", Method.EXACT)
@mutant("at least r points <= tau", clause=right_clause)
def clause_is_not_the_formula(clause: Callable[..., bool] = printed_clause) -> Finding:
    """The prose after Definition 3.4 is not #{x < tau} <= r <= #{x <= tau}."""
    differ = cases = 0
    for data in multisets((0, 1, 2), range(1, 5)):
        for tau in (Fraction(j, 2) for j in range(-1, 6)):
            for r in range(len(data) + 1):
                cases += 1
                differ += clause(data, tau, r) != (
                    deficit(r, below(data, tau), up_to(data, tau)) == 0
                )
    return exactly(differ > 0, f"{differ} of {cases} cases differ")


def power_mean_of_two_values(ratio: Any, exponent: Any, *, numbers: Any) -> Any:
    """Argmin of (n - k)|y|^p + k|1 - y|^p: 1 / (1 + ((n - k)/k)^(1/(p - 1))); `ratio` = (n - k)/k."""
    return 1 / (1 + numbers.power(numbers.rational(ratio), exponent))


def risks(n: int, k: int, p: int) -> tuple[Ball, Ball, Ball]:
    """R~_2 as printed, its add-only version, and R (the largest shift over subsets)."""
    q = Fraction(1, p - 1)
    center = power_mean_of_two_values(Fraction(n - 1), q, numbers=NUMBERS)
    swap = power_mean_of_two_values(Fraction(n - k, k), q, numbers=NUMBERS) - center
    added = power_mean_of_two_values(Fraction(n - 1, k + 1), q, numbers=NUMBERS) - center
    raised = power_mean_of_two_values(Fraction(n - 1 - k), q, numbers=NUMBERS) - center
    return swap, added, max(center, raised, key=endpoints)


@refutes("R~_2 = 0.089 < R = 0.151 where p < log(n eps).", Method.ENCLOSURE)
@mutant("p = 10 > log 10^4", p=10)
def order_of_the_risks(p: int = 9) -> Finding:
    """N = 10^6, eps = 0.01, p = 9 < log 10^4: R~_2 is smaller than R."""
    swap, added, risk = risks(10**6, 100, p)
    small = certainly_less(p, NUMBERS.log(NUMBERS.rational(Fraction(10**4)))) is True
    rows = [
        ("R~_2", "0.0892757818832937", swap),
        ("add-only", "0.0895006274348303", added),
        ("R", "0.150979573234423", risk),
    ]
    below_it = certainly_less(swap, risk) is True and certainly_less(added, risk) is True
    return every([exactly(small and below_it, "below R"), as_printed(rows)])


@refutes("Without rounding there is often no grid point between the thresholds.", Method.EXACT)
@mutant("thresholds rounded", rounded=True)
def no_release_without_rounding(step: Fraction = Fraction(1), rounded: bool = False) -> Finding:
    """200 records at 0, alpha = beta / 3: both thresholds in (0, beta / 3] with probability > 0.23."""
    cells = threshold_cells({0: 200}, -10, 10, step / 3)
    chance = ExpSum.rational(1) / ExpSum.rational(1)
    for rank in (50, 150):
        weight = weight_of(rank, Fraction(1, 4))
        chance = chance * probability(cells, weight, Fraction(0), step / 3)
    ends = [Fraction(0)] * 2 if rounded else [step / 10, 3 * step / 10]
    empty = not any(ends[0] <= k * step <= ends[1] for k in range(-10, 11))
    return exactly(empty and chance > Fraction(23, 100), f"T is empty with P > {chance.ball(64)!r}")


@refutes(
    "If R / beta is no integer, rounding leaves [-R, R] and R is not on the grid.", Method.EXACT
)
@mutant("beta = 1/2", step=HALF)
def range_is_no_multiple(step: Fraction = Fraction(3, 5)) -> Finding:
    """R = 1, beta = 3/5: the multiple nearest to R exceeds it, and R itself is no multiple."""
    nearest = step * ((1 / step + HALF).numerator // (1 / step + HALF).denominator)
    return exactly(nearest > 1 and (1 / step).denominator > 1, f"R is rounded to {nearest}")


@refutes("With points outside of [l, u] the conclusion of Lemma D.1 fails.", Method.EXACT)
@mutant("8 for 100, in [l, u]", far=8)
def points_outside_of_the_range(far: int = 100) -> Finding:
    """D = {0^3, 5^6, 9^3}, (l, u) = (1, 8), r = 2: D' = {5^6, 100} is not below D minus L_8."""
    data, other = (0,) * 3 + (5,) * 6 + (9,) * 3, (5,) * 6 + (far,)
    near = distance((5,) * 6, other) <= 1
    return exactly(near and not dominates(data[8:], other), f"D minus L_8 = {data[8:]}")


def chance_of_a_loss(rank: Fraction, loss: Callable[..., Any]) -> Ball:
    """P(loss >= 41/2) of the threshold on [0, 100] for 30 records at 0, alpha = 1, eps = 1."""
    cells = threshold_cells({0: 30}, 0, 100, Fraction(1))

    def weight(cell: Any) -> ExpSum:
        return ExpSum.exp(-Fraction(loss(rank, cell.least, cell.largest)) / 2)

    bad = [c for c in cells if loss(rank, c.least, c.largest) >= Fraction(41, 2)]
    chances = [probability(cells, weight, cell.left, cell.right).ball(192) for cell in bad]
    return sum(chances, NUMBERS.rational(Fraction(0)))


@refutes("30 records at 0, rank 9.5: the chance exceeds zeta.", Method.ENCLOSURE)
@mutant("the rank rounded up", r=10)
@mutant("the distance to the interval of ranks", loss=deficit)
@refuted(
    reals("r zeta"),
    "The threshold mechanism is called with ranks that are no integers, and keeps its guarantee: at the rank {r} {left} is at most {right}.",
    at={"r": Fraction(19, 2), "zeta": Fraction(36, 10000)},
)
def guarantee_of_real_ranks(
    r: Any, zeta: Any, *, loss: Callable[..., Any] = to_nearest_rank
) -> Condition:
    """Beta = 20.5 belongs to zeta = 100 e^(-10.25) = 0.00354."""
    chance = Quantity(
        "the chance of a loss of beta",
        r"P(\ell(\hat\tau) \ge \beta)",
        lambda rank: chance_of_a_loss(rank, loss),
    )
    return implies(
        all_of(r >= 0, r <= 30, zeta >= 100 * TERMS.exp(-Fraction(41, 4))), chance(r) <= zeta
    )


def printed_data(size: Fraction, k: Fraction, value: int) -> int:
    """Distance of n - 1 zeros and one 1 from n - K zeros and K copies of a value."""
    data = (0,) * (int(size) - 1) + (1,)
    return distance(data, (0,) * (int(size) - int(k)) + (value,) * int(k))


DISTANCES = {
    value: Quantity(name, tex, lambda n, k, value=value: printed_data(n, k, value))
    for value, name, tex in (
        (5, "the distance of the first", "d(D, D'_1)"),
        (1, "the distance of the second", "d(D, D'_2)"),
    )
}


@refutes("The distances are 2 K and 2 K - 2.", Method.EXACT)
@mutant("K = 0, no data", K=0)
@refuted(
    integers("n K"),
    "it takes both data sets to be within {K} of the data: {first} is at most {K}, and {second} is;",
    at={"n": 10, "K": 3},
    terms=lambda v: {
        name: DISTANCES[value](v["n"], v["K"]) for name, value in (("first", 5), ("second", 1))
    },
)
def distances_are_within(n: Any, k: Any) -> Condition:
    """d(D, D'_1) <= K and d(D, D'_2) <= K."""
    within = (DISTANCES[value](n, k) <= k for value in (5, 1))
    return implies(all_of(k >= 1, k < n), all_of(*within))


@refutes("R~_2 = 0.089 < R = 0.151 where p < log(n eps).", Method.ENCLOSURE)
@mutant("p = 10 > log 10^4", p=10)
@refuted(
    integers("n K p"),
    "and it orders the risks: {left} exceeds {right}.",
    at={"n": 10**6, "K": 100, "p": 9},
)
def risks_are_ordered(n: Any, k: Any, p: Any) -> Condition:
    """R~_2 >> R for p < log(n eps)."""
    second, subset = (
        Quantity(name, tex, lambda n, k, p, place=place: risks(int(n), int(k), int(p))[place])
        for name, tex, place in (("R~_2", r"\tilde R_2", 0), ("R", "R", 2))
    )
    given = all_of(p >= 2, k >= 1, n > k, p < TERMS.log(n / k))
    return implies(given, second(n, k, p) > subset(n, k, p))


CLAIMS = (
    Claim(
        id="SUB-E14",
        source="Erratum 14, Algorithms 3 and 4",
        states=(guarantee_of_real_ranks,),
        domain="30 records at 0 on [0, 100], alpha = eps = 1, beta = 20.5, the loss taken to the nearest integer rank; zeta is at least 100 e^(-beta/2)",
        status=Status.REFUTED,
        checks=checks_of(guarantee_of_real_ranks, ranks_are_no_integers),
        why="The smallest loss of a rank r + 1/2 is 1/2, which costs a factor e^(eps / 4).",
        right="Round the ranks up, or measure the distance to the interval of ranks.",
        corrected_by="SUB-T3.7s",
        obligations=parts_of(ranks_are_no_integers),
    ),
    Claim(
        id="SUB-E17",
        source="Erratum 17, prose after Definition 3.4",
        states=(clause_looks_up,),
        domain="L, E and G points lie below, at and above the threshold",
        status=Status.REFUTED,
        checks=checks_of(clause_looks_up, clause_is_not_the_formula),
        why="The second clause looks to the wrong side.",
        right="At least r points are at most tau.",
        corrected_by="SUB-D3.4",
        obligations=parts_of(clause_is_not_the_formula),
    ),
    Claim(
        id="SUB-E21",
        source="Erratum 21, Appendix F",
        states=(
            formula_is_the_minimum,
            distances_are_within,
            subsets_stay_below,
            risks_are_ordered,
        ),
        domain="the formula is that of n = 3, k = 1, p = 2; D = n - 1 zeros and one 1, K = 1/eps, p > 1",
        status=Status.REFUTED,
        checks=checks_of(
            distances_are_within,
            subsets_stay_below,
            risks_are_ordered,
            formula_is_the_minimum,
            order_of_the_risks,
        ),
        why="Distances are counted as if points were replaced, and the subsets' effect is dropped.",
        right="SUB-F1 to SUB-F5 state each with the add-only data sets.",
        corrected_by="SUB-F2",
        obligations=parts_of(order_of_the_risks),
    ),
    Claim(
        id="SUB-E23",
        source="Erratum 23, Algorithms 4 and 5",
        says=(
            "Algorithm 4 says neither that thresholds are rounded to the grid nor that R / beta is "
            "an integer; it writes D_[l,h] for D_[l,u] and does not restrict Algorithm 5 to [l, u]."
        ),
        latex=r"T = \beta\mathbb{Z} \cap [\hat l, \hat u] \ne \emptyset,\ D' \text{ over } [-R, R]",
        domain="Algorithms 4 and 5 as printed",
        status=Status.REFUTED,
        checks=checks_of(
            no_release_without_rounding, range_is_no_multiple, points_outside_of_the_range
        ),
        why="The analysis uses what the algorithm does not say.",
        right=(
            "Round the thresholds, require R / beta to be an integer, and restrict Algorithm 5 to "
            "data in [l, u]."
        ),
        corrected_by="SUB-LD.1",
        obligations=parts_of(
            no_release_without_rounding, range_is_no_multiple, points_outside_of_the_range
        ),
    ),
)
