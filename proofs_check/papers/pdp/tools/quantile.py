"""Private quantiles of PDP: Algorithm 2 (the exponential mechanism on ranks) and Lemma 7.

Data are known to the score through three counts: L records below the candidate x, E records at most
x, m records in all. BOT records do not count; adding one moves the three counts together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, larger
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, any_of, choose, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import exp, identical, symbols

__all__ = ["CLAIMS", "centerd_score", "quantile_margin", "rank_score"]

GRID = (0, 1, 2)


def rank_score(under: Any, upto: Any, rank: Any, most: Callable[[Any, Any], Any] = max) -> Any:
    """-max(0, #{y < x} - (r - 1), r - #{y <= x}): minus the changes that make x the r-th value."""
    return -most(most(under - (rank - 1), rank - upto), 0)


def centerd_score(under: Any, upto: Any, size: Any, most: Callable[[Any, Any], Any] = max) -> Any:
    """-max(0, #{y < x} - m/2, m/2 - #{y <= x}): the score centered on the m survivors."""
    half = size / 2
    return -most(most(under - half, half - upto), 0)


def quantile_margin(size: Any, beta: Any, epsilon: Any, *, numbers: Any) -> Any:
    """(2 / eps) ln(|X| / beta): what the exponential mechanism loses, and the clamp of the rank."""
    return 2 / epsilon * numbers.log(size / beta)


def _counts(data: Sequence[int], x: int) -> tuple[int, int]:
    return sum(y < x for y in data), sum(y <= x for y in data)


def _fewest_changes(data: Sequence[int], x: int, rank: int) -> int:
    """Fewest records to replace so that the rank-th smallest is x, by trying all other data."""
    n = len(data)
    reached = (other for other in product(GRID, repeat=n) if sorted(other)[rank - 1] == x)
    return min(sum(a != b for a, b in zip(data, other, strict=True)) for other in reached)


def _instances(most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    for n in range(1, most + 1):
        for data in product(GRID, repeat=n):
            if list(data) == sorted(data):
                for rank in range(1, n + 1):
                    for x in GRID:
                        yield data, rank, x


@proves(
    "The closed form of the score is minus the fewest changes: all data of at most four records of {0, 1, 2}.",
    Method.EXACT,
)
@mutant("r for r - 1", shift=0)
@mutant("number of records between x and the r-th value", between=True)
def closed_form_counts_changes(shift: int = 1, between: bool = False) -> Finding:
    """The score is minus the fewest changes, for all data of at most four records of {0, 1, 2}."""
    total = 0
    for data, rank, x in _instances(4):
        total += 1
        under, upto = _counts(data, x)
        score = rank_score(under, upto, rank + 1 - shift)
        if between:
            low, high = sorted((x, sorted(data)[rank - 1]))
            score = -sum(low < y < high for y in data)
        if -score != _fewest_changes(data, x, rank):
            return exactly(False, f"differs for D = {data}, r = {rank}, x = {x}")
    return exactly(True, f"equal in all of {total} cases")


@proves(
    "The text's number of records between x and the r-th value differs in 210 of these 315 cases.",
    Method.EXACT,
)
@mutant("211 cases", wrong=211)
def text_is_not_a_distance(wrong: int = 210) -> Finding:
    """The number of records between x and the r-th value is not the fewest changes in 210 of 315 cases."""
    count = total = 0
    for data, rank, x in _instances(4):
        low, high = sorted((x, sorted(data)[rank - 1]))
        total += 1
        count += sum(low < y < high for y in data) != _fewest_changes(data, x, rank)
    return exactly(count == wrong, f"differs in {count} of {total} cases")


@proves(
    "With the clamped public rank the score moves by at most 1, also from and to BOT.", Method.SMT
)
@mutant("0.99", reach=Fraction(99, 100))
def score_is_lipschitz(reach: Fraction = Fraction(1), centered: bool = False) -> Finding:
    """A change of one record, also from or to BOT, moves the score by at most 1; real ranks too.

    The rank r is public; the clamp is c if r < c, m - c if r > m - c, else r.
    """

    def score(under: Any, upto: Any, m: Any, r: Any, c: Any) -> Any:
        if centered:
            return centerd_score(under, upto, m, larger)
        rank = choose(r < c, c, choose(r > m - c, m - c, r))
        return rank_score(under, upto, rank, larger)

    def statement(under: Any, upto: Any, m: Any, r: Any, c: Any, u: Any, v: Any) -> Any:
        moves = (-1, 0, 1)
        replaced = any_of(*(all_of(u == i, v == j) for i in moves for j in moves))
        added = any_of(*(all_of(u == i, v == j) for i, j in ((0, 0), (0, 1), (1, 1))))
        old = score(under, upto, m, r, c)
        new, more = (score(under + u, upto + v, m + d, r, c) for d in (0, 1))
        bound = exact(reach)
        near, near_more = (all_of(z - old <= bound, old - z <= bound) for z in (new, more))
        return all_of(implies(replaced, near), implies(added, near_more))

    return valid(reals("L E m r c dL dE"), statement)


@proves("So does the score centered on the survivors.", Method.SMT)
@mutant("0.99", reach=Fraction(99, 100))
def centerd_is_lipschitz(reach: Fraction = Fraction(1)) -> Finding:
    """The same for the score centered on the survivors."""
    return score_is_lipschitz(reach, centered=True)


@proves("|X| e^(-eps t / 2) = beta at t = c = (2 / eps) ln(|X| / beta).", Method.SYMBOLIC)
@mutant("e^(-eps t / 2.02)", rate=2 * PERCENT)
def exponential_tail(rate: Fraction = Fraction(2)) -> Finding:
    """|X| e^(-eps t / 2) = beta at t = (2 / eps) ln(|X| / beta)."""
    size, beta, epsilon = symbols("size beta epsilon", positive=True)
    t = quantile_margin(size, beta, epsilon, numbers=SYMBOLIC)
    left = size * exp(-epsilon * t * rate.denominator / rate.numerator)
    return identical(left, beta, {size: (1, 99), beta: (0, 1), epsilon: (0, 9)})


@proves("Clamping and rounding move the rank by at most c.", Method.SMT)
@mutant("0.99 c", margin=Fraction(99, 100))
@for_all(reals("n r c R"))
def ranks_add_up(
    n: Any, r: Any, c: Any, rounded: Any, *, margin: Fraction = Fraction(1)
) -> Condition:
    """Clamping a rank r in 1, ..., n by c and rounding it up moves it by at most c, if n > 2 c.

    R is the least whole number that is at least the clamped rank; r is whole too.
    """
    clamped = choose(r < c, c, choose(r > n - c, n - c, r))
    least = all_of(clamped <= rounded, rounded < clamped + 1, implies(clamped <= r, rounded <= r))
    given = all_of(c > 0, n > 2 * c, 1 <= r, r <= n, least)
    bound = margin * c
    return implies(given, all_of(rounded - r <= bound, r - rounded <= bound))


@proves(
    "A score of at least -t says that x lies between the order statistics r - t and r + t.",
    Method.EXACT,
    cases="data sets of at most 4 values, all ranks, scores to 4",
)
@mutant("r - t + 1 for r - t", slack=1)
def score_bounds_the_order_statistics(slack: int = 0) -> Finding:
    """A score of at least -t says that x lies between the order statistics r - t and r + t (t whole)."""
    for data, rank, x in _instances(4):
        ordered = (GRID[0] - 1, *sorted(data), GRID[-1] + 1)
        last = len(data) + 1
        for t in range(5):
            under, upto = _counts(data, x)
            good = rank_score(under, upto, rank) >= -t
            low, high = ordered[max(0, rank - t + slack)], ordered[min(last, rank + t)]
            if good != (low <= x <= high):
                return exactly(False, f"D = {data}, r = {rank}, x = {x}, t = {t}")
    return exactly(True, "equivalent in all cases")


@encloses("Printed value of c.", Method.ENCLOSURE)
@mutant("|X| = 1011 for 1001", rate=1011)
def printed_margin(rate: int = 1001) -> Finding:
    """(2 / eps) ln(|X| / beta) for eps = 1, |X| = 1001, beta = 0.1."""
    margin = quantile_margin(ball(rate), ball("0.1"), ball(1), numbers=NUMBERS)
    return as_printed([("(2 / eps) ln(|X| / beta)", "18.4226797446185", margin)])


CLAIMS = (
    Claim(
        id="PDP-A2",
        source="Algorithm 2 (INV, FindQuantile)",
        says="A private quantile: a point x of the grid with probability proportional to exp(eps * score / 2), the score being minus the number of changes that make x the r-th smallest value.",
        latex=r"P(x) \propto \exp\left(-\tfrac{\varepsilon}{2} \max(0, \#\{y < x\} - (r' - 1), r' - \#\{y \le x\})\right)",
        domain="finite grid X; rank r public and clamped to [c, n - c], c = (2 / eps) ln(|X| / beta), rounded up",
        status=Status.DEFINITION,
        checks=checks_of(
            closed_form_counts_changes,
            text_is_not_a_distance,
            score_is_lipschitz,
            centerd_is_lipschitz,
        ),
        note="The exponential mechanism with a score that moves by at most 1 is eps-private. Replacing a record moves the counts below and up to x by at most 1 each; adding one moves them by (0, 0), (0, 1) or (1, 1).",
    ),
    Claim(
        id="PDP-L7",
        source="Lemma 7",
        says="The private quantile lies between the order statistics r - 2c and r + 2c with probability at least 1 - beta.",
        latex=r"P\left(X_{(r - \frac{4}{\varepsilon}\ln\frac{|X|}{\beta})} \le x \le X_{(r + \frac{4}{\varepsilon}\ln\frac{|X|}{\beta})}\right) \ge 1 - \beta",
        domain="D in X^n, r = 1, ..., n, n > (4 / eps) ln(|X| / beta); order statistics are infinite outside 1..n",
        status=Status.PROVED,
        assumes=("PDP-A2",),
        checks=checks_of(
            exponential_tail, ranks_add_up, score_bounds_the_order_statistics, printed_margin
        ),
        steps=(
            ByCheck("exponential_tail"),
            ByCheck("ranks_add_up"),
            ByCheck("score_bounds_the_order_statistics"),
            ByHand(
                "The r-th value itself is in X and has score 0 (weight 1), so a score below -t has probability at most |X| e^(-eps t / 2)."
            ),
        ),
        note="For real t the order statistics are those of the whole numbers inside r - t and r + t, since counts are whole.",
    ),
)
