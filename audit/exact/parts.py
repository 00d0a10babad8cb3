"""Mechanisms built from parts, each given as cells: composition, processing, mixtures.

Independent noises on the coordinates of a vector query multiply masses and ratios, so the largest
privacy loss of the vector is the sum of those of the coordinates. The same holds where a later
part depends on earlier outputs and each of its laws keeps to its ratio (adaptive composition,
Dwork and Roth 2014, Theorem 3.14). No function of the output, random or not, adds to a divergence
(Proposition 2.1 there); a mixture with a hidden index is such a function of one with a public
index, which gives joint convexity.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial

from audit.exact.cells import Cell, CellPair, RatioRange, Where, outcomes, together
from audit.exact.divergences import LargestRatio
from audit.exact.finite import FinitePmf
from audit.exact.numbers import add_up, common_total, multiply, quotient, sign, simplest
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball
from proofs_check.exponential import Exact

__all__ = [
    "adaptive",
    "adaptive_ratio",
    "independent",
    "independent_ratio",
    "processed",
    "public_mixture",
]

Weighted = tuple[Exact, CellPair]
"""A weight, and the laws it is for."""


def adaptive(first: CellPair, second: Callable[[Where], CellPair]) -> CellPair:
    """Return the joint laws of an output and of a second one that is chosen by the first.

    Parameters
    ----------
    first : CellPair
        Laws of the first output.
    second : callable
        Laws of the second output, for a cell of the first one: the same at all its outcomes.

    Returns
    -------
    CellPair
        One cell for each pair of cells that either law reaches.
    """
    parts = [(cell, second(cell.where)) for cell in first.cells]
    common, factors = common_total([laws.total for _, laws in parts])
    cells = (
        _joint(cell, other, factor)
        for (cell, laws), factor in zip(parts, factors, strict=True)
        for other in laws.cells
    )
    return CellPair(tuple(cell for cell in cells if _reached(cell)), first.total * common)


def independent(coordinates: Sequence[CellPair]) -> CellPair:
    """Return the laws of a vector with independent coordinates, in product cells.

    Parameters
    ----------
    coordinates : sequence of CellPair
        At least one. The number of cells is the product of theirs.
    """
    if not coordinates:
        msg = "coordinates must not be empty"
        raise InvalidArgument(msg)
    result = coordinates[0]
    for other in coordinates[1:]:
        result = adaptive(result, partial(_always, other))
    return result


def _always(pair: CellPair, _: Where) -> CellPair:
    return pair


def _joint(x: Cell, y: Cell, factor: Exact) -> Cell:
    p, q = (multiply(multiply(a, b), factor) for a, b in ((x.p, y.p), (x.q, y.q)))
    return Cell(p, q, together(x.where, y.where), _product_range(x, y))


def _product_range(x: Cell, y: Cell) -> RatioRange | None:
    """Range of the product of two ratios; None where it is one number or has no denominator."""
    if x.ratio is None and y.ratio is None:
        return None
    if not all(map(_both_reach, (x, y))):
        return None
    left, right = _hull([x]), _hull([y])
    lower = left.lower * right.lower
    if left.upper is None or right.upper is None:
        return RatioRange(lower, None)
    return RatioRange(lower, left.upper * right.upper)


def _both_reach(cell: Cell) -> bool:
    return cell.ratio is not None or all(map(sign, cell.exact()))


def _reached(cell: Cell) -> bool:
    return any(isinstance(mass, Ball) or sign(mass) for mass in (cell.p, cell.q))


def adaptive_ratio(first: CellPair, second: Callable[[Where], LargestRatio]) -> LargestRatio:
    """Return the largest ratio of two outputs, the second one chosen by the first.

    Parameters
    ----------
    first : CellPair
        Laws of the first output.
    second : callable
        Largest ratio of the second output, for a cell of the first one.

    Returns
    -------
    LargestRatio
        The largest product of the two over cells; its logarithm is the largest sum of losses.
    """
    best: LargestRatio | None = None
    for cell in first.cells:
        over, under = cell.supremum()
        if not sign(over):
            continue
        here = LargestRatio(quotient(over, under) if sign(under) else None, cell.where)
        both = independent_ratio((here, second(cell.where)))
        if both.ratio is None:
            return both
        if best is None or best.ratio is None or both.ratio > best.ratio:
            best = both
    if best is None:
        msg = "no cell has a mass under the first law"
        raise InvalidArgument(msg)
    return best


def independent_ratio(ratios: Sequence[LargestRatio]) -> LargestRatio:
    """Return the largest ratio of a vector with independent coordinates: the product of theirs.

    It is also a bound where each coordinate is chosen by the earlier ones, and has at most the
    stated ratio whatever they are (Dwork and Roth 2014, Theorem 3.14).

    Parameters
    ----------
    ratios : sequence of LargestRatio
        One for each coordinate, of laws of any kind.
    """
    product: Exact | None = Fraction(1)
    for one in ratios:
        product = None if product is None or one.ratio is None else product * one.ratio
    where = together(*(one.where for one in ratios))
    return LargestRatio(None if product is None else simplest(product), where)


def processed(pair: CellPair, channel: Callable[[Where], FinitePmf]) -> CellPair:
    """Return the laws of an outcome drawn by a channel from the output, the output hidden.

    Parameters
    ----------
    pair : CellPair
        Laws of the output.
    channel : callable
        Law of the outcome for a cell of the output, the same at all its outcomes; a point law
        (`FinitePmf.point`) for a function of the output.
    """
    rows = [(cell, channel(cell.where)) for cell in pair.cells]
    common, factors = common_total([row.total for _, row in rows])
    sources: dict[Hashable, list[tuple[Cell, Exact]]] = {}
    for (cell, row), factor in zip(rows, factors, strict=True):
        for outcome, mass in row.masses:
            sources.setdefault(outcome, []).append((cell, mass * factor))
    cells = tuple(_merged(outcome, weighted) for outcome, weighted in sources.items())
    return CellPair(cells, pair.total * common)


def _merged(outcome: Hashable, sources: Sequence[tuple[Cell, Exact]]) -> Cell:
    """One outcome and the cells that it comes from, with weights."""
    p = add_up(multiply(cell.p, weight) for cell, weight in sources)
    q = add_up(multiply(cell.q, weight) for cell, weight in sources)
    if not isinstance(p, Ball) and not isinstance(q, Ball):
        return Cell(p, q, outcomes(outcome))
    return Cell(p, q, outcomes(outcome), _hull([cell for cell, _ in sources]))


def _hull(cells: Sequence[Cell]) -> RatioRange:
    """Range of the ratios of several cells together."""
    lowers: list[Exact] = []
    uppers: list[Exact | None] = []
    for cell in cells:
        if cell.ratio is not None:
            lowers.append(cell.ratio.lower)
            uppers.append(cell.ratio.upper)
            continue
        p, q = cell.exact()
        if sign(q):
            lowers.append(quotient(p, q))
        uppers.append(quotient(p, q) if sign(q) else None)
    finite = [upper for upper in uppers if upper is not None]
    return RatioRange(min(lowers), max(finite) if len(finite) == len(uppers) else None)


def public_mixture(parts: Sequence[Weighted]) -> CellPair:
    """Return the laws of (index, output): a part is chosen by its weight, and told.

    Its divergences are bounds for the same mixture with a hidden index (joint convexity), and its
    hockey-stick divergence is the weighted sum of those of the parts.

    Parameters
    ----------
    parts : sequence of (Exact, CellPair)
        Weights, at least 0 and adding up to 1, the same for both data sets; and the laws.
    """
    common, factors = common_total([pair.total for _, pair in parts])
    cells = (
        Cell(
            multiply(cell.p, weight * factor),
            multiply(cell.q, weight * factor),
            together(outcomes(index), cell.where),
            cell.ratio,
        )
        for index, ((weight, pair), factor) in enumerate(zip(parts, factors, strict=True))
        for cell in pair.cells
    )
    return CellPair(tuple(cells), common)
