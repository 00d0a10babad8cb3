"""Lemmas on all moves at once: the privacy loss of an additive noise, for every move of the query.

A lemma states for which points and moves the loss is bounded; its check runs the loss on all of
them by cases (`audit.exact.symbolic.affine`), and bounds the affine form of each case by its
corners and directions. A bound that fails comes with an exact point at which the loss exceeds it.

Points are written z = step (n + f) with an integer n and 0 <= f < 1, so that levels are floors of
bounded forms; the few n at which |z| and |z + move| may bend apart are regions of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import final

from audit.exact.symbolic.affine import Affine, Range, Region, Vector, box, explore
from audit.exact.symbolic.log_numbers import Number
from audit.results.verdict import Verdict

NEARER = tuple(Fraction(1, 2**k) for k in (1, 3, 6, 12, 24))
"""How far from a corner towards the middle of its case witnesses are looked for."""

FARTHER = (1, 16, 256)


@final
@dataclass(frozen=True, slots=True)
class MoveCheck:
    """What the check of a lemma found."""

    verdict: Verdict
    """PROVED, REFUTED (with a witness), or INCONCLUSIVE (a case exceeds the bound, but no point of
    it is known to)."""
    cases: int
    least: Fraction | None
    largest: Fraction | None
    """Range of the loss over the cases; None is infinite. Over integers the ends may be wider than
    what is reached."""
    witness: tuple[Fraction, ...] | None = None
    """Values of the variables at which the loss is outside the bound."""


@final
@dataclass(frozen=True, slots=True)
class MoveLemma:
    """|loss| <= bound at all points and for all moves of some regions."""

    id: str
    """Of the claim that it proves."""
    statement: str
    """What is proved, in words."""
    hypotheses: tuple[str, ...]
    """What the user of the lemma must see to; all else is checked."""
    variables: tuple[str, ...]
    regions: tuple[Region, ...]
    """Where they range; together they cover all points and moves (up to a null set)."""
    loss: Callable[[tuple[Number, ...]], Number]
    """Logarithm of the ratio of two densities, of the variables, as numbers or as forms."""
    bound: Callable[[tuple[Number, ...]], Number]
    """Largest absolute loss allowed, of the variables; both in nats."""

    def check(self) -> MoveCheck:
        """Check the lemma, exactly."""
        cases = [case for region in self.regions for case in explore(self._run, region)]
        lowers, uppers = zip(*(_range(loss) for _, (loss, _) in cases), strict=True)
        least = None if None in lowers else min(lowers)
        largest = None if None in uppers else max(uppers)
        result = MoveCheck(Verdict.PROVED, len(cases), least, largest)
        open_cases = [(region, gap) for region, (_, gaps) in cases for gap in gaps if _falls(gap)]
        if not open_cases:
            return result
        for region, _ in open_cases:
            for point in _near_ends(region):
                _, gaps = self._run(point)
                if min(gaps) < 0:
                    return replace(result, verdict=Verdict.REFUTED, witness=point)
        return replace(result, verdict=Verdict.INCONCLUSIVE)

    def _run(self, x: tuple[Number, ...]) -> tuple[Number, tuple[Number, Number]]:
        """Loss, and by how much it is inside the bound above and below."""
        loss, bound = self.loss(x), self.bound(x)
        return loss, (bound - loss, bound + loss)


def _near_ends(region: Region) -> Iterator[tuple[Fraction, ...]]:
    """Points of a region near its corners and far in its directions."""
    corners, directions = region.corners, region.directions
    ends = [*corners, *(_sum(c, d, k) for c in corners for d in directions for k in FARTHER)]
    middle = tuple(sum(xs, start=Fraction(0)) / len(corners) for xs in zip(*corners, strict=True))
    for end, step in product(ends, NEARER):
        point = tuple(
            x if is_integer else x + (y - x) * step
            for x, y, is_integer in zip(end, middle, region.integral, strict=True)
        )
        whole = (x for x, is_integer in zip(point, region.integral, strict=True) if is_integer)
        if all(x.denominator == 1 for x in whole) and region.holds(point):
            yield point


def _falls(gap: Number) -> bool:
    """Whether a form goes below 0 in its region."""
    least, _ = _range(gap)
    return least is None or least < 0


def _range(loss: Number) -> tuple[Fraction | None, Fraction | None]:
    return loss.range() if isinstance(loss, Affine) else (Fraction(loss), Fraction(loss))


def _sum(x: Vector, y: Vector, factor: int) -> Vector:
    return tuple(a + factor * b for a, b in zip(x, y, strict=True))


def places(below: int, above: int = 0) -> tuple[Range, ...]:
    """Ranges of n: far to either side, and one by one where n + f + move may change sign."""
    near = tuple((k, k) for k in range(-below, above))
    return ((above, None), (None, -below - 1), *near)


def boxes(parts: Sequence[tuple[Sequence[Range], bool]]) -> tuple[Region, ...]:
    """Products of the ranges of each variable, with whether it is an integer."""
    flags = [integral for _, integral in parts]
    return tuple(box(ranges, flags) for ranges in product(*(ranges for ranges, _ in parts)))
