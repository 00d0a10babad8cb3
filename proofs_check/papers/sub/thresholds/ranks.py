"""Rank thresholds: what they are, and which ranks a point has (Section 3, Appendix A).

Relative to a threshold only three numbers matter: how many points lie below it, at it, above it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, any_of, for_all, implies, integers
from proofs_check.papers.sub.common import below, deficit, multisets, up_to
from proofs_check.steps import ByClaim, ByDefinition

__all__ = ["CLAIMS", "is_rank"]

Rule = Callable[[Any, Any, Any], Any]
"""Whether r is a rank, of the numbers of points below, at most the threshold, and r."""
HALVES = tuple(Fraction(j, 2) for j in range(-1, 6))
"""Thresholds between, at and outside of the points 0, 1, 2: every order type."""


def is_rank(least: Any, most: Any, r: Any) -> Any:
    """#{x < tau} <= r <= #{x <= tau}."""
    return all_of(least <= r, r <= most)


def is_rank_number(least: int, most: int, r: int) -> bool:
    """#{x < tau} <= r <= #{x <= tau}, of numbers."""
    return least <= r <= most


def ranks(data: tuple[Any, ...], tau: Any, rule: Rule = is_rank_number) -> list[int]:
    """The ranks of a threshold."""
    least, most = below(data, tau), up_to(data, tau)
    return [r for r in range(len(data) + 1) if rule(least, most, r)]


@proves("A tied point has several ranks, a gap has one.", Method.EXACT)
@mutant("r < #{x <= tau} for r <= #{x <= tau}", rule=lambda least, most, r: least <= r < most)
def three_ranks_at_a_tie(rule: Rule = is_rank_number) -> Finding:
    """For D = {1, 2, 2, 3}, tau = 2 has the ranks 1, 2, 3 and tau = 5/2 has the rank 3."""
    data = (1, 2, 2, 3)
    found = ranks(data, 2, rule), ranks(data, Fraction(5, 2), rule)
    return exactly(found == ([1, 2, 3], [3]), f"ranks {found[0]} at 2, {found[1]} at 5/2")


@proves("Every threshold has the ranks drawn.", Method.EXACT)
@mutant("r < #{x <= tau} for r <= #{x <= tau}", rule=lambda least, most, r: least <= r < most)
def figure_one(rule: Rule = is_rank_number) -> Finding:
    """For x1 < x2 = x3 < x4 the rank-r thresholds are [x_r, x_(r+1)], with infinite outer ends."""
    data = (0, 1, 1, 2)
    for tau in HALVES:
        wanted = [
            r for r in range(5) if (r == 0 or data[r - 1] <= tau) and (r == 4 or tau <= data[r])
        ]
        if ranks(data, tau, rule) != wanted:
            return exactly(False, f"tau = {tau}: ranks {ranks(data, tau, rule)}, figure {wanted}")
    return exactly(True, f"{len(HALVES)} thresholds, ranks 0 to 4")


def nearest_rank(data: tuple[Any, ...], tau: Any, r: Any) -> Any:
    """Distance of r to the nearest rank of tau."""
    return min(abs(r - rank) for rank in ranks(data, tau))


@proves("The formula is the distance to the nearest rank.", Method.EXACT)
@mutant("#{x < tau} - r never counts", formula=lambda r, _, most: max(0, r - most))
def rank_error_is_a_distance(formula: Callable[[Any, Any, Any], Any] = deficit) -> Finding:
    """err_rank = max(0, #{x < tau} - r, r - #{x <= tau}) is the distance to the nearest rank."""
    cases = 0
    for data in multisets((0, 1, 2), range(5)):
        for tau in HALVES:
            for r in range(-1, 6):
                cases += 1
                if formula(r, below(data, tau), up_to(data, tau)) != nearest_rank(data, tau, r):
                    return exactly(False, f"fails for D = {data}, tau = {tau}, r = {r}")
    return exactly(True, f"{cases} cases")


@proves("In the numbers of points below, at and above the threshold, for every n.", Method.SMT)
@mutant("r < #{x <= tau} for the r smallest", strict=True)
@for_all(
    integers("L E G r"),
    "A threshold has rank r exactly if the r smallest points are at most it and the others at least it.",
)
def order_statistics_decide(
    low: Any, equal: Any, high: Any, r: Any, *, strict: bool = False
) -> Condition:
    """With L, E, G points below, at, above tau: L <= r <= L + E iff all of L_r is <= tau, all of U_(n-r) >= tau."""
    given = all_of(low >= 0, equal >= 0, high >= 0, r >= 0, r <= low + equal + high)
    lowest = r < low + equal if strict else r <= low + equal
    highest = low + equal + high - r <= equal + high
    return implies(given, is_rank(low, low + equal, r) == all_of(lowest, highest))


@confirms("With order statistics, case by case.", Method.EXACT)
@mutant("r < #{x <= tau} for r <= #{x <= tau}", rule=lambda least, most, r: least <= r < most)
def lemma_a1_cases(rule: Rule = is_rank_number) -> Finding:
    """Tau is rank-r iff every point of L_r is <= tau and every point of U_(n-r) is >= tau."""
    cases = 0
    for data in multisets((0, 1, 2), range(6)):
        for tau in HALVES:
            for r in range(len(data) + 1):
                cases += 1
                right = all(x <= tau for x in data[:r]) and all(x >= tau for x in data[r:])
                if (r in ranks(data, tau, rule)) != right:
                    return exactly(False, f"fails for D = {data}, tau = {tau}, r = {r}")
    return exactly(True, f"{cases} cases: every order type of at most five points on three values")


@proves("x_(r) has rank r, and x_(1) has rank 0.", Method.SMT)
@mutant("rank r + 1 at x_(r)", offset=1)
@for_all(
    integers("L E r"),
    "Of data that are not empty the point in place r has rank r, and the smallest one has rank zero too.",
)
def every_rank_is_attained(low: Any, equal: Any, r: Any, *, offset: int = 0) -> Condition:
    """The r-th smallest point has rank r, and the smallest has rank 0."""
    at_point = all_of(low >= 0, equal >= 1, low < r, r <= low + equal)  # x_(r) = tau
    at_first = all_of(low == 0, equal >= 1, r == 0)  # x_(1) = tau
    return implies(any_of(at_point, at_first), is_rank(low, low + equal, r + offset))


@proves("In the numbers of points below, at and above the threshold, for every n.", Method.SMT)
@mutant("one rank more", last=1)
@for_all(
    integers("L E G r"),
    "The ranks of a threshold are all whole numbers from {L} to {most}.",
    terms=lambda v: {"most": v["L"] + v["E"]},
)
def ranks_are_an_interval(low: Any, equal: Any, high: Any, r: Any, *, last: int = 0) -> Condition:
    """With L, E, G points below, at, above tau, by the order statistics of Lemma A.1."""
    number = low + equal + high
    given = all_of(low >= 0, equal >= 0, high >= 0, r >= 0, r <= number)
    statistics = all_of(r <= low + equal, number - r <= equal + high)
    return implies(given, statistics == all_of(low <= r, r <= low + equal + last))


@confirms("By the order statistics of Lemma A.1.", Method.EXACT)
@mutant("r < #{x <= tau} for r <= #{x <= tau}", rule=lambda least, most, r: least <= r < most)
def ranks_are_consecutive(rule: Rule = is_rank_number) -> Finding:
    """ranks(tau, D) = {#{x < tau}, ..., #{x <= tau}}, by the order statistics of Lemma A.1."""
    cases = 0
    for data in multisets((0, 1, 2), range(6)):
        for tau in HALVES:
            cases += 1
            right = [
                r
                for r in range(len(data) + 1)
                if all(x <= tau for x in data[:r]) and all(x >= tau for x in data[r:])
            ]
            if ranks(data, tau, rule) != right:
                return exactly(False, f"fails for D = {data}, tau = {tau}")
    return exactly(True, f"{cases} thresholds")


@proves("Negation exchanges the points below and above.", Method.SMT)
@mutant("rank n - r + 1", shift=1)
@for_all(
    integers("L E G r"),
    "A threshold has rank r for the data exactly if its negative has rank {turned} for the negated data.",
    terms=lambda v: {"turned": v["L"] + v["E"] + v["G"] - v["r"]},
)
def negation_turns_ranks(low: Any, equal: Any, high: Any, r: Any, *, shift: int = 0) -> Condition:
    """Tau has rank r for D iff -tau has rank n - r for -D: L and G change places."""
    turned = is_rank(high, high + equal, low + equal + high - r + shift)
    given = all_of(low >= 0, equal >= 0, high >= 0)
    return implies(given, is_rank(low, low + equal, r) == turned)


STRICT: dict[str, dict[str, Any]] = {
    "r < #{x <= tau} for r <= #{x <= tau}": {"rule": lambda least, most, r: least <= r < most}
}

CLAIMS = (
    Claim(
        id="SUB-D3.4",
        source="Definition 3.4",
        says="A threshold has rank r if at most r points lie below it and at least r points are at most it.",
        latex=r"\#\{x < \tau\} \le r \le \#\{x \le \tau\}",
        domain="tau real, 0 <= r <= n",
        status=Status.DEFINITION,
        checks=checks_of(three_ranks_at_a_tie),
    ),
    Claim(
        id="SUB-D3.5",
        source="Definition 3.5",
        says="The rank error of a threshold is the distance of r to the nearest rank that it has.",
        latex=r"\mathrm{err}(\tau, r, D) = \max(0, \#\{x < \tau\} - r, r - \#\{x \le \tau\})",
        domain="integer r",
        status=Status.DEFINITION,
        checks=checks_of(rank_error_is_a_distance),
    ),
    Claim(
        id="SUB-Fig1",
        source="Figure 1",
        says="For four points with a tie in the middle the rank-r thresholds are the intervals between neighboring points.",
        latex=r"\{\tau : \tau \text{ has rank } r\} = [x_r, x_{r+1}],\ x_0 = -\infty,\ x_{n+1} = \infty",
        domain="x1 < x2 = x3 < x4, r = 0, ..., 4",
        status=Status.DEFINITION,
        checks=checks_of(figure_one),
    ),
    Claim(
        id="SUB-LA.1",
        source="Lemma A.1",
        states=(order_statistics_decide,),
        domain="L, E and G points lie below, at and above the threshold",
        status=Status.PROVED,
        checks=checks_of(order_statistics_decide, lemma_a1_cases),
        steps=(
            ByDefinition(
                "SUB-D3.4",
                "All of L_r is <= tau iff at least r points are; all of U_(n-r) is >= tau iff at least n - r are.",
            ),
        ),
    ),
    Claim(
        id="SUB-LA.2",
        source="Lemma A.2",
        states=(every_rank_is_attained, ranks_are_an_interval),
        domain="L points lie below the threshold, E at it and G above it",
        status=Status.PROVED,
        checks=checks_of(ranks_are_consecutive, ranks_are_an_interval, every_rank_is_attained),
        assumes=("SUB-LA.1",),
        steps=(
            ByClaim(
                "SUB-LA.1",
                "The first part is Lemma A.1 for every r (its proof covers every n); the cases confirm it.",
            ),
        ),
    ),
    Claim(
        id="SUB-FN2",
        source="Footnote 2",
        states=(negation_turns_ranks,),
        domain="L, E and G points lie below, at and above the threshold: n = L + E + G of them",
        status=Status.PROVED,
        checks=checks_of(negation_turns_ranks),
    ),
)
