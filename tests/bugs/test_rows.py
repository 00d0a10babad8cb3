"""The rows: words, links, pairs and targets are what a reader may rely on."""

import ast
import re
from collections import Counter
from dataclasses import replace

import pytest

from bugs.environments import environments
from bugs.fresh import events
from bugs.rows import NOT_REPORTED, TARGETS, Claim, Defect, Twin, defects
from bugs.run import expand

ROWS = list(defects().values())
LINK = re.compile(
    r"https://(github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+|arxiv\.org/abs/\d{4}\.\d{5})"
)
FORBIDDEN = re.compile(r"vulnerab|exploit|careless|sloppy|terrible|stupid|obviously", re.IGNORECASE)
each = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


def wrong(row: Defect) -> list[str]:
    """What is wrong with a row, in words."""
    found = []
    if row.report != NOT_REPORTED and not LINK.fullmatch(row.report):
        found.append("report")
    if FORBIDDEN.search(" ".join((row.note, row.unit, row.call))):
        found.append("wording")
    places = [row.environment, *([row.twin.environment] if row.twin else [])]
    if any(place is not None and place not in environments() for place in places):
        found.append("environment")
    if row.same_cause is not None and (
        row.same_cause not in defects() or defects()[row.same_cause].same_cause is not None
    ):
        found.append("same_cause")
    if row.kind == "release" and not _are_neighbors(row):
        found.append("pair")
    return found


def _are_neighbors(row: Defect) -> bool:
    """Whether the two data sets differ in one record, by the relation of the claim."""
    left, right = expand(row.left), expand(row.right)
    if row.relation == "listed":
        return repr(left) != repr(right)
    one, other = (Counter(map(repr, side)) for side in (left, right))
    gone, come = (one - other).total(), (other - one).total()
    return (gone, come) == (1, 1) if row.relation == "swap" else gone + come == 1


@each
def test_a_row_is_in_order(row):
    """Link, wording, environments, cause and pair."""
    assert wrong(row) == []


def test_a_row_that_is_slightly_wrong_is_seen():
    """Each of the checks can fail."""
    row = defects()["diffprivlib_mean_nan"]
    assert wrong(row) == []
    for change, said in (
        ({"report": "https://github.com/opendp/opendp"}, "report"),
        ({"note": "A vulnerability."}, "wording"),
        ({"environment": "nowhere"}, "environment"),
        ({"twin": Twin("another", "nowhere")}, "environment"),
        ({"same_cause": "nobody"}, "same_cause"),
        ({"same_cause": "diffprivlib_median_nan"}, "same_cause"),
        ({"right": {"runs": [[0.0, 98], [1.0, 2]]}}, "pair"),
        ({"relation": "add-remove"}, "pair"),
        ({"right": row.left}, "pair"),
    ):
        assert wrong(replace(row, **change)) == [said]


@pytest.mark.parametrize(
    "change", [{"relation": "any"}, {"kind": "other"}, {"loss_is": "guess"}, {"kind": "total"}]
)
def test_a_word_that_is_not_known_is_refused(change):
    """A row is read or refused, never read in part."""
    with pytest.raises(ValueError, match="diffprivlib_laplace"):
        replace(defects()["diffprivlib_laplace"], **change)


@pytest.mark.parametrize("words", [{}, {"epsilon": "1", "rho": "1"}])
def test_a_claim_is_one_claim(words):
    """Either epsilon or rho."""
    with pytest.raises(ValueError, match="either"):
        Claim(**words)


@each
def test_a_target_has_the_stated_names(row):
    """A docstring, `release` of data and a generator, and of a pair `event` of an output."""
    tree = ast.parse(row.target.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = row.library.replace("_", "-").lower()
    assert (ast.get_docstring(tree) or "").lower().startswith(f"{named} {row.version}: ")
    assert len(functions["release"].args.args) == 2
    assert ("event" in functions) == (row.kind == "release")
    assert sum(isinstance(node, ast.Return) for node in ast.walk(functions["release"])) == 1


def test_every_target_has_a_row():
    """No file is left over."""
    assert {path.stem for path in TARGETS.glob("*.py")} == set(defects())


@pytest.mark.parametrize("one", environments().values(), ids=lambda one: one.name)
def test_an_environment_is_pinned(one):
    """Each requirement is one version."""
    for requirement in (*one.requires, *one.without_dependencies):
        assert re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.]+", requirement), requirement


def test_every_environment_is_used():
    """By a row or its twin."""
    used = {row.environment for row in ROWS} | {r.twin.environment for r in ROWS if r.twin}
    assert used == set(environments())


@pytest.mark.parametrize("row", [r for r in ROWS if r.kind == "release"], ids=lambda row: row.id)
def test_an_event_needs_no_library(row):
    """It is read without the target's imports."""
    assert callable(events(row))
