"""The picture of screened pairs: its points, its units, and the table behind it."""

from __future__ import annotations

import re

from audit.engine.document_parts import TOP, screened_parts
from audit.report.html.html_plots import figure
from audit.results.document import DocumentTable
from audit.results.plot_parts import Curves
from audit.results.screened_pairs import ScoredPairs, ScreenedPair, Screening

CHOSEN = (
    ScreenedPair("1 record; one more at NaN", 1e6, 2.5, "another kind", "hostile", 2),
    ScreenedPair("3 records; one fewer", 1.4, 0.9, "the same noise moves", "scan", 3),
)
SCORED = (
    ScoredPairs(1, 0.5, 40),
    ScoredPairs(2, 0.9, 10),
    ScoredPairs(2, 1e6, 2),
    ScoredPairs(3, 1.4, 1),
    ScoredPairs(1000, 0.1, 5),
)
TOLD = Screening("coupled", 58, 100, 800, CHOSEN, scored=SCORED)


def parts() -> tuple[Curves, DocumentTable, DocumentTable]:
    """The picture, the table by size and that of the chosen pairs."""
    plot, table, chosen = screened_parts(TOLD)
    assert isinstance(plot, Curves)
    assert isinstance(table, DocumentTable)
    assert isinstance(chosen, DocumentTable)
    return plot, table, chosen


def test_every_pair_is_in_the_picture() -> None:
    """It must hold: as a dot, or as an arrow where its score is beyond the plot."""
    plot, _, _ = parts()
    dots = [mark for mark in plot.marks if mark.kind == "dots"]
    beyond = [mark for mark in plot.marks if mark.kind == "beyond"]
    assert len(dots[0].points) == sum(one.score <= TOP for one in SCORED)
    assert len(beyond[0].points) == len({one.size for one in SCORED if one.score > TOP})
    assert all(plot.left <= x <= plot.right for mark in plot.marks for x, _ in mark.points)
    assert all(0 <= y <= plot.top for mark in plot.marks for _, y in mark.points)


def test_chosen_pairs_are_marked_and_named() -> None:
    """It must hold: in front of the others, in another style, and said when pointed at."""
    plot, _, _ = parts()
    marked = plot.marks[-1]
    assert (marked.kind, marked.style) == ("dots", "broken")
    assert [f"chosen: {one.pair}" in words for one, words in zip(CHOSEN, marked.words, strict=True)]
    drawn = str(figure(plot, "key"))
    assert len(re.findall("<circle[^>]*broken", drawn)) == len(CHOSEN)


def test_units_are_said() -> None:
    """It must hold of both axes and of the captions of both tables."""
    plot, table, chosen = parts()
    assert "records" in plot.axes[0]
    assert "in units of the claim" in plot.axes[1]
    assert "in units of the claim" in table.caption
    assert "in units of the claim" in chosen.caption


def test_the_table_has_what_the_picture_shows() -> None:
    """It must hold: all pairs, those above the claim, and those chosen, by size."""
    _, table, chosen = parts()
    columns = list(zip(*table.rows, strict=True))
    assert columns[0] == ("1", "2", "3", "1000")
    assert sum(int(str(cell)) for cell in columns[2]) == sum(one.pairs for one in SCORED)
    assert sum(int(str(cell)) for cell in columns[3]) == 3
    assert sum(int(str(cell)) for cell in columns[4]) == len(CHOSEN)
    assert [row[0] for row in chosen.rows] == [one.pair for one in CHOSEN]


def test_without_screening_there_is_no_picture() -> None:
    """It must hold of a run without it, and of one that was read from an older report."""
    assert list(screened_parts(None)) == []
    assert list(screened_parts(Screening("coupled", 3, 4, 5, CHOSEN))) == []
