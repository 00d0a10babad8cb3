"""Tables of calls: what they must say, and that every public constructor has a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.surveys.library_constructors import constructors_of
from audit.surveys.survey_scope import NO_ARGUMENTS, scope_of
from audit.targets.libraries.call_tables import SHIPPED, TABLES, read_table
from audit.targets.libraries.evaluation import object_of
from audit.targets.libraries.offer import Offer
from mechanisms.errors import InvalidArgument, InvalidData

VERSIONS = {
    "opendp": "opendp 0.16.0",
    "diffprivlib": "diffprivlib 0.6.6",
    "pydp": "python-dp 1.1.5",
}
"""Whose constructors the tables list."""

COUNTS = {"opendp": 73, "diffprivlib": 47, "pydp": 15}
"""Public constructors: 19 measurements and 54 transformations of OpenDP."""

GOOD = """
library = "math"
distribution = "math"
[imports]
math = "math"
[[call]]
name = "fabs"
release = "math.fabs(data[0] + state.laplace())"
epsilon = 1
relations = ["swap"]
low = 0
high = 1
source = "a test"
"""


def scope(name: str) -> Any:
    """The rows of a library of the versions above; others have other constructors."""
    pytest.importorskip({"pydp": "pydp"}.get(name, name))
    found = scope_of(name)
    if found.subject != VERSIONS[name]:
        pytest.skip(f"the table is of {VERSIONS[name]}, installed is {found.subject}")
    return found


@pytest.mark.parametrize("name", TABLES)
def test_every_public_constructor_has_a_row(name: str) -> None:
    """It must hold: a call of it, or a reason why there is none."""
    rows = scope(name).cases
    table = read_table(f"{SHIPPED}{name}")
    known = constructors_of(table)
    assert len(known) == COUNTS[name]
    assert {row.constructor for row in rows} >= set(known)
    assert not [row.name for row in rows if row.why_not == NO_ARGUMENTS]
    assert set(table.left_out) <= set(known)
    assert not set(table.left_out) & {call.constructor for call in table.calls}


@pytest.mark.parametrize("name", TABLES)
def test_every_call_can_be_made(name: str) -> None:
    """It must hold that no row of these versions is left out because the library refuses it."""
    rows = scope(name).cases
    assert [(row.name, row.why_not) for row in rows if row.call and row.kind == "none"] == []


@pytest.mark.parametrize("name", TABLES)
def test_every_row_says_where_its_promise_was_read(name: str) -> None:
    """It must hold that claim, relation and unit have a source; the relation is the library's."""
    for call in read_table(f"{SHIPPED}{name}").calls:
        assert call.source, call.name
        assert call.unit, call.name
        assert bool(call.relations) != bool(call.pairs), call.name
        open_ones = name == "diffprivlib" and bool(call.relations)
        assert (len(call.relations) > 1) == open_ones, call.name


def test_a_constructor_without_a_row_is_seen(tmp_path: Path) -> None:
    """It must hold that a table which forgets a constructor says so, and is not silent."""
    pytest.importorskip("pydp")
    text = Path(audit.__file__).with_name("targets") / "libraries" / "pydp.toml"
    whole = text.read_text("utf-8")
    start = whole.index('[[call]]\nname = "laplacian.Count"')
    end = whole.index('[[call]]\nname = "laplacian.Max"')
    other = tmp_path / "pydp.toml"
    other.write_text(whole[:start] + whole[end:], "utf-8")
    table = read_table(str(other))
    missing = set(constructors_of(table)) - {call.constructor for call in table.calls}
    assert missing - set(table.left_out) == {"laplacian.Count"}


def test_a_table_of_a_user_is_read(tmp_path: Path) -> None:
    """It must hold of the plainest one; its release goes by the seed, since it names the state."""
    file = tmp_path / "t.toml"
    file.write_text(GOOD, "utf-8")
    table = read_table(str(file))
    made = object_of(table, table.find("fabs"))
    assert isinstance(made, Offer)
    assert made.seedable
    assert made.claim is None  # it depends on the relation that is chosen
    with pytest.raises(InvalidArgument, match=r"has no call 'fab'.*fabs"):
        table.find("fab")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('source = "a test"', "", "needs source"),
        ("epsilon = 1", "", "needs epsilon"),
        ('relations = ["swap"]', "", "needs either relations"),
        ('relations = ["swap"]', 'relations = ["listed"]', "needs either relations"),
        ('relations = ["swap"]', 'relations = ["sideways"]', "sideways"),
        ("low = 0", 'lowest = "0"', "unknown keys: lowest"),
        ('release = "math.fabs(data[0] + state.laplace())"', "", "one of make and release"),
        ('library = "math"', "", "needs library"),
        ("[imports]", "[exports]", "unknown keys: exports"),
        ("epsilon = 1", 'epsilon = "one"', "epsilon"),
        ('library = "math"', "library = 3", "needs library, a text, got 3"),
        ("[[call]]", "[call]", "needs call, a list of tables"),
        ("[imports]", "left_out = [1]\n[imports]", "needs left_out, a table of texts"),
        ('source = "a test"', "source = 3", "needs source, a text, got 3"),
        ('relations = ["swap"]', 'relations = "swap"', "needs relations, a list of texts"),
        ('relations = ["swap"]', "pairs = [[0]]", "needs pairs, a list of pairs"),
        ("low = 0", "min_size = 1.5", "needs min_size, a whole number, got 1.5"),
    ],
)
def test_what_is_wrong_with_a_table_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """It must hold that each fault of a table is one error that names it."""
    assert old in GOOD
    file = tmp_path / "t.toml"
    file.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(InvalidData, match=message):
        read_table(str(file))


def test_two_calls_of_one_name_are_refused(tmp_path: Path) -> None:
    """It must hold: rows are kept by their names."""
    file = tmp_path / "t.toml"
    file.write_text(GOOD + GOOD[GOOD.index("[[call]]") :], "utf-8")
    with pytest.raises(InvalidData, match="two calls of one name: fabs"):
        read_table(str(file))


def test_a_library_that_leaves_the_relation_open_is_asked_for_one() -> None:
    """It must hold that nothing is audited under a relation that nobody stated or chose."""
    pytest.importorskip("diffprivlib")
    with pytest.raises(InvalidArgument, match="relation swap or relation add-remove"):
        audit.audit("survey.diffprivlib:tools.mean", seed=1)


@pytest.mark.long
def test_pairs_further_apart_than_the_claim_speaks_of_are_refused(tmp_path: Path) -> None:
    """It must hold of an object of a library: no table refutes it on such pairs."""
    pytest.importorskip("diffprivlib")
    text = """
library = "diffprivlib"
distribution = "diffprivlib"
[imports]
mechanisms = "diffprivlib.mechanisms"
[[call]]
name = "mechanisms.Laplace"
make = "mechanisms.Laplace(epsilon=1, sensitivity=1)"
source = "its parameters epsilon and sensitivity"
pairs = [[0.0, 2.0]]
"""
    file = tmp_path / "far.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidData, match="2 apart"):
        audit.audit(f"{file}:mechanisms.Laplace", seed=1)
    file.write_text(text.replace("2.0", "1.0"), "utf-8")
    words: dict[str, Any] = {"seed": 1, "ideal": True, "budget_samples": 2000}
    result = audit.audit(f"{file}:mechanisms.Laplace", **words)
    assert result.claim.relation.value == "listed"
    survey = audit.survey("diffprivlib", rows=file, only="mechanisms.Laplace", **words)
    (row,) = survey.rows
    assert row.source == "its parameters epsilon and sensitivity"  # the user's row, not ours
    assert row.not_tried[0].startswith("other pairs of values")


@pytest.mark.long
def test_a_call_that_cannot_be_made_is_no_verdict(tmp_path: Path) -> None:
    """It must hold: what the library refuses is not audited, and what always fails is undecided."""
    file = tmp_path / "t.toml"
    call = GOOD[GOOD.index("[[call]]") :]
    fails = call.replace('"fabs"', '"exp"').replace("math.fabs", "math.nosuch")
    refused = """
[[call]]
name = "sqrt"
make = "math.nosuch(1)"
pairs = [[0, 1]]
source = "a test"
"""
    file.write_text(GOOD + fails + refused, "utf-8")
    result = audit.survey("math", rows=file, only="[es]*", seed=1, budget_samples=4000)
    rows = {row.name: row for row in result.rows}
    assert rows["exp"].verdict == "INCONCLUSIVE"
    assert rows["sqrt"].verdict == "NOT AUDITED"
    assert "cannot be made" in rows["sqrt"].reason


def test_a_table_is_a_toml_file(tmp_path: Path) -> None:
    """It must hold that a file of another name is not looked for among those that are shipped."""
    other = tmp_path / "calls.csv"
    other.write_text("name\n")
    with pytest.raises(InvalidData, match=r"ends in \.toml, got '.*calls\.csv'"):
        read_table(str(other))
