"""The page: it is what the stored results say, and the rows are there because they were seen."""

import json
from collections.abc import Mapping

import pytest

from bugs import board
from bugs.fresh import epsilon_above, excludes
from bugs.results import FOLDER, latest
from bugs.rows import defects

ROWS = defects()
FRESH, OURS = latest("fresh", "id"), latest("ours", "id", "way")
RELEASES = [row for row in ROWS.values() if row.kind == "release"]


def test_the_page_is_made_of_the_stored_results():
    """`python -m bugs.board` would change nothing."""
    assert board.PAGE.read_text(encoding="utf-8") == board.page()


def was_seen(row, line: Mapping) -> bool:
    """Whether the counts of a line exclude the row's claim, computed again."""
    pair = sorted((tuple(line[side]) for side in ("left", "right")), key=lambda x: x[0] / x[1])
    return line["excluded"] and excludes(row.claim, pair[1], pair[0])


@pytest.mark.parametrize("row", RELEASES, ids=lambda row: row.id)
def test_a_release_is_here_because_its_claim_was_excluded(row):
    """On fresh draws, and a loss that is a number is not above an exact one."""
    line = FRESH[row.id,]
    assert was_seen(row, line)
    if row.loss_is == "exact" and row.loss.replace(".", "").isdigit() and row.claim.epsilon:
        assert line["epsilon_above"] <= float(row.loss)


def test_counts_that_show_less_are_seen_through():
    """A line that says excluded with counts that do not is no reason."""
    row = ROWS["pure_ldp_unary"]
    assert not was_seen(row, {"left": [50, 100], "right": [40, 100], "excluded": True})
    assert epsilon_above((50, 100), (40, 100)) < 1


@pytest.mark.parametrize("row", [r for r in ROWS.values() if r.kind == "total"], ids=lambda r: r.id)
def test_a_total_is_here_because_theorems_say_more(row):
    """What the library said, as the runner heard it, is below the truth, and is the row's claim."""
    line = OURS[row.id, "total"]
    assert line["verdict"] == "REFUTED"
    said = {float(row.claim.epsilon or "nan"), float(row.claim.delta)}
    assert any(line["stated"] == pytest.approx(number, rel=1e-4) for number in said)


def test_results_have_date_commit_and_seed():
    """Every line of every file, and no line is about a row that is not there."""
    for file in FOLDER.glob("*.jsonl"):
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            assert {"id", "date", "commit", "seed"} <= set(line)
            assert line["id"] in ROWS


def test_a_cell_says_what_was_not_run():
    """No result is no verdict."""
    row = ROWS["diffprivlib_laplace"]
    cells = board._released(row, {}, {}, {})
    assert cells.count(board.NOT_RUN) == 2
    assert "REFUTED" not in " ".join(cells)
