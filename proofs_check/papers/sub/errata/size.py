"""Erratum 1: Algorithm 3 computes resolution and ranks from the private number of records.

Data are n copies of 0. A record more narrows the windows of both thresholds from gamma / n to
gamma / (n + 1), and every threshold between goes from loss 0 to a loss of about n.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Role, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.papers.sub.thresholds.laws import (
    LogRank,
    LossCell,
    nearest_rank,
    probability,
    threshold_cells,
    weight_of,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByHand
from proofs_check.symbolic import identical, log, symbols

__all__ = ["CLAIMS", "beta", "log_argument"]

BITS = 192
Weight = Callable[[LossCell], ExpSum]

HALF = Fraction(1, 2)
COMPONENT = (
    (3, 1, 1, 1, "0.0363792436972327", "0.00952616359128164", "1.33995630853686"),
    (3, 1, 2, 1, None, None, "2.79872826590632"),
    (3, 1, 4, 1, None, None, "5.78087616631742"),
    (2, 3, 1, -1, None, None, "1.379"),
    (100, 1, 1, 1, None, None, "50.0"),
)
"""n, rank, epsilon, side of the band; printed P, P' and log-ratio, with gamma = 1/2 on [-1, 1]."""

END_TO_END = (
    (97, 100, Fraction(1), ("4.538", "4.472", "4.696")),
    (178, 10**6, Fraction(1), ("13.8", "13.61", "13.92")),
    (237, 10**9, Fraction(1), ("20.8", "20.69", "20.87")),
    (1180, 100, Fraction(1, 10), ("22.67", "22.66", "22.91")),
)
"""n, 1 / gamma, epsilon; printed log-ratio over epsilon, by rule of the rank, cut or rounded."""


def log_argument(scale: Any, epsilon: Any, size: Any, gamma: Any) -> Any:
    """C = 2 R / (alpha zeta) = 2 R^2 epsilon n^3 / gamma^2, with the parameters of Algorithm 3."""
    alpha = gamma / size
    zeta = alpha / (scale * size * epsilon)
    return 2 * scale / (alpha * zeta)


def beta(logarithm: Any, epsilon: Any) -> Any:
    """Beta = (2 / epsilon) log C, from log C."""
    return 2 * logarithm / epsilon


def of_size(size: int, gamma: Fraction) -> Fraction:
    """Alpha = gamma / n, as printed."""
    return gamma / size


def public(_: int, gamma: Fraction) -> Fraction:
    """Alpha from a public size of 100: the sound form."""
    return gamma / 100


def band_probability(size: int, alpha: Fraction, rank: int, epsilon: int, ends: Any) -> ExpRatio:
    """Probability that Algorithm 2 on n zeros in [-1, 1] returns a number of the band."""
    cells = threshold_cells({0: size}, -1, 1, alpha)
    return probability(cells, weight_of(rank, epsilon), *ends)


def log_ratio(p: ExpRatio, q: ExpRatio) -> Ball:
    """log(p / q), enclosed."""
    return Balls(BITS).log((p / q).ball(BITS))


@refutes("One threshold with the printed alpha = gamma / n loses more than eps.", Method.EXACT)
@mutant("gamma = 0.505 for 0.5", gamma=Fraction(101, 200))
@mutant("alpha from a public size", alpha=public)
def component(
    gamma: Fraction = HALF, alpha: Callable[[int, Fraction], Fraction] = of_size
) -> Finding:
    """The printed probabilities and log-ratios, and that all of them exceed epsilon."""
    rows, beyond = [], []
    for size, rank, epsilon, side, p_text, q_text, text in COMPONENT:
        ends = sorted((side * HALF / (size + 1), side * HALF / size))
        p, q = (band_probability(n, alpha(n, gamma), rank, epsilon, ends) for n in (size, size + 1))
        loss = log_ratio(p, q)
        beyond.append(certainly_less(epsilon, loss))
        found = zip((p_text, q_text, text), (p.ball(BITS), q.ball(BITS), loss), strict=True)
        name = f"n = {size}, epsilon = {epsilon}"
        rows += [(name, printed, ball) for printed, ball in found if printed]
    return every(
        [exactly(all(b is True for b in beyond), "each exceeds epsilon"), as_printed(rows)]
    )


@refutes(
    "Three records are the fewest of a stack whose threshold breaks eps = 1.",
    Method.EXACT,
    role=Role.EXAMPLE,
)
@mutant("three records against four", sizes=(3, 4))
def smallest_stack_is_private(sizes: tuple[int, int] = (1, 2), bound: int = 1) -> Finding:
    """For stacks of 1 and 2 no cell has a log-ratio beyond epsilon; for the next sizes one has."""

    def worst(n: int, m: int) -> bool:
        laws = [threshold_cells({0: k}, -1, 1, HALF / k) for k in (n, m)]
        edges = sorted({x for cells in laws for cell in cells for x in (cell.left, cell.right)})
        factor = ExpSum.exp(Fraction(bound))
        for rank in range(1, n + 1):
            for ends in pairwise(edges):
                p, q = (probability(cells, weight_of(rank, 1), *ends) for cells in laws)
                if p > factor * q or q > factor * p:
                    return False
        return True

    small, next_one = worst(*sizes), worst(3, 4)
    return exactly(small and not next_one, f"{sizes}: {small}, (3, 4): {next_one}")


@refutes("One threshold needs a delta of nearly 1 / (n + 1) besides 3 eps.", Method.EXACT)
@mutant("alpha from a public size", alpha=public)
@mutant("alpha from the size, but at most a public 100", alpha=lambda n, gamma: gamma / min(n, 100))
def not_approximate_either(
    size: int = 100, alpha: Callable[[int, Fraction], Fraction] = of_size
) -> Finding:
    """With rank n / 2, P(band) is 0.999 / (n + 1) or more, and e^3 P'(band) below 10^-8."""
    sides = [sorted((s * HALF / (size + 1), s * HALF / size)) for s in (1, -1)]
    p, q = (
        sum(
            (band_probability(n, alpha(n, HALF), size // 2, 1, ends) for ends in sides),
            ExpRatio(ExpSum({}), ExpSum.rational(1)),
        )
        for n in (size, size + 1)
    )
    small = ExpSum.exp(Fraction(3)) * q < Fraction(1, 10**8)
    return exactly(p > Fraction(999, 1000 * (size + 1)) and small, f"P = {p.ball(64)!r}")


def rounded_rank(rank: LogRank) -> Weight:
    """Weight of a cell for the rank rounded up."""
    return weight_of(rank.rounded_up(), rank.epsilon)


def real_rank(rank: LogRank) -> Weight:
    """Weight of a cell for the real rank, by its distance from the interval of ranks."""
    above = rank.rounded_up()

    def weight(cell: LossCell) -> ExpSum:
        if cell.least < above <= cell.largest:
            return ExpSum.rational(1)
        k = min(max(above, cell.least), cell.largest)
        return rank.weight(k, above=k < above)

    return weight


RULES: tuple[Callable[[LogRank], Weight], ...] = (nearest_rank, rounded_rank, real_rank)


def exceeds(size: int, gamma: Fraction, epsilon: Fraction, rule: Any, known: Any) -> Any:
    """P of both thresholds in (gamma / (n+1), gamma / n]; P' of one beyond gamma / (n+1)."""
    found = []
    for n in (size, size + 1):
        used = known(n)
        argument = log_argument(1, epsilon, used, gamma)
        cells = threshold_cells({0: n}, -1, 1, gamma / used)
        ranks = LogRank(epsilon, argument), LogRank(epsilon, argument, n, -1)
        ends = (gamma / (size + 1), gamma / size if n == size else Fraction(1))
        found.append([probability(cells, rule(rank), *ends) for rank in ranks])
    (lower, upper), (lower_next, upper_next) = found
    return lower * upper, lower_next + upper_next


@refutes("The release of the whole algorithm loses more than 3 eps, without a bound.", Method.EXACT)
@mutant("parameters from a public size", known=lambda n: max(n, 1181))
@mutant("n + 1 for n in all parameters", known=lambda n: n + 1)
def end_to_end(known: Callable[[int], int] = lambda n: n, bound: Fraction = Fraction(3)) -> Finding:
    """The release itself: log(P / P') / epsilon is what is printed, and exceeds 3."""
    details = []
    for size, inverse, epsilon, texts in END_TO_END:
        for rule, text in zip(RULES, texts, strict=True):
            p, q = exceeds(size, Fraction(1, inverse), epsilon, rule, known)
            loss = log_ratio(p, q) / epsilon
            place = Fraction(1, 10 ** len(text.partition(".")[2]))
            holds = certainly_less(bound, loss)
            holds = holds and certainly_less(abs(loss - Fraction(text)), place)
            if holds is not True:
                return Finding(holds=holds, detail=f"n = {size}, {rule.__name__}: {loss!r}")
            details.append(f"{text} at n = {size}")
    return Finding(holds=True, detail="; ".join(details))


@refutes(
    "The printed bounds of both probabilities at n = 97 are right.", Method.EXACT, role=Role.VALUE
)
@mutant("98 records for 97", size=98)
@mutant("the rank rounded up", rule=rounded_rank)
def first_row(size: int = 97, rule: Callable[[LogRank], Weight] = nearest_rank) -> Finding:
    """The printed bounds of P and P' at gamma = 0.01, epsilon = 1 and n = 97."""
    p, q = exceeds(size, Fraction(1, 100), Fraction(1), rule, lambda n: n)
    rows = [("P", "2.60308035e-5", p.ball(BITS)), ("P'", "2.783666471e-7", q.ball(BITS))]
    return as_printed(rows)


@refutes(
    "Even with alpha fixed, a record more moves the rank by (6 / eps) log(1 + 1/n).",
    Method.SYMBOLIC,
)
@mutant("6.06 for 6", times=Fraction(606, 100))
def rank_moves(times: Fraction = Fraction(6)) -> Finding:
    """beta(n + 1) - beta(n) = (6 / epsilon) log(1 + 1 / n), not 0."""
    n, epsilon, scale, gamma = symbols("n epsilon R gamma", positive=True)
    old, new = (beta(log(log_argument(scale, epsilon, m, gamma)), epsilon) for m in (n, n + 1))
    domain = {n: (1, 50), epsilon: (0, 3), scale: (0, 9), gamma: (0, 2)}
    return identical(new - old, times * log(1 + 1 / n) / epsilon, domain)


CLAIMS = (
    Claim(
        id="SUB-E1",
        source="Erratum 1, Algorithm 3 and Theorem 3.1",
        says=(
            "Algorithm 3, with alpha = gamma / |D|, zeta, beta and the ranks computed from the "
            "number of records, is said to be 3 eps-differentially private."
        ),
        latex=(
            r"P(\hat\mu(D) \in S) \le e^{3\varepsilon} P(\hat\mu(D') \in S)"
            r"\quad (\alpha = \gamma/|D|,\ t_l = 1/\varepsilon + \beta(|D|))"
        ),
        domain="add-remove neighbors of any size",
        status=Status.REFUTED,
        checks=checks_of(
            component,
            smallest_stack_is_private,
            not_approximate_either,
            end_to_end,
            first_row,
            rank_moves,
        ),
        why=(
            "The windows of the thresholds have a width that depends on the private size. Between "
            "gamma / (n + 1) and gamma / n the loss goes from 0 to the height of the stack."
        ),
        right=(
            "Compute alpha, zeta, beta and the offset k = ceil(1 / eps + beta) from a public size "
            "N, or from one noisy size that is also Algorithm 1's: 3 eps either way."
        ),
        corrected_by="SUB-T3.1p",
        steps=(
            ByHand(
                "Algorithm 1 returns a number between its two thresholds, whatever is done where they cross."
            ),
            ByHand(
                "So the release exceeds gamma / (n + 1) if both thresholds do, which bounds P from below, and only if one of them does, which bounds P' from above."
            ),
            ByHand("The two thresholds are independent."),
            ByHand(
                "As gamma falls the log-ratio grows without bound, as the rows show; the rule for ranks that are no integers does not matter."
            ),
        ),
        obligations=parts_of(component, not_approximate_either, end_to_end, rank_moves),
    ),
)
