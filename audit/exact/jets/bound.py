"""Supremum of a function over a box in one or two dimensions: branch and bound with jets.

The function is a formula over an `Arithmetic`. On a cell its jet gives an enclosure of the values
and of the slopes, and an upper bound is the least of

* the upper end of the values;
* with one free side [a, b] and slopes [m, M], m < 0 < M, the height at which the lines with slope M
  through (a, f(a)) and with slope m through (b, f(b)) meet,
  (M f(b) - m f(a) - m M (b - a)) / (M - m): the mean-value form, taken from both ends;
* with two free sides of widths w_i and center c, f(c) + sum of w_i max |S_i| / 2 (mean-value form).

A cell on which a slope has one sign is replaced by its face at the end to which the function
grows. Cells are split best first; none is dropped, and those that stay open are returned. At a
jump between two cells each takes its own one-sided limit, so that the supremum is the one over the
open cells (for densities: the essential supremum).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from audit.exact.jets.findings import Covered, Decision, Supremum
from audit.exact.jets.points import Box
from audit.exact.jets.search import BUDGET, BoxSearch, Formula, Node, covered
from proofs_check.enclosure import Balls

__all__ = ["at_most", "recheck", "supremum"]


def supremum(
    formula: Formula,
    box: Box,
    *,
    tolerance: Fraction = Fraction(1, 10**9),
    cuts: Sequence[Sequence[Fraction]] = (),
    budget: int = BUDGET,
    numbers: Balls | None = None,
) -> Supremum:
    """Enclose the supremum of a function over a box.

    `formula`: the function, over an `Arithmetic`. `box`: one or two sides. `tolerance`: where the
    enclosure is this narrow the search ends. `cuts`: for each coordinate, where cells must end
    (kinks and jumps of the formula). `budget`: most cells to evaluate. `numbers`: working
    precision; 64 bits by default.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.bound import supremum
    >>> from audit.exact.jets.search import box_of
    >>> found = supremum(lambda x, numbers: numbers.rational(x * (1 - x)), box_of((0, 2)))
    >>> found.lower <= Fraction(1, 4) <= found.upper, found.peak.point
    (True, (Fraction(1, 2),))
    """
    search = BoxSearch(formula, numbers or Balls(64))

    def small(cell: Node) -> bool:
        best = search.best
        return cell.upper is not None and best is not None and cell.upper - best.lower <= tolerance

    leaves = search.run(box, cuts, budget, small, lambda: False)
    cover = tuple(map(covered, leaves))
    uppers = [cell.upper for cell in leaves if cell.upper is not None]
    upper = max(uppers) if len(uppers) == len(leaves) else None
    undecided = tuple(covered(cell) for cell in leaves if not small(cell))
    lower = search.best and search.best.lower
    return Supremum(lower, upper, search.best, search.cells, cover, undecided)


def at_most(
    formula: Formula,
    box: Box,
    limit: Fraction,
    *,
    cuts: Sequence[Sequence[Fraction]] = (),
    budget: int = BUDGET,
    numbers: Balls | None = None,
) -> Decision:
    """Decide whether the supremum of a function over a box is at most a limit.

    `formula`, `box`, `cuts`, `budget`, `numbers`: as for `supremum`. `limit`: the bound in
    question. Returns: proved, with the cells that cover the box; refuted, with a point; or
    undecided, with the cells that stayed open.
    """
    search = BoxSearch(formula, numbers or Balls(64))
    limit = Fraction(limit)

    def proved(cell: Node) -> bool:
        return cell.upper is not None and cell.upper <= limit

    def refuted() -> bool:
        return search.best is not None and search.best.lower > limit

    leaves = search.run(box, cuts, budget, proved, refuted)
    cover = tuple(map(covered, leaves))
    if refuted():
        return Decision(limit, False, cover, search.best, (), search.cells)
    undecided = tuple(covered(cell) for cell in leaves if not proved(cell))
    return Decision(limit, None if undecided else True, cover, None, undecided, search.cells)


def recheck(
    formula: Formula, part: Covered, limit: Fraction, *, numbers: Balls | None = None
) -> bool:
    """Whether a part alone, evaluated once and without splitting, shows `limit` as its bound."""
    cell = BoxSearch(formula, numbers or Balls(64)).evaluate(part.box, part.box, None)
    return cell.upper is not None and cell.upper <= limit
