"""Errata 14, 17, 21 and 23: ranks that are no integers, a clause, Appendix F, and what is unsaid."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Obligation, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    Always,
    Counterexample,
    Domain,
    all_of,
    decided,
    fails,
    whole_symbols,
)
from proofs_check.papers.sub.common import (
    below,
    deficit,
    distance,
    dominates,
    mean,
    multisets,
    up_to,
)
from proofs_check.papers.sub.general.printed_release import printed_r
from proofs_check.papers.sub.thresholds.laws import LogRank, probability, threshold_cells, weight_of
from proofs_check.printed import as_printed

__all__ = ["CLAIMS", "power_mean_of_two_values"]

NUMBERS = Balls(192)
HALF = Fraction(1, 2)


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


def real_ranks_break_the_guarantee(
    rank: Fraction = Fraction(19, 2), loss: Callable[..., Any] = to_nearest_rank
) -> Finding:
    """30 records at 0 on [0, 100], alpha = 1, eps = 1, rank 9.5: P(loss >= beta) > zeta.

    The smallest loss is 1/2 and not 0; beta = 20.5 belongs to zeta = 100 e^(-10.25).
    """
    cells = threshold_cells({0: 30}, 0, 100, Fraction(1))
    beta = Fraction(41, 2)

    def of_cell(cell: Any) -> Fraction:
        return Fraction(loss(rank, cell.least, cell.largest))

    bad = [cell for cell in cells if of_cell(cell) >= beta]
    chance = sum(
        (
            probability(cells, lambda c: ExpSum.exp(-of_cell(c) / 2), cell.left, cell.right)
            for cell in bad
        ),
        ExpSum({}) / ExpSum.rational(1),
    )
    zeta = ExpSum.exp(-beta / 2, 100)
    return exactly(chance > zeta, f"P = {chance.ball(64)!r}, zeta = {zeta.ball(64)!r}")


def printed_clause(data: tuple[int, ...], tau: Fraction, r: int) -> bool:
    """At most r points < tau and at least r points >= tau."""
    return below(data, tau) <= r <= len(data) - below(data, tau)


def right_clause(data: tuple[int, ...], tau: Fraction, r: int) -> bool:
    """At most r points < tau and at least r points <= tau."""
    return below(data, tau) <= r <= up_to(data, tau)


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


def minimum_for_minimizer(minimizer: bool = False) -> Finding:
    """N = 3, k = 1, p = 2: the formula gives 1/3, the minimum itself is 2/3."""
    formula = Fraction(1, 1 + 2)

    def objective(y: Fraction) -> Fraction:
        return 2 * y**2 + (1 - y) ** 2

    grid = [Fraction(j, 300) for j in range(301)]
    place = min(grid, key=objective)
    printed = place if minimizer else objective(place)
    return exactly(place == formula != printed, f"argmin {place}, min {objective(place)}")


def distances_are_twice_as_large(size: int = 10, k: int = 3, added: bool = False) -> Finding:
    """d(D, D'_1) = 2K and d(D, D'_2) = 2K - 2, not K, for D = n - 1 zeros and one 1."""
    data = (0,) * (size - 1) + (1,)
    kept = data if added else (0,) * (size - k)
    found = [distance(data, kept + (x,) * k) for x in (5, 1)]
    return exactly(found == [2 * k, 2 * k - 2] and min(found) > k, f"distances {found}, K = {k}")


def subsets_leave_the_interval(size: int = 10, removed: int = 3) -> Finding:
    """For p = 2 removing K zeros raises the minimizer, the mean, out of [0, mu_p(D)]."""
    data = (0,) * (size - 1) + (1,)
    before, after = mean(data), mean(data[removed:])
    return exactly(after > before, f"{after} > {before}")


def risks(n: int, k: int, p: int) -> tuple[Ball, Ball, Ball]:
    """R~_2 as printed, its add-only version, and R (the largest shift over subsets)."""
    q = Fraction(1, p - 1)
    center = power_mean_of_two_values(Fraction(n - 1), q, numbers=NUMBERS)
    swap = power_mean_of_two_values(Fraction(n - k, k), q, numbers=NUMBERS) - center
    added = power_mean_of_two_values(Fraction(n - 1, k + 1), q, numbers=NUMBERS) - center
    raised = power_mean_of_two_values(Fraction(n - 1 - k), q, numbers=NUMBERS) - center
    return swap, added, max(center, raised, key=endpoints)


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


def range_is_no_multiple(step: Fraction = Fraction(3, 5)) -> Finding:
    """R = 1, beta = 3/5: the multiple nearest to R exceeds it, and R itself is no multiple."""
    nearest = step * ((1 / step + HALF).numerator // (1 / step + HALF).denominator)
    return exactly(nearest > 1 and (1 / step).denominator > 1, f"R is rounded to {nearest}")


def points_outside_of_the_range(far: int = 100) -> Finding:
    """D = {0^3, 5^6, 9^3}, (l, u) = (1, 8), r = 2: D' = {5^6, 100} is not below D minus L_8."""
    data, other = (0,) * 3 + (5,) * 6 + (9,) * 3, (5,) * 6 + (far,)
    near = distance((5,) * 6, other) <= 1
    return exactly(near and not dominates(data[8:], other), f"D minus L_8 = {data[8:]}")


CLAIMS = (
    Claim(
        id="SUB-E14",
        source="Erratum 14, Algorithms 3 and 4",
        says="The threshold mechanism is called with the ranks 1/eps + beta and r/4.",
        latex=r"P(\ell(\hat\tau) \ge \beta) \le \zeta \quad (r = 1/\varepsilon + \beta)",
        domain="ranks that are no integers, the loss taken to the nearest integer rank",
        status=Status.REFUTED,
        checks=(
            Check(
                "The ranks are no integers.",
                Method.ENCLOSURE,
                ranks_are_no_integers,
                mutants={"C = 2.02e13 for 2e13": {"argument": Fraction(202 * 10**11)}},
                refutes=True,
            ),
            Check(
                "With rank 9.5 the guarantee of Theorem 3.7 fails.",
                Method.EXACT,
                real_ranks_break_the_guarantee,
                mutants={
                    "the rank rounded up": {"rank": Fraction(10)},
                    "the distance to the interval of ranks": {"loss": deficit},
                },
                refutes=True,
            ),
        ),
        why="The smallest loss of a rank r + 1/2 is 1/2, which costs a factor e^(eps / 4).",
        right="Round the ranks up, or measure the distance to the interval of ranks.",
        corrected_by="SUB-T3.7s",
        obligations=(
            Obligation("ranks are no integers", "ranks_are_no_integers"),
            Obligation("real ranks break the guarantee", "real_ranks_break_the_guarantee"),
        ),
    ),
    Claim(
        id="SUB-E17",
        source="Erratum 17, prose after Definition 3.4",
        states=(clause_looks_up,),
        domain="L, E and G points lie below, at and above the threshold",
        status=Status.REFUTED,
        checks=(
            Check(
                "Two points below the threshold and one above it.",
                Method.EXACT,
                clause_looks_up,
                mutants={"at least r points <= tau": {"upper": lambda low, e, _: low + e}},
                refutes=True,
            ),
            Check(
                "The clause differs from the formula of the definition.",
                Method.EXACT,
                clause_is_not_the_formula,
                mutants={"at least r points <= tau": {"clause": right_clause}},
                refutes=True,
            ),
        ),
        why="The second clause looks to the wrong side.",
        right="At least r points are at most tau.",
        corrected_by="SUB-D3.4",
        obligations=(Obligation("clause is not the formula", "clause_is_not_the_formula"),),
    ),
    Claim(
        id="SUB-E21",
        source="Erratum 21, Appendix F",
        says=(
            "Appendix F writes min for argmin, takes the data sets D'_1 and D'_2 to be within "
            "1/eps of D, keeps minimizers of subsets in [0, mu_p(D)], and orders the risks."
        ),
        latex=(
            r"d(D, D'_1), d(D, D'_2) \le 1/\varepsilon,\ \mu_p(D') \in [0, \mu_p(D)],\ "
            r"\tilde R_2 \gg R \text{ for } p < \log(n\varepsilon)"
        ),
        domain="D = n - 1 zeros and one 1, K = 1/eps, p > 1",
        status=Status.REFUTED,
        checks=(
            Check(
                "The formula is the minimizer and not the minimum.",
                Method.EXACT,
                minimum_for_minimizer,
                mutants={"argmin for min": {"minimizer": True}},
                refutes=True,
            ),
            Check(
                "The distances are 2K and 2K - 2.",
                Method.EXACT,
                distances_are_twice_as_large,
                mutants={"copies added only": {"added": True}},
                refutes=True,
            ),
            Check(
                "A subset has a minimizer above mu_p(D).",
                Method.EXACT,
                subsets_leave_the_interval,
                mutants={"no zero removed": {"removed": 0}},
                refutes=True,
            ),
            Check(
                "R~_2 = 0.089 < R = 0.151 where p < log(n eps).",
                Method.ENCLOSURE,
                order_of_the_risks,
                mutants={"p = 10 > log 10^4": {"p": 10}},
                refutes=True,
            ),
        ),
        why="Distances are counted as if points were replaced, and the subsets' effect is dropped.",
        right="SUB-F1 to SUB-F5 state each with the add-only data sets.",
        corrected_by="SUB-F2",
        obligations=(
            Obligation("minimum for minimizer", "minimum_for_minimizer"),
            Obligation("distances are twice as large", "distances_are_twice_as_large"),
            Obligation("subsets leave the interval", "subsets_leave_the_interval"),
            Obligation("order of the risks", "order_of_the_risks"),
        ),
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
        checks=(
            Check(
                "Without rounding there is often no grid point between the thresholds.",
                Method.EXACT,
                no_release_without_rounding,
                mutants={"thresholds rounded": {"rounded": True}},
                refutes=True,
            ),
            Check(
                "If R / beta is no integer, rounding leaves [-R, R] and R is not on the grid.",
                Method.EXACT,
                range_is_no_multiple,
                mutants={"beta = 1/2": {"step": HALF}},
                refutes=True,
            ),
            Check(
                "With points outside of [l, u] the conclusion of Lemma D.1 fails.",
                Method.EXACT,
                points_outside_of_the_range,
                mutants={"8 for 100, in [l, u]": {"far": 8}},
                refutes=True,
            ),
        ),
        why="The analysis uses what the algorithm does not say.",
        right=(
            "Round the thresholds, require R / beta to be an integer, and restrict Algorithm 5 to "
            "data in [l, u]."
        ),
        corrected_by="SUB-LD.1",
        obligations=(
            Obligation("no release without rounding", "no_release_without_rounding"),
            Obligation("range is no multiple", "range_is_no_multiple"),
            Obligation("points outside of the range", "points_outside_of_the_range"),
        ),
    ),
)
