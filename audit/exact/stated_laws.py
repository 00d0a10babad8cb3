"""From two stated laws to what compares them: the closed form, exact cells, or enclosures."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.cells.cell import Cell, CellPair, RatioRange
from audit.exact.cells.finite_laws import (
    Exponentials,
    FinitePmf,
    NotExponential,
    cells_of,
    finite_cells,
)
from audit.exact.cells.level_laws import level_cells, point_cells
from audit.exact.cells.line.line_noises import line_law
from audit.exact.cells.plane.plane_law import PlaneLaw
from audit.exact.cells.plane.plane_noises import discrete_hourglass_law, hourglass_law, l1_law
from audit.exact.comparison.cells import Comparison, OfCells
from audit.exact.comparison.density_comparison import OfDensities, OfLines, check_mass
from audit.exact.comparison.gaussians import OfGaussians
from audit.exact.comparison.lattice_comparison import NUMBERS, OfAtoms, OfLatticeGaussians
from audit.exact.density.pair import DensityPair
from audit.exact.density.tail_lemmas import Density
from audit.exact.exact_numbers import as_ball
from audit.exact.forms.closed_forms import NoForm, density_form
from audit.exact.sameness import FiniteStated, key_of, merged, same, whole
from audit.exact.symbolic.affine import NotAffine
from audit.faults import bounded, is_ours
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from mechanisms.protocols import Arithmetic, ExactLaw, FiniteLaw, PartialLaw
from mechanisms.validation import shown
from proofs_check.enclosure import Ball, contains, endpoints

MOST_BREAKPOINTS = 4096
"""Of a density; a law with more repeats without end, and must be made of exponentials."""

CHECKED: dict[Hashable, None] = {}
"""Keys of densities that integrate to 1: audits of many pairs ask for the same ones."""
MOST_CHECKED = 64

INSIDE = Fraction(314159, 10**6)
"""A point at which a density is asked whether it returns a number; no breakpoint of any of ours."""

FARTHEST = 300
"""Breakpoints are looked for between 2^-FARTHEST and 2^FARTHEST."""


@final
@dataclass(frozen=True, slots=True)
class TableLaw:
    """A law that is stated as a table of outcomes and exact probabilities."""

    table: Mapping[Hashable, Fraction]
    rational: bool = True
    cuts: tuple[Fraction, ...] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """The table, in other numbers."""
        return {outcome: numbers.rational(Fraction(p)) for outcome, p in self.table.items()}

    def describe(self, outcome: Any) -> str:
        """Say which outcome it is."""
        return f"z = {outcome}"


@final
@dataclass(frozen=True, slots=True)
class StatedNoise:
    """A law as the noise that has it; parameters are those of the law."""

    law: Any

    def exact_law(self) -> ExactLaw:
        """The law."""
        found: ExactLaw = self.law
        return found

    @property
    def dimension(self) -> int:
        """Of the line."""
        return 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.law, name)


def stated(law: Any) -> Any:
    """A law as a mechanism states it; a mapping is a table of probabilities.

    Raises InvalidArgument if the table is no law, or what must be finite is not: no part of a law
    may have no end.
    """
    if isinstance(law, Mapping):
        return TableLaw(_table(law))
    if is_ours(law):
        return law
    for name in ("pieces", "weights", "cuts", *(("points",) if hasattr(law, "weights") else ())):
        for part in whole(getattr(law, name, ()), name):
            if name == "weights":
                whole(part, name)
    return FiniteStated(law) if isinstance(law, FiniteLaw) else law


def _table(law: Mapping[Hashable, Any]) -> Mapping[Hashable, Fraction]:
    """Check a table of probabilities."""
    table = merged((z, _probability(z, p)) for z, p in bounded(law.items(), "outcomes"))
    if (total := sum(table.values())) != 1:
        msg = f"the probabilities must add up to 1, got {shown(table)}, which add up to {total}"
        raise InvalidArgument(msg)
    return table


def _probability(outcome: Hashable, value: Any) -> Fraction:
    try:
        p = Fraction(value)
    except (TypeError, ValueError, ArithmeticError) as exc:
        msg = f"the probability of {shown(outcome)} must be a number, got {shown(value)}"
        raise InvalidArgument(msg) from exc
    if p < 0:
        msg = f"the probability of {shown(outcome)} must be at least 0, got {shown(value)}"
        raise InvalidArgument(msg)
    return p


def compared(law: Any, other: Any) -> Comparison:
    """Compare two stated laws.

    `law`, `other`: of one release on two data sets. Raises InvalidArgument if the laws are of
    different kinds, or are no laws. Raises NotCovered if no lemma gives the mass of a tail.
    """
    if isinstance(law, FiniteLaw) and isinstance(other, FiniteLaw):
        return OfCells(_finite_cells(law, other))
    if not is_formula(law) or not is_formula(other):
        return OfCells(law_cells(law, other))
    (base, by), (second, moved) = _parts(law), _parts(other)
    if isinstance(by, tuple) != isinstance(moved, tuple):
        msg = f"the stated laws are of different dimensions: {law!r} and {other!r}"
        raise InvalidArgument(msg)
    if isinstance(by, tuple):
        if not same(base, second):
            msg = (
                f"laws in the plane must be moves of one law, got {shown(base)} and {shown(second)}"
            )
            raise InvalidArgument(msg)
        move = [y - x for x, y in zip(by, moved, strict=True)]
        return OfCells(plane_law(StatedNoise(base)).cells(*move))
    if _has_atoms(base) != _has_atoms(second):
        msg = f"one of the stated laws has atoms, the other a density: {law!r} and {other!r}"
        raise InvalidArgument(msg)
    if _has_atoms(base):
        return _of_atoms(base, by, second, moved)
    return _of_densities(base, by, second, moved)


def is_formula(law: Any) -> bool:
    """Whether a law is stated as the formula of a density or pmf."""
    return isinstance(law, ExactLaw) and not hasattr(law, "pieces") and not hasattr(law, "weights")


def part_told(*laws: Any) -> str:
    """What is told of the release, where one law is that of a part; empty where none is."""
    return next((law.part for law in laws if isinstance(law, PartialLaw)), "")


def law_cells(law: Any, neighbor: Any) -> CellPair:
    """Cells of two laws of pieces, or of weights of points.

    Raises InvalidArgument if the laws are of neither kind.
    """
    laws = law, neighbor
    if law is None or neighbor is None:
        msg = "the mechanism states no law of its release on these data; use mode 'sequential'"
        raise InvalidArgument(msg)
    for name, cells in (("pieces", level_cells), ("weights", point_cells)):
        if all(hasattr(law, name) for law in laws):
            return cells(*laws)
    if type(law) is not type(neighbor):
        msg = f"the stated laws are of different kinds: {shown(law)} and {shown(neighbor)}"
        raise InvalidArgument(msg)
    msg = f"no exact cells are known for the law {shown(law)}"
    raise InvalidArgument(msg)


def plane_law(noise: Any) -> PlaneLaw:
    """Law of noise on two coordinates together, by what the noise has."""
    if hasattr(noise, "sensitivity"):
        return l1_law(noise, noise.sensitivity)
    return discrete_hourglass_law(noise) if hasattr(noise, "grid") else hourglass_law(noise)


def _parts(law: ExactLaw) -> tuple[ExactLaw, Any]:
    """A law and by how much it is moved."""
    return (law.law, law.by) if type(law) is Moved else (law, Fraction(0))


def _has_atoms(law: ExactLaw) -> bool:
    return next(iter(law.atoms(NUMBERS)), None) is not None


def _of_atoms(base: Any, by: Fraction, second: Any, moved: Fraction) -> Comparison:
    """Laws on a lattice."""
    variances = _lattice_variance(base), _lattice_variance(second)
    if variances[0] is not None and variances[0] == variances[1]:
        if (by - moved).denominator > 1:
            cells = (  # lattices that do not meet
                Cell(Fraction(p), Fraction(1 - p), f"z - {at} an integer")
                for p, at in ((1, by), (0, moved))
            )
            return OfCells(CellPair(tuple(cells)))
        return OfLatticeGaussians(0, int(moved - by), variances[0], by)
    lines = _lines(base, by, second, moved)
    if lines is not None:
        return lines
    return OfAtoms(Moved(base, by), Moved(second, moved))


def _lattice_variance(law: Any) -> Fraction | None:
    """Variance of a discrete Gaussian law of ours; what another says of itself shows nothing."""
    return law.lattice_sigma**2 if is_ours(law) and hasattr(law, "lattice_sigma") else None


def _lines(
    base: Any, by: Fraction, second: Any, moved: Fraction, densities: OfDensities | None = None
) -> OfLines | None:
    """Both formulas as sums of exponentials, in common cells; None where there are none."""
    one = same(base, second)
    try:
        line = line_law(StatedNoise(base))
        other = line if one else line_law(StatedNoise(second))
        pair = OfLines(line.moved(by), other.moved(moved), densities)
        if not one:
            pair.cut()
    except (NotAffine, TypeError):  # no sums of exponentials
        return None
    except InvalidArgument:
        if one:
            raise
        return None  # tails that fall at different rates, or several normalizers
    return pair


def _of_densities(base: Any, by: Fraction, second: Any, moved: Fraction) -> Comparison:
    """Densities on the line."""
    for law in (base, second):
        value = law.log_density(INSIDE, NUMBERS)
        if not isinstance(value, Ball | Fraction | int):
            msg = (
                "log_density of the stated law must return a number of its arithmetic, got "
                f"{shown(value)}"
            )
            raise InvalidArgument(msg)
    found = [gaussian(*one) for one in ((base, by), (second, moved))]
    if found[0] is not None and found[1] is not None and found[0][1] == found[1][1]:
        return OfGaussians(found[0][0], found[1][0], found[0][1])
    points, others = _breakpoints(base), _breakpoints(second)
    pair = DensityPair(
        Density.from_law(base, by, points or ()), Density.from_law(second, moved, others or ())
    )
    finite = None not in (points, others)
    lines = _lines(base, by, second, moved, OfDensities(pair) if finite else None)
    if lines is not None:
        return lines
    if not finite:
        msg = (
            f"a density with more than {MOST_BREAKPOINTS} breakpoints must be made of exponentials "
            "of exact numbers"
        )
        raise InvalidArgument(msg)
    for one in (base, second):
        _check_density(one)
    return OfDensities(pair)


def _check_density(law: ExactLaw) -> None:
    """Refuse a law that does not integrate to 1, once each."""
    key = key_of(law)
    if key not in CHECKED:
        check_mass(Density.from_law(law, 0, _breakpoints(law) or ()))
        CHECKED[key] = None
        for oldest in list(CHECKED)[:-MOST_CHECKED]:
            del CHECKED[oldest]


def gaussian(law: ExactLaw, by: Fraction = Fraction(0)) -> tuple[Fraction, Fraction] | None:
    """Mean and variance of a law that is Gaussian by its formula; None of another.

    Raises InvalidArgument if such a density does not integrate to 1.
    """
    if any(_outward(law)):
        return None
    try:
        form = density_form(law.log_density, None, None, NUMBERS)
    except NoForm:
        return None
    if len(form.terms) != 1:
        return None
    (((linear, square), _),) = form.terms.items()
    if square >= 0:
        return None
    mass = form.integral(None, None)
    if not contains(mass, Fraction(1)):
        msg = f"the stated density integrates to {mass!r}, not to 1"
        raise InvalidArgument(msg)
    return by - linear / (2 * square), -1 / (2 * square)


def _breakpoints(law: ExactLaw) -> tuple[Fraction, ...] | None:
    """All breakpoints of a law; None of too many."""
    found = set[Fraction]()
    for points in _outward(law):
        found |= points
        if len(found) > MOST_BREAKPOINTS:
            return None
    return tuple(sorted(found))


def _outward(law: ExactLaw) -> Iterator[set[Fraction]]:
    """Breakpoints of a law, by doubling where they are looked for."""
    reach = Fraction(1, 2**FARTHEST)
    yield _points(law, Fraction(0), Fraction(0))
    yield _points(law, -reach, reach)
    while reach < 2**FARTHEST:
        yield _points(law, reach, 2 * reach)
        yield _points(law, -2 * reach, -reach)
        reach *= 2


def _points(law: ExactLaw, lower: Fraction, upper: Fraction) -> set[Fraction]:
    """Breakpoints of an interval: a tuple of exact numbers, not one without end."""
    if type(law) is Moved:
        return {x + law.by for x in _points(law.law, lower - law.by, upper - law.by)}
    found: Any = law.breakpoints(lower, upper)
    points = bounded(found, "breakpoints") if isinstance(found, Collection) else [found]
    if not all(isinstance(x, int | Fraction) for x in points):
        msg = f"breakpoints of the stated law must be a tuple of Fractions, got {shown(found)}"
        raise InvalidArgument(msg)
    return set(map(Fraction, points))


def _finite_cells(law: FiniteLaw, other: FiniteLaw) -> CellPair:
    """Outcomes of two finite laws: exact where masses are written with exponentials."""
    if law.rational and other.rational:
        return finite_cells(law, other)
    numbers: Any = Exponentials()
    cuts = sorted({*law.cuts, *other.cuts})
    try:
        first, second = (FinitePmf(one.masses(numbers, cuts)) for one in (law, other))
    except NotExponential:
        return _cells_in_balls(law, other, cuts)
    return cells_of(first, second)


def _cells_in_balls(law: FiniteLaw, other: FiniteLaw, cuts: Sequence[Fraction]) -> CellPair:
    """Outcomes whose probabilities are known up to balls, with the ratios that these allow."""
    p, q = (one.masses(NUMBERS, cuts) for one in (law, other))
    zero = Fraction(0)
    cells = []
    for outcome in {**p, **q}:
        x, y = p.get(outcome, zero), q.get(outcome, zero)
        if zero in (x, y):
            ratio = RatioRange(zero, Fraction(1) if x == zero else None)
        else:
            least, most = endpoints(as_ball(x) / as_ball(y))
            ratio = RatioRange(max(least, zero), most)
        cells.append(Cell(x, y, law.describe(outcome), ratio))
    return CellPair(tuple(cells))
