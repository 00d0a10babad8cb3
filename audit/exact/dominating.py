"""Which pair of laws is the worse one, and pairs with as few cells as possible.

(P, Q) dominates (P', Q') if its hockey-stick divergence is at least as large at every factor. A
composition, also an adaptive one, is dominated by the product of pairs that dominate its parts
(Zhu, Dong and Wang 2022, Theorem 10); randomized response at epsilon dominates all that is
epsilon-private (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
"""

from __future__ import annotations

from fractions import Fraction

from audit.exact.cells import Cell, CellPair, Where
from audit.exact.finite import FinitePmf, cells_of
from audit.exact.numbers import add_up, sign
from proofs_check.exponential import Exact, ExpSum

__all__ = ["by_ratio", "dominates", "pure_dominating_pair"]


def by_ratio(pair: CellPair) -> CellPair:
    """Merge cells of the same density ratio: no divergence changes.

    Parameters
    ----------
    pair : CellPair
        Cells whose ratio varies are kept as they are.

    Returns
    -------
    CellPair
        In the order in which the ratios first appear; cells that neither law reaches are left out.
    """
    groups: list[tuple[Exact, Exact, list[Cell]]] = []
    kept = [cell for cell in pair.cells if cell.ratio is not None]
    for cell in pair.cells:
        if cell.ratio is not None:
            continue
        p, q = cell.exact()
        if not sign(p) and not sign(q):
            continue
        for over, under, members in groups:
            if p * under == q * over:
                members.append(cell)
                break
        else:
            groups.append((p, q, [cell]))
    merged = tuple(_merged(members) for _, _, members in groups)
    return CellPair((*merged, *kept), pair.total)


def _merged(cells: list[Cell]) -> Cell:
    if len(cells) == 1:
        return cells[0]
    p, q = (add_up(masses) for masses in zip(*map(Cell.exact, cells), strict=True))
    words = " or ".join(str(cell.where) for cell in cells)
    return Cell(p, q, Where(words, ("any of", *(cell.where.data for cell in cells))))


def dominates(worse: CellPair, pair: CellPair) -> bool:
    """Whether the excess of `worse` is at least that of `pair` at every factor, decided exactly.

    Both are piecewise linear in the factor and equal 1 at 0, so their corners decide.

    Parameters
    ----------
    worse, pair : CellPair
        In cells of one density ratio each.

    Raises
    ------
    OpenCell
        If the ratio of a cell is not the same at all its outcomes.
    """
    laws = [[cell.exact() for cell in one.cells] for one in (worse, pair)]
    corners: list[tuple[Exact, Exact]] = [(1, 1)]
    corners += [(p, q) for masses in laws for p, q in masses if sign(q)]
    return all(
        _excess(laws[1], *corner) * worse.total <= _excess(laws[0], *corner) * pair.total
        for corner in corners
    )


def _excess(masses: list[tuple[Exact, Exact]], over: Exact, under: Exact) -> Exact:
    """Mass of the excess at the factor over / under, times `under`."""
    gaps = (p * under - q * over for p, q in masses)
    return add_up(gap for gap in gaps if sign(gap) > 0)


def pure_dominating_pair(epsilon: Fraction) -> CellPair:
    """Return randomized response: it dominates every epsilon-private pair, in both directions.

    Parameters
    ----------
    epsilon : Fraction
        At least 0.
    """
    e = ExpSum.exp(epsilon)
    return cells_of(FinitePmf.from_weights({0: e, 1: 1}), FinitePmf.from_weights({0: 1, 1: e}))
