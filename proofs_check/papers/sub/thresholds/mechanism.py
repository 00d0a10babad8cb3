"""The threshold mechanism (Algorithm 2): its law, its privacy, and how many cells it looks at.

The density on [a, b] is proportional to e^(-eps l(tau) / 2), with the loss of a window of
half-width alpha. Cells on which the loss is constant make the law exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.language import (
    Condition,
    Domain,
    Private,
    absolute,
    all_of,
    any_of,
    decided,
    for_all,
    implies,
    real_symbols,
    reals,
    solve,
)
from proofs_check.papers.sub.common import (
    PERCENT,
    add,
    multisets,
    rank_distance,
    threshold_cells,
    weights,
    window_loss,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck

__all__ = ["CLAIMS", "cell_law"]

EXAMPLE = tuple(Fraction(x, 10) for x in (1, 4, 4, 9))
TWENTIETH = Fraction(1, 20)
LAW = (
    ("[0, .05]", 2, "0.0295717093947697"),
    ("[.05, .15]", 1, "0.0975110125802391"),
    ("[.15, .35]", 1, "0.195022025160478"),
    ("[.35, .45]", 0, "0.160768480568548"),
    ("[.45, .85]", 1, "0.390044050320956"),
    ("[.85, .95]", 1, "0.0975110125802391"),
    ("[.95, 1]", 2, "0.0295717093947697"),
)


def cell_law(
    data: tuple[Any, ...], ends: tuple[Any, Any], rank: Any, alpha: Any, epsilon: Fraction
) -> list[tuple[Fraction, Fraction, Fraction, ExpRatio]]:
    """Cells of the threshold mechanism: lower end, upper end, loss and probability, exactly."""
    cells = threshold_cells(data, ends, rank, alpha)
    masses = weights(cells, epsilon)
    total = sum(masses, ExpSum.rational(0))
    return [(*cell, mass / total) for cell, mass in zip(cells, masses, strict=True)]


def largestrank_distance(
    data: tuple[Any, ...], x: Any, ends: tuple[Any, Any], rank: Any, alpha: Any, epsilon: Fraction
) -> ExpRatio:
    """Largest density ratio, either way, between D and D with x added."""
    cells, others = (threshold_cells(d, ends, rank, alpha) for d in (data, add(data, x)))
    total, other = (sum(weights(c, epsilon), ExpSum.rational(0)) for c in (cells, others))
    cuts = sorted({end for cell in (*cells, *others) for end in cell[:2]})
    middles = [(a + b) / 2 for a, b in pairwise(cuts)]
    gaps = [
        window_loss(add(data, x), t, rank, alpha) - window_loss(data, t, rank, alpha)
        for t in middles
    ]
    up = ExpSum.exp(epsilon * max(gaps) / 2) * other / total
    down = ExpSum.exp(-epsilon * min(gaps) / 2) * total / other
    return max(up, down)


@proves("Cells, losses, probabilities and normalizer of an example.", Method.ENCLOSURE)
@mutant("eps 1 % larger", epsilon=PERCENT)
@mutant("alpha 1 % larger", alpha=TWENTIETH * PERCENT)
def law_of_the_example(epsilon: Fraction = Fraction(1), alpha: Fraction = TWENTIETH) -> Finding:
    """D = {.1, .4, .4, .9} on [0, 1], r = 2, alpha = .05, eps = 1: cells, losses, probabilities."""
    law = cell_law(EXAMPLE, (0, 1), 2, alpha, epsilon)
    if [loss for *_, loss, _ in law] != [row[1] for row in LAW]:
        return exactly(False, "the losses of the cells are others")
    normalizer = sum(weights(threshold_cells(EXAMPLE, (0, 1), 2, alpha), epsilon), ExpSum({}))
    rows = [(name, text, p.ball()) for (name, _, text), (*_, p) in zip(LAW, law, strict=True)]
    return as_printed([*rows, ("Z", "0.622012471887251", normalizer.ball())])


@proves("Its exact privacy loss when a point is added.", Method.ENCLOSURE)
@mutant("eps 1 % larger", epsilon=PERCENT)
def losses_of_the_example(epsilon: Fraction = Fraction(1)) -> Finding:
    """Exact privacy loss of the example when .1 or .9 is added."""
    numbers = Balls(128)
    tenths = ((Fraction(1, 10), "0.513795852638274"), (Fraction(9, 10), "0.488296216149662"))
    rows = []
    for x, text in tenths:
        ratio = largestrank_distance(EXAMPLE, x, (0, 1), 2, TWENTIETH, epsilon)
        rows.append((f"loss when {x} is added", text, numbers.log(ratio.ball())))
    return as_printed(rows)


@proves("The worst loss over small data sets, 0.81 of eps = 1.", Method.ENCLOSURE)
@mutant("eps 1 % larger", epsilon=PERCENT)
def worst_small_case(
    epsilon: Fraction = Fraction(1), printed: str = "0.807766599610744"
) -> Finding:
    """Worst loss over all multisets of at most four points on {0, 1/4, 1/2, 1} and five ranks."""
    values = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1))
    alpha = Fraction(1, 10)
    numbers = Balls(128)
    worst = max(
        largestrank_distance(data, x, (0, 1), rank, alpha, epsilon)
        for data in multisets(values, range(4))
        for x in values
        for rank in (0, 1, Fraction(3, 2), 2, 3)
    )
    return as_printed([("worst loss", printed, numbers.log(worst.ball()))])


@proves("The loss has sensitivity 1.", Method.SMT)
@mutant("0.99 for 1", step=Fraction(99, 100))
@mutant("the rank from above rises by 1.01", rise=PERCENT)
@for_all(
    reals("a b r n k p q"),
    "The loss of a threshold changes by at most one if a record is added, for a rank from below and for one from above.",
)
def sensitivity_is_one(
    a: Any,
    b: Any,
    r: Any,
    n: Any,
    k: Any,
    p: Any,
    q: Any,
    *,
    step: Fraction = Fraction(1),
    rise: Fraction = Fraction(1),
) -> Condition:
    """Adding x changes l(tau) by at most 1, for a real rank from below and for one from above.

    The counts a = #{x < tau - alpha} and b = #{x <= tau + alpha} rise by p <= q, both 0 or 1.
    """
    given = all_of(any_of(p == 0, p == 1), any_of(q == 0, q == 1), p <= q, a <= b)
    fixed = rank_distance(r, a + p, b + q) - rank_distance(r, a, b)
    from_above = rank_distance(n + rise - k, a + p, b + q) - rank_distance(n - k, a, b)
    bound = step
    return implies(given, all_of(*(all_of(-bound <= d, d <= bound) for d in (fixed, from_above))))


def drawn_by_weights(mechanism: str, relation: str, share: Fraction = Fraction(1)) -> Private:
    """The log of the density changes by eps / 2 times the move d, and by the move c of the log of Z."""
    eps, d, c = real_symbols("eps d c")
    domain = Domain((eps > 0, absolute(d) <= 1, absolute(c) <= eps / 2))
    return Private(mechanism, relation, domain, absolute(eps * d / 2 + c), share * eps)


@proves("If no weight grows by more than a factor, neither does a sum of two.", Method.SMT)
@mutant("0.99 g", part=Fraction(99, 100))
@for_all(reals("g v w x y"), polynomial=True)
def sums_move_as_weights(
    g: Any, v: Any, w: Any, x: Any, y: Any, *, part: Fraction = Fraction(1)
) -> Condition:
    """V <= g w and x <= g y give v + x <= g (w + y): so for all sums, and for integrals."""
    given = all_of(g >= 1, w > 0, y > 0, v <= g * w, x <= g * y)
    return implies(given, v + x <= part * g * (w + y))


BY_SUMS = ByCheck(
    "sums_move_as_weights",
    "So the sum or the integral of all weights moves by at most e^(eps / 2).",
)


@proves("Weights within e^(eps/2) give densities within e^eps.", Method.SMT)
@mutant("0.99 eps", share=Fraction(99, 100))
@decided(solve, polynomial=True)
def threshold_is_private(share: Fraction = Fraction(1)) -> Private:
    """The loss of a threshold is the exponent of its weight."""
    return drawn_by_weights("A threshold drawn with weights e^(-eps l / 2)", "add-remove", share)


@proves("The number of cells.", Method.EXACT)
@mutant("2 n for 2 n + 1", most=lambda n: 2 * n)
def cells_are_few(most: Callable[[int], int] = lambda n: 2 * n + 1) -> Finding:
    """A draw looks at no more than 2 n + 1 cells, with equality for points in general position."""
    sizes = []
    for data in multisets((1, 3, 5, 7), range(5)):
        cells = len(threshold_cells(data, (0, 8), 1, Fraction(1, 4)))
        if cells > most(len(data)):
            return exactly(False, f"{cells} cells for D = {data}")
        sizes.append(cells)
    return exactly(max(sizes) == most(4), f"at most {max(sizes)} cells for four points")


CLAIMS = (
    Claim(
        id="SUB-A2",
        source="Algorithm 2",
        says="The threshold mechanism draws from [a, b] with density proportional to e^(-eps l / 2), where l is the least rank error within alpha.",
        latex=r"p(\tau) \propto e^{-\varepsilon \ell(\tau)/2},\ \ell(\tau) = \max(0, \#\{x < \tau - \alpha\} - r, r - \#\{x \le \tau + \alpha\})",
        domain="public a < b, alpha > 0, eps > 0, rank r (or n - r from above)",
        status=Status.DEFINITION,
        checks=checks_of(law_of_the_example, losses_of_the_example, worst_small_case),
        assumes=("SUB-I1",),
    ),
    Claim(
        id="SUB-T3.7p",
        source="Theorem 3.7, privacy",
        states=(sensitivity_is_one, threshold_is_private),
        domain="a and b are the counts #{x < tau - alpha} and #{x <= tau + alpha}, which rise by p <= q; d is by how much the loss l of a point moves, c by how much the log of the integral of the weights does",
        status=Status.PROVED,
        checks=checks_of(sensitivity_is_one, threshold_is_private, sums_move_as_weights),
        assumes=("SUB-I1",),
        steps=(
            ByCheck("sensitivity_is_one"),
            ByCheck(
                "threshold_is_private",
                "Weights change by at most e^(eps/2) at every point; removing is the same read backwards.",
            ),
            BY_SUMS,
        ),
    ),
    Claim(
        id="SUB-T3.7c",
        source="Theorem 3.7, running time",
        says="A draw takes time O(n log n): it sorts the 2 n breakpoints and looks at no more than 2 n + 1 cells.",
        latex=r"\text{cells} \le 2n + 1",
        domain="n >= 0",
        status=Status.MEASURED,
        checks=checks_of(cells_are_few),
        note="Sorting dominates; each cell needs two binary searches. The time itself is shown by benchmarks.subset_speed.",
    ),
)
