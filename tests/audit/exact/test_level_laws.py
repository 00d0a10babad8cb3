"""Laws of the exponential mechanism in exact cells: proofs, refutations and printed numbers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations_with_replacement

import pytest

from audit.exact.cells.cell import Cell, CellPair, interval
from audit.exact.cells.cell_divergences import LargestRatio, hockey_stick, largest_ratio
from audit.exact.cells.finite_laws import cells_of
from audit.exact.cells.level_laws import level_cells, point_pmf, probability
from audit.exact.exact_numbers import as_ball, log_ball, sign
from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.errors import InvalidArgument
from mechanisms.subset.levels import LevelLaw, LevelPiece
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.threshold_grid import GridThreshold
from proofs_check.enclosure import Balls, agrees_with_print, endpoints
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import chance

F = Fraction
BAND = F(1, 8), F(1, 6)
BALLS = Balls(200)


def losses(mechanism: Threshold | PrintedThreshold, data: list[float], x: float) -> CellPair:
    """Cells of the laws on data and on data with one record more."""
    return level_cells(mechanism.exact_law(data), mechanism.exact_law([*data, x]))


def printed(epsilon: int = 1, rank: int | None = 1) -> PrintedThreshold:
    """The mechanism of SUB-E1: [-1, 1], gamma = 1/2, r = 1."""
    return PrintedThreshold(epsilon, -1, 1, "1/2", rank=rank)


def test_probabilities_of_the_erratum() -> None:
    """The event (1/8, 1/6) must have the two printed probabilities of SUB-E1, in all digits."""
    for count, reference in ((3, "0.0363792436972327"), (4, "0.00952616359128164")):
        exact = probability(printed().exact_law([0.0] * count), *BAND)
        assert agrees_with_print(as_ball(exact), reference)


@pytest.mark.parametrize(
    ("epsilon", "reference"),
    [(1, "1.33995630853686"), (2, "2.79872826590632"), (4, "5.78087616631742")],
)
def test_printed_form_is_refuted(epsilon: int, reference: str) -> None:
    """The largest ratio from 3 to 4 records must be that of SUB-E1, above e^epsilon, exactly."""
    mechanism = printed(epsilon)
    law, neighbor = mechanism.exact_law([0.0] * 3), mechanism.exact_law([0.0] * 4)
    ratio = probability(law, *BAND) / probability(neighbor, *BAND)
    assert agrees_with_print(log_ball(ratio), reference)
    found = largest_ratio(level_cells(law, neighbor))
    assert not found.at_most(F(epsilon))
    assert found.ratio == ratio


def test_printed_form_is_refuted_with_all_its_parameters() -> None:
    """With the printed rank, a logarithm, the ratio must be decided as well."""
    mechanism = printed(rank=None)
    assert not largest_ratio(losses(mechanism, [0.0] * 10, 0.0)).at_most(F(3))


@pytest.mark.parametrize("count", [1, 2])
def test_few_records_violate_only_beyond_the_domain(count: int) -> None:
    """From 1 to 2 records at 0 no rank may violate, from 2 to 3 only r = 3 > |D| (SUB-E1)."""
    for rank in (1, 2, 3):
        pairs = losses(printed(rank=rank), [0.0] * count, 0.0).both_ways()
        held = all(largest_ratio(pair).at_most(F(1)) for pair in pairs)
        assert held == ((count, rank) != (2, 3))
    log = largest_ratio(losses(printed(rank=3), [0.0] * 2, 0.0)).log()
    assert count == 1 or (log is not None and agrees_with_print(log, "1.379"))


def worst(pairs: Iterable[CellPair]) -> LargestRatio:
    """The largest ratio of all pairs, both ways round."""
    found = [largest_ratio(side) for pair in pairs for side in pair.both_ways()]
    return max(found, key=cmp_to_key(lambda x, y: sign(x.ratio - y.ratio)))


def test_losses_of_the_example() -> None:
    """Added records must cost what SUB-A2 states, where it states it."""
    mechanism = Threshold(1, 0, 1, 2, alpha="0.05")
    for x, reference in ((0.1, "0.513795852638274"), (0.9, "0.488296216149662")):
        log = worst([losses(mechanism, [0.1, 0.4, 0.4, 0.9], x)]).log()
        assert log is not None
        assert agrees_with_print(log, reference)


@pytest.mark.slow
def test_sound_form_keeps_its_promise_on_a_grid() -> None:
    """Over all multisets of up to 4 records the largest loss must be that of SUB, below 1."""
    points = [0.0, 0.25, 0.5, 1.0]
    found = worst(
        losses(Threshold(1, 0, 1, rank, alpha="1/10"), list(data), x)
        for rank in (0, 1, "3/2", 2, 3)
        for size in range(4)
        for data in combinations_with_replacement(points, size)
        for x in points
    )
    log = found.log()
    assert found.at_most(F(1))
    assert log is not None
    assert agrees_with_print(log, "0.807766599610744")


def test_worst_case_on_a_grid_is_the_printed_one() -> None:
    """The pair that reaches the largest loss of that grid must have it, and keep epsilon."""
    found = worst([losses(Threshold(1, 0, 1, 3, alpha="1/10"), [0.25] * 3, 0.0)])
    log = found.log()
    assert found.at_most(F(1))
    assert not found.at_most(F(807, 1000))
    assert log is not None
    assert agrees_with_print(log, "0.807766599610744")


def test_grid_form_keeps_its_promise() -> None:
    """The law on a grid must keep epsilon exactly; its twin at epsilon / 0.6 must not."""
    for epsilon, held in (("1", True), ("5/3", False)):
        mechanism = GridThreshold(epsilon, 0, 3, 4, 3)
        pair = cells_of(*(point_pmf(mechanism.exact_law(x)) for x in ([1.0] * 3, [1.0] * 3 + [0])))
        assert worst([pair]).at_most(F(1)) == held


def slow_selection(law: LevelLaw, other: LevelLaw, rate: F) -> CellPair:
    """Laws with densities proportional to e^(-rate * loss), piece by piece, cells not joined."""
    parts = [
        (max(x.lower, y.lower), min(x.upper, y.upper), x.loss, y.loss)
        for x in law.pieces
        for y in other.pieces
        if max(x.lower, y.lower) < min(x.upper, y.upper)
    ]
    p = [ExpSum.exp(-rate * loss, b - a) for a, b, loss, _ in parts]
    q = [ExpSum.exp(-rate * loss, b - a) for a, b, _, loss in parts]
    totals = [sum(masses, start=ExpSum({})) for masses in (p, q)]
    cells = tuple(
        Cell(x * totals[1], y * totals[0], interval(a, b))
        for (a, b, _, _), x, y in zip(parts, p, q, strict=True)
    )
    return CellPair(cells, totals[0] * totals[1])


@pytest.mark.parametrize("data", [[], [0.5], [0.1, 0.4, 0.4, 0.9]], ids=len)
def test_cells_are_those_of_the_selection(data: list[float]) -> None:
    """Without factors the ratios and divergences must be those that the losses alone give."""
    mechanism = Threshold("3/2", 0, 1, 2)
    laws = [mechanism.exact_law(data), mechanism.exact_law([*data, 0.75])]
    pair, other = level_cells(*laws), slow_selection(*laws, rate=F(3, 4))
    assert pair.total == other.total
    assert largest_ratio(pair).ratio == largest_ratio(other).ratio
    for epsilon in (F(0), F(1, 4), F(1)):
        assert hockey_stick(pair, epsilon).value == hockey_stick(other, epsilon).value


def test_intervals_of_one_ratio_are_one_cell() -> None:
    """A cell must be all that has its ratio, with neighboring intervals joined."""
    mechanism = Threshold(1, 0, 1, 2, alpha=F(1, 16))
    cells = losses(mechanism, [0.25, 0.5, 0.75], 0.125).cells
    assert [cell.where for cell in cells] == [
        "z in [0, 1/16) or z in [7/16, 9/16)",  # left of the record, and about the rank
        "z in [1/16, 7/16)",  # one record more is below, of too few
        "z in [9/16, 1)",
    ]


def test_many_intervals_are_counted() -> None:
    """Of many intervals the words must show the first and count the rest, the data have all."""
    steps = tuple(LevelPiece(F(i), F(i + 1), F(i % 2)) for i in range(12))
    uniform = LevelLaw(F(1), (LevelPiece(F(0), F(12), F(0)),))
    even, odd = level_cells(LevelLaw(F(1), steps), uniform).cells
    assert str(even.where).endswith("z in [6, 7) or in one of 2 more intervals")
    assert odd.where.endswith("z in [7, 8) or in one of 2 more intervals")


@pytest.mark.parametrize("rank", [1, None], ids=["public rank", "printed rank"])
def test_stated_densities_are_the_exact_ones(rank: int | None) -> None:
    """Over balls the stated density must enclose mass / width of each piece, to 1e-40."""
    law = printed(rank=rank).exact_law([0.0, 0.25, 0.25, -1.0])
    for piece in law.pieces:
        stated = law.log_density((piece.lower + piece.upper) / 2, BALLS)
        mass = as_ball(probability(law, piece.lower, piece.upper), 200)
        lower, upper = endpoints(stated - BALLS.log(mass / (piece.upper - piece.lower)))
        assert -F(1, 10**40) < lower <= 0 <= upper < F(1, 10**40)


def test_stated_probabilities_are_the_exact_ones() -> None:
    """Over balls the stated atoms of the law on a grid must enclose the exact masses."""
    law = GridThreshold("3/2", 0, 3, 4, "5/2").exact_law([0, 1, 1, 3])
    pmf = point_pmf(law)
    for point, stated in law.atoms(BALLS).items():
        lower, upper = endpoints(stated - as_ball(chance(pmf, point), 200))
        assert -F(1, 10**40) < lower <= 0 <= upper < F(1, 10**40)


def test_constant_releases_are_equal() -> None:
    """With low = high no record can show; other ranges of a neighbor must be refused."""
    constant = Threshold(1, 2, 2).exact_law([1.0])
    assert largest_ratio(level_cells(constant, constant)).ratio == 1
    assert probability(constant, F(1), F(2)) == 1
    assert probability(constant, F(2), F(3)) == 0
    other = LevelLaw(F(1), (LevelPiece(F(0), F(1), F(0)),))
    with pytest.raises(InvalidArgument, match="one range"):
        level_cells(constant, other)


def test_a_factor_is_a_part_of_the_density() -> None:
    """A factor of 3 on half of the range must give three quarters of the mass."""
    law = LevelLaw(F(1), (LevelPiece(F(0), F(1), F(0)), LevelPiece(F(1), F(2), F(0), factor=F(3))))
    assert probability(law, F(1), F(2)) == F(3, 4)
    uniform = LevelLaw(F(1), (LevelPiece(F(0), F(2), F(0)),))
    assert largest_ratio(level_cells(law, uniform)).ratio == F(3, 2)
