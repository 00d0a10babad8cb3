"""Inverse sensitivity (Algorithm 5): how far the data are from a set with another property.

len(D, t) is the least distance to data with theta = t; the crossing score is the larger of the
distances to theta >= t and to theta <= t. Exact formulas for quantiles and means, against search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, choose, for_all, implies, integers
from proofs_check.papers.sub.common import (
    PERCENT,
    add,
    below,
    distance,
    lower_quantile,
    mean,
    multisets,
    up_to,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByDefinition

__all__ = ["CLAIMS", "mean_crossing", "mean_len", "median_len", "quantile_crossing", "quantile_len"]

EXAMPLE = (1, 1, 2, 4)
LENGTHS = {"median": (4, 0, 1, 3, 3, 5), "quantile": (5, 2, 0, 1, 1, 2), "mean": (5, 2, 0, 2, 3, 5)}
LAWS = {
    "median": "0.0596135194594776 0.440487639540774 0.267169258605926 0.0982860775541367 0.0982860775541367 0.0361574272855489",
    "mean": "0.0386635496646319 0.173278007952454 0.471018460288736 0.173278007952454 0.105098424477093 0.0386635496646319",
}
THREE_QUARTERS = (3, 4)
LEVELS = {"median": (1, 2), "quantile": THREE_QUARTERS, "quartile": (1, 4)}
NAMES = (*LEVELS, "mean")


def median_len(low: Any, equal: Any, high: Any, *, largest: Callable[..., Any] = max) -> Any:
    """Length of the lower median: max(0, L - E - G + 1, G - L - E); points below, at, above t."""
    return largest(0, low - equal - high + 1, high - low - equal)


def quantile_len(low: int, equal: int, high: int, level: tuple[int, int] = THREE_QUARTERS) -> int:
    """Length of the lower q-quantile, q = p / s: remove from one side, add at t."""
    p, s = level

    def reached(L: int, E: int, G: int) -> bool:
        return (s - p) * L < p * (E + G) and p * G <= (s - p) * (L + E)

    k = 0
    while True:
        left = any(reached(low - a, equal + k - a, high) for a in range(min(k, low) + 1))
        if left or any(reached(low, equal + k - g, high - g) for g in range(min(k, high) + 1)):
            return k
        k += 1


def quantile_crossing(
    low: int, equal: int, high: int, level: tuple[int, int] = THREE_QUARTERS
) -> int:
    """Crossing score of the lower q-quantile: max of the distances to theta >= t and <= t."""
    p, s = level
    a, b = (s - p) * low - p * (equal + high), p * high - (s - p) * (low + equal)
    if a < 0:
        up = 0
    elif p >= s - p:
        up = a // p + 1
    else:
        up = a // (s - p) + 1
        if up > low:
            up = low + (a - (s - p) * low) // p + 1
    if b <= 0:
        down = 0
    elif s - p >= p:
        down = -(-b // (s - p))
    else:
        down = -(-b // p)
        if low + equal == 0 and down == high:
            down = high + 1  # the data may not become empty
        elif down > high:
            down = high + -(-(b - p * high) // (s - p))
    return max(up, down)


def mean_crossing(data: Sequence[int], t: int, ends: tuple[int, int]) -> int:
    """Crossing score of the mean: the greedy number of steps until the sum of x - t changes sign."""
    steps, *_ = _greedy(data, t, ends)
    return steps


def mean_len(data: Sequence[int], t: int, ends: tuple[int, int]) -> int:
    """Length of the mean for integers: the greedy steps, or one more where no removals hit the sum."""
    steps, gains, total, addition = _greedy(data, t, ends)
    if steps == 0 or len(gains) < steps or total - sum(gains[: steps - 1]) <= addition:
        return steps
    shifted = [x - t if sum(data) > len(data) * t else t - x for x in data]
    hit = steps < len(data) and any(sum(c) == total for c in combinations(shifted, steps))
    return steps if hit else steps + 1


def _greedy(data: Sequence[int], t: int, ends: tuple[int, int]) -> tuple[int, list[int], int, int]:
    """Steps, removals made (largest first), the sum to remove, and the best addition."""
    total = sum(data) - len(data) * t
    if not data or total == 0:
        return (0 if data else 1), [], 0, 0
    sign = 1 if total > 0 else -1
    total, addition = abs(total), (t - ends[0] if sign > 0 else ends[1] - t)
    points = sorted((sign * (x - t) for x in data), reverse=True)
    left, steps = total, 0
    removed: list[int] = []
    while left > 0:
        best = points[len(removed)] if len(removed) < len(points) else 0
        if best > addition or (addition == 0 and best > 0):
            removed.append(best)
            left -= best
        else:
            left -= addition
        steps += 1
    return (steps + 1 if len(removed) == len(data) else steps), removed, total, addition


@cache
def searched(size: int, most: int) -> tuple[tuple[tuple[int, ...], dict[str, Any]], ...]:
    """All data sets of 1 to `most` points on a grid, with their properties."""
    return tuple(
        (d, {"mean": mean(d)} | {k: lower_quantile(d, Fraction(*q)) for k, q in LEVELS.items()})
        for d in multisets(range(size), range(1, most + 1))
    )


def by_search(data: Sequence[int], size: int, most: int) -> dict[str, list[tuple[int, int]]]:
    """(len, crossing score) for every t of the grid, by looking at all data sets up to a size."""
    far = 99
    exact_ = {name: [far] * size for name in NAMES}
    up, down = ({name: [far] * size for name in NAMES} for _ in range(2))
    for other, values in searched(size, most):
        d = distance(data, other)
        for name, value in values.items():
            for t in range(size):
                if value >= t and d < up[name][t]:
                    up[name][t] = d
                if value <= t and d < down[name][t]:
                    down[name][t] = d
                if value == t and d < exact_[name][t]:
                    exact_[name][t] = d
    return {
        name: [(exact_[name][t], max(up[name][t], down[name][t])) for t in range(size)]
        for name in NAMES
    }


def formulas(data: Sequence[int], size: int) -> dict[str, list[tuple[int, int]]]:
    """The same by the formulas."""
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in NAMES}
    for t in range(size):
        low, most = below(data, t), up_to(data, t)
        counts = low, most - low, len(data) - most
        for name, level in LEVELS.items():
            length = median_len(*counts) if name == "median" else quantile_len(*counts, level)
            found[name].append((length, quantile_crossing(*counts, level)))
        ends = (0, size - 1)
        found["mean"].append((mean_len(data, t, ends), mean_crossing(data, t, ends)))
    return found


def only_exact_scores(found: dict[str, list[tuple[int, int]]]) -> dict[str, list[tuple[int, int]]]:
    """The wrong formula crossing score = len."""
    return {name: [(a, a) for a, _ in rows] for name, rows in found.items()}


@proves("Exact formulas for lengths and crossing scores, against search.", Method.EXACT)
@mutant("crossing score = len", change=only_exact_scores)
def formulas_match_search(
    change: Callable[[dict[str, list[tuple[int, int]]]], Any] = lambda found: found,
) -> Finding:
    """Every formula against search over at most seven points on {0, 1, 2, 3}, for all |D| <= 3."""
    pairs = 0
    for data in multisets(range(4), range(4)):
        pairs += 4
        if change(formulas(data, 4)) != by_search(data, 4, 7):
            return exactly(False, f"fails for D = {data}")
    return exactly(True, f"{pairs} pairs (D, t), four properties, two scores")


@proves("Lengths of an example.", Method.EXACT)
@mutant("the point 4 moved to 3", data=(1, 1, 2, 3))
def example_lengths(data: tuple[int, ...] = EXAMPLE) -> Finding:
    """D = {1, 1, 2, 4} on the grid 0..5: lengths of median, 3/4-quantile and mean."""
    found = formulas(data, 6)
    for name, wanted in LENGTHS.items():
        exact_ = tuple(a for a, _ in found[name])
        crossing = tuple(b for _, b in found[name])
        if exact_ != wanted or (name != "quantile" and crossing != wanted):
            return exactly(False, f"{name}: {exact_}, crossing {crossing}")
    return exactly(True, "eighteen lengths")


@proves("Laws of the example.", Method.ENCLOSURE)
@mutant("eps 1 % larger", epsilon=PERCENT)
def example_law(epsilon: Fraction = Fraction(1)) -> Finding:
    """P(t) proportional to e^(-eps len / 2), for median and mean of the example."""
    rows = []
    for name, line in LAWS.items():
        masses = [ExpSum.exp(-epsilon * k / 2) for k in LENGTHS[name]]
        total = sum(masses, ExpSum({}))
        rows += [
            (f"P(t = {t}), {name}", text, (mass / total).ball())
            for t, (text, mass) in enumerate(zip(line.split(), masses, strict=True))
        ]
    return as_printed(rows)


@proves("The length of the median, for every n.", Method.SMT)
@mutant("L - E - G for L - E - G + 1", one=0)
@for_all(integers("L E G j"))
def median_length_by_counts(low: Any, equal: Any, high: Any, j: Any, *, one: int = 1) -> Condition:
    """For every L, E, G: max(0, L-E-G+1, G-L-E) additions at t suffice, and no fewer steps do.

    The lower median is t iff L < E + G and G <= L + E; a step moves each difference by at most 1.
    """
    first, second = low - equal - high + one, high - low - equal
    least = choose(first > second, first, second)
    k = choose(least > 0, least, 0)
    reached = all_of(low < equal + k + high, high <= low + equal + k)
    needed = implies(all_of(low - equal - high - j < 0, second - j <= 0), j >= k)
    given = all_of(low >= 0, equal >= 0, high >= 0, j >= 0)
    return implies(given, all_of(reached, needed))


@proves("The weights as printed, e^-len, cost up to 2 whatever eps is.", Method.EXACT)
@mutant("2.0 for 1.99", limit=Fraction(2))
def as_printed_costs_two(limit: Fraction = Fraction(199, 100)) -> Finding:
    """Weights e^(-len), as printed: for the mean on {0..4}, D = {1^4, 4^2} and D with 0, nearly 2."""
    data = (1, 1, 1, 1, 4, 4)
    laws = []
    for d in (data, add(data, 0)):
        masses = [ExpSum.exp(Fraction(-mean_len(d, t, (0, 4)))) for t in range(5)]
        total = sum(masses, ExpSum({}))
        laws.append([mass / total for mass in masses])
    worst = max(max(p / q, q / p) for p, q in zip(*laws, strict=True))
    return exactly(worst > ExpSum.exp(limit), "a loss of more than 1.99, whatever eps is")


@proves("A distance to a set is 1-Lipschitz.", Method.SMT)
@mutant("by 0", far=0)
@for_all(
    integers("len1 len2 d"),
    "The lengths of two data sets at distance {d} of each other differ by at most that many points; of neighbors by at most one.",
)
def triangle_inequality(first: Any, second: Any, d: Any, *, far: int = 1) -> Condition:
    """|len(D, t) - len(D', t)| <= d(D, D'): from d(D, S) <= d(D, D') + d(D', S) both ways."""
    given = all_of(first <= d + second, second <= d + first, d >= 0, d <= 1)
    return implies(given, all_of(first - second <= far, second - first <= far))


@confirms("Exactly 1 for median, quartiles and mean; the crossing score too.", Method.EXACT)
@mutant("exactly 2", bound=2)
def sensitivity_cases(bound: int = 1) -> Finding:
    """Over |D| <= 4 on a grid of four, lengths and crossing scores change by at most 1, and by 1."""
    worst, size = [0, 0], 4
    for data in multisets(range(size), range(5)):
        before = formulas(data, size)
        for x in range(size):
            after = formulas(add(data, x), size)
            for name in NAMES:
                for p, q in zip(before[name], after[name], strict=True):
                    worst = [max(w, abs(a - b)) for w, a, b in zip(worst, p, q, strict=True)]
    return exactly(worst == [bound, bound], f"largest changes {worst[0]} and {worst[1]}")


CLAIMS = (
    Claim(
        id="SUB-A5",
        source="Algorithm 5",
        says="Inverse sensitivity draws a grid value t with weight e^(-eps len(D, t) / 2), where len is the number of points to change until the property is t (printed without eps).",
        latex=r"P(t) \propto e^{-\varepsilon\, \mathrm{len}(D, t)/2},\quad \mathrm{len}(D, t) = \min\{d(D, D') : \theta(D') = t\}",
        domain="t on a public grid; data sets D' not empty, over the same values; len of no data is 1",
        status=Status.DEFINITION,
        checks=checks_of(
            example_lengths,
            example_law,
            formulas_match_search,
            median_length_by_counts,
            as_printed_costs_two,
        ),
    ),
    Claim(
        id="SUB-C.len",
        source="Appendix C, sensitivity of len",
        states=(triangle_inequality,),
        domain="len1 and len2 are the distances to the sets with one value, so each is at most d plus the other; every property",
        status=Status.PROVED,
        checks=checks_of(triangle_inequality, sensitivity_cases),
        assumes=("SUB-D0",),
        steps=(
            ByDefinition(
                "SUB-A5",
                "len(D, t) is the distance of D to the fixed set of data with theta = t; so are both parts of the crossing score.",
            ),
        ),
    ),
)
