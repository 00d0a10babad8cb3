"""A trade-off curve: every test of level a has type II error at least f(a).

It is the intersection of the lines with s minus a slope of f and t = 1 + f*(-s).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import exp
from typing import Any

from audit.levels.examples import FINEST
from audit.levels.kind import Ask, Grid, LevelKind
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import Relation, TradeOff
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

STEEPEST, MOST_SEGMENTS = 10, 4
"""Of examples."""


def _grid(level: TradeOff, ask: Ask) -> Grid:
    """The claim alone: curves have no order. An asymmetric one holds one way for listed pairs."""
    import numpy as np

    from audit.levels.nesting import Axis
    from audit.levels.supporting_lines import line_grid

    one_way = ask.relation is Relation.LISTED and not _symmetric(level)
    return line_grid([_lines(level.knots)], (Axis("", np.ones(1)),), 0, one_way=one_way)


def _lines(knots: tuple[tuple[Fraction, Fraction], ...]) -> list[tuple[float, float]]:
    """Lines Q(S) <= s P(S) + 1 + f*(-s), one for each slope -s of the curve.

    f*(-s) is the largest of -s a - f(a), which a knot attains.
    """
    slopes = {(b0 - b1) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(knots)} - {0}
    _check_slopes(slopes)
    return [
        (float(s), float(min(Fraction(1), 1 + max(-s * a - b for a, b in knots))))
        for s in sorted(slopes)
    ] or [(1.0, 1.0)]


def _check_slopes(slopes: set[Fraction]) -> None:
    """Refuse a line that no sample could refute, and that doubles may not hold."""
    from audit.levels.supporting_lines import LARGEST_EPSILON

    steepest = Fraction(exp(LARGEST_EPSILON))
    for slope in slopes:
        if not 1 / steepest <= slope <= steepest:
            how = "steep" if slope > 1 else "flat"
            msg = (
                f"a trade-off curve must have slopes of 0 or between e^-{LARGEST_EPSILON} and "
                f"e^{LARGEST_EPSILON} to be audited by draws, got one that is so {how}: "
                f"{shown(-slope)}"
            )
            raise InvalidArgument(msg)


def _symmetric(curve: TradeOff) -> bool:
    """Whether the curve is its own inverse: then both directions hold."""
    first = next(i for i, (_, b) in enumerate(curve.knots) if b == 0)
    # the curve and its inverse are linear between these levels and their errors
    return all(curve(b) == a for a, b in curve.knots[: first + 1])


def _implies(level: TradeOff, other: TradeOff) -> bool:
    """Both are linear between the knots of the two."""
    places = {a for curve in (level, other) for a, _ in curve.knots}
    return all(level(a) >= other(a) for a in places)


def _example(st: Any) -> Any:
    """Convex curves: segments of any widths, steeper ones first, from a height down to 0."""
    steps = st.integers(1, STEEPEST)
    slopes = st.sampled_from([*range(1, STEEPEST + 1), 0])
    segments = st.lists(st.tuples(steps, slopes), min_size=1, max_size=MOST_SEGMENTS)
    height = st.just(Fraction(1)) | st.fractions(0, 1, max_denominator=FINEST)
    return st.builds(_curve, segments, height)


def _curve(segments: Sequence[tuple[int, int]], height: Fraction) -> TradeOff:
    ordered = sorted(segments, key=lambda segment: -segment[1])
    widths = [Fraction(width) for width, _ in ordered]
    falls = [Fraction(width * slope) for width, slope in ordered]
    levels = [level / sum(widths) for level in accumulate(widths, initial=Fraction(0))]
    whole = sum(falls) or Fraction(1)
    rest = [sum(falls, Fraction(0)) - fallen for fallen in accumulate(falls, initial=Fraction(0))]
    errors = [height * part / whole for part in rest]
    return TradeOff(tuple(zip(levels, errors, strict=True)))


TRADE_OFF = LevelKind(
    TradeOff,
    "trade-off",
    "trade_off",
    '[(0, 1), ("1/2", "1/10"), (1, 0)]',
    (
        Word(
            "trade_off",
            Kind.KNOTS,
            "Claim a trade-off curve instead: the least type II error of a test at each level, "
            "linear between these.",
            Of.PRIVACY,
            metavar="LEVEL:ERROR,...",
        ),
    ),
    TradeOff,
    grid=_grid,
    limits=(),
    implies={TradeOff: _implies},
    example=_example,
)
"""The kind of `TradeOff`."""
